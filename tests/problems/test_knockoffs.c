/* SPDX-License-Identifier: BSD-3-Clause */
/* Knockoffs: the moments of copies, their distance and the threshold beside naive code, and the share of false features
 * on draws with a known truth. */
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

/* Rows of columns that are correlated with the one before. */
static void draw_columns(struct rng *rng, int64_t rows, int64_t columns, double rho, double *X)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) {
            double own = dcpn_rng_normal(rng);
            X[i + j * rows] = j ? rho * X[i + (j - 1) * rows] + sqrt(1.0 - rho * rho) * own : own;
        }
}

static dcpn_matrix *matrix_of(int64_t rows, int64_t columns, const double *X)
{
    dcpn_matrix *A = NULL;
    assert_int_equal(
        dcpn_matrix_dense(context, rows, columns, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, rows, DCPN_BORROW, &A), DCPN_OK);
    return A;
}

/* ---- moments ---- */

enum { P = 7, COPIES = 3, VERSIONS = COPIES + 1, ALL = VERSIONS * P, FEW = 60, MANY = 20000 };

/* G[a * ALL + b]: the correlation of the columns a and b of features and copies, column j of version v being number
 * j + P v. */
static void correlate(int64_t rows, const double *X, const double *copies, double *G)
{
    static double mean[ALL], deviation[ALL];
    for (int a = 0; a < ALL; a++) {
        const double *x = a < P ? X + a * rows : copies + (a - P) * rows;
        mean[a] = deviation[a] = 0.0;
        for (int64_t i = 0; i < rows; i++) mean[a] += x[i] / (double)rows;
        for (int64_t i = 0; i < rows; i++) deviation[a] += (x[i] - mean[a]) * (x[i] - mean[a]) / (double)rows;
        deviation[a] = sqrt(deviation[a]);
    }
    for (int a = 0; a < ALL; a++)
        for (int b = 0; b < ALL; b++) {
            const double *x = a < P ? X + a * rows : copies + (a - P) * rows,
                         *y = b < P ? X + b * rows : copies + (b - P) * rows;
            double sum = 0.0;
            for (int64_t i = 0; i < rows; i++) sum += (x[i] - mean[a]) * (y[i] - mean[b]);
            G[a * ALL + b] = sum / (double)rows / deviation[a] / deviation[b];
        }
}

/* Checks that versions may be swapped: features j and k are correlated by R_jk whatever their versions, and by R_jj -
 * s_j where j = k and the versions differ. Returns the largest difference from that. */
static double check_swaps(const double *G, double *s)
{
    double worst = 0.0;
    for (int j = 0; j < P; j++) s[j] = 1.0 - G[j * ALL + j + P];
    for (int a = 0; a < ALL; a++)
        for (int b = 0; b < ALL; b++) {
            int j = a % P, k = b % P;
            double wanted = G[j * ALL + k] - (j == k && a != b ? s[j] : 0.0);
            worst = fmax(worst, fabs(G[a * ALL + b] - wanted));
        }
    return worst;
}

static void copies_of(const char *kind, const char *distance, int64_t rows, double *X, double *G)
{
    struct rng rng;
    dcpn_rng_seed(&rng, 11);
    draw_columns(&rng, rows, P, 0.7, X);
    for (int64_t i = 0; i < rows; i++) X[i] = 1000.0 + 3.0 * X[i]; /* on a scale of its own */
    const dcpn_knockoff_options options = {.kind = kind, .distance = distance, .copies = COPIES, .seed = 5};
    double *copies = malloc((size_t)(rows * P * COPIES) * sizeof *copies);
    dcpn_matrix *A = matrix_of(rows, P, X);
    assert_non_null(copies);
    assert_int_equal(dcpn_knockoff_copies(context, A, &options, copies, NULL), DCPN_OK);
    for (int64_t v = 0; v < COPIES; v++) {
        double sum = 0.0;
        for (int64_t i = 0; i < rows; i++) sum += copies[i + rows * P * v] / (double)rows;
        assert_true(fabs(sum - 1000.0) < 1.0);
    }
    correlate(rows, X, copies, G);
    dcpn_matrix_free(A);
    free(copies);
}

static void fixed_copies_have_the_products_of_the_features(void **state)
{
    static double X[FEW * P], G[ALL * ALL], s[P];
    (void)state;
    copies_of("fixed", "equal", FEW, X, G);
    assert_true(check_swaps(G, s) < 1e-10);
    for (int j = 0; j < P; j++) assert_true(fabs(s[j] - s[0]) < 1e-10 && s[j] > 0.05);
    copies_of("fixed", "mvr", FEW, X, G);
    assert_true(check_swaps(G, s) < 1e-10);
    double least = s[0], most = s[0];
    for (int j = 1; j < P; j++) {
        least = fmin(least, s[j]);
        most = fmax(most, s[j]);
    }
    assert_true(least > 0.05 && most > least + 0.02);
}

static void gaussian_copies_have_the_law_of_the_features(void **state)
{
    static double X[MANY * P], G[ALL * ALL], s[P];
    (void)state;
    copies_of("gaussian", "mvr", MANY, X, G);
    assert_true(check_swaps(G, s) < 5.0 / sqrt((double)MANY));
    for (int j = 0; j < P; j++) assert_true(s[j] > 0.1);
}

/* ---- distance ---- */

/* The trace of the inverse, by elimination; infinite if a pivot is not positive. */
static double trace_of_inverse(int n, const double *M)
{
    static double rows[ALL * 2 * ALL];
    double trace = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) rows[i * 2 * n + j] = j < n ? M[i * n + j] : (double)(j - n == i);
    for (int k = 0; k < n; k++) {
        double pivot = rows[k * 2 * n + k];
        if (!(pivot > 0.0)) return (double)INFINITY;
        for (int j = 0; j < 2 * n; j++) rows[k * 2 * n + j] /= pivot;
        for (int i = 0; i < n; i++) {
            double by = rows[i * 2 * n + k];
            for (int j = 0; i != k && j < 2 * n; j++) rows[i * 2 * n + j] -= by * rows[k * 2 * n + j];
        }
    }
    for (int i = 0; i < n; i++) trace += rows[i * 2 * n + n + i];
    return trace;
}

/* The joint correlations if s_j were t more. */
static double trace_beside(const double *G, int j, double t)
{
    static double moved[ALL * ALL];
    memcpy(moved, G, sizeof moved);
    for (int a = j; a < ALL; a += P)
        for (int b = j; b < ALL; b += P)
            if (a != b) moved[a * ALL + b] -= t;
    return trace_of_inverse(ALL, moved);
}

static void the_distance_is_a_minimum(void **state)
{
    static double X[FEW * P], G[ALL * ALL], s[P];
    (void)state;
    copies_of("fixed", "mvr", FEW, X, G);
    check_swaps(G, s);
    double least = trace_of_inverse(ALL, G);
    assert_true(isfinite(least));
    for (int j = 0; j < P; j++) {
        assert_true(trace_beside(G, j, 0.03 * s[j]) > least);
        assert_true(trace_beside(G, j, -0.03 * s[j]) > least);
    }
}

static void an_equal_distance_is_as_large_as_can_be(void **state)
{
    static double X[FEW * P], G[ALL * ALL], moved[ALL * ALL], s[P];
    (void)state;
    copies_of("fixed", "equal", FEW, X, G);
    check_swaps(G, s);
    memcpy(moved, G, sizeof moved);
    for (int a = 0; a < ALL; a++)
        for (int b = 0; b < ALL; b++)
            if (a != b && a % P == b % P) moved[a * ALL + b] -= 0.02 * s[0];
    assert_true(s[0] > 0.99 || isinf(trace_of_inverse(ALL, moved)));
}

/* ---- threshold ---- */

static double naive_threshold(const double *win, int count, int copies, double fdr, int is_lenient)
{
    double best = INFINITY;
    for (int k = 0; k < count; k++) {
        double t = fabs(win[k]), above = 0.0, below = is_lenient ? 0.0 : 1.0;
        for (int j = 0; j < count; j++) {
            if (win[j] >= t) above++;
            if (-win[j] >= t) below++;
        }
        if (t > 0.0 && above > 0.0 && below / (copies * above) <= fdr && t < best) best = t;
    }
    return best;
}

static void the_threshold_is_that_of_naive_code(void **state)
{
    struct rng rng;
    double win[40];
    int finite = 0;
    (void)state;
    dcpn_rng_seed(&rng, 3);
    for (int trial = 0; trial < 300; trial++) {
        for (int j = 0; j < 40; j++) win[j] = floor(4.0 * dcpn_rng_normal(&rng) + (j < 15 ? 8.0 : 0.0));
        for (int copies = 1; copies < 5; copies += 3) {
            double fdr = 0.05 + 0.3 * dcpn_rng_uniform(&rng),
                   t = dcpn_knockoff_threshold(win, 40, copies, fdr, trial % 2);
            assert_true(t == naive_threshold(win, 40, copies, fdr, trial % 2));
            finite += isfinite(t);
        }
    }
    assert_true(finite > 100 && finite < 600);
    double few[3] = {5.0, 4.0, 3.0};
    assert_true(isinf(dcpn_knockoff_threshold(few, 3, 1, 0.3, 0))); /* (1 + 0) / 3 > 0.3 */
    assert_true(dcpn_knockoff_threshold(few, 3, 1, 0.34, 0) == 3.0);
    assert_true(dcpn_knockoff_threshold(few, 3, 4, 0.1, 0) == 3.0);
}

/* ---- the promise ---- */

enum { ROWS = 160, COLUMNS = 40, TRUE_ONES = 12, DRAWS = 30 };

struct rate {
    double wrong, squares, found;
};

static dcpn_problem *problem_of(const dcpn_matrix *A, const double *y)
{
    dcpn_problem *problem = NULL;
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    return problem;
}

static void draw_labels(struct rng *rng, int is_logistic, const double *X, double *y)
{
    for (int64_t i = 0; i < ROWS; i++) {
        double u = 0.0;
        for (int64_t j = 0; j < TRUE_ONES; j++) u += (j % 2 ? -0.9 : 0.9) * X[i + 3 * j * ROWS];
        if (is_logistic)
            y[i] = dcpn_rng_uniform(rng) < 1.0 / (1.0 + exp(-2.0 * u)) ? 1.0 : -1.0;
        else
            y[i] = u + 2.0 * dcpn_rng_normal(rng);
    }
}

static struct rate rate_of(const char *loss, const dcpn_knockoff_options *asked, int64_t rows_of_seed)
{
    static double X[ROWS * COLUMNS], y[ROWS];
    struct rate rate = {0};
    for (int draw = 0; draw < DRAWS; draw++) {
        struct rng rng;
        dcpn_rng_seed(&rng, (uint64_t)(rows_of_seed + draw));
        draw_columns(&rng, ROWS, COLUMNS, 0.3, X);
        draw_labels(&rng, strcmp(loss, "logistic") == 0, X, y);
        dcpn_matrix *A = matrix_of(ROWS, COLUMNS, X);
        dcpn_problem *problem = problem_of(A, y);
        dcpn_knockoffs *made = NULL;
        dcpn_settings settings = dcpn_settings_for_paths();
        dcpn_knockoff_options options = *asked;
        settings.loss = loss;
        settings.penalty = "l1";
        options.seed = (uint64_t)draw;
        assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &options, &made), DCPN_OK);
        double wrong = 0.0;
        for (int64_t k = 0; k < made->count; k++) wrong += made->index[k] % 3 != 0 || made->index[k] >= 3 * TRUE_ONES;
        double share = made->count ? wrong / (double)made->count : 0.0;
        rate.wrong += share / DRAWS;
        rate.squares += share * share / DRAWS;
        rate.found += ((double)made->count - wrong) / TRUE_ONES / DRAWS;
        dcpn_knockoffs_free(made);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
    return rate;
}

static void check_rate(const char *loss, const dcpn_knockoff_options *options, double least_found)
{
    struct rate rate = rate_of(loss, options, 100);
    double error = sqrt((rate.squares - rate.wrong * rate.wrong) / DRAWS);
    print_message("%s, %s, %s, %d draws, rate %g: %.3f +- %.3f false, %.2f found\n", loss, options->kind,
                  options->statistic, (int)options->draws, options->fdr, rate.wrong, error, rate.found);
    assert_true(rate.wrong <= options->fdr + 2.0 * error);
    assert_true(rate.wrong > 0.0); /* not by choosing hardly anything */
    assert_true(rate.found > least_found);
}

static void the_share_of_false_features_is_as_promised(void **state)
{
    (void)state;
    check_rate("squared",
               &(dcpn_knockoff_options){
                   .kind = "gaussian", .statistic = "entry", .fdr = 0.2, .copies = 1, .draws = 1},
               0.6);
    check_rate("squared", &(dcpn_knockoff_options){.kind = "gaussian", .statistic = "entry", .fdr = 0.1, .draws = 1},
               0.6);
    check_rate("squared", &(dcpn_knockoff_options){.kind = "gaussian", .statistic = "entry", .fdr = 0.2}, 0.6);
    check_rate("squared",
               &(dcpn_knockoff_options){.kind = "fixed", .statistic = "coefficient", .fdr = 0.2, .draws = 1}, 0.6);
    check_rate("logistic", &(dcpn_knockoff_options){.kind = "gaussian", .statistic = "entry", .fdr = 0.2, .draws = 1},
               0.4);
}

/* ---- one problem ---- */

/* Several draws are put together as naive code puts together what each of them says by itself. */
static void draws_are_put_together_by_their_evidence(void **state)
{
    enum { TOGETHER = 4 };
    static double X[ROWS * COLUMNS], y[ROWS], evidence[COLUMNS], often[COLUMNS];
    struct rng rng;
    dcpn_knockoffs *all = NULL;
    (void)state;
    dcpn_rng_seed(&rng, 77);
    draw_columns(&rng, ROWS, COLUMNS, 0.5, X);
    draw_labels(&rng, 0, X, y);
    dcpn_matrix *A = matrix_of(ROWS, COLUMNS, X);
    dcpn_problem *problem = problem_of(A, y);
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_knockoff_options options = {.seed = 9, .fdr = 0.3, .draws = TOGETHER, .statistic = "entry"};
    settings.loss = "squared";
    settings.penalty = "l1";
    assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &options, &all), DCPN_OK);
    options.draws = 1;
    options.fdr = 0.15; /* half of it for each */
    for (uint64_t d = 0; d < TOGETHER; d++) {
        dcpn_knockoffs *one = NULL;
        options.seed = 9 + d * UINT64_C(0x9e3779b97f4a7c15);
        assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &options, &one), DCPN_OK);
        assert_int_equal(one->copies, all->copies);
        double losers = 1.0;
        for (int64_t j = 0; j < COLUMNS; j++) losers += one->win[j] <= -one->threshold;
        for (int64_t k = 0; k < one->count; k++) {
            evidence[one->index[k]] += (double)one->copies / losers / TOGETHER;
            often[one->index[k]] += 1.0 / TOGETHER;
        }
        dcpn_knockoffs_free(one);
    }
    int64_t most = 0;
    for (int64_t m = 1; m <= COLUMNS; m++) {
        int64_t enough = 0;
        for (int64_t j = 0; j < COLUMNS; j++) enough += evidence[j] >= 1.0 / (0.3 * (double)m) - 1e-9;
        if (enough >= m) most = enough;
    }
    for (int64_t j = 0; j < COLUMNS; j++) {
        assert_true(fabs(all->evidence[j] - evidence[j]) < 1e-12);
        assert_true(fabs(all->frequency[j] - often[j]) < 1e-12);
    }
    assert_true(most > 5);
    assert_int_equal(all->count, most);
    dcpn_knockoffs_free(all);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void results_do_not_depend_on_threads(void **state)
{
    static double X[ROWS * COLUMNS], y[ROWS];
    struct rng rng;
    dcpn_knockoffs *made[2] = {NULL};
    (void)state;
    dcpn_rng_seed(&rng, 8);
    draw_columns(&rng, ROWS, COLUMNS, 0.5, X);
    draw_labels(&rng, 0, X, y);
    for (int k = 0; k < 2; k++) {
        dcpn_context_set_threads(context, k ? 3 : 1);
        dcpn_matrix *A = matrix_of(ROWS, COLUMNS, X);
        dcpn_problem *problem = problem_of(A, y);
        dcpn_settings settings = dcpn_settings_for_paths();
        const dcpn_knockoff_options options = {.seed = 4, .folds = 3, .fdr = 0.2, .draws = 2};
        settings.penalty = "mcp";
        settings.loss = "squared";
        assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &options, &made[k]), DCPN_OK);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
    dcpn_context_set_threads(context, 1);
    assert_true(made[0]->count > 5);
    assert_int_equal(made[0]->count, made[1]->count);
    assert_memory_equal(made[0]->win, made[1]->win, COLUMNS * sizeof(double));
    for (int k = 0; k < 2; k++) dcpn_knockoffs_free(made[k]);
}

/* Fewer rows than features and copies: rows are added. A feature that does not vary is never chosen. */
static void fixed_features_make_do_with_few_rows(void **state)
{
    static double X[ROWS * COLUMNS], y[ROWS];
    struct rng rng;
    enum { SHORT = 70 };
    (void)state;
    dcpn_rng_seed(&rng, 21);
    draw_columns(&rng, SHORT, COLUMNS, 0.2, X);
    for (int64_t i = 0; i < SHORT; i++) X[5 * SHORT + i] = 2.5;
    for (int64_t i = 0; i < SHORT; i++) {
        y[i] = 0.5 * dcpn_rng_normal(&rng);
        for (int64_t j = 10; j < 22; j++) y[i] += X[j * SHORT + i];
    }
    dcpn_matrix *A = matrix_of(SHORT, COLUMNS, X);
    dcpn_problem *problem = problem_of(A, y);
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_knockoffs *made = NULL;
    const dcpn_knockoff_options options = {.seed = 4, .fdr = 0.2, .kind = "fixed", .statistic = "entry", .draws = 1};
    settings.loss = "squared";
    settings.penalty = "l1";
    assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &options, &made), DCPN_OK);
    assert_int_equal(made->law.constant, 1);
    assert_true(made->law.extra_rows > 0);
    assert_true(made->win[5] == 0.0);
    assert_true(made->count >= 12);
    for (int64_t j = 10; j < 22; j++) assert_true(made->win[j] >= made->threshold);
    dcpn_knockoffs_free(made);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void what_has_no_meaning_is_refused(void **state)
{
    static double X[FEW * P], y[FEW], lower[P];
    static const int64_t start[] = {0, 2}, member[] = {0, 1};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 2);
    draw_columns(&rng, FEW, P, 0.5, X);
    for (int64_t i = 0; i < FEW; i++) y[i] = dcpn_rng_normal(&rng);
    dcpn_matrix *A = matrix_of(FEW, P, X);
    dcpn_problem *problem = problem_of(A, y);
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_knockoffs *made = NULL;
    settings.loss = "squared";
    static const struct {
        dcpn_knockoff_options options;
        const char *says;
    } wrong[] = {
        {{.kind = "floating"}, "found 'floating', expected gaussian or fixed"},
        {{.statistic = "p"}, "found 'p', expected coefficient or entry"},
        {{.distance = "far"}, "found 'far', expected mvr or equal"},
        {{.fdr = 1.5}, "found 1.5"},
        {{.fdr = -0.1}, "found -0.1"},
        {{.copies = 21}, "found 21, expected from 1 to 20"},
        {{.draws = -1}, "found -1, expected from 1 to 1000"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, &wrong[k].options, &made), DCPN_USAGE);
        assert_non_null(strstr(dcpn_last_error(context), wrong[k].says));
        assert_null(made);
    }
    assert_int_equal(dcpn_problem_set_groups(problem, 1, start, member, NULL), DCPN_OK);
    assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, NULL, &made), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "groups"));
    assert_int_equal(dcpn_problem_set_groups(problem, 0, NULL, NULL, NULL), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, lower, NULL), DCPN_OK);
    assert_int_equal(dcpn_knockoffs_run(context, problem, &settings, NULL, &made), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "bounds"));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);

    A = matrix_of(P, P, X); /* as many rows as features */
    problem = problem_of(A, y);
    assert_int_equal(
        dcpn_knockoffs_run(context, problem, &settings, &(dcpn_knockoff_options){.kind = "fixed"}, &made), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "expected at least 9"));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    memcpy(X + FEW, X, FEW * sizeof *X); /* the same feature twice */
    A = matrix_of(FEW, P, X);
    assert_int_equal(
        dcpn_knockoff_copies(context, A, &(dcpn_knockoff_options){.kind = "fixed", .copies = 1}, X, NULL),
        DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "linear functions of others"));
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fixed_copies_have_the_products_of_the_features),
        cmocka_unit_test(gaussian_copies_have_the_law_of_the_features),
        cmocka_unit_test(the_distance_is_a_minimum),
        cmocka_unit_test(an_equal_distance_is_as_large_as_can_be),
        cmocka_unit_test(the_threshold_is_that_of_naive_code),
        cmocka_unit_test(the_share_of_false_features_is_as_promised),
        cmocka_unit_test(draws_are_put_together_by_their_evidence),
        cmocka_unit_test(results_do_not_depend_on_threads),
        cmocka_unit_test(fixed_features_make_do_with_few_rows),
        cmocka_unit_test(what_has_no_meaning_is_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
