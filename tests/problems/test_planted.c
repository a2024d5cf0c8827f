/* SPDX-License-Identifier: BSD-3-Clause */
/* Planted stationary points: x* is chosen first, then data for which it is stationary. With slopes r_i of the loss in
 * the rows, x* is stationary if A'r = -s, s_j = sign(x_j) p'(|x_j|) where x_j is not 0 and |s_j| < p'(0+) elsewhere.
 * r = -A (A'A)^-1 s does it, and offsets, labels and weights bring any loss to have the slopes r. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/one_score.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 60, COLUMNS = 8 };

/* With theta = 1, lambda = 1, a = 3.7, gamma = 3 these lie on every piece of every penalty. */
static const double planted[COLUMNS] = {0.0, 0.4, -2.5, 0.0, 5.0, -1.6, 0.0, 0.2};

static void gram(const double *A, int64_t rows, int64_t columns, const int64_t *chosen, int64_t count, long double *G)
{
    for (int64_t j = 0; j < count; j++)
        for (int64_t k = 0; k < count; k++)
            for (int64_t i = 0; i < rows; i++)
                G[j * count + k] += (long double)A[i * columns + chosen[j]] * A[i * columns + chosen[k]];
}

/* The required slopes s, then (A'A)^-1 s. */
static void multipliers(const struct problems_data *data, const dcpn_settings *settings, long double *s)
{
    long double *G = problems_memory(COLUMNS * COLUMNS, sizeof *G);
    int64_t all[COLUMNS];
    for (int64_t j = 0; j < COLUMNS; j++) {
        long double t = fabs(planted[j]), slope = problems_penalty_slope(settings, settings->lambda, t, 1);
        all[j] = j;
        s[j] = t > 0.0L ? copysignl(slope, planted[j]) : (j % 2 ? 0.8L : -0.5L) * slope;
    }
    gram(data->A, ROWS, COLUMNS, all, COLUMNS, G);
    assert_true(problems_linear_solve(COLUMNS, G, s));
    free(G);
}

/* Row i gets the slope r: for two classes the label that pulls the right way, at margin 0.3, and a weight; for numbers
 * a residual of half of the knee, for means exp(u) one of half of it, and a weight. */
static void plant_row(struct problems_data *data, const dcpn_settings *settings, int64_t i, long double r)
{
    const double *labels = problems_labels(data, settings->loss);
    int numbers = labels != data->classes, is_positive = labels == data->positives;
    double knee = strcmp(settings->loss, "quantile") == 0 ? settings->smoothing : settings->delta;
    long double ax = 0.0L, sign = r > 0.0L ? 1.0L : -1.0L, u;
    for (int64_t j = 0; j < COLUMNS; j++) ax += (long double)data->A[i * COLUMNS + j] * planted[j];
    data->offset[i] = is_positive ? (double)(0.25L - ax) : numbers ? 0.25 : (double)(-0.3L * sign - ax);
    u = ax + data->offset[i];
    data->classes[i] = (double)-sign;
    data->numbers[i] = (double)(u - sign * 0.5L * knee);
    data->positives[i] = (double)(expl(u) * (1.0L - sign * 0.5L));
    long double label = labels[i];
    data->weights[i] = (double)(r / problems_loss_slope(settings, label, u));
}

/* A is large enough for A'WA to dominate the concavity of the penalty, so that x* is a strict local minimiser. */
static struct problems_data plant(const dcpn_settings *settings)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 77);
    long double s[COLUMNS];
    free(data.factors);
    data.factors = NULL;
    multipliers(&data, settings, s);
    for (int64_t i = 0; i < ROWS; i++) {
        long double r = 0.0L;
        for (int64_t j = 0; j < COLUMNS; j++) r -= (long double)data.A[i * COLUMNS + j] * s[j];
        plant_row(&data, settings, i, r);
    }
    return data;
}

static dcpn_settings planted_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.tol = 1e-7;
    settings.global = "off";     /* a search over basins would leave a planted point that is not the lowest */
    settings.max_iter = 1000000; /* a multiple of the identity is slow where a non-convex loss is nearly flat */
    return settings;
}

static void start_at_the_planted_point(const struct problems_data *data, dcpn_settings settings, const char *metric)
{
    settings.metric = metric;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, planted);
    problems_assert_converged(data, &settings, &fit);
    assert_int_equal(fit.result.iterations, 0);
    assert_memory_equal(fit.x, planted, sizeof planted);
    problems_fit_free(&fit);
}

/* F never rises above the start, and the end is no higher than the planted point: where F is convex, a point with
 * stationarity s is at most s |x - x*|_1 above it. */
static void start_near_the_planted_point(const struct problems_data *data, dcpn_settings settings, const char *metric)
{
    double near[COLUMNS], distance = 0.0;
    struct problems_naive at_planted = problems_naive(data, &settings, planted, 0.0);
    struct rng rng;
    dcpn_rng_seed(&rng, 5);
    for (int64_t j = 0; j < COLUMNS; j++) near[j] = planted[j] + 1e-3 * dcpn_rng_normal(&rng);
    settings.metric = metric;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, near);
    problems_assert_converged(data, &settings, &fit);
    assert_true(fit.result.iterations > 0);
    assert_true(fit.result.objective <= problems_naive(data, &settings, near, 0.0).objective);
    for (int64_t j = 0; j < COLUMNS; j++) distance += fabs(fit.x[j] - planted[j]);
    double excess = fit.result.objective - at_planted.objective;
    if (!(excess <= fit.result.stationarity * distance + at_planted.objective_noise))
        fail_msg("%s %s %s: ended %g away, F is higher than at the planted point by %g", settings.loss,
                 settings.penalty, metric, distance, excess);
    problems_fit_free(&fit);
}

static void a_planted_point_is_kept_and_found(void **state)
{
    dcpn_part loss, penalty, metric;
    (void)state;
    for (size_t i = 0; dcpn_part_at("loss", i, &loss) && has_one_score(&loss); i++) {
        for (size_t j = 0; dcpn_part_at("penalty", j, &penalty); j++) {
            dcpn_settings settings = planted_settings(loss.name, penalty.name);
            struct problems_data data = plant(&settings);
            for (size_t k = 0; dcpn_part_at("metric", k, &metric); k++) {
                settings.metric = metric.name;
                if (dcpn_combination_check(context, &settings) != DCPN_OK) continue; /* no bound on the curvature */
                start_at_the_planted_point(&data, settings, metric.name);
                start_near_the_planted_point(&data, settings, metric.name);
            }
            problems_data_free(&data);
        }
    }
}

/* ---- the kink of capped-l1 ---- */

/* 1/2 (x - y)^2 + lambda min(|x|, theta) from x = theta, lambda = 0.5, theta = 1: for y = 1.5 the left slope is 0 there
 * and the way out is to the right, for y = 1 the right slope is 0 and the way out is to the left. */
static void leave_the_kink(double y, double sign, double expected)
{
    struct problems_data data = problems_data_new(1, 1, 1.0, 1);
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    double start = sign;
    problems_data_plain(&data);
    data.A[0] = 1.0;
    data.numbers[0] = sign * y;
    settings.lambda = 0.5;
    settings.tol = 1e-12;
    settings.max_iter = 0;
    struct problems_fit at_kink = problems_solve(context, &data, PROBLEMS_CSR, &settings, &start);
    problems_assert_certificate(&data, &settings, &at_kink);
    assert_true(at_kink.result.stationarity == 0.5);
    settings.max_iter = 100;
    struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, &start);
    problems_assert_converged(&data, &settings, &fit);
    assert_true(fabs(fit.x[0] - sign * expected) <= 1e-12);
    assert_true(fit.result.objective < at_kink.result.objective);
    problems_fit_free(&at_kink);
    problems_fit_free(&fit);
    problems_data_free(&data);
}

static void a_kink_is_left_on_the_side_that_descends(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        leave_the_kink(1.5, sign, 1.5);
        leave_the_kink(1.0, sign, 0.5);
    }
}

/* ---- support recovery: n = 200 rows, 5 of 50 coefficients of size 2, little noise ---- */

enum { TALL = 200, WIDE = 50, KEPT = 5 };

static struct problems_data recovery_data(void)
{
    struct problems_data data = problems_data_new(TALL, WIDE, 1.0, 4711);
    struct rng rng;
    dcpn_rng_seed(&rng, 4712);
    problems_data_plain(&data);
    for (int64_t i = 0; i < TALL; i++) {
        data.numbers[i] = 0.1 * dcpn_rng_normal(&rng);
        for (int64_t k = 0; k < KEPT; k++) data.numbers[i] += (k % 2 ? -2.0 : 2.0) * data.A[i * WIDE + 7 * k];
    }
    return data;
}

/* Least squares on the true support. */
static void oracle(const struct problems_data *data, long double *solution)
{
    static const int64_t support[KEPT] = {0, 7, 14, 21, 28};
    long double *G = problems_memory(KEPT * KEPT, sizeof *G);
    gram(data->A, TALL, WIDE, support, KEPT, G);
    for (int64_t k = 0; k < KEPT; k++) {
        solution[k] = 0.0L;
        for (int64_t i = 0; i < TALL; i++)
            solution[k] += (long double)data->A[i * WIDE + support[k]] * data->numbers[i];
    }
    assert_true(problems_linear_solve(KEPT, G, solution));
    free(G);
}

/* lambda_max is near 400 here, the noise's correlations near 1.4: 0.1 sqrt(200). Where the penalty is flat at 2 the
 * coefficients are those of least squares on the support; l1 and log shrink them. */
static void check_recovery(const struct problems_data *data, const char *penalty, int flat)
{
    dcpn_settings settings = problems_settings("squared", penalty, NULL, NULL);
    long double expected[KEPT];
    settings.scale = "mean";
    settings.lambda = 0.1;
    settings.theta = 0.5;
    settings.tol = 1e-9;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_ROW_MAJOR, &settings, NULL);
    problems_assert_converged(data, &settings, &fit);
    oracle(data, expected);
    for (int64_t j = 0; j < WIDE; j++) {
        int kept = j % 7 == 0 && j / 7 < KEPT;
        assert_int_equal(fit.x[j] != 0.0, kept);
        if (kept && flat) assert_true(fabs(fit.x[j] - (double)expected[j / 7]) <= 1e-8);
        if (kept) assert_true(fabs(fit.x[j] - (double)expected[j / 7]) <= 0.5);
    }
    problems_fit_free(&fit);
}

static void the_planted_support_is_recovered(void **state)
{
    struct problems_data data = recovery_data();
    (void)state;
    check_recovery(&data, "l1", 0);
    check_recovery(&data, "capped-l1", 1);
    check_recovery(&data, "scad", 1);
    check_recovery(&data, "mcp", 1);
    check_recovery(&data, "log", 0);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_point_is_kept_and_found),
        cmocka_unit_test(a_kink_is_left_on_the_side_that_descends),
        cmocka_unit_test(the_planted_support_is_recovered),
    };
    return cmocka_run_group_tests_name("problems.planted", tests, setup, teardown);
}
