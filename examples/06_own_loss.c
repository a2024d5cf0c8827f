/* SPDX-License-Identifier: BSD-3-Clause */
/* A loss of your own: functions of the rows begin <= i < end, which the library calls from several threads.
 *
 * Expectile regression: phi(u; y) = |tau - 1[r < 0]| r^2, r = y - u. With tau = 1/2 it is least squares (times 1/2);
 * with tau = 0.95 it looks at the upper side of the data, with 0.05 at the lower side. */
#include <dcpn/dcpn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static double asymmetry(const dcpn_loss *loss, double r)
{
    double tau = *(const double *)loss->user;
    return r < 0.0 ? 1.0 - tau : tau;
}

static double value(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        double r = loss->y[i] - u[i];
        sum += loss->w[i] * asymmetry(loss, r) * r * r;
    }
    return sum;
}

/* phi(u + t du) - phi(u) on one branch is a quadratic in the step and loses no digits; across r = 0 both values are
 * small, and so is what their difference loses. */
static double change(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du, double t)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        double r = loss->y[i] - u[i], s = -t * du[i], after = r + s;
        double before_side = asymmetry(loss, r), after_side = asymmetry(loss, after);
        sum += loss->w[i] * (before_side == after_side ? before_side * s * (2.0 * r + s)
                                                       : after_side * after * after - before_side * r * r);
    }
    return sum;
}

static void slope1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out)
{
    for (int64_t i = begin; i < end; i++) {
        double r = loss->y[i] - u[i];
        out[i] = -2.0 * loss->w[i] * asymmetry(loss, r) * r;
    }
}

static void curvature1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *out)
{
    for (int64_t i = begin; i < end; i++) out[i] = 2.0 * loss->w[i] * asymmetry(loss, loss->y[i] - u[i]);
}

static const dcpn_loss_ops expectile = {
    .name = "expectile",
    .formula = "|tau - 1[r < 0]| r^2, r = y - u",
    .targets = DCPN_NUMBERS,
    .value = value,
    .value1 = value, /* convex: phi2 = 0 */
    .change = change,
    .slope1 = slope1,
    .curvature1 = curvature1,
};

/* ---- y = 2 a_0, with noise that grows with a_1; eight more columns do not matter ---- */

enum { ROWS = 400, COLUMNS = 10 };

static double uniform(uint64_t *state) /* in [0, 1) */
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static void measure(double A[ROWS][COLUMNS], double *y)
{
    uint64_t state = 1;
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) A[i][j] = uniform(&state);
        y[i] = 2.0 * A[i][0] + A[i][1] * (2.0 * uniform(&state) - 1.0);
    }
}

static void fit_and_print(dcpn_context *context, const dcpn_matrix *A, const double *y, double tau)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=scad lambda=0.01 scale=mean intercept=1"));
    must(context, dcpn_problem_new(context, A, y, &problem));
    must(context, dcpn_problem_set_loss(problem, &expectile, &tau));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));
    printf("tau = %.2f: %6.3f", tau, dcpn_solver_intercept(solver));
    for (int j = 0; j < COLUMNS; j++)
        if (dcpn_solver_coefficients(solver)[j] != 0.0) printf(" %+.3f a_%d", dcpn_solver_coefficients(solver)[j], j);
    printf("   (%s)\n", dcpn_outcome_name(dcpn_result_outcome(dcpn_solver_result(solver))));
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
}

int main(void)
{
    static double A[ROWS][COLUMNS], y[ROWS];
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *matrix = NULL;
    if (!context) return 1;

    measure(A, y);
    must(context,
         dcpn_matrix_dense(context, ROWS, COLUMNS, A, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &matrix));
    fit_and_print(context, matrix, y, 0.05);
    fit_and_print(context, matrix, y, 0.50);
    fit_and_print(context, matrix, y, 0.95);

    dcpn_matrix_free(matrix);
    dcpn_context_free(context);
    return 0;
}
