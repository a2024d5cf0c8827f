/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that do not depend on who adds: of whole numbers, which are the same in any order and any grouping, so that
 * ranks, threads and one process alone get the same bytes.
 *
 * Many sums of the same kind, A'r say, are on a grid. Let all terms be |p| <= 2^b and their number at most n. With
 *     extra = max(0, ceil(log2 n) - 11),   e = max(b - 51 + extra, -1074),   q = 2^e,   C = 1.5 2^52 q
 * the sum p + C lies in [2^52 q, 2^53 q], whose doubles are q apart. So one addition rounds p to a multiple of q,
 *     bits(p + C) - bits(C) = round(p / q)   (at the upper end, 2^53 q, the next double's bits follow on as well)
 * and the rounded terms are added as integers. None is beyond 2^(51 - extra), so that n of them are at most
 *     n 2^(51 - extra) <= 2^(ceil(log2 n) + 51 - extra) <= 2^62
 * and never overflow; each is at most q / 2 from its term, which of n = 2048 terms is 2^-52 of the largest there could
 * be. Where e is -1074, q is the least double there is, and nothing is rounded. Where C would overflow, b > 1020 about,
 * the grid says that there is none, and the sum is NaN: the solver then says that the data are not scaled sensibly. The
 * same happens when a term is not finite.
 *
 * A few sums, the value of the objective say, are exact: a number of fixed point with 2176 bits, which holds any sum of
 * doubles, and is rounded once, to the nearest. */
#ifndef DCPN_SRC_REDUCE_H
#define DCPN_SRC_REDUCE_H

#include <stdint.h>
#include <string.h>

#include "base/ranks.h"

/* ---- on a grid ---- */

struct grid {
    double C, q;
    int64_t bits; /* of C */
    int is_none;  /* some term is too large for any */
};

/* The grid of `count` terms that are at most 2^bound, DCPN_NO_BOUND if one is not finite. */
struct grid dcpn_grid(int bound, int64_t count);
/* The least exponent with |x| < 2^exponent; DCPN_BOUND_OF_0 for 0, DCPN_NO_BOUND if x is not finite. The sum of two
 * such bounds is a bound of the product. */
int dcpn_exponent(double x);
enum { DCPN_BOUND_OF_0 = -2400, DCPN_NO_BOUND = 100000 };

/* Adds a term to the sum so far. If there is no grid, whole numbers overflow and wrap around, and the sum means
 * nothing. */
static inline int64_t dcpn_add_on_grid(int64_t sum, double p, const struct grid *grid)
{
    double on_grid = p + grid->C;
    uint64_t bits;
    memcpy(&bits, &on_grid, sizeof bits);
    return (int64_t)((uint64_t)sum + bits - (uint64_t)grid->bits);
}

/* The sum is rounded to a double once, and its product with q is exact. */
static inline double dcpn_off_grid(const struct grid *grid, int64_t sum)
{
    return (double)sum * grid->q;
}

/* ---- exact ---- */

enum { FULL_DIGITS = 68, FULL_WORDS = FULL_DIGITS + 3 };
struct full_sum {
    int64_t digit[FULL_DIGITS];      /* of 32 bits each, the lowest has the value 2^-1074; signed and not carried yet */
    int64_t nan, positive, negative; /* how many were not finite */
    int64_t since;                   /* it was last carried: additions, of which 2^30 fit */
};

void dcpn_full_clear(struct full_sum *sum);
void dcpn_full_add(struct full_sum *sum, double x);
/* Turns a sum into FULL_WORDS words, which can be added up with those of up to 2^30 sums, and such words into a
 * number. */
void dcpn_full_pack(struct full_sum *sum, int64_t *words);
double dcpn_full_value(const int64_t *words);

/* The sum over the rows of all ranks, of which this rank adds its own. It takes one message. */
double dcpn_ranks_full_sum(dcpn_context *context, struct full_sum *sum);
double dcpn_ranks_sum_of(dcpn_context *context, int64_t count, const double *x);

/* Maps doubles to whole numbers of the same order, with -0 before 0. The key of -x is ~key if that of x is key. */
static inline int64_t dcpn_order_key(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits < 0 ? -(bits & INT64_MAX) - 1 : bits;
}

static inline double dcpn_of_order_key(int64_t key)
{
    int64_t bits = key < 0 ? (-(key + 1)) | INT64_MIN : key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The least and the largest number on all ranks, NaN left out; NaN if there is none. It takes one message, in which up
 * to RANGE_MOST_MORE words become the largest of all ranks, too. */
struct extent {
    double least, largest;
};
enum { RANGE_MOST_MORE = 8 };
struct extent dcpn_ranks_range(dcpn_context *context, int64_t count, const double *x, int64_t *more,
                               int64_t more_count);

#endif
