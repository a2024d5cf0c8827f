/* SPDX-License-Identifier: BSD-3-Clause */
/* The active set. One iteration:
 *     S = the support of x, and the columns that violate stationarity most, up to a number that doubles, or all
 *     the method on the columns S, until the violation there is half of what it was on all columns, or on those not in
 *     use if that was less, or below the goal
 *     u = A x is that of all columns; one product A'r shows what the others think of it
 * The rest of x is 0, so F is the same function on S. Empty columns never enter.
 *
 * A metric that learns from its steps, L-BFGS, forgets everything with each new S. Where most columns of a dense matrix
 * are about to matter, it is given all of them, and an iteration is one step of the method. */
#include "working_set/active_set.h"

#include <math.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/summed.h"

int64_t dcpn_active_set_capacity(const struct objective *F)
{
    int64_t count = F->size - F->features;
    for (int64_t j = 0; j < F->features; j++) count += F->design.A->ops->column_entries(F->design.A, j) > 0;
    return count;
}

/* The method's objective and point with room for all columns that can be in S. */
static void layout_inner(struct active_set *s, struct arena *arena)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    int apart = inner->objective.f1_apart;
    inner->objective = a->objective;
    inner->objective.f1_apart = apart;
    inner->objective.size = s->capacity;
    inner->objective.design.A = &s->A_S.base;
    inner->objective.last = (struct remembered){0};
    inner->objective.squares = (struct column_squares){0};
    inner->point.x = dcpn_arena_doubles(arena, s->capacity);
    inner->point.u = a->point.u;
    inner->point.gradient = dcpn_arena_doubles(arena, s->capacity);
    apart = apart && dcpn_loss_has_phi2(&a->objective.loss);
    inner->point.gradient1 = apart ? dcpn_arena_doubles(arena, s->capacity) : inner->point.gradient;
    inner->objective.penalty.lambda = dcpn_arena_doubles(arena, s->capacity);
    inner->objective.penalty.c = dcpn_arena_doubles(arena, s->capacity);
    if (dcpn_penalty_bounded(&a->objective.penalty)) {
        inner->objective.penalty.lower = dcpn_arena_doubles(arena, s->capacity);
        inner->objective.penalty.upper = dcpn_arena_doubles(arena, s->capacity);
    }
    dcpn_blocks_layout(&a->objective.penalty, &s->blocks, arena);
    if (inner->H) inner->H->size = s->capacity;
    if (inner->subsolver) inner->subsolver->size = s->capacity;
    dcpn_algorithm_layout_parts(inner, arena);
}

static int uses_squares(const struct active_set *s)
{
    return s->inner->H && s->inner->H->ops->uses_squares;
}

/* The number of columns whose products are kept. If columns are short, a model on S is solved in A_S'WA_S, which
 * descents on nearly the same S share. */
static int64_t most_products(const struct active_set *s)
{
    const dcpn_matrix *A = s->algorithm.objective.design.A;
    int are_short = !dcpn_set_is_sparse(A) && A->rows <= SET_SHORT_COLUMN;
    if (!s->keeps_products || !uses_squares(s) || !are_short || A->ops->by_ranks) return 0;
    return s->capacity < SET_MOST_PRODUCTS ? s->capacity : SET_MOST_PRODUCTS;
}

/* Lays out the arrays on all columns. Directions are found by the method, on S, so z_h2, v, d and A d on all columns
 * are never asked for. */
static void layout(struct algorithm *a, struct arena *arena)
{
    struct active_set *s = (struct active_set *)a;
    s->S = dcpn_arena_integers(arena, s->capacity);
    s->violation = dcpn_arena_doubles(arena, a->objective.size);
    s->in_use = dcpn_arena_doubles(arena, a->objective.penalty.composition ? a->objective.size : 0);
    s->candidates = dcpn_arena_doubles(arena, s->capacity);
    s->curvature.all = dcpn_arena_doubles(arena, uses_squares(s) ? a->objective.size : 0);
    s->curvature.S = dcpn_arena_doubles(arena, uses_squares(s) ? s->capacity : 0);
    dcpn_products_layout(&s->products, a->objective.design.A, most_products(s), arena);
    dcpn_matrix_subset(&s->A_S, a->objective.design.A, s->S);
    int64_t size = a->objective.size;
    s->room.most = a->objective.design.A->ops->by_ranks ? dcpn_summed_most_in_use(a->objective.design.A, size) : size;
    layout_inner(s, arena);
}

static int is_sparse_and_convex(const struct objective *F)
{
    return dcpn_set_is_sparse(F->design.A) && !dcpn_penalty_has_h2(&F->penalty);
}

/* The number of columns that S may have at first. On sparse data a large S costs little, since sweeps soon leave alone
 * what stays at 0, and it spares the detour over many small ones. Under a non-convex penalty a small S leads lower,
 * since the features that enter early have settled before the rest come. */
static int64_t first_room(const struct objective *F)
{
    if (!is_sparse_and_convex(F)) return SET_FIRST_ROOM;
    return F->design.A->ops->by_ranks ? SET_FIRST_ROOM_ON_RANKS : F->size;
}

static int64_t most_sweeps(const struct active_set *s)
{
    int64_t most = s->inner->rules.direction.max_iterations;
    return s->effort.sweeps > 0 && s->effort.sweeps < most ? s->effort.sweeps : most;
}

/* The number of sweeps in the first steps. Far from the solution a model is soon replaced, and sweeps that read the
 * data to solve it well are wasted: with such a large S the first steps make two sweeps, and later ones more if that
 * proves too few. While a search relaxes the penalty, all sweeps are made: it goes on until steps bring little, which
 * short steps soon do. */
static double first_sweeps(const struct active_set *s)
{
    const struct objective *F = &s->algorithm.objective;
    int reads_data = uses_squares(s) && s->inner->subsolver->ops->walks;
    int is_far = is_sparse_and_convex(F) && !F->penalty.first_only && !s->effort.is_near;
    return reads_data && is_far ? 2.0 : (double)most_sweeps(s);
}

/* Foresees the sweeps of a descent: down a path of a convex penalty one descent is much like the next. */
static void foresee_sweeps(struct active_set *s)
{
    struct subsolver *subsolver = s->inner->subsolver;
    if (!subsolver) return;
    subsolver->foreseen = dcpn_penalty_has_h2(&s->algorithm.objective.penalty) ? 0.0 : s->effort.foreseen;
    subsolver->made = 0.0;
    subsolver->models = 0;
    subsolver->has_failed = 0;
}

/* Begins a descent. Coefficients of empty columns are set to 0, since they only add to h. */
static void start(struct algorithm *a, const struct effort *effort)
{
    struct active_set *s = (struct active_set *)a;
    s->effort = *effort;
    for (int64_t j = 0; j < a->objective.size; j++)
        if (a->point.x[j] != 0.0 && dcpn_set_is_empty(&a->objective, j)) a->point.x[j] = 0.0;
    dcpn_algorithm_start(a);
    s->room.now = first_room(&a->objective);
    s->sweeps = first_sweeps(s);
    s->stationarity_before = 0.0;
    foresee_sweeps(s);
    s->wants_all = s->is_whole = s->room.is_beyond = s->room.in_turns = 0;
    if (s->inner->H) s->inner->H->careful = 0;
}

/* The sweeps that were made, of one model if columns are full: their matrix is made anew for each model, and costs so
 * much that the sweeps of that model have to pay for it. */
static double sweeps_made(const struct algorithm *a)
{
    const struct subsolver *subsolver = ((const struct active_set *)a)->inner->subsolver;
    if (!subsolver) return 0.0;
    return dcpn_set_is_sparse(a->objective.design.A) || subsolver->models == 0 ? subsolver->made
                                                                      : subsolver->made / (double)subsolver->models;
}

/* The certificate needs no column that the look has certified. */
static double stationarity_at(const struct active_set *s)
{
    const struct algorithm *a = &s->algorithm;
    const struct penalty *h = &a->objective.penalty;
    double largest = 0.0;
    for (int64_t i = 0; i < s->look->count; i++) {
        int64_t j = s->look->columns[i];
        double x = a->point.x[j], g = a->point.gradient[j];
        double violation = x == 0.0 ? dcpn_penalty_violation_at_0(h, j, g) : dcpn_penalty_violation(h, j, x, g);
        if (violation > largest || isnan(violation)) largest = violation; /* NaN stays */
    }
    return largest;
}

void dcpn_active_set_look(struct active_set *s, double share)
{
    struct algorithm *a = &s->algorithm;
    dcpn_look_at(s->look, &a->objective, &a->point, share);
    if (s->look && s->look->count >= 0)
        a->stationarity = stationarity_at(s);
    else
        dcpn_algorithm_look_again(a);
}

static void look(struct algorithm *a)
{
    dcpn_active_set_look((struct active_set *)a, DCPN_LOOK_STATIONARY);
}

/* Gives the method the columns S. If they are all columns it gets A itself, which is read in one sweep where a choice
 * of columns is not, and what is remembered of A. */
static void restrict_matrix(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    inner->same_f = s->is_whole && s->wants_all;
    s->is_whole = s->wants_all;
    inner->objective.design.A = s->is_whole ? a->objective.design.A : &s->A_S.base;
    inner->objective.last = s->is_whole ? a->objective.last : (struct remembered){0};
}

/* Gives the method its problem: x, lambda and c on the columns S. */
static void restrict_problem(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    const struct penalty *from = &a->objective.penalty;
    struct penalty *to = &inner->objective.penalty;
    int64_t size = s->A_S.base.columns, features = size - (a->objective.size - a->objective.features);
    for (int64_t i = 0; i < size; i++) {
        inner->point.x[i] = a->point.x[s->S[i]];
        to->lambda[i] = from->lambda[s->S[i]];
        to->c[i] = from->c[s->S[i]];
        if (from->lower) to->lower[i] = from->lower[s->S[i]];
        if (from->lower) to->upper[i] = from->upper[s->S[i]];
    }
    if (from->composition) dcpn_blocks_restrict(from, s->S, size, &s->blocks, to);
    to->first_only = from->first_only;
    inner->objective.size = to->size = size;
    inner->objective.features = to->features = features;
    if (inner->H) inner->H->size = size;
    if (inner->subsolver) inner->subsolver->size = size;
    inner->objective.design.touched = inner->objective.design.beside = 0;
}

void dcpn_active_set_forget(struct active_set *s)
{
    if (uses_squares(s)) dcpn_fill(s->algorithm.objective.size, 0.0, s->curvature.all);
    dcpn_products_forget(&s->products);
}

/* Takes the curvatures of the columns of S that are known already, since they stay the same while the weights do. */
static void recall_curvatures(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    const struct column_squares *squares = &a->objective.squares;
    if (!uses_squares(s) || a->objective.loss.own) return;
    int64_t before = a->objective.design.touched;
    for (int64_t i = 0; i < s->A_S.base.columns; i++) {
        double *known = &s->curvature.all[s->S[i]];
        if (squares->known && *squares->known) *known = squares->values[s->S[i]];
        if (*known == 0.0)
            *known = dcpn_design_column_curvature(&a->objective.design, s->S[i], a->objective.loss.rows.w);
        s->curvature.S[i] = *known;
    }
    a->objective.design.beside -= a->objective.design.touched - before;
    inner->H->curvatures = s->curvature.S;
    inner->H->products = s->products.most > 0 ? &s->products : NULL;
}

/* Starts the method on S. u, F and the gradients on S are known from the look at all columns. */
static void look_at_start(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    inner->point.value = a->point.value;
    inner->knows_u = 1;
    inner->ops->start(inner, &s->effort);
    if (inner->point.gradient1 != inner->point.gradient) {
        dcpn_algorithm_look(inner);
        return;
    }
    for (int64_t i = 0; i < s->A_S.base.columns; i++) inner->point.gradient[i] = a->point.gradient[s->S[i]];
    dcpn_algorithm_look_again(inner);
}

static void expand_solution(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    for (int64_t i = 0; i < s->A_S.base.columns; i++) a->point.x[s->S[i]] = inner->point.x[i];
    a->search.change = inner->point.value - a->point.value;
    a->point.value = inner->point.value;
}

/* Is the goal reached if the certificate falls once more as it did last time? */
static int is_near_goal(const struct active_set *s)
{
    const struct algorithm *a = &s->algorithm;
    return a->stationarity * a->stationarity <= a->goal * s->stationarity_before;
}

/* Computes u from x alone if that costs little beside the look at all columns that follows, or if that look may be the
 * last. No certificate has to look at all columns once more then. */
static void refresh(struct active_set *s)
{
    struct algorithm *a = &s->algorithm;
    const dcpn_matrix *A = a->objective.design.A;
    int64_t in_use = 0;
    for (int64_t i = 0; i < s->A_S.base.columns; i++)
        if (s->inner->point.x[i] != 0.0) in_use += A->ops->column_entries(A, s->S[i]);
    int is_cheap = in_use < A->entries / SET_CHEAP && !A->ops->by_ranks; /* there F is a message */
    if (s->is_whole || (!is_cheap && !is_near_goal(s))) return;
    if (is_cheap) {
        dcpn_point_evaluate(&s->inner->objective, &s->inner->point);
        a->point.value = s->inner->point.value;
        a->is_by_columns = 1;
    } else {
        dcpn_point_evaluate(&a->objective, &a->point); /* as a certificate would */
    }
    a->is_afresh = 1;
}

/* May the method make another step on S? It is worth it while all steps have cost less than the look at all columns
 * that follows: on S alone the method may work hard at what the other columns are about to change. But a metric loses
 * with the next S what it has learned there, so a method that learns goes on for long. */
static int may_go_on(const struct active_set *s, int steps)
{
    int64_t work = s->inner->objective.design.touched, entries = s->algorithm.objective.design.A->entries;
    if (steps == 0 || s->is_whole) return steps == 0;
    return dcpn_set_learns(s) ? work < SET_LEARNING_PASSES * entries && steps < SET_LEARNING_STEPS
                     : work < entries && steps < SET_MOST_STEPS;
}

static int has_reason_to_go_on(const struct active_set *s, double enough)
{
    const struct algorithm *a = &s->algorithm, *inner = s->inner;
    double work = (double)inner->objective.design.touched, entries = (double)a->objective.design.A->entries;
    int is_cheap = work < SET_CHEAP_WORK * entries || dcpn_set_learns(s);
    if (!dcpn_set_is_sparse(a->objective.design.A) && is_cheap) enough = SET_SAFETY * a->goal;
    return s->is_whole || inner->stationarity > enough;
}

/* Makes one step of the method on S. */
static int step_on_S(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    int64_t most = most_sweeps(s), sweeps = s->sweeps < (double)most ? (int64_t)s->sweeps : most;
    int64_t asked = inner->rules.direction.max_iterations;
    inner->rules.direction.max_iterations = sweeps;
    int stepped = inner->ops->step(inner);
    inner->rules.direction.max_iterations = asked;
    if (inner->direction.iterations >= sweeps && sweeps < most) s->sweeps *= SET_PATIENCE;
    a->direction.iterations += inner->direction.iterations;
    a->search.trials += inner->search.trials;
    return stepped;
}

/* Returns the steps made. */
static int solve_restricted(struct active_set *s)
{
    struct algorithm *a = &s->algorithm, *inner = s->inner;
    double share = s->effort.is_near ? SET_SHARE_ON_PATH : SET_SHARE;
    double enough = fmax(SET_SAFETY * a->goal, share * fmin(a->stationarity, s->outside));
    int steps = 0;
    a->direction.iterations = a->search.trials = 0;
    inner->goal = enough;
    dcpn_algorithm_set_watch(inner, a->watch);
    look_at_start(s);
    while (may_go_on(s, steps) && has_reason_to_go_on(s, enough)) {
        if (!step_on_S(s)) break;
        steps++;
        if (a->watch && dcpn_watch_cuts(a->watch)) break;
        if (may_go_on(s, steps)) dcpn_algorithm_look(inner);
    }
    a->direction.D = inner->direction.D;
    a->search.t = inner->search.t;
    return steps;
}

static int step(struct algorithm *a)
{
    struct active_set *s = (struct active_set *)a;
    dcpn_active_set_choose(s);
    if (s->room.is_beyond) return 0;
    restrict_matrix(s);
    restrict_problem(s);
    recall_curvatures(s);
    int steps = solve_restricted(s);
    expand_solution(s);
    if (steps > 0) refresh(s);
    s->stationarity_before = a->stationarity;
    s->inner->objective.design.A = &s->A_S.base;
    a->objective.design.touched += s->inner->objective.design.touched;
    a->objective.design.beside += s->inner->objective.design.beside;
    return steps > 0;
}

/* Names the numbers that outlive a step. The method begins anew on each S; only on all columns is what its metric has
 * learned one of them. */
static void state_of(struct algorithm *a, struct state *state)
{
    struct active_set *s = (struct active_set *)a;
    struct algorithm *inner = s->inner;
    DCPN_STATE(state, s->room.now);
    DCPN_STATE(state, s->sweeps);
    DCPN_STATE(state, s->stationarity_before);
    DCPN_STATE(state, s->wants_all);
    DCPN_STATE(state, s->is_whole);
    if (s->is_whole && s->capacity < a->objective.size) s->is_whole = 0; /* as a forged file may say */
    if (inner->H && s->is_whole) inner->H->size = a->objective.size;
    if (inner->H && s->is_whole) dcpn_metric_state(inner->H, state);
    if (inner->H && !s->is_whole) DCPN_STATE(state, inner->H->careful);
    if (inner->subsolver) DCPN_STATE(state, inner->subsolver->made);
    if (inner->subsolver) DCPN_STATE(state, inner->subsolver->models);
    if (inner->subsolver) DCPN_STATE(state, inner->subsolver->has_failed);
}

const struct algorithm_ops dcpn_active_set_ops = {
    .name = "active-set",
    .formula = "a method on the columns S, the certificate on all",
    .state_size = sizeof(struct active_set),
    .layout = layout,
    .start = start,
    .look = look,
    .step = step,
    .sweeps = sweeps_made,
    .state = state_of,
};
