/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of the library as dictionaries. */
#include "results.h"

PyObject *dcpn_python_result(const dcpn_result *r)
{
    return Py_BuildValue("{s:i,s:d,s:d,s:d,s:d,s:d,s:L,s:L,s:L,s:L,s:L,s:L,s:L,s:d,s:d,s:z,s:z,s:z}", "outcome",
                         (int)r->outcome, "objective", r->objective, "loss_value", r->loss_value, "penalty_value",
                         r->penalty_value, "stationarity", r->stationarity, "stationarity_goal", r->stationarity_goal,
                         "nonzeros", (long long)r->nonzeros, "escape", (long long)r->escape, "untried",
                         (long long)r->untried, "iterations", (long long)r->iterations, "inner_iterations",
                         (long long)r->inner_iterations, "line_search_trials", (long long)r->line_search_trials,
                         "safeguards", (long long)r->safeguards, "passes", r->passes, "time_s", r->time_s, "algorithm",
                         r->algorithm, "metric", r->metric, "subsolver", r->subsolver);
}

/* ---- paths ---- */

static PyObject *outcomes_of(const dcpn_path *path)
{
    PyObject *list = PyList_New((Py_ssize_t)path->count);
    for (int64_t k = 0; list && k < path->count; k++)
        if (PyList_SetItem(list, (Py_ssize_t)k, PyLong_FromLong((long)path->points[k].fit.outcome)) < 0) Py_CLEAR(list);
    return list;
}

static PyObject *point_field(const dcpn_path *path, size_t offset)
{
    return dcpn_python_field(path->points, path->count, sizeof *path->points, offset);
}

#define POINT(FIELD) point_field(path, offsetof(dcpn_path_point, FIELD))

/* Where there are several, those of each point, one point after another. */
static PyObject *intercepts_of(const dcpn_paths *paths, const dcpn_path *path)
{
    if (!path->intercepts) return POINT(intercept);
    return dcpn_python_doubles(path->intercepts, path->count * dcpn_intercept_count(paths->scores, &paths->labels));
}

/* Marginal false discovery rates; NaN where they are not known. */
static PyObject *rates_of(const dcpn_paths *paths, int64_t k)
{
    int64_t count = paths->paths[k].count;
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((size_t)count * sizeof(double)));
    double *rates = bytes ? (double *)(void *)PyByteArray_AsString(bytes) : NULL;
    for (int64_t i = 0; rates && i < count; i++) rates[i] = dcpn_paths_mfdr(paths, k, i);
    return bytes;
}

static PyObject *path_result(const dcpn_paths *paths, int64_t k)
{
    const dcpn_path *path = &paths->paths[k];
    static const char *const ends[] = {"all", "saturated", "crowded", "noise", "interrupted"};
    static const char *const kinds[] = {NULL, "local", "searched", "by-size"};
    return Py_BuildValue("{s:s,s:z,s:z,s:d,s:d,s:s,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N}",
                         "penalty", path->settings.penalty, "kind", kinds[path->kind], "varying", path->varying,
                         "value", path->value, "lambda_max", path->lambda_max, "end", ends[path->end], "lambdas",
                         POINT(lambda), "intercepts", intercepts_of(paths, path), "first", POINT(first), "indices",
                         dcpn_python_integers(path->index, path->used), "coefficients",
                         dcpn_python_doubles(path->value_of, path->used), "objective", POINT(fit.objective),
                         "loss_value", POINT(fit.loss_value), "penalty_value", POINT(fit.penalty_value), "stationarity",
                         POINT(fit.stationarity), "stationarity_goal", POINT(fit.stationarity_goal), "nonzeros",
                         POINT(fit.nonzeros), "iterations", POINT(fit.iterations), "deviance", POINT(deviance),
                         "convexity", POINT(convexity), "mfdr", rates_of(paths, k), "outcomes", outcomes_of(path));
}

static PyObject *all_paths(const dcpn_paths *paths)
{
    PyObject *list = PyList_New((Py_ssize_t)paths->count);
    for (int64_t k = 0; list && k < paths->count; k++) {
        PyObject *path = path_result(paths, k);
        if (!path || PyList_SetItem(list, (Py_ssize_t)k, path) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *dcpn_python_paths(const dcpn_paths *paths)
{
    return Py_BuildValue("{s:L,s:L,s:L,s:d,s:d,s:d,s:N}", "rows", (long long)paths->rows, "features",
                         (long long)paths->features, "scores", (long long)paths->scores, "weight", paths->weight,
                         "null_deviance", paths->null_deviance, "time_s", paths->time_s, "paths", all_paths(paths));
}

/* ---- cross-validation ---- */

static PyObject *texts(const char *const *words, int64_t count)
{
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t k = 0; list && k < count; k++) {
        PyObject *word = PyUnicode_FromString(words[k]);
        if (!word || PyList_SetItem(list, (Py_ssize_t)k, word) < 0) Py_CLEAR(list);
    }
    return list;
}

static PyObject *choice(const dcpn_cv_choice *c)
{
    return Py_BuildValue("(LLdd)", (long long)c->path, (long long)c->point, c->mean, c->se);
}

static PyObject *stability(const dcpn_stability *s)
{
    if (!s) return Py_NewRef(Py_None);
    return Py_BuildValue(
        "{s:L,s:d,s:d,s:L,s:L,s:d,s:d,s:L,s:d,s:N,s:N,s:N}", "subsamples", (long long)s->subsamples, "share", s->share,
        "threshold", s->threshold, "path", (long long)s->path, "points", (long long)s->points, "mean_selected",
        s->mean_selected, "bound", s->bound, "pairs", (long long)s->pairs, "sharper_bound", s->sharper_bound, "indices",
        dcpn_python_integers(s->index, s->count), "frequency", dcpn_python_doubles(s->frequency, s->count),
        "group_frequency", s->groups ? dcpn_python_doubles(s->group_frequency, s->groups) : Py_NewRef(Py_None));
}

PyObject *dcpn_python_cv_result(const dcpn_cv *cv)
{
    int64_t paths = cv->paths->count, points = cv->first[paths];
    return Py_BuildValue("{s:N,s:L,s:N,s:i,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:s,s:N,s:O,s:O,s:d}", "paths",
                         dcpn_python_paths(cv->paths), "folds", (long long)cv->folds, "measures",
                         texts(cv->measured.names, cv->measured.count), "measure", cv->measured.chooses, "first",
                         dcpn_python_integers(cv->first, paths + 1), "values",
                         dcpn_python_doubles(cv->value, points * DCPN_MEASURES * cv->folds), "mean",
                         dcpn_python_doubles(cv->mean, points * DCPN_MEASURES), "se",
                         dcpn_python_doubles(cv->se, points * DCPN_MEASURES), "best",
                         dcpn_python_integers(cv->best, paths), "one_se", dcpn_python_integers(cv->one_se, paths),
                         "min", choice(&cv->choice.min), "1se", choice(&cv->choice.sparse), "stability",
                         stability(cv->stability), "rule", cv->choice.rule, "chosen", choice(&cv->choice.chosen),
                         "compares", cv->compares ? Py_True : Py_False, "is_complete",
                         cv->ending.is_complete ? Py_True : Py_False, "time_s", cv->ending.time_s);
}
