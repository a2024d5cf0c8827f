/* SPDX-License-Identifier: BSD-3-Clause */
/* What paths say of the data that they were fitted to: sizes, classes, groups, and the deviations of columns. */
#include "path/fitting.h"

#include <math.h>

#include "base/vector.h"
#include "matrix/copy_rows.h"

/* The standard deviations that the columns were divided by. */
dcpn_status dcpn_path_take_deviations(struct fitting *f)
{
    const struct plan *plan = f->plan;
    const int64_t *column = plan->nonempty.column;
    int64_t features = dcpn_plan_features(plan), columns = plan->repeated.column ? features : dcpn_plan_columns(plan);
    if (f->deviation || !plan->scaled.scale || !plan->settings.standardize) return DCPN_OK;
    f->deviation = dcpn_allocate(f->request->context, (size_t)features, sizeof *f->deviation);
    if (!f->deviation) return DCPN_MEMORY;
    dcpn_fill(features, 1.0, f->deviation);
    for (int64_t k = 0; k < columns; k++) f->deviation[column ? column[k] : k] = plan->scaled.scale[k];
    return DCPN_OK;
}

/* Lists the deviations of the features in use. */
dcpn_status dcpn_path_list_deviations(struct fitting *f)
{
    dcpn_paths *paths = f->paths;
    int64_t features = dcpn_problem_features(f->request->problem);
    double *used = f->walk.space;
    if (!f->deviation) return DCPN_OK;
    dcpn_fill(features, 0.0, used);
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].used; k++) used[paths->paths[v].index[k] % features] = 1.0;
    int64_t count = dcpn_count_nonzeros(features, used);
    paths->deviations.index = dcpn_allocate(f->request->context, (size_t)count, sizeof *paths->deviations.index);
    paths->deviations.value = dcpn_allocate(f->request->context, (size_t)count, sizeof *paths->deviations.value);
    if (!paths->deviations.index || !paths->deviations.value) return DCPN_MEMORY;
    for (int64_t j = 0; j < features; j++) {
        if (used[j] == 0.0) continue;
        paths->deviations.index[paths->deviations.count] = j;
        paths->deviations.value[paths->deviations.count++] = f->deviation[j];
    }
    return DCPN_OK;
}

static dcpn_status copy_classes(dcpn_paths *paths, const struct targets *targets)
{
    paths->scores = targets->scores;
    paths->labels.count = targets->class_count;
    paths->labels.are_responses = targets->are_responses;
    paths->labels.are_ordered = targets->ordered.count > 0;
    if (!targets->class_count) return DCPN_OK;
    paths->labels.numbers = dcpn_allocate(paths->context, (size_t)targets->class_count, sizeof *paths->labels.numbers);
    if (!paths->labels.numbers) return DCPN_MEMORY;
    dcpn_copy(targets->class_count, targets->classes, paths->labels.numbers);
    return DCPN_OK;
}

static dcpn_status copy_groups(dcpn_path_groups *groups, dcpn_context *context, const struct plan *plan)
{
    const struct grouped_columns *g = &plan->groups;
    if (!plan->given.groups.count || !g->count) return DCPN_OK;
    groups->size = dcpn_allocate(context, (size_t)g->count, sizeof *groups->size);
    groups->weight = dcpn_allocate(context, (size_t)g->count, sizeof *groups->weight);
    if (!groups->size || !groups->weight) return DCPN_MEMORY;
    groups->count = g->count;
    for (int64_t b = 0; b < g->count; b++) groups->size[b] = g->start[b + 1] - g->start[b];
    dcpn_copy(g->count, g->weight, groups->weight);
    return DCPN_OK;
}

/* Describes the data as the files of paths do. Any plan of the problem knows it, so that this is done once. */
dcpn_status dcpn_path_describe_data(struct fitting *f)
{
    dcpn_paths *paths = f->paths;
    const dcpn_problem *problem = f->request->problem;
    const struct targets *targets = &f->plan->targets;
    const dcpn_matrix *A = problem->A;
    if (paths->rows) return DCPN_OK;
    DCPN_TRY(copy_classes(paths, targets));
    DCPN_TRY(copy_groups(&paths->groups, paths->context, f->plan));
    paths->rows = A->rows;
    paths->has_offset = dcpn_problem_has_offset(problem);
    paths->own.loss = problem->loss != NULL;
    paths->own.penalty = problem->penalty || problem->h;
    paths->features = A->columns;
    paths->entries = A->entries;
    paths->is_dense = dcpn_matrix_is_full(A);
    paths->weight = dcpn_problem_weight(problem);
    int has_positive = paths->labels.count == 2 && paths->scores == 1 && !paths->labels.are_ordered;
    paths->positives = has_positive ? 0.0 : (double)NAN;
    for (int64_t i = 0; i < A->rows && has_positive; i++)
        if (problem->y[i] == paths->labels.numbers[1]) paths->positives += problem->weights ? problem->weights[i] : 1.0;
    if (f->plan->summed) {
        paths->rows = f->plan->summed->all_rows;
        paths->entries = f->plan->summed->base.entries;
        paths->is_dense = paths->entries == paths->rows * paths->features;
        paths->weight = dcpn_problem_exact_weight(problem);
        if (has_positive) paths->positives = dcpn_problem_exact_weight_of(problem, paths->labels.numbers[1]);
    }
    paths->null_deviance = dcpn_null_deviance(f->levels.all);
    return DCPN_OK;
}
