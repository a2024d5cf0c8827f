/* SPDX-License-Identifier: BSD-3-Clause */
/* Members of structs by their names: a table for each struct, of which programs know no more than these. */
#ifndef DCPN_SRC_FIELDS_H
#define DCPN_SRC_FIELDS_H

#include <stddef.h>

#include "dcpn/handles.h"

enum field_type { REAL, COUNT, WHOLE, TEXT }; /* WHOLE: an int, flags and enumerations too */

struct field {
    const char *name;
    enum field_type type;
    size_t offset;
};

#define COUNT_OF(ARRAY) (sizeof(ARRAY) / sizeof *(ARRAY))

/* Reads the field of that name; 0: there is none, or a pointer is NULL. */
int dcpn_find_field(const struct field *fields, size_t count, const char *name, const void *from, dcpn_value *value);

#endif
