/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes and atoms where entries of X are missing: the squares count those alone that are seen. So each code has a Gram
 * matrix of its own, of the places that its row has, and each entry of an atom a curvature of its own, of the rows that
 * see it. What is left of X at these places goes along with every move. */
#include <math.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "base/vector.h"
#include "structured/factoring.h"

static void find_rest(const struct factoring *f, int64_t i)
{
    const struct seen *seen = f->seen;
    const double *c = f->C + i * f->atoms;
    int64_t begin = seen->row_start[i], end = seen->row_start[i + 1];
    dcpn_copy(end - begin, seen->value + begin, f->space.rest + begin);
    for (int64_t k = 0; k < f->atoms; k++) {
        const double *d = f->D + k * f->length;
        for (int64_t e = begin; c[k] != 0.0 && e < end; e++) f->space.rest[e] -= c[k] * d[seen->column_of[e]];
    }
}

static void look_at_some(void *user, int64_t begin, int64_t end)
{
    const struct factoring *f = user;
    const struct seen *seen = f->seen;
    for (int64_t i = begin; i < end; i++) {
        find_rest(f, i);
        for (int64_t k = 0; k < f->atoms; k++) {
            const double *d = f->D + k * f->length;
            double sum = f->ridge[k] * f->C[i * f->atoms + k];
            for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++)
                sum -= d[seen->column_of[e]] * f->space.rest[e];
            f->Q[i * f->atoms + k] = sum;
        }
    }
}

void dcpn_seen_codes_look(struct factoring *f)
{
    dcpn_parallel_ranges(f->context, f->count, look_at_some, f);
}

double dcpn_seen_left(const struct factoring *f, int64_t i)
{
    int64_t begin = f->seen->row_start[i];
    return dcpn_dot(f->seen->row_start[i + 1] - begin, f->space.rest + begin, f->space.rest + begin);
}

/* G = D D' at the places that row i has. */
static void find_gram_of(struct factoring *f, int64_t i)
{
    const struct seen *seen = f->seen;
    for (int64_t k = 0; k < f->atoms; k++)
        for (int64_t l = 0; l <= k; l++) {
            const double *d = f->D + k * f->length, *other = f->D + l * f->length;
            double sum = k == l ? f->ridge[k] : 0.0;
            for (int64_t e = seen->row_start[i]; e < seen->row_start[i + 1]; e++)
                sum += d[seen->column_of[e]] * other[seen->column_of[e]];
            f->G[k * f->atoms + l] = f->G[l * f->atoms + k] = sum;
        }
}

/* Row by row, because there is room for one Gram matrix. */
void dcpn_seen_codes_minimize(struct factoring *f, double enough, int64_t sweeps)
{
    for (int64_t i = 0; i < f->count && !dcpn_is_interrupted(f->context); i++) {
        find_gram_of(f, i);
        dcpn_codes_prepare(f);
        dcpn_codes_minimize_some(f, i, i + 1, enough, sweeps);
        find_rest(f, i);
    }
}

/* ---- atoms ---- */

void dcpn_seen_atom_slope(const struct factoring *f, int64_t k, double *slope, double *weight)
{
    const struct seen *seen = f->seen;
    dcpn_fill(f->length, 0.0, slope);
    dcpn_fill(f->length, 0.0, weight);
    for (int64_t i = 0; i < f->count; i++) {
        double c = f->C[i * f->atoms + k];
        for (int64_t e = seen->row_start[i]; c != 0.0 && e < seen->row_start[i + 1]; e++) {
            slope[seen->column_of[e]] += c * f->space.rest[e];
            weight[seen->column_of[e]] += c * c;
        }
    }
}

void dcpn_seen_atom_move(struct factoring *f, int64_t k, const double *to)
{
    const struct seen *seen = f->seen;
    const double *from = f->D + k * f->length;
    for (int64_t i = 0; i < f->count; i++) {
        double c = f->C[i * f->atoms + k];
        for (int64_t e = seen->row_start[i]; c != 0.0 && e < seen->row_start[i + 1]; e++)
            f->space.rest[e] -= c * (to[seen->column_of[e]] - from[seen->column_of[e]]);
    }
}

void dcpn_seen_residual(const struct factoring *f, int64_t i, double *row)
{
    dcpn_fill(f->length, 0.0, row);
    for (int64_t e = f->seen->row_start[i]; e < f->seen->row_start[i + 1]; e++)
        row[f->seen->column_of[e]] = f->space.rest[e];
}
