/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes of which it is not known how many come: in memory, or in a file without a name. */
#include "data/gather.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/interrupt.h"

enum {
    FIRST_CAPACITY = 1 << 16,
    MOST_IN_MEMORY = 1 << 20,
};

/* ---- The file -----------------------------------------------------------------------------------------------------*/

/* Is the size of files limited? A file that outgrows the limit brings the process a signal, so that none is made
 * then. */
static int files_are_limited(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

static int open_unnamed(const char *folder)
{
    char path[4096];
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC | O_EXCL, 0600);
    if (descriptor >= 0 || snprintf(path, sizeof path, "%s/dcpn-XXXXXX", folder) >= (int)sizeof path) return descriptor;
    descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0) (void)unlink(path);
    return descriptor;
}

static int make_file(struct gathered *gathered)
{
    const char *folder = secure_getenv("TMPDIR");
    if (gathered->has_file) return 1;
    gathered->descriptor = files_are_limited() ? -1 : open_unnamed(folder && *folder ? folder : "/tmp");
    return gathered->has_file = gathered->descriptor >= 0;
}

static int write_all(int descriptor, const char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t written = write(descriptor, bytes + done, size - done);
        if (written < 0 && errno != EINTR) return 0;
        if (written > 0) done += (size_t)written;
    }
    return 1;
}

static int read_all(int descriptor, char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t length = pread(descriptor, bytes + done, size - done, (off_t)done);
        if (length == 0 || (length < 0 && errno != EINTR)) return 0;
        if (length > 0) done += (size_t)length;
    }
    return 1;
}

static void close_file(struct gathered *gathered)
{
    if (gathered->has_file) (void)close(gathered->descriptor);
    gathered->has_file = 0;
}

/* The disk is full, say: what is in the file comes back. */
static dcpn_status return_to_memory(struct gathered *gathered)
{
    size_t all = gathered->in_file + gathered->size;
    char *start = dcpn_allocate(gathered->context, 2 * all, 1);
    if (!start) return DCPN_MEMORY;
    if (!read_all(gathered->descriptor, start, gathered->in_file)) {
        dcpn_free(gathered->context, start);
        return dcpn_fail(gathered->context, DCPN_IO, "a temporary file cannot be read again: %s", strerror(errno));
    }
    memcpy(start + gathered->in_file, gathered->start, gathered->size);
    dcpn_free(gathered->context, gathered->start);
    close_file(gathered);
    gathered->start = start;
    gathered->size = all;
    gathered->capacity = 2 * all;
    gathered->in_file = 0;
    gathered->stays = 1;
    return DCPN_OK;
}

/* The limit of memory holds for the file as well: a few bytes can expand to more than any disk has. */
static dcpn_status move_to_file(struct gathered *gathered)
{
    DCPN_TRY(dcpn_memory_check(gathered->context, gathered->in_file + gathered->size));
    if (!write_all(gathered->descriptor, gathered->start, gathered->size)) return return_to_memory(gathered);
    gathered->in_file += gathered->size;
    gathered->size = 0;
    return DCPN_OK;
}

/* ---- Bytes --------------------------------------------------------------------------------------------------------*/

static dcpn_status grow(struct gathered *gathered)
{
    size_t capacity = gathered->capacity ? 2 * gathered->capacity : FIRST_CAPACITY;
    char *larger = dcpn_grow(gathered->context, gathered->start, gathered->size, capacity, 1);
    if (!larger) return DCPN_MEMORY;
    gathered->start = larger;
    gathered->capacity = capacity;
    return DCPN_OK;
}

dcpn_status dcpn_gather_room(struct gathered *gathered)
{
    DCPN_TRY(dcpn_refuse_interrupted(gathered->context, "reading"));
    if (gathered->size < gathered->capacity) return DCPN_OK;
    if (gathered->capacity >= MOST_IN_MEMORY && !gathered->stays) {
        if (make_file(gathered)) return move_to_file(gathered);
        gathered->stays = 1;
    }
    return grow(gathered);
}

static dcpn_status map(struct gathered *gathered, struct content *content)
{
    void *mapped = mmap(NULL, gathered->in_file, PROT_READ, MAP_PRIVATE, gathered->descriptor, 0);
    if (mapped == MAP_FAILED) return return_to_memory(gathered);
    content->bytes = mapped;
    content->is_mapped = 1;
    content->size = gathered->in_file;
    return DCPN_OK;
}

dcpn_status dcpn_gather_end(struct gathered *gathered, struct content *content)
{
    dcpn_status status = DCPN_OK;
    content->plain_path = NULL;
    if (gathered->has_file) status = move_to_file(gathered);
    if (status == DCPN_OK && gathered->has_file) status = map(gathered, content);
    if (status == DCPN_OK && !content->is_mapped) {
        content->bytes = content->owned = gathered->start;
        content->size = gathered->size;
        gathered->start = NULL;
    }
    dcpn_gather_abandon(gathered);
    return status;
}

void dcpn_gather_abandon(struct gathered *gathered)
{
    dcpn_free(gathered->context, gathered->start);
    gathered->start = NULL;
    close_file(gathered);
}
