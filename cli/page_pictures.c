/* SPDX-License-Identifier: BSD-3-Clause */
/* The figures of a report within its page: each as wide as the screen wants it, and its numbers for the script. */
#include "page.h"

#include <math.h>
#include <string.h>

#define LAMBDA "\xCE\xBB"

enum { WIDE = 864, WIDE_PLOT = 380, NARROW = 360, NARROW_PLOT = 300, SMALL = 360, SMALL_PLOT = 200 };

/* ---- The numbers, as JSON that no text can end ---- */

static void print_json_text(const struct page *page, const char *text)
{
    fputc('"', page->out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c < 0x20 || strchr("\"\\<>&", *c))
            fprintf(page->out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, page->out);
    }
    fputc('"', page->out);
}

static void print_json_numbers(const struct page *page, const char *key, const double *numbers, size_t count)
{
    fprintf(page->out, "\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            fprintf(page->out, "%s%.5g", i ? "," : "", numbers[i]);
        else
            fprintf(page->out, "%snull", i ? "," : "");
    fputc(']', page->out);
}

/* Most figures have one x for all their series. */
static const double *shared_x(const struct figure *figure)
{
    for (size_t i = 1; i < figure->series_count; i++)
        if (figure->series[i].x != figure->series[0].x) return NULL;
    return figure->series_count ? figure->series[0].x : NULL;
}

static void print_series(const struct page *page, const struct figure_series *series, int with_x)
{
    fputs("{\"name\":", page->out);
    print_json_text(page, series->name);
    fputc(',', page->out);
    if (with_x) print_json_numbers(page, "x", series->x, series->count), fputc(',', page->out);
    print_json_numbers(page, "y", series->y, series->count);
    if (series->deviation) fputc(',', page->out), print_json_numbers(page, "bar", series->deviation, series->count);
    fputc('}', page->out);
}

static void print_numbers(const struct page *page, const struct figure *figure)
{
    const double *x = shared_x(figure);
    fputs("<script type=\"application/json\" class=\"figure-data\">{\"xLabel\":", page->out);
    print_json_text(page, figure->x_label);
    fputs(",\"yLabel\":", page->out);
    print_json_text(page, figure->y_label);
    fputc(',', page->out);
    if (x) print_json_numbers(page, "x", x, figure->series[0].count), fputc(',', page->out);
    fputs("\"series\":[", page->out);
    for (size_t i = 0; i < figure->series_count; i++) {
        if (i) fputc(',', page->out);
        print_series(page, &figure->series[i], !x);
    }
    fputs("]}</script>\n", page->out);
}

/* ---- The figures ---- */

static void draw(const struct page *page, const struct figure *figure, int width, int plot_height)
{
    struct figure sized = *figure;
    sized.width = width;
    sized.plot_height = plot_height;
    sized.is_part = 1;
    dcpn_figure_draw(page->out, &sized);
}

static void print_picture(const struct page *page, const struct picture *picture)
{
    fprintf(page->out, "<figure id=\"figure-%s\">\n", picture->id);
    if (picture->is_small) {
        fputs("<h3>", page->out);
        dcpn_cli_page_text(page, picture->figure.title);
        fputs("</h3>\n", page->out);
        draw(page, &picture->figure, SMALL, SMALL_PLOT);
    } else {
        fputs("<div class=\"wide\">\n", page->out);
        draw(page, &picture->figure, WIDE, WIDE_PLOT);
        fputs("</div>\n<div class=\"narrow\">\n", page->out);
        draw(page, &picture->figure, NARROW, NARROW_PLOT);
        fputs("</div>\n", page->out);
    }
    print_numbers(page, &picture->figure);
    fputs("<figcaption>", page->out);
    dcpn_cli_page_text(page, picture->caption);
    fputs("</figcaption>\n</figure>\n", page->out);
}

/* Is the picture folded away? A reader looks at how a fit was computed only if something is wrong with it. */
static int is_folded(const struct picture *picture)
{
    return strcmp(picture->heading, "Convergence") == 0;
}

static void begin_convergence(const struct page *page)
{
    int64_t strangers = dcpn_cli_page_unconverged(page);
    if (strangers)
        fprintf(page->out, "<details open>\n<summary>%lld of %lld fits did not converge</summary>\n",
                (long long)strangers, (long long)page->path->count);
    else
        fprintf(page->out, "<details>\n<summary>%s converged: passes, iterations and time</summary>\n",
                page->path->count > 1 ? "All fits of the path" : "The fit");
    if (page->point->is_locally_convex == 0)
        fputs("<p>At the chosen " LAMBDA " the objective is not convex on the features in use: the model is a minimum "
              "near by, and another one may be lower. <code>--global path+drop</code> looks further at every " LAMBDA
              ".</p>\n",
              page->out);
}

static void begin_section(const struct page *page, const struct picture *picture)
{
    fprintf(page->out, "<section aria-labelledby=\"section-%s\">\n<h2 id=\"section-%s\">", picture->id, picture->id);
    dcpn_cli_page_text(page, picture->heading);
    fputs("</h2>\n", page->out);
    if (strcmp(picture->id, "roc") == 0) dcpn_cli_page_confusion(page);
    if (strcmp(picture->id, "cross-validation") == 0) dcpn_cli_page_measures(page);
    if (is_folded(picture)) begin_convergence(page);
    if (picture->is_small) fputs("<div class=\"grid\">\n", page->out);
}

static void end_section(const struct page *page, const struct picture *first)
{
    if (first->is_small) fputs("</div>\n", page->out);
    if (is_folded(first)) fputs("</details>\n", page->out);
    fputs("</section>\n", page->out);
}

void dcpn_cli_page_pictures(const struct page *page)
{
    const struct album *album = page->album;
    const struct picture *first = NULL;
    for (size_t i = 0; i < album->count; i++) {
        const struct picture *picture = &album->pictures[i];
        if (picture->heading) {
            if (first) end_section(page, first);
            begin_section(page, picture);
            first = picture;
        }
        print_picture(page, picture);
    }
    if (first) end_section(page, first);
}
