/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs of single fits, for those who read them from a file. */
#ifndef DCPN_SRC_NEIGHBOURS_PARTS_H
#define DCPN_SRC_NEIGHBOURS_PARTS_H

#include "dcpn/neighbours.h"

/* Makes the edges of the fits, by the rule. */
dcpn_status dcpn_neighbours_join(dcpn_neighbours *neighbours);

#endif
