/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs for other programs: a list of edges, GraphML, a picture. */
#ifndef DCPN_CLI_GRAPH_TABLES_H
#define DCPN_CLI_GRAPH_TABLES_H

#include "command.h"

/* The edges of the chosen point, with partial correlations -K_ij / sqrt(K_ii K_jj). */
struct edge_list {
    int64_t variables, count;
    int64_t *first, *second;
    double *value, *partial, *frequency; /* frequency is NULL without subsamples */
    const char *const *names;            /* NULL: none */
};

/* All return the exit code; the list is to be freed in any case. */
int dcpn_cli_edges_take(const struct cli *cli, const dcpn_graphs *graphs, struct edge_list *edges);
void dcpn_cli_edges_free(struct edge_list *edges);
int dcpn_cli_edges_write(const struct cli *cli, const struct edge_list *edges, const char *path);
int dcpn_cli_edges_write_graphml(const struct cli *cli, const struct edge_list *edges, const char *path);
int dcpn_cli_edges_draw(const struct cli *cli, const struct edge_list *edges, const char *title, const char *path);
/* What a variable is called: its name, or its number from 1. */
void dcpn_cli_variable_name(const struct edge_list *edges, int64_t variable, char *room, size_t size);

/* predict: rows of which numbers are missing, with the conditional expectations of these. */
struct reading_options;
int dcpn_cli_fill_in(const struct cli *cli, const struct reading_options *reading, const char *output);

#endif
