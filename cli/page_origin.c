/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a report comes from: the data, the command, the settings and how the fit ended. */
#include "page.h"

#include "label_text.h"
#include "plot/text.h"
#include "plural.h"

#include <math.h>
#include <string.h>

static void begin_item(const struct page *page, const char *name)
{
    fputs("<dt>", page->out);
    dcpn_cli_page_text(page, name);
    fputs("</dt><dd>", page->out);
}

static void end_item(const struct page *page)
{
    fputs("</dd>\n", page->out);
}

static void print_count_item(const struct page *page, const char *name, int64_t count)
{
    if (count < 0) return;
    begin_item(page, name);
    fprintf(page->out, "%lld", (long long)count);
    end_item(page);
}

/* ---- The data ---- */

static void print_classes(const struct page *page)
{
    const dcpn_paths *paths = page->paths;
    const char *what = paths->labels.are_responses ? "responses" : "classes";
    if (dcpn_cli_are_several(paths->scores, &paths->labels)) print_count_item(page, what, paths->labels.count);
    if (paths->labels.count != 2 || dcpn_cli_are_several(paths->scores, &paths->labels)) return;
    for (int which = 1; which >= 0; which--) {
        begin_item(page, which ? "positive class" : "negative class");
        dcpn_cli_page_class(page, which);
        double weight = which ? paths->positives : paths->weight - paths->positives;
        if (isfinite(weight)) fprintf(page->out, " (%.10g of %.10g rows, by weight)", weight, paths->weight);
        end_item(page);
    }
}

static void print_entries(const struct page *page)
{
    const dcpn_paths *paths = page->paths;
    if (paths->entries < 0) return;
    double cells = (double)paths->rows * (double)paths->features;
    begin_item(page, "entries");
    fprintf(page->out, "%lld", (long long)paths->entries);
    if (paths->is_dense == 1) fputs(" (dense)", page->out);
    if (paths->is_dense == 0 && cells > 0.0)
        fprintf(page->out, " (sparse: %.3g %% of all)", 100.0 * (double)paths->entries / cells);
    end_item(page);
}

enum { WORST_GAPS = 5 };

/* The feature with the most gaps but for those that were named; -1: there is none. */
static int64_t next_worst(const struct page *page, const int64_t named[WORST_GAPS], int count)
{
    const int64_t *gaps = page->results->from.gaps;
    int64_t worst = -1;
    for (int64_t j = 0; j < page->paths->features; j++) {
        int is_named = 0;
        for (int k = 0; k < count; k++) is_named |= named[k] == j;
        if (!is_named && gaps[j] > 0 && (worst < 0 || gaps[j] > gaps[worst])) worst = j;
    }
    return worst;
}

static void print_worst_gaps(const struct page *page)
{
    char room[DCPN_CLI_NAME_SIZE];
    int64_t named[WORST_GAPS];
    for (int count = 0; count < WORST_GAPS; count++) {
        int64_t j = named[count] = next_worst(page, named, count);
        if (j < 0) return;
        fputs(count ? ", " : ": ", page->out);
        dcpn_cli_page_text(page, dcpn_cli_feature_name(page->results, j, "feature ", room));
        double share = 100.0 * (double)page->results->from.gaps[j] / (double)page->paths->rows;
        fprintf(page->out, " %lld (%.2g\xC2\xA0%%)", (long long)page->results->from.gaps[j], share);
    }
    if (next_worst(page, named, WORST_GAPS) >= 0) fputs(" ...", page->out);
}

static void print_gaps(const struct page *page)
{
    const int64_t *gaps = page->results->from.gaps;
    int64_t all = 0, columns = 0;
    for (int64_t j = 0; gaps && j < page->paths->features; j++) {
        all += gaps[j];
        columns += gaps[j] > 0;
    }
    if (!gaps) return;
    begin_item(page, "missing values");
    fprintf(page->out, "%lld", (long long)all);
    if (all) {
        fprintf(page->out, " in %lld feature%s", (long long)columns, dcpn_cli_plural(columns));
        print_worst_gaps(page);
    }
    end_item(page);
}

void dcpn_cli_page_data(const struct page *page)
{
    const char *file = page->results->from.file;
    fputs("<section aria-labelledby=\"data\">\n<h2 id=\"data\">Data</h2>\n<dl class=\"list\">\n", page->out);
    if (file) {
        begin_item(page, "file");
        dcpn_cli_page_text(page, file);
        end_item(page);
    }
    print_count_item(page, "rows", page->paths->rows);
    print_count_item(page, "features", page->paths->features);
    print_entries(page);
    print_classes(page);
    print_gaps(page);
    if (isfinite(page->paths->null_deviance)) {
        begin_item(page, "null deviance");
        dcpn_cli_page_number(page, page->paths->null_deviance, 6);
        end_item(page);
    }
    fputs("</dl>\n</section>\n", page->out);
}

/* ---- The command and the settings ---- */

/* A word as a shell takes it. */
static void print_word(const struct page *page, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,=+@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        dcpn_cli_page_text(page, word);
        return;
    }
    fputc('\'', page->out);
    for (const char *rest = word; *rest;) {
        size_t length = strcspn(rest, "'");
        dcpn_figure_text_print(page->out, rest, length);
        rest += length;
        if (*rest) fputs("'\\''", page->out), rest++;
    }
    fputc('\'', page->out);
}

static void print_command(const struct page *page)
{
    const dcpn_provenance *from = &page->results->from;
    if (!from->command) return;
    fputs("<pre><code>", page->out);
    for (int64_t i = 0; i < from->words; i++) {
        if (i) fputc(' ', page->out);
        print_word(page, from->command[i]);
    }
    fputs("</code></pre>\n", page->out);
}

static void print_setting(const struct page *page, const dcpn_setting *setting)
{
    const void *field = (const char *)&page->paths->settings + setting->offset;
    begin_item(page, setting->option);
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        if (*(const double *)field >= 1e300)
            fputs("no limit", page->out);
        else
            dcpn_cli_page_number(page, *(const double *)field, 10);
        break;
    case DCPN_KIND_COUNT:
        fprintf(page->out, "%lld", (long long)*(const int64_t *)field);
        break;
    case DCPN_KIND_FLAG:
        fputs(*(const int *)field ? "yes" : "no", page->out);
        break;
    case DCPN_KIND_CHOICE:
        dcpn_cli_page_text(page, *(const char *const *)field);
    }
    end_item(page);
}

static int is_overruled(const struct page *page, const dcpn_setting *setting)
{
    if (page->results->model) return 0;
    return strcmp(setting->option, "lambda") == 0 || strcmp(setting->option, "penalty") == 0 ||
           (page->path->varying && strcmp(setting->option, page->path->varying) == 0);
}

static void print_settings(const struct page *page)
{
    fputs("<details>\n<summary>All settings</summary>\n<dl class=\"list\">\n", page->out);
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        if (!is_overruled(page, dcpn_setting_at(i))) print_setting(page, dcpn_setting_at(i));
    fputs("</dl>\n</details>\n", page->out);
}

static void print_outcome(const struct page *page)
{
    const dcpn_result *fit = &page->point->fit;
    fputs("<dl class=\"list\">\n", page->out);
    begin_item(page, "outcome");
    dcpn_cli_page_text(page, dcpn_outcome_name(fit->outcome));
    end_item(page);
    if (isfinite(fit->stationarity)) {
        begin_item(page, "stationarity");
        fprintf(page->out, "%.3g (goal %.3g)", fit->stationarity, fit->stationarity_goal);
        end_item(page);
    }
    if (page->results->model && fit->algorithm && *fit->algorithm) {
        begin_item(page, "method");
        fprintf(page->out, "%s, metric %s, subsolver %s", fit->algorithm, fit->metric, fit->subsolver);
        end_item(page);
    }
    if (isfinite(page->results->time_s)) {
        begin_item(page, "time");
        fprintf(page->out, "%.3g s, and %.3g s for reading; %lld thread%s", page->results->time_s,
                page->results->from.read_s, (long long)page->paths->threads, dcpn_cli_plural(page->paths->threads));
        end_item(page);
    }
    fputs("</dl>\n", page->out);
}

void dcpn_cli_page_origin(const struct page *page)
{
    fputs("<section class=\"long\" aria-labelledby=\"origin\">\n<h2 id=\"origin\">How it was made</h2>\n", page->out);
    print_command(page);
    print_outcome(page);
    print_settings(page);
    fputs("</section>\n", page->out);
}
