/* SPDX-License-Identifier: BSD-3-Clause */
/* The model file: what its writer and its reader agree on. */
#ifndef DCPN_SRC_MODEL_FILE_H
#define DCPN_SRC_MODEL_FILE_H

#define DCPN_MODEL_FORMAT "dcpn-model"
#define DCPN_MODEL_VERSION 1

#endif
