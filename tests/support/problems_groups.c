/* SPDX-License-Identifier: BSD-3-Clause */
/* Compositions of the scalar penalties, by their definitions. */
#include "support/problems_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static long double label_of(const struct problems_data *data, const dcpn_settings *s, int64_t i)
{
    const double *labels = problems_labels(data, s->loss);
    double low = labels[0];
    if (labels == data->numbers) return labels[i];
    for (int64_t k = 0; k < data->rows; k++) low = fmin(low, labels[k]);
    return labels[i] == low ? -1.0L : 1.0L;
}

/* grad f, the last entry being that of the intercept. */
static void fill_gradient(const struct problems_data *data, const dcpn_settings *s, const double *x, double intercept,
                          long double *gradient)
{
    long double total = 0.0L;
    for (int64_t i = 0; i < data->rows; i++) total += data->weights ? data->weights[i] : 1.0L;
    if (strcmp(s->scale, "mean") != 0) total = 1.0L;
    for (int64_t i = 0; i < data->rows; i++) {
        const double *a = data->A + i * data->columns;
        long double u = intercept + (data->offset ? data->offset[i] : 0.0L);
        for (int64_t j = 0; j < data->columns; j++) u += (long double)a[j] * x[j];
        long double w = (data->weights ? data->weights[i] : 1.0L) / total;
        long double slope = w * problems_loss_slope(s, label_of(data, s, i), u);
        for (int64_t j = 0; j <= data->columns; j++) gradient[j] += slope * (j < data->columns ? a[j] : 1.0L);
    }
    for (int64_t j = 0; j < data->columns; j++) gradient[j] += (long double)s->ridge * x[j];
}

/* How far 0 is from the gradient on a block with the term p(|x_g|), of weight lambda. */
static long double violation(const dcpn_settings *s, long double lambda, const int64_t *g, int64_t size,
                             const double *x, const long double *gradient, long double r)
{
    long double worst = 0.0L;
    for (int side = -1; side <= 1; side += 2) {
        long double slope = lambda > 0.0L ? problems_penalty_slope(s, lambda, r, side) : 0.0L, sum = 0.0L;
        for (int64_t i = 0; i < size; i++) {
            long double left = gradient[g[i]] + (r > 0.0L ? slope * x[g[i]] / r : 0.0L);
            sum += left * left;
        }
        worst = fmaxl(worst, r > 0.0L ? sqrtl(sum) : sqrtl(sum) - slope);
    }
    return worst;
}

static void add_block(const dcpn_settings *s, long double lambda, const int64_t *g, int64_t size, const double *x,
                      const long double *gradient, struct problems_naive *naive)
{
    long double r = 0.0L;
    for (int64_t i = 0; i < size; i++) r += (long double)x[g[i]] * x[g[i]];
    r = sqrtl(r);
    if (lambda > 0.0L) naive->penalty += (double)problems_penalty(s, lambda, r);
    naive->stationarity = fmax(naive->stationarity, (double)violation(s, lambda, g, size, x, gradient, r));
}

static long double factor_of(const struct problems_data *data, int64_t j)
{
    return data->factors ? data->factors[j] : 1.0;
}

static void add_norms(const struct problems_data *data, const dcpn_settings *s, const struct problems_groups *groups,
                      const double *x, const long double *gradient, struct problems_naive *naive)
{
    for (int64_t g = 0; g < groups->count; g++) {
        int64_t size = groups->start[g + 1] - groups->start[g];
        const int64_t *member = groups->member + groups->start[g];
        long double weight = groups->weights ? groups->weights[g] : sqrtl((long double)size);
        if (size == 0) continue;
        add_block(s, s->lambda * weight * factor_of(data, member[0]), member, size, x, gradient, naive);
    }
}

struct problems_naive problems_naive_of_groups(const struct problems_data *data, const dcpn_settings *settings,
                                               const struct problems_groups *groups, const double *x, double intercept)
{
    dcpn_settings unpenalised = *settings;
    unpenalised.lambda = 0.0;
    struct problems_naive naive = problems_naive(data, &unpenalised, x, intercept);
    long double *gradient = problems_memory(data->columns + 1, sizeof *gradient);
    char *grouped = problems_memory(data->columns, 1);
    fill_gradient(data, settings, x, intercept, gradient);
    naive.penalty = 0.0;
    naive.stationarity = settings->intercept ? (double)fabsl(gradient[data->columns]) : 0.0;
    add_norms(data, settings, groups, x, gradient, &naive);
    for (int64_t k = 0; k < groups->start[groups->count]; k++) grouped[groups->member[k]] = 1;
    for (int64_t j = 0; j < data->columns; j++)
        if (!grouped[j]) add_block(settings, settings->lambda * factor_of(data, j), &j, 1, x, gradient, &naive);
    naive.objective += naive.penalty; /* without a penalty it was f */
    free(gradient);
    free(grouped);
    return naive;
}
