/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole of an input in memory. A mapped file is read by the kernel page by page, as the parsers come along. */
#include "data/content.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/pages.h"
#include "data/decompress.h"
#include "data/gather.h"

/* Only regular files have a size that can be relied on; those of /proc say 0. */
static void map_file(const struct input_file *file, struct content *content)
{
    struct stat about;
    if (fstat(file->descriptor, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size <= 0) return;
    void *mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file->descriptor, 0);
    if (mapped == MAP_FAILED) return;
    content->bytes = mapped;
    content->is_mapped = 1;
    content->size = (size_t)about.st_size;
}

static dcpn_status read_blocks(struct input_file *file, struct gathered *bytes)
{
    size_t length;
    do {
        DCPN_TRY(dcpn_gather_room(bytes));
        DCPN_TRY(dcpn_input_read(file, bytes->start + bytes->size, bytes->capacity - bytes->size, &length));
        bytes->size += length;
    } while (length > 0);
    return DCPN_OK;
}

static dcpn_status end_gathering(dcpn_status status, struct gathered *bytes, struct content *content)
{
    if (status == DCPN_OK) return dcpn_gather_end(bytes, content);
    dcpn_gather_abandon(bytes);
    return status;
}

static dcpn_status read_file(struct input_file *file, struct content *content)
{
    struct gathered bytes = {.context = file->context};
    return end_gathering(read_blocks(file, &bytes), &bytes, content);
}

/* Standard input is always read: it may stand anywhere in its file. */
static dcpn_status load(const char *path, struct content *content)
{
    struct input_file file;
    dcpn_status status = DCPN_OK;
    DCPN_TRY(dcpn_input_open(content->context, path, &file));
    int is_standard = file.name != path;
    content->name = file.name;
    if (!is_standard) map_file(&file, content);
    if (content->bytes)
        content->plain_path = path;
    else
        status = read_file(&file, content);
    dcpn_input_close(&file);
    return status;
}

static dcpn_status expand(struct content *content)
{
    struct gathered plain = {.context = content->context};
    dcpn_status status = dcpn_decompress(content, &plain);
    dcpn_content_close(content);
    return end_gathering(status, &plain, content);
}

dcpn_status dcpn_content_open(dcpn_context *context, const char *path, struct content *content)
{
    *content = (struct content){.context = context};
    DCPN_TRY(load(path, content));
    return dcpn_compression_of(content->bytes, content->size) ? expand(content) : DCPN_OK;
}

dcpn_status dcpn_content_borrow(dcpn_context *context, const char *name, const void *bytes, size_t size,
                                struct content *content)
{
    *content = (struct content){.context = context, .name = name, .bytes = bytes, .size = size};
    return dcpn_compression_of(content->bytes, content->size) ? expand(content) : DCPN_OK;
}

void dcpn_content_drop(const struct content *content, const char *begin, const char *end)
{
    int is_within = begin >= content->bytes && end <= content->bytes + content->size;
    if ((content->is_mapped || content->owned) && is_within) dcpn_pages_forget(begin, end);
}

void dcpn_content_forget(const struct content *content, const char *begin, const char *end)
{
    if (content->is_mapped) dcpn_content_drop(content, begin, end);
}

void dcpn_content_close(struct content *content)
{
    if (content->owned)
        dcpn_free(content->context, content->owned);
    else if (content->is_mapped)
        munmap((void *)(uintptr_t)content->bytes, content->size);
    content->bytes = content->owned = NULL;
    content->size = 0;
    content->is_mapped = 0;
}
