/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths on some of the rows, in a context of their own. */
#include "selection/resample.h"

#include "base/reduce.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "problem/targets.h"

static double weight_of(const dcpn_problem *problem, int64_t i)
{
    return problem->weights ? problem->weights[i] : 1.0;
}

static dcpn_status copy_columns(const dcpn_problem *from, const int64_t *rows, int64_t count, struct subset_fit *fit)
{
    double all[2] = {0.0, 0.0}, some[2] = {0.0, 0.0}; /* of the rows without a label and with one */
    fit->y = dcpn_allocate(fit->context, (size_t)count, sizeof *fit->y);
    fit->Y = dcpn_allocate(fit->context, (size_t)(from->responses.count * count), sizeof *fit->Y);
    fit->w = dcpn_allocate(fit->context, (size_t)count, sizeof *fit->w);
    fit->offset = dcpn_allocate(fit->context, (size_t)(from->offset_columns * count), sizeof *fit->offset);
    fit->start = dcpn_allocate(fit->context, from->survival.start ? (size_t)count : 0, sizeof *fit->start);
    fit->strata = dcpn_allocate(fit->context, from->survival.strata ? (size_t)count : 0, sizeof *fit->strata);
    if (!fit->y || !fit->Y || !fit->w || !fit->offset || !fit->start || !fit->strata) return DCPN_MEMORY;
    for (int64_t i = 0; i < from->A->rows; i++) all[dcpn_has_label(from, i)] += weight_of(from, i);
    for (int64_t i = 0; i < count; i++) some[dcpn_has_label(from, rows[i])] += weight_of(from, rows[i]);
    if (!(some[1] > 0.0)) return dcpn_fail(fit->context, DCPN_DATA, "all its rows have the weight 0");
    for (int64_t i = 0; i < count; i++) {
        int kind = dcpn_has_label(from, rows[i]);
        fit->y[i] = from->y[rows[i]];
        fit->w[i] = some[kind] > 0.0 ? weight_of(from, rows[i]) * (all[kind] / some[kind]) : 0.0;
        if (from->survival.start) fit->start[i] = from->survival.start[rows[i]];
        if (from->survival.strata) fit->strata[i] = from->survival.strata[rows[i]];
    }
    for (int64_t k = 0; k < from->offset_columns; k++)
        for (int64_t i = 0; i < count; i++)
            fit->offset[k * count + i] = from->offset[k * from->A->rows + rows[i]];
    for (int64_t k = 0; k < from->responses.count; k++)
        for (int64_t i = 0; i < count; i++)
            fit->Y[k * count + i] = from->responses.Y[k * from->A->rows + rows[i]];
    return DCPN_OK;
}

/* Sets the weights of all rows; rows that are left out have the weight 0. */
static dcpn_status weigh_exactly(const dcpn_problem *from, const int64_t *rows, int64_t count, struct subset_fit *fit)
{
    int64_t all = from->A->rows;
    double *w = fit->w = dcpn_allocate(fit->context, (size_t)all, sizeof *w);
    if (!w) return DCPN_MEMORY;
    dcpn_fill(all, 0.0, w);
    for (int64_t k = 0; k < count; k++) w[rows[k]] = weight_of(from, rows[k]);
    double some = dcpn_ranks_sum_of(fit->context, all, w);
    if (!(some > 0.0)) return dcpn_fail(fit->context, DCPN_DATA, "all its rows have the weight 0");
    double scale = dcpn_problem_exact_weight(from) / some;
    for (int64_t k = 0; k < count; k++) w[rows[k]] *= scale;
    return DCPN_OK;
}

static dcpn_status take_exactly(const dcpn_problem *from, const int64_t *rows, int64_t count, struct subset_fit *fit)
{
    DCPN_TRY(weigh_exactly(from, rows, count, fit));
    fit->problem = *from;
    fit->problem.context = fit->context;
    fit->problem.weights = fit->w;
    return DCPN_OK;
}

static dcpn_status take_copies(const struct subset_source *source, const struct subset_rows *rows,
                               struct subset_fit *fit)
{
    const dcpn_problem *from = source->problem;
    struct row_selection selection = {.rows = rows->rows, .count = rows->count};
    DCPN_TRY(copy_columns(from, rows->rows, rows->count, fit));
    DCPN_TRY(dcpn_matrix_copy_rows(fit->context, from->A, &selection, &fit->A));
    fit->problem = *from;
    fit->problem.context = fit->context;
    fit->problem.A = fit->A;
    fit->problem.y = fit->y;
    fit->problem.responses.Y = fit->Y;
    fit->problem.weights = fit->w;
    fit->problem.offset = from->offset ? fit->offset : NULL;
    fit->problem.survival.start = from->survival.start ? fit->start : NULL;
    fit->problem.survival.strata = from->survival.strata ? fit->strata : NULL;
    return DCPN_OK;
}

static dcpn_status fit_rows(const struct subset_source *source, const struct subset_rows *rows, dcpn_end_path *end_path,
                            void *user, struct subset_fit *fit)
{
    const struct like_request request = {.like = source->like,
                                         .options = &source->options,
                                         .fold = rows->fold,
                                         .started_at = source->started_at,
                                         .stream = {.journal = source->journal, .id = rows->stream},
                                         .end_path = end_path,
                                         .user = user};
    if (source->exact)
        DCPN_TRY(take_exactly(source->problem, rows->rows, rows->count, fit));
    else
        DCPN_TRY(take_copies(source, rows, fit));
    const dcpn_classes *labels = &source->like->labels;
    int has_many = labels->are_ordered || (source->like->scores > 1 && !labels->are_responses);
    if (has_many) /* a class that is rare may have no row here */
        fit->problem.classes = (struct given_classes){labels->numbers, labels->count};
    return dcpn_paths_fit_like(fit->context, &fit->problem, &request, &fit->paths);
}

static int64_t count_points(const dcpn_paths *paths)
{
    int64_t count = 0;
    for (int64_t p = 0; p < paths->count; p++) count += paths->paths[p].count;
    return count;
}

void dcpn_subset_fit_new(const struct subset_source *source, struct subset_fit *fit)
{
    *fit = (struct subset_fit){.context = dcpn_context_new_for(source->context)};
    fit->status = fit->context ? DCPN_OK : DCPN_MEMORY;
}

void dcpn_subset_fit(const struct subset_source *source, const struct subset_rows *rows, dcpn_end_path *end_path,
                     void *user, struct subset_fit *fit)
{
    fit->status = dcpn_ranks_end(fit->context, fit_rows(source, rows, end_path, user, fit));
    source->count_done(source->options.user, count_points(source->like));
}

void dcpn_subset_fit_drop_rows(struct subset_fit *fit)
{
    if (!fit->context) return;
    dcpn_matrix_free(fit->A);
    dcpn_free(fit->context, fit->y);
    dcpn_free(fit->context, fit->Y);
    dcpn_free(fit->context, fit->w);
    dcpn_free(fit->context, fit->offset);
    dcpn_free(fit->context, fit->start);
    dcpn_free(fit->context, fit->strata);
    fit->A = NULL;
    fit->y = fit->Y = fit->w = fit->offset = fit->start = fit->strata = NULL;
}

void dcpn_subset_fit_empty(struct subset_fit *fit)
{
    dcpn_subset_fit_drop_rows(fit);
    dcpn_paths_free(fit->paths);
    fit->paths = NULL;
}

void dcpn_subset_fit_free(struct subset_fit *fit)
{
    dcpn_subset_fit_empty(fit);
    dcpn_context_free(fit->context);
    fit->context = NULL;
}
