/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hessian of f1 as hessian.c has it, A'W_k A + ridge I + diag(mu), or that of a loss of several scores a row, as
 * shared_hessian.c has it, as a matrix in memory.
 *
 * For matrices of which each rank has some rows: the sums over rows are one message, and what walks over the matrix
 * then sends none. It is made for the few columns of a working set, whose number is limited. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/summed.h"
#include "metric/row_curvature.h"

struct gram_hessian {
    struct metric metric;
    double *w, *space_of_rows;
    double *G, *Gd; /* H, size x size; and H d of a walk */
    double *mu, least_mu, largest_mu, trace, sum_of_squares;
    int64_t *all; /* 0, 1, 2, ... */
    struct gram_space space;
};

static struct gram_hessian *hessian_of(struct metric *metric)
{
    return (struct gram_hessian *)metric;
}

static const double *row_of(const struct metric *metric, int64_t j)
{
    return ((const struct gram_hessian *)metric)->G + j * metric->size;
}

static const char *refusal(const struct loss *loss, const struct metric_settings *settings)
{
    return dcpn_metric_hessian.refusal(loss, settings);
}

static int can_walk(const struct loss *loss)
{
    return !loss->own;
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct gram_hessian *H = hessian_of(metric);
    const struct objective *F = metric->objective;
    int64_t most = dcpn_summed_most_in_use(F->design.A, metric->size);
    H->w = dcpn_arena_doubles(arena, F->rows);
    H->space_of_rows = dcpn_arena_doubles(arena, F->rows);
    H->mu = dcpn_arena_doubles(arena, metric->size);
    H->Gd = dcpn_arena_doubles(arena, metric->size);
    H->G = dcpn_arena_scratch(arena, most * most);
    H->all = dcpn_arena_integers(arena, most);
    dcpn_gram_layout(F->design.A, most, &H->space, arena);
}

static double shift(const struct gram_hessian *H, int64_t j)
{
    return H->mu[j] + (j < H->metric.objective->features ? H->metric.objective->ridge : 0.0);
}

static void prepare(struct metric *metric)
{
    struct gram_hessian *H = hessian_of(metric);
    struct objective *F = metric->objective;
    double sup = dcpn_loss_curvature1_sup(&F->loss), scale = sup > 0.0 ? sup : 1.0;
    if (metric->curvatures)
        dcpn_copy(metric->size, metric->curvatures, H->mu);
    else
        dcpn_design_curvatures(&F->design, F->loss.rows.w, H->mu);
    H->sum_of_squares = 0.0;
    H->least_mu = HUGE_VAL;
    H->largest_mu = 0.0;
    for (int64_t j = 0; j < metric->size; j++) {
        double bound = scale * H->mu[j];
        H->sum_of_squares += H->mu[j];
        H->mu[j] = fmax(HESSIAN_MU * (bound > 0.0 ? bound : 1.0), 1e-300); /* an empty column has no scale */
        H->least_mu = fmin(H->least_mu, H->mu[j]);
        H->largest_mu = fmax(H->largest_mu, H->mu[j]);
    }
}

static void update(struct metric *metric, const struct point *point, double t)
{
    struct gram_hessian *H = hessian_of(metric);
    struct design *design = &metric->objective->design;
    int64_t size = metric->size;
    (void)t;
    double largest = 1.0;
    if (dcpn_loss_has_scores(&metric->objective->loss)) /* of them the matrix makes the Hessian of a row */
        dcpn_loss_shares(&metric->objective->loss, point->u, H->w);
    else
        largest = dcpn_row_curvature(metric, point, H->w, H->space_of_rows);
    H->trace = largest * H->sum_of_squares;
    dcpn_matrix_bound_rows(design->A,
                           2.0 * largest * dcpn_objective_largest_weight(metric->objective)); /* twice: for rounding */
    for (int64_t j = 0; j < size; j++) H->all[j] = j;
    design->touched += design->A->ops->gram(design->A, H->w, H->all, size, &H->space, H->G);
    for (int64_t j = 0; j < size; j++) H->G[j * size + j] += shift(H, j);
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    dcpn_axpy(metric->size, delta, row_of(metric, j), hessian_of(metric)->Gd);
}

static void walk_start(struct metric *metric, const double *d)
{
    dcpn_fill(metric->size, 0.0, hessian_of(metric)->Gd);
    for (int64_t j = 0; j < metric->size; j++)
        if (d[j] != 0.0) walk_move(metric, j, d[j]);
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    (void)d;
    return hessian_of(metric)->Gd[j];
}

static double walk_form(const struct metric *metric, const double *d)
{
    return dcpn_dot(metric->size, d, ((const struct gram_hessian *)metric)->Gd);
}

static double walk_coupling(struct metric *metric, int64_t j)
{
    return row_of(metric, j)[metric->size - 1];
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    walk_start(metric, d);
    dcpn_copy(metric->size, hessian_of(metric)->Gd, Hd);
}

static double diagonal(const struct metric *metric, int64_t j)
{
    return row_of(metric, j)[j];
}

static double lower_bound(const struct metric *metric)
{
    return ((const struct gram_hessian *)metric)->least_mu;
}

static double upper_bound(const struct metric *metric)
{
    const struct gram_hessian *H = (const struct gram_hessian *)metric;
    return H->trace + metric->objective->ridge + H->largest_mu;
}

/* Few coordinates are walked over in a matrix of their own, which is copied sooner than a sweep is made. */
static double gram_sweeps(const struct metric *metric, const int64_t *U, int64_t count)
{
    (void)metric;
    (void)U;
    (void)count;
    return 1.0;
}

static void block(struct metric *metric, const int64_t *U, int64_t count, double *M)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b < count; b++) M[a * count + b] = row_of(metric, U[a])[U[b]];
}

static int keeps_gram(const struct metric *metric)
{
    (void)metric;
    return 1;
}

const struct metric_ops dcpn_metric_gram_hessian = {
    .name = "hessian",
    .formula = "A'WA + ridge I + diag(mu), W = diag(w phi1''(u)), formed",
    .state_size = sizeof(struct gram_hessian),
    .share = 0.5,
    .refusal = refusal,
    .clips = 1,
    .walk.exists = can_walk,
    .layout = layout,
    .uses_squares = 1,
    .prepare = prepare,
    .update = update,
    .apply = apply,
    .diagonal = diagonal,
    .lower_bound = lower_bound,
    .upper_bound = upper_bound,
    .walk.start = walk_start,
    .walk.product = walk_product,
    .walk.move = walk_move,
    .walk.form = walk_form,
    .walk.coupling = walk_coupling,
    .gram.sweeps = gram_sweeps,
    .gram.form = block,
    .gram.block = block,
    .gram.is_kept = keeps_gram,
};
