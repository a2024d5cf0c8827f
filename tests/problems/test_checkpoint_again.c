/* SPDX-License-Identifier: BSD-3-Clause */
/* Solvers that have run before, with a checkpoint or without, on wide data too, go on as new ones do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "support/problems_checkpoint.h"

/* ---- solvers that have run before ---- */

enum use { NEW, RUN, RUN_WITH_ANOTHER_LAMBDA, INTERRUPTED, SAVED, USES };

static void run_to(struct run *run, int64_t stop_at)
{
    run->stop_at = stop_at;
    if (dcpn_solver_run(run->solver) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    run->stop_at = -1;
}

static struct run *make_used_run(const struct problems_data *data, const dcpn_settings *settings, enum use use)
{
    struct run *run = make_run(data, settings);
    double lambda = settings->lambda;
    if (use == NEW) return run;
    if (use == SAVED) assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "other", 1e9), DCPN_OK);
    if (use == RUN_WITH_ANOTHER_LAMBDA) assert_int_equal(dcpn_solver_set_lambda(run->solver, 0.4 * lambda), DCPN_OK);
    run_to(run, use == INTERRUPTED ? 1 : -1);
    assert_int_equal(dcpn_solver_set_lambda(run->solver, lambda), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, NULL, 0.0), DCPN_OK);
    return run;
}

/* From its start again: what it knows from before may spare it a pass. */
static void assert_runs_again_to(const struct run *whole, struct run *again, int64_t columns, const char *what)
{
    const dcpn_result *a = dcpn_solver_result(whole->solver), *b = dcpn_solver_result(again->solver);
    run_to(again, -1);
    if (a->outcome != b->outcome || a->iterations != b->iterations || a->objective != b->objective ||
        a->escape != b->escape ||
        memcmp(dcpn_solver_coefficients(whole->solver), dcpn_solver_coefficients(again->solver),
               (size_t)columns * sizeof(double)) != 0)
        fail_msg("%s: runs to another end afterwards", what);
}

/* It goes on, and then runs from its start. */
static void check_reader(const struct run *whole, struct run *run, int64_t columns, const char *what)
{
    if (dcpn_solver_resume(run->solver, "checkpoint") != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    run_to(run, -1);
    assert_same_but_passes(whole, run, columns, what);
    assert_runs_again_to(whole, run, columns, what);
}

/* Written by a solver used in the one way; read by the same, by one used in the other way, and twice by a new one. */
static void check_uses(const struct problems_data *data, const dcpn_settings *settings, const struct run *whole,
                       int64_t k, enum use writer, enum use reader)
{
    struct problems_data copy = problems_data_copy(data);
    struct run *runs[] = {make_used_run(data, settings, writer), make_used_run(&copy, settings, reader),
                          make_used_run(&copy, settings, NEW)};
    char what[200];
    assert_int_equal(dcpn_solver_set_checkpoint(runs[0]->solver, "checkpoint", 1e9), DCPN_OK);
    run_to(runs[0], k);
    assert_int_equal(dcpn_solver_result(runs[0]->solver)->outcome, DCPN_INTERRUPTED);
    assert_int_equal(dcpn_solver_set_checkpoint(runs[0]->solver, NULL, 0.0), DCPN_OK);
    for (int i = 0; i < 4; i++) {
        snprintf(what, sizeof what, "%s %s %s active-set %s global %s, at %d, uses %d %d, reader %d", settings->loss,
                 settings->penalty, settings->metric, settings->active_set, settings->global, (int)k, (int)writer,
                 (int)reader, i);
        check_reader(whole, runs[i < 3 ? i : 2], data->columns, what);
    }
    for (int i = 0; i < 3; i++) free_run(runs[i]);
    problems_data_free(&copy);
}

static enum use any_use(struct rng *rng)
{
    return (enum use)dcpn_rng_below(rng, USES);
}

/* Some rows may have no label. Returns whether there was an iteration to stop at. */
static int check_random_uses(const dcpn_settings *settings, struct rng *rng)
{
    struct problems_data data = problems_data_new(40, dcpn_rng_below(rng, 3) ? 8 : 30, 0.8, dcpn_rng_next(rng));
    for (int64_t i = 8; dcpn_rng_below(rng, 20) && i < data.rows; i++) data.classes[i] = NAN;
    struct run *whole = make_run(&data, settings);
    run_to(whole, -1);
    uint64_t iterations = (uint64_t)dcpn_solver_result(whole->solver)->iterations;
    int64_t k = iterations ? (int64_t)dcpn_rng_below(rng, iterations) : 0;
    if (iterations) check_uses(&data, settings, whole, k, NEW, any_use(rng));
    if (iterations) check_uses(&data, settings, whole, k, any_use(rng), any_use(rng));
    free_run(whole);
    problems_data_free(&data);
    return iterations > 0;
}

static int check_all_random_uses(struct rng *rng)
{
    static const char *const losses[] = {"squared", "logistic"}, *const penalties[] = {"capped-l1", "mcp", "scad"};
    static const char *const metrics[] = {"hessian", "lbfgs", "seeded-lbfgs"}, *const sets[] = {"off", "on"};
    static const char *const searches[] = {"off", "path", "path+drop"};
    int checked = 0;
    for (int k = 0; k < 2 * 3 * 2 * 3; k++) {
        dcpn_settings settings = small_settings(losses[k % 2], penalties[dcpn_rng_below(rng, 3)]);
        settings.metric = metrics[k / 2 % 3];
        settings.active_set = sets[k / 6 % 2];
        settings.global = searches[k / 12];
        settings.lambda = exp(2.0 * dcpn_rng_uniform(rng)) * (k % 2 ? 1.0 : 3.0);
        settings.intercept = (int)dcpn_rng_below(rng, 2);
        settings.standardize = (int)dcpn_rng_below(rng, 2);
        settings.max_iter = 300;
        settings.tol = 1e-6;
        checked += check_random_uses(&settings, rng);
    }
    return checked;
}

/* The byte that memory is full of, and what is out. */
struct filling {
    int byte;
    int64_t out;
};

static void *allocate_filled(void *user, size_t bytes)
{
    struct filling *filling = user;
    void *memory = malloc(bytes);
    filling->out += memory != NULL;
    return memory ? memset(memory, filling->byte, bytes) : NULL;
}

static void release_filled(void *user, void *memory)
{
    ((struct filling *)user)->out -= memory != NULL;
    free(memory);
}

static void solvers_that_have_run_resume_as_new_ones(void **state)
{
    struct filling filling[] = {{.byte = 0}, {.byte = 0xa5}};
    struct rng rng;
    (void)state;
    dcpn_rng_seed(&rng, 20260801);
    for (int k = 0; k < 2; k++) {
        const dcpn_allocator allocator = {allocate_filled, release_filled, &filling[k]};
        dcpn_context_free(context);
        context = dcpn_context_new(&allocator);
        assert_true(check_all_random_uses(&rng) > 30);
        assert_int_equal(filling[k].out, 1); /* the context */
    }
    dcpn_context_free(context);
    context = NULL;
}

/* ---- the short list of a search on wide data, which goes without a checkpoint ---- */

static double *coefficients_of(const struct run *run, int64_t columns)
{
    double *x = problems_memory(columns, sizeof *x);
    memcpy(x, dcpn_solver_coefficients(run->solver), (size_t)columns * sizeof *x);
    return x;
}

static void a_solver_runs_as_if_it_had_always_had_one_or_none(void **state)
{
    struct problems_data data = problems_data_new(30, 4100, 1.0, 20260801);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    problems_data_plain(&data);
    settings.lambda = 3.0;
    struct run *without = make_run_on(&data, PROBLEMS_COLUMN_MAJOR, &settings),
               *with = make_run_on(&data, PROBLEMS_COLUMN_MAJOR, &settings);
    (void)state;
    assert_int_equal(dcpn_solver_run(without->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(with->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(with->solver), DCPN_OK);
    double *x = coefficients_of(without, data.columns), *y = coefficients_of(with, data.columns);
    assert_int_equal(dcpn_solver_set_checkpoint(with->solver, NULL, 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(without->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(with->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_run(without->solver), DCPN_OK);
    assert_memory_equal(dcpn_solver_coefficients(with->solver), x, (size_t)data.columns * sizeof *x);
    assert_memory_equal(dcpn_solver_coefficients(without->solver), y, (size_t)data.columns * sizeof *y);
    free(x);
    free(y);
    free_run(with);
    free_run(without);
    problems_data_free(&data);
}

/* One that has had a list goes on without, and has one again afterwards. */
static void a_solver_with_a_short_list_goes_on_as_a_new_one(void **state)
{
    struct problems_data data = problems_data_new(30, 4100, 1.0, 20260801);
    dcpn_settings settings = problems_settings("squared", "mcp", NULL, NULL);
    problems_data_plain(&data);
    settings.lambda = 3.0;
    struct run *runs[4]; /* without one; whole; interrupted; the solver in question */
    (void)state;
    for (int k = 0; k < 4; k++) {
        runs[k] = make_run_on(&data, PROBLEMS_COLUMN_MAJOR, &settings);
        if (k == 1 || k == 2)
            assert_int_equal(dcpn_solver_set_checkpoint(runs[k]->solver, "checkpoint", 1e9), DCPN_OK);
        run_to(runs[k], k == 2 ? 1 : -1);
    }
    assert_int_equal(dcpn_solver_resume(runs[3]->solver, "checkpoint"), DCPN_OK);
    run_to(runs[3], -1);
    assert_same_but_passes(runs[1], runs[3], data.columns, "used on a list");
    assert_same_but_passes(runs[0], runs[1], data.columns, "with and without a checkpoint");
    assert_runs_again_to(runs[0], runs[3], data.columns, "used on a list");
    for (int k = 0; k < 4; k++) free_run(runs[k]);
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(solvers_that_have_run_resume_as_new_ones),
        TEST(a_solver_runs_as_if_it_had_always_had_one_or_none),
        TEST(a_solver_with_a_short_list_goes_on_as_a_new_one),
    };
    return cmocka_run_group_tests_name("checkpoint_again", tests, NULL, NULL);
}
