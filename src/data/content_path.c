/* SPDX-License-Identifier: BSD-3-Clause */
/* A path for libraries that open files themselves: what came through a pipe or was compressed is a file in memory. */
#include "data/content_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(descriptor, bytes, length);
        if (done < 0 && errno != EINTR) return 0;
        if (done <= 0) continue;
        bytes += done;
        length -= (size_t)done;
    }
    return 1;
}

dcpn_status dcpn_content_path_open(const struct content *content, struct content_path *path)
{
    *path = (struct content_path){.path = content->plain_path, .descriptor = -1};
    if (path->path) return DCPN_OK;
    path->descriptor = memfd_create("dcpn", MFD_CLOEXEC);
    if (path->descriptor >= 0 && write_all(path->descriptor, content->bytes, content->size)) {
        snprintf(path->memory, sizeof path->memory, "/proc/self/fd/%d", path->descriptor);
        path->path = path->memory;
        return DCPN_OK;
    }
    const char *reason = strerror(errno);
    dcpn_content_path_close(path);
    return dcpn_fail(content->context, DCPN_IO, "%s: cannot be put into memory: %s", content->name, reason);
}

void dcpn_content_path_close(struct content_path *path)
{
    if (path->descriptor >= 0) close(path->descriptor);
    path->descriptor = -1;
}
