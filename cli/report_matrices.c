/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn report of a graph, of a completed matrix and of factors: the pages that their commands make. */
#include "report.h"

#include "graph_tables.h"
#include "sheet.h"

static int report_graph(const struct cli *cli, const char *path, const char *output)
{
    dcpn_graphs *graphs = NULL;
    struct edge_list edges = {0};
    int code = dcpn_cli_check(cli, dcpn_graphs_read(cli->context, path, &graphs));
    if (!code) code = dcpn_cli_edges_take(cli, graphs, &edges);
    const struct graph_sheet page = {.graphs = graphs, .edges = &edges};
    if (!code) code = dcpn_cli_sheet_write(cli, output, path, dcpn_cli_sheet_graph, &page);
    dcpn_cli_edges_free(&edges);
    dcpn_graphs_free(graphs);
    return code;
}

static int report_joined(const struct cli *cli, const char *path, const char *output)
{
    dcpn_neighbours *neighbours = NULL;
    struct edge_list edges = {0};
    int code = dcpn_cli_check(cli, dcpn_neighbours_read(cli->context, path, &neighbours));
    if (!code) code = dcpn_cli_edges_take_joined(cli, neighbours, &edges);
    const struct graph_sheet page = {.neighbours = neighbours, .edges = &edges};
    if (!code) code = dcpn_cli_sheet_write(cli, output, path, dcpn_cli_sheet_graph, &page);
    dcpn_cli_edges_free(&edges);
    dcpn_neighbours_free(neighbours);
    return code;
}

static int report_completion(const struct cli *cli, const char *path, const char *output)
{
    dcpn_completion *completion = NULL;
    int code = dcpn_cli_check(cli, dcpn_completion_read(cli->context, path, &completion));
    if (!code) code = dcpn_cli_sheet_write(cli, output, path, dcpn_cli_sheet_completion, completion);
    dcpn_completion_free(completion);
    return code;
}

static int report_factors(const struct cli *cli, const char *path, const char *output)
{
    dcpn_factors *factors = NULL;
    int code = dcpn_cli_check(cli, dcpn_factors_read(cli->context, path, &factors));
    const struct factor_sheet page = {.factors = factors};
    if (!code) code = dcpn_cli_sheet_write(cli, output, path, dcpn_cli_sheet_factors, &page);
    dcpn_factors_free(factors);
    return code;
}

int dcpn_cli_report_of_matrix(const struct cli *cli, const char *path)
{
    return dcpn_graphs_begin(cli->context, path) || dcpn_completion_begin(cli->context, path) ||
           dcpn_factors_begin(cli->context, path) || dcpn_neighbours_begin(cli->context, path);
}

int dcpn_cli_report_matrix(const struct cli *cli, const char *path, const char *output)
{
    if (dcpn_graphs_begin(cli->context, path)) return report_graph(cli, path, output);
    if (dcpn_neighbours_begin(cli->context, path)) return report_joined(cli, path, output);
    if (dcpn_completion_begin(cli->context, path)) return report_completion(cli, path, output);
    return report_factors(cli, path, output);
}
