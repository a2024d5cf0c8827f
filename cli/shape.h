/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_CLI_SHAPE_H
#define DCPN_CLI_SHAPE_H

#include <stdio.h>

#include "dcpn/path.h"

/* Prints "gamma 3 (raw: 12)", or nothing if there is one unit only. */
void dcpn_cli_print_shape(FILE *stream, const dcpn_settings *settings, double unit);
/* Prints ", gamma = 3 (raw: 12)" or ", theta = 1 (raw: 4 lambda)", or nothing if the value neither varies nor has two
 * units. */
void dcpn_cli_print_shape_of_path(FILE *stream, const dcpn_path *path);

#endif
