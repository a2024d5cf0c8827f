/* SPDX-License-Identifier: BSD-3-Clause */
/* The best model of at most K features: on small problems all sets are enumerated. Columns are correlated, so that the
 * sets of a path alone are often not the best (counted below). */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "with_context.h"

enum { N = 40, P = 12, K = 4, PROBLEMS = 60 };

struct drawn {
    double A[N * P], y[N];
};

/* Neighbouring columns are correlated by .8, and the labels are those of five of them, two side by side, and noise. */
static void draw(uint64_t seed, int is_logistic, struct drawn *data)
{
    static const double x[P] = {0.0, 1.0, -1.0, 0.0, 0.0, 0.8, 0.0, 0.6, 0.0, 0.0, -0.5, 0.0};
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int i = 0; i < N; i++) {
        double *row = data->A + i * P, u = 0.0;
        for (int j = 0; j < P; j++) row[j] = (j ? 0.8 * row[j - 1] : 0.0) + (j ? 0.6 : 1.0) * dcpn_rng_normal(&rng);
        for (int j = 0; j < P; j++) u += row[j] * x[j];
        u += dcpn_rng_normal(&rng);
        data->y[i] = is_logistic ? (u > 0.0 ? 1.0 : -1.0) : u;
    }
}

/* ---- by enumeration ---- */

/* Solves H s = -g for a positive H of `count` rows, by elimination. */
static void solve(int count, double *H, double *g)
{
    for (int k = 0; k < count; k++)
        for (int l = k + 1; l < count; l++) {
            double ratio = H[l * count + k] / H[k * count + k];
            for (int m = k; m < count; m++) H[l * count + m] -= ratio * H[k * count + m];
            g[l] -= ratio * g[k];
        }
    for (int k = count - 1; k >= 0; k--) {
        for (int l = k + 1; l < count; l++) g[k] -= H[k * count + l] * g[l];
        g[k] /= H[k * count + k];
    }
    for (int k = 0; k < count; k++) g[k] = -g[k];
}

/* The mean loss of the best model with an intercept and these features, by Newton's method, with a ridge on columns of
 * deviation 1. */
static double loss_of(const struct drawn *data, const int *set, int features, int is_logistic, const double *ridge)
{
    double b[K + 1] = {0.0}, value = INFINITY;
    int count = features + 1;
    for (int step = 0; step < 60; step++) {
        double H[(K + 1) * (K + 1)] = {0.0}, g[K + 1] = {0.0}, now = 0.0;
        for (int i = 0; i < N; i++) {
            double a[K + 1] = {1.0}, u = b[0], y = data->y[i];
            for (int k = 0; k < features; k++) u += (a[k + 1] = data->A[i * P + set[k]]) * b[k + 1];
            double slope = is_logistic ? -y / (1.0 + exp(y * u)) : u - y;
            double bend = is_logistic ? 1.0 / (2.0 + exp(u) + exp(-u)) : 1.0;
            now += (is_logistic ? log1p(exp(-y * u)) : 0.5 * (y - u) * (y - u)) / N;
            for (int k = 0; k < count; k++) g[k] += slope * a[k] / N;
            for (int k = 0; k < count * count; k++) H[k] += bend * a[k / count] * a[k % count] / N;
        }
        for (int k = 1; k < count; k++) {
            now += 0.5 * ridge[set[k - 1]] * b[k] * b[k];
            g[k] += ridge[set[k - 1]] * b[k];
            H[k * count + k] += ridge[set[k - 1]];
        }
        if (!(now < value - 1e-14)) return fmin(now, value);
        value = now;
        solve(count, H, g);
        for (int k = 0; k < count; k++) b[k] += g[k];
    }
    return value;
}

static int next_set(int *set, int count)
{
    int k = count - 1;
    while (k >= 0 && set[k] == P - count + k) k--;
    if (k < 0) return 0;
    set[k]++;
    for (int l = k + 1; l < count; l++) set[l] = set[l - 1] + 1;
    return 1;
}

static double least_loss(const struct drawn *data, int count, int is_logistic, const double *ridge)
{
    int set[K];
    double least = INFINITY;
    for (int k = 0; k < count; k++) set[k] = k;
    do least = fmin(least, loss_of(data, set, count, is_logistic, ridge));
    while (next_set(set, count));
    return least;
}

/* ---- by the library ---- */

/* Groups of several sizes, not contiguous. */
enum { GROUPS = 6 };
static const int64_t start[GROUPS + 1] = {0, 2, 3, 6, 8, 10, 12};
static const int64_t member[P] = {1, 7, 2, 0, 5, 10, 3, 4, 6, 9, 8, 11};

static dcpn_cv *choose_groups(const struct drawn *data, int is_logistic, int64_t kept, int relaxes,
                              const char *grouping)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_cv_options options = {.folds = 2, .compares = 1, .relaxes = relaxes, .path = {.features_kept = kept}};
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    settings.loss = is_logistic ? "logistic" : "squared";
    assert_int_equal(dcpn_matrix_dense(context, N, P, data->A, DCPN_FLOAT64, DCPN_ROW_MAJOR, P, DCPN_BORROW, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, data->y, &problem), DCPN_OK);
    if (grouping) assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    if (grouping) settings.grouping = grouping;
    if (dcpn_cv_run(context, problem, &settings, &options, &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return cv;
}

static dcpn_cv *choose(const struct drawn *data, int is_logistic, int64_t kept, int relaxes)
{
    return choose_groups(data, is_logistic, kept, relaxes, NULL);
}

static void ridges(const struct drawn *data, double ridge, double *of_columns)
{
    for (int j = 0; j < P; j++) {
        double mean = 0.0, square = 0.0;
        for (int i = 0; i < N; i++) mean += data->A[i * P + j] / N;
        for (int i = 0; i < N; i++) square += pow(data->A[i * P + j] - mean, 2.0) / N;
        of_columns[j] = ridge * square;
    }
}

/* How many of the sizes up to K end above the best set; sets that are no better than smaller ones are not kept. */
static int count_missed(const struct drawn *data, const dcpn_cv *cv, int is_logistic)
{
    const dcpn_path *path = &cv->paths->paths[cv->paths->count - 1];
    double ridge[P];
    int missed = 0;
    ridges(data, cv->paths->settings.ridge, ridge);
    for (int count = 1; count <= K; count++) {
        double least = least_loss(data, count, is_logistic, ridge), found = INFINITY;
        for (int64_t k = 0; k < path->count; k++)
            if (path->points[k].fit.nonzeros == count) found = path->points[k].fit.objective;
        assert_true(found > least - 1e-9);
        missed += found > least + 1e-8;
    }
    return missed;
}

static void enumerated(int is_logistic, int problems, int most_missed, int least_missed_before)
{
    struct drawn data;
    int missed = 0, before = 0;
    for (int k = 0; k < problems; k++) {
        draw((uint64_t)k + 1, is_logistic, &data);
        dcpn_cv *plain = choose(&data, is_logistic, 0, 0), *cv = choose(&data, is_logistic, K, 0);
        missed += count_missed(&data, cv, is_logistic);
        before += count_missed(&data, plain, is_logistic);
        assert_string_equal(cv->choice.rule, "kept");
        assert_int_equal(cv->choice.chosen.path, cv->paths->count - 1);
        assert_int_equal(cv->paths->paths[cv->choice.chosen.path].points[cv->choice.chosen.point].fit.nonzeros, K);
        dcpn_cv_free(plain);
        dcpn_cv_free(cv);
    }
    print_message("%s: %d of %d sets above the best, %d without a search\n", is_logistic ? "logistic" : "squared",
                  missed, problems * K, before);
    assert_true(missed <= most_missed);
    assert_true(before >= least_missed_before);
}

static void nearly_all_sets_are_the_best(void **state)
{
    (void)state;
    enumerated(0, PROBLEMS, 4, 30);
}

static void and_of_two_classes(void **state)
{
    (void)state;
    enumerated(1, PROBLEMS / 4, 1, 3);
}

/* The features of the groups in `which`; returns their number, K at most. */
static int features_of(unsigned which, int *set)
{
    int count = 0;
    for (int g = 0; g < GROUPS; g++)
        for (int64_t i = start[g]; which >> g & 1 && i < start[g + 1]; i++, count++)
            if (count < K) set[count] = (int)member[i];
    return count;
}

static double least_loss_of_groups(const struct drawn *data, int count, int is_logistic, const double *ridge)
{
    double least = INFINITY;
    for (unsigned which = 0; which < 1u << GROUPS; which++) {
        int set[K];
        if (features_of(which, set) == count) least = fmin(least, loss_of(data, set, count, is_logistic, ridge));
    }
    return least;
}

/* Is each group in the model as a whole, or out of it? */
static void assert_whole(const dcpn_path *path, const dcpn_path_point *point)
{
    int in_use[P] = {0};
    for (int64_t i = 0; i < point->fit.nonzeros; i++) in_use[path->index[point->first + i]] = 1;
    for (int g = 0; g < GROUPS; g++)
        for (int64_t i = start[g]; i < start[g + 1]; i++) assert_int_equal(in_use[member[i]], in_use[member[start[g]]]);
}

static void groups_come_and_leave_as_a_whole(void **state)
{
    int missed = 0, sizes = 0;
    (void)state;
    for (int k = 0; k < PROBLEMS; k++) {
        struct drawn data;
        double ridge[P];
        int is_logistic = k % 4 == 3;
        draw((uint64_t)k + 101, is_logistic, &data);
        dcpn_cv *cv = choose_groups(&data, is_logistic, K, 0, "norm");
        const dcpn_path *path = &cv->paths->paths[cv->paths->count - 1];
        ridges(&data, cv->paths->settings.ridge, ridge);
        assert_string_equal(cv->choice.rule, "kept");
        assert_true(path->points[cv->choice.chosen.point].fit.nonzeros <= K && path->count > 1);
        double before = INFINITY;
        for (int64_t p = 0; p < path->count; p++) {
            int count = (int)path->points[p].fit.nonzeros;
            assert_whole(path, &path->points[p]);
            assert_true(path->points[p].fit.objective < before);
            before = path->points[p].fit.objective;
            if (count == 0 || count > K) continue;
            double least = least_loss_of_groups(&data, count, is_logistic, ridge);
            assert_true(path->points[p].fit.objective > least - 1e-9);
            missed += path->points[p].fit.objective > least + 1e-8;
            sizes++;
        }
        dcpn_cv_free(cv);
    }
    print_message("groups: %d of %d sets above the best\n", missed, sizes);
    assert_true(sizes > 3 * PROBLEMS / 2 && missed <= 4);
}

/* Where features are chosen within groups, it is features that are counted; groups within groups are refused. */
static void other_kinds_of_groups(void **state)
{
    struct drawn data;
    (void)state;
    draw(7, 0, &data);
    dcpn_cv *features = choose(&data, 0, K, 0), *sum = choose_groups(&data, 0, K, 0, "sum");
    const dcpn_path *a = &features->paths->paths[features->paths->count - 1];
    const dcpn_path *b = &sum->paths->paths[sum->paths->count - 1];
    assert_true(fabs(a->points[features->choice.chosen.point].fit.objective -
                     b->points[sum->choice.chosen.point].fit.objective) < 1e-9);
    dcpn_cv_free(features);
    dcpn_cv_free(sum);
    dcpn_cv_free(choose_groups(&data, 0, 0, 1, "norm"));
    dcpn_cv_free(choose_groups(&data, 0, 0, 1, "sparse"));
}

static void relaxed_models_are_refitted(void **state)
{
    struct drawn data;
    (void)state;
    draw(3, 0, &data);
    dcpn_cv *cv = choose(&data, 0, 0, 1);
    int64_t last = cv->paths->count - 1;
    assert_string_equal(cv->choice.rule, "min");
    assert_true(cv->choice.chosen.path == last && cv->choice.min.path == last && cv->choice.sparse.path == last);
    dcpn_cv_free(cv);
}

static void refusals(void **state)
{
    struct drawn data;
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    (void)state;
    draw(3, 0, &data);
    assert_int_equal(dcpn_matrix_dense(context, N, P, data.A, DCPN_FLOAT64, DCPN_ROW_MAJOR, P, DCPN_BORROW, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, data.y, &problem), DCPN_OK);
    dcpn_cv_options options = {.rule = "min", .path = {.features_kept = 3}};
    assert_int_equal(dcpn_cv_run(context, problem, NULL, &options, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "expected one of the two"));
    dcpn_settings settings = dcpn_settings_for_paths();
    settings.loss = "squared";
    settings.grouping = "tree";
    options = (dcpn_cv_options){.relaxes = 1};
    assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &options, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "groups share features"));
    options = (dcpn_cv_options){.rule = "kept"};
    assert_int_equal(dcpn_cv_run(context, problem, NULL, &options, &cv), DCPN_USAGE);
    options = (dcpn_cv_options){.path = {.features_kept = -1}};
    assert_int_equal(dcpn_cv_run(context, problem, NULL, &options, &cv), DCPN_USAGE);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_all_sets_are_the_best),
        cmocka_unit_test(and_of_two_classes),
        cmocka_unit_test(groups_come_and_leave_as_a_whole),
        cmocka_unit_test(other_kinds_of_groups),
        cmocka_unit_test(relaxed_models_are_refitted),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("problems.features_kept", tests, setup, teardown);
}
