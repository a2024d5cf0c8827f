/* SPDX-License-Identifier: BSD-3-Clause */
/* The ending of a word behind its count: "1 feature", "2 features". */
#ifndef DCPN_CLI_PLURAL_H
#define DCPN_CLI_PLURAL_H

#include <stdint.h>

static inline const char *dcpn_cli_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

#endif
