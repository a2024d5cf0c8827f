/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinate descent by blocks, where h1 = sum_g c_g |x_g|: each block in turn goes to where the model is least
 * (block.h). A sweep over all blocks is followed by sweeps over those in use, until they are solved. Every few of them
 * Anderson acceleration makes a guess; and where many are needed, they go on in the matrix H_UU, U the coordinates in
 * use, in which Newton's step ends them: away from 0 the norm of a block is smooth. */
#include <math.h>

#include "base/factor.h"
#include "base/rng.h"
#include "base/vector.h"
#include "penalty/norm.h"
#include "subproblem/anderson.h"
#include "subproblem/block.h"
#include "subproblem/coordinate.h"

enum { MATRIX_SWEEPS = 20, LONG = 32 /* coordinates, before the driver is asked */, NEWTON_TRIALS = 6 };
enum { SWEEPS_BEFORE_NEWTON = 4, ROWS_PER_SWEEP = 16 /* of a matrix: what a factor of it costs, in sweeps */ };
static const double LEAST_RATIO = 0.1; /* a start that is nearly solved */

/* The model on the coordinates of blocks in use, H being a matrix. */
struct small_model {
    int64_t most, count;
    int64_t *U; /* ascending */
    int64_t *list;
    double *G, *v, *x, *d, *c, *lower, *upper;
    struct matrix_metric H;
    struct penalty h1;
    struct block_room room;
    struct block_factors factors;
    double *newton, *residual, *step; /* the matrix of Newton's step, by rows of a stride */
    int64_t *free;                    /* the coordinates it moves */
};

struct block_descent {
    struct subsolver subsolver;
    struct block_factors factors;
    int64_t *in_use; /* blocks */
    double *y, *image;
    struct anderson anderson;
    struct rng rng;
    int64_t unasked;  /* coordinates since the driver was asked whether to end */
    int is_over;      /* it wants to */
    int is_unbounded; /* the model with the curvature of h may be */
    struct small_model small;
};

static void layout_small_model(struct block_descent *solver, const struct penalty *h1, struct arena *arena)
{
    struct small_model *s = &solver->small;
    int64_t most = s->most = solver->subsolver.most_in_matrix;
    s->U = dcpn_arena_integers(arena, most);
    s->list = dcpn_arena_integers(arena, h1->blocks.count);
    s->free = dcpn_arena_integers(arena, most);
    s->G = dcpn_arena_scratch(arena, most * most);
    s->v = dcpn_arena_scratch(arena, most);
    s->x = dcpn_arena_scratch(arena, most);
    s->d = dcpn_arena_scratch(arena, most);
    s->c = dcpn_arena_scratch(arena, most);
    s->lower = dcpn_arena_scratch(arena, most);
    s->upper = dcpn_arena_scratch(arena, most);
    s->newton = dcpn_arena_scratch(arena, most * dcpn_factor_stride(most));
    s->residual = dcpn_arena_scratch(arena, most);
    s->step = dcpn_arena_scratch(arena, most);
    s->H = (struct matrix_metric){{.ops = &dcpn_metric_matrix}, s->G, dcpn_arena_scratch(arena, most)};
    dcpn_blocks_layout(h1, &s->room, arena);
    dcpn_block_factors_layout(&s->factors, &h1->blocks, arena);
}

static void layout(struct subsolver *subsolver, struct arena *arena)
{
    struct block_descent *solver = (struct block_descent *)subsolver;
    const struct penalty *h1 = subsolver->h1;
    dcpn_block_factors_layout(&solver->factors, &h1->blocks, arena);
    solver->in_use = dcpn_arena_integers(arena, h1->blocks.count);
    solver->y = dcpn_arena_scratch(arena, subsolver->size);
    solver->image = dcpn_arena_scratch(arena, subsolver->size);
    dcpn_anderson_layout(&solver->anderson, subsolver->size, arena);
    layout_small_model(solver, h1, arena);
}

static void prepare(struct subsolver *subsolver)
{
    dcpn_rng_seed(&((struct block_descent *)subsolver)->rng, 1);
}

static void state_of(struct subsolver *subsolver, struct state *state)
{
    DCPN_STATE(state, ((struct block_descent *)subsolver)->rng);
}

static void shuffle(struct rng *rng, int64_t count, int64_t *list)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t other = (int64_t)dcpn_rng_below(rng, (uint64_t)i + 1), kept = list[i];
        list[i] = list[other];
        list[other] = kept;
    }
}

/* ---- sweeps ---- */

/* Minimises over the last coordinates, if they are intercepts that do not follow the others. */
static double minimize_intercepts(const struct quadratic_model *model, double *d)
{
    double largest = 0.0;
    if (model->intercept_follows) return 0.0;
    for (int64_t j = model->h1->features; j < model->size; j++)
        largest = fmax(largest, dcpn_coordinate_minimize(model, j, d));
    return largest;
}

/* Asks whether to end, but not after a few coordinates, which take no longer than to look at the clock. The Hessian of
 * a block, made when a sweep first comes to it, may take long, so that a whole sweep is too late. */
static void ask_to_end(struct block_descent *solver, int64_t coordinates)
{
    const struct subsolver *subsolver = &solver->subsolver;
    solver->unasked += coordinates;
    if (solver->unasked < LONG || !subsolver->should_end) return;
    solver->unasked = 0;
    solver->is_over = subsolver->should_end(subsolver->driver);
}

static double minimize_block(struct block_descent *solver, struct block_factors *factors,
                             const struct quadratic_model *model, int64_t b, double *d)
{
    ask_to_end(solver, dcpn_block_size(&model->h1->blocks, b));
    return dcpn_block_minimize(factors, model, b, d);
}

static double sweep(struct block_descent *solver, struct block_factors *factors, const struct quadratic_model *model,
                    const int64_t *list, int64_t count, double *d)
{
    double largest = minimize_intercepts(model, d);
    for (int64_t i = 0; i < count && !solver->is_over; i++)
        largest = fmax(largest, minimize_block(solver, factors, model, list[i], d));
    return largest;
}

static double sweep_all(struct block_descent *solver, const struct quadratic_model *model, double *d)
{
    double largest = fmax(dcpn_coordinate_settle_intercept(model, d), minimize_intercepts(model, d));
    for (int64_t b = 0; b < model->h1->blocks.count && !solver->is_over; b++)
        largest = fmax(largest, minimize_block(solver, &solver->factors, model, b, d));
    return largest;
}

static int is_in_use(const struct quadratic_model *model, int64_t b, const double *d)
{
    const int64_t *g = dcpn_block_members(&model->h1->blocks, b);
    for (int64_t i = 0; i < dcpn_block_size(&model->h1->blocks, b); i++)
        if (d[g[i]] != 0.0 || model->x[g[i]] != 0.0) return 1;
    return 0;
}

static int64_t find_in_use(const struct quadratic_model *model, const double *d, int64_t *list)
{
    int64_t count = 0;
    for (int64_t b = 0; b < model->h1->blocks.count; b++)
        if (is_in_use(model, b, d)) list[count++] = b;
    return count;
}

/* ---- the value of the model, and guesses that are taken where it is lower ---- */

static double value_of(struct block_descent *solver, const struct block_factors *factors,
                       const struct quadratic_model *model, const int64_t *list, int64_t count, const double *d)
{
    double linear = 0.0;
    for (int64_t j = model->h1->features; j < model->size; j++) linear += model->v[j] * d[j];
    for (int64_t i = 0; i < count; i++) {
        const int64_t *g = dcpn_block_members(&model->h1->blocks, list[i]);
        for (int64_t k = 0; k < dcpn_block_size(&model->h1->blocks, list[i]); k++) linear += model->v[g[k]] * d[g[k]];
        linear += 0.5 * dcpn_block_bend_product(factors, model, list[i], d, solver->image) +
                  dcpn_block_h1_change(model, list[i], d);
    }
    return 0.5 * model->H->ops->walk.form(model->H, d) + linear;
}

/* Copies y = x + d of the blocks on the list, one after the other; returns how many numbers these are. */
static int64_t gather(const struct quadratic_model *model, const int64_t *list, int64_t count, const double *d,
                      double *y)
{
    int64_t size = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *g = dcpn_block_members(&model->h1->blocks, list[i]);
        for (int64_t k = 0; k < dcpn_block_size(&model->h1->blocks, list[i]); k++) y[size++] = model->x[g[k]] + d[g[k]];
    }
    return size;
}

static void move_to(const struct quadratic_model *model, const int64_t *list, int64_t count, const double *y, double *d)
{
    int64_t place = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t *g = dcpn_block_members(&model->h1->blocks, list[i]);
        for (int64_t k = 0; k < dcpn_block_size(&model->h1->blocks, list[i]); k++)
            dcpn_coordinate_move(model, g[k], dcpn_penalty_clamp(model->h1, g[k], y[place++]), d);
    }
}

static void accelerate(struct block_descent *solver, const struct block_factors *factors,
                       const struct quadratic_model *model, const int64_t *list, int64_t count, double *d)
{
    int64_t size = gather(model, list, count, d, solver->y);
    if (!dcpn_anderson_take(&solver->anderson, size, solver->y)) return;
    double before = value_of(solver, factors, model, list, count, d);
    move_to(model, list, count, solver->anderson.guess, d);
    if (!(value_of(solver, factors, model, list, count, d) < before)) move_to(model, list, count, solver->y, d);
}

/* Sweeps over the list, up to so many, or until the violation is small enough; returns the last. */
static double sweep_often(struct block_descent *solver, struct block_factors *factors,
                          const struct quadratic_model *model, int64_t *list, int64_t count, double enough,
                          int64_t *left, double *d)
{
    double violation = HUGE_VAL;
    solver->anderson.count = 0;
    shuffle(&solver->rng, count, list);
    while (violation > enough && *left > 0 && !solver->is_over) {
        violation = sweep(solver, factors, model, list, count, d);
        (*left)--;
        if (violation > enough && solver->subsolver.extrapolates) accelerate(solver, factors, model, list, count, d);
    }
    return violation;
}

/* ---- in a matrix ---- */

/* The coordinates of the blocks on the list, ascending. */
static void list_coordinates(struct small_model *s, const struct quadratic_model *model, const int64_t *list,
                             int64_t count, double *mark)
{
    const struct blocks *blocks = &model->h1->blocks;
    dcpn_fill(model->size, 0.0, mark);
    for (int64_t i = 0; i < count; i++) {
        const int64_t *g = dcpn_block_members(blocks, list[i]);
        for (int64_t k = 0; k < dcpn_block_size(blocks, list[i]); k++) mark[g[k]] = 1.0;
    }
    s->count = 0;
    for (int64_t j = 0; j < model->size; j++)
        if (mark[j] != 0.0) s->U[s->count++] = j;
}

/* H on U, the intercept eliminated where it follows. */
static void form_matrix(struct small_model *s, const struct quadratic_model *model)
{
    model->H->ops->gram.form(model->H, s->U, s->count, s->G);
    for (int64_t a = 0; a < s->count && model->intercept_follows; a++) {
        double pull = dcpn_coordinate_pull(model, s->U[a]);
        for (int64_t b = 0; b < s->count; b++)
            s->G[a * s->count + b] += pull * model->H->ops->walk.coupling(model->H, s->U[b]);
    }
}

/* v += B d, and G += B, with the curvature of h of the model. Block b of it is block i of the small one. */
static void take_bend(struct small_model *s, const struct block_factors *factors, const struct quadratic_model *model,
                      int64_t b, int64_t i, const double *d, double *product)
{
    const struct blocks *blocks = &s->h1.blocks;
    const int64_t *g = dcpn_block_members(blocks, i), size = dcpn_block_size(blocks, i);
    double along = factors->along[b];
    if (along == 0.0) return;
    double r = dcpn_block_norm(&model->h1->blocks, b, model->x);
    dcpn_block_bend_product(factors, model, b, d, product);
    for (int64_t k = 0; k < size; k++) {
        double n = model->x[s->U[g[k]]] / r;
        s->v[g[k]] += product[k];
        for (int64_t l = 0; l < size; l++) s->G[g[k] * s->count + g[l]] += along * n * (model->x[s->U[g[l]]] / r);
    }
}

/* The model on the blocks of the list alone, around the present d. */
static struct quadratic_model restrict_model(struct block_descent *solver, const struct quadratic_model *model,
                                             const int64_t *list, int64_t count, const double *d)
{
    struct small_model *s = &solver->small;
    list_coordinates(s, model, list, count, solver->image);
    s->h1 = (struct penalty){.composition = model->h1->composition,
                             .c = s->c,
                             .lower = model->h1->lower ? s->lower : NULL,
                             .upper = model->h1->lower ? s->upper : NULL,
                             .features = s->count,
                             .size = s->count};
    dcpn_blocks_restrict(model->h1, s->U, s->count, &s->room, &s->h1);
    form_matrix(s, model);
    for (int64_t i = 0; i < s->count; i++) {
        int64_t j = s->U[i];
        s->v[i] = model->v[j] + model->H->ops->walk.product(model->H, d, j);
        s->x[i] = model->x[j] + d[j];
        s->c[i] = model->h1->c[j];
        s->d[i] = 0.0;
        if (model->h1->lower) s->lower[i] = model->h1->lower[j];
        if (model->h1->lower) s->upper[i] = model->h1->upper[j];
    }
    for (int64_t i = 0; i < count; i++) take_bend(s, &solver->factors, model, list[i], i, d, solver->image);
    s->H.metric.size = s->count;
    s->H.metric.ops->walk.start(&s->H.metric, s->d);
    dcpn_block_factors_forget(&s->factors, s->h1.blocks.count);
    for (int64_t i = 0; i < s->h1.blocks.count; i++) s->list[i] = i;
    return (struct quadratic_model){&s->H.metric, s->v, s->x, &s->h1, s->count, NULL, 0};
}

/* The block's part of Newton's matrix, G + c / r (I - n n'), and of the residual -(v + G d + c n), with the slopes of
 * the coordinates' own terms; coordinates that stay at 0 have no place. */
static void add_norm(struct small_model *s, int64_t b, int64_t *place, int64_t stride)
{
    const struct blocks *blocks = &s->h1.blocks;
    const int64_t *g = dcpn_block_members(blocks, b), size = dcpn_block_size(blocks, b);
    double c = dcpn_block_slope(&s->h1, b), r = 0.0;
    for (int64_t k = 0; k < size; k++) r = hypot(r, s->x[g[k]] + s->d[g[k]]);
    for (int64_t k = 0; k < size; k++) {
        if (place[g[k]] < 0) continue;
        double n = (s->x[g[k]] + s->d[g[k]]) / r, *row = s->newton + place[g[k]] * stride;
        double own = copysign(dcpn_member_slope(&s->h1, g[k]), n);
        s->residual[place[g[k]]] = -(s->v[g[k]] + s->H.Gd[g[k]] + c * n + own);
        row[place[g[k]]] += c / r;
        for (int64_t l = 0; l < size; l++)
            if (place[g[l]] >= 0) row[place[g[l]]] -= c / r * n * ((s->x[g[l]] + s->d[g[l]]) / r);
    }
}

/* Does the coordinate's own term, or an edge of the box, hold it at 0? */
static int is_held(const struct small_model *s, int64_t j)
{
    if (s->x[j] + s->d[j] != 0.0) return 0;
    return dcpn_member_slope(&s->h1, j) > 0.0 || (s->h1.lower && (s->lower[j] == 0.0 || s->upper[j] == 0.0));
}

/* The coordinates of blocks away from 0, but for those that are held there; place has where they stand
 * among them. */
static int64_t list_free(struct small_model *s, int64_t *place)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->count; i++) place[i] = -1;
    for (int64_t b = 0; b < s->h1.blocks.count; b++) {
        const int64_t *g = dcpn_block_members(&s->h1.blocks, b), size = dcpn_block_size(&s->h1.blocks, b);
        double r = 0.0;
        for (int64_t k = 0; k < size; k++) r = fmax(r, fabs(s->x[g[k]] + s->d[g[k]]));
        for (int64_t k = 0; k < size && r > 0.0; k++) {
            if (is_held(s, g[k])) continue;
            place[g[k]] = count;
            s->free[count++] = g[k];
        }
    }
    return count;
}

/* Newton's step on the blocks away from 0, or a part of it, if the model is lower there. Returns 0 where the model is
 * not convex, as the curvature of h may make it. */
static int newton(struct block_descent *solver, const struct quadratic_model *model, int64_t *place)
{
    struct small_model *s = &solver->small;
    int64_t count = list_free(s, place), stride = dcpn_factor_stride(count);
    for (int64_t a = 0; a < count; a++) {
        double *row = s->newton + a * stride;
        for (int64_t b = 0; b < stride; b++) row[b] = b < count ? s->G[s->free[a] * s->count + s->free[b]] : 0.0;
    }
    for (int64_t b = 0; b < s->h1.blocks.count; b++) add_norm(s, b, place, stride);
    for (int64_t a = 0; a < count; a++) s->step[a] = s->newton[a * stride + a];
    if (count == 0) return 1;
    if (!dcpn_factor(count, s->step, 1e-15, s->newton)) return 0;
    dcpn_factor_solve(count, s->newton, s->residual);
    double before = value_of(solver, &s->factors, model, s->list, s->h1.blocks.count, s->d), t = 1.0;
    for (int64_t a = 0; a < count; a++) s->step[a] = s->x[s->free[a]] + s->d[s->free[a]];
    for (int k = 0; k < NEWTON_TRIALS; k++, t *= 0.5) {
        for (int64_t a = 0; a < count; a++) {
            double y = dcpn_penalty_clamp(&s->h1, s->free[a], s->step[a] + t * s->residual[a]);
            dcpn_coordinate_move(model, s->free[a], y, s->d);
        }
        if (value_of(solver, &s->factors, model, s->list, s->h1.blocks.count, s->d) < before) return 1;
    }
    for (int64_t a = 0; a < count; a++) dcpn_coordinate_move(model, s->free[a], s->step[a], s->d);
    return 1;
}

static double solve_in_matrix(struct block_descent *solver, const struct quadratic_model *model, const int64_t *list,
                              int64_t count, double enough, int64_t *sweeps_left, double *d)
{
    struct small_model *s = &solver->small;
    struct quadratic_model small = restrict_model(solver, model, list, count, d);
    int64_t left = MATRIX_SWEEPS * *sweeps_left, patience = s->count / ROWS_PER_SWEEP + SWEEPS_BEFORE_NEWTON;
    double violation = HUGE_VAL;
    while (left > 0 && !solver->is_over) {
        int64_t some = patience < left ? patience : left;
        left -= some;
        violation = sweep_often(solver, &s->factors, &small, s->list, s->h1.blocks.count, enough, &some, s->d);
        left += some;
        if (!(violation > enough)) break;
        int is_convex = newton(solver, &small, s->room.position);
        for (int64_t i = 0; i < s->count; i++) s->room.position[i] = 0;
        if (!is_convex && model->bend) {
            solver->is_unbounded = 1;
            break;
        }
    }
    *sweeps_left = left / MATRIX_SWEEPS;
    for (int64_t i = 0; i < s->count; i++) dcpn_coordinate_move(model, s->U[i], s->x[i] + s->d[i], d);
    return violation;
}

/* Solves the model on the blocks in use by walks, until those have cost as much as a matrix would; then in a matrix. */
static void solve_in_use(struct block_descent *solver, const struct quadratic_model *model, double enough,
                         int64_t *sweeps_left, double *d)
{
    struct small_model *s = &solver->small;
    const struct metric_ops *H = model->H->ops;
    int64_t count = find_in_use(model, d, solver->in_use), size = 0;
    for (int64_t i = 0; i < count; i++) size += dcpn_block_size(&model->h1->blocks, solver->in_use[i]);
    int may_form = H->gram.sweeps && size > 0 && size <= s->most;
    if (may_form) list_coordinates(s, model, solver->in_use, count, solver->image);
    double worth = may_form ? H->gram.sweeps(model->H, s->U, s->count) : HUGE_VAL;
    int64_t walks = worth < (double)*sweeps_left ? (int64_t)worth + 1 : *sweeps_left, walks_left = walks;
    if (walks > *sweeps_left) walks = walks_left = *sweeps_left;
    double violation = sweep_often(solver, &solver->factors, model, solver->in_use, count, enough, &walks_left, d);
    *sweeps_left -= walks - walks_left;
    if (!may_form || !(violation > enough) || *sweeps_left == 0 || solver->is_over) return;
    find_in_use(model, d, solver->in_use); /* in their order again */
    solve_in_matrix(solver, model, solver->in_use, count, enough, sweeps_left, d);
}

/* ---- the solver ---- */

static double violation_at_start(struct block_descent *solver, const struct quadratic_model *model)
{
    double largest = 0.0;
    for (int64_t j = model->h1->features; j < model->size; j++) largest = fmax(largest, fabs(model->v[j]));
    for (int64_t b = 0; b < model->h1->blocks.count; b++)
        largest = fmax(largest, dcpn_block_violation_at_start(&solver->factors, model, b));
    return largest;
}

/* Is the last coordinate an intercept whose moves cost nothing? */
static int intercept_can_follow(const struct quadratic_model *model)
{
    return model->H->ops->walk.coupling && model->size - model->h1->features == 1;
}

static void give_up_bend(struct block_descent *solver, struct quadratic_model *model)
{
    model->bend = NULL;
    dcpn_block_factors_forget(&solver->factors, model->h1->blocks.count);
    solver->is_unbounded = 0;
}

/* The violations in a sweep belong to many points, so that what counts is how far they fall from the first sweep on. */
static int64_t solve(struct subsolver *subsolver, const struct quadratic_model *asked, double tolerance,
                     int64_t max_iterations, double *d)
{
    struct block_descent *solver = (struct block_descent *)subsolver;
    struct quadratic_model followed = *asked, *model = &followed;
    int64_t sweeps_left = max_iterations;
    double at_start = violation_at_start(solver, model), enough = 0.0;
    model->intercept_follows = intercept_can_follow(model);
    model->H->ops->walk.start(model->H, d);
    dcpn_block_factors_forget(&solver->factors, model->h1->blocks.count);
    solver->is_over = solver->is_unbounded = 0;
    while (sweeps_left > 0 && !solver->is_over) {
        double violation = sweep_all(solver, model, d);
        if (sweeps_left-- == max_iterations) enough = tolerance * fmin(fmax(violation / at_start, LEAST_RATIO), 1.0);
        if (!(violation > enough)) break;
        solve_in_use(solver, model, enough, &sweeps_left, d);
        if (solver->is_unbounded) give_up_bend(solver, model);
    }
    subsolver->made += (double)(max_iterations - sweeps_left);
    return max_iterations - sweeps_left;
}

const struct subsolver_ops dcpn_subsolver_block_descent = {
    .name = "coordinate-descent",
    .formula = "x_g + d_g <- argmin_b 1/2 b'H_gg b - a'b + c_g |b|, a = H_gg (x_g + d_g) - q_g, q = v + H d",
    .state_size = sizeof(struct block_descent),
    .walks = 1,
    .layout = layout,
    .prepare = prepare,
    .solve = solve,
    .state = state_of,
};
