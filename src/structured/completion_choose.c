/* SPDX-License-Identifier: BSD-3-Clause */
/* One of several lambdas: the one whose X explains entries best that were held out. */
#include <math.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/rng.h"
#include "base/tuning.h"
#include "structured/completion.h"

/* The entries, the fitted ones first and the held-out ones last. */
struct deal {
    int64_t fitted;
    int64_t *row, *column;
    double *value;
};

static dcpn_status deal_out(dcpn_context *context, const dcpn_entries *entries, double share, uint64_t seed,
                            struct deal *deal)
{
    struct rng rng;
    size_t count = (size_t)entries->count;
    int64_t back = entries->count;
    deal->row = dcpn_allocate(context, count, sizeof *deal->row);
    deal->column = dcpn_allocate(context, count, sizeof *deal->column);
    deal->value = dcpn_allocate(context, count, sizeof *deal->value);
    if (!deal->row || !deal->column || !deal->value) return DCPN_MEMORY;
    dcpn_rng_seed(&rng, seed);
    for (int64_t e = 0; e < entries->count; e++) {
        int64_t place = dcpn_rng_uniform(&rng) < share ? --back : deal->fitted++;
        deal->row[place] = entries->row[e];
        deal->column[place] = entries->column[e];
        deal->value[place] = entries->value[e];
    }
    if (deal->fitted == 0 || deal->fitted == entries->count)
        return dcpn_fail(context, DCPN_DATA,
                         "entries seen: found %lld, too few to hold some of them out; expected more, or one lambda",
                         (long long)entries->count);
    return DCPN_OK;
}

static void free_deal(dcpn_context *context, struct deal *deal)
{
    dcpn_free(context, deal->row);
    dcpn_free(context, deal->column);
    dcpn_free(context, deal->value);
}

/* Returns the root of the mean square of y - offset - X over the entries held out. */
static double error_of(const struct low_rank *x, const struct deal *deal, int64_t count, double offset)
{
    double sum = 0.0;
    for (int64_t e = deal->fitted; e < count; e++) {
        double left = deal->value[e] - offset;
        for (int64_t k = 0; k < x->rank; k++)
            left -= x->sigma[k] * x->U[k * x->seen.rows + deal->row[e]] * x->V[k * x->seen.columns + deal->column[e]];
        sum += left * left;
    }
    return sqrt(sum / (double)(count - deal->fitted));
}

static int64_t least_error(const dcpn_completion *made)
{
    int64_t best = 0;
    for (int64_t k = 1; k < made->trial_count; k++)
        if (made->trials[k].error < made->trials[best].error) best = k;
    return best;
}

/* Has the error not been clearly lower for a while? No smaller lambda is tried then, since ranks, and the work with
 * them, grow as lambda falls. */
static int has_settled(const dcpn_completion *made)
{
    int64_t best = 0;
    for (int64_t k = 1; k < made->trial_count; k++)
        if (made->trials[k].error < (1.0 - LOW_RANK_LOWER) * made->trials[best].error) best = k;
    return made->trial_count - 1 - best >= LOW_RANK_PATIENCE;
}

static dcpn_status try_all(struct low_rank *x, const dcpn_settings *settings, const dcpn_complete_options *options,
                           const struct deal *deal, const dcpn_entries *entries, double offset, const double *lambdas,
                           dcpn_completion *made)
{
    dcpn_settings s = *settings;
    double started_at = dcpn_clock_s();
    int64_t wanted = made->trial_count;
    made->trial_count = 0;
    for (int64_t k = 0; k < wanted; k++) {
        struct completion_end end;
        s.lambda = lambdas[k];
        dcpn_low_rank_at(x, &s);
        DCPN_TRY(dcpn_low_rank_descend(x, &s, options, started_at, &end));
        if (end.outcome == DCPN_INTERRUPTED && k > 0) return DCPN_OK;
        made->trials[k] = (struct completion_trial){lambdas[k], error_of(x, deal, entries->count, offset), x->rank};
        if (!isfinite(made->trials[k].error))
            return dcpn_fail(made->context, DCPN_DATA,
                             "the error of the entries held out is not finite; are the entries scaled sensibly?");
        made->trial_count = k + 1;
        if (end.outcome == DCPN_INTERRUPTED || (!options->lambdas && has_settled(made))) return DCPN_OK;
    }
    return DCPN_OK;
}

dcpn_status dcpn_completion_choose(const dcpn_entries *entries, const dcpn_settings *settings,
                                   const dcpn_complete_options *options, double offset, const double *lambdas,
                                   int64_t count, dcpn_completion *made, int64_t *chosen)
{
    struct deal deal = {0};
    struct low_rank x = {0};
    dcpn_context *context = made->context;
    made->trial_count = count;
    made->trials = dcpn_allocate(context, (size_t)count, sizeof *made->trials);
    if (!made->trials) return DCPN_MEMORY;
    dcpn_status status =
        deal_out(context, entries, options->held_out > 0.0 ? options->held_out : 0.1, options->seed, &deal);
    const dcpn_entries fitted = {entries->rows, entries->columns, deal.fitted, deal.row, deal.column, deal.value};
    if (status == DCPN_OK) status = dcpn_low_rank_new(context, &fitted, settings, options, offset, &x);
    if (status == DCPN_OK) status = try_all(&x, settings, options, &deal, entries, offset, lambdas, made);
    if (status == DCPN_OK) *chosen = least_error(made);
    dcpn_low_rank_free(&x);
    free_deal(context, &deal);
    return status;
}
