/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that come from a pipe or out of a compressed file: how many is known at the end. Few stay in memory. Many go to
 * a file without a name, in TMPDIR or /tmp, which is mapped: text takes several times the memory of its numbers, and
 * its pages can be given back once they are parsed. Where such a file cannot be written, all stay in memory. */
#ifndef DCPN_SRC_GATHER_H
#define DCPN_SRC_GATHER_H

#include "data/content.h"

struct gathered {
    dcpn_context *context;
    char *start; /* those that came last, in memory */
    size_t size, capacity;
    int has_file, stays; /* stays: no file is to be had */
    int descriptor;
    size_t in_file; /* those before */
};

/* Room for at least one more byte at start + size. */
dcpn_status dcpn_gather_room(struct gathered *gathered);
/* Makes a content of all bytes. If it fails, the bytes are released. */
dcpn_status dcpn_gather_end(struct gathered *gathered, struct content *content);
void dcpn_gather_abandon(struct gathered *gathered);

#endif
