/* SPDX-License-Identifier: BSD-3-Clause */
/* LIBSVM text: one line, taken apart slowly to say what is wrong with it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing.h"
#include "base/number.h"
#include "data/libsvm.h"

/* A feature of the line. */
struct entry {
    int64_t index;
    const char *at;
};

struct row {
    const struct line_reader *lines;
    const dcpn_read_options *options;
    int64_t features;          /* 0: any number */
    struct findings *findings; /* NULL: the first thing that is wrong ends it */
    struct entry *entries;
    int64_t length, capacity;
};

static int contains(const struct line_reader *lines, char c)
{
    return memchr(lines->text, c, (size_t)(lines->end - lines->text)) != NULL;
}

static int looks_like_csv(const struct line_reader *lines)
{
    return !contains(lines, ':') && (contains(lines, ',') || contains(lines, ';'));
}

/* Refuses what stands right behind a number where a blank should be. */
static dcpn_status refuse_rest(const struct line_reader *lines, const char *word, const char *at, const char *what)
{
    char quote[DCPN_QUOTE_LENGTH];
    dcpn_lines_quote(lines, word, quote);
    if (*at == ',')
        return dcpn_lines_refuse(lines, at,
                                 "found %s, which looks like a decimal comma%s, expected a %s with a point; write all "
                                 "numbers so",
                                 quote, *word == '-' || strcmp(what, "label") != 0 ? "" : " or like several labels",
                                 what);
    if (*at == '\r')
        return dcpn_lines_refuse(
            lines, at,
            "found a carriage return within the line, expected a line feed at its end; convert the "
            "file with tr '\\r' '\\n'");
    return dcpn_lines_refuse(lines, at, "found %s, expected a blank after the %s; remove the other characters", quote,
                             what);
}

static int at_word_end(const struct line_reader *lines, const char *at)
{
    return dcpn_word_end(at, lines->end) == at;
}

static dcpn_status read_label(const struct line_reader *lines, const dcpn_read_options *options, const char **at)
{
    double label;
    const char *word = *at;
    if (looks_like_csv(lines))
        return dcpn_lines_refuse(lines, word,
                                 "this looks like CSV, expected LIBSVM text, label index:value ...; --format csv reads "
                                 "it");
    if (*word == '?' && options->unlabelled && at_word_end(lines, word + 1)) {
        *at = word + 1;
        return DCPN_OK;
    }
    if (*word == '?')
        return dcpn_lines_refuse(lines, word,
                                 "found '?', an unlabelled row, expected a label; remove the row, or use a loss that "
                                 "takes unlabelled ones");
    DCPN_TRY(dcpn_lines_number(lines, at, "a label, a number", &label));
    if (at_word_end(lines, *at)) return DCPN_OK;
    if (**at == ':')
        return dcpn_lines_refuse(lines, word,
                                 "found a feature where the row starts, expected a label; write one (any "
                                 "number will do for prediction) before the features");
    return refuse_rest(lines, word, *at, "label");
}

static dcpn_status skip_query(const struct line_reader *lines, const char **at)
{
    int64_t query;
    if (lines->end - *at < 4 || memcmp(*at, "qid:", 4) != 0) return DCPN_OK;
    const char *after = dcpn_parse_integer(*at + 4, lines->end, &query);
    if (!after || !at_word_end(lines, after))
        return dcpn_lines_refuse(lines, *at,
                                 "found a qid that is not a whole number, expected qid:n; correct it or leave it out");
    *at = after;
    return DCPN_OK;
}

/* Refuses an index. after: the place behind the whole number at `at`, NULL if there is none. */
static dcpn_status refuse_index(const struct line_reader *lines, const char *at, const char *after, int64_t number)
{
    char quote[DCPN_QUOTE_LENGTH];
    dcpn_lines_quote(lines, at, quote);
    if (after && after < lines->end && (*after == '.' || *after == 'e'))
        return dcpn_lines_refuse(lines, at, "found %s, expected a whole feature number before the colon", quote);
    if (!after || after == lines->end || *after != ':')
        return dcpn_lines_refuse(lines, at,
                                 "found %s, expected index:value; write each feature as its number, a colon "
                                 "and its value",
                                 quote);
    if (number < 0)
        return dcpn_lines_refuse(lines, at, "found %s, expected a feature number that is not negative", quote);
    if (number == 0)
        return dcpn_lines_refuse(lines, at,
                                 "found feature 0, expected numbers from 1 on; fitting with --index-base 0 accepts it");
    return dcpn_lines_refuse(lines, at,
                             "found %s, expected a feature number of at most %d, the limit for now; renumber "
                             "the features",
                             quote, DCPN_LIBSVM_LARGEST);
}

static dcpn_status refuse_feature(const struct row *row, const char *at, int64_t number)
{
    int base = dcpn_index_base(row->options);
    return dcpn_lines_refuse(
        row->lines, at, "found feature %lld, expected numbers from %d to %lld; --features %lld or more accepts it",
        (long long)number, base, (long long)(row->features - 1 + base), (long long)(number - base + 1));
}

static dcpn_status read_index(const struct row *row, const char **at, int64_t *index)
{
    int64_t number = 0, lowest = dcpn_index_base(row->options) == 1;
    const char *end = row->lines->end, *after = dcpn_parse_integer(*at, end, &number);
    if (!after || after == end || *after != ':' || number < lowest || number > DCPN_LIBSVM_LARGEST)
        return refuse_index(row->lines, *at, after, number);
    if (row->features && number - dcpn_index_base(row->options) >= row->features)
        return refuse_feature(row, *at, number);
    *index = number;
    *at = after + 1;
    return DCPN_OK;
}

static dcpn_status read_value(const struct row *row, const char *word, const char **at)
{
    const struct line_reader *lines = row->lines;
    double value;
    char quote[DCPN_QUOTE_LENGTH];
    const char *start = *at;
    if (at_word_end(lines, start))
        return dcpn_lines_refuse(lines, start,
                                 "found %s, expected a value right after the colon; leave out features "
                                 "that are 0",
                                 dcpn_lines_quote(lines, word, quote));
    DCPN_TRY(dcpn_lines_number(lines, at, "a value, a number", &value));
    if (!at_word_end(lines, *at)) return refuse_rest(lines, word, *at, "value");
    if (row->options->value_type == DCPN_FLOAT64 || isfinite((float)value)) return DCPN_OK;
    return dcpn_lines_refuse(lines, start,
                             "found %s, expected a value of at most 3.4e38, the largest float32; store the "
                             "values as float64",
                             dcpn_lines_quote(lines, start, quote));
}

static dcpn_status read_entry(struct row *row, const char **at)
{
    struct entry entry = {.at = *at};
    DCPN_TRY(read_index(row, at, &entry.index));
    DCPN_TRY(read_value(row, entry.at, at));
    struct entry *entries =
        dcpn_make_room(row->lines->content.context, row->entries, row->length, &row->capacity, sizeof *entries);
    if (!entries) return DCPN_MEMORY;
    entries[row->length++] = entry;
    row->entries = entries;
    return DCPN_OK;
}

static int by_index_then_place(const void *first, const void *second)
{
    const struct entry *a = first, *b = second;
    if (a->index != b->index) return a->index < b->index ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Passes a refusal on, or keeps it and goes on. */
static dcpn_status keep(const struct row *row, dcpn_status status)
{
    if (status != DCPN_DATA || !row->findings) return status;
    dcpn_findings_add(row->findings, dcpn_last_error(row->lines->content.context));
    return DCPN_OK;
}

static dcpn_status refuse_twin(const struct row *row, const struct entry *twin)
{
    return dcpn_lines_refuse(row->lines, twin->at,
                             "found feature %lld for the second time in this row, expected it once; remove or add up "
                             "the duplicates",
                             (long long)twin->index);
}

/* Refuses a row with features that come twice, for the one whose second place is first, or for all of them. */
static dcpn_status refuse_twins(const struct row *row)
{
    const struct entry *first = NULL, *entries = row->entries;
    if (row->length > 1) qsort(row->entries, (size_t)row->length, sizeof *entries, by_index_then_place);
    for (int64_t k = 1; k < row->length; k++) {
        if (entries[k - 1].index != entries[k].index) continue;
        if (row->findings) DCPN_TRY(keep(row, refuse_twin(row, &entries[k])));
        if (!first || entries[k].at < first->at) first = &entries[k];
    }
    return first && !row->findings ? refuse_twin(row, first) : DCPN_OK;
}

static dcpn_status read_entries(struct row *row, const char *at)
{
    const char *end = row->lines->end;
    while ((at = dcpn_skip_blanks(at, end)) < end) {
        const char *word = at;
        dcpn_status status = read_entry(row, &at);
        if (status != DCPN_OK) at = dcpn_word_end(word, end);
        DCPN_TRY(keep(row, status));
    }
    return refuse_twins(row);
}

/* Reads the label and the qid. If one of them is wrong, `at` is left behind its word. */
static dcpn_status read_head(const struct row *row, const char **at)
{
    const struct line_reader *lines = row->lines;
    DCPN_TRY(read_label(lines, row->options, at));
    *at = dcpn_skip_blanks(*at, lines->end);
    return skip_query(lines, at);
}

static dcpn_status read_line(struct row *row, const char *at)
{
    const char *start = at;
    dcpn_status status = read_head(row, &at);
    if (status != DCPN_OK) at = dcpn_word_end(at > start ? at : start, row->lines->end);
    DCPN_TRY(keep(row, status));
    if (status != DCPN_OK && looks_like_csv(row->lines)) return DCPN_OK; /* and nothing else of it is a finding */
    return read_entries(row, at);
}

dcpn_status dcpn_libsvm_check_line(const struct line_reader *lines, const dcpn_read_options *options, int64_t features,
                                   struct findings *findings)
{
    struct line_reader uncommented = *lines;
    struct row row = {.lines = &uncommented, .options = options, .features = features, .findings = findings};
    const char *comment = memchr(lines->text, '#', (size_t)(lines->end - lines->text));
    if (comment) uncommented.end = comment;
    const char *at = dcpn_skip_blanks(lines->text, uncommented.end);
    dcpn_status status = at == uncommented.end ? DCPN_OK : read_line(&row, at);
    dcpn_free(lines->content.context, row.entries);
    return status;
}
