/* SPDX-License-Identifier: BSD-3-Clause */
/* The look at all columns. */
#include "working_set/look.h"

#include <math.h>

#include "base/select.h"
#include "base/tuning.h"
#include "base/vector.h"

void dcpn_look_free(dcpn_context *context, struct look *look)
{
    if (!look) return;
    dcpn_slope_bounds_free(context, look->bounds);
    dcpn_past_slopes_free(context, look->past);
    dcpn_free(context, look->columns);
    dcpn_free(context, look->found);
    dcpn_free(context, look->space);
    dcpn_free(context, look);
}

dcpn_status dcpn_look_new(dcpn_context *context, int64_t size, struct look **look)
{
    size_t room = (size_t)size + 1; /* one that is looked at and not taken */
    struct look *made = *look = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct look){.count = -1};
    made->columns = dcpn_allocate(context, room, sizeof *made->columns);
    made->found = dcpn_allocate(context, room, sizeof *made->found);
    made->space = dcpn_allocate(context, room, sizeof *made->space);
    if (made->columns && made->found && made->space) return DCPN_OK;
    dcpn_look_free(context, made);
    *look = NULL;
    return DCPN_MEMORY;
}

static int is_in_use(const struct objective *F, const struct point *point, int64_t j)
{
    return point->x[j] != 0.0 || F->penalty.c[j] == 0.0;
}

/* Finds the first column in use from j on. That is quick if all features are penalised. */
static int64_t next_in_use(const struct objective *F, const struct point *point, int64_t j)
{
    if (!F->penalty.factors && F->penalty.c[0] > 0.0) j = dcpn_next_nonzero(F->features, point->x, j);
    while (j < F->size && !is_in_use(F, point, j)) j++;
    return j;
}

/* Merges the columns that were found and those in use, ascending. */
static void merge_columns(struct look *look, const struct objective *F, const struct point *point, int64_t found)
{
    int64_t count = 0, next = 0, used = next_in_use(F, point, 0);
    while (next < found || used < F->size) {
        int64_t j = next < found && look->found[next] < used ? look->found[next] : used;
        look->columns[count++] = j;
        next += next < found && look->found[next] == j;
        if (used == j) used = next_in_use(F, point, j + 1);
    }
    look->count = count;
}

/* Lists the columns whose slope may be above a share of that of the penalty. Returns how many there are. */
static int64_t find_above(struct look *look, const struct objective *F, struct sought *sought, double share)
{
    int64_t count = 0;
    sought->limit = F->penalty.factors ? -1.0 : share * F->penalty.c[0];
    int64_t found = dcpn_byte_copy_list(look->past->copy, sought, look->found, look->space);
    if (!F->penalty.factors) return found;
    for (int64_t i = 0; i < found; i++) {
        look->found[count] = look->found[i];
        count += !(look->space[i] <= share * F->penalty.c[look->found[i]]);
    }
    return count;
}

/* Looks with the slopes that are known from past points or, if they tell too little, with those of the byte copy at
 * this point. */
static void look_by_bytes(struct look *look, struct objective *F, struct point *point, double share)
{
    struct past_slopes *past = look->past;
    struct sought sought;
    int64_t found = F->features;
    if (past->count > 0) {
        sought = dcpn_past_slopes_estimate(past, F->r);
        found = find_above(look, F, &sought, share);
    }
    if (found > F->features / LOOK_MOST_READ && !(past->count > 0 && dcpn_past_slopes_has(past, F->r))) {
        F->design.touched += dcpn_past_slopes_read(past, F->r, &sought);
        found = find_above(look, F, &sought, share);
    }
    merge_columns(look, F, point, found);
    dcpn_point_gradients_of(F, point, look->columns, look->count, look->space);
}

void dcpn_look_at_all(struct look *look, struct objective *F, struct point *point)
{
    if (look && look->past) dcpn_past_slopes_come_along(look->past, F);
    dcpn_point_gradients(F, point);
    if (look && look->past) dcpn_past_slopes_take(look->past, F);
    if (look) look->count = -1;
}

static int can_look_by_bytes(const struct look *look, const struct objective *F, const struct point *point)
{
    return look && look->past && !look->past->is_stale && !dcpn_point_is_remembered(F, point);
}

/* A number that the steepness of so many columns reaches, for certain. */
static double least_steepness(struct look *look, const struct objective *F, int64_t count, double *space)
{
    struct sought sought;
    dcpn_past_slopes_read(look->past, F->r, &sought);
    sought.limit = -1.0; /* all are listed */
    int64_t found = dcpn_byte_copy_list(look->past->copy, &sought, look->found, look->space);
    dcpn_fill(F->features, 0.0, space);
    for (int64_t i = 0; i < found; i++) {
        int64_t j = look->found[i];
        double least = 2.0 * fabs(dcpn_estimate_at(&sought, j)) - look->space[i]; /* the bound lies as far above */
        if (F->penalty.c[j] > 0.0) space[j] = fmax(least, 0.0) / F->penalty.c[j];
    }
    return dcpn_kth_largest(space, F->features, count);
}

void dcpn_look_at_steepest(struct look *look, struct objective *F, struct point *point, int64_t count, double *space)
{
    if (!can_look_by_bytes(look, F, point)) {
        dcpn_look_at_all(look, F, point);
        return;
    }
    dcpn_point_slopes(F, point);
    double share = least_steepness(look, F, count, space) * DCPN_LOOK_STATIONARY;
    dcpn_look_at(look, F, point, fmin(share, DCPN_LOOK_STATIONARY));
}

void dcpn_look_at(struct look *look, struct objective *F, struct point *point, double share)
{
    int by_bytes = can_look_by_bytes(look, F, point);
    if (!by_bytes && !(look && look->bounds)) {
        dcpn_look_at_all(look, F, point);
        return;
    }
    dcpn_point_slopes(F, point);
    if (by_bytes)
        look_by_bytes(look, F, point, share);
    else
        look->count = dcpn_slope_bounds_look(look->bounds, F, point, share, look->columns);
}
