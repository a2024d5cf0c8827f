/* SPDX-License-Identifier: BSD-3-Clause */
/* An axis of a figure: its range, and its ticks at numbers that people like. */
#ifndef DCPN_PLOT_AXIS_H
#define DCPN_PLOT_AXIS_H

#include <stddef.h>

enum { FIGURE_MOST_TICKS = 80, FIGURE_LABEL_SIZE = 48 };

struct figure_tick {
    double value;
    char label[FIGURE_LABEL_SIZE];    /* "" for a small tick between the labelled ones */
    char exponent[FIGURE_LABEL_SIZE]; /* raised behind the label; "": none */
};

struct figure_axis {
    int is_log, is_empty;
    double low, high; /* low < high once finished; both above 0 if logarithmic */
    size_t tick_count;
    struct figure_tick ticks[FIGURE_MOST_TICKS];
};

void dcpn_figure_axis_begin(struct figure_axis *axis, int is_log);
/* Can the value have a place on such an axis? */
int dcpn_figure_axis_takes(const struct figure_axis *axis, double value);
/* Does it lie between the ends of the axis? */
int dcpn_figure_axis_shows(const struct figure_axis *axis, double value);
/* Widens the range so that the value is in it, if it has a place. */
void dcpn_figure_axis_include(struct figure_axis *axis, double value);
/* Leaves this share of the range free above what was included. */
void dcpn_figure_axis_raise(struct figure_axis *axis, double share);
/* Adds a margin to the range and chooses the ticks, about as many labels as wanted. */
void dcpn_figure_axis_finish(struct figure_axis *axis, int labels);
/* 0 at low, 1 at high. */
double dcpn_figure_axis_share(const struct figure_axis *axis, double value);

#endif
