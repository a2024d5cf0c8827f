/* SPDX-License-Identifier: BSD-3-Clause */
/* Where every entry is stored, directions are centred if there is an intercept; else they are not, and have entries in
 * the rows in which any feature of their group has one: F is the same, since centring moves the intercept alone, and R
 * is made of centred columns in either case. Rows without an entry of the group are alike, and count as one in sums of
 * squares. */
#include "problem/orthonormal_columns.h"

#include <math.h>
#include <stdlib.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "matrix/dense.h"
#include "problem/orthonormal_block.h"

/* The directions of a block of sparse columns: one after the other, on these rows. */
struct piece {
    int64_t count, *row;
    double *values;
};

struct making {
    dcpn_context *context;
    const dcpn_problem *given;
    const dcpn_matrix *A;
    struct orthonormal_columns *made;
    int is_full, is_centred;
    double *share;          /* of the rows */
    double *full;           /* full data: all directions, each where its feature stands; else NULL */
    struct piece *pieces;   /* sparse data: of the blocks */
    int64_t *number, *rows; /* the place of a row in a block, from 1; room for the rows of a column */
    double *values;         /* likewise */
    int64_t R_used, T_used;
};

/* The room that the columns of one block are copied to. */
struct gathered {
    struct orthonormal_block block;
    double *share, *means, *scale;
    int64_t *row, listed; /* of sparse columns; one more row stands for all others */
};

static int64_t size_of(const struct making *m, int64_t b)
{
    return m->made->blocks.start[b + 1] - m->made->blocks.start[b];
}

static const int64_t *features_of(const struct making *m, int64_t b)
{
    return m->made->blocks.member + m->made->blocks.start[b];
}

static void fill_shares(struct making *m)
{
    double total = 0.0;
    for (int64_t i = 0; i < m->A->rows; i++) total += m->share[i] = m->given->weights ? m->given->weights[i] : 1.0;
    for (int64_t i = 0; i < m->A->rows; i++) m->share[i] /= total;
}

/* ---- the columns of a block ---- */

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static int64_t entries_of(const struct making *m, int64_t b)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < size_of(m, b); k++) entries += m->A->ops->column_entries(m->A, features_of(m, b)[k]);
    return entries < m->A->rows ? entries : m->A->rows;
}

/* The rows in which any of them has an entry, ascending; number has their places. */
static void list_rows(struct making *m, int64_t b, struct gathered *g)
{
    g->listed = 0;
    for (int64_t k = 0; k < size_of(m, b); k++) {
        int64_t count = m->A->ops->column(m->A, features_of(m, b)[k], m->rows, m->values);
        for (int64_t e = 0; e < count; e++) {
            if (m->number[m->rows[e]] == 0) g->row[g->listed++] = m->rows[e];
            m->number[m->rows[e]] = 1;
        }
    }
    qsort(g->row, (size_t)g->listed, sizeof *g->row, compare);
    for (int64_t r = 0; r < g->listed; r++) m->number[g->row[r]] = r + 1;
}

static void gather_sparse(struct making *m, int64_t b, struct gathered *g)
{
    double rest = 1.0;
    list_rows(m, b, g);
    g->block.rows = g->listed + 1;
    for (int64_t r = 0; r < g->listed; r++) rest -= g->share[r] = m->share[g->row[r]];
    g->share[g->listed] = g->listed < m->A->rows ? fmax(rest, 0.0) : 0.0;
    dcpn_fill(g->block.rows * size_of(m, b), 0.0, g->block.columns);
    for (int64_t k = 0; k < size_of(m, b); k++) {
        double *column = g->block.columns + k * g->block.rows;
        int64_t count = m->A->ops->column(m->A, features_of(m, b)[k], m->rows, m->values);
        for (int64_t e = 0; e < count; e++) column[m->number[m->rows[e]] - 1] = m->values[e];
    }
    for (int64_t r = 0; r < g->listed; r++) m->number[g->row[r]] = 0;
}

static void gather_full(struct making *m, int64_t b, struct gathered *g)
{
    g->block.rows = m->A->rows;
    dcpn_copy(m->A->rows, m->share, g->share);
    dcpn_matrix_gather_columns(m->A, features_of(m, b), size_of(m, b), g->block.columns);
}

/* Takes the mean out of each column, twice: what rounding has left of it, too. */
static void centre(const struct making *m, int64_t b, struct gathered *g)
{
    int64_t rows = g->block.rows;
    for (int64_t k = 0; k < size_of(m, b); k++) {
        double *column = g->block.columns + k * rows;
        g->means[k] = 0.0;
        for (int turn = 0; turn < 2 && m->is_centred; turn++) {
            double mean = dcpn_dot(rows, g->share, column);
            for (int64_t i = 0; i < rows; i++) column[i] -= mean;
            g->means[k] += mean;
        }
    }
}

static dcpn_status allocate_gathered(struct making *m, int64_t b, struct gathered *g)
{
    size_t size = (size_t)size_of(m, b), rows = (size_t)(m->is_full ? m->A->rows : entries_of(m, b) + 1);
    g->share = dcpn_allocate(m->context, rows, sizeof *g->share);
    g->means = dcpn_allocate(m->context, size, sizeof *g->means);
    g->scale = dcpn_allocate(m->context, size, sizeof *g->scale);
    g->row = dcpn_allocate(m->context, rows, sizeof *g->row);
    g->block.order = dcpn_allocate(m->context, size, sizeof *g->block.order);
    g->block.columns = dcpn_allocate(m->context, rows * size, sizeof *g->block.columns);
    int is_short = !g->share || !g->means || !g->scale || !g->row || !g->block.order || !g->block.columns;
    return is_short ? DCPN_MEMORY : DCPN_OK;
}

static void free_gathered(dcpn_context *context, struct gathered *g)
{
    dcpn_free(context, g->share);
    dcpn_free(context, g->means);
    dcpn_free(context, g->scale);
    dcpn_free(context, g->row);
    dcpn_free(context, g->block.order);
    dcpn_free(context, g->block.columns);
}

/* ---- what comes of it ---- */

/* Keeps the directions of sparse columns on the rows that are listed, without centring: from each, what it is on the
 * rows that have no entry is subtracted. */
static dcpn_status keep_sparse(struct making *m, int64_t b, const struct gathered *g)
{
    struct piece *piece = &m->pieces[b];
    int64_t rows = g->block.rows;
    piece->count = g->listed;
    piece->row = dcpn_allocate(m->context, (size_t)g->listed, sizeof *piece->row);
    piece->values = dcpn_allocate(m->context, (size_t)(g->listed * g->block.rank), sizeof *piece->values);
    if (!piece->row || !piece->values) return DCPN_MEMORY;
    for (int64_t r = 0; r < g->listed; r++) piece->row[r] = g->row[r];
    for (int64_t i = 0; i < g->block.rank; i++) {
        const double *q = g->block.columns + i * rows;
        for (int64_t r = 0; r < g->listed; r++) piece->values[i * g->listed + r] = q[r] - q[g->listed];
    }
    return DCPN_OK;
}

static void keep_full(struct making *m, int64_t b, const struct gathered *g)
{
    for (int64_t i = 0; i < g->block.rank; i++)
        dcpn_copy(m->A->rows, g->block.columns + i * m->A->rows,
                  m->full + features_of(m, b)[g->block.order[i]] * m->A->rows);
}

static dcpn_status keep(struct making *m, int64_t b, const struct gathered *g)
{
    struct orthonormal_columns *o = m->made;
    int64_t from = o->blocks.start[b], size = size_of(m, b), rank = g->block.rank;
    o->rank[b] = rank;
    o->R_from[b] = m->R_used;
    o->T_from[b] = m->T_used;
    dcpn_orthonormal_inverse(&g->block, o->T + m->T_used);
    m->R_used += rank * size;
    m->T_used += rank * rank;
    for (int64_t p = 0; p < size; p++) {
        int64_t feature = features_of(m, b)[g->block.order[p]];
        o->order[from + p] = feature;
        o->block[feature] = b;
        o->position[feature] = p;
        o->place[feature] = p < rank ? 0 : -1;
        o->centre[feature] = m->is_full ? g->means[g->block.order[p]] : 0.0;
    }
    if (!m->is_full) return keep_sparse(m, b, g);
    keep_full(m, b, g);
    return DCPN_OK;
}

static dcpn_status make_block(struct making *m, int64_t b)
{
    struct gathered g = {.block = {.size = size_of(m, b)}};
    if (g.block.size > ORTHONORMAL_LARGEST)
        return dcpn_fail(
            m->context, DCPN_USAGE,
            "orthonormal: found a group of %lld features, expected at most %d; leave it out, or split the group",
            (long long)g.block.size, ORTHONORMAL_LARGEST);
    dcpn_status status = allocate_gathered(m, b, &g);
    if (status == DCPN_OK) {
        g.block.share = g.share;
        g.block.R = m->made->R + m->R_used;
        if (m->is_full)
            gather_full(m, b, &g);
        else
            gather_sparse(m, b, &g);
        centre(m, b, &g);
        dcpn_orthonormalize(&g.block, g.scale);
        status = keep(m, b, &g);
    }
    free_gathered(m->context, &g);
    return status;
}

static dcpn_status make_blocks(struct making *m)
{
    for (int64_t b = 0; b < m->made->blocks.count; b++) {
        DCPN_TRY(dcpn_refuse_interrupted(m->context, "preparing the data"));
        DCPN_TRY(make_block(m, b));
    }
    return DCPN_OK;
}

/* ---- the problem on the directions ---- */

static int64_t most_numbers(const struct making *m)
{
    int64_t numbers = 0;
    for (int64_t b = 0; b < m->made->blocks.count; b++) {
        int64_t size = size_of(m, b), rank = size < m->A->rows ? size : m->A->rows;
        numbers += size * rank;
    }
    return numbers;
}

static dcpn_status allocate_made(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    size_t features = (size_t)m->A->columns, blocks = (size_t)o->blocks.count, numbers = (size_t)most_numbers(m);
    size_t groups = (size_t)m->given->groups.count;
    o->column = dcpn_allocate(m->context, features, sizeof *o->column);
    o->order = dcpn_allocate(m->context, features, sizeof *o->order);
    o->rank = dcpn_allocate(m->context, 3 * blocks, sizeof *o->rank);
    o->R = dcpn_allocate(m->context, 2 * numbers, sizeof *o->R);
    o->block = dcpn_allocate(m->context, 3 * features, sizeof *o->block);
    o->centre = dcpn_allocate(m->context, features, sizeof *o->centre);
    o->group_start = dcpn_allocate(m->context, groups + 1, sizeof *o->group_start);
    o->group_member = dcpn_allocate(m->context, features, sizeof *o->group_member);
    if (m->given->factors) o->factors = dcpn_allocate(m->context, features, sizeof *o->factors);
    int is_short = !o->column || !o->order || !o->rank || !o->R || !o->block || !o->centre || !o->group_start;
    if (is_short || !o->group_member || (m->given->factors && !o->factors)) return DCPN_MEMORY;
    o->R_from = o->rank + blocks;
    o->T_from = o->R_from + blocks;
    o->T = o->R + numbers;
    o->position = o->block + features;
    o->place = o->position + features;
    return DCPN_OK;
}

static dcpn_status allocate_space(struct making *m)
{
    size_t rows = (size_t)m->A->rows, blocks = (size_t)m->made->blocks.count;
    m->share = dcpn_allocate(m->context, rows, sizeof *m->share);
    m->number = dcpn_allocate(m->context, rows, sizeof *m->number);
    m->rows = dcpn_allocate(m->context, rows, sizeof *m->rows);
    m->values = dcpn_allocate(m->context, rows, sizeof *m->values);
    if (m->is_full) m->full = dcpn_allocate(m->context, rows * (size_t)m->A->columns, sizeof *m->full);
    if (!m->is_full) m->pieces = dcpn_allocate(m->context, blocks, sizeof *m->pieces);
    if (!m->share || !m->number || !m->rows || !m->values || (!m->full && !m->pieces)) return DCPN_MEMORY;
    for (size_t i = 0; i < rows; i++) m->number[i] = 0;
    for (size_t b = 0; b < blocks && m->pieces; b++) m->pieces[b] = (struct piece){0};
    return DCPN_OK;
}

static void free_space(struct making *m)
{
    dcpn_free(m->context, m->share);
    dcpn_free(m->context, m->number);
    dcpn_free(m->context, m->rows);
    dcpn_free(m->context, m->values);
    dcpn_free(m->context, m->full);
    for (int64_t b = 0; b < m->made->blocks.count && m->pieces; b++) {
        dcpn_free(m->context, m->pieces[b].row);
        dcpn_free(m->context, m->pieces[b].values);
    }
    dcpn_free(m->context, m->pieces);
}

static void number_directions(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    for (int64_t j = 0; j < m->A->columns; j++) {
        if (o->place[j] < 0) continue;
        if (o->factors) o->factors[o->count] = m->given->factors[j];
        o->place[j] = o->count;
        o->column[o->count++] = j;
    }
}

/* The groups as given, of the directions of their features. */
static void group_directions(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    const dcpn_problem *given = m->given;
    int64_t end = 0;
    for (int64_t g = 0; g < given->groups.count; g++) {
        o->group_start[g] = end;
        for (int64_t k = given->groups.start[g]; k < given->groups.start[g + 1]; k++)
            if (o->place[given->groups.member[k]] >= 0) o->group_member[end++] = o->place[given->groups.member[k]];
    }
    o->group_start[given->groups.count] = end;
}

/* Makes the matrix of full directions. They move up into the room that features without a direction have left. */
static dcpn_status finish_full(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    double *values = m->full;
    m->full = NULL; /* the matrix takes them over */
    for (int64_t k = 0; k < o->count; k++)
        if (o->column[k] > k) dcpn_copy(m->A->rows, values + o->column[k] * m->A->rows, values + k * m->A->rows);
    return dcpn_matrix_take_dense(m->context, m->A->rows, o->count, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, &o->A);
}

static const struct piece *piece_of(const struct making *m, int64_t k)
{
    return &m->pieces[m->made->block[m->made->column[k]]];
}

static void fill_sparse(const struct making *m, int64_t *pointers, int64_t *indices, double *values)
{
    for (int64_t k = 0; k < m->made->count; k++) {
        const struct piece *piece = piece_of(m, k);
        int64_t i = m->made->position[m->made->column[k]], end = pointers[k];
        for (int64_t r = 0; r < piece->count; r++) {
            double value = piece->values[i * piece->count + r];
            if (value == 0.0) continue;
            indices[end] = piece->row[r];
            values[end++] = value;
        }
        pointers[k + 1] = end;
    }
}

static dcpn_status finish_sparse(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    int64_t most = 0;
    for (int64_t k = 0; k < o->count; k++) most += piece_of(m, k)->count;
    int64_t *pointers = dcpn_allocate(m->context, (size_t)o->count + 1, sizeof *pointers);
    int64_t *indices = dcpn_allocate(m->context, (size_t)most, sizeof *indices);
    double *values = dcpn_allocate(m->context, (size_t)most, sizeof *values);
    dcpn_status status = pointers && indices && values ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        pointers[0] = 0;
        fill_sparse(m, pointers, indices, values);
        const dcpn_compressed arrays = {.rows = m->A->rows,
                                        .columns = o->count,
                                        .pointers = pointers,
                                        .indices = indices,
                                        .index_type = DCPN_INT64,
                                        .values = values,
                                        .value_type = DCPN_FLOAT64};
        status = dcpn_matrix_csc(m->context, &arrays, DCPN_COPY, &o->A);
    }
    dcpn_free(m->context, pointers);
    dcpn_free(m->context, indices);
    dcpn_free(m->context, values);
    return status;
}

static dcpn_status make(struct making *m)
{
    struct orthonormal_columns *o = m->made;
    DCPN_TRY(allocate_made(m));
    DCPN_TRY(allocate_space(m));
    fill_shares(m);
    DCPN_TRY(make_blocks(m));
    number_directions(m);
    group_directions(m);
    if (o->count == 0)
        return dcpn_fail(m->context, DCPN_DATA, "orthonormal: found no column that varies; there is nothing to fit");
    DCPN_TRY(m->is_full ? finish_full(m) : finish_sparse(m));
    o->problem.A = o->A;
    o->problem.factors = o->factors;
    o->problem.groups.start = o->group_start;
    o->problem.groups.member = o->group_member;
    return DCPN_OK;
}

dcpn_status dcpn_orthonormal_columns_new(dcpn_context *context, const dcpn_problem *given,
                                         const dcpn_settings *settings, const struct composition *composition,
                                         struct orthonormal_columns *made)
{
    struct making m = {.context = context,
                       .given = given,
                       .A = given->A,
                       .made = made,
                       .is_full = dcpn_matrix_is_full(given->A),
                       .is_centred = settings->intercept};
    *made = (struct orthonormal_columns){.problem = *given};
    dcpn_status status = dcpn_grouped_columns_new(context, given, NULL, given->A->columns, composition, &made->blocks);
    if (status == DCPN_OK) status = make(&m);
    free_space(&m);
    if (status != DCPN_OK) dcpn_orthonormal_columns_free(context, made);
    return status;
}

void dcpn_orthonormal_columns_free(dcpn_context *context, struct orthonormal_columns *made)
{
    dcpn_matrix_free(made->A);
    dcpn_grouped_columns_free(context, &made->blocks);
    dcpn_free(context, made->column);
    dcpn_free(context, made->order);
    dcpn_free(context, made->rank);
    dcpn_free(context, made->R);
    dcpn_free(context, made->block);
    dcpn_free(context, made->centre);
    dcpn_free(context, made->group_start);
    dcpn_free(context, made->group_member);
    dcpn_free(context, made->factors);
    *made = (struct orthonormal_columns){0};
}

/* ---- coefficients there and back ---- */

double dcpn_orthonormal_columns_take(const struct orthonormal_columns *o, int64_t feature, double x, double intercept,
                                     double *b)
{
    int64_t g = o->block[feature], size = o->blocks.start[g + 1] - o->blocks.start[g];
    const int64_t *order = o->order + o->blocks.start[g];
    for (int64_t i = 0; i < o->rank[g]; i++)
        b[o->place[order[i]]] += o->R[o->R_from[g] + i * size + o->position[feature]] * x;
    return intercept + o->centre[feature] * x;
}

double dcpn_orthonormal_columns_give(const struct orthonormal_columns *o, int64_t k, const double *b, double *intercept)
{
    int64_t feature = o->column[k], g = o->block[feature], rank = o->rank[g];
    const int64_t *order = o->order + o->blocks.start[g];
    const double *T = o->T + o->T_from[g] + o->position[feature] * rank;
    double x = 0.0;
    for (int64_t i = o->position[feature]; i < rank; i++) x += T[i] * b[o->place[order[i]]];
    *intercept -= o->centre[feature] * x;
    return x;
}
