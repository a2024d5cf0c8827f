/* SPDX-License-Identifier: BSD-3-Clause */
/* What a caller may get wrong by accident is refused with a sentence: arrays that are not there, types that do not
 * exist, tables with holes. What a table may leave out, it may. */
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"

enum { ROWS = 12, COLUMNS = 2 };

static const double VALUES[ROWS * COLUMNS] = {0.3, -1.0, 1.2, 0.4, -0.7, 0.9, 0.1,  -0.2, 1.5, 1.1, -1.4, 0.6,
                                              0.8, -0.5, 0.2, 1.3, -0.9, 0.7, -0.6, 0.5,  1.0, 0.0, -0.3, -1.2};
static const double LABELS[ROWS] = {0.5, 2.0, -1.1, 0.3, 2.4, -2.2, 1.4, 0.1, -1.6, -1.0, 1.7, -0.4};

static void assert_refused(dcpn_context *context, dcpn_status status, dcpn_status expected, const char *words)
{
    assert_int_equal(status, expected);
    if (!strstr(dcpn_last_error(context), words)) fail_msg("found: %s", dcpn_last_error(context));
}

static dcpn_matrix *dense(dcpn_context *context)
{
    dcpn_matrix *matrix = NULL;
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &matrix),
        DCPN_OK);
    return matrix;
}

static void types_and_layouts_that_do_not_exist(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    int unused;
    dcpn_matrix *matrix = (dcpn_matrix *)&unused;
    (void)state;
    assert_refused(context,
                   dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, (dcpn_value_type)9, DCPN_ROW_MAJOR, COLUMNS,
                                     DCPN_COPY, &matrix),
                   DCPN_USAGE, "does not exist");
    assert_null(matrix); /* so that it may be freed */
    assert_refused(
        context,
        dcpn_matrix_dense(context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, (dcpn_layout)2, ROWS, DCPN_COPY, &matrix),
        DCPN_USAGE, "does not exist");
    int64_t pointers[] = {0, 1};
    int32_t indices[] = {0};
    dcpn_compressed arrays = {1, 1, pointers, indices, (dcpn_index_type)2, VALUES, DCPN_FLOAT64, NULL};
    assert_refused(context, dcpn_matrix_csr(context, &arrays, DCPN_COPY, &matrix), DCPN_USAGE, "does not exist");
    arrays.index_type = DCPN_INT32;
    arrays.value_type = (dcpn_value_type)2;
    assert_refused(context, dcpn_matrix_csc(context, &arrays, DCPN_COPY, &matrix), DCPN_USAGE, "does not exist");
    const dcpn_read_options indexing = {.indexing = (dcpn_indexing)3}, negative = {.indexing = (dcpn_indexing)-1};
    dcpn_dataset *data = NULL;
    assert_refused(context, dcpn_read(context, "file", &indexing, &data), DCPN_USAGE, "indexing: found 3");
    assert_refused(context, dcpn_read(context, "file", &negative, &data), DCPN_USAGE, "indexing: found -1");
    const dcpn_read_options type = {.value_type = (dcpn_value_type)9}, storage = {.storage = (dcpn_storage)3};
    assert_refused(context, dcpn_read(context, "file", &type, &data), DCPN_USAGE, "value_type: found 9");
    assert_refused(context, dcpn_read(context, "file", &storage, &data), DCPN_USAGE, "storage: found 3");
    const dcpn_toy toy = {.features = 5, .relevant = 2, .rows = 9, .value_type = (dcpn_value_type)2};
    const dcpn_text text = {.features = 5, .relevant = 2, .rows = 9, .entries = 2, .value_type = (dcpn_value_type)-1};
    assert_refused(context, dcpn_generate_toy(context, &toy, &data, NULL, NULL), DCPN_USAGE, "value_type: found 2");
    assert_refused(context, dcpn_generate_text(context, &text, &data, NULL, NULL), DCPN_USAGE, "value_type: found -1");
    dcpn_context_free(context);
}

static void arrays_that_are_not_there(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = dense(context), *matrix = NULL;
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    int64_t pointers[] = {0, 1}, none[] = {0, 0};
    int32_t indices[] = {0};
    dcpn_compressed arrays = {1, 1, NULL, indices, DCPN_INT32, VALUES, DCPN_FLOAT64, NULL};
    (void)state;
    assert_refused(context, dcpn_matrix_csr(context, &arrays, DCPN_COPY, &matrix), DCPN_USAGE, "no pointers");
    arrays.pointers = pointers;
    arrays.values = NULL;
    assert_refused(context, dcpn_matrix_csr(context, &arrays, DCPN_COPY, &matrix), DCPN_DATA, "no values");
    arrays.pointers = none; /* nothing is needed where nothing is */
    arrays.indices = NULL;
    assert_int_equal(dcpn_matrix_csr(context, &arrays, DCPN_COPY, &matrix), DCPN_OK);
    dcpn_matrix_free(matrix);
    assert_refused(context, dcpn_problem_new(context, NULL, LABELS, &problem), DCPN_USAGE, "no matrix");
    assert_refused(context, dcpn_problem_new(context, A, NULL, &problem), DCPN_USAGE, "no labels");
    assert_refused(context, dcpn_problem_new_smooth(context, NULL, &problem), DCPN_USAGE, "smooth f");
    assert_refused(context, dcpn_solver_new(context, NULL, NULL, &solver), DCPN_USAGE, "no problem");
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

/* ---- a loss with no more than it needs: log cosh(u - y) ---- */

static double value(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) sum += loss->w[i] * log(cosh(u[i] - loss->y[i]));
    return sum;
}

static double change(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du, double t)
{
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        double r = u[i] - loss->y[i];
        sum += loss->w[i] * (log(cosh(r + t * du[i])) - log(cosh(r)));
    }
    return sum;
}

static void slope1(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    for (int64_t i = begin; i < end; i++) r[i] = loss->w[i] * tanh(u[i] - loss->y[i]);
}

static const dcpn_loss_ops LOG_COSH = {
    .name = "log-cosh", .targets = DCPN_NUMBERS, .value = value, .change = change, .slope1 = slope1};

static double objective_of(dcpn_context *context, const dcpn_problem *problem, const char *algorithm)
{
    dcpn_settings settings = dcpn_settings_default();
    dcpn_solver *solver = NULL;
    settings.algorithm = algorithm;
    settings.loss = "squared";
    settings.penalty = "mcp";
    settings.shape_units = "raw"; /* the curvature of a loss of one's own need not be known */
    settings.lambda = 0.3;
    settings.tol = 1e-6;
    settings.dc_max = 1000;
    if (dcpn_solver_new(context, problem, &settings, &solver) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    double objective = dcpn_solver_result(solver)->objective;
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
    dcpn_solver_free(solver);
    return objective;
}

static void a_loss_may_leave_out_what_a_convex_one_does_not_need(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = dense(context);
    dcpn_problem *problem = NULL;
    static const char *const METHODS[] = {"dca", "multi-stage", "scp", "gist"};
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, LABELS, &problem), DCPN_OK);
    double squared = objective_of(context, problem, "dcpn");
    assert_int_equal(dcpn_problem_set_loss(problem, &LOG_COSH, NULL), DCPN_OK);
    double own = objective_of(context, problem, "dcpn");
    assert_true(own < squared);
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
        assert_true(fabs(objective_of(context, problem, METHODS[k]) - own) < 1e-6);
    assert_int_equal(dcpn_problem_set_loss(problem, NULL, NULL), DCPN_OK); /* that of the settings again */
    assert_true(objective_of(context, problem, "dcpn") == squared);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

static void tables_with_holes(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = dense(context);
    dcpn_problem *problem = NULL;
    dcpn_loss_ops loss = LOG_COSH;
    dcpn_penalty_ops penalty = {.name = "nothing"};
    (void)state;
    assert_int_equal(dcpn_problem_new(context, A, LABELS, &problem), DCPN_OK);
    loss.name = NULL;
    assert_refused(context, dcpn_problem_set_loss(problem, &loss, NULL), DCPN_USAGE, "expected name");
    loss = LOG_COSH;
    loss.slope2 = slope1;
    assert_refused(context, dcpn_problem_set_loss(problem, &loss, NULL), DCPN_USAGE, "both or none");
    assert_refused(context, dcpn_problem_set_penalty(problem, &penalty, NULL), DCPN_USAGE, "slope0");
    assert_int_equal(dcpn_problem_set_penalty(problem, NULL, NULL), DCPN_OK);
    assert_int_equal(dcpn_problem_set_regularizer(problem, NULL), DCPN_OK);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

/* A file would say that they are those of the settings. */
static void paths_of_own_parts_are_not_written(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = dense(context);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = dcpn_settings_default();
    const dcpn_path_options path_options = {.lambda_count = 3};
    const dcpn_cv_options cv_options = {.path = path_options, .folds = 3};
    dcpn_paths *paths = NULL;
    dcpn_cv *cv = NULL;
    dcpn_model *model = NULL;
    char *json = NULL;
    (void)state;
    settings.intercept = 1;
    assert_int_equal(dcpn_problem_new(context, A, LABELS, &problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_loss(problem, &LOG_COSH, NULL), DCPN_OK);
    assert_int_equal(dcpn_paths_fit(context, problem, &settings, &path_options, &paths), DCPN_OK);
    assert_refused(context, dcpn_paths_json(paths, NULL, &json), DCPN_USAGE, "of your own");
    assert_refused(context, dcpn_paths_write(paths, NULL, "-"), DCPN_USAGE, "of your own");
    assert_refused(context, dcpn_paths_model(paths, 0, 0, 2, &model), DCPN_USAGE, "expected 0 or 1");
    assert_int_equal(dcpn_paths_model(paths, 0, 1, 1, &model), DCPN_OK);
    assert_string_equal(model->settings.loss, "own");
    assert_refused(context, dcpn_model_write(model, "-"), DCPN_USAGE, "of your own");
    assert_int_equal(dcpn_cv_run(context, problem, &settings, &cv_options, &cv), DCPN_OK);
    assert_refused(context, dcpn_cv_json(cv, NULL, NULL, &json), DCPN_USAGE, "of your own");
    dcpn_cv_free(cv);
    dcpn_model_free(model);
    dcpn_paths_free(paths);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

/* What is used after it was freed shows. volatile: a compiler leaves out what nobody may read. */
static void release_spoilt(void *user, void *memory)
{
    volatile char *bytes = memory;
    (void)user;
    for (size_t k = 0; k < malloc_usable_size(memory); k++) bytes[k] = (char)0xff;
    free(memory);
}

/* The null model's lambda, and F at a share of it. */
static void fit_below(dcpn_solver *solver, double found[2])
{
    assert_int_equal(dcpn_solver_lambda_max(solver, &found[0]), DCPN_OK);
    assert_int_equal(dcpn_solver_set_lambda(solver, 0.3 * found[0]), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    found[1] = dcpn_solver_result(solver)->objective;
}

static void a_problem_may_change_or_go_once_it_has_a_solver(void **state)
{
    static const double weights[ROWS] = {9.0, 1.0, 0.0, 3.0, 0.5, 0.1, 4.0, 1.0, 1.0, 2.0, 7.0, 0.0};
    static const double factors[COLUMNS] = {0.0, 3.0}, upper[COLUMNS] = {0.0, 0.0};
    const dcpn_allocator allocator = {allocate, release_spoilt, NULL};
    dcpn_context *context = dcpn_context_new(&allocator);
    dcpn_matrix *A = dense(context);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL, *other = NULL;
    dcpn_settings settings = dcpn_settings_default();
    double expected[2], found[2];
    (void)state;
    settings.loss = "huber";
    settings.intercept = 1;
    assert_int_equal(dcpn_problem_new(context, A, LABELS, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    fit_below(solver, expected);
    dcpn_solver_free(solver);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(problem, weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_offset(problem, weights), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty_factors(problem, factors), DCPN_OK);
    assert_int_equal(dcpn_problem_set_bounds(problem, NULL, upper), DCPN_OK);
    fit_below(solver, found);
    assert_memory_equal(found, expected, sizeof found);
    assert_int_equal(dcpn_solver_new(context, problem, &settings, &other), DCPN_OK);
    dcpn_problem_free(problem);
    fit_below(solver, found);
    assert_memory_equal(found, expected, sizeof found);
    assert_refused(context, dcpn_solver_set_shape(solver, "p", 0.5), DCPN_USAGE, "found 'p'");
    fit_below(other, found);
    assert_true(found[0] != expected[0] && found[1] != expected[1]);
    dcpn_solver_free(other);
    dcpn_solver_free(solver);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

static void shapes_that_the_penalty_does_not_have(void **state)
{
    static const struct {
        const char *penalty, *has;
        double value;
        const char *lacks, *said;
    } cases[] = {
        {"mcp", "gamma", 2.5, "theta", "shape of the penalty mcp: found 'theta', expected what it has: gamma"},
        {"scad", "a", 3.0, "gamma", "expected what it has: a"},
        {"capped-l1", "theta", 0.5, "thet", "expected what it has: theta"},
        {"log", "theta", 0.5, "", "expected what it has: theta"},
        {"lp", "p", 0.5, "a", "expected what it has: p eps"},
        {"lp", "eps", 0.01, "tau", "expected what it has: p eps"},
        {"l1", NULL, 0.0, "theta", "expected what it has: nothing but lambda"},
    };
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_matrix *A = dense(context);
    dcpn_problem *problem = NULL;
    dcpn_settings settings = dcpn_settings_default();
    (void)state;
    settings.loss = "squared";
    assert_int_equal(dcpn_problem_new(context, A, LABELS, &problem), DCPN_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        dcpn_solver *solver = NULL;
        settings.penalty = cases[k].penalty;
        assert_int_equal(dcpn_solver_new(context, problem, &settings, &solver), DCPN_OK);
        assert_refused(context, dcpn_solver_set_shape(solver, cases[k].lacks, 0.5), DCPN_USAGE, cases[k].said);
        if (cases[k].has) assert_int_equal(dcpn_solver_set_shape(solver, cases[k].has, cases[k].value), DCPN_OK);
        dcpn_solver_free(solver);
    }
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
}

static void files_without_a_name(void **state)
{
    dcpn_context *context = dcpn_context_new(NULL);
    dcpn_settings settings = dcpn_settings_default();
    dcpn_model *model = NULL;
    dcpn_dataset *data = NULL;
    (void)state;
    assert_refused(context, dcpn_fit_file(context, NULL, &settings, &model), DCPN_IO, "a file name is needed");
    assert_refused(context, dcpn_read(context, NULL, NULL, &data), DCPN_IO, "a file name is needed");
    assert_refused(context, dcpn_model_read(context, NULL, &model), DCPN_IO, "a file name is needed");
    assert_refused(context, dcpn_output_try(context, NULL), DCPN_IO, "a file name is needed");
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_and_layouts_that_do_not_exist),
        cmocka_unit_test(arrays_that_are_not_there),
        cmocka_unit_test(a_loss_may_leave_out_what_a_convex_one_does_not_need),
        cmocka_unit_test(tables_with_holes),
        cmocka_unit_test(paths_of_own_parts_are_not_written),
        cmocka_unit_test(a_problem_may_change_or_go_once_it_has_a_solver),
        cmocka_unit_test(shapes_that_the_penalty_does_not_have),
        cmocka_unit_test(files_without_a_name),
    };
    return cmocka_run_group_tests_name("unit.misuse", tests, NULL, NULL);
}
