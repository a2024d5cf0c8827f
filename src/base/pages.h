/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory that are needed no longer, although what they belong to is not free yet; and those of mapped files
 * that do not fit into memory. */
#ifndef DCPN_SRC_PAGES_H
#define DCPN_SRC_PAGES_H

#include <stdatomic.h>
#include <stddef.h>

/* Gives the pages back to the system that lie between begin and end as a whole. They can be read and written as before;
 * those of a mapped file still have its bytes, and other memory has bytes of no meaning. */
void dcpn_pages_forget(const void *begin, const void *end);

/* A mapped file that is larger than memory: pages come from the disk again and again. Where it is read from front to
 * back the system is to read ahead. Where pieces far apart are read, a megabyte around each of them would drive out
 * what was read before, so that only the pages that are touched may come. */
struct far_file {
    void *begin;
    size_t bytes;
    atomic_int is_in_pieces; /* what the system was told last */
};
/* Tells the system how the file is read from now on. NULL: it fits into memory, and nothing is to be told. */
void dcpn_far_read_in_order(struct far_file *file);
void dcpn_far_read_in_pieces(struct far_file *file);
/* Asks for the bytes between begin and end, which will be read soon. */
void dcpn_pages_soon(const void *begin, const void *end);

#endif
