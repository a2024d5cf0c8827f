/* SPDX-License-Identifier: BSD-3-Clause */
/* The writers of the formats, where they have a file of their own. A file appears complete or not at all. */
#ifndef DCPN_SRC_WRITERS_H
#define DCPN_SRC_WRITERS_H

#include "dcpn/data.h"

dcpn_status dcpn_write_matrix_market(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_csv(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_tsv(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_npy(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_npz(const dcpn_dataset *dataset, const char *path);

#endif
