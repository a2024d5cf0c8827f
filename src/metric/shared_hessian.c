/* SPDX-License-Identifier: BSD-3-Clause */
/* The Hessian of a loss of K scores a row that share something: the sum over the rows i of
 *     A_i'(diag(s_i) - s_i s_i' / w_i) A_i,   s_ik = w_i p_ik,   with sum_k p_ik = 1
 * as that of the multinomial loss is. A walk keeps E = A d, a number for each score, and the mean m_i = sum_k p_ik E_ik
 * of each row; then the element of H d that belongs to feature j of class k is
 *     sum_i a_ij s_ik (E_ik - m_i)
 * and a move of it by delta adds a_ij delta to E_ik and a_ij p_ik delta to m_i. Both cost what they cost with one
 * score.
 *
 * H is singular, because p does not change when all scores of a row rise by the same: mu_j (small_shift.h) keeps it
 * positive definite. Under --majorize the bound (1/2) I on the Hessian of a row makes it a diagonal one, and hessian.c
 * serves. */
#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "metric/small_shift.h"

struct shared_hessian {
    struct metric metric;
    int64_t rows, scores; /* of the data; of a row */
    double *share;        /* s */
    double *E, *m;
    double *curvature;        /* s_ik (1 - p_ik), by which the diagonal is asked for */
    double *diagonal;         /* -1: not yet asked for at this x */
    struct small_shift small; /* mu */
    double trace;
    struct column_of_score read; /* the column of A that was read last: a feature has it in all scores */
    int64_t read_count, *entry_rows;
    double *entries, *column;
};

static struct shared_hessian *hessian_of(struct metric *metric)
{
    return (struct shared_hessian *)metric;
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct shared_hessian *H = hessian_of(metric);
    int64_t scores = metric->objective->rows;
    H->rows = metric->objective->loss.rows.rows;
    H->scores = metric->objective->loss.rows.width;
    H->share = dcpn_arena_doubles(arena, scores);
    H->E = dcpn_arena_doubles(arena, scores);
    H->curvature = dcpn_arena_doubles(arena, scores);
    H->m = dcpn_arena_doubles(arena, H->rows);
    H->diagonal = dcpn_arena_doubles(arena, metric->size);
    H->small.mu = dcpn_arena_doubles(arena, metric->size);
    H->entry_rows = dcpn_arena_integers(arena, H->rows);
    H->entries = dcpn_arena_scratch(arena, H->rows);
    H->column = dcpn_arena_doubles(arena, H->rows);
}

static double shift(const struct shared_hessian *H, int64_t j)
{
    return dcpn_shift_of_column(&H->small, H->metric.objective, j);
}

static void prepare(struct metric *metric)
{
    struct shared_hessian *H = hessian_of(metric);
    double sup = dcpn_loss_curvature1_sup(&metric->objective->loss);
    dcpn_squares_of_columns(metric, H->small.mu);
    H->trace = 0.0;
    for (int64_t j = 0; j < metric->size; j++) H->trace += H->small.mu[j] *= sup;
    dcpn_small_shift_find(&H->small, metric->size);
}

static void update(struct metric *metric, const struct point *point, double t)
{
    struct shared_hessian *H = hessian_of(metric);
    (void)t;
    dcpn_loss_shares(&metric->objective->loss, point->u, H->share);
    dcpn_loss_curvature1(&metric->objective->loss, point->u, H->curvature);
    dcpn_fill(metric->size, -1.0, H->diagonal);
    H->read.A = NULL;
}

static double weight_of(const struct shared_hessian *H, int64_t i)
{
    return H->metric.objective->loss.rows.w[i];
}

/* m from E; rows without weight have no part in anything. */
static void find_means(struct shared_hessian *H)
{
    dcpn_fill(H->rows, 0.0, H->m);
    for (int64_t k = 0; k < H->scores; k++)
        for (int64_t i = 0; i < H->rows; i++) H->m[i] += H->share[k * H->rows + i] * H->E[k * H->rows + i];
    for (int64_t i = 0; i < H->rows; i++) H->m[i] = weight_of(H, i) > 0.0 ? H->m[i] / weight_of(H, i) : 0.0;
}

static void walk_start(struct metric *metric, const double *d)
{
    struct shared_hessian *H = hessian_of(metric);
    dcpn_design_apply(&metric->objective->design, d, H->E);
    find_means(H);
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    struct shared_hessian *H = hessian_of(metric);
    walk_start(metric, d);
    for (int64_t k = 0; k < H->scores; k++)
        for (int64_t i = 0; i < H->rows; i++) {
            int64_t at = k * H->rows + i;
            H->E[at] = H->share[at] * (H->E[at] - H->m[i]);
        }
    dcpn_design_adjoint(&metric->objective->design, H->E, Hd);
    for (int64_t j = 0; j < metric->size; j++) Hd[j] += shift(H, j) * d[j];
}

static double diagonal(const struct metric *metric, int64_t j)
{
    const struct shared_hessian *H = (const struct shared_hessian *)metric;
    if (H->diagonal[j] < 0.0)
        H->diagonal[j] = dcpn_design_column_curvature(&metric->objective->design, j, H->curvature);
    return H->diagonal[j] + shift(H, j);
}

static double lower_bound(const struct metric *metric)
{
    return ((const struct shared_hessian *)metric)->small.least;
}

static double upper_bound(const struct metric *metric)
{
    const struct shared_hessian *H = (const struct shared_hessian *)metric;
    return H->trace + metric->objective->ridge + H->small.largest;
}

static void walk_soon(const struct metric *metric, int64_t j)
{
    dcpn_design_column_soon(&metric->objective->design, j);
}

/* The entries of column j, in rows of the data; returns their number, and where the scores of its class begin. Those of
 * a feature in all classes are one column, which is read once while its classes are visited one after another. */
static int64_t read_column(struct shared_hessian *H, int64_t j, int64_t *before)
{
    struct design *design = &H->metric.objective->design;
    const struct column_of_score at = dcpn_matrix_column_of_score(design->A, j);
    if (at.A != H->read.A || at.column != H->read.column)
        H->read_count = at.A->ops->column(at.A, at.column, H->entry_rows, H->entries);
    H->read = at;
    *before = at.rows_before;
    design->touched += H->read_count;
    return H->read_count;
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    struct shared_hessian *H = hessian_of(metric);
    int64_t before, count = read_column(H, j, &before);
    double sum = 0.0;
    for (int64_t e = 0; e < count; e++) {
        int64_t i = H->entry_rows[e], at = before + i;
        sum += H->entries[e] * (H->share[at] * (H->E[at] - H->m[i]));
    }
    return sum + shift(H, j) * d[j];
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    struct shared_hessian *H = hessian_of(metric);
    int64_t before, count = read_column(H, j, &before);
    for (int64_t e = 0; e < count; e++) {
        int64_t i = H->entry_rows[e], at = before + i;
        double moved = delta * H->entries[e];
        H->E[at] += moved;
        if (H->share[at] > 0.0) H->m[i] += moved * (H->share[at] / weight_of(H, i));
    }
}

static int walk_image(const struct metric *metric, double *Ad)
{
    const struct shared_hessian *H = (const struct shared_hessian *)metric;
    dcpn_copy(metric->objective->rows, H->E, Ad);
    return 1;
}

/* d'Hd = sum s_ik (E_ik - m_i)^2, whatever rounding has done to m */
static double walk_form(const struct metric *metric, const double *d)
{
    const struct shared_hessian *H = (const struct shared_hessian *)metric;
    double sum = 0.0;
    for (int64_t k = 0; k < H->scores; k++)
        for (int64_t i = 0; i < H->rows; i++) {
            double away = H->E[k * H->rows + i] - H->m[i];
            sum += H->share[k * H->rows + i] * (away * away);
        }
    for (int64_t j = 0; j < metric->size; j++) sum += shift(H, j) * (d[j] * d[j]);
    return sum;
}

/* ---- few coordinates as a matrix ---- */

/* a_ij a_il (s_ik [k = k'] - s_ik s_ik' / w_i), added up over the rows of column b; column a is spread out. */
static double pair(struct shared_hessian *H, int64_t b, int64_t before_a)
{
    int64_t before, count = read_column(H, b, &before);
    double sum = 0.0;
    for (int64_t e = 0; e < count; e++) {
        int64_t i = H->entry_rows[e], at = before + i;
        double w = weight_of(H, i), curvature = H->curvature[at];
        if (before != before_a) curvature = w > 0.0 ? -H->share[at] * (H->share[before_a + i] / w) : 0.0;
        sum += H->entries[e] * (H->column[i] * curvature);
    }
    return sum;
}

static void spread(struct shared_hessian *H, int64_t a, int is_in, int64_t *before)
{
    int64_t count = read_column(H, a, before);
    for (int64_t e = 0; e < count; e++) H->column[H->entry_rows[e]] = is_in ? H->entries[e] : 0.0;
}

static void block(struct metric *metric, const int64_t *U, int64_t count, double *M)
{
    struct shared_hessian *H = hessian_of(metric);
    for (int64_t a = 0; a < count; a++) {
        int64_t before;
        spread(H, U[a], 1, &before);
        for (int64_t b = 0; b <= a; b++) M[a * count + b] = M[b * count + a] = pair(H, U[b], before);
        spread(H, U[a], 0, &before);
    }
    for (int64_t a = 0; a < count; a++) M[a * count + a] += shift(H, U[a]);
}

const struct metric_ops dcpn_metric_shared_hessian = {
    .name = "hessian",
    .formula = "sum_i A_i'(diag(s_i) - s_i s_i'/w_i)A_i + ridge I + diag(mu), s = w softmax(u)",
    .state_size = sizeof(struct shared_hessian),
    .share = 0.5, /* its sweeps read the data */
    .clips = 1,
    .walk.exists = dcpn_metric_always_walks,
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
    .gram.block = block,
};
