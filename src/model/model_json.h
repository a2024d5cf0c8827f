/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON of models as a tree: parsed within the limit of memory and whatever the locale, and its checksum. */
#ifndef DCPN_SRC_MODEL_JSON_H
#define DCPN_SRC_MODEL_JSON_H

#include <jansson.h>

#include "base/context.h"
#include "base/json_hash.h"

/* *root is to be released with json_decref. DCPN_MODEL, with line and column, if the text is no JSON. */
dcpn_status dcpn_json_parse(dcpn_context *context, const char *name, const char *text, size_t size, json_t **root);

/* The checksum of what the whole says (base/json_hash.h). */
void dcpn_json_checksum(const json_t *root, char digits[DCPN_CHECKSUM_LENGTH]);

#endif
