/* SPDX-License-Identifier: BSD-3-Clause */
/* With a loss that is not convex, where a path starts is where it leads: the path of a fold is that of its rows by
 * themselves, which starts at the model without features. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/path.h"
#include "support/problems_cv.h"

/* The path through the lambdas of another one, on the rows outside a fold. */
static dcpn_paths *path_without(const int64_t *fold_of, int64_t fold, const dcpn_settings *settings,
                                const double *lambdas)
{
    struct problems_data rest = problems_data_copy(&data);
    dcpn_path_options options = {.lambdas = lambdas, .lambda_count = LAMBDAS};
    dcpn_problem *problem = NULL;
    dcpn_paths *paths = NULL;
    rest.rows = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        if (fold_of[i] == fold) continue;
        memcpy(rest.A + rest.rows * COLUMNS, data.A + i * COLUMNS, COLUMNS * sizeof(double));
        rest.classes[rest.rows] = data.classes[i];
        rest.offset[rest.rows] = data.offset[i];
        rest.weights[rest.rows++] = data.weights[i];
    }
    dcpn_matrix *some = problems_matrix(context, &rest, PROBLEMS_CSR);
    assert_int_equal(dcpn_problem_new(context, some, rest.classes, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, rest.weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, rest.offset), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, settings, &options, &paths), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(some);
    problems_data_free(&rest);
    return paths;
}

static void folds_start_where_paths_do(void **state)
{
    static const char *const penalties[] = {"mcp", "lp"};
    int64_t fold_of[ROWS], in_use = 0;
    (void)state;
    for (int64_t i = 0; i < ROWS; i++) fold_of[i] = (i * 7 + i / 9) % FOLDS;
    for (int64_t i = 0; i < ROWS; i += 4) data.classes[i] = data.classes[0]; /* an intercept is far from 0 */
    for (size_t p = 0; p < sizeof penalties / sizeof *penalties; p++) {
        dcpn_settings settings = problems_settings("smooth-ramp", penalties[p], NULL, NULL);
        dcpn_cv_options options = {.folds = FOLDS, .fold_of = fold_of};
        double lambdas[LAMBDAS];
        settings.intercept = 1;
        settings.scale = "mean";
        settings.global = "off";
        options.path.lambda_count = LAMBDAS;
        options.path.min_ratio = 0.02;
        options.path.saturation = 1.0;
        dcpn_cv *cv = cv_of(of_classes, &settings, &options);
        for (int64_t k = 0; k < LAMBDAS; k++) lambdas[k] = cv->paths->paths[0].points[k].lambda;
        for (int64_t f = 0; f < FOLDS; f++) {
            dcpn_paths *paths = path_without(fold_of, f, &settings, lambdas);
            for (int64_t k = 0; k < LAMBDAS; k++) {
                assert_int_equal(cv->nonzeros[k * FOLDS + f], paths->paths[0].points[k].fit.nonzeros);
                in_use += cv->nonzeros[k * FOLDS + f];
            }
            dcpn_paths_free(paths);
        }
        dcpn_cv_free(cv);
    }
    assert_true(in_use > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(folds_start_where_paths_do)};
    return cmocka_run_group_tests_name("problems.fold_starts", tests, setup, teardown);
}
