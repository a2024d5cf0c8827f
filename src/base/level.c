/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instructions this processor has. The compiler's run-time library tells; where it cannot (the build then sets
 * DCPN_ASKS_PROCESSOR), the processor is asked once, also for the registers that the operating system saves. */
#include "base/level.h"

#if !defined __x86_64__

enum level dcpn_level(void)
{
    return LEVEL_BASELINE;
}

#elif !defined DCPN_ASKS_PROCESSOR

enum level dcpn_level(void)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return LEVEL_AVX512;
    return __builtin_cpu_supports("avx2") ? LEVEL_AVX2 : LEVEL_BASELINE;
}

#else

#include <cpuid.h>
#include <stdatomic.h>

enum {
    SAVES_REGISTERS = 1 << 27, /* XGETBV tells which, in leaf 1 */
    AVX2 = 1 << 5,             /* in leaf 7, as those that follow */
    AVX512F = 1 << 16,
    AVX512DQ = 1 << 17,
    SAVES_YMM = 0x6, /* with XMM */
    SAVES_ZMM = 0xe6 /* with the masks and all above */
};
static const unsigned AVX512VL = 1U << 31;

static enum level ask(void)
{
    unsigned a, b, c, d, saved, high;
    const unsigned avx512 = (unsigned)AVX512F | (unsigned)AVX512DQ | AVX512VL;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & (unsigned)SAVES_REGISTERS)) return LEVEL_BASELINE;
    __asm__ volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & (unsigned)AVX2)) return LEVEL_BASELINE;
    if ((b & avx512) == avx512 && (saved & SAVES_ZMM) == SAVES_ZMM) return LEVEL_AVX512;
    return (saved & SAVES_YMM) == SAVES_YMM ? LEVEL_AVX2 : LEVEL_BASELINE;
}

enum level dcpn_level(void)
{
    static _Atomic int known = -1; /* whoever asks first finds the same as all others */
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (level >= 0) return (enum level)level;
    level = (int)ask();
    atomic_store_explicit(&known, level, memory_order_relaxed);
    return (enum level)level;
}

#endif
