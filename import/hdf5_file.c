/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files as arrays of numbers and texts by their paths. */
#include "hdf5_file.h"

#include <string.h>

#include "confine.h"
#include "data/place.h"
#include "refusal.h"

enum { BEST_RATIO = 1040, SMALL = 1 << 16 };

#define IN_THIS_FILE "expected all data in this one, because no other file is opened; copy them into it"

/* ---- The file -----------------------------------------------------------------------------------------------------*/

/* The bytes of the file are lent to HDF5, which would make copies of them: all that it does with such an image is
 * handed back the bytes themselves. */
static void *lend(size_t size, H5FD_file_image_op_t operation, void *user)
{
    (void)size;
    (void)operation;
    return user;
}

static void *copy_nothing(void *target, const void *source, size_t size, H5FD_file_image_op_t operation, void *user)
{
    (void)source;
    (void)size;
    (void)operation;
    (void)user;
    return target;
}

static void *grow_nothing(void *memory, size_t size, H5FD_file_image_op_t operation, void *user)
{
    (void)memory;
    (void)size;
    (void)operation;
    (void)user;
    return NULL;
}

static herr_t free_nothing(void *memory, H5FD_file_image_op_t operation, void *user)
{
    (void)memory;
    (void)operation;
    (void)user;
    return 0;
}

static void *same_user(void *user)
{
    return user;
}

static herr_t keep_user(void *user)
{
    (void)user;
    return 0;
}

/* HDF5 looks whether there is a file with the name of the image, and refuses it then; there is none below a device. */
static hid_t open_image(const struct content *content)
{
    enum { STEP = 1 << 20 };
    void *bytes = (void *)(uintptr_t)content->bytes;
    H5FD_file_image_callbacks_t calls = {lend, copy_nothing, grow_nothing, free_nothing, same_user, keep_user, bytes};
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
    if (access < 0) return file;
    if (H5Pset_fapl_core(access, STEP, 0) >= 0 && H5Pset_file_image_callbacks(access, &calls) >= 0 &&
        H5Pset_file_image(access, bytes, content->size) >= 0)
        file = H5Fopen("/dev/null/image", H5F_ACC_RDONLY, access);
    H5Pclose(access);
    return file;
}

/* Keeps the name of the file to which an external link leads, and does not follow it. */
static herr_t stay_here(const char *parent, const char *group, const char *child, const char *object, unsigned *flags,
                        hid_t access, void *user)
{
    (void)parent;
    (void)group;
    (void)object;
    (void)flags;
    (void)access;
    dcpn_quote(child, child + strlen(child), user);
    return -1;
}

dcpn_status hdf5_open(const struct content *content, struct hdf5_file *file)
{
    *file = (struct hdf5_file){.content = content};
    import_confine();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    H5PLset_loading_state(0); /* no filter from a library beside */
    file->elsewhere = dcpn_allocate(content->context, DCPN_QUOTE_LENGTH, 1);
    if (!file->elsewhere) return DCPN_MEMORY;
    file->elsewhere[0] = '\0';
    file->access = H5Pcreate(H5P_DATASET_ACCESS);
    if (file->access >= 0 && H5Pset_elink_cb(file->access, stay_here, file->elsewhere) >= 0)
        file->file = open_image(content);
    if (file->file > 0) return DCPN_OK;
    dcpn_free(content->context, file->elsewhere);
    return dcpn_fail(content->context, DCPN_DATA,
                     "%s: found an HDF5 file that cannot be opened, expected a whole one; " DAMAGED, content->name);
}

void hdf5_close(struct hdf5_file *file)
{
    H5Fclose(file->file);
    H5Pclose(file->access);
    dcpn_free(file->content->context, file->elsewhere);
}

dcpn_status hdf5_verdict(const struct hdf5_file *file, dcpn_status status)
{
    if (!file->elsewhere[0]) return status;
    return dcpn_fail(file->content->context, DCPN_DATA, "%s: found an external link to the file %s, " IN_THIS_FILE,
                     file->content->name, file->elsewhere);
}

/* Each link on the way is asked for before the next, as HDF5 demands. */
int hdf5_has(const struct hdf5_file *file, const char *path)
{
    char part[512];
    if (strlen(path) >= sizeof part) return 0;
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        memcpy(part, path, (size_t)(slash - path));
        part[slash - path] = '\0';
        if (H5Lexists(file->file, part, file->access) <= 0) return 0;
    }
    return H5Lexists(file->file, path, file->access) > 0 && H5Oexists_by_name(file->file, path, file->access) > 0;
}

static H5O_type_t kind_of(const struct hdf5_file *file, const char *path)
{
    H5O_info_t about;
    if (!hdf5_has(file, path) || H5Oget_info_by_name(file->file, path, &about, file->access) < 0)
        return H5O_TYPE_UNKNOWN;
    return about.type;
}

int hdf5_is_group(const struct hdf5_file *file, const char *path)
{
    return kind_of(file, path) == H5O_TYPE_GROUP;
}

/* ---- Data sets ----------------------------------------------------------------------------------------------------*/

struct dataset {
    hid_t id, type, space;
    int dimensions;
    hsize_t shape[2];
    int64_t count;
};

static void close_dataset(struct dataset *dataset)
{
    if (dataset->space >= 0) H5Sclose(dataset->space);
    if (dataset->type >= 0) H5Tclose(dataset->type);
    if (dataset->id >= 0) H5Dclose(dataset->id);
}

/* Are there bytes for that many elements? */
static int is_backed(const struct hdf5_file *file, const struct dataset *dataset)
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
                                    const struct dataset *dataset)
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

static dcpn_status measure(const struct hdf5_file *file, const char *path, int dimensions, struct dataset *dataset)
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

static dcpn_status open_dataset(const struct hdf5_file *file, const char *path, int dimensions, struct dataset *dataset)
{
    *dataset = (struct dataset){.id = H5I_INVALID_HID, .type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    if (kind_of(file, path) == H5O_TYPE_DATASET) dataset->id = H5Dopen2(file->file, path, file->access);
    dcpn_status status = measure(file, path, dimensions, dataset);
    if (status != DCPN_OK) close_dataset(dataset);
    return status;
}

/* In words; h5py writes complex numbers as records, and booleans as enumerated numbers. */
static const char *class_in_words(H5T_class_t class)
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
                         class_in_words(class));
}

static dcpn_status check_whole(const struct hdf5_file *file, const char *path, hid_t type)
{
    H5T_class_t class = H5Tget_class(type);
    if (class == H5T_INTEGER || class == H5T_ENUM) return DCPN_OK;
    return import_refuse(file->content, path, "found %s, expected whole numbers; store them as int32 or int64",
                         class_in_words(class));
}

static dcpn_status refuse_read(const struct hdf5_file *file, const char *path)
{
    return import_refuse(file->content, path,
                         "found data that cannot be read, expected some without a filter, or with gzip; the file is "
                         "damaged, or compressed with a filter that this HDF5 has not: save it with gzip");
}

static dcpn_status read_vector(const struct hdf5_file *file, const char *path, hid_t type, void **values,
                               int64_t *count)
{
    struct dataset dataset;
    *values = NULL;
    DCPN_TRY(open_dataset(file, path, 1, &dataset));
    dcpn_status status = (H5Tget_class(type) == H5T_INTEGER ? check_whole : check_numeric)(file, path, dataset.type);
    if (status == DCPN_OK && !(*values = dcpn_allocate(file->content->context, (size_t)dataset.count, 8)))
        status = DCPN_MEMORY;
    if (status == DCPN_OK && H5Dread(dataset.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0) {
        dcpn_free(file->content->context, *values);
        *values = NULL;
        status = refuse_read(file, path);
    }
    *count = dataset.count;
    close_dataset(&dataset);
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
    struct dataset dataset;
    DCPN_TRY(open_dataset(file, path, 2, &dataset));
    dcpn_status status = check_numeric(file, path, dataset.type);
    shape[0] = (int64_t)dataset.shape[0];
    shape[1] = (int64_t)dataset.shape[1];
    close_dataset(&dataset);
    return status;
}

dcpn_status hdf5_rows(const struct hdf5_file *file, const char *path, int64_t first, int64_t count, int64_t columns,
                      double *values)
{
    struct dataset dataset;
    const hsize_t start[] = {(hsize_t)first, 0}, extent[] = {(hsize_t)count, (hsize_t)columns};
    DCPN_TRY(open_dataset(file, path, 2, &dataset));
    hid_t room = H5Screate_simple(2, extent, NULL);
    int is_read = (int64_t)dataset.shape[1] == columns && room >= 0 &&
                  H5Sselect_hyperslab(dataset.space, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                  H5Dread(dataset.id, H5T_NATIVE_DOUBLE, room, dataset.space, H5P_DEFAULT, values) >= 0;
    if (room >= 0) H5Sclose(room);
    close_dataset(&dataset);
    return is_read ? DCPN_OK : refuse_read(file, path);
}

/* ---- Texts --------------------------------------------------------------------------------------------------------*/

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
static dcpn_status read_fixed(const struct hdf5_file *file, const char *path, const struct dataset *dataset,
                              struct hdf5_texts *texts)
{
    size_t size = H5Tget_size(dataset->type);
    char *bytes = dcpn_allocate(file->content->context, (size_t)dataset->count, size);
    if (!bytes) return DCPN_MEMORY;
    texts->strings = (char **)(void *)bytes;
    if (H5Dread(dataset->id, dataset->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) < 0) return refuse_read(file, path);
    for (int64_t k = 0; k < dataset->count; k++) {
        const char *start = bytes + (size_t)k * size;
        size_t length = strnlen(start, size);
        while (length > 0 && start[length - 1] == ' ') length--;
        texts->words[k] = (struct word){start, (int64_t)length};
    }
    return DCPN_OK;
}

static dcpn_status read_variable(const struct hdf5_file *file, const char *path, const struct dataset *dataset,
                                 struct hdf5_texts *texts)
{
    texts->strings = dcpn_allocate(file->content->context, (size_t)dataset->count, sizeof *texts->strings);
    if (!texts->strings) return DCPN_MEMORY;
    memset(texts->strings, 0, (size_t)dataset->count * sizeof *texts->strings);
    texts->space = H5Scopy(dataset->space);
    texts->type = text_type(dataset->type);
    if (texts->type < 0 || H5Dread(dataset->id, texts->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts->strings) < 0)
        return refuse_read(file, path);
    for (int64_t k = 0; k < dataset->count; k++) {
        const char *text = texts->strings[k] ? texts->strings[k] : "";
        texts->words[k] = (struct word){text, (int64_t)strlen(text)};
    }
    return DCPN_OK;
}

dcpn_status hdf5_texts(const struct hdf5_file *file, const char *path, struct hdf5_texts *texts)
{
    struct dataset dataset;
    *texts = (struct hdf5_texts){.type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    DCPN_TRY(open_dataset(file, path, 1, &dataset));
    texts->count = dataset.count;
    texts->words = dcpn_allocate(file->content->context, (size_t)dataset.count, sizeof *texts->words);
    dcpn_status status = texts->words ? DCPN_OK : DCPN_MEMORY;
    if (status == DCPN_OK && H5Tget_class(dataset.type) != H5T_STRING)
        status = import_refuse(file->content, path, "found %s, expected texts; " DAMAGED,
                               class_in_words(H5Tget_class(dataset.type)));
    if (status == DCPN_OK)
        status = (H5Tis_variable_str(dataset.type) > 0 ? read_variable : read_fixed)(file, path, &dataset, texts);
    close_dataset(&dataset);
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
    hid_t id = kind_of(file, path) == H5O_TYPE_DATASET ? H5Dopen2(file->file, path, file->access) : H5I_INVALID_HID;
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
    struct dataset dataset;
    *cells = (struct hdf5_cells){.path = path};
    DCPN_TRY(open_dataset(file, path, 1, &dataset));
    dcpn_status status = DCPN_OK;
    cells->count = dataset.count;
    cells->references = dcpn_allocate(file->content->context, (size_t)dataset.count, sizeof *cells->references);
    if (!cells->references)
        status = DCPN_MEMORY;
    else if (H5Dread(dataset.id, H5T_STD_REF_OBJ, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells->references) < 0)
        status = refuse_read(file, path);
    close_dataset(&dataset);
    if (status == DCPN_OK) return DCPN_OK;
    dcpn_free(file->content->context, cells->references);
    cells->references = NULL;
    return status;
}

static dcpn_status read_units(const struct hdf5_file *file, const struct hdf5_cells *cells,
                              const struct dataset *dataset, uint16_t **units)
{
    if (H5Tget_class(dataset->type) != H5T_INTEGER)
        return import_refuse(file->content, cells->path,
                             "found a cell that holds no text, expected the name of a class; write texts alone");
    *units = dcpn_allocate(file->content->context, (size_t)dataset->count, sizeof **units);
    if (!*units) return DCPN_MEMORY;
    if (H5Dread(dataset->id, H5T_NATIVE_UINT16, H5S_ALL, H5S_ALL, H5P_DEFAULT, *units) >= 0) return DCPN_OK;
    dcpn_free(file->content->context, *units);
    *units = NULL;
    return refuse_read(file, cells->path);
}

/* Where a text is empty MATLAB stores its dimensions, and says so. */
dcpn_status hdf5_cell_units(const struct hdf5_file *file, const struct hdf5_cells *cells, int64_t k, uint16_t **units,
                            int64_t *count)
{
    struct dataset dataset = {.id = H5I_INVALID_HID, .type = H5I_INVALID_HID, .space = H5I_INVALID_HID};
    *units = NULL;
    *count = 0;
    hid_t object = H5Rdereference2(file->file, H5P_DEFAULT, H5R_OBJECT, &cells->references[k]);
    if (object >= 0 && H5Iget_type(object) == H5I_DATASET)
        dataset.id = object;
    else if (object >= 0)
        H5Oclose(object);
    dcpn_status status = measure(file, cells->path, 1, &dataset);
    if (status == DCPN_OK && H5Aexists(dataset.id, "MATLAB_empty") <= 0) {
        status = read_units(file, cells, &dataset, units);
        *count = dataset.count;
    }
    close_dataset(&dataset);
    return status;
}
