/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse products for each type of stored value and of index. */
#include <math.h>
#include <string.h>

#include "matrix/compressed.h"

#define VALUE double
#define INDEX int32_t
#define KERNEL(NAME) float64_int32_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE double
#define INDEX int64_t
#define KERNEL(NAME) float64_int64_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE float
#define INDEX int32_t
#define KERNEL(NAME) float32_int32_##NAME
#include "matrix/sparse_kernels.inc"

#define VALUE float
#define INDEX int64_t
#define KERNEL(NAME) float32_int64_##NAME
#include "matrix/sparse_kernels.inc"

const struct sparse_kernels *dcpn_sparse_kernels(dcpn_value_type value_type, dcpn_index_type index_type)
{
    static const struct sparse_kernels *const kernels[2][2] = {
        [DCPN_FLOAT64] = {[DCPN_INT32] = &float64_int32_kernels, [DCPN_INT64] = &float64_int64_kernels},
        [DCPN_FLOAT32] = {[DCPN_INT32] = &float32_int32_kernels, [DCPN_INT64] = &float32_int64_kernels},
    };
    return kernels[value_type][index_type];
}
