/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of a report: the model, the measures, the path and the stability of features. */
#include "held_out.h"
#include "page.h"
#include "plot/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_ROWS = 25, MOST_ROWS = 1000, LONG_PIECE = 14 };

#define LAMBDA "\xCE\xBB"

static void begin_section(const struct page *page, const char *id, const char *heading)
{
    fprintf(page->out, "<section class=\"long\" aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id, heading);
}

/* ---- The model ---- */

/* exp of a coefficient of the logistic loss: by how much odds are multiplied where the feature is greater by 1. */
static int has_odds(const struct page *page)
{
    return page->paths->labels.count == 2 && strcmp(page->paths->settings.loss, "logistic") == 0;
}

static void begin_model_table(const struct page *page, const char *caption)
{
    fprintf(
        page->out,
        "<table class=\"model\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">feature</th><th scope=\"col\" "
        "class=\"number\">coefficient</th>%s%s<td class=\"bar\"></td></tr></thead>\n<tbody>\n",
        caption, has_odds(page) ? "<th scope=\"col\" class=\"number\">odds ratio</th>" : "",
        !page->paths->deviations.value ? ""
        : has_odds(page)               ? "<th scope=\"col\" class=\"number spare\">odds ratio per std. dev.</th>"
                                       : "<th scope=\"col\" class=\"number\">per std. dev.</th>");
}

static void end_table(const struct page *page)
{
    fputs("</tbody>\n</table>\n", page->out);
}

/* A bar to the right of the middle, or, for a negative number, to the left. */
static void print_bar(const struct page *page, double value, double largest)
{
    double width = largest > 0.0 ? 50.0 * fabs(value) / largest : 0.0;
    if (value < 0.0)
        fprintf(page->out, "<td class=\"bar\"><i class=\"minus\" style=\"width:%.1f%%;margin-left:%.1f%%\"></i></td>",
                width, 50.0 - width);
    else
        fprintf(page->out, "<td class=\"bar\"><i class=\"plus\" style=\"width:%.1f%%\"></i></td>", width);
}

static void print_number(const struct page *page, double value, int digits)
{
    fputs("<td class=\"number\">", page->out);
    dcpn_cli_page_number(page, value, digits);
    fputs("</td>", page->out);
}

/* A name may break behind its signs; only one with a piece that is too long for a phone may break anywhere. */
static void print_name(const struct page *page, const char *name)
{
    static const char signs[] = "=_.:/-, ";
    size_t longest = 0;
    for (const char *rest = name; *rest;) {
        size_t piece = strcspn(rest, signs) + 1;
        if (piece > longest) longest = piece;
        rest += piece - (rest[piece - 1] == '\0');
    }
    fputs(longest > LONG_PIECE ? "<th scope=\"row\" class=\"long-name\">" : "<th scope=\"row\">", page->out);
    for (const char *rest = name; *rest;) {
        size_t piece = strcspn(rest, signs);
        piece += rest[piece] != '\0';
        dcpn_figure_text_print(page->out, rest, piece);
        rest += piece;
        if (*rest) fputs("<wbr>", page->out);
    }
    fputs("</th>", page->out);
}

/* Prints the number per standard deviation. Beside odds, a phone has no room for it and leaves it out; the bar shows
 * it, too. */
static void print_deviation(const struct page *page, double number)
{
    fputs(has_odds(page) ? "<td class=\"number spare\">" : "<td class=\"number\">", page->out);
    dcpn_cli_page_number(page, number, 3);
    fputs("</td>", page->out);
}

static void print_row(const struct page *page, int64_t at, double largest)
{
    char room[DCPN_CLI_NAME_SIZE];
    double weight = dcpn_cli_weight(page->results, page->path, at);
    fputs("<tr>", page->out);
    print_name(page, dcpn_cli_coefficient_name(page->results, page->path->index[at], "", room));
    print_number(page, page->path->value_of[at], 5);
    if (has_odds(page)) print_number(page, exp(page->path->value_of[at]), 3);
    if (page->paths->deviations.value) print_deviation(page, has_odds(page) ? exp(weight) : weight);
    print_bar(page, weight, largest);
    fputs("</tr>\n", page->out);
}

static void print_rows(const struct page *page, const int64_t *order, int64_t begin, int64_t end)
{
    double largest = page->point->fit.nonzeros ? fabs(dcpn_cli_weight(page->results, page->path, order[0])) : 0.0;
    for (int64_t i = begin; i < end; i++) print_row(page, order[i], largest);
}

static void print_rest(const struct page *page, const int64_t *order)
{
    int64_t count = page->point->fit.nonzeros, end = count < MOST_ROWS ? count : MOST_ROWS;
    if (count <= SHOWN_ROWS) return;
    if (end - SHOWN_ROWS == 1)
        fputs("<details>\n<summary>The other feature</summary>\n", page->out);
    else
        fprintf(page->out, "<details>\n<summary>%s %lld features</summary>\n", end < count ? "The next" : "The other",
                (long long)(end - SHOWN_ROWS));
    begin_model_table(page, "continued");
    print_rows(page, order, SHOWN_ROWS, end);
    end_table(page);
    fputs("</details>\n", page->out);
    if (end < count)
        fprintf(page->out, "<p>%lld more, all smaller, are in the file: <code>dcpn coef</code> prints them.</p>\n",
                (long long)(count - end));
}

/* Says which way the coefficients point. */
static void print_direction(const struct page *page)
{
    if (page->paths->labels.count != 2 || page->paths->scores > 1) return;
    fputs("<p>What raises the score speaks for <strong>", page->out);
    dcpn_cli_page_class(page, 1);
    fputs("</strong>, what lowers it for <strong>", page->out);
    dcpn_cli_page_class(page, 0);
    fputs("</strong>.</p>\n", page->out);
}

static void print_intercept(const struct page *page)
{
    if (!page->paths->settings.intercept && !(fabs(page->point->intercept) > 0.0)) return;
    if (page->paths->scores > 1) return; /* one for each class: dcpn coef prints them */
    fputs("<p class=\"after\">Intercept: ", page->out);
    dcpn_cli_page_number(page, page->point->intercept, 5);
    fputs(".</p>\n", page->out);
}

/* The caption of the table, which says what its columns are. */
static const char *model_caption(const struct page *page)
{
    int by_deviation = page->paths->deviations.value != NULL;
    if (has_odds(page))
        return by_deviation
                   ? "Coefficients that are not 0, and by how much each multiplies the odds: for one unit of its "
                     "feature, and for one standard deviation, by which they compare; the largest first"
                   : "Coefficients that are not 0, and by how much each multiplies the odds for one unit of its "
                     "feature; the largest first";
    return by_deviation ? "Coefficients that are not 0, on the scale of the data, and per standard deviation of their "
                          "feature, by which they compare; the largest first"
                        : "Coefficients that are not 0, the largest first, on the scale of the data";
}

int dcpn_cli_page_model(const struct page *page)
{
    int64_t count = page->point->fit.nonzeros, *order = dcpn_cli_by_size(page->results, page->album->choice);
    if (!order) return dcpn_status_exit_code(DCPN_MEMORY);
    begin_section(page, "model", "The model");
    if (count) {
        print_direction(page);
        begin_model_table(page, model_caption(page));
        print_rows(page, order, 0, count < SHOWN_ROWS ? count : SHOWN_ROWS);
        end_table(page);
        print_rest(page, order);
        print_intercept(page);
    } else {
        fputs("<p>No feature is in use: every coefficient is 0. A smaller " LAMBDA " lets features in.</p>\n",
              page->out);
    }
    fputs("</section>\n", page->out);
    free(order);
    return 0;
}

/* ---- Rows that were held out ---- */

static void print_confusion_row(const struct page *page, const struct confusion *found, int truth)
{
    const double *w = found->weight[truth];
    fputs("<tr><th scope=\"row\">is ", page->out);
    dcpn_cli_page_class(page, truth);
    fprintf(page->out, "</th><td class=\"number\">%.6g</td><td class=\"number\">%.6g</td><td class=\"number\">", w[1],
            w[0]);
    if (w[0] + w[1] > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * w[truth] / (w[0] + w[1]));
    fputs("</td></tr>\n", page->out);
}

static void print_predictive_value(const struct page *page, const struct confusion *found, int called)
{
    double right = found->weight[called][called], all = found->weight[0][called] + found->weight[1][called];
    fputs("<td class=\"number\">", page->out);
    if (all > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * right / all);
    fputs("</td>", page->out);
}

/* A line for one of many classes: its rows, how many are called so, and which other class they are called most
 * often. */
static void print_errors_of_class(const struct page *page, const double *weight, int64_t k)
{
    double all = 0.0;
    int64_t other = -1;
    for (int64_t c = 0; c < page->paths->labels.count; c++) {
        all += weight[c];
        if (c != k && weight[c] > 0.0 && (other < 0 || weight[c] > weight[other])) other = c;
    }
    fputs("<tr><th scope=\"row\">", page->out);
    dcpn_cli_page_class(page, k);
    fprintf(page->out, "</th><td class=\"number\">%.6g</td><td class=\"number\">", all);
    if (all > 0.0) fprintf(page->out, "%.1f\xC2\xA0%%", 100.0 * weight[k] / all);
    fputs("</td><td>", page->out);
    if (other >= 0) dcpn_cli_page_class(page, other);
    if (other >= 0) fprintf(page->out, " (%.6g)", weight[other]);
    fputs("</td></tr>\n", page->out);
}

static void print_errors_of_classes(const struct page *page, const struct held_out *held, double *weight)
{
    int64_t classes = page->paths->labels.count;
    for (int64_t i = 0; i < held->rows->rows; i++)
        if (!isnan(held->rows->label[i]) && !isnan(held->score[i]))
            weight[(int64_t)held->rows->label[i] * classes + (int64_t)held->score[i]] += held->rows->weight[i];
    begin_section(page, "classes", "The classes");
    fputs("<p>Each row is predicted by the fit without its fold, which has not seen it.</p>\n<div class=\"scroll\">\n"
          "<table class=\"confusion\">\n<caption>The classes, and what their rows are called</caption>\n<thead><tr><th "
          "scope=\"col\">class</th><th scope=\"col\" class=\"number\">rows</th><th scope=\"col\" "
          "class=\"number\">right</th><th scope=\"col\">taken most often for</th></tr></thead>\n<tbody>\n",
          page->out);
    for (int64_t k = 0; k < classes; k++) print_errors_of_class(page, weight + k * classes, k);
    end_table(page);
    fputs("</div>\n</section>\n", page->out);
}

int dcpn_cli_page_classes(const struct page *page)
{
    struct held_out held;
    int64_t classes = page->paths->labels.count;
    if (page->paths->scores == 1 || !dcpn_cli_held_out_at(page->results, page->album->choice, &held)) return 0;
    double *weight = dcpn_cli_allocate(page->cli, classes * classes, sizeof *weight);
    if (!weight) return dcpn_status_exit_code(DCPN_MEMORY);
    print_errors_of_classes(page, &held, weight);
    free(weight);
    return 0;
}

void dcpn_cli_page_confusion(const struct page *page)
{
    struct held_out held;
    if (!dcpn_cli_held_out_at(page->results, page->album->choice, &held)) return;
    const struct confusion found = dcpn_cli_held_out_confusion(&held);
    fputs("<p>Each row is predicted by the fit without its fold, which has not seen it.</p>\n<div class=\"scroll\">\n"
          "<table class=\"confusion\">\n<caption>What the rows are, and what they are called at a probability of one "
          "half</caption>\n<thead><tr><td></td>",
          page->out);
    for (int called = 1; called >= 0; called--) {
        fputs("<th scope=\"col\" class=\"number\">called ", page->out);
        dcpn_cli_page_class(page, called);
        fputs("</th>", page->out);
    }
    fputs("<th scope=\"col\" class=\"number\">right</th></tr></thead>\n<tbody>\n", page->out);
    print_confusion_row(page, &found, 1);
    print_confusion_row(page, &found, 0);
    fputs("<tr><th scope=\"row\">right of those called so</th>", page->out);
    print_predictive_value(page, &found, 1);
    print_predictive_value(page, &found, 0);
    fputs("<td></td></tr>\n", page->out);
    end_table(page);
    fputs("</div>\n", page->out);
}

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

static void print_lambda(const struct page *page, struct choice choice)
{
    if (dcpn_cli_path_at(page->results, choice)->kind !=
        DCPN_PATH_BY_SIZE) /* whose lambda is none that was asked for */
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
    end_table(page);
    fputs(
        "</div>\n<p>The file has all of these paths; <code>dcpn report --penalty</code> and <code>--shape</code> show "
        "another one.</p>\n",
        page->out);
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
    print_choice_row(page, LAMBDA, print_lambda);
    print_choice_row(page, "features", print_features);
    for (int m = 0; m < cv->measured.count; m++) {
        fputs("<tr><th scope=\"row\">", page->out);
        dcpn_cli_page_text(page, dcpn_cli_measure_label(cv->measured.names[m]));
        fputs("</th>", page->out);
        for (int rule = 0; rule < rules_shown(page); rule++)
            print_measurement(page, dcpn_cli_results_chosen(page->results, (enum results_rule)rule), m);
        fputs("</tr>\n", page->out);
    }
    end_table(page);
    fputs("</div>\n", page->out);
    print_offers(page);
}

/* ---- The path ---- */

static void print_cell(const struct page *page, double number, int digits)
{
    fputs("<td class=\"number\">", page->out);
    dcpn_cli_page_number(page, number, digits);
    fputs("</td>", page->out);
}

static void print_point(const struct page *page, int64_t at)
{
    const dcpn_path_point *point = &page->path->points[at];
    const dcpn_cv *cv = page->results->cv;
    fputs("<tr>", page->out);
    print_cell(page, point->lambda, 5);
    fprintf(page->out, "<td class=\"number\">%lld</td>",
            (long long)dcpn_cli_features_at(page->results, (struct choice){page->album->choice.path, at}));
    print_cell(page, 100.0 * dcpn_cli_explained(page->paths, point), 3);
    if (cv) {
        const struct choice choice = {page->album->choice.path, at};
        struct measurement found = dcpn_cli_measurement(page->results, choice, cv->measured.chooses);
        print_cell(page, found.mean, 5);
        print_cell(page, found.se, 2);
    }
    print_cell(page, point->fit.objective, 6);
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
    begin_section(page, "path", "The path in numbers");
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
    end_table(page);
    fputs("</div>\n</details>\n</section>\n", page->out);
}

/* ---- Stability ---- */

struct selection {
    int64_t number; /* of a feature, or of a group */
    double frequency;
};

static int by_frequency(const void *left, const void *right)
{
    const struct selection *a = left, *b = right;
    if (a->frequency > b->frequency || a->frequency < b->frequency) return a->frequency > b->frequency ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* The groups that were counted, if the file names them; NULL: it is features that are shown. */
static const dcpn_groups *counted_groups(const struct page *page)
{
    const dcpn_groups *groups = page->results->from.groups;
    return groups && groups->count == page->results->cv->stability->groups ? groups : NULL;
}

static void explain_stability(const struct page *page, int64_t stable)
{
    const dcpn_stability *stability = page->results->cv ? page->results->cv->stability : NULL;
    const char *what = counted_groups(page) ? "group" : "feature";
    fprintf(page->out,
            "<p>How often a %s is chosen in %lld fits, each to a random share of the rows (%.3g). %lld %s%s the "
            "threshold of %.3g",
            what, (long long)stability->subsamples, stability->share, (long long)stable, what,
            stable == 1 ? " reaches" : "s reach", stability->threshold);
    if (isfinite(stability->bound))
        fprintf(page->out, "; of these at most %.3g are wrong, in expectation (Meinshausen and B\xC3\xBChlmann)",
                stability->bound);
    if (isfinite(stability->sharper_bound))
        fprintf(page->out, ", and %.3g by pairs of shares (Shah and Samworth)", stability->sharper_bound);
    fputs(".</p>\n", page->out);
    if (stability->unconverged)
        fprintf(page->out, "<p class=\"warning\" role=\"note\">%lld of these fits did not converge.</p>\n",
                (long long)stability->unconverged);
}

static void print_selection(const struct page *page, const struct selection *selection)
{
    char room[DCPN_CLI_NAME_SIZE];
    fputs("<tr>", page->out);
    const dcpn_groups *groups = counted_groups(page);
    print_name(page, groups ? groups->names[selection->number]
                            : dcpn_cli_feature_name(page->results, selection->number, "", room));
    fprintf(page->out,
            "<td class=\"number\">%.0f&nbsp;%%</td><td class=\"bar\"><i class=\"share%s\" style=\"width:%.1f%%\"></i>"
            "</td></tr>\n",
            100.0 * selection->frequency, selection->frequency < page->results->cv->stability->threshold ? " weak" : "",
            100.0 * selection->frequency);
}

int dcpn_cli_page_stability(const struct page *page)
{
    const dcpn_stability *stability = page->results->cv ? page->results->cv->stability : NULL;
    if (!stability) return 0;
    int is_by_group = counted_groups(page) != NULL;
    int64_t count = is_by_group ? stability->groups : stability->count, stable = 0;
    struct selection *sorted = dcpn_cli_allocate(page->cli, count, sizeof *sorted);
    if (!sorted) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t i = 0; i < count; i++) {
        sorted[i] = is_by_group ? (struct selection){i, stability->group_frequency[i]}
                                : (struct selection){stability->index[i], stability->frequency[i]};
        stable += sorted[i].frequency >= stability->threshold;
    }
    qsort(sorted, (size_t)count, sizeof *sorted, by_frequency);
    int64_t shown = stable > SHOWN_ROWS ? stable : SHOWN_ROWS;
    begin_section(page, "stability", "Stability");
    explain_stability(page, stable);
    fputs(is_by_group ? "<table class=\"model\">\n<caption>The groups chosen most often</caption>\n<thead><tr><th "
                        "scope=\"col\">group</th><th scope=\"col\" class=\"number\">chosen</th><td "
                        "class=\"bar\"></td></tr></thead>\n"
                        "<tbody>\n"
                      : "<table class=\"model\">\n<caption>The features chosen most often</caption>\n<thead><tr><th "
                        "scope=\"col\">feature</th><th scope=\"col\" class=\"number\">chosen</th><td "
                        "class=\"bar\"></td></tr></thead>\n"
                        "<tbody>\n",
          page->out);
    for (int64_t i = 0; i < count && i < shown && i < MOST_ROWS; i++) print_selection(page, &sorted[i]);
    end_table(page);
    fputs("</section>\n", page->out);
    free(sorted);
    return 0;
}
