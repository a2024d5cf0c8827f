/* SPDX-License-Identifier: BSD-3-Clause */
/* Norms of groups with coefficients that may not be below, or not above, 0: every loss, penalty, metric, subproblem
 * solver and method, recomputed by naive code, and by points nearby; the prox by random points. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_every.h"
#include "support/problems_groups.h"

/* Feature 3 is in no group; 0, 2, 3, 5 and 8 are at least 0, 1 and 5 at most 0, all others free: 5 stays 0. */
static const int64_t start[] = {0, 3, 3, 5, 8}, member[] = {7, 0, 4, 2, 1, 8, 6, 5};
static const double lower[] = {0.0, -HUGE_VAL, 0.0, 0.0, -HUGE_VAL, 0.0, -HUGE_VAL, -HUGE_VAL, 0.0};
static const double upper[] = {HUGE_VAL, 0.0, HUGE_VAL, HUGE_VAL, HUGE_VAL, 0.0, HUGE_VAL, HUGE_VAL, HUGE_VAL};
static const struct problems_groups groups = {4, start, member, NULL};
static const struct problems_box box = {lower, upper};

static const struct kind {
    const char *grouping;
    double mix;
} kinds[] = {{"norm", 0.0}, {"sparse", 0.3}, {"sparse", 0.0}};
#define FOR_EACH_KIND for (const struct kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)

static dcpn_settings settings_for(const char *loss, const char *penalty, const struct kind *kind)
{
    dcpn_settings settings = base_settings(loss, penalty);
    settings.grouping = kind->grouping;
    settings.mix = kind->mix;
    settings.tol = 1e-9;
    settings.inner_tol = 0.01;
    return settings;
}

static struct problems_data plain_data(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, seed);
    problems_data_plain(&data);
    return data;
}

static dcpn_problem *problem_with(const struct problems_data *data, const dcpn_matrix *A, const char *loss)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(data, loss), &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, groups.count, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, upper), DCPN_OK);
    return problem;
}

static void assert_certified(const struct problems_data *data, const dcpn_settings *s, const dcpn_result *result,
                             const double *x, double intercept)
{
    struct problems_naive naive = problems_naive_in_box(data, s, &groups, &box, x, intercept);
    for (int64_t j = 0; j < COLUMNS; j++) assert_true(x[j] >= lower[j] && x[j] <= upper[j]);
    if (result->outcome != DCPN_CONVERGED)
        fail_msg("%s %s %s(%g) %s %s %s %s: outcome %d, violation %g after %lld iterations", s->loss, s->penalty,
                 s->grouping, s->mix, s->algorithm, s->metric, s->subsolver, s->global, (int)result->outcome,
                 result->stationarity, (long long)result->iterations);
    problems_assert_close(result->objective, naive.objective, 1e-10, "objective");
    assert_true(fabs(result->stationarity - naive.stationarity) <= 1e-9 * (1.0 + fabs(naive.objective)));
    assert_true(naive.stationarity <= 1e-7 * (1.0 + fabs(naive.objective)));
}

/* Solves, and holds the result against naive code; 0 if the parts were refused. */
static int solve(const struct problems_data *data, enum problems_storage storage, const dcpn_settings *settings,
                 double *x)
{
    dcpn_matrix *A = problems_matrix(context, data, storage);
    dcpn_problem *problem = problem_with(data, A, settings->loss);
    dcpn_solver *solver = NULL;
    int made = dcpn_solver_new(context, problem, settings, &solver) == DCPN_OK;
    if (made) {
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        for (int64_t j = 0; j < COLUMNS; j++) x[j] = dcpn_solver_coefficients(solver)[j];
        assert_certified(data, settings, dcpn_solver_result(solver), x, dcpn_solver_intercept(solver));
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return made;
}

static double value_at(const struct problems_data *data, const dcpn_settings *settings, const double *x)
{
    return problems_naive_in_box(data, settings, &groups, &box, x, 0.0).objective;
}

/* To first order no point of the box around x is lower. */
static void assert_nothing_nearby_is_lower(const struct problems_data *data, const dcpn_settings *settings,
                                           const double *x)
{
    enum { POINTS = 40 };
    static const double SMALL = 1e-6;
    struct rng rng;
    double F = value_at(data, settings, x);
    dcpn_rng_seed(&rng, 31);
    for (int k = 0; k < POINTS; k++) {
        double y[COLUMNS];
        int64_t only = k % 2 ? (int64_t)dcpn_rng_below(&rng, COLUMNS) : -1; /* one coordinate, or all */
        for (int64_t j = 0; j < COLUMNS; j++) {
            double step = only < 0 || only == j ? SMALL * dcpn_rng_normal(&rng) : 0.0;
            y[j] = fmin(fmax(x[j] + step, lower[j]), upper[j]);
        }
        assert_true(value_at(data, settings, y) >= F - 1e-9 * SMALL * (1.0 + fabs(F)) - 1e-8 * SMALL);
    }
}

static void every_loss_and_penalty_is_stationary(void **state)
{
    int at_an_edge = 0;
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS FOR_EACH_PENALTY for (int storage = 0; storage < 2; storage++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(11);
        dcpn_settings settings = settings_for(losses[loss], penalties[penalty], kind);
        assert_true(solve(&data, storage ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR, &settings, x));
        assert_nothing_nearby_is_lower(&data, &settings, x);
        at_an_edge += x[8] == 0.0 && x[6] != 0.0; /* in a group that is in use */
        problems_data_free(&data);
    }
    assert_true(at_an_edge > 20);
}

static void every_metric_and_subsolver_finds_the_same(void **state)
{
    static const char *const metrics[] = {"identity", "identity-backtracked", "lbfgs", "hessian"};
    static const char *const subsolvers[] = {"coordinate-descent", "fista", "forward-backward"};
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS for (size_t m = 0; m < 4; m++) for (size_t s = 0; s < 3; s++)
    {
        double x[COLUMNS], same[COLUMNS];
        struct problems_data data = plain_data(12);
        dcpn_settings settings = settings_for(losses[loss], "l1", kind);
        settings.intercept = 1;
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, same));
        settings.metric = metrics[m];
        settings.subsolver = subsolvers[s];
        settings.max_iter = 100000;
        int is_served = dcpn_combination_check(context, &settings) == DCPN_OK;
        assert_int_equal(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, x), is_served);
        int is_same = is_served && convex(&settings);
        for (int64_t j = 0; j < COLUMNS && is_same; j++) assert_true(fabs(x[j] - same[j]) < 1e-5);
        problems_data_free(&data);
    }
}

/* gist needs the prox of the whole penalty: that of a norm is known, that of a sparse group is not. */
static void every_method_is_stationary(void **state)
{
    static const char *const algorithms[] = {"dcpn", "gist", "dca", "scp", "multi-stage"};
    (void)state;
    FOR_EACH_KIND FOR_EACH_PENALTY for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(13);
        dcpn_settings settings = settings_for("logistic", penalties[penalty], kind);
        settings.algorithm = algorithms[a];
        settings.dc_max = 1000000;
        settings.tol = 1e-8;
        int is_known = kind->grouping[0] == 'n' || strcmp(settings.penalty, "l1") == 0;
        assert_int_equal(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, x), is_known || algorithms[a][0] != 'g');
        problems_data_free(&data);
    }
}

static void searches_do_not_end_higher(void **state)
{
    static const char *const searches[] = {"off", "path", "path-then-drop", "path+drop"};
    (void)state;
    FOR_EACH_PENALTY for (uint64_t seed = 20; seed < 24 && strcmp(penalties[penalty], "l1") != 0; seed++)
    {
        double x[COLUMNS], before = HUGE_VAL;
        struct problems_data data = plain_data(seed);
        dcpn_settings settings = settings_for(seed % 2 ? "logistic" : "squared", penalties[penalty], &kinds[0]);
        for (size_t k = 0; k < sizeof searches / sizeof *searches; k++) {
            settings.global = searches[k];
            assert_true(solve(&data, PROBLEMS_CSC, &settings, x));
            double F = value_at(&data, &settings, x);
            assert_true(F <= before * (1.0 + 1e-9));
            before = F;
        }
        problems_data_free(&data);
    }
}

static void at_lambda_max_a_group_enters(void **state)
{
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS FOR_EACH_PENALTY
    {
        struct problems_data data = plain_data(18);
        dcpn_settings settings = settings_for(losses[loss], penalties[penalty], kind);
        dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = problem_with(&data, A, settings.loss);
        dcpn_solver *solver = NULL;
        double zero[COLUMNS] = {0.0};
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_lambda_max(solver, &settings.lambda), DCPN_OK);
        double at = problems_naive_in_box(&data, &settings, &groups, &box, zero, 0.0).stationarity;
        settings.lambda *= 1.0 - 1e-6;
        double below = problems_naive_in_box(&data, &settings, &groups, &box, zero, 0.0).stationarity;
        assert_true(at <= 1e-9 * settings.lambda && below > at && below > 0.0);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

static void a_path_keeps_to_the_box(void **state)
{
    (void)state;
    FOR_EACH_KIND FOR_EACH_PENALTY
    {
        struct problems_data data = plain_data(19);
        dcpn_settings settings = settings_for("logistic", penalties[penalty], kind);
        dcpn_path_options options = {.lambda_count = 12, .min_ratio = 0.05};
        dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSC);
        dcpn_problem *problem = problem_with(&data, A, settings.loss);
        dcpn_paths *paths = NULL;
        settings.ridge = 0.1; /* penalties that are flat far out do not separate the classes */
        settings.tol = 1e-6;
        assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
        const dcpn_path *path = &paths->paths[0];
        assert_true(path->count > 3);
        for (const dcpn_path_point *point = path->points; point < path->points + path->count; point++) {
            double x[COLUMNS] = {0.0};
            dcpn_settings at = settings;
            at.lambda = point->lambda;
            for (int64_t i = 0; i < point->fit.nonzeros; i++)
                x[path->index[point->first + i]] = path->value_of[point->first + i];
            struct problems_naive naive = problems_naive_in_box(&data, &at, &groups, &box, x, 0.0);
            for (int64_t j = 0; j < COLUMNS; j++) assert_true(x[j] >= lower[j] && x[j] <= upper[j]);
            assert_true(naive.stationarity <= 1e-5 * (1.0 + fabs(naive.objective)));
        }
        dcpn_paths_free(paths);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

/* A'A = n I: gist, whose first L is n, goes to the prox of each block at once, and no random point is lower. */
static void the_prox_is_lowest(void **state)
{
    enum { POINTS = 4000 };
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 5);
    FOR_EACH_PENALTY for (int trial = 0; trial < 3; trial++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(24 + (uint64_t)trial);
        dcpn_settings settings = settings_for("squared", penalties[penalty], &kinds[0]);
        for (int64_t i = 0; i < ROWS * COLUMNS; i++) data.A[i] = i / COLUMNS == i % COLUMNS ? sqrt(ROWS) : 0.0;
        settings.lambda = 1.0 + 3.0 * trial;
        settings.algorithm = "gist";
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, x));
        double F = value_at(&data, &settings, x);
        for (int k = 0; k < POINTS; k++) {
            double y[COLUMNS], reach = pow(10.0, -4.0 * dcpn_rng_uniform(&rng));
            int64_t g = (int64_t)dcpn_rng_below(&rng, 4);
            memcpy(y, x, sizeof y);
            for (int64_t i = start[g]; i < start[g + 1]; i++) {
                int64_t j = member[i];
                y[j] = fmin(fmax(y[j] + reach * dcpn_rng_normal(&rng), lower[j]), upper[j]);
            }
            assert_true(value_at(&data, &settings, y) >= F - 1e-11 * (1.0 + F));
        }
        problems_data_free(&data);
    }
}

static void refuse(const char *grouping, int orthonormal, const double *low, const double *high, const char *words)
{
    struct problems_data data = plain_data(11);
    dcpn_settings settings = settings_for("squared", "l1", &kinds[0]);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = problem_with(&data, A, settings.loss);
    dcpn_solver *solver = NULL;
    settings.grouping = grouping;
    settings.orthonormal = orthonormal;
    assert_int_equal(dcpn_problem_set_bounds(problem, low, high), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), words));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
}

static void what_is_not_known_is_refused(void **state)
{
    double low[COLUMNS], high[COLUMNS];
    (void)state;
    memcpy(low, lower, sizeof low);
    memcpy(high, upper, sizeof high);
    low[4] = -0.5;
    refuse("norm", 0, low, high, "use --nonnegative, or --grouping sum");
    refuse("sparse", 0, low, NULL, "use --nonnegative, or --grouping sum");
    high[4] = 2.0;
    refuse("norm", 0, NULL, high, "use --nonnegative, or --grouping sum");
    refuse("tree", 0, lower, NULL, "latent and tree");
    refuse("latent", 0, lower, NULL, "latent and tree");
    refuse("norm", 1, lower, NULL, "--orthonormal");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loss_and_penalty_is_stationary),
        cmocka_unit_test(every_metric_and_subsolver_finds_the_same),
        cmocka_unit_test(every_method_is_stationary),
        cmocka_unit_test(searches_do_not_end_higher),
        cmocka_unit_test(at_lambda_max_a_group_enters),
        cmocka_unit_test(a_path_keeps_to_the_box),
        cmocka_unit_test(the_prox_is_lowest),
        cmocka_unit_test(what_is_not_known_is_refused),
    };
    return cmocka_run_group_tests_name("problems.groups_at_edges", tests, setup, teardown);
}
