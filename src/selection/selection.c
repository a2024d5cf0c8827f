/* SPDX-License-Identifier: BSD-3-Clause */
/* Model selection on a grid: a cross-validation for each weight of the rows without a label, over the lambdas and the
 * shapes of the penalty. */
#include "dcpn/selection.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/tuning.h"
#include "selection/cv.h"

enum { DEFAULT_FOLDS = 5 };
/* The paper's grid, and the default weight. */
static const double LAMBDAS[] = {0.2, 2.0}, THETAS[] = {0.2, 2.0}, WEIGHTS[] = {0.001, 0.005, 0.01, 1.0};
enum { LAMBDA_COUNT = 2, THETA_COUNT = 2, WEIGHT_COUNT = 4 };

struct selecting {
    dcpn_context *context;
    const dcpn_problem *problem;
    double started_at;
    const dcpn_settings *settings;
    dcpn_cv_options cv;
    double *weights; /* descending */
    int64_t weight_count;
    double best_mean, best_auc; /* turned so that less is better */
    double *own;      /* the folds of the settings' own combination, likewise turned; NULL: no such candidate */
    double best_gain; /* over that, in standard errors */
    dcpn_grid_selection *selection;
    dcpn_path_observer *observer;
    void *user;
    int64_t done, total; /* cross-validations */
};

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* Turns the progress of one cross-validation into that of all of them, which have the same number of fits. */
static int observe(void *user, const dcpn_path_progress *progress)
{
    const struct selecting *s = user;
    dcpn_path_progress whole = *progress;
    whole.done += s->done * progress->total;
    whole.total *= s->total;
    return s->observer && s->observer(s->user, &whole);
}

/* ---- the grid ---- */

static void set_lambdas(struct selecting *s, const dcpn_grid_options *o)
{
    s->cv.path.lambdas = o->lambdas ? o->lambdas : LAMBDAS;
    s->cv.path.lambda_count = o->lambdas ? o->lambda_count : LAMBDA_COUNT;
}

static void set_values(struct selecting *s, const dcpn_grid_options *o)
{
    const char *varying = dcpn_varying_parameter(s->problem, s->settings->penalty);
    s->selection->varying = varying;
    if (o->values) {
        s->cv.path.values = o->values;
        s->cv.path.value_count = o->value_count;
    } else if (varying && strcmp(varying, "theta") == 0) {
        s->selection->settings.shape_units = "raw"; /* the paper's */
        s->cv.path.values = THETAS;
        s->cv.path.value_count = THETA_COUNT;
    }
}

static dcpn_status set_weights(struct selecting *s, const dcpn_grid_options *o)
{
    const double *weights = o->weights ? o->weights : WEIGHTS;
    s->selection->has_weights = s->problem->unlabelled || s->problem->zero_is_no_label;
    s->weight_count = o->weights ? o->weight_count : WEIGHT_COUNT;
    if (o->weights && o->weight_count < 0)
        return dcpn_need_size(s->context, "weights of rows without a label", o->weight_count);
    if (!s->selection->has_weights) {
        weights = &s->settings->unlabelled_weight;
        s->weight_count = 1;
    }
    if (s->weight_count < 1)
        return dcpn_fail(s->context, DCPN_USAGE, "weights of rows without a label: found none, expected some");
    s->weights = dcpn_allocate(s->context, (size_t)s->weight_count, sizeof *s->weights);
    if (!s->weights) return DCPN_MEMORY;
    memcpy(s->weights, weights, (size_t)s->weight_count * sizeof *weights);
    qsort(s->weights, (size_t)s->weight_count, sizeof *s->weights, descending);
    for (int64_t k = 0; k < s->weight_count; k++) {
        dcpn_settings settings = *s->settings;
        settings.unlabelled_weight = s->weights[k];
        DCPN_TRY(dcpn_settings_check(s->context, &settings));
    }
    s->total = s->weight_count;
    return DCPN_OK;
}

/* Counts the rows with a label in the smaller class. */
static int64_t count_smaller_class(const dcpn_problem *problem, double *label)
{
    int64_t low_count = 0, high_count = 0;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < problem->A->rows; i++) {
        if (!dcpn_has_label(problem, i)) continue;
        low = fmin(low, problem->y[i]);
        high = fmax(high, problem->y[i]);
    }
    for (int64_t i = 0; i < problem->A->rows; i++) {
        low_count += dcpn_has_label(problem, i) && problem->y[i] == low;
        high_count += dcpn_has_label(problem, i) && problem->y[i] == high;
    }
    *label = low_count < high_count ? low : high;
    return low_count < high_count ? low_count : high_count;
}

static dcpn_status set_folds(struct selecting *s, const dcpn_grid_options *o, int has_classes)
{
    double label;
    int64_t folds = o->folds ? o->folds : DEFAULT_FOLDS;
    s->cv.folds = folds;
    s->cv.seed = o->seed;
    if (!has_classes) return DCPN_OK;
    int64_t rows = count_smaller_class(s->problem, &label);
    if (rows == 0)
        return dcpn_fail(s->context, DCPN_DATA,
                         "labels: no row has one, expected two classes; label some rows of each");
    if (rows < 2)
        return dcpn_fail(s->context, DCPN_DATA,
                         "selection: found %lld labelled row%s of the class %g, expected at least 2 of each class: one "
                         "to learn from while the other is held out; label more or choose the settings yourself",
                         (long long)rows, rows == 1 ? "" : "s", label);
    if (o->folds > rows)
        return dcpn_fail(s->context, DCPN_USAGE,
                         "folds: found %lld, expected at most %lld, the labelled rows of the class %g",
                         (long long)folds, (long long)rows, label);
    if (rows < folds) s->cv.folds = rows;
    return DCPN_OK;
}

/* ---- choosing ---- */

static int find_measure(const dcpn_cv *cv, const char *name)
{
    for (int m = 0; m < cv->measured.count; m++)
        if (strcmp(cv->measured.names[m], name) == 0) return m;
    return -1;
}

static double turned(const dcpn_cv *cv, double value)
{
    return dcpn_cv_larger_is_better(cv) ? -value : value;
}

static const double *folds_at(const dcpn_cv *cv, int64_t at)
{
    return cv->value + (at * DCPN_MEASURES + cv->measured.chooses) * cv->folds;
}

/* Returns by how much the settings' own combination is worse in the mean over the folds, in standard errors of that
 * mean. The folds are compared in pairs, since both combinations saw the same ones and most of what a fold says
 * about one it says about the other. */
static double gain_over_own(const struct selecting *s, const dcpn_cv *cv, int64_t at)
{
    double total = 0.0, sum = 0.0, squares = 0.0;
    const double *value = folds_at(cv, at);
    if (!s->own) return INFINITY;
    for (int64_t f = 0; f < cv->folds; f++) {
        total += cv->weights[f];
        sum += cv->weights[f] * (s->own[f] - turned(cv, value[f]));
    }
    double mean = sum / total;
    for (int64_t f = 0; f < cv->folds; f++) {
        double rest = s->own[f] - turned(cv, value[f]) - mean;
        squares += cv->weights[f] * rest * rest;
    }
    double error = sqrt(squares / total / (double)(cv->folds - 1));
    if (isnan(mean)) return INFINITY;
    return mean > 0.0 ? mean / error : 0.0;
}

/* Takes a candidate if it is better than the best so far. They come by descending weight, value and lambda, and
 * among equals the first one stays. */
static void consider(struct selecting *s, const dcpn_cv *cv, int64_t at, const dcpn_grid_candidate *candidate)
{
    int auc = find_measure(cv, "auc");
    double mean = turned(cv, candidate->mean);
    double second = auc >= 0 ? -cv->mean[at * DCPN_MEASURES + auc] : 0.0;
    if (isnan(mean)) return;
    if (isnan(second)) second = 0.0;
    int is_better = s->selection->chosen < 0 || mean < s->best_mean || (mean == s->best_mean && second < s->best_auc);
    if (!is_better) return;
    s->selection->chosen = s->selection->count;
    s->best_mean = mean;
    s->best_auc = second;
    s->best_gain = gain_over_own(s, cv, at);
}

static dcpn_status take_candidates(struct selecting *s, const dcpn_cv *cv, double weight)
{
    dcpn_grid_selection *made = s->selection;
    int64_t more = cv->first[cv->paths->count];
    size_t now = (size_t)made->count;
    dcpn_grid_candidate *grown = dcpn_grow(s->context, made->candidates, now, now + (size_t)more, sizeof *grown);
    if (!grown) return DCPN_MEMORY;
    made->candidates = grown;
    made->measure = cv->measured.names[cv->measured.chooses];
    made->folds = cv->folds;
    for (int64_t v = 0; v < cv->paths->count; v++)
        for (int64_t k = 0; k < cv->paths->paths[v].count; k++) {
            const dcpn_path *path = &cv->paths->paths[v];
            int64_t at = cv->first[v] + k;
            dcpn_grid_candidate candidate = {.lambda = path->points[k].lambda,
                                             .value = path->varying ? path->value : (double)NAN,
                                             .weight = weight,
                                             .mean = cv->mean[at * DCPN_MEASURES + cv->measured.chooses],
                                             .se = cv->se[at * DCPN_MEASURES + cv->measured.chooses]};
            consider(s, cv, at, &candidate);
            made->candidates[made->count++] = candidate;
        }
    return DCPN_OK;
}

/* Runs the cross-validation for one weight and takes its candidates; the caller frees *made. */
static dcpn_status validate(struct selecting *s, double weight, int *is_complete, dcpn_cv **made)
{
    dcpn_settings settings = s->selection->settings;
    dcpn_cv *cv = NULL;
    settings.unlabelled_weight = weight;
    settings.max_time_s = fmax(settings.max_time_s - (dcpn_clock_s() - s->started_at), 0.0);
    DCPN_TRY(dcpn_cv_run(s->context, s->problem, &settings, &s->cv, &cv));
    *is_complete = cv->ending.is_complete;
    *made = cv;
    s->done++;
    return cv->ending.is_complete ? take_candidates(s, cv, weight) : DCPN_OK;
}

static dcpn_status validate_grid(struct selecting *s, int *is_complete)
{
    for (int64_t k = 0; k < s->weight_count && *is_complete; k++) {
        dcpn_cv *cv = NULL;
        dcpn_status status = validate(s, s->weights[k], is_complete, &cv);
        dcpn_cv_free(cv);
        DCPN_TRY(status);
    }
    return DCPN_OK;
}

/* Runs the cross-validation of the settings' own combination, which stands first among the candidates if the grid is
 * that of the library. */
static dcpn_status validate_own(struct selecting *s, int *is_complete)
{
    const dcpn_cv_options grid = s->cv;
    dcpn_settings settings = s->selection->settings;
    s->cv.path.lambdas = &s->settings->lambda;
    s->cv.path.lambda_count = 1;
    s->cv.path.values = NULL;
    s->cv.path.value_count = 0;
    s->selection->settings = *s->settings; /* the units of the shape */
    dcpn_cv *cv = NULL;
    dcpn_status status = validate(s, s->settings->unlabelled_weight, is_complete, &cv);
    if (status == DCPN_OK && *is_complete) {
        s->own = dcpn_allocate(s->context, (size_t)cv->folds, sizeof *s->own);
        if (!s->own) status = DCPN_MEMORY;
        for (int64_t f = 0; s->own && f < cv->folds; f++) s->own[f] = turned(cv, folds_at(cv, 0)[f]);
    }
    dcpn_cv_free(cv);
    s->cv = grid;
    s->selection->settings = settings;
    return status;
}

/* Keeps the settings' own combination unless another one is clearly better. Few rows have a label, and the best of
 * many combinations is often the best by chance. */
static void prefer_own(struct selecting *s)
{
    dcpn_grid_selection *made = s->selection;
    if (!s->own || made->chosen < 0) return;
    if (made->chosen > 0 && s->best_gain > SELECT_GAIN) return;
    made->chosen = 0;
    made->settings = *s->settings;
}

static void settle(dcpn_grid_selection *made)
{
    if (made->chosen < 0) return;
    const dcpn_grid_candidate *candidate = &made->candidates[made->chosen];
    made->settings.lambda = candidate->lambda;
    if (made->has_weights) made->settings.unlabelled_weight = candidate->weight;
    if (isnan(candidate->value)) return;
    if (strcmp(made->varying, "theta") == 0) made->settings.theta = candidate->value;
    if (strcmp(made->varying, "a") == 0) made->settings.a = candidate->value;
    if (strcmp(made->varying, "gamma") == 0) made->settings.gamma = candidate->value;
}

static dcpn_status select_on(struct selecting *s, const dcpn_grid_options *o)
{
    struct parts parts;
    int is_complete = 1;
    if (!s->problem->A || s->problem->h)
        return dcpn_fail(s->context, DCPN_USAGE, "a selection needs a matrix and a separable penalty");
    DCPN_TRY(dcpn_settings_check(s->context, s->settings));
    DCPN_TRY(dcpn_choose_parts(s->context, s->problem, s->settings, &parts));
    int has_classes = parts.loss->targets == DCPN_CLASSES;
    set_lambdas(s, o);
    set_values(s, o);
    DCPN_TRY(set_weights(s, o));
    DCPN_TRY(set_folds(s, o, has_classes));
    s->cv.measure = o->measure ? o->measure : has_classes ? "error" : "deviance";
    s->cv.path.convexity_limit = -1;
    s->cv.path.observer = observe;
    s->cv.path.user = s;
    int has_own = s->selection->has_weights && !o->lambdas && !o->values && !o->weights;
    s->total += has_own;
    if (has_own) DCPN_TRY(validate_own(s, &is_complete));
    DCPN_TRY(validate_grid(s, &is_complete));
    s->selection->is_complete = is_complete;
    prefer_own(s);
    settle(s->selection);
    return DCPN_OK;
}

dcpn_status dcpn_select_on_grid(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                const dcpn_grid_options *options, dcpn_grid_selection **selection)
{
    const dcpn_grid_options none = {0};
    const dcpn_settings standard = dcpn_settings_default();
    const dcpn_grid_options *o = options ? options : &none;
    struct selecting s = {
        .context = context, .settings = settings ? settings : &standard, .started_at = dcpn_clock_s()};
    DCPN_NEED(context, context, selection);
    *selection = NULL;
    DCPN_NEED(context, problem);
    const dcpn_problem seen = dcpn_problem_seen_by(problem, s.settings);
    s.problem = &seen;
    s.observer = o->observer;
    s.user = o->user;
    s.selection = dcpn_allocate(context, 1, sizeof *s.selection);
    if (!s.selection) return DCPN_MEMORY;
    *s.selection = (dcpn_grid_selection){.context = context, .settings = *s.settings, .chosen = -1};
    dcpn_status status = select_on(&s, o);
    s.selection->time_s = dcpn_clock_s() - s.started_at;
    dcpn_free(context, s.weights);
    dcpn_free(context, s.own);
    if (status == DCPN_OK)
        *selection = s.selection;
    else
        dcpn_grid_selection_free(s.selection);
    return status;
}

void dcpn_grid_selection_free(dcpn_grid_selection *selection)
{
    if (!selection) return;
    dcpn_free(selection->context, selection->candidates);
    dcpn_free(selection->context, selection);
}
