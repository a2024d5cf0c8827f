/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading in a process of its own, which may fail, crash or hang without harm. It inherits the content and what the
 * caller's memory holds, runs one thread, and leaves without the host program's exit handlers. */
#include "data/apart.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "data/format.h"
#include "data/writers.h"

enum { LEAST_SECONDS = 60, BYTES_PER_SECOND = 1 << 20 }; /* of processor time */

/* What the child tells, in memory that both see. */
struct report {
    int is_complete;
    dcpn_status status;
    char error[DCPN_ERROR_LENGTH];
};

/* ---- The child ----------------------------------------------------------------------------------------------------*/

static void limit(int resource, rlim_t most)
{
    const struct rlimit both = {most, most};
    (void)setrlimit(resource, &both);
}

static dcpn_status send(const dcpn_dataset *dataset, const char *name, int descriptor)
{
    struct output_file file;
    DCPN_TRY(dcpn_output_straight(dataset->context, name, descriptor, &file));
    DCPN_TRY(dcpn_npz_put(&file, 0, dataset));
    return dcpn_output_commit(&file);
}

static void read_as_child(const struct content *content, const dcpn_read_options *options, read_function *read,
                          int descriptor, struct report *report)
{
    dcpn_dataset *dataset = NULL;
    dcpn_context *context = content->context;
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, LEAST_SECONDS + content->size / BYTES_PER_SECOND);
    context->threads = 1;
    context->log = NULL; /* the host program's function belongs to the parent */
    report->status = read(content, options, &dataset);
    if (report->status == DCPN_OK) report->status = send(dataset, content->name, descriptor);
    memcpy(report->error, context->error, sizeof report->error);
    report->is_complete = 1;
}

/* ---- The parent ---------------------------------------------------------------------------------------------------*/

static dcpn_status read_archive(const struct content *content, const dcpn_read_options *options, int descriptor,
                                dcpn_dataset **dataset)
{
    /* What these options asked for, the child has seen to. */
    const dcpn_read_options here = {
        .index_base = options->index_base, .value_type = options->value_type, .unlabelled = 1};
    off_t size = lseek(descriptor, 0, SEEK_END);
    struct content archive = {.context = content->context, .name = content->name, .size = (size_t)size};
    archive.bytes = size > 0 ? mmap(NULL, archive.size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    if (archive.bytes == MAP_FAILED)
        return dcpn_fail(content->context, DCPN_IO, "%s: cannot be read: %s", content->name, strerror(errno));
    dcpn_status status = dcpn_format_npz.read(&archive, &here, dataset);
    dcpn_content_close(&archive);
    return status;
}

static void wait_for(pid_t child)
{
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
}

static dcpn_status run(const struct content *content, const dcpn_read_options *options, read_function *read,
                       int descriptor, struct report *report, dcpn_dataset **dataset)
{
    pid_t child = fork();
    if (child == 0) {
        read_as_child(content, options, read, descriptor, report);
        _exit(0);
    }
    if (child < 0)
        return dcpn_fail(content->context, DCPN_IO, "%s: cannot be read: %s", content->name, strerror(errno));
    wait_for(child);
    if (!report->is_complete)
        return dcpn_fail(
            content->context, DCPN_DATA,
            "%s: found something that brings down the library which reads this format; the file is damaged",
            content->name);
    if (report->status != DCPN_OK) return dcpn_fail(content->context, report->status, "%s", report->error);
    return read_archive(content, options, descriptor, dataset);
}

dcpn_status dcpn_read_apart(const struct content *content, const dcpn_read_options *options, read_function *read,
                            dcpn_dataset **dataset)
{
    *dataset = NULL;
    int descriptor = memfd_create("dcpn", MFD_CLOEXEC);
    struct report *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dcpn_status status = DCPN_OK;
    if (descriptor < 0 || report == MAP_FAILED)
        status = dcpn_fail(content->context, DCPN_IO, "%s: cannot be read: %s", content->name, strerror(errno));
    else
        status = run(content, options, read, descriptor, report, dataset);
    if (report != MAP_FAILED) munmap(report, sizeof *report);
    if (descriptor >= 0) close(descriptor);
    return status;
}
