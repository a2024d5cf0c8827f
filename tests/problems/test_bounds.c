/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds on the coefficients: every method ends at the optimum that a plain projected method finds in the raw
 * arrays. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"

enum { ROWS = 40, COLUMNS = 9, STEPS = 20000 };

static dcpn_context *context;
static struct problems_data data;
static double lower[COLUMNS], upper[COLUMNS];

static int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    data = problems_data_new(ROWS, COLUMNS, 0.8, 21);
    problems_data_plain(&data);
    for (int j = 0; j < COLUMNS; j++) {
        lower[j] = j % 3 == 0 ? 0.0 : j % 3 == 1 ? -0.2 : -HUGE_VAL;
        upper[j] = j % 4 == 0 ? 0.3 : j % 4 == 1 ? 0.0 : HUGE_VAL;
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    problems_data_free(&data);
    dcpn_context_free(context);
    return 0;
}

static double clamp(int64_t j, double y)
{
    return fmin(fmax(y, lower[j]), upper[j]);
}

/* Proximal gradient steps on the sum of squares with an l1 norm, a ridge and an intercept. */
static double reference(const dcpn_settings *settings, double *x, double *intercept)
{
    double L = settings->ridge, residual[ROWS], F = 0.0;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) L += data.A[k] * data.A[k];
    L += ROWS;
    memset(x, 0, COLUMNS * sizeof *x);
    *intercept = 0.0;
    for (int step = 0; step <= STEPS; step++) {
        double sum = 0.0;
        F = 0.0;
        for (int64_t i = 0; i < ROWS; i++) {
            residual[i] = *intercept - data.numbers[i];
            for (int64_t j = 0; j < COLUMNS; j++) residual[i] += data.A[i * COLUMNS + j] * x[j];
            F += 0.5 * residual[i] * residual[i];
            sum += residual[i];
        }
        for (int64_t j = 0; j < COLUMNS; j++) F += 0.5 * settings->ridge * x[j] * x[j] + settings->lambda * fabs(x[j]);
        for (int64_t j = 0; j < COLUMNS && step < STEPS; j++) {
            double g = settings->ridge * x[j];
            for (int64_t i = 0; i < ROWS; i++) g += data.A[i * COLUMNS + j] * residual[i];
            double t = x[j] - g / L, c = settings->lambda / L;
            x[j] = clamp(j, t > c ? t - c : t < -c ? t + c : 0.0);
        }
        if (settings->intercept && step < STEPS) *intercept -= sum / L;
    }
    return F;
}

static void check(const dcpn_settings *settings, double best)
{
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    double start[COLUMNS];
    for (int64_t j = 0; j < COLUMNS; j++) start[j] = j % 2 ? 5.0 : -5.0; /* outside: it is taken to the box */
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    if (dcpn_solver_new(context, problem, settings, &solver) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    for (int turn = 0; turn < 2; turn++) {
        if (turn) assert_int_equal(dcpn_solver_set_start(solver, start, 0.0), DCPN_OK);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        const dcpn_result *result = dcpn_solver_result(solver);
        const double *x = dcpn_solver_coefficients(solver);
        for (int64_t j = 0; j < COLUMNS; j++) assert_true(x[j] >= lower[j] && x[j] <= upper[j]);
        if (result->outcome != DCPN_CONVERGED || !(fabs(result->objective - best) <= 1e-8 * best))
            fail_msg("%s %s %s: %s at %.12g, optimum %.12g", settings->algorithm, settings->metric, settings->subsolver,
                     dcpn_outcome_name(result->outcome), result->objective, best);
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void every_method_finds_the_optimum(void **state)
{
    static const struct {
        const char *algorithm, *metric, *subsolver;
        int active_set;
    } parts[] = {
        {"dcpn", "hessian", "coordinate-descent", 0},
        {"dcpn", "hessian", "coordinate-descent", 1},
        {"dcpn", "hessian", "fista", 0},
        {"dcpn", "hessian", "forward-backward", 0},
        {"dcpn", "lbfgs", "coordinate-descent", 0},
        {"dcpn", "identity", "coordinate-descent", 0},
        {"proximal-newton", "auto", "auto", 0},
        {"proximal-gradient", "auto", "auto", 0},
        {"fista", "auto", "auto", 0},
        {"gist", "auto", "auto", 0},
        {"dca", "auto", "auto", 0},
        {"multi-stage", "auto", "auto", 1},
        {"scp", "auto", "auto", 0},
        {"sparsa", "auto", "auto", 0},
    };
    double x[COLUMNS], intercept;
    (void)state;
    for (int with = 0; with < 2; with++) {
        dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
        settings.lambda = 2.0;
        settings.ridge = 1.0;
        settings.intercept = with;
        settings.tol = 1e-6;
        double best = reference(&settings, x, &intercept);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            settings.algorithm = parts[k].algorithm;
            settings.metric = parts[k].metric;
            settings.subsolver = parts[k].subsolver;
            settings.active_set = parts[k].active_set ? "on" : "off";
            check(&settings, best);
        }
    }
}

/* At the edge of the box the certificate still says whether F could fall within it, here by small moves of each
 * coordinate. */
static void nothing_nearby_is_lower(void **state)
{
    static const char *const penalties[] = {"mcp", "scad", "log", "lp"};
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    int at_an_edge = 0;
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (int standardize = 0; standardize < 2; standardize++) {
            dcpn_settings settings = problems_settings("logistic", penalties[p], NULL, NULL);
            dcpn_solver *solver = NULL;
            double x[COLUMNS];
            settings.lambda = 0.5;
            settings.gamma = 10.0;
            settings.ridge = 0.1;
            settings.tol = 1e-9;
            settings.standardize = standardize;
            assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
            assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
            assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
            memcpy(x, dcpn_solver_coefficients(solver), sizeof x);
            for (int64_t j = 0; j < COLUMNS; j++) {
                if (!(x[j] >= lower[j] && x[j] <= upper[j])) fail_msg("outside: %.17g", x[j]);
                at_an_edge += x[j] != 0.0 && (fabs(x[j] - lower[j]) < 1e-12 || fabs(x[j] - upper[j]) < 1e-12);
            }
            if (!standardize) {
                double here = problems_naive(&data, &settings, x, 0.0).objective;
                for (int64_t j = 0; j < COLUMNS; j++)
                    for (int side = -1; side <= 1; side += 2) {
                        double kept = x[j];
                        x[j] = clamp(j, kept + 1e-5 * side);
                        if (!(problems_naive(&data, &settings, x, 0.0).objective >= here - 1e-12))
                            fail_msg("%s: coordinate %lld falls", penalties[p], (long long)j);
                        x[j] = kept;
                    }
            }
            dcpn_solver_free(solver);
        }
    assert_true(at_an_edge > 4);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* With x >= 0 only slopes that lead upwards count for the first lambda. */
static void lambda_max_knows_the_box(void **state)
{
    double zeros[COLUMNS] = {0};
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 2, .min_ratio = 0.99, .saturation = 1.0};
    dcpn_paths *paths = NULL;
    double expected = 0.0;
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++) {
        double slope = 0.0;
        for (int64_t i = 0; i < ROWS; i++) slope += data.A[i * COLUMNS + j] * data.numbers[i];
        expected = fmax(expected, slope);
    }
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, zeros, NULL), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    problems_assert_close(paths->paths[0].lambda_max, expected, 1e-12, "lambda_max");
    assert_int_equal(paths->paths[0].points[0].fit.nonzeros, 0);
    assert_int_equal(paths->paths[0].points[1].fit.nonzeros, 1);
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void boxes_without_0_and_gist_are_refused(void **state)
{
    double wrong[COLUMNS] = {0, 0, -0.5}, nan[COLUMNS] = {0, NAN};
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, NULL, wrong), DCPN_DATA);
    assert_int_equal(dcpn_problem_set_bounds(problem, nan, NULL), DCPN_DATA);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    settings.algorithm = "gist";
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_USAGE);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* F = (x - 1.5)^2 / 2 + min(|x|, 1) on [0, 1]: at 1, the kink, F falls towards 0.5, where it is 1. */
static void a_kink_at_an_edge_is_left(void **state)
{
    const double one = 1.0, label = 1.5, none = 0.0;
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    (void)state;
    settings.lambda = settings.theta = 1.0;
    settings.global = "off";
    assert_int_equal(dcpn_matrix_dense(context, 1, 1, &one, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 1, DCPN_BORROW, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, &label, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, &none, &one), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_start(solver, &one, 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    problems_assert_close(dcpn_solver_result(solver)->objective, 1.0, 1e-8, "objective");
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_finds_the_optimum),
        cmocka_unit_test(nothing_nearby_is_lower),
        cmocka_unit_test(lambda_max_knows_the_box),
        cmocka_unit_test(a_kink_at_an_edge_is_left),
        cmocka_unit_test(boxes_without_0_and_gist_are_refused),
    };
    return cmocka_run_group_tests_name("problems.bounds", tests, setup, teardown);
}
