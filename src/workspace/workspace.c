/* SPDX-License-Identifier: BSD-3-Clause */
/* Making a workspace: the parts of the plan, put together in one block of memory. */
#include "workspace/workspace.h"

#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/copy_rows.h"
#include "matrix/dense.h"

/* ---- the objective ---- */

static int has_few(const struct workspace *w)
{
    return w->chosen.columns != NULL;
}

static int64_t features_of(const struct workspace *w)
{
    return has_few(w) ? w->chosen.count : dcpn_plan_columns(w->plan);
}

dcpn_penalty_shape dcpn_shape_of(const struct plan *plan, const dcpn_settings *s)
{
    dcpn_penalty_shape shape = dcpn_shape_in(plan->shape_unit, plan->parts.penalty, plan->parts.inner, s);
    shape.user = plan->problem->users.penalty;
    return shape;
}

/* Do the scores of a row share a loss? If they do not, as those of several responses, each is a row to it. */
static int has_shared_rows(const struct plan *plan)
{
    return plan->targets.scores > 1 && !plan->targets.are_responses;
}

static void describe_loss(const struct plan *plan, struct objective *F)
{
    const struct parts *parts = &plan->parts;
    const struct targets *t = &plan->targets;
    F->loss = (struct loss){
        .rows = {.ops = parts->loss,
                 .rows = has_shared_rows(plan) ? dcpn_problem_rows(plan->problem) : F->rows,
                 .width = has_shared_rows(plan) ? t->scores : 1,
                 .parameter = dcpn_loss_parameter(parts->loss, &plan->settings, 0),
                 .second = dcpn_loss_parameter(parts->loss, &plan->settings, 1),
                 .user = t->survival ? t->survival : plan->problem->users.loss},
        .unlabelled = {.ops = parts->unlabelled,
                       .rows = F->rows,
                       .parameter = dcpn_loss_parameter(parts->unlabelled, &plan->settings, 0)},
        .balance = {.ops = parts->balance ? &dcpn_loss_squared : NULL, .rows = F->rows},
        .runs = t->runs,
        .run_count = t->run_count,
        .own = parts->f,
        .is_exact = parts->is_exact,
        .context = plan->context,
    };
    dcpn_loss *const tables[] = {&F->loss.rows, &F->loss.unlabelled, &F->loss.balance};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        tables[k]->y = t->y;
        tables[k]->w = t->w;
    }
}

static void describe_penalty(const struct workspace *w, struct objective *F)
{
    const dcpn_problem *problem = w->plan->problem;
    const struct grouped_columns *groups = &w->plan->groups;
    const double *numbers = w->chosen.numbers;
    int64_t count = w->chosen.count;
    F->penalty = (struct penalty){
        .ops = w->plan->parts.penalty,
        .own = w->plan->parts.h,
        .composition = w->plan->parts.composition,
        .blocks = {groups->count, groups->start, groups->member, groups->weight, groups->extent, NULL, NULL},
        .inner = w->plan->parts.inner,
        .mix = w->plan->settings.mix,
        .shape = dcpn_shape_of(w->plan, &w->plan->settings),
        .base_lambda = w->plan->settings.lambda,
        .factors = w->plan->factors,
        .given = {w->plan->lower, w->plan->upper, w->plan->bound_scale},
        .features = F->features,
        .size = F->size,
    };
    if (!has_few(w)) return;
    if (problem->factors) F->penalty.factors = numbers;
    if (problem->lower) F->penalty.given.lower = numbers + count;
    if (problem->upper) F->penalty.given.upper = numbers + 2 * count;
    if (w->plan->scaled.scale) F->penalty.given.scale = numbers + 3 * count;
}

static void describe_matrix(struct workspace *w, struct objective *F)
{
    const struct plan *plan = w->plan;
    const dcpn_matrix *A = has_few(w) ? w->chosen.A : dcpn_plan_matrix(plan);
    F->design.A = A;
    if (!A) {
        dcpn_matrix_identity(&w->identity, plan->context, plan->problem->f->size);
        F->design.A = &w->identity;
    } else if (plan->summed) {
        F->design.A = &plan->summed->base;
    } else if (plan->targets.ordered.count) {
        dcpn_matrix_with_boundaries(&w->with_boundaries, A, plan->targets.ordered.at, plan->targets.ordered.count);
        F->design.A = &w->with_boundaries.base;
    } else if (plan->targets.scores > 1) {
        dcpn_matrix_replicate(&w->replicated, A, plan->targets.scores, plan->settings.intercept);
        F->design.A = &w->replicated.base;
    } else if (plan->settings.intercept) {
        dcpn_matrix_with_ones(&w->with_ones, A);
        F->design.A = &w->with_ones.base;
    }
    if (plan->parts.balance) {
        dcpn_matrix_with_row(&w->with_row, F->design.A, plan->targets.mean_row);
        F->design.A = &w->with_row.base;
    }
}

static int is_clipped(const dcpn_settings *settings)
{
    return strcmp(settings->curvature, "clipped") == 0;
}

static void describe_objective(struct workspace *w)
{
    const struct plan *plan = w->plan;
    struct objective *F = &w->algorithm->objective;
    const struct metric_ops *metric = plan->parts.metric;
    describe_matrix(w, F);
    F->rows = plan->targets.scores * plan->targets.rows;
    F->counted_rows = dcpn_problem_counted_rows(&plan->given) + plan->parts.balance;
    F->features = plan->targets.scores * features_of(w);
    F->size = F->features + dcpn_plan_constants(plan);
    F->ridge = plan->settings.ridge;
    F->offset = plan->targets.offset ? plan->targets.offset : plan->problem->offset;
    int apart = metric && metric->f1_apart && !is_clipped(&plan->settings);
    F->f1_apart = apart && !plan->parts.active_set;
    w->method->objective.f1_apart = apart;
    describe_loss(plan, F);
    describe_penalty(w, F);
    F->wants_squares = dcpn_moves_exist(F) ||
                       (!F->loss.own && metric && metric->uses_squares && F->design.A->ops->adjoint_and_curvatures);
}

/* ---- the method ---- */

/* The number of iterations that a model is worth. That of a non-convex F holds for a short way, however well it is
 * solved. */
static int64_t most_inner(const struct workspace *w)
{
    const struct parts *parts = &w->plan->parts;
    int is_hessian = parts->metric == &dcpn_metric_hessian || parts->metric == &dcpn_metric_shared_hessian ||
                     parts->metric == &dcpn_metric_coupled_hessian || parts->metric == &dcpn_metric_gram_hessian;
    int sweeps =
        parts->algorithm == &dcpn_algorithm_dcpn && is_hessian &&
        (parts->subsolver == &dcpn_subsolver_coordinate_descent || parts->subsolver == &dcpn_subsolver_block_descent);
    if (w->plan->settings.inner_max > 0) return w->plan->settings.inner_max;
    if (sweeps && dcpn_penalty_has_h2(&w->algorithm->objective.penalty)) return INNER_SWEEPS_NON_CONVEX;
    int are_blocks_of_classes = parts->metric == &dcpn_metric_shared_hessian && parts->composition;
    return sweeps && are_blocks_of_classes ? INNER_SWEEPS_OF_CLASSES : INNER_ITERATIONS;
}

static void set_rules(struct workspace *w)
{
    const dcpn_settings *s = &w->plan->settings;
    const struct metric_ops *metric = w->plan->parts.metric;
    double share = s->inner_tol > 0.0 || !metric ? s->inner_tol : metric->share;
    int by_change = strcmp(s->stop, "relative-change") == 0;
    w->method->rules =
        (struct rules){.direction = {share, most_inner(w)},
                       .alpha = s->alpha,
                       .majorize = s->majorize,
                       .bends = is_clipped(s) && !s->majorize, /* a model with the curvature of h is below h */
                       .nonmonotone = s->nonmonotone,
                       .relative_goal = by_change ? s->relative_tol : 0.0};
}

static void *new_cleared(const struct workspace *w, size_t size)
{
    void *made = dcpn_allocate(w->plan->context, 1, size);
    return made ? memset(made, 0, size) : NULL;
}

static dcpn_status make_metric(struct workspace *w)
{
    const struct plan *plan = w->plan;
    const struct objective *F = &w->algorithm->objective;
    struct algorithm *a = w->method;
    if (!plan->parts.metric) return DCPN_OK;
    a->H = new_cleared(w, plan->parts.metric->state_size);
    a->subsolver = new_cleared(w, plan->parts.subsolver->state_size);
    if (!a->H || !a->subsolver) return DCPN_MEMORY;
    a->H->ops = plan->parts.metric;
    a->safeguards = w->algorithm->safeguards = &a->H->safeguards;
    a->H->objective = &a->objective;
    a->H->settings = (struct metric_settings){plan->parts.memory, plan->settings.majorize, is_clipped(&plan->settings)};
    a->H->size = a->subsolver->size = F->size;
    a->subsolver->ops = plan->parts.subsolver;
    a->subsolver->h1 = &F->penalty;
    a->subsolver->extrapolates = plan->settings.extrapolate;
    if (plan->settings.gram)
        a->subsolver->most_in_matrix = dcpn_gram_most((int64_t)dcpn_matrix_all_rows(F->design.A), F->size);
    return DCPN_OK;
}

/* Makes the method and, if it is wanted, an active set around it. */
static dcpn_status make_algorithm(struct workspace *w)
{
    const struct parts *parts = &w->plan->parts;
    w->method = w->algorithm = new_cleared(w, parts->algorithm->state_size);
    if (!w->method) return DCPN_MEMORY;
    w->method->ops = parts->algorithm;
    if (!parts->active_set) return DCPN_OK;
    w->active_set = new_cleared(w, sizeof *w->active_set);
    if (!w->active_set) return DCPN_MEMORY;
    w->active_set->algorithm.ops = &dcpn_active_set_ops;
    w->active_set->inner = w->method;
    w->active_set->keeps_products = w->keeps_products;
    w->algorithm = &w->active_set->algorithm;
    return DCPN_OK;
}

/* Makes the other method that the search has besides, on the same objective. */
static dcpn_status make_gradient_method(struct workspace *w)
{
    const struct objective *F = &w->algorithm->objective;
    if (w->plan->parts.search == DCPN_SEARCH_OFF || !dcpn_penalty_has_prox(&F->penalty)) return DCPN_OK;
    struct algorithm *a = w->search.gradient = new_cleared(w, dcpn_algorithm_gist.state_size);
    if (!a) return DCPN_MEMORY;
    a->ops = &dcpn_algorithm_gist;
    a->rules.nonmonotone = 1;
    a->objective = *F;
    return DCPN_OK;
}

/* ---- memory ---- */

static void lay_out(struct workspace *w)
{
    struct algorithm *a = w->algorithm;
    dcpn_objective_layout(&a->objective, &w->arena);
    dcpn_point_layout(&a->objective, &a->point, &w->arena);
    w->zero = dcpn_arena_doubles(&w->arena, a->objective.size);
    dcpn_moves_layout(&w->moves, &a->objective, &w->arena);
    dcpn_algorithm_layout_parts(a, &w->arena);
    if (w->plan->parts.search != DCPN_SEARCH_OFF) dcpn_search_layout(&w->search, &a->objective, &w->arena);
    if (w->search.gradient) dcpn_algorithm_layout_parts(w->search.gradient, &w->arena);
}

static dcpn_status build(struct workspace *w)
{
    DCPN_TRY(make_algorithm(w));
    describe_objective(w);
    set_rules(w);
    DCPN_TRY(make_metric(w));
    DCPN_TRY(make_gradient_method(w));
    if (w->active_set) w->active_set->capacity = dcpn_active_set_capacity(&w->algorithm->objective);
    lay_out(w);
    DCPN_TRY(dcpn_arena_allocate(w->plan->context, &w->arena, has_few(w) ? &w->spare : NULL));
    lay_out(w);
    dcpn_penalty_prepare(&w->algorithm->objective.penalty);
    return DCPN_OK;
}

static void free_parts(struct workspace *w)
{
    dcpn_context *context = w->plan->context;
    if (w->method) {
        dcpn_free(context, w->method->H);
        dcpn_free(context, w->method->subsolver);
    }
    dcpn_look_free(context, w->look);
    dcpn_free(context, w->search.gradient);
    w->search.gradient = NULL;
    dcpn_free(context, w->active_set);
    dcpn_free(context, w->method);
    w->look = NULL;
    w->active_set = NULL;
    w->method = w->algorithm = NULL;
}

void dcpn_workspace_free(struct workspace *w)
{
    if (!w) return;
    dcpn_context *context = w->plan->context;
    free_parts(w);
    dcpn_matrix_free(w->chosen.A);
    dcpn_free(context, w->chosen.values);
    dcpn_free(context, w->chosen.numbers);
    dcpn_arena_free(context, &w->arena);
    dcpn_arena_free(context, &w->spare);
    dcpn_free(context, w);
}

static struct workspace *new_workspace(const struct plan *plan)
{
    struct workspace *w = dcpn_allocate(plan->context, 1, sizeof *w);
    if (w) *w = (struct workspace){.plan = plan, .slope_at_0 = -1.0};
    return w;
}

dcpn_status dcpn_workspace_new(const struct plan *plan, struct workspace **workspace)
{
    struct workspace *w = *workspace = new_workspace(plan);
    dcpn_status status = w ? build(w) : DCPN_MEMORY;
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_workspace_free(w);
    *workspace = NULL;
    return status;
}

dcpn_status dcpn_workspace_new_few(const struct plan *plan, struct workspace **workspace)
{
    *workspace = new_workspace(plan);
    return *workspace ? DCPN_OK : DCPN_MEMORY;
}

/* ---- few columns ---- */

static dcpn_status make_room(struct workspace *w, int64_t count)
{
    dcpn_context *context = w->plan->context;
    struct chosen_columns *c = &w->chosen;
    size_t rows = (size_t)dcpn_problem_rows(w->plan->problem), needed = (size_t)count * rows;
    if (needed <= c->room) return DCPN_OK;
    size_t room = needed + needed / 2;
    dcpn_free(context, c->values);
    dcpn_free(context, c->numbers);
    c->room = 0;
    c->values = dcpn_allocate(context, room, sizeof *c->values);
    c->numbers = dcpn_allocate(context, 4 * (room / rows + 1), sizeof *c->numbers);
    if (!c->values || !c->numbers) return DCPN_MEMORY;
    c->room = room;
    return DCPN_OK;
}

static void gather_numbers(struct workspace *w)
{
    const dcpn_problem *problem = w->plan->problem;
    const double *const from[] = {problem->factors, problem->lower, problem->upper, w->plan->scaled.scale};
    for (int64_t n = 0; n < 4; n++)
        for (int64_t k = 0; from[n] && k < w->chosen.count; k++)
            w->chosen.numbers[n * w->chosen.count + k] = from[n][w->chosen.columns[k]];
}

static void forget_data(struct workspace *w)
{
    dcpn_objective_forget(&w->algorithm->objective);
    if (w->active_set) dcpn_active_set_forget(w->active_set);
    w->moves.known_L = 0;
}

/* Lays everything out anew for another number of columns, in the memory that is there if it is enough. */
static dcpn_status rebuild(struct workspace *w, const int64_t *columns, int64_t count)
{
    dcpn_matrix_free(w->chosen.A);
    w->chosen.A = NULL;
    free_parts(w);
    DCPN_TRY(make_room(w, count));
    if (w->arena.base) {
        dcpn_arena_free(w->plan->context, &w->spare);
        w->spare = w->arena;
    }
    w->arena = (struct arena){0};
    w->chosen.columns = columns;
    w->chosen.count = count;
    DCPN_TRY(dcpn_matrix_borrow_dense(w->plan->context, dcpn_problem_rows(w->plan->problem), count, w->chosen.values,
                                      DCPN_FLOAT64, DCPN_COLUMN_MAJOR, &w->chosen.A));
    gather_numbers(w);
    return build(w);
}

dcpn_status dcpn_workspace_choose(struct workspace *w, const int64_t *columns, int64_t count)
{
    if (!w->algorithm || count != w->chosen.count) {
        dcpn_status status = rebuild(w, columns, count);
        if (status != DCPN_OK) free_parts(w);
        DCPN_TRY(status);
    }
    w->chosen.columns = columns;
    gather_numbers(w);
    dcpn_matrix_gather_columns(dcpn_plan_matrix(w->plan), columns, count, w->chosen.values);
    forget_data(w);
    return DCPN_OK;
}

void dcpn_workspace_take_from(struct workspace *few, const struct workspace *all)
{
    const struct objective *F = &all->algorithm->objective;
    const double *from = all->algorithm->point.x;
    double *to = few->algorithm->point.x;
    for (int64_t k = 0; k < few->chosen.count; k++) to[k] = from[few->chosen.columns[k]];
    if (F->size > F->features) to[few->chosen.count] = from[F->features];
}

void dcpn_workspace_give_to(const struct workspace *few, struct workspace *all)
{
    const struct objective *F = &all->algorithm->objective;
    const double *from = few->algorithm->point.x;
    double *to = all->algorithm->point.x;
    dcpn_fill(F->features, 0.0, to);
    for (int64_t k = 0; k < few->chosen.count; k++) to[few->chosen.columns[k]] = from[k];
    if (F->size > F->features) to[F->features] = from[few->chosen.count];
}

/* ---- between descents ---- */

/* The objective is described once for the algorithm, and again for the method within it. */
static void each_objective(struct workspace *w, struct objective *both[2])
{
    both[0] = &w->algorithm->objective;
    both[1] = &w->method->objective;
}

void dcpn_workspace_set_penalty(struct workspace *w, double lambda, const dcpn_penalty_shape *shape)
{
    struct objective *both[2];
    each_objective(w, both);
    for (int k = 0; k < 2; k++) {
        both[k]->penalty.base_lambda = lambda;
        both[k]->penalty.shape = *shape;
    }
    dcpn_penalty_prepare(&w->algorithm->objective.penalty);
}

void dcpn_workspace_use_targets(struct workspace *w, const struct targets *t)
{
    struct objective *both[2];
    each_objective(w, both);
    for (int k = 0; k < 2; k++) {
        struct loss *loss = &both[k]->loss;
        loss->rows.y = loss->unlabelled.y = loss->balance.y = t->y;
        loss->rows.w = loss->unlabelled.w = loss->balance.w = t->w;
        loss->runs = t->runs;
    }
    forget_data(w);
    w->slope_at_0 = -1.0;
}

static double find_slope_at_0(struct workspace *w)
{
    struct algorithm *a = w->algorithm;
    struct point at_0 = a->point;
    if (w->slope_at_0 >= 0.0) return w->slope_at_0;
    if (!a->objective.loss.own) at_0.x = w->zero;
    dcpn_point_evaluate(&a->objective, &at_0);
    dcpn_look_at_all(w->look, &a->objective, &at_0);
    double largest = dcpn_norm_max(a->objective.size, at_0.gradient);
    if (!a->objective.loss.own) w->slope_at_0 = largest;
    return largest;
}

double dcpn_workspace_goal(struct workspace *w, double tol)
{
    double slope = dcpn_penalty_reference_slope(&w->algorithm->objective.penalty), largest = find_slope_at_0(w);
    if (slope > 0.0 && (largest >= slope || !(largest > 0.0))) return tol * slope;
    return tol * (largest > 0.0 ? largest : 1.0);
}
