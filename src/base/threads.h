/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops on several threads, and a lock. Everything in the library that runs on more than one thread does so by these
 * functions. They hand out the work in any order, so whoever calls them sees to it that the order does not matter. */
#ifndef DCPN_SRC_THREADS_H
#define DCPN_SRC_THREADS_H

#include <stdint.h>

#include "dcpn/base.h"

/* Works on the indices begin, ..., end - 1. */
typedef void range_function(void *user, int64_t begin, int64_t end);

/* The following functions work on each index in 0, ..., count - 1 once and return when all are done. They use the
 * calling thread alone if the context is NULL or has one thread, and if they are called within another such loop of the
 * same context. */
/* Gives each thread a few ranges of indices. It suits indices that all take about as long. */
void dcpn_parallel_ranges(dcpn_context *context, int64_t count, range_function *work, void *user);
/* Gives one index at a time to whichever thread is free. It suits few and long pieces of work. */
void dcpn_parallel_items(dcpn_context *context, int64_t count, range_function *work, void *user);

/* The threads of a context. They start when they are first needed, and sleep while there is nothing to do. NULL if
 * nothing but the calling thread is wanted, or memory is short: that thread works alone then. */
struct team *dcpn_team_new(const dcpn_allocator *allocator, int threads);
void dcpn_team_free(const dcpn_allocator *allocator, struct team *team);
/* Is the thread that asks one of the team's, as opposed to the one that works with it? Asked within a loop, or outside
 * any. */
int dcpn_is_helper(const struct team *team);

#ifdef DCPN_WITH_THREADS
#include <pthread.h>
struct mutex {
    pthread_mutex_t handle;
};
#else
struct mutex {
    char unused;
};
#endif

void dcpn_mutex_init(struct mutex *mutex);
void dcpn_mutex_lock(struct mutex *mutex);
void dcpn_mutex_unlock(struct mutex *mutex);
void dcpn_mutex_destroy(struct mutex *mutex);

#endif
