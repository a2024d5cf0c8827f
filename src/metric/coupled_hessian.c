/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hessian A'H_u A + ridge I + diag(mu) of a loss that is no sum over rows: H_u is no diagonal, but a product with
 * it takes the time of a few sums over the rows. A walk keeps E = A d and finds q = H_u E anew when E has moved; on few
 * coordinates in use H is better formed, from one such product for each. mu_j is that of small_shift.h. */
#include <math.h>

#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "metric/small_shift.h"

struct coupled_hessian {
    struct metric metric;
    double *u, *E, *q, *column; /* of the rows */
    int is_stale;               /* q is that of another E */
    double *diagonal;           /* of A'H_u A; -1: not yet asked for at this x */
    struct small_shift small;   /* mu */
    double squares, trace;
};

static struct coupled_hessian *hessian_of(struct metric *metric)
{
    return (struct coupled_hessian *)metric;
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct coupled_hessian *H = hessian_of(metric);
    int64_t rows = metric->objective->rows;
    double **const of_rows[] = {&H->u, &H->E, &H->q, &H->column};
    for (size_t k = 0; k < 4; k++) *of_rows[k] = dcpn_arena_doubles(arena, rows);
    H->diagonal = dcpn_arena_doubles(arena, metric->size);
    H->small.mu = dcpn_arena_doubles(arena, metric->size);
}

static double shift(const struct coupled_hessian *H, int64_t j)
{
    return dcpn_shift_of_column(&H->small, H->metric.objective, j);
}

static void prepare(struct metric *metric)
{
    struct coupled_hessian *H = hessian_of(metric);
    dcpn_squares_of_columns(metric, H->small.mu);
    H->squares = 0.0;
    for (int64_t j = 0; j < metric->size; j++) H->squares += H->small.mu[j];
    dcpn_small_shift_find(&H->small, metric->size);
}

/* The trace is at most that of the diagonal above H_u. */
static void update(struct metric *metric, const struct point *point, double t)
{
    struct coupled_hessian *H = hessian_of(metric);
    const struct loss *loss = &metric->objective->loss;
    double largest = 0.0;
    (void)t;
    dcpn_copy(metric->objective->rows, point->u, H->u);
    dcpn_loss_curvature1(loss, H->u, H->q);
    for (int64_t i = 0; i < metric->objective->rows; i++)
        if (loss->rows.w[i] > 0.0) largest = fmax(largest, H->q[i] / loss->rows.w[i]);
    H->trace = largest * H->squares;
    H->is_stale = 1;
    metric->is_cut = 0;
    dcpn_fill(metric->size, -1.0, H->diagonal);
}

static void walk_start(struct metric *metric, const double *d)
{
    struct coupled_hessian *H = hessian_of(metric);
    dcpn_design_apply(&metric->objective->design, d, H->E);
    H->is_stale = 1;
}

static int is_cut(struct metric *metric)
{
    return metric->is_cut = metric->is_cut || dcpn_is_interrupted(metric->objective->design.A->context);
}

/* Once the work is interrupted the last product has to do: the descent ends, at the lowest point that it has met. */
static const double *product(struct coupled_hessian *H)
{
    if (!H->is_stale || is_cut(&H->metric)) return H->q;
    dcpn_loss_product1(&H->metric.objective->loss, H->u, H->E, H->q);
    H->is_stale = 0;
    return H->q;
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    struct coupled_hessian *H = hessian_of(metric);
    walk_start(metric, d);
    dcpn_design_adjoint(&metric->objective->design, product(H), Hd);
    for (int64_t j = 0; j < metric->size; j++) Hd[j] += shift(H, j) * d[j];
}

/* H_u a_j, in q, whose E is then another. */
static void product_of_column(struct coupled_hessian *H, int64_t j)
{
    const struct objective *F = H->metric.objective;
    dcpn_fill(F->rows, 0.0, H->column);
    dcpn_design_column_add(&H->metric.objective->design, j, 1.0, H->column);
    dcpn_loss_product1(&F->loss, H->u, H->column, H->q);
    H->is_stale = 1;
}

static double diagonal(const struct metric *metric, int64_t j)
{
    struct coupled_hessian *H = hessian_of((struct metric *)(uintptr_t)metric);
    if (H->diagonal[j] < 0.0) {
        product_of_column(H, j);
        H->diagonal[j] = fmax(0.0, dcpn_design_column_dot(&H->metric.objective->design, j, H->q));
    }
    return H->diagonal[j] + shift(H, j);
}

static double lower_bound(const struct metric *metric)
{
    return ((const struct coupled_hessian *)metric)->small.least;
}

static double upper_bound(const struct metric *metric)
{
    const struct coupled_hessian *H = (const struct coupled_hessian *)metric;
    return H->trace + metric->objective->ridge + H->small.largest;
}

static void walk_soon(const struct metric *metric, int64_t j)
{
    dcpn_design_column_soon(&metric->objective->design, j);
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    struct coupled_hessian *H = hessian_of(metric);
    return dcpn_design_column_dot(&metric->objective->design, j, product(H)) + shift(H, j) * d[j];
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    struct coupled_hessian *H = hessian_of(metric);
    dcpn_design_column_add(&metric->objective->design, j, delta, H->E);
    H->is_stale = 1;
}

static int walk_image(const struct metric *metric, double *Ad)
{
    const struct coupled_hessian *H = (const struct coupled_hessian *)metric;
    dcpn_copy(metric->objective->rows, H->E, Ad);
    return 1;
}

static double walk_form(const struct metric *metric, const double *d)
{
    struct coupled_hessian *H = hessian_of((struct metric *)(uintptr_t)metric);
    double sum = fmax(0.0, dcpn_dot(metric->objective->rows, H->E, product(H)));
    for (int64_t j = 0; j < metric->size; j++) sum += shift(H, j) * (d[j] * d[j]);
    return sum;
}

/* A product with H_u counts as so many readings of a row. */
enum { READINGS_OF_A_PRODUCT = 10 };

static double gram_sweeps(const struct metric *metric, const int64_t *U, int64_t count)
{
    const dcpn_matrix *A = metric->objective->design.A;
    double in_use = 0.0, products = (double)count * (double)metric->objective->rows * READINGS_OF_A_PRODUCT;
    for (int64_t i = 0; i < count; i++) in_use += (double)A->ops->column_entries(A, U[i]);
    return (products + 0.5 * (double)(count + 1) * in_use) / (products + 2.0 * in_use);
}

static void gram(struct metric *metric, const int64_t *U, int64_t count, double *G)
{
    struct coupled_hessian *H = hessian_of(metric);
    int64_t made = 0;
    for (; made < count && !is_cut(metric); made++) {
        product_of_column(H, U[made]);
        for (int64_t b = 0; b <= made; b++)
            G[made * count + b] = G[b * count + made] = dcpn_design_column_dot(&metric->objective->design, U[b], H->q);
    }
    for (int64_t a = made; a < count; a++) /* the run ends: any convex model will do for what is left of it */
        for (int64_t b = 0; b <= a; b++) G[a * count + b] = G[b * count + a] = a == b ? H->trace : 0.0;
    for (int64_t a = 0; a < count; a++) G[a * count + a] = fmax(0.0, G[a * count + a]) + shift(H, U[a]);
}

const struct metric_ops dcpn_metric_coupled_hessian = {
    .name = "hessian",
    .formula = "A'H_u A + ridge I + diag(mu), H_u the Hessian of phi1 at u",
    .state_size = sizeof(struct coupled_hessian),
    .share = 0.1, /* a product costs more than a sweep */
    .clips = 1,
    .walk.exists = dcpn_metric_always_walks,
    .layout = layout,
    .uses_squares = 1,
    .prepare = prepare,
    .update = update,
    .apply = apply,
    .diagonal = diagonal,
    .lower_bound = lower_bound,
    .upper_bound = upper_bound,
    .walk.start = walk_start,
    .walk.soon = walk_soon,
    .walk.product = walk_product,
    .walk.move = walk_move,
    .walk.form = walk_form,
    .walk.image = walk_image,
    .gram.sweeps = gram_sweeps,
    .gram.form = gram,
    .gram.block = gram,
};
