/* SPDX-License-Identifier: BSD-3-Clause */
/* Every loss of the registry: phi = phi1 - phi2, derivatives, convexity of phi1 and phi2, bounds, and changes that keep
 * their digits. */
#include <stdio.h>
#include <string.h>

#include "base/level.h"
#include "base/rng.h"
#include "registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_quad.h"

static const double EPS = DBL_EPSILON;

static const double PARAMETERS[] = {1e-3, 0.1, 1.0, 10.0, 1e3};
static const double CLASSES[] = {-1.0, 1.0};
static const double NUMBERS[] = {-1.0, 0.0, 0.7, 1e3};
static const double POINTS[] = {0.0,         1e-8,       0.3, 1.0 - 1e-9, 1.0 - 1e-13, 1.0,
                                1.0 + 1e-13, 1.0 + 1e-9, 2.5, 30.0,       1e3,         1e6};
static const double ONE = 1.0;

/* One loss with one parameter on one row of weight 1. */
struct row {
    dcpn_loss loss;
    double y;
    char name[64];
};

typedef void row_check(const struct row *row, double u);

static double value(const struct row *row, double u)
{
    return row->loss.ops->value(&row->loss, 0, 1, &u);
}

static double value1(const struct row *row, double u)
{
    return row->loss.ops->value1(&row->loss, 0, 1, &u);
}

static double value2(const struct row *row, double u)
{
    return row->loss.ops->value2 ? row->loss.ops->value2(&row->loss, 0, 1, &u) : 0.0;
}

static double slope1(const struct row *row, double u)
{
    double r;
    row->loss.ops->slope1(&row->loss, 0, 1, &u, &r);
    return r;
}

static double slope2(const struct row *row, double u)
{
    double r = 0.0;
    if (row->loss.ops->slope2) row->loss.ops->slope2(&row->loss, 0, 1, &u, &r);
    return r;
}

static double curvature1(const struct row *row, double u)
{
    double c;
    row->loss.ops->curvature1(&row->loss, 0, 1, &u, &c);
    return c;
}

static double curvature2(const struct row *row, double u)
{
    double c = 0.0;
    if (row->loss.ops->curvature2) row->loss.ops->curvature2(&row->loss, 0, 1, &u, &c);
    return c;
}

static double change(const struct row *row, double u, double s)
{
    double du = 4.0 * s; /* t du = s without rounding */
    return row->loss.ops->change(&row->loss, 0, 1, &u, &du, 0.25);
}

static void at_points(const struct row *row, row_check *check)
{
    double corner = row->loss.parameter;
    for (size_t i = 0; i < COUNT_OF(POINTS); i++) {
        check(row, POINTS[i]);
        check(row, -POINTS[i]);
    }
    for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
        check(row, row->y);
        check(row, row->y + sign * corner);
        check(row, row->y + sign * corner * (1.0 - 1e-13));
        check(row, row->y + sign * corner * (1.0 + 1e-13));
    }
}

static void on_targets(struct row *row, row_check *check)
{
    int classes = row->loss.ops->targets == DCPN_CLASSES;
    const double *targets = classes ? CLASSES : NUMBERS;
    size_t count = classes ? COUNT_OF(CLASSES) : COUNT_OF(NUMBERS);
    for (size_t i = 0; i < count; i++) {
        row->y = targets[i];
        row->loss.y = &row->y;
        snprintf(row->name, sizeof row->name, "%s(%g), y = %g", row->loss.ops->name, row->loss.parameter, row->y);
        at_points(row, check);
    }
}

static void on_every_loss(row_check *check)
{
    dcpn_part part;
    size_t i = 0;
    for (; dcpn_part_at("loss", i, &part); i++) {
        struct row row = {.loss = {.ops = dcpn_find_loss(part.name), .rows = 1, .w = &ONE}};
        assert_non_null(row.loss.ops);
        for (size_t k = 0; k < (part.settings ? COUNT_OF(PARAMETERS) : 1); k++) {
            row.loss.parameter = part.settings ? PARAMETERS[k] : 0.0;
            on_targets(&row, check);
        }
    }
    assert_true(i > 0);
}

/* Rounding of phi1 and phi2 at u: of the values, and of the argument (u and the parameter are added inside). */
static double rounding1(const struct row *row, double u)
{
    return EPS * (4.0 * fabs(value1(row, u)) + (fabs(u) + row->loss.parameter + fabs(row->y)) * fabs(slope1(row, u)));
}

static double rounding2(const struct row *row, double u)
{
    return EPS * (4.0 * fabs(value2(row, u)) + (fabs(u) + row->loss.parameter + fabs(row->y)) * fabs(slope2(row, u)));
}

static void check_finite(const struct row *row, double u)
{
    const double found[] = {value(row, u),         value1(row, u),           value2(row, u),
                            slope1(row, u),        slope2(row, u),           curvature1(row, u),
                            curvature2(row, u),    change(row, u, 1e-12),    change(row, u, -2.0 * u)};
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

/* Central differences of the slope. Where the curvature jumps within the step it is not compared. */
static void check_curvature(const struct row *row, double u)
{
    if (!row->loss.ops->curvature1) return;
    double sup = row->loss.ops->curvature1_sup(&row->loss), found = curvature1(row, u);
    assert_true(sup > 0.0);
    assert_at_most(0.0, found, "%s, u = %.17g: curvature", row->name, u);
    assert_at_most(found, sup, "%s, u = %.17g: curvature", row->name, u);
    double h = 1e-4 * fmax(1.0, 1e-3 * fabs(u)), before = u - h, after = u + h;
    if (fabs(curvature1(row, after) - curvature1(row, before)) > 0.01 * sup) return;
    double quotient = (slope1(row, after) - slope1(row, before)) / (after - before);
    double noise = EPS * (4.0 * fabs(slope1(row, u)) + sup * (fabs(u) + fabs(row->y))) / h;
    /* |phi''''| <= sup phi'' where the scale of phi is 1 */
    assert_near(found, quotient, sup * h * h + noise, "%s, u = %.17g: phi1''", row->name, u);
}

static void curvatures_are_derivatives_within_their_bound(void **state)
{
    (void)state;
    on_every_loss(check_curvature);
}

/* The built-in losses all know phi2''. It is not negative, and what a difference of slopes says. */
static void check_curvature2(const struct row *row, double u)
{
    const dcpn_loss_ops *ops = row->loss.ops;
    if (!ops->slope2 != !ops->curvature2) fail_msg("%s: one of slope2 and curvature2", row->name);
    if (!ops->curvature2) return;
    double scale = ops->curvature1_sup(&row->loss), found = curvature2(row, u);
    assert_at_most(0.0, found, "%s, u = %.17g: curvature of phi2", row->name, u);
    double h = 1e-4 * fmax(1.0, 1e-3 * fabs(u)), before = u - h, after = u + h;
    if (fabs(curvature2(row, after) - curvature2(row, before)) > 0.01 * scale) return;
    double quotient = (slope2(row, after) - slope2(row, before)) / (after - before);
    double noise = EPS * (4.0 * fabs(slope2(row, u)) + scale * (fabs(u) + fabs(row->y))) / h;
    assert_near(found, quotient, scale * h * h + noise, "%s, u = %.17g: phi2''", row->name, u);
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
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at("loss", i, &part); i++) {
        struct row row = {.loss = {.ops = dcpn_find_loss(part.name), .rows = 1, .w = &ONE, .parameter = 1.0}, .y = 1.0};
        double largest = 0.0;
        row.loss.y = &row.y;
        if (!row.loss.ops->curvature1) continue;
        for (double u = -5.0; u <= 5.0; u += 0.125) largest = fmax(largest, curvature1(&row, u));
        assert_at_most(0.5 * row.loss.ops->curvature1_sup(&row.loss), largest, "%s", part.name);
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

/* ---- change ---- */

/* phi as its formula stands, in 113 bits. */
static quad squared_quad(double parameter, quad y, quad u)
{
    (void)parameter;
    return (u - y) * (u - y) / 2;
}

static quad logistic_quad(double parameter, quad y, quad u)
{
    (void)parameter;
    return quad_softplus(-y * u);
}

static quad squared_hinge_quad(double parameter, quad y, quad u)
{
    (void)parameter;
    quad shortfall = quad_most(0, 1 - y * u);
    return shortfall * shortfall;
}

static quad huber_quad(double parameter, quad y, quad u)
{
    quad r = quad_most(u - y, y - u), delta = (quad)parameter;
    return r <= delta ? r * r / 2 : delta * r - delta * delta / 2;
}

static quad smooth_ramp_quad(double parameter, quad y, quad u)
{
    quad tau = (quad)parameter;
    return (quad_softplus(-y * u) - quad_softplus(-y * u - tau)) / tau;
}

static const struct reference {
    const char *name;
    quad (*phi)(double parameter, quad y, quad u);
} REFERENCES[] = {
    {"squared", squared_quad}, {"logistic", logistic_quad},       {"squared-hinge", squared_hinge_quad},
    {"huber", huber_quad},     {"smooth-ramp", smooth_ramp_quad},
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
    quad after = reference->phi(row->loss.parameter, y, (quad)u + h),
         before = reference->phi(row->loss.parameter, y, (quad)u - h);
    return (double)((after - before) / (2 * h));
}

static const double STEPS[] = {1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.9, 1.0, 1.5, 30.0, 1e3, 1e6};

/* A short step: right to rounding of the step and of the slopes at its ends, the larger of which bounds what a relative
 * error of EPS in s or u - y or a sigmoid can do. A long step may also round like phi1 and phi2 themselves. */
static void check_change_against(const struct reference *reference, const struct row *row, double u, double s)
{
    quad start = reference->phi(row->loss.parameter, (quad)row->y, (quad)u);
    quad exact = reference->phi(row->loss.parameter, (quad)row->y, (quad)u + (quad)s) - start;
    double slope = fmax(fabs(exact_slope(reference, row, u)), fabs(exact_slope(reference, row, u + s)));
    double condition = 8.0 + fmin(fabs(u), 100.0) + fmin(row->loss.parameter, 100.0); /* of exp(u + tau) */
    double tolerance = condition * EPS * (fabs(s) * slope + fabs((double)exact));
    tolerance += 1e-32 * (value1(row, u) + value1(row, u + s)); /* of the reference */
    if (fabs(s) >= 1.0)
        tolerance += rounding1(row, u) + rounding1(row, u + s) + rounding2(row, u) + rounding2(row, u + s);
    assert_near(change(row, u, s), (double)exact, tolerance + DBL_MIN, "%s, u = %.17g, s = %g: change of phi",
                row->name, u, s);
}

static void check_change(const struct row *row, double u)
{
    const struct reference *reference = reference_of(row);
    for (size_t i = 0; i < COUNT_OF(STEPS) && reference; i++) {
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
    double bend = row->loss.ops->curvature1_sup ? 2.0 * row->loss.ops->curvature1_sup(&row->loss) * s * s : 1e-6 * s;
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
    double exact = (double)reference->phi(row->loss.parameter, (quad)row->y, (quad)u);
    assert_near(value(row, u), exact, rounding1(row, u) + rounding2(row, u), "%s, u = %.17g: phi", row->name, u);
}

static void values_are_those_of_the_formula(void **state)
{
    (void)state;
    on_every_loss(check_values_against);
}

/* ---- many rows ---- */

enum { ROWS = 141 }; /* more than a chunk of rows.inc */

struct rows {
    dcpn_loss loss;
    double y[ROWS], w[ROWS], u[ROWS], du[ROWS];
};

static void fill_rows(struct rows *rows, const char *name)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 3);
    rows->loss = (dcpn_loss){.ops = dcpn_find_loss(name), .rows = ROWS, .y = rows->y, .w = rows->w, .parameter = 0.8};
    for (int i = 0; i < ROWS; i++) {
        rows->y[i] = rows->loss.ops->targets == DCPN_CLASSES ? CLASSES[i % 2] : dcpn_rng_normal(&rng);
        rows->w[i] = i % 5 ? dcpn_rng_uniform(&rng) : 0.0;
        rows->u[i] = 3.0 * dcpn_rng_normal(&rng);
        rows->du[i] = dcpn_rng_normal(&rng);
    }
}

typedef double row_sum(const dcpn_loss *, int64_t begin, int64_t end, const double *u);
typedef void row_map(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *out);

static void check_sum_splits(const struct rows *rows, row_sum *sum, const char *what)
{
    if (!sum) return;
    double whole = sum(&rows->loss, 0, ROWS, rows->u);
    for (int k = 0; k <= ROWS; k++) {
        double parts = sum(&rows->loss, 0, k, rows->u) + sum(&rows->loss, k, ROWS, rows->u);
        assert_near(parts, whole, ROWS * EPS * whole, "%s: %s in two parts", rows->loss.ops->name, what);
    }
    assert_true(sum(&rows->loss, 7, 7, rows->u) == 0.0);
}

static void check_map_splits(const struct rows *rows, row_map *map, const char *what)
{
    double whole[ROWS], parts[ROWS];
    if (!map) return;
    map(&rows->loss, 0, ROWS, rows->u, whole);
    for (int k = 0; k <= ROWS; k++) {
        for (int i = 0; i < ROWS; i++) parts[i] = -77.0;
        map(&rows->loss, 0, k, rows->u, parts);
        if (k < ROWS) assert_true(parts[k] == -77.0);
        map(&rows->loss, k, ROWS, rows->u, parts);
        if (memcmp(whole, parts, sizeof whole) != 0)
            fail_msg("%s: %s depends on the block", rows->loss.ops->name, what);
    }
}

static void blocks_of_rows_are_independent(void **state)
{
    (void)state;
    dcpn_part part;
    struct rows rows;
    for (size_t i = 0; dcpn_part_at("loss", i, &part); i++) {
        fill_rows(&rows, part.name);
        const dcpn_loss_ops *ops = rows.loss.ops;
        check_sum_splits(&rows, ops->value, "phi");
        check_sum_splits(&rows, ops->value1, "phi1");
        check_sum_splits(&rows, ops->value2, "phi2");
        check_map_splits(&rows, ops->slope1, "phi1'");
        check_map_splits(&rows, ops->slope2, "phi2'");
        check_map_splits(&rows, ops->curvature1, "phi1''");
        check_map_splits(&rows, ops->curvature2, "phi2''");
        double whole = ops->change(&rows.loss, 0, ROWS, rows.u, rows.du, 0.5), sizes = 0.0;
        for (int k = 0; k < ROWS; k++) sizes += fabs(ops->change(&rows.loss, k, k + 1, rows.u, rows.du, 0.5));
        double parts = ops->change(&rows.loss, 0, 9, rows.u, rows.du, 0.5) +
                       ops->change(&rows.loss, 9, ROWS, rows.u, rows.du, 0.5);
        assert_near(parts, whole, ROWS * EPS * sizes, "%s: change in two parts", part.name);
    }
}

/* Every level of instructions that this machine has: the same bits, on blocks of every length. */
static void check_levels(const struct rows *rows, enum level level)
{
    const dcpn_loss_ops *ops = rows->loss.ops;
    dcpn_loss plain = rows->loss, wide = rows->loss;
    row_sum *const sums[] = {ops->value, ops->value1, ops->value2};
    row_map *const maps[] = {ops->slope1, ops->slope2, ops->curvature1, ops->touching1};
    wide.level = (int)level;
    for (int begin = 0; begin < 9; begin++)
        for (int end = begin; end <= ROWS; end += 1 + end / 24) {
            double expected[ROWS] = {0.0}, found[ROWS] = {0.0};
            for (size_t k = 0; k < COUNT_OF(sums); k++)
                if (sums[k]) assert_true(sums[k](&plain, begin, end, rows->u) == sums[k](&wide, begin, end, rows->u));
            assert_true(ops->change(&plain, begin, end, rows->u, rows->du, 0.7) ==
                        ops->change(&wide, begin, end, rows->u, rows->du, 0.7));
            for (size_t k = 0; k < COUNT_OF(maps); k++) {
                if (!maps[k]) continue;
                maps[k](&plain, begin, end, rows->u, expected);
                maps[k](&wide, begin, end, rows->u, found);
                assert_memory_equal(expected, found, sizeof expected);
            }
        }
}

static void levels_of_instructions_agree(void **state)
{
    (void)state;
    dcpn_part part;
    struct rows rows;
    for (size_t i = 0; dcpn_part_at("loss", i, &part); i++)
        for (int scale = -12; scale <= 12; scale += 3) {
            fill_rows(&rows, part.name);
            for (int k = 0; k < ROWS; k++) rows.u[k] *= ldexp(1.0, scale), rows.du[k] *= ldexp(1.0, 2 * scale);
            for (enum level level = LEVEL_BASELINE; level <= dcpn_level(); level++) check_levels(&rows, level);
        }
}

/* Four times the weights, a power of 2: four times every result, to the bit. */
static void results_are_linear_in_the_weights(void **state)
{
    (void)state;
    dcpn_part part;
    struct rows rows, heavy;
    double plain[ROWS], scaled[ROWS];
    for (size_t i = 0; dcpn_part_at("loss", i, &part); i++) {
        fill_rows(&rows, part.name);
        fill_rows(&heavy, part.name);
        for (int k = 0; k < ROWS; k++) heavy.w[k] *= 4.0;
        const dcpn_loss_ops *ops = rows.loss.ops;
        assert_true(4.0 * ops->value(&rows.loss, 0, ROWS, rows.u) == ops->value(&heavy.loss, 0, ROWS, rows.u));
        assert_true(4.0 * ops->change(&rows.loss, 0, ROWS, rows.u, rows.du, 1.0) ==
                    ops->change(&heavy.loss, 0, ROWS, rows.u, rows.du, 1.0));
        row_map *const maps[] = {ops->slope1, ops->slope2, ops->curvature1, ops->curvature2};
        for (size_t m = 0; m < COUNT_OF(maps); m++) {
            if (!maps[m]) continue;
            maps[m](&rows.loss, 0, ROWS, rows.u, plain);
            maps[m](&heavy.loss, 0, ROWS, rows.u, scaled);
            for (int k = 0; k < ROWS; k++) assert_true(4.0 * plain[k] == scaled[k]);
        }
    }
}

/* A loss with probabilities is their log-likelihood: phi(u; +1) = -log P(u). */
static void check_probability(const struct row *row, double u)
{
    if (!row->loss.ops->probability) return;
    double p = row->loss.ops->probability(u), other = row->loss.ops->probability(-u);
    assert_true(p >= 0.0 && p <= 1.0);
    assert_near(p + other, 1.0, 2.0 * EPS, "%s, u = %g: the two probabilities", row->name, u);
    if (row->y < 0.0) return;
    double expected = exp(-value(row, u));
    assert_near(p, expected, 4.0 * EPS * expected * (1.0 + fabs(value(row, u))) + DBL_MIN, "%s, u = %g: probability",
                row->name, u);
}

static void probabilities_are_those_of_the_likelihood(void **state)
{
    (void)state;
    on_every_loss(check_probability);
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
        cmocka_unit_test(values_are_those_of_the_formula),
        cmocka_unit_test(changes_keep_their_digits),
        cmocka_unit_test(changes_are_slopes_times_steps),
        cmocka_unit_test(blocks_of_rows_are_independent),
        cmocka_unit_test(levels_of_instructions_agree),
        cmocka_unit_test(results_are_linear_in_the_weights),
        cmocka_unit_test(probabilities_are_those_of_the_likelihood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
