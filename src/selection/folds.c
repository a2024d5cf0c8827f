/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds and subsamples of rows, drawn from a seed: the same on every machine and for any number of threads. Where sums
 * are exact, each row is drawn by itself, so that ranks which have some rows each draw the same. */
#include "selection/folds.h"

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

enum { NOT_DEALT = -1 };

/* Lists the rows, ascending, of the stratum of the first row that is not dealt yet. So strata come in the order of
 * their first rows, and the names of classes do not matter. Rows with NaN are in no stratum. */
static int64_t next_stratum(const double *strata, int64_t rows, const int64_t *dealt, int64_t *order)
{
    int64_t first = 0, count = 0;
    while (isnan(strata[first]) || dealt[first] != NOT_DEALT) first++;
    for (int64_t i = first; i < rows; i++)
        if (strata[i] == strata[first]) order[count++] = i;
    return count;
}

static int64_t all_rows(int64_t rows, int64_t *order)
{
    for (int64_t i = 0; i < rows; i++) order[i] = i;
    return rows;
}

static int64_t count_drawn(const double *strata, int64_t rows)
{
    int64_t count = rows;
    for (int64_t i = 0; strata && i < rows; i++) count -= isnan(strata[i]) != 0;
    return count;
}

/* Deals rows to the folds like cards. The next stratum goes on where the last one ended, so that the sizes of folds
 * differ by one at most. */
dcpn_status dcpn_folds_draw(dcpn_context *context, const double *strata, int64_t rows, int64_t folds, uint64_t seed,
                            int64_t *fold_of)
{
    struct rng rng;
    int64_t dealt = 0, count, wanted = count_drawn(strata, rows);
    DCPN_NEED(context, context, fold_of);
    if (rows < 2)
        return dcpn_fail(context, DCPN_DATA, "found %lld row, expected 2 or more to leave some out", (long long)rows);
    if (wanted < 2)
        return dcpn_fail(context, DCPN_DATA, "labels: %s, expected at least 2 rows with one; label some more",
                         wanted == 0 ? "no row has one" : "one row alone has one");
    if (folds < 2 || folds > wanted)
        return dcpn_fail(context, DCPN_USAGE, "folds: found %lld, expected from 2 to the %lld rows%s", (long long)folds,
                         (long long)wanted, wanted < rows ? " with a label" : "");
    int64_t *order = dcpn_allocate(context, (size_t)rows, sizeof *order);
    if (!order) return DCPN_MEMORY;
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < rows; i++) fold_of[i] = NOT_DEALT;
    while (dealt < wanted) {
        count = strata ? next_stratum(strata, rows, fold_of, order) : all_rows(rows, order);
        shuffle(&rng, order, count);
        for (int64_t i = 0; i < count; i++) fold_of[order[i]] = dealt++ % folds;
    }
    dcpn_free(context, order);
    return DCPN_OK;
}

int64_t dcpn_draw_subsample(const double *strata, int64_t rows, double share, uint64_t seed, enum subsample_side side,
                            int64_t *order, int64_t *rows_of)
{
    struct rng rng;
    int64_t seen = 0, drawn = 0, count, all = count_drawn(strata, rows);
    for (int64_t i = 0; i < rows; i++) rows_of[i] = strata && isnan(strata[i]) ? 1 : NOT_DEALT;
    dcpn_rng_seed(&rng, seed);
    while (seen < all) {
        count = strata ? next_stratum(strata, rows, rows_of, order) : all_rows(rows, order);
        shuffle(&rng, order, count);
        int64_t wanted = (int64_t)(share * (double)count + 0.5);
        if (wanted < 1) wanted = 1;
        for (int64_t i = 0; i < count; i++) rows_of[order[i]] = (i < wanted) == (side == SUBSAMPLE_DRAWN) || count == 1;
        seen += count;
    }
    for (int64_t i = 0; i < rows; i++)
        if (rows_of[i] == 1) rows_of[drawn++] = i; /* drawn <= i: no mark is overwritten before it is read */
    return drawn;
}

/* ---- by a hash of the seed and the number of the row ---- */

/* The finaliser of splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t scramble(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

/* Uniform on 0 .. 2^32 - 1. */
static uint64_t draw_of_row(uint64_t seed, int64_t row)
{
    const uint64_t golden = UINT64_C(0x9E3779B97F4A7C15);
    return scramble(scramble(seed + golden) + ((uint64_t)row + 1) * golden) >> 32;
}

int64_t dcpn_fold_of_row(uint64_t seed, int64_t row, int64_t folds)
{
    return (int64_t)(draw_of_row(seed, row) * (uint64_t)folds >> 32);
}

int dcpn_is_row_drawn(uint64_t seed, int64_t row, double share)
{
    return (double)draw_of_row(seed, row) < share * 4294967296.0;
}
