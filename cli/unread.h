/* SPDX-License-Identifier: BSD-3-Clause */
/* Options on the command line that nothing reads: --theta for a penalty that has none, --lambda beside --select. */
#ifndef DCPN_CLI_UNREAD_H
#define DCPN_CLI_UNREAD_H

#include "command.h"

/* Warns of a setting of other penalties or losses than those chosen; of several penalties it is enough that one reads
 * it. No refusal: a script may give the settings of all penalties and change the penalty alone. */
void dcpn_cli_warn_of_unread(const struct cli *cli, const dcpn_settings *settings, const char *const *penalties,
                             int64_t count);
/* Warns of settings that only a method reads that is not chosen: --dc-max, --nonmonotone. */
void dcpn_cli_warn_of_method(const struct cli *cli, const dcpn_settings *settings);
/* Warns of --memory if the metric that was used, perhaps by choice of the library, keeps no pairs. */
void dcpn_cli_warn_of_memory(const struct cli *cli, const char *metric);
/* Warns of settings that only rows without a label make use of, if these data have none. */
void dcpn_cli_warn_of_labelled(const struct cli *cli, const dcpn_settings *settings, const dcpn_dataset *data);
/* Warns of an option, if it is given, beside what makes it meaningless: "--select", "chooses it". */
void dcpn_cli_warn_beside(const struct cli *cli, const char *option, const char *other, const char *does);
/* Warns of theta, a and gamma beside --shapes, if that varies them for one of the penalties. */
void dcpn_cli_warn_beside_shapes(const struct cli *cli, const char *const *penalties, int64_t count);
/* The parameter that --shapes varies: theta, a or gamma, the larger the nearer to l1; NULL: the penalty has none. */
const char *dcpn_cli_shape_of(const char *penalty);
/* Refuses a grid of --shapes that nothing reads. Returns the exit code. */
int dcpn_cli_refuse_shapes(const struct cli *cli, const char *const *penalties, int64_t count);

#endif
