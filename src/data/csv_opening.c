/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma- and tab-separated values: what the first lines tell of the file, its separator and whether it has a header. */
#include <string.h>

#include "base/number.h"
#include "data/csv.h"
#include "data/labels.h"

enum { WARN_FROM = 3, HEADER_FROM = 10 }; /* fields that count 0, 1, 2 ... */
enum { ROWS_LOOKED_AT = 100 };

/* ---- The separator ------------------------------------------------------------------------------------------------*/

int64_t dcpn_csv_count(const char *at, const char *text_end, char separator, const char **end)
{
    int64_t count = 0;
    int within_quotes = 0;
    for (; at < text_end && (within_quotes || *at != '\n'); at++) {
        if (*at == '"') within_quotes ^= 1;
        count += !within_quotes && *at == separator;
    }
    *end = at;
    return count;
}

int64_t dcpn_csv_agreed(const char *text, const char *text_end, char separator, int shift)
{
    const char *end;
    int64_t first = dcpn_csv_count(text, text_end, separator, &end);
    const char *second = dcpn_csv_row(end, text_end);
    if (!second) return shift ? 0 : first;
    int64_t other = dcpn_csv_count(second, text_end, separator, &end);
    return first + shift == other ? other : 0;
}

/* Guesses the separator. Semicolons come first, since commas between them are decimal. A header may have a name less
 * than the rows have fields, as R leaves out that of the row names. */
char dcpn_csv_separator(const char *text, const char *text_end)
{
    static const char candidates[] = {';', ',', '\t'};
    const char *end;
    for (int shift = 0; shift < 2; shift++)
        for (size_t k = 0; k < sizeof candidates; k++)
            if (dcpn_csv_agreed(text, text_end, candidates[k], shift) > 0) return candidates[k];
    for (size_t k = 0; k < sizeof candidates; k++)
        if (dcpn_csv_count(text, text_end, candidates[k], &end) > 0) return candidates[k];
    return ',';
}

/* ---- The first rows -----------------------------------------------------------------------------------------------*/

static dcpn_status split_row(const struct csv *csv, const char *row, struct word_list *list, const char **end)
{
    for (const char *at = row;; at++) {
        struct csv_field field;
        enum csv_problem problem;
        at = dcpn_csv_field(csv, at, &field, &problem);
        if (!at) return dcpn_csv_refuse(csv, problem, &field, list->count);
        DCPN_TRY(dcpn_words_append(csv->content->context, list, field.start, field.end));
        *end = at;
        if (at == csv->end || *at == '\n') return DCPN_OK;
    }
}

/* Is the word a number? A truth value counts as one. */
static int is_number(const struct csv *csv, struct word word)
{
    double value;
    const struct csv_field field = {.start = word.start, .end = word.start + word.length};
    return !dcpn_word_is_missing(word) && (dcpn_word_truth(word, &value) || dcpn_csv_number(csv, &field, &value));
}

int dcpn_csv_is_gap_among_texts(struct word word)
{
    return dcpn_word_is_missing(word) || dcpn_word_equals(word, "-");
}

int dcpn_csv_is_gap(struct word word)
{
    return dcpn_csv_is_gap_among_texts(word) || dcpn_word_resembles(word, "none");
}

int dcpn_csv_is_text(const struct csv *csv, struct word word)
{
    return !dcpn_word_is_missing(word) && !is_number(csv, word);
}

/* Do the numbers of a row count up by one from 0 or 1, texts aside? *first is the first, *count how many they are. */
static int counts_up(const struct csv *csv, const struct word_list *row, int64_t *first, int64_t *count)
{
    int is_counting = 1;
    *first = *count = 0;
    for (int64_t k = 0; k < row->count; k++) {
        int64_t number = -1;
        const char *end = row->words[k].start + row->words[k].length;
        if (!is_number(csv, row->words[k])) continue;
        if (dcpn_parse_integer(row->words[k].start, end, &number) != end || number < 0) number = -1;
        if (*count == 0) *first = number;
        is_counting &= number - *count == *first; /* number >= -1, count >= 0: no overflow this way round */
        ++*count;
    }
    return is_counting && (*first == 0 || *first == 1);
}

/* A row 0, 1, 2, ... is the header of a table whose columns have no names, if it is long enough not to be data. */
static int is_count(const struct csv *csv, const struct csv_opening *opening)
{
    int64_t first, count;
    if (!counts_up(csv, &opening->first, &first, &count) || count < opening->first.count) return 0;
    int is_taken = count >= HEADER_FROM && first == 0;
    if (count < WARN_FROM || opening->second.count == 0) return 0;
    dcpn_log(csv->content->context, DCPN_LOG_WARNING, "%s: the first row just counts its columns: it is taken for %s",
             csv->content->name, is_taken ? "a header" : "data; remove it if it is a header");
    return is_taken;
}

/* Finds the field of that number, from 0, in a row; 0: there is none. *end becomes its end. */
static int find_field(const struct csv *csv, const char *row, int64_t number, struct word *word, const char **end)
{
    for (const char *at = row;; at++) {
        struct csv_field field;
        enum csv_problem problem;
        at = dcpn_csv_field(csv, at, &field, &problem);
        *end = at ? at : csv->end;
        if (!at) return 0;
        *word = (struct word){field.start, field.end - field.start};
        if (number-- == 0) return 1;
        if (at == csv->end || *at == '\n') return 0;
    }
}

/* Does the word tell that the name is that of a class? It does if it is the same, or n where the name is y. */
static int makes_a_class(struct word word, struct word name)
{
    if (dcpn_word_resembles(name, "y") && dcpn_word_resembles(word, "n")) return 1;
    return word.length == name.length && memcmp(word.start, name.start, (size_t)name.length) == 0;
}

static int is_class_below(const struct csv *csv, const char *row, int64_t field, struct word name)
{
    while ((row = dcpn_csv_row(row, csv->end))) {
        struct word word;
        const char *end;
        if (find_field(csv, row, field, &word, &end) && makes_a_class(word, name)) return 1;
        dcpn_csv_count(end, csv->end, csv->separator, &row);
    }
    return 0;
}

/* Is it what the labels are called, by the options or by custom? */
static int names_labels(const struct csv *csv, struct word word)
{
    const dcpn_read_options *options = csv->options;
    return dcpn_word_is_label(word) ||
           (options->table.label_column && dcpn_word_equals(word, options->table.label_column)) ||
           (options->table.label_name && dcpn_word_equals(word, options->table.label_name));
}

/* Does the first row have the name of the labels, above a number or above texts none of which is that name? A name like
 * "y" may also be a class. */
static int has_label_name(const struct csv *csv, const struct csv_opening *opening, const char *second_row)
{
    const struct word_list *first = &opening->first, *second = &opening->second;
    int64_t shift = second->count == first->count + 1;
    for (int64_t k = 0; k < first->count && k + shift < second->count; k++) {
        if (!dcpn_csv_is_text(csv, first->words[k]) || !names_labels(csv, first->words[k])) continue;
        if (is_number(csv, second->words[k + shift])) return 1;
        if (!is_class_below(csv, second_row, k + shift, first->words[k])) return 1;
    }
    return 0;
}

/* Is the first row a header? It is if it has names and no number among them, or if one of its names is that of the
 * labels. */
static int is_header(const struct csv *csv, const struct csv_opening *opening, const char *second_row)
{
    const struct word_list *first = &opening->first;
    int64_t texts = 0, numbers = 0;
    for (int64_t k = 0; k < first->count; k++) {
        numbers += is_number(csv, first->words[k]);
        texts += dcpn_csv_is_text(csv, first->words[k]);
    }
    return texts > 0 && (numbers == 0 || has_label_name(csv, opening, second_row));
}

/* ---- Separators at the ends of lines ------------------------------------------------------------------------------*/

static int ends_in_separator(const char *row, const char *end, char separator)
{
    while (end > row && (end[-1] == ' ' || end[-1] == '\r')) end--;
    return end > row && end[-1] == separator;
}

int dcpn_csv_rows_end_in_separator(const struct csv *csv)
{
    const char *row = csv->rows_start, *end;
    for (; (row = dcpn_csv_row(row, csv->end)); row = end) {
        dcpn_csv_count(row, csv->end, csv->separator, &end);
        if (!ends_in_separator(row, end, csv->separator)) return 0;
    }
    return 1;
}

static int last_is_empty(const struct word_list *row)
{
    return row->count == 0 || row->words[row->count - 1].length == 0;
}

/* Some programs put a separator behind every field, the last one too: then each line, the header as well, ends in a
 * field that is empty. */
static int has_empty_end(const struct csv *csv, const struct csv_opening *opening)
{
    if (csv->fields < 2 || !last_is_empty(&csv->header) || !last_is_empty(&opening->first)) return 0;
    if (!dcpn_csv_rows_end_in_separator(csv)) return 0;
    dcpn_log(csv->content->context, DCPN_LOG_NOTE,
             "%s: every line ends in a separator: the last column, empty and without a name, is left out",
             csv->content->name);
    return 1;
}

/* ---- The header ---------------------------------------------------------------------------------------------------*/

/* Is the first column, which has no name in the header, one of row names as R writes them: texts, or in quotes, or 1,
 * 2, 3 ...? A decimal comma also makes a field more than the header has. */
static int has_row_names(const struct csv *csv, struct word first, const char *row)
{
    int64_t start = -1;
    if (dcpn_csv_is_text(csv, first) || first.start[-1] == '"') return 1; /* behind a header: there is a byte before */
    for (int64_t k = 0; k < ROWS_LOOKED_AT && (row = dcpn_csv_row(row, csv->end)); k++) {
        struct csv_field field;
        enum csv_problem problem;
        int64_t number;
        const char *at = dcpn_csv_field(csv, row, &field, &problem);
        if (!at || dcpn_parse_integer(field.start, field.end, &number) != field.end) return 0;
        if (k == 0) start = number;
        if (start < 0 || start > 1 || number != start + k) return 0;
        dcpn_csv_count(at, csv->end, csv->separator, &row);
    }
    return 1;
}

static void take_header(struct csv *csv, struct csv_opening *opening, const char *second_row)
{
    csv->rows_start = second_row ? second_row : csv->end;
    csv->header = opening->first;
    opening->first = opening->second;
    opening->second = (struct word_list){0};
    csv->header_shift = opening->first.count == csv->header.count + 1 &&
                        has_row_names(csv, opening->first.words[0], second_row) &&
                        !(last_is_empty(&opening->first) && dcpn_csv_rows_end_in_separator(csv));
    csv->row_names = csv->header_shift || (csv->header.count > 1 && csv->header.words[0].length == 0);
    if (csv->row_names)
        dcpn_log(csv->content->context, DCPN_LOG_NOTE,
                 "%s: the first column has no name: it is taken for the names of the rows, and left out",
                 csv->content->name);
}

dcpn_status dcpn_csv_open_rows(struct csv *csv, struct csv_opening *opening, const char *first_row)
{
    const char *end = first_row;
    DCPN_TRY(split_row(csv, first_row, &opening->first, &end));
    const char *second_row = dcpn_csv_row(end, csv->end);
    if (second_row) DCPN_TRY(split_row(csv, second_row, &opening->second, &end));
    csv->rows_start = first_row;
    if (is_count(csv, opening) || is_header(csv, opening, second_row)) take_header(csv, opening, second_row);
    csv->fields = opening->first.count ? opening->first.count : csv->header.count;
    csv->columns = csv->fields - has_empty_end(csv, opening);
    return DCPN_OK;
}
