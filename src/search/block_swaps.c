/* SPDX-License-Identifier: BSD-3-Clause */
/* Swaps of whole blocks: those of swap_moves.c where coordinates share the terms of their norms.
 *
 * A block that comes in makes a few steps from 0, each to prox_p(|z|) z / |z|, z = x_g - g / H, where H is the
 * curvature of f along the gradient g of the block. From 0 that is also the direction of the step, so that for the
 * squared loss the first one goes to the lowest point along it. The exact change of F decides. */
#include "search/block_swaps.h"

#include <math.h>

#include "base/reduce.h"
#include "base/sort.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/norm.h"
#include "search/block_moves.h"

/* Moves the point by d, the move of block b, if F falls; d is 0 afterwards. Returns the change of F. */
static double move_by(struct moves *moves, struct objective *F, struct point *point, int64_t b)
{
    dcpn_design_apply(&F->design, moves->d, moves->du);
    double change = dcpn_objective_change(F, point, moves->d, moves->du, 1.0);
    if (change < 0.0) dcpn_point_move(F, point, moves->d, moves->du, 1.0, change);
    dcpn_block_spread(&F->penalty.blocks, b, 0.0, moves->d);
    return fmin(change, 0.0);
}

/* What F changes by without block b. */
static double change_without(struct moves *moves, struct objective *F, const struct point *point, int64_t b)
{
    dcpn_block_scale(&F->penalty.blocks, b, -1.0, point->x, moves->d);
    dcpn_design_apply(&F->design, moves->d, moves->du);
    double change = dcpn_objective_change(F, point, moves->d, moves->du, 1.0);
    dcpn_block_spread(&F->penalty.blocks, b, 0.0, moves->d);
    return change;
}

static void take_out(struct moves *moves, struct objective *F, struct point *point, int64_t b)
{
    dcpn_block_scale(&F->penalty.blocks, b, -1.0, point->x, moves->d);
    dcpn_design_apply(&F->design, moves->d, moves->du);
    dcpn_point_move(F, point, moves->d, moves->du, 1.0, dcpn_objective_change(F, point, moves->d, moves->du, 1.0));
    dcpn_block_spread(&F->penalty.blocks, b, 0.0, moves->d);
}

/* ---- a block that comes in ---- */

/* The curvature of f at the point along the gradient of the block. */
static double curvature_along(struct swaps *swaps, struct moves *moves, struct objective *F, const struct point *point,
                              int64_t b)
{
    double sum = 0.0, length = dcpn_block_norm(&F->penalty.blocks, b, point->gradient);
    if (!(length > 0.0)) return 0.0;
    dcpn_block_scale(&F->penalty.blocks, b, 1.0 / length, point->gradient, moves->d);
    dcpn_design_apply(&F->design, moves->d, moves->du);
    dcpn_loss_curvature1(&F->loss, point->u, swaps->curvature);
    for (int64_t i = 0; i < F->rows; i++) {
        swaps->curvature[i] = swaps->curvature[i] * moves->du[i] * moves->du[i];
        sum += swaps->curvature[i];
    }
    if (F->loss.is_exact) sum = dcpn_ranks_sum_of(F->loss.context, F->rows, swaps->curvature);
    dcpn_block_spread(&F->penalty.blocks, b, 0.0, moves->d);
    return sum + F->ridge;
}

/* Lets block b come in; returns the change of F. */
static double take_in(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point, int64_t b)
{
    const struct blocks *blocks = &F->penalty.blocks;
    double gain = 0.0;
    for (int step = 0; step < SWAP_BLOCK_STEPS; step++) {
        dcpn_point_slopes(F, point);
        dcpn_point_gradients_of(F, point, dcpn_block_members(blocks, b), dcpn_block_size(blocks, b), swaps->space);
        double H = curvature_along(swaps, moves, F, point, b);
        dcpn_block_moves_aim(moves, &F->penalty, point, b, fmax(H, SWAP_LEAST_CURVATURE * moves->L[b]));
        double change = move_by(moves, F, point, b);
        if (!(change < 0.0)) break;
        gain += change;
    }
    return gain;
}

static void list_in(const struct moves *moves, const struct objective *F, const struct point *point, int64_t out,
                    struct swap_list *best)
{
    const struct blocks *blocks = &F->penalty.blocks;
    best->count = 0;
    for (int64_t b = 0; b < blocks->count; b++) {
        if (b == out || !(moves->L[b] > 0.0) || dcpn_block_norm(blocks, b, point->x) != 0.0) continue;
        double g = dcpn_block_inward_norm(&F->penalty, b, point->gradient);
        dcpn_swap_list_add(best, b, g * g / moves->L[b]);
    }
}

/* Goes back to where block b was out. */
static void forget_in(struct swaps *swaps, const struct objective *F, struct point *point, int64_t b, double value)
{
    dcpn_block_spread(&F->penalty.blocks, b, 0.0, point->x);
    dcpn_copy(F->rows, swaps->between, point->u);
    point->value = value;
}

/* Finds the best block to take in; returns what F then changes by. */
static double find_in(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point, int64_t out,
                      int64_t *in)
{
    struct swap_list best;
    double least = 0.0, value = point->value;
    list_in(moves, F, point, out, &best);
    dcpn_copy(F->rows, point->u, swaps->between);
    for (int i = 0; i < best.count; i++) {
        double gain = take_in(swaps, moves, F, point, best.unit[i]);
        forget_in(swaps, F, point, best.unit[i], value);
        if (!(gain < least)) continue;
        least = gain;
        *in = best.unit[i];
    }
    return least;
}

/* ---- swaps ---- */

static void restore(struct swaps *swaps, const struct objective *F, struct point *point, int64_t b, double value)
{
    const int64_t *g = dcpn_block_members(&F->penalty.blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(&F->penalty.blocks, b); i++) point->x[g[i]] = swaps->x[g[i]];
    dcpn_copy(F->rows, swaps->u, point->u);
    point->value = value;
}

/* Takes block b out and the best other one in, if both together lower F; else restores the point. */
static int swap(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point, int64_t b)
{
    double before = point->value;
    int64_t in = -1;
    dcpn_copy(F->rows, point->u, swaps->u);
    dcpn_block_scale(&F->penalty.blocks, b, 1.0, point->x, swaps->x);
    take_out(moves, F, point, b);
    dcpn_point_gradients(F, point);
    double gain = find_in(swaps, moves, F, point, b, &in);
    if (in >= 0 && point->value + gain < before - SWAP_WORTH * fabs(before)) {
        take_in(swaps, moves, F, point, in);
        return 1;
    }
    restore(swaps, F, point, b, before);
    return 0;
}

/* Lists the blocks in use, first those whose removal raises F least. */
static int64_t list_out(struct swaps *swaps, struct moves *moves, struct objective *F, const struct point *point)
{
    const struct penalty *h = &F->penalty;
    int64_t count = 0;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        if (!(dcpn_block_slope(h, b) > 0.0) || dcpn_block_norm(&h->blocks, b, point->x) == 0.0) continue;
        swaps->loss[count] = change_without(moves, F, point, b);
        swaps->out[count++] = b;
    }
    dcpn_sort_by(swaps->loss, swaps->out, count);
    return count;
}

int64_t dcpn_block_swaps_make(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point,
                              double *budget)
{
    int64_t made = 0, count = list_out(swaps, moves, F, point);
    for (int64_t i = 0, failures = 0; i < count && *budget > 0.0 && failures < SWAP_PATIENCE; i++) {
        int is_made = swap(swaps, moves, F, point, swaps->out[i]);
        failures = is_made ? 0 : failures + 1;
        made += is_made;
        *budget -= (double)F->design.A->entries;
    }
    if (made > 0) dcpn_point_evaluate(F, point);
    return made;
}
