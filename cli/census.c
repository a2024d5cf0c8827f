/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts, ranges and norms of a data set: one walk over its rows. */
#include "census.h"

#include "plural.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define RARE_SHARE 0.01
#define FAR_APART 1e6
#define HUGE_VALUE 1e100

struct column {
    int64_t entries;
    uint64_t hash;       /* of its entries with their rows */
    long double squares; /* their sum: long double, because 1e300 squared is no double */
    double first;        /* value */
    int differs;         /* another value came after it */
};

struct row {
    uint64_t hash;
    double label;
    int is_empty;
};

struct walk {
    int64_t *indices;
    double *values;
    struct column *columns;
    struct row *rows;
};

/* ---- Rows and columns ---- */

static void widen(struct range *range, double value)
{
    range->min = fmin(range->min, value);
    range->max = fmax(range->max, value);
}

/* Mixes place and value; sums of it do not depend on the order. */
static uint64_t hash_entry(int64_t place, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits ^= ((uint64_t)place + 1) * UINT64_C(0x9e3779b97f4a7c15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94d049bb133111eb);
    return bits ^ bits >> 31;
}

static void count_entry(struct census *census, struct column *column, int64_t row, double value)
{
    if (column->entries++ == 0) column->first = value;
    column->differs |= value < column->first || value > column->first;
    column->hash += hash_entry(row, value);
    column->squares += (long double)value * (long double)value;
    census->entries++;
    census->subnormals += fabs(value) < DBL_MIN;
    widen(&census->values, value);
}

static void count_row(const dcpn_dataset *data, struct census *census, struct walk *walk, int64_t i)
{
    int64_t length = dcpn_matrix_row(data->matrix, i, walk->indices, walk->values);
    long double squares = 0.0L;
    uint64_t hash = 0;
    for (int64_t k = 0; k < length; k++) {
        double value = walk->values[k];
        count_entry(census, &walk->columns[walk->indices[k]], i, value);
        squares += (long double)value * (long double)value;
        hash += hash_entry(walk->indices[k], value);
    }
    walk->rows[i] = (struct row){hash, data->labels[i], length == 0};
    census->empty_rows += length == 0;
    widen(&census->row_entries, (double)length);
    if (length) widen(&census->row_norms, (double)sqrtl(squares));
}

static void count_columns(const dcpn_dataset *data, struct census *census, const struct walk *walk)
{
    for (int64_t j = 0; j < data->features; j++) {
        const struct column *column = &walk->columns[j];
        census->empty_columns += column->entries == 0;
        census->constant_columns += column->entries == data->rows && !column->differs;
        if (column->entries) widen(&census->column_norms, (double)sqrtl(column->squares));
    }
}

static void count_all(const dcpn_dataset *data, struct census *census, struct walk *walk)
{
    const struct range nothing = {NAN, NAN};
    census->values = census->row_norms = census->column_norms = census->row_entries = nothing;
    for (int64_t i = 0; i < data->rows; i++) count_row(data, census, walk, i);
    count_columns(data, census, walk);
    double places = (double)data->rows * (double)data->features;
    census->density = places > 0.0 ? (double)census->entries / places : 0.0;
}

/* ---- Twins: what has the same hash is taken for the same ---- */

static int by_hash_and_label(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->is_empty != b->is_empty) return a->is_empty - b->is_empty;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

static void count_twin_rows(const dcpn_dataset *data, struct census *census, struct row *rows)
{
    qsort(rows, (size_t)data->rows, sizeof *rows, by_hash_and_label);
    for (int64_t i = 1; i < data->rows && !rows[i].is_empty; i++) {
        if (rows[i].hash != rows[i - 1].hash) continue;
        census->twin_rows++;
        census->contradictions += rows[i].label > rows[i - 1].label;
    }
}

static int by_hash(const void *left, const void *right)
{
    const struct column *a = left, *b = right;
    if (!a->entries != !b->entries) return !a->entries - !b->entries;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static void count_twin_columns(const dcpn_dataset *data, struct census *census, struct column *columns)
{
    qsort(columns, (size_t)data->features, sizeof *columns, by_hash);
    for (int64_t j = 1; j < data->features && columns[j].entries; j++)
        census->twin_columns += columns[j].hash == columns[j - 1].hash;
}

/* ---- Labels ---- */

static int by_value(const void *left, const void *right)
{
    double a = ((const struct label_count *)left)->value, b = ((const struct label_count *)right)->value;
    return (a > b) - (a < b);
}

static int count_labels(const struct cli *cli, const dcpn_dataset *data, struct census *census)
{
    struct label_count *labels = census->labels = dcpn_cli_allocate(cli, data->rows, sizeof *labels);
    if (!labels) return dcpn_status_exit_code(DCPN_MEMORY);
    int64_t known = 0;
    for (int64_t i = 0; i < data->rows; i++)
        if (!isnan(data->labels[i])) labels[known++] = (struct label_count){data->labels[i], 1};
    census->unlabelled = data->rows - known;
    qsort(labels, (size_t)known, sizeof *labels, by_value);
    for (int64_t i = 0; i < known; i++) {
        if (i > 0 && !(labels[i].value > labels[census->label_count - 1].value))
            labels[census->label_count - 1].rows++;
        else
            labels[census->label_count++] = labels[i];
    }
    return 0;
}

int dcpn_cli_census_take(const struct cli *cli, const dcpn_dataset *data, struct census *census)
{
    struct walk walk = {.indices = dcpn_cli_allocate(cli, data->features, sizeof *walk.indices),
                        .values = dcpn_cli_allocate(cli, data->features, sizeof *walk.values),
                        .columns = dcpn_cli_allocate(cli, data->features, sizeof *walk.columns),
                        .rows = dcpn_cli_allocate(cli, data->rows, sizeof *walk.rows)};
    int code = dcpn_status_exit_code(DCPN_MEMORY);
    if (walk.indices && walk.values && walk.columns && walk.rows) {
        count_all(data, census, &walk);
        count_twin_rows(data, census, walk.rows);
        count_twin_columns(data, census, walk.columns);
        code = count_labels(cli, data, census);
    }
    free(walk.rows);
    free(walk.columns);
    free(walk.values);
    free(walk.indices);
    return code;
}

void dcpn_cli_census_free(struct census *census)
{
    free(census->labels);
}

/* ---- What is worth a second look ---- */

struct speaker {
    void (*say)(void *user, const char *sentence);
    void *user;
};

static void speak(const struct speaker *speaker, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void speak(const struct speaker *speaker, const char *format, ...)
{
    char sentence[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    speaker->say(speaker->user, sentence);
}

static void suspect_labels(const dcpn_dataset *data, const struct census *census, const struct speaker *speaker)
{
    int64_t known = data->rows - census->unlabelled;
    if (census->label_count == 1) speak(speaker, "all rows have the same label");
    if (census->label_count != 2) return;
    for (int k = 0; k < 2; k++)
        if ((double)census->labels[k].rows < RARE_SHARE * (double)known)
            speak(speaker, "one of the two classes has only %lld of %lld rows", (long long)census->labels[k].rows,
                  (long long)known);
}

static void suspect_twins(const struct census *census, const struct speaker *speaker)
{
    const char *verb = census->twin_rows == 1 ? "repeats" : "repeat";
    if (census->twin_rows && census->contradictions)
        speak(speaker, "%lld row%s %s an earlier one, %lld with another label", (long long)census->twin_rows,
              dcpn_cli_plural(census->twin_rows), verb, (long long)census->contradictions);
    else if (census->twin_rows)
        speak(speaker, "%lld row%s %s an earlier one", (long long)census->twin_rows, dcpn_cli_plural(census->twin_rows),
              verb);
    if (census->twin_columns)
        speak(speaker, "%lld column%s repeat%s an earlier one", (long long)census->twin_columns,
              dcpn_cli_plural(census->twin_columns), census->twin_columns == 1 ? "s" : "");
    if (census->constant_columns)
        speak(speaker, "%lld column%s constant: an intercept does the same", (long long)census->constant_columns,
              census->constant_columns == 1 ? " is" : "s are");
}

static void suspect_values(const struct census *census, const struct speaker *speaker)
{
    if (census->column_norms.max > FAR_APART * census->column_norms.min)
        speak(speaker, "the columns differ in size by a factor of %.2g: scale them, or fit with --standardize",
              census->column_norms.max / census->column_norms.min);
    if (fmax(fabs(census->values.min), fabs(census->values.max)) > HUGE_VALUE)
        speak(speaker, "there are values beyond %g", HUGE_VALUE);
    if (census->subnormals)
        speak(speaker, "%lld value%s below 2.3e-308, too small for full precision", (long long)census->subnormals,
              census->subnormals == 1 ? " is" : "s are");
    if (census->entries == 0) speak(speaker, "all values are 0");
}

void dcpn_cli_census_suspect(const dcpn_dataset *data, const struct census *census,
                             void (*say)(void *user, const char *sentence), void *user)
{
    const struct speaker speaker = {say, user};
    if (data->rows == 1) speak(&speaker, "there is only one row");
    suspect_labels(data, census, &speaker);
    suspect_values(census, &speaker);
    suspect_twins(census, &speaker);
}
