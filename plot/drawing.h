/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure while it is drawn: what its parts share. */
#ifndef DCPN_PLOT_DRAWING_H
#define DCPN_PLOT_DRAWING_H

#include "figure.h"
#include "axis.h"

enum {
    DCPN_FIGURE_COLOURS = 7,
    DCPN_FIGURE_MARGIN = 16,
    DCPN_FIGURE_FONT = 13,
    DCPN_FIGURE_TITLE_FONT = 16,
    DCPN_FIGURE_ROW = 20, /* of text */
    DCPN_FIGURE_TICK = 5
};

struct drawing {
    FILE *out;
    const struct figure *figure;
    struct figure_axis x, y;
    double width, plot_height, height;
    double left, right, top, bottom; /* of the plot */
    double label_baseline;           /* of the label of y, above the plot */
    double legend_top;
    size_t columns;    /* of the legend */
    int names_at_ends; /* wanted, and there is room */
};

/* Returns where a point of the axes is drawn; a point outside the plot is drawn at its edge. */
double dcpn_figure_across(const struct drawing *drawing, double x);
double dcpn_figure_down(const struct drawing *drawing, double y);

/* Widths in pixels. */
double dcpn_figure_pixels(const char *text, double font);
double dcpn_figure_tick_width(const struct figure_tick *tick);

/* Is the point i of the series shown? */
int dcpn_figure_has_place(const struct drawing *drawing, const struct figure_series *series, size_t i);
size_t dcpn_figure_shown_points(const struct drawing *drawing, const struct figure_series *series);
/* Widens the axes for the series and its error bars. */
void dcpn_figure_include(struct drawing *drawing, const struct figure_series *series);
void dcpn_figure_draw_series(const struct drawing *drawing, size_t index);
/* Draws what the legend shows of a series: the line, up to the quote that begins its path, and the marker. */
void dcpn_figure_begin_line(const struct drawing *drawing, size_t index);
void dcpn_figure_draw_marker(const struct drawing *drawing, size_t index, double x, double y);

/* Draws lines of text no wider than width, one below the other, from the baseline y on. */
void dcpn_figure_draw_lines(const struct drawing *drawing, const char *text, double width, double x, double y,
                            double step);
void dcpn_figure_print_text(const struct drawing *drawing, const char *text);

/* Draws what is behind the series (ground, grid, axes and their labels), and what is before them (marks). */
void dcpn_figure_draw_frame(const struct drawing *drawing);
void dcpn_figure_draw_marks(const struct drawing *drawing);

/* Decides where names stand, how many columns the legend has, and the height of the whole. */
double dcpn_figure_names_width(const struct drawing *drawing);
void dcpn_figure_arrange_legend(struct drawing *drawing);
void dcpn_figure_draw_legend(const struct drawing *drawing);

#endif
