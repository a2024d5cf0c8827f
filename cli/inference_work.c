/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share that say how sure one may be of features. */
#include "inference_work.h"

#include "coefficients.h"
#include "json.h"
#include "meant_settings.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_NAME_COLUMNS = 48 };

/* Only these settings mean something here. */
static const char *const meant[] = {"loss",  "penalty",    "theta", "a",          "gamma",       "p",        "eps",
                                    "delta", "quantile",   "tau",   "smoothing",  "shape-units", "ridge",    "scale",
                                    "ties",  "dispersion", "tol",   "max-iter",   "max-time",    "algorithm", "global",
                                    NULL};

int dcpn_cli_inference_parse(struct cli *cli, int argc, char **argv, void *target, struct inference_options *options)
{
    int code = dcpn_cli_parse(cli, argc, argv, target, &options->settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options->quiet, 0);
    dcpn_context_set_threads(cli->context, (int)options->training.threads);
    return code;
}

int dcpn_cli_inference_check(const struct cli *cli, const struct inference_options *options,
                             const struct cli_files *besides)
{
    struct cli_files files = *besides;
    int code = dcpn_cli_refuse_others(cli, meant,
                                      "has no meaning here; what can be chosen is the loss, the penalty and its shape, "
                                      "a ridge, and when to stop");
    dcpn_cli_training_add_files(cli, &options->training, &files);
    dcpn_cli_add_file(files.writes, options->output);
    if (!code && options->json && dcpn_cli_is_standard_stream(options->output))
        code = dcpn_cli_fail(cli, DCPN_USAGE, "-o - and --json are the same; leave one of them out");
    if (!code) code = dcpn_cli_training_check_streams(cli, &options->training, NULL);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    for (const char **file = files.writes; *file && !code; file++)
        code = dcpn_cli_check(cli, dcpn_output_try(cli->context, *file));
    return code;
}

int dcpn_cli_inference_read(const struct cli *cli, struct inference_options *options, struct inference_work *work)
{
    int code = dcpn_cli_watch_open(cli, &work->watch, NULL, options->quiet);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &work->training);
    if (!code)
        dcpn_cli_training_choose_loss(cli, &options->training, &work->training, options->quiet, &options->settings);
    if (!code)
        code = dcpn_cli_check(cli, dcpn_labels_check(cli->context, work->training.data, options->settings.loss));
    return code;
}

void dcpn_cli_inference_free(const struct cli *cli, struct inference_work *work)
{
    dcpn_cli_training_free(cli, &work->training);
}

static int write_json(const struct cli *cli, const char *path, inference_print *json, const void *of)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int is_whole = stream != NULL;
    if (stream) {
        json(stream, of);
        is_whole = !ferror(stream);
        is_whole &= fclose(stream) == 0;
    }
    int code = is_whole ? dcpn_cli_write_text(cli, path, text, length)
                        : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

int dcpn_cli_inference_deliver(const struct cli *cli, const struct inference_options *options, inference_print *json,
                               inference_print *table, const void *of)
{
    int code = options->output ? write_json(cli, options->output, json, of) : 0;
    if (!code && options->json) code = write_json(cli, "-", json, of);
    if (!code && !options->json && !options->quiet)
        table(dcpn_cli_is_standard_stream(options->output) ? stderr : stdout, of);
    return code;
}

/* ---- features ---- */

/* The name of a feature; NULL: it has none. */
static const char *name_of(const struct training *training, int64_t feature)
{
    return training->data->feature_names ? training->data->feature_names[feature] : NULL;
}

int dcpn_cli_feature_columns(const struct training *training, const int64_t *features, int64_t count)
{
    int columns = 4;
    if (!training->data->feature_names) return 0;
    for (int64_t k = 0; k < count; k++) {
        size_t length = strlen(training->data->feature_names[features[k]]);
        if (length > (size_t)columns) columns = length < MOST_NAME_COLUMNS ? (int)length : MOST_NAME_COLUMNS;
    }
    return columns;
}

void dcpn_cli_print_feature(FILE *stream, const struct training *training, int64_t feature, int columns)
{
    if (columns) {
        int used = dcpn_cli_print_name(stream, name_of(training, feature), columns);
        fprintf(stream, "%*s  ", columns > used ? columns - used : 0, "");
    }
    fprintf(stream, "%*lld", columns ? 9 : 11, (long long)(feature + training->data->index_base));
}

void dcpn_cli_print_feature_json(FILE *stream, const struct training *training, int64_t feature)
{
    dcpn_cli_json_count_member(stream, "{", "feature", feature + training->data->index_base);
    const char *name = name_of(training, feature);
    if (name) dcpn_cli_json_text_member(stream, ",", "name", name);
}
