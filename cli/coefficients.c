/* SPDX-License-Identifier: BSD-3-Clause */
/* The coefficients of one model as a table: gathered, sorted, printed. */
#include "coefficients.h"

#include "plot/text.h"
#include "json.h"
#include "label_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAME_COLUMNS = 48, MOST_CLASS_COLUMNS = 24 };

/* ---- Gathering and sorting ---- */

/* The name of a feature, which is coefficient k of the model if that is not -1. */
static const char *name_of(const char *const *names, const dcpn_model *model, int64_t feature, int64_t k)
{
    if (names) return names[feature % model->features];
    if (!model->table.names) return NULL;
    return k >= 0 ? model->table.names[k] : "";
}

int dcpn_cli_coefficients_gather(const struct cli *cli, const char *const *names, const dcpn_model *model, int all,
                                 struct coefficients *table)
{
    table->model = model;
    table->rows = dcpn_cli_allocate(cli, all ? model->scores * model->features : model->nonzeros, sizeof *table->rows);
    if (!table->rows) return dcpn_status_exit_code(DCPN_MEMORY);
    int64_t next = 0;
    for (int64_t j = 0; j < model->scores * model->features; j++) {
        int is_used = next < model->nonzeros && model->index[next] == j;
        if (!is_used && !all) {
            if (next == model->nonzeros) break;
            j = model->index[next] - 1;
            continue;
        }
        table->rows[table->count++] = (struct coefficient){.name = name_of(names, model, j, is_used ? next : -1),
                                                           .number = j % model->features + model->index_base,
                                                           .score = j / model->features,
                                                           .value = is_used ? model->value[next] : 0.0};
        next += is_used;
    }
    return 0;
}

static int by_number(const void *left, const void *right)
{
    const struct coefficient *a = left, *b = right;
    if (a->number != b->number) return a->number > b->number ? 1 : -1;
    return (a->score > b->score) - (a->score < b->score);
}

static int by_value(const void *left, const void *right)
{
    const struct coefficient *a = left, *b = right;
    if (a->value > b->value || a->value < b->value) return a->value > b->value ? -1 : 1;
    return by_number(left, right);
}

static int by_size(const void *left, const void *right)
{
    double a = fabs(((const struct coefficient *)left)->value), b = fabs(((const struct coefficient *)right)->value);
    if (a > b || a < b) return a > b ? -1 : 1;
    return by_number(left, right);
}

static int by_name(const void *left, const void *right)
{
    const struct coefficient *a = left, *b = right;
    int order = a->name && b->name ? strcmp(a->name, b->name) : 0;
    return order ? order : by_number(left, right);
}

void dcpn_cli_coefficients_sort(struct coefficients *table, const char *order)
{
    int (*compare)(const void *, const void *) = strcmp(order, "value") == 0     ? by_value
                                                 : strcmp(order, "feature") == 0 ? by_number
                                                 : strcmp(order, "name") == 0    ? by_name
                                                                                 : by_size;
    qsort(table->rows, (size_t)table->count, sizeof *table->rows, compare);
}

void dcpn_cli_coefficients_free(struct coefficients *table)
{
    free(table->rows);
}

/* ---- The table ---- */

int dcpn_cli_print_name(FILE *stream, const char *name, int most)
{
    size_t length = strlen(name), at = 0;
    int used = 0;
    while (at < length) {
        uint32_t code;
        size_t size = dcpn_figure_text_decode(name + at, length - at, &code);
        if (used == most - 1 && at + size < length) {
            fputs("~", stream);
            return used + 1;
        }
        if (dcpn_figure_text_is_harmless(code))
            fwrite(name + at, 1, size, stream);
        else
            fputc('?', stream);
        used++;
        at += size;
    }
    return used;
}

static int name_columns(const struct coefficients *table)
{
    int widest = 11; /* "(intercept)" */
    for (int64_t i = 0; i < table->count; i++) {
        int columns = 0;
        for (const char *c = table->rows[i].name; c && *c; c++) columns += ((unsigned char)*c & 0xC0) != 0x80;
        if (columns > widest) widest = columns;
    }
    return widest < MOST_NAME_COLUMNS ? widest : MOST_NAME_COLUMNS;
}

/* What a score is of. */
static const char *of_what(const dcpn_model *model)
{
    return model->labels.are_responses ? "response" : "class";
}

static const char *class_text(const dcpn_model *model, int64_t score, char room[40])
{
    return dcpn_cli_label_text(model->labels.names, model->labels.numbers[score], room);
}

/* The width of the column of classes; 0: there is none. */
static int class_columns(const dcpn_model *model)
{
    int widest = (int)strlen(of_what(model));
    for (int64_t k = 0; k < model->scores && model->scores > 1; k++) {
        char room[40];
        int columns = (int)strlen(class_text(model, k, room));
        if (columns > widest) widest = columns < MOST_CLASS_COLUMNS ? columns : MOST_CLASS_COLUMNS;
    }
    return model->scores > 1 ? widest : 0;
}

static void print_class(FILE *stream, const dcpn_model *model, int64_t score, int columns)
{
    char room[40];
    if (!columns) return;
    int used = dcpn_cli_print_name(stream, class_text(model, score, room), columns);
    fprintf(stream, "%*s  ", columns - used, "");
}

static void print_row(FILE *stream, const struct coefficient *row, int columns, int has_names)
{
    if (has_names) {
        int used = dcpn_cli_print_name(stream, row->name ? row->name : "", columns);
        fprintf(stream, "%*s  ", columns - used, "");
    }
    fprintf(stream, "%*lld  %14.6g\n", has_names ? 9 : 11, (long long)row->number, row->value);
}

static int has_intercept(const dcpn_model *model)
{
    return model->settings.intercept || fabs(model->intercept) > 0.0;
}

static double intercept_of(const dcpn_model *model, int64_t score)
{
    return model->intercepts ? model->intercepts[score] : model->intercept;
}

static int64_t intercept_count(const dcpn_model *model)
{
    return dcpn_intercept_count(model->scores, &model->labels);
}

/* "(intercept)"; of ordered classes it is that of the log odds of a class above one. */
static const char *intercept_name(const dcpn_model *model, int64_t k, char *room, size_t size)
{
    char label[40];
    if (!model->labels.are_ordered) return "(intercept)";
    snprintf(room, size, "(above %.*s)", (int)MOST_CLASS_COLUMNS, class_text(model, k, label));
    return room;
}

void dcpn_cli_coefficients_print(FILE *stream, const struct coefficients *table)
{
    int has_names = table->count && table->rows[0].name, columns = has_names ? name_columns(table) : 0;
    const dcpn_model *model = table->model;
    int of_class = class_columns(model);
    if (of_class) fprintf(stream, "%-*s  ", of_class, of_what(model));
    if (has_names) fprintf(stream, "%-*s  ", columns, "name");
    fprintf(stream, "%*s  %14s\n", has_names ? 9 : 11, "feature", "coefficient");
    for (int64_t k = 0; k < intercept_count(model) && has_intercept(model); k++) {
        char room[64];
        print_class(stream, model, k, of_class);
        fprintf(stream, "%-*s  %14.6g\n", has_names ? columns + 11 : 11, intercept_name(model, k, room, sizeof room),
                intercept_of(model, k));
    }
    for (int64_t i = 0; i < table->count; i++) {
        print_class(stream, model, table->rows[i].score, of_class);
        print_row(stream, &table->rows[i], columns, has_names);
    }
}

/* ---- CSV and JSON ---- */

void dcpn_cli_print_csv_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"') fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

static void print_csv_class(FILE *stream, const dcpn_model *model, int64_t score)
{
    char room[40];
    if (model->scores == 1) return;
    dcpn_cli_print_csv_text(stream, class_text(model, score, room));
    fputc(',', stream);
}

void dcpn_cli_coefficients_print_csv(FILE *stream, const struct coefficients *table)
{
    const dcpn_model *model = table->model;
    if (model->scores > 1) fprintf(stream, "%s,", of_what(model));
    fputs("feature,name,coefficient\n", stream);
    for (int64_t k = 0; k < intercept_count(model) && has_intercept(model); k++) {
        char room[64];
        print_csv_class(stream, model, k);
        fputc(',', stream);
        dcpn_cli_print_csv_text(stream, intercept_name(model, k, room, sizeof room));
        fputc(',', stream);
        dcpn_cli_json_number(stream, intercept_of(model, k));
        fputc('\n', stream);
    }
    for (int64_t i = 0; i < table->count; i++) {
        print_csv_class(stream, model, table->rows[i].score);
        fprintf(stream, "%lld,", (long long)table->rows[i].number);
        if (table->rows[i].name) dcpn_cli_print_csv_text(stream, table->rows[i].name);
        fputc(',', stream);
        dcpn_cli_json_number(stream, table->rows[i].value);
        fputc('\n', stream);
    }
}

void dcpn_cli_coefficients_print_json(FILE *stream, const struct coefficients *table)
{
    const dcpn_model *model = table->model;
    dcpn_cli_json_text_member(stream, "{", "loss", model->settings.loss);
    dcpn_cli_json_text_member(stream, ",", "penalty", model->settings.penalty);
    dcpn_cli_json_number_member(stream, ",", "lambda", model->settings.lambda);
    int are_several = dcpn_cli_are_several(model->scores, &model->labels);
    if (!are_several) dcpn_cli_json_number_member(stream, ",", "intercept", model->intercept);
    for (int64_t k = 0; k < intercept_count(model) && are_several; k++) {
        char room[40];
        fputs(k ? "," : ",\"intercepts\":[", stream);
        dcpn_cli_json_text_member(stream, "{", model->scores > 1 ? of_what(model) : "above",
                                  class_text(model, k, room));
        dcpn_cli_json_number_member(stream, ",", "value", intercept_of(model, k));
        fputs(k + 1 < intercept_count(model) ? "}" : "}]", stream);
    }
    fputs(",\"coefficients\":[", stream);
    for (int64_t i = 0; i < table->count; i++) {
        char room[40];
        fputs(i ? ",\n{" : "\n{", stream);
        if (model->scores > 1)
            dcpn_cli_json_text_member(stream, "", of_what(model), class_text(model, table->rows[i].score, room));
        dcpn_cli_json_count_member(stream, model->scores > 1 ? "," : "", "feature", table->rows[i].number);
        dcpn_cli_json_text_member(stream, ",", "name", table->rows[i].name);
        dcpn_cli_json_number_member(stream, ",", "value", table->rows[i].value);
        fputc('}', stream);
    }
    fputs("]}\n", stream);
}
