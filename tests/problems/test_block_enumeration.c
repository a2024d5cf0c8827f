/* SPDX-License-Identifier: BSD-3-Clause */
/* Small least-squares problems with groups, correlated across groups, of which every subset of groups is enumerated:
 * naive code descends from the least-squares solution of each subset and from 0 in it, with the norms of the textbook
 * and in long double, and the lowest end of all is taken for the global minimum. A search is never below that, never
 * above plain descents, and finds it mostly. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_groups.h"
#include "with_context.h"

enum { GROUPS = 7, SIZE = 2, COLUMNS = GROUPS * SIZE, ROWS = 20, SWEEPS = 4000 };

static const int64_t start[GROUPS + 1] = {0, 2, 4, 6, 8, 10, 12, 14};
static const int64_t member[COLUMNS] = {0, 7, 1, 8, 2, 9, 3, 10, 4, 11, 5, 12, 6, 13}; /* not contiguous */
static const struct problems_groups groups = {GROUPS, start, member, NULL};

struct quadratic {
    long double Q[COLUMNS][COLUMNS], q[COLUMNS], constant;
};

/* Each group is partly made of the one before, and the labels of three groups. */
static struct problems_data correlated(uint64_t seed)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, seed);
    struct rng rng;
    problems_data_plain(&data);
    dcpn_rng_seed(&rng, 7000 + seed);
    for (int64_t i = 0; i < ROWS; i++) {
        double *row = data.A + i * COLUMNS;
        for (int g = 1; g < GROUPS; g++)
            for (int k = 0; k < SIZE; k++)
                row[member[g * SIZE + k]] = 0.85 * row[member[(g - 1) * SIZE + k]] + 0.5 * row[member[g * SIZE + k]];
        data.numbers[i] = row[0] - row[7] + 0.8 * row[3] + row[6] + 0.5 * row[13] + 0.5 * dcpn_rng_normal(&rng);
    }
    return data;
}

static void make_quadratic(const struct problems_data *data, struct quadratic *f)
{
    *f = (struct quadratic){.constant = 0.0L};
    for (int64_t i = 0; i < ROWS; i++) {
        const double *row = data->A + i * COLUMNS;
        f->constant += 0.5L * data->numbers[i] * data->numbers[i];
        for (int j = 0; j < COLUMNS; j++) {
            f->q[j] += (long double)row[j] * data->numbers[i];
            for (int k = 0; k < COLUMNS; k++) f->Q[j][k] += (long double)row[j] * row[k];
        }
    }
}

static long double norm_of(const long double *x, int g)
{
    long double sum = 0.0L;
    for (int k = 0; k < SIZE; k++) sum += x[member[g * SIZE + k]] * x[member[g * SIZE + k]];
    return sqrtl(sum);
}

static long double value_at(const struct quadratic *f, const dcpn_settings *s, const long double *x)
{
    long double sum = f->constant, weight = sqrtl(SIZE);
    for (int j = 0; j < COLUMNS; j++) {
        sum -= f->q[j] * x[j];
        for (int k = 0; k < COLUMNS; k++) sum += 0.5L * x[j] * f->Q[j][k] * x[k];
    }
    for (int g = 0; g < GROUPS; g++) sum += problems_penalty(s, weight * s->lambda, norm_of(x, g));
    return sum;
}

/* A proximal gradient step of one group, with the tangent of p in place of p; returns how far it goes. */
static long double step(const struct quadratic *f, const dcpn_settings *s, int g, long double *x)
{
    long double y[SIZE], L = 0.0L, r = 0.0L, way = 0.0L, at = norm_of(x, g);
    const int64_t *members = member + g * SIZE;
    for (int k = 0; k < SIZE; k++) L += f->Q[members[k]][members[k]];
    for (int k = 0; k < SIZE; k++) {
        long double slope = -f->q[members[k]];
        for (int j = 0; j < COLUMNS; j++) slope += f->Q[members[k]][j] * x[j];
        y[k] = x[members[k]] - slope / L;
        r += y[k] * y[k];
    }
    long double least = problems_penalty_slope(s, sqrtl(SIZE) * s->lambda, at, 1) / L;
    long double scale = r > least * least ? 1.0L - least / sqrtl(r) : 0.0L;
    for (int k = 0; k < SIZE; k++) {
        way = fmaxl(way, fabsl(scale * y[k] - x[members[k]]));
        x[members[k]] = scale * y[k];
    }
    return way;
}

static long double descend(const struct quadratic *f, const dcpn_settings *s, unsigned subset, long double *x)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        long double way = 0.0L;
        for (int g = 0; g < GROUPS; g++)
            if (subset >> g & 1) way = fmaxl(way, step(f, s, g, x));
        if (way < 1e-10L) break;
    }
    return value_at(f, s, x);
}

/* Least squares on the groups of a subset. */
static int least_squares(const struct quadratic *f, unsigned subset, long double *x)
{
    long double M[COLUMNS * COLUMNS], b[COLUMNS];
    int64_t used[COLUMNS], count = 0;
    for (int j = 0; j < COLUMNS; j++) x[j] = 0.0L;
    for (int g = 0; g < GROUPS; g++)
        for (int k = 0; subset >> g & 1 && k < SIZE; k++) used[count++] = member[g * SIZE + k];
    for (int64_t j = 0; j < count; j++) {
        b[j] = f->q[used[j]];
        for (int64_t k = 0; k < count; k++) M[j * count + k] = f->Q[used[j]][used[k]];
    }
    if (!problems_linear_solve(count, M, b)) return 0;
    for (int64_t j = 0; j < count; j++) x[used[j]] = b[j];
    return 1;
}

static long double enumerate(const struct problems_data *data, const dcpn_settings *settings)
{
    struct quadratic f;
    long double least = HUGE_VALL, x[COLUMNS];
    make_quadratic(data, &f);
    for (unsigned subset = 0; subset < 1u << GROUPS; subset++) {
        if (least_squares(&f, subset, x)) least = fminl(least, descend(&f, settings, subset, x));
        for (int j = 0; j < COLUMNS; j++) x[j] = 0.0L;
        least = fminl(least, descend(&f, settings, subset, x));
    }
    return least;
}

/* Returns F where the solver ends, and x there. */
static double end_of(const struct problems_data *data, dcpn_settings settings, const char *global, const double *from,
                     double *x)
{
    dcpn_matrix *A = problems_matrix(context, data, PROBLEMS_COLUMN_MAJOR);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    settings.global = global;
    assert_int_equal(dcpn_problem_new(context, A, data->numbers, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_groups(problem, GROUPS, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    if (from) assert_int_equal(dcpn_solver_set_start(solver, from, 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    const dcpn_result *result = dcpn_solver_result(solver);
    struct problems_naive naive =
        problems_naive_of_groups(data, &settings, &groups, dcpn_solver_coefficients(solver), 0.0);
    assert_int_equal(result->outcome, DCPN_CONVERGED);
    problems_assert_close(result->objective, naive.objective, 1e-10, "objective");
    double F = result->objective;
    memcpy(x, dcpn_solver_coefficients(solver), COLUMNS * sizeof *x);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return F;
}

static void a_search_finds_the_best_groups(void **state)
{
    static const char *const penalties[] = {"mcp", "scad", "capped-l1"}, *const depths[] = {"off", "path", "path+drop"};
    enum { SEEDS = 12, DEPTHS = 3 };
    int found[DEPTHS] = {0}, problems = 0;
    (void)state;
    for (int p = 0; p < 3; p++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++, problems++) {
            struct problems_data data = correlated(seed);
            dcpn_settings settings = problems_settings("squared", penalties[p], NULL, NULL);
            settings.lambda = seed % 2 ? 1.5 : 3.0;
            settings.gamma = 0.4;
            settings.a = 2.2;
            settings.theta = 0.3;
            settings.shape_units = "raw";
            settings.tol = 1e-8;
            double best = (double)enumerate(&data, &settings), before = HUGE_VAL;
            for (int k = 0; k < DEPTHS; k++) {
                double x[COLUMNS], F = end_of(&data, settings, depths[k], NULL, x);
                assert_true(F <= before * (1.0 + 1e-12));
                assert_true(F >= best * (1.0 - 1e-7));
                found[k] += F <= best * (1.0 + 1e-6);
                before = F;
            }
            problems_data_free(&data);
        }
    if (getenv("DCPN_TEST_VERBOSE"))
        print_message("of %d: off %d, path %d, path+drop %d\n", problems, found[0], found[1], found[2]);
    assert_true(found[0] < found[1] && 6 * found[1] >= 5 * problems && 8 * found[2] >= 7 * problems);
}

/* The labels are made of group 0, and group 1 is nearly a rotation of it: from a start at group 1 the two keep each
 * other out, and no drop or move of one group lowers F. */
static void a_swap_finds_the_better_of_two_alike(void **state)
{
    struct problems_data data = problems_data_new(ROWS, COLUMNS, 1.0, 3);
    dcpn_settings settings = problems_settings("squared", "capped-l1", NULL, NULL);
    double from[COLUMNS] = {0.0}, off[COLUMNS], path[COLUMNS], length = 0.0;
    (void)state;
    problems_data_plain(&data);
    for (int64_t i = 0; i < ROWS; i++) {
        double *row = data.A + i * COLUMNS, *a = &row[member[0]], *b = &row[member[1]];
        row[member[2]] = 0.6 * *a + 0.8 * *b + 0.1 * row[member[2]];
        row[member[3]] = 0.8 * *a - 0.6 * *b + 0.1 * row[member[3]];
        for (int k = 4; k < COLUMNS; k++) row[member[k]] *= 1e-3;
        data.numbers[i] = *a - *b;
        length += data.numbers[i] * data.numbers[i];
    }
    settings.lambda = 0.2 * length;
    settings.theta = 0.2;
    settings.shape_units = "raw";
    settings.tol = 1e-8;
    from[member[2]] = -0.2;
    from[member[3]] = 1.4;
    double plain = end_of(&data, settings, "off", from, off), searched = end_of(&data, settings, "path", from, path);
    assert_true(off[member[0]] == 0.0 && off[member[2]] != 0.0);
    assert_true(path[member[0]] != 0.0 && path[member[1]] != 0.0 && path[member[2]] == 0.0 && path[member[3]] == 0.0);
    assert_true(searched < plain);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_finds_the_best_groups),
        cmocka_unit_test(a_swap_finds_the_better_of_two_alike),
    };
    return cmocka_run_group_tests_name("problems.block_enumeration", tests, setup, teardown);
}
