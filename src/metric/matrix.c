/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric that is a matrix G in memory: coordinate descent on few coordinates walks over it in G's own rows. */
#include "base/vector.h"
#include "metric/metric.h"

static const struct matrix_metric *matrix_of(const struct metric *metric)
{
    return (const struct matrix_metric *)metric;
}

static double diagonal(const struct metric *metric, int64_t j)
{
    return matrix_of(metric)->G[j * metric->size + j];
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    const struct matrix_metric *H = matrix_of(metric);
    dcpn_axpy(metric->size, delta, H->G + j * metric->size, H->Gd);
}

static void walk_start(struct metric *metric, const double *d)
{
    dcpn_fill(metric->size, 0.0, matrix_of(metric)->Gd);
    for (int64_t j = 0; j < metric->size; j++)
        if (d[j] != 0.0) walk_move(metric, j, d[j]);
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    (void)d;
    return matrix_of(metric)->Gd[j];
}

static double walk_form(const struct metric *metric, const double *d)
{
    return dcpn_dot(metric->size, d, matrix_of(metric)->Gd);
}

static void block(struct metric *metric, const int64_t *U, int64_t count, double *M)
{
    const double *G = matrix_of(metric)->G;
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++) M[a * count + b] = G[U[a] * metric->size + U[b]];
}

const struct metric_ops dcpn_metric_matrix = {
    .name = "matrix",
    .formula = "G",
    .state_size = sizeof(struct matrix_metric),
    .diagonal = diagonal,
    .walk.start = walk_start,
    .walk.product = walk_product,
    .walk.move = walk_move,
    .walk.form = walk_form,
    .gram.block = block,
};
