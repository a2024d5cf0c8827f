/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers of this program, which are built where their libraries are there. */
#ifndef DCPN_IMPORT_H
#define DCPN_IMPORT_H

#include "data/content.h"
#include "dcpn/data.h"

/* What a matrix in a MATLAB file is usually called; NULL ends the list. */
extern const char *const import_matrix_names[];

/* Labels stand in another file, which is not read here: there are none yet. */
dcpn_status import_leave_labels(const struct content *content, dcpn_dataset *dataset);

/* Each confines the program before it reads what the file says. */
dcpn_status import_mat(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset);
dcpn_status import_mat73(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset);
dcpn_status import_h5ad(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset);

#endif
