/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef DCPN_CLI_LABEL_TEXT_H
#define DCPN_CLI_LABEL_TEXT_H

/* A label as it is written: its text, or its number in the buffer. */
const char *dcpn_cli_label_text(char **names, double label, char buffer[40]);

#endif
