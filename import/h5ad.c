/* SPDX-License-Identifier: BSD-3-Clause */
/* AnnData files: X, dense or sparse, with the names of var as those of the features, and a column of obs as labels. */
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"
#include "data/labels.h"
#include "hdf5_matrix.h"
#include "import.h"
#include "mat73.h"
#include "refusal.h"

enum { PATH_LENGTH = 512, NAME_LENGTH = 256 };

struct reader {
    struct hdf5_file file;
    const struct content *content;
    const dcpn_read_options *options;
};

/* The paths of a column of labels that is stored as categories. */
struct categorical {
    const char *codes, *categories;
};

/* ---- Labels -------------------------------------------------------------------------------------------------------*/

static dcpn_status labels_of_words(const struct reader *reader, const struct word *words, dcpn_dataset *dataset)
{
    const struct content by_row = {.context = reader->content->context, .name = reader->content->name};
    return dcpn_labels_from_words(&by_row, words, LABELS_PLAIN, reader->options, dataset);
}

static dcpn_status text_labels(const struct reader *reader, const char *path, dcpn_dataset *dataset)
{
    struct hdf5_texts texts;
    DCPN_TRY(hdf5_texts(&reader->file, path, &texts));
    dcpn_status status = import_check_labels(reader->content, path, texts.count, dataset);
    if (status == DCPN_OK) status = labels_of_words(reader, texts.words, dataset);
    hdf5_texts_free(&reader->file, &texts);
    return status;
}

static dcpn_status number_labels(const struct reader *reader, const char *path, dcpn_dataset *dataset)
{
    double *numbers;
    int64_t count;
    DCPN_TRY(hdf5_doubles(&reader->file, path, &numbers, &count));
    if (count == dataset->rows) return dcpn_labels_from_numbers(reader->content, numbers, reader->options, dataset);
    dcpn_free(reader->content->context, numbers);
    return import_check_labels(reader->content, path, count, dataset);
}

/* Codes are numbers of categories, -1 where there is none. */
static dcpn_status check_codes(const struct reader *reader, const char *path, const int64_t *codes, int64_t rows,
                               int64_t categories)
{
    for (int64_t i = 0; i < rows; i++)
        if (codes[i] < -1 || codes[i] >= categories)
            return import_refuse(
                reader->content, path,
                "found the code %lld for row %lld, expected -1 or one of %lld categories, from 0; " DAMAGED,
                (long long)codes[i], (long long)i + 1, (long long)categories);
    return DCPN_OK;
}

static dcpn_status decode_texts(const struct reader *reader, const struct categorical *column, const int64_t *codes,
                                dcpn_dataset *dataset)
{
    struct hdf5_texts texts;
    dcpn_context *context = reader->content->context;
    DCPN_TRY(hdf5_texts(&reader->file, column->categories, &texts));
    dcpn_status status = check_codes(reader, column->codes, codes, dataset->rows, texts.count);
    struct word *words = dcpn_allocate(context, (size_t)dataset->rows, sizeof *words);
    if (status == DCPN_OK && !words) status = DCPN_MEMORY;
    if (status == DCPN_OK) {
        for (int64_t i = 0; i < dataset->rows; i++)
            words[i] = codes[i] < 0 ? (struct word){"", 0} : texts.words[codes[i]];
        status = labels_of_words(reader, words, dataset);
    }
    dcpn_free(context, words);
    hdf5_texts_free(&reader->file, &texts);
    return status;
}

static dcpn_status decode_numbers(const struct reader *reader, const struct categorical *column, const int64_t *codes,
                                  dcpn_dataset *dataset)
{
    dcpn_context *context = reader->content->context;
    double *categories;
    int64_t count;
    DCPN_TRY(hdf5_doubles(&reader->file, column->categories, &categories, &count));
    dcpn_status status = check_codes(reader, column->codes, codes, dataset->rows, count);
    double *labels = dcpn_allocate(context, (size_t)dataset->rows, sizeof *labels);
    if (status == DCPN_OK && !labels) status = DCPN_MEMORY;
    for (int64_t i = 0; status == DCPN_OK && i < dataset->rows; i++)
        labels[i] = codes[i] < 0 ? (double)NAN : categories[codes[i]];
    dcpn_free(context, categories);
    if (status == DCPN_OK) return dcpn_labels_from_numbers(reader->content, labels, reader->options, dataset);
    dcpn_free(context, labels);
    return status;
}

static dcpn_status categorical_labels(const struct reader *reader, const struct categorical *column,
                                      dcpn_dataset *dataset)
{
    int64_t *codes, count;
    DCPN_TRY(hdf5_integers(&reader->file, column->codes, &codes, &count));
    dcpn_status status = import_check_labels(reader->content, column->codes, count, dataset);
    int has_texts = hdf5_is_text(&reader->file, column->categories);
    if (status == DCPN_OK) status = (has_texts ? decode_texts : decode_numbers)(reader, column, codes, dataset);
    dcpn_free(reader->content->context, codes);
    return status;
}

/* Labels are columns of obs in AnnData, and stand beside X in another HDF5 file. */
static const char *labels_folder(const struct reader *reader)
{
    return hdf5_is_group(&reader->file, "obs") ? "obs/" : "";
}

static dcpn_status read_column(const struct reader *reader, const char *name, dcpn_dataset *dataset)
{
    char path[PATH_LENGTH], codes[PATH_LENGTH], categories[PATH_LENGTH], before[PATH_LENGTH];
    const char *folder = labels_folder(reader);
    snprintf(path, sizeof path, "%s%.400s", folder, name);
    snprintf(codes, sizeof codes, "%s%.400s/codes", folder, name);
    snprintf(categories, sizeof categories, "%s%.400s/categories", folder, name);
    snprintf(before, sizeof before, "obs/__categories/%.400s", name); /* where AnnData before 0.8 has them */
    if (hdf5_is_group(&reader->file, path))
        return categorical_labels(reader, &(struct categorical){codes, categories}, dataset);
    if (hdf5_has(&reader->file, before))
        return categorical_labels(reader, &(struct categorical){path, before}, dataset);
    return (hdf5_is_text(&reader->file, path) ? text_labels : number_labels)(reader, path, dataset);
}

struct listing {
    struct import_list names;
    char label[NAME_LENGTH]; /* a usual name of labels */
    int label_count;
};

static herr_t list_member(hid_t group, const char *name, const H5L_info_t *about, void *user)
{
    struct listing *listing = user;
    (void)group;
    (void)about;
    import_list_add(&listing->names, name);
    if (dcpn_word_is_label(dcpn_word_of(name))) {
        strcpy(listing->label, name);
        listing->label_count++;
    }
    return 0;
}

static dcpn_status read_labels(const struct reader *reader, dcpn_dataset *dataset)
{
    const char *wanted = reader->options->table.label_column;
    char path[PATH_LENGTH];
    struct listing listing = {.label_count = 0};
    if (reader->options->labels_path) return import_leave_labels(reader->content, dataset);
    const char *folder = labels_folder(reader);
    H5Literate_by_name(reader->file.file, *folder ? "obs" : "/", H5_INDEX_NAME, H5_ITER_INC, NULL, list_member,
                       &listing, reader->file.access);
    snprintf(path, sizeof path, "%s%.400s", folder, wanted ? wanted : listing.label);
    if (wanted && !hdf5_has(&reader->file, path))
        return dcpn_fail(reader->content->context, DCPN_DATA, "%s: found no column '%.100s' in %s, expected one of: %s",
                         reader->content->name, wanted, *folder ? "obs" : "the file", listing.names.text);
    if (wanted || listing.label_count == 1) return read_column(reader, wanted ? wanted : listing.label, dataset);
    if (reader->options->unlabelled) return dcpn_labels_elsewhere(reader->content, reader->options, NULL, dataset);
    return dcpn_fail(
        reader->content->context, DCPN_DATA,
        "%s: found %s column of %s named label, class, target or y, expected one; --label-column says which "
        "it is: %s",
        reader->content->name, listing.label_count ? "more than one" : "no", *folder ? "obs" : "the file",
        listing.names.text);
}

/* ---- Names --------------------------------------------------------------------------------------------------------*/

static dcpn_status read_names(const struct reader *reader, dcpn_dataset *dataset)
{
    struct hdf5_texts texts;
    char index[NAME_LENGTH], path[PATH_LENGTH];
    if (!hdf5_text_attribute(&reader->file, "var", "_index", index, sizeof index)) strcpy(index, "_index");
    snprintf(path, sizeof path, "var/%s", index);
    if (!hdf5_is_text(&reader->file, path)) return DCPN_OK;
    DCPN_TRY(hdf5_texts(&reader->file, path, &texts));
    dcpn_status status = DCPN_OK;
    if (texts.count != dataset->features)
        status =
            import_refuse(reader->content, path, "found %lld names, expected %lld, one for each column of X; " DAMAGED,
                          (long long)texts.count, (long long)dataset->features);
    else if (!(dataset->feature_names = dcpn_names_copy(dataset->context, texts.words, texts.count, 0)))
        status = DCPN_MEMORY;
    hdf5_texts_free(&reader->file, &texts);
    return status;
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

/* "csr_matrix", or "csr" before AnnData 0.7. */
static int read_encoding(const struct reader *reader, char *encoding, size_t size)
{
    return hdf5_text_attribute(&reader->file, "X", "encoding-type", encoding, size) ||
           hdf5_text_attribute(&reader->file, "X", "h5sparse_format", encoding, size);
}

static dcpn_status find_shape(const struct reader *reader, int is_sparse, int *by_columns, int64_t shape[2])
{
    char encoding[64] = "";
    if (!is_sparse) DCPN_TRY(hdf5_shape(&reader->file, "X", shape));
    if (is_sparse && (!read_encoding(reader, encoding, sizeof encoding) ||
                      (strncmp(encoding, "csr", 3) != 0 && strncmp(encoding, "csc", 3) != 0)))
        return import_refuse(reader->content, "X",
                             "found a group %s%.40s, expected an array, or a csr_matrix or csc_matrix; convert it with "
                             "X.tocsr()",
                             *encoding ? "of the encoding " : "without an encoding", encoding);
    *by_columns = strncmp(encoding, "csc", 3) == 0;
    if (is_sparse && !hdf5_integer_attribute(&reader->file, "X", "shape", 2, shape) &&
        !hdf5_integer_attribute(&reader->file, "X", "h5sparse_shape", 2, shape))
        return import_refuse(
            reader->content, "X",
            "found no attribute shape of 2 numbers, expected the rows and columns of the matrix; " DAMAGED);
    return hdf5_check_shape(&reader->file, "X", shape);
}

static dcpn_status read_matrix(const struct reader *reader, int is_sparse, int by_columns, const int64_t shape[2],
                               dcpn_matrix **matrix)
{
    const struct hdf5_sparse sparse = {"data", "indices", "indptr", by_columns};
    dcpn_value_type type = reader->options->value_type;
    return is_sparse ? hdf5_sparse_matrix(&reader->file, "X", &sparse, shape, type, matrix)
                     : hdf5_dense_matrix(&reader->file, "X", 0, shape, type, matrix);
}

static dcpn_status read_file(const struct reader *reader, dcpn_dataset **dataset)
{
    int by_columns = 0, is_sparse = hdf5_is_group(&reader->file, "X");
    int64_t shape[2] = {0};
    char class[NAME_LENGTH];
    if (hdf5_text_attribute(&reader->file, "X", "MATLAB_class", class, sizeof class)) /* MATLAB's, without its head */
        return mat73_read(&reader->file, reader->options, dataset);
    if (!hdf5_has(&reader->file, "X"))
        return dcpn_fail(reader->content->context, DCPN_DATA,
                         "%s: found no matrix X, expected an AnnData file, or one with X and y; rename the matrix",
                         reader->content->name);
    DCPN_TRY(find_shape(reader, is_sparse, &by_columns, shape));
    DCPN_TRY(dcpn_dataset_new(reader->content->context, shape[0], shape[1], shape[1], reader->options, dataset));
    dcpn_status status = read_labels(reader, *dataset);
    if (status == DCPN_OK) status = read_matrix(reader, is_sparse, by_columns, shape, &(*dataset)->matrix);
    if (status == DCPN_OK) status = read_names(reader, *dataset);
    return dcpn_dataset_finish(status, dataset);
}

dcpn_status import_h5ad(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct reader reader = {.content = content, .options = options};
    *dataset = NULL;
    DCPN_TRY(hdf5_open(content, &reader.file));
    dcpn_status status = dcpn_dataset_finish(hdf5_verdict(&reader.file, read_file(&reader, dataset)), dataset);
    hdf5_close(&reader.file);
    return status;
}
