/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a table that hold categories: copies of the list of them, each in one block of memory. */
#ifndef DCPN_SRC_CATEGORIES_H
#define DCPN_SRC_CATEGORIES_H

#include "base/context.h"
#include "data/names.h"
#include "dcpn/data.h"

/* Copies a list of categories into one block, to be freed with dcpn_free. NULL: there are none, or memory is short. */
dcpn_category *dcpn_categories_copy(dcpn_context *context, const dcpn_category *categories, int64_t count);
/* Finds the level that a field names, in which "" stands for one "; -1: it names none. The levels ascend. */
int64_t dcpn_category_find(const dcpn_category *category, struct word word);
/* Makes the name of the feature of a level, "site=Lyon", to be freed with dcpn_free. */
char *dcpn_category_feature(dcpn_context *context, const dcpn_category *category, int64_t level);

#endif
