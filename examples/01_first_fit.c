/* SPDX-License-Identifier: BSD-3-Clause */
/* The first fit: a table in memory, a sparse linear model of it.
 *
 * The yield of twelve plots depends on water and on light; the other two columns do not matter. MCP finds that out, and
 * does not shrink the coefficients that it keeps, as the lasso would. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLOTS = 12, COLUMNS = 4 };

static const char *const names[COLUMNS] = {"water", "light", "wind", "slope"};

static const double table[PLOTS][COLUMNS] = {
    {+1.2, -0.4, +0.3, -1.1}, {-0.7, +0.9, -1.3, +0.2}, {+0.1, +1.6, +0.8, +0.9}, {-1.5, -0.8, +0.4, -0.3},
    {+0.8, +0.3, -0.6, +1.4}, {-0.2, -1.2, +1.1, +0.5}, {+1.7, +0.6, +0.2, -0.7}, {-1.0, +1.1, -0.9, -1.6},
    {+0.4, -1.7, -0.2, +0.1}, {-0.6, +0.2, +1.5, +1.2}, {+0.9, +1.0, -1.4, -0.4}, {-1.1, -0.6, +0.1, -0.2},
};

/* 5 + 3 water + 2 light, and a little noise */
static const double yields[PLOTS] = {7.83, 4.66, 8.55, -1.06, 8.02, 2.01, 11.28, 4.25, 2.77, 3.63, 9.66, 0.48};

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

int main(void)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    if (!context) return 1;

    must(context,
         dcpn_matrix_dense(context, PLOTS, COLUMNS, table, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A));
    must(context, dcpn_problem_new(context, A, yields, &problem));

    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "loss=squared penalty=mcp lambda=0.8 intercept=1"));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    const double *x = dcpn_solver_coefficients(solver);
    printf("%s after %.0f iterations, F = %.4f\n", dcpn_outcome_name(dcpn_result_outcome(result)),
           dcpn_result_number(result, "iterations"), dcpn_result_number(result, "objective"));
    printf("yield = %.2f", dcpn_solver_intercept(solver));
    for (int j = 0; j < COLUMNS; j++)
        if (x[j] != 0.0) printf(" %+.2f %s", x[j], names[j]);
    printf("\n");

    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
    return 0;
}
