/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of vertices by a breadth-first walk, the least connected first (Cuthill and McKee), and their places by
 * springs. */
#include "network_layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 300, ROUNDS_OF_MANY = 80, MANY = 600 };

/* All vertices together push one another away by some .56 / distance, however many they are. So parts that do not
 * belong together come to rest at 2/3 from the middle. */
static const double TO_MIDDLE = 1.25;

static void *take(int64_t count, size_t size)
{
    return calloc((size_t)(count > 0 ? count : 1), size);
}

static void count_degrees(const struct network *n, struct network_layout *layout)
{
    for (int64_t e = 0; e < n->edges; e++) {
        layout->degree[n->from[e]]++;
        layout->degree[n->to[e]]++;
    }
    for (int64_t v = 0; v < n->vertices; v++) {
        layout->shown += layout->degree[v] > 0;
        layout->start[v + 1] = layout->start[v] + layout->degree[v];
    }
}

/* place is space here. */
static void list_neighbours(const struct network *n, struct network_layout *layout)
{
    memcpy(layout->place, layout->start, (size_t)n->vertices * sizeof *layout->place);
    for (int64_t e = 0; e < n->edges; e++) {
        layout->neighbour[layout->place[n->from[e]]++] = n->to[e];
        layout->neighbour[layout->place[n->to[e]]++] = n->from[e];
    }
}

struct ranked {
    double size;
    int64_t number;
};

static int by_falling_size(const void *a, const void *b)
{
    const struct ranked *first = a, *second = b;
    if (first->size != second->size) return first->size < second->size ? 1 : -1;
    return first->number < second->number ? -1 : 1;
}

static void rank(int64_t count, struct ranked *items, int64_t *ranks)
{
    qsort(items, (size_t)count, sizeof *items, by_falling_size);
    for (int64_t k = 0; k < count; k++) ranks[items[k].number] = k;
}

static int rank_all(const struct network *n, struct network_layout *layout)
{
    int64_t most = n->vertices > n->edges ? n->vertices : n->edges;
    struct ranked *items = take(most, sizeof *items);
    if (!items) return 0;
    for (int64_t v = 0; v < n->vertices; v++) items[v] = (struct ranked){(double)layout->degree[v], v};
    rank(n->vertices, items, layout->rank);
    for (int64_t e = 0; e < n->edges; e++) items[e] = (struct ranked){fabs(n->weight[e]), e};
    rank(n->edges, items, layout->edge_rank);
    free(items);
    return 1;
}

/* ---- the order ---- */

/* The neighbours of the vertex at `at` of the order that have no place yet, behind all others. */
static int64_t walk_from(struct network_layout *layout, int64_t at, int64_t placed)
{
    int64_t v = layout->order[at];
    for (int64_t k = layout->start[v]; k < layout->start[v + 1]; k++) {
        int64_t other = layout->neighbour[k];
        if (layout->place[other] >= 0) continue;
        layout->place[other] = placed;
        layout->order[placed++] = other;
    }
    return placed;
}

static void find_order(const struct network *n, struct network_layout *layout)
{
    int64_t placed = 0;
    for (int64_t v = 0; v < n->vertices; v++) layout->place[v] = -1;
    while (placed < layout->shown) {
        int64_t first = -1, at = placed;
        for (int64_t v = 0; v < n->vertices; v++) {
            if (layout->place[v] >= 0 || layout->degree[v] == 0) continue;
            if (first < 0 || layout->degree[v] < layout->degree[first]) first = v;
        }
        layout->place[first] = placed;
        layout->order[placed++] = first;
        while (at < placed) placed = walk_from(layout, at++, placed);
    }
}

/* ---- springs ---- */

static void begin_on_circle(struct network_layout *layout)
{
    for (int64_t k = 0; k < layout->shown; k++) {
        double angle = 2.0 * 3.14159265358979323846 * (double)k / (double)layout->shown;
        layout->x[layout->order[k]] = 0.5 + 0.5 * cos(angle);
        layout->y[layout->order[k]] = 0.5 + 0.5 * sin(angle);
    }
}

/* Pushes vertices away from one another by ideal^2 / distance. All are drawn to the middle, so that parts that do
 * not belong together stay on the page. */
static void push(const struct network_layout *layout, double ideal, double *fx, double *fy)
{
    for (int64_t a = 0; a < layout->shown; a++) {
        int64_t v = layout->order[a];
        fx[v] += (0.5 - layout->x[v]) * TO_MIDDLE;
        fy[v] += (0.5 - layout->y[v]) * TO_MIDDLE;
        for (int64_t b = 0; b < a; b++) {
            int64_t w = layout->order[b];
            double dx = layout->x[v] - layout->x[w], dy = layout->y[v] - layout->y[w];
            double times = ideal * ideal / fmax(dx * dx + dy * dy, 1e-8);
            fx[v] += dx * times, fy[v] += dy * times;
            fx[w] -= dx * times, fy[w] -= dy * times;
        }
    }
}

static void pull(const struct network *n, const struct network_layout *layout, double ideal, double *fx, double *fy)
{
    for (int64_t e = 0; e < n->edges; e++) {
        int64_t v = n->from[e], w = n->to[e];
        double dx = layout->x[v] - layout->x[w], dy = layout->y[v] - layout->y[w];
        double times = sqrt(dx * dx + dy * dy) / ideal;
        fx[v] -= dx * times, fy[v] -= dy * times;
        fx[w] += dx * times, fy[w] += dy * times;
    }
}

/* Moves the vertices along their forces, none further than the heat. */
static void move(struct network_layout *layout, double heat, const double *fx, const double *fy)
{
    for (int64_t k = 0; k < layout->shown; k++) {
        int64_t v = layout->order[k];
        double length = sqrt(fx[v] * fx[v] + fy[v] * fy[v]), step = length > heat ? heat / length : 1.0;
        layout->x[v] += step * fx[v];
        layout->y[v] += step * fy[v];
    }
}

static void stretch(int64_t shown, const int64_t *order, double *at)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t k = 0; k < shown; k++) {
        low = fmin(low, at[order[k]]);
        high = fmax(high, at[order[k]]);
    }
    for (int64_t k = 0; k < shown; k++) at[order[k]] = high > low ? (at[order[k]] - low) / (high - low) : 0.5;
}

static int relax(const struct network *n, struct network_layout *layout)
{
    double *force = take(2 * n->vertices, sizeof *force), *fx = force, *fy = force + n->vertices;
    int rounds = layout->shown > MANY ? ROUNDS_OF_MANY : ROUNDS;
    double ideal = 0.75 / sqrt((double)layout->shown);
    if (!force) return 0;
    for (int round = 0; round < rounds; round++) {
        memset(force, 0, 2 * (size_t)n->vertices * sizeof *force);
        push(layout, ideal, fx, fy);
        pull(n, layout, ideal, fx, fy);
        move(layout, 0.1 * (1.0 - (double)round / rounds), fx, fy);
    }
    free(force);
    return 1;
}

/* ---- the whole ---- */

static int allocate(const struct network *n, struct network_layout *layout)
{
    *layout = (struct network_layout){.degree = take(n->vertices, sizeof *layout->degree),
                                      .rank = take(n->vertices, sizeof *layout->rank),
                                      .place = take(n->vertices, sizeof *layout->place),
                                      .edge_rank = take(n->edges, sizeof *layout->edge_rank),
                                      .x = take(n->vertices, sizeof *layout->x),
                                      .y = take(n->vertices, sizeof *layout->y),
                                      .order = take(n->vertices, sizeof *layout->order),
                                      .start = take(n->vertices + 1, sizeof *layout->start),
                                      .neighbour = take(2 * n->edges, sizeof *layout->neighbour)};
    return layout->degree && layout->rank && layout->place && layout->edge_rank && layout->x && layout->y &&
           layout->order && layout->start && layout->neighbour;
}

int dcpn_network_layout(const struct network *n, struct network_layout *layout)
{
    if (!allocate(n, layout)) return 0;
    count_degrees(n, layout);
    list_neighbours(n, layout);
    if (!rank_all(n, layout)) return 0;
    find_order(n, layout);
    if (layout->shown == 0) return 1;
    begin_on_circle(layout);
    if (layout->shown <= DCPN_NETWORK_MOST && !relax(n, layout)) return 0;
    stretch(layout->shown, layout->order, layout->x);
    stretch(layout->shown, layout->order, layout->y);
    return 1;
}

void dcpn_network_layout_free(struct network_layout *layout)
{
    free(layout->degree);
    free(layout->rank);
    free(layout->place);
    free(layout->edge_rank);
    free(layout->x);
    free(layout->y);
    free(layout->order);
    free(layout->start);
    free(layout->neighbour);
}
