/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as one HTML page: what was found at the top, then figures and tables, then where it came from. */
#include "page.h"

#include "plot/text.h"
#include "plural.h"

#include <math.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"
#define LAMBDA "\xCE\xBB"

void dcpn_cli_page_text(const struct page *page, const char *text)
{
    dcpn_figure_text_print(page->out, text, strlen(text));
}

void dcpn_cli_page_number(const struct page *page, double number, int digits)
{
    if (!isfinite(number))
        fputs("\xE2\x80\x93", page->out);
    else
        fprintf(page->out, "%s%.*g", number < 0.0 ? MINUS : "", digits, fabs(number));
}

/* ---- The head ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static const char *subject(const struct page *page)
{
    const char *file = page->results->from.file;
    if (file && strcmp(file, "-") != 0) return base_name(file);
    return base_name(page->results->name);
}

static const char *kind_name(const struct page *page)
{
    return page->results->model ? "model" : page->results->cv ? "cross-validation" : "regularisation path";
}

static void print_head(const struct page *page)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"dcpn\">\n<title>",
          page->out);
    dcpn_cli_page_text(page, subject(page));
    fprintf(page->out, ": %s</title>\n<style>\n%s%s\n</style>\n</head>\n<body>\n<main>\n", kind_name(page),
            dcpn_page_css, dcpn_figure_style);
}

static int is_choice_of(const struct page *page, int rule)
{
    struct choice chosen = dcpn_cli_results_chosen(page->results, (enum results_rule)rule);
    return chosen.path == page->album->choice.path && chosen.point == page->album->choice.point;
}

/* The rule that chose the model that is shown; where both did it is that of the file. -1: none. */
static int rule_of(const struct page *page)
{
    int usual = page->results->cv && page->results->cv->is_1se ? DCPN_CLI_RULE_1SE : DCPN_CLI_RULE_MIN;
    if (is_choice_of(page, usual)) return usual;
    for (int rule = 0; rule < DCPN_CLI_RULES; rule++)
        if (is_choice_of(page, rule)) return rule;
    return -1;
}

/* How the model that is shown was chosen. */
static void print_choice(const struct page *page)
{
    const struct results *results = page->results;
    const struct choice *choice = &page->album->choice;
    fprintf(page->out, LAMBDA "\xC2\xA0=\xC2\xA0%.4g", page->point->lambda);
    if (page->path->varying) {
        fputs(", ", page->out);
        dcpn_cli_page_text(page, page->path->varying);
        fprintf(page->out, " = %.4g", page->path->value);
    }
    int rule = rule_of(page);
    if (rule >= 0)
        fprintf(page->out, ", chosen by %lld-fold cross-validation (rule %s)", (long long)results->cv->folds,
                rule == DCPN_CLI_RULE_1SE ? "1se" : "min");
    else if (page->path->count > 1)
        fprintf(page->out, ", point %lld of %lld on the path", (long long)choice->point + 1,
                (long long)page->path->count);
}

static void print_lead(const struct page *page)
{
    fprintf(page->out, "<header>\n<p class=\"eyebrow\">dcpn report \xC2\xB7 %s</p>\n<h1>", kind_name(page));
    dcpn_cli_page_text(page, subject(page));
    fputs("</h1>\n<p class=\"lead\">A model with ", page->out);
    dcpn_cli_page_text(page, page->paths->settings.loss);
    fputs(" loss and the ", page->out);
    dcpn_cli_page_text(page, page->path->settings.penalty);
    fprintf(page->out, " penalty keeps %lld of %lld feature%s: ", (long long)page->point->fit.nonzeros,
            (long long)page->paths->features, dcpn_cli_plural(page->paths->features));
    print_choice(page);
    fputs(".</p>\n", page->out);
    if (page->paths->count > 1)
        fprintf(page->out,
                "<p>It is from one of the %lld paths in the file; <code>dcpn report --penalty</code> and "
                "<code>--shape</code> show the others.</p>\n",
                (long long)page->paths->count);
}

static void begin_fact(const struct page *page, const char *name)
{
    fputs("<div><dt>", page->out);
    dcpn_cli_page_text(page, name);
    fputs("</dt><dd>", page->out);
}

static void end_fact(const struct page *page)
{
    fputs("</dd></div>\n", page->out);
}

static void print_measure_facts(const struct page *page)
{
    const dcpn_cv *cv = page->results->cv;
    for (int m = 0; cv && m < cv->measure_count; m++) {
        struct measurement found = dcpn_cli_measurement(page->results, page->album->choice, m);
        if (!isfinite(found.mean)) continue;
        begin_fact(page, dcpn_cli_measure_label(cv->measures[m]));
        dcpn_cli_page_number(page, found.mean, 4);
        if (isfinite(found.se)) fprintf(page->out, " <small>\xC2\xB1\xC2\xA0%.2g</small>", found.se);
        end_fact(page);
    }
}

static void print_facts(const struct page *page)
{
    const dcpn_path_point *point = page->point;
    fputs("<dl class=\"facts\">\n", page->out);
    begin_fact(page, "features kept");
    fprintf(page->out, "%lld <small>of %lld</small>", (long long)point->fit.nonzeros, (long long)page->paths->features);
    end_fact(page);
    begin_fact(page, LAMBDA ", weight of the penalty");
    dcpn_cli_page_number(page, point->lambda, 4);
    end_fact(page);
    print_measure_facts(page);
    double explained = dcpn_cli_explained(page->paths, point);
    if (isfinite(explained)) {
        begin_fact(page, "deviance explained");
        fprintf(page->out, "%.1f %%", 100.0 * explained);
        end_fact(page);
    }
    if (isfinite(point->fit.objective)) {
        begin_fact(page, "objective F");
        dcpn_cli_page_number(page, point->fit.objective, 6);
        end_fact(page);
    }
    fputs("</dl>\n", page->out);
}

/* ---- Warnings ---- */

static void print_warnings(const struct page *page)
{
    int64_t strangers = 0;
    for (int64_t i = 0; i < page->path->count; i++) strangers += !dcpn_has_converged(page->path->points[i].fit.outcome);
    if (page->path->count == 1 && strangers && page->point->fit.outcome != DCPN_NOT_RUN)
        fputs("<p class=\"warning\" role=\"note\">The fit did not converge: see its outcome below.</p>\n", page->out);
    if (page->path->count > 1 && strangers)
        fprintf(
            page->out,
            "<p class=\"warning\" role=\"note\">Fits of this path that did not converge: %lld of %lld; the table of "
            "the path says which.</p>\n",
            (long long)strangers, (long long)page->path->count);
    int64_t unconverged = page->results->cv ? dcpn_cli_unconverged_in_folds(page->results->cv) : 0;
    if (unconverged)
        fprintf(page->out,
                "<p class=\"warning\" role=\"note\">Fits within the folds that did not converge: %lld.</p>\n",
                (long long)unconverged);
    if (page->point->is_locally_convex == 0)
        fputs("<p class=\"warning\" role=\"note\">At this " LAMBDA
              " the objective is not convex on the features in use: "
              "other minima are possible.</p>\n",
              page->out);
}

/* ---- Where it came from ---- */

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

void dcpn_cli_page_class(const struct page *page, int which)
{
    if (page->results->from.class_names)
        dcpn_cli_page_text(page, page->results->from.class_names[which]);
    else
        dcpn_cli_page_number(page, page->paths->classes[which], 10);
}

static void print_classes(const struct page *page)
{
    const dcpn_paths *paths = page->paths;
    if (!paths->has_classes) return;
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

static void print_data(const struct page *page)
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
    if (isfinite(page->paths->null_deviance)) {
        begin_item(page, "null deviance");
        dcpn_cli_page_number(page, page->paths->null_deviance, 6);
        end_item(page);
    }
    fputs("</dl>\n</section>\n", page->out);
}

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

static void print_origin(const struct page *page)
{
    fputs("<section class=\"long\" aria-labelledby=\"origin\">\n<h2 id=\"origin\">How it was made</h2>\n", page->out);
    print_command(page);
    print_outcome(page);
    print_settings(page);
    fputs("</section>\n", page->out);
}

static void print_end(const struct page *page)
{
    fputs("</main>\n<footer><p>Made by dcpn ", page->out);
    dcpn_cli_page_text(page, page->results->version ? page->results->version : dcpn_version());
    fputs(" from ", page->out);
    dcpn_cli_page_text(page, base_name(page->results->name));
    fprintf(page->out, ".</p></footer>\n<script>\n%s</script>\n</body>\n</html>\n", dcpn_page_js);
}

int dcpn_cli_page_print(FILE *out, const struct album *album)
{
    struct page page = {.out = out, .cli = album->cli, .album = album, .results = album->results};
    page.paths = album->results->paths;
    page.path = dcpn_cli_path_at(album->results, album->choice);
    page.point = dcpn_cli_point_at(album->results, album->choice);
    print_head(&page);
    print_lead(&page);
    print_facts(&page);
    print_warnings(&page);
    fputs("</header>\n", out);
    int code = dcpn_cli_page_model(&page);
    if (!code) dcpn_cli_page_pictures(&page);
    if (!code) code = dcpn_cli_page_stability(&page);
    dcpn_cli_page_path_table(&page);
    print_data(&page);
    print_origin(&page);
    print_end(&page);
    return code;
}
