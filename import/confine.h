/* SPDX-License-Identifier: BSD-3-Clause */
/* What this program may do: read one file that is open already, compute, and write its answer. */
#ifndef DCPN_IMPORT_CONFINE_H
#define DCPN_IMPORT_CONFINE_H

#include <stddef.h>

/* At the start: closes every descriptor from `first` on, and ends with the process that started this one. */
void import_leave_alone(int first);

/* Limits processor time, the time on the clock and memory by the size of the file. memory: bytes besides those of the
 * file; 0: those of the machine. */
void import_limit(size_t file_size, size_t memory);

/* From here on nothing can be opened, started, sent or signalled: there is no room for another descriptor, and where
 * the kernel has Landlock and seccomp they refuse it besides. */
void import_confine(void);

#endif
