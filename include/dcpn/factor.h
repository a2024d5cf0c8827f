/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix factorisation with sparse codes: dictionary learning, non-negative factors, sparse principal components. */
#ifndef DCPN_FACTOR_H
#define DCPN_FACTOR_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X is about C D: a code c_i of each row x_i, and K atoms d_k in common, so that
 *     F(C, D) = sum_i |x_i - c_i D|^2 / 2 + ridge/2 |C|^2 + sum_ik p(|c_ik|) + sum_kj p_D(|d_kj|)
 * is small, |d_k| <= 1. p is the penalty of the settings, with their lambda, shape, ridge, tolerance and limits; p_D
 * has the same shape. Entries of X that are DCPN_MISSING are not seen: the squares leave them out. Zeros stand for the
 * defaults. */
typedef struct dcpn_factor_options {
    int64_t atoms;  /* K; 0: 10 */
    int of_columns; /* X' in the place of X: codes belong to features, atoms to rows. Sparse principal components */
    int nonnegative_codes; /* c_ik >= 0 */
    int nonnegative_atoms; /* d_kj >= 0 */
    const char *atom_penalty; /* of the entries of atoms; NULL: that of codes */
    double atom_lambda;       /* 0: they have none */
    int64_t batch; /* so many rows at a time, for more than memory has room for; 0: all at once. Not of columns, and not
                    * with missing entries */
    uint64_t seed; /* of the rows that the atoms begin as, and of the order in which batches come first */
    /* atoms to begin with instead, one after another, whatever the penalty; NULL: rows of X, and where l1 ends then */
    const double *start;
    /* Sees each iteration; not 0: end. NULL: none. Penalties that are not convex start where l1 ends, which it does not
     * see; dcpn_context_interrupt and a poll of the context end that as well. */
    int (*observer)(void *user, int64_t iteration, double objective, double violation);
    void *user;
    int64_t reserved[8]; /* 0: room for members of later versions */
} dcpn_factor_options;

/* Codes and atoms. */
typedef struct dcpn_factors dcpn_factors;

/* Minimises by blocks: codes one coefficient at a time, each to its global minimum, then atoms one at a time. F never
 * rises. */
DCPN_API dcpn_status dcpn_factors_fit(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                                      const dcpn_factor_options *options, dcpn_factors **factors);
DCPN_API void dcpn_factors_free(dcpn_factors *factors);
/* "count" of codes, one for each row of X (or column), "length" of an atom, "atoms"; "of_columns", "nonnegative_codes",
 * "nonnegative_atoms"; "objective" = "loss_value" + "penalty_value", from C and D alone; "codes_violation", the largest
 * distance of a c_ik from stationary, and "codes_goal"; "atoms_violation", how far an atom moves to its best place, and
 * "atoms_goal"; "unexplained", |X - C D|^2 / |X|^2; "iterations", "outcome", "time_s"; "penalty" of codes. 0: there is
 * no such field. */
DCPN_API int dcpn_factors_get(const dcpn_factors *factors, const char *field, dcpn_value *value);
DCPN_API const double *dcpn_factors_atoms(const dcpn_factors *factors); /* one after another */
/* How many entries a code has, and where they and their atoms are. */
DCPN_API int64_t dcpn_factors_code(const dcpn_factors *factors, int64_t code, const int64_t **index,
                                   const double **value);
/* Codes of other rows with the same atoms: rows x atoms numbers, row by row; what is missing is left out. Of factors of
 * columns the scores of other rows on the components, with the ridge of of_atoms.multiplier: those of the rows of the
 * fit come out as they were. */
DCPN_API dcpn_status dcpn_factors_codes(const dcpn_factors *factors, const dcpn_matrix *X, double *codes);
/* JSON (docs/file-formats.md); "-" is standard output or input. */
DCPN_API dcpn_status dcpn_factors_write(const dcpn_factors *factors, const char *path);
/* Does a file begin as factors do? 0 for what can be read but once. */
DCPN_API int dcpn_factors_begin(dcpn_context *context, const char *path);
DCPN_API dcpn_status dcpn_factors_read(dcpn_context *context, const char *path, dcpn_factors **factors);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/factor.h"
#endif
#endif
