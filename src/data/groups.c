/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of features, from a file with a line for each member, from what the names of features begin with, or from the
 * columns of categories that features are levels of. */
#include <math.h>
#include <string.h>

#include "base/growing.h"
#include "base/number.h"
#include "data/categories.h"
#include "data/lines.h"
#include "data/word_set.h"
#include "dcpn/data.h"

struct membership {
    int64_t feature, group;
};

struct gathering {
    dcpn_context *context;
    const dcpn_dataset *data;
    struct word_set names; /* of the features, where they have some */
    int64_t *feature;      /* of a distinct name; -1: several features have it */
    int64_t known;         /* distinct names */
    struct word_set groups;
    struct membership *members; /* in the order they came */
    int64_t count, capacity;
    double *weights; /* of the groups; NaN: none was given */
    int64_t weight_capacity;
};

static dcpn_status note_names(struct gathering *g)
{
    int64_t number;
    if (!g->data->feature_names) return DCPN_OK;
    g->feature = dcpn_allocate(g->context, (size_t)g->data->features, sizeof *g->feature);
    if (!g->feature) return DCPN_MEMORY;
    for (int64_t j = 0; j < g->data->features; j++) {
        int64_t before = g->names.distinct.count;
        DCPN_TRY(dcpn_word_set_add(&g->names, dcpn_word_of(g->data->feature_names[j]), &number));
        g->feature[number] = number == before ? j : -1;
    }
    g->known = g->names.distinct.count;
    return DCPN_OK;
}

/* The number of a group, which may be new. */
static dcpn_status note_group(struct gathering *g, struct word name, int64_t *number)
{
    int64_t before = g->groups.distinct.count;
    DCPN_TRY(dcpn_word_set_add(&g->groups, name, number));
    if (*number < before) return DCPN_OK;
    double *weights = dcpn_make_room(g->context, g->weights, before, &g->weight_capacity, sizeof *weights);
    if (!weights) return DCPN_MEMORY;
    g->weights = weights;
    g->weights[before] = (double)NAN;
    return DCPN_OK;
}

static dcpn_status note_member(struct gathering *g, int64_t feature, int64_t group)
{
    struct membership *members = dcpn_make_room(g->context, g->members, g->count, &g->capacity, sizeof *members);
    if (!members) return DCPN_MEMORY;
    g->members = members;
    g->members[g->count++] = (struct membership){feature, group};
    return DCPN_OK;
}

/* ---- columns of categories: a feature for each level but the first ---- */

/* The feature of a level; -1: the data have none, as of the first level. */
static dcpn_status find_level(const struct gathering *g, const dcpn_category *category, int64_t level, int64_t *feature)
{
    char *name = dcpn_category_feature(g->context, category, level);
    if (!name) return DCPN_MEMORY;
    int64_t number = g->feature ? dcpn_word_set_find(&g->names, dcpn_word_of(name)) : -1;
    *feature = number >= 0 && number < g->known ? g->feature[number] : -1;
    dcpn_free(g->context, name);
    return DCPN_OK;
}

static dcpn_status note_levels(struct gathering *g, const dcpn_category *category, int64_t group)
{
    int64_t feature;
    for (int64_t level = 0; level < category->count; level++) {
        DCPN_TRY(find_level(g, category, level, &feature));
        if (feature >= 0) DCPN_TRY(note_member(g, feature, group));
    }
    return DCPN_OK;
}

/* The column of categories that a word names; NULL: it names none. */
static const dcpn_category *find_category(const dcpn_dataset *data, struct word word)
{
    for (int64_t c = 0; c < data->category_count; c++)
        if (dcpn_word_equals(word, data->categories[c].column)) return &data->categories[c];
    return NULL;
}

/* ---- a file: feature,group or feature,group,weight ---- */

enum { MOST_FIELDS = 4 };

/* Removes the blanks around a text, and the quotes within them. */
static struct word trim(const char *start, const char *end)
{
    start = dcpn_skip_blanks(start, end);
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
    if (end - start >= 2 && *start == '"' && end[-1] == '"') return (struct word){start + 1, end - start - 2};
    return (struct word){start, end - start};
}

static int is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t';
}

/* The fields between commas, semicolons or tabs, none of which counts within quotes. */
static int cut(const char *text, const char *end, struct word fields[MOST_FIELDS])
{
    int count = 0, is_quoted = 0;
    const char *from = text;
    for (const char *at = text; at <= end && count < MOST_FIELDS; at++) {
        if (at < end && *at == '"') is_quoted = !is_quoted;
        if (at < end && (is_quoted || !is_separator(*at))) continue;
        fields[count++] = trim(from, at);
        from = at + 1;
    }
    return count;
}

/* The word alone, and not what follows it in the line. */
static const char *quote_word(const struct line_reader *lines, struct word word, char quote[DCPN_QUOTE_LENGTH])
{
    const char *found = dcpn_lines_quote(lines, word.start, quote);
    if (found == quote && word.length > 0 && word.length + 2 < (int64_t)strlen(quote))
        strcpy(quote + word.length + 1, "'");
    return found;
}

/* Finds a feature by its name, or else by its number as the data have it. */
static dcpn_status find_feature(const struct line_reader *lines, struct gathering *g, struct word word,
                                int64_t *feature)
{
    const char *end = word.start + word.length;
    char quote[DCPN_QUOTE_LENGTH];
    int64_t number = g->known, base = g->data->index_base;
    if (g->feature && word.length > 0) DCPN_TRY(dcpn_word_set_add(&g->names, word, &number));
    if (number < g->known && g->feature[number] < 0)
        return dcpn_lines_refuse(lines, word.start,
                                 "found %s, which is the name of several features; write their numbers",
                                 quote_word(lines, word, quote));
    *feature = number < g->known ? g->feature[number] : -1;
    if (*feature >= 0) return DCPN_OK;
    if (word.length > 0 && dcpn_parse_integer(word.start, end, &number) == end && number >= base &&
        number - base < g->data->features) {
        *feature = number - base;
        return DCPN_OK;
    }
    return dcpn_lines_refuse(lines, word.start, "found %s, expected %sthe number of a feature, from %lld to %lld",
                             quote_word(lines, word, quote), g->feature ? "the name or " : "",
                             (long long)base, (long long)(base + g->data->features - 1));
}

static dcpn_status take_weight(const struct line_reader *lines, struct gathering *g, struct word word, int64_t group)
{
    double weight, *known = &g->weights[group];
    char quote[DCPN_QUOTE_LENGTH];
    if (word.length == 0) return DCPN_OK;
    const char *end = dcpn_parse_double(word.start, word.start + word.length, &weight);
    if (end != word.start + word.length || !isfinite(weight) || weight < 0.0)
        return dcpn_lines_refuse(lines, word.start, "found %s, expected the weight of a group, a number of at least 0",
                                 dcpn_lines_quote(lines, word.start, quote));
    if (!isnan(*known) && *known != weight)
        return dcpn_lines_refuse(lines, word.start,
                                 "found the weight %g of a group that has %g on a line above, expected the same",
                                 weight, *known);
    *known = weight;
    return DCPN_OK;
}

static int is_header(struct word first)
{
    return dcpn_word_resembles(first, "feature") || dcpn_word_resembles(first, "name");
}

/* A feature, or all levels of a column of categories. */
static dcpn_status take_member(const struct line_reader *lines, struct gathering *g, struct word word, int64_t group)
{
    int64_t feature = -1;
    int is_feature = g->feature && dcpn_word_set_find(&g->names, word) >= 0;
    const dcpn_category *category = is_feature ? NULL : find_category(g->data, word);
    if (category) return note_levels(g, category, group);
    DCPN_TRY(find_feature(lines, g, word, &feature));
    return note_member(g, feature, group);
}

static dcpn_status read_line(const struct line_reader *lines, struct gathering *g)
{
    struct word fields[MOST_FIELDS];
    int64_t group = -1;
    const char *at = dcpn_skip_blanks(lines->text, lines->end);
    if (at == lines->end || *at == '#') return DCPN_OK;
    int count = cut(lines->text, lines->end, fields);
    if (lines->number == 1 && is_header(fields[0])) return DCPN_OK;
    if (count < 2 || count > 3 || fields[1].length == 0)
        return dcpn_lines_refuse(
            lines, at, "found a line of %d of the fields feature,group and, perhaps, weight; expected both or all",
            fields[1].length == 0 && count == 2 ? 1 : count);
    DCPN_TRY(note_group(g, fields[1], &group));
    DCPN_TRY(take_member(lines, g, fields[0], group));
    return count == 3 ? take_weight(lines, g, fields[2], group) : DCPN_OK;
}

static dcpn_status read_lines(struct line_reader *lines, struct gathering *g)
{
    for (;;) {
        int more;
        DCPN_TRY(dcpn_lines_next(lines, &more));
        if (!more) break;
        DCPN_TRY(read_line(lines, g));
    }
    if (g->count > 0) return DCPN_OK;
    return dcpn_fail(g->context, DCPN_DATA, "%s: found no group, expected lines of feature,group", lines->content.name);
}

/* ---- names: what stands before a separator ---- */

static dcpn_status take_prefixes(struct gathering *g, const char *separator)
{
    int64_t group;
    if (!g->data->feature_names)
        return dcpn_fail(g->context, DCPN_DATA, "groups by names: the features have none; write a file of groups");
    for (int64_t j = 0; j < g->data->features; j++) {
        const char *name = g->data->feature_names[j], *end = strstr(name, separator);
        if (!end || end == name) continue; /* a group by itself */
        DCPN_TRY(note_group(g, (struct word){name, end - name}, &group));
        DCPN_TRY(note_member(g, j, group));
    }
    if (g->count > 0) return DCPN_OK;
    return dcpn_fail(g->context, DCPN_DATA, "groups by names: found no feature with '%s' within its name", separator);
}

static dcpn_status take_categories(struct gathering *g)
{
    int64_t group;
    for (int64_t c = 0; c < g->data->category_count; c++) {
        DCPN_TRY(note_group(g, dcpn_word_of(g->data->categories[c].column), &group));
        DCPN_TRY(note_levels(g, &g->data->categories[c], group));
    }
    if (g->count > 0) return DCPN_OK;
    return dcpn_fail(
        g->context, DCPN_DATA,
        "groups of categories: found no column of categories of two levels or more; make some of columns of text by "
        "--categorical");
}

/* ---- what comes of it ---- */

static void sort_members(const struct gathering *g, dcpn_groups *groups)
{
    for (int64_t k = 0; k <= groups->count; k++) groups->start[k] = 0;
    for (int64_t k = 0; k < g->count; k++) groups->start[g->members[k].group + 1]++;
    for (int64_t k = 0; k < groups->count; k++) groups->start[k + 1] += groups->start[k];
    for (int64_t k = 0; k < g->count; k++) groups->member[groups->start[g->members[k].group]++] = g->members[k].feature;
    for (int64_t k = groups->count; k > 0; k--) groups->start[k] = groups->start[k - 1];
    groups->start[0] = 0;
}

static dcpn_status give(struct gathering *g, dcpn_groups **given)
{
    dcpn_groups *groups = dcpn_allocate(g->context, 1, sizeof *groups);
    if (!groups) return DCPN_MEMORY;
    *groups = (dcpn_groups){.context = g->context, .count = g->groups.distinct.count};
    groups->start = dcpn_allocate(g->context, (size_t)groups->count + 1, sizeof *groups->start);
    groups->member = dcpn_allocate(g->context, (size_t)g->count, sizeof *groups->member);
    groups->names = dcpn_names_copy(g->context, g->groups.distinct.words, groups->count, 1);
    if (!groups->start || !groups->member || !groups->names) {
        dcpn_groups_free(groups);
        return DCPN_MEMORY;
    }
    groups->weights = g->weights;
    g->weights = NULL;
    sort_members(g, groups);
    *given = groups;
    return DCPN_OK;
}

static void end(struct gathering *g)
{
    dcpn_word_set_free(&g->names);
    dcpn_word_set_free(&g->groups);
    dcpn_free(g->context, g->feature);
    dcpn_free(g->context, g->members);
    dcpn_free(g->context, g->weights);
}

dcpn_status dcpn_groups_read(dcpn_context *context, const char *path, const dcpn_dataset *data, dcpn_groups **groups)
{
    DCPN_NEED(context, context, path, data, groups);
    struct gathering g = {
        .context = context, .data = data, .names = {.context = context}, .groups = {.context = context}};
    struct line_reader lines;
    *groups = NULL;
    DCPN_TRY(dcpn_lines_open(context, path, &lines));
    dcpn_status status = note_names(&g);
    if (status == DCPN_OK) status = read_lines(&lines, &g);
    if (status == DCPN_OK) status = give(&g, groups);
    end(&g);
    dcpn_lines_close(&lines);
    return status;
}

dcpn_status dcpn_groups_of_names(dcpn_context *context, const dcpn_dataset *data, const char *separator,
                                 dcpn_groups **groups)
{
    DCPN_NEED(context, context, data, separator, groups);
    struct gathering g = {
        .context = context, .data = data, .names = {.context = context}, .groups = {.context = context}};
    *groups = NULL;
    if (!*separator) return dcpn_fail(context, DCPN_USAGE, "groups by names: found no separator, expected one, as '_'");
    dcpn_status status = take_prefixes(&g, separator);
    if (status == DCPN_OK) status = give(&g, groups);
    end(&g);
    return status;
}

dcpn_status dcpn_groups_of_categories(dcpn_context *context, const dcpn_dataset *data, dcpn_groups **groups)
{
    DCPN_NEED(context, context, data, groups);
    struct gathering g = {
        .context = context, .data = data, .names = {.context = context}, .groups = {.context = context}};
    *groups = NULL;
    dcpn_status status = note_names(&g);
    if (status == DCPN_OK) status = take_categories(&g);
    if (status == DCPN_OK) status = give(&g, groups);
    end(&g);
    return status;
}

void dcpn_groups_free(dcpn_groups *groups)
{
    if (!groups) return;
    dcpn_free(groups->context, groups->start);
    dcpn_free(groups->context, groups->member);
    dcpn_free(groups->context, groups->weights);
    dcpn_free(groups->context, groups->names);
    dcpn_free(groups->context, groups);
}
