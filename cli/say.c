/* SPDX-License-Identifier: BSD-3-Clause */
/* How a command speaks: sentences on standard error, those of the library among them; and what fails in words. */
#include "coefficients.h"
#include "command.h"

#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the line of progress ---- */

enum { PROGRESS_COLUMNS = 78 };

static volatile int has_progress; /* a line of progress stands on the terminal */

void dcpn_cli_progress_show(const char *line)
{
    fprintf(stderr, "\r%-*.*s", PROGRESS_COLUMNS, PROGRESS_COLUMNS, line);
    fflush(stderr);
    has_progress = 1;
}

void dcpn_cli_progress_clear(void)
{
    if (has_progress) fprintf(stderr, "\r%*s\r", PROGRESS_COLUMNS, "");
    has_progress = 0;
}

/* ---- sentences ---- */

/* Says one line, in which names of files and words of the command line cannot steer the terminal. */
static void say(const struct cli *cli, const char *format, va_list arguments)
{
    char sentence[8192];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    fflush(stdout);
    dcpn_cli_progress_clear();
    fprintf(stderr, "dcpn%s%s: ", cli->command ? " " : "", cli->command ? cli->command->name : "");
    dcpn_cli_print_name(stderr, sentence, sizeof sentence);
    fputc('\n', stderr);
}

/* Is this rank silent? Rank 0 speaks for all, except of failures that only one of them knows of. */
static int is_silent(const struct cli *cli, dcpn_status status)
{
    return dcpn_context_rank(cli->context) > 0 && status != DCPN_MEMORY && status != DCPN_PEER;
}

void dcpn_cli_say(const struct cli *cli, const char *format, ...)
{
    if (is_silent(cli, DCPN_OK)) return;
    va_list arguments;
    va_start(arguments, format);
    say(cli, format, arguments);
    va_end(arguments);
}

int dcpn_cli_fail(const struct cli *cli, dcpn_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!is_silent(cli, status)) say(cli, format, arguments);
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

static int check_count(const struct cli *cli, const char *path, int64_t count, int64_t expected, const char *of)
{
    if (count == expected) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld numbers, expected %lld: one per %s", path, (long long)count,
                         (long long)expected, of);
}

int dcpn_cli_read_numbers(const struct cli *cli, const char *path, int64_t expected, const char *of, double **numbers)
{
    int64_t count = 0;
    int code = dcpn_cli_check(cli, dcpn_read_numbers(cli->context, path, numbers, &count));
    return code ? code : check_count(cli, path, count, expected, of);
}

int dcpn_cli_read_offsets(const struct cli *cli, const char *path, int64_t rows, double **offsets, int64_t *columns)
{
    int64_t count = 0;
    int code = dcpn_cli_check(cli, dcpn_read_number_columns(cli->context, path, offsets, &count, columns));
    return code ? code : check_count(cli, path, count, rows, "row");
}

/* ---- words that are taken ---- */

void dcpn_cli_take_word(const struct cli *cli, const char *word)
{
    struct taken_words *taken = cli->taken;
    size_t size = word ? strlen(word) + 1 : 0;
    if (!taken || !size || taken->count == DCPN_CLI_TAKEN || size > sizeof taken->text - taken->used) return;
    cli->words[cli->word_count + taken->count++] = memcpy(taken->text + taken->used, word, size);
    taken->used += size;
}

int64_t dcpn_cli_word_count(const struct cli *cli)
{
    return cli->word_count + (cli->taken ? cli->taken->count : 0);
}
