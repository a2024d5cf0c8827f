/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks by a sum (bi-level; lp of it is the paper's lp-l1 norm): with rho the inner penalty over its slope at 0, or
 * the identity, and f_j the factor of a coordinate,
 *     h = sum_g e_g p(s_g / e_g),  s_g = sum_{j in g} f_j rho(|x_j|),  e_g = half the size of the group, 1 without rho
 * p being that of the block, whose weight is the group's times lambda. The extent e_g makes MCP of MCP flat where all
 * of the group are, as in grpreg's composite MCP. h is concave and ascends in each |x_j|, hence
 *     h1 = sum_j c_j |x_j|,  c_j = f_j sum_{g with j} p_g'(0),      h2 = h1 - h, convex
 *     z_j = (c_j - h_j) sign(x_j),  h_j = rho'(|x_j|) f_j sum_{g with j} p_g'(s_g / e_g), the slope of h in |x_j|
 * h1 is separable, and blocks may overlap. Where x_j is 0 in a block that is not, dh2_j is an interval, [-1, 1] times
 * c_j - h_j: its end against the gradient lets x_j leave 0 as soon as |grad_j f| > h_j, and not only beyond c_j.
 *
 * lambda[j] has f_j. */
#include "base/vector.h"
#include "penalty/scalar.h"

static struct term outer_of(const struct penalty *h, int64_t b)
{
    return dcpn_term_of(h, h->blocks.lambda[b], h->blocks.c[b]);
}

/* rho c, c its slope at 0, which callers divide by. */
static struct term inner_of(const struct penalty *h)
{
    double lambda = h->base_lambda;
    struct term inner = {.ops = h->inner, .shape = &h->shape, .lambda = lambda, .c = 1.0, .is_linear = 1};
    if (!h->inner || h->inner->convex || h->first_only || !(lambda > 0.0)) return inner;
    inner.c = h->inner->slope0(&h->shape, lambda);
    inner.is_linear = 0;
    return inner;
}

static double extent_of(const struct penalty *h, int64_t b)
{
    return h->inner ? 0.5 * h->blocks.extent[b] : 1.0;
}

static void prepare(struct penalty *h)
{
    const struct blocks *blocks = &h->blocks;
    for (int64_t j = 0; j < h->features; j++) {
        h->lambda[j] = h->factors ? h->factors[j] : 1.0;
        h->c[j] = 0.0;
    }
    for (int64_t b = 0; b < blocks->count; b++) {
        const int64_t *g = dcpn_block_members(blocks, b);
        blocks->lambda[b] = blocks->weight[b] * h->base_lambda;
        blocks->c[b] = blocks->lambda[b] > 0.0 ? h->ops->slope0(&h->shape, blocks->lambda[b]) : 0.0;
        for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) h->c[g[i]] += h->lambda[g[i]] * blocks->c[b];
    }
}

/* s_g */
static double sum_of(const struct penalty *h, const struct term *inner, int64_t b, const double *x)
{
    const int64_t *g = dcpn_block_members(&h->blocks, b);
    double sum = 0.0;
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++)
        if (x[g[i]] != 0.0) sum += h->lambda[g[i]] * dcpn_term_value(inner, fabs(x[g[i]]));
    return sum / inner->c;
}

static double linear_value(const struct penalty *h, const double *x)
{
    double sum = 0.0;
    for (int64_t j = 0; j < h->features; j++) sum += h->c[j] * fabs(x[j]);
    return sum;
}

static double value(const struct penalty *h, const double *x)
{
    const struct term inner = inner_of(h);
    double sum = 0.0;
    if (h->first_only) return linear_value(h, x);
    for (int64_t b = 0; b < h->blocks.count; b++) {
        const struct term outer = outer_of(h, b);
        double s = sum_of(h, &inner, b, x), extent = extent_of(h, b);
        if (s > 0.0) sum += extent * dcpn_term_value(&outer, s / extent);
    }
    return sum;
}

/* s_g at x + t d less that at x, term by term. */
static double change_of_sum(const struct penalty *h, const struct term *inner, int64_t b, const double *x,
                            const double *d, double t)
{
    const int64_t *g = dcpn_block_members(&h->blocks, b);
    double sum = 0.0;
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) {
        int64_t j = g[i];
        if (d[j] == 0.0) continue;
        sum += h->lambda[j] * dcpn_term_change(inner, fabs(x[j]), dcpn_absolute_change(x[j], t * d[j]));
    }
    return sum / inner->c;
}

static double linear_change(const struct penalty *h, const double *x, const double *d, double t)
{
    double sum = 0.0;
    for (int64_t j = 0; j < h->features; j++)
        if (d[j] != 0.0) sum += h->c[j] * dcpn_absolute_change(x[j], t * d[j]);
    return sum;
}

static double change(const struct penalty *h, const double *x, const double *d, double t)
{
    const struct term inner = inner_of(h);
    double sum = 0.0;
    if (h->first_only) return linear_change(h, x, d, t);
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double moved = change_of_sum(h, &inner, b, x, d, t), extent = extent_of(h, b);
        if (moved == 0.0) continue;
        const struct term outer = outer_of(h, b);
        sum += extent * dcpn_term_change(&outer, sum_of(h, &inner, b, x) / extent, moved / extent);
    }
    return sum;
}

/* ---- the slopes h_j; at a kink of p or rho those of the side with the larger violation (penalty.c says why) ---- */

static double miss(double x, double g, double slope)
{
    return x == 0.0 ? fmax(fabs(g) - slope, 0.0) : fabs(g + copysign(slope, x));
}

/* h_j, outer being its factor of the blocks. */
static double slope_of(const struct term *inner, double outer, double x, const double *g, int64_t j)
{
    if (x == 0.0) return outer; /* rho' is 1 there */
    double right = outer * (dcpn_term_slope(inner, fabs(x), DCPN_RIGHT) / inner->c);
    double left = outer * (dcpn_term_slope(inner, fabs(x), DCPN_LEFT) / inner->c);
    return g && miss(x, g[j], left) > miss(x, g[j], right) ? left : right;
}

/* p'(s_g / e_g), and c where the sum is 0. */
static double outer_slope(const struct penalty *h, const struct term *inner, int64_t b, const double *x, dcpn_side side)
{
    const struct term outer = outer_of(h, b);
    double t = sum_of(h, inner, b, x) / extent_of(h, b);
    return t > 0.0 ? dcpn_term_slope(&outer, t, side) : outer.c;
}

static void add_to_members(const struct penalty *h, int64_t b, double slope, double *out)
{
    const int64_t *g = dcpn_block_members(&h->blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) out[g[i]] += slope * h->lambda[g[i]];
}

/* Are the slopes of block b further from those of f if they are steeper by `more`? */
static int is_worse_if_steeper(const struct penalty *h, const struct term *inner, int64_t b, double more,
                               const double *x, const double *g, const double *outer)
{
    const int64_t *member = dcpn_block_members(&h->blocks, b);
    double steeper = 0.0, here = 0.0;
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) {
        int64_t j = member[i];
        double a = miss(x[j], g[j], slope_of(inner, outer[j], x[j], g, j));
        double s = miss(x[j], g[j], slope_of(inner, outer[j] + more * h->lambda[j], x[j], g, j));
        here += a * a;
        steeper += s * s;
    }
    return steeper > here;
}

/* h_j. At a kink of p, which capped-l1 has, all of a block take the same side; without g the right one. */
static void fill_slopes(const struct penalty *h, const double *x, const double *g, double *out)
{
    const struct term inner = inner_of(h);
    if (h->first_only) {
        dcpn_copy(h->features, h->c, out);
        return;
    }
    dcpn_fill(h->features, 0.0, out);
    for (int64_t b = 0; b < h->blocks.count; b++) add_to_members(h, b, outer_slope(h, &inner, b, x, DCPN_RIGHT), out);
    for (int64_t b = 0; b < h->blocks.count && g && !h->ops->convex; b++) {
        double more = outer_slope(h, &inner, b, x, DCPN_LEFT) - outer_slope(h, &inner, b, x, DCPN_RIGHT);
        if (more > 0.0 && is_worse_if_steeper(h, &inner, b, more, x, g, out)) add_to_members(h, b, more, out);
    }
    for (int64_t j = 0; j < h->features; j++) out[j] = slope_of(&inner, out[j], x[j], g, j);
}

static void linearize(const struct penalty *h, const double *x, const double *g, double *z)
{
    fill_slopes(h, x, g, z);
    for (int64_t j = 0; j < h->features; j++) z[j] = copysign(h->c[j] - z[j], x[j] == 0.0 ? -g[j] : x[j]);
}

static void violations(const struct penalty *h, const double *x, const double *g, double *out)
{
    fill_slopes(h, x, g, out);
    for (int64_t j = 0; j < h->features; j++) {
        double slope = copysign(out[j], x[j]);
        out[j] = x[j] == 0.0 ? dcpn_penalty_escape(h, j, 0.0, g[j] - out[j], g[j] + out[j])
                             : dcpn_penalty_escape(h, j, x[j], g[j] + slope, g[j] + slope);
    }
}

static void slopes(const struct penalty *h, const double *x, const double *g, double *c, double *block_c)
{
    (void)block_c;
    fill_slopes(h, x, g, c);
    for (int64_t j = h->features; j < h->size; j++) c[j] = h->c[j];
}

static void mark_in_use(const struct penalty *h, const double *x, double *out)
{
    for (int64_t j = 0; j < h->features; j++) out[j] = x[j] != 0.0 || h->c[j] == 0.0;
}

/* h_jj: what couples the coordinates of a block is left out. */
static void bend(const struct penalty *h, const double *x, double *out)
{
    const struct term inner = inner_of(h);
    for (int64_t b = 0; b < h->blocks.count; b++) {
        const struct term outer = outer_of(h, b);
        const int64_t *g = dcpn_block_members(&h->blocks, b);
        double extent = extent_of(h, b), t = sum_of(h, &inner, b, x) / extent;
        if (!(t > 0.0)) continue;
        double bent = dcpn_term_bend(&outer, t) / extent, slope = dcpn_term_slope(&outer, t, DCPN_RIGHT);
        for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) {
            double y = fabs(x[g[i]]), f = h->lambda[g[i]];
            if (y == 0.0) continue;
            double rise = f * (dcpn_term_slope(&inner, y, DCPN_RIGHT) / inner.c);
            out[g[i]] += bent * rise * rise + slope * f * (dcpn_term_bend(&inner, y) / inner.c);
        }
    }
}

static double steepness(const struct penalty *h, const double *g)
{
    double largest = 0.0;
    for (int64_t j = 0; j < h->features; j++)
        if (h->c[j] > 0.0) largest = fmax(largest, dcpn_penalty_escape(h, j, 0.0, g[j], g[j]) / h->c[j]);
    return largest;
}

const struct composition dcpn_composition_sum = {
    .name = "sum",
    .formula = "sum_g p(sum_{j in g} |x_j|), or of the inner penalty",
    .separable_h1 = 1,
    .overlap = DCPN_OVERLAP_SHARED,
    .box = DCPN_BOX_ANY,
    .takes_inner = 1,
    .prepare = prepare,
    .value = value,
    .change = change,
    .linearize = linearize,
    .bend = bend,
    .slopes = slopes,
    .violations = violations,
    .mark_in_use = mark_in_use,
    .steepness = steepness,
};
