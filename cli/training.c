/* SPDX-License-Identifier: BSD-3-Clause */
/* What a fit starts from: the data, what goes with its rows and columns, and the point to start at. */
#include "training.h"
#include "plural.h"
#include "ranks.h"
#include "survival.h"
#include "watch.h"
#include "word_list.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char prefix[] = "prefix:";          /* of --groups: what follows is a separator */
static const char categorical[] = "categorical"; /* likewise: levels of a column are a group */

/* The file of --groups; NULL: there is none. */
static const char *group_file(const char *text)
{
    if (!text || strncmp(text, prefix, strlen(prefix)) == 0 || strcmp(text, categorical) == 0) return NULL;
    return text;
}

int dcpn_cli_training_check_streams(const struct cli *cli, const struct training_options *options, const char *more)
{
    const char *inputs[] = {cli->arguments[0],
                            options->weights,
                            options->offset,
                            options->penalty_factor,
                            options->start,
                            options->unlabelled,
                            options->reading.labels,
                            options->reading.names,
                            group_file(options->groups),
                            more};
    int readers = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) readers += dcpn_cli_is_standard_stream(inputs[i]);
    if (readers > 1) return dcpn_cli_fail(cli, DCPN_USAGE, "two inputs want standard input; only one can have it");
    return 0;
}

void dcpn_cli_training_add_files(const struct cli *cli, const struct training_options *options, struct cli_files *files)
{
    const char *reads[] = {cli->arguments[0],          options->weights,       options->offset,
                           options->penalty_factor,    options->lower,         options->upper,
                           options->reading.labels,    options->reading.names, options->unlabelled,
                           group_file(options->groups)};
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
    struct reading_options reading = options->reading;
    char *ignored = NULL;
    int code = dcpn_cli_responses_split(cli, &options->reading, &training->responses);
    if (!code && training->responses.count && options->unlabelled)
        code = dcpn_cli_fail(cli, DCPN_USAGE,
                             "--unlabelled: with several responses every row needs all of them; leave it out");
    if (!code && training->responses.count)
        code = dcpn_cli_responses_reading(cli, &training->responses, &reading, &ignored);
    else if (!code && options->survival.time)
        code = dcpn_cli_survival_reading(cli, options, &reading, &ignored);
    if (!code) code = dcpn_cli_check_labels(cli, reading.labels);
    if (!code && dcpn_cli_has_ranks(cli))
        code = dcpn_cli_ranks_read(cli, &reading, how, &training->data, &training->whole);
    else if (!code)
        code = dcpn_cli_read_as_it_looks(cli, cli->arguments[0], &reading, how, &training->data);
    free(ignored);
    if (!code && training->responses.count)
        code = dcpn_cli_responses_read(cli, cli->arguments[0], &options->reading, training->data, &training->responses);
    else if (!code && options->survival.time)
        code = dcpn_cli_survival_read(cli, options, training);
    if (!code && options->unlabelled) code = read_unlabelled(cli, options, how, training);
    training->read_s = seconds() - begin;
    return code;
}

int dcpn_cli_training_read_rows(const struct cli *cli, const struct training *training, const char *file,
                                double **numbers)
{
    int code = dcpn_cli_read_numbers(cli, file, training->all_rows, "row", numbers);
    size_t bytes = (size_t)training->data->rows * sizeof **numbers;
    if (!code) memmove(*numbers, *numbers + training->first_row, bytes);
    return code;
}

/* One for each row; of many classes or responses perhaps several, which ranks do not know. */
static int read_offsets(const struct cli *cli, const char *file, struct training *training)
{
    int code = dcpn_cli_read_offsets(cli, file, training->all_rows, &training->offset, &training->offset_columns);
    size_t bytes = (size_t)training->data->rows * sizeof *training->offset;
    if (!code && training->offset_columns == 1)
        memmove(training->offset, training->offset + training->first_row, bytes);
    return code;
}

static int read_numbers(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int64_t features = training->data->features;
    int code = 0;
    if (options->weights) code = dcpn_cli_training_read_rows(cli, training, options->weights, &training->weights);
    if (!code && options->offset) code = read_offsets(cli, options->offset, training);
    if (!code && options->penalty_factor)
        code = dcpn_cli_read_numbers(cli, options->penalty_factor, features, "feature", &training->factors);
    return code;
}

/* Parses the weights of classes, "A,B" or more of them; "balanced" gives none. */
static int parse_class_weights(const struct cli *cli, const char *text, struct training *training)
{
    struct number_list *list = &training->class_weights;
    if (!text || strcmp(text, "balanced") == 0) return 0;
    int code = dcpn_cli_is_number_list(text) ? dcpn_cli_number_list(cli, "class-weight", text, list) : 0;
    int are_weights = !code && list->count >= 2;
    for (int64_t k = 0; k < list->count; k++) are_weights = are_weights && list->numbers[k] >= 0.0;
    if (code || are_weights) return code;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--class-weight: found '%s', expected balanced or numbers of at least 0: those of the "
                         "negative and the positive class, or one for each of many",
                         text);
}

/* Lays the weights of classes on the rows. All ranks make this call. */
static int weigh_classes(const struct cli *cli, const struct training_options *options, struct training *training)
{
    const dcpn_dataset *data = training->data;
    const struct number_list *given = &training->class_weights;
    if (!options->class_weight) return 0;
    double *weights = training->class_weighted = dcpn_cli_allocate(cli, data->rows, sizeof *weights);
    if (!weights) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < data->rows; i++) weights[i] = training->weights ? training->weights[i] : 1.0;
    return dcpn_cli_check(
        cli, dcpn_class_weights(cli->context, data->labels, data->rows, given->numbers, given->count, weights));
}

/* Reads bounds: one number for all features, or a file with one for each. */
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

int dcpn_cli_read_groups(const struct cli *cli, const char *words, const dcpn_dataset *data, dcpn_groups **groups)
{
    const char *file = group_file(words);
    if (!words) return 0;
    if (file) return dcpn_cli_check(cli, dcpn_groups_read(cli->context, file, data, groups));
    if (strcmp(words, categorical) == 0)
        return dcpn_cli_check(cli, dcpn_groups_of_categories(cli->context, data, groups));
    return dcpn_cli_check(cli, dcpn_groups_of_names(cli->context, data, words + strlen(prefix), groups));
}

static dcpn_status make_problem(const struct cli *cli, struct training *t)
{
    dcpn_status status = dcpn_problem_new(cli->context, t->data->matrix, t->data->labels, &t->problem);
    const double *weights = t->class_weighted ? t->class_weighted : t->weights;
    if (!status && weights) status = dcpn_problem_set_weights(t->problem, weights);
    if (!status && t->responses.count)
        status = dcpn_problem_set_responses(t->problem, t->responses.count, t->responses.Y);
    if (!status && t->offset) status = dcpn_problem_set_offsets(t->problem, t->offset_columns, t->offset);
    if (!status && (t->entry || t->strata)) status = dcpn_problem_set_survival(t->problem, t->entry, t->strata);
    if (!status) status = dcpn_problem_set_bounds(t->problem, t->lower.numbers, t->upper.numbers);
    if (!status && t->factors) status = dcpn_problem_set_penalty_factors(t->problem, t->factors);
    if (!status && t->groups)
        status = dcpn_problem_set_groups(t->problem, t->groups->count, t->groups->start, t->groups->member,
                                         t->groups->weights);
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

/* Says which class is the positive one, because a reader of the coefficients has to know for which class a positive
 * score speaks. */
static void say_which_is_positive(const struct cli *cli, const struct training_options *options,
                                  const struct training *training)
{
    const dcpn_dataset *data = training->data;
    if (cli->is_quiet || options->positive || data->are_ordered || data->label_count != 2) return;
    dcpn_cli_say(cli, "the positive class is %s, the other one %s; --positive says otherwise", data->label_names[1],
                 data->label_names[0]);
}

static int refuse_on_ranks(const struct cli *cli, const struct training_options *options)
{
    const struct rank_option refused[] = {
        {"unlabelled", options->unlabelled != NULL},
        {"time", options->survival.time != NULL},
        {"labels", options->reading.labels != NULL},
        {"positive", options->positive != NULL},
        {"order", options->order != NULL},
        {"categorical", options->reading.categorical != NULL},
        {"missing", options->reading.missing && strcmp(options->reading.missing, "refuse") != 0},
        {NULL, 0}};
    return dcpn_cli_ranks_refuse(cli, refused);
}

static int order_classes(const struct cli *cli, const char *list, const struct training *training)
{
    int64_t count;
    char **names = dcpn_cli_split(cli, list, &count);
    if (!names) return dcpn_status_exit_code(DCPN_MEMORY);
    int code =
        dcpn_cli_check(cli, dcpn_dataset_order_classes(training->data, (const char *const *)names, count));
    free(names);
    return code;
}

/* Reads what goes with the rows and columns. Each rank does so by itself. */
static int read_the_rest(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int code =
        options->positive ? dcpn_cli_check(cli, dcpn_dataset_set_positive(training->data, options->positive)) : 0;
    if (!code && options->order) code = order_classes(cli, options->order, training);
    if (!code) say_which_is_positive(cli, options, training);
    if (!code) code = read_numbers(cli, options, training);
    if (!code) code = parse_class_weights(cli, options->class_weight, training);
    if (!code) code = read_box(cli, options, training);
    return code ? code : dcpn_cli_read_groups(cli, options->groups, training->data, &training->groups);
}

/* Warns of data that the library cannot keep in memory between two passes. */
static void warn_of_far_data(const struct cli *cli, const struct training *training)
{
    size_t mapped = training->data->borrowed.mapped, limit = dcpn_context_memory_limit(cli->context);
    if (!limit) limit = dcpn_machine_memory();
    if (!limit || mapped <= limit) return;
    dcpn_cli_watch_far_data();
    if (!cli->is_quiet)
        dcpn_cli_say(cli,
                     "warning: %s: the data take %.3g MB and %.3g MB of memory are allowed (--max-memory): each pass "
                     "over the data, of which a fit makes some ten, reads them from the disk again",
                     cli->arguments[0], 1e-6 * (double)mapped, 1e-6 * (double)limit);
}

int dcpn_cli_training_read(const struct cli *cli, const struct training_options *options, struct training *training)
{
    int code = refuse_on_ranks(cli, options);
    if (!code) code = read_data(cli, options, training);
    if (!code) warn_of_far_data(cli, training);
    if (!code) code = dcpn_cli_ranks_place(cli, training->data->rows, &training->first_row, &training->all_rows);
    if (!code) code = dcpn_cli_ranks_agree(cli, read_the_rest(cli, options, training));
    if (!code) code = weigh_classes(cli, options, training);
    if (!code) code = dcpn_cli_check(cli, dcpn_ranks_agree(cli->context, make_problem(cli, training)));
    return code ? code : check_start(cli, options, training);
}

int dcpn_cli_training_set_start(const struct cli *cli, const struct training *training, dcpn_solver *solver)
{
    const dcpn_model *start = training->start;
    if (!start) return 0;
    int64_t features = training->data->features, scores = dcpn_solver_scores(solver);
    if (scores != start->scores)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--start: found a model of %lld score%s a row, expected %lld",
                             (long long)start->scores, dcpn_cli_plural(start->scores), (long long)scores);
    int64_t found = dcpn_intercept_count(start->scores, &start->labels), wanted = dcpn_solver_intercept_count(solver);
    if (found != wanted)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--start: found a model of %lld intercept%s, expected %lld",
                             (long long)found, dcpn_cli_plural(found), (long long)wanted);
    double *coefficients = dcpn_cli_allocate(cli, scores * features, sizeof *coefficients);
    if (!coefficients) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < start->nonzeros; i++)
        coefficients[start->index[i] / start->features * features + start->index[i] % start->features] =
            start->value[i];
    const double *intercepts = start->intercepts ? start->intercepts : &start->intercept;
    int code = dcpn_cli_check(cli, dcpn_solver_set_start_of_scores(solver, coefficients, intercepts));
    free(coefficients);
    return code;
}

void dcpn_cli_training_choose_classes(const struct cli *cli, const struct training_options *options,
                                      const struct training *training, int quiet, dcpn_settings *settings)
{
    const char *suitable = dcpn_loss_for_labels(training->data);
    if (training->responses.count && !dcpn_cli_is_given(cli, "loss")) settings->loss = "squared";
    if (options->survival.time && !dcpn_cli_is_given(cli, "loss")) settings->loss = "cox";
    if (training->responses.count || options->survival.time || options->preset || dcpn_cli_is_given(cli, "loss") ||
        !dcpn_loss_takes_many_classes(suitable))
        return;
    settings->loss = suitable;
    if (!quiet)
        dcpn_cli_say(cli, "labels are %s: --loss %s is taken; --loss says otherwise",
                     training->data->label_names ? "more than two classes"
                                                 : "more than two whole numbers, taken for classes",
                     suitable);
}

void dcpn_cli_training_choose_loss(const struct cli *cli, const struct training_options *options,
                                   const struct training *training, int quiet, dcpn_settings *settings)
{
    const dcpn_dataset *data = training->data;
    const char *suitable = dcpn_loss_for_labels(data);
    if (options->survival.time && !dcpn_cli_is_given(cli, "loss")) settings->loss = "cox";
    if (strcmp(settings->loss, "cox") == 0) {
        settings->intercept = 0; /* which changes nothing there */
        return;
    }
    dcpn_cli_training_choose_classes(cli, options, training, quiet, settings);
    if (training->responses.count) return;
    if (!options->preset && !dcpn_cli_is_given(cli, "loss") && strcmp(settings->loss, suitable) != 0) {
        settings->loss = suitable;
        if (!quiet) dcpn_cli_say(cli, "labels are measurements: --loss %s is taken; --loss says otherwise", suitable);
    }
    if (settings->intercept || data->label_names || dcpn_loss_wants_classes(settings->loss)) return;
    double mean = 0.0, square = 0.0;
    int64_t rows = data->rows;
    for (int64_t i = 0; i < rows; i++) mean += data->labels[i] / (double)rows;
    for (int64_t i = 0; i < rows; i++) square += (data->labels[i] - mean) * (data->labels[i] - mean) / (double)rows;
    if (mean * mean > square && !quiet)
        dcpn_cli_say(cli, "the labels have mean %.4g and the model has no constant: --intercept would add one", mean);
}

int dcpn_cli_training_name_model(const struct cli *cli, const struct training *training, dcpn_model *model)
{
    int code = dcpn_cli_check(cli, dcpn_model_set_names(model, training->data));
    const char *const *names = (const char *const *)training->responses.names;
    if (!code && names) code = dcpn_cli_check(cli, dcpn_model_set_responses(model, names));
    return code ? code : dcpn_cli_check(cli, dcpn_model_set_groups(model, training->groups));
}

int dcpn_cli_training_solver(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                             dcpn_solver **solver)
{
    int code = 0; /* on ranks the solver looks at the labels of all */
    if (!dcpn_cli_has_ranks(cli))
        code = dcpn_cli_check(cli, dcpn_labels_check(cli->context, training->data, settings->loss));
    if (!code) code = dcpn_cli_check(cli, dcpn_solver_new(cli->context, training->problem, settings, solver));
    return code ? code : dcpn_cli_training_set_start(cli, training, *solver);
}

dcpn_provenance dcpn_cli_training_provenance(const struct cli *cli, const struct training *training)
{
    const dcpn_dataset *data = training->data;
    return (dcpn_provenance){
        .file = cli->arguments[0],
        .command = cli->words,
        .words = dcpn_cli_word_count(cli),
        .index_base = data->index_base,
        .feature_names = (const char *const *)data->feature_names,
        .class_names = (const char *const *)(training->responses.count ? training->responses.names : data->label_names),
        .label_name = data->label_name,
        .fill = data->fill,
        .categories = data->categories,
        .category_count = data->category_count,
        .groups = training->groups,
        .read_s = training->read_s,
        .gaps = data->gaps,
    };
}

void dcpn_cli_training_free(const struct cli *cli, struct training *training)
{
    dcpn_problem_free(training->problem);
    dcpn_groups_free(training->groups);
    dcpn_free(cli->context, training->factors);
    dcpn_free(cli->context, training->offset);
    dcpn_free(cli->context, training->weights);
    free(training->class_weighted);
    free(training->entry);
    free(training->strata);
    dcpn_cli_responses_free(&training->responses);
    dcpn_cli_number_list_free(&training->class_weights);
    dcpn_cli_number_list_free(&training->lower);
    dcpn_cli_number_list_free(&training->upper);
    dcpn_dataset_free(training->data);
    dcpn_matrix_free(training->whole);
    dcpn_model_free(training->start);
}
