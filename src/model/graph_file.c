/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"
#include "model/field_lists.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/parts_read.h"
#include "structured/graphs.h"

enum { GRAPH_VERSION = 1 };

/* The numbers of all and of a point; null is what is not known. */
static const struct number_field of_all[] = {
    {"theta", offsetof(dcpn_graphs, theta), DBL_TRUE_MIN, 1}, {"a", offsetof(dcpn_graphs, a), DBL_TRUE_MIN, 1},
    {"gamma", offsetof(dcpn_graphs, gamma), DBL_TRUE_MIN, 1}, {"p", offsetof(dcpn_graphs, p), DBL_TRUE_MIN, 1},
    {"eps", offsetof(dcpn_graphs, eps), DBL_TRUE_MIN, 1},     {"rows", offsetof(dcpn_graphs, rows), 0.0, 1},
    {"ridge", offsetof(dcpn_graphs, ridge), 0.0, 1}};
static const struct number_field of_point[] = {{"lambda", offsetof(struct graph_point, lambda), 0.0, 1},
                                               {"likelihood", offsetof(struct graph_point, likelihood), -HUGE_VAL, 1},
                                               {"ridge_value", offsetof(struct graph_point, ridge_value), 0.0, 1},
                                               {"penalty_value", offsetof(struct graph_point, penalty_value), 0.0, 1},
                                               {"violation", offsetof(struct graph_point, violation), 0.0, 1},
                                               {"goal", offsetof(struct graph_point, goal), 0.0, 1},
                                               {"ebic", offsetof(struct graph_point, ebic), -HUGE_VAL, 1},
                                               {"cv_mean", offsetof(struct graph_point, cv_mean), -HUGE_VAL, 1},
                                               {"cv_se", offsetof(struct graph_point, cv_se), 0.0, 1}};
#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

/* ---- writing ---- */

static void write_point(struct json_writer *json, const dcpn_graphs *g, const struct graph_point *x)
{
    dcpn_json_open(json, ",\n      ");
    dcpn_write_number_fields(json, of_point, COUNT_OF(of_point), x);
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
    dcpn_write_number_fields(&json, of_all, COUNT_OF(of_all), g);
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
    DCPN_TRY(dcpn_read_number_fields(reader, object, of_point, COUNT_OF(of_point), x));
    DCPN_TRY(dcpn_field_count(reader, object, "components", &x->components));
    DCPN_TRY(dcpn_field_count(reader, object, "iterations", &x->iterations));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(object, "outcome"), &x->outcome));
    DCPN_TRY(dcpn_field_array(reader, object, "value", &value));
    x->edges = (int64_t)json_array_size(value);
    const struct whole_rule ends = {0, variables - 1, "numbers of variables, from 0"};
    DCPN_TRY(dcpn_field_wholes(reader, object, "first", x->edges, &ends, &x->first));
    DCPN_TRY(dcpn_field_wholes(reader, object, "second", x->edges, &ends, &x->second));
    DCPN_TRY(check_edges(reader, x));
    DCPN_TRY(dcpn_field_numbers(reader, object, "value", x->edges, &DCPN_ANY_NUMBERS, &x->value));
    return dcpn_field_numbers(reader, object, "diagonal", variables, &DCPN_POSITIVE, &x->diagonal);
}

/* Entries are finite in the units of the data, too. */
static dcpn_status check_scales(const struct model_reader *reader, const dcpn_graphs *g)
{
    double least = HUGE_VAL, largest = 0.0;
    for (int64_t i = 0; i < g->variables; i++) least = fmin(least, g->scale[i]);
    for (int64_t k = 0; k < g->count; k++) {
        for (int64_t i = 0; i < g->variables; i++) largest = fmax(largest, g->points[k].diagonal[i]);
        for (int64_t e = 0; e < g->points[k].edges; e++) largest = fmax(largest, fabs(g->points[k].value[e]));
    }
    if (isfinite(largest / least / least)) return DCPN_OK;
    return dcpn_field_refuse(reader, "scale", "a number that is too small", "deviations of the variables");
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
    DCPN_TRY(check_scales(reader, g));
    DCPN_TRY(dcpn_field_count(reader, root, "chosen", &g->chosen));
    if (g->chosen < 0 || g->chosen >= g->count)
        return dcpn_field_refuse(reader, "chosen", "another number", "that of a point");
    if (!json_object_get(root, "stability")) return DCPN_OK;
    return dcpn_field_numbers(reader, root, "stability", g->points[g->chosen].edges, &DCPN_SHARES, &g->stability);
}

static dcpn_status read_names(const struct model_reader *reader, const json_t *root, dcpn_graphs *g)
{
    const char **names;
    dcpn_status status = dcpn_field_names(reader, root, g->variables, &names);
    if (status == DCPN_OK && names) status = dcpn_graphs_set_names(g, names);
    dcpn_free(reader->context, names);
    return status;
}

static dcpn_status read_variables(const struct model_reader *reader, const json_t *root, dcpn_graphs *g)
{
    DCPN_TRY(dcpn_field_count(reader, root, "variables", &g->variables));
    if (g->variables < 2) return dcpn_field_refuse(reader, "variables", "less than 2", "at least 2");
    DCPN_TRY(dcpn_field_numbers(reader, root, "mean", g->variables, &DCPN_ANY_NUMBERS, &g->mean));
    DCPN_TRY(dcpn_field_numbers(reader, root, "scale", g->variables, &DCPN_POSITIVE, &g->scale));
    return read_names(reader, root, g);
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, void *made)
{
    dcpn_graphs *g = made;
    DCPN_TRY(dcpn_check_format(reader, root, DCPN_GRAPH_FORMAT, "\"" DCPN_GRAPH_FORMAT "\", a file of dcpn graph"));
    DCPN_TRY(dcpn_read_version(reader, root, GRAPH_VERSION));
    DCPN_TRY(dcpn_field_penalty(reader, root, "penalty", &g->penalty));
    DCPN_TRY(dcpn_read_number_fields(reader, root, of_all, COUNT_OF(of_all), g));
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
