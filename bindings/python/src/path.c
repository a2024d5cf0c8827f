/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.path: fits down a grid of lambdas. */
#include "kept.h"
#include "path_options.h"
#include "results.h"

static PyObject *path(PyObject *arguments, struct path_request *r, struct call *call, const struct data *data)
{
    dcpn_paths *paths = NULL;
    if (dcpn_python_path_request(arguments, r, call, data) < 0) return NULL;
    call->left.ahead.lambdas = r->options.lambda_count ? r->options.lambda_count : DCPN_CLI_USUAL_LAMBDAS;
    dcpn_python_unlock(call);
    dcpn_status status = dcpn_paths_fit(data->context, r->problem.problem, &r->settings, &r->options, &paths);
    dcpn_python_lock(call);
    if (dcpn_python_raises(call, status)) return NULL;
    const struct results_kept kept = {.paths = paths, .groups = dcpn_python_groups(&r->problem)};
    return Py_BuildValue("{s:N,s:N,s:O,s:N}", "paths", dcpn_python_paths(paths), "kept",
                         dcpn_python_keep(data, &kept), "notes", call->notes, "exception", dcpn_python_exception(call));
}

/* path(y, settings, weights, offset, factors, lower, upper, groups, survival, options, *, observer=None) */
PyObject *dcpn_python_path(PyObject *self, PyObject *arguments, PyObject *words)
{
    struct path_request request = {0};
    struct call call;
    PyObject *observer = words ? PyDict_GetItemString(words, "observer") : NULL;
    if (dcpn_python_data_enter((struct data *)self, &call, observer ? observer : Py_None) < 0) return NULL;
    PyObject *found = path(arguments, &request, &call, (struct data *)self);
    dcpn_python_path_request_free(&request);
    dcpn_python_data_leave((struct data *)self, &call);
    return found;
}
