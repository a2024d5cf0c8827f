/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes in units of the problem: they are the raw ones that a curvature computed by hand makes of them; fits do not
 * change when labels, rows, columns or the scale of the loss do, which raw shapes have to be told of; the knot of
 * capped-l1 travels with lambda. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 60, COLUMNS = 6 };

/* Columns of unequal size. */
static struct problems_data data_of(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, seed);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < COLUMNS; j++) data.A[i * COLUMNS + j] *= 0.5 + (double)j;
    for (int64_t j = 0; j < COLUMNS; j++) data.factors[j] = 1.0;
    return data;
}

static dcpn_settings settings_of(const char *loss, const char *penalty, const char *scale)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.shape_units = "problem";
    settings.scale = scale;
    settings.intercept = 1;
    settings.tol = 1e-9;
    return settings;
}

static double total_weight(const struct problems_data *data)
{
    double total = 0.0;
    for (int64_t i = 0; i < data->rows; i++) total += data->weights[i];
    return total;
}

/* Weighted variance of a column, row by row. */
static double variance(const struct problems_data *data, int64_t j)
{
    double total = total_weight(data), mean = 0.0, sum = 0.0;
    for (int64_t i = 0; i < data->rows; i++) mean += data->weights[i] / total * data->A[i * data->columns + j];
    for (int64_t i = 0; i < data->rows; i++) {
        double from_mean = data->A[i * data->columns + j] - mean;
        sum += data->weights[i] / total * from_mean * from_mean;
    }
    return sum;
}

/* The mean over the columns as given: the mean of their variances, each weighing what it is. */
static double usual_variance(const struct problems_data *data)
{
    double sum = 0.0, squares = 0.0;
    for (int64_t j = 0; j < data->columns; j++) {
        sum += variance(data, j);
        squares += variance(data, j) * variance(data, j);
    }
    return squares / sum;
}

static struct problems_fit fit(const struct problems_data *data, const dcpn_settings *settings)
{
    struct problems_fit made = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, settings, NULL);
    if (made.status != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(made.result.outcome, DCPN_CONVERGED);
    return made;
}

/* With these columns of the second multiplied by `times`, the coefficients are those of the first divided by it. */
static void assert_same(const struct problems_data *data, const dcpn_settings *one, const struct problems_data *other,
                        const dcpn_settings *two, double times, const char *what)
{
    struct problems_fit a = fit(data, one), b = fit(other, two);
    int used = 0;
    for (int64_t j = 0; j < COLUMNS; j++) {
        used += a.x[j] != 0.0;
        if (fabs(a.x[j] - times * b.x[j]) > 1e-6 * (fabs(a.x[j]) + 1e-3))
            fail_msg("%s, %s, %s: x_%d is %.10g and %.10g", what, one->loss, one->penalty, (int)j, a.x[j],
                     times * b.x[j]);
    }
    if (!used) fail_msg("%s, %s, %s: no feature is in use: the lambda says nothing", what, one->loss, one->penalty);
    problems_fit_free(&a);
    problems_fit_free(&b);
}

static const struct {
    const char *loss;
    double sup, lambda; /* of phi'', and one that keeps some features */
} LOSSES[] = {{"squared", 1.0, 0.3}, {"logistic", 0.25, 0.05}, {"huber", 1.0, 0.3}};
static const char *const PENALTIES[] = {"mcp", "capped-l1"};

static void put_raw(dcpn_settings *settings, double curvature)
{
    settings->shape_units = "raw";
    settings->gamma /= curvature;
    settings->theta *= settings->lambda / curvature;
}

static void they_are_the_raw_ones_of_the_curvature(void **state)
{
    struct problems_data data = data_of(3);
    (void)state;
    for (size_t l = 0; l < sizeof LOSSES / sizeof *LOSSES; l++)
        for (size_t p = 0; p < sizeof PENALTIES / sizeof *PENALTIES; p++)
            for (int standardize = 0; standardize < 2; standardize++)
                for (int is_mean = 0; is_mean < 2; is_mean++) {
                    dcpn_settings own = settings_of(LOSSES[l].loss, PENALTIES[p], is_mean ? "mean" : "sum"), raw;
                    double weight = is_mean ? 1.0 : total_weight(&data);
                    own.standardize = standardize;
                    own.lambda = LOSSES[l].lambda * weight;
                    raw = own;
                    put_raw(&raw, LOSSES[l].sup * weight * (standardize ? 1.0 : usual_variance(&data)));
                    assert_same(&data, &own, &data, &raw, 1.0, "by hand");
                }
    problems_data_free(&data);
}

static void the_scale_of_the_loss_does_not_matter(void **state)
{
    static const char *const all[] = {"mcp", "capped-l1", "scad"};
    struct problems_data data = data_of(4);
    (void)state;
    for (size_t l = 0; l < sizeof LOSSES / sizeof *LOSSES; l++)
        for (size_t p = 0; p < sizeof all / sizeof *all; p++) {
            dcpn_settings mean = settings_of(LOSSES[l].loss, all[p], "mean"), sum;
            mean.lambda = LOSSES[l].lambda;
            sum = mean;
            sum.scale = "sum";
            sum.lambda *= total_weight(&data);
            assert_same(&data, &mean, &data, &sum, 1.0, "mean and sum");
        }
    problems_data_free(&data);
}

static void the_unit_of_the_columns_does_not_matter(void **state)
{
    static const char *const all[] = {"mcp", "capped-l1", "scad"};
    static const double times = 8.0;
    struct problems_data data = data_of(5), larger = problems_data_copy(&data);
    (void)state;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) larger.A[k] *= times;
    for (size_t l = 0; l < sizeof LOSSES / sizeof *LOSSES; l++)
        for (size_t p = 0; p < sizeof all / sizeof *all; p++) {
            dcpn_settings one = settings_of(LOSSES[l].loss, all[p], "mean"), two;
            one.lambda = LOSSES[l].lambda;
            two = one;
            two.lambda *= times;
            assert_same(&data, &one, &larger, &two, times, "larger columns");
        }
    problems_data_free(&data);
    problems_data_free(&larger);
}

/* Each point of a path is a fit with the knot that its lambda has. */
static void a_knot_travels_down_a_path(void **state)
{
    struct problems_data data = data_of(6);
    dcpn_settings settings = settings_of("squared", "capped-l1", "mean");
    dcpn_path_options options = {.lambda_count = 12, .min_ratio = 0.05};
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    dcpn_model *model = NULL;
    (void)state;
    problems_data_plain(&data);
    settings.standardize = 1;
    settings.theta = 1.5;
    settings.global = "off";
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    assert_true(fabs(paths->paths[0].shape_unit - 1.0) < 1e-12);
    for (int64_t k = 0; k < paths->paths[0].count; k++) {
        assert_int_equal(dcpn_paths_model(paths, 0, k, 1, &model), DCPN_OK);
        double lambda = paths->paths[0].points[k].lambda, rest = 0.0;
        assert_true(fabs(dcpn_raw_shape(&model->settings, model->shape_unit) - 1.5 * lambda) < 1e-12 * lambda);
        for (int64_t i = 0; i < model->nonzeros; i++) { /* on columns of deviation 1 */
            double x = 0.0;
            for (int64_t d = 0; d < paths->deviations.count; d++)
                if (paths->deviations.index[d] == model->index[i])
                    x = fabs(model->value[i] * paths->deviations.value[d]);
            rest += fmin(x, 1.5 * lambda);
        }
        assert_true(fabs(model->fit.penalty_value - lambda * rest) <= 1e-9 * (lambda * rest + 1e-12));
        dcpn_model_free(model);
    }
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

/* What has no units is raw, and says so by a unit of 0. */
static void what_has_no_units_stays_as_it_is(void **state)
{
    static const char *const others[] = {"l1", "log", "lp"};
    struct problems_data data = data_of(7);
    (void)state;
    for (size_t p = 0; p < sizeof others / sizeof *others; p++) {
        dcpn_settings own = settings_of("squared", others[p], "mean"), raw = own;
        own.lambda = raw.lambda = 0.05;
        raw.shape_units = "raw";
        assert_same(&data, &own, &data, &raw, 1.0, "without units");
        assert_true(isnan(dcpn_raw_shape(&own, 2.0)) || strcmp(others[p], "log") == 0);
    }
    dcpn_settings mcp = settings_of("squared", "mcp", "mean");
    assert_true(dcpn_raw_shape(&mcp, 0.0) == 3.0 && dcpn_raw_shape(&mcp, 4.0) == 12.0);
    mcp.penalty = "log";
    assert_true(dcpn_raw_shape(&mcp, 4.0) == mcp.theta);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_the_raw_ones_of_the_curvature),
        cmocka_unit_test(the_scale_of_the_loss_does_not_matter),
        cmocka_unit_test(the_unit_of_the_columns_does_not_matter),
        cmocka_unit_test(a_knot_travels_down_a_path),
        cmocka_unit_test(what_has_no_units_stays_as_it_is),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
