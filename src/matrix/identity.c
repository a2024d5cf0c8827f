/* SPDX-License-Identifier: BSD-3-Clause */
/* A = I: then u = x, and a loss of u is any smooth function of x. */
#include <string.h>

#include "matrix/matrix.h"

static int64_t copy(const dcpn_matrix *matrix, const double *from, double *to)
{
    memcpy(to, from, (size_t)matrix->rows * sizeof *to);
    return matrix->rows;
}

static double column_dot(const dcpn_matrix *matrix, int64_t j, const double *r)
{
    (void)matrix;
    return r[j];
}

static void column_axpy(const dcpn_matrix *matrix, int64_t j, double alpha, const double *w, double *u)
{
    (void)matrix;
    u[j] += alpha * w[j];
}

static void column_add(const dcpn_matrix *matrix, int64_t j, double alpha, double *u)
{
    (void)matrix;
    u[j] += alpha;
}

static int64_t column_entries(const dcpn_matrix *matrix, int64_t j)
{
    (void)matrix;
    (void)j;
    return 1;
}

static const struct matrix_ops identity_ops = {
    .apply = copy,
    .adjoint = copy,
    .column_dot = column_dot,
    .column_curvature = column_dot, /* a_jj = 1 */
    .column_axpy = column_axpy,
    .column_add = column_add,
    .column_entries = column_entries,
};

void dcpn_matrix_identity(dcpn_matrix *identity, dcpn_context *context, int64_t size)
{
    *identity = (dcpn_matrix){&identity_ops, context, size, size, size};
}
