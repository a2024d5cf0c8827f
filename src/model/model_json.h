/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON of models as a tree: parsed within the limit of memory and whatever the locale, and its checksum. */
#ifndef DCPN_SRC_MODEL_JSON_H
#define DCPN_SRC_MODEL_JSON_H

#include <jansson.h>

#include "base/growing.h"

enum { DCPN_CHECKSUM_LENGTH = 17 }; /* 16 hexadecimal digits and a NUL */

/* *root is to be released with json_decref. DCPN_MODEL, with line and column, if the text is no JSON. */
dcpn_status dcpn_json_parse(dcpn_context *context, const char *name, const char *text, size_t size, json_t **root);

/* The checksum of what an object says, except for its members "checksum", "command" and "timing": neither blanks nor
 * the order of members nor the way a number is written matter, so that a file may pass through other programs. */
void dcpn_json_checksum(const json_t *root, char digits[DCPN_CHECKSUM_LENGTH]);
/* Adds the member "checksum" to an object that is complete, its brace on a line of its own. */
void dcpn_json_seal(struct text *text);

#endif
