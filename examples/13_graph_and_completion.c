/* SPDX-License-Identifier: BSD-3-Clause */
/* Unknowns that are matrices: the edges of a graph, and a matrix of rank 1 from some of its entries.
 *
 * Eight variables in a chain, each depending on the one before it: l1 lets in false edges to keep the true ones, MCP
 * does not. */
#include <dcpn/dcpn.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 400, VARIABLES = 8, SIDE = 20 };

static void must(dcpn_context *context, dcpn_status status)
{
    if (status == DCPN_OK) return;
    fprintf(stderr, "%s\n", dcpn_last_error(context));
    exit(1);
}

/* About normal, and the same on every machine. */
static double draw(void)
{
    static unsigned long long state = 1;
    double sum = -6.0;
    for (int k = 0; k < 12; k++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        sum += (double)(state >> 33) / 2147483648.0;
    }
    return sum;
}

static double number_of(const dcpn_graphs *graphs, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get_of_point(graphs, dcpn_graphs_chosen(graphs), field, &value);
    return value.real;
}

/* Returns how many edges there are, and how many of them belong to the chain. */
static int find_graph(dcpn_context *context, const dcpn_matrix *X, const char *penalty, int *right)
{
    const dcpn_graph_source source = {.X = X};
    const dcpn_graph_options options = {.lambda_count = 30}; /* EBIC chooses */
    dcpn_settings *settings = NULL;
    dcpn_graphs *graphs = NULL;
    int64_t first[VARIABLES * VARIABLES], second[VARIABLES * VARIABLES];
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_choice(settings, "penalty", penalty));
    must(context, dcpn_settings_set_count(settings, "standardize", 1));
    must(context, dcpn_graphs_fit(context, &source, settings, &options, &graphs));
    int edges = (int)number_of(graphs, "edges");
    must(context, dcpn_graphs_edges(graphs, dcpn_graphs_chosen(graphs), first, second, NULL));
    *right = 0;
    for (int e = 0; e < edges; e++) *right += second[e] == first[e] + 1;
    printf("%-4s %2d edges, %d of the %d true ones; violation %.1g, goal %.1g\n", penalty, edges, *right, VARIABLES - 1,
           number_of(graphs, "violation"), number_of(graphs, "goal"));
    dcpn_graphs_free(graphs);
    dcpn_settings_free(settings);
    return edges;
}

static int show_graphs(dcpn_context *context)
{
    static double values[ROWS * VARIABLES];
    dcpn_matrix *X = NULL;
    int right;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < VARIABLES; j++)
            values[i * VARIABLES + j] = draw() + (j ? 0.6 * values[i * VARIABLES + j - 1] : 0.0);
    must(context,
         dcpn_matrix_dense(context, ROWS, VARIABLES, values, DCPN_FLOAT64, DCPN_ROW_MAJOR, VARIABLES, DCPN_BORROW, &X));
    int with_l1 = find_graph(context, X, "l1", &right), with_mcp = find_graph(context, X, "mcp", &right);
    dcpn_matrix_free(X);
    return right == VARIABLES - 1 && with_mcp <= with_l1;
}

static int show_completion(dcpn_context *context)
{
    double left[SIDE], value[SIDE * SIDE], found;
    int64_t row[SIDE * SIDE], column[SIDE * SIDE], count = 0, last = SIDE - 1;
    dcpn_settings *settings = NULL;
    dcpn_completion *completion = NULL;
    dcpn_value rank = {0};
    for (int i = 0; i < SIDE; i++) left[i] = draw();
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) { /* X_ij = left_i left_j, two in three seen, the last one not */
            if ((i * j + i + j) % 3 == 0 || (i == SIDE - 1 && j == SIDE - 1)) continue;
            row[count] = i;
            column[count] = j;
            value[count++] = left[i] * left[j];
        }
    must(context, dcpn_settings_new(context, 0, &settings));
    must(context, dcpn_settings_set_all(settings, "penalty=mcp lambda=0.5"));
    const dcpn_entries entries = {SIDE, SIDE, count, row, column, value};
    must(context, dcpn_completion_fit(context, &entries, settings, NULL, &completion));
    must(context, dcpn_completion_values(completion, 1, &last, &last, &found));
    dcpn_completion_get(completion, "rank", &rank);
    double truth = left[SIDE - 1] * left[SIDE - 1];
    printf("%lld of %d entries seen: rank %lld; one that was not is %.4f, found %.4f\n", (long long)count, SIDE * SIDE,
           (long long)rank.count, truth, found);
    dcpn_completion_free(completion);
    dcpn_settings_free(settings);
    return rank.count == 1 && found > truth - 0.01 && found < truth + 0.01;
}

int main(void)
{
    dcpn_context *context = dcpn_context_new(NULL);
    if (!context) return 1;
    int is_right = show_graphs(context);
    is_right &= show_completion(context);
    dcpn_context_free(context);
    return !is_right;
}
