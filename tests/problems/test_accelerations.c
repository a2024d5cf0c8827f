/* SPDX-License-Identifier: BSD-3-Clause */
/* Each acceleration switched off by itself: the fit ends at a stationary point, by naive code, and where F is convex at
 * the same F. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "with_context.h"

static void nothing(dcpn_settings *settings)
{
    (void)settings;
}

static void no_active_set(dcpn_settings *settings)
{
    settings->active_set = "off";
}

static void no_search(dcpn_settings *settings)
{
    settings->global = "off";
}

static void no_extrapolation(dcpn_settings *settings)
{
    settings->extrapolate = 0;
}

static void no_gram(dcpn_settings *settings)
{
    settings->gram = 0;
}

static void curvature_of_f1(dcpn_settings *settings)
{
    settings->curvature = "f1";
}

static void no_hessian(dcpn_settings *settings)
{
    settings->metric = "lbfgs";
}

static void lbfgs_from_the_hessian(dcpn_settings *settings)
{
    settings->metric = "seeded-lbfgs";
}

static void no_coordinate_descent(dcpn_settings *settings)
{
    settings->subsolver = "fista";
}

static void none_at_all(dcpn_settings *settings)
{
    no_active_set(settings);
    no_search(settings);
    no_hessian(settings);
    settings->subsolver = "forward-backward";
    settings->curvature = "f1";
}

static void (*const switches[])(dcpn_settings *) = {
    nothing,
    no_active_set,
    no_search,
    no_extrapolation,
    no_gram,
    curvature_of_f1,
    no_hessian,
    lbfgs_from_the_hessian,
    no_coordinate_descent,
    none_at_all,
};
enum { SWITCHES = sizeof switches / sizeof *switches };

static double fit_without(int which, const struct problems_data *data, enum problems_storage storage, const char *loss,
                          const char *penalty, double lambda)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.lambda = lambda;
    settings.tol = 1e-7;
    switches[which](&settings);
    struct problems_fit fit = problems_solve(context, data, storage, &settings, NULL);
    problems_assert_converged(data, &settings, &fit);
    double F = fit.result.objective;
    problems_fit_free(&fit);
    return F;
}

static void without_any_of_them_a_convex_problem_has_the_same_minimum(void **state)
{
    static const char *const losses[] = {"squared", "logistic", "huber"};
    struct problems_data data = problems_data_new(80, 150, 0.3, 20261101);
    (void)state;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++)
        for (double lambda = 2.0; lambda > 0.1; lambda *= 0.3) {
            double F = fit_without(0, &data, PROBLEMS_CSR, losses[i], "l1", lambda);
            for (int k = 1; k < SWITCHES; k++)
                problems_assert_close(fit_without(k, &data, PROBLEMS_CSR, losses[i], "l1", lambda), F, 1e-6,
                                      "F without an acceleration");
        }
    problems_data_free(&data);
}

/* In which basin it ends is the search's business, and a last digit may decide it: on average it is no higher than
 * without an acceleration, and never by much. That it is stationary is asserted within. */
static void without_any_of_them_a_fit_ends_at_a_stationary_point(void **state)
{
    static const char *const penalties[] = {"capped-l1", "scad", "mcp", "log", "lp"};
    struct problems_data data = problems_data_new(60, 20, 1.0, 20261102);
    double sum = 0.0;
    (void)state;
    for (size_t i = 0; i < sizeof penalties / sizeof *penalties; i++) {
        double F = fit_without(0, &data, PROBLEMS_COLUMN_MAJOR, "logistic", penalties[i], 0.5);
        for (int k = 1; k < SWITCHES; k++) {
            double G = fit_without(k, &data, PROBLEMS_COLUMN_MAJOR, "logistic", penalties[i], 0.5);
            assert_true(F <= 1.1 * G);
            sum += log(F / G);
        }
    }
    assert_true(sum <= 0.0);
    problems_data_free(&data);
}

/* ---- L-BFGS within an active set ---- */

static struct problems_fit fit_lbfgs(const struct problems_data *data, double lambda, const char *active_set)
{
    dcpn_settings settings = problems_settings("logistic", "l1", "lbfgs", NULL);
    settings.lambda = lambda;
    settings.tol = 1e-6;
    settings.active_set = active_set;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    problems_assert_converged(data, &settings, &fit);
    return fit;
}

/* Few columns in use: less is read. Some: it gains nothing. Most: it works on all, and hardly more is read than
 * without. */
static void an_active_set_around_lbfgs_costs_little_where_most_columns_matter(void **state)
{
    static const struct {
        double lambda, most_passes; /* as a share of those without */
    } cases[] = {{35.0, 0.7}, {20.0, 1.2}, {0.02, 1.2}};
    struct problems_data data = problems_data_new(400, 200, 1.0, 20261103);
    (void)state;
    problems_data_plain(&data);
    for (int k = 0; k < 3; k++) {
        struct problems_fit off = fit_lbfgs(&data, cases[k].lambda, "off");
        struct problems_fit on = fit_lbfgs(&data, cases[k].lambda, "on");
        problems_assert_close(on.result.objective, off.result.objective, 1e-6, "F with an active set");
        if (k < 2) assert_in_range(on.result.nonzeros, 1, 40);
        if (k == 2) assert_in_range(on.result.nonzeros, 100, 200);
        assert_true(on.result.passes <= cases[k].most_passes * off.result.passes);
        problems_fit_free(&off);
        problems_fit_free(&on);
    }
    problems_data_free(&data);
}

/* ---- L-BFGS from the Hessian of the largest coordinates ---- */

/* Columns that go together, in units from 1/32 to 32; enough rows that a sample of them is taken. */
static struct problems_data columns_in_groups(void)
{
    enum { ROWS = 17000, COLUMNS = 40, GROUP = 8 };
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 20261116);
    problems_data_plain(&data);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++) {
            double *value = &data.A[i * COLUMNS + j], shared = data.A[i * COLUMNS + j / GROUP * GROUP];
            if (j % GROUP > 0) *value = ldexp(*value + 3.0 * shared, (int)(j % 11) - 5);
        }
    return data;
}

static struct problems_fit fit_groups(const struct problems_data *data, const char *loss, const char *metric)
{
    dcpn_settings settings = problems_settings(loss, "l1", metric, NULL);
    settings.lambda = 20.0;
    settings.memory = 20;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
    problems_assert_certificate(data, &settings, &fit);
    return fit;
}

static void from_the_hessian_lbfgs_ends_sooner_at_the_same_minimum(void **state)
{
    static const char *const losses[] = {"logistic", "squared"};
    struct problems_data data = columns_in_groups();
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct problems_fit exact = fit_groups(&data, losses[k], "hessian");
        struct problems_fit plain = fit_groups(&data, losses[k], "lbfgs");
        struct problems_fit seeded = fit_groups(&data, losses[k], "seeded-lbfgs");
        assert_int_equal(seeded.result.outcome, DCPN_CONVERGED);
        problems_assert_close(seeded.result.objective, exact.result.objective, 1e-6, "F from the Hessian");
        assert_true(seeded.result.passes < 0.5 * plain.result.passes);
        problems_fit_free(&exact);
        problems_fit_free(&plain);
        problems_fit_free(&seeded);
    }
    problems_data_free(&data);
}

/* Eight rows 300 times as large as the others, between the stretches of rows that a sample takes: they are nearly all
 * of the Hessian. A sample without them took more than twice the passes of plain L-BFGS. */
static void rows_that_make_up_the_hessian_are_in_its_sample(void **state)
{
    struct problems_data data = problems_data_new(17000, 40, 1.0, 20261117);
    (void)state;
    problems_data_plain(&data);
    for (int64_t k = 0; k < 8; k++)
        for (int64_t j = 0; j < data.columns; j++) data.A[(1700 * k + 100) * data.columns + j] *= 300.0;
    struct problems_fit plain = fit_groups(&data, "squared", "lbfgs");
    struct problems_fit seeded = fit_groups(&data, "squared", "seeded-lbfgs");
    assert_int_equal(seeded.result.outcome, DCPN_CONVERGED);
    assert_true(seeded.result.passes < 1.5 * plain.result.passes);
    problems_fit_free(&plain);
    problems_fit_free(&seeded);
    problems_data_free(&data);
}

/* ---- steps beyond the minimum of the model ---- */

static int note_first_step(void *user, const dcpn_progress *progress)
{
    if (progress->k == 1) *(dcpn_progress *)user = *progress;
    return 0;
}

static dcpn_progress first_step(const dcpn_problem *problem, const char *curvature)
{
    dcpn_settings settings = problems_settings("logistic", "l1", "hessian", NULL);
    dcpn_solver *solver;
    dcpn_progress first = {0};
    settings.lambda = 0.5;
    settings.active_set = "off";
    settings.curvature = curvature;
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    dcpn_solver_set_observer(solver, note_first_step, &first);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    dcpn_solver_free(solver);
    return first;
}

/* One feature that is 1 in 40 rows, 38 of them positive. From 0, where the curvature is 10, the step to the minimum of
 * the model is (18 - lambda) / 10, which leaves the coefficient far from the minimum of F, near 2.7. */
static void a_step_is_lengthened_while_the_objective_falls(void **state)
{
    enum { ROWS = 40, POSITIVE = 38 };
    double ones[ROWS], labels[ROWS];
    dcpn_matrix *A;
    dcpn_problem *problem;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        ones[i] = 1.0;
        labels[i] = i < POSITIVE ? 1.0 : -1.0;
    }
    assert_int_equal(dcpn_matrix_dense(context, ROWS, 1, ones, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_COPY, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    dcpn_progress longer = first_step(problem, "clipped"), plain = first_step(problem, "f1");
    double step = (18.0 - 0.5) / 10.0, x = longer.step * step;
    assert_true(plain.step == 1.0);
    assert_true(longer.step > 1.0);
    problems_assert_close(longer.objective, POSITIVE * log1p(exp(-x)) + (ROWS - POSITIVE) * log1p(exp(x)) + 0.5 * x,
                          1e-6, "F after a longer step");
    assert_true(longer.objective < plain.objective);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* ---- screening, on a path ---- */

static dcpn_paths *path_with(const struct problems_data *data, const dcpn_matrix *A, int screening)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 20};
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    settings.screening = screening;
    settings.tol = 1e-7;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(data, "logistic"), &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    return paths;
}

static void a_path_without_screening_is_the_same_and_reads_more(void **state)
{
    struct problems_data data = problems_data_new(40, 400, 1.0, 20261104);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_paths *paths[2];
    double passes[2] = {0.0, 0.0};
    (void)state;
    for (int k = 0; k < 2; k++) {
        paths[k] = path_with(&data, A, k);
        for (int64_t i = 0; i < paths[k]->paths[0].count; i++) passes[k] += paths[k]->paths[0].points[i].fit.passes;
    }
    assert_int_equal(paths[0]->paths[0].count, paths[1]->paths[0].count);
    for (int64_t i = 0; i < paths[0]->paths[0].count; i++)
        problems_assert_close(paths[0]->paths[0].points[i].fit.objective, paths[1]->paths[0].points[i].fit.objective,
                              1e-6, "F with screening");
    assert_true(passes[1] < passes[0]);
    for (int k = 0; k < 2; k++) dcpn_paths_free(paths[k]);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

/* The first descent of a search does not begin at 0, but that one is among those it compares, where it costs little. */
static void a_search_is_no_higher_than_a_descent(void **state)
{
    static const char *const losses[] = {"logistic", "smooth-ramp", "squared-hinge"};
    static const char *const penalties[] = {"mcp", "scad", "capped-l1", "log"};
    (void)state;
    for (int k = 0; k < 48; k++) {
        struct problems_data data = problems_data_new(40, 90, 1.0, 300 + (uint64_t)k / 12);
        dcpn_settings settings = problems_settings(losses[k % 3], penalties[k / 3 % 4], NULL, NULL);
        double F[2];
        problems_data_plain(&data);
        settings.scale = "mean";
        settings.lambda = 0.06;
        settings.theta = 0.3;
        for (int is_off = 0; is_off < 2; is_off++) {
            settings.global = is_off ? "off" : "auto";
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &fit);
            F[is_off] = fit.result.objective;
            problems_fit_free(&fit);
        }
        assert_true(F[0] <= F[1] * (1.0 + 1e-3)); /* ends are compared before they are quite reached */
        problems_data_free(&data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_any_of_them_a_convex_problem_has_the_same_minimum),
        cmocka_unit_test(without_any_of_them_a_fit_ends_at_a_stationary_point),
        cmocka_unit_test(an_active_set_around_lbfgs_costs_little_where_most_columns_matter),
        cmocka_unit_test(from_the_hessian_lbfgs_ends_sooner_at_the_same_minimum),
        cmocka_unit_test(a_step_is_lengthened_while_the_objective_falls),
        cmocka_unit_test(rows_that_make_up_the_hessian_are_in_its_sample),
        cmocka_unit_test(a_search_is_no_higher_than_a_descent),
        cmocka_unit_test(a_path_without_screening_is_the_same_and_reads_more),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
