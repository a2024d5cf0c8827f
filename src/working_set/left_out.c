/* SPDX-License-Identifier: BSD-3-Clause */
/* x_j = 0 outside the list, and nearly all slopes there are known to be far from mattering without being read. */
#include "working_set/left_out.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"

static const double NEAR = 0.75;  /* of the slope of the penalty */
static const double SLACK = 1e-8; /* of the slope of the penalty: a violation far below any goal */
enum { MOST_READ = 32 /* as the share of the columns: for more of them, there is another reading first */ };

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

/* The columns of the features alone. */
static const dcpn_matrix *matrix_of(const dcpn_solver *whole)
{
    return whole->standardized ? whole->standardized : whole->problem->A;
}

dcpn_status dcpn_outside_new(dcpn_solver *whole, struct outside *o)
{
    const struct objective *F = &whole->algorithm->objective;
    dcpn_context *context = whole->context;
    size_t features = (size_t)F->features;
    *o = (struct outside){.whole = whole};
    DCPN_TRY(dcpn_past_slopes_new(context, matrix_of(whole), &o->known));
    o->is_listed = dcpn_allocate(context, features, 1);
    o->is_near = dcpn_allocate(context, features, 1);
    o->columns = dcpn_allocate(context, features + 1, sizeof *o->columns); /* one that is looked at and not taken */
    o->read = dcpn_allocate(context, features + 1, sizeof *o->read);
    if (!o->is_listed || !o->is_near || !o->columns || !o->read) return DCPN_MEMORY;
    memset(o->is_near, 0, features);
    return DCPN_OK;
}

void dcpn_outside_free(struct outside *o)
{
    if (!o->whole) return;
    dcpn_past_slopes_free(o->whole->context, &o->known);
    dcpn_free(o->whole->context, o->is_listed);
    dcpn_free(o->whole->context, o->is_near);
    dcpn_free(o->whole->context, o->columns);
    dcpn_free(o->whole->context, o->read);
}

void dcpn_outside_take(dcpn_solver *solver, double *r)
{
    struct objective *F = &solver->algorithm->objective;
    const double *u = solver->algorithm->point.u;
    dcpn_loss_slope1(&F->loss, u, r);
    if (!dcpn_loss_has_phi2(&F->loss)) return;
    dcpn_loss_slope2(&F->loss, u, F->r2);
    dcpn_axpy(F->rows, -1.0, F->r2, r);
}

/* The slope of the penalty at 0, for a feature of factor 1. */
static double slope_at(const struct penalty *h, double lambda)
{
    return lambda > 0.0 ? h->ops->slope0(&h->shape, lambda) : 0.0;
}

static int64_t largest_factor(const struct objective *F)
{
    int64_t largest = 0;
    for (int64_t j = 1; F->penalty.factors && j < F->features; j++)
        if (F->penalty.factors[j] > F->penalty.factors[largest]) largest = j;
    return largest;
}

/* The slope, as a share of that of the penalty, up to which a column has nothing to say, neither by its violation nor by a
 * move. The share of mcp and scad is the same for all factors; a penalty lambda q(t) beside the same curvature L t^2 / 2
 * has the smallest one where lambda is largest; of the caller's own nobody knows. */
static double quiet_share(struct outside *o, const dcpn_path_point *point)
{
    struct objective *F = &o->whole->algorithm->objective;
    struct one_column one;
    if (point->fit.escape < 0 || !dcpn_moves_exists(F)) return 1.0 - SLACK;
    if (F->penalty.factors && o->whole->problem->penalty) return 0.0;
    dcpn_moves_learn(&o->whole->escape, F);
    take_column(&one, &F->penalty, point->lambda, largest_factor(F));
    return one.c > 0.0 ? fmin(1.0 - SLACK, dcpn_moves_safe_slope(&o->whole->escape, &one.h, 0) / one.c) : 0.0;
}

/* The columns that may have something to say. What is near is a guess. */
static int64_t list_doubtful(struct outside *o, double slope, double quiet)
{
    const double *factors = o->whole->algorithm->objective.penalty.factors, *bounds = o->read;
    int64_t count = 0;
    o->last.limit = factors ? -1.0 : fmin(quiet, NEAR) * slope;
    int64_t listed = dcpn_byte_copy_list(o->known.copy, &o->last, o->columns, o->read);
    for (int64_t i = 0; i < listed; i++) {
        int64_t j = o->columns[i];
        double c = factors ? factors[j] * slope : slope;
        if (fabs(dcpn_estimate_at(&o->last, j)) > NEAR * c) o->is_near[j] = 1;
        o->columns[count] = j;
        count += !(bounds[i] <= quiet * c);
    }
    return count;
}

static void look_at_column(struct outside *o, int64_t j, double g, dcpn_path_point *point, int *is_good)
{
    const struct objective *F = &o->whole->algorithm->objective;
    struct one_column one;
    dcpn_result *fit = &point->fit;
    take_column(&one, &F->penalty, point->lambda, j);
    double violation = dcpn_penalty_violation_at_0(&one.h, 0, g);
    fit->stationarity = fmax(fit->stationarity, violation);
    if (!(violation <= fit->stationarity_goal)) {
        o->is_near[j] = 1;
        *is_good = 0;
    }
    if (fit->escape >= 0 && dcpn_moves_exists(F))
        fit->escape +=
            dcpn_moves_has_move(&one.h, 0, o->whole->escape.L[j], 0.0, g, fit->objective, fit->stationarity_goal);
}

static void count_entries(struct outside *o, int64_t touched, dcpn_path_point *point)
{
    struct objective *F = &o->whole->algorithm->objective;
    F->design.touched += touched;
    point->fit.passes += (double)touched / (2.0 * (double)F->design.A->entries);
}

/* Those that may have something to say: lists them. Returns how many. */
static int64_t find_doubtful(struct outside *o, const double *r, dcpn_path_point *point)
{
    const struct objective *F = &o->whole->algorithm->objective;
    double slope = slope_at(&F->penalty, point->lambda), quiet = quiet_share(o, point);
    int64_t count = F->features;
    if (o->known.count > 0) {
        o->last = dcpn_past_slopes_estimate(&o->known, r);
        count = list_doubtful(o, slope, quiet);
    }
    if (count <= F->features / MOST_READ) return count;
    count_entries(o, dcpn_past_slopes_read(&o->known, r, &o->last), point);
    return list_doubtful(o, slope, quiet);
}

static int64_t read_slopes(struct outside *o, const double *r, dcpn_path_point *point)
{
    struct column_subset view;
    int64_t count = find_doubtful(o, r, point);
    dcpn_matrix_subset(&view, o->whole->algorithm->objective.design.A, o->columns);
    view.base.columns = count;
    count_entries(o, view.base.ops->adjoint(&view.base, r, o->read), point);
    return count;
}

int dcpn_outside_look(struct outside *o, const double *r, dcpn_path_point *point)
{
    int is_good = 1;
    int64_t count = o->count = read_slopes(o, r, point);
    for (int64_t i = 0; i < count; i++)
        if (!o->is_listed[o->columns[i]]) look_at_column(o, o->columns[i], o->read[i], point, &is_good);
    return is_good;
}

void dcpn_outside_slopes(const struct outside *o, double *slopes)
{
    for (int64_t j = 0; j < o->whole->algorithm->objective.features; j++) slopes[j] = dcpn_estimate_at(&o->last, j);
    for (int64_t i = 0; i < o->count; i++) slopes[o->columns[i]] = o->read[i];
}
