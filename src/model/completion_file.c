/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "model/field_lists.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/parts_read.h"
#include "structured/completion.h"

enum { COMPLETION_VERSION = 1 };

static const struct number_field numbers[] = {
    {"offset", offsetof(dcpn_completion, offset), -HUGE_VAL, 0},
    {"lambda", offsetof(dcpn_completion, end.lambda), 0.0, 1},
    {"lambda_max", offsetof(dcpn_completion, end.lambda_max), 0.0, 1},
    {"loss_value", offsetof(dcpn_completion, end.loss_value), 0.0, 1},
    {"penalty_value", offsetof(dcpn_completion, end.penalty_value), 0.0, 1},
    {"sparse_value", offsetof(dcpn_completion, end.sparse_value), 0.0, 1},
    {"violation", offsetof(dcpn_completion, end.violation), 0.0, 1},
    {"goal", offsetof(dcpn_completion, end.goal), 0.0, 1},
    {"held_out_error", offsetof(dcpn_completion, end.held_out_error), 0.0, 1}};
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
    dcpn_write_number_fields(&json, numbers, NUMBERS, c);
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

static dcpn_status read_factors(const struct model_reader *reader, const json_t *root, dcpn_completion *c)
{
    const json_t *sigma, *sparse;
    int64_t numbers_of_U, numbers_of_V;
    DCPN_TRY(dcpn_field_count(reader, root, "rows", &c->rows));
    DCPN_TRY(dcpn_field_count(reader, root, "columns", &c->columns));
    if (c->rows < 1 || c->columns < 1)
        return dcpn_field_refuse(reader, "rows", "a number below 1", "sizes of at least 1");
    DCPN_TRY(dcpn_field_array(reader, root, "sigma", &sigma));
    c->rank = (int64_t)json_array_size(sigma);
    DCPN_TRY(dcpn_field_numbers(reader, root, "sigma", c->rank, &DCPN_WEIGHTS, &c->sigma));
    if (__builtin_mul_overflow(c->rows, c->rank, &numbers_of_U) ||
        __builtin_mul_overflow(c->columns, c->rank, &numbers_of_V))
        return dcpn_field_refuse(reader, "rows", "a number beyond all memory", "the size of a matrix");
    DCPN_TRY(dcpn_field_numbers(reader, root, "U", numbers_of_U, &DCPN_ANY_NUMBERS, &c->U));
    DCPN_TRY(dcpn_field_numbers(reader, root, "V", numbers_of_V, &DCPN_ANY_NUMBERS, &c->V));
    DCPN_TRY(dcpn_field_array(reader, root, "sparse_values", &sparse));
    c->sparse_count = (int64_t)json_array_size(sparse);
    const struct whole_rule rows = {0, c->rows - 1, "places of the matrix, from 0"};
    const struct whole_rule columns = {0, c->columns - 1, "places of the matrix, from 0"};
    DCPN_TRY(dcpn_field_numbers(reader, root, "sparse_values", c->sparse_count, &DCPN_ANY_NUMBERS, &c->sparse_value));
    DCPN_TRY(dcpn_field_wholes(reader, root, "sparse_rows", c->sparse_count, &rows, &c->sparse_row));
    return dcpn_field_wholes(reader, root, "sparse_columns", c->sparse_count, &columns, &c->sparse_column);
}

static const struct number_field of_trial[] = {{"lambda", offsetof(struct completion_trial, lambda), 0.0, 0},
                                               {"error", offsetof(struct completion_trial, error), 0.0, 0}};

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
        DCPN_TRY(dcpn_read_number_fields(reader, trial, of_trial, 2, &c->trials[k]));
        DCPN_TRY(dcpn_field_count(reader, trial, "rank", &c->trials[k].rank));
        c->trial_count = (int64_t)k + 1;
    }
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, void *made)
{
    dcpn_completion *c = made;
    DCPN_TRY(dcpn_check_format(reader, root, DCPN_COMPLETION_FORMAT,
                               "\"" DCPN_COMPLETION_FORMAT "\", a file of dcpn complete"));
    DCPN_TRY(dcpn_read_version(reader, root, COMPLETION_VERSION));
    DCPN_TRY(dcpn_field_penalty(reader, root, "penalty", &c->penalty));
    DCPN_TRY(dcpn_read_number_fields(reader, root, numbers, NUMBERS, c));
    DCPN_TRY(dcpn_field_count(reader, root, "iterations", &c->end.iterations));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(root, "outcome"), &c->end.outcome));
    DCPN_TRY(dcpn_field_count(reader, root, "index_base", &c->index_base));
    if (c->index_base > 1) return dcpn_field_refuse(reader, "index_base", "another number", "0 or 1");
    DCPN_TRY(read_factors(reader, root, c));
    DCPN_TRY(read_trials(reader, root, c));
    return dcpn_check_checksum(reader, root);
}

dcpn_status dcpn_completion_read(dcpn_context *context, const char *path, dcpn_completion **completion)
{
    DCPN_NEED(context, context, path, completion);
    *completion = NULL;
    dcpn_completion *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_completion){.context = context};
    dcpn_status status = dcpn_read_tree(context, path, read_all, made);
    if (status == DCPN_OK)
        *completion = made;
    else
        dcpn_completion_free(made);
    return status;
}
