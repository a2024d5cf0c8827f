/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts as SVG: one self-contained text without scripts, for light and dark screens and for paper. */
#ifndef DCPN_PLOT_FIGURE_H
#define DCPN_PLOT_FIGURE_H

#include "dcpn/data.h"

#include <stdio.h>

enum figure_look {
    DCPN_FIGURE_LINE,  /* a line with a marker at each point, or at some if there are many */
    DCPN_FIGURE_DOTS,  /* the same with a dot at each point, however many there are */
    DCPN_FIGURE_PLAIN, /* a line without markers */
    DCPN_FIGURE_POINTS, /* dots without a line */
    DCPN_FIGURE_FAINT  /* in the background: a thin grey line */
};

/* The points (x, y), in the order given. */
struct figure_series {
    const char *name; /* in the legend, or where the line ends; "": in neither */
    size_t count;     /* 0 is fine: the legend then says "no data" */
    const double *x, *y;
    const double *deviation; /* error bars from y - deviation to y + deviation; NULL: none */
    enum figure_look look;
};

/* A dashed line across the plot. */
struct figure_mark {
    double at;
    const char *label;
};

struct figure_span {
    double from, to;
};

/* Parts of the x axis with another ground. */
struct figure_shades {
    size_t count;
    const struct figure_span *spans;
    const char *label; /* in the legend */
};

/* A second scale: whole numbers that belong to some x. */
struct figure_scale {
    size_t count;
    const double *x;
    const int64_t *values;
    const char *label;
};

/* Texts are UTF-8 without markup; NULL is as good as "" except for names and labels of marks. Points that are not
 * finite, or have no place on a logarithmic axis, are left out; an error bar there ends at a tenth of its y, or at the
 * axis. */
struct figure {
    const char *title;
    const char *description;       /* for those who cannot see it; NULL: made from the labels and the series */
    const char *x_label, *y_label; /* with their units: "time (s)" */
    int x_log, y_log;              /* logarithmic axes */
    int x_falling;                 /* x is largest at the left */
    size_t series_count;           /* the first seven differ in colour and marker, the first 28 also in dashes */
    const struct figure_series *series;
    const char *faint_label; /* of all the faint lines, in the legend; NULL: none */
    int names_at_ends;       /* names stand where the lines end, if there is room, instead of in the legend */

    size_t mark_count; /* at x, labelled within the plot */
    const struct figure_mark *marks;
    size_t level_count; /* at y, labelled in the legend */
    const struct figure_mark *levels;
    struct figure_shades shades;
    struct figure_scale top;

    int width, plot_height; /* in pixels; 0: 820 and 360 */
    int is_part;            /* of a page that has the style (dcpn_figure_style) and a heading */
};

/* The <svg> element, for a page that has other things around it. An error of the stream is the caller's to ask for. */
void dcpn_figure_draw(FILE *stream, const struct figure *figure);
extern const char dcpn_figure_style[];

/* A file of its own that appears complete or not at all. The sentence of a failure is dcpn_last_error(context). */
dcpn_status dcpn_figure_write(dcpn_context *context, const char *path, const struct figure *figure);

/* The same figure as text, for a terminal. */
struct figure_terminal {
    int columns, rows; /* of the plot with its axes */
    int is_unicode;    /* dots of a quarter of a character, else one character a point */
    int has_colour;
};
void dcpn_figure_print(FILE *stream, const struct figure *figure, const struct figure_terminal *terminal);

#endif
