/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory that are needed no longer, and pages that are needed soon. */
#include "base/pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    WORTH_A_CALL = 1 << 16,
    ASKED_AT_ONCE = 1 << 17 /* bytes: of more the system may leave out the rest, by what the disk takes at a time */
};

void dcpn_pages_forget(const void *begin, const void *end)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)begin + page - 1) / page * page, last = (uintptr_t)end / page * page;
    int error = errno;
    if (last >= first + WORTH_A_CALL) (void)madvise((void *)first, last - first, MADV_DONTNEED); /* an offer */
    errno = error;
}

void dcpn_pages_soon(const void *begin, const void *end)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)begin / page * page, last = (uintptr_t)end;
    int error = errno;
    for (; at < last; at += ASKED_AT_ONCE)
        (void)madvise((void *)at, last - at < ASKED_AT_ONCE ? last - at : ASKED_AT_ONCE, MADV_WILLNEED);
    errno = error;
}

static void tell(struct far_file *file, int is_in_pieces)
{
    int error = errno;
    if (!file || atomic_load(&file->is_in_pieces) == is_in_pieces) return;
    atomic_store(&file->is_in_pieces, is_in_pieces);
    (void)madvise(file->begin, file->bytes, is_in_pieces ? MADV_RANDOM : MADV_NORMAL);
    errno = error;
}

void dcpn_far_read_in_order(struct far_file *file)
{
    tell(file, 0);
}

void dcpn_far_read_in_pieces(struct far_file *file)
{
    tell(file, 1);
}
