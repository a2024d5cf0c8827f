/* SPDX-License-Identifier: BSD-3-Clause */
/* f and h that are functions of Python. */
#ifndef DCPN_PYTHON_OWN_H
#define DCPN_PYTHON_OWN_H

#include "data.h"

/* minimize(size, functions, lipschitz, settings, start, observer): functions are value1, gradient1, value2, gradient2,
 * the product of the Hessian of f1 with a vector, and of h value1, value2, subgradient2 and prox1; None: there is
 * none. */
PyObject *dcpn_python_minimize(PyObject *module, PyObject *arguments);

#endif
