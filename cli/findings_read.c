/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading result files: JSON that nobody vouches for. What is not known is ignored, what is missing is not known. */
#include "findings.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The first complaint sticks: later ones are of no interest, and their values of no use. */
struct reader {
    const struct cli *cli;
    struct findings *findings;
    int code;
};

static void refuse(struct reader *reader, const char *field, const char *expected)
{
    if (reader->code) return;
    reader->code = dcpn_cli_fail(reader->cli, DCPN_MODEL,
                                 "%s: field %s: expected %s; the file is damaged or not from dcpn: make it again",
                                 reader->findings->path, field, expected);
}

static void *allocate(struct reader *reader, int64_t count, size_t size)
{
    void *memory = reader->code ? NULL : dcpn_cli_allocate(reader->cli, count, size);
    if (!memory && !reader->code) reader->code = dcpn_status_exit_code(DCPN_MEMORY);
    return memory;
}

/* ---- Fields ---- */

static double get_number(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_number(value)) refuse(reader, key, "a number or null");
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static double need_number(struct reader *reader, const json_t *object, const char *key)
{
    double number = get_number(reader, object, key);
    if (!isfinite(number)) refuse(reader, key, "a number");
    return number;
}

static int64_t get_count(struct reader *reader, const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value)) return otherwise;
    if (!json_is_integer(value) || json_integer_value(value) < 0) refuse(reader, key, "a count");
    return json_integer_value(value);
}

static const char *get_text(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_string(value)) refuse(reader, key, "a text or null");
    return json_string_value(value);
}

/* 1, 0, or -1: not known. */
static int get_truth(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value)) return -1;
    if (!json_is_boolean(value)) refuse(reader, key, "true, false or null");
    return json_is_true(value) != 0;
}

static const json_t *get_list(struct reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_array(value)) refuse(reader, key, "a list");
    return json_is_array(value) ? value : NULL;
}

/* A list of texts; NULL if there is none. */
static const char **get_texts(struct reader *reader, const json_t *object, const char *key, size_t *count)
{
    const json_t *list = get_list(reader, object, key);
    const char **texts = list ? allocate(reader, (int64_t)json_array_size(list), sizeof *texts) : NULL;
    *count = texts ? json_array_size(list) : 0;
    for (size_t i = 0; i < *count; i++) {
        texts[i] = json_string_value(json_array_get(list, i));
        if (!texts[i]) refuse(reader, key, "a list of texts");
    }
    return texts;
}

static int64_t get_feature(struct reader *reader, const json_t *number, const char *key)
{
    json_int_t feature = json_integer_value(number), base = reader->findings->index_base;
    if (!json_is_integer(number) || feature < base || feature - base >= reader->findings->features)
        refuse(reader, key, "numbers of features");
    return feature - base;
}

/* ---- The parts of a file ---- */

static void read_setting(struct reader *reader, const json_t *params, const dcpn_setting *setting)
{
    void *field = (char *)&reader->findings->settings + setting->offset;
    if (!json_object_get(params, setting->option)) return;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        *(double *)field = need_number(reader, params, setting->option);
        break;
    case DCPN_KIND_COUNT:
        *(int64_t *)field = get_count(reader, params, setting->option, 0);
        break;
    case DCPN_KIND_FLAG:
        *(int *)field = get_truth(reader, params, setting->option) == 1;
        break;
    case DCPN_KIND_CHOICE:
        *(const char **)field = get_text(reader, params, setting->option);
        if (!*(const char **)field) refuse(reader, setting->option, "a text");
    }
}

static void read_classes(struct reader *reader, const json_t *root)
{
    const json_t *classes = get_list(reader, root, "classes"), *names = get_list(reader, root, "class_names");
    struct findings *findings = reader->findings;
    if (!classes) return;
    if (json_array_size(classes) != 2) refuse(reader, "classes", "two numbers");
    findings->has_classes = 1;
    for (size_t k = 0; k < 2; k++) {
        findings->classes[k] = json_number_value(json_array_get(classes, k));
        findings->class_names[k] = json_string_value(json_array_get(names ? names : classes, k));
    }
}

static void read_data(struct reader *reader, const json_t *root)
{
    const json_t *data = json_object_get(root, "data"), *timing = json_object_get(root, "timing");
    struct findings *findings = reader->findings;
    findings->data_file = get_text(reader, data, "file");
    findings->rows = get_count(reader, data, "n", -1);
    findings->entries = get_count(reader, data, "entries", -1);
    findings->is_dense = get_truth(reader, data, "dense");
    findings->weight = get_number(reader, data, "weight");
    findings->positives = get_number(reader, data, "positives");
    findings->null_deviance = get_number(reader, data, "null_deviance");
    findings->threads = get_count(reader, timing, "threads", -1);
    findings->read_s = get_number(reader, timing, "read_s");
    findings->time_s = get_number(reader, timing, "time_s");
}

/* A model names the features that it uses; the others have none. */
static void read_used_names(struct reader *reader, const json_t *coef)
{
    struct findings *findings = reader->findings;
    const json_t *index = get_list(reader, coef, "index");
    size_t count;
    const char **used = get_texts(reader, coef, "name", &count);
    if (used && json_array_size(index) != count) refuse(reader, "coef.name", "one per index");
    if (used) findings->names = allocate(reader, findings->features, sizeof *findings->names);
    for (int64_t j = 0; used && findings->names && j < findings->features; j++) findings->names[j] = "";
    for (size_t k = 0; used && k < count && !reader->code; k++) {
        int64_t feature = get_feature(reader, json_array_get(index, k), "coef.index");
        if (!reader->code) findings->names[feature] = used[k];
    }
    free(used);
}

/* What stands at the head of every kind of file. */
static void read_head(struct reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    size_t names;
    int64_t base = get_count(reader, root, "index_base", 1);
    findings->made_by = get_text(reader, root, "dcpn");
    findings->command = get_texts(reader, root, "command", &findings->command_length);
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        read_setting(reader, json_object_get(root, "params"), dcpn_setting_at(i));
    read_classes(reader, root);
    findings->features = get_count(reader, root, "features", -1);
    if (findings->features < 0 || findings->features > INT32_MAX) refuse(reader, "features", "a count");
    if (base > 1) refuse(reader, "index_base", "0 or 1");
    findings->index_base = (int)base;
    findings->names = get_texts(reader, root, "feature_names", &names);
    if (findings->names && (int64_t)names != findings->features) refuse(reader, "feature_names", "one per feature");
    if (findings->kind == DCPN_CLI_MODEL_FILE && !findings->names && !reader->code)
        read_used_names(reader, json_object_get(root, "coef"));
    read_data(reader, root);
}

static void read_coefficients(struct reader *reader, const json_t *coef, struct finding *finding)
{
    const json_t *index = get_list(reader, coef, "index"), *value = get_list(reader, coef, "value");
    if (!index || !value || json_array_size(index) != json_array_size(value)) {
        refuse(reader, "coef", "the lists index and value, of one length");
        return;
    }
    finding->nonzeros = (int64_t)json_array_size(index);
    finding->index = allocate(reader, finding->nonzeros, sizeof *finding->index);
    finding->value = allocate(reader, finding->nonzeros, sizeof *finding->value);
    for (int64_t k = 0; k < finding->nonzeros && !reader->code; k++) {
        const json_t *number = json_array_get(value, (size_t)k);
        if (!json_is_number(number)) refuse(reader, "coef.value", "numbers");
        finding->index[k] = get_feature(reader, json_array_get(index, (size_t)k), "coef.index");
        finding->value[k] = json_number_value(number);
        if (k > 0 && finding->index[k] <= finding->index[k - 1]) refuse(reader, "coef.index", "ascending numbers");
    }
}

static void read_measures(struct reader *reader, const json_t *cv, struct finding *finding)
{
    for (size_t m = 0; m < reader->findings->measure_count; m++) {
        const json_t *measure = json_object_get(cv, reader->findings->measures[m]);
        finding->measures[m].mean = get_number(reader, measure, "mean");
        finding->measures[m].se = get_number(reader, measure, "se");
    }
}

static void read_point(struct reader *reader, const json_t *point, struct finding *finding)
{
    finding->lambda = need_number(reader, point, "lambda");
    finding->intercept = need_number(reader, point, "intercept");
    read_coefficients(reader, json_object_get(point, "coef"), finding);
    finding->objective = get_number(reader, point, "objective");
    finding->loss_value = get_number(reader, point, "loss_value");
    finding->penalty_value = get_number(reader, point, "penalty_value");
    finding->stationarity = get_number(reader, point, "stationarity");
    finding->stationarity_goal = get_number(reader, point, "stationarity_goal");
    finding->deviance = get_number(reader, point, "deviance");
    finding->deviance_explained = get_number(reader, point, "deviance_explained");
    finding->passes = get_number(reader, point, "passes");
    finding->iterations = get_count(reader, point, "iterations", -1);
    finding->inner_iterations = get_count(reader, point, "inner_iterations", -1);
    finding->locally_convex = get_truth(reader, point, "locally_convex");
    finding->outcome = get_text(reader, point, "outcome");
    read_measures(reader, json_object_get(point, "cv"), finding);
}

static void read_track(struct reader *reader, const json_t *path, const json_t *times, struct track *track)
{
    const json_t *points = get_list(reader, path, "points");
    track->penalty = get_text(reader, path, "penalty");
    if (!track->penalty) refuse(reader, "paths.penalty", "a text");
    track->varying = get_text(reader, path, "varying");
    track->value = get_number(reader, path, "value");
    track->lambda_max = get_number(reader, path, "lambda_max");
    track->ended = get_text(reader, path, "ended");
    track->best[DCPN_CLI_RULE_MIN] = get_count(reader, path, "min", -1);
    track->best[DCPN_CLI_RULE_1SE] = get_count(reader, path, "1se", -1);
    track->points = allocate(reader, (int64_t)json_array_size(points), sizeof *track->points);
    if (!track->points) return;
    track->count = (int64_t)json_array_size(points);
    for (int64_t i = 0; i < track->count && !reader->code; i++) {
        const json_t *time_s = json_array_get(times, (size_t)i);
        read_point(reader, json_array_get(points, (size_t)i), &track->points[i]);
        track->points[i].time_s = json_is_number(time_s) ? json_number_value(time_s) : (double)NAN;
    }
    for (int rule = 0; rule < DCPN_CLI_RULES; rule++)
        if (track->best[rule] >= track->count) refuse(reader, "paths.min", "the position of a point");
}

static void read_tracks(struct reader *reader, const json_t *root)
{
    const json_t *paths = get_list(reader, root, "paths");
    const json_t *times = json_object_get(json_object_get(root, "timing"), "points");
    struct findings *findings = reader->findings;
    if (!paths) refuse(reader, "paths", "a list");
    findings->tracks = allocate(reader, (int64_t)json_array_size(paths), sizeof *findings->tracks);
    if (!findings->tracks) return;
    findings->track_count = (int64_t)json_array_size(paths);
    for (size_t i = 0; i < json_array_size(paths) && !reader->code; i++)
        read_track(reader, json_array_get(paths, i), json_array_get(times, i), &findings->tracks[i]);
}

/* ---- Cross-validation ---- */

static void read_measure_names(struct reader *reader, const json_t *root)
{
    const json_t *names = get_list(reader, root, "measures");
    const char *chosen = get_text(reader, root, "measure");
    struct findings *findings = reader->findings;
    if (json_array_size(names) == 0 || json_array_size(names) > DCPN_CLI_MOST_MEASURES || !chosen) {
        refuse(reader, "measures", "one to eight names, and measure one of them");
        return;
    }
    findings->measure_count = json_array_size(names);
    findings->measure = findings->measure_count;
    for (size_t m = 0; m < findings->measure_count; m++) {
        findings->measures[m] = json_string_value(json_array_get(names, m));
        if (!findings->measures[m]) refuse(reader, "measures", "texts");
        if (!reader->code && strcmp(findings->measures[m], chosen) == 0) findings->measure = m;
    }
    if (findings->measure == findings->measure_count) refuse(reader, "measure", "one of measures");
}

static void read_choice(struct reader *reader, const json_t *chosen, const char *rule, struct choice *choice)
{
    const struct findings *findings = reader->findings;
    const json_t *entry = json_object_get(chosen, rule);
    choice->track = get_count(reader, entry, "path", -1);
    choice->point = get_count(reader, entry, "point", -1);
    if (choice->track < 0 && choice->point < 0) return;
    if (choice->track < 0 || choice->track >= findings->track_count || choice->point < 0 ||
        choice->point >= findings->tracks[choice->track].count)
        refuse(reader, "chosen", "positions of a path and a point");
}

static void read_stability(struct reader *reader, const json_t *object)
{
    struct stability *stability = &reader->findings->stability;
    const json_t *index = get_list(reader, object, "index"), *frequency = get_list(reader, object, "frequency");
    if (!json_is_object(object)) return;
    if (json_array_size(index) != json_array_size(frequency)) refuse(reader, "stability.frequency", "one per index");
    stability->subsamples = get_count(reader, object, "subsamples", 0);
    stability->unconverged = get_count(reader, object, "unconverged", 0);
    stability->share = get_number(reader, object, "share");
    stability->threshold = get_number(reader, object, "threshold");
    stability->mean_selected = get_number(reader, object, "mean_selected");
    stability->bound = get_number(reader, object, "bound");
    stability->index = allocate(reader, (int64_t)json_array_size(index), sizeof *stability->index);
    stability->frequency = allocate(reader, (int64_t)json_array_size(index), sizeof *stability->frequency);
    for (size_t i = 0; i < json_array_size(index) && !reader->code; i++) {
        stability->index[i] = get_feature(reader, json_array_get(index, i), "stability.index");
        stability->frequency[i] = json_number_value(json_array_get(frequency, i));
        stability->count++;
    }
}

static void read_cv(struct reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    const char *rule = get_text(reader, root, "rule");
    const json_t *chosen = json_object_get(root, "chosen");
    findings->folds = get_count(reader, json_object_get(root, "folds"), "count", -1);
    findings->unconverged = (int64_t)json_array_size(get_list(reader, root, "unconverged"));
    read_choice(reader, chosen, "min", &findings->chosen[DCPN_CLI_RULE_MIN]);
    read_choice(reader, chosen, "1se", &findings->chosen[DCPN_CLI_RULE_1SE]);
    findings->rule = rule && strcmp(rule, "1se") == 0 ? DCPN_CLI_RULE_1SE : DCPN_CLI_RULE_MIN;
    read_stability(reader, json_object_get(root, "stability"));
}

/* ---- Models ---- */

static void fill_from_model(struct reader *reader, const dcpn_model *model)
{
    struct findings *findings = reader->findings;
    struct track *track = findings->tracks = allocate(reader, 1, sizeof *track);
    struct finding *point = allocate(reader, 1, sizeof *point);
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
    point->index = allocate(reader, model->nonzeros, sizeof *point->index);
    point->value = allocate(reader, model->nonzeros, sizeof *point->value);
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

static void read_document(struct reader *reader, const json_t *root)
{
    struct findings *findings = reader->findings;
    const char *format = get_text(reader, root, "format");
    if (format && strcmp(format, "dcpn-model") == 0)
        findings->kind = DCPN_CLI_MODEL_FILE;
    else if (format && strcmp(format, "dcpn-path") == 0)
        findings->kind = DCPN_CLI_PATH_FILE;
    else if (format && strcmp(format, "dcpn-cv") == 0)
        findings->kind = DCPN_CLI_CV_FILE;
    else
        refuse(reader, "format", "\"dcpn-model\", \"dcpn-path\" or \"dcpn-cv\"");
    if (!reader->code && get_count(reader, root, "version", 0) != 1) refuse(reader, "version", "1");
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
    struct reader reader = {.cli = cli, .findings = findings};
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

/* The whole file; to be freed. */
static int read_text(const struct cli *cli, const char *path, char **text, size_t *length)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    size_t capacity = 0;
    int is_bad = !file, is_short = 0;
    for (size_t got = 1; file && got && !is_short;) {
        if (*length == capacity) {
            char *larger = realloc(*text, capacity = capacity ? 2 * capacity : 65536);
            is_short = !larger;
            if (larger) *text = larger;
        }
        if (is_short) break;
        *length += got = fread(*text + *length, 1, capacity - *length, file);
    }
    if (file) is_bad = ferror(file);
    int error = errno;
    if (file && file != stdin) fclose(file);
    if (is_short) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory: no room for %s", path);
    return is_bad ? dcpn_cli_fail(cli, DCPN_IO, "%s: %s", path, strerror(error)) : 0;
}

static int is_json(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && strchr(" \t\r\n", text[at])) at++;
    return at < length && text[at] == '{';
}

int dcpn_cli_findings_read(const struct cli *cli, const char *path, struct findings *findings)
{
    struct reader reader = {.cli = cli, .findings = findings};
    char *text = NULL;
    size_t length = 0;
    begin(cli, path, findings);
    int code = read_text(cli, path, &text, &length), json = !code && is_json(text, length);
    if (json) code = dcpn_cli_findings_parse(cli, path, text, length, findings);
    free(text);
    if (code || findings->kind != DCPN_CLI_MODEL_FILE) return code;
    if (strcmp(path, "-") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "a model from standard input is not read here; give its file");
    code = dcpn_cli_check(cli, dcpn_model_read(cli->context, path, &findings->own_model));
    if (code) return code;
    fill_from_model(&reader, findings->own_model);
    return reader.code;
}

/* The texts stay the model's or the data's, their lists are copies. */
static void copy_texts(struct reader *reader, const char *const *texts, int64_t count, const char ***copy)
{
    if (!texts) return;
    *copy = allocate(reader, count, sizeof **copy);
    if (*copy) memcpy(*copy, texts, (size_t)count * sizeof **copy);
}

int dcpn_cli_findings_of_model(const struct cli *cli, const char *path, const dcpn_model *model,
                               const dcpn_dataset *data, struct findings *findings)
{
    struct reader reader = {.cli = cli, .findings = findings};
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
    dcpn_model_free(findings->own_model);
    json_decref(findings->document);
}
