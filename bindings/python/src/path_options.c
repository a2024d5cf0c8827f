/* SPDX-License-Identifier: BSD-3-Clause */
/* What path and cv are asked. */
#include "path_options.h"
#include "settings.h"

static int take_penalties(struct path_request *r, PyObject *list)
{
    Py_ssize_t count = PyList_Size(list);
    if (count < 0) return -1;
    if (count > MOST_PENALTIES)
        return PyErr_Format(PyExc_ValueError, "penalties: found %zd, expected at most %d", count, MOST_PENALTIES), -1;
    for (Py_ssize_t k = 0; k < count; k++)
        if (!(r->penalties[k] = dcpn_python_text(PyList_GetItem(list, k), "penalties"))) return -1;
    r->options.penalties = count ? r->penalties : NULL;
    r->options.penalty_count = count;
    return 0;
}

static int take_array(PyObject *object, const char *what, struct borrowed *array, const double **entries,
                      int64_t *count)
{
    if (dcpn_python_borrow(object, what, DCPN_PYTHON_DOUBLE, -1, array) < 0) return -1;
    *entries = array->entries;
    *count = array->count;
    return 0;
}

static int take_options(struct path_request *r, PyObject *options)
{
    dcpn_path_options *o = &r->options;
    PyObject *lambdas = Py_None, *values = Py_None, *penalties = NULL, *empty = PyTuple_New(0);
    static char *names[] = {"lambdas", "n_lambdas", "min_ratio", "penalties", "values", "saturation", NULL};
    long long count = 0;
    int is_parsed = empty && PyArg_ParseTupleAndKeywords(empty, options, "|OLdO!Od", names, &lambdas, &count,
                                                         &o->min_ratio, &PyList_Type, &penalties, &values,
                                                         &o->saturation);
    Py_XDECREF(empty);
    if (!is_parsed || (penalties && take_penalties(r, penalties) < 0)) return -1;
    if (take_array(values, "values", &r->values, &o->values, &o->value_count) < 0) return -1;
    if (lambdas == Py_None) o->lambda_count = count;
    return lambdas == Py_None ? 0 : take_array(lambdas, "lambdas", &r->lambdas, &o->lambdas, &o->lambda_count);
}

int dcpn_python_path_request(PyObject *arguments, struct path_request *r, struct call *call, const struct data *data)
{
    PyObject **o = r->problem.objects, *settings, *options;
    if (!PyArg_ParseTuple(arguments, "OO!OOOOOOOO!", &o[LABELS], &PyDict_Type, &settings, &o[WEIGHTS], &o[OFFSET],
                          &o[FACTORS], &o[LOWER], &o[UPPER], &o[GROUPS], &o[SURVIVAL],
                          &PyDict_Type, &options))
        return -1;
    if (dcpn_python_settings(settings, &r->settings) < 0 || take_options(r, options) < 0) return -1;
    r->options.observer = dcpn_python_observe_path;
    r->options.user = call;
    return dcpn_python_problem(&r->problem, call, data);
}

void dcpn_python_path_request_free(struct path_request *r)
{
    dcpn_python_problem_free(&r->problem);
    dcpn_python_release(&r->lambdas);
    dcpn_python_release(&r->values);
}
