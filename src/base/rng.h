/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeded random numbers: the same seed gives the same numbers on every machine and with every C library. */
#ifndef DCPN_SRC_RNG_H
#define DCPN_SRC_RNG_H

#include <stdint.h>

/* xoshiro256** (Blackman and Vigna), its state filled by splitmix64. */
struct rng {
    uint64_t state[4];
    double spare_normal; /* the polar method makes normals in pairs */
    int has_spare;
};

void dcpn_rng_seed(struct rng *rng, uint64_t seed);
uint64_t dcpn_rng_next(struct rng *rng);
uint64_t dcpn_rng_below(struct rng *rng, uint64_t bound); /* uniform on 0 .. bound - 1; bound > 0 */
double dcpn_rng_uniform(struct rng *rng);                 /* uniform on [0, 1), a multiple of 2^-53 */
double dcpn_rng_normal(struct rng *rng);                  /* mean 0, variance 1 */

/* log x for a finite x > 0, from additions, multiplications and divisions alone: where C libraries differ in the last
 * bit, this does not. */
double dcpn_portable_log(double x);

#endif
