/* SPDX-License-Identifier: BSD-3-Clause */
/* Marginal false discovery rates along a path (Breheny 2019). A feature that is independent of the response and of the
 * features that matter is in use, at a penalty whose slope at 0 is lambda, if the mean of its products with the
 * residuals is beyond lambda. That mean is about normal with the variance sigma^2 / n, columns having deviation 1, so
 * that of d such features
 *     E = 2 d Phi(-lambda sqrt(n) / sigma),   sigma^2 = RSS / (n - s - 1),
 * are expected among the s in use, and their share is at most about E / s. A group of k orthonormal directions has the
 * norm of k such means, and is in use if that is beyond w lambda, w its weight:
 *     E = sum_g P(chi_k > w lambda sqrt(n) / sigma),
 * beside the groups in use. Without --orthonormal the products of a group depend on one another, and nothing is known.
 *
 * With the logistic loss the residuals are those of 0 or 1 and the probabilities, and the sum of their squares, n times
 * the Brier score of the rows fitted to, stands for RSS. (Miller and Breheny 2019 take in its place what the model
 * expects of it.)
 *
 * A fit that nearly tells the classes apart has small residuals whatever the noise is: there the rate is not known.
 *
 * Features that are correlated with those that matter, but add nothing to them, do not count as false here. Assumed are
 * besides the loss rows of one weight and features of one penalty factor. */
#include <math.h>
#include <string.h>

#include "base/tuning.h"
#include "dcpn/cv.h"

static double normal_below(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

/* Is lambda the slope at 0? */
static int starts_with_lambda(const char *penalty)
{
    static const char *const names[] = {"l1", "mcp", "scad"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(penalty, names[k]) == 0) return 1;
    return 0;
}

static double squares_at(const dcpn_paths *paths, const dcpn_path_point *at)
{
    return strcmp(paths->settings.loss, "squared") == 0 ? at->deviance : at->brier * (double)paths->rows;
}

/* Do the residuals say how large the noise is? */
static int has_noise(const dcpn_paths *paths, const dcpn_path_point *at)
{
    if (strcmp(paths->settings.loss, "squared") == 0) return squares_at(paths, at) > 0.0;
    return at->brier > 0.0 && at->deviance >= (1.0 - MFDR_EXPLAINED) * paths->null_deviance;
}

/* Is the loss logistic, with an intercept, one score and no offset? */
static int is_logistic(const dcpn_paths *paths, const dcpn_settings *s)
{
    return strcmp(s->loss, "logistic") == 0 && s->intercept && !paths->has_offset && paths->scores == 1 &&
           paths->labels.count == 2 && paths->groups.count == 0;
}

/* P(chi_k > t) = Q(k / 2, y), y = t^2 / 2: a finite sum of y^a e^-y / Gamma(a + 1), a = k / 2 - 1, k / 2 - 2, ... >= 0,
 * and for odd k P(|z| > t). */
static double chi_above(int64_t k, double t)
{
    double y = 0.5 * t * t, sum = k % 2 ? 2.0 * normal_below(-t) : 0.0;
    if (!(y > 0.0)) return 1.0;
    for (double a = 0.5 * (double)k - 1.0; a >= 0.0; a -= 1.0) sum += exp(a * log(y) - y - lgamma(a + 1.0));
    return fmin(sum, 1.0);
}

static double expected_groups(const dcpn_path_groups *groups, double t)
{
    double sum = 0.0;
    for (int64_t b = 0; b < groups->count; b++)
        if (groups->weight[b] > 0.0 && groups->size[b] > 0) sum += chi_above(groups->size[b], groups->weight[b] * t);
    return sum;
}

static int knows_terms(const dcpn_paths *paths, const dcpn_settings *s)
{
    if (paths->groups.count == 0 || strcmp(s->grouping, "entry") == 0) return s->standardize;
    return paths->groups.count > 0 && s->orthonormal && strcmp(s->grouping, "norm") == 0;
}

double dcpn_paths_mfdr(const dcpn_paths *paths, int64_t path, int64_t point)
{
    if (!paths || path < 0 || path >= paths->count || point < 0 || point >= paths->paths[path].count)
        return (double)NAN;
    const dcpn_path *on = &paths->paths[path];
    const dcpn_path_point *at = &on->points[point];
    const dcpn_settings *s = &on->settings;
    int is_known = on->kind != DCPN_PATH_BY_SIZE && !paths->own.loss && !paths->own.penalty && knows_terms(paths, s) &&
                   (strcmp(s->loss, "squared") == 0 || is_logistic(paths, s)) && paths->scores == 1 &&
                   starts_with_lambda(s->penalty);
    double n = (double)paths->rows, used = (double)at->fit.nonzeros, left = n - used - 1.0;
    if (!is_known || !(left > 0.0) || !has_noise(paths, at)) return (double)NAN;
    if (at->fit.nonzeros == 0) return 0.0;
    double lambda = strcmp(s->scale, "mean") == 0 ? at->lambda : at->lambda / n,
           t = lambda * sqrt(n * left / squares_at(paths, at));
    if (paths->groups.count > 0) return fmin(expected_groups(&paths->groups, t) / (double)at->groups, 1.0);
    return fmin(2.0 * (double)paths->features * normal_below(-t) / used, 1.0);
}
