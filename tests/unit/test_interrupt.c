/* SPDX-License-Identifier: BSD-3-Clause */
/* Whatever is under way with a context ends when that is interrupted, and keeps what it has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdio.h>

#include "dcpn/dcpn.h"
#include "scratch.h"
#include "with_context.h"

enum { ROWS = 80, COLUMNS = 40 };

/* The polls so far; the one of this number interrupts. */
struct asking {
    int64_t asked, last;
    pthread_t thread;
    int was_elsewhere;
};

static int ask(void *user)
{
    struct asking *asking = user;
    if (!pthread_equal(pthread_self(), asking->thread)) asking->was_elsewhere = 1;
    return ++asking->asked == asking->last;
}

static struct asking ask_until(int64_t last)
{
    return (struct asking){.last = last, .thread = pthread_self()};
}

static double cell(int i, int j)
{
    return sin(1.0 + 7.0 * i + 3.0 * j * j);
}

static const double *values(void)
{
    static double A[ROWS * COLUMNS];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) A[i * COLUMNS + j] = cell(i, j);
    return A;
}

static const double *labels(void)
{
    static double y[ROWS];
    for (int i = 0; i < ROWS; i++) y[i] = 3.0 * cell(i, 0) - 2.0 * cell(i, 5) + cos(5.0 * i);
    return y;
}

struct scene {
    dcpn_matrix *A;
    dcpn_problem *problem;
    dcpn_settings settings;
    double found; /* a number that says what the work has come to */
};

static struct scene make_scene(void)
{
    struct scene s = {.settings = dcpn_settings_for_paths()};
    assert_int_equal(
        dcpn_matrix_dense(context, ROWS, COLUMNS, values(), DCPN_FLOAT64, DCPN_ROW_MAJOR, COLUMNS, DCPN_BORROW, &s.A),
        DCPN_OK);
    assert_int_equal(dcpn_problem_new(context, s.A, labels(), &s.problem), DCPN_OK);
    s.settings.loss = "squared";
    s.settings.penalty = "mcp";
    s.settings.lambda = 0.01;
    return s;
}

static void free_scene(struct scene *s)
{
    dcpn_problem_free(s->problem);
    dcpn_matrix_free(s->A);
}

/* How often a poll is asked in the whole of some work, which must not change for being asked. */
static int64_t count_polls(dcpn_status (*work)(struct scene *, dcpn_outcome *), struct scene *s)
{
    struct asking asking = ask_until(-1);
    dcpn_outcome outcome;
    dcpn_context_set_poll(context, ask, 0.0, &asking);
    assert_int_equal(work(s, &outcome), DCPN_OK);
    assert_int_not_equal(outcome, DCPN_INTERRUPTED);
    dcpn_context_set_poll(context, NULL, 0.0, NULL);
    assert_false(asking.was_elsewhere);
    return asking.asked;
}

/* Interrupted at every poll in turn: it is cancelled at first, says that it was interrupted later, and asks no more.
 * Only what was done already may end as if it had not been interrupted, and then it is the same. */
static void interrupt_everywhere(dcpn_status (*work)(struct scene *, dcpn_outcome *), int64_t most)
{
    struct scene s = make_scene();
    int64_t polls = count_polls(work, &s), cancelled = 0, kept = 0;
    double whole = s.found;
    assert_true(polls > 5);
    for (int64_t last = 1; last <= polls && last <= most; last++) {
        struct asking asking = ask_until(last);
        dcpn_outcome outcome = DCPN_NOT_RUN;
        dcpn_context_set_poll(context, ask, 0.0, &asking);
        dcpn_status status = work(&s, &outcome);
        assert_true(status == DCPN_CANCELLED || status == DCPN_OK);
        if (status == DCPN_OK && outcome != DCPN_INTERRUPTED) assert_true(s.found == whole);
        if (status == DCPN_CANCELLED) assert_non_null(strstr(dcpn_last_error(context), "interrupted"));
        assert_int_equal(asking.asked, last);
        cancelled += status == DCPN_CANCELLED;
        kept += status == DCPN_OK && outcome == DCPN_INTERRUPTED;
        dcpn_context_resume(context);
    }
    assert_true(cancelled > 0);
    assert_true(10 * kept > 8 * (polls < most ? polls : most) - 10 * cancelled);
    free_scene(&s);
}

static dcpn_status fit(struct scene *s, dcpn_outcome *outcome)
{
    dcpn_solver *solver;
    dcpn_status status = dcpn_solver_new(context, s->problem, &s->settings, &solver);
    if (status != DCPN_OK) return status;
    status = dcpn_solver_run(solver);
    *outcome = dcpn_solver_result(solver)->outcome;
    s->found = dcpn_solver_result(solver)->objective;
    assert_true(isfinite(s->found));
    dcpn_solver_free(solver);
    return status;
}

/* Every coordinate of a sweep takes a product with the Hessian of all rows, between which is asked, too. */
static dcpn_status fit_times(struct scene *s, dcpn_outcome *outcome)
{
    static double times[ROWS];
    struct scene of_times = *s;
    for (int i = 0; i < ROWS; i++) times[i] = exp(labels()[i]);
    of_times.settings.loss = "cox";
    of_times.settings.penalty = "l1";
    of_times.settings.intercept = of_times.settings.gram = 0;
    dcpn_status status = dcpn_problem_new(context, s->A, times, &of_times.problem);
    if (status == DCPN_OK) status = fit(&of_times, outcome);
    if (status == DCPN_OK) s->found = of_times.found;
    dcpn_problem_free(of_times.problem);
    return status;
}

static dcpn_status fit_paths(struct scene *s, dcpn_outcome *outcome)
{
    static const char *const penalties[] = {"l1", "mcp"};
    const dcpn_path_options options = {.lambda_count = 8, .penalties = penalties, .penalty_count = 2};
    dcpn_paths *paths;
    dcpn_status status = dcpn_paths_fit(context, s->problem, &s->settings, &options, &paths);
    if (status != DCPN_OK) return status;
    *outcome = DCPN_CONVERGED;
    s->found = 0.0;
    for (int64_t k = 0; k < paths->count; k++)
        for (int64_t i = 0; i < paths->paths[k].count; i++) s->found += paths->paths[k].points[i].fit.objective;
    for (int64_t k = 0; k < paths->count; k++)
        if (paths->paths[k].end == DCPN_PATH_INTERRUPTED) *outcome = DCPN_INTERRUPTED;
    dcpn_paths_free(paths);
    return status;
}

static dcpn_status cross_validate(struct scene *s, dcpn_outcome *outcome)
{
    const dcpn_cv_options options = {.path = {.lambda_count = 5}, .folds = 3, .subsamples = 3};
    dcpn_cv *cv;
    dcpn_status status = dcpn_cv_run(context, s->problem, &s->settings, &options, &cv);
    if (status != DCPN_OK) return status;
    s->found =
        cv->ending.is_complete && cv->stability ? cv->choice.min.mean + cv->stability->mean_selected : (double)NAN;
    *outcome = cv->ending.is_complete ? DCPN_CONVERGED : DCPN_INTERRUPTED;
    dcpn_cv_free(cv);
    return status;
}

static void test_a_fit_keeps_its_best_point(void **state)
{
    (void)state;
    interrupt_everywhere(fit, 1000);
}

static void test_a_fit_of_times_is_heard_within_a_sweep(void **state)
{
    (void)state;
    struct scene s = make_scene();
    assert_true(count_polls(fit_times, &s) > 1000);
    free_scene(&s);
    interrupt_everywhere(fit_times, 600);
}

static void test_paths_keep_their_points(void **state)
{
    (void)state;
    interrupt_everywhere(fit_paths, 300);
}

static void test_a_cross_validation_says_that_it_is_not_complete(void **state)
{
    (void)state;
    interrupt_everywhere(cross_validate, 300);
}

static void test_threads_that_help_do_not_ask(void **state)
{
    (void)state;
    struct scene s = make_scene();
    dcpn_context_set_threads(context, 3);
    (void)count_polls(cross_validate, &s);
    free_scene(&s);
}

static void test_an_interrupt_lasts(void **state)
{
    (void)state;
    struct scene s = make_scene();
    dcpn_outcome outcome;
    dcpn_context_interrupt(context);
    assert_int_equal(fit(&s, &outcome), DCPN_CANCELLED);
    assert_int_equal(fit_paths(&s, &outcome), DCPN_CANCELLED);
    dcpn_context_resume(context);
    assert_int_equal(fit(&s, &outcome), DCPN_OK);
    assert_int_equal(outcome, DCPN_CONVERGED);
    dcpn_context_interrupt(NULL);
    dcpn_context_resume(NULL);
    dcpn_context_set_poll(NULL, ask, 0.0, NULL);
    free_scene(&s);
}

static void *interrupt(void *user)
{
    dcpn_context_interrupt(user);
    return NULL;
}

/* The poll waits for the other thread, which interrupts in the midst of the work. */
static int wait_for_another(void *user)
{
    pthread_t *thread = user;
    if (!*thread) return 0;
    (void)pthread_create(thread, NULL, interrupt, context);
    (void)pthread_join(*thread, NULL);
    *thread = 0;
    return 0;
}

static void test_another_thread_interrupts(void **state)
{
    (void)state;
    struct scene s = make_scene();
    pthread_t thread = pthread_self();
    dcpn_outcome outcome = DCPN_CONVERGED;
    dcpn_context_set_poll(context, wait_for_another, 0.0, &thread);
    assert_int_equal(fit(&s, &outcome), DCPN_CANCELLED);
    free_scene(&s);
}

static void write_table(const char *path, int is_csv)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < ROWS; i++) {
        fprintf(file, "%d", i % 2);
        for (int j = 0; j < COLUMNS; j++) {
            if (is_csv)
                fprintf(file, ",%.3f", cell(i, j));
            else
                fprintf(file, " %d:%.3f", j + 1, cell(i, j));
        }
        fputc('\n', file);
    }
    fclose(file);
}

static void test_reading_is_cancelled(void **state)
{
    (void)state;
    static const char *const paths[] = {"table.svm", "table.csv"};
    for (int k = 0; k < 2; k++) write_table(paths[k], k);
    for (int k = 0; k < 2; k++) {
        const dcpn_read_options options = {0};
        struct asking asking = ask_until(1);
        dcpn_dataset *data;
        dcpn_context_set_poll(context, ask, 0.0, &asking);
        assert_int_equal(dcpn_read(context, paths[k], &options, &data), DCPN_CANCELLED);
        assert_null(data);
        dcpn_context_resume(context);
        assert_int_equal(dcpn_read(context, paths[k], &options, &data), DCPN_OK);
        dcpn_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_fit_keeps_its_best_point, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_fit_of_times_is_heard_within_a_sweep, setup, teardown),
        cmocka_unit_test_setup_teardown(test_paths_keep_their_points, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_cross_validation_says_that_it_is_not_complete, setup, teardown),
        cmocka_unit_test_setup_teardown(test_threads_that_help_do_not_ask, setup, teardown),
        cmocka_unit_test_setup_teardown(test_an_interrupt_lasts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_another_thread_interrupts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_reading_is_cancelled, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
