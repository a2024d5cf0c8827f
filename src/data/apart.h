/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading in a process of its own. */
#ifndef DCPN_SRC_APART_H
#define DCPN_SRC_APART_H

#include "data/content.h"
#include "dcpn/data.h"

typedef dcpn_status read_function(const struct content *, const dcpn_read_options *, dcpn_dataset **);

/* For readers built on libraries that damaged files can bring down: whatever happens to the process that reads, the
 * caller gets a data set or a refusal. The data set comes back as a NumPy archive in memory, which is read like any
 * other file. */
dcpn_status dcpn_read_apart(const struct content *content, const dcpn_read_options *options, read_function *read,
                            dcpn_dataset **dataset);

#endif
