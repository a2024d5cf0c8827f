/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, member by member. The command never leaves the C locale, so that printf writes a decimal point. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void dcpn_cli_json_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(stream, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(stream, "\\u%04x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, stream);
    }
    fputc('"', stream);
}

void dcpn_cli_json_number(FILE *stream, double number)
{
    char text[40];
    if (!isfinite(number)) {
        fputs("null", stream);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (!(strtod(text, NULL) < number) && !(strtod(text, NULL) > number)) break;
    }
    fputs(text, stream);
}

static void begin_member(FILE *stream, const char *separator, const char *name)
{
    fputs(separator, stream);
    dcpn_cli_json_text(stream, name);
    fputc(':', stream);
}

void dcpn_cli_json_text_member(FILE *stream, const char *separator, const char *name, const char *text)
{
    begin_member(stream, separator, name);
    if (text)
        dcpn_cli_json_text(stream, text);
    else
        fputs("null", stream);
}

void dcpn_cli_json_number_member(FILE *stream, const char *separator, const char *name, double number)
{
    begin_member(stream, separator, name);
    dcpn_cli_json_number(stream, number);
}

void dcpn_cli_json_count_member(FILE *stream, const char *separator, const char *name, int64_t count)
{
    begin_member(stream, separator, name);
    fprintf(stream, "%" PRId64, count);
}
