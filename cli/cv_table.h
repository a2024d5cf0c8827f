/* SPDX-License-Identifier: BSD-3-Clause */
/* What the rules min and 1se choose on each path of a cross-validation. */
#ifndef DCPN_CLI_CV_TABLE_H
#define DCPN_CLI_CV_TABLE_H

#include <stdio.h>

#include "dcpn/cv.h"

void dcpn_cli_cv_print_table(FILE *stream, const dcpn_cv *cv);

#endif
