/* SPDX-License-Identifier: BSD-3-Clause */
/* S = sum_i w_i (x_i - m)(x_i - m)' / sum_i w_i, by rows less their means, so that large means cancel nothing. */
#include "structured/covariance.h"

#include <math.h>

#include "base/interrupt.h"
#include "base/positive.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/matrix.h"

static const double SYMMETRIC = 1e-8; /* of a given matrix, relative to the diagonal */

/* ---- from rows ---- */

struct gathering {
    dcpn_context *context;
    const dcpn_matrix *X;
    const double *weights; /* NULL: 1 */
    struct covariance *covariance;
    int64_t size;
    double *square, *rows; /* size x size; DCPN_POSITIVE_ROWS x size */
    int64_t *index;
    double *value;
    struct positive_space space;
    struct arena arena;
};

static double weight_of(const struct gathering *g, int64_t i)
{
    return g->weights ? g->weights[i] : 1.0;
}

static void find_mean(struct gathering *g)
{
    struct covariance *c = g->covariance;
    for (int64_t i = 0; i < g->X->rows; i++) {
        double weight = weight_of(g, i);
        if (weight == 0.0) continue;
        int64_t count = g->X->ops->row(g->X, i, g->index, g->value);
        for (int64_t k = 0; k < count; k++) c->mean[g->index[k]] += weight * g->value[k];
        c->rows += weight;
    }
    for (int64_t j = 0; j < c->variables; j++) c->mean[j] /= c->rows;
}

/* (x_i - m) sqrt(w_i) as one of the rows that are added together. */
static void put_row(struct gathering *g, int64_t i, double *row)
{
    struct covariance *c = g->covariance;
    double times = sqrt(weight_of(g, i));
    int64_t count = g->X->ops->row(g->X, i, g->index, g->value);
    for (int64_t j = 0; j < c->variables; j++) row[j] = -c->mean[j];
    for (int64_t k = 0; k < count; k++) row[g->index[k]] += g->value[k];
    for (int64_t j = 0; j < c->variables; j++) row[j] *= times;
}

static dcpn_status add_rows(struct gathering *g)
{
    int64_t held = 0;
    for (int64_t i = 0; i < g->X->rows; i++) {
        if (weight_of(g, i) != 0.0) put_row(g, i, g->rows + held++ * g->size);
        if (held < DCPN_POSITIVE_ROWS && i + 1 < g->X->rows) continue;
        if (held > 0) dcpn_positive_add(g->context, &g->space, held, g->rows, g->square);
        held = 0;
        DCPN_TRY(dcpn_refuse_interrupted(g->context, "the covariance"));
    }
    dcpn_positive_mirror(g->size, g->square);
    return DCPN_OK;
}

static void layout(struct gathering *g, struct arena *arena)
{
    g->square = dcpn_arena_doubles(arena, g->size * g->size);
    g->rows = dcpn_arena_doubles(arena, g->size * DCPN_POSITIVE_ROWS);
    g->value = dcpn_arena_doubles(arena, g->X->columns);
    dcpn_positive_layout(g->size, 0, &g->space, arena);
    g->index = dcpn_arena_integers(arena, g->X->columns);
}

static dcpn_status gather(struct gathering *g)
{
    struct covariance *c = g->covariance;
    struct arena spare = {0};
    layout(g, &g->arena);
    DCPN_TRY(dcpn_arena_allocate(g->context, &g->arena, &spare));
    layout(g, &g->arena);
    find_mean(g);
    if (!(c->rows > 0.0) || !isfinite(c->rows))
        return dcpn_fail(g->context, DCPN_DATA, "weights: found a sum of %g, expected a positive number", c->rows);
    DCPN_TRY(add_rows(g));
    for (int64_t i = 0; i < c->variables; i++)
        for (int64_t j = 0; j < c->variables; j++) c->S[i * c->variables + j] = g->square[i * g->size + j] / c->rows;
    return DCPN_OK;
}

static dcpn_status check_weights(dcpn_context *context, int64_t rows, const double *weights)
{
    for (int64_t i = 0; weights && i < rows; i++)
        if (!(weights[i] >= 0.0) || !isfinite(weights[i]))
            return dcpn_fail(context, DCPN_DATA,
                             "weights: found %g for row %lld, expected a finite number of at least 0", weights[i],
                             (long long)i + 1);
    return DCPN_OK;
}

static dcpn_status of_rows(dcpn_context *context, const dcpn_matrix *X, const double *weights,
                           struct covariance *covariance)
{
    struct gathering g = {.context = context,
                          .X = X,
                          .weights = weights,
                          .covariance = covariance,
                          .size = dcpn_positive_size(X->columns)};
    DCPN_TRY(check_weights(context, X->rows, weights));
    dcpn_status status = gather(&g);
    dcpn_arena_free(context, &g.arena);
    return status;
}

/* ---- as it was given ---- */

static dcpn_status take_matrix(dcpn_context *context, const double *given, struct covariance *c)
{
    int64_t p = c->variables;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < p; j++) {
            double entry = given[i * p + j], mirrored = given[j * p + i];
            double largest = sqrt(fabs(given[i * p + i])) * sqrt(fabs(given[j * p + j]));
            if (!isfinite(entry) || fabs(entry - mirrored) > SYMMETRIC * largest)
                return dcpn_fail(
                    context, DCPN_DATA,
                    "covariance: found %g in row %lld, column %lld and %g in row %lld, column %lld; expected the same "
                    "finite number",
                    entry, (long long)i + 1, (long long)j + 1, mirrored, (long long)j + 1, (long long)i + 1);
            c->S[i * p + j] = 0.5 * (entry + mirrored);
        }
    return DCPN_OK;
}

/* ---- both ---- */

static dcpn_status check_variances(dcpn_context *context, const struct covariance *c)
{
    for (int64_t i = 0; i < c->variables; i++) {
        double variance = c->S[i * c->variables + i];
        if (!isfinite(variance))
            return dcpn_fail(context, DCPN_DATA, "variable %lld has a variance beyond what numbers can be; scale it",
                             (long long)i + 1);
        if (!(variance > 1e-26 * c->mean[i] * c->mean[i]) || variance < 1e-300)
            return dcpn_fail(
                context, DCPN_DATA,
                "variable %lld: found the same value in all rows (a variance of %g), expected a variable that varies; "
                "leave it out",
                (long long)i + 1, variance);
    }
    return DCPN_OK;
}

static void standardize(struct covariance *c)
{
    int64_t p = c->variables;
    for (int64_t i = 0; i < p; i++) c->scale[i] = sqrt(c->S[i * p + i]);
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < p; j++) c->S[i * p + j] = i == j ? 1.0 : c->S[i * p + j] / c->scale[i] / c->scale[j];
}

/* A factor of S + more times its diagonal; 0: there is none. */
static dcpn_status try_factor(dcpn_context *context, const struct covariance *c, double more, double least, int *worked)
{
    int64_t p = c->variables, size = dcpn_positive_size(p);
    struct positive_space space;
    struct arena arena = {0}, spare = {0};
    for (int pass = 0; pass < 2; pass++) {
        double *M = dcpn_arena_doubles(&arena, size * size);
        dcpn_positive_layout(size, 0, &space, &arena);
        if (pass == 0) {
            DCPN_TRY(dcpn_arena_allocate(context, &arena, &spare));
            continue;
        }
        for (int64_t i = 0; i < size; i++) M[i * size + i] = 1.0;
        for (int64_t i = 0; i < p; i++) {
            dcpn_copy(p, c->S + i * p, M + i * size);
            M[i * size + i] *= 1.0 + more;
        }
        *worked = dcpn_positive_factor(context, &space, least, M);
    }
    dcpn_arena_free(context, &arena);
    return DCPN_OK;
}

static dcpn_status check_definite(dcpn_context *context, const struct covariance *c)
{
    int is_definite;
    DCPN_TRY(try_factor(context, c, SYMMETRIC, 0.0, &is_definite));
    if (is_definite) return DCPN_OK;
    return dcpn_fail(context, DCPN_DATA,
                     "covariance: found a matrix with a negative eigenvalue, which no variables have");
}

dcpn_status dcpn_covariance_is_singular(dcpn_context *context, const struct covariance *c, int *is_singular)
{
    int is_regular = 0;
    DCPN_TRY(try_factor(context, c, 0.0, GRAPH_SINGULAR, &is_regular));
    *is_singular = !is_regular;
    return DCPN_OK;
}

static dcpn_status fill(dcpn_context *context, const dcpn_graph_source *source, const double *weights, int wants_scales,
                        struct covariance *c)
{
    int64_t p = c->variables;
    dcpn_fill(p, 0.0, c->mean);
    dcpn_fill(p, 1.0, c->scale);
    if (source->X)
        DCPN_TRY(of_rows(context, source->X, weights ? weights : source->weights, c));
    else
        DCPN_TRY(take_matrix(context, source->covariance, c));
    DCPN_TRY(check_variances(context, c));
    if (wants_scales) standardize(c);
    for (int64_t i = 0; i < p; i++) c->mean_variance += c->S[i * p + i] / (double)p;
    return source->X ? DCPN_OK : check_definite(context, c);
}

dcpn_status dcpn_covariance_new(dcpn_context *context, const dcpn_graph_source *source, const double *weights,
                                int wants_scales, struct covariance *c)
{
    int64_t p = source->X ? source->X->columns : source->variables;
    *c = (struct covariance){.variables = p, .rows = source->X ? 0.0 : source->rows};
    if (p < 2)
        return dcpn_fail(context, DCPN_DATA, "found %lld variable%s, expected at least 2", (long long)p,
                         p == 1 ? "" : "s");
    if (p > INT32_MAX)
        return dcpn_fail(context, DCPN_DATA, "found %lld variables, more than memory can hold pairs of", (long long)p);
    c->S = dcpn_allocate(context, (size_t)(p * p), sizeof *c->S);
    c->mean = dcpn_allocate(context, (size_t)p, sizeof *c->mean);
    c->scale = dcpn_allocate(context, (size_t)p, sizeof *c->scale);
    if (!c->S || !c->mean || !c->scale) return DCPN_MEMORY;
    return fill(context, source, weights, wants_scales, c);
}

void dcpn_covariance_free(dcpn_context *context, struct covariance *c)
{
    dcpn_free(context, c->S);
    dcpn_free(context, c->mean);
    dcpn_free(context, c->scale);
    c->S = c->mean = c->scale = NULL;
}
