/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs one variable at a time: single fits of copied data, the inverse of a covariance, planted edges, and
 * services. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "scratch.h"
#include "with_context.h"

enum { ROWS = 1200, VARIABLES = 7 };

static double X[ROWS * VARIABLES];

/* A chain, each variable depending on the one before it: signs where is_binary says so, else normal numbers. */
static void draw_chain(const int *is_binary, uint64_t seed)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int i = 0; i < ROWS; i++) {
        double before = 0.0;
        for (int j = 0; j < VARIABLES; j++) {
            double *x = &X[i * VARIABLES + j];
            if (is_binary[j])
                *x = dcpn_rng_uniform(&rng) < 1.0 / (1.0 + exp(-1.4 * before)) ? 1.0 : -1.0;
            else
                *x = 0.7 * before + dcpn_rng_normal(&rng);
            before = *x;
        }
    }
}

static dcpn_matrix *matrix(void)
{
    dcpn_matrix *A;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, VARIABLES, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, VARIABLES, DCPN_COPY, &A),
        DCPN_OK);
    return A;
}

static dcpn_settings settings_for(const char *penalty)
{
    dcpn_settings s = dcpn_settings_default();
    s.penalty = penalty;
    s.standardize = 1;
    s.intercept = 1;
    s.scale = "mean";
    return s;
}

static dcpn_neighbours *neighbours(const dcpn_settings *s, const dcpn_neighbour_options *options)
{
    dcpn_matrix *A = matrix();
    dcpn_neighbours *found = NULL;
    assert_int_equal(dcpn_neighbours_fit(context, A, s, options, &found), DCPN_OK);
    dcpn_matrix_free(A);
    return found;
}

static double coefficient(const dcpn_neighbours *n, int64_t i, int64_t j)
{
    for (int64_t k = n->fits[i].first; k < n->fits[i].first + n->fits[i].fit.nonzeros; k++)
        if (n->index[k] == j) return n->value[k];
    return 0.0;
}

/* ---- single fits of copies ---- */

static void assert_fit_is_that_of_a_copy(const dcpn_neighbours *n, const dcpn_settings *s, int64_t variable)
{
    static double copy[ROWS * (VARIABLES - 1)], y[ROWS];
    dcpn_settings settings = *s;
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_solver *solver;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0, k = 0; j < VARIABLES; j++)
            *(j == variable ? &y[i] : &copy[i * (VARIABLES - 1) + k++]) = X[i * VARIABLES + j];
    settings.loss = n->fits[variable].loss;
    assert_int_equal(dcpn_matrix_dense(context, ROWS, VARIABLES - 1, copy, DCPN_FLOAT64, DCPN_ROW_MAJOR, VARIABLES - 1,
                                       DCPN_BORROW, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    const double *x = dcpn_solver_coefficients(solver);
    assert_true(fabs(dcpn_solver_result(solver)->objective - n->fits[variable].fit.objective) <=
                1e-9 * dcpn_solver_result(solver)->objective);
    assert_true(fabs(dcpn_solver_intercept(solver) - n->fits[variable].intercept) < 1e-4);
    for (int j = 0, k = 0; j < VARIABLES; j++)
        if (j != variable) assert_true(fabs(x[k++] - coefficient(n, variable, j)) < 1e-4);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void each_variable_has_the_fit_of_its_own(void **state)
{
    static const int kinds[VARIABLES] = {1, 0, 1, 1, 0, 0, 1};
    dcpn_settings s = settings_for("l1");
    const double lambda = 0.03;
    const dcpn_neighbour_options options = {.lambdas = &lambda, .lambda_count = 1};
    (void)state;
    draw_chain(kinds, 1);
    s.tol = 1e-7;
    s.lambda = lambda;
    dcpn_neighbours *n = neighbours(&s, &options);
    for (int64_t i = 0; i < VARIABLES; i++) {
        assert_string_equal(n->fits[i].loss, kinds[i] ? "logistic" : "squared");
        assert_true(n->fits[i].lambda == lambda);
        assert_true(n->fits[i].fit.nonzeros > 0);
        assert_fit_is_that_of_a_copy(n, &s, i);
    }
    dcpn_neighbours_free(n);
}

/* ---- Gaussian variables: the inverse of their covariance ---- */

static void invert(double A[VARIABLES][VARIABLES], double inverse[VARIABLES][VARIABLES])
{
    memset(inverse, 0, sizeof(double) * VARIABLES * VARIABLES);
    for (int i = 0; i < VARIABLES; i++) inverse[i][i] = 1.0;
    for (int k = 0; k < VARIABLES; k++) {
        double pivot = A[k][k];
        for (int j = 0; j < VARIABLES; j++) A[k][j] /= pivot, inverse[k][j] /= pivot;
        for (int i = 0; i < VARIABLES; i++) {
            double share = A[i][k];
            for (int j = 0; i != k && j < VARIABLES; j++)
                A[i][j] -= share * A[k][j], inverse[i][j] -= share * inverse[k][j];
        }
    }
}

static void weights_without_a_penalty_are_partial_correlations(void **state)
{
    static const int kinds[VARIABLES] = {0};
    double S[VARIABLES][VARIABLES] = {{0.0}}, K[VARIABLES][VARIABLES], mean[VARIABLES] = {0.0};
    dcpn_settings s = settings_for("l1");
    const double lambda = 1e-6;
    const dcpn_neighbour_options options = {.lambdas = &lambda, .lambda_count = 1};
    (void)state;
    draw_chain(kinds, 2);
    for (int i = 0; i < ROWS; i++) X[i * VARIABLES + 2] *= 50.0; /* units do not matter */
    for (int i = 0; i < ROWS * VARIABLES; i++) mean[i % VARIABLES] += X[i] / ROWS;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < VARIABLES; j++)
            for (int k = 0; k < VARIABLES; k++)
                S[j][k] += (X[i * VARIABLES + j] - mean[j]) * (X[i * VARIABLES + k] - mean[k]);
    invert(S, K);
    dcpn_neighbours *n = neighbours(&s, &options);
    assert_int_equal(n->edge_count, VARIABLES * (VARIABLES - 1) / 2);
    for (int64_t e = 0; e < n->edge_count; e++) {
        const dcpn_neighbour_edge *edge = &n->edges[e];
        double partial =
            -K[edge->first][edge->second] / sqrt(K[edge->first][edge->first] * K[edge->second][edge->second]);
        assert_true(fabs(edge->weight - partial) < 1e-5);
    }
    dcpn_neighbours_free(n);
}

/* ---- planted edges ---- */

static void planted_edges_are_found(void **state)
{
    static const int kinds[3][VARIABLES] = {{1, 1, 1, 1, 1, 1, 1}, {1, 0, 1, 0, 1, 0, 1}, {0, 0, 0, 1, 1, 1, 1}};
    static const char *const penalties[] = {"l1", "mcp"};
    (void)state;
    for (int kind = 0; kind < 3; kind++)
        for (int p = 0; p < 2; p++) {
            draw_chain(kinds[kind], 3);
            const dcpn_settings s = settings_for(penalties[p]);
            const dcpn_neighbour_options options = {.two_values = kind == 0};
            dcpn_neighbours *n = neighbours(&s, &options);
            int64_t chain = 0;
            for (int64_t e = 0; e < n->edge_count; e++) {
                chain += n->edges[e].second == n->edges[e].first + 1;
                assert_true(n->edges[e].weight > 0.1);
            }
            assert_int_equal(chain, VARIABLES - 1);
            if (p == 1) assert_int_equal(n->edge_count, VARIABLES - 1); /* MCP lets no false edge in */
            dcpn_neighbours_free(n);
        }
}

/* OR has the edges of AND, and those that one fit alone keeps. */
static void rules_join_as_they_say(void **state)
{
    static const int kinds[VARIABLES] = {1, 0, 1, 0, 0, 1, 0};
    const dcpn_settings s = settings_for("l1");
    (void)state;
    draw_chain(kinds, 5);
    for (int rule = 0; rule < 2; rule++) {
        const dcpn_neighbour_options options = {.rule = (dcpn_neighbour_rule)rule, .lambda_count = 12, .gamma = -1.0};
        dcpn_neighbours *n = neighbours(&s, &options);
        int64_t e = 0;
        for (int64_t i = 0; i < VARIABLES; i++)
            for (int64_t j = i + 1; j < VARIABLES; j++) {
                double mine = coefficient(n, i, j), its = coefficient(n, j, i);
                if ((mine != 0.0) + (its != 0.0) < (rule == DCPN_NEIGHBOURS_AND ? 2 : 1)) continue;
                assert_true(e < n->edge_count);
                assert_int_equal(n->edges[e].first, i);
                assert_int_equal(n->edges[e].second, j);
                assert_true(n->edges[e].of_first == mine && n->edges[e].of_second == its);
                e++;
            }
        assert_int_equal(e, n->edge_count);
        dcpn_neighbours_free(n);
    }
}

/* ---- services and refusals ---- */

static void threads_change_nothing(void **state)
{
    static const int kinds[VARIABLES] = {1, 0, 1, 0, 0, 1, 0};
    const dcpn_settings s = settings_for("mcp");
    (void)state;
    draw_chain(kinds, 6);
    dcpn_neighbours *one = neighbours(&s, NULL);
    dcpn_context_set_threads(context, 3);
    dcpn_neighbours *three = neighbours(&s, NULL);
    assert_int_equal(one->edge_count, three->edge_count);
    for (int64_t e = 0; e < one->edge_count; e++) {
        assert_int_equal(one->edges[e].second, three->edges[e].second);
        assert_true(one->edges[e].of_first == three->edges[e].of_first &&
                    one->edges[e].of_second == three->edges[e].of_second);
    }
    dcpn_neighbours_free(one);
    dcpn_neighbours_free(three);
}

static int at_once(void *user)
{
    (void)user;
    return 1;
}

static void what_is_wrong_is_refused(void **state)
{
    static const int kinds[VARIABLES] = {1, 0, 1, 0, 0, 1, 0};
    const dcpn_settings s = settings_for("mcp");
    dcpn_neighbour_options options = {.two_values = 1};
    dcpn_neighbours *n;
    dcpn_matrix *A;
    (void)state;
    draw_chain(kinds, 6);
    A = matrix();
    assert_int_equal(dcpn_neighbours_fit(context, A, &s, &options, &n), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "variable 2: found more than two values"));
    options = (dcpn_neighbour_options){.gamma = 2.0};
    assert_int_equal(dcpn_neighbours_fit(context, A, &s, &options, &n), DCPN_USAGE);
    dcpn_context_set_poll(context, at_once, 0.0, NULL);
    assert_int_equal(dcpn_neighbours_fit(context, A, &s, NULL, &n), DCPN_CANCELLED);
    dcpn_context_set_poll(context, NULL, 0.0, NULL);
    dcpn_context_resume(context);
    dcpn_matrix_free(A);
    for (int i = 0; i < ROWS; i++) X[i * VARIABLES + 4] = 3.0;
    A = matrix();
    assert_int_equal(dcpn_neighbours_fit(context, A, &s, NULL, &n), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "variable 5: found the same value"));
    assert_null(n);
    dcpn_matrix_free(A);
}

/* Several missing in a row: each is what its fit expects of it, given the others as they are filled in. */
static void what_is_filled_in_is_expected(void **state)
{
    const int kinds[VARIABLES] = {1, 0, 1, 0, 1, 0, 0};
    const dcpn_settings s = settings_for("mcp");
    double row[VARIABLES];
    (void)state;
    draw_chain(kinds, 5);
    dcpn_neighbours *n = neighbours(&s, NULL);
    for (int i = 0; i < 20; i++) {
        memcpy(row, X + i * VARIABLES, sizeof row);
        for (int j = i % 3; j < VARIABLES; j += 2) row[j] = (double)NAN;
        assert_int_equal(dcpn_neighbours_fill(n, 1, row), DCPN_OK);
        for (int j = 0; j < VARIABLES; j++) {
            double u = n->fits[j].intercept, low = n->fits[j].low, high = n->fits[j].high;
            if (j < i % 3 || (j - i % 3) % 2) {
                assert_true(row[j] == X[i * VARIABLES + j]);
                continue;
            }
            for (int64_t k = 0; k < VARIABLES; k++) u += k == j ? 0.0 : coefficient(n, j, k) * row[k];
            double expected = kinds[j] ? low + (high - low) / (1.0 + exp(-u)) : fmin(fmax(u, low), high);
            assert_true(fabs(row[j] - expected) <= 1e-6);
        }
    }
    dcpn_neighbours_free(n);
}

static void a_file_comes_back(void **state)
{
    const int kinds[VARIABLES] = {1, 1, 0, 1, 0, 0, 1};
    const char *const names[VARIABLES] = {"a", "", "b,c", "\"", "e", "f", "\xC3\xA9"};
    const dcpn_settings s = settings_for("scad");
    const dcpn_neighbour_options options = {.rule = DCPN_NEIGHBOURS_OR};
    dcpn_neighbours *again;
    (void)state;
    draw_chain(kinds, 9);
    dcpn_neighbours *n = neighbours(&s, &options);
    assert_int_equal(dcpn_neighbours_set_names(n, names), DCPN_OK);
    assert_int_equal(dcpn_neighbours_write(n, "n.json"), DCPN_OK);
    assert_true(dcpn_neighbours_begin(context, "n.json"));
    assert_false(dcpn_graphs_begin(context, "n.json"));
    assert_int_equal(dcpn_neighbours_read(context, "n.json", &again), DCPN_OK);
    assert_int_equal(again->edge_count, n->edge_count);
    for (int64_t e = 0; e < n->edge_count; e++)
        assert_memory_equal(&again->edges[e], &n->edges[e], sizeof *n->edges);
    for (int64_t i = 0; i < VARIABLES; i++) {
        assert_string_equal(again->names[i], names[i]);
        assert_true(again->fits[i].intercept == n->fits[i].intercept && again->fits[i].mean == n->fits[i].mean);
        assert_true(again->fits[i].fit.stationarity == n->fits[i].fit.stationarity);
    }
    dcpn_neighbours_free(again);
    dcpn_neighbours_free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_variable_has_the_fit_of_its_own, setup, teardown),
        cmocka_unit_test_setup_teardown(weights_without_a_penalty_are_partial_correlations, setup, teardown),
        cmocka_unit_test_setup_teardown(planted_edges_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(rules_join_as_they_say, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_change_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_filled_in_is_expected, setup, teardown),
        cmocka_unit_test_setup_teardown(a_file_comes_back, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
