/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known well enough without a reading of A. */
#include "objective/coarse.h"

#include <float.h>
#include <math.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "base/level.h"
#include "base/vector.h"
#include "matrix/dense.h"

enum {
    MOST = 127 /* of a byte */,
    BLOCK = 16 /* rows, and bytes */,
    GROUP = 8 /* columns, numbers */,
    MANY = 32 /* columns of which most often none is sought */
};
static const double MORE = 1.0 + 1e-9;     /* than enough for the rounding of a quotient to a whole number */
static const double LEAST_SQUARE = 1e-280; /* smaller ones have lost digits */

/* The same operations in the same order at every level. */
typedef double eight __attribute__((vector_size(64)));
typedef int64_t eight_masks __attribute__((vector_size(64)));
typedef int32_t eight_numbers __attribute__((vector_size(32)));
#define INLINE static inline __attribute__((always_inline))

/* ---- the copy ---- */

/* The last eight of n numbers, of a shorter vector those that there are, and 0 for as many of them as were `taken` before. */
INLINE void last_eight(int64_t n, const double *v, int64_t taken, eight *out)
{
    static const int64_t masks[2 * GROUP] = {0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1};
    eight_masks left;
    if (n < GROUP) {
        *out = (eight){0};
        for (int64_t k = 0; k < n; k++) (*out)[k] = v[k];
        return;
    }
    memcpy(out, v + n - GROUP, sizeof *out);
    memcpy(&left, masks + GROUP - taken, sizeof left);
    *out = (eight)((eight_masks)*out & left);
}

/* most = max(most, |v|), sums += v v */
INLINE void add_eight(const eight *v, eight *most, eight *sums)
{
    eight_masks size = (eight_masks)*v & ((eight_masks){0} + INT64_MAX), above = (eight)size > *most;
    *most = (eight)((size & above) | ((eight_masks)*most & ~above));
    *sums += *v * *v;
}

INLINE double largest_of(const eight *v)
{
    double most[GROUP / 2];
    for (int k = 0; k < GROUP / 2; k++) most[k] = (*v)[k] > (*v)[k + GROUP / 2] ? (*v)[k] : (*v)[k + GROUP / 2];
    double first = most[0] > most[1] ? most[0] : most[1], second = most[2] > most[3] ? most[2] : most[3];
    return first > second ? first : second;
}

INLINE double sum_of(const eight *v)
{
    return (((*v)[0] + (*v)[4]) + ((*v)[1] + (*v)[5])) + (((*v)[2] + (*v)[6]) + ((*v)[3] + (*v)[7]));
}

/* The largest |v_i|, and the sum of squares. Two of each run side by side: one would wait for itself. */
INLINE void measure(int64_t n, const double *v, double *largest, double *square)
{
    eight now, most[2] = {{0}}, sums[2] = {{0}};
    int64_t i = 0;
    for (; i + 2 * GROUP <= n; i += 2 * GROUP)
        for (int k = 0; k < 2; k++) {
            memcpy(&now, v + i + k * GROUP, sizeof now);
            add_eight(&now, &most[k], &sums[k]);
        }
    for (; i + GROUP <= n; i += GROUP) {
        memcpy(&now, v + i, sizeof now);
        add_eight(&now, &most[0], &sums[0]);
    }
    if (i < n) {
        last_eight(n, v, GROUP - (n - i), &now);
        add_eight(&now, &most[1], &sums[1]);
    }
    double first = largest_of(&most[0]), second = largest_of(&most[1]);
    *largest = first > second ? first : second;
    sums[0] += sums[1];
    *square = sum_of(&sums[0]);
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

AT_AVX512 static inline void round_eight_avx512(const double *v, double scale, int8_t *bytes)
{
    __m256i all = _mm512_cvtpd_epi32(_mm512_mul_pd(_mm512_loadu_pd(v), _mm512_set1_pd(scale)));
    _mm_storel_epi64((__m128i *)bytes, _mm256_cvtsepi32_epi8(all));
}
#else
INLINE void round_eight_baseline(const double *v, double scale, int8_t *bytes)
{
    for (int k = 0; k < GROUP; k++) bytes[k] = (int8_t)lrint(v[k] * scale);
}
#define round_eight_avx2 round_eight_baseline
#define round_eight_avx512 round_eight_baseline
#endif

/* The unit and the norm of a column; returns by what it is to be multiplied. */
INLINE double scale_of(int64_t n, const double *v, double *unit, double *norm)
{
    double largest, square;
    measure(n, v, &largest, &square);
    double scale = MOST / largest;
    *norm = square > LEAST_SQUARE ? sqrt(square) : largest * sqrt((double)n);
    *unit = isfinite(scale) ? largest / MOST : 2.0 * largest; /* else all are taken for 0 */
    return isfinite(scale) ? scale : 0.0;
}

/* ---- q_j'p ---- */

/* Of eight columns. */
#ifdef __x86_64__
INLINE __m128i add_block(__m128i sums, const int8_t *column, const int16_t *p)
{
    __m128i bytes = _mm_loadu_si128((const __m128i *)column);
    __m128i low = _mm_srai_epi16(_mm_unpacklo_epi8(bytes, bytes), 8);
    __m128i high = _mm_srai_epi16(_mm_unpackhi_epi8(bytes, bytes), 8);
    sums = _mm_add_epi32(sums, _mm_madd_epi16(low, _mm_loadu_si128((const __m128i *)p)));
    return _mm_add_epi32(sums, _mm_madd_epi16(high, _mm_loadu_si128((const __m128i *)(p + BLOCK / 2))));
}

INLINE void eight_dots_baseline(int64_t stride, const int8_t *columns, const int16_t *p, eight_numbers *products)
{
    for (int k = 0; k < GROUP; k++) {
        __m128i sums = _mm_setzero_si128();
        for (int64_t i = 0; i < stride; i += BLOCK) sums = add_block(sums, columns + k * stride + i, p + i);
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(1, 0, 3, 2)));
        sums = _mm_add_epi32(sums, _mm_shuffle_epi32(sums, _MM_SHUFFLE(2, 3, 0, 1)));
        (*products)[k] = _mm_cvtsi128_si32(sums);
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

AT_AVX2 static inline void eight_dots_avx2(int64_t stride, const int8_t *columns, const int16_t *p,
                                           eight_numbers *products)
{
    __m128i first = four_dots(stride, columns, p), second = four_dots(stride, columns + GROUP / 2 * stride, p);
    *products = (eight_numbers)_mm256_set_m128i(second, first);
}
#else
INLINE void eight_dots_baseline(int64_t stride, const int8_t *columns, const int16_t *p, eight_numbers *products)
{
    for (int k = 0; k < GROUP; k++) {
        int32_t sum = 0;
        for (int64_t i = 0; i < stride; i++) sum += columns[k * stride + i] * p[i];
        (*products)[k] = sum;
    }
}
#define eight_dots_avx2 eight_dots_baseline
#endif

/* ---- slopes and bounds ---- */

INLINE void scale_eight(const eight_numbers *products, const double *unit, double of_r, double *slopes)
{
    eight units;
    memcpy(&units, unit, sizeof units);
    units *= __builtin_convertvector(*products, eight) * of_r;
    memcpy(slopes, &units, sizeof units);
}

INLINE void bound_eight(const struct sought *sought, const struct coarse *coarse, int64_t j, eight *bounds)
{
    eight g, h, unit, norm;
    memcpy(&g, sought->g[0] + j, sizeof g);
    memcpy(&h, sought->g[1] + j, sizeof h);
    memcpy(&unit, coarse->unit + j, sizeof unit);
    memcpy(&norm, coarse->norm + j, sizeof norm);
    g = sought->c[0] * g + sought->c[1] * h;
    g = (eight)((eight_masks)g & ((eight_masks){0} + INT64_MAX));
    *bounds = g + (sought->reach.of_unit * unit + sought->reach.of_norm * norm);
}

INLINE int has_above(const eight *bounds, double limit)
{
    eight_masks any = {0};
    int64_t all = 0;
    for (int k = 0; k < MANY / GROUP; k++) any |= ~(bounds[k] <= limit);
    for (int k = 0; k < GROUP; k++) all |= any[k];
    return all != 0;
}

INLINE int64_t list_above(const struct sought *sought, const struct coarse *coarse, int64_t *columns, double *bounds)
{
    int64_t count = 0;
    eight some[MANY / GROUP];
    for (int64_t j = 0; j < coarse->room; j += MANY) {
        for (int k = 0; k < MANY / GROUP; k++) bound_eight(sought, coarse, j + k * GROUP, &some[k]);
        if (!has_above(some, sought->limit)) continue;
        for (int64_t k = j; k < j + MANY && k < coarse->count; k++) {
            columns[count] = k;
            bounds[count] = ((const double *)some)[k - j];
            count += !(bounds[count] <= sought->limit);
        }
    }
    return count;
}

/* ---- levels ---- */

struct coarse_kernels {
    void (*copy)(int64_t n, const double *v, int8_t *bytes, double *unit, double *norm);
    void (*read)(const struct coarse *coarse, double of_r, double *slopes);
    int64_t (*list)(const struct sought *sought, const struct coarse *coarse, int64_t *columns, double *bounds);
};

#define KERNELS(AT, LEVEL)                                                                                             \
    AT static void copy_##LEVEL(int64_t n, const double *v, int8_t *bytes, double *unit, double *norm)                 \
    {                                                                                                                  \
        double scale = scale_of(n, v, unit, norm);                                                                     \
        int64_t i = 0;                                                                                                 \
        eight last;                                                                                                    \
        for (; i + GROUP <= n; i += GROUP) round_eight_##LEVEL(v + i, scale, bytes + i);                               \
        if (i == n) return;                                                                                            \
        last_eight(n, v, 0, &last);                                                                                    \
        round_eight_##LEVEL((const double *)&last, scale, bytes + (n < GROUP ? 0 : n - GROUP));                        \
    }                                                                                                                  \
    AT static void read_##LEVEL(const struct coarse *coarse, double of_r, double *slopes)                              \
    {                                                                                                                  \
        for (int64_t j = 0; j < coarse->count; j += GROUP) {                                                           \
            eight_numbers products;                                                                                    \
            eight_dots_##LEVEL(coarse->stride, coarse->values + j * coarse->stride, coarse->p, &products);             \
            scale_eight(&products, coarse->unit + j, of_r, slopes + j);                                                \
        }                                                                                                              \
    }                                                                                                                  \
    AT static int64_t list_##LEVEL(const struct sought *sought, const struct coarse *coarse, int64_t *columns,         \
                                   double *bounds)                                                                     \
    {                                                                                                                  \
        return list_above(sought, coarse, columns, bounds);                                                            \
    }                                                                                                                  \
    static const struct coarse_kernels kernels_##LEVEL = {copy_##LEVEL, read_##LEVEL, list_##LEVEL};

#define eight_dots_avx512 eight_dots_avx2 /* 16 bits at a time are not of that level */
KERNELS(AT_BASELINE, baseline)
KERNELS(AT_AVX2, avx2)
KERNELS(AT_AVX512, avx512)

static const struct coarse_kernels *const kernels_of[LEVEL_COUNT] = {&kernels_baseline, &kernels_avx2, &kernels_avx512};

/* ---- making ---- */

static int64_t rounded_up(int64_t count, int64_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

static int has_arrays(const struct coarse *c)
{
    return c->values && c->unit && c->norm && c->p && c->numbers && c->space;
}

static dcpn_status allocate_arrays(dcpn_context *context, struct coarse *c)
{
    size_t count = (size_t)c->room, stride = (size_t)c->stride;
    c->values = dcpn_allocate(context, count * stride, 1);
    c->unit = dcpn_allocate(context, count, sizeof *c->unit);
    c->norm = dcpn_allocate(context, count, sizeof *c->norm);
    c->p = dcpn_allocate(context, stride, sizeof *c->p);
    c->numbers = dcpn_allocate(context, (size_t)c->rows, sizeof *c->numbers);
    c->space = dcpn_allocate(context, 2 * (size_t)c->rows, sizeof *c->space);
    if (!has_arrays(c)) return DCPN_MEMORY;
    size_t used = (size_t)c->count;
    memset(c->values + used * stride, 0, (count - used) * stride);
    memset(c->unit + used, 0, (count - used) * sizeof *c->unit);
    memset(c->norm + used, 0, (count - used) * sizeof *c->norm);
    return DCPN_OK;
}

void dcpn_coarse_free(dcpn_context *context, struct coarse *c)
{
    if (!c) return;
    dcpn_free(context, c->values);
    dcpn_free(context, c->unit);
    dcpn_free(context, c->norm);
    dcpn_free(context, c->p);
    dcpn_free(context, c->numbers);
    dcpn_free(context, c->space);
    dcpn_free(context, c);
}

static int lies_in_place(const dcpn_matrix *A, struct dense_view *view)
{
    return dcpn_dense_view(A, view) && view->type == DCPN_FLOAT64 && view->layout == DCPN_COLUMN_MAJOR;
}

int dcpn_coarse_takes_in_place(const dcpn_matrix *A)
{
    struct dense_view view;
    return lies_in_place(A, &view);
}

/* As it lies in A or, if that is kept in another way, in space. */
static const double *column_of(struct coarse *c, const dcpn_matrix *A, int64_t j)
{
    struct dense_view view;
    if (lies_in_place(A, &view)) return (const double *)view.values + j * view.stride;
    double *values = c->space + A->rows;
    int64_t count = A->ops->column(A, j, c->numbers, values);
    dcpn_fill(A->rows, 0.0, c->space);
    for (int64_t k = 0; k < count; k++) c->space[c->numbers[k]] = values[k];
    return c->space;
}

void dcpn_coarse_take_some(struct coarse *c, const dcpn_matrix *A, int64_t first, int64_t count)
{
    int64_t written = A->rows < GROUP ? GROUP : A->rows;
    for (int64_t j = first; j < first + count; j++) {
        int8_t *bytes = c->values + j * c->stride;
        c->kernels->copy(A->rows, column_of(c, A, j), bytes, c->unit + j, c->norm + j);
        memset(bytes + written, 0, (size_t)(c->stride - written));
    }
}

void dcpn_coarse_take(struct coarse *c, const dcpn_matrix *A)
{
    dcpn_coarse_take_some(c, A, 0, c->count);
}

void dcpn_coarse_choose(struct coarse *c, const struct coarse *all, const int64_t *columns)
{
    for (int64_t k = 0; k < c->count; k++) {
        memcpy(c->values + k * c->stride, all->values + columns[k] * c->stride, (size_t)c->stride);
        c->unit[k] = all->unit[columns[k]];
        c->norm[k] = all->norm[columns[k]];
    }
}

static dcpn_status make(dcpn_context *context, int64_t rows, int64_t count, const struct coarse_kernels *kernels,
                        struct coarse **coarse)
{
    struct coarse *c = *coarse = dcpn_allocate(context, 1, sizeof *c);
    if (!c) return DCPN_MEMORY;
    *c = (struct coarse){.rows = rows, .count = count, .kernels = kernels};
    c->stride = rounded_up(rows, BLOCK);
    c->room = rounded_up(count, MANY);
    dcpn_status status = allocate_arrays(context, c);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_coarse_free(context, c);
    *coarse = NULL;
    return status;
}

dcpn_status dcpn_coarse_new(dcpn_context *context, const dcpn_matrix *A, enum level level, struct coarse **coarse)
{
    DCPN_TRY(make(context, A->rows, A->columns, kernels_of[level], coarse));
    dcpn_coarse_take(*coarse, A);
    return DCPN_OK;
}

dcpn_status dcpn_coarse_room(dcpn_context *context, int64_t rows, int64_t count, struct coarse **coarse)
{
    return make(context, rows, count, kernels_of[dcpn_level()], coarse);
}

dcpn_status dcpn_coarse_part(dcpn_context *context, const struct coarse *all, const int64_t *columns, int64_t count,
                             struct coarse **coarse)
{
    DCPN_TRY(make(context, all->rows, count, all->kernels, coarse));
    dcpn_coarse_choose(*coarse, all, columns);
    return DCPN_OK;
}

/* ---- a look ---- */

/* r = unit p but for what is returned, the length of it. No sum of products is too large for 32 bits. */
static double take_slopes(struct coarse *c, const double *r, double *unit)
{
    double most = fmin(INT16_MAX, floor((double)INT32_MAX / ((double)MOST * (double)c->rows)));
    double largest = dcpn_norm_max(c->rows, r), scale = most / largest, square = 0.0;
    int is_fine = isfinite(scale) && isfinite(largest);
    *unit = is_fine ? largest / most : 0.0;
    memset(c->p, 0, (size_t)c->stride * sizeof *c->p);
    for (int64_t i = 0; i < c->rows; i++) {
        if (is_fine) c->p[i] = (int16_t)lrint(r[i] * scale);
        double left = r[i] - *unit * c->p[i];
        square += left * left;
    }
    return sqrt(square);
}

int64_t dcpn_coarse_read(struct coarse *c, const double *r, double *slopes, struct reach *reach)
{
    double unit, left = take_slopes(c, r, &unit), length = sqrt(dcpn_dot(c->rows, r, r));
    double rounding = 4.0 * (double)(c->rows + 8) * DBL_EPSILON;
    *reach = (struct reach){0.5 * MORE * sqrt((double)c->rows) * (length + left), MORE * left + rounding * length};
    c->kernels->read(c, unit, slopes);
    return c->count * c->stride / (int64_t)sizeof(double);
}

int64_t dcpn_coarse_list(const struct coarse *c, const struct sought *sought, int64_t *columns, double *bounds)
{
    return c->kernels->list(sought, c, columns, bounds);
}
