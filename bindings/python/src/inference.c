/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.knockoffs and Data.intervals: features at a promised rate, and how sure coefficients are. */
#include "problem.h"
#include "results.h"
#include "settings.h"

struct request {
    struct ingredients problem;
    dcpn_settings settings;
    PyObject *observer;
};

/* The parts that both have: the problem's objects are Py_None where they were not given. */
static void begin(struct request *r)
{
    for (int k = 0; k < INGREDIENTS; k++) r->problem.objects[k] = Py_None;
    r->observer = Py_None;
}

/* What was cut short has no result: the exception that ended it is raised. */
static int is_over(const struct call *call, dcpn_status status)
{
    if (!call->exception) return dcpn_python_raises(call, status);
    PyErr_SetObject((PyObject *)Py_TYPE(call->exception), call->exception);
    return 1;
}

/* ---- knockoffs ---- */

static int parse_knockoffs(PyObject *arguments, PyObject *words, struct request *r, dcpn_knockoff_options *o)
{
    static char *names[] = {"y",         "settings", "weights", "offset", "survival", "observer", "fdr",   "kind",
                            "statistic", "distance", "copies",  "draws",  "lenient",  "seed",     "folds", NULL};
    PyObject **objects = r->problem.objects, *settings;
    long long copies = 0, draws = 0, seed = 0, folds = 0;
    begin(r);
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "OO!|OOOOdsssLLpLL", names, &objects[LABELS], &PyDict_Type,
                                     &settings, &objects[WEIGHTS], &objects[OFFSET], &objects[SURVIVAL], &r->observer,
                                     &o->fdr, &o->kind, &o->statistic, &o->distance, &copies, &draws, &o->is_lenient,
                                     &seed, &folds))
        return -1;
    o->copies = copies;
    o->draws = draws;
    o->seed = (uint64_t)seed;
    o->folds = folds;
    return dcpn_python_settings(settings, &r->settings);
}

static PyObject *answer_knockoffs(const dcpn_knockoffs *k, const struct call *call)
{
    int64_t p = k->features;
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:d,s:d,s:L,s:L,s:d,s:L,s:d,s:O}", "win", dcpn_python_doubles(k->win, p), "frequency",
        dcpn_python_doubles(k->frequency, p), "evidence", dcpn_python_doubles(k->evidence, p), "index",
        dcpn_python_integers(k->index, k->count), "threshold", k->threshold, "lambda", k->lambda, "copies",
        (long long)k->copies, "draws", (long long)k->draws, "shrinkage", k->law.shrinkage, "extra_rows",
        (long long)k->law.extra_rows, "correlation", k->law.correlation, "notes", call->notes);
}

PyObject *dcpn_python_knockoffs(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct request r = {0};
    dcpn_knockoff_options options = {0};
    dcpn_knockoffs *made = NULL;
    struct call call;
    PyObject *found = NULL;
    if (parse_knockoffs(arguments, words, &r, &options) < 0) return NULL;
    if (dcpn_python_data_enter((struct data *)self, &call, r.observer) < 0) return NULL;
    if (dcpn_python_problem(&r.problem, &call, (struct data *)self) == 0) {
        options.observer = dcpn_python_observe_path;
        options.user = &call;
        dcpn_python_unlock(&call);
        dcpn_status status = dcpn_knockoffs_run(call.context, r.problem.problem, &r.settings, &options, &made);
        dcpn_python_lock(&call);
        if (!is_over(&call, status)) found = answer_knockoffs(made, &call);
        dcpn_knockoffs_free(made);
    }
    dcpn_python_problem_free(&r.problem);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}

/* ---- intervals ---- */

static int parse_intervals(PyObject *arguments, PyObject *words, struct request *r, dcpn_interval_options *o,
                           PyObject **features)
{
    static char *names[] = {"y",        "settings", "weights", "offset", "factors", "observer",
                            "features", "level",    "method",  "seed",   "folds",   NULL};
    PyObject **objects = r->problem.objects, *settings;
    long long seed = 0, folds = 0;
    begin(r);
    *features = Py_None;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "OO!|OOOOOdzLL", names, &objects[LABELS], &PyDict_Type,
                                     &settings, &objects[WEIGHTS], &objects[OFFSET], &objects[FACTORS], &r->observer,
                                     features, &o->level, &o->method, &seed, &folds))
        return -1;
    o->seed = (uint64_t)seed;
    o->folds = folds;
    return dcpn_python_settings(settings, &r->settings);
}

static PyObject *field_of(const dcpn_intervals *made, size_t offset)
{
    return dcpn_python_field(made->of, made->count, sizeof *made->of, offset);
}

static PyObject *answer_intervals(const dcpn_intervals *made, const struct call *call)
{
    return Py_BuildValue(
        "{s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:N,s:s,s:d,s:O}", "feature", field_of(made, offsetof(dcpn_interval, feature)),
        "estimate", field_of(made, offsetof(dcpn_interval, estimate)), "error",
        field_of(made, offsetof(dcpn_interval, error)), "low", field_of(made, offsetof(dcpn_interval, low)), "high",
        field_of(made, offsetof(dcpn_interval, high)), "statistic", field_of(made, offsetof(dcpn_interval, statistic)),
        "p_value", field_of(made, offsetof(dcpn_interval, p_value)), "beside",
        field_of(made, offsetof(dcpn_interval, beside)), "method", made->method, "deviation", made->deviation, "notes",
        call->notes);
}

PyObject *dcpn_python_intervals(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct request r = {0};
    dcpn_interval_options options = {0};
    dcpn_intervals *made = NULL;
    struct borrowed features = {0};
    struct call call;
    PyObject *found = NULL, *features_object;
    if (parse_intervals(arguments, words, &r, &options, &features_object) < 0 ||
        dcpn_python_borrow(features_object, "features", DCPN_PYTHON_INT64, -1, &features) < 0)
        return NULL;
    options.features = features.entries;
    options.count = features.count;
    if (dcpn_python_data_enter((struct data *)self, &call, r.observer) == 0) {
        if (dcpn_python_problem(&r.problem, &call, (struct data *)self) == 0) {
            options.observer = dcpn_python_observe_path;
            options.user = &call;
            dcpn_python_unlock(&call);
            dcpn_status status = dcpn_intervals_run(call.context, r.problem.problem, &r.settings, &options, &made);
            dcpn_python_lock(&call);
            if (!is_over(&call, status)) found = answer_intervals(made, &call);
            dcpn_intervals_free(made);
        }
        dcpn_python_problem_free(&r.problem);
        dcpn_python_data_leave((struct data *)self, &call);
    }
    dcpn_python_release(&features);
    return found;
}
