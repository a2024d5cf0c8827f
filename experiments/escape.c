/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways out of a stationary point, one coordinate at a time, that a linearised penalty does not see. */
#include "escape.h"

#include "speech.h"

#include <math.h>
#include <stdlib.h>

static const double LOGISTIC_CURVATURE = 0.25; /* sup of phi'' */

double *dcpn_exp_column_squares(const dcpn_matrix *A)
{
    int64_t rows = dcpn_matrix_rows(A), columns = dcpn_matrix_columns(A);
    double *squares = dcpn_exp_allocate(columns, sizeof *squares);
    double *values = dcpn_exp_allocate(columns, sizeof *values);
    int64_t *index = dcpn_exp_allocate(columns, sizeof *index);
    for (int64_t i = 0; squares && values && index && i < rows; i++) {
        int64_t entries = dcpn_matrix_row(A, i, index, values);
        for (int64_t k = 0; k < entries; k++) squares[index[k]] += values[k] * values[k];
    }
    if (!values || !index) {
        free(squares);
        squares = NULL;
    }
    free(index);
    free(values);
    return squares;
}

/* min over y of the bound q(y), for slope = |g_j| and y of the other sign: the best of the two parts of the penalty,
 * y <= theta, where it is lambda y, and y >= theta, where it is flat. */
static double best_change(double slope, double L, double lambda, double theta)
{
    if (!(L > 0.0)) return 0.0; /* an empty column */
    double near = fmin(fmax((slope - lambda) / L, 0.0), theta), far = fmax(slope / L, theta);
    double at_near = (lambda - slope) * near + 0.5 * L * near * near;
    double at_far = lambda * theta - slope * far + 0.5 * L * far * far;
    return fmin(at_near, at_far);
}

static int is_zero(double t)
{
    return !(t < 0.0) && !(t > 0.0);
}

/* log(1 + exp(-margin)) */
static double logistic(double margin)
{
    return margin > 0.0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

/* rise[j] = f(x with x_j = 0) - f(x), summed row by row; u = A x. */
static void add_rises(const dcpn_matrix *A, const double *labels, const double *x, const double *u, int64_t *index,
                      double *values, double *rise)
{
    for (int64_t i = 0; i < dcpn_matrix_rows(A); i++) {
        int64_t entries = dcpn_matrix_row(A, i, index, values);
        double here = logistic(labels[i] * u[i]);
        for (int64_t k = 0; k < entries; k++) {
            double x_j = x[index[k]];
            if (!is_zero(x_j)) rise[index[k]] += logistic(labels[i] * (u[i] - values[k] * x_j)) - here;
        }
    }
}

static void gradient(const dcpn_matrix *A, const double *labels, const double *u, double *r, double *g)
{
    for (int64_t i = 0; i < dcpn_matrix_rows(A); i++) r[i] = -labels[i] / (1.0 + exp(labels[i] * u[i]));
    dcpn_matrix_adjoint(A, r, g);
}

struct workspace {
    double *u, *r, *g, *rise, *values;
    int64_t *index;
};

static int allocate(int64_t rows, int64_t features, struct workspace *work)
{
    *work = (struct workspace){.u = dcpn_exp_allocate(rows, sizeof(double)),
                               .r = dcpn_exp_allocate(rows, sizeof(double)),
                               .g = dcpn_exp_allocate(features, sizeof(double)),
                               .rise = dcpn_exp_allocate(features, sizeof(double)),
                               .values = dcpn_exp_allocate(features, sizeof(double)),
                               .index = dcpn_exp_allocate(features, sizeof(int64_t))};
    return work->u && work->r && work->g && work->rise && work->values && work->index;
}

static void release(struct workspace *work)
{
    free(work->u);
    free(work->r);
    free(work->g);
    free(work->rise);
    free(work->values);
    free(work->index);
}

int dcpn_exp_escapes(const dcpn_matrix *A, const double *labels, const double *squares, double lambda, double theta,
                     const double *x, struct escapes *escapes)
{
    struct workspace work;
    int64_t features = dcpn_matrix_columns(A);
    int good = allocate(dcpn_matrix_rows(A), features, &work);
    *escapes = (struct escapes){0};
    if (good) {
        dcpn_matrix_apply(A, x, work.u);
        gradient(A, labels, work.u, work.r, work.g);
        add_rises(A, labels, x, work.u, work.index, work.values, work.rise);
    }
    for (int64_t j = 0; good && j < features; j++) {
        double slope = fabs(work.g[j]);
        if (!is_zero(x[j])) {
            escapes->drops += work.rise[j] < lambda * fmin(fabs(x[j]), theta);
        } else if (best_change(slope, LOGISTIC_CURVATURE * squares[j], lambda, theta) < 0.0) {
            escapes->count++;
            escapes->held += slope <= lambda;
        }
    }
    release(&work);
    return !good;
}
