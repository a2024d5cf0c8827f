/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known without a reading. */
#include "objective/references.h"

#include <float.h>
#include <math.h>

#include "base/vector.h"

dcpn_status dcpn_references_new(dcpn_context *context, const struct objective *F, struct references *known)
{
    size_t rows = (size_t)F->rows, size = (size_t)F->size;
    *known = (struct references){.rows = F->rows, .size = F->size};
    known->r = dcpn_allocate(context, DCPN_MOST_REFERENCES * rows, sizeof *known->r);
    known->g = dcpn_allocate(context, DCPN_MOST_REFERENCES * size, sizeof *known->g);
    known->norm = dcpn_allocate(context, size, sizeof *known->norm);
    known->e = dcpn_allocate(context, rows, sizeof *known->e);
    return known->r && known->g && known->norm && known->e ? DCPN_OK : DCPN_MEMORY;
}

void dcpn_references_free(dcpn_context *context, struct references *known)
{
    dcpn_free(context, known->r);
    dcpn_free(context, known->g);
    dcpn_free(context, known->norm);
    dcpn_free(context, known->e);
    *known = (struct references){0};
}

static const double *rows_of(const struct references *known, int64_t i)
{
    return known->r + i * known->rows;
}

struct estimate dcpn_references_read(struct references *known, struct objective *F, const double *r)
{
    int64_t place = known->next;
    double *g = known->g + place * known->size;
    if (!known->knows_norm) dcpn_objective_norms(F, known->e, known->norm);
    known->knows_norm = 1;
    dcpn_design_adjoint(&F->design, r, g);
    dcpn_copy(known->rows, r, known->r + place * known->rows);
    known->next = (place + 1) % DCPN_MOST_REFERENCES;
    if (known->count < DCPN_MOST_REFERENCES) known->count++;
    return (struct estimate){.g = {g, g}, .c = {1.0, 0.0}};
}

/* How much shorter e becomes by its part along a reference, orthogonal to the one that is taken already (-1: none). */
static double gain(const struct references *known, int64_t i, int64_t taken)
{
    const double *r = rows_of(known, i);
    double along = dcpn_dot(known->rows, r, known->e), square = dcpn_dot(known->rows, r, r), before = square;
    if (taken >= 0) {
        const double *other = rows_of(known, taken);
        double common = dcpn_dot(known->rows, r, other);
        square -= common * common / dcpn_dot(known->rows, other, other);
    }
    return square > DBL_EPSILON * before ? along * along / square : 0.0;
}

/* The best one for e, or one with a gain of 0 if that is all there is. */
static int64_t choose(const struct references *known, int64_t taken)
{
    int64_t best = taken >= 0 ? taken : 0;
    double most = 0.0;
    for (int64_t i = 0; i < known->count; i++) {
        double gained = i == taken ? 0.0 : gain(known, i, taken);
        if (gained > most) best = i;
        most = fmax(most, gained);
    }
    return best;
}

/* e = r less its projections; the coefficients of both. */
static void project(struct references *known, const double *r, const int64_t chosen[2], double c[2])
{
    int64_t rows = known->rows;
    const double *p = rows_of(known, chosen[0]), *q = rows_of(known, chosen[1]);
    double pp = dcpn_dot(rows, p, p), pq = dcpn_dot(rows, p, q), qq = dcpn_dot(rows, q, q);
    double pr = dcpn_dot(rows, p, r), qr = dcpn_dot(rows, q, r), determinant = pp * qq - pq * pq;
    c[0] = pp > 0.0 ? pr / pp : 0.0;
    c[1] = 0.0;
    if (chosen[1] != chosen[0] && determinant > DBL_EPSILON * pp * qq) {
        c[0] = (pr * qq - qr * pq) / determinant;
        c[1] = (qr * pp - pr * pq) / determinant;
    }
    for (int64_t i = 0; i < rows; i++) known->e[i] = r[i] - c[0] * p[i] - c[1] * q[i];
}

/* Whatever the coefficients are, r = c_1 r_1 + c_2 r_2 + e. What is rounded is e, by a few units of the terms that it is
 * the sum of, and each product with a_j, by one for each row. */
struct estimate dcpn_references_estimate(struct references *known, const double *r)
{
    int64_t chosen[2], rows = known->rows;
    struct estimate found;
    dcpn_copy(rows, r, known->e);
    chosen[0] = choose(known, -1);
    const double *first = rows_of(known, chosen[0]);
    double square = dcpn_dot(rows, first, first);
    if (square > 0.0) dcpn_axpy(rows, -dcpn_dot(rows, first, r) / square, first, known->e);
    chosen[1] = choose(known, chosen[0]);
    project(known, r, chosen, found.c);
    double terms = sqrt(dcpn_dot(rows, r, r));
    for (int k = 0; k < 2; k++) {
        found.g[k] = known->g + chosen[k] * known->size;
        terms += fabs(found.c[k]) * sqrt(dcpn_dot(rows, rows_of(known, chosen[k]), rows_of(known, chosen[k])));
    }
    double rounding = 4.0 * (double)(rows + 8) * DBL_EPSILON;
    found.radius = sqrt(dcpn_dot(rows, known->e, known->e)) * (1.0 + rounding) + rounding * terms;
    return found;
}
