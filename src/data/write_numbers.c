/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions and other numbers: one per line. */
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "dcpn/data.h"

/* Refuses numbers that dcpn_read_numbers would refuse. */
static dcpn_status check(dcpn_context *context, const char *path, const double *numbers, int64_t count)
{
    const char *name = !path ? "(empty path)" : strcmp(path, "-") == 0 ? "standard output" : path;
    if (count < 1)
        return dcpn_fail(context, DCPN_USAGE, "%s: found %lld numbers to write, expected one or more", name,
                         (long long)count);
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return dcpn_fail(context, DCPN_DATA,
                             "%s: number %lld: found %s, expected a finite one, which reads back; rescale the data it "
                             "comes from",
                             name, (long long)i + 1, isnan(numbers[i]) ? "nan" : numbers[i] > 0.0 ? "inf" : "-inf");
    return DCPN_OK;
}

dcpn_status dcpn_write_numbers(dcpn_context *context, const char *path, const double *numbers, int64_t count)
{
    struct output_file file;
    char text[DCPN_NUMBER_LENGTH + 1];
    DCPN_NEED(context, context);
    if (count > 0) DCPN_NEED(context, numbers);
    DCPN_TRY(check(context, path, numbers, count));
    DCPN_TRY(dcpn_output_open(context, path, &file));
    for (int64_t i = 0; i < count; i++) {
        int length = dcpn_format_double(text, numbers[i]);
        text[length] = '\n';
        dcpn_output_write(&file, text, (size_t)length + 1);
    }
    return dcpn_output_commit(&file);
}
