/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a file begin as results do? Only its beginning is read. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context.h"
#include "base/utf8.h"
#include "data/decompress.h"
#include "dcpn/complete.h"
#include "dcpn/factor.h"
#include "dcpn/graph.h"
#include "dcpn/neighbours.h"
#include "dcpn/results.h"
#include "model/liblinear_model.h"

enum { READ = 1 << 16, LOOKED_AT = 256 };

/* Returns how many bytes; 0 for what can be read only once, or not at all. */
static size_t read_beginning(const char *path, char *bytes)
{
    struct stat about;
    if (strcmp(path, "-") == 0 || stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t length = fread(bytes, 1, READ, file);
    fclose(file);
    return length;
}

static int looks_like_results(const char *text, size_t length)
{
    const char *end = text + length;
    text += dcpn_byte_order_mark(text, length);
    while (text < end && isspace((unsigned char)*text)) text++;
    return text < end && (*text == '{' || dcpn_is_liblinear(text, (size_t)(end - text)));
}

static int has_format(const char *format, const char *text, size_t length)
{
    size_t wanted = strlen(format);
    for (size_t i = 0; i + wanted <= length && i < LOOKED_AT; i++)
        if (memcmp(text + i, format, wanted) == 0) return 1;
    return 0;
}

static int looks_like_factors(const char *text, size_t length)
{
    return has_format("\"dcpn-factors\"", text, length);
}

static int looks_like_completion(const char *text, size_t length)
{
    return has_format("\"dcpn-completion\"", text, length);
}

static int looks_like_neighbours(const char *text, size_t length)
{
    return has_format("\"dcpn-neighbours\"", text, length);
}

static int looks_like_graphs(const char *text, size_t length)
{
    return has_format("\"dcpn-graph\"", text, length);
}

/* Does the beginning of the file, decompressed if need be, look right? */
static int begins(dcpn_context *context, const char *path, int (*looks_right)(const char *, size_t))
{
    char head[LOOKED_AT];
    if (!context || !path) return 0;
    char *bytes = dcpn_allocate(context, READ, 1);
    if (!bytes) return 0;
    size_t length = read_beginning(path, bytes);
    int is_compressed = length > 0 && dcpn_compression_of(bytes, length) != NULL;
    size_t shown = is_compressed ? dcpn_decompress_head(context, bytes, length, head, sizeof head) : length;
    int found = looks_right(is_compressed ? head : bytes, shown);
    dcpn_free(context, bytes);
    return found;
}

int dcpn_results_begin(dcpn_context *context, const char *path)
{
    return begins(context, path, looks_like_results);
}

int dcpn_factors_begin(dcpn_context *context, const char *path)
{
    return begins(context, path, looks_like_factors);
}

int dcpn_graphs_begin(dcpn_context *context, const char *path)
{
    return begins(context, path, looks_like_graphs);
}

int dcpn_completion_begin(dcpn_context *context, const char *path)
{
    return begins(context, path, looks_like_completion);
}

int dcpn_neighbours_begin(dcpn_context *context, const char *path)
{
    return begins(context, path, looks_like_neighbours);
}
