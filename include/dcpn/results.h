/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of results, read back: what fit, path and cv have written. */
#ifndef DCPN_RESULTS_H
#define DCPN_RESULTS_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a file has a model, paths is NULL, and the other way round; paths of a cross-validation belong to it. */
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

/* Reads a file of any kind, a model of LIBLINEAR too; "-" is standard input. What is damaged is refused (DCPN_MODEL) as a
 * whole, with the name of the field. */
DCPN_API dcpn_status dcpn_results_read(dcpn_context *context, const char *path, dcpn_results **results);
/* The same from the text of such a file, decompressed; name is for messages. */
DCPN_API dcpn_status dcpn_results_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                                        dcpn_results **results);
/* Does a regular file begin as those do, a compressed one once it is expanded? Only its beginning is read. 0 also for what
 * cannot be read, or only once. */
DCPN_API int dcpn_results_begin(dcpn_context *context, const char *path);
/* Where the model is that the selection means; between two lambdas, the nearer point. A file of one model is the point 0 of
 * a path 0. */
DCPN_API dcpn_status dcpn_results_find(const dcpn_results *results, const dcpn_selection *selection, int64_t *path,
                                       int64_t *point);
/* One of the models (selection NULL: nothing is selected), to be freed by the caller. Where the file has only one, it is
 * handed over: the results do without it from then on. */
DCPN_API dcpn_status dcpn_results_model(dcpn_results *results, const dcpn_selection *selection, dcpn_model **model);
DCPN_API void dcpn_results_free(dcpn_results *results);

#ifdef __cplusplus
}
#endif
#endif
