/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups within groups: whole fits with every loss, penalty, metric and subproblem solver, F and certificate recomputed
 * by naive code that knows nothing of the tree; the prox against repeated projections; lambda_max; refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_every.h"
#include "support/problems_groups.h"

/* Groups of 9 features, roots among leaves: {0..8} holds {0 1 2 3 4} and {6 7}, the first of these {1 2} and {3};
 * {1 2} twice; features 5 and 8 are in the root alone. */
static const int64_t start[] = {0, 9, 11, 16, 17, 19, 21};
static const int64_t member[] = {8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 4, 3, 2, 1, 0, 3, 7, 6, 2, 1};
static const struct problems_groups groups = {6, start, member, NULL};

static dcpn_settings settings_for(const char *loss, const char *penalty)
{
    dcpn_settings settings = base_settings(loss, penalty);
    settings.tol = 1e-8;
    settings.inner_tol = 0.01;
    settings.lambda *= 0.5;
    settings.grouping = "tree";
    settings.max_iter = 100000;
    return settings;
}

/* Solves, and holds the result against naive code; 0 if the parts were refused. */
static int solve(const struct problems_data *data, const dcpn_settings *settings, const struct problems_groups *with,
                 double *x)
{
    dcpn_matrix *A = problems_matrix(context, data, PROBLEMS_CSC);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(data, settings->loss), &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, with->count, with->start, with->member, with->weights), DCPN_OK);
    int made = dcpn_solver_new(context, problem, settings, &solver) == DCPN_OK;
    if (made) {
        dcpn_settings norms = *settings;
        norms.grouping = "norm"; /* whose naive F adds up any groups */
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        const dcpn_result *result = dcpn_solver_result(solver);
        double intercept = dcpn_solver_intercept(solver);
        for (int64_t j = 0; j < data->columns; j++) x[j] = dcpn_solver_coefficients(solver)[j];
        if (result->outcome != DCPN_CONVERGED)
            fail_msg("%s %s %s %s %s: outcome %d, violation %g after %lld iterations", settings->loss,
                     settings->penalty, settings->algorithm, settings->metric, settings->subsolver,
                     (int)result->outcome, result->stationarity, (long long)result->iterations);
        double F = problems_naive_of_groups(data, &norms, with, x, intercept).objective;
        double stationarity = problems_tree_stationarity(data, settings, with, x, intercept);
        problems_assert_close(result->objective, F, 1e-10, "objective");
        assert_true(fabs(result->stationarity - stationarity) <= 1e-8 * (1.0 + fabs(F)));
        assert_true(stationarity <= 1e-6 * (1.0 + fabs(F)));
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return made;
}

static struct problems_data plain_data(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, seed);
    problems_data_plain(&data);
    return data;
}

static void every_loss_and_penalty_is_stationary(void **state)
{
    int part = 0; /* ends with a leaf that is 0 in a root that is in use */
    (void)state;
    FOR_EACH_LOSS FOR_EACH_PENALTY for (int k = 0; k < 2; k++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(31 + (uint64_t)k);
        dcpn_settings settings = settings_for(losses[loss], penalties[penalty]);
        settings.intercept = k;
        settings.ridge = 0.1 * k;
        settings.lambda *= k ? 3.0 : 1.0;
        assert_true(solve(&data, &settings, &groups, x));
        int has_zero_leaf = (x[6] == 0.0 && x[7] == 0.0) || (x[1] == 0.0 && x[2] == 0.0) || x[3] == 0.0;
        part += has_zero_leaf && x[5] != 0.0;
        problems_data_free(&data);
    }
    assert_true(part > 10);
}

static void every_metric_and_subsolver_finds_the_same(void **state)
{
    static const char *const metrics[] = {"identity", "lbfgs", "hessian"};
    static const char *const subsolvers[] = {"fista", "forward-backward"};
    (void)state;
    FOR_EACH_LOSS for (size_t m = 0; m < 3; m++) for (size_t s = 0; s < 2; s++)
    {
        double x[COLUMNS], same[COLUMNS];
        struct problems_data data = plain_data(33);
        dcpn_settings settings = settings_for(losses[loss], "l1");
        assert_true(solve(&data, &settings, &groups, same));
        settings.metric = metrics[m];
        settings.subsolver = subsolvers[s];
        int is_served = dcpn_combination_check(context, &settings) == DCPN_OK;
        assert_int_equal(solve(&data, &settings, &groups, x), is_served);
        for (int64_t j = 0; j < COLUMNS && is_served && convex(&settings); j++)
            assert_true(fabs(x[j] - same[j]) < 1e-5);
        problems_data_free(&data);
    }
}

/* A = I: where F is least is the prox, here that of repeated projections. */
static void the_prox_is_that_of_projections(void **state)
{
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 5);
    for (int trial = 0; trial < 10; trial++) {
        double x[COLUMNS], left[COLUMNS];
        struct problems_data data = problems_data_new(COLUMNS, COLUMNS, 1.0, 1);
        problems_data_plain(&data);
        for (int k = 0; k < COLUMNS * COLUMNS; k++) data.A[k] = k % (COLUMNS + 1) == 0 ? 1.0 : 0.0;
        for (int i = 0; i < COLUMNS; i++) data.numbers[i] = 2.0 * dcpn_rng_normal(&rng);
        dcpn_settings settings = settings_for("squared", "l1");
        settings.ridge = 0.0;
        settings.intercept = 0;
        settings.lambda = 0.2 + 0.1 * trial;
        settings.metric = "identity";
        settings.tol = 1e-10;
        assert_true(solve(&data, &settings, &groups, x));
        problems_tree_prox(&data, &settings, &groups, left);
        for (int j = 0; j < COLUMNS; j++) assert_true(fabs(x[j] - left[j]) <= 1e-7);
        problems_data_free(&data);
    }
}

static void at_lambda_max_a_group_enters(void **state)
{
    (void)state;
    FOR_EACH_LOSS FOR_EACH_PENALTY
    {
        struct problems_data data = plain_data(34);
        dcpn_settings settings = settings_for(losses[loss], penalties[penalty]);
        dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = NULL;
        dcpn_solver *solver = NULL;
        double zero[COLUMNS] = {0.0};
        assert_int_equal(dcpn_problem_new(context, A, problems_labels(&data, settings.loss), &problem), DCPN_OK);
        assert_int_equal(dcpn_problem_set_groups(problem, groups.count, start, member, NULL), DCPN_OK);
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_lambda_max(solver, &settings.lambda), DCPN_OK);
        settings.lambda *= 1.01;
        double above = problems_tree_stationarity(&data, &settings, &groups, zero, 0.0);
        settings.lambda *= 0.99 / 1.01;
        double below = problems_tree_stationarity(&data, &settings, &groups, zero, 0.0);
        assert_true(above <= 1e-6 * settings.lambda && below > 1e-3 * settings.lambda);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

static void refuse(const struct problems_groups *with, const dcpn_settings *settings, const char *word)
{
    struct problems_data data = plain_data(35);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, with->count, with->start, with->member, with->weights), DCPN_OK);
    assert_int_not_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    if (!strstr(dcpn_last_error(context), word)) fail_msg("%s: no %s", dcpn_last_error(context), word);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static void what_is_no_tree_is_refused(void **state)
{
    static const int64_t starts[] = {0, 3, 5, 8}, crossing[] = {0, 1, 2, 0, 1, 1, 2, 3};
    dcpn_settings settings = settings_for("squared", "l1");
    (void)state;
    refuse(&(struct problems_groups){3, starts, crossing, NULL}, &settings, "features that the other has not");
    settings.subsolver = "coordinate-descent";
    refuse(&groups, &settings, "use fista");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_loss_and_penalty_is_stationary, setup, teardown),
        cmocka_unit_test_setup_teardown(every_metric_and_subsolver_finds_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(the_prox_is_that_of_projections, setup, teardown),
        cmocka_unit_test_setup_teardown(at_lambda_max_a_group_enters, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_tree_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.tree", tests, NULL, NULL);
}
