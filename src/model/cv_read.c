/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading cross-validations: what dcpn_cv_write has written beside the paths. */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "model/field_lists.h"
#include "model/model_read.h"
#include "model/parts_read.h"
#include "model/path_write.h"

/* ---- folds and measures ---- */

static dcpn_status read_folds(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    const json_t *folds;
    dcpn_cv *cv = results->cv;
    int64_t seed;
    DCPN_TRY(dcpn_field_object(reader, root, "folds", &folds));
    reader->group = "folds.";
    DCPN_TRY(dcpn_field_count(reader, folds, "count", &cv->folds));
    cv->ending.folds_done = cv->folds; /* in files of earlier versions */
    if (json_object_get(folds, "done")) DCPN_TRY(dcpn_field_count(reader, folds, "done", &cv->ending.folds_done));
    if (cv->ending.folds_done > cv->folds)
        return dcpn_field_refuse(reader, "done", "more", "no more folds than there are");
    cv->ending.is_complete = cv->ending.folds_done == cv->folds;
    cv->draw.repeats = 1;
    if (json_object_get(folds, "repeats")) DCPN_TRY(dcpn_field_count(reader, folds, "repeats", &cv->draw.repeats));
    if (cv->draw.repeats < 1 || cv->folds % cv->draw.repeats)
        return dcpn_field_refuse(reader, "repeats", "another number", "one that divides the number of folds");
    DCPN_TRY(dcpn_field_integer(reader, folds, "seed", &seed));
    DCPN_TRY(dcpn_field_flag(reader, folds, "stratified", &cv->draw.is_stratified));
    results->folds_file = json_string_value(json_object_get(folds, "file"));
    cv->draw.is_drawn = !results->folds_file;
    cv->draw.seed = (uint64_t)seed;
    DCPN_TRY(dcpn_field_wholes(reader, folds, "sizes", cv->folds, &DCPN_COUNTS, &cv->sizes));
    reader->group = "";
    return DCPN_OK;
}

static dcpn_status read_measures(const struct model_reader *reader, const json_t *root, dcpn_cv *cv)
{
    const json_t *list;
    const char *chosen;
    DCPN_TRY(dcpn_field_array(reader, root, "measures", &list));
    DCPN_TRY(dcpn_field_text(reader, root, "measure", &chosen));
    if (json_array_size(list) < 2 || json_array_size(list) > DCPN_MEASURES)
        return dcpn_field_refuse(reader, "measures", "a list of another length", "two or three names");
    cv->measured.count = (int)json_array_size(list);
    cv->measured.chooses = -1;
    for (int m = 0; m < cv->measured.count; m++) {
        cv->measured.names[m] = json_string_value(json_array_get(list, (size_t)m));
        if (!cv->measured.names[m]) return dcpn_field_refuse(reader, "measures", "something else", "texts");
        if (strcmp(cv->measured.names[m], chosen) == 0) cv->measured.chooses = m;
    }
    return cv->measured.chooses >= 0 ? DCPN_OK
                                     : dcpn_field_refuse(reader, "measure", "another text", "one of measures");
}

/* ---- points ---- */

static const struct number_field se = {"se", 0, 0.0, 1};

static dcpn_status read_measure(const struct model_reader *reader, const json_t *object, int64_t at, dcpn_cv *cv)
{
    DCPN_TRY(dcpn_field_result(reader, object, "mean", &cv->mean[at]));
    DCPN_TRY(dcpn_read_number_fields(reader, object, &se, 1, &cv->se[at]));
    return dcpn_take_numbers(reader, "folds", json_object_get(object, "folds"), cv->folds, &DCPN_NUMBERS_OR_NULL,
                             cv->value + at * cv->folds);
}

static dcpn_status read_point(struct model_reader *reader, const json_t *point, int64_t at, dcpn_cv *cv)
{
    const json_t *object, *measure, *outcomes;
    reader->group = "paths.points.";
    DCPN_TRY(dcpn_field_object(reader, point, "cv", &object));
    reader->group = "paths.points.cv.";
    for (int m = 0; m < cv->measured.count; m++) {
        DCPN_TRY(dcpn_field_object(reader, object, cv->measured.names[m], &measure));
        DCPN_TRY(read_measure(reader, measure, at * DCPN_MEASURES + m, cv));
    }
    DCPN_TRY(dcpn_field_array(reader, object, "outcomes", &outcomes));
    if ((int64_t)json_array_size(outcomes) != cv->folds)
        return dcpn_field_refuse(reader, "outcomes", "another number of values", "one for each fold");
    for (int64_t f = 0; f < cv->folds; f++)
        DCPN_TRY(dcpn_read_outcome(reader, json_array_get(outcomes, (size_t)f), &cv->outcome[at * cv->folds + f]));
    return dcpn_take_wholes(reader, "nnz", json_object_get(object, "nnz"), cv->folds, &DCPN_COUNTS,
                            cv->nonzeros + at * cv->folds);
}

/* The position of a point on a path; null is -1. */
static dcpn_status read_position(const struct model_reader *reader, const json_t *object, const char *key,
                                 int64_t count, int64_t *position)
{
    *position = -1;
    if (json_is_null(json_object_get(object, key))) return DCPN_OK;
    DCPN_TRY(dcpn_field_count(reader, object, key, position));
    return *position < count ? DCPN_OK : dcpn_field_refuse(reader, key, "a number beyond the last", "a position");
}

static dcpn_status allocate_points(const struct model_reader *reader, dcpn_cv *cv)
{
    dcpn_context *context = reader->context;
    size_t paths = (size_t)cv->paths->count, points = 0, folds = (size_t)cv->folds;
    cv->first = dcpn_allocate(context, paths + 1, sizeof *cv->first);
    cv->best = dcpn_allocate(context, paths, sizeof *cv->best);
    cv->one_se = dcpn_allocate(context, paths, sizeof *cv->one_se);
    if (!cv->first || !cv->best || !cv->one_se) return DCPN_MEMORY;
    for (size_t v = 0; v < paths; v++) {
        cv->first[v] = (int64_t)points;
        points += (size_t)cv->paths->paths[v].count;
    }
    cv->first[paths] = (int64_t)points;
    cv->value = dcpn_allocate(context, points * DCPN_MEASURES, folds * sizeof *cv->value);
    cv->mean = dcpn_allocate(context, points * DCPN_MEASURES, sizeof *cv->mean);
    cv->se = dcpn_allocate(context, points * DCPN_MEASURES, sizeof *cv->se);
    cv->outcome = dcpn_allocate(context, points, folds * sizeof *cv->outcome);
    cv->nonzeros = dcpn_allocate(context, points, folds * sizeof *cv->nonzeros);
    return cv->value && cv->mean && cv->se && cv->outcome && cv->nonzeros ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status read_points(struct model_reader *reader, const json_t *root, dcpn_cv *cv)
{
    DCPN_TRY(allocate_points(reader, cv));
    for (int64_t v = 0; v < cv->paths->count; v++) {
        const json_t *path = json_array_get(json_object_get(root, "paths"), (size_t)v);
        const json_t *points = json_object_get(path, "points");
        int64_t count = cv->paths->paths[v].count;
        reader->group = "paths.";
        DCPN_TRY(read_position(reader, path, "min", count, &cv->best[v]));
        DCPN_TRY(read_position(reader, path, "1se", count, &cv->one_se[v]));
        for (int64_t k = 0; k < count; k++)
            DCPN_TRY(read_point(reader, json_array_get(points, (size_t)k), cv->first[v] + k, cv));
    }
    reader->group = "";
    return DCPN_OK;
}

/* ---- choices ---- */

static dcpn_status read_choice(struct model_reader *reader, const json_t *chosen, const char *rule,
                               const dcpn_paths *paths, dcpn_cv_choice *choice)
{
    const json_t *object = json_object_get(chosen, rule);
    *choice = (dcpn_cv_choice){-1, -1, NAN, NAN};
    if (json_is_null(object)) return DCPN_OK;
    DCPN_TRY(dcpn_field_object(reader, chosen, rule, &object));
    DCPN_TRY(read_position(reader, object, "path", paths->count, &choice->path));
    int64_t points = choice->path >= 0 ? paths->paths[choice->path].count : 0;
    DCPN_TRY(read_position(reader, object, "point", points, &choice->point));
    if ((choice->path < 0) != (choice->point < 0)) return dcpn_field_refuse(reader, rule, "one of the two", "both");
    DCPN_TRY(dcpn_field_result(reader, object, "mean", &choice->mean));
    return dcpn_read_number_fields(reader, object, &se, 1, &choice->se);
}

static dcpn_status read_choices(struct model_reader *reader, const json_t *root, dcpn_cv *cv)
{
    const json_t *chosen;
    DCPN_TRY(dcpn_field_text(reader, root, "rule", &cv->choice.rule));
    if (!dcpn_cv_rule_meaning(cv->choice.rule))
        return dcpn_field_refuse(reader, "rule", "another text", "the name of a rule, like \"min\"");
    cv->compares = json_is_true(json_object_get(root, "compares"));
    DCPN_TRY(dcpn_field_object(reader, root, "chosen", &chosen));
    reader->group = "chosen.";
    DCPN_TRY(read_choice(reader, chosen, "min", cv->paths, &cv->choice.min));
    DCPN_TRY(read_choice(reader, chosen, "1se", cv->paths, &cv->choice.sparse));
    DCPN_TRY(read_choice(reader, chosen, cv->choice.rule, cv->paths, &cv->choice.chosen));
    reader->group = "";
    return DCPN_OK;
}

/* ---- stability ---- */

/* The path that the object names by its penalty and the value of what varies; -1: there is none. */
static int64_t find_path(const json_t *object, const dcpn_paths *paths)
{
    const char *penalty = json_string_value(json_object_get(object, "penalty"));
    double value = json_number_value(json_object_get(object, "value"));
    for (int64_t v = 0; v < paths->count && penalty; v++) {
        const dcpn_path *path = &paths->paths[v];
        if (strcmp(path->settings.penalty, penalty) != 0 || (path->varying && path->value != value)) continue;
        const char *asked = json_string_value(json_object_get(object, "kind"));
        if (path->kind == DCPN_PATH_AS_SET ? !asked : asked && strcmp(asked, dcpn_path_kind_name(path)) == 0) return v;
    }
    return -1;
}

/* Reads a share for each group, which the file has only if there are groups. */
static dcpn_status read_group_frequency(const struct model_reader *reader, const json_t *object, dcpn_stability *s)
{
    const json_t *list;
    if (!json_object_get(object, "group_frequency")) return DCPN_OK;
    DCPN_TRY(dcpn_field_array(reader, object, "group_frequency", &list));
    s->groups = (int64_t)json_array_size(list);
    return dcpn_field_numbers(reader, object, "group_frequency", s->groups, &DCPN_SHARES, &s->group_frequency);
}

/* The numbers of a stability selection; null is what is not known. */
static const struct number_field of_stability[] = {{"share", offsetof(dcpn_stability, share), 0.0, 0},
                                                   {"threshold", offsetof(dcpn_stability, threshold), 0.0, 0},
                                                   {"mean_selected", offsetof(dcpn_stability, mean_selected), 0.0, 1},
                                                   {"bound", offsetof(dcpn_stability, bound), 0.0, 1}};
static const struct number_field sharper = {"sharper_bound", offsetof(dcpn_stability, sharper_bound), 0.0, 1};

static dcpn_status fill_stability(const struct model_reader *reader, const json_t *object, const dcpn_paths *paths,
                                  dcpn_stability *s)
{
    const json_t *lambdas;
    DCPN_TRY(dcpn_field_count(reader, object, "subsamples", &s->subsamples));
    DCPN_TRY(dcpn_read_number_fields(reader, object, of_stability, 4, s));
    if (s->share > 1.0 || s->threshold > 1.0)
        return dcpn_field_refuse(reader, s->share > 1.0 ? "share" : "threshold", "a number above 1", "a share");
    s->sharper_bound = (double)NAN; /* in files of earlier versions */
    if (json_object_get(object, "pairs")) {
        DCPN_TRY(dcpn_field_count(reader, object, "pairs", &s->pairs));
        DCPN_TRY(dcpn_read_number_fields(reader, object, &sharper, 1, s));
    }
    DCPN_TRY(dcpn_field_count(reader, object, "unconverged", &s->unconverged));
    DCPN_TRY(dcpn_field_array(reader, object, "lambdas", &lambdas));
    s->path = find_path(object, paths);
    s->points = (int64_t)json_array_size(lambdas);
    if (s->path < 0 || s->points > paths->paths[s->path].count)
        return dcpn_field_refuse(reader, "lambdas", "a path that is not there", "lambdas of a path of the file");
    DCPN_TRY(dcpn_read_pair_count(reader, object, "frequency", &s->count));
    s->index = dcpn_allocate(reader->context, (size_t)s->count, sizeof *s->index);
    s->frequency = dcpn_allocate(reader->context, (size_t)s->count, sizeof *s->frequency);
    if (!s->index || !s->frequency) return DCPN_MEMORY;
    DCPN_TRY(read_group_frequency(reader, object, s));
    DCPN_TRY(dcpn_read_pairs(reader, object, "frequency", s->index, s->frequency));
    return dcpn_take_numbers(reader, "frequency", json_object_get(object, "frequency"), s->count, &DCPN_SHARES,
                             s->frequency);
}

static dcpn_status read_stability(struct model_reader *reader, const json_t *root, dcpn_cv *cv)
{
    const json_t *object = json_object_get(root, "stability");
    if (json_is_null(object)) return DCPN_OK;
    DCPN_TRY(dcpn_field_object(reader, root, "stability", &object));
    cv->stability = dcpn_allocate(reader->context, 1, sizeof *cv->stability);
    if (!cv->stability) return DCPN_MEMORY;
    *cv->stability = (dcpn_stability){0};
    reader->group = "stability.";
    DCPN_TRY(fill_stability(reader, object, cv->paths, cv->stability));
    reader->group = "";
    return DCPN_OK;
}

/* ---- rows that were held out ---- */

/* Reads what was held out. Files of earlier versions do not have it. */
static dcpn_status read_held_out(struct model_reader *reader, const json_t *root, dcpn_cv *cv)
{
    const json_t *object = json_object_get(root, "held_out"), *list;
    if (!object || json_is_null(object)) return DCPN_OK;
    DCPN_TRY(dcpn_field_object(reader, root, "held_out", &object));
    reader->group = "held_out.";
    DCPN_TRY(dcpn_field_array(reader, object, "fold", &list));
    dcpn_held_out *out = cv->held_out = dcpn_allocate(reader->context, 1, sizeof *out);
    if (!out) return DCPN_MEMORY;
    *out = (dcpn_held_out){.rows = (int64_t)json_array_size(list)};
    const struct whole_rule folds = {-1, cv->folds - 1, "the number of a fold for each row, or -1"};
    const char *const scores[] = {"min", "1se", cv->choice.rule};
    DCPN_TRY(dcpn_field_wholes(reader, object, "fold", out->rows, &folds, &out->fold));
    DCPN_TRY(dcpn_field_numbers(reader, object, "label", out->rows, &DCPN_NUMBERS_OR_NULL, &out->label));
    DCPN_TRY(dcpn_field_numbers(reader, object, "weight", out->rows, &DCPN_WEIGHTS, &out->weight));
    for (int k = 0; k < 3; k++)
        DCPN_TRY(dcpn_field_numbers(reader, object, scores[k], out->rows, &DCPN_NUMBERS_OR_NULL, &out->score[k]));
    reader->group = "";
    return DCPN_OK;
}

dcpn_status dcpn_cv_from_json(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    dcpn_cv *cv = results->cv = dcpn_allocate(reader->context, 1, sizeof *cv);
    if (!cv) return DCPN_MEMORY;
    *cv = (dcpn_cv){.context = reader->context, .paths = results->paths, .ending.is_complete = 1};
    cv->ending.time_s = cv->paths->time_s;
    DCPN_TRY(read_folds(reader, root, results));
    DCPN_TRY(read_measures(reader, root, cv));
    DCPN_TRY(read_points(reader, root, cv));
    DCPN_TRY(read_choices(reader, root, cv));
    DCPN_TRY(read_stability(reader, root, cv));
    return read_held_out(reader, root, cv);
}
