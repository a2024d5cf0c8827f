/* SPDX-License-Identifier: BSD-3-Clause */
/* Odd sizes and numbers for data, problems, paths, cross-validations and models. */
#include "odd_numbers.h"

enum { ROWS = 12, COLUMNS = 2 };

static const double VALUES[ROWS * COLUMNS] = {0.3, -1.0, 1.2, 0.4, -0.7, 0.9, 0.1,  -0.2, 1.5, 1.1, -1.4, 0.6,
                                              0.8, -0.5, 0.2, 1.3, -0.9, 0.7, -0.6, 0.5,  1.0, 0.0, -0.3, -1.2};
static const double LABELS[ROWS] = {1, 1, -1, 1, 1, -1, 1, 1, -1, -1, 1, -1};
static const int64_t PLACES[] = {0, 1};

static dcpn_matrix *A;
static dcpn_problem *problem;
static dcpn_settings settings;
static dcpn_model *model;
static dcpn_paths *paths;

static int setup(void **state)
{
    const dcpn_path_options few = {.lambda_count = 2};
    dcpn_solver *solver = NULL;
    (void)state;
    make_context();
    settings = dcpn_settings_default();
    settings.max_iter = 50;
    int failed =
        dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A) ||
        dcpn_problem_new(context, A, LABELS, &problem) || dcpn_solver_new(context, problem, &settings, &solver) ||
        dcpn_solver_run(solver) || dcpn_model_new(solver, 1, &model) ||
        dcpn_paths_fit(context, problem, &settings, &few, &paths);
    dcpn_solver_free(solver);
    return failed ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    dcpn_paths_free(paths);
    dcpn_model_free(model);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
    return 0;
}

/* ---- data ---- */

static dcpn_status free_matrix(dcpn_status status, dcpn_matrix *matrix)
{
    dcpn_matrix_free(matrix);
    return status;
}

#define MAKES_A_MATRIX(NAME, ...)                                                                                      \
    static dcpn_status NAME(int64_t size)                                                                              \
    {                                                                                                                  \
        dcpn_matrix *made = NULL;                                                                                      \
        dcpn_status status = __VA_ARGS__;                                                                              \
        return free_matrix(status, made);                                                                              \
    }

static const int64_t POINTERS[] = {0, 1, 2};

MAKES_A_MATRIX(dense_rows, dcpn_matrix_dense(context, size, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS,
                                             DCPN_COPY, &made))
MAKES_A_MATRIX(dense_columns,
               dcpn_matrix_dense(context, ROWS, size, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &made))
MAKES_A_MATRIX(dense_both,
               dcpn_matrix_dense(context, size, size, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, size, DCPN_COPY, &made))
MAKES_A_MATRIX(dense_stride,
               dcpn_matrix_dense(context, 1, 1, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, size, DCPN_BORROW, &made))
MAKES_A_MATRIX(sparse_rows,
               dcpn_matrix_csr(context,
                               &(dcpn_compressed){size, 2, POINTERS, PLACES, DCPN_INT64, VALUES, DCPN_FLOAT64, NULL},
                               DCPN_COPY, &made))
MAKES_A_MATRIX(sparse_columns,
               dcpn_matrix_csr(context,
                               &(dcpn_compressed){2, size, POINTERS, PLACES, DCPN_INT64, VALUES, DCPN_FLOAT64, NULL},
                               DCPN_COPY, &made))
MAKES_A_MATRIX(sparse_rows_by_columns,
               dcpn_matrix_csc(context,
                               &(dcpn_compressed){size, 2, POINTERS, PLACES, DCPN_INT64, VALUES, DCPN_FLOAT64, NULL},
                               DCPN_COPY, &made))
MAKES_A_MATRIX(some_rows_from, dcpn_matrix_some_rows(A, size, 1, &made))
MAKES_A_MATRIX(some_rows, dcpn_matrix_some_rows(A, 1, size, &made))

static dcpn_status free_data(dcpn_status status, dcpn_dataset *data)
{
    dcpn_dataset_free(data);
    return status;
}

#define MAKES_DATA(NAME, KIND, FUNCTION, ...)                                                                          \
    static dcpn_status NAME(int64_t size)                                                                              \
    {                                                                                                                  \
        dcpn_dataset *made = NULL, *test = NULL;                                                                       \
        const KIND what = {__VA_ARGS__};                                                                               \
        dcpn_status status = FUNCTION(context, &what, &made, &test, NULL);                                             \
        dcpn_dataset_free(test);                                                                                       \
        return free_data(status, made);                                                                                \
    }

MAKES_DATA(toy_features, dcpn_toy, dcpn_generate_toy, .features = size, .relevant = 1, .rows = 4)
MAKES_DATA(toy_relevant, dcpn_toy, dcpn_generate_toy, .features = 4, .relevant = size, .rows = 4)
MAKES_DATA(toy_rows, dcpn_toy, dcpn_generate_toy, .features = 4, .relevant = 1, .rows = size)
MAKES_DATA(toy_test_rows, dcpn_toy, dcpn_generate_toy, .features = 4, .relevant = 1, .rows = 4, .test_rows = size)
MAKES_DATA(text_features, dcpn_text, dcpn_generate_text, .features = size, .relevant = 2, .rows = 4, .entries = 3)
MAKES_DATA(text_relevant, dcpn_text, dcpn_generate_text, .features = 40, .relevant = size, .rows = 4, .entries = 3)
MAKES_DATA(text_rows, dcpn_text, dcpn_generate_text, .features = 40, .relevant = 2, .rows = size, .entries = 3)
MAKES_DATA(text_test_rows, dcpn_text, dcpn_generate_text, .features = 40, .relevant = 2, .rows = 4, .entries = 3,
           .test_rows = size)
MAKES_DATA(text_entries, dcpn_text, dcpn_generate_text, .features = 40, .relevant = 2, .rows = 4, .entries = size)

#define READS(NAME, ...)                                                                                               \
    static dcpn_status NAME(int64_t size)                                                                              \
    {                                                                                                                  \
        dcpn_dataset *made = NULL;                                                                                     \
        const dcpn_read_options how = {__VA_ARGS__};                                                                   \
        return free_data(dcpn_read(context, DCPN_TESTS_DIR "/cli/data/tiny.svm", &how, &made), made);                  \
    }

READS(read_features, .features = size)
READS(read_at_least, .at_least = size)
READS(read_wanted, .table.wanted_count = size)
READS(read_categories, .table.category_count = size)

static dcpn_status numbers_written(int64_t size)
{
    return dcpn_write_numbers(context, "/dev/null", VALUES, size);
}

static dcpn_status classes_matched(int64_t size)
{
    dcpn_dataset *data = NULL;
    const dcpn_toy toy = {.features = 3, .relevant = 1, .rows = 6};
    char a[] = "a", b[] = "b", *names[] = {a, b};
    int64_t stranger = -1;
    if (dcpn_generate_toy(context, &toy, &data, NULL, NULL)) return DCPN_OK;
    return free_data(dcpn_dataset_match_classes(data, names, size, &stranger), data);
}

static void sizes_of_data(void **state)
{
    (void)state;
    complaints = 0;
    try_sizes(dense_rows, "rows of a dense matrix", 1);
    try_sizes(dense_columns, "columns of a dense matrix", 0);
    try_sizes(dense_both, "rows and columns of a dense matrix", 1);
    assert_int_not_equal(dense_both((int64_t)1 << 32), DCPN_OK);
    assert_int_not_equal(dense_both(INT64_MAX), DCPN_OK);
    try_sizes(dense_stride, "stride of a dense matrix", 0);
    try_sizes(sparse_rows, "rows of a sparse matrix", 1);
    try_sizes(sparse_columns, "columns of a sparse matrix", 0);
    try_sizes(sparse_rows_by_columns, "rows of a sparse matrix by columns", 0);
    try_sizes(some_rows_from, "the first of some rows", 0);
    try_sizes(some_rows, "some rows", 0);
    try_sizes(toy_features, "features of a toy", 0);
    try_sizes(toy_relevant, "relevant features of a toy", 0);
    try_sizes(toy_rows, "rows of a toy", 0);
    try_sizes(toy_test_rows, "test rows of a toy", 0);
    try_sizes(text_features, "features of a text", 0);
    try_sizes(text_relevant, "relevant features of a text", 0);
    try_sizes(text_rows, "rows of a text", 0);
    try_sizes(text_test_rows, "test rows of a text", 0);
    try_sizes(text_entries, "entries of a text", 0);
    try_sizes(read_features, "features to read", 0);
    try_sizes(read_at_least, "least features to read", 0);
    try_sizes(read_wanted, "wanted features", 1);
    try_sizes(read_categories, "categories", 1);
    try_sizes(numbers_written, "numbers to write", 1);
    try_sizes(classes_matched, "names of classes", 1);
    assert_int_equal(complaints, 0);
}

/* ---- problems, paths, cross-validations ---- */

static dcpn_status groups_set(int64_t size)
{
    return dcpn_problem_set_groups(problem, size, POINTERS, PLACES, NULL);
}

static dcpn_status group_starts(int64_t size)
{
    const int64_t start[] = {0, size};
    return dcpn_problem_set_groups(problem, 1, start, PLACES, NULL);
}

static dcpn_status group_members(int64_t size)
{
    const int64_t start[] = {0, 1};
    return dcpn_problem_set_groups(problem, 1, start, &size, NULL);
}

static dcpn_status group_weights(double number)
{
    const int64_t start[] = {0, 2};
    dcpn_status status = dcpn_problem_set_groups(problem, 1, start, PLACES, &number);
    dcpn_problem_set_groups(problem, 0, NULL, NULL, NULL);
    return status == DCPN_OK && isnan(number) ? DCPN_USAGE : status; /* NaN is the standard weight there */
}

static dcpn_status weighted_classes(int64_t size)
{
    double of_class[2] = {1.0, 2.0}, weights[ROWS];
    return dcpn_class_weights(context, LABELS, ROWS, of_class, size, weights);
}

#define FITS_PATHS(NAME, TYPE, ...)                                                                                    \
    static dcpn_status NAME(TYPE size)                                                                                 \
    {                                                                                                                  \
        dcpn_paths *made = NULL;                                                                                       \
        const dcpn_path_options options = {__VA_ARGS__};                                                               \
        dcpn_status status = dcpn_paths_fit(context, problem, &settings, &options, &made);                             \
        dcpn_paths_free(made);                                                                                         \
        return status;                                                                                                 \
    }

FITS_PATHS(path_lambdas, int64_t, .lambdas = VALUES, .lambda_count = size)
FITS_PATHS(path_grid, int64_t, .lambda_count = size < 0 || size > INT32_MAX ? size : -1)
FITS_PATHS(path_penalties, int64_t, .lambda_count = 2, .penalties = (const char *[]){"l1", "mcp"},
           .penalty_count = size)
FITS_PATHS(path_values, int64_t, .lambda_count = 2, .values = VALUES, .value_count = size)
FITS_PATHS(path_most_features, int64_t, .lambda_count = 2, .most_features = size)
FITS_PATHS(path_lambda, double, .lambdas = &size, .lambda_count = 1)
FITS_PATHS(path_ratio, double, .lambda_count = 2, .min_ratio = size)
FITS_PATHS(path_value, double, .lambda_count = 2, .values = &size, .value_count = 1)
FITS_PATHS(path_saturation, double, .lambda_count = 2, .saturation = size)

#define CROSS_VALIDATES(NAME, TYPE, ...)                                                                               \
    static dcpn_status NAME(TYPE size)                                                                                 \
    {                                                                                                                  \
        dcpn_cv *made = NULL;                                                                                          \
        const dcpn_cv_options options = {.path = {.lambda_count = 2}, __VA_ARGS__};                                    \
        dcpn_status status = dcpn_cv_run(context, problem, &settings, &options, &made);                                \
        dcpn_cv_free(made);                                                                                            \
        return status;                                                                                                 \
    }

CROSS_VALIDATES(cv_folds, int64_t, .folds = size)
CROSS_VALIDATES(cv_subsamples, int64_t, .folds = 2, .subsamples = size < 0 || size > INT32_MAX ? size : -1)
CROSS_VALIDATES(cv_most_features, int64_t, .folds = 2, .rule = "bic", .most_features = size)
CROSS_VALIDATES(cv_share, double, .folds = 2, .subsamples = 2, .share = size)
CROSS_VALIDATES(cv_threshold, double, .folds = 2, .subsamples = 2, .threshold = size)
CROSS_VALIDATES(cv_fold_of, int64_t, .folds = 2,
                .fold_of = (const int64_t[ROWS]){0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, size})

static dcpn_status folds_drawn(int64_t size)
{
    int64_t fold_of[ROWS];
    return dcpn_folds_draw(context, LABELS, ROWS, size, 1, fold_of);
}

static dcpn_status rows_of_folds(int64_t size)
{
    int64_t fold_of[ROWS];
    return dcpn_folds_draw(context, LABELS, size, 3, 1, fold_of);
}

#define SELECTS(NAME, ...)                                                                                             \
    static dcpn_status NAME(int64_t size)                                                                              \
    {                                                                                                                  \
        dcpn_grid_selection *made = NULL;                                                                              \
        const dcpn_grid_options options = {__VA_ARGS__};                                                               \
        dcpn_status status = dcpn_select_on_grid(context, problem, &settings, &options, &made);                        \
        dcpn_grid_selection_free(made);                                                                                \
        return status;                                                                                                 \
    }

SELECTS(select_lambdas, .lambdas = VALUES, .lambda_count = size)
SELECTS(select_values, .values = VALUES, .value_count = size)
SELECTS(select_weights, .weights = VALUES, .weight_count = size)
SELECTS(select_folds, .folds = size)

static void sizes_of_fits(void **state)
{
    (void)state;
    complaints = 0;
    try_sizes(groups_set, "groups", 1);
    try_sizes(group_starts, "members of a group", 1);
    try_sizes(group_members, "a member of a group", 0);
    try_sizes(weighted_classes, "weights of classes", 0);
    try_sizes(path_lambdas, "lambdas of a path", 1);
    try_sizes(path_grid, "the grid of a path", 0);
    try_sizes(path_penalties, "penalties of paths", 1);
    try_sizes(path_values, "values of paths", 1);
    try_sizes(path_most_features, "most features of a path", 0);
    try_sizes(cv_folds, "folds", 0);
    try_sizes(cv_subsamples, "subsamples", 0);
    try_sizes(cv_most_features, "most features of a criterion", 0);
    try_sizes(cv_fold_of, "the fold of a row", 0);
    try_sizes(folds_drawn, "folds to draw", 0);
    try_sizes(rows_of_folds, "rows to draw folds for", 1);
    try_sizes(select_lambdas, "lambdas to choose from", 1);
    try_sizes(select_values, "values to choose from", 1);
    try_sizes(select_weights, "weights to choose from", 1);
    try_sizes(select_folds, "folds to choose by", 0);
    try_numbers(group_weights, "the weight of a group");
    try_numbers(path_lambda, "a lambda of a path");
    try_numbers(path_ratio, "the ratio of a grid");
    try_numbers(path_value, "a value of paths");
    try_numbers(path_saturation, "the saturation of a path");
    try_numbers(cv_share, "the share of a subsample");
    try_numbers(cv_threshold, "the threshold of stability");
    assert_int_equal(complaints, 0);
}

/* ---- results ---- */

static dcpn_status model_features(int64_t size)
{
    dcpn_model *made = NULL;
    dcpn_status status = dcpn_model_from_arrays(context, NULL, size, 1, PLACES, VALUES, 0.0, NULL, &made);
    dcpn_model_free(made);
    return status;
}

static dcpn_status model_count(int64_t size)
{
    dcpn_model *made = NULL;
    dcpn_status status = dcpn_model_from_arrays(context, NULL, 2, size, PLACES, VALUES, 0.0, NULL, &made);
    dcpn_model_free(made);
    return status;
}

static dcpn_status model_index(int64_t size)
{
    dcpn_model *made = NULL;
    dcpn_status status = dcpn_model_from_arrays(context, NULL, 2, 1, &size, VALUES, 0.0, NULL, &made);
    dcpn_model_free(made);
    return status;
}

static dcpn_status model_value(double number)
{
    dcpn_model *made = NULL;
    dcpn_status status = dcpn_model_from_arrays(context, NULL, 2, 1, PLACES, &number, 0.0, NULL, &made);
    dcpn_model_free(made);
    return status;
}

static dcpn_status model_words(int64_t size)
{
    const char *words[] = {"dcpn"};
    return dcpn_model_set_command(model, words, size);
}

static dcpn_status model_widened(int64_t size)
{
    return dcpn_model_widen(model, size);
}

static dcpn_status rows_labelled(int64_t size)
{
    double labels[ROWS];
    return dcpn_model_labels(model, LABELS, size, labels);
}

static dcpn_status rows_judged(int64_t size)
{
    dcpn_quality quality;
    return dcpn_model_quality(model, LABELS, LABELS, size, &quality);
}

static dcpn_status rows_right(int64_t size)
{
    int64_t of_class[2], right[2];
    return dcpn_model_count_right(model, LABELS, LABELS, size, of_class, right);
}

static dcpn_status rows_likely(int64_t size)
{
    double probabilities[ROWS];
    return dcpn_model_probabilities(model, LABELS, size, probabilities);
}

static dcpn_status largest_words(int64_t size)
{
    int64_t words[2] = {1, 2};
    return dcpn_ranks_largest_words(context, words, size);
}

static void sizes_of_results(void **state)
{
    (void)state;
    complaints = 0;
    try_sizes(model_features, "features of a model", 0);
    try_sizes(model_count, "coefficients of a model", 1);
    try_sizes(model_index, "the index of a coefficient", 0);
    try_sizes(model_words, "words of a command", 1);
    try_sizes(model_widened, "features of a wider model", 1);
    try_sizes(rows_labelled, "rows to label", 1);
    try_sizes(rows_judged, "rows to judge", 1);
    try_sizes(rows_right, "rows to count", 1);
    try_sizes(rows_likely, "rows with probabilities", 1);
    try_sizes(largest_words, "words of ranks", 1);
    try_numbers(model_value, "a coefficient");
    for (size_t k = 0; k < sizeof BELOW_0 / sizeof *BELOW_0; k++) {
        dcpn_value value;
        assert_int_equal(dcpn_paths_points(paths, BELOW_0[k]), 0);
        assert_int_equal(dcpn_paths_points(paths, HUGE_SIZES[k]), 0);
        assert_int_equal(dcpn_paths_get_of_path(paths, BELOW_0[k], "end", &value), 0);
    }
    assert_int_equal(complaints, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_of_data),
        cmocka_unit_test(sizes_of_fits),
        cmocka_unit_test(sizes_of_results),
    };
    return cmocka_run_group_tests_name("unit.sizes", tests, setup, teardown);
}
