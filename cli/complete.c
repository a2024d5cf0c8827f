/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn complete: a matrix of low rank from some of its entries. */
#include "command.h"
#include "distinct.h"
#include "meant_settings.h"
#include "number_list.h"
#include "places.h"
#include "plural.h"
#include "reading.h"
#include "sheet.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct complete_options {
    dcpn_settings settings;
    const char *output, *report, *lambdas, *min_ratio, *held_out, *sparse_lambda, *sparse_penalty;
    int64_t rows, columns, nlambda, most_rank, seed, index_base, threads;
    int is_matrix, center, strict, quiet;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct complete_options, FIELD)

static const struct cli_option options_of_complete[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL,
                  "where to write the factors, for predict; - is standard output"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page about it, as HTML"),
    DCPN_CLI_FLAG("matrix", 0, TO(is_matrix), "DATA is a matrix: its stored entries that are not 0 are those seen"),
    DCPN_CLI_WHOLE("rows", "N", TO(rows), "0", "largest in DATA", 1, INT64_MAX, "of the matrix"),
    DCPN_CLI_WHOLE("columns", "N", TO(columns), "0", "largest in DATA", 1, INT64_MAX, "of the matrix"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "1", NULL, 0, 1, "number of the first row and column"),
    DCPN_CLI_FLAG("center", 0, TO(center), "take the mean of the entries off first"),
    DCPN_CLI_TEXT("sparse-lambda", 0, "X", TO(sparse_lambda), "no such part",
                  "of a sparse part beside the one of low rank"),
    DCPN_CLI_TEXT("sparse-penalty", 0, "NAME", TO(sparse_penalty), "l1", "of its entries"),
    DCPN_CLI_TEXT("lambdas", 0, "LIST|FILE", TO(lambdas), NULL, "falling; entries held out choose among them"),
    DCPN_CLI_WHOLE("nlambda", "N", TO(nlambda), "0", "20; without --lambda", 1, 100000,
                   "lambdas from the largest one down"),
    DCPN_CLI_TEXT("lambda-min-ratio", 0, "X", TO(min_ratio), "0.05", "the least lambda, as a share of the largest"),
    DCPN_CLI_TEXT("held-out", 0, "X", TO(held_out), "0.1", "the share of the entries that chooses lambda"),
    DCPN_CLI_WHOLE("most-rank", "N", TO(most_rank), "200", NULL, 1, 1000000, "a higher one is refused"),
    DCPN_CLI_WHOLE("seed", "N", TO(seed), "1", NULL, 0, INT64_MAX, "of the entries held out"),
    DCPN_CLI_READING_OPTIONS(TO),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if the fit did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

struct complete_work {
    dcpn_dataset *data;
    struct places places;
    struct number_list lambdas;
    dcpn_complete_options asked;
    dcpn_completion *completion;
};

/* Only these settings mean something here. */
static const char *const meant[] = {"penalty", "lambda",      "theta", "a",        "gamma",    "p",
                                    "eps",     "shape-units", "tol",   "max-iter", "max-time", NULL};

static int check_settings(const struct cli *cli)
{
    int code = dcpn_cli_refuse_others(
        cli, meant,
        "a completion has no such choice; it takes the penalty of singular values, lambda, shape, and when to stop");
    return code ? code : dcpn_cli_refuse_two_grids(cli);
}

static int observe(void *user, double lambda, int64_t iteration, double objective, double violation)
{
    (void)user, (void)lambda, (void)iteration, (void)objective, (void)violation;
    return dcpn_cli_watch_is_stopped();
}

static int ask(const struct cli *cli, const struct complete_options *options, struct complete_work *work)
{
    dcpn_complete_options *asked = &work->asked;
    int code = dcpn_cli_number_list(cli, "lambdas", options->lambdas, &work->lambdas);
    if (!code) code = dcpn_cli_number(cli, "lambda-min-ratio", options->min_ratio, 1e-6, 0.999, &asked->min_ratio);
    if (!code) code = dcpn_cli_number(cli, "held-out", options->held_out, 1e-6, 0.999, &asked->held_out);
    if (!code)
        code = dcpn_cli_number(cli, "sparse-lambda", options->sparse_lambda, 1e-300, 1e300, &asked->sparse_lambda);
    asked->lambdas = work->lambdas.numbers;
    asked->lambda_count = dcpn_cli_lambda_count(cli, work->lambdas.count, options->nlambda, 20);
    asked->sparse_penalty = options->sparse_penalty;
    asked->center = options->center;
    asked->most_rank = options->most_rank;
    asked->seed = (uint64_t)options->seed;
    asked->index_base = (int)options->index_base;
    asked->observer = observe;
    if (!code && options->sparse_penalty && !options->sparse_lambda)
        code = dcpn_cli_fail(cli, DCPN_USAGE,
                             "--sparse-penalty: found no --sparse-lambda, without which there is no sparse part");
    return code;
}

static int read_inputs(const struct cli *cli, const struct complete_options *options, struct complete_work *work)
{
    const char *path = cli->arguments[0];
    dcpn_read_options how = {.table.label_optional = 2, .unlabelled = 1};
    if (options->is_matrix) how.features = options->columns;
    int code = dcpn_cli_read(cli, path, &options->reading, how, &work->data);
    if (!code)
        code = options->is_matrix ? dcpn_cli_places_of_matrix(cli, work->data, &work->places)
                                  : dcpn_cli_places_take(cli, path, work->data, options->index_base, 1, &work->places);
    if (code) return code;
    if ((options->rows && options->rows < work->places.rows) ||
        (options->columns && options->columns < work->places.columns))
        return dcpn_cli_fail(cli, DCPN_DATA,
                             "%s: found row %lld and column %lld, expected none beyond --rows and --columns", path,
                             (long long)work->places.rows, (long long)work->places.columns);
    if (options->rows) work->places.rows = options->rows;
    if (options->columns) work->places.columns = options->columns;
    return 0;
}

/* ---- what is said ---- */

static double real_of(const struct complete_work *work, const char *field)
{
    dcpn_value value = {0};
    dcpn_completion_get(work->completion, field, &value);
    return value.real;
}

static void print_summary(FILE *stream, const struct complete_options *options, const struct complete_work *work)
{
    dcpn_outcome outcome = (dcpn_outcome)(int)real_of(work, "outcome");
    int64_t iterations = (int64_t)real_of(work, "iterations");
    fprintf(stream, "matrix        %.0f x %.0f, %lld entries seen (%.3g%%)\n", real_of(work, "rows"),
            real_of(work, "columns"), (long long)work->places.count,
            100.0 * (double)work->places.count / real_of(work, "rows") / real_of(work, "columns"));
    fprintf(stream, "lambda        %.6g, penalty %s; the rank is 0 from %.6g on\n", real_of(work, "lambda"),
            options->settings.penalty, real_of(work, "lambda_max"));
    if (dcpn_completion_tried(work->completion) > 0)
        fprintf(stream, "held out      an error of %.6g (root of the mean square), the least of %lld lambdas\n",
                real_of(work, "held_out_error"), (long long)dcpn_completion_tried(work->completion));
    fprintf(stream, "rank          %.0f\n", real_of(work, "rank"));
    if (work->asked.sparse_lambda > 0.0) fprintf(stream, "sparse part   %.0f entries\n", real_of(work, "sparse_count"));
    fprintf(stream, "objective     %.10g  (squares / 2 %g + penalty %g)\n", real_of(work, "objective"),
            real_of(work, "loss_value"), real_of(work, "penalty_value") + real_of(work, "sparse_value"));
    fprintf(stream, "certificate   %.3g (goal %.3g)\n", real_of(work, "violation"), real_of(work, "goal"));
    fprintf(stream, "outcome       %s\n", dcpn_outcome_meaning(outcome));
    fprintf(stream, "work          %lld iteration%s, %.3g s\n", (long long)iterations, dcpn_cli_plural(iterations),
            real_of(work, "time_s"));
    if (options->output) fprintf(stream, "factors       %s\n", options->output);
}

static int deliver(const struct cli *cli, const struct complete_options *options, const struct complete_work *work)
{
    int is_taken =
        dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->report);
    int code = options->output ? dcpn_cli_check(cli, dcpn_completion_write(work->completion, options->output)) : 0;
    if (!code && options->report)
        code = dcpn_cli_sheet_write(cli, options->report, cli->arguments[0], dcpn_cli_sheet_completion,
                                    work->completion);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, work);
    if (!code && dcpn_cli_watch_is_stopped()) return DCPN_CLI_INTERRUPTED;
    if (!code && options->strict && !dcpn_has_converged((dcpn_outcome)(int)real_of(work, "outcome")))
        return DCPN_CLI_NOT_CONVERGED;
    return code;
}

/* ---- one call ---- */

static int poll_signals(void *user)
{
    (void)user;
    return dcpn_cli_watch_is_stopped();
}

static int fit(const struct cli *cli, const struct complete_options *options, struct complete_work *work)
{
    const struct places *p = &work->places;
    const dcpn_entries entries = {p->rows, p->columns, p->count, p->row, p->column, p->value};
    dcpn_cli_watch_signals();
    dcpn_context_set_poll(cli->context, poll_signals, 0.1, NULL);
    int code = dcpn_cli_check(
        cli, dcpn_completion_fit(cli->context, &entries, &options->settings, &work->asked, &work->completion));
    dcpn_cli_watch_end();
    return code;
}

static int work_through(struct cli *cli, const struct complete_options *options, struct complete_work *work)
{
    const struct cli_files files = {
        .reads = {cli->arguments[0], options->lambdas, options->reading.labels, options->reading.names},
        .writes = {options->output, options->report}};
    int code = check_settings(cli);
    dcpn_context_set_threads(cli->context, (int)options->threads);
    if (!code) code = ask(cli, options, work);
    if (!code) code = dcpn_cli_check_distinct(cli, &files);
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->report) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->report));
    if (!code) code = read_inputs(cli, options, work);
    if (!code) code = fit(cli, options, work);
    if (!code) code = deliver(cli, options, work);
    return code;
}

static int complete(struct cli *cli, int argc, char **argv)
{
    struct complete_options options = {0};
    struct complete_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    code = work_through(cli, &options, &work);
    dcpn_completion_free(work.completion);
    dcpn_cli_places_free(&work.places);
    dcpn_cli_number_list_free(&work.lambdas);
    dcpn_dataset_free(work.data);
    return code;
}

static dcpn_settings standard_settings(void)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = "mcp";
    settings.tol = 1e-3;
    return settings;
}

const struct cli_command dcpn_cli_complete = {
    .name = "complete",
    .arguments = "DATA [-o FILE] [OPTIONS]",
    .summary = "Completes a matrix of low rank from some of its entries",
    .details = "DATA is a table of row, column and value. The matrix X minimises half the sum of squares of y - X over "
               "the entries seen and a penalty of each singular value; with --sparse-lambda entries that are rare and "
               "far off have a part of their own. Without --lambda entries that are held out choose one. 'predict' "
               "gives values at other places.",
    .examples = {"dcpn complete ratings.csv --center -o ratings.json",
                 "dcpn complete video.csv --lambda 20 --sparse-lambda 1",
                 "dcpn complete counts.mtx --matrix --penalty l1 --lambda 10"},
    .options = options_of_complete,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings = standard_settings,
    .settings_note = "--penalty mcp, --lambda, --theta, --a, --gamma, --p, --eps, --shape-units, --tol 1e-3, "
                     "--max-iter and --max-time as in 'dcpn fit'",
    .no_checkpoint =
        "Ctrl-C and --max-time keep the best matrix so far; a smaller --tol costs less than a run that is cut",
    .is_like_fit = 1,
    .run = complete,
};
