/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of columns from a law. */
#ifndef DCPN_SRC_INFERENCE_COPIES_H
#define DCPN_SRC_INFERENCE_COPIES_H

#include "inference/law.h"

/* Copy k of column j, standardised like the columns, from to + rows * (j + columns->count * k) on. is_fixed: their
 * products with the columns and one another are those of the law exactly, and else in expectation. */
dcpn_status dcpn_copies_draw(const struct standard_columns *columns, const struct law *law, int is_fixed, uint64_t seed,
                             double *to);

#endif
