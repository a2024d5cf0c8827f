/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_SELECT_H
#define DCPN_SRC_SELECT_H

#include <stdint.h>

/* The k-th largest of values[0..count), k from 1, 1 <= k <= count. The values are used up. */
double dcpn_kth_largest(double *values, int64_t count, int64_t k);

#endif
