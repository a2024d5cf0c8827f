/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as one HTML page that needs nothing else: neither network nor scripts nor eyes. */
#ifndef DCPN_CLI_PAGE_H
#define DCPN_CLI_PAGE_H

#include "album.h"

/* Prints the page and returns the exit code. The caller is to ask the stream for errors. */
int dcpn_cli_page_print(FILE *out, const struct album *album);

/* Made from cli/page/ when dcpn is built. */
extern const char dcpn_page_css[], dcpn_page_js[];

/* How many lines of a table are shown at first, and at the most. */
enum { DCPN_CLI_PAGE_SHOWN = 25, DCPN_CLI_PAGE_MOST = 1000 };

/* The parts, for the files of the page. */
struct page {
    FILE *out;
    const struct cli *cli;
    const struct album *album;
    const struct results *results;
    const dcpn_paths *paths;
    const dcpn_path *path;
    const dcpn_path_point *point; /* the model that is shown */
};

void dcpn_cli_page_text(const struct page *page, const char *text);
/* Prints a number with a proper minus, or a dash if it is not known. */
void dcpn_cli_page_number(const struct page *page, double number, int digits);
void dcpn_cli_page_class(const struct page *page, int64_t which); /* 0: the negative one, 1: the positive one */
void dcpn_cli_page_begin_section(const struct page *page, const char *id, const char *heading);
void dcpn_cli_page_end_table(const struct page *page);
void dcpn_cli_page_cell(const struct page *page, double value, int digits);
/* Prints the name at the head of a row. */
void dcpn_cli_page_name(const struct page *page, const char *name);
/* The number of points of the path that did not converge. */
int64_t dcpn_cli_page_unconverged(const struct page *page);
void dcpn_cli_page_pictures(const struct page *page);
int dcpn_cli_page_model(const struct page *page);
int dcpn_cli_page_groups(const struct page *page);
/* For many classes: which of them are taken for which, on rows that were held out. */
int dcpn_cli_page_classes(const struct page *page);
int dcpn_cli_page_stability(const struct page *page);
void dcpn_cli_page_confusion(const struct page *page);
void dcpn_cli_page_measures(const struct page *page);
void dcpn_cli_page_data(const struct page *page);
void dcpn_cli_page_origin(const struct page *page);
void dcpn_cli_page_path_table(const struct page *page);

#endif
