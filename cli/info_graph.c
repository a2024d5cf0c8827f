/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of graphs: how many there are, and what is certified of the chosen one. */
#include "info_graph.h"

#include "json.h"
#include "plural.h"

#include <string.h>

static dcpn_value of_all(const dcpn_graphs *graphs, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get(graphs, field, &value);
    return value;
}

static dcpn_value of_point(const dcpn_graphs *graphs, int64_t point, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get_of_point(graphs, point, field, &value);
    return value;
}

static double chosen(const dcpn_graphs *graphs, const char *field)
{
    return of_point(graphs, dcpn_graphs_chosen(graphs), field).real;
}

static void print_json(const dcpn_graphs *graphs)
{
    static const char *const numbers[] = {"lambda", "objective", "violation", "goal", "edges", "components"};
    dcpn_cli_json_text_member(stdout, "{", "kind", "graph");
    dcpn_cli_json_text_member(stdout, ",", "penalty", of_all(graphs, "penalty").text);
    dcpn_cli_json_count_member(stdout, ",", "variables", dcpn_graphs_variables(graphs));
    dcpn_cli_json_number_member(stdout, ",", "rows", of_all(graphs, "rows").real);
    dcpn_cli_json_count_member(stdout, ",", "lambdas", dcpn_graphs_count(graphs));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        dcpn_cli_json_number_member(stdout, ",", numbers[k], chosen(graphs, numbers[k]));
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name((dcpn_outcome)(int)chosen(graphs, "outcome")));
    puts("}");
}

static void print_text(const dcpn_graphs *graphs)
{
    int64_t variables = dcpn_graphs_variables(graphs), count = dcpn_graphs_count(graphs);
    double rows = of_all(graphs, "rows").real, edges = chosen(graphs, "edges"),
           components = chosen(graphs, "components");
    dcpn_outcome outcome = (dcpn_outcome)(int)chosen(graphs, "outcome");
    printf("graph         %lld variable%s", (long long)variables, dcpn_cli_plural(variables));
    if (rows > 0.0) printf(", of %.10g rows", rows);
    printf("\npenalty       %s, lambda %.10g", of_all(graphs, "penalty").text, chosen(graphs, "lambda"));
    if (count > 1)
        printf(", chosen among %lld from %.6g to %.6g", (long long)count, of_point(graphs, 0, "lambda").real,
               of_point(graphs, count - 1, "lambda").real);
    printf("\nobjective     %.10g  (likelihood %g + penalty %g)\n", chosen(graphs, "objective"),
           chosen(graphs, "likelihood"), chosen(graphs, "penalty_value"));
    printf("edges         %.0f, in %.0f component%s\n", edges, components, components == 1.0 ? "" : "s");
    printf("certificate   %.3g (goal %.3g)\n", chosen(graphs, "violation"), chosen(graphs, "goal"));
    printf("outcome       %s: %s\n", dcpn_outcome_name(outcome), dcpn_outcome_meaning(outcome));
    puts("look at       'dcpn predict' fills in what is missing in other rows");
}

int dcpn_cli_describe_graphs(const struct cli *cli, const char *path, int json)
{
    dcpn_graphs *graphs;
    int code = dcpn_cli_check(cli, dcpn_graphs_read(cli->context, path, &graphs));
    if (!code) (json ? print_json : print_text)(graphs);
    dcpn_graphs_free(graphs);
    return code;
}

/* ---- graphs of single fits ---- */

static void print_joined_json(const dcpn_neighbours *n)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "neighbours");
    dcpn_cli_json_text_member(stdout, ",", "penalty", n->penalty);
    dcpn_cli_json_text_member(stdout, ",", "rule", n->rule == DCPN_NEIGHBOURS_OR ? "or" : "and");
    dcpn_cli_json_count_member(stdout, ",", "variables", n->variables);
    dcpn_cli_json_count_member(stdout, ",", "edges", n->edge_count);
    puts("}");
}

static void print_joined(const dcpn_neighbours *n)
{
    int64_t logistic = 0, worst = 0, ended = 0;
    for (int64_t i = 0; i < n->variables; i++) {
        logistic += strcmp(n->fits[i].loss, "logistic") == 0;
        ended += dcpn_has_converged(n->fits[i].fit.outcome);
        if (n->fits[i].fit.stationarity > n->fits[worst].fit.stationarity) worst = i;
    }
    printf("graph         %lld variable%s, each fitted to all others: %lld logistic, %lld squared\n",
           (long long)n->variables, dcpn_cli_plural(n->variables), (long long)logistic,
           (long long)(n->variables - logistic));
    printf("penalty       %s\n", n->penalty);
    printf("edges         %lld, where %s\n", (long long)n->edge_count,
           n->rule == DCPN_NEIGHBOURS_OR ? "one fit or both keep the other" : "both fits keep each other");
    printf("certificate   %.3g (goal %.3g), the largest of all fits; %lld of %lld converged\n",
           n->fits[worst].fit.stationarity, n->fits[worst].fit.stationarity_goal, (long long)ended,
           (long long)n->variables);
    puts("look at       'dcpn predict' fills in what is missing in other rows");
}

int dcpn_cli_describe_neighbours(const struct cli *cli, const char *path, int json)
{
    dcpn_neighbours *neighbours;
    int code = dcpn_cli_check(cli, dcpn_neighbours_read(cli->context, path, &neighbours));
    if (!code) (json ? print_joined_json : print_joined)(neighbours);
    dcpn_neighbours_free(neighbours);
    return code;
}
