/* SPDX-License-Identifier: BSD-3-Clause */
/* The context from inside: memory, errors and talk. */
#ifndef DCPN_SRC_CONTEXT_H
#define DCPN_SRC_CONTEXT_H

#include <stdatomic.h>

#include "dcpn/base.h"

#define DCPN_ERROR_LENGTH 1024

struct dcpn_context {
    dcpn_allocator allocator;
    dcpn_log_function *log;
    void *log_user;
    int threads;
    struct team *team;            /* NULL: the caller's thread works alone */
    struct dcpn_context *account; /* the one whose memory is in use and limited: this one, or that which it works for */
    size_t memory_limit;          /* 0: none */
    atomic_size_t memory_in_use;  /* bytes that were allocated and not yet freed; threads allocate too */
    atomic_int is_interrupted;    /* interrupt.c; of the account's context, like what follows */
    dcpn_poll_function *poll;     /* NULL: nobody is asked */
    void *poll_user;
    double poll_every_s, polled_at;
    int is_polling; /* the poll is under way */
    struct ranks *ranks; /* ranks.h; NULL: one process; of the account's context, too */
    char prefix[8];      /* of options in sentences */
    char error[DCPN_ERROR_LENGTH];
    char error_setting[32]; /* that it names; "": none */
};

/* Makes a context for a thread that works for another context. It shares the allocator, the limit of memory and the
 * count of what is in use, but has one thread, no log and an error of its own. NULL if memory is short. It is to be
 * freed before the other. */
dcpn_context *dcpn_context_new_for(dcpn_context *context);

/* Allocates memory that is not cleared. Returns NULL, with the error set, if memory is short, the limit would be passed
 * or count * size overflows. */
void *dcpn_allocate(dcpn_context *context, size_t count, size_t size);
/* Allocates a block that may be all 0 without being touched, so that the unused part of a large one costs nothing.
 * *is_zero tells whether it is. */
void *dcpn_allocate_untouched(dcpn_context *context, size_t bytes, int *is_zero);
/* Grows memory of old_count elements to new_count. If it fails, the old block stays valid and owned. */
void *dcpn_grow(dcpn_context *context, void *memory, size_t old_count, size_t new_count, size_t size);
char *dcpn_copy_text(dcpn_context *context, const char *text);

/* Fails with DCPN_MEMORY unless so many bytes more stay below the limit. It is for memory that other libraries will
 * allocate. */
dcpn_status dcpn_memory_check(dcpn_context *context, size_t bytes);
/* Returns status. If it is DCPN_MEMORY, puts in front of its sentence what the memory was for. */
dcpn_status dcpn_memory_for(dcpn_context *context, dcpn_status status, const char *what);

/* Keeps the sentence and returns status, so that a refusal is one line. */
dcpn_status dcpn_fail(dcpn_context *context, dcpn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void dcpn_log(dcpn_context *context, dcpn_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fails with DCPN_USAGE if one of the pointers is NULL; `names` are theirs, separated by commas. */
dcpn_status dcpn_need(dcpn_context *context, const char *function, const char *names, const void *const *pointers,
                      size_t count);

/* Fails with DCPN_USAGE unless there are `count` texts, none of them NULL; `what` names them: "names of the features".
 * `texts` itself may be NULL only if count is 0. */
dcpn_status dcpn_need_texts(dcpn_context *context, const char *what, const char *const *texts, int64_t count);
/* One block: the pointers and, behind them, the texts. */
char **dcpn_copy_texts(dcpn_context *context, const char *const *texts, int64_t count);
/* Refuses a size that is below 0. */
dcpn_status dcpn_need_size(dcpn_context *context, const char *what, int64_t size);

/* Passes a failure on to the caller. */
#define DCPN_TRY(CALL)                                                                                                 \
    do {                                                                                                               \
        dcpn_status dcpn_try_status = (CALL);                                                                          \
        if (dcpn_try_status != DCPN_OK) return dcpn_try_status;                                                        \
    } while (0)

/* A place as people count it; the largest number stays what it is. */
static inline long long dcpn_counted_from_1(int64_t place)
{
    return place < INT64_MAX ? place + 1 : place;
}

/* Refuses arguments of a public function that are NULL: DCPN_NEED(context, arrays, matrix). Of a handle that is NULL
 * there is no context either: DCPN_NEED(NULL, solver). */
#define DCPN_NEED(CONTEXT, ...)                                                                                        \
    DCPN_TRY(dcpn_need(CONTEXT, __func__, #__VA_ARGS__, (const void *const[]){__VA_ARGS__},                            \
                       sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *)))

#endif
