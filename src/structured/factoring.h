/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors under construction: codes C and atoms D, and the products that their blocks are minimised by. */
#ifndef DCPN_SRC_FACTORING_H
#define DCPN_SRC_FACTORING_H

#include "base/arena.h"
#include "dcpn/factor.h"
#include "matrix/matrix.h"
#include "penalty/penalty.h"
#include "structured/factor_source.h"

/* What the minimisation of a block needs while it is made. */
struct factoring_space {
    double *kept; /* of each atom: the least slope at which a coefficient of 0 leaves it */
    double *numbers, *left; /* one number a row; what is left of each row */
    double *atom, *weight;  /* one atom, and the curvature along each of its entries */
    double *rest;           /* X - C D at the entries that are seen, if some are missing */
    int64_t rows;           /* of C and Q: all, or those of a batch */
};

struct factoring {
    dcpn_context *context;
    const dcpn_matrix *X;
    const struct seen *seen;      /* NULL: all entries are */
    int64_t count, length, atoms; /* rows of X, its columns, K */
    int nonnegative_atoms;
    double *ridge;                    /* of the code of each atom */
    struct penalty penalty, of_atoms; /* of one code; of one entry of an atom, lambda 0: it has none */
    struct arena arena;
    struct factoring_space space;
    double *C; /* count x atoms, code by code */
    double *D; /* atoms x length, atom by atom */
    double *G; /* D D' + ridge I */
    double *Q; /* C G - X D', the gradient of the codes, of which CD keeps what it moves current */
    double *A; /* C'C */
    double *B; /* C'X, atom by atom */
    double *norms2; /* |x_i|^2 */
    double *zeros;  /* the lower bounds of codes that are not negative; NULL: codes have none */
};

dcpn_status dcpn_factoring_new(dcpn_context *context, const struct factor_source *source, const dcpn_settings *settings,
                               const dcpn_factor_options *options, struct factoring *f);
void dcpn_factoring_free(struct factoring *f);
/* The first copies row i of X. The second makes a vector an atom of length 1, or of 0 if nothing of it can be an
 * atom. */
void dcpn_factoring_row(struct factoring *f, int64_t i, double *row);
void dcpn_factoring_make_atom(const struct factoring *f, double *d);
/* The parts of F: |x_i - c_i D|^2, for which Q must be known; |X - C D|^2 / 2; the ridge and sum p(|c_ik|) of the
 * codes; and sum p(|d_kj|) of the atoms. */
double dcpn_factoring_left(const struct factoring *f, int64_t i);
double dcpn_factoring_loss(const struct factoring *f);
double dcpn_factoring_penalty(const struct factoring *f);
double dcpn_factoring_atom_penalty(const struct factoring *f);

/* factor_end.c */
struct factor_goals {
    double codes, atoms, little; /* little: a change of F, as a share of it, that ends the work as well; 0: none */
};

struct factor_goals dcpn_factor_goals_of(const struct factoring *f, const dcpn_settings *s);
/* Returns 1 if the work is to end, and sets how it ended. */
int dcpn_factor_should_end(dcpn_context *context, const dcpn_settings *s, const dcpn_factor_options *options,
                           const struct factor_goals *goals, double before, double started_at, dcpn_factors *made);
/* Atoms, what bounds on them cost, and how much is explained. */
dcpn_status dcpn_factor_give_atoms(struct factoring *f, dcpn_factors *made);

/* factor_batches.c: the codes of some rows at a time. */
struct batches;
dcpn_status dcpn_batches_new(struct factoring *f, const dcpn_factor_options *options, struct batches **batches);
void dcpn_batches_free(struct batches *batches);
dcpn_status dcpn_batches_descend(struct batches *b, const dcpn_settings *s, const dcpn_factor_options *options,
                                 double started_at, dcpn_factors *made);
dcpn_status dcpn_batches_give(struct batches *b, dcpn_factors *made);

/* start.c: makes the first atoms of length 1 from rows of X that are unlike one another. */
void dcpn_factoring_start(struct factoring *f, uint64_t seed);
/* Starts at the caller's atoms, brought into their set. */
dcpn_status dcpn_factoring_start_at(struct factoring *f, const double *atoms);

/* codes.c: computes G and Q from C and D. */
void dcpn_codes_look(struct factoring *f);
/* Returns the largest violation of a c_ik; Q must be known. */
double dcpn_codes_violation(struct factoring *f);
/* Improves each code by at most so many sweeps over its coefficients, until none is further than `enough` from
 * stationary. */
void dcpn_codes_minimize(struct factoring *f, double enough, int64_t sweeps);
/* The same for the codes begin .. end, G and Q being theirs; the first finds what it needs of G. */
void dcpn_codes_prepare(struct factoring *f);
void dcpn_codes_minimize_some(const struct factoring *f, int64_t begin, int64_t end, double enough, int64_t sweeps);

/* atoms.c: computes A and B from C. */
void dcpn_atoms_look(struct factoring *f);
/* Returns how far any atom is from its best place at most. */
double dcpn_atoms_violation(struct factoring *f);
/* Moves each atom beyond the best place of its model, by as much as still lowers F. */
void dcpn_atoms_improve(struct factoring *f);
/* Replaces atoms that no code uses by what the codes explain worst. F stays as it is. */
void dcpn_atoms_renew(struct factoring *f);
/* Returns by how much F would fall if atom k were a little longer, over its length: what the bound on it costs. */
double dcpn_atom_multiplier(struct factoring *f, int64_t k);
/* Projects d onto {|d| <= 1}, or onto that and d >= 0. */
void dcpn_atom_project(int64_t length, int nonnegative, double *d);

/* factor_seen.c: the same where entries are missing. The first computes Q, and what is left of X, which the second
 * keeps current, as atoms do that are moved. The third is -grad of the squares along atom k and their curvature along
 * each of its entries; both are 0 where nobody sees it. */
void dcpn_seen_codes_look(struct factoring *f);
void dcpn_seen_codes_minimize(struct factoring *f, double enough, int64_t sweeps);
void dcpn_seen_atom_slope(const struct factoring *f, int64_t k, double *slope, double *weight);
void dcpn_seen_atom_move(struct factoring *f, int64_t k, const double *to);
void dcpn_seen_residual(const struct factoring *f, int64_t i, double *row);
double dcpn_seen_left(const struct factoring *f, int64_t i);

#endif
