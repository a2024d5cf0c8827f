/* SPDX-License-Identifier: BSD-3-Clause */
/* Far more features than rows, and no search: a fit glances at a copy of A in bytes. It ends where one that reads all
 * columns ends, stationary on all of them by naive code, after fewer passes; and a solver that is used again does what
 * a new one does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 45, COLUMNS = 12000 };

static dcpn_settings settings_for(const char *loss, const char *penalty, double lambda)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.scale = "mean";
    settings.global = "off";
    settings.lambda = lambda;
    settings.tol = 1e-6;
    return settings;
}

static struct problems_fit certified(const struct problems_data *data, enum problems_storage storage,
                                     const dcpn_settings *settings)
{
    struct problems_fit fit = problems_solve(context, data, storage, settings, NULL);
    problems_assert_converged(data, settings, &fit);
    assert_true(fit.result.nonzeros > 0);
    return fit;
}

/* Returns the passes with a glance as a share of those without. */
static double compare(const struct problems_data *data, enum problems_storage storage, dcpn_settings settings)
{
    struct problems_fit glancing = certified(data, storage, &settings);
    settings.screening = 0;
    struct problems_fit reading = certified(data, storage, &settings);
    problems_assert_close(glancing.result.objective, reading.result.objective, 1e-10, "objective");
    assert_int_equal(glancing.result.nonzeros, reading.result.nonzeros);
    double share = glancing.result.passes / reading.result.passes;
    problems_fit_free(&glancing);
    problems_fit_free(&reading);
    return share;
}

static void ends_are_those_of_a_reading_of_all_columns(void **state)
{
    static const struct {
        const char *loss, *penalty;
        double lambda;
    } cases[] = {{"squared", "l1", 0.3},    {"squared", "mcp", 0.4},      {"logistic", "l1", 0.05},
                 {"logistic", "scad", 0.1}, {"squared-hinge", "l1", 0.1}, {"huber", "capped-l1", 0.3}};
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 20261118);
    (void)state;
    problems_data_plain(&data);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dcpn_settings settings = settings_for(cases[k].loss, cases[k].penalty, cases[k].lambda);
        settings.theta = 0.5;
        assert_true(compare(&data, PROBLEMS_COLUMN_MAJOR, settings) < 0.9);
        settings.intercept = 1;
        assert_true(compare(&data, PROBLEMS_COLUMN_MAJOR, settings) < 0.9);
    }
    problems_data_free(&data);
}

static void weights_offsets_and_factors_come_along(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 20261119);
    dcpn_settings settings = settings_for("squared", "l1", 0.3);
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++)
        if (data.factors[j] == 0.0 && j % 1500 > 0) data.factors[j] = 1.0; /* a few go without a penalty */
    settings.ridge = 0.01;
    compare(&data, PROBLEMS_COLUMN_MAJOR, settings);
    compare(&data, PROBLEMS_ROW_MAJOR, settings); /* which has no glance */
    settings.penalty = "mcp";
    compare(&data, PROBLEMS_COLUMN_MAJOR, settings);
    problems_data_free(&data);
}

static dcpn_solver *solver_for(const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    return solver;
}

static void a_solver_used_again_does_what_a_new_one_does(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 20261120);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_settings first = settings_for("squared", "mcp", 0.6), second = settings_for("squared", "mcp", 0.3);
    double of_used, of_fresh;
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    dcpn_solver *used = solver_for(problem, &first), *fresh = solver_for(problem, &second);
    assert_int_equal(dcpn_solver_run(used), DCPN_OK);
    assert_int_equal(dcpn_solver_lambda_max(used, &of_used), DCPN_OK);
    assert_int_equal(dcpn_solver_lambda_max(fresh, &of_fresh), DCPN_OK);
    assert_true(of_used == of_fresh);
    dcpn_solver_free(fresh);
    fresh = solver_for(problem, &second);
    double start[COLUMNS] = {0};
    assert_int_equal(dcpn_solver_set_start(used, start, 0.0), DCPN_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(ends_are_those_of_a_reading_of_all_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_offsets_and_factors_come_along, setup, teardown),
        cmocka_unit_test_setup_teardown(a_solver_used_again_does_what_a_new_one_does, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
