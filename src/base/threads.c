/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops on several threads. The thread that asks for a loop is one of those that work on it: it opens the loop, takes
 * piece after piece, as the others do, closes the loop when no piece is left, and waits for those that are still at
 * work. It never waits for a thread that has not begun: where another program has the processors, it does all the
 * work. */
#include "base/threads.h"

#include "base/context.h"

#ifdef DCPN_WITH_THREADS

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/machine.h"

enum {
    RANGES_PER_THREAD = 4, /* a thread that is interrupted leaves the rest of its share to the others */
    MOST_THREADS = 1024,
    LOOKS = 32,           /* at what is waited for, between two looks at the clock */
    LEAST_STACK = 2 << 20 /* bytes; some systems give a thread 128 KiB unless asked */
};

/* Falling asleep and being woken takes about as long, so waiting costs at most twice what the best guess would. */
static const double PATIENCE_S = 50e-6;

/* The state of a team, one number, so that a thread enters a loop if and only if it is open. From the lowest bit on:
 * how many threads are inside, whether the loop is open, whether the team comes to its end, and the number of the
 * loop. */
static const uint64_t INSIDE = 0xffff, OPEN = 0x10000, ENDING = 0x20000, LOOP = 0x40000;

/* A condition that some threads sleep on until others ring. */
struct bell {
    pthread_cond_t rings;
    atomic_int sleepers;
};

struct loop {
    range_function *work;
    void *user;
    int64_t count, pieces;
};

enum { CACHE_LINE = 64 };

struct team {
    _Atomic uint64_t state;
    char apart_from_next[CACHE_LINE];
    _Atomic int64_t next; /* piece to be taken */
    char apart_from_loop[CACHE_LINE];
    struct loop loop;
    atomic_int is_busy;
    pid_t process; /* in which the threads run */
    int started;   /* threads besides the caller's own */
    int most;      /* to be started: less than was asked for once the system has refused one */
    double patience_s;
    pthread_mutex_t mutex; /* for those who sleep */
    struct bell opened, left;
    pthread_t threads[];
};

/* ---- Waiting ------------------------------------------------------------------------------------------------------*/

typedef int condition(struct team *team, uint64_t number);

static int has_opened(struct team *team, uint64_t last)
{
    uint64_t state = atomic_load(&team->state);
    return (state & ENDING) || ((state & OPEN) && state / LOOP != last);
}

static int is_left(struct team *team, uint64_t number)
{
    (void)number;
    return (atomic_load(&team->state) & INSIDE) == 0;
}

static void pause_shortly(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static int comes_soon(struct team *team, condition *has_come, uint64_t number)
{
    double end = team->patience_s > 0.0 ? dcpn_clock_s() + team->patience_s : 0.0;
    do {
        for (int k = 0; k < LOOKS; k++) {
            if (has_come(team, number)) return 1;
            pause_shortly();
        }
    } while (end > 0.0 && dcpn_clock_s() < end);
    return 0;
}

static void wait_for(struct team *team, struct bell *bell, condition *has_come, uint64_t number)
{
    if (comes_soon(team, has_come, number)) return;
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&bell->sleepers, 1);
    while (!has_come(team, number)) pthread_cond_wait(&bell->rings, &team->mutex);
    atomic_fetch_sub(&bell->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
}

/* Wakes the sleepers. The state has changed before: a thread that is not yet counted among the sleepers will see that.
 * One that is counted may still look at the state, with the mutex, and sleeps once the mutex is free. */
static void ring(struct team *team, struct bell *bell)
{
    if (atomic_load(&bell->sleepers) == 0) return;
    pthread_mutex_lock(&team->mutex);
    pthread_mutex_unlock(&team->mutex);
    pthread_cond_broadcast(&bell->rings);
}

/* ---- A thread -----------------------------------------------------------------------------------------------------*/

static int64_t begin_of_piece(const struct loop *loop, int64_t piece)
{
    int64_t share = loop->count / loop->pieces, longer = loop->count % loop->pieces;
    return piece * share + (piece < longer ? piece : longer);
}

static void work_on_pieces(struct team *team)
{
    const struct loop *loop = &team->loop;
    for (int64_t piece; (piece = atomic_fetch_add(&team->next, 1)) < loop->pieces;)
        loop->work(loop->user, begin_of_piece(loop, piece), begin_of_piece(loop, piece + 1));
}

/* Returns whether the loop is open; *last is its number then. */
static int enter(struct team *team, uint64_t *last)
{
    uint64_t state = atomic_load(&team->state);
    while (state & OPEN) {
        *last = state / LOOP;
        if (atomic_compare_exchange_weak(&team->state, &state, state + 1)) return 1;
    }
    return 0;
}

static void leave(struct team *team)
{
    uint64_t state = atomic_fetch_sub(&team->state, 1) - 1;
    if (!(state & OPEN) && (state & INSIDE) == 0) ring(team, &team->left);
}

static void *work_in_team(void *user)
{
    struct team *team = user;
    uint64_t last = 0;
    for (;;) {
        wait_for(team, &team->opened, has_opened, last);
        if (atomic_load(&team->state) & ENDING) return NULL;
        if (!enter(team, &last)) continue;
        work_on_pieces(team);
        leave(team);
    }
}

/* ---- Starting and ending ------------------------------------------------------------------------------------------*/

/* Signals are for the threads of the program; but those that tell of what a thread itself has done come to that
 * thread. */
static void block_signals(sigset_t *before)
{
    static const int own[] = {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
    sigset_t blocked;
    sigfillset(&blocked);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) sigdelset(&blocked, own[k]);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static int start_one(struct team *team)
{
    pthread_attr_t attributes;
    size_t stack;
    if (pthread_attr_init(&attributes) != 0) return 0;
    if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < LEAST_STACK)
        (void)pthread_attr_setstacksize(&attributes, LEAST_STACK);
    int is_started = pthread_create(&team->threads[team->started], &attributes, work_in_team, team) == 0;
    pthread_attr_destroy(&attributes);
    team->started += is_started;
    return is_started;
}

/* Starts the wanted number of threads, or fewer if the system refuses to start more. */
static void start(struct team *team, int64_t wanted)
{
    sigset_t before;
    if (wanted > team->most) wanted = team->most;
    if (team->started >= wanted) return;
    block_signals(&before);
    while (team->started < wanted && start_one(team)) continue;
    if (team->started < wanted) team->most = team->started;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void set_up(struct team *team)
{
    atomic_init(&team->state, 0);
    atomic_init(&team->next, 0);
    atomic_init(&team->is_busy, 0);
    atomic_init(&team->opened.sleepers, 0);
    atomic_init(&team->left.sleepers, 0);
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->opened.rings, NULL);
    pthread_cond_init(&team->left.rings, NULL);
    team->process = getpid();
    team->started = 0;
}

struct team *dcpn_team_new(const dcpn_allocator *allocator, int threads)
{
    int most = threads < MOST_THREADS ? threads - 1 : MOST_THREADS - 1;
    if (most < 1) return NULL;
    struct team *team = allocator->allocate(allocator->user, sizeof *team + (size_t)most * sizeof *team->threads);
    if (!team) return NULL;
    memset(team, 0, sizeof *team);
    team->most = most;
    team->patience_s = threads <= dcpn_processors() ? PATIENCE_S : 0.0; /* else who waits keeps others from working */
    set_up(team);
    return team;
}

/* After a fork the child has none of the threads, so there is nothing to join. */
void dcpn_team_free(const dcpn_allocator *allocator, struct team *team)
{
    if (!team) return;
    if (team->process == getpid()) {
        atomic_fetch_or(&team->state, ENDING);
        ring(team, &team->opened);
        for (int k = 0; k < team->started; k++) pthread_join(team->threads[k], NULL);
        pthread_cond_destroy(&team->opened.rings);
        pthread_cond_destroy(&team->left.rings);
        pthread_mutex_destroy(&team->mutex);
    }
    allocator->release(allocator->user, team);
}

/* ---- A loop -------------------------------------------------------------------------------------------------------*/

/* A child after a fork begins anew, with threads of its own. Not within a loop: its threads are at work. */
static int is_free(struct team *team, int64_t pieces)
{
    if (!team || pieces < 2) return 0;
    if (team->process != getpid()) set_up(team);
    if (atomic_exchange(&team->is_busy, 1)) return 0;
    start(team, pieces - 1);
    if (team->started == 0) atomic_store(&team->is_busy, 0);
    return team->started > 0;
}

static void work_together(struct team *team, const struct loop *loop)
{
    team->loop = *loop;
    atomic_store(&team->next, 0);
    atomic_fetch_add(&team->state, LOOP + OPEN);
    ring(team, &team->opened);
    work_on_pieces(team);
    atomic_fetch_sub(&team->state, OPEN);
    wait_for(team, &team->left, is_left, 0);
    atomic_store(&team->is_busy, 0);
}

static void run(dcpn_context *context, const struct loop *loop)
{
    if (context && is_free(context->team, loop->pieces))
        work_together(context->team, loop);
    else if (loop->count > 0)
        loop->work(loop->user, 0, loop->count);
}

void dcpn_parallel_ranges(dcpn_context *context, int64_t count, range_function *work, void *user)
{
    int64_t pieces = context ? (int64_t)context->threads * RANGES_PER_THREAD : 1;
    run(context, &(struct loop){work, user, count, pieces < count ? pieces : count});
}

void dcpn_parallel_items(dcpn_context *context, int64_t count, range_function *work, void *user)
{
    run(context, &(struct loop){work, user, count, count});
}

int dcpn_is_helper(const struct team *team)
{
    for (int k = 0; team && k < team->started; k++)
        if (pthread_equal(pthread_self(), team->threads[k])) return team->process == getpid();
    return 0;
}

/* ---- The lock -----------------------------------------------------------------------------------------------------*/

void dcpn_mutex_init(struct mutex *mutex)
{
    pthread_mutex_init(&mutex->handle, NULL);
}

void dcpn_mutex_lock(struct mutex *mutex)
{
    pthread_mutex_lock(&mutex->handle);
}

void dcpn_mutex_unlock(struct mutex *mutex)
{
    pthread_mutex_unlock(&mutex->handle);
}

void dcpn_mutex_destroy(struct mutex *mutex)
{
    pthread_mutex_destroy(&mutex->handle);
}

#else /* without threads */

struct team *dcpn_team_new(const dcpn_allocator *allocator, int threads)
{
    (void)allocator, (void)threads;
    return NULL;
}

void dcpn_team_free(const dcpn_allocator *allocator, struct team *team)
{
    (void)allocator, (void)team;
}

int dcpn_is_helper(const struct team *team)
{
    (void)team;
    return 0;
}

void dcpn_parallel_ranges(dcpn_context *context, int64_t count, range_function *work, void *user)
{
    (void)context;
    if (count > 0) work(user, 0, count);
}

void dcpn_parallel_items(dcpn_context *context, int64_t count, range_function *work, void *user)
{
    dcpn_parallel_ranges(context, count, work, user);
}

void dcpn_mutex_init(struct mutex *mutex)
{
    mutex->unused = 0;
}

void dcpn_mutex_lock(struct mutex *mutex)
{
    (void)mutex;
}

void dcpn_mutex_unlock(struct mutex *mutex)
{
    (void)mutex;
}

void dcpn_mutex_destroy(struct mutex *mutex)
{
    (void)mutex;
}

#endif
