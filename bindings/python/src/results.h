/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of the library as dictionaries: numbers, texts, and bytearrays that NumPy takes as they are. */
#ifndef DCPN_PYTHON_RESULTS_H
#define DCPN_PYTHON_RESULTS_H

#include "data.h"

/* NULL: an exception is set. */
PyObject *dcpn_python_result(const dcpn_result *result);
PyObject *dcpn_python_paths(const dcpn_paths *paths);
PyObject *dcpn_python_cv_result(const dcpn_cv *cv);

#endif
