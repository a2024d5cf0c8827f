/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings and results by name say what the structs say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>

#include "dcpn/dcpn.h"
#include "with_context.h"

enum { ROWS = 40, COLUMNS = 6 };

static double table[ROWS * COLUMNS], labels[ROWS];

static int make_data(void **state)
{
    for (int i = 0; i < ROWS; i++) {
        labels[i] = 0.0;
        for (int j = 0; j < COLUMNS; j++) {
            table[i * COLUMNS + j] = sin(1.0 + 3.0 * i + 5.0 * j * j);
            labels[i] += (COLUMNS - j) * table[i * COLUMNS + j];
        }
    }
    return setup(state);
}

static void test_settings_are_set_by_name(void **state)
{
    (void)state;
    dcpn_settings *settings;
    dcpn_value value;
    char word[] = "mcp";
    assert_int_equal(dcpn_settings_new(context, 1, &settings), DCPN_OK);
    assert_int_equal(settings->standardize, 1);
    assert_int_equal(dcpn_settings_set_choice(settings, "penalty", word), DCPN_OK);
    word[0] = '?'; /* the text was copied */
    assert_int_equal(dcpn_settings_set_choice(settings, "scale", "sum"), DCPN_OK);
    assert_int_equal(dcpn_settings_set_choice(settings, "scale", "mean"), DCPN_OK);
    assert_int_equal(dcpn_settings_set_real(settings, "lambda", 0.1), DCPN_OK);
    assert_int_equal(dcpn_settings_set_count(settings, "max-iter", 77), DCPN_OK);
    assert_int_equal(dcpn_settings_set_count(settings, "standardize", 0), DCPN_OK);
    assert_int_equal(dcpn_settings_set_count(settings, "gamma", 4), DCPN_OK);
    assert_string_equal(settings->penalty, "mcp");
    assert_string_equal(settings->scale, "mean");
    assert_true(settings->lambda == 0.1 && settings->gamma == 4.0);
    assert_int_equal(settings->max_iter, 77);
    assert_int_equal(settings->standardize, 0);
    assert_true(dcpn_settings_get(settings, "penalty", &value) && value.kind == DCPN_KIND_CHOICE);
    assert_string_equal(value.text, "mcp");
    assert_true(dcpn_settings_get(settings, "lambda", &value) && value.real == 0.1);
    assert_true(dcpn_settings_get(settings, "max-iter", &value) && value.count == 77 && value.real == 77.0);
    assert_true(dcpn_settings_get(settings, "standardize", &value) && value.kind == DCPN_KIND_FLAG && value.count == 0);
    assert_false(dcpn_settings_get(settings, "max_iter", &value));
    dcpn_settings_free(settings);
}

/* Every setting has the default that its text says, and keeps what it had where something is refused. */
static void test_what_is_wrong_is_refused_by_name(void **state)
{
    (void)state;
    dcpn_settings *settings;
    dcpn_value before, after;
    assert_int_equal(dcpn_settings_new(context, 0, &settings), DCPN_OK);
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *row = dcpn_setting_at(k);
        assert_true(dcpn_settings_get(settings, row->option, &before));
        assert_int_equal(before.kind, row->kind);
        if (row->kind == DCPN_KIND_CHOICE) {
            assert_int_equal(dcpn_settings_set_choice(settings, row->option, "nothing"), DCPN_USAGE);
            assert_string_equal(dcpn_last_error_setting(context), row->option);
            assert_int_equal(dcpn_settings_set_real(settings, row->option, 1.0), DCPN_USAGE);
        } else {
            assert_int_equal(dcpn_settings_set_choice(settings, row->option, "nothing"), DCPN_USAGE);
            assert_string_equal(dcpn_last_error_setting(context), row->option);
            assert_int_equal(dcpn_settings_set_real(settings, row->option, (double)NAN), DCPN_USAGE);
            if (row->kind != DCPN_KIND_REAL)
                assert_int_equal(dcpn_settings_set_count(settings, row->option, INT64_MIN), DCPN_USAGE);
        }
        assert_string_equal(dcpn_last_error_setting(context), row->option);
        assert_true(dcpn_settings_get(settings, row->option, &after));
        assert_true(after.real == before.real && after.text == before.text);
    }
    assert_int_equal(dcpn_settings_set_real(settings, "nothing", 1.0), DCPN_USAGE);
    assert_int_equal(dcpn_settings_set_choice(settings, "nothing", "x"), DCPN_USAGE);
    dcpn_settings_free(settings);
}

/* Is a field of a struct what it is called? */
static void assert_real(int is_there, const dcpn_value *value, double expected)
{
    assert_true(is_there);
    assert_true(value->real == expected || (isnan(value->real) && isnan(expected)));
}

/* What the folds and the subsamples say beside the curve. */
static void assert_selection_by_name(const dcpn_cv *cv)
{
    dcpn_value v;
    const int64_t *index = NULL, *fold = NULL;
    const double *frequency = NULL, *label = NULL, *weight = NULL;
    for (int64_t p = 0; p < cv->paths->count; p++) {
        assert_int_equal(dcpn_cv_best(cv, p, "min"), cv->best[p]);
        assert_int_equal(dcpn_cv_best(cv, p, "1se"), cv->one_se[p]);
    }
    assert_int_equal(dcpn_cv_best(cv, cv->paths->count, "min"), -1);
    assert_int_equal(dcpn_cv_best(cv, 0, "gic"), -1);
    assert_non_null(cv->stability);
    assert_real(dcpn_cv_stability_get(cv, "subsamples", &v), &v, 20.0);
    assert_real(dcpn_cv_stability_get(cv, "bound", &v), &v, cv->stability->bound);
    assert_real(dcpn_cv_stability_get(cv, "threshold", &v), &v, 0.75);
    assert_int_equal(dcpn_cv_selected(cv, &index, &frequency), cv->stability->count);
    assert_true(index == cv->stability->index && frequency == cv->stability->frequency);
    assert_null(dcpn_cv_stability_of_groups(cv));
    assert_int_equal(dcpn_cv_held_out(cv, &fold, &label, &weight), ROWS);
    assert_true(fold == cv->held_out->fold && label == cv->held_out->label && weight == cv->held_out->weight);
    assert_ptr_equal(dcpn_cv_held_out_scores(cv, "min"), cv->held_out->score[0]);
    assert_ptr_equal(dcpn_cv_held_out_scores(cv, NULL), cv->held_out->score[2]);
    assert_null(dcpn_cv_held_out_scores(cv, "max"));
    int64_t path = cv->choice.min.path, point = cv->choice.min.point;
    const dcpn_path_point *at = &cv->paths->paths[path].points[point];
    assert_true(dcpn_paths_number(cv->paths, path, point, "lambda") == at->lambda);
    assert_true(isnan(dcpn_paths_number(cv->paths, path, point, "algorithm"))); /* a text */
    assert_null(dcpn_paths_intercepts(cv->paths, path));
}

static void test_several_settings_at_once(void **state)
{
    (void)state;
    dcpn_settings *settings;
    assert_int_equal(dcpn_settings_new(context, 0, &settings), DCPN_OK);
    assert_int_equal(dcpn_settings_set_all(settings, "  loss=squared lambda=0.25  max-iter=9 intercept=1 "), DCPN_OK);
    assert_string_equal(settings->loss, "squared");
    assert_true(settings->lambda == 0.25 && settings->max_iter == 9 && settings->intercept == 1);
    assert_int_equal(dcpn_settings_set_all(settings, ""), DCPN_OK);
    assert_int_equal(dcpn_settings_set_all(settings, "gamma=7 penalty=nothing a=9"), DCPN_USAGE);
    assert_string_equal(dcpn_last_error_setting(context), "penalty");
    assert_true(settings->gamma == 7.0 && settings->a < 9.0);
    assert_int_equal(dcpn_settings_set_all(settings, "lambda"), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "found 'lambda', expected setting=value"));
    assert_int_equal(dcpn_settings_set_text(settings, "lambda", "much"), DCPN_USAGE);
    assert_true(settings->lambda == 0.25);
    dcpn_settings_free(settings);
}

static void test_paths_and_results_by_name(void **state)
{
    (void)state;
    const double values[] = {2.0, 5.0};
    const dcpn_cv_options options = {.path = {.lambda_count = 5, .values = values, .value_count = 2},
                                     .folds = 3,
                                     .subsamples = 20};
    dcpn_settings *settings;
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_cv *cv;
    dcpn_value v;
    assert_int_equal(dcpn_settings_new(context, 1, &settings), DCPN_OK);
    assert_int_equal(dcpn_settings_set_choice(settings, "loss", "squared"), DCPN_OK);
    assert_int_equal(dcpn_settings_set_choice(settings, "penalty", "mcp"), DCPN_OK);
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, table, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, settings, &options, &cv), DCPN_OK);
    const dcpn_paths *paths = dcpn_cv_paths(cv);
    assert_ptr_equal(paths, cv->paths);
    assert_int_equal(dcpn_paths_count(paths), 2);
    assert_real(dcpn_paths_get(paths, "features", &v), &v, COLUMNS);
    assert_real(dcpn_paths_get(paths, "null_deviance", &v), &v, paths->null_deviance);
    for (int64_t p = 0; p < 2; p++) {
        const dcpn_path *path = &paths->paths[p];
        assert_int_equal(dcpn_paths_points(paths, p), path->count);
        assert_real(dcpn_paths_get_of_path(paths, p, "value", &v), &v, path->value);
        assert_real(dcpn_paths_get_of_path(paths, p, "end", &v), &v, path->end);
        assert_true(dcpn_paths_get_of_path(paths, p, "penalty", &v));
        assert_string_equal(v.text, "mcp");
        for (int64_t k = 0; k < path->count; k++) {
            double mean, se;
            assert_real(dcpn_paths_get_of_point(paths, p, k, "lambda", &v), &v, path->points[k].lambda);
            assert_real(dcpn_paths_get_of_point(paths, p, k, "objective", &v), &v, path->points[k].fit.objective);
            assert_real(dcpn_paths_get_of_point(paths, p, k, "nonzeros", &v), &v, (double)path->points[k].fit.nonzeros);
            assert_true(dcpn_cv_at(cv, p, k, &mean, &se));
            assert_true(mean == cv->mean[(cv->first[p] + k) * DCPN_MEASURES + cv->measured.chooses]);
        }
        assert_false(dcpn_paths_get_of_point(paths, p, path->count, "lambda", &v));
    }
    int64_t path, point;
    double mean;
    assert_true(dcpn_cv_chosen(cv, NULL, &path, &point, &mean, NULL));
    assert_true(path == cv->choice.sparse.path && point == cv->choice.sparse.point && mean == cv->choice.sparse.mean);
    assert_true(dcpn_cv_chosen(cv, "min", &path, &point, NULL, NULL) && point == cv->choice.min.point);
    assert_false(dcpn_cv_chosen(cv, "max", &path, &point, NULL, NULL));
    assert_true(dcpn_cv_get(cv, "measure", &v));
    assert_string_equal(v.text, "deviance");
    assert_real(dcpn_cv_get(cv, "folds", &v), &v, 3.0);
    assert_true(dcpn_cv_get(cv, "seed", &v));
    assert_selection_by_name(cv);
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_settings_free(settings);
}

/* Against the model of each point. */
static void test_a_path_as_a_matrix(void **state)
{
    (void)state;
    dcpn_settings settings = dcpn_settings_for_paths();
    const dcpn_path_options options = {.lambda_count = 6, .saturation = 1.0};
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_paths *paths;
    int64_t pointers[7], indices[6 * COLUMNS];
    double values[6 * COLUMNS];
    settings.loss = "squared";
    settings.penalty = "l1";
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, table, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_csc(paths, 0, pointers, NULL, NULL), DCPN_OK);
    assert_true(pointers[dcpn_paths_points(paths, 0)] > 3);
    assert_int_equal(dcpn_paths_csc(paths, 0, pointers, indices, values), DCPN_OK);
    for (int64_t k = 0; k < dcpn_paths_points(paths, 0); k++) {
        dcpn_model *model;
        assert_int_equal(dcpn_paths_model(paths, 0, k, 0, &model), DCPN_OK);
        assert_int_equal(pointers[k + 1] - pointers[k], model->nonzeros);
        for (int64_t i = 0; i < model->nonzeros; i++) {
            assert_int_equal(indices[pointers[k] + i], model->index[i]);
            assert_true(values[pointers[k] + i] == model->value[i]);
        }
        dcpn_model_free(model);
    }
    assert_int_equal(dcpn_paths_csc(paths, 1, pointers, NULL, NULL), DCPN_USAGE);
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* ---- memory ---- */

static void test_data_from_memory(void **state)
{
    (void)state;
    static const char text[] = "+1 1:0.5 3:2\n-1 2:1.5\n";
    const dcpn_read_options none = {0};
    dcpn_dataset *data;
    double x[3] = {1.0, 10.0, 100.0}, u[2];
    assert_int_equal(dcpn_read_memory(context, "letter", text, sizeof text - 1, &none, &data), DCPN_OK);
    assert_int_equal(data->rows, 2);
    assert_string_equal(data->format, "libsvm");
    dcpn_matrix_apply(data->matrix, x, u);
    assert_true(u[0] == 200.5 && u[1] == 15.0 && data->labels[0] == 1.0);
    dcpn_dataset_free(data);
    assert_int_equal(dcpn_read_memory(context, "letter", "+1 1:x\n", 7, NULL, &data), DCPN_DATA);
    assert_memory_equal(dcpn_last_error(context), "letter: line 1", 14);
    assert_null(data);
}

static void test_models_from_arrays_and_back(void **state)
{
    (void)state;
    const int64_t index[] = {1, 4, 5};
    const double value[] = {2.0, 0.0, -1.0}, classes[] = {-1.0, 1.0}, scores[] = {0.0, 2.0, -800.0};
    double probabilities[3], one;
    dcpn_model *model, *read;
    dcpn_results *results;
    char *text;
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 3, index, value, 0.5, classes, &model), DCPN_OK);
    assert_int_equal(model->nonzeros, 2);
    assert_int_equal(dcpn_model_json(model, &text), DCPN_OK);
    assert_int_equal(dcpn_results_parse(context, "memory", text, strlen(text), &results), DCPN_OK);
    assert_int_equal(dcpn_results_model(results, NULL, &read), DCPN_OK);
    assert_true(read->features == COLUMNS && read->nonzeros == 2 && read->index[1] == 5 && read->value[1] == -1.0);
    assert_true(read->intercept == 0.5 && read->labels.numbers[1] == 1.0);
    assert_int_equal(dcpn_model_probabilities(read, scores, 3, probabilities), DCPN_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(dcpn_model_probability(read, scores[i], &one), DCPN_OK);
        assert_true(probabilities[i] == one && fabs(one - 1.0 / (1.0 + exp(-scores[i]))) < 1e-15);
    }
    dcpn_free(context, text);
    dcpn_model_free(read);
    dcpn_results_free(results);
    dcpn_model_free(model);
}

static void test_wrong_arrays_are_refused(void **state)
{
    (void)state;
    const int64_t falls[] = {1, 1}, beyond[] = {0, COLUMNS}, good[] = {0, 1};
    const double value[] = {1.0, 2.0}, infinite[] = {1.0, HUGE_VAL}, classes[] = {-1.0, 1.0}, same[] = {1.0, 1.0};
    dcpn_settings numbers = dcpn_settings_default();
    dcpn_model *model;
    numbers.loss = "squared";
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 2, falls, value, 0.0, classes, &model), DCPN_DATA);
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 2, beyond, value, 0.0, classes, &model), DCPN_DATA);
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 2, good, infinite, 0.0, classes, &model),
                     DCPN_DATA);
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 2, good, value, 0.0, same, &model), DCPN_DATA);
    assert_int_equal(dcpn_model_from_arrays(context, NULL, COLUMNS, 2, good, value, 0.0, NULL, &model), DCPN_USAGE);
    assert_int_equal(dcpn_model_from_arrays(context, &numbers, COLUMNS, 2, good, value, 0.0, classes, &model),
                     DCPN_USAGE);
    assert_int_equal(dcpn_model_from_arrays(context, &numbers, 1, 2, good, value, 0.0, NULL, &model), DCPN_USAGE);
    assert_null(model);
    assert_int_equal(dcpn_model_from_arrays(context, &numbers, 2, 2, good, value, 0.0, NULL, &model), DCPN_OK);
    dcpn_model_free(model);
}

static void test_pointers_of_32_bits(void **state)
{
    (void)state;
    const int32_t pointers[] = {0, 1, 3}, fall[] = {0, 3, 1}, indices[] = {1, 0, 2};
    const double values[] = {5.0, 7.0, 9.0}, x[] = {1.0, 10.0, 100.0};
    dcpn_compressed arrays = {.rows = 2,
                              .columns = 3,
                              .pointers32 = pointers,
                              .indices = indices,
                              .index_type = DCPN_INT32,
                              .values = values};
    for (int ownership = 0; ownership < 2; ownership++) {
        dcpn_matrix *A;
        double u[2];
        assert_int_equal(dcpn_matrix_csr(context, &arrays, ownership ? DCPN_BORROW : DCPN_COPY, &A), DCPN_OK);
        dcpn_matrix_apply(A, x, u);
        assert_true(u[0] == 50.0 && u[1] == 907.0);
        dcpn_matrix_free(A);
        arrays.pointers32 = fall;
        assert_int_equal(dcpn_matrix_csr(context, &arrays, ownership ? DCPN_BORROW : DCPN_COPY, &A), DCPN_DATA);
        arrays.pointers32 = pointers;
    }
}

/* A cross-validation by options of the library is the one by the struct: the same bytes. */
static void test_options_are_set_by_name(void **state)
{
    (void)state;
    const double lambdas[] = {0.4, 0.2, 0.1};
    const char *penalties[] = {"l1", "mcp"};
    int64_t fold_of[ROWS];
    for (int i = 0; i < ROWS; i++) fold_of[i] = i % 4;
    const dcpn_cv_options plain = {.path.lambdas = lambdas,
                                   .path.lambda_count = 3,
                                   .path.penalties = penalties,
                                   .path.penalty_count = 2,
                                   .folds = 4,
                                   .fold_of = fold_of,
                                   .rule = "min"};
    dcpn_cv_options *options;
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_cv *one, *other;
    settings.loss = "squared";
    assert_int_equal(dcpn_cv_options_new(context, &options), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_reals(options, "lambdas", lambdas, 3), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_texts(options, "penalties", penalties, 2), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_counts(options, "fold_of", fold_of, ROWS), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_count(options, "folds", 4), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_text(options, "rule", "1se"), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_text(options, "rule", "min"), DCPN_OK);
    fold_of[0] = 99; /* it was copied */
    penalties[0] = NULL;
    assert_int_equal(options->path.lambda_count, 3);
    assert_ptr_equal(dcpn_cv_options_path(options), &options->path);
    fold_of[0] = 0;
    penalties[0] = "l1";
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, table, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &plain, &one), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, options, &other), DCPN_OK);
    size_t numbers = (size_t)one->first[2] * DCPN_MEASURES;
    assert_int_equal(one->first[2], other->first[2]);
    assert_memory_equal(one->mean, other->mean, numbers * sizeof *one->mean);
    assert_string_equal(other->choice.rule, "min");
    dcpn_cv_free(one);
    dcpn_cv_free(other);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_cv_options_free(options);
}

static void test_options_that_are_wrong_are_refused(void **state)
{
    (void)state;
    dcpn_cv_options *options;
    const int64_t counts[] = {1};
    const double reals[] = {1.0};
    assert_int_equal(dcpn_cv_options_new(context, &options), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_count(options, "fold", 3), DCPN_USAGE);
    assert_string_equal(dcpn_last_error(context), "there is no option called 'fold'");
    assert_int_equal(dcpn_cv_options_set_real(options, "folds", 3.0), DCPN_USAGE);
    assert_string_equal(dcpn_last_error(context), "folds: expected a whole number, found a number");
    assert_int_equal(dcpn_cv_options_set_text(options, "share", "half"), DCPN_USAGE);
    assert_int_equal(dcpn_cv_options_set_reals(options, "fold_of", reals, 1), DCPN_USAGE);
    assert_int_equal(dcpn_cv_options_set_counts(options, "lambdas", counts, 1), DCPN_USAGE);
    assert_int_equal(dcpn_cv_options_set_reals(options, "lambdas", reals, 0), DCPN_USAGE);
    assert_int_equal(dcpn_cv_options_set_reals(options, "lambdas", reals, 1), DCPN_OK);
    assert_int_equal(dcpn_cv_options_set_count(options, "lambda_count", 9), DCPN_OK);
    assert_true(!options->path.lambdas && options->path.lambda_count == 9);
    assert_int_equal(dcpn_cv_options_set_count(options, "compares", 7), DCPN_OK);
    assert_true(options->compares == 1 && options->folds == 0 && options->share == 0.0);
    dcpn_cv_options_free(options);
}

/* A binding that knows no layout reads a table, fits it, and reads the model. */
static void test_data_and_models_without_layouts(void **state)
{
    (void)state;
    static const char text[] = "id,dose,age,status\na,1,5,case\nb,2,,control\nc,8,1,case\nd,1,2,control\n";
    const dcpn_read_options read = {.table.id_name = "id", .table.missing = "mean"};
    dcpn_dataset *data;
    dcpn_problem *problem;
    dcpn_solver *solver;
    dcpn_model *model;
    dcpn_value value;
    dcpn_settings settings = dcpn_settings_default();
    settings.lambda = 1e-3;
    settings.ridge = 1e-2;
    assert_int_equal(dcpn_read_memory(context, "table.csv", text, sizeof text - 1, &read, &data), DCPN_OK);
    assert_true(dcpn_dataset_get(data, "rows", &value) && value.count == 4);
    assert_true(dcpn_dataset_get(data, "label_name", &value));
    assert_string_equal(value.text, "status");
    assert_false(dcpn_dataset_get(data, "row", &value));
    assert_string_equal(dcpn_dataset_feature_name(data, 1), "age");
    assert_string_equal(dcpn_dataset_row_name(data, 3), "d");
    assert_string_equal(dcpn_dataset_label_text(data, 1), "case");
    assert_null(dcpn_dataset_label_text(data, 2));
    assert_int_equal(dcpn_dataset_gaps(data, 1), 1);
    assert_int_equal(dcpn_dataset_gaps(data, 0), 0);
    const dcpn_matrix *B = dcpn_dataset_matrix(data);
    assert_int_equal(dcpn_problem_new(context, B, dcpn_dataset_labels(data), &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_model_new(solver, 0, &model), DCPN_OK);
    assert_int_equal(dcpn_model_set_names(model, data), DCPN_OK);
    const double *values, *coefficients = dcpn_solver_coefficients(solver);
    const int64_t *index;
    const char *name;
    double number;
    int64_t count = dcpn_model_coefficients(model, &index, &values);
    assert_true(count == 2 && values[0] == coefficients[index[0]] && values[1] == coefficients[index[1]]);
    assert_string_equal(dcpn_model_name(model, 1), "age");
    assert_true(dcpn_model_class(model, 1, &number, &name) && number == 1.0);
    assert_string_equal(name, "case");
    assert_false(dcpn_model_class(model, 2, &number, &name));
    assert_true(dcpn_model_get(model, "features", &value) && value.count == 2);
    assert_true(dcpn_model_get(model, "objective", &value) && value.real == dcpn_solver_result(solver)->objective);
    assert_true(dcpn_model_intercepts(model)[0] == dcpn_solver_intercept(solver));
    assert_true(dcpn_settings_get(dcpn_model_settings(model), "ridge", &value) && value.real == 1e-2);
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_settings_are_set_by_name, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_several_settings_at_once, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_what_is_wrong_is_refused_by_name, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_paths_and_results_by_name, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_a_path_as_a_matrix, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_data_from_memory, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_models_from_arrays_and_back, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_wrong_arrays_are_refused, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_pointers_of_32_bits, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_options_are_set_by_name, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_options_that_are_wrong_are_refused, make_data, teardown),
        cmocka_unit_test_setup_teardown(test_data_and_models_without_layouts, make_data, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
