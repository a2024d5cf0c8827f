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

enum { ROWS = 200, COLUMNS = 300, TRUE_ONES = 10, DRAWS = 60, LAMBDAS = 8 };

static dcpn_context *context;
static double X[ROWS * COLUMNS], y[ROWS];

static int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    return context ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    dcpn_context_free(context);
    return 0;
}

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

static dcpn_paths *fit(const char *penalty, const dcpn_path_options *options)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    settings.loss = "squared";
    settings.penalty = penalty;
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A), DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return paths;
}

/* The mean over the draws of what was said is no less than that of what was so, up to two standard errors, and no idle
 * bound: where half are false it says no more than one and a half times that. */
static void the_rate_is_kept(void **state)
{
    static const double lambdas[LAMBDAS] = {0.55, 0.5, 0.45, 0.42, 0.39, 0.36, 0.33, 0.3};
    static const char *const penalties[] = {"l1", "mcp"};
    (void)state;
    for (int which = 0; which < 2; which++) {
        double said[LAMBDAS] = {0.0}, was[LAMBDAS] = {0.0}, squares[LAMBDAS] = {0.0};
        const dcpn_path_options options = {.lambdas = lambdas, .lambda_count = LAMBDAS};
        struct rng rng;
        dcpn_rng_seed(&rng, 2019);
        for (int d = 0; d < DRAWS; d++) {
            draw(&rng);
            dcpn_paths *paths = fit(penalties[which], &options);
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
            if (said[k] < was[k] - 2.0 * error || (was[k] > 0.3 && said[k] > 1.6 * was[k]))
                fail_msg("%s, lambda %g: said %g, was %g, error %g", penalties[which], lambdas[k], said[k], was[k], error);
        }
        assert_true(was[0] < 0.1 && was[LAMBDAS - 1] > 0.2);
    }
}

static void where_nothing_is_known(void **state)
{
    static const double lambdas[] = {0.4};
    const dcpn_path_options options = {.lambdas = lambdas, .lambda_count = 1};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 1);
    draw(&rng);
    dcpn_paths *paths = fit("log", &options);
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 0)));
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 1)) && isnan(dcpn_paths_mfdr(paths, 1, 0)));
    dcpn_paths_free(paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_is_kept),
        cmocka_unit_test(where_nothing_is_known),
    };
    return cmocka_run_group_tests_name("problems.false_discovery", tests, setup, teardown);
}
