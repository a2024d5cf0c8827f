/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON on standard output, member by member. */
#ifndef DCPN_CLI_JSON_H
#define DCPN_CLI_JSON_H

#include <stdint.h>
#include <stdio.h>

void dcpn_cli_json_text(FILE *stream, const char *text);
/* The shortest text that reads back to the same double; null if it is not finite. */
void dcpn_cli_json_number(FILE *stream, double number);

/* Print "name":value, with the separator (",", "{" or "") before it. */
void dcpn_cli_json_text_member(FILE *stream, const char *separator, const char *name, const char *text);
void dcpn_cli_json_number_member(FILE *stream, const char *separator, const char *name, double number);
void dcpn_cli_json_count_member(FILE *stream, const char *separator, const char *name, int64_t count);

#endif
