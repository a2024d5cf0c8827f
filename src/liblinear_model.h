/* SPDX-License-Identifier: BSD-3-Clause */
/* Models in the text format of LIBLINEAR. */
#ifndef DCPN_SRC_LIBLINEAR_MODEL_H
#define DCPN_SRC_LIBLINEAR_MODEL_H

#include "base/file.h"
#include "dcpn/model.h"

/* Does a file that begins so hold one? */
int dcpn_is_liblinear(const char *head, size_t length);
/* The rest of the file is read after the head. */
dcpn_status dcpn_liblinear_read(struct input_file *file, const char *head, size_t length, dcpn_model **model);

#endif
