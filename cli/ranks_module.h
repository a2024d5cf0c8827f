/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of a module of ranks, which the command finds at run time: neither the command nor the library knows an
 * engine. */
#ifndef DCPN_RANKS_MODULE_H
#define DCPN_RANKS_MODULE_H

#include "dcpn/collective.h"

enum { DCPN_RANKS_MODULE_VERSION = 1 };

struct dcpn_ranks_module {
    int version;
    const char *engine; /* its name and version */
    /* Joins the ranks that were started with this process. Returns 0, or a number that says that it could not. */
    int (*begin)(dcpn_collective *table);
    /* Leaves them: all together or, after a failure, at once and so that all end with this exit code. Does not return
     * then. */
    void (*end)(int has_failed, int code);
};

/* The variable of the environment that gives the number of seconds for which a rank waits for an answer of the
 * others. */
#define DCPN_RANKS_WAIT "DCPN_RANKS_WAIT_S"

/* The one symbol of a module: const struct dcpn_ranks_module dcpn_ranks_module. */
#define DCPN_RANKS_MODULE_SYMBOL "dcpn_ranks_module"

#endif
