/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON under construction: objects, member by member, in a growing text. */
#ifndef DCPN_SRC_JSON_TEXT_H
#define DCPN_SRC_JSON_TEXT_H

#include "base/growing.h"

/* An object; `separator` stands between its members. */
struct json_object {
    struct text *text;
    const char *separator;
    int members;
};

/* A text with its quotes; NULL is null. */
void dcpn_json_append_text(struct text *text, const char *value);
/* JSON has no word for what is not finite: null. */
void dcpn_json_append_number(struct text *text, double value);

/* The key; its value is to be appended to the text that is returned. */
struct text *dcpn_json_member(struct json_object *object, const char *key);
void dcpn_json_number(struct json_object *object, const char *key, double value);
void dcpn_json_integer(struct json_object *object, const char *key, int64_t value);
void dcpn_json_text(struct json_object *object, const char *key, const char *value);
void dcpn_json_flag(struct json_object *object, const char *key, int value);
void dcpn_json_numbers(struct json_object *object, const char *key, const double *values, int64_t count);
/* shift is added to each. */
void dcpn_json_integers(struct json_object *object, const char *key, const int64_t *values, int64_t count,
                        int64_t shift);
/* NULL for the list is null. */
void dcpn_json_texts(struct json_object *object, const char *key, const char *const *values, int64_t count);

#endif
