/* SPDX-License-Identifier: BSD-3-Clause */
/* x_j = 0 outside the list, and nearly all slopes there are far from mattering: one comparison for eight points. */
#include "outside.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

static const double NEAR = 0.7; /* of the slope of the penalty */

/* The penalty of one column at the lambda of a point. */
struct one_column {
    struct penalty h;
    double lambda, c, lower, upper;
};

static void take_column(struct one_column *one, const struct penalty *all, double lambda, int64_t j)
{
    one->h = *all;
    one->h.base_lambda = lambda;
    one->h.features = one->h.size = 1;
    one->h.factors = all->factors ? all->factors + j : NULL;
    one->h.given_lower = all->given_lower ? all->given_lower + j : NULL;
    one->h.given_upper = all->given_upper ? all->given_upper + j : NULL;
    one->h.bound_scale = all->bound_scale ? all->bound_scale + j : NULL;
    one->h.lambda = &one->lambda;
    one->h.c = &one->c;
    one->h.lower = all->lower ? &one->lower : NULL;
    one->h.upper = all->lower ? &one->upper : NULL;
    dcpn_penalty_prepare(&one->h);
}

dcpn_status dcpn_outside_new(dcpn_solver *whole, struct outside *o)
{
    const struct objective *F = &whole->algorithm->objective;
    dcpn_context *context = whole->context;
    size_t features = (size_t)F->features;
    *o = (struct outside){.whole = whole};
    o->is_listed = dcpn_allocate(context, features, 1);
    o->is_near = dcpn_allocate(context, features, 1);
    o->R = dcpn_allocate(context, DCPN_AT_ONCE * (size_t)F->rows, sizeof *o->R);
    o->G = dcpn_allocate(context, DCPN_AT_ONCE * (size_t)F->size, sizeof *o->G);
    if (!o->is_listed || !o->is_near || !o->R || !o->G) return DCPN_MEMORY;
    memset(o->is_near, 0, features);
    return DCPN_OK;
}

void dcpn_outside_free(struct outside *o)
{
    if (!o->whole) return;
    dcpn_free(o->whole->context, o->is_listed);
    dcpn_free(o->whole->context, o->is_near);
    dcpn_free(o->whole->context, o->R);
    dcpn_free(o->whole->context, o->G);
}

void dcpn_outside_take(struct outside *o, dcpn_solver *solver, int64_t lane)
{
    struct objective *F = &solver->algorithm->objective;
    const double *u = solver->algorithm->point.u;
    dcpn_loss_slope1(&F->loss, u, F->r);
    if (dcpn_loss_has_phi2(&F->loss)) {
        dcpn_loss_slope2(&F->loss, u, F->r2);
        dcpn_axpy(F->rows, -1.0, F->r2, F->r);
    }
    for (int64_t i = 0; i < F->rows; i++) o->R[i * DCPN_AT_ONCE + lane] = F->r[i];
}

double dcpn_outside_slope(const struct outside *o, int64_t j, int64_t lane)
{
    return o->G[j * DCPN_AT_ONCE + lane];
}

static void read_columns(struct outside *o, int64_t count)
{
    struct objective *F = &o->whole->algorithm->objective;
    for (int64_t i = 0; i < F->rows; i++)
        for (int64_t lane = count; lane < DCPN_AT_ONCE; lane++) o->R[i * DCPN_AT_ONCE + lane] = 0.0;
    dcpn_design_adjoint_eight(&F->design, o->R, o->G);
}

/* Slopes, for a feature of factor 1, up to which a column has nothing to say. */
static void fill_limits(struct outside *o, dcpn_path_point *const *points, int64_t count, double *limits)
{
    struct objective *F = &o->whole->algorithm->objective;
    for (int64_t lane = 0; lane < DCPN_AT_ONCE; lane++) {
        struct one_column one;
        limits[lane] = HUGE_VAL;
        if (lane >= count) continue;
        take_column(&one, &F->penalty, points[lane]->lambda, 0);
        if (F->penalty.factors) one.c = F->penalty.ops->slope0(&F->penalty.shape, points[lane]->lambda);
        limits[lane] = NEAR * one.c;
        if (points[lane]->fit.escape < 0 || !dcpn_escape_exists(F)) continue;
        dcpn_escape_learn(&o->whole->escape, F);
        double safe = F->penalty.factors ? 0.0 : dcpn_escape_safe_slope(&o->whole->escape, &one.h, 0);
        limits[lane] = fmin(limits[lane], safe);
    }
}

static int has_nothing_to_say(const double *slopes, const double *limits, double factor)
{
    int loud = 0;
    for (int lane = 0; lane < DCPN_AT_ONCE; lane++) loud |= fabs(slopes[lane]) > factor * limits[lane];
    return !loud;
}

static void look_at_column(struct outside *o, int64_t j, dcpn_path_point *const *points, int64_t count, int *is_good)
{
    const struct objective *F = &o->whole->algorithm->objective;
    for (int64_t lane = 0; lane < count; lane++) {
        struct one_column one;
        dcpn_result *fit = &points[lane]->fit;
        double g = dcpn_outside_slope(o, j, lane);
        take_column(&one, &F->penalty, points[lane]->lambda, j);
        if (fabs(g) > NEAR * one.c) o->is_near[j] = 1;
        if (o->is_listed[j]) continue;
        double violation = dcpn_penalty_violation_at_0(&one.h, 0, g);
        fit->stationarity = fmax(fit->stationarity, violation);
        if (!(violation <= fit->stationarity_goal)) is_good[lane] = 0;
        if (fit->escape >= 0 && dcpn_escape_exists(F))
            fit->escape +=
                dcpn_escape_has_move(&one.h, 0, o->whole->escape.L[j], 0.0, g, fit->objective, fit->stationarity_goal);
    }
}

void dcpn_outside_read(struct outside *o, dcpn_path_point *const *points, int64_t count, int *is_good)
{
    const struct objective *F = &o->whole->algorithm->objective;
    double limits[DCPN_AT_ONCE];
    read_columns(o, count);
    fill_limits(o, points, count, limits);
    for (int64_t lane = 0; lane < count; lane++) {
        is_good[lane] = 1;
        points[lane]->fit.passes += 0.5;
    }
    for (int64_t j = 0; j < F->features; j++) {
        double factor = F->penalty.factors ? F->penalty.factors[j] : 1.0;
        if (!has_nothing_to_say(o->G + j * DCPN_AT_ONCE, limits, factor)) look_at_column(o, j, points, count, is_good);
    }
}
