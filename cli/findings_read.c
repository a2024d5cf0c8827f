/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading result files: JSON that nobody vouches for. What is not known is ignored, what is missing is not known. */
#include "findings_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The parts of a file ---- */

static void read_setting(struct findings_reader *reader, const json_t *params, const dcpn_setting *setting)
{
    void *field = (char *)&reader->findings->settings + setting->offset;
    if (!json_object_get(params, setting->option)) return;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        *(double *)field = dcpn_cli_need_number(reader, params, setting->option);
        break;
    case DCPN_KIND_COUNT:
        *(int64_t *)field = dcpn_cli_get_count(reader, params, setting->option, 0);
        break;
    case DCPN_KIND_FLAG:
        *(int *)field = dcpn_cli_get_truth(reader, params, setting->option) == 1;
        break;
    case DCPN_KIND_CHOICE:
        *(const char **)field = dcpn_cli_get_text(reader, params, setting->option);
        if (!*(const char **)field) dcpn_cli_field_refuse(reader, setting->option, "a text");
    }
}

static void read_classes(struct findings_reader *reader, const json_t *root)
{
    const json_t *classes = dcpn_cli_get_list(reader, root, "classes"),
                 *names = dcpn_cli_get_list(reader, root, "class_names");
    struct findings *findings = reader->findings;
    if (!classes) return;
    if (json_array_size(classes) != 2) dcpn_cli_field_refuse(reader, "classes", "two numbers");
    findings->has_classes = 1;
    for (size_t k = 0; k < 2; k++) {
        findings->classes[k] = json_number_value(json_array_get(classes, k));
        findings->class_names[k] = json_string_value(json_array_get(names ? names : classes, k));
    }
}

static void read_data(struct findings_reader *reader, const json_t *root)
{
    const json_t *data = json_object_get(root, "data"), *timing = json_object_get(root, "timing");
    struct findings *findings = reader->findings;
    findings->data_file = dcpn_cli_get_text(reader, data, "file");
    findings->rows = dcpn_cli_get_count(reader, data, "n", -1);
    findings->entries = dcpn_cli_get_count(reader, data, "entries", -1);
    findings->is_dense = dcpn_cli_get_truth(reader, data, "dense");
    findings->weight = dcpn_cli_get_number(reader, data, "weight");
    findings->positives = dcpn_cli_get_number(reader, data, "positives");
    findings->null_deviance = dcpn_cli_get_number(reader, data, "null_deviance");
    findings->threads = dcpn_cli_get_count(reader, timing, "threads", -1);
    findings->read_s = dcpn_cli_get_number(reader, timing, "read_s");
    findings->time_s = dcpn_cli_get_number(reader, timing, "time_s");
}

/* A model names the features that it uses; the others have none. */
static void read_used_names(struct findings_reader *reader, const json_t *coef)
{
    struct findings *findings = reader->findings;
    const json_t *index = dcpn_cli_get_list(reader, coef, "index");
    size_t count;
    const char **used = dcpn_cli_get_texts(reader, coef, "name", &count);
    if (used && json_array_size(index) != count) dcpn_cli_field_refuse(reader, "coef.name", "one per index");
    if (used) findings->names = dcpn_cli_field_allocate(reader, findings->features, sizeof *findings->names);
    for (int64_t j = 0; used && findings->names && j < findings->features; j++) findings->names[j] = "";
    for (size_t k = 0; used && k < count && !reader->code; k++) {
        int64_t feature = dcpn_cli_get_feature(reader, json_array_get(index, k), "coef.index");
        if (!reader->code) findings->names[feature] = used[k];
    }
    free(used);
}

static void read_deviations(struct findings_reader *reader, const json_t *object)
{
    struct findings *findings = reader->findings;
    const json_t *index = dcpn_cli_get_list(reader, object, "index"),
                 *value = dcpn_cli_get_list(reader, object, "value");
    if (!object || reader->code) return;
    if (!index || !value || json_array_size(index) != json_array_size(value)) {
        dcpn_cli_field_refuse(reader, "deviation", "the lists index and value, of one length");
        return;
    }
    findings->deviation = dcpn_cli_field_allocate(reader, findings->features, sizeof *findings->deviation);
    for (int64_t j = 0; findings->deviation && j < findings->features; j++) findings->deviation[j] = 1.0;
    for (size_t k = 0; k < json_array_size(index) && !reader->code; k++) {
        const json_t *number = json_array_get(value, k);
        int64_t feature = dcpn_cli_get_feature(reader, json_array_get(index, k), "deviation.index");
        if (!json_is_number(number)) dcpn_cli_field_refuse(reader, "deviation.value", "numbers");
        if (!reader->code) findings->deviation[feature] = json_number_value(number);
    }
}

/* What stands at the head of every kind of file. */
static void read_head(struct findings_reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    size_t names;
    int64_t base = dcpn_cli_get_count(reader, root, "index_base", 1);
    findings->made_by = dcpn_cli_get_text(reader, root, "dcpn");
    findings->command = dcpn_cli_get_texts(reader, root, "command", &findings->command_length);
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        read_setting(reader, json_object_get(root, "params"), dcpn_setting_at(i));
    read_classes(reader, root);
    findings->features = dcpn_cli_get_count(reader, root, "features", -1);
    if (findings->features < 0 || findings->features > INT32_MAX) dcpn_cli_field_refuse(reader, "features", "a count");
    if (base > 1) dcpn_cli_field_refuse(reader, "index_base", "0 or 1");
    findings->index_base = (int)base;
    findings->names = dcpn_cli_get_texts(reader, root, "feature_names", &names);
    if (findings->names && (int64_t)names != findings->features)
        dcpn_cli_field_refuse(reader, "feature_names", "one per feature");
    if (findings->kind == DCPN_CLI_MODEL_FILE && !findings->names && !reader->code)
        read_used_names(reader, json_object_get(root, "coef"));
    read_data(reader, root);
    if (findings->kind != DCPN_CLI_MODEL_FILE) read_deviations(reader, json_object_get(root, "deviation"));
}

static void read_coefficients(struct findings_reader *reader, const json_t *coef, struct finding *finding)
{
    const json_t *index = dcpn_cli_get_list(reader, coef, "index"), *value = dcpn_cli_get_list(reader, coef, "value");
    if (!index || !value || json_array_size(index) != json_array_size(value)) {
        dcpn_cli_field_refuse(reader, "coef", "the lists index and value, of one length");
        return;
    }
    finding->nonzeros = (int64_t)json_array_size(index);
    finding->index = dcpn_cli_field_allocate(reader, finding->nonzeros, sizeof *finding->index);
    finding->value = dcpn_cli_field_allocate(reader, finding->nonzeros, sizeof *finding->value);
    for (int64_t k = 0; k < finding->nonzeros && !reader->code; k++) {
        const json_t *number = json_array_get(value, (size_t)k);
        if (!json_is_number(number)) dcpn_cli_field_refuse(reader, "coef.value", "numbers");
        finding->index[k] = dcpn_cli_get_feature(reader, json_array_get(index, (size_t)k), "coef.index");
        finding->value[k] = json_number_value(number);
        if (k > 0 && finding->index[k] <= finding->index[k - 1])
            dcpn_cli_field_refuse(reader, "coef.index", "ascending numbers");
    }
}

static void read_measures(struct findings_reader *reader, const json_t *cv, struct finding *finding)
{
    for (size_t m = 0; m < reader->findings->measure_count; m++) {
        const json_t *measure = json_object_get(cv, reader->findings->measures[m]);
        finding->measures[m].mean = dcpn_cli_get_number(reader, measure, "mean");
        finding->measures[m].se = dcpn_cli_get_number(reader, measure, "se");
    }
}

static void read_point(struct findings_reader *reader, const json_t *point, struct finding *finding)
{
    finding->lambda = dcpn_cli_need_number(reader, point, "lambda");
    finding->intercept = dcpn_cli_need_number(reader, point, "intercept");
    read_coefficients(reader, json_object_get(point, "coef"), finding);
    finding->objective = dcpn_cli_get_number(reader, point, "objective");
    finding->loss_value = dcpn_cli_get_number(reader, point, "loss_value");
    finding->penalty_value = dcpn_cli_get_number(reader, point, "penalty_value");
    finding->stationarity = dcpn_cli_get_number(reader, point, "stationarity");
    finding->stationarity_goal = dcpn_cli_get_number(reader, point, "stationarity_goal");
    finding->deviance = dcpn_cli_get_number(reader, point, "deviance");
    finding->deviance_explained = dcpn_cli_get_number(reader, point, "deviance_explained");
    finding->passes = dcpn_cli_get_number(reader, point, "passes");
    finding->iterations = dcpn_cli_get_count(reader, point, "iterations", -1);
    finding->inner_iterations = dcpn_cli_get_count(reader, point, "inner_iterations", -1);
    finding->locally_convex = dcpn_cli_get_truth(reader, point, "locally_convex");
    finding->outcome = dcpn_cli_get_text(reader, point, "outcome");
    read_measures(reader, json_object_get(point, "cv"), finding);
}

static void read_track(struct findings_reader *reader, const json_t *path, const json_t *times, struct track *track)
{
    const json_t *points = dcpn_cli_get_list(reader, path, "points");
    track->penalty = dcpn_cli_get_text(reader, path, "penalty");
    if (!track->penalty) dcpn_cli_field_refuse(reader, "paths.penalty", "a text");
    track->varying = dcpn_cli_get_text(reader, path, "varying");
    track->value = dcpn_cli_get_number(reader, path, "value");
    track->lambda_max = dcpn_cli_get_number(reader, path, "lambda_max");
    track->ended = dcpn_cli_get_text(reader, path, "ended");
    track->best[DCPN_CLI_RULE_MIN] = dcpn_cli_get_count(reader, path, "min", -1);
    track->best[DCPN_CLI_RULE_1SE] = dcpn_cli_get_count(reader, path, "1se", -1);
    track->points = dcpn_cli_field_allocate(reader, (int64_t)json_array_size(points), sizeof *track->points);
    if (!track->points) return;
    track->count = (int64_t)json_array_size(points);
    for (int64_t i = 0; i < track->count && !reader->code; i++) {
        const json_t *time_s = json_array_get(times, (size_t)i);
        read_point(reader, json_array_get(points, (size_t)i), &track->points[i]);
        track->points[i].time_s = json_is_number(time_s) ? json_number_value(time_s) : (double)NAN;
    }
    for (int rule = 0; rule < DCPN_CLI_RULES; rule++)
        if (track->best[rule] >= track->count) dcpn_cli_field_refuse(reader, "paths.min", "the position of a point");
}

static void read_tracks(struct findings_reader *reader, const json_t *root)
{
    const json_t *paths = dcpn_cli_get_list(reader, root, "paths");
    const json_t *times = json_object_get(json_object_get(root, "timing"), "points");
    struct findings *findings = reader->findings;
    if (!paths) dcpn_cli_field_refuse(reader, "paths", "a list");
    findings->tracks = dcpn_cli_field_allocate(reader, (int64_t)json_array_size(paths), sizeof *findings->tracks);
    if (!findings->tracks) return;
    findings->track_count = (int64_t)json_array_size(paths);
    for (size_t i = 0; i < json_array_size(paths) && !reader->code; i++)
        read_track(reader, json_array_get(paths, i), json_array_get(times, i), &findings->tracks[i]);
}

/* ---- Cross-validation ---- */

static void read_measure_names(struct findings_reader *reader, const json_t *root)
{
    const json_t *names = dcpn_cli_get_list(reader, root, "measures");
    const char *chosen = dcpn_cli_get_text(reader, root, "measure");
    struct findings *findings = reader->findings;
    if (json_array_size(names) == 0 || json_array_size(names) > DCPN_CLI_MOST_MEASURES || !chosen) {
        dcpn_cli_field_refuse(reader, "measures", "one to eight names, and measure one of them");
        return;
    }
    findings->measure_count = json_array_size(names);
    findings->measure = findings->measure_count;
    for (size_t m = 0; m < findings->measure_count; m++) {
        findings->measures[m] = json_string_value(json_array_get(names, m));
        if (!findings->measures[m]) dcpn_cli_field_refuse(reader, "measures", "texts");
        if (!reader->code && strcmp(findings->measures[m], chosen) == 0) findings->measure = m;
    }
    if (findings->measure == findings->measure_count) dcpn_cli_field_refuse(reader, "measure", "one of measures");
}

static void read_choice(struct findings_reader *reader, const json_t *chosen, const char *rule, struct choice *choice)
{
    const struct findings *findings = reader->findings;
    const json_t *entry = json_object_get(chosen, rule);
    choice->track = dcpn_cli_get_count(reader, entry, "path", -1);
    choice->point = dcpn_cli_get_count(reader, entry, "point", -1);
    if (choice->track < 0 && choice->point < 0) return;
    if (choice->track < 0 || choice->track >= findings->track_count || choice->point < 0 ||
        choice->point >= findings->tracks[choice->track].count)
        dcpn_cli_field_refuse(reader, "chosen", "positions of a path and a point");
}

static void read_stability(struct findings_reader *reader, const json_t *object)
{
    struct stability *stability = &reader->findings->stability;
    const json_t *index = dcpn_cli_get_list(reader, object, "index"),
                 *frequency = dcpn_cli_get_list(reader, object, "frequency");
    if (!json_is_object(object)) return;
    if (json_array_size(index) != json_array_size(frequency))
        dcpn_cli_field_refuse(reader, "stability.frequency", "one per index");
    stability->subsamples = dcpn_cli_get_count(reader, object, "subsamples", 0);
    stability->unconverged = dcpn_cli_get_count(reader, object, "unconverged", 0);
    stability->share = dcpn_cli_get_number(reader, object, "share");
    stability->threshold = dcpn_cli_get_number(reader, object, "threshold");
    stability->mean_selected = dcpn_cli_get_number(reader, object, "mean_selected");
    stability->bound = dcpn_cli_get_number(reader, object, "bound");
    stability->index = dcpn_cli_field_allocate(reader, (int64_t)json_array_size(index), sizeof *stability->index);
    stability->frequency =
        dcpn_cli_field_allocate(reader, (int64_t)json_array_size(index), sizeof *stability->frequency);
    for (size_t i = 0; i < json_array_size(index) && !reader->code; i++) {
        stability->index[i] = dcpn_cli_get_feature(reader, json_array_get(index, i), "stability.index");
        stability->frequency[i] = json_number_value(json_array_get(frequency, i));
        stability->count++;
    }
}

static void read_cv(struct findings_reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    const char *rule = dcpn_cli_get_text(reader, root, "rule");
    const json_t *chosen = json_object_get(root, "chosen");
    findings->folds = dcpn_cli_get_count(reader, json_object_get(root, "folds"), "count", -1);
    findings->unconverged = (int64_t)json_array_size(dcpn_cli_get_list(reader, root, "unconverged"));
    read_choice(reader, chosen, "min", &findings->chosen[DCPN_CLI_RULE_MIN]);
    read_choice(reader, chosen, "1se", &findings->chosen[DCPN_CLI_RULE_1SE]);
    findings->rule = rule && strcmp(rule, "1se") == 0 ? DCPN_CLI_RULE_1SE : DCPN_CLI_RULE_MIN;
    read_stability(reader, json_object_get(root, "stability"));
}

/* ---- Models ---- */

static void fill_from_model(struct findings_reader *reader, const dcpn_model *model)
{
    struct findings *findings = reader->findings;
    struct track *track = findings->tracks = dcpn_cli_field_allocate(reader, 1, sizeof *track);
    struct finding *point = dcpn_cli_field_allocate(reader, 1, sizeof *point);
    if (track) track->points = point;
    if (!point) return;
    findings->track_count = track->count = 1;
    *track = (struct track){.penalty = model->settings.penalty,
                            .count = 1,
                            .points = point,
                            .value = NAN,
                            .lambda_max = NAN,
                            .best = {-1, -1}};
    *point = (struct finding){.lambda = model->settings.lambda,
                              .intercept = model->intercept,
                              .objective = model->fit.objective,
                              .loss_value = model->fit.loss_value,
                              .penalty_value = model->fit.penalty_value,
                              .stationarity = model->fit.stationarity,
                              .stationarity_goal = model->fit.stationarity_goal,
                              .passes = model->fit.passes,
                              .iterations = model->fit.iterations,
                              .inner_iterations = model->fit.inner_iterations,
                              .outcome = dcpn_outcome_name(model->fit.outcome),
                              .deviance = NAN,
                              .deviance_explained = NAN,
                              .time_s = NAN,
                              .locally_convex = -1};
    point->index = dcpn_cli_field_allocate(reader, model->nonzeros, sizeof *point->index);
    point->value = dcpn_cli_field_allocate(reader, model->nonzeros, sizeof *point->value);
    if (!point->index || !point->value) return;
    point->nonzeros = model->nonzeros;
    memcpy(point->index, model->index, (size_t)model->nonzeros * sizeof *point->index);
    memcpy(point->value, model->value, (size_t)model->nonzeros * sizeof *point->value);
    findings->model = model;
    findings->settings = model->settings;
    findings->features = model->features;
    findings->index_base = model->index_base;
    findings->has_classes = model->has_classes;
    memcpy(findings->classes, model->classes, sizeof findings->classes);
    findings->rows = model->rows > 0 ? model->rows : -1;
}

/* ---- The file ---- */

static void begin(const struct cli *cli, const char *path, struct findings *findings)
{
    *findings = (struct findings){.cli = cli,
                                  .path = path,
                                  .settings = dcpn_settings_default(),
                                  .rows = -1,
                                  .entries = -1,
                                  .is_dense = -1,
                                  .weight = NAN,
                                  .positives = NAN,
                                  .null_deviance = NAN,
                                  .read_s = NAN,
                                  .time_s = NAN,
                                  .threads = -1,
                                  .folds = -1,
                                  .chosen = {{-1, -1}, {-1, -1}}};
}

static void read_document(struct findings_reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    const char *format = dcpn_cli_get_text(reader, root, "format");
    if (format && strcmp(format, "dcpn-model") == 0)
        findings->kind = DCPN_CLI_MODEL_FILE;
    else if (format && strcmp(format, "dcpn-path") == 0)
        findings->kind = DCPN_CLI_PATH_FILE;
    else if (format && strcmp(format, "dcpn-cv") == 0)
        findings->kind = DCPN_CLI_CV_FILE;
    else
        dcpn_cli_field_refuse(reader, "format", "\"dcpn-model\", \"dcpn-path\" or \"dcpn-cv\"");
    if (!reader->code && dcpn_cli_get_count(reader, root, "version", 0) != 1)
        dcpn_cli_field_refuse(reader, "version", "1");
    if (reader->code) return;
    read_head(reader, root);
    if (findings->kind == DCPN_CLI_MODEL_FILE) return;
    if (findings->kind == DCPN_CLI_CV_FILE) read_measure_names(reader, root);
    if (!reader->code) read_tracks(reader, root);
    if (!reader->code && findings->kind == DCPN_CLI_CV_FILE) read_cv(reader, root);
}

int dcpn_cli_findings_parse(const struct cli *cli, const char *path, const char *text, size_t length,
                            struct findings *findings)
{
    struct findings_reader reader = {.cli = cli, .findings = findings};
    json_error_t error;
    begin(cli, path, findings);
    int code = dcpn_cli_check(cli, dcpn_model_text_check(cli->context, path, text, length));
    if (code) return code;
    findings->document = json_loadb(text, length, JSON_REJECT_DUPLICATES, &error);
    if (!findings->document)
        return dcpn_cli_fail(cli, DCPN_MODEL,
                             "%s: line %d, column %d: %s; expected the JSON of a model, a path or a cross-validation",
                             path, error.line, error.column, error.text);
    read_document(&reader, findings->document);
    return reader.code;
}

static int is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at])) at++;
    return at < length && text[at] == '{';
}

/* The texts of a model whose file was no JSON: LIBLINEAR's. */
static void take_names(struct findings_reader *reader, const dcpn_model *model)
{
    struct findings *findings = reader->findings;
    for (int k = 0; k < 2 && model->class_names; k++)
        if (!findings->class_names[k]) findings->class_names[k] = model->class_names[k];
    if (findings->names || !model->names) return;
    findings->names = dcpn_cli_field_allocate(reader, model->features, sizeof *findings->names);
    for (int64_t j = 0; findings->names && j < model->features; j++) findings->names[j] = "";
    for (int64_t i = 0; findings->names && i < model->nonzeros; i++) findings->names[model->index[i]] = model->names[i];
}

int dcpn_cli_findings_model(const struct findings *findings, const dcpn_selection *selection, dcpn_model **model)
{
    const struct cli *cli = findings->cli;
    return dcpn_cli_check(
        cli, dcpn_model_parse(cli->context, findings->path, findings->text, findings->length, selection, model));
}

static int take_model(struct findings_reader *reader)
{
    dcpn_model **model = &reader->findings->own_model;
    int code = dcpn_cli_findings_model(reader->findings, NULL, model);
    if (code) return code;
    fill_from_model(reader, *model);
    take_names(reader, *model);
    return reader->code;
}

int dcpn_cli_findings_read(const struct cli *cli, const char *path, struct findings *findings)
{
    struct findings_reader reader = {.cli = cli, .findings = findings};
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    char *text;
    size_t length;
    begin(cli, name, findings);
    int code = dcpn_cli_check(cli, dcpn_model_text_read(cli->context, path, &text, &length));
    if (code) return code;
    if (is_json(text, length)) code = dcpn_cli_findings_parse(cli, name, text, length, findings);
    findings->text = text;
    findings->length = length;
    return code || findings->kind != DCPN_CLI_MODEL_FILE ? code : take_model(&reader);
}

/* The texts stay the model's or the data's, their lists are copies. */
static void copy_texts(struct findings_reader *reader, const char *const *texts, int64_t count, const char ***copy)
{
    if (!texts) return;
    *copy = dcpn_cli_field_allocate(reader, count, sizeof **copy);
    if (*copy) memcpy(*copy, texts, (size_t)count * sizeof **copy);
}

int dcpn_cli_findings_of_model(const struct cli *cli, const char *path, const dcpn_model *model,
                               const dcpn_dataset *data, struct findings *findings)
{
    struct findings_reader reader = {.cli = cli, .findings = findings};
    begin(cli, path, findings);
    fill_from_model(&reader, model);
    copy_texts(&reader, (const char *const *)data->feature_names, data->features, &findings->names);
    copy_texts(&reader, model->command, model->command_length, &findings->command);
    findings->command_length = (size_t)model->command_length;
    for (int k = 0; k < 2 && data->label_count == 2; k++) findings->class_names[k] = data->label_names[k];
    findings->data_file = path;
    findings->rows = data->rows;
    findings->entries = dcpn_matrix_entries(data->matrix);
    findings->read_s = model->read_s;
    findings->time_s = model->fit.time_s;
    findings->threads = model->threads;
    return reader.code;
}

void dcpn_cli_findings_free(struct findings *findings)
{
    for (int64_t i = 0; i < findings->track_count; i++) {
        struct track *track = &findings->tracks[i];
        for (int64_t k = 0; k < track->count; k++) {
            free(track->points[k].index);
            free(track->points[k].value);
        }
        free(track->points);
    }
    free(findings->tracks);
    free(findings->stability.index);
    free(findings->stability.frequency);
    free(findings->command);
    free(findings->names);
    free(findings->deviation);
    dcpn_model_free(findings->own_model);
    if (findings->text) dcpn_free(findings->cli->context, findings->text);
    json_decref(findings->document);
}
