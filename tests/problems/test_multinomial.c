/* SPDX-License-Identifier: BSD-3-Clause */
/* Many classes, one score each: F and its certificate recomputed by plain loops, two classes as one logistic score,
 * classes in another order, hundreds of them, features of each class or of all. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "loss/loss.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 70, COLUMNS = 9, CLASSES = 4, MOST = CLASSES * (COLUMNS + 1) };

struct many {
    struct problems_data data;
    double labels[ROWS], offsets[CLASSES * ROWS];
    int has_offsets;
};

/* Classes 2, 5, 8, 11, drawn by noisy scores. */
static struct many many_new(uint64_t seed)
{
    struct many many = {.data = problems_data_new(ROWS, COLUMNS, 0.7, seed)};
    struct rng rng;
    dcpn_rng_seed(&rng, seed + 1);
    for (int i = 0; i < ROWS; i++) {
        double best = -HUGE_VAL;
        for (int k = 0; k < CLASSES; k++) {
            double score = 2.0 * many.data.A[i * COLUMNS + k] + dcpn_rng_normal(&rng);
            if (score > best) many.labels[i] = 2.0 + 3.0 * k;
            best = fmax(best, score);
        }
    }
    return many;
}

struct solved {
    double x[MOST], intercepts[CLASSES], labels[CLASSES];
    dcpn_result result;
    int64_t scores;
};

static dcpn_problem *problem_of(const struct many *many, const dcpn_matrix *A, int is_weighted)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, many->labels, &problem), DCPN_OK);
    if (many->has_offsets) assert_int_equal(dcpn_problem_set_offsets(problem, CLASSES, many->offsets), DCPN_OK);
    if (!is_weighted) return problem;
    assert_int_equal(dcpn_problem_set_weights(problem, many->data.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty_factors(problem, many->data.factors), DCPN_OK);
    return problem;
}

static struct solved solve(const struct many *many, enum problems_storage storage, const dcpn_settings *settings,
                           int is_weighted)
{
    struct solved solved = {0};
    dcpn_solver *solver = NULL;
    dcpn_matrix *A = problems_matrix(context, &many->data, storage);
    dcpn_problem *problem = problem_of(many, A, is_weighted);
    dcpn_status status = dcpn_solver_new(context, problem, settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    solved.scores = dcpn_solver_scores(solver);
    solved.result = *dcpn_solver_result(solver);
    size_t scores = (size_t)solved.scores;
    memcpy(solved.x, dcpn_solver_coefficients(solver), scores * COLUMNS * sizeof(double));
    memcpy(solved.intercepts, dcpn_solver_intercepts(solver), scores * sizeof(double));
    if (scores > 1) memcpy(solved.labels, dcpn_solver_labels(solver), scores * sizeof(double));
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return solved;
}

/* ---- F and the certificate, as a textbook has them ---- */

struct naive {
    long double loss, penalty, gradient[MOST], stationarity;
};

static void add_row(const struct many *many, const struct solved *at, const dcpn_settings *s, int i, long double w,
                    struct naive *naive)
{
    long double u[CLASSES], sum = 0.0L, own = 0.0L;
    for (int k = 0; k < CLASSES; k++) {
        u[k] = at->intercepts[k] + (many->has_offsets ? many->offsets[k * ROWS + i] : 0.0);
        for (int j = 0; j < COLUMNS; j++) u[k] += (long double)many->data.A[i * COLUMNS + j] * at->x[k * COLUMNS + j];
        sum += expl(u[k]);
        if (many->labels[i] == at->labels[k]) own = u[k];
    }
    naive->loss += w * (logl(sum) - own);
    for (int k = 0; k < CLASSES; k++) {
        long double slope = w * (expl(u[k]) / sum - (many->labels[i] == at->labels[k]));
        for (int j = 0; j < COLUMNS; j++)
            naive->gradient[k * COLUMNS + j] += slope * (long double)many->data.A[i * COLUMNS + j];
        if (s->intercept) naive->gradient[CLASSES * COLUMNS + k] += slope;
    }
}

static long double norm_of(const struct solved *at, int j)
{
    long double sum = 0.0L;
    for (int k = 0; k < CLASSES; k++) sum += (long double)at->x[k * COLUMNS + j] * at->x[k * COLUMNS + j];
    return sqrtl(sum);
}

static void add_entry(const struct solved *at, const dcpn_settings *s, long double lambda, int j, struct naive *naive)
{
    for (int k = 0; k < CLASSES; k++) {
        long double x = at->x[k * COLUMNS + j], g = naive->gradient[k * COLUMNS + j], t = fabsl(x);
        long double slope = problems_penalty_slope(s, lambda, t, 1);
        naive->penalty += problems_penalty(s, lambda, t);
        long double violation = t > 0.0L ? fabsl(g + copysignl(slope, x)) : fmaxl(0.0L, fabsl(g) - slope);
        naive->stationarity = fmaxl(naive->stationarity, violation);
    }
}

static void add_feature(const struct solved *at, const dcpn_settings *s, long double lambda, int j, struct naive *naive)
{
    long double t = norm_of(at, j), slope = problems_penalty_slope(s, lambda, t, 1), sum = 0.0L;
    naive->penalty += problems_penalty(s, lambda, t);
    for (int k = 0; k < CLASSES; k++) {
        long double g = naive->gradient[k * COLUMNS + j];
        if (t > 0.0L) g += slope * at->x[k * COLUMNS + j] / t;
        sum += g * g;
    }
    long double violation = t > 0.0L ? sqrtl(sum) : fmaxl(0.0L, sqrtl(sum) - slope);
    naive->stationarity = fmaxl(naive->stationarity, violation);
}

static struct naive naive_of(const struct many *many, const dcpn_settings *s, const struct solved *at, int is_weighted)
{
    struct naive naive = {0};
    int by_rows = strcmp(s->class_grouping, "row") == 0;
    for (int i = 0; i < ROWS; i++) add_row(many, at, s, i, is_weighted ? many->data.weights[i] : 1.0L, &naive);
    for (int k = 0; k < CLASSES * COLUMNS; k++) {
        naive.loss += (long double)s->ridge / 2.0L * at->x[k] * at->x[k];
        naive.gradient[k] += (long double)s->ridge * at->x[k];
    }
    for (int j = 0; j < COLUMNS; j++) {
        long double lambda = s->lambda * (is_weighted ? many->data.factors[j] : 1.0);
        (by_rows ? add_feature : add_entry)(at, s, lambda, j, &naive);
    }
    for (int k = 0; k < CLASSES; k++)
        naive.stationarity = fmaxl(naive.stationarity, fabsl(naive.gradient[CLASSES * COLUMNS + k]));
    return naive;
}

static dcpn_settings settings_for(const char *penalty)
{
    dcpn_settings settings = problems_settings("multinomial", penalty, NULL, NULL);
    settings.lambda = strcmp(penalty, "lp") == 0 ? 0.3 : 1.5;
    settings.theta = 0.8;
    settings.tol = 1e-9;
    settings.intercept = 1;
    settings.ridge = 0.01;
    return settings;
}

static void check(const struct many *many, enum problems_storage storage, const dcpn_settings *settings,
                  int is_weighted)
{
    struct solved solved = solve(many, storage, settings, is_weighted);
    struct naive naive = naive_of(many, settings, &solved, is_weighted);
    char what[160];
    snprintf(what, sizeof what, "%s %s %s, weights %d", settings->penalty, settings->metric, settings->class_grouping,
             is_weighted);
    assert_int_equal(solved.scores, CLASSES);
    if (solved.result.outcome != DCPN_CONVERGED)
        fail_msg("%s: %s, stationarity %g of %g after %lld", what, dcpn_outcome_name(solved.result.outcome),
                 solved.result.stationarity, solved.result.stationarity_goal, (long long)solved.result.iterations);
    problems_assert_close(solved.result.objective, (double)(naive.loss + naive.penalty), 1e-12, what);
    if (!(fabsl(naive.stationarity - solved.result.stationarity) <= 1e-11L))
        fail_msg("%s: stationarity %g, recomputed %Lg", what, solved.result.stationarity, naive.stationarity);
    assert_true(solved.result.nonzeros > 0);
    assert_int_equal(solved.result.escape, strcmp(settings->penalty, "l1") == 0 ? 0 : -1); /* not known of moves */
}

static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log", "lp"};
static const char *const groupings[] = {"entry", "row"};

static void objective_and_certificate_are_those_of_the_data(void **state)
{
    struct many many = many_new(5);
    (void)state;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (size_t g = 0; g < 2; g++)
            for (int is_weighted = 0; is_weighted < 2; is_weighted++) {
                dcpn_settings settings = settings_for(penalties[p]);
                settings.class_grouping = groupings[g];
                check(&many, is_weighted ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR, &settings, is_weighted);
            }
    problems_data_free(&many.data);
}

static void give_offsets(struct many *many)
{
    many->has_offsets = 1;
    for (int i = 0; i < CLASSES * ROWS; i++) many->offsets[i] = ((i * 29) % 17 - 8) / 6.0;
}

static void offsets_of_classes_are_added_to_their_scores(void **state)
{
    struct many many = many_new(8);
    (void)state;
    give_offsets(&many);
    for (size_t g = 0; g < 2; g++) {
        dcpn_settings settings = settings_for("mcp");
        settings.class_grouping = groupings[g];
        check(&many, PROBLEMS_COLUMN_MAJOR, &settings, 1);
    }
    problems_data_free(&many.data);
}

/* The deviance of the intercepts and the offsets alone is that of a fit whose lambda keeps all features out; and held
 * out rows have their own offsets, so that a fold's deviance changes where theirs alone are others. */
static void paths_and_folds_have_the_offsets(void **state)
{
    struct many many = many_new(8);
    dcpn_settings settings = settings_for("l1");
    int64_t folds[ROWS];
    dcpn_cv *cv[2] = {NULL, NULL};
    (void)state;
    give_offsets(&many);
    settings.ridge = 0.0;
    for (int i = 0; i < ROWS; i++) folds[i] = i % 3;
    const dcpn_cv_options options = {.fold_of = folds, .folds = 3, .path = {.lambda_count = 4, .min_ratio = 0.3}};
    dcpn_matrix *A = problems_matrix(context, &many.data, PROBLEMS_CSC);
    for (int k = 0; k < 2; k++) {
        dcpn_problem *problem = problem_of(&many, A, 0);
        assert_int_equal(dcpn_cv_run(context, problem, &settings, &options, &cv[k]), DCPN_OK);
        dcpn_problem_free(problem);
        for (int i = 0; i < ROWS && k == 0; i += 3) many.offsets[i] += 5.0; /* of fold 0 */
    }
    assert_true(fabs(cv[0]->value[0] - cv[1]->value[0]) > 0.1);
    for (int i = 0; i < ROWS; i += 3) many.offsets[i] -= 5.0;
    settings.lambda = 1e6;
    struct solved empty = solve(&many, PROBLEMS_CSC, &settings, 0);
    problems_assert_close(cv[0]->paths->null_deviance, 2.0 * empty.result.loss_value, 1e-8, "null deviance");
    dcpn_cv_free(cv[0]);
    dcpn_cv_free(cv[1]);
    dcpn_matrix_free(A);
    problems_data_free(&many.data);
}

static void every_metric_finds_the_same(void **state)
{
    static const char *const metrics[] = {"identity", "identity-backtracked", "barzilai-borwein", "lbfgs"};
    struct many many = many_new(6);
    (void)state;
    for (size_t g = 0; g < 2; g++) {
        dcpn_settings settings = settings_for("l1");
        settings.class_grouping = groupings[g];
        settings.tol = 1e-7;
        double F = solve(&many, PROBLEMS_CSR, &settings, 0).result.objective;
        settings.max_iter = 1000000;
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            settings.metric = metrics[m];
            problems_assert_close(solve(&many, PROBLEMS_CSR, &settings, 0).result.objective, F, 1e-8, metrics[m]);
        }
        settings.metric = "hessian";
        settings.majorize = 1;
        problems_assert_close(solve(&many, PROBLEMS_CSR, &settings, 0).result.objective, F, 1e-8, "majorize");
    }
    problems_data_free(&many.data);
}

/* One of two rows of coefficients may be 0: |b_1| + |b_2| >= |b_2 - b_1|, which is the coefficient of one score. */
static void two_classes_are_one_logistic_score(void **state)
{
    struct many many = many_new(7);
    (void)state;
    for (int i = 0; i < ROWS; i++) many.labels[i] = many.labels[i] > 5.0 ? 1.0 : -1.0;
    dcpn_settings settings = settings_for("l1"), binary = settings;
    settings.ridge = binary.ridge = 0.0;
    binary.loss = "logistic";
    struct solved two = solve(&many, PROBLEMS_CSC, &settings, 0), one = solve(&many, PROBLEMS_CSC, &binary, 0);
    assert_int_equal(two.scores, 2);
    assert_int_equal(one.scores, 1);
    problems_assert_close(two.result.objective, one.result.objective, 1e-9, "two classes");
    for (int j = 0; j < COLUMNS; j++)
        assert_true(fabs(two.x[COLUMNS + j] - two.x[j] - one.x[j]) <= 1e-5 * (1.0 + fabs(one.x[j])));
    assert_true(fabs(two.intercepts[1] - two.intercepts[0] - one.intercepts[0]) <= 1e-5);
    problems_data_free(&many.data);
}

static void classes_in_another_order_are_the_same(void **state)
{
    struct many many = many_new(8);
    (void)state;
    for (size_t g = 0; g < 2; g++) {
        dcpn_settings settings = settings_for("l1");
        settings.class_grouping = groupings[g];
        struct solved first = solve(&many, PROBLEMS_CSR, &settings, 0);
        for (int i = 0; i < ROWS; i++) many.labels[i] = -many.labels[i];
        struct solved second = solve(&many, PROBLEMS_CSR, &settings, 0);
        problems_assert_close(second.result.objective, first.result.objective, 1e-9, "classes in another order");
        for (int k = 0; k < CLASSES; k++)
            for (int j = 0; j < COLUMNS; j++)
                assert_true(fabs(first.x[k * COLUMNS + j] - second.x[(CLASSES - 1 - k) * COLUMNS + j]) <= 1e-4);
    }
    problems_data_free(&many.data);
}

/* 200 classes of two rows each, whose features tell them apart. */
static void two_hundred_classes(void **state)
{
    enum { MANY = 200 };
    double *A = problems_memory(2 * MANY * MANY, sizeof *A), *labels = problems_memory(2 * MANY, sizeof *labels);
    dcpn_matrix *matrix = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    dcpn_settings settings = settings_for("l1");
    (void)state;
    settings.lambda = 0.1;
    for (int i = 0; i < 2 * MANY; i++) {
        labels[i] = i % MANY;
        A[i * MANY + i % MANY] = 1.0 + 0.1 * (i / MANY);
    }
    assert_int_equal(
        dcpn_matrix_dense(context, 2 * MANY, MANY, A, DCPN_FLOAT64, DCPN_ROW_MAJOR, MANY, DCPN_BORROW, &matrix),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, matrix, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
    assert_int_equal(dcpn_solver_scores(solver), MANY);
    const double *x = dcpn_solver_coefficients(solver);
    for (int k = 0; k < MANY; k++) assert_true(x[k * MANY + k] > 1.0); /* its own feature speaks for each class */
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(matrix);
    free(A);
    free(labels);
}

/* ---- the loss by itself ---- */

/* At u + s du. */
static long double phi(const double *u, const double *du, long double s, int own)
{
    long double sum = 0.0L, top = u[0] + s * du[0];
    for (int k = 1; k < CLASSES; k++) top = fmaxl(top, u[k] + s * du[k]);
    for (int k = 0; k < CLASSES; k++) sum += expl(u[k] + s * du[k] - top);
    return logl(sum) + (top - u[own] - s * du[own]);
}

/* Changes to within rounding of slopes times steps, for steps long and short; slopes and shares by differences. */
static void changes_keep_their_digits(void **state)
{
    static const double STEPS[] = {1e-12, 1e-8, 1e-4, 0.1, 0.24, 0.26, 1.0, 30.0};
    struct rng rng;
    double y[CLASSES], w[CLASSES], u[CLASSES], du[CLASSES], r[CLASSES], s[CLASSES], c[CLASSES];
    const dcpn_loss loss = {.ops = &dcpn_loss_multinomial, .rows = 1, .width = CLASSES, .y = y, .w = w};
    dcpn_rng_seed(&rng, 3);
    (void)state;
    for (int trial = 0; trial < 400; trial++) {
        int own = trial % CLASSES;
        double step = STEPS[trial % 8], size = trial % 3 ? 2.0 : 20.0, scale = 0.0;
        for (int k = 0; k < CLASSES; k++) {
            y[k] = k == own;
            w[k] = 1.0;
            u[k] = size * dcpn_rng_normal(&rng);
            du[k] = dcpn_rng_normal(&rng);
        }
        loss.ops->slope1(&loss, 0, 1, u, r);
        loss.ops->shares(&loss, 0, 1, u, s);
        loss.ops->curvature1(&loss, 0, 1, u, c);
        double there[CLASSES], ends[CLASSES];
        for (int k = 0; k < CLASSES; k++) there[k] = u[k] + step * du[k];
        loss.ops->slope1(&loss, 0, 1, there, ends);
        for (int k = 0; k < CLASSES; k++) scale += step * fabs(du[k]) * (fabs(r[k]) + fabs(ends[k]));
        long double exact = phi(u, du, (long double)step, own) - phi(u, du, 0.0L, own);
        double noise = 1e-18 * (1.0 + 5.0 * size);                        /* of the reference */
        if (step > 0.1) noise += 1e-15 * (1.0 + 4.0 * size + 4.0 * step); /* a long step rounds like values */
        double found = loss.ops->change(&loss, 0, 1, u, du, step);
        if (!(fabsl(found - exact) <= 1e-14 * scale + noise))
            fail_msg("step %g: change %.17g, expected %.17Lg", step, found, exact);
        for (int k = 0; k < CLASSES; k++) {
            const double h = 1e-5;
            double kept = u[k], sum = 0.0, left[CLASSES], right[CLASSES];
            u[k] = kept - h;
            loss.ops->slope1(&loss, 0, 1, u, left);
            u[k] = kept + h;
            loss.ops->slope1(&loss, 0, 1, u, right);
            u[k] = kept;
            for (int l = 0; l < CLASSES; l++) {
                double element = (l == k ? s[k] : 0.0) - s[k] * s[l];
                assert_true(fabs((right[l] - left[l]) / (2.0 * h) - element) <= 1e-9);
                sum += s[l];
            }
            assert_true(fabs(s[k] - (k == own) - r[k]) <= 1e-15 && fabs(sum - 1.0) <= 1e-14);
            assert_true(fabs(c[k] - s[k] * (1.0 - s[k])) <= 1e-15 && c[k] <= 0.5);
        }
    }
}

static void what_does_not_go_together_is_refused(void **state)
{
    struct many many = many_new(9);
    dcpn_matrix *A = problems_matrix(context, &many.data, PROBLEMS_CSC);
    dcpn_problem *problem = problem_of(&many, A, 0);
    dcpn_solver *solver = NULL;
    dcpn_settings settings = settings_for("mcp");
    (void)state;
    settings.global = "path";
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "scores of a row share a loss"));
    settings.global = "auto";
    assert_int_equal(dcpn_problem_set_offset(problem, many.data.offset), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "found 1 a row, expected 4, one for each class"));
    assert_int_equal(dcpn_problem_set_offset(problem, NULL), DCPN_OK);
    for (int i = 0; i < ROWS; i++) many.labels[i] = 1.0;
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "one class"));
    settings.loss = "logistic";
    settings.class_grouping = "row";
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_USAGE);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&many.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_keep_their_digits),
        cmocka_unit_test(objective_and_certificate_are_those_of_the_data),
        cmocka_unit_test(offsets_of_classes_are_added_to_their_scores),
        cmocka_unit_test(paths_and_folds_have_the_offsets),
        cmocka_unit_test(every_metric_finds_the_same),
        cmocka_unit_test(two_classes_are_one_logistic_score),
        cmocka_unit_test(classes_in_another_order_are_the_same),
        cmocka_unit_test(two_hundred_classes),
        cmocka_unit_test(what_does_not_go_together_is_refused),
    };
    return cmocka_run_group_tests_name("problems.multinomial", tests, setup, teardown);
}
