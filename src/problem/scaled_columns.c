/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of standard deviation 1, by a copy of A: each is divided by its weighted deviation s_j about its mean m_j,
 * and with an intercept, if all of its entries are stored, centred too, which changes nothing but the conditioning. A
 * column that is constant keeps its scale, and is centred by its value, not by a rounded mean: what that would leave, a
 * free coefficient would take for a second intercept. With x' the coefficients of the copy,
 *     x_j = x'_j / s_j,   intercept = intercept' - sum_j m_j x_j     (m_j = 0 where it is not centred)
 *
 * Without --standardize columns whose mean is far from 0 for their deviation, a time in seconds, are centred if there
 * is an intercept, with s_j = 1: F is the same, but its gradient, as given, would be rounding errors. */
#include <math.h>

#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "matrix/dense.h"
#include "matrix/summed.h"
#include "problem/scaled_columns.h"

/* The data that the columns are scaled by, and the scaled columns. */
struct scaling {
    dcpn_context *context;
    const dcpn_problem *problem;
    const dcpn_settings *settings;
    const dcpn_matrix *A;
    struct scaled_columns *made;
};

/* Weights of sum 1. */
static void fill_shares(const dcpn_problem *problem, int64_t rows, double *share)
{
    double total = 0.0;
    for (int64_t i = 0; i < rows; i++) total += share[i] = problem->weights ? problem->weights[i] : 1.0;
    for (int64_t i = 0; i < rows; i++) share[i] /= total;
}

/* The deviation of a column whose squares are no doubles, 1e300 or 1e-300: of it divided by its largest value. */
static double scaled_deviation(const dcpn_matrix *A, int64_t j, const double *share, double *column)
{
    double largest = 0.0, mean = 0.0, second = 0.0, variance = 0.0;
    dcpn_fill(A->rows, 0.0, column);
    A->ops->column_add(A, j, 1.0, column);
    for (int64_t i = 0; i < A->rows; i++) largest = fmax(largest, fabs(column[i]));
    if (largest == 0.0) return 0.0;
    for (int64_t i = 0; i < A->rows; i++) mean += share[i] * (column[i] / largest);
    for (int64_t i = 0; i < A->rows; i++) {
        double value = column[i] / largest;
        second += share[i] * value * value;
        variance += share[i] * (value - mean) * (value - mean);
    }
    return variance > SCALE_NOTHING * second ? sqrt(variance) * largest : 0.0;
}

/* Weighted variance of a column about its mean. Where the mean is large E x^2 - m^2 loses digits, and the column is
 * looked at row by row; of a sparse one most is 0, the mean small, and that not needed. */
static double variance_of(const dcpn_matrix *A, int64_t j, const double *share, double mean, double second,
                          double *column)
{
    double variance = second - mean * mean;
    if (variance < SCALE_LITTLE * second) {
        dcpn_fill(A->rows, 0.0, column);
        A->ops->column_add(A, j, 1.0, column);
        double rest = variance = 0.0; /* what rounding has left out of the mean */
        for (int64_t i = 0; i < A->rows; i++) {
            rest += share[i] * (column[i] - mean);
            variance += share[i] * (column[i] - mean) * (column[i] - mean);
        }
        variance -= rest * rest;
    }
    return variance > SCALE_NOTHING * second ? variance : 0.0;
}

/* The deviation of a column; 0: the column is constant. */
static double deviation_of(const dcpn_matrix *A, int64_t j, const double *share, double mean, double *column)
{
    static const double too_large = 1e290, too_small = 1e-290; /* beyond these sums of squares lose digits, or all */
    double second = A->ops->column_curvature(A, j, share);
    int is_lost = second < too_small && A->ops->column_entries(A, j) > 0;
    if (!(second < too_large) || is_lost) return scaled_deviation(A, j, share, column);
    return sqrt(variance_of(A, j, share, mean, second, column));
}

/* The value that a column of deviation 0 has everywhere; deviation_of has left the column in `column` unless
 * it is all 0. */
static double constant_of(int64_t rows, const double *share, const double *column)
{
    int64_t i = 0;
    while (i + 1 < rows && !(share[i] > 0.0)) i++;
    return column[i];
}

/* The row to read at the k-th glance: all rows in turn or, if there are many, some of them in an order that the data
 * will hardly have, too. */
static int64_t glance_at(int64_t rows, int64_t k)
{
    return rows <= SCALE_GLANCES ? k : (int64_t)((uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) % (uint64_t)rows);
}

/* Does any row have another value than this one? */
static int has_another(const struct dense_view *A, int64_t rows, int64_t j, double value)
{
    for (int64_t i = 0; i < rows; i++)
        if (dcpn_dense_view_entry(A, i, j) != value) return 1;
    return 0;
}

/* Are the values in some rows so close to one another, for their size, that the mean may be far away? Of most columns
 * the second value tells. One that is constant is left as it is; one that only looks so, a year, has to be read. */
static int may_be_far(const struct dense_view *A, int64_t rows, int64_t j)
{
    double least = INFINITY, most = -INFINITY;
    for (int64_t k = 0; k < rows && k < SCALE_GLANCES; k++) {
        double value = dcpn_dense_view_entry(A, glance_at(rows, k), j);
        least = fmin(least, value);
        most = fmax(most, value);
        if (!(most - least < 10.0 / SCALE_FAR * fmax(fabs(least), fabs(most)))) return 0;
    }
    return most > least || (most != 0.0 && has_another(A, rows, j, most));
}

/* Is every entry of the column stored, so that it can be centred? */
static int is_full(const dcpn_matrix *A, int64_t j)
{
    return A->ops->column_entries(A, j) == A->rows;
}

static int has_far_full_columns(dcpn_context *context, const dcpn_matrix *A)
{
    double *column = NULL;
    int is_found = 0;
    for (int64_t j = 0; j < A->columns && !is_found; j++) {
        if (!is_full(A, j)) continue;
        if (!column && !(column = dcpn_allocate(context, (size_t)A->rows, sizeof *column))) return 0;
        dcpn_fill(A->rows, 0.0, column);
        A->ops->column_add(A, j, 1.0, column);
        is_found =
            may_be_far(&(struct dense_view){column, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 1, A->rows, A->rows}, A->rows, 0);
    }
    dcpn_free(context, column);
    return is_found;
}

static int has_far_columns(dcpn_context *context, const dcpn_matrix *A)
{
    struct dense_view view;
    int64_t j = 0;
    if (!dcpn_dense_view(A, &view)) return has_far_full_columns(context, A);
    while (j < A->columns && !may_be_far(&view, A->rows, j)) j++;
    return j < A->columns;
}

/* Centre and scale of a column that has been measured; deviation 0: it is constant, and its value the centre. */
static void settle_column(const struct scaling *s, int64_t j, double deviation)
{
    double *centre = s->made->centre, *scale = s->made->scale;
    int is_far = deviation > 0.0 && fabs(centre[j]) > SCALE_FAR * deviation;
    int is_centred = s->settings->intercept && is_full(s->A, j) && (s->settings->standardize || is_far);
    if (!is_centred) centre[j] = 0.0;
    scale[j] = s->settings->standardize && deviation > 0.0 ? deviation : 1.0;
}

static dcpn_status measure_columns(const struct scaling *s)
{
    const dcpn_matrix *A = s->A;
    double *centre = s->made->centre;
    double *share = dcpn_allocate(s->context, (size_t)A->rows, sizeof *share);
    double *column = dcpn_allocate(s->context, (size_t)A->rows, sizeof *column);
    if (share && column) {
        fill_shares(s->problem, A->rows, share);
        A->ops->adjoint(A, share, centre);
        for (int64_t j = 0; j < A->columns && !dcpn_is_interrupted(s->context); j++) {
            double deviation = deviation_of(A, j, share, centre[j], column);
            if (!(deviation > 0.0) && centre[j] != 0.0) centre[j] = constant_of(A->rows, share, column);
            settle_column(s, j, deviation);
        }
    }
    dcpn_status status = share && column ? DCPN_OK : DCPN_MEMORY;
    dcpn_free(s->context, share);
    dcpn_free(s->context, column);
    return status;
}

/* ---- the same by sums that do not depend on who adds ---- */

static int is_full_everywhere(const struct summed *A, int64_t j)
{
    return A->base.ops->column_entries(&A->base, j) == A->all_rows;
}

static void settle_exactly(const struct scaling *s, const struct summed *A, int64_t j, double deviation)
{
    double *centre = s->made->centre, *scale = s->made->scale;
    int is_far = deviation > 0.0 && fabs(centre[j]) > SCALE_FAR * deviation;
    int is_centred = s->settings->intercept && is_full_everywhere(A, j) && (s->settings->standardize || is_far);
    if (!is_centred) centre[j] = 0.0;
    scale[j] = s->settings->standardize && deviation > 0.0 ? deviation : 1.0;
}

/* Measures the means and deviations of columns by exact sums. Without --standardize columns are left as they are, and
 * *is_needed 0, unless some full column is far from 0. */
static dcpn_status measure_exactly(const struct scaling *s, int *is_needed)
{
    dcpn_context *context = s->context;
    struct summed *A;
    DCPN_TRY(dcpn_summed_new(context, s->A, 1, 0, &A));
    double *w = dcpn_allocate(context, (size_t)s->A->rows, sizeof *w);
    double *deviation = dcpn_allocate(context, (size_t)s->A->columns, sizeof *deviation);
    dcpn_status status = w && deviation ? DCPN_OK : DCPN_MEMORY;
    int may_be = s->settings->standardize;
    for (int64_t j = 0; j < s->A->columns && !may_be; j++) may_be = is_full_everywhere(A, j);
    if (status == DCPN_OK && may_be) {
        for (int64_t i = 0; i < s->A->rows; i++) w[i] = s->problem->weights ? s->problem->weights[i] : 1.0;
        double total = dcpn_ranks_sum_of(context, s->A->rows, w);
        status = dcpn_summed_moments(A, w, total, s->made->centre, deviation);
        *is_needed = s->settings->standardize;
        for (int64_t j = 0; status == DCPN_OK && j < s->A->columns; j++) {
            settle_exactly(s, A, j, deviation[j]);
            *is_needed |= s->made->centre[j] != 0.0;
        }
    }
    dcpn_free(context, w);
    dcpn_free(context, deviation);
    dcpn_summed_free(A);
    return status;
}

static dcpn_status scale_exactly(const struct scaling *s)
{
    struct scaled_columns *made = s->made;
    int is_needed = 0;
    made->centre = dcpn_allocate(s->context, (size_t)s->A->columns, sizeof *made->centre);
    made->scale = dcpn_allocate(s->context, (size_t)s->A->columns, sizeof *made->scale);
    if (!made->centre || !made->scale) return DCPN_MEMORY;
    DCPN_TRY(measure_exactly(s, &is_needed));
    if (!is_needed) {
        dcpn_scaled_columns_free(s->context, made);
        return DCPN_OK;
    }
    struct row_selection all = {.count = s->A->rows, .centre = made->centre, .scale = made->scale, .is_kept_as_is = 1};
    return dcpn_matrix_copy_rows(s->context, s->A, &all, &made->A);
}

static dcpn_status scale_columns(const struct scaling *s)
{
    size_t columns = (size_t)s->A->columns;
    struct scaled_columns *made = s->made;
    made->centre = dcpn_allocate(s->context, columns, sizeof *made->centre);
    made->scale = dcpn_allocate(s->context, columns, sizeof *made->scale);
    if (!made->centre || !made->scale) return DCPN_MEMORY;
    DCPN_TRY(measure_columns(s));
    DCPN_TRY(dcpn_refuse_interrupted(s->context, "preparing the data"));
    struct row_selection all = {.count = s->A->rows, .centre = made->centre, .scale = made->scale};
    return dcpn_matrix_copy_rows(s->context, s->A, &all, &made->A);
}

dcpn_status dcpn_scaled_columns_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                    int is_exact, struct scaled_columns *scaled)
{
    struct scaling s = {context, problem, settings, problem->A, scaled};
    *scaled = (struct scaled_columns){0};
    dcpn_status status = DCPN_OK;
    if (is_exact && s.A && (settings->standardize || settings->intercept))
        status = scale_exactly(&s);
    else if (!is_exact && s.A && (settings->standardize || (settings->intercept && has_far_columns(context, s.A))))
        status = scale_columns(&s);
    if (status != DCPN_OK) dcpn_scaled_columns_free(context, scaled);
    return status;
}

void dcpn_scaled_columns_free(dcpn_context *context, struct scaled_columns *scaled)
{
    dcpn_matrix_free(scaled->A);
    dcpn_free(context, scaled->centre);
    dcpn_free(context, scaled->scale);
    *scaled = (struct scaled_columns){0};
}

/* Moves a coefficient to its bound if it is beyond: x'_j / s_j may be so by rounding. */
static double within_bounds(const dcpn_problem *problem, int64_t j, double x)
{
    if (problem->lower && x < problem->lower[j]) return problem->lower[j];
    return problem->upper && x > problem->upper[j] ? problem->upper[j] : x;
}

double dcpn_scaled_columns_one(const struct scaled_columns *scaled, const dcpn_problem *problem, int64_t j, double own,
                               double *intercept)
{
    double x = within_bounds(problem, j, own / scaled->scale[j]);
    *intercept -= scaled->centre[j] * x;
    return x;
}

double dcpn_scaled_columns_give(const struct scaled_columns *scaled, const dcpn_problem *problem, const double *own,
                                double intercept, double *x)
{
    for (int64_t j = 0; j < problem->A->columns; j++)
        x[j] = own[j] == 0.0 ? 0.0 : dcpn_scaled_columns_one(scaled, problem, j, own[j], &intercept);
    return intercept;
}

double dcpn_scaled_columns_take(const struct scaled_columns *scaled, int64_t columns, double intercept, double *x)
{
    for (int64_t j = 0; j < columns; j++) {
        intercept += scaled->centre[j] * x[j];
        x[j] *= scaled->scale[j];
    }
    return intercept;
}
