/* SPDX-License-Identifier: BSD-3-Clause */
/* Every penalty of the registry as a function of one number, and as one of a vector, for the tests of penalties. */
#ifndef DCPN_TESTS_CONFORMANCE_SCALAR_H
#define DCPN_TESTS_CONFORMANCE_SCALAR_H

#include <stdio.h>

#include "base/rng.h"
#include "settings/registry.h"
#include "support/conformance_assert.h"

static const double EPS = DBL_EPSILON;

static const dcpn_penalty_shape SHAPES[] = {
    {.theta = 1.0, .a = 3.7, .gamma = 3.0, .p = 0.5, .eps = 1e-3, .unit = 1.0},
    {.theta = 0.01, .a = 2.0, .gamma = 1.0, .p = 0.1, .eps = 0.1, .unit = 0.25},
    {.theta = 50.0, .a = 1.01, .gamma = 0.05, .p = 0.9, .eps = 1e-8, .unit = 1.0},
    {.theta = 1e3, .a = 100.0, .gamma = 1e3, .p = 1.0, .eps = 1.0, .unit = 30.0},
};
static const double LAMBDAS[] = {0.0, 1e-3, 1.0, 50.0};

/* One p: a penalty, its shape and its lambda. */
struct scalar {
    const dcpn_penalty_ops *ops;
    const dcpn_penalty_shape *shape;
    double lambda, c;
    char name[96];
};

typedef void scalar_check(const struct scalar *p);

static inline double value(const struct scalar *p, double t)
{
    return p->ops->value(p->shape, p->lambda, t);
}

/* lp takes an exponential of p log(1 + t / eps), which multiplies the rounding of that number. */
static inline double value_rounding(const struct scalar *p, double t)
{
    return (8.0 + log1p(t / p->shape->eps)) * EPS * value(p, t);
}

static inline double slope(const struct scalar *p, double t, dcpn_side side)
{
    return p->ops->slope(p->shape, p->lambda, t, side);
}

static inline void on_every_penalty(scalar_check *check)
{
    dcpn_part part;
    size_t i = 0;
    for (; dcpn_part_at("penalty", i, &part); i++)
        for (size_t s = 0; s < (part.settings ? COUNT_OF(SHAPES) : 1); s++)
            for (size_t l = 0; l < COUNT_OF(LAMBDAS); l++) {
                struct scalar p = {dcpn_find_penalty(part.name), &SHAPES[s], LAMBDAS[l], 0.0, ""};
                p.c = p.ops->slope0(p.shape, p.lambda);
                snprintf(p.name, sizeof p.name, "%s, shape %zu, lambda %g", part.name, s, LAMBDAS[l]);
                check(&p);
            }
    assert_true(i > 0);
}

enum { MOST_POINTS = 64 };

/* Where any p of the registry may bend. */
static inline size_t knots(const struct scalar *p, double *t)
{
    const double all[] = {p->shape->theta, p->lambda, p->shape->a * p->lambda, p->shape->gamma * p->lambda};
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (all[i] > 0.0) t[count++] = all[i];
    return count;
}

/* Tiny to huge, the knots, and their neighbourhoods, all > 0. */
static inline size_t hostile_points(const struct scalar *p, double *t)
{
    static const double plain[] = {1e-300, 1e-12, 1e-8, 1e-4, 0.1, 0.5, 1.0, 1.5, 3.0, 40.0, 1e3, 1e6};
    static const double around[] = {1.0, 1.0 - 1e-15, 1.0 + 1e-15, 1.0 - 1e-6, 1.0 + 1e-6, 0.5, 2.0};
    double at[4];
    size_t count = 0, knot_count = knots(p, at);
    for (size_t i = 0; i < COUNT_OF(plain); i++) t[count++] = plain[i];
    for (size_t k = 0; k < knot_count; k++)
        for (size_t i = 0; i < COUNT_OF(around); i++) t[count++] = at[k] * around[i];
    assert_true(count <= MOST_POINTS);
    return count;
}

/* ---- the whole vector ---- */

enum { SIZE = MOST_POINTS * 2 + 2 };

/* A penalty on a vector of its own: features coordinates and an intercept. */
struct vector {
    struct penalty penalty;
    double lambda[SIZE], c[SIZE], factors[SIZE], x[SIZE];
};

/* Both signs of the hostile points, 0 and, last, the free intercept. Factor 1 unless told. */
static inline void fill_vector(struct vector *v, const struct scalar *p)
{
    double points[MOST_POINTS];
    size_t count = hostile_points(p, points), n = 0;
    for (size_t i = 0; i < count; i++) {
        v->x[n++] = points[i];
        v->x[n++] = -points[i];
    }
    v->x[n++] = 0.0;
    v->x[n] = 12.5;
    for (size_t j = 0; j <= n; j++) {
        v->lambda[j] = v->c[j] = 0.0; /* as the arena gives them */
        v->factors[j] = 1.0;
    }
    v->penalty = (struct penalty){.ops = p->ops,
                                  .shape = *p->shape,
                                  .base_lambda = p->lambda,
                                  .factors = v->factors,
                                  .features = (int64_t)n,
                                  .size = (int64_t)n + 1,
                                  .lambda = v->lambda,
                                  .c = v->c};
    dcpn_penalty_prepare(&v->penalty);
}

#endif
