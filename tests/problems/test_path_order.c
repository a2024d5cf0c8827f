/* SPDX-License-Identifier: BSD-3-Clause */
/* Along whole paths, too, a deeper search never ends above a shallower one: at each lambda, at any tolerance, for
 * several values of the shape, and where the search goes over candidates. Its ends are certified by naive code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_paths.h"
#include "support/problems_words.h"

static const char *const depths[] = {"off", "path", "path-then-drop", "path+drop"};
enum { DEPTHS = 4, POINTS = 12 };

/* What came of the paths of all problems: points at which a deeper search ended lower, and passes of each depth. */
struct tally {
    int points, lower, above;
    double passes[DEPTHS];
};

static void compare(const dcpn_paths *deep, const dcpn_paths *plain, struct tally *tally)
{
    for (int64_t v = 0; v < plain->count; v++) {
        const dcpn_path *one = &plain->paths[v], *other = &deep->paths[v];
        assert_true(one->count > 0 && other->count > 0);
        for (int64_t k = 0; k < one->count && k < other->count; k++) {
            double above = other->points[k].fit.objective, below = one->points[k].fit.objective;
            assert_true(one->points[k].lambda == other->points[k].lambda);
            tally->points++;
            tally->above += above > below;
            tally->lower += above < 0.999 * below;
        }
    }
}

static void add_passes(const dcpn_paths *paths, double *passes)
{
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++) *passes += paths->paths[v].points[k].fit.passes;
}

static void check_depths(const struct problems_data *data, enum problems_storage storage, dcpn_settings settings,
                         const dcpn_path_options *options, struct tally *tally)
{
    dcpn_paths *before = NULL;
    for (int k = 0; k < DEPTHS; k++) {
        settings.global = depths[k];
        dcpn_paths *paths = paths_of(data, storage, &settings, options);
        if (before) compare(paths, before, tally);
        add_passes(paths, &tally->passes[k]);
        if (k == DEPTHS - 1) assert_points_certified(data, paths);
        dcpn_paths_free(before);
        before = paths;
    }
    dcpn_paths_free(before);
}

static void check_penalties(const struct problems_data *data, enum problems_storage storage, const char *loss,
                            double tol, struct tally *tally)
{
    static const char *const penalties[] = {"capped-l1", "mcp", "scad", "log", "lp"};
    const dcpn_path_options options = {.lambda_count = POINTS, .min_ratio = 0.05};
    for (int p = 0; p < 5; p++) {
        dcpn_settings settings = problems_settings(loss, penalties[p], NULL, NULL);
        settings.gamma = 2.0;
        settings.tol = tol;
        settings.ridge = 1e-3; /* F has a minimum where few features separate the classes */
        check_depths(data, storage, settings, &options, tally);
    }
}

static void report(const char *what, const struct tally *tally)
{
    if (!getenv("DCPN_TEST_VERBOSE")) return;
    print_message("%s: %d points, %d lower, %d above; passes", what, tally->points, tally->lower, tally->above);
    for (int k = 0; k < DEPTHS; k++) print_message(" %s %.0f", depths[k], tally->passes[k]);
    print_message("\n");
}

static void deeper_paths_are_never_higher(void **state)
{
    static const double tolerances[] = {1e-2, 1e-4, 1e-6};
    struct tally tally = {0};
    (void)state;
    for (uint64_t t = 0; t < 3; t++) {
        struct problems_data raw = words(60, 120, 0, 500 + t), unit = words(60, 120, 1, 600 + t);
        struct problems_data square = dense(50, 60, 700 + t);
        check_penalties(&raw, PROBLEMS_CSR, "logistic", tolerances[t], &tally);
        check_penalties(&unit, PROBLEMS_CSC, "logistic", tolerances[t], &tally);
        check_penalties(&square, PROBLEMS_COLUMN_MAJOR, "squared", tolerances[t], &tally);
        problems_data_free(&raw), problems_data_free(&unit), problems_data_free(&square);
    }
    report("small", &tally);
    assert_int_equal(tally.above, 0);
    assert_true(tally.lower > 100); /* the searches do something */
}

/* Where features are far more than rows, plain paths go in batches and searches go over candidates. */
static void on_candidates_as_well(void **state)
{
    struct tally tally = {0};
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct problems_data wide = dense(15, 600, 800 + seed);
        check_penalties(&wide, PROBLEMS_COLUMN_MAJOR, "squared", 1e-4, &tally);
        problems_data_free(&wide);
    }
    report("wide", &tally);
    assert_int_equal(tally.above, 0);
    assert_true(tally.lower > 10);
}

/* The plain path of one value of the shape begins at that of the value before, whatever a search has made of it. */
static void for_several_values_of_the_shape(void **state)
{
    static const double values[] = {30.0, 4.0, 1.5};
    const dcpn_path_options options = {.lambda_count = 8, .min_ratio = 0.05, .values = values, .value_count = 3};
    struct problems_data data = words(60, 120, 1, 900);
    dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
    struct tally tally = {0};
    (void)state;
    settings.ridge = 1e-3;
    check_depths(&data, PROBLEMS_CSR, settings, &options, &tally);
    report("values", &tally);
    assert_int_equal(tally.above, 0);
    assert_true(tally.lower > 0);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(deeper_paths_are_never_higher, setup, teardown),
        cmocka_unit_test_setup_teardown(on_candidates_as_well, setup, teardown),
        cmocka_unit_test_setup_teardown(for_several_values_of_the_shape, setup, teardown),
    };
    return cmocka_run_group_tests_name("problems.path_order", tests, NULL, NULL);
}
