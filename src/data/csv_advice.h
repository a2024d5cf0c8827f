/* SPDX-License-Identifier: BSD-3-Clause */
/* How a table with columns of text could be read. */
#ifndef DCPN_SRC_CSV_ADVICE_H
#define DCPN_SRC_CSV_ADVICE_H

#include "data/csv.h"

enum { DCPN_ADVICE_LENGTH = 400 };

/* The options that read a table as it looks, of which this field cannot be a number: "--id patient --categorical
 * sex,site --missing mean". 0: there is no header, the field begins with a number in the first row that has one, or the
 * list would be too long. */
int dcpn_csv_advise(const struct csv *csv, int64_t field, char advice[DCPN_ADVICE_LENGTH]);

#endif
