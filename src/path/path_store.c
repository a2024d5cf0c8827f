/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of paths: points, and the coefficients of all points one after another. */
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
    *made = (dcpn_paths){.context = context, .settings = *settings, .threads = dcpn_context_threads(context)};
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

void dcpn_paths_free(dcpn_paths *paths)
{
    if (!paths) return;
    for (int64_t v = 0; v < paths->count; v++) {
        dcpn_free(paths->context, paths->paths[v].points);
        dcpn_free(paths->context, paths->paths[v].index);
        dcpn_free(paths->context, paths->paths[v].value_of);
    }
    dcpn_free(paths->context, paths->paths);
    dcpn_free(paths->context, paths->texts);
    dcpn_free(paths->context, paths->deviation_index);
    dcpn_free(paths->context, paths->deviation);
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

dcpn_status dcpn_path_keep(dcpn_context *context, dcpn_path *path, dcpn_path_point *point, const struct plan *plan,
                           const double *x)
{
    point->fit.nonzeros = dcpn_plan_count(plan, dcpn_plan_columns(plan), x);
    DCPN_TRY(make_room(context, path, point->fit.nonzeros));
    point->first = path->used;
    point->intercept = dcpn_plan_list(plan, x, path->index + path->used, path->value_of + path->used);
    const struct leaving leaving = {&point->fit, path->index + path->used, path->value_of + path->used,
                                    point->fit.nonzeros, point->intercept};
    path->used += point->fit.nonzeros;
    return dcpn_refuse_infinite_result(context, &leaving);
}

void dcpn_path_expand(const dcpn_path *path, const dcpn_path_point *point, int64_t features, double *x)
{
    dcpn_fill(features, 0.0, x);
    for (int64_t k = 0; k < point->fit.nonzeros; k++)
        x[path->index[point->first + k]] = path->value_of[point->first + k];
}
