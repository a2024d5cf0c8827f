/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks by MPI: dcpn-openmpi.so, dcpn-mpich.so. */
#include <mpi.h>

#include <limits.h>

#include "../ranks_module.h"

enum { MOST_AT_ONCE = 1 << 27 }; /* words: counts of MPI are ints */

static int smaller(int64_t a)
{
    return a < MOST_AT_ONCE ? (int)a : MOST_AT_ONCE;
}

static int allreduce(void *user, int64_t *data, int64_t count, dcpn_reduction how)
{
    (void)user;
    MPI_Op op = how == DCPN_SUM ? MPI_SUM : MPI_MAX;
    for (int64_t done = 0; done < count; done += MOST_AT_ONCE)
        if (MPI_Allreduce(MPI_IN_PLACE, data + done, smaller(count - done), MPI_INT64_T, op, MPI_COMM_WORLD) != MPI_SUCCESS)
            return 1;
    return 0;
}

static int broadcast(void *user, void *data, int64_t bytes, int32_t root)
{
    (void)user;
    for (int64_t done = 0; done < bytes; done += MOST_AT_ONCE)
        if (MPI_Bcast((char *)data + done, smaller(bytes - done), MPI_BYTE, root, MPI_COMM_WORLD) != MPI_SUCCESS) return 1;
    return 0;
}

static int allgather(void *user, const void *mine, int64_t bytes, void *all)
{
    (void)user;
    if (bytes > INT_MAX) return 1;
    return MPI_Allgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, MPI_COMM_WORLD) != MPI_SUCCESS;
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
                               .broadcast = broadcast,
                               .allgather = allgather};
    return 0;
}

/* MPI_Abort ends the ranks that wait for one that has failed. */
static void end(int has_failed, int code)
{
    if (has_failed) MPI_Abort(MPI_COMM_WORLD, code);
    MPI_Finalize();
}

__attribute__((visibility("default"))) const struct dcpn_ranks_module dcpn_ranks_module;
const struct dcpn_ranks_module dcpn_ranks_module = {DCPN_RANKS_MODULE_VERSION, DCPN_MPI_NAME, begin, end};
