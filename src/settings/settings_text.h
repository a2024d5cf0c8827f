/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_SRC_SETTINGS_TEXT_H
#define DCPN_SRC_SETTINGS_TEXT_H

#include "dcpn/solver.h"

/* Copies the texts of the settings, borrowed so far, into one block, which the caller frees. */
dcpn_status dcpn_settings_own_texts(dcpn_context *context, dcpn_settings *settings, char **texts);

#endif
