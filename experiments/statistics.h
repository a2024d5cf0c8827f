/* SPDX-License-Identifier: BSD-3-Clause */
/* The trials of one problem, summed up, and written as rows of the paper's tables. */
#ifndef DCPN_EXPERIMENTS_STATISTICS_H
#define DCPN_EXPERIMENTS_STATISTICS_H

#include "csv.h"
#include "trial.h"

#include <stdio.h>

/* A line of a table: a problem, and what its first cells say. */
struct table_line {
    const char *problem;
    char cells[96]; /* "50", "la2 | 2460 | 31472" */
};

/* The paper's table (rates, times, relative difference of the objectives), then a second one with what the paper does
 * not print: ratios, p-values, features kept, passes, fits that were cut. Problems without a trial have no line. */
void dcpn_exp_write_tables(FILE *stream, const struct csv *csv, int64_t trials, const char *first_headings,
                           const struct table_line *lines, size_t count);

/* A Markdown file that is put in place when it is complete. *path is to be freed. */
FILE *dcpn_exp_markdown_begin(const struct lab *lab, const char *name, char **path);
int dcpn_exp_markdown_end(const struct lab *lab, FILE *stream, char *path);

#endif
