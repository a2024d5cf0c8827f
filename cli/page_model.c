/* SPDX-License-Identifier: BSD-3-Clause */
/* The model of a report: a line for each coefficient that is not 0, with its bar. */
#include "label_text.h"
#include "page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LAMBDA "\xCE\xBB"

/* exp of a coefficient of the logistic loss: by how much odds are multiplied where the feature is greater by 1. */
static int has_odds(const struct page *page)
{
    return page->paths->labels.count == 2 && strcmp(page->paths->settings.loss, "logistic") == 0;
}

static void begin_model_table(const struct page *page, const char *caption)
{
    fprintf(
        page->out,
        "<table class=\"model\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">feature</th><th scope=\"col\" "
        "class=\"number\">coefficient</th>%s%s<td class=\"bar\"></td></tr></thead>\n<tbody>\n",
        caption, has_odds(page) ? "<th scope=\"col\" class=\"number\">odds ratio</th>" : "",
        !page->paths->deviations.value ? ""
        : has_odds(page)               ? "<th scope=\"col\" class=\"number spare\">odds ratio per std. dev.</th>"
                                       : "<th scope=\"col\" class=\"number\">per std. dev.</th>");
}

/* A bar to the right of the middle, or, for a negative number, to the left. */
static void print_bar(const struct page *page, double value, double largest)
{
    double width = largest > 0.0 ? 50.0 * fabs(value) / largest : 0.0;
    if (value < 0.0)
        fprintf(page->out, "<td class=\"bar\"><i class=\"minus\" style=\"width:%.1f%%;margin-left:%.1f%%\"></i></td>",
                width, 50.0 - width);
    else
        fprintf(page->out, "<td class=\"bar\"><i class=\"plus\" style=\"width:%.1f%%\"></i></td>", width);
}

/* Prints the number per standard deviation. Beside odds, a phone has no room for it and leaves it out; the bar shows
 * it, too. */
static void print_deviation(const struct page *page, double number)
{
    fputs(has_odds(page) ? "<td class=\"number spare\">" : "<td class=\"number\">", page->out);
    dcpn_cli_page_number(page, number, 3);
    fputs("</td>", page->out);
}

static void print_row(const struct page *page, int64_t at, double largest)
{
    char room[DCPN_CLI_NAME_SIZE];
    double weight = dcpn_cli_weight(page->results, page->path, at);
    fputs("<tr>", page->out);
    dcpn_cli_page_name(page, dcpn_cli_coefficient_name(page->results, page->path->index[at], "", room));
    dcpn_cli_page_cell(page, page->path->value_of[at], 5);
    if (has_odds(page)) dcpn_cli_page_cell(page, exp(page->path->value_of[at]), 3);
    if (page->paths->deviations.value) print_deviation(page, has_odds(page) ? exp(weight) : weight);
    print_bar(page, weight, largest);
    fputs("</tr>\n", page->out);
}

static void print_rows(const struct page *page, const int64_t *order, int64_t begin, int64_t end)
{
    double largest = page->point->fit.nonzeros ? fabs(dcpn_cli_weight(page->results, page->path, order[0])) : 0.0;
    for (int64_t i = begin; i < end; i++) print_row(page, order[i], largest);
}

static void print_rest(const struct page *page, const int64_t *order)
{
    int64_t count = page->point->fit.nonzeros, end = count < DCPN_CLI_PAGE_MOST ? count : DCPN_CLI_PAGE_MOST;
    if (count <= DCPN_CLI_PAGE_SHOWN) return;
    if (end - DCPN_CLI_PAGE_SHOWN == 1)
        fputs("<details>\n<summary>The other feature</summary>\n", page->out);
    else
        fprintf(page->out, "<details>\n<summary>%s %lld features</summary>\n", end < count ? "The next" : "The other",
                (long long)(end - DCPN_CLI_PAGE_SHOWN));
    begin_model_table(page, "continued");
    print_rows(page, order, DCPN_CLI_PAGE_SHOWN, end);
    dcpn_cli_page_end_table(page);
    fputs("</details>\n", page->out);
    if (end < count)
        fprintf(page->out, "<p>%lld more, all smaller, are in the file: <code>dcpn coef</code> prints them.</p>\n",
                (long long)(count - end));
}

/* Says which way the coefficients point. */
static void print_direction(const struct page *page)
{
    int are_several = dcpn_cli_are_several(page->paths->scores, &page->paths->labels);
    if (page->paths->labels.are_ordered)
        fputs("<p>What raises the score speaks for higher classes, what lowers it for lower ones.</p>\n", page->out);
    if (page->paths->labels.count != 2 || are_several) return;
    fputs("<p>What raises the score speaks for <strong>", page->out);
    dcpn_cli_page_class(page, 1);
    fputs("</strong>, what lowers it for <strong>", page->out);
    dcpn_cli_page_class(page, 0);
    fputs("</strong>.</p>\n", page->out);
}

static void print_intercept(const struct page *page)
{
    if (!page->paths->settings.intercept && !(fabs(page->point->intercept) > 0.0)) return;
    int are_several = dcpn_cli_are_several(page->paths->scores, &page->paths->labels);
    if (are_several) return; /* one for each class, which dcpn coef prints */
    fputs("<p class=\"after\">Intercept: ", page->out);
    dcpn_cli_page_number(page, page->point->intercept, 5);
    fputs(".</p>\n", page->out);
}

/* The caption of the table, which says what its columns are. */
static const char *model_caption(const struct page *page)
{
    int by_deviation = page->paths->deviations.value != NULL;
    if (has_odds(page))
        return by_deviation
                   ? "Coefficients that are not 0, and by how much each multiplies the odds: for one unit of its "
                     "feature, and for one standard deviation, by which they compare; the largest first"
                   : "Coefficients that are not 0, and by how much each multiplies the odds for one unit of its "
                     "feature; the largest first";
    return by_deviation ? "Coefficients that are not 0, on the scale of the data, and per standard deviation of their "
                          "feature, by which they compare; the largest first"
                        : "Coefficients that are not 0, the largest first, on the scale of the data";
}

int dcpn_cli_page_model(const struct page *page)
{
    int64_t count = page->point->fit.nonzeros, *order = dcpn_cli_by_size(page->results, page->album->choice);
    if (!order) return dcpn_status_exit_code(DCPN_MEMORY);
    dcpn_cli_page_begin_section(page, "model", "The model");
    if (count) {
        print_direction(page);
        begin_model_table(page, model_caption(page));
        print_rows(page, order, 0, count < DCPN_CLI_PAGE_SHOWN ? count : DCPN_CLI_PAGE_SHOWN);
        dcpn_cli_page_end_table(page);
        print_rest(page, order);
        print_intercept(page);
    } else {
        fputs("<p>No feature is in use: every coefficient is 0. A smaller " LAMBDA " lets features in.</p>\n",
              page->out);
    }
    fputs("</section>\n", page->out);
    free(order);
    return 0;
}
