/* SPDX-License-Identifier: BSD-3-Clause */
/* The structs behind the handles of results.h, which only the project itself sees: they may grow in any version. */
#ifndef DCPN_LAYOUT_RESULTS_H
#define DCPN_LAYOUT_RESULTS_H

#include "../results.h"

/* One of model and paths is NULL. */
struct dcpn_results {
    dcpn_context *context;
    char *name;                 /* of the file, for messages */
    dcpn_model *model;          /* the only one of the file */
    dcpn_paths *paths;          /* times are NaN, and threads 0, where the file does not say them */
    dcpn_cv *cv;                /* NULL: none. Its weights are NULL: the file does not say them */
    dcpn_provenance provenance; /* of paths and of a cross-validation; a model has its own */
    const char *folds_file;     /* of a cross-validation; NULL: drawn */
    const char *version;        /* of dcpn, of paths and of a cross-validation; NULL: the file does not say it */
    void *tree;                 /* the JSON that texts belong to */
};

#endif
