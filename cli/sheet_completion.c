/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a completed matrix: its spectrum, how lambda was chosen, and the sparse part. */
#include "sheet.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SPARSE = 30 };

static double real_of(const dcpn_completion *c, const char *field)
{
    dcpn_value value = {0};
    dcpn_completion_get(c, field, &value);
    return value.real;
}

static void print_head(const struct sheet *sheet, const dcpn_completion *c)
{
    char lead[200], value[60], small[60];
    dcpn_value penalty = {0};
    dcpn_completion_get(c, "penalty", &penalty);
    snprintf(lead, sizeof lead, "A %.0f \xC3\x97 %.0f matrix of rank %.0f from some of its entries.",
             real_of(c, "rows"), real_of(c, "columns"), real_of(c, "rank"));
    dcpn_cli_sheet_begin(sheet, "completed matrix", lead);
    snprintf(value, sizeof value, "%.0f", real_of(c, "rank"));
    dcpn_cli_sheet_fact(sheet, "rank", value, NULL);
    if (isfinite(real_of(c, "held_out_error"))) {
        snprintf(value, sizeof value, "%.4g", real_of(c, "held_out_error"));
        dcpn_cli_sheet_fact(sheet, "error of entries held out", value, "root of the mean square");
    }
    snprintf(value, sizeof value, "%.4g", real_of(c, "lambda"));
    snprintf(small, sizeof small, "penalty %s; rank 0 from %.4g on", penalty.text, real_of(c, "lambda_max"));
    dcpn_cli_sheet_fact(sheet, "lambda", value, small);
    if (real_of(c, "sparse_count") > 0.0) {
        snprintf(value, sizeof value, "%.0f", real_of(c, "sparse_count"));
        dcpn_cli_sheet_fact(sheet, "entries of the sparse part", value, NULL);
    }
    dcpn_cli_sheet_outcome(sheet, "certificate", (dcpn_outcome)(int)real_of(c, "outcome"), real_of(c, "violation"),
                           real_of(c, "goal"));
    dcpn_cli_sheet_end_head(sheet);
}

/* ---- the spectrum ---- */

static int print_spectrum(const struct sheet *sheet, const dcpn_completion *c)
{
    int64_t rank = (int64_t)real_of(c, "rank");
    if (rank == 0) return 0;
    int64_t shown = (double)rank < fmin(real_of(c, "rows"), real_of(c, "columns")) ? rank + 1 : rank; /* and a 0 */
    double *numbers = dcpn_cli_allocate(sheet->cli, 2 * shown, sizeof *numbers);
    if (!numbers) return dcpn_status_exit_code(DCPN_MEMORY);
    numbers[2 * shown - 1] = 0.0;
    int code = dcpn_cli_check(sheet->cli, dcpn_completion_factors(c, NULL, numbers + shown, NULL));
    for (int64_t k = 0; k < shown; k++) numbers[k] = (double)(k + 1);
    const struct figure_series series = {
        .name = "", .count = (size_t)shown, .x = numbers, .y = numbers + shown, .look = DCPN_FIGURE_DOTS};
    const struct figure figure = {
        .title = "The spectrum", .x_label = "number", .y_label = "singular value", .series_count = 1,
        .series = &series};
    dcpn_cli_sheet_section(sheet, "The spectrum");
    if (!code)
        dcpn_cli_sheet_figure(sheet, &figure,
                              "The singular values that are kept; all others are 0. A gap says where the rank of what "
                              "lies behind the data may be, a slow fall that there is none.");
    dcpn_cli_sheet_end_section(sheet);
    free(numbers);
    return code;
}

/* ---- how lambda was chosen ---- */

static void print_trials(const struct sheet *sheet, int64_t count, const double *lambda, const double *error,
                         const int64_t *rank)
{
    fputs("<details><summary>All lambdas</summary>\n<div class=\"scroll\">\n<table>\n<thead><tr>"
          "<th class=\"number\">lambda</th>"
          "<th class=\"number\">error held out</th><th class=\"number\">rank</th></tr></thead>\n<tbody>\n",
          sheet->out);
    for (int64_t k = 0; k < count; k++) {
        fputs("<tr>", sheet->out);
        dcpn_cli_sheet_cell(sheet, lambda[k], 5);
        dcpn_cli_sheet_cell(sheet, error[k], 5);
        dcpn_cli_sheet_cell(sheet, (double)rank[k], 9);
        fputs("</tr>\n", sheet->out);
    }
    fputs("</tbody>\n</table>\n</div>\n</details>\n", sheet->out);
}

static int print_choice(const struct sheet *sheet, const dcpn_completion *c)
{
    int64_t count = dcpn_completion_tried(c);
    if (count < 2) return 0;
    double *numbers = dcpn_cli_allocate(sheet->cli, 2 * count, sizeof *numbers);
    int64_t *rank = dcpn_cli_allocate(sheet->cli, count, sizeof *rank);
    int code = numbers && rank ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) code = dcpn_cli_check(sheet->cli, dcpn_completion_trials(c, numbers, numbers + count, rank));
    if (!code) {
        const struct figure_series series = {
            .name = "", .count = (size_t)count, .x = numbers, .y = numbers + count, .look = DCPN_FIGURE_DOTS};
        const struct figure_mark mark = {real_of(c, "lambda"), "chosen"};
        const struct figure figure = {.title = "How lambda was chosen",
                                      .x_label = "lambda",
                                      .y_label = "error of entries held out",
                                      .x_log = 1,
                                      .x_falling = 1,
                                      .series_count = 1,
                                      .series = &series,
                                      .mark_count = 1,
                                      .marks = &mark,
                                      .top = {(size_t)count, numbers, rank, "rank"}};
        dcpn_cli_sheet_section(sheet, "How lambda was chosen");
        dcpn_cli_sheet_figure(sheet, &figure,
                              "Root of the mean square over entries that the fit has not seen; the least one is "
                              "chosen, and all entries are fitted there.");
        print_trials(sheet, count, numbers, numbers + count, rank);
        dcpn_cli_sheet_end_section(sheet);
    }
    free(numbers);
    free(rank);
    return code;
}

/* ---- the sparse part ---- */

struct spike {
    double size, value;
    int64_t row, column;
};

static int compare(const void *a, const void *b)
{
    const struct spike *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    return (x->column > y->column) - (x->column < y->column);
}

static void print_spikes(const struct sheet *sheet, const struct spike *spikes, int64_t count, int64_t base)
{
    int64_t shown = count < MOST_SPARSE ? count : MOST_SPARSE;
    dcpn_cli_sheet_section(sheet, "The largest entries of the sparse part");
    fprintf(sheet->out,
            "<div class=\"scroll\">\n<table class=\"model\">\n<caption>%lld of %lld</caption>\n<thead><tr>"
            "<th class=\"number\">row</th>"
            "<th class=\"number\">column</th><th class=\"number\">value</th><th></th></tr></thead>\n<tbody>\n",
            (long long)shown, (long long)count);
    for (int64_t k = 0; k < shown; k++) {
        fputs("<tr>", sheet->out);
        dcpn_cli_sheet_cell(sheet, (double)(spikes[k].row + base), 15);
        dcpn_cli_sheet_cell(sheet, (double)(spikes[k].column + base), 15);
        dcpn_cli_sheet_cell(sheet, spikes[k].value, 4);
        dcpn_cli_sheet_bar(sheet, spikes[k].value / spikes[0].size);
        fputs("</tr>\n", sheet->out);
    }
    fputs("</tbody>\n</table>\n</div>\n", sheet->out);
    dcpn_cli_sheet_end_section(sheet);
}

static int print_sparse(const struct sheet *sheet, const dcpn_completion *c)
{
    int64_t count = (int64_t)real_of(c, "sparse_count");
    if (count == 0) return 0;
    int64_t *place = dcpn_cli_allocate(sheet->cli, 2 * count, sizeof *place);
    double *value = dcpn_cli_allocate(sheet->cli, count, sizeof *value);
    struct spike *spikes = dcpn_cli_allocate(sheet->cli, count, sizeof *spikes);
    int code = place && value && spikes ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) code = dcpn_cli_check(sheet->cli, dcpn_completion_sparse(c, place, place + count, value));
    if (!code) {
        for (int64_t k = 0; k < count; k++)
            spikes[k] = (struct spike){fabs(value[k]), value[k], place[k], place[count + k]};
        qsort(spikes, (size_t)count, sizeof *spikes, compare);
        print_spikes(sheet, spikes, count, (int64_t)real_of(c, "index_base"));
    }
    free(place);
    free(value);
    free(spikes);
    return code;
}

int dcpn_cli_sheet_completion(const struct sheet *sheet, const void *user)
{
    const dcpn_completion *c = user;
    print_head(sheet, c);
    int code = print_spectrum(sheet, c);
    if (!code) code = print_choice(sheet, c);
    if (!code) code = print_sparse(sheet, c);
    dcpn_cli_sheet_end(sheet);
    return code;
}
