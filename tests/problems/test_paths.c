/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths: every point has the certificate of a single fit, recomputed by naive code; they start where no feature is
 * kept; standardisation is the fit to standardised data; a solver that is changed and continued allocates nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "faulty_allocator.h"
#include "support/problems_paths.h"

static void every_point_has_its_certificate(void **state)
{
    static const char *const losses[] = {"logistic", "squared", "huber"};
    static const char *const penalties[] = {"l1", "mcp", "scad", "capped-l1", "log"};
    static const enum problems_storage storages[] = {PROBLEMS_CSR, PROBLEMS_COLUMN_MAJOR, PROBLEMS_CSC_FLOAT32};
    struct problems_data data = problems_data_new(60, 12, 0.6, 4);
    (void)state;
    for (size_t l = 0; l < 3; l++) {
        dcpn_settings settings = problems_settings(losses[l], "l1", NULL, NULL);
        settings.intercept = l != 1;
        settings.ridge = 0.5;
        settings.scale = l == 0 ? "mean" : "sum";
        dcpn_path_options options = {
            .lambda_count = 7, .min_ratio = 0.05, .penalties = penalties, .penalty_count = 5, .saturation = 1.0};
        struct problems_data stored = data;
        dcpn_paths *paths = paths_of(&stored, storages[l], &settings, &options);
        assert_int_equal(paths->count, 5);
        for (int64_t v = 0; v < paths->count; v++) {
            assert_string_equal(paths->paths[v].settings.penalty, penalties[v]);
            assert_int_equal(paths->paths[v].count, 7);
            assert_int_equal(paths->paths[v].end, DCPN_PATH_ALL);
        }
        if (storages[l] != PROBLEMS_CSC_FLOAT32) assert_points_certified(&data, paths);
        dcpn_paths_free(paths);
    }
    problems_data_free(&data);
}

/* Features of factor 0 are in use from the start; the others are not, and one of them is at a slightly smaller
 * lambda. */
static int64_t penalised_in_use(const struct problems_data *data, const dcpn_path *path, int64_t k)
{
    const dcpn_path_point *point = &path->points[k];
    int64_t count = 0;
    for (int64_t i = 0; i < point->fit.nonzeros; i++)
        count += !data->factors || data->factors[path->index[point->first + i]] > 0.0;
    return count;
}

static void paths_start_where_no_feature_is_kept(void **state)
{
    static const char *const penalties[] = {"l1", "mcp", "log", "lp", "capped-l1"};
    (void)state;
    for (int variant = 0; variant < 16; variant++) {
        struct problems_data data = problems_data_new(40, 15, 0.7, (uint64_t)variant + 1);
        dcpn_settings settings =
            problems_settings(variant & 1 ? "logistic" : "squared", penalties[variant % 5], NULL, NULL);
        settings.intercept = (variant >> 1) & 1;
        settings.scale = (variant >> 2) & 1 ? "mean" : "sum";
        settings.standardize = (variant >> 3) & 1;
        settings.tol = 1e-7;
        if (variant % 3 == 0) problems_data_plain(&data);
        dcpn_path_options options = {.lambda_count = 2, .min_ratio = 0.99, .saturation = 1.0};
        dcpn_paths *paths = paths_of(&data, PROBLEMS_CSR, &settings, &options);
        assert_true(paths->paths[0].points[0].lambda == paths->paths[0].lambda_max);
        assert_int_equal(penalised_in_use(&data, &paths->paths[0], 0), 0);
        assert_true(penalised_in_use(&data, &paths->paths[0], 1) > 0);
        dcpn_paths_free(paths);
        problems_data_free(&data);
    }
}

/* The null deviance is that of the first point if there is nothing but an intercept in it. */
/* With few positive rows the best constant under smooth-ramp is where the loss is flat, and a path must not stay
 * there. */
static void a_flat_null_model_is_left(void **state)
{
    enum { POINTS = 8 };
    struct problems_data data = problems_data_new(120, 6, 1.0, 5);
    dcpn_settings settings = problems_settings("smooth-ramp", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = POINTS, .min_ratio = 0.01, .saturation = 1.0};
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < data.rows; i++) data.classes[i] = data.A[i * data.columns] > 0.9 ? 1.0 : -1.0;
    settings.intercept = 1;
    settings.scale = "mean";
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_points_certified(&data, paths);
    assert_true(paths->paths[0].lambda_max > 1e-2);
    for (int64_t k = POINTS / 2; k < POINTS; k++) {
        const dcpn_path_point *point = &paths->paths[0].points[k];
        settings.lambda = point->lambda;
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        assert_true(point->fit.nonzeros > 0);
        assert_true(point->fit.objective <= fit.result.objective * (1.0 + 1e-4));
        problems_fit_free(&fit);
    }
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

static void the_null_deviance_is_that_of_the_null_model(void **state)
{
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        struct problems_data data = problems_data_new(50, 8, 1.0, 3);
        dcpn_settings settings = problems_settings(variant & 1 ? "logistic" : "huber", "l1", NULL, NULL);
        settings.intercept = variant >> 1;
        settings.tol = 1e-9;
        for (int64_t j = 0; j < data.columns; j++) data.factors[j] = 1.0;
        dcpn_path_options options = {.lambda_count = 3};
        dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
        problems_assert_close(paths->null_deviance, paths->paths[0].points[0].deviance, 1e-10, "null deviance");
        problems_assert_close(paths->null_deviance, 2.0 * paths->paths[0].points[0].fit.objective, 1e-10, "objective");
        dcpn_paths_free(paths);
        problems_data_free(&data);
    }
}

/* Columns divided by hand by their weighted deviation. */
static void scale_columns(struct problems_data *data, double *scale)
{
    double total = 0.0;
    for (int64_t i = 0; i < data->rows; i++) total += data->weights[i];
    for (int64_t j = 0; j < data->columns; j++) {
        double mean = 0.0, variance = 0.0;
        for (int64_t i = 0; i < data->rows; i++) mean += data->weights[i] * data->A[i * data->columns + j] / total;
        for (int64_t i = 0; i < data->rows; i++) {
            double gap = data->A[i * data->columns + j] - mean;
            variance += data->weights[i] * gap * gap / total;
        }
        scale[j] = sqrt(variance);
        for (int64_t i = 0; i < data->rows; i++) data->A[i * data->columns + j] /= scale[j];
    }
}

static void standardized_is_the_fit_to_standardized_columns(void **state)
{
    double scale[10];
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        struct problems_data data = problems_data_new(60, 10, variant & 1 ? 0.5 : 1.0, 8);
        for (int64_t k = 0; k < 60 * 10; k++)
            if (data.A[k] != 0.0) data.A[k] = data.A[k] * (1.0 + (double)(k % 10)) + (variant & 1 ? 0.0 : 5.0);
        struct problems_data scaled = problems_data_copy(&data);
        dcpn_settings settings = problems_settings(variant & 2 ? "squared" : "logistic", "mcp", NULL, NULL);
        settings.intercept = variant >> 2;
        settings.lambda = 2.0;
        settings.tol = 1e-10;
        settings.gamma = 20.0;
        scale_columns(&scaled, scale);
        struct problems_fit plain = problems_solve(context, &scaled, PROBLEMS_CSR, &settings, NULL);
        settings.standardize = 1;
        struct problems_fit fit =
            problems_solve(context, &data, variant & 1 ? PROBLEMS_CSR : PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_int_equal(fit.status, DCPN_OK);
        problems_assert_close(fit.result.objective, plain.result.objective, 1e-10, "objective");
        for (int64_t j = 0; j < 10; j++)
            if (!(fabs(fit.x[j] * scale[j] - plain.x[j]) <= 1e-6)) fail_msg("coefficient %lld", (long long)j);
        if (!(fabs(fit.intercept - plain.intercept) <= 1e-5))
            fail_msg("intercept %g %g", fit.intercept, plain.intercept);
        /* from its own solution there is nothing left to do */
        struct problems_fit again = problems_solve(context, &data, PROBLEMS_CSR, &settings, fit.x);
        problems_assert_close(again.result.objective, fit.result.objective, 1e-10, "objective from the solution");
        problems_fit_free(&again);
        problems_fit_free(&plain);
        problems_fit_free(&fit);
        problems_data_free(&data);
        problems_data_free(&scaled);
    }
}

/* Free of penalty, beside an intercept, it has nothing to do; by a rounded mean 1e-17 of it would be left to grow
 * on. */
static void a_constant_column_is_no_second_intercept(void **state)
{
    enum { ROWS = 63, COLUMNS = 4 };
    const double constants[] = {1.0, 7.0, 0.1, 1.0 / 3.0, 1e6 + 0.1};
    (void)state;
    for (int variant = 0; variant < 20; variant++) {
        struct problems_data data = problems_data_new(ROWS, COLUMNS, variant & 1 ? 0.5 : 1.0, 21);
        problems_data_plain(&data);
        double constant = constants[variant / 4];
        for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS] = 0.0;
        dcpn_settings settings = problems_settings(variant & 2 ? "logistic" : "squared", "l1", NULL, NULL);
        settings.intercept = settings.standardize = 1;
        settings.tol = 1e-10;
        struct problems_fit without = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
        for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS] = constant;
        double factors[COLUMNS] = {0.0, 1.0, 1.0, 1.0}, *before = data.factors;
        data.factors = factors;
        struct problems_fit fit =
            problems_solve(context, &data, variant & 1 ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        assert_int_equal(fit.status, DCPN_OK);
        problems_assert_close(fit.result.objective, without.result.objective, 1e-9, "objective");
        problems_assert_close(fit.intercept + constant * fit.x[0], without.intercept, 1e-6, "intercept");
        assert_true(fabs(fit.x[0] * constant) < 10.0);
        for (int64_t j = 1; j < COLUMNS; j++) assert_true(fabs(fit.x[j] - without.x[j]) < 1e-6);
        data.factors = before;
        problems_fit_free(&without), problems_fit_free(&fit);
        problems_data_free(&data);
    }
}

/* A time in every row beside columns that are mostly 0: as well conditioned as in a dense matrix. */
static void a_full_column_of_a_sparse_matrix_is_centred(void **state)
{
    enum { ROWS = 80, COLUMNS = 9 };
    (void)state;
    for (int variant = 0; variant < 8; variant++) {
        struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.3, 31);
        problems_data_plain(&data);
        for (int64_t i = 0; i < ROWS; i++)
            data.A[i * COLUMNS + 4] = 1.6e9 + 1000.0 * (double)(i * 37 % ROWS) + 500.0 * data.classes[i];
        dcpn_settings settings = problems_settings(variant & 1 ? "squared" : "logistic", "l1", NULL, NULL);
        settings.intercept = 1;
        settings.standardize = variant >> 2;
        settings.lambda = 0.1;
        struct problems_fit dense = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        struct problems_fit sparse =
            problems_solve(context, &data, variant & 2 ? PROBLEMS_CSR : PROBLEMS_CSC, &settings, NULL);
        assert_int_equal(sparse.result.outcome, DCPN_CONVERGED);
        assert_true(sparse.result.passes < 300.0);
        problems_assert_close(sparse.result.objective, dense.result.objective, 1e-7, "objective");
        assert_true(fabs(sparse.x[4]) > 0.0);
        problems_fit_free(&dense), problems_fit_free(&sparse);
        problems_data_free(&data);
    }
}

/* A column of times: its deviation is less than a millionth of its mean, and is found in every storage. */
static void a_column_far_from_0_has_a_deviation_too(void **state)
{
    (void)state;
    for (int storage = 0; storage < PROBLEMS_STORAGE_COUNT; storage++) {
        struct problems_data data = problems_data_new(60, 4, 0.9, 12);
        int is_float = storage == PROBLEMS_ROW_MAJOR_FLOAT32 || storage == PROBLEMS_CSC_FLOAT32;
        double far = is_float ? 16000000.0 : 1e9, mean = 0.0, variance = 0.0, slope = 0.0, lambda_max = NAN;
        problems_data_plain(&data);
        for (int64_t i = 0; i < 60; i++) {
            data.A[4 * i] = far + (double)(i % 7);
            for (int64_t j = 1; j < 4; j++) data.A[4 * i + j] *= 1e-9;
            mean += data.A[4 * i] / 60.0;
            slope += data.A[4 * i] * data.numbers[i];
        }
        for (int64_t i = 0; i < 60; i++) variance += (data.A[4 * i] - mean) * (data.A[4 * i] - mean) / 60.0;
        dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
        settings.standardize = 1;
        dcpn_matrix *A = problems_matrix(context, &data, (enum problems_storage)storage);
        dcpn_problem *problem = NULL;
        dcpn_solver *solver = NULL;
        assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_lambda_max(solver, &lambda_max), DCPN_OK);
        problems_assert_close(lambda_max, fabs(slope) / sqrt(variance), 1e-6, "lambda_max");
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

/* The second dimension is ordered from the convex end, and each path is no worse than a cold one by much: at least, the
 * first one of each value is a path of its own with the same lambdas. */
/* A year that is the same in nearly all rows: it is centred, and the fit that of the years less 2000. */
static void a_far_column_of_few_other_values_is_centred(void **state)
{
    static const enum problems_storage storages[] = {PROBLEMS_COLUMN_MAJOR, PROBLEMS_ROW_MAJOR, PROBLEMS_CSR};
    enum { MANY = 1000 };
    double objective[2];
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        for (int k = 0; k < 2; k++) {
            struct problems_data data = problems_data_new(MANY, 3, 1.0, 14);
            problems_data_plain(&data);
            for (int64_t i = 0; i < MANY; i++) {
                double year = i % 125 == 7 ? (double)(i % 3 - 1) * 3.0 : 0.0;
                data.A[3 * i] = year + (k ? 1.7e9 : 0.0);
                data.numbers[i] += 3.0 * year;
            }
            dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
            settings.intercept = 1;
            settings.tol = 1e-6;
            struct problems_fit fit = problems_solve(context, &data, storages[s], &settings, NULL);
            assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
            objective[k] = fit.result.objective;
            problems_fit_free(&fit);
            problems_data_free(&data);
        }
        problems_assert_close(objective[0], objective[1], 1e-6, "objective");
    }
}

static void the_second_dimension_starts_at_the_convex_end(void **state)
{
    static const double values[] = {2.0, 50.0, 8.0};
    struct problems_data data = problems_data_new(80, 20, 1.0, 6);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 6, .min_ratio = 0.05, .values = values, .value_count = 3};
    (void)state;
    settings.scale = "mean";
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_int_equal(paths->count, 3);
    assert_true(paths->paths[0].value == 50.0 && paths->paths[1].value == 8.0 && paths->paths[2].value == 2.0);
    assert_points_certified(&data, paths);
    for (int64_t v = 0; v < 3; v++) {
        assert_string_equal(paths->paths[v].varying, "gamma");
        assert_true(paths->paths[v].settings.gamma == paths->paths[v].value);
        assert_int_equal(paths->paths[v].points[0].is_locally_convex, 1);
    }
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

/* l1 is convex, capped-l1 with anything in use is not, and with 0 features to look at nothing is known. */
static void convexity_of_the_extremes(void **state)
{
    static const char *const penalties[] = {"l1", "capped-l1", "mcp"};
    struct problems_data data = problems_data_new(50, 6, 1.0, 2);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_path_options options = {
        .lambda_count = 4, .min_ratio = 0.1, .penalties = penalties, .penalty_count = 3, .convexity_limit = 6};
    (void)state;
    problems_data_plain(&data);
    settings.theta = 100.0;
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    for (int64_t k = 0; k < 4; k++) {
        assert_int_equal(paths->paths[0].points[k].is_locally_convex, 1);
        assert_int_equal(paths->paths[1].points[k].is_locally_convex, k == 0);
    }
    dcpn_paths_free(paths);
    options.convexity_limit = -1;
    paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_int_equal(paths->paths[2].points[3].is_locally_convex, -1);
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

static void a_saturated_path_ends(void **state)
{
    static const double lambdas[] = {1e-3, 1.0, 1e-6, 1e-5};
    struct problems_data data = problems_data_new(12, 30, 1.0, 2);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 100, .min_ratio = 1e-6};
    (void)state;
    problems_data_plain(&data);
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    const dcpn_path *path = &paths->paths[0];
    assert_int_equal(path->end, DCPN_PATH_SATURATED);
    assert_true(path->count < 100);
    assert_true(path->points[path->count - 1].deviance < 0.001 * paths->null_deviance);
    assert_true(path->points[path->count - 2].deviance > 0.001 * paths->null_deviance);
    dcpn_paths_free(paths);
    options = (dcpn_path_options){.lambdas = lambdas, .lambda_count = 4}; /* given ones are all done, in their order */
    paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_int_equal(paths->paths[0].count, 4);
    assert_true(paths->paths[0].points[0].lambda == 1.0 && paths->paths[0].points[3].lambda == 1e-6);
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

static int stop_at_third(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    assert_int_equal(progress->fold, -1);
    assert_int_equal(progress->total, 10);
    return progress->done >= 2;
}

static void the_observer_ends_a_path(void **state)
{
    struct problems_data data = problems_data_new(50, 10, 1.0, 2);
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 10, .observer = stop_at_third};
    (void)state;
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_int_equal(paths->paths[0].end, DCPN_PATH_INTERRUPTED);
    assert_int_equal(paths->paths[0].count, 3);
    assert_int_equal(paths->paths[0].points[2].fit.outcome, DCPN_INTERRUPTED);
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

static void a_solver_is_changed_and_continued_without_memory(void **state)
{
    struct faulty faulty = {0};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
    dcpn_context *counted = dcpn_context_new(&allocator);
    struct problems_data data = problems_data_new(60, 12, 0.6, 4);
    (void)state;
    for (int active = 0; active < 2; active++) {
        dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
        dcpn_matrix *A = problems_matrix(counted, &data, PROBLEMS_CSR);
        dcpn_problem *problem = problem_of(counted, &data, A, "logistic");
        dcpn_solver *solver = NULL;
        settings.active_set = active ? "on" : "off";
        settings.lambda = 8.0;
        assert_int_equal(dcpn_solver_new(counted, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_continue(solver), DCPN_OK); /* never run: from the start */
        int64_t calls = faulty.calls;
        for (settings.lambda = 8.0; settings.lambda > 0.5; settings.lambda *= 0.8) {
            settings.gamma = 1.0 + settings.lambda;
            assert_int_equal(dcpn_solver_set_lambda(solver, settings.lambda), DCPN_OK);
            assert_int_equal(dcpn_solver_set_shape(solver, "gamma", settings.gamma), DCPN_OK);
            assert_int_equal(dcpn_solver_continue(solver), DCPN_OK);
            struct problems_fit fit = {DCPN_OK, *dcpn_solver_result(solver), problems_memory(12, sizeof(double)),
                                       dcpn_solver_intercept(solver), 12};
            memcpy(fit.x, dcpn_solver_coefficients(solver), 12 * sizeof(double));
            problems_assert_converged(&data, &settings, &fit);
            problems_fit_free(&fit);
        }
        assert_int_equal(faulty.calls, calls);
        assert_int_equal(dcpn_solver_set_lambda(solver, -1.0), DCPN_USAGE);
        assert_int_equal(dcpn_solver_set_shape(solver, "tau", 1.0), DCPN_USAGE);
        assert_int_equal(dcpn_solver_set_shape(solver, "gamma", -1.0), DCPN_USAGE);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
    problems_data_free(&data);
    dcpn_context_free(counted);
    assert_int_equal(faulty.out, 0);
}

static void wrong_options_are_refused(void **state)
{
    static const double negative[] = {1.0, -1.0};
    static const char *const twice[] = {"l1", "l1"}, *const unknown[] = {"l17"};
    static const char *const three[] = {"l1", "mcp", "scad"};
    const dcpn_path_options wrong[] = {
        {.lambdas = negative, .lambda_count = 2},
        {.min_ratio = 1.5},
        {.lambda_count = -1},
        {.penalties = twice, .penalty_count = 2},
        {.penalties = unknown, .penalty_count = 1},
        {.penalties = unknown, .penalty_count = 0},
        {.penalties = unknown, .penalty_count = -1},
        {.lambda_count = INT64_MAX},
        {.lambda_count = INT64_MAX, .penalties = three, .penalty_count = 3},
        {.lambda_count = INT32_MAX / 3 + 1, .penalties = three, .penalty_count = 3},
    };
    struct problems_data data = problems_data_new(20, 4, 1.0, 1);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = problem_of(context, &data, A, "logistic");
    dcpn_paths *paths = NULL;
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(dcpn_paths_fit(context, problem, NULL, &wrong[k], &paths), DCPN_USAGE);
        assert_null(paths);
    }
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_point_has_its_certificate),
        cmocka_unit_test(paths_start_where_no_feature_is_kept),
        cmocka_unit_test(a_flat_null_model_is_left),
        cmocka_unit_test(the_null_deviance_is_that_of_the_null_model),
        cmocka_unit_test(standardized_is_the_fit_to_standardized_columns),
        cmocka_unit_test(a_constant_column_is_no_second_intercept),
        cmocka_unit_test(a_full_column_of_a_sparse_matrix_is_centred),
        cmocka_unit_test(a_column_far_from_0_has_a_deviation_too),
        cmocka_unit_test(a_far_column_of_few_other_values_is_centred),
        cmocka_unit_test(the_second_dimension_starts_at_the_convex_end),
        cmocka_unit_test(convexity_of_the_extremes),
        cmocka_unit_test(a_saturated_path_ends),
        cmocka_unit_test(the_observer_ends_a_path),
        cmocka_unit_test(a_solver_is_changed_and_continued_without_memory),
        cmocka_unit_test(wrong_options_are_refused),
    };
    return cmocka_run_group_tests_name("problems.paths", tests, setup, teardown);
}
