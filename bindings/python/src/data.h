/* SPDX-License-Identifier: BSD-3-Clause */
/* The type Data: a matrix over arrays that belong to Python, or read from a file, and the context of all work with
 * it. */
#ifndef DCPN_PYTHON_DATA_H
#define DCPN_PYTHON_DATA_H

#include "arrays.h"
#include "call.h"

struct data {
    PyObject_HEAD PyObject *home; /* of the context */
    dcpn_context *context;
    const dcpn_matrix *matrix;
    dcpn_matrix *owned;    /* NULL: it is the data set's */
    dcpn_dataset *dataset; /* NULL: the arrays are Python's */
    struct borrowed arrays[3];
    Py_buffer table; /* of a dense matrix; obj NULL: none */
    PyObject *allreduce, *broadcast, *leave; /* of ranks; NULL: there are none */
};

/* Empty data with a context; NULL: an exception is set. */
struct data *dcpn_python_data_new(PyObject *type, int threads);

/* One call at a time: -1, with RuntimeError set, while another thread is in one. */
int dcpn_python_data_enter(struct data *data, struct call *call, PyObject *observer);
void dcpn_python_data_leave(struct data *data, struct call *call);

/* What is said where results outlive their data, and another thread works with these. */
extern const char dcpn_python_kept_busy[];

/* The methods, each in a file of its name. */
PyObject *dcpn_python_fit(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_path(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_cv(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_knockoffs(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_intervals(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_read(PyObject *type, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_join(PyObject *self, PyObject *arguments);
PyObject *dcpn_python_contents(PyObject *self, PyObject *none);

#endif
