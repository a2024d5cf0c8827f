/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a plan, and coefficients from the scale of the data to that of the plan and back. */
#include "workspace/plan.h"

#include <string.h>

#include "base/context.h"
#include "base/ranks.h"
#include "base/vector.h"

/* Groups that share features have copies of columns, those that are orthonormal have directions. */
static int has_other_columns(const struct plan *plan)
{
    return plan->repeated.column || plan->orthonormal.column;
}

/* The problem on the columns that matter, on copies of columns, or on directions. */
static dcpn_status choose_columns(struct plan *plan)
{
    const struct composition *composition = plan->parts.composition;
    if (composition && plan->settings.orthonormal) {
        DCPN_TRY(dcpn_orthonormal_columns_new(plan->context, &plan->given, &plan->settings, composition,
                                              &plan->orthonormal));
        plan->problem = &plan->orthonormal.problem;
    } else if (composition && composition->overlap == DCPN_OVERLAP_COPIED) {
        DCPN_TRY(dcpn_repeated_columns_new(plan->context, &plan->given, &plan->repeated));
        plan->problem = &plan->repeated.problem;
    } else {
        plan->nonempty.problem = plan->given;
        DCPN_TRY(dcpn_nonempty_columns_keep(plan->context, &plan->given, &plan->nonempty));
        if (plan->nonempty.column) plan->problem = &plan->nonempty.problem;
    }
    if (plan->given.groups.count == 0) return DCPN_OK;
    const dcpn_problem *groups_of = has_other_columns(plan) ? plan->problem : &plan->given;
    return dcpn_grouped_columns_new(plan->context, groups_of, plan->nonempty.column, dcpn_plan_columns(plan),
                                    composition, &plan->groups);
}

/* Makes blocks of the groups that were given: one for each class or response, or one for all of them. */
static dcpn_status repeat_groups(struct plan *plan)
{
    struct grouped_columns of_one = plan->groups;
    const struct scores_of_groups how = {dcpn_plan_columns(plan), plan->targets.scores,
                                         strcmp(plan->settings.class_grouping, "row") == 0};
    dcpn_status status = dcpn_grouped_scores_new(plan->context, &of_one, &how, &plan->groups);
    dcpn_grouped_columns_free(plan->context, &of_one);
    return status;
}

/* Makes a block of the coefficients that a feature has in all classes. */
static dcpn_status group_classes(struct plan *plan)
{
    if (plan->targets.scores == 1 || !plan->parts.composition) return DCPN_OK;
    if (plan->given.groups.count > 0) return repeat_groups(plan);
    return dcpn_grouped_classes_new(plan->context, dcpn_plan_columns(plan), plan->targets.scores, &plan->groups);
}

/* ---- one number a coefficient ---- */

static const double *for_each_score(const double *of_columns, int64_t columns, int64_t scores, double **room)
{
    double *all = *room;
    if (!of_columns) return NULL;
    for (int64_t k = 0; k < scores; k++) dcpn_copy(columns, of_columns, all + k * columns);
    *room += scores * columns;
    return all;
}

static dcpn_status find_numbers(struct plan *plan)
{
    const dcpn_problem *p = plan->problem;
    const double *const of_columns[] = {p->factors, p->lower, p->upper, plan->scaled.scale};
    const double **const to[] = {&plan->factors, &plan->lower, &plan->upper, &plan->bound_scale};
    int64_t scores = plan->targets.scores, columns = p->A ? dcpn_plan_columns(plan) : 0;
    for (size_t n = 0; n < 4; n++) *to[n] = of_columns[n];
    if (scores == 1) return DCPN_OK;
    double *room = plan->numbers = dcpn_allocate(plan->context, (size_t)(4 * scores * columns), sizeof *room);
    if (!room) return DCPN_MEMORY;
    for (size_t n = 0; n < 4; n++) *to[n] = for_each_score(of_columns[n], columns, scores, &room);
    return DCPN_OK;
}

/* The problem whose columns are scaled: copies are of scaled columns. */
static const dcpn_problem *problem_scaled(const struct plan *plan)
{
    return plan->repeated.column ? &plan->given : plan->problem;
}

static dcpn_status sum_over_ranks(struct plan *plan)
{
    struct parts *parts = &plan->parts;
    DCPN_TRY(dcpn_summed_new(plan->context, dcpn_plan_matrix(plan), plan->targets.scores, plan->settings.intercept,
                             &plan->summed));
    if (parts->chooses_search)
        parts->search = dcpn_usual_search(parts, dcpn_problem_counted_rows(&plan->given),
                                          (double)dcpn_summed_columns_with_entries(plan->summed));
    return DCPN_OK;
}

/* On few rows the parts are those of few rows. The search is that of the rows as given, which it is about. */
static dcpn_status choose_rows(struct plan *plan, int64_t fits)
{
    enum search_kind search = plan->parts.search;
    DCPN_TRY(dcpn_rotated_rows_new(plan->context, plan->problem, &plan->settings, &plan->parts, fits, &plan->rotated));
    if (!plan->rotated.A) return DCPN_OK;
    plan->problem = &plan->rotated.problem;
    dcpn_settings on_few_rows = plan->settings;
    on_few_rows.metric = dcpn_metric_hessian.name;
    DCPN_TRY(dcpn_choose_parts(plan->context, plan->problem, &on_few_rows, &plan->parts));
    plan->parts.search = search;
    return DCPN_OK;
}

static dcpn_status make(struct plan *plan, int64_t fits)
{
    DCPN_TRY(dcpn_ranks_refuse_ended(plan->context, "preparing the data"));
    DCPN_TRY(choose_columns(plan));
    DCPN_TRY(choose_rows(plan, fits));
    if (!plan->orthonormal.column)
        DCPN_TRY(dcpn_scaled_columns_new(plan->context, problem_scaled(plan), &plan->settings, plan->parts.is_exact,
                                         &plan->scaled));
    if (plan->repeated.column && plan->scaled.A) dcpn_repeated_columns_use(&plan->repeated, plan->scaled.A);
    DCPN_TRY(dcpn_ranks_refuse_ended(plan->context, "preparing the data"));
    DCPN_TRY(dcpn_targets_new(plan->context, plan->problem, &plan->settings, &plan->parts, dcpn_plan_matrix(plan),
                              &plan->targets));
    DCPN_TRY(group_classes(plan));
    DCPN_TRY(find_numbers(plan));
    const dcpn_matrix *A = dcpn_plan_matrix(plan);
    if (plan->parts.is_exact) {
        DCPN_TRY(sum_over_ranks(plan));
        A = &plan->summed->base;
    }
    return dcpn_shape_unit_find(&plan->targets, plan->problem, &plan->settings, &plan->parts, A, &plan->shape_unit);
}

dcpn_status dcpn_plan_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                          int64_t fits, struct plan **plan)
{
    struct parts parts;
    *plan = NULL;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(dcpn_ranks_agree(context, dcpn_choose_parts(context, problem, settings, &parts)));
    struct plan *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct plan){
        .context = context, .given = dcpn_problem_seen_by(problem, settings), .settings = *settings, .parts = parts};
    made->problem = &made->given;
    if (parts.loss && parts.loss->targets == DCPN_SURVIVAL) made->settings.intercept = 0; /* it would change nothing */
    if (parts.loss && parts.loss->targets == DCPN_ORDERED_CLASSES) made->settings.intercept = 1; /* its boundaries */
    if (parts.is_exact) made->settings.sums = "exact";
    dcpn_status status = make(made, fits);
    if (status == DCPN_OK) status = dcpn_ranks_status(context);
    if (status == DCPN_OK)
        *plan = made;
    else
        dcpn_plan_free(made);
    return dcpn_ranks_end(context, status);
}

void dcpn_plan_free(struct plan *plan)
{
    if (!plan) return;
    dcpn_free(plan->context, plan->numbers);
    dcpn_summed_free(plan->summed);
    dcpn_targets_free(&plan->targets);
    dcpn_scaled_columns_free(plan->context, &plan->scaled);
    dcpn_grouped_columns_free(plan->context, &plan->groups);
    dcpn_nonempty_columns_free(plan->context, &plan->nonempty);
    dcpn_repeated_columns_free(plan->context, &plan->repeated);
    dcpn_orthonormal_columns_free(plan->context, &plan->orthonormal);
    dcpn_rotated_rows_free(plan->context, &plan->rotated);
    dcpn_free(plan->context, plan);
}

int64_t dcpn_plan_features(const struct plan *plan)
{
    return dcpn_problem_features(&plan->given);
}

/* The columns that are not copies. */
static int64_t distinct_columns(const struct plan *plan)
{
    return plan->repeated.column ? dcpn_plan_features(plan) : dcpn_plan_columns(plan);
}

/* ---- boundaries of ordered classes ---- */

/* They count from those of the model without features. The first one has gone to the scale of the plan with the score,
 * or from it; the others follow by the same shift. */
static void take_boundaries(const struct plan *plan, const double *intercepts, double *own)
{
    const struct ordered_rows *o = &plan->targets.ordered;
    double *constants = own + dcpn_plan_columns(plan), shift = constants[0] - intercepts[0];
    for (int64_t k = 0; k < o->count; k++) constants[k] = intercepts[k] + shift - o->start[k];
}

static void give_boundaries(const struct plan *plan, const double *own, double *intercepts)
{
    const struct ordered_rows *o = &plan->targets.ordered;
    const double *constants = own + dcpn_plan_columns(plan);
    double shift = intercepts[0] - constants[0];
    for (int64_t k = 0; k < o->count; k++) intercepts[k] = constants[k] + shift + o->start[k];
}

/* ---- coefficients there and back, one score after the other ---- */

static void to_own_scale(const struct plan *plan, double intercept, double *own, double *own_intercept)
{
    double constant = intercept - plan->targets.middle;
    if (plan->scaled.A) constant = dcpn_scaled_columns_take(&plan->scaled, distinct_columns(plan), constant, own);
    if (plan->repeated.column) dcpn_repeated_columns_share_out(&plan->repeated, own);
    if (plan->settings.intercept) *own_intercept = constant;
}

/* Turns coefficients of features, all or those that are listed, into those of directions. */
static void take_directions(const struct plan *plan, const int64_t *index, const double *value, int64_t count,
                            double intercept, double *own)
{
    double constant = intercept - plan->targets.middle;
    int64_t directions = dcpn_plan_columns(plan);
    dcpn_fill(directions, 0.0, own);
    for (int64_t i = 0; i < count; i++)
        if (value[i] != 0.0)
            constant = dcpn_orthonormal_columns_take(&plan->orthonormal, index ? index[i] : i, value[i], constant, own);
    if (plan->settings.intercept) own[directions] = constant;
}

void dcpn_plan_take(const struct plan *plan, const double *given, const double *intercepts, double *own)
{
    const int64_t *column = plan->nonempty.column;
    if (plan->orthonormal.column) {
        take_directions(plan, NULL, given, dcpn_plan_features(plan), intercepts[0], own);
        if (plan->targets.ordered.count) take_boundaries(plan, intercepts, own);
        return;
    }
    int64_t columns = dcpn_plan_columns(plan), features = dcpn_plan_features(plan), scores = plan->targets.scores;
    for (int64_t k = 0; k < scores; k++) {
        double *own_k = own + k * columns;
        for (int64_t j = 0; j < distinct_columns(plan); j++) own_k[j] = given[k * features + (column ? column[j] : j)];
        to_own_scale(plan, intercepts[k], own_k, own + scores * columns + k);
    }
    if (plan->targets.ordered.count) take_boundaries(plan, intercepts, own);
}

/* Takes the coefficients of a score, from the next one on, without the intercept. */
static void take_score(const struct plan *plan, const struct few_coefficients *given, int64_t score, int64_t *next,
                       double *own)
{
    const int64_t *column = plan->nonempty.column;
    int64_t k = 0, columns = distinct_columns(plan), features = dcpn_plan_features(plan);
    dcpn_fill(columns, 0.0, own);
    for (; *next < given->count && given->index[*next] < (score + 1) * features; ++*next) {
        int64_t j = given->index[*next] - score * features;
        while (column && k < columns && column[k] < j) k++;
        if (!column) k = j;
        if (k < columns && (!column || column[k] == j)) own[k] = given->value[*next];
    }
}

void dcpn_plan_take_some(const struct plan *plan, const struct few_coefficients *given, double *own)
{
    int64_t columns = dcpn_plan_columns(plan), scores = plan->targets.scores, next = 0;
    if (plan->orthonormal.column) {
        take_directions(plan, given->index, given->value, given->count, given->intercepts[0], own);
        if (plan->targets.ordered.count) take_boundaries(plan, given->intercepts, own);
        return;
    }
    for (int64_t k = 0; k < scores; k++) {
        take_score(plan, given, k, &next, own + k * columns);
        to_own_scale(plan, given->intercepts[k], own + k * columns, own + scores * columns + k);
    }
    if (plan->targets.ordered.count) take_boundaries(plan, given->intercepts, own);
}

/* Moves the coefficients of the nonempty columns to the places of their features, in place. It begins with the last
 * one, since no column's place is before its own. */
static void spread(const struct plan *plan, double *all)
{
    const int64_t *column = plan->nonempty.column;
    for (int64_t k = dcpn_plan_columns(plan), j = dcpn_plan_features(plan); j-- > 0;) {
        int is_kept = k > 0 && column[k - 1] == j;
        all[j] = is_kept ? all[--k] : 0.0;
    }
}

/* Centres the intercepts. Softmax does not change if all scores of a row rise by the same constant, so those of mean 0
 * are taken. */
static void centre(const struct plan *plan, double *intercepts)
{
    int64_t scores = plan->targets.scores;
    double mean = 0.0;
    if (scores == 1 || !plan->parts.loss->shares || !plan->settings.intercept) return;
    for (int64_t k = 0; k < scores; k++) mean += intercepts[k] / (double)scores;
    for (int64_t k = 0; k < scores; k++) intercepts[k] -= mean;
}

static double give_directions(const struct plan *plan, const double *own, double intercept, double *given)
{
    const struct orthonormal_columns *o = &plan->orthonormal;
    dcpn_fill(dcpn_plan_features(plan), 0.0, given);
    for (int64_t k = 0; k < o->count; k++) given[o->column[k]] = dcpn_orthonormal_columns_give(o, k, own, &intercept);
    return plan->targets.middle + intercept;
}

static double give_one(const struct plan *plan, const double *own, double intercept, double *given)
{
    int64_t columns = distinct_columns(plan);
    if (plan->orthonormal.column) return give_directions(plan, own, intercept, given);
    if (plan->repeated.column) {
        dcpn_repeated_columns_add_up(&plan->repeated, own, columns, given);
        own = given;
    }
    if (plan->scaled.A)
        intercept = dcpn_scaled_columns_give(&plan->scaled, problem_scaled(plan), own, intercept, given);
    else if (own != given)
        dcpn_copy(columns, own, given);
    if (plan->nonempty.column) spread(plan, given);
    return plan->targets.middle + intercept;
}

void dcpn_plan_give(const struct plan *plan, const double *own, double *given, double *intercepts)
{
    int64_t columns = dcpn_plan_columns(plan), features = dcpn_plan_features(plan), scores = plan->targets.scores;
    for (int64_t k = 0; k < scores; k++) {
        double intercept = plan->settings.intercept ? own[scores * columns + k] : 0.0;
        intercepts[k] = give_one(plan, own + k * columns, intercept, given + k * features);
    }
    if (plan->targets.ordered.count) give_boundaries(plan, own, intercepts);
    centre(plan, intercepts);
}

/* Adds up the coefficients of all copies of the column that k, the next one in use, belongs to; k goes to its last
 * copy. */
static double add_up_copies(const struct plan *plan, const double *own, int64_t *k)
{
    const int64_t *column = plan->repeated.column;
    double sum = own[*k];
    while (column && *k + 1 < plan->repeated.count && column[*k + 1] == column[*k]) sum += own[++*k];
    return sum;
}

static double list_directions(const struct plan *plan, const double *own, double intercept,
                              struct few_coefficients *given)
{
    const struct orthonormal_columns *o = &plan->orthonormal;
    for (int64_t k = 0; k < o->count; k++) {
        double x = dcpn_orthonormal_columns_give(o, k, own, &intercept);
        if (x == 0.0) continue;
        given->index[given->count] = o->column[k];
        given->value[given->count++] = x;
    }
    return plan->targets.middle + intercept;
}

/* Lists the coefficients of a score, from own on, and returns its intercept. */
static double list_score(const struct plan *plan, const double *own, double intercept, int64_t score,
                         struct few_coefficients *given)
{
    const int64_t *column = plan->repeated.column ? plan->repeated.column : plan->nonempty.column;
    int64_t columns = dcpn_plan_columns(plan), before = score * dcpn_plan_features(plan);
    if (plan->orthonormal.column) return list_directions(plan, own, intercept, given);
    for (int64_t k = dcpn_next_nonzero(columns, own, 0); k < columns; k = dcpn_next_nonzero(columns, own, k + 1)) {
        int64_t j = column ? column[k] : k, scaled = plan->repeated.column ? j : k;
        double x = add_up_copies(plan, own, &k);
        if (x == 0.0) continue;
        if (plan->scaled.A) x = dcpn_scaled_columns_one(&plan->scaled, problem_scaled(plan), scaled, x, &intercept);
        given->index[given->count] = before + j;
        given->value[given->count++] = x;
    }
    return plan->targets.middle + intercept;
}

void dcpn_plan_list(const struct plan *plan, const double *own, struct few_coefficients *given)
{
    int64_t columns = dcpn_plan_columns(plan), scores = plan->targets.scores;
    given->count = 0;
    for (int64_t k = 0; k < scores; k++) {
        double intercept = plan->settings.intercept ? own[scores * columns + k] : 0.0;
        given->intercepts[k] = list_score(plan, own + k * columns, intercept, k, given);
    }
    if (plan->targets.ordered.count) give_boundaries(plan, own, given->intercepts);
    centre(plan, given->intercepts);
}

int64_t dcpn_plan_count(const struct plan *plan, int64_t columns, const double *own)
{
    int64_t count = 0;
    double unused = 0.0;
    for (int64_t k = 0; k < plan->orthonormal.count; k++)
        count += dcpn_orthonormal_columns_give(&plan->orthonormal, k, own, &unused) != 0.0;
    if (plan->orthonormal.column) return count;
    if (!plan->repeated.column) return dcpn_count_nonzeros(columns, own);
    for (int64_t k = dcpn_next_nonzero(columns, own, 0); k < columns; k = dcpn_next_nonzero(columns, own, k + 1))
        count += add_up_copies(plan, own, &k) != 0.0;
    return count;
}
