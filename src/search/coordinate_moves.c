/* SPDX-License-Identifier: BSD-3-Clause */
/* With h2 linearised, a coordinate at 0 does not see that a move beyond theta would lower F, and one beyond theta
 * does not see that going back to 0 would. So a point may be stationary in the sense of the paper although F is
 * lower further along one of its coordinates, behind a rise. */
#include "search/coordinate_moves.h"

#include <math.h>

#include "base/reduce.h"
#include "base/sort.h"
#include "search/block_moves.h"

int dcpn_moves_exist(const struct objective *F)
{
    const struct penalty *h = &F->penalty;
    int is_known = dcpn_penalty_has_prox(h) || (h->composition && h->ops->prox && !dcpn_penalty_bounded(h));
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

/* The work is that of the rows of all ranks. */
static void read_column(struct moves *moves, struct objective *F, int64_t j)
{
    const dcpn_matrix *A = F->design.A;
    struct some_rows *column = &moves->column;
    column->count = A->ops->column(A, j, column->rows, column->du);
    F->design.touched += A->ops->by_ranks ? A->ops->column_entries(A, j) : column->count;
}

static double add_other_terms(const struct objective *F, const struct point *point, int64_t j, double delta,
                              double change)
{
    if (j < F->features) change += F->ridge * delta * (point->x[j] + 0.5 * delta);
    return change + dcpn_penalty_change_at(&F->penalty, j, point->x[j], delta);
}

static void change_on_ranks(struct moves *moves, struct objective *F, const struct point *point, int count,
                            const int64_t *columns, const double *delta, double *change)
{
    int64_t words[MOVES_AT_ONCE * FULL_WORDS];
    for (int k = 0; k < count; k++) {
        struct full_sum sum;
        dcpn_full_clear(&sum);
        if (delta[k] != 0.0) read_column(moves, F, columns[k]);
        if (delta[k] != 0.0) dcpn_loss_add_change_on(&F->loss, point->u, delta[k], &moves->column, &sum);
        dcpn_full_pack(&sum, words + k * FULL_WORDS);
    }
    dcpn_ranks_sum(F->loss.context, words, (int64_t)count * FULL_WORDS);
    for (int k = 0; k < count; k++) change[k] = dcpn_full_value(words + k * FULL_WORDS);
}

void dcpn_moves_changes(struct moves *moves, struct objective *F, const struct point *point, int count,
                        const int64_t *columns, const double *delta, double *change)
{
    if (F->loss.is_exact) change_on_ranks(moves, F, point, count, columns, delta, change);
    for (int k = 0; k < count; k++) {
        if (delta[k] == 0.0) change[k] = 0.0;
        if (delta[k] == 0.0) continue;
        if (!F->loss.is_exact) {
            read_column(moves, F, columns[k]);
            change[k] = dcpn_loss_change_on(&F->loss, point->u, delta[k], &moves->column);
        }
        change[k] = add_other_terms(F, point, columns[k], delta[k], change[k]);
    }
}

double dcpn_moves_change(struct moves *moves, struct objective *F, const struct point *point, int64_t j,
                         double delta)
{
    double change;
    dcpn_moves_changes(moves, F, point, 1, &j, &delta, &change);
    return change;
}

void dcpn_moves_move(const struct moves *moves, struct point *point, int64_t j, double delta, double change)
{
    const struct some_rows *column = &moves->column;
    for (int64_t i = 0; i < column->count; i++) point->u[column->rows[i]] += delta * column->du[i];
    point->x[j] += delta;
    point->value += change;
}

/* ---- listed moves, one after another ---- */

typedef double delta_function(const struct moves *moves, const struct objective *F, const struct point *point,
                              int64_t j);

/* The first of the listed moves from i on that lowers F, among up to `most`, which are asked for together; returns how
 * many do not. */
static int64_t skip_useless(struct moves *moves, struct objective *F, const struct point *point, int64_t i, int most,
                            delta_function *delta_of, double *change)
{
    double delta[MOVES_AT_ONCE] = {0}, changes[MOVES_AT_ONCE];
    int k = 0;
    for (; k < most; k++) delta[k] = delta_of(moves, F, point, moves->order[i + k]);
    dcpn_moves_changes(moves, F, point, most, moves->order + i, delta, changes);
    for (k = 0; k < most && !(changes[k] < 0.0);) k++;
    if (k == most) return most;
    *change = changes[k];
    if (k + 1 < most) read_column(moves, F, moves->order[i + k]);
    return k;
}

/* Makes those of the listed moves that lower F where the ones before have led, and returns their number. On ranks a
 * question is a message: after moves that were of no use several are asked for in one, of which those up to the first
 * useful one count. */
static int64_t make_in_order(struct moves *moves, struct objective *F, struct point *point, int64_t count,
                             delta_function *delta_of)
{
    int64_t made = 0;
    int most = F->loss.is_exact ? MOVES_AT_ONCE : 1, asked = 1;
    for (int64_t i = 0; i < count;) {
        double change;
        int64_t left = count - i;
        if (asked > left) asked = (int)left;
        int64_t skipped = skip_useless(moves, F, point, i, asked, delta_of, &change);
        i += skipped;
        if (skipped == asked) {
            asked = 2 * asked < most ? 2 * asked : most;
            continue;
        }
        int64_t j = moves->order[i++];
        dcpn_moves_move(moves, point, j, delta_of(moves, F, point, j), change);
        made++;
        asked = 1;
    }
    return made;
}

static double move_of(const struct moves *moves, const struct objective *F, const struct point *point, int64_t j)
{
    double promised;
    return best_move(&F->penalty, j, moves->L[j], point->x[j], point->gradient[j], &promised);
}

static double drop_of(const struct moves *moves, const struct objective *F, const struct point *point, int64_t j)
{
    (void)moves;
    (void)F;
    return -point->x[j];
}

int64_t dcpn_moves_make(struct moves *moves, struct objective *F, struct point *point, struct look *look, double goal)
{
    int64_t count = 0;
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
    return make_in_order(moves, F, point, count, move_of);
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
    int most = F->loss.is_exact ? MOVES_AT_ONCE : 1;
    for (int64_t i = 0; i < count;) {
        double change;
        int asked = count - i < most ? (int)(count - i) : most;
        if (skip_useless(moves, F, point, i, asked, drop_of, &change) < asked) return 1;
        i += asked;
    }
    return 0;
}

int64_t dcpn_moves_drop(struct moves *moves, struct objective *F, struct point *point, int only_bent)
{
    dcpn_moves_learn(moves, F);
    if (F->penalty.composition) return dcpn_block_moves_drop(moves, F, point, only_bent);
    return make_in_order(moves, F, point, list_droppable(moves, F, point, only_bent), drop_of);
}
