/* SPDX-License-Identifier: BSD-3-Clause */
/* The prox of every penalty: no point of a grid is better, and at a tie it is the larger one. */
#include "support/conformance_scalar.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_grid_point_beats_the_prox),
        cmocka_unit_test(at_a_tie_the_prox_is_the_larger_minimiser),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
