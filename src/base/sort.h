/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_SORT_H
#define DCPN_SRC_SORT_H

#include <stdint.h>

/* Sorts `items` by their keys, ascending, and the keys with them; equal keys in no particular, but always the same,
 * order. */
void dcpn_sort_by(double *keys, int64_t *items, int64_t count);

#endif
