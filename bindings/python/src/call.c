/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of the library from Python. */
#include "call.h"

#include <time.h>

/* At signals, and at the observer after the first look, which comes with the first step: Ctrl-C is to take less than
 * 0.2 s. */
static const double LOOK_EVERY_S = 0.05;

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- the interpreter's lock ---- */

void dcpn_python_unlock(struct call *call)
{
    call->released = PyEval_SaveThread();
}

void dcpn_python_lock(struct call *call)
{
    PyEval_RestoreThread(call->released);
    call->released = NULL;
}

/* The library calls back from its own threads, too, but from one at a time; and on the caller's also where that has not
 * released the lock. */
struct hold dcpn_python_lock_here(struct call *call)
{
    struct hold hold = {.is_callers = PyThread_get_thread_ident() == call->caller};
    hold.was_released = hold.is_callers && call->released;
    if (hold.was_released) dcpn_python_lock(call);
    if (!hold.is_callers) hold.borrowed = PyGILState_Ensure();
    return hold;
}

void dcpn_python_unlock_here(struct call *call, const struct hold *hold)
{
    if (hold->was_released) dcpn_python_unlock(call);
    if (!hold->is_callers) PyGILState_Release(hold->borrowed);
}

/* ---- exceptions ---- */

void dcpn_python_keep_exception(struct call *call)
{
    PyObject *type, *value, *trace;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value && trace) PyException_SetTraceback(value, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    if (call->exception)
        Py_XDECREF(value);
    else
        call->exception = value;
    dcpn_context_interrupt(call->context);
}

static PyObject *exception_of(dcpn_status status)
{
    switch (status) {
    case DCPN_IO:
        return PyExc_OSError;
    case DCPN_MEMORY:
        return PyExc_MemoryError;
    case DCPN_PEER:
        return PyExc_ConnectionError;
    default:
        return PyExc_ValueError;
    }
}

int dcpn_python_raises(const struct call *call, dcpn_status status)
{
    if (status == DCPN_OK) return 0;
    if (call->exception)
        PyErr_SetObject((PyObject *)Py_TYPE(call->exception), call->exception);
    else
        PyErr_SetString(exception_of(status), dcpn_last_error(call->context));
    return 1;
}

PyObject *dcpn_python_exception(const struct call *call)
{
    return Py_NewRef(call->exception ? call->exception : Py_None);
}

/* ---- the context ---- */

static const char HOME[] = "dcpn.home";

static void destroy_home(PyObject *capsule)
{
    struct home *home = PyCapsule_GetPointer(capsule, HOME);
    dcpn_context_free(home->context);
    PyMem_Free(home);
}

struct home *dcpn_python_home_of(PyObject *capsule)
{
    return PyCapsule_GetPointer(capsule, HOME);
}

PyObject *dcpn_python_home_new(int threads)
{
    struct home *home = PyMem_Malloc(sizeof *home);
    if (!home) return PyErr_NoMemory();
    *home = (struct home){.context = dcpn_context_new(NULL)};
    PyObject *capsule = home->context ? PyCapsule_New(home, HOME, destroy_home) : PyErr_NoMemory();
    if (!capsule) {
        dcpn_context_free(home->context);
        PyMem_Free(home);
        return NULL;
    }
    dcpn_context_set_threads(home->context, threads);
    dcpn_context_set_option_prefix(home->context, "--"); /* which _settings.py turns into names of Python */
    return capsule;
}

int dcpn_python_enter(PyObject *capsule, const char *busy, struct call *call, PyObject *observer)
{
    struct home *home = dcpn_python_home_of(capsule);
    if (home->is_busy) return PyErr_SetString(PyExc_RuntimeError, busy), -1;
    if (dcpn_python_begin(call, home->context, observer) < 0) return -1;
    home->is_busy = 1;
    return 0;
}

void dcpn_python_leave(PyObject *capsule, struct call *call)
{
    dcpn_python_end(call);
    dcpn_python_home_of(capsule)->is_busy = 0;
}

/* ---- a call ---- */

static void note(void *user, dcpn_log_level level, const char *message)
{
    struct call *call = user;
    if (level == DCPN_LOG_DETAIL) return;
    const struct hold hold = dcpn_python_lock_here(call);
    PyObject *pair = Py_BuildValue("(is)", (int)level, message);
    if (!pair || PyList_Append(call->notes, pair) < 0) dcpn_python_keep_exception(call);
    Py_XDECREF(pair);
    dcpn_python_unlock_here(call, &hold);
}

/* Signals are asked by the thread that made the call, which Python's own handlers want. */
static int ask_signals(void *user)
{
    struct call *call = user;
    const struct hold hold = dcpn_python_lock_here(call);
    if (PyErr_CheckSignals() < 0) dcpn_python_keep_exception(call);
    dcpn_python_unlock_here(call, &hold);
    return call->exception != NULL;
}

int dcpn_python_begin(struct call *call, dcpn_context *context, PyObject *observer)
{
    *call = (struct call){.context = context,
                          .caller = PyThread_get_thread_ident(),
                          .observer = observer == Py_None ? NULL : observer,
                          .looked_at = -Py_HUGE_VAL};
    call->notes = PyList_New(0);
    if (!call->notes) return -1;
    dcpn_context_set_log(context, note, call);
    dcpn_context_set_poll(context, ask_signals, LOOK_EVERY_S, call);
    return 0;
}

void dcpn_python_end(struct call *call)
{
    dcpn_context_set_log(call->context, NULL, NULL);
    dcpn_context_set_poll(call->context, NULL, 0.0, NULL);
    dcpn_context_resume(call->context);
    dcpn_cli_remaining_free(&call->left);
    Py_CLEAR(call->notes);
    Py_CLEAR(call->exception);
}

/* ---- observers ---- */

/* 1: it is time to ask the observer; the lock is held then. */
static int begin_look(struct call *call, struct hold *hold)
{
    double now = call->observer ? now_s() : 0.0;
    if (call->is_over || !call->observer || now - call->looked_at < LOOK_EVERY_S) return 0;
    call->looked_at = now;
    *hold = dcpn_python_lock_here(call);
    return 1;
}

/* What an observer returns is true to end; an exception ends the work, too. */
static void ask(struct call *call, PyObject *arguments)
{
    PyObject *answer = arguments ? PyObject_CallObject(call->observer, arguments) : NULL;
    int ends = answer ? PyObject_IsTrue(answer) : -1;
    Py_XDECREF(arguments);
    Py_XDECREF(answer);
    if (ends < 0) dcpn_python_keep_exception(call);
    call->is_over |= ends != 0;
}

int dcpn_python_observe(void *user, const dcpn_progress *p)
{
    struct call *call = user;
    struct hold hold;
    if (!begin_look(call, &hold)) return call->is_over;
    ask(call, Py_BuildValue("(Lddd)", (long long)p->k, p->objective, p->stationarity, p->time_s));
    dcpn_python_unlock_here(call, &hold);
    return call->is_over;
}

static int tell_left(const struct call *call, double left_s)
{
    if (!PyObject_HasAttrString(call->observer, "left_s")) return 0;
    PyObject *left = PyFloat_FromDouble(left_s);
    int status = left ? PyObject_SetAttrString(call->observer, "left_s", left) : -1;
    Py_XDECREF(left);
    return status;
}

int dcpn_python_observe_path(void *user, const dcpn_path_progress *p)
{
    struct call *call = user;
    struct hold hold;
    double now = call->observer ? now_s() : 0.0, left = Py_NAN;
    if (call->begun_at == 0.0) call->begun_at = now;
    if (call->observer) left = dcpn_cli_remaining(&call->left, now - call->begun_at, p);
    if (p->done != call->done) call->looked_at = -Py_HUGE_VAL; /* it sees every fit */
    call->done = p->done;
    if (!begin_look(call, &hold)) return call->is_over;
    if (tell_left(call, left) < 0)
        dcpn_python_keep_exception(call);
    else
        ask(call, Py_BuildValue("(sdLLL)", p->penalty, p->lambda, (long long)p->fold, (long long)p->done,
                                (long long)p->total));
    dcpn_python_unlock_here(call, &hold);
    return call->is_over;
}
