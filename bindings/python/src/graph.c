/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.graph and Data.complete: matrices that are found, from rows or a covariance, and from some of their entries. */
#include "kept_matrix.h"
#include "settings.h"
#include "structured.h"

#include <stdlib.h>
#include <string.h>

/* ---- graphs ---- */

struct graph_request {
    dcpn_settings settings;
    PyObject *weights_object, *lambdas_object, *factors_object;
    struct borrowed weights, lambdas, factors;
    dcpn_graph_options options;
    int is_covariance;
    double rows, *square;
    dcpn_graphs *graphs;
};

static int parse_graph(PyObject *arguments, PyObject *words, struct graph_request *r)
{
    static char *names[] = {
        "settings", "covariance", "rows", "weights",    "lambdas", "n_lambdas",         "min_ratio", "rule",
        "gamma",    "folds",      "seed", "subsamples", "factors", "penalize_diagonal", NULL};
    PyObject *settings;
    long long n_lambdas = 0, folds = 0, seed = 0, subsamples = 0;
    int is_cv = 0;
    r->weights_object = r->lambdas_object = r->factors_object = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "O!|pdOOLdpdLLLOp", names, &PyDict_Type, &settings,
                                     &r->is_covariance, &r->rows, &r->weights_object, &r->lambdas_object, &n_lambdas,
                                     &r->options.min_ratio, &is_cv, &r->options.gamma, &folds, &seed, &subsamples,
                                     &r->factors_object, &r->options.penalize_diagonal))
        return -1;
    r->options.lambda_count = n_lambdas;
    r->options.rule = is_cv ? DCPN_GRAPH_CV : DCPN_GRAPH_EBIC;
    r->options.folds = folds;
    r->options.seed = (uint64_t)seed;
    r->options.subsamples = subsamples;
    return dcpn_python_settings(settings, &r->settings);
}

static int borrow_graph(struct graph_request *r, const dcpn_matrix *X)
{
    int64_t p = dcpn_matrix_columns(X);
    if (dcpn_python_borrow(r->weights_object, "weights", DCPN_PYTHON_DOUBLE, dcpn_matrix_rows(X), &r->weights) < 0 ||
        dcpn_python_borrow(r->lambdas_object, "lambdas", DCPN_PYTHON_DOUBLE, -1, &r->lambdas) < 0 ||
        dcpn_python_borrow(r->factors_object, "penalty factors", DCPN_PYTHON_DOUBLE, p * p, &r->factors) < 0)
        return -1;
    r->options.factors = r->factors.entries;
    r->options.lambdas = r->lambdas.entries;
    if (r->lambdas.entries) r->options.lambda_count = r->lambdas.count;
    return 0;
}

/* The matrix by rows; NULL: an exception is set. */
static double *spread(const dcpn_matrix *X)
{
    int64_t rows = dcpn_matrix_rows(X), p = dcpn_matrix_columns(X);
    double *table = rows <= INT64_MAX / 16 / (p + 1) ? calloc((size_t)(rows * p + 1), sizeof *table) : NULL;
    double *values = calloc((size_t)p + 1, sizeof *values);
    int64_t *columns = calloc((size_t)p + 1, sizeof *columns);
    for (int64_t i = 0; table && values && columns && i < rows; i++) {
        int64_t count = dcpn_matrix_row(X, i, columns, values);
        for (int64_t k = 0; k < count; k++) table[i * p + columns[k]] = values[k];
    }
    if (!values || !columns) {
        free(table);
        table = NULL;
    }
    free(values);
    free(columns);
    if (!table) PyErr_NoMemory();
    return table;
}

static dcpn_value of_point(const dcpn_graphs *g, int64_t point, const char *field)
{
    dcpn_value value = {0};
    dcpn_graphs_get_of_point(g, point, field, &value);
    return value;
}

static PyObject *point_of(const dcpn_graphs *g, int64_t k)
{
    dcpn_outcome outcome = (dcpn_outcome)of_point(g, k, "outcome").count;
    return Py_BuildValue("{s:d,s:d,s:L,s:L,s:d,s:d,s:d,s:d,s:d,s:L,s:s,s:O}", "lambda", of_point(g, k, "lambda").real,
                         "objective", of_point(g, k, "objective").real, "edges",
                         (long long)of_point(g, k, "edges").count, "components",
                         (long long)of_point(g, k, "components").count, "ebic", of_point(g, k, "ebic").real, "cv_mean",
                         of_point(g, k, "cv_mean").real, "cv_se", of_point(g, k, "cv_se").real, "violation",
                         of_point(g, k, "violation").real, "goal", of_point(g, k, "goal").real, "iterations",
                         (long long)of_point(g, k, "iterations").count, "outcome", dcpn_outcome_name(outcome),
                         "converged", dcpn_has_converged(outcome) ? Py_True : Py_False);
}

static PyObject *points_of(const dcpn_graphs *g)
{
    PyObject *list = PyList_New(dcpn_graphs_count(g));
    for (int64_t k = 0; list && k < dcpn_graphs_count(g); k++) {
        PyObject *point = point_of(g, k);
        if (!point || PyList_SetItem(list, k, point) < 0) {
            Py_DECREF(list);
            return NULL;
        }
    }
    return list;
}

/* The edges of the chosen point as arrays. */
static PyObject *edges_of(const dcpn_graphs *g)
{
    int64_t chosen = dcpn_graphs_chosen(g), count = of_point(g, chosen, "edges").count, p = dcpn_graphs_variables(g);
    int64_t *ends = calloc(2 * (size_t)count + 1, sizeof *ends);
    double *numbers = calloc(2 * (size_t)count + 2 * (size_t)p + 1, sizeof *numbers);
    PyObject *found = NULL;
    if (ends && numbers) {
        double *frequency = numbers + count, *diagonal = frequency + count, *mean = diagonal + p;
        dcpn_graphs_edges(g, chosen, ends, ends + count, numbers);
        dcpn_graphs_diagonal(g, chosen, diagonal);
        dcpn_graphs_mean(g, mean);
        int has_stability = dcpn_graphs_stability(g, frequency) == DCPN_OK;
        found = Py_BuildValue("(NNNNNN)", dcpn_python_integers(ends, count), dcpn_python_integers(ends + count, count),
                              dcpn_python_doubles(numbers, count), dcpn_python_doubles(diagonal, p),
                              dcpn_python_doubles(mean, p),
                              has_stability ? dcpn_python_doubles(frequency, count) : Py_NewRef(Py_None));
    } else {
        PyErr_NoMemory();
    }
    free(ends);
    free(numbers);
    return found;
}

static PyObject *run_graph(struct graph_request *r, struct call *call, const struct data *data)
{
    if (borrow_graph(r, data->matrix) < 0) return NULL;
    if (r->is_covariance && dcpn_matrix_rows(data->matrix) != dcpn_matrix_columns(data->matrix))
        return PyErr_SetString(PyExc_ValueError, "covariance: expected as many rows as columns"), NULL;
    if (r->is_covariance && !(r->square = spread(data->matrix))) return NULL;
    const dcpn_graph_source source = {.X = r->is_covariance ? NULL : data->matrix,
                                      .weights = r->weights.entries,
                                      .covariance = r->square,
                                      .variables = dcpn_matrix_columns(data->matrix),
                                      .rows = r->rows};
    dcpn_python_unlock(call);
    dcpn_status status = dcpn_graphs_fit(call->context, &source, &r->settings, &r->options, &r->graphs);
    dcpn_python_lock(call);
    if (dcpn_python_raises(call, status)) return NULL;
    PyObject *kept = dcpn_python_keep_matrix(data, &(struct matrix_kept){.graphs = r->graphs});
    if (!kept) return NULL;
    return Py_BuildValue("{s:N,s:N,s:N,s:L,s:O,s:N}", "kept", kept, "points", points_of(r->graphs), "edges",
                         edges_of(r->graphs),
                         "chosen", (long long)dcpn_graphs_chosen(r->graphs), "notes", call->notes, "exception",
                         dcpn_python_exception(call));
}

PyObject *dcpn_python_graph(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct graph_request request = {0};
    struct call call;
    if (parse_graph(arguments, words, &request) < 0) return NULL;
    if (dcpn_python_data_enter((struct data *)self, &call, Py_None) < 0) return NULL;
    PyObject *found = run_graph(&request, &call, (struct data *)self);
    dcpn_python_release(&request.weights);
    dcpn_python_release(&request.lambdas);
    dcpn_python_release(&request.factors);
    free(request.square);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}

/* ---- one fit for each variable ---- */

/* Arrays: where each variable's coefficients begin, and these; the edges; and a row of numbers for each variable. */
static PyObject *neighbours_of(const struct data *data, dcpn_neighbours *n)
{
    int64_t p = n->variables, last = p - 1, total = n->fits[last].first + n->fits[last].fit.nonzeros;
    int64_t *whole = calloc((size_t)(p + 1 + 2 * n->edge_count), sizeof *whole);
    double *numbers = calloc((size_t)(n->edge_count + 6 * p), sizeof *numbers);
    PyObject *found = NULL, *kept = dcpn_python_keep_matrix(data, &(struct matrix_kept){.neighbours = n});
    if (whole && numbers && kept) {
        int64_t *ends = whole + p + 1;
        double *of_fit = numbers + n->edge_count;
        for (int64_t e = 0; e < n->edge_count; e++) {
            ends[2 * e] = n->edges[e].first, ends[2 * e + 1] = n->edges[e].second;
            numbers[e] = n->edges[e].weight;
        }
        for (int64_t i = 0; i < p; i++) {
            const dcpn_neighbour_fit *fit = &n->fits[i];
            const double row[] = {fit->intercept,
                                  fit->lambda,
                                  fit->fit.objective,
                                  fit->fit.stationarity,
                                  fit->fit.stationarity_goal,
                                  dcpn_has_converged(fit->fit.outcome) ? 1.0 : 0.0};
            whole[i] = fit->first;
            memcpy(of_fit + 6 * i, row, sizeof row);
        }
        whole[p] = total;
        found = Py_BuildValue("{s:O,s:N,s:N,s:N,s:N,s:N,s:N}", "kept", kept, "first",
                              dcpn_python_integers(whole, p + 1), "index",
                              dcpn_python_integers(n->index, total), "value", dcpn_python_doubles(n->value, total),
                              "ends", dcpn_python_integers(ends, 2 * n->edge_count), "weights",
                              dcpn_python_doubles(numbers, n->edge_count), "fits", dcpn_python_doubles(of_fit, 6 * p));
    } else {
        PyErr_NoMemory();
    }
    Py_XDECREF(kept);
    free(whole);
    free(numbers);
    return found;
}

PyObject *dcpn_python_neighbours(PyObject *self, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"settings", "weights", "lambdas",    "n_lambdas", "min_ratio",
                            "gamma",    "either",  "two_values", NULL};
    const struct data *data = (const struct data *)self;
    PyObject *dictionary, *weights_object = Py_None, *lambdas_object = Py_None, *found = NULL;
    struct borrowed weights = {0}, lambdas = {0};
    dcpn_neighbour_options options = {0};
    dcpn_neighbours *neighbours = NULL;
    dcpn_settings settings;
    struct call call;
    long long n_lambdas = 0;
    int either = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "O!|OOLddpp", names, &PyDict_Type, &dictionary, &weights_object,
                                     &lambdas_object, &n_lambdas, &options.min_ratio, &options.gamma, &either,
                                     &options.two_values) ||
        dcpn_python_settings(dictionary, &settings) < 0 ||
        dcpn_python_borrow(weights_object, "weights", DCPN_PYTHON_DOUBLE, dcpn_matrix_rows(data->matrix), &weights) < 0)
        return NULL;
    if (dcpn_python_borrow(lambdas_object, "lambdas", DCPN_PYTHON_DOUBLE, -1, &lambdas) == 0 &&
        dcpn_python_data_enter((struct data *)self, &call, Py_None) == 0) {
        options.rule = either ? DCPN_NEIGHBOURS_OR : DCPN_NEIGHBOURS_AND;
        options.weights = weights.entries;
        options.lambdas = lambdas.entries;
        options.lambda_count = lambdas.entries ? lambdas.count : n_lambdas;
        dcpn_python_unlock(&call);
        dcpn_status status = dcpn_neighbours_fit(call.context, data->matrix, &settings, &options, &neighbours);
        dcpn_python_lock(&call);
        if (!dcpn_python_raises(&call, status)) found = neighbours_of(data, neighbours);
        dcpn_python_data_leave((struct data *)self, &call);
    }
    dcpn_python_release(&weights);
    dcpn_python_release(&lambdas);
    return found;
}

/* ---- completion: the data are rows of row, column and value ---- */

struct complete_request {
    dcpn_settings settings;
    PyObject *lambdas_object;
    struct borrowed lambdas;
    dcpn_complete_options options;
    long long rows, columns;
    dcpn_completion *completion;
};

static int parse_complete(PyObject *arguments, PyObject *words, struct complete_request *r)
{
    static char *names[] = {"settings",      "rows",           "columns", "lambdas", "n_lambdas",
                            "min_ratio",     "held_out",       "seed",    "center",  "most_rank",
                            "sparse_lambda", "sparse_penalty", NULL};
    PyObject *settings;
    long long n_lambdas = 0, seed = 0, most_rank = 0;
    r->lambdas_object = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "O!LL|OLddLpLds", names, &PyDict_Type, &settings, &r->rows,
                                     &r->columns, &r->lambdas_object, &n_lambdas, &r->options.min_ratio,
                                     &r->options.held_out, &seed, &r->options.center, &most_rank,
                                     &r->options.sparse_lambda, &r->options.sparse_penalty))
        return -1;
    r->options.lambda_count = n_lambdas;
    r->options.seed = (uint64_t)seed;
    r->options.most_rank = most_rank;
    if (dcpn_python_borrow(r->lambdas_object, "lambdas", DCPN_PYTHON_DOUBLE, -1, &r->lambdas) < 0) return -1;
    r->options.lambdas = r->lambdas.entries;
    if (r->lambdas.entries) r->options.lambda_count = r->lambdas.count;
    return dcpn_python_settings(settings, &r->settings);
}

static double number_of(const dcpn_completion *c, const char *field)
{
    dcpn_value value = {0};
    dcpn_completion_get(c, field, &value);
    return value.real;
}

static PyObject *factors_of(const dcpn_completion *c)
{
    int64_t rank = (int64_t)number_of(c, "rank"), rows = (int64_t)number_of(c, "rows"),
            columns = (int64_t)number_of(c, "columns");
    int64_t count = (int64_t)number_of(c, "sparse_count");
    double *numbers = calloc((size_t)((rows + columns + 1) * rank + count + 1), sizeof *numbers);
    int64_t *places = calloc(2 * (size_t)count + 1, sizeof *places);
    PyObject *found = NULL;
    if (numbers && places) {
        double *U = numbers, *sigma = U + rows * rank, *V = sigma + rank, *sparse = V + columns * rank;
        dcpn_completion_factors(c, U, sigma, V);
        dcpn_completion_sparse(c, places, places + count, sparse);
        found = Py_BuildValue("(NNNNNN)", dcpn_python_doubles(U, rows * rank), dcpn_python_doubles(sigma, rank),
                              dcpn_python_doubles(V, columns * rank), dcpn_python_integers(places, count),
                              dcpn_python_integers(places + count, count), dcpn_python_doubles(sparse, count));
    } else {
        PyErr_NoMemory();
    }
    free(numbers);
    free(places);
    return found;
}

static PyObject *answer_complete(const struct data *data, dcpn_completion *c, const struct call *call)
{
    PyObject *kept = dcpn_python_keep_matrix(data, &(struct matrix_kept){.completion = c});
    if (!kept) return NULL;
    dcpn_outcome outcome = (dcpn_outcome)(int)number_of(c, "outcome");
    return Py_BuildValue(
        "{s:N,s:N,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:L,s:s,s:O,s:O,s:N}", "kept", kept, "factors", factors_of(c), "lambda",
        number_of(c, "lambda"), "lambda_max", number_of(c, "lambda_max"), "objective", number_of(c, "objective"),
        "offset", number_of(c, "offset"), "violation", number_of(c, "violation"), "goal", number_of(c, "goal"),
        "held_out_error", number_of(c, "held_out_error"), "iterations", (long long)number_of(c, "iterations"),
        "outcome", dcpn_outcome_name(outcome), "converged", dcpn_has_converged(outcome) ? Py_True : Py_False, "notes",
        call->notes, "exception", dcpn_python_exception(call));
}

static PyObject *run_complete(struct complete_request *r, struct call *call, const struct data *data)
{
    int64_t count = dcpn_matrix_rows(data->matrix);
    if (dcpn_matrix_columns(data->matrix) != 3)
        return PyErr_SetString(PyExc_ValueError, "complete: expected row, column and value of each entry"), NULL;
    double *table = spread(data->matrix), *value = calloc((size_t)count + 1, sizeof *value);
    int64_t *place = calloc(2 * (size_t)count + 1, sizeof *place);
    PyObject *found = NULL;
    if (table && value && place) {
        for (int64_t e = 0; e < count; e++) {
            place[e] = (int64_t)table[3 * e];
            place[count + e] = (int64_t)table[3 * e + 1];
            value[e] = table[3 * e + 2];
        }
        const dcpn_entries entries = {r->rows, r->columns, count, place, place + count, value};
        dcpn_python_unlock(call);
        dcpn_status status = dcpn_completion_fit(call->context, &entries, &r->settings, &r->options, &r->completion);
        dcpn_python_lock(call);
        found = dcpn_python_raises(call, status) ? NULL : answer_complete(data, r->completion, call);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    free(table);
    free(value);
    free(place);
    return found;
}

PyObject *dcpn_python_complete(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct complete_request request = {0};
    struct call call;
    PyObject *found = NULL;
    if (parse_complete(arguments, words, &request) == 0 &&
        dcpn_python_data_enter((struct data *)self, &call, Py_None) == 0) {
        found = run_complete(&request, &call, (struct data *)self);
        dcpn_python_data_leave((struct data *)self, &call);
    }
    dcpn_python_release(&request.lambdas);
    return found;
}
