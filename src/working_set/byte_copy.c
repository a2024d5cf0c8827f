/* SPDX-License-Identifier: BSD-3-Clause */
/* Slopes of columns that are known well enough without a reading of A. */
#include "working_set/byte_copy.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "matrix/dense.h"
#include "working_set/byte_copy_kernels.h"

static const double MORE = 1.0 + 1e-9; /* than enough for the rounding of a quotient to a whole number */

/* ---- making ---- */

static int64_t rounded_up(int64_t count, int64_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

static int has_arrays(const struct byte_copy *c)
{
    return c->values && c->unit && c->norm && c->p && c->numbers && c->space;
}

static dcpn_status allocate_arrays(dcpn_context *context, struct byte_copy *c)
{
    size_t count = (size_t)c->room, stride = (size_t)c->stride;
    c->values = dcpn_allocate(context, count * stride, 1);
    c->unit = dcpn_allocate(context, count, sizeof *c->unit);
    c->norm = dcpn_allocate(context, count, sizeof *c->norm);
    c->p = dcpn_allocate(context, stride, sizeof *c->p);
    c->numbers = dcpn_allocate(context, (size_t)c->rows, sizeof *c->numbers);
    c->space = dcpn_allocate(context, 2 * (size_t)c->rows, sizeof *c->space);
    if (!has_arrays(c)) return DCPN_MEMORY;
    size_t used = (size_t)c->count;
    memset(c->values + used * stride, 0, (count - used) * stride);
    memset(c->unit + used, 0, (count - used) * sizeof *c->unit);
    memset(c->norm + used, 0, (count - used) * sizeof *c->norm);
    return DCPN_OK;
}

void dcpn_byte_copy_free(dcpn_context *context, struct byte_copy *c)
{
    if (!c) return;
    dcpn_free(context, c->values);
    dcpn_free(context, c->unit);
    dcpn_free(context, c->norm);
    dcpn_free(context, c->p);
    dcpn_free(context, c->numbers);
    dcpn_free(context, c->space);
    dcpn_free(context, c);
}

static int lies_in_place(const dcpn_matrix *A, struct dense_view *view)
{
    return dcpn_dense_view(A, view) && view->type == DCPN_FLOAT64 && view->layout == DCPN_COLUMN_MAJOR;
}

int dcpn_byte_copy_takes_in_place(const dcpn_matrix *A)
{
    struct dense_view view;
    return lies_in_place(A, &view);
}

/* Writes all numbers of a column, zeros included, to the space of the copy. */
static const double *spread_column(struct byte_copy *c, const dcpn_matrix *A, int64_t j)
{
    double *values = c->space + A->rows;
    int64_t count = A->ops->column(A, j, c->numbers, values);
    dcpn_fill(A->rows, 0.0, c->space);
    for (int64_t k = 0; k < count; k++) c->space[c->numbers[k]] = values[k];
    return c->space;
}

void dcpn_byte_copy_take_some(struct byte_copy *c, const dcpn_matrix *A, int64_t first, int64_t count)
{
    struct dense_view view;
    int in_place = lies_in_place(A, &view);
    int64_t together = in_place ? BYTE_COPY_TOGETHER : 1, end = first + count;
    for (int64_t j = first; j < end; j += together) {
        const double *v = in_place ? (const double *)view.values + j * view.stride : spread_column(c, A, j);
        c->kernels->copy((int)(end - j < together ? end - j : together), A->rows, v, in_place ? view.stride : 0,
                         c->values + j * c->stride, c->stride, c->unit + j, c->norm + j);
    }
}

void dcpn_byte_copy_take(struct byte_copy *c, const dcpn_matrix *A)
{
    dcpn_byte_copy_take_some(c, A, 0, c->count);
}

void dcpn_byte_copy_choose(struct byte_copy *c, const struct byte_copy *all, const int64_t *columns)
{
    for (int64_t k = 0; k < c->count; k++) {
        memcpy(c->values + k * c->stride, all->values + columns[k] * c->stride, (size_t)c->stride);
        c->unit[k] = all->unit[columns[k]];
        c->norm[k] = all->norm[columns[k]];
    }
}

static dcpn_status make(dcpn_context *context, int64_t rows, int64_t count, const struct byte_copy_kernels *kernels,
                        struct byte_copy **coarse)
{
    struct byte_copy *c = *coarse = dcpn_allocate(context, 1, sizeof *c);
    if (!c) return DCPN_MEMORY;
    *c = (struct byte_copy){.rows = rows, .count = count, .kernels = kernels};
    c->stride = rounded_up(rows, BYTE_COPY_BLOCK);
    c->room = rounded_up(count, BYTE_COPY_MANY);
    dcpn_status status = allocate_arrays(context, c);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_byte_copy_free(context, c);
    *coarse = NULL;
    return status;
}

dcpn_status dcpn_byte_copy_new(dcpn_context *context, const dcpn_matrix *A, enum level level, struct byte_copy **coarse)
{
    DCPN_TRY(make(context, A->rows, A->columns, dcpn_byte_copy_kernels(level), coarse));
    dcpn_byte_copy_take(*coarse, A);
    return DCPN_OK;
}

dcpn_status dcpn_byte_copy_room(dcpn_context *context, int64_t rows, int64_t count, struct byte_copy **coarse)
{
    return make(context, rows, count, dcpn_byte_copy_kernels(dcpn_level()), coarse);
}

dcpn_status dcpn_byte_copy_part(dcpn_context *context, const struct byte_copy *all, const int64_t *columns,
                                int64_t count, struct byte_copy **coarse)
{
    DCPN_TRY(make(context, all->rows, count, all->kernels, coarse));
    dcpn_byte_copy_choose(*coarse, all, columns);
    return DCPN_OK;
}

/* ---- a look ---- */

/* Finds p and unit such that r is about unit p, and returns the length of r - unit p. p is so small that no sum of
 * products is too large for 32 bits. */
static double take_slopes(struct byte_copy *c, const double *r, double *unit)
{
    double most = fmin(INT16_MAX, floor((double)INT32_MAX / ((double)BYTE_COPY_MOST * (double)c->rows)));
    double largest = dcpn_norm_max(c->rows, r), scale = most / largest, square = 0.0;
    int is_fine = isfinite(scale) && isfinite(largest);
    *unit = is_fine ? largest / most : 0.0;
    memset(c->p, 0, (size_t)c->stride * sizeof *c->p);
    for (int64_t i = 0; i < c->rows; i++) {
        if (is_fine) c->p[i] = (int16_t)lrint(r[i] * scale);
        double left = r[i] - *unit * c->p[i];
        square += left * left;
    }
    return sqrt(square);
}

int64_t dcpn_byte_copy_read(struct byte_copy *c, const double *r, float *slopes, struct reach *reach)
{
    double unit, left = take_slopes(c, r, &unit), length = sqrt(dcpn_dot(c->rows, r, r));
    double rounding = 4.0 * (double)(c->rows + 8) * DBL_EPSILON + DCPN_BYTE_COPY_ROUNDING;
    *reach = (struct reach){0.5 * MORE * sqrt((double)c->rows) * (length + left), MORE * left + rounding * length};
    c->kernels->read(c, unit, slopes);
    return c->count * c->stride / (int64_t)sizeof(double);
}

int64_t dcpn_byte_copy_list(const struct byte_copy *c, const struct sought *sought, int64_t *columns, double *bounds)
{
    return c->kernels->list(sought, c, columns, bounds);
}
