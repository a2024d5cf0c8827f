/* SPDX-License-Identifier: BSD-3-Clause */
/* Stability selection (Meinshausen and Buhlmann 2010): the path down to the chosen lambda on subsamples of the rows,
 * and how often each feature is selected at any of its lambdas. With q the mean number of features so selected, at most
 *     q^2 / ((2 threshold - 1) p)
 * of those selected in at least a share `threshold` of the subsamples are wrong ones, in expectation (their theorem 1,
 * for the selection "at any of the lambdas"; its assumption is that wrong features are exchangeable, and it is meant
 * for subsamples of half the rows). Subsamples of half the rows come in B pairs without a row in common, by which (Shah
 * and Samworth 2013, theorem 2) no more than
 *     C q^2 / p,   C = 1 / (2 (2 tau - 1 - 1 / (2 B)))             for tau up to 3/4,
 *                  C = 4 (1 - tau + 1 / (2 B)) / (1 + 1 / B)       beyond,
 * are expected there of those that one half of the rows selects with a probability of at most q / p, the mean over all.
 * It assumes that the share of pairs of which both halves select such a feature has a distribution with one mode, and
 * neither exchangeable features nor that the selection is better than guessing. It needs q / p <= 1 / sqrt 3 and tau
 * above 1/2 + min(q^2 / p^2, 1 / (2 B) + 3/4 q^2 / p^2). Where a penalty has groups, it is groups, and features in
 * none, that are counted; a group is selected with any of its features. */
#include <math.h>
#include <string.h>

#include "base/threads.h"
#include "selection/cv.h"
#include "selection/folds.h"

static const uint64_t FIRST_STREAM = UINT64_C(1) << 32; /* of the journal: those of folds come before */
static const double DEFAULT_SHARE = 0.5, DEFAULT_THRESHOLD = 0.75;

struct sampling {
    dcpn_context *context;
    const struct subset_source *source; /* with the one path, cut at the chosen lambda */
    const double *strata;
    uint64_t seed;
    dcpn_stability *stability;
    struct mutex mutex;        /* for what follows */
    int64_t *times;            /* each feature was selected, and behind them each group */
    unsigned char *is_grouped; /* each feature */
    int64_t units;             /* features, or groups and features in none */
    int64_t selected, unconverged;
    int is_cut;
    dcpn_status status; /* the first failure */
};

void dcpn_stability_free(dcpn_context *context, dcpn_stability *stability)
{
    if (!stability) return;
    dcpn_free(context, stability->index);
    dcpn_free(context, stability->frequency);
    dcpn_free(context, stability->group_frequency);
    dcpn_free(context, stability);
}

static int has_converged(dcpn_outcome outcome)
{
    return outcome == DCPN_CONVERGED || outcome == DCPN_RELATIVE_CHANGE;
}

/* Is any feature of group g marked? */
static int has_marked(const dcpn_problem *p, int64_t g, const unsigned char *is_marked)
{
    int found = 0;
    for (int64_t k = p->groups.start[g]; k < p->groups.start[g + 1]; k++) found |= is_marked[p->groups.member[k]];
    return found;
}

/* Counts the features and groups that a fit has selected. All counts are whole numbers, so that their sums do not
 * depend on the order of the threads. */
static dcpn_status count_selected(struct sampling *s, const struct subset_fit *fit)
{
    const dcpn_path *path = &fit->paths->paths[0];
    int64_t features = s->source->like->features;
    unsigned char *is_selected = dcpn_allocate(fit->context, (size_t)features, 1);
    if (!is_selected) return DCPN_MEMORY;
    memset(is_selected, 0, (size_t)features);
    for (int64_t k = 0; k < path->count && k < s->stability->points; k++)
        for (int64_t i = 0; i < path->points[k].fit.nonzeros; i++)
            is_selected[path->index[path->points[k].first + i] % features] = 1;
    dcpn_mutex_lock(&s->mutex);
    for (int64_t j = 0; j < features; j++) {
        s->times[j] += is_selected[j];
        s->selected += is_selected[j] && !s->is_grouped[j];
    }
    for (int64_t g = 0; g < s->stability->groups; g++) {
        int is_there = has_marked(s->source->problem, g, is_selected);
        s->times[features + g] += is_there;
        s->selected += is_there;
    }
    for (int64_t k = 0; k < path->count; k++) s->unconverged += !has_converged(path->points[k].fit.outcome);
    s->is_cut |= path->end == DCPN_PATH_INTERRUPTED;
    dcpn_mutex_unlock(&s->mutex);
    dcpn_free(fit->context, is_selected);
    return DCPN_OK;
}

static void keep_failure(struct sampling *s, dcpn_status status, const dcpn_context *context, int64_t sample)
{
    dcpn_mutex_lock(&s->mutex);
    if (status == DCPN_CANCELLED) {
        s->is_cut = 1;
    } else if (s->status == DCPN_OK) {
        s->status = status;
        dcpn_fail(s->context, status, "subsample %lld: %s", (long long)sample + 1,
                  context ? dcpn_last_error(context) : "out of memory");
    }
    dcpn_mutex_unlock(&s->mutex);
}

/* Returns a seed for each subsample or pair, so that it does not matter which thread draws it. */
static uint64_t seed_of(const struct sampling *s, int64_t draw)
{
    return s->seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)draw + 1;
}

static int64_t draw(const struct sampling *s, int64_t sample, int64_t *order, int64_t *drawn)
{
    const struct row_place *place = s->source->exact;
    int64_t rows = s->source->problem->A->rows, count = 0;
    enum subsample_side side = s->stability->pairs && sample % 2 ? SUBSAMPLE_REST : SUBSAMPLE_DRAWN;
    uint64_t seed = seed_of(s, s->stability->pairs ? sample / 2 : sample);
    if (!place) return dcpn_draw_subsample(s->strata, rows, s->stability->share, seed, side, order, drawn);
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_is_row_drawn(seed, place->first + i, s->stability->share)) drawn[count++] = i;
    return count;
}

static dcpn_status fit_sample(struct sampling *s, int64_t sample, struct subset_fit *fit)
{
    int64_t rows = s->source->problem->A->rows;
    int64_t *order = dcpn_allocate(fit->context, (size_t)rows, sizeof *order);
    int64_t *drawn = dcpn_allocate(fit->context, (size_t)rows, sizeof *drawn);
    if (order && drawn) {
        int64_t count = draw(s, sample, order, drawn);
        const struct subset_rows rows_drawn = {drawn, count, sample, FIRST_STREAM + (uint64_t)sample};
        dcpn_subset_fit(s->source, &rows_drawn, NULL, NULL, fit);
    } else {
        fit->status = DCPN_MEMORY;
    }
    dcpn_free(fit->context, order);
    dcpn_free(fit->context, drawn);
    return fit->status = dcpn_ranks_end(fit->context, fit->status);
}

static void work_on_sample(struct sampling *s, int64_t sample)
{
    struct subset_fit fit;
    dcpn_subset_fit_new(s->source, &fit);
    dcpn_status status = fit.status == DCPN_OK ? fit_sample(s, sample, &fit) : fit.status;
    if (status == DCPN_OK) status = count_selected(s, &fit);
    if (status != DCPN_OK) keep_failure(s, status, fit.context, sample);
    dcpn_subset_fit_free(&fit);
}

static void work_on_samples(void *user, int64_t begin, int64_t end)
{
    for (int64_t sample = begin; sample < end; sample++) work_on_sample(user, sample);
}

static dcpn_status conclude_groups(struct sampling *s)
{
    dcpn_stability *made = s->stability;
    if (!made->groups) return DCPN_OK;
    made->group_frequency = dcpn_allocate(s->context, (size_t)made->groups, sizeof *made->group_frequency);
    if (!made->group_frequency) return DCPN_MEMORY;
    for (int64_t g = 0; g < made->groups; g++)
        made->group_frequency[g] = (double)s->times[s->source->like->features + g] / (double)made->subsamples;
    return DCPN_OK;
}

static double sharper_bound(const dcpn_stability *made, double units)
{
    double B = (double)made->pairs, q = made->mean_selected, theta = q / units;
    double tau = ceil(made->threshold * 2.0 * B - 1e-9) / (2.0 * B); /* shares are multiples of 1 / (2 B) */
    if (made->pairs == 0 || theta > 1.0 / sqrt(3.0)) return (double)NAN;
    if (!(tau > 0.5 + fmin(theta * theta, 0.5 / B + 0.75 * theta * theta)) || !(2.0 * tau - 1.0 > 0.5 / B))
        return (double)NAN;
    double C = tau > 0.75 ? 4.0 * (1.0 - tau + 0.5 / B) / (1.0 + 1.0 / B) : 0.5 / (2.0 * tau - 1.0 - 0.5 / B);
    return C * q * theta;
}

static dcpn_status conclude(struct sampling *s)
{
    dcpn_stability *made = s->stability;
    int64_t features = s->source->like->features;
    for (int64_t j = 0; j < features; j++) made->count += s->times[j] > 0;
    made->index = dcpn_allocate(s->context, (size_t)made->count, sizeof *made->index);
    made->frequency = dcpn_allocate(s->context, (size_t)made->count, sizeof *made->frequency);
    if (!made->index || !made->frequency) return DCPN_MEMORY;
    for (int64_t j = 0, k = 0; j < features; j++) {
        if (!s->times[j]) continue;
        made->index[k] = j;
        made->frequency[k++] = (double)s->times[j] / (double)made->subsamples;
    }
    made->mean_selected = (double)s->selected / (double)made->subsamples;
    made->unconverged = s->unconverged;
    double room = 2.0 * made->threshold - 1.0, q = made->mean_selected;
    made->bound = room > 0.0 ? q * q / room / (double)s->units : (double)NAN;
    made->sharper_bound = sharper_bound(made, (double)s->units);
    return conclude_groups(s);
}

static void find_units(struct sampling *s)
{
    const dcpn_problem *p = s->source->problem;
    int64_t features = s->source->like->features, groups = s->stability->groups;
    memset(s->is_grouped, 0, (size_t)features);
    for (int64_t k = 0; groups && k < p->groups.start[groups]; k++) s->is_grouped[p->groups.member[k]] = 1;
    s->units = groups;
    for (int64_t j = 0; j < features; j++) s->units += !s->is_grouped[j];
}

static dcpn_status draw_all(struct sampling *s)
{
    size_t features = (size_t)s->source->like->features, counts = features + (size_t)s->stability->groups;
    s->times = dcpn_allocate(s->context, counts, sizeof *s->times);
    s->is_grouped = dcpn_allocate(s->context, features, 1);
    dcpn_status status = s->times && s->is_grouped ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        memset(s->times, 0, counts * sizeof *s->times);
        find_units(s);
        dcpn_parallel_items(dcpn_has_ranks(s->context) ? NULL : s->context, s->stability->subsamples, work_on_samples,
                            s);
        status = s->status == DCPN_OK ? conclude(s) : s->status;
    }
    dcpn_free(s->context, s->times);
    dcpn_free(s->context, s->is_grouped);
    return status;
}

/* Finds the first point of a path with at least so many features, or its last one. */
static int64_t point_with(const dcpn_path *path, int64_t features)
{
    int64_t k = 0;
    while (k + 1 < path->count && path->points[k].fit.nonzeros < features) k++;
    return k;
}

/* A refitted model has no penalty, so that subsamples are fitted with one of the penalties instead: on the path with
 * the best point of all, at the first point with at least as many features as the model. */
static dcpn_cv_choice choice_among_penalties(const dcpn_cv *cv)
{
    dcpn_cv_choice best = {-1, -1, NAN, NAN};
    int64_t features = cv->paths->paths[cv->choice.chosen.path].points[cv->choice.chosen.point].fit.nonzeros;
    double turn = dcpn_cv_larger_is_better(cv) ? -1.0 : 1.0;
    for (int64_t v = 0; v < cv->paths->count; v++) {
        if (cv->paths->paths[v].kind == DCPN_PATH_BY_SIZE || cv->best[v] < 0) continue;
        int64_t at = (cv->first[v] + cv->best[v]) * DCPN_MEASURES + cv->measured.chooses;
        if (best.path >= 0 && !(turn * cv->mean[at] < turn * best.mean)) continue;
        best = (dcpn_cv_choice){v, point_with(&cv->paths->paths[v], features), cv->mean[at], cv->se[at]};
    }
    return best;
}

static dcpn_cv_choice choice_of(const dcpn_cv *cv)
{
    int is_by_size = cv->paths->paths[cv->choice.chosen.path].kind == DCPN_PATH_BY_SIZE;
    return is_by_size ? choice_among_penalties(cv) : cv->choice.chosen;
}

/* The subsamples are fitted down to a lambda with more than twice the features of the chosen one, since a penalty
 * that is not convex finds some of its models from below. Only points down to the chosen one count. */
int64_t dcpn_cv_stability_reach(const dcpn_cv *cv)
{
    const dcpn_cv_choice chosen = choice_of(cv);
    const dcpn_path *path = &cv->paths->paths[chosen.path];
    int64_t k = chosen.point, most = 2 * path->points[k].fit.nonzeros;
    while (k + 1 < path->count && path->points[k].fit.nonzeros <= most) k++;
    return k + 1;
}

dcpn_status dcpn_cv_stability(dcpn_cv *cv, const struct subset_source *source, const dcpn_cv_options *options,
                              const double *strata, int *is_cut)
{
    const dcpn_cv_choice chosen = choice_of(cv);
    dcpn_path path = cv->paths->paths[chosen.path];
    dcpn_paths like = *cv->paths;
    struct subset_source one = *source;
    int has_groups = strcmp(path.settings.grouping, "entry") != 0;
    struct sampling s = {.context = cv->context, .source = &one, .strata = strata, .seed = cv->draw.seed};
    path.count = dcpn_cv_stability_reach(cv);
    if (path.kind == DCPN_PATH_SEARCHED) path.kind = DCPN_PATH_AS_SET; /* by itself it is fitted and searched at once */
    like.count = 1;
    like.paths = &path;
    one.like = &like;
    s.stability = cv->stability = dcpn_allocate(cv->context, 1, sizeof *cv->stability);
    if (!cv->stability) return DCPN_MEMORY;
    *cv->stability = (dcpn_stability){.subsamples = options->subsamples,
                                      .share = options->share > 0.0 ? options->share : DEFAULT_SHARE,
                                      .threshold = options->threshold > 0.0 ? options->threshold : DEFAULT_THRESHOLD,
                                      .groups = has_groups ? source->problem->groups.count : 0,
                                      .path = chosen.path,
                                      .points = chosen.point + 1};
    int is_even = options->subsamples % 2 == 0 && cv->stability->share == 0.5;
    if (is_even && !source->exact) cv->stability->pairs = options->subsamples / 2;
    dcpn_mutex_init(&s.mutex);
    dcpn_status status = draw_all(&s);
    dcpn_mutex_destroy(&s.mutex);
    *is_cut = s.is_cut;
    return status;
}
