/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit in which the shapes of penalties are given: 1 / H, H the curvature of f along the column of a feature,
 *     H = sup phi1'' sum_i w_i v,
 * v the mean square of a column about its mean, without an intercept about 0. --standardize makes v 1 for each column.
 * Columns as given have many; v is then their mean, in which each column weighs what it curves, since those that hardly
 * vary, of rare words say, do not matter however many they are. */
#include "problem/shape_unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/reduce.h"
#include "base/context.h"
#include "settings/registry.h"

static const double LEAST = 1e-300, MOST = 1e300; /* of a parameter: the range of the settings */

/* The mean of the v_j >= 0, each weighted by itself. They are divided by the largest, so that no square overflows. */
static double weighted_mean(int64_t count, const double *v)
{
    double largest = 0.0, sum = 0.0, squares = 0.0;
    for (int64_t j = 0; j < count; j++) largest = fmax(largest, v[j]);
    if (!(largest > DBL_MIN)) return (double)NAN;
    for (int64_t j = 0; j < count; j++) {
        double share = fmax(v[j], 0.0) / largest;
        sum += share;
        squares += share * share;
    }
    return largest * (squares / sum);
}

/* v_j of all columns, less the square of their means where a constant takes these up. */
static void measure_columns(const dcpn_matrix *A, const double *share, int about_mean, double *mean, double *v)
{
    for (int64_t j = 0; !A->ops->curvatures && j < A->columns; j++) v[j] = A->ops->column_curvature(A, j, share);
    if (A->ops->curvatures) A->ops->curvatures(A, share, v);
    if (!about_mean) return;
    A->ops->adjoint(A, share, mean);
    for (int64_t j = 0; j < A->columns; j++) v[j] -= mean[j] * mean[j];
}

/* A row of ordered classes has a weight at each of its boundaries. */
static double weight_of_row(const struct targets *targets, int64_t i)
{
    return targets->w[i] + (targets->ordered.count ? targets->w[targets->ordered.rows + i] : 0.0);
}

static dcpn_status find_mean_square(const struct targets *targets, const dcpn_settings *settings, const dcpn_matrix *A,
                                    double total, int64_t features, double *mean_square)
{
    dcpn_context *context = targets->context;
    double *share = dcpn_allocate(context, (size_t)A->rows, sizeof *share);
    double *mean = dcpn_allocate(context, (size_t)A->columns, sizeof *mean);
    double *v = dcpn_allocate(context, (size_t)A->columns, sizeof *v);
    dcpn_status status = share && mean && v ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        for (int64_t i = 0; i < A->rows; i++) share[i] = weight_of_row(targets, i) / total;
        measure_columns(A, share, settings->intercept, mean, v);
        *mean_square = weighted_mean(features, v);
    }
    dcpn_free(context, share);
    dcpn_free(context, mean);
    dcpn_free(context, v);
    return status;
}

/* Ordered classes have the logistic loss at each boundary. */
static double curvature_of_row(const struct parts *parts, const dcpn_settings *settings)
{
    if (parts->loss && parts->loss->targets == DCPN_ORDERED_CLASSES) return dcpn_loss_logistic.curvature1_sup(NULL);
    const dcpn_loss one = {.ops = parts->loss,
                           .parameter = dcpn_loss_parameter(parts->loss, settings, 0),
                           .second = dcpn_loss_parameter(parts->loss, settings, 1),
                           .user = parts->loss_user};
    return parts->loss && parts->loss->curvature1_sup ? parts->loss->curvature1_sup(&one) : (double)NAN;
}

static int has_units(const dcpn_penalty_ops *penalty)
{
    return penalty && penalty->to_raw;
}

dcpn_status dcpn_shape_unit_find(const struct targets *targets, const dcpn_problem *problem,
                                 const dcpn_settings *settings, const struct parts *parts, const dcpn_matrix *A,
                                 double *unit)
{
    double curvature = curvature_of_row(parts, settings), total = 0.0, mean_square = 1.0;
    int in_units = (has_units(parts->penalty) || has_units(parts->inner)) && settings->shape_units[0] == 'p';
    *unit = 0.0;
    if (!in_units || !A || !(curvature > 0.0)) return DCPN_OK;
    for (int64_t i = 0; i < dcpn_problem_rows(problem); i++) total += weight_of_row(targets, i);
    if (parts->is_exact) total = dcpn_ranks_sum_of(targets->context, dcpn_problem_rows(problem), targets->w);
    if (!settings->standardize)
        DCPN_TRY(find_mean_square(targets, settings, A, total, dcpn_problem_features(problem), &mean_square));
    curvature *= total * mean_square;
    if (curvature > LEAST && curvature < MOST) *unit = 1.0 / curvature;
    return DCPN_OK;
}

static double within_range(double parameter)
{
    return fmin(fmax(parameter, LEAST), MOST);
}

double dcpn_raw_shape(const dcpn_settings *settings, double unit)
{
    const dcpn_penalty_ops *penalty = settings ? dcpn_find_penalty(settings->penalty) : NULL;
    const char *name = penalty ? penalty->parameters : NULL;
    if (!name) return (double)NAN;
    const dcpn_penalty_shape shape = dcpn_shape_in(unit, penalty, NULL, settings);
    return strcmp(name, "theta") == 0   ? shape.theta
           : strcmp(name, "a") == 0     ? shape.a
           : strcmp(name, "gamma") == 0 ? shape.gamma
                                        : (double)NAN;
}

int dcpn_same_shape(const dcpn_penalty_ops *a, const dcpn_penalty_ops *b)
{
    return a && b && a->parameters && b->parameters && strcmp(a->parameters, b->parameters) == 0;
}

/* A parameter that both penalties read means the same to both. */
dcpn_penalty_shape dcpn_shape_in(double unit, const dcpn_penalty_ops *penalty, const dcpn_penalty_ops *inner,
                                 const dcpn_settings *s)
{
    dcpn_penalty_shape shape = {.theta = s->theta, .a = s->a, .gamma = s->gamma, .p = s->p, .eps = s->eps, .unit = 1.0};
    if (!(unit > 0.0) || (!has_units(penalty) && !has_units(inner))) return shape;
    shape.unit = unit;
    if (has_units(penalty)) penalty->to_raw(&shape, s->lambda);
    if (has_units(inner) && !dcpn_same_shape(inner, penalty)) inner->to_raw(&shape, s->lambda);
    shape.theta = within_range(shape.theta);
    shape.a = within_range(shape.a);
    shape.gamma = within_range(shape.gamma);
    return shape;
}
