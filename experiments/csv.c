/* SPDX-License-Identifier: BSD-3-Clause */
/* Raw numbers as CSV. The program never leaves the C locale, so that numbers have a decimal point. */
#include "csv.h"

#include "speech.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_OF(NAME) #NAME ","
static const char headings[] = DCPN_EXP_COLUMNS(NAME_OF, NAME_OF, NAME_OF);

/* ---- one row ------------------------------------------------------------------------------------------------------*/

static void write_row(FILE *stream, const struct row *row)
{
    const char *separator = "";
#define WRITE_TEXT(NAME) fprintf(stream, "%s%s", separator, row->NAME), separator = ",";
#define WRITE_COUNT(NAME) fprintf(stream, "%s%" PRId64, separator, row->NAME), separator = ",";
#define WRITE_REAL(NAME) fprintf(stream, "%s%.17g", separator, row->NAME), separator = ",";
    DCPN_EXP_COLUMNS(WRITE_TEXT, WRITE_COUNT, WRITE_REAL)
    fputc('\n', stream);
}

/* The next field of a line, which is changed; NULL at its end. */
static char *take_field(char **rest)
{
    return strsep(rest, ",");
}

static int read_text(char **rest, char *text)
{
    const char *field = take_field(rest);
    if (!field || strlen(field) >= DCPN_EXP_TEXT_SIZE) return 0;
    strcpy(text, field);
    return 1;
}

static int read_count(char **rest, int64_t *count)
{
    char *field = take_field(rest), *end = field;
    if (field) *count = strtoll(field, &end, 10);
    return field && end != field && *end == '\0';
}

static int read_real(char **rest, double *real)
{
    char *field = take_field(rest), *end = field;
    if (field) *real = strtod(field, &end);
    return field && end != field && *end == '\0';
}

static int read_row(char *line, struct row *row)
{
    char *rest = line;
    int good = 1;
#define READ_TEXT(NAME) good = good && read_text(&rest, row->NAME);
#define READ_COUNT(NAME) good = good && read_count(&rest, &row->NAME);
#define READ_REAL(NAME) good = good && read_real(&rest, &row->NAME);
    DCPN_EXP_COLUMNS(READ_TEXT, READ_COUNT, READ_REAL)
    return good && rest == NULL;
}

/* ---- reading back -------------------------------------------------------------------------------------------------*/

static int add_row(struct csv *csv, const struct row *row)
{
    struct row *rows = reallocarray(csv->rows, csv->count + 1, sizeof *rows);
    if (!rows) return dcpn_exp_fail("%s: out of memory after %zu rows", csv->path, csv->count);
    csv->rows = rows;
    csv->rows[csv->count++] = *row;
    return 0;
}

static int same_trial(const struct row *a, const struct row *b)
{
    return strcmp(a->problem, b->problem) == 0 && a->trial == b->trial;
}

/* Reads rows up to the first bad line; *end is the offset behind the last finished trial. */
static int read_rows(struct csv *csv, FILE *stream, off_t *end)
{
    char *line = NULL;
    size_t room = 0, pending = 0;
    int code = 0;
    *end = ftello(stream);
    for (ssize_t length; !code && (length = getline(&line, &room, stream)) > 0 && line[length - 1] == '\n';) {
        struct row row = {0};
        line[length - 1] = '\0';
        if (!read_row(line, &row) || (pending > 0 && !same_trial(&row, &csv->rows[csv->count - 1]))) break;
        code = add_row(csv, &row);
        pending = (pending + 1) % csv->trial_rows;
        if (!code && pending == 0) *end = ftello(stream);
    }
    csv->count -= pending;
    free(line);
    return code;
}

static int next_line_is(FILE *stream, const char *expected)
{
    char *line = NULL;
    size_t room = 0;
    int same = getline(&line, &room, stream) > 0 && strcmp(line, expected) == 0;
    free(line);
    return same;
}

static char *heading_of(const char *settings)
{
    char *text = NULL;
    return asprintf(&text, "# %s\n", settings) < 0 ? NULL : text;
}

static int read_back(struct csv *csv, const char *first_line, off_t *end)
{
    char columns[sizeof headings];
    memcpy(columns, headings, sizeof headings);
    columns[sizeof headings - 2] = '\n'; /* instead of the last comma */
    FILE *stream = fopen(csv->path, "r");
    if (!stream) return dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
    int known = next_line_is(stream, first_line) && next_line_is(stream, columns);
    int code = known ? read_rows(csv, stream, end)
                     : dcpn_exp_fail("%s: found a file of other settings, expected the first line '%.*s'; give another "
                                     "--output, or remove the file to begin anew",
                                     csv->path, (int)strlen(first_line) - 1, first_line);
    fclose(stream);
    return code;
}

/* ---- writing ------------------------------------------------------------------------------------------------------*/

static int write_all(struct csv *csv, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t written = write(csv->file, text, size);
        if (written < 0 && errno != EINTR) return dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
        if (written < 0) continue;
        text += written;
        size -= (size_t)written;
    }
    return fsync(csv->file) == 0 ? 0 : dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
}

static int begin_file(struct csv *csv, const char *first_line)
{
    char *text = NULL;
    int length = asprintf(&text, "%s%.*s\n", first_line, (int)sizeof headings - 2, headings);
    if (length < 0) return dcpn_exp_fail("%s: out of memory", csv->path);
    int code = write_all(csv, text, (size_t)length);
    free(text);
    return code;
}

static int open_with(struct csv *csv, const char *first_line)
{
    off_t end = 0;
    csv->file = open(csv->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (csv->file < 0) return dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
    off_t size = lseek(csv->file, 0, SEEK_END);
    if (size == 0) return begin_file(csv, first_line);
    int code = read_back(csv, first_line, &end);
    if (!code && end < size && ftruncate(csv->file, end) != 0)
        code = dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
    return code;
}

int dcpn_exp_csv_open(struct csv *csv, char *path, const char *settings, size_t trial_rows)
{
    *csv = (struct csv){.path = path, .file = -1, .trial_rows = trial_rows};
    char *first_line = heading_of(settings);
    int code = path && first_line ? open_with(csv, first_line) : dcpn_exp_fail("out of memory");
    free(first_line);
    if (code) dcpn_exp_csv_close(csv);
    return code;
}

int dcpn_exp_csv_append(struct csv *csv, const struct row *rows)
{
    char *text = NULL;
    size_t size = 0;
    int code = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream) return dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
    for (size_t i = 0; i < csv->trial_rows; i++) write_row(stream, &rows[i]);
    if (fclose(stream) != 0) code = dcpn_exp_fail("%s: %s", csv->path, strerror(errno));
    if (!code) code = write_all(csv, text, size);
    for (size_t i = 0; i < csv->trial_rows && !code; i++) code = add_row(csv, &rows[i]);
    free(text);
    return code;
}

void dcpn_exp_csv_close(struct csv *csv)
{
    if (csv->file >= 0) close(csv->file);
    free(csv->rows);
    free(csv->path);
    *csv = (struct csv){.file = -1};
}

/* ---- asking -------------------------------------------------------------------------------------------------------*/

const struct row *dcpn_exp_csv_find(const struct csv *csv, const char *problem, int64_t trial, const char *method)
{
    for (size_t i = 0; i < csv->count; i++) {
        const struct row *row = &csv->rows[i];
        if (row->trial == trial && strcmp(row->problem, problem) == 0 && (!method || strcmp(row->method, method) == 0))
            return row;
    }
    return NULL;
}

int64_t dcpn_exp_csv_trials(const struct csv *csv, const char *problem, int64_t most)
{
    int64_t count = 0;
    for (int64_t trial = 1; trial <= most; trial++) count += dcpn_exp_csv_find(csv, problem, trial, NULL) != NULL;
    return count;
}

static double spent_s(const struct csv *csv, const char *problem, int64_t most)
{
    double sum = 0.0;
    for (int64_t trial = 1; trial <= most; trial++) {
        const struct row *row = dcpn_exp_csv_find(csv, problem, trial, NULL);
        sum += row ? row->trial_s : 0.0;
    }
    return sum;
}

double dcpn_exp_csv_left_s(const struct csv *csv, size_t problems, const char *const *problem, int64_t most)
{
    double sum_of_means = 0.0, left = 0.0;
    int64_t begun = 0, without = 0;
    for (size_t i = 0; i < problems; i++) {
        int64_t done = dcpn_exp_csv_trials(csv, problem[i], most);
        double mean = done > 0 ? spent_s(csv, problem[i], most) / (double)done : 0.0;
        sum_of_means += mean;
        left += mean * (double)(most - done);
        begun += done > 0;
        without += done > 0 ? 0 : most;
    }
    return begun > 0 ? left + sum_of_means / (double)begun * (double)without : -1.0;
}
