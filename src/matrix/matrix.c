/* SPDX-License-Identifier: BSD-3-Clause */
/* What the public interface shows of any matrix. */
#include "matrix/matrix.h"

#include "matrix/dense.h"

int64_t dcpn_matrix_rows(const dcpn_matrix *matrix)
{
    return matrix ? matrix->rows : 0;
}

int64_t dcpn_matrix_columns(const dcpn_matrix *matrix)
{
    return matrix ? matrix->columns : 0;
}

int64_t dcpn_matrix_entries(const dcpn_matrix *matrix)
{
    return matrix ? matrix->entries : 0;
}

int dcpn_matrix_is_dense(const dcpn_matrix *matrix)
{
    struct dense_view view;
    return matrix && dcpn_dense_view(matrix, &view);
}

void dcpn_matrix_apply(const dcpn_matrix *matrix, const double *x, double *u)
{
    if (matrix && x && u) matrix->ops->apply(matrix, x, u);
}

void dcpn_matrix_adjoint(const dcpn_matrix *matrix, const double *r, double *g)
{
    if (matrix && r && g) matrix->ops->adjoint(matrix, r, g);
}

int64_t dcpn_matrix_row(const dcpn_matrix *matrix, int64_t row, int64_t *columns, double *values)
{
    return matrix && columns && values ? matrix->ops->row(matrix, row, columns, values) : 0;
}

void dcpn_matrix_free(dcpn_matrix *matrix)
{
    if (matrix) matrix->ops->free(matrix);
}
