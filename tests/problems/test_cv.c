/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation: a fold is the fit to the other rows, measured by naive code; choices; stability selection finds
 * planted features. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_cv.h"

/* ---- by hand ---- */

/* The rows outside (or in) a fold, with weights that sum to those of all. */
static struct problems_data rows_of(const int64_t *fold_of, int64_t fold, int is_in)
{
    struct problems_data part = problems_data_copy(&data);
    double all = 0.0, some = 0.0;
    part.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        all += data.weights[i];
        if ((fold_of[i] == fold) != is_in) continue;
        memcpy(part.A + part.rows * COLUMNS, data.A + i * COLUMNS, COLUMNS * sizeof(double));
        part.classes[part.rows] = data.classes[i];
        part.numbers[part.rows] = data.numbers[i];
        part.offset[part.rows] = data.offset[i];
        part.weights[part.rows++] = data.weights[i];
        some += data.weights[i];
    }
    for (int64_t i = 0; i < part.rows; i++) part.weights[i] *= all / some;
    for (int64_t j = 0; j < COLUMNS; j++) part.factors[j] = 1.0;
    return part;
}

static void score(const struct problems_data *rows, const struct problems_fit *fit, double *u)
{
    for (int64_t i = 0; i < rows->rows; i++) {
        u[i] = fit->intercept + rows->offset[i];
        for (int64_t j = 0; j < COLUMNS; j++) u[i] += rows->A[i * COLUMNS + j] * fit->x[j];
    }
}

static double naive_auc(const struct problems_data *rows, const double *u)
{
    double right = 0.0, pairs = 0.0;
    for (int64_t i = 0; i < rows->rows; i++)
        for (int64_t k = 0; k < rows->rows; k++) {
            if (rows->classes[i] != 3.0 || rows->classes[k] != 1.0) continue;
            double weight = rows->weights[i] * rows->weights[k];
            pairs += weight;
            right += weight * (u[i] > u[k] ? 1.0 : u[i] == u[k] ? 0.5 : 0.0);
        }
    return right / pairs;
}

static void naive_measures(const struct problems_data *rows, const double *u, int classes, double measures[3])
{
    double total = 0.0;
    measures[0] = measures[1] = measures[2] = 0.0;
    for (int64_t i = 0; i < rows->rows; i++) {
        double w = rows->weights[i], y = rows->classes[i] == 3.0 ? 1.0 : -1.0, r = rows->numbers[i] - u[i];
        total += w;
        measures[0] += w * (classes ? 2.0 * log(1.0 + exp(-y * u[i])) : r * r);
        measures[1] += w * (classes ? (double)(y * u[i] <= 0.0) : r * r);
        measures[2] += w * fabs(r);
    }
    for (int m = 0; m < 3; m++) measures[m] /= total;
    if (classes) measures[2] = naive_auc(rows, u);
}

/* At the points that were chosen, the scores u of the rows of a fold are those of the cross-validation. */
static void check_held_out(const dcpn_cv *cv, int64_t point, int64_t fold, const double *u)
{
    const dcpn_cv_choice *const choices[3] = {&cv->choice.min, &cv->choice.sparse, &cv->choice.chosen};
    const dcpn_held_out *out = cv->held_out;
    int64_t next = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        if (out->fold[i] != fold) continue;
        for (int rule = 0; rule < 3; rule++)
            if (choices[rule]->point == point) problems_assert_close(out->score[rule][i], u[next], 1e-6, "held out");
        next++;
    }
    assert_int_equal(next, cv->sizes[fold]);
}

static void check_by_hand(const dcpn_problem *problem, const dcpn_settings *settings)
{
    int classes = strcmp(settings->loss, "logistic") == 0;
    int64_t fold_of[ROWS];
    double u[ROWS], by_hand[3];
    for (int64_t i = 0; i < ROWS; i++) fold_of[i] = (i * 7 + i / 9) % FOLDS;
    dcpn_cv_options options = {.folds = FOLDS, .fold_of = fold_of};
    options.path.lambda_count = LAMBDAS;
    options.path.min_ratio = 0.05;
    dcpn_cv *cv = cv_of(problem, settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) {
        struct problems_data train = rows_of(fold_of, f, 0), test = rows_of(fold_of, f, 1);
        assert_int_equal(cv->sizes[f], test.rows);
        for (int64_t k = 0; k < LAMBDAS; k++) {
            dcpn_settings one = *settings;
            one.lambda = cv->paths->paths[0].points[k].lambda;
            struct problems_fit fit = problems_solve(context, &train, PROBLEMS_ROW_MAJOR, &one, NULL);
            score(&test, &fit, u);
            check_held_out(cv, k, f, u);
            naive_measures(&test, u, classes, by_hand);
            for (int m = 0; m < 3; m++)
                problems_assert_close(cv->value[(k * DCPN_MEASURES + m) * FOLDS + f], by_hand[m], 1e-6,
                                      cv->measured.names[m]);
            problems_fit_free(&fit);
        }
        problems_data_free(&train);
        problems_data_free(&test);
    }
    dcpn_cv_free(cv);
}

static void folds_are_fits_to_the_other_rows(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    (void)state;
    settings.tol = 1e-10;
    settings.ridge = 0.3;
    settings.intercept = 1;
    check_by_hand(of_classes, &settings); /* the scale is the sum: lambda has to mean the same in a fold */
    settings.scale = "mean";
    check_by_hand(of_classes, &settings);
    settings.loss = "squared";
    settings.standardize = 1;
    check_by_hand(of_numbers, &settings);
}

/* ---- choices ---- */

/* Rows without a label are in every training part and in no measure: without a weight they change nothing at all. */
static void unlabelled_rows_are_not_measured(void **state)
{
    struct problems_data all = problems_data_copy(&data), some = problems_data_copy(&data);
    int64_t fold_of_all[ROWS], fold_of_some[ROWS];
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = FOLDS, .fold_of = fold_of_all};
    dcpn_problem *problems[2];
    dcpn_matrix *matrices[2];
    dcpn_cv *cvs[2];
    (void)state;
    some.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        fold_of_all[i] = (i / 2) % FOLDS;
        if (i % 3 == 1) {
            all.classes[i] = NAN;
            continue;
        }
        fold_of_some[some.rows] = fold_of_all[i];
        memcpy(some.A + some.rows * COLUMNS, all.A + i * COLUMNS, COLUMNS * sizeof(double));
        some.weights[some.rows] = all.weights[i];
        some.classes[some.rows++] = all.classes[i];
    }
    settings.scale = "mean";
    settings.unlabelled_weight = 0.0;
    settings.tol = 1e-8;
    options.path.lambda_count = LAMBDAS;
    options.path.min_ratio = 0.05;
    for (int k = 0; k < 2; k++) {
        const struct problems_data *one = k ? &some : &all;
        matrices[k] = problems_matrix(context, one, PROBLEMS_CSR);
        assert_int_equal(dcpn_problem_new(context, matrices[k], one->classes, &problems[k]), DCPN_OK);
        assert_int_equal(dcpn_problem_set_weights(problems[k], one->weights), DCPN_OK);
        options.fold_of = k ? fold_of_some : fold_of_all;
        cvs[k] = cv_of(problems[k], &settings, &options);
    }
    for (int64_t f = 0; f < FOLDS; f++) {
        assert_int_equal(cvs[0]->sizes[f], cvs[1]->sizes[f]);
        for (int64_t at = 0; at < LAMBDAS * DCPN_MEASURES; at++)
            problems_assert_close(cvs[0]->value[at * FOLDS + f], cvs[1]->value[at * FOLDS + f], 1e-5, "measure");
    }
    for (int k = 0; k < 2; k++) dcpn_cv_free(cvs[k]);
    options.fold_of = NULL; /* drawn, and subsamples too */
    options.subsamples = 4;
    dcpn_cv_free(cv_of(problems[0], &settings, &options));
    for (int k = 0; k < 2; k++) {
        dcpn_problem_free(problems[k]);
        dcpn_matrix_free(matrices[k]);
    }
    problems_data_free(&all);
    problems_data_free(&some);
}

/* -1, 0 and 1 as measurements: all rows are in a fold. */
static void a_regression_has_labels_of_0(void **state)
{
    double labels[ROWS];
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    const dcpn_cv_options options = {
        .folds = FOLDS, .subsamples = 4, .path = {.lambda_count = LAMBDAS, .min_ratio = 0.1}};
    const dcpn_grid_options grid = {.folds = FOLDS};
    dcpn_grid_selection *selection;
    int64_t rows = 0;
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) labels[i] = (double)(i % 3 - 1);
    dcpn_problem *problem = problem_of(labels);
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) rows += cv->sizes[f];
    assert_int_equal(rows, ROWS);
    dcpn_cv_free(cv);
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &grid, &selection), DCPN_OK);
    assert_false(selection->has_weights);
    dcpn_grid_selection_free(selection);
    dcpn_problem_free(problem);
}

static void means_errors_and_choices(void **state)
{
    static const char *const penalties[] = {"l1", "mcp"};
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .seed = 3, .patience = -1};
    (void)state;
    options.path.lambda_count = 12;
    options.path.penalties = penalties;
    options.path.penalty_count = 2;
    settings.ridge = 0.1;
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    double least = INFINITY;
    int64_t points = cv->first[2];
    for (int64_t k = 0; k < points; k++) {
        const double *value = cv->value + k * DCPN_MEASURES * 5;
        double total = 0.0, mean = 0.0, squares = 0.0;
        for (int f = 0; f < 5; f++) total += cv->weights[f];
        for (int f = 0; f < 5; f++) mean += cv->weights[f] * value[f] / total;
        for (int f = 0; f < 5; f++) squares += cv->weights[f] * (value[f] - mean) * (value[f] - mean) / total;
        problems_assert_close(cv->mean[k * DCPN_MEASURES], mean, 1e-12, "mean");
        problems_assert_close(cv->se[k * DCPN_MEASURES], sqrt(squares / 4.0), 1e-9, "standard error");
        least = fmin(least, cv->mean[k * DCPN_MEASURES]);
    }
    assert_true(cv->choice.min.mean == least);
    assert_true(cv->choice.sparse.mean <= least + cv->choice.min.se);
    assert_true(cv->paths->paths[cv->choice.sparse.path].points[cv->choice.sparse.point].fit.nonzeros <=
                cv->paths->paths[cv->choice.min.path].points[cv->choice.min.point].fit.nonzeros);
    for (int64_t v = 0; v < 2; v++) assert_true(cv->one_se[v] <= cv->best[v]);
    dcpn_cv_free(cv);
}

/* Where nothing is kept, all scores are the same, and each pair counts half. */
static void ties_count_half(void **state)
{
    static const double lambdas[] = {1e6};
    dcpn_problem *problem = NULL;
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = FOLDS, .measure = "auc"};
    (void)state;
    options.path.lambdas = lambdas;
    options.path.lambda_count = 1;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    for (int64_t f = 0; f < FOLDS; f++) assert_true(cv->value[cv->measured.chooses * FOLDS + f] == 0.5);
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
}

/* The largest lambda whose mean is within one standard error of the best one's. */
static void one_se_is_one(void **state)
{
    int moved = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
        dcpn_cv_options options = {.folds = FOLDS, .seed = seed};
        options.path.lambda_count = 40;
        options.path.min_ratio = 0.01;
        dcpn_cv *cv = cv_of(of_classes, &settings, &options);
        int64_t points = cv->paths->paths[0].count, best = 0, first = 0;
        const double *mean = cv->mean + cv->measured.chooses, *se = cv->se + cv->measured.chooses;
        for (int64_t k = 0; k < points; k++)
            if (mean[k * DCPN_MEASURES] < mean[best * DCPN_MEASURES]) best = k;
        while (mean[first * DCPN_MEASURES] > mean[best * DCPN_MEASURES] + se[best * DCPN_MEASURES]) first++;
        assert_int_equal(cv->best[0], best);
        assert_int_equal(cv->one_se[0], first);
        moved += first > 0 && first < best;
        dcpn_cv_free(cv);
    }
    assert_true(moved > 2);
}

static void the_greatest_auc_is_the_best(void **state)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 3, .measure = "auc", .rule = "min", .patience = -1};
    (void)state;
    options.path.lambda_count = 10;
    dcpn_cv *cv = cv_of(of_classes, &settings, &options);
    for (int64_t k = 0; k < cv->first[1]; k++) assert_true(cv->mean[k * DCPN_MEASURES + 2] <= cv->choice.min.mean);
    assert_string_equal(cv->choice.rule, "min");
    dcpn_cv_free(cv);
}

/* ---- stability ---- */

static void planted_features_are_stable(void **state)
{
    enum { N = 200, P = 30 };
    struct problems_data planted = problems_data_new(N, P, 1.0, 5);
    dcpn_settings settings = problems_settings("squared", "l1", NULL, NULL);
    dcpn_cv_options options = {.folds = 5, .subsamples = 40, .rule = "1se"};
    dcpn_problem *problem = NULL;
    (void)state;
    problems_data_plain(&planted);
    for (int64_t i = 0; i < N; i++) /* three features matter */
        planted.numbers[i] = 0.3 * planted.numbers[i] / 10.0 + planted.A[i * P + 4] - planted.A[i * P + 11] +
                             2.0 * planted.A[i * P + 20];
    dcpn_matrix *B = problems_matrix(context, &planted, PROBLEMS_COLUMN_MAJOR);
    assert_int_equal(dcpn_problem_new(context, B, planted.numbers, &problem), DCPN_OK);
    options.path.lambda_count = 20;
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    const dcpn_stability *s = cv->stability;
    assert_non_null(s);
    int64_t found = 0;
    double sum = 0.0;
    for (int64_t k = 0; k < s->count; k++) {
        assert_true(s->frequency[k] > 0.0 && s->frequency[k] <= 1.0);
        sum += s->frequency[k];
        if (s->index[k] == 4 || s->index[k] == 11 || s->index[k] == 20) found += s->frequency[k] == 1.0;
    }
    assert_int_equal(found, 3);
    problems_assert_close(s->mean_selected, sum, 1e-12, "mean selected");
    problems_assert_close(s->bound, sum * sum / (2.0 * 0.75 - 1.0) / P, 1e-12, "bound");
    assert_int_equal(s->pairs, 20);
    problems_assert_close(s->sharper_bound, sum * sum / P / (2.0 * (0.5 - 1.0 / 40.0)), 1e-12, "sharper bound");
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(B);
    problems_data_free(&planted);
}

/* Groups of 5, but for the last 5 features: what is counted are groups and these. */
static void planted_groups_are_stable(void **state)
{
    enum { N = 150, P = 30, SIZE = 5, GROUPS = 5 };
    int64_t start[GROUPS + 1], member[GROUPS * SIZE];
    struct problems_data planted = problems_data_new(N, P, 1.0, 6);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    dcpn_cv_options options = {.folds = 4, .subsamples = 30, .rule = "1se"};
    dcpn_problem *problem = NULL;
    (void)state;
    problems_data_plain(&planted);
    for (int64_t g = 0; g <= GROUPS; g++) start[g] = g * SIZE;
    for (int64_t k = 0; k < GROUPS * SIZE; k++) member[k] = (7 * k) % (GROUPS * SIZE); /* apart in the data */
    for (int64_t i = 0; i < N; i++) {
        const double *row = planted.A + i * P;
        planted.numbers[i] =
            0.05 * planted.numbers[i] + row[member[5]] - row[member[6]] + 2.0 * row[member[18]] + 2.0 * row[27];
    }
    dcpn_matrix *B = problems_matrix(context, &planted, PROBLEMS_COLUMN_MAJOR);
    assert_int_equal(dcpn_problem_new(context, B, planted.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    options.path.lambda_count = 15;
    dcpn_cv *cv = cv_of(problem, &settings, &options);
    const dcpn_stability *s = cv->stability;
    double of[P] = {0.0}, sum = 0.0;
    assert_non_null(s);
    assert_int_equal(s->groups, GROUPS);
    for (int64_t k = 0; k < s->count; k++) of[s->index[k]] = s->frequency[k];
    for (int64_t g = 0; g < GROUPS; g++) {
        for (int64_t k = start[g]; k < start[g + 1]; k++)
            assert_true(of[member[k]] == s->group_frequency[g]); /* all or none */
        sum += s->group_frequency[g];
    }
    for (int64_t j = GROUPS * SIZE; j < P; j++) sum += of[j];
    assert_true(s->group_frequency[1] == 1.0 && s->group_frequency[3] == 1.0 && of[27] == 1.0);
    problems_assert_close(s->mean_selected, sum, 1e-12, "mean selected");
    problems_assert_close(s->bound, 2.0 * sum * sum / (GROUPS + P - GROUPS * SIZE), 1e-12, "bound");
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(B);
    problems_data_free(&planted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_fits_to_the_other_rows),
        cmocka_unit_test(unlabelled_rows_are_not_measured),
        cmocka_unit_test(a_regression_has_labels_of_0),
        cmocka_unit_test(means_errors_and_choices),
        cmocka_unit_test(ties_count_half),
        cmocka_unit_test(one_se_is_one),
        cmocka_unit_test(the_greatest_auc_is_the_best),
        cmocka_unit_test(planted_features_are_stable),
        cmocka_unit_test(planted_groups_are_stable),
    };
    return cmocka_run_group_tests_name("problems.cv", tests, setup, teardown);
}
