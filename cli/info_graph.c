/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of graphs: how many there are, and what is certified of the chosen one. */
#include "info_graph.h"

#include "json.h"
#include "plural.h"

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
