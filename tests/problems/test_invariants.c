/* SPDX-License-Identifier: BSD-3-Clause */
/* One problem, solved in every storage, above and below the largest lambda, again from its solution, again by the same
 * solver, with an empty column and with columns far from 0. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_every.h"

static void every_storage_gives_the_same_objective(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.5, 7);
    (void)state;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) data.A[k] = (double)(float)data.A[k];
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = base_settings(losses[loss], penalties[penalty]);
            double first = NAN;
            settings.intercept = 1;
            for (int storage = 0; storage < PROBLEMS_STORAGE_COUNT; storage++) {
                struct problems_fit fit =
                    problems_solve(context, &data, (enum problems_storage)storage, &settings, NULL);
                problems_assert_converged(&data, &settings, &fit);
                if (isnan(first)) first = fit.result.objective;
                problems_assert_close(fit.result.objective, first, SAME, penalties[penalty]);
                problems_fit_free(&fit);
            }
        }
    }
    problems_data_free(&data);
}

/* ---- lambda_max ---- */

/* The largest |gradient_j| / factor_j at 0: what the slope of the penalty at 0 must reach. */
static double slope_max(const struct problems_data *data, const dcpn_settings *settings)
{
    double largest = 0.0;
    const double *labels = problems_labels(data, settings->loss);
    for (int64_t j = 0; j < data->columns; j++) {
        long double g = 0.0L;
        for (int64_t i = 0; i < data->rows; i++) {
            long double label = labels != data->classes ? labels[i] : labels[i] - 2.0; /* 1 and 3 */
            g += data->weights[i] * problems_loss_slope(settings, label, data->offset[i]) * data->A[i * COLUMNS + j];
        }
        largest = fmax(largest, (double)fabsl(g) / data->factors[j]);
    }
    return largest;
}

/* A search over basins would leave x = 0. */
static dcpn_settings local_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = base_settings(loss, penalty);
    settings.global = "off";
    return settings;
}

static void lambda_max_is_where_the_model_becomes_empty(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 31);
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++) data.factors[j] = 0.5 + 0.25 * (double)(j % 4);
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            double unit = (double)problems_penalty_slope(&settings, 1.0L, 0.0L, 1);
            double lambda_max = slope_max(&data, &settings) / unit;
            settings.lambda = lambda_max * (1.0 + 1e-12);
            struct problems_fit empty = problems_solve(context, &data, PROBLEMS_CSC, &settings, NULL);
            problems_assert_converged(&data, &settings, &empty);
            assert_int_equal(empty.result.nonzeros, 0);
            assert_int_equal(empty.result.iterations, 0);
            settings.lambda = lambda_max * (1.0 - 1e-6);
            struct problems_fit full = problems_solve(context, &data, PROBLEMS_CSC, &settings, NULL);
            problems_assert_converged(&data, &settings, &full);
            assert_true(full.result.nonzeros > 0);
            problems_fit_free(&empty);
            problems_fit_free(&full);
        }
    }
    problems_data_free(&data);
}

/* ---- one problem, solved again ---- */

static void a_solution_is_a_fixed_point(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 8);
    (void)state;
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            struct problems_fit first = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &first);
            struct problems_fit second = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, first.x);
            assert_int_equal(second.result.iterations, 0);
            assert_memory_equal(first.x, second.x, COLUMNS * sizeof *first.x);
            assert_true(first.result.objective == second.result.objective);
            problems_fit_free(&first);
            problems_fit_free(&second);
        }
    }
    problems_data_free(&data);
}

static void a_solver_runs_twice_to_the_same_bytes(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 8);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_part metric, subsolver;
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        for (size_t k = 0; dcpn_part_at("subsolver", k, &subsolver); k++) {
            dcpn_settings settings = problems_settings("logistic", "mcp", metric.name, subsolver.name);
            dcpn_solver *solver = NULL;
            double x[COLUMNS];
            assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
            assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
            memcpy(x, dcpn_solver_coefficients(solver), sizeof x);
            int64_t iterations = dcpn_solver_result(solver)->iterations;
            assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
            assert_memory_equal(x, dcpn_solver_coefficients(solver), sizeof x);
            assert_int_equal(iterations, dcpn_solver_result(solver)->iterations);
            dcpn_solver_free(solver);
        }
    }
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static void an_empty_column_stays_0(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 12);
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS + 3] = 0.0;
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &fit);
            assert_true(fit.x[3] == 0.0);
            problems_fit_free(&fit);
        }
    }
    problems_data_free(&data);
}

/* Shifts like those of a time in seconds. They are added exactly to values that are multiples of 1/1024. */
static const double shifts[COLUMNS] = {[2] = 0x1p31, [5] = -0x1p20};

static void a_far_mean_goes_into_the_intercept(void **state)
{
    struct problems_data base = problems_data_new(ROWS, COLUMNS, 1.0, 20261116);
    (void)state;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) base.A[k] = round(base.A[k] * 1024.0) / 1024.0;
    struct problems_data far = problems_data_copy(&base);
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) far.A[k] += shifts[k % COLUMNS];
    FOR_EACH_LOSS
    {
        dcpn_settings settings = base_settings(losses[loss], "l1");
        settings.intercept = 1;
        settings.tol = 1e-6;
        if (!convex(&settings)) continue;
        struct problems_fit near_fit = problems_solve(context, &base, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        struct problems_fit far_fit = problems_solve(context, &far, PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_int_equal(far_fit.result.outcome, DCPN_CONVERGED);
        problems_assert_close(far_fit.result.objective, near_fit.result.objective, 1e-8, losses[loss]);
        double intercept = far_fit.intercept;
        for (int64_t j = 0; j < COLUMNS; j++) {
            assert_true(fabs(far_fit.x[j] - near_fit.x[j]) < 1e-4);
            intercept += shifts[j] * far_fit.x[j];
        }
        assert_true(fabs(intercept - near_fit.intercept) < 1e-4);
        problems_fit_free(&far_fit);
        problems_fit_free(&near_fit);
    }
    problems_data_free(&far);
    problems_data_free(&base);
}

/* ---- columns of two values ---- */

enum { MANY_ROWS = 256 };

static double objective_with_column(const dcpn_settings *settings, double mean, double size, int64_t run)
{
    struct problems_data data = problems_data_new(MANY_ROWS, 3, 1.0, 20261118);
    problems_data_plain(&data);
    for (int64_t i = 0; i < MANY_ROWS; i++) data.A[3 * i] = mean + (i / run % 2 ? size : -size);
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, settings, NULL);
    assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
    double objective = fit.result.objective;
    problems_fit_free(&fit);
    problems_data_free(&data);
    return objective;
}

/* Squares of the smallest are no doubles, and their mean is exactly 0. */
static void standardised_columns_have_no_unit(void **state)
{
    static const double sizes[] = {1e-150, 1e-158, 1e-200, 1e150, 1e200};
    dcpn_settings settings = base_settings("squared", "l1");
    (void)state;
    settings.standardize = 1;
    double expected = objective_with_column(&settings, 0.0, 1.0, 1);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        problems_assert_close(objective_with_column(&settings, 0.0, sizes[k], 1), expected, 1e-9, "objective");
}

/* Its deviation is exactly 1 at first; values in turns look constant to who looks at every other row. */
static void a_far_column_of_two_values_is_centred(void **state)
{
    static const int64_t runs[] = {1, MANY_ROWS / 2};
    dcpn_settings settings = base_settings("logistic", "l1");
    (void)state;
    settings.intercept = 1;
    for (int k = 0; k < 4; k++) {
        double size = k / 2 ? 1.5 : 1.0;
        double expected = objective_with_column(&settings, 0.0, size, runs[k % 2]);
        problems_assert_close(objective_with_column(&settings, 1e9, size, runs[k % 2]), expected, 1e-6, "objective");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(standardised_columns_have_no_unit),
        cmocka_unit_test(a_far_column_of_two_values_is_centred),
        cmocka_unit_test(every_storage_gives_the_same_objective),
        cmocka_unit_test(lambda_max_is_where_the_model_becomes_empty),
        cmocka_unit_test(a_solution_is_a_fixed_point),
        cmocka_unit_test(a_solver_runs_twice_to_the_same_bytes),
        cmocka_unit_test(an_empty_column_stays_0),
        cmocka_unit_test(a_far_mean_goes_into_the_intercept),
    };
    return cmocka_run_group_tests_name("problems.invariants", tests, setup, teardown);
}
