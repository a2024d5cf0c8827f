/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that are threads of one process: a collective over barriers, which can be told to fail. */
#ifndef DCPN_TESTS_THREAD_RANKS_H
#define DCPN_TESTS_THREAD_RANKS_H

#include <pthread.h>

#include "dcpn/dcpn.h"

enum { MOST_THREAD_RANKS = 8 };

struct thread_ranks {
    int size;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int arrived, round, is_broken;
    void *data[2][MOST_THREAD_RANKS]; /* copies of what each rank has sent, in calls of even and of odd numbers */
    /* The call of this number, from 1, of this rank fails; 0: none does. */
    int64_t failing_call, calls[MOST_THREAD_RANKS];
    int failing_rank;
};

typedef dcpn_status rank_work(dcpn_context *context, int rank, void *user);

/* Runs the work once for each rank, in a thread and a context of its own; statuses has room for one each. */
void run_thread_ranks(struct thread_ranks *ranks, int size, rank_work *work, void *user, dcpn_status *statuses);

#endif
