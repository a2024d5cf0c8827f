/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "model/model_fields.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/parts_read.h"
#include "settings/registry.h"
#include "structured/graphs.h"

enum { GRAPH_VERSION = 1 };

/* The numbers that stand in the file by a name of their own, of all and of a point; null is what is not known. */
struct field {
    const char *key;
    size_t offset;
    double low; /* the least that can be */
};
static const struct field of_all[] = {
    {"theta", offsetof(dcpn_graphs, theta), 0.0}, {"a", offsetof(dcpn_graphs, a), 0.0},
    {"gamma", offsetof(dcpn_graphs, gamma), 0.0}, {"p", offsetof(dcpn_graphs, p), 0.0},
    {"eps", offsetof(dcpn_graphs, eps), 0.0},     {"rows", offsetof(dcpn_graphs, rows), 0.0},
    {"ridge", offsetof(dcpn_graphs, ridge), 0.0}};
static const struct field of_point[] = {{"lambda", offsetof(struct graph_point, lambda), 0.0},
                                        {"likelihood", offsetof(struct graph_point, likelihood), -HUGE_VAL},
                                        {"ridge_value", offsetof(struct graph_point, ridge_value), 0.0},
                                        {"penalty_value", offsetof(struct graph_point, penalty_value), 0.0},
                                        {"violation", offsetof(struct graph_point, violation), 0.0},
                                        {"goal", offsetof(struct graph_point, goal), 0.0},
                                        {"ebic", offsetof(struct graph_point, ebic), -HUGE_VAL},
                                        {"cv_mean", offsetof(struct graph_point, cv_mean), -HUGE_VAL},
                                        {"cv_se", offsetof(struct graph_point, cv_se), 0.0}};
#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

/* ---- writing ---- */

static void write_fields(struct json_writer *json, const struct field *fields, size_t count, const void *from)
{
    for (size_t k = 0; k < count; k++)
        dcpn_json_number(json, fields[k].key, *(const double *)((const char *)from + fields[k].offset));
}

static void write_point(struct json_writer *json, const dcpn_graphs *g, const struct graph_point *x)
{
    dcpn_json_open(json, ",\n      ");
    write_fields(json, of_point, COUNT_OF(of_point), x);
    dcpn_json_integer(json, "components", x->components);
    dcpn_json_integer(json, "iterations", x->iterations);
    dcpn_json_text(json, "outcome", dcpn_outcome_name(x->outcome));
    dcpn_json_integers(json, "first", x->first, x->edges, 0);
    dcpn_json_integers(json, "second", x->second, x->edges, 0);
    dcpn_json_numbers(json, "value", x->value, x->edges);
    dcpn_json_numbers(json, "diagonal", x->diagonal, g->variables);
    dcpn_json_close(json);
}

dcpn_status dcpn_graphs_write(const dcpn_graphs *g, const char *path)
{
    DCPN_NEED(NULL, g);
    DCPN_NEED(g->context, path);
    struct json_writer json = dcpn_json_writer(g->context);
    dcpn_json_open(&json, ",\n  ");
    dcpn_json_text(&json, "format", DCPN_GRAPH_FORMAT);
    dcpn_json_integer(&json, "version", GRAPH_VERSION);
    dcpn_json_text(&json, "dcpn", dcpn_version());
    dcpn_json_text(&json, "penalty", g->penalty);
    write_fields(&json, of_all, COUNT_OF(of_all), g);
    dcpn_json_flag(&json, "standardized", g->is_standardized);
    dcpn_json_flag(&json, "is_complete", g->is_complete);
    dcpn_json_integer(&json, "variables", g->variables);
    dcpn_json_texts(&json, "names", (const char *const *)g->names, g->names ? g->variables : 0);
    dcpn_json_numbers(&json, "mean", g->mean, g->variables);
    dcpn_json_numbers(&json, "scale", g->scale, g->variables);
    dcpn_json_integer(&json, "chosen", g->chosen);
    if (g->stability) dcpn_json_numbers(&json, "stability", g->stability, g->points[g->chosen].edges);
    dcpn_json_list(&json, "points", g->count, ",\n    ");
    for (int64_t k = 0; k < g->count; k++) write_point(&json, g, &g->points[k]);
    dcpn_json_close(&json);
    dcpn_json_seal(&json);
    return dcpn_write_json(&json, path);
}

/* ---- reading ---- */

static dcpn_status read_fields(const struct model_reader *reader, const json_t *object, const struct field *fields,
                               size_t count, void *to)
{
    for (size_t k = 0; k < count; k++) {
        double *number = (double *)((char *)to + fields[k].offset);
        DCPN_TRY(dcpn_field_result(reader, object, fields[k].key, number));
        if (*number < fields[k].low)
            return dcpn_field_refuse(reader, fields[k].key, "a negative number", "one of at least 0");
    }
    return DCPN_OK;
}

/* A list of so many numbers, in memory of its own. */
static dcpn_status read_numbers(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                                double **numbers)
{
    const json_t *list;
    DCPN_TRY(dcpn_field_array(reader, object, key, &list));
    if ((int64_t)json_array_size(list) != count)
        return dcpn_field_refuse(reader, key, "another length", "one number each");
    *numbers = dcpn_allocate(reader->context, (size_t)count, sizeof **numbers);
    if (!*numbers) return DCPN_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const json_t *number = json_array_get(list, (size_t)k);
        if (!json_is_number(number)) return dcpn_field_refuse(reader, key, dcpn_field_describe(number), "numbers");
        (*numbers)[k] = json_number_value(number);
    }
    return DCPN_OK;
}

static dcpn_status read_ends(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                             int64_t variables, int64_t **ends)
{
    const json_t *list;
    DCPN_TRY(dcpn_field_array(reader, object, key, &list));
    if ((int64_t)json_array_size(list) != count)
        return dcpn_field_refuse(reader, key, "another length", "one for each edge");
    *ends = dcpn_allocate(reader->context, (size_t)count, sizeof **ends);
    if (!*ends) return DCPN_MEMORY;
    for (int64_t e = 0; e < count; e++) {
        const json_t *end = json_array_get(list, (size_t)e);
        if (!json_is_integer(end) || json_integer_value(end) < 0 || json_integer_value(end) >= variables)
            return dcpn_field_refuse(reader, key, "another value", "numbers of variables, from 0");
        (*ends)[e] = json_integer_value(end);
    }
    return DCPN_OK;
}

/* Edges ascend, and their ends differ. */
static dcpn_status check_edges(const struct model_reader *reader, const struct graph_point *x)
{
    for (int64_t e = 0; e < x->edges; e++) {
        int is_later = e == 0 || x->first[e] > x->first[e - 1] ||
                       (x->first[e] == x->first[e - 1] && x->second[e] > x->second[e - 1]);
        if (x->first[e] >= x->second[e] || !is_later)
            return dcpn_field_refuse(reader, "second", "another order",
                                     "edges by first, then by second, with first < second");
    }
    return DCPN_OK;
}

static dcpn_status read_point(const struct model_reader *reader, const json_t *object, int64_t variables,
                              struct graph_point *x)
{
    const json_t *value;
    if (!json_is_object(object)) return dcpn_field_refuse(reader, "points", dcpn_field_describe(object), "objects");
    DCPN_TRY(read_fields(reader, object, of_point, COUNT_OF(of_point), x));
    DCPN_TRY(dcpn_field_count(reader, object, "components", &x->components));
    DCPN_TRY(dcpn_field_count(reader, object, "iterations", &x->iterations));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(object, "outcome"), &x->outcome));
    DCPN_TRY(dcpn_field_array(reader, object, "value", &value));
    x->edges = (int64_t)json_array_size(value);
    DCPN_TRY(read_ends(reader, object, "first", x->edges, variables, &x->first));
    DCPN_TRY(read_ends(reader, object, "second", x->edges, variables, &x->second));
    DCPN_TRY(check_edges(reader, x));
    DCPN_TRY(read_numbers(reader, object, "value", x->edges, &x->value));
    DCPN_TRY(read_numbers(reader, object, "diagonal", variables, &x->diagonal));
    for (int64_t i = 0; i < variables; i++)
        if (!(x->diagonal[i] > 0.0))
            return dcpn_field_refuse(reader, "diagonal", "a number of at most 0", "positive numbers");
    return DCPN_OK;
}

static dcpn_status read_points(struct model_reader *reader, const json_t *root, dcpn_graphs *g)
{
    const json_t *list;
    DCPN_TRY(dcpn_field_array(reader, root, "points", &list));
    size_t count = json_array_size(list);
    if (count == 0) return dcpn_field_refuse(reader, "points", "none", "a list of one or more");
    g->points = dcpn_allocate(reader->context, count, sizeof *g->points);
    if (!g->points) return DCPN_MEMORY;
    memset(g->points, 0, count * sizeof *g->points);
    g->count = (int64_t)count;
    reader->group = "points.";
    for (size_t k = 0; k < count; k++)
        DCPN_TRY(read_point(reader, json_array_get(list, k), g->variables, &g->points[k]));
    reader->group = "";
    DCPN_TRY(dcpn_field_count(reader, root, "chosen", &g->chosen));
    if (g->chosen < 0 || g->chosen >= g->count)
        return dcpn_field_refuse(reader, "chosen", "another number", "that of a point");
    if (!json_object_get(root, "stability")) return DCPN_OK;
    return read_numbers(reader, root, "stability", g->points[g->chosen].edges, &g->stability);
}

static dcpn_status read_names(const struct model_reader *reader, const json_t *root, dcpn_graphs *g)
{
    const char **names;
    int64_t count;
    dcpn_status status = dcpn_read_texts(reader, root, "names", &names, &count);
    if (status == DCPN_OK && names && count != g->variables)
        status = dcpn_field_refuse(reader, "names", "another length", "one for each variable");
    if (status == DCPN_OK && names) status = dcpn_graphs_set_names(g, names);
    dcpn_free(reader->context, names);
    return status;
}

static dcpn_status read_variables(const struct model_reader *reader, const json_t *root, dcpn_graphs *g)
{
    DCPN_TRY(dcpn_field_count(reader, root, "variables", &g->variables));
    if (g->variables < 2) return dcpn_field_refuse(reader, "variables", "less than 2", "at least 2");
    DCPN_TRY(read_numbers(reader, root, "mean", g->variables, &g->mean));
    DCPN_TRY(read_numbers(reader, root, "scale", g->variables, &g->scale));
    for (int64_t i = 0; i < g->variables; i++)
        if (!(g->scale[i] > 0.0))
            return dcpn_field_refuse(reader, "scale", "a number of at most 0", "positive numbers");
    return read_names(reader, root, g);
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, void *made)
{
    dcpn_graphs *g = made;
    const char *penalty;
    DCPN_TRY(dcpn_check_format(reader, root, DCPN_GRAPH_FORMAT, "\"" DCPN_GRAPH_FORMAT "\", a file of dcpn graph"));
    DCPN_TRY(dcpn_read_version(reader, root, GRAPH_VERSION));
    DCPN_TRY(dcpn_field_text(reader, root, "penalty", &penalty));
    if (!dcpn_find_penalty(penalty))
        return dcpn_field_refuse(reader, "penalty", "another text", "the name of a penalty");
    g->penalty = dcpn_find_penalty(penalty)->name;
    DCPN_TRY(read_fields(reader, root, of_all, COUNT_OF(of_all), g));
    DCPN_TRY(dcpn_field_flag(reader, root, "standardized", &g->is_standardized));
    DCPN_TRY(dcpn_field_flag(reader, root, "is_complete", &g->is_complete));
    DCPN_TRY(read_variables(reader, root, g));
    DCPN_TRY(read_points(reader, root, g));
    return dcpn_check_checksum(reader, root);
}

dcpn_status dcpn_graphs_read(dcpn_context *context, const char *path, dcpn_graphs **graphs)
{
    DCPN_NEED(context, context, path, graphs);
    *graphs = NULL;
    dcpn_graphs *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_graphs){.context = context};
    dcpn_status status = dcpn_read_tree(context, path, read_all, made);
    if (status == DCPN_OK)
        *graphs = made;
    else
        dcpn_graphs_free(made);
    return status;
}
