/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known without a reading. */
#include "working_set/past_slopes.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"

static double mean_of(int64_t count, const float *numbers)
{
    double sum = 0.0;
    for (int64_t j = 0; j < count; j++) sum += isfinite(numbers[j]) ? (double)numbers[j] : 0.0;
    return sum / (double)count;
}

static void copy_some(void *user, int64_t first, int64_t count)
{
    struct past_slopes *past = user;
    dcpn_byte_copy_take_some(past->copy, past->A, first, count);
}

static dcpn_status allocate(struct past_slopes *past, int64_t columns)
{
    dcpn_context *context = past->context;
    size_t rows = (size_t)past->rows;
    DCPN_TRY(dcpn_byte_copy_room(context, past->rows, columns, &past->copy));
    size_t room = MOST_PAST_SLOPES * (size_t)past->copy->room;
    past->r = dcpn_allocate(context, MOST_PAST_SLOPES * rows, sizeof *past->r);
    past->g = dcpn_allocate(context, room, sizeof *past->g);
    past->e = dcpn_allocate(context, rows, sizeof *past->e);
    if (!past->r || !past->g || !past->e) return DCPN_MEMORY;
    memset(past->g, 0, room * sizeof *past->g);
    return DCPN_OK;
}

dcpn_status dcpn_past_slopes_new(dcpn_context *context, const dcpn_matrix *A, int64_t rows, int64_t columns,
                                 struct past_slopes **past)
{
    struct past_slopes *made = *past = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct past_slopes){.context = context, .A = A, .is_stale = 1, .rows = rows};
    made->along = (struct column_work){copy_some, made};
    dcpn_status status = allocate(made, columns);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_past_slopes_free(context, made);
    *past = NULL;
    return status;
}

void dcpn_past_slopes_free(dcpn_context *context, struct past_slopes *past)
{
    if (!past) return;
    dcpn_byte_copy_free(context, past->copy);
    dcpn_free(context, past->r);
    dcpn_free(context, past->g);
    dcpn_free(context, past->e);
    dcpn_free(context, past);
}

/* Begins without readings, because those so far were of other columns. */
static void begin(struct past_slopes *past)
{
    past->mean_unit = mean_of(past->copy->count, past->copy->unit);
    past->mean_norm = mean_of(past->copy->count, past->copy->norm);
    past->count = past->next = 0;
    past->is_stale = 0;
}

void dcpn_past_slopes_come_along(struct past_slopes *past, struct objective *objective)
{
    past->comes_along = past->is_stale && dcpn_byte_copy_takes_in_place(past->A);
    if (past->comes_along) objective->along = &past->along;
}

void dcpn_past_slopes_take(struct past_slopes *past, struct objective *objective)
{
    if (!past->is_stale) return;
    int was_taken = past->comes_along && !objective->along;
    objective->along = NULL;
    past->comes_along = 0;
    if (!was_taken) dcpn_byte_copy_take(past->copy, past->A);
    begin(past);
}

void dcpn_past_slopes_choose(struct past_slopes *past, struct past_slopes *all, const int64_t *columns)
{
    if (all->is_stale) {
        dcpn_byte_copy_take(all->copy, all->A);
        begin(all);
    }
    dcpn_byte_copy_choose(past->copy, all->copy, columns);
    begin(past);
}

int dcpn_past_slopes_has(const struct past_slopes *past, const double *r)
{
    for (int64_t i = 0; i < past->count; i++)
        if (memcmp(past->r + i * past->rows, r, (size_t)past->rows * sizeof *r) == 0) return 1;
    return 0;
}

static const double *rows_of(const struct past_slopes *past, int64_t i)
{
    return past->r + i * past->rows;
}

int64_t dcpn_past_slopes_read(struct past_slopes *past, const double *r, struct sought *found)
{
    int64_t place = past->next;
    float *g = past->g + place * past->copy->room;
    int64_t touched = dcpn_byte_copy_read(past->copy, r, g, &past->reach[place]);
    dcpn_copy(past->rows, r, past->r + place * past->rows);
    past->next = (place + 1) % MOST_PAST_SLOPES;
    if (past->count < MOST_PAST_SLOPES) past->count++;
    *found = (struct sought){.g = {g, g}, .c = {1.0, 0.0}, .reach = past->reach[place]};
    return touched;
}

/* By how much |e|^2 falls if e also loses its part along reference i, made orthogonal to the reference that is taken
 * already (-1: none). */
static double gain(const struct past_slopes *past, int64_t i, int64_t taken)
{
    const double *r = rows_of(past, i);
    double along = dcpn_dot(past->rows, r, past->e), square = dcpn_dot(past->rows, r, r), before = square;
    if (taken >= 0) {
        const double *other = rows_of(past, taken);
        double common = dcpn_dot(past->rows, r, other);
        square -= common * common / dcpn_dot(past->rows, other, other);
    }
    return square > DBL_EPSILON * before ? along * along / square : 0.0;
}

/* Chooses the reference that shortens e most, or one that does not shorten it if that is all there is. */
static int64_t choose(const struct past_slopes *past, int64_t taken)
{
    int64_t best = taken >= 0 ? taken : 0;
    double most = 0.0;
    for (int64_t i = 0; i < past->count; i++) {
        double gained = i == taken ? 0.0 : gain(past, i, taken);
        if (gained > most) best = i;
        most = fmax(most, gained);
    }
    return best;
}

/* Computes the coefficients of the projections of r on both references, and e, which is r less these projections. */
static void project(struct past_slopes *past, const double *r, const int64_t chosen[2], double c[2])
{
    int64_t rows = past->rows;
    const double *p = rows_of(past, chosen[0]), *q = rows_of(past, chosen[1]);
    double pp = dcpn_dot(rows, p, p), pq = dcpn_dot(rows, p, q), qq = dcpn_dot(rows, q, q);
    double pr = dcpn_dot(rows, p, r), qr = dcpn_dot(rows, q, r), determinant = pp * qq - pq * pq;
    c[0] = pp > 0.0 ? pr / pp : 0.0;
    c[1] = 0.0;
    if (chosen[1] != chosen[0] && determinant > DBL_EPSILON * pp * qq) {
        c[0] = (pr * qq - qr * pq) / determinant;
        c[1] = (qr * pp - pr * pq) / determinant;
    }
    for (int64_t i = 0; i < rows; i++) past->e[i] = r[i] - c[0] * p[i] - c[1] * q[i];
}

/* Combines two readings. r = c_1 r_1 + c_2 r_2 + e whatever the coefficients are. Rounding changes e by a few units of
 * the terms that it is the sum of, and each product with a_j by one unit for each row. */
static struct sought combine(struct past_slopes *past, const double *r, const int64_t chosen[2])
{
    int64_t rows = past->rows;
    struct sought found = {.limit = 0.0};
    project(past, r, chosen, found.c);
    double terms = sqrt(dcpn_dot(rows, r, r)), rounding = 4.0 * (double)(rows + 8) * DBL_EPSILON;
    for (int k = 0; k < 2; k++) {
        const struct reach *reach = &past->reach[chosen[k]];
        double size = fabs(found.c[k]) * (1.0 + rounding);
        found.g[k] = past->g + chosen[k] * past->copy->room;
        found.reach.of_unit += size * reach->of_unit;
        found.reach.of_norm += size * reach->of_norm;
        terms += size * sqrt(dcpn_dot(rows, rows_of(past, chosen[k]), rows_of(past, chosen[k])));
    }
    found.reach.of_norm +=
        sqrt(dcpn_dot(rows, past->e, past->e)) * (1.0 + rounding) + (rounding + DCPN_BYTE_COPY_ROUNDING) * terms;
    return found;
}

/* The size of the error of a slope, for a column of mean size. */
static double size_of(const struct past_slopes *past, const struct reach *reach)
{
    return reach->of_unit * past->mean_unit + reach->of_norm * past->mean_norm;
}

/* Combines one reading or two, whichever has the smaller error. If two are nearly along one line, they get large
 * coefficients, which make their errors large, too. */
struct sought dcpn_past_slopes_estimate(struct past_slopes *past, const double *r)
{
    int64_t chosen[2];
    dcpn_copy(past->rows, r, past->e);
    chosen[0] = chosen[1] = choose(past, -1);
    struct sought one = combine(past, r, chosen);
    chosen[1] = choose(past, chosen[0]);
    struct sought two = combine(past, r, chosen);
    return size_of(past, &two.reach) < size_of(past, &one.reach) ? two : one;
}
