/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instructions this processor has. */
#include "base/level.h"

enum level dcpn_level(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return LEVEL_AVX512;
    if (__builtin_cpu_supports("avx2")) return LEVEL_AVX2;
#endif
    return LEVEL_BASELINE;
}
