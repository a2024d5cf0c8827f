/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory that are needed no longer. */
#include "base/pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORTH_A_CALL = 1 << 16 };

void dcpn_pages_forget(const void *begin, const void *end)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page, last = (uintptr_t)end / page * page;
    int error = errno;
    if (last >= first + WORTH_A_CALL) (void)madvise((void *)first, last - first, MADV_DONTNEED); /* an offer */
    errno = error;
}
