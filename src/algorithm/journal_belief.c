/* SPDX-License-Identifier: BSD-3-Clause */
/* Checksums find damage. A checkpoint that somebody has made up has right ones, and must not become a certificate. */
#include "algorithm/journal_belief.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"

static int is_count(int64_t number)
{
    return number >= 0 && (double)number <= BELIEF_MOST;
}

int dcpn_counts_are_believed(const struct descent *descent, int64_t touched)
{
    return is_count(descent->steps) && is_count(descent->inner) && is_count(descent->trials) && is_count(touched) &&
           descent->sweeps >= 0.0 && isfinite(descent->sweeps) && descent->outcome >= DCPN_NOT_RUN &&
           descent->outcome <= DCPN_INTERRUPTED;
}

/* NaN is close to nothing. */
static int is_close(double one, double other, double scale)
{
    return fabs(one - other) <= BELIEF_SHARE * scale;
}

static double scale_of(double said, const struct algorithm *a)
{
    return fabs(said) + fabs(a->point.value) + 1e-300;
}

int dcpn_value_is_believed(double said, const struct algorithm *a)
{
    return is_close(said, a->point.value, scale_of(said, a));
}

int dcpn_stationarity_is_believed(double said, const struct algorithm *a, const struct effort *effort)
{
    double slope = dcpn_penalty_reference_slope(&a->objective.penalty);
    double rounding = 1e-3 * (slope + dcpn_norm_max(a->objective.size, a->point.gradient));
    return said >= 0.0 && is_close(said, a->stationarity, fabs(said) + rounding + 1e3 * effort->goal);
}

/* F of a descent that goes on is the F of its start and what steps have changed, and has the rounding of both. */
static int is_close_on_the_way(double said, double begun_at, const struct algorithm *a)
{
    return is_close(said, a->point.value, scale_of(said, a) + BELIEF_OF_START * fabs(begun_at));
}

int dcpn_point_is_believed(struct algorithm *a, double begun_at, double *space)
{
    const struct objective *F = &a->objective;
    double value = a->point.value, largest = 0.0, apart = 0.0;
    int is_saved = !F->design.A->ops->by_ranks; /* u; if not it follows from x */
    if (!is_saved) dcpn_point_add_columns(&a->objective, &a->point);
    dcpn_copy(F->rows, a->point.u, space);
    dcpn_point_evaluate(&a->objective, &a->point);
    for (int64_t i = 0; i < F->rows && is_saved; i++) {
        largest = fmax(largest, fabs(a->point.u[i]));
        double off = fabs(a->point.u[i] - space[i]);
        if (!(off <= apart)) apart = off; /* NaN stays */
    }
    int is_believed = isfinite(value) && is_close_on_the_way(value, begun_at, a) && is_close(apart, 0.0, 1.0 + largest);
    if (is_saved || a->is_by_columns) dcpn_copy(F->rows, space, a->point.u);
    a->point.value = value;
    return is_believed;
}
