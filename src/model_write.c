/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing models: JSON that is exact and the same bytes for the same model, whatever the threads and the time. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/growing.h"
#include "dcpn/model.h"
#include "model_file.h"
#include "model_json.h"

/* ---- JSON ---------------------------------------------------------------------------------------------------------*/

static void append_quoted(struct text *text, const char *value)
{
    dcpn_text_append(text, "\"");
    for (; *value; value++) {
        char piece[8] = {*value};
        unsigned char code = (unsigned char)*value;
        if (code < ' ')
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)code);
        else if (code == '"' || code == '\\')
            snprintf(piece, sizeof piece, "\\%c", *value);
        dcpn_text_append(text, piece);
    }
    dcpn_text_append(text, "\"");
}

/* JSON has no word for what is not finite. */
static void append_finite(struct text *text, double value)
{
    if (isfinite(value))
        dcpn_text_append_number(text, value);
    else
        dcpn_text_append(text, "null");
}

/* An object under construction; `separator` stands between its members. */
struct object {
    struct text *text;
    const char *separator;
    int members;
};

static struct text *start_member(struct object *object, const char *key)
{
    if (object->members++) dcpn_text_append(object->text, object->separator);
    append_quoted(object->text, key);
    dcpn_text_append(object->text, ": ");
    return object->text;
}

static void add_number(struct object *object, const char *key, double value)
{
    append_finite(start_member(object, key), value);
}

static void add_integer(struct object *object, const char *key, int64_t value)
{
    dcpn_text_append_integer(start_member(object, key), value);
}

static void add_text(struct object *object, const char *key, const char *value)
{
    append_quoted(start_member(object, key), value ? value : "");
}

static void add_flag(struct object *object, const char *key, int value)
{
    dcpn_text_append(start_member(object, key), value ? "true" : "false");
}

/* ---- The parts of a model -----------------------------------------------------------------------------------------*/

enum times { WITHOUT_TIMES, WITH_TIMES };

static void add_fit(struct object *object, const dcpn_model *model, enum times times)
{
    const dcpn_result *fit = &model->fit;
    add_number(object, "objective", fit->objective);
    add_number(object, "loss_value", fit->loss_value);
    add_number(object, "penalty_value", fit->penalty_value);
    add_number(object, "stationarity", fit->stationarity);
    add_number(object, "stationarity_goal", fit->stationarity_goal);
    add_text(object, "outcome", dcpn_outcome_name(fit->outcome));
    add_text(object, "algorithm", fit->algorithm);
    add_text(object, "metric", fit->metric);
    add_text(object, "subsolver", fit->subsolver);
    add_number(object, "lambda", model->settings.lambda);
    add_integer(object, "n", model->rows);
    add_integer(object, "p", model->features);
    add_integer(object, "nnz", model->nonzeros);
    add_integer(object, "escape", fit->escape);
    add_integer(object, "iterations", fit->iterations);
    add_integer(object, "inner_iterations", fit->inner_iterations);
    add_integer(object, "line_search_trials", fit->line_search_trials);
    add_integer(object, "safeguards", fit->safeguards);
    add_number(object, "passes", fit->passes);
    if (times == WITHOUT_TIMES) return;
    add_number(object, "read_s", model->read_s);
    add_number(object, "time_s", fit->time_s);
    add_integer(object, "threads", model->threads);
}

static void add_settings(struct object *object, const dcpn_settings *settings)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        const void *field = (const char *)settings + setting->offset;
        switch (setting->kind) {
        case DCPN_KIND_REAL:
            add_number(object, setting->option, *(const double *)field);
            break;
        case DCPN_KIND_COUNT:
            add_integer(object, setting->option, *(const int64_t *)field);
            break;
        case DCPN_KIND_FLAG:
            add_flag(object, setting->option, *(const int *)field);
            break;
        case DCPN_KIND_CHOICE:
            add_text(object, setting->option, *(const char *const *)field);
            break;
        }
    }
}

static void add_classes(struct object *object, const dcpn_model *model)
{
    struct text *text = start_member(object, "classes");
    if (!model->has_classes) {
        dcpn_text_append(text, "null");
        return;
    }
    dcpn_text_append(text, "[");
    append_finite(text, model->classes[0]);
    dcpn_text_append(text, ", ");
    append_finite(text, model->classes[1]);
    dcpn_text_append(text, "]");
}

static void add_coefficients(struct object *object, const dcpn_model *model)
{
    struct text *text = start_member(object, "index");
    for (int64_t k = 0; k < model->nonzeros; k++) {
        dcpn_text_append(text, k ? ", " : "[");
        dcpn_text_append_integer(text, model->index[k] + model->index_base);
    }
    dcpn_text_append(text, model->nonzeros ? "]" : "[]");
    start_member(object, "value");
    for (int64_t k = 0; k < model->nonzeros; k++) {
        dcpn_text_append(text, k ? ", " : "[");
        append_finite(text, model->value[k]);
    }
    dcpn_text_append(text, model->nonzeros ? "]" : "[]");
}

static struct object start_object(struct object *parent, const char *key)
{
    struct text *text = start_member(parent, key);
    dcpn_text_append(text, "{\n    ");
    return (struct object){.text = text, .separator = ",\n    "};
}

static void end_object(struct object *object)
{
    dcpn_text_append(object->text, "\n  }");
}

static void append_model(struct text *text, const dcpn_model *model)
{
    struct object whole = {.text = text, .separator = ",\n  "};
    dcpn_text_append(text, "{\n  ");
    add_text(&whole, "format", DCPN_MODEL_FORMAT);
    add_integer(&whole, "version", DCPN_MODEL_VERSION);
    struct object params = start_object(&whole, "params");
    add_settings(&params, &model->settings);
    end_object(&params);
    add_classes(&whole, model);
    add_integer(&whole, "features", model->features);
    add_integer(&whole, "index_base", model->index_base);
    add_number(&whole, "intercept", model->intercept);
    struct object coef = start_object(&whole, "coef");
    add_coefficients(&coef, model);
    end_object(&coef);
    struct object fit = start_object(&whole, "fit");
    add_fit(&fit, model, WITHOUT_TIMES);
    end_object(&fit);
}

/* The checksum is of the file as its readers see it: the text so far, made whole, is parsed. */
static dcpn_status append_checksum(struct text *text)
{
    char digits[DCPN_CHECKSUM_LENGTH];
    size_t length = text->length;
    json_t *root;
    dcpn_text_append(text, "}");
    if (text->status != DCPN_OK) return text->status;
    DCPN_TRY(dcpn_json_parse(text->context, "the model", text->start, text->length, &root));
    dcpn_json_checksum(root, digits);
    json_decref(root);
    text->length = length;
    struct object whole = {.text = text, .separator = ",\n  ", .members = 1};
    add_text(&whole, "checksum", digits);
    dcpn_text_append(text, "\n}\n");
    return text->status;
}

static dcpn_status write_text(dcpn_context *context, const struct text *text, const char *path)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_open(context, path, &file));
    dcpn_output_write(&file, text->start, text->length);
    return dcpn_output_commit(&file);
}

dcpn_status dcpn_model_write(const dcpn_model *model, const char *path)
{
    struct text text = {.context = model->context};
    if (dcpn_settings_check(model->context, &model->settings) != DCPN_OK)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "a model with a loss or penalty of your own cannot be written: the file could not say what "
                         "it means; keep its coefficients (index, value, intercept) yourself");
    append_model(&text, model);
    dcpn_status status = append_checksum(&text);
    if (status == DCPN_OK) status = write_text(model->context, &text, path);
    dcpn_free(model->context, text.start);
    return status;
}

dcpn_status dcpn_model_fit_json(const dcpn_model *model, char **json)
{
    struct text text = {.context = model->context};
    struct object fit = {.text = &text, .separator = ", "};
    dcpn_text_append(&text, "{");
    add_fit(&fit, model, WITH_TIMES);
    dcpn_text_append(&text, "}");
    if (text.status != DCPN_OK) {
        dcpn_free(model->context, text.start);
        text.start = NULL;
    }
    *json = text.start;
    return text.status;
}
