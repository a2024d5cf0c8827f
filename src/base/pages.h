/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of memory that are needed no longer, although what they belong to is not free yet. */
#ifndef DCPN_SRC_PAGES_H
#define DCPN_SRC_PAGES_H

/* The pages that lie between begin and end as a whole go back to the system. They can be read and written as before; a
 * mapped file still has its bytes there, other memory has bytes of no meaning. */
void dcpn_pages_forget(const void *begin, const void *end);

#endif
