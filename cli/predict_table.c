/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions as a table: a line for each row, with what the row is called. */
#include "predict_table.h"

#include "reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    return model->has_classes && dcpn_model_probability(model, 0.0, &probability) == DCPN_OK;
}

static const char *class_name(const dcpn_model *model, int k, char room[40])
{
    return dcpn_cli_label_text(model->class_names, model->classes[k], room);
}

static void print_header(FILE *stream, const dcpn_model *model, const dcpn_dataset *data)
{
    dcpn_cli_print_csv_field(stream, data->id_name ? data->id_name : data->row_names ? "id" : "row");
    fputs(model->has_classes ? ",label" : ",prediction", stream);
    for (int k = 0; k < 2 && has_probabilities(model); k++) {
        char number[40], name[512];
        snprintf(name, sizeof name, "probability_%s", class_name(model, k, number));
        fputc(',', stream);
        dcpn_cli_print_csv_field(stream, name);
    }
    if (model->has_classes && !has_probabilities(model)) fputs(",score", stream);
    fputc('\n', stream);
}

/* Enough digits to read and to compare; all of them are in --type scores and --type probabilities. */
static void print_number(FILE *stream, double value)
{
    fprintf(stream, "%.6g", value);
}

static void print_classes(FILE *stream, const dcpn_model *model, double score)
{
    char number[40];
    double positive;
    int is_positive = dcpn_model_label(model, score) == model->classes[1];
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

static void print_row(FILE *stream, const dcpn_model *model, const dcpn_dataset *data, double score, int64_t row)
{
    if (data->row_names)
        dcpn_cli_print_csv_field(stream, data->row_names[row]);
    else
        fprintf(stream, "%lld", (long long)row + 1);
    fputc(',', stream);
    if (model->has_classes)
        print_classes(stream, model, score);
    else
        print_number(stream, dcpn_model_label(model, score));
    fputc('\n', stream);
}

int dcpn_cli_predict_table(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data,
                           const double *scores, const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print_header(stream, model, data);
    for (int64_t i = 0; i < data->rows; i++) print_row(stream, model, data, scores[i], i);
    int is_whole = !ferror(stream);
    is_whole &= fclose(stream) == 0;
    int code = is_whole ? dcpn_cli_write_text(cli, path, text, length)
                        : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}
