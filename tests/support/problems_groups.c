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
    if (labels != data->classes) return labels[i];
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

/* A slope of F at x_j; 0 where x_j could only follow it out of the bounds. */
static long double within(const struct problems_box *box, int64_t j, double x, long double slope)
{
    int is_low = box->lower && x <= box->lower[j], is_high = box->upper && x >= box->upper[j];
    return (is_low && slope > 0.0L) || (is_high && slope < 0.0L) ? 0.0L : slope;
}

/* How far 0 is from the gradient on a block with the term p(|x_g|), of weight lambda. */
static long double violation(const dcpn_settings *s, long double lambda, const struct problems_box *box,
                             const int64_t *g, int64_t size, const double *x, const long double *gradient,
                             long double r)
{
    long double worst = 0.0L;
    for (int side = -1; side <= 1; side += 2) {
        long double slope = lambda > 0.0L ? problems_penalty_slope(s, lambda, r, side) : 0.0L, sum = 0.0L;
        for (int64_t i = 0; i < size; i++) {
            long double left = gradient[g[i]] + (r > 0.0L ? slope * x[g[i]] / r : 0.0L);
            left = within(box, g[i], x[g[i]], left);
            sum += left * left;
        }
        worst = fmaxl(worst, r > 0.0L ? sqrtl(sum) : sqrtl(sum) - slope);
    }
    return worst;
}

static long double factor_of(const struct problems_data *data, int64_t j)
{
    return data->factors ? data->factors[j] : 1.0;
}

/* A group, and what is added to. */
struct view {
    const struct problems_data *data;
    const dcpn_settings *settings, *inner; /* inner: with the penalty of coefficients */
    const struct problems_box *box;
    const int64_t *member;
    int64_t size;
    long double weight;
    const double *x;
    const long double *gradient;
    struct problems_naive *naive;
    long double *slopes; /* sum: p_g'(s_g / e_g) added up over the groups of a feature, from the left and the right */
};

static long double norm_of(const struct view *g)
{
    long double r = 0.0L;
    for (int64_t i = 0; i < g->size; i++) r += (long double)g->x[g->member[i]] * g->x[g->member[i]];
    return sqrtl(r);
}

static void add_norm(const struct view *g)
{
    long double r = norm_of(g), lambda = g->settings->lambda * g->weight * factor_of(g->data, g->member[0]);
    if (lambda > 0.0L) g->naive->penalty += (double)problems_penalty(g->settings, lambda, r);
    g->naive->stationarity =
        fmax(g->naive->stationarity,
             (double)violation(g->settings, lambda, g->box, g->member, g->size, g->x, g->gradient, r));
}

static long double slope_or_0(const dcpn_settings *s, long double lambda, long double t, int side)
{
    return lambda > 0.0L ? problems_penalty_slope(s, lambda, t, side) : 0.0L;
}

/* mix p(|x_j|) and (1 - mix) p(|x_g|) */
static void add_sparse(const struct view *g)
{
    const dcpn_settings *s = g->settings;
    long double r = norm_of(g), whole = s->lambda * (1.0L - s->mix) * g->weight, worst = 0.0L;
    if (whole > 0.0L) g->naive->penalty += (double)problems_penalty(s, whole, r);
    for (int side = -1; side <= 1; side += 2) {
        long double sum = 0.0L, slope = slope_or_0(s, whole, r, r > 0.0L ? side : 1);
        for (int64_t i = 0; i < g->size; i++) {
            int64_t j = g->member[i];
            long double own = s->lambda * s->mix * factor_of(g->data, j), x = g->x[j], left;
            if (side > 0 && own > 0.0L) g->naive->penalty += (double)problems_penalty(g->inner, own, fabsl(x));
            long double pull = slope_or_0(g->inner, own, fabsl(x), x != 0.0L ? side : 1);
            left = x == 0.0L ? fmaxl(fabsl(within(g->box, j, 0.0, g->gradient[j])) - pull, 0.0L)
                             : fabsl(g->gradient[j] + copysignl(pull, x) + slope * x / r);
            sum += left * left;
        }
        worst = fmaxl(worst, r > 0.0L ? sqrtl(sum) : sqrtl(sum) - slope);
    }
    g->naive->stationarity = fmax(g->naive->stationarity, (double)worst);
}

/* rho(t), of slope 1 at 0, and its slope */
static long double rho(const struct view *g, long double t)
{
    if (g->inner == g->settings) return t;
    return problems_penalty(g->inner, g->inner->lambda, t) /
           problems_penalty_slope(g->inner, g->inner->lambda, 0.0L, 1);
}

static long double rho_slope(const struct view *g, long double t, int side)
{
    if (g->inner == g->settings || t == 0.0L) return 1.0L;
    return problems_penalty_slope(g->inner, g->inner->lambda, t, side) /
           problems_penalty_slope(g->inner, g->inner->lambda, 0.0L, 1);
}

static void add_sum(const struct view *g)
{
    long double lambda = g->settings->lambda * g->weight, sum = 0.0L;
    long double extent = g->inner == g->settings ? 1.0L : 0.5L * g->size;
    for (int64_t i = 0; i < g->size; i++)
        sum += factor_of(g->data, g->member[i]) * rho(g, fabsl((long double)g->x[g->member[i]]));
    if (!(lambda > 0.0L)) return;
    g->naive->penalty += (double)(extent * problems_penalty(g->settings, lambda, sum / extent));
    for (int64_t i = 0; i < g->size; i++)
        for (int side = 0; side < 2; side++)
            g->slopes[2 * g->member[i] + side] +=
                problems_penalty_slope(g->settings, lambda, sum / extent, side || sum == 0.0L ? 1 : -1);
}

static void end_sums(const struct view *g)
{
    for (int64_t j = 0; j < g->data->columns; j++) {
        long double x = g->x[j], worst = 0.0L;
        for (int side = 0; side < 2; side++) {
            long double slope = factor_of(g->data, j) * g->slopes[2 * j + (x == 0.0L ? 1 : side)] *
                                rho_slope(g, fabsl(x), side ? 1 : -1);
            worst =
                fmaxl(worst, x == 0.0L ? fabsl(g->gradient[j]) - slope : fabsl(g->gradient[j] + copysignl(slope, x)));
        }
        g->naive->stationarity = fmax(g->naive->stationarity, (double)worst);
    }
}

/* ---- groups within groups ---- */

/* Leaves what is left of a vector when the balls of some groups are taken from it, in any order, again and again: the
 * distance to the sum of the balls (the dual of the prox, by Dykstra's projections). */
static void take_balls(const struct problems_groups *groups, const long double *radius, const char *is_zero,
                       int64_t columns, long double *left)
{
    enum { ROUNDS = 4000 };
    long double *part = problems_memory(groups->count * columns, sizeof *part);
    for (int round = 0; round < ROUNDS; round++)
        for (int64_t k = 0; k < groups->count; k++) {
            long double *own = part + k * columns, length = 0.0L;
            if (!is_zero[k]) continue;
            for (int64_t i = groups->start[k]; i < groups->start[k + 1]; i++) {
                int64_t j = groups->member[i];
                left[j] += own[j];
                length += left[j] * left[j];
            }
            long double scale = sqrtl(length) > radius[k] ? radius[k] / sqrtl(length) : 1.0L;
            for (int64_t i = groups->start[k]; i < groups->start[k + 1]; i++) {
                int64_t j = groups->member[i];
                own[j] = scale * left[j];
                left[j] -= own[j];
            }
        }
    free(part);
}

/* Whether a feature has this group as its smallest. */
static int is_smallest(const struct problems_groups *groups, int64_t k, int64_t j)
{
    int64_t size = groups->start[k + 1] - groups->start[k];
    for (int64_t l = 0; l < groups->count; l++) {
        int64_t other = groups->start[l + 1] - groups->start[l];
        if (other > size || (other == size && l >= k)) continue;
        for (int64_t i = groups->start[l]; i < groups->start[l + 1]; i++)
            if (groups->member[i] == j) return 0;
    }
    return 1;
}

double problems_tree_stationarity(const struct problems_data *data, const dcpn_settings *settings,
                                  const struct problems_groups *groups, const double *x, double intercept)
{
    long double *left = problems_memory(data->columns + 1, sizeof *left), worst = 0.0L;
    long double *radius = problems_memory(groups->count, sizeof *radius);
    char *is_zero = problems_memory(groups->count, 1);
    fill_gradient(data, settings, x, intercept, left);
    if (settings->intercept) worst = fabsl(left[data->columns]);
    for (int64_t k = 0; k < groups->count; k++) {
        struct view g = {.x = x, .member = groups->member + groups->start[k],
                         .size = groups->start[k + 1] - groups->start[k]};
        long double r = norm_of(&g), weight = groups->weights ? groups->weights[k] : sqrtl((long double)g.size);
        radius[k] = slope_or_0(settings, settings->lambda * weight, 0.0L, 1);
        is_zero[k] = r == 0.0L;
        for (int64_t i = 0; r > 0.0L && i < g.size; i++)
            left[g.member[i]] += slope_or_0(settings, settings->lambda * weight, r, 1) * x[g.member[i]] / r;
    }
    take_balls(groups, radius, is_zero, data->columns, left);
    for (int64_t k = 0; k < groups->count; k++) {
        long double sum = 0.0L;
        for (int64_t i = groups->start[k]; i < groups->start[k + 1]; i++)
            if (is_smallest(groups, k, groups->member[i])) sum += left[groups->member[i]] * left[groups->member[i]];
        worst = fmaxl(worst, sqrtl(sum));
    }
    free(left), free(radius), free(is_zero);
    return (double)worst;
}

void problems_tree_prox(const struct problems_data *data, const dcpn_settings *settings,
                        const struct problems_groups *groups, double *out)
{
    long double *left = problems_memory(data->columns, sizeof *left);
    long double *radius = problems_memory(groups->count, sizeof *radius);
    char *all = problems_memory(groups->count, 1);
    for (int64_t j = 0; j < data->columns; j++) left[j] = data->numbers[j];
    for (int64_t k = 0; k < groups->count; k++) {
        all[k] = 1;
        radius[k] = settings->lambda * sqrtl((long double)(groups->start[k + 1] - groups->start[k]));
    }
    take_balls(groups, radius, all, data->columns, left);
    for (int64_t j = 0; j < data->columns; j++) out[j] = (double)left[j];
    free(left), free(radius), free(all);
}

static int is(const char *word, const char *other)
{
    return strcmp(word, other) == 0;
}

static void add_group(struct view *g, const int64_t *member, int64_t size, double given)
{
    const char *kind = g->settings->grouping;
    g->member = member;
    g->size = size;
    g->weight = !isnan(given) ? given : is(kind, "sum") ? 1.0L : sqrtl((long double)size);
    if (size == 0) return;
    is(kind, "sum") ? add_sum(g) : is(kind, "sparse") ? add_sparse(g) : add_norm(g);
}

/* The settings of the inner penalty; of the penalty itself where there is none. */
static const dcpn_settings *inner_settings(const dcpn_settings *settings, dcpn_settings *room)
{
    *room = *settings;
    if (is(settings->inner_penalty, "auto")) return settings;
    if (is(settings->grouping, "sum") && is(settings->inner_penalty, "l1")) return settings;
    room->penalty = settings->inner_penalty;
    return room;
}

struct problems_naive problems_naive_of_groups(const struct problems_data *data, const dcpn_settings *settings,
                                               const struct problems_groups *groups, const double *x, double intercept)
{
    return problems_naive_in_box(data, settings, groups, &(struct problems_box){0}, x, intercept);
}

struct problems_naive problems_naive_in_box(const struct problems_data *data, const dcpn_settings *settings,
                                            const struct problems_groups *groups, const struct problems_box *box,
                                            const double *x, double intercept)
{
    dcpn_settings unpenalised = *settings, room;
    unpenalised.lambda = 0.0;
    struct problems_naive naive = problems_naive(data, &unpenalised, x, intercept);
    long double *gradient = problems_memory(data->columns + 1, sizeof *gradient);
    char *grouped = problems_memory(data->columns, 1);
    struct view g = {
        .data = data, .settings = settings, .box = box, .x = x, .gradient = gradient, .naive = &naive};
    g.inner = inner_settings(settings, &room);
    g.slopes = problems_memory(2 * data->columns, sizeof *g.slopes);
    fill_gradient(data, settings, x, intercept, gradient);
    naive.penalty = 0.0;
    naive.stationarity = settings->intercept ? (double)fabsl(gradient[data->columns]) : 0.0;
    for (int64_t k = 0; k < groups->count; k++)
        add_group(&g, groups->member + groups->start[k], groups->start[k + 1] - groups->start[k],
                  groups->weights ? groups->weights[k] : (double)NAN);
    for (int64_t k = 0; k < groups->start[groups->count]; k++) grouped[groups->member[k]] = 1;
    for (int64_t j = 0; j < data->columns; j++)
        if (!grouped[j]) add_group(&g, &j, 1, 1.0);
    if (is(settings->grouping, "sum")) end_sums(&g);
    naive.objective += naive.penalty; /* without a penalty it was f */
    free(g.slopes);
    free(gradient);
    free(grouped);
    return naive;
}
