/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts as SVG: title, plot and legend from top to bottom, each as high as its texts need. */
#include "figure.h"

#include "drawing.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 820, PLOT_HEIGHT = 360, MARK_ROW = 18 };

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

/* ---- Where things are ---- */

static double title_width(const struct drawing *drawing)
{
    return (drawing->width - 2.0 * DCPN_FIGURE_MARGIN) / (1.1 * DCPN_FIGURE_TITLE_FONT); /* bold letters are wider */
}

/* Arranges the title, the label of y, and the second scale with its label, which stands beside that of y if both
 * fit. */
static void arrange_top(struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    size_t title_lines =
        figure->is_part ? 0 : dcpn_figure_text_lines(text_or_empty(figure->title), title_width(drawing));
    double y_label = dcpn_figure_pixels(text_or_empty(figure->y_label), DCPN_FIGURE_FONT);
    double top_label = dcpn_figure_pixels(text_or_empty(figure->top.label), DCPN_FIGURE_FONT);
    int shares_row = y_label + top_label + 3.0 * DCPN_FIGURE_MARGIN < drawing->width;
    double at = title_lines ? 0.5 * DCPN_FIGURE_MARGIN + (DCPN_FIGURE_TITLE_FONT + 6.0) * (double)title_lines : 0.0;
    drawing->label_baseline = at + DCPN_FIGURE_ROW - 3.0;
    at += y_label > 0.0 || figure->top.count ? DCPN_FIGURE_ROW + 4.0 : 8.0;
    if (figure->top.count) at += DCPN_FIGURE_ROW + (shares_row ? 0.0 : DCPN_FIGURE_ROW);
    drawing->top = at + 2.0;
    drawing->bottom = drawing->top + drawing->plot_height;
}

static void arrange_sides(struct drawing *drawing)
{
    double widest = 0.0, names = dcpn_figure_names_width(drawing);
    for (size_t i = 0; i < drawing->y.tick_count; i++)
        widest = fmax(widest, dcpn_figure_tick_width(&drawing->y.ticks[i]));
    drawing->left = DCPN_FIGURE_MARGIN / 2.0 + widest + DCPN_FIGURE_TICK + 4.0;
    drawing->names_at_ends = drawing->figure->names_at_ends && names <= 0.28 * drawing->width;
    drawing->right = drawing->width - (drawing->names_at_ends ? names : DCPN_FIGURE_MARGIN + 8.0);
}

static void arrange(struct drawing *drawing)
{
    arrange_top(drawing);
    arrange_sides(drawing);
    drawing->legend_top = drawing->bottom + DCPN_FIGURE_TICK + 2.0 * DCPN_FIGURE_ROW + DCPN_FIGURE_MARGIN + 6.0;
    dcpn_figure_arrange_legend(drawing);
}

/* Leaves room at the top of the plot for the labels of marks, which stand in rows of their own. */
static void make_headroom(struct drawing *drawing)
{
    double share = MARK_ROW * ((double)drawing->figure->mark_count + 0.3) / drawing->plot_height;
    if (drawing->figure->mark_count && share < 0.5) dcpn_figure_axis_raise(&drawing->y, share);
}

static void choose_axes(struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    dcpn_figure_axis_begin(&drawing->x, figure->x_log);
    dcpn_figure_axis_begin(&drawing->y, figure->y_log);
    for (size_t i = 0; i < figure->series_count; i++) dcpn_figure_include(drawing, &figure->series[i]);
    for (size_t i = 0; i < figure->level_count; i++) dcpn_figure_axis_include(&drawing->y, figure->levels[i].at);
    make_headroom(drawing);
    dcpn_figure_axis_finish(&drawing->x, (int)fmax(3.0, drawing->width / 80.0));
    dcpn_figure_axis_finish(&drawing->y, (int)fmax(3.0, drawing->plot_height / 45.0));
}

/* Removes labels that would touch the one before them. */
static void thin_labels(struct drawing *drawing)
{
    double taken_until = -1e9;
    for (size_t n = 0; n < drawing->x.tick_count; n++) {
        size_t i = drawing->figure->x_falling ? drawing->x.tick_count - 1 - n : n;
        struct figure_tick *tick = &drawing->x.ticks[i];
        double half = dcpn_figure_tick_width(tick) / 2.0, at = dcpn_figure_across(drawing, tick->value);
        if (!tick->label[0]) continue;
        if (at - half < taken_until + 8.0 || at + half > drawing->width)
            tick->label[0] = tick->exponent[0] = '\0';
        else
            taken_until = at + half;
    }
}

static void draw_title(const struct drawing *drawing)
{
    const char *title = text_or_empty(drawing->figure->title);
    if (!*title || drawing->figure->is_part) return;
    fputs("<text class=\"title\">", drawing->out);
    dcpn_figure_draw_lines(drawing, title, title_width(drawing), DCPN_FIGURE_MARGIN / 2.0, DCPN_FIGURE_TITLE_FONT + 8.0,
                           DCPN_FIGURE_TITLE_FONT + 6.0);
    fputs("</text>\n", drawing->out);
}

/* ---- The whole ---- */

static void draw_plot(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    for (int is_faint = 1; is_faint >= 0; is_faint--)
        for (size_t i = 0; i < figure->series_count; i++)
            if ((figure->series[i].look == DCPN_FIGURE_FAINT) == is_faint) dcpn_figure_draw_series(drawing, i);
    if (drawing->x.is_empty)
        fprintf(drawing->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">no data</text>\n",
                (drawing->left + drawing->right) / 2.0, (drawing->top + drawing->bottom) / 2.0);
}

static void describe_series(const struct drawing *drawing, const struct figure_series *series)
{
    size_t first = 0, last = series->count;
    if (series->look == DCPN_FIGURE_FAINT) return;
    dcpn_figure_print_text(drawing, *series->name ? series->name : text_or_empty(drawing->figure->y_label));
    while (first < series->count && !dcpn_figure_has_place(drawing, series, first)) first++;
    while (last > first && !dcpn_figure_has_place(drawing, series, last - 1)) last--;
    if (first == last)
        fputs(": no data. ", drawing->out);
    else
        fprintf(drawing->out, ": %zu points, from (%.4g, %.4g) to (%.4g, %.4g). ",
                dcpn_figure_shown_points(drawing, series), series->x[first], series->y[first], series->x[last - 1],
                series->y[last - 1]);
}

static void describe(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    fputs("<title>", drawing->out);
    dcpn_figure_print_text(drawing, text_or_empty(figure->title));
    fputs("</title>\n<desc>", drawing->out);
    if (figure->description) {
        dcpn_figure_print_text(drawing, figure->description);
    } else {
        fputs("Line chart of ", drawing->out);
        dcpn_figure_print_text(drawing, text_or_empty(figure->y_label));
        fputs(" against ", drawing->out);
        dcpn_figure_print_text(drawing, text_or_empty(figure->x_label));
        fputs(". ", drawing->out);
        for (size_t i = 0; i < figure->series_count; i++) describe_series(drawing, &figure->series[i]);
    }
    fputs("</desc>\n", drawing->out);
}

/* For the script of a page: what stands at the edges of the plot, in the units of the axes and in pixels. */
static void begin_svg(const struct drawing *drawing)
{
    const struct figure_axis *x = &drawing->x, *y = &drawing->y;
    int falls = drawing->figure->x_falling;
    fprintf(drawing->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dcpn-figure\" role=\"img\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\"",
            drawing->width, drawing->height, drawing->width, drawing->height);
    if (drawing->figure->is_part)
        fprintf(drawing->out, " data-x=\"%d %.17g %.17g %.1f %.1f\" data-y=\"%d %.17g %.17g %.1f %.1f\"", x->is_log,
                falls ? x->high : x->low, falls ? x->low : x->high, drawing->left, drawing->right, y->is_log, y->low,
                y->high, drawing->bottom, drawing->top);
    fputs(">\n", drawing->out);
}

void dcpn_figure_draw(FILE *stream, const struct figure *figure)
{
    struct drawing drawing = {.out = stream, .figure = figure};
    drawing.width = figure->width ? figure->width : WIDTH;
    drawing.plot_height = figure->plot_height ? figure->plot_height : PLOT_HEIGHT;
    choose_axes(&drawing);
    arrange(&drawing);
    thin_labels(&drawing);
    begin_svg(&drawing);
    describe(&drawing);
    if (!figure->is_part) fprintf(stream, "<style>%s</style>\n", dcpn_figure_style);
    fprintf(stream, "<rect class=\"page\" width=\"%.0f\" height=\"%.0f\"/>\n", drawing.width, drawing.height);
    draw_title(&drawing);
    dcpn_figure_draw_frame(&drawing);
    draw_plot(&drawing);
    dcpn_figure_draw_marks(&drawing);
    dcpn_figure_draw_legend(&drawing);
    fputs("</svg>\n", stream);
}

dcpn_status dcpn_figure_write(dcpn_context *context, const char *path, const struct figure *figure)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int is_whole = stream != NULL;
    if (stream) {
        dcpn_figure_draw(stream, figure);
        is_whole = !ferror(stream);
        is_whole &= fclose(stream) == 0;
    }
    dcpn_status status = dcpn_write_text(context, path, is_whole ? text : NULL, length);
    free(text);
    return status;
}
