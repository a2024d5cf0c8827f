/* SPDX-License-Identifier: BSD-3-Clause */
/* A context of its own for each test of a program, with scratch.h also a directory. Include after cmocka.h, and after
 * scratch.h where that is wanted. */
#ifndef DCPN_TESTS_WITH_CONTEXT_H
#define DCPN_TESTS_WITH_CONTEXT_H

#include "dcpn/base.h"

static dcpn_context *context;

static inline int setup(void **state)
{
    (void)state;
    context = dcpn_context_new(NULL);
    if (!context) return -1;
    dcpn_context_set_option_prefix(context, "--"); /* what the command says is what is tested */
#ifdef DCPN_TESTS_SCRATCH_H
    return enter_scratch(state);
#else
    return 0;
#endif
}

static inline int teardown(void **state)
{
    (void)state;
    dcpn_context_free(context);
#ifdef DCPN_TESTS_SCRATCH_H
    return leave_scratch(state);
#else
    return 0;
#endif
}

#endif
