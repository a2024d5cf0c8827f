/* SPDX-License-Identifier: BSD-3-Clause */
/* The direction: D minimises, by coordinates,
 *     sum_pairs v_ij D_ij + <D, W D W> / 2 + bend D_ij^2 / 2 + c |K_ij + D_ij|
 * With U = D W the slope at an entry takes one product of two vectors, and a move changes two rows of U:
 *     (W D W)_ij = w_i'(column j of U),     U_i += moved w_j,     U_j += moved w_i.
 * Rows of U lie side by side, columns do not: the pairs of a column are done one after another, with a copy of it. */
#include <math.h>

#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/precision.h"

static void move_entry(struct precision *x, int64_t i, int64_t j, double moved)
{
    int64_t n = x->size;
    const double *wi = x->W + i * n, *wj = x->W + j * n;
    dcpn_axpy(x->n, moved, wj, x->DW + i * n);
    x->column[i] += moved * wj[j];
    if (i == j) return;
    dcpn_axpy(x->n, moved, wi, x->DW + j * n);
    x->column[j] += moved * wi[j];
}

static void improve_pair(struct precision *x, int64_t e, int64_t j)
{
    struct pairs *pairs = &x->pairs;
    int64_t i = pairs->row[e];
    double c = x->h->penalty.c[dcpn_term_of_pair(x->h, x->members[i], x->members[j])];
    double slope = pairs->slope[e] + pairs->bend[e] * pairs->move[e] + dcpn_dot(x->n, x->W + i * x->size, x->column);
    double at = x->K[i * x->size + j] + pairs->move[e], curvature = pairs->curvature[e];
    double moved = dcpn_soft_threshold(at - slope / curvature, c / curvature) - at;
    if (moved == 0.0) return;
    pairs->move[e] += moved;
    move_entry(x, i, j, moved);
}

static void sweep(struct precision *x)
{
    for (int64_t j = 0; j < x->n; j++) {
        for (int64_t k = 0; k < x->n; k++) x->column[k] = x->DW[k * x->size + j];
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) improve_pair(x, e, j);
    }
}

/* A few sweeps find which entries are 0, then conjugate gradients the others; again where an entry met 0 on the way. */
void dcpn_precision_direct(struct precision *x, double enough)
{
    dcpn_fill(x->size * x->size, 0.0, x->DW);
    for (int64_t round = 0; round < GRAPH_ROUNDS; round++) {
        for (int64_t made = 0; made < GRAPH_SWEEPS; made++) {
            if (dcpn_is_interrupted(x->context)) return; /* what there is of D will do */
            sweep(x);
        }
        if (dcpn_precision_conjugate(x, enough, GRAPH_MOST_PRODUCTS)) return;
    }
}
