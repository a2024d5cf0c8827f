/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves of a block x_g to y, where g is the gradient of f on the block, L_g a bound on its curvature and p the term
 * of the block's norm. The bound
 *     g'(y - x_g) + L_g / 2 |y - x_g|^2 + p(|y|) - p(|x_g|)
 * is no less than the change of F, and it is least at y = prox_p(|z|) z / |z|, z = x_g - g / L_g. */
#include "search/block_moves.h"

#include <math.h>

#include "base/sort.h"
#include "base/vector.h"
#include "penalty/norm.h"

/* Does h1 have terms of coordinates, or of blocks within a block? Then one coordinate can be dropped by itself. */
static int has_members(const struct penalty *h)
{
    const struct composition *by = h->composition;
    return by->separable_h1 || by->two_terms || by->overlap == DCPN_OVERLAP_NESTED;
}

int64_t dcpn_block_moves_most(const struct penalty *h)
{
    return h->blocks.count + h->size;
}

/* Bounds the curvature of f along each block by the trace, which is no less than the largest eigenvalue. */
void dcpn_block_moves_learn(struct moves *moves, const struct objective *F, const double *squares, double sup)
{
    const struct blocks *blocks = &F->penalty.blocks;
    for (int64_t b = 0; b < blocks->count; b++) {
        double trace = 0.0;
        for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) trace += squares[dcpn_block_members(blocks, b)[i]];
        moves->L[b] = sup * trace + F->ridge;
    }
    for (int64_t j = 0; j < F->features; j++) moves->L[blocks->count + j] = sup * squares[j] + F->ridge;
}

/* ---- a move ---- */

double dcpn_block_moves_aim(struct moves *moves, const struct penalty *h, const struct point *point, int64_t b,
                            double L)
{
    const int64_t *g = dcpn_block_members(&h->blocks, b), size = dcpn_block_size(&h->blocks, b);
    double lambda = h->lambda[g[0]], slope = 0.0, squares = 0.0, *d = moves->d;
    for (int64_t i = 0; i < size; i++) d[g[i]] = point->x[g[i]] - point->gradient[g[i]] / L;
    dcpn_block_project(h, b, d, d);
    double r = dcpn_block_norm(&h->blocks, b, d), end = lambda > 0.0 ? h->ops->prox(&h->shape, lambda, 1.0 / L, r) : r;
    dcpn_block_scale(&h->blocks, b, end == r ? 1.0 : end / r, d, d);
    for (int64_t i = 0; i < size; i++) {
        d[g[i]] -= point->x[g[i]];
        slope += point->gradient[g[i]] * d[g[i]];
        squares += d[g[i]] * d[g[i]];
    }
    double before = dcpn_block_norm(&h->blocks, b, point->x);
    return slope + 0.5 * L * squares + dcpn_p_change(h, g[0], before, end - before);
}

static void forget_move(struct moves *moves, const struct penalty *h, int64_t b)
{
    dcpn_block_spread(&h->blocks, b, 0.0, moves->d);
}

static int is_worth_it(const struct moves *moves, int64_t b, double change, double value, double goal)
{
    double L = moves->L[b];
    return change < -(1.0 + 1e-6) * goal * goal / (2.0 * L) - 1e-12 * fabs(value);
}

/* Makes the move d, of few coordinates, if F falls. */
static int make_if_lower(struct moves *moves, struct objective *F, struct point *point)
{
    dcpn_design_apply(&F->design, moves->d, moves->du);
    double change = dcpn_objective_change(F, point, moves->d, moves->du, 1.0);
    if (!(change < 0.0)) return 0;
    dcpn_axpy(F->size, 1.0, moves->d, point->x);
    dcpn_axpy(F->rows, 1.0, moves->du, point->u);
    point->value += change;
    return 1;
}

/* Lists the blocks with a move that the bound says is worth it, those that promise most first. */
static int64_t list_moves(struct moves *moves, struct objective *F, struct point *point, double goal)
{
    const struct penalty *h = &F->penalty;
    int64_t count = 0;
    dcpn_point_gradients(F, point);
    for (int64_t b = 0; b < h->blocks.count; b++) {
        if (!(moves->L[b] > 0.0)) continue;
        double change = dcpn_block_moves_aim(moves, h, point, b, moves->L[b]);
        forget_move(moves, h, b);
        if (!is_worth_it(moves, b, change, point->value, goal)) continue;
        moves->size[count] = change;
        moves->order[count++] = b;
    }
    dcpn_sort_by(moves->size, moves->order, count);
    return count;
}

int64_t dcpn_block_moves_count(struct moves *moves, struct objective *F, struct point *point, double goal)
{
    if (!F->penalty.composition->has_prox) return -1;
    return list_moves(moves, F, point, goal);
}

/* Makes the moves one after another. Each changes the slopes of the blocks that follow, so that the exact change of
 * F decides whether a move is made. */
int64_t dcpn_block_moves_make(struct moves *moves, struct objective *F, struct point *point, double goal)
{
    int64_t count = dcpn_block_moves_count(moves, F, point, goal), moved = 0;
    for (int64_t i = 0; i < count; i++) {
        dcpn_block_moves_aim(moves, &F->penalty, point, moves->order[i], moves->L[moves->order[i]]);
        moved += make_if_lower(moves, F, point);
        forget_move(moves, &F->penalty, moves->order[i]);
    }
    return moved;
}

/* ---- drops ---- */

/* Is h2 of the block above 0? */
static int is_bent(const struct penalty *h, int64_t b, double r)
{
    int64_t j = dcpn_block_term(&h->blocks, b);
    double h1 = h->c[j] * r;
    return has_members(h) || h1 - dcpn_p_value(h, j, r) > 1e-12 * h1;
}

/* Lists what is in use and may be dropped, first what matters least. Coordinates are numbered after the blocks. */
static int64_t list_droppable(struct moves *moves, const struct objective *F, const struct point *point, int only_bent)
{
    const struct penalty *h = &F->penalty;
    int64_t count = 0, blocks = h->blocks.count;
    for (int64_t b = 0; b < blocks; b++) {
        double r = dcpn_block_norm(&h->blocks, b, point->x);
        int is_free = !(h->c[dcpn_block_term(&h->blocks, b)] > 0.0) && !(h->blocks.c[b] > 0.0);
        if (r == 0.0 || is_free || (only_bent && !is_bent(h, b, r))) continue;
        moves->size[count] = r * sqrt(moves->L[b]);
        moves->order[count++] = b;
    }
    for (int64_t j = 0; j < F->features && has_members(h); j++) {
        if (point->x[j] == 0.0 || !(h->c[j] > 0.0)) continue;
        moves->size[count] = fabs(point->x[j]) * sqrt(moves->L[blocks + j]);
        moves->order[count++] = blocks + j;
    }
    dcpn_sort_by(moves->size, moves->order, count);
    return count;
}

/* With sign -1, sets d to the move that takes the unit to 0; with sign 0, sets d back to 0. */
static void aim_at_0(struct moves *moves, const struct penalty *h, const struct point *point, int64_t unit, double sign)
{
    if (unit >= h->blocks.count)
        moves->d[unit - h->blocks.count] = sign * point->x[unit - h->blocks.count];
    else
        dcpn_block_scale(&h->blocks, unit, sign, point->x, moves->d);
}

int64_t dcpn_block_moves_drop(struct moves *moves, struct objective *F, struct point *point, int only_bent)
{
    int64_t count = list_droppable(moves, F, point, only_bent), dropped = 0;
    for (int64_t i = 0; i < count; i++) {
        aim_at_0(moves, &F->penalty, point, moves->order[i], -1.0);
        dropped += make_if_lower(moves, F, point);
        aim_at_0(moves, &F->penalty, point, moves->order[i], 0.0);
    }
    return dropped;
}
