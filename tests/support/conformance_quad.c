/* SPDX-License-Identifier: BSD-3-Clause */
/* exp and log in arithmetic of 113 bits, from additions, multiplications and divisions. */
#include "support/conformance_quad.h"

#include <math.h>

/* log 2 as the sum of two doubles and a rest, exact to 113 bits and more */
static quad log_of_2(void)
{
    return (quad)0x1.62e42fefa39efp-1 + (quad)0x1.abc9e3b39803fp-56 + (quad)0x1.7b57a079a1934p-111;
}

/* Taylor's series on |x| <= log(2) / 128, then squared 6 times, times a power of 2. */
quad quad_exp(quad x)
{
    if (x < -11000) return 0;
    double whole = nearbyint((double)(x / log_of_2()));
    quad rest = (x - (quad)whole * log_of_2()) / 64, sum = 0;
    for (int k = 20; k > 0; k--) sum = (sum + 1) * rest / k; /* exp(rest) - 1 */
    for (int k = 0; k < 6; k++) sum = sum * (2 + sum);
    quad result = sum + 1;
    for (; whole > 0; whole--) result *= 2;
    for (; whole < 0; whole++) result /= 2;
    return result;
}

/* Halley's method from the logarithm of the C library: the error of 2^-64 is cubed. */
quad quad_log(quad x)
{
    quad y = (quad)logl((long double)x);
    for (int k = 0; k < 2; k++) {
        quad e = quad_exp(y);
        y += 2 * (x - e) / (x + e);
    }
    return y;
}

quad quad_softplus(quad x)
{
    quad e = quad_exp(x > 0 ? -x : x), sum = 0;
    if (e > (quad)1e-2) return (x > 0 ? x : 0) + quad_log(1 + e);
    for (int k = 20; k > 0; k--) sum = e * ((quad)1 / k - sum); /* log(1 + e), which 1 + e would round */
    return (x > 0 ? x : 0) + sum;
}

quad quad_power(quad x, quad p)
{
    return quad_exp(p * quad_log(x));
}
