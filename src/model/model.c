/* SPDX-License-Identifier: BSD-3-Clause */
/* Fitted models: made from a solver or from paths. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "data/categories.h"
#include "base/vector.h"
#include "data/dataset.h"
#include "data/names.h"
#include "model/path_write.h"
#include "dcpn/dcpn.h"
#include "settings/registry.h"
#include "solver/solver.h"

/* The texts of a model: the choices among its settings and the parts that its fit used. */
static size_t text_count(void)
{
    return dcpn_setting_count() + 3;
}

static const char **text_at(dcpn_model *model, size_t k)
{
    const char **parts[] = {&model->fit.algorithm, &model->fit.metric, &model->fit.subsolver};
    if (k >= dcpn_setting_count()) return parts[k - dcpn_setting_count()];
    const dcpn_setting *setting = dcpn_setting_at(k);
    if (setting->kind != DCPN_KIND_CHOICE) return NULL;
    return (const char **)(void *)((char *)&model->settings + setting->offset);
}

dcpn_status dcpn_model_own_texts(dcpn_model *model)
{
    size_t bytes = 0;
    for (size_t k = 0; k < text_count(); k++) {
        const char **text = text_at(model, k);
        if (text && *text) bytes += strlen(*text) + 1;
    }
    char *next = model->texts = dcpn_allocate(model->context, bytes, 1);
    if (!next) return DCPN_MEMORY;
    for (size_t k = 0; k < text_count(); k++) {
        const char **text = text_at(model, k);
        if (!text || !*text) continue;
        size_t length = strlen(*text) + 1;
        *text = memcpy(next, *text, length);
        next += length;
    }
    return DCPN_OK;
}

dcpn_status dcpn_model_allocate(dcpn_context *context, int64_t nonzeros, dcpn_model **model)
{
    dcpn_model *made = dcpn_allocate(context, 1, sizeof *made);
    *model = made;
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_model){.context = context, .settings = dcpn_settings_default(), .nonzeros = nonzeros, .scores = 1};
    made->index = dcpn_allocate(context, (size_t)nonzeros, sizeof *made->index);
    made->value = dcpn_allocate(context, (size_t)nonzeros, sizeof *made->value);
    if (made->index && made->value) return DCPN_OK;
    dcpn_model_free(made);
    *model = NULL;
    return DCPN_MEMORY;
}

static dcpn_status copy_numbers(dcpn_context *context, const double *from, int64_t count, double **copy)
{
    dcpn_free(context, *copy);
    *copy = dcpn_allocate(context, (size_t)count, sizeof **copy);
    if (!*copy) return DCPN_MEMORY;
    dcpn_copy(count, from, *copy);
    return DCPN_OK;
}

dcpn_status dcpn_model_set_intercepts(dcpn_model *model, const double *intercepts)
{
    int64_t count = dcpn_intercept_count(model->scores, &model->labels);
    model->intercept = intercepts[0];
    return count > 1 ? copy_numbers(model->context, intercepts, count, &model->intercepts) : DCPN_OK;
}

dcpn_status dcpn_model_set_classes(dcpn_model *model, int64_t count, const double *classes)
{
    model->labels.count = count;
    return count > 0 ? copy_numbers(model->context, classes, count, &model->labels.numbers) : DCPN_OK;
}

static void copy_coefficients(dcpn_model *model, const double *coefficients)
{
    int64_t k = 0;
    for (int64_t j = 0; j < model->scores * model->features; j++) {
        if (coefficients[j] == 0.0) continue;
        model->index[k] = j;
        model->value[k++] = coefficients[j];
    }
}

dcpn_status dcpn_model_new(const dcpn_solver *solver, int index_base, dcpn_model **model)
{
    DCPN_NEED(NULL, solver);
    dcpn_context *context = dcpn_solver_context(solver);
    DCPN_NEED(context, model);
    const double *coefficients = dcpn_solver_coefficients(solver);
    int64_t features = dcpn_solver_features(solver);
    *model = NULL;
    if (dcpn_solver_result(solver)->outcome == DCPN_NOT_RUN)
        return dcpn_fail(context, DCPN_USAGE, "a model of a solver that has not been run; call dcpn_solver_run first");
    if (index_base != 0 && index_base != 1)
        return dcpn_fail(context, DCPN_USAGE, "index base of a model: found %d, expected 0 or 1", index_base);
    const struct targets *targets = &solver->plan->targets;
    dcpn_model *made;
    DCPN_TRY(dcpn_model_allocate(context, dcpn_count_nonzeros(targets->scores * features, coefficients), &made));
    made->settings = *dcpn_solver_settings(solver);
    made->settings.loss = dcpn_solver_loss_name(solver);
    made->settings.penalty = dcpn_solver_penalty_name(solver);
    made->features = features;
    made->index_base = index_base;
    made->shape_unit = solver->plan->shape_unit;
    made->has_offset = dcpn_problem_has_offset(&solver->plan->given);
    made->rows = dcpn_solver_rows(solver);
    made->fit = *dcpn_solver_result(solver);
    made->making.threads = dcpn_context_threads(context);
    made->scores = targets->scores;
    dcpn_status status = dcpn_model_set_classes(made, targets->class_count, targets->classes);
    made->labels.are_responses = targets->are_responses;
    made->labels.are_ordered = targets->ordered.count > 0;
    if (status == DCPN_OK) status = dcpn_model_set_intercepts(made, dcpn_solver_intercepts(solver));
    if (status == DCPN_OK) copy_coefficients(made, coefficients);
    if (status == DCPN_OK) status = dcpn_model_own_texts(made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}

dcpn_status dcpn_paths_model(const dcpn_paths *paths, int64_t path, int64_t point, int index_base, dcpn_model **model)
{
    dcpn_model *made;
    DCPN_NEED(NULL, paths);
    DCPN_NEED(paths->context, model);
    *model = NULL;
    if (path < 0 || path >= paths->count || point < 0 || point >= paths->paths[path].count)
        return dcpn_fail(paths->context, DCPN_USAGE, "paths: there is no point %lld on a path %lld", (long long)point,
                         (long long)path);
    const dcpn_path *from = &paths->paths[path];
    const dcpn_path_point *at = &from->points[point];
    if (index_base != 0 && index_base != 1)
        return dcpn_fail(paths->context, DCPN_USAGE, "index base of a model: found %d, expected 0 or 1", index_base);
    DCPN_TRY(dcpn_model_allocate(paths->context, at->fit.nonzeros, &made));
    memcpy(made->index, from->index + at->first, (size_t)made->nonzeros * sizeof *made->index);
    dcpn_copy(made->nonzeros, from->value_of + at->first, made->value);
    made->settings = from->settings;
    made->settings.lambda = from->kind == DCPN_PATH_BY_SIZE ? 0.0 : at->lambda;
    if (paths->own.loss) made->settings.loss = "own";
    if (paths->own.penalty) made->settings.penalty = "own";
    made->features = paths->features;
    made->index_base = index_base;
    made->shape_unit = from->shape_unit;
    made->has_offset = paths->has_offset;
    made->rows = paths->rows;
    made->fit = at->fit;
    made->making.threads = paths->threads;
    int64_t each = dcpn_intercept_count(paths->scores, &paths->labels);
    const double *intercepts = from->intercepts ? from->intercepts + point * each : &at->intercept;
    made->scores = paths->scores;
    dcpn_status status = dcpn_model_set_classes(made, paths->labels.count, paths->labels.numbers);
    made->labels.are_responses = paths->labels.are_responses;
    made->labels.are_ordered = paths->labels.are_ordered;
    if (status == DCPN_OK) status = dcpn_model_set_intercepts(made, intercepts);
    if (status == DCPN_OK) status = dcpn_model_own_texts(made);
    if (status == DCPN_OK)
        *model = made;
    else
        dcpn_model_free(made);
    return status;
}

dcpn_status dcpn_model_set_command(dcpn_model *model, const char *const *words, int64_t count)
{
    DCPN_NEED(NULL, model);
    if (count > 0) DCPN_NEED(model->context, words);
    DCPN_TRY(dcpn_need_texts(model->context, "command of a model", words, count));
    const char **command = (const char **)dcpn_copy_texts(model->context, words, count);
    if (!command) return DCPN_MEMORY;
    dcpn_free(model->context, model->making.command);
    model->making.command = command;
    model->making.command_length = count;
    return DCPN_OK;
}

void dcpn_model_free(dcpn_model *model)
{
    if (!model) return;
    dcpn_free(model->context, model->making.command);
    dcpn_free(model->context, model->index);
    dcpn_free(model->context, model->value);
    dcpn_free(model->context, model->intercepts);
    dcpn_free(model->context, model->labels.numbers);
    dcpn_free(model->context, model->texts);
    dcpn_free(model->context, model->labels.names);
    dcpn_free(model->context, model->table.names);
    dcpn_free(model->context, model->table.label_name);
    dcpn_free(model->context, model->table.fill);
    dcpn_free(model->context, model->table.categories);
    dcpn_groups_free(model->groups);
    dcpn_free(model->context, model);
}

static dcpn_status copy_names(dcpn_model *model, const char *const *names)
{
    if (!names) return DCPN_OK;
    struct word *words = dcpn_allocate(model->context, (size_t)model->nonzeros, sizeof *words);
    if (!words) return DCPN_MEMORY;
    for (int64_t k = 0; k < model->nonzeros; k++) words[k] = dcpn_word_of(names[model->index[k] % model->features]);
    model->table.names = dcpn_names_copy(model->context, words, model->nonzeros, 0);
    dcpn_free(model->context, words);
    return model->table.names ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status copy_label_name(dcpn_model *model, const char *name)
{
    dcpn_free(model->context, model->table.label_name);
    model->table.label_name = name ? dcpn_word_copy(model->context, dcpn_word_of(name), 0) : NULL;
    return name && !model->table.label_name ? DCPN_MEMORY : DCPN_OK;
}

static dcpn_status copy_fill(dcpn_model *model, const double *fill)
{
    dcpn_free(model->context, model->table.fill);
    model->table.fill = fill ? dcpn_allocate(model->context, (size_t)model->nonzeros, sizeof *fill) : NULL;
    for (int64_t k = 0; model->table.fill && k < model->nonzeros; k++)
        model->table.fill[k] = fill[model->index[k] % model->features];
    return fill && !model->table.fill ? DCPN_MEMORY : DCPN_OK;
}

static dcpn_status copy_categories(dcpn_model *model, const dcpn_category *categories, int64_t count)
{
    dcpn_free(model->context, model->table.categories);
    model->table.categories = dcpn_categories_copy(model->context, categories, count);
    model->table.category_count = model->table.categories ? count : 0;
    return count > 0 && !model->table.categories ? DCPN_MEMORY : DCPN_OK;
}

static dcpn_status copy_groups(dcpn_model *model, const dcpn_groups *groups)
{
    if (groups == model->groups) return DCPN_OK;
    dcpn_groups_free(model->groups);
    model->groups = groups ? dcpn_groups_copy(model->context, groups) : NULL;
    return groups && !model->groups ? DCPN_MEMORY : DCPN_OK;
}

static dcpn_status check_groups(const dcpn_model *model, const dcpn_groups *groups)
{
    for (int64_t k = 0; k < groups->start[groups->count]; k++)
        if (groups->member[k] < 0 || groups->member[k] >= model->features)
            return dcpn_fail(model->context, DCPN_USAGE, "groups of a model: found a feature beyond its %lld",
                             (long long)model->features);
    return DCPN_OK;
}

static dcpn_status copy_class_names(dcpn_model *model, const char *const *names)
{
    if (!model->labels.count || !names) return DCPN_OK;
    model->labels.names = dcpn_copy_texts(model->context, names, model->labels.count);
    for (int64_t k = 0; k < model->labels.count; k++) model->labels.numbers[k] = (double)k;
    return model->labels.names ? DCPN_OK : DCPN_MEMORY;
}

dcpn_status dcpn_model_set_provenance(dcpn_model *model, const dcpn_provenance *from)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, from);
    DCPN_TRY(dcpn_provenance_check(model->context, from, model->features, model->labels.count));
    if (from->groups) DCPN_TRY(check_groups(model, from->groups));
    dcpn_free(model->context, model->table.names);
    dcpn_free(model->context, model->labels.names);
    model->table.names = model->labels.names = NULL;
    DCPN_TRY(copy_names(model, from->feature_names));
    DCPN_TRY(copy_label_name(model, from->label_name));
    DCPN_TRY(copy_fill(model, from->fill));
    DCPN_TRY(copy_categories(model, from->categories, from->category_count));
    DCPN_TRY(copy_class_names(model, from->class_names));
    DCPN_TRY(copy_groups(model, from->groups));
    return from->command ? dcpn_model_set_command(model, from->command, from->words) : DCPN_OK;
}

/* Finds what the data call the classes of the model, which are numbers of the names in the data. */
static dcpn_status find_class_names(const dcpn_model *model, const dcpn_dataset *data, const char **names)
{
    for (int64_t k = 0; k < model->labels.count; k++) {
        int64_t number = (int64_t)model->labels.numbers[k];
        if (number < 0 || number >= data->label_count)
            return dcpn_fail(model->context, DCPN_USAGE, "names of a model: the data have no class number %lld",
                             (long long)number);
        names[k] = data->label_names[number];
    }
    return DCPN_OK;
}

dcpn_status dcpn_model_set_names(dcpn_model *model, const dcpn_dataset *data)
{
    DCPN_NEED(NULL, model);
    DCPN_NEED(model->context, data);
    DCPN_TRY(dcpn_dataset_check(data));
    if (data->features != model->features)
        return dcpn_fail(model->context, DCPN_USAGE, "names of a model: the data have %lld features, the model %lld",
                         (long long)data->features, (long long)model->features);
    const char **classes = dcpn_allocate(model->context, (size_t)model->labels.count, sizeof *classes);
    int has_names = data->label_names && !model->labels.are_responses;
    if (!classes) return DCPN_MEMORY;
    const dcpn_provenance from = {.feature_names = (const char *const *)data->feature_names,
                                  .label_name = data->label_name,
                                  .fill = data->fill,
                                  .categories = data->categories,
                                  .category_count = data->category_count,
                                  .class_names = has_names ? classes : NULL};
    dcpn_status status = has_names ? find_class_names(model, data, classes) : DCPN_OK;
    if (status == DCPN_OK) status = dcpn_model_set_provenance(model, &from);
    dcpn_free(model->context, classes);
    return status;
}

dcpn_status dcpn_model_set_responses(dcpn_model *model, const char *const *names)
{
    DCPN_NEED(NULL, model);
    if (!model->labels.are_responses)
        return dcpn_fail(model->context, DCPN_USAGE, "names of responses: the model has one response, or classes");
    if (names) DCPN_TRY(dcpn_need_texts(model->context, "names of responses", names, model->labels.count));
    dcpn_free(model->context, model->labels.names);
    model->labels.names = NULL;
    return copy_class_names(model, names);
}

dcpn_status dcpn_model_set_groups(dcpn_model *model, const dcpn_groups *groups)
{
    DCPN_NEED(NULL, model);
    if (groups) DCPN_TRY(check_groups(model, groups));
    return copy_groups(model, groups);
}

static dcpn_status fit_problem(dcpn_context *context, const dcpn_dataset *data, const dcpn_problem *problem,
                               const dcpn_settings *settings, dcpn_model **model)
{
    dcpn_solver *solver;
    DCPN_TRY(dcpn_solver_new(context, problem, settings, &solver));
    dcpn_status status = dcpn_solver_run(solver);
    if (status == DCPN_OK) status = dcpn_model_new(solver, data->index_base, model);
    if (status == DCPN_OK) status = dcpn_model_set_names(*model, data);
    if (status != DCPN_OK) {
        dcpn_model_free(*model);
        *model = NULL;
    }
    dcpn_solver_free(solver);
    return status;
}

static dcpn_status fit_data(dcpn_context *context, const dcpn_dataset *data, const dcpn_settings *settings,
                            dcpn_model **model)
{
    dcpn_problem *problem;
    DCPN_TRY(
        dcpn_labels_check(context, data, settings && settings->loss ? settings->loss : dcpn_settings_default().loss));
    DCPN_TRY(dcpn_problem_new(context, data->matrix, data->labels, &problem));
    dcpn_status status = fit_problem(context, data, problem, settings, model);
    dcpn_problem_free(problem);
    return status;
}

dcpn_status dcpn_fit_file(dcpn_context *context, const char *path, const dcpn_settings *settings, dcpn_model **model)
{
    dcpn_dataset *data;
    double start = dcpn_clock_s();
    DCPN_NEED(context, context, model);
    *model = NULL;
    DCPN_TRY(dcpn_read(context, path, NULL, &data));
    double read_s = dcpn_clock_s() - start;
    dcpn_status status = fit_data(context, data, settings, model);
    if (status == DCPN_OK) (*model)->making.read_s = read_s;
    dcpn_dataset_free(data);
    return status;
}
