/* SPDX-License-Identifier: BSD-3-Clause */
/* Heap sort: in place, and never quadratic. */
#include "base/sort.h"

static void swap(double *keys, int64_t *items, int64_t a, int64_t b)
{
    double key = keys[a];
    int64_t item = items[a];
    keys[a] = keys[b];
    items[a] = items[b];
    keys[b] = key;
    items[b] = item;
}

static void sink(double *keys, int64_t *items, int64_t root, int64_t count)
{
    for (int64_t child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && keys[child] < keys[child + 1]) child++;
        if (!(keys[root] < keys[child])) return;
        swap(keys, items, root, child);
    }
}

void dcpn_sort_by(double *keys, int64_t *items, int64_t count)
{
    for (int64_t root = count / 2 - 1; root >= 0; root--) sink(keys, items, root, count);
    for (int64_t last = count - 1; last > 0; last--) {
        swap(keys, items, 0, last);
        sink(keys, items, 0, last);
    }
}
