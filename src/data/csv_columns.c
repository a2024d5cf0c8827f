/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma- and tab-separated values: which columns are features, and which are left out. */
#include "data/csv_columns.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/csv_categories.h"
#include "data/dataset.h"
#include "data/place.h"
#include "data/word_set.h"

/* ---- Columns by their names ---------------------------------------------------------------------------------------*/

int64_t dcpn_csv_count_kept(const struct csv *csv)
{
    int64_t count = 0;
    for (int64_t f = 0; f < csv->columns; f++) count += dcpn_csv_is_kept(csv, f);
    return count;
}

/* Finds the columns of the header of which `matches` holds: how many, and the last. */
int64_t dcpn_csv_find_columns(const struct csv *csv, int (*matches)(struct word, const char *), const char *name,
                              int64_t *column)
{
    int64_t count = 0;
    for (int64_t k = 0; k < csv->header.count && k + csv->header_shift < csv->columns; k++)
        if (dcpn_csv_is_kept(csv, k + csv->header_shift) && matches(csv->header.words[k], name)) {
            *column = k + csv->header_shift;
            count++;
        }
    return count;
}

/* Finds the column of that number, from 1; -1: there is none, or it is left out. */
int64_t dcpn_csv_column_numbered(const struct csv *csv, const char *text, const char *end)
{
    int64_t number;
    int is_number = dcpn_parse_integer(text, end, &number) == end && number >= 1 && number <= csv->columns;
    return is_number && dcpn_csv_is_kept(csv, number - 1) ? number - 1 : -1;
}

/* "'age'", or nothing where there is no header. */
const char *dcpn_csv_name_in_quotes(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH])
{
    int64_t k = field - csv->header_shift;
    if (k < 0 || k >= csv->header.count) return "";
    const struct word *word = &csv->header.words[k];
    return dcpn_quote(word->start, word->start + word->length, name);
}

/* " ('age')", or nothing where there is no header. */
const char *dcpn_csv_name_in_brackets(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH + 4])
{
    char room[DCPN_QUOTE_LENGTH];
    const char *quote = dcpn_csv_name_in_quotes(csv, field, room);
    if (!*quote) return "";
    snprintf(name, DCPN_QUOTE_LENGTH + 4, " (%s)", quote);
    return name;
}

/* ---- Columns that are left out ------------------------------------------------------------------------------------*/

/* Leaves out all columns that have this name or, if there are none, the column of this number. */
static dcpn_status ignore_column(struct csv *csv, struct word item)
{
    int64_t found = 0, numbered = dcpn_csv_column_numbered(csv, item.start, item.start + item.length);
    for (int64_t k = 0; k < csv->header.count && k + csv->header_shift < csv->columns; k++) {
        const struct word *name = &csv->header.words[k];
        if (name->length != item.length || memcmp(name->start, item.start, (size_t)item.length) != 0) continue;
        csv->feature_of[k + csv->header_shift] = CSV_LEFT_OUT;
        found++;
    }
    if (found) return DCPN_OK;
    if (numbered < 0)
        return dcpn_fail(
            csv->content->context, DCPN_DATA,
            "%s: found no column '%.*s', expected a name of the header or a number from 1 to %lld",
            csv->content->name, item.length < 100 ? (int)item.length : 100, item.start, (long long)csv->columns);
    csv->feature_of[numbered] = CSV_LEFT_OUT;
    return DCPN_OK;
}

static dcpn_status ignore_columns(struct csv *csv)
{
    for (const char *item = csv->options->table.ignore, *comma; item; item = comma ? comma + 1 : NULL) {
        comma = strchr(item, ',');
        const char *end = comma ? comma : item + strlen(item);
        for (; item < end && *item == ' ';) item++;
        while (end > item && end[-1] == ' ') end--;
        if (item < end) DCPN_TRY(ignore_column(csv, (struct word){item, end - item}));
    }
    return DCPN_OK;
}

/* ---- Columns that are asked for -----------------------------------------------------------------------------------*/

/* The column that a feature is made of, where it is one of categories: "site" for "site=Lyon". */
static const char *column_of(const struct csv *csv, const char *feature)
{
    for (int64_t c = 0; c < csv->options->table.category_count; c++) {
        const char *column = csv->options->table.categories[c].column;
        size_t length = strlen(column);
        if (strncmp(feature, column, length) == 0 && feature[length] == '=') return column;
    }
    return feature;
}

static dcpn_status refuse_absent(const struct csv *csv, const char *feature)
{
    const char *name = column_of(csv, feature);
    char room[DCPN_QUOTE_LENGTH + 4] = "";
    int64_t like;
    if (dcpn_csv_find_columns(csv, dcpn_word_resembles, name, &like)) dcpn_csv_name_in_brackets(csv, like, room);
    return dcpn_fail(
        csv->content->context, DCPN_DATA,
        "%s: found no column named '%.100s'%s%s, expected one, which the model uses; name the columns as in the data "
        "that it was fitted to",
        csv->content->name, name, *room ? ", only one like it" : "", room);
}

/* Marks the levels of a column of categories whose features have one of the first `wanted` names of the set, and counts
 * them for each name. */
static dcpn_status mark_levels(const struct csv *csv, struct csv_coding *coding, const struct word_set *set,
                               int64_t wanted, int64_t *counts)
{
    for (int64_t k = 1; k < coding->category.count; k++) {
        char *name = dcpn_category_feature(csv->content->context, &coding->category, k);
        if (!name) return DCPN_MEMORY;
        int64_t number = dcpn_word_set_find(set, dcpn_word_of(name));
        dcpn_free(csv->content->context, name);
        if (number < 0 || number >= wanted) continue;
        coding->feature_of[k] = CSV_WANTED + (int32_t)number;
        counts[number]++;
    }
    return DCPN_OK;
}

/* Marks the columns that have one of the first `wanted` names of the set, and counts them for each name. */
static dcpn_status mark_columns(struct csv *csv, struct word_set *set, char **names, int64_t *counts)
{
    int64_t number, wanted = set->distinct.count;
    memset(counts, 0, (size_t)wanted * sizeof *counts);
    for (int64_t k = 0; k < csv->header.count && k + csv->header_shift < csv->columns; k++) {
        if (!dcpn_csv_is_kept(csv, k + csv->header_shift)) continue;
        if (dcpn_csv_coding(csv, k + csv->header_shift)) {
            DCPN_TRY(mark_levels(csv, csv->coding_of[k + csv->header_shift], set, wanted, counts));
            continue;
        }
        DCPN_TRY(dcpn_word_set_add(set, dcpn_word_of(names[k]), &number));
        if (number >= wanted) continue;
        csv->feature_of[k + csv->header_shift] = CSV_WANTED + (int32_t)number;
        counts[number]++;
    }
    return DCPN_OK;
}

static void mark_none(struct csv *csv)
{
    for (int64_t f = 0; f < csv->columns; f++)
        if (dcpn_csv_is_wanted(csv, f)) csv->feature_of[f] = CSV_FEATURE;
}

/* Names that stand twice, here or there, tell nothing: then all columns stay, and their places count. */
static dcpn_status mark_wanted(struct csv *csv, struct word_set *set, char **names, int64_t *counts)
{
    const dcpn_read_options *options = csv->options;
    int64_t number, are_unique = 1;
    for (int64_t k = 0; k < options->table.wanted_count; k++)
        DCPN_TRY(dcpn_word_set_add(set, dcpn_word_of(options->table.wanted[k]), &number));
    if (set->distinct.count < options->table.wanted_count) return DCPN_OK;
    DCPN_TRY(mark_columns(csv, set, names, counts));
    for (int64_t k = 0; k < options->table.wanted_count; k++) are_unique &= counts[k] <= 1;
    if (!are_unique) mark_none(csv);
    for (int64_t k = 0; are_unique && k < options->table.wanted_count; k++)
        if (!counts[k]) return refuse_absent(csv, options->table.wanted[k]);
    csv->is_selected = are_unique != 0;
    return DCPN_OK;
}

static dcpn_status select_wanted(struct csv *csv)
{
    dcpn_context *context = csv->content->context;
    struct word_set set = {.context = context};
    if (!csv->options->table.wanted_count || !csv->header.count) return DCPN_OK;
    char **names = dcpn_names_copy(context, csv->header.words, csv->header.count, 1);
    int64_t *counts = dcpn_allocate(context, (size_t)csv->options->table.wanted_count, sizeof *counts);
    dcpn_status status = names && counts ? mark_wanted(csv, &set, names, counts) : DCPN_MEMORY;
    dcpn_word_set_free(&set);
    dcpn_free(context, names);
    dcpn_free(context, counts);
    return status;
}

/* ---- The column that names the rows -------------------------------------------------------------------------------*/

static dcpn_status refuse_id(const struct csv *csv, int64_t count)
{
    return dcpn_fail(
        csv->content->context, DCPN_DATA,
        "%s: found %lld columns '%.100s' to name the rows, expected one: a name of the header, or a number from 1 to "
        "%lld",
        csv->content->name, (long long)count, csv->options->table.id_column, (long long)csv->columns);
}

/* Finds the column that names the rows, which is no feature. If none is named, the first column may be one of row
 * names. */
static dcpn_status find_id(struct csv *csv)
{
    const char *given = csv->options->table.id_column, *name = given ? given : csv->options->table.id_name;
    int64_t field, count = name ? dcpn_csv_find_columns(csv, dcpn_word_equals, name, &field) : 0;
    if (given && count == 0 && (field = dcpn_csv_column_numbered(csv, given, given + strlen(given))) >= 0) count = 1;
    if (given && count != 1) return refuse_id(csv, count);
    if (count == 1) {
        csv->id = field;
        csv->feature_of[field] = CSV_LEFT_OUT;
    } else if (csv->row_names) {
        csv->id = 0;
    }
    return DCPN_OK;
}

/* ---- All of them --------------------------------------------------------------------------------------------------*/

static dcpn_status check_header(const struct csv *csv)
{
    for (int64_t k = 0; k < csv->header.count; k++) {
        const char *zero = memchr(csv->header.words[k].start, '\0', (size_t)csv->header.words[k].length);
        if (zero) return dcpn_refuse_at(csv->content, zero, "found a zero byte in a name, expected text; remove it");
    }
    if (!csv->header.count || csv->header.count + csv->header_shift == csv->fields) return DCPN_OK;
    int has_empty_end = csv->fields == csv->header.count + 1 && dcpn_csv_rows_end_in_separator(csv);
    return dcpn_refuse_at(csv->content, csv->rows_start, "found %lld fields, expected %lld, as in the header; %s",
                          (long long)csv->fields, (long long)csv->header.count,
                          has_empty_end            ? "end either all lines in a separator, the header too, or none"
                          : csv->header.count == 1 ? "is there a title above the header? Remove it"
                                                   : "name every column, and write numbers with a decimal point");
}

static dcpn_status allocate_marks(struct csv *csv)
{
    csv->feature_of = dcpn_allocate(csv->content->context, (size_t)csv->fields, sizeof *csv->feature_of);
    if (!csv->feature_of) return DCPN_MEMORY;
    for (int64_t f = 0; f < csv->fields; f++)
        csv->feature_of[f] = f < csv->row_names || f >= csv->columns ? CSV_LEFT_OUT : CSV_FEATURE;
    return DCPN_OK;
}

/* Takes from the options what missing values count as, in the order of the columns. */
static dcpn_status take_fill(struct csv *csv)
{
    const dcpn_read_options *options = csv->options;
    int64_t j = 0;
    if (!csv->is_selected || !options->table.fill) return DCPN_OK;
    csv->fill = dcpn_allocate(csv->content->context, (size_t)options->table.wanted_count, sizeof *csv->fill);
    if (!csv->fill) return DCPN_MEMORY;
    for (int64_t f = 0; f < csv->fields; f++) {
        const struct csv_coding *coding = dcpn_csv_coding(csv, f);
        if (dcpn_csv_is_wanted(csv, f)) csv->fill[j++] = options->table.fill[csv->feature_of[f] - CSV_WANTED];
        for (int64_t k = 0; coding && k < coding->category.count; k++)
            if (coding->feature_of[k] >= CSV_WANTED)
                csv->fill[j++] = options->table.fill[coding->feature_of[k] - CSV_WANTED];
    }
    csv->missing = CSV_FILL;
    return DCPN_OK;
}

/* Numbers the features of the levels of a column of categories. The first level has none. */
static void number_levels(struct csv *csv, struct csv_coding *coding)
{
    for (int64_t k = 0; k < coding->category.count; k++) {
        int is_feature = csv->is_selected ? coding->feature_of[k] >= CSV_WANTED : k > 0;
        coding->feature_of[k] = is_feature ? (int32_t)csv->features++ : -1;
        coding->features += is_feature;
    }
}

static void number_features(struct csv *csv)
{
    csv->features = 0;
    csv->features_found = dcpn_csv_count_kept(csv) - (csv->label >= 0);
    for (int64_t f = 0; f < csv->fields; f++) {
        if (dcpn_csv_coding(csv, f)) {
            csv->feature_of[f] = CSV_LEFT_OUT;
            if (f == csv->label) continue;
            number_levels(csv, csv->coding_of[f]);
            csv->features_found += csv->coding_of[f]->category.count - 2;
            continue;
        }
        int is_feature =
            f != csv->label && dcpn_csv_is_kept(csv, f) && (!csv->is_selected || dcpn_csv_is_wanted(csv, f));
        csv->feature_of[f] = is_feature ? (int32_t)csv->features++ : CSV_LEFT_OUT;
    }
}

static dcpn_status refuse_without_features(const struct csv *csv)
{
    int are_ignored = csv->options->table.ignore && csv->columns > 1;
    return dcpn_fail(csv->content->context, DCPN_DATA, "%s: found %s, expected features and a label; %s",
                     csv->content->name, are_ignored ? "no column beside the labels and those left out" : "one column",
                     are_ignored ? "leave fewer out by --ignore" : "is it separated by commas, semicolons or tabs?");
}

dcpn_status dcpn_csv_settle_columns(struct csv *csv, const struct word_list *row)
{
    int64_t features;
    DCPN_TRY(check_header(csv));
    if (csv->fields > INT32_MAX) return dcpn_settle_features(csv->content, csv->options, csv->fields, 1, &features);
    DCPN_TRY(allocate_marks(csv));
    DCPN_TRY(ignore_columns(csv));
    DCPN_TRY(find_id(csv));
    DCPN_TRY(dcpn_csv_take_categories(csv));
    DCPN_TRY(select_wanted(csv));
    DCPN_TRY(dcpn_csv_find_label(csv, row));
    DCPN_TRY(dcpn_csv_keep_wanted(csv));
    DCPN_TRY(dcpn_csv_find_categories(csv));
    DCPN_TRY(take_fill(csv));
    number_features(csv);
    if (csv->features < 1) return refuse_without_features(csv);
    if (csv->is_selected) return DCPN_OK;
    return dcpn_settle_features(csv->content, csv->options, csv->features, 1, &features);
}
