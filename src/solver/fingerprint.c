/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells one run from another, so that a checkpoint is resumed only by the run that it belongs to. */
#include <string.h>

#include "base/checksum.h"
#include "base/ranks.h"
#include "base/rng.h"
#include "solver/solver.h"

static uint64_t combine(uint64_t hash, const void *bytes, size_t size)
{
    const uint64_t pair[] = {hash, bytes ? dcpn_checksum(bytes, size) : 0};
    return dcpn_checksum(pair, sizeof pair);
}

static uint64_t combine_text(uint64_t hash, const char *text)
{
    return combine(hash, text, text ? strlen(text) : 0);
}

/* May a run that is resumed have another value of this setting? With another limit it is the same run, which stops at
 * another place, and what spares readings changes no result. */
static int changes_nothing(const char *option)
{
    static const char *const options[] = {"max-iter", "dc-max", "max-time", "screening"};
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (strcmp(option, options[k]) == 0) return 1;
    return 0;
}

static uint64_t settings_fingerprint(const struct plan *plan, const dcpn_settings *settings)
{
    static const size_t sizes[] = {
        [DCPN_KIND_REAL] = sizeof(double), [DCPN_KIND_COUNT] = sizeof(int64_t), [DCPN_KIND_FLAG] = sizeof(int)};
    const struct parts *parts = &plan->parts;
    uint64_t hash = combine_text(0, parts->loss ? parts->loss->name : "own");
    hash = combine_text(hash, parts->penalty ? parts->penalty->name : "own");
    for (size_t k = 0; k < dcpn_setting_count(); k++) {
        const dcpn_setting *setting = dcpn_setting_at(k);
        const void *field = (const char *)settings + setting->offset;
        if (changes_nothing(setting->option)) continue;
        if (strcmp(setting->option, "sums") == 0) /* ranks need not ask for them */
            hash = combine_text(hash, plan->settings.sums);
        else if (setting->kind == DCPN_KIND_CHOICE)
            hash = combine_text(hash, *(const char *const *)field);
        else
            hash = combine(hash, field, sizes[setting->kind]);
    }
    return hash;
}

/* A changes if A x does, for an x without pattern: one product stands for all entries. */
static dcpn_status hash_matrix(const struct plan *plan, uint64_t *hash)
{
    const dcpn_matrix *A = plan->problem->A;
    double *x = dcpn_allocate(plan->context, (size_t)(A->columns + A->rows), sizeof *x);
    struct rng rng;
    if (!x) return DCPN_MEMORY;
    dcpn_rng_seed(&rng, 1);
    for (int64_t j = 0; j < A->columns; j++) x[j] = 0.5 + dcpn_rng_uniform(&rng);
    dcpn_matrix_apply(A, x, x + A->columns);
    *hash = combine(*hash, x + A->columns, (size_t)A->rows * sizeof *x);
    dcpn_free(plan->context, x);
    return DCPN_OK;
}

/* Each row by itself, with what A makes of it, summed modulo 2^64: the same for all ranks, whichever rows each has. */
static dcpn_status hash_rows(const struct plan *plan, uint64_t *hash)
{
    const dcpn_matrix *A = &plan->summed->base;
    double *x = dcpn_allocate(plan->context, (size_t)(A->columns + A->rows), sizeof *x), *u = x + A->columns;
    const double *offset = plan->problem->offset;
    uint64_t sum = 0;
    struct rng rng;
    if (!x) return dcpn_ranks_end(plan->context, DCPN_MEMORY);
    dcpn_rng_seed(&rng, 1);
    for (int64_t j = 0; j < A->columns; j++) x[j] = 0.5 + dcpn_rng_uniform(&rng);
    A->ops->apply(A, x, u);
    for (int64_t i = 0; i < A->rows; i++) {
        const double row[] = {u[i], plan->targets.y[i], plan->targets.w[i], offset ? offset[i] : 0.0};
        sum += dcpn_checksum(row, sizeof row);
    }
    dcpn_free(plan->context, x);
    int64_t word;
    memcpy(&word, &sum, sizeof word);
    dcpn_ranks_sum(plan->context, &word, 1);
    *hash = combine(*hash, &word, sizeof word);
    return dcpn_ranks_status(plan->context);
}

static uint64_t combine_groups(uint64_t hash, const struct grouped_columns *groups)
{
    size_t count = (size_t)groups->count;
    if (count == 0) return hash;
    hash = combine(hash, groups->start, (count + 1) * sizeof *groups->start);
    hash = combine(hash, groups->member, (size_t)groups->start[count] * sizeof *groups->member);
    return combine(hash, groups->weight, count * sizeof *groups->weight);
}

static dcpn_status problem_fingerprint(const struct plan *plan, const double *start, uint64_t *hash)
{
    const dcpn_problem *problem = plan->problem;
    const struct summed *summed = plan->summed;
    const int64_t sizes[] = {summed ? summed->all_rows : dcpn_problem_rows(problem), dcpn_plan_columns(plan),
                             dcpn_plan_size(plan),
                             summed       ? summed->base.entries
                             : problem->A ? problem->A->entries
                                          : 0};
    size_t rows = (size_t)sizes[0] * sizeof(double), columns = (size_t)sizes[1] * sizeof(double);
    *hash = combine(0, sizes, sizeof sizes);
    size_t scores = rows * (size_t)plan->targets.scores, ordered = (size_t)plan->targets.rows * sizeof(double);
    if (plan->targets.ordered.count) *hash = combine(*hash, plan->targets.offset, ordered);
    if (plan->parts.loss && !summed) *hash = combine(combine(*hash, plan->targets.y, scores), plan->targets.w, rows);
    if (!summed) *hash = combine(*hash, problem->offset, rows * (size_t)problem->offset_columns);
    *hash = combine(*hash, problem->factors, columns);
    *hash = combine(*hash, problem->lower, columns);
    *hash = combine(*hash, problem->upper, columns);
    *hash = combine_groups(*hash, &plan->groups);
    *hash = combine(*hash, start, start ? (size_t)sizes[2] * sizeof(double) : 0);
    if (summed) return hash_rows(plan, hash);
    return problem->A ? hash_matrix(plan, hash) : DCPN_OK;
}

dcpn_status dcpn_key_of(const struct plan *plan, const dcpn_settings *settings, const double *start,
                        struct journal_key *key)
{
    *key = (struct journal_key){.version = combine_text(0, dcpn_version()),
                                .settings = settings_fingerprint(plan, settings)};
    return problem_fingerprint(plan, start, &key->problem);
}
