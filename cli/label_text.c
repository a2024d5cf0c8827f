/* SPDX-License-Identifier: BSD-3-Clause */
/* What a label or a class is called. */
#include "label_text.h"

#include <stdint.h>
#include <stdio.h>

const char *dcpn_cli_label_text(char **names, double label, char buffer[40])
{
    if (names) return names[(int64_t)label];
    snprintf(buffer, 40, "%.10g", label);
    return buffer;
}
