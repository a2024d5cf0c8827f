/* SPDX-License-Identifier: BSD-3-Clause */
/* Components: variables are joined where |S_ij| > c_ij. With K_ij = 0 between components W_ij is 0 there, too, and the
 * slope of f is S_ij: no such entry can lower F to first order, so that what is stationary in each component is
 * stationary as a whole. For l1 that is the minimiser (Witten, Friedman and Simon; Mazumder and Hastie); for other
 * penalties a stationary point. */
#include <math.h>

#include "structured/graphs.h"

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Returns the slope that keeps the pair at 0, both where the descent begins and where it ends. */
static double slope_of(const struct graph_penalty *h, int64_t i, int64_t j)
{
    int64_t term = dcpn_term_of_pair(h, i, j);
    return fmin(h->penalty.c[term], h->start_slope * h->factors[term]);
}

static void join(const struct covariance *covariance, const struct graph_penalty *h, int64_t *parent)
{
    int64_t p = covariance->variables;
    for (int64_t i = 0; i < p; i++) parent[i] = i;
    for (int64_t i = 0; i < p; i++)
        for (int64_t j = 0; j < i; j++) {
            if (fabs(covariance->S[i * p + j]) <= slope_of(h, i, j)) continue;
            int64_t a = root_of(parent, i), b = root_of(parent, j);
            parent[a > b ? a : b] = a > b ? b : a; /* the first variable of a component is its root */
        }
}

int64_t dcpn_graph_components(const struct covariance *covariance, const struct graph_penalty *h, int64_t *component,
                              int64_t *order)
{
    int64_t p = covariance->variables, count = 0, placed = 0;
    join(covariance, h, component);
    for (int64_t i = 0; i < p; i++) component[i] = root_of(component, i);
    for (int64_t i = 0; i < p; i++) { /* roots are numbered in their order, and come before the others of theirs */
        int64_t root = component[i];
        component[i] = root == i ? count++ : component[root];
    }
    for (int64_t wanted = 0; wanted < count && placed < p; wanted++)
        for (int64_t i = 0; i < p; i++)
            if (component[i] == wanted) order[placed++] = i;
    return count;
}
