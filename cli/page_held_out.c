/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a report about rows that were held out, and what they are called. */
#include "held_out.h"
#include "label_text.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>

static void print_confusion_row(const struct page *page, const struct confusion *found, int truth)
{
    const double *w = found->weight[truth];
    fputs("<tr><th scope=\"row\">is ", page->out);
    dcpn_cli_page_class(page, truth);
    fprintf(page->out, "</th><td class=\"number\">%.6g</td><td class=\"number\">%.6g</td><td class=\"number\">", w[1],
            w[0]);
    if (w[0] + w[1] > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * w[truth] / (w[0] + w[1]));
    fputs("</td></tr>\n", page->out);
}

static void print_predictive_value(const struct page *page, const struct confusion *found, int called)
{
    double right = found->weight[called][called], all = found->weight[0][called] + found->weight[1][called];
    fputs("<td class=\"number\">", page->out);
    if (all > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * right / all);
    fputs("</td>", page->out);
}

/* A line for one of many classes: its rows, how many are called so, and which other class they are called most
 * often. */
static void print_errors_of_class(const struct page *page, const double *weight, int64_t k)
{
    double all = 0.0;
    int64_t other = -1;
    for (int64_t c = 0; c < page->paths->labels.count; c++) {
        all += weight[c];
        if (c != k && weight[c] > 0.0 && (other < 0 || weight[c] > weight[other])) other = c;
    }
    fputs("<tr><th scope=\"row\">", page->out);
    dcpn_cli_page_class(page, k);
    fprintf(page->out, "</th><td class=\"number\">%.6g</td><td class=\"number\">", all);
    if (all > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * weight[k] / all);
    fputs("</td><td>", page->out);
    if (other >= 0) dcpn_cli_page_class(page, other);
    if (other >= 0) fprintf(page->out, " (%.6g)", weight[other]);
    fputs("</td></tr>\n", page->out);
}

static void print_errors_of_classes(const struct page *page, const struct held_out *held, double *weight)
{
    int64_t classes = page->paths->labels.count;
    for (int64_t i = 0; i < held->rows->rows; i++)
        if (!isnan(held->rows->label[i]) && !isnan(held->score[i]))
            weight[(int64_t)held->rows->label[i] * classes + (int64_t)held->score[i]] += held->rows->weight[i];
    dcpn_cli_page_begin_section(page, "classes", "The classes");
    fputs("<p>Each row is predicted by the fit without its fold, which has not seen it.</p>\n<div class=\"scroll\">\n"
          "<table class=\"confusion\">\n<caption>The classes, and what their rows are called</caption>\n<thead><tr><th "
          "scope=\"col\">class</th><th scope=\"col\" class=\"number\">rows</th><th scope=\"col\" "
          "class=\"number\">right</th><th scope=\"col\">taken most often for</th></tr></thead>\n<tbody>\n",
          page->out);
    for (int64_t k = 0; k < classes; k++) print_errors_of_class(page, weight + k * classes, k);
    dcpn_cli_page_end_table(page);
    fputs("</div>\n</section>\n", page->out);
}

int dcpn_cli_page_classes(const struct page *page)
{
    struct held_out held;
    int64_t classes = page->paths->labels.count;
    int are_several = dcpn_cli_are_several(page->paths->scores, &page->paths->labels);
    if (!are_several || !dcpn_cli_held_out_at(page->results, page->album->choice, &held)) return 0;
    double *weight = dcpn_cli_allocate(page->cli, classes * classes, sizeof *weight);
    if (!weight) return dcpn_status_exit_code(DCPN_MEMORY);
    print_errors_of_classes(page, &held, weight);
    free(weight);
    return 0;
}

void dcpn_cli_page_confusion(const struct page *page)
{
    struct held_out held;
    if (!dcpn_cli_held_out_at(page->results, page->album->choice, &held)) return;
    const struct confusion found = dcpn_cli_held_out_confusion(&held);
    fputs("<p>Each row is predicted by the fit without its fold, which has not seen it.</p>\n<div class=\"scroll\">\n"
          "<table class=\"confusion\">\n<caption>What the rows are, and what they are called at a probability of one "
          "half</caption>\n<thead><tr><td></td>",
          page->out);
    for (int called = 1; called >= 0; called--) {
        fputs("<th scope=\"col\" class=\"number\">called ", page->out);
        dcpn_cli_page_class(page, called);
        fputs("</th>", page->out);
    }
    fputs("<th scope=\"col\" class=\"number\">right</th></tr></thead>\n<tbody>\n", page->out);
    print_confusion_row(page, &found, 1);
    print_confusion_row(page, &found, 0);
    fputs("<tr><th scope=\"row\">right of those called so</th>", page->out);
    print_predictive_value(page, &found, 1);
    print_predictive_value(page, &found, 0);
    fputs("<td></td></tr>\n", page->out);
    dcpn_cli_page_end_table(page);
    fputs("</div>\n", page->out);
}
