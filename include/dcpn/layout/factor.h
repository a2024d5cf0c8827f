/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of factor.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_FACTOR_H
#define DCPN_LAYOUT_FACTOR_H

#include "../factor.h"

/* How far a block is from where it cannot be improved, the other being what it is, and how far it may be. */
typedef struct dcpn_block_end {
    double violation, goal;
} dcpn_block_end;

/* Code i has the entries first[i] ... first[i + 1] - 1 of index, the atom, and value. */
typedef struct dcpn_codes {
    int64_t *first, *index;
    double *value;
} dcpn_codes;

/* A penalty with its raw parameters; the text is static. */
typedef struct dcpn_code_penalty {
    const char *name;
    double lambda, theta, a, gamma, p, eps;
    double ridge;
} dcpn_code_penalty;

/* What atoms cost: the penalty of their entries, name NULL: none; and what the bound on each of their lengths costs, as
 * a ridge that would take its place. theta of capped-l1 travels with lambda, so that it is not that of the codes. */
typedef struct dcpn_atom_terms {
    const char *name;
    double lambda, theta, value;
    double *multiplier;
} dcpn_atom_terms;

struct dcpn_factors {
    dcpn_context *context;
    int64_t count, length; /* of codes, one for each row of X (or column); and of an atom */
    int64_t atoms;
    int of_columns, nonnegative_codes, nonnegative_atoms;
    double *atom; /* one after another */
    dcpn_codes codes;
    double objective, loss_value, penalty_value; /* from C and D alone; the penalty of codes, with the ridge */
    dcpn_block_end codes_end;                    /* the largest distance of a c_ik from stationary */
    dcpn_block_end atoms_end;                    /* how far an atom moves to its best place */
    double unexplained;                          /* |X - C D|^2 / |X|^2 */
    int64_t iterations;
    dcpn_outcome outcome;
    double time_s;
    dcpn_code_penalty penalty; /* what makes codes for other rows */
    dcpn_atom_terms of_atoms;
};

#endif
