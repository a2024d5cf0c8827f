/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops on several threads: each index once, whatever the system, a fork or another thread of the program does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/threads.h"
#include "support/problems_naive.h"
#include "with_context.h"

/* ---- Threads that the system refuses ------------------------------------------------------------------------------*/

static atomic_int created, allowed = -1; /* threads; -1: any number */

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the linker's */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *user)
{
    if (created++ == allowed) return EAGAIN;
    return __real_pthread_create(thread, attributes, start, user);
}

/* NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */

/* ---- Each index once ----------------------------------------------------------------------------------------------*/

enum { MOST = 1000 };

struct tally {
    dcpn_context *context;
    pthread_t caller;
    atomic_int times[MOST], elsewhere;
};

static void count_indices(void *user, int64_t begin, int64_t end)
{
    struct tally *tally = user;
    for (int64_t k = begin; k < end; k++) tally->times[k]++;
}

static void assert_each_once(const struct tally *tally, int64_t count)
{
    for (int64_t k = 0; k < MOST; k++) assert_int_equal(tally->times[k], k < count);
}

static void run_loops(dcpn_context *by, int64_t count)
{
    struct tally ranges = {.context = by}, items = {.context = by};
    dcpn_parallel_ranges(by, count, count_indices, &ranges);
    dcpn_parallel_items(by, count, count_indices, &items);
    assert_each_once(&ranges, count);
    assert_each_once(&items, count);
}

static void each_index_is_worked_on_once(void **state)
{
    static const int threads[] = {1, 2, 3, 7, 40};
    static const int64_t counts[] = {0, 1, 2, 5, 29, MOST};
    (void)state;
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        dcpn_context_set_threads(context, threads[t]);
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) run_loops(context, counts[k]);
    }
    run_loops(NULL, MOST);
}

static void many_short_loops_follow_one_another(void **state)
{
    struct tally tally = {0};
    (void)state;
    dcpn_context_set_threads(context, 3);
    for (int k = 0; k < 2000; k++) dcpn_parallel_items(context, 5, count_indices, &tally);
    for (int k = 0; k < 5; k++) assert_int_equal(tally.times[k], 2000);
}

/* ---- On several threads -------------------------------------------------------------------------------------------*/

struct meeting {
    int64_t guests;
    atomic_int arrived;
    pthread_t caller;
    atomic_int interrupts, own_faults, elsewhere; /* on other threads: those that let a signal through */
};

static void look_at_signals(struct meeting *meeting)
{
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    meeting->elsewhere++;
    meeting->interrupts += !sigismember(&blocked, SIGINT);
    meeting->own_faults += !sigismember(&blocked, SIGSEGV) && !sigismember(&blocked, SIGBUS);
}

/* Nobody leaves before all are there: with too few threads this would never end. */
static void meet(void *user, int64_t begin, int64_t end)
{
    struct meeting *meeting = user;
    for (int64_t k = begin; k < end; k++) {
        if (!pthread_equal(pthread_self(), meeting->caller)) look_at_signals(meeting);
        meeting->arrived++;
        while (meeting->arrived < meeting->guests) sched_yield();
    }
}

static struct meeting meet_all(dcpn_context *by, int threads)
{
    struct meeting meeting = {.guests = threads, .caller = pthread_self()};
    dcpn_parallel_items(by, threads, meet, &meeting);
    return meeting;
}

static void as_many_threads_work_as_were_asked_for(void **state)
{
    (void)state;
    for (int threads = 2; threads <= 7; threads++) {
        dcpn_context_set_threads(context, threads);
        struct meeting meeting = meet_all(context, threads);
        assert_int_equal(meeting.elsewhere, threads - 1);
    }
}

static void signals_are_for_the_threads_of_the_program(void **state)
{
    (void)state;
    dcpn_context_set_threads(context, 4);
    struct meeting meeting = meet_all(context, 4);
    assert_int_equal(meeting.interrupts, 0);
    assert_int_equal(meeting.own_faults, 3);
}

static void count_elsewhere(void *user, int64_t begin, int64_t end)
{
    struct tally *tally = user;
    if (!pthread_equal(pthread_self(), tally->caller)) tally->elsewhere++;
    count_indices(user, begin, end);
}

static void run_inner_loops(void *user, int64_t begin, int64_t end)
{
    struct tally *outer = user;
    for (int64_t k = begin; k < end; k++) {
        struct tally inner = {.caller = pthread_self()};
        dcpn_parallel_ranges(outer->context, MOST, count_elsewhere, &inner);
        assert_each_once(&inner, MOST);
        outer->times[k]++;
        outer->elsewhere += inner.elsewhere;
    }
}

static void a_loop_within_a_loop_stays_on_its_thread(void **state)
{
    struct tally outer = {.context = context};
    (void)state;
    dcpn_context_set_threads(context, 3);
    dcpn_parallel_items(context, 60, run_inner_loops, &outer);
    assert_each_once(&outer, 60);
    assert_int_equal(outer.elsewhere, 0);
}

static int threads_of_process(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    if (!tasks) return 0;
    for (const struct dirent *entry; (entry = readdir(tasks));) count += entry->d_name[0] != '.';
    closedir(tasks);
    return count;
}

/* A thread that was joined can still be seen for a moment. */
static void wait_for_threads(int count)
{
    while (threads_of_process() > count) sched_yield();
}

static void threads_end_with_their_context(void **state)
{
    int before = threads_of_process();
    dcpn_context *other = dcpn_context_new(NULL);
    (void)state;
    if (before == 0) skip();
    dcpn_context_set_threads(other, 5);
    assert_int_equal(threads_of_process(), before); /* they start when they are needed */
    meet_all(other, 5);
    assert_int_equal(threads_of_process(), before + 4);
    dcpn_context_set_threads(other, 3);
    meet_all(other, 3);
    wait_for_threads(before + 2);
    dcpn_context_free(other);
    wait_for_threads(before);
}

/* ---- Fewer threads than asked for ---------------------------------------------------------------------------------*/

static void threads_that_cannot_be_started_are_done_without(void **state)
{
    (void)state;
    for (allowed = 0; allowed < 3; allowed++) {
        created = 0;
        dcpn_context_set_threads(context, 1);
        dcpn_context_set_threads(context, 6);
        for (int k = 0; k < 3; k++) run_loops(context, MOST);
        assert_int_equal(created, allowed + 1); /* what was refused is not asked for again */
        meet_all(context, allowed + 1);
    }
    allowed = -1;
}

/* ---- Fits ---------------------------------------------------------------------------------------------------------*/

static struct problems_data data;

static struct problems_fit fit_with(dcpn_context *by, int threads)
{
    dcpn_settings settings = problems_settings("logistic", "l1", NULL, NULL);
    settings.lambda = 50.0;
    settings.tol = 0.0;
    settings.max_iter = 2;
    settings.inner_max = 4;
    dcpn_context_set_threads(by, threads);
    return problems_solve(by, &data, PROBLEMS_ROW_MAJOR, &settings, NULL);
}

static int is_same(const struct problems_fit *a, const struct problems_fit *b)
{
    return a->status == DCPN_OK && b->status == DCPN_OK && a->columns == b->columns &&
           memcmp(a->x, b->x, (size_t)a->columns * sizeof *a->x) == 0;
}

static int make_data(void **state)
{
    data = problems_data_new(9000, 30, 1.0, 1); /* three blocks of rows, more entries than one thread works on alone */
    return setup(state);
}

static int free_data(void **state)
{
    problems_data_free(&data);
    return teardown(state);
}

/* In the child: 0 if all is well. An alarm ends it if it waits for threads that are not there. */
static int work_after_fork(const struct problems_fit *expected)
{
    dcpn_context *other = dcpn_context_new(NULL);
    alarm(60);
    struct problems_fit inherited = fit_with(context, 3), own = fit_with(other, 3);
    int is_right = is_same(&inherited, expected) && is_same(&own, expected);
    struct meeting meeting = meet_all(context, 3);
    is_right &= meeting.elsewhere == 2;
    problems_fit_free(&inherited);
    problems_fit_free(&own);
    dcpn_context_free(other);
    dcpn_context_free(context);
    return !is_right;
}

static void a_forked_child_works_with_threads_of_its_own(void **state)
{
    if (strcmp(DCPN_SANITIZE, "thread") == 0) skip(); /* it lets no thread start after a fork */
    struct problems_fit one = fit_with(context, 1), three = fit_with(context, 3);
    int status;
    (void)state;
    assert_true(is_same(&one, &three));
    meet_all(context, 3);
    pid_t child = fork();
    if (child == 0) _exit(work_after_fork(&one));
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    meet_all(context, 3);
    problems_fit_free(&one);
    problems_fit_free(&three);
}

/* A context whose threads have never been needed in the child is freed like any other. */
static void a_forked_child_frees_what_it_inherits(void **state)
{
    int status;
    (void)state;
    dcpn_context_set_threads(context, 3);
    meet_all(context, 3);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        dcpn_context_free(context);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
}

static void *fit_in_a_thread(void *user)
{
    const struct problems_fit *expected = user;
    dcpn_context *own = dcpn_context_new(NULL);
    int is_right = 1;
    for (int threads = 3; threads > 0; threads--) {
        struct problems_fit fit = fit_with(own, threads);
        is_right &= is_same(&fit, expected);
        problems_fit_free(&fit);
    }
    dcpn_context_free(own);
    return is_right ? user : NULL;
}

static void threads_of_the_program_fit_at_the_same_time(void **state)
{
    enum { CALLERS = 4 };
    pthread_t callers[CALLERS];
    struct problems_fit expected = fit_with(context, 1);
    (void)state;
    for (int k = 0; k < CALLERS; k++)
        assert_int_equal(__real_pthread_create(&callers[k], NULL, fit_in_a_thread, &expected), 0);
    for (int k = 0; k < CALLERS; k++) {
        void *result;
        assert_int_equal(pthread_join(callers[k], &result), 0);
        assert_ptr_equal(result, &expected);
    }
    problems_fit_free(&expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_index_is_worked_on_once),
        cmocka_unit_test(many_short_loops_follow_one_another),
        cmocka_unit_test(as_many_threads_work_as_were_asked_for),
        cmocka_unit_test(signals_are_for_the_threads_of_the_program),
        cmocka_unit_test(a_loop_within_a_loop_stays_on_its_thread),
        cmocka_unit_test(threads_end_with_their_context),
        cmocka_unit_test(threads_that_cannot_be_started_are_done_without),
        cmocka_unit_test(a_forked_child_works_with_threads_of_its_own),
        cmocka_unit_test(a_forked_child_frees_what_it_inherits),
        cmocka_unit_test(threads_of_the_program_fit_at_the_same_time),
    };
    return cmocka_run_group_tests_name("unit.threads_pool", tests, make_data, free_data);
}
