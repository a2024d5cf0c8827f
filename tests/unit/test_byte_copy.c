/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of A in bytes: no column is further from its slope than is said, by naive code in long double; every column
 * above a limit is found; the levels of instructions agree bit by bit; and a glance reads whatever can matter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/data.h"
#include "working_set/byte_copy.h"
#include "with_context.h"

enum { MOST_ROWS = 70, COLUMNS = 77, TRIALS = 60 };

struct scene {
    int64_t rows;
    double A[COLUMNS * MOST_ROWS], turned[COLUMNS * MOST_ROWS]; /* by columns, and by rows */
    dcpn_matrix *matrix;
    struct rng rng;
};

static double draw(struct scene *s)
{
    return dcpn_rng_uniform(&s->rng) - 0.5;
}

/* Columns of very different lengths: some with one entry far above the others, one of zeros, one of the least
 * numbers. */
static double entry_of(struct scene *s, int j)
{
    double value = draw(s) * pow(10.0, j % 7 - 3);
    if (j % 11 == 3 && draw(s) > 0.45) value *= 1000.0;
    return j == 5 ? 0.0 : j == 6 ? value * 1e-310 : j == 20 ? value * 1e300 : value;
}

static void make(struct scene *s, int64_t rows, dcpn_layout layout)
{
    s->rows = rows;
    dcpn_rng_seed(&s->rng, 3);
    for (int j = 0; j < COLUMNS; j++)
        for (int64_t i = 0; i < rows; i++) s->turned[i * COLUMNS + j] = s->A[j * rows + i] = entry_of(s, j);
    int by_columns = layout == DCPN_COLUMN_MAJOR;
    assert_int_equal(dcpn_matrix_dense(context, rows, COLUMNS, by_columns ? s->A : s->turned, DCPN_FLOAT64, layout,
                                       by_columns ? rows : COLUMNS, DCPN_BORROW, &s->matrix),
                     DCPN_OK);
}

static long double slope_of(const struct scene *s, int64_t j, const double *r)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < s->rows; i++) sum += (long double)s->A[j * s->rows + i] * (long double)r[i];
    return sum;
}

static double length_of(int64_t n, const double *v)
{
    long double sum = 0.0L;
    for (int64_t i = 0; i < n; i++) sum += (long double)v[i] * (long double)v[i];
    return (double)sqrtl(sum);
}

static void draw_slopes(struct scene *s, int trial, double *r)
{
    for (int64_t i = 0; i < s->rows; i++) r[i] = draw(s) * pow(10.0, trial % 5 - 2) * (draw(s) > 0.4 ? 30.0 : 1.0);
    if (trial == 1) memset(r, 0, sizeof *r * (size_t)s->rows);
    if (trial == 2) memset(r + 1, 0, sizeof *r * (size_t)(s->rows - 1));
}

static void assert_bounds(const struct scene *s, const struct byte_copy *c, const double *r, const float *g,
                          const struct reach *reach)
{
    double length = length_of(s->rows, r);
    for (int64_t j = 0; j < COLUMNS; j++) {
        double kept = (double)c->norm[j], far = reach->of_unit * (double)c->unit[j] + reach->of_norm * kept;
        double norm = length_of(s->rows, s->A + j * s->rows);
        assert_true(!(fabsl(slope_of(s, j, r) - (long double)g[j]) > (long double)(far + 1e-320))); /* NaN: of inf */
        int is_usual = norm > 1e-30 && norm < 1e30; /* in single precision */
        assert_true(kept >= norm);
        if (is_usual) assert_true(far <= 0.5 / 120.0 * sqrt((double)s->rows) * norm * length);
        if (is_usual) assert_true(kept - norm <= 3e-7 * norm);
    }
}

static void assert_all_found(const struct scene *s, const struct byte_copy *c, const double *r, const float *g,
                             const struct reach *reach, double limit)
{
    struct sought sought = {.g = {g, g}, .c = {1.0, 0.0}, .reach = *reach, .limit = limit};
    int64_t columns[COLUMNS + 1], next = 0, count;
    double bounds[COLUMNS + 1];
    count = dcpn_byte_copy_list(c, &sought, columns, bounds);
    for (int64_t j = 0; j < COLUMNS; j++) {
        int is_listed = next < count && columns[next] == j;
        if (is_listed && limit > 1e-30) assert_true(!(bounds[next] <= limit)); /* of less all are listed */
        if (is_listed) assert_true(!(fabsl(slope_of(s, j, r)) > (long double)bounds[next]));
        if (!is_listed) assert_true(fabsl(slope_of(s, j, r)) <= (long double)limit);
        next += is_listed;
    }
    assert_int_equal(next, count);
}

static void every_column_is_within_reach(void **state)
{
    const int64_t rows[] = {1, 7, 16, 23, 64, MOST_ROWS};
    struct scene s;
    double r[MOST_ROWS];
    float g[COLUMNS + 32] = {0.0F};
    (void)state;
    for (int k = 0; k < 12; k++) {
        struct byte_copy *coarse;
        make(&s, rows[k / 2], k % 2 ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR);
        assert_int_equal(dcpn_byte_copy_new(context, s.matrix, dcpn_level(), &coarse), DCPN_OK);
        for (int trial = 0; trial < TRIALS; trial++) {
            struct reach reach;
            draw_slopes(&s, trial, r);
            dcpn_byte_copy_read(coarse, r, g, &reach);
            assert_bounds(&s, coarse, r, g, &reach);
            assert_all_found(&s, coarse, r, g, &reach, pow(10.0, trial % 7 == 6 ? -40 : trial % 7 - 3));
        }
        dcpn_byte_copy_free(context, coarse);
        dcpn_matrix_free(s.matrix);
    }
}

static void what_is_not_finite_hides_nothing(void **state)
{
    struct scene s;
    double r[MOST_ROWS], bounds[COLUMNS + 1];
    float g[COLUMNS + 32] = {0.0F};
    int64_t columns[COLUMNS + 1];
    struct byte_copy *coarse;
    (void)state;
    make(&s, 23, DCPN_COLUMN_MAJOR);
    assert_int_equal(dcpn_byte_copy_new(context, s.matrix, dcpn_level(), &coarse), DCPN_OK);
    for (int k = 0; k < 2; k++) {
        struct sought sought = {.g = {g, g}, .c = {1.0, 0.0}, .limit = 1.0};
        draw_slopes(&s, 0, r);
        r[4] = k ? (double)NAN : HUGE_VAL;
        dcpn_byte_copy_read(coarse, r, g, &sought.reach);
        assert_int_equal(dcpn_byte_copy_list(coarse, &sought, columns, bounds), COLUMNS);
    }
    dcpn_byte_copy_free(context, coarse);
    dcpn_matrix_free(s.matrix);
}

static void assert_same(const struct byte_copy *a, const struct byte_copy *b)
{
    assert_memory_equal(a->values, b->values, (size_t)(a->room * a->stride));
    assert_memory_equal(a->unit, b->unit, (size_t)a->room * sizeof *a->unit);
    assert_memory_equal(a->norm, b->norm, (size_t)a->room * sizeof *a->norm);
}

static void all_levels_give_the_same_bits(void **state)
{
    struct scene s;
    double r[MOST_ROWS], bounds[2][COLUMNS + 1];
    float g[2][COLUMNS + 32] = {{0.0F}};
    int64_t columns[2][COLUMNS + 1], count[2];
    (void)state;
    make(&s, 61, DCPN_COLUMN_MAJOR);
    for (int level = 1; level <= (int)dcpn_level(); level++) {
        struct byte_copy *coarse[2];
        for (int k = 0; k < 2; k++) {
            struct sought sought = {.g = {g[k], g[k]}, .c = {0.7, 0.2}, .limit = 0.3};
            enum level now = k ? (enum level)level : LEVEL_BASELINE;
            assert_int_equal(dcpn_byte_copy_new(context, s.matrix, now, &coarse[k]), DCPN_OK);
            dcpn_rng_seed(&s.rng, 8);
            draw_slopes(&s, 0, r);
            dcpn_byte_copy_read(coarse[k], r, g[k], &sought.reach);
            count[k] = dcpn_byte_copy_list(coarse[k], &sought, columns[k], bounds[k]);
        }
        assert_same(coarse[0], coarse[1]);
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(g[0], g[1], sizeof g[0]);
        assert_memory_equal(columns[0], columns[1], (size_t)count[0] * sizeof *columns[0]);
        assert_memory_equal(bounds[0], bounds[1], (size_t)count[0] * sizeof *bounds[0]);
        for (int k = 0; k < 2; k++) dcpn_byte_copy_free(context, coarse[k]);
    }
    dcpn_matrix_free(s.matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_is_within_reach),
        cmocka_unit_test(what_is_not_finite_hides_nothing),
        cmocka_unit_test(all_levels_give_the_same_bits),
    };
    return cmocka_run_group_tests_name("unit.byte_copy", tests, setup, teardown);
}
