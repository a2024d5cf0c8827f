/* SPDX-License-Identifier: BSD-3-Clause */
/* The labels there are, each once. */
#ifndef DCPN_SRC_DISTINCT_LABELS_H
#define DCPN_SRC_DISTINCT_LABELS_H

#include "dcpn/base.h"

/* Lists the labels in ascending order, NaN left out. The list is to be freed. */
dcpn_status dcpn_distinct_labels(dcpn_context *context, const double *y, int64_t rows, double **labels, int64_t *count);
/* Lists the labels of all ranks, all of which make this call. */
dcpn_status dcpn_distinct_labels_of_ranks(dcpn_context *context, const double *y, int64_t rows, double **labels,
                                          int64_t *count);
/* The position of a label among them; -1: it is not there. */
int64_t dcpn_label_position(const double *labels, int64_t count, double label);

#endif
