/* SPDX-License-Identifier: BSD-3-Clause */
/* A text that the caller has made, as a file. */
#include "base/file.h"
#include "dcpn/data.h"

dcpn_status dcpn_write_text(dcpn_context *context, const char *path, const char *text, size_t length)
{
    struct output_file file;
    DCPN_NEED(context, context);
    if (!text) return dcpn_fail(context, DCPN_MEMORY, "%s: out of memory: there was no room for its text", path);
    DCPN_TRY(dcpn_output_open(context, path, &file));
    dcpn_output_write(&file, text, length);
    return dcpn_output_commit(&file);
}
