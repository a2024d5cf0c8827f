/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of categories in a table: which they are, what their levels are, and which feature each level is. */
#ifndef DCPN_SRC_CSV_CATEGORIES_H
#define DCPN_SRC_CSV_CATEGORIES_H

#include <math.h>

#include "data/categories.h"
#include "data/csv.h"

/* A column of categories. Its first level is the reference, for which all features of the column are 0; each other one
 * has a feature that is 1 where the row has that level. */
struct csv_coding {
    dcpn_category category; /* the texts are in one block, that of `made`, or are borrowed from the options */
    dcpn_category *made;
    int32_t *feature_of; /* of each level, from 0; -1: the reference, or a level that is not asked for */
    int64_t features;    /* how many levels have one */
};

/* Takes over the columns whose levels the options know, which are those of a model. */
dcpn_status dcpn_csv_take_categories(struct csv *csv);
/* Finds the columns that are to be coded, their levels being what stands in the rows; the column of the labels is
 * known. */
dcpn_status dcpn_csv_find_categories(struct csv *csv);
/* Adds to *entries the number of entries that the field at `at` makes. Returns the end of the field; NULL: its quotes
 * are wrong. */
const char *dcpn_csv_count_category(const struct csv *csv, const struct csv_coding *coding, const char *at,
                                    int64_t *entries);
/* The value of the feature of a level in a row of level `found`; found is -1 where that is missing. */
static inline double dcpn_csv_level_value(const struct csv *csv, int64_t level, int64_t found)
{
    if (found >= 0) return level == found;
    return csv->missing == CSV_ZERO ? 0.0 : (double)NAN;
}
void dcpn_csv_free_categories(struct csv *csv);

/* The coding of a field; NULL if it is no column of categories. */
static inline const struct csv_coding *dcpn_csv_coding(const struct csv *csv, int64_t field)
{
    return csv->coding_of && field < csv->columns ? csv->coding_of[field] : NULL;
}

#endif
