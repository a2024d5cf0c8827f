/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty of the entries of a symmetric matrix.
 *
 * Shapes: f has the curvature W_ii W_jj + W_ij^2 along an entry, W = K^-1, and W_ii is S_ii or near it. So the unit of a shape
 * is 1 / (mean of S_ii)^2, which is 1 for correlations.
 *
 * Where a penalty that is not convex starts: at the l1 penalty whose slope is the least t that the prox of p, of curvature 1,
 * does not make 0. That is lambda for capped-l1, SCAD and MCP with their usual shapes, and far less than p'(0+) for log and lp,
 * whose slope at 0 keeps every entry at 0 that is there. */
#include "structured/graph_penalty.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "problem/shape_unit.h"
#include "settings/registry.h"

/* The least t, up to p'(0+), that is not made 0: by halves, in the digits of a double. */
static double least_kept(const struct penalty *penalty, double unit)
{
    double low = 0.0, high = dcpn_penalty_reference_slope(penalty);
    double step = unit > 0.0 ? unit : 1.0; /* 1 / curvature */
    if (penalty->ops->convex || !penalty->ops->prox || !(penalty->base_lambda > 0.0)) return high;
    for (int half = 0; half < 60; half++) {
        double t = low + 0.5 * (high - low);
        *(penalty->ops->prox(&penalty->shape, penalty->base_lambda, step, step * t) > 0.0 ? &high : &low) = t;
    }
    return high;
}

void dcpn_graph_penalty_at(struct graph_penalty *h, double scale, const dcpn_settings *s)
{
    const dcpn_penalty_ops *ops = h->penalty.ops;
    double unit = 1.0 / (scale * scale);
    int has_unit = strcmp(s->shape_units, "raw") != 0 && ops->to_raw;
    h->penalty.shape = dcpn_shape_in(has_unit ? unit : 0.0, ops, NULL, s);
    h->penalty.base_lambda = s->lambda;
    h->start_slope = least_kept(&h->penalty, unit);
    dcpn_penalty_prepare(&h->penalty);
}

const dcpn_penalty_ops *dcpn_graph_penalty_begin_l1(struct graph_penalty *h)
{
    const dcpn_penalty_ops *chosen = h->penalty.ops;
    h->penalty.ops = &dcpn_penalty_l1;
    h->penalty.base_lambda = h->start_slope;
    dcpn_penalty_prepare(&h->penalty);
    return chosen;
}

void dcpn_graph_penalty_end_l1(struct graph_penalty *h, const dcpn_penalty_ops *chosen, double lambda)
{
    h->penalty.ops = chosen;
    h->penalty.base_lambda = lambda;
    dcpn_penalty_prepare(&h->penalty);
}

int dcpn_graph_penalty_is_bounded(const struct graph_penalty *h)
{
    const struct penalty *penalty = &h->penalty;
    if (!(penalty->base_lambda > 0.0)) return 1;
    for (int64_t i = 0; !h->is_uniform && i < h->variables; i++)
        for (int64_t j = 0; j < i; j++)
            if (h->factors[i * h->variables + j] == 0.0) return 1;
    return !(penalty->ops->value(&penalty->shape, penalty->base_lambda, 1e200) >
             penalty->ops->value(&penalty->shape, penalty->base_lambda, 1e100));
}

static dcpn_status take_factors(dcpn_context *context, int64_t variables, const dcpn_graph_options *options,
                                struct graph_penalty *h)
{
    int64_t count = h->is_uniform ? 2 : variables * variables;
    h->factors = dcpn_allocate(context, (size_t)count, sizeof *h->factors);
    if (!h->factors) return DCPN_MEMORY;
    if (h->is_uniform) {
        h->factors[0] = 1.0;
        h->factors[1] = options->penalize_diagonal ? 1.0 : 0.0;
        return DCPN_OK;
    }
    for (int64_t i = 0; i < variables; i++)
        for (int64_t j = 0; j < variables; j++) {
            double factor = options->factors[i * variables + j];
            if (!(factor >= 0.0) || !isfinite(factor) || factor != options->factors[j * variables + i])
                return dcpn_fail(context, DCPN_DATA,
                                 "penalty factors: found %g for the pair %lld, %lld and %g for %lld, %lld; expected the same "
                                 "number of at least 0",
                                 factor, (long long)i + 1, (long long)j + 1, options->factors[j * variables + i],
                                 (long long)j + 1, (long long)i + 1);
            h->factors[i * variables + j] = i == j && !options->penalize_diagonal ? 0.0 : factor;
        }
    return DCPN_OK;
}

dcpn_status dcpn_graph_penalty_new(dcpn_context *context, int64_t variables, double scale, const dcpn_settings *settings,
                                   const dcpn_graph_options *options, struct graph_penalty *h)
{
    struct arena spare = {0};
    *h = (struct graph_penalty){.variables = variables, .is_uniform = options->factors == NULL};
    DCPN_TRY(take_factors(context, variables, options, h));
    int64_t terms = h->is_uniform ? 2 : variables * variables;
    h->penalty = (struct penalty){
        .ops = dcpn_find_penalty(settings->penalty), .factors = h->factors, .features = terms, .size = terms};
    dcpn_penalty_layout(&h->penalty, &h->arena);
    DCPN_TRY(dcpn_arena_allocate(context, &h->arena, &spare));
    dcpn_penalty_layout(&h->penalty, &h->arena);
    dcpn_graph_penalty_at(h, scale, settings);
    return DCPN_OK;
}

void dcpn_graph_penalty_free(dcpn_context *context, struct graph_penalty *h)
{
    dcpn_arena_free(context, &h->arena);
    dcpn_free(context, h->factors);
    h->factors = NULL;
}
