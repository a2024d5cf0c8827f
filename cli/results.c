/* SPDX-License-Identifier: BSD-3-Clause */
/* Results to be shown: where they come from, and questions to them: which point, which name, which order. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/* ---- Where they come from ---- */

static void take_model(const dcpn_model *model, struct results *results)
{
    results->model = model;
    results->point = (dcpn_path_point){.lambda = model->settings.lambda,
                                       .intercept = model->intercept,
                                       .fit = model->fit,
                                       .deviance = NAN,
                                       .is_locally_convex = -1,
                                       .convexity = NAN};
    results->point.fit.nonzeros = model->nonzeros;
    results->path = (dcpn_path){.settings = model->settings,
                                .lambda_max = NAN,
                                .count = 1,
                                .points = &results->point,
                                .index = model->index,
                                .value_of = model->value,
                                .used = model->nonzeros,
                                .intercepts = model->intercepts};
    results->one = (dcpn_paths){.settings = model->settings,
                                .rows = model->rows > 0 ? model->rows : -1,
                                .features = model->features,
                                .entries = -1,
                                .is_dense = -1,
                                .weight = NAN,
                                .positives = NAN,
                                .null_deviance = NAN,
                                .scores = model->scores,
                                .labels.count = model->labels.count,
                                .labels.numbers = model->labels.numbers,
                                .labels.are_ordered = model->labels.are_ordered,
                                .count = 1,
                                .paths = &results->path,
                                .threads = model->making.threads};
    results->paths = &results->one;
}

void dcpn_cli_results_of_file(const struct cli *cli, dcpn_results *file, struct results *results)
{
    *results = (struct results){.cli = cli,
                                .file = file,
                                .name = file->name,
                                .version = file->version,
                                .from = file->provenance,
                                .paths = file->paths,
                                .cv = file->cv,
                                .time_s = file->paths ? file->paths->time_s : (double)NAN};
    if (!file->model) return;
    take_model(file->model, results);
    results->from.index_base = file->model->index_base;
    results->from.command = file->model->making.command;
    results->from.words = file->model->making.command_length;
    results->from.class_names = (const char *const *)file->model->labels.names;
    results->from.groups = file->model->groups;
}

int dcpn_cli_results_read(const struct cli *cli, const char *path, struct results *results)
{
    dcpn_results *file;
    *results = (struct results){.cli = cli};
    int code = dcpn_cli_check(cli, dcpn_results_read(cli->context, path, &file));
    if (!code) dcpn_cli_results_of_file(cli, file, results);
    return code;
}

void dcpn_cli_results_of_model(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                               const dcpn_provenance *from, struct results *results)
{
    *results = (struct results){.cli = cli, .name = from->file, .from = *from, .time_s = model->fit.time_s};
    take_model(model, results);
    results->one.rows = data->rows;
    results->one.entries = dcpn_matrix_entries(data->matrix);
}

void dcpn_cli_results_of_paths(const struct cli *cli, const dcpn_paths *paths, const dcpn_cv *cv,
                               const dcpn_provenance *from, struct results *results)
{
    double time_s = cv ? cv->ending.time_s : paths->time_s;
    *results =
        (struct results){.cli = cli, .name = from->file, .paths = paths, .cv = cv, .from = *from, .time_s = time_s};
}

void dcpn_cli_results_free(struct results *results)
{
    dcpn_results_free(results->file);
}

/* ---- What is at a point ---- */

const dcpn_path *dcpn_cli_path_at(const struct results *results, struct choice choice)
{
    return &results->paths->paths[choice.path];
}

const dcpn_path_point *dcpn_cli_point_at(const struct results *results, struct choice choice)
{
    return &dcpn_cli_path_at(results, choice)->points[choice.point];
}

struct measurement dcpn_cli_measurement(const struct results *results, struct choice choice, int measure)
{
    const dcpn_cv *cv = results->cv;
    int64_t at = (cv->first[choice.path] + choice.point) * DCPN_MEASURES + measure;
    return (struct measurement){cv->mean[at], cv->se[at]};
}

int64_t dcpn_cli_unconverged_in_folds(const dcpn_cv *cv)
{
    int64_t count = 0;
    for (int64_t k = 0; k < cv->first[cv->paths->count] * cv->folds; k++)
        count += cv->outcome[k] != DCPN_NOT_RUN && !dcpn_has_converged(cv->outcome[k]);
    return count;
}

double dcpn_cli_explained(const dcpn_paths *paths, const dcpn_path_point *point)
{
    return paths->null_deviance > 0.0 ? 1.0 - point->deviance / paths->null_deviance : (double)NAN;
}

static int by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* The position of a feature among ascending ones; -1: it is not there. */
static int64_t find(int64_t feature, const int64_t *index, int64_t count)
{
    const int64_t *found = count ? bsearch(&feature, index, (size_t)count, sizeof *index, by_number) : NULL;
    return found ? found - index : -1;
}

/* A model that was read names the features it uses. */
const char *dcpn_cli_given_name(const struct results *results, int64_t feature)
{
    const dcpn_model *model = results->model;
    int64_t k = -1, scores = results->paths->scores;
    if (results->from.feature_names) return results->from.feature_names[feature];
    for (int64_t score = 0; model && model->table.names && k < 0 && score < scores; score++)
        k = find(score * model->features + feature, model->index, model->nonzeros);
    return k >= 0 ? model->table.names[k] : NULL;
}

const char *dcpn_cli_feature_name(const struct results *results, int64_t feature, const char *prefix,
                                  char room[DCPN_CLI_NAME_SIZE])
{
    const char *name = dcpn_cli_given_name(results, feature);
    if (name && *name) return name;
    snprintf(room, DCPN_CLI_NAME_SIZE, "%s%lld", prefix, (long long)(feature + results->from.index_base));
    return room;
}

const char *dcpn_cli_class_name(const struct results *results, int64_t k, char room[DCPN_CLI_NAME_SIZE])
{
    if (results->from.class_names) return results->from.class_names[k];
    snprintf(room, DCPN_CLI_NAME_SIZE, "%.10g", results->paths->labels.numbers[k]);
    return room;
}

const char *dcpn_cli_coefficient_name(const struct results *results, int64_t number, const char *prefix,
                                      char room[DCPN_CLI_NAME_SIZE])
{
    char of_feature[DCPN_CLI_NAME_SIZE], of_class[DCPN_CLI_NAME_SIZE];
    int64_t features = results->paths->features;
    if (results->paths->scores == 1) return dcpn_cli_feature_name(results, number, prefix, room);
    const char *feature = dcpn_cli_feature_name(results, number % features, prefix, of_feature);
    const char *name = dcpn_cli_class_name(results, number / features, of_class);
    const int half = DCPN_CLI_NAME_SIZE / 2 - 2;
    snprintf(room, DCPN_CLI_NAME_SIZE, "%.*s: %.*s", half, name, half, feature);
    return room;
}

int64_t dcpn_cli_features_at(const struct results *results, struct choice choice)
{
    return dcpn_paths_count_features(results->paths, choice.path, choice.point);
}

/* ---- Paths of a comparison ---- */

const char *dcpn_cli_path_name(const dcpn_path *path, char room[DCPN_CLI_PATH_NAME_SIZE])
{
    const char *kind = path->kind == DCPN_PATH_SEARCHED ? ", searched" : "";
    if (path->kind == DCPN_PATH_BY_SIZE && path->varying)
        snprintf(room, DCPN_CLI_PATH_NAME_SIZE, "refitted models, %.15s = %.4g", path->varying, path->value);
    else if (path->kind == DCPN_PATH_BY_SIZE)
        snprintf(room, DCPN_CLI_PATH_NAME_SIZE, "refitted models");
    else if (path->varying)
        snprintf(room, DCPN_CLI_PATH_NAME_SIZE, "%.30s, %.15s = %.4g%s", path->settings.penalty, path->varying,
                 path->value, kind);
    else
        snprintf(room, DCPN_CLI_PATH_NAME_SIZE, "%.60s%s", path->settings.penalty, kind);
    return room;
}

int dcpn_cli_path_is_repeated(const dcpn_cv *cv, int64_t v)
{
    if (v < 1 || cv->paths->paths[v].kind != DCPN_PATH_SEARCHED || cv->best[v] < 0) return 0;
    const dcpn_path_point *a = cv->paths->paths[v].points, *b = cv->paths->paths[v - 1].points;
    int64_t m = (int64_t)cv->measured.chooses, here = cv->first[v], there = cv->first[v - 1];
    for (int rule = 0; rule < 2; rule++) {
        int64_t k = rule ? cv->one_se[v] : cv->best[v], l = rule ? cv->one_se[v - 1] : cv->best[v - 1];
        if (k != l || a[k].fit.nonzeros != b[l].fit.nonzeros) return 0;
        if (cv->mean[(here + k) * DCPN_MEASURES + m] != cv->mean[(there + l) * DCPN_MEASURES + m]) return 0;
    }
    return 1;
}

int dcpn_cli_path_is_left_out(const struct results *results, int64_t path, int64_t shown)
{
    const dcpn_cv *cv = results->cv;
    if (!cv || path == shown) return 0;
    return dcpn_cli_path_is_repeated(cv, path) || (path + 1 == shown && dcpn_cli_path_is_repeated(cv, shown));
}

/* ---- Which point ---- */

struct choice dcpn_cli_results_chosen(const struct results *results, enum results_rule rule)
{
    const dcpn_cv_choice *choice = !results->cv                ? NULL
                                   : rule == DCPN_CLI_RULE_OWN ? &results->cv->choice.chosen
                                   : rule == DCPN_CLI_RULE_1SE ? &results->cv->choice.sparse
                                                               : &results->cv->choice.min;
    return choice ? (struct choice){choice->path, choice->point} : (struct choice){-1, -1};
}

/* Chooses the point if none was asked for: the only one, the one that the rule chose, or the end of the first path. */
static void choose_usual(const struct results *results, struct choice *choice)
{
    const dcpn_paths *paths = results->paths;
    int64_t points = paths->count ? paths->paths[0].count : 0;
    if (results->cv)
        *choice = dcpn_cli_results_chosen(results, DCPN_CLI_RULE_OWN);
    else if (points)
        *choice = (struct choice){0, points - 1};
}

/* Chooses the end of a path where no lambda is named. */
static int choose_selected(const struct results *results, dcpn_selection selection, struct choice *choice)
{
    const struct cli *cli = results->cli;
    int is_of_lambda = selection.has_lambda;
    if (!results->cv && !results->model && !selection.rule) selection.has_lambda = 1;
    int code = dcpn_cli_check(cli, dcpn_results_find(results->file, &selection, &choice->path, &choice->point));
    if (code || !is_of_lambda) return code;
    double found = dcpn_cli_point_at(results, *choice)->lambda;
    if (fabs(found - selection.lambda) > 1e-4 * selection.lambda && !cli->is_quiet)
        dcpn_cli_say(cli, "the nearest lambda in %s is %.6g", results->name, found);
    return 0;
}

int dcpn_cli_results_choose(const struct results *results, const dcpn_selection *selection, struct choice *choice)
{
    const dcpn_selection *s = selection;
    *choice = (struct choice){-1, -1};
    if (s && (s->rule || s->has_lambda || s->penalty || s->has_value)) return choose_selected(results, *s, choice);
    choose_usual(results, choice);
    if (choice->path >= 0) return 0;
    return dcpn_cli_fail(results->cli, DCPN_MODEL, "%s: no model is in it; its path has no points", results->name);
}

/* ---- Order ---- */

struct sized {
    double size;
    int64_t position;
};

static int by_size(const void *left, const void *right)
{
    const struct sized *a = left, *b = right;
    if (a->size > b->size || a->size < b->size) return a->size > b->size ? -1 : 1;
    return (a->position > b->position) - (a->position < b->position);
}

double dcpn_cli_weight(const struct results *results, const dcpn_path *path, int64_t k)
{
    const dcpn_paths *paths = results->paths;
    int64_t at = paths->deviations.value
                     ? find(path->index[k] % paths->features, paths->deviations.index, paths->deviations.count)
                     : -1;
    return path->value_of[k] * (at >= 0 ? paths->deviations.value[at] : 1.0);
}

int64_t *dcpn_cli_by_size(const struct results *results, struct choice choice)
{
    const struct cli *cli = results->cli;
    const dcpn_path *path = dcpn_cli_path_at(results, choice);
    const dcpn_path_point *point = dcpn_cli_point_at(results, choice);
    int64_t count = point->fit.nonzeros;
    struct sized *sized = dcpn_cli_allocate(cli, count, sizeof *sized);
    int64_t *order = dcpn_cli_allocate(cli, count, sizeof *order);
    if (!sized || !order) {
        free(sized);
        free(order);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++)
        sized[i] = (struct sized){fabs(dcpn_cli_weight(results, path, point->first + i)), point->first + i};
    qsort(sized, (size_t)count, sizeof *sized, by_size);
    for (int64_t i = 0; i < count; i++) order[i] = sized[i].position;
    free(sized);
    return order;
}
