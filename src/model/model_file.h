/* SPDX-License-Identifier: BSD-3-Clause */
/* The files of models, paths and cross-validations: what their writers and readers agree on. */
#ifndef DCPN_SRC_MODEL_FILE_H
#define DCPN_SRC_MODEL_FILE_H

#include "base/json_text.h"
#include "dcpn/model.h"

#define DCPN_MODEL_FORMAT "dcpn-model"
#define DCPN_MODEL_VERSION 2 /* with several scores a row; else 1, which earlier versions of dcpn read, too */
#define DCPN_PATH_FORMAT "dcpn-path"
#define DCPN_CV_FORMAT "dcpn-cv"
#define DCPN_FACTORS_FORMAT "dcpn-factors"
#define DCPN_GRAPH_FORMAT "dcpn-graph"
#define DCPN_NEIGHBOURS_FORMAT "dcpn-neighbours"
#define DCPN_COMPLETION_FORMAT "dcpn-completion"
#define DCPN_PATH_VERSION 2 /* likewise */

/* The following functions write what the three kinds of files share. */
void dcpn_write_settings(struct json_writer *json, const dcpn_settings *settings);
/* Writes columns of categories, or nothing if there are none. */
void dcpn_write_categories(struct json_writer *json, const dcpn_category *categories, int64_t count);
/* Writes groups of features; NULL: writes nothing. */
void dcpn_write_groups(struct json_writer *json, const dcpn_groups *groups, int index_base);
/* Writes the names of classes or, if names is NULL, their numbers. */
/* Writes the classes, or the responses with their names; names NULL: there are none. */
void dcpn_write_classes(struct json_writer *json, const dcpn_classes *labels, const char *const *names);
/* Writes the format of a file whose models have so many scores a row. */
void dcpn_write_format(struct json_writer *json, const char *format, int64_t scores);
/* Writes the intercept as a number or, if there are several, the intercepts as a list. */
void dcpn_write_intercepts(struct json_writer *json, int64_t count, double first, const double *all);
/* The lists "index" and "value", and before them, with several scores, "class": the position of its class for each. */
struct written_coefficients {
    int64_t scores, features, count;
    const int64_t *index;
    const double *value;
    int index_base;
};
void dcpn_write_coefficients(struct json_writer *json, const struct written_coefficients *coefficients);
/* Where a fit ended, and what it cost. */
void dcpn_write_end(struct json_writer *json, const dcpn_result *fit);
void dcpn_write_work(struct json_writer *json, const dcpn_result *fit);
/* Gives the text that was written to a file, and frees it. */
dcpn_status dcpn_write_json(struct json_writer *json, const char *path);

#endif
