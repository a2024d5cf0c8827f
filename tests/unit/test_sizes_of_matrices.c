/* SPDX-License-Identifier: BSD-3-Clause */
/* Odd sizes and numbers for times to events, graphs, completed matrices and factors. */
#include "odd_numbers.h"

enum { ROWS = 12, COLUMNS = 2 };

static const double VALUES[ROWS * COLUMNS] = {0.3, -1.0, 1.2, 0.4, -0.7, 0.9, 0.1,  -0.2, 1.5, 1.1, -1.4, 0.6,
                                              0.8, -0.5, 0.2, 1.3, -0.9, 0.7, -0.6, 0.5,  1.0, 0.0, -0.3, -1.2};
static const double TIMES[ROWS] = {1, 2, -3, 4, 4, -6, 7, 7, -9, 10, 11, 12};
static const double COVARIANCE[] = {1.0, 0.5, 0.5, 1.0};
static const int64_t PLACES[] = {0, 1};

static dcpn_matrix *A;
static dcpn_settings settings;
static dcpn_graphs *graphs;
static dcpn_completion *completion;

static int setup(void **state)
{
    (void)state;
    make_context();
    settings = dcpn_settings_default();
    settings.max_iter = 50;
    int failed =
        dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A) ||
        dcpn_graphs_fit(context, &(dcpn_graph_source){.covariance = COVARIANCE, .variables = 2}, NULL, NULL, &graphs) ||
        dcpn_completion_fit(context, &(dcpn_entries){1, 1, 1, PLACES, PLACES, COVARIANCE}, NULL, NULL, &completion);
    return failed ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    dcpn_completion_free(completion);
    dcpn_graphs_free(graphs);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
    return 0;
}

/* ---- times to events ---- */

enum { OF_TIME, OF_START, OF_STRATUM, OF_WEIGHT, OF_OFFSET, OF_FACTOR };

static dcpn_status survive(int which, double number)
{
    double numbers[6][ROWS] = {{0}};
    dcpn_problem *made = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings cox = settings;
    cox.loss = "cox";
    memcpy(numbers[OF_TIME], TIMES, sizeof TIMES);
    for (int i = 0; i < ROWS; i++) numbers[OF_WEIGHT][i] = numbers[OF_FACTOR][i] = 1.0;
    numbers[which][1] = number;
    dcpn_status status = dcpn_problem_new(context, A, numbers[OF_TIME], &made);
    if (status == DCPN_OK) status = dcpn_problem_set_survival(made, numbers[OF_START], numbers[OF_STRATUM]);
    if (status == DCPN_OK) status = dcpn_problem_set_weights(made, numbers[OF_WEIGHT]);
    if (status == DCPN_OK) status = dcpn_problem_set_offset(made, numbers[OF_OFFSET]);
    if (status == DCPN_OK) status = dcpn_problem_set_penalty_factors(made, numbers[OF_FACTOR]);
    if (status == DCPN_OK) status = dcpn_solver_new(context, made, &cox, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status == DCPN_OK) assert_true(isfinite(dcpn_solver_result(solver)->objective));
    dcpn_solver_free(solver);
    dcpn_problem_free(made);
    return status;
}

#define SURVIVES(NAME, WHICH)                                                                                          \
    static dcpn_status NAME(double number)                                                                             \
    {                                                                                                                  \
        return survive(WHICH, number);                                                                                 \
    }
SURVIVES(of_time, OF_TIME)
SURVIVES(of_start, OF_START)
SURVIVES(of_stratum, OF_STRATUM)
SURVIVES(of_weight, OF_WEIGHT)
SURVIVES(of_offset, OF_OFFSET)
SURVIVES(of_factor, OF_FACTOR)

static void numbers_of_times(void **state)
{
    (void)state;
    complaints = 0;
    try_numbers(of_time, "a time");
    try_numbers(of_start, "a start");
    try_numbers(of_stratum, "a stratum");
    try_numbers(of_weight, "the weight of a time");
    try_numbers(of_offset, "the offset of a time");
    try_numbers(of_factor, "the factor of a feature");
    assert_int_equal(complaints, 0);
}

/* ---- matrices ---- */

#define FITS_GRAPHS(NAME, TYPE, SOURCE, ...)                                                                           \
    static dcpn_status NAME(TYPE size)                                                                                 \
    {                                                                                                                  \
        dcpn_graphs *made = NULL;                                                                                      \
        const dcpn_graph_source source = SOURCE;                                                                       \
        const dcpn_graph_options options = {__VA_ARGS__};                                                              \
        dcpn_status status = dcpn_graphs_fit(context, &source, &settings, &options, &made);                            \
        dcpn_graphs_free(made);                                                                                        \
        return status;                                                                                                 \
    }
#define OF_ROWS ((dcpn_graph_source){.X = A})

FITS_GRAPHS(graph_variables, int64_t,
            ((dcpn_graph_source){.covariance = COVARIANCE, .variables = size < 0 || size > INT32_MAX ? size : -1}),
            .gamma = 0.5)
FITS_GRAPHS(graph_lambdas, int64_t, OF_ROWS, .lambdas = VALUES, .lambda_count = size)
FITS_GRAPHS(graph_folds, int64_t, OF_ROWS, .lambda_count = 2, .rule = DCPN_GRAPH_CV, .folds = size)
FITS_GRAPHS(graph_subsamples, int64_t, OF_ROWS, .lambda_count = 2,
            .subsamples = size < 0 || size > INT32_MAX ? size : -1)
FITS_GRAPHS(graph_rule, int64_t, OF_ROWS, .lambda_count = 2, .rule = (dcpn_graph_rule)(size < 0 ? -1 : 9))
FITS_GRAPHS(graph_rows, double, ((dcpn_graph_source){.covariance = COVARIANCE, .variables = 2, .rows = size}),
            .gamma = 0.5)
FITS_GRAPHS(graph_covariance, double,
            ((dcpn_graph_source){.covariance = (const double[]){1.0, size, size, 1.0}, .variables = 2}), .gamma = 0.5)
FITS_GRAPHS(graph_variance, double,
            ((dcpn_graph_source){.covariance = (const double[]){size, 0.0, 0.0, 1.0}, .variables = 2}), .gamma = 0.5)
FITS_GRAPHS(graph_factor, double, OF_ROWS, .factors = (const double[]){1.0, size, size, 1.0})
FITS_GRAPHS(graph_lambda, double, OF_ROWS, .lambdas = &size, .lambda_count = 1)
FITS_GRAPHS(graph_ratio, double, OF_ROWS, .lambda_count = 2, .min_ratio = size)
FITS_GRAPHS(graph_gamma, double, OF_ROWS, .lambda_count = 2, .gamma = size)

static dcpn_status graph_point(int64_t size)
{
    double numbers[2] = {(double)NAN, 1.0};
    dcpn_value value;
    assert_int_equal(dcpn_graphs_get_of_point(graphs, size, "lambda", &value), 0);
    dcpn_status edges = dcpn_graphs_edges(graphs, size, NULL, NULL, NULL),
                diagonal = dcpn_graphs_diagonal(graphs, size, numbers);
    return edges == DCPN_OK || diagonal == DCPN_OK ? DCPN_OK : dcpn_graphs_fill(graphs, size, 1, numbers);
}

static dcpn_status graph_filled(int64_t size)
{
    double numbers[2] = {(double)NAN, 1.0};
    return dcpn_graphs_fill(graphs, 0, size, numbers);
}

#define COMPLETES(NAME, TYPE, ENTRIES, ...)                                                                            \
    static dcpn_status NAME(TYPE size)                                                                                 \
    {                                                                                                                  \
        dcpn_completion *made = NULL;                                                                                  \
        const dcpn_entries entries = ENTRIES;                                                                          \
        const dcpn_complete_options options = {__VA_ARGS__};                                                           \
        dcpn_status status = dcpn_completion_fit(context, &entries, &settings, &options, &made);                       \
        dcpn_completion_free(made);                                                                                    \
        return status;                                                                                                 \
    }
#define OF_TWO ((dcpn_entries){2, 2, 2, PLACES, PLACES, COVARIANCE})

COMPLETES(entries_rows, int64_t, ((dcpn_entries){size, 2, 2, PLACES, PLACES, COVARIANCE}), .center = 0)
COMPLETES(entries_columns, int64_t, ((dcpn_entries){2, size, 2, PLACES, PLACES, COVARIANCE}), .center = 0)
COMPLETES(entries_count, int64_t, ((dcpn_entries){2, 2, size, PLACES, PLACES, COVARIANCE}), .center = 1)
COMPLETES(entries_row, int64_t, ((dcpn_entries){2, 2, 1, &size, PLACES, COVARIANCE}), .center = 0)
COMPLETES(entries_column, int64_t, ((dcpn_entries){2, 2, 1, PLACES, &size, COVARIANCE}), .center = 0)
COMPLETES(complete_lambdas, int64_t, OF_TWO, .lambdas = VALUES, .lambda_count = size)
COMPLETES(complete_rank, int64_t, OF_TWO, .most_rank = size)
COMPLETES(entry, double, ((dcpn_entries){2, 2, 1, PLACES, PLACES, &size}), .center = 1)
COMPLETES(complete_lambda, double, OF_TWO, .lambdas = &size, .lambda_count = 1)
COMPLETES(complete_sparse, double, OF_TWO, .sparse_lambda = size)
COMPLETES(complete_ratio, double, OF_TWO, .lambda_count = 2, .min_ratio = size)
COMPLETES(complete_held_out, double, OF_TWO, .lambda_count = 2, .held_out = size)

static dcpn_status completed_values(int64_t size)
{
    double values[2];
    return dcpn_completion_values(completion, size, PLACES, PLACES, values);
}

static dcpn_status completed_place(int64_t size)
{
    double value;
    dcpn_status row = dcpn_completion_values(completion, 1, &size, PLACES, &value);
    return row == DCPN_OK ? row : dcpn_completion_values(completion, 1, PLACES, &size, &value);
}

#define FACTORS(NAME, TYPE, ...)                                                                                       \
    static dcpn_status NAME(TYPE size)                                                                                 \
    {                                                                                                                  \
        dcpn_factors *made = NULL;                                                                                     \
        const dcpn_factor_options options = {__VA_ARGS__};                                                             \
        dcpn_status status = dcpn_factors_fit(context, A, &settings, &options, &made);                                 \
        dcpn_factors_free(made);                                                                                       \
        return status;                                                                                                 \
    }
FACTORS(factor_atoms, int64_t, .atoms = size)
FACTORS(factor_start, double, .atoms = 1, .start = (const double[]){1.0, size})

static void numbers_of_matrices(void **state)
{
    (void)state;
    complaints = 0;
    try_sizes(graph_variables, "variables of a graph", 0);
    try_sizes(graph_lambdas, "lambdas of a graph", 1);
    try_sizes(graph_folds, "folds of a graph", 0);
    try_sizes(graph_subsamples, "subsamples of a graph", 1);
    try_sizes(graph_rule, "the rule of a graph", 0);
    try_sizes(graph_point, "a point of graphs", 0);
    try_sizes(graph_filled, "rows to fill", 1);
    try_sizes(entries_rows, "rows of a completion", 0);
    try_sizes(entries_columns, "columns of a completion", 0);
    try_sizes(entries_count, "entries of a completion", 1);
    try_sizes(entries_row, "a row of a completion", 0);
    try_sizes(entries_column, "a column of a completion", 0);
    try_sizes(complete_lambdas, "lambdas of a completion", 1);
    try_sizes(complete_rank, "the rank of a completion", 0);
    try_sizes(completed_values, "values of a completion", 1);
    try_sizes(completed_place, "a place of a completion", 0);
    try_sizes(factor_atoms, "atoms", 0);
    try_numbers(graph_rows, "rows of a covariance");
    try_numbers(graph_covariance, "a covariance");
    try_numbers(graph_variance, "a variance");
    try_numbers(graph_factor, "the factor of a pair");
    try_numbers(graph_lambda, "a lambda of a graph");
    try_numbers(graph_ratio, "the ratio of the grid of a graph");
    try_numbers(graph_gamma, "gamma of a graph");
    try_numbers(entry, "an entry of a completion");
    try_numbers(complete_lambda, "a lambda of a completion");
    try_numbers(complete_sparse, "lambda of the sparse part");
    try_numbers(complete_ratio, "the ratio of the grid of a completion");
    try_numbers(complete_held_out, "the share held out");
    try_numbers(factor_start, "an atom");
    assert_int_equal(complaints, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_times),
        cmocka_unit_test(numbers_of_matrices),
    };
    return cmocka_run_group_tests_name("unit.sizes_of_matrices", tests, setup, teardown);
}
