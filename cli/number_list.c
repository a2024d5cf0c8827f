/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers given on the command line: a list, or the file that has them. */
#include "number_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int dcpn_cli_is_number_list(const char *text)
{
    char *end;
    strtod(text, &end);
    return end != text && (*end == '\0' || *end == ',');
}

static int refuse(const struct cli *cli, const char *option, const char *text)
{
    return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: found '%s', expected numbers separated by commas, or a file of them",
                         option, text);
}

static int parse_list(const struct cli *cli, const char *option, const char *text, struct number_list *list)
{
    int64_t most = 1;
    for (const char *c = text; *c; c++) most += *c == ',';
    list->numbers = dcpn_cli_allocate(cli, most, sizeof *list->numbers);
    if (!list->numbers) return dcpn_status_exit_code(DCPN_MEMORY);
    for (const char *at = text;;) {
        char *end;
        double number = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !isfinite(number)) return refuse(cli, option, text);
        list->numbers[list->count++] = number;
        if (!*end) return 0;
        at = end + 1;
    }
}

/* A copy from malloc, so that both kinds are freed alike. */
static int read_list(const struct cli *cli, const char *text, struct number_list *list)
{
    double *read = NULL;
    int64_t count = 0;
    int code = dcpn_cli_check(cli, dcpn_read_numbers(cli->context, text, &read, &count));
    if (!code && !(list->numbers = dcpn_cli_allocate(cli, count, sizeof *read)))
        code = dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) memcpy(list->numbers, read, (size_t)count * sizeof *read);
    list->count = code ? 0 : count;
    dcpn_free(cli->context, read);
    return code;
}

int dcpn_cli_number_list(const struct cli *cli, const char *option, const char *text, struct number_list *list)
{
    if (!text) return 0;
    int code = dcpn_cli_is_number_list(text) ? parse_list(cli, option, text, list) : read_list(cli, text, list);
    if (!code && list->count == 0) return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: '%s' has no numbers", option, text);
    return code;
}

int dcpn_cli_number(const struct cli *cli, const char *option, const char *text, double low, double high,
                    double *number)
{
    char *end;
    if (!text) return 0;
    double found = strtod(text, &end);
    if (end == text || *end || !(found >= low && found <= high))
        return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: found '%s', expected a number from %g to %g", option, text, low,
                             high);
    *number = found;
    return 0;
}

void dcpn_cli_number_list_free(struct number_list *list)
{
    free(list->numbers);
    *list = (struct number_list){0};
}
