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
#include "structured/factoring.h"

static void take_column(const struct factoring *f, int64_t k)
{
    for (int64_t i = 0; i < f->count; i++) f->numbers[i] = f->C[i * f->atoms + k];
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
    for (int64_t k = 0; k < f->atoms; k++) {
        take_column(f, k);
        f->X->ops->adjoint(f->X, f->numbers, f->B + k * f->length);
    }
}

void dcpn_atom_project(int64_t length, int nonnegative, double *d)
{
    for (int64_t j = 0; nonnegative && j < length; j++) d[j] = fmax(d[j], 0.0);
    double norm = dcpn_norm2(length, d);
    for (int64_t j = 0; norm > 1.0 && j < length; j++) d[j] /= norm;
}

/* Puts into f->atom the place to which `steps` times the step to the unconstrained minimum of atom k leads, brought
 * into the set of atoms. Returns 0 if no code uses the atom. */
static int find_place(struct factoring *f, int64_t k, double steps)
{
    const double *A = f->A + k * f->atoms, *d = f->D + k * f->length;
    if (!(A[k] > 0.0)) return 0;
    dcpn_copy(f->length, f->B + k * f->length, f->atom);
    for (int64_t l = 0; l < f->atoms; l++)
        if (l != k && A[l] != 0.0) dcpn_axpy(f->length, -A[l], f->D + l * f->length, f->atom);
    for (int64_t j = 0; j < f->length; j++) f->atom[j] = (1.0 - steps) * d[j] + steps * (f->atom[j] / A[k]);
    dcpn_atom_project(f->length, f->nonnegative_atoms, f->atom);
    return 1;
}

static double way_to_best_place(const struct factoring *f, int64_t k)
{
    const double *d = f->D + k * f->length;
    double sum = 0.0;
    for (int64_t j = 0; j < f->length; j++) sum += (f->atom[j] - d[j]) * (f->atom[j] - d[j]);
    return sqrt(sum);
}

double dcpn_atoms_violation(struct factoring *f)
{
    double worst = 0.0;
    for (int64_t k = 0; k < f->atoms; k++)
        if (find_place(f, k, 1.0)) worst = fmax(worst, way_to_best_place(f, k));
    return worst;
}

void dcpn_atoms_improve(struct factoring *f)
{
    for (int64_t k = 0; k < f->atoms; k++)
        if (find_place(f, k, FACTOR_RELAXATION)) dcpn_copy(f->length, f->atom, f->D + k * f->length);
}

/* ---- atoms that no code uses ---- */

/* Makes an atom of what the codes leave unexplained of row i. */
static void take_residual(struct factoring *f, int64_t i, double *d)
{
    dcpn_factoring_row(f, i, d);
    for (int64_t k = 0; k < f->atoms; k++)
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
        for (int64_t i = 0; i < f->count && !has_looked; i++) f->left[i] = dcpn_factoring_left(f, i);
        has_looked = 1;
        take_residual(f, take_worst(f->count, f->left), f->atom);
        dcpn_copy(f->length, f->atom, f->D + k * f->length);
    }
}
