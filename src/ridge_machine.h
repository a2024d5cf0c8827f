/* SPDX-License-Identifier: BSD-3-Clause */
/* A machine with a squared hinge and a ridge on all features, by coordinate descent on its dual. */
#ifndef DCPN_SRC_RIDGE_MACHINE_H
#define DCPN_SRC_RIDGE_MACHINE_H

#include "matrix/matrix.h"

struct ridge_machine {
    dcpn_context *context;
    const dcpn_matrix *A;
    const double *offset; /* NULL: none */
    double unit;          /* what stands in the column of the constant; 0: there is none */
    double ridge;
    double *x;         /* a coefficient for each column; the constant's last */
    double *y, *w;     /* -1 or +1, and a weight, of each row: the caller's to fill, also between two visits */
    double *dual;      /* of each row: x = sum_i dual_i a_i */
    double *square;    /* |a_i|^2 */
    double *score;     /* of each row as it was last visited */
    int64_t *columns;  /* of the row at hand */
    double *values;    /* and its entries */
    int64_t touched;   /* entries of A */
};

/* x = 0. A and offset are borrowed. */
dcpn_status dcpn_ridge_machine_new(dcpn_context *context, const dcpn_matrix *A, const double *offset, int intercept,
                                   struct ridge_machine **machine);
void dcpn_ridge_machine_free(struct ridge_machine *machine);
/* The mean of |a_i|^2. */
double dcpn_ridge_machine_mean_square(const struct ridge_machine *machine);
/* The best dual coefficient of one row; returns how far it went, on the scale of a score. Of a row without weight the
 * score alone is computed. */
double dcpn_ridge_machine_visit(struct ridge_machine *machine, int64_t row);

#endif
