/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of a matrix and what is there, from a table of rows, columns and values. */
#ifndef DCPN_CLI_PLACES_H
#define DCPN_CLI_PLACES_H

#include "command.h"

struct places {
    int64_t count, rows, columns; /* the greatest numbers that occur */
    int64_t *row, *column;        /* from 0 */
    double *value;                /* NULL: the table has none */
};

/* Takes places from a table of row, column and, with values, value: columns in this order, the value also as the label.
 * Numbers begin at base. Returns the exit code; the places are to be freed in any case. */
int dcpn_cli_places_take(const struct cli *cli, const char *path, const dcpn_dataset *data, int64_t base,
                         int with_values, struct places *places);
/* Takes as places the entries of a matrix that are stored and not 0. */
int dcpn_cli_places_of_matrix(const struct cli *cli, const dcpn_dataset *data, struct places *places);
void dcpn_cli_places_free(struct places *places);

/* predict: the values of a completed matrix at the places of a table. */
struct reading_options;
int dcpn_cli_predict_places(const struct cli *cli, const struct reading_options *reading, const char *output);

#endif
