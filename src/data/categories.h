/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a table that hold categories: copies of the list of them, each in one block of memory. */
#ifndef DCPN_SRC_CATEGORIES_H
#define DCPN_SRC_CATEGORIES_H

#include "base/context.h"
#include "data/names.h"
#include "dcpn/data.h"

/* To be freed with dcpn_free; NULL: there are none, or memory is short. */
dcpn_category *dcpn_categories_copy(dcpn_context *context, const dcpn_category *categories, int64_t count);
/* The level that a field names, "" in it standing for one "; -1: it names none. The levels ascend. */
int64_t dcpn_category_find(const dcpn_category *category, struct word word);
/* "site=Lyon": what the feature of a level is called; to be freed with dcpn_free. */
char *dcpn_category_feature(dcpn_context *context, const dcpn_category *category, int64_t level);

#endif
