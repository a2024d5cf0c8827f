/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cross-validation chooses. As glmnet: the mean over the folds is weighted by their weights, its standard error
 * is
 *     sqrt(sum_f W_f (v_f - mean)^2 / sum_f W_f / (folds - 1)),
 * folds being those of one repeat: to hold the same rows out again makes the mean less of a matter of chance, but the
 * rows are no more than they were. min is the largest lambda with the best mean, 1se the largest one whose mean is
 * within a standard error of that. Over several paths, 1se is the point with the fewest features among those that the
 * paths offer within it. */
#include <math.h>
#include <string.h>

#include "selection/rules.h"

int dcpn_cv_larger_is_better(const dcpn_cv *cv)
{
    const char *name = cv->measured.names[cv->measured.chooses];
    return strcmp(name, "auc") == 0 || strcmp(name, "concordance") == 0;
}

double dcpn_cv_freedom(const dcpn_cv *cv, int64_t count)
{
    int64_t in_each = cv->folds / cv->draw.repeats;
    return (double)((count < in_each ? count : in_each) - 1);
}

/* Have all folds reached this point? Some paths may have ended before it. Folds that were not done do not count. */
static int is_reached_by_all(const dcpn_cv *cv, int64_t point)
{
    for (int64_t f = 0; f < cv->folds; f++)
        if (cv->outcome[point * cv->folds + f] == DCPN_NOT_RUN && cv->outcome[f] != DCPN_NOT_RUN) return 0;
    return 1;
}

/* Averages a measure over the folds where it is defined. A point that not all folds have reached has no mean. */
static void average(dcpn_cv *cv, int64_t at)
{
    const double *value = cv->value + at * cv->folds;
    double total = 0.0, sum = 0.0, squares = 0.0;
    int64_t count = 0;
    cv->mean[at] = cv->se[at] = NAN;
    if (!is_reached_by_all(cv, at / DCPN_MEASURES)) return;
    for (int64_t f = 0; f < cv->folds; f++) {
        if (isnan(value[f])) continue;
        total += cv->weights[f];
        sum += cv->weights[f] * value[f];
        count++;
    }
    double mean = cv->mean[at] = total > 0.0 ? sum / total : (double)NAN;
    for (int64_t f = 0; f < cv->folds; f++)
        if (!isnan(value[f])) squares += cv->weights[f] * (value[f] - mean) * (value[f] - mean);
    cv->se[at] = count > 1 ? sqrt(squares / total / dcpn_cv_freedom(cv, count)) : (double)NAN;
}

/* The mean of the measure that chooses, turned so that less is better; infinite where it is not defined. */
static double cost(const dcpn_cv *cv, int64_t point)
{
    double mean = cv->mean[point * DCPN_MEASURES + cv->measured.chooses];
    if (isnan(mean)) return INFINITY;
    return dcpn_cv_larger_is_better(cv) ? -mean : mean;
}

static double error_of(const dcpn_cv *cv, int64_t point)
{
    double se = cv->se[point * DCPN_MEASURES + cv->measured.chooses];
    return isnan(se) ? 0.0 : se;
}

/* The first point of a path, from the largest lambda down, that costs no more; -1: none. */
static int64_t first_within(const dcpn_cv *cv, int64_t path, double limit)
{
    for (int64_t point = cv->first[path]; point < cv->first[path + 1]; point++)
        if (cost(cv, point) <= limit) return point;
    return -1;
}

static double least_cost(const dcpn_cv *cv, int64_t path)
{
    double least = INFINITY;
    for (int64_t point = cv->first[path]; point < cv->first[path + 1]; point++) least = fmin(least, cost(cv, point));
    return least;
}

static dcpn_cv_choice choice_at(const dcpn_cv *cv, int64_t path, int64_t point)
{
    if (point < 0) return (dcpn_cv_choice){-1, -1, NAN, NAN};
    int64_t at = point * DCPN_MEASURES + cv->measured.chooses;
    return (dcpn_cv_choice){path, point - cv->first[path], cv->mean[at], cv->se[at]};
}

static int64_t features_at(const dcpn_cv *cv, int64_t path, int64_t point)
{
    return cv->paths->paths[path].points[point - cv->first[path]].fit.nonzeros;
}

static void choose_on_path(dcpn_cv *cv, int64_t path)
{
    double least = least_cost(cv, path);
    cv->best[path] = cv->one_se[path] = -1;
    if (isinf(least)) return;
    int64_t best = first_within(cv, path, least);
    cv->best[path] = best - cv->first[path];
    cv->one_se[path] = first_within(cv, path, least + error_of(cv, best)) - cv->first[path];
}

/* Is the choice among the points of this path? */
static int is_offered(const dcpn_cv *cv, const dcpn_cv_options *o, int64_t path)
{
    return !o->relaxes || cv->paths->paths[path].kind == DCPN_PATH_BY_SIZE;
}

static void choose_sparse(dcpn_cv *cv, const dcpn_cv_options *o, double limit)
{
    int64_t fewest = INT64_MAX;
    double lowest = INFINITY;
    for (int64_t v = 0; v < cv->paths->count; v++) {
        int64_t point = is_offered(cv, o, v) ? first_within(cv, v, limit) : -1;
        if (point < 0) continue;
        int64_t features = features_at(cv, v, point);
        if (features > fewest || (features == fewest && cost(cv, point) >= lowest)) continue;
        fewest = features;
        lowest = cost(cv, point);
        cv->choice.sparse = choice_at(cv, v, point);
    }
}

/* Chooses the last of the refitted models with no more features than the caller asked for. There is one for each
 * number of features. */
static dcpn_cv_choice choose_kept(const dcpn_cv *cv, int64_t features)
{
    int64_t path = dcpn_cv_find_refits(cv), point = cv->first[path];
    while (point + 1 < cv->first[path + 1] && features_at(cv, path, point + 1) <= features) point++;
    return choice_at(cv, path, point);
}

static dcpn_cv_choice choose_by_rule(const dcpn_cv *cv, const dcpn_cv_options *o)
{
    if (strcmp(cv->choice.rule, "kept") == 0) return choose_kept(cv, o->path.features_kept);
    if (strcmp(cv->choice.rule, "min") == 0) return cv->choice.min;
    if (strcmp(cv->choice.rule, "1se") == 0) return cv->choice.sparse;
    if (strcmp(cv->choice.rule, "convex") == 0) return dcpn_cv_choose_convex(cv);
    if (strcmp(cv->choice.rule, "sized") == 0) return dcpn_cv_choose_sized(cv, o->most_features);
    if (strcmp(cv->choice.rule, "earned") == 0) return o->relaxes ? cv->choice.min : dcpn_cv_choose_earned(cv);
    return dcpn_rule_is_criterion(cv->choice.rule) ? dcpn_cv_choose_by_criterion(cv, cv->choice.rule, o->most_features)
           : o->relaxes                            ? cv->choice.min
                                                   : dcpn_cv_choose_paired(cv);
}

/* A criterion looks at no fold, and is about few features that matter. Text has many that matter a little: of 15,935
 * rows of news20 it kept 27 words and was wrong in 22 of 100 rows, where l1 is in 6. And where features are hard to
 * tell from noise, few of them predict worse than many that are shrunk. So a rule that nobody asked for gives way where
 * the folds tell that models of a convex penalty predict better. */
static void heed_folds(dcpn_cv *cv, const dcpn_cv_options *o)
{
    int gives_way = strcmp(cv->choice.rule, "sized") == 0 || strcmp(cv->choice.rule, "earned") == 0;
    if (o->rule || !gives_way || cv->choice.chosen.path < 0) return;
    dcpn_cv_choice other = o->relaxes ? cv->choice.min : dcpn_cv_choose_convex(cv);
    if (other.path < 0 || !dcpn_cv_predicts_worse(cv, &cv->choice.chosen, &other)) return;
    cv->choice.rule = dcpn_rule_named(o->relaxes ? "min" : "convex");
    cv->choice.chosen = other;
}

void dcpn_cv_choose(dcpn_cv *cv, const dcpn_cv_options *options)
{
    double least = INFINITY;
    int64_t points = cv->first[cv->paths->count];
    for (int64_t at = 0; at < points * DCPN_MEASURES; at++) average(cv, at);
    cv->choice.min = cv->choice.sparse = choice_at(cv, -1, -1);
    for (int64_t v = 0; v < cv->paths->count; v++) {
        choose_on_path(cv, v);
        if (!is_offered(cv, options, v) || !(least_cost(cv, v) < least)) continue;
        least = least_cost(cv, v);
        cv->choice.min = choice_at(cv, v, cv->first[v] + cv->best[v]);
    }
    if (cv->choice.min.path >= 0)
        choose_sparse(cv, options, least + error_of(cv, cv->first[cv->choice.min.path] + cv->choice.min.point));
    cv->choice.chosen = cv->choice.min.path < 0 ? cv->choice.min : choose_by_rule(cv, options);
    heed_folds(cv, options);
}
