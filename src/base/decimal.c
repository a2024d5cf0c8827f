/* SPDX-License-Identifier: BSD-3-Clause */
/* mantissa * 10^exponent as a double, correctly rounded: where mantissa and power are doubles themselves, by one
 * operation (Clinger); else from the first 128 bits of mantissa * 5^exponent (Eisel and Lemire; D. Lemire, Number
 * parsing at a gigabyte per second, 2021). With exponents of at most 64 in size, results are neither subnormal nor
 * infinite. */
#include "base/decimal.h"

#include <float.h>
#include <string.h>

enum { EXACT_POWER = 22 };

static const double power_of_ten[EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static const struct {
    uint64_t high, low;
} power_of_five[2 * DCPN_DECIMAL_EXPONENT + 1] = {
#include "base/powers_of_five.inc"
};

static int is_exact(uint64_t mantissa, int64_t exponent)
{
    return FLT_EVAL_METHOD == 0 && mantissa <= UINT64_C(1) << 53 && exponent >= -EXACT_POWER && exponent <= EXACT_POWER;
}

static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low)
{
    __extension__ unsigned __int128 product = (unsigned __int128)a * b;
    *high = (uint64_t)(product >> 64);
    *low = (uint64_t)product;
}

/* The upper half of the 192 bits of a * 5^q, and the middle part; the lower one only where it can matter: if all bits
 * behind the 55 that are needed are 1. */
static void multiply_by_power(uint64_t a, int64_t q, uint64_t *high, uint64_t *low)
{
    uint64_t second_high, second_low;
    multiply(a, power_of_five[q + DCPN_DECIMAL_EXPONENT].high, high, low);
    if ((*high & 0x1ff) != 0x1ff) return;
    multiply(a, power_of_five[q + DCPN_DECIMAL_EXPONENT].low, &second_high, &second_low);
    *low += second_high;
    *high += *low < second_high;
}

static double assemble(uint64_t significand, int64_t power)
{
    uint64_t bits = (significand & ~(UINT64_C(1) << 52)) | (uint64_t)(power + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int round_product(uint64_t mantissa, int64_t q, double *value)
{
    uint64_t high, low;
    int zeros = __builtin_clzll(mantissa);
    multiply_by_power(mantissa << zeros, q, &high, &low);
    if (low == UINT64_MAX && (q < -27 || q > 55)) return 0; /* 5^q has more than 128 bits, and the rest might carry */
    int top = (int)(high >> 63), shift = top + 9;
    uint64_t significand = high >> shift;                    /* 54 bits: one more than a double has */
    int64_t power = ((217706 * q) >> 16) + 63 + top - zeros; /* floor(q log2(10)) + ... */
    int may_be_tie = low <= 1 && q >= -4 && q <= 23;         /* only then can the product be half way */
    if (may_be_tie && (significand & 3) == 1 && significand << shift == high) significand--; /* to even */
    significand = (significand + 1) >> 1;
    if (significand >> 53) {
        significand >>= 1;
        power++;
    }
    *value = assemble(significand, power);
    return 1;
}

int dcpn_decimal_to_double(uint64_t mantissa, int64_t exponent, double *value)
{
    if (exponent < -DCPN_DECIMAL_EXPONENT || exponent > DCPN_DECIMAL_EXPONENT) return 0;
    if (!is_exact(mantissa, exponent)) return round_product(mantissa, exponent, value);
    *value = exponent < 0 ? (double)mantissa / power_of_ten[-exponent] : (double)mantissa * power_of_ten[exponent];
    return 1;
}
