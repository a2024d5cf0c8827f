/* SPDX-License-Identifier: BSD-3-Clause */
/* The registry of formats, and reading and writing in whichever of them. */
#include "data/format.h"

#include <string.h>

#include "base/compress.h"
#include "base/utf8.h"
#include "data/dataset.h"
#include "data/feature_names.h"
#include "data/storage.h"

/* The formats, in the order of `dcpn list`. If two are equally sure of a content, the first of them reads it. */
static const struct format *const formats[] = {
    &dcpn_format_libsvm, &dcpn_format_csv, &dcpn_format_tsv,  &dcpn_format_matrix_market, &dcpn_format_npy,
    &dcpn_format_npz,    &dcpn_format_mat, &dcpn_format_h5ad, &dcpn_format_binary,
};

enum { FORMATS = sizeof formats / sizeof *formats };

int dcpn_format_at(size_t index, dcpn_format *about)
{
    if (index >= FORMATS || !about) return 0;
    const struct format *format = formats[index];
    *about = (dcpn_format){format->name, format->extensions, format->summary, format->write != NULL};
    return 1;
}

/* ---- Which one ----------------------------------------------------------------------------------------------------*/

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    return NULL;
}

/* "libsvm, csv, tsv": all of them, or those that can be written. */
static const char *list_names(int written, char *names, size_t size)
{
    size_t length = 0;
    names[0] = '\0';
    for (size_t i = 0; i < FORMATS; i++) {
        const char *parts[] = {length ? ", " : "", formats[i]->name};
        if (written && !formats[i]->write) continue;
        for (size_t k = 0; k < 2; k++) {
            size_t more = strlen(parts[k]);
            if (length + more + 1 > size) return names;
            memcpy(names + length, parts[k], more + 1);
            length += more;
        }
    }
    return names;
}

static dcpn_status name_format(dcpn_context *context, const char *name, const struct format **format)
{
    char names[256];
    *format = find_format(name);
    if (*format) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "format: found '%s', expected one of %s", name,
                     list_names(0, names, sizeof names));
}

static const struct format *most_certain(const struct content *content, int *certainty_of_it)
{
    enum { LOOKED_AT = 1 << 26 }; /* rows longer than that are not worth the wait */
    const struct format *best = NULL;
    size_t size = content->size < LOOKED_AT ? content->size : LOOKED_AT;
    int most = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        int certainty = formats[i]->sniff(content->bytes, size);
        if (certainty <= most) continue;
        most = certainty;
        best = formats[i];
    }
    *certainty_of_it = most;
    return best;
}

/* Is `extension`, dot and all, one of the words of `extensions`? */
static int is_among(const char *extensions, const char *extension, size_t length)
{
    for (const char *word = extensions; *word; word += strcspn(word, " "), word += strspn(word, " "))
        if (strcspn(word, " ") == length && strncmp(word, extension, length) == 0) return 1;
    return 0;
}

/* The format whose extension the name has, that of a compression left out; NULL: none has it. */
static const struct format *named_format(const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash : path;
    const char *end = path + dcpn_uncompressed_length(path);
    const char *dot = end > start ? memrchr(start, '.', (size_t)(end - start)) : NULL;
    for (size_t i = 0; dot && i < FORMATS; i++)
        if (is_among(formats[i]->extensions, dot, (size_t)(end - dot))) return formats[i];
    return NULL;
}

/* Tells for a refusal what else the content could be. */
static const char *foreign_format(const struct content *content)
{
    static const struct {
        size_t at;
        const char *magic;
        size_t length;
        const char *sentence;
    } foreign[] = {
        {0, "\xff\xfe\0\0", 4, "UTF-32 text; convert it with iconv -f UTF-32 -t UTF-8"},
        {0, "\xff\xfe", 2, "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
        {0, "\xfe\xff", 2, "UTF-16 text; convert it with iconv -f UTF-16 -t UTF-8"},
        {0, "BZh", 3, "bzip2; expand it with bunzip2, or compress it with gzip, zstd or xz"},
        {0, "\x1f\x8b", 2, "a file that was compressed twice; expand it once"},
        {0, "\x28\xb5\x2f\xfd", 4, "a file that was compressed twice; expand it once"},
        {0, "\xfd\x37zXZ", 5, "a file that was compressed twice; expand it once"},
        {257, "ustar", 5, "a tar archive; take the file out of it"},
        {0, "PK\x03\x04", 4, "a zip archive; take the file out of it"},
        {0, "%PDF", 4, "a PDF document"},
        {0,
         "\x7f"
         "ELF",
         4, "a program"},
        {0, "\xd0\xcf\x11\xe0", 4, "an Excel workbook; save the sheet as CSV"},
        {0, "@relation", 9, "ARFF; convert it to CSV"},
        {0, "@RELATION", 9, "ARFF; convert it to CSV"},
        {0, "<!DOCTYPE", 9, "a web page; fetch the file itself"},
        {0, "<html", 5, "a web page; fetch the file itself"},
        {0, "<?xml", 5, "XML; convert it to CSV"},
        {0, "PAR1", 4, "Parquet; convert it to CSV or to .npz"},
        {0, "SQLite format 3", 15, "an SQLite database; export a table of it as CSV"},
    };
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (content->size >= foreign[i].at + foreign[i].length &&
            memcmp(content->bytes + foreign[i].at, foreign[i].magic, foreign[i].length) == 0)
            return foreign[i].sentence;
    return NULL;
}

/* No format of data starts with a brace; a model does. */
static int is_json(const struct content *content)
{
    size_t at = dcpn_byte_order_mark(content->bytes, content->size);
    while (at < content->size && strchr(" \t\r\n", content->bytes[at]) && content->bytes[at]) at++;
    return at < content->size && content->bytes[at] == '{';
}

/* Are more than a few of the first characters control characters? A stray one in a text is left to the reader of the
 * format, which refuses it with its place. */
static int is_binary(const struct content *content)
{
    enum { LOOKED_AT = 4096, ONE_IN = 20 };
    size_t size = content->size < LOOKED_AT ? content->size : LOOKED_AT, controls = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)content->bytes[i];
        controls += c == 127 || (c < ' ' && !(c >= '\t' && c <= '\r'));
    }
    return controls > 1 && controls > size / ONE_IN;
}

/* Finds the format of a content. The name of the file decides if no format knows the content; text without a name that
 * tells is taken for LIBSVM, whose reader says what is wrong with it and where. */
static dcpn_status recognise(const struct content *content, const struct format **format)
{
    enum { POSSIBLE = 30, LIKELY = 50, CERTAIN = 100 };
    char names[256];
    int certainty;
    const struct format *named = named_format(content->name);
    const char *foreign = foreign_format(content);
    if (is_json(content))
        return dcpn_fail(
            content->context, DCPN_DATA,
            "%s: this looks like JSON, a model perhaps, expected data; 'dcpn info' reads a model from a file",
            content->name);
    *format = most_certain(content, &certainty);
    if (foreign && certainty < LIKELY)
        return dcpn_fail(content->context, DCPN_DATA, "%s: this looks like %s", content->name, foreign);
    if (certainty < POSSIBLE && named && is_binary(content) == !named->check) {
        *format = named;
        return DCPN_OK;
    }
    if (certainty < CERTAIN && is_binary(content))
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found bytes that are no text and of no known format, expected one of %s; --format says "
                         "which it is",
                         content->name, list_names(0, names, sizeof names));
    if (!*format) *format = &dcpn_format_libsvm;
    return DCPN_OK;
}

static dcpn_status choose_format(const struct content *content, const dcpn_read_options *options,
                                 const struct format **format)
{
    return options->format ? name_format(content->context, options->format, format) : recognise(content, format);
}

/* ---- Reading ------------------------------------------------------------------------------------------------------*/

static dcpn_status check_options(dcpn_context *context, const dcpn_read_options *options)
{
    const struct format *format;
    if (options->format) DCPN_TRY(name_format(context, options->format, &format)); /* before the file is opened */
    if ((unsigned)options->indexing > DCPN_INDEX_FROM_1)
        return dcpn_fail(context, DCPN_USAGE,
                         "indexing: found %d, expected DCPN_INDEX_DETECT, DCPN_INDEX_FROM_0 or DCPN_INDEX_FROM_1",
                         (int)options->indexing);
    DCPN_TRY(dcpn_check_value_type(context, options->value_type));
    if ((unsigned)options->storage > DCPN_STORAGE_DENSE)
        return dcpn_fail(context, DCPN_USAGE,
                         "storage: found %d, expected DCPN_STORAGE_AUTO, DCPN_STORAGE_SPARSE or DCPN_STORAGE_DENSE",
                         (int)options->storage);
    DCPN_TRY(dcpn_need_texts(context, "wanted features", (const char *const *)options->table.wanted,
                             options->table.wanted_count));
    DCPN_TRY(dcpn_need_size(context, "categories", options->table.category_count));
    DCPN_TRY(dcpn_need_size(context, "the least number of features", options->at_least));
    if (options->features < 0 || options->features > INT32_MAX)
        return dcpn_fail(context, DCPN_USAGE, "number of features: found %lld, expected 0 (detect) to %d",
                         (long long)options->features, INT32_MAX);
    return DCPN_OK;
}

static dcpn_status store(dcpn_dataset *dataset, const dcpn_read_options *options)
{
    dcpn_matrix *stored;
    DCPN_TRY(dcpn_store_otherwise(dataset->matrix, options->value_type, options->storage, &stored));
    if (!stored) return DCPN_OK;
    dcpn_matrix_free(dataset->matrix);
    dataset->matrix = stored;
    return DCPN_OK;
}

static dcpn_status read_content(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    const struct format *format;
    DCPN_TRY(choose_format(content, options, &format));
    if (options->table.label_column && !format->names_labels)
        dcpn_log(content->context, DCPN_LOG_WARNING,
                 "%s: the labels of %s are where they always are: --label-column %s changes nothing", content->name,
                 format->name, options->table.label_column);
    if (options->table.ignore && !format->has_columns)
        dcpn_log(content->context, DCPN_LOG_WARNING, "%s: %s is no table with columns: --ignore %s changes nothing",
                 content->name, format->name, options->table.ignore);
    DCPN_TRY(format->read(content, options, dataset));
    (*dataset)->format = format->name;
    return store(*dataset, options);
}

static dcpn_status give_names(dcpn_dataset *dataset, const char *path, char **names, int64_t count)
{
    if (dataset->features != count)
        return dcpn_fail(dataset->context, DCPN_DATA,
                         "%s: found %lld names, expected %lld: one for each feature of the data", path,
                         (long long)count, (long long)dataset->features);
    dcpn_free(dataset->context, dataset->feature_names);
    dataset->feature_names = names;
    return DCPN_OK;
}

/* The file of names is read first: it tells how many features there are. */
static dcpn_status read_named(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    dcpn_read_options how = *options;
    char **names;
    int64_t count;
    DCPN_TRY(dcpn_feature_names_read(content->context, options->names_path, &names, &count));
    if (how.at_least < count) how.at_least = count;
    dcpn_status status = read_content(content, &how, dataset);
    if (status == DCPN_OK) status = give_names(*dataset, options->names_path, names, count);
    if (status != DCPN_OK) dcpn_free(content->context, names);
    return status;
}

/* Reads a data set and checks its names. The data set is the caller's, even if it is refused in the end. */
static dcpn_status read_whole(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    DCPN_TRY((options->names_path ? read_named : read_content)(content, options, dataset));
    return dcpn_check_names(options->names_path ? options->names_path : content->name, *dataset);
}

/* Reads a data set from an open content, which is closed in any case. */
static dcpn_status read_opened(struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    dcpn_status status = read_whole(content, options, dataset);
    dcpn_content_close(content);
    return status;
}

static dcpn_status read_path(dcpn_context *context, const char *path, const dcpn_read_options *options,
                             dcpn_dataset **dataset)
{
    struct content content;
    DCPN_TRY(dcpn_content_open(context, path, &content));
    return read_opened(&content, options, dataset);
}

static dcpn_status read_bytes(dcpn_context *context, const char *name, const void *bytes, size_t size,
                              const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct content content;
    DCPN_TRY(dcpn_content_borrow(context, name, bytes, size, &content));
    return read_opened(&content, options, dataset);
}

static void describe(const char *path, const dcpn_dataset *dataset)
{
    const dcpn_matrix *A = dataset->matrix;
    dcpn_log(dataset->context, DCPN_LOG_DETAIL, "%s: %s, %lld rows, %lld features, %lld entries, stored %s", path,
             dataset->format, (long long)dataset->rows, (long long)dataset->features, (long long)dcpn_matrix_entries(A),
             dcpn_matrix_is_dense(A) ? "dense" : "sparse");
}

/* Describes the data set that was read, or frees what there is of one that was refused. */
static dcpn_status settle(dcpn_context *context, dcpn_status status, const char *name, dcpn_dataset **dataset)
{
    if (status == DCPN_OK) {
        describe(name, *dataset);
        return DCPN_OK;
    }
    dcpn_dataset_free(*dataset);
    *dataset = NULL;
    return dcpn_memory_for(context, status, name);
}

dcpn_status dcpn_read(dcpn_context *context, const char *path, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    const dcpn_read_options usual = {0};
    DCPN_NEED(context, context, dataset);
    *dataset = NULL;
    if (!options) options = &usual;
    DCPN_TRY(check_options(context, options));
    return settle(context, read_path(context, path, options, dataset), path, dataset);
}

dcpn_status dcpn_read_memory(dcpn_context *context, const char *name, const void *bytes, size_t size,
                             const dcpn_read_options *options, dcpn_dataset **dataset)
{
    const dcpn_read_options usual = {0};
    DCPN_NEED(context, context, dataset);
    *dataset = NULL;
    DCPN_NEED(context, name, bytes);
    if (!options) options = &usual;
    DCPN_TRY(check_options(context, options));
    return settle(context, read_bytes(context, name, bytes, size, options, dataset), name, dataset);
}

dcpn_status dcpn_read_libsvm(dcpn_context *context, const char *path, const dcpn_read_options *options,
                             dcpn_dataset **dataset)
{
    dcpn_read_options chosen = options ? *options : (dcpn_read_options){0};
    chosen.format = dcpn_format_libsvm.name;
    return dcpn_read(context, path, &chosen, dataset);
}

/* ---- Checking -----------------------------------------------------------------------------------------------------*/

/* Reads the content and counts a refusal as one finding. This finds what is wrong with formats that have no check of
 * their own, and what only reading to the end of the file shows. */
static dcpn_status check_by_reading(const struct content *content, const dcpn_read_options *options,
                                    struct findings *findings)
{
    dcpn_dataset *dataset = NULL;
    dcpn_status status = read_whole(content, options, &dataset);
    dcpn_dataset_free(dataset);
    if (status != DCPN_DATA) return status;
    dcpn_findings_add(findings, dcpn_last_error(content->context));
    return DCPN_OK;
}

static dcpn_status check_content(const struct content *content, const dcpn_read_options *options,
                                 struct findings *findings)
{
    const struct format *format;
    dcpn_status status = choose_format(content, options, &format);
    if (status == DCPN_DATA) {
        dcpn_findings_add(findings, dcpn_last_error(content->context));
        return DCPN_OK;
    }
    if (status == DCPN_OK && format->check) status = format->check(content, options, findings);
    if (status == DCPN_OK && findings->count == 0) status = check_by_reading(content, options, findings);
    return status;
}

dcpn_status dcpn_check(dcpn_context *context, const char *path, const dcpn_read_options *options, int64_t limit,
                       dcpn_finding_function *report, void *user, int64_t *count)
{
    const dcpn_read_options usual = {0};
    struct findings findings = {.limit = limit, .report = report, .user = user};
    struct content content;
    DCPN_NEED(context, context, count);
    *count = 0;
    if (!options) options = &usual;
    DCPN_TRY(check_options(context, options));
    dcpn_status status = dcpn_content_open(context, path, &content);
    if (status == DCPN_DATA) { /* a compressed stream that is damaged */
        dcpn_findings_add(&findings, dcpn_last_error(context));
        *count = findings.count;
        return DCPN_OK;
    }
    if (status != DCPN_OK) return dcpn_memory_for(context, status, path);
    status = check_content(&content, options, &findings);
    dcpn_content_close(&content);
    *count = findings.count;
    return dcpn_memory_for(context, status, path);
}

/* ---- Writing ------------------------------------------------------------------------------------------------------*/

static dcpn_status format_of_path(dcpn_context *context, const char *path, const struct format **format)
{
    char names[256];
    *format = named_format(path);
    if (*format) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE,
                     "%s: its name does not tell the format in which it is to be written; --to names it, one of %s",
                     path, list_names(1, names, sizeof names));
}

static dcpn_status writable_format(dcpn_context *context, const char *path, const char *name,
                                   const struct format **format)
{
    if (!path || !path[0]) return dcpn_output_try(context, path); /* which says so */
    DCPN_TRY(name ? name_format(context, name, format) : format_of_path(context, path, format));
    if ((*format)->write) return DCPN_OK;
    char names[256];
    return dcpn_fail(context, DCPN_USAGE, "%s: %s can be read but not written; choose one of %s", path, (*format)->name,
                     list_names(1, names, sizeof names));
}

dcpn_status dcpn_write_check(dcpn_context *context, const char *path, const char *name)
{
    const struct format *format;
    DCPN_NEED(context, context);
    return writable_format(context, path, name, &format);
}

dcpn_status dcpn_write(const dcpn_dataset *dataset, const char *path, const char *name)
{
    const struct format *format;
    DCPN_NEED(NULL, dataset);
    DCPN_TRY(dcpn_dataset_check(dataset));
    DCPN_TRY(writable_format(dataset->context, path, name, &format));
    return format->write(dataset, path);
}
