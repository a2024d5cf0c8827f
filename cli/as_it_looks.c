/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables that are read as they look: where nobody has said which columns are names of rows or categories, or what gaps
 * count as, the options that the library's refusal advises are taken, and said. `--missing refuse` takes none. */
#include "reading.h"

#include "distinct.h"

#include <stdio.h>
#include <string.h>

enum { ADVICE_LENGTH = 512, MOST_TRIES = 3 };

struct looks {
    char advice[ADVICE_LENGTH]; /* as it is said */
    char words[ADVICE_LENGTH];  /* the same, cut at the blanks */
    char ignore[2 * ADVICE_LENGTH];
};

/* Copies what the last refusal advises; 0: nothing. */
static int find_advice(const char *refusal, char advice[ADVICE_LENGTH])
{
    static const char words[] = "read the table as it looks: ", gap[] = "a missing value, expected a number; --missing";
    const char *found = strstr(refusal, words);
    if (found && strlen(found) < ADVICE_LENGTH)
        snprintf(advice, ADVICE_LENGTH, "%s", found + strlen(words));
    else if (strstr(refusal, gap))
        snprintf(advice, ADVICE_LENGTH, "--missing mean");
    else
        return 0;
    return 1;
}

/* Columns that are left out anyway stay so. */
static void add_ignored(const char *columns, struct reading_options *reading, struct looks *looks)
{
    if (reading->ignore)
        snprintf(looks->ignore, sizeof looks->ignore, "%.*s,%s", ADVICE_LENGTH, reading->ignore, columns);
    else
        snprintf(looks->ignore, sizeof looks->ignore, "%s", columns);
    reading->ignore = looks->ignore;
}

/* Takes the options that are advised, each of which has a value. 0: one of them is not known, or was given. */
static int take_advice(const struct cli *cli, struct reading_options *reading, struct looks *looks)
{
    char *rest = NULL;
    memcpy(looks->words, looks->advice, sizeof looks->words);
    for (char *option = strtok_r(looks->words, " ", &rest); option; option = strtok_r(NULL, " ", &rest)) {
        const char *value = strtok_r(NULL, " ", &rest);
        const char **field = strcmp(option, "--id") == 0            ? &reading->id
                             : strcmp(option, "--categorical") == 0 ? &reading->categorical
                             : strcmp(option, "--missing") == 0     ? &reading->missing
                                                                    : NULL;
        if (value && strcmp(option, "--ignore") == 0)
            add_ignored(value, reading, looks);
        else if (!value || !field || dcpn_cli_is_given(cli, option + 2) || (*field && strcmp(*field, "refuse") != 0))
            return 0;
        else
            *field = value;
    }
    return 1;
}

/* Results name the options as if they had been given; the column of the names of rows by its name, by which `predict`
 * finds it, and all that is ignored, also what was given: the last of several counts. */
static void record(const struct cli *cli, struct looks *looks, const dcpn_dataset *data)
{
    char *rest = NULL;
    memcpy(looks->words, looks->advice, sizeof looks->words);
    for (char *option = strtok_r(looks->words, " ", &rest); option; option = strtok_r(NULL, " ", &rest)) {
        const char *value = strtok_r(NULL, " ", &rest);
        int is_id = strcmp(option, "--id") == 0 && data->id_name;
        dcpn_cli_take_word(cli, option);
        dcpn_cli_take_word(cli, is_id ? data->id_name : strcmp(option, "--ignore") == 0 ? looks->ignore : value);
    }
}

/* A column that was given by its number is recorded by its name as well, which `predict` looks for. */
static void record_id(const struct cli *cli, const char *given, const dcpn_dataset *data)
{
    if (!data->id_name || strcmp(given, data->id_name) == 0) return;
    dcpn_cli_take_word(cli, "--id");
    dcpn_cli_take_word(cli, data->id_name);
}

/* One line, whatever order the refusals came in. */
static void say(const struct cli *cli, const char *path, const struct looks *looks, int tries)
{
    char all[MOST_TRIES * (ADVICE_LENGTH + 1)] = "";
    for (int k = tries - 1; k >= 0; k--) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", used ? " " : "", looks[k].advice);
    }
    if (!cli->is_quiet) dcpn_cli_say(cli, "%s: read as it looks (other options say otherwise): %s", path, all);
}

int dcpn_cli_read_as_it_looks(const struct cli *cli, const char *path, const struct reading_options *options,
                              dcpn_read_options how, dcpn_dataset **data)
{
    struct looks looks[MOST_TRIES];
    int tries = 0;
    struct reading_options reading = *options;
    dcpn_read_options asked = dcpn_cli_read_options(&reading, how);
    int is_once = dcpn_cli_is_standard_stream(path);
    int is_strict = dcpn_cli_is_given(cli, "missing") && options->missing && strcmp(options->missing, "refuse") == 0;
    dcpn_status status = dcpn_read(cli->context, path, &asked, data);
    for (; tries < MOST_TRIES && status == DCPN_DATA && !is_strict && !is_once; tries++) {
        struct looks *look = &looks[tries];
        if (!find_advice(dcpn_last_error(cli->context), look->advice) || !take_advice(cli, &reading, look))
            break;
        asked = dcpn_cli_read_options(&reading, how);
        status = dcpn_read(cli->context, path, &asked, data);
    }
    if (status == DCPN_OK && tries > 0) say(cli, path, looks, tries);
    for (int k = 0; k < tries && status == DCPN_OK; k++) record(cli, &looks[k], *data);
    if (status == DCPN_OK && options->id) record_id(cli, options->id, *data);
    return dcpn_cli_check(cli, status);
}
