/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix completion: one call, and what it gives. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "settings/registry.h"
#include "structured/completion.h"

static dcpn_status check(dcpn_context *context, const dcpn_settings *s, const dcpn_complete_options *o)
{
    DCPN_TRY(dcpn_settings_check(context, s));
    if (!dcpn_find_penalty(s->penalty)->prox)
        return dcpn_fail(context, DCPN_USAGE, "penalty %s: its prox is not known, which singular values need",
                         s->penalty);
    if (!(s->lambda > 0.0) && o->lambda_count == 0)
        return dcpn_fail(context, DCPN_USAGE,
                         "--lambda: found %g, expected a number above 0: without a penalty the entries that are not "
                         "seen can be anything",
                         s->lambda);
    if (!(o->sparse_lambda >= 0.0) || !isfinite(o->sparse_lambda) || o->most_rank < 0 || o->lambda_count < 0)
        return dcpn_fail(context, DCPN_USAGE,
                         "sparse lambda %g, most rank %lld, %lld lambdas: expected finite numbers of at least 0",
                         o->sparse_lambda, (long long)o->most_rank, (long long)o->lambda_count);
    if (o->sparse_penalty && (!dcpn_find_penalty(o->sparse_penalty) || !dcpn_find_penalty(o->sparse_penalty)->prox))
        return dcpn_fail(context, DCPN_USAGE, "sparse penalty: found '%s', expected the name of a penalty",
                         o->sparse_penalty);
    if (!(o->held_out >= 0.0) || o->held_out >= 1.0 || !(o->min_ratio >= 0.0) || o->min_ratio >= 1.0)
        return dcpn_fail(context, DCPN_USAGE, "held out %g, least lambda %g of the largest: expected shares below 1",
                         o->held_out, o->min_ratio);
    for (int64_t k = 0; o->lambdas && k < o->lambda_count; k++)
        if (!(o->lambdas[k] > 0.0) || !isfinite(o->lambdas[k]) || (k > 0 && o->lambdas[k] >= o->lambdas[k - 1]))
            return dcpn_fail(context, DCPN_USAGE, "lambdas: found %g at place %lld, expected falling numbers above 0",
                             o->lambdas[k], (long long)k + 1);
    return DCPN_OK;
}

static double mean_of(const dcpn_entries *entries)
{
    double sum = 0.0;
    for (int64_t e = 0; e < entries->count; e++) sum += entries->value[e] / (double)entries->count;
    return sum;
}

/* ---- what is handed out ---- */

static dcpn_status give_sparse(const struct low_rank *x, dcpn_completion *made)
{
    int64_t count = x->has_sparse ? dcpn_count_nonzeros(x->seen.count, x->sparse) : 0, used = 0;
    made->sparse_row = dcpn_allocate(x->context, (size_t)count, sizeof *made->sparse_row);
    made->sparse_column = dcpn_allocate(x->context, (size_t)count, sizeof *made->sparse_column);
    made->sparse_value = dcpn_allocate(x->context, (size_t)count, sizeof *made->sparse_value);
    if (!made->sparse_row || !made->sparse_column || !made->sparse_value) return DCPN_MEMORY;
    for (int64_t i = 0; count > 0 && i < x->seen.rows; i++)
        for (int64_t e = x->seen.row_start[i]; e < x->seen.row_start[i + 1]; e++) {
            if (x->sparse[e] == 0.0) continue;
            made->sparse_row[used] = i;
            made->sparse_column[used] = x->seen.column_of[e];
            made->sparse_value[used++] = x->sparse[e];
        }
    made->sparse_count = count;
    return DCPN_OK;
}

static dcpn_status give(const struct low_rank *x, dcpn_completion *made)
{
    made->rows = x->seen.rows;
    made->columns = x->seen.columns;
    made->rank = x->rank;
    made->U = dcpn_allocate(x->context, (size_t)(made->rows * x->rank), sizeof *made->U);
    made->V = dcpn_allocate(x->context, (size_t)(made->columns * x->rank), sizeof *made->V);
    made->sigma = dcpn_allocate(x->context, (size_t)x->rank, sizeof *made->sigma);
    if (!made->U || !made->V || !made->sigma) return DCPN_MEMORY;
    dcpn_block_by_rows(made->rows, x->rank, x->U, made->U);
    dcpn_block_by_rows(made->columns, x->rank, x->V, made->V);
    dcpn_copy(x->rank, x->sigma, made->sigma);
    return give_sparse(x, made);
}

/* ---- one call ---- */

static dcpn_status list_lambdas(const dcpn_complete_options *o, double largest, double **lambdas, dcpn_context *context)
{
    double ratio = o->min_ratio > 0.0 ? o->min_ratio : LOW_RANK_MIN_RATIO,
           parts = o->lambda_count > 1 ? (double)(o->lambda_count - 1) : 1.0;
    *lambdas = dcpn_allocate(context, (size_t)o->lambda_count, sizeof **lambdas);
    if (!*lambdas) return DCPN_MEMORY;
    for (int64_t k = 0; k < o->lambda_count; k++)
        (*lambdas)[k] = o->lambdas ? o->lambdas[k] : largest * pow(ratio, (double)k / parts);
    return DCPN_OK;
}

/* All entries at the chosen lambda: the fit is that of this lambda given. */
static dcpn_status fit_at(struct low_rank *x, const dcpn_settings *settings, const dcpn_complete_options *options,
                          double lambda, dcpn_completion *made)
{
    dcpn_settings s = *settings;
    s.lambda = lambda;
    dcpn_low_rank_at(x, &s);
    return dcpn_low_rank_descend(x, &s, options, dcpn_clock_s(), &made->end);
}

static dcpn_status fit_many(struct low_rank *x, const dcpn_entries *entries, const dcpn_settings *s,
                            const dcpn_complete_options *options, double largest, dcpn_completion *made)
{
    double *lambdas;
    int64_t chosen = 0;
    dcpn_status status = list_lambdas(options, largest, &lambdas, x->context);
    if (status == DCPN_OK)
        status =
            dcpn_completion_choose(entries, s, options, made->offset, lambdas, options->lambda_count, made, &chosen);
    if (status == DCPN_OK) status = fit_at(x, s, options, lambdas[chosen], made);
    if (status == DCPN_OK) made->end.held_out_error = made->trials[chosen].error;
    dcpn_free(x->context, lambdas);
    return status;
}

static dcpn_status fit(struct low_rank *x, const dcpn_entries *entries, const dcpn_settings *s,
                       const dcpn_complete_options *options, dcpn_completion *made)
{
    double largest = dcpn_low_rank_lambda_max(x, s), started_at = dcpn_clock_s();
    if (options->lambda_count > 0)
        DCPN_TRY(fit_many(x, entries, s, options, largest, made));
    else
        DCPN_TRY(dcpn_low_rank_descend(x, s, options, started_at, &made->end));
    made->end.lambda_max = largest;
    return give(x, made);
}

dcpn_status dcpn_completion_fit(dcpn_context *context, const dcpn_entries *entries, const dcpn_settings *settings,
                                const dcpn_complete_options *options, dcpn_completion **completion)
{
    const dcpn_settings standard = dcpn_settings_default();
    const dcpn_complete_options none = {0};
    struct low_rank x = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, entries, completion);
    *completion = NULL;
    DCPN_NEED(context, entries->row, entries->column, entries->value);
    if (!settings) settings = &standard;
    if (!options) options = &none;
    DCPN_TRY(check(context, settings, options));
    dcpn_completion *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_completion){.context = context, .penalty = dcpn_find_penalty(settings->penalty)->name};
    made->index_base = options->index_base != 0;
    made->offset = options->center && entries->count > 0 ? mean_of(entries) : 0.0;
    dcpn_status status = dcpn_low_rank_new(context, entries, settings, options, made->offset, &x);
    if (status == DCPN_OK) status = fit(&x, entries, settings, options, made);
    dcpn_low_rank_free(&x);
    made->time_s = dcpn_clock_s() - started_at;
    if (status == DCPN_OK)
        *completion = made;
    else
        dcpn_completion_free(made);
    return status;
}
