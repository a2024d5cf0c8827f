/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions as a table: a line for each row, with what the row is called. */
#include "predict_table.h"

#include "coefficients.h"
#include "json.h"
#include "label_text.h"
#include "plural.h"
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 60 };

void dcpn_cli_print_csv_field(FILE *stream, const char *text)
{
    if (!text[strcspn(text, ",;\"\t\r\n")] && *text && *text != ' ' && *text != '#') {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (; *text; text++) {
        if (*text == '"') fputc('"', stream);
        fputc(*text, stream);
    }
    fputc('"', stream);
}

static int has_probabilities(const dcpn_model *model)
{
    double probability;
    if (dcpn_cli_are_several(model->scores, &model->labels)) return !model->labels.are_responses;
    return model->labels.count && dcpn_model_probability(model, 0.0, &probability) == DCPN_OK;
}

static const char *class_name(const dcpn_model *model, int64_t k, char room[40])
{
    return dcpn_cli_label_text(model->labels.names, model->labels.numbers[k], room);
}

static void print_responses_head(FILE *stream, const dcpn_model *model)
{
    for (int64_t k = 0; k < model->scores; k++) {
        char number[40], name[512];
        snprintf(name, sizeof name, "prediction_%s", class_name(model, k, number));
        fputc(',', stream);
        dcpn_cli_print_csv_field(stream, name);
    }
    fputc('\n', stream);
}

static void print_header(FILE *stream, const dcpn_model *model, const dcpn_dataset *data,
                         const struct survival_curves *curves)
{
    dcpn_cli_print_csv_field(stream, data->id_name ? data->id_name : data->row_names ? "id" : "row");
    int are_risks = strcmp(model->settings.loss, "cox") == 0;
    if (model->labels.are_responses) {
        print_responses_head(stream, model);
        return;
    }
    fputs(model->labels.count ? ",label" : are_risks ? ",risk" : ",prediction", stream);
    for (int64_t k = 0; k < model->labels.count && has_probabilities(model); k++) {
        char number[40], name[512];
        snprintf(name, sizeof name, "probability_%s", class_name(model, k, number));
        fputc(',', stream);
        dcpn_cli_print_csv_field(stream, name);
    }
    if (model->labels.count && !has_probabilities(model)) fputs(",score", stream);
    dcpn_cli_survival_curves_head(stream, curves);
    fputc('\n', stream);
}

/* Prints a number with enough digits to read and to compare; --type scores and --type probabilities give all digits. */
static void print_number(FILE *stream, double value)
{
    fprintf(stream, "%.6g", value);
}

static void print_classes(FILE *stream, const dcpn_model *model, double score)
{
    char number[40];
    double positive;
    int is_positive = dcpn_model_label(model, score) == model->labels.numbers[1];
    dcpn_cli_print_csv_field(stream, class_name(model, is_positive, number));
    fputc(',', stream);
    if (dcpn_model_probability(model, score, &positive) != DCPN_OK) {
        print_number(stream, score);
        return;
    }
    double negative;
    (void)dcpn_model_probability(model, -score, &negative); /* 1 - positive would lose digits where that is near 1 */
    print_number(stream, negative);
    fputc(',', stream);
    print_number(stream, positive);
}

static void print_row_name(FILE *stream, const dcpn_dataset *data, int64_t row)
{
    if (data->row_names)
        dcpn_cli_print_csv_field(stream, data->row_names[row]);
    else
        fprintf(stream, "%lld", (long long)row + 1);
    fputc(',', stream);
}

static void print_row(FILE *stream, const dcpn_model *model, const dcpn_dataset *data,
                      const struct survival_curves *curves, double score, int64_t row)
{
    print_row_name(stream, data, row);
    if (model->labels.count)
        print_classes(stream, model, score);
    else
        print_number(stream, dcpn_model_label(model, score));
    dcpn_cli_survival_curves_row(stream, curves, row, score);
    fputc('\n', stream);
}

static void print_responses(FILE *stream, const dcpn_model *model, const dcpn_dataset *data, const double *scores)
{
    for (int64_t i = 0; i < data->rows; i++) {
        print_row_name(stream, data, i);
        for (int64_t k = 0; k < model->scores; k++) {
            if (k > 0) fputc(',', stream);
            print_number(stream, dcpn_model_label(model, scores[k * data->rows + i]));
        }
        fputc('\n', stream);
    }
}

/* A probability for each class, and the class that has the largest score or, where classes have an order, the largest
 * probability. */
static int print_many(FILE *stream, const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                      const double *scores)
{
    int64_t rows = data->rows, classes = model->labels.count;
    double *p = dcpn_cli_allocate(cli, classes * rows, sizeof *p);
    if (!p) return dcpn_status_exit_code(DCPN_MEMORY);
    int code = dcpn_cli_check(cli, dcpn_model_probabilities(model, scores, rows, p));
    const double *by = model->labels.are_ordered ? p : scores;
    for (int64_t i = 0; i < rows && !code; i++) {
        char number[40];
        int64_t best = 0;
        for (int64_t k = 1; k < classes; k++)
            if (by[k * rows + i] > by[best * rows + i]) best = k;
        print_row_name(stream, data, i);
        dcpn_cli_print_csv_field(stream, class_name(model, best, number));
        for (int64_t k = 0; k < classes; k++) {
            fputc(',', stream);
            print_number(stream, p[k * rows + i]);
        }
        fputc('\n', stream);
    }
    free(p);
    return code;
}

/* Writes to a file what was printed to a stream in memory. */
static int deliver(const struct cli *cli, FILE *stream, char **text, const size_t *length, const char *path)
{
    int is_whole = !ferror(stream);
    is_whole &= fclose(stream) == 0;
    int code =
        is_whole ? dcpn_cli_write_text(cli, path, *text, *length) : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(*text);
    return code;
}

int dcpn_cli_predict_columns(const struct cli *cli, const double *numbers, int64_t rows, int64_t columns,
                             const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < columns; k++) {
            dcpn_cli_json_number(stream, numbers[k * rows + i]);
            fputc(k + 1 < columns ? ',' : '\n', stream);
        }
    return deliver(cli, stream, &text, &length, path);
}

int dcpn_cli_predict_table(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                           const double *scores, const struct survival_curves *curves, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print_header(stream, model, data, curves);
    int are_responses = model->labels.are_responses;
    if (are_responses) print_responses(stream, model, data, scores);
    int are_several = dcpn_cli_are_several(model->scores, &model->labels);
    int code = are_several && !are_responses ? print_many(stream, cli, model, data, scores) : 0;
    for (int64_t i = 0; i < data->rows && !are_several; i++) print_row(stream, model, data, curves, scores[i], i);
    if (!code) return deliver(cli, stream, &text, &length, path);
    fclose(stream);
    free(text);
    return code;
}

/* ---- where labels are known ---- */

struct class_count {
    int64_t *rows, *right;
};

static void print_classes_json(const dcpn_model *model, const struct class_count *count)
{
    fputs(",\"classes\":[", stdout);
    for (int64_t k = 0; k < model->labels.count; k++) {
        char number[40];
        double error = (double)(count->rows[k] - count->right[k]) / (double)count->rows[k];
        dcpn_cli_json_text_member(stdout, k ? ",{" : "{", "class", class_name(model, k, number));
        dcpn_cli_json_count_member(stdout, ",", "n", count->rows[k]);
        dcpn_cli_json_number_member(stdout, ",", "error", count->rows[k] ? error : (double)NAN);
        putchar('}');
    }
    puts("]}");
}

static void print_classes_of(FILE *stream, const dcpn_model *model, const struct class_count *count)
{
    fputs("error by class:\n", stream);
    for (int64_t k = 0; k < model->labels.count; k++) {
        char number[40];
        if (!count->rows[k]) continue;
        fprintf(stream, "%7.2f %% of %lld  ",
                100.0 * (double)(count->rows[k] - count->right[k]) / (double)count->rows[k], (long long)count->rows[k]);
        dcpn_cli_print_name(stream, class_name(model, k, number), NAME_COLUMNS);
        fputc('\n', stream);
    }
}

static void print_quality(const dcpn_model *model, const dcpn_dataset *data, const dcpn_quality *quality,
                          const struct class_count *count, int json)
{
    if (json) {
        dcpn_cli_json_count_member(stdout, "{", "n", data->rows);
        dcpn_cli_json_count_member(stdout, ",", "measured", quality->rows);
        dcpn_cli_json_number_member(stdout, ",", "accuracy", quality->accuracy);
        dcpn_cli_json_number_member(stdout, ",", "deviance", quality->deviance);
        print_classes_json(model, count);
    } else if (quality->rows) {
        fprintf(stderr, "accuracy %.6g, deviance %.6g on %lld row%s\n", quality->accuracy, quality->deviance,
                (long long)quality->rows, dcpn_cli_plural(quality->rows));
        print_classes_of(stderr, model, count);
    }
}

int dcpn_cli_print_many_quality(const struct cli *cli, const struct measured *measured, int json, int quiet)
{
    const dcpn_model *model = measured->model;
    const dcpn_dataset *data = measured->data;
    int64_t *counts = dcpn_cli_allocate(cli, 2 * model->labels.count, sizeof *counts);
    if (!counts) return dcpn_status_exit_code(DCPN_MEMORY);
    const struct class_count count = {counts, counts + model->labels.count};
    int code = measured->quality->rows == 0
                   ? 0
                   : dcpn_cli_check(cli, dcpn_model_count_right(model, data->labels, measured->scores, data->rows,
                                                                count.rows, count.right));
    if (!code && (json || !quiet)) print_quality(model, data, measured->quality, &count, json);
    free(counts);
    return code;
}
