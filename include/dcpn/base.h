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

/* Status: did the call work? Every function that can fail returns one, and dcpn_last_error() then says in a sentence
 * what was found, what was expected and what to do. A pointer may be NULL only where the headers say what that
 * means; else the call is refused with DCPN_USAGE, without a sentence if it is the handle that is NULL, since no
 * context is there to keep it. Functions that return no status then return 0, NULL or NaN, or do nothing. Functions
 * that free accept NULL. */
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

/* Receives the messages of the library, each one sentence without a line end. The library itself never prints. */
typedef void dcpn_log_function(void *user, dcpn_log_level level, const char *message);

/* A context owns the allocator, the log, the number of threads and the last error. Use one context per thread of the
 * caller; everything made with a context is freed before it. */
typedef struct dcpn_context dcpn_context;

/* allocator may be NULL: malloc and free. Returns NULL only if memory is short, or the allocator lacks a function. */
DCPN_API dcpn_context *dcpn_context_new(const dcpn_allocator *allocator);
DCPN_API void dcpn_context_free(dcpn_context *context);
DCPN_API void dcpn_context_set_log(dcpn_context *context, dcpn_log_function *log, void *user);

/* Makes all work with this context end soon. A fit, a path or a cross-validation keeps what it has so far, with the
 * outcome DCPN_INTERRUPTED; work that has no result yet, like reading or preparing data, fails with DCPN_CANCELLED.
 * It may be called from any thread and from a signal handler. It lasts: later work ends at once, too, until
 * dcpn_context_resume is called. */
DCPN_API void dcpn_context_interrupt(dcpn_context *context);
DCPN_API void dcpn_context_resume(dcpn_context *context);
/* Calls poll at most once in every_s seconds, on the thread that called the library; if it returns anything but 0,
 * the work is interrupted as above. All work that can be long calls it, but a product with the data is not cut in
 * two, so that up to one reading of the data can pass between two calls. It may call the library itself, which does not
 * call it meanwhile. poll NULL: nothing is called. */
typedef int dcpn_poll_function(void *user);
DCPN_API void dcpn_context_set_poll(dcpn_context *context, dcpn_poll_function *poll, double every_s, void *user);

/* The number of threads that multiply with the data, read it and fit folds; 0 means one per processor. Results are
 * the same bytes for any number. Threads start when they are needed, sleep while nothing runs, and end with the
 * context; they block all signals but those of their own faults. If the system cannot start so many, fewer are used,
 * and a library built without threads uses only that of the caller. After fork() the child may go on with the
 * context, with threads of its own, if no call of the library was under way. */
DCPN_API void dcpn_context_set_threads(dcpn_context *context, int threads);
DCPN_API int dcpn_context_threads(const dcpn_context *context);

/* The most memory that the context may allocate, in bytes; 0, the value at the start, is no limit. An allocation
 * beyond it is refused with DCPN_MEMORY and the number of bytes that it needs. Mapped files do not count. The folds
 * and subsamples that several threads fit at the same time count together, so that fewer threads need less. */
DCPN_API void dcpn_context_set_memory_limit(dcpn_context *context, size_t bytes);
DCPN_API size_t dcpn_context_memory_limit(const dcpn_context *context);
/* The memory that this process can have: that of the machine, or less if a cgroup (v1 or v2) or a limit of the
 * process (ulimit) says so. 0: unknown. */
DCPN_API size_t dcpn_machine_memory(void);

/* The sentence of the last call that failed with this context; "" if none did. */
DCPN_API const char *dcpn_last_error(const dcpn_context *context);

/* The setting or option of reading that this sentence names first, for example "max-iter"; "" if it names none. */
DCPN_API const char *dcpn_last_error_setting(const dcpn_context *context);
/* A prefix of at most 7 bytes for the names of settings in sentences: with "--" they read like options of the
 * command. At the start it is empty. */
DCPN_API void dcpn_context_set_option_prefix(dcpn_context *context, const char *prefix);

/* Could a file be written to path? Ask this before a long run, so that a wrong path does not cost it. */
DCPN_API dcpn_status dcpn_output_try(dcpn_context *context, const char *path);

/* Frees memory that a function of the library has allocated for the caller. */
DCPN_API void dcpn_free(dcpn_context *context, void *memory);

#ifdef __cplusplus
}
#endif
#endif
