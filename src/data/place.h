/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in a text something stands, counted only when it is refused, and the words of refusals. */
#ifndef DCPN_SRC_PLACE_H
#define DCPN_SRC_PLACE_H

#include "data/content.h"
#include "data/lines.h"
#include "dcpn/data.h"

/* Fails with DCPN_DATA and "<name>: line <n>, column <c>: <sentence>", the place being that of `at` in the content. */
dcpn_status dcpn_refuse_at(const struct content *content, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* [start, end) between quotes, shortened, unprintable characters as ?; "nothing" if it is empty. */
const char *dcpn_quote(const char *start, const char *end, char quote[DCPN_QUOTE_LENGTH]);
/* "1.8e308, the largest double": for numbers beyond it. */
const char *dcpn_largest(dcpn_value_type type);

#endif
