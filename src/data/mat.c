/* SPDX-License-Identifier: BSD-3-Clause */
/* MATLAB files, read by mat_read.c where the library is built with matio. */
#include "data/mat.h"

#include <string.h>

#include "data/apart.h"
#include "data/format.h"

#if !DCPN_HAS_MATIO
dcpn_status dcpn_mat_read(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    (void)options;
    *dataset = NULL;
    return dcpn_fail(
        content->context, DCPN_USAGE,
        "%s: found a MATLAB file, but dcpn was built without matio; install libmatio-dev and build it again, "
        "or save the data in another format",
        content->name);
}
#endif

static dcpn_status read_mat(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset)
{
    return dcpn_read_apart(content, options, dcpn_mat_read, dataset);
}

/* Both "MATLAB 5.0 MAT-file" and "MATLAB 7.3 MAT-file". */
static int sniff(const char *bytes, size_t size)
{
    return size >= 128 && memcmp(bytes, "MATLAB ", 7) == 0 && memcmp(bytes + 10, " MAT-file", 9) == 0 ? 100 : 0;
}

const struct format dcpn_format_mat = {
    .name = "mat",
    .extensions = ".mat",
    .summary = "MATLAB file with a matrix X and labels y",
    .sniff = sniff,
    .read = read_mat,
};
