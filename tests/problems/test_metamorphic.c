/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between problems: the data are changed in a way whose effect on the solution is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 50, COLUMNS = 9 };

/* F at stationarity s is within s |x - x*|_1 of the minimum; with tol = 1e-10 that is far below 1e-9 of F here. */
static const double TIGHT = 1e-10, SAME = 1e-9;

static const char *const losses[] = {"squared", "logistic", "squared-hinge", "huber", "smooth-ramp"};
static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log", "lp"};
#define FOR_EACH_LOSS for (size_t loss = 0; loss < sizeof losses / sizeof *losses; loss++)
#define FOR_EACH_PENALTY for (size_t penalty = 0; penalty < sizeof penalties / sizeof *penalties; penalty++)

static int convex(const dcpn_settings *settings)
{
    return strcmp(settings->penalty, "l1") == 0 && strcmp(settings->loss, "smooth-ramp") != 0;
}

static dcpn_settings base_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.lambda = strcmp(penalty, "lp") == 0 ? 0.2 : 1.5;
    settings.theta = 0.8;
    settings.tol = TIGHT;
    /* A loss with a flat tail and a penalty that is flat far out: without ridge F falls as x grows, for ever. */
    if (strcmp(loss, "smooth-ramp") == 0 && strcmp(penalty, "l1") != 0) settings.ridge = 0.1;
    return settings;
}

/* ---- the relations ---- */

/* A relation changes data and settings in place; `back` takes the coefficients of the changed problem to those of the
 * base problem, whose F is `ratio` times smaller. */
struct relation {
    const char *name;
    void (*prepare)(struct problems_data *base, dcpn_settings *settings);
    void (*change)(struct problems_data *data, dcpn_settings *settings);
    void (*back)(const struct problems_data *base, double *x, double *intercept);
    double ratio;
    int same_path;       /* the iterates correspond, so that a non-convex problem ends at the same point */
    const char *loss;    /* holds for this loss alone; NULL: for all */
    const char *penalty; /* likewise */
};

static void copy_row(const struct problems_data *from, int64_t row, struct problems_data *to, int64_t at)
{
    for (int64_t j = 0; j < to->columns; j++)
        to->A[at * to->columns + j] = j < from->columns ? from->A[row * from->columns + j] : 0.0;
    to->classes[at] = from->classes[row];
    to->numbers[at] = from->numbers[row];
    to->weights[at] = from->weights[row];
    to->offset[at] = from->offset[row];
}

/* The same problem with other dimensions; what is new is 0. */
static void resize(struct problems_data *data, int64_t rows, int64_t columns)
{
    struct problems_data larger = problems_data_new(rows, columns, 0.0, 0);
    memset(larger.weights, 0, (size_t)rows * sizeof(double));
    memset(larger.offset, 0, (size_t)rows * sizeof(double));
    for (int64_t i = 0; i < rows && i < data->rows; i++) copy_row(data, i, &larger, i);
    for (int64_t i = data->rows; i < rows; i++) {
        larger.numbers[i] = 0.0;
        larger.classes[i] = data->classes[0];
    }
    for (int64_t j = 0; j < columns; j++) larger.factors[j] = j < data->columns ? data->factors[j] : 1.0;
    problems_data_free(data);
    *data = larger;
}

static void reverse_rows(struct problems_data *data, dcpn_settings *settings)
{
    struct problems_data before = problems_data_copy(data);
    (void)settings;
    for (int64_t i = 0; i < data->rows; i++) copy_row(&before, data->rows - 1 - i, data, i);
    problems_data_free(&before);
}

static void reverse_columns(struct problems_data *data, dcpn_settings *settings)
{
    struct problems_data before = problems_data_copy(data);
    int64_t d = data->columns;
    (void)settings;
    for (int64_t j = 0; j < d; j++) {
        data->factors[j] = before.factors[d - 1 - j];
        for (int64_t i = 0; i < data->rows; i++) data->A[i * d + j] = before.A[i * d + d - 1 - j];
    }
    problems_data_free(&before);
}

static void reverse_back(const struct problems_data *base, double *x, double *intercept)
{
    (void)intercept;
    for (int64_t j = 0; j < base->columns / 2; j++) {
        double kept = x[j];
        x[j] = x[base->columns - 1 - j];
        x[base->columns - 1 - j] = kept;
    }
}

static void weigh_first_half_twice(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    for (int64_t i = 0; i < data->rows; i++) data->weights[i] = i < data->rows / 2 ? 2.0 : 1.0;
}

static void repeat_first_half(struct problems_data *data, dcpn_settings *settings)
{
    int64_t rows = data->rows;
    (void)settings;
    resize(data, rows + rows / 2, data->columns);
    for (int64_t i = 0; i < rows / 2; i++) copy_row(data, i, data, rows + i);
    for (int64_t i = 0; i < data->rows; i++) data->weights[i] = 1.0;
}

static double column_scale(int64_t j)
{
    return ldexp(1.0, (int)(j % 5) - 2);
}

static void scale_columns(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    for (int64_t k = 0; k < data->rows * data->columns; k++) data->A[k] *= column_scale(k % data->columns);
    for (int64_t j = 0; j < data->columns; j++) data->factors[j] *= column_scale(j);
}

static void scale_back(const struct problems_data *base, double *x, double *intercept)
{
    (void)intercept;
    for (int64_t j = 0; j < base->columns; j++) x[j] *= column_scale(j);
}

static void with_intercept(struct problems_data *data, dcpn_settings *settings)
{
    (void)data;
    settings->intercept = 1;
}

static void swap_labels(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    for (int64_t i = 0; i < data->rows; i++) {
        data->classes[i] = 4.0 - data->classes[i]; /* 1 and 3 */
        data->numbers[i] = -data->numbers[i];
        data->offset[i] = -data->offset[i];
    }
}

static void negate_back(const struct problems_data *base, double *x, double *intercept)
{
    *intercept = -*intercept;
    for (int64_t j = 0; j < base->columns; j++) x[j] = -x[j];
}

static void unit_weights(struct problems_data *data, dcpn_settings *settings)
{
    for (int64_t i = 0; i < data->rows; i++) data->weights[i] = 1.0;
    settings->ridge = 0.3;
    settings->intercept = 1;
}

static void take_the_mean(struct problems_data *data, dcpn_settings *settings)
{
    settings->scale = "mean";
    settings->lambda /= (double)data->rows;
    settings->ridge /= (double)data->rows;
    settings->gamma *= (double)data->rows; /* mcp: the curvature of p is 1/gamma */
}

static void double_everything(struct problems_data *data, dcpn_settings *settings)
{
    for (int64_t i = 0; i < data->rows; i++) data->weights[i] *= 2.0;
    settings->lambda *= 2.0;
    settings->ridge *= 2.0;
    settings->gamma /= 2.0;
}

static void shift_offset(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    for (int64_t i = 0; i < data->rows; i++) data->offset[i] += 1.5;
}

static void shift_back(const struct problems_data *base, double *x, double *intercept)
{
    (void)base;
    (void)x;
    *intercept += 1.5;
}

static void with_ridge(struct problems_data *data, dcpn_settings *settings)
{
    (void)data;
    settings->ridge = 2.25;
}

/* Rows 1.5 e_j with number 0 add 1/2 2.25 x_j^2. */
static void ridge_as_rows(struct problems_data *data, dcpn_settings *settings)
{
    int64_t rows = data->rows;
    resize(data, rows + data->columns, data->columns);
    for (int64_t j = 0; j < data->columns; j++) {
        data->A[(rows + j) * data->columns + j] = 1.5;
        data->weights[rows + j] = 1.0;
    }
    settings->ridge = 0.0;
}

static void weigh_last_third_nothing(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    for (int64_t i = data->rows - data->rows / 3; i < data->rows; i++) data->weights[i] = 0.0;
}

static void remove_last_third(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    resize(data, data->rows - data->rows / 3, data->columns);
}

static void append_empty_columns(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    resize(data, data->rows, data->columns + 3);
}

/* A column twice: l1 shares the coefficient out between the two at no cost and no gain. */
static void repeat_first_column(struct problems_data *data, dcpn_settings *settings)
{
    (void)settings;
    resize(data, data->rows, data->columns + 1);
    for (int64_t i = 0; i < data->rows; i++)
        data->A[i * data->columns + data->columns - 1] = data->A[i * data->columns];
    data->factors[data->columns - 1] = data->factors[0];
}

static void add_back(const struct problems_data *base, double *x, double *intercept)
{
    (void)intercept;
    x[0] += x[base->columns];
}

static const struct relation relations[] = {
    {"rows in another order", with_intercept, reverse_rows, NULL, 1.0, 1, NULL, NULL},
    {"columns in another order", NULL, reverse_columns, reverse_back, 1.0, 0, NULL, NULL},
    {"a row twice is weight 2", weigh_first_half_twice, repeat_first_half, NULL, 1.0, 1, NULL, NULL},
    {"scaled columns, scaled factors", NULL, scale_columns, scale_back, 1.0, 0, NULL, "l1"},
    {"other labels, other signs", with_intercept, swap_labels, negate_back, 1.0, 1, NULL, NULL},
    {"mean with lambda / n is sum", unit_weights, take_the_mean, NULL, 1.0 / ROWS, 1, NULL, "l1"},
    {"mean with lambda / n is sum", unit_weights, take_the_mean, NULL, 1.0 / ROWS, 1, NULL, "capped-l1"},
    {"mean with lambda / n is sum", unit_weights, take_the_mean, NULL, 1.0 / ROWS, 1, NULL, "mcp"},
    {"mean with lambda / n is sum", unit_weights, take_the_mean, NULL, 1.0 / ROWS, 1, NULL, "log"},
    {"mean with lambda / n is sum", unit_weights, take_the_mean, NULL, 1.0 / ROWS, 1, NULL, "lp"},
    {"2 F", with_ridge, double_everything, NULL, 2.0, 1, NULL, "l1"},
    {"2 F", with_ridge, double_everything, NULL, 2.0, 1, NULL, "capped-l1"},
    {"2 F", with_ridge, double_everything, NULL, 2.0, 1, NULL, "mcp"},
    {"a constant offset is an intercept", with_intercept, shift_offset, shift_back, 1.0, 0, NULL, NULL},
    {"ridge is rows", with_ridge, ridge_as_rows, NULL, 1.0, 0, "squared", NULL},
    {"weight 0 is no row", weigh_last_third_nothing, remove_last_third, NULL, 1.0, 1, NULL, NULL},
    {"empty columns change nothing", NULL, append_empty_columns, NULL, 1.0, 0, NULL, NULL},
    {"a column twice", NULL, repeat_first_column, add_back, 1.0, 0, NULL, "l1"},
};

static double mapped_objective(const struct relation *relation, const struct problems_data *base,
                               const dcpn_settings *settings, const struct problems_fit *fit)
{
    double intercept = fit->intercept;
    if (relation->back) relation->back(base, fit->x, &intercept);
    return problems_naive(base, settings, fit->x, intercept).objective;
}

static void check_relation(const struct relation *relation, const char *loss, const char *penalty)
{
    struct problems_data base = problems_data_new(ROWS, COLUMNS, 0.6, 99);
    dcpn_settings settings = base_settings(loss, penalty);
    if (relation->prepare) relation->prepare(&base, &settings);
    struct problems_data changed = problems_data_copy(&base);
    dcpn_settings changed_settings = settings;
    relation->change(&changed, &changed_settings);

    struct problems_fit first = problems_solve(context, &base, PROBLEMS_CSR, &settings, NULL);
    struct problems_fit second = problems_solve(context, &changed, PROBLEMS_CSR, &changed_settings, NULL);
    problems_assert_converged(&base, &settings, &first);
    problems_assert_converged(&changed, &changed_settings, &second);
    assert_true(first.result.nonzeros > 0);
    double mapped = mapped_objective(relation, &base, &settings, &second);
    problems_assert_close(second.result.objective, relation->ratio * mapped, SAME, relation->name);
    if (convex(&settings) || relation->same_path)
        problems_assert_close(first.result.objective, mapped, SAME, relation->name);
    problems_fit_free(&first);
    problems_fit_free(&second);
    problems_data_free(&changed);
    problems_data_free(&base);
}

static void relations_hold(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof relations / sizeof *relations; k++) {
        FOR_EACH_LOSS
        {
            FOR_EACH_PENALTY
            {
                if (relations[k].loss && strcmp(relations[k].loss, losses[loss]) != 0) continue;
                if (relations[k].penalty && strcmp(relations[k].penalty, penalties[penalty]) != 0) continue;
                check_relation(&relations[k], losses[loss], penalties[penalty]);
            }
        }
    }
}

/* ---- storage ---- */

static void every_storage_gives_the_same_objective(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.5, 7);
    (void)state;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) data.A[k] = (double)(float)data.A[k];
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = base_settings(losses[loss], penalties[penalty]);
            double first = NAN;
            settings.intercept = 1;
            for (int storage = 0; storage < PROBLEMS_STORAGE_COUNT; storage++) {
                struct problems_fit fit =
                    problems_solve(context, &data, (enum problems_storage)storage, &settings, NULL);
                problems_assert_converged(&data, &settings, &fit);
                if (isnan(first)) first = fit.result.objective;
                problems_assert_close(fit.result.objective, first, SAME, penalties[penalty]);
                problems_fit_free(&fit);
            }
        }
    }
    problems_data_free(&data);
}

/* ---- lambda_max ---- */

/* The largest |gradient_j| / factor_j at 0: what the slope of the penalty at 0 must reach. */
static double slope_max(const struct problems_data *data, const dcpn_settings *settings)
{
    double largest = 0.0;
    const double *labels = problems_labels(data, settings->loss);
    for (int64_t j = 0; j < data->columns; j++) {
        long double g = 0.0L;
        for (int64_t i = 0; i < data->rows; i++) {
            long double label = labels == data->numbers ? labels[i] : labels[i] - 2.0; /* 1 and 3 */
            g += data->weights[i] * problems_loss_slope(settings, label, data->offset[i]) * data->A[i * COLUMNS + j];
        }
        largest = fmax(largest, (double)fabsl(g) / data->factors[j]);
    }
    return largest;
}

/* A search over basins would leave x = 0. */
static dcpn_settings local_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = base_settings(loss, penalty);
    settings.global = "off";
    return settings;
}

static void lambda_max_is_where_the_model_becomes_empty(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 31);
    (void)state;
    for (int64_t j = 0; j < COLUMNS; j++) data.factors[j] = 0.5 + 0.25 * (double)(j % 4);
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            double unit = (double)problems_penalty_slope(&settings, 1.0L, 0.0L, 1);
            double lambda_max = slope_max(&data, &settings) / unit;
            settings.lambda = lambda_max * (1.0 + 1e-12);
            struct problems_fit empty = problems_solve(context, &data, PROBLEMS_CSC, &settings, NULL);
            problems_assert_converged(&data, &settings, &empty);
            assert_int_equal(empty.result.nonzeros, 0);
            assert_int_equal(empty.result.iterations, 0);
            settings.lambda = lambda_max * (1.0 - 1e-6);
            struct problems_fit full = problems_solve(context, &data, PROBLEMS_CSC, &settings, NULL);
            problems_assert_converged(&data, &settings, &full);
            assert_true(full.result.nonzeros > 0);
            problems_fit_free(&empty);
            problems_fit_free(&full);
        }
    }
    problems_data_free(&data);
}

/* ---- one problem, solved again ---- */

static void a_solution_is_a_fixed_point(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 8);
    (void)state;
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            struct problems_fit first = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &first);
            struct problems_fit second = problems_solve(context, &data, PROBLEMS_ROW_MAJOR, &settings, first.x);
            assert_int_equal(second.result.iterations, 0);
            assert_memory_equal(first.x, second.x, COLUMNS * sizeof *first.x);
            assert_true(first.result.objective == second.result.objective);
            problems_fit_free(&first);
            problems_fit_free(&second);
        }
    }
    problems_data_free(&data);
}

static void a_solver_runs_twice_to_the_same_bytes(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 8);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_part metric, subsolver;
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        for (size_t k = 0; dcpn_part_at("subsolver", k, &subsolver); k++) {
            dcpn_settings settings = problems_settings("logistic", "mcp", metric.name, subsolver.name);
            dcpn_solver *solver = NULL;
            double x[COLUMNS];
            assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
            assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
            memcpy(x, dcpn_solver_coefficients(solver), sizeof x);
            int64_t iterations = dcpn_solver_result(solver)->iterations;
            assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
            assert_memory_equal(x, dcpn_solver_coefficients(solver), sizeof x);
            assert_int_equal(iterations, dcpn_solver_result(solver)->iterations);
            dcpn_solver_free(solver);
        }
    }
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static void an_empty_column_stays_0(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 12);
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS + 3] = 0.0;
    FOR_EACH_LOSS
    {
        FOR_EACH_PENALTY
        {
            dcpn_settings settings = local_settings(losses[loss], penalties[penalty]);
            struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
            problems_assert_converged(&data, &settings, &fit);
            assert_true(fit.x[3] == 0.0);
            problems_fit_free(&fit);
        }
    }
    problems_data_free(&data);
}

/* As a time in seconds has it. To values that are multiples of 1/1024 it is added exactly. */
static const double shifts[COLUMNS] = {[2] = 0x1p31, [5] = -0x1p20};

static void a_far_mean_goes_into_the_intercept(void **state)
{
    struct problems_data base = problems_data_new(ROWS, COLUMNS, 1.0, 20261116);
    (void)state;
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) base.A[k] = round(base.A[k] * 1024.0) / 1024.0;
    struct problems_data far = problems_data_copy(&base);
    for (int64_t k = 0; k < ROWS * COLUMNS; k++) far.A[k] += shifts[k % COLUMNS];
    FOR_EACH_LOSS
    {
        dcpn_settings settings = base_settings(losses[loss], "l1");
        settings.intercept = 1;
        settings.tol = 1e-6;
        if (!convex(&settings)) continue;
        struct problems_fit near_fit = problems_solve(context, &base, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        struct problems_fit far_fit = problems_solve(context, &far, PROBLEMS_ROW_MAJOR, &settings, NULL);
        assert_int_equal(far_fit.result.outcome, DCPN_CONVERGED);
        problems_assert_close(far_fit.result.objective, near_fit.result.objective, 1e-8, losses[loss]);
        double intercept = far_fit.intercept;
        for (int64_t j = 0; j < COLUMNS; j++) {
            assert_true(fabs(far_fit.x[j] - near_fit.x[j]) < 1e-4);
            intercept += shifts[j] * far_fit.x[j];
        }
        assert_true(fabs(intercept - near_fit.intercept) < 1e-4);
        problems_fit_free(&far_fit);
        problems_fit_free(&near_fit);
    }
    problems_data_free(&far);
    problems_data_free(&base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_hold),
        cmocka_unit_test(every_storage_gives_the_same_objective),
        cmocka_unit_test(lambda_max_is_where_the_model_becomes_empty),
        cmocka_unit_test(a_solution_is_a_fixed_point),
        cmocka_unit_test(a_solver_runs_twice_to_the_same_bytes),
        cmocka_unit_test(an_empty_column_stays_0),
        cmocka_unit_test(a_far_mean_goes_into_the_intercept),
    };
    return cmocka_run_group_tests_name("problems.metamorphic", tests, setup, teardown);
}
