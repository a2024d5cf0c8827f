/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks at a running fit: the trace file, the progress line and the signals that end it. */
#ifndef DCPN_CLI_WATCH_H
#define DCPN_CLI_WATCH_H

#include "remaining.h"
#include "trace.h"

struct watch {
    FILE *trace;            /* NULL: none */
    const char *trace_path; /* for its complaints */
    int trace_error;        /* errno of the first write that failed */
    struct trace *record;   /* where the iterations are kept; NULL: nowhere */
    const char *label;      /* at the start of the progress line; NULL: none */
    int shows_progress;
    double next_progress_s;
    double started_s; /* paths: the clock at the first fit; 0: not yet */
    struct remaining remaining;
};

/* Opens the trace (path NULL: none, "-": standard output). The exit code. */
int dcpn_cli_watch_open(const struct cli *cli, struct watch *watch, const char *trace_path, int quiet);
/* Makes SIGINT, SIGTERM, SIGHUP and SIGXCPU end the run from now on. A second one ends the process. */
void dcpn_cli_watch_signals(void);
/* Notes that each pass over the data takes as long as the disk does. A signal then leaves 2 seconds for the end of a
 * step, after which the process ends without a model. */
void dcpn_cli_watch_far_data(void);
/* Notes that the run is over. Such a signal, also one that has come already, then leaves 5 seconds to write the result,
 * and ends the process after that, since it may be waiting for the reader of a pipe. */
void dcpn_cli_watch_end(void);
/* Runs the solver so that the signals reach it also within a long iteration. The exit code. */
int dcpn_cli_watch_run(const struct cli *cli, dcpn_solver *solver);
/* Has one of the signals come? */
int dcpn_cli_watch_is_stopped(void);
/* A dcpn_observer; user is the watch. */
int dcpn_cli_watch_observe(void *user, const dcpn_progress *progress);
/* A dcpn_path_observer; user is the watch. */
int dcpn_cli_watch_path(void *user, const dcpn_path_progress *progress);
/* Wipes the progress line, closes the trace and says what went wrong with it. The exit code. */
int dcpn_cli_watch_close(const struct cli *cli, struct watch *watch);

#endif
