/* SPDX-License-Identifier: BSD-3-Clause */
/* Ways out of a stationary point, one coordinate at a time, that a linearised penalty does not see. */
#ifndef DCPN_EXPERIMENTS_ESCAPE_H
#define DCPN_EXPERIMENTS_ESCAPE_H

#include "dcpn/dcpn.h"

struct escapes {
    int64_t count; /* coordinates at 0 whose one-dimensional global prox surely lowers F */
    int64_t held;  /* of these, with |grad_j f| <= lambda: a method that linearises h2 leaves them at 0 for ever */
    int64_t drops; /* coordinates not at 0 that would lower F by going there, the others staying where they are */
};

/* |a_j|^2 of every column, to be freed with free; NULL if memory is short. */
double *dcpn_exp_column_squares(const dcpn_matrix *A);

/* Logistic loss, capped-l1. From x_j = 0 to y, F changes by at most q(y) = g_j y + L_j/2 y^2 + lambda min(|y|, theta),
 * g = grad f(x), L_j = |a_j|^2 / 4: counted are the j with min_y q(y) < 0. Drops are exact: the loss of every row is
 * computed with x_j = 0. Returns 0, or 1 if memory is short. */
int dcpn_exp_escapes(const dcpn_matrix *A, const double *labels, const double *squares, double lambda, double theta,
                     const double *x, struct escapes *escapes);

#endif
