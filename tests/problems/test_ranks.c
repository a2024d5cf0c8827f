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
    const dcpn_cv_options *validation; /* NULL: a fit */
};

struct outcome {
    uint64_t digest; /* of all numbers of a cross-validation */
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
    int64_t *pointers, fold[ROWS]; /* by the number of the row in the whole */
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
        part->fold[part->rows] = i % 3;
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

static dcpn_status fit_problem(dcpn_context *context, const struct scene *scene, const dcpn_problem *problem,
                               struct outcome *outcome)
{
    dcpn_solver *solver = NULL;
    dcpn_status status = dcpn_solver_new(context, problem, &scene->settings, &solver);
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
    return status;
}

static void digest(struct outcome *outcome, const void *bytes, size_t size)
{
    for (size_t k = 0; bytes && k < size; k++)
        outcome->digest = (outcome->digest ^ ((const unsigned char *)bytes)[k]) * UINT64_C(1099511628211);
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
    if (options.fold_of) options.fold_of = part->fold;
    dcpn_status status = dcpn_cv_run(context, problem, &scene->settings, &options, &cv);
    if (status != DCPN_OK) return status;
    memset(outcome, 0, sizeof *outcome);
    digest_validation(scene, cv, outcome);
    outcome->objective = cv->chosen.mean;
    outcome->nonzeros = cv->paths->paths[cv->chosen.path].points[cv->chosen.point].fit.nonzeros;
    dcpn_cv_free(cv);
    return DCPN_OK;
}

static dcpn_status fit_part(dcpn_context *context, const struct scene *scene, const struct part *part,
                            struct outcome *outcome)
{
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_status status = make_matrix(context, scene, part, &A);
    if (status == DCPN_OK) status = dcpn_problem_new(context, A, part->y, &problem);
    if (status == DCPN_OK && scene->has_weights) status = dcpn_problem_set_weights(problem, part->weight);
    if (status == DCPN_OK && scene->has_weights) status = dcpn_problem_set_offset(problem, part->offset);
    int64_t start[FEATURES / 5 + 1], member[FEATURES];
    for (int64_t g = 0; g <= FEATURES / 5; g++) start[g] = 5 * g;
    for (int64_t j = 0; j < FEATURES; j++) member[j] = j;
    if (status == DCPN_OK && scene->grouping) status = dcpn_problem_set_groups(problem, FEATURES / 5, start, member, NULL);
    if (status == DCPN_OK)
        status = scene->validation ? validate_problem(context, scene, part, problem, outcome)
                                   : fit_problem(context, scene, problem, outcome);
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
    scene->dealing = EVEN;
    dcpn_status status = fit_part(context, scene, part, outcome);
    if (status != DCPN_OK) print_error("%s\n", dcpn_last_error(context));
    assert_int_equal(status, DCPN_OK);
    drop_part(part);
    dcpn_context_free(context);
}

static void check_ranks(struct scene *scene, const dcpn_settings *settings, int dealings)
{
    static const int sizes[] = {1, 2, 3, 4, 7};
    struct outcome alone;
    fit_alone(scene, *settings, &alone);
    assert_true(alone.nonzeros > 0 && alone.nonzeros < FEATURES);
    scene->settings = *settings;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int dealing = EVEN; dealing < (scene->is_sparse ? dealings : DEALT); dealing++) {
            if (scene->validation && sizes[s] != 3 && sizes[s] != 7) continue; /* they take long */
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
            check_ranks(scene, &settings, DEALINGS);
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
        check_ranks(scene, &settings, DEALINGS);
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
    draw(scene, options.measure != NULL);
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

static void exact_validations_find_what_plain_ones_do(void **state)
{
    struct scene *scene = *state;
    int64_t given;
    const dcpn_cv_options options = {.folds = 3, .fold_of = &given, .rule = "min", .path = {.lambda_count = 8, .min_ratio = 0.01}};
    for (int classes = 0; classes < 2; classes++) {
        draw(scene, classes);
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

/* Every stride-th call of each rank until a run has fewer: no rank hangs, and all say why. */
static void fail_calls(struct scene *scene, int64_t stride)
{
    for (int rank = 0; rank < 3; rank++) {
        int64_t call = 1 + rank * (stride - 1) / 3, most = 20000;
        for (; call < most; call += stride) {
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

static void a_call_that_fails_is_a_status_everywhere(void **state)
{
    struct scene *scene = *state;
    dcpn_settings settings = dcpn_settings_default();
    const dcpn_cv_options options = {.folds = 2, .path.lambda_count = 3, .subsamples = 2};
    settings.penalty = "mcp";
    settings.lambda = 60.0;
    settings.intercept = settings.standardize = 1;
    *scene = (struct scene){0};
    draw(scene, 1);
    scene->is_sparse = 1;
    scene->size = 3;
    scene->settings = settings;
    fail_calls(scene, 1);
    scene->validation = &options;
    fail_calls(scene, 61);
    scene->validation = NULL;
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
        cmocka_unit_test(validations_have_the_same_bytes),
        cmocka_unit_test(exact_sums_find_what_plain_ones_do),
        cmocka_unit_test(exact_validations_find_what_plain_ones_do),
        cmocka_unit_test(a_call_that_fails_is_a_status_everywhere),
    };
    return cmocka_run_group_tests(tests, make_scene, drop_scene);
}
