/* SPDX-License-Identifier: BSD-3-Clause */
/* The exact Hessian of f1, H_k = A'W_k A + ridge I + diag(mu), W_k = diag(w phi1''(u_k)), never formed.
 *
 * Under --majorize W holds sup(phi1'') instead, so that the model is an upper bound of f1 everywhere. mu_j
 * (small_shift.h) keeps H > 0 where A has fewer rows than columns. A floor on W keeps rows on which the loss is flat
 * (margins far out) from making a Newton step meaningless. For a non-convex loss W holds its own curvature, clipped
 * from below, unless --curvature f1 asks for the paper's. After a step that had to be cut short, the next few updates
 * take that of f1, or the curvature of parabolas that touch the loss from above, where it has them: huber, whose phi''
 * is 0 on far rows. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "metric/row_curvature.h"
#include "metric/small_shift.h"

struct hessian {
    struct metric metric;
    double *w;                /* W */
    double same_w;            /* that of all rows; 0: they differ */
    int is_largest;           /* W is the largest there can be, as it always is for the squared loss */
    double *q, b;             /* W A d = q + b w: a move of the intercept is one of b alone */
    double *diagonal;         /* of A'WA; -1: not yet asked for at this x */
    double *sums;             /* A'w, the column of A'WA that belongs to the intercept; NAN: not yet asked for */
    double *x;                /* own f: the point, which its product needs */
    struct small_shift small; /* mu */
    double trace;             /* of A'wA times sup(phi1''): a bound on A'WA; infinite for an own f that does not tell */
    double squares;           /* trace of A'wA; 0 where sup(phi1'') is known */
    struct gram_space space;
    double *column;      /* with blocks: W a_j of one column, 0 between two uses; */
    int64_t *entry_rows; /* and its entries */
    double *entries;
};

static struct hessian *hessian_of(struct metric *metric)
{
    return (struct hessian *)metric;
}

static int has_intercept(const struct hessian *H)
{
    return H->metric.objective->size - H->metric.objective->features == 1; /* of several scores each has its own */
}

static int is_intercept(const struct hessian *H, int64_t j)
{
    return has_intercept(H) && j == H->metric.size - 1;
}

static const char *refusal(const struct loss *loss, const struct metric_settings *settings)
{
    if (settings->majorize && loss->own)
        return "hessian cannot majorise an f of your own; use identity with --majorize";
    if (settings->majorize && !(dcpn_loss_curvature1_sup(loss) > 0.0))
        return "--majorize needs a loss whose curvature is bounded";
    if (loss->own ? !loss->own->hessian1_product : !dcpn_loss_has_curvature(loss))
        return "hessian needs second derivatives, which this f does not give; use lbfgs";
    return NULL;
}

static int can_walk(const struct loss *loss)
{
    return !loss->own;
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct hessian *H = hessian_of(metric);
    int own = metric->objective->loss.own != NULL;
    H->w = dcpn_arena_doubles(arena, metric->objective->rows);
    H->q = dcpn_arena_doubles(arena, metric->objective->rows);
    H->diagonal = dcpn_arena_doubles(arena, own ? 0 : metric->size);
    H->sums = dcpn_arena_doubles(arena, own ? 0 : metric->size);
    H->small.mu = dcpn_arena_doubles(arena, metric->size);
    H->x = dcpn_arena_doubles(arena, own ? metric->size : 0);
    int64_t most = dcpn_gram_most(metric->objective->rows, metric->size);
    int64_t rows = metric->objective->penalty.composition && !own ? metric->objective->rows : 0;
    H->column = dcpn_arena_doubles(arena, rows);
    H->entry_rows = dcpn_arena_integers(arena, rows);
    H->entries = dcpn_arena_scratch(arena, rows);
    if (!own) dcpn_gram_layout(metric->objective->design.A, most, &H->space, arena);
}

static double shift(const struct hessian *H, int64_t j)
{
    return dcpn_shift_of_column(&H->small, H->metric.objective, j);
}

/* The diagonal of A'wA times sup(phi1''), as far as it is known; returns its sum. */
static double reference_diagonal(const struct hessian *H, double *out)
{
    struct objective *F = H->metric.objective;
    double sup = dcpn_loss_curvature1_sup(&F->loss), scale = sup > 0.0 ? sup : 1.0, sum = 0.0;
    if (F->loss.own) {
        dcpn_fill(H->metric.size, scale, out);
        return sup > 0.0 ? sup : HUGE_VAL;
    }
    dcpn_squares_of_columns(&H->metric, out);
    for (int64_t j = 0; j < H->metric.size; j++) sum += out[j] *= scale;
    return sum;
}

static void prepare(struct metric *metric)
{
    struct hessian *H = hessian_of(metric);
    const struct loss *loss = &metric->objective->loss;
    H->trace = reference_diagonal(H, H->small.mu);
    H->squares = loss->own || dcpn_loss_curvature1_sup(loss) > 0.0 ? 0.0 : H->trace;
    dcpn_small_shift_find(&H->small, metric->size);
}

static int is_largest(const struct hessian *H)
{
    const struct objective *F = H->metric.objective;
    double sup = dcpn_loss_curvature1_sup(&F->loss);
    for (int64_t i = 0; i < F->rows; i++)
        if (H->w[i] != sup * F->loss.rows.w[i]) return 0;
    return 1;
}

/* The diagonal for the largest W is known. */
static void recall_diagonal(struct hessian *H)
{
    double sup = dcpn_loss_curvature1_sup(&H->metric.objective->loss);
    H->is_largest = is_largest(H);
    if (!H->metric.curvatures || !H->is_largest) return;
    for (int64_t j = 0; j < H->metric.size; j++) H->diagonal[j] = sup * H->metric.curvatures[j];
}

static double weight_of_all(const struct hessian *H)
{
    for (int64_t i = 1; i < H->metric.objective->rows; i++)
        if (H->w[i] != H->w[0]) return 0.0;
    return H->w[0];
}

static void update(struct metric *metric, const struct point *point, double t)
{
    struct hessian *H = hessian_of(metric);
    const struct loss *loss = &metric->objective->loss;
    (void)t;
    if (loss->own) {
        dcpn_copy(metric->size, point->x, H->x);
        return;
    }
    dcpn_fill(metric->size, -1.0, H->diagonal);
    if (has_intercept(H)) dcpn_fill(metric->size, (double)NAN, H->sums);
    double largest = dcpn_row_curvature(metric, point, H->w, H->q);
    if (H->squares > 0.0) H->trace = largest * H->squares;
    H->same_w = weight_of_all(H);
    recall_diagonal(H);
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    struct hessian *H = hessian_of(metric);
    const struct loss *loss = &metric->objective->loss;
    if (loss->own) {
        loss->own->hessian1_product(loss->own->user, H->x, d, Hd);
    } else {
        dcpn_design_apply(&metric->objective->design, d, H->q);
        for (int64_t i = 0; i < metric->objective->rows; i++) H->q[i] *= H->w[i];
        dcpn_design_adjoint(&metric->objective->design, H->q, Hd);
    }
    for (int64_t j = 0; j < metric->size; j++) Hd[j] += shift(H, j) * d[j];
}

static double diagonal(const struct metric *metric, int64_t j)
{
    const struct hessian *H = (const struct hessian *)metric;
    if (H->diagonal[j] < 0.0) H->diagonal[j] = dcpn_design_column_curvature(&metric->objective->design, j, H->w);
    return H->diagonal[j] + shift(H, j);
}

static double lower_bound(const struct metric *metric)
{
    return ((const struct hessian *)metric)->small.least;
}

static double upper_bound(const struct metric *metric)
{
    const struct hessian *H = (const struct hessian *)metric;
    return H->trace + metric->objective->ridge + H->small.largest;
}

static void walk_start(struct metric *metric, const double *d)
{
    struct hessian *H = hessian_of(metric);
    dcpn_design_apply(&metric->objective->design, d, H->q);
    for (int64_t i = 0; i < metric->objective->rows; i++) H->q[i] *= H->w[i];
    H->b = 0.0;
}

static double walk_coupling(struct metric *metric, int64_t j)
{
    struct hessian *H = hessian_of(metric);
    if (isnan(H->sums[j])) H->sums[j] = dcpn_design_column_dot(&metric->objective->design, j, H->w);
    return H->sums[j];
}

static void walk_soon(const struct metric *metric, int64_t j)
{
    dcpn_design_column_soon(&metric->objective->design, j);
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    struct hessian *H = hessian_of(metric);
    double of_b = H->b != 0.0 ? H->b * walk_coupling(metric, j) : 0.0;
    return dcpn_design_column_dot(&metric->objective->design, j, H->q) + of_b + shift(H, j) * d[j];
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    struct hessian *H = hessian_of(metric);
    if (is_intercept(H, j))
        H->b += delta;
    else if (H->same_w > 0.0) /* as for the squared loss: nothing to look up for each row */
        dcpn_design_column_add(&metric->objective->design, j, delta * H->same_w, H->q);
    else
        dcpn_design_column_axpy(&metric->objective->design, j, delta, H->w, H->q);
}

/* Rows without weight are not walked over. */
static int walk_image(const struct metric *metric, double *Ad)
{
    const struct hessian *H = (const struct hessian *)metric;
    for (int64_t i = 0; i < metric->objective->rows; i++) {
        if (!(H->w[i] > 0.0)) return 0;
        Ad[i] = H->q[i] / H->w[i] + H->b;
    }
    return 1;
}

/* (A d)'W(A d) from q + b w = W A d */
static double walk_form(const struct metric *metric, const double *d)
{
    const struct hessian *H = (const struct hessian *)metric;
    double sum = 0.0, shifted = 0.0;
    for (int64_t i = 0; i < metric->objective->rows; i++) {
        double moved = H->q[i] + H->b * H->w[i];
        if (H->w[i] > 0.0) sum += moved / H->w[i] * moved;
    }
    for (int64_t j = 0; j < metric->size; j++) shifted += shift(H, j) * (d[j] * d[j]);
    return sum + shifted;
}

static double entries_of(const dcpn_matrix *A, const int64_t *U, int64_t count)
{
    double in_use = 0.0;
    for (int64_t i = 0; i < count; i++) in_use += (double)A->ops->column_entries(A, U[i]);
    return in_use;
}

static double work_without_products(const dcpn_matrix *A, const int64_t *U, int64_t count)
{
    return A->ops->gram_work(A, entries_of(A, U, count), count);
}

/* A sweep touches the entries twice: for a product and for a move. */
static double gram_sweeps(const struct metric *metric, const int64_t *U, int64_t count)
{
    const dcpn_matrix *A = metric->objective->design.A;
    if (!A->ops->gram) return HUGE_VAL;
    return work_without_products(A, U, count) / (2.0 * entries_of(A, U, count));
}

static int keeps_gram(const struct metric *metric)
{
    return metric->products && metric->products->most >= metric->size && ((const struct hessian *)metric)->is_largest;
}

static const int64_t *numbers_behind(struct hessian *H, const int64_t *U, int64_t count)
{
    const struct column_subset *A_S = (const struct column_subset *)H->metric.objective->design.A;
    for (int64_t i = 0; i < count; i++) H->space.mapped[i] = A_S->columns[U[i]];
    return H->space.mapped;
}

static void gram(struct metric *metric, const int64_t *U, int64_t count, double *G)
{
    struct hessian *H = hessian_of(metric);
    struct design *design = &metric->objective->design;
    if (keeps_gram(metric)) {
        const struct column_subset *A_S = (const struct column_subset *)design->A;
        int64_t touched = dcpn_products_gram(metric->products, A_S->inner, H->w, numbers_behind(H, U, count), count, G);
        design->touched += touched;
        design->beside += (int64_t)work_without_products(design->A, U, count) - touched;
    } else {
        design->touched += design->A->ops->gram(design->A, H->w, U, count, &H->space, G);
    }
    for (int64_t i = 0; i < count; i++) G[i * count + i] += shift(H, U[i]);
}

/* Row a of M up to its diagonal, from a sparse column. */
static void block_row(struct hessian *H, const int64_t *U, int64_t a, int64_t count, double *M)
{
    struct design *design = &H->metric.objective->design;
    int64_t entries = design->A->ops->column(design->A, U[a], H->entry_rows, H->entries);
    for (int64_t k = 0; k < entries; k++) H->column[H->entry_rows[k]] = H->w[H->entry_rows[k]] * H->entries[k];
    for (int64_t b = 0; b <= a; b++)
        M[a * count + b] = M[b * count + a] = dcpn_design_column_dot(design, U[b], H->column);
    for (int64_t k = 0; k < entries; k++) H->column[H->entry_rows[k]] = 0.0;
}

/* Where columns are full, a Gram matrix reads them side by side; it reads all of a sparse A. */
static void block(struct metric *metric, const int64_t *U, int64_t count, double *M)
{
    struct hessian *H = hessian_of(metric);
    struct design *design = &metric->objective->design;
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) entries += design->A->ops->column_entries(design->A, U[i]);
    if (design->A->ops->gram && entries >= count * (metric->objective->rows - 1)) { /* a row may have been added */
        design->touched += design->A->ops->gram(design->A, H->w, U, count, &H->space, M);
    } else {
        for (int64_t a = 0; a < count; a++) block_row(H, U, a, count, M);
    }
    for (int64_t i = 0; i < count; i++) M[i * count + i] += shift(H, U[i]);
}

const struct metric_ops dcpn_metric_hessian = {
    .name = "hessian",
    .formula = "A'WA + ridge I + diag(mu), W = diag(w phi1''(u))",
    .state_size = sizeof(struct hessian),
    .share = 0.5, /* its sweeps read the data */
    .refusal = refusal,
    .clips = 1,
    .walk.exists = can_walk,
    .layout = layout,
    .uses_squares = 1,
    .prepare = prepare,
    .update = update,
    .apply = apply,
    .diagonal = diagonal,
    .lower_bound = lower_bound,
    .upper_bound = upper_bound,
    .walk.start = walk_start,
    .walk.soon = walk_soon,
    .walk.product = walk_product,
    .walk.move = walk_move,
    .walk.form = walk_form,
    .walk.image = walk_image,
    .walk.coupling = walk_coupling,
    .gram.sweeps = gram_sweeps,
    .gram.form = gram,
    .gram.block = block,
    .gram.is_kept = keeps_gram,
};
