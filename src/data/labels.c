/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels of a data set. The distinct names are found with a set of words, which grows with them, not with the rows,
 * and then sorted. */
#include "data/labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "data/class_words.h"
#include "data/npy_array.h"
#include "data/place.h"
#include "data/word_set.h"

static dcpn_status refuse_label(const struct content *content, const struct word *words, int64_t row,
                                const char *sentence)
{
    char quote[DCPN_QUOTE_LENGTH];
    const char *shown = dcpn_quote(words[row].start, words[row].start + words[row].length, quote);
    if (content->bytes) return dcpn_refuse_at(content, words[row].start, "found the label %s, %s", shown, sentence);
    return dcpn_fail(content->context, DCPN_DATA, "%s: row %lld: found the label %s, %s", content->name,
                     (long long)row + 1, shown, sentence);
}

/* The words of a mapped file come in its order: what lies before them is not needed again. */
static void pass_by(const struct content *content, struct word word, const char **behind)
{
    enum { STEP = 1 << 20 };
    if (!*behind) *behind = content->bytes;
    if (!content->is_mapped || word.start - *behind < STEP) return;
    dcpn_content_forget(content, *behind, word.start);
    *behind = word.start;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------------*/

static dcpn_status read_numbers(const struct content *content, const struct word *words, unsigned style,
                                dcpn_dataset *dataset)
{
    const char *behind = NULL;
    for (int64_t i = 0; i < dataset->rows; i++) {
        pass_by(content, words[i], &behind);
        dataset->labels[i] = NAN;
        if (dcpn_word_is_missing(words[i])) continue;
        if (!dcpn_word_number(words[i], style & LABELS_DECIMAL_COMMA, &dataset->labels[i]))
            return refuse_label(content, words, i,
                                "which is text, after labels that are numbers; write all of them as numbers, or none");
        if (!isfinite(dataset->labels[i]))
            return refuse_label(content, words, i, "expected a finite number; remove the row or correct its label");
    }
    return DCPN_OK;
}

/* ---- Classes ------------------------------------------------------------------------------------------------------*/

static dcpn_status collect(struct word_set *classes, const struct content *content, const struct word *words,
                           dcpn_dataset *dataset)
{
    const char *behind = NULL;
    for (int64_t i = 0; i < dataset->rows; i++) {
        int64_t number;
        double value;
        pass_by(content, words[i], &behind);
        dataset->labels[i] = NAN;
        if (dcpn_word_is_missing(words[i])) continue;
        if (dcpn_word_number(words[i], 0, &value))
            return refuse_label(content, words, i,
                                "which is a number, after labels that are text; write all of them as numbers, or none");
        if (dcpn_word_number(words[i], 1, &value))
            return refuse_label(content, words, i, "which looks like a decimal comma; write numbers with a point");
        if (memchr(words[i].start, '\0', (size_t)words[i].length))
            return refuse_label(content, words, i, "with a zero byte, expected text; remove it");
        DCPN_TRY(dcpn_word_set_add(classes, words[i], &number));
        dataset->labels[i] = (double)number;
    }
    return DCPN_OK;
}

/* A distinct word and the number under which it was found first. */
struct ranked {
    struct word word;
    int64_t found;
};

static int by_text(const void *first, const void *second)
{
    const struct word *a = &((const struct ranked *)first)->word, *b = &((const struct ranked *)second)->word;
    int order = memcmp(a->start, b->start, (size_t)(a->length < b->length ? a->length : b->length));
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static void swap(struct ranked *first, struct ranked *second)
{
    struct ranked kept = *first;
    *first = *second;
    *second = kept;
}

static void renumber(dcpn_dataset *dataset, struct word_list *distinct, struct ranked *ranked, int64_t *rank)
{
    for (int64_t k = 0; k < distinct->count; k++) ranked[k] = (struct ranked){distinct->words[k], k};
    qsort(ranked, (size_t)distinct->count, sizeof *ranked, by_text);
    if (distinct->count == 2 && dcpn_first_is_positive(ranked[0].word, ranked[1].word)) swap(&ranked[0], &ranked[1]);
    for (int64_t k = 0; k < distinct->count; k++) {
        distinct->words[k] = ranked[k].word;
        rank[ranked[k].found] = k;
    }
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isnan(dataset->labels[i])) dataset->labels[i] = (double)rank[(int64_t)dataset->labels[i]];
}

static dcpn_status sort_classes(struct word_set *classes, unsigned quoted, dcpn_dataset *dataset)
{
    dcpn_context *context = classes->context;
    struct word_list *distinct = &classes->distinct;
    struct ranked *ranked = dcpn_allocate(context, (size_t)distinct->count, sizeof *ranked);
    int64_t *rank = ranked ? dcpn_allocate(context, (size_t)distinct->count, sizeof *rank) : NULL;
    if (rank) {
        renumber(dataset, distinct, ranked, rank);
        dataset->label_names = dcpn_names_copy(context, distinct->words, distinct->count, quoted != 0);
        dataset->label_count = distinct->count;
    }
    dcpn_free(context, ranked);
    dcpn_free(context, rank);
    return dataset->label_names ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status read_classes(const struct content *content, const struct word *words, unsigned style,
                                dcpn_dataset *dataset)
{
    struct word_set classes = {.context = content->context};
    dcpn_status status = collect(&classes, content, words, dataset);
    if (status == DCPN_OK) status = sort_classes(&classes, style & LABELS_QUOTED, dataset);
    dcpn_word_set_free(&classes);
    return status;
}

/* ---- All of them --------------------------------------------------------------------------------------------------*/

static dcpn_status refuse_missing(const struct content *content, const struct word *words, int64_t rows)
{
    const char *behind = NULL;
    for (int64_t i = 0; i < rows; i++) {
        pass_by(content, words[i], &behind);
        if (dcpn_word_is_missing(words[i]))
            return refuse_label(content, words, i,
                                "a missing value, expected a number or the name of a class; remove the row, or use a "
                                "loss that takes unlabelled rows");
    }
    return DCPN_OK;
}

static dcpn_status allocate_labels(dcpn_dataset *dataset)
{
    dataset->labels = dcpn_allocate(dataset->context, (size_t)dataset->rows, sizeof *dataset->labels);
    return dataset->labels ? DCPN_OK : DCPN_MEMORY;
}

/* Does the first label that is there look like a number? */
static int starts_with_number(const struct word *words, int64_t rows, unsigned style)
{
    double value;
    int64_t i = 0;
    while (i < rows && dcpn_word_is_missing(words[i])) i++;
    return i == rows || dcpn_word_number(words[i], style & LABELS_DECIMAL_COMMA, &value);
}

dcpn_status dcpn_labels_from_words(const struct content *content, const struct word *words, unsigned style,
                                   const dcpn_read_options *options, dcpn_dataset *dataset)
{
    if (!options->unlabelled) DCPN_TRY(refuse_missing(content, words, dataset->rows));
    DCPN_TRY(allocate_labels(dataset));
    if (starts_with_number(words, dataset->rows, style)) return read_numbers(content, words, style, dataset);
    return read_classes(content, words, style, dataset);
}

dcpn_status dcpn_labels_from_numbers(const struct content *content, double *numbers, const dcpn_read_options *options,
                                     dcpn_dataset *dataset)
{
    dataset->labels = numbers;
    for (int64_t i = 0; i < dataset->rows; i++)
        if (!isfinite(numbers[i]) && !(isnan(numbers[i]) && options->unlabelled))
            return dcpn_fail(content->context, DCPN_DATA,
                             "%s: row %lld: found the label %s, expected a finite number; remove the row%s",
                             content->name, (long long)i + 1, isnan(numbers[i]) ? "nan" : "inf",
                             isnan(numbers[i]) ? ", or use a loss that takes unlabelled rows"
                                               : " or correct its label");
    return DCPN_OK;
}

int dcpn_word_is_label(struct word word)
{
    static const char *const usual[] = {"label",   "labels",   "class",  "target", "y",
                                        "outcome", "response", "status"};
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (dcpn_word_resembles(word, usual[k])) return 1;
    return 0;
}

/* ---- A second file ------------------------------------------------------------------------------------------------*/

static void trim(const char **start, const char **end)
{
    *start = dcpn_skip_blanks(*start, *end);
    while (*end > *start && (end[0][-1] == ' ' || end[0][-1] == '\t' || end[0][-1] == '\r')) --*end;
}

/* Splits a file into lines, without blank ones and those that start with #. */
static dcpn_status split_lines(const struct content *file, struct word_list *list)
{
    const char *end = file->bytes + file->size;
    size_t mark = dcpn_byte_order_mark(file->bytes, file->size);
    for (const char *line = file->bytes + mark, *next; line < end; line = next) {
        const char *newline = memchr(line, '\n', (size_t)(end - line)), *stop = newline ? newline : end;
        next = newline ? newline + 1 : end;
        trim(&line, &stop);
        if (line == stop || *line == '#') continue;
        const char *zero = memchr(line, '\0', (size_t)(stop - line));
        if (zero) return dcpn_refuse_at(file, zero, "found a zero byte, expected labels, one a line, as plain text");
        DCPN_TRY(dcpn_words_append(file->context, list, line, stop));
    }
    return DCPN_OK;
}

int dcpn_word_is_columns(struct word word)
{
    double value;
    const char *end = word.start + word.length, *stop = dcpn_word_end(word.start, end);
    const char *next = dcpn_skip_blanks(stop, end);
    return next < end && dcpn_word_number((struct word){word.start, stop - word.start}, 0, &value) &&
           dcpn_word_number((struct word){next, dcpn_word_end(next, end) - next}, 0, &value);
}

static dcpn_status refuse_columns(const struct content *file, const struct word_list *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        char quote[DCPN_QUOTE_LENGTH];
        const char *start = list->words[i].start, *end = start + list->words[i].length;
        if (dcpn_word_is_columns(list->words[i]))
            return dcpn_refuse_at(file, start, "found %s, expected one label a line; keep one column of the file",
                                  dcpn_quote(start, end, quote));
    }
    return DCPN_OK;
}

static dcpn_status read_lines(const struct content *content, const struct content *file,
                              const dcpn_read_options *options, struct word_list *list, dcpn_dataset *dataset)
{
    DCPN_TRY(split_lines(file, list));
    if (list->count != dataset->rows)
        return dcpn_fail(file->context, DCPN_DATA,
                         "%s: found %lld labels, expected %lld, one for each row of %s; blank lines do not count",
                         file->name, (long long)list->count, (long long)dataset->rows, content->name);
    DCPN_TRY(refuse_columns(file, list));
    return dcpn_labels_from_words(file, list->words, LABELS_PLAIN, options, dataset);
}

static dcpn_status read_array(const struct content *file, const dcpn_read_options *options, dcpn_dataset *dataset)
{
    struct npy_array array;
    DCPN_TRY(dcpn_npy_open(file, &array));
    return dcpn_npy_labels(file, &array, options, dataset);
}

static dcpn_status read_second_file(const struct content *content, const dcpn_read_options *options,
                                    dcpn_dataset *dataset)
{
    struct content file;
    struct word_list list = {0};
    DCPN_TRY(dcpn_content_open(content->context, options->labels_path, &file));
    dcpn_status status = dcpn_npy_begins(file.bytes, file.size) ? read_array(&file, options, dataset)
                                                                : read_lines(content, &file, options, &list, dataset);
    dcpn_free(content->context, list.words);
    dcpn_content_close(&file);
    return status;
}

dcpn_status dcpn_labels_elsewhere(const struct content *content, const dcpn_read_options *options, const char *where,
                                  dcpn_dataset *dataset)
{
    if (options->labels_path) return read_second_file(content, options, dataset);
    if (!options->unlabelled)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found no labels, expected one for each of %lld rows; give them with --labels FILE, one a "
                         "line%s%s",
                         content->name, (long long)dataset->rows, where ? ", or here as " : "", where ? where : "");
    DCPN_TRY(allocate_labels(dataset));
    for (int64_t i = 0; i < dataset->rows; i++) dataset->labels[i] = NAN;
    return DCPN_OK;
}
