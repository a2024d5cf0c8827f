/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of graphs, completed matrices and factors: head, facts, figures, cells, end. */
#include "sheet.h"

#include "page.h"

#include "plot/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 864, WIDE_PLOT = 340, NARROW = 360, NARROW_PLOT = 280 };

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

void dcpn_cli_sheet_text(const struct sheet *sheet, const char *text)
{
    dcpn_figure_text_print(sheet->out, text, strlen(text));
}

void dcpn_cli_sheet_number(const struct sheet *sheet, double number, int digits)
{
    if (!isfinite(number))
        fputs("\xE2\x80\x93", sheet->out);
    else
        fprintf(sheet->out, "%s%.*g", number < 0.0 ? "\xE2\x88\x92" : "", digits, fabs(number));
}

/* ---- the head ---- */

void dcpn_cli_sheet_begin(const struct sheet *sheet, const char *kind, const char *lead)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"dcpn\">\n<title>",
          sheet->out);
    dcpn_cli_sheet_text(sheet, base_name(sheet->subject));
    fprintf(sheet->out,
            ": %s</title>\n<style>\n%s%s\n</style>\n</head>\n<body>\n<main>\n<header>\n"
            "<p class=\"eyebrow\">dcpn report \xC2\xB7 %s</p>\n<h1>",
            kind, dcpn_page_css, dcpn_figure_style, kind);
    dcpn_cli_sheet_text(sheet, base_name(sheet->subject));
    fputs("</h1>\n<p class=\"lead\">", sheet->out);
    dcpn_cli_sheet_text(sheet, lead);
    fputs("</p>\n<dl class=\"facts\">\n", sheet->out);
}

void dcpn_cli_sheet_fact(const struct sheet *sheet, const char *name, const char *value, const char *small)
{
    fputs("<div><dt>", sheet->out);
    dcpn_cli_sheet_text(sheet, name);
    fputs("</dt><dd>", sheet->out);
    dcpn_cli_sheet_text(sheet, value);
    if (small) {
        fputs(" <small>", sheet->out);
        dcpn_cli_sheet_text(sheet, small);
        fputs("</small>", sheet->out);
    }
    fputs("</dd></div>\n", sheet->out);
}

void dcpn_cli_sheet_outcome(const struct sheet *sheet, const char *name, dcpn_outcome outcome, double violation,
                            double goal)
{
    char value[40], small[40];
    snprintf(value, sizeof value, "%.2g", violation);
    snprintf(small, sizeof small, "goal %.2g", goal);
    dcpn_cli_sheet_fact(sheet, name, value, small);
    fputs("</dl>\n", sheet->out);
    if (dcpn_has_converged(outcome)) return;
    fputs("<p class=\"warning\" role=\"note\">", sheet->out);
    dcpn_cli_sheet_text(sheet, "The work ended before its goal: ");
    dcpn_cli_sheet_text(sheet, dcpn_outcome_meaning(outcome));
    dcpn_cli_sheet_text(sheet, ". The numbers are those of the place where it stopped.");
    fputs("</p>\n", sheet->out);
}

void dcpn_cli_sheet_end_head(const struct sheet *sheet)
{
    fputs("</header>\n", sheet->out);
}

void dcpn_cli_sheet_end(const struct sheet *sheet)
{
    fprintf(sheet->out, "</main>\n<footer><p>Made by dcpn %s from ", dcpn_version());
    dcpn_cli_sheet_text(sheet, base_name(sheet->subject));
    fputs(".</p></footer>\n</body>\n</html>\n", sheet->out);
}

/* ---- what stands on it ---- */

void dcpn_cli_sheet_section(const struct sheet *sheet, const char *heading)
{
    fputs("<section>\n<h2>", sheet->out);
    dcpn_cli_sheet_text(sheet, heading);
    fputs("</h2>\n", sheet->out);
}

void dcpn_cli_sheet_end_section(const struct sheet *sheet)
{
    fputs("</section>\n", sheet->out);
}

static void draw(const struct sheet *sheet, const struct figure *figure, int width, int plot_height)
{
    struct figure sized = *figure;
    sized.width = width;
    sized.plot_height = plot_height;
    sized.is_part = 1;
    dcpn_figure_draw(sheet->out, &sized);
}

void dcpn_cli_sheet_figure(const struct sheet *sheet, const struct figure *figure, const char *caption)
{
    fputs("<figure>\n<div class=\"wide\">\n", sheet->out);
    draw(sheet, figure, WIDE, WIDE_PLOT);
    fputs("</div>\n<div class=\"narrow\">\n", sheet->out);
    draw(sheet, figure, NARROW, NARROW_PLOT);
    fputs("</div>\n<figcaption>", sheet->out);
    dcpn_cli_sheet_text(sheet, caption);
    fputs("</figcaption>\n</figure>\n", sheet->out);
}

void dcpn_cli_sheet_cell(const struct sheet *sheet, double number, int digits)
{
    fputs("<td class=\"number\">", sheet->out);
    dcpn_cli_sheet_number(sheet, number, digits);
    fputs("</td>", sheet->out);
}

void dcpn_cli_sheet_bar(const struct sheet *sheet, double share)
{
    double half = 50.0 * fmin(fabs(share), 1.0);
    if (share < 0.0)
        fprintf(sheet->out, "<td class=\"bar\"><i class=\"minus\" style=\"margin-left:%.1f%%;width:%.1f%%\"></i></td>",
                50.0 - half, half);
    else
        fprintf(sheet->out, "<td class=\"bar\"><i class=\"plus\" style=\"width:%.1f%%\"></i></td>", half);
}

/* ---- the whole ---- */

int dcpn_cli_sheet_write(const struct cli *cli, const char *path, const char *subject, sheet_print *print,
                         const void *user)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const struct sheet sheet = {stream, cli, strcmp(subject, "-") == 0 ? "standard input" : subject};
    int code = stream ? print(&sheet, user) : 0, is_whole = stream && !ferror(stream);
    if (stream) is_whole &= fclose(stream) == 0;
    if (!code) code = dcpn_cli_check(cli, dcpn_write_text(cli->context, path, is_whole ? text : NULL, length));
    free(text);
    return code;
}
