/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a problem can be given besides the data, and a path: one fit for each of a decreasing row of lambdas, each
 * started from the coefficients of the one before.
 *
 *     weights           a row of weight 2 counts as two rows; a row of weight 0 is left out
 *     offset            is added to the score of its row: what is known of it already
 *     penalty factors   multiply lambda; a feature of factor 0 is not penalised
 *     intercept         one more coefficient, not penalised */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 300, FEATURES = 40 };

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

/* Runs from `start` and leaves the solution there, for the next lambda. */
static void fit_and_print(dcpn_context *context, const dcpn_problem *problem, double lambda, double *start,
                          double *start_intercept)
{
    dcpn_solver *solver = NULL;
    dcpn_settings *settings = NULL;
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=log scale=mean intercept=1"));
    must(context, dcpn_settings_set_real(settings, "lambda", lambda));
    must(context, dcpn_solver_new(context, problem, settings, &solver));
    must(context, dcpn_solver_set_start(solver, start, *start_intercept));
    must(context, dcpn_solver_run(solver));

    const dcpn_result *result = dcpn_solver_result(solver);
    const double *x = dcpn_solver_coefficients(solver);
    for (int j = 0; j < FEATURES; j++) start[j] = x[j];
    *start_intercept = dcpn_solver_intercept(solver);
    printf("%8.4f %9.0f %10.5f %9.4f %9.4f %11.0f  %s\n", lambda, dcpn_result_number(result, "nonzeros"),
           dcpn_result_number(result, "objective"), *start_intercept, x[0], dcpn_result_number(result, "iterations"),
           dcpn_outcome_name(dcpn_result_outcome(result)));
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
}

int main(void)
{
    const dcpn_toy toy = {.features = FEATURES, .relevant = 6, .rows = ROWS, .seed = 2};
    double weights[ROWS], offset[ROWS], factors[FEATURES];
    double start[FEATURES] = {0.0}, intercept = 0.0;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_problem *problem = NULL;
    if (!context) return 1;

    must(context, dcpn_generate_toy(context, &toy, &train, NULL, NULL));
    for (int i = 0; i < ROWS; i++) weights[i] = i < 100 ? 2.0 : 1.0;    /* the first hundred rows count twice */
    for (int i = 0; i < ROWS; i++) offset[i] = 0.25;                    /* the intercept will take it back */
    for (int j = 0; j < FEATURES; j++) factors[j] = j == 0 ? 0.0 : 1.0; /* the first feature is always in */

    must(context, dcpn_problem_new(context, dcpn_dataset_matrix(train), dcpn_dataset_labels(train), &problem));
    must(context, dcpn_problem_set_weights(problem, weights));
    must(context, dcpn_problem_set_offset(problem, offset));
    must(context, dcpn_problem_set_penalty_factors(problem, factors));

    printf("%8s %9s %10s %9s %9s %11s  %s\n", "lambda", "features", "objective", "intercept", "x[0]", "iterations",
           "outcome");
    for (double lambda = 0.2; lambda > 0.02; lambda *= 0.6) fit_and_print(context, problem, lambda, start, &intercept);

    dcpn_problem_free(problem);
    dcpn_dataset_free(train);
    dcpn_context_free(context);
    return 0;
}
