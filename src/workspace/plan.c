/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a plan, and coefficients from the scale of the data to that of the plan and back. */
#include "workspace/plan.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "base/vector.h"

/* The problem on the columns that matter, or, for groups that share features, on copies of columns. */
static dcpn_status choose_columns(struct plan *plan)
{
    const struct composition *composition = plan->parts.composition;
    if (composition && composition->repeats) {
        DCPN_TRY(dcpn_repeated_columns_new(plan->context, &plan->given, &plan->repeated));
        plan->problem = &plan->repeated.problem;
    } else {
        DCPN_TRY(dcpn_nonempty_columns_keep(plan->context, &plan->given, &plan->nonempty));
        if (plan->nonempty.column) plan->problem = &plan->nonempty.problem;
    }
    const dcpn_problem *groups_of = plan->repeated.column ? plan->problem : &plan->given;
    return dcpn_grouped_columns_new(plan->context, groups_of, plan->nonempty.column, dcpn_plan_columns(plan), composition,
                                    &plan->groups);
}

/* The problem whose columns are scaled: copies are of scaled columns. */
static const dcpn_problem *problem_scaled(const struct plan *plan)
{
    return plan->repeated.column ? &plan->given : plan->problem;
}

static dcpn_status make(struct plan *plan)
{
    DCPN_TRY(dcpn_refuse_interrupted(plan->context, "preparing the data"));
    DCPN_TRY(choose_columns(plan));
    DCPN_TRY(dcpn_scaled_columns_new(plan->context, problem_scaled(plan), &plan->settings, &plan->scaled));
    if (plan->repeated.column && plan->scaled.A) dcpn_repeated_columns_use(&plan->repeated, plan->scaled.A);
    DCPN_TRY(dcpn_refuse_interrupted(plan->context, "preparing the data"));
    DCPN_TRY(dcpn_targets_new(plan->context, plan->problem, &plan->settings, &plan->parts, dcpn_plan_matrix(plan),
                              &plan->targets));
    return dcpn_shape_unit_find(&plan->targets, plan->problem, &plan->settings, &plan->parts, dcpn_plan_matrix(plan),
                                &plan->shape_unit);
}

dcpn_status dcpn_plan_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                          struct plan **plan)
{
    struct parts parts;
    *plan = NULL;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(dcpn_choose_parts(context, problem, settings, &parts));
    struct plan *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct plan){.context = context,
                          .given = dcpn_problem_seen_by(problem, settings),
                          .settings = *settings,
                          .parts = parts};
    made->problem = &made->given;
    dcpn_status status = make(made);
    if (status == DCPN_OK)
        *plan = made;
    else
        dcpn_plan_free(made);
    return status;
}

void dcpn_plan_free(struct plan *plan)
{
    if (!plan) return;
    dcpn_targets_free(&plan->targets);
    dcpn_scaled_columns_free(plan->context, &plan->scaled);
    dcpn_grouped_columns_free(plan->context, &plan->groups);
    dcpn_nonempty_columns_free(plan->context, &plan->nonempty);
    dcpn_repeated_columns_free(plan->context, &plan->repeated);
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

static void to_own_scale(const struct plan *plan, double intercept, double *own)
{
    double constant = intercept - plan->targets.middle;
    if (plan->scaled.A) constant = dcpn_scaled_columns_take(&plan->scaled, distinct_columns(plan), constant, own);
    if (plan->repeated.column) dcpn_repeated_columns_share_out(&plan->repeated, own);
    if (plan->settings.intercept) own[dcpn_plan_columns(plan)] = constant;
}

void dcpn_plan_take(const struct plan *plan, const double *given, double intercept, double *own)
{
    const int64_t *column = plan->nonempty.column;
    for (int64_t k = 0; k < distinct_columns(plan); k++) own[k] = given[column ? column[k] : k];
    to_own_scale(plan, intercept, own);
}

void dcpn_plan_take_some(const struct plan *plan, const int64_t *index, const double *value, int64_t count,
                         double intercept, double *own)
{
    const int64_t *column = plan->nonempty.column;
    int64_t k = 0, columns = distinct_columns(plan);
    dcpn_fill(columns, 0.0, own);
    for (int64_t i = 0; i < count; i++) {
        while (column && k < columns && column[k] < index[i]) k++;
        if (!column) k = index[i];
        if (k < columns && (!column || column[k] == index[i])) own[k] = value[i];
    }
    to_own_scale(plan, intercept, own);
}

double dcpn_plan_give(const struct plan *plan, const double *own, double *given)
{
    const int64_t *column = plan->nonempty.column;
    int64_t columns = distinct_columns(plan);
    double intercept = plan->settings.intercept ? own[dcpn_plan_columns(plan)] : 0.0;
    if (plan->repeated.column) {
        dcpn_repeated_columns_add_up(&plan->repeated, own, columns, given);
        own = given;
    }
    if (plan->scaled.A)
        intercept = dcpn_scaled_columns_give(&plan->scaled, problem_scaled(plan), own, intercept, given);
    else if (own != given)
        dcpn_copy(columns, own, given);
    if (column) { /* in place, from the last column on, whose place is not before its own */
        double *all = given;
        for (int64_t k = columns, j = dcpn_plan_features(plan); j-- > 0;) {
            int is_kept = k > 0 && column[k - 1] == j;
            all[j] = is_kept ? all[--k] : 0.0;
        }
    }
    return plan->targets.middle + intercept;
}

/* The coefficient of the column that k is of, which is the next one in use, or a copy of it; k goes to its last copy. */
static double add_up_copies(const struct plan *plan, const double *own, int64_t *k)
{
    const int64_t *column = plan->repeated.column;
    double sum = own[*k];
    while (column && *k + 1 < plan->repeated.count && column[*k + 1] == column[*k]) sum += own[++*k];
    return sum;
}

double dcpn_plan_list(const struct plan *plan, const double *own, int64_t *index, double *value)
{
    const int64_t *column = plan->repeated.column ? plan->repeated.column : plan->nonempty.column;
    int64_t columns = dcpn_plan_columns(plan), count = 0;
    double intercept = plan->settings.intercept ? own[columns] : 0.0;
    for (int64_t k = dcpn_next_nonzero(columns, own, 0); k < columns; k = dcpn_next_nonzero(columns, own, k + 1)) {
        int64_t j = column ? column[k] : k, scaled = plan->repeated.column ? j : k;
        double x = add_up_copies(plan, own, &k);
        if (x == 0.0) continue;
        if (plan->scaled.A) x = dcpn_scaled_columns_one(&plan->scaled, problem_scaled(plan), scaled, x, &intercept);
        index[count] = j;
        value[count++] = x;
    }
    return plan->targets.middle + intercept;
}

int64_t dcpn_plan_count(const struct plan *plan, int64_t columns, const double *own)
{
    int64_t count = 0;
    if (!plan->repeated.column) return dcpn_count_nonzeros(columns, own);
    for (int64_t k = dcpn_next_nonzero(columns, own, 0); k < columns; k = dcpn_next_nonzero(columns, own, k + 1))
        count += add_up_copies(plan, own, &k) != 0.0;
    return count;
}
