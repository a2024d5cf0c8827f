/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what is to be fitted: each penalty with each value of its shape, starting at the convex end. Wrong options
 * and wrong combinations of them are refused here, before the first fit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tuning.h"
#include "path/path.h"
#include "settings/registry.h"

enum { DEFAULT_COUNT = 100 };

int64_t dcpn_path_lambda_count(const dcpn_path_options *options)
{
    return options->lambda_count ? options->lambda_count : DEFAULT_COUNT;
}

const char *dcpn_varying_parameter(const dcpn_problem *problem, const char *penalty)
{
    static const char *const shapes[] = {"theta", "a", "gamma"};
    const dcpn_penalty_ops *ops = problem->penalty ? problem->penalty : dcpn_find_penalty(penalty);
    for (size_t k = 0; ops && ops->parameters && k < sizeof shapes / sizeof *shapes; k++)
        if (strcmp(ops->parameters, shapes[k]) == 0) return shapes[k];
    return NULL;
}

static void set_value(dcpn_path *path, double value)
{
    const char *name = path->varying;
    path->value = value;
    if (strcmp(name, "theta") == 0) path->settings.theta = value;
    if (strcmp(name, "a") == 0) path->settings.a = value;
    if (strcmp(name, "gamma") == 0) path->settings.gamma = value;
}

static int64_t penalty_count(const dcpn_path_options *options)
{
    return options->penalties ? options->penalty_count : 1;
}

static const char *penalty_at(const dcpn_path_options *options, const dcpn_settings *settings, int64_t k)
{
    return options->penalties ? options->penalties[k] : settings->penalty;
}

static int64_t values_of(const dcpn_problem *problem, const dcpn_path_options *options, const char *penalty)
{
    return options->values && dcpn_varying_parameter(problem, penalty) ? options->value_count : 1;
}

/* Are there two paths for each value: one of plain descents, and one with what a search makes of them? */
static int is_twofold(const dcpn_settings *settings, const dcpn_path_options *options, const char *penalty)
{
    const dcpn_penalty_ops *ops = dcpn_find_penalty(penalty);
    return options->is_twofold && strcmp(settings->global, "auto") == 0 && ops && !ops->convex;
}

static int64_t paths_of(const dcpn_problem *problem, const dcpn_settings *settings, const dcpn_path_options *options,
                        const char *penalty)
{
    return values_of(problem, options, penalty) * (is_twofold(settings, options, penalty) ? 2 : 1);
}

/* The plain path of a value comes before the searched one. */
static int by_value_descending(const void *a, const void *b)
{
    const dcpn_path *one = a, *other = b;
    int by_value = (one->value < other->value) - (one->value > other->value);
    return by_value ? by_value : (int)one->kind - (int)other->kind;
}

/* Plans all paths of one penalty. */
static dcpn_status plan_penalty(const dcpn_paths *all, const dcpn_problem *problem, const dcpn_path_options *o,
                                const char *penalty, dcpn_path *paths)
{
    const dcpn_settings *settings = &all->settings;
    const char *varying = o->values ? dcpn_varying_parameter(problem, penalty) : NULL;
    int twofold = is_twofold(settings, o, penalty);
    int64_t count = paths_of(problem, settings, o, penalty);
    struct parts parts;
    for (int64_t v = 0; v < count; v++) {
        dcpn_path *path = &paths[v];
        path->settings = *settings;
        path->settings.penalty = dcpn_find_penalty(penalty)->name;
        if (strcmp(settings->global, "auto") == 0) path->settings.global = "off"; /* the path itself is the search */
        path->varying = varying;
        if (twofold) path->kind = v % 2 ? DCPN_PATH_SEARCHED : DCPN_PATH_LOCAL;
        if (varying) set_value(path, o->values[twofold ? v / 2 : v]);
        DCPN_TRY(dcpn_settings_check(all->context, &path->settings));
        DCPN_TRY(dcpn_choose_parts(all->context, problem, &path->settings, &parts));
    }
    qsort(paths, (size_t)count, sizeof *paths, by_value_descending);
    return DCPN_OK;
}

/* Plans the refitted models. They have no penalty, which is l1 with a lambda of 0, and are made unique by a little
 * ridge if need be. */
static void plan_by_size(const dcpn_settings *settings, dcpn_path *path)
{
    path->kind = DCPN_PATH_BY_SIZE;
    path->settings = *settings;
    path->settings.penalty = "l1";
    path->settings.global = "off";
}

/* Plans the same models once more, with a ridge. */
static void plan_by_size_with(const dcpn_settings *settings, double ridge, dcpn_path *path)
{
    plan_by_size(settings, path);
    path->varying = "ridge";
    path->value = path->settings.ridge = ridge;
}

static int64_t ridge_count(const dcpn_path_options *o)
{
    int64_t count = 0;
    while (o->is_by_size && o->refit_ridges && o->refit_ridges[count] > 0.0) count++;
    return count;
}

static dcpn_status plan_all(dcpn_paths *paths, const dcpn_problem *problem, const dcpn_path_options *o)
{
    dcpn_path *next = paths->paths;
    for (int64_t k = 0; k < penalty_count(o); k++) {
        const char *penalty = penalty_at(o, &paths->settings, k);
        DCPN_TRY(plan_penalty(paths, problem, o, penalty, next));
        next += paths_of(problem, &paths->settings, o, penalty);
    }
    if (o->is_by_size) plan_by_size(&paths->settings, next++);
    for (int64_t k = 0; k < ridge_count(o); k++) plan_by_size_with(&paths->settings, o->refit_ridges[k], next++);
    return DCPN_OK;
}

static dcpn_status check_numbers(dcpn_context *context, const char *what, const double *numbers, int64_t count)
{
    if (numbers && count < 1) return dcpn_fail(context, DCPN_USAGE, "path: %s: found none, expected some", what);
    for (int64_t k = 0; numbers && k < count; k++)
        if (!isfinite(numbers[k]) || numbers[k] < 0.0)
            return dcpn_fail(context, DCPN_USAGE, "path: %s: found %g, expected numbers of at least 0", what,
                             numbers[k]);
    return DCPN_OK;
}

/* Are there groups within groups, or copies of features? A refit has neither. */
static int shares_features(const char *grouping)
{
    const struct composition *by = dcpn_find_composition(grouping);
    return by && (by->overlap == DCPN_OVERLAP_COPIED || by->overlap == DCPN_OVERLAP_NESTED);
}

static dcpn_status check_options(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                                 const dcpn_path_options *o)
{
    if (!problem->A || problem->h)
        return dcpn_fail(context, DCPN_USAGE,
                         "a path needs a matrix and a separable penalty; change your own yourself");
    if (problem->penalty && o->penalties)
        return dcpn_fail(context, DCPN_USAGE,
                         "several penalties: found one of your own in the problem, expected names");
    if (o->penalties && o->penalty_count < 1)
        return dcpn_fail(context, DCPN_USAGE,
                         "penalties: found %lld of them, expected some; NULL is that of the settings",
                         (long long)o->penalty_count);
    for (int64_t k = 0; k < penalty_count(o); k++) {
        if (!penalty_at(o, settings, k))
            return dcpn_fail(context, DCPN_USAGE, "penalties: found NULL for number %lld, expected a name",
                             (long long)k + 1);
        for (int64_t i = 0; i < k; i++)
            if (strcmp(o->penalties[i], o->penalties[k]) == 0)
                return dcpn_fail(context, DCPN_USAGE, "penalties: found '%s' twice, expected each once",
                                 o->penalties[k]);
        if (!dcpn_find_penalty(penalty_at(o, settings, k)))
            return dcpn_fail(context, DCPN_USAGE, "there is no penalty called '%s'; see 'dcpn list penalties'",
                             penalty_at(o, settings, k));
    }
    if (o->is_by_size && (problem->lower || problem->upper || problem->unlabelled))
        return dcpn_fail(context, DCPN_USAGE,
                         "models by their number of features: found bounds or rows without a label, expected neither");
    if (o->is_by_size && problem->groups.count && shares_features(settings->grouping))
        return dcpn_fail(context, DCPN_USAGE,
                         "models by their number of features: found --grouping %s, in which groups share features; "
                         "use norm, sum or sparse",
                         settings->grouping);
    if (o->features_kept < 0 || o->features_kept > BY_SIZE_MOST_KEPT || (o->features_kept && !o->is_by_size))
        return dcpn_fail(
            context, DCPN_USAGE,
            "features kept: found %lld, expected from 1 to %d, with models by their number of features; 0: no search",
            (long long)o->features_kept, BY_SIZE_MOST_KEPT);
    if (o->most_features < 0)
        return dcpn_fail(context, DCPN_USAGE, "path: found %lld features at most, expected 1 or more; 0 is no limit",
                         (long long)o->most_features);
    if (!(o->least_noise >= 0.0))
        return dcpn_fail(context, DCPN_USAGE,
                         "path: found %g deviations of noise at least, expected 0 or more; 0 is no limit",
                         o->least_noise);
    if (o->lambda_count < 0 || !(o->min_ratio >= 0.0) || o->min_ratio >= 1.0)
        return dcpn_fail(context, DCPN_USAGE,
                         "path: found %lld lambdas and a least ratio of %g, expected some and a ratio below 1",
                         (long long)o->lambda_count, o->min_ratio);
    DCPN_TRY(check_numbers(context, "lambdas", o->lambdas, o->lambda_count));
    if (isnan(o->saturation))
        return dcpn_fail(context, DCPN_USAGE, "saturation: found nan, expected a share of the deviance, or 0");
    return check_numbers(context, "values", o->values, o->value_count);
}

/* Refuses more fits than can be counted, those of folds and subsamples included. */
static dcpn_status check_fits(dcpn_context *context, const dcpn_path_options *o, int64_t paths)
{
    if (o->lambda_count <= INT32_MAX / paths) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "path: found %lld lambdas, expected at most %lld for each of %lld paths",
                     (long long)o->lambda_count, (long long)(INT32_MAX / paths), (long long)paths);
}

dcpn_status dcpn_paths_plan(dcpn_context *context, const dcpn_problem *problem, const dcpn_settings *settings,
                            const dcpn_path_options *options, dcpn_paths **paths)
{
    int64_t count = 0;
    *paths = NULL;
    DCPN_TRY(dcpn_settings_check(context, settings));
    DCPN_TRY(check_options(context, problem, settings, options));
    for (int64_t k = 0; k < penalty_count(options); k++)
        count += paths_of(problem, settings, options, penalty_at(options, settings, k));
    count += (options->is_by_size != 0) + ridge_count(options);
    DCPN_TRY(check_fits(context, options, count));
    DCPN_TRY(dcpn_paths_new(context, settings, count, paths));
    dcpn_status status = plan_all(*paths, problem, options);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_paths_free(*paths);
    *paths = NULL;
    return status;
}
