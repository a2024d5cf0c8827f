/* SPDX-License-Identifier: BSD-3-Clause */
/* Factors by batches, of data with gaps, and with a penalty of atoms: F along the way, and where they end, by naive
 * code; and what is said when the end is asked for in the middle of a pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "support/problems_naive.h"
#include "with_context.h"

enum { ROWS = 53, COLUMNS = 9, ATOMS = 4 };

static const char *const penalties[] = {"l1", "capped-l1", "scad", "mcp", "log"};

/* Rows of two atoms each, and noise; every gap-th entry is missing. */
static void draw(double *X, int gap, uint64_t seed)
{
    double atoms[ATOMS * COLUMNS];
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int k = 0; k < ATOMS * COLUMNS; k++) atoms[k] = dcpn_rng_normal(&rng);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int k = i % ATOMS, other = (i / ATOMS) % ATOMS;
            double signal = atoms[k * COLUMNS + j] - 0.7 * atoms[other * COLUMNS + j];
            X[i * COLUMNS + j] = signal + 0.1 * dcpn_rng_normal(&rng);
        }
    for (int k = 0; gap > 0 && k < ROWS * COLUMNS; k += gap) X[k] = DCPN_MISSING;
}

static dcpn_settings settings_for(const char *penalty)
{
    dcpn_settings s = dcpn_settings_default();
    s.penalty = penalty;
    s.lambda = 0.3;
    s.shape_units = "raw";
    s.theta = 0.8;
    s.tol = 1e-6;
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

static double explained(const dcpn_factors *f, int64_t i, int64_t j)
{
    double sum = 0.0;
    for (int64_t e = f->codes.first[i]; e < f->codes.first[i + 1]; e++)
        sum += f->codes.value[e] * f->atom[f->codes.index[e] * f->length + j];
    return sum;
}

static double naive_objective(const dcpn_factors *f, const double *X, const dcpn_settings *s,
                              const dcpn_factor_options *options)
{
    dcpn_settings of_atoms = *s;
    of_atoms.penalty = options->atom_penalty;
    of_atoms.lambda = options->atom_lambda;
    double sum = 0.0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            double left = X[i * COLUMNS + j] - explained(f, i, j);
            if (X[i * COLUMNS + j] != DCPN_MISSING) sum += left * left / 2.0;
        }
    for (int64_t e = 0; e < f->codes.first[f->count]; e++) {
        double t = fabs(f->codes.value[e]);
        sum += problems_penalty_of(s, t) + s->ridge * t * t / 2.0;
    }
    for (int k = 0; options->atom_lambda > 0.0 && k < ATOMS * COLUMNS; k++)
        sum += problems_penalty_of(&of_atoms, fabs(f->atom[k]));
    return sum;
}

static int falls(void *user, int64_t iteration, double objective, double violation)
{
    double *last = user;
    (void)iteration, (void)violation;
    assert_true(objective <= *last * (1.0 + 1e-12));
    *last = objective;
    return 0;
}

/* No small move within the unit ball along one or two entries of an atom lowers F. */
static void assert_atoms_rest(dcpn_factors *f, const double *X, const dcpn_settings *s,
                              const dcpn_factor_options *options)
{
    const double by = 1e-3;
    double F = naive_objective(f, X, s, options);
    for (int k = 0; k < ATOMS; k++) {
        double *d = f->atom + k * COLUMNS, before[COLUMNS];
        memcpy(before, d, sizeof before);
        for (int j = 0; j < COLUMNS; j++)
            for (int to = 0; to < 3; to++)
                for (int l = 0; l < COLUMNS; l++) {
                    double norm = 0.0;
                    memcpy(d, before, sizeof before);
                    d[j] = to == 0 ? d[j] - by : to == 1 ? d[j] + by : 0.0;
                    if (l != j) d[l] *= 1.0 - by;
                    for (int m = 0; m < COLUMNS; m++) norm += d[m] * d[m];
                    for (int m = 0; norm > 1.0 && m < COLUMNS; m++) d[m] /= sqrt(norm);
                    if (to < 2 || fabs(before[j]) < by) assert_true(naive_objective(f, X, s, options) >= F - 1e-5);
                }
        memcpy(d, before, sizeof before);
    }
}

static void check(const double *X, const dcpn_settings *s, const dcpn_factor_options *how)
{
    double last = HUGE_VAL;
    dcpn_factor_options options = *how;
    options.atoms = ATOMS;
    options.seed = 2;
    options.observer = falls;
    options.user = &last;
    dcpn_factors *f = factor(X, s, &options);
    assert_int_equal(f->outcome, DCPN_CONVERGED);
    assert_true(fabs(f->objective - naive_objective(f, X, s, &options)) <= 1e-9 * f->objective);
    assert_atoms_rest(f, X, s, &options);
    dcpn_factors_free(f);
}

static void data_with_gaps(void **state)
{
    double X[ROWS * COLUMNS];
    (void)state;
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
        const dcpn_settings s = settings_for(penalties[p]);
        draw(X, 4, p + 1);
        check(X, &s, &(dcpn_factor_options){0});
    }
}

static void batches(void **state)
{
    double X[ROWS * COLUMNS];
    (void)state;
    draw(X, 0, 7);
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++)
        for (int64_t size = 1; size <= 64; size = size * 4 + 3) {
            const dcpn_settings s = settings_for(penalties[p]);
            check(X, &s, &(dcpn_factor_options){.batch = size});
        }
}

static void atoms_with_a_penalty(void **state)
{
    double X[ROWS * COLUMNS];
    (void)state;
    for (int gap = 0; gap <= 5; gap += 5)
        for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
            dcpn_settings s = settings_for("l1");
            s.lambda = 0.1;
            s.ridge = 0.2;
            draw(X, gap, 3);
            check(X, &s, &(dcpn_factor_options){.atom_penalty = penalties[p], .atom_lambda = 0.6});
        }
}

struct patience {
    int asked, most;
};

static int is_over(void *user)
{
    struct patience *patience = user;
    return ++patience->asked >= patience->most;
}

/* What there is then is what it says; while the entries that are seen are sorted there is nothing yet. */
static void the_end_may_come_in_a_pass(void **state)
{
    double X[ROWS * COLUMNS];
    dcpn_settings s = settings_for("mcp");
    (void)state;
    s.tol = 0.0;
    s.max_iter = 30;
    for (int gap = 0; gap <= 4; gap += 4)
        for (int most = 1; most < 2000; most = most * 3 / 2 + 1) {
            const dcpn_factor_options options = {.atoms = ATOMS, .batch = gap ? 0 : 10};
            struct patience patience = {0, most};
            dcpn_matrix *A;
            draw(X, gap, 3);
            assert_int_equal(
                dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                DCPN_OK);
            dcpn_context_set_poll(context, is_over, 0.0, &patience);
            dcpn_factors *f = NULL;
            dcpn_status status = dcpn_factors_fit(context, A, &s, &options, &f);
            dcpn_context_set_poll(context, NULL, 0.0, NULL);
            dcpn_context_resume(context);
            if (gap == 0 || most > 20) assert_int_equal(status, DCPN_OK);
            if (f) assert_true(fabs(f->objective - naive_objective(f, X, &s, &options)) <= 1e-9 * f->objective);
            dcpn_factors_free(f);
            dcpn_matrix_free(A);
        }
}

/* Codes of columns: the scores of the rows of the fit come out again, gaps or not. */
static void scores_come_out_again(void **state)
{
    double X[ROWS * COLUMNS], scores[ROWS * ATOMS];
    (void)state;
    for (int gap = 0; gap <= 4; gap += 4) {
        const dcpn_settings s = settings_for("l1");
        dcpn_matrix *A;
        draw(X, gap, 11);
        dcpn_factors *f = factor(X, &s, &(dcpn_factor_options){.atoms = ATOMS, .of_columns = 1});
        assert_int_equal(
            dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
            DCPN_OK);
        assert_int_equal(dcpn_factors_codes(f, A, scores), DCPN_OK);
        for (int i = 0; i < ROWS; i++)
            for (int k = 0; k < ATOMS; k++) assert_true(fabs(scores[i * ATOMS + k] - f->atom[k * ROWS + i]) < 1e-4);
        dcpn_matrix_free(A);
        dcpn_factors_free(f);
    }
}

static void refuse(const double *X, dcpn_factor_options options, const char *word)
{
    const dcpn_settings s = settings_for("l1");
    dcpn_matrix *A;
    dcpn_factors *f;
    assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_COPY, &A),
                     DCPN_OK);
    assert_int_equal(dcpn_factors_fit(context, A, &s, &options, &f), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), word));
    assert_null(f);
    dcpn_matrix_free(A);
}

static void what_cannot_be_is_refused(void **state)
{
    double X[ROWS * COLUMNS];
    (void)state;
    draw(X, 0, 1);
    refuse(X, (dcpn_factor_options){.batch = -1}, "batch");
    refuse(X, (dcpn_factor_options){.batch = 5, .of_columns = 1}, "batch");
    refuse(X, (dcpn_factor_options){.atom_lambda = -1.0}, "atoms");
    refuse(X, (dcpn_factor_options){.atom_lambda = (double)NAN}, "atoms");
    refuse(X, (dcpn_factor_options){.atom_lambda = 1.0, .atom_penalty = "mpc"}, "mpc");
    draw(X, 4, 1);
    refuse(X, (dcpn_factor_options){.batch = 5}, "missing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(data_with_gaps, setup, teardown),
        cmocka_unit_test_setup_teardown(batches, setup, teardown),
        cmocka_unit_test_setup_teardown(atoms_with_a_penalty, setup, teardown),
        cmocka_unit_test_setup_teardown(the_end_may_come_in_a_pass, setup, teardown),
        cmocka_unit_test_setup_teardown(scores_come_out_again, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_is_refused, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
