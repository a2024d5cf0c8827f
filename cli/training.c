/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit starts from: the data, what goes with its rows and columns, and the point to start at. */
#include "training.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int dcpn_cli_training_check_streams(const struct cli *cli, const struct training_options *options, const char *more)
{
    const char *inputs[] = {cli->arguments[0],       options->weights,       options->offset,
                            options->penalty_factor, options->start,         options->unlabelled,
                            options->reading.labels, options->reading.names, more};
    int readers = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) readers += dcpn_cli_is_standard_stream(inputs[i]);
    if (readers > 1) return dcpn_cli_fail(cli, DCPN_USAGE, "two inputs want standard input; only one can have it");
    return 0;
}

void dcpn_cli_training_add_files(const struct cli *cli, const struct training_options *options, struct cli_files *files)
{
    const char *reads[] = {cli->arguments[0],       options->weights,       options->offset,
                           options->penalty_factor, options->lower,         options->upper,
                           options->reading.labels, options->reading.names, options->unlabelled};
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++) dcpn_cli_add_file(files->reads, reads[k]);
}

int dcpn_cli_training_read_start(const struct cli *cli, const struct training_options *options,
                                 struct training *training)
{
    if (!options->start) return 0;
    return dcpn_cli_check(cli, dcpn_model_read(cli->context, options->start, &training->start));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Rows without labels from a second file, behind those of the data. */
static int read_unlabelled(const struct cli *cli, const struct training_options *options, dcpn_read_options how,
                           struct training *training)
{
    dcpn_dataset *more = NULL;
    int code = dcpn_cli_read_alike(cli, options->unlabelled, &options->reading, how, training->data, &more);
    if (!code) code = dcpn_cli_check(cli, dcpn_dataset_add_unlabelled(training->data, more->matrix));
    dcpn_dataset_free(more);
    return code;
}

static int read_data(const struct cli *cli, const struct training_options *options, struct training *training)
{
    dcpn_read_options how = {.features = options->features,
                             .narrow = 1,
                             .indexing = dcpn_cli_indexing(options->index_base),
                             .unlabelled = 1,
                             .value_type = options->float32 ? DCPN_FLOAT32 : DCPN_FLOAT64};
    if (training->start && options->index_base < 0) how.indexing = dcpn_cli_indexing(training->start->index_base);
    double begin = seconds();
    int code = dcpn_cli_read(cli, cli->arguments[0], &options->reading, how, &training->data);
    if (!code && options->unlabelled) code = read_unlabelled(cli, options, how, training);
    training->read_s = seconds() - begin;
    return code;
}

static int read_numbers(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int64_t rows = training->data->rows, features = training->data->features;
    int code = 0;
    if (options->weights) code = dcpn_cli_read_numbers(cli, options->weights, rows, "row", &training->weights);
    if (!code && options->offset) code = dcpn_cli_read_numbers(cli, options->offset, rows, "row", &training->offset);
    if (!code && options->penalty_factor)
        code = dcpn_cli_read_numbers(cli, options->penalty_factor, features, "feature", &training->factors);
    return code;
}

/* The weights of the two classes: as given, or so that both weigh the same and all rows as much as before. */
static int read_class_weights(const struct cli *cli, const char *text, const double in_class[2], double of_class[2])
{
    struct number_list list = {0};
    int code = 0;
    if (strcmp(text, "balanced") == 0) {
        for (int c = 0; c < 2; c++) of_class[c] = (in_class[0] + in_class[1]) / (2.0 * in_class[c]);
        return 0;
    }
    if (dcpn_cli_is_number_list(text)) code = dcpn_cli_number_list(cli, "class-weight", text, &list);
    if (!code && list.count == 2) {
        of_class[0] = list.numbers[0];
        of_class[1] = list.numbers[1];
    }
    if (!code && (list.count != 2 || !(of_class[0] >= 0.0 && of_class[1] >= 0.0)))
        code = dcpn_cli_fail(cli, DCPN_USAGE,
                             "--class-weight: found '%s', expected balanced or two numbers of at least 0: those of the "
                             "negative and the positive class",
                             text);
    dcpn_cli_number_list_free(&list);
    return code;
}

/* Measurements have no classes. */
static int refuse_third_label(const struct cli *cli, const dcpn_dataset *data, double low, double high)
{
    for (int64_t i = 0; i < data->rows; i++)
        if (data->labels[i] > low && data->labels[i] < high)
            return dcpn_cli_fail(
                cli, DCPN_DATA, "--class-weight: found the labels %.6g, %.6g and %.6g (row %lld), expected two classes",
                low, high, data->labels[i], (long long)i + 1);
    return 0;
}

/* Where there is one class the solver will say so. */
static int weigh_classes(const struct cli *cli, const struct training_options *options, struct training *training)
{
    const dcpn_dataset *data = training->data;
    double low = HUGE_VAL, high = -HUGE_VAL, in_class[2] = {0.0, 0.0}, of_class[2];
    if (!options->class_weight) return 0;
    for (int64_t i = 0; i < data->rows; i++) {
        if (data->labels[i] < low) low = data->labels[i];
        if (data->labels[i] > high) high = data->labels[i];
    }
    int code = refuse_third_label(cli, data, low, high);
    if (code) return code;
    for (int64_t i = 0; i < data->rows; i++)
        if (!isnan(data->labels[i])) in_class[data->labels[i] > low] += training->weights ? training->weights[i] : 1.0;
    code = read_class_weights(cli, options->class_weight, in_class, of_class);
    if (code) return code;
    training->class_weighted = dcpn_cli_allocate(cli, data->rows, sizeof *training->class_weighted);
    if (!training->class_weighted) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < data->rows; i++)
        training->class_weighted[i] = (isnan(data->labels[i]) ? 1.0 : of_class[data->labels[i] > low]) *
                                      (training->weights ? training->weights[i] : 1.0);
    return 0;
}

/* One number for all features, or a file with one for each. */
static int read_bounds(const struct cli *cli, const char *option, const char *text, int64_t features,
                       struct number_list *bounds)
{
    if (!text) return 0;
    int is_one = dcpn_cli_is_number_list(text), code = dcpn_cli_number_list(cli, option, text, bounds);
    if (code) return code;
    if (is_one && bounds->count == 1) {
        double *all = dcpn_cli_allocate(cli, features, sizeof *all);
        if (!all) return dcpn_status_exit_code(DCPN_MEMORY);
        for (int64_t j = 0; j < features; j++) all[j] = bounds->numbers[0];
        dcpn_cli_number_list_free(bounds);
        *bounds = (struct number_list){all, features};
    }
    if (bounds->count == features) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "--%s: found %lld numbers, expected 1, or %lld: one per feature", option,
                         (long long)bounds->count, (long long)features);
}

static int read_box(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int64_t features = training->data->features;
    if (options->nonnegative && options->lower)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--nonnegative is --lower 0; give the one or the other");
    const char *lower = options->nonnegative ? "0" : options->lower;
    int code = read_bounds(cli, "lower", lower, features, &training->lower);
    return code ? code : read_bounds(cli, "upper", options->upper, features, &training->upper);
}

static dcpn_status make_problem(const struct cli *cli, struct training *t)
{
    dcpn_status status = dcpn_problem_new(cli->context, t->data->matrix, t->data->labels, &t->problem);
    const double *weights = t->class_weighted ? t->class_weighted : t->weights;
    if (!status && weights) status = dcpn_problem_set_weights(t->problem, weights);
    if (!status && t->offset) status = dcpn_problem_set_offset(t->problem, t->offset);
    if (!status) status = dcpn_problem_set_bounds(t->problem, t->lower.numbers, t->upper.numbers);
    if (!status && t->factors) status = dcpn_problem_set_penalty_factors(t->problem, t->factors);
    return status;
}

static int check_start(const struct cli *cli, const struct training_options *options, const struct training *training)
{
    const dcpn_model *start = training->start;
    if (!start) return 0;
    if (start->features <= training->data->features)
        return dcpn_cli_check_names(cli, start, training->data, cli->arguments[0]);
    return dcpn_cli_fail(
        cli, DCPN_DATA, "%s: found %lld features, expected at most the %lld of the data; give --features %lld",
        options->start, (long long)start->features, (long long)training->data->features, (long long)start->features);
}

int dcpn_cli_training_read(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int code = read_data(cli, options, training);
    if (!code && options->positive)
        code = dcpn_cli_check(cli, dcpn_dataset_set_positive(training->data, options->positive));
    if (!code) code = read_numbers(cli, options, training);
    if (!code) code = weigh_classes(cli, options, training);
    if (!code) code = read_box(cli, options, training);
    if (!code) code = dcpn_cli_check(cli, make_problem(cli, training));
    return code ? code : check_start(cli, options, training);
}

int dcpn_cli_training_set_start(const struct cli *cli, const struct training *training, dcpn_solver *solver)
{
    const dcpn_model *start = training->start;
    if (!start) return 0;
    double *coefficients = dcpn_cli_allocate(cli, training->data->features, sizeof *coefficients);
    if (!coefficients) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < start->nonzeros; i++) coefficients[start->index[i]] = start->value[i];
    int code = dcpn_cli_check(cli, dcpn_solver_set_start(solver, coefficients, start->intercept));
    free(coefficients);
    return code;
}

/* What the library could only say with the numbers of the classes. */
int dcpn_cli_training_check_classes(const struct cli *cli, const struct training *training,
                                    const dcpn_settings *settings)
{
    const dcpn_dataset *data = training->data;
    if (!data->label_names) return 0;
    if (!dcpn_loss_wants_classes(settings->loss))
        return dcpn_cli_fail(cli, DCPN_DATA,
                             "labels: found texts, like %s, expected numbers for --loss %s; a loss for classes, like "
                             "logistic, accepts them",
                             data->label_names[0], settings->loss);
    if (data->label_count == 2) return 0;
    char names[200] = "";
    size_t length = 0;
    for (int64_t k = 0; k < data->label_count && length < sizeof names; k++)
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", k ? ", " : "", data->label_names[k]);
    return dcpn_cli_fail(cli, DCPN_DATA,
                         "labels: found %lld class%s (%s%s), expected two; --positive CLASS takes one against the rest",
                         (long long)data->label_count, data->label_count == 1 ? "" : "es", names,
                         length < sizeof names ? "" : " ...");
}

/* Rows of the least and of the greatest label, which are the two classes if there are no others. Returns how many rows have
 * any. */
static int64_t count_ends(const dcpn_dataset *data, double label[2], int64_t count[2])
{
    int64_t labelled = 0;
    int zero_is_none = !data->label_names && dcpn_zero_is_no_label(data->labels, data->rows);
    label[0] = HUGE_VAL;
    label[1] = -HUGE_VAL;
    for (int64_t i = 0; i < data->rows; i++) {
        double y = data->labels[i];
        if (isnan(y) || (zero_is_none && y == 0.0)) continue;
        if (y < label[0]) label[0] = y, count[0] = 0;
        if (y > label[1]) label[1] = y, count[1] = 0;
        for (int k = 0; k < 2; k++) count[k] += y == label[k];
        labelled++;
    }
    return labelled;
}

int dcpn_cli_training_check_rare(const struct cli *cli, const struct training *training, const dcpn_settings *settings)
{
    double label[2];
    int64_t count[2] = {0, 0};
    char text[40];
    if (!dcpn_loss_wants_classes(settings->loss)) return 0;
    int64_t labelled = count_ends(training->data, label, count);
    int rare = count[0] == 1 ? 0 : 1;
    if (count[rare] != 1 || !(label[0] < label[1]) || labelled > count[0] + count[1]) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA,
                         "labels: the class %s has 1 row, expected at least 2, since a fold without it has one class; "
                         "add rows of that class, or fit without a cross-validation",
                         dcpn_cli_label_text(training->data->label_names, label[rare], text));
}

/* More than two numbers, one of which at least is no integer: measured, not the numbers of classes. Rows may have none. */
static int are_measurements(const dcpn_dataset *data)
{
    int has_third = 0, has_fraction = 0;
    double first = NAN, second = NAN;
    for (int64_t i = 0; i < data->rows; i++) {
        double y = data->labels[i];
        if (isnan(y)) continue;
        if (isinf(y)) return 0;
        if (isnan(first)) first = second = y;
        if (second == first) second = y;
        has_third |= y != first && y != second;
        has_fraction |= y != floor(y);
    }
    return has_third && has_fraction;
}

void dcpn_cli_training_choose_loss(const struct cli *cli, const struct training *training, int quiet,
                                   dcpn_settings *settings)
{
    const dcpn_dataset *data = training->data;
    int is_chosen = settings->loss != dcpn_settings_default().loss; /* the text itself is another one */
    if (!is_chosen && !data->label_names && are_measurements(data)) {
        settings->loss = "squared";
        if (!quiet) dcpn_cli_say(cli, "labels are measurements: --loss squared is taken; --loss says otherwise");
    }
    if (settings->intercept || data->label_names || dcpn_loss_wants_classes(settings->loss)) return;
    double mean = 0.0, square = 0.0;
    int64_t rows = data->rows;
    for (int64_t i = 0; i < rows; i++) mean += data->labels[i] / (double)rows;
    for (int64_t i = 0; i < rows; i++) square += (data->labels[i] - mean) * (data->labels[i] - mean) / (double)rows;
    if (mean * mean > square && !quiet)
        dcpn_cli_say(cli, "the labels have mean %.4g and the model has no constant: --intercept would add one", mean);
}

int dcpn_cli_training_solver(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                             dcpn_solver **solver)
{
    int code = dcpn_cli_training_check_classes(cli, training, settings);
    if (!code) code = dcpn_cli_check(cli, dcpn_solver_new(cli->context, training->problem, settings, solver));
    return code ? code : dcpn_cli_training_set_start(cli, training, *solver);
}

void dcpn_cli_training_free(const struct cli *cli, struct training *training)
{
    dcpn_problem_free(training->problem);
    dcpn_free(cli->context, training->factors);
    dcpn_free(cli->context, training->offset);
    dcpn_free(cli->context, training->weights);
    free(training->class_weighted);
    dcpn_cli_number_list_free(&training->lower);
    dcpn_cli_number_list_free(&training->upper);
    dcpn_dataset_free(training->data);
    dcpn_model_free(training->start);
}
