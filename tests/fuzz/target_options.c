/* SPDX-License-Identifier: BSD-3-Clause */
/* The option parser, given any words: the first byte chooses the command, lines are words. What it accepts is within
 * the ranges of the settings. */
#include "fuzz.h"

#include <string.h>

#include "command.h"
#include "options.h"

enum { MOST_WORDS = 64 };

static size_t room_for(const struct cli_option *options)
{
    size_t room = 0;
    for (; options->name; options++)
        if (options->offset + sizeof(int64_t) > room) room = options->offset + sizeof(int64_t);
    return room;
}

static int split(char *text, char *end, char **words)
{
    int count = 0;
    while (text < end && count < MOST_WORDS) {
        char *line_end = memchr(text, '\n', (size_t)(end - text));
        if (!line_end) line_end = end;
        *line_end = '\0';
        words[count++] = text;
        text = line_end + 1;
    }
    return count;
}

static void parse(const struct cli_command *command, int argc, char **argv)
{
    struct cli cli = {.command = command, .context = dcpn_fuzz_context()};
    dcpn_settings settings = dcpn_settings_default();
    void *options = calloc(1, room_for(command->options) + 1);
    DCPN_FUZZ_CHECK(options);
    int code = dcpn_cli_parse(&cli, argc, argv, options, command->takes_settings ? &settings : NULL);
    if (code == DCPN_CLI_GO_ON) {
        DCPN_FUZZ_CHECK(cli.argument_count >= command->fewest && cli.argument_count <= command->most);
        DCPN_FUZZ_CHECK(dcpn_settings_check(cli.context, &settings) == DCPN_OK);
        dcpn_combination_check(cli.context, &settings);
    } else {
        DCPN_FUZZ_CHECK(code == 0 || code == dcpn_status_exit_code(DCPN_USAGE));
    }
    free(options);
    dcpn_context_free(cli.context);
}

/* Complaints and help have nothing to say here. */
static void be_quiet(void)
{
    static int quiet;
    if (quiet++) return;
    DCPN_FUZZ_CHECK(freopen("/dev/null", "w", stdout));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *words[MOST_WORDS + 1] = {NULL};
    size_t count = 0;
    be_quiet();
    if (size == 0) return 0;
    while (dcpn_cli_command_at(count)) count++;
    char *text = malloc(size + 1);
    DCPN_FUZZ_CHECK(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    parse(dcpn_cli_command_at(bytes[0] % count), split(text + 1, text + size, words), words);
    free(text);
    return 0;
}
