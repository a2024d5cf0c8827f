/* SPDX-License-Identifier: BSD-3-Clause */
/* The writers of the formats, where they have a file of their own. A file appears complete or not at all. */
#ifndef DCPN_SRC_WRITERS_H
#define DCPN_SRC_WRITERS_H

#include "base/file.h"
#include "dcpn/data.h"

dcpn_status dcpn_write_matrix_market(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_csv(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_tsv(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_npy(const dcpn_dataset *dataset, const char *path);
dcpn_status dcpn_write_npz(const dcpn_dataset *dataset, const char *path);

/* The archive alone, into an output that is open; level is zlib's. */
dcpn_status dcpn_npz_put(struct output_file *file, int level, const dcpn_dataset *dataset);

#endif
