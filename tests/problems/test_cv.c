/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: a fold is the fit to the other rows, measured by naive code; files are the same bytes for any number
 * of threads; models come back out of the files; stability selection finds planted features. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "scratch.h"
#include "support/problems_naive.h"

enum { ROWS = 60, COLUMNS = 12, FOLDS = 4, LAMBDAS = 6 };

static dcpn_context *context;
static struct problems_data data;
static dcpn_matrix *A;
static dcpn_problem *of_classes, *of_numbers;

static dcpn_problem *problem_of(const double *labels)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, data.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, data.offset), DCPN_OK);
    return problem;
}

static int setup(void **state)
{
    if (enter_scratch(state) != 0) return -1;
    context = dcpn_context_new(NULL);
    data = problems_data_new(ROWS, COLUMNS, 0.7, 11);
    A = problems_matrix(context, &data, PROBLEMS_CSR);
    of_classes = problem_of(data.classes);
    of_numbers = problem_of(data.numbers);
    return 0;
}

static int teardown(void **state)
{
    dcpn_problem_free(of_classes);
    dcpn_problem_free(of_numbers);
    dcpn_matrix_free(A);
    problems_data_free(&data);
    dcpn_context_free(context);
    return leave_scratch(state);
}

static dcpn_cv *cv_of(const dcpn_problem *problem, const dcpn_settings *settings, const dcpn_cv_options *options)
{
    dcpn_cv *cv = NULL;
    if (dcpn_cv_run(context, problem, settings, options, &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_true(cv->is_complete);
    return cv;
}

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

/* ---- threads and files ---- */

/* All but the line with the times. */
static char *text_without_times(const char *path)
{
    char *text = get_text_of(path), *timing = strstr(text, "\n  \"timing\"");
    assert_non_null(timing);
    *timing = '\0';
    return text;
}

static void the_same_bytes_for_any_number_of_threads(void **state)
{
    static const char *const penalties[] = {"l1", "capped-l1"};
    static const double values[] = {1.0, 0.3};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .seed = 8, .subsamples = 9};
    char *first = NULL;
    (void)state;
    settings.ridge = 0.1;
    settings.intercept = 1;
    settings.standardize = 1;
    options.path = (dcpn_path_options){.lambda_count = 8,
                                       .penalties = penalties,
                                       .penalty_count = 2,
                                       .values = values,
                                       .value_count = 2,
                                       .min_ratio = 0.1};
    for (int threads = 1; threads <= 4; threads++) {
        dcpn_context_set_threads(context, threads);
        dcpn_cv *cv = cv_of(of_classes, &settings, &options);
        assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "cv.json"), DCPN_OK);
        char *text = text_without_times("cv.json");
        if (first) assert_string_equal(text, first);
        if (first) free(text);
        if (!first) first = text;
        dcpn_cv_free(cv);
    }
    free(first);
    dcpn_context_set_threads(context, 1);
}

static void assert_model_is(const dcpn_model *model, const dcpn_paths *paths, int64_t v, int64_t k)
{
    const dcpn_path *path = &paths->paths[v];
    const dcpn_path_point *point = &path->points[k];
    assert_string_equal(model->settings.penalty, path->settings.penalty);
    assert_true(model->settings.lambda == point->lambda);
    assert_true(model->settings.theta == path->settings.theta);
    assert_true(model->intercept == point->intercept);
    assert_true(model->fit.objective == point->fit.objective);
    assert_int_equal(model->nonzeros, point->fit.nonzeros);
    assert_memory_equal(model->index, path->index + point->first, (size_t)model->nonzeros * sizeof *model->index);
    assert_memory_equal(model->value, path->value_of + point->first, (size_t)model->nonzeros * sizeof *model->value);
}

static dcpn_status read_at(const char *path, const dcpn_selection *selection, dcpn_model **model)
{
    return dcpn_model_read_at(context, path, selection, model);
}

static void models_come_back_from_the_files(void **state)
{
    static const char *const penalties[] = {"l1", "log"};
    static const double values[] = {2.0, 0.5};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 3};
    dcpn_model *model = NULL;
    (void)state;
    settings.intercept = 1;
    options.path = (dcpn_path_options){.lambda_count = 5,
                                       .penalties = penalties,
                                       .penalty_count = 2,
                                       .values = values,
                                       .value_count = 2,
                                       .min_ratio = 0.1};
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "cv.json"), DCPN_OK);
    assert_int_equal(dcpn_paths_write(cv->paths, NULL, "path.json"), DCPN_OK);
    for (int64_t v = 0; v < cv->paths->count; v++)
        for (int64_t k = 0; k < cv->paths->paths[v].count; k++) {
            const dcpn_path *path = &cv->paths->paths[v];
            dcpn_selection which = {.has_lambda = 1,
                                    .lambda = path->points[k].lambda,
                                    .penalty = path->settings.penalty,
                                    .has_value = path->varying != NULL,
                                    .value = path->value};
            assert_int_equal(read_at(v % 2 ? "cv.json" : "path.json", &which, &model), DCPN_OK);
            assert_model_is(model, cv->paths, v, k);
            dcpn_model_free(model);
        }
    assert_int_equal(dcpn_model_read(context, "cv.json", &model), DCPN_OK); /* the file's own rule: 1se */
    assert_model_is(model, cv->paths, cv->sparse.path, cv->sparse.point);
    dcpn_model_free(model);
    assert_int_equal(read_at("cv.json", &(dcpn_selection){.rule = "min"}, &model), DCPN_OK);
    assert_model_is(model, cv->paths, cv->min.path, cv->min.point);
    dcpn_model_free(model);
    dcpn_cv_free(cv);
}

/* Half-way between two lambdas of an l1 path: the mean of both. */
static void an_l1_path_is_interpolated(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 5, .min_ratio = 0.1};
    dcpn_paths *paths = NULL;
    dcpn_model *upper, *lower, *middle;
    double expected[COLUMNS] = {0}, found[COLUMNS] = {0};
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    const dcpn_path_point *points = paths->paths[0].points;
    dcpn_selection which = {.has_lambda = 1, .lambda = 0.5 * (points[2].lambda + points[3].lambda)};
    assert_int_equal(dcpn_paths_model(paths, 0, 2, 1, &upper), DCPN_OK);
    assert_int_equal(dcpn_paths_model(paths, 0, 3, 1, &lower), DCPN_OK);
    assert_int_equal(read_at("path.json", &which, &middle), DCPN_OK);
    for (int64_t k = 0; k < upper->nonzeros; k++) expected[upper->index[k]] += 0.5 * upper->value[k];
    for (int64_t k = 0; k < lower->nonzeros; k++) expected[lower->index[k]] += 0.5 * lower->value[k];
    for (int64_t k = 0; k < middle->nonzeros; k++) found[middle->index[k]] = middle->value[k];
    for (int64_t j = 0; j < COLUMNS; j++) assert_true(fabs(found[j] - expected[j]) <= 1e-12);
    assert_true(isnan(middle->fit.objective));
    assert_true(middle->settings.lambda == which.lambda);
    dcpn_model_free(upper);
    dcpn_model_free(lower);
    dcpn_model_free(middle);
    dcpn_paths_free(paths);
}

static void what_cannot_be_selected_is_refused(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 3};
    dcpn_paths *paths = NULL;
    dcpn_model *model = NULL;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    assert_int_equal(dcpn_paths_model(paths, 0, 1, 1, &model), DCPN_OK);
    assert_int_equal(dcpn_model_write(model, "model.json"), DCPN_OK);
    dcpn_model_free(model);
    assert_int_equal(dcpn_paths_model(paths, 0, 3, 1, &model), DCPN_USAGE);
    const dcpn_selection lambda = {.has_lambda = 1, .lambda = 0.1}, rule = {.rule = "min"},
                         penalty = {.has_lambda = 1, .lambda = 0.1, .penalty = "l1"};
    assert_int_equal(dcpn_model_read(context, "path.json", &model), DCPN_USAGE);
    assert_int_equal(read_at("path.json", &rule, &model), DCPN_USAGE);
    assert_int_equal(read_at("path.json", &penalty, &model), DCPN_USAGE);
    assert_int_equal(read_at("model.json", &lambda, &model), DCPN_USAGE);
    assert_int_equal(read_at("model.json", NULL, &model), DCPN_OK);
    dcpn_model_free(model);
    dcpn_paths_free(paths);
}

/* Cut anywhere, or with a member gone, a file is refused and never believed. */
static void damaged_files_are_refused(void **state)
{
    static const char *const members[] = {"\"paths\"",   "\"points\"",   "\"coef\"",      "\"lambda\"", "\"params\"",
                                          "\"version\"", "\"features\"", "\"intercept\"", "\"data\"",   "\"metric\""};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 3};
    const dcpn_selection which = {.has_lambda = 1, .lambda = 1.0};
    dcpn_paths *paths = NULL;
    dcpn_model *model = NULL;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    char *text = get_text_of("path.json");
    size_t length = strlen(text);
    for (size_t k = 0; k + 2 < length; k += 37) {
        put_bytes("cut.json", text, k);
        assert_int_equal(read_at("cut.json", &which, &model), DCPN_MODEL);
    }
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        char *changed = strdup(text);
        /* the key of every occurrence is spoilt, so that the member is missing wherever it belongs */
        for (char *at = strstr(changed, members[k]); at; at = strstr(at + 1, members[k])) at[1] = '_';
        put_text("changed.json", changed);
        dcpn_status status = read_at("changed.json", &which, &model);
        if (status != DCPN_MODEL && status != DCPN_USAGE) fail_msg("without %s: %d", members[k], (int)status);
        assert_null(model);
        free(changed);
    }
    free(text);
    dcpn_paths_free(paths);
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
    int64_t beyond[ROWS] = {0}, one_class[ROWS];
    dcpn_cv *cv = NULL;
    (void)state;
    beyond[3] = 2;
    for (int64_t i = 0; i < ROWS; i++) one_class[i] = data.classes[i] == 3.0;
    const struct {
        dcpn_cv_options options;
        dcpn_status status;
        const char *sentence;
    } wrong[] = {
        {{.folds = 1}, DCPN_USAGE, "folds"},
        {{.measure = "mse"}, DCPN_USAGE, "expected deviance, error or auc"},
        {{.rule = "2se"}, DCPN_USAGE, "rule"},
        {{.folds = 2, .fold_of = beyond}, DCPN_DATA, "fold of row 4"},
        {{.folds = 2, .fold_of = one_class}, DCPN_DATA, "fold 1: labels: found the one class"},
        {{.subsamples = -1}, DCPN_USAGE, "stability"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &wrong[k].options, &cv), wrong[k].status);
        assert_contains(dcpn_last_error(context), wrong[k].sentence);
        assert_null(cv);
    }
}

static int stop_in_the_second_fold(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    return progress->fold == 1;
}

static void an_interrupted_one_chooses_nothing(void **state)
{
    dcpn_cv_options options = {.folds = 3};
    dcpn_cv *cv = NULL;
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = stop_in_the_second_fold;
    assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &options, &cv), DCPN_OK);
    assert_false(cv->is_complete);
    assert_int_equal(cv->min.path, -1);
    assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "nothing.json"), DCPN_USAGE);
    dcpn_cv_free(cv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_fits_to_the_other_rows),
        cmocka_unit_test(unlabelled_rows_are_not_measured),
        cmocka_unit_test(means_errors_and_choices),
        cmocka_unit_test(ties_count_half),
        cmocka_unit_test(one_se_is_one),
        cmocka_unit_test(the_greatest_auc_is_the_best),
        cmocka_unit_test(the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(models_come_back_from_the_files),
        cmocka_unit_test(an_l1_path_is_interpolated),
        cmocka_unit_test(what_cannot_be_selected_is_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(planted_features_are_stable),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(an_interrupted_one_chooses_nothing),
    };
    return cmocka_run_group_tests_name("problems.cv", tests, setup, teardown);
}
