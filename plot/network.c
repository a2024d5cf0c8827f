/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph as SVG. Vertices with an edge repel one another and edges pull theirs together (Fruchterman and Reingold),
 * from places on a circle, for a fixed number of rounds: the same graph gives the same picture. The matrix has its rows
 * in the order of a breadth-first walk, so that what belongs together lies near the diagonal. */
#include "network.h"

#include "figure.h"
#include "network_layout.h"
#include "network_names.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 560, GAP = 40, TOP = 64, BOTTOM = 48, NAMED = 60, MOST_NAME = 128, CELLS = 40000 };
enum { NAME_ROOM = 14 }; /* pixels of its side for each name */

struct canvas {
    FILE *out;
    const struct network *network;
    const struct network_layout *layout;
    double largest; /* |weight| */
    double side;      /* of the graph, and of the matrix */
    double left, top; /* of the matrix; of both */
    int64_t named;    /* as many vertices at most all have names */
};

static const char *name_of(const struct canvas *canvas, int64_t vertex, char name[MOST_NAME])
{
    if (canvas->network->names)
        dcpn_figure_text_shorten(canvas->network->names[vertex], 12.0, name, MOST_NAME);
    else
        snprintf(name, MOST_NAME, "%lld", (long long)vertex + 1);
    return name;
}

static void print_name(const struct canvas *canvas, int64_t vertex)
{
    char text[MOST_NAME];
    const char *name = name_of(canvas, vertex, text);
    dcpn_figure_text_print(canvas->out, name, strlen(name));
}

static double strength(const struct canvas *canvas, int64_t e)
{
    return canvas->largest > 0.0 ? fabs(canvas->network->weight[e]) / canvas->largest : 0.0;
}

static const char *colour(double weight)
{
    return weight < 0.0 ? "c1" : "c0";
}

/* ---- the graph ---- */

static double across(const struct canvas *canvas, int64_t vertex)
{
    return 24.0 + (canvas->side - 48.0) * canvas->layout->x[vertex];
}

static double down(const struct canvas *canvas, int64_t vertex)
{
    return canvas->top + 24.0 + (canvas->side - 48.0) * canvas->layout->y[vertex];
}

static void draw_edges(const struct canvas *canvas)
{
    const struct network *n = canvas->network;
    int is_crowded = n->edges > 400;
    for (int64_t e = 0; e < n->edges; e++) {
        double share = strength(canvas, e);
        fprintf(canvas->out,
                "<line class=\"%s\" stroke=\"currentColor\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                "stroke-width=\"%.2f\" stroke-opacity=\"%.2f\"/>\n",
                colour(n->weight[e]), across(canvas, n->from[e]), down(canvas, n->from[e]), across(canvas, n->to[e]),
                down(canvas, n->to[e]), (is_crowded ? 0.4 : 0.8) + (is_crowded ? 1.2 : 3.2) * share,
                0.25 + 0.75 * share);
    }
}

static void draw_vertices(const struct canvas *canvas)
{
    const struct network *n = canvas->network;
    const struct network_layout *layout = canvas->layout;
    double wanted = layout->shown <= canvas->named ? 5.0 : layout->shown <= 300 ? 3.2 : 2.0,
           radius = wanted * fmin(1.0, 0.4 + 0.6 * canvas->side / SIDE);
    for (int64_t v = 0; v < n->vertices; v++) {
        if (layout->degree[v] == 0) continue;
        fprintf(canvas->out, "<circle class=\"c5\" fill=\"currentColor\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"><title>",
                across(canvas, v), down(canvas, v),
                radius + 0.06 * radius * sqrt((double)layout->degree[v]));
        print_name(canvas, v);
        fprintf(canvas->out, ", %lld edge%s</title></circle>\n", (long long)layout->degree[v],
                layout->degree[v] == 1 ? "" : "s");
    }
}

static int is_named(const struct canvas *canvas, int64_t vertex)
{
    const struct network_layout *layout = canvas->layout;
    return layout->degree[vertex] > 0 && (layout->shown <= canvas->named || layout->rank[vertex] < canvas->named / 3);
}

static int font_size(const struct canvas *canvas)
{
    return canvas->layout->shown > canvas->named ? 10 : 11;
}

static void print_named(const struct canvas *canvas, const struct network_name *name)
{
    fprintf(canvas->out, "<text class=\"halo\" font-size=\"%d\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
            font_size(canvas), name->x, name->y + 0.35 * font_size(canvas));
    print_name(canvas, name->vertex);
    fputs("</text>\n", canvas->out);
}

/* Lists the names in the order of the matrix, so that neighbours are placed one after another. */
static int64_t list_names(const struct canvas *canvas, struct network_name names[NAMED])
{
    const struct network_layout *layout = canvas->layout;
    int64_t count = 0;
    for (int64_t k = 0; k < layout->shown && count < NAMED; k++) {
        char text[MOST_NAME];
        int64_t vertex = layout->order[k];
        if (!is_named(canvas, vertex)) continue;
        const char *name = name_of(canvas, vertex, text);
        double width = dcpn_figure_text_width(name, strlen(name)) * font_size(canvas);
        names[count++] = (struct network_name){.vertex = vertex, .width = width, .height = 1.1 * font_size(canvas)};
    }
    return count;
}

/* Draws the names of all vertices if they are few, else of those with the most edges. Vertices without an edge are
 * not drawn and are treated as far away. */
static void draw_names(const struct canvas *canvas)
{
    int64_t vertices = canvas->network->vertices;
    struct network_name names[NAMED];
    int64_t count = list_names(canvas, names);
    double *at = malloc(2 * (size_t)(vertices > 0 ? vertices : 1) * sizeof *at);
    if (!at) return;
    for (int64_t v = 0; v < vertices; v++) {
        int is_drawn = canvas->layout->degree[v] > 0;
        at[v] = is_drawn ? across(canvas, v) : -1e6;
        at[vertices + v] = is_drawn ? down(canvas, v) : -1e6;
    }
    double right = canvas->left > 0.0 ? canvas->left - GAP / 2 : canvas->side;
    const struct network_vertices drawn = {vertices, at,           at + vertices, 6.0, {0.0, canvas->top},
                                           {right, canvas->top + canvas->side}};
    dcpn_network_place_names(&drawn, count, names);
    for (int64_t k = 0; k < count; k++) print_named(canvas, &names[k]);
    free(at);
}

/* ---- the matrix ---- */

static void draw_cell(const struct canvas *canvas, int64_t row, int64_t column, int64_t e)
{
    double size = canvas->side / (double)(canvas->layout->shown > 0 ? canvas->layout->shown : 1),
           drawn = fmax(size, 2.2);
    fprintf(canvas->out,
            "<rect class=\"%s\" fill=\"currentColor\" fill-opacity=\"%.2f\" x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"/>\n",
            colour(canvas->network->weight[e]), 0.3 + 0.7 * strength(canvas, e), canvas->left + size * (double)column,
            canvas->top + size * (double)row, drawn, drawn);
}

static void draw_matrix(const struct canvas *canvas)
{
    const struct network *n = canvas->network;
    const int64_t *place = canvas->layout->place;
    double left = canvas->left, top = canvas->top, side = canvas->side;
    fprintf(canvas->out,
            "<rect class=\"frame\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"/>\n"
            "<line class=\"frame\" x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\"/>\n",
            left, top, side, side, left, top, left + side, top + side);
    for (int64_t e = 0; e < n->edges; e++) {
        if (2 * n->edges > CELLS && canvas->layout->edge_rank[e] >= CELLS / 2) continue;
        draw_cell(canvas, place[n->from[e]], place[n->to[e]], e);
        draw_cell(canvas, place[n->to[e]], place[n->from[e]], e);
    }
}

/* ---- the whole ---- */

static void draw_words(const struct canvas *canvas)
{
    const struct network *n = canvas->network;
    int64_t lone = n->vertices - canvas->layout->shown;
    fprintf(canvas->out, "<text class=\"title\" x=\"8\" y=\"24\">");
    dcpn_figure_text_print(canvas->out, n->title ? n->title : "", n->title ? strlen(n->title) : 0);
    fprintf(canvas->out,
            "</text>\n<text class=\"label\" x=\"8\" y=\"48\">%lld edge%s among %lld of %lld vertices</text>\n",
            (long long)n->edges, n->edges == 1 ? "" : "s", (long long)canvas->layout->shown, (long long)n->vertices);
    fprintf(canvas->out, "<text class=\"label\" x=\"%d\" y=\"48\">the same as a matrix%s</text>\n", SIDE + GAP,
            2 * n->edges > CELLS ? ": the strongest edges" : "");
    fprintf(canvas->out,
            "<text x=\"8\" y=\"%d\"><tspan class=\"name c0\">positive</tspan> and <tspan class=\"name c1\">negative"
            "</tspan>, up to %.3g",
            TOP + SIDE + 28, canvas->largest);
    if (lone > 0)
        fprintf(canvas->out, "; %lld vert%s without an edge %s left out", (long long)lone, lone == 1 ? "ex" : "ices",
                lone == 1 ? "is" : "are");
    fputs("</text>\n", canvas->out);
}

static void begin(const struct canvas *canvas, const char *title, int width, int height)
{
    fprintf(canvas->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dcpn-figure\" role=\"img\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\">\n<title>",
            width, height, width, height);
    dcpn_figure_text_print(canvas->out, title, strlen(title));
    fputs("</title>\n", canvas->out);
}

static void draw(const struct canvas *canvas)
{
    int width = 2 * SIDE + GAP + 8, height = TOP + SIDE + BOTTOM;
    begin(canvas, canvas->network->title ? canvas->network->title : "", width, height);
    fprintf(canvas->out, "<style>%s</style>\n<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", dcpn_figure_style,
            width, height);
    draw_words(canvas);
    draw_edges(canvas);
    draw_vertices(canvas);
    draw_names(canvas);
    draw_matrix(canvas);
    fputs("</svg>\n", canvas->out);
}

void dcpn_network_draw(FILE *stream, const struct network *network, const struct network_layout *layout,
                       enum network_part part, int side)
{
    struct canvas canvas = {
        .out = stream, .network = network, .layout = layout, .side = side - 2, .left = 1.0, .top = 1.0};
    canvas.named = side / NAME_ROOM < NAMED ? side / NAME_ROOM : NAMED;
    for (int64_t e = 0; e < network->edges; e++) canvas.largest = fmax(canvas.largest, fabs(network->weight[e]));
    begin(&canvas, part == DCPN_NETWORK_GRAPH ? "The graph" : "The matrix of the graph", side, side);
    fprintf(stream, "<desc>%lld edges among %lld of %lld vertices.</desc>\n", (long long)network->edges,
            (long long)layout->shown, (long long)network->vertices);
    if (part == DCPN_NETWORK_GRAPH) {
        canvas.left = 0.0;
        draw_edges(&canvas);
        draw_vertices(&canvas);
        draw_names(&canvas);
    } else {
        draw_matrix(&canvas);
    }
    fputs("</svg>\n", stream);
}

static dcpn_status write_drawing(dcpn_context *context, const char *path, struct canvas *canvas)
{
    char *text = NULL;
    size_t length = 0;
    canvas->out = open_memstream(&text, &length);
    int is_whole = canvas->out != NULL;
    if (canvas->out) {
        draw(canvas);
        is_whole = !ferror(canvas->out);
        is_whole &= fclose(canvas->out) == 0;
    }
    dcpn_status status = dcpn_write_text(context, path, is_whole ? text : NULL, length);
    free(text);
    return status;
}

dcpn_status dcpn_network_write(dcpn_context *context, const char *path, const struct network *network)
{
    struct network_layout layout;
    struct canvas canvas = {
        .network = network, .layout = &layout, .side = SIDE, .left = SIDE + GAP, .top = TOP, .named = NAMED};
    for (int64_t e = 0; e < network->edges; e++) canvas.largest = fmax(canvas.largest, fabs(network->weight[e]));
    if (!dcpn_network_layout(network, &layout)) {
        dcpn_network_layout_free(&layout);
        return dcpn_write_text(context, path, NULL, 0); /* which says that memory is short */
    }
    dcpn_status status = write_drawing(context, path, &canvas);
    dcpn_network_layout_free(&layout);
    return status;
}
