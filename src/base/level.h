/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels of instructions. A kernel is compiled once for each level that the processor may have, and the level is chosen
 * when the program runs. All levels give the same bits: a kernel says in which order numbers are added, wider vectors
 * only do more of it at once, and the build forbids fused multiply-add. */
#ifndef DCPN_SRC_LEVEL_H
#define DCPN_SRC_LEVEL_H

enum level { LEVEL_BASELINE, LEVEL_AVX2, LEVEL_AVX512, LEVEL_COUNT };

/* These attributes, written before a function, have it compiled for that level. On processors other than x86-64 they
 * are empty and all levels are the baseline. */
#define AT_BASELINE
#ifdef __x86_64__
#define AT_AVX2 __attribute__((target("avx2")))
#define AT_AVX512 __attribute__((target("avx512f,avx512dq,avx512vl")))
#else
#define AT_AVX2
#define AT_AVX512
#endif

/* The highest level of this processor. */
enum level dcpn_level(void);

#endif
