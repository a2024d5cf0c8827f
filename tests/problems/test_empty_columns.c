/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix most of whose columns are empty is the same problem as the one without them: every storage, penalty factors,
 * standardised columns, a start, bounds, and a certificate by plain loops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"

enum { ROWS = 60, FULL = 12, SPREAD = 7, COLUMNS = FULL * SPREAD };

/* Column j of `dense` is column SPREAD j + 3 of the result; the others are empty. */
static struct problems_data spread(const struct problems_data *dense)
{
    struct problems_data wide = problems_data_copy(dense);
    wide.columns = COLUMNS;
    wide.A = realloc(wide.A, (size_t)(ROWS * COLUMNS) * sizeof *wide.A);
    wide.factors = realloc(wide.factors, COLUMNS * sizeof *wide.factors);
    assert_true(wide.A && wide.factors);
    memset(wide.A, 0, (size_t)(ROWS * COLUMNS) * sizeof *wide.A);
    for (int64_t k = 0; k < COLUMNS; k++) wide.factors[k] = 1.5;
    for (int64_t j = 0; j < FULL; j++) {
        wide.factors[SPREAD * j + 3] = dense->factors[j];
        for (int64_t i = 0; i < ROWS; i++) wide.A[i * COLUMNS + SPREAD * j + 3] = dense->A[i * FULL + j];
    }
    return wide;
}

static void assert_same(const struct problems_fit *narrow, const struct problems_fit *wide)
{
    assert_int_equal(narrow->status, DCPN_OK);
    assert_int_equal(wide->status, DCPN_OK);
    assert_true(narrow->result.objective == wide->result.objective);
    assert_int_equal(narrow->result.nonzeros, wide->result.nonzeros);
    assert_true(narrow->intercept == wide->intercept);
    for (int64_t k = 0; k < COLUMNS; k++) assert_true(wide->x[k] == (k % SPREAD == 3 ? narrow->x[k / SPREAD] : 0.0));
}

static void empty_columns_do_not_matter(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    const char *penalties[] = {"l1", "mcp", "capped-l1", "log"};
    const enum problems_storage storages[] = {PROBLEMS_CSR, PROBLEMS_CSC, PROBLEMS_CSR_INT64, PROBLEMS_CSC_FLOAT32};
    (void)state;
    for (int variant = 0; variant < 16; variant++) {
        struct problems_data narrow = problems_data_new(ROWS, FULL, 0.5, 11 + (uint64_t)variant),
                             wide = spread(&narrow);
        dcpn_settings settings = problems_settings("logistic", penalties[variant % 4], NULL, NULL);
        settings.intercept = variant / 4 % 2;
        settings.standardize = variant / 8;
        double start[COLUMNS], narrow_start[FULL];
        for (int64_t k = 0; k < COLUMNS; k++) start[k] = 0.01 * (double)(k % 5);
        for (int64_t j = 0; j < FULL; j++) narrow_start[j] = start[SPREAD * j + 3];
        const enum problems_storage storage = storages[variant / 4];
        struct problems_fit a = problems_solve(context, &narrow, storage, &settings, variant % 2 ? narrow_start : NULL);
        struct problems_fit b = problems_solve(context, &wide, storage, &settings, variant % 2 ? start : NULL);
        assert_same(&a, &b);
        if (!settings.standardize && storage != PROBLEMS_CSC_FLOAT32) problems_assert_converged(&wide, &settings, &b);
        problems_fit_free(&a), problems_fit_free(&b);
        problems_data_free(&narrow), problems_data_free(&wide);
    }
    dcpn_context_free(context);
}

static void bounds_go_with_their_columns(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    struct problems_data narrow = problems_data_new(ROWS, FULL, 0.5, 3), wide = spread(&narrow);
    dcpn_matrix *A = problems_matrix(context, &wide, PROBLEMS_CSR);
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    double lower[COLUMNS], upper[COLUMNS];
    int64_t at_bound = 0;
    dcpn_problem *problem;
    dcpn_solver *solver;
    (void)state;
    settings.lambda = 0.1;
    for (int64_t k = 0; k < COLUMNS; k++) lower[k] = -1e-3 * (double)(k + 1), upper[k] = 2e-3 * (double)(k + 1);
    assert_int_equal(dcpn_problem_new(context, A, wide.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    for (int64_t k = 0; k < COLUMNS; k++) {
        double x = dcpn_solver_coefficients(solver)[k];
        assert_true(lower[k] <= x && x <= upper[k]);
        at_bound += x == lower[k] || x == upper[k];
    }
    assert_true(at_bound > FULL / 2);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&narrow), problems_data_free(&wide);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_columns_do_not_matter),
        cmocka_unit_test(bounds_go_with_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
