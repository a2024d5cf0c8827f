/* SPDX-License-Identifier: BSD-3-Clause */
/* Fits of a few columns C without a penalty: Newton's method on f(b) = phi(C b + offset) + ridge/2 |b|^2, with the
 * curvature of phi1,
 *     H = C'diag(phi1'')C + ridge I,   b <- b - t H^-1 grad f(b),
 * t halved until f falls by a share of what its slope promises. The squared loss needs one step. An intercept is a
 * column of ones, which the ridge leaves alone. */
#include "path/refit.h"

#include <math.h>

#include "base/cholesky.h"
#include "base/context.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/summed.h"

/* Are sums over rows those of all ranks? */
static int is_summed(const struct refit *r)
{
    return r->F->design.A->ops->by_ranks;
}

static dcpn_status make_room_for_products(struct refit *r)
{
    const dcpn_matrix *A = r->F->design.A;
    if (!is_summed(r)) return DCPN_OK;
    r->ranks.columns = dcpn_allocate(r->context, (size_t)r->most + 1, sizeof *r->ranks.columns);
    if (!r->ranks.columns) return DCPN_MEMORY;
    dcpn_gram_layout(A, r->most + 1, &r->ranks.space, &r->ranks.arena);
    DCPN_TRY(dcpn_arena_allocate(r->context, &r->ranks.arena, NULL));
    dcpn_gram_layout(A, r->most + 1, &r->ranks.space, &r->ranks.arena);
    return DCPN_OK;
}

dcpn_status dcpn_refit_new(dcpn_context *context, const struct objective *F, int64_t most, struct refit *r)
{
    size_t rows = (size_t)F->rows, size = (size_t)most + 1;
    *r = (struct refit){.context = context, .F = F, .most = most};
    r->columns = dcpn_allocate(context, rows, size * sizeof *r->columns);
    r->x = dcpn_allocate(context, size, sizeof *r->x);
    r->diagonal = dcpn_allocate(context, size, sizeof *r->diagonal);
    r->u = dcpn_allocate(context, rows, sizeof *r->u);
    r->du = dcpn_allocate(context, rows, sizeof *r->du);
    r->curvature = dcpn_allocate(context, rows, sizeof *r->curvature);
    r->step = dcpn_allocate(context, size, sizeof *r->step);
    r->gradient = dcpn_allocate(context, size, sizeof *r->gradient);
    r->H = dcpn_allocate(context, size, size * sizeof *r->H);
    int has_all = r->columns && r->x && r->diagonal && r->u && r->du && r->curvature && r->step && r->gradient && r->H;
    return has_all ? make_room_for_products(r) : DCPN_MEMORY;
}

void dcpn_refit_free(struct refit *r)
{
    dcpn_free(r->context, r->columns);
    dcpn_free(r->context, r->x);
    dcpn_free(r->context, r->diagonal);
    dcpn_free(r->context, r->u);
    dcpn_free(r->context, r->du);
    dcpn_free(r->context, r->curvature);
    dcpn_free(r->context, r->step);
    dcpn_free(r->context, r->gradient);
    dcpn_free(r->context, r->H);
    dcpn_free(r->context, r->ranks.columns);
    if (r->context) dcpn_arena_free(r->context, &r->ranks.arena);
}

/* ---- one step ---- */

static int64_t all_rows(const struct refit *r)
{
    return (int64_t)dcpn_matrix_all_rows(r->F->design.A);
}

static double *column(const struct refit *r, int64_t k)
{
    return r->columns + k * r->F->rows;
}

static void gather(struct refit *r, const int64_t *columns, int64_t count, int64_t size, const double *x)
{
    const dcpn_matrix *A = r->F->design.A;
    for (int64_t k = 0; k < size; k++) {
        int64_t j = k < count ? columns[k] : r->F->features;
        dcpn_fill(r->F->rows, 0.0, column(r, k));
        A->ops->column_add(A, j, 1.0, column(r, k));
        r->touched += A->ops->column_entries(A, j);
        r->x[k] = x[j];
        if (is_summed(r)) r->ranks.columns[k] = j;
    }
}

static void evaluate_rows(struct refit *r, int64_t size)
{
    const struct objective *F = r->F;
    if (F->offset)
        dcpn_copy(F->rows, F->offset, r->u);
    else
        dcpn_fill(F->rows, 0.0, r->u);
    for (int64_t k = 0; k < size; k++) dcpn_axpy(F->rows, r->x[k], column(r, k), r->u);
    r->touched += size * all_rows(r);
}

static void find_gradient(struct refit *r, int64_t count, int64_t size)
{
    const struct objective *F = r->F;
    double *slope = r->du, *slope2 = r->curvature; /* which are space as yet */
    dcpn_loss_slope1(&F->loss, r->u, slope);
    if (dcpn_loss_has_phi2(&F->loss)) {
        dcpn_loss_slope2(&F->loss, r->u, slope2);
        dcpn_axpy(F->rows, -1.0, slope2, slope);
    }
    if (is_summed(r))
        dcpn_matrix_column_dots(F->design.A, r->ranks.columns, size, slope, r->gradient);
    else
        for (int64_t k = 0; k < size; k++) r->gradient[k] = dcpn_dot(F->rows, column(r, k), slope);
    for (int64_t k = 0; k < count; k++) r->gradient[k] += F->ridge * r->x[k];
    r->touched += size * all_rows(r);
}

static void multiply_columns(struct refit *r, int64_t size)
{
    const struct objective *F = r->F;
    double *weighted = r->du;
    for (int64_t k = 0; k < size; k++) {
        for (int64_t i = 0; i < F->rows; i++) weighted[i] = r->curvature[i] * column(r, k)[i];
        for (int64_t l = 0; l <= k; l++) r->H[k * size + l] = dcpn_dot(F->rows, weighted, column(r, l));
    }
}

static void find_hessian(struct refit *r, int64_t count, int64_t size)
{
    const struct objective *F = r->F;
    dcpn_loss_curvature1(&F->loss, r->u, r->curvature);
    if (is_summed(r))
        F->design.A->ops->gram(F->design.A, r->curvature, r->ranks.columns, size, &r->ranks.space, r->H);
    else
        multiply_columns(r, size);
    for (int64_t k = 0; k < size; k++) {
        if (k < count) r->H[k * size + k] += F->ridge;
        r->diagonal[k] = r->H[k * size + k];
    }
    r->touched += size * (size + 3) / 2 * all_rows(r);
}

static double change_of(const struct refit *r, int64_t count, double t)
{
    double along = 0.0, square = 0.0;
    for (int64_t k = 0; k < count; k++) {
        along += r->x[k] * r->step[k];
        square += r->step[k] * r->step[k];
    }
    return dcpn_loss_change(&r->F->loss, r->u, r->du, t) + r->F->ridge * t * (along + 0.5 * t * square);
}

/* 0: f does not fall any more. */
static int move(struct refit *r, int64_t count, int64_t size, double slope)
{
    double t = 1.0;
    dcpn_fill(r->F->rows, 0.0, r->du);
    for (int64_t k = 0; k < size; k++) dcpn_axpy(r->F->rows, r->step[k], column(r, k), r->du);
    r->touched += size * all_rows(r);
    while (!(change_of(r, count, t) <= REFIT_DECREASE * t * slope)) {
        t *= 0.5;
        if (t < REFIT_LEAST_STEP) return 0;
    }
    dcpn_axpy(size, t, r->step, r->x);
    dcpn_axpy(r->F->rows, t, r->du, r->u);
    return 1;
}

static double value_at(const struct refit *r, int64_t count)
{
    return dcpn_loss_value(&r->F->loss, r->u) + 0.5 * r->F->ridge * dcpn_dot(count, r->x, r->x);
}

double dcpn_refit(struct refit *r, const int64_t *columns, int64_t count, const double *x)
{
    int64_t size = count + (r->F->size > r->F->features);
    gather(r, columns, count, size, x);
    evaluate_rows(r, size);
    for (int step = 0; step < REFIT_MOST_STEPS; step++) {
        find_gradient(r, count, size);
        find_hessian(r, count, size);
        if (!dcpn_cholesky(size, size, REFIT_LEAST_PIVOT, r->H)) return INFINITY;
        for (int64_t k = 0; k < size; k++) r->step[k] = -r->gradient[k];
        dcpn_cholesky_solve(size, size, r->H, r->step);
        double slope = dcpn_dot(size, r->gradient, r->step);
        if (!(-slope > REFIT_NEAR * fabs(value_at(r, count)))) break;
        if (!move(r, count, size, slope)) break;
    }
    double value = value_at(r, count);
    return isfinite(value) ? value : (double)INFINITY;
}
