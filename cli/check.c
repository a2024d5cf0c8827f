/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn check: everything that is wrong with a data file. */
#include "json.h"
#include "reading.h"

struct check_options {
    int64_t features, index_base, limit, threads;
    int json, quiet;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct check_options, FIELD)

static const struct cli_option options_of_check[] = {
    DCPN_CLI_WHOLE("limit", "N", TO(limit), "20", NULL, 0, INT64_MAX, "problems that are shown"),
    DCPN_CLI_FLAG("json", 0, TO(json), "print one JSON object"),
    DCPN_CLI_READING_OPTIONS(TO),
    DCPN_CLI_WHOLE("features", "N", TO(features), "0", "any number", 1, INT64_MAX, "number of features"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing: the exit code tells"),
    DCPN_CLI_END,
};

struct printer {
    const struct check_options *options;
    int64_t printed;
};

static void print_finding(void *user, const char *sentence)
{
    struct printer *printer = user;
    if (printer->options->quiet) return;
    if (printer->options->json) {
        fputs(printer->printed ? "," : "{\"found\":[", stdout);
        dcpn_cli_json_text(stdout, sentence);
    } else {
        puts(sentence);
    }
    printer->printed++;
}

static void print_end(const struct check_options *options, const char *path, int64_t count, int64_t printed)
{
    if (options->quiet) return;
    if (options->json) {
        dcpn_cli_json_count_member(stdout, printed ? "]," : "{\"found\":[],", "problems", count);
        puts("}");
    } else if (count == 0) {
        printf("%s: nothing is wrong\n", path);
    } else if (count > printed) {
        printf("... and %lld more; --limit shows them\n", (long long)(count - printed));
    }
}

static int check(struct cli *cli, int argc, char **argv)
{
    struct check_options options;
    struct printer printer = {.options = &options};
    int64_t count;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    dcpn_context_set_threads(cli->context, (int)options.threads);
    const dcpn_read_options how =
        dcpn_cli_read_options(&options.reading, (dcpn_read_options){.features = options.features,
                                                                    .indexing = dcpn_cli_indexing(options.index_base),
                                                                    .unlabelled = 1,
                                                                    .table.label_optional = 1});
    dcpn_status status =
        dcpn_check(cli->context, cli->arguments[0], &how, options.limit, print_finding, &printer, &count);
    if (status != DCPN_OK) return dcpn_cli_check(cli, status);
    print_end(&options, cli->arguments[0], count, printer.printed);
    return count ? dcpn_status_exit_code(DCPN_DATA) : 0;
}

const struct cli_command dcpn_cli_check_file = {
    .name = "check",
    .arguments = "FILE [OPTIONS]",
    .summary = "Finds everything that is wrong with a data file",
    .details = "Prints one problem a line, with its place, and exits with 4 if there are any. "
               "Of each column of a table at most three texts among its numbers are shown.",
    .examples = {"dcpn check train.svm", "dcpn check train.csv --limit 1000",
                 "dcpn check data.svm --format libsvm --index-base 1 --quiet && echo fine"},
    .options = options_of_check,
    .fewest = 1,
    .most = 1,
    .run = check,
};
