/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse products for each type of stored value and of index. */
#include <math.h>
#include <string.h>

#include "matrix/compressed.h"

enum { AHEAD = 256 }; /* entries: so far before it is needed the next is asked for */

/* A hint: the address may lie behind the array. */
static inline void fetch(const void *now, size_t ahead)
{
    __builtin_prefetch((const void *)((uintptr_t)now + ahead));
}

#define KERNELS "matrix/sparse_kernels.inc"
#include "matrix/each_type.inc"

const struct sparse_kernels *dcpn_sparse_kernels(dcpn_value_type value_type, dcpn_index_type index_type)
{
    static const struct sparse_kernels *const kernels[2][2] = {
        [DCPN_FLOAT64] = {[DCPN_INT32] = &float64_int32_kernels, [DCPN_INT64] = &float64_int64_kernels},
        [DCPN_FLOAT32] = {[DCPN_INT32] = &float32_int32_kernels, [DCPN_INT64] = &float32_int64_kernels},
    };
    return kernels[value_type][index_type];
}
