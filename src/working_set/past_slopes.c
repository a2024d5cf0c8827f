/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known without a reading. */
#include "working_set/past_slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"

static double mean_of(int64_t count, const float *numbers)
{
    double sum = 0.0;
    for (int64_t j = 0; j < count; j++) sum += isfinite(numbers[j]) ? (double)numbers[j] : 0.0;
    return sum / (double)count;
}

dcpn_status dcpn_past_slopes_new(dcpn_context *context, const dcpn_matrix *A, struct past_slopes *known)
{
    size_t rows = (size_t)A->rows;
    *known = (struct past_slopes){.rows = A->rows};
    DCPN_TRY(dcpn_byte_copy_new(context, A, dcpn_level(), &known->copy));
    known->mean_unit = mean_of(A->columns, known->copy->unit);
    known->mean_norm = mean_of(A->columns, known->copy->norm);
    size_t room = DCPN_MOST_PAST_SLOPES * (size_t)known->copy->room;
    known->r = dcpn_allocate(context, DCPN_MOST_PAST_SLOPES * rows, sizeof *known->r);
    known->g = dcpn_allocate(context, room, sizeof *known->g);
    known->e = dcpn_allocate(context, rows, sizeof *known->e);
    if (!known->r || !known->g || !known->e) return DCPN_MEMORY;
    memset(known->g, 0, room * sizeof *known->g);
    return DCPN_OK;
}

void dcpn_past_slopes_free(dcpn_context *context, struct past_slopes *known)
{
    dcpn_byte_copy_free(context, known->copy);
    dcpn_free(context, known->r);
    dcpn_free(context, known->g);
    dcpn_free(context, known->e);
    *known = (struct past_slopes){0};
}

static const double *rows_of(const struct past_slopes *known, int64_t i)
{
    return known->r + i * known->rows;
}

int64_t dcpn_past_slopes_read(struct past_slopes *known, const double *r, struct sought *found)
{
    int64_t place = known->next;
    float *g = known->g + place * known->copy->room;
    int64_t touched = dcpn_byte_copy_read(known->copy, r, g, &known->reach[place]);
    dcpn_copy(known->rows, r, known->r + place * known->rows);
    known->next = (place + 1) % DCPN_MOST_PAST_SLOPES;
    if (known->count < DCPN_MOST_PAST_SLOPES) known->count++;
    *found = (struct sought){.g = {g, g}, .c = {1.0, 0.0}, .reach = known->reach[place]};
    return touched;
}

/* How much shorter e becomes by its part along a reference, orthogonal to the one that is taken already (-1: none). */
static double gain(const struct past_slopes *known, int64_t i, int64_t taken)
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
static int64_t choose(const struct past_slopes *known, int64_t taken)
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
static void project(struct past_slopes *known, const double *r, const int64_t chosen[2], double c[2])
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
static struct sought combine(struct past_slopes *known, const double *r, const int64_t chosen[2])
{
    int64_t rows = known->rows;
    struct sought found = {.limit = 0.0};
    project(known, r, chosen, found.c);
    double terms = sqrt(dcpn_dot(rows, r, r)), rounding = 4.0 * (double)(rows + 8) * DBL_EPSILON;
    for (int k = 0; k < 2; k++) {
        const struct reach *reach = &known->reach[chosen[k]];
        double size = fabs(found.c[k]) * (1.0 + rounding);
        found.g[k] = known->g + chosen[k] * known->copy->room;
        found.reach.of_unit += size * reach->of_unit;
        found.reach.of_norm += size * reach->of_norm;
        terms += size * sqrt(dcpn_dot(rows, rows_of(known, chosen[k]), rows_of(known, chosen[k])));
    }
    found.reach.of_norm +=
        sqrt(dcpn_dot(rows, known->e, known->e)) * (1.0 + rounding) + (rounding + DCPN_BYTE_COPY_ROUNDING) * terms;
    return found;
}

/* Of a column like most. */
static double size_of(const struct past_slopes *known, const struct reach *reach)
{
    return reach->of_unit * known->mean_unit + reach->of_norm * known->mean_norm;
}

/* By one or by two: where these are nearly along one line, large multiples of them make much of what they are wrong by. */
struct sought dcpn_past_slopes_estimate(struct past_slopes *known, const double *r)
{
    int64_t chosen[2];
    dcpn_copy(known->rows, r, known->e);
    chosen[0] = chosen[1] = choose(known, -1);
    struct sought one = combine(known, r, chosen);
    chosen[1] = choose(known, chosen[0]);
    struct sought two = combine(known, r, chosen);
    return size_of(known, &two.reach) < size_of(known, &one.reach) ? two : one;
}
