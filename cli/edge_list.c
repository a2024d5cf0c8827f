/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges of a graph as arrays, and what its variables are called. */
#include "graph_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t count_of(const dcpn_graphs *graphs, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get_of_point(graphs, dcpn_graphs_chosen(graphs), field, &value);
    return value.count;
}

static int allocate(const struct cli *cli, struct edge_list *edges)
{
    edges->first = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->first);
    edges->second = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->second);
    edges->value = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->value);
    edges->partial = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->partial);
    return edges->first && edges->second && edges->value && edges->partial ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
}

/* Takes the frequencies of the edges. Without subsamples there are none, which is no error here. */
static int take_frequencies(const struct cli *cli, const dcpn_graphs *graphs, struct edge_list *edges)
{
    edges->frequency = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->frequency);
    if (!edges->frequency) return dcpn_status_exit_code(DCPN_MEMORY);
    if (dcpn_graphs_stability(graphs, edges->frequency) == DCPN_OK) return 0;
    free(edges->frequency);
    edges->frequency = NULL;
    return 0;
}

int dcpn_cli_edges_take(const struct cli *cli, const dcpn_graphs *graphs, struct edge_list *edges)
{
    int64_t chosen = dcpn_graphs_chosen(graphs);
    *edges = (struct edge_list){.variables = dcpn_graphs_variables(graphs),
                                .count = count_of(graphs, "edges"),
                                .names = dcpn_graphs_names(graphs)};
    double *diagonal = dcpn_cli_allocate(cli, edges->variables, sizeof *diagonal);
    int code = diagonal ? allocate(cli, edges) : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) code = dcpn_cli_check(cli, dcpn_graphs_edges(graphs, chosen, edges->first, edges->second, edges->value));
    if (!code) code = dcpn_cli_check(cli, dcpn_graphs_diagonal(graphs, chosen, diagonal));
    for (int64_t e = 0; !code && e < edges->count; e++)
        edges->partial[e] = -edges->value[e] / sqrt(diagonal[edges->first[e]]) / sqrt(diagonal[edges->second[e]]);
    if (!code) code = take_frequencies(cli, graphs, edges);
    free(diagonal);
    return code;
}

int dcpn_cli_edges_take_joined(const struct cli *cli, const dcpn_neighbours *n, struct edge_list *edges)
{
    *edges = (struct edge_list){
        .variables = n->variables, .count = n->edge_count, .names = (const char *const *)n->names};
    edges->first = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->first);
    edges->second = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->second);
    edges->value = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->value);
    edges->partial = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->partial);
    edges->of_second = dcpn_cli_allocate(cli, edges->count + 1, sizeof *edges->of_second);
    if (!edges->first || !edges->second || !edges->value || !edges->partial || !edges->of_second)
        return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t e = 0; e < edges->count; e++) {
        edges->first[e] = n->edges[e].first;
        edges->second[e] = n->edges[e].second;
        edges->partial[e] = n->edges[e].weight;
        edges->value[e] = n->edges[e].of_first;
        edges->of_second[e] = n->edges[e].of_second;
    }
    return 0;
}

void dcpn_cli_edges_free(struct edge_list *edges)
{
    free(edges->first);
    free(edges->second);
    free(edges->value);
    free(edges->partial);
    free(edges->of_second);
    free(edges->frequency);
}

void dcpn_cli_variable_name(const struct edge_list *edges, int64_t variable, char *room, size_t size)
{
    if (edges->names)
        snprintf(room, size, "%s", edges->names[variable]);
    else
        snprintf(room, size, "%lld", (long long)variable + 1);
}
