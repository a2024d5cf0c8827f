/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a graph: the drawing, its matrix, the edges, and how lambda was chosen. */
#include "sheet.h"

#include "graph_tables.h"
#include "plural.h"

#include "plot/network_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 40, WIDE_SIDE = 720, NARROW_SIDE = 300 };

static double of_point(const dcpn_graphs *graphs, int64_t k, const char *field)
{
    dcpn_value value = {0};
    return dcpn_graphs_get_of_point(graphs, k, field, &value) ? value.real : (double)NAN;
}

static double of_chosen(const struct graph_sheet *g, const char *field)
{
    return of_point(g->graphs, dcpn_graphs_chosen(g->graphs), field);
}

/* ---- the head ---- */

static void print_gaussian_facts(const struct sheet *sheet, const struct graph_sheet *g)
{
    char value[60], small[60];
    dcpn_value penalty = {0};
    dcpn_graphs_get(g->graphs, "penalty", &penalty);
    snprintf(value, sizeof value, "%.4g", of_chosen(g, "lambda"));
    snprintf(small, sizeof small, "penalty %s", penalty.text);
    dcpn_cli_sheet_fact(sheet, "lambda", value, small);
    if (isfinite(of_chosen(g, "cv_mean"))) {
        snprintf(value, sizeof value, "%.6g", of_chosen(g, "cv_mean"));
        snprintf(small, sizeof small, "\xC2\xB1 %.2g", of_chosen(g, "cv_se"));
        dcpn_cli_sheet_fact(sheet, "loss of rows held out", value, small);
    } else if (isfinite(of_chosen(g, "ebic"))) {
        snprintf(value, sizeof value, "%.6g", of_chosen(g, "ebic"));
        dcpn_cli_sheet_fact(sheet, "EBIC", value, NULL);
    }
    snprintf(value, sizeof value, "%.0f", of_chosen(g, "components"));
    dcpn_cli_sheet_fact(sheet, "parts that no edge joins", value, NULL);
    dcpn_cli_sheet_outcome(sheet, "certificate", (dcpn_outcome)(int)of_chosen(g, "outcome"), of_chosen(g, "violation"),
                           of_chosen(g, "goal"));
}

static void print_node_facts(const struct sheet *sheet, const dcpn_neighbours *n)
{
    int64_t worst = 0, logistic = 0;
    dcpn_outcome outcome = DCPN_CONVERGED;
    double most = -1.0;
    char value[40], small[60];
    for (int64_t i = 0; i < n->variables; i++) {
        const dcpn_result *fit = &n->fits[i].fit;
        double share = fit->stationarity / fmax(fit->stationarity_goal, 1e-300);
        if (share > most) most = share, worst = i;
        if (!dcpn_has_converged(fit->outcome)) outcome = fit->outcome;
        logistic += strcmp(n->fits[i].loss, "logistic") == 0;
    }
    snprintf(value, sizeof value, "%lld", (long long)n->variables);
    snprintf(small, sizeof small, "%lld logistic, %lld squared", (long long)logistic,
             (long long)(n->variables - logistic));
    dcpn_cli_sheet_fact(sheet, "fits, one for each variable", value, small);
    dcpn_cli_sheet_outcome(sheet, "certificate", outcome, n->fits[worst].fit.stationarity,
                           n->fits[worst].fit.stationarity_goal);
}

static void print_head(const struct sheet *sheet, const struct graph_sheet *g)
{
    const struct edge_list *edges = g->edges;
    char lead[200], value[40], small[60];
    double pairs = 0.5 * (double)edges->variables * (double)(edges->variables - 1);
    snprintf(lead, sizeof lead, "%lld pair%s of %lld variables depend%s on one another when all others are known.",
             (long long)edges->count, dcpn_cli_plural(edges->count), (long long)edges->variables,
             edges->count == 1 ? "s" : "");
    dcpn_cli_sheet_begin(sheet, g->graphs ? "Gaussian graph" : "graph of single fits", lead);
    snprintf(value, sizeof value, "%lld", (long long)edges->count);
    snprintf(small, sizeof small, "of %.0f pairs", pairs);
    dcpn_cli_sheet_fact(sheet, "edges", value, small);
    if (g->graphs)
        print_gaussian_facts(sheet, g);
    else
        print_node_facts(sheet, g->neighbours);
    dcpn_cli_sheet_end_head(sheet);
}

/* ---- the drawings ---- */

static void draw(const struct sheet *sheet, const struct network *network, const struct network_layout *layout,
                 enum network_part part, const char *caption)
{
    fputs("<figure>\n<div class=\"wide\">\n", sheet->out);
    dcpn_network_draw(sheet->out, network, layout, part, WIDE_SIDE);
    fputs("</div>\n<div class=\"narrow\">\n", sheet->out);
    dcpn_network_draw(sheet->out, network, layout, part, NARROW_SIDE);
    fputs("</div>\n<figcaption>", sheet->out);
    dcpn_cli_sheet_text(sheet, caption);
    fputs("</figcaption>\n</figure>\n", sheet->out);
}

static int print_drawings(const struct sheet *sheet, const struct graph_sheet *g)
{
    const struct edge_list *edges = g->edges;
    const struct network network = {.vertices = edges->variables,
                                    .edges = edges->count,
                                    .names = edges->names,
                                    .from = edges->first,
                                    .to = edges->second,
                                    .weight = edges->partial};
    if (edges->count == 0) return 0;
    struct network_layout layout;
    if (!dcpn_network_layout(&network, &layout)) {
        dcpn_network_layout_free(&layout);
        return dcpn_cli_fail(sheet->cli, DCPN_MEMORY, "out of memory");
    }
    dcpn_cli_sheet_section(sheet, "The graph");
    draw(sheet, &network, &layout, DCPN_NETWORK_GRAPH,
         "Width and strength are the size of an edge; blue is positive, orange negative. Variables without an edge are "
         "left out. Pointing at a variable shows its name.");
    dcpn_cli_sheet_end_section(sheet);
    dcpn_cli_sheet_section(sheet, "The same as a matrix");
    draw(sheet, &network, &layout, DCPN_NETWORK_MATRIX,
         "Variables that belong together stand beside one another, so that groups are blocks.");
    dcpn_cli_sheet_end_section(sheet);
    dcpn_network_layout_free(&layout);
    return 0;
}

/* ---- the edges ---- */

struct by_size {
    double size;
    int64_t edge;
};

static int compare(const void *a, const void *b)
{
    const struct by_size *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static void print_edge(const struct sheet *sheet, const struct edge_list *edges, int64_t e, double largest)
{
    char name[160];
    fputs("<tr><th>", sheet->out);
    dcpn_cli_variable_name(edges, edges->first[e], name, sizeof name);
    dcpn_cli_sheet_text(sheet, name);
    fputs("</th><th>", sheet->out);
    dcpn_cli_variable_name(edges, edges->second[e], name, sizeof name);
    dcpn_cli_sheet_text(sheet, name);
    fputs("</th>", sheet->out);
    dcpn_cli_sheet_cell(sheet, edges->partial[e], 3);
    if (edges->frequency) dcpn_cli_sheet_cell(sheet, edges->frequency[e], 2);
    dcpn_cli_sheet_bar(sheet, largest > 0.0 ? edges->partial[e] / largest : 0.0);
    fputs("</tr>\n", sheet->out);
}

static int print_edges(const struct sheet *sheet, const struct graph_sheet *g)
{
    const struct edge_list *edges = g->edges;
    int64_t shown = edges->count < MOST_EDGES ? edges->count : MOST_EDGES;
    struct by_size *order = dcpn_cli_allocate(sheet->cli, edges->count + 1, sizeof *order);
    if (!order) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t e = 0; e < edges->count; e++) order[e] = (struct by_size){fabs(edges->partial[e]), e};
    qsort(order, (size_t)edges->count, sizeof *order, compare);
    dcpn_cli_sheet_section(sheet, "The strongest edges");
    fprintf(sheet->out, "<div class=\"scroll\">\n<table class=\"model\">\n<caption>%lld of %lld</caption>\n",
            (long long)shown, (long long)edges->count);
    fprintf(sheet->out,
            "<thead><tr><th>variable</th><th>and</th><th class=\"number\">%s</th>%s<th></th></tr></thead>\n",
            g->graphs ? "partial correlation" : "weight",
            edges->frequency ? "<th class=\"number\">in halves of the rows</th>" : "");
    fputs("<tbody>\n", sheet->out);
    for (int64_t k = 0; k < shown; k++) print_edge(sheet, edges, order[k].edge, order[0].size);
    fputs("</tbody>\n</table>\n</div>\n", sheet->out);
    dcpn_cli_sheet_end_section(sheet);
    free(order);
    return 0;
}

/* ---- the path ---- */

static void draw_criterion(const struct sheet *sheet, const struct graph_sheet *g, const char *field, const char *label,
                           const char *spread, double *numbers)
{
    int64_t count = dcpn_graphs_count(g->graphs);
    double *lambda = numbers, *value = numbers + count, *deviation = value + count;
    for (int64_t k = 0; k < count; k++) {
        lambda[k] = of_point(g->graphs, k, "lambda");
        value[k] = of_point(g->graphs, k, field);
        deviation[k] = spread ? of_point(g->graphs, k, spread) : 0.0;
    }
    const struct figure_series series = {.name = "",
                                         .count = (size_t)count,
                                         .x = lambda,
                                         .y = value,
                                         .deviation = spread ? deviation : NULL,
                                         .look = DCPN_FIGURE_DOTS};
    const struct figure_mark mark = {of_chosen(g, "lambda"), "chosen"};
    const struct figure figure = {.title = "How lambda was chosen",
                                  .x_label = "lambda",
                                  .y_label = label,
                                  .x_log = 1,
                                  .x_falling = 1,
                                  .series_count = 1,
                                  .series = &series,
                                  .mark_count = 1,
                                  .marks = &mark};
    dcpn_cli_sheet_figure(sheet, &figure, spread ? "The least value is chosen; bars are standard errors of the folds."
                                                 : "The least value is chosen among those that were fitted.");
}

static void print_point(const struct sheet *sheet, const dcpn_graphs *graphs, int64_t k)
{
    fprintf(sheet->out, "<tr%s>", k == dcpn_graphs_chosen(graphs) ? " class=\"chosen\"" : "");
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "lambda"), 4);
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "edges"), 9);
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "objective"), 7);
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "ebic"), 7);
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "cv_mean"), 6);
    dcpn_cli_sheet_cell(sheet, of_point(graphs, k, "violation"), 2);
    fprintf(sheet->out, "<td>%s</td></tr>\n",
            dcpn_outcome_name((dcpn_outcome)(int)of_point(graphs, k, "outcome")));
}

static void print_points(const struct sheet *sheet, const dcpn_graphs *graphs)
{
    fputs("<details><summary>All lambdas</summary>\n<div class=\"scroll\">\n<table>\n<thead><tr>"
          "<th class=\"number\">lambda</th>"
          "<th class=\"number\">edges</th><th class=\"number\">objective</th><th class=\"number\">EBIC</th><th "
          "class=\"number\">held out</th><th class=\"number\">certificate</th><th>outcome</th></tr></thead>\n<tbody>\n",
          sheet->out);
    for (int64_t k = 0; k < dcpn_graphs_count(graphs); k++) print_point(sheet, graphs, k);
    fputs("</tbody>\n</table>\n</div>\n</details>\n", sheet->out);
}

static int print_path(const struct sheet *sheet, const struct graph_sheet *g)
{
    if (!g->graphs || dcpn_graphs_count(g->graphs) < 2) return 0;
    double *numbers = dcpn_cli_allocate(sheet->cli, 3 * dcpn_graphs_count(g->graphs), sizeof *numbers);
    if (!numbers) return dcpn_status_exit_code(DCPN_MEMORY);
    dcpn_cli_sheet_section(sheet, "How lambda was chosen");
    if (isfinite(of_chosen(g, "cv_mean")))
        draw_criterion(sheet, g, "cv_mean", "loss of rows held out", "cv_se", numbers);
    else
        draw_criterion(sheet, g, "ebic", "EBIC", NULL, numbers);
    print_points(sheet, g->graphs);
    dcpn_cli_sheet_end_section(sheet);
    free(numbers);
    return 0;
}

int dcpn_cli_sheet_graph(const struct sheet *sheet, const void *user)
{
    const struct graph_sheet *g = user;
    print_head(sheet, g);
    int code = print_drawings(sheet, g);
    if (!code) code = print_edges(sheet, g);
    if (!code) code = print_path(sheet, g);
    dcpn_cli_sheet_end(sheet);
    return code;
}
