/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of features in the files of models, paths and cross-validations:
 *     "groups": {"name": [...], "size": [...], "weight": [...], "feature": [...]}
 * with the features of the first group, then of the second, numbered as the data have them; a weight is null where the
 * group has the standard one. */
#include <math.h>

#include "base/context.h"
#include "data/names.h"
#include "model/model.h"
#include "model/model_file.h"
#include "model/parts_read.h"

void dcpn_write_groups(struct json_writer *json, const dcpn_groups *groups, int index_base)
{
    if (!groups) return;
    dcpn_json_object(json, "groups", ", ");
    dcpn_json_texts(json, "name", (const char *const *)groups->names, groups->count);
    dcpn_json_list(json, "size", groups->count, ", ");
    for (int64_t g = 0; g < groups->count; g++) dcpn_json_put_integer(json, groups->start[g + 1] - groups->start[g]);
    dcpn_json_close(json);
    dcpn_json_list(json, "weight", groups->count, ", ");
    for (int64_t g = 0; g < groups->count; g++)
        dcpn_json_put_number(json, groups->weights ? groups->weights[g] : (double)NAN);
    dcpn_json_close(json);
    dcpn_json_integers(json, "feature", groups->member, groups->start[groups->count], index_base);
    dcpn_json_close(json);
}

/* ---- copies ---- */

/* Makes groups that are empty, with room for their members; NULL: no memory. */
static dcpn_groups *new_groups(dcpn_context *context, int64_t count, int64_t members)
{
    dcpn_groups *groups = dcpn_allocate(context, 1, sizeof *groups);
    if (!groups) return NULL;
    *groups = (dcpn_groups){.context = context, .count = count};
    groups->start = dcpn_allocate(context, (size_t)count + 1, sizeof *groups->start);
    groups->member = dcpn_allocate(context, (size_t)members, sizeof *groups->member);
    groups->weights = dcpn_allocate(context, (size_t)count, sizeof *groups->weights);
    if (groups->start && groups->member && groups->weights) return groups;
    dcpn_groups_free(groups);
    return NULL;
}

static dcpn_status take_names(dcpn_groups *groups, const char *const *names)
{
    struct word *words = dcpn_allocate(groups->context, (size_t)groups->count, sizeof *words);
    for (int64_t g = 0; words && g < groups->count; g++) words[g] = dcpn_word_of(names[g]);
    groups->names = words ? dcpn_names_copy(groups->context, words, groups->count, 0) : NULL;
    dcpn_free(groups->context, words);
    return groups->names ? DCPN_OK : DCPN_MEMORY;
}

dcpn_groups *dcpn_groups_copy(dcpn_context *context, const dcpn_groups *from)
{
    int64_t members = from->start[from->count];
    dcpn_groups *copy = new_groups(context, from->count, members);
    if (!copy) return NULL;
    for (int64_t g = 0; g <= from->count; g++) copy->start[g] = from->start[g];
    for (int64_t k = 0; k < members; k++) copy->member[k] = from->member[k];
    for (int64_t g = 0; g < from->count; g++) copy->weights[g] = from->weights ? from->weights[g] : (double)NAN;
    if (take_names(copy, (const char *const *)from->names) == DCPN_OK) return copy;
    dcpn_groups_free(copy);
    return NULL;
}

/* ---- reading ---- */

static dcpn_status refuse(const struct model_reader *reader, const char *found, const char *expected)
{
    return dcpn_field_refuse(reader, "groups", found, expected);
}

static dcpn_status read_starts(const struct model_reader *reader, const json_t *sizes, int64_t members,
                               dcpn_groups *groups)
{
    groups->start[0] = 0;
    for (int64_t g = 0; g < groups->count; g++) {
        const json_t *size = json_array_get(sizes, (size_t)g);
        int64_t left = members - groups->start[g];
        if (!json_is_integer(size) || json_integer_value(size) < 0 || json_integer_value(size) > left)
            return refuse(reader, "a size that does not go with the features",
                          "counts that sum to the length of feature");
        groups->start[g + 1] = groups->start[g] + json_integer_value(size);
    }
    if (groups->start[groups->count] == members) return DCPN_OK;
    return refuse(reader, "sizes that do not sum to the length of feature", "counts that do");
}

static dcpn_status read_members(const struct model_reader *reader, const json_t *features, dcpn_groups *groups)
{
    for (int64_t k = 0; k < groups->start[groups->count]; k++) {
        const json_t *feature = json_array_get(features, (size_t)k);
        json_int_t number = json_integer_value(feature);
        if (!json_is_integer(feature) || number < reader->index_base || number - reader->index_base >= reader->features)
            return refuse(reader, "a feature that is no number of one", "index_base up to features - 1 + index_base");
        groups->member[k] = number - reader->index_base;
    }
    return DCPN_OK;
}

static dcpn_status read_weights(const struct model_reader *reader, const json_t *weights, dcpn_groups *groups)
{
    for (int64_t g = 0; g < groups->count; g++) {
        const json_t *weight = json_array_get(weights, (size_t)g);
        if (!json_is_null(weight) && !(json_is_number(weight) && json_number_value(weight) >= 0.0))
            return refuse(reader, "a weight that is none", "numbers of at least 0, or null");
        groups->weights[g] = json_is_null(weight) ? (double)NAN : json_number_value(weight);
    }
    return DCPN_OK;
}

static dcpn_status fill(const struct model_reader *reader, const json_t *object, const char *const *names,
                        dcpn_groups *groups)
{
    const json_t *features = json_object_get(object, "feature");
    DCPN_TRY(take_names(groups, names));
    DCPN_TRY(read_starts(reader, json_object_get(object, "size"), (int64_t)json_array_size(features), groups));
    DCPN_TRY(read_members(reader, features, groups));
    return read_weights(reader, json_object_get(object, "weight"), groups);
}

dcpn_status dcpn_read_groups(const struct model_reader *reader, const json_t *root, dcpn_groups **groups)
{
    static const char *const lists[] = {"name", "size", "weight"};
    const json_t *object = json_object_get(root, "groups"), *features = json_object_get(object, "feature");
    size_t count = json_array_size(json_object_get(object, "name"));
    const char **names;
    int64_t named;
    *groups = NULL;
    if (!object || json_is_null(object)) return DCPN_OK;
    for (size_t k = 0; k < 3; k++) {
        const json_t *list = json_object_get(object, lists[k]);
        if (!json_is_array(list) || json_array_size(list) != count || !json_is_array(features))
            return refuse(reader, dcpn_field_describe(object),
                          "the lists name, size and weight of one length, and feature");
    }
    DCPN_TRY(dcpn_read_texts(reader, object, "name", &names, &named));
    dcpn_groups *made = new_groups(reader->context, named, (int64_t)json_array_size(features));
    dcpn_status status = made ? fill(reader, object, names, made) : DCPN_MEMORY;
    dcpn_free(reader->context, names);
    if (status == DCPN_OK)
        *groups = made;
    else
        dcpn_groups_free(made);
    return status;
}
