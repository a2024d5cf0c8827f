/* SPDX-License-Identifier: BSD-3-Clause */
/* Comma- and tab-separated values: the table once its first lines are known, and the formats. */
#include "data/csv_categories.h"

#include <string.h>

#include "base/utf8.h"
#include "data/dataset.h"
#include "data/format.h"
#include "data/place.h"
#include "data/writers.h"

static const char *skip_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline + 1 : end;
}

/* ---- The data set -------------------------------------------------------------------------------------------------*/

/* The names of the features of levels belong to `made`, which has room for all. */
static dcpn_status list_names(const struct csv *csv, struct word *names, char **made)
{
    for (int64_t f = csv->header_shift; f < csv->columns; f++) {
        const struct csv_coding *coding = dcpn_csv_coding(csv, f);
        if (csv->feature_of[f] >= 0) names[csv->feature_of[f]] = csv->header.words[f - csv->header_shift];
        for (int64_t k = 0; coding && k < coding->category.count; k++) {
            int32_t feature = coding->feature_of[k];
            if (feature < 0) continue;
            made[feature] = dcpn_category_feature(csv->content->context, &coding->category, k);
            if (!made[feature]) return DCPN_MEMORY;
            names[feature] = dcpn_word_of(made[feature]);
        }
    }
    return DCPN_OK;
}

static dcpn_status name_features(const struct csv *csv, dcpn_dataset *dataset)
{
    dcpn_context *context = csv->content->context;
    if (!csv->header.count) return DCPN_OK;
    struct word *names = dcpn_allocate(context, (size_t)csv->features, sizeof *names);
    char **made = dcpn_allocate(context, (size_t)csv->features, sizeof *made);
    for (int64_t j = 0; made && j < csv->features; j++) made[j] = NULL;
    dcpn_status status = names && made ? list_names(csv, names, made) : DCPN_MEMORY;
    if (status == DCPN_OK) dataset->feature_names = dcpn_names_copy(context, names, csv->features, 1);
    for (int64_t j = 0; made && j < csv->features; j++) dcpn_free(context, made[j]);
    dcpn_free(context, made);
    dcpn_free(context, names);
    return dataset->feature_names ? DCPN_OK : DCPN_MEMORY;
}

static dcpn_status keep_categories(const struct csv *csv, dcpn_dataset *dataset)
{
    dcpn_context *context = csv->content->context;
    int64_t count = 0;
    for (int64_t f = 0; csv->coding_of && f < csv->columns; f++) count += csv->coding_of[f] && f != csv->label;
    if (count == 0) return DCPN_OK;
    dcpn_category *list = dcpn_allocate(context, (size_t)count, sizeof *list);
    if (!list) return DCPN_MEMORY;
    for (int64_t f = 0; f < csv->columns; f++)
        if (csv->coding_of[f] && f != csv->label) list[dataset->category_count++] = csv->coding_of[f]->category;
    dataset->categories = dcpn_categories_copy(context, list, count);
    dcpn_free(context, list);
    return dataset->categories ? DCPN_OK : DCPN_MEMORY;
}

/* Copies the name of a field. *name stays NULL if there is no such field, or the header does not name it. */
static dcpn_status name_field(const struct csv *csv, int64_t field, char **name)
{
    int64_t k = field - csv->header_shift;
    if (field < 0 || k < 0 || k >= csv->header.count || csv->header.words[k].length == 0) return DCPN_OK;
    *name = dcpn_word_copy(csv->content->context, csv->header.words[k], 1);
    return *name ? DCPN_OK : DCPN_MEMORY;
}

/* The work on a table once its columns are known: it is read into a data set, or it is checked. */
struct purpose {
    dcpn_dataset **dataset;
    struct findings *findings;
};

static dcpn_status read_rows(struct csv *csv, dcpn_dataset **dataset)
{
    if (csv->end[-1] != '\n')
        dcpn_log(csv->content->context, DCPN_LOG_WARNING,
                 "%s: the last line ends without a line end: was it truncated?", csv->content->name);
    DCPN_TRY(dcpn_csv_read_rows(csv, dataset));
    dcpn_status status = name_features(csv, *dataset);
    if (status == DCPN_OK) status = name_field(csv, csv->label, &(*dataset)->label_name);
    if (status == DCPN_OK) status = keep_categories(csv, *dataset);
    if (status == DCPN_OK) status = name_field(csv, csv->id, &(*dataset)->id_name);
    return dcpn_dataset_finish(status, dataset);
}

static dcpn_status open_table(struct csv *csv, struct csv_opening *opening, const char *first_row,
                              const struct purpose *purpose)
{
    DCPN_TRY(dcpn_csv_open_rows(csv, opening, first_row));
    csv->first_row = &opening->first;
    DCPN_TRY(dcpn_csv_settle_columns(csv, &opening->first));
    return purpose->dataset ? read_rows(csv, purpose->dataset) : dcpn_csv_check_rows(csv, purpose->findings);
}

static dcpn_status parse_missing(struct csv *csv)
{
    static const char *const names[] = {
        [CSV_REFUSE] = "refuse", [CSV_ZERO] = "zero", [CSV_MEAN] = "mean", [CSV_KEEP] = "keep"};
    const char *chosen = csv->options->table.missing ? csv->options->table.missing : names[CSV_REFUSE];
    for (int k = 0; k < CSV_FILL; k++)
        if (strcmp(chosen, names[k]) == 0) {
            csv->missing = (enum csv_missing)k;
            return DCPN_OK;
        }
    return dcpn_fail(csv->content->context, DCPN_USAGE,
                     "missing values: found '%s', expected refuse, zero, mean or keep", chosen);
}

/* Excel's first line: sep=; */
static int declares_separator(const char *row, const char *end)
{
    if (end - row < 6 || !dcpn_word_resembles((struct word){row, 4}, "sep=")) return 0;
    return row[4] && strchr(",;\t", row[4]) && (row[5] == '\n' || row[5] == '\r');
}

/* Finds the first row, behind comments and the line that declares a separator. *separator becomes that separator, or 0
 * if no line declares one. */
static const char *find_first_row(const struct content *content, char *separator)
{
    const char *end = content->bytes + content->size;
    const char *at = content->bytes + dcpn_byte_order_mark(content->bytes, content->size);
    *separator = '\0';
    while ((at = dcpn_csv_row(at, end)) && (*at == '#' || declares_separator(at, end))) {
        if (*at != '#') *separator = at[4];
        at = skip_line(at, end);
    }
    return at;
}

/* Does a carriage return end the first line? It does if one is outside of quotes and has text behind it. */
static int ends_in_carriage_return(const char *row, const char *end)
{
    int within_quotes = 0;
    for (const char *at = row; at + 1 < end && (within_quotes || *at != '\n'); at++) {
        if (*at == '"') within_quotes ^= 1;
        if (*at == '\r' && !within_quotes && !strchr("\r\n ,;\t", at[1])) return 1;
    }
    return 0;
}

static dcpn_status work_on(const struct content *content, const dcpn_read_options *options, char separator,
                           const struct purpose *purpose)
{
    struct csv csv = {.content = content, .options = options, .end = content->bytes + content->size, .label = -1,
                      .id = -1};
    struct csv_opening opening = {0};
    char declared = '\0';
    const char *first_row = content->size ? find_first_row(content, &declared) : NULL;
    DCPN_TRY(parse_missing(&csv));
    if (!first_row)
        return dcpn_fail(content->context, DCPN_DATA, "%s: found no rows, expected one a line", content->name);
    if (ends_in_carriage_return(first_row, csv.end))
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found lines that end in a carriage return alone, expected line feeds; convert them "
                         "(tr '\\r' '\\n')",
                         content->name);
    if (!separator) separator = declared;
    csv.separator = separator ? separator : dcpn_csv_separator(first_row, csv.end);
    dcpn_status status = open_table(&csv, &opening, first_row, purpose);
    dcpn_csv_free_categories(&csv);
    dcpn_free(content->context, csv.feature_of);
    dcpn_free(content->context, csv.fill);
    dcpn_free(content->context, csv.header.words);
    dcpn_free(content->context, opening.first.words);
    dcpn_free(content->context, opening.second.words);
    return status;
}

static dcpn_status read_separated(const struct content *content, const dcpn_read_options *options, char separator,
                                  dcpn_dataset **dataset)
{
    const struct purpose purpose = {.dataset = dataset};
    *dataset = NULL;
    return work_on(content, options, separator, &purpose);
}

static dcpn_status read_csv(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return read_separated(content, options, '\0', dataset);
}

static dcpn_status read_tsv(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return read_separated(content, options, '\t', dataset);
}

/* Checks a table. If its first lines are refused, that refusal is the only finding. */
static dcpn_status check_separated(const struct content *content, const dcpn_read_options *options, char separator,
                                   struct findings *findings)
{
    const struct purpose purpose = {.findings = findings};
    dcpn_status status = work_on(content, options, separator, &purpose);
    if (status != DCPN_DATA) return status;
    dcpn_findings_add(findings, dcpn_last_error(content->context));
    return DCPN_OK;
}

static dcpn_status check_csv(const struct content *content, const dcpn_read_options *options, struct findings *findings)
{
    return check_separated(content, options, '\0', findings);
}

static dcpn_status check_tsv(const struct content *content, const dcpn_read_options *options, struct findings *findings)
{
    return check_separated(content, options, '\t', findings);
}

/* ---- The formats --------------------------------------------------------------------------------------------------*/

/* LIBSVM text has index:value after a blank, which may be a tab. */
static int has_index_and_value(const char *line, const char *end)
{
    for (const char *at = line; at < end; at++)
        if (*at == ':' && at > line && at[-1] >= '0' && at[-1] <= '9') return 1;
    return 0;
}

static int sniff_separated(const char *bytes, size_t size, const char *separators)
{
    const struct content content = {.bytes = bytes, .size = size};
    char declared;
    const char *end = bytes + size, *row = size ? find_first_row(&content, &declared) : NULL;
    if (!row) return 0;
    const char *line_end = skip_line(row, end);
    if (memchr(row, '\0', (size_t)(line_end - row)) || has_index_and_value(row, line_end)) return 0;
    int best = 0;
    for (; *separators; separators++) {
        const char *unused;
        if (dcpn_csv_agreed(row, end, *separators, 0) > 0 || dcpn_csv_agreed(row, end, *separators, 1) > 0) best = 60;
        if (best == 0 && dcpn_csv_count(row, end, *separators, &unused) > 0) best = 30;
    }
    return best;
}

static int sniff_csv(const char *bytes, size_t size)
{
    return sniff_separated(bytes, size, ",;");
}

static int sniff_tsv(const char *bytes, size_t size)
{
    return sniff_csv(bytes, size) ? 0 : sniff_separated(bytes, size, "\t");
}

const struct format dcpn_format_csv = {
    .name = "csv",
    .extensions = ".csv",
    .summary = "comma- or semicolon-separated values, with or without a header",
    .sniff = sniff_csv,
    .read = read_csv,
    .write = dcpn_write_csv,
    .names_labels = 1,
    .has_columns = 1,
    .check = check_csv,
};

const struct format dcpn_format_tsv = {
    .name = "tsv",
    .extensions = ".tsv .tab",
    .summary = "tab-separated values, with or without a header",
    .sniff = sniff_tsv,
    .read = read_tsv,
    .write = dcpn_write_tsv,
    .names_labels = 1,
    .has_columns = 1,
    .check = check_tsv,
};
