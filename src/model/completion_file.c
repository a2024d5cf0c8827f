/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "data/content.h"
#include "model/model_fields.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/parts_read.h"
#include "settings/registry.h"
#include "structured/completion.h"

enum { COMPLETION_VERSION = 1 };

static const struct {
    const char *key;
    size_t offset;
} numbers[] = {{"offset", offsetof(dcpn_completion, offset)},
               {"lambda", offsetof(dcpn_completion, end.lambda)},
               {"lambda_max", offsetof(dcpn_completion, end.lambda_max)},
               {"loss_value", offsetof(dcpn_completion, end.loss_value)},
               {"penalty_value", offsetof(dcpn_completion, end.penalty_value)},
               {"sparse_value", offsetof(dcpn_completion, end.sparse_value)},
               {"violation", offsetof(dcpn_completion, end.violation)},
               {"goal", offsetof(dcpn_completion, end.goal)},
               {"held_out_error", offsetof(dcpn_completion, end.held_out_error)}};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* ---- writing ---- */

static void write_trials(struct json_writer *json, const dcpn_completion *c)
{
    dcpn_json_list(json, "trials", c->trial_count, ",\n    ");
    for (int64_t k = 0; k < c->trial_count; k++) {
        dcpn_json_open(json, ", ");
        dcpn_json_number(json, "lambda", c->trials[k].lambda);
        dcpn_json_number(json, "error", c->trials[k].error);
        dcpn_json_integer(json, "rank", c->trials[k].rank);
        dcpn_json_close(json);
    }
    dcpn_json_close(json);
}

dcpn_status dcpn_completion_write(const dcpn_completion *c, const char *path)
{
    DCPN_NEED(NULL, c);
    DCPN_NEED(c->context, path);
    struct json_writer json = dcpn_json_writer(c->context);
    dcpn_json_open(&json, ",\n  ");
    dcpn_json_text(&json, "format", DCPN_COMPLETION_FORMAT);
    dcpn_json_integer(&json, "version", COMPLETION_VERSION);
    dcpn_json_text(&json, "dcpn", dcpn_version());
    dcpn_json_text(&json, "penalty", c->penalty);
    for (int k = 0; k < NUMBERS; k++)
        dcpn_json_number(&json, numbers[k].key, *(const double *)((const char *)c + numbers[k].offset));
    dcpn_json_integer(&json, "iterations", c->end.iterations);
    dcpn_json_text(&json, "outcome", dcpn_outcome_name(c->end.outcome));
    dcpn_json_integer(&json, "index_base", c->index_base);
    dcpn_json_integer(&json, "rows", c->rows);
    dcpn_json_integer(&json, "columns", c->columns);
    dcpn_json_numbers(&json, "sigma", c->sigma, c->rank);
    dcpn_json_numbers(&json, "U", c->U, c->rows * c->rank);
    dcpn_json_numbers(&json, "V", c->V, c->columns * c->rank);
    dcpn_json_integers(&json, "sparse_rows", c->sparse_row, c->sparse_count, 0);
    dcpn_json_integers(&json, "sparse_columns", c->sparse_column, c->sparse_count, 0);
    dcpn_json_numbers(&json, "sparse_values", c->sparse_value, c->sparse_count);
    write_trials(&json, c);
    dcpn_json_seal(&json);
    return dcpn_write_json(&json, path);
}

/* ---- reading ---- */

static dcpn_status read_list(const struct model_reader *reader, const json_t *root, const char *key, int64_t expected,
                             int64_t *count, double **list)
{
    const json_t *array;
    DCPN_TRY(dcpn_field_array(reader, root, key, &array));
    *count = (int64_t)json_array_size(array);
    if (expected >= 0 && *count != expected)
        return dcpn_field_refuse(reader, key, "another length", "what the sizes say");
    *list = dcpn_allocate(reader->context, (size_t)*count, sizeof **list);
    if (!*list) return DCPN_MEMORY;
    for (int64_t k = 0; k < *count; k++) {
        const json_t *number = json_array_get(array, (size_t)k);
        if (!json_is_number(number)) return dcpn_field_refuse(reader, key, dcpn_field_describe(number), "numbers");
        (*list)[k] = json_number_value(number);
    }
    return DCPN_OK;
}

static dcpn_status read_places(const struct model_reader *reader, const json_t *root, const char *key, int64_t count,
                               int64_t below, int64_t **places)
{
    const json_t *array;
    DCPN_TRY(dcpn_field_array(reader, root, key, &array));
    if ((int64_t)json_array_size(array) != count)
        return dcpn_field_refuse(reader, key, "another length", "that of sparse_values");
    *places = dcpn_allocate(reader->context, (size_t)count, sizeof **places);
    if (!*places) return DCPN_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        const json_t *place = json_array_get(array, (size_t)k);
        if (!json_is_integer(place) || json_integer_value(place) < 0 || json_integer_value(place) >= below)
            return dcpn_field_refuse(reader, key, "another value", "places of the matrix, from 0");
        (*places)[k] = json_integer_value(place);
    }
    return DCPN_OK;
}

static dcpn_status read_factors(const struct model_reader *reader, const json_t *root, dcpn_completion *c)
{
    int64_t count, numbers_of_U, numbers_of_V;
    DCPN_TRY(dcpn_field_count(reader, root, "rows", &c->rows));
    DCPN_TRY(dcpn_field_count(reader, root, "columns", &c->columns));
    if (c->rows < 1 || c->columns < 1)
        return dcpn_field_refuse(reader, "rows", "a number below 1", "sizes of at least 1");
    DCPN_TRY(read_list(reader, root, "sigma", -1, &c->rank, &c->sigma));
    if (__builtin_mul_overflow(c->rows, c->rank, &numbers_of_U) ||
        __builtin_mul_overflow(c->columns, c->rank, &numbers_of_V))
        return dcpn_field_refuse(reader, "rows", "a number beyond all memory", "the size of a matrix");
    DCPN_TRY(read_list(reader, root, "U", numbers_of_U, &count, &c->U));
    DCPN_TRY(read_list(reader, root, "V", numbers_of_V, &count, &c->V));
    DCPN_TRY(read_list(reader, root, "sparse_values", -1, &c->sparse_count, &c->sparse_value));
    DCPN_TRY(read_places(reader, root, "sparse_rows", c->sparse_count, c->rows, &c->sparse_row));
    return read_places(reader, root, "sparse_columns", c->sparse_count, c->columns, &c->sparse_column);
}

static dcpn_status read_trials(struct model_reader *reader, const json_t *root, dcpn_completion *c)
{
    const json_t *list;
    DCPN_TRY(dcpn_field_array(reader, root, "trials", &list));
    size_t count = json_array_size(list);
    c->trials = dcpn_allocate(reader->context, count, sizeof *c->trials);
    if (!c->trials) return DCPN_MEMORY;
    reader->group = "trials.";
    for (size_t k = 0; k < count; k++) {
        const json_t *trial = json_array_get(list, k);
        DCPN_TRY(dcpn_field_number(reader, trial, "lambda", &c->trials[k].lambda));
        DCPN_TRY(dcpn_field_number(reader, trial, "error", &c->trials[k].error));
        DCPN_TRY(dcpn_field_count(reader, trial, "rank", &c->trials[k].rank));
        c->trial_count = (int64_t)k + 1;
    }
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, dcpn_completion *c)
{
    const char *format, *penalty;
    if (!json_is_object(root)) return dcpn_field_refuse(reader, "(whole file)", dcpn_field_describe(root), "an object");
    DCPN_TRY(dcpn_field_text(reader, root, "format", &format));
    if (strcmp(format, DCPN_COMPLETION_FORMAT) != 0)
        return dcpn_field_refuse(reader, "format", "another text",
                                 "\"" DCPN_COMPLETION_FORMAT "\", a file of dcpn complete");
    DCPN_TRY(dcpn_read_version(reader, root, COMPLETION_VERSION));
    DCPN_TRY(dcpn_field_text(reader, root, "penalty", &penalty));
    if (!dcpn_find_penalty(penalty))
        return dcpn_field_refuse(reader, "penalty", "another text", "the name of a penalty");
    c->penalty = dcpn_find_penalty(penalty)->name;
    for (int k = 0; k < NUMBERS; k++)
        DCPN_TRY(dcpn_field_result(reader, root, numbers[k].key, (double *)((char *)c + numbers[k].offset)));
    if (!isfinite(c->offset)) return dcpn_field_refuse(reader, "offset", "null", "a number");
    DCPN_TRY(dcpn_field_count(reader, root, "iterations", &c->end.iterations));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(root, "outcome"), &c->end.outcome));
    DCPN_TRY(dcpn_field_count(reader, root, "index_base", &c->index_base));
    if (c->index_base > 1) return dcpn_field_refuse(reader, "index_base", "another number", "0 or 1");
    DCPN_TRY(read_factors(reader, root, c));
    DCPN_TRY(read_trials(reader, root, c));
    return dcpn_check_checksum(reader, root);
}

static dcpn_status parse(dcpn_context *context, const struct content *content, dcpn_completion *c)
{
    struct model_reader reader = {.context = context, .name = content->name, .group = ""};
    json_t *root;
    DCPN_TRY(dcpn_json_parse(context, content->name, content->bytes ? content->bytes : "", content->size, &root));
    dcpn_status status = read_all(&reader, root, c);
    json_decref(root);
    return status;
}

dcpn_status dcpn_completion_read(dcpn_context *context, const char *path, dcpn_completion **completion)
{
    struct content content;
    DCPN_NEED(context, context, path, completion);
    *completion = NULL;
    dcpn_completion *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_completion){.context = context};
    dcpn_status status = dcpn_content_open(context, path, &content);
    if (status == DCPN_OK) {
        status = parse(context, &content, made);
        dcpn_content_close(&content);
    }
    if (status == DCPN_OK)
        *completion = made;
    else
        dcpn_completion_free(made);
    return status;
}
