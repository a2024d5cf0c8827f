/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a file of paths, as a model file. Only what is needed to find it is checked here; the reader of models
 * checks the rest, as of any file that nobody vouches for. */
#include "model/path_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "model/model_file.h"
#include "settings/registry.h"

struct choice {
    dcpn_context *context;
    const char *name; /* of the file */
    const json_t *root;
    const dcpn_selection *selection;
    const json_t *path, *point;
    const json_t *next; /* the lambda lies between that of the point and that of this one; NULL: at the point */
    double share;       /* of the next one */
};

static dcpn_status damaged(const struct choice *c, const char *where, const char *expected)
{
    return dcpn_fail(c->context, DCPN_MODEL,
                     "%s: field %s: expected %s; the file is damaged or not from dcpn: make it again", c->name, where,
                     expected);
}

static int is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

static dcpn_status check_version(const struct choice *c)
{
    const json_t *version = json_object_get(c->root, "version");
    if (!json_is_integer(version) || json_integer_value(version) < 1) return damaged(c, "version", "a whole number");
    if (json_integer_value(version) <= DCPN_PATH_VERSION) return DCPN_OK;
    return dcpn_fail(c->context, DCPN_MODEL,
                     "%s: field version: found %lld, expected %d; use the newer dcpn that made it", c->name,
                     (long long)json_integer_value(version), DCPN_PATH_VERSION);
}

/* ---- the path ---- */

static int fits(const json_t *path, const dcpn_selection *s)
{
    const json_t *value = json_object_get(path, "value");
    if (s->penalty && !is_text(json_object_get(path, "penalty"), s->penalty)) return 0;
    if (!s->has_value) return 1;
    return json_is_number(value) && fabs(json_number_value(value) - s->value) <= 1e-9 * fabs(s->value);
}

/* "mcp with gamma 1.5, mcp with gamma 3, ...", as far as there is room for it. */
static void list_paths(const json_t *paths, char *text, size_t room)
{
    const json_t *path;
    size_t k;
    json_array_foreach(paths, k, path)
    {
        const char *penalty = json_string_value(json_object_get(path, "penalty"));
        const char *varying = json_string_value(json_object_get(path, "varying"));
        double value = json_number_value(json_object_get(path, "value"));
        size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", k ? ", " : "", penalty ? penalty : "?");
        used = strlen(text);
        if (varying) snprintf(text + used, room - used, " with %s %g", varying, value);
    }
}

/* "the penalty mcp and the value 3": what was asked for. */
static void describe_asked(const dcpn_selection *s, char *text, size_t room)
{
    const char *penalty = s->penalty ? s->penalty : "";
    int used = snprintf(text, room, "%s%.100s", s->penalty ? "the penalty " : "", penalty);
    if (s->has_value) snprintf(text + used, room - (size_t)used, "%sthe value %g", s->penalty ? " and " : "", s->value);
}

/* How many paths there are of the penalty and the value asked for, and the last of them; a refusal if there is none. */
static dcpn_status count_fitting(struct choice *c, int64_t *found)
{
    const json_t *paths = json_object_get(c->root, "paths"), *path;
    char present[200] = "", asked[160];
    size_t k;
    *found = 0;
    if (json_array_size(paths) == 0) return damaged(c, "paths", "a list with a path in it");
    json_array_foreach(paths, k, path)
    {
        if (!fits(path, c->selection)) continue;
        c->path = path;
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
    list_paths(json_object_get(c->root, "paths"), present, sizeof present);
    return dcpn_fail(c->context, DCPN_USAGE, "%s: %lld paths would do; choose one by --penalty and --shape: it has %s",
                     c->name, (long long)found, present);
}

static dcpn_status take_point(struct choice *c, const json_t *position, const char *where)
{
    if (json_is_integer(position))
        c->point = json_array_get(json_object_get(c->path, "points"), (size_t)json_integer_value(position));
    return c->point ? DCPN_OK : damaged(c, where, "a path and a point of the file for the rule");
}

/* The path and the point that the cross-validation has chosen by a rule; where that path is not of the penalty and the
 * value asked for, what the rule chooses on the one that is. */
static dcpn_status find_chosen(struct choice *c)
{
    const json_t *rule = json_object_get(c->root, "rule"), *chosen;
    const char *name = c->selection->rule ? c->selection->rule : json_string_value(rule);
    if (!name) return damaged(c, "rule", "min or 1se");
    chosen = json_object_get(json_object_get(c->root, "chosen"), name);
    const json_t *path = json_object_get(chosen, "path");
    if (!json_is_integer(path)) return damaged(c, "chosen", "a path and a point for the rule");
    c->path = json_array_get(json_object_get(c->root, "paths"), (size_t)json_integer_value(path));
    if (fits(c->path, c->selection)) return take_point(c, json_object_get(chosen, "point"), "chosen");
    DCPN_TRY(find_path(c));
    return take_point(c, json_object_get(c->path, name), "paths.min, paths.1se");
}

/* ---- the lambda ---- */

/* The first point whose lambda is at most the one asked for; all points have a number. */
static dcpn_status find_below(const struct choice *c, const json_t *points, size_t *below)
{
    const json_t *point;
    size_t k;
    *below = json_array_size(points);
    json_array_foreach(points, k, point)
    {
        const json_t *lambda = json_object_get(point, "lambda");
        if (!json_is_number(lambda)) return damaged(c, "paths.points.lambda", "a number");
        if (*below == json_array_size(points) && json_number_value(lambda) <= c->selection->lambda) *below = k;
    }
    return DCPN_OK;
}

static double lambda_of(const json_t *point)
{
    return json_number_value(json_object_get(point, "lambda"));
}

/* Has it an intercept and coefficients that can be mixed with others? */
static int is_sound(const json_t *point)
{
    const json_t *coef = json_object_get(point, "coef"), *one;
    const json_t *index = json_object_get(coef, "index"), *value = json_object_get(coef, "value");
    size_t k;
    if (!json_is_number(json_object_get(point, "intercept")) || !json_is_array(index) || !json_is_array(value))
        return 0;
    if (json_array_size(index) != json_array_size(value)) return 0;
    json_array_foreach(index, k, one) if (!json_is_integer(one) || !json_is_number(json_array_get(value, k))) return 0;
    return 1;
}

/* The same lambda, to the six digits in which tables print it? */
static int is_same_lambda(double asked, double found)
{
    return fabs(asked - found) <= 1e-5 * asked;
}

/* Who asked for another lambda hears which one it became. */
static void tell_lambda(const struct choice *c)
{
    double asked = c->selection->lambda, taken = lambda_of(c->point);
    if (!is_same_lambda(asked, taken))
        dcpn_log(c->context, DCPN_LOG_NOTE, "%s: lambda %g lies between two of the path; the nearer one, %g, is taken",
                 c->name, asked, taken);
}

static int is_convex_at(const json_t *point)
{
    return json_is_true(json_object_get(point, "locally_convex"));
}

/* Is the path a continuous one between the two points? */
static int is_continuous(const struct choice *c, const json_t *upper, const json_t *lower)
{
    const char *name = json_string_value(json_object_get(json_object_get(c->root, "params"), "loss"));
    const dcpn_loss_ops *loss = name ? dcpn_find_loss(name) : NULL;
    int is_convex = is_text(json_object_get(c->path, "penalty"), "l1") && loss && !loss->value2;
    return is_convex && is_convex_at(upper) && is_convex_at(lower);
}

/* On the logarithmic scale; 0 is far from everything but itself. */
static int is_nearer_to_low(double high, double lambda, double low)
{
    return lambda == low || (low > 0.0 && lambda / low <= high / lambda);
}

/* Between two lambdas the path of a convex F is nearly linear and is interpolated, as glmnet does; others may jump there,
 * and the nearer one is taken. A lambda of a table, which has six digits, is that of the point. */
static dcpn_status find_between(struct choice *c, const json_t *upper, const json_t *lower)
{
    double lambda = c->selection->lambda, high = lambda_of(upper), low = lambda_of(lower);
    c->point = is_nearer_to_low(high, lambda, low) ? lower : upper;
    if (is_same_lambda(lambda, lambda_of(c->point)) || !is_continuous(c, upper, lower)) {
        tell_lambda(c);
        return DCPN_OK;
    }
    if (!is_sound(upper) || !is_sound(lower)) return damaged(c, "paths.points", "an intercept and coefficients");
    c->point = upper;
    c->next = lower;
    c->share = (high - lambda) / (high - low);
    dcpn_log(c->context, DCPN_LOG_NOTE, "%s: lambda %g lies between %g and %g of the path: coefficients are interpolated",
             c->name, lambda, high, low);
    return DCPN_OK;
}

static dcpn_status find_lambda(struct choice *c)
{
    const json_t *points = json_object_get(c->path, "points");
    double lambda = c->selection->lambda;
    size_t below, count = json_array_size(points);
    if (count == 0) return dcpn_fail(c->context, DCPN_USAGE, "%s: the path has no points: it was interrupted", c->name);
    DCPN_TRY(find_below(c, points, &below));
    if (below > 0 && below < count)
        return find_between(c, json_array_get(points, below - 1), json_array_get(points, below));
    c->point = json_array_get(points, below == 0 ? 0 : count - 1);
    if (!is_same_lambda(lambda, lambda_of(c->point)))
        dcpn_log(c->context, DCPN_LOG_WARNING, "%s: lambda %g is beyond the path; its %s, %g, is taken", c->name, lambda,
                 below == 0 ? "largest" : "least", lambda_of(c->point));
    return DCPN_OK;
}

/* ---- the model ---- */

static json_t *mix_numbers(const json_t *a, const json_t *b, double share)
{
    return json_real((1.0 - share) * json_number_value(a) + share * json_number_value(b));
}

static void append_mixed(json_t *index, json_t *value, json_int_t j, double number)
{
    json_array_append_new(index, json_integer(j));
    json_array_append_new(value, json_real(number));
}

/* Both lists ascend; where the file is damaged and they do not, the reader of models will say so. */
static json_t *mix_coefficients(const json_t *a, const json_t *b, double share)
{
    const json_t *index_a = json_object_get(a, "index"), *index_b = json_object_get(b, "index");
    const json_t *value_a = json_object_get(a, "value"), *value_b = json_object_get(b, "value");
    size_t i = 0, k = 0, count_a = json_array_size(index_a), count_b = json_array_size(index_b);
    json_t *index = json_array(), *value = json_array();
    while (i < count_a || k < count_b) {
        json_int_t ja = json_integer_value(json_array_get(index_a, i));
        json_int_t jb = json_integer_value(json_array_get(index_b, k));
        int from_a = i < count_a && (k >= count_b || ja <= jb), from_b = k < count_b && (i >= count_a || jb <= ja);
        double number = from_a ? (1.0 - share) * json_number_value(json_array_get(value_a, i)) : 0.0;
        if (from_b) number += share * json_number_value(json_array_get(value_b, k));
        append_mixed(index, value, from_a ? ja : jb, number);
        i += (size_t)from_a;
        k += (size_t)from_b;
    }
    return json_pack("{s:o, s:o}", "index", index, "value", value);
}

static json_t *settings_of(const struct choice *c, double lambda)
{
    json_t *params = json_deep_copy(json_object_get(c->root, "params"));
    const json_t *varying = json_object_get(c->path, "varying");
    if (!json_is_object(params)) return params;
    json_object_set_new(params, "lambda", json_real(lambda));
    json_object_set(params, "penalty", json_object_get(c->path, "penalty"));
    if (json_is_string(varying)) json_object_set(params, json_string_value(varying), json_object_get(c->path, "value"));
    return params;
}

/* What is not known of a mixed point. */
static void forget_results(json_t *fit)
{
    static const char *const results[] = {"objective", "loss_value", "penalty_value", "stationarity"};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) json_object_set_new(fit, results[k], json_null());
}

static json_t *fit_of(const struct choice *c, const json_t *coef)
{
    static const char *const parts[] = {"algorithm", "metric", "subsolver"};
    json_t *fit = json_copy((json_t *)c->point);
    if (!fit) return NULL;
    if (c->next) forget_results(fit);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        json_object_set(fit, parts[k], json_object_get(c->path, parts[k]));
    json_object_set(fit, "n", json_object_get(json_object_get(c->root, "data"), "n"));
    json_object_set(fit, "p", json_object_get(c->root, "features"));
    json_object_set_new(fit, "nnz", json_integer((json_int_t)json_array_size(json_object_get(coef, "index"))));
    return fit;
}

/* What a list of the file, if it has that, says of the features of the coefficients. */
static void take_from_list(const struct choice *c, const char *list, json_t *coef, const char *key)
{
    const json_t *all = json_object_get(c->root, list), *number;
    json_int_t base = json_integer_value(json_object_get(c->root, "index_base"));
    json_t *taken = json_is_array(all) ? json_array() : NULL;
    size_t k;
    json_array_foreach(json_object_get(coef, "index"), k, number)
    {
        json_int_t j = json_integer_value(number) - base;
        json_array_append(taken, j >= 0 ? json_array_get(all, (size_t)j) : NULL);
    }
    if (taken) json_object_set_new(coef, key, taken);
}

/* The coefficients with the names of their features, and what these count as where they are missing. */
static json_t *with_names(const struct choice *c, const json_t *coef)
{
    json_t *named = json_copy((json_t *)coef);
    take_from_list(c, "feature_names", named, "name");
    take_from_list(c, "missing", named, "missing");
    return named;
}

static json_t *classes_of(const struct choice *c)
{
    json_t *names = json_object_get(c->root, "class_names");
    return json_is_array(names) ? names : json_object_get(c->root, "classes");
}

static json_t *model_of(const struct choice *c)
{
    static const char *const same[] = {"label", "offset", "features", "index_base", "command"};
    const json_t *coef = json_object_get(c->point, "coef"), *intercept = json_object_get(c->point, "intercept");
    double lambda = c->next ? c->selection->lambda : lambda_of(c->point);
    json_t *model = json_pack("{s:s, s:i}", "format", DCPN_MODEL_FORMAT, "version", DCPN_MODEL_VERSION);
    if (!model) return NULL;
    for (size_t k = 0; k < sizeof same / sizeof *same; k++)
        json_object_set(model, same[k], json_object_get(c->root, same[k]));
    json_object_set(model, "classes", classes_of(c));
    json_object_set_new(model, "params", settings_of(c, lambda));
    if (c->next) {
        json_object_set_new(model, "coef", mix_coefficients(coef, json_object_get(c->next, "coef"), c->share));
        json_object_set_new(model, "intercept",
                            mix_numbers(intercept, json_object_get(c->next, "intercept"), c->share));
    } else {
        json_object_set(model, "coef", (json_t *)coef);
        json_object_set(model, "intercept", (json_t *)intercept);
    }
    json_object_set_new(model, "coef", with_names(c, json_object_get(model, "coef")));
    json_object_set_new(model, "fit", fit_of(c, json_object_get(model, "coef")));
    return model;
}

static dcpn_status find_point(struct choice *c, int is_cv)
{
    const dcpn_selection *s = c->selection;
    int by_path = s->penalty || s->has_value;
    int64_t found;
    if (s->rule && !is_cv)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: a rule needs a cross-validation; of a path give the lambda",
                         c->name);
    if (s->rule && s->has_lambda)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: a rule chooses the lambda; give the one or the other", c->name);
    if (by_path) DCPN_TRY(count_fitting(c, &found));
    if (!s->has_lambda && !is_cv)
        return dcpn_fail(c->context, DCPN_USAGE, "%s: it holds many models; give the lambda of one, by --lambda", c->name);
    if (is_cv && !(s->has_lambda && by_path)) DCPN_TRY(find_chosen(c));
    if (!is_cv || (s->has_lambda && by_path)) DCPN_TRY(find_path(c));
    return s->has_lambda ? find_lambda(c) : DCPN_OK;
}

dcpn_status dcpn_select_model(dcpn_context *context, const char *name, json_t *root, const dcpn_selection *selection,
                              json_t **model)
{
    const dcpn_selection none = {0};
    struct choice c = {context, name, root, selection ? selection : &none, NULL, NULL, NULL, 0.0};
    const json_t *format = json_object_get(root, "format");
    int is_cv = is_text(format, DCPN_CV_FORMAT);
    *model = NULL;
    if (!is_cv && !is_text(format, DCPN_PATH_FORMAT)) {
        if (c.selection->rule || c.selection->has_lambda || c.selection->penalty || c.selection->has_value)
            return dcpn_fail(context, DCPN_USAGE, "%s: it holds one model; there is nothing to choose from", name);
        *model = json_incref(root);
        return DCPN_OK;
    }
    DCPN_TRY(check_version(&c));
    DCPN_TRY(find_point(&c, is_cv));
    *model = model_of(&c);
    return *model ? DCPN_OK : dcpn_fail(context, DCPN_MEMORY, "%s: out of memory while the model was read", name);
}
