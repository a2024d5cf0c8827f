/* SPDX-License-Identifier: BSD-3-Clause */
/* The iterations of a fit, kept: from an observer, or from the file that fit --trace wrote. */
#ifndef DCPN_CLI_TRACE_H
#define DCPN_CLI_TRACE_H

#include "command.h"

struct trace {
    size_t count, capacity;
    double *k, *objective, *stationarity, *inner_iterations, *step, *passes, *time_s;
};

/* Adds an iteration; returns 0 if memory is short. */
int dcpn_cli_trace_add(struct trace *trace, const dcpn_progress *progress);
/* Reads a trace. Says what is wrong with it and returns the exit code. */
int dcpn_cli_trace_read(const struct cli *cli, const char *path, struct trace *trace);
void dcpn_cli_trace_free(struct trace *trace);

#endif
