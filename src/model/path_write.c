/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing paths: JSON, the same bytes for the same paths but for the last line, which has the times. */
#include "model/path_write.h"

#include <math.h>

#include "model/model_file.h"

static const char *end_name(const dcpn_paths *paths, const dcpn_path *path)
{
    switch (path->end) {
    case DCPN_PATH_ALL:
        return "all";
    case DCPN_PATH_SATURATED:
        return "saturated";
    case DCPN_PATH_CROWDED:
        return "crowded";
    case DCPN_PATH_NOISE:
        return "noise";
    case DCPN_PATH_INTERRUPTED:
        break;
    }
    return paths->time_s >= path->settings.max_time_s ? "max-time" : "interrupted";
}

static void write_coefficients(struct json_writer *json, const dcpn_paths *paths, const dcpn_path *path,
                               const dcpn_path_point *point, int index_base)
{
    const struct written_coefficients written = {
        paths->scores, paths->features, point->fit.nonzeros, path->index + point->first, path->value_of + point->first,
        index_base};
    dcpn_json_object(json, "coef", ", ");
    dcpn_write_coefficients(json, &written);
    dcpn_json_close(json);
}

static void write_point(struct json_writer *json, const dcpn_paths *paths, const dcpn_path *path,
                        const dcpn_path_point *point, int index_base)
{
    const dcpn_result *fit = &point->fit;
    double null = paths->null_deviance;
    dcpn_json_number(json, "lambda", point->lambda);
    dcpn_json_integer(json, "nnz", fit->nonzeros);
    int64_t each = dcpn_intercept_count(paths->scores, &paths->labels);
    const double *intercepts = path->intercepts ? path->intercepts + (point - path->points) * each : NULL;
    dcpn_write_intercepts(json, each, point->intercept, intercepts);
    write_coefficients(json, paths, path, point, index_base);
    dcpn_write_end(json, fit);
    dcpn_json_integer(json, "escape", fit->escape);
    dcpn_json_number(json, "deviance", point->deviance);
    dcpn_json_number(json, "deviance_explained", null > 0.0 ? 1.0 - point->deviance / null : (double)NAN);
    if (!isnan(point->brier)) dcpn_json_number(json, "brier", point->brier);
    dcpn_write_work(json, fit);
    if (point->is_locally_convex < 0)
        dcpn_json_text(json, "locally_convex", NULL);
    else
        dcpn_json_flag(json, "locally_convex", point->is_locally_convex);
    dcpn_json_number(json, "convexity", point->convexity);
}

const char *dcpn_path_kind_name(const dcpn_path *path)
{
    return path->kind == DCPN_PATH_LOCAL ? "local" : path->kind == DCPN_PATH_SEARCHED ? "searched" : "by-size";
}

static void write_head_of_path(struct json_writer *json, const dcpn_paths *paths, const dcpn_path *path)
{
    const dcpn_result *any = path->count ? &path->points[0].fit : NULL;
    dcpn_json_text(json, "penalty", path->settings.penalty);
    if (path->kind != DCPN_PATH_AS_SET) dcpn_json_text(json, "kind", dcpn_path_kind_name(path));
    dcpn_json_text(json, "varying", path->varying);
    dcpn_json_number(json, "value", path->varying ? path->value : (double)NAN);
    if (path->shape_unit > 0.0) dcpn_json_number(json, "shape_unit", path->shape_unit);
    dcpn_json_number(json, "lambda_max", path->lambda_max);
    dcpn_json_text(json, "ended", end_name(paths, path));
    dcpn_json_text(json, "algorithm", any ? any->algorithm : NULL);
    dcpn_json_text(json, "metric", any ? any->metric : NULL);
    dcpn_json_text(json, "subsolver", any ? any->subsolver : NULL);
}

static void write_path(struct json_writer *json, const dcpn_paths *paths, int64_t v, int index_base,
                       const struct path_additions *additions)
{
    const dcpn_path *path = &paths->paths[v];
    dcpn_json_open(json, ", ");
    write_head_of_path(json, paths, path);
    if (additions && additions->of_path) additions->of_path(json, additions->user, v);
    dcpn_json_list(json, "points", path->count, ",\n      ");
    for (int64_t k = 0; k < path->count; k++) {
        dcpn_json_open(json, ", ");
        write_point(json, paths, path, &path->points[k], index_base);
        if (additions && additions->of_point) additions->of_point(json, additions->user, v, k);
        dcpn_json_close(json);
    }
    dcpn_json_close(json);
    dcpn_json_close(json);
}

static void write_data(struct json_writer *json, const dcpn_paths *paths, const dcpn_provenance *provenance)
{
    dcpn_json_object(json, "data", ", ");
    dcpn_json_text(json, "file", provenance->file);
    dcpn_json_integer(json, "n", paths->rows);
    dcpn_json_integer(json, "p", paths->features);
    dcpn_json_integer(json, "entries", paths->entries);
    dcpn_json_flag(json, "dense", paths->is_dense);
    dcpn_json_number(json, "weight", paths->weight);
    dcpn_json_number(json, "positives", paths->positives);
    dcpn_json_number(json, "null_deviance", paths->null_deviance);
    dcpn_json_close(json);
}

static void write_deviations(struct json_writer *json, const dcpn_paths *paths, int index_base)
{
    if (!paths->deviations.value) return;
    dcpn_json_object(json, "deviation", ", ");
    dcpn_json_integers(json, "index", paths->deviations.index, paths->deviations.count, index_base);
    dcpn_json_numbers(json, "value", paths->deviations.value, paths->deviations.count);
    dcpn_json_close(json);
}

void dcpn_write_paths(struct json_writer *json, const char *format, const dcpn_paths *paths,
                      const dcpn_provenance *provenance, const struct path_additions *additions)
{
    dcpn_write_format(json, format, paths->scores);
    dcpn_json_text(json, "dcpn", dcpn_version());
    dcpn_json_texts(json, "command", provenance->command, provenance->words);
    dcpn_json_object(json, "params", ", ");
    dcpn_write_settings(json, &paths->settings);
    dcpn_json_close(json);
    int are_responses = paths->labels.are_responses;
    dcpn_write_classes(json, &paths->labels, are_responses ? provenance->class_names : NULL);
    const char *const *class_names = are_responses ? NULL : provenance->class_names;
    dcpn_json_texts(json, "class_names", class_names, paths->labels.count ? paths->labels.count : 2);
    if (provenance->label_name) dcpn_json_text(json, "label", provenance->label_name);
    dcpn_write_categories(json, provenance->categories, provenance->category_count);
    if (paths->has_offset) dcpn_json_flag(json, "offset", 1);
    dcpn_json_integer(json, "features", paths->features);
    dcpn_json_integer(json, "index_base", provenance->index_base);
    dcpn_write_groups(json, provenance->groups, provenance->index_base);
    dcpn_json_texts(json, "feature_names", provenance->feature_names, paths->features);
    if (provenance->fill) dcpn_json_numbers(json, "missing", provenance->fill, paths->features);
    if (provenance->gaps) dcpn_json_integers(json, "gaps", provenance->gaps, paths->features, 0);
    write_data(json, paths, provenance);
    write_deviations(json, paths, provenance->index_base);
    dcpn_json_list(json, "paths", paths->count, ",\n    ");
    for (int64_t v = 0; v < paths->count; v++) write_path(json, paths, v, provenance->index_base, additions);
    dcpn_json_close(json);
}

void dcpn_write_timing(struct json_writer *json, const dcpn_paths *paths, const dcpn_provenance *provenance,
                       double time_s)
{
    dcpn_json_object(json, "timing", ", ");
    dcpn_json_integer(json, "threads", paths->threads);
    dcpn_json_number(json, "read_s", provenance->read_s);
    dcpn_json_number(json, "time_s", time_s);
    dcpn_json_list(json, "points", paths->count, ", ");
    for (int64_t v = 0; v < paths->count; v++) {
        const dcpn_path *path = &paths->paths[v];
        dcpn_json_open_list(json, path->count, ", ");
        for (int64_t k = 0; k < path->count; k++) dcpn_json_put_number(json, path->points[k].fit.time_s);
        dcpn_json_close(json);
    }
    dcpn_json_close(json);
    dcpn_json_close(json);
}

dcpn_status dcpn_provenance_check(dcpn_context *context, const dcpn_provenance *provenance, int64_t features,
                                  int64_t classes)
{
    if ((unsigned)provenance->index_base > 1)
        return dcpn_fail(context, DCPN_USAGE, "index_base: found %d, expected 0 or 1", provenance->index_base);
    if (provenance->command)
        DCPN_TRY(dcpn_need_texts(context, "words of the command", provenance->command, provenance->words));
    if (provenance->feature_names)
        DCPN_TRY(dcpn_need_texts(context, "names of the features", provenance->feature_names, features));
    if (provenance->class_names)
        DCPN_TRY(dcpn_need_texts(context, "names of the classes", provenance->class_names, classes ? classes : 2));
    for (int64_t j = 0; provenance->fill && j < features; j++)
        if (!isfinite(provenance->fill[j]))
            return dcpn_fail(context, DCPN_USAGE, "fill: found %g for feature %lld, expected a finite number",
                             provenance->fill[j], (long long)j + 1);
    return DCPN_OK;
}

dcpn_status dcpn_paths_check(const dcpn_paths *paths, const dcpn_provenance *provenance)
{
    DCPN_TRY(dcpn_provenance_check(paths->context, provenance, paths->features, paths->labels.count));
    if (!paths->own.loss && !paths->own.penalty) return DCPN_OK;
    return dcpn_fail(
        paths->context, DCPN_USAGE,
        "paths with a loss or penalty of your own cannot be written: the file could not say what it means; "
        "keep their coefficients (index, value_of, intercept) yourself");
}

static dcpn_status write_all(struct json_writer *json, const dcpn_paths *paths, const dcpn_provenance *provenance)
{
    const dcpn_provenance none = {.index_base = 1};
    if (!provenance) provenance = &none;
    DCPN_TRY(dcpn_paths_check(paths, provenance));
    dcpn_json_open(json, ",\n  ");
    dcpn_write_paths(json, DCPN_PATH_FORMAT, paths, provenance, NULL);
    dcpn_write_timing(json, paths, provenance, paths->time_s);
    dcpn_json_seal(json);
    return DCPN_OK;
}

dcpn_status dcpn_paths_json(const dcpn_paths *paths, const dcpn_provenance *provenance, char **json)
{
    DCPN_NEED(NULL, paths);
    DCPN_NEED(paths->context, json);
    struct json_writer writer = dcpn_json_writer(paths->context);
    *json = NULL;
    DCPN_TRY(write_all(&writer, paths, provenance));
    return dcpn_json_give(&writer, json);
}

dcpn_status dcpn_paths_write(const dcpn_paths *paths, const dcpn_provenance *provenance, const char *path)
{
    DCPN_NEED(NULL, paths);
    struct json_writer writer = dcpn_json_writer(paths->context);
    DCPN_TRY(write_all(&writer, paths, provenance));
    return dcpn_write_json(&writer, path);
}
