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
 * The rule `convex` is the best mean among the points of paths with a convex penalty. The rule `sized` takes the set
 * that gic takes, and of its refits with more or less ridge the one with the best mean.
 *
 * The rule `earned` looks at all points, and is the least of L + 2 k, with L = -2 log likelihood of the rows held out:
 * n m, m being the mean deviance, or n log m. There is no optimism in L, as there is in that of the rows fitted to; but
 * of many points one is the least by chance, and each feature has to earn what aic takes for it. */
#include "selection/rules.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/tuning.h"
#include "settings/registry.h"

static const struct rule {
    const char *name, *meaning;
    int is_criterion, needs_likelihood;
} rules[] = {
    {"min", "the model with the best mean over the folds", 0, 0},
    {"1se", "the fewest features within a standard error of the best mean over the folds", 0, 0},
    {"convex", "the best mean over the folds among models of convex penalties", 0, 0},
    {"paired",
     "of the best models of all paths the one with the fewest features that the folds do not tell from the best", 0, 0},
    {"earned", "the least -2 log likelihood of the rows held out + 2 features", 0, 1},
    {"aic", "the least -2 log likelihood + 2 features", 1, 1},
    {"bic", "the least -2 log likelihood + log(rows) features", 1, 1},
    {"ebic", "the least bic + log of the number of models of that size", 1, 1},
    {"kept", "the lowest loss on all rows among refitted models of no more features than --features-kept", 0, 0},
    {"gic", "the least -2 log likelihood + log(all features) log(log(rows)) features", 1, 1},
    {"sized", "the features that gic chooses, refitted with the ridge of the best mean over the folds", 1, 1},
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
                         "rule: found '%s', expected min, 1se, convex, paired, earned, aic, bic, ebic, gic or sized",
                         rule);
    if (!found->needs_likelihood || !loss || is_likelihood(loss)) return DCPN_OK;
    return dcpn_fail(
        context, DCPN_USAGE,
        "rule: found '%s' with the loss %s, expected a loss that is a likelihood (squared, logistic, poisson or "
        "negative-binomial); min, 1se, convex and paired need none",
        rule, loss->name);
}

dcpn_status dcpn_rule_check_penalties(dcpn_context *context, const char *rule, const dcpn_settings *settings,
                                      const dcpn_path_options *options)
{
    int64_t count = options->penalties ? options->penalty_count : 1;
    if (!rule || strcmp(rule, "convex") != 0) return DCPN_OK;
    for (int64_t k = 0; k < count; k++) {
        const dcpn_penalty_ops *penalty =
            dcpn_find_penalty(options->penalties ? options->penalties[k] : settings->penalty);
        if (!penalty || penalty->convex) return DCPN_OK; /* a name that there is not is refused elsewhere */
    }
    return dcpn_fail(context, DCPN_USAGE,
                     "rule: found 'convex', but no penalty that is; expected l1 among the penalties, or another rule");
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

int64_t dcpn_cv_find_refits(const dcpn_cv *cv)
{
    const dcpn_path *paths = cv->paths->paths;
    for (int64_t v = 0; v < cv->paths->count; v++)
        if (paths[v].kind == DCPN_PATH_BY_SIZE && !paths[v].varying) return v;
    return -1;
}

dcpn_cv_choice dcpn_cv_choose_by_criterion(const dcpn_cv *cv, const char *rule, int64_t most_features)
{
    const dcpn_paths *paths = cv->paths;
    dcpn_cv_choice chosen = {-1, -1, NAN, NAN};
    double least = INFINITY;
    int64_t most = most_features ? most_features : dcpn_usual_most_features(paths->weight, (double)paths->features);
    int64_t refits = dcpn_cv_find_refits(cv);
    for (int64_t v = refits < 0 ? 0 : refits; v < (refits < 0 ? paths->count : refits + 1); v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++) {
            const dcpn_path_point *point = &paths->paths[v].points[k];
            double value = point->fit.nonzeros > most ? (double)INFINITY : criterion_at(paths, point, rule);
            if (!(value < least)) continue;
            least = value;
            chosen = choice_at(cv, v, k);
        }
    return chosen;
}

/* Paths of the same refits with more or less ridge have the same points. */
dcpn_cv_choice dcpn_cv_choose_sized(const dcpn_cv *cv, int64_t most_features)
{
    dcpn_cv_choice chosen = dcpn_cv_choose_by_criterion(cv, "gic", most_features);
    int64_t refits = dcpn_cv_find_refits(cv);
    double turn = dcpn_cv_larger_is_better(cv) ? -1.0 : 1.0;
    if (chosen.path < 0 || chosen.path != refits) return chosen;
    for (int64_t v = refits + 1; v < cv->paths->count; v++) {
        if (chosen.point >= cv->paths->paths[v].count) continue;
        const dcpn_cv_choice other = choice_at(cv, v, chosen.point);
        if (turn * other.mean < turn * chosen.mean || (isnan(chosen.mean) && !isnan(other.mean))) chosen = other;
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

/* ---- differences over the folds ---- */

/* By how many of its standard errors the point is worse than the best one, as the folds show. Both are given by their
 * place among all points; `turn` is -1 if a larger measure is better. */
static double told_by(const dcpn_cv *cv, int measure, double turn, int64_t point, int64_t best)
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
    if (count < 2) return INFINITY;
    mean /= total;
    for (int64_t f = 0; f < cv->folds; f++) {
        double beyond = turn * (value[f] - least[f]) - mean;
        if (!isnan(beyond)) squares += cv->weights[f] * beyond * beyond;
    }
    double error = sqrt(squares / total / dcpn_cv_freedom(cv, count));
    return mean == 0.0 ? 0.0 : mean / error;
}

static int is_worse(const dcpn_cv *cv, int measure, double turn, int64_t point, int64_t best)
{
    return told_by(cv, measure, turn, point, best) > PAIRED_ERRORS;
}

static int64_t place_of(const dcpn_cv *cv, const dcpn_cv_choice *choice)
{
    return cv->first[choice->path] + choice->point;
}

/* The number of the share of wrong classes among the measures, or -1. */
static int find_errors(const dcpn_cv *cv)
{
    for (int m = 0; m < cv->measured.count; m++)
        if (strcmp(cv->measured.names[m], "error") == 0) return m;
    return -1;
}

int dcpn_cv_errs_more(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other)
{
    int errors = find_errors(cv);
    return errors >= 0 && is_worse(cv, errors, 1.0, place_of(cv, choice), place_of(cv, other));
}

/* Where there are classes, the share of wrong ones tells: refits of a fold are overconfident, so that the deviance
 * says less. */
int dcpn_cv_predicts_worse(const dcpn_cv *cv, const dcpn_cv_choice *choice, const dcpn_cv_choice *other)
{
    int errors = find_errors(cv);
    int64_t point = place_of(cv, choice), best = place_of(cv, other);
    double turn = dcpn_cv_larger_is_better(cv) ? -1.0 : 1.0;
    if (errors >= 0) return told_by(cv, errors, 1.0, point, best) > HEEDED_WRONG_CLASSES;
    return told_by(cv, cv->measured.chooses, turn, point, best) > HEEDED_ERRORS;
}

static int is_convex(const dcpn_path *path)
{
    const dcpn_penalty_ops *penalty = dcpn_find_penalty(path->settings.penalty);
    return path->kind != DCPN_PATH_BY_SIZE && penalty && penalty->convex;
}

dcpn_cv_choice dcpn_cv_choose_convex(const dcpn_cv *cv)
{
    dcpn_cv_choice chosen = {-1, -1, NAN, NAN};
    double turn = dcpn_cv_larger_is_better(cv) ? -1.0 : 1.0;
    for (int64_t v = 0; v < cv->paths->count; v++) {
        if (!is_convex(&cv->paths->paths[v]) || cv->best[v] < 0) continue;
        const dcpn_cv_choice best = choice_at(cv, v, cv->best[v]);
        if (chosen.path < 0 || turn * best.mean < turn * chosen.mean) chosen = best;
    }
    return chosen;
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
