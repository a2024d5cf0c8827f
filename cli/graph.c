/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn graph: which variables depend on one another when all others are known. */
#include "command.h"
#include "distinct.h"
#include "graph_nodes.h"
#include "graph_tables.h"
#include "meant_settings.h"
#include "number_list.h"
#include "plural.h"
#include "reading.h"
#include "sheet.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TO(FIELD) offsetof(struct graph_options, FIELD)

static const struct cli_option options_of_graph[] = {
    DCPN_CLI_WORD(
        "model", "MODEL", TO(model), "gaussian", "gaussian|ising|mixed",
        "ising: variables of two values, by logistic fits of each to all others; mixed: those and others, by squared "
        "loss"),
    DCPN_CLI_WORD("join", "and|or", TO(join), "and", "and|or",
                  "ising, mixed: an edge is where both fits keep the other, or one"),
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(files.output), NULL,
                  "where to write the graph, for predict; - is standard output"),
    DCPN_CLI_TEXT("edges", 0, "FILE", TO(files.edges), NULL, "where to write its edges, as comma-separated values"),
    DCPN_CLI_TEXT("graphml", 0, "FILE", TO(files.graphml), NULL, "the same for programs that draw graphs"),
    DCPN_CLI_TEXT("picture", 0, "FILE", TO(files.picture), NULL, "where to draw it, with its matrix, as SVG"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(files.report), NULL, "where to write a page about it, as HTML"),
    DCPN_CLI_TEXT("lambdas", 0, "LIST|FILE", TO(choice.lambdas), NULL, "falling; the rule chooses among them"),
    DCPN_CLI_WHOLE("nlambda", "N", TO(choice.nlambda), "0", "30; without --lambda", 1, 100000,
                   "lambdas from the largest one down"),
    DCPN_CLI_TEXT("lambda-min-ratio", 0, "X", TO(choice.min_ratio), "0.05",
                  "the least lambda, as a share of the largest"),
    DCPN_CLI_WORD("rule", "RULE", TO(choice.rule), "ebic", "ebic|cv",
                  "how lambda is chosen: cv by the likelihood of rows held out"),
    DCPN_CLI_TEXT("ebic-gamma", 0, "X", TO(choice.gamma), "0.5", "0, like BIC, to 1: how much edges cost"),
    DCPN_CLI_WHOLE("folds", "N", TO(choice.folds), "0", "10", 2, 1000000, "of --rule cv"),
    DCPN_CLI_WHOLE("stability", "N", TO(choice.stability), "0", "none", 1, 1000000,
                   "halves of the rows: how often they have each edge at that lambda"),
    DCPN_CLI_WHOLE("seed", "N", TO(choice.seed), "1", NULL, 0, INT64_MAX, "of folds and halves"),
    DCPN_CLI_FLAG("covariance", 0, TO(is_covariance), "DATA is a covariance or correlation matrix"),
    DCPN_CLI_WHOLE("rows", "N", TO(rows), "0", "unknown", 1, INT64_MAX, "that the covariance was made from, for EBIC"),
    DCPN_CLI_TEXT("weights", 0, "FILE", TO(weights), "1", "a weight per row"),
    DCPN_CLI_TEXT("penalty-factor", 0, "FILE", TO(factors), "1",
                  "a matrix: factors of lambda, 0 for edges that cost nothing"),
    DCPN_CLI_FLAG("penalize-diagonal", 0, TO(penalize_diagonal), "the entries of the diagonal, too"),
    DCPN_CLI_READING_OPTIONS(TO),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("strict", 0, TO(strict), "exit with 3 if a fit did not converge"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

/* Only these settings mean something here. */
static const char *const meant[] = {"penalty",     "lambda", "theta",       "a",        "gamma",
                                    "p",           "eps",    "shape-units", "ridge",    "tol",
                                    "standardize", "armijo", "max-iter",    "max-time", NULL};

static int check_settings(const struct cli *cli)
{
    int code =
        dcpn_cli_refuse_others(cli, meant,
                               "a graph has no such choice; it takes a penalty, lambda, shape, ridge, whether to "
                               "standardize, and when to stop");
    return code ? code : dcpn_cli_refuse_two_grids(cli);
}

static int observe(void *user, double lambda, int64_t iteration, double objective, double violation)
{
    (void)user, (void)lambda, (void)iteration, (void)objective, (void)violation;
    return dcpn_cli_watch_is_stopped();
}

static int ask(const struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    dcpn_graph_options *asked = &work->asked;
    asked->gamma = 0.5;
    int code = dcpn_cli_number_list(cli, "lambdas", options->choice.lambdas, &work->lambdas);
    if (!code)
        code = dcpn_cli_number(cli, "lambda-min-ratio", options->choice.min_ratio, 1e-6, 0.999, &asked->min_ratio);
    if (!code) code = dcpn_cli_number(cli, "ebic-gamma", options->choice.gamma, 0.0, 1.0, &asked->gamma);
    if (asked->gamma == 0.0) asked->gamma = -1.0;
    asked->lambdas = work->lambdas.numbers;
    asked->lambda_count = dcpn_cli_lambda_count(cli, work->lambdas.count, options->choice.nlambda, 30);
    asked->rule = strcmp(options->choice.rule, "cv") == 0 ? DCPN_GRAPH_CV : DCPN_GRAPH_EBIC;
    asked->penalize_diagonal = options->penalize_diagonal;
    asked->folds = options->choice.folds;
    asked->seed = (uint64_t)options->choice.seed;
    asked->subsamples = options->choice.stability;
    asked->observer = observe;
    if (!code && asked->lambda_count > 1 && options->is_covariance && options->rows == 0)
        code = dcpn_cli_fail(cli, DCPN_USAGE,
                             "--rows: found none, expected how many rows the covariance was made from: EBIC chooses by "
                             "them; or give one --lambda");
    return code;
}

/* ---- what is read ---- */

/* A square matrix of so many rows (0: any), as numbers. */
static int take_square(const struct cli *cli, const char *path, const dcpn_dataset *data, int64_t expected,
                       double **square)
{
    int64_t p = data->features;
    if (data->rows != p || (expected && p != expected))
        return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld rows and %lld columns, expected as many of both%s", path,
                             (long long)data->rows, (long long)p, expected ? " as there are variables" : "");
    if (p > 46340)
        return dcpn_cli_fail(cli, DCPN_MEMORY, "%s: %lld variables have more pairs than memory", path, (long long)p);
    *square = dcpn_cli_allocate(cli, p * p, sizeof **square);
    double *values = dcpn_cli_allocate(cli, p, sizeof *values);
    int64_t *columns = dcpn_cli_allocate(cli, p, sizeof *columns);
    int code = *square && values && columns ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; !code && i < p; i++) {
        int64_t count = dcpn_matrix_row(data->matrix, i, columns, values);
        for (int64_t k = 0; k < count; k++) (*square)[i * p + columns[k]] = values[k];
    }
    free(values);
    free(columns);
    return code;
}

static int read_inputs(const struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    const dcpn_read_options how = {.table.label_optional = 2, .unlabelled = 1};
    const struct reading_options plain = {0};
    const char *path = cli->arguments[0];
    int code = dcpn_cli_read(cli, path, &options->reading, how, &work->data);
    if (!code && options->is_covariance) code = take_square(cli, path, work->data, 0, &work->square);
    if (!code && options->weights)
        code = dcpn_cli_read_numbers(cli, options->weights, work->data->rows, "rows", &work->weights);
    if (!code && options->factors) code = dcpn_cli_read(cli, options->factors, &plain, how, &work->factor_data);
    if (!code && options->factors)
        code = take_square(cli, options->factors, work->factor_data, work->data->features, &work->factors);
    work->asked.factors = work->factors;
    return code;
}

/* ---- what is said ---- */

static double real_of(const dcpn_graphs *graphs, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get_of_point(graphs, dcpn_graphs_chosen(graphs), field, &value);
    return value.real;
}

static void print_choice(FILE *stream, const struct graph_options *options, const struct graph_work *work)
{
    const dcpn_graphs *g = work->graphs;
    int64_t count = dcpn_graphs_count(g);
    fprintf(stream, "lambda        %.6g", real_of(g, "lambda"));
    if (count > 1 && work->asked.rule == DCPN_GRAPH_CV)
        fprintf(stream, "  (chosen from %lld by cross-validation: %.6g +- %.2g)", (long long)count,
                real_of(g, "cv_mean"), real_of(g, "cv_se"));
    else if (count > 1)
        fprintf(stream, "  (chosen from %lld by EBIC: %.6g)", (long long)count, real_of(g, "ebic"));
    fprintf(stream, ", penalty %s\n", options->settings.penalty);
}

static void print_summary(FILE *stream, const struct graph_options *options, const struct graph_work *work)
{
    const dcpn_graphs *g = work->graphs;
    dcpn_value time = {0};
    dcpn_outcome outcome = (dcpn_outcome)(int)real_of(g, "outcome");
    double pairs = 0.5 * (double)work->edges.variables * (double)(work->edges.variables - 1);
    dcpn_graphs_get(g, "time_s", &time);
    print_choice(stream, options, work);
    fprintf(stream, "objective     %.10g  (likelihood %g + penalty %g)\n", real_of(g, "objective"),
            real_of(g, "likelihood"), real_of(g, "penalty_value"));
    fprintf(stream, "edges         %lld of %.0f pairs of %lld variables, in %.0f component%s\n",
            (long long)work->edges.count, pairs, (long long)work->edges.variables, real_of(g, "components"),
            real_of(g, "components") == 1.0 ? "" : "s");
    dcpn_cli_edges_print_strongest(stream, &work->edges);
    fprintf(stream, "certificate   %.3g (goal %.3g)\n", real_of(g, "violation"), real_of(g, "goal"));
    fprintf(stream, "outcome       %s\n",
            outcome == DCPN_CONVERGED ? "converged: no entry can be improved to first order"
                                      : dcpn_outcome_meaning(outcome));
    fprintf(stream, "work          %.0f iteration%s, %.3g s\n", real_of(g, "iterations"),
            dcpn_cli_plural((int64_t)real_of(g, "iterations")), time.real);
    if (options->files.output) fprintf(stream, "graph         %s\n", options->files.output);
}

/* ---- what is written ---- */

static int is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int write_files(const struct cli *cli, const struct graph_options *options, const struct graph_work *work)
{
    char title[160];
    snprintf(title, sizeof title, "Partial correlations, %s, lambda %.4g", options->settings.penalty,
             real_of(work->graphs, "lambda"));
    int code = options->files.output ? dcpn_cli_check(cli, dcpn_graphs_write(work->graphs, options->files.output)) : 0;
    if (!code && options->files.edges) code = dcpn_cli_edges_write(cli, &work->edges, options->files.edges);
    if (!code && options->files.graphml) code = dcpn_cli_edges_write_graphml(cli, &work->edges, options->files.graphml);
    if (!code && options->files.picture) code = dcpn_cli_edges_draw(cli, &work->edges, title, options->files.picture);
    const struct graph_sheet page = {.graphs = work->graphs, .edges = &work->edges};
    if (!code && options->files.report)
        code = dcpn_cli_sheet_write(cli, options->files.report, cli->arguments[0], dcpn_cli_sheet_graph, &page);
    return code;
}

static int has_all_converged(const dcpn_graphs *graphs)
{
    for (int64_t k = 0; k < dcpn_graphs_count(graphs); k++) {
        dcpn_value outcome = {0};
        dcpn_graphs_get_of_point(graphs, k, "outcome", &outcome);
        if (!dcpn_has_converged((dcpn_outcome)outcome.count)) return 0;
    }
    return 1;
}

static int deliver(const struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    int is_taken = is_stdout(options->files.output) || is_stdout(options->files.edges) ||
                   is_stdout(options->files.graphml) || is_stdout(options->files.picture) ||
                   is_stdout(options->files.report);
    int code = dcpn_cli_check(cli, dcpn_graphs_set_names(work->graphs, (const char *const *)work->data->feature_names));
    if (!code) code = dcpn_cli_edges_take(cli, work->graphs, &work->edges);
    if (!code) code = write_files(cli, options, work);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, work);
    if (!code && dcpn_cli_watch_is_stopped()) return DCPN_CLI_INTERRUPTED;
    if (!code && options->strict && !has_all_converged(work->graphs)) return DCPN_CLI_NOT_CONVERGED;
    return code;
}

/* ---- one call ---- */

static int fit(const struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    const dcpn_graph_source source = {.X = options->is_covariance ? NULL : work->data->matrix,
                                      .weights = work->weights,
                                      .covariance = work->square,
                                      .variables = work->data->features,
                                      .rows = (double)options->rows};
    dcpn_cli_graph_listen(cli);
    int code =
        dcpn_cli_check(cli, dcpn_graphs_fit(cli->context, &source, &options->settings, &work->asked, &work->graphs));
    dcpn_cli_watch_end();
    return code;
}

static int check_files(const struct cli *cli, const struct graph_options *options)
{
    const struct cli_files files = {
        .reads = {cli->arguments[0], options->weights, options->factors, options->choice.lambdas,
                  options->reading.labels, options->reading.names},
        .writes = {options->files.output, options->files.edges, options->files.graphml, options->files.picture,
                   options->files.report}};
    int code = dcpn_cli_check_distinct(cli, &files);
    const char *const writes[] = {options->files.output, options->files.edges, options->files.graphml,
                                  options->files.picture, options->files.report};
    for (size_t k = 0; !code && k < sizeof writes / sizeof *writes; k++)
        if (writes[k]) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, writes[k]));
    return code;
}

static int check_join(const struct cli *cli)
{
    if (!dcpn_cli_is_given(cli, "join")) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--join: a Gaussian graph is one fit, in which there is nothing to join; expected --model "
                         "ising or mixed");
}

static int work_through(struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    int code = check_settings(cli);
    dcpn_context_set_threads(cli->context, (int)options->threads);
    int by_nodes = strcmp(options->model, "gaussian") != 0;
    if (!code) code = by_nodes ? dcpn_cli_check_nodes(cli, options) : check_join(cli);
    if (!code) code = ask(cli, options, work);
    if (!code) code = check_files(cli, options);
    if (!code) code = read_inputs(cli, options, work);
    if (!code && by_nodes) return dcpn_cli_graph_by_nodes(cli, options, work);
    if (!code) code = fit(cli, options, work);
    if (!code) code = deliver(cli, options, work);
    return code;
}

static void release(const struct cli *cli, struct graph_work *work)
{
    dcpn_cli_edges_free(&work->edges);
    dcpn_graphs_free(work->graphs);
    dcpn_cli_number_list_free(&work->lambdas);
    dcpn_free(cli->context, work->weights);
    free(work->square);
    free(work->factors);
    dcpn_dataset_free(work->factor_data);
    dcpn_dataset_free(work->data);
}

static int graph(struct cli *cli, int argc, char **argv)
{
    struct graph_options options = {0};
    struct graph_work work = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    code = work_through(cli, &options, &work);
    release(cli, &work);
    return code;
}

static dcpn_settings standard_settings(void)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = "mcp";
    settings.standardize = 1;
    return settings;
}

const struct cli_command dcpn_cli_graph = {
    .name = "graph",
    .arguments = "DATA [-o FILE] [--edges FILE] [--picture FILE] [OPTIONS]",
    .summary = "Finds which variables depend on one another when all others are known",
    .details = "Rows of variables, or with --covariance their covariance matrix; labels are not looked at. The inverse "
               "K of the covariance minimises -log det K + tr(S K) + ridge/2 |K|^2 + sum over i != j of p(|K_ij|), S "
               "their correlation: an entry of K that is not 0 is an edge. --model ising and mixed are for variables "
               "that are not Gaussian. Without --lambda a path of lambdas is followed and one of them chosen. "
               "'predict' fills in what is missing in other rows.",
    .examples = {"dcpn graph genes.csv -o graph.json --edges edges.csv --picture graph.svg",
                 "dcpn graph returns.csv --rule cv --stability 50",
                 "dcpn graph answers.csv --model ising --edges edges.csv"},
    .options = options_of_graph,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings = standard_settings,
    .settings_note =
        "--penalty mcp, --lambda, --theta, --a, --gamma, --p, --eps, --shape-units, --ridge, --no-standardize, --tol, "
        "--armijo, --max-iter and --max-time as in 'dcpn fit'; --standardize is the default",
    .no_checkpoint =
        "Ctrl-C and --max-time keep the lambdas that are done, and --lambdas goes on below them",
    .is_like_fit = 1,
    .run = graph,
};
