/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix of low rank under construction, X = sum_k sigma_k u_k v_k', and the entries that it is to explain.
 *
 *     F = sum over entries seen of e(y - X) + sum_k p(sigma_k),    e(r) = min_E (r - E)^2 / 2 + p_E(|E|), or r^2 / 2
 *
 * e lies below a parabola of curvature 1 that touches it, (r - E)^2 / 2 + p_E(|E|) with E as it is. So with the
 * residuals R = y - X - E at the entries seen, the prox of h at Z = X + R is a step that cannot raise F; and so does
 * least squares for one side of X = A B' while the other stays. */
#ifndef DCPN_SRC_LOW_RANK_H
#define DCPN_SRC_LOW_RANK_H

#include "base/arena.h"
#include "dcpn/complete.h"
#include "penalty/penalty.h"
#include "structured/seen.h"

/* What steps need while they are made: blocks of up to `most` vectors, by vectors or by rows, and small matrices. */
struct low_rank_space {
    double *left, *right, *left_rows, *right_rows, *small[3];
    double *tried_U, *tried_V, *tried_sigma;
    double *probe, *weight;
    double *seen_product; /* a number for each entry seen */
};

/* Vectors one after another: k of length n is at vectors + k * n. */
struct low_rank {
    dcpn_context *context;
    struct seen seen;
    struct penalty penalty;        /* of a singular value */
    struct penalty sparse_penalty; /* of an entry of E */
    int has_sparse;
    double start_slope; /* of the l1 penalty that others start from, */
    struct {
        int64_t rank; /* and where that ended last; 0 at first */
        double *U, *V, *sigma;
    } l1;
    int64_t rank, most, allowed; /* of X; room; and what is asked for */
    double *U, *V, *sigma;
    double *residual, *sparse; /* R and E, of each entry seen */
    struct low_rank_space space;
    struct arena arena;
};

dcpn_status dcpn_low_rank_new(dcpn_context *context, const dcpn_entries *entries, const dcpn_settings *settings,
                              const dcpn_complete_options *options, double offset, struct low_rank *x);
void dcpn_low_rank_free(struct low_rank *x);
/* At another lambda. */
void dcpn_low_rank_at(struct low_rank *x, const dcpn_settings *settings);

/* low_rank_products.c */
void dcpn_low_rank_look(struct low_rank *x);         /* R and E from X */
double dcpn_low_rank_loss(const struct low_rank *x); /* of R */
double dcpn_low_rank_sparse_value(const struct low_rank *x);
double dcpn_low_rank_penalty_value(const struct low_rank *x); /* of the singular values */
double dcpn_low_rank_value(const struct low_rank *x);         /* F, R and E being known */
/* out = R M and out = R' M for blocks of `count` vectors. */
void dcpn_low_rank_apply(struct low_rank *x, int64_t count, const double *M, double *out);
void dcpn_low_rank_adjoint(struct low_rank *x, int64_t count, const double *M, double *out);
/* X is set aside, and taken back. */
void dcpn_low_rank_keep(struct low_rank *x, int64_t *rank);
void dcpn_low_rank_go_back(struct low_rank *x, int64_t rank);
/* Blocks by rows from blocks by vectors, and back. */
void dcpn_block_by_rows(int64_t n, int64_t count, const double *vectors, double *rows);
void dcpn_block_by_vectors(int64_t n, int64_t count, const double *rows, double *vectors);

/* low_rank_spectrum.c: the vectors become orthonormal, Q, and with upper not NULL vectors = Q upper; what depends on
 * those before it becomes another direction, orthogonal to them. */
void dcpn_vectors_orthonormalize(int64_t n, int64_t count, double *vectors, double *upper);
/* M = U diag(sigma) V' of a small matrix by columns, which becomes U; sigma falls. */
void dcpn_small_svd(int64_t n, double *M, double *sigma, double *V);
/* X becomes the best one of left diag(1) right', blocks of `count` vectors each, which are destroyed. */
void dcpn_low_rank_take_product(struct low_rank *x, int64_t count, double *left, double *right);

/* low_rank_step.c: X becomes the prox of t h at X + t R, as far as so many rounds of the power method find it. */
void dcpn_low_rank_prox_step(struct low_rank *x, double t, int64_t rounds);
/* low_rank_squares.c: least squares for the left factor, then for the right one. */
dcpn_status dcpn_low_rank_squares(struct low_rank *x);
/* low_rank_newton.c: a step for both factors, which does not raise F. */
dcpn_status dcpn_low_rank_newton(struct low_rank *x, double *F);
/* low_rank_certificate.c: how far F is from stationary, R and E being known. */
double dcpn_low_rank_violation(struct low_rank *x, int64_t rounds);
/* The largest singular value of (I - UU') R (I - VV'). */
double dcpn_low_rank_norm_of_rest(struct low_rank *x, int64_t rounds);

#endif
