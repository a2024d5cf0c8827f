/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a file of results: which kind it is, and whether it says what its checksum was made of. */
#include <string.h>

#include "base/context.h"
#include "data/content.h"
#include "model/liblinear_model.h"
#include "model/model_file.h"
#include "model/model_json.h"
#include "model/model_read.h"
#include "model/parts_read.h"
#include "model/selected_model.h"

/* Names what is in a file that the commands factor, graph or complete have written; NULL: it is none of these. */
static const char *of_other_commands(const char *format)
{
    return strcmp(format, DCPN_FACTORS_FORMAT) == 0      ? "factors"
           : strcmp(format, DCPN_GRAPH_FORMAT) == 0      ? "graphs"
           : strcmp(format, DCPN_NEIGHBOURS_FORMAT) == 0 ? "graphs"
           : strcmp(format, DCPN_COMPLETION_FORMAT) == 0 ? "completed matrices"
                                                         : NULL;
}

static dcpn_status read_kind(struct model_reader *reader, const json_t *root, dcpn_results *results)
{
    const char *format;
    if (!json_is_object(root)) return dcpn_field_refuse(reader, "(whole file)", dcpn_field_describe(root), "an object");
    DCPN_TRY(dcpn_field_text(reader, root, "format", &format));
    int is_cv = strcmp(format, DCPN_CV_FORMAT) == 0;
    if (strcmp(format, DCPN_MODEL_FORMAT) == 0) return dcpn_model_from_json(reader, root, &results->model);
    const char *other = of_other_commands(format);
    if (other)
        return dcpn_fail(
            reader->context, DCPN_USAGE,
            "%s: found %s, expected a model, a path or a cross-validation; 'info' and 'predict' take files of %s",
            reader->name, other, other);
    if (!is_cv && strcmp(format, DCPN_PATH_FORMAT) != 0)
        return dcpn_field_refuse(reader, "format", "another text",
                                 "\"" DCPN_MODEL_FORMAT "\", \"" DCPN_PATH_FORMAT "\" or \"" DCPN_CV_FORMAT "\"");
    DCPN_TRY(dcpn_paths_from_json(reader, root, results));
    return is_cv ? dcpn_cv_from_json(reader, root, results) : DCPN_OK;
}

static dcpn_status read_json(const char *text, size_t size, dcpn_results *results)
{
    struct model_reader reader = {.context = results->context, .name = results->name, .group = "", .scores = 1};
    json_t *root;
    DCPN_TRY(dcpn_json_parse(results->context, results->name, text, size, &root));
    results->tree = root;
    DCPN_TRY(read_kind(&reader, root, results));
    reader.group = "";
    return dcpn_check_checksum(&reader, root); /* last: the others say more about what is wrong */
}

dcpn_status dcpn_results_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                               dcpn_results **results)
{
    DCPN_NEED(context, context, results);
    *results = NULL;
    DCPN_NEED(context, name, text);
    dcpn_results *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_results){.context = context, .name = dcpn_copy_text(context, name)};
    dcpn_status status = !made->name                     ? DCPN_MEMORY
                         : dcpn_is_liblinear(text, size) ? dcpn_liblinear_parse(context, name, text, size, &made->model)
                                                         : read_json(text, size, made);
    if (status == DCPN_OK)
        *results = made;
    else
        dcpn_results_free(made);
    return dcpn_memory_for(context, status, name);
}

dcpn_status dcpn_results_read(dcpn_context *context, const char *path, dcpn_results **results)
{
    struct content content;
    DCPN_NEED(context, context, results);
    *results = NULL;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    dcpn_status status =
        dcpn_results_parse(context, content.name, content.bytes ? content.bytes : "", content.size, results);
    dcpn_content_close(&content);
    return status;
}

void dcpn_results_free(dcpn_results *results)
{
    if (!results) return;
    dcpn_context *context = results->context;
    dcpn_model_free(results->model);
    if (results->cv)
        dcpn_cv_free(results->cv);
    else
        dcpn_paths_free(results->paths);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.command);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.feature_names);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.class_names);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.fill);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.gaps);
    dcpn_free(context, (void *)(uintptr_t)results->provenance.categories);
    dcpn_groups_free((dcpn_groups *)(uintptr_t)results->provenance.groups);
    dcpn_free(context, results->name);
    json_decref(results->tree);
    dcpn_free(context, results);
}

/* Refuses a selection from a file of one model, in which there is nothing to select. */
static dcpn_status check_only(const dcpn_results *results, const dcpn_selection *s)
{
    if (s->rule || s->has_lambda || s->penalty || s->has_value)
        return dcpn_fail(results->context, DCPN_USAGE, "%s: it holds one model; there is nothing to choose from",
                         results->name);
    if (results->model) return DCPN_OK;
    return dcpn_fail(results->context, DCPN_USAGE, "%s: its model was asked for before", results->name);
}

dcpn_status dcpn_results_find(const dcpn_results *results, const dcpn_selection *selection, int64_t *path,
                              int64_t *point)
{
    const dcpn_selection none = {0}, *s = selection ? selection : &none;
    DCPN_NEED(NULL, results);
    DCPN_NEED(results->context, path, point);
    *path = *point = 0;
    return results->paths ? dcpn_selected_point(results, s, path, point) : check_only(results, s);
}

dcpn_status dcpn_results_model(dcpn_results *results, const dcpn_selection *selection, dcpn_model **model)
{
    const dcpn_selection none = {0}, *s = selection ? selection : &none;
    DCPN_NEED(NULL, results);
    DCPN_NEED(results->context, model);
    *model = NULL;
    if (results->paths) return dcpn_selected_model(results, s, model);
    DCPN_TRY(check_only(results, s));
    *model = results->model;
    results->model = NULL;
    return DCPN_OK;
}

dcpn_status dcpn_model_read_at(dcpn_context *context, const char *path, const dcpn_selection *selection,
                               dcpn_model **model)
{
    dcpn_results *results;
    DCPN_NEED(context, context, model);
    *model = NULL;
    DCPN_TRY(dcpn_results_read(context, path, &results));
    dcpn_status status = dcpn_results_model(results, selection, model);
    dcpn_results_free(results);
    return status;
}

dcpn_status dcpn_model_read(dcpn_context *context, const char *path, dcpn_model **model)
{
    return dcpn_model_read_at(context, path, NULL, model);
}

const dcpn_model *dcpn_results_single(const dcpn_results *results)
{
    return results ? results->model : NULL;
}

const dcpn_paths *dcpn_results_paths(const dcpn_results *results)
{
    return results ? results->paths : NULL;
}

const dcpn_cv *dcpn_results_cv(const dcpn_results *results)
{
    return results ? results->cv : NULL;
}
