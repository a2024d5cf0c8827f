/* SPDX-License-Identifier: BSD-3-Clause */
/* Fields of a model's JSON, each of the type that it has to be, or refused by its name. */
#include "model/model_fields.h"

#include <math.h>

#include "base/context.h"

const char *dcpn_field_describe(const json_t *value)
{
    if (!value) return "nothing";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
        return "a whole number";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    default:
        return "null";
    }
}

dcpn_status dcpn_field_refuse(const struct model_reader *reader, const char *field, const char *found,
                              const char *expected)
{
    return dcpn_fail(reader->context, DCPN_MODEL,
                     "%s: field %s%s: found %s, expected %s; the file is damaged or not from dcpn: make it again",
                     reader->name, reader->group, field, found, expected);
}

dcpn_status dcpn_field_object(const struct model_reader *reader, const json_t *parent, const char *key,
                              const json_t **object)
{
    *object = json_object_get(parent, key);
    return json_is_object(*object) ? DCPN_OK
                                   : dcpn_field_refuse(reader, key, dcpn_field_describe(*object), "an object");
}

dcpn_status dcpn_field_number(const struct model_reader *reader, const json_t *object, const char *key, double *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value)) return dcpn_field_refuse(reader, key, dcpn_field_describe(value), "a number");
    *number = json_number_value(value);
    return DCPN_OK;
}

/* A result may be null: not finite when it was written. */
dcpn_status dcpn_field_result(const struct model_reader *reader, const json_t *object, const char *key, double *number)
{
    *number = NAN;
    return json_is_null(json_object_get(object, key)) ? DCPN_OK : dcpn_field_number(reader, object, key, number);
}

dcpn_status dcpn_field_integer(const struct model_reader *reader, const json_t *object, const char *key,
                               int64_t *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value)) return dcpn_field_refuse(reader, key, dcpn_field_describe(value), "a whole number");
    *number = json_integer_value(value);
    return DCPN_OK;
}

dcpn_status dcpn_field_count(const struct model_reader *reader, const json_t *object, const char *key, int64_t *count)
{
    DCPN_TRY(dcpn_field_integer(reader, object, key, count));
    return *count >= 0 ? DCPN_OK : dcpn_field_refuse(reader, key, "a negative number", "a count");
}

dcpn_status dcpn_field_flag(const struct model_reader *reader, const json_t *object, const char *key, int *flag)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_boolean(value)) return dcpn_field_refuse(reader, key, dcpn_field_describe(value), "true or false");
    *flag = json_is_true(value);
    return DCPN_OK;
}

dcpn_status dcpn_field_text(const struct model_reader *reader, const json_t *object, const char *key, const char **text)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_string(value)) return dcpn_field_refuse(reader, key, dcpn_field_describe(value), "a text");
    *text = json_string_value(value);
    return DCPN_OK;
}

dcpn_status dcpn_field_array(const struct model_reader *reader, const json_t *object, const char *key,
                             const json_t **array)
{
    *array = json_object_get(object, key);
    return json_is_array(*array) ? DCPN_OK : dcpn_field_refuse(reader, key, dcpn_field_describe(*array), "an array");
}
