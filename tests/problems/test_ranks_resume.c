/* SPDX-License-Identifier: BSD-3-Clause */
/* A run on ranks that is ended early goes on from its checkpoint on any number of ranks, to the bytes of a run that was
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "support/ranks_scene.h"

static int make_scene(void **state)
{
    *state = calloc(1, sizeof(struct scene));
    return *state == NULL;
}

static int drop_scene(void **state)
{
    free(*state);
    return 0;
}

static void run_on_ranks(struct scene *scene, int size, struct run *run)
{
    struct thread_ranks ranks = {0};
    dcpn_status statuses[MOST_THREAD_RANKS];
    scene->size = size;
    *run = (struct run){.scene = scene};
    run_thread_ranks(&ranks, size, fit_on_rank, run, statuses);
    for (int k = 0; k < size; k++) {
        if (statuses[k] != DCPN_OK) print_error("rank %d of %d: %s\n", k, size, run->sentences[k]);
        assert_int_equal(statuses[k], DCPN_OK);
    }
}

/* Three ranks, then other numbers of them, whose last one sees fewer steps than one that begins anew. */
static void check(struct scene *scene, dcpn_settings settings, int64_t stops_at)
{
    static const int sizes[] = {1, 2, 7};
    static struct run run;
    char name[] = "ranks-XXXXXX";
    struct outcome whole;
    int64_t seen_by_whole = 0, seen = 0;
    int file = mkstemp(name);
    assert_true(file >= 0);
    close(file);
    settings.sums = "exact";
    scene->saved.file = NULL;
    scene->saved.seen = &seen_by_whole;
    fit_alone(scene, settings, &whole);
    scene->settings = settings;
    scene->saved.file = name;
    scene->saved.stops_at = stops_at;
    scene->saved.seen = &seen;
    scene->saved.is_resumed = 0;
    run_on_ranks(scene, 3, &run);
    assert_true(seen < seen_by_whole && memcmp(&run.outcomes[0], &whole, sizeof whole) != 0);
    scene->saved.stops_at = 0;
    scene->saved.is_resumed = 1;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        run_on_ranks(scene, sizes[s], &run);
        for (int k = 0; k < sizes[s]; k++) assert_memory_equal(&run.outcomes[k], &whole, sizeof whole);
        assert_true(seen < seen_by_whole);
    }
    memset(&scene->saved, 0, sizeof scene->saved);
    unlink(name);
}

static dcpn_settings settings_of(const char *loss)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = loss;
    settings.penalty = "mcp";
    settings.lambda = 30.0;
    settings.tol = 1e-9;
    settings.standardize = settings.intercept = 1;
    return settings;
}

static void fits_go_on(void **state)
{
    struct scene *scene = *state;
    scene->has_weights = 1;
    draw_scene(scene, 1);
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++)
        for (int64_t stops_at = 2; stops_at < 5; stops_at++) check(scene, settings_of("logistic"), stops_at);
}

static void validations_go_on(void **state)
{
    struct scene *scene = *state;
    const dcpn_cv_options options = {.folds = 3, .path = {.lambda_count = 5, .min_ratio = 0.1}};
    scene->has_weights = 0;
    scene->validation = &options;
    draw_scene(scene, 0);
    scene->is_sparse = 1;
    check(scene, settings_of("squared"), 12);
    scene->validation = NULL;
}

/* One row has another label, on whichever rank it is. */
static void other_data_are_refused(void **state)
{
    struct scene *scene = *state;
    static struct run run;
    char name[] = "ranks-XXXXXX";
    int file = mkstemp(name);
    assert_true(file >= 0);
    close(file);
    draw_scene(scene, 0);
    scene->settings = settings_of("squared");
    scene->saved.file = name;
    scene->saved.stops_at = 2;
    run_on_ranks(scene, 2, &run);
    scene->y[ROWS - 1] += 1.0;
    scene->saved.is_resumed = 1;
    struct thread_ranks ranks = {0};
    dcpn_status statuses[MOST_THREAD_RANKS];
    scene->size = 3;
    run = (struct run){.scene = scene};
    run_thread_ranks(&ranks, 3, fit_on_rank, &run, statuses);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(statuses[k], DCPN_DATA);
        assert_non_null(strstr(run.sentences[k], "a checkpoint of another problem"));
    }
    memset(&scene->saved, 0, sizeof scene->saved);
    unlink(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_go_on),
        cmocka_unit_test(validations_go_on),
        cmocka_unit_test(other_data_are_refused),
    };
    return cmocka_run_group_tests(tests, make_scene, drop_scene);
}
