/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeded random numbers: xoshiro256**, Marsaglia's polar method, and the logarithm that it needs. */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void dcpn_rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) rng->state[i] = splitmix64(&seed);
    rng->spare_normal = 0.0;
    rng->has_spare = 0;
}

static uint64_t rotate_left(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

uint64_t dcpn_rng_next(struct rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t dcpn_rng_below(struct rng *rng, uint64_t bound)
{
    uint64_t excess = (UINT64_MAX % bound + 1) % bound; /* 2^64 mod bound: the last numbers, drawn again */
    uint64_t number;
    do number = dcpn_rng_next(rng);
    while (number > UINT64_MAX - excess);
    return number % bound;
}

double dcpn_rng_uniform(struct rng *rng)
{
    return (double)(dcpn_rng_next(rng) >> 11) * 0x1p-53;
}

double dcpn_rng_normal(struct rng *rng)
{
    if (rng->has_spare) {
        rng->has_spare = 0;
        return rng->spare_normal;
    }
    double a, b, square;
    do {
        a = 2.0 * dcpn_rng_uniform(rng) - 1.0;
        b = 2.0 * dcpn_rng_uniform(rng) - 1.0;
        square = a * a + b * b;
    } while (!(square > 0.0 && square < 1.0));
    double scale = sqrt(-2.0 * dcpn_portable_log(square) / square);
    rng->spare_normal = b * scale;
    rng->has_spare = 1;
    return a * scale;
}

/* With x = 2^e (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), and s = f / (2 + f):
 *     log(1 + f) = 2 atanh(s) = 2s + s R,   R = 2/3 s^2 + 2/5 s^4 + ... ,   |s| < 0.172, so that 11 terms are enough.
 * 2s is written as f - s f: the leading term f is exact, and the rounding of the quotient counts for little. log 2 is
 * split so that e times its upper part is exact. */
double dcpn_portable_log(double x)
{
    const double log2_upper = 0x1.62e42feep-1, log2_lower = 0x1.a39ef35793c76p-33;
    int e;
    double f = frexp(x, &e);
    if (f < 0.70710678118654752) {
        f *= 2.0;
        e--;
    }
    f -= 1.0;
    double s = f / (2.0 + f), s2 = s * s, R = 0.0;
    for (int k = 11; k >= 1; k--) R = s2 * (R + 2.0 / (2 * k + 1));
    return e * log2_upper + (f - (s * (f - R) - e * log2_lower));
}
