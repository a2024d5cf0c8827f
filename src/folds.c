/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds and subsamples of rows, drawn from a seed: the same on every machine and for any number of threads. */
#include "folds.h"

#include <math.h>

#include "base/context.h"
#include "base/rng.h"

static void shuffle(struct rng *rng, int64_t *order, int64_t count)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t k = (int64_t)dcpn_rng_below(rng, (uint64_t)i + 1), moved = order[i];
        order[i] = order[k];
        order[k] = moved;
    }
}

/* The rows of the stratum with the least label above `floor`, ascending; those without a label (NaN) come last. */
static int64_t next_stratum(const double *strata, int64_t rows, double *floor, int64_t *order)
{
    double least = INFINITY;
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        if (strata[i] > *floor && strata[i] < least) least = strata[i];
    for (int64_t i = 0; i < rows; i++)
        if (isinf(least) ? isnan(strata[i]) : strata[i] == least) order[count++] = i;
    *floor = least;
    return count;
}

static int64_t all_rows(int64_t rows, int64_t *order)
{
    for (int64_t i = 0; i < rows; i++) order[i] = i;
    return rows;
}

/* Folds are dealt out like cards, and the next stratum goes on where the last one ended, so that their sizes differ by
 * one at most. */
dcpn_status dcpn_folds_draw(dcpn_context *context, const double *strata, int64_t rows, int64_t folds, uint64_t seed,
                            int64_t *fold_of)
{
    struct rng rng;
    double floor = -INFINITY;
    int64_t dealt = 0, count;
    if (folds < 2 || folds > rows)
        return dcpn_fail(context, DCPN_USAGE, "folds: found %lld, expected from 2 to the %lld rows", (long long)folds,
                         (long long)rows);
    int64_t *order = dcpn_allocate(context, (size_t)rows, sizeof *order);
    if (!order) return DCPN_MEMORY;
    dcpn_rng_seed(&rng, seed);
    while (dealt < rows) {
        count = strata ? next_stratum(strata, rows, &floor, order) : all_rows(rows, order);
        shuffle(&rng, order, count);
        for (int64_t i = 0; i < count; i++) fold_of[order[i]] = dealt++ % folds;
    }
    dcpn_free(context, order);
    return DCPN_OK;
}

int64_t dcpn_draw_subsample(const double *strata, int64_t rows, double share, uint64_t seed, int64_t *order,
                            int64_t *rows_of)
{
    struct rng rng;
    double floor = -INFINITY;
    int64_t seen = 0, drawn = 0, count;
    for (int64_t i = 0; i < rows; i++) rows_of[i] = 0;
    dcpn_rng_seed(&rng, seed);
    while (seen < rows) {
        count = strata ? next_stratum(strata, rows, &floor, order) : all_rows(rows, order);
        shuffle(&rng, order, count);
        int64_t wanted = (int64_t)(share * (double)count + 0.5);
        if (wanted < 1) wanted = 1;
        for (int64_t i = 0; i < wanted; i++) rows_of[order[i]] = 1;
        seen += count;
    }
    for (int64_t i = 0; i < rows; i++)
        if (rows_of[i]) rows_of[drawn++] = i; /* drawn <= i: no mark is overwritten before it is read */
    return drawn;
}
