/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the Python extension share: Python's limited API, and dcpn by its public headers. */
#ifndef DCPN_PYTHON_EXTENSION_H
#define DCPN_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000 /* 3.11: the first one with the buffer protocol */
#include <Python.h>

#include <dcpn/dcpn.h>

/* Adds the types of data (data.c) and of results (kept.c) and the functions of the registries (registries.c) to a
 * module; -1: an exception is set. */
int dcpn_python_add_data(PyObject *module);
int dcpn_python_add_kept(PyObject *module);
int dcpn_python_add_registries(PyObject *module);

#endif
