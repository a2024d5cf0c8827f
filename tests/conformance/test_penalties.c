/* SPDX-License-Identifier: BSD-3-Clause */
/* Every penalty of the registry as a function of one number: increasing, concave, its slopes, its formula in 113
 * bits. */
#include "support/conformance_formula.h"
#include "support/conformance_scalar.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(p_is_increasing_and_concave_from_0),
        cmocka_unit_test(slopes_are_one_sided_derivatives),
        cmocka_unit_test(the_concavity_is_the_steepest_fall_of_the_slope),
        cmocka_unit_test(values_are_those_of_the_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
