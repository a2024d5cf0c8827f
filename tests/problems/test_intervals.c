/* SPDX-License-Identifier: BSD-3-Clause */
/* Intervals beside those of R (lm, glm, confint, pt, qt), and how often they hold the coefficient. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "dcpn/dcpn.h"
#include "inference/student.h"
#include "with_context.h"

static void assert_within(double share, double found, double expected)
{
    if (!(fabs(found - expected) <= share * (1e-3 + fabs(expected))))
        fail_msg("found %.17g, expected %.17g", found, expected);
}

static void assert_near(double found, double expected)
{
    assert_within(1e-9, found, expected);
}

/* ---- R ---- */

enum { N = 16, D = 3 };
static const double X[N * D] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 7, 1, 8, 2, 8, 1, 8,
                                2, 8, 4, 5, 9, 0, 4, 5, 1, 4, 1, 4, 2, 1, 3, 5, 6, 2, 3, 7, 3, 0, 9, 5};
static const double y[N] = {6.5, 2.1, 8.8, -1.2, 9.4, 13.1, 5.2, 7.7, 6.6, 1.9, 9.1, 12.8, 8.7, 15.3, 11.2, 2.4};
static const double w[N] = {1, 2, 1, 3, 1, 1, 2, 2, 1, 1, 3, 1, 2, 1, 1, 2};
static const double z[N] = {1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1};

struct expected {
    double estimate, error, statistic, p_value, low, high;
};

static void check(const char *loss, const double *labels, const double *weights, double level, double share,
                  const struct expected *expected)
{
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_intervals *made = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    const dcpn_interval_options options = {.method = "full", .level = level};
    settings.loss = loss;
    assert_int_equal(dcpn_matrix_dense(context, N, D, X, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, N, DCPN_BORROW, &A), DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, weights), DCPN_OK);
    assert_int_equal(dcpn_intervals_run(context, problem, &settings, &options, &made), DCPN_OK);
    assert_int_equal(made->count, D);
    for (int j = 0; j < D; j++) {
        assert_int_equal(made->of[j].feature, j);
        assert_within(share, made->of[j].estimate, expected[j].estimate);
        assert_within(share, made->of[j].error, expected[j].error);
        assert_within(share, made->of[j].statistic, expected[j].statistic);
        assert_within(share, made->of[j].p_value, expected[j].p_value);
        assert_within(share, made->of[j].low, expected[j].low);
        assert_within(share, made->of[j].high, expected[j].high);
    }
    dcpn_intervals_free(made);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

static void full_intervals_are_those_of_lm(void **state)
{
    static const struct expected plain[D] = {
        {1.49867169306181758, 0.13970930336622261, 10.7270715475069078, 1.6691496797744349e-07, 1.24966954026376342,
         1.747673845859871733},
        {-0.59953944978171136, 0.12729641679007350, -4.7097904630765939, 5.0574519272852546e-04, -0.82641826930540851,
         -0.372660630258014214},
        {-0.34759517740043017, 0.16090834895538850, -2.1602059784778489, 5.1692263425136012e-02, -0.63438012534369737,
         -0.060810229457163023}};
    static const struct expected weighted[D] = {
        {1.44839455697438924, 0.13688638709496065, 10.5809977727705746, 1.9390982911253429e-07, 1.15014474056509464,
         1.74664437338368383},
        {-0.62712626054104659, 0.13333097643664824, -4.7035300970665546, 5.1120181757912243e-04, -0.91762950259327469,
         -0.33662301848881848},
        {-0.32554655024147183, 0.19610821507598475, -1.6600352520435437, 1.2279253723105638e-01, -0.75282964525216767,
         0.10173654476922395}};
    (void)state;
    check("squared", y, NULL, 0.9, 1e-9, plain);
    check("squared", y, w, 0.0, 1e-9, weighted);
}

static void full_intervals_are_those_of_glm(void **state)
{
    static const struct expected logistic[D] = {
        {0.89289601083600234, 0.47827826782587751, 1.866896471994982987, 0.061916047646536006, -0.044512168690919451,
         1.83030419036292402},
        {-0.57466009925069417, 0.38064018641361697, -1.509719992166692393, 0.131114887734766622, -1.320701155689995687,
         0.17138095718860735},
        {-0.01371754148663599, 0.46404703646171769, -0.029560670382101754, 0.976417432083743098, -0.923233020084147649,
         0.89579793711087574}};
    (void)state;
    check("logistic", z, NULL, 0.95, 1e-7, logistic); /* errors of glm are those before its last step */
}

static void students_t_is_that_of_r(void **state)
{
    (void)state;
    assert_near(dcpn_student_beyond(3.0, 2.5), 8.7706647008065505e-02);
    assert_near(dcpn_student_beyond(1.0, -2.5), 2.4223788318168671e-01);
    assert_near(dcpn_student_beyond(7.5, 40.0) * 1e9, 5.1190567637097898e-10 * 1e9);
    assert_near(dcpn_student_beyond(50.0, 1e-3), 9.9920609477550171e-01);
    assert_near(dcpn_student_within(4.0, 0.95), 2.7764451051977934);
    assert_near(dcpn_student_within(1.0, 0.5), 1.0);
    assert_near(dcpn_student_within(200.0, 0.999), 3.3398354062757107);
    assert_near(dcpn_student_within((double)INFINITY, 0.95), 1.9599639845400536);
}

/* ---- more features than rows ---- */

enum { ROWS = 60, COLUMNS = 65, DRAWS = 14, CHOSEN = 3 };

/* Columns are correlated with the one before; 10, 40 and 60 matter, and 11 goes with 10. */
static void draw(uint64_t seed, int is_logistic, double *A, double *labels)
{
    struct rng rng;
    dcpn_rng_seed(&rng, seed);
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < COLUMNS; j++) {
            double own = dcpn_rng_normal(&rng);
            A[i + j * ROWS] = j ? 0.5 * A[i + (j - 1) * ROWS] + sqrt(0.75) * own : own;
        }
        double u = A[i + 10 * ROWS] - A[i + 40 * ROWS] + A[i + 60 * ROWS];
        labels[i] = is_logistic ? dcpn_rng_uniform(&rng) < 1.0 / (1.0 + exp(-u)) : u + dcpn_rng_normal(&rng);
    }
}

struct coverage {
    double held, width, bias;
};

static struct coverage coverage_of(const char *loss, const char *method)
{
    static double A_values[ROWS * COLUMNS], labels[ROWS];
    static const int64_t chosen[CHOSEN] = {10, 11, 40};
    static const double truth[CHOSEN] = {1.0, 0.0, -1.0};
    struct coverage sum = {0};
    for (uint64_t k = 0; k < DRAWS; k++) {
        dcpn_matrix *A = NULL;
        dcpn_problem *problem = NULL;
        dcpn_intervals *made = NULL;
        dcpn_settings settings = dcpn_settings_for_paths();
        const dcpn_interval_options options = {
            .method = method, .features = chosen, .count = CHOSEN, .folds = 3, .level = 0.9, .seed = k};
        draw(500 + k, strcmp(loss, "logistic") == 0, A_values, labels);
        settings.loss = loss;
        settings.penalty = "l1";
        assert_int_equal(dcpn_matrix_dense(context, ROWS, COLUMNS, A_values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS,
                                           DCPN_BORROW, &A),
                         DCPN_OK);
        assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
        assert_int_equal(dcpn_intervals_run(context, problem, &settings, &options, &made), DCPN_OK);
        for (int j = 0; j < CHOSEN; j++) {
            const dcpn_interval *of = &made->of[j];
            sum.held += (of->low <= truth[j] && truth[j] <= of->high) / (double)(DRAWS * CHOSEN);
            if (strcmp(loss, "squared") == 0) /* Student's t: of the normal law it would be 1.645 */
                assert_true((of->high - of->low) / (2.0 * of->error) > 1.655);
            sum.width += (of->high - of->low) / (double)(DRAWS * CHOSEN);
            sum.bias += (of->estimate - truth[j]) * truth[j] / (double)(DRAWS * 2);
        }
        dcpn_intervals_free(made);
        dcpn_problem_free(problem);
        dcpn_matrix_free(A);
    }
    print_message("%s, %s: hold %.3f, width %.2f, bias %.3f\n", loss, method, sum.held, sum.width, sum.bias);
    return sum;
}

/* 42 intervals of level 0.9 hold the coefficient 38 times, with a deviation of 2 if they are independent. */
static void intervals_hold_the_coefficient(void **state)
{
    static const char *const methods[] = {"debiased", "double"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct coverage found = coverage_of("squared", methods[k]);
        assert_true(found.held > 0.8);
        assert_true(found.width < 0.9); /* of least squares on the right features: about 0.5 */
        assert_true(fabs(found.bias) < 0.15);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static double A_values[ROWS * COLUMNS], labels[ROWS];
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_intervals *made = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    static const int64_t twice[] = {3, 3}, beyond[] = {COLUMNS};
    static const struct {
        dcpn_interval_options options;
        const char *says;
    } wrong[] = {
        {{.features = twice, .count = 2}, "feature 4 twice"},
        {{.features = beyond, .count = 1}, "found feature 66"},
        {{.level = 1.0}, "level: found 1"},
        {{.method = "bayes"}, "expected full, double or debiased"},
        {{.method = "full"}, "expected more rows"},
    };
    (void)state;
    draw(1, 0, A_values, labels);
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, A_values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, ROWS, DCPN_BORROW, &A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    settings.loss = "squared";
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_not_equal(dcpn_intervals_run(context, problem, &settings, &wrong[k].options, &made), DCPN_OK);
        assert_non_null(strstr(dcpn_last_error(context), wrong[k].says));
        assert_null(made);
    }
    settings.loss = "huber";
    assert_int_equal(dcpn_intervals_run(context, problem, &settings, NULL, &made), DCPN_USAGE);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

/* Two classes that one feature tells apart have no largest likelihood. */
static void separated_classes_are_refused(void **state)
{
    enum { FEW = 40 };
    static double A_values[FEW], labels[FEW];
    dcpn_matrix *A = NULL;
    dcpn_problem *problem = NULL;
    dcpn_intervals *made = NULL;
    dcpn_settings settings = dcpn_settings_for_paths();
    (void)state;
    for (int i = 0; i < FEW; i++) {
        A_values[i] = i - 19.5;
        labels[i] = i < FEW / 2 ? -1.0 : 1.0;
    }
    assert_int_equal(
        dcpn_matrix_dense(context, FEW, 1, A_values, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, FEW, DCPN_BORROW, &A), DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    settings.loss = "logistic";
    assert_int_equal(dcpn_intervals_run(context, problem, &settings, NULL, &made), DCPN_DATA);
    assert_non_null(strstr(dcpn_last_error(context), "separate"));
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_intervals_are_those_of_lm),
        cmocka_unit_test(full_intervals_are_those_of_glm),
        cmocka_unit_test(students_t_is_that_of_r),
        cmocka_unit_test(intervals_hold_the_coefficient),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(separated_classes_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
