/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of graphs of single fits, and of a selection on a grid, by their names. */
#include <stddef.h>

#include "dcpn/neighbours.h"
#include "dcpn/selection.h"
#include "model/fields.h"

int dcpn_neighbours_get(const dcpn_neighbours *neighbours, const char *field, dcpn_value *value)
{
    static const struct field fields[] = {{"variables", COUNT, offsetof(dcpn_neighbours, variables)},
                                          {"edges", COUNT, offsetof(dcpn_neighbours, edge_count)},
                                          {"rule", WHOLE, offsetof(dcpn_neighbours, rule)},
                                          {"penalty", TEXT, offsetof(dcpn_neighbours, penalty)},
                                          {"time_s", REAL, offsetof(dcpn_neighbours, time_s)}};
    return dcpn_find_field(fields, COUNT_OF(fields), field, neighbours, value);
}

static const dcpn_neighbour_fit *fit_of(const dcpn_neighbours *neighbours, int64_t variable)
{
    return neighbours && variable >= 0 && variable < neighbours->variables ? &neighbours->fits[variable] : NULL;
}

int dcpn_neighbours_get_of_fit(const dcpn_neighbours *neighbours, int64_t variable, const char *field,
                               dcpn_value *value)
{
    static const struct field fields[] = {{"loss", TEXT, offsetof(dcpn_neighbour_fit, loss)},
                                          {"lambda", REAL, offsetof(dcpn_neighbour_fit, lambda)},
                                          {"ebic", REAL, offsetof(dcpn_neighbour_fit, ebic)},
                                          {"intercept", REAL, offsetof(dcpn_neighbour_fit, intercept)},
                                          {"low", REAL, offsetof(dcpn_neighbour_fit, low)},
                                          {"high", REAL, offsetof(dcpn_neighbour_fit, high)},
                                          {"mean", REAL, offsetof(dcpn_neighbour_fit, mean)}};
    const dcpn_neighbour_fit *fit = fit_of(neighbours, variable);
    return dcpn_find_field(fields, COUNT_OF(fields), field, fit, value) ||
           dcpn_result_get(fit ? &fit->fit : NULL, field, value);
}

int64_t dcpn_neighbours_coefficients(const dcpn_neighbours *neighbours, int64_t variable, const int64_t **index,
                                     const double **value)
{
    const dcpn_neighbour_fit *fit = fit_of(neighbours, variable);
    if (!fit) return 0;
    if (index) *index = neighbours->index + fit->first;
    if (value) *value = neighbours->value + fit->first;
    return fit->fit.nonzeros;
}

int dcpn_neighbours_edge(const dcpn_neighbours *neighbours, int64_t edge, int64_t *first, int64_t *second,
                         double *weight)
{
    if (!neighbours || edge < 0 || edge >= neighbours->edge_count) return 0;
    if (first) *first = neighbours->edges[edge].first;
    if (second) *second = neighbours->edges[edge].second;
    if (weight) *weight = neighbours->edges[edge].weight;
    return 1;
}

const dcpn_settings *dcpn_grid_selection_settings(const dcpn_grid_selection *selection)
{
    return selection ? &selection->settings : NULL;
}

int dcpn_grid_selection_get(const dcpn_grid_selection *selection, const char *field, dcpn_value *value)
{
    static const struct field fields[] = {{"count", COUNT, offsetof(dcpn_grid_selection, count)},
                                          {"chosen", COUNT, offsetof(dcpn_grid_selection, chosen)},
                                          {"folds", COUNT, offsetof(dcpn_grid_selection, folds)},
                                          {"measure", TEXT, offsetof(dcpn_grid_selection, measure)},
                                          {"varying", TEXT, offsetof(dcpn_grid_selection, varying)},
                                          {"has_weights", WHOLE, offsetof(dcpn_grid_selection, has_weights)},
                                          {"is_complete", WHOLE, offsetof(dcpn_grid_selection, is_complete)},
                                          {"time_s", REAL, offsetof(dcpn_grid_selection, time_s)}};
    return dcpn_find_field(fields, COUNT_OF(fields), field, selection, value);
}

int dcpn_grid_selection_get_of(const dcpn_grid_selection *selection, int64_t candidate, const char *field,
                               dcpn_value *value)
{
    static const struct field fields[] = {{"lambda", REAL, offsetof(dcpn_grid_candidate, lambda)},
                                          {"value", REAL, offsetof(dcpn_grid_candidate, value)},
                                          {"weight", REAL, offsetof(dcpn_grid_candidate, weight)},
                                          {"mean", REAL, offsetof(dcpn_grid_candidate, mean)},
                                          {"se", REAL, offsetof(dcpn_grid_candidate, se)}};
    int is_there = selection && candidate >= 0 && candidate < selection->count;
    const dcpn_grid_candidate *at = is_there ? &selection->candidates[candidate] : NULL;
    return dcpn_find_field(fields, COUNT_OF(fields), field, at, value);
}
