/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches that set coefficients to 0 at last: on rows that few features can tell apart, many of those that a descent
 * leaves can go. Where there are many rows for each feature that is what `auto` does. By naive code: the end is
 * stationary, no higher than without, and lower on some of the problems; and of the coefficients that the penalty has
 * let go of, none can go alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 400, COLUMNS = 40, RELEVANT = 20, SEEDS = 4 };

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

static void assert_auto_is(int64_t rows, const char *global)
{
    struct problems_data data = apart(rows, 20261130);
    dcpn_settings chosen = settings_for("capped-l1", "auto"), named = settings_for("capped-l1", global);
    struct problems_fit one = certified(&data, &chosen), other = certified(&data, &named);
    assert_memory_equal(one.x, other.x, COLUMNS * sizeof *one.x);
    assert_int_equal(one.result.iterations, other.result.iterations);
    problems_fit_free(&one), problems_fit_free(&other);
    problems_data_free(&data);
}

static void auto_drops_where_rows_are_many(void **state)
{
    (void)state;
    assert_auto_is(4 * COLUMNS, "path-then-drop");
    assert_auto_is(4 * COLUMNS - 1, "path");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_can_go_goes, setup, teardown),
        cmocka_unit_test_setup_teardown(auto_drops_where_rows_are_many, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.drops", tests, NULL, NULL);
}
