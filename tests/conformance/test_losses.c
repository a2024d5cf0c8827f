/* SPDX-License-Identifier: BSD-3-Clause */
/* Every loss of the registry: finite, phi1 - phi2, slopes and curvatures by differences, convex parts. */
#include "base/rng.h"
#include "support/conformance_row.h"

static void check_finite(const struct row *row, double u)
{
    const double found[] = {value(row, u),      value1(row, u),        value2(row, u),
                            slope1(row, u),     slope2(row, u),        curvature1(row, u),
                            curvature2(row, u), change(row, u, 1e-12), change(row, u, -2.0 * u)};
    for (size_t i = 0; i < COUNT_OF(found); i++)
        if (!isfinite(found[i])) fail_msg("%s, u = %g: number %zu is not finite", row->name, u, i);
}

static void everything_is_finite(void **state)
{
    (void)state;
    on_every_loss(check_finite);
}

static void check_difference(const struct row *row, double u)
{
    assert_near(value(row, u), value1(row, u) - value2(row, u), rounding1(row, u) + rounding2(row, u),
                "%s, u = %.17g: phi1 - phi2", row->name, u);
}

static void phi_is_phi1_minus_phi2(void **state)
{
    (void)state;
    on_every_loss(check_difference);
}

/* phi convex: its slope at u lies between the difference quotients to the left and to the right, which a step of h
 * brings together. */
static void check_slope_of(const struct row *row, double u, double h, double (*phi)(const struct row *, double),
                           double (*slope)(const struct row *, double), double (*rounding)(const struct row *, double),
                           const char *what)
{
    double before = u - h, after = u + h, slack = EPS * fabs(slope(row, u));
    double left = (phi(row, u) - phi(row, before)) / (u - before);
    double right = (phi(row, after) - phi(row, u)) / (after - u);
    double noise_left = (rounding(row, u) + rounding(row, before)) / h;
    double noise_right = (rounding(row, u) + rounding(row, after)) / h;
    assert_at_most(left - noise_left - slack, slope(row, u), "%s, u = %.17g, h = %g: %s from the left", row->name, u, h,
                   what);
    assert_at_most(slope(row, u), right + noise_right + slack, "%s, u = %.17g, h = %g: %s from the right", row->name, u,
                   h, what);
}

static void check_slopes(const struct row *row, double u)
{
    const double steps[] = {1e-7, 1e-5, 1e-3};
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        double h = steps[i] * fmax(1.0, fabs(u));
        check_slope_of(row, u, h, value1, slope1, rounding1, "phi1'");
        if (row->loss.ops->value2) check_slope_of(row, u, h, value2, slope2, rounding2, "phi2'");
    }
}

static void slopes_are_derivatives(void **state)
{
    (void)state;
    on_every_loss(check_slopes);
}

/* Central differences of the slope over a step that is made shorter until one of half its length agrees. Where the
 * curvature jumps within the step it is not compared. */
static double bound_near(const struct row *row, double u)
{
    const dcpn_loss_ops *ops = row->loss.ops;
    return ops->curvature1_sup ? ops->curvature1_sup(&row->loss) : fmax(curvature1(row, u), fabs(slope1(row, u)));
}

static void check_second_derivative(const struct row *row, double u, double (*slope)(const struct row *, double),
                                    double (*curvature)(const struct row *, double), const char *what)
{
    double sup = bound_near(row, u), h = 1e-4 * fmax(1.0, 1e-3 * fabs(u)), rest = HUGE_VAL;
    double quotient = 0.0, noise = 0.0;
    for (; rest > sup * 1e-8 && h > 1e-8 * fabs(u) && h > 1e-8; h /= 4.0) {
        double before = u - h, after = u + h, nearer = u - 0.5 * h, near = u + 0.5 * h;
        if (fabs(curvature(row, after) - curvature(row, before)) > 0.01 * sup) continue;
        quotient = (slope(row, after) - slope(row, before)) / (after - before);
        noise = EPS * (4.0 * fabs(slope(row, u)) + sup * (fabs(u) + fabs(row->y))) / h;
        rest = fabs(quotient - (slope(row, near) - slope(row, nearer)) / (near - nearer));
        rest = fmax(rest - 2.0 * noise, 0.0);
    }
    if (rest < HUGE_VAL)
        assert_near(curvature(row, u), quotient, sup * 1e-8 + 2.0 * rest + 4.0 * noise, "%s, u = %.17g: %s", row->name,
                    u, what);
}

static void check_curvature(const struct row *row, double u)
{
    if (!row->loss.ops->curvature1) return;
    double sup = bound_near(row, u), found = curvature1(row, u);
    assert_true(sup > 0.0);
    assert_at_most(0.0, found, "%s, u = %.17g: curvature", row->name, u);
    assert_at_most(found, sup, "%s, u = %.17g: curvature", row->name, u);
    check_second_derivative(row, u, slope1, curvature1, "phi1''");
}

static void curvatures_are_derivatives_within_their_bound(void **state)
{
    (void)state;
    on_every_loss(check_curvature);
}

/* The built-in losses all know phi2''. */
static void check_curvature2(const struct row *row, double u)
{
    const dcpn_loss_ops *ops = row->loss.ops;
    if (!ops->slope2 != !ops->curvature2) fail_msg("%s: one of slope2 and curvature2", row->name);
    if (!ops->curvature2) return;
    assert_at_most(0.0, curvature2(row, u), "%s, u = %.17g: curvature of phi2", row->name, u);
    check_second_derivative(row, u, slope2, curvature2, "phi2''");
}

static void curvatures_of_phi2_are_derivatives(void **state)
{
    (void)state;
    on_every_loss(check_curvature2);
}

/* The bound is reached, or --majorize would be needlessly slow: somewhere phi1'' is at least half of it. */
/* phi1(z) <= phi1(u) + phi1'(u) (z - u) + c/2 (z - u)^2 for z far and near, and c >= phi1''. */
static void check_touching(const struct row *row, double u)
{
    static const double STEPS[] = {-1e6, -100.0, -3.0, -0.5, -1e-3, 1e-3, 0.5, 3.0, 100.0, 1e6};
    double c;
    if (!row->loss.ops->touching1) return;
    row->loss.ops->touching1(&row->loss, 0, 1, &u, &c);
    assert_at_most(curvature1(row, u), c, "%s, u = %.17g: phi1'' and the parabola", row->name, u);
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        double s = STEPS[i], z = u + s, parabola = value1(row, u) + s * (slope1(row, u) + 0.5 * c * s);
        double noise = rounding1(row, u) + rounding1(row, z) + 8.0 * EPS * (fabs(s * slope1(row, u)) + c * s * s);
        assert_at_most(value1(row, z), parabola + noise, "%s, u = %.17g, z = %.17g: the parabola", row->name, u, z);
    }
}

static void parabolas_touch_from_above(void **state)
{
    (void)state;
    on_every_loss(check_touching);
}

static void the_bound_on_the_curvature_is_not_loose(void **state)
{
    (void)state;
    const dcpn_loss_ops *ops;
    for (size_t i = 0; (ops = loss_at(i)); i++) {
        struct row row = {.loss = {.ops = ops, .rows = 1, .w = &ONE, .parameter = 1.0, .second = 1.0}, .y = 1.0};
        double largest = 0.0;
        row.loss.y = &row.y;
        if (!row.loss.ops->curvature1 || !row.loss.ops->curvature1_sup) continue;
        for (double u = -5.0; u <= 5.0; u += 0.125) largest = fmax(largest, curvature1(&row, u));
        assert_at_most(0.5 * row.loss.ops->curvature1_sup(&row.loss), largest, "%s", ops->name);
    }
}

static double hostile_number(struct rng *rng)
{
    double size = exp(log(1e-8) + dcpn_rng_uniform(rng) * log(1e14)); /* 1e-8 to 1e6 */
    return dcpn_rng_next(rng) % 2 ? size : -size;
}

static void check_convex(const struct row *row, double u)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 7);
    for (int k = 0; k < 50; k++) {
        double v = k % 2 ? hostile_number(&rng) : u + dcpn_rng_normal(&rng), share = dcpn_rng_uniform(&rng);
        if (fabs(v) > farthest(row)) v = u + 1.0;
        double between = share * u + (1.0 - share) * v;
        double ends1 = share * value1(row, u) + (1.0 - share) * value1(row, v);
        double ends2 = share * value2(row, u) + (1.0 - share) * value2(row, v);
        double argument = 2.0 * EPS * (fabs(u) + fabs(v)); /* rounding of `between` */
        assert_at_most(value1(row, between),
                       ends1 + rounding1(row, u) + rounding1(row, v) + rounding1(row, between) +
                           argument * fabs(slope1(row, between)),
                       "%s: phi1 between %g and %g", row->name, u, v);
        assert_at_most(value2(row, between),
                       ends2 + rounding2(row, u) + rounding2(row, v) + rounding2(row, between) +
                           argument * fabs(slope2(row, between)),
                       "%s: phi2 between %g and %g", row->name, u, v);
    }
}

static void phi1_and_phi2_are_convex(void **state)
{
    (void)state;
    on_every_loss(check_convex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_is_finite),
        cmocka_unit_test(phi_is_phi1_minus_phi2),
        cmocka_unit_test(slopes_are_derivatives),
        cmocka_unit_test(curvatures_are_derivatives_within_their_bound),
        cmocka_unit_test(curvatures_of_phi2_are_derivatives),
        cmocka_unit_test(parabolas_touch_from_above),
        cmocka_unit_test(the_bound_on_the_curvature_is_not_loose),
        cmocka_unit_test(phi1_and_phi2_are_convex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
