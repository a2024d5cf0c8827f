/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes that are known without a reading: however the slopes of the rows lie to those that were read, no column is
 * further from its estimate than is said, by naive code in long double; and what was read is known, if coarsely. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/data.h"
#include "objective/objective.h"
#include "working_set/past_slopes.h"
#include "with_context.h"

enum { ROWS = 23, COLUMNS = 150, TRIALS = 400 };

struct scene {
    double A[COLUMNS * ROWS]; /* by columns, of very different lengths */
    double w[ROWS], squares[COLUMNS];
    int64_t knows_squares;
    dcpn_matrix *matrix;
    struct objective objective;
    struct past_slopes *known;
    struct rng rng;
};

static void draw(struct scene *s, double *r)
{
    for (int i = 0; i < ROWS; i++) r[i] = dcpn_rng_uniform(&s->rng) - 0.5;
}

static void make(struct scene *s)
{
    memset(s, 0, sizeof *s);
    dcpn_rng_seed(&s->rng, 11);
    for (int k = 0; k < COLUMNS * ROWS; k++) s->A[k] = (dcpn_rng_uniform(&s->rng) - 0.5) * pow(10.0, k / ROWS % 7 - 3);
    for (int i = 0; i < ROWS; i++) s->w[i] = 1.0;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, s->A, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &s->matrix),
        DCPN_OK);
    s->objective = (struct objective){.design = {.A = s->matrix}, .rows = ROWS, .size = COLUMNS, .features = COLUMNS};
    s->objective.loss.rows.w = s->w;
    assert_int_equal(dcpn_past_slopes_new(context, s->matrix, ROWS, COLUMNS, &s->known), DCPN_OK);
    dcpn_past_slopes_take(s->known, &s->objective);
}

static void unmake(struct scene *s)
{
    dcpn_past_slopes_free(context, s->known);
    dcpn_matrix_free(s->matrix);
}

static long double slope_of(const struct scene *s, int j, const double *r)
{
    long double sum = 0.0L;
    for (int i = 0; i < ROWS; i++) sum += (long double)s->A[j * ROWS + i] * (long double)r[i];
    return sum;
}

static double norm_of(const struct scene *s, int j)
{
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++) sum += s->A[j * ROWS + i] * s->A[j * ROWS + i];
    return sqrt(sum);
}

/* Returns how far off a column may be at most, as a share of its length. */
static double assert_estimate_holds(struct scene *s, const double *r)
{
    struct sought estimate = dcpn_past_slopes_estimate(s->known, r);
    const struct byte_copy *coarse = s->known->copy;
    double furthest = 0.0;
    for (int j = 0; j < COLUMNS; j++) {
        double off = (double)fabsl(slope_of(s, j, r) - (long double)dcpn_estimate_at(&estimate, j));
        double unit = (double)coarse->unit[j], norm = (double)coarse->norm[j];
        double reach = estimate.reach.of_unit * unit + estimate.reach.of_norm * norm;
        assert_true(off <= reach);
        assert_true(norm >= norm_of(s, j) && norm - norm_of(s, j) <= 3e-7 * norm_of(s, j));
        furthest = fmax(furthest, reach / norm);
    }
    return furthest;
}

static void read_slopes(struct scene *s, const double *r)
{
    struct sought found;
    assert_int_equal(dcpn_past_slopes_read(s->known, r, &found), COLUMNS * s->known->copy->stride / 8);
    assert_true(found.c[0] == 1.0 && found.c[1] == 0.0);
}

static double length_of(const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++) sum += r[i] * r[i];
    return sqrt(sum);
}

static void no_column_is_further_off_than_is_said(void **state)
{
    struct scene s;
    double r[ROWS], last[ROWS], step[ROWS];
    (void)state;
    make(&s);
    draw(&s, last);
    for (int trial = 0; trial < TRIALS; trial++) {
        double share = pow(10.0, -(double)(trial % 17));
        draw(&s, step);
        for (int i = 0; i < ROWS; i++) r[i] = 0.8 * last[i] + share * step[i];
        if (trial > 0) assert_true(assert_estimate_holds(&s, r) <= 1.1 * length_of(r));
        if (trial % 3 == 0) read_slopes(&s, r); /* many of them nearly in one line */
        memcpy(last, r, sizeof last);
    }
    unmake(&s);
}

static void what_lies_between_two_readings_is_known(void **state)
{
    struct scene s;
    double p[ROWS], q[ROWS], r[ROWS];
    (void)state;
    make(&s);
    for (int k = 0; k < MOST_PAST_SLOPES; k++) {
        draw(&s, k == 2 ? p : k == 5 ? q : r);
        read_slopes(&s, k == 2 ? p : k == 5 ? q : r);
    }
    for (int i = 0; i < ROWS; i++) r[i] = 0.3 * p[i] + 0.9 * q[i];
    assert_true(assert_estimate_holds(&s, r) < 0.02 * (length_of(p) + length_of(q)));
    draw(&s, r);
    assert_true(assert_estimate_holds(&s, r) > 0.1);
    unmake(&s);
}

/* A column along what is left of r is off by all of that; no more is said than that, and what a byte leaves open. */
static void no_more_is_said_than_must_be(void **state)
{
    struct scene s;
    double p[ROWS], r[ROWS], along = 0.0, square = 0.0;
    (void)state;
    make(&s);
    draw(&s, p);
    for (int i = 0; i < ROWS; i++) along += p[i] * s.A[i];
    for (int i = 0; i < ROWS; i++) square += p[i] * p[i];
    for (int i = 0; i < ROWS; i++) s.A[i] -= along / square * p[i];
    for (int i = 0; i < ROWS; i++) r[i] = p[i] + 0.1 * s.A[i] / norm_of(&s, 0);
    dcpn_past_slopes_free(context, s.known);
    assert_int_equal(dcpn_past_slopes_new(context, s.matrix, ROWS, COLUMNS, &s.known), DCPN_OK);
    dcpn_past_slopes_take(s.known, &s.objective);
    read_slopes(&s, p);
    double coarseness = assert_estimate_holds(&s, p), furthest = assert_estimate_holds(&s, r);
    assert_true(coarseness < 0.02 * length_of(p));
    assert_true(furthest >= 0.1 && furthest <= 0.1 + coarseness + 2.0 * DCPN_BYTE_COPY_ROUNDING * length_of(p));
    unmake(&s);
}

static void nothing_and_the_same_again_are_no_trouble(void **state)
{
    struct scene s;
    double zero[ROWS] = {0.0}, r[ROWS];
    (void)state;
    make(&s);
    draw(&s, r);
    read_slopes(&s, zero);
    assert_true(assert_estimate_holds(&s, zero) == 0.0);
    assert_true(assert_estimate_holds(&s, r) > 0.0);
    read_slopes(&s, r);
    read_slopes(&s, r);
    assert_true(assert_estimate_holds(&s, r) < 0.02 * length_of(r));
    unmake(&s);
}

static void check_norms(struct scene *s)
{
    double ones[ROWS], norms[COLUMNS];
    dcpn_objective_norms(&s->objective, ones, norms);
    for (int j = 0; j < COLUMNS; j++) assert_true(fabs(norms[j] - norm_of(s, j)) <= 1e-13 * norm_of(s, j));
}

/* From weighted squares only where all weights are one number. */
static void norms_are_those_of_the_columns(void **state)
{
    struct scene s;
    (void)state;
    make(&s);
    for (int uneven = 0; uneven < 2; uneven++) {
        for (int i = 0; i < ROWS; i++) s.w[i] = uneven ? 0.5 + i : 0.25;
        s.objective.squares = (struct column_squares){0};
        check_norms(&s);
        for (int j = 0; j < COLUMNS; j++) s.squares[j] = s.matrix->ops->column_curvature(s.matrix, j, s.w);
        s.knows_squares = 1;
        s.objective.squares = (struct column_squares){&s.knows_squares, s.squares};
        check_norms(&s);
    }
    unmake(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_column_is_further_off_than_is_said),
        cmocka_unit_test(what_lies_between_two_readings_is_known),
        cmocka_unit_test(no_more_is_said_than_must_be),
        cmocka_unit_test(nothing_and_the_same_again_are_no_trouble),
        cmocka_unit_test(norms_are_those_of_the_columns),
    };
    return cmocka_run_group_tests_name("unit.past_slopes", tests, setup, teardown);
}
