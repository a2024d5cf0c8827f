/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of a page share: texts, numbers, names of classes. */
#include "page.h"

#include "plot/text.h"

#include <math.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"

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
