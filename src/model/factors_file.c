/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors as a file, and back: JSON with a checksum, as all results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "dcpn/factor.h"
#include "model/model_file.h"
#include "model/field_lists.h"
#include "model/model_json.h"
#include "model/parts_read.h"

enum { FACTORS_VERSION = 1 };

/* The numbers that stand in the file by a name of their own. */
static const struct number_field numbers[] = {{"lambda", offsetof(dcpn_factors, penalty.lambda), 0.0, 0},
                                              {"theta", offsetof(dcpn_factors, penalty.theta), DBL_TRUE_MIN, 0},
                                              {"a", offsetof(dcpn_factors, penalty.a), DBL_TRUE_MIN, 0},
                                              {"gamma", offsetof(dcpn_factors, penalty.gamma), DBL_TRUE_MIN, 0},
                                              {"p", offsetof(dcpn_factors, penalty.p), DBL_TRUE_MIN, 0},
                                              {"eps", offsetof(dcpn_factors, penalty.eps), DBL_TRUE_MIN, 0},
                                              {"objective", offsetof(dcpn_factors, objective), -HUGE_VAL, 0},
                                              {"loss_value", offsetof(dcpn_factors, loss_value), -HUGE_VAL, 0},
                                              {"penalty_value", offsetof(dcpn_factors, penalty_value), 0.0, 0},
                                              {"codes_violation", offsetof(dcpn_factors, codes_end.violation), 0.0, 0},
                                              {"codes_goal", offsetof(dcpn_factors, codes_end.goal), 0.0, 0},
                                              {"atoms_violation", offsetof(dcpn_factors, atoms_end.violation), 0.0, 0},
                                              {"atoms_goal", offsetof(dcpn_factors, atoms_end.goal), 0.0, 0},
                                              {"unexplained", offsetof(dcpn_factors, unexplained), -HUGE_VAL, 0}};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* The file has each of these only where it is not 0. */
static const struct number_field others[] = {{"ridge", offsetof(dcpn_factors, penalty.ridge), 0.0, 0},
                                             {"atom_lambda", offsetof(dcpn_factors, of_atoms.lambda), 0.0, 0},
                                             {"atom_theta", offsetof(dcpn_factors, of_atoms.theta), 0.0, 0},
                                             {"atom_value", offsetof(dcpn_factors, of_atoms.value), 0.0, 0}};
enum { OTHERS = sizeof others / sizeof *others };

static double *number_of(dcpn_factors *f, const struct number_field *field)
{
    return (double *)((char *)f + field->offset);
}

/* ---- writing ---- */

static void write_atoms(struct json_writer *json, const dcpn_factors *f)
{
    dcpn_json_list(json, "atom", f->atoms, ",\n    ");
    for (int64_t k = 0; k < f->atoms; k++) {
        dcpn_json_open_list(json, f->length, ", ");
        for (int64_t j = 0; j < f->length; j++) dcpn_json_put_number(json, f->atom[k * f->length + j]);
        dcpn_json_close(json);
    }
    dcpn_json_close(json);
}

static void write_codes(struct json_writer *json, const dcpn_factors *f)
{
    dcpn_json_object(json, "codes", ",\n    ");
    dcpn_json_integers(json, "first", f->codes.first, f->count + 1, 0);
    dcpn_json_integers(json, "index", f->codes.index, f->codes.first[f->count], 0);
    dcpn_json_numbers(json, "value", f->codes.value, f->codes.first[f->count]);
    dcpn_json_close(json);
}

dcpn_status dcpn_factors_write(const dcpn_factors *factors, const char *path)
{
    DCPN_NEED(NULL, factors);
    DCPN_NEED(factors->context, path);
    dcpn_factors copy = *factors;
    struct json_writer json = dcpn_json_writer(factors->context);
    dcpn_json_open(&json, ",\n  ");
    dcpn_json_text(&json, "format", DCPN_FACTORS_FORMAT);
    dcpn_json_integer(&json, "version", FACTORS_VERSION);
    dcpn_json_text(&json, "dcpn", dcpn_version());
    dcpn_json_flag(&json, "of_columns", factors->of_columns);
    dcpn_json_flag(&json, "nonnegative_codes", factors->nonnegative_codes);
    dcpn_json_flag(&json, "nonnegative_atoms", factors->nonnegative_atoms);
    dcpn_json_text(&json, "penalty", factors->penalty.name);
    for (int k = 0; k < NUMBERS; k++) dcpn_json_number(&json, numbers[k].key, *number_of(&copy, &numbers[k]));
    for (int k = 0; k < OTHERS; k++)
        if (*number_of(&copy, &others[k]) != 0.0) dcpn_json_number(&json, others[k].key, *number_of(&copy, &others[k]));
    if (factors->of_atoms.name) dcpn_json_text(&json, "atom_penalty", factors->of_atoms.name);
    if (factors->of_atoms.multiplier)
        dcpn_json_numbers(&json, "multiplier", factors->of_atoms.multiplier, factors->atoms);
    dcpn_json_integer(&json, "iterations", factors->iterations);
    dcpn_json_text(&json, "outcome", dcpn_outcome_name(factors->outcome));
    dcpn_json_integer(&json, "count", factors->count);
    dcpn_json_integer(&json, "length", factors->length);
    write_atoms(&json, factors);
    write_codes(&json, factors);
    dcpn_json_seal(&json);
    return dcpn_write_json(&json, path);
}

/* ---- reading ---- */

static dcpn_status read_numbers(const struct model_reader *reader, const json_t *root, dcpn_factors *f)
{
    DCPN_TRY(dcpn_read_number_fields(reader, root, numbers, NUMBERS, f));
    for (int k = 0; k < OTHERS; k++)
        if (json_object_get(root, others[k].key)) DCPN_TRY(dcpn_read_number_fields(reader, root, &others[k], 1, f));
    return DCPN_OK;
}

/* What atoms cost, if the file says so. */
static dcpn_status read_atom_terms(const struct model_reader *reader, const json_t *root, dcpn_factors *f)
{
    if (json_object_get(root, "atom_penalty"))
        DCPN_TRY(dcpn_field_penalty(reader, root, "atom_penalty", &f->of_atoms.name));
    if (!json_object_get(root, "multiplier")) return DCPN_OK;
    return dcpn_field_numbers(reader, root, "multiplier", f->atoms, &DCPN_WEIGHTS, &f->of_atoms.multiplier);
}

static dcpn_status read_head(const struct model_reader *reader, const json_t *root, dcpn_factors *f)
{
    DCPN_TRY(dcpn_field_flag(reader, root, "of_columns", &f->of_columns));
    DCPN_TRY(dcpn_field_flag(reader, root, "nonnegative_codes", &f->nonnegative_codes));
    DCPN_TRY(dcpn_field_flag(reader, root, "nonnegative_atoms", &f->nonnegative_atoms));
    DCPN_TRY(dcpn_field_penalty(reader, root, "penalty", &f->penalty.name));
    DCPN_TRY(read_numbers(reader, root, f));
    DCPN_TRY(dcpn_field_count(reader, root, "iterations", &f->iterations));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(root, "outcome"), &f->outcome));
    DCPN_TRY(dcpn_field_count(reader, root, "count", &f->count));
    return dcpn_field_count(reader, root, "length", &f->length);
}

static dcpn_status read_atoms(const struct model_reader *reader, const json_t *root, dcpn_factors *f)
{
    const json_t *atoms;
    DCPN_TRY(dcpn_field_array(reader, root, "atom", &atoms));
    f->atoms = (int64_t)json_array_size(atoms);
    if (f->atoms < 1 || f->length < 1 || f->length > INT64_MAX / f->atoms)
        return dcpn_field_refuse(reader, "atom", "no atom", "a list of one or more");
    if ((int64_t)json_array_size(json_array_get(atoms, 0)) != f->length) /* before memory for all is asked for */
        return dcpn_field_refuse(reader, "length", "another number", "the length of an atom");
    f->atom = dcpn_allocate(reader->context, (size_t)(f->atoms * f->length), sizeof *f->atom);
    if (!f->atom) return DCPN_MEMORY;
    for (int64_t k = 0; k < f->atoms; k++)
        DCPN_TRY(dcpn_take_numbers(reader, "atom", json_array_get(atoms, (size_t)k), f->length, &DCPN_ANY_NUMBERS,
                                   f->atom + k * f->length));
    return DCPN_OK;
}

static int is_whole_in(const json_t *value, int64_t low, int64_t high)
{
    return json_is_integer(value) && json_integer_value(value) >= low && json_integer_value(value) <= high;
}

/* Starts ascend from 0 to the number of entries. */
static dcpn_status read_starts(const struct model_reader *reader, const json_t *first, int64_t entries, dcpn_factors *f)
{
    for (int64_t i = 0; i <= f->count; i++) {
        const json_t *at = json_array_get(first, (size_t)i);
        if (!is_whole_in(at, i ? f->codes.first[i - 1] : 0, i == 0 ? 0 : entries) ||
            (i == f->count && json_integer_value(at) != entries))
            return dcpn_field_refuse(reader, "first", "another number",
                                     "starts that ascend from 0 to the number of entries");
        f->codes.first[i] = json_integer_value(at);
    }
    return DCPN_OK;
}

static dcpn_status read_codes(struct model_reader *reader, const json_t *root, dcpn_factors *f)
{
    const json_t *codes, *first, *index;
    DCPN_TRY(dcpn_field_object(reader, root, "codes", &codes));
    reader->group = "codes.";
    DCPN_TRY(dcpn_field_array(reader, codes, "first", &first));
    DCPN_TRY(dcpn_field_array(reader, codes, "index", &index));
    int64_t entries = (int64_t)json_array_size(index);
    const struct whole_rule atoms = {0, f->atoms - 1, "numbers of atoms, from 0"};
    if ((int64_t)json_array_size(first) - 1 != f->count)
        return dcpn_field_refuse(reader, "first", "another length", "one more than count");
    f->codes.first = dcpn_allocate(reader->context, json_array_size(first), sizeof *f->codes.first);
    if (!f->codes.first) return DCPN_MEMORY;
    DCPN_TRY(read_starts(reader, first, entries, f));
    DCPN_TRY(dcpn_field_wholes(reader, codes, "index", entries, &atoms, &f->codes.index));
    DCPN_TRY(dcpn_field_numbers(reader, codes, "value", entries, &DCPN_ANY_NUMBERS, &f->codes.value));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_all(struct model_reader *reader, const json_t *root, void *made)
{
    dcpn_factors *f = made;
    DCPN_TRY(
        dcpn_check_format(reader, root, DCPN_FACTORS_FORMAT, "\"" DCPN_FACTORS_FORMAT "\", a file of dcpn factor"));
    DCPN_TRY(dcpn_read_version(reader, root, FACTORS_VERSION));
    DCPN_TRY(read_head(reader, root, f));
    DCPN_TRY(read_atoms(reader, root, f));
    DCPN_TRY(read_codes(reader, root, f));
    DCPN_TRY(read_atom_terms(reader, root, f));
    return dcpn_check_checksum(reader, root);
}

dcpn_status dcpn_factors_read(dcpn_context *context, const char *path, dcpn_factors **factors)
{
    DCPN_NEED(context, context, path, factors);
    *factors = NULL;
    dcpn_factors *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_factors){.context = context};
    dcpn_status status = dcpn_read_tree(context, path, read_all, made);
    if (status == DCPN_OK)
        *factors = made;
    else
        dcpn_factors_free(made);
    return status;
}
