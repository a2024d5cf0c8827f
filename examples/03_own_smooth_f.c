/* SPDX-License-Identifier: BSD-3-Clause */
/* The generic use of the paper: a smooth f of your own, f = f1 - f2, with any penalty.
 *
 * Robust regression with Cauchy's function: f(x) = sum_i log(1 + r_i^2 / 2), r = B x - b. It grows so slowly that a
 * measurement gone wrong hardly counts, and it is not convex. But its curvature is at most 1, so that
 *     f1 = 1/2 |r|^2   and   f2 = 1/2 |r|^2 - f
 * are both convex, and the Hessian of f1 is B'B. */
#include <dcpn/dcpn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MEASUREMENTS = 60, UNKNOWNS = 8 };

struct regression {
    double B[MEASUREMENTS][UNKNOWNS], b[MEASUREMENTS];
};

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static double residual(const struct regression *data, const double *x, int i)
{
    double r = -data->b[i];
    for (int j = 0; j < UNKNOWNS; j++) r += data->B[i][j] * x[j];
    return r;
}

/* f1, its gradient B'r, and its Hessian times d, B'(B d) */

static double value1(void *user, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < MEASUREMENTS; i++) sum += 0.5 * residual(user, x, i) * residual(user, x, i);
    return sum;
}

static void gradient1(void *user, const double *x, double *gradient)
{
    const struct regression *data = user;
    for (int j = 0; j < UNKNOWNS; j++) gradient[j] = 0.0;
    for (int i = 0; i < MEASUREMENTS; i++) {
        double r = residual(data, x, i);
        for (int j = 0; j < UNKNOWNS; j++) gradient[j] += r * data->B[i][j];
    }
}

static void hessian1_product(void *user, const double *x, const double *d, double *product)
{
    const struct regression *data = user;
    (void)x; /* the Hessian is the same everywhere */
    for (int j = 0; j < UNKNOWNS; j++) product[j] = 0.0;
    for (int i = 0; i < MEASUREMENTS; i++) {
        double along = 0.0;
        for (int j = 0; j < UNKNOWNS; j++) along += data->B[i][j] * d[j];
        for (int j = 0; j < UNKNOWNS; j++) product[j] += along * data->B[i][j];
    }
}

/* f2 and its gradient: r - r / (1 + r^2 / 2) = r q / (1 + q), q = r^2 / 2 */

static double value2(void *user, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < MEASUREMENTS; i++) {
        double r = residual(user, x, i), q = 0.5 * r * r;
        sum += q - log1p(q);
    }
    return sum;
}

static void gradient2(void *user, const double *x, double *gradient)
{
    const struct regression *data = user;
    for (int j = 0; j < UNKNOWNS; j++) gradient[j] = 0.0;
    for (int i = 0; i < MEASUREMENTS; i++) {
        double r = residual(data, x, i), q = 0.5 * r * r;
        for (int j = 0; j < UNKNOWNS; j++) gradient[j] += r * q / (1.0 + q) * data->B[i][j];
    }
}

/* ---- a problem with outliers ---- */

static double uniform(uint64_t *state) /* in [-1, 1) */
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static const double truth[UNKNOWNS] = {2.0, 0.0, 0.0, -1.5, 0.0, 0.0, 1.0, 0.0};

static void measure(struct regression *data)
{
    uint64_t state = 1;
    for (int i = 0; i < MEASUREMENTS; i++) {
        for (int j = 0; j < UNKNOWNS; j++) data->B[i][j] = uniform(&state);
        data->b[i] = 0.0;
        data->b[i] = residual(data, truth, i) + 0.05 * uniform(&state);
        if (i % 10 == 3) data->b[i] += 30.0; /* one in ten has gone wrong */
    }
}

int main(void)
{
    static struct regression data;
    const dcpn_smooth f = {.size = UNKNOWNS,
                           .value1 = value1,
                           .gradient1 = gradient1,
                           .value2 = value2,
                           .gradient2 = gradient2,
                           .hessian1_product = hessian1_product,
                           .user = &data};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    if (!context) return 1;

    measure(&data);
    must(context, dcpn_problem_new_smooth(context, &f, &problem));
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=scad lambda=0.3"));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    const double *x = dcpn_solver_coefficients(solver);
    printf("%s: F = %.4f, stationarity %.1e, metric %s, subsolver %s\n", dcpn_outcome_name(dcpn_result_outcome(result)),
           dcpn_result_number(result, "objective"), dcpn_result_number(result, "stationarity"),
           dcpn_result_text(result, "metric"), dcpn_result_text(result, "subsolver"));
    printf("truth ");
    for (int j = 0; j < UNKNOWNS; j++) printf(" %6.2f", truth[j]);
    printf("\nfound ");
    for (int j = 0; j < UNKNOWNS; j++) printf(" %6.2f", x[j]);
    printf("\n");

    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_context_free(context);
    return 0;
}
