/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks with each looker and with none: what is listed has its gradient to the bit, and what is not listed does not
 * matter, by the gradients of all columns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/data.h"
#include "with_context.h"
#include "working_set/look.h"

enum { ROWS = 37, COLUMNS = 300, LOOKS = 60 };

struct scene {
    double A[COLUMNS * ROWS], y[ROWS], w[ROWS], factors[COLUMNS];
    dcpn_matrix *matrix;
    struct arena arena;
    struct objective F;
    struct point point;
    struct rng rng;
};

static void lay_out(struct scene *s)
{
    dcpn_objective_layout(&s->F, &s->arena);
    dcpn_point_layout(&s->F, &s->point, &s->arena);
}

static void make(struct scene *s, int has_factors, double ridge, dcpn_layout layout)
{
    memset(s, 0, sizeof *s);
    dcpn_rng_seed(&s->rng, 5);
    for (int k = 0; k < COLUMNS * ROWS; k++) s->A[k] = (dcpn_rng_uniform(&s->rng) - 0.5) * pow(10.0, k % 3 - 1);
    for (int i = 0; i < ROWS; i++) s->y[i] = dcpn_rng_uniform(&s->rng) - 0.5;
    for (int i = 0; i < ROWS; i++) s->w[i] = 0.5 + dcpn_rng_uniform(&s->rng);
    for (int j = 0; j < COLUMNS; j++) s->factors[j] = (double)(j % 4);
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, s->A, DCPN_FLOAT64, layout,
                                       layout == DCPN_COLUMN_MAJOR ? ROWS : COLUMNS, DCPN_BORROW, &s->matrix),
                     DCPN_OK);
    s->F = (struct objective){.design = {.A = s->matrix}, .rows = ROWS, .size = COLUMNS, .features = COLUMNS};
    s->F.ridge = ridge;
    s->F.wants_squares = layout == DCPN_COLUMN_MAJOR;
    s->F.loss = (struct loss){.rows = {.ops = &dcpn_loss_squared, .rows = ROWS, .y = s->y, .w = s->w}, .context = NULL};
    s->F.penalty = (struct penalty){
        .ops = &dcpn_penalty_l1, .factors = has_factors ? s->factors : NULL, .features = COLUMNS, .size = COLUMNS};
    lay_out(s);
    assert_int_equal(dcpn_arena_allocate(context, &s->arena, NULL), DCPN_OK);
    lay_out(s);
}

static void unmake(struct scene *s)
{
    dcpn_arena_free(context, &s->arena);
    dcpn_matrix_free(s->matrix);
}

/* A way through x and lambda as a path takes it, now and then to the same point again, and now and then so little
 * further that the length of the whole way does not show it. */
static void move(struct scene *s, int k)
{
    s->F.penalty.base_lambda = 40.0 * pow(0.93, k);
    dcpn_penalty_prepare(&s->F.penalty);
    for (int j = 0; j < COLUMNS && k % 3 != 2; j++)
        s->point.x[j] = dcpn_rng_uniform(&s->rng) > 0.97 ? 0.1 * (dcpn_rng_uniform(&s->rng) - 0.5) : s->point.x[j];
    for (int j = 0; j < COLUMNS && k % 6 == 5; j += 10) s->point.x[j] = nextafter(s->point.x[j], 0.0);
    dcpn_point_evaluate(&s->F, &s->point);
}

static int matters(const struct scene *s, int64_t j, double share)
{
    double c = s->F.penalty.c[j];
    return s->point.x[j] != 0.0 || c == 0.0 || fabs(s->point.gradient[j]) > share * c;
}

/* The gradients of all columns, afresh. */
static void assert_look(struct scene *s, const struct look *look, double share)
{
    double seen[COLUMNS];
    int is_listed[COLUMNS] = {0};
    memcpy(seen, s->point.gradient, sizeof seen);
    for (int64_t i = 0; i < dcpn_look_count(look, COLUMNS); i++) is_listed[dcpn_look_column(look, i)] = 1;
    dcpn_point_gradients(&s->F, &s->point);
    for (int64_t j = 0; j < COLUMNS; j++) {
        if (is_listed[j]) assert_memory_equal(&seen[j], &s->point.gradient[j], sizeof seen[j]);
        if (!is_listed[j]) assert_false(matters(s, j, share));
    }
}

static int64_t follow(struct scene *s, struct look *look)
{
    int64_t listed = 0;
    for (int k = 0; k < LOOKS; k++) {
        double share = k % 4 == 3 ? 0.6 : DCPN_LOOK_STATIONARY;
        move(s, k);
        *s->F.last.slope = SLOPE_NONE; /* what the check has read is not to be known */
        dcpn_look_at(look, &s->F, &s->point, share);
        listed += dcpn_look_count(look, COLUMNS);
        assert_look(s, look, share);
    }
    return listed;
}

static void looks_hold_with_every_looker(void **state)
{
    static struct scene s;
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int variant = 0; variant < 8; variant++) {
            struct look *look;
            if (kind == 2 && variant & 4) continue; /* the copy in bytes is taken of columns */
            make(&s, variant & 1, variant & 2 ? 0.3 : 0.0, variant & 4 ? DCPN_ROW_MAJOR : DCPN_COLUMN_MAJOR);
            assert_int_equal(dcpn_look_new(context, COLUMNS, &look), DCPN_OK);
            if (kind == 1) assert_int_equal(dcpn_slope_bounds_new(context, &s.F, &look->bounds), DCPN_OK);
            if (kind == 2)
                assert_int_equal(dcpn_past_slopes_new(context, s.matrix, ROWS, COLUMNS, &look->past), DCPN_OK);
            int64_t listed = follow(&s, look);
            if (kind == 0) assert_int_equal(listed, LOOKS * COLUMNS);
            if (kind > 0) assert_true(listed < LOOKS * COLUMNS * 9 / 10); /* it does spare something */
            dcpn_look_free(context, look);
            unmake(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(looks_hold_with_every_looker)};
    return cmocka_run_group_tests_name("unit.look", tests, setup, teardown);
}
