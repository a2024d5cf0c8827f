/* SPDX-License-Identifier: BSD-3-Clause */
/* The command dcpn: a table of commands, one file each. */
#include "coefficients.h"
#include "command.h"
#include "help.h"
#include "suggestion.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct cli_command *const commands[] = {
    &dcpn_cli_fit,  &dcpn_cli_path,     &dcpn_cli_cv,   &dcpn_cli_compare,    &dcpn_cli_predict,
    &dcpn_cli_coef, &dcpn_cli_report,   &dcpn_cli_info, &dcpn_cli_check_file, &dcpn_cli_convert,
    &dcpn_cli_list, &dcpn_cli_generate, &dcpn_cli_man,  &dcpn_cli_completion,
};

const struct cli_command *dcpn_cli_command_at(size_t index)
{
    return index < sizeof commands / sizeof commands[0] ? commands[index] : NULL;
}

/* One line, in which names of files and words of the command line do not steer the terminal. */
static void say(const struct cli *cli, const char *format, va_list arguments)
{
    char sentence[8192];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    fflush(stdout);
    fprintf(stderr, "dcpn%s%s: ", cli->command ? " " : "", cli->command ? cli->command->name : "");
    dcpn_cli_print_name(stderr, sentence, sizeof sentence);
    fputc('\n', stderr);
}

void dcpn_cli_say(const struct cli *cli, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(cli, format, arguments);
    va_end(arguments);
}

int dcpn_cli_fail(const struct cli *cli, dcpn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(cli, format, arguments);
    va_end(arguments);
    return dcpn_status_exit_code(status);
}

int dcpn_cli_reader_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & POLLERR;
}

/* The library's complaint about standard output is no news if its reader, like `head`, has seen enough. */
static int is_about_a_reader_that_is_gone(const char *sentence)
{
    return strncmp(sentence, "standard output: ", 17) == 0 && dcpn_cli_reader_is_gone();
}

int dcpn_cli_check(const struct cli *cli, dcpn_status status)
{
    const char *sentence = dcpn_last_error(cli->context);
    if (status == DCPN_OK) return 0;
    if (status == DCPN_IO && is_about_a_reader_that_is_gone(sentence)) return dcpn_status_exit_code(status);
    return dcpn_cli_fail(cli, status, "%s", sentence);
}

static void hear(void *user, dcpn_log_level level, const char *message)
{
    struct cli *cli = user;
    if (level > cli->most_talk || strncmp(cli->last_heard, message, sizeof cli->last_heard - 1) == 0) return;
    snprintf(cli->last_heard, sizeof cli->last_heard, "%s", message);
    dcpn_cli_say(cli, "%s%s", level == DCPN_LOG_WARNING ? "warning: " : "", message);
}

void dcpn_cli_listen(struct cli *cli, int quiet, int verbose)
{
    cli->is_quiet = quiet;
    cli->most_talk = verbose ? DCPN_LOG_DETAIL : DCPN_LOG_NOTE;
    dcpn_context_set_log(cli->context, quiet ? NULL : hear, cli);
}

void *dcpn_cli_allocate(const struct cli *cli, int64_t count, size_t size)
{
    size_t limit = dcpn_context_memory_limit(cli->context), number = count > 0 ? (size_t)count : 1;
    void *memory = limit && number > limit / size ? NULL : calloc(number, size);
    if (!memory)
        dcpn_cli_say(cli, "out of memory: %zu x %zu bytes are needed%s", number, size,
                     limit && number > limit / size ? ", more than --max-memory" : "");
    return memory;
}

int dcpn_cli_read_numbers(const struct cli *cli, const char *path, int64_t expected, const char *of, double **numbers)
{
    int64_t count = 0;
    int code = dcpn_cli_check(cli, dcpn_read_numbers(cli->context, path, numbers, &count));
    if (code || count == expected) return code;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld numbers, expected %lld: one per %s", path, (long long)count,
                         (long long)expected, of);
}

static const struct cli_command *find_command(const char *name)
{
    for (size_t i = 0; dcpn_cli_command_at(i); i++)
        if (strcmp(dcpn_cli_command_at(i)->name, name) == 0) return dcpn_cli_command_at(i);
    return NULL;
}

static int unknown_command(const struct cli *cli, const char *name)
{
    struct suggestion suggestion = {.wanted = name, .length = strlen(name)};
    for (size_t i = 0; dcpn_cli_command_at(i); i++)
        dcpn_cli_suggestion_consider(&suggestion, dcpn_cli_command_at(i)->name);
    dcpn_cli_suggestion_consider(&suggestion, "help");
    dcpn_cli_suggestion_consider(&suggestion, "--help");
    dcpn_cli_suggestion_consider(&suggestion, "--version");
    if (suggestion.best)
        return dcpn_cli_fail(cli, DCPN_USAGE, "unknown command '%s'; did you mean %s?", name, suggestion.best);
    return dcpn_cli_fail(cli, DCPN_USAGE, "unknown command '%s'; see 'dcpn --help'", name);
}

static int help(const struct cli *cli, int argc, char **argv)
{
    if (argc == 0) return dcpn_cli_help_overview();
    const struct cli_command *command = find_command(argv[0]);
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
    const struct cli_command *command = find_command(argv[1]);
    if (!command) return unknown_command(cli, argv[1]);
    cli->command = command;
    return command->run(cli, argc - 2, argv + 2);
}

/* A missing standard stream would let the next file that is opened take its number; this one refuses its use. */
static void occupy_standard_streams(void)
{
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0) _exit(1);
}

/* The words as given: dcpn_cli_parse moves those of argv. NULL if memory is short. */
static const char **copy_words(int argc, char **argv)
{
    const char **words = calloc((size_t)argc + 1, sizeof *words);
    for (int i = 0; words && i < argc; i++) words[i] = i ? argv[i] : "dcpn";
    return words;
}

/* What was printed must have arrived: a full disk is an error. So is a closed pipe, but one without a word: its reader
 * has seen enough. */
static int finish_output(const struct cli *cli, int code)
{
    const char *reason = fflush(stdout) == 0 ? "an earlier write failed" : strerror(errno);
    if (!ferror(stdout)) return code;
    if (!dcpn_cli_reader_is_gone()) dcpn_cli_say(cli, "standard output could not be written: %s", reason);
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
    struct cli cli = {.context = dcpn_context_new(NULL), .words = copy_words(argc, argv), .word_count = argc};
    if (!cli.context || !cli.words) return dcpn_cli_fail(&cli, DCPN_MEMORY, "out of memory");
    int code = finish_output(&cli, run(&cli, argc, argv));
    free(cli.words);
    dcpn_context_free(cli.context);
    return code;
}
