/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the R package share: a call of the library, what it is given, and what it answers. */
#ifndef DCPN_R_H
#define DCPN_R_H

#include <pthread.h>
#include <signal.h>

#include <dcpn/dcpn.h>

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

/* ---- work.c: a call, from its context to the last thing that is freed ---- R leaves C by a jump whenever memory is
 * short, so all that C owns hangs on an object of R, whose finalizer frees it. */

struct work {
    dcpn_context *context;
    dcpn_matrix *matrix; /* NULL: that of the data set */
    int64_t *pointers;   /* of a sparse matrix, whose numbers R keeps in 32 bits */
    dcpn_dataset *dataset;
    dcpn_settings *settings;
    dcpn_cv_options *options;
    dcpn_problem *problem;
    dcpn_solver *solver;
    dcpn_paths *paths;
    dcpn_cv *cv;
    pthread_t caller;                     /* the only thread that may ask R for anything */
    volatile sig_atomic_t is_interrupted; /* by Ctrl-C */
    pthread_mutex_t mutex;                /* of the notes, which any thread may add to */
    char *notes;                          /* sentences, each with a line end */
    size_t noted;
};

/* The object of R; it is to be protected. */
SEXP dcpn_r_begin(int threads);
struct work *dcpn_r_work(SEXP handle);
/* Frees everything at once. */
void dcpn_r_end(SEXP handle);
/* Frees everything and raises the sentence of the library as an error of R, unless the status is DCPN_OK. */
void dcpn_r_need(SEXP handle, dcpn_status status);
/* Does the same after work that Ctrl-C may have ended. */
void dcpn_r_need_uninterrupted(SEXP handle);
/* The same with a sentence of the package. */
void dcpn_r_refuse(SEXP handle, const char *format, ...) __attribute__((format(printf, 2, 3), noreturn));
/* What the library has said so far, as a vector of texts. */
SEXP dcpn_r_notes(const struct work *work);
int dcpn_r_observe(void *work, const dcpn_progress *progress);
int dcpn_r_observe_path(void *work, const dcpn_path_progress *progress);

/* ---- inputs.c: what R gives, borrowed wherever its layout allows ---- */

/* A numeric matrix, or a dgCMatrix of the package Matrix. */
void dcpn_r_take_matrix(SEXP handle, SEXP x);
/* given: a list with y and any of responses (of all, y being the first), weights, offset, factors, lower, upper,
 * group_start, group_member, group_weights, entry, strata. */
void dcpn_r_take_problem(SEXP handle, SEXP given);
/* A list of texts by the name of their option. */
void dcpn_r_take_settings(SEXP handle, SEXP given);
/* Lists of numbers, texts and vectors by the names that dcpn_cv_options_set_* knows, in their order. */
void dcpn_r_take_options(SEXP handle, SEXP given);
/* An element of a list, R_NilValue if it has none of that name. */
SEXP dcpn_r_element(SEXP list, const char *name);
/* A number among them; `otherwise` if it is not there. */
double dcpn_r_number(SEXP list, const char *name, double otherwise);
/* A text among them; NULL if it is not there. */
const char *dcpn_r_text(SEXP list, const char *name);

/* ---- results.c: what the library answers, as lists ---- */

/* A list that is filled in its order. */
struct answer {
    SEXP list, names;
    R_xlen_t count;
};
/* Two objects are protected until dcpn_r_answer_end. */
struct answer dcpn_r_answer(R_xlen_t room);
void dcpn_r_add(struct answer *answer, const char *name, SEXP value);
SEXP dcpn_r_answer_end(struct answer *answer);
SEXP dcpn_r_doubles(const double *numbers, int64_t count);
SEXP dcpn_r_texts(const char *const *texts, int64_t count);
SEXP dcpn_r_result(const dcpn_result *result);
SEXP dcpn_r_paths(const dcpn_paths *paths);
SEXP dcpn_r_cv_result(const dcpn_cv *cv);

/* ---- the functions that R calls ---- */

SEXP dcpn_r_fit(SEXP x, SEXP problem, SEXP settings, SEXP options, SEXP threads);
SEXP dcpn_r_path(SEXP x, SEXP problem, SEXP settings, SEXP options, SEXP threads);
SEXP dcpn_r_cv(SEXP x, SEXP problem, SEXP settings, SEXP options, SEXP cv_options, SEXP threads);
SEXP dcpn_r_read(SEXP path, SEXP options, SEXP threads);
SEXP dcpn_r_settings(void);
SEXP dcpn_r_parts(SEXP kind);
SEXP dcpn_r_wants_classes(SEXP loss);

#endif
