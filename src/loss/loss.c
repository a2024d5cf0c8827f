/* SPDX-License-Identifier: BSD-3-Clause */
/* A loss on all rows: fixed blocks of rows, shared out to threads, their sums added in a fixed tree. */
#include "loss/loss.h"

#include <math.h>

#include "base/blocks.h"
#include "base/level.h"
#include "base/reduce.h"
#include "base/threads.h"
#include "base/vector.h"

void dcpn_loss_layout(struct loss *loss, struct arena *arena)
{
    loss->rows.level = loss->unlabelled.level = loss->balance.level = (int)dcpn_level();
    loss->partial = dcpn_arena_doubles(arena, dcpn_block_count(loss->rows.rows));
    loss->trial = dcpn_arena_doubles(arena, loss->own ? loss->rows.rows : 0);
}

/* ---- the tables ---- */

enum { TABLES = 3 };

static const dcpn_loss *table_at(const struct loss *loss, int k)
{
    const dcpn_loss *tables[TABLES] = {&loss->rows, &loss->unlabelled, &loss->balance};
    return tables[k];
}

static int any_table(const struct loss *loss, int (*holds)(const dcpn_loss_ops *))
{
    for (int k = 0; k < TABLES; k++)
        if (table_at(loss, k)->ops && holds(table_at(loss, k)->ops)) return 1;
    return 0;
}

static int with_phi2(const dcpn_loss_ops *ops)
{
    return ops->slope2 != NULL;
}

static int without_curvature1(const dcpn_loss_ops *ops)
{
    return !ops->curvature1;
}

static int without_curvature2(const dcpn_loss_ops *ops)
{
    return ops->slope2 && !ops->curvature2;
}

static int without_bound(const dcpn_loss_ops *ops)
{
    return !ops->curvature1_sup;
}

int dcpn_loss_has_phi2(const struct loss *loss)
{
    if (loss->first_only) return 0;
    return loss->own ? loss->own->value2 != NULL : any_table(loss, with_phi2);
}

int dcpn_loss_has_scores(const struct loss *loss)
{
    return !loss->own && loss->rows.ops && loss->rows.ops->shares != NULL;
}

int dcpn_loss_is_coupled(const struct loss *loss)
{
    return !loss->own && loss->rows.ops && loss->rows.ops->product1 != NULL;
}

void dcpn_loss_product1(const struct loss *loss, const double *u, const double *E, double *out)
{
    loss->rows.ops->product1(&loss->rows, u, E, out);
}

int dcpn_loss_has_curvature(const struct loss *loss)
{
    return !loss->own && !any_table(loss, without_curvature1);
}

int dcpn_loss_has_curvature2(const struct loss *loss)
{
    return !loss->own && dcpn_loss_has_phi2(loss) && !any_table(loss, without_curvature2);
}

double dcpn_loss_curvature1_sup(const struct loss *loss)
{
    double sup = 0.0;
    if (loss->own) return loss->own->lipschitz1;
    if (any_table(loss, without_bound)) return 0.0;
    for (int k = 0; k < TABLES; k++) {
        const dcpn_loss *table = table_at(loss, k);
        if (table->ops) sup = fmax(sup, table->ops->curvature1_sup(table));
    }
    return sup;
}

static double exact_least(const struct loss *loss)
{
    const dcpn_loss *rows = &loss->rows;
    struct full_sum sum;
    dcpn_full_clear(&sum);
    for (int64_t i = 0; i < rows->rows; i++)
        if (rows->w[i] > 0.0) dcpn_full_add(&sum, rows->w[i] * rows->ops->response.least(rows, rows->y[i]));
    return dcpn_ranks_full_sum(loss->context, &sum);
}

double dcpn_loss_least(const struct loss *loss)
{
    const dcpn_loss *rows = &loss->rows;
    double sum = 0.0;
    if (loss->own || !rows->ops->response.least) return 0.0;
    if (loss->is_exact) return exact_least(loss);
    for (int64_t i = 0; i < rows->rows; i++)
        if (rows->w[i] > 0.0) sum += rows->w[i] * rows->ops->response.least(rows, rows->y[i]);
    return sum;
}

/* ---- blocks of rows, and the pieces of a block that take the same table ---- */

static int64_t block_end(const struct loss *loss, int64_t block)
{
    int64_t end = (block + 1) * DCPN_BLOCK;
    return end < loss->rows.rows ? end : loss->rows.rows;
}

struct piece {
    const dcpn_loss *table;
    int64_t begin, end;
};

/* The last run that begins at or before a row. */
static int64_t run_of(const struct loss *loss, int64_t row)
{
    int64_t low = 0, high = loss->run_count;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (loss->runs[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* From begin on, and not beyond end. */
static struct piece piece_at(const struct loss *loss, int64_t begin, int64_t end)
{
    struct piece piece = {&loss->rows, begin, end};
    int64_t last = loss->rows.rows - 1;
    if (!loss->runs) return piece;
    if (loss->balance.ops && begin == last) {
        piece.table = &loss->balance;
        return piece;
    }
    int64_t run = run_of(loss, begin);
    if (run % 2) piece.table = &loss->unlabelled;
    if (run + 1 < loss->run_count && loss->runs[run + 1] < piece.end) piece.end = loss->runs[run + 1];
    if (loss->balance.ops && piece.end > last) piece.end = last;
    return piece;
}

static double own_value(const struct loss *loss, const double *u)
{
    const dcpn_smooth *f = loss->own;
    return f->value1(f->user, u) - (dcpn_loss_has_phi2(loss) ? f->value2(f->user, u) : 0.0);
}

static double block_value(const struct loss *loss, int64_t block, const double *u)
{
    double sum = 0.0;
    int64_t end = block_end(loss, block);
    for (int64_t begin = block * DCPN_BLOCK; begin < end;) {
        struct piece piece = piece_at(loss, begin, end);
        const dcpn_loss_ops *ops = piece.table->ops;
        sum += (loss->first_only && ops->value1 ? ops->value1 : ops->value)(piece.table, begin, piece.end, u);
        begin = piece.end;
    }
    return sum;
}

typedef void row_function(const dcpn_loss *, int64_t begin, int64_t end, const double *u, double *out);

/* What the threads share: the arguments of a sum over rows, or of a vector of them. */
struct on_blocks {
    const struct loss *loss;
    const double *u, *du;
    double t;
    row_function *(*of)(const dcpn_loss_ops *);
    double *out;
};

static void values_of_blocks(void *user, int64_t begin, int64_t end)
{
    const struct on_blocks *on = user;
    for (int64_t block = begin; block < end; block++) on->loss->partial[block] = block_value(on->loss, block, on->u);
}

/* ---- exact sums, of one row at a time ---- */

static double exact_value(const struct loss *loss, const double *u)
{
    const dcpn_loss_ops *ops = loss->rows.ops;
    struct full_sum sum;
    dcpn_full_clear(&sum);
    for (int64_t i = 0; i < loss->rows.rows; i++)
        dcpn_full_add(&sum, (loss->first_only && ops->value1 ? ops->value1 : ops->value)(&loss->rows, i, i + 1, u));
    return dcpn_ranks_full_sum(loss->context, &sum);
}

static void exact_changes(const struct loss *loss, const double *u, const double *du, int count, const double *t,
                          double *changes)
{
    const dcpn_loss_ops *ops = loss->rows.ops;
    int64_t words[DCPN_MOST_TRIALS * FULL_WORDS];
    for (int k = 0; k < count; k++) {
        struct full_sum sum;
        dcpn_full_clear(&sum);
        for (int64_t i = 0; i < loss->rows.rows; i++)
            dcpn_full_add(&sum, (loss->first_only && ops->change1 ? ops->change1 : ops->change)(&loss->rows, i, i + 1,
                                                                                                u, du, t[k]));
        dcpn_full_pack(&sum, words + k * FULL_WORDS);
    }
    dcpn_ranks_sum(loss->context, words, (int64_t)count * FULL_WORDS);
    for (int k = 0; k < count; k++) changes[k] = dcpn_full_value(words + k * FULL_WORDS);
}

double dcpn_loss_value(const struct loss *loss, const double *u)
{
    int64_t blocks = dcpn_block_count(loss->rows.rows);
    if (loss->is_exact) return exact_value(loss, u);
    if (loss->own) return own_value(loss, u);
    if (dcpn_loss_is_coupled(loss)) return loss->rows.ops->value(&loss->rows, 0, loss->rows.rows, u);
    dcpn_parallel_ranges(loss->context, blocks, values_of_blocks, &(struct on_blocks){.loss = loss, .u = u});
    return dcpn_tree_sum(loss->partial, blocks);
}

static double own_change(const struct loss *loss, const double *u, const double *du, double t)
{
    dcpn_copy(loss->rows.rows, u, loss->trial);
    dcpn_axpy(loss->rows.rows, t, du, loss->trial);
    return own_value(loss, loss->trial) - own_value(loss, u);
}

static double block_change(const struct loss *loss, int64_t block, const double *u, const double *du, double t)
{
    double sum = 0.0;
    int64_t end = block_end(loss, block);
    for (int64_t begin = block * DCPN_BLOCK; begin < end;) {
        struct piece piece = piece_at(loss, begin, end);
        const dcpn_loss_ops *ops = piece.table->ops;
        sum += (loss->first_only && ops->change1 ? ops->change1 : ops->change)(piece.table, begin, piece.end, u, du, t);
        begin = piece.end;
    }
    return sum;
}

static void changes_of_blocks(void *user, int64_t begin, int64_t end)
{
    const struct on_blocks *on = user;
    for (int64_t block = begin; block < end; block++)
        on->loss->partial[block] = block_change(on->loss, block, on->u, on->du, on->t);
}

double dcpn_loss_change(const struct loss *loss, const double *u, const double *du, double t)
{
    int64_t blocks = dcpn_block_count(loss->rows.rows);
    double change;
    if (loss->is_exact) {
        exact_changes(loss, u, du, 1, &t, &change);
        return change;
    }
    if (loss->own) return own_change(loss, u, du, t);
    if (dcpn_loss_is_coupled(loss)) return loss->rows.ops->change(&loss->rows, 0, loss->rows.rows, u, du, t);
    dcpn_parallel_ranges(loss->context, blocks, changes_of_blocks,
                         &(struct on_blocks){.loss = loss, .u = u, .du = du, .t = t});
    return dcpn_tree_sum(loss->partial, blocks);
}

void dcpn_loss_changes(const struct loss *loss, const double *u, const double *du, int count, const double *t,
                       double *changes)
{
    if (loss->is_exact)
        exact_changes(loss, u, du, count, t, changes);
    else
        for (int k = 0; k < count; k++) changes[k] = dcpn_loss_change(loss, u, du, t[k]);
}

void dcpn_some_rows_layout(struct some_rows *some, int64_t most, struct arena *arena)
{
    some->rows = dcpn_arena_integers(arena, most);
    some->du = dcpn_arena_scratch(arena, most);
    some->u = dcpn_arena_scratch(arena, most);
    some->y = dcpn_arena_scratch(arena, most);
    some->w = dcpn_arena_scratch(arena, most);
}

static int is_in(const struct piece *piece, int64_t row)
{
    return row >= piece->begin && row < piece->end;
}

static void gather(const struct loss *loss, const double *u, struct some_rows *some)
{
    for (int64_t i = 0; i < some->count; i++) {
        some->u[i] = u[some->rows[i]];
        some->y[i] = loss->rows.y[some->rows[i]];
        some->w[i] = loss->rows.w[some->rows[i]];
    }
}

static dcpn_loss gathered_by(const dcpn_loss *table, const struct some_rows *some)
{
    dcpn_loss gathered = *table;
    gathered.rows = some->count;
    gathered.y = some->y;
    gathered.w = some->w;
    return gathered;
}

void dcpn_loss_add_change_on(const struct loss *loss, const double *u, double t, struct some_rows *some,
                             struct full_sum *sum)
{
    gather(loss, u, some);
    dcpn_loss gathered = gathered_by(&loss->rows, some);
    for (int64_t i = 0; i < some->count; i++)
        dcpn_full_add(sum, gathered.ops->change(&gathered, i, i + 1, some->u, some->du, t));
}

double dcpn_loss_change_on(const struct loss *loss, const double *u, double t, struct some_rows *some)
{
    double sum = 0.0;
    gather(loss, u, some);
    for (int64_t begin = 0, end; begin < some->count; begin = end) {
        struct piece piece = piece_at(loss, some->rows[begin], loss->rows.rows);
        dcpn_loss gathered = gathered_by(piece.table, some);
        for (end = begin + 1; end < some->count && is_in(&piece, some->rows[end]);) end++;
        sum += gathered.ops->change(&gathered, begin, end, some->u, some->du, t);
    }
    return sum;
}

static row_function *slope1_of(const dcpn_loss_ops *ops)
{
    return ops->slope1;
}

static row_function *slope2_of(const dcpn_loss_ops *ops)
{
    return ops->slope2;
}

static row_function *curvature1_of(const dcpn_loss_ops *ops)
{
    return ops->curvature1;
}

static row_function *curvature2_of(const dcpn_loss_ops *ops)
{
    return ops->curvature2;
}

static row_function *touching1_of(const dcpn_loss_ops *ops)
{
    return ops->touching1 ? ops->touching1 : ops->curvature1;
}

static row_function *shares_of(const dcpn_loss_ops *ops)
{
    return ops->shares;
}

static void on_rows(const struct loss *loss, int64_t begin, int64_t end, row_function *(*of)(const dcpn_loss_ops *),
                    const double *u, double *out)
{
    while (begin < end) {
        struct piece piece = piece_at(loss, begin, end);
        row_function *function = of(piece.table->ops);
        if (function)
            function(piece.table, begin, piece.end, u, out);
        else
            dcpn_fill(piece.end - begin, 0.0, out + begin); /* phi2 = 0 */
        begin = piece.end;
    }
}

static void rows_of_blocks(void *user, int64_t begin, int64_t end)
{
    const struct on_blocks *on = user;
    for (int64_t block = begin; block < end; block++)
        on_rows(on->loss, block * DCPN_BLOCK, block_end(on->loss, block), on->of, on->u, on->out);
}

static void on_all_rows(const struct loss *loss, row_function *(*of)(const dcpn_loss_ops *), const double *u,
                        double *out)
{
    if (dcpn_loss_is_coupled(loss)) {
        on_rows(loss, 0, loss->rows.rows, of, u, out);
        return;
    }
    dcpn_parallel_ranges(loss->context, dcpn_block_count(loss->rows.rows), rows_of_blocks,
                         &(struct on_blocks){.loss = loss, .u = u, .of = of, .out = out});
}

void dcpn_loss_slope1(const struct loss *loss, const double *u, double *r)
{
    if (loss->own)
        loss->own->gradient1(loss->own->user, u, r);
    else
        on_all_rows(loss, slope1_of, u, r);
}

void dcpn_loss_slope2(const struct loss *loss, const double *u, double *r)
{
    if (loss->own)
        loss->own->gradient2(loss->own->user, u, r);
    else
        on_all_rows(loss, slope2_of, u, r);
}

void dcpn_loss_slope1_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    on_rows(loss, begin, end, slope1_of, u, r);
}

void dcpn_loss_slope2_of_rows(const struct loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    on_rows(loss, begin, end, slope2_of, u, r);
}

void dcpn_loss_touching1(const struct loss *loss, const double *u, double *c)
{
    on_all_rows(loss, touching1_of, u, c);
}

void dcpn_loss_curvature1(const struct loss *loss, const double *u, double *c)
{
    on_all_rows(loss, curvature1_of, u, c);
}

void dcpn_loss_shares(const struct loss *loss, const double *u, double *s)
{
    on_all_rows(loss, shares_of, u, s);
}

void dcpn_loss_curvature2(const struct loss *loss, const double *u, double *c)
{
    on_all_rows(loss, curvature2_of, u, c);
}
