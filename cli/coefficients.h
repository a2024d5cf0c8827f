/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of one model as a table that can be sorted and printed. */
#ifndef DCPN_CLI_COEFFICIENTS_H
#define DCPN_CLI_COEFFICIENTS_H

#include "command.h"

struct coefficient {
    const char *name; /* NULL: it has none */
    int64_t number;   /* of the feature, as in the data */
    int64_t score;    /* of many: which class, by its position */
    double value;
};

struct coefficients {
    const dcpn_model *model;
    struct coefficient *rows;
    int64_t count;
};

/* Gathers the coefficients that are not 0, or all. The model names those it uses; names (NULL: none) are of all
 * features and borrowed. The exit code. */
int dcpn_cli_coefficients_gather(const struct cli *cli, const char *const *names, const dcpn_model *model, int all,
                                 struct coefficients *table);
/* Sorts by "size" (the largest |value| first), "value" (the largest first), "feature" (by number) or "name". */
void dcpn_cli_coefficients_sort(struct coefficients *table, const char *order);
void dcpn_cli_coefficients_print(FILE *stream, const struct coefficients *table);
void dcpn_cli_coefficients_print_csv(FILE *stream, const struct coefficients *table);
void dcpn_cli_coefficients_print_json(FILE *stream, const struct coefficients *table);
/* Prints at most so many characters of a name, none of which can steer the terminal or break a line. Returns the number
 * of columns used. */
int dcpn_cli_print_name(FILE *stream, const char *name, int most);
/* Prints a text in the quotes of RFC 4180, even if it needs none: readers that guess types leave quoted texts alone. */
void dcpn_cli_print_csv_text(FILE *stream, const char *text);
void dcpn_cli_coefficients_free(struct coefficients *table);

#endif
