/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of graphs, by name. Entries are given in the units of the data: K_ij / (scale_i scale_j). */
#include "structured/graphs.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "base/vector.h"

void dcpn_graphs_free(dcpn_graphs *graphs)
{
    if (!graphs) return;
    dcpn_context *context = graphs->context;
    for (int64_t k = 0; graphs->points && k < graphs->count; k++) dcpn_graph_point_free(context, &graphs->points[k]);
    dcpn_free(context, graphs->points);
    dcpn_free(context, graphs->mean);
    dcpn_free(context, graphs->scale);
    dcpn_free(context, graphs->stability);
    dcpn_free(context, graphs->names);
    dcpn_free(context, graphs);
}

int64_t dcpn_graphs_count(const dcpn_graphs *graphs)
{
    return graphs ? graphs->count : 0;
}

int64_t dcpn_graphs_variables(const dcpn_graphs *graphs)
{
    return graphs ? graphs->variables : 0;
}

int64_t dcpn_graphs_chosen(const dcpn_graphs *graphs)
{
    return graphs ? graphs->chosen : 0;
}

static dcpn_value of_real(double number)
{
    return (dcpn_value){.kind = DCPN_KIND_REAL, .real = number};
}

static dcpn_value of_count(int64_t number)
{
    return (dcpn_value){.kind = DCPN_KIND_COUNT, .count = number, .real = (double)number};
}

static dcpn_value of_text(const char *text)
{
    return (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = text};
}

struct entry {
    const char *name;
    dcpn_value value;
};

static int find(const struct entry *entries, size_t count, const char *field, dcpn_value *value)
{
    for (size_t k = 0; k < count; k++)
        if (strcmp(entries[k].name, field) == 0) {
            *value = entries[k].value;
            return 1;
        }
    return 0;
}

int dcpn_graphs_get(const dcpn_graphs *g, const char *field, dcpn_value *value)
{
    if (!g || !field || !value) return 0;
    const struct entry entries[] = {{"penalty", of_text(g->penalty)},
                                    {"rows", of_real(g->rows)},
                                    {"ridge", of_real(g->ridge)},
                                    {"standardized", of_count(g->is_standardized)},
                                    {"is_complete", of_count(g->is_complete)},
                                    {"time_s", of_real(g->time_s)}};
    return find(entries, sizeof entries / sizeof *entries, field, value);
}

int dcpn_graphs_get_of_point(const dcpn_graphs *g, int64_t k, const char *field, dcpn_value *value)
{
    if (!g || !field || !value || k < 0 || k >= g->count) return 0;
    const struct graph_point *x = &g->points[k];
    const struct entry entries[] = {{"lambda", of_real(x->lambda)},
                                    {"objective", of_real(x->likelihood + x->ridge_value + x->penalty_value)},
                                    {"likelihood", of_real(x->likelihood)},
                                    {"ridge_value", of_real(x->ridge_value)},
                                    {"penalty_value", of_real(x->penalty_value)},
                                    {"violation", of_real(x->violation)},
                                    {"goal", of_real(x->goal)},
                                    {"edges", of_count(x->edges)},
                                    {"components", of_count(x->components)},
                                    {"iterations", of_count(x->iterations)},
                                    {"outcome", of_count((int64_t)x->outcome)},
                                    {"ebic", of_real(x->ebic)},
                                    {"cv_mean", of_real(x->cv_mean)},
                                    {"cv_se", of_real(x->cv_se)}};
    return find(entries, sizeof entries / sizeof *entries, field, value);
}

static dcpn_status find_point(const dcpn_graphs *g, int64_t k, const struct graph_point **point)
{
    DCPN_NEED(NULL, g);
    if (k < 0 || k >= g->count)
        return dcpn_fail(g->context, DCPN_USAGE, "graphs: found point %lld, expected one of %lld, from 0", (long long)k,
                         (long long)g->count);
    *point = &g->points[k];
    return DCPN_OK;
}

dcpn_status dcpn_graphs_edges(const dcpn_graphs *g, int64_t k, int64_t *first, int64_t *second, double *value)
{
    const struct graph_point *x = NULL;
    DCPN_TRY(find_point(g, k, &x));
    for (int64_t e = 0; e < x->edges; e++) {
        if (first) first[e] = x->first[e];
        if (second) second[e] = x->second[e];
        if (value) value[e] = x->value[e] / g->scale[x->first[e]] / g->scale[x->second[e]];
    }
    return DCPN_OK;
}

dcpn_status dcpn_graphs_diagonal(const dcpn_graphs *g, int64_t k, double *diagonal)
{
    const struct graph_point *x = NULL;
    DCPN_TRY(find_point(g, k, &x));
    DCPN_NEED(g->context, diagonal);
    for (int64_t i = 0; i < g->variables; i++) diagonal[i] = x->diagonal[i] / g->scale[i] / g->scale[i];
    return DCPN_OK;
}

dcpn_status dcpn_graphs_stability(const dcpn_graphs *g, double *frequency)
{
    DCPN_NEED(NULL, g);
    DCPN_NEED(g->context, frequency);
    if (!g->stability) return dcpn_fail(g->context, DCPN_USAGE, "graphs: how stable edges are was not asked for");
    dcpn_copy(g->points[g->chosen].edges, g->stability, frequency);
    return DCPN_OK;
}

dcpn_status dcpn_graphs_mean(const dcpn_graphs *g, double *mean)
{
    DCPN_NEED(NULL, g);
    DCPN_NEED(g->context, mean);
    dcpn_copy(g->variables, g->mean, mean);
    return DCPN_OK;
}

dcpn_status dcpn_graphs_set_names(dcpn_graphs *g, const char *const *names)
{
    DCPN_NEED(NULL, g);
    char **made = NULL;
    if (names) {
        DCPN_TRY(dcpn_need_texts(g->context, "names of the variables", names, g->variables));
        made = dcpn_copy_texts(g->context, names, g->variables);
        if (!made) return DCPN_MEMORY;
    }
    dcpn_free(g->context, g->names);
    g->names = made;
    return DCPN_OK;
}

const char *const *dcpn_graphs_names(const dcpn_graphs *g)
{
    return g ? (const char *const *)g->names : NULL;
}
