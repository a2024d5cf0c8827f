/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing cross-validations: a file of paths with more in it. */
#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "dcpn/cv.h"
#include "model/model_file.h"
#include "model/path_write.h"

static void write_position(struct json_writer *json, const char *key, int64_t position)
{
    if (position < 0)
        dcpn_json_text(json, key, NULL);
    else
        dcpn_json_integer(json, key, position);
}

static void of_path(struct json_writer *json, const void *user, int64_t path)
{
    const dcpn_cv *cv = user;
    write_position(json, "min", cv->best[path]);
    write_position(json, "1se", cv->one_se[path]);
}

static void of_point(struct json_writer *json, const void *user, int64_t path, int64_t point)
{
    const dcpn_cv *cv = user;
    int64_t at = cv->first[path] + point;
    dcpn_json_object(json, "cv", ", ");
    for (int m = 0; m < cv->measured.count; m++) {
        int64_t k = at * DCPN_MEASURES + m;
        dcpn_json_object(json, cv->measured.names[m], ", ");
        dcpn_json_number(json, "mean", cv->mean[k]);
        dcpn_json_number(json, "se", cv->se[k]);
        dcpn_json_numbers(json, "folds", cv->value + k * cv->folds, cv->folds);
        dcpn_json_close(json);
    }
    dcpn_json_list(json, "outcomes", cv->folds, ", ");
    for (int64_t f = 0; f < cv->folds; f++)
        dcpn_json_put_text(json, dcpn_outcome_name(cv->outcome[at * cv->folds + f]));
    dcpn_json_close(json);
    dcpn_json_integers(json, "nnz", cv->nonzeros + at * cv->folds, cv->folds, 0);
    dcpn_json_close(json);
}

static void write_folds(struct json_writer *json, const dcpn_cv *cv, const char *file)
{
    dcpn_json_object(json, "folds", ", ");
    dcpn_json_integer(json, "count", cv->folds);
    dcpn_json_integer(json, "done", cv->ending.folds_done);
    if (cv->draw.repeats > 1) dcpn_json_integer(json, "repeats", cv->draw.repeats);
    dcpn_json_integer(json, "seed", (int64_t)cv->draw.seed);
    dcpn_json_flag(json, "stratified", cv->draw.is_stratified);
    dcpn_json_text(json, "file", file);
    dcpn_json_integers(json, "sizes", cv->sizes, cv->folds, 0);
    dcpn_json_close(json);
}

static void write_shape(struct json_writer *json, const dcpn_path *path)
{
    dcpn_json_text(json, "penalty", path->settings.penalty);
    if (path->kind != DCPN_PATH_AS_SET) dcpn_json_text(json, "kind", dcpn_path_kind_name(path));
    dcpn_json_text(json, "varying", path->varying);
    dcpn_json_number(json, "value", path->varying ? path->value : (double)NAN);
}

static void write_choice(struct json_writer *json, const char *key, const dcpn_cv *cv, const dcpn_cv_choice *choice)
{
    if (choice->path < 0) {
        dcpn_json_text(json, key, NULL);
        return;
    }
    const dcpn_path *path = &cv->paths->paths[choice->path];
    dcpn_json_object(json, key, ", ");
    dcpn_json_integer(json, "path", choice->path);
    dcpn_json_integer(json, "point", choice->point);
    write_shape(json, path);
    dcpn_json_number(json, "lambda", path->points[choice->point].lambda);
    dcpn_json_integer(json, "nnz", path->points[choice->point].fit.nonzeros);
    dcpn_json_number(json, "mean", choice->mean);
    dcpn_json_number(json, "se", choice->se);
    dcpn_json_close(json);
}

/* Is the rule one of the two whose choices are always written? */
static int is_of_both(const dcpn_cv *cv)
{
    return strcmp(cv->choice.rule, "min") == 0 || strcmp(cv->choice.rule, "1se") == 0;
}

static void write_fold(struct json_writer *json, int64_t path, int64_t point, int64_t fold, dcpn_outcome outcome)
{
    dcpn_json_open(json, ", ");
    dcpn_json_integer(json, "path", path);
    dcpn_json_integer(json, "point", point);
    dcpn_json_integer(json, "fold", fold);
    dcpn_json_text(json, "outcome", dcpn_outcome_name(outcome));
    dcpn_json_close(json);
}

/* Has a fit not converged? One that was not wanted any more, and not run, does not count. */
static int is_unconverged(dcpn_outcome outcome)
{
    return outcome != DCPN_NOT_RUN && !dcpn_has_converged(outcome);
}

static void write_unconverged(struct json_writer *json, const dcpn_cv *cv)
{
    int64_t count = 0;
    for (int64_t k = 0; k < cv->first[cv->paths->count] * cv->folds; k++) count += is_unconverged(cv->outcome[k]);
    dcpn_json_list(json, "unconverged", count, ", ");
    for (int64_t p = 0; p < cv->paths->count; p++)
        for (int64_t at = cv->first[p]; at < cv->first[p + 1]; at++)
            for (int64_t f = 0; f < cv->folds; f++) {
                dcpn_outcome outcome = cv->outcome[at * cv->folds + f];
                if (is_unconverged(outcome)) write_fold(json, p, at - cv->first[p], f, outcome);
            }
    dcpn_json_close(json);
}

static void write_stable(struct json_writer *json, const dcpn_stability *s, int index_base)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->count; k++) count += s->frequency[k] >= s->threshold;
    dcpn_json_list(json, "stable", count, ", ");
    for (int64_t k = 0; k < s->count; k++)
        if (s->frequency[k] >= s->threshold) dcpn_json_put_integer(json, s->index[k] + index_base);
    dcpn_json_close(json);
}

static void write_stability(struct json_writer *json, const dcpn_cv *cv, int index_base)
{
    const dcpn_stability *s = cv->stability;
    if (!s) {
        dcpn_json_text(json, "stability", NULL);
        return;
    }
    const dcpn_path *path = &cv->paths->paths[s->path];
    dcpn_json_object(json, "stability", ", ");
    dcpn_json_integer(json, "subsamples", s->subsamples);
    dcpn_json_number(json, "share", s->share);
    dcpn_json_integer(json, "seed", (int64_t)cv->draw.seed);
    write_shape(json, path);
    dcpn_json_list(json, "lambdas", s->points, ", ");
    for (int64_t k = 0; k < s->points; k++) dcpn_json_put_number(json, path->points[k].lambda);
    dcpn_json_close(json);
    dcpn_json_number(json, "threshold", s->threshold);
    dcpn_json_number(json, "mean_selected", s->mean_selected);
    dcpn_json_number(json, "bound", s->bound);
    dcpn_json_integer(json, "pairs", s->pairs);
    dcpn_json_number(json, "sharper_bound", s->sharper_bound);
    dcpn_json_integers(json, "index", s->index, s->count, index_base);
    dcpn_json_numbers(json, "frequency", s->frequency, s->count);
    write_stable(json, s, index_base);
    if (s->groups) dcpn_json_numbers(json, "group_frequency", s->group_frequency, s->groups);
    dcpn_json_integer(json, "unconverged", s->unconverged);
    dcpn_json_close(json);
}

/* Rows of no fold have null in place of a label and a score. */
static void write_held_out(struct json_writer *json, const dcpn_cv *cv)
{
    const dcpn_held_out *out = cv->held_out;
    if (!out || out->rows > CV_HELD_OUT_ROWS) {
        dcpn_json_text(json, "held_out", NULL);
        return;
    }
    dcpn_json_object(json, "held_out", ", ");
    dcpn_json_integers(json, "fold", out->fold, out->rows, 0);
    dcpn_json_numbers(json, "label", out->label, out->rows);
    dcpn_json_numbers(json, "weight", out->weight, out->rows);
    dcpn_json_numbers(json, "min", out->score[0], out->rows);
    dcpn_json_numbers(json, "1se", out->score[1], out->rows);
    if (!is_of_both(cv)) dcpn_json_numbers(json, cv->choice.rule, out->score[2], out->rows);
    dcpn_json_close(json);
}

static void write_cv(struct json_writer *json, const dcpn_cv *cv, const dcpn_provenance *provenance,
                     const char *folds_file)
{
    struct path_additions additions = {of_path, of_point, cv};
    dcpn_json_open(json, ",\n  ");
    dcpn_write_paths(json, DCPN_CV_FORMAT, cv->paths, provenance, &additions);
    write_folds(json, cv, folds_file);
    dcpn_json_texts(json, "measures", cv->measured.names, cv->measured.count);
    dcpn_json_text(json, "measure", cv->measured.names[cv->measured.chooses]);
    dcpn_json_text(json, "rule", cv->choice.rule);
    if (cv->compares) dcpn_json_flag(json, "compares", 1);
    dcpn_json_object(json, "chosen", ", ");
    write_choice(json, "min", cv, &cv->choice.min);
    write_choice(json, "1se", cv, &cv->choice.sparse);
    if (!is_of_both(cv)) write_choice(json, cv->choice.rule, cv, &cv->choice.chosen);
    dcpn_json_close(json);
    write_unconverged(json, cv);
    write_stability(json, cv, provenance->index_base);
    write_held_out(json, cv);
    dcpn_write_timing(json, cv->paths, provenance, cv->ending.time_s);
    dcpn_json_seal(json);
}

static dcpn_status write_all(struct json_writer *json, const dcpn_cv *cv, const dcpn_provenance *provenance,
                             const char *folds_file)
{
    const dcpn_provenance none = {.index_base = 1};
    if (!cv->ending.is_complete && cv->choice.min.path < 0)
        return dcpn_fail(cv->context, DCPN_USAGE, "a cross-validation that was ended early has chosen nothing");
    if (!provenance) provenance = &none;
    DCPN_TRY(dcpn_paths_check(cv->paths, provenance));
    write_cv(json, cv, provenance, folds_file);
    return DCPN_OK;
}

dcpn_status dcpn_cv_json(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file, char **json)
{
    DCPN_NEED(NULL, cv);
    DCPN_NEED(cv->context, json);
    struct json_writer writer = dcpn_json_writer(cv->context);
    *json = NULL;
    DCPN_TRY(write_all(&writer, cv, provenance, folds_file));
    return dcpn_json_give(&writer, json);
}

dcpn_status dcpn_cv_write(const dcpn_cv *cv, const dcpn_provenance *provenance, const char *folds_file,
                          const char *path)
{
    DCPN_NEED(NULL, cv);
    struct json_writer writer = dcpn_json_writer(cv->context);
    DCPN_TRY(write_all(&writer, cv, provenance, folds_file));
    return dcpn_write_json(&writer, path);
}
