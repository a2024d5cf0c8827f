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

/* Does it make sense for this problem: an h with h2, by coordinates or blocks, and a loss of bounded curvature? */
int dcpn_moves_exist(const struct objective *objective);
void dcpn_moves_layout(struct moves *moves, const struct objective *objective, struct arena *arena);

/* How many coordinates have a move that lowers F by more than `goal`, a stationarity, allows of a small one: in
 *     g_j (y - x_j) + L_j / 2 (y - x_j)^2 + h_j(y) - h_j(x_j),
 * which is no less than the change of F. The gradient is that of the point. */
int64_t dcpn_moves_count(struct moves *moves, struct objective *objective, struct point *point, struct look *look,
                         double goal);

/* L and what depends on it alone. */
void dcpn_moves_learn(struct moves *moves, struct objective *objective);
/* A slope up to which the prox is 0 for all columns at 0 of which h_j is the penalty, since it is for the one of the least
 * L and the more so for others. */
double dcpn_moves_safe_slope(const struct moves *moves, const struct penalty *h, int64_t j);
/* Has a coordinate whose penalty is h_j such a move, from x with the slope g and the bound L? */
int dcpn_moves_has_move(const struct penalty *h, int64_t j, double L, double x, double g, double value, double goal);

/* Makes such moves, those that promise most first, where they lower F: by the exact change of the loss over their column.
 * x, u and F of the point are kept current. Returns how many. */
int64_t dcpn_moves_make(struct moves *moves, struct objective *objective, struct point *point, struct look *look,
                        double goal);

/* F(x + delta e_j) - F(x), exactly, at the cost of the column; and that move, along the column that was looked at last. */
double dcpn_moves_change(struct moves *moves, struct objective *objective, const struct point *point, int64_t j,
                         double delta);
void dcpn_moves_move(const struct moves *moves, struct point *point, int64_t j, double delta, double change);

/* Sets coefficients to 0, those that matter least first, where that lowers F: by the exact change of the loss over
 * their column. x, u and F of the point are kept current. Returns how many. With `only_bent` those for which h is h1
 * are left alone: where F is stationary and f convex, no one of them can go. */
int64_t dcpn_moves_drop(struct moves *moves, struct objective *objective, struct point *point, int only_bent);
/* Would it set one to 0? */
int dcpn_moves_has_drop(struct moves *moves, struct objective *objective, const struct point *point, int only_bent);

#endif
