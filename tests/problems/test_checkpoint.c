/* SPDX-License-Identifier: BSD-3-Clause */
/* A run that is interrupted anywhere and resumed by another solver, on data at other addresses, ends with the bytes of
 * a run that was not: for every algorithm, metric and subproblem solver in the registries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <math.h>

#include "faulty_allocator.h"
#include "support/problems_checkpoint.h"

/* Interrupted at k, saved, resumed. 0: it had ended before. */
static int check_interruption(const struct problems_data *data, const dcpn_settings *settings, const struct run *whole,
                              int64_t k, const char *what)
{
    struct run *first = make_run(data, settings);
    first->stop_at = k;
    assert_int_equal(dcpn_solver_set_checkpoint(first->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
    int interrupted = dcpn_solver_result(first->solver)->outcome == DCPN_INTERRUPTED;
    free_run(first);
    if (!interrupted) return 0;
    struct problems_data copy = problems_data_copy(data);
    struct run *second = make_run(&copy, settings);
    if (dcpn_solver_resume(second->solver, "checkpoint") != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    if (dcpn_solver_run(second->solver) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_same_but_passes(whole, second, data->columns, what);
    free_run(second);
    problems_data_free(&copy);
    return 1;
}

static int check_settings(const struct problems_data *data, const dcpn_settings *settings)
{
    static const int64_t moments[] = {0, 1, 5, 12};
    char what[200];
    int checked = 0;
    if (dcpn_combination_check(context, settings) != DCPN_OK) return 0;
    struct run *whole = make_run(data, settings);
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
        snprintf(what, sizeof what, "%s %s %s %s %s active-set %s global %s, at %d", settings->loss, settings->penalty,
                 settings->algorithm, settings->metric, settings->subsolver, settings->active_set, settings->global,
                 (int)moments[k]);
        checked += check_interruption(data, settings, whole, moments[k], what);
    }
    free_run(whole);
    return checked;
}

/* With and without an active set and a search around the method. */
static int check_wraps(const struct problems_data *data, dcpn_settings settings)
{
    static const char *const sets[] = {"off", "on"}, *const searches[] = {"off", "path", "path-then-drop", "path+drop"};
    int checked = 0;
    for (int set = 0; set < 2; set++)
        for (int search = 0; search < 4; search++) {
            settings.active_set = sets[set];
            settings.global = searches[search];
            checked += check_settings(data, &settings);
        }
    return checked;
}

static int check_algorithms(const struct problems_data *data, dcpn_settings settings)
{
    dcpn_part algorithm;
    int checked = 0;
    for (size_t a = 0; dcpn_part_at("algorithm", a, &algorithm); a++) {
        settings.algorithm = algorithm.name;
        checked += check_wraps(data, settings);
    }
    return checked;
}

static int check_directions(const struct problems_data *data, dcpn_settings settings)
{
    dcpn_part metric, subsolver;
    int checked = 0;
    for (size_t m = 0; dcpn_part_at("metric", m, &metric); m++)
        for (size_t s = 0; dcpn_part_at("subsolver", s, &subsolver); s++) {
            settings.metric = metric.name;
            settings.subsolver = subsolver.name;
            checked += check_wraps(data, settings);
        }
    return checked;
}

static void every_part_resumes(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    (void)state;
    assert_true(check_algorithms(&data, small_settings("logistic", "capped-l1")) > 10);
    assert_true(check_algorithms(&data, small_settings("smooth-ramp", "scad")) > 10);
    assert_true(check_algorithms(&data, small_settings("squared", "l1")) > 20);
    assert_true(check_directions(&data, small_settings("logistic", "capped-l1")) > 30);
    problems_data_free(&data);
}

/* Saved at every iteration, the last one counts; the run that is saved is not disturbed. */
static void saving_changes_nothing(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    struct run *whole = make_run(&data, &settings), *saved = make_run(&data, &settings);
    (void)state;
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(saved->solver, "checkpoint", 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_run(saved->solver), DCPN_OK);
    assert_same(whole, saved, data.columns, "saved");
    free_run(saved);
    saved = make_run(&data, &settings);
    assert_int_equal(dcpn_solver_resume(saved->solver, "checkpoint"), DCPN_OK);
    assert_int_equal(dcpn_solver_run(saved->solver), DCPN_OK);
    assert_same(whole, saved, data.columns, "resumed");
    assert_int_equal(dcpn_solver_run(saved->solver), DCPN_OK); /* again, from the start */
    assert_memory_equal(dcpn_solver_coefficients(whole->solver), dcpn_solver_coefficients(saved->solver),
                        (size_t)data.columns * sizeof(double));
    assert_true(dcpn_solver_result(saved->solver)->passes <= dcpn_solver_result(whole->solver)->passes);
    assert_int_equal(warnings, 0);
    free_run(saved);
    free_run(whole);
    problems_data_free(&data);
}

/* A limit may be another one. */
static void a_run_goes_on_beyond_its_limit(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1"), limited = settings;
    limited.max_iter = 2;
    struct run *whole = make_run(&data, &settings), *first = make_run(&data, &limited);
    (void)state;
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(first->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(first->solver)->outcome, DCPN_MAX_ITERATIONS);
    free_run(first);
    for (int asks = 0; asks < 2; asks++) { /* for lambda_max, whose run is none to go on with */
        double lambda_max;
        first = make_run(&data, &settings);
        assert_int_equal(dcpn_solver_resume(first->solver, "checkpoint"), DCPN_OK);
        if (asks) assert_int_equal(dcpn_solver_lambda_max(first->solver, &lambda_max), DCPN_OK);
        assert_int_equal(dcpn_solver_set_lambda(first->solver, settings.lambda), DCPN_OK);
        assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
        assert_same(whole, first, data.columns, "beyond the limit");
        free_run(first);
    }
    free_run(whole);
    problems_data_free(&data);
}

/* ---- rows without a label ---- */

static void forget_labels(struct problems_data *data, int64_t from)
{
    for (int64_t i = from; i < data->rows; i++) data->classes[i] = NAN;
}

/* The data end with the offset of their last row, though --balance adds a row of its own. */
static void what_follows_the_data_does_not_matter(void **state)
{
    struct problems_data data = problems_data_new(40, 5, 1.0, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    double offset[41] = {0.0};
    (void)state;
    settings.balance = 1.0;
    forget_labels(&data, 20);
    for (int k = 0; k < 2; k++) {
        struct run *run = make_run(&data, &settings);
        dcpn_solver_free(run->solver);
        assert_int_equal(dcpn_problem_set_offset(run->problem, offset), DCPN_OK);
        make_solver(run, &settings);
        run->stop_at = k == 0 ? 1 : -1;
        offset[40] = k;
        if (k == 0) assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 1e9), DCPN_OK);
        if (k == 1) assert_int_equal(dcpn_solver_resume(run->solver, "checkpoint"), DCPN_OK);
        if (dcpn_solver_run(run->solver) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
        free_run(run);
    }
    problems_data_free(&data);
}

/* A run that is stopped while it anneals, by an interruption or, with a limit, by the clock. */
static void stop_while_annealing(const struct problems_data *data, const dcpn_settings *settings)
{
    struct run *run = make_run(data, settings);
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 0.0), DCPN_OK);
    if (!(settings->max_time_s < 1.0)) dcpn_solver_interrupt(run->solver);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    dcpn_outcome outcome = dcpn_solver_result(run->solver)->outcome;
    assert_int_equal(outcome, settings->max_time_s < 1.0 ? DCPN_MAX_TIME : DCPN_INTERRUPTED);
    free_run(run);
}

/* A run begins where its annealing ends: of one that was cut short there is nothing to save, and the last checkpoint
 * stays. */
static void annealing_that_is_cut_short_is_not_saved(void **state)
{
    struct problems_data data = problems_data_new(80, 40, 1.0, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1"), limited = settings;
    (void)state;
    forget_labels(&data, 20);
    limited.max_time_s = 1e-9;
    struct run *whole = make_run(&data, &settings), *first = make_run(&data, &settings);
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    stop_while_annealing(&data, &settings);
    stop_while_annealing(&data, &limited);
    assert_int_equal(files_here(), 0);
    first->stop_at = 1;
    assert_int_equal(dcpn_solver_set_checkpoint(first->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(first->solver), DCPN_OK);
    assert_int_equal(files_here(), 1);
    stop_while_annealing(&data, &settings);
    stop_while_annealing(&data, &limited);
    struct run *second = make_run(&data, &settings);
    assert_int_equal(dcpn_solver_resume(second->solver, "checkpoint"), DCPN_OK);
    dcpn_solver_interrupt(second->solver); /* before it can go on */
    assert_int_equal(dcpn_solver_run(second->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(second->solver)->outcome, DCPN_INTERRUPTED);
    assert_int_equal(dcpn_solver_resume(second->solver, "checkpoint"), DCPN_OK);
    assert_int_equal(dcpn_solver_run(second->solver), DCPN_OK);
    assert_same_but_passes(whole, second, data.columns, "annealed again");
    assert_int_equal(warnings, 0);
    free_run(second);
    free_run(first);
    free_run(whole);
    problems_data_free(&data);
}

/* ---- refusals ---- */

static void save_one(const struct problems_data *data, const dcpn_settings *settings)
{
    struct run *run = make_run(data, settings);
    run->stop_at = 2;
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 1e9), DCPN_OK);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    free_run(run);
}

static void assert_refused(const struct problems_data *data, const dcpn_settings *settings, const char *sentence)
{
    struct run *run = make_run(data, settings);
    dcpn_status status = dcpn_solver_resume(run->solver, "checkpoint");
    if (status == DCPN_OK) status = dcpn_solver_run(run->solver);
    if (status != DCPN_DATA) fail_msg("not refused: %s", sentence);
    assert_contains(dcpn_last_error(context), sentence);
    free_run(run);
}

static void another_run_is_refused(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801), other;
    dcpn_settings settings = small_settings("logistic", "capped-l1"), changed = settings;
    (void)state;
    save_one(&data, &settings);
    changed.lambda = nextafter(settings.lambda, 3.0);
    assert_refused(&data, &changed, "checkpoint: found a checkpoint of a run with other settings");
    changed = settings;
    changed.algorithm = "gist";
    assert_refused(&data, &changed, "other settings");
    for (int k = 0; k < 4; k++) {
        other = problems_data_copy(&data);
        double *classes = other.classes, *places[] = {&other.weights[3], &other.factors[2], classes, &other.A[0]};
        while (k == 3 && *places[k] == 0.0) places[k]++;
        while (k == 2 && places[k][0] == places[k][1]) places[k]++;
        *places[k] = k == 2 ? places[k][1] : *places[k] + 0.25;
        assert_refused(&other, &settings, "other data");
        problems_data_free(&other);
    }
    other = problems_data_new(90, 12, 0.4, 20260801);
    assert_refused(&other, &settings, "other data");
    problems_data_free(&other);
    problems_data_free(&data);
}

static void damage_is_refused(void **state)
{
    struct problems_data data = problems_data_new(20, 5, 0.5, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    (void)state;
    save_one(&data, &settings);
    FILE *file = fopen("checkpoint", "rb");
    static char bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 300 && size < sizeof bytes);
    for (size_t k = 0; k < size; k += k < 400 ? 1 : 97) {
        bytes[k] ^= 4;
        put_bytes("checkpoint", bytes, size);
        bytes[k] ^= 4;
        assert_refused(&data, &settings, "checkpoint: found ");
    }
    for (size_t k = 0; k < size; k += 61) {
        put_bytes("checkpoint", bytes, k);
        assert_refused(&data, &settings, "checkpoint: found ");
    }
    put_bytes("checkpoint", bytes, size + 1);
    assert_refused(&data, &settings, "checkpoint: found ");
    struct run *run = make_run(&data, &settings);
    assert_int_equal(dcpn_solver_resume(run->solver, "missing"), DCPN_IO);
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "x", NAN), DCPN_USAGE);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK); /* from the start */
    free_run(run);
    problems_data_free(&data);
}

/* The run is worth more than its copy. */
static void a_failing_checkpoint_is_a_warning(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    struct run *whole = make_run(&data, &settings), *saved = make_run(&data, &settings);
    (void)state;
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(saved->solver, "/dev/full", 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_run(saved->solver), DCPN_OK);
    assert_same(whole, saved, data.columns, "no room");
    assert_true(dcpn_solver_result(saved->solver)->iterations > 2);
    assert_int_equal(warnings, 1); /* once for each run */
    assert_int_equal(dcpn_solver_run(saved->solver), DCPN_OK);
    assert_int_equal(warnings, 2);
    free_run(saved);
    free_run(whole);
    problems_data_free(&data);
}

static void a_checkpoint_is_switched_off(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    struct run *run = make_run(&data, &settings);
    (void)state;
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, NULL, 0.0), DCPN_OK); /* there is none */
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 0.0), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, NULL, NAN), DCPN_OK);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    assert_int_equal(files_here(), 0);
    free_run(run);
    save_one(&data, &settings);
    struct run *whole = make_run(&data, &settings);
    run = make_run(&data, &settings);
    assert_int_equal(dcpn_solver_run(whole->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_resume(run->solver, "checkpoint"), DCPN_OK);
    assert_int_equal(dcpn_solver_set_checkpoint(run->solver, NULL, 0.0), DCPN_OK); /* what is read stays */
    remove("checkpoint");
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    assert_same(whole, run, data.columns, "resumed, not written");
    assert_int_equal(files_here(), 0);
    free_run(run);
    free_run(whole);
    problems_data_free(&data);
}

/* Asks at once, when nobody has kept the state at the start. */
static int ask_now(void *user, const dcpn_progress *progress)
{
    const struct run *run = user;
    if (progress->k == 1) assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 0.0), DCPN_OK);
    return progress->k == 4;
}

static void one_asked_for_while_it_runs_is_of_the_next_run(void **state)
{
    struct problems_data data = problems_data_new(50, 12, 0.4, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    struct run *run = make_run(&data, &settings);
    (void)state;
    dcpn_solver_set_observer(run->solver, ask_now, run);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    assert_int_equal(dcpn_solver_result(run->solver)->outcome, DCPN_INTERRUPTED);
    assert_int_equal(files_here(), 0);
    assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
    assert_int_equal(files_here(), 1);
    free_run(run);
    problems_data_free(&data);
}

/* A call that fails leaves the solver as it was. */
static void without_memory_for_one_a_run_goes_without(void **state)
{
    struct problems_data data = problems_data_new(20, 5, 0.5, 20260801);
    dcpn_settings settings = small_settings("logistic", "capped-l1");
    struct faulty faulty = {0};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &faulty};
    (void)state;
    dcpn_context_free(context);
    context = dcpn_context_new(&allocator);
    struct run *run = make_run(&data, &settings);
    for (int k = 1; k <= 2; k++) {
        faulty.fails_at = faulty.calls + k;
        assert_int_equal(dcpn_solver_set_checkpoint(run->solver, "checkpoint", 0.0), DCPN_MEMORY);
        assert_int_equal(dcpn_solver_run(run->solver), DCPN_OK);
        assert_int_equal(dcpn_solver_set_checkpoint(run->solver, NULL, 0.0), DCPN_OK);
    }
    assert_int_equal(files_here(), 0);
    free_run(run);
    assert_int_equal(faulty.out, 1); /* the context */
    problems_data_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_part_resumes),
        TEST(saving_changes_nothing),
        TEST(a_run_goes_on_beyond_its_limit),
        TEST(what_follows_the_data_does_not_matter),
        TEST(annealing_that_is_cut_short_is_not_saved),
        TEST(another_run_is_refused),
        TEST(damage_is_refused),
        TEST(a_failing_checkpoint_is_a_warning),
        TEST(a_checkpoint_is_switched_off),
        TEST(one_asked_for_while_it_runs_is_of_the_next_run),
        TEST(without_memory_for_one_a_run_goes_without),
    };
    return cmocka_run_group_tests_name("checkpoint", tests, NULL, NULL);
}
