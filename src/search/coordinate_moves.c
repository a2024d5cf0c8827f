/* SPDX-License-Identifier: BSD-3-Clause */
/* With h2 linearised, a coordinate at 0 does not see that a move beyond theta would lower F, and one beyond theta
 * does not see that going back to 0 would. So a point may be stationary in the sense of the paper although F is
 * lower further along one of its coordinates, behind a rise. */
#include "search/coordinate_moves.h"

#include <math.h>

#include "base/sort.h"
#include "search/block_moves.h"

int dcpn_moves_exist(const struct objective *F)
{
    const struct penalty *h = &F->penalty;
    int is_known = h->composition ? h->ops->prox && !dcpn_penalty_bounded(h) : dcpn_penalty_has_prox(h);
    if (dcpn_loss_has_scores(&F->loss)) return 0; /* a move of one would take all scores of its rows */
    return !F->loss.own && !h->own && dcpn_penalty_has_h2(h) && is_known && dcpn_loss_curvature1_sup(&F->loss) > 0.0;
}

void dcpn_moves_layout(struct moves *moves, const struct objective *F, struct arena *arena)
{
    int64_t size = dcpn_moves_exist(F) ? F->size : 0, rows = size > 0 ? F->rows : 0;
    int64_t units = size > 0 && F->penalty.composition ? dcpn_block_moves_most(&F->penalty) : size;
    moves->L = dcpn_arena_scratch(arena, units);
    moves->order = dcpn_arena_integers(arena, units);
    moves->size = dcpn_arena_scratch(arena, units);
    moves->d = dcpn_arena_doubles(arena, F->penalty.composition ? size : 0);
    moves->du = dcpn_arena_doubles(arena, F->penalty.composition ? rows : 0);
    dcpn_some_rows_layout(&moves->column, rows, arena);
    moves->known_L = 0;
}

void dcpn_moves_learn(struct moves *moves, struct objective *F)
{
    double sup = dcpn_loss_curvature1_sup(&F->loss);
    if (moves->known_L) return;
    const double *squares = dcpn_objective_squares(F);
    moves->least_L = HUGE_VAL;
    if (F->penalty.composition) {
        dcpn_block_moves_learn(moves, F, squares, sup);
        moves->known_L = 1;
        return;
    }
    for (int64_t j = 0; j < F->size; j++) {
        moves->L[j] = sup * squares[j] + F->ridge;
        if (j < F->features && moves->L[j] > 0.0) moves->least_L = fmin(moves->least_L, moves->L[j]);
    }
    moves->known_L = 1;
}

double dcpn_moves_safe_slope(const struct moves *moves, const struct penalty *h, int64_t j)
{
    double safe = 0.0, L = moves->least_L;
    for (double step = 0.5; isfinite(L) && step > 1e-3; step *= 0.5) {
        double slope = (safe + step) * h->c[j];
        if (dcpn_penalty_prox_at(h, j, slope / L, 1.0 / L) == 0.0) safe += step;
    }
    return safe * h->c[j];
}

/* Returns the move that is best by the bound on F; *change is what the bound says that F changes by. */
static double best_move(const struct penalty *h, int64_t j, double L, double x, double g, double *change)
{
    double s = dcpn_penalty_prox_at(h, j, x - g / L, 1.0 / L) - x;
    *change = s * (g + 0.5 * L * s) + dcpn_penalty_change_at(h, j, x, s);
    return s;
}

int dcpn_moves_has_move(const struct penalty *h, int64_t j, double L, double x, double g, double value, double goal)
{
    double change;
    if (!(L > 0.0)) return 0;
    best_move(h, j, L, x, g, &change);
    return change < -(1.0 + 1e-6) * goal * goal / (2.0 * L) - 1e-12 * fabs(value);
}

/* Returns the safe slope as a share of the penalty's slope. */
static double safe_share(const struct moves *moves, const struct penalty *h)
{
    double share = h->c[0] > 0.0 ? moves->safe / h->c[0] : 0.0;
    return share < DCPN_LOOK_STATIONARY ? share : DCPN_LOOK_STATIONARY;
}

int64_t dcpn_moves_count(struct moves *moves, struct objective *F, struct point *point, struct look *look, double goal)
{
    int64_t count = 0;
    dcpn_moves_learn(moves, F);
    if (F->penalty.composition) return dcpn_block_moves_count(moves, F, point, goal);
    moves->safe = F->penalty.factors ? 0.0 : dcpn_moves_safe_slope(moves, &F->penalty, 0);
    dcpn_look_at(look, F, point, safe_share(moves, &F->penalty));
    for (int64_t i = 0; i < dcpn_look_count(look, F->features); i++) {
        int64_t j = dcpn_look_column(look, i);
        if (j >= F->features) continue;
        double x = point->x[j], g = point->gradient[j];
        if (x == 0.0 && fabs(g) <= moves->safe) continue;
        count += dcpn_moves_has_move(&F->penalty, j, moves->L[j], x, g, point->value, goal);
    }
    return count;
}

double dcpn_moves_change(struct moves *moves, struct objective *F, const struct point *point, int64_t j,
                         double delta)
{
    struct some_rows *column = &moves->column;
    column->count = F->design.A->ops->column(F->design.A, j, column->rows, column->du);
    F->design.touched += column->count;
    double change = dcpn_loss_change_on(&F->loss, point->u, delta, column);
    if (j < F->features) change += F->ridge * delta * (point->x[j] + 0.5 * delta);
    return change + dcpn_penalty_change_at(&F->penalty, j, point->x[j], delta);
}

void dcpn_moves_move(const struct moves *moves, struct point *point, int64_t j, double delta, double change)
{
    const struct some_rows *column = &moves->column;
    for (int64_t i = 0; i < column->count; i++) point->u[column->rows[i]] += delta * column->du[i];
    point->x[j] += delta;
    point->value += change;
}

int64_t dcpn_moves_make(struct moves *moves, struct objective *F, struct point *point, struct look *look, double goal)
{
    int64_t count = 0, moved = 0;
    const struct penalty *h = &F->penalty;
    if (h->composition) {
        dcpn_moves_learn(moves, F);
        return dcpn_block_moves_make(moves, F, point, goal);
    }
    if (dcpn_moves_count(moves, F, point, look, goal) == 0) return 0;
    for (int64_t i = 0; i < dcpn_look_count(look, F->features); i++) {
        int64_t j = dcpn_look_column(look, i);
        if (j >= F->features) continue;
        double L = moves->L[j], x = point->x[j], g = point->gradient[j];
        if (!dcpn_moves_has_move(h, j, L, x, g, point->value, goal)) continue;
        best_move(h, j, L, x, g, &moves->size[count]);
        moves->order[count++] = j;
    }
    dcpn_sort_by(moves->size, moves->order, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = moves->order[i];
        double promised, s = best_move(h, j, moves->L[j], point->x[j], point->gradient[j], &promised);
        double change = dcpn_moves_change(moves, F, point, j, s);
        if (!(change < 0.0)) continue;
        dcpn_moves_move(moves, point, j, s, change);
        moved++;
    }
    return moved;
}

/* Is h2_j(x) above 0? */
static int is_bent(const struct penalty *h, int64_t j, double x)
{
    double h1 = h->c[j] * fabs(x);
    return h1 - dcpn_penalty_change_at(h, j, 0.0, x) > 1e-12 * h1;
}

/* Lists the coefficients that may be dropped, first those that matter least. */
static int64_t list_droppable(struct moves *moves, struct objective *F, const struct point *point, int only_bent)
{
    int64_t count = 0;
    dcpn_moves_learn(moves, F);
    for (int64_t j = 0; j < F->features; j++) {
        if (point->x[j] == 0.0 || !(F->penalty.c[j] > 0.0)) continue;
        if (only_bent && !is_bent(&F->penalty, j, point->x[j])) continue;
        moves->size[count] = fabs(point->x[j]) * sqrt(moves->L[j]);
        moves->order[count++] = j;
    }
    dcpn_sort_by(moves->size, moves->order, count);
    return count;
}

int dcpn_moves_has_drop(struct moves *moves, struct objective *F, const struct point *point, int only_bent)
{
    int64_t count = list_droppable(moves, F, point, only_bent);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = moves->order[i];
        if (dcpn_moves_change(moves, F, point, j, -point->x[j]) < 0.0) return 1;
    }
    return 0;
}

int64_t dcpn_moves_drop(struct moves *moves, struct objective *F, struct point *point, int only_bent)
{
    dcpn_moves_learn(moves, F);
    if (F->penalty.composition) return dcpn_block_moves_drop(moves, F, point, only_bent);
    int64_t count = list_droppable(moves, F, point, only_bent), dropped = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = moves->order[i];
        double change = dcpn_moves_change(moves, F, point, j, -point->x[j]);
        if (!(change < 0.0)) continue;
        dcpn_moves_move(moves, point, j, -point->x[j], change);
        dropped++;
    }
    return dropped;
}
