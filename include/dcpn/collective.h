/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks: processes that have a share of the rows each and fit one model together.
 *
 * The library sends nothing itself. It asks a table of functions, which MPI or any other engine fills in, to add up
 * whole numbers of all ranks; what it adds are sums that do not depend on who adds, so that the model is the same bytes
 * for any number of ranks and any way of dealing out the rows, and those of one process with the setting `sums` exact.
 *
 * Every rank makes a context of its own, gives it a collective, makes a matrix of its own rows and a problem, and calls
 * the same functions with the same settings in the same order. All ranks get the same results and the same statuses. */
#ifndef DCPN_COLLECTIVE_H
#define DCPN_COLLECTIVE_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dcpn_reduction { DCPN_SUM, DCPN_MAX } dcpn_reduction;

/* Each function is called by all ranks in the same order, and returns 0 on all of them when its work is done. Anything
 * else is a failure: the rank calls leave and nothing more of the table, and the call of the library returns DCPN_PEER.
 * Calls of other ranks that wait for one that has left must return a failure, too: the library waits for ever where the
 * table does, so the limits of time are the table's. All calls come from the thread that called the library. */
typedef struct dcpn_collective {
    int32_t version;    /* DCPN_COLLECTIVE_VERSION */
    int32_t rank, size; /* 0 <= rank < size */
    /* data_k becomes the sum, modulo 2^64, or the largest of the data_k of all ranks, in place. */
    int (*allreduce_int64)(void *user, int64_t *data, int64_t count, dcpn_reduction how);
    /* Copies the data of the rank `root` to all ranks. */
    int (*broadcast)(void *user, void *data, int64_t bytes, int32_t root);
    /* `all`, of size * bytes, becomes what the ranks have in `mine`, in their order. NULL: by allreduce_int64. */
    int (*allgather)(void *user, const void *mine, int64_t bytes, void *all);
    /* This rank makes no further calls: those that wait for it have to fail. NULL: they do anyway. */
    void (*leave)(void *user);
    void *user;
} dcpn_collective;

enum { DCPN_COLLECTIVE_VERSION = 1 };

/* The table is copied; what its `user` points to is borrowed. NULL: the context belongs to one process again, and
 * forgets an earlier failure. */
DCPN_API dcpn_status dcpn_context_set_collective(dcpn_context *context, const dcpn_collective *collective);
/* The number of this rank and how many there are; 0 and 1 without a collective. */
DCPN_API int32_t dcpn_context_rank(const dcpn_context *context);
DCPN_API int32_t dcpn_context_ranks(const dcpn_context *context);
/* The traffic of this rank since the collective was set: calls of the table, and bytes of their data. */
DCPN_API void dcpn_context_traffic(const dcpn_context *context, int64_t *messages, int64_t *bytes);

/* All ranks call this with the status of their own work. If that is DCPN_OK for all, all return DCPN_OK. Else all
 * return the status and the sentence of the first rank that failed, so that a refusal by one rank, of its part of the
 * data for example, is a refusal by all. */
DCPN_API dcpn_status dcpn_ranks_agree(dcpn_context *context, dcpn_status status);

/* Makes the caller's own refusal the last error, so that the ranks can agree on it; returns the status. */
DCPN_API dcpn_status dcpn_ranks_refuse(dcpn_context *context, dcpn_status status, const char *sentence);
/* All ranks call this; each word becomes the largest of those of all ranks. */
DCPN_API dcpn_status dcpn_ranks_largest_words(dcpn_context *context, int64_t *words, int64_t count);

#ifdef __cplusplus
}
#endif
#endif
