/* SPDX-License-Identifier: BSD-3-Clause */
/* What a cross-validation has chosen, and the sentences about that. */
#ifndef DCPN_CLI_CV_CHOICE_H
#define DCPN_CLI_CV_CHOICE_H

#include "command.h"
#include "dcpn/cv.h"

void dcpn_cli_cv_print_choice(FILE *stream, const dcpn_cv *cv);
void dcpn_cli_cv_print_stability(FILE *stream, const dcpn_cv *cv);
/* Says what can be done where the choice is at an end of a grid or has no features, and which ridge was taken if it is
 * not the one that was asked for. */
void dcpn_cli_cv_say(const struct cli *cli, const dcpn_cv *cv, double ridge);

#endif
