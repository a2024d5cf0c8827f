/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading paths: what dcpn_paths_write has written, with what it says of where they came from. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "model/field_lists.h"
#include "model/model_file.h"
#include "model/model_read.h"
#include "model/parts_read.h"
#include "path/path.h"
#include "settings/registry.h"

/* ---- points ---- */

/* Room for the coefficients of all points. */
static dcpn_status make_room(const struct model_reader *reader, const json_t *points, dcpn_path *path)
{
    const json_t *point;
    size_t k;
    int64_t count;
    json_array_foreach(points, k, point)
    {
        DCPN_TRY(dcpn_read_pair_count(reader, json_object_get(point, "coef"), "value", &count));
        path->room += count;
    }
    path->index = dcpn_allocate(reader->context, (size_t)path->room, sizeof *path->index);
    path->value_of = dcpn_allocate(reader->context, (size_t)path->room, sizeof *path->value_of);
    return path->index && path->value_of ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status read_coefficients(const struct model_reader *reader, const json_t *coef, dcpn_path *path,
                                     dcpn_path_point *point)
{
    DCPN_TRY(dcpn_read_pair_count(reader, coef, "value", &point->fit.nonzeros));
    point->first = path->used;
    path->used += point->fit.nonzeros;
    return dcpn_read_pairs(reader, coef, "value", path->index + point->first, path->value_of + point->first);
}

static dcpn_status read_convexity(const struct model_reader *reader, const json_t *object, dcpn_path_point *point)
{
    point->is_locally_convex = -1;
    if (!json_is_null(json_object_get(object, "locally_convex")))
        DCPN_TRY(dcpn_field_flag(reader, object, "locally_convex", &point->is_locally_convex));
    return dcpn_field_result(reader, object, "convexity", &point->convexity);
}

static const struct number_field of_lambda = {"lambda", offsetof(dcpn_path_point, lambda), 0.0, 0};
static const struct number_field of_brier = {"brier", offsetof(dcpn_path_point, brier), 0.0, 1};

static dcpn_status read_point(const struct model_reader *reader, const json_t *object, dcpn_path *path,
                              dcpn_path_point *point)
{
    double *intercepts = path->intercepts ? path->intercepts + (point - path->points) * reader->intercepts : NULL;
    DCPN_TRY(dcpn_read_number_fields(reader, object, &of_lambda, 1, point));
    DCPN_TRY(dcpn_read_intercepts(reader, object, &point->intercept, intercepts));
    DCPN_TRY(read_coefficients(reader, json_object_get(object, "coef"), path, point));
    DCPN_TRY(dcpn_read_result(reader, object, &point->fit));
    DCPN_TRY(dcpn_field_result(reader, object, "deviance", &point->deviance));
    point->brier = (double)NAN;
    if (json_object_get(object, "brier")) DCPN_TRY(dcpn_read_number_fields(reader, object, &of_brier, 1, point));
    return read_convexity(reader, object, point);
}

static dcpn_status check_order(const struct model_reader *reader, const dcpn_path *path)
{
    for (int64_t k = 1; k < path->count; k++)
        if (!(path->points[k].lambda <= path->points[k - 1].lambda))
            return dcpn_field_refuse(reader, "lambda", "a greater number than that of the point before",
                                     "numbers that descend");
    return DCPN_OK;
}

static dcpn_status read_points(struct model_reader *reader, const json_t *object, const json_t *times, dcpn_path *path)
{
    const json_t *points;
    dcpn_result parts = {0};
    reader->group = "paths.";
    DCPN_TRY(dcpn_field_array(reader, object, "points", &points));
    if (json_array_size(points)) DCPN_TRY(dcpn_read_parts(reader, object, &parts));
    reader->group = "paths.points.";
    path->points = dcpn_allocate(reader->context, json_array_size(points), sizeof *path->points);
    if (!path->points) return DCPN_MEMORY;
    DCPN_TRY(make_room(reader, points, path));
    if (reader->intercepts > 1) {
        size_t intercepts = json_array_size(points) * (size_t)reader->intercepts;
        path->intercepts = dcpn_allocate(reader->context, intercepts, sizeof *path->intercepts);
        if (!path->intercepts) return DCPN_MEMORY;
    }
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *time_s = json_array_get(times, k);
        parts.time_s = json_is_number(time_s) ? json_number_value(time_s) : (double)NAN;
        path->points[k] = (dcpn_path_point){.fit = parts};
        DCPN_TRY(read_point(reader, json_array_get(points, k), path, &path->points[k]));
        path->count++;
    }
    return check_order(reader, path);
}

/* ---- paths ---- */

/* The parameter that varies from path to path, and its value, which the settings of the path take over. */
static dcpn_status read_value(const struct model_reader *reader, const json_t *object, dcpn_path *path)
{
    const json_t *varying = json_object_get(object, "varying");
    if (!varying || json_is_null(varying)) return DCPN_OK;
    for (size_t k = 0; k < dcpn_setting_count() && json_is_string(varying); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        if (setting->kind != DCPN_KIND_REAL || strcmp(setting->option, json_string_value(varying)) != 0) continue;
        path->varying = setting->option;
        DCPN_TRY(dcpn_field_number(reader, object, "value", &path->value));
        *(double *)(void *)((char *)&path->settings + setting->offset) = path->value;
        return dcpn_check_read_settings(reader, &path->settings, "paths.value");
    }
    return dcpn_field_refuse(reader, "varying", dcpn_field_describe(varying),
                             "the name of a parameter, like \"theta\"");
}

static dcpn_status read_end(const struct model_reader *reader, const json_t *object, dcpn_path *path)
{
    static const struct {
        const char *name;
        dcpn_path_end end;
    } ends[] = {
        {"all", DCPN_PATH_ALL},     {"saturated", DCPN_PATH_SATURATED},  {"crowded", DCPN_PATH_CROWDED},
        {"noise", DCPN_PATH_NOISE}, {"max-time", DCPN_PATH_INTERRUPTED}, {"interrupted", DCPN_PATH_INTERRUPTED}};
    const char *ended;
    DCPN_TRY(dcpn_field_text(reader, object, "ended", &ended));
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        path->end = ends[k].end;
        if (strcmp(ended, ends[k].name) == 0) return DCPN_OK;
    }
    return dcpn_field_refuse(reader, "ended", "an unknown text", "how a path ends, like \"all\"");
}

/* Reads the kind of a path. Files with one path for each penalty and value do not say it. */
static dcpn_status read_kind(const struct model_reader *reader, const json_t *object, dcpn_path *path)
{
    const json_t *kind = json_object_get(object, "kind");
    const char *name = json_string_value(kind);
    if (!kind || json_is_null(kind)) return DCPN_OK;
    path->kind = !name                           ? DCPN_PATH_AS_SET
                 : strcmp(name, "local") == 0    ? DCPN_PATH_LOCAL
                 : strcmp(name, "searched") == 0 ? DCPN_PATH_SEARCHED
                 : strcmp(name, "by-size") == 0  ? DCPN_PATH_BY_SIZE
                                                 : DCPN_PATH_AS_SET;
    if (path->kind != DCPN_PATH_AS_SET) return DCPN_OK;
    return dcpn_field_refuse(reader, "kind", dcpn_field_describe(kind), "local, searched or by-size");
}

static const struct number_field of_lambda_max = {"lambda_max", offsetof(dcpn_path, lambda_max), 0.0, 1};

static dcpn_status read_path(struct model_reader *reader, const json_t *object, const json_t *times, dcpn_path *path)
{
    reader->group = "paths.";
    DCPN_TRY(dcpn_field_penalty(reader, object, "penalty", &path->settings.penalty));
    DCPN_TRY(read_kind(reader, object, path));
    DCPN_TRY(read_value(reader, object, path));
    DCPN_TRY(dcpn_read_unit(reader, object, "shape_unit", &path->shape_unit));
    DCPN_TRY(dcpn_read_number_fields(reader, object, &of_lambda_max, 1, path));
    DCPN_TRY(read_end(reader, object, path));
    return read_points(reader, object, times, path);
}

static dcpn_status read_paths(struct model_reader *reader, const json_t *root, const json_t *list, dcpn_paths *paths)
{
    const json_t *times = json_object_get(json_object_get(root, "timing"), "points");
    for (int64_t v = 0; v < paths->count; v++) {
        paths->paths[v].settings = paths->settings;
        DCPN_TRY(
            read_path(reader, json_array_get(list, (size_t)v), json_array_get(times, (size_t)v), &paths->paths[v]));
    }
    reader->group = "";
    return DCPN_OK;
}

/* ---- what was fitted, and to what ---- */

static dcpn_status read_classes(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    dcpn_paths *paths = results->paths;
    paths->scores = reader->scores;
    DCPN_TRY(dcpn_check_classes(reader, root, paths->settings.loss, &paths->labels));
    reader->intercepts = dcpn_intercept_count(reader->scores, &paths->labels);
    int are_responses = paths->labels.are_responses;
    const char *key = are_responses ? "responses" : "class_names";
    const json_t *names = json_object_get(root, key);
    if (are_responses) {
        DCPN_TRY(dcpn_number_responses(reader, &paths->labels));
    } else if (paths->labels.count) {
        paths->labels.numbers =
            dcpn_allocate(reader->context, (size_t)paths->labels.count, sizeof *paths->labels.numbers);
        if (!paths->labels.numbers) return DCPN_MEMORY;
        DCPN_TRY(dcpn_read_class_numbers(reader, json_object_get(root, "classes"), paths->labels.numbers));
    }
    if (!names || json_is_null(names)) return DCPN_OK;
    int64_t count, expected = paths->labels.count ? paths->labels.count : 2;
    const char **texts;
    DCPN_TRY(dcpn_read_texts(reader, root, key, &texts, &count));
    results->provenance.class_names = texts; /* freed with the results */
    return count == expected
               ? DCPN_OK
               : dcpn_field_refuse(reader, key, "another number of texts", "one for each class or response");
}

static const struct number_field of_data[] = {{"weight", offsetof(dcpn_paths, weight), 0.0, 1},
                                              {"positives", offsetof(dcpn_paths, positives), 0.0, 1},
                                              {"null_deviance", offsetof(dcpn_paths, null_deviance), -HUGE_VAL, 1}};

static dcpn_status read_data(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    const json_t *data;
    dcpn_paths *paths = results->paths;
    DCPN_TRY(dcpn_field_object(reader, root, "data", &data));
    reader->group = "data.";
    results->provenance.file = json_string_value(json_object_get(data, "file"));
    DCPN_TRY(dcpn_field_count(reader, data, "n", &paths->rows));
    DCPN_TRY(dcpn_check_stated(reader, data, "p", paths->features));
    DCPN_TRY(dcpn_field_count(reader, data, "entries", &paths->entries));
    DCPN_TRY(dcpn_field_flag(reader, data, "dense", &paths->is_dense));
    DCPN_TRY(dcpn_read_number_fields(reader, data, of_data, 3, paths));
    reader->group = "";
    return DCPN_OK;
}

/* Reads the deviations of columns, which the file has only if columns were standardised. */
static dcpn_status read_deviations(struct model_reader *reader, const json_t *root, dcpn_paths *paths)
{
    const json_t *object = json_object_get(root, "deviation");
    if (!object) return DCPN_OK;
    reader->group = "deviation.";
    DCPN_TRY(dcpn_read_pair_count(reader, object, "value", &paths->deviations.count));
    size_t count = (size_t)paths->deviations.count;
    paths->deviations.index = dcpn_allocate(reader->context, count, sizeof *paths->deviations.index);
    paths->deviations.value = dcpn_allocate(reader->context, count, sizeof *paths->deviations.value);
    if (!paths->deviations.index || !paths->deviations.value) return DCPN_MEMORY;
    DCPN_TRY(dcpn_read_pairs(reader, object, "value", paths->deviations.index, paths->deviations.value));
    DCPN_TRY(dcpn_take_numbers(reader, "value", json_object_get(object, "value"), paths->deviations.count,
                               &DCPN_WEIGHTS, paths->deviations.value));
    reader->group = "";
    return DCPN_OK;
}

/* Reads what missing values of each feature count as, which the file has unless they were refused. */
static dcpn_status read_fill(const struct model_reader *reader, const json_t *root, dcpn_provenance *provenance)
{
    if (!json_object_get(root, "missing")) return DCPN_OK;
    double *fill = NULL;
    dcpn_status status = dcpn_field_numbers(reader, root, "missing", reader->features, &DCPN_ANY_NUMBERS, &fill);
    provenance->fill = fill; /* freed with the results */
    return status;
}

/* Reads how many values of each feature were missing. */
static dcpn_status read_gaps(const struct model_reader *reader, const json_t *root, dcpn_provenance *provenance)
{
    if (!json_object_get(root, "gaps")) return DCPN_OK;
    int64_t *gaps = NULL;
    dcpn_status status = dcpn_field_wholes(reader, root, "gaps", reader->features, &DCPN_COUNTS, &gaps);
    provenance->gaps = gaps; /* freed with the results */
    return status;
}

static dcpn_status read_provenance(const struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    dcpn_provenance *from = &results->provenance;
    const json_t *read_s = json_object_get(json_object_get(root, "timing"), "read_s");
    const char **words, **names;
    int64_t count;
    results->version = json_string_value(json_object_get(root, "dcpn"));
    from->index_base = reader->index_base;
    from->label_name = json_string_value(json_object_get(root, "label"));
    from->read_s = json_is_number(read_s) ? json_number_value(read_s) : (double)NAN;
    DCPN_TRY(dcpn_read_texts(reader, root, "command", &words, &from->words));
    from->command = words;
    DCPN_TRY(dcpn_read_texts(reader, root, "feature_names", &names, &count));
    from->feature_names = names;
    if (names && count != reader->features)
        return dcpn_field_refuse(reader, "feature_names", "another number of texts", "one for each feature");
    dcpn_category *categories;
    DCPN_TRY(dcpn_read_categories(reader, root, &categories, &from->category_count));
    from->categories = categories; /* freed with the results */
    dcpn_groups *groups;
    DCPN_TRY(dcpn_read_groups(reader, root, &groups));
    from->groups = groups; /* likewise */
    DCPN_TRY(read_fill(reader, root, from));
    return read_gaps(reader, root, from);
}

static void read_timing(const json_t *root, dcpn_paths *paths)
{
    const json_t *timing = json_object_get(root, "timing"), *time_s = json_object_get(timing, "time_s");
    json_int_t threads = json_integer_value(json_object_get(timing, "threads"));
    paths->threads = threads > 0 && threads <= 1 << 20 ? (int)threads : 0;
    paths->time_s = json_is_number(time_s) ? json_number_value(time_s) : (double)NAN;
}

dcpn_status dcpn_paths_from_json(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    const json_t *list;
    dcpn_settings settings = dcpn_settings_default();
    DCPN_TRY(dcpn_read_version(reader, root, DCPN_PATH_VERSION));
    DCPN_TRY(dcpn_read_settings(reader, root, &settings));
    DCPN_TRY(dcpn_field_array(reader, root, "paths", &list));
    DCPN_TRY(dcpn_read_size(reader, root));
    DCPN_TRY(dcpn_paths_new(reader->context, &settings, (int64_t)json_array_size(list), &results->paths));
    results->paths->features = reader->features;
    DCPN_TRY(read_classes(reader, root, results));
    DCPN_TRY(dcpn_read_offset(reader, root, &results->paths->has_offset));
    DCPN_TRY(read_data(reader, root, results));
    DCPN_TRY(read_deviations(reader, root, results->paths));
    DCPN_TRY(read_provenance(reader, root, results));
    if (results->provenance.groups) results->paths->groups.count = -1;
    read_timing(root, results->paths);
    return read_paths(reader, root, list, results->paths);
}
