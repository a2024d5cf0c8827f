/* SPDX-License-Identifier: BSD-3-Clause */
#include "working_set/byte_copy_kernels.h"

#include <float.h>
#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

enum {
    MOST = BYTE_COPY_MOST,
    BLOCK = BYTE_COPY_BLOCK,
    GROUP = BYTE_COPY_GROUP,
    TOGETHER = BYTE_COPY_TOGETHER,
    MANY = BYTE_COPY_MANY
};
static const double LEAST_SQUARE = 1e-280; /* smaller ones have lost digits */
static const double LEAST_LIMIT = 1e-30;   /* smaller ones are lost among what single precision takes for 0 */
static const double ROUGHLY =
    1.0 + 4.0 * (double)FLT_EPSILON; /* than enough for the rounding of a sum of sizes there */

/* Functions that are inlined into the kernels of every level make the same operations in the same order. Loops over
 * columns become vectors of the level's width. */
#define INLINE static inline __attribute__((always_inline))

/* ---- the copy ---- */

static const int64_t masks[2 * GROUP] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};

/* Copies columns of fewer than eight numbers, as if zeros followed. */
static void pad(int count, int64_t n, const double *v, int64_t apart, double *padded)
{
    for (int k = 0; k < count; k++)
        for (int64_t i = 0; i < GROUP; i++) padded[k * GROUP + i] = i < n ? v[k * apart + i] : 0.0;
}

INLINE double largest_of(const double *v)
{
    double most[GROUP / 2];
    for (int k = 0; k < GROUP / 2; k++) most[k] = v[k] > v[k + GROUP / 2] ? v[k] : v[k + GROUP / 2];
    double first = most[0] > most[1] ? most[0] : most[1], second = most[2] > most[3] ? most[2] : most[3];
    return first > second ? first : second;
}

INLINE double sum_of(const double *v)
{
    return ((v[0] + v[4]) + (v[1] + v[5])) + ((v[2] + v[6]) + (v[3] + v[7]));
}

/* Eight numbers rounded to whole ones, at every level in the same way. */
#ifdef __x86_64__
INLINE __m128i two_numbers(const double *v, double scale)
{
    return _mm_cvtpd_epi32(_mm_mul_pd(_mm_loadu_pd(v), _mm_set1_pd(scale)));
}

INLINE void round_eight_baseline(const double *v, double scale, int8_t *bytes)
{
    __m128i first = _mm_unpacklo_epi64(two_numbers(v, scale), two_numbers(v + 2, scale));
    __m128i second = _mm_unpacklo_epi64(two_numbers(v + 4, scale), two_numbers(v + 6, scale));
    __m128i all = _mm_packs_epi32(first, second);
    _mm_storel_epi64((__m128i *)bytes, _mm_packs_epi16(all, all));
}

AT_AVX2 static inline __m128i four_numbers(const double *v, double scale)
{
    return _mm256_cvtpd_epi32(_mm256_mul_pd(_mm256_loadu_pd(v), _mm256_set1_pd(scale)));
}

AT_AVX2 static inline void round_eight_avx2(const double *v, double scale, int8_t *bytes)
{
    __m128i all = _mm_packs_epi32(four_numbers(v, scale), four_numbers(v + 4, scale));
    _mm_storel_epi64((__m128i *)bytes, _mm_packs_epi16(all, all));
}

/* The constant that is added is so large that the sum has no room for a fraction, and has the whole number in its last
 * bits. */
AT_AVX512 static inline void round_eight_avx512(const double *v, double scale, int8_t *bytes)
{
    __m512d all = _mm512_mul_pd(_mm512_loadu_pd(v), _mm512_set1_pd(scale)) + _mm512_set1_pd(0x1.8p52);
    _mm_storel_epi64((__m128i *)bytes, _mm512_cvtepi64_epi8(_mm512_castpd_si512(all)));
}
#else
INLINE void round_eight_baseline(const double *v, double scale, int8_t *bytes)
{
    for (int k = 0; k < GROUP; k++) bytes[k] = (int8_t)lrint(v[k] * scale);
}
#define round_eight_avx2 round_eight_baseline
#define round_eight_avx512 round_eight_baseline
#endif

/* Rounds a number to a float that is no less than it, and hardly more. */
INLINE float rounded_to_more(double number)
{
    return (float)(number * (1.0 + (double)FLT_EPSILON)) + FLT_TRUE_MIN;
}

#define AT AT_BASELINE
#define KERNEL(NAME) NAME##_baseline
#define WIDTH 2
#define ROUND_EIGHT round_eight_baseline
#ifdef __x86_64__
#define LARGER(V, MOST) _mm_max_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), (__m128d)(V)), (__m128d)(MOST))
#else
typedef double two __attribute__((vector_size(16)));
typedef int64_t two_masks __attribute__((vector_size(16)));
INLINE two larger(two v, two most)
{
    two_masks size = (two_masks)v & ((two_masks){0} + INT64_MAX), above = (two)size > most;
    return (two)((size & above) | ((two_masks)most & ~above));
}
#define LARGER larger
#endif
#include "objective/coarse_copy.inc"

#ifdef __x86_64__
#define AT AT_AVX2
#define KERNEL(NAME) NAME##_avx2
#define WIDTH 4
#define ROUND_EIGHT round_eight_avx2
#define LARGER(V, MOST) _mm256_max_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), (__m256d)(V)), (__m256d)(MOST))
#include "objective/coarse_copy.inc"

#define AT AT_AVX512
#define KERNEL(NAME) NAME##_avx512
#define WIDTH 8
#define ROUND_EIGHT round_eight_avx512
#define LARGER(V, MOST) _mm512_max_pd(_mm512_abs_pd((__m512d)(V)), (__m512d)(MOST))
#include "objective/coarse_copy.inc"
#else
#define copy_avx2 copy_baseline
#define copy_avx512 copy_baseline
#endif

/* ---- q_j'p ---- */

/* Adds up the products of eight columns. */
#ifdef __x86_64__
INLINE __m128i add_block(__m128i sums, const int8_t *column, const int16_t *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)column);
    __m128i low = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    __m128i high = _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8);
    sums = _mm_add_epi32(sums, _mm_madd_epi16(low, _mm_loadu_si128((const __m128i *)p)));
    return _mm_add_epi32(sums, _mm_madd_epi16(high, _mm_loadu_si128((const __m128i *)(p + BLOCK / 2))));
}

INLINE void eight_dots_baseline(int64_t stride, const int8_t *columns, const int16_t *p, int32_t *products)
{
    for (int k = 0; k < GROUP; k++) {
        __m128i sums = _mm_setzero_si128();
        for (int64_t i = 0; i < stride; i += BLOCK) sums = add_block(sums, columns + k * stride + i, p + i);
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
        products[k] = _mm_cvtsi128_si32(sums);
    }
}

AT_AVX2 static inline __m256i block_of(const int8_t *column, __m256i p)
{
    return _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)column)), p);
}

AT_AVX2 static inline __m128i four_dots(int64_t stride, const int8_t *columns, const int16_t *p)
{
    __m256i a = _mm256_setzero_si256(), b = a, c = a, d = a;
    for (int64_t i = 0; i < stride; i += BLOCK) {
        __m256i now = _mm256_loadu_si256((const __m256i *)(p + i));
        a = _mm256_add_epi32(a, block_of(columns + i, now));
        b = _mm256_add_epi32(b, block_of(columns + stride + i, now));
        c = _mm256_add_epi32(c, block_of(columns + 2 * stride + i, now));
        d = _mm256_add_epi32(d, block_of(columns + 3 * stride + i, now));
    }
    __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    return _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}

AT_AVX2 static inline void eight_dots_avx2(int64_t stride, const int8_t *columns, const int16_t *p, int32_t *products)
{
    __m128i first = four_dots(stride, columns, p), second = four_dots(stride, columns + GROUP / 2 * stride, p);
    _mm256_storeu_si256((__m256i *)products, _mm256_set_m128i(second, first));
}
#else
INLINE void eight_dots_baseline(int64_t stride, const int8_t *columns, const int16_t *p, int32_t *products)
{
    for (int k = 0; k < GROUP; k++) {
        int32_t sum = 0;
        for (int64_t i = 0; i < stride; i++) sum += columns[k * stride + i] * p[i];
        products[k] = sum;
    }
}
#define eight_dots_avx2 eight_dots_baseline
#endif

/* ---- slopes and bounds ---- */

INLINE void scale_eight(const int32_t *products, const float *unit, double of_r, float *restrict slopes)
{
    for (int k = 0; k < GROUP; k++) slopes[k] = (float)((double)unit[k] * ((double)products[k] * of_r));
}

/* The numbers of struct sought in single precision. */
struct terms {
    const float *g, *h;
    float of_g, of_h, of_unit, of_norm, limit;
};

static struct terms terms_of(const struct sought *sought)
{
    return (struct terms){.g = sought->g[0],
                          .h = sought->g[1],
                          .of_g = (float)sought->c[0],
                          .of_h = (float)sought->c[1],
                          .of_unit = (float)sought->reach.of_unit,
                          .of_norm = (float)sought->reach.of_norm,
                          .limit = sought->limit < LEAST_LIMIT ? -1.0F : (float)(sought->limit / ROUGHLY)};
}

INLINE void bound_many(const struct terms *t, const struct byte_copy *coarse, int64_t j, float *restrict bounds)
{
    const float *restrict g = t->g + j, *restrict h = t->h + j;
    const float *restrict unit = coarse->unit + j, *restrict norm = coarse->norm + j;
    for (int k = 0; k < MANY; k++)
        bounds[k] = fabsf(t->of_g * g[k] + t->of_h * h[k]) + (t->of_unit * unit[k] + t->of_norm * norm[k]);
}

/* A bit for each of sixteen that is not known to be within the limit. */
#ifdef __x86_64__
INLINE uint32_t mask_baseline(const float *bounds, float limit)
{
    uint32_t mask = 0;
    for (int k = 0; k < 4; k++)
        mask |= (uint32_t)_mm_movemask_ps(_mm_cmpnle_ps(_mm_loadu_ps(bounds + 4 * k), _mm_set1_ps(limit))) << 4 * k;
    return mask;
}

AT_AVX2 static inline uint32_t mask_avx2(const float *bounds, float limit)
{
    __m256 limits = _mm256_set1_ps(limit);
    __m256 first = _mm256_cmp_ps(_mm256_loadu_ps(bounds), limits, _CMP_NLE_UQ);
    __m256 second = _mm256_cmp_ps(_mm256_loadu_ps(bounds + 8), limits, _CMP_NLE_UQ);
    return (uint32_t)_mm256_movemask_ps(first) | (uint32_t)_mm256_movemask_ps(second) << 8;
}

AT_AVX512 static inline uint32_t mask_avx512(const float *bounds, float limit)
{
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(bounds), _mm512_set1_ps(limit), _CMP_NLE_UQ);
}
#else
INLINE uint32_t mask_baseline(const float *bounds, float limit)
{
    uint32_t mask = 0;
    for (int k = 0; k < MANY / 2; k++) mask |= (uint32_t) !(bounds[k] <= limit) << k;
    return mask;
}
#define mask_avx2 mask_baseline
#define mask_avx512 mask_baseline
#endif

/* The columns of the bits, from j on, and their bounds. Returns how many there are after that. */
static int64_t append(uint32_t above, int64_t j, const float *some, int64_t count, int64_t *columns, double *bounds)
{
    for (; above; above &= above - 1) {
        int k = __builtin_ctz(above);
        columns[count] = j + k;
        bounds[count++] = ROUGHLY * (double)some[k] + (double)FLT_MIN; /* below that single precision has no digits */
    }
    return count;
}

/* ---- levels ---- */

#define KERNELS(AT, LEVEL)                                                                                             \
    AT static void read_##LEVEL(const struct byte_copy *coarse, double of_r, float *slopes)                            \
    {                                                                                                                  \
        for (int64_t j = 0; j < coarse->count; j += GROUP) {                                                           \
            int32_t products[GROUP];                                                                                   \
            eight_dots_##LEVEL(coarse->stride, coarse->values + j * coarse->stride, coarse->p, products);              \
            scale_eight(products, coarse->unit + j, of_r, slopes + j);                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    AT static int64_t list_##LEVEL(const struct sought *sought, const struct byte_copy *coarse, int64_t *columns,      \
                                   double *bounds)                                                                     \
    {                                                                                                                  \
        struct terms t = terms_of(sought);                                                                             \
        int64_t count = 0;                                                                                             \
        for (int64_t j = 0; j < coarse->count; j += MANY) {                                                            \
            float bound[MANY];                                                                                         \
            bound_many(&t, coarse, j, bound);                                                                          \
            uint32_t above = mask_##LEVEL(bound, t.limit) | mask_##LEVEL(bound + MANY / 2, t.limit) << MANY / 2;       \
            if (coarse->count - j < MANY) above &= (1U << (coarse->count - j)) - 1U;                                   \
            if (above) count = append(above, j, bound, count, columns, bounds);                                        \
        }                                                                                                              \
        return count;                                                                                                  \
    }                                                                                                                  \
    static const struct byte_copy_kernels kernels_##LEVEL = {copy_##LEVEL, read_##LEVEL, list_##LEVEL};

#define eight_dots_avx512 eight_dots_avx2 /* 16 bits at a time are not of that level */
KERNELS(AT_BASELINE, baseline)
KERNELS(AT_AVX2, avx2)
KERNELS(AT_AVX512, avx512)

const struct byte_copy_kernels *dcpn_byte_copy_kernels(enum level level)
{
    static const struct byte_copy_kernels *const kernels[LEVEL_COUNT] = {&kernels_baseline, &kernels_avx2,
                                                                         &kernels_avx512};
    return kernels[level];
}
