/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn factor: codes and atoms of a matrix. */
#include "command.h"
#include "distinct.h"
#include "meant_settings.h"
#include "number_list.h"
#include "plural.h"
#include "reading.h"
#include "sheet.h"
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#define POLL_EVERY_S 0.02

struct factor_options {
    dcpn_settings settings;
    const char *output, *report, *image_shape, *start, *kind, *atom_lambda, *atom_penalty;
    int64_t atoms, batch, seed, threads;
    int nonnegative_codes, nonnegative_atoms, quiet;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct factor_options, FIELD)

static const struct cli_option options_of_factor[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO(output), NULL, "where to write atoms and codes; - is standard output"),
    DCPN_CLI_TEXT("report", 0, "PAGE", TO(report), NULL, "where to write a page about it, as HTML"),
    DCPN_CLI_TEXT("image-shape", 0, "ROWSxCOLUMNS", TO(image_shape), NULL, "--report: atoms are images of that size"),
    DCPN_CLI_WHOLE("atoms", "K", TO(atoms), "10", NULL, 1, INT32_MAX, "how many"),
    DCPN_CLI_WORD("kind", "KIND", TO(kind), "dictionary", "dictionary|nmf|sparse-pca",
                  "nmf: codes and atoms of at least 0; sparse-pca: components with few features, codes of columns"),
    DCPN_CLI_TEXT("atom-lambda", 0, "X", TO(atom_lambda), "0", "of a penalty of each entry of an atom"),
    DCPN_CLI_TEXT("atom-penalty", 0, "NAME", TO(atom_penalty), "that of codes", "of each entry of an atom"),
    DCPN_CLI_FLAG("nonnegative-codes", 0, TO(nonnegative_codes), "no code below 0"),
    DCPN_CLI_FLAG("nonnegative-atoms", 0, TO(nonnegative_atoms), "no entry of an atom below 0"),
    DCPN_CLI_WHOLE("batch", "ROWS", TO(batch), "0", "all", 1, INT64_MAX,
                   "at a time, for more than memory has room for"),
    DCPN_CLI_TEXT("start", 0, "FILE", TO(start), "rows of DATA", "factors whose atoms are the first ones"),
    DCPN_CLI_WHOLE("seed", "N", TO(seed), "1", NULL, 0, INT64_MAX, "of the rows that atoms begin as"),
    DCPN_CLI_READING_AND_MISSING(TO, "refuse", "refuse|zero|mean|keep"),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors"),
    DCPN_CLI_END,
};

/* Only these settings mean something here. */
static const char *const meant[] = {"penalty",  "lambda",      "theta", "a",    "gamma",        "p",
                                    "eps",      "shape-units", "ridge", "tol",   "stop", "relative-tol", "max-iter",
                                    "max-time", NULL};

static int check_settings(const struct cli *cli)
{
    return dcpn_cli_refuse_others(
        cli, meant,
        "a factorisation has no such choice; it takes the penalty of codes, lambda, shape, ridge, and when to stop");
}

static int is_stopped(void *user)
{
    (void)user;
    return dcpn_cli_watch_is_stopped();
}

static int ask(const struct cli *cli, const struct factor_options *options, dcpn_factor_options *asked)
{
    int is_nmf = strcmp(options->kind, "nmf") == 0;
    *asked = (dcpn_factor_options){.atoms = options->atoms,
                                   .of_columns = strcmp(options->kind, "sparse-pca") == 0,
                                   .nonnegative_codes = is_nmf || options->nonnegative_codes,
                                   .nonnegative_atoms = is_nmf || options->nonnegative_atoms,
                                   .atom_penalty = options->atom_penalty,
                                   .batch = options->batch,
                                   .seed = (uint64_t)options->seed};
    if (options->atom_penalty && !options->atom_lambda)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--atom-penalty: found no --atom-lambda, without which atoms have no penalty");
    return dcpn_cli_number(cli, "atom-lambda", options->atom_lambda, 0.0, 1e300, &asked->atom_lambda);
}

static int64_t atoms_in_use(const dcpn_factors *f)
{
    int64_t count = 0;
    for (int64_t k = 0; k < f->atoms; k++) {
        int64_t e = 0;
        while (e < f->codes.first[f->count] && f->codes.index[e] != k) e++;
        count += e < f->codes.first[f->count];
    }
    return count;
}

static void print_summary(FILE *stream, const struct factor_options *options, const dcpn_factors *f)
{
    const char *of = f->of_columns ? "column" : "row";
    fprintf(stream, "objective     %.10g  (squares / 2 %g + penalty %g", f->objective, f->loss_value,
            f->penalty_value);
    if (f->of_atoms.name) fprintf(stream, " + %g of atoms", f->of_atoms.value);
    fputs(")\n", stream);
    fprintf(stream, "explained     %.2f%% of the squares\n", 100.0 * (1.0 - f->unexplained));
    fprintf(stream, "atoms         %lld of %lld in use, %.3g for each %s\n", (long long)atoms_in_use(f),
            (long long)f->atoms, f->count ? (double)f->codes.first[f->count] / (double)f->count : 0.0, of);
    fprintf(stream, "certificate   codes %.3g (goal %.3g), atoms %.3g (goal %.3g)\n", f->codes_end.violation,
            f->codes_end.goal, f->atoms_end.violation, f->atoms_end.goal);
    fprintf(stream, "outcome       %s\n",
            f->outcome == DCPN_CONVERGED ? "converged: no code and no atom can be improved alone"
                                         : dcpn_outcome_meaning(f->outcome));
    fprintf(stream, "work          %lld iteration%s, %.3g s\n", (long long)f->iterations,
            dcpn_cli_plural(f->iterations), f->time_s);
    if (options->output) fprintf(stream, "factors       %s\n", options->output);
}

/* "8x8" */
static int parse_shape(const struct cli *cli, const char *text, struct factor_sheet *page)
{
    long long rows = 0, columns = 0;
    int used = 0;
    if (!text) return 0;
    if (sscanf(text, "%5lldx%5lld%n", &rows, &columns, &used) < 2 || text[used] || rows < 1 || columns < 1)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--image-shape: found '%s', expected rows and columns with an x between, such as 8x8",
                             text);
    page->image_rows = rows;
    page->image_columns = columns;
    return 0;
}

static int check_shape(const struct cli *cli, const struct factor_options *options, int64_t length)
{
    struct factor_sheet page = {0};
    int code = parse_shape(cli, options->image_shape, &page);
    if (code || !options->image_shape || page.image_rows * page.image_columns == length) return code;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--image-shape: found '%s', expected one of %lld numbers, as there are features",
                         options->image_shape, (long long)length);
}

static int write_report(const struct cli *cli, const struct factor_options *options, const dcpn_dataset *data,
                        const dcpn_factors *f)
{
    struct factor_sheet page = {.factors = f, .names = (const char *const *)data->feature_names};
    int code = parse_shape(cli, options->image_shape, &page);
    return code ? code
                : dcpn_cli_sheet_write(cli, options->report, cli->arguments[0], dcpn_cli_sheet_factors, &page);
}

static int deliver(const struct cli *cli, const struct factor_options *options, const dcpn_dataset *data,
                   const dcpn_factors *f)
{
    int code = options->output ? dcpn_cli_check(cli, dcpn_factors_write(f, options->output)) : 0;
    if (!code && options->report) code = write_report(cli, options, data, f);
    int is_taken =
        dcpn_cli_is_standard_stream(options->output) || dcpn_cli_is_standard_stream(options->report);
    if (!code && !options->quiet) print_summary(is_taken ? stderr : stdout, options, f);
    if (!code && dcpn_cli_watch_is_stopped()) return DCPN_CLI_INTERRUPTED;
    return code;
}

static int check_files(const struct cli *cli, const struct factor_options *options)
{
    const struct cli_files files = {.reads = {cli->arguments[0], options->start, options->reading.labels,
                                              options->reading.names},
                                    .writes = {options->output, options->report}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && options->output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->output));
    if (!code && options->report) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, options->report));
    if (!code && options->image_shape && !options->report)
        code = dcpn_cli_fail(cli, DCPN_USAGE, "--image-shape: found no --report, on which atoms are drawn");
    return code;
}

/* Atoms of as many numbers as there are features, or rows if codes are theirs. */
static int read_start(const struct cli *cli, const struct factor_options *options, const dcpn_dataset *data,
                      dcpn_factor_options *asked, dcpn_factors **start)
{
    if (!options->start) return 0;
    int code = dcpn_cli_check(cli, dcpn_factors_read(cli->context, options->start, start));
    if (code) return code;
    int64_t length = asked->of_columns ? data->rows : data->features;
    if (dcpn_cli_is_given(cli, "atoms") && asked->atoms != (*start)->atoms)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--atoms: found %lld, expected %lld as --start has, or none",
                             (long long)asked->atoms, (long long)(*start)->atoms);
    if ((*start)->length != length || (*start)->of_columns != asked->of_columns)
        return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %sof %lld numbers, expected %sof %lld", options->start,
                             (*start)->of_columns ? "components " : "atoms ", (long long)(*start)->length,
                             asked->of_columns ? "components " : "atoms ", (long long)length);
    asked->atoms = (*start)->atoms;
    asked->start = (*start)->atom;
    return 0;
}

static int work_through(struct cli *cli, const struct factor_options *options)
{
    dcpn_dataset *data = NULL;
    dcpn_factors *factors = NULL, *start = NULL;
    dcpn_factor_options asked = {0};
    int code = check_settings(cli);
    if (!code) code = ask(cli, options, &asked);
    dcpn_context_set_threads(cli->context, (int)options->threads);
    if (!code) code = check_files(cli, options);
    if (!code)
        code = dcpn_cli_read(cli, cli->arguments[0], &options->reading,
                             (dcpn_read_options){.table.label_optional = 2, .unlabelled = 1, .narrow = 1}, &data);
    if (!code) code = read_start(cli, options, data, &asked, &start);
    if (!code) code = check_shape(cli, options, data->features);
    if (!code) dcpn_cli_watch_signals();
    dcpn_context_set_poll(cli->context, is_stopped, POLL_EVERY_S, NULL);
    if (!code)
        code = dcpn_cli_check(cli, dcpn_factors_fit(cli->context, data->matrix, &options->settings, &asked, &factors));
    dcpn_context_set_poll(cli->context, NULL, 0.0, NULL);
    dcpn_context_resume(cli->context); /* what there is is written */
    dcpn_cli_watch_end();
    if (!code) code = deliver(cli, options, data, factors);
    dcpn_factors_free(factors);
    dcpn_factors_free(start);
    dcpn_dataset_free(data);
    return code;
}

static int factor(struct cli *cli, int argc, char **argv)
{
    struct factor_options options = {0};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, 0);
    return work_through(cli, &options);
}

static dcpn_settings standard_settings(void)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.penalty = "l1";
    settings.lambda = 0.1;
    return settings;
}

const struct cli_command dcpn_cli_factor = {
    .name = "factor",
    .arguments = "DATA [-o FILE] [--atoms K] [OPTIONS]",
    .summary = "Finds atoms in common and sparse codes: dictionaries, non-negative factors, sparse components",
    .details =
        "X is about C D, |d_k| <= 1, with a penalty, convex or not, of each entry of C. 'predict' makes codes of other "
        "rows from the file. Labels are not looked at.",
    .examples = {"dcpn factor images.npy --atoms 64 --lambda 0.3 --penalty mcp -o atoms.json",
                 "dcpn factor counts.svm --kind nmf --atoms 20 --lambda 0.1",
                 "dcpn factor genes.csv --kind sparse-pca --atoms 5 --lambda 2"},
    .options = options_of_factor,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings = standard_settings,
    .settings_note =
        "--penalty l1, --lambda 0.1, --theta, --a, --gamma, --p, --eps, --shape-units, --ridge, --tol, --stop, "
        "--relative-tol, --max-iter and --max-time as in 'dcpn fit'",
    .no_checkpoint =
        "Ctrl-C and --max-time keep the best atoms so far, and --start FILE goes on from them",
    .is_like_fit = 1,
    .run = factor,
};
