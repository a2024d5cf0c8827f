/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs: the objective and the certificate by naive code, optima of scikit-learn, planted edges, missing values,
 * services. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "scratch.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { P = 12, ROWS = 60 };

static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log", "lp"};

/* ---- naive code ---- */

/* The inverse and the logarithm of the determinant, by elimination with pivots. */
static double invert(int n, const double *M, double *inverse)
{
    double A[P * P], log_det = 0.0;
    memcpy(A, M, sizeof(double) * (size_t)(n * n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) inverse[i * n + j] = i == j;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
        for (int j = 0; j < n; j++) {
            double a = A[k * n + j], b = inverse[k * n + j];
            A[k * n + j] = A[best * n + j], A[best * n + j] = a;
            inverse[k * n + j] = inverse[best * n + j], inverse[best * n + j] = b;
        }
        double pivot = A[k * n + k];
        log_det += log(fabs(pivot));
        for (int j = 0; j < n; j++) A[k * n + j] /= pivot, inverse[k * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            double times = A[i * n + k];
            if (i == k) continue;
            for (int j = 0; j < n; j++) {
                A[i * n + j] -= times * A[k * n + j];
                inverse[i * n + j] -= times * inverse[k * n + j];
            }
        }
    }
    return log_det;
}

static double number_of(const dcpn_graphs *g, int64_t point, const char *field)
{
    dcpn_value value;
    assert_int_equal(dcpn_graphs_get_of_point(g, point, field, &value), 1);
    return value.real;
}

static void take_precision(const dcpn_graphs *g, int64_t point, double *K)
{
    int64_t first[P * P], second[P * P], edges = (int64_t)number_of(g, point, "edges");
    double value[P * P], diagonal[P];
    assert_int_equal(dcpn_graphs_edges(g, point, first, second, value), DCPN_OK);
    assert_int_equal(dcpn_graphs_diagonal(g, point, diagonal), DCPN_OK);
    memset(K, 0, sizeof(double) * P * P);
    for (int i = 0; i < P; i++) K[i * P + i] = diagonal[i];
    for (int64_t e = 0; e < edges; e++) K[first[e] * P + second[e]] = K[second[e] * P + first[e]] = value[e];
}

struct checked {
    double F, violation;
};

static struct checked check(const dcpn_graphs *g, const double *S, const dcpn_settings *s, double diagonal_factor)
{
    double K[P * P], W[P * P];
    struct checked found = {0.0, 0.0};
    take_precision(g, 0, K);
    found.F = -invert(P, K, W);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) {
            double k = K[i * P + j], factor = i == j ? diagonal_factor : 1.0;
            double slope = S[i * P + j] - W[i * P + j] + s->ridge * k, c = factor * problems_slope_of(s, fabs(k));
            found.F += S[i * P + j] * k + s->ridge * k * k / 2.0 + factor * problems_penalty_of(s, fabs(k));
            double violation = k == 0.0 ? fabs(slope) - c : fabs(slope + copysign(c, k));
            found.violation = fmax(found.violation, violation);
        }
    return found;
}

/* ---- problems ---- */

static void draw_covariance(double *S)
{
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) S[i * P + j] = pow(0.6, abs(i - j)) + ((i * j) % 5 == 2 && i != j ? 0.09 : 0.0);
}

/* A chain: each variable depends on the one before it. */
static void draw_rows(int rows, double *X)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 11);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < P; j++)
            X[i * P + j] = dcpn_rng_normal(&rng) * (1.0 + 0.3 * j) + (j ? 0.7 * X[i * P + j - 1] : 5.0);
}

static void find_covariance(int rows, const double *X, const double *w, double *S)
{
    double mean[P] = {0.0}, total = 0.0;
    for (int i = 0; i < rows; i++) total += w ? w[i] : 1.0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < P; j++) mean[j] += (w ? w[i] : 1.0) * X[i * P + j] / total;
    memset(S, 0, sizeof(double) * P * P);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < P; j++)
            for (int k = 0; k < P; k++)
                S[j * P + k] += (w ? w[i] : 1.0) * (X[i * P + j] - mean[j]) * (X[i * P + k] - mean[k]) / total;
}

static dcpn_settings settings_for(const char *penalty, double lambda)
{
    dcpn_settings s = dcpn_settings_default();
    s.penalty = penalty;
    s.lambda = strcmp(penalty, "lp") == 0 ? 0.3 * lambda : lambda;
    s.shape_units = "raw";
    s.theta = 0.3;
    s.tol = 1e-8;
    s.max_iter = 2000;
    return s;
}

static dcpn_graphs *fit(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options)
{
    dcpn_graphs *g = NULL;
    if (dcpn_graphs_fit(context, source, s, options, &g) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    return g;
}

static dcpn_matrix *matrix_of(int rows, const double *X)
{
    dcpn_matrix *A;
    assert_int_equal(dcpn_matrix_dense(context, rows, P, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, P, DCPN_COPY, &A), DCPN_OK);
    return A;
}

/* ---- tests ---- */

static void test_objective_and_certificate_are_those_of_naive_code(void **state)
{
    (void)state;
    double S[P * P];
    draw_covariance(S);
    const dcpn_graph_source source = {.covariance = S, .variables = P, .rows = 100};
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++)
        for (int variant = 0; variant < 3; variant++) {
            dcpn_settings s = settings_for(penalties[k], 0.15);
            dcpn_graph_options options = {.penalize_diagonal = variant == 1};
            s.ridge = variant == 2 ? 0.2 : 0.0;
            dcpn_graphs *g = fit(&source, &s, &options);
            const struct checked found = check(g, S, &s, variant == 1 ? 1.0 : 0.0);
            double goal = number_of(g, 0, "goal");
            if (fabs(found.F - number_of(g, 0, "objective")) > 1e-9 || found.violation > goal + 1e-6)
                fail_msg("%s %d: F %.12g, naive %.12g, violation %g, naive %g, goal %g", penalties[k], variant,
                         number_of(g, 0, "objective"), found.F, number_of(g, 0, "violation"), found.violation, goal);
            assert_true(number_of(g, 0, "violation") <= goal);
            assert_true(number_of(g, 0, "edges") > 3 && number_of(g, 0, "edges") < P * (P - 1) / 2);
            dcpn_graphs_free(g);
        }
}

/* graphical_lasso of scikit-learn 1.9.1, tol and enet_tol 1e-12. */
static void test_optima_are_those_of_scikit_learn(void **state)
{
    static const struct {
        double lambda, F, K00, K01, K34;
    } golden[] = {{0.05, 7.356403989893534, 1.4336917562724192, -0.7885304659499187, -1.0718443641029602},
                  {0.15, 9.035802791265226, 1.2539184952979925, -0.5642633228832384, -0.7604287959601822},
                  {0.3, 10.679854945012996, 1.098901098901081, -0.3296703296703385, -0.4599596402865059}};
    (void)state;
    double S[P * P], K[P * P];
    draw_covariance(S);
    const dcpn_graph_source source = {.covariance = S, .variables = P};
    for (size_t k = 0; k < sizeof golden / sizeof *golden; k++) {
        const dcpn_settings s = settings_for("l1", golden[k].lambda);
        dcpn_graphs *g = fit(&source, &s, NULL);
        take_precision(g, 0, K);
        assert_true(fabs(number_of(g, 0, "objective") - golden[k].F) < 1e-9);
        assert_true(fabs(K[0] - golden[k].K00) < 1e-5);
        assert_true(fabs(K[1] - golden[k].K01) < 1e-5);
        assert_true(fabs(K[3 * P + 4] - golden[k].K34) < 1e-5);
        dcpn_graphs_free(g);
    }
}

static void test_rows_are_their_covariance(void **state)
{
    (void)state;
    double X[ROWS * P], w[ROWS], S[P * P];
    draw_rows(ROWS, X);
    for (int i = 0; i < ROWS; i++) w[i] = i % 3;
    dcpn_matrix *A = matrix_of(ROWS, X);
    for (int weighted = 0; weighted < 2; weighted++) {
        const dcpn_graph_source of_rows = {.X = A, .weights = weighted ? w : NULL};
        const dcpn_settings s = settings_for("mcp", 0.6);
        find_covariance(ROWS, X, weighted ? w : NULL, S);
        dcpn_graphs *g = fit(&of_rows, &s, NULL);
        const struct checked found = check(g, S, &s, 0.0);
        assert_true(fabs(found.F - number_of(g, 0, "objective")) < 1e-9);
        assert_true(found.violation <= number_of(g, 0, "goal") + 1e-6);
        dcpn_graphs_free(g);
    }
    dcpn_matrix_free(A);
}

/* With --standardize units do not matter, and entries are given in those of the data. */
static void test_standardized_graphs_do_not_depend_on_units(void **state)
{
    (void)state;
    double X[ROWS * P], K[P * P], scaled[P * P];
    draw_rows(ROWS, X);
    dcpn_settings s = settings_for("scad", 0.2);
    s.standardize = 1;
    for (int pass = 0; pass < 2; pass++) {
        dcpn_matrix *A = matrix_of(ROWS, X);
        const dcpn_graph_source source = {.X = A};
        dcpn_graphs *g = fit(&source, &s, NULL);
        take_precision(g, 0, pass ? scaled : K);
        dcpn_graphs_free(g);
        dcpn_matrix_free(A);
        for (int i = 0; i < ROWS * P; i++) X[i] = 10.0 * X[i] - 3.0;
    }
    for (int i = 0; i < P * P; i++) assert_true(fabs(100.0 * scaled[i] - K[i]) < 1e-6 * (1.0 + fabs(K[i])));
}

static void test_factors_make_edges_free_or_impossible(void **state)
{
    (void)state;
    double S[P * P], factors[P * P], K[P * P];
    draw_covariance(S);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) factors[i * P + j] = (i + j) % 2 ? 1e6 : 0.0;
    const dcpn_graph_source source = {.covariance = S, .variables = P};
    const dcpn_graph_options options = {.factors = factors};
    const dcpn_settings s = settings_for("l1", 0.1);
    dcpn_graphs *g = fit(&source, &s, &options);
    take_precision(g, 0, K);
    for (int i = 0; i < P; i++)
        for (int j = 0; j < P; j++) assert_true((K[i * P + j] == 0.0) == ((i + j) % 2));
    dcpn_graphs_free(g);
}

static void test_paths_rise_and_choose(void **state)
{
    (void)state;
    double X[ROWS * P];
    draw_rows(ROWS, X);
    dcpn_matrix *A = matrix_of(ROWS, X);
    const dcpn_graph_source source = {.X = A};
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++)
        for (int rule = 0; rule < 2; rule++) {
            dcpn_settings s = settings_for(penalties[k], 0.1);
            s.standardize = 1;
            s.tol = 1e-5;
            const dcpn_graph_options options = {.lambda_count = 12,
                                                .rule = rule ? DCPN_GRAPH_CV : DCPN_GRAPH_EBIC,
                                                .folds = 5,
                                                .subsamples = 5,
                                                .seed = 3};
            dcpn_graphs *g = fit(&source, &s, &options);
            int64_t count = dcpn_graphs_count(g), chosen = dcpn_graphs_chosen(g);
            double frequency[P * P];
            assert_true(count > 3 && number_of(g, 0, "edges") == 0.0);
            for (int64_t at = 1; at < count; at++) {
                assert_true(number_of(g, at, "lambda") < number_of(g, at - 1, "lambda"));
                assert_true(number_of(g, at, "objective") <= number_of(g, at - 1, "objective") + 1e-6);
            }
            for (int64_t at = 0; at < count; at++)
                assert_true(number_of(g, at, rule ? "cv_mean" : "ebic") >=
                            number_of(g, chosen, rule ? "cv_mean" : "ebic"));
            assert_int_equal(dcpn_graphs_stability(g, frequency), DCPN_OK);
            for (int64_t e = 0; e < (int64_t)number_of(g, chosen, "edges"); e++)
                assert_true(frequency[e] >= 0.0 && frequency[e] <= 1.0 + 1e-12);
            dcpn_graphs_free(g);
        }
    dcpn_matrix_free(A);
}

/* A chain of 12: the edges that EBIC chooses, as hits and as errors. */
static void test_planted_edges_are_found_by_mcp(void **state)
{
    (void)state;
    enum { MANY = 400 };
    double *X = malloc(sizeof *X * MANY * P), K[P * P];
    assert_non_null(X);
    draw_rows(MANY, X);
    dcpn_matrix *A = matrix_of(MANY, X);
    const dcpn_graph_source source = {.X = A};
    int wrong[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        dcpn_settings s = settings_for(k ? "mcp" : "l1", 0.1);
        s.standardize = 1;
        const dcpn_graph_options options = {.lambda_count = 30};
        dcpn_graphs *g = fit(&source, &s, &options);
        take_precision(g, dcpn_graphs_chosen(g), K);
        for (int i = 0; i < P; i++)
            for (int j = 0; j < i; j++) wrong[k] += (K[i * P + j] != 0.0) != (i == j + 1);
        dcpn_graphs_free(g);
    }
    assert_int_equal(wrong[1], 0);
    assert_true(wrong[0] > 0);
    dcpn_matrix_free(A);
    free(X);
}

/* A grid that may end early chooses what the whole grid does. */
static void test_paths_do_not_end_before_their_best(void **state)
{
    enum { WIDE = 40, FEW = 200, GRID = 30 };
    (void)state;
    struct rng rng;
    double *X = malloc(sizeof *X * FEW * WIDE), lambdas[GRID];
    assert_non_null(X);
    dcpn_rng_seed(&rng, 6);
    for (int i = 0; i < FEW; i++)
        for (int j = 0; j < WIDE; j++)
            X[i * WIDE + j] = dcpn_rng_normal(&rng) - (j ? 0.3 * X[i * WIDE + j - 1] : 0.0) -
                              (j > 1 ? 0.2 * X[i * WIDE + j - 2] : 0.0);
    dcpn_matrix *A;
    assert_int_equal(dcpn_matrix_dense(context, FEW, WIDE, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, WIDE, DCPN_BORROW, &A),
                     DCPN_OK);
    const dcpn_graph_source source = {.X = A};
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++) {
        dcpn_settings s = settings_for(penalties[k], 0.1);
        s.standardize = 1;
        s.tol = 1e-4;
        s.shape_units = "problem";
        s.theta = 1.0;
        dcpn_graph_options options = {.lambda_count = GRID};
        dcpn_graphs *g = fit(&source, &s, &options);
        for (int i = 0; i < GRID; i++) lambdas[i] = number_of(g, 0, "lambda") * pow(0.05, (double)i / (GRID - 1));
        options.lambdas = lambdas;
        dcpn_graphs *whole = fit(&source, &s, &options);
        assert_int_equal((int)dcpn_graphs_count(whole), GRID);
        assert_int_equal((int)dcpn_graphs_chosen(g), (int)dcpn_graphs_chosen(whole));
        dcpn_graphs_free(g);
        dcpn_graphs_free(whole);
    }
    dcpn_matrix_free(A);
    free(X);
}

/* E[x_M | x_O] = m_M + C_MO C_OO^-1 (x_O - m_O) with C the inverse of K. */
static void test_missing_values_are_conditional_expectations(void **state)
{
    (void)state;
    double X[ROWS * P], K[P * P], C[P * P], mean[P], row[P], part[P * P], inverse[P * P];
    draw_rows(ROWS, X);
    dcpn_matrix *A = matrix_of(ROWS, X);
    const dcpn_graph_source source = {.X = A};
    dcpn_settings s = settings_for("mcp", 0.1);
    s.standardize = 1;
    dcpn_graphs *g = fit(&source, &s, NULL);
    take_precision(g, 0, K);
    invert(P, K, C);
    assert_int_equal(dcpn_graphs_mean(g, mean), DCPN_OK);
    memcpy(row, X, sizeof row);
    row[2] = row[3] = row[9] = NAN;
    assert_int_equal(dcpn_graphs_fill(g, 0, 1, row), DCPN_OK);
    int there[P], count = 0;
    for (int j = 0; j < P; j++)
        if (j != 2 && j != 3 && j != 9) there[count++] = j;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++) part[a * count + b] = C[there[a] * P + there[b]];
    invert(count, part, inverse);
    for (int j = 0; j < P; j++) {
        double expected = mean[j];
        for (int a = 0; a < count; a++)
            for (int b = 0; b < count; b++)
                expected += C[j * P + there[a]] * inverse[a * count + b] * (X[there[b]] - mean[there[b]]);
        assert_true(fabs(row[j] - expected) < 1e-9 * (1.0 + fabs(expected)));
    }
    dcpn_graphs_free(g);
    dcpn_matrix_free(A);
}

static char *slurp(const char *path)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void test_files_are_the_same_for_threads_and_are_read_back(void **state)
{
    (void)state;
    double X[ROWS * P];
    char expected[1 << 16];
    draw_rows(ROWS, X);
    dcpn_matrix *A = matrix_of(ROWS, X);
    const dcpn_graph_source source = {.X = A};
    dcpn_settings s = settings_for("mcp", 0.1);
    const dcpn_graph_options options = {.lambda_count = 5, .subsamples = 3};
    static const char *const names[P] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"};
    for (int threads = 1; threads <= 3; threads++) {
        dcpn_context_set_threads(context, threads);
        dcpn_graphs *g = fit(&source, &s, &options), *back;
        assert_int_equal(dcpn_graphs_set_names(g, names), DCPN_OK);
        assert_int_equal(dcpn_graphs_write(g, "g.json"), DCPN_OK);
        if (threads == 1) snprintf(expected, sizeof expected, "%s", slurp("g.json"));
        assert_string_equal(slurp("g.json"), expected);
        assert_int_equal(dcpn_graphs_begin(context, "g.json"), 1);
        assert_int_equal(dcpn_graphs_read(context, "g.json", &back), DCPN_OK);
        assert_int_equal(dcpn_graphs_write(back, "back.json"), DCPN_OK);
        assert_string_equal(slurp("back.json"), expected);
        dcpn_graphs_free(g);
        dcpn_graphs_free(back);
    }
    dcpn_matrix_free(A);
}

static void assert_refused(const dcpn_graph_source *source, const dcpn_settings *s, const dcpn_graph_options *options,
                           dcpn_status status, const char *part)
{
    dcpn_graphs *g;
    assert_int_equal(dcpn_graphs_fit(context, source, s, options, &g), status);
    assert_null(g);
    if (!strstr(dcpn_last_error(context), part)) fail_msg("'%s' is not in '%s'", part, dcpn_last_error(context));
}

static void test_what_has_no_minimiser_is_refused(void **state)
{
    (void)state;
    double X[ROWS * P], S[P * P];
    draw_rows(ROWS, X);
    dcpn_matrix *few = matrix_of(8, X);
    const dcpn_graph_source source = {.X = few};
    for (size_t k = 0; k < sizeof penalties / sizeof *penalties; k++) {
        dcpn_settings s = settings_for(penalties[k], 0.5);
        int is_bounded =
            strcmp(s.penalty, "mcp") == 0 || strcmp(s.penalty, "scad") == 0 || strcmp(s.penalty, "capped-l1") == 0;
        if (is_bounded) assert_refused(&source, &s, NULL, DCPN_USAGE, "--ridge: found 0");
        s.ridge = is_bounded ? 0.1 : 0.0;
        dcpn_graphs *g = fit(&source, &s, NULL);
        if (!(number_of(g, 0, "violation") <= number_of(g, 0, "goal")))
            fail_msg("%s: violation %g, goal %g, iterations %g, outcome %g", s.penalty, number_of(g, 0, "violation"),
                     number_of(g, 0, "goal"), number_of(g, 0, "iterations"), number_of(g, 0, "outcome"));
        dcpn_graphs_free(g);
    }
    dcpn_matrix_free(few);

    const dcpn_settings s = settings_for("l1", 0.1);
    const dcpn_graph_source given = {.covariance = S, .variables = P};
    const dcpn_graph_options cv = {.lambda_count = 5, .rule = DCPN_GRAPH_CV};
    draw_covariance(S);
    assert_refused(&given, &s, &cv, DCPN_USAGE, "need rows");
    S[1] = 0.7;
    assert_refused(&given, &s, NULL, DCPN_DATA, "row 1, column 2");
    S[1] = S[P] = 1.5;
    assert_refused(&given, &s, NULL, DCPN_DATA, "negative eigenvalue");
    S[1] = S[P] = NAN;
    assert_refused(&given, &s, NULL, DCPN_DATA, "row 1, column 2");
    for (int i = 0; i < ROWS; i++) X[i * P + 4] = 0.1;
    dcpn_matrix *A = matrix_of(ROWS, X);
    const dcpn_graph_source constant = {.X = A};
    assert_refused(&constant, &s, NULL, DCPN_DATA, "variable 5");
    dcpn_matrix_free(A);
}

int main(void)
{
#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)
    const struct CMUnitTest tests[] = {TEST(test_objective_and_certificate_are_those_of_naive_code),
                                       TEST(test_optima_are_those_of_scikit_learn),
                                       TEST(test_rows_are_their_covariance),
                                       TEST(test_standardized_graphs_do_not_depend_on_units),
                                       TEST(test_factors_make_edges_free_or_impossible),
                                       TEST(test_paths_rise_and_choose),
                                       TEST(test_paths_do_not_end_before_their_best),
                                       TEST(test_planted_edges_are_found_by_mcp),
                                       TEST(test_missing_values_are_conditional_expectations),
                                       TEST(test_files_are_the_same_for_threads_and_are_read_back),
                                       TEST(test_what_has_no_minimiser_is_refused)};
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
