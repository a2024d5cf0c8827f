/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs for other programs: a list of edges, GraphML, a picture. */
#include "graph_tables.h"

#include "coefficients.h"
#include "plot/network.h"
#include "plot/text.h"
#include "predict_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void dcpn_cli_edges_print_strongest(FILE *stream, const struct edge_list *edges)
{
    enum { SHOWN = 5 };
    int64_t best[SHOWN], count = 0;
    for (int64_t e = 0; e < edges->count; e++) {
        int64_t at = count < SHOWN ? count++ : SHOWN - 1;
        if (at == SHOWN - 1 && count == SHOWN && e >= SHOWN &&
            fabs(edges->partial[e]) <= fabs(edges->partial[best[at]]))
            continue;
        for (; at > 0 && fabs(edges->partial[e]) > fabs(edges->partial[best[at - 1]]); at--) best[at] = best[at - 1];
        best[at] = e;
    }
    for (int64_t k = 0; k < count; k++) {
        char first[128], second[128];
        dcpn_cli_variable_name(edges, edges->first[best[k]], first, sizeof first);
        dcpn_cli_variable_name(edges, edges->second[best[k]], second, sizeof second);
        fputs(k ? "              " : "strongest     ", stream);
        dcpn_cli_print_name(stream, first, 30);
        fputs(" - ", stream);
        dcpn_cli_print_name(stream, second, 30);
        fprintf(stream, "  %+.3f", edges->partial[best[k]]);
        if (edges->frequency) fprintf(stream, "  in %.0f%% of the halves", 100.0 * edges->frequency[best[k]]);
        fputc('\n', stream);
    }
}

typedef void print_function(FILE *out, const struct edge_list *edges);

/* Prints the text of a file, and writes the file. */
static int write_by(const struct cli *cli, print_function *print, const struct edge_list *edges, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print(stream, edges);
    int code = fclose(stream) == 0 ? dcpn_cli_write_text(cli, path, text, length)
                                   : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

/* ---- comma-separated values ---- */

static void print_end(FILE *out, const struct edge_list *edges, int64_t variable)
{
    if (edges->names)
        dcpn_cli_print_csv_field(out, edges->names[variable]);
    else
        fprintf(out, "%lld", (long long)variable + 1);
    fputc(',', out);
}

static void print_csv(FILE *out, const struct edge_list *edges)
{
    int by_nodes = edges->of_second != NULL;
    fprintf(out, "first,second,%s%s\n", by_nodes ? "weight,of_first,of_second" : "partial_correlation,precision",
            edges->frequency ? ",stability" : "");
    for (int64_t e = 0; e < edges->count; e++) {
        print_end(out, edges, edges->first[e]);
        print_end(out, edges, edges->second[e]);
        fprintf(out, "%.10g,%.10g", edges->partial[e], edges->value[e]);
        if (by_nodes) fprintf(out, ",%.10g", edges->of_second[e]);
        if (edges->frequency) fprintf(out, ",%.4g", edges->frequency[e]);
        fputc('\n', out);
    }
}

int dcpn_cli_edges_write(const struct cli *cli, const struct edge_list *edges, const char *path)
{
    return write_by(cli, print_csv, edges, path);
}

/* ---- GraphML ---- */

static void print_keys(FILE *out, const struct edge_list *edges)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
          "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>\n"
          "  <key id=\"weight\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n",
          out);
    fputs(edges->of_second ? "  <key id=\"of_first\" for=\"edge\" attr.name=\"of_first\" attr.type=\"double\"/>\n"
                             "  <key id=\"of_second\" for=\"edge\" attr.name=\"of_second\" attr.type=\"double\"/>\n"
                           : "  <key id=\"precision\" for=\"edge\" attr.name=\"precision\" attr.type=\"double\"/>\n",
          out);
    if (edges->frequency)
        fputs("  <key id=\"stability\" for=\"edge\" attr.name=\"stability\" attr.type=\"double\"/>\n", out);
}

static void print_graphml(FILE *out, const struct edge_list *edges)
{
    print_keys(out, edges);
    fputs("  <graph edgedefault=\"undirected\">\n", out);
    for (int64_t v = 0; v < edges->variables; v++) {
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)v + 1);
        const char *name = edges->names ? edges->names[v] : number;
        fprintf(out, "    <node id=\"n%lld\"><data key=\"name\">", (long long)v + 1);
        dcpn_figure_text_print(out, name, strlen(name));
        fputs("</data></node>\n", out);
    }
    for (int64_t e = 0; e < edges->count; e++) {
        fprintf(out,
                "    <edge source=\"n%lld\" target=\"n%lld\"><data key=\"weight\">%.10g</data><data "
                "key=\"%s\">%.10g</data>",
                (long long)edges->first[e] + 1, (long long)edges->second[e] + 1, edges->partial[e],
                edges->of_second ? "of_first" : "precision", edges->value[e]);
        if (edges->of_second) fprintf(out, "<data key=\"of_second\">%.10g</data>", edges->of_second[e]);
        if (edges->frequency) fprintf(out, "<data key=\"stability\">%.4g</data>", edges->frequency[e]);
        fputs("</edge>\n", out);
    }
    fputs("  </graph>\n</graphml>\n", out);
}

int dcpn_cli_edges_write_graphml(const struct cli *cli, const struct edge_list *edges, const char *path)
{
    return write_by(cli, print_graphml, edges, path);
}

/* ---- a picture ---- */

int dcpn_cli_edges_draw(const struct cli *cli, const struct edge_list *edges, const char *title, const char *path)
{
    const struct network network = {.title = title,
                                    .vertices = edges->variables,
                                    .edges = edges->count,
                                    .names = edges->names,
                                    .from = edges->first,
                                    .to = edges->second,
                                    .weight = edges->partial};
    return dcpn_cli_check(cli, dcpn_network_write(cli->context, path, &network));
}
