/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs with groups, with several scores a row and with counts, interrupted anywhere and resumed on data at other
 * addresses, end with the bytes of runs that were not. What is saved of one problem is not taken for another: groups,
 * their weights and the number of scores tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "support/problems_checkpoint.h"

enum { ROWS = 60, COLUMNS = 14, MOST_STEPS = 60 };

/* Not contiguous; features 3 and 9 are in none. */
static const int64_t start[] = {0, 3, 5, 8, 12}, member[] = {7, 0, 4, 2, 1, 8, 6, 5, 10, 13, 11, 12};
static const int64_t shared_member[] = {7, 0, 4, 4, 1, 8, 6, 0, 10, 13, 7, 8}; /* of two groups at most */
static const double weights[] = {1.0, 0.5, 2.0, 1.5};
static const struct problems_groups groups = {4, start, member, NULL}, weighted = {4, start, member, weights},
                                    shared = {4, start, shared_member, weights};

struct kind {
    const char *loss, *penalty, *grouping, *inner, *classes;
    const struct problems_groups *groups;
    int scores;
};

static const struct kind kinds[] = {
    {"logistic", "l1", "norm", "auto", "entry", &groups, 1},
    {"logistic", "mcp", "norm", "auto", "entry", &weighted, 1},
    {"squared", "scad", "sparse", "auto", "entry", &groups, 1},
    {"squared", "lp", "sum", "auto", "entry", &shared, 1},
    {"huber", "mcp", "sum", "mcp", "entry", &weighted, 1},
    {"logistic", "capped-l1", "latent", "auto", "entry", &shared, 1},
    {"poisson", "mcp", "norm", "auto", "entry", &groups, 1},
    {"poisson", "capped-l1", "norm", "auto", "entry", NULL, 1},
    {"negative-binomial", "l1", "norm", "auto", "entry", NULL, 1},
    {"gamma", "scad", "norm", "auto", "entry", NULL, 1},
    {"quantile", "mcp", "norm", "auto", "entry", NULL, 1},
    {"multinomial", "mcp", "norm", "auto", "entry", NULL, 3},
    {"multinomial", "l1", "norm", "auto", "row", NULL, 3},
    {"multinomial", "scad", "norm", "auto", "row", NULL, 3},
};

static dcpn_settings settings_of(const struct kind *kind)
{
    dcpn_settings settings = small_settings(kind->loss, kind->penalty);
    settings.grouping = kind->grouping;
    settings.inner_penalty = kind->inner;
    settings.class_grouping = kind->classes;
    settings.max_iter = MOST_STEPS;
    settings.smoothing = 0.5;
    return settings;
}

/* Three classes, by thirds of the numbers. */
static const double *labels_of(const struct kind *kind, const struct problems_data *data, double *room)
{
    if (kind->scores == 1) return problems_labels(data, kind->loss);
    for (int64_t i = 0; i < data->rows; i++) room[i] = 1.0 + (data->numbers[i] > -0.7) + (data->numbers[i] > 0.7);
    return room;
}

static struct run *make(const struct kind *kind, const struct problems_data *data, const dcpn_settings *settings)
{
    static double room[2][ROWS]; /* two runs are compared */
    static int turn;
    const double *labels = labels_of(kind, data, room[turn = !turn]);
    struct run *run = make_run_with(data, PROBLEMS_CSR, kind->groups, labels, settings);
    assert_int_equal(dcpn_solver_scores(run->solver), kind->scores);
    return run;
}

/* 0: it had ended before step k. */
static int check_interruption(const struct kind *kind, const struct problems_data *data, const dcpn_settings *settings,
                              const struct run *whole, int64_t k)
{
    char what[100];
    snprintf(what, sizeof what, "%s %s %s %s, at %d", kind->loss, kind->penalty, kind->grouping, settings->global,
             (int)k);
    struct run *first = make(kind, data, settings);
    first->stop_at = k;
    assert_int_equal(dcpn_solver_set_checkpoint(first->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
    int interrupted = dcpn_solver_result(first->solver)->outcome == DCPN_INTERRUPTED;
    free_run(first);
    if (!interrupted) return 0;
    struct problems_data copy = problems_data_copy(data);
    struct run *second = make(kind, &copy, settings);
    if (dcpn_solver_resume(second->solver, "checkpoint") != DCPN_OK) fail_msg("%s: %s", what, dcpn_last_error(context));
    if (dcpn_solver_run(second->solver) != DCPN_OK) fail_msg("%s: %s", what, dcpn_last_error(context));
    assert_same_but_passes(whole, second, data->columns * kind->scores, what);
    free_run(second);
    problems_data_free(&copy);
    return 1;
}

static int check_kind(const struct kind *kind, const struct problems_data *data, dcpn_settings settings)
{
    int checked = 0;
    if (dcpn_combination_check(context, &settings) != DCPN_OK) return 0;
    struct run *whole = make(kind, data, &settings);
    if (dcpn_solver_run(whole->solver) != DCPN_OK) fail_msg("%s: %s", kind->loss, dcpn_last_error(context));
    for (int64_t k = 0; k < MOST_STEPS; k += k < 6 ? 1 : 7)
        checked += check_interruption(kind, data, &settings, whole, k);
    free_run(whole);
    return checked;
}

static void every_kind_resumes(void **state)
{
    static const char *const searches[] = {"off", "auto", "path+drop"}, *const sets[] = {"off", "on", "auto"};
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.6, 20260801);
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        dcpn_settings settings = settings_of(&kinds[k]);
        int checked = 0;
        for (size_t way = 0; way < 3; way++) {
            settings.global = searches[way];
            settings.active_set = sets[way];
            checked += check_kind(&kinds[k], &data, settings);
        }
        if (checked < 5) fail_msg("%s %s: %d interruptions only", kinds[k].loss, kinds[k].penalty, checked);
    }
    problems_data_free(&data);
}

/* A checkpoint of the first kind is refused by the second, which differs in one thing. */
static void check_refused(const struct kind *saved, const struct kind *other)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.6, 20260801);
    dcpn_settings settings = settings_of(saved), changed = settings_of(other);
    struct run *first = make(saved, &data, &settings);
    first->stop_at = 2;
    assert_int_equal(dcpn_solver_set_checkpoint(first->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
    free_run(first);
    struct run *second = make(other, &data, &changed);
    dcpn_status status = dcpn_solver_resume(second->solver, "checkpoint");
    if (status == DCPN_OK) status = dcpn_solver_run(second->solver);
    assert_int_equal(status, DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "a checkpoint of "));
    free_run(second);
    problems_data_free(&data);
}

static void another_problem_is_refused(void **state)
{
    static const int64_t other_member[] = {7, 0, 4, 2, 1, 8, 6, 3, 10, 13, 11, 12};
    static const double other_weights[] = {1.0, 0.5, 2.0, 1.6};
    static const struct problems_groups members = {4, start, other_member, weights},
                                        weights_alone = {4, start, member, other_weights};
    const struct kind saved = {"logistic", "mcp", "norm", "auto", "entry", &weighted, 1};
    struct kind other = saved;
    (void)state;
    other.groups = &members;
    check_refused(&saved, &other);
    other.groups = &weights_alone;
    check_refused(&saved, &other);
    other.groups = NULL;
    check_refused(&saved, &other);
    other = saved;
    other.grouping = "sparse";
    check_refused(&saved, &other);
    const struct kind by_entries = {"multinomial", "mcp", "norm", "auto", "entry", NULL, 3};
    struct kind by_rows = by_entries;
    by_rows.classes = "row";
    check_refused(&by_entries, &by_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_resumes),
        TEST(another_problem_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
