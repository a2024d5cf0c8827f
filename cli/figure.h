/* SPDX-License-Identifier: BSD-3-Clause */
/* Line charts as SVG: one self-contained text without scripts, for light and dark screens and for paper. */
#ifndef DCPN_CLI_FIGURE_H
#define DCPN_CLI_FIGURE_H

#include "dcpn/dcpn.h"

#include <stdio.h>

/* A line through the points (x, y), in the order given, with a marker at each point, or at some if there are many. */
struct figure_series {
    const char *name; /* in the legend, below the plot; it must be there */
    size_t count;     /* 0 is fine: the legend then says "no data" */
    const double *x, *y;
    const double *deviation; /* error bars from y - deviation to y + deviation; NULL: none */
};

/* Texts are UTF-8 without markup; NULL is as good as "" except for the names. Points that are not finite, or have no
 * place on a logarithmic axis, are left out; an error bar there ends at a tenth of its y, or at the axis. */
struct figure {
    const char *title;
    const char *description;       /* for those who cannot see it; NULL: made from the labels and the series */
    const char *x_label, *y_label; /* with their units: "time (s)" */
    int x_log, y_log;              /* logarithmic axes */
    size_t series_count;           /* the first seven differ in colour and marker, the first 28 also in dashes */
    const struct figure_series *series;
};

/* The <svg> element, for a page that has other things around it. An error of the stream is the caller's to ask for. */
void dcpn_figure_draw(FILE *stream, const struct figure *figure);

/* A file of its own that appears complete or not at all. The sentence of a failure is dcpn_last_error(context). */
dcpn_status dcpn_figure_write(dcpn_context *context, const char *path, const struct figure *figure);

#endif
