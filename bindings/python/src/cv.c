/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.cv: paths, their cross-validation, and stability selection. */
#include "kept.h"
#include "path_options.h"
#include "results.h"

struct cv_request {
    struct path_request path;
    dcpn_cv_options options;
    int64_t features_kept;
    struct borrowed fold_of;
};

/* The words of the call, besides the observer. */
static int take_options(struct cv_request *r, PyObject *words, int64_t rows, PyObject **observer)
{
    static char *names[] = {"folds",      "fold_of", "seed",          "stratified", "measure",  "rule",
                            "subsamples", "share",   "threshold",     "patience",   "observer", "compares",
                            "repeats",    "relax",   "features_kept", NULL};
    PyObject *fold_of = Py_None, *empty = PyTuple_New(0);
    long long folds = 0, subsamples = 0, patience = 0, repeats = 0, features_kept = 0;
    unsigned long long seed = 0;
    int is_stratified = 1;
    dcpn_cv_options *o = &r->options;
    int is_parsed = empty && PyArg_ParseTupleAndKeywords(empty, words, "|LOKpzzLddLOpLpL", names, &folds, &fold_of,
                                                         &seed, &is_stratified, &o->measure, &o->rule, &subsamples,
                                                         &o->share, &o->threshold, &patience, observer, &o->compares,
                                                         &repeats, &o->relaxes, &features_kept);
    Py_XDECREF(empty);
    if (!is_parsed) return -1;
    if (dcpn_python_borrow(fold_of, "folds", DCPN_PYTHON_INT64, rows, &r->fold_of) < 0) return -1;
    o->folds = folds;
    o->repeats = repeats;
    r->features_kept = features_kept;
    o->fold_of = r->fold_of.entries;
    o->seed = seed;
    o->is_unstratified = !is_stratified;
    o->subsamples = subsamples;
    o->patience = patience;
    return 0;
}

static PyObject *cross_validate(PyObject *arguments, struct cv_request *r, struct call *call, const struct data *data)
{
    dcpn_cv *cv = NULL;
    if (dcpn_python_path_request(arguments, &r->path, call, data) < 0) return NULL;
    r->options.path = r->path.options;
    r->options.path.features_kept = r->features_kept;
    call->left.ahead = dcpn_cli_work_ahead(&r->options, dcpn_matrix_rows(data->matrix),
                                           r->path.problem.objects[GROUPS] != Py_None, r->path.settings.penalty,
                                           dcpn_context_threads(data->context));
    dcpn_python_unlock(call);
    dcpn_status status = dcpn_cv_run(data->context, r->path.problem.problem, &r->path.settings, &r->options, &cv);
    dcpn_python_lock(call);
    if (dcpn_python_raises(call, status)) return NULL;
    const struct results_kept kept = {.cv = cv, .groups = dcpn_python_groups(&r->path.problem)};
    return Py_BuildValue("{s:N,s:N,s:O,s:N}", "cv", dcpn_python_cv_result(cv), "kept",
                         dcpn_python_keep(data, &kept), "notes", call->notes, "exception",
                         dcpn_python_exception(call));
}

/* cv(y, settings, weights, offset, factors, lower, upper, groups, survival, options, *, folds=0, ..., observer=None) */
PyObject *dcpn_python_cv(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct cv_request request = {0};
    struct data *data = (struct data *)self;
    struct call call;
    PyObject *observer = Py_None, *found = NULL;
    if (take_options(&request, words, dcpn_matrix_rows(data->matrix), &observer) < 0) return NULL;
    if (dcpn_python_data_enter(data, &call, observer) == 0) {
        found = cross_validate(arguments, &request, &call, data);
        dcpn_python_path_request_free(&request.path);
        dcpn_python_data_leave(data, &call);
    }
    dcpn_python_release(&request.fold_of);
    return found;
}
