/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON under construction: objects, member by member, in a growing text. */
#include "base/json_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void dcpn_json_append_text(struct text *text, const char *value)
{
    if (!value) {
        dcpn_text_append(text, "null");
        return;
    }
    dcpn_text_append(text, "\"");
    for (int length; *value; value += length) {
        char piece[8] = "";
        unsigned char code = (unsigned char)*value;
        length = dcpn_utf8_length(value);
        if (length == 0) { /* bytes of a file name, say: one character that stands for what cannot be written */
            length = 1;
            snprintf(piece, sizeof piece, "\\ufffd");
        } else if (code < ' ')
            snprintf(piece, sizeof piece, "\\u%04x", (unsigned)code);
        else if (code == '"' || code == '\\')
            snprintf(piece, sizeof piece, "\\%c", *value);
        else
            memcpy(piece, value, (size_t)length);
        dcpn_text_append(text, piece);
    }
    dcpn_text_append(text, "\"");
}

void dcpn_json_append_number(struct text *text, double value)
{
    if (isfinite(value))
        dcpn_text_append_number(text, value);
    else
        dcpn_text_append(text, "null");
}

struct text *dcpn_json_member(struct json_object *object, const char *key)
{
    if (object->members++) dcpn_text_append(object->text, object->separator);
    dcpn_json_append_text(object->text, key);
    dcpn_text_append(object->text, ": ");
    return object->text;
}

void dcpn_json_number(struct json_object *object, const char *key, double value)
{
    dcpn_json_append_number(dcpn_json_member(object, key), value);
}

void dcpn_json_integer(struct json_object *object, const char *key, int64_t value)
{
    dcpn_text_append_integer(dcpn_json_member(object, key), value);
}

void dcpn_json_text(struct json_object *object, const char *key, const char *value)
{
    dcpn_json_append_text(dcpn_json_member(object, key), value);
}

void dcpn_json_flag(struct json_object *object, const char *key, int value)
{
    dcpn_text_append(dcpn_json_member(object, key), value ? "true" : "false");
}

void dcpn_json_numbers(struct json_object *object, const char *key, const double *values, int64_t count)
{
    struct text *text = dcpn_json_member(object, key);
    dcpn_text_append(text, "[");
    for (int64_t k = 0; k < count; k++) {
        if (k) dcpn_text_append(text, ", ");
        dcpn_json_append_number(text, values[k]);
    }
    dcpn_text_append(text, "]");
}

void dcpn_json_integers(struct json_object *object, const char *key, const int64_t *values, int64_t count,
                        int64_t shift)
{
    struct text *text = dcpn_json_member(object, key);
    dcpn_text_append(text, "[");
    for (int64_t k = 0; k < count; k++) {
        if (k) dcpn_text_append(text, ", ");
        dcpn_text_append_integer(text, values[k] + shift);
    }
    dcpn_text_append(text, "]");
}

void dcpn_json_texts(struct json_object *object, const char *key, const char *const *values, int64_t count)
{
    struct text *text = dcpn_json_member(object, key);
    if (!values) {
        dcpn_text_append(text, "null");
        return;
    }
    dcpn_text_append(text, "[");
    for (int64_t k = 0; k < count; k++) {
        if (k) dcpn_text_append(text, ", ");
        dcpn_json_append_text(text, values[k]);
    }
    dcpn_text_append(text, "]");
}
