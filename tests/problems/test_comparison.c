/* SPDX-License-Identifier: BSD-3-Clause */
/* The comparison of penalties, the models refitted by their number of features, and the rules, recomputed by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/tuning.h"
#include "dcpn/dcpn.h"
#include "path/path.h"
#include "selection/comparison.h"
#include "support/problems_cv.h"

enum { N = 120, P = 40 };

static struct problems_data planted;
static dcpn_matrix *B;

static int setup_planted(void **state)
{
    if (setup(state) != 0) return -1;
    planted = problems_data_new(N, P, 1.0, 7);
    B = problems_matrix(context, &planted, PROBLEMS_CSR);
    return 0;
}

static int teardown_planted(void **state)
{
    dcpn_matrix_free(B);
    problems_data_free(&planted);
    return teardown(state);
}

static dcpn_cv *compare(const char *loss, const char *rule)
{
    dcpn_problem *problem = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_cv_options options = {.folds = 5, .rule = rule, .compares = 1};
    dcpn_cv *cv = NULL;
    settings.loss = loss;
    settings.tol = 1e-6;
    const double *labels = strcmp(loss, "logistic") == 0 ? planted.classes : planted.numbers;
    assert_int_equal(dcpn_problem_new(context, B, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &options, &cv), DCPN_OK);
    assert_int_equal(cv->ending.is_complete, 1);
    dcpn_problem_free(problem);
    return cv;
}

static const dcpn_path *refitted(const dcpn_cv *cv)
{
    const dcpn_path *path = &cv->paths->paths[cv->paths->count - 3];
    assert_int_equal(path->kind, DCPN_PATH_BY_SIZE);
    assert_null(path->varying);
    return path;
}

/* ---- refitted models ---- */

static void scores_of(const dcpn_path *path, const dcpn_path_point *point, double *u)
{
    for (int64_t i = 0; i < N; i++) {
        u[i] = point->intercept;
        for (int64_t k = 0; k < point->fit.nonzeros; k++)
            u[i] += planted.A[i * P + path->index[point->first + k]] * path->value_of[point->first + k];
    }
}

/* The derivative of the mean loss by the coefficient of a feature, or by the intercept (-1). */
static double derivative(const double *u, int64_t feature, int is_logistic)
{
    double sum = 0.0;
    for (int64_t i = 0; i < N; i++) {
        double y = is_logistic ? (planted.classes[i] > 2.0 ? 1.0 : -1.0) : planted.numbers[i];
        double slope = is_logistic ? -y / (1.0 + exp(y * u[i])) : u[i] - y;
        sum += slope * (feature < 0 ? 1.0 : planted.A[i * P + feature]) / N;
    }
    return sum;
}

static double deviation_of(int64_t feature)
{
    double mean = 0.0, square = 0.0;
    for (int64_t i = 0; i < N; i++) mean += planted.A[i * P + feature] / N;
    for (int64_t i = 0; i < N; i++) {
        double beyond = planted.A[i * P + feature] - mean;
        square += beyond * beyond / N;
    }
    return sqrt(square);
}

/* At each point the derivative is 0 in the features in use, the ridge being on columns of deviation 1; and more
 * features explain more. With every ridge the sets are the same. */
static void check_refits(const dcpn_cv *cv, const dcpn_path *path, int is_logistic, double ridge)
{
    double u[N];
    assert_true(path->kind == DCPN_PATH_BY_SIZE && path->count > 4 && path->count == refitted(cv)->count);
    problems_assert_close(path->settings.ridge, ridge, 1e-9, "ridge of the path");
    for (int64_t k = 0; k < path->count; k++) {
        const dcpn_path_point *point = &path->points[k], *plain = &refitted(cv)->points[k];
        size_t bytes = (size_t)point->fit.nonzeros * sizeof *path->index;
        scores_of(path, point, u);
        assert_int_equal(point->fit.nonzeros, plain->fit.nonzeros);
        assert_memory_equal(path->index + point->first, refitted(cv)->index + plain->first, bytes);
        assert_true(fabs(derivative(u, -1, is_logistic)) < 1e-6);
        for (int64_t i = point->first; i < point->first + point->fit.nonzeros; i++) {
            double s = deviation_of(path->index[i]), slope = derivative(u, path->index[i], is_logistic);
            assert_true(fabs(slope / s + ridge * path->value_of[i] * s) < 1e-6);
        }
        if (k == 0) continue;
        assert_true(point->fit.nonzeros > point[-1].fit.nonzeros);
        assert_true(point->fit.objective < point[-1].fit.objective);
        assert_true(point->lambda <= point[-1].lambda);
    }
}

static void refits_are_stationary(void **state)
{
    static const char *const losses[] = {"squared", "logistic"};
    (void)state;
    for (int is_logistic = 0; is_logistic < 2; is_logistic++) {
        dcpn_cv *cv = compare(losses[is_logistic], NULL);
        double unit = is_logistic ? 0.25 : 1.0, ridge = cv->paths->settings.ridge;
        problems_assert_close(ridge, is_logistic ? 0.25 * COMPARISON_RIDGE : 0.0, 1e-9, "ridge");
        check_refits(cv, refitted(cv), is_logistic, ridge);
        check_refits(cv, refitted(cv) + 1, is_logistic, COMPARISON_LESS_SHRUNK * unit);
        check_refits(cv, refitted(cv) + 2, is_logistic, COMPARISON_MORE_SHRUNK * unit);
        dcpn_cv_free(cv);
    }
}

/* Many classes have the ridge of two, by their own curvature, 1/2; and the path of what shrinks ends where each class
 * has too many features, not where all of them together have: it would end at 4 times the limit. */
static void many_classes_keep_features_for_each(void **state)
{
    int64_t limit = dcpn_usual_most_features(N, P), most = 0;
    double quarters[N]; /* four classes */
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_path_options options = {.lambda_count = 12};
    (void)state;
    settings.loss = "multinomial";
    for (int i = 0; i < N; i++) quarters[i] = (planted.numbers[i] > 0.0) + 2.0 * (planted.A[i * P + 1] > 0.0);
    assert_int_equal(dcpn_problem_new(context, B, quarters, &problem), DCPN_OK);
    assert_int_equal(dcpn_comparison_set(context, problem, &settings, &options, NULL), DCPN_OK);
    problems_assert_close(settings.ridge, 0.5 * COMPARISON_RIDGE, 1e-9, "ridge");
    assert_int_equal(options.most_features, limit);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    for (int64_t v = 0; v < paths->count; v++) {
        const dcpn_path *path = &paths->paths[v];
        int64_t last = path->points[path->count - 1].fit.nonzeros;
        if (strcmp(path->settings.penalty, "l1") == 0)
            most = last;
        else if (path->end == DCPN_PATH_CROWDED)
            assert_true(last > limit);
    }
    assert_true(most > 4 * limit);
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
}

/* No set of features of any path has a lower loss, refitted, than the one that was kept of its size: with the squared
 * loss the shrunk models explain no more than their refits. */
static void no_path_explains_more(void **state)
{
    (void)state;
    dcpn_cv *cv = compare("squared", NULL);
    const dcpn_path *best = refitted(cv);
    for (int64_t v = 0; v < cv->paths->count; v++)
        for (int64_t k = 0; k < cv->paths->paths[v].count; k++)
            for (int64_t b = 0; b < best->count; b++)
                if (best->points[b].fit.nonzeros == cv->paths->paths[v].points[k].fit.nonzeros)
                    assert_true(best->points[b].deviance <= cv->paths->paths[v].points[k].deviance * (1.0 + 1e-9));
    dcpn_cv_free(cv);
}

/* ---- the paths ---- */

static void a_search_never_ends_higher(void **state)
{
    (void)state;
    dcpn_cv *cv = compare("squared", NULL);
    int searched = 0;
    for (int64_t v = 1; v < cv->paths->count; v++) {
        const dcpn_path *path = &cv->paths->paths[v], *local = path - 1;
        if (path->kind != DCPN_PATH_SEARCHED) continue;
        searched++;
        assert_int_equal(local->kind, DCPN_PATH_LOCAL);
        assert_true(local->value == path->value && path->count <= local->count);
        for (int64_t k = 0; k < path->count; k++)
            assert_true(path->points[k].fit.objective <= local->points[k].fit.objective * (1.0 + 1e-12));
    }
    assert_int_equal(searched, 2);
    dcpn_cv_free(cv);
}

static void the_same_bytes_for_any_threads(void **state)
{
    char *texts[2];
    (void)state;
    for (int k = 0; k < 2; k++) {
        dcpn_context_set_threads(context, k ? 3 : 1);
        dcpn_cv *cv = compare("logistic", NULL);
        assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &texts[k]), DCPN_OK);
        dcpn_cv_free(cv);
    }
    dcpn_context_set_threads(context, 1);
    size_t length = (size_t)(strstr(texts[0], "\"timing\"") - texts[0]);
    assert_memory_equal(texts[0], texts[1], length);
    dcpn_free(context, texts[0]);
    dcpn_free(context, texts[1]);
}

/* What was written is read, and written again the same; the model is that of the choice. */
static void files_keep_it(void **state)
{
    char *text, *again;
    dcpn_results *results = NULL;
    dcpn_model *model = NULL;
    (void)state;
    dcpn_cv *cv = compare("logistic", "gic");
    assert_int_equal(dcpn_cv_json(cv, NULL, NULL, &text), DCPN_OK);
    assert_int_equal(dcpn_results_parse(context, "text", text, strlen(text), &results), DCPN_OK);
    assert_int_equal(dcpn_cv_json(results->cv, &results->provenance, NULL, &again), DCPN_OK);
    assert_memory_equal(text, again, (size_t)(strstr(text, "\"timing\"") - text));
    assert_string_equal(results->cv->choice.rule, "gic");
    assert_int_equal(results->cv->compares, 1);
    assert_int_equal(dcpn_results_model(results, NULL, &model), DCPN_OK);
    assert_int_equal(model->nonzeros,
                     cv->paths->paths[cv->choice.chosen.path].points[cv->choice.chosen.point].fit.nonzeros);
    assert_true(model->settings.lambda == 0.0);
    dcpn_model_free(model);
    dcpn_results_free(results);
    dcpn_free(context, text);
    dcpn_free(context, again);
    dcpn_cv_free(cv);
}

/* ---- rules ---- */

static double criterion(const char *rule, double D, double k, int is_squared)
{
    double L = is_squared ? N * log(D / N) : D, binomial = 0.0;
    for (int i = 1; i <= (int)k; i++) binomial += log((double)(P - (int)k + i) / i);
    if (strcmp(rule, "aic") == 0) return L + 2.0 * k;
    if (strcmp(rule, "bic") == 0) return L + log((double)N) * k;
    if (strcmp(rule, "ebic") == 0) return L + log((double)N) * k + binomial;
    return L + log((double)P) * log(log((double)N)) * k;
}

static void criteria_are_their_formulas(void **state)
{
    static const char *const rules[] = {"aic", "bic", "ebic", "gic"};
    (void)state;
    for (int is_squared = 0; is_squared < 2; is_squared++)
        for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
            dcpn_cv *cv = compare(is_squared ? "squared" : "logistic", rules[r]);
            const dcpn_path *path = refitted(cv);
            double least = INFINITY;
            int64_t at = -1;
            for (int64_t k = 0; k < path->count; k++) {
                double value =
                    criterion(rules[r], path->points[k].deviance, (double)path->points[k].fit.nonzeros, is_squared);
                if (value < least) at = k;
                least = fmin(least, value);
            }
            assert_int_equal(cv->choice.chosen.path, cv->paths->count - 3);
            assert_int_equal(cv->choice.chosen.point, at);
            dcpn_cv_free(cv);
        }
}

static void paired_differences(void **state)
{
    (void)state;
    dcpn_cv *cv = compare("squared", "paired");
    const double *m =
        cv->value +
        ((cv->first[cv->choice.min.path] + cv->choice.min.point) * DCPN_MEASURES + cv->measured.chooses) * cv->folds;
    int64_t fewest = INT64_MAX;
    for (int64_t v = 0; v < cv->paths->count; v++) {
        const double *value =
            cv->value + ((cv->first[v] + cv->best[v]) * DCPN_MEASURES + cv->measured.chooses) * cv->folds;
        double total = 0.0, mean = 0.0, squares = 0.0;
        for (int f = 0; f < 5; f++) total += cv->weights[f];
        for (int f = 0; f < 5; f++) mean += cv->weights[f] * (value[f] - m[f]) / total;
        for (int f = 0; f < 5; f++) squares += cv->weights[f] * pow(value[f] - m[f] - mean, 2.0) / total;
        if (mean > PAIRED_ERRORS * sqrt(squares / 4.0)) continue;
        int64_t features = cv->paths->paths[v].points[cv->best[v]].fit.nonzeros;
        if (features < fewest) fewest = features;
    }
    assert_int_equal(cv->paths->paths[cv->choice.chosen.path].points[cv->choice.chosen.point].fit.nonzeros, fewest);
    dcpn_cv_free(cv);
}

/* The rule of a comparison of squares, and its least cost, by hand. */
static void earned_features(void **state)
{
    static const char *const losses[] = {"squared", "logistic"};
    (void)state;
    for (int is_logistic = 0; is_logistic < 2; is_logistic++) {
        dcpn_cv *cv = compare(losses[is_logistic], is_logistic ? "earned" : NULL);
        double least = INFINITY, chosen = NAN;
        assert_string_equal(cv->choice.rule, "earned");
        for (int64_t v = 0; v < cv->paths->count; v++)
            for (int64_t k = 0; k < cv->paths->paths[v].count; k++) {
                double sum = 0.0, rows = 0.0;
                for (int f = 0; f < 5; f++) {
                    sum += cv->weights[f] * cv->value[(cv->first[v] + k) * DCPN_MEASURES * 5 + f];
                    rows += cv->weights[f];
                }
                if (isnan(sum)) continue;
                double cost = (is_logistic ? sum : rows * log(sum / rows)) +
                              2.0 * (double)cv->paths->paths[v].points[k].fit.nonzeros;
                if (v == cv->choice.chosen.path && k == cv->choice.chosen.point) chosen = cost;
                if (cost < least) least = cost;
            }
        assert_true(fabs(chosen - least) < 1e-9 * fabs(least));
        dcpn_cv_free(cv);
    }
}

/* The mean of the measure that chooses, by hand. */
static double mean_at(const dcpn_cv *cv, int64_t path, int64_t point)
{
    const double *value =
        cv->value + ((cv->first[path] + point) * DCPN_MEASURES + cv->measured.chooses) * cv->folds;
    double sum = 0.0, total = 0.0;
    for (int f = 0; f < 5; f++) sum += cv->weights[f] * value[f];
    for (int f = 0; f < 5; f++) total += cv->weights[f];
    return sum / total;
}

/* The features are those of gic, and no other ridge on them has a lower mean. */
static void sized_is_gic_with_the_best_ridge(void **state)
{
    static const char *const losses[] = {"squared", "logistic"};
    (void)state;
    for (int is_logistic = 0; is_logistic < 2; is_logistic++) {
        dcpn_cv *by_gic = compare(losses[is_logistic], "gic"), *cv = compare(losses[is_logistic], "sized");
        const dcpn_cv_choice *gic = &by_gic->choice.chosen, *sized = &cv->choice.chosen;
        const dcpn_path *on = &cv->paths->paths[sized->path];
        assert_int_equal(on->kind, DCPN_PATH_BY_SIZE);
        assert_int_equal(sized->point, gic->point);
        assert_int_equal(on->points[sized->point].fit.nonzeros,
                         by_gic->paths->paths[gic->path].points[gic->point].fit.nonzeros);
        for (int64_t v = gic->path; v < cv->paths->count; v++)
            assert_true(mean_at(cv, sized->path, sized->point) <= mean_at(cv, v, sized->point) * (1.0 + 1e-12));
        dcpn_cv_free(by_gic);
        dcpn_cv_free(cv);
    }
}

static void convex_is_the_best_of_l1(void **state)
{
    (void)state;
    dcpn_cv *cv = compare("logistic", "convex");
    const dcpn_path *l1 = cv->paths->paths;
    assert_string_equal(l1->settings.penalty, "l1");
    assert_int_equal(cv->choice.chosen.path, 0);
    for (int64_t k = 0; k < l1->count; k++) {
        double mean = mean_at(cv, 0, k);
        assert_true(isnan(mean) || mean_at(cv, 0, cv->choice.chosen.point) <= mean * (1.0 + 1e-12));
    }
    dcpn_cv_free(cv);
}

/* What there is no convex penalty to choose from is refused. */
static void convex_needs_a_convex_penalty(void **state)
{
    static const char *const mcp[] = {"mcp"};
    dcpn_problem *problem = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_cv_options options = {.path = {.penalties = mcp, .penalty_count = 1}, .folds = 5, .rule = "convex"};
    dcpn_cv *cv = NULL;
    (void)state;
    assert_int_equal(dcpn_problem_new(context, B, planted.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &options, &cv), DCPN_USAGE);
    assert_null(cv);
    dcpn_problem_free(problem);
}

/* ---- the end at the noise ---- */

/* The standard deviation of the slope along a column of noise: that of the slopes of the rows over sqrt(rows). */
static double noise_at(const dcpn_path *path, const dcpn_path_point *point, int is_logistic)
{
    double u[N], squares = 0.0;
    scores_of(path, point, u);
    for (int64_t i = 0; i < N; i++) {
        double y = is_logistic ? (planted.classes[i] > 2.0 ? 1.0 : -1.0) : planted.numbers[i];
        double slope = is_logistic ? -y / (1.0 + exp(y * u[i])) : u[i] - y;
        squares += slope * slope;
    }
    return sqrt(squares / (double)(N - 1 - point->fit.nonzeros) / N);
}

static dcpn_paths *down_to(double least_noise, int is_logistic)
{
    static const char *const penalties[] = {"l1", "mcp"};
    dcpn_problem *problem = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_path_options options = {.lambda_count = 40,
                                 .min_ratio = 1e-2,
                                 .penalties = penalties,
                                 .penalty_count = 2,
                                 .saturation = 1.0,
                                 .least_noise = least_noise};
    dcpn_paths *paths = NULL;
    settings.loss = is_logistic ? "logistic" : "squared";
    settings.tol = 1e-6;
    settings.ridge = 1e-3;
    settings.global = "off"; /* a search would move points after the end */
    const double *labels = is_logistic ? planted.classes : planted.numbers;
    assert_int_equal(dcpn_problem_new(context, B, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    return paths;
}

/* A path ends after the first lambda below the noise that is asked for, and is the same up to there. */
static void paths_end_at_the_noise(void **state)
{
    const double least = 2.0, shares[] = {PATH_NOISE_CONVEX, 1.0};
    (void)state;
    for (int is_logistic = 0; is_logistic < 2; is_logistic++) {
        dcpn_paths *all = down_to(0.0, is_logistic), *some = down_to(least, is_logistic);
        for (int64_t p = 0; p < 2; p++) {
            const dcpn_path *long_one = &all->paths[p], *short_one = &some->paths[p];
            int64_t count = 1;
            while (long_one->points[count - 1].lambda >=
                   shares[p] * least * noise_at(long_one, &long_one->points[count - 1], is_logistic))
                count++;
            assert_in_range(count, 4, 39);
            assert_int_equal(long_one->count, 40);
            assert_int_equal(short_one->count, count);
            assert_int_equal(short_one->end, DCPN_PATH_NOISE);
        }
        dcpn_paths_free(all);
        dcpn_paths_free(some);
    }
}

static void refusals(void **state)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    static const char *const names[] = {"l1"};
    dcpn_cv *cv = NULL;
    (void)state;
    settings.loss = "huber";
    dcpn_cv_options options = {.rule = "bic"};
    assert_int_equal(dcpn_cv_run(context, of_numbers, &settings, &options, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "a likelihood"));
    options.rule = "2se";
    assert_int_equal(dcpn_cv_run(context, of_numbers, &settings, &options, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "found '2se'"));
    options = (dcpn_cv_options){.compares = 1, .path = {.penalties = names, .penalty_count = 1}};
    assert_int_equal(dcpn_cv_run(context, of_numbers, &settings, &options, &cv), DCPN_USAGE);
    options = (dcpn_cv_options){.most_features = -1};
    assert_int_equal(dcpn_cv_run(context, of_numbers, &settings, &options, &cv), DCPN_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refits_are_stationary),
        cmocka_unit_test(many_classes_keep_features_for_each),
        cmocka_unit_test(no_path_explains_more),
        cmocka_unit_test(a_search_never_ends_higher),
        cmocka_unit_test(the_same_bytes_for_any_threads),
        cmocka_unit_test(files_keep_it),
        cmocka_unit_test(criteria_are_their_formulas),
        cmocka_unit_test(paired_differences),
        cmocka_unit_test(earned_features),
        cmocka_unit_test(sized_is_gic_with_the_best_ridge),
        cmocka_unit_test(convex_is_the_best_of_l1),
        cmocka_unit_test(convex_needs_a_convex_penalty),
        cmocka_unit_test(paths_end_at_the_noise),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("problems.comparison", tests, setup_planted, teardown_planted);
}
