/* SPDX-License-Identifier: BSD-3-Clause */
/* The journal of a run: where each of its descents has ended, and how far the one has come that runs now.
 *
 * A descent is a function of the problem, its start and its effort, and all that a run does between two descents
 * follows from their ends. So a run that is started again with the journal of an earlier one goes the same way without
 * doing the work: each descent that has an end there takes it, the one that was under way goes on from its state, and
 * from then on the run is on its own. A fit, a path and the folds of a cross-validation are saved and resumed by this
 * alone.
 *
 * Work that can run at the same time, folds, writes into streams of its own.
 *
 * Of several ranks the first alone reads and writes files. All of them keep the same ends of descents, which are of
 * columns alone, so that any number of ranks can go on. */
#ifndef DCPN_SRC_JOURNAL_H
#define DCPN_SRC_JOURNAL_H

#include "algorithm/algorithm.h"

struct journal;

struct journal_stream {
    struct journal *journal; /* NULL: nothing is kept */
    uint64_t id;
    uint64_t next;   /* the number of the descent that comes next */
    uint64_t begin;  /* a checksum of what it is a function of */
    uint64_t cursor; /* of the record that was found last */
};

/* The key that tells one run from another. */
struct journal_key {
    uint64_t version, settings, problem;
};

/* Makes a journal. With path NULL it is kept in memory alone. A file that cannot be written causes only a warning,
 * because the run is worth more than its copy. */
dcpn_status dcpn_journal_new(dcpn_context *context, const char *path, double every_s, struct journal **journal);
/* Writes to another file from now on, or to none if path is NULL. */
dcpn_status dcpn_journal_set_path(struct journal *journal, const char *path, double every_s);
/* Takes the records of a file. */
dcpn_status dcpn_journal_read(struct journal *journal, const char *path);
/* Begins a run, or goes on with that of the file that was read; refuses the file of another run. */
dcpn_status dcpn_journal_begin(struct journal *journal, const struct journal_key *key);
/* Ends the run, so that the next one would begin anew. journal may be NULL. */
void dcpn_journal_end(struct journal *journal);
/* Returns the time that the earlier runs took. */
double dcpn_journal_elapsed_s(const struct journal *journal);
/* Writes all records that there are. journal may be NULL. */
void dcpn_journal_write(struct journal *journal);
int dcpn_journal_is_resumed(const struct journal *journal);
void dcpn_journal_free(struct journal *journal);

/* ---- for descent.c; a stream of NULL keeps nothing ---- */

/* Begins a descent where the algorithm stands. From now on only records of a descent that began there with the same
 * effort are used. */
void dcpn_journal_open(struct journal_stream *stream, const struct algorithm *algorithm, const struct effort *effort);
/* Returns 1 if the journal has the end of this descent; the algorithm then stands there. */
int dcpn_journal_replay(struct journal_stream *stream, struct algorithm *algorithm, const struct effort *effort,
                        struct watch *watch, struct descent *descent);
/* Moves a descent that has just started to where it was when its state was saved, if it was. Returns the entries of
 * A that had been touched by then, or -1. */
int64_t dcpn_journal_restore(struct journal_stream *stream, struct algorithm *algorithm, const struct effort *effort,
                             int *calm, struct descent *descent);
/* Saves the state between two steps, if it is time to. */
void dcpn_journal_consider(struct journal_stream *stream, struct algorithm *algorithm, int calm,
                           const struct descent *descent);
/* Saves the state of the descent in the journal, since the run has been told to end here. */
void dcpn_journal_stop(struct journal_stream *stream, struct algorithm *algorithm, int calm,
                       const struct descent *descent);
/* Ends a descent. is_done: it ended by itself, so that its end is worth keeping. */
void dcpn_journal_close(struct journal_stream *stream, const struct algorithm *algorithm, int is_done,
                        const struct descent *descent);

#endif
