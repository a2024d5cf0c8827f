/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a file that have to lie between two bounds: lists of them, and tables of fields that have one each. */
#include "model/field_lists.h"

#include "base/context.h"
#include "settings/registry.h"

static dcpn_status check_length(const struct model_reader *reader, const char *key, const json_t *list, int64_t count)
{
    if (!json_is_array(list)) return dcpn_field_refuse(reader, key, dcpn_field_describe(list), "an array");
    if ((int64_t)json_array_size(list) == count) return DCPN_OK;
    return dcpn_field_refuse(reader, key, "another number of values", "as many as the rest of the file says");
}

dcpn_status dcpn_take_numbers(const struct model_reader *reader, const char *key, const json_t *list, int64_t count,
                              const struct number_rule *rule, double *numbers)
{
    DCPN_TRY(check_length(reader, key, list, count));
    for (int64_t k = 0; k < count; k++) {
        const json_t *number = json_array_get(list, (size_t)k);
        numbers[k] = json_is_number(number) ? json_number_value(number) : (double)NAN;
        int is_right = json_is_null(number) ? rule->may_be_null : numbers[k] >= rule->low && numbers[k] <= rule->high;
        if (!is_right) return dcpn_field_refuse(reader, key, dcpn_field_describe(number), rule->expected);
    }
    return DCPN_OK;
}

dcpn_status dcpn_field_numbers(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                               const struct number_rule *rule, double **numbers)
{
    const json_t *list = json_object_get(object, key);
    DCPN_TRY(check_length(reader, key, list, count)); /* before memory is asked for */
    *numbers = dcpn_allocate(reader->context, (size_t)count, sizeof **numbers);
    return *numbers ? dcpn_take_numbers(reader, key, list, count, rule, *numbers) : DCPN_MEMORY;
}

dcpn_status dcpn_take_wholes(const struct model_reader *reader, const char *key, const json_t *list, int64_t count,
                             const struct whole_rule *rule, int64_t *wholes)
{
    DCPN_TRY(check_length(reader, key, list, count));
    for (int64_t k = 0; k < count; k++) {
        const json_t *whole = json_array_get(list, (size_t)k);
        wholes[k] = json_integer_value(whole);
        if (!json_is_integer(whole) || wholes[k] < rule->low || wholes[k] > rule->high)
            return dcpn_field_refuse(reader, key, dcpn_field_describe(whole), rule->expected);
    }
    return DCPN_OK;
}

dcpn_status dcpn_field_wholes(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                              const struct whole_rule *rule, int64_t **wholes)
{
    const json_t *list = json_object_get(object, key);
    DCPN_TRY(check_length(reader, key, list, count));
    *wholes = dcpn_allocate(reader->context, (size_t)count, sizeof **wholes);
    return *wholes ? dcpn_take_wholes(reader, key, list, count, rule, *wholes) : DCPN_MEMORY;
}

dcpn_status dcpn_read_number_fields(const struct model_reader *reader, const json_t *object,
                                    const struct number_field *fields, size_t count, void *to)
{
    for (size_t k = 0; k < count; k++) {
        double *number = (double *)(void *)((char *)to + fields[k].offset);
        DCPN_TRY(
            (fields[k].may_be_null ? dcpn_field_result : dcpn_field_number)(reader, object, fields[k].key, number));
        if (*number < fields[k].low)
            return dcpn_field_refuse(reader, fields[k].key, "a number below the least that can be",
                                     fields[k].low > 0.0 ? "a positive number" : "one of at least 0");
    }
    return DCPN_OK;
}

void dcpn_write_number_fields(struct json_writer *json, const struct number_field *fields, size_t count,
                              const void *from)
{
    for (size_t k = 0; k < count; k++)
        dcpn_json_number(json, fields[k].key, *(const double *)(const void *)((const char *)from + fields[k].offset));
}

dcpn_status dcpn_field_penalty(const struct model_reader *reader, const json_t *object, const char *key,
                               const char **name)
{
    const char *text;
    DCPN_TRY(dcpn_field_text(reader, object, key, &text));
    const dcpn_penalty_ops *penalty = dcpn_find_penalty(text);
    if (!penalty) return dcpn_field_refuse(reader, key, "an unknown text", "the name of a penalty, like \"l1\"");
    *name = penalty->name;
    return DCPN_OK;
}
