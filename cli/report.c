/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn report: a model, a path or a cross-validation as a page, as figures, or as text in the terminal. */
#include "report.h"

#include "choice.h"
#include "coefficients.h"
#include "distinct.h"
#include "held_out.h"
#include "label_text.h"
#include "page.h"
#include "plural.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PRINTED = 10, NAME_BYTES = 60 };

struct report_options {
    const char *output, *svg, *trace;
    struct choice_options choice;
    int terminal, quiet;
};

#define TO(FIELD) offsetof(struct report_options, FIELD)
#define TO_CHOICE(FIELD) offsetof(struct report_options, choice.FIELD)

static const struct cli_option options_of_report[] = {
    DCPN_CLI_TEXT("output", 'o', "PAGE", TO(output), NULL, "where to write the page; - is standard output"),
    DCPN_CLI_TEXT("svg", 0, "FOLDER", TO(svg), NULL, "write each figure into this folder, as a file of its own"),
    DCPN_CLI_FLAG("terminal", 0, TO(terminal),
                  "draw the main figures as text on standard output; what is done without -o and --svg"),
    DCPN_CLI_TEXT("trace", 0, "FILE", TO(trace), NULL, "what fit --trace wrote: shows the convergence of a model"),
    DCPN_CLI_CHOICE_OPTIONS(TO_CHOICE, "show the model of the nearest lambda"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

/* ---- Pages ---- */

static int write_page(const struct album *album, const char *path)
{
    const struct cli *cli = album->cli;
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    int code = stream ? dcpn_cli_page_print(stream, album) : 0, is_whole = stream && !ferror(stream);
    if (stream) is_whole &= fclose(stream) == 0;
    if (!code) code = dcpn_cli_check(cli, dcpn_write_text(cli->context, path, is_whole ? text : NULL, length));
    free(text);
    return code;
}

int dcpn_cli_report_page(const struct results *results, const struct trace *trace, const char *path)
{
    struct choice choice;
    struct album album = {0};
    int code = dcpn_cli_results_choose(results, NULL, &choice);
    if (!code) code = dcpn_cli_album_make(results, choice, trace, &album);
    if (!code) code = write_page(&album, path);
    dcpn_cli_album_free(&album);
    return code;
}

/* ---- Figures ---- */

static int write_figure(const struct album *album, const struct picture *picture, const char *folder)
{
    const struct cli *cli = album->cli;
    size_t size = strlen(folder) + strlen(picture->id) + 6;
    char *path = dcpn_cli_allocate(cli, (int64_t)size, 1);
    if (!path) return dcpn_status_exit_code(DCPN_MEMORY);
    snprintf(path, size, "%s/%s.svg", folder, picture->id);
    int code = dcpn_cli_check(cli, dcpn_figure_write(cli->context, path, &picture->figure));
    free(path);
    return code;
}

static int write_figures(const struct album *album, const char *folder)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return dcpn_cli_fail(album->cli, DCPN_IO, "--svg: %s: %s", folder, strerror(errno));
    int code = 0;
    for (size_t i = 0; i < album->count && !code; i++) code = write_figure(album, &album->pictures[i], folder);
    if (!code && album->count == 0)
        dcpn_cli_say(album->cli, "--svg: %s has no path and no trace: there is nothing to draw", album->results->name);
    return code;
}

/* ---- The terminal ---- */

/* The command itself never leaves the C locale. */
static int is_utf8(void)
{
    const char *names[] = {getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG")};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i] && *names[i]) return strcasestr(names[i], "UTF-8") != NULL || strcasestr(names[i], "UTF8") != NULL;
    return 0;
}

static struct figure_terminal look_at(FILE *stream)
{
    struct figure_terminal terminal = {.columns = 80, .rows = 24, .is_unicode = is_utf8()};
    const char *no_colour = getenv("NO_COLOR"), *kind = getenv("TERM");
    struct winsize size;
    if (!isatty(fileno(stream))) return terminal;
    terminal.has_colour = !(no_colour && *no_colour) && !(kind && strcmp(kind, "dumb") == 0);
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) terminal.columns = size.ws_col;
    if (terminal.columns > 120) terminal.columns = 120;
    return terminal;
}

/* Prints what the model is, in a line or two. */
static void print_lead(const struct album *album, FILE *stream)
{
    const struct results *results = album->results;
    const dcpn_path *path = dcpn_cli_path_at(results, album->choice);
    const dcpn_path_point *point = dcpn_cli_point_at(results, album->choice);
    struct held_out held;
    char room[DCPN_CLI_PATH_NAME_SIZE];
    fprintf(stream, "%lld of %lld feature%s, ", (long long)dcpn_cli_features_at(results, album->choice),
            (long long)results->paths->features, dcpn_cli_plural(results->paths->features));
    if (path->kind == DCPN_PATH_BY_SIZE)
        fprintf(stream, "refitted without the penalty%s", path->varying ? ", with a ridge" : "");
    else
        fprintf(stream, "penalty %s, lambda %.4g", dcpn_cli_path_name(path, room), point->lambda);
    for (int m = 0; results->cv && m < results->cv->measured.count; m++) {
        struct measurement found = dcpn_cli_measurement(results, album->choice, m);
        if (isfinite(found.mean))
            fprintf(stream, "%s%s %.3g", m ? ", " : "\n", results->cv->measured.names[m], found.mean);
    }
    fputc('\n', stream);
    int are_two = results->paths->labels.count == 2 &&
                  !dcpn_cli_are_several(results->paths->scores, &results->paths->labels);
    if (!are_two || !dcpn_cli_held_out_at(results, album->choice, &held)) return;
    const struct confusion found = dcpn_cli_held_out_confusion(&held);
    const double(*w)[2] = found.weight;
    fprintf(stream, "on rows that were held out: sensitivity %.1f %%, specificity %.1f %%\n",
            100.0 * w[1][1] / (w[1][0] + w[1][1]), 100.0 * w[0][0] / (w[0][0] + w[0][1]));
}

/* The largest coefficients. */
static int print_largest(const struct album *album, FILE *stream)
{
    const struct results *results = album->results;
    const dcpn_path *path = dcpn_cli_path_at(results, album->choice);
    int64_t count = dcpn_cli_point_at(results, album->choice)->fit.nonzeros;
    int64_t *order = dcpn_cli_by_size(results, album->choice);
    if (!order) return dcpn_status_exit_code(DCPN_MEMORY);
    fputc('\n', stream);
    for (int64_t i = 0; i < count && i < MOST_PRINTED; i++) {
        char room[DCPN_CLI_NAME_SIZE];
        const char *name = dcpn_cli_coefficient_name(results, path->index[order[i]], "feature ", room);
        fprintf(stream, "%14.6g  ", path->value_of[order[i]]);
        dcpn_cli_print_name(stream, name, NAME_BYTES);
        fputc('\n', stream);
    }
    if (count > MOST_PRINTED)
        fprintf(stream, "... and %lld more: dcpn coef prints them\n", (long long)count - MOST_PRINTED);
    free(order);
    return 0;
}

/* Letters have no room for a line of each fold. */
static void leave_out_folds(struct figure *figure)
{
    while (figure->series_count && figure->series[figure->series_count - 1].look == DCPN_FIGURE_FAINT)
        figure->series_count--;
    figure->faint_label = NULL;
}

static int print_terminal(const struct album *album, FILE *stream)
{
    static const char *const ids[] = {"cross-validation", "coefficients", "gap-passes"};
    const struct figure_terminal terminal = look_at(stream);
    print_lead(album, stream);
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        const struct picture *picture = dcpn_cli_album_find(album, ids[i]);
        if (!picture) continue;
        struct figure figure = picture->figure;
        if (i == 0) leave_out_folds(&figure);
        fputc('\n', stream);
        dcpn_figure_print(stream, &figure, &terminal);
    }
    return print_largest(album, stream);
}

/* ---- The command ---- */

static int check_first(const struct cli *cli, const struct report_options *options)
{
    const struct cli_files files = {.reads = {cli->arguments[0], options->trace}, .writes = {options->output}};
    if (options->terminal && options->output && strcmp(options->output, "-") == 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "-o - and --terminal both want standard output; give -o a file");
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    return code;
}

static int deliver(const struct report_options *options, const struct album *album)
{
    int code = options->output ? write_page(album, options->output) : 0;
    if (!code && options->svg) code = write_figures(album, options->svg);
    if (!code && options->terminal) code = print_terminal(album, stdout);
    return code;
}

/* Such files have a page, and no figures for a terminal. */
static int report_matrix(const struct cli *cli, const struct report_options *options)
{
    static const char *const not_there[] = {"svg", "terminal", "trace", "lambda", "rule", "penalty"};
    for (size_t k = 0; k < sizeof not_there / sizeof *not_there; k++)
        if (dcpn_cli_is_given(cli, not_there[k]))
            return dcpn_cli_fail(cli, DCPN_USAGE,
                                 "--%s: %s is a graph, a completed matrix or factors, of which report makes a page (-o "
                                 "PAGE) and nothing else",
                                 not_there[k], cli->arguments[0]);
    if (!options->output)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--output: found none, expected where to write the page of %s", cli->arguments[0]);
    int code = check_first(cli, options);
    return code ? code : dcpn_cli_report_matrix(cli, cli->arguments[0], options->output);
}

static int report(struct cli *cli, int argc, char **argv)
{
    struct report_options options;
    struct results results = {0};
    struct trace trace = {0};
    struct album album = {0};
    struct choice choice;
    dcpn_selection which;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    if (dcpn_cli_report_of_matrix(cli, cli->arguments[0])) return report_matrix(cli, &options);
    if (!options.output && !options.svg) options.terminal = 1;
    code = check_first(cli, &options);
    if (!code) code = dcpn_cli_choice_words(cli, &options.choice, &which);
    if (!code) code = dcpn_cli_results_read(cli, cli->arguments[0], &results);
    if (!code && options.trace) code = dcpn_cli_trace_read(cli, options.trace, &trace);
    if (!code) code = dcpn_cli_results_choose(&results, &which, &choice);
    if (!code) code = dcpn_cli_album_make(&results, choice, &trace, &album);
    if (!code) code = deliver(&options, &album);
    dcpn_cli_album_free(&album);
    dcpn_cli_trace_free(&trace);
    dcpn_cli_results_free(&results);
    return code;
}

const struct cli_command dcpn_cli_report = {
    .name = "report",
    .arguments = "FILE [-o PAGE] [OPTIONS]",
    .summary = "Shows a model, a path or a cross-validation as a page",
    .details = "FILE is what fit, path, cv, graph, complete or factor wrote. The page is one HTML file that needs no "
               "network; its figures can also be files of their own, or text in the terminal.",
    .examples = {"dcpn report cv.json -o page.html", "dcpn report path.json --svg figures --lambda 0.1",
                 "dcpn report cv.json --terminal"},
    .options = options_of_report,
    .fewest = 1,
    .most = 1,
    .run = report,
};
