/* SPDX-License-Identifier: BSD-3-Clause */
/* Every penalty of the registry: p concave and increasing, h1 and h2 convex, z in dh2, proxes that no grid beats,
 * changes that keep their digits. */
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_quad.h"

static const double EPS = DBL_EPSILON;

static const dcpn_penalty_shape SHAPES[] = {
    {.theta = 1.0, .a = 3.7, .gamma = 3.0, .p = 0.5, .eps = 1e-3},
    {.theta = 0.01, .a = 2.0, .gamma = 1.0, .p = 0.1, .eps = 0.1},
    {.theta = 50.0, .a = 1.01, .gamma = 0.05, .p = 0.9, .eps = 1e-8},
    {.theta = 1e3, .a = 100.0, .gamma = 1e3, .p = 1.0, .eps = 1.0},
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

static double value(const struct scalar *p, double t)
{
    return p->ops->value(p->shape, p->lambda, t);
}

/* lp takes an exponential of p log(1 + t / eps), which multiplies the rounding of that number. */
static double value_rounding(const struct scalar *p, double t)
{
    return (8.0 + log1p(t / p->shape->eps)) * EPS * value(p, t);
}

static double slope(const struct scalar *p, double t, dcpn_side side)
{
    return p->ops->slope(p->shape, p->lambda, t, side);
}

static void on_every_penalty(scalar_check *check)
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
static size_t knots(const struct scalar *p, double *t)
{
    const double all[] = {p->shape->theta, p->lambda, p->shape->a * p->lambda, p->shape->gamma * p->lambda};
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        if (all[i] > 0.0) t[count++] = all[i];
    return count;
}

/* Tiny to huge, the knots, and their neighbourhoods, all > 0. */
static size_t hostile_points(const struct scalar *p, double *t)
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

/* ---- p ---- */

static void check_shape(const struct scalar *p)
{
    double t[MOST_POINTS];
    size_t count = hostile_points(p, t);
    assert_true(value(p, 0.0) == 0.0);
    assert_true(isfinite(p->c) && p->c >= 0.0);
    assert_true((p->c > 0.0) == (p->lambda > 0.0));
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            double a = t[i], b = t[j], noise = value_rounding(p, a) + value_rounding(p, b);
            if (a > b) continue;
            assert_true(isfinite(value(p, b)));
            assert_at_most(value(p, a), value(p, b) + noise, "%s: p(%g) and p(%g)", p->name, a, b);
            for (double share = 0.125; share < 1.0; share += 0.25) {
                double chord = share * value(p, a) + (1.0 - share) * value(p, b);
                double middle = share * a + (1.0 - share) * b;
                assert_at_most(chord, value(p, middle) + noise + 2.0 * EPS * b * p->c * (middle < 1e3 * a),
                               "%s: p is not concave between %.17g and %.17g", p->name, a, b);
            }
        }
}

static void p_is_increasing_and_concave_from_0(void **state)
{
    (void)state;
    on_every_penalty(check_shape);
}

/* p concave: to its left the difference quotient is at least p'(t-), to its right at most p'(t+), and a short step
 * brings them together with the slope one step further. */
static void check_slopes_at(const struct scalar *p, double t)
{
    double left = slope(p, t, DCPN_LEFT), right = slope(p, t, DCPN_RIGHT), slack = 8.0 * EPS * p->c;
    assert_at_most(0.0, right, "%s, t = %g: slope", p->name, t);
    assert_at_most(right, left + slack, "%s, t = %.17g: right and left slope", p->name, t);
    assert_at_most(left, p->c + slack, "%s, t = %.17g: left slope and slope at 0", p->name, t);
    for (double share = 1e-6; share < 1e-2; share *= 100.0) {
        double before = t * (1.0 - share), after = t * (1.0 + share);
        double noise = 8.0 * EPS * value(p, after) / (t * share) + slack;
        double from_left = (value(p, t) - value(p, before)) / (t - before);
        double from_right = (value(p, after) - value(p, t)) / (after - t);
        assert_at_most(left, from_left + noise, "%s, t = %.17g: p'(t-)", p->name, t);
        assert_at_most(from_left, slope(p, before, DCPN_RIGHT) + noise, "%s, t = %.17g: p' before t", p->name, t);
        assert_at_most(from_right, right + noise, "%s, t = %.17g: p'(t+)", p->name, t);
        assert_at_most(slope(p, after, DCPN_LEFT), from_right + noise, "%s, t = %.17g: p' after t", p->name, t);
    }
}

static void check_slopes(const struct scalar *p)
{
    double t[MOST_POINTS];
    size_t count = hostile_points(p, t);
    for (size_t i = 0; i < count; i++) check_slopes_at(p, t[i]);
    double tiny = 1e-300; /* both the slope and the quotient at 0 tend to c */
    assert_near(slope(p, tiny, DCPN_RIGHT), p->c, 8.0 * EPS * p->c, "%s: p'(0+)", p->name);
    assert_near(value(p, 1e-30) / 1e-30, p->c, 8.0 * EPS * p->c, "%s: p(t) / t", p->name);
}

static void slopes_are_one_sided_derivatives(void **state)
{
    (void)state;
    on_every_penalty(check_slopes);
}

/* p as its formula stands, in 113 bits. */
static quad l1_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    (void)shape;
    return lambda * t;
}

static quad capped_l1_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    return lambda * quad_least(t, (quad)shape->theta);
}

static quad scad_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad a = (quad)shape->a;
    if (t <= lambda) return lambda * t;
    if (t <= a * lambda) return (2 * a * lambda * t - t * t - lambda * lambda) / (2 * (a - 1));
    return lambda * lambda * (a + 1) / 2;
}

static quad mcp_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad gamma = (quad)shape->gamma;
    return t <= gamma * lambda ? lambda * t - t * t / (2 * gamma) : gamma * lambda * lambda / 2;
}

static quad log_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    return lambda * quad_log(1 + t / (quad)shape->theta);
}

static quad lp_quad(const dcpn_penalty_shape *shape, quad lambda, quad t)
{
    quad eps = (quad)shape->eps, p = (quad)shape->p;
    return lambda * (quad_power(t + eps, p) - quad_power(eps, p));
}

typedef quad scalar_quad(const dcpn_penalty_shape *shape, quad lambda, quad t);

static const struct reference {
    const char *name;
    scalar_quad *p;
} REFERENCES[] = {
    {"l1", l1_quad}, {"capped-l1", capped_l1_quad}, {"scad", scad_quad}, {"mcp", mcp_quad}, {"log", log_quad},
    {"lp", lp_quad},
};

static scalar_quad *reference_of(const dcpn_penalty_ops *ops)
{
    for (size_t i = 0; i < COUNT_OF(REFERENCES); i++)
        if (strcmp(REFERENCES[i].name, ops->name) == 0) return REFERENCES[i].p;
    return NULL;
}

static void check_formula(const struct scalar *p)
{
    scalar_quad *reference = reference_of(p->ops);
    double t[MOST_POINTS];
    size_t count = hostile_points(p, t);
    for (size_t i = 0; i < count && reference; i++) {
        double exact = (double)reference(p->shape, (quad)p->lambda, (quad)t[i]);
        if (t[i] < 1e-12) continue; /* 1 + t has no digits of t left, also in 113 bits, at 1e-300 */
        assert_near(value(p, t[i]), exact, value_rounding(p, t[i]), "%s: p(%.17g)", p->name, t[i]);
    }
}

/* No chord of the slope falls faster than the concavity says, and one nearly as fast. A kink is infinitely concave. */
static void check_concavity(const struct scalar *p)
{
    if (!p->ops->concavity || !(p->lambda > 0.0)) return;
    double k = p->ops->concavity(p->shape, p->lambda), steepest = 0.0, least = 1e-9, most = 1e4;
    if (isinf(k)) {
        double kink = p->shape->theta;
        assert_true(slope(p, kink, DCPN_LEFT) > slope(p, kink, DCPN_RIGHT));
        return;
    }
    for (double t = least; t < most; t *= 1.01) {
        double fall = slope(p, t, DCPN_RIGHT) - slope(p, t * 1.01, DCPN_RIGHT);
        steepest = fmax(steepest, (fall - 8.0 * EPS * p->c) / (0.01 * t));
    }
    if (!(steepest <= k * (1.0 + 1e-6))) fail_msg("%s: concavity %g, but %g was seen", p->name, k, steepest);
    /* where rounding leaves something to see of it */
    if (k * least > 1e-4 * p->c && !(steepest >= 0.9 * k)) fail_msg("%s: concavity %g is never seen", p->name, k);
}

static void the_concavity_is_the_steepest_fall_of_the_slope(void **state)
{
    (void)state;
    on_every_penalty(check_concavity);
}

static void values_are_those_of_the_formula(void **state)
{
    (void)state;
    on_every_penalty(check_formula);
}

/* ---- prox ---- */

static double prox_objective(const struct scalar *p, double step, double t, double y)
{
    double distance = y - t;
    return distance / step * distance / 2.0 + value(p, y);
}

/* How far rounding may lift the objective at the prox above the best double: the objective itself is rounded; y is off
 * by a few roundings of t, which costs quadratically where the objective is smooth and linearly at a kink of p. */
static double prox_rounding(const struct scalar *p, double step, double t, double y)
{
    double off = 4.0 * EPS * t;
    double kink = off * fmin(p->c, fabs(y - t) / step + slope(p, fmax(y, 1e-300), DCPN_LEFT));
    double rounding = 8.0 * EPS * prox_objective(p, step, t, y) + value_rounding(p, y);
    return rounding + off / step * off + kink + 8.0 * DBL_MIN;
}

static void try_point(const struct scalar *p, double step, double t, double y, double *best_y, double *lowest)
{
    double objective = prox_objective(p, step, t, y);
    if (!(objective < *lowest)) return;
    *lowest = objective;
    *best_y = y;
}

static void try_grid(const struct scalar *p, double step, double t, double low, double high, double *best_y,
                     double *lowest)
{
    enum { CELLS = 64 };
    for (int k = 0; k <= CELLS; k++) try_point(p, step, t, low + (high - low) * k / CELLS, best_y, lowest);
}

/* The minimiser lies in [0, t]: beyond t both terms grow. */
static double best_of_grid(const struct scalar *p, double step, double t, double *best_y)
{
    double points[MOST_POINTS], lowest = prox_objective(p, step, t, 0.0), width = t / 64.0;
    size_t count = hostile_points(p, points);
    *best_y = 0.0;
    for (size_t i = 0; i < count; i++)
        if (points[i] <= t) try_point(p, step, t, points[i], best_y, &lowest);
    try_grid(p, step, t, 0.0, t, best_y, &lowest);
    for (int level = 0; level < 9; level++, width /= 24.0)
        try_grid(p, step, t, fmax(*best_y - width, 0.0), fmin(*best_y + width, t), best_y, &lowest);
    return lowest;
}

static void check_prox_at(const struct scalar *p, double step, double t)
{
    double y = p->ops->prox(p->shape, p->lambda, step, t), best_y;
    double unseen = sqrt(16.0 * EPS * step * prox_objective(p, step, t, y)); /* beyond t the objective rises by less */
    assert_at_most(0.0, y, "%s: prox of %.17g with step %g", p->name, t, step);
    assert_at_most(y, t * (1.0 + 4.0 * EPS) + unseen, "%s: prox of %.17g with step %g", p->name, t, step);
    double lowest = best_of_grid(p, step, t, &best_y);
    assert_at_most(prox_objective(p, step, t, y),
                   lowest + prox_rounding(p, step, t, y) + prox_rounding(p, step, t, best_y),
                   "%s: prox of %.17g with step %g is %.17g, but %.17g is better", p->name, t, step, y, best_y);
}

static void check_prox(const struct scalar *p)
{
    static const double steps[] = {1e-12, 1e-6, 1e-2, 0.3, 1.0, 2.7, 3.0, 40.0, 1e4, 1e8, 1e12};
    double points[MOST_POINTS];
    size_t count = hostile_points(p, points);
    if (!p->ops->prox) return;
    for (size_t s = 0; s < COUNT_OF(steps); s++) {
        double step = steps[s];
        const double edges[] = {0.0,
                                step * p->c,
                                step * p->lambda,
                                p->shape->theta + step * p->lambda / 2.0,
                                p->lambda + step * p->lambda,
                                p->shape->a * p->lambda + step * p->lambda / 2.0,
                                2.0 * sqrt(step * p->lambda),
                                1.5 * step * p->c};
        for (size_t i = 0; i < count; i++)
            if (points[i] >= 1e-12) check_prox_at(p, step, points[i]);
        for (size_t i = 0; i < COUNT_OF(edges); i++) {
            check_prox_at(p, step, edges[i]);
            check_prox_at(p, step, edges[i] * (1.0 + 1e-12));
            check_prox_at(p, step, edges[i] * (1.0 - 1e-12));
        }
    }
}

static void no_grid_point_beats_the_prox(void **state)
{
    (void)state;
    on_every_penalty(check_prox);
}

/* capped-l1 with theta = lambda = step = 1 at 3/2: y = 1/2 and y = 3/2 both give 1, exactly. */
static void at_a_tie_the_prox_is_the_larger_minimiser(void **state)
{
    (void)state;
    struct scalar p = {dcpn_find_penalty("capped-l1"), &SHAPES[0], 1.0, 1.0, "capped-l1"};
    assert_true(prox_objective(&p, 1.0, 1.5, 0.5) == 1.0 && prox_objective(&p, 1.0, 1.5, 1.5) == 1.0);
    assert_true(p.ops->prox(p.shape, 1.0, 1.0, 1.5) == 1.5);
}

/* ---- the whole vector ---- */

enum { SIZE = MOST_POINTS * 2 + 2 };

/* A penalty on a vector of its own: features coordinates and an intercept. */
struct vector {
    struct penalty penalty;
    double lambda[SIZE], c[SIZE], factors[SIZE], x[SIZE];
};

/* Both signs of the hostile points, 0 and, last, the free intercept. Factor 1 unless told. */
static void fill_vector(struct vector *v, const struct scalar *p)
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

/* h2 = c |t| - p(|t|) of a coordinate, exactly where there is a formula */
static double h2(const struct scalar *p, double t)
{
    scalar_quad *reference = reference_of(p->ops);
    t = fabs(t);
    if (!reference || t < 1e-12) return t < 1e-12 ? 0.0 : p->c * t - value(p, t);
    return (double)((quad)p->c * (quad)t - reference(p->shape, (quad)p->lambda, (quad)t));
}

static void check_subgradients(const struct scalar *p)
{
    struct vector v;
    double z[SIZE], g[SIZE], h2_at[SIZE];
    struct rng rng;
    fill_vector(&v, p);
    dcpn_rng_seed(&rng, 11);
    for (int64_t j = 0; j < v.penalty.features; j++) h2_at[j] = h2(p, v.x[j]);
    for (int round = 0; round < 4; round++) {
        for (int64_t j = 0; j < v.penalty.size; j++) g[j] = round ? 2.0 * p->c * dcpn_rng_normal(&rng) : 0.0;
        dcpn_penalty_linearize(&v.penalty, v.x, g, z);
        assert_true(z[v.penalty.features] == 0.0);
        for (int64_t j = 0; j < v.penalty.features; j++)
            for (int64_t k = 0; k < v.penalty.features; k++) {
                double x = v.x[j], y = v.x[k], noise = 8.0 * EPS * p->c * (fabs(x) + fabs(y));
                assert_at_most(h2_at[j] + z[j] * (y - x), h2_at[k] + noise, "%s: z = %.17g at %.17g, y = %.17g",
                               p->name, z[j], x, y);
            }
    }
}

static void z_is_a_subgradient_of_h2(void **state)
{
    (void)state;
    on_every_penalty(check_subgradients);
}

static void check_convex(const struct scalar *p)
{
    struct vector v;
    struct rng rng;
    fill_vector(&v, p);
    dcpn_rng_seed(&rng, 5);
    for (int k = 0; k < 1000; k++) {
        double a = v.x[dcpn_rng_below(&rng, (uint64_t)v.penalty.features)];
        double b = v.x[dcpn_rng_below(&rng, (uint64_t)v.penalty.features)];
        double share = dcpn_rng_uniform(&rng), middle = share * a + (1.0 - share) * b;
        double noise = 8.0 * EPS * p->c * (fabs(a) + fabs(b));
        assert_at_most(p->c * fabs(middle), p->c * (share * fabs(a) + (1.0 - share) * fabs(b)) + noise, "%s: h1",
                       p->name);
        assert_at_most(h2(p, middle), share * h2(p, a) + (1.0 - share) * h2(p, b) + noise, "%s: h2 between %g and %g",
                       p->name, a, b);
    }
}

static void h1_and_h2_are_convex(void **state)
{
    (void)state;
    on_every_penalty(check_convex);
}

/* 0 in (y - x)/step + c d|y| */
static void check_prox1(const struct scalar *p)
{
    static const double steps[] = {1e-12, 0.3, 1.0, 1e12};
    struct vector v;
    double y[SIZE];
    fill_vector(&v, p);
    for (size_t s = 0; s < COUNT_OF(steps); s++) {
        dcpn_penalty_prox1(&v.penalty, v.x, steps[s], y);
        assert_true(y[v.penalty.features] == v.x[v.penalty.features]);
        for (int64_t j = 0; j < v.penalty.features; j++) {
            double pull = v.x[j] - y[j], push = steps[s] * p->c;
            if (y[j] == 0.0)
                assert_at_most(fabs(pull), push, "%s: prox1(%g) = 0", p->name, v.x[j]);
            else
                assert_near(pull, copysign(push, y[j]), 2.0 * EPS * (fabs(v.x[j]) + push), "%s: prox1(%g) = %g",
                            p->name, v.x[j], y[j]);
        }
    }
}

static void prox1_solves_its_optimality_condition(void **state)
{
    (void)state;
    on_every_penalty(check_prox1);
}

/* dist(0, g + [p'] sign), over the two one-sided slopes, or to [-c, c] at 0. */
static double naive_violation(const struct scalar *p, double lambda, double x, double g)
{
    if (!(lambda > 0.0)) return fabs(g);
    if (x == 0.0) return fmax(0.0, fabs(g) - p->ops->slope0(p->shape, lambda));
    double sign = x > 0.0 ? 1.0 : -1.0;
    double left = fabs(g + sign * p->ops->slope(p->shape, lambda, fabs(x), DCPN_LEFT));
    double right = fabs(g + sign * p->ops->slope(p->shape, lambda, fabs(x), DCPN_RIGHT));
    return left > right ? left : right;
}

static void check_violations(const struct scalar *p)
{
    struct vector v;
    double g[SIZE], z[SIZE], largest = 0.0;
    struct rng rng;
    fill_vector(&v, p);
    dcpn_rng_seed(&rng, 19);
    for (int64_t j = 0; j < v.penalty.features; j++) v.factors[j] = j % 4 ? 0.5 * (double)(j % 4) : 0.0;
    dcpn_penalty_prepare(&v.penalty);
    for (int64_t j = 0; j < v.penalty.size; j++) {
        int free = j == v.penalty.features;
        double lambda = free ? 0.0 : v.factors[j] * p->lambda;
        assert_true(v.penalty.lambda[j] == lambda);
        g[j] = 1.5 * p->c * dcpn_rng_normal(&rng);
        double expected = naive_violation(p, lambda, v.x[j], g[j]);
        assert_true(dcpn_penalty_violation(&v.penalty, j, v.x[j], g[j]) == expected);
        largest = fmax(largest, expected);
    }
    dcpn_penalty_linearize(&v.penalty, v.x, g, z);
    assert_true(dcpn_penalty_largest_violation(&v.penalty, v.x, g, z) == largest);
    for (int64_t j = 0; j < v.penalty.features; j++) /* z is the end of dh2 at which the violation is found */
        if (v.x[j] != 0.0)
            assert_near(fabs(g[j] + copysign(v.c[j], v.x[j]) - z[j]), naive_violation(p, v.lambda[j], v.x[j], g[j]),
                        4.0 * EPS * (fabs(g[j]) + v.c[j]), "%s: z at %.17g", p->name, v.x[j]);
    g[0] = NAN;
    assert_true(isnan(dcpn_penalty_largest_violation(&v.penalty, v.x, g, z)));
}

static void violations_are_distances_to_the_subdifferential(void **state)
{
    (void)state;
    on_every_penalty(check_violations);
}

static void check_values(const struct scalar *p)
{
    struct vector v;
    quad sum = 0;
    fill_vector(&v, p);
    for (int64_t j = 0; j < v.penalty.features; j++) {
        v.factors[j] = (double)(j % 3);
        sum +=
            v.factors[j] * p->lambda > 0.0 ? (quad)p->ops->value(p->shape, v.factors[j] * p->lambda, fabs(v.x[j])) : 0;
    }
    dcpn_penalty_prepare(&v.penalty);
    assert_near(dcpn_penalty_value(&v.penalty, v.x), (double)sum, SIZE * EPS * (double)sum, "%s: h", p->name);
}

static void the_value_is_the_sum_over_features_with_factors(void **state)
{
    (void)state;
    on_every_penalty(check_values);
}

/* ---- changes ---- */

static int crosses_a_knot(const struct scalar *p, double a, double b)
{
    double at[4];
    size_t count = knots(p, at);
    for (size_t k = 0; k < count; k++)
        if (fmin(a, b) <= at[k] && at[k] <= fmax(a, b)) return 1;
    return 0;
}

/* Steps shorter than 1e-5 of t: right to rounding of the step and of the slope, where p is smooth (a relative error of
 * EPS in t moves the slope by t |p''| EPS); across a knot of p the slope may bend by 1e-9 c unnoticed, and across a
 * kink the difference of two values is taken. Longer steps: to rounding of the values, which are then no more than 1e5
 * times the change at slope c. The reference has an error of its own. */
static double change_tolerance(const struct scalar *p, double x, double s)
{
    double a = fabs(x), b = fabs(x + s), reference = 1e-32 * (p->lambda + value(p, a) + value(p, b));
    double bend = (slope(p, a * (1.0 - 1e-6), DCPN_LEFT) - slope(p, a * (1.0 + 1e-6), DCPN_RIGHT)) / 2e-6;
    double values = 8.0 * EPS * (value(p, a) + value(p, b)) + 2.0 * EPS * p->c * fmax(a, b);
    if (!(fabs(s) < 1e-5 * a)) return values + 8.0 * EPS * p->c * fabs(s);
    if (!crosses_a_knot(p, a, b)) return 16.0 * EPS * (p->c + bend) * fabs(s) + reference;
    return fabs(slope(p, fmin(a, b) * (1.0 - 1e-9), DCPN_LEFT) - slope(p, fmax(a, b) * (1.0 + 1e-9), DCPN_RIGHT)) >
                   1e-7 * p->c
               ? values
               : 1e-9 * p->c * fabs(s);
}

static void check_change_at(const struct scalar *p, struct vector *v, int64_t j, double s)
{
    scalar_quad *reference = reference_of(p->ops);
    double d[SIZE] = {0.0}, x = v->x[j];
    quad end = (quad)x + (quad)s, size = x < 0 ? -(quad)x : (quad)x, end_size = end < 0 ? -end : end;
    double h1_exact = (double)((quad)p->c * (end_size - size));
    d[j] = s;
    assert_near(dcpn_penalty_h1_change(&v->penalty, v->x, d), h1_exact, 4.0 * EPS * p->c * fabs(s),
                "%s: h1(%.17g + %g) - h1", p->name, x, s);
    if (!reference) return;
    quad exact = reference(p->shape, (quad)p->lambda, end_size) - reference(p->shape, (quad)p->lambda, size);
    d[j] = 8.0 * s;
    assert_near(dcpn_penalty_change(&v->penalty, v->x, d, 0.125), (double)exact, change_tolerance(p, x, s),
                "%s: h(%.17g + %g) - h", p->name, x, s);
}

static void check_changes(const struct scalar *p)
{
    static const double shares[] = {1e-15, 1e-12, 1e-9, 1e-7, 0.9e-5, 1.1e-5, 1e-3, 0.3, 1.0, 1.7, 1e3};
    struct vector v;
    if (!(p->lambda > 0.0)) return;
    fill_vector(&v, p);
    for (int64_t j = 0; j < v.penalty.features; j++) {
        if (fabs(v.x[j]) < 1e-8) continue; /* of the reference: 1 + t/theta and t + eps have to hold the digits of s */
        for (size_t k = 0; k < COUNT_OF(shares); k++) {
            check_change_at(p, &v, j, shares[k] * v.x[j]);
            check_change_at(p, &v, j, -shares[k] * v.x[j]);
        }
    }
    check_change_at(p, &v, v.penalty.features - 1, 0.25); /* from 0 */
}

static void changes_keep_their_digits(void **state)
{
    (void)state;
    on_every_penalty(check_changes);
}

/* Term by term: the change of a sum is the sum of the changes, and an intercept changes nothing. */
static void check_sum_of_changes(const struct scalar *p)
{
    struct vector v;
    double d[SIZE], one[SIZE] = {0.0}, sum = 0.0, sum1 = 0.0, size = 0.0;
    struct rng rng;
    fill_vector(&v, p);
    dcpn_rng_seed(&rng, 23);
    for (int64_t j = 0; j < v.penalty.size; j++) d[j] = v.x[j] * dcpn_rng_normal(&rng);
    for (int64_t j = 0; j < v.penalty.size; j++) {
        one[j] = d[j];
        double change = dcpn_penalty_change(&v.penalty, v.x, one, 0.5);
        if (j == v.penalty.features) assert_true(change == 0.0);
        sum += change;
        sum1 += dcpn_penalty_h1_change(&v.penalty, v.x, one);
        size += v.penalty.c[j] * fabs(d[j]);
        one[j] = 0.0;
    }
    assert_near(dcpn_penalty_change(&v.penalty, v.x, d, 0.5), sum, SIZE * EPS * size, "%s", p->name);
    assert_near(dcpn_penalty_h1_change(&v.penalty, v.x, d), sum1, SIZE * EPS * size, "%s", p->name);
}

static void changes_add_up(void **state)
{
    (void)state;
    on_every_penalty(check_sum_of_changes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_is_increasing_and_concave_from_0),
        cmocka_unit_test(slopes_are_one_sided_derivatives),
        cmocka_unit_test(the_concavity_is_the_steepest_fall_of_the_slope),
        cmocka_unit_test(values_are_those_of_the_formula),
        cmocka_unit_test(no_grid_point_beats_the_prox),
        cmocka_unit_test(at_a_tie_the_prox_is_the_larger_minimiser),
        cmocka_unit_test(z_is_a_subgradient_of_h2),
        cmocka_unit_test(h1_and_h2_are_convex),
        cmocka_unit_test(prox1_solves_its_optimality_condition),
        cmocka_unit_test(violations_are_distances_to_the_subdifferential),
        cmocka_unit_test(the_value_is_the_sum_over_features_with_factors),
        cmocka_unit_test(changes_keep_their_digits),
        cmocka_unit_test(changes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
