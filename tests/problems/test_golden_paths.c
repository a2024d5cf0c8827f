/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths and cross-validation curves of other programs (tests/golden/README.md): l1 paths of glmnet have to be met at
 * every lambda, and so do its curves; MCP and SCAD paths of ncvreg where F is convex around them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/golden.h"
#include "support/problems_naive.h"

static const double TIGHT = 1e-8, AS_IT_COMES = 1e-4; /* tolerances of dcpn; the second is its default */

static dcpn_context *context;
static json_t *cases;

static int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    cases = golden_load("paths.json");
    return context ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    json_decref(cases);
    dcpn_context_free(context);
    return 0;
}

static double at(const json_t *one, const char *key, size_t k)
{
    return json_number_value(json_array_get(json_object_get(one, key), k));
}

struct loaded {
    dcpn_dataset *data;
    double *weights, *offset, *factors, *lambdas;
    int64_t lambda_count;
    dcpn_problem *problem;
    dcpn_settings settings;
    double shape;
};

static struct loaded load(const json_t *one, double tol)
{
    struct loaded l = {.settings = dcpn_settings_default()};
    char path[4096];
    golden_path(path, golden_text(one, "data"));
    assert_int_equal(dcpn_read_libsvm(context, path, NULL, &l.data), DCPN_OK);
    l.weights = golden_numbers(context, one, "weights", l.data->rows);
    l.offset = golden_numbers(context, one, "offset", l.data->rows);
    l.factors = golden_numbers(context, one, "penalty_factor", l.data->features);
    assert_int_equal(dcpn_problem_new(context, l.data->matrix, l.data->labels, &l.problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(l.problem, l.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(l.problem, l.offset), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty_factors(l.problem, l.factors), DCPN_OK);
    l.lambda_count = (int64_t)json_array_size(json_object_get(one, "lambda"));
    l.lambdas = malloc((size_t)l.lambda_count * sizeof *l.lambdas);
    for (int64_t k = 0; k < l.lambda_count; k++) l.lambdas[k] = at(one, "lambda", (size_t)k);
    l.settings.loss = golden_text(one, "loss");
    l.settings.penalty = golden_text(one, "penalty");
    l.settings.scale = "mean";
    l.settings.shape_units = "raw";
    l.settings.standardize = json_is_true(json_object_get(one, "standardize"));
    l.settings.intercept = json_is_true(json_object_get(one, "intercept"));
    l.settings.ridge = json_number_value(json_object_get(one, "ridge"));
    l.settings.tol = tol;
    l.settings.gamma = l.settings.a = 3.0;
    if (json_is_number(json_object_get(one, "shape")))
        l.settings.gamma = l.settings.a = json_number_value(json_object_get(one, "shape"));
    return l;
}

static void unload(struct loaded *l)
{
    dcpn_problem_free(l->problem);
    dcpn_free(context, l->weights);
    dcpn_free(context, l->offset);
    dcpn_free(context, l->factors);
    dcpn_dataset_free(l->data);
    free(l->lambdas);
}

static int is_of(const json_t *one, const char *software)
{
    return strcmp(golden_text(one, "software"), software) == 0;
}

static void assert_near(const char *id, const char *what, int64_t k, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * fabs(expected)))
        fail_msg("%s: %s at lambda %lld: found %.12g, expected %.12g", id, what, (long long)k, found, expected);
}

static dcpn_paths *fit_paths(const json_t *one, const struct loaded *l)
{
    dcpn_path_options options = {.lambdas = l->lambdas, .lambda_count = l->lambda_count};
    dcpn_paths *paths = NULL;
    if (dcpn_paths_fit(context, l->problem, &l->settings, &options, &paths) != DCPN_OK)
        fail_msg("%s: %s", golden_text(one, "id"), dcpn_last_error(context));
    assert_int_equal(paths->paths[0].count, l->lambda_count);
    /* with factors of 0 glmnet knows its own to 3e-8 */
    assert_near(golden_text(one, "id"), "lambda_max", 0, paths->paths[0].lambda_max, l->lambdas[0], 1e-7);
    return paths;
}

static void check_glmnet_path(const json_t *one, double tol, double tolerance)
{
    struct loaded l = load(one, tol);
    const char *id = golden_text(one, "id");
    dcpn_paths *paths = fit_paths(one, &l);
    for (int64_t k = 0; k < l.lambda_count; k++) {
        const dcpn_path_point *point = &paths->paths[0].points[k];
        double explained = 1.0 - point->deviance / paths->null_deviance;
        assert_int_equal(point->fit.outcome, DCPN_CONVERGED);
        assert_near(id, "objective", k, point->fit.objective, at(one, "objective", (size_t)k), tolerance);
        if (tol > TIGHT) continue;
        assert_near(id, "1 + deviance explained", k, 1.0 + explained, 1.0 + at(one, "explained", (size_t)k), 1e-6);
    }
    dcpn_paths_free(paths);
    unload(&l);
}

static void paths_of_glmnet(void **state)
{
    const json_t *one;
    size_t k;
    (void)state;
    json_array_foreach(cases, k, one) if (is_of(one, "glmnet")) check_glmnet_path(one, TIGHT, 1e-9);
}

static void paths_of_glmnet_as_a_user_sees_them(void **state)
{
    const json_t *one;
    size_t k;
    (void)state;
    json_array_foreach(cases, k, one) if (is_of(one, "glmnet")) check_glmnet_path(one, AS_IT_COMES, 1e-6);
}

/* The standard errors are differences of numbers that nearly agree, and glmnet's own are right to 2e-6. */
static void check_curve(const json_t *one, const dcpn_cv *cv, const char *measure, const json_t *curve,
                        double tolerance)
{
    int m = 0;
    while (strcmp(cv->measured.names[m], measure) != 0) m++;
    for (int64_t k = 0; k < cv->paths->paths[0].count; k++) {
        int64_t at_k = k * DCPN_MEASURES + m;
        assert_near(golden_text(one, "id"), measure, k, cv->mean[at_k], at(curve, "mean", (size_t)k), tolerance);
        assert_near(golden_text(one, "id"), "se", k, cv->se[at_k], at(curve, "se", (size_t)k), 5.0 * tolerance);
    }
    if (m != cv->measured.chooses || !json_object_get(curve, "min")) return;
    assert_int_equal(cv->best[0], json_integer_value(json_object_get(curve, "min")));
    assert_int_equal(cv->one_se[0], json_integer_value(json_object_get(curve, "one_se")));
    assert_int_equal(cv->choice.min.point, cv->best[0]);
    assert_int_equal(cv->choice.sparse.point, cv->one_se[0]);
}

static void check_glmnet_cv(const json_t *one, double tol, double tolerance)
{
    struct loaded l = load(one, tol);
    int64_t *fold_of = malloc((size_t)l.data->rows * sizeof *fold_of);
    for (int64_t i = 0; i < l.data->rows; i++) fold_of[i] = i % 5;
    const json_t *curve;
    const char *measure;
    json_object_foreach(json_object_get(one, "cv"), measure, curve)
    {
        dcpn_cv_options options = {.folds = 5, .fold_of = fold_of, .measure = measure};
        dcpn_cv *cv = NULL;
        options.path.lambdas = l.lambdas;
        options.path.lambda_count = l.lambda_count;
        if (dcpn_cv_run(context, l.problem, &l.settings, &options, &cv) != DCPN_OK)
            fail_msg("%s: %s", golden_text(one, "id"), dcpn_last_error(context));
        check_curve(one, cv, measure, curve, tolerance);
        dcpn_cv_free(cv);
    }
    free(fold_of);
    unload(&l);
}

static void curves_of_glmnet(void **state)
{
    const json_t *one;
    size_t k;
    (void)state;
    json_array_foreach(cases, k, one) if (is_of(one, "glmnet")) check_glmnet_cv(one, TIGHT, 1e-6);
}

/* To the four digits that are printed. */
static void curves_of_glmnet_as_a_user_sees_them(void **state)
{
    const json_t *one;
    size_t k;
    (void)state;
    json_array_foreach(cases, k, one) if (is_of(one, "glmnet")) check_glmnet_cv(one, AS_IT_COMES, 1e-4);
}

/* Where F is convex around the path it is the same path; elsewhere there are many, and none of the other program's may
 * be lower. */
static void check_ncvreg_path(const json_t *one)
{
    struct loaded l = load(one, TIGHT);
    const char *id = golden_text(one, "id");
    dcpn_paths *paths = fit_paths(one, &l);
    for (int64_t k = 0; k < l.lambda_count; k++) {
        const dcpn_path_point *point = &paths->paths[0].points[k];
        double objective = point->fit.objective, expected = at(one, "objective", (size_t)k);
        assert_int_equal(point->fit.outcome, DCPN_CONVERGED);
        if (!(objective <= (1.0 + 1e-9) * expected))
            fail_msg("%s: objective at lambda %lld: found %.12g, expected at most %.12g", id, (long long)k, objective,
                     expected);
        if (!json_is_true(json_array_get(json_object_get(one, "convex"), (size_t)k))) {
            /* the first one beyond ncvreg's convex.min, and those after it */
            if (fabs(objective - expected) <= 1e-9 * expected) assert_int_equal(point->is_locally_convex, 0);
            continue;
        }
        assert_int_equal(point->is_locally_convex, 1);
        assert_near(id, "objective", k, objective, expected, 1e-9);
        if (k > 0)
            assert_int_equal(point->fit.nonzeros, (int64_t)at(one, "nnz", (size_t)k)); /* 0: lambda_max, rounded */
    }
    dcpn_paths_free(paths);
    unload(&l);
}

static void paths_of_ncvreg(void **state)
{
    const json_t *one;
    size_t k;
    (void)state;
    json_array_foreach(cases, k, one) if (is_of(one, "ncvreg")) check_ncvreg_path(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_glmnet),  cmocka_unit_test(paths_of_glmnet_as_a_user_sees_them),
        cmocka_unit_test(curves_of_glmnet), cmocka_unit_test(curves_of_glmnet_as_a_user_sees_them),
        cmocka_unit_test(paths_of_ncvreg),
    };
    return cmocka_run_group_tests_name("problems.golden_paths", tests, setup, teardown);
}
