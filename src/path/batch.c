/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lambdas at once. Where features are many and rows few, most of the time of a fit on all columns goes into
 * looks at columns that never matter. So a few lambdas are fitted on a short list of columns, those whose slopes at the
 * last point are not far below that of the penalty (the strong rule of Tibshirani et al., 2012). The rule is a guess,
 * and all columns are looked at afterwards: each point gets its certificate from them. The first point at which a
 * column from outside the list violates stationarity is fitted again on a list that has it, from where it is, and a new
 * list begins there.
 *
 * The search for lower ends goes over such a list as well. It holds the columns that came near to mattering at some
 * lambda. If these are few, as on a path that stays in a poor basin, it also holds the steepest columns at the first
 * and at the last point of the path. If columns from outside violate stationarity at an end, they join the list, and
 * a descent from that end follows. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/select.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "path/fitting.h"

/* Where a descent on the list has ended. */
struct listed_end {
    struct descent descent;
    double goal, time_s, value;
    int64_t touched;
    double *x, *u;
};

struct batch {
    dcpn_context *context;
    unsigned char *is_listed, *is_near; /* one per feature; near: its slope was not far below that of the penalty */
    int64_t *columns, count;            /* the list */
    double *first;                      /* the gradient at the first point of the path */
    struct listed_end ends[BATCH_AT_ONCE];
    double *x, *u; /* of the ends, one after another */
    int64_t x_room;
};

static struct objective *objective_of(const struct fitting *f)
{
    return &f->levels.all->algorithm->objective;
}

static int pays(const struct fitting *f)
{
    return !f->transduction && dcpn_is_wide(f->levels.all);
}

dcpn_status dcpn_batch_new(struct fitting *f)
{
    const struct objective *F = objective_of(f);
    dcpn_context *context = f->request->context;
    size_t features = (size_t)F->features, rows = (size_t)F->rows;
    if (!pays(f)) return DCPN_OK;
    struct batch *b = f->batch = dcpn_allocate(context, 1, sizeof *b);
    if (!b) return DCPN_MEMORY;
    *b = (struct batch){.context = context, .x_room = F->features / BATCH_LARGEST_SHARE + 1};
    b->is_listed = dcpn_allocate(context, features, 1);
    b->is_near = dcpn_allocate(context, features, 1);
    b->columns = dcpn_allocate(context, features, sizeof *b->columns);
    b->first = dcpn_allocate(context, features + 1, sizeof *b->first);
    b->u = dcpn_allocate(context, BATCH_AT_ONCE * rows, sizeof *b->u);
    b->x = dcpn_allocate(context, BATCH_AT_ONCE * (size_t)b->x_room, sizeof *b->x);
    if (!b->is_listed || !b->is_near || !b->columns || !b->first || !b->u || !b->x) return DCPN_MEMORY;
    memset(b->is_near, 0, features);
    dcpn_workspace_free(f->levels.few); /* its list is that of a batch from now on */
    f->levels.few = NULL;
    DCPN_TRY(dcpn_workspace_new_few(f->plan, &f->levels.few));
    f->levels.few->keeps_products = 1;
    return dcpn_give_byte_copy(f->levels.all);
}

void dcpn_batch_free(struct fitting *f)
{
    struct batch *b = f->batch;
    if (!b) return;
    dcpn_free(b->context, b->is_listed);
    dcpn_free(b->context, b->is_near);
    dcpn_free(b->context, b->columns);
    dcpn_free(b->context, b->first);
    dcpn_free(b->context, b->u);
    dcpn_free(b->context, b->x);
    dcpn_free(b->context, b);
    f->batch = NULL;
}

/* ---- the list ---- */

/* Numbers the columns of the list, to which those without a penalty always belong. Returns 0 if the list is too
 * long. */
static int number_list(struct fitting *f)
{
    struct batch *b = f->batch;
    const struct objective *F = objective_of(f);
    b->count = 0;
    for (int64_t j = 0; j < F->features; j++) {
        if (F->penalty.c[j] == 0.0) b->is_listed[j] = 1;
        if (b->is_listed[j]) b->columns[b->count++] = j;
    }
    return b->count > 0 && b->count <= F->features / BATCH_LARGEST_SHARE;
}

/* Copies to `few` the sums of squares of its columns, if the workspace of all columns knows them. */
static void give_squares(const struct objective *F, struct workspace *few)
{
    const struct column_squares *all = &F->squares;
    struct column_squares *some = &few->algorithm->objective.squares;
    if (!all->known || !*all->known || !some->known) return;
    for (int64_t k = 0; k < few->chosen.count; k++) some->values[k] = all->values[few->chosen.columns[k]];
    if (F->size > F->features) some->values[few->chosen.count] = all->values[F->features];
    *some->known = 1;
}

static dcpn_status use_list(struct fitting *f)
{
    struct workspace *few = f->levels.few;
    DCPN_TRY(dcpn_workspace_choose(few, f->batch->columns, f->batch->count));
    give_squares(objective_of(f), few);
    f->walk.foreseen = 0.0;
    return dcpn_share_byte_copy(few, f->levels.all);
}

/* Marks the columns whose slope at the point of `all` is above a share of the penalty's. */
static void mark_steep(struct fitting *f, double share, unsigned char *marks)
{
    struct workspace *all = f->levels.all;
    const struct objective *F = objective_of(f);
    const double *g = all->algorithm->point.gradient, *c = F->penalty.c;
    dcpn_look_at(all->look, objective_of(f), &all->algorithm->point, share);
    for (int64_t i = 0; i < dcpn_look_count(all->look, F->features); i++) {
        int64_t j = dcpn_look_column(all->look, i);
        if (j < F->features && fabs(g[j]) > share * c[j]) marks[j] = 1;
    }
}

static void mark_support(const struct objective *F, const double *x, unsigned char *marks)
{
    for (int64_t j = dcpn_next_nonzero(F->features, x, 0); j < F->features;
         j = dcpn_next_nonzero(F->features, x, j + 1))
        marks[j] = 1;
}

/* Lists columns by the strong rule, and those in use. The point of `all` must be the last one of the path, at its
 * lambda. */
static int list_strong(struct fitting *f, double share)
{
    struct batch *b = f->batch;
    const struct objective *F = objective_of(f);
    memset(b->is_listed, 0, (size_t)F->features);
    mark_steep(f, share, b->is_listed);
    mark_support(F, f->walk.here, b->is_listed);
    return number_list(f);
}

/* Returns how many lambdas to fit at once; *share is the share of the penalty's slope above which a column is
 * listed. */
static int64_t plan_lambdas(const struct fitting *f, double *share)
{
    int64_t left = f->walk.lambda_count - f->path->count, count = left < BATCH_AT_ONCE ? left : BATCH_AT_ONCE;
    const double *next = f->walk.lambdas + f->path->count, here = next[-1];
    while (count > 1 && 2.0 * next[count - 1] < (1.0 + BATCH_LEAST_STRONG) * here) count--;
    *share = fmin(fmax(2.0 * next[count - 1] / here - 1.0, BATCH_LEAST_STRONG), BATCH_MOST_STRONG);
    return count;
}

/* ---- descents on the list, and what all columns say of their ends ---- */

static void keep_end(struct fitting *f, int64_t k, const struct descent *d, double goal)
{
    struct batch *b = f->batch;
    const struct algorithm *few = f->levels.few->algorithm;
    int64_t rows = few->objective.rows;
    struct listed_end *end = &b->ends[k];
    *end = (struct listed_end){.descent = *d,
                               .goal = goal,
                               .time_s = dcpn_clock_s() - f->watch.started_at,
                               .value = few->point.value,
                               .touched = few->objective.design.touched,
                               .x = b->x + k * b->x_room,
                               .u = b->u + k * rows};
    dcpn_copy(few->objective.size, few->point.x, end->x);
    dcpn_copy(rows, few->point.u, end->u);
}

/* Copies the point of `few` to `all`, and sets there the lambda of the settings. */
static void give_to_all(struct fitting *f, const double *u, double value)
{
    struct point *point = &f->levels.all->algorithm->point;
    dcpn_fitting_set_lambda(f, f->levels.all, f->settings.lambda);
    dcpn_workspace_give_to(f->levels.few, f->levels.all);
    dcpn_copy(objective_of(f)->rows, u, point->u);
    point->value = value;
}

/* Looks at all columns at the point of `all`, and returns whether it is stationary there. Columns that come near to
 * mattering are marked as near and stay of interest from now on. */
static int look_at_all_columns(struct fitting *f, double goal)
{
    struct workspace *all = f->levels.all;
    struct algorithm *a = all->algorithm;
    mark_steep(f, BATCH_NEAR, f->batch->is_near);
    dcpn_active_set_look(all->active_set, BATCH_NEAR);
    return a->stationarity <= goal;
}

static void fill_point(struct fitting *f, const struct listed_end *end, dcpn_path_point *point)
{
    struct workspace *all = f->levels.all;
    const struct ending ending = {all, &end->descent, end->goal, end->time_s, 0.0};
    point->fit = dcpn_result_of(&ending);
    point->fit.passes = dcpn_passes_of(all, end->touched + all->algorithm->objective.design.touched);
}

static void stand_at_end(struct fitting *f, int64_t k, dcpn_path_point *point)
{
    struct batch *b = f->batch;
    struct workspace *few = f->levels.few;
    dcpn_copy(few->algorithm->objective.size, b->ends[k].x, few->algorithm->point.x);
    f->settings.lambda = point->lambda;
    f->levels.all->algorithm->objective.design.touched = 0;
    give_to_all(f, b->ends[k].u, b->ends[k].value);
}

/* Fits the next lambda on the list, from the point of `few`, and keeps the end as number k of the batch. */
static void fit_on_list(struct fitting *f, int64_t k)
{
    struct workspace *few = f->levels.few;
    dcpn_path_point *point = &f->path->points[f->path->count];
    double lambda = f->walk.lambdas[f->path->count];
    dcpn_fitting_set_lambda(f, few, lambda);
    dcpn_fitting_begin(f);
    few->slope_at_0 = f->levels.all->slope_at_0;
    double goal = dcpn_workspace_goal(few, f->settings.tol);
    struct effort effort = dcpn_effort_of(&f->settings, f->plan, goal);
    effort.foreseen = f->walk.foreseen;
    struct descent d = dcpn_descend(few->algorithm, &effort, &f->watch);
    f->walk.foreseen = d.sweeps;
    keep_end(f, k, &d, goal);
    *point = (dcpn_path_point){.lambda = lambda, .fit = {.outcome = d.outcome}};
    point->fit.nonzeros = dcpn_count_nonzeros(few->chosen.count, few->algorithm->point.x);
    point->deviance = dcpn_deviance_at(few, few->algorithm->point.u);
    point->brier = dcpn_brier_at(few, few->algorithm->point.u);
    f->path->count++;
    f->done++;
}

/* Moves `few` to x, the last point of the path. */
static void go_to_last(struct fitting *f, const double *x)
{
    struct algorithm *all = f->levels.all->algorithm;
    dcpn_copy(all->objective.size, x, all->point.x);
    dcpn_workspace_take_from(f->levels.few, f->levels.all);
}

static dcpn_status fit_again(struct fitting *f, int64_t k);

/* Makes points of the path from the ends of the batch, the first of them point number `first`. The last end is
 * looked at before the others, because what is read there says much about these. */
static dcpn_status certify(struct fitting *f, int64_t first)
{
    dcpn_path *path = f->path;
    int64_t last = path->count - first - 1;
    stand_at_end(f, last, &path->points[first + last]);
    look_at_all_columns(f, f->batch->ends[last].goal);
    for (int64_t k = 0; k <= last && !f->is_stopped; k++) {
        dcpn_path_point *point = &path->points[first + k];
        stand_at_end(f, k, point);
        if (!look_at_all_columns(f, f->batch->ends[k].goal) && point->fit.outcome == DCPN_CONVERGED)
            return fit_again(f, first + k);
        fill_point(f, &f->batch->ends[k], point);
        f->walk.work[first + k] = f->batch->ends[k].descent.work + (double)objective_of(f)->design.A->entries;
        DCPN_TRY(dcpn_fitting_keep(f, point));
    }
    return DCPN_OK;
}

/* Fits point k again, since a column outside the list violates stationarity there. The fit starts from where `all`
 * stands, on a longer list of columns, or on all columns if that list is too long. */
static dcpn_status fit_again(struct fitting *f, int64_t k)
{
    struct batch *b = f->batch;
    dcpn_path *path = f->path;
    struct algorithm *all = f->levels.all->algorithm;
    f->done -= path->count - k;
    path->count = k;
    for (int64_t j = 0; j < all->objective.features; j++) b->is_listed[j] |= b->is_near[j];
    mark_support(&all->objective, all->point.x, b->is_listed);
    if (!number_list(f)) {
        dcpn_copy(all->objective.size, all->point.x, f->walk.here);
        f->walk.has_moved = 1;
        return dcpn_fit_on_all(f, NULL, NULL);
    }
    DCPN_TRY(use_list(f));
    dcpn_workspace_take_from(f->levels.few, f->levels.all);
    fit_on_list(f, 0);
    return certify(f, k);
}

dcpn_status dcpn_batch_fit(struct fitting *f)
{
    struct batch *b = f->batch;
    struct algorithm *all = f->levels.all->algorithm;
    double share;
    int64_t first = f->path->count, count = plan_lambdas(f, &share);
    dcpn_fitting_set_lambda(f, f->levels.all, f->walk.lambdas[first - 1]);
    if (first == 1) {
        dcpn_look_at_all(f->levels.all->look, &all->objective, &all->point);
        dcpn_copy(all->objective.size, all->point.gradient, b->first);
    }
    if (!list_strong(f, share)) return dcpn_fit_on_all(f, NULL, NULL);
    DCPN_TRY(use_list(f));
    go_to_last(f, f->walk.here);
    for (int64_t k = 0; k < count; k++) {
        fit_on_list(f, k);
        if (dcpn_path_is_over(f, f->path)) break;
    }
    f->walk.has_moved = 1;
    return certify(f, first);
}

/* ---- the search ---- */

static void list_near(struct fitting *f)
{
    struct batch *b = f->batch;
    const dcpn_path *path = f->path;
    memcpy(b->is_listed, b->is_near, (size_t)objective_of(f)->features);
    for (int64_t i = 0; i < path->used; i++) b->is_listed[path->index[i]] = 1;
}

/* Returns the gradient as a share of the slope of the penalty; 0 if the column is near anyway. */
static double steepness(const struct fitting *f, const double *gradient, int64_t j)
{
    const double *c = objective_of(f)->penalty.c;
    return f->batch->is_near[j] || c[j] == 0.0 ? 0.0 : fabs(gradient[j]) / c[j];
}

/* Marks `count` more columns as near, the steepest ones, and those as steep as the last of these. */
static void bring_near(struct fitting *f, const double *gradient, int64_t count)
{
    int64_t features = objective_of(f)->features;
    if (count < 1 || count > features) return;
    for (int64_t j = 0; j < features; j++) f->walk.space[j] = steepness(f, gradient, j);
    double least = dcpn_kth_largest(f->walk.space, features, count);
    for (int64_t j = 0; j < features; j++) {
        double steep = steepness(f, gradient, j);
        if (steep > 0.0 && steep >= least) f->batch->is_near[j] = 1;
    }
}

dcpn_status dcpn_batch_list_near(struct fitting *f, int *is_few)
{
    struct batch *b = f->batch;
    struct workspace *all = f->levels.all;
    struct algorithm *a = all->algorithm;
    const dcpn_path_point *last = &f->path->points[f->path->count - 1];
    dcpn_fitting_set_lambda(f, all, last->lambda);
    dcpn_fitting_start_at(f, last, all);
    dcpn_point_evaluate(&a->objective, &a->point);
    dcpn_look_at_all(all->look, &a->objective, &a->point);
    if (f->path->count == 1) dcpn_copy(a->objective.size, a->point.gradient, b->first);
    list_near(f);
    number_list(f);
    double most = (double)a->objective.features; /* beyond which nothing is brought near */
    int64_t missing = (int64_t)fmin(BATCH_PER_ROW * a->objective.counted_rows, most) -
                      b->count; /* so many that a search has a choice */
    bring_near(f, b->first, (missing + 1) / 2);
    bring_near(f, a->point.gradient, missing / 2);
    list_near(f);
    *is_few = number_list(f);
    return *is_few ? use_list(f) : DCPN_OK;
}

dcpn_status dcpn_batch_confirm(struct fitting *f, double goal, int *is_good, int *is_few)
{
    struct workspace *few = f->levels.few;
    const struct point *end = &few->algorithm->point;
    give_to_all(f, end->u, end->value);
    *is_good = look_at_all_columns(f, goal);
    *is_few = 1;
    if (*is_good) return DCPN_OK;
    mark_support(objective_of(f), f->levels.all->algorithm->point.x, f->batch->is_near);
    list_near(f);
    *is_few = number_list(f);
    if (!*is_few) return DCPN_OK;
    DCPN_TRY(use_list(f));
    dcpn_fitting_set_lambda(f, few, f->settings.lambda);
    dcpn_workspace_take_from(few, f->levels.all);
    return DCPN_OK;
}
