/* SPDX-License-Identifier: BSD-3-Clause */
/* A call of the library from R: what it owns, how it fails, and how Ctrl-C ends it. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "dcpn_r.h"

static void release(struct work *work)
{
    dcpn_cv_free(work->cv);
    dcpn_paths_free(work->paths);
    dcpn_solver_free(work->solver);
    dcpn_problem_free(work->problem);
    dcpn_settings_free(work->settings);
    dcpn_cv_options_free(work->options);
    dcpn_dataset_free(work->dataset);
    dcpn_matrix_free(work->matrix);
    dcpn_context_free(work->context);
    pthread_mutex_destroy(&work->mutex);
    free(work->pointers);
    free(work->notes);
    free(work);
}

void dcpn_r_end(SEXP handle)
{
    struct work *work = R_ExternalPtrAddr(handle);
    if (!work) return;
    R_ClearExternalPtr(handle);
    release(work);
}

struct work *dcpn_r_work(SEXP handle)
{
    return R_ExternalPtrAddr(handle);
}

/* The library may speak from any of its threads. */
static void note(void *user, dcpn_log_level level, const char *message)
{
    struct work *work = user;
    if (level == DCPN_LOG_DETAIL) return;
    size_t length = strlen(message);
    pthread_mutex_lock(&work->mutex);
    char *longer = realloc(work->notes, work->noted + length + 2);
    if (longer) {
        memcpy(longer + work->noted, message, length);
        work->noted += length;
        longer[work->noted++] = '\n';
        longer[work->noted] = 0;
        work->notes = longer;
    }
    pthread_mutex_unlock(&work->mutex);
}

SEXP dcpn_r_notes(const struct work *work)
{
    R_xlen_t count = 0, k = 0;
    for (size_t i = 0; i < work->noted; i++) count += work->notes[i] == '\n';
    SEXP notes = PROTECT(Rf_allocVector(STRSXP, count));
    for (const char *line = work->notes; k < count; k++) {
        const char *end = strchr(line, '\n');
        SET_STRING_ELT(notes, k, Rf_mkCharLenCE(line, (int)(end - line), CE_UTF8));
        line = end + 1;
    }
    UNPROTECT(1);
    return notes;
}

SEXP dcpn_r_begin(int threads)
{
    SEXP handle = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
    struct work *work = calloc(1, sizeof *work);
    dcpn_context *context = work ? dcpn_context_new(NULL) : NULL;
    if (!context) {
        free(work);
        Rf_error("dcpn: out of memory");
    }
    work->context = context;
    work->caller = pthread_self();
    pthread_mutex_init(&work->mutex, NULL);
    R_SetExternalPtrAddr(handle, work);
    R_RegisterCFinalizer(handle, dcpn_r_end);
    dcpn_context_set_threads(context, threads);
    dcpn_context_set_log(context, note, work);
    dcpn_context_set_option_prefix(context,
                                   "--"); /* by which the package finds names of settings, to write them its way */
    UNPROTECT(1);
    return handle;
}

/* ---- failures ---- */

enum { LONGEST = 4096 };

/* Rf_error jumps, so that the sentence must not be among what was freed. */
static void fail(SEXP handle, const char *sentence) __attribute__((noreturn));
static void fail(SEXP handle, const char *sentence)
{
    static char kept[LONGEST];
    snprintf(kept, sizeof kept, "%s", sentence);
    dcpn_r_end(handle);
    Rf_error("%s", kept);
}

void dcpn_r_need(SEXP handle, dcpn_status status)
{
    const struct work *work = dcpn_r_work(handle);
    if (status != DCPN_OK) fail(handle, work->is_interrupted ? "interrupted" : dcpn_last_error(work->context));
}

void dcpn_r_need_uninterrupted(SEXP handle)
{
    if (dcpn_r_work(handle)->is_interrupted) fail(handle, "interrupted");
}

void dcpn_r_refuse(SEXP handle, const char *format, ...)
{
    char sentence[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    fail(handle, sentence);
}

/* ---- Ctrl-C ---- */

static void check_interrupt(void *unused)
{
    (void)unused;
    R_CheckUserInterrupt();
}

/* R may be asked on the thread that made the call alone; what it said ends the others, too. */
static int should_end(struct work *work)
{
    if (pthread_equal(pthread_self(), work->caller) && !R_ToplevelExec(check_interrupt, NULL)) work->is_interrupted = 1;
    return work->is_interrupted;
}

int dcpn_r_observe(void *work, const dcpn_progress *progress)
{
    (void)progress;
    return should_end(work);
}

int dcpn_r_observe_path(void *work, const dcpn_path_progress *progress)
{
    (void)progress;
    return should_end(work);
}
