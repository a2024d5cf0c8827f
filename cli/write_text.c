/* SPDX-License-Identifier: BSD-3-Clause */
/* Text that quotes the data, to a file or to standard output. A file and a pipe get the bytes as they are; a terminal
 * would take some of them for commands, and others make what is written look like something else, so that it is shown ?
 * for them. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "coefficients.h"
#include "command.h"

static void show_line(const char *line, const char *end)
{
    char piece[256];
    while (line < end) {
        size_t length = (size_t)(end - line) < sizeof piece - 1 ? (size_t)(end - line) : sizeof piece - 1;
        while (length > 1 && line + length < end && ((unsigned char)line[length] & 0xC0) == 0x80) length--;
        memcpy(piece, line, length);
        piece[length] = '\0';
        dcpn_cli_print_name(stdout, piece, (int)sizeof piece);
        line += length;
    }
}

static void show(const char *text, const char *end)
{
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text)), *line_end = newline ? newline : end;
        show_line(text, line_end);
        if (newline) putchar('\n');
        text = newline ? newline + 1 : end;
    }
}

int dcpn_cli_write_text(const struct cli *cli, const char *path, const char *text, size_t length)
{
    if (strcmp(path, "-") != 0 || !isatty(STDOUT_FILENO))
        return dcpn_cli_check(cli, dcpn_write_text(cli->context, path, text, length));
    show(text, text + length);
    return fflush(stdout) == 0 ? 0 : dcpn_cli_fail(cli, DCPN_IO, "standard output: cannot be written");
}
