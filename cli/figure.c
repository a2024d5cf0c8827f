/* SPDX-License-Identifier: BSD-3-Clause */
/* Line charts as SVG: title, plot and legend from top to bottom, each as high as its texts need. */
#include "figure.h"

#include "figure_drawing.h"
#include "figure_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 820,
    MARGIN = 16,
    FONT = 13,
    TITLE_FONT = 16,
    LINE = 20,
    SAMPLE = 46, /* of a line in the legend, with the gap behind it */
    TICK = 5
};

/* Told apart also by those who see few colours: neighbours differ in lightness, and each has its own marker. */
static const char style[] =
    ".dcpn-figure{font-family:system-ui,'Helvetica Neue',Arial,sans-serif;font-size:13px;fill:#1a1a1a}"
    ".dcpn-figure .page{fill:#fff}.dcpn-figure .title{font-size:16px;font-weight:600}"
    ".dcpn-figure .grid{stroke:#e3e3e3}.dcpn-figure .small{stroke:#f1f1f1}.dcpn-figure .frame{stroke:#8a8a8a;fill:none}"
    ".dcpn-figure .line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}"
    ".dcpn-figure .bar{fill:none;stroke:currentColor;stroke-width:1.2}"
    ".dcpn-figure .mark{fill:currentColor;stroke:currentColor;stroke-width:1.6}.dcpn-figure .open{fill:#fff}"
    ".dcpn-figure .up{font-size:10px}"
    ".dcpn-figure .c0{color:#0068a8}.dcpn-figure .c1{color:#c8500a}.dcpn-figure .c2{color:#00835f}"
    ".dcpn-figure .c3{color:#a8327a}.dcpn-figure .c4{color:#8a6a00}.dcpn-figure .c5{color:#333}"
    ".dcpn-figure .c6{color:#6a50c8}"
    "@media (prefers-color-scheme:dark){.dcpn-figure{fill:#e8e8e8}.dcpn-figure .page,.dcpn-figure .open{fill:#15171c}"
    ".dcpn-figure .grid{stroke:#33363d}.dcpn-figure .small{stroke:#24262c}.dcpn-figure .frame{stroke:#80848c}"
    ".dcpn-figure .c0{color:#5cb8f0}.dcpn-figure .c1{color:#ff9152}.dcpn-figure .c2{color:#35cfa2}"
    ".dcpn-figure .c3{color:#f08fcb}.dcpn-figure .c4{color:#ecd54a}.dcpn-figure .c5{color:#f4f4f4}"
    ".dcpn-figure .c6{color:#ab9cff}}";

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static double pixels(const char *text, double font)
{
    return font * dcpn_figure_text_width(text, strlen(text));
}

static double label_width(const struct figure_tick *tick)
{
    return pixels(tick->label, FONT) + pixels(tick->exponent, 10.0);
}

/* ---- Where things are ---- */

static double legend_room(const struct drawing *drawing)
{
    return (WIDTH - 2.0 * MARGIN) / (double)drawing->columns - SAMPLE - MARGIN;
}

static size_t legend_lines(const struct drawing *drawing, size_t index)
{
    return dcpn_figure_text_lines(drawing->figure->series[index].name, legend_room(drawing) / FONT);
}

/* The lines of the row of the legend that begins with the series at first. */
static size_t row_lines(const struct drawing *drawing, size_t first)
{
    size_t most = 1;
    for (size_t i = first; i < first + drawing->columns && i < drawing->figure->series_count; i++)
        if (legend_lines(drawing, i) > most) most = legend_lines(drawing, i);
    return most;
}

/* As many columns as the longest name allows. */
static void arrange_legend(struct drawing *drawing)
{
    double longest = 80.0;
    for (size_t i = 0; i < drawing->figure->series_count; i++)
        longest = fmax(longest, pixels(drawing->figure->series[i].name, FONT));
    drawing->columns = (size_t)fmax(1.0, floor((WIDTH - 2.0 * MARGIN) / (longest + SAMPLE + MARGIN)));
    drawing->height = drawing->legend_top;
    for (size_t i = 0; i < drawing->figure->series_count; i += drawing->columns)
        drawing->height += LINE * (double)row_lines(drawing, i);
    drawing->height += MARGIN / 2.0;
}

static double title_width(void)
{
    return (WIDTH - 2.0 * MARGIN) / (1.1 * TITLE_FONT); /* bold letters are wider */
}

static void arrange(struct drawing *drawing)
{
    double widest = 0.0;
    for (size_t i = 0; i < drawing->y.tick_count; i++) widest = fmax(widest, label_width(&drawing->y.ticks[i]));
    size_t title_lines = dcpn_figure_text_lines(text_or_empty(drawing->figure->title), title_width());
    drawing->top = 1.5 * MARGIN + (TITLE_FONT + 6.0) * (double)title_lines;
    drawing->bottom = drawing->top + DCPN_FIGURE_PLOT_HEIGHT;
    drawing->left = MARGIN + LINE + widest + TICK + 4.0;
    drawing->right = WIDTH - MARGIN - 8.0;
    drawing->legend_top = drawing->bottom + TICK + 2.0 * LINE + MARGIN + 6.0;
    arrange_legend(drawing);
}

static void choose_axes(struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    dcpn_figure_axis_begin(&drawing->x, figure->x_log);
    dcpn_figure_axis_begin(&drawing->y, figure->y_log);
    for (size_t i = 0; i < figure->series_count; i++) dcpn_figure_include(drawing, &figure->series[i]);
    dcpn_figure_axis_finish(&drawing->x, 8);
    dcpn_figure_axis_finish(&drawing->y, 8);
}

/* ---- Texts ---- */

static void print_text(const struct drawing *drawing, const char *text)
{
    dcpn_figure_text_print(drawing->out, text, strlen(text));
}

/* Smaller if it would not fit into the room. */
static void draw_axis_label(const struct drawing *drawing, const char *text, double room, const char *place)
{
    if (!text || !*text) return;
    double font = fmin(FONT, FONT * room / pixels(text, FONT));
    fprintf(drawing->out, "<text %s text-anchor=\"middle\" style=\"font-size:%.1fpx\">", place, font);
    print_text(drawing, text);
    fputs("</text>\n", drawing->out);
}

static void draw_axis_labels(const struct drawing *drawing)
{
    char place[120];
    double middle = (drawing->top + drawing->bottom) / 2.0;
    snprintf(place, sizeof place, "x=\"%.1f\" y=\"%.1f\"", (drawing->left + drawing->right) / 2.0,
             drawing->bottom + TICK + 2.0 * LINE - 2.0);
    draw_axis_label(drawing, drawing->figure->x_label, drawing->right - drawing->left, place);
    snprintf(place, sizeof place, "transform=\"translate(%d %.1f) rotate(-90)\"", MARGIN + FONT, middle);
    draw_axis_label(drawing, drawing->figure->y_label, DCPN_FIGURE_PLOT_HEIGHT, place);
}

/* Lines of text below each other from the baseline y on. */
static void draw_lines(const struct drawing *drawing, const char *text, double width, double x, double y, double step)
{
    for (size_t length; *text; text += length, text += strspn(text, " "), y += step) {
        length = dcpn_figure_text_line(text, width);
        fprintf(drawing->out, "<tspan x=\"%.1f\" y=\"%.1f\">", x, y);
        dcpn_figure_text_print(drawing->out, text, length);
        fputs("</tspan>", drawing->out);
    }
}

static void draw_title(const struct drawing *drawing)
{
    const char *title = text_or_empty(drawing->figure->title);
    if (!*title) return;
    fputs("<text class=\"title\">", drawing->out);
    draw_lines(drawing, title, title_width(), MARGIN, MARGIN + TITLE_FONT, TITLE_FONT + 6.0);
    fputs("</text>\n", drawing->out);
}

/* ---- Axes ---- */

static void draw_tick_label(const struct drawing *drawing, const struct figure_tick *tick, double x, double y,
                            const char *anchor)
{
    fprintf(drawing->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s", x, y, anchor, tick->label);
    if (tick->exponent[0]) fprintf(drawing->out, "<tspan class=\"up\" dy=\"-5\">%s</tspan>", tick->exponent);
    fputs("</text>\n", drawing->out);
}

static void draw_grid_line(const struct drawing *drawing, const struct figure_tick *tick, double x1, double y1,
                           double x2, double y2)
{
    fprintf(drawing->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", tick->label[0] ? "grid" : "small", x1,
            y1, x2, y2);
}

static void draw_x_tick(const struct drawing *drawing, const struct figure_tick *tick)
{
    double x = dcpn_figure_across(drawing, tick->value);
    draw_grid_line(drawing, tick, x, drawing->top, x, drawing->bottom + (tick->label[0] ? TICK : 0));
    if (tick->label[0]) draw_tick_label(drawing, tick, x, drawing->bottom + TICK + FONT + 2.0, "middle");
}

static void draw_y_tick(const struct drawing *drawing, const struct figure_tick *tick)
{
    double y = dcpn_figure_down(drawing, tick->value);
    draw_grid_line(drawing, tick, drawing->left - (tick->label[0] ? TICK : 0), y, drawing->right, y);
    if (tick->label[0]) draw_tick_label(drawing, tick, drawing->left - TICK - 4.0, y + 4.5, "end");
}

static void draw_axes(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->x.tick_count; i++) draw_x_tick(drawing, &drawing->x.ticks[i]);
    for (size_t i = 0; i < drawing->y.tick_count; i++) draw_y_tick(drawing, &drawing->y.ticks[i]);
    fprintf(drawing->out, "<rect class=\"frame\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", drawing->left,
            drawing->top, drawing->right - drawing->left, DCPN_FIGURE_PLOT_HEIGHT);
    draw_axis_labels(drawing);
}

/* ---- Series and legend ---- */

static void draw_plot(const struct drawing *drawing)
{
    for (size_t i = 0; i < drawing->figure->series_count; i++) dcpn_figure_draw_series(drawing, i);
    if (drawing->x.is_empty)
        fprintf(drawing->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">no data</text>\n",
                (drawing->left + drawing->right) / 2.0, (drawing->top + drawing->bottom) / 2.0);
}

static size_t shown_points(const struct drawing *drawing, const struct figure_series *series)
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) count += dcpn_figure_has_place(drawing, series, i) != 0;
    return count;
}

static void draw_legend_entry(const struct drawing *drawing, size_t index, double x, double y)
{
    const struct figure_series *series = &drawing->figure->series[index];
    fprintf(drawing->out, "<g class=\"c%zu\">", index % DCPN_FIGURE_COLOURS);
    dcpn_figure_begin_line(drawing, index);
    fprintf(drawing->out, "M%.1f %.1fh%d\"/>", x, y - 4.5, SAMPLE - 10);
    dcpn_figure_draw_marker(drawing, index, x + (SAMPLE - 10) / 2.0, y - 4.5);
    fputs("</g><text>", drawing->out);
    draw_lines(drawing, series->name, legend_room(drawing) / FONT, x + SAMPLE, y, LINE);
    if (!shown_points(drawing, series)) fputs(" (no data)", drawing->out);
    fputs("</text>\n", drawing->out);
}

static void draw_legend(const struct drawing *drawing)
{
    double y = drawing->legend_top;
    for (size_t first = 0; first < drawing->figure->series_count; first += drawing->columns) {
        for (size_t i = first; i < first + drawing->columns && i < drawing->figure->series_count; i++)
            draw_legend_entry(drawing, i, MARGIN + (double)(i - first) * (legend_room(drawing) + SAMPLE + MARGIN), y);
        y += LINE * (double)row_lines(drawing, first);
    }
}

static void describe_series(const struct drawing *drawing, const struct figure_series *series)
{
    size_t first = 0, last = series->count;
    print_text(drawing, series->name);
    while (first < series->count && !dcpn_figure_has_place(drawing, series, first)) first++;
    while (last > first && !dcpn_figure_has_place(drawing, series, last - 1)) last--;
    if (first == last)
        fputs(": no data. ", drawing->out);
    else
        fprintf(drawing->out, ": %zu points, from (%.4g, %.4g) to (%.4g, %.4g). ", shown_points(drawing, series),
                series->x[first], series->y[first], series->x[last - 1], series->y[last - 1]);
}

static void describe(const struct drawing *drawing)
{
    const struct figure *figure = drawing->figure;
    fputs("<title>", drawing->out);
    print_text(drawing, text_or_empty(figure->title));
    fputs("</title>\n<desc>", drawing->out);
    if (figure->description) {
        print_text(drawing, figure->description);
    } else {
        fputs("Line chart of ", drawing->out);
        print_text(drawing, text_or_empty(figure->y_label));
        fputs(" against ", drawing->out);
        print_text(drawing, text_or_empty(figure->x_label));
        fputs(". ", drawing->out);
        for (size_t i = 0; i < figure->series_count; i++) describe_series(drawing, &figure->series[i]);
    }
    fputs("</desc>\n", drawing->out);
}

void dcpn_figure_draw(FILE *stream, const struct figure *figure)
{
    struct drawing drawing = {.out = stream, .figure = figure};
    choose_axes(&drawing);
    arrange(&drawing);
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dcpn-figure\" role=\"img\" width=\"%d\" height=\"%.0f\" "
            "viewBox=\"0 0 %d %.0f\">\n",
            WIDTH, drawing.height, WIDTH, drawing.height);
    describe(&drawing);
    fprintf(stream, "<style>%s</style>\n<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n", style, WIDTH,
            drawing.height);
    draw_title(&drawing);
    draw_axes(&drawing);
    draw_plot(&drawing);
    draw_legend(&drawing);
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
