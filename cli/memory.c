/* SPDX-License-Identifier: BSD-3-Clause */
/* --max-memory: a size with a unit, or a share of what the machine or the cgroup has. */
#include "memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The factor of a unit (K, M, G, T, each also with B or iB behind it); 0 if there is no such unit. */
static double factor_of(const char *unit)
{
    static const char letters[] = "KkMmGgTt";
    const char *letter = *unit ? strchr(letters, *unit) : NULL;
    if (!*unit || strcasecmp(unit, "B") == 0) return 1.0;
    if (!letter || (unit[1] && strcasecmp(unit + 1, "B") != 0 && strcasecmp(unit + 1, "iB") != 0)) return 0.0;
    return ldexp(1.0, 10 * (int)((letter - letters) / 2 + 1));
}

static int refuse(const struct cli *cli, const char *text)
{
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--max-memory: found '%s', expected a size like 500M, 4G or 50%% (of the machine), or none",
                         text);
}

static int set_limit(const struct cli *cli, const char *text)
{
    char *unit;
    double number = strtod(text, &unit), machine = (double)dcpn_machine_memory();
    int is_share = strcmp(unit, "%") == 0;
    double bytes = is_share ? number / 100.0 * machine : number * factor_of(unit);
    if (unit == text || !(number > 0.0) || (!is_share && !(bytes >= 1.0))) return refuse(cli, text);
    if (!(bytes < 9e18)) bytes = 9e18;
    dcpn_context_set_memory_limit(cli->context, (size_t)bytes); /* 0, no limit, where the machine does not tell */
    return 0;
}

int dcpn_cli_limit_memory(const struct cli *cli)
{
    const char *text = cli->max_memory ? cli->max_memory : DCPN_CLI_USUAL_SHARE;
    if (strcmp(text, "none") != 0) return set_limit(cli, text);
    dcpn_context_set_memory_limit(cli->context, 0);
    return 0;
}
