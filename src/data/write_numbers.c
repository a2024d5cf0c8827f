/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions and other numbers: one per line. */
#include "base/file.h"
#include "base/number.h"
#include "dcpn/data.h"

dcpn_status dcpn_write_numbers(dcpn_context *context, const char *path, const double *numbers, int64_t count)
{
    struct output_file file;
    char text[DCPN_NUMBER_LENGTH + 1];
    DCPN_NEED(context, context);
    if (count > 0) DCPN_NEED(context, numbers);
    DCPN_TRY(dcpn_output_open(context, path, &file));
    for (int64_t i = 0; i < count; i++) {
        int length = dcpn_format_double(text, numbers[i]);
        text[length] = '\n';
        dcpn_output_write(&file, text, (size_t)length + 1);
    }
    return dcpn_output_commit(&file);
}
