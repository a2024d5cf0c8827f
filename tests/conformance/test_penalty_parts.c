/* SPDX-License-Identifier: BSD-3-Clause */
/* h1 and h2 of every penalty over a vector: convex, subgradients, the prox of h1, distances to the subdifferential, the
 * sum with factors. */
#include "support/conformance_formula.h"
#include "support/conformance_scalar.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(z_is_a_subgradient_of_h2),
        cmocka_unit_test(h1_and_h2_are_convex),
        cmocka_unit_test(prox1_solves_its_optimality_condition),
        cmocka_unit_test(violations_are_distances_to_the_subdifferential),
        cmocka_unit_test(the_value_is_the_sum_over_features_with_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
