/* SPDX-License-Identifier: BSD-3-Clause */
/* How the program speaks: sentences, and a line that says how far it is and how long it will take. */
#ifndef DCPN_EXPERIMENTS_SPEECH_H
#define DCPN_EXPERIMENTS_SPEECH_H

#include "plan.h"

/* "dcpn-experiments: <sentence>" on standard error. */
void dcpn_exp_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Says it and returns 1, the exit code. */
int dcpn_exp_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* 0 if a call of the library worked; otherwise its sentence is said and 1 returned. */
int dcpn_exp_check(const struct lab *lab, dcpn_status status);

/* Cleared memory; says so and returns NULL if there is none. */
void *dcpn_exp_allocate(int64_t count, size_t size);

double dcpn_exp_clock_s(void);

/* What is being worked on: a line that is written over on a terminal, nothing elsewhere. */
void dcpn_exp_at_work(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A trial is finished: the same line on a terminal, a line of its own elsewhere. left_s < 0: not known. */
void dcpn_exp_progress(const char *what, int64_t done, int64_t of, double left_s);
/* Clears the line. */
void dcpn_exp_progress_end(void);

#endif
