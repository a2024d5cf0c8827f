/* SPDX-License-Identifier: BSD-3-Clause */
/* What the fuzz targets share. Each is linked with libFuzzer, or with replay.c, which runs files. */
#ifndef DCPN_TESTS_FUZZ_H
#define DCPN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "dcpn/dcpn.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What must hold, also in a release build. */
#define DCPN_FUZZ_CHECK(CONDITION)                                                                                     \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #CONDITION);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

/* With a limit: no input of a few bytes may make a reader ask for much. And a low one: what a lying header makes a
 * reader allocate and clear is time that no other input gets. */
static inline dcpn_context *dcpn_fuzz_context(void)
{
    dcpn_context *context = dcpn_context_new(NULL);
    DCPN_FUZZ_CHECK(context);
    dcpn_context_set_memory_limit(context, (size_t)1 << 20);
    return context;
}

#endif
