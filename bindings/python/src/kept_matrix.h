/* SPDX-License-Identifier: BSD-3-Clause */
/* The type KeptMatrix: a graph, a completed matrix or factors as the library has them. */
#ifndef DCPN_PYTHON_KEPT_MATRIX_H
#define DCPN_PYTHON_KEPT_MATRIX_H

#include "data.h"

/* One of these; the others are NULL. */
struct matrix_kept {
    dcpn_graphs *graphs;
    dcpn_neighbours *neighbours;
    dcpn_completion *completion;
    dcpn_factors *factors;
};

/* Takes over what a call with these data has made, and frees it if it fails. NULL: an exception is set. */
PyObject *dcpn_python_keep_matrix(const struct data *data, const struct matrix_kept *made);
int dcpn_python_add_kept_matrix(PyObject *module);

#endif
