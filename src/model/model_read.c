/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading models: one JSON object. */
#include "model/model_read.h"

#include <string.h>

#include "base/context.h"
#include "data/names.h"
#include "model/model.h"
#include "model/model_file.h"
#include "model/parts_read.h"

/* Reads all texts of a list into one block of memory. */
static dcpn_status read_names(const struct model_reader *reader, const json_t *object, const char *key, char ***names)
{
    const char **texts;
    int64_t count;
    DCPN_TRY(dcpn_read_texts(reader, object, key, &texts, &count));
    struct word *words = dcpn_allocate(reader->context, (size_t)count, sizeof *words);
    for (int64_t k = 0; words && k < count; k++) words[k] = dcpn_word_of(texts[k]);
    *names = words ? dcpn_names_copy(reader->context, words, count, 0) : NULL;
    dcpn_free(reader->context, words);
    dcpn_free(reader->context, texts);
    return *names ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status read_responses(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    DCPN_TRY(dcpn_number_responses(reader, &model->labels));
    if (json_is_null(json_object_get(root, "responses"))) return DCPN_OK;
    for (int64_t k = 0; k < model->labels.count; k++) model->labels.numbers[k] = (double)k;
    return read_names(reader, root, "responses", &model->labels.names);
}

static dcpn_status read_class_names(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    DCPN_TRY(read_names(reader, root, "classes", &model->labels.names));
    for (int64_t k = 0; k < model->labels.count; k++) {
        model->labels.numbers[k] = (double)k;
        for (int64_t i = 0; i < k; i++)
            if (strcmp(model->labels.names[i], model->labels.names[k]) == 0)
                return dcpn_field_refuse(reader, "classes", "the same text twice", "different ones");
    }
    return DCPN_OK;
}

static dcpn_status read_classes(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *classes = json_object_get(root, "classes");
    DCPN_TRY(dcpn_check_classes(reader, root, model->settings.loss, &model->labels));
    if (model->labels.are_responses) return read_responses(reader, root, model);
    if (!model->labels.count) return DCPN_OK;
    model->labels.numbers = dcpn_allocate(reader->context, (size_t)model->labels.count, sizeof *model->labels.numbers);
    if (!model->labels.numbers) return DCPN_MEMORY;
    if (json_is_string(json_array_get(classes, 0))) return read_class_names(reader, root, model);
    return dcpn_read_class_numbers(reader, classes, model->labels.numbers);
}

static dcpn_status read_fit(struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *fit;
    DCPN_TRY(dcpn_field_object(reader, root, "fit", &fit));
    reader->group = "fit.";
    model->fit.nonzeros = model->nonzeros;
    DCPN_TRY(dcpn_field_count(reader, fit, "n", &model->rows));
    DCPN_TRY(dcpn_check_stated(reader, fit, "p", model->features));
    DCPN_TRY(dcpn_read_parts(reader, fit, &model->fit));
    DCPN_TRY(dcpn_read_result(reader, fit, &model->fit));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_command(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const char **words;
    int64_t count;
    DCPN_TRY(dcpn_read_texts(reader, root, "command", &words, &count));
    dcpn_status status = words ? dcpn_model_set_command(model, words, count) : DCPN_OK;
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
    return names ? read_names(reader, json_object_get(root, "coef"), "name", &model->table.names) : DCPN_OK;
}

static dcpn_status read_fill(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *fill;
    DCPN_TRY(get_beside(reader, root, "missing", "one number for each coefficient", model, &fill));
    if (!fill) return DCPN_OK;
    model->table.fill = dcpn_allocate(reader->context, (size_t)model->nonzeros, sizeof *model->table.fill);
    if (!model->table.fill) return DCPN_MEMORY;
    for (int64_t k = 0; k < model->nonzeros; k++) {
        const json_t *number = json_array_get(fill, (size_t)k);
        if (!json_is_number(number))
            return dcpn_field_refuse(reader, "missing", dcpn_field_describe(number), "numbers");
        model->table.fill[k] = json_number_value(number);
    }
    return DCPN_OK;
}

/* Reads what the data call the labels, if they have a name for them. */
static dcpn_status read_label_name(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const char *name;
    if (!json_object_get(root, "label")) return DCPN_OK;
    DCPN_TRY(dcpn_field_text(reader, root, "label", &name));
    model->table.label_name = dcpn_word_copy(reader->context, dcpn_word_of(name), 0);
    return model->table.label_name ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status read_coefficients(struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    const json_t *coef = json_object_get(root, "coef");
    reader->group = "coef.";
    DCPN_TRY(dcpn_read_pairs(reader, coef, "value", model->index, model->value));
    DCPN_TRY(read_feature_names(reader, root, model));
    DCPN_TRY(read_fill(reader, root, model));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_shape(struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    reader->group = "shape.";
    DCPN_TRY(dcpn_read_unit(reader, json_object_get(root, "shape"), "unit", &model->shape_unit));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_intercepts(const struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    model->scores = reader->scores;
    if (reader->intercepts > 1) {
        model->intercepts = dcpn_allocate(reader->context, (size_t)reader->intercepts, sizeof *model->intercepts);
        if (!model->intercepts) return DCPN_MEMORY;
    }
    return dcpn_read_intercepts(reader, root, &model->intercept, model->intercepts);
}

static dcpn_status fill_model(struct model_reader *reader, const json_t *root, dcpn_model *model)
{
    DCPN_TRY(dcpn_read_settings(reader, root, &model->settings));
    DCPN_TRY(read_shape(reader, root, model));
    DCPN_TRY(read_classes(reader, root, model));
    reader->intercepts = dcpn_intercept_count(reader->scores, &model->labels);
    DCPN_TRY(read_label_name(reader, root, model));
    DCPN_TRY(dcpn_read_categories(reader, root, &model->table.categories, &model->table.category_count));
    DCPN_TRY(dcpn_read_offset(reader, root, &model->has_offset));
    DCPN_TRY(dcpn_read_size(reader, root));
    model->features = reader->features;
    model->index_base = reader->index_base;
    DCPN_TRY(dcpn_read_groups(reader, root, &model->groups));
    DCPN_TRY(read_intercepts(reader, root, model));
    DCPN_TRY(read_coefficients(reader, root, model));
    DCPN_TRY(read_fit(reader, root, model));
    DCPN_TRY(read_command(reader, root, model));
    return dcpn_model_own_texts(model);
}

dcpn_status dcpn_model_from_json(struct model_reader *reader, const json_t *root, dcpn_model **model)
{
    const json_t *coef;
    int64_t nonzeros;
    dcpn_model *made;
    DCPN_TRY(dcpn_read_version(reader, root, DCPN_MODEL_VERSION));
    DCPN_TRY(dcpn_field_object(reader, root, "coef", &coef));
    reader->group = "coef.";
    DCPN_TRY(dcpn_read_pair_count(reader, coef, "value", &nonzeros));
    reader->group = "";
    DCPN_TRY(dcpn_model_allocate(reader->context, nonzeros, &made));
    dcpn_status status = fill_model(reader, root, made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}
