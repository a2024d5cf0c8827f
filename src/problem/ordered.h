/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows that the loss of ordered classes is a sum over (loss/ordinal.c): the boundary below the class of each row,
 * then the boundary above it, then the gaps between boundaries. */
#ifndef DCPN_SRC_ORDERED_H
#define DCPN_SRC_ORDERED_H

#include "dcpn/base.h"

/* Boundary k lies between the classes k and k + 1, from 0. A row of the first class counts for the boundary below with
 * weight 0, one of the last class likewise for that above; both are taken to be at the nearest boundary there is. */
struct ordered_rows {
    int64_t count; /* of boundaries; 0: the classes have no order */
    int64_t rows;  /* as given */
    int64_t *at;   /* of 2 rows: their boundaries */
    double *start; /* b_k of the model without features, from which the coefficients of boundaries count */
};

/* The labels of rows, some of `count` ascending classes, and room for what is made of them. */
struct ordered_labels {
    const double *label, *offset; /* offset NULL: none */
    const double *classes;
    int64_t rows, count;
    double *y, *w;      /* of all rows of the loss; w is given for the rows as given */
    double *shift;      /* u of all rows of the loss without coefficients */
};
dcpn_status dcpn_ordered_rows_new(dcpn_context *context, const struct ordered_labels *labels,
                                  struct ordered_rows *ordered);
void dcpn_ordered_rows_free(dcpn_context *context, struct ordered_rows *ordered);

#endif
