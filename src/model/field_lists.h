/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of a file that have to lie between two bounds: lists of them, and tables of fields that have one each. */
#ifndef DCPN_SRC_FIELD_LISTS_H
#define DCPN_SRC_FIELD_LISTS_H

#include <float.h>
#include <math.h>

#include "base/json_text.h"
#include "model/model_fields.h"

/* What the numbers of a list may be, and what a refusal calls them. */
struct number_rule {
    double low, high;
    int may_be_null; /* it is NaN then */
    const char *expected;
};
static const struct number_rule DCPN_ANY_NUMBERS = {-HUGE_VAL, HUGE_VAL, 0, "numbers"};
static const struct number_rule DCPN_NUMBERS_OR_NULL = {-HUGE_VAL, HUGE_VAL, 1, "numbers or null"};
static const struct number_rule DCPN_WEIGHTS = {0.0, HUGE_VAL, 0, "numbers of at least 0"};
static const struct number_rule DCPN_POSITIVE = {DBL_TRUE_MIN, HUGE_VAL, 0, "positive numbers"};
static const struct number_rule DCPN_SHARES = {0.0, 1.0, 0, "shares from 0 to 1"};

struct whole_rule {
    int64_t low, high;
    const char *expected;
};
static const struct whole_rule DCPN_COUNTS = {0, INT64_MAX, "counts"};

/* Read a list of `count` values: one that is at hand, or that of a key into an array to be freed. */
dcpn_status dcpn_take_numbers(const struct model_reader *reader, const char *key, const json_t *list, int64_t count,
                              const struct number_rule *rule, double *numbers);
dcpn_status dcpn_field_numbers(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                               const struct number_rule *rule, double **numbers);
dcpn_status dcpn_take_wholes(const struct model_reader *reader, const char *key, const json_t *list, int64_t count,
                             const struct whole_rule *rule, int64_t *wholes);
dcpn_status dcpn_field_wholes(const struct model_reader *reader, const json_t *object, const char *key, int64_t count,
                              const struct whole_rule *rule, int64_t **wholes);

/* A number that stands in an object by a name of its own. */
struct number_field {
    const char *key;
    size_t offset; /* of the double in a struct */
    double low;    /* the least that can be */
    int may_be_null;
};
dcpn_status dcpn_read_number_fields(const struct model_reader *reader, const json_t *object,
                                    const struct number_field *fields, size_t count, void *to);
void dcpn_write_number_fields(struct json_writer *json, const struct number_field *fields, size_t count,
                              const void *from);

/* Reads the name of a penalty; the text is static. */
dcpn_status dcpn_field_penalty(const struct model_reader *reader, const json_t *object, const char *key,
                               const char **name);
#endif
