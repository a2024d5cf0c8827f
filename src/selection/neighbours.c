/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of variables, one variable at a time (Meinshausen and Buehlmann 2006; Ravikumar, Wainwright and Lafferty 2010
 * for the Ising model): x_i is explained by all others,
 *     b_i = argmin over b of mean_rows w loss(x_i; b_0 + sum_{j != i} b_j x_j) + sum_j p(|b_j|),
 * and i and j are joined if b_ij and b_ji are not 0 (AND), or one of them is not (OR). In the Ising model of variables
 * that are 0 or 1 the conditional law of x_i is that of a logistic regression with b_ij = b_ji; of Gaussian ones b_ij =
 * -K_ij / K_ii, so that the root of b_ij b_ji is the partial correlation, whatever the units. */
#include "dcpn/neighbours.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "base/threads.h"
#include "base/tuning.h"
#include "base/vector.h"
#include "matrix/matrix.h"
#include "path/path.h"
#include "problem/scaled_columns.h"
#include "selection/neighbours_parts.h"
#include "selection/rules.h"
#include "settings/registry.h"

/* The fit of one variable: its end, or why there is none. */
struct node {
    dcpn_context *context;
    dcpn_status status;
    dcpn_neighbour_fit end;
    int64_t *index; /* in the context's memory, like value */
    double *value;
};

/* The fits see columns that were scaled once for all of them, if at all, and labels as they are. */
struct work {
    dcpn_context *context;
    const dcpn_matrix *X;
    struct scaled_columns scaled; /* A is NULL where the columns are those of X */
    dcpn_settings settings;
    dcpn_neighbour_options options;
    struct node *nodes;
};

/* ---- one variable ---- */

/* Counts the different values of y: 1, 2, or 3 if there are more. */
static int count_values(const double *y, int64_t rows)
{
    double second = y[0];
    for (int64_t i = 1; i < rows; i++) {
        if (y[i] == y[0] || y[i] == second) continue;
        if (second != y[0]) return 3;
        second = y[i];
    }
    return second == y[0] ? 1 : 2;
}

static void look_at_values(const double *y, int64_t rows, dcpn_neighbour_fit *end)
{
    end->low = end->high = y[0];
    end->mean = 0.0;
    for (int64_t i = 0; i < rows; i++) {
        end->low = fmin(end->low, y[i]);
        end->high = fmax(end->high, y[i]);
        end->mean += y[i] / (double)rows;
    }
}

static dcpn_status check_values(const struct work *work, dcpn_context *context, int values)
{
    if (values == 1)
        return dcpn_fail(context, DCPN_DATA,
                         "found the same value in all rows, expected a variable that varies; leave it out");
    if (values > 2 && work->options.two_values)
        return dcpn_fail(context, DCPN_DATA,
                         "found more than two values, which an Ising model cannot have; --model mixed takes variables "
                         "of both kinds");
    return DCPN_OK;
}

static double gamma_of(const dcpn_neighbour_options *options)
{
    return options->gamma < 0.0 ? 0.0 : options->gamma == 0.0 ? NEIGHBOURS_GAMMA : options->gamma;
}

/* Chooses the point with the least EBIC among those with no more features than it can judge; the first point if
 * there is none. */
static int64_t choose(const struct work *work, const dcpn_paths *paths, double *least)
{
    int64_t best = 0, most = dcpn_usual_most_features(paths->weight, (double)paths->features);
    *least = (double)INFINITY;
    for (int64_t k = 0; k < paths->paths[0].count; k++) {
        const dcpn_path_point *point = &paths->paths[0].points[k];
        double value = dcpn_ebic_of(paths, point, gamma_of(&work->options));
        if ((point->fit.nonzeros > most && paths->paths[0].count > 1) || !(value < *least)) continue;
        *least = value;
        best = k;
    }
    return best;
}

static dcpn_status take(const struct work *work, const dcpn_paths *paths, int64_t variable, struct node *node)
{
    if (paths->count == 0 || paths->paths[0].count == 0 || paths->paths[0].end == DCPN_PATH_INTERRUPTED)
        return dcpn_fail(node->context, DCPN_CANCELLED, "the fit was ended before it was done");
    double ebic;
    const dcpn_path_point *point = &paths->paths[0].points[choose(work, paths, &ebic)];
    int64_t count = point->fit.nonzeros;
    node->end.lambda = point->lambda;
    node->end.ebic = ebic;
    node->end.intercept = point->intercept;
    node->end.fit = point->fit;
    node->index = dcpn_allocate(node->context, (size_t)count + 1, sizeof *node->index);
    node->value = dcpn_allocate(node->context, (size_t)count + 1, sizeof *node->value);
    if (!node->index || !node->value) return DCPN_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        int64_t other = paths->paths[0].index[point->first + k];
        node->index[k] = other < variable ? other : other + 1; /* the view is without the variable */
        node->value[k] = paths->paths[0].value_of[point->first + k];
        if (!work->scaled.A) continue;
        node->value[k] /= work->scaled.scale[node->index[k]];
        node->end.intercept -= work->scaled.centre[node->index[k]] * node->value[k];
    }
    return DCPN_OK;
}

/* A variable that no other one tells anything of has a lambda_max of 0, and no grid: it is fitted alone. */
static dcpn_status fit_path(const struct node *node, const dcpn_problem *problem, const dcpn_settings *settings,
                            const dcpn_path_options *options, dcpn_paths **paths)
{
    static const double any[] = {1.0};
    dcpn_path_options alone = *options;
    dcpn_status status = dcpn_paths_fit(node->context, problem, settings, options, paths);
    if (status != DCPN_DATA || options->lambdas) return status;
    alone.lambdas = any;
    alone.lambda_count = 1;
    return dcpn_paths_fit(node->context, problem, settings, &alone, paths);
}

static dcpn_status fit_labels(const struct work *work, const dcpn_matrix *others, const double *y, int64_t variable,
                              struct node *node)
{
    int values = count_values(y, others->rows);
    dcpn_settings settings = work->settings;
    const dcpn_path_options options = {.lambdas = work->options.lambdas,
                                       .lambda_count = work->options.lambda_count,
                                       .min_ratio = work->options.min_ratio,
                                       .convexity_limit = -1};
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    DCPN_TRY(check_values(work, node->context, values));
    look_at_values(y, others->rows, &node->end);
    node->end.loss = settings.loss = values == 2 ? "logistic" : "squared";
    dcpn_status status = dcpn_problem_new(node->context, others, y, &problem);
    if (status == DCPN_OK && work->options.weights) status = dcpn_problem_set_weights(problem, work->options.weights);
    if (status == DCPN_OK) status = fit_path(node, problem, &settings, &options, &paths);
    if (status == DCPN_OK) status = take(work, paths, variable, node);
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
    return status;
}

static dcpn_status fit_node(const struct work *work, int64_t variable, struct node *node)
{
    const dcpn_matrix *X = work->X;
    struct column_subset others;
    int64_t *columns = dcpn_allocate(node->context, (size_t)X->columns, sizeof *columns);
    double *y = dcpn_allocate(node->context, (size_t)X->rows, sizeof *y);
    dcpn_status status = columns && y ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) {
        for (int64_t j = 0; j < X->columns - 1; j++) columns[j] = j < variable ? j : j + 1;
        dcpn_fill(X->rows, 0.0, y);
        X->ops->column_add(X, variable, 1.0, y);
        dcpn_matrix_subset(&others, work->scaled.A ? work->scaled.A : X, columns);
        others.base.columns = X->columns - 1;
        status = fit_labels(work, &others.base, y, variable, node);
    }
    dcpn_free(node->context, columns);
    dcpn_free(node->context, y);
    return status;
}

static void fit_some(void *user, int64_t begin, int64_t end)
{
    const struct work *work = user;
    for (int64_t i = begin; i < end; i++) {
        struct node *node = &work->nodes[i];
        node->context = dcpn_context_new_for(work->context);
        node->status = node->context ? fit_node(work, i, node) : DCPN_MEMORY;
    }
}

/* ---- all of them ---- */

/* Reports the failure of the first variable whose fit has failed. */
static dcpn_status check_nodes(const struct work *work)
{
    DCPN_TRY(dcpn_refuse_interrupted(work->context, "the graph"));
    for (int64_t i = 0; i < work->X->columns; i++) {
        const struct node *node = &work->nodes[i];
        if (node->status == DCPN_OK) continue;
        return dcpn_fail(work->context, node->status, "variable %lld: %s", (long long)i + 1,
                         node->context ? dcpn_last_error(node->context) : "out of memory");
    }
    return DCPN_OK;
}

static dcpn_status gather(const struct work *work, dcpn_neighbours *made)
{
    int64_t p = work->X->columns, total = 0;
    for (int64_t i = 0; i < p; i++) total += work->nodes[i].end.fit.nonzeros;
    made->fits = dcpn_allocate(work->context, (size_t)p, sizeof *made->fits);
    made->index = dcpn_allocate(work->context, (size_t)total + 1, sizeof *made->index);
    made->value = dcpn_allocate(work->context, (size_t)total + 1, sizeof *made->value);
    if (!made->fits || !made->index || !made->value) return DCPN_MEMORY;
    made->variables = p;
    for (int64_t i = 0, used = 0; i < p; i++) {
        const struct node *node = &work->nodes[i];
        size_t count = (size_t)node->end.fit.nonzeros;
        made->fits[i] = node->end;
        made->fits[i].first = used;
        memcpy(made->index + used, node->index, count * sizeof *made->index);
        memcpy(made->value + used, node->value, count * sizeof *made->value);
        used += (int64_t)count;
    }
    return DCPN_OK;
}

/* The coefficient of variable j in the fit of variable i. */
static double coefficient(const dcpn_neighbours *n, int64_t i, int64_t j)
{
    int64_t low = n->fits[i].first, high = low + n->fits[i].fit.nonzeros;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (n->index[middle] == j) return n->value[middle];
        if (n->index[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return 0.0;
}

static dcpn_neighbour_edge edge_between(const dcpn_neighbours *n, int64_t i, int64_t j)
{
    dcpn_neighbour_edge e = {
        .first = i, .second = j, .of_first = coefficient(n, i, j), .of_second = coefficient(n, j, i)};
    int agree = (e.of_first > 0.0 && e.of_second > 0.0) || (e.of_first < 0.0 && e.of_second < 0.0);
    e.weight = agree ? copysign(sqrt(fabs(e.of_first)) * sqrt(fabs(e.of_second)), e.of_first)
                     : 0.5 * (e.of_first + e.of_second);
    return e;
}

/* Joins the variables by the rule and writes the edges to `edges`, unless that is NULL. Returns how many there are. */
static int64_t join(const dcpn_neighbours *n, dcpn_neighbour_rule rule, dcpn_neighbour_edge *edges)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n->variables; i++)
        for (int64_t j = i + 1; j < n->variables; j++) {
            const dcpn_neighbour_edge e = edge_between(n, i, j);
            int kept = (e.of_first != 0.0) + (e.of_second != 0.0);
            if (kept < (rule == DCPN_NEIGHBOURS_AND ? 2 : 1)) continue;
            if (edges) edges[count] = e;
            count++;
        }
    return count;
}

dcpn_status dcpn_neighbours_join(dcpn_neighbours *n)
{
    n->edge_count = join(n, n->rule, NULL);
    n->edges = dcpn_allocate(n->context, (size_t)n->edge_count + 1, sizeof *n->edges);
    if (!n->edges) return DCPN_MEMORY;
    join(n, n->rule, n->edges);
    return DCPN_OK;
}

static dcpn_status check(dcpn_context *context, const dcpn_matrix *X, const dcpn_neighbour_options *options)
{
    if (X->columns < 2)
        return dcpn_fail(context, DCPN_DATA, "found %lld variable, expected at least 2", (long long)X->columns);
    if (X->rows < 2) return dcpn_fail(context, DCPN_DATA, "found %lld row, expected at least 2", (long long)X->rows);
    if (options->rule != DCPN_NEIGHBOURS_AND && options->rule != DCPN_NEIGHBOURS_OR)
        return dcpn_fail(context, DCPN_USAGE, "rule: found %d, expected DCPN_NEIGHBOURS_AND or DCPN_NEIGHBOURS_OR",
                         (int)options->rule);
    if (options->gamma > 1.0 || isnan(options->gamma))
        return dcpn_fail(context, DCPN_USAGE, "gamma of EBIC: found %g, expected a number from 0 to 1", options->gamma);
    return DCPN_OK;
}

static dcpn_status scale(struct work *work)
{
    dcpn_problem whole = {.context = work->context, .A = work->X, .weights = work->options.weights};
    DCPN_TRY(dcpn_scaled_columns_new(work->context, &whole, &work->settings, 0, &work->scaled));
    work->settings.standardize = 0;
    return DCPN_OK;
}

static dcpn_status fit_all(struct work *work, dcpn_neighbours *made)
{
    DCPN_TRY(scale(work));
    dcpn_parallel_items(work->context, work->X->columns, fit_some, work);
    DCPN_TRY(check_nodes(work));
    DCPN_TRY(gather(work, made));
    return dcpn_neighbours_join(made);
}

static void free_nodes(struct work *work)
{
    for (int64_t i = 0; work->nodes && i < work->X->columns; i++) {
        if (!work->nodes[i].context) continue;
        dcpn_free(work->nodes[i].context, work->nodes[i].index);
        dcpn_free(work->nodes[i].context, work->nodes[i].value);
        dcpn_context_free(work->nodes[i].context);
    }
    dcpn_free(work->context, work->nodes);
}

dcpn_status dcpn_neighbours_fit(dcpn_context *context, const dcpn_matrix *X, const dcpn_settings *settings,
                                const dcpn_neighbour_options *options, dcpn_neighbours **neighbours)
{
    double started_at = dcpn_clock_s();
    DCPN_NEED(context, context, X, neighbours);
    *neighbours = NULL;
    struct work work = {.context = context, .X = X, .settings = settings ? *settings : dcpn_settings_default()};
    if (options) work.options = *options;
    work.settings.intercept = 1;
    work.settings.scale = "mean";
    if (!work.options.lambda_count) work.options.lambda_count = NEIGHBOURS_LAMBDAS;
    if (work.options.min_ratio == 0.0) work.options.min_ratio = GRAPH_MIN_RATIO;
    DCPN_TRY(dcpn_settings_check(context, &work.settings));
    DCPN_TRY(check(context, X, &work.options));
    dcpn_neighbours *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (dcpn_neighbours){
        .context = context, .penalty = dcpn_find_penalty(work.settings.penalty)->name, .rule = work.options.rule};
    work.nodes = dcpn_allocate(context, (size_t)X->columns, sizeof *work.nodes);
    dcpn_status status = work.nodes ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK) memset(work.nodes, 0, (size_t)X->columns * sizeof *work.nodes);
    if (status == DCPN_OK) status = fit_all(&work, made);
    free_nodes(&work);
    dcpn_scaled_columns_free(context, &work.scaled);
    made->time_s = dcpn_clock_s() - started_at;
    if (status == DCPN_OK)
        *neighbours = made;
    else
        dcpn_neighbours_free(made);
    return status;
}

void dcpn_neighbours_free(dcpn_neighbours *neighbours)
{
    if (!neighbours) return;
    dcpn_free(neighbours->context, (void *)neighbours->names);
    dcpn_free(neighbours->context, neighbours->fits);
    dcpn_free(neighbours->context, neighbours->index);
    dcpn_free(neighbours->context, neighbours->value);
    dcpn_free(neighbours->context, neighbours->edges);
    dcpn_free(neighbours->context, neighbours);
}
