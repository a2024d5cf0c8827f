/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of a completed matrix: its size and rank, and what is certified. */
#include "info_completion.h"

#include "json.h"

static dcpn_value of(const dcpn_completion *completion, const char *field)
{
    dcpn_value value = {0};
    dcpn_completion_get(completion, field, &value);
    return value;
}

static void print_json(const dcpn_completion *c)
{
    static const char *const counts[] = {"rows", "columns", "rank", "sparse_count"};
    static const char *const numbers[] = {"lambda", "lambda_max", "objective", "violation", "goal", "held_out_error"};
    dcpn_cli_json_text_member(stdout, "{", "kind", "completion");
    dcpn_cli_json_text_member(stdout, ",", "penalty", of(c, "penalty").text);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        dcpn_cli_json_count_member(stdout, ",", counts[k], of(c, counts[k]).count);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        dcpn_cli_json_number_member(stdout, ",", numbers[k], of(c, numbers[k]).real);
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name((dcpn_outcome)of(c, "outcome").count));
    puts("}");
}

static void print_text(const dcpn_completion *c)
{
    dcpn_outcome outcome = (dcpn_outcome)of(c, "outcome").count;
    printf("matrix        %.0f x %.0f, completed\n", of(c, "rows").real, of(c, "columns").real);
    printf("penalty       %s, lambda %.10g; the rank is 0 from %.6g on\n", of(c, "penalty").text, of(c, "lambda").real,
           of(c, "lambda_max").real);
    printf("rank          %.0f\n", of(c, "rank").real);
    if (of(c, "sparse_count").count > 0) printf("sparse part   %.0f entries\n", of(c, "sparse_count").real);
    if (dcpn_completion_tried(c) > 0) printf("held out      an error of %.6g\n", of(c, "held_out_error").real);
    printf("objective     %.10g\n", of(c, "objective").real);
    printf("certificate   %.3g (goal %.3g)\n", of(c, "violation").real, of(c, "goal").real);
    printf("outcome       %s: %s\n", dcpn_outcome_name(outcome), dcpn_outcome_meaning(outcome));
    puts("look at       'dcpn predict' gives values at other places");
}

int dcpn_cli_describe_completion(const struct cli *cli, const char *path, int json)
{
    dcpn_completion *completion;
    int code = dcpn_cli_check(cli, dcpn_completion_read(cli->context, path, &completion));
    if (!code) (json ? print_json : print_text)(completion);
    dcpn_completion_free(completion);
    return code;
}
