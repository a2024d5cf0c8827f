/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of the library from Python: without the interpreter's lock, ended by Ctrl-C, and its failures as
 * exceptions. */
#ifndef DCPN_PYTHON_CALL_H
#define DCPN_PYTHON_CALL_H

#include "extension.h"

#include "cli/remaining.h"

struct call {
    dcpn_context *context;
    unsigned long caller;    /* the thread that made the call, */
    PyThreadState *released; /* and what it gave back when it released the lock; NULL: it has the lock */
    PyObject *observer;      /* a Python function, borrowed; NULL: nobody looks */
    PyObject *notes;         /* what the library says, as a list of (level, sentence) */
    PyObject *exception;     /* from a signal or the observer; NULL: none */
    int is_over;             /* the work is to end: there is an exception, or the observer said so */
    double looked_at;        /* by the clock: when the observer was last asked */
    int64_t done;            /* fits of a path, at the last look */
    double begun_at;         /* by the clock: when the first fit was seen; 0: none has been */
    struct remaining left;   /* of paths and cross-validations; all 0: every fit is taken to last as long */
};

/* A context and whether a call is in it, for all that works in it: data, and the results that outlive them. */
struct home {
    dcpn_context *context;
    int is_busy;
};
/* A new capsule of one; NULL: an exception is set. */
PyObject *dcpn_python_home_new(int threads);
struct home *dcpn_python_home_of(PyObject *capsule);

/* Sets the log of the context; -1: an exception is set. observer: a Python object, None for nobody. */
int dcpn_python_begin(struct call *call, dcpn_context *context, PyObject *observer);
void dcpn_python_end(struct call *call);
/* The same in a home, where one call is at a time: while another thread is in one, -1 and RuntimeError with these
 * words. */
int dcpn_python_enter(PyObject *home, const char *busy, struct call *call, PyObject *observer);
void dcpn_python_leave(PyObject *home, struct call *call);
/* Around the work itself, on the thread that made the call. */
void dcpn_python_unlock(struct call *call);
void dcpn_python_lock(struct call *call);
/* What a function of Python's that the library calls needs: the lock, on the thread that made the call or on
 * another. */
struct hold {
    int is_callers, was_released;
    PyGILState_STATE borrowed;
};
struct hold dcpn_python_lock_here(struct call *call);
void dcpn_python_unlock_here(struct call *call, const struct hold *hold);
/* The exception that is set becomes the call's, unless it has one, and ends the work. */
void dcpn_python_keep_exception(struct call *call);
/* Sets the exception that the status stands for; 0: there is none. */
int dcpn_python_raises(const struct call *call, dcpn_status status);
/* The exception that ended work of which something remains, or None; a new reference. */
PyObject *dcpn_python_exception(const struct call *call);

/* Observers for the library; user is a struct call. That of paths sets the attribute left_s of an observer that has one
 * to the seconds that are left, NaN if that is not known. */
int dcpn_python_observe(void *user, const dcpn_progress *progress);
int dcpn_python_observe_path(void *user, const dcpn_path_progress *progress);

#endif
