/* SPDX-License-Identifier: BSD-3-Clause */
/* Which row is in which fold of a cross-validation, and what the folds weigh. */
#include <math.h>

#include "base/checksum.h"
#include "base/reduce.h"
#include "selection/folds.h"
#include "selection/validation.h"

/* Returns the stratum of a row: its class or, for times to events, whether an event happened. */
static double stratum_of(const struct validation *v, int64_t row)
{
    double y = v->problem->y[row];
    return v->loss->targets == DCPN_SURVIVAL ? (signbit(y) ? 0.0 : 1.0) : y;
}

/* Sets the strata of the rows. Rows without a label are in no fold; all others are in one stratum if classes do not
 * matter. */
dcpn_status dcpn_cv_set_strata(struct validation *v, int by_class)
{
    const dcpn_problem *problem = v->problem;
    int64_t rows = problem->A->rows;
    if (!by_class && !problem->unlabelled && !problem->zero_is_no_label) return DCPN_OK;
    v->strata = dcpn_allocate(v->context, (size_t)rows, sizeof *v->strata);
    if (!v->strata) return DCPN_MEMORY;
    for (int64_t i = 0; i < rows; i++)
        v->strata[i] = !dcpn_has_label(problem, i) ? (double)NAN : by_class ? stratum_of(v, i) : 0.0;
    return DCPN_OK;
}

static int is_in_a_fold(const struct validation *v, int64_t row)
{
    return !v->strata || !isnan(v->strata[row]);
}

static dcpn_status count_rows(const struct validation *v, int64_t repeat)
{
    dcpn_cv *cv = v->cv;
    int64_t rows = v->problem->A->rows, in_each = cv->folds / cv->draw.repeats;
    for (int64_t i = 0; i < rows; i++) {
        int64_t fold = v->fold_of[repeat * rows + i];
        if (!is_in_a_fold(v, i)) continue;
        if (fold < 0 || fold >= in_each)
            return dcpn_fail(v->context, DCPN_DATA, "fold of row %lld: found %lld, expected 0 to %lld",
                             (long long)i + 1, (long long)fold, (long long)in_each - 1);
        fold = v->fold_of[repeat * rows + i] += repeat * in_each;
        cv->sizes[fold]++;
        cv->weights[fold] += v->problem->weights ? v->problem->weights[i] : 1.0;
    }
    return DCPN_OK;
}

static void sum_weights(const struct validation *v, struct full_sum *sums, int64_t *words)
{
    int64_t folds = v->cv->folds, rows = v->problem->A->rows;
    for (int64_t f = 0; f < folds; f++) dcpn_full_clear(&sums[f]);
    for (int64_t k = 0; k < v->cv->draw.repeats * rows; k++)
        dcpn_full_add(&sums[v->fold_of[k]], v->problem->weights ? v->problem->weights[k % rows] : 1.0);
    for (int64_t f = 0; f < folds; f++) dcpn_full_pack(&sums[f], words + f * FULL_WORDS);
    dcpn_ranks_sum(v->context, words, folds * FULL_WORDS);
    for (int64_t f = 0; f < folds; f++) v->cv->weights[f] = dcpn_full_value(words + f * FULL_WORDS);
}

/* Sizes and weights of the folds on all ranks. */
static dcpn_status sum_folds(const struct validation *v)
{
    size_t folds = (size_t)v->cv->folds;
    struct full_sum *sums = dcpn_allocate(v->context, folds, sizeof *sums);
    int64_t *words = dcpn_allocate(v->context, folds, FULL_WORDS * sizeof *words);
    dcpn_status status = sums && words ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        dcpn_ranks_sum(v->context, v->cv->sizes, v->cv->folds);
        sum_weights(v, sums, words);
        status = dcpn_ranks_status(v->context);
    }
    dcpn_free(v->context, sums);
    dcpn_free(v->context, words);
    return status;
}

static dcpn_status check_folds(const struct validation *v)
{
    const dcpn_cv *cv = v->cv;
    for (int64_t r = 0; r < cv->draw.repeats; r++) DCPN_TRY(dcpn_ranks_agree(v->context, count_rows(v, r)));
    if (v->exact) DCPN_TRY(sum_folds(v));
    for (int64_t f = 0; f < cv->folds; f++)
        if (!(cv->weights[f] > 0.0))
            return dcpn_fail(v->context, DCPN_DATA, "fold %lld: found no %srows of a weight above 0, expected some",
                             (long long)f + 1, v->problem->unlabelled ? "labelled " : "");
    return DCPN_OK;
}

/* Draws the folds of one repeat. The first repeat has the same folds as a cross-validation that is not repeated. */
static dcpn_status draw_folds(const struct validation *v, int64_t repeat)
{
    int64_t rows = v->problem->A->rows, in_each = v->cv->folds / v->cv->draw.repeats;
    int64_t *fold_of = v->fold_of + repeat * rows;
    uint64_t seed = v->cv->draw.seed ^ ((uint64_t)repeat * UINT64_C(0x9E3779B97F4A7C15));
    if (!v->exact) return dcpn_folds_draw(v->context, v->strata, rows, in_each, seed, fold_of);
    for (int64_t i = 0; i < rows; i++) fold_of[i] = dcpn_fold_of_row(seed, v->place.first + i, in_each);
    return DCPN_OK;
}

dcpn_status dcpn_cv_set_folds(struct validation *v)
{
    dcpn_cv *cv = v->cv;
    int64_t rows = v->problem->A->rows;
    v->fold_of = dcpn_allocate(v->context, (size_t)(rows * cv->draw.repeats), sizeof *v->fold_of);
    cv->sizes = dcpn_allocate(v->context, (size_t)cv->folds, sizeof *cv->sizes);
    cv->weights = dcpn_allocate(v->context, (size_t)cv->folds, sizeof *cv->weights);
    if (!v->fold_of || !cv->sizes || !cv->weights) return DCPN_MEMORY;
    for (int64_t f = 0; f < cv->folds; f++) {
        cv->sizes[f] = 0;
        cv->weights[f] = 0.0;
    }
    if (v->options->fold_of)
        for (int64_t i = 0; i < rows; i++) v->fold_of[i] = is_in_a_fold(v, i) ? v->options->fold_of[i] : -1;
    else
        for (int64_t r = 0; r < cv->draw.repeats; r++) DCPN_TRY(draw_folds(v, r));
    return check_folds(v);
}

uint64_t dcpn_cv_hash_folds(const struct validation *v)
{
    const int64_t *given = v->options->fold_of;
    int64_t rows = v->problem->A->rows, word = 0;
    if (!given) return 0;
    if (!v->exact) return dcpn_checksum(given, (size_t)rows * sizeof *given);
    for (int64_t i = 0; i < rows; i++) {
        const double row[] = {(double)given[i], v->problem->y[i]};
        word = (int64_t)((uint64_t)word + dcpn_checksum(row, sizeof row));
    }
    dcpn_ranks_sum(v->context, &word, 1);
    return (uint64_t)word;
}
