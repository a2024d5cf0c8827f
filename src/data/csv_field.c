/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of comma-separated values, as RFC 4180 has them, and the sentences for those that are wrong. */
#include <stdio.h>
#include <string.h>

#include "data/csv_advice.h"
#include "data/csv_categories.h"
#include "data/place.h"

enum { LEVELS_LENGTH = 160 };

static int ends_field(const struct csv *csv, const char *at)
{
    return at == csv->end || *at == csv->separator || *at == '\n';
}

static const char *skip_spaces(const struct csv *csv, const char *at)
{
    while (at < csv->end && (*at == ' ' || *at == '\r')) at++;
    return at;
}

const char *dcpn_csv_row(const char *at, const char *end)
{
    while (at < end) {
        const char *line = at;
        while (at < end && (*at == ' ' || *at == '\r')) at++;
        if (at == end) break;
        if (*at != '\n') return line;
        at++;
    }
    return NULL;
}

/* Finds the place behind the quote that closes the one before `at`; NULL: nothing closes it. */
static const char *close_quote(const char *at, const char *end)
{
    while (at < end && (at = memchr(at, '"', (size_t)(end - at)))) {
        if (at + 1 == end || at[1] != '"') return at + 1;
        at += 2;
    }
    return NULL;
}

static const char *fail_field(struct csv_field *field, const char *place, enum csv_problem *problem,
                              enum csv_problem found)
{
    *field = (struct csv_field){.start = place, .end = place};
    *problem = found;
    return NULL;
}

static const char *quoted_field(const struct csv *csv, const char *quote, struct csv_field *field,
                                enum csv_problem *problem)
{
    const char *after = close_quote(quote + 1, csv->end);
    if (!after) return fail_field(field, quote, problem, CSV_QUOTE_OPEN);
    *field = (struct csv_field){.start = quote + 1, .end = after - 1, .is_quoted = 1};
    after = skip_spaces(csv, after);
    return ends_field(csv, after) ? after : fail_field(field, after, problem, CSV_AFTER_QUOTE);
}

const char *dcpn_csv_field(const struct csv *csv, const char *at, struct csv_field *field, enum csv_problem *problem)
{
    const char *start = skip_spaces(csv, at);
    if (start < csv->end && *start == '"') return quoted_field(csv, start, field, problem);
    *field = (struct csv_field){.start = start};
    for (at = start; !ends_field(csv, at); at++)
        if (*at == '"') return fail_field(field, at, problem, CSV_QUOTE_INSIDE);
    field->end = at;
    while (field->end > start && (field->end[-1] == ' ' || field->end[-1] == '\r')) field->end--;
    return at;
}

int dcpn_csv_number(const struct csv *csv, const struct csv_field *field, double *value)
{
    struct word word = {field->start, field->end - field->start};
    if (dcpn_word_number(word, csv->separator != ',', value)) return 1;
    while (word.length > 0 && word.start[word.length - 1] == ' ') word.length--; /* blanks within quotes */
    for (; word.length > 0 && *word.start == ' '; word.length--) word.start++;
    return word.length < field->end - field->start && dcpn_word_number(word, csv->separator != ',', value);
}

/* ---- Sentences ----------------------------------------------------------------------------------------------------*/

/* "field 3", or "field 3 (age)" where there is a header. */
static const char *name_field(const struct csv *csv, int64_t field, char name[2 * DCPN_QUOTE_LENGTH])
{
    char quote[DCPN_QUOTE_LENGTH];
    int64_t k = field - csv->header_shift;
    if (field < 0) return "a field";
    int length = snprintf(name, DCPN_QUOTE_LENGTH, "field %lld", (long long)field + 1);
    if (k < 0 || k >= csv->header.count) return name;
    const struct word *word = &csv->header.words[k];
    snprintf(name + length, DCPN_QUOTE_LENGTH, " (%s)", dcpn_quote(word->start, word->start + word->length, quote));
    return name;
}

const char *dcpn_csv_name_column(const struct csv *csv, int64_t field, char name[DCPN_QUOTE_LENGTH + 20])
{
    int64_t k = field - csv->header_shift;
    if (k >= 0 && k < csv->header.count)
        return dcpn_quote(csv->header.words[k].start, csv->header.words[k].start + csv->header.words[k].length, name);
    snprintf(name, DCPN_QUOTE_LENGTH + 20, "column %lld", (long long)field + 1);
    return name;
}

/* The levels of the column, as far as there is room, and the one that missing values can be made. */
static dcpn_status refuse_stranger(const struct csv *csv, const struct csv_field *field, int64_t number,
                                   const char *quote, const char *name)
{
    const dcpn_category *category = &dcpn_csv_coding(csv, number)->category;
    char list[LEVELS_LENGTH];
    size_t used = 0;
    for (int64_t k = 0; k < category->count && used < sizeof list; k++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", category->levels[k]);
    return dcpn_refuse_at(
        csv->content, field->start,
        "found %s in %s, which the data of the fit did not have there, expected one of %s%s; --missing zero takes "
        "%.40s, the reference, in its place",
        quote, name, list, used < sizeof list ? "" : " ...", category->levels[0]);
}

int dcpn_csv_has_decimal_comma(const char *start, const char *end)
{
    const char *comma = memchr(start, ',', (size_t)(end - start));
    return comma && comma > start && comma + 1 < end && comma[-1] >= '0' && comma[-1] <= '9' && comma[1] >= '0' &&
           comma[1] <= '9';
}

/* "<0.1", as laboratories write what lies below the limit of detection: where its number begins, NULL: it is none. */
static const char *find_limit(const struct csv *csv, const struct csv_field *field)
{
    double limit;
    struct csv_field number = {.start = field->start + 1, .end = field->end};
    if (field->end - field->start < 2 || !strchr("<>", *field->start)) return NULL;
    while (number.start < number.end && strchr("= ", *number.start)) number.start++;
    return dcpn_csv_number(csv, &number, &limit) ? number.start : NULL;
}

static dcpn_status refuse_limit(const struct csv *csv, const struct csv_field *field, const char *number,
                                const char *quote, const char *name)
{
    return dcpn_refuse_at(csv->content, field->start,
                          "found %s in %s, a limit of what was measured, expected a number, or NA where it is missing; "
                          "write %.*s, or what stands for such values, in its place, or --ignore the column",
                          quote, name, (int)(field->end - number), number);
}

static dcpn_status refuse_text(const struct csv *csv, const struct csv_field *field, int64_t number, const char *quote,
                               const char *name)
{
    if (memchr(field->start, '\0', (size_t)(field->end - field->start)))
        return dcpn_refuse_at(csv->content, field->start,
                              "found a zero byte in %s, expected text; a binary or UTF-16 file has to be converted to "
                              "plain text first",
                              name);
    if (dcpn_csv_has_decimal_comma(field->start, field->end))
        return dcpn_refuse_at(csv->content, field->start,
                              "found %s in %s, which looks like a decimal comma%s; write numbers with a point, and "
                              "without marks of thousands",
                              quote, name, csv->separator == ',' ? "" : " with thousands marked");
    char advice[DCPN_ADVICE_LENGTH];
    const char *limit = find_limit(csv, field);
    if (limit) return refuse_limit(csv, field, limit, quote, name);
    if (!dcpn_csv_advise(csv, number, advice))
        return dcpn_refuse_at(csv->content, field->start,
                              "found %s in %s, expected a number, or NA where it is missing; --ignore leaves the "
                              "column out, --categorical codes categories",
                              quote, name);
    return dcpn_refuse_at(
        csv->content, field->start,
        "found %s in %s, expected a number, or NA where it is missing; give --ignore to leave columns out, or read the "
        "table as it looks: %s",
        quote, name, advice);
}

static dcpn_status refuse_count(const struct csv *csv, const char *place, int too_many, int64_t number)
{
    const char *advice = "as in the first row; correct the row, or put quotes around a field that has separators in it";
    if (too_many)
        return dcpn_refuse_at(csv->content, place, "found more than %lld fields, expected %lld, %s",
                              (long long)csv->fields, (long long)csv->fields, advice);
    return dcpn_refuse_at(csv->content, place, "found %lld field%s, expected %lld, %s", (long long)number + 1,
                          number ? "s" : "", (long long)csv->fields, advice);
}

static dcpn_status refuse_quotes(const struct csv *csv, enum csv_problem problem, const char *place, const char *name)
{
    if (problem == CSV_QUOTE_INSIDE)
        return dcpn_refuse_at(csv->content, place,
                              "found a quote inside %s, expected quotes around the whole field; within them write a "
                              "quote twice",
                              name);
    if (problem == CSV_QUOTE_OPEN)
        return dcpn_refuse_at(
            csv->content, place,
            "found a quote at the start of %s that is never closed, expected a second one; add it, or leave this one "
            "out",
            name);
    return dcpn_refuse_at(csv->content, place,
                          "found text behind the closing quote of %s, expected a separator; a quote within quotes is "
                          "written twice",
                          name);
}

static dcpn_status refuse_number(const struct csv *csv, enum csv_problem problem, const struct csv_field *field,
                                 int64_t number, const char *name)
{
    char room[DCPN_QUOTE_LENGTH];
    const char *quote = dcpn_quote(field->start, field->end, room);
    if (problem == CSV_TEXT) return refuse_text(csv, field, number, quote, name);
    if (problem == CSV_MISSING)
        return dcpn_refuse_at(csv->content, field->start,
                              "found %s in %s, a missing value, expected a number; --missing zero or --missing mean "
                              "accepts it",
                              quote, name);
    if (problem == CSV_STRANGER) return refuse_stranger(csv, field, number, quote, name);
    if (problem == CSV_NOT_FINITE)
        return dcpn_refuse_at(csv->content, field->start,
                              "found %s in %s, expected a number that is finite; remove the row or correct it", quote,
                              name);
    if (problem == CSV_TOO_LARGE)
        return dcpn_refuse_at(csv->content, field->start,
                              "found %s in %s, expected a number of at most %s; rescale the data", quote, name,
                              dcpn_largest(csv->options->value_type));
    int has_comma = memchr(field->start, ',', (size_t)(field->end - field->start)) != NULL;
    return dcpn_refuse_at(csv->content, field->start,
                          "found %s in %s, after numbers with a decimal %s, expected the same; write all of them with "
                          "a point",
                          quote, name, has_comma ? "point" : "comma");
}

dcpn_status dcpn_csv_refuse(const struct csv *csv, enum csv_problem problem, const struct csv_field *field,
                            int64_t number)
{
    char room[2 * DCPN_QUOTE_LENGTH];
    const char *name = name_field(csv, number, room);
    if (problem == CSV_CHANGED)
        return dcpn_fail(csv->content->context, DCPN_IO, "%s: cannot be read: it changed meanwhile",
                         csv->content->name);
    if (problem == CSV_TOO_FEW || problem == CSV_TOO_MANY)
        return refuse_count(csv, field->start, problem == CSV_TOO_MANY, number);
    if (problem == CSV_QUOTE_INSIDE || problem == CSV_QUOTE_OPEN || problem == CSV_AFTER_QUOTE)
        return refuse_quotes(csv, problem, field->start, name);
    return refuse_number(csv, problem, field, number, name);
}
