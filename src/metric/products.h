/* SPDX-License-Identifier: BSD-3-Clause */
/* Products a_i'W a_j of columns, W the same for all descents of a solver: each is computed once. */
#ifndef DCPN_SRC_PRODUCTS_H
#define DCPN_SRC_PRODUCTS_H

#include "matrix/matrix.h"

struct products {
    int64_t most, count; /* columns whose products are kept; there is room for, and so far */
    int64_t *place;      /* of a column of A among them, from 1; 0: not there */
    int64_t *columns;    /* which they are */
    int is_even;         /* all rows weigh the same, and what is kept are the products without the weight */
    double *G;           /* by rows of a triangle */
    double *weighted;    /* space: W a_j */
};

/* Lays out room for the products of up to `most` columns of A at a time. */
void dcpn_products_layout(struct products *products, const dcpn_matrix *A, int64_t most, struct arena *arena);
/* The weights have changed. */
void dcpn_products_forget(struct products *products);
/* G = A_U'diag(w)A_U, for at most `most` columns U. Returns the entries of A that were touched. */
int64_t dcpn_products_gram(struct products *products, const dcpn_matrix *A, const double *w, const int64_t *U,
                           int64_t count, double *G);

#endif
