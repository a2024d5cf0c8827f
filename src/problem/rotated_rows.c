/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows rotated into a few. With s = sum w, m_j and m the means of column j and of y, and everything less its mean,
 *     M = A'WA,   c = A'Wy,   q = y'Wy
 * A Cholesky factorisation M = R'R, R'z = c, rho^2 = q - z'z gives the rows
 *     s^(1/2) (m_j, m),   (R, z),   (0, rho)
 * on which the squared loss is that of the data, the constant being (s^(1/2), 0, 0). A reflection turns that one into a
 * column of ones, and the weights into s / r for each of the r rows, so that whatever knows an intercept, means and
 * deviations finds them as they were. Without an intercept and deviations nothing is centred.
 *
 * M is factored with diagonal pivoting, columns being divided by their norms: what is left out where they depend on one
 * another is as small as the rounding of M. Products square what is lost by a mean far from 0, and where y is all but
 * explained rho^2 is lost; then the rows are left as they are. */
#include "problem/rotated_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "loss/loss.h"
#include "matrix/dense.h"

/* The products, and what becomes of them. */
struct rotation {
    const dcpn_matrix *A;
    int64_t columns, rank;
    int has_constant;
    double *w, *y;           /* of the rows as given */
    double weight, mean_y;   /* s, m */
    double *mean;            /* m_j */
    double *M, *c, q;        /* columns x columns, columns */
    double *R, *z, rho;      /* rank rows */
    double *left, *norm;     /* of the diagonal of M: what is not factored yet, and its root */
    struct gram_space space; /* of the products */
    int64_t *U;
};

static void layout(struct rotation *t, struct arena *arena)
{
    int64_t p = t->columns, n = t->A->rows;
    t->w = dcpn_arena_scratch(arena, n);
    t->y = dcpn_arena_scratch(arena, n);
    t->mean = dcpn_arena_doubles(arena, p);
    t->M = dcpn_arena_scratch(arena, p * p);
    t->c = dcpn_arena_doubles(arena, p);
    t->R = dcpn_arena_doubles(arena, p * p);
    t->z = dcpn_arena_doubles(arena, p);
    t->left = dcpn_arena_doubles(arena, p);
    t->norm = dcpn_arena_doubles(arena, p);
    t->U = dcpn_arena_integers(arena, p);
    dcpn_gram_layout(t->A, p, &t->space, arena);
}

/* ---- is it worth it? ---- */

static int is_squared(const dcpn_problem *problem, const struct parts *parts)
{
    return parts->loss == &dcpn_loss_squared && problem->A && problem->y && !problem->unlabelled && !parts->f &&
           !parts->h && !parts->is_exact && !parts->balance;
}

/* The methods that read A as they need it. Others are there to be compared, and are left as they are. */
static int may_choose(const dcpn_settings *settings, const struct parts *parts)
{
    int is_newton = parts->algorithm == &dcpn_algorithm_dcpn || parts->algorithm == &dcpn_algorithm_proximal_newton;
    int is_asked = strcmp(settings->metric, "auto") != 0 && strcmp(settings->metric, dcpn_metric_hessian.name) != 0;
    return settings->gram && is_newton && !is_asked && parts->active_set;
}

static int has_copies(const dcpn_settings *settings, const struct parts *parts)
{
    return parts->composition && (settings->orthonormal || parts->composition->overlap == DCPN_OVERLAP_COPIED);
}

/* Do the products cost less than the readings that are foreseen without them? */
static int pays(const dcpn_matrix *A, int64_t fits)
{
    double entries = (double)A->entries, p = (double)A->columns, n = (double)A->rows;
    double foreseen = ROTATE_READINGS + ROTATE_READINGS_A_FIT * (double)(fits - 1), small = p * p;
    if (fits < 1 || entries < ROTATE_LEAST_ENTRIES || A->columns > ROTATE_MOST_COLUMNS || n < 2.0 * p) return 0;
    if (!A->ops->gram || !A->ops->gram_work) return 0;
    return A->ops->gram_work(A, entries, A->columns) + foreseen * small <= foreseen * entries;
}

/* ---- the products ---- */

static void weigh_rows(const dcpn_problem *problem, struct rotation *t)
{
    int64_t rows = t->A->rows;
    t->weight = t->mean_y = t->q = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        t->w[i] = problem->weights ? problem->weights[i] : 1.0;
        t->y[i] = problem->y[i] - (problem->offset ? problem->offset[i] : 0.0);
        t->weight += t->w[i];
        t->mean_y += t->w[i] * t->y[i];
    }
    t->mean_y = t->has_constant ? t->mean_y / t->weight : 0.0;
    for (int64_t i = 0; i < rows; i++) {
        double apart = t->y[i] - t->mean_y;
        t->y[i] = t->w[i] * apart;
        t->q += t->y[i] * apart;
    }
}

static int is_sound(double number)
{
    return number > 1e-200 && number < 1e200;
}

/* M, c and q. Returns 0 if a column is so far from 0 for its deviation, or constant, that its products have lost too
 * many digits, or out of the range of squares. */
static int find_products(const dcpn_problem *problem, struct rotation *t)
{
    int64_t p = t->columns;
    weigh_rows(problem, t);
    if (!is_sound(t->weight) || !is_sound(t->q)) return 0;
    for (int64_t j = 0; j < p; j++) t->U[j] = j;
    dcpn_fill(p * p, 0.0, t->M);
    t->A->ops->gram(t->A, t->w, t->U, p, &t->space, t->M);
    t->A->ops->adjoint(t->A, t->y, t->c);
    if (t->has_constant) t->A->ops->adjoint(t->A, t->w, t->mean);
    for (int64_t j = 0; j < p; j++) t->mean[j] /= t->weight;
    for (int64_t j = 0; j < p; j++) {
        double square = t->M[j * p + j];
        dcpn_axpy(p, -t->weight * t->mean[j], t->mean, t->M + j * p);
        if (!is_sound(square) || !(t->M[j * p + j] > ROTATE_LEAST_VARIANCE * square)) return 0;
    }
    return 1;
}

/* ---- the factorisation ---- */

/* The column of which most is left, for its norm; -1: of none is more left than rounding. */
static int64_t next_pivot(const struct rotation *t)
{
    double most = 10.0 * DBL_EPSILON * (double)t->columns;
    int64_t pivot = -1;
    for (int64_t j = 0; j < t->columns; j++) {
        double share = t->left[j] / (t->norm[j] * t->norm[j]);
        if (share > most) {
            most = share;
            pivot = j;
        }
    }
    return pivot;
}

/* Row k of R and of z, and what they leave of each column. */
static void factor_row(struct rotation *t, int64_t pivot)
{
    int64_t p = t->columns, k = t->rank++;
    double *row = t->R + k * p, root = sqrt(t->left[pivot]);
    dcpn_copy(p, t->M + pivot * p, row);
    t->z[k] = t->c[pivot];
    for (int64_t l = 0; l < k; l++) {
        double of_pivot = t->R[l * p + pivot];
        dcpn_axpy(p, -of_pivot, t->R + l * p, row);
        t->z[k] -= of_pivot * t->z[l];
    }
    t->z[k] /= root;
    for (int64_t j = 0; j < p; j++) {
        row[j] = t->left[j] > 0.0 ? row[j] / root : 0.0;
        t->left[j] -= row[j] * row[j];
    }
    row[pivot] = root;
    t->left[pivot] = 0.0;
}

/* Does R'z = c hold in the columns that were left out, too? */
static int explains_all(const struct rotation *t)
{
    int64_t p = t->columns;
    dcpn_copy(p, t->c, t->left);
    for (int64_t k = 0; k < t->rank; k++) dcpn_axpy(p, -t->z[k], t->R + k * p, t->left);
    for (int64_t j = 0; j < p; j++)
        if (!(fabs(t->left[j]) <= ROTATE_LEFT_OUT * t->norm[j] * sqrt(t->q))) return 0;
    return 1;
}

static int factor(struct rotation *t)
{
    t->rank = 0;
    for (int64_t j = 0; j < t->columns; j++) {
        t->left[j] = t->M[j * t->columns + j];
        t->norm[j] = sqrt(t->left[j]);
    }
    for (int64_t pivot = next_pivot(t); pivot >= 0 && t->rank < t->columns; pivot = next_pivot(t)) factor_row(t, pivot);
    double rest = t->q - dcpn_dot(t->rank, t->z, t->z);
    t->rho = sqrt(fmax(rest, 0.0));
    return rest > ROTATE_LEAST_REST * t->q && explains_all(t);
}

/* ---- the rows ---- */

/* Reflects the first of r numbers into the constant, and takes the weight s / r out. */
static void reflect(const struct rotation *t, int64_t r, double *b)
{
    double share = 1.0 / sqrt((double)r), along = 0.0;
    if (!t->has_constant) return;
    for (int64_t i = 0; i < r; i++) along += b[i];
    double twice = (b[0] - along * share) / (1.0 - share); /* 2 v'b / v'v, v = e_0 - r^(-1/2) 1 */
    b[0] -= twice;
    for (int64_t i = 0; i < r; i++) b[i] = (b[i] + twice * share) * sqrt((double)r / t->weight);
}

/* A column of the rotated rows: its mean, its part of R and what R does not explain. */
static void fill_column(const struct rotation *t, int64_t r, double mean, const double *of_R, int64_t stride,
                        double beyond, double *b)
{
    double *next = b;
    if (t->has_constant) *next++ = sqrt(t->weight) * mean;
    for (int64_t k = 0; k < t->rank; k++) *next++ = of_R[k * stride];
    *next = beyond;
    reflect(t, r, b);
}

static dcpn_status fill_rows(dcpn_context *context, const struct rotation *t, struct rotated_rows *rotated)
{
    int64_t p = t->columns, r = t->rank + 1 + t->has_constant;
    rotated->values = dcpn_allocate(context, (size_t)(r * p), sizeof *rotated->values);
    rotated->y = dcpn_allocate(context, (size_t)r, sizeof *rotated->y);
    rotated->weights = dcpn_allocate(context, (size_t)r, sizeof *rotated->weights);
    if (!rotated->values || !rotated->y || !rotated->weights) return DCPN_MEMORY;
    for (int64_t j = 0; j < p; j++) fill_column(t, r, t->mean[j], t->R + j, p, 0.0, rotated->values + j * r);
    fill_column(t, r, t->mean_y, t->z, 1, t->rho, rotated->y);
    dcpn_fill(r, t->weight / (double)r, rotated->weights);
    double unweighted = sqrt((double)r / t->weight);
    for (int64_t k = 0; k < r * p && !t->has_constant; k++) rotated->values[k] *= unweighted;
    for (int64_t i = 0; i < r && !t->has_constant; i++) rotated->y[i] *= unweighted;
    DCPN_TRY(dcpn_matrix_borrow_dense(context, r, p, rotated->values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, &rotated->A));
    rotated->problem.A = rotated->A;
    rotated->problem.y = rotated->y;
    rotated->problem.weights = rotated->weights;
    rotated->problem.offset = NULL;
    return DCPN_OK;
}

static dcpn_status rotate(dcpn_context *context, const dcpn_problem *problem, struct rotation *t,
                          struct rotated_rows *rotated)
{
    struct arena arena = {0};
    layout(t, &arena);
    DCPN_TRY(dcpn_arena_allocate(context, &arena, NULL));
    layout(t, &arena);
    int is_same = find_products(problem, t) && factor(t);
    dcpn_status status = is_same ? fill_rows(context, t, rotated) : DCPN_OK;
    dcpn_arena_free(context, &arena);
    return status;
}

dcpn_status dcpn_rotated_rows_new(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                  const struct parts *parts, int64_t fits, struct rotated_rows *rotated)
{
    *rotated = (struct rotated_rows){.problem = *problem};
    if (!is_squared(problem, parts) || !may_choose(settings, parts) || has_copies(settings, parts)) return DCPN_OK;
    if (!pays(problem->A, fits)) return DCPN_OK;
    struct rotation t = {
        .A = problem->A, .columns = problem->A->columns, .has_constant = settings->intercept || settings->standardize};
    dcpn_status status = rotate(context, problem, &t, rotated);
    if (status != DCPN_OK) dcpn_rotated_rows_free(context, rotated);
    if (status == DCPN_OK && rotated->A)
        dcpn_log(context, DCPN_LOG_DETAIL, "rows: %lld are rotated into %lld by the products of all columns",
                 (long long)problem->A->rows, (long long)rotated->A->rows);
    return status;
}

void dcpn_rotated_rows_free(dcpn_context *context, struct rotated_rows *rotated)
{
    dcpn_matrix_free(rotated->A);
    dcpn_free(context, rotated->values);
    dcpn_free(context, rotated->y);
    dcpn_free(context, rotated->weights);
    *rotated = (struct rotated_rows){0};
}
