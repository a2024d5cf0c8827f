/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs for other programs: a list of edges, GraphML, a picture. */
#ifndef DCPN_CLI_GRAPH_TABLES_H
#define DCPN_CLI_GRAPH_TABLES_H

#include "command.h"

#include <stdio.h>

/* The edges of the chosen point, with partial correlations -K_ij / sqrt(K_ii K_jj). Of a graph that was made one
 * variable at a time `partial` are the weights, and `value` and of_second the coefficients in the fits of the first
 * variable and of the second. */
struct edge_list {
    int64_t variables, count;
    int64_t *first, *second;
    double *value, *partial, *of_second; /* of_second is NULL of a Gaussian graph, */
    double *frequency;                   /* frequency without subsamples */
    const char *const *names;            /* NULL: none */
};

/* The following functions return the exit code. The list is to be freed in any case. */
int dcpn_cli_edges_take(const struct cli *cli, const dcpn_graphs *graphs, struct edge_list *edges);
int dcpn_cli_edges_take_joined(const struct cli *cli, const dcpn_neighbours *neighbours, struct edge_list *edges);
void dcpn_cli_edges_free(struct edge_list *edges);
int dcpn_cli_edges_write(const struct cli *cli, const struct edge_list *edges, const char *path);
int dcpn_cli_edges_write_graphml(const struct cli *cli, const struct edge_list *edges, const char *path);
int dcpn_cli_edges_draw(const struct cli *cli, const struct edge_list *edges, const char *title, const char *path);
void dcpn_cli_edges_print_strongest(FILE *stream, const struct edge_list *edges);
/* Writes what a variable is called: its name, or its number from 1. */
void dcpn_cli_variable_name(const struct edge_list *edges, int64_t variable, char *room, size_t size);

/* predict: rows of which numbers are missing, with the conditional expectations of these. */
struct reading_options;
int dcpn_cli_fill_in(const struct cli *cli, const struct reading_options *reading, const char *output);

#endif
