/* SPDX-License-Identifier: BSD-3-Clause */
/* exp, expm1 and log1p of our own, to about 1 unit in the last place. They are made of +, -, *, / and comparisons in a
 * fixed order, so that they give the same bits on every machine, whatever its C library; and they have no branches and
 * no tables, so that a compiler can do a loop over them with vectors.
 *
 *     exp    v = k log 2 + r, |r| <= log(2)/2;   exp(r) - 1 = r + r^2 Q(r);   exp(v) = 2^k (1 + (exp(r) - 1))
 *     log1p  1 + z = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt(2));   s = f / (2 + f);
 *            log(1 + f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + R),   R = s^2 P(s^2)
 *
 * Q and P are minimax polynomials: exp(r) - 1 and log(1 + f) are right to 2^-61 and 2^-59, relatively, before rounding.
 */
#ifndef DCPN_SRC_ELEMENTARY_H
#define DCPN_SRC_ELEMENTARY_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t bits_of(double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline double from_bits(uint64_t bits)
{
    double a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* The nearest whole number, for |a| < 2^51: at this size the last bit of a double is worth 1. */
static inline double nearest(double a)
{
    return (a + 0x1.8p52) - 0x1.8p52;
}

/* 2^k for whole numbers -1022 <= k <= 1023: k plus the bias is moved to where the exponent stands. */
static inline double two_to(double k)
{
    return from_bits(bits_of(k + (0x1.8p52 + 1023.0)) << 52);
}

/* exp(v) = 2^(low + high) (1 + p). The exponent comes in two halves, because 2^k alone may overflow or underflow. */
struct exponential {
    double p, low, high;
};

static inline struct exponential exponential_of(double v)
{
    v = v > 710.0 ? 710.0 : v; /* exp(v) is infinite from 709.8 on and 0 below -745.2; NaN stays */
    v = v < -746.0 ? -746.0 : v;
    double k = nearest(v * 0x1.71547652b82fep+0);
    double r = (v - k * 0x1.62e42fefa3800p-1) - k * 0x1.ef35793c76730p-45; /* the first product is exact */
    double r2 = r * r, r4 = r2 * r2;
    double q01 = 0x1.0000000000000p-1 + r * 0x1.5555555555559p-3;
    double q23 = 0x1.555555555555ap-5 + r * 0x1.111111110f699p-7;
    double q45 = 0x1.6c16c16c14443p-10 + r * 0x1.a01a01afeeeb8p-13;
    double q67 = 0x1.a01a01b0bb594p-16 + r * 0x1.71ddf83871082p-19;
    double q8a = 0x1.27e4c597b3916p-22 + (r * 0x1.af5ef2882ccadp-26 + r2 * 0x1.1f9571625f54ap-29);
    double Q = (q01 + r2 * q23) + r4 * ((q45 + r2 * q67) + r4 * q8a);
    double low = nearest(0.5 * k);
    return (struct exponential){.p = r + r2 * Q, .low = low, .high = k - low};
}

static inline double exponential_value(struct exponential e)
{
    return ((1.0 + e.p) * two_to(e.low)) * two_to(e.high);
}

/* 2^k (1 + p) - 1 = 2^low (2^high p + (2^high - 2^-low)): nothing is lost near v = 0, where low = high = 0 */
static inline double exponential_minus_1(struct exponential e)
{
    double high = two_to(e.high);
    return two_to(e.low) * (high * e.p + (high - two_to(-e.low)));
}

/* exp(v) - 1 - v for |v| <= 1/2, where the plain difference would lose every digit of a short step */
static inline double exponential_remainder(double v)
{
    double sum = 1.0;
    for (int k = 16; k > 2; k--) sum = 1.0 + v / (double)k * sum;
    return 0.5 * (v * v) * sum;
}

static inline double portable_exp(double v)
{
    return exponential_value(exponential_of(v));
}

static inline double portable_expm1(double v)
{
    return exponential_minus_1(exponential_of(v));
}

/* s (f^2/2 + R) = log(1 + f) - f + f^2/2 */
static inline double log_beyond_square(double f, double half_square)
{
    double s = f / (2.0 + f), z = s * s, z2 = z * z;
    double p01 = 0x1.5555555555593p-1 + z * 0x1.999999997f8a8p-2;
    double p23 = 0x1.249249423e474p-2 + z * 0x1.c71c51c677667p-3;
    double p46 = 0x1.74664d74623fcp-3 + (z * 0x1.39a02f1d2c65bp-3 + z2 * 0x1.2f15b9829a8bfp-3);
    double R = z * ((p01 + z2 * p23) + (z2 * z2) * p46);
    return s * (half_square + R);
}

/* log(1 + f) - f for sqrt(1/2) <= 1 + f <= sqrt(2) */
static inline double logarithm_remainder(double f)
{
    double half_square = 0.5 * (f * f);
    return log_beyond_square(f, half_square) - half_square;
}

/* log(2^k (1 + f)) + c for a small correction c */
static inline double log_of_parts(double k, double f, double c)
{
    double half_square = 0.5 * (f * f);
    double small = log_beyond_square(f, half_square) + (k * 0x1.ef35793c76730p-45 + c);
    return k * 0x1.62e42fefa3800p-1 + (f - (half_square - small));
}

static inline double portable_log1p(double z)
{
    const uint64_t sqrt_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000, mantissa = 0x000fffffffffffff;
    double t = 1.0 + z;
    uint64_t shifted = bits_of(t) + (one - sqrt_half);
    double k = from_bits(0x4330000000000000 | (shifted >> 52)) - (0x1p52 + 1023.0); /* the bits of a whole number */
    double f = from_bits((shifted & mantissa) + sqrt_half) - 1.0;
    double lost = (z > 1.0 ? 1.0 - (t - z) : z - (t - 1.0)) / t; /* what 1 + z rounded away */
    double result = log_of_parts(k, k == 0.0 ? z : f, k == 0.0 ? 0.0 : lost);
    double beyond = z == -1.0 ? -HUGE_VAL : (double)NAN;
    return z > -1.0 ? (z < HUGE_VAL ? result : z) : beyond;
}

#endif
