/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn fit: one model from one file. */
#include "command.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct fit_options {
    const char *output, *trace, *weights, *offset, *penalty_factor, *start;
    int64_t features, index_base, threads;
    int json, float32, strict, quiet, verbose;
    dcpn_settings settings;
};

#define TO(FIELD) offsetof(struct fit_options, FIELD)

static const struct cli_option options_of_fit[] = {
    DCPN_CLI_TEXT("output", 'o', "MODEL", TO(output), NULL, "where to write the model; - is standard output"),
    DCPN_CLI_FLAG("json", 0, TO(json), "print the result as one JSON object"),
    DCPN_CLI_TEXT("trace", 0, "FILE", TO(trace), NULL, "one JSON object per iteration, as they come"),
    DCPN_CLI_WHOLE("features", "N", TO(features), "0", "largest in DATA", 1, INT64_MAX, "number of features"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),
    DCPN_CLI_FLAG("float32", 0, TO(float32), "store values in single precision"),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_TEXT("weights", 0, "FILE", TO(weights), "1", "a weight per row"),
    DCPN_CLI_TEXT("offset", 0, "FILE", TO(offset), "0", "a number per row, added to its score"),
    DCPN_CLI_TEXT("penalty-factor", 0, "FILE", TO(penalty_factor), "1", "a factor of lambda per feature"),
    DCPN_CLI_TEXT("start", 0, "MODEL", TO(start), "0", "start from the coefficients of a model"),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if the run did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more"),
    DCPN_CLI_END,
};

struct fit_work {
    struct watch watch;
    dcpn_model *start;
    dcpn_dataset *data;
    double *weights, *offset, *factors;
    dcpn_problem *problem;
    dcpn_solver *solver;
    dcpn_model *model;
    double read_s;
};

struct listener {
    const struct cli *cli;
    dcpn_log_level most;
};

static void hear(void *user, dcpn_log_level level, const char *message)
{
    const struct listener *listener = user;
    if (level > listener->most) return;
    dcpn_cli_say(listener->cli, "%s%s", level == DCPN_LOG_WARNING ? "warning: " : "", message);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int is_standard_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int check_streams(const struct cli *cli, const struct fit_options *options)
{
    const char *inputs[] = {cli->arguments[0], options->weights, options->offset, options->penalty_factor,
                            options->start};
    int readers = 0;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) readers += is_standard_stream(inputs[i]);
    if (readers > 1) return dcpn_cli_fail(cli, DCPN_USAGE, "two inputs want standard input; only one can have it");
    if (is_standard_stream(options->output) + is_standard_stream(options->trace) + options->json > 1)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "two of -o, --trace and --json want standard output; give the others a file");
    return 0;
}

/* All that can be refused before the data are read. */
static int check_first(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    int code = check_streams(cli, options);
    if (!code) code = dcpn_cli_check(cli, dcpn_settings_check(cli->context, &options->settings));
    if (!code) code = dcpn_cli_check(cli, dcpn_combination_check(cli->context, &options->settings));
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->start)
        code = dcpn_cli_check(cli, dcpn_model_read(cli->context, options->start, &work->start));
    return code;
}

static int read_data(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    dcpn_read_options how = {.features = options->features,
                             .index_base = (int)options->index_base,
                             .value_type = options->float32 ? DCPN_FLOAT32 : DCPN_FLOAT64};
    if (work->start && how.index_base < 0) how.index_base = work->start->index_base;
    double begin = seconds();
    int code = dcpn_cli_check(cli, dcpn_read_libsvm(cli->context, cli->arguments[0], &how, &work->data));
    work->read_s = seconds() - begin;
    return code;
}

static int read_inputs(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    int code = read_data(cli, options, work);
    if (!code && options->weights)
        code = dcpn_cli_read_numbers(cli, options->weights, work->data->rows, "row", &work->weights);
    if (!code && options->offset)
        code = dcpn_cli_read_numbers(cli, options->offset, work->data->rows, "row", &work->offset);
    if (!code && options->penalty_factor)
        code = dcpn_cli_read_numbers(cli, options->penalty_factor, work->data->features, "feature", &work->factors);
    return code;
}

static int set_start(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    const dcpn_model *start = work->start;
    if (start->features > work->data->features)
        return dcpn_cli_fail(cli, DCPN_DATA,
                             "%s: found %lld features, expected at most the %lld of the data; give --features %lld",
                             options->start, (long long)start->features, (long long)work->data->features,
                             (long long)start->features);
    double *coefficients = dcpn_cli_allocate(cli, work->data->features, sizeof *coefficients);
    if (!coefficients) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < start->nonzeros; i++) coefficients[start->index[i]] = start->value[i];
    int code = dcpn_cli_check(cli, dcpn_solver_set_start(work->solver, coefficients, start->intercept));
    free(coefficients);
    return code;
}

static int make_solver(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    dcpn_context *context = cli->context;
    int code = dcpn_cli_check(cli, dcpn_problem_new(context, work->data->matrix, work->data->labels, &work->problem));
    if (!code && work->weights) code = dcpn_cli_check(cli, dcpn_problem_set_weights(work->problem, work->weights));
    if (!code && work->offset) code = dcpn_cli_check(cli, dcpn_problem_set_offset(work->problem, work->offset));
    if (!code && work->factors)
        code = dcpn_cli_check(cli, dcpn_problem_set_penalty_factors(work->problem, work->factors));
    if (!code) code = dcpn_cli_check(cli, dcpn_solver_new(context, work->problem, &options->settings, &work->solver));
    if (!code && work->start) code = set_start(cli, options, work);
    return code;
}

static int run_solver(const struct cli *cli, struct fit_work *work)
{
    dcpn_solver_set_observer(work->solver, dcpn_cli_watch_observe, &work->watch);
    dcpn_cli_watch_signals();
    int code = dcpn_cli_check(cli, dcpn_solver_run(work->solver));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_new(work->solver, work->data->index_base, &work->model));
    if (!code) work->model->read_s = work->read_s;
    return code;
}

static void print_summary(FILE *stream, const struct fit_options *options, const dcpn_model *model)
{
    const dcpn_result *fit = &model->fit;
    fprintf(stream, "objective     %.10g  (loss %.6g + penalty %.6g)\n", fit->objective, fit->loss_value,
            fit->penalty_value);
    fprintf(stream, "features      %lld of %lld kept\n", (long long)fit->nonzeros, (long long)model->features);
    fprintf(stream, "stationarity  %.3g  (goal %.3g)\n", fit->stationarity, fit->stationarity_goal);
    fprintf(stream, "outcome       %s: %s\n", dcpn_outcome_name(fit->outcome), dcpn_outcome_meaning(fit->outcome));
    fprintf(stream, "method        %s, metric %s, subsolver %s\n", fit->algorithm, fit->metric, fit->subsolver);
    fprintf(stream, "work          %lld iterations, %.1f passes over the data, %.3g s (reading %.3g s)\n",
            (long long)fit->iterations, fit->passes, fit->time_s, model->read_s);
    if (options->output && !is_standard_stream(options->output)) fprintf(stream, "model         %s\n", options->output);
}

static int print_json(const struct cli *cli, const dcpn_model *model)
{
    char *text = NULL;
    int code = dcpn_cli_check(cli, dcpn_model_fit_json(model, &text));
    if (!code) puts(text);
    dcpn_free(cli->context, text);
    return code;
}

static int deliver(const struct cli *cli, const struct fit_options *options, const struct fit_work *work)
{
    int code = options->output ? dcpn_cli_check(cli, dcpn_model_write(work->model, options->output)) : 0;
    if (code) return code;
    if (options->json) return print_json(cli, work->model);
    int stdout_is_taken = is_standard_stream(options->output) || is_standard_stream(options->trace);
    if (!options->quiet) print_summary(stdout_is_taken ? stderr : stdout, options, work->model);
    return 0;
}

static const char *advice(dcpn_outcome outcome)
{
    if (outcome == DCPN_MAX_ITERATIONS) return "; raise --max-iter";
    if (outcome == DCPN_MAX_TIME) return "; raise --max-time";
    return "";
}

/* The exit code that the outcome stands for; a run that did not converge says so. */
static int judge(const struct cli *cli, const struct fit_options *options, const dcpn_result *fit)
{
    if (fit->outcome == DCPN_CONVERGED || fit->outcome == DCPN_RELATIVE_CHANGE) return 0;
    if (!options->quiet)
        dcpn_cli_say(cli, "not converged: %s; stationarity %.3g, goal %.3g%s",
                     fit->outcome == DCPN_INTERRUPTED ? "interrupted" : dcpn_outcome_meaning(fit->outcome),
                     fit->stationarity, fit->stationarity_goal, advice(fit->outcome));
    if (fit->outcome == DCPN_INTERRUPTED) return DCPN_CLI_INTERRUPTED;
    return options->strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

static int work_through(const struct cli *cli, const struct fit_options *options, struct fit_work *work)
{
    int code = check_first(cli, options, work);
    if (!code) code = dcpn_cli_watch_open(cli, &work->watch, options->trace, options->quiet);
    if (!code) code = read_inputs(cli, options, work);
    if (!code) code = make_solver(cli, options, work);
    if (!code) code = run_solver(cli, work);
    int trace_code = dcpn_cli_watch_close(cli, &work->watch);
    if (!code) code = deliver(cli, options, work);
    if (!code) code = judge(cli, options, &work->model->fit);
    return code ? code : trace_code;
}

static void release(const struct cli *cli, struct fit_work *work)
{
    dcpn_model_free(work->model);
    dcpn_solver_free(work->solver);
    dcpn_problem_free(work->problem);
    dcpn_free(cli->context, work->factors);
    dcpn_free(cli->context, work->offset);
    dcpn_free(cli->context, work->weights);
    dcpn_dataset_free(work->data);
    dcpn_model_free(work->start);
}

static int fit(struct cli *cli, int argc, char **argv)
{
    struct fit_options options;
    struct fit_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    struct listener listener = {cli, options.verbose ? DCPN_LOG_DETAIL : DCPN_LOG_NOTE};
    if (!options.quiet) dcpn_context_set_log(cli->context, hear, &listener);
    dcpn_context_set_threads(cli->context, (int)options.threads);
    code = work_through(cli, &options, &work);
    release(cli, &work);
    dcpn_context_set_log(cli->context, NULL, NULL);
    return code;
}

const struct cli_command dcpn_cli_fit = {
    .name = "fit",
    .arguments = "DATA [-o MODEL] [OPTIONS]",
    .summary = "Fits a sparse model to LIBSVM data",
    .details = "DATA is read once; - is standard input.",
    .examples = {"dcpn fit train.svm -o model.json --lambda 2 --theta 0.5",
                 "dcpn fit train.svm --loss squared --penalty mcp --intercept --json",
                 "zcat train.svm.gz | dcpn fit - -o model.json --trace trace.jsonl --threads 0"},
    .options = options_of_fit,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .run = fit,
};
