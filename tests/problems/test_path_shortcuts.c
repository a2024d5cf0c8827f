/* SPDX-License-Identifier: BSD-3-Clause */
/* What makes paths cheap leads to the same ends: columns that are not read, steps that are foreseen, Gram matrices,
 * short lists; and what makes them end lower does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "faulty_allocator.h"
#include "base/rng.h"
#include "support/problems_paths.h"

/* With many more features than rows most gradients are known well enough from a larger lambda; the certificates, by
 * naive code over all features, hold all the same. */
static void columns_that_cannot_matter_are_not_read(void **state)
{
    static const char *const penalties[] = {"l1", "mcp", "scad", "capped-l1"};
    static const enum problems_storage storages[] = {PROBLEMS_CSR, PROBLEMS_COLUMN_MAJOR};
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        struct problems_data data = problems_data_new(60, 5000, 1.0, 21 + s);
        problems_data_plain(&data); /* free features would fit all rows */
        dcpn_settings settings = problems_settings(s ? "logistic" : "squared", "l1", NULL, NULL);
        settings.intercept = 1;
        settings.ridge = s ? 0.3 : 0.0;
        settings.tol = 1e-4;
        dcpn_path_options options = {
            .lambda_count = 40, .min_ratio = 0.1, .penalties = penalties, .penalty_count = 4, .saturation = 1.0};
        dcpn_paths *paths = paths_of(&data, storages[s], &settings, &options);
        assert_points_certified(&data, paths);
        for (int64_t v = 0; v < paths->count; v++) {
            double passes = 0.0;
            for (int64_t k = 0; k < paths->paths[v].count; k++) passes += paths->paths[v].points[k].fit.passes;
            assert_true(passes / (double)paths->paths[v].count < 3.0);
        }
        dcpn_paths_free(paths);
        problems_data_free(&data);
    }
}

/* All rows are so far out that the slopes of their losses do not change, and yet x does. */
static void a_ridge_moves_gradients_that_rows_do_not(void **state)
{
    struct problems_data data = problems_data_new(30, 8, 1.0, 4);
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < data.rows; i++) data.numbers[i] = 1000.0 + (double)i;
    dcpn_settings settings = problems_settings("huber", "l1", NULL, NULL);
    settings.ridge = 0.1;
    dcpn_path_options options = {.lambda_count = 20, .min_ratio = 0.01, .saturation = 1.0};
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_points_certified(&data, paths);
    assert_int_equal(paths->paths[0].count, 20);
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

static int64_t sweeps_after_the_second(const struct problems_data *data, int extrapolate)
{
    static const double lambdas[] = {1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65};
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    settings.extrapolate = extrapolate;
    settings.tol = 1e-6;
    dcpn_path_options options = {.lambdas = lambdas, .lambda_count = 8};
    dcpn_paths *paths = paths_of(data, PROBLEMS_CSR, &settings, &options);
    int64_t sweeps = 0;
    assert_points_certified(data, paths);
    for (int64_t k = 2; k < 8; k++) {
        assert_int_equal(paths->paths[0].points[k].fit.nonzeros, paths->paths[0].points[0].fit.nonzeros);
        sweeps += paths->paths[0].points[k].fit.inner_iterations;
    }
    dcpn_paths_free(paths);
    return sweeps;
}

/* While the features in use are the same ones, the path of the squared loss is a line, and a start on it is the end. */
static void a_straight_path_is_foreseen(void **state)
{
    struct problems_data data = problems_data_new(80, 6, 0.9, 3);
    (void)state;
    problems_data_plain(&data);
    int64_t with = sweeps_after_the_second(&data, 1), without = sweeps_after_the_second(&data, 0);
    assert_true(without >= 12); /* two at each lambda */
    assert_true(3 * with < without);
    problems_data_free(&data);
}

static double passes_of(const struct problems_data *data, int gram)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    settings.intercept = 1;
    settings.gram = gram;
    settings.tol = 1e-7;
    dcpn_path_options options = {.lambda_count = 30, .min_ratio = 0.01, .saturation = 1.0};
    dcpn_paths *paths = paths_of(data, PROBLEMS_CSR, &settings, &options);
    double passes = 0.0;
    assert_points_certified(data, paths);
    for (int64_t k = 0; k < paths->paths[0].count; k++) passes += paths->paths[0].points[k].fit.passes;
    dcpn_paths_free(paths);
    return passes;
}

/* Where a lambda takes many sweeps, those of the next one are made in a matrix, which does not read the data. */
static void long_descents_go_into_a_matrix(void **state)
{
    struct problems_data data = problems_data_new(400, 60, 0.45, 8);
    (void)state;
    assert_true(passes_of(&data, 1) < 0.6 * passes_of(&data, 0));
    problems_data_free(&data);
}

/* On wide data several lambdas are fitted at once on a short list of columns: with factors, bounds, an intercept and
 * standardised columns the ends are those of one lambda at a time on all columns. */
static void a_short_list_leads_to_the_same_ends(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"};
    (void)state;
    for (int variant = 0; variant < 4; variant++) {
        struct problems_data data = problems_data_new(40, 900, 1.0, 31);
        double *lower = problems_memory(900, sizeof *lower), *upper = problems_memory(900, sizeof *upper);
        for (int64_t j = 0; j < 900; j++) {
            lower[j] = j % 3 ? -1.0 : 0.0;
            upper[j] = 0.05;
            if (data.factors[j] == 0.0) data.factors[j] = 1.5;
        }
        dcpn_settings settings = problems_settings(variant & 1 ? "logistic" : "squared", "l1", NULL, NULL);
        settings.intercept = settings.standardize = variant & 1;
        settings.gamma = 1e3; /* nearly l1: one end */
        settings.global = "off";
        settings.tol = 1e-7;
        settings.scale = "mean";
        dcpn_path_options options = {
            .lambda_count = 30, .min_ratio = 0.2, .penalties = penalties, .penalty_count = 2, .saturation = 1.0};
        dcpn_paths *paths[2] = {NULL, NULL};
        dcpn_matrix *A = problems_matrix(context, &data, variant & 1 ? PROBLEMS_ROW_MAJOR : PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = problem_of(context, &data, A, settings.loss);
        if (variant & 2) assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
        for (int all = 0; all < 2; all++) {
            settings.screening = !all;
            assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths[all]), DCPN_OK);
        }
        for (int64_t v = 0; v < 2; v++)
            for (int64_t k = 0; k < 30; k++) {
                const dcpn_result *some = &paths[0]->paths[v].points[k].fit, *all = &paths[1]->paths[v].points[k].fit;
                assert_int_equal(some->outcome, DCPN_CONVERGED);
                assert_true(some->stationarity <= some->stationarity_goal);
                problems_assert_close(some->objective, all->objective, 1e-9, "objective");
                assert_int_equal(some->escape, all->escape);
            }
        dcpn_paths_free(paths[0]);
        dcpn_paths_free(paths[1]);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
        free(lower);
        free(upper);
    }
}

/* The search on a list: whatever the problem has besides, the ends are stationary on all columns, by naive code, and no
 * higher than without. */
static void ends_of_a_search_on_a_list_are_certified(void **state)
{
    static const char *const penalties[] = {"mcp", "scad", "capped-l1"};
    int64_t lower = 0;
    (void)state;
    for (int variant = 0; variant < 3; variant++) {
        struct problems_data data = problems_data_new(50, 2500, 1.0, 41 + (uint64_t)variant);
        if (variant == 0) problems_data_plain(&data);
        for (int64_t j = 0; data.factors && j < 2500; j++)
            if (data.factors[j] == 0.0) data.factors[j] = 1.2;
        dcpn_settings settings = problems_settings(variant == 2 ? "logistic" : "squared", "mcp", NULL, NULL), alone;
        settings.scale = "mean";
        settings.intercept = variant > 0;
        settings.global = "auto";
        settings.theta = 0.3;
        alone = settings;
        alone.global = "off";
        dcpn_path_options options = {
            .lambda_count = 30, .min_ratio = 0.15, .penalties = penalties, .penalty_count = 3, .saturation = 1.0};
        dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
        dcpn_paths *others = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &alone, &options);
        assert_points_certified(&data, paths);
        for (int64_t v = 0; v < 3; v++)
            for (int64_t k = 0; k < 30; k++) {
                double F = paths->paths[v].points[k].fit.objective, other = others->paths[v].points[k].fit.objective;
                assert_true(F <= other * (1.0 + 1e-12));
                lower += F < other * (1.0 - 1e-6);
            }
        dcpn_paths_free(paths);
        dcpn_paths_free(others);
        problems_data_free(&data);
    }
    assert_true(lower > 20);
}

/* Each allocation of a path on short lists, and of its search, may fail: nothing leaks. */
static void a_wide_path_may_run_out_of_memory(void **state)
{
    struct problems_data data = problems_data_new(20, 600, 1.0, 5);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 20, .min_ratio = 0.2};
    dcpn_status status = DCPN_MEMORY;
    (void)state;
    problems_data_plain(&data);
    settings.scale = "mean";
    settings.standardize = 1;
    for (int64_t fails_at = 1; status != DCPN_OK; fails_at++) {
        struct faulty faulty = {0};
        const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
        dcpn_context *own = dcpn_context_new(&allocator);
        dcpn_matrix *A = problems_matrix(own, &data, PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = problem_of(own, &data, A, settings.loss);
        dcpn_paths *paths = NULL;
        faulty.fails_at = faulty.calls + fails_at;
        status = dcpn_paths_fit(own, problem, &settings, &options, &paths);
        if (status != DCPN_OK) assert_int_equal(status, DCPN_MEMORY);
        assert_true(fails_at < 2000);
        dcpn_paths_free(paths);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        dcpn_context_free(own);
        assert_int_equal(faulty.out, 0);
    }
    problems_data_free(&data);
}

/* A file tells the deviations of the columns in use, and of no others. */
static void deviations_are_those_of_the_columns(void **state)
{
    struct problems_data data = problems_data_new(60, 10, 1.0, 8);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 6, .min_ratio = 0.3};
    (void)state;
    problems_data_plain(&data);
    settings.intercept = 1;
    dcpn_paths *paths = paths_of(&data, PROBLEMS_CSR, &settings, &options);
    assert_null(paths->deviations.value);
    dcpn_paths_free(paths);
    settings.standardize = 1;
    paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_true(paths->deviations.count > 0 && paths->deviations.count < 10);
    for (int64_t k = 0; k < paths->deviations.count; k++) {
        double mean = 0.0, variance = 0.0;
        const double *column = data.A + paths->deviations.index[k];
        for (int64_t i = 0; i < 60; i++) mean += column[i * 10] / 60.0;
        for (int64_t i = 0; i < 60; i++) variance += (column[i * 10] - mean) * (column[i * 10] - mean) / 60.0;
        problems_assert_close(paths->deviations.value[k], sqrt(variance), 1e-12, "deviation");
    }
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

/* Where F is not convex the l1 solutions lead to lower ends than the path alone, never to higher ones; and where it is
 * the path, here, stays as it is. */
static void ends_are_lower_with_the_search(void **state)
{
    static const char *const penalties[] = {"mcp", "scad"};
    struct problems_data data = problems_data_new(40, 200, 1.0, 7);
    int64_t lower = 0;
    (void)state;
    problems_data_plain(&data);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL), alone;
    dcpn_path_options options = {
        .lambda_count = 40, .min_ratio = 0.05, .penalties = penalties, .penalty_count = 2, .saturation = 1.0};
    settings.scale = "mean";
    alone = settings;
    alone.global = "off";
    settings.global = "auto";
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    dcpn_paths *others = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &alone, &options);
    assert_points_certified(&data, paths);
    for (int64_t v = 0; v < 2; v++)
        for (int64_t k = 0; k < 40; k++) {
            double F = paths->paths[v].points[k].fit.objective, other = others->paths[v].points[k].fit.objective;
            assert_true(F <= other * (1.0 + 1e-12));
            lower += F < other * (1.0 - 1e-6);
            if (others->paths[v].points[k].is_locally_convex == 1) assert_true(F == other);
        }
    assert_true(lower > 0);
    dcpn_paths_free(paths);
    dcpn_paths_free(others);
    problems_data_free(&data);
}

/* Rows far out make one basin, the others another, and each is convex on its own features. */
static struct problems_data with_outliers(uint64_t seed)
{
    enum { ROWS = 150, COLUMNS = 20, FAR_OUT = 3 };
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, seed);
    struct rng rng;
    double truth[COLUMNS] = {0.0}, square = 0.0;
    problems_data_plain(&data);
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < ROWS * COLUMNS; i++)
        data.A[i] = dcpn_rng_normal(&rng) * (i < FAR_OUT * COLUMNS ? 30.0 : 1.0);
    for (int64_t j = 0; j < COLUMNS; j += 4) truth[j] = dcpn_rng_normal(&rng);
    for (int64_t i = 0; i < ROWS; i++) {
        data.numbers[i] = 0.0;
        for (int64_t j = 0; j < COLUMNS; j++) data.numbers[i] += truth[j] * data.A[i * COLUMNS + j];
        square += data.numbers[i] * data.numbers[i] / ROWS;
    }
    for (int64_t i = 0; i < ROWS; i++) data.numbers[i] = 3.0 * data.numbers[i] / sqrt(square) + dcpn_rng_normal(&rng);
    for (int64_t j = 0; j < COLUMNS; j++) { /* columns of mean square 1 */
        double second = 0.0;
        for (int64_t i = 0; i < ROWS; i++) second += data.A[i * COLUMNS + j] * data.A[i * COLUMNS + j] / ROWS;
        for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS + j] /= sqrt(second);
    }
    return data;
}

/* Whether F is locally convex there or not. */
static void no_point_is_above_the_coefficients_of_the_next(void **state)
{
    static const char *const penalties[] = {"mcp", "scad"};
    dcpn_path_options options = {.lambda_count = 40, .penalties = penalties, .penalty_count = 2};
    int64_t convex = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct problems_data data = with_outliers(seed);
        dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
        settings.scale = "mean";
        settings.intercept = 1;
        settings.global = "auto";
        dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
        assert_points_certified(&data, paths);
        for (int64_t v = 0; v < 2; v++) {
            const dcpn_path *path = &paths->paths[v];
            for (int64_t k = 0; k + 1 < path->count; k++) {
                struct problems_fit below = fit_at(paths, path, k + 1);
                dcpn_settings here = path->settings;
                here.lambda = path->points[k].lambda;
                double F = problems_naive(&data, &here, below.x, below.intercept).objective;
                assert_true(path->points[k].fit.objective <= F * (1.0 + 1e-5));
                convex += path->points[k].is_locally_convex == 1;
                problems_fit_free(&below);
            }
        }
        dcpn_paths_free(paths);
        problems_data_free(&data);
    }
    assert_true(convex > 100);
}

/* Its first point is its last: both are looked at on all columns. */
static void a_path_of_one_lambda_is_searched(void **state)
{
    const double lambda = 0.02;
    dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
    dcpn_path_options options = {.lambdas = &lambda, .lambda_count = 1};
    struct problems_data data = problems_data_new(30, 1600, 1.0, 5);
    (void)state;
    problems_data_plain(&data);
    settings.scale = "mean";
    settings.global = "auto";
    settings.ridge = 0.01;
    dcpn_paths *paths = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    assert_points_certified(&data, paths);
    assert_true(paths->paths[0].points[0].fit.nonzeros > 0);
    dcpn_paths_free(paths);
    problems_data_free(&data);
}

/* A path that stays with few features, since the loss is flat there, has few columns near: the search has others as
 * well. */
static void a_list_leaves_a_search_its_choice(void **state)
{
    static const char *const penalties[] = {"mcp", "scad", "lp"};
    dcpn_settings settings = problems_settings("smooth-ramp", "mcp", NULL, NULL);
    dcpn_path_options options = {
        .lambda_count = 15, .min_ratio = 0.01, .penalties = penalties, .penalty_count = 3, .saturation = 1.0};
    dcpn_paths *paths[2];
    struct problems_data data = problems_data_new(30, 1600, 1.0, 5);
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < data.rows; i++) /* two features tell most rows apart */
        data.classes[i] = data.A[i * data.columns] + data.A[i * data.columns + 1] > 0.0 ? 3.0 : 1.0;
    settings.standardize = 1;
    settings.scale = "mean";
    settings.global = "auto";
    for (int all = 0; all < 2; all++) {
        settings.screening = !all;
        paths[all] = paths_of(&data, PROBLEMS_COLUMN_MAJOR, &settings, &options);
    }
    for (int64_t v = 0; v < 3; v++)
        for (int64_t k = 0; k < 15; k++)
            assert_true(paths[0]->paths[v].points[k].fit.objective <= 1.5 * paths[1]->paths[v].points[k].fit.objective);
    dcpn_paths_free(paths[0]);
    dcpn_paths_free(paths[1]);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_cannot_matter_are_not_read),
        cmocka_unit_test(a_ridge_moves_gradients_that_rows_do_not),
        cmocka_unit_test(a_straight_path_is_foreseen),
        cmocka_unit_test(long_descents_go_into_a_matrix),
        cmocka_unit_test(a_short_list_leads_to_the_same_ends),
        cmocka_unit_test(a_list_leaves_a_search_its_choice),
        cmocka_unit_test(no_point_is_above_the_coefficients_of_the_next),
        cmocka_unit_test(a_path_of_one_lambda_is_searched),
        cmocka_unit_test(ends_of_a_search_on_a_list_are_certified),
        cmocka_unit_test(a_wide_path_may_run_out_of_memory),
        cmocka_unit_test(deviations_are_those_of_the_columns),
        cmocka_unit_test(ends_are_lower_with_the_search),
    };
    return cmocka_run_group_tests_name("problems.path_shortcuts", tests, setup, teardown);
}
