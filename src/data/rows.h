/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a data set one by one, and its labels as words, for the writers. */
#ifndef DCPN_SRC_ROWS_H
#define DCPN_SRC_ROWS_H

#include "base/file.h"
#include "base/number.h"
#include "dcpn/data.h"

/* A row: its non-zero entries, with room for one per column. */
struct row {
    dcpn_context *context;
    int64_t *columns;
    double *values;
    int64_t count;
};

dcpn_status dcpn_row_open(const dcpn_dataset *dataset, struct row *row);
void dcpn_row_load(const dcpn_dataset *dataset, int64_t i, struct row *row);
/* Writes the row to an array with one value per column, 0 where the row has no entry. */
void dcpn_row_spread(const struct row *row, int64_t features, double *dense);
void dcpn_row_close(struct row *row);

/* Is every entry stored, as in a dense matrix? */
int dcpn_dataset_is_full(const dcpn_dataset *dataset);

/* The label of a row: a number, the name of its class, or ? if it has none. */
const char *dcpn_label_text(const dcpn_dataset *dataset, int64_t i, char number[DCPN_NUMBER_LENGTH]);

void dcpn_output_text(struct output_file *file, const char *text);

/* Writes what a format that holds a matrix alone has no place for: the labels go to PATH.labels, and the names of the
 * features, if there are any, to PATH.names, one a line. There is no place beside standard output: a warning then says
 * what is left out. */
dcpn_status dcpn_write_beside(const dcpn_dataset *dataset, const char *path);
/* Refuses classes and names that would not read back from these files, before anything is written. */
dcpn_status dcpn_check_beside(const dcpn_dataset *dataset, const char *path);

#endif
