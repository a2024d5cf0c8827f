/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts and ranges of a data set. */
#ifndef DCPN_CLI_CENSUS_H
#define DCPN_CLI_CENSUS_H

#include "command.h"

struct label_count {
    double value;
    int64_t rows;
};

struct census {
    int64_t entries, empty_rows, empty_columns;
    double density;
    double value_min, value_max; /* of the entries; NaN if there are none */
    struct label_count *labels;  /* ascending; one at least */
    int64_t label_count;
};

/* The exit code; the census is to be freed in any case. */
int dcpn_cli_census_take(const struct cli *cli, const dcpn_dataset *data, struct census *census);
void dcpn_cli_census_free(struct census *census);

#endif
