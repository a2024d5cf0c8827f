/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of paths: points, and the coefficients of all points one after another. */
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "path/path.h"
#include "settings/settings_text.h"
#include "solver/finite.h"

enum { FIRST_ROOM = 1024 };

dcpn_status dcpn_paths_new(dcpn_context *context, const dcpn_settings *settings, int64_t count, dcpn_paths **paths)
{
    dcpn_paths *made = dcpn_allocate(context, 1, sizeof *made);
    *paths = NULL;
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_paths){.context = context, .settings = *settings, .scores = 1,
                          .threads = dcpn_context_threads(context)};
    made->paths = dcpn_allocate(context, (size_t)count, sizeof *made->paths);
    if (made->paths) memset(made->paths, 0, (size_t)count * sizeof *made->paths);
    made->count = made->paths ? count : 0;
    dcpn_status status = made->paths ? dcpn_settings_own_texts(context, &made->settings, &made->texts) : DCPN_MEMORY;
    if (status == DCPN_OK)
        *paths = made;
    else
        dcpn_paths_free(made);
    return status;
}

void dcpn_path_free_points(dcpn_context *context, dcpn_path *path)
{
    dcpn_free(context, path->points);
    dcpn_free(context, path->index);
    dcpn_free(context, path->value_of);
    dcpn_free(context, path->intercepts);
    path->points = NULL;
    path->index = NULL;
    path->value_of = path->intercepts = NULL;
    path->count = path->used = path->room = 0;
}

dcpn_status dcpn_path_copy(dcpn_context *context, const dcpn_path *from, int64_t count, int64_t each, dcpn_path *to)
{
    size_t points = (size_t)count, used = (size_t)from->used;
    size_t intercepts = from->intercepts ? points * (size_t)each : 0;
    dcpn_path_free_points(context, to);
    to->lambda_max = from->lambda_max;
    to->shape_unit = from->shape_unit;
    to->end = from->end;
    to->points = dcpn_allocate(context, points, sizeof *to->points);
    to->index = dcpn_allocate(context, used, sizeof *to->index);
    to->value_of = dcpn_allocate(context, used, sizeof *to->value_of);
    if (from->intercepts) to->intercepts = dcpn_allocate(context, intercepts, sizeof *to->intercepts);
    if (!to->points || !to->index || !to->value_of || (from->intercepts && !to->intercepts)) return DCPN_MEMORY;
    to->count = count;
    to->used = to->room = from->used;
    if (count) memcpy(to->points, from->points, points * sizeof *to->points);
    if (used) memcpy(to->index, from->index, used * sizeof *to->index);
    if (used) dcpn_copy(from->used, from->value_of, to->value_of);
    if (from->intercepts) dcpn_copy((int64_t)intercepts, from->intercepts, to->intercepts);
    return DCPN_OK;
}

void dcpn_paths_free(dcpn_paths *paths)
{
    if (!paths) return;
    for (int64_t v = 0; v < paths->count; v++) dcpn_path_free_points(paths->context, &paths->paths[v]);
    dcpn_free(paths->context, paths->paths);
    dcpn_free(paths->context, paths->texts);
    dcpn_free(paths->context, paths->labels.numbers);
    dcpn_free(paths->context, paths->deviations.index);
    dcpn_free(paths->context, paths->deviations.value);
    dcpn_free(paths->context, paths->groups.size);
    dcpn_free(paths->context, paths->groups.weight);
    dcpn_free(paths->context, paths);
}

static dcpn_status make_room(dcpn_context *context, dcpn_path *path, int64_t addition)
{
    int64_t needed = path->used + addition, room = path->room ? path->room : FIRST_ROOM;
    if (path->room && needed <= path->room) return DCPN_OK;
    while (room < needed) room *= 2;
    int64_t *index = dcpn_grow(context, path->index, (size_t)path->used, (size_t)room, sizeof *index);
    if (!index) return DCPN_MEMORY;
    path->index = index;
    double *value = dcpn_grow(context, path->value_of, (size_t)path->used, (size_t)room, sizeof *value);
    if (!value) return DCPN_MEMORY;
    path->value_of = value;
    path->room = room;
    return DCPN_OK;
}

static int64_t count_groups(const struct plan *plan, const double *x)
{
    const struct grouped_columns *g = &plan->groups;
    int64_t used = 0;
    for (int64_t b = 0; b < g->count && plan->given.groups.count > 0; b++) {
        int is_used = 0;
        for (int64_t k = g->start[b]; k < g->start[b + 1] && g->weight[b] > 0.0; k++) is_used |= x[g->member[k]] != 0.0;
        used += is_used;
    }
    return used;
}

dcpn_status dcpn_path_keep(dcpn_context *context, dcpn_path *path, int64_t k, dcpn_path_point *point,
                           const struct plan *plan, const double *x)
{
    int64_t scores = plan->targets.scores, each = dcpn_targets_constants(&plan->targets);
    point->fit.nonzeros = dcpn_plan_count(plan, scores * dcpn_plan_columns(plan), x);
    point->groups = count_groups(plan, x);
    DCPN_TRY(make_room(context, path, point->fit.nonzeros));
    struct few_coefficients list = {.index = path->index + path->used,
                                    .value = path->value_of + path->used,
                                    .intercepts = path->intercepts ? path->intercepts + k * each
                                                                   : &point->intercept};
    point->first = path->used;
    dcpn_plan_list(plan, x, &list);
    point->intercept = list.intercepts[0];
    const double *bad = list.intercepts; /* any that is not finite, else the first */
    for (int64_t c = 0; c < each && isfinite(*bad); c++) bad = list.intercepts + c;
    const struct leaving leaving = {&point->fit, list.index, list.value, list.count, *bad};
    path->used += point->fit.nonzeros;
    return dcpn_refuse_infinite_result(context, &leaving);
}

void dcpn_path_expand(const dcpn_path *path, const dcpn_path_point *point, int64_t numbers, double *x)
{
    dcpn_fill(numbers, 0.0, x);
    for (int64_t k = 0; k < point->fit.nonzeros; k++)
        x[path->index[point->first + k]] = path->value_of[point->first + k];
}

int64_t dcpn_intercept_count(int64_t scores, const dcpn_classes *labels)
{
    return labels && labels->are_ordered ? labels->count - 1 : scores;
}

const double *dcpn_path_intercepts(const dcpn_path *path, const dcpn_path_point *point, int64_t each)
{
    return path->intercepts ? path->intercepts + (point - path->points) * each : &point->intercept;
}

/* Returns the position of a number in an ascending list, or where it would be inserted. */
static int64_t find(const int64_t *index, int64_t count, int64_t number)
{
    int64_t low = 0, high = count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (index[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Is the feature at place k in use by an earlier score? */
static int is_known(const int64_t *index, int64_t k, int64_t features)
{
    for (int64_t number = index[k] % features; number < index[k]; number += features) {
        int64_t place = find(index, k, number);
        if (place < k && index[place] == number) return 1;
    }
    return 0;
}

int64_t dcpn_count_distinct(const int64_t *index, int64_t count, int64_t features)
{
    int64_t distinct = 0;
    for (int64_t k = 0; k < count; k++) distinct += !is_known(index, k, features);
    return distinct;
}

int64_t dcpn_paths_count_features(const dcpn_paths *paths, int64_t path, int64_t point)
{
    if (!paths || path < 0 || path >= paths->count || point < 0 || point >= paths->paths[path].count) return 0;
    const dcpn_path *at = &paths->paths[path];
    const dcpn_path_point *from = &at->points[point];
    if (paths->scores == 1) return from->fit.nonzeros;
    return dcpn_count_distinct(at->index + from->first, from->fit.nonzeros, paths->features);
}
