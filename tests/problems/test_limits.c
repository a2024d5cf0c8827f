/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges: limits of iterations and time, interruption, tolerances that cannot be met, scales far from 1, no penalty,
 * data of every degenerate kind. A run ends, says how, and what it returns is finite and certified. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/one_score.h"
#include "support/problems_naive.h"

static dcpn_context *context;
static int warnings;

static void count_warnings(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    (void)message;
    warnings += level == DCPN_LOG_WARNING;
}

static int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    if (!context) return -1;
    dcpn_context_set_log(context, count_warnings, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dcpn_context_free(context);
    return 0;
}

static void assert_finite(const struct problems_fit *fit)
{
    assert_int_equal(fit->status, DCPN_OK);
    assert_true(isfinite(fit->result.objective) && isfinite(fit->result.stationarity) && isfinite(fit->intercept));
    for (int64_t j = 0; j < fit->columns; j++) assert_true(isfinite(fit->x[j]));
}

/* Solves, checks what must hold of every result, and returns it without the coefficients. */
static dcpn_result solve(const struct problems_data *data, const dcpn_settings *settings)
{
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_CSC, settings, NULL);
    assert_finite(&fit);
    problems_assert_certificate(data, settings, &fit);
    problems_fit_free(&fit);
    return fit.result;
}

static struct problems_data plain_data(int64_t rows, int64_t columns, uint64_t seed)
{
    struct problems_data data = problems_data_new(rows, columns, 0.8, seed);
    problems_data_plain(&data);
    return data;
}

/* ---- limits ---- */

static void limits_end_the_run_and_say_so(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_settings settings = problems_settings("logistic", "mcp", "lbfgs", NULL);
    (void)state;
    settings.max_iter = 0;
    dcpn_result none = solve(&data, &settings);
    assert_int_equal(none.outcome, DCPN_MAX_ITERATIONS);
    assert_int_equal(none.iterations, 0);
    assert_int_equal(none.nonzeros, 0);
    settings.max_iter = 2;
    dcpn_result two = solve(&data, &settings);
    assert_int_equal(two.outcome, DCPN_MAX_ITERATIONS);
    assert_int_equal(two.iterations, 2);
    assert_true(two.objective < none.objective);
    settings.max_iter = 1000;
    settings.max_time_s = 0.0;
    dcpn_result late = solve(&data, &settings);
    assert_int_equal(late.outcome, DCPN_MAX_TIME);
    assert_int_equal(late.iterations, 0);
    problems_data_free(&data);
}

/* Interrupts at the second iteration, and checks that F never rises on the way. */
static int interrupt_at_2(void *user, const dcpn_progress *progress)
{
    double *last = user;
    assert_true(progress->objective <= *last);
    *last = progress->objective;
    return progress->k == 2;
}

static void the_observer_can_interrupt(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_settings settings = problems_settings("logistic", "capped-l1", "lbfgs", NULL);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    double last = INFINITY;
    (void)state;
    settings.tol = 0.0;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    dcpn_solver_set_observer(solver, interrupt_at_2, &last);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_INTERRUPTED);
    assert_int_equal(dcpn_solver_result(solver)->iterations, 2);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

struct meddler {
    dcpn_solver *solver;
    int64_t calls;
};

static int meddle(void *user, const dcpn_progress *progress)
{
    struct meddler *meddler = user;
    double lambda_max;
    (void)progress;
    meddler->calls++;
    assert_int_equal(dcpn_solver_set_lambda(meddler->solver, 0.01), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "lambda: found a solver that is running"));
    assert_int_equal(dcpn_solver_set_shape(meddler->solver, "gamma", 100.0), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "gamma: found a solver that is running"));
    assert_int_equal(dcpn_solver_lambda_max(meddler->solver, &lambda_max), DCPN_USAGE);
    assert_int_equal(dcpn_solver_run(meddler->solver), DCPN_USAGE);
    assert_int_equal(dcpn_solver_continue(meddler->solver), DCPN_USAGE);
    return 0;
}

static void the_observer_cannot_change_the_run(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    struct meddler meddler = {0};
    (void)state;
    settings.lambda = 2.0;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &meddler.solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(meddler.solver), DCPN_OK);
    double objective = dcpn_solver_result(meddler.solver)->objective;
    dcpn_solver_set_observer(meddler.solver, meddle, &meddler);
    assert_int_equal(dcpn_solver_run(meddler.solver), DCPN_OK);
    assert_true(meddler.calls > 1);
    assert_true(dcpn_solver_result(meddler.solver)->objective == objective);
    assert_int_equal(dcpn_solver_set_lambda(meddler.solver, 1.0), DCPN_OK);
    assert_int_equal(dcpn_solver_set_shape(meddler.solver, "gamma", 100.0), DCPN_OK);
    assert_int_equal(dcpn_solver_run(meddler.solver), DCPN_OK);
    assert_true(dcpn_solver_result(meddler.solver)->objective < objective);
    dcpn_solver_free(meddler.solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static void relative_change_is_a_rule_of_its_own(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_settings settings = problems_settings("logistic", "mcp", "identity", NULL);
    (void)state;
    settings.stop = "relative-change";
    settings.relative_tol = 1e-3;
    dcpn_result loose = solve(&data, &settings);
    assert_int_equal(loose.outcome, DCPN_RELATIVE_CHANGE);
    settings.relative_tol = 1e-8;
    dcpn_result tight = solve(&data, &settings);
    assert_int_equal(tight.outcome, DCPN_RELATIVE_CHANGE);
    assert_true(tight.iterations > loose.iterations && tight.objective < loose.objective);
    problems_data_free(&data);
}

/* No stationarity is small enough: the run ends where floating point ends, and there the certificate is tiny. The
 * metrics that are slow may reach the limit of iterations first. */
static void tol_0_ends(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_part loss, penalty, metric, subsolver;
    (void)state;
    for (size_t i = 0; dcpn_part_at("loss", i, &loss) && has_one_score(&loss); i++)
        for (size_t j = 0; dcpn_part_at("penalty", j, &penalty); j++)
            for (size_t k = 0; dcpn_part_at("metric", k, &metric); k++)
                for (size_t l = 0; dcpn_part_at("subsolver", l, &subsolver); l++) {
                    dcpn_settings settings = problems_settings(loss.name, penalty.name, metric.name, subsolver.name);
                    if (dcpn_combination_check(context, &settings) != DCPN_OK) continue; /* no bound on the curvature */
                    settings.tol = 0.0;
                    settings.lambda = 0.5;
                    settings.max_iter = 100;
                    dcpn_result result = solve(&data, &settings);
                    int ended = result.outcome == DCPN_STALLED || result.outcome == DCPN_MAX_ITERATIONS ||
                                (result.outcome == DCPN_CONVERGED && result.stationarity == 0.0);
                    if (!ended) fail_msg("%s %s: %s", metric.name, subsolver.name, dcpn_outcome_name(result.outcome));
                }
    problems_data_free(&data);
}

/* A step is refused when the change of F it promises, about s^2 / L, drowns in the rounding of that change, which is
 * computed row by row and so is small with the step: 1e-10 of the slope lambda is well above that. */
static void a_stalled_run_is_at_a_stationary_point(void **state)
{
    struct problems_data data = plain_data(50, 10, 1);
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    (void)state;
    settings.tol = 0.0;
    settings.max_iter = 1000;
    dcpn_result result = solve(&data, &settings);
    assert_true(result.stationarity <= 1e-10 * settings.lambda);
    problems_data_free(&data);
}

/* ---- scales ---- */

static void columns_of_very_different_scales(void **state)
{
    static const char *const penalties[] = {"l1", "capped-l1", "mcp"};
    static const char *const losses[] = {"logistic", "squared"};
    struct problems_data data = plain_data(60, 9, 3);
    (void)state;
    for (int64_t k = 0; k < 60 * 9; k++) data.A[k] *= pow(10.0, 2.0 * (double)(k % 9) - 8.0); /* 1e-8 to 1e8 */
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 3; k++) {
            dcpn_settings settings = problems_settings(losses[i], penalties[k], NULL, NULL);
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
            assert_finite(&fit);
            problems_assert_certificate(&data, &settings, &fit);
            if (fit.result.outcome != DCPN_CONVERGED)
                fail_msg("%s %s: %s, stationarity %g, goal %g, after %lld iterations", losses[i], penalties[k],
                         dcpn_outcome_name(fit.result.outcome), fit.result.stationarity, fit.result.stationarity_goal,
                         (long long)fit.result.iterations);
            problems_fit_free(&fit);
        }
    }
    problems_data_free(&data);
}

static void all_of_A_very_large_or_small(void **state)
{
    static const double scales[] = {1e-100, 1e-12, 1e12, 1e60};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        struct problems_data data = plain_data(40, 6, 4);
        dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
        for (int64_t l = 0; l < 40 * 6; l++) data.A[l] *= scales[k];
        settings.lambda *= scales[k]; /* the solution is that of the problem with scale 1, divided by the scale */
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_finite(&fit);
        problems_assert_converged(&data, &settings, &fit);
        assert_true(fit.result.nonzeros > 0);
        problems_fit_free(&fit);
        problems_data_free(&data);
    }
}

/* ---- no penalty ---- */

/* [A 1]'[A 1] x = [A 1]'y */
static void least_squares(const struct problems_data *data, long double *solution)
{
    int64_t d = data->columns, size = d + 1;
    long double *M = problems_memory(size * size, sizeof *M);
    for (int64_t i = 0; i < data->rows; i++) {
        for (int64_t j = 0; j < size; j++) {
            long double entry = j < d ? data->A[i * d + j] : 1.0L;
            solution[j] += entry * data->numbers[i];
            for (int64_t k = 0; k < size; k++) M[j * size + k] += entry * (k < d ? data->A[i * d + k] : 1.0L);
        }
    }
    assert_true(problems_linear_solve(size, M, solution));
    free(M);
}

/* The smallest eigenvalue of A'A is above 1 for these data, so |x - x*| is below the stationarity. */
static void lambda_0_is_least_squares(void **state)
{
    static const double lambdas[] = {0.0, 1e-12};
    struct problems_data data = plain_data(80, 6, 5);
    long double expected[7] = {0};
    dcpn_part penalty;
    (void)state;
    least_squares(&data, expected);
    for (size_t i = 0; dcpn_part_at("penalty", i, &penalty); i++) {
        for (size_t k = 0; k < 2; k++) {
            dcpn_settings settings = problems_settings("squared", penalty.name, NULL, NULL);
            settings.lambda = lambdas[k];
            settings.intercept = 1;
            settings.tol = k ? 1e-4 : 1e-12;
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
            assert_finite(&fit);
            problems_assert_certificate(&data, &settings, &fit);
            if (k == 0) assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
            for (int64_t j = 0; j < 6; j++) assert_true(fabs(fit.x[j] - (double)expected[j]) <= 1e-8);
            assert_true(fabs(fit.intercept - (double)expected[6]) <= 1e-8);
            problems_fit_free(&fit);
        }
    }
    problems_data_free(&data);
}

/* ---- data ---- */

static void separable_data_end_with_a_warning(void **state)
{
    static const char *const flat[] = {"capped-l1", "scad", "mcp"};
    struct problems_data data = plain_data(30, 5, 6);
    (void)state;
    for (int64_t i = 0; i < 30; i++) {
        data.classes[i] = i % 2 ? 1.0 : -1.0;
        data.A[i * 5 + 2] = data.classes[i] * (3.0 + (double)(i % 4)); /* one column separates */
    }
    for (size_t k = 0; k < 3; k++) {
        dcpn_settings settings = problems_settings("logistic", flat[k], NULL, NULL);
        warnings = 0;
        settings.lambda = 0.5;
        dcpn_result result = solve(&data, &settings);
        assert_int_equal(result.outcome, DCPN_CONVERGED);
        assert_int_equal(warnings, 1);
        settings.ridge = 0.1;
        warnings = 0;
        solve(&data, &settings);
        assert_int_equal(warnings, 0);
    }
    problems_data_free(&data);
}

static void labels_that_are_not_two_classes_are_refused(void **state)
{
    struct problems_data data = plain_data(20, 3, 7);
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    (void)state;
    for (int64_t i = 0; i < 20; i++) data.classes[i] = 1.0;
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(fit.status, DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "one class 1"));
    data.classes[3] = 2.0;
    data.classes[9] = 3.0;
    fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(fit.status, DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "row 10"));
    problems_data_free(&data);
}

static void every_shape_converges(void **state)
{
    static const int64_t shapes[][2] = {{1, 1}, {1, 20}, {2, 1}, {20, 1}, {5, 300}, {2000, 3}};
    static const char *const penalties[] = {"l1", "capped-l1", "lp"};
    dcpn_part metric;
    (void)state;
    for (size_t s = 0; s < 6; s++) {
        struct problems_data data = plain_data(shapes[s][0], shapes[s][1], 8 + s);
        for (size_t k = 0; k < 3; k++) {
            for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++) {
                const char *loss = shapes[s][0] > 1 && s % 2 == 0 ? "logistic" : "squared";
                dcpn_settings settings = problems_settings(loss, penalties[k], metric.name, NULL);
                settings.lambda = 0.05;
                settings.ridge = 0.5; /* few rows are separable */
                struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
                assert_finite(&fit);
                problems_assert_converged(&data, &settings, &fit);
                problems_fit_free(&fit);
            }
        }
        problems_data_free(&data);
    }
}

/* One row and one column: minimise 1/2 (3 x - 6)^2 + |x|: x = (18 - 1) / 9. */
static void one_entry_has_the_solution_of_the_formula(void **state)
{
    struct problems_data data = plain_data(1, 1, 1);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    (void)state;
    data.A[0] = 3.0;
    data.numbers[0] = 6.0;
    settings.tol = 1e-12;
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    problems_assert_converged(&data, &settings, &fit);
    assert_true(fabs(fit.x[0] - 17.0 / 9.0) <= 1e-12);
    problems_fit_free(&fit);
    problems_data_free(&data);
}

static void a_matrix_of_zeros(void **state)
{
    dcpn_part loss, metric;
    struct problems_data data = plain_data(10, 4, 1);
    (void)state;
    memset(data.A, 0, 40 * sizeof(double));
    for (size_t i = 0; dcpn_part_at("loss", i, &loss) && has_one_score(&loss); i++) {
        for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++) {
            dcpn_settings settings = problems_settings(loss.name, "capped-l1", metric.name, NULL);
            if (dcpn_combination_check(context, &settings) != DCPN_OK) continue; /* no bound on the curvature */
            dcpn_result result = solve(&data, &settings);
            assert_int_equal(result.outcome, DCPN_CONVERGED);
            assert_int_equal(result.nonzeros, 0);
            settings.intercept = 1; /* only the constant can move */
            result = solve(&data, &settings);
            assert_int_equal(result.outcome, DCPN_CONVERGED);
            assert_int_equal(result.nonzeros, 0);
        }
    }
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_end_the_run_and_say_so),
        cmocka_unit_test(the_observer_can_interrupt),
        cmocka_unit_test(the_observer_cannot_change_the_run),
        cmocka_unit_test(relative_change_is_a_rule_of_its_own),
        cmocka_unit_test(tol_0_ends),
        cmocka_unit_test(a_stalled_run_is_at_a_stationary_point),
        cmocka_unit_test(columns_of_very_different_scales),
        cmocka_unit_test(all_of_A_very_large_or_small),
        cmocka_unit_test(lambda_0_is_least_squares),
        cmocka_unit_test(separable_data_end_with_a_warning),
        cmocka_unit_test(labels_that_are_not_two_classes_are_refused),
        cmocka_unit_test(every_shape_converges),
        cmocka_unit_test(one_entry_has_the_solution_of_the_formula),
        cmocka_unit_test(a_matrix_of_zeros),
    };
    return cmocka_run_group_tests_name("problems.limits", tests, setup, teardown);
}
