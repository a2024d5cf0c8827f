/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of factors: atoms as images or as a heat map, how often they are used, and their largest entries. */
#include "sheet.h"

#include "sheet_image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IMAGES = 400, MOST_ATOMS = 60, MOST_ENTRIES = 5, MOST_WIDTH = 2000 };

/* What is known of atoms: how many codes use each, and the squares of these codes. */
struct use {
    double *count, *squares, *number;
};

static int find_use(const struct sheet *sheet, const dcpn_factors *f, struct use *use)
{
    use->count = dcpn_cli_allocate(sheet->cli, 3 * f->atoms, sizeof *use->count);
    if (!use->count) return dcpn_status_exit_code(DCPN_MEMORY);
    use->squares = use->count + f->atoms;
    use->number = use->squares + f->atoms;
    memset(use->count, 0, 2 * (size_t)f->atoms * sizeof *use->count);
    for (int64_t e = 0; e < f->codes.first[f->count]; e++) {
        use->count[f->codes.index[e]] += 1.0;
        use->squares[f->codes.index[e]] += f->codes.value[e] * f->codes.value[e];
    }
    for (int64_t k = 0; k < f->atoms; k++) use->number[k] = (double)(k + 1);
    return 0;
}

static void print_head(const struct sheet *sheet, const dcpn_factors *f)
{
    char lead[200], value[60], small[80];
    int64_t entries = f->codes.first[f->count];
    snprintf(lead, sizeof lead, "Each of %lld %s is the sum of a few of %lld atoms: %.3g of them in the mean.",
             (long long)f->count, f->of_columns ? "features" : "rows", (long long)f->atoms,
             f->count ? (double)entries / (double)f->count : 0.0);
    dcpn_cli_sheet_begin(sheet, "factors", lead);
    snprintf(value, sizeof value, "%.1f\xC2\xA0%%", 100.0 * (1.0 - f->unexplained));
    dcpn_cli_sheet_fact(sheet, "of the squares explained", value, NULL);
    snprintf(value, sizeof value, "%.4g", f->penalty.lambda);
    snprintf(small, sizeof small, "penalty %s of codes", f->penalty.name);
    dcpn_cli_sheet_fact(sheet, "lambda", value, small);
    if (f->of_atoms.name) {
        snprintf(value, sizeof value, "%.4g", f->of_atoms.lambda);
        snprintf(small, sizeof small, "penalty %s of atoms", f->of_atoms.name);
        dcpn_cli_sheet_fact(sheet, "lambda of atoms", value, small);
    }
    snprintf(value, sizeof value, "%.2g", f->atoms_end.violation);
    snprintf(small, sizeof small, "goal %.2g", f->atoms_end.goal);
    dcpn_cli_sheet_fact(sheet, "certificate of atoms", value, small);
    dcpn_cli_sheet_outcome(sheet, "certificate of codes", f->outcome, f->codes_end.violation, f->codes_end.goal);
    dcpn_cli_sheet_end_head(sheet);
}

/* ---- pictures of atoms ---- */

/* The numbers of a component that features have: of an atom, or of the codes of features. */
static void take_component(const dcpn_factors *f, int64_t k, double *component)
{
    if (!f->of_columns) {
        memcpy(component, f->atom + k * f->length, (size_t)f->length * sizeof *component);
        return;
    }
    for (int64_t j = 0; j < f->count; j++) {
        component[j] = 0.0;
        for (int64_t e = f->codes.first[j]; e < f->codes.first[j + 1]; e++)
            if (f->codes.index[e] == k) component[j] = f->codes.value[e];
    }
}

static void print_images(const struct sheet *sheet, const struct factor_sheet *page, double *row,
                         const int64_t *order)
{
    const dcpn_factors *f = page->factors;
    int64_t shown = f->atoms < MOST_IMAGES ? f->atoms : MOST_IMAGES;
    fputs("<figure>\n<div class=\"atoms\">\n", sheet->out);
    for (int64_t k = 0; k < shown; k++) {
        char words[60];
        take_component(f, order[k], row);
        snprintf(words, sizeof words, "atom %lld", (long long)order[k] + 1);
        dcpn_cli_image_print(sheet->out, page->image_rows, page->image_columns, row,
                             dcpn_cli_image_largest(page->image_rows * page->image_columns, row), words);
    }
    fputs("</div>\n<figcaption>", sheet->out);
    if (shown < f->atoms) fprintf(sheet->out, "The first %lld. ", (long long)shown);
    dcpn_cli_sheet_text(sheet, "Atoms by the squares of their codes, each on a scale of its own: blue is positive, "
                               "orange negative.");
    fputs("</figcaption>\n</figure>\n", sheet->out);
}

static void print_heat_map(const struct sheet *sheet, const dcpn_factors *f, double *row, const int64_t *order)
{
    int64_t features = f->of_columns ? f->count : f->length, width = features < MOST_WIDTH ? features : MOST_WIDTH;
    fputs("<figure>\n<div class=\"heat\">\n", sheet->out);
    for (int64_t k = 0; k < f->atoms && k < MOST_ATOMS; k++) {
        char words[60];
        take_component(f, order[k], row);
        snprintf(words, sizeof words, "atom %lld", (long long)order[k] + 1);
        fprintf(sheet->out, "<span>%lld</span>", (long long)order[k] + 1);
        dcpn_cli_image_print(sheet->out, 1, width, row, dcpn_cli_image_largest(width, row), words);
    }
    fputs("</div>\n<figcaption>", sheet->out);
    if (f->atoms > MOST_ATOMS) fprintf(sheet->out, "The first %d. ", MOST_ATOMS);
    dcpn_cli_sheet_text(sheet, "A line for each atom, a place for each feature");
    if (width < features) fprintf(sheet->out, " (the first %lld)", (long long)width);
    dcpn_cli_sheet_text(sheet, ": blue is positive, orange negative, each line on a scale of its own.");
    fputs("</figcaption>\n</figure>\n", sheet->out);
}

/* ---- how often atoms are used ---- */

static void print_use(const struct sheet *sheet, const dcpn_factors *f, const struct use *use)
{
    const struct figure_series series = {
        .name = "", .count = (size_t)f->atoms, .x = use->number, .y = use->count, .look = DCPN_FIGURE_POINTS};
    const struct figure figure = {.title = "How often atoms are used",
                                  .x_label = "atom",
                                  .y_label = f->of_columns ? "features that use it" : "rows that use it",
                                  .series_count = 1,
                                  .series = &series};
    dcpn_cli_sheet_section(sheet, "How often atoms are used");
    dcpn_cli_sheet_figure(sheet, &figure, "An atom that nothing uses is one too many.");
    dcpn_cli_sheet_end_section(sheet);
}

/* ---- the table ---- */

struct ranked {
    double size;
    int64_t index;
};

static int compare(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* Orders numbers by size, the largest first. */
static int order_by_size(const struct sheet *sheet, int64_t count, const double *numbers, int64_t *order)
{
    struct ranked *ranked = dcpn_cli_allocate(sheet->cli, count + 1, sizeof *ranked);
    if (!ranked) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t k = 0; k < count; k++) ranked[k] = (struct ranked){fabs(numbers[k]), k};
    qsort(ranked, (size_t)count, sizeof *ranked, compare);
    for (int64_t k = 0; k < count; k++) order[k] = ranked[k].index;
    free(ranked);
    return 0;
}

static void print_entries(const struct sheet *sheet, const struct factor_sheet *page, const double *component,
                          const int64_t *order, int64_t count)
{
    int64_t shown = 0;
    for (int64_t j = 0; j < count && shown < MOST_ENTRIES && component[order[j]] != 0.0; j++, shown++) {
        if (shown) fputs(", ", sheet->out);
        if (page->names)
            dcpn_cli_sheet_text(sheet, page->names[order[j]]);
        else
            fprintf(sheet->out, "%lld", (long long)order[j] + 1);
        fputs("\xC2\xA0<small>", sheet->out);
        dcpn_cli_sheet_number(sheet, component[order[j]], 2);
        fputs("</small>", sheet->out);
    }
}

static int print_table(const struct sheet *sheet, const struct factor_sheet *page, const struct use *use,
                       const int64_t *atoms)
{
    const dcpn_factors *f = page->factors;
    int64_t features = f->of_columns ? f->count : f->length;
    double *component = dcpn_cli_allocate(sheet->cli, features, sizeof *component);
    int64_t *order = dcpn_cli_allocate(sheet->cli, features, sizeof *order);
    int code = component && order ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    dcpn_cli_sheet_section(sheet, "What atoms are made of");
    fputs("<div class=\"scroll\">\n<table>\n<thead><tr><th class=\"number\">atom</th><th class=\"number\">used</th><th "
          "class=\"number\">not 0</th><th>largest entries, by feature</th></tr></thead>\n<tbody>\n",
          sheet->out);
    for (int64_t k = 0; !code && k < f->atoms && k < MOST_ATOMS; k++) {
        double entries = 0.0;
        take_component(f, atoms[k], component);
        for (int64_t j = 0; j < features; j++) entries += component[j] != 0.0;
        code = order_by_size(sheet, features, component, order);
        if (code) break;
        fputs("<tr>", sheet->out);
        dcpn_cli_sheet_cell(sheet, (double)(atoms[k] + 1), 9);
        dcpn_cli_sheet_cell(sheet, use->count[atoms[k]], 9);
        dcpn_cli_sheet_cell(sheet, entries, 9);
        fputs("<td>", sheet->out);
        print_entries(sheet, page, component, order, features);
        fputs("</td></tr>\n", sheet->out);
    }
    fputs("</tbody>\n</table>\n</div>\n", sheet->out);
    dcpn_cli_sheet_end_section(sheet);
    free(component);
    free(order);
    return code;
}

/* ---- the whole ---- */

static int print_body(const struct sheet *sheet, const struct factor_sheet *page, const struct use *use)
{
    const dcpn_factors *f = page->factors;
    int64_t *order = dcpn_cli_allocate(sheet->cli, f->atoms, sizeof *order);
    double *row = dcpn_cli_allocate(sheet->cli, f->of_columns ? f->count : f->length, sizeof *row);
    int code = order && row ? order_by_size(sheet, f->atoms, use->squares, order) : dcpn_status_exit_code(DCPN_MEMORY);
    if (!code) {
        dcpn_cli_sheet_section(sheet, "The atoms");
        if (page->image_rows > 0)
            print_images(sheet, page, row, order);
        else
            print_heat_map(sheet, f, row, order);
        dcpn_cli_sheet_end_section(sheet);
        print_use(sheet, f, use);
        code = print_table(sheet, page, use, order);
    }
    free(order);
    free(row);
    return code;
}

int dcpn_cli_sheet_factors(const struct sheet *sheet, const void *user)
{
    const struct factor_sheet *page = user;
    struct use use = {0};
    print_head(sheet, page->factors);
    int code = find_use(sheet, page->factors, &use);
    if (!code) code = print_body(sheet, page, &use);
    dcpn_cli_sheet_end(sheet);
    free(use.count);
    return code;
}
