/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn predict: a model applied to data, and how good it is where the labels are known. */
#include "choice.h"
#include "codes.h"
#include "column_order.h"
#include "distinct.h"
#include "graph_tables.h"
#include "json.h"
#include "label_text.h"
#include "places.h"
#include "plural.h"
#include "predict_table.h"
#include "reading.h"
#include "responses.h"
#include "wanted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct predict_options {
    const char *output, *kind, *offset, *times, *fitted_to;
    struct choice_options choice;
    int64_t threads;
    int json, quiet;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct predict_options, FIELD)
#define TO_CHOICE(FIELD) offsetof(struct predict_options, choice.FIELD)

static const struct cli_option options_of_predict[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), "standard output", "where to write the predictions"),
    DCPN_CLI_WORD("type", "KIND", TO(kind), "table", "table|labels|scores|probabilities",
                  "a table of all, with what the rows are called; or one of them, one a line"),
    DCPN_CLI_CHOICE_OPTIONS(TO_CHOICE, "of a path: the model at this lambda; l1: interpolated"),
    DCPN_CLI_FLAG("json", 0, TO(json), "print the quality as one JSON object; predictions only with -o"),
    DCPN_CLI_TEXT("offset", 0, "FILE", TO(offset), "0", "a number per row, added to its score; or one per class"),
    DCPN_CLI_TEXT("times", 0, "LIST|FILE|all", TO(times), "none",
                  "loss cox: chances to survive these times, or all times of events, beside the risk"),
    DCPN_CLI_TEXT("fitted-to", 0, "TABLE", TO(fitted_to), NULL, "--times: the table that the model was fitted to"),
    DCPN_CLI_READING_AND_MISSING(TO, "model", "model|refuse|zero|mean"),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

struct predict_work {
    dcpn_model *model;
    struct wanted wanted;
    dcpn_dataset *data;
    int64_t offset_columns;
    double *offset, *scores, *predictions; /* with several scores a row, all of the first class come first */
    struct survival_curves curves;
};

static void say_what_is_missing(const struct cli *cli, const struct predict_work *work)
{
    int64_t found = work->data->features_found, expected = work->model->features;
    if (found > 0 && found < expected)
        dcpn_cli_say(cli, "%s: uses %lld feature%s, the model knows %lld: those that are not there count as 0",
                     cli->arguments[1], (long long)found, dcpn_cli_plural(found), (long long)expected);
}

/* LIBSVM text has no number of features but the largest that occurs, and rows to predict may well have words that those
 * of the fit had not: their coefficients are 0. In other formats another number of columns means other columns. */
static void widen_model(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    const dcpn_dataset *data = work->data;
    int is_libsvm = data->format && strcmp(data->format, "libsvm") == 0;
    int keeps_nothing =
        work->model->nonzeros == 0 && data->feature_names; /* so that no name says which columns to read */
    if ((!is_libsvm && !keeps_nothing) || data->features <= work->model->features) return;
    if (is_libsvm && !options->quiet)
        dcpn_cli_say(cli, "%s: has features up to number %lld, the model knows %lld: those beyond count for nothing",
                     cli->arguments[1], (long long)data->features - 1 + data->index_base,
                     (long long)work->model->features);
    dcpn_cli_check(cli, dcpn_model_widen(work->model, data->features));
}

/* Warns of a missing offset: without it the scores are those of another model, and nothing about them looks wrong. */
static void say_without_offset(const struct cli *cli, const struct predict_options *options,
                               const struct predict_work *work)
{
    if (work->model->has_offset && !options->offset && !options->quiet)
        dcpn_cli_say(cli,
                     "warning: %s was fitted with an offset, and none is given: it is missing in the scores; give that "
                     "of these rows by --offset FILE",
                     cli->arguments[0]);
}

static int check_order(const struct cli *cli)
{
    const char *model = cli->arguments[0], *data = cli->arguments[1];
    if (dcpn_results_begin(cli->context, model) || !dcpn_results_begin(cli->context, data)) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE, "'%s' is the model, which comes first: dcpn predict %s %s", data, data,
                         model);
}

/* The labels' column in a table without a header; 0: not known. */
static int64_t label_number(const dcpn_model *model)
{
    char *end;
    const char *given = model->table.label_name ? NULL : dcpn_cli_given_to_fit(model, "--label-column");
    long long number = given ? strtoll(given, &end, 10) : 0;
    return number > 0 && !*end ? number : 0;
}

/* A table without a header does not tell whether these are in it. */
static int check_ignored(const struct cli *cli, const struct predict_options *options, const struct predict_work *work)
{
    const dcpn_dataset *data = work->data;
    const char *ignored = dcpn_cli_given_to_fit(work->model, "--ignore");
    int is_table = data->format && (strcmp(data->format, "csv") == 0 || strcmp(data->format, "tsv") == 0);
    if (!is_table || data->feature_names || !ignored || !*ignored || options->reading.ignore) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "%s has no header, and the model was fitted with --ignore %s: give --ignore here, too, or "
                         "--ignore '' if those columns are not in this table",
                         cli->arguments[1], ignored);
}

/* A model of features knows which columns it wants, and what their gaps count as; one of none knows nothing. */
static int read_data(const struct cli *cli, const struct reading_options *reading, dcpn_read_options how,
                     struct predict_work *work)
{
    return work->model->nonzeros ? dcpn_cli_read(cli, cli->arguments[1], reading, how, &work->data)
                                 : dcpn_cli_read_as_it_looks(cli, cli->arguments[1], reading, how, &work->data);
}

static int read_inputs(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    dcpn_selection which;
    int code = dcpn_cli_choice_words(cli, &options->choice, &which);
    if (!code) code = dcpn_cli_check(cli, dcpn_model_read_at(cli->context, cli->arguments[0], &which, &work->model));
    if (code) return code;
    struct reading_options reading = options->reading;
    int has_names = work->model->table.names && !reading.names;
    int fills = strcmp(reading.missing, "model") == 0;
    if (fills) reading.missing = work->model->nonzeros ? NULL : "zero"; /* no matter where nothing is used */
    code = dcpn_cli_wanted_of(cli, work->model, &work->wanted);
    if (code) return code;
    const dcpn_read_options how = {.narrow = 1,
                                   .indexing = dcpn_cli_indexing(work->model->index_base),
                                   .at_least = work->model->features,
                                   .table.wanted = work->wanted.names,
                                   .table.wanted_count = has_names ? work->wanted.count : 0,
                                   .table.fill = fills ? work->wanted.fill : NULL,
                                   .table.label_name = work->model->table.label_name,
                                   .table.label_number = label_number(work->model),
                                   .table.label_optional = 1,
                                   .table.categories = work->model->table.categories,
                                   .table.category_count = work->model->table.category_count,
                                   .table.id_name = dcpn_cli_given_to_fit(work->model, "--id"),
                                   .unlabelled = 1};
    code = read_data(cli, &reading, how, work);
    if (!code) code = check_ignored(cli, options, work);
    if (!code) code = dcpn_cli_follow_names(cli, work->model, work->data, cli->arguments[1], options->quiet);
    if (!code) widen_model(cli, options, work);
    if (!code && !options->quiet) say_what_is_missing(cli, work);
    if (!code) say_without_offset(cli, options, work);
    if (!code && options->offset)
        code = dcpn_cli_read_offsets(cli, options->offset, work->data->rows, &work->offset, &work->offset_columns);
    return code;
}

static int compute_scores(const struct cli *cli, struct predict_work *work)
{
    const dcpn_model *model = work->model;
    int64_t each = model->labels.are_ordered ? model->labels.count : model->scores;
    work->scores = dcpn_cli_allocate(cli, model->scores * work->data->rows, sizeof *work->scores);
    work->predictions = dcpn_cli_allocate(cli, each * work->data->rows, sizeof *work->predictions);
    if (!work->scores || !work->predictions) return dcpn_status_exit_code(DCPN_MEMORY);
    return dcpn_cli_check(cli, dcpn_model_scores_from(model, work->data->matrix, work->offset_columns, work->offset,
                                                      work->scores));
}

static int is_table(const struct predict_options *options)
{
    return strcmp(options->kind, "table") == 0;
}

static int predict_rows(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    int64_t rows = work->data->rows, scores = work->model->scores;
    if (is_table(options) || strcmp(options->kind, "labels") == 0)
        return dcpn_cli_check(cli, dcpn_model_labels(work->model, work->scores, rows, work->predictions));
    if (strcmp(options->kind, "probabilities") == 0)
        return dcpn_cli_check(cli, dcpn_model_probabilities(work->model, work->scores, rows, work->predictions));
    for (int64_t i = 0; i < scores * rows; i++) work->predictions[i] = work->scores[i];
    return 0;
}

/* The names of the classes, one a line; predictions are their numbers. */
static int write_classes(const struct cli *cli, const char *path, const struct predict_work *work)
{
    char **names = work->model->labels.names;
    size_t total = 0;
    for (int64_t i = 0; i < work->data->rows; i++) total += strlen(names[(int64_t)work->predictions[i]]) + 1;
    char *text = dcpn_cli_allocate(cli, (int64_t)total, 1), *next = text;
    if (!text) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < work->data->rows; i++) {
        const char *name = names[(int64_t)work->predictions[i]];
        memcpy(next, name, strlen(name));
        next += strlen(name);
        *next++ = '\n';
    }
    int code = dcpn_cli_write_text(cli, path, text, total);
    free(text);
    return code;
}

static int write_predictions(const struct cli *cli, const struct predict_options *options,
                             const struct predict_work *work)
{
    if (!options->output && options->json) return 0;
    const char *path = options->output ? options->output : "-";
    if (is_table(options))
        return dcpn_cli_predict_table(cli, work->model, work->data, work->scores, &work->curves, path);
    int are_classes = strcmp(options->kind, "labels") == 0 && !work->model->labels.are_responses;
    if (work->model->labels.names && are_classes) return write_classes(cli, path, work);
    int are_shares = work->model->labels.are_ordered && strcmp(options->kind, "probabilities") == 0;
    int64_t columns = are_shares ? work->model->labels.count : work->model->scores;
    if (columns > 1 && !are_classes)
        return dcpn_cli_predict_columns(cli, work->predictions, work->data->rows, columns, path);
    return dcpn_cli_check(cli, dcpn_write_numbers(cli->context, path, work->predictions, work->data->rows));
}

static void print_class_quality(const struct predict_options *options, const struct predict_work *work,
                                const dcpn_quality *quality)
{
    if (options->json) {
        dcpn_cli_json_count_member(stdout, "{", "n", work->data->rows);
        dcpn_cli_json_count_member(stdout, ",", "measured", quality->rows);
        dcpn_cli_json_number_member(stdout, ",", "accuracy", quality->accuracy);
        dcpn_cli_json_number_member(stdout, ",", "auc", quality->auc);
        puts("}");
    } else if (!options->quiet && !isnan(quality->accuracy)) {
        fprintf(stderr, "accuracy %.6g, ", quality->accuracy);
        fprintf(stderr, isnan(quality->auc) ? "AUC not defined (one class)" : "AUC %.6g", quality->auc);
        fprintf(stderr, " on %lld row%s\n", (long long)quality->rows, dcpn_cli_plural(quality->rows));
    }
}

/* ---- Where labels are known ---- */

static int has_labels(const dcpn_dataset *data)
{
    for (int64_t i = 0; i < data->rows; i++)
        if (!isnan(data->labels[i])) return 1;
    return 0;
}

/* Says why there is no quality, and returns 0, if the labels are not of the kind of the model's classes. */
static int are_alike(const struct cli *cli, const struct predict_options *options, const struct predict_work *work)
{
    char **names = work->model->labels.names;
    if (!has_labels(work->data)) return 0;
    if (dcpn_cli_can_match(work->data, names)) return 1;
    if (!options->quiet)
        dcpn_cli_say(cli, "the labels are %s, the classes of the model %s: accuracy is not computed",
                     work->data->label_names ? "texts" : "numbers", names ? "texts" : "numbers");
    return 0;
}

static void say_of_stranger(const struct cli *cli, const struct predict_work *work, int64_t row)
{
    char **names = work->model->labels.names, text[3][40];
    const double *classes = work->model->labels.numbers;
    if (work->model->labels.count > 2)
        dcpn_cli_say(
            cli, "row %lld has the label %s, which is none of the %lld classes of the model: accuracy is not computed",
            (long long)row + 1, dcpn_cli_label_text(work->data->label_names, work->data->labels[row], text[0]),
            (long long)work->model->labels.count);
    else
        dcpn_cli_say(cli, "row %lld has the label %s, the model knows %s and %s: accuracy is not computed",
                     (long long)row + 1, dcpn_cli_label_text(work->data->label_names, work->data->labels[row], text[0]),
                     dcpn_cli_label_text(names, classes[0], text[1]), dcpn_cli_label_text(names, classes[1], text[2]));
}

static int measure_classes(const struct cli *cli, const struct predict_options *options, struct predict_work *work,
                           dcpn_quality *quality)
{
    const dcpn_model *model = work->model;
    dcpn_dataset *data = work->data;
    dcpn_status status = DCPN_OK;
    if (!are_alike(cli, options, work)) return 0;
    if (model->labels.names)
        status = dcpn_dataset_match_classes(data, model->labels.names, model->labels.count, &quality->stranger);
    if (status == DCPN_OK && quality->stranger < 0)
        status = dcpn_model_quality(model, data->labels, work->scores, data->rows, quality);
    if (quality->stranger >= 0 && !options->quiet) say_of_stranger(cli, work, quality->stranger);
    return dcpn_cli_check(cli, status);
}

static void print_number_quality(const struct predict_options *options, const struct predict_work *work,
                                 const dcpn_quality *quality)
{
    if (options->json) {
        dcpn_cli_json_count_member(stdout, "{", "n", work->data->rows);
        dcpn_cli_json_count_member(stdout, ",", "measured", quality->rows);
        dcpn_cli_json_number_member(stdout, ",", "mse", quality->mse);
        dcpn_cli_json_number_member(stdout, ",", "r2", quality->r2);
        puts("}");
    } else if (!options->quiet && !isnan(quality->mse)) {
        fprintf(stderr, "MSE %.6g, ", quality->mse);
        fprintf(stderr, isnan(quality->r2) ? "R2 not defined (constant labels)" : "R2 %.6g", quality->r2);
        fprintf(stderr, " on %lld row%s\n", (long long)quality->rows, dcpn_cli_plural(quality->rows));
    }
}

static int measure_numbers(const struct cli *cli, const struct predict_options *options,
                           const struct predict_work *work, dcpn_quality *quality)
{
    const dcpn_dataset *data = work->data;
    if (!data->label_names)
        return dcpn_cli_check(cli, dcpn_model_quality(work->model, data->labels, work->scores, data->rows, quality));
    if (!options->quiet) dcpn_cli_say(cli, "the labels are texts, the model predicts numbers: MSE is not computed");
    return 0;
}

/* The quality of several responses is known where the table has all of them, by their names. */
static int report_responses(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    dcpn_quality quality = {.stranger = -1, .accuracy = NAN, .auc = NAN, .deviance = NAN, .mse = NAN, .r2 = NAN};
    const dcpn_model *model = work->model;
    struct responses responses = {.count = model->scores, .names = model->labels.names};
    int is_known = responses.names && work->data->feature_names && has_labels(work->data) && !work->data->label_names;
    int is_read_again = is_known && !dcpn_cli_is_standard_stream(cli->arguments[1]);
    struct reading_options reading = options->reading;
    if (is_read_again && dcpn_cli_responses_are_in(cli, cli->arguments[1], &responses) &&
        dcpn_cli_responses_read(cli, cli->arguments[1], &reading, work->data, &responses) == 0) {
        int code = dcpn_cli_check(
            cli, dcpn_model_quality(model, responses.Y, work->scores, work->data->rows, &quality));
        free(responses.Y);
        if (code) return code;
    }
    print_number_quality(options, work, &quality);
    return 0;
}

static int report_quality(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    dcpn_quality quality = {.stranger = -1, .accuracy = NAN, .auc = NAN, .deviance = NAN, .mse = NAN, .r2 = NAN};
    if (work->model->labels.are_responses) return report_responses(cli, options, work);
    int has_classes = work->model->labels.count > 0;
    int code =
        has_classes ? measure_classes(cli, options, work, &quality) : measure_numbers(cli, options, work, &quality);
    if (code) return code;
    if (strcmp(work->model->settings.loss, "cox") == 0) return 0; /* whether an event happened is not in the data */
    if (dcpn_cli_are_several(work->model->scores, &work->model->labels)) {
        const struct measured measured = {work->model, work->data, work->scores, &quality};
        return dcpn_cli_print_many_quality(cli, &measured, options->json, options->quiet);
    }
    (has_classes ? print_class_quality : print_number_quality)(options, work, &quality);
    return 0;
}

static int work_through(const struct cli *cli, const struct predict_options *options, struct predict_work *work)
{
    int code = 0;
    if (options->json && options->output && strcmp(options->output, "-") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "-o - and --json both want standard output; give -o a file");
    const struct cli_files files = {.reads = {cli->arguments[0], cli->arguments[1], options->offset,
                                              options->reading.labels, options->reading.names, options->fitted_to},
                                    .writes = {options->output}};
    code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = check_order(cli);
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code) code = read_inputs(cli, options, work);
    if (!code) code = compute_scores(cli, work);
    const struct curves_asked asked = {options->times, options->fitted_to, cli->arguments[1], is_table(options)};
    if (!code)
        code = dcpn_cli_survival_curves(cli, work->model, &work->wanted, &asked, work->data->rows, &work->curves);
    if (!code) code = predict_rows(cli, options, work);
    if (!code) code = write_predictions(cli, options, work);
    if (code) return code;
    return report_quality(cli, options, work);
}

/* Makes codes by factors, and refuses options that have a meaning only for a model. */
static int predict_codes(const struct cli *cli, const struct predict_options *options)
{
    struct reading_options reading = options->reading;
    if (strcmp(options->kind, "table") != 0 || options->json || options->offset)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "%s has factors, of which predict makes codes: --type, --json and --offset are for models",
                             cli->arguments[0]);
    if (strcmp(reading.missing, "model") == 0) reading.missing = "keep";
    dcpn_context_set_threads(cli->context, (int)options->threads);
    return dcpn_cli_codes(cli, &reading, options->output);
}

/* Options for models mean nothing to a graph. */
static int predict_missing(const struct cli *cli, const struct predict_options *options)
{
    struct reading_options reading = options->reading;
    if (strcmp(options->kind, "table") != 0 || options->json || options->offset ||
        strcmp(reading.missing, "model") != 0)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "%s has a graph, with which predict fills in what is missing: --type, --json, --offset "
                             "and --missing are for models",
                             cli->arguments[0]);
    reading.missing = NULL;
    return dcpn_cli_fill_in(cli, &reading, options->output);
}

/* Options for models mean nothing to a completion. */
static int predict_values(const struct cli *cli, const struct predict_options *options)
{
    struct reading_options reading = options->reading;
    if (strcmp(options->kind, "table") != 0 || options->json || options->offset)
        return dcpn_cli_fail(
            cli, DCPN_USAGE,
            "%s has a completed matrix, of which predict gives values: --type, --json and --offset are for models",
            cli->arguments[0]);
    if (strcmp(reading.missing, "model") == 0) reading.missing = NULL;
    return dcpn_cli_predict_places(cli, &reading, options->output);
}

static void release(const struct cli *cli, struct predict_work *work)
{
    dcpn_cli_survival_curves_free(&work->curves);
    dcpn_cli_wanted_free(&work->wanted);
    free(work->predictions);
    free(work->scores);
    dcpn_free(cli->context, work->offset);
    dcpn_dataset_free(work->data);
    dcpn_model_free(work->model);
}

static int predict(struct cli *cli, int argc, char **argv)
{
    struct predict_options options;
    struct predict_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    if (dcpn_factors_begin(cli->context, cli->arguments[0])) return predict_codes(cli, &options);
    if (dcpn_completion_begin(cli->context, cli->arguments[0])) return predict_values(cli, &options);
    if (dcpn_graphs_begin(cli->context, cli->arguments[0]) || dcpn_neighbours_begin(cli->context, cli->arguments[0]))
        return predict_missing(cli, &options);
    dcpn_cli_listen(cli, options.quiet, 0);
    dcpn_context_set_threads(cli->context, (int)options.threads);
    code = work_through(cli, &options, &work);
    release(cli, &work);
    return code;
}

const struct cli_command dcpn_cli_predict = {
    .name = "predict",
    .arguments = "MODEL DATA [-o FILE] [OPTIONS]",
    .summary = "Applies a model to data",
    .details = "MODEL is the file of a fit, a path or a cross-validation. Writes a table with the label and the "
               "probability of each class of each row; --type has one of them alone, one a line, of many classes a "
               "column for each: scores above 0 and probabilities are then for the positive class, the second that "
               "'dcpn info MODEL' names. Accuracy and AUC (or MSE and R2 of a regression) go to standard error.",
    .examples = {"dcpn predict model.json test.csv -o predictions.csv",
                 "dcpn predict model.json test.svm --type probabilities", "dcpn predict model.json test.svm --json"},
    .options = options_of_predict,
    .fewest = 2,
    .most = 2,
    .run = predict,
};
