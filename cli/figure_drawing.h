/* SPDX-License-Identifier: BSD-3-Clause */
/* A figure while it is drawn: what its parts share. */
#ifndef DCPN_CLI_FIGURE_DRAWING_H
#define DCPN_CLI_FIGURE_DRAWING_H

#include "figure.h"
#include "figure_axis.h"

enum { DCPN_FIGURE_COLOURS = 7, DCPN_FIGURE_PLOT_HEIGHT = 360 };

struct drawing {
    FILE *out;
    const struct figure *figure;
    struct figure_axis x, y;
    double left, right, top, bottom; /* of the plot */
    double legend_top, height;
    size_t columns; /* of the legend */
};

/* Where a point of the axes is drawn; outside the plot: at its edge. */
double dcpn_figure_across(const struct drawing *drawing, double x);
double dcpn_figure_down(const struct drawing *drawing, double y);

/* Is the point i of the series shown? */
int dcpn_figure_has_place(const struct drawing *drawing, const struct figure_series *series, size_t i);
/* Widens the axes for the series and its error bars. */
void dcpn_figure_include(struct drawing *drawing, const struct figure_series *series);

void dcpn_figure_draw_series(const struct drawing *drawing, size_t index);
/* What the legend shows of a series: the line, up to the quote that begins its path, and the marker. */
void dcpn_figure_begin_line(const struct drawing *drawing, size_t index);
void dcpn_figure_draw_marker(const struct drawing *drawing, size_t index, double x, double y);

#endif
