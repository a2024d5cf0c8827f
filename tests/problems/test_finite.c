/* SPDX-License-Identifier: BSD-3-Clause */
/* Only finite numbers leave the solver: columns near the least double, weights of the penalty near the largest, and an
 * f of the caller's own that returns NaN after a while are refused in a sentence, and the solver is as if it had not
 * run. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "with_context.h"

enum { ROWS = 20, COLUMNS = 3 };

static double values[ROWS * COLUMNS], labels[ROWS];

/* Columns of the given size, and two classes that they do not tell apart. */
static dcpn_problem *problem_of_size(double size, dcpn_matrix **A)
{
    dcpn_problem *problem;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++)
            values[i * COLUMNS + j] = size * (double)((7 * i + 5 * j + i * i * j) % 11 - 5);
        labels[i] = i % 3 ? 1.0 : -1.0;
    }
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, *A, labels, &problem), DCPN_OK);
    return problem;
}

static dcpn_settings standardized(const char *loss)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    settings.loss = loss;
    return settings;
}

static void assert_says_not_finite(dcpn_status status)
{
    assert_int_equal(status, DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "finite"));
}

/* A coefficient of a column of 1e-310 would be 1e310. */
static void columns_below_all_doubles(void **state)
{
    static const char *const losses[] = {"logistic", "squared", "smooth-ramp", "huber"};
    (void)state;
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++) {
        dcpn_matrix *A;
        dcpn_problem *problem = problem_of_size(1e-310, &A);
        dcpn_settings settings = standardized(losses[k]);
        dcpn_solver *solver;
        dcpn_paths *paths;
        dcpn_cv *cv;
        settings.lambda = 1e-4;
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_says_not_finite(dcpn_solver_run(solver));
        assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_NOT_RUN);
        for (int j = 0; j < COLUMNS; j++) assert_true(dcpn_solver_coefficients(solver)[j] == 0.0);
        assert_true(isfinite(dcpn_solver_intercept(solver)));
        dcpn_solver_free(solver);
        assert_says_not_finite(dcpn_paths_fit(context, problem, &settings, NULL, &paths));
        assert_says_not_finite(dcpn_cv_run(context, problem, &settings, NULL, &cv));
        assert_true(!paths && !cv);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
}

static void slope_beyond_all_doubles(void **state)
{
    dcpn_matrix *A;
    dcpn_problem *problem = problem_of_size(1.0, &A);
    dcpn_settings settings = dcpn_settings_default();
    dcpn_solver *solver;
    (void)state;
    settings.penalty = "lp";
    settings.loss = "welsch";
    settings.lambda = 1e308;
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "lambda 1e+308"));
    assert_int_equal(dcpn_solver_set_lambda(solver, 1.0), DCPN_OK); /* it is as good as new */
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_true(isfinite(dcpn_solver_result(solver)->objective));
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* ---- An f of the caller's own: |x - 1|^2 / 2, NaN at the k-th call, or from then on
 * ---------------------------------- */
enum { SIZE = 4 };

struct breaking {
    int64_t calls, last;
    int64_t is_once;
};

static double number(struct breaking *b, double value)
{
    int64_t call = b->calls++;
    int is_broken = b->is_once ? call == b->last : call >= b->last;
    return is_broken ? (double)NAN : value;
}

static double value(void *user, const double *x)
{
    double sum = 0.0;
    for (int j = 0; j < SIZE; j++) sum += 0.5 * (double)(j + 1) * (x[j] - 1.0) * (x[j] - 1.0);
    return number(user, sum);
}

static void gradient(void *user, const double *x, double *out)
{
    for (int j = 0; j < SIZE; j++) out[j] = (double)(j + 1) * (x[j] - 1.0);
    out[0] = number(user, out[0]);
}

/* Broken at any call, a run is refused or has what an f that never breaks has come to; never a NaN and "done". */
static void own_f_that_breaks(void **state)
{
    static const char *const metrics[] = {"lbfgs", "identity-backtracked", "barzilai-borwein"};
    int refused = 0, done = 0;
    (void)state;
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++)
        for (int64_t last = 0; last < 400; last++) {
            struct breaking b = {.last = last / 2, .is_once = last % 2};
            dcpn_smooth f = {.size = SIZE, .value1 = value, .gradient1 = gradient, .user = &b};
            dcpn_settings settings = dcpn_settings_default();
            dcpn_problem *problem;
            dcpn_solver *solver;
            settings.metric = metrics[m];
            settings.lambda = 0.01;
            settings.tol = 1e-10;
            assert_int_equal(dcpn_problem_new_smooth(context, &f, &problem), DCPN_OK);
            assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
            dcpn_status status = dcpn_solver_run(solver);
            const dcpn_result *result = dcpn_solver_result(solver);
            assert_true(status == DCPN_OK || status == DCPN_DATA);
            if (status == DCPN_OK) {
                assert_true(isfinite(result->objective) && isfinite(result->stationarity));
                for (int j = 0; j < SIZE; j++) assert_true(isfinite(dcpn_solver_coefficients(solver)[j]));
            } else {
                assert_int_equal(result->outcome, DCPN_NOT_RUN);
            }
            refused += status == DCPN_DATA;
            done += status == DCPN_OK;
            dcpn_solver_free(solver);
            dcpn_problem_free(problem);
        }
    assert_true(refused > 100 && done > 100);
}

/* ---- Ranks that NaN cannot break
 * ------------------------------------------------------------------------------------- */

/* The loop over ties of the AUC never ended, as NaN is no tie of itself. */
static void scores_that_are_none(void **state)
{
    double classes[] = {-1.0, 1.0};
    const dcpn_model of_classes = {.context = context, .scores = 1, .labels.count = 2, .labels.numbers = classes},
                     of_numbers = {.context = context, .scores = 1};
    const double y[4] = {-1.0, 1.0, -1.0, 1.0}, scores[4] = {0.5, NAN, NAN, 1.0};
    dcpn_quality quality;
    (void)state;
    assert_int_equal(dcpn_model_quality(&of_classes, y, scores, 4, &quality), DCPN_OK);
    assert_true(isnan(quality.auc));
    assert_int_equal(dcpn_model_quality(&of_numbers, y, scores, 4, &quality), DCPN_OK);
    assert_true(isnan(quality.mse));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_below_all_doubles, setup, teardown),
        cmocka_unit_test_setup_teardown(slope_beyond_all_doubles, setup, teardown),
        cmocka_unit_test_setup_teardown(own_f_that_breaks, setup, teardown),
        cmocka_unit_test_setup_teardown(scores_that_are_none, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
