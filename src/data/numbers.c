/* SPDX-License-Identifier: BSD-3-Clause */
/* Weights, offsets, penalty factors: one number per line. */
#include "base/growing.h"
#include "data/lines.h"
#include "dcpn/data.h"

struct numbers {
    double *values;
    int64_t count, capacity;
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
    DCPN_TRY(dcpn_lines_number(lines, &at, "a number", &value));
    at = dcpn_skip_blanks(at, lines->end);
    if (at < lines->end)
        return dcpn_lines_refuse(lines, at,
                                 "found %s after the number, expected the end of the line; write one number "
                                 "per line, with a decimal point",
                                 dcpn_lines_quote(lines, at, quote));
    return append(lines->content.context, numbers, value);
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

dcpn_status dcpn_read_numbers(dcpn_context *context, const char *path, double **numbers, int64_t *count)
{
    struct line_reader lines;
    struct numbers found = {0};
    *numbers = NULL;
    *count = 0;
    DCPN_TRY(dcpn_lines_open(context, path, &lines));
    dcpn_status status = read_lines(&lines, &found);
    dcpn_lines_close(&lines);
    if (status != DCPN_OK) {
        dcpn_free(context, found.values);
        return status;
    }
    *numbers = found.values;
    *count = found.count;
    return DCPN_OK;
}
