/* SPDX-License-Identifier: BSD-3-Clause */
/* B_0, the matrix that L-BFGS corrects by its pairs: sigma I, or, once formed, the diagonal of the Hessian of f1, and
 * on the coordinates K that matter most all of it, as a sample of the rows shows it. */
#ifndef DCPN_SRC_SEED_H
#define DCPN_SRC_SEED_H

#include "base/state.h"
#include "objective/objective.h"

struct seed {
    double sigma;       /* B_0 = sigma I while not formed */
    int64_t count;      /* of K; 0: not formed */
    int64_t most;       /* that K may have; 0: never formed */
    int64_t *K, *place; /* ascending; and for each coordinate its place in K, or -1 */
    double *diagonal;   /* of B_0 */
    double *G, *Gd;     /* B_0 on K, and its product with the d of a walk */
    double *w;          /* phi1'' of the rows, times their weights */
    double *scratch, *scratch_rows;
    double curvature; /* the sum of w at which it was formed */
    int64_t forms;    /* times it was */
    int64_t updates;  /* since the last of them, or since the beginning */
    struct gram_space space;
};

/* Lays out a seed for so many coordinates; 0: B_0 stays sigma I. */
void dcpn_seed_layout(struct seed *seed, const struct objective *objective, int64_t size, struct arena *arena);
/* B_0 outlives an update. */
void dcpn_seed_state(struct seed *seed, int64_t size, struct state *state);
/* Another descent begins. */
void dcpn_seed_forget(struct seed *seed);
/* Once for each update of the metric. Forms B_0 if it is time to, or anew if x or the curvature of the rows have become
 * others; 1 if it did. */
int dcpn_seed_refresh(struct seed *seed, struct objective *objective, const struct point *point);

/* A walk keeps B_0 d current while single entries of d move. */
void dcpn_seed_walk_start(struct seed *seed, const double *d);
void dcpn_seed_walk_move(struct seed *seed, int64_t j, double delta);
static inline double dcpn_seed_walk_product(const struct seed *seed, const double *d, int64_t j)
{
    if (seed->count == 0) return seed->sigma * d[j];
    return seed->place[j] < 0 ? seed->diagonal[j] * d[j] : seed->Gd[seed->place[j]];
}
double dcpn_seed_walk_form(const struct seed *seed, int64_t size, const double *d); /* d'B_0 d */

static inline double dcpn_seed_diagonal(const struct seed *seed, int64_t j)
{
    return seed->count == 0 ? seed->sigma : seed->diagonal[j];
}
double dcpn_seed_bound(const struct seed *seed, int64_t size); /* B_0 <= bound I */

#endif
