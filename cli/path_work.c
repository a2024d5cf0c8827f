/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands that follow paths share. */
#include "path_work.h"
#include "ranks.h"

#include "report.h"
#include "shape.h"
#include "unread.h"

#include <stdlib.h>
#include <string.h>

/* "l1,mcp" as a list of names. */
static int cut_names(const struct cli *cli, const char *text, struct path_work *work)
{
    int64_t most = 1, count = 0;
    for (const char *c = text; *c; c++) most += *c == ',';
    work->names = dcpn_cli_allocate(cli, (int64_t)strlen(text) + 1, 1);
    work->penalties = dcpn_cli_allocate(cli, most, sizeof *work->penalties);
    if (!work->names || !work->penalties) return dcpn_status_exit_code(DCPN_MEMORY);
    strcpy(work->names, text);
    for (char *name = work->names; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        work->penalties[count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    work->options.penalties = work->penalties;
    work->options.penalty_count = count;
    return 0;
}

int dcpn_cli_path_parse(struct cli *cli, int argc, char **argv, void *target, struct path_options *options)
{
    int code = dcpn_cli_parse(cli, argc, argv, target, &options->settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options->quiet, options->verbose);
    dcpn_context_set_threads(cli->context, (int)options->training.threads);
    return code;
}

static int check_unread(const struct cli *cli, const struct path_options *options, const struct path_work *work)
{
    const char *const *penalties = work->options.penalty_count ? work->penalties : &options->settings.penalty;
    int64_t count = work->options.penalty_count ? work->options.penalty_count : 1;
    int code = options->shapes ? dcpn_cli_refuse_shapes(cli, penalties, count) : 0;
    if (code) return code;
    dcpn_cli_warn_of_unread(cli, &options->settings, penalties, count);
    dcpn_cli_warn_of_method(cli, &options->settings);
    if (options->shapes) dcpn_cli_warn_beside_shapes(cli, penalties, count);
    if (options->lambdas) dcpn_cli_warn_beside(cli, "nlambda", "--lambdas", "says them all");
    if (options->lambdas) dcpn_cli_warn_beside(cli, "lambda-min-ratio", "--lambdas", "says them all");
    if (dcpn_cli_is_given(cli, "lambdas"))
        dcpn_cli_warn_beside(cli, "lambda", "--lambdas", "is the same, and the last of them counts");
    return 0;
}

static int take_words(const struct cli *cli, struct path_options *options, struct path_work *work)
{
    dcpn_path_options *o = &work->options;
    dcpn_settings *settings = &options->settings;
    int code = options->penalties ? cut_names(cli, options->penalties, work) : 0;
    for (int64_t k = 0; !code && k < o->penalty_count; k++)
        code = dcpn_cli_set(cli, settings, "penalty", work->penalties[k]);
    if (!code && o->penalty_count) settings->penalty = work->penalties[0];
    if (!code) code = dcpn_cli_number_list(cli, "lambdas", options->lambdas, &work->lambdas);
    if (!code) code = dcpn_cli_number_list(cli, "shapes", options->shapes, &work->shapes);
    if (!code) code = check_unread(cli, options, work);
    if (!code) code = dcpn_cli_number(cli, "lambda-min-ratio", options->min_ratio, 1e-12, 0.999999, &o->min_ratio);
    if (!code) code = dcpn_cli_number(cli, "saturation", options->saturation, 1e-6, 1.0, &o->saturation);
    o->lambdas = work->lambdas.numbers;
    o->lambda_count = work->lambdas.numbers ? work->lambdas.count : options->nlambda;
    o->values = work->shapes.numbers;
    o->value_count = work->shapes.count;
    o->convexity_limit = options->convexity_limit ? options->convexity_limit : -1;
    o->checkpoint = options->checkpoint.file;
    o->checkpoint_every_s = (double)options->checkpoint.every_s;
    o->observer = dcpn_cli_watch_path;
    o->user = &work->watch;
    return code;
}

int dcpn_cli_path_check(const struct cli *cli, struct path_options *options, const struct cli_files *besides,
                        const char *more, struct path_work *work)
{
    const struct training_options *in = &options->training;
    struct cli_files files = *besides;
    int code = take_words(cli, options, work);
    dcpn_cli_training_add_files(cli, in, &files);
    dcpn_cli_add_file(files.reads, options->lambdas);
    dcpn_cli_add_file(files.reads, options->shapes);
    dcpn_cli_add_file(files.writes, options->output);
    dcpn_cli_add_file(files.writes, options->report);
    dcpn_cli_add_file(files.writes, options->checkpoint.file);
    if (!code) code = dcpn_cli_checkpoint_check(cli, &options->checkpoint, options->quiet);
    if (!code) code = dcpn_cli_training_check_streams(cli, in, more);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    for (const char **file = files.writes; *file && !code && dcpn_context_rank(cli->context) == 0; file++)
        code = dcpn_cli_check(cli, dcpn_output_try(cli->context, *file));
    return code;
}

int dcpn_cli_path_read(const struct cli *cli, struct path_options *options, struct path_work *work)
{
    int code = dcpn_cli_watch_open(cli, &work->watch, NULL, options->quiet);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &work->training);
    int has_ranks = dcpn_cli_has_ranks(cli), is_told = dcpn_cli_is_given(cli, "loss") || options->training.preset;
    if (!code && has_ranks && !is_told)
        code = dcpn_cli_fail(cli, DCPN_USAGE,
                             "--loss: found none, expected one on several ranks: none of them sees all labels");
    if (!code && !has_ranks)
        dcpn_cli_training_choose_loss(cli, &options->training, &work->training, options->quiet, &options->settings);
    if (!code && !has_ranks)
        code = dcpn_cli_check(cli, dcpn_labels_check(cli->context, work->training.data, options->settings.loss));
    if (!code) dcpn_cli_warn_of_labelled(cli, &options->settings, work->training.data);
    if (!code) work->options.resume = dcpn_cli_checkpoint_resumed(cli, &options->checkpoint, options->quiet);
    if (!code) work->provenance = dcpn_cli_training_provenance(cli, &work->training);
    return code;
}

int dcpn_cli_path_report(const struct cli *cli, const struct path_options *options, const struct path_work *work,
                         const dcpn_paths *paths, const dcpn_cv *cv)
{
    struct results results;
    if (!options->report) return 0;
    dcpn_cli_results_of_paths(cli, paths, cv, &work->provenance, &results);
    return dcpn_cli_report_page(&results, NULL, options->report);
}

void dcpn_cli_path_work_free(const struct cli *cli, struct path_work *work)
{
    dcpn_cli_training_free(cli, &work->training);
    dcpn_cli_number_list_free(&work->lambdas);
    dcpn_cli_number_list_free(&work->shapes);
    free(work->names);
    free(work->penalties);
}

int64_t dcpn_cli_path_unconverged(const dcpn_paths *paths)
{
    int64_t count = 0;
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++)
            count += !dcpn_has_converged(paths->paths[v].points[k].fit.outcome);
    return count;
}

void dcpn_cli_path_warn_of_memory(const struct cli *cli, const dcpn_paths *paths)
{
    if (paths->count && paths->paths[0].count) dcpn_cli_warn_of_memory(cli, paths->paths[0].points[0].fit.metric);
}

void dcpn_cli_path_print_title(FILE *stream, const dcpn_path *path)
{
    if (path->kind == DCPN_PATH_BY_SIZE) {
        fputs("refitted, the best of each number of features", stream);
        if (path->varying) fprintf(stream, ", %s %.4g", path->varying, path->value);
        return;
    }
    fprintf(stream, "%s", path->settings.penalty);
    dcpn_cli_print_shape_of_path(stream, path);
    if (path->kind == DCPN_PATH_LOCAL) fputs(", descent", stream);
    if (path->kind == DCPN_PATH_SEARCHED) fputs(", search", stream);
}

void dcpn_cli_path_print_file(FILE *stream, const char *what, const char *file)
{
    if (file && !dcpn_cli_is_standard_stream(file)) fprintf(stream, "%-13s %s\n", what, file);
}
