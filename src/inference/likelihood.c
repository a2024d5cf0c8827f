/* SPDX-License-Identifier: BSD-3-Clause */
/* Maximum likelihood on some columns and a constant, C: Newton's method on
 *     f(b) = sum_i w_i (y_i - u_i)^2 / 2   or   sum_i w_i (log(1 + e^u_i) - y_i u_i),   u = C b + offset,
 *     H = C'diag(w phi'')C,   b <- b - t H^-1 f'(b),
 * t halved until f falls. At the end s^2 H^-1 is the covariance of b, with s^2 the residual variance or, of classes,
 * 1. */
#include "inference/likelihood.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "base/vector.h"

static double weight(const struct observed *of, int64_t i)
{
    return of->weights ? of->weights[i] : 1.0;
}

static double *column(const struct likelihood_fit *fit, int64_t k)
{
    return fit->C + k * fit->of->A->rows;
}

static dcpn_status allocate(struct likelihood_fit *fit)
{
    dcpn_context *context = fit->of->context;
    size_t rows = (size_t)fit->of->A->rows, size = (size_t)fit->size;
    fit->C = dcpn_allocate(context, size, rows * sizeof *fit->C);
    fit->mean = dcpn_allocate(context, size, sizeof *fit->mean);
    fit->scale = dcpn_allocate(context, size, sizeof *fit->scale);
    fit->b = dcpn_allocate(context, size, sizeof *fit->b);
    fit->L = dcpn_allocate(context, size, size * sizeof *fit->L);
    fit->u = dcpn_allocate(context, rows, sizeof *fit->u);
    fit->r = dcpn_allocate(context, rows, sizeof *fit->r);
    fit->w = dcpn_allocate(context, rows, sizeof *fit->w);
    fit->step = dcpn_allocate(context, size, sizeof *fit->step);
    int has_all = fit->C && fit->mean && fit->scale && fit->b && fit->L && fit->u && fit->r && fit->w && fit->step;
    return has_all ? DCPN_OK : DCPN_MEMORY;
}

void dcpn_likelihood_free(struct likelihood_fit *fit)
{
    if (!fit->of) return;
    double *const arrays[] = {fit->C, fit->mean, fit->scale, fit->b, fit->L, fit->u, fit->r, fit->w, fit->step};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) dcpn_free(fit->of->context, arrays[k]);
    fit->of = NULL;
}

static dcpn_status take_columns(struct likelihood_fit *fit, const int64_t *columns)
{
    const dcpn_matrix *A = fit->of->A;
    double n = (double)A->rows;
    for (int64_t k = 0; k < fit->size; k++) {
        double *c = column(fit, k), sum = 0.0;
        dcpn_fill(A->rows, k < fit->count ? 0.0 : 1.0, c);
        fit->mean[k] = 0.0;
        fit->scale[k] = 1.0;
        if (k == fit->count) break;
        A->ops->column_add(A, columns[k], 1.0, c);
        double largest = dcpn_norm_max(A->rows, c);
        for (int64_t i = 0; i < A->rows; i++) sum += c[i];
        fit->mean[k] = sum / n;
        for (int64_t i = 0; i < A->rows; i++) c[i] -= fit->mean[k];
        fit->scale[k] = dcpn_norm2(A->rows, c) / sqrt(n);
        if (!(fit->scale[k] > COLUMN_VARIES * largest))
            return dcpn_fail(fit->of->context, DCPN_DATA,
                             "intervals: feature %lld is the same in all rows, expected features that vary; leave it "
                             "out", dcpn_counted_from_1(columns[k]));
        for (int64_t i = 0; i < A->rows; i++) c[i] /= fit->scale[k];
    }
    return DCPN_OK;
}

/* ---- Newton's method ---- */

static double log_one_plus_exp(double u)
{
    return u > 0.0 ? u + log1p(exp(-u)) : log1p(exp(u));
}

static double value_at(const struct likelihood_fit *fit, const double *u)
{
    const struct observed *of = fit->of;
    double sum = 0.0;
    for (int64_t i = 0; i < of->A->rows; i++) {
        double rest = of->y[i] - u[i];
        sum += weight(of, i) * (of->is_logistic ? log_one_plus_exp(u[i]) - of->y[i] * u[i] : 0.5 * rest * rest);
    }
    return sum;
}

/* Residuals w (y - mean) and curvatures w phi'' at the scores. */
static void look(struct likelihood_fit *fit)
{
    const struct observed *of = fit->of;
    for (int64_t i = 0; i < of->A->rows; i++) {
        double mean = of->is_logistic ? 1.0 / (1.0 + exp(-fit->u[i])) : fit->u[i];
        fit->r[i] = weight(of, i) * (of->y[i] - mean);
        fit->w[i] = weight(of, i) * (of->is_logistic ? mean * (1.0 - mean) : 1.0);
    }
}

static void multiply_rows(void *user, int64_t begin, int64_t end)
{
    const struct likelihood_fit *fit = user;
    int64_t rows = fit->of->A->rows;
    for (int64_t k = begin; k < end; k++)
        for (int64_t l = 0; l <= k; l++) {
            const double *a = column(fit, k), *b = column(fit, l);
            double sum = 0.0;
            for (int64_t i = 0; i < rows; i++) sum += fit->w[i] * a[i] * b[i];
            fit->L[k * fit->size + l] = sum;
        }
}

static dcpn_status factor(struct likelihood_fit *fit)
{
    dcpn_parallel_items(fit->of->context, fit->size, multiply_rows, fit);
    if (dcpn_cholesky(fit->size, fit->size, LIKELIHOOD_LEAST_PIVOT, fit->L)) return DCPN_OK;
    return dcpn_fail(fit->of->context, DCPN_DATA,
                     "intervals: %lld features are linearly dependent%s; leave some out, or let the method be debiased",
                     (long long)fit->count, fit->of->is_logistic ? ", or separate the classes" : "");
}

/* Moves to b + t step, with the largest t of 1, 1/2, ... at which f falls. If it falls nowhere, the minimum is within
 * rounding of f: then one whole step is taken, which is more exact than f tells, and 0 returned. `moved` is space for
 * scores. */
static int move(struct likelihood_fit *fit, double *moved)
{
    double now = value_at(fit, fit->u);
    int64_t rows = fit->of->A->rows;
    for (double t = 1.0; t > 1e-10; t *= 0.5) {
        dcpn_copy(rows, fit->u, moved);
        for (int64_t k = 0; k < fit->size; k++) dcpn_axpy(rows, t * fit->step[k], column(fit, k), moved);
        if (!(value_at(fit, moved) < now)) continue;
        dcpn_axpy(fit->size, t, fit->step, fit->b);
        dcpn_copy(rows, moved, fit->u);
        return 1;
    }
    dcpn_axpy(fit->size, 1.0, fit->step, fit->b);
    for (int64_t k = 0; k < fit->size; k++) dcpn_axpy(rows, fit->step[k], column(fit, k), fit->u);
    return 0;
}

static dcpn_status descend(struct likelihood_fit *fit, double *moved)
{
    const struct observed *of = fit->of;
    for (int step = 0; step < LIKELIHOOD_STEPS; step++) {
        DCPN_TRY(dcpn_refuse_interrupted(of->context, "the intervals"));
        look(fit);
        DCPN_TRY(factor(fit));
        for (int64_t k = 0; k < fit->size; k++) fit->step[k] = dcpn_dot(of->A->rows, column(fit, k), fit->r);
        dcpn_cholesky_solve(fit->size, fit->size, fit->L, fit->step);
        if (dcpn_norm_max(fit->size, fit->step) <= 1e-12 * (1.0 + dcpn_norm_max(fit->size, fit->b))) return DCPN_OK;
        if (move(fit, moved)) continue;
        look(fit);
        return factor(fit);
    }
    return dcpn_fail(of->context, DCPN_DATA,
                     "intervals: the likelihood of %lld features has no largest value: they separate the classes; "
                     "expected fewer features, or more rows", (long long)fit->count);
}

/* The residual variance, and whether the classes are told without an error. */
static dcpn_status conclude(struct likelihood_fit *fit)
{
    const struct observed *of = fit->of;
    double squares = 0.0;
    for (int64_t i = 0; i < of->A->rows; i++) {
        double rest = of->y[i] - fit->u[i];
        squares += weight(of, i) * rest * rest;
    }
    fit->freedom = of->is_logistic ? (double)INFINITY : of->rows - (double)fit->size;
    fit->variance = of->is_logistic ? 1.0 : squares / fit->freedom;
    if (!of->is_logistic || dcpn_norm_max(of->A->rows, fit->u) < LIKELIHOOD_SEPARATES) return DCPN_OK;
    return dcpn_fail(of->context, DCPN_DATA,
                     "intervals: the likelihood of %lld features has no largest value: they separate the classes; "
                     "expected fewer features, or more rows", (long long)fit->count);
}

dcpn_status dcpn_likelihood_fit(const struct observed *of, const int64_t *columns, int64_t count,
                                struct likelihood_fit *fit)
{
    *fit = (struct likelihood_fit){.of = of, .count = count, .size = count + 1};
    if (!(of->rows > (double)fit->size))
        return dcpn_fail(of->context, DCPN_DATA,
                         "intervals: found %g rows for %lld features and a constant, expected more rows; let the "
                         "method be debiased", of->rows, (long long)count);
    double *moved = dcpn_allocate(of->context, (size_t)of->A->rows, sizeof *moved);
    dcpn_status status = moved ? allocate(fit) : DCPN_MEMORY;
    if (status == DCPN_OK) status = take_columns(fit, columns);
    if (status == DCPN_OK) {
        dcpn_fill(fit->size, 0.0, fit->b);
        if (of->offset)
            dcpn_copy(of->A->rows, of->offset, fit->u);
        else
            dcpn_fill(of->A->rows, 0.0, fit->u);
        status = descend(fit, moved);
    }
    if (status == DCPN_OK) status = conclude(fit);
    dcpn_free(of->context, moved);
    return status;
}

void dcpn_likelihood_of(const struct likelihood_fit *fit, int64_t k, double *estimate, double *error)
{
    dcpn_fill(fit->size, 0.0, fit->step);
    fit->step[k] = 1.0;
    dcpn_cholesky_solve(fit->size, fit->size, fit->L, fit->step);
    *estimate = fit->b[k] / fit->scale[k];
    *error = sqrt(fit->variance * fit->step[k]) / fit->scale[k];
}
