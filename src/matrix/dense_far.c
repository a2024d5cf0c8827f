/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a file that does not fit into memory. */
#include "matrix/dense_far.h"

#include "base/vector.h"
#include "matrix/dense_tiles.h"

/* What is asked for at once: long enough for a disk, and little beside any memory. A page has 512 doubles. */
enum { TOGETHER_BYTES = 4 << 20, LEAST_ROWS = 512, TOGETHER = 4 };

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const char *entry(const struct dense *A, int64_t i, int64_t j)
{
    return (const char *)A->values + (size_t)(i + j * A->stride) * A->value_size;
}

int64_t dcpn_far_ask(const struct dense *A, int64_t begin, const struct some_columns *some)
{
    if (!dcpn_by_far_columns(A)) return A->base.rows;
    int64_t fit = TOGETHER_BYTES / (int64_t)A->value_size / (some->count > 0 ? some->count : 1);
    int64_t rows = fit > LEAST_ROWS ? fit : LEAST_ROWS, end = smaller(begin + rows, A->base.rows);
    int is_long = some->count == 1 && (A->base.rows - begin) * (int64_t)A->value_size > TOGETHER_BYTES;
    if (!some->list || is_long) {
        dcpn_far_read_in_order(A->far);
        return A->base.rows;
    }
    dcpn_far_read_in_pieces(A->far);
    for (int64_t k = 0; k < some->count && begin < end; k++)
        dcpn_pages_soon(entry(A, begin, some->list[k]), entry(A, end - 1, some->list[k]) + A->value_size);
    return end;
}

/* The next columns that x uses, as many as combine takes at a time. */
static struct some_columns next_of(const struct dense *A, const double *x, int64_t from, int64_t *list)
{
    struct some_columns some = {.list = list};
    int64_t columns = A->base.columns;
    for (int64_t j = dcpn_next_nonzero(columns, x, from); j < columns && some.count < TOGETHER;
         j = dcpn_next_nonzero(columns, x, j + 1))
        list[some.count++] = j;
    return some;
}

void dcpn_far_apply(const struct dense *A, int64_t begin, int64_t end, const double *x, double *u)
{
    int64_t list[TOGETHER];
    int is_most = 2 * dcpn_count_nonzeros(A->base.columns, x) > A->base.columns;
    struct some_columns some = next_of(A, x, 0, list);
    while (some.count > 0) {
        const struct some_columns asked = {some.first, some.count, is_most ? NULL : list};
        int64_t first = list[0], width = list[some.count - 1] + 1 - first;
        for (int64_t i = begin, next; i < end; i = next) {
            next = smaller(dcpn_far_ask(A, i, &asked), end);
            A->tiles->combine(width, next - i, entry(A, i, first), A->stride, 0, 0, x + first, u + i);
        }
        some = next_of(A, x, first + width, list);
    }
}
