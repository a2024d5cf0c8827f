/* SPDX-License-Identifier: BSD-3-Clause */
/* Swaps, as best-subset methods make them: one feature out and another one in.
 *
 * Where two columns say much the same, each keeps the other out, and neither a drop nor a move of one coordinate
 * lowers F. So the features in use are taken out one at a time, first those that matter least. The slopes at the
 * point without the feature show which others could take its place. The steepest of them are tried, each by the step
 *     s = prox_{h_k / H}(-g_k / H),     H = the curvature of f along a_k at that point
 * and the exact change of F over its column. A swap is kept if both parts together lower F. */
#include "search/swap_moves.h"

#include <math.h>

#include "base/sort.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/summed.h"
#include "search/block_swaps.h"

int dcpn_swaps_exist(const struct objective *F)
{
    const struct composition *blocks = F->penalty.composition;
    return dcpn_moves_exist(F) && (!blocks || (blocks->has_prox && !F->loss.is_exact));
}

void dcpn_swaps_layout(struct swaps *swaps, const struct objective *F, struct arena *arena)
{
    int is_possible = dcpn_swaps_exist(F), has_blocks = is_possible && F->penalty.composition;
    swaps->out = dcpn_arena_integers(arena, is_possible ? F->size : 0);
    swaps->loss = dcpn_arena_scratch(arena, is_possible ? F->size : 0);
    swaps->u = dcpn_arena_doubles(arena, is_possible ? F->rows : 0);
    swaps->curvature = dcpn_arena_doubles(arena, is_possible ? F->rows : 0);
    swaps->between = dcpn_arena_doubles(arena, has_blocks ? F->rows : 0);
    swaps->x = dcpn_arena_doubles(arena, has_blocks ? F->size : 0);
    swaps->space = dcpn_arena_scratch(arena, has_blocks ? F->size : 0);
}

/* Lists the features in use, first those whose removal raises F least. */
static int64_t list_out(struct swaps *swaps, struct moves *moves, struct objective *F, const struct point *point)
{
    int64_t count = 0;
    double delta[MOVES_AT_ONCE];
    for (int64_t j = 0; j < F->features; j++)
        if (point->x[j] != 0.0 && F->penalty.c[j] > 0.0) swaps->out[count++] = j;
    for (int64_t first = 0; first < count; first += MOVES_AT_ONCE) {
        int some = count - first < MOVES_AT_ONCE ? (int)(count - first) : MOVES_AT_ONCE;
        for (int k = 0; k < some; k++) delta[k] = -point->x[swaps->out[first + k]];
        dcpn_moves_changes(moves, F, point, some, swaps->out + first, delta, swaps->loss + first);
    }
    dcpn_sort_by(swaps->loss, swaps->out, count);
    return count;
}

static void list_in(const struct moves *moves, const struct objective *F, const struct point *point, int64_t out,
                    struct swap_list *best)
{
    best->count = 0;
    for (int64_t k = 0; k < F->features; k++) {
        if (point->x[k] != 0.0 || k == out || !(moves->L[k] > 0.0)) continue;
        dcpn_swap_list_add(best, k, point->gradient[k] * point->gradient[k] / moves->L[k]);
    }
}

/* The step of each of the columns. */
static void find_steps(struct swaps *swaps, const struct moves *moves, struct objective *F, const struct point *point,
                       const struct swap_list *in, double *step)
{
    dcpn_loss_curvature1(&F->loss, point->u, swaps->curvature);
    double sup = dcpn_loss_curvature1_sup(&F->loss);
    if (F->loss.is_exact) dcpn_matrix_bound_rows(F->design.A, 2.0 * sup * dcpn_objective_largest_weight(F));
    dcpn_design_column_curvatures(&F->design, in->unit, in->count, swaps->curvature, step);
    for (int i = 0; i < in->count; i++) {
        int64_t k = in->unit[i];
        double H = fmax(step[i] + F->ridge, SWAP_LEAST_CURVATURE * moves->L[k]);
        step[i] = dcpn_penalty_prox_at(&F->penalty, k, -point->gradient[k] / H, 1.0 / H);
    }
}

/* Finds the best column to take in, and its step; returns the change of F. */
static double find_in(struct swaps *swaps, struct moves *moves, struct objective *F, const struct point *point,
                      int64_t out, int64_t *in, double *step)
{
    struct swap_list best;
    double least = 0.0, steps[SWAP_TRIED], changes[SWAP_TRIED];
    list_in(moves, F, point, out, &best);
    find_steps(swaps, moves, F, point, &best, steps);
    dcpn_moves_changes(moves, F, point, best.count, best.unit, steps, changes);
    for (int i = 0; i < best.count; i++) {
        if (steps[i] == 0.0 || !(changes[i] < least)) continue;
        least = changes[i];
        *in = best.unit[i];
        *step = steps[i];
    }
    return least;
}

/* Takes feature j out and the best other one in, if both together lower F; else restores the point. */
static int swap(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point, int64_t j)
{
    double x = point->x[j], before = point->value, step = 0.0;
    int64_t in = -1;
    dcpn_copy(F->rows, point->u, swaps->u);
    double out = dcpn_moves_change(moves, F, point, j, -x);
    dcpn_moves_move(moves, point, j, -x, out);
    dcpn_point_gradients(F, point);
    double gain = find_in(swaps, moves, F, point, j, &in, &step);
    if (in >= 0 && out + gain < -SWAP_WORTH * fabs(before)) {
        dcpn_moves_change(moves, F, point, in, step); /* the column that is moved along */
        dcpn_moves_move(moves, point, in, step, gain);
        return 1;
    }
    dcpn_copy(F->rows, swaps->u, point->u);
    point->x[j] = x;
    point->value = before;
    return 0;
}

int64_t dcpn_swaps_make(struct swaps *swaps, struct moves *moves, struct objective *F, struct point *point,
                        double *budget)
{
    int64_t made = 0;
    dcpn_moves_learn(moves, F);
    if (F->penalty.composition) return dcpn_block_swaps_make(swaps, moves, F, point, budget);
    int64_t count = list_out(swaps, moves, F, point);
    for (int64_t i = 0, failures = 0; i < count && *budget > 0.0 && failures < SWAP_PATIENCE; i++) {
        int is_made = swap(swaps, moves, F, point, swaps->out[i]);
        failures = is_made ? 0 : failures + 1;
        made += is_made;
        *budget -= (double)F->design.A->entries;
    }
    if (made > 0) dcpn_point_evaluate(F, point);
    return made;
}
