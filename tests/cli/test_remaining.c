/* SPDX-License-Identifier: BSD-3-Clause */
/* The time left is within a factor of two of the truth from a tenth of the way on: works are simulated, their reports
 * and times written down, and the estimates compared with what came. */
#include "remaining.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LAMBDAS = 60, MOST_FOLDS = 20, MOST_REPORTS = 20000 };

/* A work: each point of a path takes (1 + growth)^k; a search of all points follows where there is one; folds take a
 * share of that and end after `reach` points; subsamples after `sampled`. */
struct simulation {
    const char *penalty;
    double growth, search, fold_time;
    int64_t folds, reach, subsamples, sampled;
    int threads;
};

struct report {
    double time_s;
    dcpn_path_progress progress;
};

struct record {
    struct report reports[MOST_REPORTS];
    int64_t count;
};

static struct record record;

static void report(double time_s, const char *penalty, int64_t k, int64_t fold, int64_t done, int64_t total)
{
    assert_true(record.count < MOST_REPORTS);
    record.reports[record.count++] = (struct report){time_s, {penalty, pow(0.9, (double)k), fold, done, total, {0}}};
}

/* One path, from `time_s` on; returns when it ends. Steps of a fit and of the search are reported. */
static double run_path(const struct simulation *s, double time_s, double speed, int64_t reach, int64_t fold,
                       int64_t done, int64_t total)
{
    double sum = 0.0;
    for (int64_t k = 0; k < reach; k++) {
        double step = speed * pow(1.0 + s->growth, (double)k);
        report(time_s, s->penalty, k, fold, done + k, total);
        time_s += step;
        sum += step;
    }
    for (int64_t k = reach; s->search > 0.0 && k-- > 0;) {
        report(time_s, s->penalty, k, fold, done + LAMBDAS, total);
        time_s += s->search * sum / (double)reach;
    }
    return time_s;
}

static int earlier(const void *a, const void *b)
{
    double x = ((const struct report *)a)->time_s, y = ((const struct report *)b)->time_s;
    return (x > y) - (x < y);
}

/* Folds in rounds of as many as there are threads; returns when all is done. */
static double simulate(const struct simulation *s)
{
    record.count = 0;
    int64_t total = LAMBDAS * (s->folds + 1 + s->subsamples);
    double time_s = run_path(s, 0.0, 1.0, LAMBDAS, -1, 0, total);
    for (int64_t first = 0; first < s->folds; first += s->threads) {
        double end_s = time_s;
        for (int64_t f = first; f < s->folds && f < first + s->threads;
             f++) /* none of the round is whole before its end */
            end_s = run_path(s, time_s, s->fold_time, s->reach, f, LAMBDAS * (1 + first), total);
        time_s = end_s;
    }
    int64_t done = LAMBDAS * (s->folds + 1), rest = done + s->subsamples * s->sampled;
    for (int64_t f = 0; f < s->subsamples; f++)
        time_s = run_path(s, time_s, 0.5 * s->fold_time, s->sampled, f, done + f * s->sampled, rest);
    qsort(record.reports, (size_t)record.count, sizeof *record.reports, earlier);
    return time_s;
}

/* The share of the time, from a tenth of the way on and before the last twentieth, at which the estimate is wrong. */
static double share_wrong(const struct simulation *s, struct work_ahead ahead)
{
    struct remaining remaining = {.ahead = ahead};
    double end_s = simulate(s), wrong_s = 0.0;
    for (int64_t k = 0; k + 1 < record.count; k++) {
        const struct report *r = &record.reports[k];
        double left = dcpn_cli_remaining(&remaining, r->time_s + 1e-9, &r->progress), truth = end_s - r->time_s;
        int counts = r->time_s >= 0.1 * end_s && truth >= 0.05 * end_s;
        if (counts && !(left >= truth / 2.0 && left <= truth * 2.0)) wrong_s += r[1].time_s - r->time_s;
    }
    dcpn_cli_remaining_free(&remaining);
    return wrong_s / end_s;
}

static void test_folds(void **state)
{
    (void)state;
    static const struct simulation works[] = {
        {"l1", 0.0, 0.0, 0.9, 10, LAMBDAS, 0, 0, 1},   {"l1", 0.05, 0.0, 0.8, 5, LAMBDAS, 0, 0, 1},
        {"l1", 0.05, 0.0, 0.9, 10, 50, 0, 0, 1},       {"l1", 0.05, 0.0, 0.9, 10, LAMBDAS, 0, 0, 4},
        {"mcp", 0.05, 1.0, 0.8, 10, LAMBDAS, 0, 0, 1}, {"mcp", 0.08, 0.8, 0.9, 10, 55, 0, 0, 1},
        {"mcp", 0.05, 1.0, 0.7, 20, 55, 0, 0, 2},      {"l1", 0.03, 0.0, 0.9, 10, LAMBDAS, 0, 0, 20},
    };
    for (size_t k = 0; k < sizeof works / sizeof *works; k++) {
        const struct simulation *s = &works[k];
        double wrong =
            share_wrong(s, (struct work_ahead){s->folds, 0, LAMBDAS, s->threads, s->search > 0.0 ? 0.5 : 0.75, 0.45});
        if (wrong > 0.03) fail_msg("work %zu: the time left is wrong %.1f%% of the time", k, 100.0 * wrong);
    }
}

static void test_subsamples(void **state)
{
    (void)state;
    static const int64_t chosen[] = {45, LAMBDAS}; /* subsamples follow the path as far as the lambda that was chosen */
    for (int k = 0; k < 2; k++) {
        const struct simulation s = {"l1", 0.05, 0.0, 0.9, 5, LAMBDAS, 100, chosen[k], 1};
        assert_true(share_wrong(&s, (struct work_ahead){5, 100, LAMBDAS, 1, 0.75, 0.35}) <= 0.05);
    }
}

static void test_a_path(void **state)
{
    (void)state;
    const struct simulation s = {"l1", 0.02, 0.0, 0.0, 0, 0, 0, 0, 1};
    assert_true(share_wrong(&s, (struct work_ahead){.lambdas = LAMBDAS}) <= 0.03);
}

static void test_what_is_not_known_goes_by_the_fits(void **state)
{
    (void)state;
    struct remaining remaining = {0};
    const dcpn_path_progress none = {"l1", 1.0, 0, 0, 40, {0}}, some = {"l1", 1.0, 0, 10, 40, {0}};
    assert_true(isnan(dcpn_cli_remaining(&remaining, 0.0, &none)));
    assert_true(fabs(dcpn_cli_remaining(&remaining, 5.0, &some) - 15.0) < 1e-12);
}

/* A checkpoint may bring all paths at once, and folds that are fitted again more of them than there were. */
static void test_reports_in_no_order(void **state)
{
    (void)state;
    struct remaining remaining = {.ahead = {5, 0, LAMBDAS, 2, 0.75, 0.45}};
    const int64_t dones[] = {300, 60, 61, 0, 359, 360, 700, 10}, folds[] = {3, 4, -1, 99, 2, 64, 1000, 0};
    for (int k = 0; k < 8; k++) {
        const dcpn_path_progress p = {"mcp", 1.0 / (k + 1.0), folds[k], dones[k], 360 + 60 * k, {0}};
        double left = dcpn_cli_remaining(&remaining, 0.1 * k, &p);
        assert_true(isnan(left) || (left >= 0.0 && left < 1e9));
    }
    dcpn_cli_remaining_free(&remaining);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folds),
        cmocka_unit_test(test_subsamples),
        cmocka_unit_test(test_a_path),
        cmocka_unit_test(test_what_is_not_known_goes_by_the_fits),
        cmocka_unit_test(test_reports_in_no_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
