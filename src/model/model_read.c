/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading models: JSON that nobody vouches for. Every field is checked; fields that are not known are ignored. */
#include <string.h>

#include "base/context.h"
#include "base/utf8.h"
#include "data/content.h"
#include "data/names.h"
#include "model/liblinear_model.h"
#include "model/model.h"
#include "model/model_fields.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/path_read.h"
#include "settings/registry.h"

/* ---- The parts of a model -----------------------------------------------------------------------------------------*/

static dcpn_status check_head(const struct model_reader *reader, const json_t *root)
{
    const char *format;
    int64_t version;
    if (!json_is_object(root)) return dcpn_field_refuse(reader, "(whole file)", dcpn_field_describe(root), "an object");
    DCPN_TRY(dcpn_field_text(reader, root, "format", &format));
    if (strcmp(format, DCPN_MODEL_FORMAT) != 0)
        return dcpn_field_refuse(reader, "format", "another text", "\"" DCPN_MODEL_FORMAT "\"");
    DCPN_TRY(dcpn_field_integer(reader, root, "version", &version));
    if (version > DCPN_MODEL_VERSION)
        return dcpn_fail(reader->context, DCPN_MODEL,
                         "%s: field version: found %lld, expected %d; the model is from a newer dcpn: use that one",
                         reader->name, (long long)version, DCPN_MODEL_VERSION);
    return version == DCPN_MODEL_VERSION ? DCPN_OK : dcpn_field_refuse(reader, "version", "another number", "1");
}

/* A file that someone wrote or edited by hand has none. */
static dcpn_status check_checksum(const struct model_reader *reader, const json_t *root)
{
    const char *stated = "";
    char found[DCPN_CHECKSUM_LENGTH];
    if (!json_object_get(root, "checksum")) return DCPN_OK;
    DCPN_TRY(dcpn_field_text(reader, root, "checksum", &stated));
    dcpn_json_checksum(root, found);
    if (strcmp(stated, found) == 0) return DCPN_OK;
    return dcpn_fail(reader->context, DCPN_MODEL,
                     "%s: field checksum: found %.*s, expected %s for what the file says; it is damaged: fit the model "
                     "again; or, if you have edited it, remove the checksum",
                     reader->name, DCPN_CHECKSUM_LENGTH, stated, found);
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

/* Only the loss and the penalty must be there: a setting that came after the file was written has its default. */
static int may_be_missing(const char *option)
{
    return strcmp(option, "loss") != 0 && strcmp(option, "penalty") != 0;
}

static dcpn_status read_settings(struct model_reader *reader, const json_t *root, dcpn_settings *settings)
{
    const json_t *params;
    DCPN_TRY(dcpn_field_object(reader, root, "params", &params));
    reader->group = "params.";
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        if (!json_object_get(params, setting->option) && may_be_missing(setting->option)) continue;
        DCPN_TRY(read_setting(reader, params, setting, settings));
    }
    reader->group = "";
    if (dcpn_settings_check(reader->context, settings) == DCPN_OK) return DCPN_OK;
    char sentence[DCPN_ERROR_LENGTH];
    strcpy(sentence, dcpn_last_error(reader->context));
    return dcpn_fail(reader->context, DCPN_MODEL, "%s: field params: %s", reader->name, sentence);
}

/* All texts of an array, in one block of memory. */
static dcpn_status read_names(const struct model_reader *reader, const json_t *array, const char *field, char ***names)
{
    size_t count = json_array_size(array);
    struct word *words = dcpn_allocate(reader->context, count, sizeof *words);
    if (!words) return DCPN_MEMORY;
    dcpn_status status = DCPN_OK;
    for (size_t k = 0; k < count && status == DCPN_OK; k++) {
        const json_t *name = json_array_get(array, k);
        if (json_is_string(name))
            words[k] = dcpn_word_of(json_string_value(name));
        else
            status = dcpn_field_refuse(reader, field, dcpn_field_describe(name), "texts");
    }
    if (status == DCPN_OK && !(*names = dcpn_names_copy(reader->context, words, (int64_t)count, 0)))
        status = DCPN_MEMORY;
    dcpn_free(reader->context, words);
    return status;
}

static dcpn_status read_class_names(const struct model_reader *reader, const json_t *classes, dcpn_model *model)
{
    DCPN_TRY(read_names(reader, classes, "classes", &model->class_names));
    model->classes[1] = 1.0; /* and the other one 0 */
    if (strcmp(model->class_names[0], model->class_names[1]) == 0)
        return dcpn_field_refuse(reader, "classes", "the same text twice", "two different ones");
    return DCPN_OK;
}

static dcpn_status read_classes(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *classes = json_object_get(root, "classes");
    const dcpn_loss_ops *loss = dcpn_find_loss(model->settings.loss);
    model->has_classes = loss && loss->targets == DCPN_CLASSES;
    if (!model->has_classes)
        return json_is_null(classes)
                   ? DCPN_OK
                   : dcpn_field_refuse(reader, "classes", dcpn_field_describe(classes), "null for this loss");
    if (!json_is_array(classes) || json_array_size(classes) != 2)
        return dcpn_field_refuse(reader, "classes", dcpn_field_describe(classes), "[negative, positive] for this loss");
    if (json_is_string(json_array_get(classes, 0))) return read_class_names(reader, classes, model);
    for (size_t k = 0; k < 2; k++) {
        const json_t *label = json_array_get(classes, k);
        if (!json_is_number(label))
            return dcpn_field_refuse(reader, "classes", dcpn_field_describe(label), "two numbers or two texts");
        model->classes[k] = json_number_value(label);
    }
    if (model->classes[0] == model->classes[1])
        return dcpn_field_refuse(reader, "classes", "the same number twice", "two different ones");
    return DCPN_OK;
}

static dcpn_status read_coefficient(const struct model_reader *reader, const json_t *index, const json_t *value,
                                    int64_t k, dcpn_model *model)
{
    if (!json_is_integer(index)) return dcpn_field_refuse(reader, "index", dcpn_field_describe(index), "whole numbers");
    if (!json_is_number(value)) return dcpn_field_refuse(reader, "value", dcpn_field_describe(value), "numbers");
    json_int_t number = json_integer_value(index);
    /* compared before the base is taken off: no number can overflow */
    if (number < model->index_base || number > model->features - 1 + model->index_base)
        return dcpn_field_refuse(reader, "index", "a number beyond the features",
                                 "index_base up to features - 1 + index_base");
    model->index[k] = number - model->index_base;
    model->value[k] = json_number_value(value);
    if (k > 0 && model->index[k] <= model->index[k - 1])
        return dcpn_field_refuse(reader, "index", "numbers that do not ascend",
                                 "each feature once, in ascending order");
    return DCPN_OK;
}

static dcpn_status read_coefficients(const struct model_reader *reader, const json_t *index, const json_t *value,
                                     dcpn_model *model)
{
    for (int64_t k = 0; k < model->nonzeros; k++)
        DCPN_TRY(
            read_coefficient(reader, json_array_get(index, (size_t)k), json_array_get(value, (size_t)k), k, model));
    return DCPN_OK;
}

static dcpn_status read_outcome(const struct model_reader *reader, const json_t *fit, dcpn_outcome *outcome)
{
    static const dcpn_outcome outcomes[] = {
#define DCPN_OUTCOME(NAME, TEXT, MEANING) DCPN_##NAME,
#include "dcpn/outcomes.def"
#undef DCPN_OUTCOME
    };
    const char *name;
    DCPN_TRY(dcpn_field_text(reader, fit, "outcome", &name));
    for (size_t k = 0; k < sizeof outcomes / sizeof *outcomes; k++) {
        *outcome = outcomes[k];
        if (strcmp(name, dcpn_outcome_name(*outcome)) == 0) return DCPN_OK;
    }
    return dcpn_field_refuse(reader, "outcome", "an unknown text", "the name of an outcome, like \"converged\"");
}

/* Sizes that the file states twice have to agree. */
static dcpn_status check_size(const struct model_reader *reader, const json_t *fit, const char *key, int64_t size)
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

static dcpn_status read_fit(struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *fit;
    dcpn_result *result = &model->fit;
    DCPN_TRY(dcpn_field_object(reader, root, "fit", &fit));
    reader->group = "fit.";
    DCPN_TRY(dcpn_field_result(reader, fit, "objective", &result->objective));
    DCPN_TRY(dcpn_field_result(reader, fit, "loss_value", &result->loss_value));
    DCPN_TRY(dcpn_field_result(reader, fit, "penalty_value", &result->penalty_value));
    DCPN_TRY(dcpn_field_result(reader, fit, "stationarity", &result->stationarity));
    DCPN_TRY(dcpn_field_result(reader, fit, "stationarity_goal", &result->stationarity_goal));
    DCPN_TRY(read_outcome(reader, fit, &result->outcome));
    DCPN_TRY(dcpn_field_text(reader, fit, "algorithm", &result->algorithm));
    DCPN_TRY(dcpn_field_text(reader, fit, "metric", &result->metric));
    DCPN_TRY(dcpn_field_text(reader, fit, "subsolver", &result->subsolver));
    DCPN_TRY(dcpn_field_count(reader, fit, "n", &model->rows));
    DCPN_TRY(check_size(reader, fit, "p", model->features));
    DCPN_TRY(check_size(reader, fit, "nnz", model->nonzeros));
    DCPN_TRY(read_escape(reader, fit, &result->escape));
    DCPN_TRY(dcpn_field_count(reader, fit, "iterations", &result->iterations));
    DCPN_TRY(dcpn_field_count(reader, fit, "inner_iterations", &result->inner_iterations));
    DCPN_TRY(dcpn_field_count(reader, fit, "line_search_trials", &result->line_search_trials));
    DCPN_TRY(dcpn_field_count(reader, fit, "safeguards", &result->safeguards));
    DCPN_TRY(dcpn_field_result(reader, fit, "passes", &result->passes));
    result->nonzeros = model->nonzeros;
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_command(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *list = json_object_get(root, "command");
    size_t count = json_array_size(list);
    if (!list || json_is_null(list)) return DCPN_OK;
    if (!json_is_array(list)) return dcpn_field_refuse(reader, "command", dcpn_field_describe(list), "an array");
    const char **words = dcpn_allocate(reader->context, count, sizeof *words);
    if (!words) return DCPN_MEMORY;
    dcpn_status status = DCPN_OK;
    for (size_t k = 0; k < count && status == DCPN_OK; k++) {
        words[k] = json_string_value(json_array_get(list, k));
        if (!words[k])
            status = dcpn_field_refuse(reader, "command", dcpn_field_describe(json_array_get(list, k)), "texts");
    }
    if (status == DCPN_OK) status = dcpn_model_set_command(model, words, (int64_t)count);
    dcpn_free(reader->context, words);
    return status;
}

/* A list beside the coefficients, as long as these; *list is NULL where there is none: not all data have names. */
static dcpn_status get_beside(const struct model_reader *reader, const json_t *root, const char *key,
                              const char *expected, const dcpn_model *model, const json_t **list)
{
    *list = json_object_get(json_object_get(root, "coef"), key);
    if (!*list || (json_is_array(*list) && (int64_t)json_array_size(*list) == model->nonzeros)) return DCPN_OK;
    return dcpn_field_refuse(
        reader, key, json_is_array(*list) ? "another length than that of coef.index" : dcpn_field_describe(*list),
        expected);
}

static dcpn_status read_feature_names(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *names;
    DCPN_TRY(get_beside(reader, root, "name", "one text for each coefficient", model, &names));
    return names ? read_names(reader, names, "name", &model->names) : DCPN_OK;
}

static dcpn_status read_fill(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *fill;
    DCPN_TRY(get_beside(reader, root, "missing", "one number for each coefficient", model, &fill));
    if (!fill) return DCPN_OK;
    model->fill = dcpn_allocate(reader->context, (size_t)model->nonzeros, sizeof *model->fill);
    if (!model->fill) return DCPN_MEMORY;
    for (int64_t k = 0; k < model->nonzeros; k++) {
        const json_t *number = json_array_get(fill, (size_t)k);
        if (!json_is_number(number))
            return dcpn_field_refuse(reader, "missing", dcpn_field_describe(number), "numbers");
        model->fill[k] = json_number_value(number);
    }
    return DCPN_OK;
}

/* Where the data have a name for it. */
static dcpn_status read_label_name(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const char *name;
    if (!json_object_get(root, "label")) return DCPN_OK;
    DCPN_TRY(dcpn_field_text(reader, root, "label", &name));
    model->label_name = dcpn_word_copy(reader->context, dcpn_word_of(name), 0);
    return model->label_name ? DCPN_OK : DCPN_MEMORY;
}

/* Only where the fit had one. */
static dcpn_status read_offset(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    return json_object_get(root, "offset") ? dcpn_field_flag(reader, root, "offset", &model->has_offset) : DCPN_OK;
}

static dcpn_status fill_model(struct model_reader *reader, const json_t *root, const json_t *index, const json_t *value,
                              dcpn_model *model)
{
    int64_t base;
    DCPN_TRY(read_settings(reader, root, &model->settings));
    DCPN_TRY(read_classes(reader, root, model));
    DCPN_TRY(read_label_name(reader, root, model));
    DCPN_TRY(read_offset(reader, root, model));
    DCPN_TRY(dcpn_field_count(reader, root, "features", &model->features));
    DCPN_TRY(dcpn_field_integer(reader, root, "index_base", &base));
    if (base != 0 && base != 1) return dcpn_field_refuse(reader, "index_base", "another number", "0 or 1");
    if (model->features == INT64_MAX) return dcpn_field_refuse(reader, "features", "a number out of range", "a count");
    model->index_base = (int)base;
    DCPN_TRY(dcpn_field_number(reader, root, "intercept", &model->intercept));
    reader->group = "coef.";
    DCPN_TRY(read_coefficients(reader, index, value, model));
    DCPN_TRY(read_feature_names(reader, root, model));
    DCPN_TRY(read_fill(reader, root, model));
    reader->group = "";
    DCPN_TRY(read_fit(reader, root, model));
    DCPN_TRY(read_command(reader, root, model));
    return dcpn_model_own_texts(model);
}

static dcpn_status make_model(struct model_reader *reader, const json_t *root, dcpn_model **model)
{
    const json_t *coef, *index, *value;
    dcpn_model *made;
    DCPN_TRY(check_head(reader, root));
    DCPN_TRY(dcpn_field_object(reader, root, "coef", &coef));
    reader->group = "coef.";
    DCPN_TRY(dcpn_field_array(reader, coef, "index", &index));
    DCPN_TRY(dcpn_field_array(reader, coef, "value", &value));
    if (json_array_size(index) != json_array_size(value))
        return dcpn_field_refuse(reader, "value", "another length than that of coef.index", "the same");
    reader->group = "";
    DCPN_TRY(dcpn_model_allocate(reader->context, (int64_t)json_array_size(index), &made));
    dcpn_status status = fill_model(reader, root, index, value, made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

static dcpn_status select_and_make(struct model_reader *reader, json_t *root, const dcpn_selection *selection,
                                   dcpn_model **model)
{
    json_t *selected;
    DCPN_TRY(dcpn_select_model(reader->context, reader->name, root, selection, &selected));
    dcpn_status status = make_model(reader, selected, model);
    json_decref(selected);
    if (status != DCPN_OK) return status;
    status = check_checksum(reader, root); /* last: the others say more about what is wrong */
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_model_free(*model);
    *model = NULL;
    return status;
}

static dcpn_status parse_json(dcpn_context *context, const char *name, const char *text, size_t size,
                              const dcpn_selection *selection, dcpn_model **model)
{
    struct model_reader reader = {.context = context, .name = name, .group = ""};
    json_t *root;
    DCPN_TRY(dcpn_json_parse(context, name, text, size, &root));
    dcpn_status status = select_and_make(&reader, root, selection, model);
    json_decref(root);
    return status;
}

dcpn_status dcpn_model_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                             const dcpn_selection *selection, dcpn_model **model)
{
    DCPN_NEED(context, context, model);
    *model = NULL;
    DCPN_NEED(context, name, text);
    dcpn_status status = dcpn_is_liblinear(text, size) ? dcpn_liblinear_parse(context, name, text, size, model)
                                                       : parse_json(context, name, text, size, selection, model);
    return dcpn_memory_for(context, status, name);
}

dcpn_status dcpn_model_read(dcpn_context *context, const char *path, dcpn_model **model)
{
    return dcpn_model_read_at(context, path, NULL, model);
}

dcpn_status dcpn_model_read_at(dcpn_context *context, const char *path, const dcpn_selection *selection,
                               dcpn_model **model)
{
    struct content content;
    DCPN_NEED(context, context, model);
    *model = NULL;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    dcpn_status status = dcpn_model_parse(context, content.name, content.bytes, content.size, selection, model);
    dcpn_content_close(&content);
    return status;
}

dcpn_status dcpn_model_text_read(dcpn_context *context, const char *path, char **text, size_t *size)
{
    struct content content;
    DCPN_NEED(context, context, text, size);
    *text = NULL;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    size_t mark = dcpn_byte_order_mark(content.bytes, content.size), length = content.size - mark;
    char *copy = dcpn_allocate(context, length + 1, 1);
    if (copy) {
        if (length) memcpy(copy, content.bytes + mark, length);
        copy[length] = '\0';
        *text = copy;
        *size = length;
    }
    dcpn_content_close(&content);
    return dcpn_memory_for(context, copy ? DCPN_OK : DCPN_MEMORY, path);
}

dcpn_status dcpn_model_text_check(dcpn_context *context, const char *name, const char *text, size_t size)
{
    struct model_reader reader = {.context = context, .name = name, .group = ""};
    json_t *root;
    DCPN_NEED(context, context, name, text);
    DCPN_TRY(dcpn_json_parse(context, name, text, size, &root));
    dcpn_status status = check_checksum(&reader, root);
    json_decref(root);
    return status;
}
