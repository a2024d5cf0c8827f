/* SPDX-License-Identifier: BSD-3-Clause */
/* mantissa * 10^exponent as a double, correctly rounded. */
#ifndef DCPN_SRC_DECIMAL_H
#define DCPN_SRC_DECIMAL_H

#include <stdint.h>

enum { DCPN_DECIMAL_EXPONENT = 64 }; /* the largest size of an exponent that dcpn_decimal_to_double takes */

/* Returns 0 if the exponent is beyond the range, or the result too close to call. mantissa > 0. */
int dcpn_decimal_to_double(uint64_t mantissa, int64_t exponent, double *value);

#endif
