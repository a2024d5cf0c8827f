/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn coef: the coefficients of a model, as a table, as CSV, as JSON or as a model of LIBLINEAR. */
#include "choice.h"
#include "coefficients.h"
#include "distinct.h"
#include "group_lines.h"
#include "label_text.h"
#include "reading.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 30 };

struct coef_options {
    const char *output, *format, *sort, *by;
    struct choice_options choice;
    int64_t top;
    int all, quiet;
};

#define TO(FIELD) offsetof(struct coef_options, FIELD)
#define TO_CHOICE(FIELD) offsetof(struct coef_options, choice.FIELD)

static const struct cli_option options_of_coef[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), "standard output", "where to write"),
    DCPN_CLI_WORD("format", "FORMAT", TO(format), "table", "table|csv|json|liblinear", "what to write"),
    DCPN_CLI_WORD("sort", "ORDER", TO(sort), "size", "size|value|feature|name", "size: the largest |value| first"),
    DCPN_CLI_WORD("by", "WHAT", TO(by), "feature", "feature|group",
                  "a line for each feature, or for each group of them"),
    DCPN_CLI_WHOLE("top", "N", TO(top), "0", "all", 1, INT64_MAX, "only the first N"),
    DCPN_CLI_FLAG("all", 0, TO(all), "also the coefficients that are 0"),
    DCPN_CLI_CHOICE_OPTIONS(TO_CHOICE, "of a path: the model at this lambda; l1: interpolated"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

struct coef_work {
    dcpn_results *results;
    dcpn_model *model;
    struct coefficients table;
    struct group_lines groups;
};

static int check_first(const struct cli *cli, const struct coef_options *options)
{
    const struct cli_files files = {.reads = {cli->arguments[0]}, .writes = {options->output}};
    if (strcmp(options->format, "liblinear") == 0 && (options->all || options->top || strcmp(options->sort, "size")))
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "a model of LIBLINEAR has all features in their order: leave --all, --top and --sort out");
    if (strcmp(options->by, "group") == 0 && (options->all || strcmp(options->format, "liblinear") == 0))
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--by group: it lists the groups in use, as table, csv or json; leave %s out",
                             options->all ? "--all" : "--format liblinear");
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    return code;
}

static int read_model(const struct cli *cli, const struct coef_options *options, struct coef_work *work)
{
    dcpn_selection which;
    int code = dcpn_cli_choice_words(cli, &options->choice, &which);
    if (!code) code = dcpn_cli_check(cli, dcpn_results_read(cli->context, cli->arguments[0], &work->results));
    if (!code) code = dcpn_cli_check(cli, dcpn_results_model(work->results, &which, &work->model));
    return code;
}

/* "above 0 speaks for b, the positive class, below 0 for a" */
static void print_classes(FILE *stream, const dcpn_model *model)
{
    int are_two = model->labels.count == 2 && !dcpn_cli_are_several(model->scores, &model->labels);
    for (int k = 1; are_two && k >= 0; k--) {
        char text[40];
        fputs(k ? "above 0 speaks for " : ", the positive class, below 0 for ", stream);
        dcpn_cli_print_name(stream, dcpn_cli_label_text(model->labels.names, model->labels.numbers[k], text),
                            NAME_COLUMNS);
    }
    if (are_two) fputc('\n', stream);
}

static void print_table(FILE *stream, const struct coefficients *table)
{
    print_classes(stream, table->model);
    dcpn_cli_coefficients_print(stream, table);
}

static int write_text(const struct cli *cli, const struct coef_options *options, const struct coef_work *work)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int is_whole = stream != NULL;
    if (stream) {
        if (strcmp(options->by, "group") == 0)
            dcpn_cli_group_lines_print(stream, &work->groups, options->format);
        else if (strcmp(options->format, "csv") == 0)
            dcpn_cli_coefficients_print_csv(stream, &work->table);
        else if (strcmp(options->format, "json") == 0)
            dcpn_cli_coefficients_print_json(stream, &work->table);
        else
            print_table(stream, &work->table);
        is_whole = !ferror(stream);
        is_whole &= fclose(stream) == 0;
    }
    int code = is_whole ? dcpn_cli_write_text(cli, options->output ? options->output : "-", text, length)
                        : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

static int deliver_groups(const struct cli *cli, const struct coef_options *options, struct coef_work *work)
{
    const dcpn_model *model = work->model;
    const struct group_source from = {.groups = model->groups,
                                      .names = work->results->provenance.feature_names,
                                      .index = model->index,
                                      .value = model->value,
                                      .count = model->nonzeros,
                                      .index_base = model->index_base,
                                      .names_in_use = (const char *const *)model->table.names};
    if (!model->groups)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--by group: %s was fitted without groups; fit it with --groups",
                             cli->arguments[0]);
    if (model->scores > 1)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--by group: the model has %lld scores a row, expected one; leave it out",
                             (long long)model->scores);
    int code = dcpn_cli_group_lines_gather(cli, &from, &work->groups);
    if (code) return code;
    dcpn_cli_group_lines_sort(&work->groups, options->sort);
    if (options->top && options->top < work->groups.count) work->groups.count = options->top;
    return write_text(cli, options, work);
}

static int deliver(const struct cli *cli, const struct coef_options *options, struct coef_work *work)
{
    if (strcmp(options->format, "liblinear") == 0)
        return dcpn_cli_check(cli, dcpn_model_write_liblinear(work->model, options->output ? options->output : "-"));
    const char *const *names = work->results->provenance.feature_names;
    if (strcmp(options->by, "group") == 0) return deliver_groups(cli, options, work);
    int code = dcpn_cli_coefficients_gather(cli, names, work->model, options->all, &work->table);
    if (code) return code;
    dcpn_cli_coefficients_sort(&work->table, options->sort);
    if (options->top && options->top < work->table.count) work->table.count = options->top;
    return write_text(cli, options, work);
}

static int coef(struct cli *cli, int argc, char **argv)
{
    struct coef_options options;
    struct coef_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    code = check_first(cli, &options);
    if (!code) code = read_model(cli, &options, &work);
    if (!code) code = deliver(cli, &options, &work);
    dcpn_cli_coefficients_free(&work.table);
    dcpn_cli_group_lines_free(&work.groups);
    dcpn_model_free(work.model);
    dcpn_results_free(work.results);
    return code;
}

const struct cli_command dcpn_cli_coef = {
    .name = "coef",
    .arguments = "FILE [OPTIONS]",
    .summary = "Prints the coefficients of a model",
    .details = "FILE is what fit, path or cv wrote, or a model of LIBLINEAR. Features have the names of the data, or "
               "their numbers.",
    .examples = {"dcpn coef model.json --top 20", "dcpn coef cv.json --rule min --format csv -o coefficients.csv",
                 "dcpn coef model.json --format liblinear -o liblinear.model"},
    .options = options_of_coef,
    .fewest = 1,
    .most = 1,
    .run = coef,
};
