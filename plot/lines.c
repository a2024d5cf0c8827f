/* SPDX-License-Identifier: BSD-3-Clause */
/* The series of a figure: lines, error bars and markers. */
#include "drawing.h"

#include <math.h>

enum {
    FEW_POINTS = 30, /* all of them get a marker */
    MARKER_EVERY = 70,
    CAP = 8 /* of an error bar; narrower where they are many */
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

size_t dcpn_figure_shown_points(const struct drawing *drawing, const struct figure_series *series)
{
    size_t count = 0;
    for (size_t i = 0; i < series->count; i++) count += dcpn_figure_has_place(drawing, series, i) != 0;
    return count;
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
    double share = dcpn_figure_axis_share(&drawing->x, x);
    return drawing->left + (drawing->right - drawing->left) * (drawing->figure->x_falling ? 1.0 - share : share);
}

double dcpn_figure_down(const struct drawing *drawing, double y)
{
    double at = drawing->bottom - drawing->plot_height * dcpn_figure_axis_share(&drawing->y, y);
    return fmin(fmax(at, drawing->top), drawing->bottom);
}

/* ---- What a pointer finds ---- */

static void print_labelled(const struct drawing *drawing, const char *label, double value)
{
    if (label && *label) dcpn_figure_print_text(drawing, label);
    fprintf(drawing->out, "%s%.4g", label && *label ? " " : "", value);
}

static void draw_point_title(const struct drawing *drawing, const struct figure_series *series, size_t i)
{
    fputs("<title>", drawing->out);
    if (*series->name) {
        dcpn_figure_print_text(drawing, series->name);
        fputs(": ", drawing->out);
    }
    print_labelled(drawing, drawing->figure->y_label, series->y[i]);
    if (has_bar(series, i)) fprintf(drawing->out, " \xC2\xB1 %.2g", fabs(series->deviation[i]));
    fputs(", ", drawing->out);
    print_labelled(drawing, drawing->figure->x_label, series->x[i]);
    fputs("</title>", drawing->out);
}

static void draw_line_title(const struct drawing *drawing, const struct figure_series *series)
{
    size_t last = series->count;
    while (last > 0 && !dcpn_figure_has_place(drawing, series, last - 1)) last--;
    if (last) draw_point_title(drawing, series, last - 1);
}

/* ---- Lines and markers ---- */

void dcpn_figure_draw_marker(const struct drawing *drawing, size_t index, double x, double y)
{
    enum figure_look look = drawing->figure->series[index].look;
    if (look == DCPN_FIGURE_DOTS)
        fprintf(drawing->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>", x, y);
    else if (look == DCPN_FIGURE_LINE)
        fprintf(drawing->out, "<path class=\"mark%s\" d=\"M%.1f %.1f%s\"/>\n", index % 2 ? " open" : "", x, y,
                markers[index % DCPN_FIGURE_COLOURS]);
}

void dcpn_figure_begin_line(const struct drawing *drawing, size_t index)
{
    enum figure_look look = drawing->figure->series[index].look;
    const char *pattern = look == DCPN_FIGURE_LINE ? dashes[index % (sizeof dashes / sizeof dashes[0])] : "";
    fprintf(drawing->out, "<path class=\"%s\"%s%s%s d=\"",
            look == DCPN_FIGURE_FAINT  ? "faint"
            : look == DCPN_FIGURE_DOTS ? "line thin"
                                       : "line",
            *pattern ? " stroke-dasharray=\"" : "", pattern, *pattern ? "\"" : "");
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
    fputs("\">", drawing->out);
    draw_line_title(drawing, series);
    fputs("</path>\n", drawing->out);
}

static void draw_bars(const struct drawing *drawing, const struct figure_series *series)
{
    double cap = fmin(CAP, 0.6 * (drawing->right - drawing->left) / (double)(series->count + 1));
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i) || !has_bar(series, i)) continue;
        double x = dcpn_figure_across(drawing, series->x[i]);
        double low = dcpn_figure_down(drawing, bar_below(drawing, series, i));
        double high = dcpn_figure_down(drawing, series->y[i] + fabs(series->deviation[i]));
        fprintf(drawing->out, "<path class=\"bar\" d=\"M%.1f %.1fh%.1fm%.1f 0V%.1fm%.1f 0h%.1f\"/>\n", x - cap / 2.0,
                low, cap, -cap / 2.0, high, -cap / 2.0, cap);
    }
}

static void draw_dots(const struct drawing *drawing, const struct figure_series *series)
{
    double radius = series->count <= FEW_POINTS ? 3.0 : 2.4;
    for (size_t i = 0; i < series->count; i++) {
        if (!dcpn_figure_has_place(drawing, series, i)) continue;
        fprintf(drawing->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\">",
                dcpn_figure_across(drawing, series->x[i]), dcpn_figure_down(drawing, series->y[i]), radius);
        draw_point_title(drawing, series, i);
        fputs("</circle>\n", drawing->out);
    }
}

/* Draws markers: at every point if there are few, else at distances along the line, and at the last point in any
 * case. */
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
    if (series->look == DCPN_FIGURE_FAINT) {
        draw_line(drawing, series, index);
        return;
    }
    fprintf(drawing->out, "<g class=\"c%zu\">\n", index % DCPN_FIGURE_COLOURS);
    if (series->look != DCPN_FIGURE_POINTS) draw_line(drawing, series, index);
    draw_bars(drawing, series);
    if (series->look == DCPN_FIGURE_LINE) draw_markers(drawing, series, index);
    if (series->look == DCPN_FIGURE_DOTS || series->look == DCPN_FIGURE_POINTS) draw_dots(drawing, series);
    fputs("</g>\n", drawing->out);
}
