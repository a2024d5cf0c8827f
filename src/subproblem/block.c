/* SPDX-License-Identifier: BSD-3-Clause */
/* Steps of one block, through the eigenvalues of its Hessian or by its coordinates. */
#include "subproblem/block.h"

#include <math.h>

#include "base/symmetric.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/norm.h"
#include "subproblem/coordinate.h"

enum { MOST_POOL = 1 << 22 /* numbers: for factors of all blocks together */ };
static const double SINGULAR = 1e-10; /* of the largest eigenvalue: along those below a block has no curvature */
static const double SHRUNK = 0.5;     /* of a norm: a block that shrinks so far in one turn may be on its way to 0, */
static const double SHORT = 1e-3;     /* and so may one of this share of the norm at which H_gg weighs as much as c */

void dcpn_block_factors_layout(struct block_factors *factors, const struct blocks *blocks, struct arena *arena)
{
    int64_t all = 0, largest = 0;
    for (int64_t b = 0; b < blocks->count; b++) {
        int64_t size = dcpn_block_size(blocks, b);
        if (size > largest) largest = size;
        if (size <= DCPN_LARGEST_FACTORED) all += size * (size + 1);
    }
    factors->room = all < MOST_POOL ? all : MOST_POOL;
    factors->place = dcpn_arena_integers(arena, blocks->count);
    factors->along = dcpn_arena_doubles(arena, blocks->count);
    factors->pool = dcpn_arena_scratch(arena, factors->room);
    factors->q = dcpn_arena_scratch(arena, largest);
    factors->y = dcpn_arena_scratch(arena, largest);
    factors->bend = dcpn_arena_scratch(arena, largest);
}

void dcpn_block_factors_forget(struct block_factors *factors, int64_t blocks)
{
    for (int64_t b = 0; b < blocks; b++) factors->place[b] = BLOCK_UNKNOWN;
    dcpn_fill(blocks, 0.0, factors->along);
    factors->used = 0;
}

/* ---- the factor ---- */

/* Computes H_gg. An intercept that follows the other coordinates is eliminated. */
static void form_block(const struct quadratic_model *model, const int64_t *g, int64_t size, double *M)
{
    struct metric *H = model->H;
    H->ops->gram.block(H, g, size, M);
    for (int64_t a = 0; a < size && model->intercept_follows; a++) {
        double pull = dcpn_coordinate_pull(model, g[a]);
        for (int64_t b = 0; b < size; b++) M[a * size + b] += pull * H->ops->walk.coupling(H, g[b]);
    }
}

/* M += along n n', n = x_g / |x_g| */
static void add_bend(const double *n, int64_t size, double along, double *M)
{
    for (int64_t a = 0; a < size; a++)
        for (int64_t b = 0; b < size; b++) M[a * size + b] += along * n[a] * n[b];
}

static void fill_direction(const struct quadratic_model *model, int64_t b, double *n)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    double r = dcpn_block_norm(&model->h1->blocks, b, model->x);
    for (int64_t i = 0; i < size; i++) n[i] = r > 0.0 ? model->x[g[i]] / r : 0.0;
}

/* Returns n'H_gg^-1 n, or infinity. H_gg - k n n' is not negative as long as that times the curvature k is at most
 * 1. */
static double reach_of(int64_t size, const double *values, const double *V, const double *n)
{
    double largest = 0.0, reach = 0.0;
    for (int64_t i = 0; i < size; i++) largest = fmax(largest, values[i]);
    for (int64_t i = 0; i < size; i++) {
        double along = dcpn_dot(size, V + i * size, n);
        if (values[i] > SINGULAR * largest)
            reach += along * along / values[i];
        else if (along * along > SINGULAR)
            return HUGE_VAL;
    }
    return reach;
}

/* Factors M = H_gg with the curvature of h, as far as it leaves a good part of H_gg in every direction. */
static void factor(struct block_factors *factors, const struct quadratic_model *model, int64_t b, double *values)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    double H[DCPN_LARGEST_FACTORED * DCPN_LARGEST_FACTORED], M[DCPN_LARGEST_FACTORED * DCPN_LARGEST_FACTORED];
    double n[DCPN_LARGEST_FACTORED], *V = values + size;
    form_block(model, g, size, H);
    dcpn_copy(size * size, H, M);
    dcpn_symmetric_factor(size, M, values, V);
    double along = model->bend ? model->bend[g[0]] : 0.0;
    if (!(along < 0.0)) return;
    fill_direction(model, b, n);
    along = fmax(along, -CD_MOST_BEND / reach_of(size, values, V, n));
    if (!(along < 0.0)) return;
    factors->along[b] = along;
    add_bend(n, size, along, H);
    dcpn_symmetric_factor(size, H, values, V);
}

void dcpn_block_know(struct block_factors *factors, const struct quadratic_model *model, int64_t b)
{
    int64_t size = dcpn_block_size(&model->h1->blocks, b), needed = size * (size + 1);
    if (factors->place[b] != BLOCK_UNKNOWN) return;
    int is_norm = !model->h1->composition->two_terms && !model->h1->lower;
    if (!is_norm || !model->H->ops->gram.block || size > DCPN_LARGEST_FACTORED ||
        factors->used + needed > factors->room) {
        factors->place[b] = BLOCK_BY_COORDINATES;
        return;
    }
    factors->place[b] = factors->used;
    factors->used += needed;
    factor(factors, model, b, factors->pool + factors->place[b]);
}

double dcpn_block_bend_product(const struct block_factors *factors, const struct quadratic_model *model, int64_t b,
                               const double *d, double *out)
{
    const struct blocks *blocks = &model->h1->blocks;
    const int64_t *g = dcpn_block_members(blocks, b), size = dcpn_block_size(blocks, b);
    double along = factors->along[b], nd = 0.0;
    if (along == 0.0) {
        for (int64_t i = 0; i < size; i++) out[i] = 0.0;
        return 0.0;
    }
    double r = dcpn_block_norm(blocks, b, model->x);
    for (int64_t i = 0; i < size; i++) nd += model->x[g[i]] / r * d[g[i]];
    for (int64_t i = 0; i < size; i++) out[i] = along * (model->x[g[i]] / r) * nd;
    return along * nd * nd;
}

/* ---- a step ---- */

static double norm_of(int64_t size, const double *a)
{
    double largest = dcpn_norm_max(size, a), sum = 0.0;
    if (largest == 0.0 || !isfinite(largest)) return largest;
    for (int64_t i = 0; i < size; i++) sum += (a[i] / largest) * (a[i] / largest);
    return largest * sqrt(sum);
}

/* Takes from q what the terms of coordinates at 0 can hold, and what leads out of the box. What is left is the slope
 * along which a block at 0 would leave it. */
static void soften(const struct penalty *h1, const int64_t *g, int64_t size, double *q)
{
    for (int64_t i = 0; i < size; i++) {
        double left = dcpn_soft_threshold(q[i], dcpn_member_slope(h1, g[i]));
        q[i] = dcpn_inward(h1, g[i], 0.0, left);
    }
}

/* Returns how far 0 is from q + dh1 at y, where |y| = r. For a block at 0, q must have been softened. */
static double violation_of(const struct penalty *h1, int64_t b, const double *q, const double *y, double r)
{
    const int64_t *g = dcpn_block_members(&h1->blocks, b), size = dcpn_block_size(&h1->blocks, b);
    double c = dcpn_block_slope(h1, b), sum = 0.0;
    if (!(r > 0.0)) return fmax(norm_of(size, q) - c, 0.0);
    for (int64_t i = 0; i < size; i++) {
        double own = dcpn_member_slope(h1, g[i]), slope = q[i] + c * (y[i] / r);
        double left = y[i] == 0.0 ? dcpn_beyond(dcpn_inward(h1, g[i], 0.0, slope), own) : slope + copysign(own, y[i]);
        sum += left * left;
    }
    return sqrt(sum);
}

static void move_block(const struct quadratic_model *model, const int64_t *g, int64_t size, const double *y, double *d)
{
    for (int64_t i = 0; i < size; i++) dcpn_coordinate_move(model, g[i], y[i], d);
}

/* Moves the block to its minimum with the factor: a = M y - q, and V a = values.(V y) - V q. */
static void step_by_factor(const struct block_factors *factors, const struct quadratic_model *model, int64_t b,
                           const double *q, double *y, double *d)
{
    int64_t size = dcpn_block_size(&model->h1->blocks, b);
    const double *values = factors->pool + factors->place[b], *V = values + size;
    double c = dcpn_block_slope(model->h1, b), Va[DCPN_LARGEST_FACTORED] = {0.0}, norm = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double Vy = 0.0, Vq = 0.0;
        for (int64_t k = 0; k < size; k++) {
            Vy += V[i * size + k] * y[k];
            Vq += V[i * size + k] * q[k];
        }
        Va[i] = values[i] * Vy - Vq;
    }
    norm = norm_of(size, Va);
    dcpn_fill(size, 0.0, y);
    if (norm > c) {
        dcpn_block_root(size, values, c, norm, Va);
        for (int64_t i = 0; i < size; i++) dcpn_axpy(size, Va[i], V + i * size, y);
    }
    move_block(model, dcpn_block_members(&model->h1->blocks, b), size, y, d);
}

/* ---- by coordinates ---- */

/* Returns the trace of H_gg, which bounds it. */
static double trace_of(const struct quadratic_model *model, const int64_t *g, int64_t size)
{
    double trace = 0.0;
    for (int64_t i = 0; i < size; i++) trace += dcpn_coordinate_curvature(model, g[i]);
    return trace;
}

/* Moves a block away from 0 along its slope, by a step that the trace allows. */
static void leave_0(struct block_factors *factors, const struct quadratic_model *model, const int64_t *g, int64_t size,
                    double trace, double norm, double c, double *d)
{
    for (int64_t i = 0; i < size; i++) factors->y[i] = -(1.0 - c / norm) / trace * factors->q[i];
    move_block(model, g, size, factors->y, d);
}

static void turn_coordinates(const struct quadratic_model *model, const int64_t *g, int64_t size, double c, double *d)
{
    double squares = 0.0;
    for (int64_t i = 0; i < size; i++) squares += (model->x[g[i]] + d[g[i]]) * (model->x[g[i]] + d[g[i]]);
    for (int64_t i = 0; i < size; i++) {
        double y = model->x[g[i]] + d[g[i]], q = model->v[g[i]] + model->H->ops->walk.product(model->H, d, g[i]);
        double h = dcpn_coordinate_curvature(model, g[i]), rest = fmax(squares - y * y, 0.0);
        double end = dcpn_coordinate_root(h, h * y - q, dcpn_member_slope(model->h1, g[i]), c, rest);
        end = dcpn_penalty_clamp(model->h1, g[i], end);
        dcpn_coordinate_move(model, g[i], end, d);
        squares = rest + end * end;
    }
}

/* Computes what a block sees: x + d and its slopes, which are softened if the block is at 0. Returns |x_g + d_g|. */
static double see(struct block_factors *factors, const struct quadratic_model *model, int64_t b, const double *d)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    double *bend = factors->bend;
    dcpn_block_bend_product(factors, model, b, d, bend);
    for (int64_t i = 0; i < size; i++) {
        factors->y[i] = model->x[g[i]] + d[g[i]];
        factors->q[i] = model->v[g[i]] + model->H->ops->walk.product(model->H, d, g[i]) + bend[i];
    }
    double r = norm_of(size, factors->y);
    if (r == 0.0) soften(model->h1, g, size, factors->q);
    return r;
}

/* Moves a block to 0, and back unless 0 is its minimum. Without this a block that shrinks would come nearer and
 * nearer to 0 for ever. */
static void try_0(struct block_factors *factors, const struct quadratic_model *model, int64_t b, double c, double *d)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    double *back = factors->bend;
    for (int64_t i = 0; i < size; i++) {
        back[i] = model->x[g[i]] + d[g[i]];
        factors->y[i] = 0.0;
    }
    move_block(model, g, size, factors->y, d);
    for (int64_t i = 0; i < size; i++) factors->q[i] = model->v[g[i]] + model->H->ops->walk.product(model->H, d, g[i]);
    soften(model->h1, g, size, factors->q);
    if (norm_of(size, factors->q) > c) move_block(model, g, size, back, d);
}

static void step_by_coordinates(struct block_factors *factors, const struct quadratic_model *model, int64_t b, double r,
                                double *d)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    double c = dcpn_block_slope(model->h1, b), end = 0.0;
    double trace = trace_of(model, g, size);
    if (r == 0.0) leave_0(factors, model, g, size, trace, norm_of(size, factors->q), c, d);
    turn_coordinates(model, g, size, c, d);
    for (int64_t i = 0; i < size; i++) end = hypot(end, model->x[g[i]] + d[g[i]]);
    if (end < SHRUNK * r || end * trace < SHORT * c) try_0(factors, model, b, c, d);
}

double dcpn_block_minimize(struct block_factors *factors, const struct quadratic_model *model, int64_t b, double *d)
{
    double r = see(factors, model, b, d);
    if (violation_of(model->h1, b, factors->q, factors->y, r) == 0.0) return 0.0;
    if (factors->place[b] == BLOCK_UNKNOWN) {
        dcpn_block_know(factors, model, b);
        r = see(factors, model, b, d); /* with the curvature of h that is in the factor */
    }
    double violation = violation_of(model->h1, b, factors->q, factors->y, r);
    if (violation == 0.0) return 0.0;
    if (factors->place[b] >= 0)
        step_by_factor(factors, model, b, factors->q, factors->y, d);
    else
        step_by_coordinates(factors, model, b, r, d);
    return violation;
}

double dcpn_block_violation_at_start(struct block_factors *factors, const struct quadratic_model *model, int64_t b)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b), size = dcpn_block_size(&model->h1->blocks, b);
    for (int64_t i = 0; i < size; i++) {
        factors->y[i] = model->x[g[i]];
        factors->q[i] = model->v[g[i]];
    }
    double r = norm_of(size, factors->y);
    if (r == 0.0) soften(model->h1, g, size, factors->q);
    return violation_of(model->h1, b, factors->q, factors->y, r);
}

double dcpn_block_h1_change(const struct quadratic_model *model, int64_t b, const double *d)
{
    const struct blocks *blocks = &model->h1->blocks;
    const int64_t *g = dcpn_block_members(blocks, b), size = dcpn_block_size(blocks, b);
    double end = 0.0, own = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double y = model->x[g[i]] + d[g[i]], slope = dcpn_member_slope(model->h1, g[i]);
        end += y * y;
        if (slope > 0.0) own += slope * (fabs(y) - fabs(model->x[g[i]]));
    }
    return dcpn_block_slope(model->h1, b) * (sqrt(end) - dcpn_block_norm(blocks, b, model->x)) + own;
}
