/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn fit: one model from one file. */
#include "checkpoint.h"
#include "training.h"
#include "distinct.h"
#include "plural.h"
#include "ranks.h"
#include "report.h"
#include "selection.h"
#include "shape.h"
#include "unread.h"
#include "watch.h"

#include <math.h>
#include <string.h>

struct fit_options {
    const char *output, *trace, *report;
    struct checkpoint_options checkpoint;
    struct training_options training;
    struct selection_words selection;
    int json, strict, quiet, verbose;
    dcpn_settings settings;
};

#define TO(FIELD) offsetof(struct fit_options, FIELD)
#define TO_TRAINING(FIELD) offsetof(struct fit_options, training.FIELD)
#define TO_CHECKPOINT(FIELD) offsetof(struct fit_options, checkpoint.FIELD)
#define TO_SELECTION(FIELD) offsetof(struct fit_options, selection.FIELD)

static const struct cli_option options_of_fit[] = {
    DCPN_CLI_TEXT("output", 'o', "MODEL", TO(output), NULL, "where to write the model; - is standard output"),
    DCPN_CLI_FLAG("json", 0, TO(json), "print the result as one JSON object"),
    DCPN_CLI_TEXT("trace", 0, "FILE", TO(trace), NULL, "one JSON object per iteration, as they come"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page with tables and figures"),
    DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING),
    DCPN_CLI_SELECTION_OPTIONS(TO_SELECTION),
    DCPN_CLI_CHECKPOINT_OPTIONS(TO_CHECKPOINT, "the state of the run"),
    DCPN_CLI_START_OPTION(TO_TRAINING),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if the run did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more"),
    DCPN_CLI_END,
};

struct fit_work {
    struct watch watch;
    struct training training;
    struct trace record; /* for the report */
    struct selection_work selection;
    dcpn_settings settings; /* those given, with what was selected */
    dcpn_solver *solver;
    dcpn_model *model;
};

static int check_streams(const struct cli *cli, const struct fit_options *options)
{
    int writers = dcpn_cli_is_standard_stream(options->output) + dcpn_cli_is_standard_stream(options->trace) +
                  dcpn_cli_is_standard_stream(options->report);
    if (writers + options->json > 1)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "two of -o, --trace, --report and --json want standard output; give the others a file");
    int code = dcpn_cli_checkpoint_check(cli, &options->checkpoint, options->quiet);
    return code ? code : dcpn_cli_training_check_streams(cli, &options->training, NULL);
}

static void warn_of_unread(const struct cli *cli, const struct fit_options *options)
{
    const char *shape = dcpn_cli_shape_of(options->settings.penalty);
    int is_varied = shape && (options->selection.shapes || strcmp(shape, "theta") == 0);
    dcpn_cli_warn_of_unread(cli, &options->settings, &options->settings.penalty, 1);
    dcpn_cli_warn_of_method(cli, &options->settings);
    if (options->selection.select) dcpn_cli_warn_beside(cli, "lambda", "--select", "chooses it");
    if (options->selection.select && is_varied) dcpn_cli_warn_beside(cli, shape, "--select", "chooses it");
}

/* A lambda that nobody chose is a guess. With rows without a label it is that of the paper's experiments. */
static void say_of_lambda(const struct cli *cli, const struct fit_options *options, const struct fit_work *work)
{
    const dcpn_dataset *data = work->training.data;
    if (options->quiet || options->json || options->selection.select || options->training.preset ||
        dcpn_cli_is_given(cli, "lambda"))
        return;
    for (int64_t i = 0; i < data->rows; i++)
        if (isnan(data->labels[i])) return;
    dcpn_cli_say(cli, "--lambda %g is a guess: 'dcpn cv DATA --model MODEL' chooses one by cross-validation",
                 options->settings.lambda);
}

static int refuse_on_ranks(const struct cli *cli, const struct fit_options *options)
{
    const struct rank_option refused[] = {
        {"trace", options->trace != NULL}, {"select", options->selection.select != 0}, {NULL, 0}};
    return dcpn_cli_ranks_refuse(cli, refused);
}

/* Refuses all that can be refused before the data are read. */
static int check_first(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    struct cli_files files = {.writes = {options->output, options->trace, options->report, options->checkpoint.file}};
    const char *lists[] = {options->selection.lambdas, options->selection.shapes, options->selection.weights};
    int code = check_streams(cli, options), writes = dcpn_context_rank(cli->context) == 0;
    if (!code) code = refuse_on_ranks(cli, options);
    dcpn_cli_training_add_files(cli, &options->training, &files);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) dcpn_cli_add_file(files.reads, lists[k]);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code) code = dcpn_cli_check(cli, dcpn_settings_check(cli->context, &options->settings));
    if (!code) warn_of_unread(cli, options);
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    if (!code) code = dcpn_cli_selection_words(cli, &options->selection, &work->selection);
    if (!code && options->output && writes) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->report && writes) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->report));
    if (!code && options->checkpoint.file && writes)
        code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->checkpoint.file));
    return code ? code : dcpn_cli_training_read_start(cli, &options->training, &work->training);
}

static int set_checkpoint(const struct cli *cli, const struct fit_options *options, const struct fit_work *work)
{
    const struct checkpoint_options *o = &options->checkpoint;
    const char *resumed = dcpn_cli_checkpoint_resumed(cli, o, options->quiet);
    int code = resumed ? dcpn_cli_check(cli, dcpn_solver_resume(work->solver, resumed)) : 0;
    if (code || !o->file) return code;
    return dcpn_cli_check(cli, dcpn_solver_set_checkpoint(work->solver, o->file, (double)o->every_s));
}

static int run_solver(const struct cli *cli, struct fit_work *work)
{
    dcpn_solver_set_observer(work->solver, dcpn_cli_watch_observe, &work->watch);
    dcpn_cli_watch_signals();
    int code = dcpn_cli_watch_run(cli, work->solver);
    dcpn_cli_watch_end();
    if (!code) code = dcpn_cli_check(cli, dcpn_model_new(work->solver, work->training.data->index_base, &work->model));
    if (!code) code = dcpn_cli_training_name_model(cli, &work->training, work->model);
    if (!code) work->model->making.read_s = work->training.read_s;
    if (!code) code = dcpn_cli_check(cli, dcpn_model_set_command(work->model, cli->words, dcpn_cli_word_count(cli)));
    return code;
}

static void print_summary(const struct cli *cli, FILE *stream, const struct fit_options *options,
                          const struct fit_work *work)
{
    const dcpn_model *model = work->model;
    const dcpn_result *fit = &model->fit;
    if (work->selection.selection) dcpn_cli_selection_print(stream, work->selection.selection);
    fprintf(stream, "objective     %.10g  (loss %.6g + penalty %.6g)\n", fit->objective, fit->loss_value,
            fit->penalty_value);
    if (model->shape_unit > 0.0) {
        fputs("shape         ", stream);
        dcpn_cli_print_shape(stream, &model->settings, model->shape_unit);
        fputc('\n', stream);
    }
    fprintf(stream, "features      %lld of %lld kept", (long long)dcpn_model_count_features(model),
            (long long)model->features);
    if (model->scores > 1)
        fprintf(stream, ", %lld coefficients of %lld %s", (long long)fit->nonzeros, (long long)model->scores,
                model->labels.are_responses ? "responses" : "classes");
    fprintf(stream, ", numbered from %d\n", model->index_base);
    fprintf(stream, "stationarity  %.3g  (goal %.3g)\n", fit->stationarity, fit->stationarity_goal);
    fprintf(stream, "outcome       %s: %s\n", dcpn_outcome_name(fit->outcome), dcpn_outcome_meaning(fit->outcome));
    if (fit->escape > 0)
        fprintf(stream,
                "escape        a move of one coefficient alone, of %lld, would lower F: --global path+drop may\n",
                (long long)fit->escape);
    if (fit->untried > 0)
        fprintf(stream,
                "search        %lld start%s or moves beyond its budget: a larger --search-budget may end lower\n",
                (long long)fit->untried, dcpn_cli_plural(fit->untried));
    fprintf(stream, "method        %s, metric %s, subsolver %s\n", fit->algorithm, fit->metric, fit->subsolver);
    fprintf(stream, "work          %lld iteration%s, %.1f passes over the data, %.3g s (reading %.3g s)\n",
            (long long)fit->iterations, dcpn_cli_plural(fit->iterations), fit->passes, fit->time_s,
            model->making.read_s);
    dcpn_cli_ranks_print(cli, stream);
    if (options->output && !dcpn_cli_is_standard_stream(options->output))
        fprintf(stream, "model         %s\n", options->output);
    if (options->report) fprintf(stream, "report        %s\n", options->report);
}

static int print_json(const struct cli *cli, const dcpn_model *model)
{
    char *text = NULL;
    int code = dcpn_cli_check(cli, dcpn_model_fit_json(model, &text));
    if (!code) puts(text);
    dcpn_free(cli->context, text);
    return code;
}

static int write_report(const struct cli *cli, const struct fit_options *options, const struct fit_work *work)
{
    struct results results;
    if (!options->report) return 0;
    const dcpn_provenance from = dcpn_cli_training_provenance(cli, &work->training);
    dcpn_cli_results_of_model(cli, work->model, work->training.data, &from, &results);
    return dcpn_cli_report_page(&results, &work->record, options->report);
}

static int deliver(const struct cli *cli, const struct fit_options *options, const struct fit_work *work)
{
    int code = options->output ? dcpn_cli_check(cli, dcpn_model_write(work->model, options->output)) : 0;
    if (!code) code = write_report(cli, options, work);
    if (code) return code;
    if (options->json && !options->quiet && work->selection.selection)
        dcpn_cli_selection_print(stderr, work->selection.selection);
    if (options->json) return print_json(cli, work->model);
    int stdout_is_taken = dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->trace) ||
                          dcpn_cli_is_standard_stream(options->report);
    if (!options->quiet) print_summary(cli, stdout_is_taken ? stderr : stdout, options, work);
    return 0;
}

static const char *advice(const struct fit_options *options, const dcpn_result *fit)
{
    dcpn_outcome outcome = fit->outcome;
    int counts_problems = strcmp(fit->algorithm, "dca") == 0 || strcmp(fit->algorithm, "multi-stage") == 0;
    if (outcome == DCPN_INTERRUPTED) return dcpn_cli_checkpoint_advice(&options->checkpoint);
    if (outcome == DCPN_MAX_ITERATIONS) return counts_problems ? "; raise --dc-max" : "; raise --max-iter";
    if (outcome == DCPN_MAX_TIME) return "; raise --max-time";
    return "";
}

/* The exit code that the outcome stands for; a run that did not converge says so. */
static int judge(const struct cli *cli, const struct fit_options *options, const dcpn_result *fit)
{
    if (dcpn_has_converged(fit->outcome)) return 0;
    if (!options->quiet)
        dcpn_cli_say(cli, "not converged: %s; stationarity %.3g, goal %.3g%s",
                     fit->outcome == DCPN_INTERRUPTED ? "interrupted" : dcpn_outcome_meaning(fit->outcome),
                     fit->stationarity, fit->stationarity_goal, advice(options, fit));
    if (fit->outcome == DCPN_INTERRUPTED) return DCPN_CLI_INTERRUPTED;
    return options->strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

/* Replaces lambda, the shape of the penalty and the weight of unlabelled rows by those selected. */
static int select_settings(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    work->settings = options->settings;
    dcpn_cli_training_choose_classes(cli, &options->training, &work->training, options->quiet, &work->settings);
    if (!options->selection.select) return 0;
    int code = dcpn_cli_check(cli, dcpn_labels_check(cli->context, work->training.data, work->settings.loss));
    if (!code) code = dcpn_cli_selection_run(cli, &work->training, &work->settings, &work->watch, &work->selection);
    if (!code) work->settings = work->selection.selection->settings;
    if (!code && options->verbose) dcpn_cli_selection_print_all(stderr, work->selection.selection);
    return code;
}

static int work_through(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    int code = dcpn_cli_ranks_agree(cli, check_first(cli, options, work));
    if (!code) code = dcpn_cli_watch_open(cli, &work->watch, options->trace, options->quiet);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &work->training);
    if (!code) say_of_lambda(cli, options, work);
    if (!code) dcpn_cli_warn_of_labelled(cli, &options->settings, work->training.data);
    if (!code) code = select_settings(cli, options, work);
    if (!code) code = dcpn_cli_training_solver(cli, &work->training, &work->settings, &work->solver);
    if (!code) code = set_checkpoint(cli, options, work);
    if (!code) code = run_solver(cli, work);
    int trace_code = dcpn_cli_watch_close(cli, &work->watch);
    if (!code && dcpn_context_rank(cli->context) == 0) code = deliver(cli, options, work);
    if (!code) dcpn_cli_warn_of_memory(cli, work->model->fit.metric);
    if (!code) code = judge(cli, options, &work->model->fit);
    return code ? code : trace_code;
}

static void release(const struct cli *cli, struct fit_work *work)
{
    dcpn_cli_trace_free(&work->record);
    dcpn_cli_selection_free(&work->selection);
    dcpn_model_free(work->model);
    dcpn_solver_free(work->solver);
    dcpn_cli_training_free(cli, &work->training);
}

static int fit(struct cli *cli, int argc, char **argv)
{
    struct fit_options options;
    struct fit_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    if (options.report) work.watch.record = &work.record;
    dcpn_cli_listen(cli, options.quiet, options.verbose);
    dcpn_context_set_threads(cli->context, (int)options.training.threads);
    code = work_through(cli, &options, &work);
    release(cli, &work);
    return code;
}

const struct cli_command dcpn_cli_fit = {
    .name = "fit",
    .arguments = "DATA [-o MODEL] [OPTIONS]",
    .summary = "Fits a sparse model to data",
    .details = "DATA is LIBSVM text, CSV or the like, perhaps compressed; - is standard input.",
    .examples = {"dcpn fit train.svm -o model.json --lambda 2 --theta 0.5",
                 "dcpn fit train.svm --loss squared --penalty mcp --intercept --json",
                 "zcat train.svm.gz | dcpn fit - -o model.json --trace trace.jsonl --threads 0"},
    .options = options_of_fit,
    .fewest = 1,
    .most = 1,
    .may_have_ranks = 1,
    .takes_settings = 1,
    .run = fit,
};
