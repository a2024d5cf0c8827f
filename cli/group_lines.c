/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups in use, one line each: gathered, sorted, printed. */
#include "group_lines.h"

#include "coefficients.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME_COLUMNS = 48, FEWEST_NAME_COLUMNS = 8 };

/* ---- Gathering ---- */

static int by_number(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int64_t dcpn_cli_find_coefficient(const struct group_source *from, int64_t feature)
{
    const int64_t *found =
        from->count ? bsearch(&feature, from->index, (size_t)from->count, sizeof *from->index, by_number) : NULL;
    return found ? found - from->index : -1;
}

static void add(struct group_line *line, double value)
{
    line->used++;
    line->norm = hypot(line->norm, value);
    line->total += fabs(value);
}

/* The line of a group; the coefficients in it are marked. */
static struct group_line line_of(const struct group_source *from, int64_t g, char *is_in_group)
{
    const dcpn_groups *groups = from->groups;
    struct group_line line = {
        .name = groups->names[g], .number = -1, .group = g, .size = groups->start[g + 1] - groups->start[g]};
    for (int64_t i = groups->start[g]; i < groups->start[g + 1]; i++) {
        int64_t k = dcpn_cli_find_coefficient(from, groups->member[i]);
        if (k < 0) continue;
        is_in_group[k] = 1;
        add(&line, from->value[k]);
    }
    return line;
}

static struct group_line line_of_feature(const struct group_source *from, int64_t k)
{
    const char *name = from->names ? from->names[from->index[k]] : from->names_in_use ? from->names_in_use[k] : NULL;
    struct group_line line = {.name = name, .number = from->index[k] + from->index_base, .group = -1, .size = 1};
    add(&line, from->value[k]);
    return line;
}

int dcpn_cli_group_lines_gather(const struct cli *cli, const struct group_source *from, struct group_lines *groups)
{
    char *is_in_group = dcpn_cli_allocate(cli, from->count, 1);
    groups->lines = dcpn_cli_allocate(cli, from->groups->count + from->count, sizeof *groups->lines);
    if (!is_in_group || !groups->lines) {
        free(is_in_group);
        return dcpn_status_exit_code(DCPN_MEMORY);
    }
    memset(is_in_group, 0, (size_t)from->count);
    for (int64_t g = 0; g < from->groups->count; g++) {
        struct group_line line = line_of(from, g, is_in_group);
        if (line.used > 0) groups->lines[groups->count++] = line;
    }
    for (int64_t k = 0; k < from->count; k++)
        if (!is_in_group[k]) groups->lines[groups->count++] = line_of_feature(from, k);
    free(is_in_group);
    return 0;
}

static int as_given(const void *left, const void *right)
{
    const struct group_line *a = left, *b = right;
    if (a->group != b->group)
        return a->group < 0 ? 1 : b->group < 0 ? -1 : (a->group > b->group) - (a->group < b->group);
    return (a->number > b->number) - (a->number < b->number);
}

static int by_norm(const void *left, const void *right)
{
    double a = ((const struct group_line *)left)->norm, b = ((const struct group_line *)right)->norm;
    if (a > b || a < b) return a > b ? -1 : 1;
    return as_given(left, right);
}

static int by_name(const void *left, const void *right)
{
    const struct group_line *a = left, *b = right;
    int order = a->name && b->name ? strcmp(a->name, b->name) : 0;
    return order ? order : as_given(left, right);
}

void dcpn_cli_group_lines_sort(struct group_lines *groups, const char *order)
{
    int (*compare)(const void *, const void *) = strcmp(order, "feature") == 0 ? as_given
                                                 : strcmp(order, "name") == 0  ? by_name
                                                                               : by_norm;
    qsort(groups->lines, (size_t)groups->count, sizeof *groups->lines, compare);
}

void dcpn_cli_group_lines_free(struct group_lines *groups)
{
    free(groups->lines);
}

/* ---- Printing ---- */

/* A feature without a name goes by its number. */
static const char *text_of(const struct group_line *line, char room[24])
{
    if (line->name && *line->name) return line->name;
    snprintf(room, 24, "%lld", (long long)line->number);
    return room;
}

static int columns_of(const char *text)
{
    int columns = 0;
    for (const char *c = text; *c; c++) columns += ((unsigned char)*c & 0xC0) != 0x80;
    return columns;
}

static void print_table(FILE *stream, const struct group_lines *groups)
{
    char room[24];
    int widest = FEWEST_NAME_COLUMNS;
    for (int64_t i = 0; i < groups->count; i++) {
        int columns = columns_of(text_of(&groups->lines[i], room));
        if (columns > widest) widest = columns;
    }
    if (widest > MOST_NAME_COLUMNS) widest = MOST_NAME_COLUMNS;
    fprintf(stream, "%-*s  %9s  %9s  %14s  %14s\n", widest, "group", "in use", "of", "norm", "sum |x|");
    for (int64_t i = 0; i < groups->count; i++) {
        const struct group_line *line = &groups->lines[i];
        int used = dcpn_cli_print_name(stream, text_of(line, room), widest);
        fprintf(stream, "%*s  %9lld  %9lld  %14.6g  %14.6g\n", widest - used, "", (long long)line->used,
                (long long)line->size, line->norm, line->total);
    }
}

static void print_csv(FILE *stream, const struct group_lines *groups)
{
    char room[24];
    fputs("group,in_use,size,norm,sum\n", stream);
    for (int64_t i = 0; i < groups->count; i++) {
        const struct group_line *line = &groups->lines[i];
        dcpn_cli_print_csv_text(stream, text_of(line, room));
        fprintf(stream, ",%lld,%lld,", (long long)line->used, (long long)line->size);
        dcpn_cli_json_number(stream, line->norm);
        fputc(',', stream);
        dcpn_cli_json_number(stream, line->total);
        fputc('\n', stream);
    }
}

static void print_json(FILE *stream, const struct group_lines *groups)
{
    char room[24];
    fputs("{\"groups\":[", stream);
    for (int64_t i = 0; i < groups->count; i++) {
        const struct group_line *line = &groups->lines[i];
        dcpn_cli_json_text_member(stream, i ? ",\n{" : "\n{", "group", text_of(line, room));
        dcpn_cli_json_count_member(stream, ",", "in_use", line->used);
        dcpn_cli_json_count_member(stream, ",", "size", line->size);
        dcpn_cli_json_number_member(stream, ",", "norm", line->norm);
        dcpn_cli_json_number_member(stream, ",", "sum", line->total);
        fputc('}', stream);
    }
    fputs("]}\n", stream);
}

void dcpn_cli_group_lines_print(FILE *stream, const struct group_lines *groups, const char *format)
{
    if (strcmp(format, "csv") == 0)
        print_csv(stream, groups);
    else if (strcmp(format, "json") == 0)
        print_json(stream, groups);
    else
        print_table(stream, groups);
}
