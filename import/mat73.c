/* SPDX-License-Identifier: BSD-3-Clause */
/* MATLAB files of version 7.3, which are HDF5: a matrix X, full or sparse, with labels y. Arrays are stored the other
 * way round: what has n rows in MATLAB has n columns here. */
#include "mat73.h"

#include <stdio.h>
#include <string.h>

#include "cell_texts.h"
#include "data/dataset.h"
#include "data/labels.h"
#include "hdf5_matrix.h"
#include "import.h"
#include "refusal.h"

enum { NAME_LENGTH = 256 };

struct reader {
    const struct hdf5_file *file;
    const dcpn_read_options *options;
};

/* ---- Variables ----------------------------------------------------------------------------------------------------*/

/* What is looked for among the variables, and what was found. */
struct search {
    int (*matches)(struct word, const char *);
    const char *wanted;
    char found[NAME_LENGTH];
    struct import_list list;
};

/* Names with # are MATLAB's own. */
static herr_t look_at(hid_t group, const char *name, const H5L_info_t *about, void *user)
{
    struct search *search = user;
    size_t length = strlen(name);
    (void)group;
    (void)about;
    if (strchr(name, '#')) return 0;
    import_list_add(&search->list, name);
    if (!search->found[0] && length < sizeof search->found && search->matches(dcpn_word_of(name), search->wanted))
        strcpy(search->found, name);
    return 0;
}

static int find(const struct reader *reader, struct search *search)
{
    search->list.length = 0;
    H5Literate_by_name(reader->file->file, "/", H5_INDEX_NAME, H5_ITER_INC, NULL, look_at, search,
                       reader->file->access);
    return search->found[0] != '\0';
}

/* MATLAB says what it is; other writers need not. */
static int is_class(const struct reader *reader, const char *name, const char *class)
{
    char found[NAME_LENGTH];
    return hdf5_text_attribute(reader->file, name, "MATLAB_class", found, sizeof found) && strcmp(found, class) == 0;
}

/* ---- The matrix ---------------------------------------------------------------------------------------------------*/

static dcpn_status sparse_shape(const struct reader *reader, const char *name, int64_t shape[2])
{
    char path[2 * NAME_LENGTH];
    int64_t *pointers, count;
    if (!hdf5_integer_attribute(reader->file, name, "MATLAB_sparse", 1, shape))
        return import_refuse(reader->file->content, name,
                             "found a struct, expected a matrix; save its fields as variables");
    snprintf(path, sizeof path, "%s/jc", name);
    DCPN_TRY(hdf5_integers(reader->file, path, &pointers, &count));
    dcpn_free(reader->file->content->context, pointers);
    shape[1] = count - 1;
    return DCPN_OK;
}

static dcpn_status find_shape(const struct reader *reader, const char *name, int is_sparse, int64_t shape[2])
{
    static const struct {
        const char *class, *found, *advice;
    } others[] = {
        {"char", "characters", "save the numbers"},
        {"cell", "a cell array", "cell2mat makes a matrix of it"},
        {"struct", "a struct", "save its fields as variables"},
        {"function_handle", "a function", "save its values"},
    };
    int64_t stored[2];
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (is_class(reader, name, others[k].class))
            return import_refuse(reader->file->content, name, "found %s, expected a matrix of numbers; %s",
                                 others[k].found, others[k].advice);
    if (is_sparse) {
        DCPN_TRY(sparse_shape(reader, name, shape));
    } else {
        DCPN_TRY(hdf5_shape(reader->file, name, stored));
        shape[0] = stored[1];
        shape[1] = stored[0];
    }
    return hdf5_check_shape(reader->file, name, shape);
}

/* ---- Labels -------------------------------------------------------------------------------------------------------*/

static dcpn_status read_numbers(const struct reader *reader, const char *name, dcpn_dataset *dataset)
{
    double *numbers;
    int64_t count;
    DCPN_TRY(hdf5_doubles(reader->file, name, &numbers, &count));
    if (count == dataset->rows)
        return dcpn_labels_from_numbers(reader->file->content, numbers, reader->options, dataset);
    dcpn_free(dataset->context, numbers);
    return import_check_labels(reader->file->content, name, count, dataset);
}

static dcpn_status add_cells(const struct reader *reader, const struct hdf5_cells *cells, struct cell_texts *texts)
{
    for (int64_t i = 0; i < cells->count; i++) {
        uint16_t *units;
        int64_t count;
        DCPN_TRY(hdf5_cell_units(reader->file, cells, i, &units, &count));
        cell_texts_add_utf16(texts, units, count);
        dcpn_free(texts->context, units);
    }
    return DCPN_OK;
}

static dcpn_status read_cells(const struct reader *reader, const char *name, dcpn_dataset *dataset)
{
    struct hdf5_cells cells;
    struct cell_texts texts;
    DCPN_TRY(hdf5_cells(reader->file, name, &cells));
    dcpn_status status = import_check_labels(reader->file->content, name, cells.count, dataset);
    if (status == DCPN_OK) {
        status = cell_texts_open(dataset->context, cells.count, &texts);
        if (status == DCPN_OK) status = add_cells(reader, &cells, &texts);
        if (status == DCPN_OK)
            status = cell_texts_labels(&texts, reader->file->content->name, reader->options, dataset);
        cell_texts_close(&texts);
    }
    dcpn_free(dataset->context, cells.references);
    return status;
}

static int is_usual_label(struct word name, const char *unused)
{
    (void)unused;
    return dcpn_word_is_label(name);
}

static dcpn_status read_labels(const struct reader *reader, dcpn_dataset *dataset)
{
    const struct content *content = reader->file->content;
    const char *wanted = reader->options->table.label_column;
    struct search search = {.matches = wanted ? dcpn_word_equals : is_usual_label, .wanted = wanted};
    if (reader->options->labels_path) return import_leave_labels(content, dataset);
    if (!find(reader, &search) && wanted)
        return dcpn_fail(content->context, DCPN_DATA,
                         "%s: found no variable '%.100s' for the labels, expected one of: %s", content->name, wanted,
                         search.list.text);
    if (!search.found[0]) return dcpn_labels_elsewhere(content, reader->options, "a variable y", dataset);
    if (is_class(reader, search.found, "char"))
        return import_refuse(
            content, search.found,
            "found an array of characters, expected numbers or a cell array of texts; cellstr makes one");
    return (hdf5_is_cells(reader->file, search.found) ? read_cells : read_numbers)(reader, search.found, dataset);
}

/* ---- The file -----------------------------------------------------------------------------------------------------*/

static dcpn_status read_matrix(const struct reader *reader, const char *name, dcpn_dataset **dataset)
{
    static const struct hdf5_sparse sparse = {"data", "ir", "jc", 1};
    int is_sparse = hdf5_is_group(reader->file, name);
    dcpn_value_type type = reader->options->value_type;
    int64_t shape[2];
    DCPN_TRY(find_shape(reader, name, is_sparse, shape));
    DCPN_TRY(dcpn_dataset_new(reader->file->content->context, shape[0], shape[1], shape[1], reader->options, dataset));
    dcpn_status status = read_labels(reader, *dataset);
    if (status == DCPN_OK)
        status = is_sparse ? hdf5_sparse_matrix(reader->file, name, &sparse, shape, type, &(*dataset)->matrix)
                           : hdf5_dense_matrix(reader->file, name, 1, shape, type, &(*dataset)->matrix);
    return dcpn_dataset_finish(status, dataset);
}

dcpn_status mat73_read(const struct hdf5_file *file, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    const struct reader reader = {file, options};
    struct search search = {.matches = dcpn_word_resembles};
    for (size_t k = 0; import_matrix_names[k] && !search.found[0]; k++) {
        search.wanted = import_matrix_names[k];
        if (find(&reader, &search)) return read_matrix(&reader, search.found, dataset);
    }
    return import_refuse_names(file->content, &search.list);
}

dcpn_status import_mat73(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct hdf5_file file;
    *dataset = NULL;
    DCPN_TRY(hdf5_open(content, &file));
    dcpn_status status = dcpn_dataset_finish(hdf5_verdict(&file, mat73_read(&file, options, dataset)), dataset);
    hdf5_close(&file);
    return status;
}
