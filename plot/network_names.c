/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of vertices: each tries eight places around its vertex and takes the one that covers least. */
#include "network_names.h"

#include <math.h>

struct box {
    double left, top, right, bottom;
};

static struct box box_around(double x, double y, double width, double height)
{
    return (struct box){x - 0.5 * width, y - 0.5 * height, x + 0.5 * width, y + 0.5 * height};
}

static double common_area(const struct box *a, const struct box *b)
{
    double width = fmin(a->right, b->right) - fmax(a->left, b->left);
    double height = fmin(a->bottom, b->bottom) - fmax(a->top, b->top);
    return width > 0.0 && height > 0.0 ? width * height : 0.0;
}

static double outside(const struct box *box, const struct network_vertices *v)
{
    double across = fmax(v->low[0] - box->left, 0.0) + fmax(box->right - v->high[0], 0.0);
    double down = fmax(v->low[1] - box->top, 0.0) + fmax(box->bottom - v->high[1], 0.0);
    return across * (box->bottom - box->top) + down * (box->right - box->left);
}

/* Returns the area that the name would cover, of vertices, of names before it, and beyond the edge. */
static double covered(const struct network_vertices *v, const struct network_name *names, int64_t placed)
{
    const struct network_name *own = &names[placed];
    struct box box = box_around(own->x, own->y, own->width, own->height);
    double sum = outside(&box, v), size = 2.0 * v->radius;
    for (int64_t k = 0; k < v->count; k++) {
        struct box vertex = box_around(v->x[k], v->y[k], size, size);
        if (k != own->vertex) sum += common_area(&box, &vertex);
    }
    for (int64_t k = 0; k < placed; k++) {
        struct box other = box_around(names[k].x, names[k].y, names[k].width, names[k].height);
        sum += common_area(&box, &other);
    }
    return sum;
}

/* Places a name to the right, left, below or above its vertex or at a corner: at the first of the places where it
 * covers least. */
static void place(const struct network_vertices *v, struct network_name *names, int64_t which)
{
    static const double sides[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    struct network_name *own = &names[which];
    double least = HUGE_VAL, best[2] = {0.0, 0.0};
    for (int k = 0; k < 8; k++) {
        int is_corner = sides[k][0] != 0.0 && sides[k][1] != 0.0;
        double gap = is_corner ? 0.5 * v->radius : v->radius + 2.0;
        own->x = v->x[own->vertex] + sides[k][0] * (gap + 0.5 * own->width);
        own->y = v->y[own->vertex] + sides[k][1] * (gap + 0.5 * own->height);
        double found = covered(v, names, which);
        if (!(found < least)) continue;
        least = found;
        best[0] = own->x;
        best[1] = own->y;
    }
    own->x = best[0];
    own->y = best[1];
}

void dcpn_network_place_names(const struct network_vertices *vertices, int64_t count, struct network_name *names)
{
    for (int64_t k = 0; k < count; k++) place(vertices, names, k);
}
