/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_CLOCK_H
#define DCPN_SRC_CLOCK_H

double dcpn_clock_s(void); /* monotonic seconds from an arbitrary origin */

#endif
