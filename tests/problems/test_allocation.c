/* SPDX-License-Identifier: BSD-3-Clause */
/* Running allocates nothing. Two counts are read by the observer at every iteration: the calls of the context's
 * allocator, and the calls of malloc, calloc and realloc from anywhere in the library, which the linker (--wrap) sends
 * here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "faulty_allocator.h"
#include "support/one_score.h"
#include "support/problems_data.h"

static int64_t standard_calls;

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the linker's */
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    standard_calls++;
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    standard_calls++;
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    standard_calls++;
    return __real_realloc(memory, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    standard_calls++;
    return __real_posix_memalign(memory, alignment, bytes);
}
/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

struct watch {
    const struct faulty *allocator;
    int64_t context_calls, library_calls; /* when the solver had been made */
    int64_t iterations, allocated_at;     /* the first iteration with another count; -1: none */
};

static struct watch begin_watch(const struct faulty *allocator)
{
    return (struct watch){allocator, allocator->calls, standard_calls, 0, -1};
}

static int unchanged(const struct watch *watch)
{
    return watch->allocator->calls == watch->context_calls && standard_calls == watch->library_calls;
}

static int observe(void *user, const dcpn_progress *progress)
{
    struct watch *watch = user;
    watch->iterations = progress->k;
    if (watch->allocated_at < 0 && !unchanged(watch)) watch->allocated_at = progress->k;
    return 0;
}

static void watch_run(dcpn_context *context, const struct faulty *allocator, const dcpn_problem *problem,
                      const dcpn_settings *settings)
{
    dcpn_solver *solver = NULL;
    assert_int_equal(dcpn_solver_new(context, problem, settings, &solver), DCPN_OK);
    struct watch watch = begin_watch(allocator);
    dcpn_solver_set_observer(solver, observe, &watch);
    assert_int_equal(dcpn_solver_run(solver), DCPN_OK);
    assert_true(unchanged(&watch));
    assert_int_equal(watch.allocated_at, -1);
    assert_true(watch.iterations > 0);
    dcpn_solver_free(solver);
}

static void watch_every_method(dcpn_context *context, const struct faulty *counts, const dcpn_matrix *A,
                               const double *labels)
{
    dcpn_problem *problem = NULL;
    dcpn_part algorithm;
    assert_int_equal(dcpn_problem_new(context, A, labels, &problem), DCPN_OK);
    for (size_t i = 0; dcpn_part_at("algorithm", i, &algorithm); i++) {
        dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
        settings.algorithm = algorithm.name;
        settings.lambda = 0.1;
        watch_run(context, counts, problem, &settings);
        settings.active_set = "on";
        watch_run(context, counts, problem, &settings);
    }
    dcpn_problem_free(problem);
}

static void nothing_is_allocated_while_running(void **state)
{
    struct faulty counts = {0};
    const dcpn_allocator allocator = {allocate_faulty, release_faulty, &counts};
    dcpn_context *context = dcpn_context_new(&allocator);
    struct problems_data data = problems_data_new(60, 12, 0.5, 1);
    dcpn_matrix *A = problems_matrix(context, &data, PROBLEMS_CSR);
    dcpn_problem *problem = NULL;
    dcpn_part loss, penalty, metric, subsolver;
    (void)state;
    for (size_t i = 0; dcpn_part_at("loss", i, &loss) && has_one_score(&loss); i++) {
        assert_int_equal(dcpn_problem_new(context, A, problems_labels(&data, loss.name), &problem), DCPN_OK);
        for (size_t j = 0; dcpn_part_at("penalty", j, &penalty); j++)
            for (size_t k = 0; dcpn_part_at("metric", k, &metric); k++)
                for (size_t l = 0; dcpn_part_at("subsolver", l, &subsolver); l++) {
                    dcpn_settings settings = problems_settings(loss.name, penalty.name, metric.name, subsolver.name);
                    if (dcpn_combination_check(context, &settings) != DCPN_OK) continue; /* no bound on the curvature */
                    settings.lambda = 0.1;
                    settings.intercept = 1;
                    settings.max_iter = 50;
                    watch_run(context, &counts, problem, &settings);
                }
        dcpn_problem_free(problem);
    }
    watch_every_method(context, &counts, A, data.classes);
    dcpn_matrix_free(A);
    dcpn_context_free(context);
    assert_int_equal(counts.out, 0);
    problems_data_free(&data);
}

/* The counter of malloc would be of no use if the linker had not put it between. */
static void the_library_s_calls_of_malloc_are_counted(void **state)
{
    int64_t before = standard_calls;
    (void)state;
    dcpn_context *context = dcpn_context_new(NULL);
    assert_int_equal(standard_calls, before + 1);
    dcpn_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_s_calls_of_malloc_are_counted),
        cmocka_unit_test(nothing_is_allocated_while_running),
    };
    return cmocka_run_group_tests_name("problems.allocation", tests, NULL, NULL);
}
