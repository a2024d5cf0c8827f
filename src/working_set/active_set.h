/* SPDX-License-Identifier: BSD-3-Clause */
/* An active set around any method: it works on the few columns that matter, and the certificate is that of all. */
#ifndef DCPN_SRC_ACTIVE_SET_H
#define DCPN_SRC_ACTIVE_SET_H

#include "algorithm/algorithm.h"
#include "matrix/summed.h"
#include "working_set/look.h"

struct active_set {
    struct algorithm algorithm; /* x, gradient and certificate on all columns */
    struct algorithm *inner;    /* the method, on the columns S; u is shared */
    struct look *look;          /* at all columns; NULL: they are all read */
    struct effort effort;       /* of this descent */
    struct column_subset A_S;
    int64_t *S;          /* ascending */
    int64_t capacity;    /* columns that can ever be in S */
    struct {
        int64_t now;   /* how many S may have this time, */
        int64_t most;  /* and at any time: on ranks its columns go into a matrix; */
        int in_turns;  /* more are in use or ought to be: S has those that violate stationarity most, */
        int is_beyond; /* unless it would have to have more */
    } room;
    int wants_all;       /* S is to be all columns, until the next descent */
    int is_whole;        /* and was, when the method last worked */
    double sweeps;       /* of the subproblem solver, in one step */
    double *violation, *candidates;
    double *in_use;             /* with blocks: 1 for the columns of those in use */
    struct block_room blocks;   /* those of the penalty on S */
    double stationarity_before; /* one iteration ago; 0: there was none */
    double outside;             /* the largest violation of columns that are not in use */
    struct {
        double *all; /* sum_i w_i a_ij^2 of the columns that have been in S; 0: not known */
        double *S;   /* of those in S */
    } curvature;
    int keeps_products;         /* many descents on nearly the same S: worth room for the products of its columns */
    struct products products;   /* of columns that have been in S */
};

extern const struct algorithm_ops dcpn_active_set_ops;

/* set_columns.c: the columns S of the next iteration, from the last look. */
void dcpn_active_set_choose(struct active_set *s);

static inline int dcpn_set_is_empty(const struct objective *F, int64_t j)
{
    return j < F->features && F->design.A->ops->column_entries(F->design.A, j) == 0;
}

static inline int dcpn_set_is_sparse(const dcpn_matrix *A)
{
    return (double)A->entries < 0.5 * dcpn_matrix_all_rows(A) * (double)A->columns;
}

/* Does the metric learn from its steps? */
static inline int dcpn_set_learns(const struct active_set *s)
{
    return s->inner->H && s->inner->H->ops->remembers_f;
}

/* The look of the active set, which lists more columns the smaller the share is (look.h). */
void dcpn_active_set_look(struct active_set *s, double share);
/* The number of columns that are not empty, which are those that can ever be in S. */
int64_t dcpn_active_set_capacity(const struct objective *objective);
/* Forgets curvatures and products, because the weights of the rows have changed. */
void dcpn_active_set_forget(struct active_set *s);

#endif
