/* SPDX-License-Identifier: BSD-3-Clause */
/* Knockoffs: copies, fits that see features and copies, and the features that beat their copies by enough. */
#include "dcpn/inference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "inference/copies.h"
#include "inference/importance.h"
#include "problem/targets.h"

struct work {
    dcpn_context *context;
    const dcpn_problem *problem;
    dcpn_problem seen; /* the problem with the labels that the fits have */
    dcpn_settings settings;
    struct {
        int is_fixed, by_entry, is_equal;
    } is;
    dcpn_knockoffs *made;
    struct standard_columns X;
    struct law law;
    double *values; /* features and copies */
    double *y;      /* of fixed features: centred, with those of rows that were added */
};

/* ---- what is asked ---- */

static dcpn_status pick(dcpn_context *context, const char *what, const char *found, const char *const *words,
                        int *which)
{
    for (*which = 0; *which < 2; ++*which)
        if (!found || strcmp(found, words[*which]) == 0) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "%s: found '%s', expected %s or %s", what, found, words[0], words[1]);
}

static const char *const KINDS[] = {"gaussian", "fixed"}, *const STATISTICS[] = {"coefficient", "entry"},
                         *const DISTANCES[] = {"mvr", "equal"};

/* Several copies let a threshold be reached by fewer features than 1 / fdr, but are closer to what they copy. */
static int64_t usual_copies(double fdr)
{
    return fdr < KNOCKOFF_FEW_COPIES_FROM ? KNOCKOFF_COPIES : 1;
}

/* The rate that each draw keeps to. */
static double rate_of_a_draw(const dcpn_knockoffs *k)
{
    return k->draws > 1 ? KNOCKOFF_SHARE * k->fdr : k->fdr;
}

static dcpn_status check_options(dcpn_context *context, const dcpn_knockoff_options *o, struct work *work)
{
    dcpn_knockoffs *k = work->made;
    DCPN_TRY(pick(context, "knockoffs", o->kind, KINDS, &work->is.is_fixed));
    DCPN_TRY(pick(context, "statistic", o->statistic, STATISTICS, &work->is.by_entry));
    DCPN_TRY(pick(context, "distance", o->distance, DISTANCES, &work->is.is_equal));
    k->kind = KINDS[work->is.is_fixed];
    k->statistic = STATISTICS[work->is.by_entry];
    k->distance = DISTANCES[work->is.is_equal];
    k->fdr = o->fdr == 0.0 ? KNOCKOFF_FDR : o->fdr;
    if (!(k->fdr > 0.0 && k->fdr < 1.0))
        return dcpn_fail(context, DCPN_USAGE, "fdr: found %g, expected a rate above 0 and below 1", o->fdr);
    if (o->copies < 0 || o->copies > KNOCKOFF_MOST_COPIES)
        return dcpn_fail(context, DCPN_USAGE, "copies: found %lld, expected from 1 to %d", (long long)o->copies,
                         KNOCKOFF_MOST_COPIES);
    if (o->draws < 0 || o->draws > KNOCKOFF_MOST_DRAWS)
        return dcpn_fail(context, DCPN_USAGE, "draws: found %lld, expected from 1 to %d", (long long)o->draws,
                         KNOCKOFF_MOST_DRAWS);
    k->draws = o->draws ? o->draws : KNOCKOFF_DRAWS;
    k->copies = o->copies ? o->copies : usual_copies(rate_of_a_draw(k));
    k->is_lenient = o->is_lenient;
    k->seed = o->seed;
    return DCPN_OK;
}

/* Rows of zeros that fixed features need beside their own. Where rows are too few to know the noise that goes with them
 * one copy is made, unless the caller says how many, and one draw of it: half the rate is out of reach then. */
static dcpn_status count_extra_rows(const dcpn_matrix *A, const dcpn_knockoff_options *o, int may_add,
                                    struct work *work, int64_t *extra)
{
    int64_t p = A->columns, n = A->rows;
    *extra = 0;
    if (!work->is.is_fixed) return DCPN_OK;
    if (!o->copies && n < 2 * p && n < (work->made->copies + 1) * p + 1) {
        work->made->copies = 1;
        if (!o->draws) work->made->draws = 1;
    }
    int64_t wanted = (work->made->copies + 1) * p + 1, least = may_add ? p + 2 : wanted;
    if (n < least)
        return dcpn_fail(work->context, DCPN_DATA,
                         "knockoffs: found %lld rows of %lld features, expected at least %lld where the features are "
                         "fixed; gaussian copies need no number of rows",
                         (long long)n, (long long)p, (long long)least);
    if (n < wanted) *extra = wanted - n;
    return DCPN_OK;
}

static dcpn_status check_size(dcpn_context *context, const dcpn_matrix *A, int64_t versions)
{
    if (A->columns > KNOCKOFF_MOST_FEATURES)
        return dcpn_fail(context, DCPN_MEMORY,
                         "knockoffs: found %lld features, expected at most %d: copies are dense, and their law has a "
                         "number for each pair of features; leave out features that cannot matter",
                         (long long)A->columns, KNOCKOFF_MOST_FEATURES);
    if (A->columns < 1 || A->rows < 3)
        return dcpn_fail(context, DCPN_DATA,
                         "knockoffs: found %lld rows of %lld features, expected at least 3 rows of 1",
                         (long long)A->rows, (long long)A->columns);
    double numbers = 4.0 * (double)A->columns * (double)A->columns +
                     3.0 * (double)versions * (double)A->columns * (double)A->rows;
    if (numbers * sizeof(double) > (double)INT64_MAX) return dcpn_memory_check(context, SIZE_MAX);
    return dcpn_memory_for(context, dcpn_memory_check(context, (size_t)numbers * sizeof(double)), "knockoffs");
}

static dcpn_status refuse(dcpn_context *context, const char *what)
{
    return dcpn_fail(context, DCPN_USAGE, "knockoffs: found %s, expected none: copies have no answer to that", what);
}

static dcpn_status check_problem(dcpn_context *context, const dcpn_problem *problem, const struct work *work)
{
    if (!problem->A) return dcpn_fail(context, DCPN_USAGE, "knockoffs need a matrix of features; your own f has none");
    if (dcpn_has_ranks(context)) return refuse(context, "several ranks");
    if (problem->groups.count) return refuse(context, "groups");
    if (problem->h) return refuse(context, "a regularizer of your own");
    if (problem->lower || problem->upper) return refuse(context, "bounds");
    if (problem->factors) return refuse(context, "penalty factors");
    for (int64_t i = 0; i < problem->A->rows; i++)
        if (!dcpn_has_label(problem, i) && strcmp(work->settings.loss, "cox") != 0)
            return refuse(context, "rows without a label");
    if (!work->is.is_fixed) return DCPN_OK;
    if (problem->loss || strcmp(work->settings.loss, "squared") != 0)
        return dcpn_fail(context, DCPN_USAGE,
                         "knockoffs: found the loss %s with fixed features, expected squared; gaussian copies go with "
                         "any loss",
                         problem->loss ? problem->loss->name : work->settings.loss);
    if (problem->weights) return refuse(context, "row weights with fixed features");
    return problem->offset ? refuse(context, "an offset with fixed features") : DCPN_OK;
}

/* ---- labels of fixed features ---- */

/* The residual deviation of least squares on all features: r = y - X R^-1 X'y / n. */
static double residual_deviation(const struct work *work, double *r)
{
    const struct standard_columns *X = &work->X;
    double n = (double)X->given, *products = r + X->rows;
    for (int64_t j = 0; j < X->count; j++) products[j] = dcpn_dot(X->rows, dcpn_standard_column(X, j), work->y) / n;
    dcpn_copy(X->rows, work->y, r);
    for (int64_t j = 0; j < X->count; j++)
        dcpn_axpy(X->rows, -dcpn_dot(X->count, work->law.inverse + j * work->law.size, products),
                  dcpn_standard_column(X, j), r);
    return dcpn_norm2(X->rows, r) / sqrt(n - (double)X->count - 1.0);
}

/* Centres the labels; rows that were added get those of noise. */
static dcpn_status take_labels(struct work *work)
{
    const struct standard_columns *X = &work->X;
    double mean = 0.0;
    struct rng rng;
    work->y = dcpn_allocate(work->context, (size_t)X->rows, sizeof *work->y);
    double *space = dcpn_allocate(work->context, (size_t)(X->rows + X->count) + 1, sizeof *space);
    if (work->y && space) {
        for (int64_t i = 0; i < X->given; i++) mean += work->problem->y[i] / (double)X->given;
        for (int64_t i = 0; i < X->rows; i++) work->y[i] = i < X->given ? work->problem->y[i] - mean : 0.0;
        double deviation = residual_deviation(work, space);
        dcpn_rng_seed(&rng, work->made->seed ^ UINT64_C(0x726f7773));
        for (int64_t i = X->given; i < X->rows; i++) work->y[i] = deviation * dcpn_rng_normal(&rng);
    }
    dcpn_free(work->context, space);
    if (!work->y || !space) return DCPN_MEMORY;
    work->seen.y = work->y;
    work->seen.unlabelled = 0;
    work->seen.zero_is_no_label = 0;
    return DCPN_OK;
}

/* ---- the work ---- */

/* Makes the law of the copies, and room for them behind the features. */
static dcpn_status make_law(const dcpn_matrix *A, int64_t extra, struct work *work)
{
    dcpn_knockoff_law *law = &work->made->law;
    int64_t versions = work->made->copies + 1;
    DCPN_TRY(check_size(work->context, A, versions));
    DCPN_TRY(dcpn_standard_columns_new(work->context, A, extra, &work->X));
    law->constant = A->columns - work->X.count;
    law->extra_rows = extra;
    if (work->X.count == 0)
        return dcpn_fail(work->context, DCPN_DATA, "knockoffs: no feature varies, expected some that do");
    DCPN_TRY(dcpn_law_new(&work->X, versions - 1, !work->is.is_fixed, work->is.is_equal, &work->law));
    law->shrinkage = work->law.shrinkage;
    for (int64_t j = 0; j < work->X.count; j++) law->correlation += (1.0 - work->law.s[j]) / (double)work->X.count;
    size_t numbers = (size_t)(work->X.rows * work->X.count);
    work->values = dcpn_allocate(work->context, (size_t)versions, numbers * sizeof *work->values);
    if (!work->values) return DCPN_MEMORY;
    memcpy(work->values, work->X.values, numbers * sizeof *work->values);
    return DCPN_OK;
}

static dcpn_status draw_copies(struct work *work, uint64_t seed)
{
    double *copies = work->values + work->X.rows * work->X.count;
    return dcpn_copies_draw(&work->X, &work->law, work->is.is_fixed, seed, copies);
}

/* By how much the feature beats its copies: what it has beyond the middle of the others', if it has the most; else
 * less than 0, by what the best copy has beyond. */
static double win_of(const double *of, int64_t count, int64_t versions)
{
    double others[KNOCKOFF_MOST_COPIES + 1] = {0};
    int64_t best = 0, used = 0;
    for (int64_t v = 1; v < versions; v++)
        if (of[count * v] > of[count * best]) best = v;
    for (int64_t v = 0; v < versions; v++) {
        if (v == best) continue;
        int64_t at = used++;
        for (; at > 0 && others[at - 1] > of[count * v]; at--) others[at] = others[at - 1];
        others[at] = of[count * v];
    }
    double middle = 0.5 * (others[(used - 1) / 2] + others[used / 2]), win = of[count * best] - middle;
    return best == 0 ? win : -win;
}

static dcpn_status make_room(dcpn_knockoffs *k)
{
    size_t features = (size_t)k->features;
    k->win = dcpn_allocate(k->context, features, sizeof *k->win);
    k->frequency = dcpn_allocate(k->context, features, sizeof *k->frequency);
    k->evidence = dcpn_allocate(k->context, features, sizeof *k->evidence);
    k->index = dcpn_allocate(k->context, features, sizeof *k->index);
    if (!k->win || !k->frequency || !k->evidence || !k->index) return DCPN_MEMORY;
    dcpn_fill(k->features, 0.0, k->win);
    dcpn_fill(k->features, 0.0, k->frequency);
    dcpn_fill(k->features, 0.0, k->evidence);
    return DCPN_OK;
}

/* Adds what one draw says: win has a number for each feature. */
static void add_draw(dcpn_knockoffs *k, const double *win)
{
    double draws = (double)k->draws, losers = k->is_lenient ? 0.0 : 1.0,
           t = dcpn_knockoff_threshold(win, k->features, k->copies, rate_of_a_draw(k), k->is_lenient);
    for (int64_t j = 0; j < k->features; j++) losers += win[j] <= -t;
    double wrong = fmax(losers, 0.5) / (double)k->copies; /* lenient: that of none is not 0 */
    for (int64_t j = 0; j < k->features; j++) {
        k->win[j] += win[j] / draws;
        if (!(win[j] >= t)) continue;
        k->frequency[j] += 1.0 / draws;
        k->evidence[j] += 1.0 / wrong / draws;
    }
    if (k->draws == 1) k->threshold = t;
}

static int falling(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The least evidence of the largest set of m features that all have at least 1 / (fdr m) (Wang and Ramdas 2022). */
static double evidence_wanted(const dcpn_knockoffs *k, double *sorted)
{
    double wanted = INFINITY;
    dcpn_copy(k->features, k->evidence, sorted);
    qsort(sorted, (size_t)k->features, sizeof *sorted, falling);
    for (int64_t m = 1; m <= k->features; m++)
        if (sorted[m - 1] * k->fdr * (double)m >= 1.0 - 1e-12) wanted = sorted[m - 1];
    return wanted;
}

static void choose(dcpn_knockoffs *k, double *space)
{
    const double *by = k->draws > 1 ? k->evidence : k->win;
    if (k->draws > 1) k->threshold = evidence_wanted(k, space);
    for (int64_t j = 0; j < k->features; j++)
        if (by[j] >= k->threshold) k->index[k->count++] = j;
}

/* Draws copies once, compares, and adds what comes of it. of has a number for each version, win for each feature. */
static dcpn_status compare(struct work *work, const dcpn_knockoff_options *o, uint64_t seed, double *of, double *win)
{
    struct importance importance = {.context = work->context,
                                    .problem = &work->seen,
                                    .settings = work->settings,
                                    .is_fixed = work->is.is_fixed,
                                    .by_entry = work->is.by_entry,
                                    .seed = seed,
                                    .folds = o->folds,
                                    .observer = o->observer,
                                    .user = o->user,
                                    .versions = work->made->copies + 1,
                                    .values = work->values,
                                    .X = &work->X};
    DCPN_TRY(draw_copies(work, seed));
    DCPN_TRY(dcpn_importance_measure(&importance, of));
    dcpn_fill(work->made->features, 0.0, win);
    for (int64_t j = 0; j < work->X.count; j++)
        win[work->X.feature[j]] = win_of(of + j, work->X.count, importance.versions);
    work->made->lambda += importance.lambda / (double)work->made->draws;
    add_draw(work->made, win);
    return DCPN_OK;
}

/* The seed of a draw; the first one is the seed itself. */
static uint64_t seed_of(const struct work *work, int64_t draw)
{
    return work->made->seed + (uint64_t)draw * UINT64_C(0x9e3779b97f4a7c15);
}

static dcpn_status compare_all(struct work *work, const dcpn_knockoff_options *o)
{
    dcpn_context *context = work->context;
    double *of = dcpn_allocate(context, (size_t)((work->made->copies + 1) * work->X.count), sizeof *of);
    double *win = dcpn_allocate(context, (size_t)work->made->features, sizeof *win);
    dcpn_status status = of && win ? make_room(work->made) : DCPN_MEMORY;
    for (int64_t d = 0; status == DCPN_OK && d < work->made->draws; d++)
        status = compare(work, o, seed_of(work, d), of, win);
    if (status == DCPN_OK) choose(work->made, win);
    dcpn_free(context, of);
    dcpn_free(context, win);
    return status;
}

static dcpn_status run(struct work *work, const dcpn_knockoff_options *o)
{
    int64_t extra;
    DCPN_TRY(dcpn_settings_check(work->context, &work->settings));
    DCPN_TRY(check_options(work->context, o, work));
    DCPN_TRY(check_problem(work->context, work->problem, work));
    work->made->rows = work->problem->A->rows;
    work->made->features = work->problem->A->columns;
    DCPN_TRY(count_extra_rows(work->problem->A, o, 1, work, &extra));
    DCPN_TRY(make_law(work->problem->A, extra, work));
    if (work->is.is_fixed) {
        DCPN_TRY(take_labels(work));
        work->settings.intercept = 0;
    }
    work->settings.standardize = !work->is.is_fixed;
    return compare_all(work, o);
}

static void release(struct work *work)
{
    dcpn_free(work->context, work->values);
    dcpn_free(work->context, work->y);
    dcpn_law_free(&work->law);
    dcpn_standard_columns_free(&work->X);
}

dcpn_status dcpn_knockoffs_run(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                               const dcpn_knockoff_options *options, dcpn_knockoffs **knockoffs)
{
    static const dcpn_knockoff_options plain = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, problem, knockoffs);
    *knockoffs = NULL;
    struct work work = {.context = context, .problem = problem, .seen = *problem};
    work.settings = settings ? *settings : dcpn_settings_for_paths();
    work.made = dcpn_allocate(context, 1, sizeof *work.made);
    if (!work.made) return DCPN_MEMORY;
    *work.made = (dcpn_knockoffs){.context = context};
    dcpn_status status = run(&work, options ? options : &plain);
    release(&work);
    work.made->time_s = dcpn_clock_s() - started_at;
    if (status == DCPN_OK)
        *knockoffs = work.made;
    else
        dcpn_knockoffs_free(work.made);
    return status;
}

void dcpn_knockoffs_free(dcpn_knockoffs *knockoffs)
{
    if (!knockoffs) return;
    dcpn_free(knockoffs->context, knockoffs->win);
    dcpn_free(knockoffs->context, knockoffs->frequency);
    dcpn_free(knockoffs->context, knockoffs->evidence);
    dcpn_free(knockoffs->context, knockoffs->index);
    dcpn_free(knockoffs->context, knockoffs);
}

/* ---- copies alone ---- */

/* Puts the copies on the scale of the features, those of constant features being what they are. */
static void give(const struct work *work, const dcpn_matrix *X, double *to)
{
    int64_t n = X->rows, p = X->columns, count = work->X.count;
    for (int64_t v = 0; v < work->made->copies; v++) {
        for (int64_t j = 0; j < p; j++) {
            dcpn_fill(n, 0.0, to + n * (j + p * v));
            X->ops->column_add(X, j, 1.0, to + n * (j + p * v));
        }
        for (int64_t k = 0; k < count; k++) {
            const double *copy = work->values + n * (k + count * (v + 1));
            double *out = to + n * (work->X.feature[k] + p * v);
            for (int64_t i = 0; i < n; i++) out[i] = work->X.mean[k] + work->X.deviation[k] * copy[i];
        }
    }
}

dcpn_status dcpn_knockoff_copies(dcpn_context *context, const dcpn_matrix *X, const dcpn_knockoff_options *options,
                                 double *to, dcpn_knockoff_law *law)
{
    static const dcpn_knockoff_options plain = {0};
    const dcpn_knockoff_options *o = options ? options : &plain;
    DCPN_NEED(context, context, X, to);
    dcpn_knockoffs made = {.context = context};
    struct work work = {.context = context, .made = &made};
    int64_t extra = 0;
    dcpn_status status = check_options(context, o, &work);
    if (status == DCPN_OK) status = count_extra_rows(X, o, 0, &work, &extra);
    if (status == DCPN_OK) status = make_law(X, 0, &work);
    if (status == DCPN_OK) status = draw_copies(&work, made.seed);
    if (status == DCPN_OK) give(&work, X, to);
    if (law) *law = made.law;
    release(&work);
    return status;
}
