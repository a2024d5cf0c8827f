/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays and texts that grow while their final size is unknown. */
#ifndef DCPN_SRC_GROWING_H
#define DCPN_SRC_GROWING_H

#include "base/context.h"

/* Returns the array with room for one more element behind count, moved if need be; NULL, the array still valid and
 * owned, if memory is short. The first array may be NULL with *capacity 0. */
void *dcpn_make_room(dcpn_context *context, void *array, int64_t count, int64_t *capacity, size_t size);

/* A text under construction. The first failure sticks. */
struct text {
    dcpn_context *context;
    char *start; /* ends in NUL once anything was appended */
    size_t length, capacity;
    dcpn_status status;
};

void dcpn_text_append(struct text *text, const char *addition);
void dcpn_text_append_number(struct text *text, double value);
void dcpn_text_append_integer(struct text *text, int64_t value);
/* Ends the construction: the text goes to the caller, or, if it failed, is freed and *given is NULL. */
dcpn_status dcpn_text_give(struct text *text, char **given);

#endif
