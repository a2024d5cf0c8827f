/* SPDX-License-Identifier: BSD-3-Clause */
/* Linearising h2 at x_j = 0 hides that a move beyond theta would pay, and beyond theta that going back to 0 would. So a
 * point may be stationary in the sense of the paper while F falls along one of its coordinates: not at once, but after
 * a while. */
#include "search/coordinate_moves.h"

#include <math.h>

#include "base/sort.h"

int dcpn_moves_exists(const struct objective *F)
{
    return !F->loss.own && dcpn_penalty_separable(&F->penalty) && dcpn_penalty_has_h2(&F->penalty) &&
           dcpn_penalty_has_prox(&F->penalty) && dcpn_loss_curvature1_sup(&F->loss) > 0.0;
}

void dcpn_moves_layout(struct moves *escape, const struct objective *F, struct arena *arena)
{
    int64_t size = dcpn_moves_exists(F) ? F->size : 0, rows = size > 0 ? F->rows : 0;
    escape->L = dcpn_arena_scratch(arena, size);
    escape->order = dcpn_arena_integers(arena, size);
    escape->size = dcpn_arena_scratch(arena, size);
    dcpn_some_rows_layout(&escape->column, rows, arena);
    escape->known_L = 0;
}

void dcpn_moves_learn(struct moves *escape, struct objective *F)
{
    double sup = dcpn_loss_curvature1_sup(&F->loss);
    if (escape->known_L) return;
    const double *squares = dcpn_objective_squares(F);
    escape->least_L = HUGE_VAL;
    for (int64_t j = 0; j < F->size; j++) {
        escape->L[j] = sup * squares[j] + F->ridge;
        if (j < F->features && escape->L[j] > 0.0) escape->least_L = fmin(escape->least_L, escape->L[j]);
    }
    escape->known_L = 1;
}

double dcpn_moves_safe_slope(const struct moves *escape, const struct penalty *h, int64_t j)
{
    double safe = 0.0, L = escape->least_L;
    for (double step = 0.5; isfinite(L) && step > 1e-3; step *= 0.5) {
        double slope = (safe + step) * h->c[j];
        if (dcpn_penalty_prox_at(h, j, slope / L, 1.0 / L) == 0.0) safe += step;
    }
    return safe * h->c[j];
}

/* The prox is 0 for all |g| up to some bound, and not above it. */
static int may_leave_0(const void *user, const struct objective *F, int64_t j, double bound)
{
    const struct moves *escape = user;
    double L = escape->L[j];
    return bound > escape->safe && L > 0.0 && dcpn_penalty_prox_at(&F->penalty, j, bound / L, 1.0 / L) != 0.0;
}

/* The move that the bound on F says is best, and what it says of F. */
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

int64_t dcpn_moves_count(struct moves *escape, struct objective *F, const struct point *point, double goal)
{
    int64_t count = 0;
    dcpn_moves_learn(escape, F);
    escape->safe = F->penalty.factors ? 0.0 : dcpn_moves_safe_slope(escape, &F->penalty, 0);
    if (F->screen) dcpn_screen_read(F, point, may_leave_0, escape);
    if (F->glance) dcpn_glance_read(F, point, F->penalty.c[0] > 0.0 ? escape->safe / F->penalty.c[0] : 0.0);
    for (int64_t j = 0; j < F->features; j++) {
        double x = point->x[j], g = point->gradient[j];
        if (x == 0.0 && fabs(g) <= escape->safe) continue;
        count += dcpn_moves_has_move(&F->penalty, j, escape->L[j], x, g, point->value, goal);
    }
    return count;
}

/* F(x + delta e_j) - F(x), exactly, at the cost of the column. */
static double coordinate_change(struct moves *escape, struct objective *F, const struct point *point, int64_t j,
                                double delta)
{
    struct some_rows *column = &escape->column;
    column->count = F->design.A->ops->column(F->design.A, j, column->rows, column->du);
    F->design.touched += column->count;
    double change = dcpn_loss_change_on(&F->loss, point->u, delta, column);
    if (j < F->features) change += F->ridge * delta * (point->x[j] + 0.5 * delta);
    return change + dcpn_penalty_change_at(&F->penalty, j, point->x[j], delta);
}

/* Moves along the column that was looked at last. */
static void move_coordinate(const struct moves *escape, struct point *point, int64_t j, double delta, double change)
{
    const struct some_rows *column = &escape->column;
    for (int64_t i = 0; i < column->count; i++) point->u[column->rows[i]] += delta * column->du[i];
    point->x[j] += delta;
    point->value += change;
}

int64_t dcpn_moves_make(struct moves *escape, struct objective *F, struct point *point, double goal)
{
    int64_t count = 0, moved = 0;
    const struct penalty *h = &F->penalty;
    if (dcpn_moves_count(escape, F, point, goal) == 0) return 0;
    for (int64_t j = 0; j < F->features; j++) {
        double L = escape->L[j], x = point->x[j], g = point->gradient[j];
        if (!dcpn_moves_has_move(h, j, L, x, g, point->value, goal)) continue;
        best_move(h, j, L, x, g, &escape->size[count]);
        escape->order[count++] = j;
    }
    dcpn_sort_by(escape->size, escape->order, count);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = escape->order[i];
        double promised, s = best_move(h, j, escape->L[j], point->x[j], point->gradient[j], &promised);
        double change = coordinate_change(escape, F, point, j, s);
        if (!(change < 0.0)) continue;
        move_coordinate(escape, point, j, s, change);
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

/* Coefficients that may be dropped, those that matter least first. */
static int64_t list_droppable(struct moves *escape, struct objective *F, const struct point *point, int only_bent)
{
    int64_t count = 0;
    dcpn_moves_learn(escape, F);
    for (int64_t j = 0; j < F->features; j++) {
        if (point->x[j] == 0.0 || !(F->penalty.c[j] > 0.0)) continue;
        if (only_bent && !is_bent(&F->penalty, j, point->x[j])) continue;
        escape->size[count] = fabs(point->x[j]) * sqrt(escape->L[j]);
        escape->order[count++] = j;
    }
    dcpn_sort_by(escape->size, escape->order, count);
    return count;
}

int dcpn_moves_has_drop(struct moves *escape, struct objective *F, const struct point *point, int only_bent)
{
    int64_t count = list_droppable(escape, F, point, only_bent);
    for (int64_t i = 0; i < count; i++) {
        int64_t j = escape->order[i];
        if (coordinate_change(escape, F, point, j, -point->x[j]) < 0.0) return 1;
    }
    return 0;
}

int64_t dcpn_moves_drop(struct moves *escape, struct objective *F, struct point *point, int only_bent)
{
    int64_t count = list_droppable(escape, F, point, only_bent), dropped = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t j = escape->order[i];
        double change = coordinate_change(escape, F, point, j, -point->x[j]);
        if (!(change < 0.0)) continue;
        move_coordinate(escape, point, j, -point->x[j], change);
        dropped++;
    }
    return dropped;
}
