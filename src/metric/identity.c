/* SPDX-License-Identifier: BSD-3-Clause */
/* H_k = L_k I, by three rules for L_k:
 *     identity               L_k = L, the Lipschitz constant of grad f1 (an estimate; a bound under --majorize)
 *     identity-backtracked   L_k = L_{k-1} / t after a step t < 1, else somewhat less than L_{k-1}
 *     barzilai-borwein       L_k = s'y / s's, s = x_k - x_{k-1}, y = grad f1(x_k) - grad f1(x_{k-1}) */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "metric/metric.h"

struct identity {
    struct metric metric;
    double L, first_L;
    double *x, *gradient1; /* barzilai-borwein: of the previous point */
    double *scratch_size, *scratch_rows;
    double *bound_space; /* with --majorize */
};

static struct identity *identity_of(struct metric *metric)
{
    return (struct identity *)metric;
}

static const char *refuse_majorize(const struct loss *loss, const struct metric_settings *settings)
{
    (void)loss;
    return settings->majorize ? "this rule for L does not majorise f1; --majorize works with identity and hessian"
                              : NULL;
}

static const char *refuse_unknown_lipschitz(const struct loss *loss, const struct metric_settings *settings)
{
    (void)settings;
    return dcpn_loss_curvature1_sup(loss) > 0.0 ? NULL
                                                : "identity needs the Lipschitz constant of grad f1, which this f does "
                                                  "not give; use identity-backtracked";
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct identity *H = identity_of(metric);
    int keeps_pair = metric->ops->f1_apart;
    H->x = dcpn_arena_doubles(arena, keeps_pair ? metric->size : 0);
    H->gradient1 = dcpn_arena_doubles(arena, keeps_pair ? metric->size : 0);
    H->scratch_size = dcpn_arena_doubles(arena, metric->size);
    H->scratch_rows = dcpn_arena_doubles(arena, metric->objective->rows);
    int64_t room = metric->settings.majorize ? dcpn_objective_lipschitz_space(metric->objective) : 0;
    H->bound_space = dcpn_arena_scratch(arena, room);
}

static void prepare(struct metric *metric)
{
    identity_of(metric)->L = 0.0;
}

static void state_of(struct metric *metric, struct state *state)
{
    struct identity *H = identity_of(metric);
    DCPN_STATE(state, H->L);
    DCPN_STATE(state, H->first_L);
    if (!metric->ops->f1_apart) return;
    DCPN_STATE_ARRAY(state, H->x, metric->size);
    DCPN_STATE_ARRAY(state, H->gradient1, metric->size);
}

static void update_fixed(struct metric *metric, const struct point *point, double t)
{
    struct identity *H = identity_of(metric);
    (void)point;
    if (H->L > 0.0 && (t == 1.0 || metric->settings.majorize)) return;
    if (H->L > 0.0) { /* the estimate was too low for this step */
        H->L *= 2.0;
        metric->safeguards++;
    } else if (metric->settings.majorize) {
        H->L = dcpn_objective_lipschitz_bound(metric->objective, H->bound_space);
    } else {
        double estimate = dcpn_objective_lipschitz_estimate(metric->objective, H->scratch_size, H->scratch_rows);
        H->L = IDENTITY_MARGIN * estimate;
    }
    if (!(H->L > 0.0)) H->L = 1.0; /* A = 0 */
}

static void update_backtracked(struct metric *metric, const struct point *point, double t)
{
    struct identity *H = identity_of(metric);
    if (H->L == 0.0)
        H->L = dcpn_objective_first_curvature(metric->objective, point, H->scratch_rows);
    else
        H->L *= t < 1.0 ? 1.0 / t : IDENTITY_RELAXATION;
}

static void update_barzilai_borwein(struct metric *metric, const struct point *point, double t)
{
    struct identity *H = identity_of(metric);
    double ss = 0.0, sy = 0.0;
    (void)t;
    for (int64_t j = 0; j < metric->size; j++) {
        double s = point->x[j] - H->x[j], y = point->gradient1[j] - H->gradient1[j];
        ss += s * s;
        sy += s * y;
    }
    if (H->L == 0.0) {
        H->L = H->first_L = dcpn_objective_first_curvature(metric->objective, point, H->scratch_rows);
    } else if (ss > 0.0) {
        double L = fmin(fmax(sy / ss, H->first_L / IDENTITY_RANGE), H->first_L * IDENTITY_RANGE);
        metric->safeguards += L != sy / ss;
        H->L = L;
    }
    dcpn_copy(metric->size, point->x, H->x);
    dcpn_copy(metric->size, point->gradient1, H->gradient1);
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    for (int64_t j = 0; j < metric->size; j++) Hd[j] = identity_of(metric)->L * d[j];
}

static double bound(const struct metric *metric)
{
    return ((const struct identity *)metric)->L;
}

static double diagonal(const struct metric *metric, int64_t j)
{
    (void)j;
    return bound(metric);
}

static void walk_start(struct metric *metric, const double *d)
{
    (void)metric;
    (void)d;
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    return identity_of(metric)->L * d[j];
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    (void)metric;
    (void)j;
    (void)delta;
}

static double walk_form(const struct metric *metric, const double *d)
{
    return bound(metric) * dcpn_dot(metric->size, d, d);
}

#define SCALED_IDENTITY                                                                                                \
    .state_size = sizeof(struct identity), .share = 0.1, .walk.exists = dcpn_metric_always_walks,                      \
    .layout = layout, .prepare = prepare, .apply = apply, .diagonal = diagonal, .lower_bound = bound,                  \
    .upper_bound = bound, .walk.start = walk_start, .walk.product = walk_product, .walk.move = walk_move,              \
    .walk.form = walk_form, .state = state_of

const struct metric_ops dcpn_metric_identity = {
    .name = "identity",
    .formula = "L I, L the Lipschitz constant of grad f1",
    .refusal = refuse_unknown_lipschitz,
    .update = update_fixed,
    SCALED_IDENTITY,
};

const struct metric_ops dcpn_metric_identity_backtracked = {
    .name = "identity-backtracked",
    .formula = "L_k I, L_k raised after each shortened step",
    .refusal = refuse_majorize,
    .update = update_backtracked,
    SCALED_IDENTITY,
};

const struct metric_ops dcpn_metric_barzilai_borwein = {
    .name = "barzilai-borwein",
    .formula = "L_k I, L_k = s'y / s's",
    .f1_apart = 1,
    .refusal = refuse_majorize,
    .update = update_barzilai_borwein,
    SCALED_IDENTITY,
};
