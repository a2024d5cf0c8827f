/* SPDX-License-Identifier: BSD-3-Clause */
/* The textbook formulas of every loss and penalty, and what follows from them. */
#include "support/problems_naive.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int is(const char *name, const char *other)
{
    return strcmp(name, other) == 0;
}

/* ---- losses ---- */

static long double log1p_exp_minus(long double m)
{
    return m > 0.0L ? log1pl(expl(-m)) : -m + log1pl(expl(m));
}

static long double sigmoid_minus(long double m)
{
    return 1.0L / (1.0L + expl(m));
}

static long double loss_value(const dcpn_settings *s, long double y, long double u)
{
    long double r = u - y, m = y * u;
    if (is(s->loss, "squared")) return r * r / 2.0L;
    if (is(s->loss, "logistic")) return log1p_exp_minus(m);
    if (is(s->loss, "squared-hinge")) return m < 1.0L ? (1.0L - m) * (1.0L - m) : 0.0L;
    if (is(s->loss, "huber")) return fabsl(r) <= s->delta ? r * r / 2.0L : s->delta * (fabsl(r) - s->delta / 2.0L);
    if (is(s->loss, "welsch")) return s->delta * s->delta / 2.0L * -expm1l(-r * r / (s->delta * s->delta));
    if (is(s->loss, "smooth-ramp")) return (log1p_exp_minus(m) - log1p_exp_minus(m + s->tau)) / s->tau;
    if (is(s->loss, "poisson")) return expl(u) - y * u;
    if (is(s->loss, "gamma")) return y * expl(-u) + u;
    if (is(s->loss, "negative-binomial"))
        return (y + 1.0L / s->dispersion) * log1pl(s->dispersion * expl(u)) - y * u;
    if (is(s->loss, "quantile")) {
        long double size = fabsl(r), d = s->smoothing;
        return (size <= d ? r * r / (2.0L * d) : size - d / 2.0L) / 2.0L + (0.5L - s->quantile) * r;
    }
    fail_msg("the loss %s needs its formula here", s->loss);
    return 0.0L;
}

long double problems_loss_slope(const dcpn_settings *s, long double y, long double u)
{
    long double r = u - y, m = y * u;
    if (is(s->loss, "squared")) return r;
    if (is(s->loss, "logistic")) return -y * sigmoid_minus(m);
    if (is(s->loss, "squared-hinge")) return m < 1.0L ? -2.0L * y * (1.0L - m) : 0.0L;
    if (is(s->loss, "huber")) return fabsl(r) <= s->delta ? r : copysignl(s->delta, r);
    if (is(s->loss, "welsch")) return r * expl(-r * r / (s->delta * s->delta));
    if (is(s->loss, "smooth-ramp")) return -y * (sigmoid_minus(m) - sigmoid_minus(m + s->tau)) / s->tau;
    if (is(s->loss, "poisson")) return expl(u) - y;
    if (is(s->loss, "gamma")) return 1.0L - y * expl(-u);
    if (is(s->loss, "negative-binomial"))
        return (expl(u) - y) / (1.0L + s->dispersion * expl(u));
    if (is(s->loss, "quantile")) {
        long double share = fabsl(r) <= s->smoothing ? r / s->smoothing : copysignl(1.0L, r);
        return share / 2.0L + 0.5L - s->quantile;
    }
    fail_msg("the loss %s needs its formula here", s->loss);
    return 0.0L;
}

/* ---- losses of rows without a label ---- */

static long double rounded_plus(long double z)
{
    return z <= 0.0L ? 0.0L : z < 0.5L ? z * z : z - 0.25L;
}

static long double rounded_plus_slope(long double z)
{
    return z <= 0.0L ? 0.0L : z < 0.5L ? 2.0L * z : 1.0L;
}

static long double ramp(const dcpn_settings *s, long double m)
{
    return (log1p_exp_minus(m) - log1p_exp_minus(m + s->tau)) / s->tau;
}

static long double ramp_slope(const dcpn_settings *s, long double m)
{
    return -(sigmoid_minus(m) - sigmoid_minus(m + s->tau)) / s->tau;
}

static long double unlabelled_value(const dcpn_settings *s, long double u)
{
    const char *name = s->unlabelled_loss;
    long double a = fabsl(u), end = s->tau + 1.0L;
    if (is(name, "transductive")) return 1.0L - ramp(s, u) - ramp(s, -u);
    if (is(name, "symmetric-gaussian")) return expl(-s->sharpness * u * u);
    if (is(name, "symmetric-sigmoid")) return 4.0L * sigmoid_minus(s->sharpness * u) * sigmoid_minus(-s->sharpness * u);
    if (is(name, "symmetric-ramp"))
        return rounded_plus(end - u) + rounded_plus(end + u) - rounded_plus(s->tau - u) - rounded_plus(s->tau + u) -
               1.0L;
    if (is(name, "symmetric-squared-hinge"))
        return a <= 0.5L ? 0.5L - a * a : a < 1.0L ? (1.0L - a) * (1.0L - a) : 0.0L;
    fail_msg("the loss %s needs its formula here", name);
    return 0.0L;
}

static long double unlabelled_slope(const dcpn_settings *s, long double u)
{
    const char *name = s->unlabelled_loss;
    long double a = fabsl(u), end = s->tau + 1.0L, k = s->sharpness;
    if (is(name, "transductive")) return ramp_slope(s, -u) - ramp_slope(s, u);
    if (is(name, "symmetric-gaussian")) return -2.0L * k * u * expl(-k * u * u);
    if (is(name, "symmetric-sigmoid"))
        return 4.0L * k * sigmoid_minus(k * u) * sigmoid_minus(-k * u) * (sigmoid_minus(k * u) - sigmoid_minus(-k * u));
    if (is(name, "symmetric-ramp"))
        return rounded_plus_slope(end + u) - rounded_plus_slope(end - u) - rounded_plus_slope(s->tau + u) +
               rounded_plus_slope(s->tau - u);
    if (is(name, "symmetric-squared-hinge"))
        return copysignl(a <= 0.5L ? 2.0L * a : a < 1.0L ? 2.0L * (1.0L - a) : 0.0L, -u);
    fail_msg("the loss %s needs its formula here", name);
    return 0.0L;
}

/* The most that the slope changes per unit of u. */
static long double loss_curvature(const dcpn_settings *s, long double y)
{
    if (isnan(y)) return 2.0L / s->tau + 3.0L * s->sharpness + s->sharpness * s->sharpness;
    if (is(s->loss, "squared-hinge")) return 2.0L;
    return is(s->loss, "smooth-ramp") ? 1.0L / s->tau : 1.0L;
}

/* ---- penalties ---- */

long double problems_penalty(const dcpn_settings *s, long double lambda, long double t)
{
    long double a = s->a, gamma = s->gamma;
    if (is(s->penalty, "l1")) return lambda * t;
    if (is(s->penalty, "capped-l1")) return lambda * fminl(t, s->theta);
    if (is(s->penalty, "scad")) {
        if (t <= lambda) return lambda * t;
        if (t <= a * lambda) return (2.0L * a * lambda * t - t * t - lambda * lambda) / (2.0L * (a - 1.0L));
        return lambda * lambda * (a + 1.0L) / 2.0L;
    }
    if (is(s->penalty, "mcp"))
        return t <= gamma * lambda ? lambda * t - t * t / (2.0L * gamma) : gamma * lambda * lambda / 2.0L;
    if (is(s->penalty, "exponential")) return gamma * lambda * lambda * (1.0L - expl(-t / (gamma * lambda)));
    if (is(s->penalty, "log")) return lambda * log1pl(t / s->theta);
    if (is(s->penalty, "lp")) return lambda * (powl(t + s->eps, s->p) - powl(s->eps, s->p));
    fail_msg("the penalty %s needs its formula here", s->penalty);
    return 0.0L;
}

long double problems_penalty_slope(const dcpn_settings *s, long double lambda, long double t, int side)
{
    long double a = s->a, gamma = s->gamma;
    if (is(s->penalty, "l1")) return lambda;
    if (is(s->penalty, "capped-l1")) return t < s->theta || (t == s->theta && side < 0) ? lambda : 0.0L;
    if (is(s->penalty, "scad")) return t <= lambda ? lambda : fmaxl(a * lambda - t, 0.0L) / (a - 1.0L);
    if (is(s->penalty, "mcp")) return fmaxl(lambda - t / gamma, 0.0L);
    if (is(s->penalty, "exponential")) return lambda * expl(-t / (gamma * lambda));
    if (is(s->penalty, "log")) return lambda / (s->theta + t);
    if (is(s->penalty, "lp")) return lambda * s->p * powl(t + s->eps, s->p - 1.0L);
    fail_msg("the penalty %s needs its formula here", s->penalty);
    return 0.0L;
}

/* ---- the whole ---- */

static long double feature_lambda(const struct problems_data *data, const dcpn_settings *s, int64_t j)
{
    return (long double)s->lambda * (data->factors ? data->factors[j] : 1.0);
}

static long double row_label(const struct problems_data *data, const dcpn_settings *s, int64_t i)
{
    const double *labels = problems_labels(data, s->loss);
    long double low = labels[0];
    if (labels != data->classes) return labels[i];
    for (int64_t k = 0; k < data->rows; k++) low = fminl(low, labels[k]);
    if (isnan(labels[i])) return NAN;
    return labels[i] == low ? -1.0L : 1.0L;
}

static long double row_weight(const struct problems_data *data, const dcpn_settings *s, int64_t i)
{
    long double weight = data->weights ? data->weights[i] : 1.0L;
    return isnan(row_label(data, s, i)) ? s->unlabelled_weight * weight : weight;
}

static long double total_weight(const struct problems_data *data, const dcpn_settings *s)
{
    long double total = 0.0L;
    for (int64_t i = 0; i < data->rows; i++) total += row_weight(data, s, i);
    return total;
}

/* Adds row i to the loss, to the gradient (the last entry is the intercept's) and to what rounding does to both. */
static void add_row(const struct problems_data *data, const dcpn_settings *s, const double *x, double intercept,
                    int64_t i, long double w, long double *gradient, long double *noise, struct problems_naive *naive)
{
    const double *a = data->A + i * data->columns;
    long double y = row_label(data, s, i), u = intercept + (data->offset ? data->offset[i] : 0.0L);
    long double size = fabsl(intercept) + (data->offset ? fabs(data->offset[i]) : 0.0) + (isnan(y) ? 0.0L : fabsl(y));
    size += 1.0L;
    for (int64_t j = 0; j < data->columns; j++) {
        u += (long double)a[j] * x[j];
        size += fabsl((long double)a[j] * x[j]);
    }
    long double slope = isnan(y) ? unlabelled_slope(s, u) : problems_loss_slope(s, y, u);
    long double value = isnan(y) ? unlabelled_value(s, u) : loss_value(s, y, u);
    naive->loss += (double)(w * value);
    naive->objective_noise += (double)(w * (value + size * (fabsl(slope) + 1.0L)));
    for (int64_t j = 0; j <= data->columns; j++) {
        long double entry = j < data->columns ? a[j] : 1.0L;
        gradient[j] += w * slope * entry;
        noise[j] += w * fabsl(entry) * (fabsl(slope) + loss_curvature(s, y) * size);
    }
}

/* balance/2 times the weight of the rows without a label times (their mean score - the mean label)^2 */
static void add_balance(const struct problems_data *data, const dcpn_settings *s, const double *x, double intercept,
                        long double scale, long double *gradient, long double *noise, struct problems_naive *naive)
{
    long double *mean = problems_memory(data->columns + 1, sizeof *mean), label = 0.0L, labelled = 0.0L, others = 0.0L;
    long double score = 0.0L, size = 1.0L;
    for (int64_t i = 0; i < data->rows; i++) {
        long double y = row_label(data, s, i), w = data->weights ? data->weights[i] : 1.0L;
        labelled += isnan(y) ? 0.0L : w;
        label += isnan(y) ? 0.0L : w * y;
        if (!isnan(y)) continue;
        others += w;
        for (int64_t j = 0; j < data->columns; j++) mean[j] += w * data->A[i * data->columns + j];
        mean[data->columns] += w;
        score += data->offset ? w * data->offset[i] : 0.0L;
    }
    for (int64_t j = 0; j <= data->columns && others > 0.0L; j++) {
        mean[j] /= others;
        size += fabsl(mean[j] * (j < data->columns ? x[j] : intercept));
    }
    score = others > 0.0L ? score / others : 0.0L;
    for (int64_t j = 0; j <= data->columns; j++) score += mean[j] * (j < data->columns ? x[j] : intercept);
    long double weight = scale * s->balance * s->unlabelled_weight * others, off = score - label / labelled;
    if (others > 0.0L) naive->loss += (double)(0.5L * weight * off * off);
    naive->objective_noise += (double)(weight * size * (fabsl(off) + 1.0L));
    for (int64_t j = 0; j <= data->columns && others > 0.0L; j++) {
        gradient[j] += weight * off * mean[j];
        noise[j] += weight * size * fabsl(mean[j]);
    }
    free(mean);
}

static long double violation(const dcpn_settings *s, long double lambda, double x, long double g)
{
    if (!(lambda > 0.0L)) return fabsl(g);
    if (x == 0.0) return fmaxl(fabsl(g) - problems_penalty_slope(s, lambda, 0.0L, 1), 0.0L);
    long double sign = x > 0.0 ? 1.0L : -1.0L;
    return fmaxl(fabsl(g + sign * problems_penalty_slope(s, lambda, fabs(x), -1)),
                 fabsl(g + sign * problems_penalty_slope(s, lambda, fabs(x), 1)));
}

/* The slope of a penalty is a few operations on numbers of the size of its slope at 0. */
static void add_features(const struct problems_data *data, const dcpn_settings *s, const double *x,
                         const long double *gradient, const long double *noise, struct problems_naive *naive)
{
    for (int64_t j = 0; j < data->columns; j++) {
        long double lambda = feature_lambda(data, s, j);
        long double c = lambda > 0.0L ? problems_penalty_slope(s, lambda, 0.0L, 1) : 0.0L;
        long double p = lambda > 0.0L ? problems_penalty(s, lambda, fabs(x[j])) : 0.0L;
        naive->loss += 0.5 * s->ridge * x[j] * x[j];
        naive->penalty += (double)p;
        double off = (double)violation(s, lambda, x[j], gradient[j] + s->ridge * x[j]);
        double rounding = (double)(noise[j] + s->ridge * fabs(x[j]) + 4.0L * c);
        naive->stationarity = fmax(naive->stationarity, off);
        naive->stationarity_noise = fmax(naive->stationarity_noise, rounding);
    }
    if (s->intercept) {
        naive->stationarity = fmax(naive->stationarity, (double)fabsl(gradient[data->columns]));
        naive->stationarity_noise = fmax(naive->stationarity_noise, (double)noise[data->columns]);
    }
}

struct problems_naive problems_naive(const struct problems_data *data, const dcpn_settings *settings, const double *x,
                                     double intercept)
{
    struct problems_naive naive = {0};
    long double *gradient = problems_memory(data->columns + 1, sizeof *gradient);
    long double *noise = problems_memory(data->columns + 1, sizeof *noise);
    long double scale = is(settings->scale, "mean") ? 1.0L / total_weight(data, settings) : 1.0L;
    for (int64_t i = 0; i < data->rows; i++) {
        long double w = scale * row_weight(data, settings, i);
        add_row(data, settings, x, intercept, i, w, gradient, noise, &naive);
    }
    if (problems_labels(data, settings->loss) == data->classes)
        add_balance(data, settings, x, intercept, scale, gradient, noise, &naive);
    add_features(data, settings, x, gradient, noise, &naive);
    double operations = DBL_EPSILON * (double)(data->rows + data->columns + 10);
    naive.objective = naive.loss + naive.penalty;
    naive.objective_noise = operations * (naive.objective_noise + fabs(naive.objective));
    naive.stationarity_noise *= operations;
    free(gradient);
    free(noise);
    return naive;
}

static void swap_rows(int64_t size, long double *M, long double *b, int64_t r, int64_t q)
{
    for (int64_t j = 0; j < size; j++) {
        long double kept = M[r * size + j];
        M[r * size + j] = M[q * size + j];
        M[q * size + j] = kept;
    }
    long double kept = b[r];
    b[r] = b[q];
    b[q] = kept;
}

int problems_linear_solve(int64_t size, long double *M, long double *b)
{
    for (int64_t k = 0; k < size; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < size; i++)
            if (fabsl(M[i * size + k]) > fabsl(M[pivot * size + k])) pivot = i;
        if (!(fabsl(M[pivot * size + k]) > 1e-14L)) return 0;
        swap_rows(size, M, b, k, pivot);
        for (int64_t i = 0; i < size; i++) {
            long double factor = i == k ? 0.0L : M[i * size + k] / M[k * size + k];
            for (int64_t j = k; j < size; j++) M[i * size + j] -= factor * M[k * size + j];
            b[i] -= factor * b[k];
        }
    }
    for (int64_t k = 0; k < size; k++) b[k] /= M[k * size + k];
    return 1;
}

/* ---- judgement ---- */

static void assert_within(const dcpn_settings *s, double found, double expected, double tolerance, const char *what)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s %s %s %s: %s is %.17g, the raw arrays say %.17g, allowed is %.3g", s->loss, s->penalty, s->metric,
                 s->subsolver, what, found, expected, tolerance);
}

void problems_assert_certificate(const struct problems_data *data, const dcpn_settings *settings,
                                 const struct problems_fit *fit)
{
    struct problems_naive naive = problems_naive(data, settings, fit->x, fit->intercept);
    int64_t nonzeros = 0;
    for (int64_t j = 0; j < data->columns; j++) nonzeros += fit->x[j] != 0.0;
    assert_int_equal(fit->result.nonzeros, nonzeros);
    assert_within(settings, fit->result.loss_value, naive.loss, naive.objective_noise, "loss_value");
    assert_within(settings, fit->result.penalty_value, naive.penalty, naive.objective_noise, "penalty_value");
    assert_within(settings, fit->result.objective, naive.objective, naive.objective_noise, "objective");
    assert_within(settings, fit->result.stationarity, naive.stationarity, naive.stationarity_noise, "stationarity");
}

void problems_assert_converged(const struct problems_data *data, const dcpn_settings *settings,
                               const struct problems_fit *fit)
{
    if (fit->status != DCPN_OK) fail_msg("status %s", dcpn_status_meaning(fit->status));
    problems_assert_certificate(data, settings, fit);
    if (fit->result.outcome != DCPN_CONVERGED || !(fit->result.stationarity <= fit->result.stationarity_goal))
        fail_msg("%s %s %s %s tol %g: %s after %lld iterations with stationarity %.3g, goal %.3g", settings->loss,
                 settings->penalty, settings->metric, settings->subsolver, settings->tol,
                 dcpn_outcome_name(fit->result.outcome), (long long)fit->result.iterations, fit->result.stationarity,
                 fit->result.stationarity_goal);
}

void problems_assert_close(double a, double b, double tolerance, const char *what)
{
    if (!(fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b))))
        fail_msg("%s: %.17g and %.17g differ by more than %g relative", what, a, b, tolerance);
}
