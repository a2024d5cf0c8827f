/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn path: fits down a grid of lambdas. */
#include "path_work.h"
#include "distinct.h"
#include "report.h"
#include "watch.h"

#include <string.h>

struct path_options {
    const char *output, *report;
    struct training_options training;
    struct path_words path;
    int strict, quiet, verbose;
    dcpn_settings settings;
};

#define TO(FIELD) offsetof(struct path_options, FIELD)
#define TO_TRAINING(FIELD) offsetof(struct path_options, training.FIELD)
#define TO_PATH(FIELD) offsetof(struct path_options, path.FIELD)

static const struct cli_option options_of_path[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL, "where to write the paths; - is standard output"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page with tables and figures"),
    DCPN_CLI_PATH_OPTIONS(TO_PATH),
    DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if a fit did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more"),
    DCPN_CLI_END,
};

struct path_run {
    struct watch watch;
    struct training training;
    struct path_work work;
    dcpn_paths *paths;
};

/* All that can be refused before the data are read. */
static int check_first(const struct cli *cli, struct path_options *options, struct path_run *run)
{
    const struct training_options *in = &options->training;
    const struct cli_files files = {.reads = {cli->arguments[0], in->weights, in->offset, in->penalty_factor},
                                    .writes = {options->output, options->report}};
    int code = dcpn_cli_path_words(cli, &options->path, &options->settings, &run->work);
    if (!code) code = dcpn_cli_training_check_streams(cli, in, NULL);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->report) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->report));
    return code;
}

static int fit_paths(const struct cli *cli, const struct path_options *options, struct path_run *run)
{
    run->work.options.observer = dcpn_cli_watch_path;
    run->work.options.user = &run->watch;
    dcpn_cli_watch_signals();
    return dcpn_cli_check(
        cli, dcpn_paths_fit(cli->context, run->training.problem, &options->settings, &run->work.options, &run->paths));
}

static const char *convex_word(const dcpn_path_point *point)
{
    return point->is_locally_convex < 0 ? "?" : point->is_locally_convex ? "yes" : "no";
}

static void print_table(FILE *stream, const dcpn_paths *paths, const dcpn_path *path)
{
    dcpn_cli_path_print_title(stream, path);
    fprintf(stream, ": lambda_max %.6g\n", path->lambda_max);
    fprintf(stream, "%14s %9s %11s %16s %7s %7s  %s\n", "lambda", "features", "explained", "objective", "convex",
            "passes", "outcome");
    for (int64_t k = 0; k < path->count; k++) {
        const dcpn_path_point *point = &path->points[k];
        fprintf(stream, "%14.6g %9lld %10.2f%% %16.9g %7s %7.1f  %s\n", point->lambda, (long long)point->fit.nonzeros,
                100.0 * (1.0 - point->deviance / paths->null_deviance), point->fit.objective, convex_word(point),
                point->fit.passes, dcpn_outcome_name(point->fit.outcome));
    }
    if (path->end == DCPN_PATH_SATURATED)
        fprintf(stream, "ended early: the deviance is explained or does not fall any more (--saturation 1 goes on)\n");
    fputc('\n', stream);
}

static void print_summary(FILE *stream, const struct path_options *options, const dcpn_paths *paths)
{
    double passes = 0.0;
    int64_t points = 0;
    for (int64_t v = 0; v < paths->count; v++) {
        print_table(stream, paths, &paths->paths[v]);
        points += paths->paths[v].count;
        for (int64_t k = 0; k < paths->paths[v].count; k++) passes += paths->paths[v].points[k].fit.passes;
    }
    fprintf(stream, "work          %lld fits, %.2f passes over the data for each, %.3g s\n", (long long)points,
            points ? passes / (double)points : 0.0, paths->time_s);
    if (options->output && !dcpn_cli_is_standard_stream(options->output))
        fprintf(stream, "paths         %s\n", options->output);
    if (options->report) fprintf(stream, "report        %s\n", options->report);
}

static int write_report(const struct cli *cli, const struct path_options *options, const struct path_run *run)
{
    char *json = NULL;
    if (!options->report) return 0;
    int code = dcpn_cli_check(cli, dcpn_paths_json(run->paths, &run->work.provenance, &json));
    if (!code) code = dcpn_cli_report_text(cli, cli->arguments[0], json, strlen(json), options->report);
    dcpn_free(cli->context, json);
    return code;
}

static int deliver(const struct cli *cli, const struct path_options *options, const struct path_run *run)
{
    int code = 0;
    if (options->output)
        code = dcpn_cli_check(cli, dcpn_paths_write(run->paths, &run->work.provenance, options->output));
    if (!code) code = write_report(cli, options, run);
    int is_taken = dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->report);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, run->paths);
    return code;
}

static int judge(const struct cli *cli, const struct path_options *options, const dcpn_paths *paths)
{
    int64_t unconverged = dcpn_cli_path_unconverged(paths);
    if (unconverged && !options->quiet)
        dcpn_cli_say(cli, "%lld fits did not converge; the table says which", (long long)unconverged);
    if (dcpn_cli_watch_is_stopped()) return DCPN_CLI_INTERRUPTED;
    return unconverged && options->strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

static int work_through(const struct cli *cli, struct path_options *options, struct path_run *run)
{
    int code = check_first(cli, options, run);
    if (!code) code = dcpn_cli_watch_open(cli, &run->watch, NULL, options->quiet);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &run->training);
    if (!code) code = dcpn_cli_training_check_classes(cli, &run->training, &options->settings);
    if (!code) dcpn_cli_path_provenance(cli, &run->training, &run->work);
    if (!code) code = fit_paths(cli, options, run);
    int watch_code = dcpn_cli_watch_close(cli, &run->watch);
    if (!code) code = deliver(cli, options, run);
    if (!code) code = judge(cli, options, run->paths);
    return code ? code : watch_code;
}

static int path(struct cli *cli, int argc, char **argv)
{
    struct path_options options = {0};
    struct path_run run = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, options.verbose);
    dcpn_context_set_threads(cli->context, (int)options.training.threads);
    code = work_through(cli, &options, &run);
    dcpn_paths_free(run.paths);
    dcpn_cli_path_work_free(&run.work);
    dcpn_cli_training_free(cli, &run.training);
    return code;
}

const struct cli_command dcpn_cli_path = {
    .name = "path",
    .arguments = "DATA [-o FILE] [OPTIONS]",
    .summary = "Fits models down a grid of lambdas",
    .details = "From the lambda at which no feature is kept down to a share of it, each fit from the one before. "
               "'predict' takes the file with --lambda.",
    .examples = {"dcpn path train.svm -o path.json --penalty mcp --loss squared --intercept",
                 "dcpn path train.svm -o path.json --penalty l1,mcp --scale mean --standardize",
                 "dcpn path train.svm --penalty capped-l1 --shapes 5,1,0.2 --nlambda 50"},
    .options = options_of_path,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings_note = "The other options and settings of 'dcpn fit' work here too: see 'dcpn fit --help-all'.",
    .is_like_fit = 1,
    .run = path,
};
