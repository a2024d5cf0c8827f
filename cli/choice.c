/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of the models in a file of results: the options of the commands that take one. */
#include "choice.h"

#include "number_list.h"

int dcpn_cli_choice_words(const struct cli *cli, const struct choice_options *options, dcpn_selection *selection)
{
    *selection = (dcpn_selection){.rule = options->rule,
                                  .penalty = options->penalty,
                                  .has_lambda = options->lambda != NULL,
                                  .has_value = options->shape != NULL};
    int code = dcpn_cli_number(cli, "lambda", options->lambda, 0.0, 1e308, &selection->lambda);
    return code ? code : dcpn_cli_number(cli, "shape", options->shape, 0.0, 1e300, &selection->value);
}
