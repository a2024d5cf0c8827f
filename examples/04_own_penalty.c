/* SPDX-License-Identifier: BSD-3-Clause */
/* A penalty of your own: three functions of one number t = |x_j| >= 0.
 *
 * The exponential penalty, p(t) = lambda width (1 - exp(-t / width)), starts with slope lambda, like the lasso, and
 * levels off at lambda * width. Any p that is concave, increases from p(0) = 0 and has a finite slope c at 0 will do:
 * the library makes the convex parts h1 = c |t| and h2 = c |t| - p(|t|) from it. */
#include <dcpn/dcpn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEATURES = 100 };

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

static double width_of(const dcpn_penalty_shape *shape)
{
    return *(const double *)shape->user;
}

static double value(const dcpn_penalty_shape *shape, double lambda, double t)
{
    return -lambda * width_of(shape) * expm1(-t / width_of(shape)); /* exact also for a tiny t */
}

static double slope0(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    return lambda;
}

static double slope(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)side; /* p has no kink: both one-sided slopes are the same */
    return lambda * exp(-t / width_of(shape));
}

static const dcpn_penalty_ops exponential = {
    .name = "exponential",
    .formula = "lambda width (1 - exp(-t / width))",
    .value = value,
    .slope0 = slope0,
    .slope = slope,
};

static void fit_and_print(dcpn_context *context, const dcpn_dataset *train, double width)
{
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "lambda=6"));
    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));
    must(context, dcpn_problem_set_penalty(problem, &exponential, &width));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    const double *x = dcpn_solver_coefficients(solver);
    double largest = 0.0;
    for (int j = 0; j < FEATURES; j++) largest = fmax(largest, fabs(x[j]));
    printf("%8g %9.0f %11.3f %11.3f %14.1e\n", width, dcpn_result_number(result, "nonzeros"), largest,
           dcpn_result_number(result, "objective"), dcpn_result_number(result, "stationarity"));
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
}

int main(void)
{
    const dcpn_toy toy = {.features = FEATURES, .relevant = 10, .rows = 400, .seed = 1};
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, NULL, NULL));
    printf("%8s %9s %11s %11s %14s\n", "width", "features", "largest |x|", "objective", "stationarity");
    fit_and_print(context, train, 100.0); /* nearly the lasso */
    fit_and_print(context, train, 1.0);
    fit_and_print(context, train, 0.3);

    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
