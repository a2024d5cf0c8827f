/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON under construction: values, one after another, in a growing text, and the checksum of what they say. */
#ifndef DCPN_SRC_JSON_TEXT_H
#define DCPN_SRC_JSON_TEXT_H

#include "base/growing.h"

enum { DCPN_JSON_DEPTH = 8 };

/* An object or a list whose end has not come yet. */
struct json_level {
    int is_list;
    const char *separator; /* ", ", or ",\n" and blanks: a line for each value */
    const char *key;       /* of the member under way */
    int64_t count;
    uint64_t hash;
};

/* The first failure sticks. */
struct json_writer {
    struct text text;
    struct text scratch; /* a text as a reader will see it */
    struct json_level levels[DCPN_JSON_DEPTH];
    int depth;
};

static inline struct json_writer dcpn_json_writer(dcpn_context *context)
{
    return (struct json_writer){.text = {.context = context}, .scratch = {.context = context}};
}

/* Each value is the next one of a list, or the one of the key before it, or the whole. Keys are borrowed until then. */
void dcpn_json_key(struct json_writer *json, const char *key);
void dcpn_json_open(struct json_writer *json, const char *separator);
/* Opens a list that is to get so many values. */
void dcpn_json_open_list(struct json_writer *json, int64_t count, const char *separator);
void dcpn_json_close(struct json_writer *json);
/* Numbers that are not finite and a text that is NULL are written as null. */
void dcpn_json_put_number(struct json_writer *json, double value);
void dcpn_json_put_integer(struct json_writer *json, int64_t value);
void dcpn_json_put_text(struct json_writer *json, const char *value);

/* The following functions write a key and its value. */
void dcpn_json_object(struct json_writer *json, const char *key, const char *separator);
void dcpn_json_list(struct json_writer *json, const char *key, int64_t count, const char *separator);
void dcpn_json_number(struct json_writer *json, const char *key, double value);
void dcpn_json_integer(struct json_writer *json, const char *key, int64_t value);
void dcpn_json_text(struct json_writer *json, const char *key, const char *value);
void dcpn_json_flag(struct json_writer *json, const char *key, int value);
void dcpn_json_numbers(struct json_writer *json, const char *key, const double *values, int64_t count);
/* Writes integers, to each of which shift is added. */
void dcpn_json_integers(struct json_writer *json, const char *key, const int64_t *values, int64_t count, int64_t shift);
/* Writes a list of texts; values NULL is written as null. */
void dcpn_json_texts(struct json_writer *json, const char *key, const char *const *values, int64_t count);

/* Ends the whole with its checksum and a line end. */
void dcpn_json_seal(struct json_writer *json);
/* Gives the text to the caller or, if it failed, frees it and sets *text to NULL. */
dcpn_status dcpn_json_give(struct json_writer *json, char **text);

#endif
