/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma- and tab-separated values: which column holds the labels. */
#include <stdio.h>
#include <string.h>

#include "data/csv_columns.h"
#include "data/labels.h"
#include "data/place.h"

enum { COLUMNS_NAMED = 6 /* in a question that names some of many */ };

static int64_t last_kept(const struct csv *csv)
{
    int64_t f = csv->columns - 1;
    while (f > 0 && !dcpn_csv_is_kept(csv, f)) f--;
    return f;
}

static dcpn_status refuse_labels(const struct csv *csv, const char *found, const char *what)
{
    return dcpn_fail(csv->content->context, DCPN_DATA,
                     "%s: found %s, expected %s; --label-column NAME or NUMBER, from 1, says which", csv->content->name,
                     found, what);
}

static int is_usual(struct word word, const char *unused)
{
    (void)unused;
    return dcpn_word_is_label(word);
}

static dcpn_status find_named_label(struct csv *csv, const char *name)
{
    char found[256], room[DCPN_QUOTE_LENGTH + 4] = "";
    int64_t like, count = dcpn_csv_find_columns(csv, dcpn_word_equals, name, &csv->label);
    if (count == 1) return DCPN_OK;
    snprintf(found, sizeof found, "%lld columns named '%.100s'", (long long)count, name);
    if (count > 1) return refuse_labels(csv, found, "one");
    csv->label = dcpn_csv_column_numbered(csv, name, name + strlen(name));
    if (csv->label >= 0) return DCPN_OK;
    if (dcpn_csv_find_columns(csv, dcpn_word_resembles, name, &like)) dcpn_csv_name_in_brackets(csv, like, room);
    snprintf(found, sizeof found, "no column named '%.100s'%s%s", name, *room ? ", only one like it" : "", room);
    if (csv->header.count) return refuse_labels(csv, found, "one of those in the header");
    snprintf(found, sizeof found, "no header, and %lld columns", (long long)csv->columns);
    return refuse_labels(csv, found, "a number of one of them for the labels");
}

/* Takes as labels the column that is called like them in the data of the model, or else the only one with a usual name;
 * without either, the rows have no labels. */
static dcpn_status find_known_label(struct csv *csv, int64_t usual)
{
    int64_t column, count = dcpn_csv_find_columns(csv, dcpn_word_equals, csv->options->table.label_name, &column);
    if (count == 1)
        csv->label = column;
    else if (usual != 1)
        csv->label = -1;
    return DCPN_OK;
}

/* Finds the only column that holds text, which a missing value may be; -1 if there is none or more than one. */
static int64_t only_text_column(const struct csv *csv, const struct word_list *row, int may_be_gap)
{
    int64_t column = -1;
    for (int64_t k = 0; k < row->count && k < csv->columns; k++) {
        if (!dcpn_csv_is_kept(csv, k) || !dcpn_csv_is_text(csv, row->words[k])) continue;
        if (!may_be_gap && dcpn_csv_is_gap(row->words[k])) continue;
        if (column >= 0) return -1;
        column = k;
    }
    return column;
}

/* Lists the names of the columns as far as there is room, in the words of a question. */
static void list_columns(const struct csv *csv, int64_t text, char *list, size_t room)
{
    char name[DCPN_QUOTE_LENGTH + 4];
    size_t used = (size_t)snprintf(list, room, text >= 0 ? "; perhaps %s, the only one of text?" : ", one of ",
                                   dcpn_csv_name_in_quotes(csv, text, name));
    int64_t shown = 0, kept = 0;
    for (int64_t f = 0; f < csv->columns && text < 0; f++) {
        if (!dcpn_csv_is_kept(csv, f)) continue;
        if (++kept > COLUMNS_NAMED) continue;
        used += (size_t)snprintf(list + used, room - used, "%s%s", shown++ ? ", " : "",
                                 dcpn_csv_name_in_quotes(csv, f, name));
    }
    if (kept > shown) snprintf(list + used, room - used, " ... (%lld in all)", (long long)kept);
}

/* Asks which column has the labels. A header gives names, and a name that does not say "label" may be that of any
 * feature: a guess would be a model of the wrong thing. */
static dcpn_status ask_for_label(const struct csv *csv, int64_t text)
{
    char list[(COLUMNS_NAMED + 1) * (DCPN_QUOTE_LENGTH + 8)];
    list_columns(csv, text, list, sizeof list);
    return dcpn_fail(
        csv->content->context, DCPN_DATA,
        "%s: found no column called label, class, target, outcome, response, status or y, expected to be told which "
        "one holds the labels: --label-column NAME or NUMBER%s",
        csv->content->name, list);
}

static void take_no_label(struct csv *csv)
{
    csv->label = -1;
    if (csv->options->table.label_optional == 2) return;
    dcpn_log(csv->content->context, DCPN_LOG_NOTE,
             "%s: no column is taken for the labels; --label-column says which one it is", csv->content->name);
}

/* A header that just counts its columns, 0, 1, 2 ..., has no names. */
static int has_names(const struct csv *csv)
{
    for (int64_t k = 0; k < csv->header.count; k++)
        if (dcpn_csv_is_text(csv, csv->header.words[k])) return 1;
    return 0;
}

/* May the rows have no labels although the last column could be guessed to be that of labels? Numbers in the last of
 * several named columns do not make it one if labels are optional; if none are wanted, not even without a header or
 * other columns. */
static int may_have_none(const struct csv *csv, const struct word_list *row, int64_t last, int is_named)
{
    int optional = csv->options->table.label_optional;
    if (is_named && csv->is_selected) return 1;
    int is_text = last < row->count && dcpn_csv_is_text(csv, row->words[last]);
    return csv->label == last && !is_text && (optional == 2 || (optional && is_named && dcpn_csv_count_kept(csv) > 1));
}

/* A column that the model uses is no label. */
static dcpn_status guess_label(struct csv *csv, const struct word_list *row)
{
    char name[DCPN_QUOTE_LENGTH + 4];
    dcpn_context *context = csv->content->context;
    int64_t text = only_text_column(csv, row, 0), last = last_kept(csv);
    if (text < 0) text = only_text_column(csv, row, 1);
    csv->label = text >= 0 ? text : last;
    int is_named = has_names(csv);
    if (dcpn_csv_is_wanted(csv, csv->label) || may_have_none(csv, row, last, is_named)) {
        take_no_label(csv);
    } else if (is_named && !csv->options->table.label_optional) {
        csv->label = -1;
        return ask_for_label(csv, text);
    } else if (dcpn_csv_count_kept(csv) > 1) {
        dcpn_log(context, DCPN_LOG_NOTE, "%s: labels are taken from column %lld%s, %s; --label-column says otherwise",
                 csv->content->name, (long long)csv->label + 1, dcpn_csv_name_in_brackets(csv, csv->label, name),
                 text >= 0 ? "the only text" : "the last");
    }
    return DCPN_OK;
}

/* Are the columns just as many as the features that are expected? Then there is none for the labels. */
static int are_all_features(const struct csv *csv)
{
    const dcpn_read_options *options = csv->options;
    int64_t expected = options->features > 0 ? options->features : options->at_least;
    if (expected <= 0 || dcpn_csv_count_kept(csv) != expected) return 0;
    if (!options->labels_path && !csv->header.count)
        dcpn_log(
            csv->content->context, DCPN_LOG_NOTE,
            "%s: all of its %lld columns count as features, none of them as the labels; --label-column says otherwise",
            csv->content->name, (long long)expected);
    return 1;
}

/* Sees to it that a column that the model uses is not taken for the labels, whatever it is called. */
dcpn_status dcpn_csv_keep_wanted(struct csv *csv)
{
    if (csv->label < 0 || !dcpn_csv_is_wanted(csv, csv->label)) return DCPN_OK;
    if (csv->options->table.label_column)
        return refuse_labels(csv, "the labels in a column that the model uses", "another");
    csv->label = -1;
    return DCPN_OK;
}

/* Takes the column whose number the labels had in the data of the model. Returns 0 if that number is not known or the
 * column cannot be used. */
static int take_number(struct csv *csv)
{
    int64_t number = csv->options->table.label_number;
    if (number < 1 || number > csv->columns || !dcpn_csv_is_kept(csv, number - 1)) return 0;
    csv->label = number - 1;
    return 1;
}

/* Refuses a table in which more than one column has a name that is usual for labels. */
static dcpn_status refuse_usual(const struct csv *csv, int64_t count)
{
    char found[4 * DCPN_QUOTE_LENGTH] = "", name[DCPN_QUOTE_LENGTH + 4];
    size_t used = (size_t)snprintf(found, sizeof found, "%lld columns that may hold the labels:", (long long)count);
    for (int64_t k = 0, shown = 0; k < csv->header.count && k + csv->header_shift < csv->columns && shown < 3; k++)
        if (dcpn_csv_is_kept(csv, k + csv->header_shift) && dcpn_word_is_label(csv->header.words[k]))
            used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", shown++ ? ", " : " ",
                                     dcpn_csv_name_in_quotes(csv, k + csv->header_shift, name));
    return refuse_labels(csv, found, "one");
}

dcpn_status dcpn_csv_find_label(struct csv *csv, const struct word_list *row)
{
    const dcpn_read_options *options = csv->options;
    int64_t usual = dcpn_csv_find_columns(csv, is_usual, NULL, &csv->label);
    if (options->table.label_column && options->labels_path)
        return dcpn_fail(csv->content->context, DCPN_USAGE,
                         "%s: found both a column and a file for the labels, expected one of them", csv->content->name);
    if (options->table.label_column) return find_named_label(csv, options->table.label_column);
    if (options->table.label_name && csv->header.count && !options->labels_path) return find_known_label(csv, usual);
    if (options->labels_path && usual)
        dcpn_log(csv->content->context, DCPN_LOG_WARNING,
                 "%s: labels come from another file, and the column with such a name counts as a feature",
                 csv->content->name);
    if (options->labels_path || (!usual && are_all_features(csv))) {
        csv->label = -1;
        return DCPN_OK;
    }
    if (usual > 1) return refuse_usual(csv, usual);
    return usual == 1 || take_number(csv) ? DCPN_OK : guess_label(csv, row);
}
