/* SPDX-License-Identifier: BSD-3-Clause */
/* The type Kept: results of the library as they are, for files and pages; they outlive the data. */
#ifndef DCPN_PYTHON_KEPT_H
#define DCPN_PYTHON_KEPT_H

#include "data.h"

/* One of these, or all that a file has. */
struct results_kept {
    dcpn_model *model;
    dcpn_paths *paths;
    dcpn_cv *cv;
    dcpn_groups *groups; /* of features, which free() frees; NULL: none */
    dcpn_results *file;  /* which the others then belong to; NULL: they are of this session */
};

/* Takes over the results of a call with these data, and frees them if it fails. NULL: an exception is set. */
PyObject *dcpn_python_keep(const struct data *data, const struct results_kept *results);

/* Writes the page of a text of results (page.c). */
dcpn_status dcpn_python_page(dcpn_context *context, const char *title, const char *text, const char *path);

#endif
