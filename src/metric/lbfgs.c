/* SPDX-License-Identifier: BSD-3-Clause */
/* L-BFGS: H_k from the last few pairs s = x_k - x_{k-1}, y = grad f1(x_k) - grad f1(x_{k-1}).
 *
 * f1 is convex, so s'y >= 0. Compact form (Byrd, Nocedal, Schnabel 1994, section 3), with S and Y holding the pairs
 * as columns, D the diagonal of S'Y and L its strictly lower part:
 *
 *     B = B_0 - Psi Q^-1 Psi',   Psi = [Y  B_0 S],   Q = [-D  L'; L  S'B_0 S],   B_0 = sigma I,   sigma = y'y / s'y
 *
 * With the triangular factor P = [D^1/2  0; -L D^-1/2  J],  J J' = S'B_0 S + L D^-1 L',  this is
 *
 *     B = B_0 + U_+ U_+' - U_- U_-',   [U_+ U_-] = Psi P^-T
 *
 * so a product costs O(memory) per coordinate, and so does the move of one coordinate. H = B + m I keeps H >= m I also
 * in floating point; m is 1e-10 of a bound on B. Each pair is kept as a row of the arrays S and Y, and U lies row by
 * row, 2 memory entries per coordinate. `seeded-lbfgs` is the same with another B_0 (seed.c), from the time on when x
 * tells which coordinates matter. */
#include <math.h>

#include "base/cholesky.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "metric/metric.h"
#include "metric/seed.h"

enum { TILE = 64 };

struct lbfgs {
    struct metric metric;
    int64_t memory, pairs, next; /* pairs in use; the place of the next one */
    int64_t updates;
    double m, bound;
    struct seed seed;      /* B_0 */
    double *x, *gradient1; /* of the previous point */
    double *S, *Y;         /* memory rows of size entries, in the order of places */
    double *image;         /* rows of B_0 S, once B_0 is more than sigma I */
    double *SS, *SY, *SBS; /* memory x memory products, by place; B is B_0 */
    double *P;             /* 2 pairs x 2 pairs, lower triangular */
    double *U;             /* size rows of 2 pairs entries: first +, then - */
    double *c;             /* U'd, with the signs */
    struct {
        double *tile; /* TILE rows of U, transposed */
        double *rows;
    } room;
};

static struct lbfgs *lbfgs_of(struct metric *metric)
{
    return (struct lbfgs *)metric;
}

static const char *refusal(const struct loss *loss, const struct metric_settings *settings)
{
    (void)loss;
    return settings->majorize ? "lbfgs does not majorise f1; --majorize works with identity and hessian" : NULL;
}

static const char *refusal_of_seeded(const struct loss *loss, const struct metric_settings *settings)
{
    if (loss->own) return "seeded-lbfgs needs the columns of a matrix, which an f of your own does not have; use lbfgs";
    if (!dcpn_loss_has_curvature(loss))
        return "seeded-lbfgs needs second derivatives, which this loss does not give; use lbfgs";
    return refusal(loss, settings);
}

static void layout(struct metric *metric, struct arena *arena)
{
    struct lbfgs *H = lbfgs_of(metric);
    int64_t memory = H->memory = metric->settings.memory, size = metric->size;
    int seeded = metric->ops == &dcpn_metric_seeded_lbfgs && metric->objective->design.A->ops->gram;
    dcpn_seed_layout(&H->seed, metric->objective, seeded ? size : 0, arena);
    H->image = dcpn_arena_doubles(arena, seeded ? memory * size : 0);
    H->SBS = dcpn_arena_doubles(arena, seeded ? memory * memory : 0);
    H->x = dcpn_arena_doubles(arena, size);
    H->gradient1 = dcpn_arena_doubles(arena, size);
    H->S = dcpn_arena_doubles(arena, memory * size);
    H->Y = dcpn_arena_doubles(arena, memory * size);
    H->SS = dcpn_arena_doubles(arena, memory * memory);
    H->SY = dcpn_arena_doubles(arena, memory * memory);
    H->P = dcpn_arena_doubles(arena, 4 * memory * memory);
    H->U = dcpn_arena_doubles(arena, 2 * memory * size);
    H->c = dcpn_arena_doubles(arena, 2 * memory);
    H->room.tile = dcpn_arena_doubles(arena, 2 * memory * TILE);
    H->room.rows = dcpn_arena_doubles(arena, metric->objective->rows);
}

static void prepare(struct metric *metric)
{
    struct lbfgs *H = lbfgs_of(metric);
    H->pairs = H->next = H->updates = 0;
    dcpn_seed_forget(&H->seed);
}

static void state_of(struct metric *metric, struct state *state)
{
    struct lbfgs *H = lbfgs_of(metric);
    int64_t memory = H->memory, size = metric->size, seeded = H->seed.most > 0;
    DCPN_STATE(state, H->pairs);
    DCPN_STATE(state, H->next);
    DCPN_STATE(state, H->updates);
    DCPN_STATE_ARRAY(state, H->x, size);
    DCPN_STATE_ARRAY(state, H->gradient1, size);
    DCPN_STATE_ARRAY(state, H->S, memory * size);
    DCPN_STATE_ARRAY(state, H->Y, memory * size);
    DCPN_STATE_ARRAY(state, H->image, seeded ? memory * size : 0);
    DCPN_STATE_ARRAY(state, H->SS, memory * memory);
    DCPN_STATE_ARRAY(state, H->SY, memory * memory);
    DCPN_STATE_ARRAY(state, H->SBS, seeded ? memory * memory : 0);
    dcpn_seed_state(&H->seed, size, state);
    int is_sound = H->pairs >= 0 && H->pairs <= memory && H->next >= 0 && H->next < memory;
    if (!is_sound) H->pairs = H->next = H->updates = 0; /* as a forged file may say */
}

/* The place of the i-th pair in use, oldest first. */
static int64_t place(const struct lbfgs *H, int64_t i)
{
    return (H->next - H->pairs + i + H->memory) % H->memory;
}

static double *pair_row(const struct lbfgs *H, double *rows, int64_t where)
{
    return rows + where * H->metric.size;
}

static void write_pair(struct lbfgs *H, const struct point *point, double *s, double *y)
{
    for (int64_t j = 0; j < H->metric.size; j++) {
        s[j] = point->x[j] - H->x[j];
        y[j] = point->gradient1[j] - H->gradient1[j];
    }
}

/* B_0 s of the pair at this place, and its products with the pairs in use. */
static void take_image(struct lbfgs *H, int64_t here)
{
    int64_t size = H->metric.size;
    const double *s = pair_row(H, H->S, here);
    double *image = pair_row(H, H->image, here);
    dcpn_seed_walk_start(&H->seed, s);
    for (int64_t j = 0; j < size; j++) image[j] = dcpn_seed_walk_product(&H->seed, s, j);
    for (int64_t i = 0; i < H->pairs; i++) {
        int64_t other = place(H, i);
        H->SBS[here * H->memory + other] = H->SBS[other * H->memory + here] =
            dcpn_dot(size, image, pair_row(H, H->S, other));
    }
}

/* The new pair goes to the place of the oldest; a pair of too little curvature would make H nearly singular. */
static void take_pair(struct lbfgs *H, const struct point *point)
{
    int64_t size = H->metric.size, here = H->next;
    double *s = pair_row(H, H->S, here), *y = pair_row(H, H->Y, here);
    if (H->pairs == H->memory) H->pairs--;
    write_pair(H, point, s, y);
    double ss = dcpn_dot(size, s, s), sy = dcpn_dot(size, s, y), yy = dcpn_dot(size, y, y);
    if (!(sy > LBFGS_LEAST_CURVATURE * sqrt(ss) * sqrt(yy))) {
        H->metric.safeguards += ss > 0.0; /* the next descent may begin where the last one ended */
        return;
    }
    H->next = (H->next + 1) % H->memory;
    H->pairs++;
    H->seed.sigma = yy / sy;
    for (int64_t i = 0; i < H->pairs; i++) {
        int64_t other = place(H, i);
        H->SS[here * H->memory + other] = H->SS[other * H->memory + here] = dcpn_dot(size, s, pair_row(H, H->S, other));
        H->SY[here * H->memory + other] = dcpn_dot(size, s, pair_row(H, H->Y, other));
        H->SY[other * H->memory + here] = dcpn_dot(size, pair_row(H, H->S, other), y);
    }
    if (H->seed.count > 0) take_image(H, here);
}

/* (S'B_0 S)_ij and (S'Y)_ij for the i-th and j-th pair in use. */
static double sbs_of(const struct lbfgs *H, int64_t i, int64_t j)
{
    int64_t at = place(H, i) * H->memory + place(H, j);
    return H->seed.count > 0 ? H->SBS[at] : H->seed.sigma * H->SS[at];
}

static double sy_of(const struct lbfgs *H, int64_t i, int64_t j)
{
    return H->SY[place(H, i) * H->memory + place(H, j)];
}

/* The lower-left block -L D^-1/2 of P and, right of it, S'B_0 S + L D^-1 L'. */
static void fill_factor(struct lbfgs *H)
{
    int64_t k = H->pairs, width = 2 * k;
    double *P = H->P;
    dcpn_fill(width * width, 0.0, P);
    for (int64_t i = 0; i < k; i++) {
        P[i * width + i] = sqrt(sy_of(H, i, i));
        for (int64_t j = 0; j < i; j++) P[(k + i) * width + j] = -sy_of(H, i, j) / sqrt(sy_of(H, j, j));
    }
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j <= i; j++)
            P[(k + i) * width + k + j] = sbs_of(H, i, j) + dcpn_dot(k, P + (k + i) * width, P + (k + j) * width);
}

/* J by Cholesky, in place. 0: not positive definite in floating point. */
static int factorize(struct lbfgs *H)
{
    int64_t k = H->pairs, width = 2 * k;
    return dcpn_cholesky(k, width, 1e-14, H->P + k * width + k);
}

/* Row j of U solves P u = psi_j, psi_j = (y_j of each pair, (B_0 s)_j of each pair): forward substitution, for TILE
 * rows at once, the i-th entries of all of them side by side. */
static void solve_tile(struct lbfgs *H, int64_t begin, int64_t count)
{
    int64_t k = H->pairs, width = 2 * k;
    int is_plain = H->seed.count == 0;
    for (int64_t i = 0; i < width; i++) {
        const double *row = H->P + i * width, scale = i < k || !is_plain ? 1.0 : H->seed.sigma;
        const double *psi = pair_row(H, i < k ? H->Y : is_plain ? H->S : H->image, place(H, i % k)) + begin;
        double *restrict u = H->room.tile + i * TILE;
        for (int64_t j = 0; j < count; j++) u[j] = scale * psi[j];
        for (int64_t l = 0; l < i; l++)
            for (int64_t j = 0; j < count; j++) u[j] -= row[l] * H->room.tile[l * TILE + j];
        for (int64_t j = 0; j < count; j++) u[j] /= row[i];
    }
}

/* B <= B_0 + U_+ U_+', and the largest eigenvalue of U_+ U_+' is at most the sum of the squares of U_+. */
static void fill_rows(struct lbfgs *H)
{
    int64_t size = H->metric.size, width = 2 * H->pairs;
    double squares = 0.0;
    for (int64_t begin = 0; begin < size && width > 0; begin += TILE) {
        int64_t count = size - begin < TILE ? size - begin : TILE;
        solve_tile(H, begin, count);
        for (int64_t i = 0; i < H->pairs; i++)
            squares += dcpn_dot(count, H->room.tile + i * TILE, H->room.tile + i * TILE);
        for (int64_t j = 0; j < count; j++)
            for (int64_t i = 0; i < width; i++) H->U[(begin + j) * width + i] = H->room.tile[i * TILE + j];
    }
    H->bound = dcpn_seed_bound(&H->seed, size) + squares;
    H->m = LBFGS_FLOOR * H->bound;
}

static void update(struct metric *metric, const struct point *point, double t)
{
    struct lbfgs *H = lbfgs_of(metric);
    (void)t;
    if (H->updates++ > 0)
        take_pair(H, point);
    else
        H->seed.sigma = dcpn_objective_first_curvature(metric->objective, point, H->room.rows);
    if (dcpn_seed_refresh(&H->seed, metric->objective, point))
        for (int64_t i = 0; i < H->pairs; i++) take_image(H, place(H, i));
    while (fill_factor(H), !factorize(H)) { /* nearly dependent pairs: forget the oldest */
        H->pairs--;
        metric->safeguards++;
    }
    fill_rows(H);
    dcpn_copy(metric->size, point->x, H->x);
    dcpn_copy(metric->size, point->gradient1, H->gradient1);
}

/* c = +-U'd */
static void walk_start(struct metric *metric, const double *d)
{
    struct lbfgs *H = lbfgs_of(metric);
    int64_t k = H->pairs, width = 2 * k;
    dcpn_seed_walk_start(&H->seed, d);
    dcpn_fill(width, 0.0, H->c);
    for (int64_t j = 0; j < metric->size; j++) {
        if (d[j] == 0.0) continue;
        for (int64_t i = 0; i < width; i++) H->c[i] += H->U[j * width + i] * d[j];
    }
    for (int64_t i = k; i < width; i++) H->c[i] = -H->c[i];
}

/* u'c of two entries at a time: there is a + and a - for each pair. */
static double row_product(int64_t width, const double *restrict u, const double *restrict c)
{
    double even = 0.0, odd = 0.0;
    for (int64_t i = 0; i < width; i += 2) {
        even += u[i] * c[i];
        odd += u[i + 1] * c[i + 1];
    }
    return even + odd;
}

static double walk_product(struct metric *metric, const double *d, int64_t j)
{
    const struct lbfgs *H = lbfgs_of(metric);
    int64_t width = 2 * H->pairs;
    return dcpn_seed_walk_product(&H->seed, d, j) + H->m * d[j] + row_product(width, H->U + j * width, H->c);
}

static void walk_move(struct metric *metric, int64_t j, double delta)
{
    struct lbfgs *H = lbfgs_of(metric);
    int64_t k = H->pairs, width = 2 * k;
    dcpn_seed_walk_move(&H->seed, j, delta);
    for (int64_t i = 0; i < k; i++) H->c[i] += H->U[j * width + i] * delta;
    for (int64_t i = k; i < width; i++) H->c[i] -= H->U[j * width + i] * delta;
}

static double walk_form(const struct metric *metric, const double *d)
{
    const struct lbfgs *H = (const struct lbfgs *)metric;
    int64_t k = H->pairs;
    return dcpn_seed_walk_form(&H->seed, metric->size, d) + H->m * dcpn_dot(metric->size, d, d) +
           dcpn_dot(k, H->c, H->c) - dcpn_dot(k, H->c + k, H->c + k);
}

static void apply(struct metric *metric, const double *d, double *Hd)
{
    walk_start(metric, d);
    for (int64_t j = 0; j < metric->size; j++) Hd[j] = walk_product(metric, d, j);
}

static double diagonal(const struct metric *metric, int64_t j)
{
    const struct lbfgs *H = (const struct lbfgs *)metric;
    int64_t k = H->pairs;
    const double *u = H->U + j * 2 * k;
    return H->m + fmax(dcpn_seed_diagonal(&H->seed, j) + dcpn_dot(k, u, u) - dcpn_dot(k, u + k, u + k), 0.0);
}

static double lower_bound(const struct metric *metric)
{
    return ((const struct lbfgs *)metric)->m;
}

static double upper_bound(const struct metric *metric)
{
    const struct lbfgs *H = (const struct lbfgs *)metric;
    return H->bound + H->m;
}

#define SHARED_BY_BOTH                                                                                                 \
    .state_size = sizeof(struct lbfgs), .f1_apart = 1, .remembers_f = 1, .share = 0.1,                                 \
    .walk.exists = dcpn_metric_always_walks, .layout = layout, .prepare = prepare, .update = update,                   \
    .apply = apply, .diagonal = diagonal, .lower_bound = lower_bound, .upper_bound = upper_bound,                      \
    .walk.start = walk_start, .walk.product = walk_product, .walk.move = walk_move, .walk.form = walk_form,            \
    .state = state_of

const struct metric_ops dcpn_metric_lbfgs = {
    .name = "lbfgs",
    .formula = "limited-memory BFGS on the pairs of f1, + m I",
    .refusal = refusal,
    SHARED_BY_BOTH,
};

const struct metric_ops dcpn_metric_seeded_lbfgs = {
    .name = "seeded-lbfgs",
    .formula = "the same, its first matrix the Hessian of the largest coordinates, and the diagonal",
    .refusal = refusal_of_seeded,
    SHARED_BY_BOTH,
};
