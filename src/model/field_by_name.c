/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the member of a struct that a table has under a name. */
#include <string.h>

#include "model/fields.h"

static int read_field(const struct field *field, const void *from, dcpn_value *value)
{
    const void *at = (const char *)from + field->offset;
    *value = (dcpn_value){.kind = DCPN_KIND_COUNT};
    switch (field->type) {
    case REAL:
        *value = (dcpn_value){.kind = DCPN_KIND_REAL, .real = *(const double *)at};
        return 1;
    case TEXT:
        *value = (dcpn_value){.kind = DCPN_KIND_CHOICE, .text = *(const char *const *)at};
        return 1;
    case COUNT:
        value->count = *(const int64_t *)at;
        break;
    case WHOLE:
        value->count = *(const int *)at;
        break;
    }
    value->real = (double)value->count;
    return 1;
}

int dcpn_find_field(const struct field *fields, size_t count, const char *name, const void *from, dcpn_value *value)
{
    if (!from || !name || !value) return 0;
    for (size_t k = 0; k < count; k++)
        if (strcmp(fields[k].name, name) == 0) return read_field(&fields[k], from, value);
    return 0;
}
