/* SPDX-License-Identifier: BSD-3-Clause */
/* The outer methods: each keeps to its row of the paper's table, ends at stationary points, and agrees with the others
 * where there is one answer. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "settings/registry.h"
#include "support/one_score.h"
#include "support/problems_naive.h"
#include "with_context.h"

#define FOR_EACH(KIND, PART) for (size_t PART##_index = 0; dcpn_part_at(KIND, PART##_index, &PART); PART##_index++)

static dcpn_settings settings_of(const char *algorithm, const char *loss, const char *penalty)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.algorithm = algorithm;
    settings.lambda = strcmp(penalty, "lp") == 0 ? 0.4 : 2.0; /* the slope of lp at 0 is 15.8 lambda */
    settings.theta = 0.8;
    settings.ridge = 0.1; /* without it the smooth ramp with a flat penalty has no minimiser */
    settings.intercept = 1;
    settings.max_iter = 1000000;
    settings.dc_max = 100000;
    return settings;
}

static int takes(const char *assumption)
{
    return strcmp(assumption, "-") != 0;
}

/* What the row of the table says: f2 and h2 where they are not 0, unless f need not be split. */
static int row_allows(const dcpn_part *algorithm, const char *loss, const char *penalty)
{
    int f2 = dcpn_find_loss(loss)->slope2 != NULL, h2 = !dcpn_find_penalty(penalty)->convex;
    int whole_f = strcmp(algorithm->f1, "ncvx") == 0;
    return (!f2 || whole_f || takes(algorithm->f2)) && (!h2 || takes(algorithm->h2));
}

static void check_rows(int active_set, enum problems_storage storage)
{
    struct problems_data data = problems_data_new(40, 8, 0.6, 20261001);
    dcpn_part algorithm, loss, penalty;
    int solved = 0, refused = 0;
    FOR_EACH("algorithm", algorithm)
    FOR_EACH("loss", loss)
    FOR_EACH("penalty", penalty)
    {
        if (!has_one_score(&loss)) continue;
        dcpn_settings settings = settings_of(algorithm.name, loss.name, penalty.name);
        settings.active_set = active_set ? "on" : "off";
        struct problems_fit fit = problems_solve(context, &data, storage, &settings, NULL);
        if (row_allows(&algorithm, loss.name, penalty.name)) {
            problems_assert_converged(&data, &settings, &fit);
            solved++;
        } else {
            assert_int_equal(fit.status, DCPN_USAGE);
            assert_non_null(strstr(dcpn_last_error(context), algorithm.name));
            refused++;
        }
        problems_fit_free(&fit);
    }
    assert_true(solved > 100 && refused > 50);
    problems_data_free(&data);
}

static void every_method_keeps_to_its_row(void **state)
{
    (void)state;
    check_rows(0, PROBLEMS_CSC);
}

static void and_so_it_does_within_an_active_set(void **state)
{
    (void)state;
    check_rows(1, PROBLEMS_CSR);
    check_rows(1, PROBLEMS_ROW_MAJOR);
}

/* A metric lives on from one convex problem to the next. */
static void convex_problems_are_solved_with_every_metric(void **state)
{
    static const char *const methods[] = {"dca", "multi-stage"};
    struct problems_data data = problems_data_new(40, 6, 1.0, 20261008);
    dcpn_part metric, penalty;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        FOR_EACH("metric", metric)
        FOR_EACH("penalty", penalty)
        {
            dcpn_settings settings = settings_of(methods[i], "squared-hinge", penalty.name);
            settings.metric = metric.name;
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &fit);
            problems_fit_free(&fit);
        }
    }
    problems_data_free(&data);
}

/* More columns than the first working set has room for, most of them empty or useless; weights, factors, offset. */
static void an_active_set_certifies_all_columns(void **state)
{
    struct problems_data data = problems_data_new(60, 700, 0.05, 20261006);
    (void)state;
    for (int64_t i = 0; i < data.rows; i++)
        for (int64_t j = 300; j < 500; j++) data.A[i * data.columns + j] = 0.0;
    double F[2];
    for (int on = 0; on <= 1; on++) {
        dcpn_settings settings = settings_of("dcpn", "logistic", "l1");
        settings.lambda = 0.05;
        settings.active_set = on ? "on" : "off";
        settings.tol = 1e-7;
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSC_FLOAT32, &settings, NULL);
        assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
        assert_true(fit.result.nonzeros > 20);
        F[on] = fit.result.objective;
        problems_fit_free(&fit);
    }
    problems_assert_close(F[0], F[1], 1e-7, "F with and without an active set");
    problems_data_free(&data);
}

static void a_start_on_an_empty_column_is_dropped(void **state)
{
    struct problems_data data = problems_data_new(40, 8, 1.0, 20261007);
    double start[8] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8};
    dcpn_settings settings = settings_of("dcpn", "logistic", "capped-l1");
    (void)state;
    for (int64_t i = 0; i < data.rows; i++) data.A[i * data.columns + 3] = 0.0;
    settings.active_set = "on";
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, start);
    problems_assert_converged(&data, &settings, &fit);
    assert_true(fit.x[3] == 0.0);
    problems_fit_free(&fit);
    problems_data_free(&data);
}

static void all_methods_find_the_minimum_of_a_convex_problem(void **state)
{
    struct problems_data data = problems_data_new(50, 10, 1.0, 20261002);
    static const char *const losses[] = {"squared", "logistic", "squared-hinge", "huber"};
    dcpn_part algorithm;
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        double lowest = HUGE_VAL, highest = -HUGE_VAL;
        FOR_EACH("algorithm", algorithm)
        {
            dcpn_settings settings = settings_of(algorithm.name, losses[i], "l1");
            settings.tol = 1e-8; /* F is within |x - x*|_1 tol lambda of its minimum */
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &fit);
            lowest = fmin(lowest, fit.result.objective);
            highest = fmax(highest, fit.result.objective);
            problems_fit_free(&fit);
        }
        assert_true(highest - lowest <= 1e-7 * highest);
    }
    problems_data_free(&data);
}

/* ---- one variable: rows (10, 1) and (-10, -1), squared loss, lambda 30, theta 0.01. |grad f(0)| = 20 < lambda, so
 * x = 0 is stationary; the minimum is x = 0.1, F = 0.3 ---- */

static struct problems_fit solve_one_variable(const char *algorithm, const char *global)
{
    double A[] = {10.0, -10.0}, labels[] = {1.0, -1.0};
    struct problems_data data = {.rows = 2, .columns = 1, .A = A, .classes = labels, .numbers = labels};
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    settings.algorithm = algorithm;
    settings.lambda = 30.0;
    settings.theta = 0.01;
    settings.tol = 1e-13;
    settings.global = global;
    return problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
}

static void gist_jumps_from_a_stationary_point_and_linearised_methods_do_not(void **state)
{
    static const char *const linearised[] = {"dcpn", "dca", "scp", "multi-stage"};
    (void)state;
    struct problems_fit fit = solve_one_variable("gist", "off");
    assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
    problems_assert_close(fit.x[0], 0.1, 1e-12, "x");
    problems_assert_close(fit.result.objective, 0.3, 1e-12, "F");
    problems_fit_free(&fit);
    for (size_t i = 0; i < sizeof linearised / sizeof *linearised; i++) {
        fit = solve_one_variable(linearised[i], "off");
        assert_int_equal(fit.result.outcome, DCPN_CONVERGED);
        assert_true(fit.x[0] == 0.0);
        problems_fit_free(&fit);
    }
}

/* The code of its authors has L = 1 for a mean of losses, and stops by small changes after three of them in a row. */
static void gist_begins_and_stops_as_its_authors_have_it(void **state)
{
    struct problems_data data = problems_data_new(50, 6, 1.0, 20261009);
    dcpn_settings settings = settings_of("gist", "squared", "l1");
    (void)state;
    problems_data_plain(&data);
    for (int64_t k = 0; k < 50 * 6; k++) data.A[k] *= 0.1; /* so that L = 1 is enough */
    settings.scale = "mean";
    settings.intercept = 0;
    settings.ridge = 0.0;
    settings.lambda = 0.001;
    settings.max_iter = 1;
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
    for (int64_t j = 0; j < 6; j++) {
        double g = 0.0;
        for (int64_t i = 0; i < 50; i++) g -= data.A[6 * i + j] * data.numbers[i] / 50.0;
        double expected = fabs(g) > 0.001 ? copysign(fabs(g) - 0.001, -g) : 0.0;
        assert_true(fabs(fit.x[j] - expected) <= 1e-14);
    }
    problems_fit_free(&fit);
    settings.max_iter = 1000;
    settings.stop = "relative-change";
    settings.relative_tol = 1.0;
    for (int nonmonotone = 0; nonmonotone < 2; nonmonotone++) {
        settings.nonmonotone = nonmonotone;
        fit = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_int_equal(fit.result.iterations, nonmonotone ? 3 : 1);
        problems_fit_free(&fit);
    }
    problems_data_free(&data);
}

/* On rows that a plane can part, with a penalty that is flat far out, the gradient is small long before F has fallen:
 * the certificate alone would end more than twice as high as the rule of GIST's authors does. */
static void gist_ends_no_higher_than_by_its_authors_rule(void **state)
{
    struct problems_data data = problems_data_new(50, 200, 1.0, 20261116);
    (void)state;
    problems_data_plain(&data);
    for (int64_t k = 0; k < 50 * 200; k++) data.A[k] *= 0.05;
    for (int scad = 0; scad < 2; scad++) {
        dcpn_settings settings = settings_of("gist", "logistic", scad ? "scad" : "mcp");
        settings.scale = "mean";
        settings.intercept = 0;
        settings.ridge = 0.0;
        settings.lambda = 0.005;
        settings.tol = 1e-4;
        struct problems_fit certified = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
        settings.stop = "relative-change";
        settings.relative_tol = 1e-5;
        settings.max_iter = 1000;
        struct problems_fit authors = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_int_equal(certified.result.outcome, DCPN_CONVERGED);
        assert_true(certified.result.objective <= authors.result.objective * (1.0 + 1e-5));
        problems_fit_free(&authors);
        problems_fit_free(&certified);
    }
    problems_data_free(&data);
}

/* ---- what F does along the way ---- */

struct values {
    double recent[5];
    int64_t seen, window;
    int broken;
};

/* F(x_k) <= the largest of the last `window` values, up to the rounding of an F that is computed afresh */
static int watch_values(void *user, const dcpn_progress *progress)
{
    struct values *values = user;
    double largest = -HUGE_VAL;
    for (int64_t i = 1; i <= values->window && i <= values->seen; i++)
        largest = fmax(largest, values->recent[(values->seen - i) % 5]);
    if (values->seen && progress->objective > largest + 1e-13 * fabs(largest)) values->broken = 1;
    values->recent[values->seen++ % 5] = progress->objective;
    return 0;
}

static void watch_method(const struct problems_data *data, const char *algorithm, int nonmonotone, int window)
{
    dcpn_settings settings = settings_of(algorithm, "logistic", "capped-l1");
    settings.nonmonotone = nonmonotone;
    struct values values = {.window = window};
    dcpn_matrix *A = problems_matrix(context, data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, A, data->classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    dcpn_solver_set_observer(solver, watch_values, &values);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_true(values.seen > 2);
    assert_false(values.broken);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void F_falls_as_each_method_promises(void **state)
{
    struct problems_data data = problems_data_new(60, 20, 1.0, 20261003);
    (void)state;
    watch_method(&data, "dcpn", 1, 1);
    watch_method(&data, "dca", 1, 1);
    watch_method(&data, "scp", 1, 1);
    watch_method(&data, "multi-stage", 1, 1);
    watch_method(&data, "gist", 0, 1);
    watch_method(&data, "gist", 1, 5);
    problems_data_free(&data);
}

static void dca_makes_at_most_dc_max_convex_problems(void **state)
{
    struct problems_data data = problems_data_new(60, 20, 1.0, 20261004);
    dcpn_settings settings = settings_of("dca", "smooth-ramp", "capped-l1");
    (void)state;
    settings.dc_max = 2;
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(fit.result.outcome, DCPN_MAX_ITERATIONS);
    assert_int_equal(fit.result.iterations, 2);
    problems_fit_free(&fit);
    problems_data_free(&data);
}

static void proximal_newton_is_dcpn_on_a_convex_problem(void **state)
{
    struct problems_data data = problems_data_new(60, 20, 0.5, 20261005);
    dcpn_settings first = settings_of("dcpn", "logistic", "l1"),
                  second = settings_of("proximal-newton", "logistic", "l1");
    (void)state;
    first.metric = second.metric = "lbfgs";
    struct problems_fit a = problems_solve(context, &data, PROBLEMS_CSR, &first, NULL);
    struct problems_fit b = problems_solve(context, &data, PROBLEMS_CSR, &second, NULL);
    assert_memory_equal(a.x, b.x, (size_t)data.columns * sizeof *a.x);
    problems_fit_free(&a);
    problems_fit_free(&b);
    problems_data_free(&data);
}

static void a_method_with_its_own_metric_takes_no_other(void **state)
{
    (void)state;
    dcpn_settings settings = settings_of("gist", "logistic", "capped-l1");
    settings.metric = "lbfgs";
    assert_int_equal(dcpn_combination_check(context, &settings), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "--metric"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_keeps_to_its_row),
        cmocka_unit_test(and_so_it_does_within_an_active_set),
        cmocka_unit_test(convex_problems_are_solved_with_every_metric),
        cmocka_unit_test(an_active_set_certifies_all_columns),
        cmocka_unit_test(a_start_on_an_empty_column_is_dropped),
        cmocka_unit_test(all_methods_find_the_minimum_of_a_convex_problem),
        cmocka_unit_test(gist_begins_and_stops_as_its_authors_have_it),
        cmocka_unit_test(gist_ends_no_higher_than_by_its_authors_rule),
        cmocka_unit_test(gist_jumps_from_a_stationary_point_and_linearised_methods_do_not),
        cmocka_unit_test(F_falls_as_each_method_promises),
        cmocka_unit_test(dca_makes_at_most_dc_max_convex_problems),
        cmocka_unit_test(proximal_newton_is_dcpn_on_a_convex_problem),
        cmocka_unit_test(a_method_with_its_own_metric_takes_no_other),
    };
    return cmocka_run_group_tests_name("problems.algorithms", tests, setup, teardown);
}
