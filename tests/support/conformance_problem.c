/* SPDX-License-Identifier: BSD-3-Clause */
/* Small random problems and plain loops over their raw arrays. */
#include "support/conformance_problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "settings/registry.h"
#include "support/conformance_assert.h"
#include "support/conformance_dense.h"

static double *new_doubles(int64_t count)
{
    double *a = calloc((size_t)count, sizeof *a);
    assert_non_null(a);
    return a;
}

static void fill_matrix(struct small_problem *data, int sparse, struct rng *rng)
{
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t j = 0; j < data->features; j++) {
            double value = dcpn_rng_normal(rng) * (1.0 + (double)(j % 3));
            int empty = sparse && (j == 1 || dcpn_rng_next(rng) % 2);
            data->A[i * data->features + j] = empty ? 0.0 : value;
        }
}

static void fill_targets(struct small_problem *data, const dcpn_loss_ops *loss, struct rng *rng)
{
    for (int64_t i = 0; i < data->rows; i++) {
        double score = 1.5 * dcpn_rng_normal(rng);
        for (int64_t j = 0; j < data->features; j += 2) score += data->A[i * data->features + j] * (j % 4 ? -1.0 : 1.0);
        data->y[i] = loss->response.takes            ? exp(fmax(-2.0, fmin(score, 2.0)))
                     : loss->targets == DCPN_NUMBERS ? score
                                                     : (score > 0.0 ? 1.0 : -1.0);
    }
    if (loss->targets == DCPN_CLASSES) {
        data->y[0] = 1.0;
        data->y[data->rows - 1] = -1.0;
    }
}

static void compress(struct small_problem *data)
{
    int64_t count = 0;
    data->pointers = calloc((size_t)data->rows + 1, sizeof *data->pointers);
    data->indices = calloc((size_t)(data->rows * data->features), sizeof *data->indices);
    data->values = new_doubles(data->rows * data->features);
    assert_non_null(data->pointers);
    assert_non_null(data->indices);
    for (int64_t i = 0; i < data->rows; i++) {
        for (int64_t j = 0; j < data->features; j++) {
            if (data->A[i * data->features + j] == 0.0) continue;
            data->indices[count] = (int32_t)j;
            data->values[count++] = data->A[i * data->features + j];
        }
        data->pointers[i + 1] = count;
    }
}

void adopt_arrays(struct small_problem *data, int sparse)
{
    data->context = dcpn_context_new(NULL);
    assert_non_null(data->context);
    compress(data);
    dcpn_compressed arrays = {data->rows, data->features, data->pointers, data->indices,
                              DCPN_INT32, data->values,   DCPN_FLOAT64,   NULL};
    dcpn_status made = sparse ? dcpn_matrix_csr(data->context, &arrays, DCPN_BORROW, &data->matrix)
                              : dcpn_matrix_dense(data->context, data->rows, data->features, data->A, DCPN_FLOAT64,
                                                  DCPN_ROW_MAJOR, data->features, DCPN_BORROW, &data->matrix);
    assert_int_equal(made, DCPN_OK);
    assert_int_equal(dcpn_problem_new(data->context, data->matrix, data->y, &data->problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(data->problem, data->w), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(data->problem, data->offset), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty_factors(data->problem, data->factors), DCPN_OK);
}

void make_problem(struct small_problem *data, const struct recipe *recipe, const char *loss)
{
    struct rng rng;
    dcpn_rng_seed(&rng, recipe->seed);
    *data = (struct small_problem){.rows = recipe->rows, .features = recipe->features};
    data->A = new_doubles(data->rows * data->features);
    data->y = new_doubles(data->rows);
    data->w = new_doubles(data->rows);
    data->offset = new_doubles(data->rows);
    data->factors = new_doubles(data->features);
    fill_matrix(data, recipe->sparse, &rng);
    fill_targets(data, dcpn_find_loss(loss), &rng);
    for (int64_t i = 0; i < data->rows; i++) {
        data->w[i] = recipe->weights ? 0.25 + dcpn_rng_uniform(&rng) : 1.0;
        data->offset[i] = recipe->offset ? 0.5 * dcpn_rng_normal(&rng) : 0.0;
    }
    for (int64_t j = 0; j < data->features; j++)
        data->factors[j] = recipe->factors ? (j % 5 == 4 ? 0.0 : 0.5 + dcpn_rng_uniform(&rng)) : 1.0;
    adopt_arrays(data, recipe->sparse);
}

void free_problem(struct small_problem *data)
{
    dcpn_problem_free(data->problem);
    dcpn_matrix_free(data->matrix);
    dcpn_context_free(data->context);
    free(data->A);
    free(data->y);
    free(data->w);
    free(data->offset);
    free(data->factors);
    free(data->pointers);
    free(data->indices);
    free(data->values);
}

dcpn_solver *solver_of(const struct small_problem *data, const dcpn_settings *settings)
{
    dcpn_solver *solver;
    dcpn_settings bare = *settings;
    bare.active_set = bare.global = "off";
    if (!bare.majorize) bare.curvature = "f1"; /* the paper's metric; a majorant is one whatever the curvature */
    dcpn_status status = dcpn_solver_new(data->context, data->problem, &bare, &solver);
    if (status == DCPN_USAGE && dcpn_combination_check(data->context, settings) == DCPN_USAGE) return NULL;
    if (status != DCPN_OK) fail_msg("%s", dcpn_last_error(data->context));
    return solver;
}

void set_loss(dcpn_settings *settings, const char *loss, double parameter)
{
    settings->loss = loss;
    settings->tau = settings->delta = settings->smoothing = settings->dispersion = parameter;
}

struct naive naive_of(const struct small_problem *data, const dcpn_settings *settings)
{
    const dcpn_loss_ops *loss = dcpn_find_loss(settings->loss);
    assert_non_null(loss);
    return (struct naive){
        .data = data,
        .settings = *settings,
        .loss = loss,
        .penalty = dcpn_find_penalty(settings->penalty),
        .shape = {settings->theta, settings->a, settings->gamma, settings->p, settings->eps, 1.0, NULL},
        .parameter = dcpn_loss_parameter(loss, settings, 0),
        .second = dcpn_loss_parameter(loss, settings, 1),
        .size = data->features + (settings->intercept ? 1 : 0),
    };
}

static double entry(const struct naive *F, int64_t i, int64_t j)
{
    return j < F->data->features ? F->data->A[i * F->data->features + j] : 1.0;
}

void naive_margins(const struct naive *F, const double *x, double *u)
{
    for (int64_t i = 0; i < F->data->rows; i++) {
        long double sum = (long double)F->data->offset[i];
        for (int64_t j = 0; j < F->size; j++) sum += (long double)entry(F, i, j) * (long double)x[j];
        u[i] = (double)sum;
    }
}

/* One row at a time, so that only the formula of the loss is the library's. */
static dcpn_loss row_of(const struct naive *F, int64_t i)
{
    return (dcpn_loss){.ops = F->loss,
                       .rows = 1,
                       .y = &F->data->y[i],
                       .w = &F->data->w[i],
                       .parameter = F->parameter,
                       .second = F->second};
}

static long double ridge_term(const struct naive *F, const double *x)
{
    long double sum = 0.0L;
    for (int64_t j = 0; j < F->data->features; j++) sum += (long double)x[j] * (long double)x[j];
    return (long double)F->settings.ridge * sum / 2.0L;
}

typedef double row_value(const dcpn_loss *, int64_t begin, int64_t end, const double *u);

static long double sum_over_rows(const struct naive *F, row_value *value, const double *x)
{
    double *u = new_doubles(F->data->rows);
    long double sum = 0.0L;
    naive_margins(F, x, u);
    for (int64_t i = 0; i < F->data->rows && value; i++) {
        dcpn_loss row = row_of(F, i);
        sum += (long double)value(&row, 0, 1, &u[i]);
    }
    free(u);
    return sum;
}

double naive_f1(const struct naive *F, const double *x)
{
    return (double)(sum_over_rows(F, F->loss->value1, x) + ridge_term(F, x));
}

double naive_f2(const struct naive *F, const double *x)
{
    return (double)sum_over_rows(F, F->loss->value2, x);
}

double naive_h(const struct naive *F, const double *x)
{
    long double sum = 0.0L;
    for (int64_t j = 0; j < F->data->features; j++) {
        double lambda = F->settings.lambda * F->data->factors[j];
        if (lambda > 0.0) sum += (long double)F->penalty->value(&F->shape, lambda, fabs(x[j]));
    }
    return (double)sum;
}

double naive_value(const struct naive *F, const double *x)
{
    return (double)(sum_over_rows(F, F->loss->value, x) + ridge_term(F, x)) + naive_h(F, x);
}

static void add_gradient(const struct naive *F, const double *x, long double share, double *g,
                         void (*slope)(const dcpn_loss *, int64_t, int64_t, const double *, double *))
{
    double *u = new_doubles(F->data->rows), r;
    naive_margins(F, x, u);
    for (int64_t j = 0; j < F->size; j++) {
        long double sum = (long double)g[j];
        for (int64_t i = 0; i < F->data->rows; i++) {
            dcpn_loss row = row_of(F, i);
            slope(&row, 0, 1, &u[i], &r);
            sum += share * (long double)r * (long double)entry(F, i, j);
        }
        g[j] = (double)sum;
    }
    free(u);
}

void naive_gradient1(const struct naive *F, const double *x, double *g)
{
    for (int64_t j = 0; j < F->size; j++) g[j] = j < F->data->features ? F->settings.ridge * x[j] : 0.0;
    add_gradient(F, x, 1.0L, g, F->loss->slope1);
}

void naive_gradient(const struct naive *F, const double *x, double *g)
{
    naive_gradient1(F, x, g);
    if (F->loss->slope2) add_gradient(F, x, -1.0L, g, F->loss->slope2);
}

void naive_hessian1(const struct naive *F, const double *x, double *M)
{
    double *u = new_doubles(F->data->rows), curvature;
    double *origin = new_doubles(F->size);
    int is_bound = !x && F->loss->curvature1_sup;
    naive_margins(F, x ? x : origin, u);
    for (int64_t j = 0; j < F->size; j++)
        for (int64_t k = 0; k < F->size; k++) {
            long double sum = j == k && j < F->data->features ? (long double)F->settings.ridge : 0.0L;
            for (int64_t i = 0; i < F->data->rows; i++) {
                dcpn_loss row = row_of(F, i);
                if (is_bound)
                    curvature = F->data->w[i] * F->loss->curvature1_sup(&row);
                else
                    F->loss->curvature1(&row, 0, 1, &u[i], &curvature);
                sum += (long double)curvature * (long double)entry(F, i, j) * (long double)entry(F, i, k);
            }
            M[j * F->size + k] = (double)sum;
        }
    free(origin);
    free(u);
}

static double violation(const struct naive *F, int64_t j, double x, double g)
{
    double lambda = j < F->data->features ? F->settings.lambda * F->data->factors[j] : 0.0;
    if (!(lambda > 0.0)) return fabs(g);
    if (x == 0.0) return fmax(fabs(g) - F->penalty->slope0(&F->shape, lambda), 0.0);
    double sign = x < 0.0 ? -1.0 : 1.0;
    return fmax(fabs(g + sign * F->penalty->slope(&F->shape, lambda, fabs(x), DCPN_LEFT)),
                fabs(g + sign * F->penalty->slope(&F->shape, lambda, fabs(x), DCPN_RIGHT)));
}

double naive_stationarity(const struct naive *F, const double *x)
{
    double *g = new_doubles(F->size), largest = 0.0;
    naive_gradient(F, x, g);
    for (int64_t j = 0; j < F->size; j++) largest = fmax(largest, violation(F, j, x[j], g[j]));
    free(g);
    return largest;
}

void matrix_of_metric(struct metric *H, double *M)
{
    double *unit = new_doubles(H->size), *column = new_doubles(H->size);
    for (int64_t j = 0; j < H->size; j++) {
        unit[j] = 1.0;
        H->ops->apply(H, unit, column);
        unit[j] = 0.0;
        for (int64_t i = 0; i < H->size; i++) M[i * H->size + j] = column[i];
    }
    free(unit);
    free(column);
}

double model_violation(const struct algorithm *a, const double *M, const double *d)
{
    double *Hd = new_doubles(a->objective.size), largest = 0.0;
    dense_product(a->objective.size, M, d, Hd);
    for (int64_t j = 0; j < a->objective.size; j++) {
        double q = a->v[j] + Hd[j], c = a->objective.penalty.c[j], y = a->point.x[j] + d[j];
        int zero = fabs(y) <= 4.0 * DBL_EPSILON * (fabs(a->point.x[j]) + fabs(d[j]));
        largest = fmax(largest, zero ? fmax(fabs(q) - c, 0.0) : fabs(q + copysign(c, y)));
    }
    free(Hd);
    return largest;
}

double model_rounding(const struct algorithm *a, const double *M, const double *d)
{
    int64_t n = a->objective.size;
    return 256.0 * DBL_EPSILON * ((double)n * largest_entry(n * n, M) * largest_entry(n, d) + largest_entry(n, a->v));
}

void go_to(dcpn_solver *solver, const double *x)
{
    struct algorithm *a = solver->levels.all->algorithm;
    memcpy(a->point.x, x, (size_t)a->objective.size * sizeof *x);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_algorithm_look(a);
}
