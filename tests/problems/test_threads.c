/* SPDX-License-Identifier: BSD-3-Clause */
/* The same bytes for any number of threads, on data beyond every size at which the library starts to share work out:
 * more than two blocks of 4096 rows, 2^16 dense and 2^15 sparse entries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/blocks.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 2 * DCPN_BLOCK + 900, DENSE_COLUMNS = 10, SPARSE_COLUMNS = 28 };

/* A few iterations show all that differs; the end of the run adds nothing but time. */
static dcpn_settings few_iterations(const char *loss, const char *penalty, const char *metric, const char *subsolver)
{
    dcpn_settings settings = problems_settings(loss, penalty, metric, subsolver);
    settings.lambda = 50.0;
    settings.intercept = 1;
    settings.tol = 0.0;
    settings.max_iter = 2;
    settings.inner_max = 4;
    return settings;
}

static struct problems_fit solve_with(const struct problems_data *data, enum problems_storage storage,
                                      const dcpn_settings *settings, int threads)
{
    dcpn_context_set_threads(context, threads);
    struct problems_fit fit = problems_solve(context, data, storage, settings, NULL);
    assert_int_equal(fit.status, DCPN_OK);
    return fit;
}

static void assert_same_bytes(const struct problems_fit *one, const struct problems_fit *many, int threads)
{
    if (memcmp(one->x, many->x, (size_t)one->columns * sizeof *one->x) != 0 ||
        memcmp(&one->intercept, &many->intercept, sizeof one->intercept) != 0)
        fail_msg("%s %s: other coefficients with %d threads", one->result.metric, one->result.subsolver, threads);
    assert_memory_equal(&one->result.objective, &many->result.objective, sizeof(double));
    assert_memory_equal(&one->result.stationarity, &many->result.stationarity, sizeof(double));
    assert_memory_equal(&one->result.passes, &many->result.passes, sizeof(double));
    assert_int_equal(one->result.inner_iterations, many->result.inner_iterations);
    assert_int_equal(one->result.line_search_trials, many->result.line_search_trials);
}

static void compare_threads(const struct problems_data *data, enum problems_storage storage,
                            const dcpn_settings *settings)
{
    static const int threads[] = {2, 3, 5};
    struct problems_fit one = solve_with(data, storage, settings, 1);
    assert_true(one.result.iterations > 0);
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        struct problems_fit many = solve_with(data, storage, settings, threads[k]);
        assert_same_bytes(&one, &many, threads[k]);
        problems_fit_free(&many);
    }
    problems_fit_free(&one);
}

static void compare_parts(const struct problems_data *data, enum problems_storage storage, const char *loss,
                          const char *penalty)
{
    static const char *const subsolvers[] = {"fista", "coordinate-descent"};
    dcpn_part metric;
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        for (size_t k = 0; k < 2; k++) {
            dcpn_settings settings = few_iterations(loss, penalty, metric.name, subsolvers[k]);
            compare_threads(data, storage, &settings);
        }
    }
}

static void dense_data_give_the_same_bytes(void **state)
{
    struct problems_data data = problems_data_new(ROWS, DENSE_COLUMNS, 1.0, 1);
    (void)state;
    assert_true(ROWS * DENSE_COLUMNS > 1 << 16);
    compare_parts(&data, PROBLEMS_COLUMN_MAJOR, "logistic", "capped-l1");
    compare_parts(&data, PROBLEMS_ROW_MAJOR_FLOAT32, "smooth-ramp", "scad");
    problems_data_free(&data);
}

static void sparse_data_give_the_same_bytes(void **state)
{
    struct problems_data data = problems_data_new(ROWS, SPARSE_COLUMNS, 0.15, 2);
    (void)state;
    assert_true(ROWS * SPARSE_COLUMNS * 0.14 > 1 << 15);
    problems_data_plain(&data);
    compare_parts(&data, PROBLEMS_CSR, "squared-hinge", "mcp");
    compare_parts(&data, PROBLEMS_CSC_FLOAT32, "huber", "l1");
    problems_data_free(&data);
}

/* Fewer blocks of rows than threads, and steps that are tried in vain: the work counted is the same all the same. */
static void matrices_of_few_rows_give_the_same_bytes(void **state)
{
    static const char *const methods[] = {"scp", "gist", "dcpn"};
    struct problems_data small = problems_data_new(60, 6, 1.0, 3), wide = problems_data_new(100, 700, 1.0, 4);
    (void)state;
    assert_true(100 * 700 > 1 << 16);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const char *metric = i == 2 ? "identity-backtracked" : NULL;
        dcpn_settings settings = few_iterations("logistic", "capped-l1", metric, NULL);
        settings.algorithm = methods[i];
        settings.lambda = 0.05;
        settings.theta = 3.0;
        settings.max_iter = 40;
        compare_threads(&small, PROBLEMS_ROW_MAJOR, &settings);
        compare_threads(&wide, PROBLEMS_COLUMN_MAJOR, &settings);
        compare_threads(&wide, PROBLEMS_ROW_MAJOR_FLOAT32, &settings);
    }
    problems_data_free(&small);
    problems_data_free(&wide);
}

/* The steps suffice until L-BFGS has its Hessian, with more than 256 columns, which threads share. */
static void lbfgs_from_the_hessian_gives_the_same_bytes(void **state)
{
    struct problems_data data = problems_data_new(1200, 300, 1.0, 5);
    dcpn_settings settings = few_iterations("logistic", "l1", "seeded-lbfgs", NULL);
    (void)state;
    settings.lambda = 0.01;
    settings.max_iter = 30;
    compare_threads(&data, PROBLEMS_COLUMN_MAJOR, &settings);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_data_give_the_same_bytes),
        cmocka_unit_test(sparse_data_give_the_same_bytes),
        cmocka_unit_test(matrices_of_few_rows_give_the_same_bytes),
        cmocka_unit_test(lbfgs_from_the_hessian_gives_the_same_bytes),
    };
    return cmocka_run_group_tests_name("problems.threads", tests, setup, teardown);
}
