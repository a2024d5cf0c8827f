/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a report about all models: the measures and the path. */
#include "page.h"

#include <math.h>
#include <string.h>

#define LAMBDA "\xCE\xBB"

/* ---- The measures ---- */

static void print_measurement(const struct page *page, struct choice choice, int measure)
{
    fputs("<td class=\"number\">", page->out);
    if (choice.path >= 0) {
        struct measurement found = dcpn_cli_measurement(page->results, choice, measure);
        dcpn_cli_page_number(page, found.mean, 4);
        if (isfinite(found.se)) fprintf(page->out, " \xC2\xB1\xC2\xA0%.2g", found.se);
    }
    fputs("</td>", page->out);
}

/* min and 1se, and the rule that was asked for where it is another one. */
static int rules_shown(const struct page *page)
{
    const char *rule = page->results->cv->choice.rule;
    return DCPN_CLI_RULES + (strcmp(rule, "min") != 0 && strcmp(rule, "1se") != 0);
}

static void print_choice_row(const struct page *page, const char *name,
                             void (*print)(const struct page *, struct choice))
{
    fprintf(page->out, "<tr><th scope=\"row\">%s</th>", name);
    for (int rule = 0; rule < rules_shown(page); rule++) {
        struct choice chosen = dcpn_cli_results_chosen(page->results, (enum results_rule)rule);
        fputs("<td class=\"number\">", page->out);
        if (chosen.path >= 0) print(page, chosen);
        fputs("</td>", page->out);
    }
    fputs("</tr>\n", page->out);
}

static void print_penalty(const struct page *page, struct choice choice)
{
    char room[DCPN_CLI_PATH_NAME_SIZE];
    dcpn_cli_page_text(page, dcpn_cli_path_name(dcpn_cli_path_at(page->results, choice), room));
}

/* The best models of each number of features have a lambda that nobody asked for. */
static int has_lambda(const struct page *page, struct choice choice)
{
    return dcpn_cli_path_at(page->results, choice)->kind != DCPN_PATH_BY_SIZE;
}

static void print_lambda(const struct page *page, struct choice choice)
{
    if (has_lambda(page, choice))
        dcpn_cli_page_number(page, dcpn_cli_point_at(page->results, choice)->lambda, 4);
}

static void print_features(const struct page *page, struct choice choice)
{
    fprintf(page->out, "%lld", (long long)dcpn_cli_features_at(page->results, choice));
}

/* The best of one path by one rule. */
static void print_offer(const struct page *page, struct choice choice, const char *rule)
{
    fputs("<tr><th scope=\"row\">", page->out);
    print_penalty(page, choice);
    fprintf(page->out, "</th><td>%s</td><td class=\"number\">", rule);
    print_lambda(page, choice);
    fputs("</td><td class=\"number\">", page->out);
    print_features(page, choice);
    fputs("</td>", page->out);
    for (int m = 0; m < page->results->cv->measured.count; m++) print_measurement(page, choice, m);
    fputs("</tr>\n", page->out);
}

/* Prints what the rules would choose on each of several paths. */
static void print_offers(const struct page *page)
{
    static const char *const rules[DCPN_CLI_RULES] = {"min", "1se"};
    const dcpn_cv *cv = page->results->cv;
    if (page->paths->count < 2) return;
    fputs("<div class=\"scroll\">\n<table class=\"offers\">\n<caption>The same on each path</caption>\n<thead><tr><th "
          "scope=\"col\">penalty</th><th scope=\"col\">rule</th><th scope=\"col\" class=\"number\">" LAMBDA
          "</th><th scope=\"col\" class=\"number\">features</th>",
          page->out);
    for (int m = 0; m < cv->measured.count; m++) {
        fputs("<th scope=\"col\" class=\"number\">", page->out);
        dcpn_cli_page_text(page, dcpn_cli_measure_label(cv->measured.names[m]));
        fputs("</th>", page->out);
    }
    fputs("</tr></thead>\n<tbody>\n", page->out);
    for (int64_t v = 0; v < page->paths->count; v++)
        for (int rule = 0; !dcpn_cli_path_is_repeated(cv, v) && rule < DCPN_CLI_RULES; rule++) {
            int64_t best = rule == DCPN_CLI_RULE_1SE ? cv->one_se[v] : cv->best[v];
            if (best >= 0) print_offer(page, (struct choice){v, best}, rules[rule]);
        }
    dcpn_cli_page_end_table(page);
    fputs(
        "</div>\n<p>The file has all of these paths; <code>dcpn report --penalty</code> and <code>--shape</code> show "
        "another one.</p>\n",
        page->out);
}

static int some_have_lambda(const struct page *page)
{
    for (int rule = 0; rule < rules_shown(page); rule++)
        if (has_lambda(page, dcpn_cli_results_chosen(page->results, (enum results_rule)rule))) return 1;
    return 0;
}

void dcpn_cli_page_measures(const struct page *page)
{
    const dcpn_cv *cv = page->results->cv;
    if (!cv) return;
    fputs("<div class=\"scroll\">\n<table class=\"choices\">\n<caption>What the rules choose, with mean and standard "
          "error over the folds</caption>\n<thead><tr><td></td><th scope=\"col\" class=\"number\">min</th><th "
          "scope=\"col\" class=\"number\">1se</th>",
          page->out);
    if (rules_shown(page) > DCPN_CLI_RULES) {
        fputs("<th scope=\"col\" class=\"number\">", page->out);
        dcpn_cli_page_text(page, cv->choice.rule);
        fputs("</th>", page->out);
    }
    fputs("</tr></thead>\n<tbody>\n", page->out);
    print_choice_row(page, "penalty", print_penalty);
    if (some_have_lambda(page)) print_choice_row(page, LAMBDA, print_lambda);
    print_choice_row(page, "features", print_features);
    for (int m = 0; m < cv->measured.count; m++) {
        fputs("<tr><th scope=\"row\">", page->out);
        dcpn_cli_page_text(page, dcpn_cli_measure_label(cv->measured.names[m]));
        fputs("</th>", page->out);
        for (int rule = 0; rule < rules_shown(page); rule++)
            print_measurement(page, dcpn_cli_results_chosen(page->results, (enum results_rule)rule), m);
        fputs("</tr>\n", page->out);
    }
    dcpn_cli_page_end_table(page);
    fputs("</div>\n", page->out);
    print_offers(page);
}

/* ---- The path ---- */

static void print_point(const struct page *page, int64_t at)
{
    const dcpn_path_point *point = &page->path->points[at];
    const dcpn_cv *cv = page->results->cv;
    fputs("<tr>", page->out);
    dcpn_cli_page_cell(page, point->lambda, 5);
    fprintf(page->out, "<td class=\"number\">%lld</td>",
            (long long)dcpn_cli_features_at(page->results, (struct choice){page->album->choice.path, at}));
    dcpn_cli_page_cell(page, 100.0 * dcpn_cli_explained(page->paths, point), 3);
    if (cv) {
        const struct choice choice = {page->album->choice.path, at};
        struct measurement found = dcpn_cli_measurement(page->results, choice, cv->measured.chooses);
        dcpn_cli_page_cell(page, found.mean, 5);
        dcpn_cli_page_cell(page, found.se, 2);
    }
    dcpn_cli_page_cell(page, point->fit.objective, 6);
    fprintf(page->out, "<td>%s</td><td>",
            point->is_locally_convex < 0 ? "\xE2\x80\x93"
            : point->is_locally_convex   ? "yes"
                                         : "no");
    dcpn_cli_page_text(page, dcpn_outcome_name(point->fit.outcome));
    fputs("</td></tr>\n", page->out);
}

void dcpn_cli_page_path_table(const struct page *page)
{
    const dcpn_cv *cv = page->results->cv;
    if (page->path->count < 2) return;
    dcpn_cli_page_begin_section(page, "path", "The path in numbers");
    fprintf(page->out,
            "<details>\n<summary>%lld values of " LAMBDA
            "</summary>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"The "
            "path\">\n<table>\n<caption>Penalty ",
            (long long)page->path->count);
    print_penalty(page, page->album->choice);
    fputs("</caption>\n<thead><tr><th scope=\"col\" class=\"number\">" LAMBDA "</th><th scope=\"col\" "
          "class=\"number\">features</th><th scope=\"col\" class=\"number\">deviance explained (%)</th>",
          page->out);
    if (cv) {
        fputs("<th scope=\"col\" class=\"number\">", page->out);
        dcpn_cli_page_text(page, dcpn_cli_measure_label(cv->measured.names[cv->measured.chooses]));
        fputs("</th><th scope=\"col\" class=\"number\">standard error</th>", page->out);
    }
    fputs("<th scope=\"col\" class=\"number\">F</th><th scope=\"col\">locally convex</th><th scope=\"col\">outcome</th>"
          "</tr></thead>\n<tbody>\n",
          page->out);
    for (int64_t i = 0; i < page->path->count; i++) print_point(page, i);
    dcpn_cli_page_end_table(page);
    fputs("</div>\n</details>\n</section>\n", page->out);
}
