/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between ranks, and what happens when one of them fails. */
#include "base/ranks.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/interrupt.h"

enum { LEAST_ROOM = 1024, SENTENCE = DCPN_ERROR_LENGTH };

static struct ranks *ranks_of(const dcpn_context *context)
{
    return context ? context->account->ranks : NULL;
}

int dcpn_has_ranks(const dcpn_context *context)
{
    return ranks_of(context) != NULL;
}

void dcpn_ranks_free(dcpn_context *context)
{
    struct ranks *ranks = context->ranks;
    if (!ranks) return;
    context->ranks = NULL;
    dcpn_free(context, ranks->room);
    dcpn_free(context, ranks);
}

static dcpn_status check_table(dcpn_context *context, const dcpn_collective *table)
{
    if (table->version != DCPN_COLLECTIVE_VERSION)
        return dcpn_fail(context, DCPN_USAGE, "collective: found version %d, expected %d", (int)table->version,
                         (int)DCPN_COLLECTIVE_VERSION);
    if (table->size < 1 || table->rank < 0 || table->rank >= table->size)
        return dcpn_fail(context, DCPN_USAGE, "collective: found rank %d of %d, expected one from 0 on below the size",
                         (int)table->rank, (int)table->size);
    if (!table->allreduce_int64 || !table->broadcast)
        return dcpn_fail(context, DCPN_USAGE, "collective: expected allreduce_int64 and broadcast, found NULL");
    return DCPN_OK;
}

dcpn_status dcpn_context_set_collective(dcpn_context *context, const dcpn_collective *collective)
{
    DCPN_NEED(NULL, context);
    if (collective) DCPN_TRY(check_table(context, collective));
    dcpn_ranks_free(context);
    if (!collective) return DCPN_OK;
    struct ranks *made = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct ranks){.table = *collective};
    context->ranks = made;
    return DCPN_OK;
}

int32_t dcpn_context_rank(const dcpn_context *context)
{
    const struct ranks *ranks = ranks_of(context);
    return ranks ? ranks->table.rank : 0;
}

int32_t dcpn_context_ranks(const dcpn_context *context)
{
    const struct ranks *ranks = ranks_of(context);
    return ranks ? ranks->table.size : 1;
}

void dcpn_context_traffic(const dcpn_context *context, int64_t *messages, int64_t *bytes)
{
    const struct ranks *ranks = ranks_of(context);
    if (messages) *messages = ranks ? ranks->messages : 0;
    if (bytes) *bytes = ranks ? ranks->bytes : 0;
}

/* ---- messages ---- */

static void leave(struct ranks *ranks)
{
    if (!ranks->has_failed && ranks->table.leave) ranks->table.leave(ranks->table.user);
    ranks->has_failed = 1;
}

static void count(struct ranks *ranks, int64_t bytes)
{
    ranks->messages++;
    ranks->bytes += bytes;
}

/* Reduces the data of all ranks. Returns 0, and the data become 0, if this call or one before it has failed. */
static int reduce(struct ranks *ranks, int64_t *data, int64_t words, dcpn_reduction how)
{
    size_t bytes = (size_t)words * sizeof *data;
    if (!ranks->has_failed) {
        count(ranks, (int64_t)bytes);
        if (ranks->table.allreduce_int64(ranks->table.user, data, words, how) == 0) return 1;
        leave(ranks);
    }
    memset(data, 0, bytes);
    return 0;
}

static int has_room(dcpn_context *context, struct ranks *ranks, int64_t words)
{
    dcpn_context *owner = context->account;
    int64_t wanted = words > LEAST_ROOM ? words : LEAST_ROOM;
    if (words <= ranks->room_for) return 1;
    dcpn_free(owner, ranks->room);
    ranks->room = dcpn_allocate(owner, (size_t)wanted, sizeof *ranks->room);
    ranks->room_for = ranks->room ? wanted : 0;
    return ranks->room != NULL;
}

/* The first word of the message is the wish. If several ranks have one, their sum is no wish of its own, but as good as
 * any. */
void dcpn_ranks_sum(dcpn_context *context, int64_t *data, int64_t words)
{
    struct ranks *ranks = ranks_of(context);
    size_t bytes = (size_t)words * sizeof *data;
    if (!ranks) return;
    if (!has_room(context, ranks, words + 1)) leave(ranks);
    if (ranks->has_failed) {
        memset(data, 0, bytes);
        return;
    }
    ranks->room[0] = ranks->wish;
    memcpy(ranks->room + 1, data, bytes);
    reduce(ranks, ranks->room, words + 1, DCPN_SUM);
    memcpy(data, ranks->room + 1, bytes);
    ranks->told |= ranks->room[0];
}

void dcpn_ranks_max(dcpn_context *context, int64_t *data, int64_t words)
{
    struct ranks *ranks = ranks_of(context);
    if (ranks) reduce(ranks, data, words, DCPN_MAX);
}

double dcpn_ranks_largest(dcpn_context *context, double x)
{
    double magnitude = fabs(x); /* the sign of a NaN goes; its bits are above those of infinity */
    int64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    dcpn_ranks_max(context, &bits, 1);
    memcpy(&magnitude, &bits, sizeof bits);
    return magnitude;
}

int dcpn_ranks_any(dcpn_context *context, int holds)
{
    int64_t word = holds != 0;
    dcpn_ranks_max(context, &word, 1);
    return word != 0;
}

void dcpn_ranks_broadcast(dcpn_context *context, void *data, int64_t bytes)
{
    struct ranks *ranks = ranks_of(context);
    if (!ranks) return;
    if (!ranks->has_failed) {
        count(ranks, bytes);
        if (ranks->table.broadcast(ranks->table.user, data, bytes, 0) == 0) return;
        leave(ranks);
    }
    memset(data, 0, (size_t)bytes);
}

/* Each rank writes its rows into a slot of its own. */
struct row_place dcpn_ranks_place(dcpn_context *context, int64_t rows)
{
    struct ranks *ranks = ranks_of(context);
    struct row_place place = {0, ranks ? 0 : rows};
    if (!ranks) return place;
    if (!has_room(context, ranks, ranks->table.size)) {
        leave(ranks);
        return place;
    }
    memset(ranks->room, 0, (size_t)ranks->table.size * sizeof *ranks->room);
    ranks->room[ranks->table.rank] = rows;
    reduce(ranks, ranks->room, ranks->table.size, DCPN_SUM);
    for (int32_t k = 0; k < ranks->table.size; k++) {
        if (k < ranks->table.rank) place.first += ranks->room[k];
        place.all += ranks->room[k];
    }
    return place;
}

/* ---- failures ---- */

int dcpn_ranks_has_failed(const dcpn_context *context)
{
    const struct ranks *ranks = ranks_of(context);
    return ranks && ranks->has_failed;
}

dcpn_status dcpn_ranks_status(dcpn_context *context)
{
    const struct ranks *ranks = ranks_of(context);
    if (!ranks || !ranks->has_failed) return DCPN_OK;
    return dcpn_fail(context, DCPN_PEER,
                     "rank %d of %d: a call to the other ranks failed: one of them has ended, or cannot be reached",
                     (int)ranks->table.rank, (int)ranks->table.size);
}

dcpn_status dcpn_ranks_end(dcpn_context *context, dcpn_status status)
{
    struct ranks *ranks = ranks_of(context);
    if (!ranks) return status;
    if (status == DCPN_CANCELLED && !dcpn_ranks_told(context)) leave(ranks);
    if (ranks->has_failed && status != DCPN_MEMORY) return dcpn_ranks_status(context);
    if (status == DCPN_MEMORY) leave(ranks);
    return status;
}

/* Each rank that refuses sends (2^32 - rank) 256 + status, the others 0. The largest of these words is that of the
 * first rank that refuses, and all ranks agree on its status and its sentence. */
dcpn_status dcpn_ranks_agree(dcpn_context *context, dcpn_status status)
{
    struct ranks *ranks = ranks_of(context);
    char sentence[SENTENCE] = "";
    if (!ranks) return status;
    int64_t word = status == DCPN_OK ? 0 : ((INT64_C(1) << 32) - ranks->table.rank) * 256 + (int64_t)status;
    if (!reduce(ranks, &word, 1, DCPN_MAX)) return dcpn_ranks_status(context);
    if (word == 0) return DCPN_OK;
    int32_t first = (int32_t)((INT64_C(1) << 32) - word / 256);
    if (first == ranks->table.rank) memcpy(sentence, context->error, sizeof sentence);
    count(ranks, SENTENCE);
    if (ranks->table.broadcast(ranks->table.user, sentence, SENTENCE, first) != 0) {
        leave(ranks);
        return dcpn_ranks_status(context);
    }
    sentence[SENTENCE - 1] = '\0';
    if (first == ranks->table.rank) return status;
    return dcpn_fail(context, (dcpn_status)(word % 256), "%s", sentence);
}

dcpn_status dcpn_ranks_refuse(dcpn_context *context, dcpn_status status, const char *sentence)
{
    DCPN_NEED(NULL, context);
    DCPN_NEED(context, sentence);
    return dcpn_fail(context, status, "%s", sentence);
}

dcpn_status dcpn_ranks_largest_words(dcpn_context *context, int64_t *words, int64_t count)
{
    DCPN_NEED(NULL, context);
    DCPN_NEED(context, words);
    DCPN_TRY(dcpn_need_size(context, "words", count));
    dcpn_ranks_max(context, words, count);
    return dcpn_ranks_status(context);
}

/* ---- wishes ---- */

void dcpn_ranks_begin(dcpn_context *context)
{
    struct ranks *ranks = ranks_of(context);
    if (ranks) ranks->wish = ranks->told = 0;
}

void dcpn_ranks_wish(dcpn_context *context, int64_t wish)
{
    struct ranks *ranks = ranks_of(context);
    if (ranks) ranks->wish = wish;
}

int64_t dcpn_ranks_told(const dcpn_context *context)
{
    const struct ranks *ranks = ranks_of(context);
    return ranks ? ranks->told : 0;
}

int dcpn_ranks_told_to_stop(const dcpn_context *context)
{
    return (dcpn_ranks_told(context) & UINT32_MAX) != 0;
}

int dcpn_ranks_end_early(dcpn_context *context)
{
    if (!dcpn_has_ranks(context)) return dcpn_is_interrupted(context);
    return dcpn_ranks_told(context) != 0 || dcpn_ranks_has_failed(context);
}

dcpn_status dcpn_ranks_refuse_ended(dcpn_context *context, const char *what)
{
    if (!dcpn_ranks_end_early(context)) return DCPN_OK;
    return dcpn_fail(context, DCPN_CANCELLED, "%s was interrupted before it was done", what);
}
