/* SPDX-License-Identifier: BSD-3-Clause */
/* A data set of an HDF5 file that is open, for the files that read some. */
#ifndef DCPN_IMPORT_HDF5_DATASET_H
#define DCPN_IMPORT_HDF5_DATASET_H

#include "hdf5_file.h"

/* What follows an external link, external storage or a virtual dataset in a refusal. */
#define IN_THIS_FILE "expected all data in this one, because no other file is opened; copy them into it"

struct hdf5_dataset {
    hid_t id, type, space;
    int dimensions;
    hsize_t shape[2];
    int64_t count;
};

/* What lies at the path. */
H5O_type_t hdf5_kind_of(const struct hdf5_file *file, const char *path);
/* Opens the data set of 1 or 2 dimensions and checks it; it is to be closed then. */
dcpn_status hdf5_open_dataset(const struct hdf5_file *file, const char *path, int dimensions,
                              struct hdf5_dataset *dataset);
/* Checks one whose id is open, and fills in the rest. */
dcpn_status hdf5_measure(const struct hdf5_file *file, const char *path, int dimensions, struct hdf5_dataset *dataset);
void hdf5_close_dataset(struct hdf5_dataset *dataset);
const char *hdf5_class_in_words(H5T_class_t class);
dcpn_status hdf5_refuse_read(const struct hdf5_file *file, const char *path);

#endif
