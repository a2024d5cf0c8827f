/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of the caller may call the library: a fit of another problem from within an observer, a poll, a log, a
 * loss, a penalty or an f of one's own works, with the same context, and what it interrupts ends with the same bytes.
 * The solver that is at work refuses to be run again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#include "dcpn/dcpn.h"

enum { ROWS = 40, COLUMNS = 6 };

struct scene {
    dcpn_context *context;
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_solver *at_work; /* of which a callback is called */
    double other[COLUMNS];
    int calls, depth, wants_call;
};

static struct scene scene; /* tables of functions are `static const`, and not all of them have a user */

static double VALUES[ROWS * COLUMNS], LABELS[ROWS];

static void fill(void)
{
    uint64_t state = 7;
    for (int k = 0; k < ROWS * COLUMNS; k++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        VALUES[k] = (double)(state >> 40) / (1 << 23) - 1.0;
    }
    for (int i = 0; i < ROWS; i++) LABELS[i] = VALUES[i * COLUMNS] - 0.7 * VALUES[i * COLUMNS + 3] + 0.1;
}

static dcpn_settings settings_of(const char *loss, double lambda)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.loss = loss;
    settings.penalty = "mcp";
    settings.shape_units = "raw";
    settings.lambda = lambda;
    settings.intercept = 1;
    return settings;
}

static void fit_other(double *coefficients)
{
    const dcpn_settings settings = settings_of("huber", 0.4);
    dcpn_problem *problem = NULL;
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_problem_new(scene.context, scene.A, LABELS, &problem), DCPN_OK);
    assert_int_equal(dcpn_solver_new(scene.context, problem, &settings, &solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(solver)->outcome, DCPN_CONVERGED);
    memcpy(coefficients, dcpn_solver_coefficients(solver), COLUMNS * sizeof *coefficients);
    dcpn_solver_free(solver);
    dcpn_problem_free(problem);
}

/* What every function of the caller does here: but not from within the fit that it makes itself. */
static void call_library(void)
{
    double again[COLUMNS];
    if (!scene.wants_call || scene.depth > 0) return;
    scene.depth++;
    scene.calls++;
    fit_other(again);
    assert_memory_equal(again, scene.other, sizeof again);
    if (scene.at_work) {
        assert_int_equal(dcpn_solver_run(scene.at_work), DCPN_USAGE);
        assert_int_equal(dcpn_solver_continue(scene.at_work), DCPN_USAGE);
        assert_int_equal(dcpn_solver_set_lambda(scene.at_work, 1.0), DCPN_USAGE);
        assert_true(dcpn_last_error(scene.context)[0]);
    }
    scene.depth--;
}

static int observe(void *user, const dcpn_progress *progress)
{
    (void)user;
    (void)progress;
    call_library();
    return 0;
}

static int observe_path(void *user, const dcpn_path_progress *progress)
{
    (void)user;
    (void)progress;
    call_library();
    return 0;
}

static int poll(void *user)
{
    (void)user;
    assert_int_equal(scene.depth, 0); /* it is not called while it runs, or it would call itself for ever */
    call_library();
    return 0;
}

static void hear(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    (void)level;
    assert_true(message[0]);
    call_library();
}

/* ---- parts of the caller's own ---- */

static double squares(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u)
{
    double sum = 0.0;
    call_library();
    for (int64_t i = begin; i < end; i++) sum += 0.5 * loss->w[i] * (u[i] - loss->y[i]) * (u[i] - loss->y[i]);
    return sum;
}

static double change_of_squares(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, const double *du,
                                double t)
{
    double sum = 0.0;
    call_library();
    for (int64_t i = begin; i < end; i++) sum += loss->w[i] * t * du[i] * (u[i] - loss->y[i] + 0.5 * t * du[i]);
    return sum;
}

static void slope_of_squares(const dcpn_loss *loss, int64_t begin, int64_t end, const double *u, double *r)
{
    call_library();
    for (int64_t i = begin; i < end; i++) r[i] = loss->w[i] * (u[i] - loss->y[i]);
}

static const dcpn_loss_ops OWN_LOSS = {.name = "own-squares",
                                       .targets = DCPN_NUMBERS,
                                       .value = squares,
                                       .change = change_of_squares,
                                       .slope1 = slope_of_squares};

static double value_of_p(const dcpn_penalty_shape *shape, double lambda, double t)
{
    (void)shape;
    call_library();
    return lambda * t;
}

static double slope0_of_p(const dcpn_penalty_shape *shape, double lambda)
{
    (void)shape;
    call_library();
    return lambda;
}

static double slope_of_p(const dcpn_penalty_shape *shape, double lambda, double t, dcpn_side side)
{
    (void)t;
    (void)side;
    return slope0_of_p(shape, lambda);
}

static const dcpn_penalty_ops OWN_PENALTY = {
    .name = "own-l1", .convex = 1, .value = value_of_p, .slope0 = slope0_of_p, .slope = slope_of_p};

static double value_of_f(void *user, const double *x)
{
    (void)user;
    call_library();
    return 0.5 * ((x[0] - 1.0) * (x[0] - 1.0) + (x[1] + 2.0) * (x[1] + 2.0));
}

static void gradient_of_f(void *user, const double *x, double *gradient)
{
    (void)user;
    call_library();
    gradient[0] = x[0] - 1.0;
    gradient[1] = x[1] + 2.0;
}

static const dcpn_smooth OWN_F = {.size = 2, .value1 = value_of_f, .gradient1 = gradient_of_f, .lipschitz1 = 1.0};

/* ---- each of them, with and without a call ---- */

enum { LARGEST = COLUMNS };

static void fit_own(const dcpn_problem *problem, const dcpn_settings *settings, dcpn_observer *observer, double *found)
{
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_solver_new(scene.context, problem, settings, &solver), DCPN_OK);
    dcpn_solver_set_observer(solver, observer, NULL);
    scene.at_work = solver;
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    scene.at_work = NULL;
    memcpy(found, dcpn_solver_coefficients(solver), (size_t)(problem == scene.problem ? COLUMNS : 2) * sizeof *found);
    dcpn_solver_free(solver);
}

static void compare(const dcpn_problem *problem, const dcpn_settings *settings, dcpn_observer *observer)
{
    double alone[LARGEST] = {0.0}, with_calls[LARGEST] = {0.0};
    scene.wants_call = scene.calls = 0;
    fit_own(problem, settings, observer, alone);
    scene.wants_call = 1;
    fit_own(problem, settings, observer, with_calls);
    scene.wants_call = 0;
    assert_true(scene.calls > 0);
    assert_memory_equal(alone, with_calls, sizeof alone);
}

static void observers(void **state)
{
    const dcpn_settings settings = settings_of("squared", 1.0);
    (void)state;
    compare(scene.problem, &settings, observe);
}

static void polls(void **state)
{
    const dcpn_settings settings = settings_of("squared", 1.0);
    (void)state;
    dcpn_context_set_poll(scene.context, poll, 0.0, NULL);
    compare(scene.problem, &settings, NULL);
    dcpn_context_set_poll(scene.context, NULL, 0.0, NULL);
}

static void logs(void **state)
{
    dcpn_settings settings = settings_of("squared", 1.0);
    (void)state;
    settings.max_iter = 1;
    dcpn_context_set_log(scene.context, hear, NULL);
    compare(scene.problem, &settings, NULL);
    dcpn_context_set_log(scene.context, NULL, NULL);
}

static void losses_and_penalties(void **state)
{
    const dcpn_settings settings = settings_of("squared", 1.0);
    (void)state;
    assert_int_equal(dcpn_problem_set_loss(scene.problem, &OWN_LOSS, NULL), DCPN_OK);
    compare(scene.problem, &settings, NULL);
    assert_int_equal(dcpn_problem_set_loss(scene.problem, NULL, NULL), DCPN_OK);
    assert_int_equal(dcpn_problem_set_penalty(scene.problem, &OWN_PENALTY, NULL), DCPN_OK);
    compare(scene.problem, &settings, NULL);
    assert_int_equal(dcpn_problem_set_penalty(scene.problem, NULL, NULL), DCPN_OK);
}

static void smooth_f(void **state)
{
    dcpn_settings settings = settings_of("squared", 0.5);
    dcpn_problem *problem = NULL;
    (void)state;
    settings.intercept = 0;
    assert_int_equal(dcpn_problem_new_smooth(scene.context, &OWN_F, &problem), DCPN_OK);
    compare(problem, &settings, NULL);
    dcpn_problem_free(problem);
}

static void paths_on_threads(void **state)
{
    const dcpn_settings settings = settings_of("squared", 1.0);
    const dcpn_cv_options options = {.path = {.lambda_count = 6, .observer = observe_path}, .folds = 3};
    double deviance[2] = {0.0, 0.0};
    (void)state;
    dcpn_context_set_threads(scene.context, 2);
    for (int k = 0; k < 2; k++) {
        dcpn_cv *cv = NULL;
        scene.calls = 0;
        scene.wants_call = k;
        assert_int_equal(dcpn_cv_run(scene.context, scene.problem, &settings, &options, &cv), DCPN_OK);
        scene.wants_call = 0;
        assert_true((scene.calls > 0) == k);
        for (int64_t p = 0; p < cv->paths->paths[0].count; p++) deviance[k] += cv->paths->paths[0].points[p].deviance;
        dcpn_cv_free(cv);
    }
    dcpn_context_set_threads(scene.context, 1);
    assert_true(deviance[0] == deviance[1] && deviance[0] > 0.0);
}

static int set_up(void **state)
{
    (void)state;
    fill();
    scene.context = dcpn_context_new(NULL);
    dcpn_context_set_threads(scene.context, 1);
    if (dcpn_matrix_dense(scene.context, ROWS, COLUMNS, VALUES, DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW,
                          &scene.A) != DCPN_OK ||
        dcpn_problem_new(scene.context, scene.A, LABELS, &scene.problem) != DCPN_OK)
        return -1;
    fit_other(scene.other);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    dcpn_problem_free(scene.problem);
    dcpn_matrix_free(scene.A);
    dcpn_context_free(scene.context);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(observers), cmocka_unit_test(polls),    cmocka_unit_test(logs),
        cmocka_unit_test(losses_and_penalties), cmocka_unit_test(smooth_f), cmocka_unit_test(paths_on_threads)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
