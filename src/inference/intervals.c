/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals for chosen coefficients. With u a sparse fit's scores, r the residuals there, and w the weights of rows (of
 * classes times p (1 - p)):
 *
 * debiased: z_j = x_j less its l1 regression on the other features, by weights w, q = 1 - (features in use + 1) / n,
 *     b_j + sum z r / sum w z x_j / q,   error = s sqrt(sum w z^2 / q) / |sum w z x_j|,
 * s^2 = sum w r^2 / (n q), 1 of classes (Bellec and Zhang 2022 for q), with Student's t of n q degrees of freedom;
 * double: least squares, or maximum likelihood, on x_j, what the sparse fit has and what that regression has;
 * full: the same on all features. */
#include "dcpn/inference.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/ranks.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "inference/columns.h"
#include "inference/likelihood.h"
#include "inference/student.h"
#include "matrix/dense.h"
#include "problem/targets.h"

enum method { FULL, DOUBLE, DEBIASED };
static const char *const METHODS[] = {"full", "double", "debiased"};

/* A sparse fit of something to all features, or all but one. */
struct sparse_fit {
    double *x, *u; /* coefficients of all features, and scores of rows */
    int64_t nonzeros;
};

struct work {
    dcpn_context *context;
    const dcpn_problem *problem;
    dcpn_settings settings;
    const dcpn_interval_options *options;
    enum method method;
    dcpn_intervals *made;
    struct observed rows;
    double *labels; /* 0 and 1 of classes */
    struct sparse_fit fit, node;
    double *weights;           /* of the regression of a feature */
    int64_t *columns;          /* of a likelihood */
    struct standard_columns X; /* that features are compared in; for a while the one in question is the last */
    int64_t at;                /* its own place */
    double left; /* share of the rows that the sparse fit has not used up */
};

/* ---- what is asked ---- */

static dcpn_status refuse(dcpn_context *context, const char *what)
{
    return dcpn_fail(context, DCPN_USAGE, "intervals: found %s, expected none: there are no intervals for that", what);
}

static dcpn_status check_problem(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings)
{
    if (!problem->A) return dcpn_fail(context, DCPN_USAGE, "intervals need a matrix of features; your own f has none");
    if (dcpn_has_ranks(context)) return refuse(context, "several ranks");
    if (problem->loss || (strcmp(settings->loss, "squared") != 0 && strcmp(settings->loss, "logistic") != 0))
        return dcpn_fail(context, DCPN_USAGE, "intervals: found the loss %s, expected squared or logistic",
                         problem->loss ? problem->loss->name : settings->loss);
    if (problem->groups.count) return refuse(context, "groups");
    if (problem->h || problem->penalty) return refuse(context, "a penalty of your own");
    if (problem->lower || problem->upper) return refuse(context, "bounds");
    for (int64_t i = 0; i < problem->A->rows; i++)
        if (!dcpn_has_label(problem, i)) return refuse(context, "rows without a label");
    return DCPN_OK;
}

static dcpn_status check_features(dcpn_context *context, int64_t features, const dcpn_interval_options *o,
                                  int64_t *mark)
{
    if (o->count < 0 || (o->features && o->count == 0))
        return dcpn_fail(context, DCPN_USAGE, "intervals: found %lld features, expected some", (long long)o->count);
    memset(mark, 0, (size_t)features * sizeof *mark);
    for (int64_t k = 0; o->features && k < o->count; k++) {
        int64_t j = o->features[k];
        if (j < 0 || j >= features)
            return dcpn_fail(context, DCPN_USAGE, "intervals: found feature %lld, expected one of the %lld",
                             dcpn_counted_from_1(j), (long long)features);
        if (mark[j]++)
            return dcpn_fail(context, DCPN_USAGE, "intervals: found feature %lld twice, expected it once",
                             dcpn_counted_from_1(j));
    }
    return DCPN_OK;
}

static dcpn_status choose_method(struct work *work)
{
    const char *asked = work->options->method;
    double rows = work->rows.rows, features = (double)work->problem->A->columns;
    double wanted = work->rows.is_logistic ? INTERVALS_ROWS_OF_CLASSES : INTERVALS_ROWS;
    work->method = rows >= wanted * (features + 1.0) ? FULL : INTERVALS_SPARSE_METHOD;
    for (int k = 0; asked && k < 3; k++)
        if (strcmp(asked, METHODS[k]) == 0) work->method = (enum method)k;
    if (asked && strcmp(asked, METHODS[work->method]) != 0)
        return dcpn_fail(work->context, DCPN_USAGE, "method: found '%s', expected full, double or debiased", asked);
    work->made->method = METHODS[work->method];
    return DCPN_OK;
}

static dcpn_status check_options(struct work *work)
{
    const dcpn_interval_options *o = work->options;
    dcpn_intervals *made = work->made;
    made->level = o->level == 0.0 ? INTERVALS_LEVEL : o->level;
    if (!(made->level > 0.0 && made->level < 1.0))
        return dcpn_fail(work->context, DCPN_USAGE, "level: found %g, expected a share above 0 and below 1", o->level);
    DCPN_TRY(check_features(work->context, made->features, o, work->columns));
    return choose_method(work);
}

/* ---- the labels ---- */

static dcpn_status take_labels(struct work *work)
{
    const dcpn_problem *p = work->problem;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < p->A->rows; i++) {
        low = fmin(low, p->y[i]);
        high = fmax(high, p->y[i]);
        work->rows.rows += !p->weights || p->weights[i] > 0.0;
    }
    for (int64_t i = 0; i < p->A->rows; i++) {
        work->labels[i] = work->rows.is_logistic ? p->y[i] == high : p->y[i];
        if (work->rows.is_logistic && ((p->y[i] != low && p->y[i] != high) || low == high))
            return dcpn_fail(work->context, DCPN_DATA, "intervals: found labels that are not of two classes, expected "
                                                       "two values");
    }
    return DCPN_OK;
}

static dcpn_status prepare(struct work *work)
{
    const dcpn_matrix *A = work->problem->A;
    size_t rows = (size_t)A->rows + 1, columns = (size_t)A->columns + 1;
    work->made->rows = A->rows;
    work->made->features = A->columns;
    work->rows = (struct observed){.context = work->context, .A = A, .weights = work->problem->weights};
    work->rows.offset = work->problem->offset;
    work->rows.is_logistic = strcmp(work->settings.loss, "logistic") == 0;
    work->made->loss = work->rows.is_logistic ? "logistic" : "squared";
    double **const of_rows[] = {&work->labels, &work->fit.u, &work->node.u, &work->weights};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        if (!(*of_rows[k] = dcpn_allocate(work->context, rows, sizeof **of_rows[k]))) return DCPN_MEMORY;
    work->fit.x = dcpn_allocate(work->context, columns, sizeof *work->fit.x);
    work->node.x = dcpn_allocate(work->context, columns, sizeof *work->node.x);
    work->columns = dcpn_allocate(work->context, columns, sizeof *work->columns);
    if (!work->fit.x || !work->node.x || !work->columns) return DCPN_MEMORY;
    work->rows.y = work->labels;
    return take_labels(work);
}

static void release(struct work *work)
{
    void *const arrays[] = {work->labels, work->fit.u,  work->node.u, work->weights,
                            work->fit.x,  work->node.x, work->columns};
    dcpn_standard_columns_free(&work->X);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) dcpn_free(work->context, arrays[k]);
}

/* ---- sparse fits ---- */

/* The column in question, standardised. */
static const double *column_in_question(const struct work *work)
{
    return dcpn_standard_column(&work->X, work->X.count - 1);
}

/* Fills in the coefficients and scores of a point. */
static void fill_scores(const dcpn_problem *problem, const dcpn_path *path, int64_t at, struct sparse_fit *fit)
{
    const dcpn_path_point *point = &path->points[at];
    const dcpn_matrix *A = problem->A;
    dcpn_fill(A->columns, 0.0, fit->x);
    dcpn_fill(A->rows, point->intercept, fit->u);
    for (int64_t k = point->first; k < point->first + point->fit.nonzeros; k++) {
        fit->x[path->index[k]] = path->value_of[k];
        A->ops->column_add(A, path->index[k], path->value_of[k], fit->u);
    }
    if (problem->offset) dcpn_axpy(A->rows, 1.0, problem->offset, fit->u);
    fit->nonzeros = point->fit.nonzeros;
}

/* The variance of what is debiased by this fit of the column in question, but for that of the noise. */
static double spread(const struct work *work, const struct sparse_fit *fit)
{
    const double *x = column_in_question(work);
    double square = 0.0, product = 0.0;
    for (int64_t i = 0; i < work->X.rows; i++) {
        double z = x[i] - fit->u[i];
        square += work->weights[i] * z * z;
        product += work->weights[i] * z * x[i];
    }
    return square / (product * product);
}

/* Fits a problem at the lambda that its cross-validation chooses; is_far: at the least lambda beyond it at which the
 * variance is not much more, which leaves less of other features in what is compared (Dezeure et al. 2015). */
static dcpn_status fit_sparse(const struct work *work, const dcpn_problem *problem, const dcpn_settings *settings,
                              int is_far, struct sparse_fit *fit)
{
    const dcpn_interval_options *o = work->options;
    const dcpn_cv_options options = {.path = {.convexity_limit = -1, .observer = o->observer, .user = o->user},
                                     .folds = o->folds,
                                     .seed = o->seed,
                                     .rule = "min"};
    dcpn_cv *cv = NULL;
    DCPN_TRY(dcpn_cv_run(work->context, problem, settings, &options, &cv));
    if (!cv->ending.is_complete || cv->choice.chosen.path < 0) {
        dcpn_cv_free(cv);
        return dcpn_fail(work->context, DCPN_CANCELLED, "intervals: the fits were ended before they were done");
    }
    const dcpn_path *path = &cv->paths->paths[cv->choice.chosen.path];
    int64_t point = cv->choice.chosen.point;
    fill_scores(problem, path, point, fit);
    if (is_far) {
        double most = INTERVALS_WIDER * spread(work, fit);
        while (point + 1 < path->count) {
            fill_scores(problem, path, ++point, fit);
            if (!(spread(work, fit) <= most)) {
                fill_scores(problem, path, --point, fit);
                break;
            }
        }
    }
    dcpn_cv_free(cv);
    return DCPN_OK;
}

static double mean_at(const struct work *work, double u)
{
    return work->rows.is_logistic ? 1.0 / (1.0 + exp(-u)) : u;
}

/* Fits the labels, and sets the weights of rows in regressions of features. */
static dcpn_status fit_labels(struct work *work)
{
    dcpn_settings settings = work->settings;
    double squares = 0.0, rows = (double)work->made->rows;
    settings.intercept = 1;
    settings.standardize = 1;
    DCPN_TRY(fit_sparse(work, work->problem, &settings, 0, &work->fit));
    work->made->selected = work->fit.nonzeros;
    for (int64_t i = 0; i < work->made->rows; i++) {
        double weight = work->problem->weights ? work->problem->weights[i] : 1.0, mean = mean_at(work, work->fit.u[i]),
               rest = work->labels[i] - mean;
        work->weights[i] = weight * (work->rows.is_logistic ? mean * (1.0 - mean) : 1.0);
        squares += weight * rest * rest;
    }
    work->made->deviation =
        work->rows.is_logistic ? (double)NAN : sqrt(squares / fmax(1.0, rows - (double)work->fit.nonzeros - 1.0));
    work->left = fmax(0.1, 1.0 - ((double)work->fit.nonzeros + 1.0) / rows);
    return DCPN_OK;
}

/* Puts a column at the end, or back from there. */
static void swap_with_last(struct work *work)
{
    double *one = dcpn_standard_column(&work->X, work->at), *last = dcpn_standard_column(&work->X, work->X.count - 1);
    for (int64_t i = 0; one != last && i < work->X.rows; i++) {
        double kept = one[i];
        one[i] = last[i];
        last[i] = kept;
    }
}

/* The feature that stands at a place while the one in question is the last. */
static int64_t feature_at(const struct work *work, int64_t place)
{
    return work->X.feature[place == work->at ? work->X.count - 1 : place];
}

static dcpn_status find(struct work *work, int64_t feature)
{
    for (work->at = 0; work->at < work->X.count; work->at++)
        if (work->X.feature[work->at] == feature) return DCPN_OK;
    return dcpn_fail(work->context, DCPN_DATA,
                     "intervals: feature %lld is the same in all rows, expected features that vary; leave it out",
                     dcpn_counted_from_1(feature));
}

/* Fits the column in question to all others, by l1. */
static dcpn_status fit_feature(struct work *work)
{
    dcpn_problem problem = {.context = work->context, .weights = work->weights, .y = column_in_question(work)};
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *others = NULL;
    settings.loss = "squared";
    settings.penalty = "l1";
    settings.intercept = 1;
    settings.standardize = 1;
    DCPN_TRY(dcpn_matrix_borrow_dense(work->context, work->X.rows, work->X.count - 1, work->X.values, DCPN_FLOAT64,
                                      DCPN_COLUMN_MAJOR, &others));
    problem.A = others;
    dcpn_status status =
        fit_sparse(work, &problem, &settings, work->method == DEBIASED, &work->node);
    dcpn_matrix_free(others);
    return status;
}

/* ---- intervals ---- */

static void set(const struct work *work, dcpn_interval *of, double freedom)
{
    double reach = dcpn_student_within(freedom, work->made->level) * of->error;
    of->low = of->estimate - reach;
    of->high = of->estimate + reach;
    of->statistic = of->estimate / of->error;
    of->p_value = dcpn_student_beyond(freedom, of->statistic);
}

static dcpn_status debias(struct work *work, dcpn_interval *of)
{
    double product = 0.0, square = 0.0, along = 0.0, scale = work->X.deviation[work->at];
    for (int64_t i = 0; i < work->made->rows; i++) {
        double z = column_in_question(work)[i] - work->node.u[i], w = work->weights[i],
               weight = work->problem->weights ? work->problem->weights[i] : 1.0;
        product += w * z * column_in_question(work)[i];
        square += w * z * z;
        along += weight * z * (work->labels[i] - mean_at(work, work->fit.u[i]));
    }
    if (!(fabs(product) > 0.0))
        return dcpn_fail(work->context, DCPN_DATA,
                         "intervals: feature %lld is a linear function of others, expected one of its own",
                         dcpn_counted_from_1(of->feature));
    of->estimate = work->fit.x[of->feature] + along / product / scale / work->left;
    double deviation = work->rows.is_logistic ? 1.0 : work->made->deviation;
    of->error = deviation * sqrt(square / work->left) / fabs(product) / scale;
    of->beside = work->node.nonzeros;
    double freedom = fmax(1.0, (double)work->made->rows - (double)work->fit.nonzeros - 1.0);
    set(work, of, work->rows.is_logistic ? (double)INFINITY : freedom);
    return DCPN_OK;
}

/* Fits the feature with what either fit has. */
static dcpn_status select_twice(struct work *work, dcpn_interval *of)
{
    struct likelihood_fit fit = {0};
    int64_t count = 0;
    work->columns[count++] = of->feature;
    for (int64_t k = 0; k < work->X.count - 1; k++) {
        int64_t j = feature_at(work, k);
        if (work->fit.x[j] != 0.0 || work->node.x[k] != 0.0) work->columns[count++] = j;
    }
    dcpn_status status = dcpn_likelihood_fit(&work->rows, work->columns, count, &fit);
    if (status == DCPN_OK) {
        dcpn_likelihood_of(&fit, 0, &of->estimate, &of->error);
        of->beside = count - 1;
        set(work, of, fit.freedom);
    }
    dcpn_likelihood_free(&fit);
    return status;
}

static dcpn_status fit_one(struct work *work, dcpn_interval *of)
{
    DCPN_TRY(find(work, of->feature));
    swap_with_last(work);
    dcpn_status status = fit_feature(work);
    if (status == DCPN_OK) status = work->method == DOUBLE ? select_twice(work, of) : debias(work, of);
    swap_with_last(work);
    return status;
}

static dcpn_status fit_each(struct work *work)
{
    DCPN_TRY(dcpn_standard_columns_new(work->context, work->problem->A, 0, &work->X));
    if (work->X.count < 2)
        return dcpn_fail(work->context, DCPN_DATA,
                         "intervals: found %lld features that vary, expected at least 2, or the method full",
                         (long long)work->X.count);
    DCPN_TRY(fit_labels(work));
    for (int64_t k = 0; k < work->made->count; k++) DCPN_TRY(fit_one(work, &work->made->of[k]));
    return DCPN_OK;
}

static dcpn_status fit_all(struct work *work)
{
    struct likelihood_fit fit = {0};
    for (int64_t j = 0; j < work->made->features; j++) work->columns[j] = j;
    dcpn_status status = dcpn_likelihood_fit(&work->rows, work->columns, work->made->features, &fit);
    for (int64_t k = 0; status == DCPN_OK && k < work->made->count; k++) {
        dcpn_interval *of = &work->made->of[k];
        dcpn_likelihood_of(&fit, of->feature, &of->estimate, &of->error);
        of->beside = work->made->features - 1;
        set(work, of, fit.freedom);
    }
    work->made->deviation = work->rows.is_logistic ? (double)NAN : sqrt(fit.variance);
    work->made->selected = -1;
    dcpn_likelihood_free(&fit);
    return status;
}

static dcpn_status run(struct work *work)
{
    dcpn_intervals *made = work->made;
    DCPN_TRY(dcpn_settings_check(work->context, &work->settings));
    DCPN_TRY(check_problem(work->context, work->problem, &work->settings));
    DCPN_TRY(prepare(work));
    DCPN_TRY(check_options(work));
    made->count = work->options->features ? work->options->count : made->features;
    made->of = dcpn_allocate(work->context, (size_t)made->count + 1, sizeof *made->of);
    if (!made->of) return DCPN_MEMORY;
    for (int64_t k = 0; k < made->count; k++)
        made->of[k] = (dcpn_interval){.feature = work->options->features ? work->options->features[k] : k};
    return work->method == FULL ? fit_all(work) : fit_each(work);
}

dcpn_status dcpn_intervals_run(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                               const dcpn_interval_options *options, dcpn_intervals **intervals)
{
    static const dcpn_interval_options plain = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, problem, intervals);
    *intervals = NULL;
    struct work work = {.context = context, .problem = problem, .options = options ? options : &plain};
    work.settings = settings ? *settings : dcpn_settings_for_paths();
    work.made = dcpn_allocate(context, 1, sizeof *work.made);
    if (!work.made) return DCPN_MEMORY;
    *work.made = (dcpn_intervals){.context = context};
    dcpn_status status = run(&work);
    release(&work);
    work.made->time_s = dcpn_clock_s() - started_at;
    if (status == DCPN_OK)
        *intervals = work.made;
    else
        dcpn_intervals_free(work.made);
    return status;
}

void dcpn_intervals_free(dcpn_intervals *intervals)
{
    if (!intervals) return;
    dcpn_free(intervals->context, intervals->of);
    dcpn_free(intervals->context, intervals);
}
