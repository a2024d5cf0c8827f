/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: a fold is the fit to the other rows, measured by naive code; choices; stability selection finds
 * planted features. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/context.h"
#include "path.h"
#include "support/problems_cv.h"

/* ---- by hand ---- */

/* The rows outside (or in) a fold, with weights that sum to those of all. */
static struct problems_data rows_of(const int64_t *fold_of, int64_t fold, int is_in)
{
    struct problems_data part = problems_data_copy(&data);
    double all = 0.0, some = 0.0;
    part.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        all += data.weights[i];
        if ((fold_of[i] == fold) != is_in) continue;
        memcpy(part.A + part.rows * COLUMNS, data.A + i * COLUMNS, COLUMNS * sizeof(double));
        part.classes[part.rows] = data.classes[i];
        part.numbers[part.rows] = data.numbers[i];
        part.offset[part.rows] = data.offset[i];
        part.weights[part.rows++] = data.weights[i];
        some += data.weights[i];
    }
    for (int64_t i = 0; i < part.rows; i++) part.weights[i] *= all / some;
    for (int64_t j = 0; j < COLUMNS; j++) part.factors[j] = 1.0;
    return part;
}

static void score(const struct problems_data *rows, const struct problems_fit *fit, double *u)
{
    for (int64_t i = 0; i < rows->rows; i++) {
        u[i] = fit->intercept + rows->offset[i];
        for (int64_t j = 0; j < COLUMNS; j++) u[i] += rows->A[i * COLUMNS + j] * fit->x[j];
    }
}

static double naive_auc(const struct problems_data *rows, const double *u)
{
    double right = 0.0, pairs = 0.0;
    for (int64_t i = 0; i < rows->rows; i++)
        for (int64_t k = 0; k < rows->rows; k++) {
            if (rows->classes[i] != 3.0 || rows->classes[k] != 1.0) continue;
            double weight = rows->weights[i] * rows->weights[k];
            pairs += weight;
            right += weight * (u[i] > u[k] ? 1.0 : u[i] == u[k] ? 0.5 : 0.0);
        }
    return right / pairs;
}

static void naive_measures(const struct problems_data *rows, const double *u, int classes, double measures[3])
{
    double total = 0.0;
    measures[0] = measures[1] = measures[2] = 0.0;
    for (int64_t i = 0; i < rows->rows; i++) {
        double w = rows->weights[i], y = rows->classes[i] == 3.0 ? 1.0 : -1.0, r = rows->numbers[i] - u[i];
        total += w;
        measures[0] += w * (classes ? 2.0 * log(1.0 + exp(-y * u[i])) : r * r);
        measures[1] += w * (classes ? (double)(y * u[i] <= 0.0) : r * r);
        measures[2] += w * fabs(r);
    }
    for (int m = 0; m < 3; m++) measures[m] /= total;
    if (classes) measures[2] = naive_auc(rows, u);
}

static void check_by_hand(const dcpn_problem *problem, const dcpn_settings *settings)
{
    int classes = strcmp(settings->loss, "logistic") == 0;
    int64_t fold_of[ROWS];
    double u[ROWS], by_hand[3];
    for (int64_t i = 0; i < ROWS; i++) fold_of[i] = (i * 7 + i / 9) % FOLDS;
    dcpn_cv_options options = {.folds = FOLDS, .fold_of = fold_of};
    options.path.lambda_count = LAMBDAS;
    options.path.min_ratio = 0.05;
    dcpn_cv *cv = cv_of(problem, settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) {
        struct problems_data train = rows_of(fold_of, f, 0), test = rows_of(fold_of, f, 1);
        assert_int_equal(cv->sizes[f], test.rows);
        for (int64_t k = 0; k < LAMBDAS; k++) {
            dcpn_settings one = *settings;
            one.lambda = cv->paths->paths[0].points[k].lambda;
            struct problems_fit fit = problems_solve(context, &train, PROBLEMS_ROW_MAJOR, &one, NULL);
            score(&test, &fit, u);
            naive_measures(&test, u, classes, by_hand);
            for (int m = 0; m < 3; m++)
                problems_assert_close(cv->value[(k * DCPN_MEASURES + m) * FOLDS + f], by_hand[m], 1e-6,
                                      cv->measures[m]);
            problems_fit_free(&fit);
        }
        problems_data_free(&train);
        problems_data_free(&test);
    }
    dcpn_cv_free(cv);
}

static void folds_are_fits_to_the_other_rows(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    (void)state;
    settings.tol = 1e-10;
    settings.ridge = 0.3;
    settings.intercept = 1;
    check_by_hand(of_classes, &settings); /* the scale is the sum: lambda has to mean the same in a fold */
    settings.scale = "mean";
    check_by_hand(of_classes, &settings);
    settings.loss = "squared";
    settings.standardize = 1;
    check_by_hand(of_numbers, &settings);
}

/* ---- choices ---- */

/* Rows without a label are in every training part and in no measure: without a weight they change nothing at all. */
static void unlabelled_rows_are_not_measured(void **state)
{
    struct problems_data all = problems_data_copy(&data), some = problems_data_copy(&data);
    int64_t fold_of_all[ROWS], fold_of_some[ROWS];
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = FOLDS, .fold_of = fold_of_all};
    dcpn_problem *problems[2];
    dcpn_matrix *matrices[2];
    dcpn_cv *cvs[2];
    (void)state;
    some.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        fold_of_all[i] = (i / 2) % FOLDS;
        if (i % 3 == 1) {
            all.classes[i] = NAN;
            continue;
        }
        fold_of_some[some.rows] = fold_of_all[i];
        memcpy(some.A + some.rows * COLUMNS, all.A + i * COLUMNS, COLUMNS * sizeof(double));
        some.weights[some.rows] = all.weights[i];
        some.classes[some.rows++] = all.classes[i];
    }
    settings.scale = "mean";
    settings.unlabelled_weight = 0.0;
    settings.tol = 1e-8;
    options.path.lambda_count = LAMBDAS;
    options.path.min_ratio = 0.05;
    for (int k = 0; k < 2; k++) {
        const struct problems_data *one = k ? &some : &all;
        matrices[k] = problems_matrix(context, one, PROBLEMS_CSR);
        assert_int_equal(dcpn_problem_new(context, matrices[k], one->classes, &problems[k]), DCPN_OK);
        assert_int_equal(dcpn_problem_set_weights(problems[k], one->weights), DCPN_OK);
        options.fold_of = k ? fold_of_some : fold_of_all;
        cvs[k] = cv_of(problems[k], &settings, &options);
    }
    for (int64_t f = 0; f < FOLDS; f++) {
        assert_int_equal(cvs[0]->sizes[f], cvs[1]->sizes[f]);
        for (int64_t at = 0; at < LAMBDAS * DCPN_MEASURES; at++)
            problems_assert_close(cvs[0]->value[at * FOLDS + f], cvs[1]->value[at * FOLDS + f], 1e-5, "measure");
    }
    for (int k = 0; k < 2; k++) dcpn_cv_free(cvs[k]);
    options.fold_of = NULL; /* drawn, and subsamples too */
    options.subsamples = 4;
    dcpn_cv_free(cv_of(problems[0], &settings, &options));
    for (int k = 0; k < 2; k++) {
        dcpn_problem_free(problems[k]);
        dcpn_matrix_free(matrices[k]);
    }
    problems_data_free(&all);
    problems_data_free(&some);
}

/* -1, 0 and 1 as measurements: all rows are in a fold. */
static void a_regression_has_labels_of_0(void **state)
{
    double labels[ROWS];
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    const dcpn_cv_options options = {.folds = FOLDS, .subsamples = 4, .path = {.lambda_count = LAMBDAS, .min_ratio = 0.1}};
    const dcpn_grid_options grid = {.folds = FOLDS};
    dcpn_grid_selection *selection;
    int64_t rows = 0;
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) labels[i] = (double)(i % 3 - 1);
    dcpn_problem *problem = problem_of(labels);
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) rows += cv->sizes[f];
    assert_int_equal(rows, ROWS);
    dcpn_cv_free(cv);
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &grid, &selection), DCPN_OK);
    assert_false(selection->has_weights);
    dcpn_grid_selection_free(selection);
    dcpn_problem_free(problem);
}

static void means_errors_and_choices(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .seed = 3};
    (void)state;
    options.path.lambda_count = 12;
    options.path.penalties = penalties;
    options.path.penalty_count = 2;
    settings.ridge = 0.1;
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    double least = INFINITY;
    int64_t points = cv->first[2];
    for (int64_t k = 0; k < points; k++) {
        const double *value = cv->value + k * DCPN_MEASURES * 5;
        double total = 0.0, mean = 0.0, squares = 0.0;
        for (int f = 0; f < 5; f++) total += cv->weights[f];
        for (int f = 0; f < 5; f++) mean += cv->weights[f] * value[f] / total;
        for (int f = 0; f < 5; f++) squares += cv->weights[f] * (value[f] - mean) * (value[f] - mean) / total;
        problems_assert_close(cv->mean[k * DCPN_MEASURES], mean, 1e-12, "mean");
        problems_assert_close(cv->se[k * DCPN_MEASURES], sqrt(squares / 4.0), 1e-9, "standard error");
        least = fmin(least, cv->mean[k * DCPN_MEASURES]);
    }
    assert_true(cv->min.mean == least);
    assert_true(cv->sparse.mean <= least + cv->min.se);
    assert_true(cv->paths->paths[cv->sparse.path].points[cv->sparse.point].fit.nonzeros <=
                cv->paths->paths[cv->min.path].points[cv->min.point].fit.nonzeros);
    for (int64_t v = 0; v < 2; v++) assert_true(cv->one_se[v] <= cv->best[v]);
    dcpn_cv_free(cv);
}

/* Where nothing is kept, all scores are the same, and each pair counts half. */
static void ties_count_half(void **state)
{
    static const double lambdas[] = {1e6};
    dcpn_problem *problem = NULL;
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = FOLDS, .measure = "auc"};
    (void)state;
    options.path.lambdas = lambdas;
    options.path.lambda_count = 1;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) assert_true(cv->value[cv->measure * FOLDS + f] == 0.5);
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
}

/* The largest lambda whose mean is within one standard error of the best one's. */
static void one_se_is_one(void **state)
{
    int moved = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
        dcpn_cv_options options = {.folds = FOLDS, .seed = seed};
        options.path.lambda_count = 40;
        options.path.min_ratio = 0.01;
        dcpn_cv *cv = cv_of(of_classes, &settings, &options);
        int64_t points = cv->paths->paths[0].count, best = 0, first = 0;
        const double *mean = cv->mean + cv->measure, *se = cv->se + cv->measure;
        for (int64_t k = 0; k < points; k++)
            if (mean[k * DCPN_MEASURES] < mean[best * DCPN_MEASURES]) best = k;
        while (mean[first * DCPN_MEASURES] > mean[best * DCPN_MEASURES] + se[best * DCPN_MEASURES]) first++;
        assert_int_equal(cv->best[0], best);
        assert_int_equal(cv->one_se[0], first);
        moved += first > 0 && first < best;
        dcpn_cv_free(cv);
    }
    assert_true(moved > 2);
}

static void the_greatest_auc_is_the_best(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 3, .measure = "auc", .rule = "min"};
    (void)state;
    options.path.lambda_count = 10;
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    for (int64_t k = 0; k < cv->first[1]; k++) assert_true(cv->mean[k * DCPN_MEASURES + 2] <= cv->min.mean);
    assert_int_equal(cv->is_1se, 0);
    dcpn_cv_free(cv);
}

/* ---- stability ---- */

static void planted_features_are_stable(void **state)
{
    enum { N = 200, P = 30 };
    struct problems_data planted = problems_data_new(N, P, 1.0, 5);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .subsamples = 40, .rule = "1se"};
    dcpn_problem *problem = NULL;
    (void)state;
    problems_data_plain(&planted);
    for (int64_t i = 0; i < N; i++) /* three features matter */
        planted.numbers[i] = 0.3 * planted.numbers[i] / 10.0 + planted.A[i * P + 4] - planted.A[i * P + 11] +
                             2.0 * planted.A[i * P + 20];
    dcpn_matrix *B = problems_matrix(context, &planted, PROBLEMS_COLUMN_MAJOR);
    assert_int_equal(dcpn_problem_new(context, B, planted.numbers, &problem), DCPN_OK);
    options.path.lambda_count = 20;
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    const dcpn_stability *s = cv->stability;
    assert_non_null(s);
    int64_t found = 0;
    double sum = 0.0;
    for (int64_t k = 0; k < s->count; k++) {
        assert_true(s->frequency[k] > 0.0 && s->frequency[k] <= 1.0);
        sum += s->frequency[k];
        if (s->index[k] == 4 || s->index[k] == 11 || s->index[k] == 20) found += s->frequency[k] == 1.0;
    }
    assert_int_equal(found, 3);
    problems_assert_close(s->mean_selected, sum, 1e-12, "mean selected");
    problems_assert_close(s->bound, sum * sum / (2.0 * 0.75 - 1.0) / P, 1e-12, "bound");
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(B);
    problems_data_free(&planted);
}

/* ---- refusals ---- */

static void wrong_options_are_refused(void **state)
{
    static const char *const none[] = {NULL};
    int64_t beyond[ROWS] = {0}, all_in_one[ROWS] = {0}, one_class[ROWS];
    dcpn_cv *cv = NULL;
    (void)state;
    beyond[3] = 2;
    for (int64_t i = 0; i < ROWS; i++) one_class[i] = data.classes[i] == 3.0;
    const struct {
        dcpn_cv_options options;
        dcpn_status status;
        const char *sentence;
    } wrong[] = {
        {{.folds = 1}, DCPN_USAGE, "folds: found 1, expected from 2 to the 60 rows"},
        {{.folds = 1, .fold_of = all_in_one}, DCPN_USAGE, "folds: found 1, expected from 2 to the 60 rows"},
        {{.folds = -1}, DCPN_USAGE, "folds: found -1"},
        {{.folds = INT64_MAX}, DCPN_USAGE, "expected from 2 to the 60 rows"},
        {{.folds = INT64_MAX, .fold_of = all_in_one}, DCPN_USAGE, "expected from 2 to the 60 rows"},
        {{.measure = "mse"}, DCPN_USAGE, "expected deviance, error or auc"},
        {{.rule = "2se"}, DCPN_USAGE, "rule"},
        {{.folds = 2, .fold_of = beyond}, DCPN_DATA, "fold of row 4"},
        {{.folds = 2, .fold_of = one_class}, DCPN_DATA, "fold 1: labels: found the one class"},
        {{.subsamples = -1}, DCPN_USAGE, "stability"},
        {{.subsamples = INT64_MAX}, DCPN_USAGE, "subsamples, expected at most"},
        {{.path = {.penalties = none}}, DCPN_USAGE, "penalties: found 0 of them"},
        {{.path = {.lambda_count = INT64_MAX}}, DCPN_USAGE, "lambdas, expected at most"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &wrong[k].options, &cv), wrong[k].status);
        assert_contains(dcpn_last_error(context), wrong[k].sentence);
        assert_null(cv);
    }
}

/* Memory that nobody has filled shows. */
static void *allocate_filled(void *user, size_t bytes)
{
    void *memory = malloc(bytes);
    (void)user;
    return memory ? memset(memory, 0x5a, bytes) : NULL;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static int stop_in_the_second_fold(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    return progress->fold == 1;
}

static void an_interrupted_one_chooses_nothing(void **state)
{
    const dcpn_allocator filling = {allocate_filled, release, NULL};
    dcpn_context *filled = dcpn_context_new(&filling);
    dcpn_cv_options options = {.folds = 3};
    dcpn_cv *cv = NULL;
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = stop_in_the_second_fold;
    assert_int_equal(dcpn_cv_run(filled, of_classes, NULL, &options, &cv), DCPN_OK);
    assert_false(cv->is_complete);
    assert_int_equal(cv->min.path, -1);
    assert_int_equal(cv->best[0], -1);
    assert_int_equal(cv->one_se[0], -1);
    for (int64_t k = 0; k < cv->first[1] * DCPN_MEASURES; k++) assert_true(isnan(cv->mean[k]) && isnan(cv->se[k]));
    assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "nothing.json"), DCPN_USAGE);
    dcpn_cv_free(cv);
    dcpn_context_free(filled);
}

/* What has begun long ago, the paths of a fold, has no time of its own. */
static void the_limit_of_time_is_that_of_all_folds(void **state)
{
    const double hour = 3600.0;
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    const dcpn_path_options options = {.lambda_count = 5};
    dcpn_paths *paths, *fold;
    (void)state;
    settings.max_time_s = hour;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    for (int late = 0; late < 2; late++) {
        double started_at = dcpn_clock_s() - (late ? 2.0 * hour : 0.0);
        assert_int_equal(dcpn_paths_fit_like(context, of_classes, paths, &options, 0, started_at, &fold), DCPN_OK);
        assert_int_equal(fold->paths[0].end, late ? DCPN_PATH_INTERRUPTED : DCPN_PATH_ALL);
        dcpn_paths_free(fold);
    }
    dcpn_paths_free(paths);
}

/* Calls so far; it stops at one of them. */
struct stopper {
    int64_t calls, stops_at;
};

static int stop_at_a_call(void *user, const dcpn_path_progress *progress)
{
    struct stopper *stopper = user;
    (void)progress;
    return ++stopper->calls == stopper->stops_at;
}

/* One thread: the calls up to the end of the folds are those of a run without subsamples. */
static void one_stopped_among_the_subsamples_is_not_complete(void **state)
{
    struct stopper stopper = {0};
    dcpn_cv_options options = {.folds = 3, .subsamples = 8};
    dcpn_cv *cv = NULL;
    char *json = NULL;
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = stop_at_a_call;
    options.path.user = &stopper;
    dcpn_cv *whole = cv_of(of_classes, NULL, &options);
    assert_non_null(whole->stability);
    int64_t all = stopper.calls;
    options.subsamples = 0;
    stopper.calls = 0;
    dcpn_cv_free(cv_of(of_classes, NULL, &options));
    int64_t stops[] = {stopper.calls + 1, (stopper.calls + all) / 2, all};
    options.subsamples = 8;
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        stopper = (struct stopper){.stops_at = stops[k]};
        assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &options, &cv), DCPN_OK);
        assert_false(cv->is_complete);
        assert_null(cv->stability);
        assert_int_equal(cv->min.point, whole->min.point);
        assert_true(cv->sparse.mean == whole->sparse.mean);
        assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &json), DCPN_USAGE);
        assert_contains(dcpn_last_error(context), "stability selection that was ended early");
        dcpn_cv_free(cv);
    }
    dcpn_cv_free(whole);
}

struct counted {
    int64_t done, total; /* of the last call */
};

static int keep_count(void *user, const dcpn_path_progress *progress)
{
    struct counted *counted = user;
    assert_in_range(progress->done, counted->done, progress->total);
    if (counted->total) assert_in_range(progress->total, 1, counted->total); /* an early end spares some */
    counted->done = progress->done;
    counted->total = progress->total;
    return 0;
}

/* One thread: fits are done one after the other. */
static void fits_to_subsamples_are_counted(void **state)
{
    struct counted counted = {0};
    dcpn_cv_options options = {.folds = 3, .subsamples = 8};
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = keep_count;
    options.path.user = &counted;
    dcpn_cv *cv = cv_of(of_classes, NULL, &options);
    assert_true(counted.total >= 4 * cv->first[1] + 8 * cv->stability->points);
    assert_true(counted.done >= counted.total - 1); /* the last fit, or a look for lower ends after it */
    dcpn_cv_free(cv);
}

/* ---- memory ---- */

struct meter {
    atomic_size_t now, most;
};

enum { HEAD = 64 }; /* before each block, its size */

static void *allocate_metered(void *user, size_t bytes)
{
    struct meter *meter = user;
    char *memory = malloc(bytes + HEAD);
    if (!memory) return NULL;
    memcpy(memory, &bytes, sizeof bytes);
    size_t now = atomic_fetch_add(&meter->now, bytes) + bytes, most = atomic_load(&meter->most);
    while (now > most && !atomic_compare_exchange_weak(&meter->most, &most, now)) continue;
    return memory + HEAD;
}

static void release_metered(void *user, void *memory)
{
    struct meter *meter = user;
    size_t bytes;
    if (!memory) return;
    memcpy(&bytes, (char *)memory - HEAD, sizeof bytes);
    atomic_fetch_sub(&meter->now, bytes);
    free((char *)memory - HEAD);
}

/* Whatever the limit: it holds, and what is refused says how many bytes it needs. */
static void run_within(size_t limit, int threads, int64_t *done, int64_t *refused_in_folds)
{
    enum { PARTS = 3 };
    struct meter meter = {0};
    const dcpn_allocator allocator = {allocate_metered, release_metered, &meter};
    dcpn_context *limited = dcpn_context_new(&allocator);
    dcpn_cv_options options = {.folds = PARTS, .subsamples = PARTS};
    dcpn_cv *cv = NULL;
    options.path.lambda_count = 4;
    dcpn_context_set_memory_limit(limited, limit);
    dcpn_context_set_threads(limited, threads);
    dcpn_status status = dcpn_cv_run(limited, of_classes, NULL, &options, &cv);
    assert_true(meter.most <= limit + (1 + PARTS) * sizeof *limited); /* contexts themselves do not count */
    if (status == DCPN_OK) {
        ++*done;
    } else {
        assert_int_equal(status, DCPN_MEMORY);
        assert_contains(dcpn_last_error(limited), "bytes are needed besides");
        *refused_in_folds += strncmp(dcpn_last_error(limited), "fold ", 5) == 0;
    }
    dcpn_cv_free(cv);
    assert_int_equal(limited->memory_in_use, 0);
    dcpn_context_free(limited);
    assert_int_equal(meter.now, 0);
}

static void folds_are_within_the_limit_of_memory(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        int64_t done = 0, refused_in_folds = 0;
        for (size_t limit = 1000; limit < 4000000; limit = limit * 6 / 5)
            run_within(limit, threads, &done, &refused_in_folds);
        assert_true(done > 3 && refused_in_folds > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_fits_to_the_other_rows),
        cmocka_unit_test(unlabelled_rows_are_not_measured),
        cmocka_unit_test(a_regression_has_labels_of_0),
        cmocka_unit_test(the_limit_of_time_is_that_of_all_folds),
        cmocka_unit_test(means_errors_and_choices),
        cmocka_unit_test(ties_count_half),
        cmocka_unit_test(one_se_is_one),
        cmocka_unit_test(the_greatest_auc_is_the_best),
        cmocka_unit_test(planted_features_are_stable),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(an_interrupted_one_chooses_nothing),
        cmocka_unit_test(one_stopped_among_the_subsamples_is_not_complete),
        cmocka_unit_test(fits_to_subsamples_are_counted),
        cmocka_unit_test(folds_are_within_the_limit_of_memory),
    };
    return cmocka_run_group_tests_name("problems.cv", tests, setup, teardown);
}
