/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs that are saved and go on, the same for every test of a program. Include after cmocka.h. */
#ifndef DCPN_TESTS_PROBLEMS_CHECKPOINT_H
#define DCPN_TESTS_PROBLEMS_CHECKPOINT_H

#include "scratch.h"
#include "support/problems_groups.h"

#define TEST(NAME) cmocka_unit_test_setup_teardown(NAME, setup, teardown)

static dcpn_context *context;
static int warnings, notes;

static inline void count_warnings(void *user, dcpn_log_level level, const char *message)
{
    (void)user;
    if (level == DCPN_LOG_WARNING && strstr(message, "checkpoint")) warnings++;
    if (level == DCPN_LOG_NOTE && strstr(message, "no checkpoint: ")) notes++;
}

static inline int setup(void **state)
{
    context = dcpn_context_new(NULL);
    warnings = notes = 0;
    dcpn_context_set_log(context, count_warnings, NULL);
    return enter_scratch(state);
}

static inline int teardown(void **state)
{
    dcpn_context_free(context);
    return leave_scratch(state);
}

/* ---- one run ---- */

struct run {
    dcpn_matrix *matrix;
    dcpn_problem *problem;
    dcpn_solver *solver;
    int64_t stop_at; /* the observer ends the run there; -1: never */
};

static inline int stop(void *user, const dcpn_progress *progress)
{
    const struct run *run = user;
    return progress->k == run->stop_at;
}

static inline void make_solver(struct run *run, const dcpn_settings *settings)
{
    if (dcpn_solver_new(context, run->problem, settings, &run->solver) != DCPN_OK)
        fail_msg("%s", dcpn_last_error(context));
    dcpn_solver_set_observer(run->solver, stop, run);
}

/* The data are copied: at other addresses each time. groups NULL: none, and then the factors of the data count. */
static inline struct run *make_run_with(const struct problems_data *data, enum problems_storage storage,
                                        const struct problems_groups *groups, const double *labels,
                                        const dcpn_settings *settings)
{
    struct run *run = calloc(1, sizeof *run);
    assert_non_null(run);
    run->stop_at = -1;
    run->matrix = problems_matrix(context, data, storage);
    assert_int_equal(dcpn_problem_new(context, run->matrix, labels, &run->problem), DCPN_OK);
    assert_int_equal(dcpn_problem_set_weights(run->problem, data->weights), DCPN_OK);
    dcpn_status status = groups ? dcpn_problem_set_groups(run->problem, groups->count, groups->start, groups->member,
                                                          groups->weights)
                                : dcpn_problem_set_penalty_factors(run->problem, data->factors);
    assert_int_equal(status, DCPN_OK);
    make_solver(run, settings);
    return run;
}

static inline struct run *make_run_on(const struct problems_data *data, enum problems_storage storage,
                                      const dcpn_settings *settings)
{
    return make_run_with(data, storage, NULL, problems_labels(data, settings->loss), settings);
}

static inline struct run *make_run(const struct problems_data *data, const dcpn_settings *settings)
{
    return make_run_on(data, PROBLEMS_CSR, settings);
}

static inline void free_run(struct run *run)
{
    dcpn_solver_free(run->solver);
    dcpn_problem_free(run->problem);
    dcpn_matrix_free(run->matrix);
    free(run);
}

/* ---- the same bytes ---- */

static inline dcpn_result without_times(const dcpn_solver *solver)
{
    dcpn_result result = *dcpn_solver_result(solver);
    result.time_s = 0.0;
    return result;
}

static inline void assert_same_result(dcpn_result a, dcpn_result b, const struct run *whole, const struct run *resumed,
                                      int64_t columns, const char *what)
{
    if (memcmp(dcpn_solver_coefficients(whole->solver), dcpn_solver_coefficients(resumed->solver),
               (size_t)columns * sizeof(double)) != 0)
        fail_msg("%s: other coefficients", what);
    size_t first = offsetof(dcpn_result, objective); /* behind the outcome and its padding, there is none */
    if (a.outcome != b.outcome || memcmp((char *)&a + first, (char *)&b + first, sizeof a - first) != 0)
        fail_msg("%s: another result: %lld iterations, %g passes, not %lld, %g", what, (long long)b.iterations,
                 b.passes, (long long)a.iterations, a.passes);
}

static inline void assert_same(const struct run *whole, const struct run *resumed, int64_t columns, const char *what)
{
    assert_same_result(without_times(whole->solver), without_times(resumed->solver), whole, resumed, columns, what);
}

/* What a solver knows from runs before may spare it a reading. */
static inline void assert_same_but_passes(const struct run *whole, const struct run *resumed, int64_t columns,
                                          const char *what)
{
    dcpn_result a = without_times(whole->solver), b = without_times(resumed->solver);
    a.passes = b.passes = 0.0;
    assert_same_result(a, b, whole, resumed, columns, what);
}

static inline dcpn_settings small_settings(const char *loss, const char *penalty)
{
    dcpn_settings settings = problems_settings(loss, penalty, NULL, NULL);
    settings.lambda = 2.0;
    settings.theta = 0.3;
    settings.intercept = 1;
    settings.tol = 1e-9;
    settings.max_iter = 30;
    return settings;
}

#endif
