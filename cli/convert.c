/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn convert: data from one format to another. */
#include "distinct.h"
#include "reading.h"

#include <string.h>

struct convert_options {
    const char *output, *to;
    int64_t features, index_base, threads, shards;
    int float32, quiet;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct convert_options, FIELD)

static const struct cli_option options_of_convert[] = {
    DCPN_CLI_TEXT("output", 'o', "OUT", TO(output), NULL, "the same as a second argument"),
    DCPN_CLI_TEXT("to", 0, "NAME", TO(to), "by the name of OUT", "format of OUT; 'dcpn list' names them"),
    DCPN_CLI_READING_OPTIONS(TO),
    DCPN_CLI_WHOLE("features", "N", TO(features), "0", "largest in IN", 1, INT64_MAX, "number of features"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),
    DCPN_CLI_FLAG("float32", 0, TO(float32), "store values in single precision"),
    DCPN_CLI_WHOLE("shards", "N", TO(shards), "0", "one file", 1, 99999,
                   "parts of the rows, for ranks: OUT-1, OUT-2, ..."),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

static int settle_output(const struct cli *cli, struct convert_options *options)
{
    if (!options->output == (cli->argument_count < 2))
        return dcpn_cli_fail(cli, DCPN_USAGE, "found %s, expected one: dcpn convert %s OUT; its name tells the format",
                             options->output ? "two files to write" : "no file to write", cli->arguments[0]);
    if (!options->output) options->output = cli->arguments[1];
    return 0;
}

static int check_first(const struct cli *cli, const struct convert_options *options)
{
    const struct reading_options *reading = &options->reading;
    const char *inputs[] = {cli->arguments[0], reading->labels, reading->names};
    const struct cli_files files = {.reads = {inputs[0], inputs[1], inputs[2]}, .writes = {options->output}};
    int readers = 0;
    for (size_t i = 0; i < 3; i++) readers += inputs[i] && strcmp(inputs[i], "-") == 0;
    if (readers > 1) return dcpn_cli_fail(cli, DCPN_USAGE, "two inputs want standard input; only one can have it");
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_write_check(cli->context, options->output, options->to));
    return code ? code : dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
}

/* part.dcpn: part-1.dcpn, part-2.dcpn, ..., with as many digits as the last one has, so that names ascend. */
static void name_shard(const struct convert_options *options, int64_t k, char *name, size_t size)
{
    const char *output = options->output, *slash = strrchr(output, '/'), *file = slash ? slash + 1 : output;
    const char *ending = strchr(file, '.') ? strchr(file, '.') : file + strlen(file);
    int digits = snprintf(NULL, 0, "%lld", (long long)options->shards);
    snprintf(name, size, "%.*s-%0*lld%s", (int)(ending - output), output, digits, (long long)k + 1, ending);
}

/* Rows of dense data in whole blocks, which sums over them are made of. */
static int write_shards(const struct cli *cli, const struct convert_options *options, const dcpn_dataset *data)
{
    int64_t unit = dcpn_matrix_is_dense(data->matrix) ? 1024 : 1, units = (data->rows + unit - 1) / unit;
    char name[4096];
    int code = 0;
    if (strcmp(options->output, "-") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--shards: found standard output, expected the name of a file");
    if (options->shards > units)
        return dcpn_cli_fail(cli, DCPN_DATA, "--shards: found %lld for %lld rows%s, expected at most %lld",
                             (long long)options->shards, (long long)data->rows,
                             unit > 1 ? " of dense data, which are cut at multiples of 1024" : "", (long long)units);
    for (int64_t k = 0; k < options->shards && !code; k++) {
        int64_t first = units * k / options->shards * unit, end = units * (k + 1) / options->shards * unit;
        dcpn_dataset part = *data;
        if (end > data->rows) end = data->rows;
        code = dcpn_cli_check(cli, dcpn_matrix_some_rows(data->matrix, first, end - first, &part.matrix));
        if (code) return code;
        part.labels = data->labels + first;
        if (data->row_names) part.row_names = data->row_names + first;
        part.rows = end - first;
        name_shard(options, k, name, sizeof name);
        code = dcpn_cli_check(cli, dcpn_write(&part, name, options->to));
        dcpn_matrix_free(part.matrix);
    }
    return code;
}

static int work_through(const struct cli *cli, struct convert_options *options, dcpn_dataset **data)
{
    const dcpn_read_options how = {.features = options->features,
                                   .indexing = dcpn_cli_indexing(options->index_base),
                                   .value_type = options->float32 ? DCPN_FLOAT32 : DCPN_FLOAT64,
                                   .unlabelled = 1};
    int code = settle_output(cli, options);
    if (!code) code = check_first(cli, options);
    if (!code) code = dcpn_cli_read(cli, cli->arguments[0], &options->reading, how, data);
    if (!code && options->shards) return write_shards(cli, options, *data);
    return code ? code : dcpn_cli_check(cli, dcpn_write(*data, options->output, options->to));
}

static int convert(struct cli *cli, int argc, char **argv)
{
    struct convert_options options;
    dcpn_dataset *data = NULL;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    dcpn_context_set_threads(cli->context, (int)options.threads);
    code = work_through(cli, &options, &data);
    dcpn_dataset_free(data);
    return code;
}

const struct cli_command dcpn_cli_convert = {
    .name = "convert",
    .arguments = "IN OUT [OPTIONS]",
    .summary = "Writes data in another format",
    .details =
        "The name of OUT tells its format, or --to. - is standard input, or output with --to. If it ends in .gz, .zst "
        "or .xz it is compressed.",
    .examples = {"dcpn convert train.csv train.svm", "dcpn convert table.csv.gz data.svm --label-column outcome",
                 "zcat train.svm.gz | dcpn convert - - --to libsvm --index-base 0"},
    .options = options_of_convert,
    .fewest = 1,
    .most = 2,
    .run = convert,
};
