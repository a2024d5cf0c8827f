/* SPDX-License-Identifier: BSD-3-Clause */
/* Several responses: optima of scikit-learn, responses one by one, F and its certificate recomputed by plain loops,
 * weights as repetitions, paths, cross-validation, files. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "scratch.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 40, COLUMNS = 7, RESPONSES = 3 };

static double A[ROWS * COLUMNS], Y[RESPONSES * ROWS], weights[ROWS], offset[ROWS];

/* Numbers that any language makes alike. */
static void make_data(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            A[i * COLUMNS + j] = (double)((i * 37 + j * 53 + i * j * 11) % 97) / 48.5 - 1.0;
    for (int k = 0; k < RESPONSES; k++)
        for (int i = 0; i < ROWS; i++)
            Y[k * ROWS + i] = (double)((i * 29 + k * 17 + i * k * 5) % 89) / 44.5 - 1.0 +
                              (k + 1) * A[i * COLUMNS + k] - 0.5 * A[i * COLUMNS + 3];
    for (int i = 0; i < ROWS; i++) weights[i] = (double)(i % 3);
    for (int i = 0; i < ROWS; i++) offset[i] = 0.25 * (double)(i % 5) - 0.5;
}

static dcpn_matrix *matrix_of(const double *entries, int64_t rows)
{
    dcpn_matrix *matrix = NULL;
    assert_int_equal(dcpn_matrix_dense(context, rows, COLUMNS, entries, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS,
                                       DCPN_BORROW, &matrix),
                     DCPN_OK);
    return matrix;
}

struct data {
    dcpn_matrix *matrix;
    dcpn_problem *problem;
};

static struct data data_of(const double *entries, const double *responses, int64_t rows, int64_t count)
{
    struct data data = {.matrix = matrix_of(entries, rows)};
    assert_int_equal(dcpn_problem_new(context, data.matrix, responses, &data.problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_responses(data.problem, count, responses), DCPN_OK);
    return data;
}

static void data_free(struct data *data)
{
    dcpn_problem_free(data->problem);
    dcpn_matrix_free(data->matrix);
}

static dcpn_settings settings_for(const char *loss, const char *penalty, const char *grouping, double lambda)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.class_grouping = grouping;
    settings.lambda = lambda;
    settings.intercept = 1;
    settings.scale = "mean";
    settings.tol = 1e-11;
    return settings;
}

static dcpn_solver *solve(const dcpn_problem *problem, const dcpn_settings *settings)
{
    dcpn_solver *solver = NULL;
    dcpn_status status = dcpn_solver_new(context, problem, settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return solver;
}

/* ---- F and the certificate, as a textbook has them ---- */

struct naive {
    long double loss, penalty, gradient[RESPONSES * COLUMNS], intercepts[RESPONSES], stationarity;
};

/* The loss of one number and its slope: squared or Poisson. */
static long double loss_at(const char *loss, long double u, long double y, long double *slope)
{
    int is_squared = strcmp(loss, "squared") == 0;
    *slope = is_squared ? u - y : expl(u) - y;
    return is_squared ? (u - y) * (u - y) / 2.0L : expl(u) - y * u;
}

static void add_row(const dcpn_settings *s, const double *y, const double *x, const double *constants, int i,
                    long double w, struct naive *naive)
{
    for (int k = 0; k < RESPONSES; k++) {
        long double u = (long double)constants[k] + offset[i], slope;
        for (int j = 0; j < COLUMNS; j++) u += (long double)A[i * COLUMNS + j] * x[k * COLUMNS + j];
        naive->loss += w * loss_at(s->loss, u, y[k * ROWS + i], &slope);
        naive->intercepts[k] += w * slope;
        for (int j = 0; j < COLUMNS; j++) naive->gradient[k * COLUMNS + j] += w * slope * A[i * COLUMNS + j];
    }
}

static void add_block(const dcpn_settings *s, const double *x, const int *members, int count, struct naive *naive)
{
    long double t = 0.0L, sum = 0.0L;
    for (int m = 0; m < count; m++) t += (long double)x[members[m]] * x[members[m]];
    t = sqrtl(t);
    long double slope = problems_penalty_slope(s, s->lambda, t, 1);
    naive->penalty += problems_penalty(s, s->lambda, t);
    for (int m = 0; m < count; m++) {
        long double g = naive->gradient[members[m]] + (t > 0.0L ? slope * x[members[m]] / t : 0.0L);
        sum += g * g;
    }
    long double violation = t > 0.0L ? sqrtl(sum) : fmaxl(0.0L, sqrtl(sum) - slope);
    naive->stationarity = fmaxl(naive->stationarity, violation);
}

static struct naive naive_of(const dcpn_settings *s, const double *y, const double *x, const double *constants)
{
    struct naive naive = {0};
    long double total = 0.0L;
    for (int i = 0; i < ROWS; i++) total += weights[i];
    for (int i = 0; i < ROWS; i++) add_row(s, y, x, constants, i, weights[i] / total, &naive);
    for (int k = 0; k < RESPONSES * COLUMNS; k++) {
        naive.loss += (long double)s->ridge / 2.0L * x[k] * x[k];
        naive.gradient[k] += (long double)s->ridge * x[k];
    }
    for (int j = 0; j < COLUMNS; j++) {
        const int members[RESPONSES] = {j, COLUMNS + j, 2 * COLUMNS + j};
        if (strcmp(s->class_grouping, "row") == 0) add_block(s, x, members, RESPONSES, &naive);
        for (int k = 0; k < RESPONSES && strcmp(s->class_grouping, "entry") == 0; k++)
            add_block(s, x, members + k, 1, &naive);
    }
    for (int k = 0; k < RESPONSES; k++) naive.stationarity = fmaxl(naive.stationarity, fabsl(naive.intercepts[k]));
    return naive;
}

static void check(const char *loss, const char *penalty, const char *grouping, double lambda)
{
    double counts[RESPONSES * ROWS];
    char what[120];
    snprintf(what, sizeof what, "%s %s %s", loss, penalty, grouping);
    for (int i = 0; i < RESPONSES * ROWS; i++)
        counts[i] = strcmp(loss, "poisson") == 0 ? floor(fabs(2.0 * Y[i])) : Y[i];
    struct data data = data_of(A, counts, ROWS, RESPONSES);
    dcpn_settings settings = settings_for(loss, penalty, grouping, lambda);
    settings.ridge = 0.01;
    settings.tol = 1e-9;
    assert_int_equal(dcpn_problem_set_weights(data.problem, weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(data.problem, offset), DCPN_OK);
    dcpn_solver *solver = solve(data.problem, &settings);
    const dcpn_result *result = dcpn_solver_result(solver);
    struct naive naive =
        naive_of(&settings, counts, dcpn_solver_coefficients(solver), dcpn_solver_intercepts(solver));
    if (result->outcome != DCPN_CONVERGED) fail_msg("%s: %s", what, dcpn_outcome_name(result->outcome));
    problems_assert_close(result->objective, (double)(naive.loss + naive.penalty), 1e-12, what);
    if (!(fabsl(naive.stationarity - result->stationarity) <= 1e-12L))
        fail_msg("%s: stationarity %g, recomputed %Lg", what, result->stationarity, naive.stationarity);
    assert_true(result->nonzeros > 0);
    dcpn_solver_free(solver);
    data_free(&data);
}

static void objective_and_certificate_are_those_of_the_data(void **state)
{
    static const char *const penalties[] = {"l1", "mcp", "scad", "capped-l1", "log"};
    (void)state;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (int by_row = 0; by_row < 2; by_row++) {
            check("squared", penalties[p], by_row ? "row" : "entry", 0.15);
            check("poisson", penalties[p], by_row ? "row" : "entry", 0.2);
        }
}

/* MultiTaskLasso and Lasso of scikit-learn 1.9.1, to 1e-15. */
static void optima_of_scikit_learn(void **state)
{
    static const struct {
        const char *grouping;
        double lambda, F;
        int64_t features;
    } known[] = {{"row", 0.05, 0.7826036417820214, 6},
                 {"entry", 0.05, 0.8144747105051926, 8},
                 {"row", 0.2, 1.587331526043565, 4},
                 {"entry", 0.2, 1.6170609883736078, 3}};
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        dcpn_settings settings = settings_for("squared", "l1", known[i].grouping, known[i].lambda);
        dcpn_solver *solver = solve(data.problem, &settings);
        problems_assert_close(dcpn_solver_result(solver)->objective, known[i].F, 1e-12, known[i].grouping);
        int64_t each = strcmp(known[i].grouping, "row") == 0 ? RESPONSES : 1;
        assert_int_equal(dcpn_solver_result(solver)->nonzeros, each * known[i].features);
        dcpn_solver_free(solver);
    }
    data_free(&data);
}

/* Without groups nothing ties the responses together. */
static void responses_are_those_of_single_fits(void **state)
{
    static const char *const metrics[] = {"hessian", "lbfgs", "identity-backtracked"};
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    (void)state;
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        dcpn_settings settings = settings_for("huber", "l1", "entry", 0.1);
        settings.metric = metrics[m];
        settings.max_iter = 1000000;
        settings.tol = 1e-9;
        dcpn_solver *all = solve(data.problem, &settings);
        for (int k = 0; k < RESPONSES; k++) {
            struct data one = data_of(A, Y + k * ROWS, ROWS, 1);
            dcpn_solver *single = solve(one.problem, &settings);
            for (int j = 0; j < COLUMNS; j++)
                assert_true(fabs(dcpn_solver_coefficients(single)[j] -
                                 dcpn_solver_coefficients(all)[k * COLUMNS + j]) < 1e-6);
            assert_true(fabs(dcpn_solver_intercept(single) - dcpn_solver_intercepts(all)[k]) < 1e-6);
            dcpn_solver_free(single);
            data_free(&one);
        }
        dcpn_solver_free(all);
    }
    data_free(&data);
}

static void weights_are_repetitions(void **state)
{
    double entries[2 * ROWS * COLUMNS], responses[2 * RESPONSES * ROWS];
    int64_t rows = 0;
    (void)state;
    for (int i = 0; i < ROWS; i++) rows += (int64_t)weights[i];
    for (int64_t i = 0, at = 0; i < ROWS; i++)
        for (int copy = 0; copy < (int)weights[i]; copy++, at++) {
            memcpy(entries + at * COLUMNS, A + i * COLUMNS, COLUMNS * sizeof *A);
            for (int k = 0; k < RESPONSES; k++) responses[k * rows + at] = Y[k * ROWS + i];
        }
    struct data weighted = data_of(A, Y, ROWS, RESPONSES), repeated = data_of(entries, responses, rows, RESPONSES);
    assert_int_equal(dcpn_problem_set_weights(weighted.problem, weights), DCPN_OK);
    for (int by_row = 0; by_row < 2; by_row++) {
        dcpn_settings settings = settings_for("squared", "mcp", by_row ? "row" : "entry", 0.2);
        settings.standardize = 1;
        dcpn_solver *a = solve(weighted.problem, &settings), *b = solve(repeated.problem, &settings);
        for (int k = 0; k < RESPONSES * COLUMNS; k++)
            assert_true(fabs(dcpn_solver_coefficients(a)[k] - dcpn_solver_coefficients(b)[k]) < 1e-9);
        dcpn_solver_free(a);
        dcpn_solver_free(b);
    }
    data_free(&weighted);
    data_free(&repeated);
}

/* ---- paths, folds, files ---- */

/* At the first lambda nothing is kept, and the null deviance is the sum of squares about the means. */
static void paths_begin_with_the_means(void **state)
{
    dcpn_paths *paths = NULL;
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    dcpn_settings settings = settings_for("squared", "l1", "row", 1.0);
    const dcpn_path_options options = {.lambda_count = 8, .min_ratio = 0.05, .saturation = 1.0};
    double squares = 0.0;
    (void)state;
    assert_int_equal(dcpn_paths_fit(context, data.problem, &settings, &options, &paths), DCPN_OK);
    for (int k = 0; k < RESPONSES; k++) {
        double mean = 0.0;
        for (int i = 0; i < ROWS; i++) mean += Y[k * ROWS + i] / ROWS;
        for (int i = 0; i < ROWS; i++) squares += pow(Y[k * ROWS + i] - mean, 2.0);
    }
    problems_assert_close(paths->null_deviance, squares, 1e-12, "null deviance");
    assert_true(paths->labels.are_responses);
    assert_int_equal(paths->labels.count, RESPONSES);
    assert_int_equal(paths->paths[0].points[0].fit.nonzeros, 0);
    assert_true(paths->paths[0].points[1].fit.nonzeros > 0);
    assert_true(isnan(dcpn_paths_mfdr(paths, 0, 3)));
    dcpn_paths_free(paths);
    data_free(&data);
}

/* The measure of a fold is the mean of squared errors over its rows and all responses, by plain loops. */
static void folds_measure_all_responses(void **state)
{
    int64_t fold_of[ROWS];
    double lambda = 0.1, expected = 0.0, entries[ROWS * COLUMNS], responses[RESPONSES * ROWS];
    dcpn_cv *cv = NULL;
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    dcpn_settings settings = settings_for("squared", "l1", "row", 1.0);
    (void)state;
    for (int i = 0; i < ROWS; i++) fold_of[i] = i % 2;
    const dcpn_cv_options options = {
        .path = {.lambdas = &lambda, .lambda_count = 1}, .folds = 2, .fold_of = fold_of, .measure = "mse"};
    assert_int_equal(dcpn_cv_run(context, data.problem, &settings, &options, &cv), DCPN_OK);
    for (int fold = 0; fold < 2; fold++) {
        for (int i = 0; i < ROWS / 2; i++) {
            int from = 2 * i + 1 - fold;
            memcpy(entries + i * COLUMNS, A + from * COLUMNS, COLUMNS * sizeof *A);
            for (int k = 0; k < RESPONSES; k++) responses[k * ROWS / 2 + i] = Y[k * ROWS + from];
        }
        struct data half = data_of(entries, responses, ROWS / 2, RESPONSES);
        settings.lambda = lambda;
        dcpn_solver *solver = solve(half.problem, &settings);
        for (int i = 0; i < ROWS / 2; i++)
            for (int k = 0; k < RESPONSES; k++) {
                double u = dcpn_solver_intercepts(solver)[k];
                for (int j = 0; j < COLUMNS; j++)
                    u += A[(2 * i + fold) * COLUMNS + j] * dcpn_solver_coefficients(solver)[k * COLUMNS + j];
                expected += pow(u - Y[k * ROWS + 2 * i + fold], 2.0) / (ROWS * RESPONSES);
            }
        dcpn_solver_free(solver);
        data_free(&half);
    }
    problems_assert_close(cv->choice.chosen.mean, expected, 1e-8, "mse");
    assert_null(cv->held_out);
    dcpn_cv_free(cv);
    data_free(&data);
}

static void models_keep_their_names(void **state)
{
    static const char *const names[] = {"bread", "rent", "a, \"b\""};
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    dcpn_settings settings = settings_for("squared", "mcp", "entry", 0.1);
    dcpn_solver *solver = solve(data.problem, &settings);
    dcpn_model *model = NULL, *read = NULL;
    double scores[RESPONSES * ROWS], labels[RESPONSES * ROWS], mse = 0.0;
    dcpn_quality quality;
    (void)state;
    assert_int_equal(dcpn_model_new(solver, 1, &model), DCPN_OK);
    assert_true(model->labels.are_responses);
    assert_int_equal(dcpn_model_write(model, "numbers.json"), DCPN_OK);
    assert_int_equal(dcpn_model_set_responses(model, names), DCPN_OK);
    assert_int_equal(dcpn_model_write(model, "model.json"), DCPN_OK);
    assert_int_equal(dcpn_model_read(context, "model.json", &read), DCPN_OK);
    for (int k = 0; k < RESPONSES; k++) assert_string_equal(read->labels.names[k], names[k]);
    assert_memory_equal(read->value, model->value, (size_t)model->nonzeros * sizeof(double));
    assert_int_equal(dcpn_model_scores(read, data.matrix, NULL, scores), DCPN_OK);
    assert_int_equal(dcpn_model_labels(read, scores, ROWS, labels), DCPN_OK);
    assert_memory_equal(scores, labels, sizeof scores);
    assert_int_equal(dcpn_model_quality(read, Y, scores, ROWS, &quality), DCPN_OK);
    for (int i = 0; i < RESPONSES * ROWS; i++) mse += pow(scores[i] - Y[i], 2.0) / (RESPONSES * ROWS);
    problems_assert_close(quality.mse, mse, 1e-12, "mse");
    assert_int_equal(dcpn_model_write_liblinear(read, "model.txt"), DCPN_USAGE);
    dcpn_model_free(read);
    assert_int_equal(dcpn_model_read(context, "numbers.json", &read), DCPN_OK);
    assert_null(read->labels.names);
    assert_true(read->labels.numbers[2] == 3.0);
    dcpn_model_free(read);
    dcpn_model_free(model);
    dcpn_solver_free(solver);
    data_free(&data);
}

static void refuse(const dcpn_problem *problem, const dcpn_settings *settings, const char *sentence)
{
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), sentence));
}

static void what_does_not_go_together_is_refused(void **state)
{
    static const int64_t start[] = {0, 2}, member[] = {0, 1};
    struct data data = data_of(A, Y, ROWS, RESPONSES);
    dcpn_settings settings = settings_for("logistic", "l1", "row", 0.1);
    double broken[RESPONSES * ROWS];
    (void)state;
    refuse(data.problem, &settings, "they need a loss of numbers");
    settings.loss = "welsch";
    refuse(data.problem, &settings, "the median of one response");
    settings.loss = "squared";
    settings.sums = "exact";
    refuse(data.problem, &settings, "--sums exact");
    settings.sums = "plain";
    settings.global = "path";
    settings.penalty = "mcp";
    refuse(data.problem, &settings, "not known to several responses");
    settings.global = "auto";
    assert_int_equal(dcpn_problem_set_groups(data.problem, 1, start, member, NULL), DCPN_OK);
    settings.grouping = "latent";
    refuse(data.problem, &settings, "--grouping latent and --orthonormal are not known");
    settings.grouping = "entry";
    refuse(data.problem, &settings, "no groups that it could widen");
    memcpy(broken, Y, sizeof broken);
    broken[ROWS + 4] = NAN;
    assert_int_equal(dcpn_problem_set_responses(data.problem, RESPONSES, broken), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "response 2 of row 5"));
    data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objective_and_certificate_are_those_of_the_data),
        cmocka_unit_test(optima_of_scikit_learn),
        cmocka_unit_test(responses_are_those_of_single_fits),
        cmocka_unit_test(weights_are_repetitions),
        cmocka_unit_test(paths_begin_with_the_means),
        cmocka_unit_test(folds_measure_all_responses),
        cmocka_unit_test(models_keep_their_names),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    make_data();
    return cmocka_run_group_tests(tests, setup, teardown);
}
