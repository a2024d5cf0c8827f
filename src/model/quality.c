/* SPDX-License-Identifier: BSD-3-Clause */
/* How good the scores of a model are on rows with known labels. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "dcpn/model.h"
#include "selection/measure.h"

/* The rows with a label, each of weight 1: y is -1 or +1 for classes. */
struct known_rows {
    double *y, *score, *weight, *sorted;
    int64_t *order; /* room for the measure, as `sorted` */
    int64_t count;
};

static dcpn_status allocate_rows(dcpn_context *context, int64_t rows, struct known_rows *known)
{
    double *numbers = dcpn_allocate(context, (size_t)rows, 4 * sizeof *numbers);
    *known = (struct known_rows){.y = numbers};
    if (!numbers) return DCPN_MEMORY;
    known->score = numbers + rows;
    known->weight = numbers + 2 * rows;
    known->sorted = numbers + 3 * rows;
    known->order = dcpn_allocate(context, (size_t)rows, sizeof *known->order);
    return known->order ? DCPN_OK : DCPN_MEMORY;
}

static void add_row(struct known_rows *known, double y, double score)
{
    known->y[known->count] = y;
    known->score[known->count] = score;
    known->weight[known->count++] = 1.0;
}

static void measure(dcpn_targets targets, const char *name, const struct known_rows *known, double *value)
{
    const struct measured_rows rows = {.loss = {.rows = known->count, .y = known->y, .w = known->weight},
                                       .sorted = known->sorted};
    const struct measure *measures;
    int count = dcpn_measures_of(targets, &measures);
    for (int m = 0; m < count; m++)
        if (strcmp(measures[m].name, name) == 0) *value = measures[m].of(&rows, known->score, known->order);
}

/* Is a 0 no label? It is none to classes -1 and +1 if there are labels of both beside it; a fit sees it in the same
 * way. */
static int zero_is_none(const dcpn_model *model, const double *labels, int64_t rows)
{
    return !model->labels.names && model->labels.count == 2 && model->labels.numbers[0] == -1.0 &&
           model->labels.numbers[1] == 1.0 && dcpn_zero_is_no_label(labels, rows);
}

static void measure_classes(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                            struct known_rows *known, dcpn_quality *quality)
{
    int is_halved = zero_is_none(model, labels, rows);
    int64_t right = 0;
    for (int64_t i = 0; i < rows; i++) {
        if (isnan(labels[i]) || (is_halved && labels[i] == 0.0)) continue;
        int is_positive = labels[i] == model->labels.numbers[1];
        if (!is_positive && labels[i] != model->labels.numbers[0]) {
            quality->stranger = i;
            return;
        }
        add_row(known, is_positive ? 1.0 : -1.0, scores[i]);
        right += (scores[i] > 0.0) == is_positive;
    }
    quality->rows = known->count;
    if (!known->count) return;
    quality->accuracy = (double)right / (double)known->count;
    measure(DCPN_CLASSES, "auc", known, &quality->auc);
}

static void measure_numbers(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                            struct known_rows *known, dcpn_quality *quality)
{
    double mean = 0.0, total = 0.0;
    for (int64_t i = 0; i < rows; i++)
        if (!isnan(labels[i])) add_row(known, labels[i], dcpn_model_label(model, scores[i]));
    quality->rows = known->count;
    if (!known->count) return;
    /* counted from the first one, so that equal labels vary by 0 and not by a rounding error */
    for (int64_t i = 0; i < known->count; i++) mean += (known->y[i] - known->y[0]) / (double)known->count;
    for (int64_t i = 0; i < known->count; i++) total += pow(known->y[i] - known->y[0] - mean, 2.0);
    measure(DCPN_NUMBERS, "mse", known, &quality->mse);
    if (total > 0.0) quality->r2 = 1.0 - quality->mse * (double)known->count / total;
}

/* ---- several responses ---- */

static void measure_responses(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                              struct known_rows *known, dcpn_quality *quality)
{
    double mse = 0.0, r2 = 0.0, responses = (double)model->scores;
    for (int64_t k = 0; k < model->scores; k++) {
        known->count = 0;
        quality->mse = quality->r2 = NAN;
        measure_numbers(model, labels + k * rows, scores + k * rows, rows, known, quality);
        mse += quality->mse / responses;
        r2 += quality->r2 / responses;
    }
    quality->mse = mse;
    quality->r2 = r2;
}

/* ---- many classes, a score for each ---- */

/* The position of a class; -1: it is none of the model's. */
static int64_t class_at(const dcpn_model *model, double label)
{
    for (int64_t k = 0; k < model->labels.count; k++)
        if (model->labels.numbers[k] == label) return k;
    return -1;
}

static dcpn_status measure_many(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                                dcpn_quality *quality)
{
    double *p = dcpn_allocate(model->context, (size_t)(model->labels.count * rows), sizeof *p);
    double right = 0.0, sum = 0.0;
    dcpn_status status = p ? dcpn_model_probabilities(model, scores, rows, p) : DCPN_MEMORY;
    for (int64_t i = 0; i < rows && status == DCPN_OK && quality->stranger < 0; i++) {
        if (isnan(labels[i])) continue;
        int64_t own = class_at(model, labels[i]), best = 0;
        if (own < 0) quality->stranger = i;
        for (int64_t k = 1; k < model->labels.count && !model->labels.are_ordered; k++)
            if (scores[k * rows + i] > scores[best * rows + i]) best = k;
        if (model->labels.are_ordered) best = class_at(model, dcpn_model_label(model, scores[i]));
        right += best == own;
        if (own >= 0) sum -= log(p[own * rows + i]);
        quality->rows++;
    }
    dcpn_free(model->context, p);
    if (quality->stranger >= 0) quality->rows = 0;
    if (status != DCPN_OK || !quality->rows) return status;
    quality->accuracy = right / (double)quality->rows;
    quality->deviance = 2.0 * sum / (double)quality->rows;
    return DCPN_OK;
}

dcpn_status dcpn_model_count_right(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                                   int64_t *of_class, int64_t *right)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, labels, scores, of_class, right);
    double *found = dcpn_allocate(model->context, (size_t)rows, sizeof *found);
    dcpn_status status = found ? dcpn_model_labels(model, scores, rows, found) : DCPN_MEMORY;
    for (int64_t k = 0; k < model->labels.count; k++) of_class[k] = right[k] = 0;
    for (int64_t i = 0; i < rows && status == DCPN_OK; i++) {
        int64_t own = class_at(model, labels[i]);
        if (own < 0) continue;
        of_class[own]++;
        right[own] += found[i] == labels[i];
    }
    dcpn_free(model->context, found);
    return status;
}

dcpn_status dcpn_model_quality(const dcpn_model *model, const double *labels, const double *scores, int64_t rows,
                               dcpn_quality *quality)
{
    struct known_rows known;
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, labels, scores, quality);
    *quality = (dcpn_quality){.stranger = -1, .accuracy = NAN, .auc = NAN, .deviance = NAN, .mse = NAN, .r2 = NAN};
    if ((model->scores > 1 && !model->labels.are_responses) || model->labels.are_ordered)
        return measure_many(model, labels, scores, rows, quality);
    dcpn_status status = allocate_rows(model->context, rows, &known);
    if (status == DCPN_OK && model->labels.are_responses)
        measure_responses(model, labels, scores, rows, &known, quality);
    else if (status == DCPN_OK && model->labels.count)
        measure_classes(model, labels, scores, rows, &known, quality);
    else if (status == DCPN_OK)
        measure_numbers(model, labels, scores, rows, &known, quality);
    dcpn_free(model->context, known.y);
    dcpn_free(model->context, known.order);
    return status;
}
