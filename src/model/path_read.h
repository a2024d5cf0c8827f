/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_PATH_READ_H
#define DCPN_SRC_PATH_READ_H

#include <jansson.h>

#include "dcpn/model.h"

/* A file of paths or of a cross-validation, in the place of which *model becomes a model file with the point that the
 * selection (NULL: none given) asks for; a new reference. Any other file is passed on as it is, unless something is to be
 * selected from it. name is that of the file, for the refusals. */
dcpn_status dcpn_select_model(dcpn_context *context, const char *name, json_t *root, const dcpn_selection *selection,
                              json_t **model);

#endif
