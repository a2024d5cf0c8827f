/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a page share: texts, numbers, cells of tables, names of features and classes. */
#include "page.h"

#include "plot/text.h"

#include <math.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"

enum { LONG_PIECE = 14 };

void dcpn_cli_page_text(const struct page *page, const char *text)
{
    dcpn_figure_text_print(page->out, text, strlen(text));
}

void dcpn_cli_page_number(const struct page *page, double number, int digits)
{
    if (!isfinite(number))
        fputs("\xE2\x80\x93", page->out);
    else
        fprintf(page->out, "%s%.*g", number < 0.0 ? MINUS : "", digits, fabs(number));
}

void dcpn_cli_page_class(const struct page *page, int64_t which)
{
    if (page->results->from.class_names)
        dcpn_cli_page_text(page, page->results->from.class_names[which]);
    else
        dcpn_cli_page_number(page, page->paths->labels.numbers[which], 10);
}

int64_t dcpn_cli_page_unconverged(const struct page *page)
{
    int64_t count = 0;
    for (int64_t i = 0; i < page->path->count; i++) count += !dcpn_has_converged(page->path->points[i].fit.outcome);
    return count;
}

void dcpn_cli_page_begin_section(const struct page *page, const char *id, const char *heading)
{
    fprintf(page->out, "<section class=\"long\" aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, heading);
}

void dcpn_cli_page_end_table(const struct page *page)
{
    fputs("</tbody>\n</table>\n", page->out);
}

void dcpn_cli_page_cell(const struct page *page, double value, int digits)
{
    fputs("<td class=\"number\">", page->out);
    dcpn_cli_page_number(page, value, digits);
    fputs("</td>", page->out);
}

/* A name may break behind its signs; only one with a piece that is too long for a phone may break anywhere. */
void dcpn_cli_page_name(const struct page *page, const char *name)
{
    static const char signs[] = "=_.:/-, ";
    size_t longest = 0;
    for (const char *rest = name; *rest;) {
        size_t piece = strcspn(rest, signs) + 1;
        if (piece > longest) longest = piece;
        rest += piece - (rest[piece - 1] == '\0');
    }
    fputs(longest > LONG_PIECE ? "<th scope=\"row\" class=\"long-name\">" : "<th scope=\"row\">", page->out);
    for (const char *rest = name; *rest;) {
        size_t piece = strcspn(rest, signs);
        piece += rest[piece] != '\0';
        dcpn_figure_text_print(page->out, rest, piece);
        rest += piece;
        if (*rest) fputs("<wbr>", page->out);
    }
    fputs("</th>", page->out);
}
