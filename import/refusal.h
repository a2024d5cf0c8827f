/* SPDX-License-Identifier: BSD-3-Clause */
/* The words with which a file is refused. */
#ifndef DCPN_IMPORT_REFUSAL_H
#define DCPN_IMPORT_REFUSAL_H

#include "data/content.h"
#include "dcpn/data.h"

/* What to do with a file that contradicts itself. */
#define DAMAGED "the file is cut short or damaged: copy or write it again"

/* Names of what a file holds, for a refusal; those for which there is no room are left out. */
struct import_list {
    char text[256];
    size_t length;
};
void import_list_add(struct import_list *list, const char *name);

/* Fails with DCPN_DATA and "<name>: <place>: <sentence>". */
dcpn_status import_refuse(const struct content *content, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

dcpn_status import_refuse_dimensions(const struct content *content, const char *place, int dimensions);
/* Nothing of the file is called like a matrix. */
dcpn_status import_refuse_names(const struct content *content, const struct import_list *list);

/* A matrix has one row and one column at least, and as many as an index can tell. */
dcpn_status import_check_shape(const struct content *content, const char *place, int64_t rows, int64_t columns);
/* A label for each row. */
dcpn_status import_check_labels(const struct content *content, const char *place, int64_t count,
                                const dcpn_dataset *dataset);

#endif
