/* SPDX-License-Identifier: BSD-3-Clause */
/* Losses over many rows: split anywhere, at every level of instructions, linear in the weights; probabilities. */
#include <string.h>

#include "base/level.h"
#include "base/rng.h"
#include "support/conformance_row.h"

enum { ROWS = 141 }; /* more than a chunk of rows.inc */

struct rows {
    dcpn_loss loss;
    double y[ROWS], w[ROWS], u[ROWS], du[ROWS];
};

static void fill_rows(struct rows *rows, const dcpn_loss_ops *ops)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 3);
    rows->loss = (dcpn_loss){.ops = ops, .rows = ROWS, .y = rows->y, .w = rows->w, .parameter = 0.8, .second = 0.3};
    for (int i = 0; i < ROWS; i++) {
        rows->y[i] = ops->targets == DCPN_CLASSES ? CLASSES[i % 2] : dcpn_rng_normal(&rng);
        if (ops->response.takes) rows->y[i] = fabs(rows->y[i]);
        rows->w[i] = i % 5 ? dcpn_rng_uniform(&rng) : 0.0;
        rows->u[i] = 3.0 * dcpn_rng_normal(&rng);
        rows->du[i] = dcpn_rng_normal(&rng);
    }
}

typedef double row_sum(const dcpn_loss *, int64_t begin, int64_t end, const double *u);
typedef void row_map(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *out);

static void check_sum_splits(const struct rows *rows, row_sum *sum, const char *what)
{
    if (!sum) return;
    double whole = sum(&rows->loss, 0, ROWS, rows->u);
    for (int k = 0; k <= ROWS; k++) {
        double parts = sum(&rows->loss, 0, k, rows->u) + sum(&rows->loss, k, ROWS, rows->u);
        assert_near(parts, whole, ROWS * EPS * whole, "%s: %s in two parts", rows->loss.ops->name, what);
    }
    assert_true(sum(&rows->loss, 7, 7, rows->u) == 0.0);
}

static void check_map_splits(const struct rows *rows, row_map *map, const char *what)
{
    double whole[ROWS], parts[ROWS];
    if (!map) return;
    map(&rows->loss, 0, ROWS, rows->u, whole);
    for (int k = 0; k <= ROWS; k++) {
        for (int i = 0; i < ROWS; i++) parts[i] = -77.0;
        map(&rows->loss, 0, k, rows->u, parts);
        if (k < ROWS) assert_true(parts[k] == -77.0);
        map(&rows->loss, k, ROWS, rows->u, parts);
        if (memcmp(whole, parts, sizeof whole) != 0)
            fail_msg("%s: %s depends on the block", rows->loss.ops->name, what);
    }
}

static void blocks_of_rows_are_independent(void **state)
{
    (void)state;
    const dcpn_loss_ops *ops;
    struct rows rows;
    for (size_t i = 0; (ops = loss_at(i)); i++) {
        fill_rows(&rows, ops);
        check_sum_splits(&rows, ops->value, "phi");
        check_sum_splits(&rows, ops->value1, "phi1");
        check_sum_splits(&rows, ops->value2, "phi2");
        check_map_splits(&rows, ops->slope1, "phi1'");
        check_map_splits(&rows, ops->slope2, "phi2'");
        check_map_splits(&rows, ops->curvature1, "phi1''");
        check_map_splits(&rows, ops->curvature2, "phi2''");
        double whole = ops->change(&rows.loss, 0, ROWS, rows.u, rows.du, 0.5), sizes = 0.0;
        for (int k = 0; k < ROWS; k++) sizes += fabs(ops->change(&rows.loss, k, k + 1, rows.u, rows.du, 0.5));
        double parts = ops->change(&rows.loss, 0, 9, rows.u, rows.du, 0.5) +
                       ops->change(&rows.loss, 9, ROWS, rows.u, rows.du, 0.5);
        assert_near(parts, whole, ROWS * EPS * sizes, "%s: change in two parts", ops->name);
    }
}

/* Every level of instructions that this machine has: the same bits, on blocks of every length. */
static void check_levels(const struct rows *rows, enum level level)
{
    const dcpn_loss_ops *ops = rows->loss.ops;
    dcpn_loss plain = rows->loss, wide = rows->loss;
    row_sum *const sums[] = {ops->value, ops->value1, ops->value2};
    row_map *const maps[] = {ops->slope1, ops->slope2, ops->curvature1, ops->curvature2, ops->touching1};
    wide.level = (int)level;
    for (int begin = 0; begin < 9; begin++)
        for (int end = begin; end <= ROWS; end += 1 + end / 24) {
            double expected[ROWS] = {0.0}, found[ROWS] = {0.0};
            for (size_t k = 0; k < COUNT_OF(sums); k++)
                if (sums[k]) assert_true(sums[k](&plain, begin, end, rows->u) == sums[k](&wide, begin, end, rows->u));
            assert_true(ops->change(&plain, begin, end, rows->u, rows->du, 0.7) ==
                        ops->change(&wide, begin, end, rows->u, rows->du, 0.7));
            for (size_t k = 0; k < COUNT_OF(maps); k++) {
                if (!maps[k]) continue;
                maps[k](&plain, begin, end, rows->u, expected);
                maps[k](&wide, begin, end, rows->u, found);
                assert_memory_equal(expected, found, sizeof expected);
            }
        }
}

static void levels_of_instructions_agree(void **state)
{
    (void)state;
    const dcpn_loss_ops *ops;
    struct rows rows;
    for (size_t i = 0; (ops = loss_at(i)); i++)
        for (int scale = -12; scale <= 12; scale += 3) {
            fill_rows(&rows, ops);
            for (int k = 0; k < ROWS; k++) rows.u[k] *= ldexp(1.0, scale), rows.du[k] *= ldexp(1.0, 2 * scale);
            for (enum level level = LEVEL_BASELINE; level <= dcpn_level(); level++) check_levels(&rows, level);
        }
}

/* Four times the weights, a power of 2: four times every result, to the bit. */
static void results_are_linear_in_the_weights(void **state)
{
    (void)state;
    const dcpn_loss_ops *ops;
    struct rows rows, heavy;
    double plain[ROWS], scaled[ROWS];
    for (size_t i = 0; (ops = loss_at(i)); i++) {
        fill_rows(&rows, ops);
        fill_rows(&heavy, ops);
        for (int k = 0; k < ROWS; k++) heavy.w[k] *= 4.0;
        assert_true(4.0 * ops->value(&rows.loss, 0, ROWS, rows.u) == ops->value(&heavy.loss, 0, ROWS, rows.u));
        assert_true(4.0 * ops->change(&rows.loss, 0, ROWS, rows.u, rows.du, 1.0) ==
                    ops->change(&heavy.loss, 0, ROWS, rows.u, rows.du, 1.0));
        row_map *const maps[] = {ops->slope1, ops->slope2, ops->curvature1, ops->curvature2};
        for (size_t m = 0; m < COUNT_OF(maps); m++) {
            if (!maps[m]) continue;
            maps[m](&rows.loss, 0, ROWS, rows.u, plain);
            maps[m](&heavy.loss, 0, ROWS, rows.u, scaled);
            for (int k = 0; k < ROWS; k++) assert_true(4.0 * plain[k] == scaled[k]);
        }
    }
}

/* A loss with probabilities is their log-likelihood: phi(u; +1) = -log P(u). */
static void check_probability(const struct row *row, double u)
{
    if (!row->loss.ops->response.probability) return;
    double p = row->loss.ops->response.probability(u), other = row->loss.ops->response.probability(-u);
    assert_true(p >= 0.0 && p <= 1.0);
    assert_near(p + other, 1.0, 2.0 * EPS, "%s, u = %g: the two probabilities", row->name, u);
    if (row->y < 0.0) return;
    double expected = exp(-value(row, u));
    assert_near(p, expected, 4.0 * EPS * expected * (1.0 + fabs(value(row, u))) + DBL_MIN, "%s, u = %g: probability",
                row->name, u);
}

static void probabilities_are_those_of_the_likelihood(void **state)
{
    (void)state;
    on_every_loss(check_probability);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_rows_are_independent),
        cmocka_unit_test(levels_of_instructions_agree),
        cmocka_unit_test(results_are_linear_in_the_weights),
        cmocka_unit_test(probabilities_are_those_of_the_likelihood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
