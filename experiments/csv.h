/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw numbers as CSV: a row per fit, the rows of a trial written at once, finished trials read back. */
#ifndef DCPN_EXPERIMENTS_CSV_H
#define DCPN_EXPERIMENTS_CSV_H

#include <stddef.h>
#include <stdint.h>

/* The columns, once, in the order of the file. */
#define DCPN_EXP_COLUMNS(TEXT, COUNT, REAL)                                                                            \
    TEXT(problem) /* "d2000-T50", "la2", "la2-unit" */                                                                 \
    COUNT(trial)  /* also the seed */                                                                                  \
    TEXT(method)                                                                                                       \
    COUNT(rows) /* of the training part */                                                                             \
    COUNT(features)                                                                                                    \
    REAL(lambda)                                                                                                       \
    REAL(theta)                                                                                                        \
    REAL(weight) /* of rows without a label */                                                                         \
    REAL(rate) /* right classes among the test rows, in percent */                                                     \
    REAL(time_s)                                                                                                       \
    REAL(objective)                                                                                                    \
    REAL(loss)                                                                                                         \
    REAL(penalty)                                                                                                      \
    REAL(stationarity)                                                                                                 \
    COUNT(nonzeros)                                                                                                    \
    COUNT(iterations)                                                                                                  \
    COUNT(inner_iterations)                                                                                            \
    REAL(passes)                                                                                                       \
    TEXT(outcome)                                                                                                      \
    COUNT(escapes) /* see escape.h; -1: not counted */                                                                 \
    COUNT(held)                                                                                                        \
    COUNT(drops)                                                                                                       \
    REAL(trial_s) /* the whole trial, data and all methods */

enum { DCPN_EXP_TEXT_SIZE = 32 };

struct row {
#define DCPN_EXP_TEXT(NAME) char NAME[DCPN_EXP_TEXT_SIZE];
#define DCPN_EXP_COUNT(NAME) int64_t NAME;
#define DCPN_EXP_REAL(NAME) double NAME;
    DCPN_EXP_COLUMNS(DCPN_EXP_TEXT, DCPN_EXP_COUNT, DCPN_EXP_REAL)
#undef DCPN_EXP_TEXT
#undef DCPN_EXP_COUNT
#undef DCPN_EXP_REAL
};

struct csv {
    char *path;
    int file;
    size_t trial_rows; /* how many rows a finished trial has */
    struct row *rows;  /* of finished trials */
    size_t count;
};

/* Opens path, or makes it. The first line is "# " and settings; a file with other settings is refused. What follows the
 * last finished trial, as an interrupted write leaves it, is cut off. Returns 0, or 1 after saying why. */
int dcpn_exp_csv_open(struct csv *csv, char *path, const char *settings, size_t trial_rows);
/* The rows of one trial, csv->trial_rows of them: one write, then fsync. */
int dcpn_exp_csv_append(struct csv *csv, const struct row *rows);
void dcpn_exp_csv_close(struct csv *csv); /* frees the path, too */

/* NULL: not there. method may be NULL: the first row of the trial. */
const struct row *dcpn_exp_csv_find(const struct csv *csv, const char *problem, int64_t trial, const char *method);
int64_t dcpn_exp_csv_trials(const struct csv *csv, const char *problem, int64_t most);

/* The time that the trials 1..most of the problems still need: the mean of the problem's finished ones, or of all. */
double dcpn_exp_csv_left_s(const struct csv *csv, size_t problems, const char *const *problem, int64_t most);

#endif
