/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that choose. With D the deviance on all n rows, k the features in use and d all features, the criteria are the
 * least of
 *     aic   L + 2 k                                          Akaike 1973
 *     bic   L + k log n                                      Schwarz 1978
 *     ebic  L + k log n + 2 gamma log binom(d, k)            Chen and Chen 2008, gamma 1/2
 *     gic   L + k log d log log n                            Fan and Tang 2013
 * L is -2 log likelihood: D itself, and n log(D / n) for the squared loss, whose variance is not known. Points with
 * more than n / (log d log log n) features are left out: there a criterion of the deviance has no foundation, and falls
 * for ever where a model explains all. Where models were refitted only these are compared: the criteria are of models
 * without shrinkage.
 *
 * The rule `paired` looks at the best point of each path. With v_f the measure on fold f there and m_f at the best
 * point of all, the differences v_f - m_f have the weighted mean D and the standard error
 *     sqrt(sum_f W_f (v_f - m_f - D)^2 / sum_f W_f / (folds - 1)),
 * folds being those of one repeat; a path is told from the best one if D is above twice that, for the measure or for
 * the share of wrong classes. Folds are hard or easy for all models alike, so that the error of a difference is far
 * below that of a mean.
 *
 * The rule `earned` looks at all points, and is the least of L + 2 k, with L = -2 log likelihood of the rows held out:
 * n m, m being the mean deviance, or n log m. There is no optimism in L, as there is in that of the rows fitted to; but
 * of many points one is the least by chance, and each feature has to earn what aic takes for it. */
#include "selection/rules.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/tuning.h"

static const struct rule {
    const char *name, *meaning;
    int is_criterion, needs_likelihood;
} rules[] = {
    {"min", "the model with the best mean over the folds", 0, 0},
    {"1se", "the fewest features within a standard error of the best mean over the folds", 0, 0},
    {"paired",
     "of the best models of all paths the one with the fewest features that the folds do not tell from the best", 0, 0},
    {"earned", "the least -2 log likelihood of the rows held out + 2 features", 0, 1},
    {"aic", "the least -2 log likelihood + 2 features", 1, 1},
    {"bic", "the least -2 log likelihood + log(rows) features", 1, 1},
    {"ebic", "the least bic + log of the number of models of that size", 1, 1},
    {"kept", "the lowest loss on all rows among refitted models of no more features than --features-kept", 0, 0},
    {"gic", "the least -2 log likelihood + log(all features) log(log(rows)) features", 1, 1},
};

static const struct rule *find_rule(const char *name)
{
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++)
        if (strcmp(rules[k].name, name) == 0) return &rules[k];
    return NULL;
}

const char *dcpn_cv_rule_meaning(const char *rule)
{
    const struct rule *found = rule ? find_rule(rule) : NULL;
    return found ? found->meaning : NULL;
}

const char *dcpn_cv_rule_at(int k)
{
    return k >= 0 && (size_t)k < sizeof rules / sizeof *rules ? rules[k].name : NULL;
}

const char *dcpn_rule_named(const char *rule)
{
    return find_rule(rule)->name;
}

int dcpn_rule_is_criterion(const char *rule)
{
    return find_rule(rule)->is_criterion;
}

static int is_likelihood(const dcpn_loss_ops *loss)
{
    static const char *const names[] = {"squared", "logistic", "poisson", "negative-binomial"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], loss->name) == 0) return 1;
    return 0;
}

dcpn_status dcpn_rule_check(dcpn_context *context, const char *rule, const dcpn_loss_ops *loss)
{
    if (!rule) return DCPN_OK;
    const struct rule *found = find_rule(rule);
    if (!found)
        return dcpn_fail(context, DCPN_USAGE,
                         "rule: found '%s', expected min, 1se, paired, earned, aic, bic, ebic or gic", rule);
    if (!found->needs_likelihood || !loss || is_likelihood(loss)) return DCPN_OK;
    return dcpn_fail(
        context, DCPN_USAGE,
        "rule: found '%s' with the loss %s, expected a loss that is a likelihood (squared, logistic, poisson or "
        "negative-binomial); min, 1se and paired need none",
        rule, loss->name);
}

const dcpn_cv_choice *dcpn_cv_choice_by(const dcpn_cv *cv, const char *rule)
{
    if (!cv) return NULL;
    if (!rule || strcmp(rule, cv->choice.rule) == 0) return &cv->choice.chosen;
    if (strcmp(rule, "min") == 0) return &cv->choice.min;
    return strcmp(rule, "1se") == 0 ? &cv->choice.sparse : NULL;
}

/* ---- criteria ---- */

static int is_squared(const dcpn_paths *paths)
{
    return strcmp(paths->settings.loss, "squared") == 0;
}

static double log_binomial(double n, double k)
{
    return lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0);
}

/* Returns -2 log likelihood, or infinity if the model explains everything. */
static double likelihood_of(const dcpn_paths *paths, const dcpn_path_point *point)
{
    double n = paths->weight, D = point->deviance;
    if (!(D > CRITERION_LEAST * paths->null_deviance)) return INFINITY;
    return is_squared(paths) ? n * log(D / n) : D;
}

double dcpn_ebic_of(const dcpn_paths *paths, const dcpn_path_point *point, double gamma)
{
    double d = (double)paths->features, k = (double)point->fit.nonzeros;
    return likelihood_of(paths, point) + k * log(paths->weight) + 2.0 * gamma * log_binomial(d, k);
}

static double criterion_at(const dcpn_paths *paths, const dcpn_path_point *point, const char *rule)
{
    double n = paths->weight, d = (double)paths->features, k = (double)point->fit.nonzeros,
           L = likelihood_of(paths, point);
    if (strcmp(rule, "aic") == 0) return L + 2.0 * k;
    if (strcmp(rule, "bic") == 0) return L + k * log(n);
    if (strcmp(rule, "ebic") == 0) return dcpn_ebic_of(paths, point, 0.5);
    return L + k * log(d) * log(log(n));
}

static dcpn_cv_choice choice_at(const dcpn_cv *cv, int64_t path, int64_t point)
{
    int64_t at = (cv->first[path] + point) * DCPN_MEASURES + cv->measured.chooses;
    return (dcpn_cv_choice){path, point, cv->mean[at], cv->se[at]};
}

dcpn_cv_choice dcpn_cv_choose_by_criterion(const dcpn_cv *cv, const char *rule, int64_t most_features)
{
    const dcpn_paths *paths = cv->paths;
    dcpn_cv_choice chosen = {-1, -1, NAN, NAN};
    double least = INFINITY;
    int64_t most = most_features ? most_features : dcpn_usual_most_features(paths->weight, (double)paths->features);
    int has_refits = paths->count > 0 && paths->paths[paths->count - 1].kind == DCPN_PATH_BY_SIZE;
    for (int64_t v = has_refits ? paths->count - 1 : 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++) {
            const dcpn_path_point *point = &paths->paths[v].points[k];
            double value = point->fit.nonzeros > most ? (double)INFINITY : criterion_at(paths, point, rule);
            if (!(value < least)) continue;
            least = value;
            chosen = choice_at(cv, v, k);
        }
    return chosen;
}

/* ---- earned ---- */

/* The number of the measure deviance, or -1. */
static int find_deviance(const dcpn_cv *cv)
{
    for (int m = 0; m < cv->measured.count; m++)
        if (strcmp(cv->measured.names[m], "deviance") == 0) return m;
    return -1;
}

/* L + 2 k of a point, by its place among all; infinity where it is not defined. */
static double cost_of_earned(const dcpn_cv *cv, int measure, int64_t at, int64_t features)
{
    const dcpn_paths *paths = cv->paths;
    double n = paths->weight, mean = cv->mean[at * DCPN_MEASURES + measure];
    if (isnan(mean)) return INFINITY;
    double L = is_squared(paths) ? n * log(fmax(mean, CRITERION_LEAST * paths->null_deviance / n)) : n * mean;
    return L + EARNED_PRICE * (double)features;
}

dcpn_cv_choice dcpn_cv_choose_earned(const dcpn_cv *cv)
{
    dcpn_cv_choice chosen = {-1, -1, NAN, NAN};
    double least = INFINITY;
    int measure = find_deviance(cv);
    for (int64_t v = 0; measure >= 0 && v < cv->paths->count; v++)
        for (int64_t k = 0; k < cv->paths->paths[v].count; k++) {
            double cost = cost_of_earned(cv, measure, cv->first[v] + k, cv->paths->paths[v].points[k].fit.nonzeros);
            if (!(cost < least)) continue;
            least = cost;
            chosen = choice_at(cv, v, k);
        }
    return chosen;
}

/* ---- paired ---- */

/* Do the folds show that the point is worse than the best one? Both are given by their place among all points;
 * `turn` is -1 if a larger measure is better. */
static int is_worse(const dcpn_cv *cv, int measure, double turn, int64_t point, int64_t best)
{
    const double *value = cv->value + (point * DCPN_MEASURES + measure) * cv->folds;
    const double *least = cv->value + (best * DCPN_MEASURES + measure) * cv->folds;
    double total = 0.0, mean = 0.0, squares = 0.0;
    int64_t count = 0;
    for (int64_t f = 0; f < cv->folds; f++) {
        if (isnan(value[f]) || isnan(least[f])) continue;
        total += cv->weights[f];
        mean += cv->weights[f] * turn * (value[f] - least[f]);
        count++;
    }
    if (count < 2) return 1;
    mean /= total;
    for (int64_t f = 0; f < cv->folds; f++) {
        double beyond = turn * (value[f] - least[f]) - mean;
        if (!isnan(beyond)) squares += cv->weights[f] * beyond * beyond;
    }
    return mean > PAIRED_ERRORS * sqrt(squares / total / dcpn_cv_freedom(cv, count));
}

int dcpn_cv_errs_more(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other)
{
    for (int m = 0; m < cv->measured.count; m++)
        if (strcmp(cv->measured.names[m], "error") == 0)
            return is_worse(cv, m, 1.0, cv->first[choice->path] + choice->point, cv->first[other->path] + other->point);
    return 0;
}

dcpn_cv_choice dcpn_cv_choose_paired(const dcpn_cv *cv)
{
    dcpn_cv_choice chosen = cv->choice.min;
    if (chosen.path < 0) return chosen;
    int64_t best = cv->first[chosen.path] + chosen.point;
    int64_t fewest = cv->paths->paths[chosen.path].points[chosen.point].fit.nonzeros;
    double turn = dcpn_cv_larger_is_better(cv) ? -1.0 : 1.0;
    for (int64_t v = 0; v < cv->paths->count; v++) {
        int64_t k = cv->best[v];
        if (k < 0 || is_worse(cv, cv->measured.chooses, turn, cv->first[v] + k, best)) continue;
        const dcpn_cv_choice candidate = choice_at(cv, v, k);
        int64_t features = cv->paths->paths[v].points[k].fit.nonzeros;
        if (features >= fewest || dcpn_cv_errs_more(cv, &candidate, &cv->choice.min)) continue;
        fewest = features;
        chosen = candidate;
    }
    return chosen;
}
