/* SPDX-License-Identifier: BSD-3-Clause */
/* Outputs that would destroy an input, or one another, are refused before anything is opened. */
#include "distinct.h"

#include <string.h>
#include <sys/stat.h>

/* The same regular file, by whatever name, or the same name of a file that is not there yet. */
static int is_same_file(const char *first, const char *second)
{
    struct stat a, b;
    if (!first || !second || strcmp(first, "-") == 0 || strcmp(second, "-") == 0) return 0;
    int first_exists = stat(first, &a) == 0, second_exists = stat(second, &b) == 0;
    if (!first_exists && !second_exists) return strcmp(first, second) == 0;
    return first_exists && second_exists && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int dcpn_cli_check_distinct(const struct cli *cli, const struct cli_files *files)
{
    for (int i = 0; i < DCPN_CLI_MOST_FILES; i++)
        for (int j = 0; j < DCPN_CLI_MOST_FILES; j++) {
            if (is_same_file(files->writes[i], files->reads[j]))
                return dcpn_cli_fail(cli, DCPN_USAGE,
                                     "%s is read and would be overwritten; give the output another name",
                                     files->writes[i]);
            if (i < j && is_same_file(files->writes[i], files->writes[j]))
                return dcpn_cli_fail(cli, DCPN_USAGE, "two outputs go to %s; give one of them another name",
                                     files->writes[i]);
        }
    return 0;
}
