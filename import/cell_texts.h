/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of a MATLAB cell array on their way to labels. */
#ifndef DCPN_IMPORT_CELL_TEXTS_H
#define DCPN_IMPORT_CELL_TEXTS_H

#include <stdint.h>

#include "base/growing.h"
#include "data/content.h"
#include "dcpn/data.h"

struct cell_texts {
    dcpn_context *context;
    struct text text;
    int64_t *ends, capacity, count;
};

dcpn_status cell_texts_open(dcpn_context *context, int64_t capacity, struct cell_texts *texts);
/* One more cell: UTF-16, or bytes as they are. What is no text is said when the labels are checked to be UTF-8. */
void cell_texts_add_utf16(struct cell_texts *texts, const uint16_t *units, int64_t count);
void cell_texts_add_bytes(struct cell_texts *texts, const char *bytes, int64_t count);
/* The labels of the data set, one for each row. */
dcpn_status cell_texts_labels(struct cell_texts *texts, const char *name, const dcpn_read_options *options,
                              dcpn_dataset *dataset);
void cell_texts_close(struct cell_texts *texts);

#endif
