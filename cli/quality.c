/* SPDX-License-Identifier: BSD-3-Clause */
/* How good predictions are: accuracy, AUC, mean squared error, R2. */
#include "quality.h"

#include <math.h>
#include <stdlib.h>

struct scored {
    double score;
    int positive;
};

static int same(double a, double b)
{
    return !(a < b) && !(a > b);
}

int64_t dcpn_cli_quality_stranger(const double *labels, int64_t rows, const double classes[2])
{
    for (int64_t i = 0; i < rows; i++)
        if (!same(labels[i], classes[0]) && !same(labels[i], classes[1])) return i;
    return -1;
}

static double accuracy_of(const dcpn_model *model, const double *labels, const double *scores, int64_t rows)
{
    int64_t right = 0;
    for (int64_t i = 0; i < rows; i++) right += same(dcpn_model_label(model, scores[i]), labels[i]);
    return (double)right / (double)rows;
}

static int by_score(const void *left, const void *right)
{
    double a = ((const struct scored *)left)->score, b = ((const struct scored *)right)->score;
    return (a > b) - (a < b);
}

/* The share of the pairs (negative, positive) in which the positive row has the higher score; ties count half. Rows are
 * sorted by score; a tie is a run of equal ones. */
static double auc_of(const struct scored *sorted, int64_t rows)
{
    double negatives = 0.0, positives = 0.0, pairs = 0.0;
    for (int64_t begin = 0, end; begin < rows; begin = end) {
        double tied[2] = {0.0, 0.0};
        for (end = begin; end < rows && same(sorted[end].score, sorted[begin].score); end++)
            tied[sorted[end].positive] += 1.0;
        pairs += tied[1] * (negatives + 0.5 * tied[0]);
        negatives += tied[0];
        positives += tied[1];
    }
    return negatives > 0.0 && positives > 0.0 ? pairs / (negatives * positives) : (double)NAN;
}

int dcpn_cli_quality_of_classes(const struct cli *cli, const dcpn_model *model, const double *labels,
                                const double *scores, int64_t rows, struct class_quality *quality)
{
    struct scored *sorted = dcpn_cli_allocate(cli, rows, sizeof *sorted);
    if (!sorted) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < rows; i++) sorted[i] = (struct scored){scores[i], same(labels[i], model->classes[1])};
    qsort(sorted, (size_t)rows, sizeof *sorted, by_score);
    quality->auc = auc_of(sorted, rows);
    quality->accuracy = accuracy_of(model, labels, scores, rows);
    free(sorted);
    return 0;
}

struct number_quality dcpn_cli_quality_of_numbers(const double *labels, const double *scores, int64_t rows)
{
    double mean = 0.0, residual = 0.0, total = 0.0;
    for (int64_t i = 0; i < rows; i++) mean += labels[i] / (double)rows;
    for (int64_t i = 0; i < rows; i++) {
        residual += (labels[i] - scores[i]) * (labels[i] - scores[i]);
        total += (labels[i] - mean) * (labels[i] - mean);
    }
    return (struct number_quality){residual / (double)rows, total > 0.0 ? 1.0 - residual / total : (double)NAN};
}
