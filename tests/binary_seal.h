/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes all checksums of a changed binary file right again: a file that lies, as opposed to one that is damaged. */
#ifndef DCPN_TESTS_BINARY_SEAL_H
#define DCPN_TESTS_BINARY_SEAL_H

#include <stdlib.h>

#include "base/checksum.h"
#include "data/binary.h"

/* Sections that the header puts beyond the end are left alone. */
static inline void seal_binary(char *bytes, size_t size)
{
    struct binary_header *header = (struct binary_header *)(void *)bytes;
    if (size < sizeof *header) return;
    uint64_t *hashes = malloc(((size_t)dcpn_binary_blocks(size) + 1) * sizeof *hashes);
    for (int k = 0; hashes && k < BINARY_SECTIONS; k++) {
        struct binary_extent *section = &header->sections[k];
        if (section->offset > size || section->size > size - section->offset) continue;
        section->checksum = dcpn_binary_checksum(NULL, bytes + section->offset, section->size, hashes);
    }
    header->checksum = dcpn_checksum(header, offsetof(struct binary_header, checksum));
    free(hashes);
}

#endif
