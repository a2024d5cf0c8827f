/* SPDX-License-Identifier: BSD-3-Clause */
/* The penalty of the entries of a symmetric matrix.
 *
 * Shapes: f has the curvature W_ii W_jj + W_ij^2 along an entry, W = K^-1, and W_ii is S_ii or near it. So the unit of
 * a shape is 1 / (mean of S_ii)^2, which is 1 for correlations.
 *
 * A penalty that is not convex starts where l1 ends, with the slope that the prox of p keeps entries from
 * (penalty_start.h). */
#include "structured/graph_penalty.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "problem/shape_unit.h"
#include "settings/registry.h"
#include "structured/penalty_start.h"

void dcpn_graph_penalty_at(struct graph_penalty *h, double scale, const dcpn_settings *s)
{
    const dcpn_penalty_ops *ops = h->penalty.ops;
    double unit = 1.0 / (scale * scale);
    int has_unit = strcmp(s->shape_units, "raw") != 0 && ops->to_raw;
    h->penalty.shape = dcpn_shape_in(has_unit ? unit : 0.0, ops, NULL, s);
    h->penalty.base_lambda = s->lambda;
    h->start_slope = dcpn_penalty_least_kept(&h->penalty, unit);
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
                return dcpn_fail(
                    context, DCPN_DATA,
                    "penalty factors: found %g for the pair %lld, %lld and %g for %lld, %lld; expected the same number "
                    "of at least 0",
                    factor, (long long)i + 1, (long long)j + 1, options->factors[j * variables + i], (long long)j + 1,
                    (long long)i + 1);
            h->factors[i * variables + j] = i == j && !options->penalize_diagonal ? 0.0 : factor;
        }
    return DCPN_OK;
}

dcpn_status dcpn_graph_penalty_new(dcpn_context *context, int64_t variables, double scale,
                                   const dcpn_settings *settings, const dcpn_graph_options *options,
                                   struct graph_penalty *h)
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
