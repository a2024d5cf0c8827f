/* SPDX-License-Identifier: BSD-3-Clause */
/* Marginal false discovery rates beside the share of features that are really false, on draws with a known truth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "with_context.h"

enum { ROWS = 200, COLUMNS = 300, TRUE_ONES = 10, DRAWS = 60, LAMBDAS = 8 };

static double X[ROWS * COLUMNS], y[ROWS];

/* By columns, all independent; the first ones matter. */
static void draw(struct rng *rng)
{
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) X[k] = dcpn_rng_normal(rng);
    for (int64_t i = 0; i < ROWS; i++) {
        y[i] = 2.0 * dcpn_rng_normal(rng);
        for (int64_t j = 0; j < TRUE_ONES; j++) y[i] += (j % 2 ? -1.0 : 1.0) * X[j * ROWS + i];
    }
}

static double false_share(const dcpn_path *path, const dcpn_path_point *point)
{
    int64_t wrong = 0;
    for (int64_t k = 0; k < point->fit.nonzeros; k++) wrong += path->index[point->first + k] >= TRUE_ONES;
    return point->fit.nonzeros ? (double)wrong / (double)point->fit.nonzeros : 0.0;
}

static dcpn_paths *fit(const char *loss, const char *penalty, const dcpn_path_options *options)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    settings.loss = loss;
    settings.penalty = penalty;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A), DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return paths;
}

/* The same in groups of three, whose features are mixed so that they are neither independent nor of one scale. */
static dcpn_paths *fit_groups(const char *penalty, const double *lambdas, int is_orthonormal)
{
    enum { SIZE = 3, GROUPS = COLUMNS / SIZE };
    static double mixed[ROWS * COLUMNS];
    static int64_t start[GROUPS + 1], member[COLUMNS];
    const dcpn_path_options options = {.lambdas = lambdas, .lambda_count = LAMBDAS};
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    for (int64_t g = 0; g <= GROUPS; g++) start[g] = g * SIZE;
    for (int64_t j = 0; j < COLUMNS; j++) member[j] = j;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++) {
            const double *x = X + j / SIZE * SIZE * ROWS + i;
            mixed[j * ROWS + i] =
                (double)(1 + j % SIZE) * X[j * ROWS + i] + 0.7 * x[0] - 0.4 * x[ROWS] + 0.2 * x[2 * ROWS];
        }
    settings.loss = "squared";
    settings.penalty = penalty;
    settings.orthonormal = is_orthonormal;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, mixed, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return paths;
}

/* The share of false groups. A group is a true one if it holds one of the features that matter. */
static double false_share_of_groups(const dcpn_path *path, const dcpn_path_point *point)
{
    int64_t wrong = 0, used = 0, last = -1;
    for (int64_t k = 0; k < point->fit.nonzeros; k++) {
        int64_t group = path->index[point->first + k] / 3;
        if (group == last) continue;
        last = group;
        used++;
        wrong += group > (TRUE_ONES - 1) / 3;
    }
    assert_int_equal(used, point->groups);
    return used ? (double)wrong / (double)used : 0.0;
}

static void the_rate_of_groups_is_kept(void **state)
{
    static const double lambdas[LAMBDAS] = {0.4, 0.36, 0.33, 0.3, 0.28, 0.26, 0.24, 0.22};
    double said[LAMBDAS] = {0.0}, was[LAMBDAS] = {0.0}, squares[LAMBDAS] = {0.0};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 2020);
    for (int d = 0; d < DRAWS; d++) {
        draw(&rng);
        dcpn_paths *paths = fit_groups("mcp", lambdas, 1);
        for (int64_t k = 0; k < LAMBDAS; k++) {
            double share = false_share_of_groups(&paths->paths[0], &paths->paths[0].points[k]);
            double more = dcpn_paths_mfdr(paths, 0, k) - share;
            said[k] += dcpn_paths_mfdr(paths, 0, k) / DRAWS;
            was[k] += share / DRAWS;
            squares[k] += more * more / DRAWS;
        }
        dcpn_paths_free(paths);
    }
    for (int64_t k = 0; k < LAMBDAS; k++) {
        double error = sqrt(squares[k] / DRAWS);
        if (said[k] < was[k] - 2.0 * error || (was[k] > 0.3 && said[k] > 2.0 * was[k]))
            fail_msg("groups, lambda %g: said %g, was %g, error %g", lambdas[k], said[k], was[k], error);
    }
    assert_true(was[0] < 0.1 && was[LAMBDAS - 1] > 0.2);
    dcpn_paths *paths = fit_groups("mcp", lambdas, 0);
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 0)));
    dcpn_paths_free(paths);
}

/* Classes by the sign of what was drawn, or of the noise of a logistic model. */
static void draw_classes(struct rng *rng)
{
    draw(rng);
    for (int64_t i = 0; i < ROWS; i++) {
        double u = 0.0;
        for (int64_t j = 0; j < TRUE_ONES; j++) u += (j % 2 ? -1.0 : 1.0) * X[j * ROWS + i];
        y[i] = dcpn_rng_uniform(rng) < 1.0 / (1.0 + exp(-u)) ? 1.0 : -1.0;
    }
}

/* The mean over the draws of what was said is no less than that of what was so, up to two standard errors, and no idle
 * bound: where a third and more are false it says no more than `idle` times that. */
static void compare(const char *loss, const char *penalty, const double *lambdas, double idle)
{
    double said[LAMBDAS] = {0.0}, was[LAMBDAS] = {0.0}, squares[LAMBDAS] = {0.0};
    const dcpn_path_options options = {.lambdas = lambdas, .lambda_count = LAMBDAS};
    struct rng rng;
    dcpn_rng_seed(&rng, 2019);
    for (int d = 0; d < DRAWS; d++) {
        if (strcmp(loss, "logistic") == 0)
            draw_classes(&rng);
        else
            draw(&rng);
        dcpn_paths *paths = fit(loss, penalty, &options);
        for (int64_t k = 0; k < LAMBDAS; k++) {
            double share = false_share(&paths->paths[0], &paths->paths[0].points[k]);
            double more = dcpn_paths_mfdr(paths, 0, k) - share;
            said[k] += dcpn_paths_mfdr(paths, 0, k) / DRAWS;
            was[k] += share / DRAWS;
            squares[k] += more * more / DRAWS;
        }
        dcpn_paths_free(paths);
    }
    for (int64_t k = 0; k < LAMBDAS; k++) {
        double error = sqrt(squares[k] / DRAWS);
        if (said[k] < was[k] - 2.0 * error || (was[k] > 0.3 && said[k] > idle * was[k]))
            fail_msg("%s, lambda %g: said %g, was %g, error %g", penalty, lambdas[k], said[k], was[k], error);
    }
    assert_true(was[0] < 0.1 && was[LAMBDAS - 1] > 0.1);
}

static void the_rate_is_kept(void **state)
{
    static const double lambdas[LAMBDAS] = {0.55, 0.5, 0.45, 0.42, 0.39, 0.36, 0.33, 0.3};
    (void)state;
    compare("squared", "l1", lambdas, 1.6);
    compare("squared", "mcp", lambdas, 1.6);
}

static void the_rate_of_classes_is_kept(void **state)
{
    static const double lambdas[LAMBDAS] = {0.12, 0.11, 0.1, 0.09, 0.085, 0.08, 0.075, 0.07};
    (void)state;
    compare("logistic", "l1", lambdas, 1.8);
    compare("logistic", "mcp", lambdas, 1.8);
}

/* Where the classes are nearly told apart nothing is known: residuals are small, however many features are false. */
static void nothing_is_known_of_separated_classes(void **state)
{
    const dcpn_path_options options = {.lambda_count = 30, .min_ratio = 0.01};
    struct rng rng;
    int known = 0, unknown = 0;
    (void)state;
    dcpn_rng_seed(&rng, 2021);
    draw_classes(&rng);
    dcpn_paths *paths = fit("logistic", "mcp", &options);
    const dcpn_path *path = &paths->paths[0];
    for (int64_t k = 0; k < path->count; k++) {
        double rate = dcpn_paths_mfdr(paths, 0, k), share = false_share(path, &path->points[k]);
        if (path->points[k].deviance < 0.25 * paths->null_deviance) {
            assert_true(isnan(rate));
            unknown += share > 0.3;
        } else {
            assert_true(rate > share - 0.35);
            known += rate > 0.0;
        }
    }
    assert_true(known > 3 && unknown > 0);
    dcpn_paths_free(paths);
}

static void where_nothing_is_known(void **state)
{
    static const double lambdas[] = {0.4};
    const dcpn_path_options options = {.lambdas = lambdas, .lambda_count = 1};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 1);
    draw(&rng);
    dcpn_paths *paths = fit("squared", "log", &options);
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 0)));
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 1)) && isnan(dcpn_paths_mfdr(paths, 1, 0)));
    dcpn_paths_free(paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_kept),
        cmocka_unit_test(the_rate_of_classes_is_kept),
        cmocka_unit_test(the_rate_of_groups_is_kept),
        cmocka_unit_test(nothing_is_known_of_separated_classes),
        cmocka_unit_test(where_nothing_is_known),
    };
    return cmocka_run_group_tests_name("problems.false_discovery", tests, setup, teardown);
}
