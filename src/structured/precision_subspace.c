/* SPDX-License-Identifier: BSD-3-Clause */
/* The direction among the entries that sweeps have left away from 0, with their signs: there the model is a quadratic,
 *     <v + c sign, D> + <D, W D W> / 2 + bend D^2 / 2,
 * and conjugate gradients, scaled by the curvature along each entry, take far fewer products than sweeps where
 * variables depend on one another much. The way there ends where an entry would change its sign; sweeps go on from that
 * point. */
#include <math.h>

#include "base/interrupt.h"
#include "base/vector.h"
#include "structured/precision.h"

/* M += P W, P with the given values at the pairs. */
static void add_products(const struct precision *x, const double *values, double *M)
{
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            int64_t i = x->pairs.row[e];
            if (values[e] == 0.0) continue;
            dcpn_axpy(x->n, values[e], x->W + j * x->size, M + i * x->size);
            if (i != j) dcpn_axpy(x->n, values[e], x->W + i * x->size, M + j * x->size);
        }
}

void dcpn_precision_multiply(const struct precision *x, const double *values, double *M)
{
    dcpn_fill(x->size * x->size, 0.0, M);
    add_products(x, values, M);
}

/* out = (W M)_ij + bend values at the pairs that are free, M = P W; 0 elsewhere. */
static void apply_hessian(struct precision *x, const double *values, double *out)
{
    dcpn_precision_multiply(x, values, x->trial);
    for (int64_t j = 0; j < x->n; j++) {
        for (int64_t k = 0; k < x->n; k++) x->column[k] = x->trial[k * x->size + j];
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            out[e] = 0.0;
            if (x->pairs.side[e] == 0.0) continue;
            out[e] = dcpn_dot(x->n, x->W + x->pairs.row[e] * x->size, x->column) + x->pairs.bend[e] * values[e];
        }
    }
}

/* <a, b> of symmetric matrices. */
static double inner(const struct precision *x, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++)
            sum += dcpn_pair_times(x->pairs.row[e], j) * a[e] * b[e];
    return sum;
}

static double slope_of_h1(const struct precision *x, int64_t e, int64_t j)
{
    return x->h->penalty.c[dcpn_term_of_pair(x->h, x->members[x->pairs.row[e]], x->members[j])];
}

/* Finds on which side of 0 each pair is, and minus the slope of the model there; D W must be known. Returns the
 * largest slope. */
static double begin(struct precision *x, double *residual)
{
    double worst = 0.0;
    for (int64_t j = 0; j < x->n; j++) {
        for (int64_t k = 0; k < x->n; k++) x->column[k] = x->DW[k * x->size + j];
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            int64_t i = x->pairs.row[e];
            double at = x->K[i * x->size + j] + x->pairs.move[e], c = slope_of_h1(x, e, j);
            x->pairs.side[e] = at > 0.0 ? 1.0 : at < 0.0 ? -1.0 : c > 0.0 ? 0.0 : 1.0;
            residual[e] = 0.0;
            if (x->pairs.side[e] == 0.0) continue;
            residual[e] = -(x->pairs.slope[e] + x->pairs.bend[e] * x->pairs.move[e] + c * x->pairs.side[e] +
                            dcpn_dot(x->n, x->W + i * x->size, x->column));
            worst = fmax(worst, fabs(residual[e]));
        }
    }
    return worst;
}

static void precondition(const struct precision *x, const double *residual, double *out)
{
    int64_t count = x->pairs.begin[x->n];
    for (int64_t e = 0; e < count; e++) out[e] = residual[e] / x->pairs.curvature[e];
}

/* Adds t way to D, with the largest t <= 1 at which no penalised entry has changed its sign. Returns t. */
static double go(struct precision *x, const double *way)
{
    double t = 1.0;
    for (int64_t j = 0; j < x->n; j++)
        for (int64_t e = x->pairs.begin[j]; e < x->pairs.begin[j + 1]; e++) {
            double at = x->K[x->pairs.row[e] * x->size + j] + x->pairs.move[e];
            if (at * way[e] < 0.0 && slope_of_h1(x, e, j) > 0.0) t = fmin(t, -at / way[e]);
        }
    for (int64_t e = 0; e < x->pairs.begin[x->n]; e++) x->pairs.move[e] += t * way[e];
    return t;
}

/* Returns whether the whole way could be gone. */
int dcpn_precision_conjugate(struct precision *x, double enough, int64_t most)
{
    struct pairs *pairs = &x->pairs;
    int64_t count = pairs->begin[x->n];
    double *residual = pairs->space[0], *direction = pairs->space[1], *product = pairs->space[2],
           *way = pairs->space[3];
    double worst = begin(x, residual);
    if (worst <= enough) return 1;
    dcpn_fill(count, 0.0, way);
    precondition(x, residual, direction);
    double size = inner(x, residual, direction);
    for (int64_t made = 0; made < most && worst > enough && !dcpn_is_interrupted(x->context); made++) {
        apply_hessian(x, direction, product);
        double curvature = inner(x, direction, product);
        if (!(curvature > 0.0)) break; /* h bends more than f: what there is will do */
        double step = size / curvature;
        dcpn_axpy(count, step, direction, way);
        dcpn_axpy(count, -step, product, residual);
        worst = dcpn_norm_max(count, residual);
        precondition(x, residual, product);
        double next = inner(x, residual, product);
        for (int64_t e = 0; e < count; e++) direction[e] = product[e] + next / size * direction[e];
        size = next;
    }
    int is_whole = go(x, way) == 1.0;
    dcpn_precision_multiply(x, pairs->move, x->DW);
    return is_whole;
}
