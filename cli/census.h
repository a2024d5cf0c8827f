/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts, ranges and norms of a data set, and what looks suspicious about it. */
#ifndef DCPN_CLI_CENSUS_H
#define DCPN_CLI_CENSUS_H

#include "command.h"

struct label_count {
    double value;
    int64_t rows;
};

struct range {
    double min, max; /* NaN: of nothing */
};

struct census {
    int64_t entries, empty_rows, empty_columns;
    double density;
    struct range values;                  /* of the entries that are not 0 */
    struct range row_norms, column_norms; /* of those that are not empty */
    struct range row_entries;
    int64_t constant_columns;        /* the same value, not 0, in all rows */
    int64_t twin_rows, twin_columns; /* that repeat an earlier one; empty ones do not count */
    int64_t contradictions;          /* twin rows with another label */
    int64_t subnormals;              /* values */
    struct label_count *labels;      /* ascending; without rows that have none */
    int64_t label_count, unlabelled;
};

/* The exit code; the census is to be freed in any case. */
int dcpn_cli_census_take(const struct cli *cli, const dcpn_dataset *data, struct census *census);
void dcpn_cli_census_free(struct census *census);

/* Calls say for everything that is worth a second look. */
void dcpn_cli_census_suspect(const dcpn_dataset *data, const struct census *census,
                             void (*say)(void *user, const char *sentence), void *user);

#endif
