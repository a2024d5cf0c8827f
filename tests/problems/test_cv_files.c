/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of cross-validations and paths are the same bytes for any number of threads; models come back out of them;
 * damaged ones are refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_cv.h"

/* All but the line with the times. */
static char *text_without_times(const char *path)
{
    char *text = get_text_of(path), *timing = strstr(text, "\n  \"timing\"");
    assert_non_null(timing);
    *timing = '\0';
    return text;
}

static void the_same_bytes_for_any_number_of_threads(void **state)
{
    static const char *const penalties[] = {"l1", "capped-l1"};
    static const double values[] = {1.0, 0.3};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .seed = 8, .subsamples = 9};
    char *first = NULL;
    (void)state;
    settings.ridge = 0.1;
    settings.intercept = 1;
    settings.standardize = 1;
    options.path = (dcpn_path_options){.lambda_count = 8,
                                       .penalties = penalties,
                                       .penalty_count = 2,
                                       .values = values,
                                       .value_count = 2,
                                       .min_ratio = 0.1};
    for (int threads = 1; threads <= 4; threads++) {
        dcpn_context_set_threads(context, threads);
        dcpn_cv *cv = cv_of(of_classes, &settings, &options);
        assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "cv.json"), DCPN_OK);
        char *text = text_without_times("cv.json");
        if (first) assert_string_equal(text, first);
        if (first) free(text);
        if (!first) first = text;
        dcpn_cv_free(cv);
    }
    free(first);
    dcpn_context_set_threads(context, 1);
}

static void assert_text_is(const char *path, const char *expected)
{
    char *text = get_text_of(path);
    assert_string_equal(text, expected);
    free(text);
}

/* What a file says is all there once it is read: written again, it is the same bytes. */
static void files_are_written_again_as_they_were(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"}, *const words[] = {"dcpn", "cv", "it's"},
                             *const classes[] = {"\"no\"", "y\303\251s"};
    static const double values[] = {9.0, 3.0};
    const char *names[COLUMNS];
    double fill[COLUMNS];
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_cv_options options = {.folds = 4, .subsamples = 5};
    dcpn_results *results;
    (void)state;
    for (int j = 0; j < COLUMNS; j++) {
        names[j] = j % 2 ? "odd" : "e\tven";
        fill[j] = 0.1 * j;
    }
    const dcpn_provenance from = {.file = "data.csv",
                                  .command = words,
                                  .words = 3,
                                  .feature_names = names,
                                  .class_names = classes,
                                  .label_name = "class",
                                  .fill = fill,
                                  .read_s = 0.25};
    options.path = (dcpn_path_options){.lambda_count = 6,
                                       .penalties = penalties,
                                       .penalty_count = 2,
                                       .values = values,
                                       .value_count = 2,
                                       .min_ratio = 0.1};
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    char *json[2];
    assert_int_equal(dcpn_cv_json(cv, &from, "folds.txt", &json[0]), DCPN_OK);
    assert_int_equal(dcpn_paths_json(cv->paths, &from, &json[1]), DCPN_OK);
    assert_non_null(strstr(json[1], "\"deviation\""));
    assert_non_null(strstr(json[0], "\"frequency\": [0."));
    dcpn_cv_free(cv);
    for (int k = 0; k < 2; k++) {
        if (dcpn_results_parse(context, "file", json[k], strlen(json[k]), &results) != DCPN_OK)
            fail_msg("%s", dcpn_last_error(context));
        assert_true(results->paths && !results->model && (results->cv != NULL) == (k == 0));
        if (k == 0)
            assert_int_equal(dcpn_cv_write(results->cv, &results->provenance, results->folds_file, "again"), DCPN_OK);
        else
            assert_int_equal(dcpn_paths_write(results->paths, &results->provenance, "again"), DCPN_OK);
        assert_text_is("again", json[k]);
        dcpn_results_free(results);
        dcpn_free(context, json[k]);
    }
}

static void assert_model_is(const dcpn_model *model, const dcpn_paths *paths, int64_t v, int64_t k)
{
    const dcpn_path *path = &paths->paths[v];
    const dcpn_path_point *point = &path->points[k];
    assert_string_equal(model->settings.penalty, path->settings.penalty);
    assert_true(model->settings.lambda == point->lambda);
    assert_true(model->settings.theta == path->settings.theta);
    assert_true(model->intercept == point->intercept);
    assert_true(model->fit.objective == point->fit.objective);
    assert_int_equal(model->nonzeros, point->fit.nonzeros);
    assert_memory_equal(model->index, path->index + point->first, (size_t)model->nonzeros * sizeof *model->index);
    assert_memory_equal(model->value, path->value_of + point->first, (size_t)model->nonzeros * sizeof *model->value);
}

static dcpn_status read_at(const char *path, const dcpn_selection *selection, dcpn_model **model)
{
    return dcpn_model_read_at(context, path, selection, model);
}

static void models_come_back_from_the_files(void **state)
{
    static const char *const penalties[] = {"l1", "log"};
    static const double values[] = {2.0, 0.5};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 3};
    dcpn_model *model = NULL;
    (void)state;
    settings.intercept = 1;
    options.path = (dcpn_path_options){.lambda_count = 5,
                                       .penalties = penalties,
                                       .penalty_count = 2,
                                       .values = values,
                                       .value_count = 2,
                                       .min_ratio = 0.1};
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    assert_int_equal(dcpn_cv_write(cv, NULL, NULL, "cv.json"), DCPN_OK);
    assert_int_equal(dcpn_paths_write(cv->paths, NULL, "path.json"), DCPN_OK);
    for (int64_t v = 0; v < cv->paths->count; v++)
        for (int64_t k = 0; k < cv->paths->paths[v].count; k++) {
            const dcpn_path *path = &cv->paths->paths[v];
            dcpn_selection which = {.has_lambda = 1,
                                    .lambda = path->points[k].lambda,
                                    .penalty = path->settings.penalty,
                                    .has_value = path->varying != NULL,
                                    .value = path->value};
            assert_int_equal(read_at(v % 2 ? "cv.json" : "path.json", &which, &model), DCPN_OK);
            assert_model_is(model, cv->paths, v, k);
            dcpn_model_free(model);
        }
    assert_int_equal(dcpn_model_read(context, "cv.json", &model), DCPN_OK); /* the file's own rule: 1se */
    assert_model_is(model, cv->paths, cv->choice.sparse.path, cv->choice.sparse.point);
    dcpn_model_free(model);
    assert_int_equal(read_at("cv.json", &(dcpn_selection){.rule = "min"}, &model), DCPN_OK);
    assert_model_is(model, cv->paths, cv->choice.min.path, cv->choice.min.point);
    dcpn_model_free(model);
    dcpn_cv_free(cv);
}

/* Half-way between two lambdas of an l1 path: the mean of both. */
static void an_l1_path_is_interpolated(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 5, .min_ratio = 0.1};
    dcpn_paths *paths = NULL;
    dcpn_model *upper, *lower, *middle;
    double expected[COLUMNS] = {0}, found[COLUMNS] = {0};
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    const dcpn_path_point *points = paths->paths[0].points;
    dcpn_selection which = {.has_lambda = 1, .lambda = 0.5 * (points[2].lambda + points[3].lambda)};
    assert_int_equal(dcpn_paths_model(paths, 0, 2, 1, &upper), DCPN_OK);
    assert_int_equal(dcpn_paths_model(paths, 0, 3, 1, &lower), DCPN_OK);
    assert_int_equal(read_at("path.json", &which, &middle), DCPN_OK);
    for (int64_t k = 0; k < upper->nonzeros; k++) expected[upper->index[k]] += 0.5 * upper->value[k];
    for (int64_t k = 0; k < lower->nonzeros; k++) expected[lower->index[k]] += 0.5 * lower->value[k];
    for (int64_t k = 0; k < middle->nonzeros; k++) found[middle->index[k]] = middle->value[k];
    for (int64_t j = 0; j < COLUMNS; j++) assert_true(fabs(found[j] - expected[j]) <= 1e-12);
    assert_true(isnan(middle->fit.objective));
    assert_true(middle->settings.lambda == which.lambda);
    dcpn_model_free(upper);
    dcpn_model_free(lower);
    dcpn_model_free(middle);
    dcpn_paths_free(paths);
}

static void what_cannot_be_selected_is_refused(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "mcp", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 3};
    dcpn_paths *paths = NULL;
    dcpn_model *model = NULL;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    assert_int_equal(dcpn_paths_model(paths, 0, 1, 1, &model), DCPN_OK);
    assert_int_equal(dcpn_model_write(model, "model.json"), DCPN_OK);
    dcpn_model_free(model);
    assert_int_equal(dcpn_paths_model(paths, 0, 3, 1, &model), DCPN_USAGE);
    const dcpn_selection lambda = {.has_lambda = 1, .lambda = 0.1}, rule = {.rule = "min"},
                         penalty = {.has_lambda = 1, .lambda = 0.1, .penalty = "l1"};
    assert_int_equal(dcpn_model_read(context, "path.json", &model), DCPN_USAGE);
    assert_int_equal(read_at("path.json", &rule, &model), DCPN_USAGE);
    assert_int_equal(read_at("path.json", &penalty, &model), DCPN_USAGE);
    assert_int_equal(read_at("model.json", &lambda, &model), DCPN_USAGE);
    assert_int_equal(read_at("model.json", NULL, &model), DCPN_OK);
    dcpn_model_free(model);
    dcpn_paths_free(paths);
}

/* Cut anywhere, or with a member gone, a file is refused and never believed. */
static void damaged_files_are_refused(void **state)
{
    static const char *const members[] = {"\"paths\"",   "\"points\"",   "\"coef\"",      "\"lambda\"", "\"params\"",
                                          "\"version\"", "\"features\"", "\"intercept\"", "\"data\"",   "\"metric\""};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_path_options options = {.lambda_count = 3};
    const dcpn_selection which = {.has_lambda = 1, .lambda = 1.0};
    dcpn_paths *paths = NULL;
    dcpn_model *model = NULL;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, of_classes, &settings, &options, &paths), DCPN_OK);
    assert_int_equal(dcpn_paths_write(paths, NULL, "path.json"), DCPN_OK);
    char *text = get_text_of("path.json");
    size_t length = strlen(text);
    for (size_t k = 0; k + 2 < length; k += 37) {
        put_bytes("cut.json", text, k);
        assert_int_equal(read_at("cut.json", &which, &model), DCPN_MODEL);
    }
    for (size_t k = 0; k < sizeof members / sizeof *members; k++) {
        char *changed = strdup(text);
        /* the key of every occurrence is spoilt, so that the member is missing wherever it belongs */
        for (char *at = strstr(changed, members[k]); at; at = strstr(at + 1, members[k])) at[1] = '_';
        put_text("changed.json", changed);
        dcpn_status status = read_at("changed.json", &which, &model);
        if (status != DCPN_MODEL && status != DCPN_USAGE) fail_msg("without %s: %d", members[k], (int)status);
        assert_null(model);
        free(changed);
    }
    free(text);
    dcpn_paths_free(paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_bytes_for_any_number_of_threads),
        cmocka_unit_test(files_are_written_again_as_they_were),
        cmocka_unit_test(models_come_back_from_the_files),
        cmocka_unit_test(an_l1_path_is_interpolated),
        cmocka_unit_test(what_cannot_be_selected_is_refused),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests_name("problems.cv_files", tests, setup, teardown);
}
