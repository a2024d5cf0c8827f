/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested groups: of two that share a feature one holds the other, and each has a term of its norm,
 *     h = sum_g p_g(|x_g|),  h1 = sum_g c_g |x_g|,  z_j = sum of (c_g - p'(|x_g|)) x_j / |x_g| over the groups of j.
 * Blocks stand in the order leaves to root. In that order the proxes of the norms, one after another, are the prox of
 * h1 (Jenatton et al. 2011).
 *
 * How far 0 is from grad f + dh(x): where no group of a coordinate is 0, terms are smooth. On a group that is 0 as a
 * whole dh is the sum of the balls of it and of those inside it, and by Moreau what the same proxes leave of grad f is
 * the distance to that sum. A coordinate has the norm of that over all with the same smallest group.
 *
 * lambda[j] and c[j] are the sums over the groups of a coordinate: what h rises by along it from x = 0. */
#include "base/vector.h"
#include "penalty/norm.h"

enum { BISECTIONS = 200 }; /* more than a double has room for */

static struct term term_of(const struct penalty *h, int64_t b)
{
    return dcpn_term_of(h, h->blocks.lambda[b], h->blocks.c[b]);
}

/* Adds a number to all coordinates of block b. */
static void add_to(const struct blocks *blocks, int64_t b, double number, double *out)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) out[g[i]] += number;
}

static void prepare(struct penalty *h)
{
    const struct blocks *blocks = &h->blocks;
    dcpn_fill(h->size, 0.0, h->lambda);
    dcpn_fill(h->size, 0.0, h->c);
    for (int64_t b = 0; b < blocks->count; b++) {
        double factor = blocks->weight[b] * (h->factors ? h->factors[dcpn_block_term(blocks, b)] : 1.0);
        blocks->lambda[b] = h->base_lambda * factor;
        blocks->c[b] = blocks->lambda[b] > 0.0 ? h->ops->slope0(&h->shape, blocks->lambda[b]) : 0.0;
        add_to(blocks, b, blocks->lambda[b], h->lambda);
        add_to(blocks, b, blocks->c[b], h->c);
    }
}

static double value(const struct penalty *h, const double *x)
{
    double sum = 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        const struct term norm = term_of(h, b);
        double r = dcpn_block_norm(&h->blocks, b, x);
        if (r != 0.0) sum += dcpn_term_value(&norm, r);
    }
    return sum;
}

static double h1_change(const struct penalty *h, const double *x, const double *d)
{
    double sum = 0.0, r;
    for (int64_t b = 0; b < h->blocks.count; b++)
        sum += h->blocks.c[b] * dcpn_block_norm_change(&h->blocks, b, x, d, 1.0, &r);
    return sum;
}

static double change(const struct penalty *h, const double *x, const double *d, double t)
{
    double sum = 0.0, r;
    for (int64_t b = 0; b < h->blocks.count; b++) {
        const struct term norm = term_of(h, b);
        double s = dcpn_block_norm_change(&h->blocks, b, x, d, t, &r);
        if (s != 0.0) sum += dcpn_term_change(&norm, r, s);
    }
    return sum;
}

/* p'(r) of block b, r = |x_g| > 0. At a kink it is that of the side which leaves more of g, if there is g. */
static double slope_at(const struct penalty *h, int64_t b, const double *x, const double *g, double r)
{
    const struct term norm = term_of(h, b);
    const int64_t *member = dcpn_block_members(&h->blocks, b);
    double left = dcpn_term_slope(&norm, r, DCPN_LEFT), right = dcpn_term_slope(&norm, r, DCPN_RIGHT), along = 0.0;
    if (left == right || !g) return right;
    for (int64_t i = 0; i < dcpn_block_size(&h->blocks, b); i++) along += g[member[i]] * (x[member[i]] / r);
    return fabs(along + left) > fabs(along + right) ? left : right;
}

/* out += factor x_g */
static void add_block(const struct blocks *blocks, int64_t b, double factor, const double *x, double *out)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) out[g[i]] += factor * x[g[i]];
}

static void linearize(const struct penalty *h, const double *x, const double *g, double *z)
{
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double r = dcpn_block_norm(&h->blocks, b, x);
        if (r > 0.0) add_block(&h->blocks, b, (h->blocks.c[b] - slope_at(h, b, x, g, r)) / r, x, z);
    }
}

static void slopes(const struct penalty *h, const double *x, const double *g, double *c, double *block_c)
{
    dcpn_fill(h->size, 0.0, c);
    for (int64_t b = 0; b < h->blocks.count; b++) {
        double r = dcpn_block_norm(&h->blocks, b, x);
        block_c[b] = r > 0.0 ? slope_at(h, b, x, g, r) : h->blocks.c[b];
        add_to(&h->blocks, b, block_c[b], c);
    }
}

static void shrink(const struct blocks *blocks, int64_t b, double by, double *x)
{
    double r = dcpn_block_norm(blocks, b, x);
    dcpn_block_scale(blocks, b, r > by ? (r - by) / r : 0.0, x, x);
}

static void prox1(const struct penalty *h, const double *x, double step, double *out)
{
    dcpn_copy(h->features, x, out);
    for (int64_t b = 0; b < h->blocks.count; b++) shrink(&h->blocks, b, step * h->blocks.c[b], out);
}

/* Gives those coordinates of the block that have no smaller one the norm over them. What is done has its sign bit. */
static void take_norm(const struct blocks *blocks, int64_t b, double *out)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    double sum = 0.0;
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++) sum += signbit(out[g[i]]) ? 0.0 : out[g[i]] * out[g[i]];
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++)
        if (!signbit(out[g[i]])) out[g[i]] = -sqrt(sum);
}

static void violations(const struct penalty *h, const double *x, const double *g, double *out)
{
    const struct blocks *blocks = &h->blocks;
    dcpn_copy(h->features, g, out);
    for (int64_t b = 0; b < blocks->count; b++) {
        double r = dcpn_block_norm(blocks, b, x);
        if (r > 0.0) add_block(blocks, b, slope_at(h, b, x, g, r) / r, x, out);
    }
    for (int64_t b = 0; b < blocks->count; b++)
        if (dcpn_block_norm(blocks, b, x) == 0.0) shrink(blocks, b, blocks->c[b], out);
    for (int64_t j = 0; j < h->features; j++) out[j] = fabs(out[j]);
    for (int64_t b = 0; b < blocks->count; b++) take_norm(blocks, b, out);
    for (int64_t j = 0; j < h->features; j++) out[j] = fabs(out[j]);
}

/* Has the block a coordinate that is in use and in no smaller block? */
static int is_used_by_itself(const struct blocks *blocks, int64_t b, const double *x, const double *marks)
{
    const int64_t *g = dcpn_block_members(blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(blocks, b); i++)
        if (x[g[i]] != 0.0 && marks[g[i]] == 0.0) return 1;
    return 0;
}

static void mark_in_use(const struct penalty *h, const double *x, double *out)
{
    dcpn_fill(h->features, 0.0, out);
    for (int64_t b = 0; b < h->blocks.count; b++)
        if (is_used_by_itself(&h->blocks, b, x, out)) dcpn_block_spread(&h->blocks, b, 1.0, out);
    for (int64_t j = 0; j < h->features; j++)
        if (h->c[j] == 0.0) out[j] = 1.0;
}

/* Is the prox of scale h1 at g 0, in all that is penalised? */
static int is_shrunk_away(const struct penalty *h, const double *g, double scale)
{
    for (int64_t j = 0; j < h->features; j++) h->trial[j] = h->c[j] > 0.0 ? g[j] : 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++) shrink(&h->blocks, b, scale * h->blocks.c[b], h->trial);
    return dcpn_norm_max(h->features, h->trial) == 0.0;
}

/* The least scale at which that is so, by bisection: at the largest |g_g| / c_g each norm shrinks its group away. */
static double steepness(const struct penalty *h, const double *g)
{
    double low = 0.0, high = 0.0;
    for (int64_t b = 0; b < h->blocks.count; b++)
        if (h->blocks.c[b] > 0.0) high = fmax(high, dcpn_block_norm(&h->blocks, b, g) / h->blocks.c[b]);
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) break;
        *(is_shrunk_away(h, g, middle) ? &high : &low) = middle;
    }
    return high;
}

const struct composition dcpn_composition_tree = {
    .name = "tree",
    .formula = "sum_g p(|x_g|_2), of two groups that share features one within the other",
    .overlap = DCPN_OVERLAP_NESTED,
    .prepare = prepare,
    .value = value,
    .h1_change = h1_change,
    .change = change,
    .linearize = linearize,
    .prox1 = prox1,
    .slopes = slopes,
    .violations = violations,
    .mark_in_use = mark_in_use,
    .steepness = steepness,
};
