/* SPDX-License-Identifier: BSD-3-Clause */
/* Values and changes of every loss are those of its formula in 113 bits; changes keep their digits. */
#include <string.h>

#include "support/conformance_quad.h"
#include "support/conformance_row.h"

/* phi as its formula stands, in 113 bits. */
static quad squared_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    (void)parameter;
    return (u - y) * (u - y) / 2;
}

static quad logistic_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    (void)parameter;
    return quad_softplus(-y * u);
}

static quad squared_hinge_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    (void)parameter;
    quad shortfall = quad_most(0, 1 - y * u);
    return shortfall * shortfall;
}

static quad huber_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad r = quad_most(u - y, y - u), delta = (quad)parameter;
    return r <= delta ? r * r / 2 : delta * r - delta * delta / 2;
}

static quad smooth_ramp_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad tau = (quad)parameter;
    return (quad_softplus(-y * u) - quad_softplus(-y * u - tau)) / tau;
}

static quad welsch_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad r = (u - y) / (quad)parameter, v = r * r, sum = 0;
    for (int k = 12; k > 0; k--) sum = (1 - sum) * v / k; /* 1 - exp(-v) */
    return (quad)parameter * (quad)parameter / 2 * (v < (quad)1e-3 ? sum : 1 - quad_exp(-v));
}

static quad transductive_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    (void)y;
    return 1 - smooth_ramp_quad(parameter, second, 1, u) - smooth_ramp_quad(parameter, second, 1, -u);
}

static quad symmetric_gaussian_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    (void)y;
    return quad_exp(-(quad)parameter * u * u);
}

static quad symmetric_sigmoid_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad e = quad_exp(-(quad)parameter * quad_most(u, -u));
    (void)y;
    return 4 * e / ((1 + e) * (1 + e));
}

static quad rounded_plus(quad z)
{
    return z <= 0 ? 0 : z < (quad)0.5 ? z * z : z - (quad)0.25;
}

static quad symmetric_ramp_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad tau = (quad)parameter;
    (void)y;
    return rounded_plus(tau + 1 - u) + rounded_plus(tau + 1 + u) - rounded_plus(tau - u) - rounded_plus(tau + u) - 1;
}

static quad symmetric_squared_hinge_quad(double parameter, double second, quad y, quad u)
{
    (void)second;
    quad a = quad_most(u, -u), shortfall = quad_most(0, 1 - a);
    (void)parameter;
    (void)y;
    return a <= (quad)0.5 ? (quad)0.5 - a * a : shortfall * shortfall;
}

static quad poisson_quad(double parameter, double second, quad y, quad u)
{
    (void)parameter;
    (void)second;
    return quad_exp(u) - y * u;
}

static quad gamma_quad(double parameter, double second, quad y, quad u)
{
    (void)parameter;
    (void)second;
    return y * quad_exp(-u) + u;
}

static quad negative_binomial_quad(double parameter, double second, quad y, quad u)
{
    quad a = (quad)parameter, v = u + quad_log(a);
    (void)second;
    return v > 0 ? (y + 1 / a) * quad_softplus(-v) + v / a + y * quad_log(a) : (y + 1 / a) * quad_softplus(v) - y * u;
}

static quad quantile_quad(double parameter, double second, quad y, quad u)
{
    quad r = u - y, size = quad_most(r, -r), d = (quad)second;
    return (size <= d ? r * r / (2 * d) : size - d / 2) / 2 + ((quad)0.5 - (quad)parameter) * r;
}

static const struct reference {
    const char *name;
    quad (*phi)(double parameter, double second, quad y, quad u);
} REFERENCES[] = {
    {"squared", squared_quad},
    {"logistic", logistic_quad},
    {"squared-hinge", squared_hinge_quad},
    {"huber", huber_quad},
    {"smooth-ramp", smooth_ramp_quad},
    {"welsch", welsch_quad},
    {"poisson", poisson_quad},
    {"gamma", gamma_quad},
    {"negative-binomial", negative_binomial_quad},
    {"quantile", quantile_quad},
    {"transductive", transductive_quad},
    {"symmetric-gaussian", symmetric_gaussian_quad},
    {"symmetric-sigmoid", symmetric_sigmoid_quad},
    {"symmetric-ramp", symmetric_ramp_quad},
    {"symmetric-squared-hinge", symmetric_squared_hinge_quad},
};

static const struct reference *reference_of(const struct row *row)
{
    for (size_t i = 0; i < COUNT_OF(REFERENCES); i++)
        if (strcmp(REFERENCES[i].name, row->loss.ops->name) == 0) return &REFERENCES[i];
    return NULL;
}

static double exact_slope(const struct reference *reference, const struct row *row, double u)
{
    quad h = (quad)1e-12, y = (quad)row->y;
    quad after = reference->phi(row->loss.parameter, row->loss.second, y, (quad)u + h),
         before = reference->phi(row->loss.parameter, row->loss.second, y, (quad)u - h);
    return (double)((after - before) / (2 * h));
}

static const double STEPS[] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.9, 1.0, 1.5, 30.0, 1e3, 1e6};

/* A short step: right to rounding of the step and of the slopes at its ends, the larger of which bounds what a relative
 * error of EPS in s or u - y or a sigmoid can do. A long step may also round like phi1 and phi2 themselves. */
static void check_change_against(const struct reference *reference, const struct row *row, double u, double s)
{
    quad start = reference->phi(row->loss.parameter, row->loss.second, (quad)row->y, (quad)u);
    quad exact = reference->phi(row->loss.parameter, row->loss.second, (quad)row->y, (quad)u + (quad)s) - start;
    double slope = fmax(fabs(exact_slope(reference, row, u)), fabs(exact_slope(reference, row, u + s)));
    double condition = 8.0 + fmin(fabs(u), 100.0) + fmin(row->loss.parameter, 100.0); /* of exp(u + tau) */
    double tolerance = condition * EPS * (fabs(s) * slope + fabs((double)exact));
    tolerance += 1e-32 * (fabs(value1(row, u)) + fabs(value1(row, u + s))); /* of the reference */
    if (fabs(s) >= 1.0)
        tolerance += rounding1(row, u) + rounding1(row, u + s) + rounding2(row, u) + rounding2(row, u + s);
    assert_near(change(row, u, s), (double)exact, tolerance + DBL_MIN, "%s, u = %.17g, s = %g: change of phi",
                row->name, u, s);
}

static void check_change(const struct row *row, double u)
{
    const struct reference *reference = reference_of(row);
    for (size_t i = 0; i < COUNT_OF(STEPS) && reference && fabs(u) + STEPS[i] <= farthest(row); i++) {
        check_change_against(reference, row, u, STEPS[i]);
        check_change_against(reference, row, u, -STEPS[i]);
    }
}

static void changes_keep_their_digits(void **state)
{
    (void)state;
    on_every_loss(check_change);
}

/* For any loss, known or not: over a tiny step, change = slope times step, up to sup(phi'') s^2. */
static void check_first_order(const struct row *row, double u)
{
    double s = 1e-9, slope = slope1(row, u) - slope2(row, u);
    double parts = fabs(slope1(row, u)) + fabs(slope2(row, u));
    double bend = 1e-6 * s;
    if (row->loss.ops->curvature1) bend = 2.0 * curvature1(row, u) * s * s;
    if (row->loss.ops->curvature1_sup) bend = 2.0 * row->loss.ops->curvature1_sup(&row->loss) * s * s;
    double tolerance = s * EPS * (8.0 * parts + fabs(u) * parts) + bend;
    assert_near(change(row, u, s), slope * s, tolerance, "%s, u = %.17g: change over %g", row->name, u, s);
    assert_near(change(row, u, -s), -slope * s, tolerance, "%s, u = %.17g: change over %g", row->name, u, -s);
}

static void changes_are_slopes_times_steps(void **state)
{
    (void)state;
    on_every_loss(check_first_order);
}

static void check_values_against(const struct row *row, double u)
{
    const struct reference *reference = reference_of(row);
    if (!reference) return;
    double exact = (double)reference->phi(row->loss.parameter, row->loss.second, (quad)row->y, (quad)u);
    assert_near(value(row, u), exact, rounding1(row, u) + rounding2(row, u), "%s, u = %.17g: phi", row->name, u);
}

static void values_are_those_of_the_formula(void **state)
{
    (void)state;
    on_every_loss(check_values_against);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_formula),
        cmocka_unit_test(changes_keep_their_digits),
        cmocka_unit_test(changes_are_slopes_times_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
