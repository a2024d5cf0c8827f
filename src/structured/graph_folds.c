/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows held out: the likelihood of theirs at each lambda, and which edges halves of the rows have. Rows that do not
 * count have the weight 0; a row belongs to the same fold whatever the penalty. */
#include <math.h>

#include "base/interrupt.h"
#include "base/rng.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/matrix.h"
#include "structured/graphs.h"

/* Deals the rows in a random order: place[i] is the place of row i. */
static void deal(int64_t rows, uint64_t seed, int64_t *place)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < rows; i++) place[i] = i;
    for (int64_t i = rows - 1; i > 0; i--) {
        int64_t other = (int64_t)dcpn_rng_below(&rng, (uint64_t)i + 1), kept = place[i];
        place[i] = place[other];
        place[other] = kept;
    }
}

/* ---- cross-validation ---- */

struct fold {
    const dcpn_graph_source *source;
    const double *in, *out; /* weights of the rows that are fitted, and of those that are held out */
    struct covariance train;
};

/* Computes row = (x_i - m) / scale. */
static void take_row(const dcpn_matrix *X, const struct covariance *c, int64_t i, int64_t *index, double *value,
                     double *row)
{
    int64_t count = X->ops->row(X, i, index, value);
    for (int64_t j = 0; j < c->variables; j++) row[j] = -c->mean[j];
    for (int64_t k = 0; k < count; k++) row[index[k]] += value[k];
    for (int64_t j = 0; j < c->variables; j++) row[j] /= c->scale[j];
}

static double row_trace(const double *K, int64_t p, const double *row)
{
    double sum = 0.0;
    for (int64_t j = 0; j < p; j++)
        if (row[j] != 0.0) sum += row[j] * dcpn_dot(p, K + j * p, row);
    return sum;
}

/* Computes tr(S K), where S is of the rows held out. */
static dcpn_status held_out_trace(dcpn_context *context, const struct fold *fold, const double *K, double *trace)
{
    const dcpn_matrix *X = fold->source->X;
    int64_t p = X->columns;
    double total = 0.0, sum = 0.0;
    int64_t *index = dcpn_allocate(context, (size_t)p, sizeof *index);
    double *space = dcpn_allocate(context, 2 * (size_t)p, sizeof *space);
    dcpn_status status = index && space ? DCPN_OK : DCPN_MEMORY;
    for (int64_t i = 0; status == DCPN_OK && i < X->rows; i++) {
        if (fold->out[i] == 0.0) continue;
        take_row(X, &fold->train, i, index, space, space + p);
        sum += fold->out[i] * row_trace(K, p, space + p);
        total += fold->out[i];
    }
    dcpn_free(context, index);
    dcpn_free(context, space);
    *trace = sum / total;
    return status;
}

/* Computes -log det K + tr(S K), where S is of the rows held out, in the units of the data. */
static dcpn_status held_out_value(const struct graph_fit *fit, const struct fold *fold, const struct graph_point *point,
                                  double *value)
{
    const struct covariance *c = &fold->train;
    double inside = 0.0, outside, scales = 0.0;
    for (int64_t i = 0; i < c->variables; i++) {
        inside += dcpn_dot(c->variables, c->S + i * c->variables, fit->K + i * c->variables);
        scales += log(c->scale[i]);
    }
    DCPN_TRY(held_out_trace(fit->context, fold, fit->K, &outside));
    *value = point->likelihood - inside + outside + 2.0 * scales;
    return DCPN_OK;
}

static dcpn_status follow(struct graph_fit *fit, const struct fold *fold, const dcpn_graphs *graphs, double *values)
{
    for (int64_t k = 0; k < graphs->count; k++) {
        struct graph_point point;
        if (dcpn_is_interrupted(fit->context)) return DCPN_OK;
        DCPN_TRY(dcpn_graph_fit_at(fit, graphs->points[k].lambda, &point));
        if (point.outcome == DCPN_INTERRUPTED) return DCPN_OK;
        DCPN_TRY(held_out_value(fit, fold, &point, &values[k]));
    }
    return DCPN_OK;
}

static dcpn_status run_fold(dcpn_context *context, struct fold *fold, const dcpn_settings *s,
                            const dcpn_graph_options *options, const dcpn_graphs *graphs, double *values)
{
    struct graph_fit fit = {0};
    dcpn_status status = dcpn_covariance_new(context, fold->source, fold->in, s->standardize, &fold->train);
    if (status == DCPN_OK) status = dcpn_graph_fit_new(context, &fold->train, s, options, &fit);
    if (status == DCPN_OK) status = dcpn_graph_check_bounded(&fit, " of the rows of a fold");
    if (status == DCPN_OK) status = follow(&fit, fold, graphs, values);
    dcpn_graph_fit_free(&fit);
    dcpn_covariance_free(context, &fold->train);
    return status;
}

/* values: folds x count; NaN where the work was cut short. */
static void summarize(int64_t folds, const double *values, dcpn_graphs *graphs)
{
    for (int64_t k = 0; k < graphs->count; k++) {
        double sum = 0.0, squares = 0.0, n = (double)folds;
        for (int64_t fold = 0; fold < folds; fold++) sum += values[fold * graphs->count + k];
        for (int64_t fold = 0; fold < folds; fold++) {
            double off = values[fold * graphs->count + k] - sum / n;
            squares += off * off;
        }
        graphs->points[k].cv_mean = sum / n;
        graphs->points[k].cv_se = sqrt(squares / (n - 1.0) / n);
        if (isnan(sum)) graphs->is_complete = 0;
    }
}

static double weight_of(const dcpn_graph_source *source, int64_t i)
{
    return source->weights ? source->weights[i] : 1.0;
}

static dcpn_status run_folds(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options,
                             int64_t folds, const int64_t *place, double *weights, double *values, dcpn_graphs *graphs)
{
    int64_t rows = source->X->rows;
    for (int64_t k = 0; k < folds; k++) {
        struct fold fold = {.source = source, .in = weights, .out = weights + rows};
        for (int64_t i = 0; i < rows; i++) {
            int is_out = place[i] % folds == k;
            weights[i] = is_out ? 0.0 : weight_of(source, i);
            weights[rows + i] = is_out ? weight_of(source, i) : 0.0;
        }
        DCPN_TRY(run_fold(graphs->context, &fold, s, options, graphs, values + k * graphs->count));
    }
    summarize(folds, values, graphs);
    return DCPN_OK;
}

dcpn_status dcpn_graph_cross_validate(const dcpn_graph_source *source, const dcpn_settings *s,
                                      const dcpn_graph_options *options, dcpn_graphs *graphs)
{
    dcpn_context *context = graphs->context;
    size_t rows = (size_t)source->X->rows;
    int64_t folds = options->folds ? options->folds : rows < GRAPH_FOLDS ? (int64_t)rows : GRAPH_FOLDS;
    int64_t *place = dcpn_allocate(context, rows, sizeof *place);
    double *weights = dcpn_allocate(context, 2 * rows, sizeof *weights);
    double *values = dcpn_allocate(context, (size_t)(folds * graphs->count), sizeof *values);
    dcpn_status status = place && weights && values ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        deal(source->X->rows, options->seed, place);
        dcpn_fill(folds * graphs->count, (double)NAN, values);
        status = run_folds(source, s, options, folds, place, weights, values, graphs);
    }
    dcpn_free(context, place);
    dcpn_free(context, weights);
    dcpn_free(context, values);
    return status;
}

/* ---- stability ---- */

static void count_edges(const double *K, int64_t p, const struct graph_point *chosen, double share, double *frequency)
{
    for (int64_t e = 0; e < chosen->edges; e++)
        if (K[chosen->first[e] * p + chosen->second[e]] != 0.0) frequency[e] += share;
}

static dcpn_status fit_half(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options,
                            const double *weights, dcpn_graphs *graphs)
{
    struct covariance covariance;
    struct graph_fit fit = {0};
    struct graph_point point, *chosen = &graphs->points[graphs->chosen];
    dcpn_status status = dcpn_covariance_new(graphs->context, source, weights, s->standardize, &covariance);
    if (status == DCPN_OK) status = dcpn_graph_fit_new(graphs->context, &covariance, s, options, &fit);
    if (status == DCPN_OK) fit.settings.lambda = chosen->lambda;
    if (status == DCPN_OK) status = dcpn_graph_check_bounded(&fit, " of half of the rows");
    if (status == DCPN_OK) status = dcpn_graph_fit_at(&fit, chosen->lambda, &point);
    if (status == DCPN_OK)
        count_edges(fit.K, graphs->variables, chosen, 1.0 / (double)options->subsamples, graphs->stability);
    dcpn_graph_fit_free(&fit);
    dcpn_covariance_free(graphs->context, &covariance);
    return status;
}

static dcpn_status fit_halves(const dcpn_graph_source *source, const dcpn_settings *s,
                              const dcpn_graph_options *options, int64_t *place, double *weights, dcpn_graphs *graphs)
{
    for (int64_t k = 0; k < options->subsamples; k++) {
        if (dcpn_is_interrupted(graphs->context)) {
            dcpn_free(graphs->context, graphs->stability);
            graphs->stability = NULL;
            graphs->is_complete = 0;
            return DCPN_OK;
        }
        deal(source->X->rows, options->seed + (uint64_t)k + 1, place);
        for (int64_t i = 0; i < source->X->rows; i++)
            weights[i] = 2 * place[i] < source->X->rows ? weight_of(source, i) : 0.0;
        DCPN_TRY(fit_half(source, s, options, weights, graphs));
    }
    return DCPN_OK;
}

dcpn_status dcpn_graph_subsample(const dcpn_graph_source *source, const dcpn_settings *s,
                                 const dcpn_graph_options *options, dcpn_graphs *graphs)
{
    dcpn_context *context = graphs->context;
    size_t rows = (size_t)source->X->rows;
    int64_t edges = graphs->points[graphs->chosen].edges, *place = dcpn_allocate(context, rows, sizeof *place);
    double *weights = dcpn_allocate(context, rows, sizeof *weights);
    graphs->stability = dcpn_allocate(context, (size_t)edges, sizeof *graphs->stability);
    dcpn_status status = place && weights && graphs->stability ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        dcpn_fill(edges, 0.0, graphs->stability);
        status = fit_halves(source, s, options, place, weights, graphs);
    }
    dcpn_free(context, place);
    dcpn_free(context, weights);
    return status;
}
