/* SPDX-License-Identifier: BSD-3-Clause */
/* Selection on a grid: each candidate's error is that of fits without each fold, done by hand; rows without a label are
 * in every fit and in no fold; the best candidate is chosen; paths and cross-validations of such data are sequences of
 * annealed fits; what cannot be meant is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "support/problems_naive.h"

enum { ROWS = 90, COLUMNS = 8, FOLDS = 3, SEED = 7 };

static dcpn_context *context;
static struct problems_data data; /* two of three rows have no label */
static dcpn_matrix *A;
static dcpn_problem *problem;

static int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    data = problems_data_new(ROWS, COLUMNS, 0.7, 23);
    for (int64_t i = 0; i < ROWS; i++)
        if (i % 3) data.classes[i] = NAN;
    for (int64_t j = 0; j < COLUMNS; j++) data.factors[j] = 1.0;
    A = problems_matrix(context, &data, PROBLEMS_CSR);
    assert_int_equal(dcpn_problem_new(context, A, data.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, data.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, data.offset), DCPN_OK);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    problems_data_free(&data);
    dcpn_context_free(context);
    return 0;
}

/* All rows but those of the fold; the weights of the labelled ones sum to what they do on all rows. */
static struct problems_data without_fold(const int64_t *fold_of, int64_t fold)
{
    struct problems_data part = problems_data_copy(&data);
    double all = 0.0, some = 0.0;
    part.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        double labelled = isnan(data.classes[i]) ? 0.0 : data.weights[i];
        all += labelled;
        if (fold_of[i] == fold) continue;
        some += labelled;
        memcpy(part.A + part.rows * COLUMNS, data.A + i * COLUMNS, COLUMNS * sizeof(double));
        part.classes[part.rows] = data.classes[i];
        part.offset[part.rows] = data.offset[i];
        part.weights[part.rows++] = data.weights[i];
    }
    for (int64_t i = 0; i < part.rows; i++)
        if (!isnan(part.classes[i])) part.weights[i] *= all / some;
    return part;
}

static double largest_class(void)
{
    double high = -HUGE_VAL;
    for (int64_t i = 0; i < ROWS; i++) high = fmax(high, data.classes[i]);
    return high;
}

/* The weight of the rows of a fold that are classified wrongly; *total: of all of them. */
static double wrong_weight(const int64_t *fold_of, int64_t fold, const struct problems_fit *fit, double *total)
{
    double wrong = 0.0, high = largest_class();
    *total = 0.0;
    for (int64_t i = 0; i < ROWS; i++) {
        if (fold_of[i] != fold) continue;
        double u = fit->intercept + data.offset[i];
        for (int64_t j = 0; j < COLUMNS; j++) u += data.A[i * COLUMNS + j] * fit->x[j];
        *total += data.weights[i];
        if ((u > 0.0) != (data.classes[i] == high)) wrong += data.weights[i];
    }
    return wrong;
}

static double error_by_hand(const dcpn_settings *settings, const int64_t *fold_of)
{
    double wrong = 0.0, all = 0.0, total;
    for (int64_t f = 0; f < FOLDS; f++) {
        struct problems_data part = without_fold(fold_of, f);
        struct problems_fit fit = problems_solve(context, &part, PROBLEMS_CSR, settings, NULL);
        assert_int_equal(fit.status, DCPN_OK);
        wrong += wrong_weight(fold_of, f, &fit, &total);
        all += total;
        problems_fit_free(&fit);
        problems_data_free(&part);
    }
    return wrong / all;
}

static dcpn_settings settings_of_test(void)
{
    dcpn_settings settings = problems_settings("logistic", "capped-l1", NULL, NULL);
    settings.intercept = 1;
    settings.global = "off"; /* as on paths */
    settings.tol = 1e-8;
    return settings;
}

static void candidates_are_the_fits_by_hand(void **state)
{
    static const double LAMBDAS[] = {0.3, 3.0}, THETAS[] = {0.5, 2.0}, WEIGHTS[] = {0.05, 1.0};
    dcpn_grid_options options = {.lambdas = LAMBDAS,
                                 .lambda_count = 2,
                                 .values = THETAS,
                                 .value_count = 2,
                                 .weights = WEIGHTS,
                                 .weight_count = 2,
                                 .folds = FOLDS,
                                 .seed = SEED};
    dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *selection = NULL;
    int64_t fold_of[ROWS];
    double best = HUGE_VAL;
    (void)state;
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &options, &selection), DCPN_OK);
    assert_int_equal(selection->count, 8);
    assert_int_equal(dcpn_folds_draw(context, data.classes, ROWS, FOLDS, SEED, fold_of), DCPN_OK);
    for (int64_t k = 0; k < selection->count; k++) {
        const dcpn_grid_candidate *candidate = &selection->candidates[k];
        settings.lambda = candidate->lambda;
        settings.theta = candidate->value;
        settings.unlabelled_weight = candidate->weight;
        problems_assert_close(candidate->mean, error_by_hand(&settings, fold_of), 1e-9, "error");
        best = fmin(best, candidate->mean);
    }
    const dcpn_grid_candidate *chosen = &selection->candidates[selection->chosen];
    assert_true(chosen->mean == best);
    assert_true(selection->settings.lambda == chosen->lambda && selection->settings.theta == chosen->value);
    assert_true(selection->settings.unlabelled_weight == chosen->weight);
    dcpn_grid_selection_free(selection);
}

/* They are the first candidate of the library's grid, and stay with their units unless another one is better by far. */
static void the_settings_as_given_may_stay(void **state)
{
    dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *selection = NULL;
    int64_t fold_of[ROWS];
    (void)state;
    const dcpn_grid_options options = {.folds = FOLDS, .seed = SEED};
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &options, &selection), DCPN_OK);
    assert_int_equal(dcpn_folds_draw(context, data.classes, ROWS, FOLDS, SEED, fold_of), DCPN_OK);
    const dcpn_grid_candidate *own = &selection->candidates[0], *chosen = &selection->candidates[selection->chosen];
    assert_true(own->lambda == settings.lambda && own->weight == settings.unlabelled_weight && isnan(own->value));
    problems_assert_close(own->mean, error_by_hand(&settings, fold_of), 1e-9, "error");
    assert_true(chosen == own || chosen->mean < own->mean);
    assert_string_equal(selection->settings.shape_units, chosen == own ? settings.shape_units : "raw");
    assert_true(selection->settings.theta == (chosen == own ? settings.theta : chosen->value));
    dcpn_grid_selection_free(selection);
}

static int end_in_the_second_weight(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    return 4 * progress->done >= 3 * progress->total;
}

/* What is chosen then is the best of the weights that were done. */
static void an_early_end_chooses_among_what_is_done(void **state)
{
    static const double LAMBDAS[] = {0.3, 3.0}, WEIGHTS[] = {0.05, 1.0};
    dcpn_grid_options options = {.lambdas = LAMBDAS, .lambda_count = 2, .values = LAMBDAS, .value_count = 2,
                                 .weights = WEIGHTS, .weight_count = 2, .folds = FOLDS, .seed = SEED};
    const dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *whole = NULL, *part = NULL;
    (void)state;
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &options, &whole), DCPN_OK);
    options.observer = end_in_the_second_weight;
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, &options, &part), DCPN_OK);
    assert_true(whole->is_complete && !part->is_complete);
    assert_int_equal(whole->count, 8);
    assert_int_equal(part->count, 4);
    assert_true(part->chosen >= 0 && part->settings.unlabelled_weight == 1.0);
    double best = HUGE_VAL;
    for (int64_t k = 0; k < part->count; k++) {
        assert_true(part->candidates[k].mean == whole->candidates[k].mean);
        best = fmin(best, part->candidates[k].mean);
    }
    assert_true(part->candidates[part->chosen].mean == best);
    dcpn_grid_selection_free(whole);
    dcpn_grid_selection_free(part);
}

static void threads_do_not_matter(void **state)
{
    dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *one = NULL, *two = NULL;
    (void)state;
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, NULL, &one), DCPN_OK);
    dcpn_context_set_threads(context, 2);
    assert_int_equal(dcpn_select_on_grid(context, problem, &settings, NULL, &two), DCPN_OK);
    assert_int_equal(one->count, two->count);
    assert_int_equal(one->chosen, two->chosen);
    assert_memory_equal(one->candidates, two->candidates, (size_t)one->count * sizeof *one->candidates);
    dcpn_grid_selection_free(one);
    dcpn_grid_selection_free(two);
}

/* Whatever the penalty, also one without a shape; and data without unlabelled rows. */
static void the_grid_is_that_of_the_penalty(void **state)
{
    static const struct {
        const char *penalty;
        int64_t candidates; /* the settings' own; 2 lambdas, 4 weights, and 2 thetas where there is one */
    } CASES[] = {{"l1", 9}, {"capped-l1", 17}, {"mcp", 9}, {"scad", 9}, {"log", 17}, {"lp", 9}};
    (void)state;
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        dcpn_settings settings = settings_of_test();
        dcpn_grid_selection *selection = NULL;
        settings.penalty = CASES[k].penalty;
        if (dcpn_select_on_grid(context, problem, &settings, NULL, &selection) != DCPN_OK)
            fail_msg("%s: %s", CASES[k].penalty, dcpn_last_error(context));
        assert_int_equal(selection->count, CASES[k].candidates);
        dcpn_grid_selection_free(selection);
    }
}

static void numbers_are_selected_by_deviance(void **state)
{
    dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *selection = NULL;
    dcpn_problem *numbers = NULL;
    (void)state;
    settings.loss = "squared";
    assert_int_equal(dcpn_problem_new(context, A, data.numbers, &numbers), DCPN_OK);
    assert_int_equal(dcpn_select_on_grid(context, numbers, &settings, NULL, &selection), DCPN_OK);
    assert_string_equal(selection->measure, "deviance");
    assert_int_equal(selection->count, 4);
    assert_false(selection->has_weights);
    dcpn_grid_selection_free(selection);
    dcpn_problem_free(numbers);
}

static void assert_refused(const dcpn_grid_options *options, const char *words)
{
    dcpn_settings settings = settings_of_test();
    dcpn_grid_selection *selection = NULL;
    assert_int_not_equal(dcpn_select_on_grid(context, problem, &settings, options, &selection), DCPN_OK);
    assert_null(selection);
    if (!strstr(dcpn_last_error(context), words)) fail_msg("found: %s", dcpn_last_error(context));
}

static void what_cannot_be_meant_is_refused(void **state)
{
    static const double NEGATIVE[] = {-1.0};
    double high = largest_class();
    int64_t kept = 0;
    (void)state;
    assert_refused(&(dcpn_grid_options){.weights = NEGATIVE, .weight_count = 1}, "unlabelled-weight");
    assert_refused(&(dcpn_grid_options){.lambdas = NEGATIVE, .lambda_count = 1}, "lambdas");
    assert_refused(&(dcpn_grid_options){.measure = "charm"}, "charm");
    assert_refused(&(dcpn_grid_options){.folds = 40}, "expected at most");
    for (int64_t i = 0; i < ROWS; i++)
        if (data.classes[i] == high && kept++ > 0) data.classes[i] = NAN;
    assert_refused(NULL, "at least 2 of each class");
}

/* The first lambda keeps nothing, later ones are the fits that a solver makes of them. */
static void a_path_is_a_sequence_of_annealed_fits(void **state)
{
    dcpn_settings settings = settings_of_test();
    dcpn_path_options options = {.lambda_count = 6, .min_ratio = 0.02, .saturation = 1.0};
    dcpn_paths *paths = NULL;
    (void)state;
    settings.balance = 0.5;
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &options, &paths), DCPN_OK);
    const dcpn_path *path = &paths->paths[0];
    assert_int_equal(path->count, 6);
    assert_int_equal(path->points[0].fit.nonzeros, 0);
    assert_true(path->points[5].fit.nonzeros > 0);
    for (int64_t k = 0; k < path->count; k++) {
        settings.lambda = path->points[k].lambda;
        struct problems_fit fit = problems_solve(context, &data, PROBLEMS_CSR, &settings, NULL);
        assert_int_equal(fit.status, DCPN_OK);
        assert_int_equal(path->points[k].fit.nonzeros, fit.result.nonzeros);
        problems_assert_close(path->points[k].fit.objective, fit.result.objective, 1e-9, "objective");
        problems_fit_free(&fit);
    }
    dcpn_paths_free(paths);
}

static void folds_hold_labelled_rows_alone(void **state)
{
    dcpn_settings settings = settings_of_test();
    int64_t given[ROWS];
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) given[i] = i % 3 ? 999 : i % 4;
    dcpn_cv_options drawn = {.path = {.lambda_count = 3}, .folds = 4, .subsamples = 3},
                    own = {.path = {.lambda_count = 3}, .folds = 4, .fold_of = given, .is_unstratified = 1};
    const dcpn_cv_options *const ALL[] = {&drawn, &own};
    for (size_t k = 0; k < 2; k++) {
        dcpn_cv *cv = NULL;
        int64_t rows = 0;
        if (dcpn_cv_run(context, problem, &settings, ALL[k], &cv) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
        for (int64_t f = 0; f < cv->folds; f++) rows += cv->sizes[f];
        assert_int_equal(rows, ROWS / 3);
        assert_true(cv->ending.is_complete && cv->choice.min.path >= 0);
        dcpn_cv_free(cv);
    }
    drawn.folds = ROWS / 3 + 1;
    dcpn_cv *cv = NULL;
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &drawn, &cv), DCPN_USAGE);
    assert_non_null(strstr(dcpn_last_error(context), "rows with a label"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(candidates_are_the_fits_by_hand, setup, teardown),
        cmocka_unit_test_setup_teardown(the_settings_as_given_may_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(an_early_end_chooses_among_what_is_done, setup, teardown),
        cmocka_unit_test_setup_teardown(threads_do_not_matter, setup, teardown),
        cmocka_unit_test_setup_teardown(the_grid_is_that_of_the_penalty, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_selected_by_deviance, setup, teardown),
        cmocka_unit_test_setup_teardown(what_cannot_be_meant_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(a_path_is_a_sequence_of_annealed_fits, setup, teardown),
        cmocka_unit_test_setup_teardown(folds_hold_labelled_rows_alone, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
