/* SPDX-License-Identifier: BSD-3-Clause */
/* X' as a view of X: its two products change places. */
#include "structured/transposed.h"

static int64_t apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    const dcpn_matrix *inner = ((const struct transposed *)matrix)->inner;
    return inner->ops->adjoint(inner, x, u);
}

static int64_t adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    const dcpn_matrix *inner = ((const struct transposed *)matrix)->inner;
    return inner->ops->apply(inner, r, g);
}

static const struct matrix_ops transposed_ops = {.apply = apply, .adjoint = adjoint};

void dcpn_matrix_transposed(struct transposed *view, const dcpn_matrix *inner)
{
    view->base = (dcpn_matrix){.ops = &transposed_ops,
                               .context = inner->context,
                               .rows = inner->columns,
                               .columns = inner->rows,
                               .entries = inner->entries};
    view->inner = inner;
}
