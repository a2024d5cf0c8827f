/* SPDX-License-Identifier: BSD-3-Clause */
/* The words with which a file is refused. */
#include "refusal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "data/dataset.h"

void import_list_add(struct import_list *list, const char *name)
{
    const char *separator = list->length ? ", " : "";
    size_t length = strlen(separator) + strlen(name);
    if (length >= sizeof list->text - list->length) return;
    sprintf(list->text + list->length, "%s%s", separator, name);
    list->length += length;
}

dcpn_status import_refuse(const struct content *content, const char *place, const char *format, ...)
{
    char sentence[DCPN_ERROR_LENGTH];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return dcpn_fail(content->context, DCPN_DATA, "%s: %.200s: %s", content->name, place, sentence);
}

dcpn_status import_refuse_dimensions(const struct content *content, const char *place, int dimensions)
{
    return import_refuse(content, place,
                         "found %d dimension%s, expected 2: a row for each sample and a column for each feature; "
                         "reshape it",
                         dimensions, dimensions == 1 ? "" : "s");
}

dcpn_status import_refuse_names(const struct content *content, const struct import_list *list)
{
    return dcpn_fail(content->context, DCPN_DATA,
                     "%s: found %s, expected a matrix X (or A, or data) and labels y; rename the matrix", content->name,
                     list->length ? list->text : "no variable");
}

dcpn_status import_check_shape(const struct content *content, const char *place, int64_t rows, int64_t columns)
{
    if (rows >= 1 && columns >= 1 && rows <= INT32_MAX && columns <= INT32_MAX) return DCPN_OK;
    return import_refuse(content, place,
                         "found a matrix of %lld x %lld, expected 1 to 2147483647 rows, and as many columns; write the "
                         "file again with what is meant",
                         (long long)rows, (long long)columns);
}

dcpn_status import_check_labels(const struct content *content, const char *place, int64_t count,
                                const dcpn_dataset *dataset)
{
    if (count == dataset->rows) return DCPN_OK;
    return import_refuse(content, place, "found %lld labels, expected %lld, one for each row of the matrix; %s",
                         (long long)count, (long long)dataset->rows,
                         count == dataset->features ? "is it transposed?" : "write one for each");
}
