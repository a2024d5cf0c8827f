/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors under construction: codes C and atoms D, and the products that their blocks are minimised by. */
#ifndef DCPN_SRC_FACTORING_H
#define DCPN_SRC_FACTORING_H

#include "base/arena.h"
#include "dcpn/factor.h"
#include "matrix/matrix.h"
#include "penalty/penalty.h"

struct factoring {
    dcpn_context *context;
    const dcpn_matrix *X;
    int64_t count, length, atoms; /* rows of X, its columns, K */
    int nonnegative_atoms;
    struct penalty penalty; /* of one code */
    struct arena arena;
    double *C; /* count x atoms, code by code */
    double *D; /* atoms x length, atom by atom */
    double *G; /* D D' */
    double *kept; /* of each atom: the least slope at which a coefficient of 0 leaves it */
    double *Q; /* C G - X D', the gradient of the codes, of which CD keeps what it moves current */
    double *A; /* C'C */
    double *B; /* C'X, atom by atom */
    double *numbers, *atom; /* space: one number a row; one atom */
    double *norms2, *left;  /* |x_i|^2; space: what is left of it */
    double *zeros;          /* the lower bounds of codes that are not negative; NULL: codes have none */
};

dcpn_status dcpn_factoring_new(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                               const dcpn_factor_options *options, struct factoring *f);
void dcpn_factoring_free(struct factoring *f);
/* The first copies row i of X. The second makes a vector an atom of length 1, or of 0 if nothing of it can be an
 * atom. */
void dcpn_factoring_row(struct factoring *f, int64_t i, double *row);
void dcpn_factoring_make_atom(const struct factoring *f, double *d);
/* The parts of F: |x_i - c_i D|^2, for which Q must be known; |X - C D|^2 / 2; and sum p(|c_ik|). */
double dcpn_factoring_left(const struct factoring *f, int64_t i);
double dcpn_factoring_loss(const struct factoring *f);
double dcpn_factoring_penalty(const struct factoring *f);

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

/* atoms.c: computes A and B from C. */
void dcpn_atoms_look(struct factoring *f);
/* Returns how far any atom is from its best place at most. */
double dcpn_atoms_violation(struct factoring *f);
/* Moves each atom beyond its best place, by as much as still lowers F. */
void dcpn_atoms_improve(struct factoring *f);
/* Replaces atoms that no code uses by what the codes explain worst. F stays as it is. */
void dcpn_atoms_renew(struct factoring *f);
/* Projects d onto {|d| <= 1}, or onto that and d >= 0. */
void dcpn_atom_project(int64_t length, int nonnegative, double *d);

#endif
