/* SPDX-License-Identifier: BSD-3-Clause */
/* How good scores are on rows with known labels: weighted means. */
#include "selection/measure.h"

#include <math.h>

#include "base/reduce.h"
#include "base/sort.h"

#include "loss/survival.h"
#include "selection/concordance.h"

/* A sum over the rows, plain or exact, as they ask for. */
struct sums {
    const struct measured_rows *rows;
    double plain;
    struct full_sum exact;
};

static void begin(struct sums *s, const struct measured_rows *rows)
{
    s->rows = rows;
    s->plain = 0.0;
    if (rows->exact) dcpn_full_clear(&s->exact);
}

static inline void add(struct sums *s, double term)
{
    if (s->rows->exact)
        dcpn_full_add(&s->exact, term);
    else
        s->plain += term;
}

static double total_weight(const dcpn_loss *loss)
{
    double total = 0.0;
    for (int64_t i = 0; i < loss->rows; i++) total += loss->w[i];
    return total;
}

/* A sum of terms over one of weights, which go to the ranks in one message. */
static double exact_ratio(const struct measured_rows *rows, struct full_sum *terms, struct full_sum *weights,
                          double *weight)
{
    int64_t words[2 * FULL_WORDS];
    dcpn_full_pack(terms, words);
    dcpn_full_pack(weights, words + FULL_WORDS);
    dcpn_ranks_sum(rows->context, words, 2 * FULL_WORDS);
    *weight = dcpn_full_value(words + FULL_WORDS);
    return dcpn_full_value(words) / *weight;
}

static double exact_mean(struct sums *s)
{
    const dcpn_loss *loss = &s->rows->loss;
    struct full_sum weights;
    double weight;
    dcpn_full_clear(&weights);
    for (int64_t i = 0; i < loss->rows; i++) dcpn_full_add(&weights, loss->w[i]);
    return exact_ratio(s->rows, &s->exact, &weights, &weight);
}

static double twice_mean(struct sums *s)
{
    return s->rows->exact ? 2.0 * exact_mean(s) : 2.0 * s->plain / total_weight(&s->rows->loss);
}

static double mean(struct sums *s)
{
    return s->rows->exact ? exact_mean(s) : s->plain / total_weight(&s->rows->loss);
}

/* Is any score NaN? Such a score has no rank, and is neither right nor wrong. */
static int has_none(const double *scores, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++)
        if (isnan(scores[i])) return 1;
    return 0;
}

/* Is the measure undefined because a score is NaN? With exact sums the work goes on, since other ranks may have no
 * such score and sum with this one; NaN is added then, so that the sum is NaN on all of them. */
static int is_undefined(struct sums *s, const double *scores)
{
    const dcpn_loss *loss = &s->rows->loss;
    int is_none = has_none(scores, loss->width > 1 ? loss->width * loss->rows : loss->rows);
    if (is_none && s->rows->exact) add(s, (double)NAN);
    return is_none && !s->rows->exact;
}

/* Twice the mean loss: what glmnet calls deviance, of the logistic and the squared loss. As there, a probability counts
 * as no less than 1e-5 and no more than 1 - 1e-5, lest one row that is certain and wrong outweigh all the others. */
static double deviance(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    const double certain = 11.512915464920228; /* log(0.99999 / 0.00001) */
    struct sums s;
    (void)order;
    begin(&s, rows);
    if (is_undefined(&s, scores)) return NAN;
    for (int64_t i = 0; i < loss->rows; i++) {
        dcpn_loss row = *loss;
        double score = loss->ops->response.probability ? fmax(-certain, fmin(certain, scores[i])) : scores[i];
        row.rows = 1;
        row.y = &loss->y[i];
        row.w = &loss->w[i];
        add(&s, loss->ops->value(&row, 0, 1, &score));
        if (loss->ops->response.least) add(&s, -(loss->w[i] * loss->ops->response.least(loss, loss->y[i])));
    }
    return twice_mean(&s);
}

/* A score of 0 belongs to the negative class, as in prediction. */
static double error(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    struct sums s;
    (void)order;
    begin(&s, rows);
    if (is_undefined(&s, scores)) return NAN;
    for (int64_t i = 0; i < loss->rows; i++)
        if ((scores[i] > 0.0) != (loss->y[i] > 0.0)) add(&s, loss->w[i]);
    return mean(&s);
}

/* The weight of the pairs in right order, ties half, over that of all pairs. */
static double auc(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    double positives = 0.0, negatives = 0.0, right = 0.0;
    if (rows->exact) return rows->has_ranking ? dcpn_exact_auc(rows, scores) : (double)NAN;
    if (has_none(scores, loss->rows)) return NAN;
    for (int64_t i = 0; i < loss->rows; i++) {
        order[i] = i;
        rows->sorted[i] = scores[i];
    }
    dcpn_sort_by(rows->sorted, order, loss->rows);
    for (int64_t begin = 0, end; begin < loss->rows; begin = end) {
        double tied_positives = 0.0, tied_negatives = 0.0;
        for (end = begin; end < loss->rows && scores[order[end]] == scores[order[begin]]; end++)
            *(loss->y[order[end]] > 0.0 ? &tied_positives : &tied_negatives) += loss->w[order[end]];
        right += tied_positives * (negatives + 0.5 * tied_negatives);
        positives += tied_positives;
        negatives += tied_negatives;
    }
    return positives > 0.0 && negatives > 0.0 ? right / (positives * negatives) : (double)NAN;
}

static double predicted(const dcpn_loss *loss, double score)
{
    return loss->ops && loss->ops->response.mean ? loss->ops->response.mean(score) : score;
}

static double squared_error(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    struct sums s;
    (void)order;
    begin(&s, rows);
    for (int64_t i = 0; i < loss->rows; i++) {
        double miss = loss->y[i] - predicted(loss, scores[i]);
        add(&s, loss->w[i] * miss * miss);
    }
    return mean(&s);
}

static double absolute_error(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    struct sums s;
    (void)order;
    begin(&s, rows);
    for (int64_t i = 0; i < loss->rows; i++) add(&s, loss->w[i] * fabs(loss->y[i] - predicted(loss, scores[i])));
    return mean(&s);
}

/* ---- many classes: y is the position of the class, scores of class k begin at k rows ---- */

static int64_t called(const dcpn_loss *loss, const double *scores, int64_t i)
{
    int64_t best = 0;
    for (int64_t k = 1; k < loss->width; k++)
        if (scores[k * loss->rows + i] > scores[best * loss->rows + i]) best = k;
    return best;
}

/* -2 times the mean of log p of the class of each row; p counts as no less than 1e-5 and no more than 1 - 1e-5, as
 * above. */
static double deviance_of_many(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    const double least = 1e-5;
    struct sums s;
    (void)order;
    begin(&s, rows);
    if (is_undefined(&s, scores)) return NAN;
    for (int64_t i = 0; i < loss->rows; i++) {
        int64_t best = called(loss, scores, i), own = (int64_t)loss->y[i];
        double top = scores[best * loss->rows + i], whole = 0.0;
        for (int64_t k = 0; k < loss->width; k++) whole += exp(scores[k * loss->rows + i] - top);
        double p = exp(scores[own * loss->rows + i] - top) / whole;
        add(&s, -(loss->w[i] * log(fmax(least, fmin(1.0 - least, p)))));
    }
    return twice_mean(&s);
}

static double error_of_many(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    struct sums s;
    (void)order;
    begin(&s, rows);
    if (is_undefined(&s, scores)) return NAN;
    for (int64_t i = 0; i < loss->rows; i++)
        if ((double)called(loss, scores, i) != loss->y[i]) add(&s, loss->w[i]);
    return mean(&s);
}

/* The share of class k that is called another, and the weight of the class. */
static double error_of_class(const struct measured_rows *rows, const double *scores, int64_t k, double *weight)
{
    const dcpn_loss *loss = &rows->loss;
    struct sums all, wrong;
    begin(&all, rows);
    begin(&wrong, rows);
    for (int64_t i = 0; i < loss->rows; i++) {
        if (loss->y[i] != (double)k) continue;
        add(&all, loss->w[i]);
        if (called(loss, scores, i) != k) add(&wrong, loss->w[i]);
    }
    *weight = all.plain;
    return rows->exact ? exact_ratio(rows, &wrong.exact, &all.exact, weight) : wrong.plain / all.plain;
}

/* The mean over the classes, each counting the same, of the share of its rows that are called another; of the classes
 * that have rows here. */
static double class_error(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    struct sums undefined;
    double sum = 0.0, classes = 0.0;
    (void)order;
    begin(&undefined, rows);
    if (is_undefined(&undefined, scores)) return NAN;
    if (rows->exact) sum = 0.0 * twice_mean(&undefined); /* NaN on all ranks where one has none */
    for (int64_t k = 0; k < rows->loss.width; k++) {
        double weight, share = error_of_class(rows, scores, k, &weight);
        sum += weight > 0.0 ? share : 0.0;
        classes += weight > 0.0;
    }
    return sum / classes;
}

/* ---- times to events ---- */

/* Twice the mean of the partial likelihood of these rows among themselves. NaN: none of them has an event. */
static double deviance_of_times(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    const dcpn_loss *loss = &rows->loss;
    const struct survival *s = loss->user;
    (void)order;
    if (s->count == 0 || has_none(scores, loss->rows)) return NAN;
    return 2.0 * loss->ops->value(loss, 0, loss->rows, scores) / total_weight(loss);
}

static double concordance(const struct measured_rows *rows, const double *scores, int64_t *order)
{
    return has_none(scores, rows->loss.rows) ? (double)NAN : dcpn_concordance(rows, scores, order);
}

static const struct measure of_times[] = {{"deviance", 0, deviance_of_times}, {"concordance", 1, concordance}};
static const struct measure of_many_classes[] = {
    {"deviance", 0, deviance_of_many}, {"error", 0, error_of_many}, {"class-error", 0, class_error}};
static const struct measure of_classes[] = {{"deviance", 0, deviance}, {"error", 0, error}, {"auc", 1, auc}};
static const struct measure of_numbers[] = {
    {"deviance", 0, deviance}, {"mse", 0, squared_error}, {"mae", 0, absolute_error}};

int dcpn_measures_of(dcpn_targets targets, const struct measure **measures)
{
    *measures = targets == DCPN_CLASSES           ? of_classes
                : targets == DCPN_MANY_CLASSES    ? of_many_classes
                : targets == DCPN_ORDERED_CLASSES ? of_many_classes
                : targets == DCPN_SURVIVAL        ? of_times
                                                  : of_numbers;
    return targets == DCPN_SURVIVAL ? 2 : 3;
}
