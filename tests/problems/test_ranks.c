/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks, as threads of this process: the same bytes as one process with exact sums, however many there are and however the
 * rows are dealt out; and a status everywhere, whichever call of whichever rank fails. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "support/thread_ranks.h"

enum { ROWS = 3500, FEATURES = 60 };

/* How rows go to ranks: in ranges of about one length; mostly to the first; one rank with none; like cards. */
enum dealing { EVEN, UNEVEN, WITH_AN_EMPTY_ONE, DEALT, DEALINGS };

struct scene {
    double dense[ROWS * FEATURES], y[ROWS], weight[ROWS], offset[ROWS];
    int is_sparse, has_weights;
    const char *grouping; /* of groups of five features; NULL: none */
    enum dealing dealing;
    int size;
    dcpn_settings settings;
};

struct outcome {
    double coefficients[FEATURES], intercept, objective, stationarity;
    int64_t iterations, nonzeros, rows;
};

static void draw(struct scene *scene, int classes)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int64_t i = 0; i < ROWS; i++) {
        double score = 0.3, *row = scene->dense + i * FEATURES;
        for (int64_t j = 0; j < FEATURES; j++) {
            int is_there = dcpn_rng_uniform(&rng) < (j % 7 == 0 ? 1.0 : 0.15);
            row[j] = is_there ? dcpn_rng_normal(&rng) * (j % 5 == 0 ? 30.0 : 1.0) + (j == 7 ? 500.0 : 0.0) : 0.0;
            if (j == 8) row[j] = 3.0; /* a constant column */
            if (j % 6 == 1) score += row[j] * (j % 4 ? 0.7 : -1.1) / (j == 7 ? 300.0 : 1.0);
        }
        double noise = dcpn_rng_normal(&rng);
        scene->y[i] = classes ? (score + noise > 0.0 ? 2.0 : -1.0) : score + noise;
        scene->weight[i] = i % 11 == 0 ? 0.0 : 0.5 + dcpn_rng_uniform(&rng);
        scene->offset[i] = 0.1 * dcpn_rng_normal(&rng);
    }
}

/* Ranges of dense data begin at multiples of 1024. */
static int rank_of_row(const struct scene *scene, int64_t i)
{
    int64_t unit = scene->is_sparse ? 1 : 1024, size = scene->size;
    int64_t units = (ROWS + unit - 1) / unit, at = i / unit;
    if (size == 1) return 0;
    switch (scene->dealing) {
    case EVEN: return (int)(at * size / units);
    case UNEVEN: return (int)(at * 5 < units * 4 ? 0 : 1 + (at * 5 - units * 4) * (size - 1) / (units * 5));
    case WITH_AN_EMPTY_ONE: return (int)(at * (size - 1) / units) + (at * (size - 1) / units >= size / 2);
    case DEALT:
    case DEALINGS: break;
    }
    return (int)((uint64_t)(i * 2654435761u >> 7) % (uint64_t)size);
}

struct part {
    double *dense, *values, y[ROWS], weight[ROWS], offset[ROWS];
    int64_t *pointers;
    int32_t *indices;
    int64_t rows, entries;
};

static struct part *take_part(const struct scene *scene, int rank)
{
    struct part *part = calloc(1, sizeof *part);
    part->dense = malloc(sizeof scene->dense);
    part->values = malloc(sizeof scene->dense);
    part->pointers = calloc(ROWS + 1, sizeof *part->pointers);
    part->indices = malloc(ROWS * FEATURES * sizeof *part->indices);
    for (int64_t i = 0; i < ROWS; i++) {
        if (rank >= 0 && rank_of_row(scene, i) != rank) continue;
        const double *row = scene->dense + i * FEATURES;
        memcpy(part->dense + part->rows * FEATURES, row, FEATURES * sizeof *row);
        for (int32_t j = 0; j < FEATURES; j++) {
            if (row[j] == 0.0) continue;
            part->indices[part->entries] = j;
            part->values[part->entries++] = row[j];
        }
        part->y[part->rows] = scene->y[i];
        part->weight[part->rows] = scene->weight[i];
        part->offset[part->rows] = scene->offset[i];
        part->pointers[++part->rows] = part->entries;
    }
    return part;
}

static void drop_part(struct part *part)
{
    free(part->dense);
    free(part->values);
    free(part->pointers);
    free(part->indices);
    free(part);
}

static dcpn_status make_matrix(dcpn_context *context, const struct scene *scene, const struct part *part,
                               dcpn_matrix **A)
{
    if (!scene->is_sparse)
        return dcpn_matrix_dense(context, part->rows, FEATURES, part->dense, DCPN_FLOAT64, DCPN_ROW_MAJOR, FEATURES,
                                 DCPN_BORROW, A);
    const dcpn_compressed arrays = {part->rows, FEATURES, part->pointers, part->indices, DCPN_INT32, part->values, DCPN_FLOAT64, NULL};
    return dcpn_matrix_csr(context, &arrays, DCPN_BORROW, A);
}

static dcpn_status fit_part(dcpn_context *context, const struct scene *scene, const struct part *part,
                            struct outcome *outcome)
{
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_status status = make_matrix(context, scene, part, &A);
    if (status == DCPN_OK) status = dcpn_problem_new(context, A, part->y, &problem);
    if (status == DCPN_OK && scene->has_weights && part->rows > 0) status = dcpn_problem_set_weights(problem, part->weight);
    if (status == DCPN_OK && scene->has_weights) status = dcpn_problem_set_offset(problem, part->offset);
    int64_t start[FEATURES / 5 + 1], member[FEATURES];
    for (int64_t g = 0; g <= FEATURES / 5; g++) start[g] = 5 * g;
    for (int64_t j = 0; j < FEATURES; j++) member[j] = j;
    if (status == DCPN_OK && scene->grouping) status = dcpn_problem_set_groups(problem, FEATURES / 5, start, member, NULL);
    if (status == DCPN_OK) status = dcpn_solver_new(context, problem, &scene->settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) {
        const dcpn_result *result = dcpn_solver_result(solver);
        memset(outcome, 0, sizeof *outcome);
        memcpy(outcome->coefficients, dcpn_solver_coefficients(solver), sizeof outcome->coefficients);
        outcome->intercept = dcpn_solver_intercept(solver);
        outcome->objective = result->objective;
        outcome->stationarity = result->stationarity;
        outcome->iterations = result->iterations;
        outcome->nonzeros = result->nonzeros;
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return status;
}

struct run {
    const struct scene *scene;
    struct outcome outcomes[MOST_THREAD_RANKS];
    char sentences[MOST_THREAD_RANKS][300];
};

static dcpn_status fit_on_rank(dcpn_context *context, int rank, void *user)
{
    struct run *run = user;
    struct part *part = take_part(run->scene, rank);
    dcpn_status status = fit_part(context, run->scene, part, &run->outcomes[rank]);
    snprintf(run->sentences[rank], sizeof run->sentences[rank], "%s", dcpn_last_error(context));
    drop_part(part);
    return status;
}

static void fit_alone(struct scene *scene, dcpn_settings settings, struct outcome *outcome)
{
    dcpn_context *context = dcpn_context_new(NULL);
    struct part *part = take_part(scene, -1);
    settings.sums = "exact";
    scene->settings = settings;
    dcpn_status status = fit_part(context, scene, part, outcome);
    if (status != DCPN_OK) print_error("%s\n", dcpn_last_error(context));
    assert_int_equal(status, DCPN_OK);
    drop_part(part);
    dcpn_context_free(context);
}

static void check_ranks(struct scene *scene, const dcpn_settings *settings)
{
    static const int sizes[] = {1, 2, 3, 4, 7};
    struct outcome alone;
    fit_alone(scene, *settings, &alone);
    assert_true(alone.nonzeros > 0 && alone.nonzeros < FEATURES);
    scene->settings = *settings;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int dealing = EVEN; dealing < (scene->is_sparse ? DEALINGS : DEALT); dealing++) {
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
            if (settings.standardize) settings.lambda *= 2.0;
            scene->has_weights = more == 3;
            check_ranks(scene, &settings);
        }
}

static void numbers_have_the_same_bytes(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = "squared";
    draw(scene, 0);
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) check_penalties(scene, settings, 120.0);
}

static void classes_have_the_same_bytes(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw(scene, 1);
    for (scene->is_sparse = 0; scene->is_sparse < 2; scene->is_sparse++) check_penalties(scene, settings, 30.0);
}

static void groups_have_the_same_bytes(void **state)
{
    static const char *const groupings[] = {"norm", "sum", "sparse"};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw(scene, 1);
    scene->is_sparse = scene->has_weights = 1;
    settings.intercept = settings.standardize = 1;
    settings.penalty = "mcp";
    settings.lambda = 40.0;
    for (size_t g = 0; g < sizeof groupings / sizeof *groupings; g++) {
        settings.grouping = scene->grouping = groupings[g];
        check_ranks(scene, &settings);
    }
    scene->grouping = NULL;
}

static void smooth_penalties_have_the_same_bytes(void **state)
{
    static const char *const penalties[] = {"scad", "log", "lp"};
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    draw(scene, 0);
    scene->is_sparse = 1;
    settings.loss = "huber";
    settings.standardize = 1;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
        settings.penalty = penalties[p];
        settings.lambda = 300.0;
        check_ranks(scene, &settings);
    }
}

/* What exact sums find is what plain sums do. */
static void exact_sums_find_what_plain_ones_do(void **state)
{
    struct scene *scene = *state;
    for (int classes = 0; classes < 2; classes++) {
        draw(scene, classes);
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
                assert_true(fabs(exact.coefficients[j] - plain.coefficients[j]) <= 1e-6 * (1.0 + fabs(plain.coefficients[j])));
            drop_part(part);
            dcpn_context_free(context);
        }
    }
}

/* The k-th call of each rank, for every k until a run has fewer: no rank hangs, and all say why. */
static void a_call_that_fails_is_a_status_everywhere(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = "mcp";
    settings.lambda = 60.0;
    settings.intercept = settings.standardize = 1;
    draw(scene, 1);
    *scene = (struct scene){0};
    draw(scene, 1);
    scene->is_sparse = 1;
    scene->size = 3;
    scene->settings = settings;
    for (int rank = 0; rank < 3; rank++) {
        int64_t call = 1, most = 2000;
        for (; call < most; call++) {
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
        cmocka_unit_test(smooth_penalties_have_the_same_bytes),
        cmocka_unit_test(exact_sums_find_what_plain_ones_do),
        cmocka_unit_test(a_call_that_fails_is_a_status_everywhere),
    };
    return cmocka_run_group_tests(tests, make_scene, drop_scene);
}
