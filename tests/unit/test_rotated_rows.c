/* SPDX-License-Identifier: BSD-3-Clause */
/* The squared loss of rotated rows is that of the rows as given, at any coefficients, and so are the means and
 * deviations of the columns; where digits would be lost the rows are left alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "problem/rotated_rows.h"

enum { ROWS = 12000, COLUMNS = 20, PATH = 50 };

static double values[ROWS * COLUMNS], y[ROWS], w[ROWS], offset[ROWS];

static double uniform(struct rng *rng)
{
    return 2.0 * dcpn_rng_uniform(rng) - 1.0;
}

/* Columns of different size and mean, one of them twice, and y that some of them explain in part. */
static void draw(void)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 11);
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < ROWS; i++)
            values[j * ROWS + i] =
                j == 7 ? values[3 * ROWS + i] : pow(10.0, j % 5 - 2) * (uniform(&rng) + 0.3 * (j % 3));
    for (int i = 0; i < ROWS; i++) {
        w[i] = i % 5 ? 2.0 * dcpn_rng_uniform(&rng) : 0.0;
        offset[i] = uniform(&rng);
        y[i] = 4.0 + values[2 * ROWS + i] - 3.0 * values[ROWS + i] + uniform(&rng);
    }
}

static double smooth(const dcpn_problem *problem, const double *x, double constant)
{
    double sum = 0.0;
    for (int64_t i = 0; i < problem->A->rows; i++) {
        double u = constant + (problem->offset ? problem->offset[i] : 0.0) - problem->y[i];
        int64_t columns[COLUMNS];
        double row[COLUMNS];
        int64_t count = dcpn_matrix_row(problem->A, i, columns, row);
        for (int64_t k = 0; k < count; k++) u += row[k] * x[columns[k]];
        sum += 0.5 * (problem->weights ? problem->weights[i] : 1.0) * u * u;
    }
    return sum;
}

static void settle(dcpn_settings *settings)
{
    *settings = dcpn_settings_default();
    settings->loss = "squared";
}

static void rotate(dcpn_context *context, dcpn_problem *problem, const dcpn_settings *settings,
                   struct rotated_rows *rotated)
{
    struct parts parts;
    assert_int_equal(dcpn_choose_parts(context, problem, settings, &parts), DCPN_OK);
    assert_int_equal(dcpn_rotated_rows_new(context, problem, settings, &parts, PATH, rotated), DCPN_OK);
}

static void compare(const dcpn_problem *given, const dcpn_problem *few, int intercept)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int k = 0; k < 10; k++) {
        double x[COLUMNS] = {0.0}, constant = intercept ? 5.0 * uniform(&rng) : 0.0;
        for (int j = 0; j < COLUMNS && k > 0; j++) x[j] = uniform(&rng);
        double one = smooth(given, x, constant), other = smooth(few, x, constant);
        if (!(fabs(one - other) <= 1e-13 * one)) print_message("%.17g and %.17g\n", one, other);
        assert_true(fabs(one - other) <= 1e-13 * one);
    }
}

/* Weighted mean and mean square of a column. */
static void moments(const dcpn_problem *p, int64_t j, double *mean, double *square)
{
    double total = 0.0, unit[COLUMNS] = {0.0};
    double *column = calloc((size_t)p->A->rows, sizeof *column);
    unit[j] = 1.0;
    dcpn_matrix_apply(p->A, unit, column);
    *mean = *square = 0.0;
    for (int64_t i = 0; i < p->A->rows; i++) {
        double weight = p->weights ? p->weights[i] : 1.0;
        total += weight;
        *mean += weight * column[i];
        *square += weight * column[i] * column[i];
    }
    *mean /= total;
    *square /= total;
    free(column);
}

static void the_loss_is_the_same(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_settings settings;
    struct rotated_rows rotated;
    (void)state;
    draw();
    settle(&settings);
    dcpn_status made =
        dcpn_matrix_dense(context, ROWS, COLUMNS, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_COPY, &A);
    assert_int_equal(made, DCPN_OK);
    for (int k = 0; k < 8; k++) {
        assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
        if (k & 1) assert_int_equal(dcpn_problem_set_weights(problem, w), DCPN_OK);
        if (k & 2) assert_int_equal(dcpn_problem_set_offset(problem, offset), DCPN_OK);
        settings.intercept = (k & 4) != 0;
        rotate(context, problem, &settings, &rotated);
        assert_non_null(rotated.A);
        assert_true(rotated.A->rows <= COLUMNS + 1); /* one column is there twice */
        compare(problem, &rotated.problem, settings.intercept);
        for (int64_t j = 0; j < COLUMNS && settings.intercept; j++) {
            double mean[2], square[2];
            moments(problem, j, &mean[0], &square[0]);
            moments(&rotated.problem, j, &mean[1], &square[1]);
            assert_true(fabs(mean[0] - mean[1]) <= 1e-13 * sqrt(square[0]));
            assert_true(fabs(square[0] - square[1]) <= 1e-13 * square[0]);
        }
        dcpn_rotated_rows_free(context, &rotated);
        dcpn_problem_free(problem);
    }
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

static int is_rotated(dcpn_context *context, int intercept, int64_t rows)
{
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_settings settings;
    struct rotated_rows rotated;
    settle(&settings);
    settings.intercept = intercept;
    dcpn_status made =
        dcpn_matrix_dense(context, rows, COLUMNS, values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_COPY, &A);
    assert_int_equal(made, DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    rotate(context, problem, &settings, &rotated);
    int is_it = rotated.A != NULL;
    dcpn_rotated_rows_free(context, &rotated);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return is_it;
}

static void digits_are_not_lost(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    (void)state;
    draw();
    assert_true(is_rotated(context, 1, ROWS));
    assert_false(is_rotated(context, 1, 300)); /* too small to gain anything */
    for (int i = 0; i < ROWS; i++) values[4 * ROWS + i] += 1e5; /* far from 0 for its deviation */
    assert_false(is_rotated(context, 1, ROWS));
    assert_true(is_rotated(context, 0, ROWS)); /* nothing is centred */
    draw();
    for (int i = 0; i < ROWS; i++) y[i] = values[i] + 1e-6 * values[ROWS + i]; /* nothing is left of y */
    assert_false(is_rotated(context, 0, ROWS));
    draw();
    for (int i = 0; i < ROWS; i++) values[8 * ROWS + i] = 0.25; /* a constant beside the intercept */
    assert_false(is_rotated(context, 1, ROWS));
    draw();
    y[5] *= 1e300; /* its square is no number */
    assert_false(is_rotated(context, 0, ROWS));
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_loss_is_the_same),
        cmocka_unit_test(digits_are_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
