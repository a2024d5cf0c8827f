/* SPDX-License-Identifier: BSD-3-Clause */
/* The first atoms: rows of X that differ, drawn one after another with probabilities that grow with what the atoms
 * before leave of them, |x_i|^2 - max_k (d_k'x_i)^2. So no direction is taken twice, and large groups of rows are not
 * missed. */
#include <math.h>

#include "base/context.h"
#include "base/rng.h"
#include "base/vector.h"
#include "structured/factoring.h"

/* Draws a row by its share of the sum; if rounding leads beyond it, the last row that has a share. */
static int64_t draw_row(const struct factoring *f, struct rng *rng)
{
    double sum = 0.0, reached = 0.0;
    int64_t row = -1;
    for (int64_t i = 0; i < f->count; i++) sum += f->space.left[i];
    double goal = dcpn_rng_uniform(rng) * sum;
    for (int64_t i = 0; i < f->count && reached <= goal; i++) {
        if (!(f->space.left[i] > 0.0)) continue;
        reached += f->space.left[i];
        row = i;
    }
    return row;
}

static void leave_out(struct factoring *f, const double *atom)
{
    f->X->ops->apply(f->X, atom, f->space.numbers);
    for (int64_t i = 0; i < f->count; i++) {
        double rest = f->norms2[i] - f->space.numbers[i] * f->space.numbers[i];
        f->space.left[i] = rest > 1e-12 * f->norms2[i] ? fmin(f->space.left[i], rest) : 0.0;
    }
}

/* Draws the first atoms. If X has fewer directions than there are atoms, the others stay 0, and no code uses them. */
void dcpn_factoring_start(struct factoring *f, uint64_t seed)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    dcpn_copy(f->count, f->norms2, f->space.left);
    for (int64_t k = 0; k < f->atoms; k++) {
        double *atom = f->D + k * f->length;
        int64_t row = draw_row(f, &rng);
        if (row < 0) return;
        dcpn_factoring_row(f, row, atom);
        dcpn_factoring_make_atom(f, atom);
        leave_out(f, atom);
    }
}

dcpn_status dcpn_factoring_start_at(struct factoring *f, const double *atoms)
{
    if (!dcpn_all_finite(f->atoms * f->length, atoms))
        return dcpn_fail(f->context, DCPN_DATA, "atoms to start from: found one that is not finite, expected numbers");
    dcpn_copy(f->atoms * f->length, atoms, f->D);
    for (int64_t k = 0; k < f->atoms; k++) dcpn_atom_project(f->length, f->nonnegative_atoms, f->D + k * f->length);
    return DCPN_OK;
}
