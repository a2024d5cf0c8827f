/* SPDX-License-Identifier: BSD-3-Clause */
/* How a table with columns of text could be read: a column whose texts all differ names the rows, and so do whole
 * numbers that all differ in a column that is called so; texts that come again and again are categories, and what is
 * neither, or the same in every row, is left out. The first rows tell. Nothing is said of a column that begins with a
 * text and goes on with numbers, which has a refusal of its own. */
#include "data/csv_advice.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "data/place.h"
#include "data/word_set.h"

enum { LOOKED_AT = 1000, FEW = 10, COLUMN_LENGTH = 30 };

enum role { OTHER, ID, CATEGORICAL, IGNORED };
enum beginning { NOTHING, TEXT, NUMBER }; /* the first value of a column that is no gap */

struct look {
    const struct csv *csv;
    struct word_set *texts; /* of each field that begins with a text, or that is called like names of rows */
    int64_t *numbers;       /* how many rows of each such field have a number */
    enum beginning *beginnings;
    enum role *roles;
    int64_t rows, gaps;
};

/* ---- What the rows have -------------------------------------------------------------------------------------------*/

/* Is the column called id, or something_id, or patient id? */
static int is_called_id(const struct csv *csv, int64_t field)
{
    int64_t k = field - csv->header_shift;
    if (k < 0 || k >= csv->header.count || !dcpn_csv_is_feature(csv, field)) return 0;
    struct word word = csv->header.words[k];
    if (word.length < 2 || strncasecmp(word.start + word.length - 2, "id", 2) != 0) return 0;
    return word.length == 2 || strchr("_ -.", word.start[word.length - 3]) || word.start[word.length - 2] == 'I';
}

static dcpn_status look_at_field(struct look *look, int64_t field, struct word word)
{
    int64_t number;
    if (!dcpn_csv_is_feature(look->csv, field)) return DCPN_OK;
    if (dcpn_csv_is_gap(word)) {
        look->gaps++;
        return DCPN_OK;
    }
    int is_text = dcpn_csv_is_text(look->csv, word);
    if (!look->beginnings[field]) look->beginnings[field] = is_text ? TEXT : NUMBER;
    if (look->beginnings[field] != TEXT && !is_called_id(look->csv, field)) return DCPN_OK;
    look->numbers[field] += !is_text || dcpn_csv_has_decimal_comma(word.start, word.start + word.length);
    return dcpn_word_set_add(&look->texts[field], word, &number);
}

/* A row whose quotes are wrong ends the look. */
static dcpn_status look_at_rows(struct look *look)
{
    const struct csv *csv = look->csv;
    const char *at = csv->rows_start;
    for (; look->rows < LOOKED_AT && (at = dcpn_csv_row(at, csv->end)); look->rows++) {
        for (int64_t f = 0;; f++, at++) {
            struct csv_field field;
            enum csv_problem problem;
            at = dcpn_csv_field(csv, at, &field, &problem);
            if (!at) return DCPN_OK;
            DCPN_TRY(look_at_field(look, f, (struct word){field.start, field.end - field.start}));
            if (at == csv->end || *at == '\n') break;
        }
    }
    return DCPN_OK;
}

/* ---- What the columns are -----------------------------------------------------------------------------------------*/

static enum role role_of(const struct look *look, int64_t field, int has_id)
{
    int64_t levels = look->texts[field].distinct.count;
    int all_differ = levels == look->rows && look->rows > 2;
    if (look->beginnings[field] != TEXT)
        return all_differ && !has_id && is_called_id(look->csv, field) ? ID : OTHER;
    if (2 * look->numbers[field] > look->rows) return OTHER;
    if (all_differ) return has_id ? IGNORED : ID;
    return levels < 2 || (levels > FEW && 2 * levels > look->rows) ? IGNORED : CATEGORICAL;
}

static void assign_roles(struct look *look)
{
    int has_id = look->csv->id >= 0;
    for (int64_t f = 0; f < look->csv->columns; f++) {
        look->roles[f] = role_of(look, f, has_id);
        has_id |= look->roles[f] == ID;
    }
}

/* ---- The words ----------------------------------------------------------------------------------------------------*/

/* Writes the name of a column, or its number from 1 if the name is long or needs quotes in a shell. */
static void call_column(const struct csv *csv, int64_t field, char name[COLUMN_LENGTH])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    int64_t k = field - csv->header_shift;
    struct word word = k >= 0 && k < csv->header.count ? csv->header.words[k] : (struct word){"", 0};
    int is_plain = word.length > 0 && word.length < COLUMN_LENGTH && *word.start != '-';
    for (int64_t i = 0; i < word.length && is_plain; i++) is_plain = strchr(plain, word.start[i]) != NULL;
    if (is_plain)
        snprintf(name, COLUMN_LENGTH, "%.*s", (int)word.length, word.start);
    else
        snprintf(name, COLUMN_LENGTH, "%lld", (long long)field + 1);
}

/* Adds " --option a,b,c" if some columns have that role. Returns 0 if there is no room. */
static int add_option(const struct look *look, enum role role, const char *option, char advice[DCPN_ADVICE_LENGTH])
{
    size_t length = strlen(advice);
    int64_t count = 0;
    char name[COLUMN_LENGTH];
    for (int64_t f = 0; f < look->csv->columns; f++) {
        if (look->roles[f] != role) continue;
        if (length + COLUMN_LENGTH + 20 > DCPN_ADVICE_LENGTH) return 0;
        call_column(look->csv, f, name);
        if (count++)
            length += (size_t)snprintf(advice + length, DCPN_ADVICE_LENGTH - length, ",%s", name);
        else
            length += (size_t)snprintf(advice + length, DCPN_ADVICE_LENGTH - length, "%s%s %s", length ? " " : "",
                                       option, name);
    }
    return 1;
}

static int add_options(struct look *look, char advice[DCPN_ADVICE_LENGTH])
{
    size_t length;
    assign_roles(look);
    if (!add_option(look, ID, "--id", advice) || !add_option(look, CATEGORICAL, "--categorical", advice) ||
        !add_option(look, IGNORED, "--ignore", advice))
        return 0;
    length = strlen(advice);
    if (look->gaps && look->csv->missing == CSV_REFUSE)
        snprintf(advice + length, DCPN_ADVICE_LENGTH - length, "%s--missing mean", length ? " " : "");
    return length > 0;
}

/* The rows are looked at, and the options written; 0: nothing is to be said. */
static int advise(struct look *look, int64_t field, char advice[DCPN_ADVICE_LENGTH])
{
    size_t columns = (size_t)look->csv->columns;
    for (size_t f = 0; f < columns; f++) look->texts[f] = (struct word_set){.context = look->csv->content->context};
    memset(look->numbers, 0, columns * sizeof *look->numbers);
    memset(look->beginnings, 0, columns * sizeof *look->beginnings);
    int is_told = look_at_rows(look) == DCPN_OK && look->beginnings[field] == TEXT && add_options(look, advice);
    for (size_t f = 0; f < columns; f++) dcpn_word_set_free(&look->texts[f]);
    return is_told;
}

int dcpn_csv_advise(const struct csv *csv, int64_t field, char advice[DCPN_ADVICE_LENGTH])
{
    dcpn_context *context = csv->content->context;
    size_t columns = (size_t)csv->columns;
    struct look look = {.csv = csv};
    *advice = '\0';
    if (!csv->header.count || field < 0 || field >= csv->columns) return 0;
    look.texts = dcpn_allocate(context, columns, sizeof *look.texts);
    look.roles = dcpn_allocate(context, columns, sizeof *look.roles);
    look.numbers = dcpn_allocate(context, columns, sizeof *look.numbers);
    look.beginnings = dcpn_allocate(context, columns, sizeof *look.beginnings);
    int is_told = look.texts && look.roles && look.numbers && look.beginnings && advise(&look, field, advice);
    dcpn_free(context, look.texts);
    dcpn_free(context, look.roles);
    dcpn_free(context, look.numbers);
    dcpn_free(context, look.beginnings);
    return is_told;
}
