/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks by MPI: dcpn-openmpi.so, dcpn-mpich.so. */
#include <mpi.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../ranks_module.h"

enum { MOST_AT_ONCE = 1 << 27, YIELDS = 200 }; /* words: counts of MPI are ints */
static const double LEAST_PAUSE_S = 20e-6, MOST_PAUSE_S = 5e-3, PAUSE_SHARE = 0.02;

static double limit_s = 600.0; /* of a wait; 0: none */
static double waited_s;        /* when it was over: of the one that failed */

static int smaller(int64_t a)
{
    return a < MOST_AT_ONCE ? (int)a : MOST_AT_ONCE;
}

/* Leaves the processor to others, which may be ranks: at first for a moment, then for a share of the time that the wait
 * has taken so far. */
static void pause_after(int64_t tries, double so_far_s)
{
    if (tries < YIELDS) {
        sched_yield();
        return;
    }
    double pause_s = so_far_s * PAUSE_SHARE;
    pause_s = pause_s < LEAST_PAUSE_S ? LEAST_PAUSE_S : pause_s > MOST_PAUSE_S ? MOST_PAUSE_S : pause_s;
    nanosleep(&(struct timespec){.tv_nsec = (long)(pause_s * 1e9)}, NULL);
}

/* A rank that has stopped, or that a link does not reach any more, would be waited for without end. */
static int wait_for(MPI_Request *request)
{
    double begin = MPI_Wtime();
    for (int64_t tries = 0;; tries++) {
        int is_done = 0;
        if (MPI_Test(request, &is_done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return 1;
        if (is_done) return 0;
        double so_far_s = MPI_Wtime() - begin;
        if (limit_s > 0.0 && so_far_s > limit_s) {
            waited_s = so_far_s;
            return 1;
        }
        pause_after(tries, so_far_s);
    }
}

static int allreduce(void *user, int64_t *data, int64_t count, dcpn_reduction how)
{
    (void)user;
    MPI_Op op = how == DCPN_SUM ? MPI_SUM : MPI_MAX;
    for (int64_t done = 0; done < count; done += MOST_AT_ONCE) {
        MPI_Request request;
        if (MPI_Iallreduce(MPI_IN_PLACE, data + done, smaller(count - done), MPI_INT64_T, op, MPI_COMM_WORLD,
                           &request) != MPI_SUCCESS ||
            wait_for(&request))
            return 1;
    }
    return 0;
}

static int broadcast(void *user, void *data, int64_t bytes, int32_t root)
{
    (void)user;
    for (int64_t done = 0; done < bytes; done += MOST_AT_ONCE) {
        MPI_Request request;
        if (MPI_Ibcast((char *)data + done, smaller(bytes - done), MPI_BYTE, root, MPI_COMM_WORLD, &request) !=
                MPI_SUCCESS ||
            wait_for(&request))
            return 1;
    }
    return 0;
}

static void set_limit(void)
{
    const char *text = getenv(DCPN_RANKS_WAIT);
    char *end;
    double given = text ? strtod(text, &end) : -1.0;
    if (text && end != text && *end == '\0' && given >= 0.0) limit_s = given;
}

/* The library calls from one thread. */
static int begin(dcpn_collective *table)
{
    int rank, size, provided;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
    if (MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN) != MPI_SUCCESS) return 1;
    if (MPI_Comm_rank(MPI_COMM_WORLD, &rank) != MPI_SUCCESS || MPI_Comm_size(MPI_COMM_WORLD, &size) != MPI_SUCCESS)
        return 1;
    *table = (dcpn_collective){.version = DCPN_COLLECTIVE_VERSION,
                               .rank = rank,
                               .size = size,
                               .allreduce_int64 = allreduce,
                               .broadcast = broadcast};
    set_limit();
    return 0;
}

/* MPI_Abort ends the ranks that wait for one that has failed. */
static void end(int has_failed, int code)
{
    if (waited_s > 0.0)
        fprintf(stderr,
                "dcpn: no answer from the other ranks within %.3g s (" DCPN_RANKS_WAIT "): one has stopped, or a link "
                "is cut\n",
                limit_s);
    if (has_failed) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
}

__attribute__((visibility("default"))) const struct dcpn_ranks_module dcpn_ranks_module;
const struct dcpn_ranks_module dcpn_ranks_module = {DCPN_RANKS_MODULE_VERSION, DCPN_MPI_NAME, begin, end};
