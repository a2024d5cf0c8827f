/* SPDX-License-Identifier: BSD-3-Clause */
/* Models in the text format of LIBLINEAR. */
#ifndef DCPN_SRC_LIBLINEAR_MODEL_H
#define DCPN_SRC_LIBLINEAR_MODEL_H

#include "dcpn/model.h"

/* Does a file that begins so hold one? */
int dcpn_is_liblinear(const char *head, size_t length);
/* The whole file in memory; name is that of the file. */
dcpn_status dcpn_liblinear_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                                 dcpn_model **model);

#endif
