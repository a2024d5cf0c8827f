/* SPDX-License-Identifier: BSD-3-Clause */
/* One model out of paths or a cross-validation: at a lambda, between two of them, or where a rule has chosen. */
#include "model/selected_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "model/model.h"
#include "settings/registry.h"

struct choice {
    dcpn_context *context;
    const char *name; /* of the file */
    const dcpn_results *results;
    const dcpn_selection *selection;
    int64_t path, point;
    int64_t upper; /* the lambda lies between those of this point and of the next one, whose share it is; */
    double share;  /* 0: at the point */
};

static const dcpn_path *path_of(const struct choice *c)
{
    return &c->results->paths->paths[c->path];
}

static double lambda_at(const struct choice *c, int64_t point)
{
    return path_of(c)->points[point].lambda;
}

/* ---- the path ---- */

/* Plain descents beside a searched path, and models by their number of features, are reached by a rule alone. */
static int fits(const dcpn_path *path, const dcpn_selection *s)
{
    if (path->kind == DCPN_PATH_LOCAL || path->kind == DCPN_PATH_BY_SIZE) return 0;
    if (s->penalty && strcmp(path->settings.penalty, s->penalty) != 0) return 0;
    return !s->has_value || (path->varying && fabs(path->value - s->value) <= 1e-9 * fabs(s->value));
}

/* "mcp with gamma 1.5, mcp with gamma 3, ...", as far as there is room for it. */
static void list_paths(const dcpn_paths *paths, char *text, size_t room)
{
    for (int64_t v = 0; v < paths->count; v++) {
        const dcpn_path *path = &paths->paths[v];
        size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", v ? ", " : "", path->settings.penalty);
        used = strlen(text);
        if (path->kind == DCPN_PATH_LOCAL) snprintf(text + used, room - used, " (local)");
        if (path->kind == DCPN_PATH_BY_SIZE) snprintf(text + used, room - used, " (by size)");
        used = strlen(text);
        if (path->varying) snprintf(text + used, room - used, " with %s %g", path->varying, path->value);
    }
}

/* "the penalty mcp and the value 3": what was asked for. */
static void describe_asked(const dcpn_selection *s, char *text, size_t room)
{
    const char *penalty = s->penalty ? s->penalty : "";
    int used = snprintf(text, room, "%s%.100s", s->penalty ? "the penalty " : "", penalty);
    if (s->has_value) snprintf(text + used, room - (size_t)used, "%sthe value %g", s->penalty ? " and " : "", s->value);
}

/* Counts the paths that have the penalty and the value asked for, and takes the last of them. It is a refusal if there
 * is none. */
static dcpn_status count_fitting(struct choice *c, int64_t *found)
{
    const dcpn_paths *paths = c->results->paths;
    char present[200] = "", asked[160];
    *found = 0;
    if (paths->count == 0) return dcpn_fail(c->context, DCPN_USAGE, "%s: there is no path in it", c->name);
    for (int64_t v = 0; v < paths->count; v++) {
        if (!fits(&paths->paths[v], c->selection)) continue;
        c->path = v;
        ++*found;
    }
    if (*found) return DCPN_OK;
    list_paths(paths, present, sizeof present);
    describe_asked(c->selection, asked, sizeof asked);
    return dcpn_fail(c->context, DCPN_USAGE, "%s: there is no path with %s; it has %s", c->name, asked, present);
}

static dcpn_status find_path(struct choice *c)
{
    char present[200] = "";
    int64_t found;
    DCPN_TRY(count_fitting(c, &found));
    if (found == 1) return DCPN_OK;
    list_paths(c->results->paths, present, sizeof present);
    return dcpn_fail(c->context, DCPN_USAGE, "%s: %lld paths would do; choose one by --penalty and --shape: it has %s",
                     c->name, (long long)found, present);
}

/* The path and the point that the cross-validation has chosen by a rule; where that path is not of the penalty and the
 * value asked for, what the rule chooses on the one that is. */
static dcpn_status find_chosen(struct choice *c)
{
    const dcpn_cv *cv = c->results->cv;
    const char *rule = c->selection->rule;
    int is_1se = strcmp(rule ? rule : cv->choice.rule, "1se") == 0;
    const dcpn_cv_choice *chosen = dcpn_cv_choice_by(cv, rule);
    if (!chosen)
        return dcpn_fail(c->context, DCPN_USAGE, "rule: found '%s', expected min, 1se or %s", rule, cv->choice.rule);
    c->path = chosen->path;
    c->point = chosen->point;
    int by_path = c->selection->penalty || c->selection->has_value;
    if (c->path < 0 || (by_path && !fits(path_of(c), c->selection))) {
        DCPN_TRY(find_path(c));
        c->point = (is_1se ? cv->one_se : cv->best)[c->path];
    }
    if (c->point >= 0) return DCPN_OK;
    return dcpn_fail(c->context, DCPN_USAGE, "%s: the rule has chosen nothing on that path; give a lambda", c->name);
}

/* ---- the lambda ---- */

/* Are the two lambdas the same to the six digits in which tables print them? */
static int is_same_lambda(double asked, double found)
{
    return fabs(asked - found) <= 1e-5 * asked;
}

/* Is the path a continuous one from the point to the next? */
static int is_continuous(const struct choice *c, int64_t upper)
{
    const dcpn_path *path = path_of(c);
    const dcpn_loss_ops *loss = dcpn_find_loss(path->settings.loss);
    int is_convex = strcmp(path->settings.penalty, "l1") == 0 && loss && !loss->value2;
    return is_convex && path->points[upper].is_locally_convex == 1 && path->points[upper + 1].is_locally_convex == 1;
}

/* Is lambda nearer to `low` than to `high` on the logarithmic scale? There, 0 is far from everything but itself. */
static int is_nearer_to_low(double high, double lambda, double low)
{
    return lambda == low || (low > 0.0 && lambda / low <= high / lambda);
}

/* Finds the model at a lambda between two points. The path of a convex F is nearly linear between them and is
 * interpolated, like in glmnet; other paths may jump there, and the nearer point is taken. A lambda that was copied
 * from a table, where it has six digits, is that of its point. */
static void find_between(struct choice *c, int64_t upper)
{
    double lambda = c->selection->lambda, high = lambda_at(c, upper), low = lambda_at(c, upper + 1);
    c->point = upper + is_nearer_to_low(high, lambda, low);
    if (is_same_lambda(lambda, lambda_at(c, c->point)) || !is_continuous(c, upper)) return;
    c->upper = upper;
    c->share = (high - lambda) / (high - low);
}

static dcpn_status find_lambda(struct choice *c)
{
    double lambda = c->selection->lambda;
    int64_t count = path_of(c)->count, below = 0;
    if (count == 0) return dcpn_fail(c->context, DCPN_USAGE, "%s: the path has no points: it was interrupted", c->name);
    while (below < count && lambda_at(c, below) > lambda) below++;
    if (below > 0 && below < count)
        find_between(c, below - 1);
    else
        c->point = below == 0 ? 0 : count - 1;
    return DCPN_OK;
}

/* Tells the caller which lambda was taken if it is not the one asked for. */
static void tell_lambda(const struct choice *c)
{
    double lambda = c->selection->lambda, taken = lambda_at(c, c->point);
    int64_t last = path_of(c)->count - 1;
    if (!c->selection->has_lambda || is_same_lambda(lambda, taken)) return;
    if (c->share > 0.0)
        dcpn_log(c->context, DCPN_LOG_NOTE,
                 "%s: lambda %g lies between %g and %g of the path: coefficients are interpolated", c->name, lambda,
                 lambda_at(c, c->upper), lambda_at(c, c->upper + 1));
    else if (lambda > lambda_at(c, 0) || lambda < lambda_at(c, last))
        dcpn_log(c->context, DCPN_LOG_WARNING, "%s: lambda %g is beyond the path; its %s, %g, is taken", c->name,
                 lambda, lambda < taken ? "least" : "largest", taken);
    else
        dcpn_log(c->context, DCPN_LOG_NOTE, "%s: lambda %g lies between two of the path; the nearer one, %g, is taken",
                 c->name, lambda, taken);
}

/* ---- the model ---- */

/* A coefficient of the one point or of both; the other one has 0 there. Indices ascend. */
static int64_t mix_coefficients(const dcpn_path *path, const dcpn_path_point *a, const dcpn_path_point *b, double share,
                                int64_t *index, double *value)
{
    int64_t i = a->first, k = b->first, end_a = i + a->fit.nonzeros, end_b = k + b->fit.nonzeros, count = 0;
    while (i < end_a || k < end_b) {
        int from_a = i < end_a && (k >= end_b || path->index[i] <= path->index[k]);
        int from_b = k < end_b && (i >= end_a || path->index[k] <= path->index[i]);
        index[count] = path->index[from_a ? i : k];
        value[count] = from_a ? (1.0 - share) * path->value_of[i] : 0.0;
        if (from_b) value[count] += share * path->value_of[k];
        i += from_a;
        k += from_b;
        count++;
    }
    return count;
}

/* Makes of the model of the upper point the one between it and the next; what its fit came to is not known. */
static dcpn_status mix(const struct choice *c, dcpn_model *model)
{
    const dcpn_path *path = path_of(c);
    const dcpn_path_point *upper = &path->points[c->upper], *lower = upper + 1;
    size_t most = (size_t)(upper->fit.nonzeros + lower->fit.nonzeros);
    int64_t *index = dcpn_allocate(c->context, most, sizeof *index);
    double *value = dcpn_allocate(c->context, most, sizeof *value);
    if (!index || !value) {
        dcpn_free(c->context, index);
        dcpn_free(c->context, value);
        return DCPN_MEMORY;
    }
    dcpn_free(c->context, model->index);
    dcpn_free(c->context, model->value);
    model->index = index;
    model->value = value;
    model->nonzeros = model->fit.nonzeros = mix_coefficients(path, upper, lower, c->share, index, value);
    model->intercept = (1.0 - c->share) * upper->intercept + c->share * lower->intercept;
    int64_t each = dcpn_intercept_count(model->scores, &model->labels);
    for (int64_t k = 0; model->intercepts && k < each; k++) {
        const double *of_upper = path->intercepts + c->upper * each, *of_lower = of_upper + each;
        model->intercepts[k] = (1.0 - c->share) * of_upper[k] + c->share * of_lower[k];
    }
    model->settings.lambda = c->selection->lambda;
    dcpn_result *fit = &model->fit;
    fit->objective = fit->loss_value = fit->penalty_value = fit->stationarity = NAN;
    return DCPN_OK;
}

static dcpn_status find_point(struct choice *c)
{
    const dcpn_selection *s = c->selection;
    int is_cv = c->results->cv != NULL, by_path = s->penalty || s->has_value;
    int64_t found;
    if (s->rule && !is_cv)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: a rule needs a cross-validation; of a path give the lambda",
                         c->name);
    if (s->rule && s->has_lambda)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: a rule chooses the lambda; give the one or the other", c->name);
    if (by_path) DCPN_TRY(count_fitting(c, &found));
    if (!s->has_lambda && !is_cv)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: it holds many models; give the lambda of one, by --lambda",
                         c->name);
    DCPN_TRY(is_cv && !(s->has_lambda && by_path) ? find_chosen(c) : find_path(c));
    return s->has_lambda ? find_lambda(c) : DCPN_OK;
}

static dcpn_status find(const dcpn_results *results, const dcpn_selection *selection, struct choice *c)
{
    *c =
        (struct choice){.context = results->context, .name = results->name, .results = results, .selection = selection};
    return find_point(c);
}

dcpn_status dcpn_selected_point(const dcpn_results *results, const dcpn_selection *selection, int64_t *path,
                                int64_t *point)
{
    struct choice c;
    DCPN_TRY(find(results, selection, &c));
    *path = c.path;
    *point = c.point;
    return DCPN_OK;
}

dcpn_status dcpn_selected_model(const dcpn_results *results, const dcpn_selection *selection, dcpn_model **model)
{
    struct choice c;
    DCPN_TRY(find(results, selection, &c));
    tell_lambda(&c);
    int64_t point = c.share > 0.0 ? c.upper : c.point;
    DCPN_TRY(dcpn_paths_model(results->paths, c.path, point, results->provenance.index_base, model));
    dcpn_status status = c.share > 0.0 ? mix(&c, *model) : DCPN_OK;
    if (status == DCPN_OK) status = dcpn_model_set_provenance(*model, &results->provenance);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_model_free(*model);
    *model = NULL;
    return status;
}
