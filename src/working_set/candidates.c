/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the columns that are candidates. */
#include "working_set/candidates.h"

#include <math.h>

#include "base/select.h"
#include "base/tuning.h"
#include "base/vector.h"

int64_t dcpn_candidate_count(double rows, int64_t features)
{
    double count = fmax(CANDIDATES_PER_ROW * rows, LEAST_CANDIDATES);
    return count <= (double)(features / CANDIDATES_LARGEST_SHARE) ? (int64_t)count : 0;
}

void dcpn_candidates_measure(const struct objective *F, const struct point *point, const struct look *look,
                             double *steepness)
{
    const double *c = F->penalty.c, *x = point->x, *g = point->gradient;
    dcpn_fill(F->features, 0.0, steepness);
    for (int64_t i = 0; i < dcpn_look_count(look, F->features); i++) {
        int64_t j = dcpn_look_column(look, i);
        if (j < F->features) steepness[j] = c[j] > 0.0 && x[j] == 0.0 ? fabs(g[j]) / c[j] : HUGE_VAL;
    }
}

static void choose(int64_t features, const double *steepness, int64_t count, double *space, int64_t *columns)
{
    int64_t chosen = 0, ties = count;
    dcpn_copy(features, steepness, space);
    double least = dcpn_kth_largest(space, features, count);
    for (int64_t j = 0; j < features; j++) ties -= steepness[j] > least;
    for (int64_t j = 0; j < features && chosen < count; j++)
        if (steepness[j] > least || (!(steepness[j] < least) && ties-- > 0)) columns[chosen++] = j;
}

void dcpn_candidates_choose(int64_t features, const double *steepness, const double *earlier, int64_t count,
                            double *space, int64_t *columns)
{
    if (!earlier) {
        choose(features, steepness, count, space, columns);
        return;
    }
    double *both = space + features;
    choose(features, earlier, count / 2, space, columns);
    dcpn_copy(features, steepness, both);
    for (int64_t k = 0; k < count / 2; k++) both[columns[k]] = HUGE_VAL;
    choose(features, both, count, space, columns);
}
