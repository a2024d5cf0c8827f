/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command is: its name, its help, its option table and its function; and how a command speaks. */
#ifndef DCPN_CLI_COMMAND_H
#define DCPN_CLI_COMMAND_H

#include "dcpn/dcpn.h"

#include "options.h"

#include <stdio.h>

/* Exit codes of the command that are no status of the library. */
enum { DCPN_CLI_NOT_CONVERGED = 3, DCPN_CLI_INTERRUPTED = 130 };

struct cli;

struct cli_command {
    const char *name;
    const char *arguments; /* as the usage line shows them */
    const char *summary;   /* one line, without a full stop */
    const char *details;   /* more about it, for the help; NULL: none */
    const char *examples[3];
    const struct cli_option *options;
    const char *words;               /* that its arguments may be, with a blank between them; NULL: files */
    int fewest, most;                /* arguments that are no options; */
    int may_have_ranks;              /* on ranks as many of them as there are ranks */
    int takes_settings;              /* every row of the library's settings is an option too */
    dcpn_settings (*settings)(void); /* that it starts with; NULL: dcpn_settings_default */
    const char *settings_note;       /* in the help instead of them; NULL: the help shows them */
    const char *no_checkpoint; /* why it saves none, and what to do instead; NULL: it does, or is done at once */
    int is_like_fit;                 /* the short help leaves out what the help of fit has too */
    int (*run)(struct cli *cli, int argc, char **argv); /* argv[0]: the first word after the name; the exit code */
};

/* Words that nobody has typed, but that were taken, as if they had been: results name them as well. */
enum { DCPN_CLI_TAKEN = 16, DCPN_CLI_TAKEN_LENGTH = 2048 };
struct taken_words {
    int64_t count; /* behind those of the command line */
    size_t used;
    char text[DCPN_CLI_TAKEN_LENGTH];
};

/* The state of one call of the command. */
struct cli {
    const struct cli_command *command; /* NULL before it is known */
    dcpn_context *context;
    const char **words; /* of the command line, dcpn itself first, as given; behind them those that were taken */
    int64_t word_count;
    struct taken_words *taken; /* NULL: nothing is recorded */
    char **arguments; /* after dcpn_cli_parse, which moves the words of argv: those that are no options */
    int argument_count;
    uint64_t given;     /* the settings among the options, a bit each */
    uint64_t given_own; /* the options of the command's table, likewise */
    int is_quiet;
    dcpn_log_level most_talk; /* of the library that is passed on */
    char last_heard[256];     /* and not said twice in a row */
    const char *max_memory;   /* --max-memory */
};

extern const struct cli_command dcpn_cli_fit, dcpn_cli_path, dcpn_cli_cv, dcpn_cli_compare, dcpn_cli_predict,
    dcpn_cli_coef, dcpn_cli_report, dcpn_cli_info, dcpn_cli_check_file, dcpn_cli_convert, dcpn_cli_list,
    dcpn_cli_generate, dcpn_cli_factor, dcpn_cli_graph, dcpn_cli_complete, dcpn_cli_select, dcpn_cli_intervals,
    dcpn_cli_man, dcpn_cli_completion;

/* The command at index in the table of commands.c; NULL beyond the last one. */
const struct cli_command *dcpn_cli_command_at(size_t index);
/* Finds a command by its name; NULL if there is none. */
const struct cli_command *dcpn_cli_find_command(const char *name);

/* Takes a word more; nothing if there is no room. */
void dcpn_cli_take_word(const struct cli *cli, const char *word);
/* Counts the words that results name: those of the command line, and those that were taken. */
int64_t dcpn_cli_word_count(const struct cli *cli);

/* The line of progress, on standard error; a sentence that is said clears it first. */
void dcpn_cli_progress_show(const char *line);
void dcpn_cli_progress_clear(void);

/* Says "dcpn fit: <sentence>" on standard error. */
void dcpn_cli_say(const struct cli *cli, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says a sentence and returns the exit code of the status. */
int dcpn_cli_fail(const struct cli *cli, dcpn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns 0 if a call of the library worked; otherwise says its sentence and returns the exit code. Nothing is said if
 * standard output has lost its reader. */
int dcpn_cli_check(const struct cli *cli, dcpn_status status);
/* Writes text that quotes the data, path "-" being standard output; what is no text for a terminal is shown ? there.
 * The exit code. */
int dcpn_cli_write_text(const struct cli *cli, const char *path, const char *text, size_t length);

/* Is standard output a pipe that nobody reads any more? */
int dcpn_cli_reader_is_gone(void);

/* Passes on what the library has to say: warnings and notes, details too if verbose, nothing if quiet. */
void dcpn_cli_listen(struct cli *cli, int quiet, int verbose);

/* Allocates cleared memory, which free() frees. If there is none, or it is more than --max-memory, it says so and
 * returns NULL. */
void *dcpn_cli_allocate(const struct cli *cli, int64_t count, size_t size);

/* Reads numbers, one per line, such as weights, offsets or penalty factors. There must be as many as the matrix has
 * rows, or whatever `of` names. */
int dcpn_cli_read_numbers(const struct cli *cli, const char *path, int64_t expected, const char *of, double **numbers);
/* Reads offsets: one per line, or one for each class or response; all rows of the first come first. */
int dcpn_cli_read_offsets(const struct cli *cli, const char *path, int64_t rows, double **offsets, int64_t *columns);

#endif
