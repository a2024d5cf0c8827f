/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn path: fits down a grid of lambdas. */
#include "path_work.h"
#include "plural.h"
#include "ranks.h"
#include "results.h"

#include <math.h>

#define TO(FIELD) offsetof(struct path_options, FIELD)
#define TO_TRAINING(FIELD) offsetof(struct path_options, training.FIELD)
#define TO_CHECKPOINT(FIELD) offsetof(struct path_options, checkpoint.FIELD)

static const struct cli_option options_of_path[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL, "where to write the paths; - is standard output"),
    DCPN_CLI_REPORT_OPTION(TO),
    DCPN_CLI_PATH_OPTIONS(TO, TO_TRAINING, TO_CHECKPOINT, "capped-l1"),
    DCPN_CLI_END,
};

static const char *convex_word(const dcpn_path_point *point)
{
    return point->is_locally_convex < 0 ? "?" : point->is_locally_convex ? "yes" : "no";
}

/* "12.34%", no "-0.00%"; "-" where a constant explains all there is. */
static const char *explained_word(const dcpn_paths *paths, const dcpn_path_point *point, char text[32])
{
    double share = 100.0 * dcpn_cli_explained(paths, point);
    if (!isfinite(share)) return "-";
    snprintf(text, 32, "%.2f%%", fabs(share) < 0.005 ? 0.0 : share);
    return text;
}

static void print_table(FILE *stream, const dcpn_paths *paths, const dcpn_path *path)
{
    dcpn_cli_path_print_title(stream, path);
    fprintf(stream, ": lambda_max %.6g\n", path->lambda_max);
    fprintf(stream, "%14s %9s %11s %16s %7s %7s  %s\n", "lambda", "features", "explained", "objective", "convex",
            "passes", "outcome");
    for (int64_t k = 0; k < path->count; k++) {
        const dcpn_path_point *point = &path->points[k];
        char explained[32];
        fprintf(stream, "%14.6g %9lld %11s %16.9g %7s %7.1f  %s\n", point->lambda,
                (long long)dcpn_paths_count_features(paths, path - paths->paths, k),
                explained_word(paths, point, explained), point->fit.objective, convex_word(point), point->fit.passes,
                dcpn_outcome_name(point->fit.outcome));
    }
    if (path->end == DCPN_PATH_SATURATED)
        fprintf(stream, "ended early: the deviance is explained or does not fall any more (--saturation 1 goes on)\n");
    fputc('\n', stream);
}

static void print_summary(const struct cli *cli, FILE *stream, const struct path_options *options,
                          const dcpn_paths *paths)
{
    double passes = 0.0;
    int64_t points = 0;
    for (int64_t v = 0; v < paths->count; v++) {
        print_table(stream, paths, &paths->paths[v]);
        points += paths->paths[v].count;
        for (int64_t k = 0; k < paths->paths[v].count; k++) passes += paths->paths[v].points[k].fit.passes;
    }
    fprintf(stream, "work          %lld fit%s, %.2f passes over the data for each, %.3g s\n", (long long)points,
            dcpn_cli_plural(points), points ? passes / (double)points : 0.0, paths->time_s);
    dcpn_cli_ranks_print(cli, stream);
    dcpn_cli_path_print_file(stream, "paths", options->output);
    dcpn_cli_path_print_file(stream, "report", options->report);
}

static int deliver(const struct cli *cli, const struct path_options *options, const struct path_work *work,
                   const dcpn_paths *paths)
{
    int code = 0;
    if (options->output) code = dcpn_cli_check(cli, dcpn_paths_write(paths, &work->provenance, options->output));
    if (!code) code = dcpn_cli_path_report(cli, options, work, paths, NULL);
    int is_taken = dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->report);
    if (!code && !options->quiet) print_summary(cli, is_taken ? stderr : stdout, options, paths);
    return code;
}

static int has_ended_early(const dcpn_paths *paths)
{
    for (int64_t v = 0; v < paths->count; v++)
        if (paths->paths[v].end == DCPN_PATH_INTERRUPTED) return 1;
    return 0;
}

static void say_of_early_end(const struct cli *cli, const struct path_options *options, const dcpn_paths *paths)
{
    int64_t done = 0;
    if (!has_ended_early(paths) || options->quiet) return;
    for (int64_t v = 0; v < paths->count; v++) done += paths->paths[v].count;
    dcpn_cli_say(cli, "%s after %lld fit%s: the paths end there%s",
                 dcpn_cli_watch_is_stopped() ? "interrupted" : "--max-time was over", (long long)done,
                 dcpn_cli_plural(done), dcpn_cli_checkpoint_advice(&options->checkpoint));
}

static int judge(const struct cli *cli, const struct path_options *options, const dcpn_paths *paths)
{
    say_of_early_end(cli, options, paths);
    int64_t unconverged = dcpn_cli_path_unconverged(paths);
    if (unconverged && !options->quiet)
        dcpn_cli_say(cli, "%lld fit%s did not converge; the table says which", (long long)unconverged,
                     dcpn_cli_plural(unconverged));
    if (dcpn_cli_watch_is_stopped()) return DCPN_CLI_INTERRUPTED;
    return unconverged && options->strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

static int work_through(const struct cli *cli, struct path_options *options, struct path_work *work)
{
    const struct cli_files nothing_else = {0};
    dcpn_paths *paths = NULL;
    int code = dcpn_cli_ranks_agree(cli, dcpn_cli_path_check(cli, options, &nothing_else, NULL, work));
    if (!code) code = dcpn_cli_path_read(cli, options, work);
    work->watch.remaining.ahead.lambdas = work->options.lambda_count;
    if (!code) dcpn_cli_watch_signals();
    if (!code)
        code = dcpn_cli_check(
            cli, dcpn_paths_fit(cli->context, work->training.problem, &options->settings, &work->options, &paths));
    dcpn_cli_watch_end();
    int watch_code = dcpn_cli_watch_close(cli, &work->watch);
    if (!code && dcpn_context_rank(cli->context) == 0) code = deliver(cli, options, work, paths);
    if (!code) dcpn_cli_path_warn_of_memory(cli, paths);
    if (!code) code = judge(cli, options, paths);
    dcpn_paths_free(paths);
    return code ? code : watch_code;
}

static int path(struct cli *cli, int argc, char **argv)
{
    struct path_options options = {0};
    struct path_work work = {0};
    int code = dcpn_cli_path_parse(cli, argc, argv, &options, &options);
    if (code != DCPN_CLI_GO_ON) return code;
    code = work_through(cli, &options, &work);
    dcpn_cli_path_work_free(cli, &work);
    return code;
}

const struct cli_command dcpn_cli_path = {
    .name = "path",
    .arguments = "DATA [-o FILE] [OPTIONS]",
    .summary = "Fits models down a grid of lambdas",
    .details = "From the lambda at which no feature is kept down to a share of it, each fit from the one before. "
               "'predict' takes the file with --lambda.",
    .examples = {"dcpn path train.svm -o path.json --penalty mcp --loss squared",
                 "dcpn path train.svm -o path.json --no-intercept --no-standardize --scale sum",
                 "dcpn path train.svm --penalty capped-l1 --shapes 5,1,0.2 --nlambda 50"},
    .options = options_of_path,
    .fewest = 1,
    .most = 1,
    .may_have_ranks = 1,
    .takes_settings = 1,
    .settings = dcpn_settings_for_paths,
    .settings_note = DCPN_CLI_PATH_NOTE,
    .is_like_fit = 1,
    .run = path,
};
