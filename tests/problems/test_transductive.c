/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems in which some rows have no label: naive code finds the same objective and stationarity; no weight, no
 * influence; the order of rows does not matter; extreme settings end at numbers; what cannot be meant is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_naive.h"
#include "with_context.h"

/* Every third row keeps its label. */
static struct problems_data data_without_labels(int64_t rows, int64_t columns, int plain)
{
    struct problems_data data = problems_data_new(rows, columns, 0.6, 20261115);
    if (plain) problems_data_plain(&data);
    for (int64_t i = 0; i < rows; i++)
        if (i % 3) data.classes[i] = NAN;
    return data;
}

static dcpn_settings settings_of(const char *unlabelled_loss, const char *penalty)
{
    dcpn_settings settings = problems_settings("logistic", penalty, NULL, NULL);
    settings.unlabelled_loss = unlabelled_loss;
    settings.intercept = 1;
    settings.lambda = strcmp(penalty, "lp") == 0 ? 0.2 : 1.0;
    settings.theta = 0.8;
    return settings;
}

#define FOR_EACH(KIND, PART) for (size_t PART##_index = 0; dcpn_part_at(KIND, PART##_index, &PART); PART##_index++)

/* A metric of first order may need more iterations than a test has; its certificate is right all the same. */
static void solve_and_judge(const struct problems_data *data, dcpn_settings settings)
{
    int second_order = strcmp(settings.metric, "auto") == 0 || strcmp(settings.metric, "hessian") == 0;
    if (!second_order) settings.max_iter = 300;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(fit.status, DCPN_OK);
    (second_order ? problems_assert_converged : problems_assert_certificate)(data, &settings, &fit);
    problems_fit_free(&fit);
}

static void every_loss_has_its_certificate_with_every_penalty(void **state)
{
    dcpn_part loss, penalty, metric;
    struct problems_data plain = data_without_labels(60, 8, 1), full = data_without_labels(60, 8, 0);
    (void)state;
    FOR_EACH("unlabelled-loss", loss)
    FOR_EACH("penalty", penalty)
    FOR_EACH("metric", metric)
    {
        dcpn_settings settings = settings_of(loss.name, penalty.name);
        settings.metric = metric.name;
        solve_and_judge(&plain, settings);
        settings.unlabelled_weight = 0.2;
        settings.balance = 0.5;
        settings.scale = "mean";
        settings.lambda *= 0.05;
        solve_and_judge(&full, settings);
        settings.balance = 0.0;
        settings.annealing = settings.intercept = 0;
        settings.active_set = "on";
        solve_and_judge(&full, settings);
    }
    problems_data_free(&plain);
    problems_data_free(&full);
}

static void every_labelled_loss_goes_beside_them(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 0);
    static const char *const LOSSES[] = {"logistic", "squared-hinge", "smooth-ramp"};
    dcpn_part penalty;
    (void)state;
    FOR_EACH("penalty", penalty)
    for (size_t i = 0; i < sizeof LOSSES / sizeof *LOSSES; i++) {
        dcpn_settings settings = settings_of("transductive", penalty.name);
        settings.loss = LOSSES[i];
        solve_and_judge(&data, settings);
    }
    problems_data_free(&data);
}

static void every_algorithm_takes_them(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 1);
    static const char *const ALGORITHMS[] = {"dcpn", "gist", "dca", "sparsa", "proximal-gradient"};
    (void)state;
    for (size_t i = 0; i < sizeof ALGORITHMS / sizeof *ALGORITHMS; i++) {
        dcpn_settings settings = settings_of("symmetric-gaussian", "l1");
        settings.algorithm = ALGORITHMS[i];
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
        if (fit.status == DCPN_OK)
            problems_assert_certificate(&data, &settings, &fit);
        else
            assert_int_equal(fit.status, DCPN_USAGE);
        problems_fit_free(&fit);
    }
    problems_data_free(&data);
}

/* The rows with a label alone, in memory of their own. */
static struct problems_data labelled_rows(const struct problems_data *data)
{
    struct problems_data part = problems_data_copy(data);
    int64_t rows = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        if (isnan(data->classes[i])) continue;
        memcpy(part.A + rows * part.columns, data->A + i * data->columns, (size_t)data->columns * sizeof *data->A);
        part.classes[rows] = data->classes[i];
        part.weights[rows] = data->weights[i];
        part.offset[rows++] = data->offset[i];
    }
    part.rows = rows;
    return part;
}

static void weight_0_leaves_the_labelled_rows_alone(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 0), part = labelled_rows(&data);
    dcpn_settings settings = settings_of("transductive", "l1");
    (void)state;
    settings.tol = 1e-9;
    settings.unlabelled_weight = 0.0;
    struct problems_fit all = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    struct problems_fit some = problems_solve(context, &part, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(all.status, DCPN_OK);
    assert_int_equal(some.status, DCPN_OK);
    problems_assert_close(all.result.objective, some.result.objective, 1e-12, "objective");
    for (int64_t j = 0; j < data.columns; j++) assert_true(fabs(all.x[j] - some.x[j]) <= 1e-6);
    problems_fit_free(&all);
    problems_fit_free(&some);
    problems_data_free(&part);
    problems_data_free(&data);
}

/* A flat penalty with a small theta: from 0 no feature gets over the kink, and a search has to find those that pay. */
static void while_labels_lead_basins_are_searched_as_without_other_rows(void **state)
{
    struct problems_data data = data_without_labels(300, 40, 0), part = labelled_rows(&data);
    dcpn_settings settings = settings_of("transductive", "capped-l1");
    (void)state;
    settings.lambda = 4.0;
    settings.theta = 0.02;
    struct problems_fit some = problems_solve(context, &part, PROBLEMS_CSR, &settings, NULL);
    settings.unlabelled_weight = 0.0;
    struct problems_fit all = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    settings.global = "off";
    struct problems_fit local = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    assert_true(all.result.objective <=
                (1.0 + 1e-6) * some.result.objective); /* in which basin is the search's business */
    assert_true(all.result.objective < 0.9 * local.result.objective);
    settings.global = "auto";
    settings.unlabelled_weight = 0.01;
    struct problems_fit light = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    problems_assert_converged(&data, &settings, &light);
    assert_true(light.result.objective < 0.9 * local.result.objective);
    problems_fit_free(&some);
    problems_fit_free(&all);
    problems_fit_free(&local);
    problems_fit_free(&light);
    problems_data_free(&part);
    problems_data_free(&data);
}

/* Rows in another order, so that runs are many, few and of length 1, and beyond one block. */
static void the_order_of_rows_does_not_matter(void **state)
{
    struct problems_data data = data_without_labels(5000, 6, 1), other = problems_data_copy(&data);
    dcpn_settings settings = settings_of("symmetric-gaussian", "l1");
    int64_t next = 0;
    (void)state;
    for (int labelled = 1; labelled >= 0; labelled--)
        for (int64_t i = 0; i < data.rows; i++) {
            if (isnan(data.classes[i]) == labelled) continue;
            memcpy(other.A + next * 6, data.A + i * 6, 6 * sizeof *data.A);
            other.classes[next++] = data.classes[i];
        }
    assert_int_equal(next, data.rows);
    settings.annealing = 0; /* its visits have an order */
    settings.max_iter = 5;  /* later ones would make much of a rounding */
    struct problems_fit one = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    struct problems_fit two = problems_solve(context, &other, PROBLEMS_CSR, &settings, NULL);
    problems_assert_certificate(&data, &settings, &one);
    problems_assert_certificate(&other, &settings, &two);
    problems_assert_close(one.result.objective, two.result.objective, 1e-6, "objective");
    problems_fit_free(&one);
    problems_fit_free(&two);
    problems_data_free(&other);
    problems_data_free(&data);
}

/* 0 among -1 and +1 is no label either; among other labels it is one. */
static void zeros_are_no_labels_beside_signs(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 1), zeros = problems_data_copy(&data);
    dcpn_settings settings = settings_of("transductive", "l1");
    double low = HUGE_VAL;
    (void)state;
    for (int64_t i = 0; i < data.rows; i++) low = fmin(low, data.classes[i]);
    for (int64_t i = 0; i < data.rows; i++) {
        double label = data.classes[i];
        zeros.classes[i] = isnan(label) ? 0.0 : label == low ? -1.0 : 1.0;
    }
    struct problems_fit one = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
    struct problems_fit two = problems_solve(context, &zeros, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(two.status, DCPN_OK);
    assert_memory_equal(one.x, two.x, (size_t)data.columns * sizeof *one.x);
    problems_fit_free(&two);
    for (int64_t i = 0; i < data.rows; i++) zeros.classes[i] *= 2.0;
    two = problems_solve(context, &zeros, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(two.status, DCPN_DATA); /* three classes */
    problems_fit_free(&one);
    problems_fit_free(&two);
    problems_data_free(&zeros);
    problems_data_free(&data);
}

static void assert_refused(const struct problems_data *data, const char *loss, const char *words)
{
    dcpn_settings settings = settings_of("transductive", "l1");
    settings.loss = loss;
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_CSR, &settings, NULL);
    assert_int_equal(fit.status, DCPN_DATA);
    if (!strstr(dcpn_last_error(context), words)) fail_msg("found: %s", dcpn_last_error(context));
    problems_fit_free(&fit);
}

static void too_few_labels_are_refused(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 1);
    double kept = NAN;
    (void)state;
    for (int64_t i = 0; i < data.rows; i++) {
        if (isnan(kept)) kept = data.classes[i];
        if (data.classes[i] != kept) data.classes[i] = NAN;
    }
    assert_refused(&data, "logistic", "the one class");
    for (int64_t i = 0; i < data.rows; i++) data.classes[i] = NAN;
    assert_refused(&data, "logistic", "no row has one");
    data.numbers[3] = NAN;
    assert_refused(&data, "squared", "has none");
    problems_data_free(&data);
}

/* Numbers, and where scores are not huge, those that naive code finds. */
static void assert_ends_at_numbers(const struct problems_data *data, const dcpn_settings *settings, int judge)
{
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_CSR, settings, NULL);
    assert_int_equal(fit.status, DCPN_OK);
    if (!isfinite(fit.result.objective) || !isfinite(fit.result.stationarity) || !isfinite(fit.intercept))
        fail_msg("%s, weight %g, tau %g, sharpness %g: objective %g, stationarity %g", settings->unlabelled_loss,
                 settings->unlabelled_weight, settings->tau, settings->sharpness, fit.result.objective,
                 fit.result.stationarity);
    for (int64_t j = 0; j < data->columns; j++) assert_true(isfinite(fit.x[j]));
    if (judge) problems_assert_certificate(data, settings, &fit);
    problems_fit_free(&fit);
}

static void extremes_end_at_numbers(void **state)
{
    static const double WEIGHTS[] = {0.0, 1e-6, 1.0, 1e6}, PARAMETERS[] = {1e-3, 1.0, 1e3}, SCALES[] = {1.0, 1e6};
    dcpn_part loss, penalty;
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct problems_data data = data_without_labels(45, 20, 1); /* more features than labels */
        for (int64_t i = 0; i < 45 * 20; i++) data.A[i] *= SCALES[k];
        FOR_EACH("unlabelled-loss", loss)
        FOR_EACH("penalty", penalty)
        for (size_t g = 0; g < 4; g++)
            for (size_t t = 0; t < 3; t++) {
                dcpn_settings settings = settings_of(loss.name, penalty.name);
                settings.unlabelled_weight = WEIGHTS[g];
                settings.tau = settings.sharpness = PARAMETERS[t];
                settings.max_iter = 200;
                assert_ends_at_numbers(&data, &settings, SCALES[k] == 1.0);
                settings.annealing = 0;
                settings.balance = WEIGHTS[3 - g];
                assert_ends_at_numbers(&data, &settings, 0);
            }
        problems_data_free(&data);
    }
}

/* Steps that could be doubled five times only, and an active set that forgot short ones, took ten thousand and more. */
static void heavy_rows_let_converge(void **state)
{
    static const char *const CASES[][2] = {{"transductive", "l1"},
                                           {"transductive", "capped-l1"},
                                           {"transductive", "scad"},
                                           {"symmetric-squared-hinge", "l1"}};
    struct problems_data data = data_without_labels(60, 10, 1);
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        dcpn_settings settings = settings_of(CASES[k][0], CASES[k][1]);
        settings.unlabelled_weight = 1e6;
        settings.tau = 1e-3;
        settings.active_set = "on";
        solve_and_judge(&data, settings);
    }
    problems_data_free(&data);
}

static int64_t count_wrong(const struct problems_data *data, const dcpn_settings *settings)
{
    struct problems_fit fit = problems_solve(context, data, PROBLEMS_ROW_MAJOR, settings, NULL);
    int64_t wrong = 0;
    problems_assert_converged(data, settings, &fit);
    for (int64_t i = 0; i < data->rows; i++) {
        double u = fit.intercept;
        for (int64_t j = 0; j < data->columns; j++) u += data->A[i * data->columns + j] * fit.x[j];
        wrong += (u > 0.0) != (i % 2);
    }
    problems_fit_free(&fit);
    return wrong;
}

/* Two clouds of rows far apart, two labels in each, and a direction of pure noise in which the labelled rows happen to
 * differ: the annealed fit puts the boundary between the clouds, also far from the origin. */
static void assert_boundary_between_clouds(double from_origin)
{
    enum { ROWS = 400, COLUMNS = 6 };
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 5);
    dcpn_settings settings = settings_of("symmetric-gaussian", "l1");
    struct rng rng;
    problems_data_plain(&data);
    dcpn_rng_seed(&rng, 11);
    for (int64_t i = 0; i < ROWS; i++) {
        double side = i % 2 ? 1.0 : -1.0;
        for (int64_t j = 0; j < COLUMNS; j++)
            data.A[i * COLUMNS + j] = 0.3 * dcpn_rng_normal(&rng) + (j < 3 ? side : 0.0) + from_origin;
        data.classes[i] = i < 4 ? side : (double)NAN;
        if (i < 4) data.A[i * COLUMNS + 5] += 1.5 * side;
    }
    settings.lambda = 2.0;
    assert_true(count_wrong(&data, &settings) <= 2);
    problems_data_free(&data);
}

static void the_boundary_goes_where_rows_are_few(void **state)
{
    (void)state;
    assert_boundary_between_clouds(0.0);
    assert_boundary_between_clouds(10.0);
}

/* Clouds that overlap, along one variable of ten: 20 labels tell which one, 180 rows without any do no harm. */
static void rows_without_labels_do_no_harm(void **state)
{
    enum { ROWS = 200, COLUMNS = 10, LABELLED = 20, DRAWS = 10 };
    int64_t wrong[2] = {0, 0};
    (void)state;
    for (uint64_t draw = 0; draw < DRAWS; draw++) {
        struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 5);
        struct rng rng;
        problems_data_plain(&data);
        dcpn_rng_seed(&rng, draw);
        for (int64_t i = 0; i < ROWS; i++) {
            double side = i % 2 ? 1.0 : -1.0;
            for (int64_t j = 0; j < COLUMNS; j++)
                data.A[i * COLUMNS + j] = dcpn_rng_normal(&rng) + (j == 0 ? 1.5 * side : 0.0);
            data.classes[i] = i < LABELLED ? side : (double)NAN;
        }
        for (int weight = 0; weight < 2; weight++) {
            dcpn_settings settings = settings_of("transductive", "capped-l1");
            settings.intercept = 0;
            settings.unlabelled_weight = weight;
            wrong[weight] += count_wrong(&data, &settings);
        }
        problems_data_free(&data);
    }
    if (wrong[1] > wrong[0] + ROWS * DRAWS / 50) fail_msg("%lld, %lld", (long long)wrong[0], (long long)wrong[1]);
}

/* One row in six has a label; weights and offsets. */
static void few_labels_have_their_certificate(void **state)
{
    struct problems_data data = data_without_labels(90, 8, 0);
    (void)state;
    for (int64_t i = 0; i < data.rows; i++)
        if (i % 6) data.classes[i] = NAN;
    solve_and_judge(&data, settings_of("transductive", "capped-l1"));
    solve_and_judge(&data, settings_of("symmetric-gaussian", "mcp"));
    problems_data_free(&data);
}

struct steps {
    double longest, value;
    int rose;
};

static int note_step(void *user, const dcpn_progress *progress)
{
    struct steps *steps = user;
    steps->longest = fmax(steps->longest, progress->step);
    steps->rose |= progress->objective > steps->value;
    steps->value = progress->objective;
    return 0;
}

/* Rows everywhere and a flat penalty: the scores grow, and near the boundary the curvature is negative. The metric that
 * clips it leads to steps beyond 1, and F falls all the same; the paper's never does. */
static void steps_are_longer_where_curvature_is_clipped(void **state)
{
    enum { ROWS = 600, COLUMNS = 4 };
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 5);
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 30; i < ROWS; i++) data.classes[i] = NAN;
    for (int clipped = 0; clipped < 2; clipped++) {
        dcpn_settings settings = settings_of("transductive", "capped-l1");
        struct steps steps = {.value = HUGE_VAL};
        dcpn_matrix *A = NULL;
        dcpn_problem *problem = NULL;
        dcpn_solver *solver = NULL;
        settings.curvature = clipped ? "clipped" : "f1";
        settings.max_iter = 200;
        assert_int_equal(
            dcpn_matrix_dense(context, ROWS, COLUMNS, data.A, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &A),
            DCPN_OK);
        assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        dcpn_solver_set_observer(solver, note_step, &steps);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        assert_false(steps.rose);
        assert_int_equal(steps.longest > 1.0, clipped);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
    problems_data_free(&data);
}

/* A penalty that is flat far out does not hold an annealed start back, whatever it costs: then the fit starts at 0. */
static void no_fit_ends_above_that_of_no_features(void **state)
{
    static const char *const PENALTIES[] = {"mcp", "scad", "capped-l1"};
    struct problems_data data = data_without_labels(20, 8, 1);
    double zeros[8] = {0};
    dcpn_part loss;
    (void)state;
    FOR_EACH("unlabelled-loss", loss)
    for (size_t p = 0; p < 3; p++) {
        dcpn_settings settings = settings_of(loss.name, PENALTIES[p]);
        settings.intercept = 0;
        settings.lambda = settings.gamma = settings.sharpness = 0.5;
        settings.a = 1.5;
        settings.theta = 0.1;
        settings.scale = "mean";
        settings.global = "off";
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
        double nothing = problems_naive(&data, &settings, zeros, 0.0).objective;
        if (!(fit.result.objective <= nothing)) fail_msg("%s %s: %g", loss.name, PENALTIES[p], fit.result.objective);
        problems_fit_free(&fit);
    }
    problems_data_free(&data);
}

/* Twice the weighted sum of the losses: the scale of F is no matter, and the weight of rows without a label is. */
static void deviances_do_not_depend_on_the_scale(void **state)
{
    struct problems_data data = data_without_labels(60, 8, 1);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    double deviance[2];
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    for (int k = 0; k < 2; k++) {
        dcpn_settings settings = settings_of("transductive", "l1");
        dcpn_paths *paths = NULL;
        settings.scale = k ? "mean" : "sum";
        settings.unlabelled_weight = 0.01;
        assert_int_equal(dcpn_paths_fit(context, problem, &settings, NULL, &paths), DCPN_OK);
        deviance[k] = paths->null_deviance;
        dcpn_paths_free(paths);
    }
    problems_assert_close(deviance[1], deviance[0], 1e-10, "null deviance");
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_loss_has_its_certificate_with_every_penalty, setup, teardown),
        cmocka_unit_test_setup_teardown(every_labelled_loss_goes_beside_them, setup, teardown),
        cmocka_unit_test_setup_teardown(every_algorithm_takes_them, setup, teardown),
        cmocka_unit_test_setup_teardown(weight_0_leaves_the_labelled_rows_alone, setup, teardown),
        cmocka_unit_test_setup_teardown(while_labels_lead_basins_are_searched_as_without_other_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(the_order_of_rows_does_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(zeros_are_no_labels_beside_signs, setup, teardown),
        cmocka_unit_test_setup_teardown(too_few_labels_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(extremes_end_at_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(heavy_rows_let_converge, setup, teardown),
        cmocka_unit_test_setup_teardown(rows_without_labels_do_no_harm, setup, teardown),
        cmocka_unit_test_setup_teardown(few_labels_have_their_certificate, setup, teardown),
        cmocka_unit_test_setup_teardown(steps_are_longer_where_curvature_is_clipped, setup, teardown),
        cmocka_unit_test_setup_teardown(no_fit_ends_above_that_of_no_features, setup, teardown),
        cmocka_unit_test_setup_teardown(deviances_do_not_depend_on_the_scale, setup, teardown),
        cmocka_unit_test_setup_teardown(the_boundary_goes_where_rows_are_few, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
