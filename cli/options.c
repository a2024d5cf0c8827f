/* SPDX-License-Identifier: BSD-3-Clause */
/* Options: the parser over a command's table and the library's settings. */
#include "options.h"

#include "command.h"
#include "help.h"
#include "memory.h"
#include "suggestion.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    struct cli *cli;
    int argc, next;
    char **argv;
    void *target;
    dcpn_settings *settings;
};

static int is_word_of(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (const char *choice = choices; choice; choice = strchr(choice, '|')) {
        choice += *choice == '|';
        if (strcspn(choice, "|") == length && strncmp(choice, word, length) == 0) return 1;
    }
    return 0;
}

static int store_whole(const struct cli *cli, const struct cli_option *option, int64_t *target, const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end || errno || number < option->low || number > option->high)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: found '%s', expected a whole number from %lld to %lld",
                             option->name, text, (long long)option->low, (long long)option->high);
    *target = number;
    return 0;
}

static int refuse_word(const struct cli *cli, const struct cli_option *option, const char *text)
{
    const char *hint = dcpn_cli_suggestion_value(option->name, text);
    return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: found '%s', expected one of %s%s%s", option->name, text,
                         option->choices, hint ? "; " : "", hint ? hint : "");
}

static int store(const struct cli *cli, const struct cli_option *option, void *options, const char *text)
{
    void *target = (char *)options + option->offset;
    switch (option->kind) {
    case DCPN_CLI_KIND_FLAG:
        *(int *)target = text != NULL;
        return 0;
    case DCPN_CLI_KIND_WHOLE:
        return store_whole(cli, option, target, text);
    case DCPN_CLI_KIND_WORD:
        if (text && !is_word_of(option->choices, text)) return refuse_word(cli, option, text);
        break;
    case DCPN_CLI_KIND_TEXT:
        break;
    }
    *(const char **)target = text;
    return 0;
}

/* The default of a whole number may lie outside its range: "not given". */
static void store_defaults(const struct parser *parser)
{
    for (const struct cli_option *option = parser->cli->command->options; option->name; option++) {
        if (option->kind == DCPN_CLI_KIND_WHOLE)
            *(int64_t *)(void *)((char *)parser->target + option->offset) = strtoll(option->default_text, NULL, 10);
        else
            store(parser->cli, option, parser->target, option->default_text);
    }
    dcpn_settings (*settings)(void) = parser->cli->command->settings;
    if (parser->settings) *parser->settings = settings ? settings() : dcpn_settings_default();
}

const struct cli_option dcpn_cli_common_options[] = {
    DCPN_CLI_TEXT("max-memory", 0, "SIZE", offsetof(struct cli, max_memory), DCPN_CLI_USUAL_SHARE,
                  "most memory: 500M, 4G, none, or a share of the machine's"),
    DCPN_CLI_END,
};

static const struct cli_option *find_option(const struct cli_option *table, const char *name, size_t length,
                                            char letter)
{
    for (const struct cli_option *option = table; option->name; option++) {
        if (letter && option->letter == letter) return option;
        if (!letter && strlen(option->name) == length && memcmp(option->name, name, length) == 0) return option;
    }
    return NULL;
}

static const dcpn_setting *find_setting(const char *name, size_t length)
{
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        if (strlen(setting->option) == length && memcmp(setting->option, name, length) == 0) return setting;
    }
    return NULL;
}

static int is_known(const struct parser *parser, const char *name)
{
    size_t length = strlen(name);
    return find_option(parser->cli->command->options, name, length, 0) ||
           find_option(dcpn_cli_common_options, name, length, 0) || (parser->settings && find_setting(name, length));
}

static int is_about_checkpoints(const char *name, size_t length)
{
    static const char *const names[] = {"checkpoint", "checkpoint-every", "resume"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (length == strlen(names[k]) && memcmp(name, names[k], length) == 0) return 1;
    return 0;
}

static int unknown_option(const struct parser *parser, const char *word, size_t length)
{
    const struct cli_command *command = parser->cli->command;
    struct suggestion suggestion = {.wanted = word + 2, .length = length - 2};
    const char *here = dcpn_cli_suggestion_elsewhere(word + 2, length - 2);
    const char *explained = dcpn_cli_suggestion_explained(word + 2, length - 2);
    if (command->no_checkpoint && is_about_checkpoints(word + 2, length - 2))
        return dcpn_cli_fail(parser->cli, DCPN_USAGE, "%.*s: found with 'dcpn %s', which saves no checkpoints: %s",
                             (int)length, word, command->name, command->no_checkpoint);
    if (explained)
        return dcpn_cli_fail(parser->cli, DCPN_USAGE, "unknown option '%.*s': %s", (int)length, word, explained);
    for (size_t i = 0; parser->settings && i < dcpn_setting_count(); i++)
        dcpn_cli_suggestion_consider(&suggestion, dcpn_setting_at(i)->option);
    for (const struct cli_option *option = command->options; option->name; option++)
        dcpn_cli_suggestion_consider(&suggestion, option->name);
    for (const struct cli_option *option = dcpn_cli_common_options; option->name; option++)
        dcpn_cli_suggestion_consider(&suggestion, option->name);
    dcpn_cli_suggestion_consider(&suggestion, "help");
    if (here && is_known(parser, here)) suggestion.best = here;
    if (suggestion.best)
        return dcpn_cli_fail(parser->cli, DCPN_USAGE, "unknown option '%.*s'; did you mean --%s?", (int)length, word,
                             suggestion.best);
    return dcpn_cli_fail(parser->cli, DCPN_USAGE, "unknown option '%.*s'; see 'dcpn %s --help'", (int)length, word,
                         command->name);
}

static int takes_no_value(const struct parser *parser, const char *name, size_t length)
{
    return dcpn_cli_fail(parser->cli, DCPN_USAGE, "--%.*s takes no value", (int)length, name);
}

/* The value of an option: after '=' or the next word. NULL, with the complaint said, if it is missing. */
static const char *take_value(struct parser *parser, const char *shown, int shown_length, const char *inline_value,
                              const char *argument)
{
    if (inline_value) return inline_value;
    if (parser->next < parser->argc) return parser->argv[parser->next++];
    dcpn_cli_fail(parser->cli, DCPN_USAGE, "%.*s needs a value: %s", shown_length, shown, argument);
    return NULL;
}

static void note_given(const struct parser *parser, const char *option)
{
    for (size_t i = 0; i < dcpn_setting_count() && i < 64; i++)
        if (strcmp(dcpn_setting_at(i)->option, option) == 0) parser->cli->given |= UINT64_C(1) << i;
}

static void note_own(const struct parser *parser, const struct cli_option *option)
{
    ptrdiff_t place = option - parser->cli->command->options;
    if (place < 64) parser->cli->given_own |= UINT64_C(1) << place;
}

int dcpn_cli_is_given(const struct cli *cli, const char *name)
{
    const struct cli_option *own = find_option(cli->command->options, name, strlen(name), 0);
    if (own) return own - cli->command->options < 64 && cli->given_own >> (own - cli->command->options) & 1;
    for (size_t i = 0; i < dcpn_setting_count() && i < 64; i++)
        if (strcmp(dcpn_setting_at(i)->option, name) == 0) return cli->given >> i & 1;
    return 0;
}

int dcpn_cli_set(const struct cli *cli, dcpn_settings *settings, const char *option, const char *text)
{
    dcpn_status status = dcpn_settings_set(cli->context, settings, option, text);
    const char *hint = status ? dcpn_cli_suggestion_value(option, text) : NULL;
    if (!hint) return dcpn_cli_check(cli, status);
    return dcpn_cli_fail(cli, status, "--%s: found '%s'; %s", option, text, hint);
}

static int set(const struct parser *parser, const char *option, const char *text)
{
    note_given(parser, option);
    return dcpn_cli_set(parser->cli, parser->settings, option, text);
}

static int parse_setting(struct parser *parser, const char *word, size_t length, const char *value)
{
    const char *name = word + 2;
    size_t name_length = length - 2;
    const dcpn_setting *setting = find_setting(name, name_length);
    if (setting && setting->kind != DCPN_KIND_FLAG) {
        const char *text = take_value(parser, word, (int)length, value, dcpn_cli_setting_argument(setting));
        return text ? set(parser, setting->option, text) : dcpn_status_exit_code(DCPN_USAGE);
    }
    const char *flag_value = "1";
    if (!setting && name_length > 3 && memcmp(name, "no-", 3) == 0) {
        setting = find_setting(name + 3, name_length - 3);
        flag_value = "0";
    }
    if (!setting || setting->kind != DCPN_KIND_FLAG) return unknown_option(parser, word, length);
    return value ? takes_no_value(parser, name, name_length) : set(parser, setting->option, flag_value);
}

static int parse_own(struct parser *parser, const struct cli_option *option, void *target, const char *shown,
                     int shown_length, const char *value)
{
    if (target == parser->target) note_own(parser, option);
    if (option->kind == DCPN_CLI_KIND_FLAG) {
        if (value) return takes_no_value(parser, option->name, strlen(option->name));
        return store(parser->cli, option, target, "1");
    }
    const char *text = take_value(parser, shown, shown_length, value, option->argument);
    return text ? store(parser->cli, option, target, text) : dcpn_status_exit_code(DCPN_USAGE);
}

/* --name, --name=value, --name value. */
static int parse_long(struct parser *parser, const char *word)
{
    size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : NULL;
    const struct cli_option *option = find_option(parser->cli->command->options, word + 2, length - 2, 0);
    if (option) return parse_own(parser, option, parser->target, word, (int)length, value);
    option = find_option(dcpn_cli_common_options, word + 2, length - 2, 0);
    if (option) return parse_own(parser, option, parser->cli, word, (int)length, value);
    if (parser->settings) return parse_setting(parser, word, length, value);
    return unknown_option(parser, word, length);
}

/* -o value, -ovalue; a letter without a value stands alone. */
static int parse_short(struct parser *parser, const char *word)
{
    const struct cli_option *option = find_option(parser->cli->command->options, NULL, 0, word[1]);
    const char *elsewhere = option || !parser->settings ? NULL : dcpn_cli_suggestion_letter(word[1]);
    if (elsewhere) return dcpn_cli_fail(parser->cli, DCPN_USAGE, "unknown option '%s': %s", word, elsewhere);
    if (!option)
        return dcpn_cli_fail(parser->cli, DCPN_USAGE, "unknown option '%s'; see 'dcpn %s --help'", word,
                             parser->cli->command->name);
    if (option->kind == DCPN_CLI_KIND_FLAG && word[2])
        return dcpn_cli_fail(parser->cli, DCPN_USAGE, "'%s': -%c takes no value", word, word[1]);
    return parse_own(parser, option, parser->target, word, 2, word[2] ? word + 2 : NULL);
}

static int check_argument_count(const struct cli *cli)
{
    const struct cli_command *command = cli->command;
    if (cli->argument_count < command->fewest)
        return dcpn_cli_fail(cli, DCPN_USAGE, "found %d arguments, expected %d: dcpn %s %s; see 'dcpn %s --help'",
                             cli->argument_count, command->fewest, command->name, command->arguments, command->name);
    int most = command->most, ranks = dcpn_context_ranks(cli->context);
    if (command->may_have_ranks && ranks > most) most = ranks;
    if (cli->argument_count > most)
        return dcpn_cli_fail(cli, DCPN_USAGE, "'%s' is one argument too many; expected 'dcpn %s %s'",
                             cli->arguments[most], command->name, command->arguments);
    return DCPN_CLI_GO_ON;
}

/* Sorts one word: an argument moves to the front of argv, where the words already seen make room. */
static int parse_word(struct parser *parser, char *word)
{
    if (word[0] == '-' && word[1] == '-') return parse_long(parser, word);
    if (word[0] == '-' && word[1]) return parse_short(parser, word);
    parser->argv[parser->cli->argument_count++] = word;
    return 0;
}

/* A preset stands for settings in front of all others, wherever it is given, and for those the command starts with. */
static int apply_preset(const struct parser *parser)
{
    static const char name[] = "--preset";
    int is_found = 0;
    int takes = parser->settings && find_option(parser->cli->command->options, name + 2, strlen(name + 2), 0);
    for (int i = 0; takes && i < parser->argc && strcmp(parser->argv[i], "--") != 0; i++) {
        const char *word = parser->argv[i], *value = NULL;
        if (strncmp(word, name, strlen(name)) != 0) continue;
        if (word[strlen(name)] == '=') value = word + strlen(name) + 1;
        if (word[strlen(name)] == '\0' && i + 1 < parser->argc) value = parser->argv[i + 1];
        if (!value) continue;
        if (!is_found++) *parser->settings = dcpn_settings_default();
        int code = dcpn_cli_check(parser->cli, dcpn_settings_preset(parser->cli->context, parser->settings, value));
        if (code) return code;
    }
    return 0;
}

int dcpn_cli_parse(struct cli *cli, int argc, char **argv, void *target, dcpn_settings *settings)
{
    struct parser parser = {.cli = cli, .argc = argc, .argv = argv, .target = target, .settings = settings};
    store_defaults(&parser);
    int code = apply_preset(&parser);
    cli->arguments = argv;
    cli->argument_count = 0;
    while (!code && parser.next < argc) {
        char *word = argv[parser.next++];
        if (strcmp(word, "--") == 0) break;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return dcpn_cli_help_command(cli->command, 0);
        if (settings && strcmp(word, "--help-all") == 0) return dcpn_cli_help_command(cli->command, 1);
        code = parse_word(&parser, word);
    }
    while (!code && parser.next < argc) argv[cli->argument_count++] = argv[parser.next++];
    if (!code) code = dcpn_cli_limit_memory(cli);
    return code ? code : check_argument_count(cli);
}
