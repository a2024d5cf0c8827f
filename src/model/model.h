/* SPDX-License-Identifier: BSD-3-Clause */
/* Models from inside: what those who make them share. */
#ifndef DCPN_SRC_MODEL_H
#define DCPN_SRC_MODEL_H

#include "dcpn/path.h"

/* A model with room for its coefficients and default settings, of one score. */
dcpn_status dcpn_model_allocate(dcpn_context *context, int64_t nonzeros, dcpn_model **model);
/* Gives it copies of the intercepts, once its scores and classes are known, and of the classes, if there are any. */
dcpn_status dcpn_model_set_intercepts(dcpn_model *model, const double *intercepts);
dcpn_status dcpn_model_set_classes(dcpn_model *model, int64_t count, const double *classes);
/* The result in a model that was not fitted here. */
dcpn_result dcpn_result_of_no_fit(int64_t nonzeros);
/* Copies the texts of the settings and of the fit, borrowed so far, into memory of the model. */
dcpn_status dcpn_model_own_texts(dcpn_model *model);

/* Copies groups of features; NULL: no memory. */
dcpn_groups *dcpn_groups_copy(dcpn_context *context, const dcpn_groups *from);

#endif
