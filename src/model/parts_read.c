/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading what the files of models, paths and cross-validations have in common. Every field is checked, because nobody
 * vouches for a file; fields that are not known are ignored. */
#include "model/parts_read.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "data/categories.h"
#include "data/content.h"
#include "model/field_lists.h"
#include "model/model_json.h"
#include "settings/registry.h"

dcpn_status dcpn_read_tree(dcpn_context *context, const char *path, dcpn_read_tree_function *read, void *made)
{
    struct content content;
    json_t *root;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    struct model_reader reader = {.context = context, .name = content.name, .group = ""};
    dcpn_status status =
        dcpn_json_parse(context, content.name, content.bytes ? content.bytes : "", content.size, &root);
    if (status == DCPN_OK) {
        status = read(&reader, root, made);
        json_decref(root);
    }
    dcpn_content_close(&content);
    return status;
}

dcpn_status dcpn_check_format(const struct model_reader *reader, const json_t *root, const char *format,
                              const char *expected)
{
    const char *found;
    if (!json_is_object(root)) return dcpn_field_refuse(reader, "(whole file)", dcpn_field_describe(root), "an object");
    DCPN_TRY(dcpn_field_text(reader, root, "format", &found));
    return strcmp(found, format) == 0 ? DCPN_OK : dcpn_field_refuse(reader, "format", "another text", expected);
}

/* A file without a checksum is accepted: someone may have written or edited it by hand. */
dcpn_status dcpn_check_checksum(const struct model_reader *reader, const json_t *root)
{
    const char *stated = "";
    char found[DCPN_CHECKSUM_LENGTH];
    if (!json_object_get(root, "checksum")) return DCPN_OK;
    DCPN_TRY(dcpn_field_text(reader, root, "checksum", &stated));
    dcpn_json_checksum(root, found);
    if (strcmp(stated, found) == 0) return DCPN_OK;
    return dcpn_fail(reader->context, DCPN_MODEL,
                     "%s: field checksum: found %.*s, expected %s for what the file says; it is damaged: make it "
                     "again; or, if you have edited it, remove the checksum",
                     reader->name, DCPN_CHECKSUM_LENGTH, stated, found);
}

/* Version 2 is that of files of several scores a row. */
static dcpn_status read_scores(struct model_reader *reader, const json_t *root)
{
    DCPN_TRY(dcpn_field_count(reader, root, "scores", &reader->scores));
    if (reader->scores >= 2 && reader->scores <= INT32_MAX) return DCPN_OK;
    return dcpn_field_refuse(reader, "scores", "another number", "how many scores a row has, 2 or more");
}

dcpn_status dcpn_read_version(struct model_reader *reader, const json_t *root, int64_t known)
{
    int64_t version;
    DCPN_TRY(dcpn_field_integer(reader, root, "version", &version));
    if (version > known)
        return dcpn_fail(reader->context, DCPN_MODEL,
                         "%s: field version: found %lld, expected %lld; it is from a newer dcpn: use that one",
                         reader->name, (long long)version, (long long)known);
    if (version == 2) return read_scores(reader, root);
    return version == 1 ? DCPN_OK : dcpn_field_refuse(reader, "version", "another number", known == 2 ? "1 or 2" : "1");
}

dcpn_status dcpn_read_intercepts(const struct model_reader *reader, const json_t *object, double *first, double *all)
{
    if (reader->intercepts == 1) return dcpn_field_number(reader, object, "intercept", first);
    const json_t *list = json_object_get(object, "intercept");
    DCPN_TRY(dcpn_take_numbers(reader, "intercept", list, reader->intercepts, &DCPN_ANY_NUMBERS, all));
    for (int64_t k = 1; reader->scores == 1 && k < reader->intercepts; k++)
        if (!(all[k] < all[k - 1]))
            return dcpn_field_refuse(reader, "intercept", "numbers that do not descend", "those of ordered classes");
    *first = all[0];
    return DCPN_OK;
}

static dcpn_status read_setting(const struct model_reader *reader, const json_t *params, const dcpn_setting *setting,
                                dcpn_settings *settings)
{
    void *field = (char *)settings + setting->offset;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        return dcpn_field_number(reader, params, setting->option, field);
    case DCPN_KIND_COUNT:
        return dcpn_field_integer(reader, params, setting->option, field);
    case DCPN_KIND_FLAG:
        return dcpn_field_flag(reader, params, setting->option, field);
    case DCPN_KIND_CHOICE:
        return dcpn_field_text(reader, params, setting->option, field);
    }
    return DCPN_OK;
}

/* May a file leave out the setting? Only the loss and the penalty must be there: any other may be younger than the
 * file, and has its default then. */
static int may_be_missing(const char *option)
{
    return strcmp(option, "loss") != 0 && strcmp(option, "penalty") != 0;
}

dcpn_status dcpn_check_read_settings(const struct model_reader *reader, const dcpn_settings *settings,
                                     const char *field)
{
    char sentence[DCPN_ERROR_LENGTH];
    if (dcpn_settings_check(reader->context, settings) == DCPN_OK) return DCPN_OK;
    strcpy(sentence, dcpn_last_error(reader->context));
    return dcpn_fail(reader->context, DCPN_MODEL, "%s: field %s: %s", reader->name, field, sentence);
}

dcpn_status dcpn_read_settings(struct model_reader *reader, const json_t *root, dcpn_settings *settings)
{
    const json_t *params;
    DCPN_TRY(dcpn_field_object(reader, root, "params", &params));
    reader->group = "params.";
    settings->shape_units = "raw"; /* what there was before there were units */
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        if (!json_object_get(params, setting->option) && may_be_missing(setting->option)) continue;
        DCPN_TRY(read_setting(reader, params, setting, settings));
    }
    reader->group = "";
    return dcpn_check_read_settings(reader, settings, "params");
}

dcpn_status dcpn_read_unit(const struct model_reader *reader, const json_t *object, const char *key, double *unit)
{
    *unit = 0.0;
    if (!json_object_get(object, key)) return DCPN_OK;
    DCPN_TRY(dcpn_field_number(reader, object, key, unit));
    return *unit > 0.0 ? DCPN_OK
                       : dcpn_field_refuse(reader, key, "a number that is not above 0", "the unit of a shape");
}

/* ---- features ---- */

dcpn_status dcpn_read_size(struct model_reader *reader, const json_t *root)
{
    int64_t base;
    DCPN_TRY(dcpn_field_count(reader, root, "features", &reader->features));
    DCPN_TRY(dcpn_field_integer(reader, root, "index_base", &base));
    if (base != 0 && base != 1) return dcpn_field_refuse(reader, "index_base", "another number", "0 or 1");
    if (reader->features > INT64_MAX / 2 / reader->scores)
        return dcpn_field_refuse(reader, "features", "a number out of range", "a count");
    reader->index_base = (int)base;
    return DCPN_OK;
}

static dcpn_status read_feature(const struct model_reader *reader, const json_t *index, int64_t *feature)
{
    if (!json_is_integer(index)) return dcpn_field_refuse(reader, "index", dcpn_field_describe(index), "whole numbers");
    json_int_t number = json_integer_value(index);
    /* compared before the base is taken off: no number can overflow */
    if (number < reader->index_base || number > reader->features - 1 + reader->index_base)
        return dcpn_field_refuse(reader, "index", "a number beyond the features",
                                 "index_base up to features - 1 + index_base");
    *feature = number - reader->index_base;
    return DCPN_OK;
}

dcpn_status dcpn_read_pair_count(const struct model_reader *reader, const json_t *object, const char *key,
                                 int64_t *count)
{
    const json_t *index, *value;
    DCPN_TRY(dcpn_field_array(reader, object, "index", &index));
    DCPN_TRY(dcpn_field_array(reader, object, key, &value));
    *count = (int64_t)json_array_size(index);
    const json_t *classes = reader->scores > 1 ? json_object_get(object, "class") : NULL;
    if (classes && json_array_size(classes) != json_array_size(index))
        return dcpn_field_refuse(reader, "class", "another length than that of index", "the same");
    if (json_array_size(index) == json_array_size(value)) return DCPN_OK;
    return dcpn_field_refuse(reader, key, "another length than that of index", "the same");
}

/* Reads which of several scores the k-th number belongs to; 0 if there is one score. */
static dcpn_status read_score(const struct model_reader *reader, const json_t *object, size_t k, int64_t *score)
{
    const json_t *number = json_array_get(json_object_get(object, "class"), k);
    *score = 0;
    if (reader->scores == 1 || !json_object_get(object, "class")) return DCPN_OK;
    if (!json_is_integer(number) || json_integer_value(number) < 0 || json_integer_value(number) >= reader->scores)
        return dcpn_field_refuse(reader, "class", dcpn_field_describe(number),
                                 "the position of a class for each number");
    *score = json_integer_value(number);
    return DCPN_OK;
}

dcpn_status dcpn_read_pairs(const struct model_reader *reader, const json_t *object, const char *key, int64_t *index,
                            double *value)
{
    const json_t *numbers = json_object_get(object, "index"), *values = json_object_get(object, key);
    for (size_t k = 0; k < json_array_size(numbers); k++) {
        const json_t *number = json_array_get(values, k);
        int64_t score;
        DCPN_TRY(read_feature(reader, json_array_get(numbers, k), &index[k]));
        DCPN_TRY(read_score(reader, object, k, &score));
        index[k] += score * reader->features;
        if (!json_is_number(number)) return dcpn_field_refuse(reader, key, dcpn_field_describe(number), "numbers");
        value[k] = json_number_value(number);
        if (k > 0 && index[k] <= index[k - 1])
            return dcpn_field_refuse(reader, "index", "numbers that do not ascend",
                                     "each feature once, in ascending order");
    }
    return DCPN_OK;
}

/* ---- texts ---- */

dcpn_status dcpn_read_texts(const struct model_reader *reader, const json_t *object, const char *key,
                            const char ***texts, int64_t *count)
{
    const json_t *list = json_object_get(object, key);
    *texts = NULL;
    *count = 0;
    if (!list || json_is_null(list)) return DCPN_OK;
    if (!json_is_array(list)) return dcpn_field_refuse(reader, key, dcpn_field_describe(list), "an array");
    for (size_t k = 0; k < json_array_size(list); k++)
        if (!json_is_string(json_array_get(list, k)))
            return dcpn_field_refuse(reader, key, dcpn_field_describe(json_array_get(list, k)), "texts");
    *texts = dcpn_allocate(reader->context, json_array_size(list), sizeof **texts);
    if (!*texts) return DCPN_MEMORY;
    for (; *count < (int64_t)json_array_size(list); ++*count)
        (*texts)[*count] = json_string_value(json_array_get(list, (size_t)*count));
    return DCPN_OK;
}

dcpn_status dcpn_field_names(const struct model_reader *reader, const json_t *object, int64_t count,
                             const char ***names)
{
    int64_t found;
    DCPN_TRY(dcpn_read_texts(reader, object, "names", names, &found));
    if (!*names || found == count) return DCPN_OK;
    dcpn_free(reader->context, *names);
    *names = NULL;
    return dcpn_field_refuse(reader, "names", "another number of values", "one for each variable");
}

/* ---- categories ---- */

static int is_category(const json_t *entry)
{
    const json_t *levels = json_object_get(entry, "levels");
    if (!json_is_string(json_object_get(entry, "column")) || json_array_size(levels) == 0) return 0;
    for (size_t k = 0; k < json_array_size(levels); k++) {
        const char *level = json_string_value(json_array_get(levels, k));
        if (!level || (k > 0 && strcmp(json_string_value(json_array_get(levels, k - 1)), level) >= 0)) return 0;
    }
    return 1;
}

/* The texts are those of the tree; the lists of levels have to be freed. */
static dcpn_status borrow_categories(const struct model_reader *reader, const json_t *list, dcpn_category *borrowed)
{
    for (size_t c = 0; c < json_array_size(list); c++) {
        const json_t *entry = json_array_get(list, c);
        const char **levels;
        int64_t count;
        if (!is_category(entry))
            return dcpn_field_refuse(reader, "categories", dcpn_field_describe(entry),
                                     "a column and its levels, texts in ascending order");
        DCPN_TRY(dcpn_read_texts(reader, entry, "levels", &levels, &count));
        char *column = (char *)(uintptr_t)json_string_value(json_object_get(entry, "column"));
        borrowed[c] = (dcpn_category){column, (char **)(uintptr_t)levels, count};
    }
    return DCPN_OK;
}

dcpn_status dcpn_read_categories(const struct model_reader *reader, const json_t *root, dcpn_category **categories,
                                 int64_t *count)
{
    const json_t *list = json_object_get(root, "categories");
    size_t size = json_array_size(list);
    *categories = NULL;
    *count = 0;
    if (!list) return DCPN_OK;
    if (!json_is_array(list)) return dcpn_field_refuse(reader, "categories", dcpn_field_describe(list), "an array");
    dcpn_category *borrowed = dcpn_allocate(reader->context, size + 1, sizeof *borrowed);
    if (!borrowed) return DCPN_MEMORY;
    memset(borrowed, 0, (size + 1) * sizeof *borrowed);
    dcpn_status status = borrow_categories(reader, list, borrowed);
    if (status == DCPN_OK && size > 0) {
        *categories = dcpn_categories_copy(reader->context, borrowed, (int64_t)size);
        *count = *categories ? (int64_t)size : 0;
        status = *categories ? DCPN_OK : DCPN_MEMORY;
    }
    for (size_t c = 0; c < size; c++) dcpn_free(reader->context, borrowed[c].levels);
    dcpn_free(reader->context, borrowed);
    return status;
}

/* ---- classes ---- */

dcpn_status dcpn_read_class_numbers(const struct model_reader *reader, const json_t *classes, double *numbers)
{
    size_t count = json_array_size(classes);
    for (size_t k = 0; k < count; k++) {
        const json_t *label = json_array_get(classes, k);
        if (!json_is_number(label))
            return dcpn_field_refuse(reader, "classes", dcpn_field_describe(label), "numbers or texts, not both");
        numbers[k] = json_number_value(label);
        if (count > 2 && k > 0 && !(numbers[k] > numbers[k - 1]))
            return dcpn_field_refuse(reader, "classes", "numbers that do not ascend", "each class once, ascending");
    }
    if (numbers[0] == numbers[1])
        return dcpn_field_refuse(reader, "classes", "the same number twice", "two different ones");
    return DCPN_OK;
}

/* A row has one score; their number says how many intercepts there are. */
static dcpn_status check_ordered_classes(const struct model_reader *reader, const json_t *classes, int64_t *count)
{
    *count = json_is_array(classes) ? (int64_t)json_array_size(classes) : 0;
    if (reader->scores > 1) return dcpn_field_refuse(reader, "scores", "several", "1 for this loss");
    if (*count >= 2) return DCPN_OK;
    return dcpn_field_refuse(reader, "classes", dcpn_field_describe(classes), "two or more, ascending");
}

static dcpn_status check_many_classes(const struct model_reader *reader, const json_t *classes)
{
    if (json_is_array(classes) && (int64_t)json_array_size(classes) == reader->scores && reader->scores > 1)
        return DCPN_OK;
    return dcpn_field_refuse(reader, "classes",
                             json_is_array(classes) ? "another number of values" : dcpn_field_describe(classes),
                             "one for each score");
}

/* The names of responses, or null. */
static dcpn_status check_responses(const struct model_reader *reader, const json_t *names)
{
    if (json_is_null(names)) return DCPN_OK;
    if (json_is_array(names) && (int64_t)json_array_size(names) == reader->scores) return DCPN_OK;
    return dcpn_field_refuse(reader, "responses",
                             json_is_array(names) ? "another number of values" : dcpn_field_describe(names),
                             "a text for each score, or null");
}

dcpn_status dcpn_number_responses(const struct model_reader *reader, dcpn_classes *labels)
{
    labels->numbers = dcpn_allocate(reader->context, (size_t)labels->count, sizeof *labels->numbers);
    for (int64_t k = 0; labels->numbers && k < labels->count; k++) labels->numbers[k] = (double)k + 1.0;
    return labels->numbers ? DCPN_OK : DCPN_MEMORY;
}

dcpn_status dcpn_check_classes(const struct model_reader *reader, const json_t *root, const char *loss,
                               dcpn_classes *labels)
{
    dcpn_targets targets = dcpn_find_loss(loss)->targets;
    const json_t *classes = json_object_get(root, "classes"), *responses = json_object_get(root, "responses");
    labels->are_responses = targets == DCPN_NUMBERS && reader->scores > 1 && responses;
    int64_t *count = &labels->count;
    *count = targets == DCPN_MANY_CLASSES || labels->are_responses ? reader->scores : targets == DCPN_CLASSES ? 2 : 0;
    if (labels->are_responses) return check_responses(reader, responses);
    labels->are_ordered = targets == DCPN_ORDERED_CLASSES;
    if (labels->are_ordered) return check_ordered_classes(reader, classes, count);
    if (targets == DCPN_MANY_CLASSES) return check_many_classes(reader, classes);
    if (reader->scores > 1) return dcpn_field_refuse(reader, "scores", "several", "1 for this loss");
    if (!*count)
        return json_is_null(classes)
                   ? DCPN_OK
                   : dcpn_field_refuse(reader, "classes", dcpn_field_describe(classes), "null for this loss");
    if (!json_is_array(classes) || json_array_size(classes) != 2)
        return dcpn_field_refuse(reader, "classes", dcpn_field_describe(classes), "[negative, positive] for this loss");
    return DCPN_OK;
}

/* ---- what a fit came to ---- */

dcpn_status dcpn_read_outcome(const struct model_reader *reader, const json_t *value, dcpn_outcome *outcome)
{
    static const dcpn_outcome outcomes[] = {
#define DCPN_OUTCOME(NAME, TEXT, MEANING) DCPN_##NAME,
#include "dcpn/outcomes.def"
#undef DCPN_OUTCOME
    };
    const char *name = json_string_value(value);
    if (!name) return dcpn_field_refuse(reader, "outcome", dcpn_field_describe(value), "a text");
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
        *outcome = outcomes[k];
        if (strcmp(name, dcpn_outcome_name(*outcome)) == 0) return DCPN_OK;
    }
    return dcpn_field_refuse(reader, "outcome", "an unknown text", "the name of an outcome, like \"converged\"");
}

/* Sizes that the file states twice have to agree. */
dcpn_status dcpn_check_stated(const struct model_reader *reader, const json_t *fit, const char *key, int64_t size)
{
    int64_t stated = -1;
    DCPN_TRY(dcpn_field_count(reader, fit, key, &stated));
    return stated == size
               ? DCPN_OK
               : dcpn_field_refuse(reader, key, "a number that contradicts the rest of the file", "the same");
}

/* -1: not known. */
static dcpn_status read_escape(const struct model_reader *reader, const json_t *fit, int64_t *escape)
{
    const json_t *value = json_object_get(fit, "escape");
    *escape = -1;
    if (json_is_integer(value) && json_integer_value(value) == -1) return DCPN_OK;
    return dcpn_field_count(reader, fit, "escape", escape);
}

/* Null is what was not finite when it was written. */
static const struct number_field of_result[] = {
    {"objective", offsetof(dcpn_result, objective), -HUGE_VAL, 1},
    {"loss_value", offsetof(dcpn_result, loss_value), -HUGE_VAL, 1},
    {"penalty_value", offsetof(dcpn_result, penalty_value), 0.0, 1},
    {"stationarity", offsetof(dcpn_result, stationarity), 0.0, 1},
    {"stationarity_goal", offsetof(dcpn_result, stationarity_goal), 0.0, 1},
    {"passes", offsetof(dcpn_result, passes), 0.0, 1},
};

dcpn_status dcpn_read_result(const struct model_reader *reader, const json_t *fit, dcpn_result *result)
{
    DCPN_TRY(dcpn_read_number_fields(reader, fit, of_result, sizeof of_result / sizeof *of_result, result));
    DCPN_TRY(dcpn_read_outcome(reader, json_object_get(fit, "outcome"), &result->outcome));
    DCPN_TRY(dcpn_check_stated(reader, fit, "nnz", result->nonzeros));
    DCPN_TRY(read_escape(reader, fit, &result->escape));
    if (json_object_get(fit, "untried")) DCPN_TRY(dcpn_field_count(reader, fit, "untried", &result->untried));
    DCPN_TRY(dcpn_field_count(reader, fit, "iterations", &result->iterations));
    DCPN_TRY(dcpn_field_count(reader, fit, "inner_iterations", &result->inner_iterations));
    DCPN_TRY(dcpn_field_count(reader, fit, "line_search_trials", &result->line_search_trials));
    return dcpn_field_count(reader, fit, "safeguards", &result->safeguards);
}

dcpn_status dcpn_read_parts(const struct model_reader *reader, const json_t *object, dcpn_result *result)
{
    DCPN_TRY(dcpn_field_text(reader, object, "algorithm", &result->algorithm));
    DCPN_TRY(dcpn_field_text(reader, object, "metric", &result->metric));
    return dcpn_field_text(reader, object, "subsolver", &result->subsolver);
}

dcpn_status dcpn_read_offset(const struct model_reader *reader, const json_t *root, int *has_offset)
{
    return json_object_get(root, "offset") ? dcpn_field_flag(reader, root, "offset", has_offset) : DCPN_OK;
}
