/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of a loss at hostile points, labels and parameters, for the tests of losses. */
#ifndef DCPN_TESTS_CONFORMANCE_ROW_H
#define DCPN_TESTS_CONFORMANCE_ROW_H

#include <stdio.h>
#include <string.h>

#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/one_score.h"

static const double EPS = DBL_EPSILON;

static const double PARAMETERS[] = {1e-3, 0.1, 1.0, 10.0, 1e3};
static const double QUANTILES[] = {0.5, 0.1, 0.9};
static const double CLASSES[] = {-1.0, 1.0};
static const double NUMBERS[] = {-1.0, 0.0, 0.7, 1e3, 1e9};
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

static inline double value(const struct row *row, double u)
{
    return row->loss.ops->value(&row->loss, 0, 1, &u);
}

static inline double value1(const struct row *row, double u)
{
    return row->loss.ops->value1(&row->loss, 0, 1, &u);
}

static inline double value2(const struct row *row, double u)
{
    return row->loss.ops->value2 ? row->loss.ops->value2(&row->loss, 0, 1, &u) : 0.0;
}

static inline double slope1(const struct row *row, double u)
{
    double r;
    row->loss.ops->slope1(&row->loss, 0, 1, &u, &r);
    return r;
}

static inline double slope2(const struct row *row, double u)
{
    double r = 0.0;
    if (row->loss.ops->slope2) row->loss.ops->slope2(&row->loss, 0, 1, &u, &r);
    return r;
}

static inline double curvature1(const struct row *row, double u)
{
    double c;
    row->loss.ops->curvature1(&row->loss, 0, 1, &u, &c);
    return c;
}

static inline double curvature2(const struct row *row, double u)
{
    double c = 0.0;
    if (row->loss.ops->curvature2) row->loss.ops->curvature2(&row->loss, 0, 1, &u, &c);
    return c;
}

static inline double change(const struct row *row, double u, double s)
{
    double du = 4.0 * s; /* t du = s without rounding */
    return row->loss.ops->change(&row->loss, 0, 1, &u, &du, 0.25);
}

/* The mean of a row may be exp(u): beyond, phi is as good as infinite. */
static inline double farthest(const struct row *row)
{
    return row->loss.ops->response.mean ? 200.0 : 1e100;
}

static inline void at_points(const struct row *row, row_check *check)
{
    double corner = row->loss.second > 0.0 ? row->loss.second : row->loss.parameter;
    for (size_t i = 0; i < COUNT_OF(POINTS) && POINTS[i] <= farthest(row); i++) {
        check(row, POINTS[i]);
        check(row, -POINTS[i]);
    }
    if (row->loss.ops->response.mean) return; /* no residual, and no corner */
    for (double sign = -1.0; sign <= 1.0; sign += 2.0) {
        check(row, row->y);
        check(row, row->y + sign * corner);
        check(row, row->y + sign * corner * (1.0 - 1e-13));
        check(row, row->y + sign * corner * (1.0 + 1e-13));
    }
}

static inline void on_targets(struct row *row, row_check *check)
{
    static const double NONE[] = {0.0};
    dcpn_targets kind = row->loss.ops->targets;
    const double *targets = kind == DCPN_CLASSES ? CLASSES : kind == DCPN_NUMBERS ? NUMBERS : NONE;
    size_t count = kind == DCPN_CLASSES ? COUNT_OF(CLASSES) : kind == DCPN_NUMBERS ? COUNT_OF(NUMBERS) : COUNT_OF(NONE);
    for (size_t i = 0; i < count; i++) {
        int (*takes)(double) = row->loss.ops->response.takes;
        if (takes ? !takes(targets[i]) : targets[i] >= 1e9) continue; /* of residuals 1e9 would round the step away */
        row->y = targets[i];
        row->loss.y = &row->y;
        snprintf(row->name, sizeof row->name, "%s(%g), y = %g", row->loss.ops->name, row->loss.parameter, row->y);
        at_points(row, check);
    }
}

/* The losses of labelled rows with one score, then those of rows without a label; NULL beyond the last one. */
static const dcpn_loss_ops *loss_at(size_t i)
{
    dcpn_part part;
    size_t found = 0;
    for (size_t k = 0; dcpn_part_at("loss", k, &part); k++)
        if (has_one_score(&part) && found++ == i) return dcpn_find_loss(part.name);
    return dcpn_part_at("unlabelled-loss", i - found, &part) ? dcpn_find_unlabelled_loss(part.name) : NULL;
}

static inline void on_every_loss(row_check *check)
{
    size_t i = 0;
    for (const dcpn_loss_ops *ops; (ops = loss_at(i)); i++) {
        struct row row = {.loss = {.ops = ops, .rows = 1, .w = &ONE}};
        for (size_t k = 0; k < (ops->parameter ? COUNT_OF(PARAMETERS) : 1); k++) {
            int has_two = ops->parameter && strchr(ops->parameter, ' ');
            row.loss.parameter = has_two ? QUANTILES[k % 3] : ops->parameter ? PARAMETERS[k] : 0.0;
            row.loss.second = has_two ? PARAMETERS[k] : 0.0;
            on_targets(&row, check);
        }
    }
    assert_true(i > 10);
}

/* Rounding of phi1 and phi2 at u: of the values, and of the argument (u and the parameter are added inside). */
static inline double rounding1(const struct row *row, double u)
{
    return EPS * (4.0 * fabs(value1(row, u)) + (fabs(u) + row->loss.parameter + fabs(row->y)) * fabs(slope1(row, u)));
}

static inline double rounding2(const struct row *row, double u)
{
    return EPS * (4.0 * fabs(value2(row, u)) + (fabs(u) + row->loss.parameter + fabs(row->y)) * fabs(slope2(row, u)));
}

#endif
