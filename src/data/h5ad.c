/* SPDX-License-Identifier: BSD-3-Clause */
/* AnnData files, read by h5ad_read.c where the library is built with HDF5. */
#include "data/h5ad.h"

#include <string.h>

#include "data/apart.h"
#include "data/format.h"

#if !DCPN_HAS_HDF5
dcpn_status dcpn_h5ad_read(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    (void)options;
    *dataset = NULL;
    return dcpn_fail(content->context, DCPN_USAGE,
                     "%s: found an HDF5 file, but dcpn was built without HDF5; install libhdf5-dev and build it again, "
                     "or save the data in another format",
                     content->name);
}
#endif

static dcpn_status read_h5ad(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return dcpn_read_apart(content, options, dcpn_h5ad_read, dataset);
}

static int sniff(const char *bytes, size_t size)
{
    return size >= 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0 ? 100 : 0;
}

const struct format dcpn_format_h5ad = {
    .name = "h5ad",
    .extensions = ".h5ad",
    .summary = "AnnData file (HDF5): X, with labels from a column of obs",
    .sniff = sniff,
    .read = read_h5ad,
};
