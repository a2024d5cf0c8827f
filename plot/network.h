/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph as SVG: its vertices where springs would put them, and beside it its matrix. */
#ifndef DCPN_PLOT_NETWORK_H
#define DCPN_PLOT_NETWORK_H

#include "dcpn/data.h"

#include <stdio.h>

/* Edges join from[e] and to[e], and weigh between -1 and 1: the colour says the sign, width and strength the size. */
struct network {
    const char *title;
    int64_t vertices, edges;
    const char *const *names; /* NULL: their numbers from 1 */
    const int64_t *from, *to;
    const double *weight;
};

enum { DCPN_NETWORK_MOST = 3000 };

/* One part of it as an <svg> element of a page, so many pixels wide and high; the layout is network_layout.h's. */
enum network_part { DCPN_NETWORK_GRAPH, DCPN_NETWORK_MATRIX };
struct network_layout;
void dcpn_network_draw(FILE *stream, const struct network *network, const struct network_layout *layout,
                       enum network_part part, int side);

/* More vertices with an edge than that stay on a circle, without springs. */
dcpn_status dcpn_network_write(dcpn_context *context, const char *path, const struct network *network);

#endif
