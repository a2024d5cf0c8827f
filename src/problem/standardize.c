/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of standard deviation 1, by a copy of A: each is divided by its weighted deviation s_j about its mean m_j, and
 * with an intercept, if all of its entries are stored, centred too, which changes nothing but the conditioning. A column
 * that is constant keeps its scale, and is centred by its value, not by a rounded mean: what that would leave, a free
 * coefficient would take for a second intercept. With x' the coefficients of the copy,
 *     x_j = x'_j / s_j,   intercept = intercept' - sum_j m_j x_j     (m_j = 0 where it is not centred)
 *
 * Without --standardize columns whose mean is far from 0 for their deviation, a time in seconds, are centred if there is
 * an intercept, with s_j = 1: F is the same, but its gradient, as given, would be rounding errors. */
#include <math.h>

#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "matrix/dense.h"
#include "solver/solver.h"

static const double NOTHING = 1e-20; /* of the second moment: the rounding error of a variance */
static const double LITTLE = 1e-3;   /* of the second moment: E x^2 - m^2 has lost so many digits */
static const double FAR = 1e3;       /* deviations: a mean that far away is taken out */
enum { GLANCES = 64 };               /* rows that tell whether a column may be such a one */

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
    return variance > NOTHING * second ? sqrt(variance) * largest : 0.0;
}

/* Weighted variance of a column about its mean. Where the mean is large E x^2 - m^2 loses digits, and the column is
 * looked at row by row; of a sparse one most is 0, the mean small, and that not needed. */
static double variance_of(const dcpn_matrix *A, int64_t j, const double *share, double mean, double second,
                          double *column)
{
    double variance = second - mean * mean;
    if (variance < LITTLE * second) {
        dcpn_fill(A->rows, 0.0, column);
        A->ops->column_add(A, j, 1.0, column);
        double rest = variance = 0.0; /* what rounding has left out of the mean */
        for (int64_t i = 0; i < A->rows; i++) {
            rest += share[i] * (column[i] - mean);
            variance += share[i] * (column[i] - mean) * (column[i] - mean);
        }
        variance -= rest * rest;
    }
    return variance > NOTHING * second ? variance : 0.0;
}

/* 0: the column is constant. */
static double deviation_of(const dcpn_matrix *A, int64_t j, const double *share, double mean, double *column)
{
    static const double too_large = 1e290, too_small = 1e-290; /* beyond these sums of squares lose digits, or all */
    double second = A->ops->column_curvature(A, j, share);
    int is_lost = second < too_small && A->ops->column_entries(A, j) > 0;
    if (!(second < too_large) || is_lost) return scaled_deviation(A, j, share, column);
    return sqrt(variance_of(A, j, share, mean, second, column));
}

/* Of a column of deviation 0, which deviation_of has left in `column` unless all of it is 0. */
static double constant_of(int64_t rows, const double *share, const double *column)
{
    int64_t i = 0;
    while (i + 1 < rows && !(share[i] > 0.0)) i++;
    return column[i];
}

/* All rows, or some of them, without an order that those of the data might have, too: the k-th. */
static int64_t glance_at(int64_t rows, int64_t k)
{
    return rows <= GLANCES ? k : (int64_t)((uint64_t)k * UINT64_C(0x9e3779b97f4a7c15) % (uint64_t)rows);
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
    for (int64_t k = 0; k < rows && k < GLANCES; k++) {
        double value = dcpn_dense_view_entry(A, glance_at(rows, k), j);
        least = fmin(least, value);
        most = fmax(most, value);
        if (!(most - least < 10.0 / FAR * fmax(fabs(least), fabs(most)))) return 0;
    }
    return most > least || (most != 0.0 && has_another(A, rows, j, most));
}

/* Of a column of a sparse matrix every entry is stored: it can be centred. */
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
        is_found = may_be_far(&(struct dense_view){column, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 1, A->rows, A->rows},
                              A->rows, 0);
    }
    dcpn_free(context, column);
    return is_found;
}

int dcpn_solver_has_far_columns(const dcpn_solver *solver)
{
    const dcpn_matrix *A = solver->problem->A;
    struct dense_view view;
    int64_t j = 0;
    if (!A || !solver->settings.intercept) return 0;
    if (!dcpn_dense_view(A, &view)) return has_far_full_columns(solver->context, A);
    while (j < A->columns && !may_be_far(&view, A->rows, j)) j++;
    return j < A->columns;
}

/* Centre and scale of a column that has been measured; deviation 0: it is constant, and its value the centre. */
static void settle_column(dcpn_solver *solver, const dcpn_matrix *A, int64_t j, double deviation)
{
    int is_far = deviation > 0.0 && fabs(solver->centre[j]) > FAR * deviation;
    int is_centred = solver->settings.intercept && is_full(A, j) && (solver->settings.standardize || is_far);
    if (!is_centred) solver->centre[j] = 0.0;
    solver->scale[j] = solver->settings.standardize && deviation > 0.0 ? deviation : 1.0;
}

static dcpn_status measure_columns(dcpn_solver *solver, const dcpn_matrix *A)
{
    double *share = dcpn_allocate(solver->context, (size_t)A->rows, sizeof *share);
    double *column = dcpn_allocate(solver->context, (size_t)A->rows, sizeof *column);
    if (share && column) {
        fill_shares(solver->problem, A->rows, share);
        A->ops->adjoint(A, share, solver->centre);
        for (int64_t j = 0; j < A->columns; j++) {
            double deviation = deviation_of(A, j, share, solver->centre[j], column);
            if (!(deviation > 0.0) && solver->centre[j] != 0.0)
                solver->centre[j] = constant_of(A->rows, share, column);
            settle_column(solver, A, j, deviation);
        }
    }
    dcpn_status status = share && column ? DCPN_OK : DCPN_MEMORY;
    dcpn_free(solver->context, share);
    dcpn_free(solver->context, column);
    return status;
}

dcpn_status dcpn_solver_standardize(dcpn_solver *solver)
{
    const dcpn_matrix *A = solver->problem->A;
    size_t columns = (size_t)A->columns;
    solver->centre = dcpn_allocate(solver->context, columns, sizeof *solver->centre);
    solver->scale = dcpn_allocate(solver->context, columns, sizeof *solver->scale);
    solver->coefficients = dcpn_allocate(solver->context, columns, sizeof *solver->coefficients);
    if (!solver->centre || !solver->scale || !solver->coefficients) return DCPN_MEMORY;
    dcpn_fill(A->columns, 0.0, solver->coefficients);
    DCPN_TRY(measure_columns(solver, A));
    struct row_selection all = {.count = A->rows, .centre = solver->centre, .scale = solver->scale};
    return dcpn_matrix_copy_rows(solver->context, A, &all, &solver->standardized);
}

void dcpn_solver_free_standardized(dcpn_solver *solver)
{
    dcpn_matrix_free(solver->standardized);
    dcpn_free(solver->context, solver->centre);
    dcpn_free(solver->context, solver->scale);
    dcpn_free(solver->context, solver->coefficients);
}

/* x'_j / s_j of a coefficient at its bound may be beyond it by rounding. */
static double within_bounds(const struct penalty *h, int64_t j, double x)
{
    if (h->given_lower && x < h->given_lower[j]) return h->given_lower[j];
    return h->given_upper && x > h->given_upper[j] ? h->given_upper[j] : x;
}

void dcpn_solver_to_given_scale(dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm->objective;
    const double *x = solver->algorithm->point.x;
    solver->intercept = F->size > F->features ? x[F->features] : 0.0;
    for (int64_t j = 0; j < F->features; j++) {
        solver->coefficients[j] = within_bounds(&F->penalty, j, x[j] / solver->scale[j]);
        solver->intercept -= solver->centre[j] * solver->coefficients[j];
    }
}

void dcpn_solver_start_to_own_scale(dcpn_solver *solver)
{
    const struct objective *F = &solver->algorithm->objective;
    for (int64_t j = 0; j < F->features; j++) {
        if (F->size > F->features) solver->start[F->features] += solver->centre[j] * solver->start[j];
        solver->start[j] *= solver->scale[j];
    }
}
