/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks, as threads of this process: the same bytes as one process with exact sums, however many there are and however
 * the rows are dealt out; and a status everywhere, whichever call of whichever rank fails. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/ranks_scene.h"

/* Every third way of dealing the rows out to so many ranks, others for each settings: all of them come up among a few
 * settings. What takes long is fitted by three ranks in one way, and by seven of which one is empty. */
static int is_chosen(const struct scene *scene, const dcpn_settings *settings, int size, int dealing, int turn)
{
    int is_searched = strcmp(settings->global, "off") != 0, has_classes = strcmp(settings->loss, "multinomial") == 0;
    int takes_long = scene->validation || is_searched || has_classes;
    int ways = scene->is_sparse ? DEALINGS : DEALT;
    if (takes_long) return size == 3 ? dealing == turn % ways : size == 7 && dealing == WITH_AN_EMPTY_ONE;
    return size == 1 ? dealing == EVEN : (size * ways + dealing + turn) % 3 == 0;
}

static void check_ranks(struct scene *scene, const dcpn_settings *settings, int dealings)
{
    static const int sizes[] = {1, 2, 3, 4, 7};
    static int turn;
    struct outcome alone;
    fit_alone(scene, *settings, &alone);
    assert_true(alone.nonzeros > 0 && alone.nonzeros < FEATURES);
    scene->settings = *settings;
    turn++;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int dealing = EVEN; dealing < (scene->is_sparse ? dealings : DEALT); dealing++) {
            if (!is_chosen(scene, settings, sizes[s], dealing, turn)) continue;
            struct thread_ranks ranks = {0};
            dcpn_status statuses[MOST_THREAD_RANKS];
            static struct run run;
            scene->size = sizes[s];
            scene->dealing = (enum dealing)dealing;
            run = (struct run){.scene = scene};
            run_thread_ranks(&ranks, sizes[s], fit_on_rank, &run, statuses);
            for (int k = 0; k < sizes[s]; k++) {
                if (statuses[k] != DCPN_OK) print_error("rank %d of %d: %s\n", k, sizes[s], run.sentences[k]);
                assert_int_equal(statuses[k], DCPN_OK);
                assert_memory_equal(&run.outcomes[k], &alone, sizeof alone);
            }
        }
}

static void check_penalties(struct scene *scene, dcpn_settings settings, double lambda)
{
    static const char *const penalties[] = {"l1", "mcp", "capped-l1"};
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (int more = 0; more < 4; more++) {
            settings.penalty = penalties[p];
            settings.lambda = lambda;
            settings.intercept = more & 1;
            settings.standardize = more >> 1;
            settings.tol = 1e-6;
            settings.global = more & 1 ? "off" : "auto";
            if (settings.standardize) settings.lambda *= 2.0;
            scene->has_weights = more == 3;
            check_ranks(scene, &settings, DEALINGS);
        }
}

static void numbers_have_the_same_bytes(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = "squared";
    draw_scene(scene, 0);
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) check_penalties(scene, settings, 120.0);
}

static void classes_have_the_same_bytes(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw_scene(scene, 1);
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) check_penalties(scene, settings, 30.0);
}

static void groups_have_the_same_bytes(void **state)
{
    static const char *const groupings[] = {"norm", "sum", "sparse", "tree"};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw_scene(scene, 1);
    scene->is_sparse = scene->has_weights = 1;
    settings.intercept = settings.standardize = 1;
    settings.penalty = "mcp";
    settings.lambda = 40.0;
    for (size_t g = 0; g < sizeof groupings / sizeof *groupings; g++) {
        settings.grouping = scene->grouping = groupings[g];
        check_ranks(scene, &settings, DEALINGS);
    }
    scene->grouping = NULL;
}

static void many_classes_have_the_same_bytes(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"}, *const groupings[] = {"entry", "row"};
    const dcpn_cv_options options = {
        .folds = 3, .measure = "class-error", .path = {.lambda_count = 4, .min_ratio = 0.2}};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw_scene(scene, 4);
    settings.loss = "multinomial";
    settings.global = "off";
    settings.intercept = settings.standardize = 1;
    settings.tol = 1e-6;
    for (int k = 0; k < 4; k++) {
        settings.penalty = penalties[k % 2];
        settings.class_grouping = groupings[k / 2];
        settings.lambda = 60.0;
        scene->is_sparse = k != 1;
        scene->has_weights = k > 1;
        check_ranks(scene, &settings, DEALINGS);
    }
    scene->validation = &options;
    check_ranks(scene, &settings, DEALT);
    scene->validation = NULL;
    scene->has_weights = 0;
}

/* What many classes find with exact sums is what plain sums do, for both ways of storing the matrix. */
static void many_classes_find_what_plain_sums_do(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    struct outcome exact, plain;
    draw_scene(scene, 4);
    settings.loss = "multinomial";
    settings.penalty = "l1";
    settings.lambda = 20.0;
    settings.intercept = settings.standardize = 1;
    settings.tol = 1e-8;
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) {
        dcpn_context *context = dcpn_context_new(NULL);
        struct part *part = take_part(scene, -1);
        fit_alone(scene, settings, &exact);
        scene->settings = settings;
        assert_int_equal(fit_part(context, scene, part, &plain), DCPN_OK);
        assert_true(fabs(exact.objective - plain.objective) <= 1e-10 * plain.objective);
        drop_part(part);
        dcpn_context_free(context);
    }
}

static void trees_find_what_plain_sums_do(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    struct outcome exact, plain;
    dcpn_context *context = dcpn_context_new(NULL);
    draw_scene(scene, 1);
    scene->is_sparse = 1;
    struct part *part = take_part(scene, -1);
    settings.grouping = scene->grouping = "tree";
    settings.penalty = "l1";
    settings.lambda = 20.0;
    settings.intercept = settings.standardize = 1;
    settings.tol = 1e-7;
    fit_alone(scene, settings, &exact);
    scene->settings = settings;
    assert_int_equal(fit_part(context, scene, part, &plain), DCPN_OK);
    assert_true(exact.nonzeros > 0 && exact.nonzeros < FEATURES && exact.nonzeros == plain.nonzeros);
    assert_true(fabs(exact.objective - plain.objective) <= 1e-10 * plain.objective);
    drop_part(part);
    dcpn_context_free(context);
    scene->grouping = NULL;
}

/* And a deeper search never ends above a shallower one. */
static void searches_have_the_same_bytes(void **state)
{
    static const char *const deep[] = {"path", "path-then-drop", "path+drop"};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    struct outcome plain;
    draw_scene(scene, 1);
    settings.penalty = "mcp";
    settings.intercept = 1;
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) {
        settings.lambda = 9.0;
        settings.global = "off";
        fit_alone(scene, settings, &plain);
        for (size_t k = 0; k < sizeof deep / sizeof *deep; k++) {
            struct outcome searched;
            settings.global = deep[k];
            fit_alone(scene, settings, &searched);
            assert_true(searched.objective <= plain.objective);
            check_ranks(scene, &settings, k == 2 ? DEALINGS : UNEVEN);
            plain = searched;
        }
    }
}

/* A fit of mostly empty columns is that of the others; one rank has none at all. */
static void empty_columns_change_nothing(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    struct outcome with, without;
    scene->is_sparse = 1;
    settings.intercept = settings.standardize = 1;
    settings.penalty = "mcp";
    settings.lambda = 40.0;
    draw_scene(scene, 1);
    fit_alone(scene, settings, &without);
    scene->empty = 3;
    fit_alone(scene, settings, &with);
    assert_memory_equal(&with, &without, sizeof with);
    check_ranks(scene, &settings, DEALINGS);
    scene->empty = 0;
}

static void smooth_penalties_have_the_same_bytes(void **state)
{
    static const char *const penalties[] = {"scad", "log", "lp"};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw_scene(scene, 0);
    scene->is_sparse = 1;
    settings.loss = "huber";
    settings.standardize = 1;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
        settings.penalty = penalties[p];
        settings.lambda = 300.0;
        check_ranks(scene, &settings, DEALINGS);
    }
}

static void check_validation(struct scene *scene, dcpn_cv_options options)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = options.measure ? "logistic" : "squared";
    settings.penalty = "mcp";
    settings.gamma = 12.0;
    settings.standardize = settings.intercept = 1;
    settings.scale = "mean";
    draw_scene(scene, options.measure != NULL);
    options.path.lambda_count = 6;
    options.path.min_ratio = 0.1;
    scene->validation = &options;
    check_ranks(scene, &settings, options.fold_of ? DEALINGS : DEALT);
    scene->validation = NULL;
}

/* Folds that are drawn, that are given, with weights, of a comparison with refits, and a stability selection. */
static void validations_have_the_same_bytes(void **state)
{
    struct scene *scene = *state;
    int64_t given;
    scene->is_sparse = 0;
    check_validation(scene, (dcpn_cv_options){.folds = 3, .seed = 4});
    scene->has_weights = 1;
    check_validation(scene, (dcpn_cv_options){.folds = 3, .measure = "auc", .subsamples = 2});
    scene->is_sparse = 1;
    check_validation(scene, (dcpn_cv_options){.folds = 3, .fold_of = &given, .measure = "deviance"});
    check_validation(scene, (dcpn_cv_options){.folds = 2, .compares = 1, .rule = "1se"});
    scene->has_weights = 0;
}

/* What exact sums find is what plain sums do. */
static void exact_sums_find_what_plain_ones_do(void **state)
{
    struct scene *scene = *state;
    for (int classes = 0; classes < 2; classes++) {
        draw_scene(scene, classes);
        for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) {
            dcpn_settings settings = dcpn_settings_default();
            struct outcome exact, plain;
            dcpn_context *context = dcpn_context_new(NULL);
            struct part *part = take_part(scene, -1);
            settings.loss = classes ? "logistic" : "squared";
            settings.penalty = "l1";
            settings.lambda = 40.0;
            settings.standardize = settings.intercept = 1;
            settings.tol = 1e-9;
            scene->has_weights = 1;
            fit_alone(scene, settings, &exact);
            scene->settings = settings;
            assert_int_equal(fit_part(context, scene, part, &plain), DCPN_OK);
            assert_true(fabs(exact.objective - plain.objective) <= 1e-12 * plain.objective);
            for (int j = 0; j < FEATURES; j++)
                assert_true(fabs(exact.coefficients[j] - plain.coefficients[j]) <=
                            1e-6 * (1.0 + fabs(plain.coefficients[j])));
            drop_part(part);
            dcpn_context_free(context);
        }
    }
}

static void exact_validations_find_what_plain_ones_do(void **state)
{
    struct scene *scene = *state;
    int64_t given;
    const dcpn_cv_options options = {
        .folds = 3, .fold_of = &given, .rule = "min", .path = {.lambda_count = 8, .min_ratio = 0.01}};
    for (int classes = 0; classes < 2; classes++) {
        draw_scene(scene, classes);
        scene->validation = &options;
        scene->has_weights = 1;
        for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) {
            dcpn_settings settings = dcpn_settings_default();
            struct outcome exact, plain;
            dcpn_context *context = dcpn_context_new(NULL);
            struct part *part = take_part(scene, -1);
            settings.loss = classes ? "logistic" : "squared";
            settings.penalty = "l1";
            settings.standardize = settings.intercept = 1;
            settings.tol = 1e-9;
            fit_alone(scene, settings, &exact);
            scene->settings = settings;
            assert_int_equal(fit_part(context, scene, part, &plain), DCPN_OK);
            assert_true(exact.digest != plain.digest); /* they are not the same sums */
            assert_true(fabs(exact.objective - plain.objective) <= 1e-6 * plain.objective);
            assert_int_equal(exact.nonzeros, plain.nonzeros);
            drop_part(part);
            dcpn_context_free(context);
        }
        scene->validation = NULL;
    }
}

/* Every stride-th call, of one rank after the other, until a run has fewer: no rank hangs, and all say why. */
static void fail_calls(struct scene *scene, int64_t stride)
{
    int64_t call = 1, most = 20000;
    for (int rank = 0; call < most; call += stride, rank = (rank + 1) % 3) {
        struct thread_ranks ranks = {.failing_call = call, .failing_rank = rank};
        dcpn_status statuses[MOST_THREAD_RANKS];
        static struct run run;
        run = (struct run){.scene = scene};
        run_thread_ranks(&ranks, 3, fit_on_rank, &run, statuses);
        if (ranks.calls[rank] < call) break;
        for (int k = 0; k < 3; k++) assert_int_equal(statuses[k], DCPN_PEER);
    }
    assert_in_range(call, 20, most - 1);
}

static void a_call_that_fails_is_a_status_everywhere(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    const dcpn_cv_options options = {.folds = 2, .path.lambda_count = 3, .subsamples = 2};
    settings.penalty = "mcp";
    settings.lambda = 60.0;
    settings.intercept = settings.standardize = 1;
    *scene = (struct scene){0};
    draw_scene(scene, 1);
    scene->is_sparse = 1;
    scene->size = 3;
    scene->settings = settings;
    scene->settings.global = "off";
    fail_calls(scene, 1);
    scene->settings.global = "path+drop";
    fail_calls(scene, 53);
    scene->settings.global = "auto";
    scene->validation = &options;
    fail_calls(scene, 211);
    scene->settings.loss = "multinomial";
    draw_scene(scene, 4);
    scene->validation = NULL;
    fail_calls(scene, 4);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_same_bytes),
        cmocka_unit_test(classes_have_the_same_bytes),
        cmocka_unit_test(groups_have_the_same_bytes),
        cmocka_unit_test(many_classes_have_the_same_bytes),
        cmocka_unit_test(many_classes_find_what_plain_sums_do),
        cmocka_unit_test(trees_find_what_plain_sums_do),
        cmocka_unit_test(searches_have_the_same_bytes),
        cmocka_unit_test(empty_columns_change_nothing),
        cmocka_unit_test(smooth_penalties_have_the_same_bytes),
        cmocka_unit_test(validations_have_the_same_bytes),
        cmocka_unit_test(exact_sums_find_what_plain_ones_do),
        cmocka_unit_test(exact_validations_find_what_plain_ones_do),
        cmocka_unit_test(a_call_that_fails_is_a_status_everywhere),
    };
    return cmocka_run_group_tests(tests, make_scene, drop_scene);
}
