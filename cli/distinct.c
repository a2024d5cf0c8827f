/* SPDX-License-Identifier: BSD-3-Clause */
/* Outputs that would destroy an input, or one another, are refused before anything is opened. */
#include "distinct.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int dcpn_cli_is_standard_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder of a file that is not there yet, as the system calls it; NULL if there is none. */
static char *folder_of(const char *path)
{
    size_t length = (size_t)(last_part(path) - path);
    char *folder = length ? strndup(path, length) : strdup(".");
    char *resolved = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return resolved;
}

static int is_same_place(const char *first, const char *second)
{
    if (strcmp(last_part(first), last_part(second)) != 0) return 0;
    char *a = folder_of(first), *b = folder_of(second);
    int is_same = a && b ? strcmp(a, b) == 0 : strcmp(first, second) == 0;
    free(a);
    free(b);
    return is_same;
}

/* Do both names lead to the same regular file or, if it is not there yet, to the same place? */
static int is_same_file(const char *first, const char *second)
{
    struct stat a, b;
    if (!first || !second || dcpn_cli_is_standard_stream(first) || dcpn_cli_is_standard_stream(second)) return 0;
    int first_exists = stat(first, &a) == 0, second_exists = stat(second, &b) == 0;
    if (!first_exists && !second_exists) return is_same_place(first, second);
    return first_exists && second_exists && S_ISREG(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void dcpn_cli_add_file(const char **files, const char *file)
{
    while (*files) files++;
    *files = file;
}

int dcpn_cli_check_distinct(const struct cli *cli, const struct cli_files *files)
{
    int writers = 0;
    for (int i = 0; i < DCPN_CLI_MOST_FILES; i++) writers += dcpn_cli_is_standard_stream(files->writes[i]);
    if (writers > 1)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "%d outputs want standard output; only one can have it: give the others "
                             "a file",
                             writers);
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
