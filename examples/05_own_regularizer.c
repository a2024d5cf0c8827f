/* SPDX-License-Identifier: BSD-3-Clause */
/* A regulariser of your own that is no sum over coordinates: h = h1 - h2 with a prox of h1 and a subgradient of h2.
 *
 * The difference of two norms, h(x) = lambda (|x|_1 - |x|_2), is 0 exactly where at most one coordinate is not 0: it
 * asks for sparsity without asking for small values. */
#include <dcpn/dcpn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 30, COLUMNS = 50 };

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static double norm1(int64_t size, const double *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < size; j++) sum += fabs(x[j]);
    return sum;
}

static double norm2(int64_t size, const double *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < size; j++) sum += x[j] * x[j];
    return sqrt(sum);
}

static double value1(void *lambda, int64_t size, const double *x)
{
    return *(const double *)lambda * norm1(size, x);
}

static double value2(void *lambda, int64_t size, const double *x)
{
    return *(const double *)lambda * norm2(size, x);
}

static void subgradient2(void *lambda, int64_t size, const double *x, double *z)
{
    double length = norm2(size, x); /* at 0 the subgradient 0 will do */
    for (int64_t j = 0; j < size; j++) z[j] = length > 0.0 ? *(const double *)lambda * x[j] / length : 0.0;
}

static void prox1(void *lambda, int64_t size, const double *x, double step, double *out)
{
    double threshold = step * *(const double *)lambda;
    for (int64_t j = 0; j < size; j++) out[j] = copysign(fmax(fabs(x[j]) - threshold, 0.0), x[j]);
}

/* ---- fewer rows than unknowns ---- */

static double uniform(uint64_t *state) /* in [-1, 1) */
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static void measure(double A[ROWS][COLUMNS], double *truth, double *y)
{
    uint64_t state = 3;
    truth[7] = 4.0;
    truth[19] = -3.0;
    truth[31] = 0.5;
    for (int i = 0; i < ROWS; i++) {
        y[i] = 0.02 * uniform(&state);
        for (int j = 0; j < COLUMNS; j++) {
            A[i][j] = uniform(&state);
            y[i] += A[i][j] * truth[j];
        }
    }
}

int main(void)
{
    static double A[ROWS][COLUMNS], truth[COLUMNS], y[ROWS];
    double lambda = 0.2;
    const dcpn_regularizer h = {
        .value1 = value1, .value2 = value2, .subgradient2 = subgradient2, .prox1 = prox1, .user = &lambda};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *matrix = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    if (!context) return 1;

    measure(A, truth, y);
    must(context,
         dcpn_matrix_dense(context, ROWS, COLUMNS, A, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &matrix));
    must(context, dcpn_problem_new(context, matrix, y, &problem));
    must(context, dcpn_problem_set_regularizer(problem, &h));
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings)); /* their lambda is not read; ours is in h */
    must(context, dcpn_settings_set_all(settings, "loss=squared"));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    const double *x = dcpn_solver_coefficients(solver);
    printf("%s: F = %.4f, h = %.4f, %.0f of %d coefficients are not 0\n",
           dcpn_outcome_name(dcpn_result_outcome(result)), dcpn_result_number(result, "objective"),
           dcpn_result_number(result, "penalty_value"), dcpn_result_number(result, "nonzeros"), COLUMNS);
    for (int j = 0; j < COLUMNS; j++)
        if (truth[j] != 0.0 || fabs(x[j]) > 0.05) printf("x[%d] = %6.3f, truth %6.3f\n", j, x[j], truth[j]);

    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_matrix_free(matrix);
    dcpn_context_free(context);
    return 0;
}
