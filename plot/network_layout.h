/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the vertices of a graph are drawn, and in which order. */
#ifndef DCPN_PLOT_NETWORK_LAYOUT_H
#define DCPN_PLOT_NETWORK_LAYOUT_H

#include "network.h"

struct network_layout {
    int64_t shown;      /* vertices with an edge */
    int64_t *degree;    /* of each vertex */
    int64_t *rank;      /* by falling degree, from 0 */
    int64_t *place;     /* in the matrix, from 0; of those that are shown */
    int64_t *edge_rank; /* by falling |weight| */
    double *x, *y;      /* between 0 and 1 */
    int64_t *order, *start, *neighbour; /* vertices by place; the neighbours of each */
};

/* Makes the layout; returns 0 if memory is short. It is to be freed in any case. */
int dcpn_network_layout(const struct network *network, struct network_layout *layout);
void dcpn_network_layout_free(struct network_layout *layout);

#endif
