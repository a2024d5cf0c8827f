/* SPDX-License-Identifier: BSD-3-Clause */
/* The groups of a report: a line for each that is in use, which opens to its features. */
#include "group_lines.h"
#include "page.h"

#include <stdlib.h>

enum { MOST_LINES = 500 };

static struct group_source source_of(const struct page *page)
{
    return (struct group_source){.groups = page->results->from.groups,
                                 .index = page->path->index + page->point->first,
                                 .value = page->path->value_of + page->point->first,
                                 .count = page->point->fit.nonzeros,
                                 .index_base = page->results->from.index_base};
}

static void print_feature(const struct page *page, int64_t feature, double value)
{
    char room[DCPN_CLI_NAME_SIZE];
    fputs("<tr><th scope=\"row\">", page->out);
    dcpn_cli_page_text(page, dcpn_cli_feature_name(page->results, feature, "", room));
    fputs("</th><td class=\"number\">", page->out);
    dcpn_cli_page_number(page, value, 5);
    fputs("</td></tr>\n", page->out);
}

/* The coefficients of a group that are not 0. */
static void print_features(const struct page *page, const struct group_source *from, int64_t g)
{
    const dcpn_groups *groups = from->groups;
    fputs("<table>\n<thead><tr><th scope=\"col\">feature</th><th scope=\"col\" "
          "class=\"number\">coefficient</th></tr></thead>\n"
          "<tbody>\n",
          page->out);
    for (int64_t i = groups->start[g]; i < groups->start[g + 1]; i++) {
        int64_t k = dcpn_cli_find_coefficient(from, groups->member[i]);
        if (k >= 0) print_feature(page, groups->member[i], from->value[k]);
    }
    fputs("</tbody>\n</table>\n", page->out);
}

static void print_line(const struct page *page, const struct group_source *from, const struct group_line *line)
{
    fputs("<details>\n<summary>", page->out);
    dcpn_cli_page_text(page, line->name);
    fprintf(page->out, ": %lld of %lld features, norm ", (long long)line->used, (long long)line->size);
    dcpn_cli_page_number(page, line->norm, 4);
    fputs("</summary>\n", page->out);
    print_features(page, from, line->group);
    fputs("</details>\n", page->out);
}

static int64_t count_groups(const struct group_lines *lines)
{
    int64_t count = 0;
    for (int64_t i = 0; i < lines->count; i++) count += lines->lines[i].group >= 0;
    return count;
}

static void print_all(const struct page *page, const struct group_source *from, const struct group_lines *lines)
{
    int64_t count = count_groups(lines), shown = 0;
    fprintf(page->out, "<p>%lld of %lld groups are in use%s. The norm is that of their coefficients.</p>\n",
            (long long)count, (long long)from->groups->count, count > 1 ? ", the largest first" : "");
    for (int64_t i = 0; i < lines->count && shown < MOST_LINES; i++) {
        if (lines->lines[i].group < 0) continue;
        print_line(page, from, &lines->lines[i]);
        shown++;
    }
    if (shown < count)
        fprintf(page->out,
                "<p>%lld more, all smaller, are in the file: <code>dcpn coef --by group</code> prints them.</p>\n",
                (long long)(count - shown));
}

int dcpn_cli_page_groups(const struct page *page)
{
    const struct group_source from = source_of(page);
    struct group_lines lines = {0};
    if (!from.groups || from.count == 0 || page->paths->scores > 1) return 0;
    int code = dcpn_cli_group_lines_gather(page->cli, &from, &lines);
    if (!code) {
        dcpn_cli_group_lines_sort(&lines, "size");
        fputs("<section class=\"long\" aria-labelledby=\"groups\">\n<h2 id=\"groups\">Groups</h2>\n", page->out);
        print_all(page, &from, &lines);
        fputs("</section>\n", page->out);
    }
    dcpn_cli_group_lines_free(&lines);
    return code;
}
