/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that a fold leaves out, and what its models say of them. */
#include "selection/held_out.h"

#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "loss/loss.h"
#include "loss/survival.h"
#include "path/path.h"
#include "settings/registry.h"

int64_t dcpn_held_columns(const dcpn_paths *paths)
{
    return paths->labels.are_ordered ? paths->labels.count : paths->scores;
}

/* ---- the rows of one fold ---- */

static double label_of(const dcpn_problem *problem, const dcpn_paths *paths, int64_t row)
{
    double label = problem->y[row];
    int64_t k = 0;
    if (!paths->labels.count || paths->labels.are_responses) return label;
    if (dcpn_held_columns(paths) == 1) return label == paths->labels.numbers[1] ? 1.0 : -1.0;
    while (k < paths->labels.count && paths->labels.numbers[k] != label) k++;
    return (double)k;
}

static double weight_of(const dcpn_problem *problem, int64_t row)
{
    return problem->weights ? problem->weights[row] : 1.0;
}

/* Makes the risk sets of these rows alone, if the labels are times to events. */
static dcpn_status take_survival(dcpn_context *context, const dcpn_problem *problem, const dcpn_paths *paths,
                                 const int64_t *rows, int64_t count, struct held_rows *held)
{
    const dcpn_loss_ops *loss = dcpn_find_loss(paths->settings.loss);
    if (problem->loss || !loss || loss->targets != DCPN_SURVIVAL) return DCPN_OK;
    if (problem->survival.strata) held->strata = dcpn_allocate(context, (size_t)count, sizeof *held->strata);
    double *start = dcpn_allocate(context, problem->survival.start ? (size_t)count : 0, sizeof *start);
    if (!start || (problem->survival.strata && !held->strata)) {
        dcpn_free(context, start);
        return DCPN_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        if (held->strata) held->strata[i] = problem->survival.strata[rows[i]];
        if (problem->survival.start) start[i] = problem->survival.start[rows[i]];
    }
    const struct survival_rows given = {count,        held->y,
                                        held->w,      problem->survival.start ? start : NULL,
                                        held->strata, strcmp(paths->settings.ties, "efron") == 0};
    dcpn_status status = dcpn_survival_new(context, &given, &held->survival);
    dcpn_free(context, start);
    return status;
}

static void take_response(const dcpn_problem *problem, int64_t k, const int64_t *rows, int64_t count,
                          struct held_rows *held)
{
    for (int64_t i = 0; i < count; i++) {
        held->y[k * count + i] = problem->responses.Y[k * problem->A->rows + rows[i]];
        held->w[k * count + i] = weight_of(problem, rows[i]);
    }
}

/* Takes the offsets of each score, which may be the same for several; 0: the problem has none. */
static void take_offsets(const dcpn_problem *problem, int64_t scores, struct held_rows *held)
{
    dcpn_fill(scores * held->count, 0.0, held->offset);
    for (int64_t k = 0; problem->offset && k < scores; k++) {
        const double *of_k = problem->offset + (problem->offset_columns > 1 ? k * problem->A->rows : 0);
        for (int64_t i = 0; i < held->count; i++) held->offset[k * held->count + i] = of_k[held->whole.rows[i]];
    }
}

dcpn_status dcpn_held_rows_take(dcpn_context *context, const dcpn_problem *problem, const dcpn_paths *paths,
                                const int64_t *rows, int64_t count, struct held_rows *held)
{
    const struct row_selection selection = {.rows = rows, .count = count};
    held->count = count;
    held->whole.A = problem->A;
    held->whole.rows = rows;
    if (!held->exact) DCPN_TRY(dcpn_matrix_copy_rows(context, problem->A, &selection, &held->A));
    held->whole.u = dcpn_allocate(context, held->exact ? (size_t)(paths->scores * problem->A->rows) : 0,
                                  sizeof *held->whole.u);
    int64_t responses = paths->labels.are_responses ? paths->scores : 1;
    held->y = dcpn_allocate(context, (size_t)(responses * count), sizeof *held->y);
    held->w = dcpn_allocate(context, (size_t)(responses * count), sizeof *held->w);
    held->offset = dcpn_allocate(context, (size_t)(paths->scores * count), sizeof *held->offset);
    held->scores = dcpn_allocate(context, (size_t)(count * dcpn_held_columns(paths)), sizeof *held->scores);
    held->sorted = dcpn_allocate(context, (size_t)count, sizeof *held->sorted);
    held->order = dcpn_allocate(context, (size_t)count, sizeof *held->order);
    held->x = dcpn_allocate(context, (size_t)(paths->features * paths->scores), sizeof *held->x);
    if (!held->whole.u || !held->y || !held->w || !held->offset || !held->scores || !held->sorted || !held->order ||
        !held->x)
        return DCPN_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        held->y[i] = label_of(problem, paths, rows[i]);
        held->w[i] = weight_of(problem, rows[i]);
    }
    take_offsets(problem, paths->scores, held);
    for (int64_t k = 0; k < responses && responses > 1; k++) take_response(problem, k, rows, count, held);
    return take_survival(context, problem, paths, rows, count, held);
}

/* Computes the scores column by column, so that a score does not depend on the rows beside it. A score that is not
 * finite shows in the measures, which are the same on all ranks. */
static void score_exactly(const struct held_rows *held, int64_t scores, const dcpn_path *path,
                          const dcpn_path_point *point)
{
    const dcpn_matrix *A = held->whole.A;
    const double *intercepts = dcpn_path_intercepts(path, point, scores);
    dcpn_fill(scores * A->rows, 0.0, held->whole.u);
    for (int64_t at = point->first; at < point->first + point->fit.nonzeros; at++) {
        int64_t j = path->index[at];
        A->ops->column_add(A, j % A->columns, path->value_of[at], held->whole.u + j / A->columns * A->rows);
    }
    for (int64_t k = 0; k < scores; k++)
        for (int64_t i = 0; i < held->count; i++)
            held->scores[k * held->count + i] =
                held->whole.u[k * A->rows + held->whole.rows[i]] + (intercepts[k] + held->offset[k * held->count + i]);
}

/* Replaces the scores of rows by the logarithms of the probabilities of their classes, which are what scores of many
 * classes would be. */
static void take_order(const struct held_rows *held, int64_t classes, const double *intercepts)
{
    for (int64_t i = 0; i < held->count; i++) {
        double score = held->scores[i] - intercepts[0];
        for (int64_t k = 0; k < classes; k++)
            held->scores[k * held->count + i] = dcpn_ordinal_log_share(classes, intercepts, score, k);
    }
}

dcpn_status dcpn_held_rows_score(dcpn_context *context, const struct held_rows *held, const dcpn_paths *like,
                                 const dcpn_path *path, const dcpn_path_point *point)
{
    int64_t rows = held->count, columns = held->whole.A->columns, scores = like->scores;
    const double *intercepts = dcpn_path_intercepts(path, point, dcpn_intercept_count(scores, &like->labels));
    if (held->exact) {
        score_exactly(held, scores, path, point);
        return DCPN_OK;
    }
    dcpn_path_expand(path, point, scores * columns, held->x);
    for (int64_t k = 0; k < scores; k++) {
        double *of_k = held->scores + k * rows;
        dcpn_matrix_apply(held->A, held->x + k * columns, of_k);
        for (int64_t i = 0; i < rows; i++) of_k[i] += intercepts[k] + held->offset[k * rows + i];
    }
    int is_finite = dcpn_all_finite(scores * rows, held->scores);
    if (is_finite && like->labels.are_ordered) take_order(held, like->labels.count, intercepts);
    if (is_finite) return DCPN_OK;
    return dcpn_fail(context, DCPN_DATA,
                     "at lambda %g a row that was held out has a score that is not finite, expected a number; are the "
                     "data scaled sensibly?",
                     point->lambda);
}

void dcpn_held_rows_free(dcpn_context *context, struct held_rows *held)
{
    dcpn_matrix_free(held->A);
    dcpn_survival_free(held->survival);
    dcpn_free(context, held->whole.u);
    dcpn_free(context, held->strata);
    dcpn_free(context, held->y);
    dcpn_free(context, held->w);
    dcpn_free(context, held->offset);
    dcpn_free(context, held->x);
    dcpn_free(context, held->scores);
    dcpn_free(context, held->sorted);
    dcpn_free(context, held->order);
}

/* ---- the rows of all folds, at the points that were chosen ---- */

/* The rows of this rank among those that there are of. */
struct scoring {
    dcpn_cv *cv;
    const dcpn_problem *problem;
    const int64_t *fold_of;
    const struct row_place *exact;
    int64_t first, count;
};

static dcpn_status allocate(const dcpn_cv *cv, int64_t rows, dcpn_held_out *out)
{
    size_t count = (size_t)rows;
    out->rows = rows;
    out->fold = dcpn_allocate(cv->context, count, sizeof *out->fold);
    out->label = dcpn_allocate(cv->context, count, sizeof *out->label);
    out->weight = dcpn_allocate(cv->context, count, sizeof *out->weight);
    for (int rule = 0; rule < 3; rule++) {
        out->score[rule] = dcpn_allocate(cv->context, count, sizeof *out->score[rule]);
        if (!out->score[rule]) return DCPN_MEMORY;
    }
    return out->fold && out->label && out->weight ? DCPN_OK : DCPN_MEMORY;
}

/* Sets the rows of other ranks to 0, since the ranks will sum these arrays. The rows of this rank get the score NaN
 * until they are scored. */
static void clear(const struct scoring *s, dcpn_held_out *out)
{
    size_t bytes = (size_t)out->rows * sizeof(double);
    memset(out->fold, 0, bytes);
    memset(out->label, 0, bytes);
    memset(out->weight, 0, bytes);
    for (int rule = 0; rule < 3; rule++) {
        memset(out->score[rule], 0, bytes);
        dcpn_fill(s->count, (double)NAN, out->score[rule] + s->first);
    }
}

static void exchange(const struct scoring *s, dcpn_held_out *out)
{
    void *const all[] = {out->fold, out->label, out->weight, out->score[0], out->score[1], out->score[2]};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) dcpn_ranks_sum(s->cv->context, all[k], out->rows);
}

static void describe_rows(const struct scoring *s, dcpn_held_out *out)
{
    for (int64_t i = 0; i < s->count; i++) {
        int64_t fold = s->fold_of[i], at = s->first + i;
        int is_in_a_fold = fold >= 0 && s->cv->outcome[fold] != DCPN_NOT_RUN; /* one that was done */
        out->fold[at] = is_in_a_fold ? fold : -1;
        out->label[at] = is_in_a_fold ? label_of(s->problem, s->cv->paths, i) : (double)NAN;
        out->weight[at] = weight_of(s->problem, i);
    }
}

/* Returns the class with the largest score of a row, the first one if several are equal. */
static int64_t largest_score(const struct held_rows *held, int64_t columns, int64_t row)
{
    int64_t rows = held->count, best = 0;
    for (int64_t k = 1; k < columns; k++)
        if (held->scores[k * rows + row] > held->scores[best * rows + row]) best = k;
    return best;
}

static dcpn_status score_fold(const struct scoring *s, int64_t fold, const dcpn_paths *paths, int64_t *rows)
{
    const dcpn_cv *cv = s->cv;
    const dcpn_cv_choice *const choices[3] = {&cv->choice.min, &cv->choice.sparse, &cv->choice.chosen};
    const dcpn_held_out *out = cv->held_out;
    struct held_rows held = {.exact = s->exact};
    int64_t count = 0, columns = dcpn_held_columns(cv->paths);
    for (int64_t i = 0; i < s->count; i++)
        if (out->fold[s->first + i] == fold) rows[count++] = i;
    dcpn_status status = dcpn_held_rows_take(cv->context, s->problem, cv->paths, rows, count, &held);
    for (int rule = 0; rule < 3 && status == DCPN_OK; rule++) {
        const dcpn_path *path = &paths->paths[choices[rule]->path];
        status = dcpn_held_rows_score(cv->context, &held, cv->paths, path, &path->points[choices[rule]->point]);
        for (int64_t i = 0; i < count && status == DCPN_OK; i++)
            out->score[rule][s->first + rows[i]] =
                columns > 1 ? (double)largest_score(&held, columns, i) : held.scores[i];
    }
    dcpn_held_rows_free(cv->context, &held);
    return status;
}

static dcpn_status score_folds(const struct scoring *s, const struct subset_fit *fits)
{
    dcpn_cv *cv = s->cv;
    clear(s, cv->held_out);
    describe_rows(s, cv->held_out);
    int64_t *space = dcpn_allocate(cv->context, (size_t)s->count, sizeof *space);
    dcpn_status status = space ? DCPN_OK : DCPN_MEMORY;
    for (int64_t f = 0; f < cv->folds / cv->draw.repeats && status == DCPN_OK; f++)
        if (cv->outcome[f] != DCPN_NOT_RUN) status = score_fold(s, f, fits[f].paths, space);
    dcpn_free(cv->context, space);
    return status;
}

dcpn_status dcpn_cv_score_held_out(dcpn_cv *cv, const dcpn_problem *problem, const int64_t *fold_of,
                                   const struct subset_fit *fits, const struct row_place *exact)
{
    const struct scoring s = {cv, problem, fold_of, exact, exact ? exact->first : 0, problem->A->rows};
    int64_t rows = exact ? exact->all : problem->A->rows;
    if ((exact && rows > CV_HELD_OUT_ROWS) || cv->paths->labels.are_responses) return DCPN_OK;
    cv->held_out = dcpn_allocate(cv->context, 1, sizeof *cv->held_out);
    if (!cv->held_out) return DCPN_MEMORY;
    *cv->held_out = (dcpn_held_out){0};
    DCPN_TRY(allocate(cv, rows, cv->held_out));
    DCPN_TRY(score_folds(&s, fits));
    exchange(&s, cv->held_out);
    return DCPN_OK;
}

void dcpn_held_out_free(dcpn_context *context, dcpn_held_out *out)
{
    if (!out) return;
    dcpn_free(context, out->fold);
    dcpn_free(context, out->label);
    dcpn_free(context, out->weight);
    dcpn_free(context, out->score[0]);
    dcpn_free(context, out->score[1]);
    dcpn_free(context, out->score[2]);
    dcpn_free(context, out);
}
