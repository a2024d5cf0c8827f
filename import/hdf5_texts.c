/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of HDF5 files: data sets, attributes, and the cells of MATLAB. */
#include <string.h>

#include "hdf5_dataset.h"
#include "refusal.h"

/* ---- Data sets ----------------------------------------------------------------------------------------------------*/

/* Texts of any length in the character set of the file's own, which HDF5 does not convert. */
static hid_t text_type(hid_t in_file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && (H5Tset_size(type, H5T_VARIABLE) < 0 || H5Tset_cset(type, H5Tget_cset(in_file)) < 0)) {
        H5Tclose(type);
        return H5I_INVALID_HID;
    }
    return type;
}

/* Fixed texts are read at their length and cut at their end; HDF5 does not convert them to the other kind. */
static dcpn_status read_fixed(const struct hdf5_file *file, const char *path, const struct hdf5_dataset *dataset,
                              struct hdf5_texts *texts)
{
    size_t size = H5Tget_size(dataset->type);
    char *bytes = dcpn_allocate(file->content->context, (size_t)dataset->count, size);
    if (!bytes) return DCPN_MEMORY;
    texts->strings = (char **)(void *)bytes;
    if (H5Dread(dataset->id, dataset->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0)
        return hdf5_refuse_read(file, path);
    for (int64_t k = 0; k < dataset->count; k++) {
        const char *start = bytes + (size_t)k * size;
        size_t length = strnlen(start, size);
        while (length > 0 && start[length - 1] == ' ') length--;
        texts->words[k] = (struct word){start, (int64_t)length};
    }
    return DCPN_OK;
}

static dcpn_status read_variable(const struct hdf5_file *file, const char *path, const struct hdf5_dataset *dataset,
                                 struct hdf5_texts *texts)
{
    texts->strings = dcpn_allocate(file->content->context, (size_t)dataset->count, sizeof *texts->strings);
    if (!texts->strings) return DCPN_MEMORY;
    memset(texts->strings, 0, (size_t)dataset->count * sizeof *texts->strings);
    texts->space = H5Scopy(dataset->space);
    texts->type = text_type(dataset->type);
    if (texts->type < 0 || H5Dread(dataset->id, texts->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts->strings) < 0)
        return hdf5_refuse_read(file, path);
    for (int64_t k = 0; k < dataset->count; k++) {
        const char *text = texts->strings[k] ? texts->strings[k] : "";
        texts->words[k] = (struct word){text, (int64_t)strlen(text)};
    }
    return DCPN_OK;
}

dcpn_status hdf5_texts(const struct hdf5_file *file, const char *path, struct hdf5_texts *texts)
{
    struct hdf5_dataset dataset;
    *texts = (struct hdf5_texts){.type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    DCPN_TRY(hdf5_open_dataset(file, path, 1, &dataset));
    texts->count = dataset.count;
    texts->words = dcpn_allocate(file->content->context, (size_t)dataset.count, sizeof *texts->words);
    dcpn_status status = texts->words ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK && H5Tget_class(dataset.type) != H5T_STRING)
        status = import_refuse(file->content, path, "found %s, expected texts; " DAMAGED,
                               hdf5_class_in_words(H5Tget_class(dataset.type)));
    if (status == DCPN_OK)
        status = (H5Tis_variable_str(dataset.type) > 0 ? read_variable : read_fixed)(file, path, &dataset, texts);
    hdf5_close_dataset(&dataset);
    if (status != DCPN_OK) hdf5_texts_free(file, texts);
    return status;
}

void hdf5_texts_free(const struct hdf5_file *file, struct hdf5_texts *texts)
{
    if (texts->type >= 0 && texts->space >= 0 && texts->strings)
        H5Dvlen_reclaim(texts->type, texts->space, H5P_DEFAULT, texts->strings);
    if (texts->type >= 0) H5Tclose(texts->type);
    if (texts->space >= 0) H5Sclose(texts->space);
    dcpn_free(file->content->context, texts->strings);
    dcpn_free(file->content->context, texts->words);
    *texts = (struct hdf5_texts){.type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
}

/* ---- Attributes ---------------------------------------------------------------------------------------------------*/

static hid_t open_attribute(const struct hdf5_file *file, const char *path, const char *name, hssize_t count)
{
    if (!hdf5_has(file, path) || H5Aexists_by_name(file->file, path, name, file->access) <= 0) return H5I_INVALID_HID;
    hid_t attribute = H5Aopen_by_name(file->file, path, name, H5P_DEFAULT, file->access);
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : H5I_INVALID_HID;
    int is_right = space >= 0 && H5Sget_simple_extent_npoints(space) == count;
    if (space >= 0) H5Sclose(space);
    if (is_right || attribute < 0) return attribute;
    H5Aclose(attribute);
    return H5I_INVALID_HID;
}

static int copy_attribute(hid_t attribute, hid_t in_file, char *text, size_t size)
{
    char *read = NULL;
    hid_t type = text_type(in_file);
    int is_read = 0;
    if (H5Tis_variable_str(in_file) <= 0) {
        memset(text, 0, size);
        is_read = H5Tget_size(in_file) < size && H5Aread(attribute, in_file, text) >= 0;
    } else if (type >= 0 && H5Aread(attribute, type, &read) >= 0 && read) {
        is_read = strlen(read) < size;
        if (is_read) strcpy(text, read);
        H5free_memory(read);
    }
    if (type >= 0) H5Tclose(type);
    return is_read;
}

int hdf5_text_attribute(const struct hdf5_file *file, const char *path, const char *name, char *text, size_t size)
{
    hid_t attribute = open_attribute(file, path, name, 1);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    int is_read = type >= 0 && H5Tget_class(type) == H5T_STRING && copy_attribute(attribute, type, text, size);
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return is_read;
}

int hdf5_integer_attribute(const struct hdf5_file *file, const char *path, const char *name, int count, int64_t *values)
{
    hid_t attribute = open_attribute(file, path, name, count);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    int is_read = type >= 0 && H5Tget_class(type) == H5T_INTEGER && H5Aread(attribute, H5T_NATIVE_INT64, values) >= 0;
    if (type >= 0) H5Tclose(type);
    if (attribute >= 0) H5Aclose(attribute);
    return is_read;
}

/* ---- Cells --------------------------------------------------------------------------------------------------------*/

static int is_of_class(const struct hdf5_file *file, const char *path, H5T_class_t class)
{
    hid_t id =
        hdf5_kind_of(file, path) == H5O_TYPE_DATASET ? H5Dopen2(file->file, path, file->access) : H5I_INVALID_HID;
    hid_t type = id >= 0 ? H5Dget_type(id) : H5I_INVALID_HID;
    int is_it = type >= 0 && H5Tget_class(type) == class;
    if (type >= 0) H5Tclose(type);
    if (id >= 0) H5Dclose(id);
    return is_it;
}

int hdf5_is_text(const struct hdf5_file *file, const char *path)
{
    return is_of_class(file, path, H5T_STRING);
}

int hdf5_is_cells(const struct hdf5_file *file, const char *path)
{
    return is_of_class(file, path, H5T_REFERENCE);
}

dcpn_status hdf5_cells(const struct hdf5_file *file, const char *path, struct hdf5_cells *cells)
{
    struct hdf5_dataset dataset;
    *cells = (struct hdf5_cells){.path = path};
    DCPN_TRY(hdf5_open_dataset(file, path, 1, &dataset));
    dcpn_status status = DCPN_OK;
    cells->count = dataset.count;
    cells->references = dcpn_allocate(file->content->context, (size_t)dataset.count, sizeof *cells->references);
    if (!cells->references)
        status = DCPN_MEMORY;
    else if (H5Dread(dataset.id, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells->references) < 0)
        status = hdf5_refuse_read(file, path);
    hdf5_close_dataset(&dataset);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_free(file->content->context, cells->references);
    cells->references = NULL;
    return status;
}

static dcpn_status read_units(const struct hdf5_file *file, const struct hdf5_cells *cells,
                              const struct hdf5_dataset *dataset, uint16_t **units)
{
    if (H5Tget_class(dataset->type) != H5T_INTEGER)
        return import_refuse(file->content, cells->path,
                             "found a cell that holds no text, expected the name of a class; write texts alone");
    *units = dcpn_allocate(file->content->context, (size_t)dataset->count, sizeof **units);
    if (!*units) return DCPN_MEMORY;
    if (H5Dread(dataset->id, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, *units) >= 0) return DCPN_OK;
    dcpn_free(file->content->context, *units);
    *units = NULL;
    return hdf5_refuse_read(file, cells->path);
}

/* Where a text is empty MATLAB stores its dimensions, and says so. */
dcpn_status hdf5_cell_units(const struct hdf5_file *file, const struct hdf5_cells *cells, int64_t k, uint16_t **units,
                            int64_t *count)
{
    struct hdf5_dataset dataset = {.id = H5I_INVALID_HID, .type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    *units = NULL;
    *count = 0;
    hid_t object = H5Rdereference2(file->file, H5P_DEFAULT, H5R_OBJECT, &cells->references[k]);
    if (object >= 0 && H5Iget_type(object) == H5I_DATASET)
        dataset.id = object;
    else if (object >= 0)
        H5Oclose(object);
    dcpn_status status = hdf5_measure(file, cells->path, 1, &dataset);
    if (status == DCPN_OK && H5Aexists(dataset.id, "MATLAB_empty") <= 0) {
        status = read_units(file, cells, &dataset, units);
        *count = dataset.count;
    }
    hdf5_close_dataset(&dataset);
    return status;
}
