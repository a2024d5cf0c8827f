/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory that are needed no longer, although what they belong to is not free yet. */
#ifndef DCPN_SRC_PAGES_H
#define DCPN_SRC_PAGES_H

/* Gives the pages back to the system that lie between begin and end as a whole. They can be read and written as before;
 * those of a mapped file still have its bytes, and other memory has bytes of no meaning. */
void dcpn_pages_forget(const void *begin, const void *end);

#endif
