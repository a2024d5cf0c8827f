/* SPDX-License-Identifier: BSD-3-Clause */
/* A loss on all rows: fixed blocks of rows, shared out to threads, their sums added in a fixed tree. */
#include "loss/loss.h"

#include "base/blocks.h"
#include "base/level.h"
#include "base/vector.h"

void dcpn_loss_layout(struct loss *loss, struct arena *arena)
{
    loss->rows.level = (int)dcpn_level();
    loss->partial = dcpn_arena_doubles(arena, dcpn_block_count(loss->rows.rows));
    loss->trial = dcpn_arena_doubles(arena, loss->own ? loss->rows.rows : 0);
}

int dcpn_loss_has_phi2(const struct loss *loss)
{
    if (loss->first_only) return 0;
    return loss->own ? loss->own->value2 != NULL : loss->rows.ops->slope2 != NULL;
}

int dcpn_loss_has_curvature(const struct loss *loss)
{
    return !loss->own && loss->rows.ops->curvature1;
}

int dcpn_loss_has_curvature2(const struct loss *loss)
{
    return !loss->own && !loss->first_only && loss->rows.ops->curvature2;
}

double dcpn_loss_curvature1_sup(const struct loss *loss)
{
    if (loss->own) return loss->own->lipschitz1;
    return loss->rows.ops->curvature1_sup ? loss->rows.ops->curvature1_sup(&loss->rows) : 0.0;
}

static int64_t block_end(const struct loss *loss, int64_t block)
{
    int64_t end = (block + 1) * DCPN_BLOCK;
    return end < loss->rows.rows ? end : loss->rows.rows;
}

static double own_value(const struct loss *loss, const double *u)
{
    const dcpn_smooth *f = loss->own;
    return f->value1(f->user, u) - (dcpn_loss_has_phi2(loss) ? f->value2(f->user, u) : 0.0);
}

double dcpn_loss_value(const struct loss *loss, const double *u)
{
    const dcpn_loss_ops *ops = loss->rows.ops;
    int64_t blocks = dcpn_block_count(loss->rows.rows);
    if (loss->own) return own_value(loss, u);
    double (*value)(const dcpn_loss *, int64_t, int64_t, const double *) = loss->first_only ? ops->value1 : ops->value;
#pragma omp parallel for schedule(static) num_threads(loss->threads) if (blocks > 1)
    for (int64_t block = 0; block < blocks; block++)
        loss->partial[block] = value(&loss->rows, block * DCPN_BLOCK, block_end(loss, block), u);
    return dcpn_tree_sum(loss->partial, blocks);
}

static double own_change(const struct loss *loss, const double *u, const double *du, double t)
{
    dcpn_copy(loss->rows.rows, u, loss->trial);
    dcpn_axpy(loss->rows.rows, t, du, loss->trial);
    return own_value(loss, loss->trial) - own_value(loss, u);
}

double dcpn_loss_change(const struct loss *loss, const double *u, const double *du, double t)
{
    const dcpn_loss_ops *ops = loss->rows.ops;
    int64_t blocks = dcpn_block_count(loss->rows.rows);
    if (loss->own) return own_change(loss, u, du, t);
    double (*change)(const dcpn_loss *, int64_t, int64_t, const double *, const double *, double) =
        loss->first_only && ops->change1 ? ops->change1 : ops->change;
#pragma omp parallel for schedule(static) num_threads(loss->threads) if (blocks > 1)
    for (int64_t block = 0; block < blocks; block++)
        loss->partial[block] = change(&loss->rows, block * DCPN_BLOCK, block_end(loss, block), u, du, t);
    return dcpn_tree_sum(loss->partial, blocks);
}

void dcpn_some_rows_layout(struct some_rows *some, int64_t most, struct arena *arena)
{
    some->rows = dcpn_arena_integers(arena, most);
    some->du = dcpn_arena_scratch(arena, most);
    some->u = dcpn_arena_scratch(arena, most);
    some->y = dcpn_arena_scratch(arena, most);
    some->w = dcpn_arena_scratch(arena, most);
}

double dcpn_loss_change_on(const struct loss *loss, const double *u, double t, struct some_rows *some)
{
    dcpn_loss gathered = loss->rows;
    for (int64_t i = 0; i < some->count; i++) {
        some->u[i] = u[some->rows[i]];
        some->y[i] = loss->rows.y[some->rows[i]];
        some->w[i] = loss->rows.w[some->rows[i]];
    }
    gathered.rows = some->count;
    gathered.y = some->y;
    gathered.w = some->w;
    return gathered.ops->change(&gathered, 0, some->count, some->u, some->du, t);
}

typedef void row_function(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *out);

static void on_all_rows(const struct loss *loss, row_function *function, const double *u, double *out)
{
    int64_t blocks = dcpn_block_count(loss->rows.rows);
#pragma omp parallel for schedule(static) num_threads(loss->threads) if (blocks > 1)
    for (int64_t block = 0; block < blocks; block++)
        function(&loss->rows, block * DCPN_BLOCK, block_end(loss, block), u, out);
}

void dcpn_loss_slope1(const struct loss *loss, const double *u, double *r)
{
    if (loss->own)
        loss->own->gradient1(loss->own->user, u, r);
    else
        on_all_rows(loss, loss->rows.ops->slope1, u, r);
}

void dcpn_loss_slope2(const struct loss *loss, const double *u, double *r)
{
    if (loss->own)
        loss->own->gradient2(loss->own->user, u, r);
    else
        on_all_rows(loss, loss->rows.ops->slope2, u, r);
}

void dcpn_loss_slope1_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    loss->rows.ops->slope1(&loss->rows, begin, end, u, r);
}

void dcpn_loss_slope2_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    loss->rows.ops->slope2(&loss->rows, begin, end, u, r);
}

void dcpn_loss_touching1(const struct loss *loss, const double *u, double *c)
{
    const dcpn_loss_ops *ops = loss->rows.ops;
    on_all_rows(loss, ops->touching1 ? ops->touching1 : ops->curvature1, u, c);
}

void dcpn_loss_curvature1(const struct loss *loss, const double *u, double *c)
{
    on_all_rows(loss, loss->rows.ops->curvature1, u, c);
}

void dcpn_loss_curvature2(const struct loss *loss, const double *u, double *c)
{
    on_all_rows(loss, loss->rows.ops->curvature2, u, c);
}
