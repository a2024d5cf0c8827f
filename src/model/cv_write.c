/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing cross-validations: a file of paths with more in it. */
#include <math.h>

#include <string.h>

#include "dcpn/cv.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/path_write.h"

static struct json_object open_object(struct json_object *parent, const char *key)
{
    struct text *text = dcpn_json_member(parent, key);
    dcpn_text_append(text, "{");
    return (struct json_object){.text = text, .separator = ", "};
}

static void close_object(struct json_object *object)
{
    dcpn_text_append(object->text, "}");
}

static void write_position(struct json_object *object, const char *key, int64_t position)
{
    if (position < 0)
        dcpn_json_text(object, key, NULL);
    else
        dcpn_json_integer(object, key, position);
}

static void of_path(struct json_object *object, const void *user, int64_t path)
{
    const dcpn_cv *cv = user;
    write_position(object, "min", cv->best[path]);
    write_position(object, "1se", cv->one_se[path]);
}

static void of_point(struct json_object *object, const void *user, int64_t path, int64_t point)
{
    const dcpn_cv *cv = user;
    int64_t at = cv->first[path] + point;
    struct json_object all = open_object(object, "cv");
    for (int m = 0; m < cv->measure_count; m++) {
        int64_t k = at * DCPN_MEASURES + m;
        struct json_object measure = open_object(&all, cv->measures[m]);
        dcpn_json_number(&measure, "mean", cv->mean[k]);
        dcpn_json_number(&measure, "se", cv->se[k]);
        dcpn_json_numbers(&measure, "folds", cv->value + k * cv->folds, cv->folds);
        close_object(&measure);
    }
    struct text *text = dcpn_json_member(&all, "outcomes");
    for (int64_t f = 0; f < cv->folds; f++) {
        dcpn_text_append(text, f ? ", " : "[");
        dcpn_json_append_text(text, dcpn_outcome_name(cv->outcome[at * cv->folds + f]));
    }
    dcpn_text_append(text, "]");
    dcpn_json_integers(&all, "nnz", cv->nonzeros + at * cv->folds, cv->folds, 0);
    close_object(&all);
}

static void write_folds(struct json_object *whole, const dcpn_cv *cv, const char *file)
{
    struct json_object folds = open_object(whole, "folds");
    dcpn_json_integer(&folds, "count", cv->folds);
    dcpn_json_integer(&folds, "seed", (int64_t)cv->seed);
    dcpn_json_flag(&folds, "stratified", cv->is_stratified);
    dcpn_json_text(&folds, "file", file);
    dcpn_json_integers(&folds, "sizes", cv->sizes, cv->folds, 0);
    close_object(&folds);
}

static void write_shape(struct json_object *object, const dcpn_path *path)
{
    dcpn_json_text(object, "penalty", path->settings.penalty);
    dcpn_json_text(object, "varying", path->varying);
    dcpn_json_number(object, "value", path->varying ? path->value : (double)NAN);
}

static void write_choice(struct json_object *parent, const char *key, const dcpn_cv *cv, const dcpn_cv_choice *choice)
{
    if (choice->path < 0) {
        dcpn_json_text(parent, key, NULL);
        return;
    }
    const dcpn_path *path = &cv->paths->paths[choice->path];
    struct json_object object = open_object(parent, key);
    dcpn_json_integer(&object, "path", choice->path);
    dcpn_json_integer(&object, "point", choice->point);
    write_shape(&object, path);
    dcpn_json_number(&object, "lambda", path->points[choice->point].lambda);
    dcpn_json_integer(&object, "nnz", path->points[choice->point].fit.nonzeros);
    dcpn_json_number(&object, "mean", choice->mean);
    dcpn_json_number(&object, "se", choice->se);
    close_object(&object);
}

static int has_converged(dcpn_outcome outcome)
{
    return outcome == DCPN_CONVERGED || outcome == DCPN_RELATIVE_CHANGE;
}

static void write_unconverged(struct json_object *whole, const dcpn_cv *cv)
{
    struct text *text = dcpn_json_member(whole, "unconverged");
    int64_t written = 0;
    dcpn_text_append(text, "[");
    for (int64_t p = 0; p < cv->paths->count; p++)
        for (int64_t at = cv->first[p]; at < cv->first[p + 1]; at++)
            for (int64_t f = 0; f < cv->folds; f++) {
                dcpn_outcome outcome = cv->outcome[at * cv->folds + f];
                if (has_converged(outcome)) continue;
                dcpn_text_append(text, written++ ? ", {" : "{");
                struct json_object object = {.text = text, .separator = ", "};
                dcpn_json_integer(&object, "path", p);
                dcpn_json_integer(&object, "point", at - cv->first[p]);
                dcpn_json_integer(&object, "fold", f);
                dcpn_json_text(&object, "outcome", dcpn_outcome_name(outcome));
                close_object(&object);
            }
    dcpn_text_append(text, "]");
}

static void write_stable(struct json_object *object, const dcpn_stability *s, int index_base)
{
    struct text *text = dcpn_json_member(object, "stable");
    int64_t written = 0;
    dcpn_text_append(text, "[");
    for (int64_t k = 0; k < s->count; k++) {
        if (!(s->frequency[k] >= s->threshold)) continue;
        if (written++) dcpn_text_append(text, ", ");
        dcpn_text_append_integer(text, s->index[k] + index_base);
    }
    dcpn_text_append(text, "]");
}

static void write_stability(struct json_object *whole, const dcpn_cv *cv, int index_base)
{
    const dcpn_stability *s = cv->stability;
    if (!s) {
        dcpn_json_text(whole, "stability", NULL);
        return;
    }
    const dcpn_path *path = &cv->paths->paths[s->path];
    struct json_object object = open_object(whole, "stability");
    dcpn_json_integer(&object, "subsamples", s->subsamples);
    dcpn_json_number(&object, "share", s->share);
    dcpn_json_integer(&object, "seed", (int64_t)cv->seed);
    write_shape(&object, path);
    struct text *text = dcpn_json_member(&object, "lambdas");
    for (int64_t k = 0; k < s->points; k++) {
        dcpn_text_append(text, k ? ", " : "[");
        dcpn_json_append_number(text, path->points[k].lambda);
    }
    dcpn_text_append(text, "]");
    dcpn_json_number(&object, "threshold", s->threshold);
    dcpn_json_number(&object, "mean_selected", s->mean_selected);
    dcpn_json_number(&object, "bound", s->bound);
    dcpn_json_integers(&object, "index", s->index, s->count, index_base);
    dcpn_json_numbers(&object, "frequency", s->frequency, s->count);
    write_stable(&object, s, index_base);
    dcpn_json_integer(&object, "unconverged", s->unconverged);
    close_object(&object);
}

static void append_cv(struct text *text, const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file)
{
    struct path_additions additions = {of_path, of_point, cv};
    struct json_object whole = {.text = text, .separator = ",\n  "};
    dcpn_text_append(text, "{\n  ");
    dcpn_write_paths(&whole, DCPN_CV_FORMAT, cv->paths, provenance, &additions);
    write_folds(&whole, cv, folds_file);
    dcpn_json_texts(&whole, "measures", cv->measures, cv->measure_count);
    dcpn_json_text(&whole, "measure", cv->measures[cv->measure]);
    dcpn_json_text(&whole, "rule", cv->is_1se ? "1se" : "min");
    struct json_object chosen = open_object(&whole, "chosen");
    write_choice(&chosen, "min", cv, &cv->min);
    write_choice(&chosen, "1se", cv, &cv->sparse);
    close_object(&chosen);
    write_unconverged(&whole, cv);
    write_stability(&whole, cv, provenance->index_base);
    dcpn_write_timing(&whole, cv->paths, provenance, cv->time_s);
    dcpn_text_append(text, "\n}\n");
}

dcpn_status dcpn_cv_json(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file, char **json)
{
    const dcpn_provenance none = {.index_base = 1};
    DCPN_NEED(NULL, cv);
    DCPN_NEED(cv->context, json);
    struct text text = {.context = cv->context};
    *json = NULL;
    if (!cv->is_complete)
        return dcpn_fail(cv->context, DCPN_USAGE,
                         cv->min.path < 0 ? "a cross-validation that was ended early has chosen nothing"
                                          : "a stability selection that was ended early has no frequencies to write");
    DCPN_TRY(dcpn_paths_check_parts(cv->paths));
    append_cv(&text, cv, provenance ? provenance : &none, folds_file);
    dcpn_json_seal(&text);
    return dcpn_text_give(&text, json);
}

dcpn_status dcpn_cv_write(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                          const char *path)
{
    char *json;
    DCPN_TRY(dcpn_cv_json(cv, provenance, folds_file, &json));
    dcpn_status status = dcpn_write_text(cv->context, path, json, strlen(json));
    dcpn_free(cv->context, json);
    return status;
}
