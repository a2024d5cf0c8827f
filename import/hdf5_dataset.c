/* SPDX-License-Identifier: BSD-3-Clause */
/* Data sets of HDF5 files as arrays of numbers. */
#include "hdf5_dataset.h"

#include "refusal.h"

enum { BEST_RATIO = 1040, SMALL = 1 << 16 };

void hdf5_close_dataset(struct hdf5_dataset *dataset)
{
    if (dataset->space >= 0) H5Sclose(dataset->space);
    if (dataset->type >= 0) H5Tclose(dataset->type);
    if (dataset->id >= 0) H5Dclose(dataset->id);
}

/* Are there bytes for that many elements? */
static int is_backed(const struct hdf5_file *file, const struct hdf5_dataset *dataset)
{
    uint64_t stored = H5Dget_storage_size(dataset->id), bytes;
    if (stored > file->content->size || H5Tget_size(dataset->type) == 0) return 0;
    if (__builtin_mul_overflow((uint64_t)dataset->count, H5Tget_size(dataset->type), &bytes)) return 0;
    return bytes <= SMALL || bytes / BEST_RATIO <= stored;
}

static dcpn_status refuse_kind(const struct hdf5_file *file, const char *path)
{
    const char *found = !hdf5_has(file, path)       ? "nothing"
                        : hdf5_is_group(file, path) ? "a group"
                                                    : "something unreadable";
    return import_refuse(file->content, path, "found %s, expected an array; " DAMAGED, found);
}

/* A vector has one dimension, or two of which one is 1. */
static dcpn_status check_dimensions(const struct hdf5_file *file, const char *path, int dimensions,
                                    const struct hdf5_dataset *dataset)
{
    if (dimensions == 2)
        return dataset->dimensions == 2 ? DCPN_OK : import_refuse_dimensions(file->content, path, dataset->dimensions);
    if (dataset->dimensions == 1 || (dataset->dimensions == 2 && (dataset->shape[0] == 1 || dataset->shape[1] == 1)))
        return DCPN_OK;
    if (dataset->dimensions == 2)
        return import_refuse(file->content, path, "found a matrix of %llu x %llu, expected a vector; write one",
                             (unsigned long long)dataset->shape[0], (unsigned long long)dataset->shape[1]);
    return import_refuse(file->content, path, "found %d dimensions, expected a vector; write one", dataset->dimensions);
}

/* Do the bytes lie in other files? */
static dcpn_status check_storage(const struct hdf5_file *file, const char *path, hid_t id)
{
    hid_t made = H5Dget_create_plist(id);
    int outside = made < 0 ? -1 : H5Pget_external_count(made);
    H5D_layout_t layout = made < 0 ? H5D_LAYOUT_ERROR : H5Pget_layout(made);
    if (made >= 0) H5Pclose(made);
    if (layout != H5D_VIRTUAL && outside == 0) return DCPN_OK;
    return import_refuse(file->content, path, "found %s, " IN_THIS_FILE,
                         layout == H5D_VIRTUAL ? "a virtual dataset, made of parts of others"
                                               : "external storage: data in another file");
}

dcpn_status hdf5_measure(const struct hdf5_file *file, const char *path, int dimensions, struct hdf5_dataset *dataset)
{
    if (dataset->id < 0) return refuse_kind(file, path);
    DCPN_TRY(check_storage(file, path, dataset->id));
    if ((dataset->type = H5Dget_type(dataset->id)) < 0 || (dataset->space = H5Dget_space(dataset->id)) < 0)
        return refuse_kind(file, path);
    dataset->dimensions = H5Sget_simple_extent_ndims(dataset->space);
    dataset->shape[1] = 1;
    if (dataset->dimensions < 0 ||
        (dataset->dimensions <= 2 && H5Sget_simple_extent_dims(dataset->space, dataset->shape, NULL) < 0))
        return refuse_kind(file, path);
    DCPN_TRY(check_dimensions(file, path, dimensions, dataset));
    if (__builtin_mul_overflow((int64_t)dataset->shape[0], (int64_t)dataset->shape[1], &dataset->count) ||
        dataset->count < 0 || !is_backed(file, dataset))
        return import_refuse(file->content, path,
                             "found an array of %llu x %llu, expected no more than the bytes of the file can expand "
                             "to; " DAMAGED,
                             (unsigned long long)dataset->shape[0], (unsigned long long)dataset->shape[1]);
    return DCPN_OK;
}

dcpn_status hdf5_open_dataset(const struct hdf5_file *file, const char *path, int dimensions,
                              struct hdf5_dataset *dataset)
{
    *dataset = (struct hdf5_dataset){.id = H5I_INVALID_HID, .type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    if (hdf5_kind_of(file, path) == H5O_TYPE_DATASET) dataset->id = H5Dopen2(file->file, path, file->access);
    dcpn_status status = hdf5_measure(file, path, dimensions, dataset);
    if (status != DCPN_OK) hdf5_close_dataset(dataset);
    return status;
}

/* In words; h5py writes complex numbers as records, and booleans as enumerated numbers. */
const char *hdf5_class_in_words(H5T_class_t class)
{
    switch (class) {
    case H5T_INTEGER:
    case H5T_ENUM:
        return "whole numbers";
    case H5T_FLOAT:
        return "floating-point numbers";
    case H5T_STRING:
        return "texts";
    case H5T_COMPOUND:
        return "records or complex numbers";
    case H5T_REFERENCE:
        return "references";
    default:
        return "something else than numbers or texts";
    }
}

static dcpn_status check_numeric(const struct hdf5_file *file, const char *path, hid_t type)
{
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_ENUM) return DCPN_OK;
    return import_refuse(file->content, path, "found %s, expected numbers; store them as floats or integers",
                         hdf5_class_in_words(class));
}

static dcpn_status check_whole(const struct hdf5_file *file, const char *path, hid_t type)
{
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER || class == H5T_ENUM) return DCPN_OK;
    return import_refuse(file->content, path, "found %s, expected whole numbers; store them as int32 or int64",
                         hdf5_class_in_words(class));
}

dcpn_status hdf5_refuse_read(const struct hdf5_file *file, const char *path)
{
    return import_refuse(file->content, path,
                         "found data that cannot be read, expected some without a filter, or with gzip; the file is "
                         "damaged, or compressed with a filter that this HDF5 has not: save it with gzip");
}

static dcpn_status read_vector(const struct hdf5_file *file, const char *path, hid_t type, void **values,
                               int64_t *count)
{
    struct hdf5_dataset dataset;
    *values = NULL;
    DCPN_TRY(hdf5_open_dataset(file, path, 1, &dataset));
    dcpn_status status = (H5Tget_class(type) == H5T_INTEGER ? check_whole : check_numeric)(file, path, dataset.type);
    if (status == DCPN_OK && !(*values = dcpn_allocate(file->content->context, (size_t)dataset.count, 8)))
        status = DCPN_MEMORY;
    if (status == DCPN_OK && H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0) {
        dcpn_free(file->content->context, *values);
        *values = NULL;
        status = hdf5_refuse_read(file, path);
    }
    *count = dataset.count;
    hdf5_close_dataset(&dataset);
    return status;
}

dcpn_status hdf5_doubles(const struct hdf5_file *file, const char *path, double **values, int64_t *count)
{
    void *read;
    dcpn_status status = read_vector(file, path, H5T_NATIVE_DOUBLE, &read, count);
    *values = read;
    return status;
}

dcpn_status hdf5_integers(const struct hdf5_file *file, const char *path, int64_t **values, int64_t *count)
{
    void *read;
    dcpn_status status = read_vector(file, path, H5T_NATIVE_INT64, &read, count);
    *values = read;
    return status;
}

dcpn_status hdf5_shape(const struct hdf5_file *file, const char *path, int64_t shape[2])
{
    struct hdf5_dataset dataset;
    DCPN_TRY(hdf5_open_dataset(file, path, 2, &dataset));
    dcpn_status status = check_numeric(file, path, dataset.type);
    shape[0] = (int64_t)dataset.shape[0];
    shape[1] = (int64_t)dataset.shape[1];
    hdf5_close_dataset(&dataset);
    return status;
}

dcpn_status hdf5_rows(const struct hdf5_file *file, const char *path, int64_t first, int64_t count, int64_t columns,
                      double *values)
{
    struct hdf5_dataset dataset;
    const hsize_t start[] = {(hsize_t)first, 0}, extent[] = {(hsize_t)count, (hsize_t)columns};
    DCPN_TRY(hdf5_open_dataset(file, path, 2, &dataset));
    hid_t room = H5Screate_simple(2, extent, NULL);
    int is_read = (int64_t)dataset.shape[1] == columns && room >= 0 &&
                  H5Sselect_hyperslab(dataset.space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                  H5Dread(dataset.id, H5T_NATIVE_DOUBLE, room, dataset.space, H5P_DEFAULT, values) >= 0;
    if (room >= 0) H5Sclose(room);
    hdf5_close_dataset(&dataset);
    return is_read ? DCPN_OK : hdf5_refuse_read(file, path);
}
