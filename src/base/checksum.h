/* SPDX-License-Identifier: BSD-3-Clause */
/* XXH64, the 64-bit hash of the public xxHash specification, with seed 0: finds damage at the speed of memory. It does
 * not keep out someone who wants to be found right. */
#ifndef DCPN_SRC_CHECKSUM_H
#define DCPN_SRC_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t dcpn_checksum(const void *bytes, size_t size);

#endif
