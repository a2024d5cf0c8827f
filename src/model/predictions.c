/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model says of data: scores, labels and probabilities. */
#include <math.h>

#include "base/context.h"
#include "base/elementary.h"
#include "base/vector.h"
#include "loss/loss.h"
#include "model/model.h"
#include "path/path.h"
#include "settings/registry.h"

int64_t dcpn_model_count_features(const dcpn_model *model)
{
    if (!model) return 0;
    return model->scores == 1 ? model->nonzeros : dcpn_count_distinct(model->index, model->nonzeros, model->features);
}

dcpn_status dcpn_model_widen(dcpn_model *model, int64_t features)
{
    DCPN_NEED(NULL, model);
    if (features < model->features)
        return dcpn_fail(model->context, DCPN_USAGE, "model: found %lld features, expected at least its own %lld",
                         (long long)features, (long long)model->features);
    for (int64_t k = 0; k < model->nonzeros; k++)
        model->index[k] += model->index[k] / model->features * (features - model->features);
    model->features = features;
    return DCPN_OK;
}

/* The coefficients of score k, from the next one on, as one number a column. */
static void expand_score(const dcpn_model *model, int64_t k, int64_t columns, int64_t *next, double *x)
{
    dcpn_fill(columns, 0.0, x);
    for (; *next < model->nonzeros && model->index[*next] / model->features == k; ++*next) {
        int64_t j = model->index[*next] - k * model->features;
        if (j < columns) x[j] = model->value[*next];
    }
}

dcpn_status dcpn_model_scores(const dcpn_model *model, const dcpn_matrix *A, const double *offset, double *scores)
{
    return dcpn_model_scores_from(model, A, 1, offset, scores);
}

dcpn_status dcpn_model_scores_from(const dcpn_model *model, const dcpn_matrix *A, int64_t count, const double *offsets,
                                   double *scores)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, A, scores);
    int64_t rows = dcpn_matrix_rows(A), columns = dcpn_matrix_columns(A);
    if (columns > model->features)
        return dcpn_fail(model->context, DCPN_DATA,
                         "the data have %lld features, expected at most the %lld of the model; fit the model with "
                         "--features %lld to "
                         "tell it of features that its own data lack",
                         (long long)columns, (long long)model->features, (long long)columns);
    if (offsets && count != 1 && count != model->scores)
        return dcpn_fail(model->context, DCPN_DATA, "offsets: found %lld a row, expected %s%lld of the model",
                         (long long)count, model->scores > 1 ? "1 or the " : "the ", (long long)model->scores);
    double *x = dcpn_allocate(model->context, (size_t)columns, sizeof *x);
    if (!x) return DCPN_MEMORY;
    for (int64_t k = 0, next = 0; k < model->scores; k++) {
        double *of_k = scores + k * rows, intercept = model->intercepts ? model->intercepts[k] : model->intercept;
        expand_score(model, k, columns, &next, x);
        dcpn_matrix_apply(A, x, of_k);
        const double *offset = offsets && count > 1 ? offsets + k * rows : offsets;
        for (int64_t i = 0; i < rows; i++) of_k[i] += intercept + (offset ? offset[i] : 0.0);
    }
    dcpn_free(model->context, x);
    return DCPN_OK;
}

/* The most probable of ordered classes, the first one if several are equal. */
static double ordered_label(const dcpn_model *model, double score)
{
    const double *b = model->intercepts ? model->intercepts : &model->intercept;
    double best = -HUGE_VAL, label = model->labels.numbers[0];
    for (int64_t k = 0; k < model->labels.count; k++) {
        double share = dcpn_ordinal_log_share(model->labels.count, b, score - b[0], k);
        if (!(share > best)) continue;
        best = share;
        label = model->labels.numbers[k];
    }
    return label;
}

double dcpn_model_label(const dcpn_model *model, double score)
{
    if (!model) return (double)NAN;
    int are_responses = model->labels.are_responses;
    if (model->scores > 1 && !are_responses) return (double)NAN;
    if (model->labels.are_ordered) return ordered_label(model, score);
    if (model->labels.count && !are_responses) return model->labels.numbers[score > 0.0];
    const dcpn_loss_ops *loss = model->settings.loss ? dcpn_find_loss(model->settings.loss) : NULL;
    return loss && loss->response.mean ? loss->response.mean(score) : score;
}

/* The first score of the largest ones. */
static int64_t largest_score(const dcpn_model *model, const double *scores, int64_t rows, int64_t row)
{
    int64_t best = 0;
    for (int64_t k = 1; k < model->scores; k++)
        if (scores[k * rows + row] > scores[best * rows + row]) best = k;
    return best;
}

dcpn_status dcpn_model_labels(const dcpn_model *model, const double *scores, int64_t rows, double *labels)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, scores, labels);
    DCPN_TRY(dcpn_need_size(model->context, "rows", rows));
    int64_t responses = model->labels.are_responses ? model->scores : 0;
    for (int64_t i = 0; i < responses * rows; i++) labels[i] = dcpn_model_label(model, scores[i]);
    for (int64_t i = 0; i < rows && !responses; i++)
        labels[i] = model->scores > 1 ? model->labels.numbers[largest_score(model, scores, rows, i)]
                                      : dcpn_model_label(model, scores[i]);
    return DCPN_OK;
}

dcpn_status dcpn_model_probability(const dcpn_model *model, double score, double *probability)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, probability);
    if (model->scores > 1 || model->labels.are_ordered)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "probability: found room for one, expected one for each of %lld classes; use "
                         "dcpn_model_probabilities",
                         (long long)model->labels.count);
    return dcpn_model_probabilities(model, &score, 1, probability);
}

static dcpn_status shares_of_rows(const dcpn_model *model, const dcpn_loss_ops *ops, const double *scores, int64_t rows,
                                  double *probabilities)
{
    double *ones = dcpn_allocate(model->context, (size_t)rows, sizeof *ones);
    if (!ones) return DCPN_MEMORY;
    dcpn_fill(rows, 1.0, ones);
    const dcpn_loss loss = {.ops = ops, .rows = rows, .width = model->scores, .y = ones, .w = ones};
    ops->shares(&loss, 0, rows, scores, probabilities);
    dcpn_free(model->context, ones);
    return DCPN_OK;
}

static void ordered_probabilities(const dcpn_model *model, const double *scores, int64_t rows, double *probabilities)
{
    const double *b = model->intercepts ? model->intercepts : &model->intercept;
    for (int64_t k = 0; k < model->labels.count; k++)
        for (int64_t i = 0; i < rows; i++)
            probabilities[k * rows + i] =
                portable_exp(dcpn_ordinal_log_share(model->labels.count, b, scores[i] - b[0], k));
}

dcpn_status dcpn_model_probabilities(const dcpn_model *model, const double *scores, int64_t rows, double *probabilities)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, scores, probabilities);
    DCPN_TRY(dcpn_need_size(model->context, "rows", rows));
    const dcpn_loss_ops *loss = dcpn_find_loss(model->settings.loss);
    if (model->labels.are_ordered) {
        ordered_probabilities(model, scores, rows, probabilities);
        return DCPN_OK;
    }
    if (!loss || !(model->scores > 1 ? loss->shares != NULL : loss->response.probability != NULL))
        return dcpn_fail(model->context, DCPN_USAGE,
                         "the loss %s has no probabilities; use scores or labels, or fit "
                         "with --loss logistic",
                         model->settings.loss);
    if (model->scores > 1) return shares_of_rows(model, loss, scores, rows, probabilities);
    for (int64_t i = 0; i < rows; i++) probabilities[i] = loss->response.probability(scores[i]);
    return DCPN_OK;
}
