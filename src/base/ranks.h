/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of a run from inside. With one process alone all of these return at once.
 *
 * A message carries, besides what it is sent for, the wish of any rank to end the run: rank 0 alone looks at the clock,
 * any may be interrupted. So all ranks hear of it in the same message and end at the same place.
 *
 * When a call fails the numbers of that message and of all later ones are 0. What is computed from them is of no use,
 * but ends: watches tell every loop to, and the function of the public header returns dcpn_ranks_status(). */
#ifndef DCPN_SRC_RANKS_H
#define DCPN_SRC_RANKS_H

#include "dcpn/collective.h"

struct ranks {
    dcpn_collective table;
    int has_failed;
    int64_t messages, bytes;
    int64_t wish, told; /* of this rank; and what all ranks know of all wishes. 0: to go on */
    int64_t *room;      /* for a message with its wishes */
    int64_t room_for;
};

/* Is there more than one process, or one that talks to itself? */
int dcpn_has_ranks(const dcpn_context *context);
/* data_k becomes the sum of the data_k of all ranks, modulo 2^64. */
void dcpn_ranks_sum(dcpn_context *context, int64_t *data, int64_t count);
/* data_k becomes the largest of the data_k of all ranks. Doubles that are finite and not negative may be compared by
 * their bits in this way. */
void dcpn_ranks_max(dcpn_context *context, int64_t *data, int64_t count);
double dcpn_ranks_largest(dcpn_context *context, double x); /* of numbers >= 0 or infinite; NaN if one is NaN */
int dcpn_ranks_any(dcpn_context *context, int holds);
int dcpn_ranks_has_failed(const dcpn_context *context);
/* Copies the bytes of rank 0 to all ranks; they are 0 once a call has failed. */
void dcpn_ranks_broadcast(dcpn_context *context, void *data, int64_t bytes);
/* Counts the rows of all ranks, and those of the ranks before this one, whose rows come first. It takes one message. */
struct row_place {
    int64_t first, all;
};
struct row_place dcpn_ranks_place(dcpn_context *context, int64_t rows);
/* Returns DCPN_PEER once a call to the other ranks has failed. */
dcpn_status dcpn_ranks_status(dcpn_context *context);
/* Returns the status with which a call that all ranks make ends. If the failure is one that only this rank knows of,
 * the rank leaves the others. */
dcpn_status dcpn_ranks_end(dcpn_context *context, dcpn_status status);

/* The wish of this rank to end the run, and the wishes of all ranks that every rank has been told of. A run begins
 * without any of them. */
void dcpn_ranks_begin(dcpn_context *context);
void dcpn_ranks_wish(dcpn_context *context, int64_t wish);
int64_t dcpn_ranks_told(const dcpn_context *context);
int dcpn_ranks_told_to_stop(const dcpn_context *context); /* by an observer or a signal, not by the limit of time */
/* Is the run to end? Without ranks: is it interrupted? With them all answer alike. */
int dcpn_ranks_end_early(dcpn_context *context);
/* Fails with DCPN_CANCELLED if the run is to end; `what` names what was cut short. */
dcpn_status dcpn_ranks_refuse_ended(dcpn_context *context, const char *what);

void dcpn_ranks_free(dcpn_context *context);
#endif
