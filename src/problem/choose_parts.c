/* SPDX-License-Identifier: BSD-3-Clause */
/* Which parts a solver is made of: those that the settings name, the choice where they say auto, and the refusal, in a
 * sentence, of parts that do not go together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ranks.h"
#include "base/tuning.h"
#include "problem/parts.h"
#include "problem/shape_unit.h"
#include "problem/targets.h"
#include "settings/registry.h"

static int is_auto(const char *name)
{
    return strcmp(name, "auto") == 0;
}

double dcpn_loss_parameter(const dcpn_loss_ops *loss, const dcpn_settings *settings, int k)
{
    const char *name = loss ? loss->parameter : NULL;
    if (name && k > 0) name = strchr(name, ' ') ? strchr(name, ' ') + 1 : NULL;
    if (!name) return 0.0;
    size_t length = strcspn(name, " ");
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        int is_it = strncmp(setting->option, name, length) == 0 && !setting->option[length];
        if (setting->kind == DCPN_KIND_REAL && is_it)
            return *(const double *)(const void *)((const char *)settings + setting->offset);
    }
    return 0.0;
}

static int has_scores(const struct parts *parts)
{
    return parts->loss && parts->loss->shares;
}

static int has_responses(const dcpn_problem *problem)
{
    return problem && problem->responses.count > 1;
}

static int is_ordered(const struct parts *parts)
{
    return parts->loss && parts->loss->targets == DCPN_ORDERED_CLASSES;
}

static int is_coupled(const struct parts *parts)
{
    return parts->loss && parts->loss->product1;
}

/* Says why a loss that is no sum over rows cannot be combined with something; NULL: it can. */
static const char *coupled_refusal(const dcpn_problem *problem, const struct parts *parts)
{
    if (problem && (problem->survival.start || problem->survival.strata) && !is_coupled(parts))
        return "start times and strata belong to --loss cox; leave them out";
    if (is_ordered(parts) && parts->metric == &dcpn_metric_seeded_lbfgs)
        return "--metric seeded-lbfgs: its matrix has one constant; use hessian or lbfgs";
    if (is_coupled(parts) && parts->metric == &dcpn_metric_seeded_lbfgs)
        return "--metric seeded-lbfgs: its matrix is of a sum over rows; use hessian or lbfgs";
    return NULL;
}

static int is_by_row(const dcpn_settings *settings)
{
    return strcmp(settings->class_grouping, "row") == 0;
}

/* Says why groups of features cannot be combined with many classes or several responses; NULL: they can. */
static const char *groups_of_scores_refusal(const dcpn_problem *problem, const dcpn_settings *settings,
                                            const struct parts *parts)
{
    if (!problem || problem->groups.count == 0 || (!has_scores(parts) && !has_responses(problem))) return NULL;
    if (is_by_row(settings) && !parts->composition)
        return "--class-grouping row: with --grouping entry there are no groups that it could widen; leave out "
               "--groups";
    if (settings->orthonormal || (parts->composition && parts->composition->overlap == DCPN_OVERLAP_COPIED))
        return "--grouping latent and --orthonormal are not known to many classes and several responses; use norm, sum "
               "or sparse";
    return NULL;
}

/* Says why a loss with several scores a row cannot be combined with something; NULL: it can. */
static const char *scores_refusal(const dcpn_problem *problem, const dcpn_settings *settings, const struct parts *parts)
{
    if (problem && strcmp(settings->class_grouping, "entry") != 0 &&
        !has_scores(parts) && !has_responses(problem)) /* labels may choose the loss */
        return "--class-grouping: it belongs to --loss multinomial and to several responses; leave it out";
    if (!has_scores(parts)) return NULL;
    if (problem && problem->h) return "--loss multinomial: it needs a separable penalty, not an own h";
    if (parts->metric == &dcpn_metric_seeded_lbfgs)
        return "--metric seeded-lbfgs: its matrix has one score a row; use hessian or lbfgs";
    return NULL;
}

/* Says why several responses cannot be combined with something; NULL: they can. */
static const char *responses_refusal(const dcpn_problem *problem, const dcpn_settings *settings,
                                     const struct parts *parts)
{
    if (!has_responses(problem)) return NULL;
    if (!parts->loss || parts->loss->targets != DCPN_NUMBERS || parts->loss->product1)
        return "several responses: they need a loss of numbers; use --loss squared, huber or poisson";
    if (parts->loss->flat_far_out && settings->intercept)
        return "several responses: this loss starts at the median of one response; use --loss squared or huber, or "
               "leave out --intercept";
    if (problem->h) return "several responses: they need a separable penalty, not an own h";
    if (dcpn_sums_are_exact(problem->context, settings))
        return "several responses: --sums exact, which ranks need, is not known to them; fit one at a time";
    if (parts->metric == &dcpn_metric_seeded_lbfgs)
        return "--metric seeded-lbfgs: its matrix has one score a row; use hessian or lbfgs";
    return NULL;
}

static struct loss loss_of(const struct parts *parts, const dcpn_settings *settings)
{
    return (struct loss){
        .rows = {.ops = parts->loss,
                 .parameter = dcpn_loss_parameter(parts->loss, settings, 0),
                 .second = dcpn_loss_parameter(parts->loss, settings, 1),
                 .user = parts->loss_user},
        .unlabelled = {.ops = parts->unlabelled, .parameter = dcpn_loss_parameter(parts->unlabelled, settings, 0)},
        .own = parts->f,
    };
}

static int is_hessian(const struct metric_ops *metric)
{
    return metric == &dcpn_metric_hessian || metric == &dcpn_metric_shared_hessian ||
           metric == &dcpn_metric_coupled_hessian || metric == &dcpn_metric_gram_hessian;
}

/* Are there blocks within blocks, so that h1 is no sum over blocks? */
static int is_nested(const struct composition *composition)
{
    return composition && composition->overlap == DCPN_OVERLAP_NESTED;
}

static int has_pairs(const struct metric_ops *metric)
{
    return metric == &dcpn_metric_lbfgs || metric == &dcpn_metric_seeded_lbfgs;
}

/* Asked for by name, lbfgs is the paper's: few pairs, and all columns. */
static int is_papers(const dcpn_settings *settings)
{
    return strcmp(settings->metric, dcpn_metric_lbfgs.name) == 0;
}

/* Large dense data with more rows than columns: a sweep of coordinate descent on the Hessian costs as much as a product
 * with A, and most columns stay in use. */
static int is_large_tall_and_dense(const dcpn_problem *problem)
{
    if (!problem || !problem->A) return 0;
    double rows = dcpn_problem_counted_rows(problem), columns = (double)dcpn_matrix_columns(problem->A);
    double entries = dcpn_problem_counted_entries(problem);
    return rows >= columns && entries >= AUTO_LARGE && entries >= 0.5 * rows * columns;
}

static const struct metric_ops *choose_metric(const dcpn_problem *problem, const struct loss *loss,
                                              const struct metric_settings *settings)
{
    const struct metric_ops *first = is_large_tall_and_dense(problem) && !settings->majorize &&
                                             !dcpn_loss_has_scores(loss) && !dcpn_loss_is_coupled(loss) &&
                                             loss->rows.ops != &dcpn_loss_ordinal && !has_responses(problem)
                                         ? &dcpn_metric_seeded_lbfgs
                                         : &dcpn_metric_hessian;
    return first->refusal(loss, settings) && !settings->majorize ? &dcpn_metric_lbfgs : first;
}

static const struct subsolver_ops *choose_subsolver(const struct metric_ops *metric, const struct loss *loss,
                                                    int separable)
{
    const struct subsolver_ops *first = &dcpn_subsolver_coordinate_descent;
    return first->refusal(metric, loss, separable) ? &dcpn_subsolver_fista : first;
}

/* Takes coordinate descent by blocks in place of that by coordinates if h1 is a sum over blocks. */
static const struct subsolver_ops *by_blocks(const struct subsolver_ops *subsolver,
                                             const struct composition *composition)
{
    int are_blocks = composition && !composition->separable_h1;
    return are_blocks && subsolver == &dcpn_subsolver_coordinate_descent ? &dcpn_subsolver_block_descent : subsolver;
}

/* The penalty of coefficients besides that of their groups. NULL: there is none, or it is the sum of their sizes, which
 * needs no table. */
static const dcpn_penalty_ops *find_inner(const struct parts *parts, const dcpn_settings *settings)
{
    const dcpn_penalty_ops *inner =
        is_auto(settings->inner_penalty) ? NULL : dcpn_find_penalty(settings->inner_penalty);
    if (!parts->composition || !parts->composition->takes_inner) return NULL;
    return inner && inner->convex && parts->composition->separable_h1 ? NULL : inner;
}

/* Are all numbers 0 or infinite? */
static int is_at_0(const double *bounds, int64_t count)
{
    for (int64_t j = 0; bounds && j < count; j++)
        if (bounds[j] != 0.0 && isfinite(bounds[j])) return 0;
    return 1;
}

/* Says why groups cannot have the bounds of the problem; NULL: they can. */
static const char *boxed_refusal(const dcpn_problem *problem, const dcpn_settings *settings,
                                 const struct composition *composition)
{
    int64_t features = dcpn_problem_features(problem);
    if (settings->orthonormal)
        return "--orthonormal: it turns the coefficients of a group, and bounds would be of what it turns them to; "
               "leave out the bounds, or --orthonormal";
    if (composition->box == DCPN_BOX_REFUSED)
        return "--grouping: within bounds the prox of latent and tree is not known; leave out the bounds, or use "
               "--grouping norm or sum";
    if (composition->box == DCPN_BOX_CONE && !(is_at_0(problem->lower, features) && is_at_0(problem->upper, features)))
        return "--grouping: within bounds other than 0 the prox of the norm of a group is not known; use "
               "--nonnegative, or --grouping sum or entry";
    return NULL;
}

static const char *grouping_refusal(const dcpn_problem *problem, const dcpn_settings *settings,
                                    const struct parts *parts)
{
    const struct composition *composition = parts->composition;
    const dcpn_penalty_ops *a = parts->penalty, *b = parts->inner;
    if (problem && !is_auto(settings->inner_penalty) && (!composition || !composition->takes_inner))
        return "--inner-penalty: it belongs to --groups with --grouping sum or sparse; leave it out";
    if (b && a != b && dcpn_same_shape(a, b) && !a->to_raw != !b->to_raw)
        return "--inner-penalty: both penalties read theta, one in units of the problem and one as it is; choose "
               "another, or the same for both";
    if (composition && composition->overlap == DCPN_OVERLAP_COPIED && settings->ridge > 0.0)
        return "--grouping latent: --ridge would be that of copies of features; leave it out, or use --grouping sum";
    if (settings->orthonormal && problem && (composition != &dcpn_composition_norm || problem->groups.count == 0))
        return "--orthonormal: it belongs to --groups with --grouping norm; leave it out, or use --standardize";
    if (settings->orthonormal && problem && !problem->A) return "--orthonormal: it needs a matrix; your own f has none";
    if (composition && composition->overlap == DCPN_OVERLAP_COPIED && problem && !problem->A)
        return "--grouping latent: it repeats columns of a matrix; your own f has none";
    return composition && (problem->lower || problem->upper) ? boxed_refusal(problem, settings, composition) : NULL;
}

static void find_parts(const dcpn_problem *problem, const dcpn_settings *settings, struct parts *parts)
{
    *parts = (struct parts){
        .loss = dcpn_find_loss(settings->loss),
        .penalty = dcpn_find_penalty(settings->penalty),
        .metric = dcpn_find_metric(settings->metric),
        .subsolver = dcpn_find_subsolver(settings->subsolver),
        .algorithm = dcpn_find_algorithm(settings->algorithm),
    };
    if (!problem) return;
    if (problem->loss) parts->loss = problem->loss;
    parts->loss_user = problem->users.loss;
    if (problem->penalty) parts->penalty = problem->penalty;
    parts->h = problem->h;
    parts->f = problem->f;
    if (problem->groups.count > 0) parts->composition = dcpn_find_composition(settings->grouping);
    if (parts->composition == &dcpn_composition_entry) parts->composition = NULL;
    parts->inner = find_inner(parts, settings);
    if ((has_scores(parts) || has_responses(problem)) && is_by_row(settings) && problem->groups.count == 0)
        parts->composition = &dcpn_composition_norm;
    if (parts->f) parts->loss = NULL;
    if (parts->loss && parts->loss->targets == DCPN_CLASSES && (problem->unlabelled || problem->zero_is_no_label))
        parts->unlabelled = dcpn_find_unlabelled_loss(settings->unlabelled_loss);
    parts->balance = parts->unlabelled && settings->balance > 0.0;
    if (parts->h) parts->penalty = NULL;
}

/* Says why the caller's own f or h cannot be combined with something; NULL: it can. */
static const char *own_refusal(const dcpn_problem *problem, const dcpn_settings *settings)
{
    if (problem->h && problem->factors) return "penalty factors need a separable penalty; put them into your own h";
    if (problem->h && (problem->lower || problem->upper))
        return "bounds need a separable penalty; put them into your own h";
    if (problem->h && problem->groups.count) return "groups need a penalty of --penalty; put them into your own h";
    if (problem->f && settings->intercept) return "an intercept needs a matrix; your own f has none";
    if (problem->f && settings->standardize) return "--standardize needs a matrix; your own f has none";
    if (problem->f && strcmp(settings->scale, "mean") == 0) return "--scale mean needs a matrix; scale your own f";
    return NULL;
}

/* Combines a method that has a metric of its own, which leaves no metric and no subsolver to choose. */
static dcpn_status combine_without_metric(dcpn_context *context, const dcpn_settings *settings, struct parts *parts)
{
    const char *option = !is_auto(settings->metric) ? "metric" : !is_auto(settings->subsolver) ? "subsolver" : NULL;
    if (settings->majorize) option = "majorize";
    if (option)
        return dcpn_fail(context, DCPN_USAGE,
                         "--algorithm %s: its metric is %s and its direction a prox, so --%s has no "
                         "place; leave it out",
                         parts->algorithm->name, parts->algorithm->assumes.H, option);
    parts->metric = NULL;
    parts->subsolver = NULL;
    return DCPN_OK;
}

static dcpn_status combine_metric(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                  struct parts *parts)
{
    struct loss loss = loss_of(parts, settings);
    struct metric_settings rules = {.majorize = settings->majorize};
    int separable = parts->h == NULL && !is_nested(parts->composition); /* or blocks of it */
    const char *sentence;
    parts->memory = settings->memory > 0 ? settings->memory : is_papers(settings) ? PAPERS_MEMORY : AUTO_MEMORY;
    if (parts->is_exact)
        parts->metric = &dcpn_metric_gram_hessian;
    else if (is_auto(settings->metric))
        parts->metric = choose_metric(problem, &loss, &rules);
    sentence = parts->metric->refusal(&loss, &rules);
    if (sentence) return dcpn_fail(context, DCPN_USAGE, "--metric %s: %s", parts->metric->name, sentence);

    if (is_auto(settings->subsolver)) parts->subsolver = choose_subsolver(parts->metric, &loss, separable);
    sentence = parts->subsolver->refusal ? parts->subsolver->refusal(parts->metric, &loss, separable) : NULL;
    if (sentence) return dcpn_fail(context, DCPN_USAGE, "--subsolver %s: %s", parts->subsolver->name, sentence);
    parts->subsolver = by_blocks(parts->subsolver, parts->composition);
    if (has_scores(parts) && parts->metric == &dcpn_metric_hessian && !settings->majorize && !parts->is_exact)
        parts->metric = &dcpn_metric_shared_hessian;
    if (is_coupled(parts) && parts->metric == &dcpn_metric_hessian) parts->metric = &dcpn_metric_coupled_hessian;
    return DCPN_OK;
}

/* Is an active set worth it? */
static int pays(const dcpn_problem *problem, const dcpn_settings *settings, const struct parts *parts)
{
    if (is_hessian(parts->metric)) return 1;
    return has_pairs(parts->metric) && !is_papers(settings) && is_large_tall_and_dense(problem);
}

/* Settles whether there is an active set. It needs a matrix, of which columns can be left out, and a separable penalty,
 * which lets them stay 0. */
static dcpn_status combine_active_set(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                      struct parts *parts)
{
    int possible = !parts->h && !parts->f, on = strcmp(settings->active_set, "on") == 0;
    if (on && !possible)
        return dcpn_fail(context, DCPN_USAGE,
                         "--active-set on: it needs a matrix and a separable penalty; leave it out");
    parts->active_set = on || (is_auto(settings->active_set) && possible && pays(problem, settings, parts));
    return DCPN_OK;
}

static int by_relative_change(const dcpn_settings *settings)
{
    return strcmp(settings->stop, "relative-change") == 0;
}

static const char *search_refusal(const dcpn_problem *problem, const struct parts *parts, const struct loss *loss,
                                  const struct penalty *penalty, const dcpn_settings *settings)
{
    if (parts->f || !(dcpn_loss_curvature1_sup(loss) > 0.0)) return "it needs a loss whose curvature is bounded";
    if (has_scores(parts)) return "it moves single coefficients, and the scores of a row share a loss";
    if (has_responses(problem)) return "it is not known to several responses";
    int is_known = !parts->h && (dcpn_penalty_has_prox(penalty) ||
                                 (parts->composition && parts->penalty->prox && !dcpn_penalty_bounded(penalty)));
    if (parts->h || !is_known) return "it needs a separable penalty and the prox of the whole of it";
    if (by_relative_change(settings)) return "it compares stationary points, so --stop stationarity is needed";
    return NULL;
}

static const char *const search_names[] = {[DCPN_SEARCH_OFF] = "off",
                                           [DCPN_SEARCH_PATH] = "path",
                                           [DCPN_SEARCH_PATH_THEN_DROP] = "path-then-drop",
                                           [DCPN_SEARCH_PATH_AND_DROP] = "path+drop"};

static enum search_kind find_search(const char *name)
{
    int kind = DCPN_SEARCH_OFF;
    while (strcmp(search_names[kind], name) != 0) kind++;
    return (enum search_kind)kind;
}

/* Says why sums over rows cannot be exact, on one process or on ranks; NULL: they can. */
static const char *exact_refusal(const dcpn_problem *problem, const dcpn_settings *settings, const struct parts *parts)
{
    const char *metric = settings->metric;
    if (parts->f) return "your own f has no rows; leave it out";
    if (parts->h) return "it needs a separable penalty, not an own h";
    if (parts->unlabelled) return "rows without a label are not known to it; leave them out";
    if (is_coupled(parts)) return "--loss cox is no sum over rows; use another one";
    if (is_ordered(parts)) return "--loss ordinal is not known to it; use multinomial, which does not see the order";
    if (problem && problem->offset_columns > 1) return "offsets of each class are not known to it; leave them out";
    if (has_scores(parts) && settings->majorize) return "--majorize with --loss multinomial is not known to it";
    if (parts->loss && parts->loss->flat_far_out && settings->intercept && parts->loss->targets == DCPN_NUMBERS)
        return "this loss starts at the median of the labels, which is not known to it; leave out --intercept";
    if (settings->orthonormal) return "--orthonormal is not known to it; use --standardize";
    if (parts->composition && parts->composition->overlap == DCPN_OVERLAP_COPIED)
        return "--grouping latent is not known to it; use sum or norm";
    if (problem && !problem->A) return "it needs a matrix";
    if (parts->algorithm != &dcpn_algorithm_dcpn && parts->algorithm != &dcpn_algorithm_proximal_newton)
        return "--algorithm dcpn and proximal-newton are known to it";
    if (!is_auto(metric) && strcmp(metric, dcpn_metric_hessian.name) != 0)
        return "--metric hessian alone is known to it";
    int is_tree = is_nested(parts->composition);
    if (!is_tree && !is_auto(settings->subsolver) &&
        strcmp(settings->subsolver, dcpn_subsolver_coordinate_descent.name) != 0)
        return "--subsolver coordinate-descent alone is known to it";
    if (strcmp(settings->active_set, "off") == 0)
        return "it works on the columns that matter; leave out --active-set off";
    if (!settings->gram) return "it sweeps in the matrix of the columns in use; leave out --no-gram";
    return NULL;
}

static int64_t columns_with_entries(const dcpn_matrix *A)
{
    int64_t count = 0;
    for (int64_t j = 0; j < A->columns; j++) count += A->ops->column_entries(A, j) > 0;
    return count;
}

/* Chooses the search. With many rows for each feature, fewer features at a lower F predict as well; with fewer rows,
 * leaving features out costs accuracy. For two classes on small data with more rows than features, the lowest F
 * predicts best. */
enum search_kind dcpn_usual_search(const struct parts *parts, double rows, double columns)
{
    int has_classes = parts->loss && parts->loss->targets == DCPN_CLASSES && !parts->unlabelled;
    int by_hessian = parts->metric == &dcpn_metric_hessian || parts->metric == &dcpn_metric_gram_hessian;
    if (has_classes && by_hessian && rows * columns <= AUTO_FEW_NUMBERS && columns < rows)
        return DCPN_SEARCH_PATH_AND_DROP;
    return floor(rows / AUTO_MANY_ROWS) >= columns ? DCPN_SEARCH_PATH_THEN_DROP : DCPN_SEARCH_PATH;
}

/* Where sums are exact the search is chosen when the rows of all ranks are known. */
static enum search_kind choose_search(const dcpn_problem *problem, struct parts *parts)
{
    parts->chooses_search = parts->is_exact;
    if (parts->is_exact || !problem || !problem->A) return DCPN_SEARCH_PATH;
    return dcpn_usual_search(parts, dcpn_problem_counted_rows(problem), (double)columns_with_entries(problem->A));
}

/* A convex penalty has no basins to search. Where unlabelled rows weigh more than labelled ones, the start for them
 * says where to go (anneal.c). */
static dcpn_status combine_search(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                  const struct loss *loss, const struct penalty *penalty, struct parts *parts)
{
    int wanted = strcmp(settings->global, "off") != 0, asked = wanted && !is_auto(settings->global);
    const char *sentence = wanted ? search_refusal(problem, parts, loss, penalty, settings) : NULL;
    parts->search = DCPN_SEARCH_OFF;
    if (sentence && asked) return dcpn_fail(context, DCPN_USAGE, "--global %s: %s", settings->global, sentence);
    if (sentence || !dcpn_penalty_has_h2(penalty)) return DCPN_OK;
    if (parts->unlabelled && !asked && !dcpn_unlabelled_weigh_at_most(1.0, problem, settings)) return DCPN_OK;
    if (asked || (wanted && parts->algorithm == &dcpn_algorithm_dcpn && !settings->majorize))
        parts->search = asked ? find_search(settings->global) : choose_search(problem, parts);
    return DCPN_OK;
}

int dcpn_sums_are_exact(const dcpn_context *context, const dcpn_settings *settings)
{
    return strcmp(settings->sums, "exact") == 0 || dcpn_has_ranks(context);
}

dcpn_status dcpn_choose_parts(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                              struct parts *parts)
{
    find_parts(problem, settings, parts);
    struct loss loss = loss_of(parts, settings);
    struct penalty penalty = {
        .ops = parts->penalty, .own = parts->h, .composition = parts->composition, .inner = parts->inner};
    if (problem) penalty.given.lower = problem->lower;
    if (problem) penalty.given.upper = problem->upper;
    const char *sentence = problem ? own_refusal(problem, settings) : NULL;
    if (!sentence) sentence = scores_refusal(problem, settings, parts);
    if (!sentence) sentence = responses_refusal(problem, settings, parts);
    if (!sentence) sentence = groups_of_scores_refusal(problem, settings, parts);
    if (!sentence) sentence = coupled_refusal(problem, parts);
    if (!sentence) sentence = grouping_refusal(problem, settings, parts);
    if (sentence) return dcpn_fail(context, DCPN_USAGE, "%s", sentence);
    parts->is_exact = dcpn_sums_are_exact(context, settings);
    sentence = parts->is_exact ? exact_refusal(problem, settings, parts) : NULL;
    if (sentence) return dcpn_fail(context, DCPN_USAGE, "--sums exact, which ranks need: %s", sentence);
    sentence = dcpn_algorithm_refusal(parts->algorithm, &loss, &penalty);
    if (sentence) return dcpn_fail(context, DCPN_USAGE, "--algorithm %s: %s", parts->algorithm->name, sentence);
    if (parts->algorithm->uses_metric)
        DCPN_TRY(combine_metric(context, problem, settings, parts));
    else
        DCPN_TRY(combine_without_metric(context, settings, parts));
    DCPN_TRY(combine_active_set(context, problem, settings, parts));
    return combine_search(context, problem, settings, &loss, &penalty, parts);
}

void dcpn_log_parts(dcpn_context *context, const struct parts *parts)
{
    char pairs[32] = "";
    if (has_pairs(parts->metric)) snprintf(pairs, sizeof pairs, " --memory %lld", (long long)parts->memory);
    dcpn_log(context, DCPN_LOG_DETAIL,
             "chosen: --algorithm %s --metric %s%s --subsolver %s --active-set %s --global %s", parts->algorithm->name,
             parts->metric ? parts->metric->name : parts->algorithm->assumes.H, pairs,
             parts->subsolver ? parts->subsolver->name : "prox", parts->active_set ? "on" : "off",
             search_names[parts->search]);
}

dcpn_status dcpn_combination_check(dcpn_context *context, const dcpn_settings *settings)
{
    struct parts parts;
    DCPN_NEED(context, context, settings);
    DCPN_TRY(dcpn_settings_check(context, settings));
    return dcpn_choose_parts(context, NULL, settings, &parts);
}
