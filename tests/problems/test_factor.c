/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors: the objective and both parts of the certificate by naive code, F along the way, planted atoms, and
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
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 60, COLUMNS = 12, ATOMS = 5 };

static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log", "lp"};

/* Rows with codes of two atoms each, and a little noise; with is_positive all of it at least 0. */
static double noise = 0.01; /* of a number */

static void draw(double *X, double *atoms, int is_positive, uint64_t seed)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int k = 0; k < ATOMS; k++) {
        double norm = 0.0;
        for (int j = 0; j < COLUMNS; j++) {
            double v = dcpn_rng_normal(&rng);
            atoms[k * COLUMNS + j] = is_positive ? fabs(v) : v;
            norm += v * v;
        }
        for (int j = 0; j < COLUMNS; j++) atoms[k * COLUMNS + j] /= sqrt(norm);
    }
    for (int i = 0; i < ROWS; i++) {
        double *x = X + i * COLUMNS;
        for (int j = 0; j < COLUMNS; j++) x[j] = is_positive ? 0.0 : noise * dcpn_rng_normal(&rng);
        for (int times = 0; times < 2; times++) {
            int k = (int)dcpn_rng_below(&rng, ATOMS);
            double c = 2.0 + dcpn_rng_uniform(&rng);
            if (!is_positive && dcpn_rng_below(&rng, 2)) c = -c;
            for (int j = 0; j < COLUMNS; j++) x[j] += c * atoms[k * COLUMNS + j];
        }
    }
}

static dcpn_settings settings_for(const char *penalty)
{
    dcpn_settings s = dcpn_settings_default();
    s.penalty = penalty;
    s.lambda = strcmp(penalty, "lp") == 0 ? 0.1 : 0.3;
    s.shape_units = "raw";
    s.theta = 0.8;
    s.tol = 1e-7;
    s.max_iter = 20000;
    return s;
}

static dcpn_factors *factor(const double *X, const dcpn_settings *s, const dcpn_factor_options *options)
{
    dcpn_matrix *A;
    dcpn_factors *f = NULL;
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_factors_fit(context, A, s, options, &f), DCPN_OK);
    dcpn_matrix_free(A);
    return f;
}

/* ---- the same by naive code ---- */

static void residuals(const dcpn_factors *f, const double *X, double *R)
{
    memcpy(R, X, sizeof(double) * ROWS * COLUMNS);
    for (int64_t i = 0; i < f->count; i++)
        for (int64_t e = f->codes.first[i]; e < f->codes.first[i + 1]; e++)
            for (int64_t j = 0; j < f->length; j++)
                R[i * COLUMNS + j] -= f->codes.value[e] * f->atom[f->codes.index[e] * f->length + j];
}

static double naive_objective(const dcpn_factors *f, const double *X, const dcpn_settings *s)
{
    double R[ROWS * COLUMNS], sum = 0.0;
    residuals(f, X, R);
    for (int i = 0; i < ROWS * COLUMNS; i++) sum += R[i] * R[i] / 2.0;
    for (int64_t e = 0; e < f->codes.first[f->count]; e++) sum += problems_penalty_of(s, fabs(f->codes.value[e]));
    return sum;
}

/* No coefficient alone can lower F: its part is tried on a fine grid around 0 and around where it is. */
static void assert_coefficients_are_best(const dcpn_factors *f, const double *X, const dcpn_settings *s)
{
    double R[ROWS * COLUMNS];
    residuals(f, X, R);
    for (int64_t i = 0; i < f->count; i++)
        for (int64_t k = 0; k < f->atoms; k++) {
            double c = 0.0, slope = 0.0, curvature = 0.0;
            for (int64_t e = f->codes.first[i]; e < f->codes.first[i + 1]; e++)
                c += f->codes.index[e] == k ? f->codes.value[e] : 0.0;
            for (int j = 0; j < COLUMNS; j++) {
                double d = f->atom[k * COLUMNS + j];
                slope -= d * R[i * COLUMNS + j];
                curvature += d * d;
            }
            for (double to = -6.0; to <= 6.0; to += 0.01) {
                double moved = to - c, lowest = f->nonnegative_codes ? 0.0 : -6.0;
                if (to < lowest) continue;
                double change = slope * moved + curvature * moved * moved / 2.0 + problems_penalty_of(s, fabs(to)) -
                                problems_penalty_of(s, fabs(c));
                assert_true(change >= -1e-5);
            }
        }
}

/* Each atom is where its unconstrained minimum, pulled back to length 1, is. */
static void assert_atoms_are_best(const dcpn_factors *f, const double *X)
{
    double R[ROWS * COLUMNS];
    residuals(f, X, R);
    for (int64_t k = 0; k < f->atoms; k++) {
        double best[COLUMNS] = {0.0}, squares = 0.0, norm = 0.0;
        for (int64_t i = 0; i < f->count; i++)
            for (int64_t e = f->codes.first[i]; e < f->codes.first[i + 1]; e++) {
                if (f->codes.index[e] != k) continue;
                squares += f->codes.value[e] * f->codes.value[e];
                for (int j = 0; j < COLUMNS; j++) best[j] += f->codes.value[e] * R[i * COLUMNS + j];
            }
        if (squares == 0.0) continue;
        for (int j = 0; j < COLUMNS; j++) {
            best[j] = f->atom[k * COLUMNS + j] + best[j] / squares;
            if (f->nonnegative_atoms) best[j] = fmax(best[j], 0.0);
            norm += best[j] * best[j];
        }
        for (int j = 0; j < COLUMNS; j++)
            assert_true(fabs(best[j] / fmax(sqrt(norm), 1.0) - f->atom[k * COLUMNS + j]) < 1e-6);
    }
}

static void every_penalty_ends_where_no_block_can_be_improved(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    (void)state;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (int is_positive = 0; is_positive < 2; is_positive++) {
            draw(X, atoms, is_positive, 3);
            const dcpn_settings s = settings_for(penalties[p]);
            const dcpn_factor_options options = {
                .atoms = ATOMS, .nonnegative_codes = is_positive, .nonnegative_atoms = is_positive, .seed = 1};
            dcpn_factors *f = factor(X, &s, &options);
            assert_int_equal(f->outcome, DCPN_CONVERGED);
            assert_true(fabs(f->objective - naive_objective(f, X, &s)) <= 1e-9 * f->objective);
            assert_coefficients_are_best(f, X, &s);
            assert_atoms_are_best(f, X);
            dcpn_factors_free(f);
        }
}

static int falls(void *user, int64_t iteration, double objective, double violation)
{
    double *last = user;
    (void)iteration, (void)violation;
    assert_true(objective <= *last * (1.0 + 1e-12));
    *last = objective;
    return 0;
}

static void the_objective_never_rises(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    (void)state;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            double last = HUGE_VAL;
            draw(X, atoms, 0, seed);
            const dcpn_settings s = settings_for(penalties[p]);
            const dcpn_factor_options options = {.atoms = 2 * ATOMS, .seed = seed, .observer = falls, .user = &last};
            dcpn_factors_free(factor(X, &s, &options));
        }
}

/* How many planted atoms are found, but for their signs. */
static int found_atoms(const dcpn_factors *f, const double *atoms)
{
    int found = 0;
    for (int k = 0; k < ATOMS; k++) {
        double nearest = 0.0;
        for (int64_t l = 0; l < f->atoms; l++) {
            double along = 0.0;
            for (int j = 0; j < COLUMNS; j++) along += atoms[k * COLUMNS + j] * f->atom[l * COLUMNS + j];
            nearest = fmax(nearest, fabs(along));
        }
        found += nearest > 0.99;
    }
    return found;
}

/* What the non-convex penalty is for: codes that are not shrunk. Over some draws MCP finds more of the truth than
 * l1. */
static void planted_atoms_are_found(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    int found[2] = {0, 0};
    (void)state;
    noise = 0.3;
    for (uint64_t seed = 10; seed < 20; seed++)
        for (int k = 0; k < 2; k++) {
            draw(X, atoms, 0, seed);
            dcpn_settings s = settings_for(k ? "mcp" : "l1");
            s.lambda = 0.4;
            s.tol = 1e-4;
            const dcpn_factor_options options = {.atoms = ATOMS, .seed = seed};
            dcpn_factors *f = factor(X, &s, &options);
            found[k] += found_atoms(f, atoms);
            dcpn_factors_free(f);
        }
    noise = 0.01;
    assert_true(found[1] >= 45 && found[1] >= found[0] + 5);
}

static void assert_same(const dcpn_factors *a, const dcpn_factors *b)
{
    assert_int_equal(a->codes.first[a->count], b->codes.first[b->count]);
    assert_memory_equal(a->atom, b->atom, sizeof(double) * (size_t)(a->atoms * a->length));
    assert_memory_equal(a->codes.value, b->codes.value, sizeof(double) * (size_t)a->codes.first[a->count]);
    assert_true(a->objective == b->objective);
}

static void threads_change_nothing(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    const dcpn_settings s = settings_for("mcp");
    const dcpn_factor_options options = {.atoms = ATOMS, .seed = 4};
    (void)state;
    draw(X, atoms, 0, 5);
    dcpn_factors *one = factor(X, &s, &options);
    dcpn_context_set_threads(context, 3);
    dcpn_factors *three = factor(X, &s, &options);
    assert_same(one, three);
    dcpn_factors_free(one);
    dcpn_factors_free(three);
}

/* Factors of columns are those of the transposed matrix. */
static void columns_are_rows_of_the_transposed(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    const dcpn_settings s = settings_for("l1");
    dcpn_factor_options options = {.atoms = 3, .seed = 6};
    dcpn_matrix *turned;
    dcpn_factors *of_turned, *of_columns;
    (void)state;
    draw(X, atoms, 0, 7);
    assert_int_equal(
        dcpn_matrix_dense(context, COLUMNS, ROWS, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, COLUMNS, DCPN_COPY, &turned),
        DCPN_OK);
    assert_int_equal(dcpn_factors_fit(context, turned, &s, &options, &of_turned), DCPN_OK);
    options.of_columns = 1;
    of_columns = factor(X, &s, &options);
    assert_true(fabs(of_columns->objective - of_turned->objective) <= 1e-9 * of_turned->objective);
    dcpn_factors_free(of_columns);
    dcpn_factors_free(of_turned);
    dcpn_matrix_free(turned);
}

/* Codes of the rows of the fit are those that it found, if the penalty is convex. */
static void other_rows_get_codes(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS], codes[ROWS * ATOMS];
    const dcpn_settings s = settings_for("l1");
    const dcpn_factor_options options = {.atoms = ATOMS, .seed = 4};
    dcpn_matrix *A;
    (void)state;
    draw(X, atoms, 0, 5);
    dcpn_factors *f = factor(X, &s, &options);
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_factors_codes(f, A, codes), DCPN_OK);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t e = f->codes.first[i]; e < f->codes.first[i + 1]; e++)
            assert_true(fabs(codes[i * ATOMS + f->codes.index[e]] - f->codes.value[e]) < 1e-4);
    dcpn_matrix_free(A);
    dcpn_factors_free(f);
}

/* More atoms than X has directions: some are not used, and nothing breaks. */
static void too_many_atoms_are_harmless(void **state)
{
    double X[ROWS * COLUMNS] = {0.0};
    const dcpn_settings s = settings_for("l1");
    const dcpn_factor_options options = {.atoms = 7, .seed = 4};
    (void)state;
    dcpn_factors *nothing = factor(X, &s, &options);
    assert_int_equal(nothing->outcome, DCPN_CONVERGED);
    assert_true(nothing->objective == 0.0 && nothing->codes.first[ROWS] == 0);
    dcpn_factors_free(nothing);
    for (int i = 0; i < ROWS; i++) X[i * COLUMNS] = 2.0;
    dcpn_factors *one = factor(X, &s, &options);
    assert_int_equal(one->outcome, DCPN_CONVERGED);
    assert_true(fabs(one->objective - ROWS * (0.3 * 2.0 - 0.3 * 0.3 / 2.0)) < 1e-9); /* the lasso of one atom, e_1 */
    dcpn_factors_free(one);
}

/* ---- ends that somebody asks for ---- */

struct patience {
    int asked, most;
};

static int is_over(void *user)
{
    struct patience *patience = user;
    return ++patience->asked >= patience->most;
}

/* At any moment, codes half made and the start by l1 among them; what there is then is what it says. */
static void a_wish_to_end_is_heard_everywhere(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    dcpn_settings s = settings_for("mcp");
    const dcpn_factor_options options = {.atoms = ATOMS};
    (void)state;
    draw(X, atoms, 0, 3);
    s.tol = 0.0;
    s.max_iter = 50;
    for (int most = 1; most < 3000; most = most * 3 / 2 + 1) {
        struct patience patience = {0, most};
        dcpn_context_set_poll(context, is_over, 0.0, &patience);
        dcpn_factors *f = factor(X, &s, &options);
        dcpn_context_set_poll(context, NULL, 0.0, NULL);
        dcpn_context_resume(context);
        assert_int_equal(f->outcome, DCPN_INTERRUPTED);
        assert_int_equal(patience.asked, most);
        assert_true(fabs(f->objective - naive_objective(f, X, &s)) <= 1e-9 * f->objective);
        dcpn_factors_free(f);
    }
}

static void codes_of_other_rows_are_whole_or_none(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS], codes[ROWS * ATOMS];
    dcpn_settings s = settings_for("l1");
    const dcpn_factor_options options = {.atoms = ATOMS};
    struct patience patience = {0, 5};
    dcpn_matrix *A;
    (void)state;
    draw(X, atoms, 0, 3);
    dcpn_factors *f = factor(X, &s, &options);
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                     DCPN_OK);
    dcpn_context_set_poll(context, is_over, 0.0, &patience);
    assert_int_equal(dcpn_factors_codes(f, A, codes), DCPN_CANCELLED);
    dcpn_context_set_poll(context, NULL, 0.0, NULL);
    dcpn_context_resume(context);
    dcpn_matrix_free(A);
    dcpn_factors_free(f);
}

static void what_is_wrong_is_refused(void **state)
{
    double X[ROWS * COLUMNS], atoms[ATOMS * COLUMNS];
    dcpn_settings s = settings_for("l1");
    dcpn_factor_options options = {.atoms = -1};
    dcpn_matrix *A;
    dcpn_factors *f;
    (void)state;
    draw(X, atoms, 0, 5);
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_factors_fit(context, A, &s, &options, &f), DCPN_USAGE);
    assert_null(f);
    options.atoms = INT64_MAX / 4;
    assert_int_not_equal(dcpn_factors_fit(context, A, &s, &options, &f), DCPN_OK);
    atoms[3] = (double)NAN;
    options = (dcpn_factor_options){.atoms = ATOMS, .start = atoms};
    assert_int_equal(dcpn_factors_fit(context, A, &s, &options, &f), DCPN_DATA);
    assert_int_equal(dcpn_factors_fit(context, NULL, &s, &options, &f), DCPN_USAGE);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_penalty_ends_where_no_block_can_be_improved, setup, teardown),
        cmocka_unit_test_setup_teardown(the_objective_never_rises, setup, teardown),
        cmocka_unit_test_setup_teardown(planted_atoms_are_found, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_change_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(columns_are_rows_of_the_transposed, setup, teardown),
        cmocka_unit_test_setup_teardown(other_rows_get_codes, setup, teardown),
        cmocka_unit_test_setup_teardown(too_many_atoms_are_harmless, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wish_to_end_is_heard_everywhere, setup, teardown),
        cmocka_unit_test_setup_teardown(codes_of_other_rows_are_whole_or_none, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
