/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads back the files that fit, path and cv have written. */
#ifndef DCPN_RESULTS_H
#define DCPN_RESULTS_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A file has either a model or paths, and the other member is NULL. The paths of a cross-validation belong to it. */
typedef struct dcpn_results {
    dcpn_context *context;
    char *name;                 /* of the file, for messages */
    dcpn_model *model;          /* the only one of the file */
    dcpn_paths *paths;          /* times are NaN, and threads 0, where the file does not say them */
    dcpn_cv *cv;                /* NULL: none. Its weights are NULL: the file does not say them */
    dcpn_provenance provenance; /* of paths and of a cross-validation; a model has its own */
    const char *folds_file;     /* of a cross-validation; NULL: drawn */
    const char *version;        /* of dcpn, of paths and of a cross-validation; NULL: the file does not say it */
    void *tree;                 /* the JSON that texts belong to */
} dcpn_results;

/* Reads a file of any of these kinds, or a model of LIBLINEAR; "-" is standard input. A damaged file is refused
 * (DCPN_MODEL) with the name of the first field that is wrong. */
DCPN_API dcpn_status dcpn_results_read(dcpn_context *context, const char *path, dcpn_results **results);
/* Reads the text of such a file, which is not compressed; name is what messages call it. */
DCPN_API dcpn_status dcpn_results_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                                        dcpn_results **results);
/* Does the file, once it is expanded, begin like one of these? Only its beginning is read. 0 also if it cannot be
 * read, or can be read only once, like a pipe. */
DCPN_API int dcpn_results_begin(dcpn_context *context, const char *path);
/* Finds the point of the model that the selection means; between two lambdas it is the nearer one. The model of a
 * file that has only one is point 0 of path 0. */
DCPN_API dcpn_status dcpn_results_find(const dcpn_results *results, const dcpn_selection *selection, int64_t *path,
                                       int64_t *point);
/* Takes one of the models out (selection NULL: nothing is selected), which the caller frees. If the file has only
 * one model, it is handed over, and the results no longer have it. */
DCPN_API dcpn_status dcpn_results_model(dcpn_results *results, const dcpn_selection *selection, dcpn_model **model);
DCPN_API void dcpn_results_free(dcpn_results *results);

#ifdef __cplusplus
}
#endif
#endif
