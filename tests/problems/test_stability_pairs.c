/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong features among the stable ones, beside what the bounds say, on draws with a known truth. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "with_context.h"

enum { ROWS = 100, COLUMNS = 100, TRUE_ONES = 4, DRAWS = 20 };

static double X[ROWS * COLUMNS], y[ROWS];

/* By columns; neighbours are correlated by .5, and of those that matter none is another's neighbour. */
static int matters(int64_t j)
{
    return j % 25 == 10;
}

static void draw(struct rng *rng)
{
    for (int64_t i = 0; i < ROWS; i++) {
        y[i] = 1.5 * dcpn_rng_normal(rng);
        for (int64_t j = 0; j < COLUMNS; j++) {
            double before = j ? X[(j - 1) * ROWS + i] : 0.0;
            X[j * ROWS + i] = j ? 0.5 * before + sqrt(0.75) * dcpn_rng_normal(rng) : dcpn_rng_normal(rng);
            if (matters(j)) y[i] += X[j * ROWS + i];
        }
    }
}

static dcpn_cv *select_stable(int64_t subsamples, double threshold)
{
    static const char *const l1[] = {"l1"};
    dcpn_settings settings = dcpn_settings_for_paths();
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_cv *cv = NULL;
    dcpn_cv_options options = {.folds = 3, .rule = "min", .subsamples = subsamples, .threshold = threshold};
    options.path = (dcpn_path_options){.penalties = l1, .penalty_count = 1, .lambda_count = 12, .min_ratio = 0.1};
    settings.loss = "squared";
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A), DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, y, &problem), DCPN_OK);
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &options, &cv), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return cv;
}

static void no_more_are_wrong_than_promised(void **state)
{
    struct rng rng;
    double wrong = 0.0, right = 0.0, bound = 0.0, sharper = 0.0;
    (void)state;
    dcpn_rng_seed(&rng, 3);
    for (int k = 0; k < DRAWS; k++) {
        draw(&rng);
        dcpn_cv *cv = select_stable(40, 0.6);
        const dcpn_stability *s = cv->stability;
        assert_int_equal(s->pairs, 20);
        for (int64_t i = 0; i < s->count; i++) {
            if (s->frequency[i] < s->threshold) continue;
            wrong += !matters(s->index[i]);
            right += matters(s->index[i]);
        }
        double q = s->mean_selected, p = COLUMNS;
        assert_true(q < p / sqrt(3.0));
        assert_true(fabs(s->sharper_bound - q * q / p / (2.0 * (0.2 - 1.0 / 40.0))) < 1e-9);
        bound += s->bound;
        sharper += s->sharper_bound;
        dcpn_cv_free(cv);
    }
    print_message("mean: wrong %.2f, right %.2f, bound %.2f, sharper %.2f\n", wrong / DRAWS, right / DRAWS,
                  bound / DRAWS, sharper / DRAWS);
    assert_true(wrong > 0.0 && wrong < sharper && sharper < 0.6 * bound && right > 0.9 * TRUE_ONES * DRAWS);
}

/* tau is rounded up to a share that there can be; beyond 3/4 the other formula holds. */
static void formulas_beyond_three_quarters(void **state)
{
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 4);
    draw(&rng);
    dcpn_cv *cv = select_stable(10, 0.85);
    double q = cv->stability->mean_selected;
    assert_true(fabs(cv->stability->sharper_bound - q * q / COLUMNS * 4.0 * (0.1 + 0.1) / 1.2) < 1e-9);
    dcpn_cv_free(cv);
    cv = select_stable(11, 0.85);
    assert_true(cv->stability->pairs == 0 && isnan(cv->stability->sharper_bound));
    dcpn_cv_free(cv);
    cv = select_stable(10, 0.5);
    assert_true(isnan(cv->stability->sharper_bound));
    dcpn_cv_free(cv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_more_are_wrong_than_promised),
        cmocka_unit_test(formulas_beyond_three_quarters),
    };
    return cmocka_run_group_tests_name("problems.stability_pairs", tests, setup, teardown);
}
