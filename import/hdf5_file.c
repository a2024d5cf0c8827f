/* SPDX-License-Identifier: BSD-3-Clause */
/* HDF5 files: how one is opened, and what lies at a path. */
#include "hdf5_file.h"

#include <string.h>

#include "confine.h"
#include "data/place.h"
#include "hdf5_dataset.h"
#include "refusal.h"

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

H5O_type_t hdf5_kind_of(const struct hdf5_file *file, const char *path)
{
    H5O_info_t about;
    if (!hdf5_has(file, path) || H5Oget_info_by_name(file->file, path, &about, file->access) < 0)
        return H5O_TYPE_UNKNOWN;
    return about.type;
}

int hdf5_is_group(const struct hdf5_file *file, const char *path)
{
    return hdf5_kind_of(file, path) == H5O_TYPE_GROUP;
}
