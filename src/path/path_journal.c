/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints of paths: which work a file is of, and the journal of it. */
#include <string.h>

#include "base/checksum.h"
#include "path/path.h"

static void mix(uint64_t *hash, const void *bytes, size_t size)
{
    const uint64_t pair[] = {*hash, bytes ? dcpn_checksum(bytes, size) : 0};
    *hash = dcpn_checksum(pair, sizeof pair);
}

static void mix_options(uint64_t *hash, const dcpn_path_options *o)
{
    const double numbers[] = {o->min_ratio, o->saturation, o->least_noise};
    const int64_t counts[] = {o->lambda_count, o->penalty_count, o->value_count, o->convexity_limit,
                              o->is_twofold,   o->is_by_size,    o->most_features, o->features_kept};
    mix(hash, numbers, sizeof numbers);
    mix(hash, counts, sizeof counts);
    mix(hash, o->lambdas, o->lambdas ? (size_t)o->lambda_count * sizeof *o->lambdas : 0);
    mix(hash, o->values, o->values ? (size_t)o->value_count * sizeof *o->values : 0);
    for (int64_t k = 0; o->refit_ridges && o->refit_ridges[k] > 0.0; k++)
        mix(hash, &o->refit_ridges[k], sizeof o->refit_ridges[k]);
    for (int64_t k = 0; o->penalties && k < o->penalty_count; k++)
        mix(hash, o->penalties[k], strlen(o->penalties[k]));
}

dcpn_status dcpn_paths_key(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                           const dcpn_path_options *options, struct journal_key *key)
{
    struct plan *plan;
    dcpn_paths *paths;
    DCPN_TRY(dcpn_paths_plan(context, problem, settings, options, &paths));
    dcpn_status status = dcpn_plan_new(context, problem, &paths->paths[0].settings, 0, &plan);
    if (status == DCPN_OK) {
        status = dcpn_key_of(plan, &paths->paths[0].settings, NULL, key);
        mix_options(&key->settings, options);
        mix(&key->settings, settings->global, strlen(settings->global));
        dcpn_plan_free(plan);
    }
    dcpn_paths_free(paths);
    return status;
}

dcpn_status dcpn_paths_journal(dcpn_context *context, const dcpn_path_options *options, const struct journal_key *key,
                               struct journal **journal)
{
    DCPN_TRY(dcpn_journal_new(context, options->checkpoint, options->checkpoint_every_s, journal));
    dcpn_status status = options->resume ? dcpn_journal_read(*journal, options->resume) : DCPN_OK;
    if (status == DCPN_OK) status = dcpn_journal_begin(*journal, key);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_journal_free(*journal);
    *journal = NULL;
    return status;
}
