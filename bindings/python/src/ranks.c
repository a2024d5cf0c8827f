/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks whose messages are functions of Python: join(rank, size, allreduce, broadcast, leave). */
#include "data.h"

/* The lock is that of whichever thread called the library. 0: the function has returned without an exception. */
static int call_with_memory(PyObject *function, void *memory, int64_t bytes, PyObject *what)
{
    PyObject *view = what ? PyMemoryView_FromMemory(memory, (Py_ssize_t)bytes, PyBUF_WRITE) : NULL;
    PyObject *answer = view ? PyObject_CallFunctionObjArgs(function, view, what, NULL) : NULL;
    Py_XDECREF(view);
    Py_XDECREF(what);
    if (!answer) PyErr_WriteUnraisable(function);
    Py_XDECREF(answer);
    return answer == NULL;
}

static int allreduce(void *user, int64_t *words, int64_t count, dcpn_reduction how)
{
    struct data *data = user;
    PyGILState_STATE held = PyGILState_Ensure();
    int has_failed = call_with_memory(data->allreduce, words, count * (int64_t)sizeof *words,
                                      PyUnicode_FromString(how == DCPN_SUM ? "sum" : "max"));
    PyGILState_Release(held);
    return has_failed;
}

static int broadcast(void *user, void *bytes, int64_t count, int32_t root)
{
    struct data *data = user;
    PyGILState_STATE held = PyGILState_Ensure();
    int has_failed = call_with_memory(data->broadcast, bytes, count, PyLong_FromLong(root));
    PyGILState_Release(held);
    return has_failed;
}

static void leave(void *user)
{
    struct data *data = user;
    PyGILState_STATE held = PyGILState_Ensure();
    PyObject *answer = data->leave == Py_None ? Py_NewRef(Py_None) : PyObject_CallFunctionObjArgs(data->leave, NULL);
    if (!answer) PyErr_WriteUnraisable(data->leave);
    Py_XDECREF(answer);
    PyGILState_Release(held);
}

PyObject *dcpn_python_join(PyObject *self, PyObject *arguments)
{
    struct data *data = (struct data *)self;
    PyObject *functions[3];
    int rank, size;
    if (!PyArg_ParseTuple(arguments, "iiOOO", &rank, &size, &functions[0], &functions[1], &functions[2])) return NULL;
    if (dcpn_python_home_of(data->home)->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "these data are in use by another thread; make Data of its own for each");
        return NULL;
    }
    const dcpn_collective table = {.version = DCPN_COLLECTIVE_VERSION,
                                   .rank = rank,
                                   .size = size,
                                   .allreduce_int64 = allreduce,
                                   .broadcast = broadcast,
                                   .leave = leave,
                                   .user = data};
    if (dcpn_context_set_collective(data->context, &table) != DCPN_OK) {
        PyErr_SetString(PyExc_ValueError, dcpn_last_error(data->context));
        return NULL;
    }
    PyObject **kept[] = {&data->allreduce, &data->broadcast, &data->leave};
    for (int k = 0; k < 3; k++) {
        Py_XDECREF(*kept[k]);
        *kept[k] = Py_NewRef(functions[k]);
    }
    Py_RETURN_NONE;
}
