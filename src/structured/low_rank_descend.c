/* SPDX-License-Identifier: BSD-3-Clause */
/* The descent: a step by the prox, which finds directions and takes none that raises F, then least squares for the two
 * factors, which go far where the prox goes slowly, because few entries are seen. A penalty that is not convex begins
 * where l1 ends. */
#include <float.h>
#include <math.h>

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "structured/completion.h"

struct course {
    struct low_rank *x;
    const dcpn_settings *settings;
    const dcpn_complete_options *options;
    double started_at, goal, F;
    double t; /* of the last step that was taken */
};

/* The quick look at the certificate is enough to go on, not to end. */
static double violation_of(const struct course *c)
{
    double violation = dcpn_low_rank_violation(c->x, LOW_RANK_ROUNDS);
    return violation <= c->goal ? dcpn_low_rank_violation(c->x, LOW_RANK_MOST_ROUNDS) : violation;
}

static int should_end(const struct course *c, struct completion_end *end)
{
    const dcpn_settings *s = c->settings;
    const dcpn_complete_options *o = c->options;
    int is_told = o->observer && o->observer(o->user, c->x->penalty.base_lambda, end->iterations, c->F, end->violation);
    end->outcome = end->violation <= c->goal                         ? DCPN_CONVERGED
                   : is_told || dcpn_is_interrupted(c->x->context)   ? DCPN_INTERRUPTED
                   : end->iterations >= s->max_iter                  ? DCPN_MAX_ITERATIONS
                   : dcpn_clock_s() - c->started_at >= s->max_time_s ? DCPN_MAX_TIME
                                                                     : DCPN_NOT_RUN;
    return end->outcome != DCPN_NOT_RUN;
}

/* Keeps what has been tried if F is no higher. */
static int keep_if_lower(struct course *c, int64_t rank_before)
{
    dcpn_low_rank_look(c->x);
    double F = dcpn_low_rank_value(c->x);
    if (F <= c->F) {
        c->F = F;
        return 1;
    }
    dcpn_low_rank_go_back(c->x, rank_before);
    return 0;
}

/* Begins twice as long as the last one. A step of length 1 that raises F was not exact: more rounds make it so. */
static int step(struct course *c)
{
    double longest = (double)c->x->seen.rows * (double)c->x->seen.columns / (double)c->x->seen.count;
    int64_t rounds = LOW_RANK_ROUNDS;
    for (c->t = fmin(2.0 * c->t, longest); rounds <= LOW_RANK_MOST_ROUNDS;) {
        int64_t rank;
        if (dcpn_is_interrupted(c->x->context)) return 0;
        dcpn_low_rank_keep(c->x, &rank);
        dcpn_low_rank_prox_step(c->x, c->t, rounds);
        if (keep_if_lower(c, rank)) return 1;
        if (c->t <= 1.0) rounds *= 4;
        c->t = fmax(0.5 * c->t, 1.0);
    }
    return 0;
}

/* Least squares for one factor after the other while X is still far off, then Newton's steps for both. */
static dcpn_status refine(struct course *c, double violation)
{
    int64_t rank;
    if (dcpn_is_interrupted(c->x->context)) return DCPN_OK;
    if (violation <= LOW_RANK_NEAR * c->x->penalty.c[0]) return dcpn_low_rank_newton(c->x, &c->F);
    dcpn_low_rank_keep(c->x, &rank);
    DCPN_TRY(dcpn_low_rank_squares(c->x));
    keep_if_lower(c, rank);
    return DCPN_OK;
}

static dcpn_status check_room(const struct low_rank *x)
{
    if (x->rank <= x->allowed) return DCPN_OK;
    return dcpn_fail(x->context, DCPN_USAGE,
                     "--most-rank: found a matrix of more than %lld singular values at lambda %g; expected a larger "
                     "lambda, or more of them to be allowed",
                     (long long)x->allowed, x->penalty.base_lambda);
}

static dcpn_status descend(struct course *c, struct completion_end *end)
{
    dcpn_low_rank_look(c->x);
    c->F = dcpn_low_rank_value(c->x);
    c->t = HUGE_VAL;
    end->goal = c->goal;
    for (end->iterations = 0;; end->iterations++) {
        double before = c->F;
        if (!isfinite(c->F))
            return dcpn_fail(c->x->context, DCPN_DATA, "the objective is not finite; are the entries scaled sensibly?");
        end->violation = violation_of(c);
        if (should_end(c, end)) return DCPN_OK;
        int moved = step(c);
        DCPN_TRY(check_room(c->x));
        DCPN_TRY(refine(c, end->violation));
        if (moved || c->F < before || dcpn_is_interrupted(c->x->context)) continue;
        end->outcome = DCPN_STALLED;
        return DCPN_OK;
    }
}

static void copy_factors(const struct low_rank *x, int64_t rank, double *const from[3], double *const to[3])
{
    dcpn_copy(x->seen.rows * rank, from[0], to[0]);
    dcpn_copy(x->seen.columns * rank, from[1], to[1]);
    dcpn_copy(rank, from[2], to[2]);
}

/* l1 goes on from where it has ended at the lambda before. */
static dcpn_status start_by_l1(struct course *c)
{
    struct low_rank *x = c->x;
    const dcpn_penalty_ops *chosen = x->penalty.ops;
    struct completion_end end;
    struct course rough = *c;
    double lambda = x->penalty.base_lambda;
    double *const X[] = {x->U, x->V, x->sigma}, *const kept[] = {x->l1.U, x->l1.V, x->l1.sigma};
    if (chosen->convex) return DCPN_OK;
    x->rank = x->l1.rank;
    copy_factors(x, x->rank, kept, X);
    x->penalty.ops = &dcpn_penalty_l1;
    x->penalty.base_lambda = x->start_slope;
    dcpn_penalty_prepare(&x->penalty);
    rough.goal = fmax(c->settings->tol, LOW_RANK_START_TOL) * x->start_slope;
    dcpn_status status = descend(&rough, &end);
    x->l1.rank = x->rank;
    copy_factors(x, x->rank, X, kept);
    x->penalty.ops = chosen;
    x->penalty.base_lambda = lambda;
    dcpn_penalty_prepare(&x->penalty);
    return status;
}

dcpn_status dcpn_low_rank_descend(struct low_rank *x, const dcpn_settings *settings,
                                  const dcpn_complete_options *options, double started_at, struct completion_end *end)
{
    struct course c = {.x = x, .settings = settings, .options = options, .started_at = started_at};
    c.goal = settings->tol * fmin(dcpn_penalty_reference_slope(&x->penalty), x->start_slope);
    *end = (struct completion_end){
        .lambda = x->penalty.base_lambda, .held_out_error = (double)NAN, .lambda_max = (double)NAN};
    DCPN_TRY(dcpn_refuse_infinite_penalty(x->context, &x->penalty));
    if (x->has_sparse) DCPN_TRY(dcpn_refuse_infinite_penalty(x->context, &x->sparse_penalty));
    DCPN_TRY(start_by_l1(&c));
    DCPN_TRY(descend(&c, end));
    end->loss_value = dcpn_low_rank_loss(x);
    end->sparse_value = dcpn_low_rank_sparse_value(x);
    end->penalty_value = dcpn_low_rank_penalty_value(x);
    return DCPN_OK;
}

double dcpn_low_rank_lambda_max(struct low_rank *x, const dcpn_settings *settings)
{
    dcpn_settings s = *settings;
    x->rank = 0;
    dcpn_low_rank_look(x);
    double norm = dcpn_low_rank_norm_of_rest(x, LOW_RANK_MOST_ROUNDS), low = 0.0, high = norm;
    for (int doubled = 0; doubled < 1000; doubled++, high *= 2.0) {
        s.lambda = high;
        dcpn_low_rank_at(x, &s);
        if (x->start_slope >= norm) break;
    }
    for (int half = 0; half < 60; half++) {
        s.lambda = low + 0.5 * (high - low);
        dcpn_low_rank_at(x, &s);
        *(x->start_slope >= norm ? &high : &low) = s.lambda;
    }
    dcpn_low_rank_at(x, settings);
    return high;
}
