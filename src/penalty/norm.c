/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks by their norm: h = sum_g p_g(|x_g|), the weight of p_g being that of the block times lambda.
 *     h1 = sum_g c_g |x_g|,    h2 = sum_g c_g |x_g| - p_g(|x_g|), convex: an increasing convex function of a norm
 *     z_g = (c_g - p'(r)) x_g / r,  r = |x_g|;  0 where x_g is
 * Bounds at 0 belong to h1: they make it a cone, on which the prox of a norm is that of the projected point.
 * All coordinates of a block have its lambda and c. A coordinate of no block of its own is one. */
#include "penalty/norm.h"

#include "base/vector.h"

static void prepare(struct penalty *h)
{
    const struct blocks *blocks = &h->blocks;
    for (int64_t b = 0; b < blocks->count; b++) {
        const int64_t *g = dcpn_block_members(blocks, b);
        double factor = blocks->weight[b] * (h->factors ? h->factors[g[0]] : 1.0), lambda = h->base_lambda * factor;
        double c = lambda > 0.0 ? h->ops->slope0(&h->shape, lambda) : 0.0;
        blocks->lambda[b] = lambda;
        blocks->c[b] = c;
        for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) {
            h->lambda[g[i]] = lambda;
            h->c[g[i]] = c;
        }
    }
}

static double value(const struct penalty *h, const double *x)
{
    double sum = 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double r = dcpn_block_norm(&h->blocks, b, x);
        if (r != 0.0) sum += dcpn_p_value(h, dcpn_block_term(&h->blocks, b), r);
    }
    return sum;
}

/* = t d'(2 x + t d) / (|x + t d| + |x|), which does not cancel; r = |x_g|. */
double dcpn_block_norm_change(const struct blocks *blocks, int64_t b, const double *x, const double *d, double t,
                              double *r)
{
    const int64_t *g = dcpn_block_members(blocks, b), size = dcpn_block_size(blocks, b);
    double squares = 0.0, end = 0.0;
    int moves = 0;
    *r = 0.0;
    for (int64_t i = 0; i < size; i++) moves |= d[g[i]] != 0.0;
    if (!moves) return 0.0;
    *r = dcpn_block_norm(blocks, b, x);
    if (size == 1) return dcpn_absolute_change(x[g[0]], t * d[g[0]]);
    for (int64_t i = 0; i < size; i++) {
        double s = t * d[g[i]], there = x[g[i]] + s;
        squares += s * (2.0 * x[g[i]] + s);
        end += there * there;
    }
    end = sqrt(end);
    return end + *r > 0.0 ? squares / (end + *r) : 0.0;
}

static double h1_change(const struct penalty *h, const double *x, const double *d)
{
    double sum = 0.0, r;
    for (int64_t b = 0; b < h->blocks.count; b++)
        sum += h->c[dcpn_block_term(&h->blocks, b)] * dcpn_block_norm_change(&h->blocks, b, x, d, 1.0, &r);
    return sum;
}

static double change(const struct penalty *h, const double *x, const double *d, double t)
{
    double sum = 0.0, r;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double s = dcpn_block_norm_change(&h->blocks, b, x, d, t, &r);
        if (s != 0.0) sum += dcpn_p_change(h, dcpn_block_term(&h->blocks, b), r, s);
    }
    return sum;
}

double dcpn_block_inward_norm(const struct penalty *h, int64_t b, const double *g)
{
    const int64_t *members = dcpn_block_members(&h->blocks, b);
    double norm = 0.0;
    if (!h->lower) return dcpn_block_norm(&h->blocks, b, g);
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++)
        norm = hypot(norm, dcpn_inward(h, members[i], 0.0, g[members[i]]));
    return norm;
}

void dcpn_block_project(const struct penalty *h, int64_t b, const double *x, double *out)
{
    const int64_t *g = dcpn_block_members(&h->blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) out[g[i]] = dcpn_penalty_clamp(h, g[i], x[g[i]]);
}

/* |g + slope x / r| on the block */
static double residual(const struct penalty *h, int64_t b, const double *x, const double *g, double r, double slope)
{
    const int64_t *members = dcpn_block_members(&h->blocks, b);
    double sum = 0.0;
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) {
        int64_t j = members[i];
        double left = dcpn_inward(h, j, x[j], g[j] + slope * (x[j] / r));
        sum += left * left;
    }
    return sqrt(sum);
}

/* p' at r > 0: at a kink of p the side with the larger violation (penalty.c says why). */
static double slope_at(const struct penalty *h, int64_t b, const double *x, const double *g, double r)
{
    int64_t j = dcpn_block_term(&h->blocks, b);
    double left = dcpn_p_slope(h, j, r, DCPN_LEFT), right = dcpn_p_slope(h, j, r, DCPN_RIGHT);
    if (left == right) return left;
    return residual(h, b, x, g, r, left) > residual(h, b, x, g, r, right) ? left : right;
}

static void linearize(const struct penalty *h, const double *x, const double *g, double *z)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double r = dcpn_block_norm(&h->blocks, b, x);
        const int64_t *members = dcpn_block_members(&h->blocks, b);
        if (r == 0.0) continue;
        double slope = h->c[members[0]] - slope_at(h, b, x, g, r);
        for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) z[members[i]] = slope * (x[members[i]] / r);
    }
}

static double violation(const struct penalty *h, int64_t b, const double *x, const double *g)
{
    double r = dcpn_block_norm(&h->blocks, b, x);
    if (r > 0.0) return residual(h, b, x, g, r, slope_at(h, b, x, g, r));
    double over = dcpn_block_inward_norm(h, b, g) - h->c[dcpn_block_term(&h->blocks, b)];
    return over < 0.0 ? 0.0 : over; /* NaN stays */
}

/* The same number for all coordinates of block b. */
void dcpn_block_spread(const struct blocks *blocks, int64_t b, double number, double *out)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) out[g[i]] = number;
}

static void violations(const struct penalty *h, const double *x, const double *g, double *out)
{
    for (int64_t b = 0; b < h->blocks.count; b++) dcpn_block_spread(&h->blocks, b, violation(h, b, x, g), out);
}

static void mark_in_use(const struct penalty *h, const double *x, double *out)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        int is_free = h->c[dcpn_block_term(&h->blocks, b)] == 0.0;
        dcpn_block_spread(&h->blocks, b, is_free || dcpn_block_norm(&h->blocks, b, x) != 0.0, out);
    }
}

/* out = x times a factor of each block */
void dcpn_block_scale(const struct blocks *blocks, int64_t b, double factor, const double *x, double *out)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) out[g[i]] = factor * x[g[i]];
}

static void prox1(const struct penalty *h, const double *x, double step, double *out)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        dcpn_block_project(h, b, x, out);
        double r = dcpn_block_norm(&h->blocks, b, out), least = step * h->c[dcpn_block_term(&h->blocks, b)];
        dcpn_block_scale(&h->blocks, b, r > least ? (r - least) / r : 0.0, out, out);
    }
}

static void prox(const struct penalty *h, const double *x, double step, double *out)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        dcpn_block_project(h, b, x, out);
        double r = dcpn_block_norm(&h->blocks, b, out), lambda = h->lambda[dcpn_block_term(&h->blocks, b)];
        double end = lambda > 0.0 ? h->ops->prox(&h->shape, lambda, step, r) : r;
        dcpn_block_scale(&h->blocks, b, end == r ? 1.0 : end / r, out, out);
    }
}

static void bend(const struct penalty *h, const double *x, double *out)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double r = dcpn_block_norm(&h->blocks, b, x);
        if (r > 0.0) dcpn_block_spread(&h->blocks, b, dcpn_p_bend(h, dcpn_block_term(&h->blocks, b), r), out);
    }
}

static void slopes(const struct penalty *h, const double *x, const double *g, double *c, double *block_c)
{
    (void)block_c;
    for (int64_t j = h->features; j < h->size; j++) c[j] = h->c[j];
    for (int64_t b = 0; b < h->blocks.count; b++) {
        int64_t j = dcpn_block_term(&h->blocks, b);
        double r = dcpn_block_norm(&h->blocks, b, x);
        double slope = r == 0.0 ? h->c[j] : g ? slope_at(h, b, x, g, r) : dcpn_p_slope(h, j, r, DCPN_RIGHT);
        dcpn_block_spread(&h->blocks, b, slope, c);
    }
}

static double steepness(const struct penalty *h, const double *g)
{
    double largest = 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double c = h->c[dcpn_block_term(&h->blocks, b)];
        if (c > 0.0) largest = fmax(largest, dcpn_block_inward_norm(h, b, g) / c);
    }
    return largest;
}

#define OF_NORMS                                                                                                       \
    .has_prox = 1, .prepare = prepare, .value = value, .h1_change = h1_change, .change = change,                       \
    .linearize = linearize, .prox1 = prox1, .prox = prox, .bend = bend, .slopes = slopes, .violations = violations,    \
    .mark_in_use = mark_in_use, .steepness = steepness

const struct composition dcpn_composition_norm = {
    .name = "norm", .formula = "sum_g p(|x_g|_2)", .box = DCPN_BOX_CONE, OF_NORMS};

const struct composition dcpn_composition_latent = {
    .name = "latent",
    .formula = "the least of sum_g p(|v_g|_2), x the sum of v_g that are 0 outside their group",
    .overlap = DCPN_OVERLAP_COPIED,
    OF_NORMS,
};
