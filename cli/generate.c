/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn generate: the paper's synthetic problems. */
#include "command.h"
#include "distinct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct generate_options {
    const char *train, *test, *truth, *groups, *to;
    int64_t features, relevant, rows, unlabelled, test_rows, entries, size, seed;
    int quiet;
};

#define TO(FIELD) offsetof(struct generate_options, FIELD)

static const struct cli_option options_of_generate[] = {
    DCPN_CLI_TEXT("output", 'o', "TRAIN", TO(train), "standard output", "the training rows"),
    DCPN_CLI_TEXT("test-output", 0, "TEST", TO(test), NULL, "the test rows"),
    DCPN_CLI_TEXT("to", 0, "NAME", TO(to), "by the name of the file", "format of the rows; 'dcpn list' names them"),
    DCPN_CLI_TEXT("truth", 0, "FILE", TO(truth), NULL, "the numbers of the relevant features"),
    DCPN_CLI_WHOLE("features", "D", TO(features), "100", NULL, 1, INT64_MAX, "features in all"),
    DCPN_CLI_WHOLE("relevant", "T", TO(relevant), "10", NULL, 1, INT64_MAX, "relevant ones"),
    DCPN_CLI_WHOLE("rows", "N", TO(rows), "200", NULL, 1, INT64_MAX, "training rows"),
    DCPN_CLI_WHOLE("unlabelled", "U", TO(unlabelled), "0", NULL, 0, INT64_MAX, "more training rows, without a label"),
    DCPN_CLI_WHOLE("test-rows", "M", TO(test_rows), "0", NULL, 0, INT64_MAX, "test rows"),
    DCPN_CLI_WHOLE("words", "W", TO(entries), "100", NULL, 1, INT64_MAX, "text: of a row"),
    DCPN_CLI_WHOLE("group-size", "K", TO(size), "5", NULL, 1, INT64_MAX, "groups: features of each"),
    DCPN_CLI_TEXT("groups-output", 0, "FILE", TO(groups), NULL, "groups: the file for --groups"),
    DCPN_CLI_WHOLE("seed", "S", TO(seed), "1", NULL, 0, INT64_MAX, "the same seed, the same bytes"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

static int is_kind(const struct cli *cli, const char *kind)
{
    return strcmp(cli->arguments[0], kind) == 0;
}

/* Warns of options that belong to another kind of data, which nothing reads. */
static void warn_of_strays(const struct cli *cli)
{
    static const struct {
        const char *option, *kind;
    } owned[] = {{"words", "text"}, {"group-size", "groups"}, {"groups-output", "groups"}};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++)
        if (dcpn_cli_is_given(cli, owned[k].option) && !is_kind(cli, owned[k].kind))
            dcpn_cli_say(cli, "warning: --%s: found with %s, which has none; leave it out or generate %s",
                         owned[k].option, cli->arguments[0], owned[k].kind);
}

/* The format of the rows that go to `path`. */
static const char *format_of(const struct generate_options *options, const char *path)
{
    return !options->to && strcmp(path, "-") == 0 ? "libsvm" : options->to;
}

static int check_output(const struct cli *cli, const char *path, const char *format)
{
    int code = dcpn_cli_check(cli, dcpn_write_check(cli->context, path, format));
    return code ? code : dcpn_cli_check(cli, dcpn_output_try(cli->context, path));
}

static int check_options(const struct cli *cli, const struct generate_options *options)
{
    if (!is_kind(cli, "toy") && !is_kind(cli, "text") && !is_kind(cli, "groups"))
        return dcpn_cli_fail(cli, DCPN_USAGE, "found '%s', expected toy, text or groups", cli->arguments[0]);
    if (options->unlabelled > INT64_MAX - options->rows)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--unlabelled: found %lld, which is too many",
                             (long long)options->unlabelled);
    if (options->test_rows > 0 && !options->test)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--test-rows needs --test-output, the file for them");
    if (options->test_rows == 0 && options->test)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--test-output needs --test-rows, the number of them");
    if (!options->quiet) warn_of_strays(cli);
    const struct cli_files files = {.writes = {options->train, options->test, options->truth, options->groups}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = check_output(cli, options->train, format_of(options, options->train));
    if (!code && options->test) code = check_output(cli, options->test, format_of(options, options->test));
    if (!code && options->truth) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->truth));
    if (!code && options->groups) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->groups));
    return code;
}

/* Features are numbered from 1, as in the files. */
static int write_truth(const struct cli *cli, const struct generate_options *options, const unsigned char *truth)
{
    double *numbers = dcpn_cli_allocate(cli, options->features, sizeof *numbers);
    int64_t count = 0;
    if (!numbers) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t j = 0; j < options->features; j++)
        if (truth[j]) numbers[count++] = (double)(j + 1);
    int code = dcpn_cli_check(cli, dcpn_write_numbers(cli->context, options->truth, numbers, count));
    free(numbers);
    return code;
}

enum { GROUP_LINE = 48 /* bytes of two numbers */ };

static int write_groups(const struct cli *cli, const struct generate_options *options)
{
    int64_t lines = options->features + 1;
    char *text = dcpn_cli_allocate(cli, lines, GROUP_LINE), *end = text;
    if (!text) return dcpn_status_exit_code(DCPN_MEMORY);
    end += sprintf(end, "feature,group\n");
    for (int64_t j = 0; j < options->features; j++)
        end += snprintf(end, GROUP_LINE, "%lld,%lld\n", (long long)j + 1, (long long)(j / options->size) + 1);
    int code = dcpn_cli_write_text(cli, options->groups, text, (size_t)(end - text));
    free(text);
    return code;
}

static dcpn_status draw(const struct cli *cli, const struct generate_options *options, unsigned char *truth,
                        dcpn_dataset **train, dcpn_dataset **test)
{
    const dcpn_toy toy = {.features = options->features,
                          .relevant = options->relevant,
                          .rows = options->rows + options->unlabelled,
                          .test_rows = options->test_rows,
                          .seed = (uint64_t)options->seed};
    const dcpn_text text = {.features = options->features,
                            .relevant = options->relevant,
                            .rows = options->rows + options->unlabelled,
                            .test_rows = options->test_rows,
                            .entries = options->entries,
                            .seed = (uint64_t)options->seed};
    const dcpn_grouped groups = {.features = options->features,
                                 .size = options->size,
                                 .relevant = options->relevant,
                                 .rows = options->rows + options->unlabelled,
                                 .test_rows = options->test_rows,
                                 .seed = (uint64_t)options->seed};
    if (is_kind(cli, "groups")) return dcpn_generate_groups(cli->context, &groups, train, test, truth);
    return is_kind(cli, "toy") ? dcpn_generate_toy(cli->context, &toy, train, test, truth)
                               : dcpn_generate_text(cli->context, &text, train, test, truth);
}

static int generate_rows(const struct cli *cli, const struct generate_options *options, unsigned char *truth)
{
    dcpn_dataset *train = NULL, *test = NULL;
    int code = dcpn_cli_check(cli, draw(cli, options, truth, &train, &test));
    for (int64_t i = options->rows; !code && i < train->rows; i++) train->labels[i] = (double)NAN;
    if (!code) code = dcpn_cli_check(cli, dcpn_write(train, options->train, format_of(options, options->train)));
    if (!code && test) code = dcpn_cli_check(cli, dcpn_write(test, options->test, format_of(options, options->test)));
    if (!code && truth) code = write_truth(cli, options, truth);
    if (!code && options->groups && is_kind(cli, "groups")) code = write_groups(cli, options);
    dcpn_dataset_free(test);
    dcpn_dataset_free(train);
    return code;
}

static int generate(struct cli *cli, int argc, char **argv)
{
    struct generate_options options;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    if (!options.train) options.train = "-";
    code = check_options(cli, &options);
    if (code) return code;
    unsigned char *truth = options.truth ? dcpn_cli_allocate(cli, options.features, 1) : NULL;
    if (options.truth && !truth) return dcpn_status_exit_code(DCPN_MEMORY);
    code = generate_rows(cli, &options, truth);
    free(truth);
    return code;
}

const struct cli_command dcpn_cli_generate = {
    .name = "generate",
    .arguments = "toy|text|groups [-o TRAIN] [OPTIONS]",
    .summary = "Generates the paper's toy problem, one of the shape of text, or groups, seeded",
    .details = "toy: two Gaussian classes that differ in T relevant features; the other D - T are noise.\n"
               "text: sparse rows of W words, T of which belong to a class.\n"
               "groups: a regression on D features in groups of K, T of which matter.",
    .examples = {"dcpn generate toy -o train.svm --test-rows 1000 --test-output test.svm",
                 "dcpn generate text --rows 50 --unlabelled 2000 --features 5000 -o train.svm",
                 "dcpn generate groups --features 500 -o train.svm --groups-output groups.csv"},
    .options = options_of_generate,
    .words = "toy text groups",
    .fewest = 1,
    .most = 1,
    .run = generate,
};
