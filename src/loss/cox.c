/* SPDX-License-Identifier: BSD-3-Clause */
/* Cox's partial likelihood of times to events, a loss that is no sum over rows:
 *     phi(u) = sum over instants g of sum_l w_gl log S_gl - sum over events of w_i u_i,   x_i = v_i exp(u_i),
 *     S_gl = sum of x over the rows at risk - (l / m) sum of x over the m events of the instant, l = 0 .. terms - 1
 * Breslow takes the term l = 0 alone with the weight of all events, Efron m terms with the mean of their weights. v are
 * the weights of the rows as given, w = v times the unit of the scale. Slope and Hessian follow from
 *     A_g = sum_l w / S_gl,  C_g = sum_l w (l / m) / S_gl,
 *     slope_i = x_i (sum of A where i is at risk - [event] C) - [event] w_i,
 *     H E = x L E - x (sum of P where i is at risk - [event] R),
 *     P_g = sum_l w (M - (l / m) N) / S_gl^2,  R_g = sum_l w (l / m) (M - (l / m) N) / S_gl^2,
 * L the bracket of the slope, M and N the sums of x E over those at risk and over the events. All of that is cumulative
 * sums: in time proportional to the rows. x L is a diagonal above H, because what is taken from it is positive
 * semidefinite. */
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/vector.h"
#include "loss/loss.h"
#include "loss/survival.h"

static struct survival *survival_of(const dcpn_loss *loss)
{
    return loss->user;
}

/* w / v: 1, or 1 / the weight of all rows. */
static double unit_of(const dcpn_loss *loss)
{
    const struct survival *s = survival_of(loss);
    for (int64_t i = 0; i < s->rows; i++)
        if (s->weight[i] > 0.0) return loss->w[i] / s->weight[i];
    return 1.0;
}

/* Steps do not lead to scores further apart than that, whose exponentials are not numbers side by side: hazards would
 * differ by a factor of 1e260. Beyond the second number F is +infinity. */
static const double WIDEST = 600.0, TOO_WIDE = 650.0;

/* x = v exp(u - top), which no quotient sees; returns top, the largest u of a row of some weight;
 * +infinity: they are too wide apart. */
static double exponentials(const struct survival *s, const double *u, double *x)
{
    double top = -HUGE_VAL, least = HUGE_VAL;
    for (int64_t i = 0; i < s->rows; i++)
        if (s->weight[i] > 0.0) top = fmax(top, u[i]);
    for (int64_t i = 0; i < s->rows; i++)
        if (s->weight[i] > 0.0) least = fmin(least, u[i]);
    if (top - least > TOO_WIDE) return HUGE_VAL;
    for (int64_t i = 0; i < s->rows; i++) x[i] = s->weight[i] > 0.0 ? s->weight[i] * portable_exp(u[i] - top) : 0.0;
    return top;
}

static void sum_events(const struct survival *s, const double *of_rows, double *of_instants)
{
    for (int64_t g = 0; g < s->count; g++) {
        of_instants[g] = 0.0;
        for (int64_t e = s->instants[g].begin; e < s->instants[g].end; e++) of_instants[g] += of_rows[s->events[e]];
    }
}

/* S at l = 0, and D, the sum of x over the events. Returns what exponentials() does. */
static double look(struct survival *s, const double *u)
{
    s->known.is_there = s->known.has_squares = 0;
    double top = exponentials(s, u, s->x);
    if (top == HUGE_VAL) return top;
    dcpn_survival_scatter(s, s->x, s->S);
    sum_events(s, s->x, s->D);
    return top;
}

struct term {
    double share, weight, S; /* l / m, w, S_gl */
};

static inline struct term term_of(const struct survival *s, int64_t g, int64_t l)
{
    const struct instant *at = &s->instants[g];
    double share = (double)l / (double)at->terms;
    /* where rounding has left nothing of a sum, the events are at risk themselves */
    double S = fmax(s->S[g], s->D[g]) - share * s->D[g];
    return (struct term){share, at->weight / (double)at->terms, fmax(S, 1e-300)};
}

static double value(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    struct survival *s = survival_of(loss);
    double sum = 0.0, top = look(s, u);
    (void)begin;
    (void)end;
    if (top == HUGE_VAL) return top;
    for (int64_t g = 0; g < s->count; g++) {
        double logs = 0.0, own = 0.0;
        for (int64_t l = 0; l < s->instants[g].terms; l++) {
            struct term term = term_of(s, g, l);
            logs += term.weight > 0.0 ? term.weight * log(term.S) : 0.0;
        }
        for (int64_t e = s->instants[g].begin; e < s->instants[g].end; e++) {
            int64_t i = s->events[e];
            if (s->weight[i] > 0.0) own += s->weight[i] * (u[i] - top);
        }
        sum += logs - own;
    }
    return unit_of(loss) * sum;
}

/* L, from S and D: into s->scale. */
static void find_scale(struct survival *s)
{
    for (int64_t g = 0; g < s->count; g++) {
        s->M[g] = s->N[g] = 0.0;
        for (int64_t l = 0; l < s->instants[g].terms; l++) {
            struct term term = term_of(s, g, l);
            s->M[g] += term.weight / term.S;
            s->N[g] += term.weight * term.share / term.S;
        }
    }
    dcpn_survival_gather(s, s->M, s->scale);
    for (int64_t i = 0; i < s->rows; i++)
        if (s->at[i] >= 0) s->scale[i] -= s->N[s->at[i]];
}

/* Everything that slopes and products with the Hessian at u are made from, unless it is there. */
static void find_out(struct survival *s, const double *u)
{
    if (s->known.is_there && memcmp(s->known.u, u, (size_t)s->rows * sizeof *u) == 0) return;
    look(s, u);
    find_scale(s);
    dcpn_copy(s->rows, u, s->known.u);
    s->known.is_there = 1;
}

static void slope1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    struct survival *s = survival_of(loss);
    double unit = unit_of(loss);
    (void)begin;
    (void)end;
    find_out(s, u);
    for (int64_t i = 0; i < s->rows; i++) r[i] = unit * (s->x[i] * s->scale[i] - (s->at[i] >= 0 ? s->weight[i] : 0.0));
}

static void curvature1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *c)
{
    struct survival *s = survival_of(loss);
    double unit = unit_of(loss);
    (void)begin;
    (void)end;
    find_out(s, u);
    for (int64_t i = 0; i < s->rows; i++) c[i] = unit * (s->x[i] * s->scale[i]);
}

/* ---- changes ---- */

/* With steps s_i and q = (sum of x (exp(s) - 1)) / S over a risk set, small ones:
 *     slope's + sum_i x_i L_i (exp(s_i) - 1 - s_i) + sum_gl w (log(1 + q) - q)
 * where the first sum is the only one of first order. A step that is the same in all rows changes nothing, so that they
 * are counted from their middle. */
static const double SHORT = 0.25;

static double short_change(const dcpn_loss *loss, const double *u, const double *step)
{
    struct survival *s = survival_of(loss);
    double sum = 0.0;
    look(s, u);
    find_scale(s);
    for (int64_t i = 0; i < s->rows; i++) {
        if (!(s->weight[i] > 0.0)) continue;
        double share = s->x[i] * s->scale[i], beyond = exponential_remainder(step[i]);
        sum += (share - (s->at[i] >= 0 ? s->weight[i] : 0.0)) * step[i] + share * beyond;
        s->x[i] *= step[i] + beyond;
    }
    dcpn_survival_scatter(s, s->x, s->M);
    sum_events(s, s->x, s->N);
    for (int64_t g = 0; g < s->count; g++)
        for (int64_t l = 0; l < s->instants[g].terms; l++) {
            struct term term = term_of(s, g, l);
            double q = (s->M[g] - term.share * s->N[g]) / term.S;
            sum += term.weight * (fabs(q) < 0.5 ? logarithm_remainder(q) : log1p(fmax(q, -1.0 + 1e-16)) - q);
        }
    return unit_of(loss) * sum;
}

struct range {
    double low, high;
};

/* Finds the range of u + t du over the rows that have a weight; u NULL stands for 0. */
static struct range range_of(const struct survival *s, const double *u, const double *du, double t)
{
    struct range range = {HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < s->rows; i++) {
        if (!(s->weight[i] > 0.0)) continue;
        double score = (u ? u[i] : 0.0) + t * du[i];
        range.low = fmin(range.low, score);
        range.high = fmax(range.high, score);
    }
    return range;
}

static double change(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du, double t)
{
    const struct survival *s = survival_of(loss);
    struct range step = range_of(s, NULL, du, t), moved_to = range_of(s, u, du, t);
    double middle = 0.5 * (step.low + step.high), *moved = s->P;
    int is_short = step.high - step.low <= 2.0 * SHORT;
    if (moved_to.high - moved_to.low > WIDEST) return HUGE_VAL;
    for (int64_t i = 0; i < s->rows; i++) moved[i] = is_short ? t * du[i] - middle : u[i] + t * du[i];
    if (is_short) return short_change(loss, u, moved);
    return value(loss, begin, end, moved) - value(loss, begin, end, u);
}

/* ---- the Hessian ---- */

/* With b_k, the sum over l of w (l / m)^k (S_g0 / S_gl)^2, which does not change with E, and M and N in units of S_g0:
 *     P = (b_0 M - b_1 N) / S_g0,  R = (b_1 M - b_2 N) / S_g0
 * so that no S is squared, which may be as small as exp(-650). */
static void find_squares(struct survival *s)
{
    for (int64_t g = 0; g < s->count; g++) {
        double sums[3] = {0.0, 0.0, 0.0}, S = term_of(s, g, 0).S;
        for (int64_t l = 0; l < s->instants[g].terms; l++) {
            struct term term = term_of(s, g, l);
            double part = term.weight * (S / term.S) * (S / term.S);
            for (int k = 0; k < 3; k++, part *= term.share) sums[k] += part;
        }
        for (int k = 0; k < 3; k++) s->known.squares[k][g] = sums[k];
        s->known.inverse[g] = 1.0 / S;
    }
    s->known.has_squares = 1;
}

static void product1(const dcpn_loss *loss, const double *u, const double *E, double *out)
{
    struct survival *s = survival_of(loss);
    const struct known_scores *known = &s->known;
    double unit = unit_of(loss);
    find_out(s, u);
    if (!known->has_squares) find_squares(s);
    for (int64_t i = 0; i < s->rows; i++) out[i] = s->x[i] * E[i];
    dcpn_survival_scatter(s, out, s->M);
    if (s->is_efron) sum_events(s, out, s->N);
    for (int64_t g = 0; g < s->count; g++) {
        double M = s->M[g] * known->inverse[g], N = s->is_efron ? s->N[g] * known->inverse[g] : 0.0;
        s->M[g] = (known->squares[0][g] * M - known->squares[1][g] * N) * known->inverse[g];
        s->N[g] = (known->squares[1][g] * M - known->squares[2][g] * N) * known->inverse[g];
    }
    dcpn_survival_gather(s, s->M, s->P);
    if (s->is_efron)
        for (int64_t i = 0; i < s->rows; i++)
            if (s->at[i] >= 0) s->P[i] -= s->N[s->at[i]];
    for (int64_t i = 0; i < s->rows; i++) out[i] = unit * (s->scale[i] * out[i] - s->x[i] * s->P[i]);
}

/* ---- the hazard of a row of score 0 ---- */

void dcpn_cox_hazards(struct survival *s, const double *u, double *hazards)
{
    double top = look(s, u);
    for (int64_t g = 0; g < s->count; g++) {
        hazards[g] = 0.0;
        for (int64_t l = 0; l < s->instants[g].terms; l++) {
            struct term term = term_of(s, g, l);
            hazards[g] += term.weight / term.S * portable_exp(-top);
        }
    }
}

/* The hazard over that of a row of score 0. */
static double relative_risk(double u)
{
    return portable_exp(u);
}

const dcpn_loss_ops dcpn_loss_cox = {
    .name = "cox",
    .formula = "sum over events of log(sum over rows at risk of exp(u)) - u_i",
    .targets = DCPN_SURVIVAL,
    .value = value,
    .change = change,
    .slope1 = slope1,
    .curvature1 = curvature1,
    .product1 = product1,
    .response.mean = relative_risk,
};
