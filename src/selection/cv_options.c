/* SPDX-License-Identifier: BSD-3-Clause */
/* Refusals of options of a cross-validation, before anything is fitted. */
#include <string.h>

#include "base/context.h"
#include "problem/problem.h"
#include "selection/rules.h"
#include "selection/validation.h"

enum { MOST_REPEATS = 1000 };

/* Checks the number of folds against the number of rows. That rows without a label cannot be in a fold is checked
 * when folds are drawn. */
static dcpn_status check_fold_count(dcpn_context *context, int64_t rows, int64_t folds)
{
    int64_t most = rows < 2 ? 2 : rows;
    if (folds == 0 || (folds >= 2 && folds <= most)) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "folds: found %lld, expected from 2 to the %lld rows", (long long)folds,
                     (long long)most);
}

/* A number of features to keep is a rule by itself: it goes with the rule 'kept' and with no other. */
static dcpn_status check_kept(dcpn_context *context, const dcpn_cv_options *o)
{
    int is_kept = o->rule && strcmp(o->rule, "kept") == 0;
    if (is_kept && !o->path.features_kept)
        return dcpn_fail(context, DCPN_USAGE, "rule: found 'kept' and no number of features, expected one");
    if (!o->path.features_kept || !o->rule || is_kept) return DCPN_OK;
    return dcpn_fail(
        context, DCPN_USAGE,
        "rule: found '%s' with %lld features kept, expected one of the two; the number says which model is chosen",
        o->rule, (long long)o->path.features_kept);
}

static dcpn_status check_repeats(dcpn_context *context, int64_t rows, const dcpn_cv_options *o)
{
    if (o->repeats < 0 || o->repeats > MOST_REPEATS || o->repeats > INT64_MAX / 64 / rows)
        return dcpn_fail(context, DCPN_USAGE, "repeats: found %lld, expected from 1 to %d; 0 is once",
                         (long long)o->repeats, MOST_REPEATS);
    if (o->repeats <= 1 || !o->fold_of) return DCPN_OK;
    return dcpn_fail(
        context, DCPN_USAGE,
        "repeats: found %lld with folds that are given, which would be the same each time; leave one of them out",
        (long long)o->repeats);
}

dcpn_status dcpn_cv_check_options(dcpn_context *context, const dcpn_problem *problem, int64_t rows,
                                  const dcpn_cv_options *o)
{
    if (!problem->A) return dcpn_fail(context, DCPN_USAGE, "a cross-validation needs a matrix; your own f has no rows");
    DCPN_TRY(dcpn_rule_check(context, o->rule, NULL));
    if (o->most_features < 0)
        return dcpn_fail(context, DCPN_USAGE, "most features: found %lld, expected 1 or more; 0 is the usual number",
                         (long long)o->most_features);
    DCPN_TRY(check_fold_count(context, rows, o->folds));
    DCPN_TRY(check_kept(context, o));
    DCPN_TRY(check_repeats(context, rows, o));
    if (o->subsamples > INT32_MAX)
        return dcpn_fail(context, DCPN_USAGE, "stability: found %lld subsamples, expected at most %d",
                         (long long)o->subsamples, INT32_MAX);
    if (o->subsamples < 0 || !(o->share >= 0.0) || o->share >= 1.0 || !(o->threshold >= 0.0) || o->threshold > 1.0)
        return dcpn_fail(
            context, DCPN_USAGE,
            "stability: found %lld subsamples, a share of %g and a threshold of %g, expected some, a share below 1 and "
            "a threshold of at most 1",
            (long long)o->subsamples, o->share, o->threshold);
    return DCPN_OK;
}
