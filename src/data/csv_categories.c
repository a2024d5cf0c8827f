/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of categories in a table: which they are and what their levels are. The rows are walked once more for it,
 * before they are read, since the levels decide how many features there are. */
#include "data/csv_categories.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "data/place.h"
#include "data/word_set.h"

enum {
    FEW = 10,           /* levels that a column of categories may have, however few rows there are, */
    FEWEST = 3,         /* if some text comes twice; else so many */
    MOST_LEVELS = 10000 /* beyond that a column is text, whatever it was said to be */
};

/* A walk over the rows of a table: is_seen holds for the columns whose fields it looks at, and it collects their
 * different texts. */
struct walk {
    struct csv *csv;
    unsigned char *is_seen;
    struct word_set *texts; /* one per field */
    int64_t rows;
};

/* ---- Memory -------------------------------------------------------------------------------------------------------*/

static dcpn_status make_room(struct csv *csv)
{
    if (csv->coding_of) return DCPN_OK;
    size_t bytes = (size_t)csv->fields * sizeof *csv->coding_of;
    csv->coding_of = dcpn_allocate(csv->content->context, (size_t)csv->fields, sizeof *csv->coding_of);
    if (!csv->coding_of) return DCPN_MEMORY;
    memset(csv->coding_of, 0, bytes);
    return DCPN_OK;
}

static void free_coding(dcpn_context *context, struct csv_coding *coding)
{
    if (!coding) return;
    dcpn_free(context, coding->feature_of);
    dcpn_free(context, coding->made);
    dcpn_free(context, coding);
}

void dcpn_csv_free_categories(struct csv *csv)
{
    for (int64_t f = 0; csv->coding_of && f < csv->fields; f++) free_coding(csv->content->context, csv->coding_of[f]);
    dcpn_free(csv->content->context, csv->coding_of);
    csv->coding_of = NULL;
}

static dcpn_status add_coding(struct csv *csv, int64_t field, dcpn_category category, dcpn_category *made)
{
    dcpn_context *context = csv->content->context;
    struct csv_coding *coding = dcpn_allocate(context, 1, sizeof *coding);
    int32_t *feature_of = coding ? dcpn_allocate(context, (size_t)category.count + 1, sizeof *feature_of) : NULL;
    if (!feature_of) {
        dcpn_free(context, coding);
        return DCPN_MEMORY;
    }
    for (int64_t k = 0; k < category.count; k++) feature_of[k] = -1;
    *coding = (struct csv_coding){.category = category, .made = made, .feature_of = feature_of};
    csv->coding_of[field] = coding;
    return DCPN_OK;
}

/* ---- Levels that are known ----------------------------------------------------------------------------------------*/

dcpn_status dcpn_csv_take_categories(struct csv *csv)
{
    const dcpn_read_options *options = csv->options;
    if (!options->table.category_count || !csv->header.count) return DCPN_OK;
    DCPN_TRY(make_room(csv));
    for (int64_t c = 0; c < options->table.category_count; c++)
        for (int64_t k = 0; k < csv->header.count && k + csv->header_shift < csv->columns; k++)
            if (csv->feature_of[k + csv->header_shift] >= 0 && !csv->coding_of[k + csv->header_shift] &&
                dcpn_word_equals(csv->header.words[k], options->table.categories[c].column))
                DCPN_TRY(add_coding(csv, k + csv->header_shift, options->table.categories[c], NULL));
    return DCPN_OK;
}

/* ---- Counting -----------------------------------------------------------------------------------------------------*/

const char *dcpn_csv_count_category(const struct csv *csv, const struct csv_coding *coding, const char *at,
                                    int64_t *entries)
{
    struct csv_field field;
    enum csv_problem problem;
    const char *after = dcpn_csv_field(csv, at, &field, &problem);
    if (!after) return NULL;
    int64_t found = dcpn_category_find(&coding->category, (struct word){field.start, field.end - field.start});
    if (found < 0 && csv->missing != CSV_ZERO) *entries += coding->features;
    if (found >= 0) *entries += coding->feature_of[found] >= 0;
    return after;
}

/* ---- Levels that the rows have ------------------------------------------------------------------------------------*/

typedef dcpn_status visitor(struct walk *walk, int64_t field, struct word word);

/* A row whose quotes are wrong ends the walk; reading says so. */
static dcpn_status walk_rows(struct walk *walk, visitor *visit)
{
    struct csv *csv = walk->csv;
    const char *at = csv->rows_start;
    for (walk->rows = 0; (at = dcpn_csv_row(at, csv->end)); walk->rows++) {
        for (int64_t f = 0;; f++, at++) {
            struct csv_field field;
            enum csv_problem problem;
            at = dcpn_csv_field(csv, at, &field, &problem);
            if (!at) return DCPN_OK;
            if (f < csv->columns && walk->is_seen[f])
                DCPN_TRY(visit(walk, f, (struct word){field.start, field.end - field.start}));
            if (at == csv->end || *at == '\n') break;
        }
    }
    return DCPN_OK;
}

static dcpn_status note_text(struct walk *walk, int64_t field, struct word word)
{
    if (dcpn_csv_is_text(walk->csv, word) && !dcpn_csv_is_gap(word)) walk->is_seen[field] = 2;
    return DCPN_OK;
}

static dcpn_status refuse_zero(const struct csv *csv, const char *zero)
{
    return dcpn_refuse_at(csv->content, zero, "found a zero byte in a category, expected text; remove it");
}

static dcpn_status collect(struct walk *walk, int64_t field, struct word word)
{
    int64_t number;
    struct word_set *texts = &walk->texts[field];
    if (dcpn_csv_is_gap_among_texts(word) || texts->distinct.count > MOST_LEVELS) return DCPN_OK;
    const char *zero = memchr(word.start, '\0', (size_t)word.length);
    return zero ? refuse_zero(walk->csv, zero) : dcpn_word_set_add(texts, word, &number);
}

static dcpn_status refuse_many(const struct walk *walk, int64_t field, int64_t levels)
{
    char name[DCPN_QUOTE_LENGTH];
    const struct csv *csv = walk->csv;
    const struct word *word = &csv->header.words[field - csv->header_shift];
    return dcpn_fail(
        csv->content->context, DCPN_DATA,
        "%s: found %s%lld different texts in the %lld rows of the column %s, expected categories, of which many rows "
        "have the same; --id takes it for the names of the rows, --ignore leaves it out",
        csv->content->name, levels > MOST_LEVELS ? "more than " : "",
        (long long)(levels > MOST_LEVELS ? MOST_LEVELS : levels), (long long)walk->rows,
        dcpn_quote(word->start, word->start + word->length, name));
}

static int by_bytes(const void *first, const void *second)
{
    return strcmp(*(char *const *)first, *(char *const *)second);
}

/* The texts of a column become the levels, in ascending order. */
static dcpn_status make_coding(struct walk *walk, int64_t field)
{
    struct csv *csv = walk->csv;
    dcpn_context *context = csv->content->context;
    const struct word_list *texts = &walk->texts[field].distinct;
    char **levels = dcpn_names_copy(context, texts->words, texts->count, 1);
    char *column = dcpn_word_copy(context, csv->header.words[field - csv->header_shift], 1);
    dcpn_category *made = NULL;
    if (levels && column) {
        qsort(levels, (size_t)texts->count, sizeof *levels, by_bytes);
        made = dcpn_categories_copy(context, &(dcpn_category){column, levels, texts->count}, 1);
    }
    dcpn_free(context, levels);
    dcpn_free(context, column);
    dcpn_status status = made ? add_coding(csv, field, *made, made) : DCPN_MEMORY;
    if (status != DCPN_OK) dcpn_free(context, made);
    return status;
}

/* Tells the levels of a column: a reader of a coefficient has to know with which level it compares. */
static void say_of_levels(const struct csv *csv, int64_t field)
{
    const dcpn_category *category = &csv->coding_of[field]->category;
    if (category->count == 0) return;
    if (category->count == 1) {
        dcpn_log(csv->content->context, DCPN_LOG_NOTE, "%s: '%.60s' is '%.60s' in every row: it is no feature",
                 csv->content->name, category->column, category->levels[0]);
        return;
    }
    dcpn_log(csv->content->context, DCPN_LOG_NOTE,
             "%s: '%.60s' has %lld categories, each a feature but '%.60s', the reference", csv->content->name,
             category->column, (long long)category->count, category->levels[0]);
}

/* Texts that hardly ever come twice are names of rows, or notes. */
static int looks_like_names(int64_t levels, int64_t rows)
{
    return (levels > FEW && 2 * levels > rows) || (levels > FEWEST && levels == rows);
}

static dcpn_status make_codings(struct walk *walk, int is_auto)
{
    for (int64_t f = 0; f < walk->csv->columns; f++) {
        int64_t levels = walk->texts[f].distinct.count;
        if (!walk->is_seen[f]) continue;
        if (levels > MOST_LEVELS || (is_auto && looks_like_names(levels, walk->rows)))
            return refuse_many(walk, f, levels);
        DCPN_TRY(make_coding(walk, f));
        say_of_levels(walk->csv, f);
    }
    return DCPN_OK;
}

/* ---- Which columns they are ---------------------------------------------------------------------------------------*/

static int may_be_coded(const struct csv *csv, int64_t field)
{
    return field != csv->label && csv->feature_of[field] >= 0 && !csv->coding_of[field];
}

static dcpn_status refuse_column(const struct csv *csv, struct word item)
{
    return dcpn_fail(
        csv->content->context, DCPN_DATA,
        "%s: found no column '%.*s' of features to take for categories, expected a name of the header or a number from "
        "1 to %lld; the label, the id and columns left out are none",
        csv->content->name, item.length < 100 ? (int)item.length : 100, item.start, (long long)csv->columns);
}

static dcpn_status mark_column(struct walk *walk, struct word item)
{
    const struct csv *csv = walk->csv;
    int64_t number, field = -1;
    for (int64_t k = 0; k < csv->header.count && k + csv->header_shift < csv->columns; k++)
        if (csv->header.words[k].length == item.length && may_be_coded(csv, k + csv->header_shift) &&
            memcmp(csv->header.words[k].start, item.start, (size_t)item.length) == 0)
            field = k + csv->header_shift;
    const char *end = item.start + item.length;
    if (field < 0 && dcpn_parse_integer(item.start, end, &number) == end && number >= 1 && number <= csv->columns &&
        may_be_coded(csv, number - 1))
        field = number - 1;
    if (field < csv->header_shift) return refuse_column(csv, item);
    walk->is_seen[field] = 1;
    return DCPN_OK;
}

static dcpn_status mark_listed(struct walk *walk)
{
    for (const char *item = walk->csv->options->table.categorical, *comma; item; item = comma ? comma + 1 : NULL) {
        comma = strchr(item, ',');
        const char *end = comma ? comma : item + strlen(item);
        while (item < end && *item == ' ') item++;
        while (end > item && end[-1] == ' ') end--;
        if (item < end) DCPN_TRY(mark_column(walk, (struct word){item, end - item}));
    }
    return DCPN_OK;
}

/* Marks all columns in which some row has a text. */
static dcpn_status mark_texts(struct walk *walk)
{
    const struct csv *csv = walk->csv;
    for (int64_t f = csv->header_shift; f < csv->columns; f++) walk->is_seen[f] = may_be_coded(csv, f) != 0;
    DCPN_TRY(walk_rows(walk, note_text));
    for (int64_t f = 0; f < csv->columns; f++) walk->is_seen[f] = walk->is_seen[f] == 2;
    return DCPN_OK;
}

static dcpn_status find_all(struct walk *walk)
{
    int is_auto = strcmp(walk->csv->options->table.categorical, "auto") == 0;
    DCPN_TRY(is_auto ? mark_texts(walk) : mark_listed(walk));
    DCPN_TRY(walk_rows(walk, collect));
    return make_codings(walk, is_auto);
}

dcpn_status dcpn_csv_find_categories(struct csv *csv)
{
    dcpn_context *context = csv->content->context;
    size_t fields = (size_t)csv->fields;
    if (!csv->options->table.categorical || !*csv->options->table.categorical) return DCPN_OK;
    if (!csv->header.count)
        return dcpn_fail(
            context, DCPN_DATA,
            "%s: found no header, expected one, since a feature of a category is called by its column; name the "
            "columns",
            csv->content->name);
    DCPN_TRY(make_room(csv));
    struct walk walk = {.csv = csv, .is_seen = dcpn_allocate(context, fields, 1)};
    walk.texts = walk.is_seen ? dcpn_allocate(context, fields, sizeof *walk.texts) : NULL;
    dcpn_status status = walk.texts ? DCPN_OK : DCPN_MEMORY;
    for (size_t f = 0; f < fields && walk.texts; f++) {
        walk.is_seen[f] = 0;
        walk.texts[f] = (struct word_set){.context = context};
    }
    if (status == DCPN_OK) status = find_all(&walk);
    for (size_t f = 0; f < fields && walk.texts; f++) dcpn_word_set_free(&walk.texts[f]);
    dcpn_free(context, walk.texts);
    dcpn_free(context, walk.is_seen);
    return status;
}
