/* SPDX-License-Identifier: BSD-3-Clause */
/* Beyond stationarity: moves of one coordinate that lower F although no small move does. */
#ifndef DCPN_SRC_COORDINATE_MOVES_H
#define DCPN_SRC_COORDINATE_MOVES_H

#include "working_set/look.h"

struct moves {
    double *L;   /* a bound on the curvature of f along each coordinate */
    int known_L; /* it depends on the data alone */
    double least_L;
    double safe; /* a slope that no coordinate leaves 0 for */
    int64_t *order;
    double *size; /* by which it is sorted */
    struct some_rows column;
    double *d, *du; /* with blocks: a move, 0 between two of them, and A times it */
};

/* Do such moves make sense for this problem? They need an h with h2, by coordinates or blocks, and a loss of bounded
 * curvature. */
int dcpn_moves_exist(const struct objective *objective);
void dcpn_moves_layout(struct moves *moves, const struct objective *objective, struct arena *arena);

/* Counts the coordinates with a move that lowers F by more than goal^2 / (2 L_j), the most that a small move can gain
 * where the stationarity is `goal`. A move is judged by the bound
 *     g_j (y - x_j) + L_j / 2 (y - x_j)^2 + h_j(y) - h_j(x_j),
 * which is no less than the change of F; g is the gradient at the point. */
int64_t dcpn_moves_count(struct moves *moves, struct objective *objective, struct point *point, struct look *look,
                         double goal);

/* Computes L, and what depends on it alone. */
void dcpn_moves_learn(struct moves *moves, struct objective *objective);
/* Returns a slope up to which no column with the penalty h_j leaves 0: there the prox is 0 for the column of the
 * least L, and hence for all others. */
double dcpn_moves_safe_slope(const struct moves *moves, const struct penalty *h, int64_t j);
/* Has a coordinate with the penalty h_j such a move from x, where its slope is g and the bound on the curvature is
 * L? */
int dcpn_moves_has_move(const struct penalty *h, int64_t j, double L, double x, double g, double value, double goal);

/* Makes such moves where they lower F, those that promise most first. The exact change of the loss over the column
 * decides. x, u and F of the point are kept current. Returns how many moves were made. */
int64_t dcpn_moves_make(struct moves *moves, struct objective *objective, struct point *point, struct look *look,
                        double goal);

/* The first returns F(x + delta e_j) - F(x), exactly, at the cost of reading the column. The second makes that move;
 * its column must be the last one that the first has read. */
double dcpn_moves_change(struct moves *moves, struct objective *objective, const struct point *point, int64_t j,
                         double delta);
void dcpn_moves_move(const struct moves *moves, struct point *point, int64_t j, double delta, double change);
/* Several such questions at the same point, which are one message on ranks. */
enum { MOVES_AT_ONCE = 16 };
void dcpn_moves_changes(struct moves *moves, struct objective *objective, const struct point *point, int count,
                        const int64_t *columns, const double *delta, double *change);

/* Sets coefficients to 0 where that lowers F, those that matter least first. The exact change of the loss over the
 * column decides. x, u and F of the point are kept current. Returns how many were set to 0. With `only_bent`
 * coefficients for which h is h1 are left alone: where F is stationary and f convex, dropping one of them cannot
 * lower F. */
int64_t dcpn_moves_drop(struct moves *moves, struct objective *objective, struct point *point, int only_bent);
/* Would dcpn_moves_drop set a coefficient to 0? */
int dcpn_moves_has_drop(struct moves *moves, struct objective *objective, const struct point *point, int only_bent);

#endif
