/* SPDX-License-Identifier: BSD-3-Clause */
/* NULL for a pointer that must not be: every public function that takes one is called so, and says which it was. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "scratch.h"

enum { ROWS = 12, COLUMNS = 2, MOST_NAMES = 2000, NAME_SIZE = 64 };

static const double VALUES[ROWS * COLUMNS] = {0.3, -1.0, 1.2, 0.4, -0.7, 0.9, 0.1,  -0.2, 1.5, 1.1, -1.4, 0.6,
                                              0.8, -0.5, 0.2, 1.3, -0.9, 0.7, -0.6, 0.5,  1.0, 0.0, -0.3, -1.2};
static const double LABELS[ROWS] = {1, 1, -1, 1, 1, -1, 1, 1, -1, -1, 1, -1};

/* What the calls are made with where they are not made with NULL. */
static dcpn_context *context;
static dcpn_matrix *A, *matrix;
static dcpn_problem *problem, *new_problem;
static dcpn_solver *solver, *new_solver;
static dcpn_dataset *data, *new_data;
static dcpn_model *model, *new_model;
static dcpn_paths *paths, *new_paths;
static dcpn_results *results;
static dcpn_cv *cv, *new_cv;
static dcpn_grid_selection *selection;
static const int64_t PLACE[] = {0};
static const double COVARIANCE[] = {1.0, 0.5, 0.5, 1.0};
static dcpn_factors *factors, *new_factors;
static dcpn_graphs *graphs, *new_graphs;
static dcpn_neighbours *neighbours;
static dcpn_knockoffs *knockoffs;
static dcpn_intervals *intervals;
static double copies[ROWS * COLUMNS];
static dcpn_hazard *hazard;
static const double one = 1.0;
static dcpn_completion *completion, *new_completion;
static dcpn_settings settings;

static char called[MOST_NAMES][NAME_SIZE];
static int called_count;

static int setup(void **state)
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

static int teardown(void **state)
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

static void note_call(const char *call)
{
    assert_true(called_count < MOST_NAMES);
    size_t length = strcspn(call, "(");
    assert_true(length < NAME_SIZE);
    memcpy(called[called_count++], call, length);
}

/* The sentence begins with the function and names the argument. */
static void assert_named(const char *call, dcpn_status status, const char *argument)
{
    char expected[2 * NAME_SIZE];
    snprintf(expected, sizeof expected, "found NULL for '%s'", argument);
    note_call(call);
    if (status != DCPN_USAGE || !strstr(dcpn_last_error(context), expected) ||
        strncmp(dcpn_last_error(context), call, strcspn(call, "(")) != 0)
        fail_msg("%s: status %d, %s", call, (int)status, dcpn_last_error(context));
}

static void assert_said(const char *call, dcpn_status status, const char *words)
{
    note_call(call);
    if (status == DCPN_OK || !strstr(dcpn_last_error(context), words))
        fail_msg("%s: status %d, %s", call, (int)status, dcpn_last_error(context));
}

static void assert_usage(const char *call, dcpn_status status)
{
    note_call(call);
    if (status != DCPN_USAGE) fail_msg("%s: status %d", call, (int)status);
}

static void assert_true_of(const char *call, int is_true)
{
    note_call(call);
    if (!is_true) fail_msg("%s", call);
}

#define NAMED(ARGUMENT, CALL) assert_named(#CALL, CALL, ARGUMENT)
#define SAID(WORDS, CALL) assert_said(#CALL, CALL, WORDS)
#define USAGE(CALL) assert_usage(#CALL, CALL)
#define IS(EXPRESSION) assert_true_of(#EXPRESSION, EXPRESSION)
#define DOES_NOTHING(CALL) assert_true_of(#CALL, (CALL, 1))

static void arguments_are_named(void **state)
{
    const char *const holes[] = {"l1", NULL};
    char name[] = "1", *names[] = {name, name};
    const dcpn_path_options penalties = {.penalties = holes, .penalty_count = 2};
    const dcpn_compressed arrays = {0};
    const dcpn_grouped grouped = {.features = 4, .size = 2, .relevant = 1, .rows = 8};
    const dcpn_toy toy = {.features = 2, .relevant = 1, .rows = 8};
    const dcpn_text words = {.features = 2, .relevant = 1, .rows = 8, .entries = 2};
    double number, scores[ROWS], *numbers;
    dcpn_groups *groups = NULL;
    int64_t count, fold_of[ROWS];
    (void)state;
    NAMED("values", dcpn_matrix_dense(context, 1, 1, NULL, DCPN_FLOAT64, DCPN_ROW_MAJOR, 1, DCPN_COPY, &matrix));
    NAMED("matrix", dcpn_matrix_dense(context, 1, 1, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, 1, DCPN_COPY, NULL));
    NAMED("arrays", dcpn_matrix_csr(context, NULL, DCPN_COPY, &matrix));
    NAMED("matrix", dcpn_matrix_csr(context, &arrays, DCPN_COPY, NULL));
    NAMED("arrays", dcpn_matrix_csc(context, NULL, DCPN_COPY, &matrix));
    NAMED("matrix", dcpn_matrix_csc(context, &arrays, DCPN_COPY, NULL));
    NAMED("some", dcpn_matrix_some_rows(A, 0, 1, NULL));
    NAMED("sentence", dcpn_ranks_refuse(context, DCPN_DATA, NULL));
    NAMED("words", dcpn_ranks_largest_words(context, NULL, 1));
    NAMED("dataset", dcpn_read(context, "file", NULL, NULL));
    SAID("'dataset'", dcpn_read_libsvm(context, "file", NULL, NULL));
    NAMED("count", dcpn_check(context, "file", NULL, 1, NULL, NULL, NULL));
    NAMED("numbers", dcpn_read_numbers(context, "file", NULL, &count));
    NAMED("columns", dcpn_read_number_columns(context, "file", &numbers, &count, NULL));
    NAMED("count", dcpn_read_numbers(context, "file", &numbers, NULL));
    NAMED("numbers", dcpn_write_numbers(context, "file", NULL, 1));
    NAMED("path", dcpn_groups_read(context, NULL, data, &groups));
    NAMED("data", dcpn_groups_read(context, "file", NULL, &groups));
    NAMED("groups", dcpn_groups_read(context, "file", data, NULL));
    NAMED("data", dcpn_groups_of_names(context, NULL, "_", &groups));
    NAMED("separator", dcpn_groups_of_names(context, data, NULL, &groups));
    NAMED("groups", dcpn_groups_of_names(context, data, "_", NULL));
    NAMED("data", dcpn_groups_of_categories(context, NULL, &groups));
    NAMED("groups", dcpn_groups_of_categories(context, data, NULL));
    NAMED("more", dcpn_dataset_add_unlabelled(data, NULL));
    NAMED("positive", dcpn_dataset_set_positive(data, NULL));
    NAMED("names", dcpn_dataset_match_classes(data, NULL, 2, &count));
    NAMED("stranger", dcpn_dataset_match_classes(data, names, 2, NULL));
    NAMED("toy", dcpn_generate_toy(context, NULL, &new_data, NULL, NULL));
    NAMED("train", dcpn_generate_toy(context, &toy, NULL, NULL, NULL));
    NAMED("text", dcpn_generate_text(context, NULL, &new_data, NULL, NULL));
    NAMED("train", dcpn_generate_text(context, &words, NULL, NULL, NULL));
    NAMED("groups", dcpn_generate_groups(context, NULL, &new_data, NULL, NULL));
    NAMED("train", dcpn_generate_groups(context, &grouped, NULL, NULL, NULL));
    NAMED("problem", dcpn_problem_new(context, A, LABELS, NULL));
    SAID("no matrix", dcpn_problem_new(context, NULL, LABELS, &new_problem));
    SAID("no labels", dcpn_problem_new(context, A, NULL, &new_problem));
    SAID("smooth f", dcpn_problem_new_smooth(context, NULL, &new_problem));
    NAMED("problem", dcpn_problem_new_smooth(context, NULL, NULL));
    NAMED("settings", dcpn_settings_set(context, NULL, "lambda", "1"));
    NAMED("option", dcpn_settings_set(context, &settings, NULL, "1"));
    NAMED("text", dcpn_settings_set(context, &settings, "lambda", NULL));
    NAMED("settings", dcpn_settings_preset(context, NULL, "nabla-tsvm"));
    NAMED("name", dcpn_settings_preset(context, &settings, NULL));
    NAMED("settings", dcpn_settings_check(context, NULL));
    NAMED("y", dcpn_class_weights(context, NULL, ROWS, NULL, 0, NULL));
    NAMED("weights", dcpn_class_weights(context, LABELS, ROWS, NULL, 0, NULL));
    NAMED("data", dcpn_labels_check(context, NULL, "logistic"));
    NAMED("data", dcpn_labels_check_folds(context, NULL, "logistic"));
    NAMED("settings", dcpn_combination_check(context, NULL));
    NAMED("solver", dcpn_solver_new(context, problem, NULL, NULL));
    SAID("no problem", dcpn_solver_new(context, NULL, NULL, &new_solver));
    NAMED("coefficients", dcpn_solver_set_start(solver, NULL, 0.0));
    NAMED("setting", dcpn_solver_set_shape(solver, NULL, 1.0));
    NAMED("lambda_max", dcpn_solver_lambda_max(solver, NULL));
    NAMED("model", dcpn_model_new(solver, 1, NULL));
    NAMED("data", dcpn_model_set_names(model, NULL));
    NAMED("from", dcpn_model_set_provenance(model, NULL));
    NAMED("words", dcpn_model_set_command(model, NULL, 1));
    SAID("NULL for number 2", dcpn_model_set_command(model, holes, 2));
    NAMED("model", dcpn_model_read_at(context, "file", NULL, NULL));
    NAMED("results", dcpn_results_read(context, "file", NULL));
    NAMED("name", dcpn_results_parse(context, NULL, "{}", 2, &results));
    NAMED("text", dcpn_results_parse(context, "file", NULL, 2, &results));
    NAMED("results", dcpn_results_parse(context, "file", "{}", 2, NULL));
    NAMED("text", dcpn_model_fit_json(model, NULL));
    NAMED("A", dcpn_model_scores(model, NULL, NULL, scores));
    NAMED("A", dcpn_model_scores_from(model, NULL, 1, NULL, scores));
    NAMED("scores", dcpn_model_scores(model, A, NULL, NULL));
    NAMED("probability", dcpn_model_probability(model, 0.0, NULL));
    NAMED("labels", dcpn_model_quality(model, NULL, scores, ROWS, NULL));
    NAMED("scores", dcpn_model_quality(model, LABELS, NULL, ROWS, NULL));
    NAMED("quality", dcpn_model_quality(model, LABELS, scores, ROWS, NULL));
    NAMED("model", dcpn_fit_file(context, "file", NULL, NULL));
    NAMED("problem", dcpn_paths_fit(context, NULL, NULL, NULL, &new_paths));
    NAMED("paths", dcpn_paths_fit(context, problem, NULL, NULL, NULL));
    SAID("NULL for number 2", dcpn_paths_fit(context, problem, NULL, &penalties, &new_paths));
    NAMED("model", dcpn_paths_model(paths, 0, 0, 1, NULL));
    NAMED("json", dcpn_paths_json(paths, NULL, NULL));
    NAMED("X", dcpn_factors_fit(context, NULL, NULL, NULL, &new_factors));
    NAMED("factors", dcpn_factors_fit(context, A, NULL, NULL, NULL));
    NAMED("X", dcpn_factors_codes(factors, NULL, scores));
    NAMED("codes", dcpn_factors_codes(factors, A, NULL));
    NAMED("path", dcpn_factors_write(factors, NULL));
    NAMED("path", dcpn_factors_read(context, NULL, &new_factors));
    NAMED("factors", dcpn_factors_read(context, "file", NULL));
    NAMED("source", dcpn_graphs_fit(context, NULL, NULL, NULL, &new_graphs));
    NAMED("graphs", dcpn_graphs_fit(context, &(dcpn_graph_source){.X = A}, NULL, NULL, NULL));
    NAMED("diagonal", dcpn_graphs_diagonal(graphs, 0, NULL));
    NAMED("X", dcpn_neighbours_fit(context, NULL, NULL, NULL, &neighbours));
    NAMED("neighbours", dcpn_neighbours_fit(context, A, NULL, NULL, NULL));
    NAMED("path", dcpn_neighbours_read(context, NULL, &neighbours));
    NAMED("neighbours", dcpn_neighbours_read(context, "x", NULL));
    NAMED("problem", dcpn_knockoffs_run(context, NULL, NULL, NULL, &knockoffs));
    NAMED("knockoffs", dcpn_knockoffs_run(context, problem, NULL, NULL, NULL));
    NAMED("X", dcpn_knockoff_copies(context, NULL, NULL, copies, NULL));
    NAMED("to", dcpn_knockoff_copies(context, A, NULL, NULL, NULL));
    NAMED("problem", dcpn_intervals_run(context, NULL, NULL, NULL, &intervals));
    NAMED("intervals", dcpn_intervals_run(context, problem, NULL, NULL, NULL));
    SAID("rule: found 7",
         dcpn_neighbours_fit(context, A, NULL, &(dcpn_neighbour_options){.rule = (dcpn_neighbour_rule)7}, &neighbours));
    NAMED("given", dcpn_hazard_new(context, NULL, &hazard));
    NAMED("hazard", dcpn_hazard_new(context, &(dcpn_hazard_rows){.rows = 1, .times = &one, .scores = &one}, NULL));
    NAMED("times", dcpn_hazard_new(context, &(dcpn_hazard_rows){.rows = 1, .scores = &one}, &hazard));
    NAMED("scores", dcpn_hazard_new(context, &(dcpn_hazard_rows){.rows = 1, .times = &one}, &hazard));
    SAID("rows: found -1",
         dcpn_hazard_new(context, &(dcpn_hazard_rows){.rows = -1, .times = &one, .scores = &one}, &hazard));
    NAMED("frequency", dcpn_graphs_stability(graphs, NULL));
    NAMED("mean", dcpn_graphs_mean(graphs, NULL));
    NAMED("values", dcpn_graphs_fill(graphs, 0, 1, NULL));
    NAMED("path", dcpn_graphs_write(graphs, NULL));
    NAMED("path", dcpn_graphs_read(context, NULL, &new_graphs));
    NAMED("graphs", dcpn_graphs_read(context, "file", NULL));
    NAMED("entries", dcpn_completion_fit(context, NULL, NULL, NULL, &new_completion));
    NAMED("completion",
          dcpn_completion_fit(context, &(dcpn_entries){1, 1, 1, PLACE, PLACE, COVARIANCE}, NULL, NULL, NULL));
    NAMED("value", dcpn_completion_values(completion, 1, PLACE, PLACE, NULL));
    NAMED("path", dcpn_completion_write(completion, NULL));
    NAMED("path", dcpn_completion_read(context, NULL, &new_completion));
    NAMED("completion", dcpn_completion_read(context, "file", NULL));
    NAMED("problem", dcpn_cv_run(context, NULL, NULL, NULL, &new_cv));
    NAMED("cv", dcpn_cv_run(context, problem, NULL, NULL, NULL));
    NAMED("json", dcpn_cv_json(cv, NULL, NULL, NULL));
    NAMED("fold_of", dcpn_folds_draw(context, NULL, ROWS, 2, 0, NULL));
    NAMED("problem", dcpn_select_on_grid(context, NULL, NULL, NULL, &selection));
    NAMED("selection", dcpn_select_on_grid(context, problem, NULL, NULL, NULL));
    USAGE(dcpn_folds_draw(NULL, NULL, ROWS, 2, 0, fold_of));
    USAGE(dcpn_solver_lambda_max(NULL, &number));
}

/* NULL within an array or a structure that is not NULL itself. */
static void elements_and_members(void **state)
{
    const char *const holes[] = {"x", NULL};
    char x[] = "x", *hollow[] = {x, NULL}, *full[] = {x, x}, *text;
    const dcpn_read_options wanted = {.table.wanted = hollow, .table.wanted_count = 2},
                            none = {.table.wanted_count = 2};
    const dcpn_provenance features = {.feature_names = holes}, classes = {.class_names = holes},
                          words = {.command = holes, .words = 2}, count = {.command = holes, .words = -1};
    double labels[ROWS] = {0};
    const dcpn_dataset whole = {.matrix = A, .labels = labels, .rows = ROWS, .features = COLUMNS, .context = context};
    dcpn_dataset changed;
    int64_t stranger;
    (void)state;
    SAID("NULL for number 2", dcpn_read(context, "file", &wanted, &new_data));
    SAID("no array (NULL)", dcpn_read(context, "file", &none, &new_data));
    SAID("NULL for number 2", dcpn_check(context, "file", &wanted, 1, NULL, NULL, &stranger));
    SAID("NULL for number 2", dcpn_dataset_match_classes(data, hollow, 2, &stranger));
    SAID("found -1", dcpn_dataset_match_classes(data, full, -1, &stranger));
    SAID("found -1", dcpn_model_set_command(model, holes, -1));
    SAID("NULL for number 2", dcpn_model_set_provenance(model, &features));
    SAID("NULL for number 2", dcpn_model_set_provenance(model, &words));
    SAID("NULL for number 2", dcpn_paths_json(paths, &features, &text));
    SAID("NULL for number 2", dcpn_paths_json(paths, &classes, &text));
    SAID("NULL for number 2", dcpn_paths_json(paths, &words, &text));
    SAID("found -1", dcpn_paths_json(paths, &count, &text));
    SAID("NULL for number 2", dcpn_cv_json(cv, &features, NULL, &text));
    SAID("NULL for number 2", dcpn_cv_write(cv, &features, NULL, "file"));
#define CHANGED(WORDS, CALL, ...)                                                                                      \
    do {                                                                                                               \
        changed = whole;                                                                                               \
        __VA_ARGS__;                                                                                                   \
        SAID(WORDS, CALL);                                                                                             \
    } while (0)
    CHANGED("NULL for 'dataset->matrix'", dcpn_write(&changed, "file", "csv"), changed.matrix = NULL);
    CHANGED("NULL for 'dataset->labels'", dcpn_write(&changed, "file", "csv"), changed.labels = NULL);
    CHANGED("expected the same", dcpn_write(&changed, "file", "npz"), changed.rows = ROWS + 1);
    CHANGED("expected the same", dcpn_write(&changed, "file", "npy"), changed.features = -1);
    CHANGED("NULL for number 2", dcpn_write(&changed, "file", "csv"), changed.feature_names = hollow);
    CHANGED("NULL for number 2", dcpn_write_libsvm(&changed, "file"), changed.label_names = hollow,
            changed.label_count = 2);
    CHANGED("found the label -1", dcpn_write_libsvm(&changed, "file"), changed.label_names = full,
            changed.label_count = 2, labels[3] = -1);
    CHANGED("found the label 1e+300", dcpn_dataset_set_positive(&changed, "x"), changed.label_names = full,
            changed.label_count = 2, labels[3] = 1e300);
    CHANGED("NULL for number 2", dcpn_model_set_names(model, &changed), changed.feature_names = hollow);
    CHANGED("expected the same", dcpn_dataset_add_unlabelled(&changed, A), changed.rows = 1);
}

/* A choice that is NULL, and every number at the ends of its type, is refused or does what it says. */
static void settings_at_their_ends(void **state)
{
    static const double reals[] = {-INFINITY, INFINITY, -1.7e308, 1.7e308, 5e-324, -0.0};
    static const int64_t counts[] = {INT64_MIN, -1, INT64_MAX};
    (void)state;
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        dcpn_settings changed = settings;
        char *field = (char *)&changed + setting->offset;
        if (setting->kind == DCPN_KIND_CHOICE) {
            memcpy(field, &(const char *){NULL}, sizeof setting->option);
            SAID("nothing", dcpn_settings_check(context, &changed));
            SAID("nothing", dcpn_combination_check(context, &changed));
            SAID("nothing", dcpn_solver_new(context, problem, &changed, &new_solver));
            SAID("nothing", dcpn_paths_fit(context, problem, &changed, NULL, &new_paths));
        }
        for (size_t i = 0; setting->kind == DCPN_KIND_COUNT && i < sizeof counts / sizeof *counts; i++) {
            memcpy(field, &counts[i], sizeof counts[i]);
            if ((double)counts[i] < setting->low || (double)counts[i] > setting->high)
                SAID("expected", dcpn_settings_check(context, &changed));
        }
        for (size_t i = 0; setting->kind == DCPN_KIND_REAL && i < sizeof reals / sizeof *reals; i++) {
            memcpy(field, &reals[i], sizeof reals[i]);
            if (reals[i] < setting->low || reals[i] > setting->high || isinf(reals[i]))
                SAID("expected", dcpn_settings_check(context, &changed));
        }
    }
}

static void names_of_files(void **state)
{
    (void)state;
    SAID("a file name is needed", dcpn_output_try(context, NULL));
    SAID("a file name is needed", dcpn_read(context, NULL, NULL, &new_data));
    SAID("a file name is needed", dcpn_write(data, NULL, "libsvm"));
    SAID("a file name is needed", dcpn_write(data, NULL, NULL));
    SAID("a file name is needed", dcpn_write_check(context, NULL, NULL));
    SAID("a file name is needed", dcpn_write_libsvm(data, NULL));
    SAID("a file name is needed", dcpn_write_text(context, NULL, "text", 4));
    SAID("a file name is needed", dcpn_model_read(context, NULL, &new_model));
    SAID("a file name is needed", dcpn_model_write(model, NULL));
    SAID("a file name is needed", dcpn_model_write_liblinear(model, NULL));
    SAID("a file name is needed", dcpn_paths_write(paths, NULL, NULL));
    SAID("a file name is needed", dcpn_cv_write(cv, NULL, NULL, NULL));
    NAMED("path", dcpn_solver_resume(solver, NULL));
}

/* There is no context to keep a sentence. */
static void handles(void **state)
{
    char *json = NULL;
    double number;
    int64_t count;
    (void)state;
    USAGE(dcpn_output_try(NULL, "file"));
    USAGE(dcpn_matrix_csr(NULL, NULL, DCPN_COPY, &matrix));
    USAGE(dcpn_read(NULL, "file", NULL, &new_data));
    USAGE(dcpn_write(NULL, "file", NULL));
    USAGE(dcpn_write_check(NULL, "file", NULL));
    USAGE(dcpn_check(NULL, "file", NULL, 1, NULL, NULL, &count));
    USAGE(dcpn_write_libsvm(NULL, "file"));
    USAGE(dcpn_write_numbers(NULL, "file", NULL, 0));
    USAGE(dcpn_write_text(NULL, "file", "", 0));
    USAGE(dcpn_dataset_add_unlabelled(NULL, A));
    USAGE(dcpn_dataset_set_positive(NULL, "1"));
    USAGE(dcpn_dataset_match_classes(NULL, NULL, 0, NULL));
    USAGE(dcpn_problem_new(NULL, A, LABELS, &new_problem));
    USAGE(dcpn_problem_set_weights(NULL, LABELS));
    USAGE(dcpn_problem_set_offset(NULL, LABELS));
    USAGE(dcpn_problem_set_offsets(NULL, 2, LABELS));
    USAGE(dcpn_problem_set_penalty_factors(NULL, LABELS));
    USAGE(dcpn_problem_set_bounds(NULL, NULL, NULL));
    USAGE(dcpn_problem_set_groups(NULL, 0, NULL, NULL, NULL));
    NAMED("start", dcpn_problem_set_groups(problem, 1, NULL, NULL, NULL));
    USAGE(dcpn_problem_set_loss(NULL, NULL, NULL));
    USAGE(dcpn_problem_set_penalty(NULL, NULL, NULL));
    USAGE(dcpn_problem_set_regularizer(NULL, NULL));
    USAGE(dcpn_settings_check(NULL, &settings));
    USAGE(dcpn_combination_check(NULL, &settings));
    USAGE(dcpn_solver_new(NULL, problem, NULL, &new_solver));
    USAGE(dcpn_solver_set_start(NULL, LABELS, 0.0));
    USAGE(dcpn_solver_set_start_of_scores(NULL, NULL, NULL));
    IS(dcpn_intercept_count(3, NULL) == 3);
    IS(dcpn_solver_intercept_count(NULL) == 0);
    USAGE(dcpn_solver_run(NULL));
    USAGE(dcpn_solver_continue(NULL));
    USAGE(dcpn_solver_set_lambda(NULL, 1.0));
    USAGE(dcpn_solver_set_shape(NULL, "theta", 1.0));
    USAGE(dcpn_solver_set_checkpoint(NULL, "file", 1.0));
    USAGE(dcpn_solver_resume(NULL, "file"));
    USAGE(dcpn_model_new(NULL, 1, &new_model));
    USAGE(dcpn_model_set_names(NULL, data));
    USAGE(dcpn_model_set_groups(NULL, NULL));
    USAGE(dcpn_model_set_provenance(NULL, &(dcpn_provenance){0}));
    USAGE(dcpn_model_set_responses(NULL, NULL));
    USAGE(dcpn_problem_set_responses(NULL, 2, NULL));
    NAMED("Y", dcpn_problem_set_responses(problem, 2, NULL));
    USAGE(dcpn_model_set_command(NULL, NULL, 0));
    USAGE(dcpn_model_write(NULL, "file"));
    USAGE(dcpn_context_set_collective(NULL, NULL));
    USAGE(dcpn_matrix_some_rows(NULL, 0, 1, NULL));
    USAGE(dcpn_ranks_refuse(NULL, DCPN_DATA, "why"));
    USAGE(dcpn_ranks_largest_words(NULL, &count, 1));
    USAGE(dcpn_model_read(NULL, "file", &new_model));
    USAGE(dcpn_model_write_liblinear(NULL, "file"));
    USAGE(dcpn_model_fit_json(NULL, &json));
    USAGE(dcpn_results_find(NULL, NULL, &count, &count));
    USAGE(dcpn_results_model(NULL, NULL, &new_model));
    USAGE(dcpn_model_scores(NULL, A, NULL, &number));
    USAGE(dcpn_model_probability(NULL, 0.0, &number));
    USAGE(dcpn_model_quality(NULL, LABELS, &number, ROWS, NULL));
    USAGE(dcpn_fit_file(NULL, "file", NULL, &new_model));
    USAGE(dcpn_paths_fit(NULL, problem, NULL, NULL, &new_paths));
    USAGE(dcpn_paths_model(NULL, 0, 0, 1, &new_model));
    USAGE(dcpn_paths_write(NULL, NULL, "file"));
    USAGE(dcpn_paths_json(NULL, NULL, &json));
    USAGE(dcpn_factors_fit(NULL, A, NULL, NULL, &new_factors));
    USAGE(dcpn_factors_codes(NULL, A, &number));
    USAGE(dcpn_factors_write(NULL, "file"));
    USAGE(dcpn_factors_read(NULL, "file", &new_factors));
    USAGE(dcpn_graphs_fit(NULL, &(dcpn_graph_source){.X = A}, NULL, NULL, &new_graphs));
    USAGE(dcpn_graphs_edges(NULL, 0, NULL, NULL, &number));
    USAGE(dcpn_graphs_diagonal(NULL, 0, &number));
    USAGE(dcpn_neighbours_fit(NULL, A, NULL, NULL, &neighbours));
    USAGE(dcpn_knockoffs_run(NULL, problem, NULL, NULL, &knockoffs));
    USAGE(dcpn_knockoff_copies(NULL, A, NULL, copies, NULL));
    USAGE(dcpn_intervals_run(NULL, problem, NULL, NULL, &intervals));
    USAGE(dcpn_hazard_new(NULL, &(dcpn_hazard_rows){.rows = 1, .times = &number, .scores = &number}, &hazard));
    USAGE(dcpn_graphs_stability(NULL, &number));
    USAGE(dcpn_graphs_mean(NULL, &number));
    USAGE(dcpn_graphs_set_names(NULL, NULL));
    USAGE(dcpn_graphs_fill(NULL, 0, 1, &number));
    USAGE(dcpn_graphs_write(NULL, "file"));
    USAGE(dcpn_graphs_read(NULL, "file", &new_graphs));
    USAGE(dcpn_neighbours_set_names(NULL, NULL));
    USAGE(dcpn_neighbours_fill(NULL, 1, &number));
    USAGE(dcpn_neighbours_write(NULL, "file"));
    USAGE(dcpn_neighbours_read(NULL, "file", &neighbours));
    USAGE(dcpn_completion_fit(NULL, &(dcpn_entries){1, 1, 1, PLACE, PLACE, COVARIANCE}, NULL, NULL, &new_completion));
    USAGE(dcpn_completion_factors(NULL, &number, NULL, NULL));
    USAGE(dcpn_completion_sparse(NULL, NULL, NULL, &number));
    USAGE(dcpn_completion_values(NULL, 1, PLACE, PLACE, &number));
    USAGE(dcpn_completion_trials(NULL, &number, NULL, NULL));
    USAGE(dcpn_completion_write(NULL, "file"));
    USAGE(dcpn_completion_read(NULL, "file", &new_completion));
    USAGE(dcpn_cv_run(NULL, problem, NULL, NULL, &new_cv));
    USAGE(dcpn_cv_write(NULL, NULL, NULL, "file"));
    USAGE(dcpn_cv_json(NULL, NULL, NULL, &json));
    USAGE(dcpn_select_on_grid(NULL, problem, NULL, NULL, &selection));
}

static void options_by_name(void **state)
{
    dcpn_cv_options *made = NULL;
    const double real = 1.0;
    const int64_t count = 1;
    const char *const texts[] = {"l1", NULL};
    (void)state;
    NAMED("options", dcpn_cv_options_new(context, NULL));
    USAGE(dcpn_cv_options_new(NULL, &made));
    USAGE(dcpn_cv_options_set_real(NULL, "share", 1.0));
    USAGE(dcpn_cv_options_set_count(NULL, "folds", 1));
    USAGE(dcpn_cv_options_set_text(NULL, "rule", "min"));
    USAGE(dcpn_cv_options_set_reals(NULL, "lambdas", &real, 1));
    USAGE(dcpn_cv_options_set_counts(NULL, "fold_of", &count, 1));
    USAGE(dcpn_cv_options_set_texts(NULL, "penalties", texts, 1));
    USAGE(dcpn_cv_options_set_observer(NULL, NULL, NULL));
    IS(dcpn_cv_options_path(NULL) == NULL);
    DOES_NOTHING(dcpn_cv_options_free(NULL));
    assert_int_equal(dcpn_cv_options_new(context, &made), DCPN_OK);
    NAMED("member", dcpn_cv_options_set_real(made, NULL, 1.0));
    NAMED("member", dcpn_cv_options_set_count(made, NULL, 1));
    NAMED("member", dcpn_cv_options_set_text(made, NULL, "min"));
    NAMED("text", dcpn_cv_options_set_text(made, "rule", NULL));
    NAMED("values", dcpn_cv_options_set_reals(made, "lambdas", NULL, 1));
    NAMED("values", dcpn_cv_options_set_counts(made, "fold_of", NULL, 1));
    NAMED("texts", dcpn_cv_options_set_texts(made, "penalties", NULL, 1));
    SAID("NULL for number 2", dcpn_cv_options_set_texts(made, "penalties", texts, 2));
    dcpn_cv_options_free(made);
}

static void handles_by_name(void **state)
{
    dcpn_settings *made = NULL;
    dcpn_value value;
    double numbers[ROWS] = {0};
    int64_t pointers[8];
    char *text = NULL;
    (void)state;
    NAMED("settings", dcpn_settings_new(context, 0, NULL));
    USAGE(dcpn_settings_new(NULL, 0, &made));
    USAGE(dcpn_settings_set_real(NULL, "lambda", 1.0));
    USAGE(dcpn_settings_set_count(NULL, "lambda", 1));
    USAGE(dcpn_settings_set_choice(NULL, "loss", "squared"));
    assert_int_equal(dcpn_settings_new(context, 0, &made), DCPN_OK);
    NAMED("option", dcpn_settings_set_real(made, NULL, 1.0));
    NAMED("option", dcpn_settings_set_count(made, NULL, 1));
    NAMED("option", dcpn_settings_set_choice(made, NULL, "squared"));
    NAMED("word", dcpn_settings_set_choice(made, "loss", NULL));
    USAGE(dcpn_settings_set_text(NULL, "loss", "squared"));
    NAMED("option", dcpn_settings_set_text(made, NULL, "squared"));
    NAMED("text", dcpn_settings_set_text(made, "loss", NULL));
    USAGE(dcpn_settings_set_all(NULL, "loss=squared"));
    NAMED("words", dcpn_settings_set_all(made, NULL));
    IS(dcpn_settings_get(NULL, "loss", &value) == 0);
    IS(dcpn_settings_get(made, NULL, &value) == 0);
    IS(dcpn_settings_get(made, "loss", NULL) == 0);
    dcpn_settings_free(made);
    DOES_NOTHING(dcpn_settings_free(NULL));
    IS(dcpn_model_get(NULL, "rows", &value) == 0);
    IS(dcpn_model_get(model, NULL, &value) == 0);
    IS(dcpn_model_get(model, "rows", NULL) == 0);
    IS(dcpn_model_settings(NULL) == NULL);
    IS(dcpn_model_coefficients(NULL, NULL, NULL) == 0);
    IS(dcpn_model_coefficients(model, NULL, NULL) == model->nonzeros);
    IS(dcpn_model_intercepts(NULL) == NULL);
    IS(dcpn_model_class(NULL, 0, NULL, NULL) == 0);
    IS(dcpn_model_class(model, -1, NULL, NULL) == 0);
    IS(dcpn_model_name(NULL, 0) == NULL);
    IS(dcpn_dataset_get(NULL, "rows", &value) == 0);
    IS(dcpn_dataset_get(data, NULL, &value) == 0);
    IS(dcpn_dataset_get(data, "rows", NULL) == 0);
    IS(dcpn_dataset_matrix(NULL) == NULL);
    IS(dcpn_dataset_labels(NULL) == NULL);
    IS(dcpn_dataset_feature_name(NULL, 0) == NULL);
    IS(dcpn_dataset_label_text(NULL, 0) == NULL);
    IS(dcpn_dataset_row_name(NULL, 0) == NULL);
    IS(dcpn_dataset_gaps(NULL, 0) == 0);
    IS(dcpn_result_get(NULL, "objective", &value) == 0);
    IS(dcpn_result_get(dcpn_solver_result(solver), NULL, &value) == 0);
    IS(dcpn_result_get(dcpn_solver_result(solver), "objective", NULL) == 0);
    IS(dcpn_result_number(NULL, "objective") != 0.0); /* NaN */
    IS(dcpn_result_number(dcpn_solver_result(solver), NULL) != 0.0);
    IS(dcpn_result_text(NULL, "metric") == NULL);
    IS(dcpn_result_outcome(NULL) == DCPN_NOT_RUN);
    IS(dcpn_model_number(NULL, "rows") != 0.0); /* NaN */
    IS(dcpn_model_number(model, NULL) != 0.0);
    IS(dcpn_dataset_number(NULL, "rows") != 0.0); /* NaN */
    IS(dcpn_dataset_number(data, NULL) != 0.0);
    IS(dcpn_paths_number(NULL, 0, 0, "lambda") != 0.0);
    IS(dcpn_paths_number(paths, 0, 0, NULL) != 0.0);
    IS(dcpn_paths_intercepts(NULL, 0) == NULL);
    IS(dcpn_results_single(NULL) == NULL);
    IS(dcpn_results_paths(NULL) == NULL);
    IS(dcpn_results_cv(NULL) == NULL);
    IS(dcpn_cv_best(NULL, 0, "min") == -1);
    IS(dcpn_cv_best(cv, 0, NULL) == -1);
    IS(dcpn_cv_stability_get(NULL, "bound", &value) == 0);
    IS(dcpn_cv_selected(NULL, NULL, NULL) == 0);
    IS(dcpn_cv_stability_of_groups(NULL) == NULL);
    IS(dcpn_cv_held_out(NULL, NULL, NULL, NULL) == 0);
    IS(dcpn_cv_held_out_scores(NULL, "min") == NULL);
    IS(dcpn_knockoffs_get(NULL, "fdr", &value) == 0);
    IS(dcpn_knockoffs_chosen(NULL, NULL) == 0);
    IS(dcpn_knockoffs_measure(NULL, "win") == NULL);
    IS(dcpn_intervals_get(NULL, "level", &value) == 0);
    IS(dcpn_intervals_get_of(NULL, 0, "low", &value) == 0);
    IS(dcpn_factors_get(NULL, "atoms", &value) == 0);
    IS(dcpn_factors_atoms(NULL) == NULL);
    IS(dcpn_factors_code(NULL, 0, NULL, NULL) == 0);
    IS(dcpn_neighbours_get(NULL, "edges", &value) == 0);
    IS(dcpn_neighbours_get_of_fit(NULL, 0, "loss", &value) == 0);
    IS(dcpn_neighbours_coefficients(NULL, 0, NULL, NULL) == 0);
    IS(dcpn_neighbours_edge(NULL, 0, NULL, NULL, NULL) == 0);
    IS(dcpn_grid_selection_settings(NULL) == NULL);
    IS(dcpn_grid_selection_get(NULL, "count", &value) == 0);
    IS(dcpn_grid_selection_get_of(NULL, 0, "lambda", &value) == 0);
    IS(dcpn_paths_count(NULL) == 0);
    IS(dcpn_paths_points(NULL, 0) == 0);
    IS(dcpn_paths_get(NULL, "rows", &value) == 0);
    IS(dcpn_paths_get_of_path(NULL, 0, "end", &value) == 0);
    IS(dcpn_paths_get_of_point(NULL, 0, 0, "lambda", &value) == 0);
    USAGE(dcpn_paths_csc(NULL, 0, pointers, NULL, NULL));
    NAMED("pointers", dcpn_paths_csc(paths, 0, NULL, NULL, NULL));
    IS(dcpn_cv_get(NULL, "folds", &value) == 0);
    IS(dcpn_cv_get(cv, NULL, &value) == 0);
    IS(dcpn_cv_paths(NULL) == NULL);
    IS(dcpn_cv_chosen(NULL, "min", NULL, NULL, NULL, NULL) == 0);
    IS(dcpn_cv_at(NULL, 0, 0, NULL, NULL) == 0);
    NAMED("model", dcpn_model_from_arrays(context, NULL, 1, 0, NULL, NULL, 0.0, NULL, NULL));
    NAMED("index", dcpn_model_from_arrays(context, NULL, 1, 1, NULL, numbers, 0.0, NULL, &new_model));
    NAMED("value", dcpn_model_from_arrays(context, NULL, 1, 1, pointers, NULL, 0.0, NULL, &new_model));
    USAGE(dcpn_model_json(NULL, &text));
    NAMED("text", dcpn_model_json(model, NULL));
    int64_t indices[2] = {0, 0};
    USAGE(dcpn_problem_set_survival(NULL, NULL, NULL));
    USAGE(dcpn_model_widen(NULL, 1));
    USAGE(dcpn_model_labels(NULL, numbers, 1, numbers));
    NAMED("scores", dcpn_model_labels(model, NULL, 1, numbers));
    NAMED("labels", dcpn_model_labels(model, numbers, 1, NULL));
    USAGE(dcpn_model_count_right(NULL, numbers, numbers, 1, indices, indices));
    NAMED("labels", dcpn_model_count_right(model, NULL, numbers, 1, indices, indices));
    NAMED("scores", dcpn_model_count_right(model, numbers, NULL, 1, indices, indices));
    NAMED("of_class", dcpn_model_count_right(model, numbers, numbers, 1, NULL, indices));
    NAMED("right", dcpn_model_count_right(model, numbers, numbers, 1, indices, NULL));
    USAGE(dcpn_model_probabilities(NULL, numbers, 1, numbers));
    NAMED("scores", dcpn_model_probabilities(model, NULL, 1, numbers));
    NAMED("probabilities", dcpn_model_probabilities(model, numbers, 1, NULL));
    NAMED("name", dcpn_read_memory(context, NULL, "", 0, NULL, &new_data));
    NAMED("bytes", dcpn_read_memory(context, "name", NULL, 0, NULL, &new_data));
    NAMED("dataset", dcpn_read_memory(context, "name", "", 0, NULL, NULL));
    USAGE(dcpn_read_memory(NULL, "name", "", 0, NULL, &new_data));
}

static void functions_without_a_status(void **state)
{
    const dcpn_allocator holes = {0};
    dcpn_part part;
    int64_t columns[COLUMNS];
    double numbers[ROWS] = {0};
    (void)state;
    IS(dcpn_context_new(&holes) == NULL);
    IS(dcpn_factors_begin(NULL, "file") == 0);
    IS(dcpn_cv_choice_by(NULL, "min") == NULL);
    IS(dcpn_cv_rule_meaning(NULL) == NULL);
    IS(dcpn_cv_rule_at(-1) == NULL);
    IS(dcpn_paths_mfdr(NULL, 0, 0) != 0.0); /* NaN */
    IS(dcpn_knockoff_threshold(NULL, 1, 1, 0.1, 0) > 1e300);
    IS(dcpn_factors_begin(context, NULL) == 0);
    IS(dcpn_graphs_begin(NULL, "file") == 0);
    IS(dcpn_graphs_begin(context, NULL) == 0);
    IS(dcpn_neighbours_begin(NULL, "file") == 0);
    IS(dcpn_neighbours_begin(context, NULL) == 0);
    IS(dcpn_completion_begin(NULL, "file") == 0);
    IS(dcpn_completion_begin(context, NULL) == 0);
    IS(dcpn_completion_tried(NULL) == 0);
    IS(dcpn_completion_get(NULL, "rank", &(dcpn_value){0}) == 0);
    IS(dcpn_completion_get(completion, "rank", NULL) == 0);
    IS(dcpn_completion_get(completion, "no such", &(dcpn_value){0}) == 0);
    IS(dcpn_graphs_count(NULL) == 0);
    IS(dcpn_graphs_variables(NULL) == 0);
    IS(dcpn_graphs_chosen(NULL) == 0);
    IS(dcpn_graphs_names(NULL) == NULL);
    IS(dcpn_graphs_get(NULL, "rows", &(dcpn_value){0}) == 0);
    IS(dcpn_graphs_get(graphs, NULL, &(dcpn_value){0}) == 0);
    IS(dcpn_graphs_get(graphs, "rows", NULL) == 0);
    IS(dcpn_graphs_get_of_point(NULL, 0, "edges", &(dcpn_value){0}) == 0);
    IS(dcpn_graphs_get_of_point(graphs, 1, "edges", &(dcpn_value){0}) == 0);
    IS(dcpn_graphs_get_of_point(graphs, 0, "no such", &(dcpn_value){0}) == 0);
    IS(dcpn_context_threads(NULL) == 0);
    IS(dcpn_context_rank(NULL) == 0);
    IS(dcpn_context_ranks(NULL) == 1);
    IS(dcpn_ranks_agree(NULL, DCPN_DATA) == DCPN_DATA);
    IS(dcpn_context_memory_limit(NULL) == 0);
    IS(dcpn_last_error(NULL) != NULL);
    DOES_NOTHING(dcpn_context_set_log(NULL, NULL, NULL));
    IS(dcpn_last_error_setting(NULL)[0] == '\0');
    DOES_NOTHING(dcpn_context_set_threads(NULL, 1));
    DOES_NOTHING(dcpn_context_interrupt(NULL));
    DOES_NOTHING(dcpn_context_resume(NULL));
    DOES_NOTHING(dcpn_context_set_poll(NULL, NULL, 0.0, NULL));
    DOES_NOTHING(dcpn_context_traffic(NULL, NULL, NULL));
    DOES_NOTHING(dcpn_context_set_option_prefix(NULL, ""));
    DOES_NOTHING(dcpn_context_set_option_prefix(context, NULL));
    DOES_NOTHING(dcpn_context_set_memory_limit(NULL, 1));
    IS(dcpn_matrix_rows(NULL) == 0);
    IS(dcpn_matrix_columns(NULL) == 0);
    IS(dcpn_matrix_entries(NULL) == 0);
    IS(dcpn_matrix_is_dense(NULL) == 0);
    IS(dcpn_matrix_row(NULL, 0, columns, numbers) == 0);
    IS(dcpn_matrix_row(A, 0, NULL, numbers) == 0);
    IS(dcpn_matrix_row(A, 0, columns, NULL) == 0);
    DOES_NOTHING(dcpn_matrix_apply(NULL, numbers, numbers));
    DOES_NOTHING(dcpn_matrix_apply(A, NULL, numbers));
    DOES_NOTHING(dcpn_matrix_apply(A, numbers, NULL));
    DOES_NOTHING(dcpn_matrix_adjoint(NULL, numbers, numbers));
    DOES_NOTHING(dcpn_matrix_adjoint(A, NULL, numbers));
    DOES_NOTHING(dcpn_matrix_adjoint(A, numbers, NULL));
    IS(dcpn_format_at(0, NULL) == 0);
    IS(dcpn_part_at(NULL, 0, &part) == 0);
    IS(dcpn_part_at("loss", 0, NULL) == 0);
    IS(dcpn_loss_wants_classes(NULL) == 0);
    IS(dcpn_loss_takes_many_classes(NULL) == 0);
    IS(dcpn_model_count_features(NULL) == 0);
    IS(dcpn_paths_count_features(NULL, 0, 0) == 0);
    IS(dcpn_zero_is_no_label(NULL, 3) == 0);
    IS(dcpn_raw_shape(NULL, 1.0) != 1.0); /* NaN */
    IS(dcpn_loss_for_labels(NULL) == dcpn_settings_default().loss);
    DOES_NOTHING(dcpn_solver_set_observer(NULL, NULL, NULL));
    DOES_NOTHING(dcpn_solver_interrupt(NULL));
    IS(dcpn_solver_result(NULL) == NULL);
    IS(dcpn_solver_coefficients(NULL) == NULL);
    assert_true(isnan(dcpn_solver_intercept(NULL)));
    IS(dcpn_solver_scores(NULL) == 0);
    IS(dcpn_hazard_count(NULL) == 0);
    assert_true(isnan(dcpn_hazard_time(NULL, 0)));
    assert_true(isnan(dcpn_hazard_until(NULL, 0.0, 1.0)));
    assert_true(isnan(dcpn_hazard_survival(NULL, 0.0, 1.0, 0.0)));
    note_call("dcpn_hazard_time(");
    note_call("dcpn_hazard_until(");
    note_call("dcpn_hazard_survival(");
    IS(dcpn_solver_intercepts(NULL) == NULL);
    IS(dcpn_solver_labels(NULL) == NULL);
    assert_true(isnan(dcpn_model_label(NULL, 1.0)));
    assert_int_equal(dcpn_results_begin(NULL, "file") + dcpn_results_begin(context, NULL), 0);
    note_call("dcpn_results_begin(");
    note_call("dcpn_solver_intercept(");
    note_call("dcpn_model_label(");
}

static void what_frees_accepts_nothing(void **state)
{
    (void)state;
    DOES_NOTHING(dcpn_free(context, NULL));
    DOES_NOTHING(dcpn_free(NULL, NULL));
    DOES_NOTHING(dcpn_context_free(NULL));
    DOES_NOTHING(dcpn_matrix_free(NULL));
    DOES_NOTHING(dcpn_dataset_free(NULL));
    DOES_NOTHING(dcpn_groups_free(NULL));
    DOES_NOTHING(dcpn_problem_free(NULL));
    DOES_NOTHING(dcpn_solver_free(NULL));
    DOES_NOTHING(dcpn_model_free(NULL));
    DOES_NOTHING(dcpn_paths_free(NULL));
    DOES_NOTHING(dcpn_cv_free(NULL));
    DOES_NOTHING(dcpn_factors_free(NULL));
    DOES_NOTHING(dcpn_graphs_free(NULL));
    DOES_NOTHING(dcpn_neighbours_free(NULL));
    DOES_NOTHING(dcpn_knockoffs_free(NULL));
    DOES_NOTHING(dcpn_intervals_free(NULL));
    DOES_NOTHING(dcpn_hazard_free(NULL));
    DOES_NOTHING(dcpn_completion_free(NULL));
    DOES_NOTHING(dcpn_results_free(NULL));
    DOES_NOTHING(dcpn_grid_selection_free(NULL));
}

static int is_called(const char *name, size_t length)
{
    for (int k = 0; k < called_count; k++)
        if (strlen(called[k]) == length && strncmp(called[k], name, length) == 0) return 1;
    return 0;
}

/* From "DCPN_API dcpn_status dcpn_read(...);" to a call of dcpn_read above, if its arguments have a pointer. Returns
 * how many functions there are. */
static int look_up_functions(const char *header)
{
    int count = 0;
    for (const char *at = header; (at = strstr(at, "\nDCPN_API ")); at++, count++) {
        const char *open = at + strcspn(at, "("), *close = open + strcspn(open, ";"), *name = open;
        while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z')) name--;
        if (memchr(open, '*', (size_t)(close - open)) && !is_called(name, (size_t)(open - name)))
            fail_msg("no call above has a NULL for %.*s", (int)(open - name), name);
    }
    return count;
}

static void no_function_is_left_out(void **state)
{
    static const char include[] = "#include \"";
    char *all = get_text_of(DCPN_TESTS_DIR "/../include/dcpn/dcpn.h");
    int count = look_up_functions(all);
    (void)state;
    for (const char *at = all; (at = strstr(at, include));) {
        char path[512];
        at += strlen(include);
        snprintf(path, sizeof path, DCPN_TESTS_DIR "/../include/dcpn/%.*s", (int)strcspn(at, "\""), at);
        char *header = get_text_of(path);
        count += look_up_functions(header);
        free(header);
    }
    free(all);
    assert_true(count > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_named),
        cmocka_unit_test(elements_and_members),
        cmocka_unit_test(settings_at_their_ends),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(handles),
        cmocka_unit_test(handles_by_name),
        cmocka_unit_test(options_by_name),
        cmocka_unit_test(functions_without_a_status),
        cmocka_unit_test(what_frees_accepts_nothing),
        cmocka_unit_test(no_function_is_left_out),
    };
    return cmocka_run_group_tests_name("unit.null", tests, setup, teardown);
}
