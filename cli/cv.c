/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn cv: which penalty, which lambda, how many features. */
#include "path_work.h"
#include "distinct.h"
#include "report.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cv_options {
    const char *output, *model, *report, *folds, *measure, *rule, *share, *threshold;
    int64_t seed, stability;
    struct training_options training;
    struct path_words path;
    int unstratified, strict, quiet, verbose;
    dcpn_settings settings;
};

#define TO(FIELD) offsetof(struct cv_options, FIELD)
#define TO_TRAINING(FIELD) offsetof(struct cv_options, training.FIELD)
#define TO_PATH(FIELD) offsetof(struct cv_options, path.FIELD)

static const struct cli_option options_of_cv[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL, "where to write all of it; - is standard output"),
    DCPN_CLI_TEXT("model", 0, "MODEL", TO(model), NULL, "where to write the chosen model"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page with tables and figures"),
    DCPN_CLI_TEXT("folds", 0, "N|FILE", TO(folds), "10", "how many, or a file with a number per row"),
    DCPN_CLI_WHOLE("seed", "N", TO(seed), "0", NULL, 0, INT64_MAX, "of the folds and the subsamples"),
    DCPN_CLI_FLAG("unstratified", 0, TO(unstratified), "draw folds without regard to the classes"),
    DCPN_CLI_WORD("measure", "NAME", TO(measure), "deviance", "deviance|error|auc|mse|mae", "what chooses"),
    DCPN_CLI_WORD("rule", "RULE", TO(rule), "1se", "min|1se",
                  "the best mean, or the fewest features within a standard error of it"),
    DCPN_CLI_WHOLE("stability", "N", TO(stability), "0", "none", 2, 100000,
                   "how often is each feature selected on N subsamples?"),
    DCPN_CLI_TEXT("stability-share", 0, "X", TO(share), "0.5", "of the rows in a subsample"),
    DCPN_CLI_TEXT("stability-threshold", 0, "X", TO(threshold), "0.75", "share of the subsamples that counts"),
    DCPN_CLI_PATH_OPTIONS(TO_PATH),
    DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if a fit did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more"),
    DCPN_CLI_END,
};

struct cv_work {
    struct watch watch;
    struct training training;
    struct path_work work;
    dcpn_cv_options options;
    int64_t *fold_of;
    const char *folds_file; /* NULL: drawn */
    dcpn_cv *cv;
};

/* ---- folds ---- */

/* A whole number is a count; anything else a file. */
static int is_count(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0' && *text;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The folds of a file may have any numbers as names; in ascending order they become 0, 1, ... */
static int number_folds(const struct cli *cli, const double *names, int64_t rows, struct cv_work *work)
{
    double *sorted = dcpn_cli_allocate(cli, rows, sizeof *sorted);
    work->fold_of = dcpn_cli_allocate(cli, rows, sizeof *work->fold_of);
    if (!sorted || !work->fold_of) {
        free(sorted);
        return dcpn_status_exit_code(DCPN_MEMORY);
    }
    memcpy(sorted, names, (size_t)rows * sizeof *sorted);
    qsort(sorted, (size_t)rows, sizeof *sorted, ascending);
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        if (i == 0 || sorted[i] > sorted[i - 1]) sorted[count++] = sorted[i];
    for (int64_t i = 0; i < rows; i++) {
        const double *found = bsearch(&names[i], sorted, (size_t)count, sizeof *sorted, ascending);
        work->fold_of[i] = found - sorted;
    }
    free(sorted);
    work->options.fold_of = work->fold_of;
    work->options.folds = count;
    if (count >= 2 && count <= 1000) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld different folds, expected 2 to 1000", work->folds_file,
                         (long long)count);
}

static int read_folds(const struct cli *cli, struct cv_work *work)
{
    int64_t rows = work->training.data->rows;
    double *names = NULL;
    if (!work->folds_file) return 0;
    int code = dcpn_cli_read_numbers(cli, work->folds_file, rows, "row", &names);
    if (!code) code = number_folds(cli, names, rows, work);
    dcpn_free(cli->context, names);
    return code;
}

/* ---- checks ---- */

static int take_words(const struct cli *cli, struct cv_options *options, struct cv_work *work)
{
    dcpn_cv_options *o = &work->options;
    const char *folds = options->folds ? options->folds : "10";
    double count = 0.0;
    int code = dcpn_cli_path_words(cli, &options->path, &options->settings, &work->work);
    if (!code && is_count(folds)) code = dcpn_cli_number(cli, "folds", folds, 2, 1000, &count);
    if (!code) code = dcpn_cli_number(cli, "stability-share", options->share, 0.01, 0.99, &o->share);
    if (!code) code = dcpn_cli_number(cli, "stability-threshold", options->threshold, 0.01, 1.0, &o->threshold);
    if (!is_count(folds)) work->folds_file = folds;
    o->path = work->work.options;
    o->path.observer = dcpn_cli_watch_path;
    o->path.user = &work->watch;
    o->folds = (int64_t)count;
    o->seed = (uint64_t)options->seed;
    o->is_unstratified = options->unstratified;
    o->measure = options->measure;
    o->rule = options->rule;
    o->subsamples = options->stability;
    return code;
}

static int check_first(const struct cli *cli, struct cv_options *options, struct cv_work *work)
{
    const struct training_options *in = &options->training;
    int code = take_words(cli, options, work);
    const struct cli_files files = {
        .reads = {cli->arguments[0], in->weights, in->offset, in->penalty_factor, work->folds_file},
        .writes = {options->output, options->model, options->report}};
    if (!code && dcpn_cli_is_standard_stream(options->output) && dcpn_cli_is_standard_stream(options->model))
        return dcpn_cli_fail(cli, DCPN_USAGE, "-o and --model both want standard output; give one of them a file");
    if (!code) code = dcpn_cli_training_check_streams(cli, in, work->folds_file);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->model) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->model));
    if (!code && options->report) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->report));
    return code;
}

/* ---- results ---- */

static void print_point(FILE *stream, const dcpn_cv *cv, const char *rule, int64_t path, int64_t point)
{
    const dcpn_path_point *at = &cv->paths->paths[path].points[point];
    int64_t k = (cv->first[path] + point) * DCPN_MEASURES;
    fprintf(stream, "  %-4s %12.6g %9lld", rule, at->lambda, (long long)at->fit.nonzeros);
    for (int m = 0; m < cv->measure_count; m++) fprintf(stream, "  %10.6g +- %-9.3g", cv->mean[k + m], cv->se[k + m]);
    fputc('\n', stream);
}

static void print_paths(FILE *stream, const dcpn_cv *cv)
{
    fprintf(stream, "  %-4s %12s %9s", "rule", "lambda", "features");
    for (int m = 0; m < cv->measure_count; m++) fprintf(stream, "  %10s    %-9s", cv->measures[m], "");
    fputc('\n', stream);
    for (int64_t v = 0; v < cv->paths->count; v++) {
        dcpn_cli_path_print_title(stream, &cv->paths->paths[v]);
        fprintf(stream, ", %lld lambdas\n", (long long)cv->paths->paths[v].count);
        if (cv->best[v] < 0) continue;
        print_point(stream, cv, "min", v, cv->best[v]);
        print_point(stream, cv, "1se", v, cv->one_se[v]);
    }
}

static const dcpn_cv_choice *choice_of(const dcpn_cv *cv)
{
    return cv->is_1se ? &cv->sparse : &cv->min;
}

static void print_choice(FILE *stream, const dcpn_cv *cv)
{
    const dcpn_cv_choice *choice = choice_of(cv);
    const dcpn_path *path = &cv->paths->paths[choice->path];
    fprintf(stream, "chosen        ");
    dcpn_cli_path_print_title(stream, path);
    fprintf(stream, ", lambda %.6g, %lld features, %s %.6g +- %.3g (%lld folds, rule %s)\n",
            path->points[choice->point].lambda, (long long)path->points[choice->point].fit.nonzeros,
            cv->measures[cv->measure], choice->mean, choice->se, (long long)cv->folds, cv->is_1se ? "1se" : "min");
}

static void print_stability(FILE *stream, const dcpn_cv *cv)
{
    const dcpn_stability *s = cv->stability;
    int64_t stable = 0;
    if (!s) return;
    for (int64_t k = 0; k < s->count; k++) stable += s->frequency[k] >= s->threshold;
    fprintf(stream, "stable        %lld features in %.3g%% of %lld subsamples", (long long)stable, 100.0 * s->threshold,
            (long long)s->subsamples);
    if (!isnan(s->bound)) fprintf(stream, " (at most %.3g wrong ones expected)", s->bound);
    fputc('\n', stream);
}

static int64_t unconverged_in_folds(const dcpn_cv *cv)
{
    int64_t count = 0;
    for (int64_t k = 0; k < cv->first[cv->paths->count] * cv->folds; k++)
        count += cv->outcome[k] != DCPN_CONVERGED && cv->outcome[k] != DCPN_RELATIVE_CHANGE;
    return count;
}

static void print_summary(FILE *stream, const struct cv_options *options, const dcpn_cv *cv)
{
    print_paths(stream, cv);
    fputc('\n', stream);
    print_choice(stream, cv);
    print_stability(stream, cv);
    fprintf(stream, "work          %.3g s\n", cv->time_s);
    if (options->output && !dcpn_cli_is_standard_stream(options->output))
        fprintf(stream, "results       %s\n", options->output);
    if (options->model && !dcpn_cli_is_standard_stream(options->model))
        fprintf(stream, "model         %s\n", options->model);
    if (options->report) fprintf(stream, "report        %s\n", options->report);
}

static int write_model(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    const dcpn_cv_choice *choice = choice_of(work->cv);
    dcpn_model *model = NULL;
    if (!options->model) return 0;
    int code = dcpn_cli_check(
        cli, dcpn_paths_model(work->cv->paths, choice->path, choice->point, work->training.data->index_base, &model));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_set_names(model, work->training.data));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_set_command(model, cli->words, cli->word_count));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_write(model, options->model));
    dcpn_model_free(model);
    return code;
}

static int write_report(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    char *json = NULL;
    if (!options->report) return 0;
    int code = dcpn_cli_check(cli, dcpn_cv_json(work->cv, &work->work.provenance, work->folds_file, &json));
    if (!code) code = dcpn_cli_report_text(cli, cli->arguments[0], json, strlen(json), options->report);
    dcpn_free(cli->context, json);
    return code;
}

static int deliver(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    const dcpn_cv *cv = work->cv;
    if (!cv->is_complete) {
        int is_stopped = dcpn_cli_watch_is_stopped();
        dcpn_cli_say(cli, is_stopped
                              ? "interrupted: nothing was chosen, and nothing is written"
                              : "--max-time was over before all folds were done: nothing was chosen, and nothing "
                                "is written; allow more time, or ask for fewer --folds, --nlambda or penalties");
        return is_stopped ? DCPN_CLI_INTERRUPTED : DCPN_CLI_NOT_CONVERGED;
    }
    if (choice_of(cv)->path < 0)
        return dcpn_cli_fail(cli, DCPN_DATA, "%s is not defined on any fold; use another --measure or fewer folds",
                             cv->measures[cv->measure]);
    int code = write_model(cli, options, work);
    if (!code && options->output)
        code = dcpn_cli_check(cli, dcpn_cv_write(cv, &work->work.provenance, work->folds_file, options->output));
    if (!code) code = write_report(cli, options, work);
    int is_taken = dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->model) ||
                   dcpn_cli_is_standard_stream(options->report);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, cv);
    return code;
}

static int judge(const struct cli *cli, const struct cv_options *options, const dcpn_cv *cv)
{
    int64_t whole = dcpn_cli_path_unconverged(cv->paths), folds = unconverged_in_folds(cv);
    int64_t sampled = cv->stability ? cv->stability->unconverged : 0;
    if (whole + folds + sampled == 0) return 0;
    if (!options->quiet)
        dcpn_cli_say(cli,
                     "fits that did not converge: %lld on all the data, %lld in the folds, %lld on subsamples; the "
                     "file says which",
                     (long long)whole, (long long)folds, (long long)sampled);
    return options->strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

static int work_through(const struct cli *cli, struct cv_options *options, struct cv_work *work)
{
    int code = check_first(cli, options, work);
    if (!code) code = dcpn_cli_watch_open(cli, &work->watch, NULL, options->quiet);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &work->training);
    if (!code) dcpn_cli_training_choose_loss(cli, &work->training, options->quiet, &options->settings);
    if (!code) code = dcpn_cli_training_check_classes(cli, &work->training, &options->settings);
    if (!code) code = read_folds(cli, work);
    if (!code) dcpn_cli_path_provenance(cli, &work->training, &work->work);
    if (!code) dcpn_cli_watch_signals();
    if (!code)
        code = dcpn_cli_check(
            cli, dcpn_cv_run(cli->context, work->training.problem, &options->settings, &work->options, &work->cv));
    int watch_code = dcpn_cli_watch_close(cli, &work->watch);
    if (!code) code = deliver(cli, options, work);
    if (!code) code = judge(cli, options, work->cv);
    return code ? code : watch_code;
}

static int cv(struct cli *cli, int argc, char **argv)
{
    struct cv_options options = {0};
    struct cv_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, options.verbose);
    dcpn_context_set_threads(cli->context, (int)options.training.threads);
    code = work_through(cli, &options, &work);
    dcpn_cv_free(work.cv);
    free(work.fold_of);
    dcpn_cli_path_work_free(&work.work);
    dcpn_cli_training_free(cli, &work.training);
    return code;
}

const struct cli_command dcpn_cli_cv = {
    .name = "cv",
    .arguments = "DATA [-o FILE] [--model MODEL] [OPTIONS]",
    .summary = "Chooses penalty and lambda by cross-validation",
    .details = "Fits the paths to all the data and without each fold in turn, and measures on the rows left out.",
    .examples = {"dcpn cv train.svm --model model.json --penalty l1,mcp,scad --threads 0",
                 "dcpn cv train.svm -o cv.json --penalty mcp --loss squared --folds folds.txt",
                 "dcpn cv train.svm -o cv.json --penalty l1 --measure auc --stability 100"},
    .options = options_of_cv,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings_note = "The other options and settings of 'dcpn fit' work here too: see 'dcpn fit --help-all'.",
    .is_like_fit = 1,
    .run = cv,
};
