/* SPDX-License-Identifier: BSD-3-Clause */
/* The three kinds of files as trees, read into what was written. A file is read as a whole or refused. */
#ifndef DCPN_SRC_MODEL_READ_H
#define DCPN_SRC_MODEL_READ_H

#include "dcpn/results.h"
#include "model/model_fields.h"

dcpn_status dcpn_model_from_json(struct model_reader *reader, const json_t *root, dcpn_model **model);
/* Paths and where they came from; texts are those of the tree. */
dcpn_status dcpn_paths_from_json(struct model_reader *reader, const json_t *root, dcpn_results *results);
/* A cross-validation, whose paths have been read. It takes them over. */
dcpn_status dcpn_cv_from_json(struct model_reader *reader, const json_t *root, dcpn_results *results);

#endif
