/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of graphs, completed matrices and factors: what they have in common. */
#ifndef DCPN_CLI_SHEET_H
#define DCPN_CLI_SHEET_H

#include "command.h"

#include "plot/figure.h"

#include <stdio.h>

struct sheet {
    FILE *out;
    const struct cli *cli;
    const char *subject; /* what the page is about: a file */
};

/* Prints the page and returns the exit code. The stream is asked for errors afterwards. */
typedef int sheet_print(const struct sheet *sheet, const void *user);

/* Writes a page that appears complete or not at all. Returns the exit code. */
int dcpn_cli_sheet_write(const struct cli *cli, const char *path, const char *subject, sheet_print *print,
                         const void *user);

/* The head, which stays open for facts and warnings until the next function closes it; the end. */
void dcpn_cli_sheet_begin(const struct sheet *sheet, const char *kind, const char *lead);
void dcpn_cli_sheet_fact(const struct sheet *sheet, const char *name, const char *value, const char *small);
/* What the certificate says, as a fact, and with a warning of a run that ended elsewhere. */
void dcpn_cli_sheet_outcome(const struct sheet *sheet, const char *name, dcpn_outcome outcome, double violation,
                            double goal);
void dcpn_cli_sheet_end_head(const struct sheet *sheet);
void dcpn_cli_sheet_end(const struct sheet *sheet);

void dcpn_cli_sheet_section(const struct sheet *sheet, const char *heading);
void dcpn_cli_sheet_end_section(const struct sheet *sheet);
/* A figure for wide screens and one for narrow ones. */
void dcpn_cli_sheet_figure(const struct sheet *sheet, const struct figure *figure, const char *caption);
void dcpn_cli_sheet_text(const struct sheet *sheet, const char *text);
/* A number with a proper minus, or a dash if it is not known. */
void dcpn_cli_sheet_number(const struct sheet *sheet, double number, int digits);
/* A cell of a table, and one with a bar as long as the share of it, to the left if it is negative. */
void dcpn_cli_sheet_cell(const struct sheet *sheet, double number, int digits);
void dcpn_cli_sheet_bar(const struct sheet *sheet, double share);

/* The pages. The texts are what the data are called. */
struct edge_list;
struct graph_sheet {
    const dcpn_graphs *graphs;         /* NULL: one variable at a time */
    const dcpn_neighbours *neighbours; /* NULL: Gaussian */
    const struct edge_list *edges;
};
sheet_print dcpn_cli_sheet_graph;

sheet_print dcpn_cli_sheet_completion; /* of a dcpn_completion */

struct factor_sheet {
    const dcpn_factors *factors;
    const char *const *names; /* of the features; NULL: none */
    int64_t image_rows, image_columns; /* of atoms; 0: they are no images */
};
sheet_print dcpn_cli_sheet_factors;

#endif
