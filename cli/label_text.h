/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_CLI_LABEL_TEXT_H
#define DCPN_CLI_LABEL_TEXT_H

#include "dcpn/model.h"

/* A label as it is written: its text, or its number in the buffer. */
const char *dcpn_cli_label_text(char **names, double label, char buffer[40]);

/* Is there more than a score of two classes or of numbers: many classes, ordered ones, or several responses? */
static inline int dcpn_cli_are_several(int64_t scores, const dcpn_classes *labels)
{
    return scores > 1 || labels->are_ordered;
}

#endif
