/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocator that fails at its k-th call and counts what is still out. */
#ifndef DCPN_TESTS_FAULTY_ALLOCATOR_H
#define DCPN_TESTS_FAULTY_ALLOCATOR_H

#include <stdint.h>
#include <stdlib.h>

#include "dcpn/base.h"

struct faulty {
    int64_t calls, fails_at, out;
};

static inline void *allocate_faulty(void *user, size_t bytes)
{
    struct faulty *faulty = user;
    if (++faulty->calls == faulty->fails_at) return NULL;
    faulty->out++;
    return malloc(bytes);
}

static inline void release_faulty(void *user, void *memory)
{
    ((struct faulty *)user)->out -= memory != NULL;
    free(memory);
}

#endif
