/* SPDX-License-Identifier: BSD-3-Clause */
/* Two variables, one of which a method with a linearised penalty leaves at 0 although moving it would pay. */
#ifndef DCPN_EXPERIMENTS_PLANE_H
#define DCPN_EXPERIMENTS_PLANE_H

#include "plan.h"

#include <stdio.h>

/* Runs GIST and DC-PN, writes a section of Markdown, plane.csv and plane.svg. */
int dcpn_exp_plane(const struct lab *lab, FILE *markdown);

#endif
