/* SPDX-License-Identifier: BSD-3-Clause */
/* What is missing in a row, from what is there: with M the missing ones of a row and O the others
 *     E[x_M | x_O] = m_M - K_MM^-1 K_MO (x_O - m_O),
 * one system of as many equations as numbers are missing. */
#include <math.h>

#include "base/cholesky.h"
#include "base/interrupt.h"
#include "base/vector.h"
#include "structured/graphs.h"

struct filling {
    const dcpn_graphs *graphs;
    const struct graph_point *point;
    double *K;        /* variables x variables, of the standardised variables */
    double *square;   /* K_MM */
    double *right;    /* -K_MO (x_O - m_O), then its solution */
    double *known;    /* x_O - m_O, 0 elsewhere */
    int64_t *missing; /* M */
};

static void spread(const struct filling *f)
{
    int64_t p = f->graphs->variables;
    dcpn_fill(p * p, 0.0, f->K);
    for (int64_t i = 0; i < p; i++) f->K[i * p + i] = f->point->diagonal[i];
    for (int64_t e = 0; e < f->point->edges; e++)
        f->K[f->point->first[e] * p + f->point->second[e]] = f->K[f->point->second[e] * p + f->point->first[e]] =
            f->point->value[e];
}

static int64_t take_row(const struct filling *f, const double *row)
{
    const dcpn_graphs *g = f->graphs;
    int64_t count = 0;
    for (int64_t j = 0; j < g->variables; j++) {
        f->known[j] = isnan(row[j]) ? 0.0 : (row[j] - g->mean[j]) / g->scale[j];
        if (isnan(row[j])) f->missing[count++] = j;
    }
    return count;
}

static dcpn_status fill_row(const struct filling *f, double *row)
{
    const dcpn_graphs *g = f->graphs;
    int64_t p = g->variables, count = take_row(f, row);
    for (int64_t a = 0; a < count; a++) {
        const double *K = f->K + f->missing[a] * p;
        f->right[a] = -dcpn_dot(p, K, f->known);
        for (int64_t b = 0; b <= a; b++) f->square[a * count + b] = K[f->missing[b]];
    }
    if (!dcpn_cholesky(count, count, 0.0, f->square))
        return dcpn_fail(g->context, DCPN_MODEL, "the precision matrix is not positive definite");
    dcpn_cholesky_solve(count, count, f->square, f->right);
    for (int64_t a = 0; a < count; a++) {
        int64_t j = f->missing[a];
        row[j] = g->mean[j] + g->scale[j] * f->right[a];
        if (!isfinite(row[j]))
            return dcpn_fail(g->context, DCPN_DATA, "the graph expects a value beyond all numbers of variable %lld",
                             dcpn_counted_from_1(j));
    }
    return DCPN_OK;
}

static dcpn_status fill_rows(const struct filling *f, int64_t rows, double *values)
{
    spread(f);
    for (int64_t i = 0; i < rows; i++) {
        DCPN_TRY(dcpn_refuse_interrupted(f->graphs->context, "filling in what is missing"));
        DCPN_TRY(fill_row(f, values + i * f->graphs->variables));
    }
    return DCPN_OK;
}

dcpn_status dcpn_graphs_fill(const dcpn_graphs *graphs, int64_t point, int64_t rows, double *values)
{
    DCPN_NEED(NULL, graphs);
    DCPN_NEED(graphs->context, values);
    dcpn_context *context = graphs->context;
    size_t p = (size_t)graphs->variables;
    DCPN_TRY(dcpn_need_size(context, "rows", rows));
    if (point < 0 || point >= graphs->count)
        return dcpn_fail(context, DCPN_USAGE, "graphs: found point %lld, expected one of %lld, from 0",
                         (long long)point, (long long)graphs->count);
    struct filling f = {.graphs = graphs, .point = &graphs->points[point]};
    f.K = dcpn_allocate(context, p * p, sizeof *f.K);
    f.square = dcpn_allocate(context, p * p, sizeof *f.square);
    f.right = dcpn_allocate(context, p, sizeof *f.right);
    f.known = dcpn_allocate(context, p, sizeof *f.known);
    f.missing = dcpn_allocate(context, p, sizeof *f.missing);
    dcpn_status status = f.K && f.square && f.right && f.known && f.missing ? fill_rows(&f, rows, values) : DCPN_MEMORY;
    dcpn_free(context, f.K);
    dcpn_free(context, f.square);
    dcpn_free(context, f.right);
    dcpn_free(context, f.known);
    dcpn_free(context, f.missing);
    return status;
}
