/* SPDX-License-Identifier: BSD-3-Clause */
/* What other programs found (tests/golden/README.md), as their cases tell it. */
#ifndef DCPN_TESTS_GOLDEN_H
#define DCPN_TESTS_GOLDEN_H

#include <jansson.h>
#include <stdio.h>

#include "dcpn/dcpn.h"

static inline void golden_path(char path[4096], const char *name)
{
    snprintf(path, 4096, "%s/golden/%s", DCPN_TESTS_DIR, name);
}

static inline json_t *golden_load(const char *name)
{
    char path[4096];
    json_error_t error;
    golden_path(path, name);
    json_t *cases = json_load_file(path, 0, &error);
    if (!cases) fail_msg("%s: %s", path, error.text);
    return cases;
}

static inline const char *golden_text(const json_t *one, const char *key)
{
    return json_string_value(json_object_get(one, key));
}

/* Reads the numbers of the file that the case names; NULL: it names none. */
static inline double *golden_numbers(dcpn_context *context, const json_t *one, const char *key, int64_t expected)
{
    char path[4096];
    double *numbers = NULL;
    int64_t count = 0;
    if (!golden_text(one, key)) return NULL;
    golden_path(path, golden_text(one, key));
    if (dcpn_read_numbers(context, path, &numbers, &count) != DCPN_OK) fail_msg("%s", dcpn_last_error(context));
    assert_int_equal(count, expected);
    return numbers;
}

#endif
