/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of NULL share: one of each thing, and calls that must refuse NULL. Include after cmocka.h. */
#ifndef DCPN_TESTS_NULL_CALLS_H
#define DCPN_TESTS_NULL_CALLS_H

#include <string.h>

#include "dcpn/dcpn.h"
#include "scratch.h"

/* No file of tests needs all of it. */
#define SHARED static __attribute__((unused))

enum { ROWS = 12, COLUMNS = 2, NAME_SIZE = 64 };

SHARED const double VALUES[ROWS * COLUMNS] = {0.3, -1.0, 1.2, 0.4, -0.7, 0.9, 0.1,  -0.2, 1.5, 1.1, -1.4, 0.6,
                                              0.8, -0.5, 0.2, 1.3, -0.9, 0.7, -0.6, 0.5,  1.0, 0.0, -0.3, -1.2};
SHARED const double LABELS[ROWS] = {1, 1, -1, 1, 1, -1, 1, 1, -1, -1, 1, -1};

/* What the calls are made with where they are not made with NULL. */
SHARED dcpn_context *context;
SHARED dcpn_matrix *A, *matrix;
SHARED dcpn_problem *problem, *new_problem;
SHARED dcpn_solver *solver, *new_solver;
SHARED dcpn_dataset *data, *new_data;
SHARED dcpn_model *model, *new_model;
SHARED dcpn_paths *paths, *new_paths;
SHARED dcpn_results *results;
SHARED dcpn_cv *cv, *new_cv;
SHARED dcpn_grid_selection *selection;
SHARED const int64_t PLACE[] = {0};
SHARED const double COVARIANCE[] = {1.0, 0.5, 0.5, 1.0};
SHARED dcpn_factors *factors, *new_factors;
SHARED dcpn_graphs *graphs, *new_graphs;
SHARED dcpn_neighbours *neighbours;
SHARED dcpn_knockoffs *knockoffs;
SHARED dcpn_intervals *intervals;
SHARED double copies[ROWS * COLUMNS];
SHARED dcpn_hazard *hazard;
SHARED const double one = 1.0;
SHARED dcpn_completion *completion, *new_completion;
SHARED dcpn_settings settings;

SHARED int setup(void **state)
{
    const dcpn_toy toy = {.features = 2, .relevant = 1, .rows = 8};
    const dcpn_path_options few = {.lambda_count = 2};
    const dcpn_cv_options options = {.path = few, .folds = 2};
    (void)state;
    context = dcpn_context_new(NULL);
    settings = dcpn_settings_default();
    if (dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A) ||
        dcpn_problem_new(context, A, LABELS, &problem) || dcpn_solver_new(context, problem, &settings, &solver) ||
        dcpn_solver_run(solver) || dcpn_model_new(solver, 1, &model) ||
        dcpn_generate_toy(context, &toy, &data, NULL, NULL) ||
        dcpn_paths_fit(context, problem, &settings, &few, &paths) ||
        dcpn_cv_run(context, problem, &settings, &options, &cv) || dcpn_factors_fit(context, A, NULL, NULL, &factors) ||
        dcpn_graphs_fit(context, &(dcpn_graph_source){.covariance = COVARIANCE, .variables = 2}, NULL, NULL, &graphs) ||
        dcpn_completion_fit(context, &(dcpn_entries){1, 1, 1, PLACE, PLACE, COVARIANCE}, NULL, NULL, &completion))
        return -1;
    return 0;
}

SHARED int teardown(void **state)
{
    (void)state;
    dcpn_completion_free(completion);
    dcpn_graphs_free(graphs);
    dcpn_factors_free(factors);
    dcpn_cv_free(cv);
    dcpn_paths_free(paths);
    dcpn_dataset_free(data);
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
    return 0;
}

/* The sentence begins with the function and names the argument. */
SHARED void assert_named(const char *call, dcpn_status status, const char *argument)
{
    char expected[2 * NAME_SIZE];
    snprintf(expected, sizeof expected, "found NULL for '%s'", argument);
    if (status != DCPN_USAGE || !strstr(dcpn_last_error(context), expected) ||
        strncmp(dcpn_last_error(context), call, strcspn(call, "(")) != 0)
        fail_msg("%s: status %d, %s", call, (int)status, dcpn_last_error(context));
}

SHARED void assert_said(const char *call, dcpn_status status, const char *words)
{
    if (status == DCPN_OK || !strstr(dcpn_last_error(context), words))
        fail_msg("%s: status %d, %s", call, (int)status, dcpn_last_error(context));
}

SHARED void assert_usage(const char *call, dcpn_status status)
{
    if (status != DCPN_USAGE) fail_msg("%s: status %d", call, (int)status);
}

SHARED void assert_true_of(const char *call, int is_true)
{
    if (!is_true) fail_msg("%s", call);
}

#define NAMED(ARGUMENT, CALL) assert_named(#CALL, CALL, ARGUMENT)
#define SAID(WORDS, CALL) assert_said(#CALL, CALL, WORDS)
#define USAGE(CALL) assert_usage(#CALL, CALL)
#define IS(EXPRESSION) assert_true_of(#EXPRESSION, EXPRESSION)
#define DOES_NOTHING(CALL) assert_true_of(#CALL, (CALL, 1))

#endif
