/* SPDX-License-Identifier: BSD-3-Clause */
/* Models in the text format of LIBLINEAR. */
#ifndef DCPN_SRC_LIBLINEAR_MODEL_H
#define DCPN_SRC_LIBLINEAR_MODEL_H

#include "dcpn/model.h"

/* Does a file that begins with these bytes hold such a model? */
int dcpn_is_liblinear(const char *head, size_t length);
/* Makes a model of the text of a whole file; name is that of the file. */
dcpn_status dcpn_liblinear_parse(dcpn_context *context, const char *name, const char *text, size_t size,
                                 dcpn_model **model);

#endif
