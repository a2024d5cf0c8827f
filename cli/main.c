/* SPDX-License-Identifier: BSD-3-Clause */
/* The command dcpn: finds the command that is meant, runs it, and sees that what it printed has arrived. */
#include "command.h"
#include "help.h"
#include "ranks.h"
#include "suggestion.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int unknown_command(const struct cli *cli, const char *name)
{
    struct suggestion suggestion = {.wanted = name, .length = strlen(name)};
    for (size_t i = 0; dcpn_cli_command_at(i); i++)
        dcpn_cli_suggestion_consider(&suggestion, dcpn_cli_command_at(i)->name);
    dcpn_cli_suggestion_consider(&suggestion, "help");
    dcpn_cli_suggestion_consider(&suggestion, "--help");
    dcpn_cli_suggestion_consider(&suggestion, "--version");
    const char *here = dcpn_cli_suggestion_command(name);
    if (here) suggestion.best = here;
    if (suggestion.best)
        return dcpn_cli_fail(cli, DCPN_USAGE, "unknown command '%s'; did you mean %s?", name, suggestion.best);
    return dcpn_cli_fail(cli, DCPN_USAGE, "unknown command '%s'; see 'dcpn --help'", name);
}

static int help(const struct cli *cli, int argc, char **argv)
{
    if (argc == 0) return dcpn_cli_help_overview();
    const struct cli_command *command = dcpn_cli_find_command(argv[0]);
    return command ? dcpn_cli_help_command(command, 0) : unknown_command(cli, argv[0]);
}

static int version(void)
{
    printf("dcpn %s\n", dcpn_version());
    return 0;
}

static int run(struct cli *cli, int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return dcpn_cli_help_overview();
    if (strcmp(argv[1], "help") == 0) return help(cli, argc - 2, argv + 2);
    if (strcmp(argv[1], "--version") == 0) return version();
    const struct cli_command *command = dcpn_cli_find_command(argv[1]);
    if (!command) return unknown_command(cli, argv[1]);
    cli->command = command;
    int code = command->may_have_ranks ? dcpn_cli_ranks_begin(cli) : 0;
    return code ? code : command->run(cli, argc - 2, argv + 2);
}

/* A missing standard stream would let the next file that is opened take its number; this one refuses its use. */
static void occupy_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0) _exit(1);
}

/* The words as given, with room for those that are taken: dcpn_cli_parse moves those of argv. NULL if memory is
 * short. */
static const char **copy_words(int argc, char **argv)
{
    const char **words = calloc((size_t)argc + DCPN_CLI_TAKEN + 1, sizeof *words);
    for (int i = 0; words && i < argc; i++) words[i] = i ? argv[i] : "dcpn";
    return words;
}

/* Why standard output has failed. The system said it to a write long ago; it says it again to another one, unless the
 * cause has gone. */
static const char *why_output_failed(void)
{
    clearerr(stdout);
    return fputc('\n', stdout) == EOF || fflush(stdout) != 0 ? strerror(errno) : "an earlier write failed";
}

/* Finishes standard output. What was printed must have arrived: a full disk is an error. A closed pipe is one, too, but
 * nothing is said of it: its reader has seen enough. */
static int finish_output(const struct cli *cli, int code)
{
    const char *reason = fflush(stdout) == 0 ? NULL : strerror(errno);
    if (!ferror(stdout)) return code;
    if (!dcpn_cli_reader_is_gone())
        dcpn_cli_say(cli, "standard output could not be written: %s", reason ? reason : why_output_failed());
    return code ? code : dcpn_status_exit_code(DCPN_IO);
}

/* A mapped file that shrinks, or whose disk fails, is noticed only by touching it. */
static void end_on_lost_input(int signal_number)
{
    static const char sentence[] = "dcpn: an input file could not be read: it was cut short while in use, or its disk "
                                   "failed\n";
    (void)signal_number;
    ssize_t ignored = write(STDERR_FILENO, sentence, sizeof sentence - 1);
    (void)ignored;
    _exit(dcpn_status_exit_code(DCPN_IO));
}

/* Writing to a closed pipe, or beyond the largest file that is allowed, is to fail like any write, not to kill. */
static void prepare_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGBUS, end_on_lost_input);
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    prepare_signals();
    struct taken_words taken = {0};
    struct cli cli = {.context = dcpn_context_new(NULL),
                      .words = copy_words(argc, argv),
                      .word_count = argc,
                      .taken = &taken};
    if (!cli.context || !cli.words) return dcpn_cli_fail(&cli, DCPN_MEMORY, "out of memory");
    dcpn_context_set_option_prefix(cli.context, "--");
    int code = finish_output(&cli, run(&cli, argc, argv));
    free(cli.words);
    dcpn_context_free(cli.context);
    dcpn_cli_ranks_end(code);
    return code;
}
