/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks at a running fit: the trace file, the progress line and the signals that end it. */
#include "watch.h"

#include "json.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROGRESS_EVERY_S 0.1

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t stop_asked; /* the number of the first signal */
static volatile sig_atomic_t is_writing; /* to a pipe perhaps, whose reader may never come */
static volatile sig_atomic_t is_far;     /* the data come from the disk, pass by pass */
static dcpn_solver *volatile running;

enum {
    AT_ONCE_MS = 500, /* timeout(1) signals a process and then its group: that is one wish, not two */
    GRACE_S = 5,      /* for what is being written; whoever waits for a reader longer than that waits in vain */
    FAR_GRACE_S = 2   /* for the step under way, whose passes over the data may take minutes */
};

static int64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Ends the command as if nobody caught the signal, which comes when the handler returns. */
static void end_by(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void end_after_grace(int signal_number)
{
    static const char sentence[] = "dcpn: ended within a pass over data larger than memory, without a model\n";
    (void)signal_number;
    if (is_far && !is_writing && write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) end_by(stop_asked);
    end_by(stop_asked);
}

/* A second signal, later, ends the command at once. */
static void ask_to_stop(int signal_number)
{
    static volatile int64_t asked_at_ms;
    if (stop_asked && now_ms() - asked_at_ms >= AT_ONCE_MS) end_by(signal_number);
    if (stop_asked) return;
    asked_at_ms = now_ms();
    stop_asked = signal_number;
    if (running) dcpn_solver_interrupt(running);
    if (is_writing) alarm(GRACE_S);
    if (is_far && !is_writing) alarm(FAR_GRACE_S);
}

/* A signal that the parent process has switched off, as a shell does for its background jobs, stays off. */
static void catch_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal_number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(signal_number, &action, NULL);
}

static void begin_writing(void)
{
    is_writing = 1;
    if (stop_asked) alarm(GRACE_S);
}

static void begin_work(void)
{
    is_writing = 0;
    if (stop_asked) alarm(0);
}

int dcpn_cli_watch_run(const struct cli *cli, dcpn_solver *solver)
{
    running = solver;
    int code = dcpn_cli_check(cli, dcpn_solver_run(solver));
    running = NULL;
    return code;
}

void dcpn_cli_watch_signals(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU}; /* Ctrl-C, kill, a lost terminal, ulimit -t */
    begin_work();
    signal(SIGALRM, end_after_grace);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) catch_signal(signals[i]);
}

void dcpn_cli_watch_far_data(void)
{
    is_far = 1;
}

void dcpn_cli_watch_end(void)
{
    begin_writing();
}

int dcpn_cli_watch_is_stopped(void)
{
    return stop_asked != 0;
}

int dcpn_cli_watch_open(const struct cli *cli, struct watch *watch, const char *trace_path, int quiet)
{
    const char *terminal = getenv("TERM");
    watch->shows_progress = !quiet && isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
    watch->trace_path = trace_path;
    if (!trace_path) return 0;
    watch->trace = strcmp(trace_path, "-") == 0 ? stdout : fopen(trace_path, "w");
    if (!watch->trace) return dcpn_cli_fail(cli, DCPN_IO, "--trace: %s: %s", trace_path, strerror(errno));
    return 0;
}

static void write_trace_line(FILE *trace, const dcpn_progress *progress)
{
    dcpn_cli_json_count_member(trace, "{", "k", progress->k);
    dcpn_cli_json_number_member(trace, ",", "F", progress->objective);
    dcpn_cli_json_number_member(trace, ",", "D", progress->decrease);
    dcpn_cli_json_number_member(trace, ",", "t", progress->step);
    dcpn_cli_json_number_member(trace, ",", "stationarity", progress->stationarity);
    dcpn_cli_json_count_member(trace, ",", "nnz", progress->nonzeros);
    dcpn_cli_json_count_member(trace, ",", "inner_iterations", progress->inner_iterations);
    dcpn_cli_json_number_member(trace, ",", "passes", progress->passes);
    dcpn_cli_json_number_member(trace, ",", "time_s", progress->time_s);
    fputs("}\n", trace);
}

static void trace(struct watch *watch, const dcpn_progress *progress)
{
    if (!watch->trace || watch->trace_error) return;
    write_trace_line(watch->trace, progress);
    if (fflush(watch->trace) != 0) watch->trace_error = errno;
}

static void show_progress(struct watch *watch, const dcpn_progress *progress)
{
    if (!watch->shows_progress || progress->time_s < watch->next_progress_s) return;
    char line[160], features[40] = "";
    if (!watch->label) snprintf(features, sizeof features, " features %-9lld", (long long)progress->nonzeros);
    snprintf(line, sizeof line, "%.12s%6lld  F %-14.8g stationarity %-9.3g%s %.1f s", watch->label ? watch->label : "",
             (long long)progress->k, progress->objective, progress->stationarity, features, progress->time_s);
    dcpn_cli_progress_show(line);
    watch->next_progress_s = progress->time_s + PROGRESS_EVERY_S;
}

int dcpn_cli_watch_observe(void *user, const dcpn_progress *progress)
{
    struct watch *watch = user;
    if (watch->record && !dcpn_cli_trace_add(watch->record, progress)) watch->record = NULL; /* what is kept will do */
    begin_writing();
    trace(watch, progress);
    show_progress(watch, progress);
    begin_work();
    return stop_asked != 0;
}

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Appends the time that is left, but not in the first second and not if it is less than one. */
static void append_left(char *line, size_t size, double elapsed_s, double left_s)
{
    size_t used = strlen(line);
    if (elapsed_s < 1.0 || !(left_s >= 0.5)) return;
    if (left_s < 120.0)
        snprintf(line + used, size - used, ", about %.0f s left", left_s);
    else
        snprintf(line + used, size - used, ", about %.0f min left", left_s / 60.0);
}

static void show_path(struct watch *watch, const dcpn_path_progress *progress)
{
    char line[160];
    double now = clock_s();
    if (watch->started_s == 0.0) watch->started_s = now;
    double elapsed = now - watch->started_s;
    if (!watch->shows_progress) return;
    double left = dcpn_cli_remaining(&watch->remaining, elapsed, progress);
    if (elapsed < watch->next_progress_s) return;
    snprintf(line, sizeof line, "%.10s %lld/%lld  lambda %-10.4g features %-7lld %.1f s", progress->penalty,
                        (long long)progress->done, (long long)progress->total, progress->lambda,
                        (long long)progress->fit.nonzeros, elapsed);
    append_left(line, sizeof line, elapsed, left);
    dcpn_cli_progress_show(line);
    watch->next_progress_s = elapsed + PROGRESS_EVERY_S;
}

int dcpn_cli_watch_path(void *user, const dcpn_path_progress *progress)
{
    begin_writing();
    show_path(user, progress);
    begin_work();
    return stop_asked != 0;
}

int dcpn_cli_watch_close(const struct cli *cli, struct watch *watch)
{
    dcpn_cli_progress_clear();
    dcpn_cli_remaining_free(&watch->remaining);
    if (watch->trace && watch->trace != stdout && fclose(watch->trace) != 0 && !watch->trace_error)
        watch->trace_error = errno;
    int to_stdout = watch->trace == stdout;
    watch->trace = NULL;
    if (!watch->trace_error) return 0;
    if (to_stdout && dcpn_cli_reader_is_gone()) return dcpn_status_exit_code(DCPN_IO);
    return dcpn_cli_fail(cli, DCPN_IO, "--trace: %s: %s", watch->trace_path, strerror(watch->trace_error));
}
