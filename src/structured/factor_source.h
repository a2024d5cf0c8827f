/* SPDX-License-Identifier: BSD-3-Clause */
/* What is factored: X or its transpose, so that its rows are what gets codes, and which of its entries are seen. */
#ifndef DCPN_SRC_FACTOR_SOURCE_H
#define DCPN_SRC_FACTOR_SOURCE_H

#include "structured/seen.h"
#include "structured/transposed.h"

struct factor_source {
    const dcpn_matrix *X; /* what is missing counts as 0 */
    int has_gaps;         /* entries are missing: seen has the others */
    struct seen seen;
    struct arena arena;
    struct transposed view;
    dcpn_matrix *own; /* X, if entries are missing */
};

dcpn_status dcpn_factor_source_take(dcpn_context *context, const dcpn_matrix *X, int of_columns,
                                    struct factor_source *source);
void dcpn_factor_source_free(dcpn_context *context, struct factor_source *source);
/* Computes |x_i|^2 of what gets codes; what is missing counts as 0. */
dcpn_status dcpn_factor_source_measure(dcpn_context *context, const struct factor_source *source, double *norms2);

#endif
