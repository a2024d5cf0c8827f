/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of columns, kept. */
#include "metric/products.h"

#include "base/vector.h"

void dcpn_products_layout(struct products *p, const dcpn_matrix *A, int64_t most, struct arena *arena)
{
    p->most = most;
    p->count = 0;
    p->place = dcpn_arena_integers(arena, most > 0 ? A->columns : 0);
    p->columns = dcpn_arena_integers(arena, most);
    p->G = dcpn_arena_scratch(arena, most * (most + 1) / 2);
    p->weighted = dcpn_arena_scratch(arena, most > 0 ? A->rows : 0);
}

void dcpn_products_forget(struct products *p)
{
    for (int64_t k = 0; k < p->count; k++) p->place[p->columns[k]] = 0;
    p->count = 0;
}

static void weigh_column(struct products *p, const dcpn_matrix *A, const double *w, int64_t j)
{
    dcpn_fill(A->rows, 0.0, p->weighted);
    if (p->is_even)
        A->ops->column_add(A, j, 1.0, p->weighted);
    else
        A->ops->column_axpy(A, j, 1.0, w, p->weighted);
}

/* a_i'(W a_j) and (W a_i)'a_j differ by rounding. The column of the larger number is the one that is weighed, so that a
 * product does not depend on which of the two was asked for first. */
static int64_t exchange_roles(struct products *p, const dcpn_matrix *A, const double *w, int64_t last)
{
    int64_t touched = 0, j = p->columns[last];
    for (int64_t k = 0; k < last && !p->is_even; k++) {
        if (p->columns[k] < j) continue;
        weigh_column(p, A, w, p->columns[k]);
        p->G[last * (last + 1) / 2 + k] = A->ops->column_dot(A, j, p->weighted);
        touched += A->ops->column_entries(A, j);
    }
    return touched;
}

/* Column j, with those that are there and itself. */
static int64_t add_column(struct products *p, const dcpn_matrix *A, const double *w, int64_t j)
{
    struct column_subset view;
    int64_t last = p->count++;
    p->columns[last] = j;
    p->place[j] = p->count;
    dcpn_matrix_subset(&view, A, p->columns);
    view.base.columns = p->count;
    weigh_column(p, A, w, j);
    int64_t touched = view.base.ops->adjoint(&view.base, p->weighted, p->G + last * (last + 1) / 2);
    return touched + exchange_roles(p, A, w, last);
}

static int64_t missing(const struct products *p, const int64_t *U, int64_t count)
{
    int64_t missing = 0;
    for (int64_t a = 0; a < count; a++) missing += p->place[U[a]] == 0;
    return missing;
}

static int are_even(const double *w, int64_t rows)
{
    int64_t i = 1;
    while (i < rows && w[i] == w[0]) i++;
    return i >= rows;
}

int64_t dcpn_products_gram(struct products *p, const dcpn_matrix *A, const double *w, const int64_t *U, int64_t count,
                           double *G)
{
    int64_t touched = 0;
    if (p->count == 0) p->is_even = are_even(w, A->rows);
    if (p->count + missing(p, U, count) > p->most) dcpn_products_forget(p);
    double factor = p->is_even ? w[0] : 1.0;
    for (int64_t a = 0; a < count; a++)
        if (p->place[U[a]] == 0) touched += add_column(p, A, w, U[a]);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++) {
            int64_t i = p->place[U[a]] - 1, k = p->place[U[b]] - 1;
            double product = i > k ? p->G[i * (i + 1) / 2 + k] : p->G[k * (k + 1) / 2 + i];
            G[a * count + b] = G[b * count + a] = factor * product;
        }
    return touched;
}
