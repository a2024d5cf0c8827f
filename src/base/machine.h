/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_MACHINE_H
#define DCPN_SRC_MACHINE_H

#include <stddef.h>

/* The least limit of the cgroups that a file like /proc/self/cgroup names, mounted at root; SIZE_MAX: none. */
size_t dcpn_cgroup_limit(const char *groups, const char *root);

/* Bytes of a processor's second cache; 0: not known. */
size_t dcpn_second_cache(void);

/* The processors that this process may use, at least 1. */
int dcpn_processors(void);

#endif
