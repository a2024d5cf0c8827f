/* SPDX-License-Identifier: BSD-3-Clause */
/* Atoms, the codes being what they are. With A = C'C and B = C'X that of atom k alone is least at
 *     the projection of d_k + (B_k - A_k D) / A_kk onto {|d| <= 1}
 * because its part of F is A_kk |d|^2 / 2 and linear terms: the distance from that point. Codes follow atoms, and a
 * block that goes beyond its minimum brings both to the end in fewer turns. Projected steps of
 *     w (B_k - A_k D) / A_kk,   0 < w < 2,
 * are shorter than 2 over the curvature, so that F falls with each of them as well. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "penalty/scalar.h"
#include "structured/factoring.h"

static void take_column(const struct factoring *f, int64_t k)
{
    for (int64_t i = 0; i < f->count; i++) f->space.numbers[i] = f->C[i * f->atoms + k];
}

static void find_gram(struct factoring *f)
{
    int64_t K = f->atoms;
    dcpn_fill(K * K, 0.0, f->A);
    for (int64_t i = 0; i < f->count; i++) {
        const double *c = f->C + i * K;
        for (int64_t k = 0; k < K; k++)
            if (c[k] != 0.0) dcpn_axpy(K, c[k], c, f->A + k * K);
    }
}

void dcpn_atoms_look(struct factoring *f)
{
    find_gram(f);
    for (int64_t k = 0; !f->seen && k < f->atoms; k++) {
        take_column(f, k);
        f->X->ops->adjoint(f->X, f->space.numbers, f->B + k * f->length);
    }
}

void dcpn_atom_project(int64_t length, int nonnegative, double *d)
{
    for (int64_t j = 0; nonnegative && j < length; j++) d[j] = fmax(d[j], 0.0);
    double norm = dcpn_norm2(length, d);
    for (int64_t j = 0; norm > 1.0 && j < length; j++) d[j] /= norm;
}

/* ---- the best place of an atom ---- */

/* The slope of the squares along atom k, with its sign turned, and their curvature along each entry. Returns 0 if no
 * code uses the atom. */
static int find_slope(struct factoring *f, int64_t k)
{
    const double *A = f->A + k * f->atoms;
    if (!(A[k] > 0.0)) return 0;
    if (f->seen) {
        dcpn_seen_atom_slope(f, k, f->space.atom, f->space.weight);
        return 1;
    }
    dcpn_copy(f->length, f->B + k * f->length, f->space.atom);
    for (int64_t l = 0; l < f->atoms; l++)
        if (A[l] != 0.0) dcpn_axpy(f->length, -A[l], f->D + l * f->length, f->space.atom);
    dcpn_fill(f->length, A[k], f->space.weight);
    return 1;
}

/* One entry of length t with the penalty c |d| - z d, the model of p at d. Where nobody sees it only the penalty
 * counts. */
static double shrink(const struct factoring *f, double d, double t, double weight)
{
    double c = f->of_atoms.base_lambda > 0.0 ? f->of_atoms.c[0] : 0.0;
    if (!(c > 0.0)) return t;
    double z = d == 0.0 ? 0.0 : copysign(c - dcpn_p_slope(&f->of_atoms, 0, fabs(d), DCPN_RIGHT), d);
    if (!(weight > 0.0)) return fabs(z) < c ? 0.0 : d;
    t += z / weight;
    return copysign(fmax(fabs(t) - c / weight, 0.0), t);
}

/* Shortens t to length 1 where entries weigh differently: t_j becomes w_j t_j / (w_j + m), m >= 0. The root of
 * 1 / |t(m)| = 1 by Newton's method from 0, which comes from below. */
static void shorten(int64_t length, const double *weight, double *t)
{
    double m = 0.0, norm = dcpn_norm2(length, t);
    if (norm <= 1.0) return;
    for (int made = 0; made < FACTOR_SHORTEN_STEPS; made++) {
        double squares = 0.0, slope = 0.0;
        for (int64_t j = 0; j < length; j++) {
            if (!(weight[j] > 0.0)) continue;
            double s = weight[j] * t[j] / (weight[j] + m);
            squares += s * s;
            slope += s * s / (weight[j] + m);
        }
        double next = squares > 1.0 ? m + squares * (sqrt(squares) - 1.0) / slope : m;
        if (!(next > m)) break;
        m = next;
    }
    for (int64_t j = 0; j < length; j++) t[j] = weight[j] > 0.0 ? weight[j] * t[j] / (weight[j] + m) : 0.0;
    dcpn_atom_project(length, 0, t); /* what rounding leaves above 1 */
}

/* Puts into f->space.atom the place to which `steps` times the step to the minimum of the model of atom k leads. The
 * model is exact but for what the penalty of its entries is below its tangents. Returns 0 if no code uses the atom. */
static int find_place(struct factoring *f, int64_t k, double steps)
{
    const double *d = f->D + k * f->length;
    double *t = f->space.atom;
    if (!find_slope(f, k)) return 0;
    for (int64_t j = 0; j < f->length; j++) {
        double weight = f->space.weight[j] / steps;
        t[j] = shrink(f, d[j], weight > 0.0 ? d[j] + t[j] / weight : d[j], weight);
        if (f->nonnegative_atoms) t[j] = fmax(t[j], 0.0);
    }
    if (f->seen)
        shorten(f->length, f->space.weight, t);
    else
        dcpn_atom_project(f->length, 0, t);
    return 1;
}

static double way_to_best_place(const struct factoring *f, int64_t k)
{
    const double *d = f->D + k * f->length;
    double sum = 0.0;
    for (int64_t j = 0; j < f->length; j++) sum += (f->space.atom[j] - d[j]) * (f->space.atom[j] - d[j]);
    return sqrt(sum);
}

double dcpn_atom_multiplier(struct factoring *f, int64_t k)
{
    if (!find_slope(f, k)) return 0.0;
    return fmax(dcpn_dot(f->length, f->space.atom, f->D + k * f->length), 0.0);
}

double dcpn_atoms_violation(struct factoring *f)
{
    double worst = 0.0;
    for (int64_t k = 0; k < f->atoms; k++)
        if (find_place(f, k, 1.0)) worst = fmax(worst, way_to_best_place(f, k));
    return worst;
}

static void move(struct factoring *f, int64_t k)
{
    if (f->seen) dcpn_seen_atom_move(f, k, f->space.atom);
    dcpn_copy(f->length, f->space.atom, f->D + k * f->length);
}

void dcpn_atoms_improve(struct factoring *f)
{
    for (int64_t k = 0; k < f->atoms; k++)
        if (find_place(f, k, FACTOR_RELAXATION)) move(f, k);
}

/* ---- atoms that no code uses ---- */

/* Makes an atom of what the codes leave unexplained of row i. */
static void take_residual(struct factoring *f, int64_t i, double *d)
{
    if (f->seen)
        dcpn_seen_residual(f, i, d);
    else
        dcpn_factoring_row(f, i, d);
    for (int64_t k = 0; !f->seen && k < f->atoms; k++)
        if (f->C[i * f->atoms + k] != 0.0) dcpn_axpy(f->length, -f->C[i * f->atoms + k], f->D + k * f->length, d);
    dcpn_factoring_make_atom(f, d);
}

static int64_t take_worst(int64_t count, double *left)
{
    int64_t worst = 0;
    for (int64_t i = 1; i < count; i++)
        if (left[i] > left[worst]) worst = i;
    left[worst] = 0.0; /* the next one takes another row */
    return worst;
}

void dcpn_atoms_renew(struct factoring *f)
{
    int has_looked = 0;
    for (int64_t k = 0; k < f->atoms; k++) {
        if (f->A[k * f->atoms + k] > 0.0) continue;
        for (int64_t i = 0; i < f->count && !has_looked; i++) f->space.left[i] = dcpn_factoring_left(f, i);
        has_looked = 1;
        take_residual(f, take_worst(f->count, f->space.left), f->space.atom);
        dcpn_copy(f->length, f->space.atom, f->D + k * f->length);
    }
}
