/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of features from a file of their own, and what is asked of names wherever they come from. */
#ifndef DCPN_SRC_FEATURE_NAMES_H
#define DCPN_SRC_FEATURE_NAMES_H

#include "base/context.h"
#include "dcpn/data.h"

/* Reads names, one a line, into one block of memory to be freed with dcpn_free. */
dcpn_status dcpn_feature_names_read(dcpn_context *context, const char *path, char ***names, int64_t *count);
/* Refuses names of features and of classes that are not UTF-8; path is that of the data, for the refusal. */
dcpn_status dcpn_check_names(const char *path, const dcpn_dataset *dataset);

#endif
