/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiny least-squares problems whose stationary points are all found by enumeration. On a piece of the penalty its slope
 * is p'(t) = alpha + beta t; given a piece and a sign for every coordinate the conditions are a linear system, and its
 * solution is a stationary point if it lies on the pieces it was made for. The solver must end at one of them. */
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

enum { MOST_COLUMNS = 5, MOST_PIECES = 3, MOST_POINTS = 400, ROWS = 9 };

/* low <= |x| <= high: p'(|x|) = alpha + beta |x|. */
struct piece {
    double low, high, alpha, beta;
};

struct shape {
    const char *penalty;
    int pieces;
    struct piece piece[MOST_PIECES];
};

struct points {
    int64_t count;
    double x[MOST_POINTS][MOST_COLUMNS];
};

static struct shape shape_of(const dcpn_settings *s, int which)
{
    double lambda = s->lambda, a = s->a, gamma = s->gamma, far_out = INFINITY;
    const struct shape shapes[] = {
        {"l1", 1, {{0.0, far_out, lambda, 0.0}}},
        {"capped-l1", 2, {{0.0, s->theta, lambda, 0.0}, {s->theta, far_out, 0.0, 0.0}}},
        {"mcp", 2, {{0.0, gamma * lambda, lambda, -1.0 / gamma}, {gamma * lambda, far_out, 0.0, 0.0}}},
        {"scad",
         3,
         {{0.0, lambda, lambda, 0.0},
          {lambda, a * lambda, a * lambda / (a - 1.0), -1.0 / (a - 1.0)},
          {a * lambda, far_out, 0.0, 0.0}}},
    };
    return shapes[which];
}

/* Code 0 is x_j = 0; 2k + 1 and 2k + 2 are piece k with sign + and -. */
static const struct piece *piece_of(const struct shape *shape, int code)
{
    return &shape->piece[(code - 1) / 2];
}

static double sign_of(int code)
{
    return code % 2 ? 1.0 : -1.0;
}

/* (Q + diag(beta)) x = q - sign alpha on the coordinates in use. */
static int solve_pattern(const struct problems_data *data, const struct shape *shape, const int *code, double *x)
{
    long double M[MOST_COLUMNS * MOST_COLUMNS] = {0}, b[MOST_COLUMNS] = {0};
    int64_t used[MOST_COLUMNS], count = 0, d = data->columns;
    for (int64_t j = 0; j < d; j++)
        if (code[j]) used[count++] = j;
    for (int64_t k = 0; k < count; k++) {
        const struct piece *piece = piece_of(shape, code[used[k]]);
        for (int64_t i = 0; i < ROWS; i++) {
            long double entry = data->A[i * d + used[k]];
            b[k] += entry * data->numbers[i];
            for (int64_t l = 0; l < count; l++) M[k * count + l] += entry * data->A[i * d + used[l]];
        }
        M[k * count + k] += piece->beta;
        b[k] -= sign_of(code[used[k]]) * piece->alpha;
    }
    if (!problems_linear_solve(count, M, b)) return 0;
    memset(x, 0, (size_t)d * sizeof *x);
    for (int64_t k = 0; k < count; k++) x[used[k]] = (double)b[k];
    return 1;
}

/* On its pieces, and |gradient| <= lambda where it is 0: as the naive certificate says once the pieces are right. */
static int belongs(const struct problems_data *data, const dcpn_settings *settings, const struct shape *shape,
                   const int *code, const double *x)
{
    for (int64_t j = 0; j < data->columns; j++) {
        if (!code[j]) continue;
        const struct piece *piece = piece_of(shape, code[j]);
        double t = sign_of(code[j]) * x[j];
        if (!(t >= piece->low && t <= piece->high && t > 0.0)) return 0;
    }
    struct problems_naive naive = problems_naive(data, settings, x, 0.0);
    return naive.stationarity <= 1e-12 + naive.stationarity_noise;
}

static void enumerate(const struct problems_data *data, const dcpn_settings *settings, const struct shape *shape,
                      struct points *points)
{
    int code[MOST_COLUMNS] = {0}, codes = 2 * shape->pieces + 1;
    int64_t patterns = 1;
    points->count = 0;
    for (int64_t j = 0; j < data->columns; j++) patterns *= codes;
    for (int64_t pattern = 0; pattern < patterns; pattern++) {
        int64_t rest = pattern;
        for (int64_t j = 0; j < data->columns; j++, rest /= codes) code[j] = (int)(rest % codes);
        double *x = points->x[points->count];
        if (!solve_pattern(data, shape, code, x) || !belongs(data, settings, shape, code, x)) continue;
        if (++points->count == MOST_POINTS) fail_msg("more than %d stationary points", MOST_POINTS);
    }
}

static double distance(int64_t count, const double *a, const double *b)
{
    double largest = 0.0;
    for (int64_t j = 0; j < count; j++) largest = fmax(largest, fabs(a[j] - b[j]));
    return largest;
}

/* With stationarity s the point is within s |M^-1| of the solution of its system; M has no eigenvalue below 1e-3 here,
 * s is at most 1e-10 lambda, so 1e-6 is far more than is due and far less than the points are apart. */
static void assert_is_one_of(const struct points *points, const dcpn_settings *settings, const struct problems_fit *fit)
{
    double nearest = INFINITY;
    for (int64_t k = 0; k < points->count; k++) nearest = fmin(nearest, distance(fit->columns, points->x[k], fit->x));
    if (!(nearest <= 1e-6))
        fail_msg("%s %s %s: ends %g away from the nearest of %lld stationary points", settings->penalty,
                 settings->metric, settings->subsolver, nearest, (long long)points->count);
}

static void solve_from(const struct problems_data *data, dcpn_settings settings, const struct points *points,
                       struct rng *rng)
{
    dcpn_part metric, subsolver;
    for (size_t i = 0; dcpn_part_at("metric", i, &metric); i++) {
        for (size_t k = 0; dcpn_part_at("subsolver", k, &subsolver); k++) {
            double start[MOST_COLUMNS];
            for (int64_t j = 0; j < data->columns; j++) start[j] = k ? 3.0 * dcpn_rng_normal(rng) : 0.0;
            settings.metric = metric.name;
            settings.subsolver = subsolver.name;
            struct problems_fit fit = problems_solve(context, data, PROBLEMS_COLUMN_MAJOR, &settings, start);
            problems_assert_converged(data, &settings, &fit);
            assert_is_one_of(points, &settings, &fit);
            problems_fit_free(&fit);
        }
    }
}

static void the_solver_ends_at_an_enumerated_point(void **state)
{
    struct points *points = problems_memory(1, sizeof *points);
    struct rng rng;
    int64_t several = 0; /* problems with more than one stationary point: else this would show little */
    (void)state;
    dcpn_rng_seed(&rng, 3);
    for (int which = 0; which < 4; which++) {
        for (uint64_t seed = 0; seed < 12; seed++) {
            struct problems_data data = problems_data_new(ROWS, which == 3 ? 4 : MOST_COLUMNS, 0.9, 100 + seed);
            dcpn_settings settings = problems_settings("squared", NULL, NULL, NULL);
            problems_data_plain(&data);
            for (int64_t k = 0; k < data.rows * data.columns; k++) data.A[k] *= 0.4;
            settings.lambda = 1.0;
            settings.theta = 0.7;
            settings.gamma = 1.5;
            settings.a = 2.5;
            settings.tol = 1e-10;
            struct shape shape = shape_of(&settings, which);
            settings.penalty = shape.penalty;
            enumerate(&data, &settings, &shape, points);
            assert_true(points->count >= 1);
            several += points->count > 1;
            if (which == 0) assert_int_equal(points->count, 1); /* convex: the minimum */
            solve_from(&data, settings, points, &rng);
            problems_data_free(&data);
        }
    }
    assert_true(several > 10);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solver_ends_at_an_enumerated_point),
    };
    return cmocka_run_group_tests_name("problems.enumeration", tests, setup, teardown);
}
