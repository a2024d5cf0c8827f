/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs at one lambda or several, and the choice among them. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "settings/registry.h"
#include "structured/graphs.h"

/* ---- what is asked for ---- */

static dcpn_status check_source(dcpn_context *context, const dcpn_graph_source *source)
{
    if (source->X ? source->covariance != NULL : source->covariance == NULL)
        return dcpn_fail(context, DCPN_USAGE, "a graph: expected either rows or a covariance matrix");
    if (!source->X && (!(source->rows >= 0.0) || !isfinite(source->rows)))
        return dcpn_fail(context, DCPN_USAGE, "rows: found %g, expected how many the covariance was made from",
                         source->rows);
    if (source->X && source->X->rows < 2)
        return dcpn_fail(context, DCPN_DATA, "found %lld row%s, expected at least 2", (long long)source->X->rows,
                         source->X->rows == 1 ? "" : "s");
    return DCPN_OK;
}

static dcpn_status check_lambdas(dcpn_context *context, const dcpn_graph_options *options)
{
    for (int64_t k = 0; options->lambdas && k < options->lambda_count; k++) {
        double lambda = options->lambdas[k];
        if (!(lambda >= 0.0) || !isfinite(lambda))
            return dcpn_fail(context, DCPN_USAGE, "lambdas: found %g, expected finite numbers of at least 0", lambda);
        if (k > 0 && lambda >= options->lambdas[k - 1])
            return dcpn_fail(context, DCPN_USAGE, "lambdas: found %g after %g, expected falling numbers", lambda,
                             options->lambdas[k - 1]);
    }
    if (options->lambda_count < 0 || (options->lambdas && options->lambda_count < 1))
        return dcpn_fail(context, DCPN_USAGE, "lambdas: found %lld of them", (long long)options->lambda_count);
    if (!(options->min_ratio >= 0.0) || options->min_ratio >= 1.0)
        return dcpn_fail(context, DCPN_USAGE, "least lambda as a share of the largest: found %g, expected one below 1",
                         options->min_ratio);
    return DCPN_OK;
}

static dcpn_status check_rule(dcpn_context *context, const dcpn_graph_source *source, const dcpn_graph_options *options)
{
    if (options->gamma > 1.0 || isnan(options->gamma))
        return dcpn_fail(context, DCPN_USAGE, "gamma of EBIC: found %g, expected a number from 0 to 1", options->gamma);
    if (options->folds < 0 || options->folds == 1 || options->subsamples < 0)
        return dcpn_fail(context, DCPN_USAGE, "found %lld folds and %lld subsamples, expected at least 2 and 0",
                         (long long)options->folds, (long long)options->subsamples);
    if (options->rule != DCPN_GRAPH_EBIC && options->rule != DCPN_GRAPH_CV)
        return dcpn_fail(context, DCPN_USAGE, "rule: found %d, expected DCPN_GRAPH_EBIC or DCPN_GRAPH_CV",
                         (int)options->rule);
    if (options->rule == DCPN_GRAPH_CV && options->folds > (source->X ? source->X->rows : INT64_MAX))
        return dcpn_fail(context, DCPN_USAGE, "folds: found %lld, expected no more than there are rows",
                         (long long)options->folds);
    if (!source->X && (options->rule == DCPN_GRAPH_CV || options->subsamples > 0))
        return dcpn_fail(context, DCPN_USAGE, "cross-validation and stability need rows: found a covariance matrix");
    return DCPN_OK;
}

dcpn_status dcpn_graph_check_bounded(struct graph_fit *fit, const char *of)
{
    int is_singular = 0;
    if (fit->settings.ridge > 0.0 || !dcpn_graph_penalty_is_bounded(&fit->h)) return DCPN_OK;
    DCPN_TRY(dcpn_covariance_is_singular(fit->context, fit->covariance, &is_singular));
    if (!is_singular) return DCPN_OK;
    return dcpn_fail(
        fit->context, DCPN_USAGE,
        "--ridge: found 0, with a covariance%s that is singular and a penalty (%s) that is bounded: F has no "
        "minimiser, K grows without end; expected a ridge above 0, say 0.1, more rows, or --penalty l1, log or lp",
        of, fit->settings.penalty);
}

/* ---- the lambdas ---- */

static double lambda_at(const dcpn_graph_options *options, double largest, int64_t k)
{
    double ratio = options->min_ratio > 0.0 ? options->min_ratio : GRAPH_MIN_RATIO;
    if (options->lambdas) return options->lambdas[k];
    return options->lambda_count > 1 ? largest * pow(ratio, (double)k / (double)(options->lambda_count - 1)) : largest;
}

static double ebic(const dcpn_graphs *graphs, const struct graph_point *point, double gamma)
{
    double share = gamma < 0.0 ? 0.0 : gamma == 0.0 ? 0.5 : gamma;
    if (!(graphs->rows > 1.0)) return (double)NAN;
    return graphs->rows * point->likelihood +
           (double)point->edges * (log(graphs->rows) + 4.0 * share * log((double)graphs->variables));
}

static int64_t least_ebic(const dcpn_graphs *graphs)
{
    int64_t best = 0;
    for (int64_t k = 1; k < graphs->count; k++)
        if (graphs->points[k].ebic < graphs->points[best].ebic) best = k;
    return best;
}

/* Has EBIC risen for several lambdas in a row? A short rise means nothing: at first edges may cost more than they
 * explain, and less later. */
static int has_risen(const dcpn_graphs *graphs)
{
    int64_t last = graphs->count - 1, rises = 0;
    while (rises < last && graphs->points[last - rises].ebic > graphs->points[last - rises - 1].ebic) rises++;
    return rises >= GRAPH_PATIENCE;
}

static int64_t least_cv(const dcpn_graphs *graphs)
{
    int64_t best = 0;
    for (int64_t k = 1; k < graphs->count; k++)
        if (graphs->points[k].cv_mean < graphs->points[best].cv_mean) best = k;
    return best;
}

static dcpn_status fit_points(struct graph_fit *fit, const dcpn_graph_options *options, int64_t wanted,
                              dcpn_graphs *graphs)
{
    int is_grid = !options->lambdas && options->lambda_count > 0;
    double largest = is_grid ? dcpn_graph_fit_lambda_max(fit) : 0.0, single = graphs->points[0].lambda;
    for (int64_t k = 0; k < wanted; k++) {
        struct graph_point *point = &graphs->points[k];
        double lambda = is_grid || options->lambdas ? lambda_at(options, largest, k) : single;
        if (k > 0 && dcpn_is_interrupted(fit->context)) return DCPN_OK;
        DCPN_TRY(dcpn_graph_fit_at(fit, lambda, point));
        DCPN_TRY(dcpn_graph_point_take(fit, point));
        graphs->count = k + 1;
        point->ebic = ebic(graphs, point, options->gamma);
        if (point->outcome == DCPN_INTERRUPTED || point->outcome == DCPN_MAX_TIME) return DCPN_OK;
        if (is_grid && options->rule == DCPN_GRAPH_EBIC && has_risen(graphs)) break;
    }
    graphs->is_complete = 1;
    return DCPN_OK;
}

/* ---- one call ---- */

static dcpn_status describe(const struct covariance *covariance, const dcpn_settings *s, int64_t wanted,
                            dcpn_graphs *graphs)
{
    dcpn_context *context = graphs->context;
    int64_t p = covariance->variables;
    graphs->variables = p;
    graphs->rows = covariance->rows;
    graphs->ridge = s->ridge;
    graphs->penalty = dcpn_find_penalty(s->penalty)->name;
    graphs->theta = s->theta, graphs->a = s->a, graphs->gamma = s->gamma, graphs->p = s->p, graphs->eps = s->eps;
    graphs->is_standardized = s->standardize;
    graphs->points = dcpn_allocate(context, (size_t)wanted, sizeof *graphs->points);
    graphs->mean = dcpn_allocate(context, (size_t)p, sizeof *graphs->mean);
    graphs->scale = dcpn_allocate(context, (size_t)p, sizeof *graphs->scale);
    if (!graphs->points || !graphs->mean || !graphs->scale) return DCPN_MEMORY;
    memset(graphs->points, 0, (size_t)wanted * sizeof *graphs->points);
    dcpn_copy(p, covariance->mean, graphs->mean);
    dcpn_copy(p, covariance->scale, graphs->scale);
    return DCPN_OK;
}

static dcpn_status fit_all(const struct covariance *covariance, const dcpn_settings *s,
                           const dcpn_graph_options *options, dcpn_graphs *graphs)
{
    struct graph_fit fit;
    int64_t wanted = options->lambda_count > 0 ? options->lambda_count : 1;
    dcpn_status status = describe(covariance, s, wanted, graphs);
    if (status != DCPN_OK) return status;
    graphs->points[0].lambda = s->lambda;
    status = dcpn_graph_fit_new(graphs->context, covariance, s, options, &fit);
    if (status == DCPN_OK) status = dcpn_graph_check_bounded(&fit, "");
    if (status == DCPN_OK) status = fit_points(&fit, options, wanted, graphs);
    dcpn_graph_fit_free(&fit);
    return status;
}

static dcpn_status choose(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options,
                          dcpn_graphs *graphs)
{
    graphs->chosen = least_ebic(graphs);
    if (options->rule == DCPN_GRAPH_CV && graphs->count > 1) {
        DCPN_TRY(dcpn_graph_cross_validate(source, s, options, graphs));
        if (graphs->is_complete) graphs->chosen = least_cv(graphs);
    }
    if (options->subsamples > 0) DCPN_TRY(dcpn_graph_subsample(source, s, options, graphs));
    return DCPN_OK;
}

static dcpn_status work(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options,
                        dcpn_graphs *graphs)
{
    struct covariance covariance;
    dcpn_status status = dcpn_covariance_new(graphs->context, source, NULL, s->standardize, &covariance);
    if (status == DCPN_OK) status = fit_all(&covariance, s, options, graphs);
    dcpn_covariance_free(graphs->context, &covariance);
    if (status == DCPN_OK) status = choose(source, s, options, graphs);
    return status;
}

dcpn_status dcpn_graphs_fit(dcpn_context *context, const dcpn_graph_source *source, const dcpn_settings *settings,
                            const dcpn_graph_options *options, dcpn_graphs **graphs)
{
    const dcpn_settings standard = dcpn_settings_default();
    const dcpn_graph_options none = {0};
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, source, graphs);
    *graphs = NULL;
    if (!settings) settings = &standard;
    if (!options) options = &none;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(check_source(context, source));
    DCPN_TRY(check_lambdas(context, options));
    DCPN_TRY(check_rule(context, source, options));
    dcpn_graphs *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_graphs){.context = context};
    dcpn_status status = work(source, settings, options, made);
    made->time_s = dcpn_clock_s() - started_at;
    if (status == DCPN_OK)
        *graphs = made;
    else
        dcpn_graphs_free(made);
    return status;
}
