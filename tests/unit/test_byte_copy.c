/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy of A in bytes: no column is further from its slope than is said, by naive code in long double; every column above a
 * limit is found; the levels of instructions agree bit by bit; and a glance reads whatever can matter. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/data.h"
#include "objective/objective.h"
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

/* Columns of very different lengths: some with one entry far above the others, one of zeros, one of the least numbers. */
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

/* ---- a glance ---- */

static int is_read(const struct glance *glance, int64_t j)
{
    for (int64_t i = 0; i < glance->count; i++)
        if (glance->columns[i] == j) return 1;
    return 0;
}

/* What is in use, or free, or steep has its gradient; the others are below the slope of the penalty. */
static void assert_glance(const struct scene *s, const struct objective *F, const int64_t *list,
                          const struct point *point, double share)
{
    for (int64_t k = 0; k < F->features; k++) {
        double g = (double)slope_of(s, list[k], F->r) + F->ridge * point->x[k], c = F->penalty.c[k];
        int matters = point->x[k] != 0.0 || c == 0.0 || fabs(g) > share * c;
        double off = 1e-13 * length_of(s->rows, F->r) * length_of(s->rows, s->A + list[k] * s->rows) + 1e-300;
        if (matters) assert_true(fabs(point->gradient[k] - g) <= off + 1e-15 * fabs(g));
        if (!matters) assert_true(fabs(point->gradient[k]) <= share * c);
        if (point->x[k] != 0.0 || c == 0.0 || fabs(g) > c) assert_true(is_read(F->glance, k));
        if (k > 0 && F->glance->count > k) assert_true(F->glance->columns[k - 1] < F->glance->columns[k]);
    }
}

static void a_glance_reads_what_can_matter(void **state)
{
    enum { FEW = 30 };
    struct scene s;
    struct byte_copy *all;
    double r[MOST_ROWS], x[FEW] = {0.0}, gradient[FEW], c[FEW], factors[FEW];
    int64_t list[FEW], others[FEW];
    (void)state;
    make(&s, 40, DCPN_COLUMN_MAJOR);
    for (int k = 0; k < FEW; k++) list[k] = k < 15 ? 2 * k : k + 40;
    for (int k = 0; k < FEW; k++) others[k] = k + 3;
    assert_int_equal(dcpn_byte_copy_new(context, s.matrix, dcpn_level(), &all), DCPN_OK);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct column_subset view;
        struct point point = {.x = x, .gradient = gradient, .gradient1 = gradient};
        dcpn_matrix_subset(&view, s.matrix, list);
        view.base.columns = FEW;
        view.base.entries = FEW * s.rows;
        struct objective F = {.design = {.A = &view.base}, .rows = s.rows, .size = FEW, .features = FEW, .r = r};
        F.ridge = trial % 3 == 0 ? 0.1 : 0.0;
        F.penalty.c = c;
        F.penalty.factors = trial % 2 ? factors : NULL;
        draw_slopes(&s, 0, r);
        for (int k = 0; k < FEW; k++) {
            factors[k] = trial % 2 ? (double)(k % 4) : 1.0;
            c[k] = factors[k] * pow(10.0, trial % 6 - 3);
            x[k] = draw(&s) > 0.3 ? draw(&s) : 0.0;
        }
        struct byte_copy *part;
        if (trial % 4 < 2)
            assert_int_equal(dcpn_byte_copy_part(context, all, list, FEW, &part), DCPN_OK);
        else
            assert_int_equal(dcpn_byte_copy_room(context, s.rows, FEW, &part), DCPN_OK);
        if (trial % 4 == 2) dcpn_byte_copy_choose(part, all, others);
        if (trial % 4 >= 2) dcpn_byte_copy_choose(part, all, list);
        assert_int_equal(dcpn_glance_new(context, part, &F.glance), DCPN_OK);
        dcpn_glance_look(&F, &point);
        assert_glance(&s, &F, list, &point, 1.0);
        dcpn_glance_read(&F, &point, 0.5);
        assert_glance(&s, &F, list, &point, 0.5);
        dcpn_glance_free(context, F.glance);
    }
    dcpn_byte_copy_free(context, all);
    dcpn_matrix_free(s.matrix);
}

static void look_afresh(const struct byte_copy *all, const int64_t *list, struct objective *F, const struct point *point)
{
    struct byte_copy *part;
    assert_int_equal(dcpn_byte_copy_part(context, all, list, F->features, &part), DCPN_OK);
    assert_int_equal(dcpn_glance_new(context, part, &F->glance), DCPN_OK);
    dcpn_glance_look(F, point);
}

/* At other slopes of the penalty, and with others in use: all is as if it were looked at for the first time. */
static void what_is_looked_at_again_is_not_read_again(void **state)
{
    enum { FEW = 30, LOOKS = 8 };
    struct scene s;
    struct byte_copy *all;
    double r[MOST_ROWS], x[FEW] = {0.0}, gradient[2][FEW], c[FEW];
    int64_t list[FEW], again = 0, afresh = 0;
    (void)state;
    make(&s, 40, DCPN_COLUMN_MAJOR);
    for (int k = 0; k < FEW; k++) list[k] = 2 * k;
    assert_int_equal(dcpn_byte_copy_new(context, s.matrix, dcpn_level(), &all), DCPN_OK);
    struct column_subset view;
    dcpn_matrix_subset(&view, s.matrix, list);
    view.base.columns = FEW;
    view.base.entries = FEW * s.rows;
    struct objective F = {.design = {.A = &view.base}, .rows = s.rows, .size = FEW, .features = FEW, .r = r};
    struct point point[2] = {{.x = x, .gradient = gradient[0], .gradient1 = gradient[0]},
                             {.x = x, .gradient = gradient[1], .gradient1 = gradient[1]}};
    F.penalty.c = c;
    for (int trial = 0; trial < TRIALS; trial++) {
        F.ridge = trial % 5 == 0 ? 0.1 : 0.0;
        draw_slopes(&s, 0, r);
        struct objective fresh = F;
        for (int look = 0; look < LOOKS; look++) {
            double slope = pow(10.0, 4.0 * draw(&s) - 2.0);
            for (int k = 0; k < FEW; k++) {
                c[k] = slope;
                x[k] = draw(&s) > 0.3 ? draw(&s) : 0.0;
            }
            if (look == 0) look_afresh(all, list, &F, &point[0]);
            if (look == LOOKS / 2) dcpn_glance_read(&F, &point[0], 0.5);
            int64_t before = F.design.touched;
            if (look > 0) dcpn_glance_look(&F, &point[0]);
            again += F.design.touched - before;
            before = fresh.design.touched;
            look_afresh(all, list, &fresh, &point[1]);
            afresh += fresh.design.touched - before;
            assert_int_equal(F.glance->count, fresh.glance->count);
            assert_memory_equal(F.glance->columns, fresh.glance->columns, (size_t)F.glance->count * sizeof *list);
            assert_memory_equal(gradient[0], gradient[1], sizeof gradient[0]);
            dcpn_glance_free(context, fresh.glance);
        }
        dcpn_glance_free(context, F.glance);
    }
    assert_true(2 * again < afresh);
    dcpn_byte_copy_free(context, all);
    dcpn_matrix_free(s.matrix);
}

/* As the reading that brings slopes and squares goes by, or by a reading of its own. */
static void a_copy_taken_along_is_the_same(void **state)
{
    struct scene s;
    double r[MOST_ROWS], w[MOST_ROWS], g[COLUMNS], squares[COLUMNS];
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct byte_copy *alone, *along;
        struct glance *glance;
        struct column_work work;
        make(&s, 61, k ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR);
        draw_slopes(&s, 0, r);
        for (int64_t i = 0; i < s.rows; i++) w[i] = 0.5;
        assert_int_equal(dcpn_byte_copy_new(context, s.matrix, dcpn_level(), &alone), DCPN_OK);
        assert_int_equal(dcpn_byte_copy_room(context, s.rows, COLUMNS, &along), DCPN_OK);
        assert_int_equal(dcpn_glance_new(context, along, &glance), DCPN_OK);
        glance->A = s.matrix;
        glance->is_stale = 1;
        assert_int_equal(dcpn_glance_goes_along(glance, &work), k == 0);
        if (k == 0) s.matrix->ops->adjoint_and_curvatures(s.matrix, r, w, &work, g, squares);
        if (k == 1) dcpn_glance_renew(glance);
        assert_same(along, alone);
        dcpn_glance_free(context, glance);
        dcpn_byte_copy_free(context, alone);
        dcpn_matrix_free(s.matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_column_is_within_reach),   cmocka_unit_test(what_is_not_finite_hides_nothing),
        cmocka_unit_test(all_levels_give_the_same_bits),  cmocka_unit_test(a_glance_reads_what_can_matter),
        cmocka_unit_test(a_copy_taken_along_is_the_same), cmocka_unit_test(what_is_looked_at_again_is_not_read_again),
    };
    return cmocka_run_group_tests_name("unit.coarse", tests, setup, teardown);
}
