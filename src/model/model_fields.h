/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_MODEL_FIELDS_H
#define DCPN_SRC_MODEL_FIELDS_H

#include <jansson.h>

#include "dcpn/dcpn.h"

struct model_reader {
    dcpn_context *context;
    const char *name;  /* of the file */
    const char *group; /* "fit." while the fields of fit are read, "" at the top */
    int64_t features, scores;
    int64_t intercepts; /* of a model, once its classes are known */
    int index_base;
};

/* Describes a value of a file for messages. */
const char *dcpn_field_describe(const json_t *value);
dcpn_status dcpn_field_refuse(const struct model_reader *reader, const char *field, const char *found,
                              const char *expected);
dcpn_status dcpn_field_object(const struct model_reader *reader, const json_t *parent, const char *key,
                              const json_t **object);
dcpn_status dcpn_field_number(const struct model_reader *reader, const json_t *object, const char *key, double *number);
/* Reads a result, which may be null: it was not finite when it was written. */
dcpn_status dcpn_field_result(const struct model_reader *reader, const json_t *object, const char *key, double *number);
dcpn_status dcpn_field_integer(const struct model_reader *reader, const json_t *object, const char *key,
                               int64_t *number);
dcpn_status dcpn_field_count(const struct model_reader *reader, const json_t *object, const char *key, int64_t *count);
dcpn_status dcpn_field_flag(const struct model_reader *reader, const json_t *object, const char *key, int *flag);
dcpn_status dcpn_field_text(const struct model_reader *reader, const json_t *object, const char *key,
                            const char **text);
dcpn_status dcpn_field_array(const struct model_reader *reader, const json_t *object, const char *key,
                             const json_t **array);

#endif
