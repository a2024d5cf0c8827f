/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds on slopes that were read a while ago. */
#include "working_set/slope_bounds.h"

#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "base/vector.h"

static const double ROUNDING = 1e-14; /* of the way: what the sum of many moves, and their lengths, may be wrong by */

void dcpn_slope_bounds_free(dcpn_context *context, struct slope_bounds *b)
{
    if (!b) return;
    dcpn_free(context, b->r);
    dcpn_free(context, b->norm);
    dcpn_free(context, b->slope);
    dcpn_free(context, b->read_at);
    dcpn_free(context, b->read_after);
    dcpn_free(context, b->space);
    dcpn_free(context, b->wanted);
    dcpn_free(context, b);
}

dcpn_status dcpn_slope_bounds_new(dcpn_context *context, const struct objective *objective,
                                  struct slope_bounds **bounds)
{
    size_t rows = (size_t)objective->rows, size = (size_t)objective->size;
    struct slope_bounds *b = *bounds = dcpn_allocate(context, 1, sizeof *b);
    if (!b) return DCPN_MEMORY;
    *b = (struct slope_bounds){0};
    b->r = dcpn_allocate(context, rows, sizeof *b->r);
    b->norm = dcpn_allocate(context, size, sizeof *b->norm);
    b->slope = dcpn_allocate(context, size, sizeof *b->slope);
    b->read_at = dcpn_allocate(context, size, sizeof *b->read_at);
    b->read_after = dcpn_allocate(context, size, sizeof *b->read_after);
    b->space = dcpn_allocate(context, size, sizeof *b->space);
    b->wanted = dcpn_allocate(context, size, sizeof *b->wanted);
    if (b->r && b->norm && b->slope && b->read_at && b->read_after && b->space && b->wanted) {
        struct objective apart = *objective; /* this reading is of the path, and of none of its fits */
        dcpn_objective_norms(&apart, b->r, b->norm);
        return DCPN_OK;
    }
    dcpn_slope_bounds_free(context, b);
    *bounds = NULL;
    return DCPN_MEMORY;
}

static void travel(struct slope_bounds *b, const struct objective *F)
{
    double square = 0.0;
    if (b->is_known && memcmp(b->r, F->r, (size_t)F->rows * sizeof *b->r) == 0) return;
    for (int64_t i = 0; i < F->rows && b->is_known; i++) {
        double moved = F->r[i] - b->r[i];
        square += moved * moved;
    }
    b->way += sqrt(square);
    b->moves++;
    dcpn_copy(F->rows, F->r, b->r);
}

static int is_in_use(const struct objective *F, const struct point *point, int64_t j)
{
    return point->x[j] != 0.0 || F->penalty.c[j] == 0.0;
}

/* Lists the columns that matter, and in b->wanted those of them whose slopes are old. */
static int64_t list(struct slope_bounds *b, const struct objective *F, const struct point *point, double share,
                    int64_t *columns, int64_t *wanted)
{
    int64_t count = 0;
    *wanted = 0;
    for (int64_t j = 0; j < F->size; j++) {
        int is_old = b->read_after[j] != b->moves;
        double since = is_old ? b->way - b->read_at[j] + ROUNDING * b->way : 0.0;
        double bound = fabs(b->slope[j]) + b->norm[j] * since;
        if (!is_in_use(F, point, j) && bound <= share * F->penalty.c[j]) continue;
        columns[count++] = j;
        if (is_old || !isfinite(bound)) b->wanted[(*wanted)++] = j;
    }
    return count;
}

static void read_all(struct slope_bounds *b, struct objective *F, struct point *point)
{
    dcpn_point_gradients(F, point);
    dcpn_copy(F->size, F->last.product, b->slope);
    dcpn_fill(F->size, b->way, b->read_at);
    for (int64_t j = 0; j < F->size; j++) b->read_after[j] = b->moves;
    b->is_known = 1;
}

static int64_t entries_of(const struct slope_bounds *b, const struct objective *F, int64_t wanted)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < wanted; k++) entries += F->design.A->ops->column_entries(F->design.A, b->wanted[k]);
    return entries;
}

static void read_wanted(struct slope_bounds *b, struct objective *F, int64_t wanted)
{
    struct column_subset view;
    dcpn_matrix_subset(&view, F->design.A, b->wanted);
    view.base.columns = wanted;
    F->design.touched += view.base.ops->adjoint(&view.base, F->r, b->space);
    for (int64_t k = 0; k < wanted; k++) {
        b->slope[b->wanted[k]] = b->space[k];
        b->read_at[b->wanted[k]] = b->way;
        b->read_after[b->wanted[k]] = b->moves;
    }
}

int64_t dcpn_slope_bounds_look(struct slope_bounds *b, struct objective *F, struct point *point, double share,
                               int64_t *columns)
{
    int64_t wanted = 0, count = 0;
    travel(b, F);
    int is_whole = !b->is_known || dcpn_point_is_remembered(F, point);
    if (!is_whole) count = list(b, F, point, share, columns, &wanted);
    if (is_whole || entries_of(b, F, wanted) > F->design.A->entries / BOUNDS_WHOLE) {
        read_all(b, F, point);
        return list(b, F, point, share, columns, &wanted);
    }
    read_wanted(b, F, wanted);
    for (int64_t k = 0; k < count; k++) {
        int64_t j = columns[k];
        point->gradient[j] = j < F->features ? b->slope[j] + F->ridge * point->x[j] : b->slope[j];
    }
    return count;
}
