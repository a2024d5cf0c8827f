/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's toy problem: what is relevant, the classes, the standardisation, and the seed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/data.h"

struct generated {
    dcpn_toy toy;
    dcpn_context *context;
    dcpn_dataset *train, *test;
    unsigned char *truth;
};

static struct generated generate(dcpn_toy toy)
{
    struct generated result = {.toy = toy, .context = dcpn_context_new(NULL)};
    result.truth = calloc((size_t)toy.features, 1);
    assert_non_null(result.context);
    assert_non_null(result.truth);
    assert_int_equal(dcpn_generate_toy(result.context, &toy, &result.train, &result.test, result.truth), DCPN_OK);
    return result;
}

static void discard(struct generated *generated)
{
    dcpn_dataset_free(generated->train);
    dcpn_dataset_free(generated->test);
    dcpn_context_free(generated->context);
    free(generated->truth);
}

/* Column j, as A times a unit vector; to be freed. */
static double *column_of(const dcpn_dataset *dataset, int64_t j)
{
    double *unit = calloc((size_t)dataset->features, sizeof *unit);
    double *column = calloc((size_t)dataset->rows, sizeof *column);
    assert_non_null(unit);
    assert_non_null(column);
    unit[j] = 1.0;
    dcpn_matrix_apply(dataset->matrix, unit, column);
    free(unit);
    return column;
}

static double mean_where(const dcpn_dataset *dataset, const double *column, double label)
{
    double sum = 0.0, count = 0.0;
    for (int64_t i = 0; i < dataset->rows; i++)
        if (dataset->labels[i] == label) sum += column[i], count += 1.0;
    return sum / count;
}

static double mean_square(const dcpn_dataset *dataset, const double *column)
{
    double sum = 0.0;
    for (int64_t i = 0; i < dataset->rows; i++) sum += column[i] * column[i];
    return sum / (double)dataset->rows;
}

static double mean_of(const dcpn_dataset *dataset, const double *column)
{
    double sum = 0.0;
    for (int64_t i = 0; i < dataset->rows; i++) sum += column[i];
    return sum / (double)dataset->rows;
}

static const dcpn_toy small = {.features = 40, .relevant = 6, .rows = 300, .test_rows = 200, .seed = 1};

static void sizes_labels_and_truth_are_as_asked(void **state)
{
    (void)state;
    struct generated g = generate(small);
    int64_t relevant = 0;
    for (int64_t j = 0; j < small.features; j++) relevant += g.truth[j];
    assert_int_equal(relevant, small.relevant);
    const dcpn_dataset *both[] = {g.train, g.test};
    const int64_t rows[] = {small.rows, small.test_rows};
    for (int p = 0; p < 2; p++) {
        int64_t positive = 0;
        assert_int_equal(both[p]->rows, rows[p]);
        assert_int_equal(both[p]->features, small.features);
        assert_int_equal(both[p]->index_base, 1);
        assert_int_equal(dcpn_matrix_rows(both[p]->matrix), rows[p]);
        assert_int_equal(dcpn_matrix_columns(both[p]->matrix), small.features);
        for (int64_t i = 0; i < rows[p]; i++) {
            assert_true(both[p]->labels[i] == 1.0 || both[p]->labels[i] == -1.0);
            positive += both[p]->labels[i] > 0.0;
        }
        assert_true(fabs((double)(2 * positive - rows[p])) < 5.0 * sqrt((double)rows[p])); /* a fair coin */
    }
    discard(&g);
}

static void training_columns_are_standardised_and_hold_float32_values(void **state)
{
    (void)state;
    struct generated g = generate(small);
    for (int64_t j = 0; j < small.features; j++) {
        double *column = column_of(g.train, j);
        assert_true(fabs(mean_of(g.train, column)) < 1e-8);
        assert_true(fabs(mean_square(g.train, column) - 1.0) < 1e-7);
        for (int64_t i = 0; i < small.rows; i++) assert_true(column[i] == (double)(float)column[i]);
        free(column);
    }
    discard(&g);
}

/* The test rows are shifted and scaled as the training rows are: so they are close to standardised, but not quite. */
static void test_columns_use_the_training_scale(void **state)
{
    (void)state;
    struct generated g = generate(small);
    double largest = 0.0;
    for (int64_t j = 0; j < small.features; j++) {
        double *column = column_of(g.test, j);
        double mean = mean_of(g.test, column), square = mean_square(g.test, column);
        largest = fmax(largest, fabs(mean));
        assert_true(fabs(mean) < 0.4 && square > 0.5 && square < 2.0);
        free(column);
    }
    assert_true(largest > 1e-3);
    discard(&g);
}

static int same_rows(const dcpn_dataset *a, const dcpn_dataset *b)
{
    if (memcmp(a->labels, b->labels, (size_t)a->rows * sizeof *a->labels) != 0) return 0;
    int same = 1;
    for (int64_t j = 0; j < a->features && same; j++) {
        double *left = column_of(a, j), *right = column_of(b, j);
        same = memcmp(left, right, (size_t)a->rows * sizeof *left) == 0;
        free(left);
        free(right);
    }
    return same;
}

static void a_seed_gives_the_same_bytes_and_another_seed_others(void **state)
{
    (void)state;
    dcpn_toy other = small;
    other.seed = 2;
    struct generated first = generate(small), again = generate(small), different = generate(other);
    assert_true(same_rows(first.train, again.train));
    assert_true(same_rows(first.test, again.test));
    assert_memory_equal(first.truth, again.truth, (size_t)small.features);
    assert_false(same_rows(first.train, different.train));
    assert_memory_not_equal(first.truth, different.truth, (size_t)small.features);
    discard(&first);
    discard(&again);
    discard(&different);
}

static void training_rows_do_not_depend_on_the_number_of_test_rows(void **state)
{
    (void)state;
    dcpn_toy without = small;
    without.test_rows = 0;
    struct generated with_test = generate(small), alone = generate(without);
    assert_null(alone.test);
    assert_true(same_rows(with_test.train, alone.train));
    discard(&with_test);
    discard(&alone);
}

/* Noise has no class: the difference of the class means is within five standard errors. */
static void noise_knows_nothing_of_the_labels(void **state)
{
    (void)state;
    struct generated g = generate((dcpn_toy){.features = 50, .relevant = 5, .rows = 20000, .seed = 3});
    for (int64_t j = 0; j < g.toy.features; j++) {
        if (g.truth[j]) continue;
        double *column = column_of(g.train, j);
        double difference = mean_where(g.train, column, 1.0) - mean_where(g.train, column, -1.0);
        assert_true(fabs(difference) < 5.0 * 2.0 / sqrt((double)g.toy.rows));
        free(column);
    }
    discard(&g);
}

/* In a single relevant variable the model can be undone by hand: class c is N(+-mu, g_c^2), mu = +-1, so that with the
 * class means m+ and m- and class deviations s+ and s- after standardisation, (m+ - m-) / 2 stands for |mu| = 1. */
static void one_relevant_variable_has_the_means_and_variances_of_the_model(void **state)
{
    (void)state;
    enum { SEEDS = 400 };
    double variance = 0.0, fourth = 0.0;
    int positive = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct generated g = generate((dcpn_toy){.features = 1, .relevant = 1, .rows = 4000, .seed = seed});
        double *column = column_of(g.train, 0);
        double plus = mean_where(g.train, column, 1.0), half = (plus - mean_where(g.train, column, -1.0)) / 2.0;
        double spread = 0.0, count = 0.0;
        for (int64_t i = 0; i < g.toy.rows; i++)
            if (g.train->labels[i] > 0.0) spread += (column[i] - plus) * (column[i] - plus), count += 1.0;
        double g2 = spread / count / (half * half); /* the square of a standard normal */
        variance += g2;
        fourth += g2 * g2;
        positive += half > 0.0;
        free(column);
        discard(&g);
    }
    assert_true(fabs(variance / SEEDS - 1.0) < 5.0 * sqrt(2.0 / SEEDS)); /* E g^2 = 1, var g^2 = 2 */
    assert_true(fabs(fourth / SEEDS - 3.0) < 5.0 * sqrt(96.0 / SEEDS));  /* E g^4 = 3, var g^4 = 96 */
    assert_true(abs(2 * positive - SEEDS) < 5 * 20);                     /* mu = +-1 with equal chance */
}

/* T relevant variables: within a class E |G z|^2 = T^2, and the means are mu and -mu, so that over all columns the
 * between-class part of the variance is 1 / (1 + T) on average. */
static void the_covariance_grows_with_the_degrees_of_freedom(void **state)
{
    (void)state;
    enum { T = 20, SEEDS = 20 };
    double between = 0.0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct generated g = generate((dcpn_toy){.features = T, .relevant = T, .rows = 4000, .seed = seed});
        for (int64_t j = 0; j < T; j++) {
            double *column = column_of(g.train, j);
            double half = (mean_where(g.train, column, 1.0) - mean_where(g.train, column, -1.0)) / 2.0;
            between += half * half;
            free(column);
        }
        discard(&g);
    }
    between /= T * SEEDS;
    assert_true(between > 0.9 / (T + 1) && between < 1.2 / (T + 1));
}

/* Linear within-class dependence: relevant columns of one class are correlated, noise columns are not. */
static void relevant_variables_are_correlated_and_noise_is_not(void **state)
{
    (void)state;
    struct generated g = generate((dcpn_toy){.features = 20, .relevant = 10, .rows = 10000, .seed = 5});
    double largest[2] = {0.0, 0.0}; /* among noise, among relevant */
    for (int64_t j = 0; j < g.toy.features; j++) {
        for (int64_t k = 0; k < j; k++) {
            if (g.truth[j] != g.truth[k]) continue;
            double *a = column_of(g.train, j), *b = column_of(g.train, k), sum = 0.0;
            for (int64_t i = 0; i < g.toy.rows; i++) sum += a[i] * b[i];
            largest[g.truth[j]] = fmax(largest[g.truth[j]], fabs(sum / (double)g.toy.rows));
            free(a);
            free(b);
        }
    }
    assert_true(largest[0] < 0.05);
    assert_true(largest[1] > 0.2);
    discard(&g);
}

static void relevant_positions_are_spread_evenly(void **state)
{
    (void)state;
    enum { D = 10, SEEDS = 2000 };
    int count[D] = {0};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct generated g = generate((dcpn_toy){.features = D, .relevant = 3, .rows = 2, .seed = seed});
        for (int j = 0; j < D; j++) count[j] += g.truth[j];
        discard(&g);
    }
    for (int j = 0; j < D; j++) assert_true(abs(count[j] - 3 * SEEDS / D) < 5 * 21); /* five deviations */
}

static void refuse(dcpn_toy toy, const char *word)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL, *test = NULL;
    assert_int_equal(dcpn_generate_toy(context, &toy, &train, &test, NULL), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), word));
    assert_null(train);
    assert_null(test);
    dcpn_context_free(context);
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    refuse((dcpn_toy){.features = 5, .relevant = 6, .rows = 10}, "6 relevant of 5");
    refuse((dcpn_toy){.features = 5, .relevant = 0, .rows = 10}, "0 relevant");
    refuse((dcpn_toy){.features = 5, .relevant = 1, .rows = 1}, "1 rows");
    refuse((dcpn_toy){.features = 5, .relevant = 1, .rows = 10, .test_rows = -1}, "-1 test rows");
}

static void sizes_beyond_memory_are_a_memory_error(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    dcpn_toy huge = {.features = INT64_C(1) << 40, .relevant = 1, .rows = INT64_C(1) << 40};
    assert_int_equal(dcpn_generate_toy(context, &huge, &train, NULL, NULL), DCPN_MEMORY);
    assert_null(train);
    dcpn_context_free(context);
}

static void test_rows_without_a_place_are_refused(void **state)
{
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL;
    assert_int_equal(dcpn_generate_toy(context, &small, &train, NULL, NULL), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "200 test rows"));
    dcpn_context_free(context);
}

struct counted {
    int64_t live, made, fail_at; /* fail_at < 0: never */
};

static void *allocate_counted(void *user, size_t bytes)
{
    struct counted *counted = user;
    if (counted->made++ == counted->fail_at) return NULL;
    counted->live++;
    return malloc(bytes);
}

static void release_counted(void *user, void *memory)
{
    struct counted *counted = user;
    counted->live -= memory != NULL;
    free(memory);
}

static void every_allocation_may_fail_without_a_leak(void **state)
{
    (void)state;
    dcpn_status status = DCPN_MEMORY;
    for (int64_t k = 1; status != DCPN_OK; k++) { /* allocation 0 is the context itself */
        struct counted counted = {.fail_at = k};
        dcpn_allocator allocator = {allocate_counted, release_counted, &counted};
        dcpn_context *context = dcpn_context_new(&allocator);
        dcpn_dataset *train = NULL, *test = NULL;
        status = dcpn_generate_toy(context, &small, &train, &test, NULL);
        assert_true(status == DCPN_OK || (status == DCPN_MEMORY && !train && !test));
        dcpn_dataset_free(train);
        dcpn_dataset_free(test);
        dcpn_context_free(context);
        assert_int_equal(counted.live, 0);
        assert_true(k < 100);
    }
}

static double correlation(int64_t rows, const double *a, const double *b)
{
    double aa = 0.0, bb = 0.0, ab = 0.0;
    for (int64_t i = 0; i < rows; i++) aa += a[i] * a[i], bb += b[i] * b[i], ab += a[i] * b[i];
    return ab / sqrt(aa * bb);
}

/* Correlation 1/2 within groups and 0 between them, whole groups matter, and the signal is three quarters of the
 * label. */
static void groups_are_correlated_and_matter_as_wholes(void **state)
{
    enum { N = 20000, P = 11, SIZE = 3 };
    const dcpn_grouped how = {.features = P, .size = SIZE, .relevant = 2, .rows = N, .test_rows = 5, .seed = 8};
    unsigned char truth[P];
    double *columns[P], labels = 0.0;
    int marked = 0;
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_dataset *train = NULL, *test = NULL;
    (void)state;
    assert_int_equal(dcpn_generate_groups(context, &how, &train, &test, truth), DCPN_OK);
    assert_int_equal(test->rows, 5);
    for (int64_t j = 0; j < P; j++) columns[j] = column_of(train, j);
    for (int64_t j = 0; j < P; j++) {
        assert_true(truth[j] == truth[j / SIZE * SIZE]);
        marked += j % SIZE == 0 && truth[j];
        for (int64_t k = 0; k < j; k++)
            assert_true(fabs(correlation(N, columns[j], columns[k]) - (j / SIZE == k / SIZE ? 0.5 : 0.0)) < 0.03);
        if (!truth[j]) assert_true(fabs(correlation(N, columns[j], train->labels)) < 0.03);
    }
    assert_int_equal(marked, 2);
    double gram[P * P], right[P], explained = 0.0; /* least squares by elimination: what the features explain */
    for (int64_t j = 0; j < P; j++) {
        right[j] = 0.0;
        for (int64_t i = 0; i < N; i++) right[j] += columns[j][i] * train->labels[i];
        for (int64_t k = 0; k < P; k++) {
            gram[j * P + k] = 0.0;
            for (int64_t i = 0; i < N; i++) gram[j * P + k] += columns[j][i] * columns[k][i];
        }
    }
    for (int64_t p = 0; p < P; p++) {
        explained += right[p] * right[p] / gram[p * P + p];
        for (int64_t j = p + 1; j < P; j++) {
            double ratio = gram[j * P + p] / gram[p * P + p];
            for (int64_t k = 0; k < P; k++) gram[j * P + k] -= ratio * gram[p * P + k];
            right[j] -= ratio * right[p];
        }
    }
    for (int64_t i = 0; i < N; i++) labels += train->labels[i] * train->labels[i];
    assert_true(fabs(explained / labels - 0.75) < 0.02);
    for (int64_t j = 0; j < P; j++) free(columns[j]);
    dcpn_dataset_free(train);
    dcpn_dataset_free(test);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_correlated_and_matter_as_wholes),
        cmocka_unit_test(sizes_labels_and_truth_are_as_asked),
        cmocka_unit_test(training_columns_are_standardised_and_hold_float32_values),
        cmocka_unit_test(test_columns_use_the_training_scale),
        cmocka_unit_test(a_seed_gives_the_same_bytes_and_another_seed_others),
        cmocka_unit_test(training_rows_do_not_depend_on_the_number_of_test_rows),
        cmocka_unit_test(noise_knows_nothing_of_the_labels),
        cmocka_unit_test(one_relevant_variable_has_the_means_and_variances_of_the_model),
        cmocka_unit_test(the_covariance_grows_with_the_degrees_of_freedom),
        cmocka_unit_test(relevant_variables_are_correlated_and_noise_is_not),
        cmocka_unit_test(relevant_positions_are_spread_evenly),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(sizes_beyond_memory_are_a_memory_error),
        cmocka_unit_test(test_rows_without_a_place_are_refused),
        cmocka_unit_test(every_allocation_may_fail_without_a_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
