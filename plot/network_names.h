/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the names of vertices stand in a drawing, so that they lie neither on one another nor on other vertices. */
#ifndef DCPN_PLOT_NETWORK_NAMES_H
#define DCPN_PLOT_NETWORK_NAMES_H

#include <stdint.h>

/* A name that is centred at x, y. */
struct network_name {
    int64_t vertex;
    double width, height, x, y;
};

/* `count` vertices are drawn at x, y, each as large as radius, within a square from `low` to `high` in both
 * directions. The names are placed in their order, each where it covers least of what is there already. */
struct network_vertices {
    int64_t count;
    const double *x, *y;
    double radius, low[2], high[2];
};

void dcpn_network_place_names(const struct network_vertices *vertices, int64_t count, struct network_name *names);

#endif
