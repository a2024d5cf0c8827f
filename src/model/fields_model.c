/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in a model or a data set, without their layouts. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "dcpn/handles.h"

static int is_real(double real, dcpn_value *value)
{
    *value = (dcpn_value){.kind = DCPN_KIND_REAL, .real = real};
    return 1;
}

static int is_count(int64_t count, dcpn_value *value)
{
    *value = (dcpn_value){.kind = DCPN_KIND_COUNT, .count = count, .real = (double)count};
    return 1;
}

static int is_text(const char *text, dcpn_value *value)
{
    *value = (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = text};
    return 1;
}

/* ---- models ---- */

int dcpn_model_get(const dcpn_model *model, const char *field, dcpn_value *value)
{
    if (!model || !field || !value) return 0;
    if (strcmp(field, "features") == 0) return is_count(model->features, value);
    if (strcmp(field, "nonzeros") == 0) return is_count(model->nonzeros, value);
    if (strcmp(field, "scores") == 0) return is_count(model->scores, value);
    if (strcmp(field, "intercepts") == 0)
        return is_count(dcpn_intercept_count(model->scores, &model->labels), value);
    if (strcmp(field, "classes") == 0) return is_count(model->labels.count, value);
    if (strcmp(field, "rows") == 0) return is_count(model->rows, value);
    if (strcmp(field, "index_base") == 0) return is_count(model->index_base, value);
    if (strcmp(field, "has_offset") == 0) return is_count(model->has_offset, value);
    if (strcmp(field, "intercept") == 0) return is_real(model->intercept, value);
    if (strcmp(field, "shape_unit") == 0) return is_real(model->shape_unit, value);
    if (strcmp(field, "label_name") == 0) return is_text(model->table.label_name, value);
    return dcpn_result_get(&model->fit, field, value);
}

/* NaN: the field is not there, or is a text. */
static double number(int is_there, const dcpn_value *value)
{
    return is_there && value->kind != DCPN_KIND_CHOICE ? value->real : (double)NAN;
}

double dcpn_model_number(const dcpn_model *model, const char *field)
{
    dcpn_value value = {0};
    return number(dcpn_model_get(model, field, &value), &value);
}

const dcpn_settings *dcpn_model_settings(const dcpn_model *model)
{
    return model ? &model->settings : NULL;
}

int64_t dcpn_model_coefficients(const dcpn_model *model, const int64_t **index, const double **value)
{
    if (!model) return 0;
    if (index) *index = model->index;
    if (value) *value = model->value;
    return model->nonzeros;
}

const double *dcpn_model_intercepts(const dcpn_model *model)
{
    if (!model) return NULL;
    return model->intercepts ? model->intercepts : &model->intercept;
}

int dcpn_model_class(const dcpn_model *model, int64_t k, double *number, const char **name)
{
    if (!model || k < 0 || k >= model->labels.count) return 0;
    if (number) *number = model->labels.numbers[k];
    if (name) *name = model->labels.names ? model->labels.names[k] : NULL;
    return 1;
}

const char *dcpn_model_name(const dcpn_model *model, int64_t k)
{
    return model && model->table.names && k >= 0 && k < model->nonzeros ? model->table.names[k] : NULL;
}

/* ---- data sets ---- */

int dcpn_dataset_get(const dcpn_dataset *data, const char *field, dcpn_value *value)
{
    if (!data || !field || !value) return 0;
    if (strcmp(field, "rows") == 0) return is_count(data->rows, value);
    if (strcmp(field, "features") == 0) return is_count(data->features, value);
    if (strcmp(field, "index_base") == 0) return is_count(data->index_base, value);
    if (strcmp(field, "label_count") == 0) return is_count(data->label_count, value);
    if (strcmp(field, "label_name") == 0) return is_text(data->label_name, value);
    if (strcmp(field, "id_name") == 0) return is_text(data->id_name, value);
    if (strcmp(field, "format") == 0) return is_text(data->format, value);
    return 0;
}

double dcpn_dataset_number(const dcpn_dataset *data, const char *field)
{
    dcpn_value value = {0};
    return number(dcpn_dataset_get(data, field, &value), &value);
}

const dcpn_matrix *dcpn_dataset_matrix(const dcpn_dataset *data)
{
    return data ? data->matrix : NULL;
}

const double *dcpn_dataset_labels(const dcpn_dataset *data)
{
    return data ? data->labels : NULL;
}

static const char *at(char *const *texts, int64_t count, int64_t k)
{
    return texts && k >= 0 && k < count ? texts[k] : NULL;
}

const char *dcpn_dataset_feature_name(const dcpn_dataset *data, int64_t feature)
{
    return data ? at(data->feature_names, data->features, feature) : NULL;
}

const char *dcpn_dataset_label_text(const dcpn_dataset *data, int64_t number)
{
    return data ? at(data->label_names, data->label_count, number) : NULL;
}

const char *dcpn_dataset_row_name(const dcpn_dataset *data, int64_t row)
{
    return data ? at(data->row_names, data->rows, row) : NULL;
}

int64_t dcpn_dataset_gaps(const dcpn_dataset *data, int64_t feature)
{
    return data && data->gaps && feature >= 0 && feature < data->features ? data->gaps[feature] : 0;
}
