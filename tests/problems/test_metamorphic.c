/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between problems: the data are changed in a way whose effect on the solution is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "settings/registry.h"
#include "support/problems_every.h"

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
    to->positives[at] = from->positives[row];
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
        larger.positives[i] = 1.0;
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
                if (relations[k].change == swap_labels && dcpn_find_loss(losses[loss])->response.takes)
                    continue; /* no signs */
                if (relations[k].penalty && strcmp(relations[k].penalty, penalties[penalty]) != 0) continue;
                check_relation(&relations[k], losses[loss], penalties[penalty]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relations_hold),
    };
    return cmocka_run_group_tests_name("problems.metamorphic", tests, setup, teardown);
}
