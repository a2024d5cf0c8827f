/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of a penalty of the caller's own: it, and not the one that the settings name, says what varies, which algorithm
 * will do, and where a path begins. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_paths.h"

enum { ROWS = 50, COLUMNS = 12, VALUES = 3, LAMBDAS = 5 };

static double mcp_value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    double end = shape->gamma * lambda;
    return t < end ? lambda * t - t * t / (2.0 * shape->gamma) : 0.5 * end * lambda;
}

static double lambda_alone(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double mcp_slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side;
    return fmax(0.0, lambda - t / shape->gamma);
}

static const dcpn_penalty_ops own_mcp = {.name = "own-mcp",
                                         .formula = "mcp",
                                         .parameters = "gamma",
                                         .value = mcp_value,
                                         .slope0 = lambda_alone,
                                         .slope = mcp_slope};

static double l1_value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    (void)shape;
    return lambda * t;
}

static double l1_slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)shape;
    (void)t;
    (void)side;
    return lambda;
}

static const dcpn_penalty_ops own_l1 = {
    .name = "own-l1", .formula = "l1", .convex = 1, .value = l1_value, .slope0 = lambda_alone, .slope = l1_slope};

struct case_of {
    struct problems_data data;
    dcpn_matrix *A;
    dcpn_problem *problem;
};

static struct case_of case_of(const dcpn_penalty_ops *penalty, uint64_t seed)
{
    struct case_of made = {.data = problems_data_new(ROWS, COLUMNS, 0.8, seed)};
    made.A = problems_matrix(context, &made.data, PROBLEMS_COLUMN_MAJOR);
    made.problem = problem_of(context, &made.data, made.A, "squared");
    assert_int_equal(dcpn_problem_set_penalty(made.problem, penalty, NULL), DCPN_OK);
    return made;
}

static void case_free(struct case_of *made)
{
    dcpn_problem_free(made->problem);
    dcpn_matrix_free(made->A);
    problems_data_free(&made->data);
}

static void the_own_parameter_varies(void **state)
{
    static const char *const named[] = {"capped-l1", "scad", "l1"};
    static const double values[VALUES] = {3.0, 30.0, 10.0}, descending[VALUES] = {30.0, 10.0, 3.0};
    const dcpn_path_options options = {
        .lambda_count = LAMBDAS, .min_ratio = 0.1, .values = values, .value_count = VALUES};
    (void)state;
    for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
        struct case_of made = case_of(&own_mcp, 3);
        dcpn_settings settings = problems_settings("squared", named[k], NULL, NULL);
        dcpn_paths *paths = NULL;
        assert_int_equal(dcpn_paths_fit(context, made.problem, &settings, &options, &paths), DCPN_OK);
        assert_int_equal(paths->count, VALUES);
        for (int64_t v = 0; v < VALUES; v++) {
            assert_string_equal(paths->paths[v].varying, "gamma");
            assert_true(paths->paths[v].value == descending[v] && paths->paths[v].settings.gamma == descending[v]);
            assert_true(paths->paths[v].settings.theta == settings.theta);
            paths->paths[v].settings.penalty = "mcp"; /* which it is: naive code knows that one */
        }
        assert_points_certified(&made.data, paths);
        dcpn_paths_free(paths);
        case_free(&made);
    }
}

/* A penalty that has no such parameter has one path, whatever that of the settings has. */
static void without_a_parameter_values_are_ignored(void **state)
{
    static const double values[VALUES] = {3.0, 30.0, 10.0};
    const dcpn_path_options options = {.lambda_count = LAMBDAS, .values = values, .value_count = VALUES};
    struct case_of made = case_of(&own_l1, 4);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    dcpn_paths *paths = NULL;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, made.problem, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(paths->count, 1);
    assert_null(paths->paths[0].varying);
    dcpn_paths_free(paths);
    case_free(&made);
}

static void a_grid_is_over_the_own_parameter(void **state)
{
    static const double values[] = {3.0, 30.0}, lambdas[] = {5.0, 1.0};
    const dcpn_grid_options options = {
        .lambdas = lambdas, .lambda_count = 2, .values = values, .value_count = 2, .folds = 2};
    struct case_of made = case_of(&own_mcp, 5);
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    dcpn_grid_selection *selection = NULL;
    (void)state;
    assert_int_equal(dcpn_select_on_grid(context, made.problem, &settings, &options, &selection), DCPN_OK);
    assert_string_equal(selection->varying, "gamma");
    assert_int_equal(selection->count, 4);
    assert_true(selection->settings.gamma == selection->candidates[selection->chosen].value);
    assert_true(selection->settings.theta == settings.theta);
    dcpn_grid_selection_free(selection);
    case_free(&made);
}

/* Proximal gradient needs a convex penalty: one of the caller's own is, or is not, whatever the settings name. */
static void the_algorithm_is_checked_with_the_own_penalty(void **state)
{
    static const struct {
        const dcpn_penalty_ops *own;
        const char *named;
        dcpn_status status;
    } cases[] = {{&own_l1, "capped-l1", DCPN_OK}, {&own_mcp, "l1", DCPN_USAGE}};
    const dcpn_path_options options = {.lambda_count = LAMBDAS, .min_ratio = 0.1};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct case_of made = case_of(cases[k].own, 6);
        dcpn_settings settings = problems_settings("squared", cases[k].named, NULL, NULL);
        dcpn_paths *paths = NULL;
        dcpn_solver *solver = NULL;
        settings.algorithm = "proximal-gradient";
        assert_int_equal(dcpn_solver_new(context, made.problem, &settings, &solver), cases[k].status);
        assert_int_equal(dcpn_paths_fit(context, made.problem, &settings, &options, &paths), cases[k].status);
        dcpn_solver_free(solver);
        dcpn_paths_free(paths);
        case_free(&made);
    }
}

/* ---- slopes that are no multiples of lambda: user is the power of it ---- */

static double power_of(const dcpn_penalty_shape *shape, double lambda)
{
    return pow(lambda, *(const double *)shape->user);
}

static double power_value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    return power_of(shape, lambda) * t;
}

static double power_slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)t;
    (void)side;
    return power_of(shape, lambda);
}

static const dcpn_penalty_ops power_l1 = {.name = "power",
                                          .formula = "lambda^k t",
                                          .convex = 1,
                                          .value = power_value,
                                          .slope0 = power_of,
                                          .slope = power_slope};

static int64_t in_use_at(dcpn_solver *solver, const struct problems_data *data, double lambda)
{
    int64_t count = 0;
    assert_int_equal(dcpn_solver_set_lambda(solver, lambda), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    for (int64_t j = 0; j < COLUMNS; j++) count += data->factors[j] > 0.0 && dcpn_solver_coefficients(solver)[j] != 0.0;
    return count;
}

static void lambda_max_is_found_for_any_slope(void **state)
{
    static const double powers[] = {0.5, 1.0, 2.0, 3.0};
    (void)state;
    for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
        struct case_of made = case_of(&power_l1, 7 + k);
        dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
        dcpn_solver *solver = NULL;
        double lambda_max;
        double power = powers[k];
        settings.tol = 1e-10;
        settings.intercept = 1;
        assert_int_equal(dcpn_problem_set_penalty(made.problem, &power_l1, &power), DCPN_OK);
        assert_int_equal(dcpn_solver_new(context, made.problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_lambda_max(solver, &lambda_max), DCPN_OK);
        assert_int_equal(in_use_at(solver, &made.data, lambda_max * 1.0001), 0);
        assert_true(in_use_at(solver, &made.data, lambda_max * 0.999) > 0);
        dcpn_solver_free(solver);
        case_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_own_parameter_varies, setup, teardown),
        cmocka_unit_test_setup_teardown(without_a_parameter_values_are_ignored, setup, teardown),
        cmocka_unit_test_setup_teardown(a_grid_is_over_the_own_parameter, setup, teardown),
        cmocka_unit_test_setup_teardown(the_algorithm_is_checked_with_the_own_penalty, setup, teardown),
        cmocka_unit_test_setup_teardown(lambda_max_is_found_for_any_slope, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.own_penalty", tests, NULL, NULL);
}
