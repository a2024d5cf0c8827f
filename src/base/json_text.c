/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON under construction: values, one after another, in a growing text, and the checksum of what they say. */
#include "base/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_hash.h"
#include "base/number.h"
#include "base/utf8.h"

/* ---- where a value stands ---- */

static struct json_level *innermost(struct json_writer *json)
{
    return json->depth ? &json->levels[json->depth - 1] : NULL;
}

/* Writes what separates the next value or key from the one before it. */
static void separate(struct json_writer *json)
{
    struct json_level *level = innermost(json);
    if (!level) return;
    int has_lines = level->separator[1] == '\n';
    if (level->count++ || has_lines) dcpn_text_append(&json->text, level->separator + (level->count == 1));
}

/* Separates a value from the one before it in a list. In an object, the key has been separated already. */
static void begin_value(struct json_writer *json)
{
    if (json->depth && innermost(json)->is_list) separate(json);
}

static void end_value(struct json_writer *json, enum json_kind kind, uint64_t content)
{
    struct json_level *level = innermost(json);
    uint64_t value = dcpn_json_hash_of_value(kind, content);
    if (!level) return;
    if (level->is_list)
        level->hash = dcpn_json_hash_of_list(level->hash, value);
    else if (json->depth > 1 || !dcpn_json_is_apart(level->key))
        level->hash += dcpn_json_hash_of_member(level->key, value);
}

/* ---- values ---- */

static void put_word(struct json_writer *json, const char *word, enum json_kind kind)
{
    begin_value(json);
    dcpn_text_append(&json->text, word);
    end_value(json, kind, 0);
}

/* Appends one character of a text, escaped if need be. Returns the number of bytes that it has in the text. */
static int append_character(struct json_writer *json, const char *character)
{
    char piece[8] = "", plain[8] = "";
    unsigned char code = (unsigned char)*character;
    int length = dcpn_utf8_length(character);
    memcpy(plain, length ? character : "\xEF\xBF\xBD", length ? (size_t)length : 3);
    if (length == 0) /* bytes of a file name, say: one character that stands for what cannot be written */
        snprintf(piece, sizeof piece, "\\ufffd");
    else if (code < ' ')
        snprintf(piece, sizeof piece, "\\u%04x", (unsigned)code);
    else if (code == '"' || code == '\\')
        snprintf(piece, sizeof piece, "\\%c", *character);
    dcpn_text_append(&json->text, *piece ? piece : plain);
    dcpn_text_append(&json->scratch, plain);
    return length ? length : 1;
}

static void append_text(struct json_writer *json, const char *value)
{
    json->scratch.length = 0;
    dcpn_text_append(&json->text, "\"");
    while (*value) value += append_character(json, value);
    dcpn_text_append(&json->text, "\"");
}

void dcpn_json_put_text(struct json_writer *json, const char *value)
{
    if (!value) {
        put_word(json, "null", DCPN_JSON_NULL);
        return;
    }
    begin_value(json);
    append_text(json, value);
    end_value(json, DCPN_JSON_TEXT,
              dcpn_checksum(json->scratch.start ? json->scratch.start : "", json->scratch.length));
}

void dcpn_json_put_number(struct json_writer *json, double value)
{
    char number[DCPN_NUMBER_LENGTH];
    if (!isfinite(value)) {
        put_word(json, "null", DCPN_JSON_NULL);
        return;
    }
    dcpn_format_double(number, value);
    int is_whole = number[strspn(number, "-0123456789")] == '\0'; /* and read as such */
    begin_value(json);
    dcpn_text_append(&json->text, number);
    end_value(json, DCPN_JSON_NUMBER,
              is_whole ? dcpn_json_hash_of_integer(strtoll(number, NULL, 10)) : dcpn_json_hash_of_real(value));
}

void dcpn_json_put_integer(struct json_writer *json, int64_t value)
{
    begin_value(json);
    dcpn_text_append_integer(&json->text, value);
    end_value(json, DCPN_JSON_NUMBER, dcpn_json_hash_of_integer(value));
}

/* ---- objects and lists ---- */

void dcpn_json_key(struct json_writer *json, const char *key)
{
    separate(json);
    append_text(json, key);
    dcpn_text_append(&json->text, ": ");
    innermost(json)->key = key;
}

static void open_level(struct json_writer *json, const char *start, struct json_level level)
{
    begin_value(json);
    dcpn_text_append(&json->text, start);
    json->levels[json->depth++] = level;
}

void dcpn_json_open(struct json_writer *json, const char *separator)
{
    open_level(json, "{", (struct json_level){.separator = separator});
}

void dcpn_json_open_list(struct json_writer *json, int64_t count, const char *separator)
{
    open_level(json, "[", (struct json_level){.is_list = 1, .separator = separator, .hash = (uint64_t)count});
}

/* The brace of an object with a line for each member stands on one of its own, two blanks to the left of them. */
static void append_end(struct json_writer *json, const struct json_level *level)
{
    size_t length = strlen(level->separator);
    char line[16] = "";
    if (!level->is_list && level->separator[1] == '\n') memcpy(line, level->separator + 1, length - 3);
    dcpn_text_append(&json->text, line);
    dcpn_text_append(&json->text, level->is_list ? "]" : "}");
}

void dcpn_json_close(struct json_writer *json)
{
    struct json_level level = json->levels[--json->depth];
    append_end(json, &level);
    end_value(json, level.is_list ? DCPN_JSON_LIST : DCPN_JSON_OBJECT, level.hash);
}

/* ---- members ---- */

void dcpn_json_object(struct json_writer *json, const char *key, const char *separator)
{
    dcpn_json_key(json, key);
    dcpn_json_open(json, separator);
}

void dcpn_json_list(struct json_writer *json, const char *key, int64_t count, const char *separator)
{
    dcpn_json_key(json, key);
    dcpn_json_open_list(json, count, separator);
}

void dcpn_json_number(struct json_writer *json, const char *key, double value)
{
    dcpn_json_key(json, key);
    dcpn_json_put_number(json, value);
}

void dcpn_json_integer(struct json_writer *json, const char *key, int64_t value)
{
    dcpn_json_key(json, key);
    dcpn_json_put_integer(json, value);
}

void dcpn_json_text(struct json_writer *json, const char *key, const char *value)
{
    dcpn_json_key(json, key);
    dcpn_json_put_text(json, value);
}

void dcpn_json_flag(struct json_writer *json, const char *key, int value)
{
    dcpn_json_key(json, key);
    put_word(json, value ? "true" : "false", value ? DCPN_JSON_TRUE : DCPN_JSON_FALSE);
}

void dcpn_json_numbers(struct json_writer *json, const char *key, const double *values, int64_t count)
{
    dcpn_json_list(json, key, count, ", ");
    for (int64_t k = 0; k < count; k++) dcpn_json_put_number(json, values[k]);
    dcpn_json_close(json);
}

void dcpn_json_integers(struct json_writer *json, const char *key, const int64_t *values, int64_t count, int64_t shift)
{
    dcpn_json_list(json, key, count, ", ");
    for (int64_t k = 0; k < count; k++) dcpn_json_put_integer(json, values[k] + shift);
    dcpn_json_close(json);
}

void dcpn_json_texts(struct json_writer *json, const char *key, const char *const *values, int64_t count)
{
    dcpn_json_key(json, key);
    if (!values) {
        dcpn_json_put_text(json, NULL);
        return;
    }
    dcpn_json_open_list(json, count, ", ");
    for (int64_t k = 0; k < count; k++) dcpn_json_put_text(json, values[k]);
    dcpn_json_close(json);
}

/* ---- the whole ---- */

void dcpn_json_seal(struct json_writer *json)
{
    char digits[DCPN_CHECKSUM_LENGTH];
    snprintf(digits, sizeof digits, "%016" PRIx64, innermost(json)->hash);
    dcpn_json_text(json, "checksum", digits);
    dcpn_json_close(json);
    dcpn_text_append(&json->text, "\n");
}

dcpn_status dcpn_json_give(struct json_writer *json, char **text)
{
    if (json->text.status == DCPN_OK) json->text.status = json->scratch.status;
    dcpn_free(json->text.context, json->scratch.start);
    return dcpn_text_give(&json->text, text);
}
