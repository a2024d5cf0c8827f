/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing models: JSON that is exact and the same bytes for the same model, whatever the threads and the time. */
#include "dcpn/model.h"
#include "model/model_file.h"
#include "settings/registry.h"

/* ---- The parts of a model -----------------------------------------------------------------------------------------*/

enum times { WITHOUT_TIMES, WITH_TIMES };

void dcpn_write_end(struct json_writer *json, const dcpn_result *fit)
{
    dcpn_json_number(json, "objective", fit->objective);
    dcpn_json_number(json, "loss_value", fit->loss_value);
    dcpn_json_number(json, "penalty_value", fit->penalty_value);
    dcpn_json_number(json, "stationarity", fit->stationarity);
    dcpn_json_number(json, "stationarity_goal", fit->stationarity_goal);
    dcpn_json_text(json, "outcome", dcpn_outcome_name(fit->outcome));
}

void dcpn_write_work(struct json_writer *json, const dcpn_result *fit)
{
    dcpn_json_integer(json, "iterations", fit->iterations);
    dcpn_json_integer(json, "inner_iterations", fit->inner_iterations);
    dcpn_json_integer(json, "line_search_trials", fit->line_search_trials);
    dcpn_json_integer(json, "safeguards", fit->safeguards);
    dcpn_json_number(json, "passes", fit->passes);
}

static void add_fit(struct json_writer *json, const dcpn_model *model, enum times times)
{
    const dcpn_result *fit = &model->fit;
    dcpn_write_end(json, fit);
    dcpn_json_text(json, "algorithm", fit->algorithm);
    dcpn_json_text(json, "metric", fit->metric);
    dcpn_json_text(json, "subsolver", fit->subsolver);
    dcpn_json_number(json, "lambda", model->settings.lambda);
    dcpn_json_integer(json, "n", model->rows);
    dcpn_json_integer(json, "p", model->features);
    dcpn_json_integer(json, "nnz", model->nonzeros);
    dcpn_json_integer(json, "escape", fit->escape);
    dcpn_json_integer(json, "untried", fit->untried);
    dcpn_write_work(json, fit);
    if (times == WITHOUT_TIMES) return;
    dcpn_json_number(json, "read_s", model->making.read_s);
    dcpn_json_number(json, "time_s", fit->time_s);
    dcpn_json_integer(json, "threads", model->making.threads);
}

void dcpn_write_settings(struct json_writer *json, const dcpn_settings *settings)
{
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        const void *field = (const char *)settings + setting->offset;
        switch (setting->kind) {
        case DCPN_KIND_REAL:
            dcpn_json_number(json, setting->option, *(const double *)field);
            break;
        case DCPN_KIND_COUNT:
            dcpn_json_integer(json, setting->option, *(const int64_t *)field);
            break;
        case DCPN_KIND_FLAG:
            dcpn_json_flag(json, setting->option, *(const int *)field);
            break;
        case DCPN_KIND_CHOICE:
            dcpn_json_text(json, setting->option, *(const char *const *)field);
            break;
        }
    }
}

void dcpn_write_format(struct json_writer *json, const char *format, int64_t scores)
{
    dcpn_json_text(json, "format", format);
    dcpn_json_integer(json, "version", scores > 1 ? DCPN_MODEL_VERSION : 1);
    if (scores > 1) dcpn_json_integer(json, "scores", scores);
}

void dcpn_write_classes(struct json_writer *json, const dcpn_classes *labels, const char *const *names)
{
    int64_t count = labels->are_responses ? 0 : labels->count;
    const double *classes = labels->numbers;
    if (!count)
        dcpn_json_text(json, "classes", NULL);
    else if (names)
        dcpn_json_texts(json, "classes", names, count);
    else
        dcpn_json_numbers(json, "classes", classes, count);
    if (labels->are_responses) dcpn_json_texts(json, "responses", names, labels->count);
}

void dcpn_write_intercepts(struct json_writer *json, int64_t count, double first, const double *all)
{
    if (count > 1)
        dcpn_json_numbers(json, "intercept", all, count);
    else
        dcpn_json_number(json, "intercept", first);
}

void dcpn_write_coefficients(struct json_writer *json, const struct written_coefficients *c)
{
    if (c->scores > 1) {
        dcpn_json_list(json, "class", c->count, ", ");
        for (int64_t k = 0; k < c->count; k++) dcpn_json_put_integer(json, c->index[k] / c->features);
        dcpn_json_close(json);
        dcpn_json_list(json, "index", c->count, ", ");
        for (int64_t k = 0; k < c->count; k++) dcpn_json_put_integer(json, c->index[k] % c->features + c->index_base);
        dcpn_json_close(json);
    } else {
        dcpn_json_integers(json, "index", c->index, c->count, c->index_base);
    }
    dcpn_json_numbers(json, "value", c->value, c->count);
}

void dcpn_write_categories(struct json_writer *json, const dcpn_category *categories, int64_t count)
{
    if (count == 0) return;
    dcpn_json_list(json, "categories", count, ", ");
    for (int64_t c = 0; c < count; c++) {
        dcpn_json_open(json, ", ");
        dcpn_json_text(json, "column", categories[c].column);
        dcpn_json_texts(json, "levels", (const char *const *)categories[c].levels, categories[c].count);
        dcpn_json_close(json);
    }
    dcpn_json_close(json);
}

static void add_coefficients(struct json_writer *json, const dcpn_model *model)
{
    const struct written_coefficients written = {model->scores, model->features, model->nonzeros,
                                                 model->index,  model->value,    model->index_base};
    dcpn_write_coefficients(json, &written);
    if (model->table.names && model->nonzeros)
        dcpn_json_texts(json, "name", (const char *const *)model->table.names, model->nonzeros);
    if (model->table.fill && model->nonzeros) dcpn_json_numbers(json, "missing", model->table.fill, model->nonzeros);
}

/* Writes the raw shape that corresponds to params, which give it in units of the problem. */
static void write_shape(struct json_writer *json, const dcpn_model *model)
{
    const dcpn_penalty_ops *penalty = dcpn_find_penalty(model->settings.penalty);
    if (!(model->shape_unit > 0.0) || !penalty || !penalty->to_raw) return;
    dcpn_json_object(json, "shape", ", ");
    dcpn_json_number(json, "unit", model->shape_unit);
    dcpn_json_number(json, penalty->parameters, dcpn_raw_shape(&model->settings, model->shape_unit));
    dcpn_json_close(json);
}

static void write_model(struct json_writer *json, const dcpn_model *model)
{
    static const char within[] = ",\n    ";
    dcpn_json_open(json, ",\n  ");
    dcpn_write_format(json, DCPN_MODEL_FORMAT, model->scores);
    dcpn_json_object(json, "params", within);
    dcpn_write_settings(json, &model->settings);
    dcpn_json_close(json);
    write_shape(json, model);
    dcpn_write_classes(json, &model->labels, (const char *const *)model->labels.names);
    if (model->table.label_name) dcpn_json_text(json, "label", model->table.label_name);
    dcpn_write_categories(json, model->table.categories, model->table.category_count);
    if (model->has_offset) dcpn_json_flag(json, "offset", 1);
    dcpn_json_integer(json, "features", model->features);
    dcpn_json_integer(json, "index_base", model->index_base);
    dcpn_write_groups(json, model->groups, model->index_base);
    int64_t intercepts = dcpn_intercept_count(model->scores, &model->labels);
    dcpn_write_intercepts(json, intercepts, model->intercept, model->intercepts);
    dcpn_json_object(json, "coef", within);
    add_coefficients(json, model);
    dcpn_json_close(json);
    dcpn_json_object(json, "fit", within);
    add_fit(json, model, WITHOUT_TIMES);
    dcpn_json_close(json);
    if (model->making.command) dcpn_json_texts(json, "command", model->making.command, model->making.command_length);
    dcpn_json_seal(json);
}

dcpn_status dcpn_write_json(struct json_writer *json, const char *path)
{
    dcpn_context *context = json->text.context;
    size_t length = json->text.length;
    char *text;
    DCPN_TRY(dcpn_json_give(json, &text));
    dcpn_status status = dcpn_write_text(context, path, text, length);
    dcpn_free(context, text);
    return status;
}

static dcpn_status refuse_own_parts(const dcpn_model *model)
{
    if (dcpn_settings_check(model->context, &model->settings) != DCPN_OK)
        return dcpn_fail(model->context, DCPN_USAGE,
                         "a model with a loss or penalty of your own cannot be written: the file could not say what "
                         "it means; keep its coefficients (index, value, intercept) yourself");
    return DCPN_OK;
}

dcpn_status dcpn_model_write(const dcpn_model *model, const char *path)
{
    DCPN_NEED(NULL, model);
    DCPN_TRY(refuse_own_parts(model));
    struct json_writer json = dcpn_json_writer(model->context);
    write_model(&json, model);
    return dcpn_write_json(&json, path);
}

dcpn_status dcpn_model_json(const dcpn_model *model, char **text)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, text);
    *text = NULL;
    DCPN_TRY(refuse_own_parts(model));
    struct json_writer json = dcpn_json_writer(model->context);
    write_model(&json, model);
    return dcpn_json_give(&json, text);
}

dcpn_status dcpn_model_fit_json(const dcpn_model *model, char **text)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, text);
    struct json_writer json = dcpn_json_writer(model->context);
    dcpn_json_open(&json, ", ");
    add_fit(&json, model, WITH_TIMES);
    dcpn_json_close(&json);
    return dcpn_json_give(&json, text);
}
