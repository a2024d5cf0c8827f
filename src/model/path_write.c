/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing paths: JSON, the same bytes for the same paths but for the last line, which has the times. */
#include <string.h>

#include "model/path_write.h"

#include <math.h>

#include "model/model_file.h"
#include "model/model_json.h"

static const char *end_name(const dcpn_path *path)
{
    switch (path->end) {
    case DCPN_PATH_ALL:
        return "all";
    case DCPN_PATH_SATURATED:
        return "saturated";
    case DCPN_PATH_INTERRUPTED:
        break;
    }
    int out_of_time = path->count > 0 && path->points[path->count - 1].fit.outcome == DCPN_MAX_TIME;
    return out_of_time ? "max-time" : "interrupted";
}

static struct json_object open_object(struct text *text, const char *separator)
{
    dcpn_text_append(text, "{");
    return (struct json_object){.text = text, .separator = separator};
}

static void close_object(struct json_object *object)
{
    dcpn_text_append(object->text, "}");
}

static void write_coefficients(struct json_object *object, const dcpn_path *path, const dcpn_path_point *point,
                               int index_base)
{
    struct json_object coef = open_object(dcpn_json_member(object, "coef"), ", ");
    dcpn_json_integers(&coef, "index", path->index + point->first, point->fit.nonzeros, index_base);
    dcpn_json_numbers(&coef, "value", path->value_of + point->first, point->fit.nonzeros);
    close_object(&coef);
}

static void write_point(struct json_object *object, const dcpn_paths *paths, const dcpn_path *path,
                        const dcpn_path_point *point, int index_base)
{
    const dcpn_result *fit = &point->fit;
    double null = paths->null_deviance;
    dcpn_json_number(object, "lambda", point->lambda);
    dcpn_json_integer(object, "nnz", fit->nonzeros);
    dcpn_json_number(object, "intercept", point->intercept);
    write_coefficients(object, path, point, index_base);
    dcpn_write_end(object, fit);
    dcpn_json_integer(object, "escape", fit->escape);
    dcpn_json_number(object, "deviance", point->deviance);
    dcpn_json_number(object, "deviance_explained", null > 0.0 ? 1.0 - point->deviance / null : (double)NAN);
    dcpn_write_work(object, fit);
    if (point->is_locally_convex < 0)
        dcpn_json_text(object, "locally_convex", NULL);
    else
        dcpn_json_flag(object, "locally_convex", point->is_locally_convex);
    dcpn_json_number(object, "convexity", point->convexity);
}

static void write_head_of_path(struct json_object *object, const dcpn_path *path)
{
    const dcpn_result *any = path->count ? &path->points[0].fit : NULL;
    dcpn_json_text(object, "penalty", path->settings.penalty);
    dcpn_json_text(object, "varying", path->varying);
    dcpn_json_number(object, "value", path->varying ? path->value : (double)NAN);
    dcpn_json_number(object, "lambda_max", path->lambda_max);
    dcpn_json_text(object, "ended", end_name(path));
    dcpn_json_text(object, "algorithm", any ? any->algorithm : NULL);
    dcpn_json_text(object, "metric", any ? any->metric : NULL);
    dcpn_json_text(object, "subsolver", any ? any->subsolver : NULL);
}

static void write_path(struct text *text, const dcpn_paths *paths, int64_t v, int index_base,
                       const struct path_additions *additions)
{
    const dcpn_path *path = &paths->paths[v];
    struct json_object object = open_object(text, ", ");
    write_head_of_path(&object, path);
    if (additions && additions->of_path) additions->of_path(&object, additions->user, v);
    dcpn_json_member(&object, "points");
    dcpn_text_append(text, "[");
    for (int64_t k = 0; k < path->count; k++) {
        dcpn_text_append(text, k ? ",\n      " : "\n      ");
        struct json_object point = open_object(text, ", ");
        write_point(&point, paths, path, &path->points[k], index_base);
        if (additions && additions->of_point) additions->of_point(&point, additions->user, v, k);
        close_object(&point);
    }
    dcpn_text_append(text, "]");
    close_object(&object);
}

static void write_data(struct json_object *whole, const dcpn_paths *paths, const dcpn_provenance *provenance)
{
    struct json_object data = open_object(dcpn_json_member(whole, "data"), ", ");
    dcpn_json_text(&data, "file", provenance->file);
    dcpn_json_integer(&data, "n", paths->rows);
    dcpn_json_integer(&data, "p", paths->features);
    dcpn_json_integer(&data, "entries", paths->entries);
    dcpn_json_flag(&data, "dense", paths->is_dense);
    dcpn_json_number(&data, "weight", paths->weight);
    dcpn_json_number(&data, "positives", paths->positives);
    dcpn_json_number(&data, "null_deviance", paths->null_deviance);
    close_object(&data);
}

static void write_deviations(struct json_object *whole, const dcpn_paths *paths, int index_base)
{
    if (!paths->deviation) return;
    struct json_object object = open_object(dcpn_json_member(whole, "deviation"), ", ");
    dcpn_json_integers(&object, "index", paths->deviation_index, paths->deviation_count, index_base);
    dcpn_json_numbers(&object, "value", paths->deviation, paths->deviation_count);
    close_object(&object);
}

void dcpn_write_paths(struct json_object *whole, const char *format, const dcpn_paths *paths,
                      const dcpn_provenance *provenance, const struct path_additions *additions)
{
    dcpn_json_text(whole, "format", format);
    dcpn_json_integer(whole, "version", DCPN_PATH_VERSION);
    dcpn_json_text(whole, "dcpn", dcpn_version());
    dcpn_json_texts(whole, "command", provenance->command, provenance->words);
    struct json_object params = open_object(dcpn_json_member(whole, "params"), ", ");
    dcpn_write_settings(&params, &paths->settings);
    close_object(&params);
    dcpn_write_classes(whole, paths->has_classes, paths->classes, NULL);
    dcpn_json_texts(whole, "class_names", provenance->class_names, 2);
    if (provenance->label_name) dcpn_json_text(whole, "label", provenance->label_name);
    if (paths->has_offset) dcpn_json_flag(whole, "offset", 1);
    dcpn_json_integer(whole, "features", paths->features);
    dcpn_json_integer(whole, "index_base", provenance->index_base);
    dcpn_json_texts(whole, "feature_names", provenance->feature_names, paths->features);
    if (provenance->fill) dcpn_json_numbers(whole, "missing", provenance->fill, paths->features);
    write_data(whole, paths, provenance);
    write_deviations(whole, paths, provenance->index_base);
    struct text *text = dcpn_json_member(whole, "paths");
    dcpn_text_append(text, "[");
    for (int64_t v = 0; v < paths->count; v++) {
        dcpn_text_append(text, v ? ",\n    " : "\n    ");
        write_path(text, paths, v, provenance->index_base, additions);
    }
    dcpn_text_append(text, "]");
}

void dcpn_write_timing(struct json_object *whole, const dcpn_paths *paths, const dcpn_provenance *provenance,
                       double time_s)
{
    struct json_object timing = open_object(dcpn_json_member(whole, "timing"), ", ");
    dcpn_json_integer(&timing, "threads", paths->threads);
    dcpn_json_number(&timing, "read_s", provenance->read_s);
    dcpn_json_number(&timing, "time_s", time_s);
    struct text *text = dcpn_json_member(&timing, "points");
    dcpn_text_append(text, "[");
    for (int64_t v = 0; v < paths->count; v++) {
        dcpn_text_append(text, v ? ", [" : "[");
        for (int64_t k = 0; k < paths->paths[v].count; k++) {
            if (k) dcpn_text_append(text, ", ");
            dcpn_json_append_number(text, paths->paths[v].points[k].fit.time_s);
        }
        dcpn_text_append(text, "]");
    }
    dcpn_text_append(text, "]");
    close_object(&timing);
}

dcpn_status dcpn_paths_check_parts(const dcpn_paths *paths)
{
    if (!paths->has_own_loss && !paths->has_own_penalty) return DCPN_OK;
    return dcpn_fail(
        paths->context, DCPN_USAGE,
        "paths with a loss or penalty of your own cannot be written: the file could not say what it means; "
        "keep their coefficients (index, value_of, intercept) yourself");
}

dcpn_status dcpn_paths_json(const dcpn_paths *paths, const dcpn_provenance *provenance, char **json)
{
    const dcpn_provenance none = {.index_base = 1};
    DCPN_NEED(NULL, paths);
    DCPN_NEED(paths->context, json);
    struct text text = {.context = paths->context};
    struct json_object whole = {.text = &text, .separator = ",\n  "};
    *json = NULL;
    DCPN_TRY(dcpn_paths_check_parts(paths));
    if (!provenance) provenance = &none;
    dcpn_text_append(&text, "{\n  ");
    dcpn_write_paths(&whole, DCPN_PATH_FORMAT, paths, provenance, NULL);
    dcpn_write_timing(&whole, paths, provenance, paths->time_s);
    dcpn_text_append(&text, "\n}\n");
    dcpn_json_seal(&text);
    return dcpn_text_give(&text, json);
}

dcpn_status dcpn_paths_write(const dcpn_paths *paths, const dcpn_provenance *provenance, const char *path)
{
    char *json;
    DCPN_TRY(dcpn_paths_json(paths, provenance, &json));
    dcpn_status status = dcpn_write_text(paths->context, path, json, strlen(json));
    dcpn_free(paths->context, json);
    return status;
}
