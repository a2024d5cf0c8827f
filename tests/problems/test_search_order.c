/* SPDX-License-Identifier: BSD-3-Clause */
/* A deeper search never ends above a shallower one, at any tolerance and with any budget; what it ends at is certified
 * by naive code. A budget of 0 is no search, and one that is too small is said. A swap finds the pair that each other's
 * column keeps out, which no drop and no move of one coefficient does. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "support/problems_words.h"
#include "with_context.h"

static const char *const depths[] = {"off", "path", "path-then-drop", "path+drop"};
enum { DEPTHS = 4 };

static double objective_at(const struct problems_data *data, enum problems_storage storage,
                           const dcpn_settings *settings)
{
    struct problems_fit fit = problems_solve(context, data, storage, settings, NULL);
    assert_int_equal(fit.status, DCPN_OK);
    problems_assert_certificate(data, settings, &fit);
    double F = fit.result.objective;
    problems_fit_free(&fit);
    return F;
}

/* Returns how often a deeper search ended lower. */
static int check_depths(const struct problems_data *data, enum problems_storage storage, dcpn_settings settings)
{
    double before = HUGE_VAL;
    int lower = 0;
    for (int k = 0; k < DEPTHS; k++) {
        settings.global = depths[k];
        double F = objective_at(data, storage, &settings);
        assert_true(F <= before * (1.0 + 1e-12)); /* nothing but the rounding of the last certificate */
        lower += k > 0 && F < 0.999 * before;
        before = F;
    }
    return lower;
}

static int check_problems(const struct problems_data *data, enum problems_storage storage, const char *loss)
{
    static const char *const penalties[] = {"capped-l1", "mcp", "scad", "log", "lp"};
    static const double lambdas[] = {0.2, 2.0}, tolerances[] = {1e-2, 1e-3, 1e-4, 1e-6}, budgets[] = {20.0, 0.5};
    int lower = 0;
    for (int p = 0; p < 5; p++)
        for (int l = 0; l < 2; l++)
            for (int t = 0; t < 4; t++)
                for (int b = 0; b < 2; b++) {
                    dcpn_settings settings = problems_settings(loss, penalties[p], NULL, NULL);
                    settings.lambda = lambdas[l];
                    settings.theta = 0.3;
                    settings.gamma = 2.0;
                    settings.tol = tolerances[t];
                    settings.search_budget = budgets[b];
                    settings.ridge = 1e-3; /* F has a minimum where few features separate the classes */
                    lower += check_depths(data, storage, settings);
                }
    return lower;
}

static void deeper_is_never_higher(void **state)
{
    (void)state;
    int lower = 0;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct problems_data raw = words(60, 150, 0, 100 + seed), unit = words(60, 150, 1, 200 + seed);
        struct problems_data wide = dense(15, 600, 300 + seed), square = dense(50, 60, 400 + seed);
        lower += check_problems(&raw, PROBLEMS_CSR, "logistic");
        lower += check_problems(&unit, PROBLEMS_CSC, "logistic");
        lower += check_problems(&square, PROBLEMS_COLUMN_MAJOR, "squared");
        lower += check_problems(&wide, PROBLEMS_COLUMN_MAJOR, "squared");
        problems_data_free(&raw), problems_data_free(&unit);
        problems_data_free(&wide), problems_data_free(&square);
    }
    assert_true(lower > 100); /* the searches do something */
}

static void a_budget_is_kept_to(void **state)
{
    (void)state;
    struct problems_data data = words(300, 2000, 1, 7);
    dcpn_settings settings = problems_settings("logistic", "capped-l1", NULL, NULL);
    settings.lambda = 0.2;
    settings.theta = 0.3;
    settings.global = "off";
    struct problems_fit off = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    settings.global = "path+drop";
    settings.search_budget = 0.0;
    struct problems_fit none = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    settings.search_budget = 0.02;
    struct problems_fit little = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    settings.search_budget = 1000.0;
    struct problems_fit all = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    assert_memory_equal(off.x, none.x, 2000 * sizeof *off.x);
    assert_true(off.result.untried == 0 && none.result.untried > 0 && little.result.untried > 0);
    assert_int_equal(all.result.untried, 0);
    assert_true(none.result.passes < little.result.passes && little.result.passes < all.result.passes);
    assert_true(all.result.objective < off.result.objective);
    problems_fit_free(&off), problems_fit_free(&none), problems_fit_free(&little), problems_fit_free(&all);
    problems_data_free(&data);
}

/* y = a_0, and a_1 nearly a_0: from a start at a_1 the two keep each other out. */
static void a_swap_finds_the_better_of_two_alike(void **state)
{
    enum { ROWS = 40, COLUMNS = 3 };
    (void)state;
    struct problems_data data = dense(ROWS, COLUMNS, 11);
    double start[COLUMNS] = {0.0, 1.0, 0.0}, length = 0.0;
    for (int64_t i = 0; i < ROWS; i++) {
        double *row = data.A + i * COLUMNS;
        row[1] = row[0] + 0.3 * row[2];
        row[2] = i % 2 ? 1e-3 : -1e-3;
        data.numbers[i] = row[0];
        length += row[0] * row[0];
    }
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    settings.lambda = 0.2 * length;
    settings.theta = 0.1;
    settings.global = "off";
    struct problems_fit off = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, start);
    settings.global = "path";
    struct problems_fit path = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, start);
    assert_true(off.x[0] == 0.0 && off.x[1] != 0.0);
    assert_true(path.x[0] != 0.0 && path.x[1] == 0.0);
    assert_true(path.result.objective < off.result.objective);
    problems_assert_converged(&data, &settings, &path);
    problems_fit_free(&off), problems_fit_free(&path);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(deeper_is_never_higher, setup, teardown),
        cmocka_unit_test_setup_teardown(a_budget_is_kept_to, setup, teardown),
        cmocka_unit_test_setup_teardown(a_swap_finds_the_better_of_two_alike, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.search_order", tests, NULL, NULL);
}
