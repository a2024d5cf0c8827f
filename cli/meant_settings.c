/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands to which only some of the settings mean something. */
#include "meant_settings.h"

#include <string.h>

static int is_among(const char *const *list, const char *option)
{
    while (*list && strcmp(*list, option) != 0) list++;
    return *list != NULL;
}

int dcpn_cli_refuse_others(const struct cli *cli, const char *const *meant, const char *sentence)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const char *option = dcpn_setting_at(k)->option;
        if (!is_among(meant, option) && dcpn_cli_is_given(cli, option))
            return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: %s", option, sentence);
    }
    return 0;
}

int dcpn_cli_refuse_two_grids(const struct cli *cli)
{
    int has_grid = dcpn_cli_is_given(cli, "lambdas") || dcpn_cli_is_given(cli, "nlambda");
    if (!has_grid || !dcpn_cli_is_given(cli, "lambda")) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--lambda: one lambda, beside others that are to be chosen from; expected one of both");
}

int64_t dcpn_cli_lambda_count(const struct cli *cli, int64_t listed, int64_t wanted, int64_t standard)
{
    if (listed > 0) return listed;
    if (dcpn_cli_is_given(cli, "lambda")) return 0;
    return wanted > 0 ? wanted : standard;
}
