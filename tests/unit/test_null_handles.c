/* SPDX-License-Identifier: BSD-3-Clause */
/* NULL for a handle, for which there is no context to keep a sentence, or for the name of a field. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/null_calls.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles),
        cmocka_unit_test(handles_by_name),
        cmocka_unit_test(options_by_name),
    };
    return cmocka_run_group_tests_name("unit.null_handles", tests, setup, teardown);
}
