/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: what is refused, ended early, counted, or beyond a limit of time or memory. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/clock.h"
#include "base/context.h"
#include "path/path.h"
#include "support/problems_cv.h"

/* ---- refusals ---- */

static void wrong_options_are_refused(void **state)
{
    static const char *const none[] = {NULL};
    int64_t beyond[ROWS] = {0}, all_in_one[ROWS] = {0}, one_class[ROWS];
    dcpn_cv *cv = NULL;
    (void)state;
    beyond[3] = 2;
    for (int64_t i = 0; i < ROWS; i++) one_class[i] = data.classes[i] == 3.0;
    const struct {
        dcpn_cv_options options;
        dcpn_status status;
        const char *sentence;
    } wrong[] = {
        {{.folds = 1}, DCPN_USAGE, "folds: found 1, expected from 2 to the 60 rows"},
        {{.folds = 1, .fold_of = all_in_one}, DCPN_USAGE, "folds: found 1, expected from 2 to the 60 rows"},
        {{.folds = -1}, DCPN_USAGE, "folds: found -1"},
        {{.folds = INT64_MAX}, DCPN_USAGE, "expected from 2 to the 60 rows"},
        {{.folds = INT64_MAX, .fold_of = all_in_one}, DCPN_USAGE, "expected from 2 to the 60 rows"},
        {{.measure = "mse"}, DCPN_USAGE, "expected deviance, error or auc"},
        {{.rule = "2se"}, DCPN_USAGE, "rule"},
        {{.folds = 2, .fold_of = beyond}, DCPN_DATA, "fold of row 4"},
        {{.folds = 2, .fold_of = one_class}, DCPN_DATA, "fold 1: labels: found the one class"},
        {{.subsamples = -1}, DCPN_USAGE, "stability"},
        {{.subsamples = INT64_MAX}, DCPN_USAGE, "subsamples, expected at most"},
        {{.path = {.penalties = none}}, DCPN_USAGE, "penalties: found 0 of them"},
        {{.path = {.lambda_count = INT64_MAX}}, DCPN_USAGE, "lambdas, expected at most"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &wrong[k].options, &cv), wrong[k].status);
        assert_contains(dcpn_last_error(context), wrong[k].sentence);
        assert_null(cv);
    }
}

/* Memory that nobody has filled shows. */
static void *allocate_filled(void *user, size_t bytes)
{
    void *memory = malloc(bytes);
    (void)user;
    return memory ? memset(memory, 0x5a, bytes) : NULL;
}

static void release(void *user, void *memory)
{
    (void)user;
    free(memory);
}

static int stop_in_the_second_fold(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    return progress->fold == 1;
}

static void an_interrupted_one_chooses_nothing(void **state)
{
    const dcpn_allocator filling = {allocate_filled, release, NULL};
    dcpn_context *filled = dcpn_context_new(&filling);
    dcpn_cv_options options = {.folds = 3};
    dcpn_cv *cv = NULL;
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = stop_in_the_second_fold;
    assert_int_equal(dcpn_cv_run(filled, of_classes, NULL, &options, &cv), DCPN_OK);
    assert_false(cv->ending.is_complete);
    assert_int_equal(cv->choice.min.path, -1);
    assert_int_equal(cv->best[0], -1);
    assert_int_equal(cv->one_se[0], -1);
    for (int64_t k = 0; k < cv->first[1] * DCPN_MEASURES; k++) assert_true(isnan(cv->mean[k]) && isnan(cv->se[k]));
    assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "nothing.json"), DCPN_USAGE);
    dcpn_cv_free(cv);
    dcpn_context_free(filled);
}

/* What has begun long ago, the paths of a fold, has no time of its own. */
static void the_limit_of_time_is_that_of_all_folds(void **state)
{
    const double hour = 3600.0;
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    const dcpn_path_options options = {.lambda_count = 5};
    dcpn_paths *paths, *fold;
    (void)state;
    settings.max_time_s = hour;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    for (int late = 0; late < 2; late++) {
        double started_at = dcpn_clock_s() - (late ? 2.0 * hour : 0.0);
        const struct like_request request = {.like = paths, .options = &options, .started_at = started_at};
        assert_int_equal(dcpn_paths_fit_like(context, of_classes, &request, &fold), DCPN_OK);
        assert_int_equal(fold->paths[0].end, late ? DCPN_PATH_INTERRUPTED : DCPN_PATH_ALL);
        dcpn_paths_free(fold);
    }
    dcpn_paths_free(paths);
}

/* Calls so far; it stops at one of them. */
struct stopper {
    int64_t calls, stops_at;
};

static int stop_at_a_call(void *user, const dcpn_path_progress *progress)
{
    struct stopper *stopper = user;
    (void)progress;
    return ++stopper->calls == stopper->stops_at;
}

/* One thread: the calls up to the end of the folds are those of a run without subsamples. */
static void one_stopped_among_the_subsamples_is_not_complete(void **state)
{
    struct stopper stopper = {0};
    dcpn_cv_options options = {.folds = 3, .subsamples = 8};
    dcpn_cv *cv = NULL;
    char *json = NULL;
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = stop_at_a_call;
    options.path.user = &stopper;
    dcpn_cv *whole = cv_of(of_classes, NULL, &options);
    assert_non_null(whole->stability);
    int64_t all = stopper.calls;
    options.subsamples = 0;
    stopper.calls = 0;
    dcpn_cv_free(cv_of(of_classes, NULL, &options));
    int64_t stops[] = {stopper.calls + 1, (stopper.calls + all) / 2, all};
    options.subsamples = 8;
    for (size_t k = 0; k < sizeof stops / sizeof *stops; k++) {
        stopper = (struct stopper){.stops_at = stops[k]};
        assert_int_equal(dcpn_cv_run(context, of_classes, NULL, &options, &cv), DCPN_OK);
        assert_false(cv->ending.is_complete);
        assert_null(cv->stability);
        assert_int_equal(cv->choice.min.point, whole->choice.min.point);
        assert_true(cv->choice.sparse.mean == whole->choice.sparse.mean);
        assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &json), DCPN_OK); /* what the folds chose, and no stability */
        assert_null(strstr(json, "\"mean_selected\""));
        dcpn_free(context, json);
        dcpn_cv_free(cv);
    }
    dcpn_cv_free(whole);
}

struct counted {
    int64_t done, total; /* of the last call */
};

static int keep_count(void *user, const dcpn_path_progress *progress)
{
    struct counted *counted = user;
    assert_in_range(progress->done, counted->done, progress->total);
    if (counted->total) assert_in_range(progress->total, 1, counted->total); /* an early end spares some */
    counted->done = progress->done;
    counted->total = progress->total;
    return 0;
}

/* One thread: fits are done one after the other. */
static void fits_to_subsamples_are_counted(void **state)
{
    struct counted counted = {0};
    dcpn_cv_options options = {.folds = 3, .subsamples = 8};
    (void)state;
    options.path.lambda_count = 5;
    options.path.observer = keep_count;
    options.path.user = &counted;
    dcpn_cv *cv = cv_of(of_classes, NULL, &options);
    assert_true(counted.total >= 4 * cv->first[1] + 8 * cv->stability->points);
    assert_true(counted.done >= counted.total - 1); /* the last fit, or a look for lower ends after it */
    dcpn_cv_free(cv);
}

/* ---- memory ---- */

struct meter {
    atomic_size_t now, most;
};

enum { HEAD = 64 }; /* before each block, its size */

static void *allocate_metered(void *user, size_t bytes)
{
    struct meter *meter = user;
    char *memory = malloc(bytes + HEAD);
    if (!memory) return NULL;
    memcpy(memory, &bytes, sizeof bytes);
    size_t now = atomic_fetch_add(&meter->now, bytes) + bytes, most = atomic_load(&meter->most);
    while (now > most && !atomic_compare_exchange_weak(&meter->most, &most, now)) continue;
    return memory + HEAD;
}

static void release_metered(void *user, void *memory)
{
    struct meter *meter = user;
    size_t bytes;
    if (!memory) return;
    memcpy(&bytes, (char *)memory - HEAD, sizeof bytes);
    atomic_fetch_sub(&meter->now, bytes);
    free((char *)memory - HEAD);
}

/* Whatever the limit: it holds, and what is refused says how many bytes it needs. */
static void run_within(size_t limit, int threads, int64_t *done, int64_t *refused_in_folds)
{
    enum { PARTS = 3 };
    struct meter meter = {0};
    const dcpn_allocator allocator = {allocate_metered, release_metered, &meter};
    dcpn_context *limited = dcpn_context_new(&allocator);
    dcpn_cv_options options = {.folds = PARTS, .subsamples = PARTS};
    dcpn_cv *cv = NULL;
    options.path.lambda_count = 4;
    dcpn_context_set_memory_limit(limited, limit);
    dcpn_context_set_threads(limited, threads);
    size_t besides = meter.now + PARTS * sizeof *limited; /* contexts themselves do not count, nor do threads */
    dcpn_status status = dcpn_cv_run(limited, of_classes, NULL, &options, &cv);
    assert_true(meter.most <= limit + besides);
    if (status == DCPN_OK) {
        ++*done;
    } else {
        assert_int_equal(status, DCPN_MEMORY);
        assert_contains(dcpn_last_error(limited), "bytes are needed besides");
        *refused_in_folds += strncmp(dcpn_last_error(limited), "fold ", 5) == 0;
    }
    dcpn_cv_free(cv);
    assert_int_equal(limited->memory_in_use, 0);
    dcpn_context_free(limited);
    assert_int_equal(meter.now, 0);
}

static void folds_are_within_the_limit_of_memory(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        int64_t done = 0, refused_in_folds = 0;
        for (size_t limit = 1000; limit < 4000000; limit = limit * 6 / 5)
            run_within(limit, threads, &done, &refused_in_folds);
        assert_true(done > 3 && refused_in_folds > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_of_time_is_that_of_all_folds),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(an_interrupted_one_chooses_nothing),
        cmocka_unit_test(one_stopped_among_the_subsamples_is_not_complete),
        cmocka_unit_test(fits_to_subsamples_are_counted),
        cmocka_unit_test(folds_are_within_the_limit_of_memory),
    };
    return cmocka_run_group_tests_name("problems.cv", tests, setup, teardown);
}
