/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: the state of a run, to a file and back. */
#include "solver/checkpoint.h"

#include <math.h>
#include <string.h>

#include "base/checksum.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/rng.h"

#define MAGIC                                                                                                          \
    "\x89"                                                                                                             \
    "DCPK\r\n\x1a"
enum { FORMAT = 1, BYTE_ORDER_MARK = 0x01020304 };

struct header {
    char magic[8];
    uint32_t format, byte_order;
    uint64_t file_size;
    uint64_t version, settings, problem; /* fingerprints */
    uint64_t state_size, arena_size;     /* bytes */
    uint64_t changes;                    /* words of the state that are saved */
    double elapsed_s, change;
    uint64_t changes_checksum, arena_checksum;
    uint64_t checksum; /* of the header before it */
};

/* A word of the state. */
struct change {
    uint64_t word;   /* its number, all structs one behind the other */
    uint64_t region; /* it is an address: 1 in the arena, 2 + k in struct k; 0: it is a value */
    uint64_t value;  /* or how many bytes behind the start of the region */
};

struct checkpoint {
    char *path; /* NULL: nothing is written */
    double every_s, last_s;
    uint64_t *at_start; /* the words of the state */
    int knows_start;    /* 0: asked for since the run has begun, of which nothing is written then */
    char *resumed;      /* the file to go on from, its checksums verified; NULL: none */
    char *resumed_name;
    int has_warned; /* in this run: what cannot be written once can hardly be written a moment later */
};

/* ---- the state as words -------------------------------------------------------------------------------------------*/

static char *arena_start(const dcpn_solver *solver)
{
    return dcpn_arena_start(&solver->arena);
}

/* The region that an address points into, the place behind its end included; 0: none. */
static uint64_t region_of(const dcpn_solver *solver, uint64_t address, uint64_t *offset)
{
    uint64_t arena = (uint64_t)(uintptr_t)arena_start(solver);
    *offset = address - arena;
    if (address >= arena && *offset <= solver->arena.used) return 1;
    for (int k = 0; k < solver->state_count; k++) {
        uint64_t start = (uint64_t)(uintptr_t)solver->states[k].memory;
        *offset = address - start;
        if (address >= start && *offset <= solver->states[k].size) return 2 + (uint64_t)k;
    }
    return 0;
}

/* An address that changes was one before, or NULL: a number does not pass for one. */
static struct change describe_change(const dcpn_solver *solver, uint64_t word, uint64_t before, uint64_t now)
{
    struct change change = {.word = word, .value = now};
    uint64_t offset;
    if (before != 0 && region_of(solver, before, &offset) == 0) return change;
    change.region = region_of(solver, now, &offset);
    if (change.region) change.value = offset;
    return change;
}

/* Fills changes, which has room for all words, and returns how many there are. */
static size_t find_changes(const dcpn_solver *solver, const uint64_t *before, struct change *changes)
{
    size_t count = 0, word = 0;
    for (int k = 0; k < solver->state_count; k++) {
        const uint64_t *now = solver->states[k].memory;
        for (size_t i = 0; i < solver->states[k].size / sizeof *now; i++, word++)
            if (now[i] != before[word]) changes[count++] = describe_change(solver, word, before[word], now[i]);
    }
    return count;
}

static uint64_t *word_at(const dcpn_solver *solver, uint64_t word)
{
    int k = 0;
    while (word >= solver->states[k].size / sizeof(uint64_t)) word -= solver->states[k++].size / sizeof(uint64_t);
    return (uint64_t *)solver->states[k].memory + word;
}

static void apply_change(const dcpn_solver *solver, const struct change *change)
{
    uint64_t value = change->value;
    if (change->region == 1) value += (uint64_t)(uintptr_t)arena_start(solver);
    if (change->region >= 2) value += (uint64_t)(uintptr_t)solver->states[change->region - 2].memory;
    *word_at(solver, change->word) = value;
}

/* ---- fingerprints -------------------------------------------------------------------------------------------------*/

static uint64_t combine(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t pair[] = {hash, bytes ? dcpn_checksum(bytes, size) : 0};
    return dcpn_checksum(pair, sizeof pair);
}

static uint64_t combine_text(uint64_t hash, const char *text)
{
    return combine(hash, text, text ? strlen(text) : 0);
}

/* Another limit is another place to stop, not another run. */
static int is_limit(const char *option)
{
    return strcmp(option, "max-iter") == 0 || strcmp(option, "dc-max") == 0 || strcmp(option, "max-time") == 0;
}

static uint64_t settings_fingerprint(const dcpn_solver *solver)
{
    static const size_t sizes[] = {
        [DCPN_KIND_REAL] = sizeof(double), [DCPN_KIND_COUNT] = sizeof(int64_t), [DCPN_KIND_FLAG] = sizeof(int)};
    uint64_t hash = combine_text(combine_text(0, dcpn_solver_loss_name(solver)), dcpn_solver_penalty_name(solver));
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        const void *field = (const char *)&solver->settings + setting->offset;
        if (is_limit(setting->option)) continue;
        if (setting->kind == DCPN_KIND_CHOICE)
            hash = combine_text(hash, *(const char *const *)field);
        else
            hash = combine(hash, field, sizes[setting->kind]);
    }
    return hash;
}

/* A changes if A x does, for an x without pattern: one product stands for all entries. */
static dcpn_status hash_matrix(const dcpn_solver *solver, const dcpn_matrix *A, uint64_t *hash)
{
    double *x = dcpn_allocate(solver->context, (size_t)(A->columns + A->rows), sizeof *x);
    struct rng rng;
    if (!x) return DCPN_MEMORY;
    dcpn_rng_seed(&rng, 1);
    for (int64_t j = 0; j < A->columns; j++) x[j] = 0.5 + dcpn_rng_uniform(&rng);
    dcpn_matrix_apply(A, x, x + A->columns);
    *hash = combine(*hash, x + A->columns, (size_t)A->rows * sizeof *x);
    dcpn_free(solver->context, x);
    return DCPN_OK;
}

static dcpn_status problem_fingerprint(const dcpn_solver *solver, uint64_t *hash)
{
    const struct objective *F = &solver->algorithm->objective;
    const int64_t sizes[] = {F->rows, F->features, F->size, F->design.A->entries};
    size_t rows = (size_t)F->rows * sizeof(double), columns = (size_t)F->features * sizeof(double);
    size_t given_rows = (size_t)dcpn_solver_rows(solver) * sizeof(double); /* without that of --balance */
    *hash = combine(0, sizes, sizeof sizes);
    if (solver->parts.loss) *hash = combine(combine(*hash, solver->y, rows), solver->w, rows);
    *hash = combine(*hash, solver->problem->offset, given_rows);
    *hash = combine(*hash, solver->problem->factors, columns);
    *hash = combine(*hash, solver->problem->lower, columns);
    *hash = combine(*hash, solver->problem->upper, columns);
    *hash = combine(*hash, solver->start, (size_t)F->size * sizeof(double));
    return solver->problem->A ? hash_matrix(solver, solver->problem->A, hash) : DCPN_OK;
}

static dcpn_status fill_fingerprints(const dcpn_solver *solver, struct header *header)
{
    header->version = combine_text(0, dcpn_version());
    header->settings = settings_fingerprint(solver);
    return problem_fingerprint(solver, &header->problem);
}

/* ---- writing ------------------------------------------------------------------------------------------------------*/

static dcpn_status write_file(const dcpn_solver *solver, const struct header *header, const struct change *changes)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_open_plain(solver->context, solver->checkpoint->path, &file));
    dcpn_output_write(&file, (const char *)header, sizeof *header);
    dcpn_output_write(&file, (const char *)changes, header->changes * sizeof *changes);
    dcpn_output_write(&file, arena_start(solver), header->arena_size);
    return dcpn_output_commit(&file);
}

static void seal(const dcpn_solver *solver, const struct change *changes, struct header *header)
{
    size_t size = header->changes * sizeof *changes;
    memcpy(header->magic, MAGIC, sizeof header->magic);
    header->format = FORMAT;
    header->byte_order = BYTE_ORDER_MARK;
    header->state_size = dcpn_solver_state_words(solver) * sizeof(uint64_t);
    header->arena_size = solver->arena.used;
    header->file_size = sizeof *header + size + header->arena_size;
    header->changes_checksum = dcpn_checksum(changes, size);
    header->arena_checksum = dcpn_checksum(arena_start(solver), header->arena_size);
    header->checksum = dcpn_checksum(header, offsetof(struct header, checksum));
}

static dcpn_status write_checkpoint(const dcpn_solver *solver, double change)
{
    struct header header = {.elapsed_s = dcpn_clock_s() - solver->started_at, .change = change};
    struct change *changes = dcpn_allocate(solver->context, dcpn_solver_state_words(solver), sizeof *changes);
    if (!changes) return DCPN_MEMORY;
    header.changes = find_changes(solver, solver->checkpoint->at_start, changes);
    dcpn_status status = fill_fingerprints(solver, &header);
    if (status == DCPN_OK) seal(solver, changes, &header);
    if (status == DCPN_OK) status = write_file(solver, &header, changes);
    dcpn_free(solver->context, changes);
    return status;
}

static void write_or_warn(dcpn_solver *solver, double change)
{
    struct checkpoint *checkpoint = solver->checkpoint;
    if (write_checkpoint(solver, change) != DCPN_OK && !checkpoint->has_warned) {
        dcpn_log(solver->context, DCPN_LOG_WARNING, "no checkpoint: %s", dcpn_last_error(solver->context));
        checkpoint->has_warned = 1;
    }
    checkpoint->last_s = dcpn_clock_s();
}

static int is_written(const struct checkpoint *checkpoint)
{
    return checkpoint && checkpoint->path && checkpoint->knows_start;
}

void dcpn_checkpoint_consider(dcpn_solver *solver, double change)
{
    struct checkpoint *checkpoint = solver->checkpoint;
    if (!is_written(checkpoint) || solver->result.iterations == 0) return;
    if (dcpn_clock_s() - checkpoint->last_s >= checkpoint->every_s) write_or_warn(solver, change);
}

void dcpn_checkpoint_stop(dcpn_solver *solver, double change)
{
    dcpn_outcome outcome = solver->result.outcome;
    if (!is_written(solver->checkpoint) || solver->cut_short) return;
    if (outcome != DCPN_INTERRUPTED && outcome != DCPN_MAX_ITERATIONS && outcome != DCPN_MAX_TIME) return;
    if (solver->annealing.cut_short)
        dcpn_log(solver->context, DCPN_LOG_NOTE, "no checkpoint: the run was still looking for its start");
    else
        write_or_warn(solver, change);
}

/* ---- going on -----------------------------------------------------------------------------------------------------*/

static dcpn_status refuse(const dcpn_solver *solver, const char *name, const char *found)
{
    return dcpn_fail(solver->context, DCPN_DATA,
                     "%s: found %s, expected a checkpoint of this run; start it again without it", name, found);
}

/* The places of the changes are checked too: within the words, and addresses within their regions. */
static int changes_are_sound(const dcpn_solver *solver, const struct header *header, const struct change *changes)
{
    size_t words = dcpn_solver_state_words(solver);
    for (uint64_t i = 0; i < header->changes; i++) {
        uint64_t region = changes[i].region;
        if (changes[i].word >= words || region >= 2 + (uint64_t)solver->state_count) return 0;
        uint64_t size = region == 1 ? solver->arena.used : region ? solver->states[region - 2].size : UINT64_MAX;
        if (changes[i].value > size) return 0;
    }
    return 1;
}

static dcpn_status verify(const dcpn_solver *solver, const char *name, const char *bytes, size_t size)
{
    const struct header *header = (const void *)bytes;
    size_t words = dcpn_solver_state_words(solver);
    if (size < sizeof *header || memcmp(header->magic, MAGIC, sizeof header->magic) != 0)
        return refuse(solver, name, "something else");
    if (header->format != FORMAT || header->byte_order != BYTE_ORDER_MARK)
        return refuse(solver, name, "a checkpoint of another version or machine");
    if (dcpn_checksum(header, offsetof(struct header, checksum)) != header->checksum)
        return refuse(solver, name, "a damaged file");
    if (header->state_size != words * sizeof(uint64_t) || header->arena_size != solver->arena.used)
        return refuse(solver, name, "a checkpoint of another problem, other settings or another version");
    if (header->changes > words || header->file_size != size ||
        size != sizeof *header + header->changes * sizeof(struct change) + header->arena_size)
        return refuse(solver, name, "a truncated or longer file");
    const struct change *changes = (const void *)(bytes + sizeof *header);
    if (dcpn_checksum(changes, header->changes * sizeof *changes) != header->changes_checksum ||
        dcpn_checksum(changes + header->changes, header->arena_size) != header->arena_checksum ||
        !changes_are_sound(solver, header, changes))
        return refuse(solver, name, "a damaged file");
    return DCPN_OK;
}

static dcpn_status compare_fingerprints(const dcpn_solver *solver, const char *name, const struct header *header)
{
    struct header now = {0};
    DCPN_TRY(fill_fingerprints(solver, &now));
    if (now.version != header->version) return refuse(solver, name, "a checkpoint of another version of dcpn");
    if (now.settings != header->settings) return refuse(solver, name, "a checkpoint of a run with other settings");
    if (now.problem != header->problem)
        return refuse(solver, name, "a checkpoint of a run with other data or another start");
    return DCPN_OK;
}

static dcpn_status go_on(dcpn_solver *solver, double *change)
{
    const struct checkpoint *checkpoint = solver->checkpoint;
    const struct header *header = (const void *)checkpoint->resumed;
    const struct change *changes = (const void *)(checkpoint->resumed + sizeof *header);
    if (solver->annealing.cut_short)
        return dcpn_fail(solver->context, DCPN_DATA,
                         "%s: found an interruption or a time limit before the run could go on from it; "
                         "resume it again, with more time",
                         checkpoint->resumed_name);
    DCPN_TRY(compare_fingerprints(solver, checkpoint->resumed_name, header));
    for (uint64_t i = 0; i < header->changes; i++) apply_change(solver, &changes[i]);
    memcpy(arena_start(solver), changes + header->changes, header->arena_size);
    *change = header->change;
    solver->started_at = dcpn_clock_s() - fmax(header->elapsed_s, 0.0);
    dcpn_log(solver->context, DCPN_LOG_NOTE, "going on from %s", checkpoint->resumed_name);
    return DCPN_OK;
}

static void forget_resumed(dcpn_solver *solver)
{
    dcpn_free(solver->context, solver->checkpoint->resumed);
    dcpn_free(solver->context, solver->checkpoint->resumed_name);
    solver->checkpoint->resumed = solver->checkpoint->resumed_name = NULL;
}

dcpn_status dcpn_checkpoint_start(dcpn_solver *solver, double *change)
{
    struct checkpoint *checkpoint = solver->checkpoint;
    dcpn_status status = DCPN_OK;
    *change = 0.0;
    if (!checkpoint) return DCPN_OK;
    dcpn_solver_copy_states(solver, checkpoint->at_start);
    checkpoint->last_s = dcpn_clock_s();
    checkpoint->knows_start = 1;
    checkpoint->has_warned = 0;
    if (!checkpoint->resumed) return DCPN_OK;
    status = go_on(solver, change);
    forget_resumed(solver);
    return status;
}

/* ---- asking for it ------------------------------------------------------------------------------------------------*/

void dcpn_checkpoint_free(dcpn_solver *solver)
{
    if (!solver->checkpoint) return;
    forget_resumed(solver);
    dcpn_free(solver->context, solver->checkpoint->path);
    dcpn_free(solver->context, solver->checkpoint->at_start);
    dcpn_free(solver->context, solver->checkpoint);
    solver->checkpoint = NULL;
}

/* Neither written nor read: the solver runs as if there had never been one. */
static void free_if_idle(dcpn_solver *solver)
{
    if (!solver->checkpoint->path && !solver->checkpoint->resumed) dcpn_checkpoint_free(solver);
}

void dcpn_checkpoint_end(dcpn_solver *solver)
{
    if (solver->checkpoint) free_if_idle(solver);
}

static dcpn_status make_checkpoint(dcpn_solver *solver)
{
    if (solver->checkpoint) return DCPN_OK;
    struct checkpoint *made = dcpn_allocate(solver->context, 1, sizeof *made);
    if (!made) return DCPN_MEMORY;
    uint64_t *words = dcpn_allocate(solver->context, dcpn_solver_state_words(solver), sizeof *words);
    *made = (struct checkpoint){.at_start = words};
    solver->checkpoint = made;
    if (made->at_start) return DCPN_OK;
    dcpn_checkpoint_free(solver);
    return DCPN_MEMORY;
}

/* A file to go on from stays. */
static void switch_off(dcpn_solver *solver)
{
    if (!solver->checkpoint) return;
    dcpn_free(solver->context, solver->checkpoint->path);
    solver->checkpoint->path = NULL;
    free_if_idle(solver);
}

dcpn_status dcpn_solver_set_checkpoint(dcpn_solver *solver, const char *path, double every_s)
{
    DCPN_NEED(NULL, solver);
    if (!path) {
        switch_off(solver);
        return DCPN_OK;
    }
    if (!(every_s >= 0.0))
        return dcpn_fail(solver->context, DCPN_USAGE, "checkpoint: found every %g s, expected at least 0", every_s);
    char *copy = dcpn_copy_text(solver->context, path);
    dcpn_status status = copy ? make_checkpoint(solver) : DCPN_MEMORY;
    if (status != DCPN_OK) {
        dcpn_free(solver->context, copy);
        return status;
    }
    dcpn_free(solver->context, solver->checkpoint->path);
    solver->checkpoint->path = copy;
    solver->checkpoint->every_s = every_s;
    return DCPN_OK;
}

/* One byte more than is expected is asked for, so that a file that is longer is seen. */
static dcpn_status read_file(const dcpn_solver *solver, const char *path, char **bytes, size_t *size)
{
    size_t changes = dcpn_solver_state_words(solver) * sizeof(struct change);
    size_t most = sizeof(struct header) + changes + solver->arena.used + 1;
    struct input_file file;
    DCPN_TRY(dcpn_input_open(solver->context, path, &file));
    *bytes = dcpn_allocate(solver->context, most, 1);
    dcpn_status status = *bytes ? dcpn_input_read(&file, *bytes, most, size) : DCPN_MEMORY;
    dcpn_input_close(&file);
    return status;
}

dcpn_status dcpn_solver_resume(dcpn_solver *solver, const char *path)
{
    char *bytes = NULL, *name = NULL;
    size_t size = 0;
    DCPN_NEED(NULL, solver);
    DCPN_TRY(make_checkpoint(solver));
    dcpn_status status = read_file(solver, path, &bytes, &size);
    if (status == DCPN_OK) status = verify(solver, path, bytes, size);
    if (status == DCPN_OK && !(name = dcpn_copy_text(solver->context, path))) status = DCPN_MEMORY;
    if (status != DCPN_OK) {
        dcpn_free(solver->context, bytes);
        free_if_idle(solver);
        return status;
    }
    forget_resumed(solver);
    solver->checkpoint->resumed = bytes;
    solver->checkpoint->resumed_name = name;
    return DCPN_OK;
}
