/* SPDX-License-Identifier: BSD-3-Clause */
/* NULL for a pointer that must not be: every public function that takes one is called so, and says which it was. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/null_calls.h"

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
    NAMED("names", dcpn_dataset_order_classes(data, NULL, 2));
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
    IS(dcpn_solver_intercepts(NULL) == NULL);
    IS(dcpn_solver_labels(NULL) == NULL);
    assert_true(isnan(dcpn_model_label(NULL, 1.0)));
    assert_int_equal(dcpn_results_begin(NULL, "file") + dcpn_results_begin(context, NULL), 0);
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

/* Does a file of these tests call the function? They call none but with a NULL. */
static int is_called(char *const *sources, const char *name, size_t length)
{
    for (; *sources; sources++)
        for (const char *at = *sources; (at = strstr(at, "dcpn_")); at++)
            if ((at[-1] == ' ' || at[-1] == '(') && strncmp(at, name, length) == 0 && at[length] == '(') return 1;
    return 0;
}

/* From "DCPN_API dcpn_status dcpn_read(...);" to a call of dcpn_read above, if its arguments have a pointer. Returns
 * how many functions there are. */
static int look_up_functions(const char *header, char *const *sources)
{
    int count = 0;
    for (const char *at = header; (at = strstr(at, "\nDCPN_API ")); at++, count++) {
        const char *open = at + strcspn(at, "("), *close = open + strcspn(open, ";"), *name = open;
        while (name[-1] == '_' || (name[-1] >= 'a' && name[-1] <= 'z')) name--;
        if (memchr(open, '*', (size_t)(close - open)) && !is_called(sources, name, (size_t)(open - name)))
            fail_msg("no call above has a NULL for %.*s", (int)(open - name), name);
    }
    return count;
}

static void no_function_is_left_out(void **state)
{
    static const char include[] = "#include \"";
    char *all = get_text_of(DCPN_TESTS_DIR "/../include/dcpn/dcpn.h");
    char *sources[] = {get_text_of(DCPN_TESTS_DIR "/unit/test_null.c"),
                       get_text_of(DCPN_TESTS_DIR "/unit/test_null_handles.c"), NULL};
    int count = look_up_functions(all, sources);
    (void)state;
    for (const char *at = all; (at = strstr(at, include));) {
        char path[512];
        at += strlen(include);
        snprintf(path, sizeof path, DCPN_TESTS_DIR "/../include/dcpn/%.*s", (int)strcspn(at, "\""), at);
        char *header = get_text_of(path);
        count += look_up_functions(header, sources);
        free(header);
    }
    free(all);
    for (int k = 0; sources[k]; k++) free(sources[k]);
    assert_true(count > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_named),
        cmocka_unit_test(elements_and_members),
        cmocka_unit_test(settings_at_their_ends),
        cmocka_unit_test(names_of_files),
        cmocka_unit_test(functions_without_a_status),
        cmocka_unit_test(what_frees_accepts_nothing),
        cmocka_unit_test(no_function_is_left_out),
    };
    return cmocka_run_group_tests_name("unit.null", tests, setup, teardown);
}
