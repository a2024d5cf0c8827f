/* SPDX-License-Identifier: BSD-3-Clause */
/* The series of a figure: lines, error bars and markers. */
#include "figure_drawing.h"

#include <math.h>

enum {
    FEW_POINTS = 30, /* all of them get a marker */
    MARKER_EVERY = 70
};

#define NEARBY 0.6 /* points nearer than this to the last one drawn are not seen */

static const char *const dashes[] = {"", "9 4", "2 3", "11 4 2 4"};

/* Paths around the point where they are drawn; every second one is open. */
static const char *const markers[DCPN_FIGURE_COLOURS] = {
    "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
    "m-3.3-3.3h6.6v6.6h-6.6z",
    "m0-4.4l4.2 7.3h-8.4z",
    "m0-4.6l4.6 4.6-4.6 4.6-4.6-4.6z",
    "m-3.5-3.5l7 7m0-7l-7 7",
    "m0-4.6v9.2m-4.6-4.6h9.2",
    "m0 4.4l-4.2-7.3h8.4z",
};

int dcpn_figure_has_place(const struct drawing *drawing, const struct figure_series *series, size_t i)
{
    return dcpn_figure_axis_takes(&drawing->x, series->x[i]) && dcpn_figure_axis_takes(&drawing->y, series->y[i]);
}

static double bar_below(const struct drawing *drawing, const struct figure_series *series, size_t i)
{
    double end = series->y[i] - fabs(series->deviation[i]);
    return drawing->y.is_log ? fmax(end, 0.1 * series->y[i]) : end;
}

static int has_bar(const struct figure_series *series, size_t i)
{
    return series->deviation && isfinite(series->deviation[i]) && fabs(series->deviation[i]) > 0.0;
}

void dcpn_figure_include(struct drawing *drawing, const struct figure_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i)) continue;
        dcpn_figure_axis_include(&drawing->x, series->x[i]);
        dcpn_figure_axis_include(&drawing->y, series->y[i]);
        if (!has_bar(series, i)) continue;
        dcpn_figure_axis_include(&drawing->y, bar_below(drawing, series, i));
        dcpn_figure_axis_include(&drawing->y, series->y[i] + fabs(series->deviation[i]));
    }
}

double dcpn_figure_across(const struct drawing *drawing, double x)
{
    return drawing->left + (drawing->right - drawing->left) * dcpn_figure_axis_share(&drawing->x, x);
}

double dcpn_figure_down(const struct drawing *drawing, double y)
{
    double at = drawing->bottom - DCPN_FIGURE_PLOT_HEIGHT * dcpn_figure_axis_share(&drawing->y, y);
    return fmin(fmax(at, drawing->top), drawing->bottom);
}

void dcpn_figure_draw_marker(const struct drawing *drawing, size_t index, double x, double y)
{
    fprintf(drawing->out, "<path class=\"mark%s\" d=\"M%.1f %.1f%s\"/>\n", index % 2 ? " open" : "", x, y,
            markers[index % DCPN_FIGURE_COLOURS]);
}

void dcpn_figure_begin_line(const struct drawing *drawing, size_t index)
{
    const char *pattern = dashes[index % (sizeof dashes / sizeof dashes[0])];
    fprintf(drawing->out, "<path class=\"line\"%s%s%s d=\"", *pattern ? " stroke-dasharray=\"" : "", pattern,
            *pattern ? "\"" : "");
}

static void draw_line(const struct drawing *drawing, const struct figure_series *series, size_t index)
{
    double last_x = -1e9, last_y = -1e9, x = 0.0, y = 0.0;
    char command = 'M';
    dcpn_figure_begin_line(drawing, index);
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i)) continue;
        x = dcpn_figure_across(drawing, series->x[i]);
        y = dcpn_figure_down(drawing, series->y[i]);
        if (fabs(x - last_x) < NEARBY && fabs(y - last_y) < NEARBY) continue;
        fprintf(drawing->out, "%c%.1f %.1f", command, x, y);
        command = 'L';
        last_x = x;
        last_y = y;
    }
    if (command == 'L') fprintf(drawing->out, "L%.1f %.1f", x, y);
    fputs("\"/>\n", drawing->out);
}

static void draw_bars(const struct drawing *drawing, const struct figure_series *series)
{
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i) || !has_bar(series, i)) continue;
        double x = dcpn_figure_across(drawing, series->x[i]);
        double low = dcpn_figure_down(drawing, bar_below(drawing, series, i));
        double high = dcpn_figure_down(drawing, series->y[i] + fabs(series->deviation[i]));
        fprintf(drawing->out, "<path class=\"bar\" d=\"M%.1f %.1fh8m-4 0V%.1fm-4 0h8\"/>\n", x - 4.0, low, high);
    }
}

/* At every point if there are few, else along the line; at the last one in any case. */
static void draw_markers(const struct drawing *drawing, const struct figure_series *series, size_t index)
{
    double apart = series->count <= FEW_POINTS ? 0.0 : MARKER_EVERY, travelled = apart, last_x = 0.0, last_y = 0.0;
    size_t seen = 0;
    int is_marked = 1;
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i)) continue;
        double x = dcpn_figure_across(drawing, series->x[i]), y = dcpn_figure_down(drawing, series->y[i]);
        if (seen++) travelled += hypot(x - last_x, y - last_y);
        last_x = x;
        last_y = y;
        is_marked = travelled >= apart;
        if (!is_marked) continue;
        dcpn_figure_draw_marker(drawing, index, x, y);
        travelled = 0.0;
    }
    if (!is_marked) dcpn_figure_draw_marker(drawing, index, last_x, last_y);
}

void dcpn_figure_draw_series(const struct drawing *drawing, size_t index)
{
    const struct figure_series *series = &drawing->figure->series[index];
    fprintf(drawing->out, "<g class=\"c%zu\">\n", index % DCPN_FIGURE_COLOURS);
    draw_line(drawing, series, index);
    draw_bars(drawing, series);
    draw_markers(drawing, series, index);
    fputs("</g>\n", drawing->out);
}
