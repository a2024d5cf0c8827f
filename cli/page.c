/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as one HTML page: what was found at the top, then figures and tables, then where it came from. */
#include "held_out.h"
#include "label_text.h"
#include "page.h"

#include "plot/text.h"
#include "plural.h"

#include <math.h>
#include <string.h>

#define LAMBDA "\xCE\xBB"

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
    if (is_choice_of(page, DCPN_CLI_RULE_OWN)) return DCPN_CLI_RULE_OWN;
    for (int rule = 0; rule < DCPN_CLI_RULES; rule++)
        if (is_choice_of(page, rule)) return rule;
    return -1;
}

/* Prints how the model that is shown was chosen. */
static void print_choice(const struct page *page)
{
    const struct results *results = page->results;
    const struct choice *choice = &page->album->choice;
    if (page->path->kind != DCPN_PATH_BY_SIZE)
        fprintf(page->out, ", " LAMBDA "\xC2\xA0=\xC2\xA0%.4g", page->point->lambda);
    int rule = rule_of(page);
    if (rule >= 0)
        fprintf(page->out, ", chosen by %s%lld-fold cross-validation (rule %s)",
                results->cv->draw.repeats > 1 ? "repeated " : "",
                (long long)(results->cv->ending.folds_done / results->cv->draw.repeats),
                rule == DCPN_CLI_RULE_OWN   ? results->cv->choice.rule
                : rule == DCPN_CLI_RULE_1SE ? "1se"
                                            : "min");
    else if (page->path->count > 1)
        fprintf(page->out, ", point %lld of %lld on the path", (long long)choice->point + 1,
                (long long)page->path->count);
}

/* Prints what the model is for: its classes, or what its labels are called. */
static void print_purpose(const struct page *page)
{
    const char *label = page->results->from.label_name;
    if (dcpn_cli_are_several(page->paths->scores, &page->paths->labels)) {
        fprintf(page->out, "<strong>%lld %s</strong>", (long long)page->paths->labels.count,
                page->paths->labels.are_responses ? "responses" : "classes");
    } else if (page->paths->labels.count) {
        fputs("<strong>", page->out);
        dcpn_cli_page_class(page, 1);
        fputs("</strong> from <strong>", page->out);
        dcpn_cli_page_class(page, 0);
        fputs("</strong>", page->out);
    } else {
        fputs(label ? "<strong>" : "", page->out);
        dcpn_cli_page_text(page, label ? label : "the labels");
        fputs(label ? "</strong>" : "", page->out);
    }
}

/* Prints what the model was fitted with. */
static void print_method(const struct page *page)
{
    char room[DCPN_CLI_PATH_NAME_SIZE];
    if (page->path->kind == DCPN_PATH_BY_SIZE) {
        fprintf(page->out, "The best model of its number of features, refitted without the penalty%s",
                page->path->varying ? ", with a ridge" : "");
        return;
    }
    fputs("Penalty ", page->out);
    dcpn_cli_page_text(page, dcpn_cli_path_name(page->path, room));
}

static void print_lead(const struct page *page)
{
    fprintf(page->out, "<header>\n<p class=\"eyebrow\">dcpn report \xC2\xB7 %s</p>\n<h1>", kind_name(page));
    dcpn_cli_page_text(page, subject(page));
    fprintf(page->out, "</h1>\n<p class=\"lead\">%lld of %lld feature%s %s ",
            (long long)dcpn_cli_features_at(page->results, page->album->choice), (long long)page->paths->features,
            dcpn_cli_plural(page->paths->features),
            page->paths->labels.count && !page->paths->labels.are_responses ? "tell" : "predict");
    print_purpose(page);
    fputs(".</p>\n<p>", page->out);
    print_method(page);
    fputs(", loss ", page->out);
    dcpn_cli_page_text(page, page->paths->settings.loss);
    print_choice(page);
    fputs(".</p>\n", page->out);
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

static void print_mean(const struct page *page, const char *measure, const char *name)
{
    const dcpn_cv *cv = page->results->cv;
    for (int m = 0; cv && m < cv->measured.count; m++) {
        struct measurement found = dcpn_cli_measurement(page->results, page->album->choice, m);
        if (strcmp(cv->measured.names[m], measure) != 0 || !isfinite(found.mean)) continue;
        begin_fact(page, name);
        dcpn_cli_page_number(page, found.mean, 3);
        if (isfinite(found.se)) fprintf(page->out, " <small>\xC2\xB1\xC2\xA0%.2g</small>", found.se);
        end_fact(page);
    }
}

static void print_share(const struct page *page, const char *name, double part, double of)
{
    if (!(of > 0.0)) return;
    begin_fact(page, name);
    fprintf(page->out, "%.0f\xC2\xA0%% <small>%.6g of %.6g</small>", 100.0 * part / of, part, of);
    end_fact(page);
}

/* Prints how good the model is on rows that its fits have not seen. */
static void print_class_facts(const struct page *page, const struct held_out *held)
{
    const struct confusion found = dcpn_cli_held_out_confusion(held);
    const double(*w)[2] = found.weight;
    print_mean(page, "auc", "area under the ROC curve");
    print_share(page, "right on held-out rows", w[0][0] + w[1][1], w[0][0] + w[0][1] + w[1][0] + w[1][1]);
    print_share(page, "sensitivity", w[1][1], w[1][0] + w[1][1]);
    print_share(page, "specificity", w[0][0], w[0][0] + w[0][1]);
}

/* Labels and scores are positions of classes. */
static void print_many_facts(const struct page *page, const struct held_out *held)
{
    double right = 0.0, total = 0.0;
    for (int64_t i = 0; i < held->rows->rows; i++) {
        if (isnan(held->rows->label[i]) || isnan(held->score[i])) continue;
        total += held->rows->weight[i];
        right += held->score[i] == held->rows->label[i] ? held->rows->weight[i] : 0.0;
    }
    print_share(page, "right on held-out rows", right, total);
    print_mean(page, "class-error", "mean error of a class");
    print_mean(page, "deviance", "deviance");
}

static void print_number_facts(const struct page *page, const struct held_out *held)
{
    const struct held_out_fit found = dcpn_cli_held_out_fit(held);
    begin_fact(page, "R\xC2\xB2 on held-out rows");
    dcpn_cli_page_number(page, found.r2, 3);
    end_fact(page);
    begin_fact(page, "typical error (root mean square)");
    dcpn_cli_page_number(page, found.rmse, 3);
    end_fact(page);
    print_mean(page, "mae", "mean absolute error");
}

static void print_explained(const struct page *page)
{
    double explained = dcpn_cli_explained(page->paths, page->point);
    if (!isfinite(explained)) return;
    begin_fact(page, "deviance explained, rows of the fit");
    fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * explained);
    end_fact(page);
}

static void print_facts(const struct page *page)
{
    struct held_out held = {0};
    fputs("<dl class=\"facts\">\n", page->out);
    begin_fact(page, "features kept");
    fprintf(page->out, "%lld <small>of %lld</small>",
            (long long)dcpn_cli_features_at(page->results, page->album->choice), (long long)page->paths->features);
    end_fact(page);
    int are_times = strcmp(page->paths->settings.loss, "cox") == 0;
    if (are_times) {
        print_mean(page, "concordance", "concordance");
        print_mean(page, "deviance", "deviance");
        print_explained(page);
    } else if (dcpn_cli_held_out_at(page->results, page->album->choice, &held)) {
        (dcpn_cli_are_several(page->paths->scores, &page->paths->labels) ? print_many_facts
         : page->paths->labels.count ? print_class_facts
                                     : print_number_facts)(page, &held);
    } else {
        print_mean(page, "auc", "area under the ROC curve");
        print_mean(page, "error", "share of rows misclassified");
        print_mean(page, "mse", "mean squared error");
        print_mean(page, "mae", "mean absolute error");
        print_explained(page);
    }
    if (!held.rows && page->paths->rows >= 0) {
        begin_fact(page, "rows");
        fprintf(page->out, "%lld", (long long)page->paths->rows);
        end_fact(page);
    }
    fputs("</dl>\n", page->out);
}

/* ---- Warnings ---- */

static void print_warnings(const struct page *page)
{
    int64_t strangers = dcpn_cli_page_unconverged(page);
    if (page->path->count == 1 && strangers && page->point->fit.outcome != DCPN_NOT_RUN)
        fputs("<p class=\"warning\" role=\"note\">The fit did not converge: its numbers are not final. Raise "
              "<code>--max-iter</code> or <code>--max-time</code>; its outcome is below.</p>\n",
              page->out);
    if (page->path->count > 1 && strangers)
        fprintf(
            page->out,
            "<p class=\"warning\" role=\"note\">Fits of this path that did not converge: %lld of %lld; the table of "
            "the path says which. If the model shown is among them, raise <code>--max-iter</code>.</p>\n",
            (long long)strangers, (long long)page->path->count);
    int64_t unconverged = page->results->cv ? dcpn_cli_unconverged_in_folds(page->results->cv) : 0;
    if (unconverged)
        fprintf(page->out,
                "<p class=\"warning\" role=\"note\">Fits within the folds that did not converge: %lld. Errors near "
                "them are less certain; <code>--max-iter</code> allows more steps.</p>\n",
                (long long)unconverged);
}

/* ---- The whole ---- */

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
    if (!code) code = dcpn_cli_page_groups(&page);
    if (!code) code = dcpn_cli_page_classes(&page);
    if (!code) dcpn_cli_page_pictures(&page);
    if (!code) code = dcpn_cli_page_stability(&page);
    dcpn_cli_page_path_table(&page);
    dcpn_cli_page_data(&page);
    dcpn_cli_page_origin(&page);
    print_end(&page);
    return code;
}
