/* SPDX-License-Identifier: BSD-3-Clause */
/* A NumPy array file (.npy): a dense matrix, whose labels come from a second file. */
#include "data/dataset.h"
#include "data/format.h"
#include "data/labels.h"
#include "data/npy_array.h"
#include "data/writers.h"

static dcpn_status read_parts(const struct content *content, const struct npy_array *array,
                              const dcpn_read_options *options, dcpn_dataset *dataset)
{
    DCPN_TRY(dcpn_labels_elsewhere(content, options, NULL, dataset));
    return dcpn_npy_matrix(content, array, options, &dataset->matrix);
}

static dcpn_status read_npy(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    struct npy_array array;
    int64_t features;
    *dataset = NULL;
    DCPN_TRY(dcpn_npy_open(content, &array));
    DCPN_TRY(dcpn_npy_check_matrix(content, &array));
    DCPN_TRY(dcpn_settle_features(content, options, array.shape[1], 1, &features));
    DCPN_TRY(dcpn_dataset_new(content->context, array.shape[0], features, features, options, dataset));
    return dcpn_dataset_finish(read_parts(content, &array, options, *dataset), dataset);
}

static int sniff(const char *bytes, size_t size)
{
    return dcpn_npy_begins(bytes, size) ? 100 : 0;
}

const struct format dcpn_format_npy = {
    .name = "npy",
    .extensions = ".npy",
    .summary = "NumPy array; labels in a second file",
    .sniff = sniff,
    .read = read_npy,
    .write = dcpn_write_npy,
};
