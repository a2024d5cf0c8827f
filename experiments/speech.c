/* SPDX-License-Identifier: BSD-3-Clause */
/* How the program speaks: sentences, and a line that says how far it is and how long it will take. */
#include "speech.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LINE_WIDTH = 100 };

static int has_terminal(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && strcmp(terminal, "dumb") == 0);
}

static void say(const char *format, va_list arguments)
{
    dcpn_exp_progress_end();
    fputs("dcpn-experiments: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void dcpn_exp_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

int dcpn_exp_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return 1;
}

int dcpn_exp_check(const struct lab *lab, dcpn_status status)
{
    return status == DCPN_OK ? 0 : dcpn_exp_fail("%s", dcpn_last_error(lab->context));
}

void *dcpn_exp_allocate(int64_t count, size_t size)
{
    void *memory = calloc(count > 0 ? (size_t)count : 1, size);
    if (!memory) dcpn_exp_say("out of memory: %lld x %zu bytes were asked for", (long long)count, size);
    return memory;
}

double dcpn_exp_clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void dcpn_exp_at_work(const char *format, ...)
{
    char line[LINE_WIDTH];
    va_list arguments;
    if (!has_terminal()) return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
    fflush(stderr);
}

static void write_duration(double seconds, char *text, size_t size)
{
    if (seconds < 0.0)
        snprintf(text, size, "time left not known yet");
    else if (seconds < 90.0)
        snprintf(text, size, "about %.0f s left", seconds);
    else if (seconds < 5400.0)
        snprintf(text, size, "about %.0f min left", seconds / 60.0);
    else
        snprintf(text, size, "about %.1f h left", seconds / 3600.0);
}

void dcpn_exp_progress(const char *what, int64_t done, int64_t of, double left_s)
{
    char left[48], line[LINE_WIDTH];
    write_duration(left_s, left, sizeof left);
    snprintf(line, sizeof line, "%s: %lld of %lld trials, %s", what, (long long)done, (long long)of, left);
    if (has_terminal())
        fprintf(stderr, "\r%-*s", LINE_WIDTH, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
}

void dcpn_exp_progress_end(void)
{
    if (has_terminal()) fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
}
