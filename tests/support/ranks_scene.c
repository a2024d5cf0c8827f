/* SPDX-License-Identifier: BSD-3-Clause */
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
#include "support/ranks_scene.h"

void draw_scene(struct scene *scene, int classes)
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
        if (classes > 2) scene->y[i] = 1.0 + (score + noise > 0.0) + 3.0 * (row[14] + row[21] + 0.1 * noise > 0.0);
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
    case EVEN:
        return (int)(at * size / units);
    case UNEVEN:
        return (int)(at * 5 < units * 4 ? 0 : 1 + (at * 5 - units * 4) * (size - 1) / (units * 5));
    case WITH_AN_EMPTY_ONE:
        return (int)(at * (size - 1) / units) + (at * (size - 1) / units >= size / 2);
    case DEALT:
    case DEALINGS:
        break;
    }
    return (int)((uint64_t)(i * 2654435761u >> 7) % (uint64_t)size);
}

struct part *take_part(const struct scene *scene, int rank)
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
            part->indices[part->entries] = j * (1 + scene->empty);
            part->values[part->entries++] = row[j];
        }
        part->y[part->rows] = scene->y[i];
        part->weight[part->rows] = scene->weight[i];
        part->offset[part->rows] = scene->offset[i];
        part->fold[part->rows] = i % 3;
        part->pointers[++part->rows] = part->entries;
    }
    return part;
}

void drop_part(struct part *part)
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
    const dcpn_compressed arrays = {part->rows,     FEATURES * (1 + scene->empty),
                                    part->pointers, part->indices,
                                    DCPN_INT32,     part->values,
                                    DCPN_FLOAT64,   NULL};
    return dcpn_matrix_csr(context, &arrays, DCPN_BORROW, A);
}

/* ---- an early end ---- */

struct watcher {
    const struct scene *scene;
    int is_last; /* of the ranks */
    int64_t seen;
};

static int is_enough(struct watcher *watcher, int64_t seen)
{
    watcher->seen = seen;
    if (watcher->is_last && watcher->scene->saved.seen) *watcher->scene->saved.seen = seen;
    return watcher->is_last && watcher->scene->saved.stops_at && seen >= watcher->scene->saved.stops_at;
}

static int watch_steps(void *user, const dcpn_progress *progress)
{
    struct watcher *watcher = user;
    (void)progress;
    return is_enough(watcher, watcher->seen + 1);
}

static int watch_fits(void *user, const dcpn_path_progress *progress)
{
    struct watcher *watcher = user;
    (void)progress;
    return is_enough(watcher, watcher->seen + 1);
}

static struct watcher watcher_of(const dcpn_context *context, const struct scene *scene)
{
    return (struct watcher){scene, dcpn_context_rank(context) + 1 == dcpn_context_ranks(context), 0};
}

static dcpn_status set_checkpoint(const struct scene *scene, dcpn_solver *solver)
{
    if (!scene->saved.file) return DCPN_OK;
    dcpn_status status = scene->saved.is_resumed ? dcpn_solver_resume(solver, scene->saved.file) : DCPN_OK;
    return status ? status : dcpn_solver_set_checkpoint(solver, scene->saved.file, scene->saved.stops_at ? 0.0 : 1e9);
}

static void digest(struct outcome *outcome, const void *bytes, size_t size)
{
    for (size_t k = 0; bytes && k < size; k++)
        outcome->digest = (outcome->digest ^ ((const unsigned char *)bytes)[k]) * UINT64_C(1099511628211);
}

static dcpn_status fit_problem(dcpn_context *context, const struct scene *scene, const dcpn_problem *problem,
                               struct outcome *outcome)
{
    dcpn_solver *solver = NULL;
    struct watcher watcher = watcher_of(context, scene);
    dcpn_status status = dcpn_solver_new(context, problem, &scene->settings, &solver);
    dcpn_solver_set_observer(solver, watch_steps, &watcher);
    if (status == DCPN_OK) status = set_checkpoint(scene, solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) {
        const dcpn_result *result = dcpn_solver_result(solver);
        memset(outcome, 0, sizeof *outcome);
        for (int64_t j = 0; j < FEATURES; j++)
            outcome->coefficients[j] = dcpn_solver_coefficients(solver)[j * (1 + scene->empty)];
        size_t scores = (size_t)dcpn_solver_scores(solver);
        outcome->intercept = dcpn_solver_intercept(solver);
        if (scores > 1) digest(outcome, dcpn_solver_coefficients(solver), scores * FEATURES * sizeof(double));
        if (scores > 1) digest(outcome, dcpn_solver_intercepts(solver), scores * sizeof(double));
        outcome->objective = result->objective;
        outcome->stationarity = result->stationarity;
        outcome->iterations = result->iterations;
        outcome->nonzeros = result->nonzeros;
    }
    dcpn_solver_free(solver);
    return status;
}

/* The order of the rows that were held out is that of the ranks. */
static void digest_validation(const struct scene *scene, const dcpn_cv *cv, struct outcome *outcome)
{
    size_t points = (size_t)cv->first[cv->paths->count], folds = (size_t)cv->folds;
    digest(outcome, cv->sizes, folds * sizeof *cv->sizes);
    digest(outcome, cv->weights, folds * sizeof *cv->weights);
    digest(outcome, cv->value, points * DCPN_MEASURES * folds * sizeof *cv->value);
    digest(outcome, cv->mean, points * DCPN_MEASURES * sizeof *cv->mean);
    digest(outcome, cv->se, points * DCPN_MEASURES * sizeof *cv->se);
    digest(outcome, cv->nonzeros, points * folds * sizeof *cv->nonzeros);
    for (int64_t p = 0; p < cv->paths->count; p++) {
        const dcpn_path *path = &cv->paths->paths[p];
        digest(outcome, path->index, (size_t)path->used * sizeof *path->index);
        digest(outcome, path->value_of, (size_t)path->used * sizeof *path->value_of);
    }
    assert_int_equal(cv->held_out->rows, ROWS);
    if (!scene->validation->fold_of)
        for (int rule = 0; rule < 3; rule++) digest(outcome, cv->held_out->score[rule], ROWS * sizeof(double));
    if (cv->stability)
        digest(outcome, cv->stability->frequency, (size_t)cv->stability->count * sizeof *cv->stability->frequency);
}

static dcpn_status validate_problem(dcpn_context *context, const struct scene *scene, const struct part *part,
                                    const dcpn_problem *problem, struct outcome *outcome)
{
    dcpn_cv_options options = *scene->validation;
    dcpn_cv *cv = NULL;
    struct watcher watcher = watcher_of(context, scene);
    options.path.observer = watch_fits;
    options.path.user = &watcher;
    options.path.checkpoint = scene->saved.file;
    options.path.checkpoint_every_s = scene->saved.stops_at ? 0.0 : 1e9;
    options.path.resume = scene->saved.is_resumed ? scene->saved.file : NULL;
    if (options.fold_of) options.fold_of = part->fold;
    dcpn_status status = dcpn_cv_run(context, problem, &scene->settings, &options, &cv);
    if (status != DCPN_OK) return status;
    memset(outcome, 0, sizeof *outcome);
    if (cv->ending.is_complete) {
        digest_validation(scene, cv, outcome);
        outcome->objective = cv->choice.chosen.mean;
        outcome->nonzeros = cv->paths->paths[cv->choice.chosen.path].points[cv->choice.chosen.point].fit.nonzeros;
    }
    dcpn_cv_free(cv);
    return DCPN_OK;
}

/* The problem borrows the groups, which belong to the caller. */
struct some_groups {
    int64_t start[FEATURES / 5 + FEATURES / 20 + 1], member[2 * FEATURES];
};

/* Five features each; in a tree twenty of them as well. */
static dcpn_status set_groups(const struct scene *scene, struct some_groups *groups, dcpn_problem *problem)
{
    enum { LEAVES = FEATURES / 5, BRANCHES = FEATURES / 20 };
    int is_tree = strcmp(scene->grouping, "tree") == 0;
    for (int64_t g = 0; g <= LEAVES; g++) groups->start[g] = 5 * g;
    for (int64_t g = 1; g <= BRANCHES; g++) groups->start[LEAVES + g] = FEATURES + 20 * g;
    for (int64_t j = 0; j < 2 * FEATURES; j++) groups->member[j] = j % FEATURES;
    return dcpn_problem_set_groups(problem, LEAVES + (is_tree ? BRANCHES : 0), groups->start, groups->member, NULL);
}

dcpn_status fit_part(dcpn_context *context, const struct scene *scene, const struct part *part, struct outcome *outcome)
{
    struct some_groups groups;
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_status status = make_matrix(context, scene, part, &A);
    if (status == DCPN_OK) status = dcpn_problem_new(context, A, part->y, &problem);
    if (status == DCPN_OK && scene->has_weights) status = dcpn_problem_set_weights(problem, part->weight);
    int has_offset = scene->has_weights && strcmp(scene->settings.loss, "multinomial") != 0;
    if (status == DCPN_OK && has_offset) status = dcpn_problem_set_offset(problem, part->offset);
    if (status == DCPN_OK && scene->grouping) status = set_groups(scene, &groups, problem);
    if (status == DCPN_OK)
        status = scene->validation ? validate_problem(context, scene, part, problem, outcome)
                                   : fit_problem(context, scene, problem, outcome);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return status;
}

dcpn_status fit_on_rank(dcpn_context *context, int rank, void *user)
{
    struct run *run = user;
    struct part *part = take_part(run->scene, rank);
    dcpn_status status = fit_part(context, run->scene, part, &run->outcomes[rank]);
    snprintf(run->sentences[rank], sizeof run->sentences[rank], "%s", dcpn_last_error(context));
    drop_part(part);
    return status;
}

void fit_alone(struct scene *scene, dcpn_settings settings, struct outcome *outcome)
{
    dcpn_context *context = dcpn_context_new(NULL);
    struct part *part = take_part(scene, -1);
    settings.sums = "exact";
    scene->settings = settings;
    scene->dealing = EVEN;
    dcpn_status status = fit_part(context, scene, part, outcome);
    if (status != DCPN_OK) print_error("%s\n", dcpn_last_error(context));
    assert_int_equal(status, DCPN_OK);
    drop_part(part);
    dcpn_context_free(context);
}
