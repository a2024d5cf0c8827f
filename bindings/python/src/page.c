/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages, drawn by the files that draw those of the command: here is what they say failures with. */
#include "kept.h"

#include "cli/page.h"

#include <stdlib.h>
#include <string.h>

/* Whatever fails is a status, and the context has its sentence. */
int dcpn_cli_check(const struct cli *cli, dcpn_status status)
{
    (void)cli;
    return (int)status;
}

/* The page has one sentence of its own: there is no model in the results. */
int dcpn_cli_fail(const struct cli *cli, dcpn_status status, const char *format, ...)
{
    (void)cli, (void)format;
    return (int)status;
}

void dcpn_cli_say(const struct cli *cli, const char *format, ...)
{
    (void)cli, (void)format;
}

void *dcpn_cli_allocate(const struct cli *cli, int64_t count, size_t size)
{
    (void)cli;
    return calloc(count > 0 ? (size_t)count : 1, size);
}

static int draw(const struct results *results, struct album *album, FILE *stream)
{
    struct choice choice;
    int code = dcpn_cli_results_choose(results, NULL, &choice);
    if (!code) code = dcpn_cli_album_make(results, choice, NULL, album);
    return code ? code : dcpn_cli_page_print(stream, album);
}

static dcpn_status write_page(const struct results *results, const char *path)
{
    struct album *album = calloc(1, sizeof *album);
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int code = album && stream ? draw(results, album, stream) : DCPN_MEMORY;
    if (stream && (fflush(stream) != 0 || ferror(stream))) code = DCPN_MEMORY;
    if (stream) fclose(stream);
    dcpn_status status = code ? (dcpn_status)code : dcpn_write_text(results->cli->context, path, text, length);
    if (album) dcpn_cli_album_free(album);
    free(album);
    free(text);
    return status;
}

dcpn_status dcpn_python_page(dcpn_context *context, const char *title, const char *text, const char *path)
{
    const struct cli cli = {.context = context};
    struct results results;
    dcpn_results *file;
    dcpn_status status = dcpn_results_parse(context, title, text, strlen(text), &file);
    if (status != DCPN_OK) return status;
    dcpn_cli_results_of_file(&cli, file, &results);
    status = write_page(&results, path);
    dcpn_results_free(file);
    return status;
}
