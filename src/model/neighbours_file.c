/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of single fits as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "dcpn/neighbours.h"
#include "model/field_lists.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/parts_read.h"
#include "selection/neighbours_parts.h"

enum { NEIGHBOURS_VERSION = 1 };

/* The numbers of a fit that stand in the file by a name of their own. */
static const struct number_field numbers[] = {
    {"lambda", offsetof(dcpn_neighbour_fit, lambda), 0.0, 1},
    {"ebic", offsetof(dcpn_neighbour_fit, ebic), -HUGE_VAL, 1},
    {"intercept", offsetof(dcpn_neighbour_fit, intercept), -HUGE_VAL, 0},
    {"low", offsetof(dcpn_neighbour_fit, low), -HUGE_VAL, 0},
    {"high", offsetof(dcpn_neighbour_fit, high), -HUGE_VAL, 0},
    {"mean", offsetof(dcpn_neighbour_fit, mean), -HUGE_VAL, 0},
    {"objective", offsetof(dcpn_neighbour_fit, fit.objective), -HUGE_VAL, 1},
    {"stationarity", offsetof(dcpn_neighbour_fit, fit.stationarity), 0.0, 1},
    {"stationarity_goal", offsetof(dcpn_neighbour_fit, fit.stationarity_goal), 0.0, 1}};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* ---- writing ---- */

static void write_fit(struct json_writer *json, const dcpn_neighbours *n, const dcpn_neighbour_fit *fit)
{
    dcpn_json_open(json, ",\n      ");
    dcpn_json_text(json, "loss", fit->loss);
    dcpn_write_number_fields(json, numbers, NUMBERS, fit);
    dcpn_json_text(json, "outcome", dcpn_outcome_name(fit->fit.outcome));
    dcpn_json_integers(json, "index", n->index + fit->first, fit->fit.nonzeros, 0);
    dcpn_json_numbers(json, "value", n->value + fit->first, fit->fit.nonzeros);
    dcpn_json_close(json);
}

dcpn_status dcpn_neighbours_write(const dcpn_neighbours *n, const char *path)
{
    DCPN_NEED(NULL, n);
    DCPN_NEED(n->context, path);
    struct json_writer json = dcpn_json_writer(n->context);
    dcpn_json_open(&json, ",\n  ");
    dcpn_json_text(&json, "format", DCPN_NEIGHBOURS_FORMAT);
    dcpn_json_integer(&json, "version", NEIGHBOURS_VERSION);
    dcpn_json_text(&json, "dcpn", dcpn_version());
    dcpn_json_text(&json, "penalty", n->penalty);
    dcpn_json_text(&json, "rule", n->rule == DCPN_NEIGHBOURS_OR ? "or" : "and");
    dcpn_json_integer(&json, "variables", n->variables);
    dcpn_json_texts(&json, "names", (const char *const *)n->names, n->names ? n->variables : 0);
    dcpn_json_list(&json, "fits", n->variables, ",\n    ");
    for (int64_t i = 0; i < n->variables; i++) write_fit(&json, n, &n->fits[i]);
    dcpn_json_close(&json);
    dcpn_json_seal(&json);
    return dcpn_write_json(&json, path);
}

/* ---- reading ---- */

static dcpn_status read_coefficients(const struct model_reader *reader, const json_t *object, int64_t variable,
                                     dcpn_neighbours *n)
{
    const json_t *index = json_object_get(object, "index"), *value = json_object_get(object, "value");
    dcpn_neighbour_fit *fit = &n->fits[variable];
    for (int64_t k = 0; k < fit->fit.nonzeros; k++) {
        const json_t *other = json_array_get(index, (size_t)k), *number = json_array_get(value, (size_t)k);
        int64_t least = k > 0 ? n->index[fit->first + k - 1] + 1 : 0;
        if (!json_is_integer(other) || json_integer_value(other) < least || json_integer_value(other) >= n->variables ||
            json_integer_value(other) == variable)
            return dcpn_field_refuse(reader, "index", "another value", "ascending numbers of other variables, from 0");
        if (!json_is_number(number)) return dcpn_field_refuse(reader, "value", dcpn_field_describe(number), "numbers");
        n->index[fit->first + k] = json_integer_value(other);
        n->value[fit->first + k] = json_number_value(number);
    }
    return DCPN_OK;
}

static dcpn_status read_fit(const struct model_reader *reader, const json_t *object, dcpn_neighbour_fit *fit)
{
    const char *loss;
    const json_t *index, *value;
    if (!json_is_object(object)) return dcpn_field_refuse(reader, "fits", dcpn_field_describe(object), "objects");
    DCPN_TRY(dcpn_field_text(reader, object, "loss", &loss));
    if (strcmp(loss, "logistic") != 0 && strcmp(loss, "squared") != 0)
        return dcpn_field_refuse(reader, "loss", "another text", "logistic or squared");
    fit->loss = strcmp(loss, "logistic") == 0 ? "logistic" : "squared";
    DCPN_TRY(dcpn_read_number_fields(reader, object, numbers, NUMBERS, fit));
    if (!(fit->low <= fit->mean && fit->mean <= fit->high))
        return dcpn_field_refuse(reader, "mean", "another number", "one between low and high");
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(object, "outcome"), &fit->fit.outcome));
    DCPN_TRY(dcpn_field_array(reader, object, "index", &index));
    DCPN_TRY(dcpn_field_array(reader, object, "value", &value));
    if (json_array_size(index) != json_array_size(value))
        return dcpn_field_refuse(reader, "value", "another length", "that of index");
    fit->fit.nonzeros = (int64_t)json_array_size(index);
    return DCPN_OK;
}

static dcpn_status read_fits(struct model_reader *reader, const json_t *root, dcpn_neighbours *n)
{
    const json_t *list;
    int64_t total = 0;
    DCPN_TRY(dcpn_field_array(reader, root, "fits", &list));
    if ((int64_t)json_array_size(list) != n->variables)
        return dcpn_field_refuse(reader, "fits", "another length", "one for each variable");
    n->fits = dcpn_allocate(reader->context, (size_t)n->variables, sizeof *n->fits);
    if (!n->fits) return DCPN_MEMORY;
    memset(n->fits, 0, (size_t)n->variables * sizeof *n->fits);
    reader->group = "fits.";
    for (int64_t i = 0; i < n->variables; i++) {
        DCPN_TRY(read_fit(reader, json_array_get(list, (size_t)i), &n->fits[i]));
        n->fits[i].first = total;
        total += n->fits[i].fit.nonzeros;
    }
    n->index = dcpn_allocate(reader->context, (size_t)total + 1, sizeof *n->index);
    n->value = dcpn_allocate(reader->context, (size_t)total + 1, sizeof *n->value);
    if (!n->index || !n->value) return DCPN_MEMORY;
    for (int64_t i = 0; i < n->variables; i++)
        DCPN_TRY(read_coefficients(reader, json_array_get(list, (size_t)i), i, n));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_names(const struct model_reader *reader, const json_t *root, dcpn_neighbours *n)
{
    const char **names;
    dcpn_status status = dcpn_field_names(reader, root, n->variables, &names);
    if (status == DCPN_OK && names) status = dcpn_neighbours_set_names(n, names);
    dcpn_free(reader->context, names);
    return status;
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, void *made)
{
    dcpn_neighbours *n = made;
    const char *text;
    DCPN_TRY(dcpn_check_format(reader, root, DCPN_NEIGHBOURS_FORMAT,
                               "\"" DCPN_NEIGHBOURS_FORMAT "\", a file of dcpn graph --model ising or mixed"));
    DCPN_TRY(dcpn_read_version(reader, root, NEIGHBOURS_VERSION));
    DCPN_TRY(dcpn_field_penalty(reader, root, "penalty", &n->penalty));
    DCPN_TRY(dcpn_field_text(reader, root, "rule", &text));
    if (strcmp(text, "and") != 0 && strcmp(text, "or") != 0)
        return dcpn_field_refuse(reader, "rule", "another text", "and, or");
    n->rule = strcmp(text, "or") == 0 ? DCPN_NEIGHBOURS_OR : DCPN_NEIGHBOURS_AND;
    DCPN_TRY(dcpn_field_count(reader, root, "variables", &n->variables));
    if (n->variables < 2) return dcpn_field_refuse(reader, "variables", "less than 2", "at least 2");
    DCPN_TRY(read_fits(reader, root, n));
    DCPN_TRY(read_names(reader, root, n));
    DCPN_TRY(dcpn_neighbours_join(n));
    return dcpn_check_checksum(reader, root);
}

dcpn_status dcpn_neighbours_read(dcpn_context *context, const char *path, dcpn_neighbours **neighbours)
{
    DCPN_NEED(context, context, path, neighbours);
    *neighbours = NULL;
    dcpn_neighbours *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_neighbours){.context = context};
    dcpn_status status = dcpn_read_tree(context, path, read_all, made);
    if (status == DCPN_OK)
        *neighbours = made;
    else
        dcpn_neighbours_free(made);
    return status;
}
