/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches that set coefficients to 0: on rows that few features can tell apart, many of those that a descent leaves
 * can go. At last, where there are many rows for each feature, or on each candidate, on small data of two classes, is
 * what `auto` does. By naive code: the end is stationary, no higher than without, and lower on some of the problems;
 * and of the coefficients that the penalty has let go of, none can go alone. On small data the end is about as low as
 * the lowest of descents from many places. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 400, COLUMNS = 40, RELEVANT = 20, SEEDS = 4, FEW_NUMBERS = 1 << 17 };
enum { SMALL_ROWS = 40, SMALL_COLUMNS = 10, SMALL_SEEDS = 12, STARTS = 200 };

/* Two classes, 1 and 3, apart in the mean of some features. */
static struct problems_data apart(int64_t rows, uint64_t seed)
{
    struct problems_data data = problems_data_new(rows, COLUMNS, 1.0, seed);
    problems_data_plain(&data);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < RELEVANT; j++) data.A[i * COLUMNS + j] += data.classes[i] - 2.0;
    return data;
}

static dcpn_settings settings_for(const char *penalty, const char *global)
{
    dcpn_settings settings = problems_settings("logistic", penalty, NULL, NULL);
    settings.lambda = 0.2;
    settings.theta = 0.2;
    settings.gamma = 2.0;
    settings.global = global;
    settings.tol = 1e-6;
    return settings;
}

static struct problems_fit certified(const struct problems_data *data, const dcpn_settings *settings)
{
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, settings, NULL);
    problems_assert_converged(data, settings, &fit);
    return fit;
}

static double objective_of(const struct problems_data *data, const dcpn_settings *settings)
{
    struct problems_fit fit = certified(data, settings);
    double F = fit.result.objective;
    problems_fit_free(&fit);
    return F;
}

static int is_let_go(const dcpn_settings *settings, double x)
{
    return fabs(x) > (strcmp(settings->penalty, "mcp") == 0 ? settings->gamma * settings->lambda : settings->theta);
}

static void assert_none_can_go(const struct problems_data *data, const dcpn_settings *settings, const double *x)
{
    double changed[COLUMNS], F = problems_naive(data, settings, x, 0.0).objective;
    for (int j = 0; j < COLUMNS; j++) {
        if (!is_let_go(settings, x[j])) continue;
        memcpy(changed, x, sizeof changed);
        changed[j] = 0.0;
        assert_true(problems_naive(data, settings, changed, 0.0).objective >= F - 1e-9 * fabs(F));
    }
}

static void what_can_go_goes(void **state)
{
    static const char *const penalties[] = {"capped-l1", "mcp"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        int lower = 0;
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct problems_data data = apart(ROWS, 20261120 + seed);
            dcpn_settings settings = settings_for(penalties[k], "path");
            double path = objective_of(&data, &settings);
            settings.global = "path-then-drop";
            struct problems_fit fit = certified(&data, &settings);
            assert_true(fit.result.objective <= path);
            assert_none_can_go(&data, &settings, fit.x);
            lower += fit.result.objective < 0.99 * path;
            problems_fit_free(&fit);
            problems_data_free(&data);
        }
        assert_true(lower > 0);
    }
}

static void assert_auto_is(const char *loss, int64_t rows, const char *global)
{
    struct problems_data data = apart(rows, 20261130);
    dcpn_settings chosen = settings_for("capped-l1", "auto"), named = settings_for("capped-l1", global);
    chosen.loss = named.loss = loss;
    struct problems_fit one = certified(&data, &chosen), other = certified(&data, &named);
    assert_memory_equal(one.x, other.x, COLUMNS * sizeof *one.x);
    assert_int_equal(one.result.iterations, other.result.iterations);
    problems_fit_free(&one), problems_fit_free(&other);
    problems_data_free(&data);
}

static void auto_drops_where_rows_are_many(void **state)
{
    (void)state;
    assert_auto_is("squared", 4 * COLUMNS, "path-then-drop");
    assert_auto_is("squared", 4 * COLUMNS - 1, "path");
}

static void auto_drops_throughout_on_small_data_of_two_classes(void **state)
{
    (void)state;
    assert_auto_is("logistic", COLUMNS + 1, "path+drop");
    assert_auto_is("logistic", COLUMNS, "path");
    assert_auto_is("logistic", FEW_NUMBERS / COLUMNS, "path+drop");
    assert_auto_is("logistic", FEW_NUMBERS / COLUMNS + 1, "path-then-drop");
}

/* The lowest end of descents from many places. */
static double lowest_of_many(const struct problems_data *data, dcpn_settings settings, uint64_t seed)
{
    double start[SMALL_COLUMNS], lowest = HUGE_VAL;
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    settings.global = "off";
    for (int k = 0; k < STARTS; k++) {
        for (int j = 0; j < SMALL_COLUMNS; j++) start[j] = dcpn_rng_below(&rng, 2) ? 3.0 * dcpn_rng_normal(&rng) : 0.0;
        struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, start);
        assert_int_equal(fit.status, DCPN_OK);
        lowest = fmin(lowest, fit.result.objective);
        problems_fit_free(&fit);
    }
    return lowest;
}

static void small_data_end_about_as_low_as_can_be(void **state)
{
    static const char *const penalties[] = {"capped-l1", "mcp", "scad", "log"};
    (void)state;
    for (int k = 0; k < 4; k++)
        for (uint64_t seed = 0; seed < SMALL_SEEDS; seed++) {
            struct problems_data data = problems_data_new(SMALL_ROWS, SMALL_COLUMNS, 1.0, 20261201 + seed);
            problems_data_plain(&data);
            dcpn_settings settings = settings_for(penalties[k], "auto");
            settings.lambda = 0.3;
            assert_true(objective_of(&data, &settings) <= 1.01 * lowest_of_many(&data, settings, seed));
            problems_data_free(&data);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_can_go_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(auto_drops_where_rows_are_many, setup, teardown),
        cmocka_unit_test_setup_teardown(auto_drops_throughout_on_small_data_of_two_classes, setup, teardown),
        cmocka_unit_test_setup_teardown(small_data_end_about_as_low_as_can_be, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.drops", tests, NULL, NULL);
}
