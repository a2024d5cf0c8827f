/* SPDX-License-Identifier: BSD-3-Clause */
/* How far copies are from what they copy. s is the same for all features, as large as can be and at most 1 (Barber and
 * Candes 2015), or the minimum of what the variables of the joint law G are known by when all others are known (Spector
 * and Janson 2022), with k copies
 *     tr G^-1 = k sum_j 1 / s_j + tr D^-1,   D = (k + 1) R - k diag(s).
 * By one coordinate, s_j + t, D^-1 gains k t w w' / (1 - k t d), w its row j, d = w_j, and the trace is least at
 *     t = (1 - |w| s_j) / (k d + |w|).
 * Rows of D^-1 are corrected one by one as they are needed, and the whole matrix after BLOCK of them. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "inference/law.h"

enum { BLOCK = 32 };

/* Corrections that the inverse has not got yet: sum of by[b] row[b] row[b]'. */
struct pending {
    int64_t size, count;
    double by[BLOCK];
    double *rows; /* BLOCK x size */
    double *inverse;
};

static void fill_D(const struct law *law, double *D)
{
    double k = (double)law->copies;
    int64_t n = law->size;
    for (int64_t i = 0; i < n * n; i++) D[i] = (k + 1.0) * law->R[i];
    for (int64_t i = 0; i < law->count; i++) D[i * n + i] -= k * law->s[i];
}

static int allows(struct law *law, double s)
{
    dcpn_fill(law->count, s, law->s);
    fill_D(law, law->factor);
    return dcpn_law_factor(law, law->factor);
}

/* Finds the largest s that all can have, at most 1; 0: there is none above rounding. */
static double largest_equal(struct law *law)
{
    double low = 1.0, high = 1.0;
    while (low > 1e-9 && !allows(law, low)) {
        high = low;
        low *= 0.5;
    }
    if (low <= 1e-9) return 0.0;
    for (int step = 0; low < high && step < ROOM_HALVES; step++) {
        double middle = 0.5 * (low + high);
        *(allows(law, middle) ? &low : &high) = middle;
    }
    return low;
}

/* ---- coordinate descent ---- */

static void correct_rows(void *user, int64_t begin, int64_t end)
{
    const struct pending *p = user;
    for (int64_t i = begin; i < end; i++)
        for (int64_t b = 0; b < p->count; b++) {
            const double *row = p->rows + b * p->size;
            dcpn_axpy(p->size, p->by[b] * row[i], row, p->inverse + i * p->size);
        }
}

/* Moves s_j to the minimum. Returns by which share of itself it has moved. */
static double move(struct law *law, struct pending *p, int64_t j)
{
    double k = (double)law->copies, *w = p->rows + p->count * p->size;
    dcpn_copy(p->size, p->inverse + j * p->size, w);
    for (int64_t b = 0; b < p->count; b++) {
        const double *row = p->rows + b * p->size;
        dcpn_axpy(p->size, p->by[b] * row[j], row, w);
    }
    double d = w[j], norm = dcpn_norm2(p->size, w), t = (1.0 - norm * law->s[j]) / (k * d + norm);
    p->by[p->count++] = k * t / (1.0 - k * t * d);
    law->s[j] += t;
    return fabs(t) / law->s[j];
}

static dcpn_status sweep(struct law *law, struct pending *p, double *largest)
{
    fill_D(law, law->factor);
    if (!dcpn_law_factor(law, law->factor))
        return dcpn_fail(law->context, DCPN_DATA, "knockoffs: rounding has spoiled the distance of the copies; try "
                                                  "the distance 'equal'");
    dcpn_positive_inverse(law->context, &law->space, law->factor, p->inverse);
    *largest = 0.0;
    for (int64_t first = 0; first < law->count; first += BLOCK) {
        DCPN_TRY(dcpn_refuse_interrupted(law->context, "the making of copies"));
        p->count = 0;
        for (int64_t j = first; j < law->count && j < first + BLOCK; j++) *largest = fmax(*largest, move(law, p, j));
        dcpn_parallel_ranges(law->size >= 256 ? law->context : NULL, law->size, correct_rows, p);
    }
    return DCPN_OK;
}

static dcpn_status descend(struct law *law, double start)
{
    struct pending p = {.size = law->size, .inverse = law->inverse};
    double largest = INFINITY;
    dcpn_status status = DCPN_OK;
    p.rows = dcpn_allocate(law->context, BLOCK, (size_t)law->size * sizeof *p.rows);
    if (!p.rows) return DCPN_MEMORY;
    dcpn_fill(law->count, start, law->s);
    for (int k = 0; status == DCPN_OK && k < ROOM_SWEEPS && largest > ROOM_NEAR; k++) status = sweep(law, &p, &largest);
    dcpn_free(law->context, p.rows);
    return status;
}

dcpn_status dcpn_law_make_room(struct law *law, int is_equal)
{
    double largest = largest_equal(law);
    if (!(largest > 0.0))
        return dcpn_fail(law->context, DCPN_DATA,
                         "knockoffs: some features are linear functions of others, expected independent ones; leave "
                         "some out, or let the copies be gaussian");
    if (!is_equal) return descend(law, 0.5 * largest);
    dcpn_fill(law->count, largest, law->s);
    return DCPN_OK;
}
