/* SPDX-License-Identifier: BSD-3-Clause */
/* NumPy archives (.npz): a sparse matrix as scipy.sparse.save_npz writes it, by rows, by columns or as coordinates, or
 * a dense array X; with labels as an array y, and names as an array feature_names, if they are there. */
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"
#include "data/format.h"
#include "data/labels.h"
#include "data/npy_array.h"
#include "data/place.h"
#include "data/triplets.h"
#include "data/writers.h"
#include "data/word_set.h"
#include "data/zip.h"

enum { NAME_LENGTH = 512, LIST_LENGTH = 256 };

/* An array of the archive; its content's name, for messages, is "data.npz: X". */
struct member {
    struct content content;
    char name[NAME_LENGTH];
    char *owned;
    struct npy_array array;
};

struct reader {
    const struct content *content;
    const dcpn_read_options *options;
    struct zip_archive archive;
};

/* ---- Members ------------------------------------------------------------------------------------------------------*/

/* The name of an entry without .npy; empty if it ends otherwise. */
static struct word array_name(const struct zip_entry *entry)
{
    struct word name = entry->name;
    name.length -= 4;
    return name.length > 0 && memcmp(name.start + name.length, ".npy", 4) == 0 ? name : (struct word){name.start, 0};
}

static const struct zip_entry *find(const struct reader *reader, const char *name)
{
    for (int64_t k = 0; k < reader->archive.count; k++)
        if (dcpn_word_equals(array_name(&reader->archive.entries[k]), name)) return &reader->archive.entries[k];
    return NULL;
}

static void close_member(struct member *member)
{
    dcpn_free(member->content.context, member->owned);
    member->owned = NULL;
}

static dcpn_status open_entry(const struct reader *reader, const struct zip_entry *entry, struct member *member)
{
    struct word name = array_name(entry);
    *member = (struct member){.content = {.context = reader->content->context}};
    int length = snprintf(member->name, sizeof member->name, "%.400s: ", reader->content->name);
    for (int64_t k = 0; k < name.length && length < NAME_LENGTH - 1; k++)
        member->name[length++] = name.start[k] >= ' ' && name.start[k] <= '~' ? name.start[k] : '?';
    member->content.name = member->name;
    DCPN_TRY(dcpn_zip_load(&reader->archive, entry, &member->content.bytes, &member->owned));
    member->content.size = (size_t)entry->size;
    dcpn_status status = dcpn_npy_open(&member->content, &member->array);
    if (status != DCPN_OK) close_member(member);
    return status;
}

static dcpn_status open_member(const struct reader *reader, const char *name, struct member *member)
{
    const struct zip_entry *entry = find(reader, name);
    if (entry) return open_entry(reader, entry, member);
    *member = (struct member){0};
    return dcpn_fail(reader->content->context, DCPN_DATA, "%s: found no array %s, expected one of a sparse matrix",
                     reader->content->name, name);
}

/* Refuses an array unless it has one dimension and holds integers or, if `integers` is 0, any numbers. */
static dcpn_status check_vector(const struct member *member, int integers)
{
    const struct npy_array *array = &member->array;
    int is_right = integers ? dcpn_npy_is_integer(array) : dcpn_npy_is_numeric(array);
    if (array->dimensions == 1 && is_right) return DCPN_OK;
    return dcpn_fail(member->content.context, DCPN_DATA, "%s: found %d dimensions of %s, expected 1 of %s",
                     member->name, array->dimensions, dcpn_npy_is_numeric(array) ? "numbers" : "texts",
                     integers ? "integers" : "numbers");
}

static dcpn_status open_vector(const struct reader *reader, const char *name, int integers, struct member *member)
{
    DCPN_TRY(open_member(reader, name, member));
    dcpn_status status = check_vector(member, integers);
    if (status != DCPN_OK) close_member(member);
    return status;
}

/* ---- Sparse matrices ----------------------------------------------------------------------------------------------*/

enum form { CSR, CSC, COO };

struct sparse {
    enum form form;
    int64_t shape[2];
    int64_t features;                  /* columns, with those that are only expected */
    struct member data, first, second; /* values; indices and pointers, or rows and columns */
};

static dcpn_status read_form(const struct reader *reader, enum form *form)
{
    static const char *const forms[] = {[CSR] = "csr", [CSC] = "csc", [COO] = "coo"};
    struct member member;
    char text[16] = "";
    DCPN_TRY(open_member(reader, "format", &member));
    const struct npy_array *array = &member.array;
    int is_text = array->count == 1 && !dcpn_npy_is_numeric(array);
    int64_t step = array->kind == 'U' ? 4 : 1, shift = array->kind == 'U' && array->is_reversed ? 3 : 0;
    for (int64_t k = 0; is_text && k < array->size / step && k < 15; k++) text[k] = array->data[k * step + shift];
    close_member(&member);
    for (int k = 0; k < 3; k++)
        if (strcmp(text, forms[k]) == 0) {
            *form = (enum form)k;
            return DCPN_OK;
        }
    char quote[DCPN_QUOTE_LENGTH];
    return dcpn_fail(reader->content->context, DCPN_DATA,
                     "%s: found a sparse matrix of the form %s, expected csr, csc or coo; convert it with .tocsr()",
                     reader->content->name, dcpn_quote(text, text + strlen(text), quote));
}

static dcpn_status read_shape(const struct reader *reader, int64_t shape[2])
{
    struct member member;
    DCPN_TRY(open_vector(reader, "shape", 1, &member));
    int64_t count = member.array.count;
    for (int k = 0; k < 2 && count == 2; k++) shape[k] = dcpn_npy_integer(&member.array, k);
    close_member(&member);
    if (count == 2 && shape[0] >= 1 && shape[1] >= 1 && shape[0] <= INT32_MAX && shape[1] <= INT32_MAX) return DCPN_OK;
    if (count != 2)
        return dcpn_fail(reader->content->context, DCPN_DATA,
                         "%s: shape: found %lld numbers, expected 2: rows, columns", reader->content->name,
                         (long long)count);
    return dcpn_fail(reader->content->context, DCPN_DATA,
                     "%s: shape: found %lld rows and %lld columns, expected from 1 to %d of each",
                     reader->content->name, (long long)shape[0], (long long)shape[1], INT32_MAX);
}

static dcpn_status refuse_element(const struct member *member, int64_t k, int64_t found, int64_t lowest,
                                  int64_t highest)
{
    return dcpn_fail(member->content.context, DCPN_DATA,
                     "%s: element %lld: found %lld, expected a number from %lld to %lld; the file is damaged",
                     member->name, (long long)k, (long long)found, (long long)lowest, (long long)highest);
}

static dcpn_status refuse_length(const struct member *member, int64_t expected)
{
    return dcpn_fail(member->content.context, DCPN_DATA, "%s: found %lld elements, expected %lld; the file is damaged",
                     member->name, (long long)member->array.count, (long long)expected);
}

static dcpn_status add_triplet(const struct sparse *sparse, struct triplets *triplets, int64_t k, int64_t row,
                               int64_t column)
{
    double value = dcpn_npy_number(&sparse->data.array, k);
    triplets->rows[k] = (int32_t)row;
    triplets->columns[k] = (int32_t)column;
    if (dcpn_store_value(triplets->values, triplets->value_type, k, value)) return DCPN_OK;
    return dcpn_refuse_value(&sparse->data.content, row, column, value);
}

/* indices and indptr, of rows or of columns. */
static dcpn_status fill_compressed(const struct sparse *sparse, struct triplets *triplets)
{
    const struct member *indices = &sparse->first, *pointers = &sparse->second;
    int64_t major = sparse->shape[sparse->form == CSC], minor = sparse->shape[sparse->form == CSR], start = 0;
    if (pointers->array.count != major + 1) return refuse_length(pointers, major + 1);
    if (dcpn_npy_integer(&pointers->array, 0) != 0)
        return refuse_element(pointers, 0, dcpn_npy_integer(&pointers->array, 0), 0, 0);
    for (int64_t i = 0; i < major; i++) {
        int64_t end = dcpn_npy_integer(&pointers->array, i + 1);
        if (end < start || end > indices->array.count)
            return refuse_element(pointers, i + 1, end, start, indices->array.count);
        for (int64_t k = start; k < end; k++) {
            int64_t j = dcpn_npy_integer(&indices->array, k);
            if (j < 0 || j >= minor) return refuse_element(indices, k, j, 0, minor - 1);
            DCPN_TRY(add_triplet(sparse, triplets, k, sparse->form == CSR ? i : j, sparse->form == CSR ? j : i));
        }
        start = end;
    }
    triplets->count = start; /* what lies behind is not part of the matrix: so SciPy has it */
    return DCPN_OK;
}

static dcpn_status fill_coordinates(const struct sparse *sparse, struct triplets *triplets)
{
    const struct member *rows = &sparse->first, *columns = &sparse->second;
    if (columns->array.count != rows->array.count) return refuse_length(columns, rows->array.count);
    for (int64_t k = 0; k < rows->array.count; k++) {
        int64_t i = dcpn_npy_integer(&rows->array, k), j = dcpn_npy_integer(&columns->array, k);
        if (i < 0 || i >= sparse->shape[0]) return refuse_element(rows, k, i, 0, sparse->shape[0] - 1);
        if (j < 0 || j >= sparse->shape[1]) return refuse_element(columns, k, j, 0, sparse->shape[1] - 1);
        DCPN_TRY(add_triplet(sparse, triplets, k, i, j));
    }
    triplets->count = rows->array.count;
    return DCPN_OK;
}

static dcpn_status make_sparse(const struct reader *reader, const struct sparse *sparse, struct triplets *triplets,
                               dcpn_matrix **matrix)
{
    int64_t added;
    dcpn_context *context = reader->content->context;
    DCPN_TRY(sparse->form == COO ? fill_coordinates(sparse, triplets) : fill_compressed(sparse, triplets));
    DCPN_TRY(dcpn_triplets_matrix(context, triplets, sparse->shape[0], sparse->features, reader->options->storage,
                                  &added, NULL, matrix));
    if (added)
        dcpn_log(context, DCPN_LOG_WARNING, "%s: %lld entries share their place with another one and are added to it",
                 reader->content->name, (long long)added);
    return DCPN_OK;
}

static dcpn_status read_triplets(const struct reader *reader, const struct sparse *sparse, dcpn_matrix **matrix)
{
    struct triplets triplets;
    dcpn_context *context = reader->content->context;
    int64_t count = sparse->data.array.count;
    if (sparse->first.array.count != count) return refuse_length(&sparse->first, count);
    DCPN_TRY(dcpn_triplets_allocate(context, count, reader->options->value_type, &triplets));
    dcpn_status status = make_sparse(reader, sparse, &triplets, matrix);
    dcpn_triplets_free(context, &triplets);
    return status;
}

static dcpn_status open_arrays(const struct reader *reader, struct sparse *sparse)
{
    DCPN_TRY(open_vector(reader, "data", 0, &sparse->data));
    DCPN_TRY(open_vector(reader, sparse->form == COO ? "row" : "indices", 1, &sparse->first));
    return open_vector(reader, sparse->form == COO ? "col" : "indptr", 1, &sparse->second);
}

static dcpn_status read_sparse(const struct reader *reader, struct sparse *sparse, dcpn_matrix **matrix)
{
    dcpn_status status = open_arrays(reader, sparse);
    if (status == DCPN_OK) status = read_triplets(reader, sparse, matrix);
    if (sparse->data.content.context) close_member(&sparse->data);
    if (sparse->first.content.context) close_member(&sparse->first);
    if (sparse->second.content.context) close_member(&sparse->second);
    return status;
}

/* ---- Labels and names ---------------------------------------------------------------------------------------------*/

static dcpn_status find_labels(const struct reader *reader, const struct zip_entry **labels)
{
    const char *wanted = reader->options->table.label_column;
    *labels = wanted ? find(reader, wanted) : NULL;
    if (wanted && !*labels)
        return dcpn_fail(reader->content->context, DCPN_DATA, "%s: found no array '%.100s' for the labels",
                         reader->content->name, wanted);
    for (int64_t k = 0; !wanted && k < reader->archive.count; k++) {
        if (!dcpn_word_is_label(array_name(&reader->archive.entries[k]))) continue;
        if (*labels)
            return dcpn_fail(reader->content->context, DCPN_DATA,
                             "%s: found several arrays named label, class, target or y, expected one; --label-column "
                             "NAME says which",
                             reader->content->name);
        *labels = &reader->archive.entries[k];
    }
    return DCPN_OK;
}

static dcpn_status read_labels(const struct reader *reader, const char *fallback, dcpn_dataset *dataset)
{
    const struct zip_entry *entry = NULL;
    struct member member;
    if (!reader->options->labels_path) DCPN_TRY(find_labels(reader, &entry));
    if (!entry && !reader->options->labels_path && fallback) entry = find(reader, fallback);
    if (!entry) return dcpn_labels_elsewhere(reader->content, reader->options, "an array y", dataset);
    DCPN_TRY(open_entry(reader, entry, &member));
    dcpn_status status = dcpn_npy_labels(&member.content, &member.array, reader->options, dataset);
    close_member(&member);
    return status;
}

static dcpn_status copy_names(const struct member *member, dcpn_dataset *dataset)
{
    struct word_list list;
    char *bytes;
    if (member->array.dimensions != 1 || member->array.count > dataset->features || dcpn_npy_is_numeric(&member->array))
        return dcpn_fail(member->content.context, DCPN_DATA,
                         "%s: found something else, expected a text for each of %lld features", member->name,
                         (long long)dataset->features);
    if (member->array.count < dataset->features) return DCPN_OK; /* more features than the file has are expected */
    dcpn_status status = dcpn_npy_texts(&member->content, &member->array, &list, &bytes);
    if (status == DCPN_OK) {
        dataset->feature_names = dcpn_names_copy(dataset->context, list.words, list.count, 0);
        status = dataset->feature_names ? DCPN_OK : DCPN_MEMORY;
    }
    dcpn_free(dataset->context, list.words);
    dcpn_free(dataset->context, bytes);
    return status;
}

static dcpn_status read_names(const struct reader *reader, dcpn_dataset *dataset)
{
    struct member member;
    const struct zip_entry *entry = find(reader, "feature_names");
    if (!entry) return DCPN_OK;
    DCPN_TRY(open_entry(reader, entry, &member));
    dcpn_status status = copy_names(&member, dataset);
    close_member(&member);
    return status;
}

/* ---- The archive --------------------------------------------------------------------------------------------------*/

/* An empty row or column need not have a byte in the file. */
static dcpn_status believe_shape(const struct reader *reader, const struct sparse *sparse)
{
    DCPN_TRY(dcpn_believe_size(reader->content, sparse->shape[0], "rows", "leave the empty rows out"));
    if (reader->options->features == sparse->shape[1]) return DCPN_OK;
    return dcpn_believe_size(reader->content, sparse->shape[1], "columns", "--features with that number accepts it");
}

static dcpn_status read_sparse_set(const struct reader *reader, dcpn_dataset **dataset)
{
    struct sparse sparse = {0};
    DCPN_TRY(read_form(reader, &sparse.form));
    DCPN_TRY(read_shape(reader, sparse.shape));
    DCPN_TRY(believe_shape(reader, &sparse));
    DCPN_TRY(dcpn_settle_features(reader->content, reader->options, sparse.shape[1], 0, &sparse.features));
    DCPN_TRY(dcpn_dataset_new(reader->content->context, sparse.shape[0], sparse.shape[1], sparse.features,
                              reader->options, dataset));
    dcpn_status status = read_labels(reader, NULL, *dataset);
    if (status == DCPN_OK) status = read_sparse(reader, &sparse, &(*dataset)->matrix);
    if (status == DCPN_OK) status = read_names(reader, *dataset);
    return dcpn_dataset_finish(status, dataset);
}

static dcpn_status read_dense(const struct reader *reader, const struct member *member, dcpn_dataset **dataset)
{
    int64_t features;
    DCPN_TRY(dcpn_npy_check_matrix(&member->content, &member->array));
    DCPN_TRY(dcpn_settle_features(reader->content, reader->options, member->array.shape[1], 1, &features));
    DCPN_TRY(dcpn_dataset_new(reader->content->context, member->array.shape[0], features, features, reader->options,
                              dataset));
    dcpn_status status = read_labels(reader, "arr_1", *dataset);
    if (status == DCPN_OK)
        status = dcpn_npy_matrix(&member->content, &member->array, reader->options, &(*dataset)->matrix);
    if (status == DCPN_OK) status = read_names(reader, *dataset);
    return dcpn_dataset_finish(status, dataset);
}

static int is_array(const struct zip_entry *entry)
{
    return array_name(entry).length > 0;
}

/* An archive of something else: a spreadsheet, or a file that was zipped. */
static dcpn_status refuse_other(const struct reader *reader)
{
    char quote[DCPN_QUOTE_LENGTH];
    const struct word *name = &reader->archive.entries[0].name;
    return dcpn_fail(reader->content->context, DCPN_DATA,
                     "%s: found a zip archive with %s, expected NumPy arrays; take the file out of it, or save a "
                     "spreadsheet as CSV",
                     reader->content->name, dcpn_quote(name->start, name->start + name->length, quote));
}

/* The names of the arrays, separated by commas, as far as there is room. */
static const char *list_arrays(const struct reader *reader, char list[LIST_LENGTH])
{
    size_t length = 0;
    list[0] = '\0';
    for (int64_t k = 0; k < reader->archive.count; k++) {
        char quote[DCPN_QUOTE_LENGTH];
        struct word name = array_name(&reader->archive.entries[k]);
        const char *shown = dcpn_quote(name.start, name.start + name.length, quote);
        if (length + strlen(shown) + 6 > LIST_LENGTH) {
            strcpy(list + length, " ...");
            break;
        }
        length += (size_t)sprintf(list + length, "%s%s", k ? ", " : "", shown);
    }
    return list[0] ? list : "no array";
}

static dcpn_status read_dense_set(const struct reader *reader, dcpn_dataset **dataset)
{
    static const char *const usual[] = {"X", "x", "data", "A", "features", "arr_0"};
    const struct zip_entry *entry = NULL;
    struct member member;
    char list[LIST_LENGTH];
    for (size_t k = 0; !entry && k < sizeof usual / sizeof *usual; k++) entry = find(reader, usual[k]);
    if (!entry && reader->archive.count && !is_array(&reader->archive.entries[0])) return refuse_other(reader);
    if (!entry)
        return dcpn_fail(reader->content->context, DCPN_DATA,
                         "%s: found %s, expected a matrix X and labels y, or what scipy.sparse.save_npz writes",
                         reader->content->name, list_arrays(reader, list));
    DCPN_TRY(open_entry(reader, entry, &member));
    dcpn_status status = read_dense(reader, &member, dataset);
    close_member(&member);
    return status;
}

/* Refuses names that occur twice, of which other software would take the last. */
static dcpn_status refuse_twice(const struct reader *reader)
{
    struct word_set names = {.context = reader->content->context};
    char quote[DCPN_QUOTE_LENGTH];
    dcpn_status status = DCPN_OK;
    for (int64_t k = 0; k < reader->archive.count && status == DCPN_OK; k++) {
        struct word name = reader->archive.entries[k].name;
        int64_t number;
        status = dcpn_word_set_add(&names, name, &number);
        if (status == DCPN_OK && number < k)
            status = dcpn_fail(reader->content->context, DCPN_DATA, "%s: found %s twice, expected each array once",
                               reader->content->name, dcpn_quote(name.start, name.start + name.length, quote));
    }
    dcpn_word_set_free(&names);
    return status;
}

static dcpn_status read_set(const struct reader *reader, dcpn_dataset **dataset)
{
    DCPN_TRY(refuse_twice(reader));
    int is_sparse = find(reader, "format") && find(reader, "shape");
    return is_sparse ? read_sparse_set(reader, dataset) : read_dense_set(reader, dataset);
}

static dcpn_status read_npz(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct reader reader = {.content = content, .options = options};
    *dataset = NULL;
    DCPN_TRY(dcpn_zip_open(content, &reader.archive));
    dcpn_status status = read_set(&reader, dataset);
    dcpn_zip_close(&reader.archive);
    return status;
}

static int sniff(const char *bytes, size_t size)
{
    int is_zip = size >= 4 && (memcmp(bytes, "PK\3\4", 4) == 0 || memcmp(bytes, "PK\5\6", 4) == 0);
    return is_zip ? 100 : 0;
}

const struct format dcpn_format_npz = {
    .name = "npz",
    .extensions = ".npz",
    .summary = "NumPy archive: SciPy's sparse matrices, or X and y",
    .sniff = sniff,
    .read = read_npz,
    .names_labels = 1,
    .write = dcpn_write_npz,
};
