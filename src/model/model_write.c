/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing models: JSON that is exact and the same bytes for the same model, whatever the threads and the time. */
#include "base/file.h"
#include "base/json_text.h"
#include "dcpn/model.h"
#include "model/model_file.h"
#include "model/model_json.h"

/* ---- The parts of a model -----------------------------------------------------------------------------------------*/

enum times { WITHOUT_TIMES, WITH_TIMES };

void dcpn_write_end(struct json_object *object, const dcpn_result *fit)
{
    dcpn_json_number(object, "objective", fit->objective);
    dcpn_json_number(object, "loss_value", fit->loss_value);
    dcpn_json_number(object, "penalty_value", fit->penalty_value);
    dcpn_json_number(object, "stationarity", fit->stationarity);
    dcpn_json_number(object, "stationarity_goal", fit->stationarity_goal);
    dcpn_json_text(object, "outcome", dcpn_outcome_name(fit->outcome));
}

void dcpn_write_work(struct json_object *object, const dcpn_result *fit)
{
    dcpn_json_integer(object, "iterations", fit->iterations);
    dcpn_json_integer(object, "inner_iterations", fit->inner_iterations);
    dcpn_json_integer(object, "line_search_trials", fit->line_search_trials);
    dcpn_json_integer(object, "safeguards", fit->safeguards);
    dcpn_json_number(object, "passes", fit->passes);
}

static void add_fit(struct json_object *object, const dcpn_model *model, enum times times)
{
    const dcpn_result *fit = &model->fit;
    dcpn_write_end(object, fit);
    dcpn_json_text(object, "algorithm", fit->algorithm);
    dcpn_json_text(object, "metric", fit->metric);
    dcpn_json_text(object, "subsolver", fit->subsolver);
    dcpn_json_number(object, "lambda", model->settings.lambda);
    dcpn_json_integer(object, "n", model->rows);
    dcpn_json_integer(object, "p", model->features);
    dcpn_json_integer(object, "nnz", model->nonzeros);
    dcpn_json_integer(object, "escape", fit->escape);
    dcpn_write_work(object, fit);
    if (times == WITHOUT_TIMES) return;
    dcpn_json_number(object, "read_s", model->read_s);
    dcpn_json_number(object, "time_s", fit->time_s);
    dcpn_json_integer(object, "threads", model->threads);
}

void dcpn_write_settings(struct json_object *object, const dcpn_settings *settings)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        const void *field = (const char *)settings + setting->offset;
        switch (setting->kind) {
        case DCPN_KIND_REAL:
            dcpn_json_number(object, setting->option, *(const double *)field);
            break;
        case DCPN_KIND_COUNT:
            dcpn_json_integer(object, setting->option, *(const int64_t *)field);
            break;
        case DCPN_KIND_FLAG:
            dcpn_json_flag(object, setting->option, *(const int *)field);
            break;
        case DCPN_KIND_CHOICE:
            dcpn_json_text(object, setting->option, *(const char *const *)field);
            break;
        }
    }
}

void dcpn_write_classes(struct json_object *object, int has_classes, const double classes[2], const char *const *names)
{
    if (!has_classes)
        dcpn_json_text(object, "classes", NULL);
    else if (names)
        dcpn_json_texts(object, "classes", names, 2);
    else
        dcpn_json_numbers(object, "classes", classes, 2);
}

static void add_coefficients(struct json_object *object, const dcpn_model *model)
{
    dcpn_json_integers(object, "index", model->index, model->nonzeros, model->index_base);
    dcpn_json_numbers(object, "value", model->value, model->nonzeros);
    if (model->names && model->nonzeros)
        dcpn_json_texts(object, "name", (const char *const *)model->names, model->nonzeros);
    if (model->fill && model->nonzeros) dcpn_json_numbers(object, "missing", model->fill, model->nonzeros);
}

static struct json_object start_object(struct json_object *parent, const char *key)
{
    struct text *text = dcpn_json_member(parent, key);
    dcpn_text_append(text, "{\n    ");
    return (struct json_object){.text = text, .separator = ",\n    "};
}

static void end_object(struct json_object *object)
{
    dcpn_text_append(object->text, "\n  }");
}

static void append_model(struct text *text, const dcpn_model *model)
{
    struct json_object whole = {.text = text, .separator = ",\n  "};
    dcpn_text_append(text, "{\n  ");
    dcpn_json_text(&whole, "format", DCPN_MODEL_FORMAT);
    dcpn_json_integer(&whole, "version", DCPN_MODEL_VERSION);
    struct json_object params = start_object(&whole, "params");
    dcpn_write_settings(&params, &model->settings);
    end_object(&params);
    dcpn_write_classes(&whole, model->has_classes, model->classes, (const char *const *)model->class_names);
    if (model->label_name) dcpn_json_text(&whole, "label", model->label_name);
    if (model->has_offset) dcpn_json_flag(&whole, "offset", 1);
    dcpn_json_integer(&whole, "features", model->features);
    dcpn_json_integer(&whole, "index_base", model->index_base);
    dcpn_json_number(&whole, "intercept", model->intercept);
    struct json_object coef = start_object(&whole, "coef");
    add_coefficients(&coef, model);
    end_object(&coef);
    struct json_object fit = start_object(&whole, "fit");
    add_fit(&fit, model, WITHOUT_TIMES);
    end_object(&fit);
    if (model->command) dcpn_json_texts(&whole, "command", model->command, model->command_length);
    dcpn_text_append(text, "\n}\n");
}

dcpn_status dcpn_write_file(dcpn_context *context, const struct text *text, const char *path)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_open(context, path, &file));
    dcpn_output_write(&file, text->start, text->length);
    return dcpn_output_commit(&file);
}

dcpn_status dcpn_model_write(const dcpn_model *model, const char *path)
{
    DCPN_NEED(NULL, model);
    struct text text = {.context = model->context};
    if (dcpn_settings_check(model->context, &model->settings) != DCPN_OK)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "a model with a loss or penalty of your own cannot be written: the file could not say what "
                         "it means; keep its coefficients (index, value, intercept) yourself");
    append_model(&text, model);
    dcpn_json_seal(&text);
    dcpn_status status = text.status;
    if (status == DCPN_OK) status = dcpn_write_file(model->context, &text, path);
    dcpn_free(model->context, text.start);
    return status;
}

dcpn_status dcpn_model_fit_json(const dcpn_model *model, char **json)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, json);
    struct text text = {.context = model->context};
    struct json_object fit = {.text = &text, .separator = ", "};
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
