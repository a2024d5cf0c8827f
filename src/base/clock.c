/* SPDX-License-Identifier: BSD-3-Clause */
/* The monotonic clock. */
#include "base/clock.h"

#include <time.h>

double dcpn_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
