/* SPDX-License-Identifier: BSD-3-Clause */
/* The fields of a result file, whatever they are. */
#include "findings_fields.h"

#include <math.h>

void dcpn_cli_field_refuse(struct findings_reader *reader, const char *field, const char *expected)
{
    if (reader->code) return;
    reader->code = dcpn_cli_fail(reader->cli, DCPN_MODEL,
                                 "%s: field %s: expected %s; the file is damaged or not from dcpn: make it again",
                                 reader->findings->path, field, expected);
}

void *dcpn_cli_field_allocate(struct findings_reader *reader, int64_t count, size_t size)
{
    void *memory = reader->code ? NULL : dcpn_cli_allocate(reader->cli, count, size);
    if (!memory && !reader->code) reader->code = dcpn_status_exit_code(DCPN_MEMORY);
    return memory;
}

double dcpn_cli_get_number(struct findings_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_number(value)) dcpn_cli_field_refuse(reader, key, "a number or null");
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

double dcpn_cli_need_number(struct findings_reader *reader, const json_t *object, const char *key)
{
    double number = dcpn_cli_get_number(reader, object, key);
    if (!isfinite(number)) dcpn_cli_field_refuse(reader, key, "a number");
    return number;
}

int64_t dcpn_cli_get_count(struct findings_reader *reader, const json_t *object, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value)) return otherwise;
    if (!json_is_integer(value) || json_integer_value(value) < 0) dcpn_cli_field_refuse(reader, key, "a count");
    return json_integer_value(value);
}

const char *dcpn_cli_get_text(struct findings_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_string(value)) dcpn_cli_field_refuse(reader, key, "a text or null");
    return json_string_value(value);
}

int dcpn_cli_get_truth(struct findings_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value || json_is_null(value)) return -1;
    if (!json_is_boolean(value)) dcpn_cli_field_refuse(reader, key, "true, false or null");
    return json_is_true(value) != 0;
}

const json_t *dcpn_cli_get_list(struct findings_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_null(value) && !json_is_array(value)) dcpn_cli_field_refuse(reader, key, "a list");
    return json_is_array(value) ? value : NULL;
}

const char **dcpn_cli_get_texts(struct findings_reader *reader, const json_t *object, const char *key, size_t *count)
{
    const json_t *list = dcpn_cli_get_list(reader, object, key);
    const char **texts = list ? dcpn_cli_field_allocate(reader, (int64_t)json_array_size(list), sizeof *texts) : NULL;
    *count = texts ? json_array_size(list) : 0;
    for (size_t i = 0; i < *count; i++) {
        texts[i] = json_string_value(json_array_get(list, i));
        if (!texts[i]) dcpn_cli_field_refuse(reader, key, "a list of texts");
    }
    return texts;
}

int64_t dcpn_cli_get_feature(struct findings_reader *reader, const json_t *number, const char *key)
{
    json_int_t feature = json_integer_value(number), base = reader->findings->index_base;
    if (!json_is_integer(number) || feature < base || feature - base >= reader->findings->features)
        dcpn_cli_field_refuse(reader, key, "numbers of features");
    return feature - base;
}
