/* SPDX-License-Identifier: BSD-3-Clause */
/* Data on ranks: a file for each, or one file for all of them. Of a plain text each rank reads its range of bytes: the
 * lines that begin in it. Of a file of dcpn's own, which is mapped, each takes its rows. */
#include "ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1024 }; /* rows: dense data are cut at multiples */

struct bytes {
    const char *begin;
    size_t size;
};

static int has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcmp(path + length - tail, ending) == 0;
}

static int is_table(const char *path, const char *format)
{
    if (format) return strcmp(format, "csv") == 0 || strcmp(format, "tsv") == 0;
    return has_ending(path, ".csv") || has_ending(path, ".tsv");
}

static dcpn_status fail(const struct cli *cli, const char *path, const char *what)
{
    char sentence[1024];
    snprintf(sentence, sizeof sentence, "%s: %s", path, what);
    return dcpn_ranks_refuse(cli->context, DCPN_DATA, sentence);
}

static dcpn_status map_file(const struct cli *cli, const char *path, struct bytes *file)
{
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        fail(cli, path, strerror(errno));
        if (descriptor >= 0) close(descriptor);
        return DCPN_IO;
    }
    int is_file = S_ISREG(about.st_mode) && about.st_size > 0;
    void *bytes = is_file ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
    close(descriptor);
    if (bytes == MAP_FAILED)
        return fail(cli, path,
                    "found no plain file with anything in it, which ranks can share out; give one file for each rank");
    *file = (struct bytes){bytes, (size_t)about.st_size};
    return DCPN_OK;
}

static int is_compressed(const struct bytes *file)
{
    static const struct {
        const char *bytes;
        size_t size;
    } magic[] = {{"\x1f\x8b", 2}, {"\xfd\x37zXZ", 5}, {"\x28\xb5\x2f\xfd", 4}};
    for (size_t k = 0; k < sizeof magic / sizeof *magic; k++)
        if (file->size >= magic[k].size && memcmp(file->begin, magic[k].bytes, magic[k].size) == 0) return 1;
    return 0;
}

/* Finds the beginning of the first line at or after a place. */
static size_t line_from(const struct bytes *file, size_t place)
{
    if (place == 0 || place >= file->size) return place < file->size ? place : file->size;
    const char *end = memchr(file->begin + place - 1, '\n', file->size - place + 1);
    return end ? (size_t)(end - file->begin) + 1 : file->size;
}

/* Counts the lines before a place of a rank's part, since sentences count lines from the beginning of the part. */
static size_t lines_before(const struct bytes *file, size_t place)
{
    size_t lines = 0;
    for (size_t at = 0; at < place && (at = line_from(file, at + 1)) <= place;) lines++;
    return lines;
}

/* The first line of a table has the names of its columns, which every rank needs. */
static dcpn_status read_range(const struct cli *cli, const char *path, const struct bytes *file, int is_a_table,
                              const dcpn_read_options *how, dcpn_dataset **data)
{
    size_t ranks = (size_t)dcpn_context_ranks(cli->context), me = (size_t)dcpn_context_rank(cli->context);
    size_t head = is_a_table ? line_from(file, 1) : 0, body = file->size - head;
    size_t begin = line_from(file, head + body / ranks * me), end = line_from(file, head + body / ranks * (me + 1));
    if (me == 0) begin = head;
    if (me + 1 == ranks) end = file->size;
    char name[512];
    if (is_a_table && memchr(file->begin, '"', file->size))
        return fail(cli, path,
                    "found quotes, within which a line may end; 'dcpn convert --shards' makes a file for each rank");
    if (begin >= end) return fail(cli, path, "found fewer lines than ranks; start fewer of them");
    char *bytes = malloc(head + (end - begin));
    if (!bytes) return DCPN_MEMORY;
    memcpy(bytes, file->begin, head);
    memcpy(bytes + head, file->begin + begin, end - begin);
    snprintf(name, sizeof name, "%s, from line %zu on", path, lines_before(file, begin) + 1);
    dcpn_status status = dcpn_read_memory(cli->context, name, bytes, head + (end - begin), how, data);
    free(bytes);
    return status;
}

/* Rows of a whole data set, in units that may not be divided. */
static dcpn_status keep_rows(const struct cli *cli, dcpn_dataset *data, dcpn_matrix **whole)
{
    int64_t ranks = dcpn_context_ranks(cli->context), me = dcpn_context_rank(cli->context);
    int64_t unit = dcpn_matrix_is_dense(data->matrix) ? BLOCK : 1, units = (data->rows + unit - 1) / unit;
    int64_t first = units * me / ranks * unit, end = units * (me + 1) / ranks * unit;
    if (first > data->rows) first = data->rows;
    if (end > data->rows) end = data->rows;
    dcpn_matrix *some;
    dcpn_status status = dcpn_matrix_some_rows(data->matrix, first, end - first, &some);
    if (status != DCPN_OK) return status;
    memmove(data->labels, data->labels + first, (size_t)(end - first) * sizeof *data->labels);
    if (data->row_names)
        memmove(data->row_names, data->row_names + first, (size_t)(end - first) * sizeof *data->row_names);
    *whole = data->matrix;
    data->matrix = some;
    data->rows = end - first;
    return DCPN_OK;
}

static dcpn_status read_shared(const struct cli *cli, const char *path, const dcpn_read_options *how,
                               dcpn_dataset **data, dcpn_matrix **whole)
{
    struct bytes file = {NULL, 0};
    dcpn_status status = map_file(cli, path, &file);
    if (status != DCPN_OK) return status;
    int is_a_table = is_table(path, how->format);
    int is_text = is_a_table || has_ending(path, ".svm") || has_ending(path, ".libsvm") ||
                  (how->format && strcmp(how->format, "libsvm") == 0);
    if (is_compressed(&file))
        status = fail(
            cli, path,
            "found a compressed file, which ranks cannot share out; 'dcpn convert --shards' makes a file for each");
    else if (is_text)
        status = read_range(cli, path, &file, is_a_table, how, data);
    else {
        status = dcpn_read(cli->context, path, how, data);
        if (status == DCPN_OK) status = keep_rows(cli, *data, whole);
    }
    munmap((void *)(uintptr_t)file.begin, file.size);
    return status;
}

static dcpn_status read_once(const struct cli *cli, const dcpn_read_options *how, dcpn_dataset **data,
                             dcpn_matrix **whole)
{
    int is_shared = cli->argument_count == 1;
    const char *path = cli->arguments[is_shared ? 0 : dcpn_context_rank(cli->context)];
    dcpn_dataset_free(*data);
    dcpn_matrix_free(*whole);
    *data = NULL;
    *whole = NULL;
    return is_shared ? read_shared(cli, path, how, data, whole) : dcpn_read(cli->context, path, how, data);
}

/* ---- what has to be alike ---- */

static int64_t hash_texts(int64_t hash, char **texts, int64_t count)
{
    uint64_t h = (uint64_t)hash;
    for (int64_t k = 0; texts && k < count; k++)
        for (const char *c = texts[k]; c == texts[k] || c[-1]; c++)
            h = (h ^ (unsigned char)*c) * UINT64_C(1099511628211);
    return (int64_t)(h >> 2);
}

enum { FEATURES, BASE_0, NAMES, OTHER_NAMES, ALIKE };

/* The largest of each over the ranks. */
static dcpn_status compare(const struct cli *cli, const dcpn_dataset *data, int64_t *alike)
{
    int64_t names = hash_texts(7, data->feature_names, data->features);
    names = hash_texts(names, data->label_names, data->label_count);
    alike[FEATURES] = data->features;
    alike[BASE_0] = data->index_base == 0;
    alike[NAMES] = names;
    alike[OTHER_NAMES] = -names;
    return dcpn_ranks_largest_words(cli->context, alike, ALIKE);
}

/* A part may lack the last features, or the first one, which tells where numbers begin: it is read again, so that it
 * has them. */
static dcpn_status read_alike(const struct cli *cli, dcpn_read_options how, dcpn_dataset **data, dcpn_matrix **whole)
{
    int64_t alike[ALIKE];
    dcpn_status status = dcpn_ranks_agree(cli->context, read_once(cli, &how, data, whole));
    for (int again = 0; status == DCPN_OK && again < 3; again++) {
        status = compare(cli, *data, alike);
        int is_base_off = how.indexing == DCPN_INDEX_DETECT && alike[BASE_0] && (*data)->index_base != 0;
        int is_narrow =
            !alike[BASE_0] ? (*data)->features < alike[FEATURES] : !is_base_off && (*data)->features < alike[FEATURES];
        int is_off = is_base_off || is_narrow;
        int64_t any = is_off;
        if (status == DCPN_OK) status = dcpn_ranks_largest_words(cli->context, &any, 1);
        if (status != DCPN_OK || !any) break;
        if (is_base_off) how.indexing = DCPN_INDEX_FROM_0;
        how.at_least = alike[FEATURES];
        status = dcpn_ranks_agree(cli->context, is_off ? read_once(cli, &how, data, whole) : DCPN_OK);
    }
    if (status == DCPN_OK && alike[NAMES] != -alike[OTHER_NAMES])
        return dcpn_ranks_refuse(
            cli->context, DCPN_DATA,
            "the parts of the ranks call features or classes by different names; 'dcpn convert --shards' makes parts "
            "of one file");
    return status;
}

int dcpn_cli_ranks_read(const struct cli *cli, const struct reading_options *options, dcpn_read_options how,
                        dcpn_dataset **data, dcpn_matrix **whole)
{
    how = dcpn_cli_read_options(options, how);
    if (cli->argument_count != 1 && cli->argument_count != dcpn_context_ranks(cli->context))
        return dcpn_cli_fail(cli, DCPN_USAGE, "found %d files for %d ranks, expected one for each, or one for all",
                             cli->argument_count, (int)dcpn_context_ranks(cli->context));
    return dcpn_cli_check(cli, read_alike(cli, how, data, whole));
}
