/* SPDX-License-Identifier: BSD-3-Clause */
/* Work on fixed blocks of an index range, so that results do not depend on the number of threads: a sum is the sum of
 * its blocks' sums, added pairwise in a fixed tree. */
#ifndef DCPN_SRC_BLOCKS_H
#define DCPN_SRC_BLOCKS_H

#include <stdint.h>

enum { DCPN_BLOCK = 4096 };

static inline int64_t dcpn_block_count(int64_t length)
{
    return (length + DCPN_BLOCK - 1) / DCPN_BLOCK;
}

/* Adds partial[0..count) in a fixed tree; destroys partial. */
double dcpn_tree_sum(double *partial, int64_t count);

#endif
