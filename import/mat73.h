/* SPDX-License-Identifier: BSD-3-Clause */
/* MATLAB files of version 7.3. */
#ifndef DCPN_IMPORT_MAT73_H
#define DCPN_IMPORT_MAT73_H

#include "dcpn/data.h"
#include "hdf5_file.h"

dcpn_status mat73_read(const struct hdf5_file *file, const dcpn_read_options *options, dcpn_dataset **dataset);

#endif
