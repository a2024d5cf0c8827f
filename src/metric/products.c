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

/* Column j, with those that are there and itself. */
static int64_t add_column(struct products *p, const dcpn_matrix *A, const double *w, int64_t j)
{
    struct column_subset view;
    int64_t last = p->count++;
    p->columns[last] = j;
    p->place[j] = p->count;
    dcpn_matrix_subset(&view, A, p->columns);
    view.base.columns = p->count;
    dcpn_fill(A->rows, 0.0, p->weighted);
    A->ops->column_axpy(A, j, 1.0, w, p->weighted);
    return view.base.ops->adjoint(&view.base, p->weighted, p->G + last * (last + 1) / 2);
}

int64_t dcpn_products_missing(const struct products *p, const int64_t *U, int64_t count)
{
    int64_t missing = 0;
    for (int64_t a = 0; a < count; a++) missing += p->place[U[a]] == 0;
    return missing;
}

int64_t dcpn_products_gram(struct products *p, const dcpn_matrix *A, const double *w, const int64_t *U, int64_t count,
                           double *G)
{
    int64_t touched = 0;
    if (p->count + dcpn_products_missing(p, U, count) > p->most) dcpn_products_forget(p);
    for (int64_t a = 0; a < count; a++)
        if (p->place[U[a]] == 0) touched += add_column(p, A, w, U[a]);
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++) {
            int64_t i = p->place[U[a]] - 1, k = p->place[U[b]] - 1;
            G[a * count + b] = G[b * count + a] = i > k ? p->G[i * (i + 1) / 2 + k] : p->G[k * (k + 1) / 2 + i];
        }
    return touched;
}
