/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems whose unknown is a matrix, as methods of Data. */
#ifndef DCPN_PYTHON_STRUCTURED_H
#define DCPN_PYTHON_STRUCTURED_H

#include "data.h"

PyObject *dcpn_python_graph(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_neighbours(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_complete(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_factor(PyObject *self, PyObject *arguments, PyObject *words);
PyObject *dcpn_python_codes(PyObject *self, PyObject *arguments, PyObject *words);

#endif
