/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cross-validation has chosen, and the sentences about that. */
#include "cv_choice.h"

#include "path_work.h"
#include "plural.h"
#include "unread.h"

#include <math.h>

static const double LEAST_SHOWN = 1e-4; /* rate of false discoveries: below that normal tails are not to be trusted */

/* Prints how many of the chosen features may be there by chance. */
static void print_false(FILE *stream, const dcpn_cv *cv)
{
    const dcpn_cv_choice *choice = &cv->choice.chosen;
    double share = dcpn_paths_mfdr(cv->paths, choice->path, choice->point);
    const dcpn_path_point *point = &cv->paths->paths[choice->path].points[choice->point];
    int has_groups = cv->paths->groups.count > 0;
    int64_t used = has_groups ? point->groups : point->fit.nonzeros;
    const char *what = has_groups ? "groups" : "features";
    if (used == 0 || isnan(share)) return;
    if (share < LEAST_SHOWN)
        fprintf(stream, "mfdr          below %g: none of these %s is expected to be there by chance\n", LEAST_SHOWN,
                what);
    else
        fprintf(stream, "mfdr          %.2g: %.2g of these %s expected to be there by chance\n", share,
                share * (double)used, what);
}

void dcpn_cli_cv_print_choice(FILE *stream, const dcpn_cv *cv)
{
    const dcpn_cv_choice *choice = &cv->choice.chosen;
    const dcpn_path *path = &cv->paths->paths[choice->path];
    fprintf(stream, "chosen        ");
    dcpn_cli_path_print_title(stream, path);
    int64_t features = dcpn_paths_count_features(cv->paths, choice->path, choice->point);
    if (path->kind != DCPN_PATH_BY_SIZE) fprintf(stream, ", lambda %.6g", path->points[choice->point].lambda);
    fprintf(stream, ", %lld feature%s, %s %.4g +- %.2g (%lld folds", (long long)features, dcpn_cli_plural(features),
            cv->measured.names[cv->measured.chooses], choice->mean, choice->se, (long long)cv->ending.folds_done);
    if (cv->draw.repeats > 1) fprintf(stream, " of %lld repeats", (long long)cv->draw.repeats);
    fprintf(stream, ", rule %s)\n", cv->choice.rule);
    fprintf(stream, "rule          %s: %s\n", cv->choice.rule, dcpn_cv_rule_meaning(cv->choice.rule));
    print_false(stream, cv);
}

/* Counts the folds whose model has features. A fold has a lambda_max of its own: close to that of all the data its
 * model may have features while the model of all the data has none. */
static int64_t folds_in_use(const dcpn_cv *cv)
{
    const dcpn_cv_choice *choice = &cv->choice.chosen;
    const int64_t *nonzeros = cv->nonzeros + (cv->first[choice->path] + choice->point) * cv->folds;
    int64_t count = 0;
    for (int64_t f = 0; f < cv->folds; f++) count += nonzeros[f] > 0;
    return count;
}

/* Says what can be done about a model without features. */
static void say_of_empty(const struct cli *cli, const dcpn_cv *cv)
{
    const dcpn_cv_choice *choice = &cv->choice.chosen;
    const dcpn_path *path = &cv->paths->paths[choice->path], *best = &cv->paths->paths[cv->choice.min.path];
    const char *shape = dcpn_cli_shape_of(path->settings.penalty);
    long long kept = (long long)best->points[cv->choice.min.point].fit.nonzeros;
    if (path->points[choice->point].fit.nonzeros > 0) return;
    if (kept > 0)
        dcpn_cli_say(cli,
                     "the empty model is within a standard error of the best, which keeps %lld feature%s: --rule min "
                     "takes it",
                     kept, dcpn_cli_plural(kept));
    else if (shape && path->count > 1 && !cv->compares)
        dcpn_cli_say(cli,
                     "the empty model is the best of all: perhaps features come too many at once; a larger --%s, ten "
                     "times say, is nearer to --penalty l1, where they come one by one",
                     shape);
    else
        dcpn_cli_say(cli, "the empty model is the best of all");
    if (folds_in_use(cv) > 0)
        dcpn_cli_say(
            cli,
            "in %lld of the %lld folds, however, there are features at this lambda: the measure is that of models with "
            "some",
            (long long)folds_in_use(cv), (long long)cv->folds);
}

/* Says what the best lambda of a path means for its grid, or for its shape beside other penalties. */
static void say_of_path(const struct cli *cli, const dcpn_cv *cv, int64_t v)
{
    const dcpn_path *path = &cv->paths->paths[v];
    const char *shape = dcpn_cli_shape_of(path->settings.penalty);
    if (cv->best[v] < 0 || path->count < 2 || path->kind == DCPN_PATH_BY_SIZE) return;
    if (cv->best[v] == path->count - 1 && path->end == DCPN_PATH_ALL)
        dcpn_cli_say(cli,
                     "%s: the best lambda is the least of all, %.4g: smaller ones may be better (--lambda-min-ratio)",
                     path->settings.penalty, path->points[cv->best[v]].lambda);
    if (shape && !cv->compares && v != cv->choice.chosen.path && path->points[cv->best[v]].fit.nonzeros == 0)
        dcpn_cli_say(cli,
                     "%s: no feature at its best lambda: perhaps they come too many at once; a larger --%s, ten times "
                     "say, is nearer to --penalty l1",
                     path->settings.penalty, shape);
}

/* Says which ridge was taken, without which a model that separates the classes has no minimiser. */
static void say_of_ridge(const struct cli *cli, const dcpn_cv *cv, double asked)
{
    double ridge = cv->paths->settings.ridge;
    if (ridge != asked)
        dcpn_cli_say(cli,
                     "--ridge %.3g is taken: without it a model that separates the classes has no best coefficients",
                     ridge);
}

void dcpn_cli_cv_print_stability(FILE *stream, const dcpn_cv *cv)
{
    const dcpn_stability *s = cv->stability;
    int64_t stable = 0;
    if (!s) return;
    int64_t count = s->groups ? s->groups : s->count;
    const double *frequency = s->groups ? s->group_frequency : s->frequency;
    for (int64_t k = 0; k < count; k++) stable += frequency[k] >= s->threshold;
    fprintf(stream, "stable        %lld %s%s in %.3g%% of %lld subsamples", (long long)stable,
            s->groups ? "group" : "feature", dcpn_cli_plural(stable), 100.0 * s->threshold, (long long)s->subsamples);
    if (!isnan(s->bound)) fprintf(stream, " (at most %.3g wrong ones expected)", s->bound);
    if (!isnan(s->sharper_bound)) fprintf(stream, "; by pairs at most %.3g", s->sharper_bound);
    fputc('\n', stream);
}

void dcpn_cli_cv_say(const struct cli *cli, const dcpn_cv *cv, double ridge)
{
    say_of_ridge(cli, cv, ridge);
    say_of_empty(cli, cv);
    for (int64_t v = 0; v < cv->paths->count; v++) say_of_path(cli, cv, v);
}
