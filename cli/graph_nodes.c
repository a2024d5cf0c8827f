/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn graph --model ising and mixed: each variable is fitted to all others. */
#include "graph_nodes.h"

#include "plural.h"
#include "sheet.h"
#include "watch.h"

#include <math.h>
#include <string.h>

int dcpn_cli_check_nodes(const struct cli *cli, const struct graph_options *options)
{
    static const char *const not_there[] = {"covariance", "rows",           "stability",        "folds",
                                            "seed",       "penalty-factor", "penalize-diagonal"};
    for (size_t k = 0; k < sizeof not_there / sizeof *not_there; k++)
        if (dcpn_cli_is_given(cli, not_there[k]))
            return dcpn_cli_fail(cli, DCPN_USAGE,
                                 "--%s: means nothing with --model %s, which fits each variable to all others; leave "
                                 "it out",
                                 not_there[k], options->model);
    if (strcmp(options->choice.rule, "cv") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--rule: found 'cv' with --model %s, which has EBIC alone; leave it out",
                             options->model);
    return 0;
}

static int is_stopped(void *user)
{
    (void)user;
    return dcpn_cli_watch_is_stopped();
}

void dcpn_cli_graph_listen(const struct cli *cli)
{
    dcpn_cli_watch_signals();
    dcpn_context_set_poll(cli->context, is_stopped, 0.1, NULL);
}

static int fit(const struct cli *cli, const struct graph_options *options, struct graph_work *work,
               dcpn_neighbours **found)
{
    const dcpn_graph_options *asked = &work->asked;
    int is_single = dcpn_cli_is_given(cli, "lambda");
    const dcpn_neighbour_options how = {.rule =
                                            strcmp(options->join, "or") == 0 ? DCPN_NEIGHBOURS_OR : DCPN_NEIGHBOURS_AND,
                                        .two_values = strcmp(options->model, "ising") == 0,
                                        .weights = work->weights,
                                        .lambdas = is_single ? &options->settings.lambda : asked->lambdas,
                                        .lambda_count = is_single ? 1 : asked->lambda_count,
                                        .min_ratio = asked->min_ratio,
                                        .gamma = asked->gamma};
    dcpn_cli_graph_listen(cli);
    int code =
        dcpn_cli_check(cli, dcpn_neighbours_fit(cli->context, work->data->matrix, &options->settings, &how, found));
    dcpn_cli_watch_end();
    return code;
}

static int64_t count_loss(const dcpn_neighbours *n, const char *loss)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n->variables; i++) count += strcmp(n->fits[i].loss, loss) == 0;
    return count;
}

/* The fits that did not come to their end, and the worst certificate beside its goal. */
static int64_t count_unfinished(const dcpn_neighbours *n, int64_t *worst)
{
    int64_t count = 0;
    double most = -1.0;
    *worst = 0;
    for (int64_t i = 0; i < n->variables; i++) {
        double share = n->fits[i].fit.stationarity / fmax(n->fits[i].fit.stationarity_goal, 1e-300);
        count += !dcpn_has_converged(n->fits[i].fit.outcome);
        if (share > most) *worst = i, most = share;
    }
    return count;
}

static void print_summary(FILE *stream, const struct graph_options *options, const struct graph_work *work,
                          const dcpn_neighbours *n)
{
    int64_t worst, unfinished = count_unfinished(n, &worst), logistic = count_loss(n, "logistic");
    double low = n->fits[0].lambda, high = low;
    for (int64_t i = 1; i < n->variables; i++) {
        low = fmin(low, n->fits[i].lambda);
        high = fmax(high, n->fits[i].lambda);
    }
    fprintf(stream, "fits          %lld logistic, %lld squared, penalty %s, lambda %.6g", (long long)logistic,
            (long long)(n->variables - logistic), options->settings.penalty, low);
    if (high > low) fprintf(stream, " to %.6g, each chosen by EBIC", high);
    fprintf(stream, "\nedges         %lld of %.0f pairs of %lld variables, where %s\n", (long long)n->edge_count,
            0.5 * (double)n->variables * (double)(n->variables - 1), (long long)n->variables,
            strcmp(options->join, "or") == 0 ? "one fit or both keep the other" : "both fits keep each other");
    dcpn_cli_edges_print_strongest(stream, &work->edges);
    fprintf(stream, "certificate   %.3g (goal %.3g), the worst of all fits\n", n->fits[worst].fit.stationarity,
            n->fits[worst].fit.stationarity_goal);
    if (unfinished)
        fprintf(stream, "outcome       %lld fit%s ended before the goal\n", (long long)unfinished,
                dcpn_cli_plural(unfinished));
    else
        fprintf(stream, "outcome       converged: all fits\n");
    fprintf(stream, "work          %.3g s\n", n->time_s);
    if (options->files.output) fprintf(stream, "graph         %s\n", options->files.output);
}

static int is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int deliver(const struct cli *cli, const struct graph_options *options, struct graph_work *work,
                   dcpn_neighbours *n)
{
    char title[160];
    int64_t worst;
    snprintf(title, sizeof title, "%s graph, %s", strcmp(options->model, "ising") == 0 ? "Ising" : "Mixed",
             options->settings.penalty);
    int code = dcpn_cli_check(cli, dcpn_neighbours_set_names(n, (const char *const *)work->data->feature_names));
    if (!code) code = dcpn_cli_edges_take_joined(cli, n, &work->edges);
    if (!code && options->files.output) code = dcpn_cli_check(cli, dcpn_neighbours_write(n, options->files.output));
    if (!code && options->files.edges) code = dcpn_cli_edges_write(cli, &work->edges, options->files.edges);
    if (!code && options->files.graphml) code = dcpn_cli_edges_write_graphml(cli, &work->edges, options->files.graphml);
    if (!code && options->files.picture) code = dcpn_cli_edges_draw(cli, &work->edges, title, options->files.picture);
    const struct graph_sheet page = {.neighbours = n, .edges = &work->edges};
    if (!code && options->files.report)
        code = dcpn_cli_sheet_write(cli, options->files.report, cli->arguments[0], dcpn_cli_sheet_graph, &page);
    int is_taken = is_stdout(options->files.output) || is_stdout(options->files.report) ||
                   is_stdout(options->files.edges) || is_stdout(options->files.graphml) ||
                   is_stdout(options->files.picture);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, work, n);
    if (!code && options->strict && count_unfinished(n, &worst)) return DCPN_CLI_NOT_CONVERGED;
    return code;
}

int dcpn_cli_graph_by_nodes(const struct cli *cli, const struct graph_options *options, struct graph_work *work)
{
    dcpn_neighbours *found = NULL;
    int code = fit(cli, options, work, &found);
    if (!code) code = deliver(cli, options, work, found);
    dcpn_neighbours_free(found);
    return code;
}
