/* SPDX-License-Identifier: BSD-3-Clause */
/* One fold of a cross-validation: the paths on the rows outside it, and their measures on the rows in it. A path ends
 * when it has been clearly worse than its best for long (patience.h). */
#include "base/tuning.h"
#include "selection/held_out.h"
#include "selection/patience.h"
#include "selection/validation.h"

struct fold {
    struct validation *v;
    const struct fold_task *task;
    struct subset_fit *fit;
    struct held_rows held;
    int64_t *train, *test, train_count, test_count;
    struct row_place held_place; /* with exact sums: of the rows that are left out among those of all ranks */
    struct patience patience;    /* with the path that is being fitted */
};

static dcpn_status split_rows(struct fold *f)
{
    const struct validation *v = f->v;
    int64_t all = v->problem->A->rows, repeat = f->task->fold / (v->cv->folds / v->cv->draw.repeats);
    const int64_t *fold_of = v->fold_of + repeat * all;
    f->train = dcpn_allocate(f->fit->context, (size_t)all, sizeof *f->train);
    f->test = dcpn_allocate(f->fit->context, (size_t)all, sizeof *f->test);
    if (!f->train || !f->test) return DCPN_MEMORY;
    for (int64_t i = 0; i < all; i++) {
        if (fold_of[i] == f->task->fold)
            f->test[f->test_count++] = i;
        else
            f->train[f->train_count++] = i;
    }
    return DCPN_OK;
}

/* Computes a measure of the scores that were made last. */
static double measure(struct fold *f, int which)
{
    const struct validation *v = f->v;
    int64_t scores = dcpn_held_columns(v->cv->paths), is_one_each = v->cv->paths->labels.are_responses;
    struct measured_rows rows = {.loss = {.ops = v->loss,
                                          .rows = f->held.count * (is_one_each ? scores : 1),
                                          .width = is_one_each ? 1 : scores,
                                          .y = f->held.y,
                                          .w = f->held.w,
                                          .parameter = v->loss_parameters[0],
                                          .second = v->loss_parameters[1],
                                          .user = f->held.survival ? (void *)f->held.survival : v->problem->users.loss},
                                 .sorted = f->held.sorted,
                                 .strata = f->held.strata,
                                 .exact = v->exact ? &f->held_place : NULL,
                                 .context = f->fit->context,
                                 .has_ranking = which == v->cv->measured.chooses || v->place.all <= CV_HELD_OUT_ROWS};
    return v->measures[which].of(&rows, f->held.scores, f->held.order);
}

/* ---- the end of a path ---- */

/* Returns how many points the path keeps and ends with, or 0 to go on. A score that is not a number is refused only
 * when the path is done. */
static int64_t end_path(void *user, const dcpn_path *path)
{
    struct fold *f = user;
    if (path->count == 1)
        f->patience = dcpn_patience_new(f->task->patience, dcpn_path_lambda_count(&f->v->options->path),
                                        f->v->measures[f->v->cv->measured.chooses].larger_is_better);
    if (f->patience.limit == 0) return 0;
    while (f->patience.seen < path->count) {
        const dcpn_path_point *point = &path->points[f->patience.seen];
        if (dcpn_held_rows_score(f->fit->context, &f->held, f->v->cv->paths, path, point) != DCPN_OK) return 0;
        dcpn_patience_see(&f->patience, measure(f, f->v->cv->measured.chooses));
        if (dcpn_patience_is_over(&f->patience)) return f->patience.seen;
    }
    return 0;
}

/* ---- its measures ---- */

static dcpn_status measure_point(struct fold *f, int64_t path, int64_t k)
{
    dcpn_cv *cv = f->v->cv;
    const dcpn_path *fitted = &f->fit->paths->paths[path];
    const dcpn_path_point *point = &fitted->points[k];
    int64_t at = cv->first[path] + k, fold = f->task->fold;
    DCPN_TRY(dcpn_held_rows_score(f->fit->context, &f->held, cv->paths, fitted, point));
    for (int m = 0; m < cv->measured.count; m++) cv->value[(at * DCPN_MEASURES + m) * cv->folds + fold] = measure(f, m);
    cv->outcome[at * cv->folds + fold] = point->fit.outcome;
    cv->nonzeros[at * cv->folds + fold] = point->fit.nonzeros;
    return DCPN_OK;
}

static dcpn_status measure_paths(struct fold *f)
{
    const dcpn_paths *fitted = f->fit->paths;
    for (int64_t p = 0; p < fitted->count; p++) {
        const dcpn_path *path = &fitted->paths[p];
        int64_t all = f->v->cv->paths->paths[p].count;
        f->v->reached[p * f->v->cv->folds + f->task->fold] = path->end == DCPN_PATH_INTERRUPTED ? all : path->count;
        for (int64_t k = 0; k < path->count; k++) DCPN_TRY(measure_point(f, p, k));
    }
    return DCPN_OK;
}

static dcpn_status work(struct fold *f, const struct subset_source *source)
{
    const struct validation *v = f->v;
    const struct fold_task *task = f->task;
    const struct subset_rows rows = {f->train, f->train_count, task->fold, task->stream};
    f->held.exact = v->exact;
    if (v->exact) f->held_place = dcpn_ranks_place(f->fit->context, f->test_count);
    DCPN_TRY(dcpn_held_rows_take(f->fit->context, v->problem, v->cv->paths, f->test, f->test_count, &f->held));
    dcpn_subset_fit(source, &rows, end_path, f, f->fit);
    DCPN_TRY(f->fit->status);
    return measure_paths(f);
}

void dcpn_fold_work(struct validation *v, const struct subset_source *source, const struct fold_task *task,
                    struct subset_fit *fit)
{
    struct fold f = {.v = v, .task = task, .fit = fit};
    dcpn_subset_fit_new(source, fit);
    if (fit->status == DCPN_OK) fit->status = split_rows(&f);
    if (fit->status == DCPN_OK) fit->status = work(&f, source);
    if (fit->context) fit->status = dcpn_ranks_end(fit->context, fit->status);
    if (fit->status == DCPN_CANCELLED) fit->status = DCPN_OK; /* its points are not run, and cv.c sees that */
    dcpn_subset_fit_drop_rows(fit);
    if (!fit->context) return;
    dcpn_held_rows_free(fit->context, &f.held);
    dcpn_free(fit->context, f.train);
    dcpn_free(fit->context, f.test);
}
