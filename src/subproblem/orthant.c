/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric system on some of the coordinates, by a factor or by conjugate gradients with the diagonal. */
#include "subproblem/orthant.h"

#include <math.h>

#include "base/factor.h"
#include "base/vector.h"

void dcpn_orthant_layout(struct orthant *orthant, int64_t most, struct arena *arena)
{
    orthant->list = dcpn_arena_integers(arena, most);
    orthant->residual = dcpn_arena_scratch(arena, most);
    orthant->step = dcpn_arena_scratch(arena, most);
    orthant->along = dcpn_arena_scratch(arena, most);
    orthant->image = dcpn_arena_scratch(arena, most);
    orthant->factor = dcpn_arena_scratch(arena, most * dcpn_factor_stride(most));
}

int dcpn_orthant_factor(struct orthant *orthant, int64_t size, const double *G)
{
    const int64_t *O = orthant->list, count = orthant->count, stride = dcpn_factor_stride(count);
    double *solution = orthant->image, *diagonal = orthant->along;
    for (int64_t a = 0; a < count; a++) {
        double *row = orthant->factor + a * stride;
        solution[a] = orthant->residual[O[a]];
        diagonal[a] = G[O[a] * size + O[a]];
        for (int64_t b = 0; b < stride; b++) row[b] = b < count ? G[O[a] * size + O[b]] : 0.0;
    }
    if (!dcpn_factor(count, diagonal, 1e-15, orthant->factor)) return 0;
    dcpn_factor_solve(count, orthant->factor, solution);
    dcpn_fill(size, 0.0, orthant->step);
    for (int64_t a = 0; a < count; a++) orthant->step[O[a]] = solution[a];
    return 1;
}

/* image = G along, on O: half of a row of G is read, once for both of its uses. */
static void multiply(struct orthant *orthant, int64_t size, const double *G)
{
    const double *along = orthant->along;
    dcpn_fill(size, 0.0, orthant->image);
    for (int64_t a = 0; a < orthant->count; a++) {
        int64_t i = orthant->list[a];
        const double *row = G + i * size;
        dcpn_axpy(i, along[i], row, orthant->image);
        orthant->image[i] += dcpn_dot(i + 1, row, along);
    }
}

/* The residual's square in the metric that the diagonal is the inverse of. */
static double square_of(const struct orthant *orthant, int64_t size, const double *G)
{
    double sum = 0.0;
    for (int64_t a = 0; a < orthant->count; a++) {
        int64_t i = orthant->list[a];
        sum += orthant->residual[i] * orthant->residual[i] / G[i * size + i];
    }
    return sum;
}

static void turn(struct orthant *orthant, int64_t size, const double *G, double kept)
{
    for (int64_t a = 0; a < orthant->count; a++) {
        int64_t i = orthant->list[a];
        orthant->along[i] = orthant->residual[i] / G[i * size + i] + kept * orthant->along[i];
    }
}

/* To the minimum along the direction; returns the largest residual that is left. */
static double go(struct orthant *orthant, int64_t size, const double *G, double square)
{
    multiply(orthant, size, G);
    double form = dcpn_dot(size, orthant->along, orthant->image), largest = 0.0;
    for (int64_t a = 0; a < orthant->count && form > 0.0; a++) {
        int64_t i = orthant->list[a];
        orthant->step[i] += square / form * orthant->along[i];
        orthant->residual[i] -= square / form * orthant->image[i];
        largest = fmax(largest, fabs(orthant->residual[i]));
    }
    return largest;
}

int64_t dcpn_orthant_iterate(struct orthant *orthant, int64_t size, const double *G, double enough, int64_t most)
{
    double square = square_of(orthant, size, G), before = HUGE_VAL, left = HUGE_VAL;
    int64_t made = 0;
    dcpn_fill(size, 0.0, orthant->step);
    dcpn_fill(size, 0.0, orthant->along);
    for (; made < most && left > enough && square > 0.0; made++) {
        turn(orthant, size, G, square / before);
        left = go(orthant, size, G, square);
        before = square;
        square = square_of(orthant, size, G);
    }
    return made;
}
