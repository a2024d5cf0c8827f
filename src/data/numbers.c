/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights, offsets, penalty factors: one number per line, or an array of NumPy; and offsets of several scores, with as
 * many numbers on each line. */
#include <math.h>

#include "base/growing.h"
#include "data/lines.h"
#include "data/npy_array.h"
#include "dcpn/data.h"

struct numbers {
    double *values;
    int64_t count, capacity;
    int64_t columns; /* numbers of a line; 0: as many as the first one has */
};

static dcpn_status append(dcpn_context *context, struct numbers *numbers, double value)
{
    double *values = dcpn_make_room(context, numbers->values, numbers->count, &numbers->capacity, sizeof *values);
    if (!values) return DCPN_MEMORY;
    numbers->values = values;
    numbers->values[numbers->count++] = value;
    return DCPN_OK;
}

static dcpn_status read_line(const struct line_reader *lines, struct numbers *numbers)
{
    double value;
    char quote[DCPN_QUOTE_LENGTH];
    const char *at = dcpn_skip_blanks(lines->text, lines->end);
    if (at == lines->end || *at == '#') return DCPN_OK;
    int64_t found = 0;
    do {
        if (found > 0 && *at == ',') at = dcpn_skip_blanks(at + 1, lines->end);
        DCPN_TRY(dcpn_lines_number(lines, &at, "a number", &value));
        DCPN_TRY(append(lines->content.context, numbers, value));
        at = dcpn_skip_blanks(at, lines->end);
    } while (++found != numbers->columns && at < lines->end);
    if (at < lines->end && numbers->columns == 1)
        return dcpn_lines_refuse(lines, at,
                                 "found %s after the number, expected the end of the line; write one number "
                                 "per line, with a decimal point",
                                 dcpn_lines_quote(lines, at, quote));
    if (numbers->columns == 0) numbers->columns = found;
    if (at == lines->end && found == numbers->columns) return DCPN_OK;
    return dcpn_lines_refuse(lines, at, "found %s numbers than on the first line, expected %lld on each",
                             found < numbers->columns ? "fewer" : "more", (long long)numbers->columns);
}

static dcpn_status read_lines(struct line_reader *lines, struct numbers *numbers)
{
    for (;;) {
        int more;
        DCPN_TRY(dcpn_lines_next(lines, &more));
        if (!more) break;
        DCPN_TRY(read_line(lines, numbers));
    }
    if (numbers->count > 0) return DCPN_OK;
    return dcpn_fail(lines->content.context, DCPN_DATA, "%s: found no number, expected one per line",
                     lines->content.name);
}

static dcpn_status take_elements(const struct content *content, const struct npy_array *array, struct numbers *numbers)
{
    for (int64_t k = 0; k < array->count; k++) {
        double value = dcpn_npy_number(array, k);
        if (!isfinite(value))
            return dcpn_fail(content->context, DCPN_DATA, "%s: element %lld: found %g, expected a finite number",
                             content->name, (long long)k, value);
        DCPN_TRY(append(content->context, numbers, value));
    }
    return DCPN_OK;
}

static dcpn_status read_array(const struct content *content, struct numbers *numbers)
{
    struct npy_array array;
    DCPN_TRY(dcpn_npy_open(content, &array));
    if (!dcpn_npy_is_vector(&array) || !dcpn_npy_is_numeric(&array) || array.count == 0)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found an array of %d dimensions with %lld %s, expected one dimension and numbers",
                         content->name, array.dimensions, (long long)array.count,
                         dcpn_npy_is_numeric(&array) ? "numbers" : "texts");
    return take_elements(content, &array, numbers);
}

static dcpn_status read_file(dcpn_context *context, const char *path, struct numbers *numbers)
{
    struct line_reader lines;
    DCPN_TRY(dcpn_lines_open(context, path, &lines));
    dcpn_status status = dcpn_npy_begins(lines.content.bytes, lines.content.size) ? read_array(&lines.content, numbers)
                                                                                  : read_lines(&lines, numbers);
    dcpn_lines_close(&lines);
    if (status != DCPN_OK) dcpn_free(context, numbers->values);
    return status;
}

dcpn_status dcpn_read_numbers(dcpn_context *context, const char *path, double **numbers, int64_t *count)
{
    struct numbers found = {.columns = 1};
    DCPN_NEED(context, context, numbers, count);
    *numbers = NULL;
    *count = 0;
    DCPN_TRY(read_file(context, path, &found));
    *numbers = found.values;
    *count = found.count;
    return DCPN_OK;
}

/* Numbers by lines become numbers by columns. */
static dcpn_status turn(dcpn_context *context, const struct numbers *found, int64_t rows, double **numbers)
{
    double *turned = *numbers = dcpn_allocate(context, (size_t)found->count, sizeof *turned);
    for (int64_t k = 0; turned && k < found->count; k++)
        turned[k % found->columns * rows + k / found->columns] = found->values[k];
    return turned ? DCPN_OK : DCPN_MEMORY;
}

dcpn_status dcpn_read_number_columns(dcpn_context *context, const char *path, double **numbers, int64_t *rows,
                                     int64_t *columns)
{
    struct numbers found = {0};
    DCPN_NEED(context, context, numbers, rows, columns);
    *numbers = NULL;
    *rows = *columns = 0;
    DCPN_TRY(read_file(context, path, &found));
    if (found.columns == 0) found.columns = 1; /* an array of NumPy */
    *columns = found.columns;
    *rows = found.count / found.columns;
    dcpn_status status = turn(context, &found, *rows, numbers);
    dcpn_free(context, found.values);
    return status;
}
