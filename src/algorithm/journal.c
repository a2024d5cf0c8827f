/* SPDX-License-Identifier: BSD-3-Clause */
/* The records of a journal, kept by the streams that write them. */
#include "algorithm/journal.h"

#include <string.h>

#include "algorithm/journal_belief.h"
#include "algorithm/journal_file.h"
#include "base/checksum.h"
#include "base/clock.h"
#include "base/ranks.h"
#include "base/vector.h"

/* The end of a descent; its coefficients follow as index and value. */
struct end {
    struct descent descent;
    double value, stationarity, residual;
    int64_t touched, size, count;
    int64_t is_by_columns; /* u of the point */
    int64_t safeguards;    /* of all descents so far */
};

/* How far a descent has come; what the algorithm names in its state follows. */
struct stand {
    struct descent descent;
    int64_t touched, calm;
};

dcpn_status dcpn_journal_new(dcpn_context *context, const char *path, double every_s, struct journal **journal)
{
    if (dcpn_context_rank(context) > 0) path = NULL;
    struct journal *made = *journal = dcpn_allocate(context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    *made = (struct journal){.context = context, .every_s = every_s};
    made->started_at = made->written_at = dcpn_clock_s();
    dcpn_mutex_init(&made->lock);
    made->path = path ? dcpn_copy_text(context, path) : NULL;
    if (made->path || !path) return DCPN_OK;
    dcpn_journal_free(made);
    *journal = NULL;
    return DCPN_MEMORY;
}

void dcpn_journal_clear(struct journal *journal)
{
    for (size_t k = 0; k < journal->count; k++) dcpn_free(journal->context, journal->records[k].bytes);
    journal->count = 0;
    dcpn_free(journal->context, journal->resumed);
    journal->resumed = NULL;
}

void dcpn_journal_free(struct journal *journal)
{
    if (!journal) return;
    dcpn_journal_clear(journal);
    dcpn_free(journal->context, journal->records);
    dcpn_free(journal->context, journal->path);
    dcpn_mutex_destroy(&journal->lock);
    dcpn_free(journal->context, journal);
}

dcpn_status dcpn_journal_set_path(struct journal *journal, const char *path, double every_s)
{
    if (dcpn_context_rank(journal->context) > 0) path = NULL;
    char *copy = path ? dcpn_copy_text(journal->context, path) : NULL;
    if (path && !copy) return DCPN_MEMORY;
    dcpn_free(journal->context, journal->path);
    journal->path = copy;
    journal->every_s = every_s;
    return DCPN_OK;
}

double dcpn_journal_elapsed_s(const struct journal *journal)
{
    return journal->elapsed_s;
}

int dcpn_journal_is_resumed(const struct journal *journal)
{
    return journal->resumed != NULL;
}

/* ---- records ---- */

static struct record *find_record(struct journal_stream *stream, enum record_kind kind)
{
    struct journal *journal = stream->journal;
    for (uint64_t tried = 0; tried < journal->count; tried++) {
        struct record *record = &journal->records[(stream->cursor + tried) % journal->count];
        if (record->stream != stream->id || record->number != stream->next || record->kind != kind) continue;
        if (record->begin != stream->begin) return NULL;
        stream->cursor = (stream->cursor + tried) % journal->count;
        return record;
    }
    return NULL;
}

/* Returns the record of the descent under way, of which a stream has at most one, for reuse, or a new record. */
static struct record *place_for(struct journal_stream *stream, enum record_kind kind)
{
    struct journal *journal = stream->journal;
    for (size_t k = 0; k < journal->count; k++)
        if (journal->records[k].stream == stream->id && journal->records[k].kind == RECORD_STAND)
            return &journal->records[k];
    return dcpn_journal_append(journal, stream->id, stream->next, kind);
}

/* Makes room for a record of so many bytes. Returns NULL if memory is short; the journal then goes without the
 * record. */
static char *open_record(struct journal_stream *stream, enum record_kind kind, size_t size)
{
    struct journal *journal = stream->journal;
    struct record *record = place_for(stream, kind);
    if (!record) return NULL;
    if (record->size != size) {
        dcpn_free(journal->context, record->bytes);
        record->bytes = dcpn_allocate(journal->context, size, 1);
    }
    record->size = record->bytes ? size : 0;
    record->stream = stream->id;
    record->number = stream->next;
    record->begin = stream->begin;
    record->kind = kind;
    return record->bytes;
}

/* ---- what a descent is a function of ---- */

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t pair[] = {hash, dcpn_checksum(bytes, size)};
    return dcpn_checksum(pair, sizeof pair);
}

static uint64_t checksum_of(const struct algorithm *a, const struct effort *effort)
{
    const struct penalty *h = &a->objective.penalty;
    const double numbers[] = {effort->goal,   effort->little, effort->foreseen, effort->work, h->base_lambda,
                              h->shape.theta, h->shape.a,     h->shape.gamma,   h->shape.p,   h->shape.eps};
    const int64_t counts[] = {effort->calm,    effort->steps,    effort->sweeps,
                              effort->is_near, effort->is_loose, h->first_only};
    size_t size = (size_t)a->objective.size * sizeof(double);
    uint64_t hash = mix(mix(0, numbers, sizeof numbers), counts, sizeof counts);
    if (h->lambda) hash = mix(hash, h->lambda, size);
    return mix(hash, a->point.x, size);
}

void dcpn_journal_open(struct journal_stream *stream, const struct algorithm *a, const struct effort *effort)
{
    if (!stream || !stream->journal) return;
    stream->next++;
    stream->begin = checksum_of(a, effort);
}

/* ---- ends ---- */

static int is_sound(const struct record *record, int64_t size)
{
    const struct end *end = (const void *)record->bytes;
    if (record->size < sizeof *end || end->size != size || end->count < 0 || end->count > size) return 0;
    if (end->safeguards < 0) return 0;
    if (record->size != sizeof *end + (size_t)end->count * (sizeof(int64_t) + sizeof(double))) return 0;
    const int64_t *index = (const void *)(record->bytes + sizeof *end);
    const double *value = (const void *)(index + end->count);
    for (int64_t k = 0; k < end->count; k++)
        if (index[k] < 0 || index[k] >= size || (k > 0 && index[k] <= index[k - 1])) return 0;
    return dcpn_all_finite(end->count, value);
}

/* Moves the algorithm to the end that a record describes. Returns whether the point is what the record says of it. */
static int stand_at(const struct record *record, struct algorithm *a, const struct effort *effort)
{
    const struct end *end = (const void *)record->bytes;
    const int64_t *index = (const void *)(record->bytes + sizeof *end);
    const double *value = (const void *)(index + end->count);
    dcpn_fill(a->objective.size, 0.0, a->point.x);
    for (int64_t k = 0; k < end->count; k++) a->point.x[index[k]] = value[k];
    a->ops->start(a, effort);
    dcpn_point_evaluate(&a->objective, &a->point);
    if (!dcpn_value_is_believed(end->value, a)) return 0;
    if (end->is_by_columns) dcpn_point_add_columns(&a->objective, &a->point); /* u, to the bit */
    a->point.value = end->value;
    if (!effort->is_loose) {
        dcpn_algorithm_look(a);
        if (!dcpn_stationarity_is_believed(end->stationarity, a, effort)) return 0;
    }
    a->stationarity = end->stationarity;
    a->residual = end->residual;
    a->is_afresh = 1;
    a->is_by_columns = end->is_by_columns != 0;
    a->objective.design.touched = end->touched;
    if (a->safeguards) *a->safeguards = end->safeguards;
    return 1;
}

/* Copies the start of the descent, to which it goes back if a record is not believed. There is room for u behind it. */
static double *keep_start(dcpn_context *context, const struct algorithm *a)
{
    size_t size = (size_t)a->objective.size, rows = (size_t)a->objective.rows;
    double *kept = dcpn_allocate(context, size + rows, sizeof *kept);
    if (kept) dcpn_copy(a->objective.size, a->point.x, kept);
    return kept;
}

static int take_end(dcpn_context *context, const struct record *record, struct algorithm *a,
                    const struct effort *effort)
{
    const struct end *end = (const void *)record->bytes;
    if (!is_sound(record, a->objective.size) || !dcpn_counts_are_believed(&end->descent, end->touched)) return 0;
    double *start = keep_start(context, a);
    if (!start) return 0;
    int is_taken = stand_at(record, a, effort);
    if (!is_taken) dcpn_copy(a->objective.size, start, a->point.x);
    dcpn_free(context, start);
    return is_taken;
}

int dcpn_journal_replay(struct journal_stream *stream, struct algorithm *a, const struct effort *effort,
                        struct watch *watch, struct descent *descent)
{
    if (!stream || !stream->journal) return 0;
    dcpn_mutex_lock(&stream->journal->lock);
    const struct record *record = find_record(stream, RECORD_END);
    int is_there = record && take_end(stream->journal->context, record, a, effort);
    if (is_there) *descent = ((const struct end *)(const void *)record->bytes)->descent;
    dcpn_mutex_unlock(&stream->journal->lock);
    if (is_there) watch->steps += descent->steps;
    if (is_there) dcpn_watch_step(watch, a, effort->is_shown);
    return is_there;
}

static void fill_end(const struct algorithm *a, const struct descent *descent, char *bytes)
{
    int64_t size = a->objective.size, count = 0;
    struct end *end = (void *)bytes;
    *end = (struct end){.descent = *descent,
                        .value = a->point.value,
                        .stationarity = a->stationarity,
                        .residual = a->residual,
                        .touched = a->objective.design.touched,
                        .size = size,
                        .is_by_columns = a->is_by_columns,
                        .safeguards = a->safeguards ? *a->safeguards : 0,
                        .count = dcpn_count_nonzeros(size, a->point.x)};
    int64_t *index = (void *)(bytes + sizeof *end);
    double *value = (void *)(index + end->count);
    for (int64_t j = 0; j < size; j++) {
        if (a->point.x[j] == 0.0) continue;
        index[count] = j;
        value[count++] = a->point.x[j];
    }
}

static void write_if_due(struct journal *journal)
{
    if (journal->path && dcpn_clock_s() - journal->written_at >= journal->every_s) dcpn_journal_write(journal);
}

static void keep_end(struct journal_stream *stream, const struct algorithm *a, const struct descent *descent)
{
    size_t count = (size_t)dcpn_count_nonzeros(a->objective.size, a->point.x);
    char *bytes = open_record(stream, RECORD_END, sizeof(struct end) + count * (sizeof(int64_t) + sizeof(double)));
    if (bytes) fill_end(a, descent, bytes);
}

void dcpn_journal_close(struct journal_stream *stream, const struct algorithm *a, int is_done,
                        const struct descent *descent)
{
    if (!stream || !stream->journal) return;
    dcpn_mutex_lock(&stream->journal->lock);
    if (is_done) keep_end(stream, a, descent);
    if (is_done) write_if_due(stream->journal);
    dcpn_mutex_unlock(&stream->journal->lock);
}

/* ---- the descent under way ---- */

static size_t state_size(struct algorithm *a)
{
    struct state state = {.use = DCPN_STATE_COUNT};
    dcpn_algorithm_state(a, &state);
    return state.used;
}

static void save_stand(struct journal_stream *stream, struct algorithm *a, int calm, const struct descent *descent)
{
    size_t size = state_size(a);
    char *bytes = open_record(stream, RECORD_STAND, sizeof(struct stand) + size);
    struct state state = {DCPN_STATE_SAVE, bytes ? bytes + sizeof(struct stand) : NULL, 0, size};
    if (!bytes) return;
    *(struct stand *)(void *)bytes = (struct stand){*descent, a->objective.design.touched, calm};
    dcpn_algorithm_state(a, &state);
}

static int restore_state(const struct record *record, struct algorithm *a, double *space)
{
    const struct stand *stand = (const void *)record->bytes;
    struct state state = {DCPN_STATE_RESTORE, record->bytes + sizeof *stand, 0, record->size - sizeof *stand};
    double begun_at = a->point.value;
    if (!dcpn_counts_are_believed(&stand->descent, stand->touched)) return 0;
    dcpn_algorithm_state(a, &state);
    return state.used == state.size && dcpn_all_finite(a->objective.size, a->point.x) &&
           dcpn_point_is_believed(a, begun_at, space);
}

/* Restores the state of a descent. If it has other numbers than the algorithm needs, or is not believed, the descent
 * stays at its start. */
static int64_t take_stand(dcpn_context *context, const struct record *record, struct algorithm *a,
                          const struct effort *effort, int *calm, struct descent *descent)
{
    const struct stand *stand = (const void *)record->bytes;
    double *start = keep_start(context, a);
    if (!start) return -1;
    int is_taken = restore_state(record, a, start + a->objective.size);
    if (!is_taken) {
        dcpn_copy(a->objective.size, start, a->point.x);
        a->ops->start(a, effort);
        a->is_afresh = 1;
        a->is_by_columns = 0;
    }
    dcpn_free(context, start);
    if (!is_taken) return -1;
    *descent = stand->descent;
    *calm = (int)stand->calm;
    if (a->watch) a->watch->steps += descent->steps;
    return stand->touched;
}

int64_t dcpn_journal_restore(struct journal_stream *stream, struct algorithm *a, const struct effort *effort, int *calm,
                             struct descent *descent)
{
    int64_t touched = -1;
    if (!stream || !stream->journal) return -1;
    dcpn_mutex_lock(&stream->journal->lock);
    struct record *record = find_record(stream, RECORD_STAND);
    if (record && record->size >= sizeof(struct stand))
        touched = take_stand(stream->journal->context, record, a, effort, calm, descent);
    dcpn_mutex_unlock(&stream->journal->lock);
    return touched;
}

void dcpn_journal_consider(struct journal_stream *stream, struct algorithm *a, int calm, const struct descent *descent)
{
    if (!stream || !stream->journal || !stream->journal->path || descent->steps == 0) return;
    dcpn_mutex_lock(&stream->journal->lock);
    int is_due = dcpn_clock_s() - stream->journal->written_at >= stream->journal->every_s;
    if (is_due) save_stand(stream, a, calm, descent);
    if (is_due) dcpn_journal_write(stream->journal);
    dcpn_mutex_unlock(&stream->journal->lock);
}

void dcpn_journal_stop(struct journal_stream *stream, struct algorithm *a, int calm, const struct descent *descent)
{
    if (!stream || !stream->journal || !stream->journal->path) return;
    dcpn_mutex_lock(&stream->journal->lock);
    save_stand(stream, a, calm, descent);
    dcpn_mutex_unlock(&stream->journal->lock);
}
