/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_H5AD_H
#define DCPN_SRC_H5AD_H

#include "data/content.h"
#include "dcpn/data.h"

dcpn_status dcpn_h5ad_read(const struct content *content, const dcpn_read_options *options, dcpn_dataset **dataset);

#endif
