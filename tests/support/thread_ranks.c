/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/thread_ranks.h"

#include <stdlib.h>
#include <string.h>

struct one_rank {
    struct thread_ranks *ranks;
    int rank;
    rank_work *work;
    void *user;
    dcpn_status status;
};

/* Until all ranks are here; 0: one has left. */
static int meet(struct thread_ranks *r)
{
    pthread_mutex_lock(&r->mutex);
    int round = r->round;
    if (++r->arrived == r->size) {
        r->arrived = 0;
        r->round++;
        pthread_cond_broadcast(&r->changed);
    }
    while (r->round == round && !r->is_broken) pthread_cond_wait(&r->changed, &r->mutex);
    int is_whole = !r->is_broken;
    pthread_mutex_unlock(&r->mutex);
    return is_whole;
}

static int fails_now(const struct one_rank *one)
{
    struct thread_ranks *r = one->ranks;
    return ++r->calls[one->rank] == r->failing_call && one->rank == r->failing_rank;
}

/* Copies of the data are what others read, in one of two places by turns: when a rank comes to a place again, all
 * ranks have met once more since, so that nobody reads there. Ranks thus meet once a call. */
static int exchange(struct one_rank *one, const void *data, size_t bytes)
{
    struct thread_ranks *r = one->ranks;
    void **place = &r->data[r->calls[one->rank] % 2][one->rank];
    if (fails_now(one)) return 0;
    free(*place);
    *place = malloc(bytes + 1);
    if (!*place) return 0;
    memcpy(*place, data, bytes);
    return meet(r);
}

static int allreduce(void *user, int64_t *data, int64_t count, dcpn_reduction how)
{
    struct one_rank *one = user;
    struct thread_ranks *r = one->ranks;
    void **places = r->data[r->calls[one->rank] % 2];
    if (!exchange(one, data, (size_t)count * sizeof *data)) return 1;
    for (int other = 0; other < r->size; other++) {
        const int64_t *of_other = places[other];
        for (int64_t k = 0; k < count && other != one->rank; k++) {
            if (how == DCPN_SUM)
                data[k] = (int64_t)((uint64_t)data[k] + (uint64_t)of_other[k]);
            else if (of_other[k] > data[k])
                data[k] = of_other[k];
        }
    }
    return 0;
}

static int broadcast(void *user, void *data, int64_t bytes, int32_t root)
{
    struct one_rank *one = user;
    void **places = one->ranks->data[one->ranks->calls[one->rank] % 2];
    if (!exchange(one, data, (size_t)bytes)) return 1;
    if (one->rank != root) memcpy(data, places[root], (size_t)bytes);
    return 0;
}

static void leave(void *user)
{
    struct thread_ranks *r = ((struct one_rank *)user)->ranks;
    pthread_mutex_lock(&r->mutex);
    r->is_broken = 1;
    pthread_cond_broadcast(&r->changed);
    pthread_mutex_unlock(&r->mutex);
}

static void *work_as_rank(void *user)
{
    struct one_rank *one = user;
    dcpn_context *context = dcpn_context_new(NULL);
    const dcpn_collective table = {.version = DCPN_COLLECTIVE_VERSION,
                                   .rank = one->rank,
                                   .size = one->ranks->size,
                                   .allreduce_int64 = allreduce,
                                   .broadcast = broadcast,
                                   .leave = leave,
                                   .user = one};
    one->status = dcpn_context_set_collective(context, &table);
    if (one->status == DCPN_OK) one->status = one->work(context, one->rank, one->user);
    dcpn_context_free(context);
    return NULL;
}

void run_thread_ranks(struct thread_ranks *ranks, int size, rank_work *work, void *user, dcpn_status *statuses)
{
    struct one_rank ones[MOST_THREAD_RANKS];
    pthread_t threads[MOST_THREAD_RANKS];
    ranks->size = size;
    ranks->arrived = ranks->round = ranks->is_broken = 0;
    memset(ranks->calls, 0, sizeof ranks->calls);
    memset(ranks->data, 0, sizeof ranks->data);
    pthread_mutex_init(&ranks->mutex, NULL);
    pthread_cond_init(&ranks->changed, NULL);
    for (int k = 0; k < size; k++) {
        ones[k] = (struct one_rank){ranks, k, work, user, DCPN_OK};
        if (pthread_create(&threads[k], NULL, work_as_rank, &ones[k]) != 0) abort();
    }
    for (int k = 0; k < size; k++) {
        pthread_join(threads[k], NULL);
        statuses[k] = ones[k].status;
    }
    for (int k = 0; k < 2 * size; k++) free(ranks->data[k % 2][k / 2]);
    pthread_cond_destroy(&ranks->changed);
    pthread_mutex_destroy(&ranks->mutex);
}
