/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of every penalty along a step keep their digits and add up. */
#include "support/conformance_formula.h"
#include "support/conformance_scalar.h"

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
        cmocka_unit_test(changes_keep_their_digits),
        cmocka_unit_test(changes_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
