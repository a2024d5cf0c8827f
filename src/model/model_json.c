/* SPDX-License-Identifier: BSD-3-Clause */
/* The JSON of models as a tree. */
#include "model/model_json.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* ---- parsing ------------------------------------------------------------------------------------------------------*/

/* jansson allocates by itself, more than the text has bytes: for each array or object, and for each value. */
enum { BYTES_PER_GROUP = 256, BYTES_PER_VALUE = 96 };

/* jansson, what it frees and the checksum go into each array and object within another on the stack, 200 bytes for each
 * and more under a sanitizer: 2000 of them are too many for a thread with a small one. dcpn's own files have fewer
 * than ten. */
enum { MOST_NESTED = 64 };

/* Finds the place where arrays and objects are nested more deeply than is allowed; NULL: there is none. Brackets within
 * texts do not count. */
static const char *too_deep(const char *text, size_t size)
{
    int depth = 0, is_text = 0;
    for (const char *at = text, *end = text + size; at < end; at++) {
        if (*at == '\\' && is_text && at + 1 < end)
            at++;
        else if (*at == '"')
            is_text = !is_text;
        else if (!is_text && (*at == '[' || *at == '{') && ++depth > MOST_NESTED)
            return at;
        else if (!is_text && (*at == ']' || *at == '}'))
            depth--;
    }
    return NULL;
}

static dcpn_status check_depth(dcpn_context *context, const char *name, const char *text, size_t size)
{
    const char *deep = too_deep(text, size), *start = text;
    int line = 1;
    if (!deep) return DCPN_OK;
    for (const char *at = text; at < deep; at++) {
        if (*at != '\n') continue;
        line++;
        start = at + 1;
    }
    return dcpn_fail(context, DCPN_MODEL,
                     "%s: line %d, column %lld: found more than %d arrays or objects within one another, expected a "
                     "dcpn model, which has fewer; the file is damaged or not from dcpn: fit the model again",
                     name, line, (long long)(deep - start) + 1, MOST_NESTED);
}

static size_t memory_of_tree(const char *text, size_t size)
{
    size_t groups = 0, values = 0;
    for (size_t k = 0; k < size; k++) {
        groups += text[k] == '[' || text[k] == '{';
        values += text[k] == ',' || text[k] == ':';
    }
    return groups * BYTES_PER_GROUP + values * BYTES_PER_VALUE + size;
}

/* jansson asks the locale of the calling thread for its decimal point: it is to be "." meanwhile. */
static json_t *load(const char *text, size_t size, json_error_t *error)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!plain) return NULL;
    locale_t usual = uselocale(plain);
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, error);
    uselocale(usual);
    freelocale(plain);
    return root;
}

dcpn_status dcpn_json_parse(dcpn_context *context, const char *name, const char *text, size_t size, json_t **root)
{
    json_error_t error = {0};
    *root = NULL;
    size_t mark = dcpn_byte_order_mark(text, size);
    text += mark;
    size -= mark;
    DCPN_TRY(check_depth(context, name, text, size));
    DCPN_TRY(dcpn_memory_for(context, dcpn_memory_check(context, memory_of_tree(text, size)), name));
    *root = load(text, size, &error);
    if (*root) return DCPN_OK;
    if (!error.text[0] || json_error_code(&error) == json_error_out_of_memory)
        return dcpn_fail(context, DCPN_MEMORY, "%s: out of memory while its JSON was read", name);
    return dcpn_fail(context, DCPN_MODEL,
                     "%s: line %d, column %d: found no valid JSON (%s), expected a file of dcpn; it is damaged or not "
                     "from dcpn: make it again",
                     name, error.line, error.column, error.text);
}

/* ---- the checksum -------------------------------------------------------------------------------------------------*/

static uint64_t hash_of_value(const json_t *value);

static uint64_t hash_of_members(const json_t *object, int is_root)
{
    uint64_t sum = 0;
    json_t *members = (json_t *)(uintptr_t)object; /* the iterator counts no references */
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at)) {
        const char *key = json_object_iter_key(at);
        if (is_root && dcpn_json_is_apart(key)) continue;
        sum += dcpn_json_hash_of_member(key, hash_of_value(json_object_iter_value(at)));
    }
    return sum;
}

static uint64_t hash_of_array(const json_t *array)
{
    uint64_t hash = json_array_size(array);
    for (size_t k = 0; k < json_array_size(array); k++)
        hash = dcpn_json_hash_of_list(hash, hash_of_value(json_array_get(array, k)));
    return hash;
}

static uint64_t hash_of_content(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return hash_of_members(value, 0);
    case JSON_ARRAY:
        return hash_of_array(value);
    case JSON_STRING:
        return dcpn_checksum(json_string_value(value), json_string_length(value));
    case JSON_INTEGER:
        return dcpn_json_hash_of_integer(json_integer_value(value));
    case JSON_REAL:
        return dcpn_json_hash_of_real(json_real_value(value));
    default:
        return 0;
    }
}

static enum json_kind kind_of(const json_t *value)
{
    static const enum json_kind kinds[] = {
        [JSON_OBJECT] = DCPN_JSON_OBJECT,  [JSON_ARRAY] = DCPN_JSON_LIST,  [JSON_STRING] = DCPN_JSON_TEXT,
        [JSON_INTEGER] = DCPN_JSON_NUMBER, [JSON_REAL] = DCPN_JSON_NUMBER, [JSON_TRUE] = DCPN_JSON_TRUE,
        [JSON_FALSE] = DCPN_JSON_FALSE,    [JSON_NULL] = DCPN_JSON_NULL,
    };
    return kinds[json_typeof(value)];
}

static uint64_t hash_of_value(const json_t *value)
{
    return dcpn_json_hash_of_value(kind_of(value), hash_of_content(value));
}

void dcpn_json_checksum(const json_t *root, char digits[DCPN_CHECKSUM_LENGTH])
{
    snprintf(digits, DCPN_CHECKSUM_LENGTH, "%016llx", (unsigned long long)hash_of_members(root, 1));
}
