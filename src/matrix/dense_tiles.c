/* SPDX-License-Identifier: BSD-3-Clause */
/* Products with a tile of a dense matrix, for every type of stored value and every level of instructions. */
#include "matrix/dense_tiles.h"

#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/vector.h"

enum { LANES = DENSE_LANES, CACHE_LINE = 64, NEAR = 16, AFTER = 2, SHORT = 512 };

/* Into the second cache. The place may lie beyond the matrix: nothing is read there that matters. */
static inline void fetch(const void *base, int64_t offset, int64_t bytes)
{
    uintptr_t place = (uintptr_t)base + (uintptr_t)offset;
    for (int64_t i = 0; i < bytes; i += CACHE_LINE) __builtin_prefetch((const void *)(place + (uintptr_t)i), 0, 2);
}

/* Into the first cache. */
static inline void fetch_near(const void *base, int64_t offset)
{
    __builtin_prefetch((const void *)((uintptr_t)base + (uintptr_t)offset), 0, 3);
}

#define AT AT_BASELINE
#define WIDTH 2
#define SOME_DOUBLES(P, N) ((KERNEL(vector)){(P)[0], (N) > 1 ? (P)[1] : 0.0})
#define FOLD_FOUR(LANES_4, OUT)                                                                                        \
    for (int f = 0; f < 4; f++) (OUT)[f] += KERNEL(fold)((LANES_4) + f)
#define VALUE double
#define KERNEL(NAME) float64_baseline_##NAME
#define WIDEN(P) KERNEL(load)(P)
#define SOME SOME_DOUBLES
#include "matrix/dense_tiles.inc"
#undef VALUE
#define VALUE float
#define KERNEL(NAME) float32_baseline_##NAME
#define WIDEN(P) ((KERNEL(vector)){(double)(P)[0], (double)(P)[1]})
#define SOME(P, N) ((KERNEL(vector)){(double)(P)[0], (N) > 1 ? (double)(P)[1] : 0.0})
#include "matrix/dense_tiles.inc"
#undef VALUE
#undef WIDTH
#undef AT

#undef FOLD_FOUR
#undef SOME_DOUBLES

#ifdef __x86_64__
/* out_k += (h_0 + h_1) + (h_2 + h_3) of the k-th of four: pairs side by side, then pairs of pairs. */
AT_AVX2 static inline void fold_four(__m256d a, __m256d b, __m256d c, __m256d d, double *out)
{
    __m256d ab = _mm256_hadd_pd(a, b), cd = _mm256_hadd_pd(c, d);
    __m256d sums = _mm256_permute2f128_pd(ab, cd, 0x20) + _mm256_permute2f128_pd(ab, cd, 0x31);
    _mm256_storeu_pd(out, _mm256_loadu_pd(out) + sums);
}

/* Ones in the first n of four places. */
static inline const int64_t *ones64(int64_t n)
{
    static const int64_t masks[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return masks + (4 - n);
}

static inline const int32_t *ones32(int64_t n)
{
    static const int32_t masks[8] = {-1, -1, -1, -1, 0, 0, 0, 0};
    return masks + (4 - n);
}

#define AT AT_AVX2
#define WIDTH 4
#define SOME_DOUBLES(P, N) _mm256_maskload_pd(P, _mm256_loadu_si256((const __m256i *)ones64(N)))
#define HALF(L) ((L).part[0] + (L).part[1])
#define FOLD_FOUR(L, OUT) fold_four(HALF((L)[0]), HALF((L)[1]), HALF((L)[2]), HALF((L)[3]), OUT)
#define VALUE double
#define KERNEL(NAME) float64_avx2_##NAME
#define WIDEN(P) KERNEL(load)(P)
#define SOME SOME_DOUBLES
#include "matrix/dense_tiles.inc"
#undef VALUE
#define VALUE float
#define KERNEL(NAME) float32_avx2_##NAME
#define WIDEN(P) _mm256_cvtps_pd(_mm_loadu_ps(P))
#define SOME(P, N) _mm256_cvtps_pd(_mm_maskload_ps(P, _mm_loadu_si128((const __m128i *)ones32(N))))
#include "matrix/dense_tiles.inc"
#undef VALUE
#undef WIDTH
#undef AT

#undef HALF
#undef SOME_DOUBLES
#define AT AT_AVX512
#define WIDTH 8
#define ONES(N) ((__mmask8)((1U << (N)) - 1U))
#define SOME_DOUBLES(P, N) _mm512_maskz_loadu_pd(ONES(N), P)
#define HALF(L) (_mm512_castpd512_pd256((L).part[0]) + _mm512_extractf64x4_pd((L).part[0], 1))
#define VALUE double
#define KERNEL(NAME) float64_avx512_##NAME
#define WIDEN(P) KERNEL(load)(P)
#define SOME SOME_DOUBLES
#include "matrix/dense_tiles.inc"
#undef VALUE
#define VALUE float
#define KERNEL(NAME) float32_avx512_##NAME
#define WIDEN(P) _mm512_cvtps_pd(_mm256_loadu_ps(P))
#define SOME(P, N) _mm512_cvtps_pd(_mm256_maskz_loadu_ps(ONES(N), P))
#include "matrix/dense_tiles.inc"
#undef VALUE
#undef WIDTH
#undef AT
#else
#define float64_avx2_tiles float64_baseline_tiles
#define float32_avx2_tiles float32_baseline_tiles
#define float64_avx512_tiles float64_baseline_tiles
#define float32_avx512_tiles float32_baseline_tiles
#endif

const struct dense_tiles *dcpn_dense_tiles(dcpn_value_type type, enum level level)
{
    static const struct dense_tiles *const tiles[2][LEVEL_COUNT] = {
        [DCPN_FLOAT64] = {&float64_baseline_tiles, &float64_avx2_tiles, &float64_avx512_tiles},
        [DCPN_FLOAT32] = {&float32_baseline_tiles, &float32_avx2_tiles, &float32_avx512_tiles},
    };
    return tiles[type][level];
}
