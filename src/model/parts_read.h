/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading what the files of models, paths and cross-validations have in common. */
#ifndef DCPN_SRC_PARTS_READ_H
#define DCPN_SRC_PARTS_READ_H

#include "model/model_fields.h"

/* Reads a file of JSON by `read`, into `made`. */
typedef dcpn_status dcpn_read_tree_function(struct model_reader *reader, const json_t *root, void *made);
dcpn_status dcpn_read_tree(dcpn_context *context, const char *path, dcpn_read_tree_function *read, void *made);
/* Refuses a tree of another format; `expected` is what the sentence says. */
dcpn_status dcpn_check_format(const struct model_reader *reader, const json_t *root, const char *format,
                              const char *expected);
/* Refuses a file whose checksum is not that of what it says. This is asked last, since the other checks say more about
 * what is wrong. */
dcpn_status dcpn_check_checksum(const struct model_reader *reader, const json_t *root);
/* Reads the version, and how many scores a row has, which the reader keeps. */
dcpn_status dcpn_read_version(struct model_reader *reader, const json_t *root, int64_t known);
/* Reads the first intercept and, if there are several scores, all of them into `all`, which has room for them. */
dcpn_status dcpn_read_intercepts(const struct model_reader *reader, const json_t *object, double *first, double *all);
/* The texts of the settings are those of the tree. */
dcpn_status dcpn_read_settings(struct model_reader *reader, const json_t *root, dcpn_settings *settings);
/* Are they settings that exist, and in their ranges? field is the name of what gave them. */
dcpn_status dcpn_check_read_settings(const struct model_reader *reader, const dcpn_settings *settings,
                                     const char *field);

/* Reads the unit of a shape; 0 if the file has none. */
dcpn_status dcpn_read_unit(const struct model_reader *reader, const json_t *object, const char *key, double *unit);
/* Reads features and index_base, which the reader keeps. */
dcpn_status dcpn_read_size(struct model_reader *reader, const json_t *root);
/* The lists "index" and key of an object, of one length: the numbers of features, ascending, and a number for each. */
dcpn_status dcpn_read_pair_count(const struct model_reader *reader, const json_t *object, const char *key,
                                 int64_t *count);
dcpn_status dcpn_read_pairs(const struct model_reader *reader, const json_t *object, const char *key, int64_t *index,
                            double *value);

/* Reads a list of texts, which are those of the tree; the list is to be freed. It is NULL if the file has none. */
dcpn_status dcpn_read_texts(const struct model_reader *reader, const json_t *object, const char *key,
                            const char ***texts, int64_t *count);

/* Reads a text for each of `count` variables, NULL if the file has none; the list is to be freed. */
dcpn_status dcpn_field_names(const struct model_reader *reader, const json_t *object, int64_t count,
                             const char ***names);

/* Checks the classes, which are null if the loss has none, and else a list of two or of one for each score. labels get
 * their number, or that of several responses. */
dcpn_status dcpn_check_classes(const struct model_reader *reader, const json_t *root, const char *loss,
                               dcpn_classes *labels);
/* Gives labels the numbers of responses, 1, 2, ... */
dcpn_status dcpn_number_responses(const struct model_reader *reader, dcpn_classes *labels);
dcpn_status dcpn_read_class_numbers(const struct model_reader *reader, const json_t *classes, double *numbers);

dcpn_status dcpn_read_outcome(const struct model_reader *reader, const json_t *value, dcpn_outcome *outcome);
/* Sizes that the file states twice have to agree. */
dcpn_status dcpn_check_stated(const struct model_reader *reader, const json_t *object, const char *key, int64_t size);
/* Reads a result except the names of the parts, which dcpn_read_parts reads. result->nonzeros is known before. */
dcpn_status dcpn_read_result(const struct model_reader *reader, const json_t *fit, dcpn_result *result);
dcpn_status dcpn_read_parts(const struct model_reader *reader, const json_t *object, dcpn_result *result);
/* Reads columns of categories into one block of memory, to be freed; NULL if there are none. */
dcpn_status dcpn_read_categories(const struct model_reader *reader, const json_t *root, dcpn_category **categories,
                                 int64_t *count);
/* Reads groups of features, to be freed; NULL if there are none. The reader knows the features. */
dcpn_status dcpn_read_groups(const struct model_reader *reader, const json_t *root, dcpn_groups **groups);
/* Reads whether the fit had an offset; the file says it only if there was one. */
dcpn_status dcpn_read_offset(const struct model_reader *reader, const json_t *root, int *has_offset);

#endif
