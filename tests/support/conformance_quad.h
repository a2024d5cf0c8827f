/* SPDX-License-Identifier: BSD-3-Clause */
/* Arithmetic of 113 bits: formulas written down as they stand, differences taken as they stand, and still more digits
 * left than a double has. */
#ifndef DCPN_TESTS_CONFORMANCE_QUAD_H
#define DCPN_TESTS_CONFORMANCE_QUAD_H

#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad;
#else
typedef long double quad;
#endif

quad quad_exp(quad x);
quad quad_log(quad x);           /* x > 0 */
quad quad_softplus(quad x);      /* log(1 + exp(x)) */
quad quad_power(quad x, quad p); /* x > 0 */

static inline quad quad_least(quad a, quad b)
{
    return a < b ? a : b;
}

static inline quad quad_most(quad a, quad b)
{
    return a > b ? a : b;
}

#endif
