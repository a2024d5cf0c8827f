/* SPDX-License-Identifier: BSD-3-Clause */
/* minimize: a smooth f, and a non-smooth h if the settings' penalty is not wanted, that are functions of Python.
 * Vectors go in as copies and come out as anything with the buffer of as many doubles. */
#include <string.h>

#include "own.h"
#include "results.h"
#include "settings.h"

enum function {
    VALUE1,
    GRADIENT1,
    VALUE2,
    GRADIENT2,
    PRODUCT1,
    H_VALUE1,
    H_VALUE2,
    H_SUBGRADIENT2,
    H_PROX1,
    FUNCTIONS
};

struct own {
    struct call *call;
    int64_t size;
    PyObject *functions[FUNCTIONS]; /* borrowed; None: there is none */
};

/* ---- calling ---- */

static PyObject *vector_of(const struct own *own, const double *x)
{
    return dcpn_python_doubles(x, own->size);
}

/* Takes over the arguments. NULL: an exception is set. */
static PyObject *ask(const struct own *own, enum function which, PyObject *arguments)
{
    PyObject *answer = arguments ? PyObject_CallObject(own->functions[which], arguments) : NULL;
    Py_XDECREF(arguments);
    return answer;
}

static int take_vector(const struct own *own, PyObject *answer, double *out)
{
    struct borrowed array;
    if (!answer || dcpn_python_borrow(answer, "what a function returned", DCPN_PYTHON_DOUBLE, own->size, &array) < 0)
        return -1;
    if (!array.entries) return PyErr_SetString(PyExc_ValueError, "a function returned None, expected an array"), -1;
    memcpy(out, array.entries, (size_t)own->size * sizeof *out);
    dcpn_python_release(&array);
    return 0;
}

static double ask_number(struct own *own, enum function which, const double *x)
{
    const struct hold hold = dcpn_python_lock_here(own->call);
    PyObject *answer = ask(own, which, Py_BuildValue("(N)", vector_of(own, x)));
    double value = answer ? PyFloat_AsDouble(answer) : 0.0;
    Py_XDECREF(answer);
    if (PyErr_Occurred()) dcpn_python_keep_exception(own->call);
    dcpn_python_unlock_here(own->call, &hold);
    return value;
}

/* After an exception the result is a vector of 0: the work ends soon, by way of the context. */
static void ask_vector(struct own *own, enum function which, const double *x, const double *d, double step, double *out)
{
    const struct hold hold = dcpn_python_lock_here(own->call);
    PyObject *arguments = d            ? Py_BuildValue("(NN)", vector_of(own, x), vector_of(own, d))
                          : step > 0.0 ? Py_BuildValue("(Nd)", vector_of(own, x), step)
                                       : Py_BuildValue("(N)", vector_of(own, x));
    PyObject *answer = ask(own, which, arguments);
    if (take_vector(own, answer, out) < 0) {
        dcpn_python_keep_exception(own->call);
        memset(out, 0, (size_t)own->size * sizeof *out);
    }
    Py_XDECREF(answer);
    dcpn_python_unlock_here(own->call, &hold);
}

/* ---- f ---- */

static double value1(void *user, const double *x)
{
    return ask_number(user, VALUE1, x);
}

static double value2(void *user, const double *x)
{
    return ask_number(user, VALUE2, x);
}

static void gradient1(void *user, const double *x, double *gradient)
{
    ask_vector(user, GRADIENT1, x, NULL, 0.0, gradient);
}

static void gradient2(void *user, const double *x, double *gradient)
{
    ask_vector(user, GRADIENT2, x, NULL, 0.0, gradient);
}

static void product1(void *user, const double *x, const double *d, double *product)
{
    ask_vector(user, PRODUCT1, x, d, 0.0, product);
}

/* ---- h ---- */

static double h_value1(void *user, int64_t size, const double *x)
{
    (void)size;
    return ask_number(user, H_VALUE1, x);
}

static double h_value2(void *user, int64_t size, const double *x)
{
    (void)size;
    return ask_number(user, H_VALUE2, x);
}

static void h_subgradient2(void *user, int64_t size, const double *x, double *z)
{
    (void)size;
    ask_vector(user, H_SUBGRADIENT2, x, NULL, 0.0, z);
}

static void h_prox1(void *user, int64_t size, const double *x, double step, double *out)
{
    (void)size;
    ask_vector(user, H_PROX1, x, NULL, step, out);
}

/* ---- a run ---- */

struct request {
    struct own own;
    double lipschitz;
    dcpn_settings settings;
    PyObject *start_object, *observer;
    struct borrowed start;
    dcpn_problem *problem;
    dcpn_solver *solver;
    dcpn_smooth f;
    dcpn_regularizer h;
};

static int has(const struct request *r, enum function which)
{
    return r->own.functions[which] != Py_None;
}

static dcpn_status set_up(struct request *r, dcpn_context *context)
{
    r->f = (dcpn_smooth){.size = r->own.size,
                         .value1 = value1,
                         .gradient1 = gradient1,
                         .value2 = has(r, VALUE2) ? value2 : NULL,
                         .gradient2 = has(r, GRADIENT2) ? gradient2 : NULL,
                         .hessian1_product = has(r, PRODUCT1) ? product1 : NULL,
                         .lipschitz1 = r->lipschitz,
                         .user = &r->own};
    r->h = (dcpn_regularizer){.value1 = h_value1,
                              .value2 = has(r, H_VALUE2) ? h_value2 : NULL,
                              .subgradient2 = has(r, H_SUBGRADIENT2) ? h_subgradient2 : NULL,
                              .prox1 = h_prox1,
                              .user = &r->own};
    dcpn_status status = dcpn_problem_new_smooth(context, &r->f, &r->problem);
    if (status == DCPN_OK && has(r, H_PROX1)) status = dcpn_problem_set_regularizer(r->problem, &r->h);
    if (status == DCPN_OK) status = dcpn_solver_new(context, r->problem, &r->settings, &r->solver);
    if (status == DCPN_OK) dcpn_solver_set_observer(r->solver, dcpn_python_observe, r->own.call);
    if (status == DCPN_OK && r->start.entries) status = dcpn_solver_set_start(r->solver, r->start.entries, 0.0);
    return status;
}

static PyObject *answer_of(const struct request *r, const struct call *call)
{
    return Py_BuildValue("{s:N,s:N,s:O,s:N}", "coefficients",
                         dcpn_python_doubles(dcpn_solver_coefficients(r->solver), r->own.size), "result",
                         dcpn_python_result(dcpn_solver_result(r->solver)), "notes", call->notes, "exception",
                         dcpn_python_exception(call));
}

static PyObject *run(struct request *r, struct call *call)
{
    if (dcpn_python_borrow(r->start_object, "start", DCPN_PYTHON_DOUBLE, r->own.size, &r->start) < 0) return NULL;
    dcpn_python_unlock(call);
    dcpn_status status = set_up(r, call->context);
    if (status == DCPN_OK) status = dcpn_solver_run(r->solver);
    dcpn_python_lock(call);
    PyObject *found = dcpn_python_raises(call, status) ? NULL : answer_of(r, call);
    dcpn_solver_free(r->solver);
    dcpn_problem_free(r->problem);
    dcpn_python_release(&r->start);
    return found;
}

PyObject *dcpn_python_minimize(PyObject *module, PyObject *arguments)
{
    struct request r = {0};
    struct call call;
    PyObject *settings, *functions, *found = NULL;
    long long size;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "LO!dO!OO", &size, &PyTuple_Type, &functions, &r.lipschitz, &PyDict_Type,
                          &settings, &r.start_object, &r.observer))
        return NULL;
    if (size < 1 || PyTuple_Size(functions) != FUNCTIONS)
        return PyErr_SetString(PyExc_ValueError, "minimize: found no variables or too few functions"), NULL;
    for (int k = 0; k < FUNCTIONS; k++) r.own.functions[k] = PyTuple_GetItem(functions, k);
    if (dcpn_python_settings(settings, &r.settings) < 0) return NULL;
    dcpn_context *context = dcpn_context_new(NULL);
    if (!context) return PyErr_NoMemory();
    dcpn_context_set_option_prefix(context, "--");
    r.own.size = size;
    r.own.call = &call;
    if (dcpn_python_begin(&call, context, r.observer) == 0) {
        found = run(&r, &call);
        dcpn_python_end(&call);
    }
    dcpn_context_free(context);
    return found;
}
