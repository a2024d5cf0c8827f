/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads back the files that fit, path and cv have written. */
#ifndef DCPN_RESULTS_H
#define DCPN_RESULTS_H

#include "cv.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a file has: a model or paths. The paths of a cross-validation belong to it. */
typedef struct dcpn_results dcpn_results;

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
/* What there is, which belongs to the results; NULL: there is none. Times of paths are NaN where the file does not say
 * them. */
DCPN_API const dcpn_model *dcpn_results_single(const dcpn_results *results); /* the only model of the file */
DCPN_API const dcpn_paths *dcpn_results_paths(const dcpn_results *results);
DCPN_API const dcpn_cv *dcpn_results_cv(const dcpn_results *results);
DCPN_API void dcpn_results_free(dcpn_results *results);

#ifdef __cplusplus
}
#endif

#ifdef DCPN_LAYOUTS /* within the project */
#include "layout/results.h"
#endif
#endif
