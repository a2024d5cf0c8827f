/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that do not depend on who adds. */
#include "base/reduce.h"

#include <math.h>

enum { LEAST_EXPONENT = -1074, MOST_EXPONENT = 970, GRID_BITS = 51, SPARE_BITS = 11, MOST_ADDED = 1 << 30 };

/* ---- on a grid ---- */

static int log2_up(int64_t count)
{
    int bits = 0;
    while (bits < 62 && (INT64_C(1) << bits) < count) bits++;
    return bits;
}

/* 2^e, e from -1074 to 1023. */
static double power_of_2(int e)
{
    uint64_t bits = e < -1022 ? UINT64_C(1) << (e + 1074) : (uint64_t)(e + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

int dcpn_exponent(double x)
{
    int exponent;
    if (x == 0.0) return DCPN_BOUND_OF_0;
    if (!isfinite(x)) return DCPN_NO_BOUND;
    frexp(x, &exponent);
    return exponent;
}

struct grid dcpn_grid(int bound, int64_t count)
{
    int extra = log2_up(count) - SPARE_BITS;
    int e = bound - GRID_BITS + (extra > 0 ? extra : 0);
    struct grid grid = {.is_none = e > MOST_EXPONENT};
    if (e < LEAST_EXPONENT) e = LEAST_EXPONENT;
    grid.C = grid.is_none ? 1.0 : 1.5 * power_of_2(52 + e);
    grid.q = grid.is_none ? (double)NAN : power_of_2(e);
    memcpy(&grid.bits, &grid.C, sizeof grid.bits);
    return grid;
}

/* ---- exact ---- */

void dcpn_full_clear(struct full_sum *sum)
{
    *sum = (struct full_sum){.since = 0};
}

/* Every digit but the last into 0 .. 2^32 - 1. The last has 2^(32 x 67 - 1074) for its unit, 2^1070, so that it never
 * overflows; all its carries are signed. */
static void carry(int64_t *digit)
{
    for (int k = 0; k + 1 < FULL_DIGITS; k++) {
        int64_t low = digit[k] & INT64_C(0xffffffff);
        digit[k + 1] += (digit[k] - low) / (INT64_C(1) << 32);
        digit[k] = low;
    }
}

static void add_special(struct full_sum *sum, double x)
{
    sum->nan += isnan(x) != 0;
    sum->positive += x > 0.0;
    sum->negative += x < 0.0;
}

/* x = m 2^(at - 1074): m, of 53 bits, goes into three digits, each of which changes by less than 2^32. */
void dcpn_full_add(struct full_sum *sum, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int field = (int)(bits >> 52 & 0x7ff), at = field ? field - 1 : 0, shift = at % 32;
    uint64_t m = (bits & ((UINT64_C(1) << 52) - 1)) | (field ? UINT64_C(1) << 52 : 0);
    int64_t sign = bits >> 63 ? -1 : 1, *digit = sum->digit + at / 32;
    if (field == 0x7ff) {
        add_special(sum, x);
        return;
    }
    uint64_t low = m << shift, high = shift ? m >> (64 - shift) : 0;
    digit[0] += sign * (int64_t)(low & UINT64_C(0xffffffff));
    digit[1] += sign * (int64_t)(low >> 32);
    digit[2] += sign * (int64_t)high;
    if (++sum->since < MOST_ADDED) return;
    carry(sum->digit);
    sum->since = 0;
}

void dcpn_full_pack(struct full_sum *sum, int64_t *words)
{
    carry(sum->digit);
    sum->since = 0;
    memcpy(words, sum->digit, sizeof sum->digit);
    words[FULL_DIGITS] = sum->nan;
    words[FULL_DIGITS + 1] = sum->positive;
    words[FULL_DIGITS + 2] = sum->negative;
}

/* A number >= 0 whose digits are carried: its first 64 bits from the highest on, the last of which is set if anything
 * is left, are rounded to a double once. */
static double round_digits(const int64_t *digit)
{
    int top = FULL_DIGITS - 1;
    while (top > 0 && digit[top] == 0) top--;
    if (top < 2) return ldexp((double)((uint64_t)digit[1] << 32 | (uint64_t)digit[0]), -1074);
    int zeros = __builtin_clzll((uint64_t)digit[top]) - 32, is_rest = 0;
    uint64_t first = (uint64_t)digit[top] << 32 | (uint64_t)digit[top - 1], next = (uint64_t)digit[top - 2] << zeros;
    for (int k = 0; k < top - 2; k++) is_rest |= digit[k] != 0;
    first = first << zeros | next >> 32;
    is_rest |= (next & UINT64_C(0xffffffff)) != 0;
    return ldexp((double)(first | (uint64_t)is_rest), 32 * (top - 1) - zeros - 1074);
}

double dcpn_full_value(const int64_t *words)
{
    int64_t digit[FULL_DIGITS];
    const int64_t *special = words + FULL_DIGITS;
    if (special[0] || (special[1] && special[2])) return NAN;
    if (special[1] || special[2]) return special[1] ? HUGE_VAL : -HUGE_VAL;
    memcpy(digit, words, sizeof digit);
    carry(digit);
    int is_negative = digit[FULL_DIGITS - 1] < 0;
    for (int k = 0; k < FULL_DIGITS && is_negative; k++) digit[k] = -digit[k];
    carry(digit);
    double magnitude = digit[FULL_DIGITS - 1] >> 32 ? HUGE_VAL : round_digits(digit);
    return is_negative ? -magnitude : magnitude;
}

double dcpn_ranks_full_sum(dcpn_context *context, struct full_sum *sum)
{
    int64_t words[FULL_WORDS];
    dcpn_full_pack(sum, words);
    dcpn_ranks_sum(context, words, FULL_WORDS);
    return dcpn_full_value(words);
}

double dcpn_ranks_sum_of(dcpn_context *context, int64_t count, const double *x)
{
    struct full_sum sum;
    dcpn_full_clear(&sum);
    for (int64_t i = 0; i < count; i++) dcpn_full_add(&sum, x[i]);
    return dcpn_ranks_full_sum(context, &sum);
}

struct extent dcpn_ranks_range(dcpn_context *context, int64_t count, const double *x, int64_t *more, int64_t more_count)
{
    struct extent range = {NAN, NAN};
    int64_t words[2 + RANGE_MOST_MORE] = {INT64_MIN, INT64_MIN}; /* of the negative of the least; of the largest */
    for (int64_t i = 0; i < count; i++) {
        if (isnan(x[i])) continue;
        if (dcpn_order_key(-x[i]) > words[0]) words[0] = dcpn_order_key(-x[i]);
        if (dcpn_order_key(x[i]) > words[1]) words[1] = dcpn_order_key(x[i]);
    }
    for (int64_t k = 0; k < more_count; k++) words[2 + k] = more[k];
    dcpn_ranks_max(context, words, 2 + more_count);
    for (int64_t k = 0; k < more_count; k++) more[k] = words[2 + k];
    if (words[1] == INT64_MIN) return range;
    range.least = -dcpn_of_order_key(words[0]);
    range.largest = dcpn_of_order_key(words[1]);
    return range;
}
