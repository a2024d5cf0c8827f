/* SPDX-License-Identifier: BSD-3-Clause */
/* Gradients of those columns alone that can matter. */
#include "working_set/slope_bounds.h"

#include <math.h>

#include "base/vector.h"
#include "objective/objective.h"

static const double SLACK = 1e-8; /* of the slope of the penalty: far more than rounding adds to a bound */
enum { WHOLE = 2 };               /* columns with more than half of the entries: all are read, which is quicker */

void dcpn_screen_free(dcpn_context *context, struct screen *screen)
{
    if (!screen) return;
    dcpn_free(context, screen->r);
    dcpn_free(context, screen->norm);
    dcpn_free(context, screen->read_at);
    dcpn_free(context, screen->products);
    dcpn_free(context, screen->columns);
    dcpn_free(context, screen);
}

static int has_arrays(const struct screen *screen)
{
    return screen->r && screen->norm && screen->read_at && screen->products && screen->columns;
}

dcpn_status dcpn_screen_new(dcpn_context *context, const struct objective *objective, struct screen **screen)
{
    size_t rows = (size_t)objective->rows, size = (size_t)objective->size;
    struct screen *made = *screen = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct screen){0};
    made->r = dcpn_allocate(context, rows, sizeof *made->r);
    made->norm = dcpn_allocate(context, size, sizeof *made->norm);
    made->read_at = dcpn_allocate(context, size, sizeof *made->read_at);
    made->products = dcpn_allocate(context, size, sizeof *made->products);
    made->columns = dcpn_allocate(context, size, sizeof *made->columns);
    if (!has_arrays(made)) {
        dcpn_screen_free(context, made);
        *screen = NULL;
        return DCPN_MEMORY;
    }
    struct objective apart = *objective; /* this reading is of the path, and of none of its fits */
    dcpn_objective_norms(&apart, made->r, made->norm);
    return DCPN_OK;
}

/* Is g_j a matter of r alone? A ridge adds to it what has nothing to do with r. */
static int is_pure(const struct objective *objective, const struct point *point, int64_t j)
{
    return point->x[j] == 0.0 || objective->ridge == 0.0 || j >= objective->features;
}

/* g_j has been read; if it is not pure, it will be again at the next look, where x_j may be another one. */
static void note_reading(struct objective *objective, const struct point *point, int64_t j)
{
    int pure = is_pure(objective, point, j);
    objective->screen->read_at[j] = pure ? objective->screen->way : -HUGE_VAL;
    if (!pure) point->gradient[j] += objective->ridge * point->x[j];
}

static void read_all(struct objective *objective, const struct point *point)
{
    dcpn_design_adjoint(&objective->design, objective->r, point->gradient);
    for (int64_t j = 0; j < objective->size; j++) note_reading(objective, point, j);
    objective->screen->is_known = 1;
}

static void read_columns(struct objective *objective, const struct point *point, int64_t count)
{
    struct screen *screen = objective->screen;
    struct column_subset view;
    dcpn_matrix_subset(&view, objective->design.A, screen->columns);
    view.base.columns = count;
    objective->design.touched += view.base.ops->adjoint(&view.base, objective->r, screen->products);
    for (int64_t i = 0; i < count; i++) {
        point->gradient[screen->columns[i]] = screen->products[i];
        note_reading(objective, point, screen->columns[i]);
    }
}

void dcpn_screen_read(struct objective *objective, const struct point *point, dcpn_screen_test *matters,
                      const void *user)
{
    struct screen *screen = objective->screen;
    const dcpn_matrix *A = objective->design.A;
    int64_t count = 0, entries = 0;
    for (int64_t j = 0; screen->is_known && j < objective->size; j++) {
        double since = screen->way - screen->read_at[j];
        if (since == 0.0 && is_pure(objective, point, j)) continue; /* x_j may have left 0 while r, being flat, stayed */
        double bound = fabs(point->gradient[j]) + screen->norm[j] * since;
        int in_use = point->x[j] != 0.0 || objective->penalty.c[j] == 0.0;
        if (!in_use && isfinite(bound) && !matters(user, objective, j, bound)) continue;
        screen->columns[count++] = j;
        entries += A->ops->column_entries(A, j);
    }
    if (!screen->is_known || entries > A->entries / WHOLE)
        read_all(objective, point);
    else
        read_columns(objective, point, count);
}

static int may_violate(const void *user, const struct objective *objective, int64_t j, double bound)
{
    (void)user;
    return !(bound < (1.0 - SLACK) * objective->penalty.c[j]);
}

void dcpn_screen_look(struct objective *objective, const struct point *point, int is_whole)
{
    struct screen *screen = objective->screen;
    double square = 0.0;
    for (int64_t i = 0; i < objective->rows && screen->is_known; i++) {
        double moved = objective->r[i] - screen->r[i];
        square += moved * moved;
    }
    screen->way += sqrt(square);
    dcpn_copy(objective->rows, objective->r, screen->r);
    if (!is_whole) {
        dcpn_screen_read(objective, point, may_violate, NULL);
        return;
    }
    for (int64_t j = 0; j < objective->size; j++) note_reading(objective, point, j);
    screen->is_known = 1;
}
