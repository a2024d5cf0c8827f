/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph at one lambda: each component by itself. A penalty that is not convex begins where l1 ends. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/graphs.h"

/* Returns K_ii of a variable without edges, the minimiser of -log k + S_ii k + ridge/2 k^2 + c k. */
static double lone_entry(double variance, double ridge, double slope)
{
    double b = variance + slope;
    return 2.0 / (b + sqrt(b * b + 4.0 * ridge));
}

static void begin_at_diagonal(struct graph_fit *fit)
{
    int64_t p = fit->covariance->variables;
    dcpn_fill(p * p, 0.0, fit->K1);
    for (int64_t i = 0; i < p; i++)
        fit->K1[i * p + i] = lone_entry(fit->covariance->S[i * p + i], fit->settings.ridge,
                                        fit->h.penalty.c[dcpn_term_of_pair(&fit->h, i, i)]);
    dcpn_copy(p * p, fit->K1, fit->K);
}

dcpn_status dcpn_graph_fit_new(dcpn_context *context, const struct covariance *covariance,
                               const dcpn_settings *settings, const dcpn_graph_options *options, struct graph_fit *fit)
{
    size_t p = (size_t)covariance->variables;
    *fit = (struct graph_fit){.context = context, .covariance = covariance, .options = options, .settings = *settings};
    fit->started_at = dcpn_clock_s();
    DCPN_TRY(
        dcpn_graph_penalty_new(context, covariance->variables, covariance->mean_variance, settings, options, &fit->h));
    fit->K = dcpn_allocate(context, p * p, sizeof *fit->K);
    fit->K1 = dcpn_allocate(context, p * p, sizeof *fit->K1);
    fit->component = dcpn_allocate(context, p, sizeof *fit->component);
    fit->order = dcpn_allocate(context, p, sizeof *fit->order);
    if (!fit->K || !fit->K1 || !fit->component || !fit->order) return DCPN_MEMORY;
    begin_at_diagonal(fit);
    return DCPN_OK;
}

void dcpn_graph_fit_free(struct graph_fit *fit)
{
    if (!fit->context) return;
    dcpn_graph_penalty_free(fit->context, &fit->h);
    dcpn_free(fit->context, fit->K);
    dcpn_free(fit->context, fit->K1);
    dcpn_free(fit->context, fit->component);
    dcpn_free(fit->context, fit->order);
    fit->context = NULL;
}

/* ---- one component ---- */

static void give_back(const struct precision *x, int64_t variables, double *K)
{
    for (int64_t i = 0; i < x->n; i++)
        for (int64_t j = 0; j < x->n; j++) K[x->members[i] * variables + x->members[j]] = x->K[i * x->size + j];
}

static struct precision_goals goals_of(const struct graph_fit *fit, double tol)
{
    return (struct precision_goals){.goal = tol * dcpn_penalty_reference_slope(&fit->h.penalty),
                                    .started_at = fit->started_at,
                                    .observer = fit->options->observer,
                                    .user = fit->options->user,
                                    .settings = &fit->settings};
}

static dcpn_status start_by_l1(struct graph_fit *fit, struct precision *x)
{
    struct precision_end end;
    if (fit->h.penalty.ops->convex) return DCPN_OK;
    const dcpn_penalty_ops *chosen = dcpn_graph_penalty_begin_l1(&fit->h);
    const struct precision_goals goals = goals_of(fit, fmax(fit->settings.tol, GRAPH_START_TOL));
    dcpn_status status = dcpn_precision_descend(x, &goals, &end);
    dcpn_graph_penalty_end_l1(&fit->h, chosen, fit->settings.lambda);
    return status;
}

/* Adds the values and counts of a component to those of the point. */
static void add_component(const struct precision *x, const struct precision_end *end, struct graph_point *point)
{
    double squares = dcpn_dot(x->n * x->size, x->K, x->K);
    double ridge_value = 0.5 * x->ridge * squares;
    point->ridge_value += ridge_value;
    point->likelihood += dcpn_precision_likelihood(x) - ridge_value;
    point->penalty_value += dcpn_precision_penalty(x);
    point->violation = fmax(point->violation, end->violation);
    point->iterations += end->iterations;
    if (point->outcome == DCPN_CONVERGED) point->outcome = end->outcome;
}

static dcpn_status descend(struct graph_fit *fit, struct precision *x, struct graph_point *point)
{
    struct precision_end end;
    int64_t p = fit->covariance->variables;
    DCPN_TRY(start_by_l1(fit, x));
    give_back(x, p, fit->K1);
    const struct precision_goals goals = goals_of(fit, fit->settings.tol);
    DCPN_TRY(dcpn_precision_descend(x, &goals, &end));
    give_back(x, p, fit->K);
    point->goal = goals.goal;
    add_component(x, &end, point);
    return DCPN_OK;
}

static dcpn_status fit_component(struct graph_fit *fit, int64_t n, const int64_t *members, struct graph_point *point)
{
    struct precision x;
    dcpn_status status =
        dcpn_precision_new(fit->context, &fit->h, fit->settings.ridge, fit->covariance->S, fit->K1, n, members, &x);
    if (status == DCPN_OK) status = descend(fit, &x, point);
    dcpn_precision_free(&x);
    return status;
}

/* Sets the entries between components to 0, whatever they were at the last lambda. */
static void separate(const struct graph_fit *fit, double *K)
{
    int64_t p = fit->covariance->variables;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < p; j++)
            if (fit->component[i] != fit->component[j]) K[i * p + j] = 0.0;
}

dcpn_status dcpn_graph_fit_at(struct graph_fit *fit, double lambda, struct graph_point *point)
{
    int64_t p = fit->covariance->variables;
    fit->settings.lambda = lambda;
    dcpn_graph_penalty_at(&fit->h, fit->covariance->mean_variance, &fit->settings);
    DCPN_TRY(dcpn_refuse_infinite_penalty(fit->context, &fit->h.penalty));
    *point = (struct graph_point){
        .lambda = lambda, .outcome = DCPN_CONVERGED, .ebic = (double)NAN, .cv_mean = (double)NAN, .cv_se = (double)NAN};
    point->components = dcpn_graph_components(fit->covariance, &fit->h, fit->component, fit->order);
    separate(fit, fit->K);
    separate(fit, fit->K1);
    for (int64_t begin = 0, end; begin < p; begin = end) {
        for (end = begin + 1; end < p && fit->component[fit->order[end]] == fit->component[fit->order[begin]];) end++;
        DCPN_TRY(fit_component(fit, end - begin, fit->order + begin, point));
    }
    return DCPN_OK;
}

/* ---- the least lambda without an edge ---- */

static double largest_correlation(const struct graph_fit *fit)
{
    const struct covariance *c = fit->covariance;
    double largest = 0.0;
    for (int64_t i = 0; i < c->variables; i++)
        for (int64_t j = 0; j < i; j++) {
            double factor = fit->h.factors[dcpn_term_of_pair(&fit->h, i, j)];
            if (factor > 0.0) largest = fmax(largest, fabs(c->S[i * c->variables + j]) / factor);
        }
    return largest;
}

static int keeps_all_out(struct graph_fit *fit, double lambda, double largest)
{
    fit->settings.lambda = lambda;
    dcpn_graph_penalty_at(&fit->h, fit->covariance->mean_variance, &fit->settings);
    return fit->h.start_slope >= largest;
}

/* Finds the least lambda without an edge, by doubling and then by halving: the slope at which descents begin grows
 * with lambda. */
double dcpn_graph_fit_lambda_max(struct graph_fit *fit)
{
    double largest = largest_correlation(fit), low = 0.0, high = largest;
    for (int doubled = 0; doubled < 1000 && !keeps_all_out(fit, high, largest); doubled++) high *= 2.0;
    for (int half = 0; half < 60; half++) {
        double middle = low + 0.5 * (high - low);
        *(keeps_all_out(fit, middle, largest) ? &high : &low) = middle;
    }
    return high;
}

/* ---- what is kept ---- */

static int64_t count_edges(const struct graph_fit *fit)
{
    int64_t p = fit->covariance->variables, count = 0;
    for (int64_t i = 0; i < p; i++) count += dcpn_count_nonzeros(p - i - 1, fit->K + i * p + i + 1);
    return count;
}

dcpn_status dcpn_graph_point_take(const struct graph_fit *fit, struct graph_point *point)
{
    dcpn_context *context = fit->context;
    int64_t p = fit->covariance->variables, e = 0;
    point->edges = count_edges(fit);
    point->first = dcpn_allocate(context, (size_t)point->edges, sizeof *point->first);
    point->second = dcpn_allocate(context, (size_t)point->edges, sizeof *point->second);
    point->value = dcpn_allocate(context, (size_t)point->edges, sizeof *point->value);
    point->diagonal = dcpn_allocate(context, (size_t)p, sizeof *point->diagonal);
    if (!point->first || !point->second || !point->value || !point->diagonal) return DCPN_MEMORY;
    for (int64_t i = 0; i < p; i++) {
        point->diagonal[i] = fit->K[i * p + i];
        for (int64_t j = i + 1; j < p; j++) {
            if (fit->K[i * p + j] == 0.0) continue;
            point->first[e] = i;
            point->second[e] = j;
            point->value[e++] = fit->K[i * p + j];
        }
    }
    return DCPN_OK;
}

void dcpn_graph_point_free(dcpn_context *context, struct graph_point *point)
{
    dcpn_free(context, point->first);
    dcpn_free(context, point->second);
    dcpn_free(context, point->value);
    dcpn_free(context, point->diagonal);
    point->first = point->second = NULL;
    point->value = point->diagonal = NULL;
}
