/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered classes: F, its certificate and probabilities recomputed by plain loops, optima of other software
 * (statsmodels 0.14 OrderedModel; SciPy's L-BFGS-B on the l1 problem with weights and offsets), two classes as one
 * logistic score, the order turned round, rows repeated, a class that a fold lacks, and the derivatives of a gap. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"
#include "loss/loss.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 80, COLUMNS = 4, MOST_CLASSES = 4 };

struct grades {
    double X[2 * ROWS * COLUMNS], y[2 * ROWS], weights[2 * ROWS], offset[2 * ROWS]; /* X by columns */
    int rows;
};

/* The same formulas as in the script that asked the others. */
static struct grades grades_new(void)
{
    struct grades g = {.rows = ROWS};
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) g.X[j * ROWS + i] = ((i * 7 + j * 11 + i * i * (j + 1)) % 13 - 6) / 3.0;
        double u = g.X[i] - g.X[ROWS + i] + ((i * 17) % 11 - 5) / 2.0;
        g.y[i] = 10.0 * (1 + (u > -2.0) + (u > 0.4) + (u > 2.5));
        g.weights[i] = 1.0 + i % 3;
        g.offset[i] = ((i * 5) % 7 - 3) / 4.0;
    }
    return g;
}

struct fitted {
    double x[COLUMNS], b[MOST_CLASSES - 1];
    int64_t boundaries;
    dcpn_result result;
    dcpn_model *model;
};

static dcpn_problem *problem_of(const struct grades *g, const dcpn_matrix *A, int has_weights, int has_offset)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, g->y, &problem), DCPN_OK);
    if (has_weights) assert_int_equal(dcpn_problem_set_weights(problem, g->weights), DCPN_OK);
    if (has_offset) assert_int_equal(dcpn_problem_set_offset(problem, g->offset), DCPN_OK);
    return problem;
}

static dcpn_matrix *matrix_of(const struct grades *g)
{
    dcpn_matrix *A = NULL;
    assert_int_equal(dcpn_matrix_dense(context, g->rows, COLUMNS, g->X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, g->rows,
                                       DCPN_BORROW, &A),
                     DCPN_OK);
    return A;
}

static struct fitted fit(const struct grades *g, const dcpn_settings *settings, int has_weights, int has_offset)
{
    struct fitted found = {0};
    dcpn_solver *solver = NULL;
    dcpn_matrix *A = matrix_of(g);
    dcpn_problem *problem = problem_of(g, A, has_weights, has_offset);
    dcpn_status status = dcpn_solver_new(context, problem, settings, &solver);
    if (status == DCPN_OK) status = dcpn_solver_run(solver);
    if (status != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    found.boundaries = dcpn_solver_intercept_count(solver);
    found.result = *dcpn_solver_result(solver);
    memcpy(found.x, dcpn_solver_coefficients(solver), sizeof found.x);
    memcpy(found.b, dcpn_solver_intercepts(solver), (size_t)found.boundaries * sizeof(double));
    assert_int_equal(dcpn_model_new(solver, 0, &found.model), DCPN_OK);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return found;
}

static dcpn_settings settings_of(const char *penalty, double lambda)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = "ordinal";
    settings.penalty = penalty;
    settings.lambda = lambda;
    settings.shape_units = "raw";
    settings.tol = 1e-9;
    return settings;
}

/* ---- by plain loops ---- */

static long double sigmoid_of(long double v)
{
    return 1.0L / (1.0L + expl(-v));
}

static double score_of(const struct grades *g, const struct fitted *at, int i, int has_offset)
{
    double u = has_offset ? g->offset[i] : 0.0;
    for (int j = 0; j < COLUMNS; j++) u += g->X[j * g->rows + i] * at->x[j];
    return u;
}

static int class_of(const struct grades *g, int i)
{
    return (int)(g->y[i] / 10.0) - 1;
}

/* The odds of a class above k, and p of a class by their difference. */
static long double above(const struct fitted *at, int k, long double u)
{
    return k < 0 ? 1.0L : k >= at->boundaries ? 0.0L : sigmoid_of(u + at->b[k]);
}

static long double share_of(const struct fitted *at, int c, long double u)
{
    return above(at, c - 1, u) - above(at, c, u);
}

struct naive {
    long double F, stationarity;
};

/* d -log p / du = (s'(above) - s'(below)) / p; in b_k alone one of the two terms. */
static void add_slopes(const struct grades *g, const struct fitted *at, int i, long double w, long double u,
                       long double *gx, long double *gb)
{
    int c = class_of(g, i);
    long double p = share_of(at, c, u);
    for (int k = c - 1; k <= c; k++) {
        if (k < 0 || k >= at->boundaries) continue;
        long double s = above(at, k, u), slope = (k == c ? 1.0L : -1.0L) * w * s * (1.0L - s) / p;
        gb[k] += slope;
        for (int j = 0; j < COLUMNS; j++) gx[j] += slope * g->X[j * g->rows + i];
    }
}

static struct naive evaluate(const struct grades *g, const struct fitted *at, const dcpn_settings *s, int has_weights,
                             int has_offset)
{
    struct naive naive = {0};
    long double gx[COLUMNS] = {0}, gb[MOST_CLASSES] = {0};
    for (int i = 0; i < g->rows; i++) {
        long double w = has_weights ? g->weights[i] : 1.0, u = score_of(g, at, i, has_offset);
        naive.F -= w * logl(share_of(at, class_of(g, i), u));
        add_slopes(g, at, i, w, u, gx, gb);
    }
    for (int j = 0; j < COLUMNS; j++) {
        long double x = at->x[j], slope = problems_penalty_slope(s, s->lambda, fabsl(x), 1);
        naive.F += problems_penalty(s, s->lambda, fabsl(x));
        long double violation = x == 0.0L ? fmaxl(0.0L, fabsl(gx[j]) - slope) : fabsl(gx[j] + copysignl(slope, x));
        naive.stationarity = fmaxl(naive.stationarity, violation);
    }
    for (int k = 0; k < at->boundaries; k++) naive.stationarity = fmaxl(naive.stationarity, fabsl(gb[k]));
    return naive;
}

static void fits_say_what_plain_loops_say(void **state)
{
    const struct grades g = grades_new();
    const char *const penalties[] = {"l1", "mcp", "scad", "log"};
    const char *const metrics[] = {"hessian", "lbfgs", "identity-backtracked"};
    (void)state;
    for (int k = 0; k < 4 * 3 * 4; k++) {
        dcpn_settings s = settings_of(penalties[k % 4], k % 8 < 4 ? 2.0 : 9.0);
        int has_weights = k & 1, has_offset = (k >> 1) & 1;
        s.metric = metrics[k / 4 % 3];
        s.standardize = 0;
        s.gamma = 3.0;
        if (k / 4 % 3 == 2) s.tol = 1e-6;
        struct fitted found = fit(&g, &s, has_weights, has_offset);
        struct naive naive = evaluate(&g, &found, &s, has_weights, has_offset);
        assert_int_equal(found.result.outcome, DCPN_CONVERGED);
        assert_true(fabsl(naive.F - found.result.objective) <= 1e-10L * naive.F);
        assert_true(fabsl(naive.stationarity - found.result.stationarity) <= 1e-8L);
        dcpn_model_free(found.model);
    }
}

/* ---- other software ---- */

static void assert_numbers(const double *found, const double *expected, int count, double slack)
{
    for (int k = 0; k < count; k++)
        if (fabs(found[k] - expected[k]) > slack)
            fail_msg("number %d: found %.10g, expected %.10g", k, found[k], expected[k]);
}

static void maximum_likelihood_is_that_of_statsmodels(void **state)
{
    const struct grades g = grades_new();
    const double x[] = {1.3220250842, -0.9960473576, -0.3310716961, -0.1572391502},
                 b[] = {2.5200615771, -0.3329907455, -2.2669775326};
    (void)state;
    for (int standardize = 0; standardize < 2; standardize++) {
        dcpn_settings s = settings_of("l1", 0.0);
        s.standardize = standardize;
        struct fitted found = fit(&g, &s, 0, 0);
        assert_numbers(found.x, x, COLUMNS, 1e-7);
        assert_numbers(found.b, b, 3, 1e-7);
        assert_true(fabs(found.result.objective - 77.454546899689) <= 1e-9);
        dcpn_model_free(found.model);
    }
}

static void l1_optima_are_those_of_scipy(void **state)
{
    const struct grades g = grades_new();
    const struct {
        double lambda, F, x[COLUMNS];
    } golden[] = {{5.0, 169.1544385708, {1.1851163, -0.74219259, 0.0, -0.05200407}},
                  {20.0, 191.7361661395, {0.70705695, -0.39677118, 0.0, 0.0}}};
    (void)state;
    for (int k = 0; k < 2; k++) {
        const dcpn_settings s = settings_of("l1", golden[k].lambda);
        struct fitted found = fit(&g, &s, 1, 1);
        assert_numbers(found.x, golden[k].x, COLUMNS, 2e-6);
        assert_true(fabs(found.result.objective - golden[k].F) <= 1e-8 * golden[k].F);
        dcpn_model_free(found.model);
    }
}

/* ---- the same problem in other words ---- */

static void two_classes_are_one_logistic_score(void **state)
{
    struct grades g = grades_new();
    dcpn_settings s = settings_of("mcp", 2.0);
    (void)state;
    for (int i = 0; i < g.rows; i++) g.y[i] = g.y[i] > 20.0 ? 20.0 : 10.0;
    struct fitted ordered = fit(&g, &s, 1, 1);
    assert_int_equal(ordered.boundaries, 1);
    s.loss = "logistic";
    s.intercept = 1;
    struct fitted logistic = fit(&g, &s, 1, 1);
    assert_numbers(ordered.x, logistic.x, COLUMNS, 1e-7);
    assert_numbers(ordered.b, logistic.b, 1, 1e-7);
    dcpn_model_free(ordered.model);
    dcpn_model_free(logistic.model);
}

static void the_order_turned_round_turns_signs(void **state)
{
    struct grades g = grades_new();
    const dcpn_settings s = settings_of("l1", 3.0);
    (void)state;
    struct fitted found = fit(&g, &s, 1, 0);
    for (int i = 0; i < g.rows; i++) g.y[i] = 50.0 - g.y[i];
    struct fitted turned = fit(&g, &s, 1, 0);
    for (int j = 0; j < COLUMNS; j++) turned.x[j] = -turned.x[j];
    const double b[] = {-turned.b[2], -turned.b[1], -turned.b[0]};
    assert_numbers(turned.x, found.x, COLUMNS, 1e-7);
    assert_numbers(b, found.b, 3, 1e-7);
    dcpn_model_free(found.model);
    dcpn_model_free(turned.model);
}

static void weights_are_repetitions(void **state)
{
    struct grades g = grades_new(), twice = {.rows = 2 * ROWS};
    const dcpn_settings s = settings_of("l1", 3.0);
    (void)state;
    for (int i = 0; i < ROWS; i++) g.weights[i] = 2.0;
    for (int i = 0; i < 2 * ROWS; i++) {
        for (int j = 0; j < COLUMNS; j++) twice.X[j * 2 * ROWS + i] = g.X[j * ROWS + i % ROWS];
        twice.y[i] = g.y[i % ROWS];
    }
    struct fitted weighted = fit(&g, &s, 1, 0), repeated = fit(&twice, &s, 0, 0);
    assert_numbers(weighted.x, repeated.x, COLUMNS, 1e-8);
    assert_numbers(weighted.b, repeated.b, 3, 1e-8);
    dcpn_model_free(weighted.model);
    dcpn_model_free(repeated.model);
}

/* ---- what models say ---- */

static void models_say_what_plain_loops_say(void **state)
{
    const struct grades g = grades_new();
    const dcpn_settings s = settings_of("l1", 3.0);
    double scores[ROWS], p[MOST_CLASSES * ROWS], labels[ROWS], right = 0.0, deviance = 0.0;
    dcpn_quality quality;
    (void)state;
    struct fitted found = fit(&g, &s, 0, 1);
    dcpn_matrix *A = matrix_of(&g);
    assert_int_equal(dcpn_model_scores(found.model, A, g.offset, scores), DCPN_OK);
    assert_int_equal(dcpn_model_probabilities(found.model, scores, ROWS, p), DCPN_OK);
    assert_int_equal(dcpn_model_labels(found.model, scores, ROWS, labels), DCPN_OK);
    assert_int_equal(dcpn_model_quality(found.model, g.y, scores, ROWS, &quality), DCPN_OK);
    for (int i = 0; i < ROWS; i++) {
        long double u = score_of(&g, &found, i, 1);
        int best = 0;
        for (int c = 0; c < MOST_CLASSES; c++) {
            assert_true(fabsl(p[c * ROWS + i] - share_of(&found, c, u)) <= 1e-13L);
            if (share_of(&found, c, u) > share_of(&found, best, u)) best = c;
        }
        assert_true(labels[i] == 10.0 * (best + 1));
        right += labels[i] == g.y[i];
        deviance -= 2.0 * (double)logl(share_of(&found, class_of(&g, i), u));
    }
    assert_true(quality.rows == ROWS && fabs(quality.accuracy - right / ROWS) <= 1e-15);
    assert_true(fabs(quality.deviance - deviance / ROWS) <= 1e-12);
    dcpn_matrix_free(A);
    dcpn_model_free(found.model);
}

/* A class with one row has none in some fold; the others' boundaries are there all the same. */
static void a_fold_may_lack_a_class(void **state)
{
    struct grades g = grades_new();
    const dcpn_settings s = settings_of("l1", 1.0);
    int64_t folds[ROWS];
    dcpn_cv *cv = NULL;
    (void)state;
    for (int i = 0; i < ROWS; i++) {
        folds[i] = i % 4;
        if (g.y[i] == 20.0 && i != 5) g.y[i] = 30.0;
    }
    g.y[5] = 20.0;
    const dcpn_cv_options options = {.fold_of = folds, .folds = 4, .path.lambda_count = 8};
    dcpn_matrix *A = matrix_of(&g);
    dcpn_problem *problem = problem_of(&g, A, 0, 0);
    if (dcpn_cv_run(context, problem, &s, &options, &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(cv->measured.count, 3);
    for (int64_t k = 0; k < cv->paths->paths[0].count; k++)
        for (int m = 0; m < 3; m++)
            for (int f = 0; f < 4; f++) {
                double found = cv->value[(k * DCPN_MEASURES + m) * 4 + f];
                if (!isfinite(found) || found < 0.0) fail_msg("point %d, measure %d, fold %d: %g", (int)k, m, f, found);
            }
    dcpn_cv_free(cv);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* ---- the rows of gaps ---- */

static void check_gap(double gap)
{
    const double y = 0.0, w = 1.7, one = 1.0;
    const dcpn_loss row = {.ops = &dcpn_loss_ordinal, .rows = 1, .y = &y, .w = &w};
    double slope, curvature, before, after, h = 1e-4 * fmin(gap, 1.0), low = gap - h, high = gap + h;
    row.ops->slope1(&row, 0, 1, &gap, &slope);
    row.ops->curvature1(&row, 0, 1, &gap, &curvature);
    row.ops->slope1(&row, 0, 1, &low, &before);
    row.ops->slope1(&row, 0, 1, &high, &after);
    double exact = (double)(-1.7L / expm1l(gap)), value = (double)(-1.7L * log1pl(-expl(-(long double)gap)));
    assert_true(fabs(slope - exact) <= 1e-14 * fabs(exact));
    assert_true(fabs(row.ops->value(&row, 0, 1, &gap) - value) <= 1e-14 * fabs(value) + 1e-300);
    assert_true(fabs(curvature - (after - before) / (high - low)) <= 1e-6 * curvature);
    for (double t = 1e-12; t < 2.0; t *= 10.0) { /* the change keeps the digits of a short step */
        long double step = (long double)(t * gap), change = -1.7L * log1pl(-expm1l(-step) / expm1l(gap));
        long double found = row.ops->change(&row, 0, 1, &gap, &one, t * gap);
        assert_true(fabsl(found - change) <= 1e-12L * fabsl(change));
    }
    assert_true(row.ops->change(&row, 0, 1, &gap, &one, -gap) == HUGE_VAL);
}

static void gaps_have_a_barrier(void **state)
{
    const double outside[] = {0.0, -1.0}, y = 0.0, one = 1.0, none = 0.0;
    dcpn_loss row = {.ops = &dcpn_loss_ordinal, .rows = 1, .y = &y, .w = &one};
    (void)state;
    for (double gap = 1e-6; gap < 40.0; gap *= 1.9) check_gap(gap);
    for (int k = 0; k < 2; k++) assert_true(row.ops->value(&row, 0, 1, &outside[k]) == HUGE_VAL);
    row.w = &none;
    assert_true(row.ops->value(&row, 0, 1, &outside[1]) == 0.0);
}

/* ---- what is refused ---- */

static void expect_refusal(const struct grades *g, const dcpn_settings *s, const char *sentence)
{
    dcpn_solver *solver = NULL;
    dcpn_matrix *A = matrix_of(g);
    dcpn_problem *problem = problem_of(g, A, 0, 0);
    assert_int_not_equal(dcpn_solver_new(context, problem, s, &solver), DCPN_OK);
    if (!strstr(dcpn_last_error(context), sentence)) fail_msg("%s", dcpn_last_error(context));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void refusals_say_why(void **state)
{
    struct grades g = grades_new();
    dcpn_settings s = settings_of("l1", 1.0);
    (void)state;
    s.majorize = 1;
    expect_refusal(&g, &s, "--majorize needs a loss whose curvature is bounded");
    s = settings_of("l1", 1.0);
    s.sums = "exact";
    expect_refusal(&g, &s, "--loss ordinal is not known to it");
    s = settings_of("l1", 1.0);
    s.metric = "seeded-lbfgs";
    expect_refusal(&g, &s, "its matrix has one constant");
    s = settings_of("l1", 1.0);
    for (int i = 0; i < ROWS; i++) g.y[i] = 10.0;
    expect_refusal(&g, &s, "found the one class 10 in all rows");
}

static void starts_keep_to_the_order(void **state)
{
    const struct grades g = grades_new();
    const dcpn_settings s = settings_of("l1", 1.0);
    const double x[COLUMNS] = {1.0, 0.0, 0.5, 0.0}, wrong[] = {1.0, 1.0, 0.0}, right[] = {1.0, 0.5, 0.0};
    dcpn_solver *solver = NULL;
    (void)state;
    dcpn_matrix *A = matrix_of(&g);
    dcpn_problem *problem = problem_of(&g, A, 0, 0);
    assert_int_equal(dcpn_solver_new(context, problem, &s, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_start(solver, x, 0.0), DCPN_USAGE);
    assert_int_equal(dcpn_solver_set_start_of_scores(solver, x, wrong), DCPN_DATA);
    assert_int_equal(dcpn_solver_set_start_of_scores(solver, x, right), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fits_say_what_plain_loops_say),
        cmocka_unit_test(maximum_likelihood_is_that_of_statsmodels),
        cmocka_unit_test(l1_optima_are_those_of_scipy),
        cmocka_unit_test(two_classes_are_one_logistic_score),
        cmocka_unit_test(the_order_turned_round_turns_signs),
        cmocka_unit_test(weights_are_repetitions),
        cmocka_unit_test(models_say_what_plain_loops_say),
        cmocka_unit_test(a_fold_may_lack_a_class),
        cmocka_unit_test(gaps_have_a_barrier),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(starts_keep_to_the_order),
    };
    return cmocka_run_group_tests_name("problems.ordinal", tests, setup, teardown);
}
