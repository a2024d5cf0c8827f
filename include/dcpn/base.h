/* SPDX-License-Identifier: BSD-3-Clause */
/* Context, status and outcome: what every call of the library shares. */
#ifndef DCPN_BASE_H
#define DCPN_BASE_H

#include <stddef.h>
#include <stdint.h>

#if defined(DCPN_STATIC)
#define DCPN_API
#else
#define DCPN_API __attribute__((visibility("default")))
#endif

#define DCPN_VERSION_MAJOR 0
#define DCPN_VERSION_MINOR 1
#define DCPN_VERSION_PATCH 0
#define DCPN_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, as opposed to that of the header. */
DCPN_API const char *dcpn_version(void);

/* Status: did the call work? Every function that can fail returns one; the sentence that says what was found, what was
 * expected and what to do is dcpn_last_error(). A pointer that is NULL where the headers do not
 * say what that means is refused with DCPN_USAGE; of a handle that is NULL there is no context to keep the sentence.
 * Functions without a status then return 0, NULL or NaN or do nothing, and what frees accepts NULL. */
typedef enum dcpn_status {
#define DCPN_STATUS(NAME, EXIT_CODE, MEANING) DCPN_##NAME,
#include "errors.def"
#undef DCPN_STATUS
} dcpn_status;

DCPN_API const char *dcpn_status_meaning(dcpn_status status);
DCPN_API int dcpn_status_exit_code(dcpn_status status);

/* Outcome: how did a run that worked end? */
typedef enum dcpn_outcome {
#define DCPN_OUTCOME(NAME, TEXT, MEANING) DCPN_##NAME,
#include "outcomes.def"
#undef DCPN_OUTCOME
} dcpn_outcome;

DCPN_API const char *dcpn_outcome_name(dcpn_outcome outcome);
DCPN_API const char *dcpn_outcome_meaning(dcpn_outcome outcome);
/* Did the run end by its own rule, and not at a limit? */
DCPN_API int dcpn_has_converged(dcpn_outcome outcome);

/* The allocator of a context. allocate returns memory aligned for any type, or NULL; release accepts NULL. */
typedef struct dcpn_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *memory);
    void *user;
} dcpn_allocator;

typedef enum dcpn_log_level { DCPN_LOG_WARNING, DCPN_LOG_NOTE, DCPN_LOG_DETAIL } dcpn_log_level;

/* Receives what the library has to say: one sentence, without a line end. The library itself never prints. */
typedef void dcpn_log_function(void *user, dcpn_log_level level, const char *message);

/* A context owns the allocator, the log, the number of threads and the last error. Use one context per thread of the
 * caller; everything made with a context is freed before it. */
typedef struct dcpn_context dcpn_context;

/* allocator may be NULL: malloc and free. Returns NULL only if memory is short, or the allocator lacks a function. */
DCPN_API dcpn_context *dcpn_context_new(const dcpn_allocator *allocator);
DCPN_API void dcpn_context_free(dcpn_context *context);
DCPN_API void dcpn_context_set_log(dcpn_context *context, dcpn_log_function *log, void *user);

/* Ends the work with this context soon, whatever it is: of a fit, a path or a cross-validation what is there is kept, and
 * says DCPN_INTERRUPTED; what has nothing to give yet, like reading or preparing data, fails with DCPN_CANCELLED. May be
 * called from any thread and from a signal handler. It lasts: what is begun later ends, too, until dcpn_context_resume. */
DCPN_API void dcpn_context_interrupt(dcpn_context *context);
DCPN_API void dcpn_context_resume(dcpn_context *context);
/* Asks poll whether to go on, at most once in every_s seconds, on the thread that called the library; anything but 0
 * interrupts as above. It is asked within all work that can be long; products with the data are not cut, so that a pause
 * can take as long as one reading of them. poll NULL: nobody is asked. */
typedef int dcpn_poll_function(void *user);
DCPN_API void dcpn_context_set_poll(dcpn_context *context, dcpn_poll_function *poll, double every_s, void *user);

/* Threads for products with the data, for reading it, and for folds; results are the same bytes for any number. 0 means
 * one per processor. They start when they are needed, sleep while nothing runs, and end with the context; all signals but
 * those of their own faults are blocked in them. Where the system starts fewer, fewer work, and in a library built without
 * threads the caller's alone. A child that fork() makes while no call of the library is under way may go on with the
 * context: it has threads of its own. */
DCPN_API void dcpn_context_set_threads(dcpn_context *context, int threads);
DCPN_API int dcpn_context_threads(const dcpn_context *context);

/* An allocation that would take the memory of the context above so many bytes is refused with DCPN_MEMORY and the number
 * of bytes that it needs. 0, the start: no limit. Files that are mapped do not count. The folds and subsamples of a
 * cross-validation count together, those that several threads have at a time: fewer threads need less. */
DCPN_API void dcpn_context_set_memory_limit(dcpn_context *context, size_t bytes);
DCPN_API size_t dcpn_context_memory_limit(const dcpn_context *context);
/* What this process can have: the memory of the machine, or less where a cgroup (v1 or v2) or a limit of the process
 * (ulimit) says so. 0: unknown. */
DCPN_API size_t dcpn_machine_memory(void);

/* The sentence of the last call that failed with this context; "" if none did. */
DCPN_API const char *dcpn_last_error(const dcpn_context *context);

/* The setting, or option of reading, that this sentence names first, like "max-iter"; "" if it names none. */
DCPN_API const char *dcpn_last_error_setting(const dcpn_context *context);
/* What stands in front of the names of settings and options in sentences, at most 7 bytes: "--" makes them those of the
 * command. "", the start: nothing. */
DCPN_API void dcpn_context_set_option_prefix(dcpn_context *context, const char *prefix);

/* Could a file be written to path? Asked before the work, so that a wrong path does not cost a long run. */
DCPN_API dcpn_status dcpn_output_try(dcpn_context *context, const char *path);

/* Frees what a function of the library has allocated for the caller. */
DCPN_API void dcpn_free(dcpn_context *context, void *memory);

#ifdef __cplusplus
}
#endif
#endif
