/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine with a squared hinge and a ridge on all features, by coordinate descent on its dual. */
#ifndef DCPN_SRC_RIDGE_SVM_DUAL_H
#define DCPN_SRC_RIDGE_SVM_DUAL_H

#include "matrix/matrix.h"

struct ridge_svm {
    dcpn_context *context;
    const dcpn_matrix *A;
    const double *offset; /* NULL: none */
    double ridge;
    double *x;        /* a coefficient for each column, and room for one more */
    double constant;  /* the intercept */
    double *y, *w;    /* -1 or +1, and a weight, of each row: the caller's to fill, also between two visits */
    double *dual;     /* of each row: x = sum_i dual_i a_i */
    double *square;   /* |a_i|^2 */
    double *score;    /* a_i'x + offset_i of each row, as it was last visited or scored */
    int64_t *columns; /* of the row at hand */
    double *values;   /* and its entries */
    int64_t touched;  /* entries of A */
};

/* Makes a machine that has no coefficient, label or weight yet. A and offset are borrowed. */
dcpn_status dcpn_ridge_svm_new(dcpn_context *context, const dcpn_matrix *A, const double *offset,
                                   struct ridge_svm **machine);
void dcpn_ridge_svm_free(struct ridge_svm *machine);
/* The mean of |a_i|^2. */
double dcpn_ridge_svm_mean_square(const struct ridge_svm *machine);
/* Sets the dual coefficient of a row with a weight above 0 to its best value; returns how far it went, on the scale
 * of a score. */
double dcpn_ridge_svm_visit(struct ridge_svm *machine, int64_t row);
/* Computes the scores of all rows anew, since the score of a visit is older than what came after it. */
void dcpn_ridge_svm_score(struct ridge_svm *machine);
/* Fits the best constant for the scores at hand. */
void dcpn_ridge_svm_fit_constant(struct ridge_svm *machine);

#endif
