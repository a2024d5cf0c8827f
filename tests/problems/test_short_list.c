/* SPDX-License-Identifier: BSD-3-Clause */
/* Far more features than rows: a fit that searches does so on a short list of columns. Its end is stationary on all of
 * them, by naive code, whatever the problem has besides; it is no higher than the truth where there is one, which a
 * descent alone does not achieve; and a solver that is used again does what a new one does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "faulty_allocator.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 45, COLUMNS = 4200, RELEVANT = 4, SEEDS = 6 };

static struct problems_data wide_data(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, seed);
    problems_data_plain(&data);
    return data;
}

/* Labels from a few features, and a little noise of their own. */
static void plant(struct problems_data *data, double *truth)
{
    memset(truth, 0, COLUMNS * sizeof *truth);
    for (int64_t k = 0; k < RELEVANT; k++) truth[(k + 1) * 777] = k % 2 ? -1.5 : 1.0;
    for (int64_t i = 0; i < ROWS; i++) {
        data->numbers[i] = 0.1 * sin((double)(7 * i));
        for (int64_t j = 0; j < COLUMNS; j++) data->numbers[i] += data->A[i * COLUMNS + j] * truth[j];
    }
}

static dcpn_settings settings_for(const char *loss, const char *penalty, double lambda)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.scale = "mean";
    settings.lambda = lambda;
    settings.theta = 0.3;
    settings.tol = 1e-5;
    return settings;
}

static double certified(const struct problems_data *data, enum problems_storage storage, const dcpn_settings *settings,
                        const double *start)
{
    struct problems_fit fit = problems_solve(context, data, storage, settings, start);
    problems_assert_converged(data, settings, &fit);
    double F = fit.result.objective;
    problems_fit_free(&fit);
    return F;
}

static void ends_are_stationary_on_all_columns(void **state)
{
    static const char *const penalties[] = {"mcp", "scad", "capped-l1", "log"};
    struct problems_data data = wide_data(20261116);
    (void)state;
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++) {
        dcpn_settings settings = settings_for("squared", penalties[k], 0.4);
        certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        settings.intercept = 1;
        certified(&data, PROBLEMS_ROW_MAJOR, &settings, NULL);
        settings.loss = "logistic";
        settings.lambda = 0.2;
        certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    }
    problems_data_free(&data);
}

static void weights_offsets_and_factors_come_along(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 20261117);
    dcpn_settings settings = settings_for("squared", "mcp", 0.4);
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++)
        if (data.factors[j] == 0.0 && j % 500 > 0) data.factors[j] = 1.0; /* a few go without a penalty */
    certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    settings.global = "path+drop";
    certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    problems_data_free(&data);
}

static double value_at(const struct problems_data *data, const dcpn_settings *settings, const double *x)
{
    return problems_naive(data, settings, x, 0.0).objective;
}

static void the_search_is_no_higher_than_the_truth(void **state)
{
    int missed = 0;
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct problems_data data = wide_data(20261118 + seed);
        double truth[COLUMNS];
        plant(&data, truth);
        for (int k = 0; k < 2; k++) {
            dcpn_settings settings = settings_for("squared", k ? "mcp" : "scad", 0.15);
            double F = value_at(&data, &settings, truth);
            assert_true(certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL) <= F);
            assert_true(certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, truth) <= F);
            settings.global = "off";
            missed += certified(&data, PROBLEMS_COLUMN_MAJOR, &settings, NULL) > F;
        }
        problems_data_free(&data);
    }
    assert_true(missed > 0);
}

static dcpn_solver *solver_for(const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    return solver;
}

static void a_solver_used_again_does_what_a_new_one_does(void **state)
{
    struct problems_data data = wide_data(20261119);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_settings first = settings_for("squared", "scad", 0.6), second = settings_for("squared", "scad", 0.3);
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    dcpn_solver *used = solver_for(problem, &first), *fresh = solver_for(problem, &second);
    assert_int_equal(dcpn_solver_run(used), DCPN_OK);
    assert_int_equal(dcpn_solver_set_lambda(used, second.lambda), DCPN_OK);
    assert_int_equal(dcpn_solver_run(used), DCPN_OK);
    assert_int_equal(dcpn_solver_run(fresh), DCPN_OK);
    assert_memory_equal(dcpn_solver_coefficients(used), dcpn_solver_coefficients(fresh), COLUMNS * sizeof(double));
    dcpn_solver_free(used);
    dcpn_solver_free(fresh);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

/* Entries and a label far out, and a loss that is flat there: which columns the first list has matters to the end. */
static void make_uneven(struct problems_data *data, struct rng *rng)
{
    double truth[COLUMNS];
    for (int64_t k = 0; k < 400; k++) data->A[(int64_t)(dcpn_rng_uniform(rng) * (ROWS * COLUMNS))] *= 30.0;
    plant(data, truth);
    data->numbers[5] += 20.0;
    for (int64_t j = 0; j < COLUMNS; j++) data->factors[j] = 0.5 + dcpn_rng_uniform(rng);
}

static double lambda_max_of(const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_solver *solver = solver_for(problem, settings);
    double lambda_max;
    assert_int_equal(dcpn_solver_lambda_max(solver, &lambda_max), DCPN_OK);
    dcpn_solver_free(solver);
    return lambda_max;
}

static void a_second_run_is_like_the_first(void **state)
{
    static const uint64_t seeds[] = {114, 140, 141, 175, 188, 228, 390, 419}; /* of 600 these were not */
    (void)state;
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        struct rng rng;
        struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, seeds[k]);
        dcpn_rng_seed(&rng, seeds[k]);
        make_uneven(&data, &rng);
        dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = NULL;
        dcpn_settings settings = settings_for("welsch", k % 2 ? "mcp" : "capped-l1", 0.1);
        double first[COLUMNS];
        assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
        assert_int_equal(dcpn_problem_set_penalty_factors(problem, data.factors), DCPN_OK);
        settings.lambda = 0.3 * lambda_max_of(problem, &settings);
        dcpn_solver *solver = solver_for(problem, &settings);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        memcpy(first, dcpn_solver_coefficients(solver), sizeof first);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        assert_memory_equal(dcpn_solver_coefficients(solver), first, sizeof first);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

/* The steepest column at the best constant, by naive code. */
static double naive_lambda_max(const struct problems_data *data)
{
    double positive = 0.0, largest = 0.0;
    for (int64_t i = 0; i < ROWS; i++) positive += data->classes[i] > 2.0;
    for (int64_t j = 0; j < COLUMNS; j++) {
        double slope = 0.0;
        for (int64_t i = 0; i < ROWS; i++)
            slope += data->A[i * COLUMNS + j] * (positive / ROWS - (data->classes[i] > 2.0 ? 1.0 : 0.0));
        largest = fmax(largest, fabs(slope) / ROWS);
    }
    return largest;
}

/* A glance is not enough for it. */
static void lambda_max_is_that_of_all_columns(void **state)
{
    struct problems_data data = wide_data(20261122);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = settings_for("logistic", "mcp", 0.2);
    double found, expected = naive_lambda_max(&data);
    (void)state;
    settings.intercept = 1;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    dcpn_solver *solver = solver_for(problem, &settings);
    for (int k = 0; k < 2; k++) { /* of a new solver, and of one that has run */
        assert_int_equal(dcpn_solver_lambda_max(solver, &found), DCPN_OK);
        problems_assert_close(found, expected, 1e-8, "lambda_max");
        assert_int_equal(dcpn_solver_set_lambda(solver, 0.2), DCPN_OK);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

/* Bounds hold for columns that are standardised as well. */
static void bounds_hold(void **state)
{
    struct problems_data data = wide_data(20261120);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    double lower[COLUMNS] = {0}, upper[COLUMNS];
    dcpn_settings settings = settings_for("squared", "mcp", 0.3);
    int at_an_edge = 0;
    (void)state;
    settings.intercept = settings.standardize = 1;
    for (int64_t j = 0; j < COLUMNS; j++) upper[j] = 0.2;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    dcpn_solver *solver = solver_for(problem, &settings);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
    for (int64_t j = 0; j < COLUMNS; j++) {
        double x = dcpn_solver_coefficients(solver)[j];
        assert_true(x >= 0.0 && x <= 0.2 * (1.0 + 1e-12));
        at_an_edge += x > 0.199;
    }
    assert_true(at_an_edge > 0);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static int stop_at_once(void *user, const dcpn_progress *progress)
{
    (void)user;
    return progress->k > 0;
}

static void it_can_be_interrupted(void **state)
{
    struct problems_data data = wide_data(20261121);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = settings_for("squared", "mcp", 0.2);
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    dcpn_solver *solver = solver_for(problem, &settings);
    dcpn_solver_set_observer(solver, stop_at_once, NULL);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_INTERRUPTED);
    assert_int_equal(dcpn_solver_result(solver)->iterations, 1);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

/* The data are large enough for several threads. */
static void threads_change_nothing(void **state)
{
    enum { MORE = 6000 };
    struct problems_data data = problems_data_new(ROWS, MORE, 1.0, 20261123);
    static double x[2][MORE];
    dcpn_settings settings = settings_for("squared", "mcp", 0.3);
    (void)state;
    problems_data_plain(&data);
    for (int k = 0; k < 2; k++) {
        dcpn_context_set_threads(context, k ? 3 : 1);
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        assert_true(fit.result.nonzeros > 0);
        memcpy(x[k], fit.x, sizeof x[k]);
        problems_fit_free(&fit);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    problems_data_free(&data);
}

/* The k-th allocation of a run fails: it says so, and runs when there is memory again. */
static void a_run_without_memory_can_be_repeated(void **state)
{
    struct problems_data data = wide_data(20261122);
    struct faulty faulty = {0};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
    dcpn_context *scarce = dcpn_context_new(&allocator);
    dcpn_matrix *A = problems_matrix(scarce, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = settings_for("squared", "mcp", 0.4);
    dcpn_status status = DCPN_MEMORY;
    int64_t failed = 0;
    (void)state;
    assert_int_equal(dcpn_problem_new(scarce, A, data.numbers, &problem), DCPN_OK);
    for (int64_t k = 1; status == DCPN_MEMORY; k++) {
        dcpn_solver *solver = NULL;
        faulty.fails_at = 0;
        assert_int_equal(dcpn_solver_new(scarce, problem, &settings, &solver), DCPN_OK);
        faulty.fails_at = faulty.calls + k;
        status = dcpn_solver_run(solver);
        failed += status == DCPN_MEMORY;
        assert_true(status == DCPN_OK || status == DCPN_MEMORY);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        dcpn_solver_free(solver);
    }
    assert_true(failed > 5);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(scarce);
    assert_int_equal(faulty.out, 0);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ends_are_stationary_on_all_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_offsets_and_factors_come_along, setup, teardown),
        cmocka_unit_test_setup_teardown(the_search_is_no_higher_than_the_truth, setup, teardown),
        cmocka_unit_test_setup_teardown(a_solver_used_again_does_what_a_new_one_does, setup, teardown),
        cmocka_unit_test_setup_teardown(a_second_run_is_like_the_first, setup, teardown),
        cmocka_unit_test_setup_teardown(lambda_max_is_that_of_all_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(bounds_hold, setup, teardown),
        cmocka_unit_test_setup_teardown(it_can_be_interrupted, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_change_nothing, setup, teardown),
        cmocka_unit_test(a_run_without_memory_can_be_repeated),
    };
    return cmocka_run_group_tests_name("problems.short_list", tests, NULL, NULL);
}
