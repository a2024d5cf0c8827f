/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks: which coordinates share a term of the penalty, and how a block is composed of the scalar p.
 *
 * Without blocks each coordinate has a term of its own, p(|x_j|), and penalty.c does all there is to do. With them a
 * composition says what h is. Every coordinate but an intercept belongs to at least one block. */
#ifndef DCPN_SRC_BLOCKS_H
#define DCPN_SRC_BLOCKS_H

#include <stdint.h>

#include "base/arena.h"

struct penalty;

struct blocks {
    int64_t count;
    const int64_t *start; /* block b has the coordinates member[start[b]] .. member[start[b + 1] - 1], ascending */
    const int64_t *member;
    const double *weight; /* of lambda, one per block */
    const double *extent; /* the size of the group as given: empty columns count, which are no members */
    double *lambda, *c;   /* of a block's own term, where the composition has one besides those of the coordinates */
};

/* A feature in several groups. */
enum overlap {
    DCPN_OVERLAP_REFUSED,
    DCPN_OVERLAP_SHARED, /* its coordinate belongs to several blocks */
    DCPN_OVERLAP_NESTED, /* likewise, and of two of them one holds the other and stands behind it */
    DCPN_OVERLAP_COPIED  /* each block has a copy of the feature, so that blocks share no coordinate */
};

/* Bounds of coordinates, as far as they leave the prox of h1 simple. */
enum box {
    DCPN_BOX_REFUSED,
    DCPN_BOX_CONE, /* each bound is 0 or infinite: what is left of x after the projection is shrunk as it is without */
    DCPN_BOX_ANY
};

struct composition {
    const char *name, *formula;
    int separable_h1; /* h1 = sum_j c_j |x_j| */
    enum overlap overlap;
    int has_prox;     /* the prox of the whole h follows from that of p */
    enum box box;
    int two_terms;    /* h has terms of coordinates, by lambda[j] and c[j], and of norms, by those of the blocks */
    int takes_inner;  /* coefficients of a block may have a penalty of their own */
    void (*prepare)(struct penalty *); /* fills lambda and c, those of the blocks as well */
    double (*value)(const struct penalty *, const double *x);
    double (*h1_change)(const struct penalty *, const double *x, const double *d); /* NULL where h1 is separable */
    double (*change)(const struct penalty *, const double *x, const double *d, double t);
    void (*linearize)(const struct penalty *, const double *x, const double *g, double *z); /* z is 0 before */
    void (*prox1)(const struct penalty *, const double *x, double step, double *out);       /* likewise */
    void (*prox)(const struct penalty *, const double *x, double step, double *out);        /* with has_prox only */
    void (*bend)(const struct penalty *, const double *x,
                 double *out); /* out is 0 before. NULL: the model goes without */
    /* c and, where norms have terms of their own, those of the blocks of a convex h1 that touches h at x from above: p'
     * there; at a kink the side with the larger violation, g being grad f, or without g the right one. */
    void (*slopes)(const struct penalty *, const double *x, const double *g, double *c, double *block_c);
    /* How far 0 is from grad F in each coordinate; where a block has a violation as a whole, its coordinates all have
     * that one. */
    void (*violations)(const struct penalty *, const double *x, const double *g, double *out);
    /* 1 for each coordinate that is to stay among those looked at: its block is in use, or is not penalised. */
    void (*mark_in_use)(const struct penalty *, const double *x, double *out);
    /* The least factor of h1 at which x = 0 is stationary, grad f there being g; coordinates without penalty do not
     * count. */
    double (*steepness)(const struct penalty *, const double *g);
};

extern const struct composition dcpn_composition_norm, dcpn_composition_sum, dcpn_composition_sparse,
    dcpn_composition_latent, dcpn_composition_tree;
extern const struct composition dcpn_composition_entry; /* a name: what a penalty without a composition is */

static inline int64_t dcpn_block_size(const struct blocks *blocks, int64_t b)
{
    return blocks->start[b + 1] - blocks->start[b];
}

static inline const int64_t *dcpn_block_members(const struct blocks *blocks, int64_t b)
{
    return blocks->member + blocks->start[b];
}

/* Space for the blocks of a problem on some of the coordinates. */
struct block_room {
    int64_t *start, *member, *position;
    double *weight, *extent, *lambda, *c;
};
void dcpn_blocks_layout(const struct penalty *penalty, struct block_room *room, struct arena *arena);
/* The blocks of `from` on the coordinates S, ascending, become those of `to`; lambda and c come along. */
void dcpn_blocks_restrict(const struct penalty *from, const int64_t *S, int64_t count, const struct block_room *room,
                          struct penalty *to);

#endif
