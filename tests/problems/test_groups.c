/* SPDX-License-Identifier: BSD-3-Clause */
/* Problems with groups: every loss, penalty, metric and subproblem solver, recomputed by naive code. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/problems_every.h"
#include "support/problems_groups.h"

/* Four groups of 9 features: not contiguous, an empty one, one of a single feature; feature 3 is in none. */
static const int64_t start[] = {0, 3, 3, 5, 8}, member[] = {7, 0, 4, 2, 1, 8, 6, 5};
static const struct problems_groups groups = {4, start, member, NULL};

/* How a block is composed. */
static const struct kind {
    const char *grouping, *inner;
    double mix;
} kinds[] = {
    {"norm", "auto", 0.0}, {"sum", "auto", 0.0},    {"sum", "mcp", 0.0},
    {"sum", "lp", 0.0},    {"sum", "scad", 0.0},    {"sparse", "auto", 0.3},
    {"sparse", "l1", 0.6}, {"sparse", "auto", 0.0}, {"sparse", "auto", 1.0}, {"tree", "auto", 0.0},
};
#define FOR_EACH_KIND for (const struct kind *kind = kinds; kind < kinds + sizeof kinds / sizeof *kinds; kind++)

static dcpn_settings settings_of_kind(dcpn_settings settings, const struct kind *kind)
{
    settings.grouping = kind->grouping;
    settings.inner_penalty = kind->inner;
    settings.mix = kind->mix;
    return settings;
}

static dcpn_problem *problem_with(const struct problems_data *data, const dcpn_matrix *A, const char *loss,
                                  const struct problems_groups *with)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, problems_labels(data, loss), &problem), DCPN_OK);
    if (data->weights) assert_int_equal(dcpn_problem_set_weights(problem, data->weights), DCPN_OK);
    if (data->offset) assert_int_equal(dcpn_problem_set_offset(problem, data->offset), DCPN_OK);
    if (data->factors) assert_int_equal(dcpn_problem_set_penalty_factors(problem, data->factors), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, with->count, with->start, with->member, with->weights), DCPN_OK);
    return problem;
}

/* Solves, and holds the result against naive code; 0 if the parts were refused. x has the coefficients afterwards. */
static int solve(const struct problems_data *data, enum problems_storage storage, const dcpn_settings *settings,
                 const struct problems_groups *with, double *x)
{
    dcpn_matrix *A = problems_matrix(context, data, storage);
    dcpn_problem *problem = problem_with(data, A, settings->loss, with);
    dcpn_solver *solver = NULL;
    int made = dcpn_solver_new(context, problem, settings, &solver) == DCPN_OK;
    if (made) {
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        const dcpn_result *result = dcpn_solver_result(solver);
        if (result->outcome != DCPN_CONVERGED)
            fail_msg("%s %s %s(%s %g) %s %s %s: outcome %d, violation %g after %lld iterations", settings->loss,
                     settings->penalty, settings->grouping, settings->inner_penalty, settings->mix, settings->algorithm,
                     settings->metric, settings->subsolver, (int)result->outcome, result->stationarity,
                     (long long)result->iterations);
        for (int64_t j = 0; j < data->columns; j++) x[j] = dcpn_solver_coefficients(solver)[j];
        struct problems_naive naive = problems_naive_of_groups(data, settings, with, x, dcpn_solver_intercept(solver));
        problems_assert_close(result->objective, naive.objective, 1e-10, "objective");
        assert_true(fabs(result->stationarity - naive.stationarity) <= 1e-9 * (1.0 + fabs(naive.objective)));
        assert_true(naive.stationarity <= 1e-7 * (1.0 + fabs(naive.objective)));
    }
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return made;
}

static struct problems_data plain_data(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, seed);
    problems_data_plain(&data);
    return data;
}

static dcpn_settings settings_for(const char *loss, const char *penalty)
{
    dcpn_settings settings = base_settings(loss, penalty);
    settings.tol = 1e-9;
    settings.inner_tol = 0.01;
    return settings;
}

static void every_loss_and_penalty_is_stationary(void **state)
{
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS FOR_EACH_PENALTY for (int storage = 0; storage < 2; storage++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(11);
        dcpn_settings settings = settings_of_kind(settings_for(losses[loss], penalties[penalty]), kind);
        assert_true(solve(&data, storage ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR, &settings, &groups, x));
        problems_data_free(&data);
    }
}

static void every_metric_and_subsolver_finds_the_same(void **state)
{
    static const char *const metrics[] = {"identity", "identity-backtracked", "lbfgs", "hessian"};
    static const char *const subsolvers[] = {"coordinate-descent", "fista", "forward-backward"};
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS for (size_t m = 0; m < 4; m++) for (size_t s = 0; s < 3; s++)
    {
        if (kind->inner[0] != 'a' && loss > 2) continue; /* they have the kinds before them in common */
        if (m < 2 && strcmp(kind->inner, "lp") == 0)
            continue; /* its slope at 0 is that of a wall: thousands of steps */
        double x[COLUMNS], same[COLUMNS];
        struct problems_data data = plain_data(12);
        dcpn_settings settings = settings_of_kind(settings_for(losses[loss], "l1"), kind);
        settings.intercept = 1;
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &groups, same));
        settings.metric = metrics[m];
        settings.subsolver = subsolvers[s];
        settings.max_iter = 100000;
        int is_served =
            dcpn_combination_check(context, &settings) == DCPN_OK; /* not without a bound on the curvature */
        if (kind->grouping[0] == 't' && s == 0) is_served = 0;     /* groups within groups are no blocks */
        assert_int_equal(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &groups, x), is_served);
        int is_convex = is_served && convex(&settings) && (kind->inner[0] == 'a' || strcmp(kind->inner, "l1") == 0);
        for (int64_t j = 0; j < COLUMNS && is_convex; j++) assert_true(fabs(x[j] - same[j]) < 1e-5);
        problems_data_free(&data);
    }
}

static void every_algorithm_is_stationary(void **state)
{
    static const char *const algorithms[] = {"dcpn", "gist", "dca", "scp", "multi-stage"};
    (void)state;
    FOR_EACH_KIND FOR_EACH_PENALTY for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++)
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(13);
        dcpn_settings settings = settings_of_kind(settings_for("logistic", penalties[penalty]), kind);
        settings.algorithm = algorithms[a];
        settings.dc_max = 1000000;
        settings.tol = 1e-8;
        int is_refused = !solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &groups, x);
        if (is_refused) assert_true(strcmp(algorithms[a], "gist") == 0);
        assert_true(!is_refused || kind->grouping[0] != 'n');
        problems_data_free(&data);
    }
}

static void weights_offsets_ridge_and_an_intercept_count(void **state)
{
    static const double weights[] = {0.5, 1.0, 2.0, 0.0};
    const struct problems_groups weighted = {4, start, member, weights};
    (void)state;
    FOR_EACH_KIND FOR_EACH_PENALTY for (int storage = 0; storage < PROBLEMS_STORAGE_COUNT; storage++)
    {
        if (storage == PROBLEMS_ROW_MAJOR_FLOAT32 || storage == PROBLEMS_CSC_FLOAT32) continue; /* other data */
        double x[COLUMNS];
        struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 14);
        dcpn_settings settings = settings_of_kind(settings_for("logistic", penalties[penalty]), kind);
        int is_free = kind->grouping[1] != 'p' || kind->mix == 0.0; /* what has weight 0 */
        if (kind->grouping[0] != 's') {
            free(data.factors);
            data.factors = NULL;
        }
        settings.intercept = 1;
        settings.ridge = 0.3;
        settings.scale = storage % 2 ? "mean" : "sum";
        if (storage % 2) settings.lambda /= ROWS, settings.ridge /= ROWS;
        assert_true(solve(&data, (enum problems_storage)storage, &settings, &weighted, x));
        assert_true(!is_free || (x[5] != 0.0 && x[6] != 0.0 && x[8] != 0.0));
        problems_data_free(&data);
    }
}

static void groups_of_one_are_no_groups(void **state)
{
    int64_t starts[COLUMNS + 1], members[COLUMNS];
    (void)state;
    for (int64_t j = 0; j <= COLUMNS; j++) starts[j] = j;
    for (int64_t j = 0; j < COLUMNS; j++) members[j] = COLUMNS - 1 - j;
    const struct problems_groups singles = {COLUMNS, starts, members, NULL};
    FOR_EACH_LOSS
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(15);
        dcpn_settings settings = settings_for(losses[loss], "l1");
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_COLUMN_MAJOR, &settings, NULL);
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &singles, x));
        for (int64_t j = 0; j < COLUMNS && convex(&settings); j++) assert_true(fabs(x[j] - fit.x[j]) < 1e-6);
        problems_fit_free(&fit);
        problems_data_free(&data);
    }
}

/* Copies of columns in one group: its Hessian has rank 1. */
static void singular_groups_are_solved(void **state)
{
    static const double none[] = {0.0, 1.0, 1.0, 1.0};
    const struct problems_groups unpenalised = {4, start, member, none};
    (void)state;
    FOR_EACH_KIND FOR_EACH_PENALTY
    {
        double x[COLUMNS];
        struct problems_data data = plain_data(16);
        for (int64_t i = 0; i < ROWS; i++) data.A[i * COLUMNS + 4] = data.A[i * COLUMNS] = data.A[i * COLUMNS + 7];
        dcpn_settings settings = settings_of_kind(settings_for("squared", penalties[penalty]), kind);
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &groups, x));
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &unpenalised, x));
        problems_data_free(&data);
    }
}

/* One group of more coordinates than a factor is made of, beside one of less. */
static void a_large_group_goes_by_coordinates(void **state)
{
    enum { WIDE = 80, LARGE = 60 };
    int64_t starts[] = {0, LARGE, WIDE}, members[WIDE];
    const struct problems_groups two = {2, starts, members, NULL};
    (void)state;
    for (int64_t j = 0; j < WIDE; j++) members[j] = (j * 7) % WIDE;
    FOR_EACH_KIND FOR_EACH_PENALTY for (int k = 0; k < 4; k++)
    {
        double x[WIDE];
        struct problems_data data = problems_data_new(120, WIDE, 0.5, 17);
        problems_data_plain(&data);
        dcpn_settings settings = settings_for(k % 2 ? "logistic" : "squared", penalties[penalty]);
        settings = settings_of_kind(settings, kind);
        settings.ridge = 0.1;
        settings.metric = k < 2 ? "hessian" : "lbfgs";
        settings.max_iter = 100000;
        settings.tol = 1e-7;
        assert_true(solve(&data, k % 2 ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR, &settings, &two, x));
        problems_data_free(&data);
    }
}

static void at_lambda_max_a_group_enters(void **state)
{
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS FOR_EACH_PENALTY
    {
        struct problems_data data = plain_data(18);
        dcpn_settings settings = settings_of_kind(settings_for(losses[loss], penalties[penalty]), kind);
        dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_COLUMN_MAJOR);
        dcpn_problem *problem = problem_with(&data, A, settings.loss, &groups);
        dcpn_solver *solver = NULL;
        double zero[COLUMNS] = {0.0};
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_lambda_max(solver, &settings.lambda), DCPN_OK);
        double at = problems_naive_of_groups(&data, &settings, &groups, zero, 0.0).stationarity;
        settings.lambda *= 1.0 - 1e-6;
        double below = problems_naive_of_groups(&data, &settings, &groups, zero, 0.0).stationarity;
        assert_true(at <= 1e-9 * settings.lambda && below > at && below > 0.0);
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
    }
}

/* Sums may share features: one is in all groups here. */
static void sums_may_overlap(void **state)
{
    static const int64_t starts[] = {0, 4, 8, 11}, members[] = {0, 1, 2, 3, 2, 3, 4, 0, 0, 7, 8};
    const struct problems_groups overlapping = {3, starts, members, NULL};
    (void)state;
    FOR_EACH_KIND FOR_EACH_LOSS FOR_EACH_PENALTY
    {
        double x[COLUMNS];
        struct problems_data data = problems_data_new(ROWS, COLUMNS, 0.8, 21);
        dcpn_settings settings = settings_of_kind(settings_for(losses[loss], penalties[penalty]), kind);
        settings.lambda *= 0.5;
        if (strcmp(kind->grouping, "sum") == 0) assert_true(solve(&data, PROBLEMS_CSC, &settings, &overlapping, x));
        problems_data_free(&data);
    }
}

static int64_t count_nonzeros(int64_t count, const double *x)
{
    int64_t nonzeros = 0;
    for (int64_t j = 0; j < count; j++) nonzeros += x[j] != 0.0;
    return nonzeros;
}

/* The data with a copy of column 2 and two of column 4, each behind its column. */
static struct problems_data with_copies(const struct problems_data *data, const int64_t *column, int64_t columns)
{
    struct problems_data more = problems_data_new(ROWS, columns, 0.8, 22);
    problems_data_plain(&more);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t k = 0; k < columns; k++) more.A[i * columns + k] = data->A[i * COLUMNS + column[k]];
        more.numbers[i] = data->numbers[i];
        more.classes[i] = data->classes[i];
        more.positives[i] = data->positives[i];
    }
    return more;
}

/* Latent copies are a view: the same as columns that are there several times. */
static void shared_features_have_copies(void **state)
{
    enum { MORE = COLUMNS + 3 };
    static const int64_t column[MORE] = {0, 1, 2, 2, 3, 4, 4, 4, 5, 6, 7, 8};
    static const int64_t starts[] = {0, 3, 6, 9}, members[] = {0, 2, 4, 4, 5, 2, 7, 8, 4};
    static const int64_t apart[] = {0, 2, 5, 6, 8, 3, 10, 11, 7};
    const struct problems_groups shared = {3, starts, members, NULL}, same = {3, starts, apart, NULL};
    (void)state;
    FOR_EACH_LOSS FOR_EACH_PENALTY for (int storage = 0; storage < 2; storage++)
    {
        double x[MORE], sum[COLUMNS] = {0.0}, latent[COLUMNS];
        enum problems_storage kept = storage ? PROBLEMS_CSC : PROBLEMS_COLUMN_MAJOR;
        struct problems_data data = plain_data(22), more = with_copies(&data, column, MORE);
        dcpn_settings settings = settings_for(losses[loss], penalties[penalty]);
        settings.ridge = 0.0;
        settings.global = "off"; /* a search may find other basins from rounding alone */
        settings.intercept = storage;
        settings.lambda = strcmp(settings.loss, "smooth-ramp") == 0 && strcmp(settings.penalty, "l1") != 0 ? 8.0 : 1.0;
        assert_true(solve(&more, kept, &settings, &same, x));
        for (int64_t k = 0; k < MORE; k++) sum[column[k]] += x[k];
        settings.grouping = "latent";
        dcpn_matrix *A = problems_matrix(context, &data, kept);
        dcpn_problem *problem = problem_with(&data, A, settings.loss, &shared);
        dcpn_solver *solver = NULL;
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
        for (int64_t j = 0; j < COLUMNS; j++) latent[j] = dcpn_solver_coefficients(solver)[j];
        for (int64_t j = 0; j < COLUMNS; j++) assert_true(fabs(latent[j] - sum[j]) < 1e-5);
        assert_int_equal(dcpn_solver_result(solver)->nonzeros, count_nonzeros(COLUMNS, latent));
        dcpn_solver_free(solver);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
        problems_data_free(&data);
        problems_data_free(&more);
    }
}

/* A search ends no higher than a descent, and a deeper search no higher than a shallower one. */
static void searches_do_not_end_higher(void **state)
{
    static const char *const searches[] = {"off", "path", "path-then-drop", "path+drop"};
    (void)state;
    FOR_EACH_KIND for (size_t penalty = 1; penalty < sizeof penalties / sizeof *penalties; penalty++) for (size_t k = 0;
                                                                                                           k < 2; k++)
    {
        double x[COLUMNS], before = HUGE_VAL;
        struct problems_data data = plain_data(23);
        dcpn_settings settings = settings_of_kind(settings_for(k ? "logistic" : "squared", penalties[penalty]), kind);
        for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
            settings.global = searches[i];
            assert_true(solve(&data, PROBLEMS_CSC, &settings, &groups, x));
            double F = problems_naive_of_groups(&data, &settings, &groups, x, 0.0).objective;
            assert_true(F <= before * (1.0 + 1e-9));
            before = F;
        }
        problems_data_free(&data);
    }
}

/* On a fine grid of r >= 0 the least ROWS (r - t)^2 / 2 + p(r). */
static double least_over_norms(const dcpn_settings *s, double lambda, double t)
{
    double least = HUGE_VAL;
    for (int k = 0; k <= 40000; k++) {
        double r = k * (t + 1.0) / 40000.0;
        least = fmin(least, ROWS * (r - t) * (r - t) / 2.0 + (double)problems_penalty(s, lambda, r));
    }
    return least;
}

/* A'A = n I: F falls apart into blocks, and is least at the prox of each, to which gist, whose first L is n, goes at
 * once. */
static void orthonormal_blocks_go_to_their_prox(void **state)
{
    static const int64_t starts[] = {0, 3, 5, 9}, members[] = {0, 4, 8, 1, 2, 3, 5, 6, 7};
    const struct problems_groups three = {3, starts, members, NULL};
    (void)state;
    FOR_EACH_PENALTY for (int trial = 0; trial < 3; trial++)
    {
        double x[COLUMNS], least = 0.0;
        struct problems_data data = plain_data(24 + (uint64_t)trial);
        dcpn_settings settings = settings_for("squared", penalties[penalty]);
        for (int64_t i = 0; i < ROWS * COLUMNS; i++) data.A[i] = i / COLUMNS == i % COLUMNS ? sqrt(ROWS) : 0.0;
        settings.lambda = 1.0 + 3.0 * trial;
        for (int64_t g = 0; g < 3; g++) {
            double t = 0.0;
            for (int64_t k = starts[g]; k < starts[g + 1]; k++) t = hypot(t, data.numbers[members[k]]);
            least += least_over_norms(&settings, settings.lambda * sqrt((double)(starts[g + 1] - starts[g])),
                                      t / sqrt(ROWS));
        }
        for (int64_t i = COLUMNS; i < ROWS; i++) least += 0.5 * data.numbers[i] * data.numbers[i];
        settings.algorithm = "gist";
        assert_true(solve(&data, PROBLEMS_COLUMN_MAJOR, &settings, &three, x));
        double F = problems_naive_of_groups(&data, &settings, &three, x, 0.0).objective;
        assert_true(F <= least + 1e-9 && F >= least - 1e-6 * (1.0 + least));
        problems_data_free(&data);
    }
}

static void refuse(const struct problems_data *data, const struct problems_groups *with, const dcpn_settings *settings,
                   const char *word)
{
    dcpn_matrix *A = problems_matrix(context, data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(context, A, data->numbers, &problem), DCPN_OK);
    if (data->factors) assert_int_equal(dcpn_problem_set_penalty_factors(problem, data->factors), DCPN_OK);
    dcpn_status status = dcpn_problem_set_groups(problem, with->count, with->start, with->member, with->weights);
    if (status == DCPN_OK) status = dcpn_solver_new(context, problem, settings, &solver);
    assert_int_not_equal(status, DCPN_OK);
    assert_non_null(strstr(dcpn_last_error(context), word));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void what_is_no_grouping_is_refused(void **state)
{
    static const int64_t two[] = {0, 2, 4}, twice[] = {0, 0, 1, 2}, out[] = {0, 9, 1, 2}, over[] = {0, 1, 1, 2};
    static const int64_t falls[] = {0, 2, 1}, late[] = {1, 2, 4};
    static const double negative[] = {1.0, -1.0};
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 19);
    dcpn_settings settings = settings_for("squared", "l1");
    (void)state;
    refuse(&data, &groups, &settings, "penalty factors");
    problems_data_plain(&data);
    refuse(&data, &(struct problems_groups){2, two, over, NULL}, &settings, "in the groups 1 and 2");
    refuse(&data, &(struct problems_groups){2, two, twice, NULL}, &settings, "twice in group 1");
    refuse(&data, &(struct problems_groups){2, two, out, NULL}, &settings, "from 1 to 9");
    refuse(&data, &(struct problems_groups){2, falls, over, NULL}, &settings, "ascend");
    refuse(&data, &(struct problems_groups){2, late, over, NULL}, &settings, "first start");
    refuse(&data, &(struct problems_groups){2, two, member, negative}, &settings, "weight of a group");
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_loss_and_penalty_is_stationary, setup, teardown),
        cmocka_unit_test_setup_teardown(every_metric_and_subsolver_finds_the_same, setup, teardown),
        cmocka_unit_test_setup_teardown(every_algorithm_is_stationary, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_offsets_ridge_and_an_intercept_count, setup, teardown),
        cmocka_unit_test_setup_teardown(groups_of_one_are_no_groups, setup, teardown),
        cmocka_unit_test_setup_teardown(singular_groups_are_solved, setup, teardown),
        cmocka_unit_test_setup_teardown(a_large_group_goes_by_coordinates, setup, teardown),
        cmocka_unit_test_setup_teardown(at_lambda_max_a_group_enters, setup, teardown),
        cmocka_unit_test_setup_teardown(sums_may_overlap, setup, teardown),
        cmocka_unit_test_setup_teardown(shared_features_have_copies, setup, teardown),
        cmocka_unit_test_setup_teardown(searches_do_not_end_higher, setup, teardown),
        cmocka_unit_test_setup_teardown(orthonormal_blocks_go_to_their_prox, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_grouping_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
