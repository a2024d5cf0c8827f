/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn cv: which penalty, which lambda, how many features. */
#include "coefficients.h"
#include "cv_choice.h"
#include "cv_table.h"
#include "path_work.h"
#include "plural.h"
#include "ranks.h"
#include "results.h"
#include "unread.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 10 }; /* coefficients of the chosen model */

struct cv_options {
    struct path_options common;
    const char *model, *folds, *measure, *rule, *share, *threshold;
    int64_t repeats, seed, stability, most_features, features_kept, patience;
    int unstratified, relax;
};

#define TO(FIELD) offsetof(struct cv_options, FIELD)
#define TO_COMMON(FIELD) offsetof(struct cv_options, common.FIELD)
#define TO_TRAINING(FIELD) offsetof(struct cv_options, common.training.FIELD)
#define TO_CHECKPOINT(FIELD) offsetof(struct cv_options, common.checkpoint.FIELD)

/* An option that the short help leaves out. */
#define RARE_TEXT(NAME, ARGUMENT, FIELD, DEFAULT_HELP, HELP)                                                           \
    {.name = NAME,                                                                                                     \
     .kind = DCPN_CLI_KIND_TEXT,                                                                                       \
     .offset = TO(FIELD),                                                                                              \
     .argument = ARGUMENT,                                                                                             \
     .default_help = DEFAULT_HELP,                                                                                     \
     .help = HELP,                                                                                                     \
     .advanced = 1}

static const struct cli_option options_of_cv[] = {
    DCPN_CLI_TEXT("output", 'o', "FILE", TO_COMMON(output), NULL, "where to write all of it; - is standard output"),
    DCPN_CLI_TEXT("model", 0, "MODEL", TO(model), NULL, "where to write the chosen model"),
    DCPN_CLI_REPORT_OPTION(TO_COMMON),
    DCPN_CLI_TEXT("folds", 0, "N|FILE", TO(folds), "10", "how many, or a file with a number per row"),
    DCPN_CLI_WHOLE("repeats", "N", TO(repeats), "1", NULL, 1, 1000, "how often folds are drawn"),
    DCPN_CLI_WHOLE("seed", "N", TO(seed), "0", NULL, 0, INT64_MAX, "of the folds and the subsamples"),
    DCPN_CLI_FLAG("unstratified", 0, TO(unstratified), "draw folds without regard to the classes"),
    DCPN_CLI_WORD("measure", "NAME", TO(measure), "deviance", "deviance|error|class-error|auc|concordance|mse|mae",
                  "what chooses"),
    DCPN_CLI_WORD("rule", "RULE", TO(rule), NULL, "min|1se|convex|paired|earned|aic|bic|ebic|gic|sized", "the choice"),
    DCPN_CLI_FLAG("relax", 0, TO(relax), "refit the features chosen, without shrinkage"),
    DCPN_CLI_WHOLE("features-kept", "K", TO(features_kept), "0", "none", 1, 1000,
                   "the best model of at most K features"),
    {.name = "most-features",
     .kind = DCPN_CLI_KIND_WHOLE,
     .offset = TO(most_features),
     .argument = "N",
     .default_text = "0",
     .default_help = "n / (log d log log n)",
     .low = 1,
     .high = 1000000000,
     .help = "that a criterion among the rules may choose",
     .advanced = 1},
    DCPN_CLI_WHOLE("patience", "N", TO(patience), "0", "n/5", 0, INT32_MAX,
                   "a fold ends N lambdas past its best; 0: never"),
    DCPN_CLI_WHOLE("stability", "N", TO(stability), "0", "none", 2, 100000, "count what is selected on N subsamples"),
    RARE_TEXT("stability-share", "X", share, "0.5", "of the rows in a subsample"),
    RARE_TEXT("stability-threshold", "X", threshold, "0.75", "share of the subsamples that counts"),
    DCPN_CLI_PATH_OPTIONS(TO_COMMON, TO_TRAINING, TO_CHECKPOINT, "several"),
    DCPN_CLI_END,
};

struct cv_work {
    struct path_work common;
    dcpn_cv_options options;
    int64_t *fold_of;
    const char *folds_file; /* NULL: drawn */
    dcpn_cv *cv;
};

/* ---- folds ---- */

/* Is the text a count? A whole number is; anything else is a file. */
static int is_count(const char *text)
{
    return text[strspn(text, "0123456789")] == '\0' && *text;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The folds of a file may have any whole numbers as names; in ascending order they become 0, 1, ... */
static int number_folds(const struct cli *cli, const double *names, int64_t rows, struct cv_work *work)
{
    const struct training *training = &work->common.training;
    const double *own = names + training->first_row;
    double *sorted = dcpn_cli_allocate(cli, rows, sizeof *sorted);
    work->fold_of = dcpn_cli_allocate(cli, training->data->rows, sizeof *work->fold_of);
    if (!sorted || !work->fold_of) {
        free(sorted);
        return dcpn_status_exit_code(DCPN_MEMORY);
    }
    memcpy(sorted, names, (size_t)rows * sizeof *sorted);
    qsort(sorted, (size_t)rows, sizeof *sorted, ascending);
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        if (i == 0 || sorted[i] > sorted[i - 1]) sorted[count++] = sorted[i];
    for (int64_t i = 0; i < training->data->rows; i++) {
        const double *found = bsearch(&own[i], sorted, (size_t)count, sizeof *sorted, ascending);
        work->fold_of[i] = found - sorted;
    }
    free(sorted);
    work->options.fold_of = work->fold_of;
    work->options.folds = count;
    if (count >= 2 && count <= 1000) return 0;
    return dcpn_cli_fail(cli, DCPN_DATA, "%s: found %lld different folds, expected 2 to 1000", work->folds_file,
                         (long long)count);
}

static int refuse_fractions(const struct cli *cli, const double *names, int64_t rows, const char *file)
{
    for (int64_t i = 0; i < rows; i++)
        if (names[i] != floor(names[i]))
            return dcpn_cli_fail(cli, DCPN_DATA,
                                 "%s: number %lld: found %.10g, expected a whole number, that of a fold", file,
                                 (long long)i + 1, names[i]);
    return 0;
}

static int read_folds(const struct cli *cli, struct cv_work *work)
{
    int64_t rows = work->common.training.all_rows;
    double *names = NULL;
    if (!work->folds_file) return 0;
    int code = dcpn_cli_read_numbers(cli, work->folds_file, rows, "row", &names);
    if (!code) code = refuse_fractions(cli, names, rows, work->folds_file);
    if (!code) code = number_folds(cli, names, rows, work);
    dcpn_free(cli->context, names);
    return code;
}

/* ---- checks ---- */

static int check_stability(const struct cli *cli, const struct cv_options *options)
{
    const char *stray = options->share ? "share" : options->threshold ? "threshold" : NULL;
    if (options->stability || !stray) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE, "--stability-%s has a meaning only with --stability N", stray);
}

/* Are penalties to be compared? They are if nobody has named a penalty, its shape or an option that only some penalties
 * go with. */
static int compares(const struct cli *cli)
{
    static const char *const words[] = {"penalty", "shapes",      "theta",         "a",   "gamma",   "p",        "eps",
                                        "global",  "shape-units", "inner-penalty", "mix", "lambdas", "algorithm"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (dcpn_cli_is_given(cli, words[k])) return 0;
    return 1;
}

static int take_words(const struct cli *cli, const struct cv_options *options, struct cv_work *work)
{
    dcpn_cv_options *o = &work->options;
    double count = 0.0;
    int code = check_stability(cli, options);
    if (options->folds && !is_count(options->folds)) work->folds_file = options->folds;
    if (!code && options->folds && !work->folds_file)
        code = dcpn_cli_number(cli, "folds", options->folds, 2, 1000, &count);
    if (!code) code = dcpn_cli_number(cli, "stability-share", options->share, 0.01, 0.99, &o->share);
    if (!code) code = dcpn_cli_number(cli, "stability-threshold", options->threshold, 0.01, 1.0, &o->threshold);
    o->folds = (int64_t)count;
    o->repeats = options->repeats;
    o->seed = (uint64_t)options->seed;
    o->is_unstratified = options->unstratified;
    o->measure = options->measure;
    o->rule = options->rule;
    o->most_features = options->most_features;
    o->relaxes = options->relax;
    o->compares = compares(cli);
    o->subsamples = options->stability;
    o->patience = !dcpn_cli_is_given(cli, "patience") ? 0 : options->patience > 0 ? options->patience : -1;
    return code;
}

/* Warns of options that only drawing reads: folds of a file are not drawn, but subsamples are. */
static void warn_of_unread(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    if (!work->folds_file || options->stability) return;
    dcpn_cli_warn_beside(cli, "seed", "--folds FILE", "says the fold of each row");
    dcpn_cli_warn_beside(cli, "unstratified", "--folds FILE", "says the fold of each row");
}

static int check_first(const struct cli *cli, struct cv_options *options, struct cv_work *work)
{
    int code = take_words(cli, options, work);
    if (!code) warn_of_unread(cli, options, work);
    const struct cli_files besides = {.reads = {work->folds_file}, .writes = {options->model}};
    return code ? code : dcpn_cli_path_check(cli, &options->common, &besides, work->folds_file, &work->common);
}

/* ---- results ---- */

static void print_summary(const struct cli *cli, FILE *stream, const struct cv_options *options, const dcpn_cv *cv)
{
    const struct path_options *common = &options->common;
    dcpn_cli_cv_print_stability(stream, cv);
    fprintf(stream, "work          %.3g s\n", cv->ending.time_s);
    dcpn_cli_ranks_print(cli, stream);
    dcpn_cli_path_print_file(stream, "results", common->output);
    dcpn_cli_path_print_file(stream, "model", options->model);
    dcpn_cli_path_print_file(stream, "report", common->report);
    if (!common->output && !options->model && !common->report)
        fprintf(stream, "nothing is kept: --model FILE writes the model, --report PAGE.html shows it all\n");
}

static int make_model(const struct cli *cli, const struct cv_work *work, dcpn_model **model)
{
    const dcpn_cv_choice *choice = &work->cv->choice.chosen;
    const dcpn_dataset *data = work->common.training.data;
    int code =
        dcpn_cli_check(cli, dcpn_paths_model(work->cv->paths, choice->path, choice->point, data->index_base, model));
    if (!code) code = dcpn_cli_training_name_model(cli, &work->common.training, *model);
    return code ? code : dcpn_cli_check(cli, dcpn_model_set_command(*model, cli->words, dcpn_cli_word_count(cli)));
}

/* The largest coefficients of the chosen model. */
static int print_model(const struct cli *cli, FILE *stream, const dcpn_dataset *data, const dcpn_model *model)
{
    struct coefficients table = {0};
    int code = dcpn_cli_coefficients_gather(cli, NULL, model, 0, &table);
    int64_t all = table.count;
    if (!code && all) {
        dcpn_cli_coefficients_sort(&table, "size");
        if (all > MOST_SHOWN) table.count = MOST_SHOWN;
        fputc('\n', stream);
        dcpn_cli_coefficients_print(stream, &table);
        if (all > MOST_SHOWN) fprintf(stream, "... and %lld smaller ones\n", (long long)(all - MOST_SHOWN));
        if (data->label_count == 2) fprintf(stream, "a score above 0 speaks for %s\n", data->label_names[1]);
        fputc('\n', stream);
    }
    dcpn_cli_coefficients_free(&table);
    return code;
}

static int write_all(const struct cli *cli, const struct cv_options *options, const struct cv_work *work,
                     const dcpn_model *model)
{
    const char *output = options->common.output;
    int code = options->model ? dcpn_cli_check(cli, dcpn_model_write(model, options->model)) : 0;
    if (!code && output)
        code = dcpn_cli_check(cli, dcpn_cv_write(work->cv, &work->common.provenance, work->folds_file, output));
    return code ? code : dcpn_cli_path_report(cli, &options->common, &work->common, work->cv->paths, work->cv);
}

static int print_all(const struct cli *cli, const struct cv_options *options, const struct cv_work *work,
                     const dcpn_model *model)
{
    int is_taken = dcpn_cli_is_standard_stream(options->common.output) || dcpn_cli_is_standard_stream(options->model) ||
                   dcpn_cli_is_standard_stream(options->common.report);
    FILE *stream = is_taken ? stderr : stdout;
    if (options->common.quiet) return 0;
    dcpn_cli_cv_print_table(stream, work->cv);
    fputc('\n', stream);
    dcpn_cli_cv_print_choice(stream, work->cv);
    int code = print_model(cli, stream, work->common.training.data, model);
    if (!code) dcpn_cli_cv_say(cli, work->cv, options->common.settings.ridge);
    if (!code) print_summary(cli, stream, options, work->cv);
    return code;
}

/* The sentence about a cross-validation that has ended early. */
static const char *early_end(const dcpn_cv *cv, int is_stopped)
{
    if (cv->choice.chosen.path < 0)
        return is_stopped
                   ? "interrupted before two folds were done: nothing was chosen, and nothing is written"
                   : "--max-time was over before two folds were done: nothing was chosen, and nothing is written; "
                     "allow more time, or ask for fewer --folds, --nlambda or penalties";
    if (cv->ending.folds_done == cv->folds)
        return is_stopped ? "interrupted among the subsamples of --stability, which is left out"
                          : "--max-time was over before all subsamples of --stability were done: it is left out";
    return is_stopped ? "interrupted: the choice is that of the folds that were done"
                      : "--max-time was over before all folds were done: the choice is that of those that were";
}

static int say_early_end(const struct cli *cli, const struct cv_options *options, const dcpn_cv *cv)
{
    int is_stopped = dcpn_cli_watch_is_stopped();
    dcpn_cli_say(cli, "%s (%lld of %lld folds)%s", early_end(cv, is_stopped), (long long)cv->ending.folds_done,
                 (long long)cv->folds, dcpn_cli_checkpoint_advice(&options->common.checkpoint));
    return is_stopped ? DCPN_CLI_INTERRUPTED : DCPN_CLI_NOT_CONVERGED;
}

static int deliver(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    const dcpn_cv *cv = work->cv;
    int end = cv->ending.is_complete ? 0 : say_early_end(cli, options, cv);
    if (end && cv->choice.chosen.path < 0) return end;
    if (cv->choice.chosen.path < 0)
        return dcpn_cli_fail(cli, DCPN_DATA, "%s is not defined on any fold; use another --measure or fewer folds",
                             cv->measured.names[cv->measured.chooses]);
    dcpn_model *model = NULL;
    int code = make_model(cli, work, &model);
    if (!code) code = write_all(cli, options, work, model);
    if (!code) code = print_all(cli, options, work, model);
    dcpn_model_free(model);
    return code ? code : end;
}

static int judge(const struct cli *cli, const struct cv_options *options, const dcpn_cv *cv)
{
    int64_t whole = dcpn_cli_path_unconverged(cv->paths), folds = dcpn_cli_unconverged_in_folds(cv);
    int64_t sampled = cv->stability ? cv->stability->unconverged : 0;
    if (whole + folds + sampled == 0) return 0;
    if (!options->common.quiet)
        dcpn_cli_say(cli,
                     "fits that did not converge: %lld on all the data, %lld in the folds, %lld on subsamples; the "
                     "file says which",
                     (long long)whole, (long long)folds, (long long)sampled);
    return options->common.strict ? DCPN_CLI_NOT_CONVERGED : 0;
}

static int validate(const struct cli *cli, const struct cv_options *options, struct cv_work *work)
{
    work->options.path = work->common.options;
    work->options.path.features_kept = options->features_kept;
    work->common.watch.remaining.ahead =
        dcpn_cli_work_ahead(&work->options, work->common.training.data->rows, dcpn_cli_is_given(cli, "groups"),
                            options->common.settings.penalty, dcpn_context_threads(cli->context));
    dcpn_cli_watch_signals();
    dcpn_status status =
        dcpn_cv_run(cli->context, work->common.training.problem, &options->common.settings, &work->options, &work->cv);
    dcpn_cli_watch_end();
    return dcpn_cli_check(cli, status);
}

/* Each class needs a row in the fit and another one to be measured on. A rank does not see the rows of others. */
static int check_classes(const struct cli *cli, const struct cv_options *options, const struct cv_work *work)
{
    if (dcpn_cli_has_ranks(cli)) return 0;
    const dcpn_dataset *data = work->common.training.data;
    return dcpn_cli_check(cli, dcpn_labels_check_folds(cli->context, data, options->common.settings.loss));
}

static int work_through(const struct cli *cli, struct cv_options *options, struct cv_work *work)
{
    int code = dcpn_cli_ranks_agree(cli, check_first(cli, options, work));
    if (!code) code = dcpn_cli_path_read(cli, &options->common, &work->common);
    if (!code) code = dcpn_cli_ranks_agree(cli, read_folds(cli, work));
    if (!code) code = check_classes(cli, options, work);
    if (!code) code = validate(cli, options, work);
    int watch_code = dcpn_cli_watch_close(cli, &work->common.watch);
    if (!code && dcpn_context_rank(cli->context) == 0) code = deliver(cli, options, work);
    if (!code) dcpn_cli_path_warn_of_memory(cli, work->cv->paths);
    if (!code) code = judge(cli, options, work->cv);
    return code ? code : watch_code;
}

static int cv(struct cli *cli, int argc, char **argv)
{
    struct cv_options options = {0};
    struct cv_work work = {0};
    int code = dcpn_cli_path_parse(cli, argc, argv, &options, &options.common);
    if (code != DCPN_CLI_GO_ON) return code;
    if (!dcpn_cli_is_given(cli, "threads") && !dcpn_cli_has_ranks(cli))
        dcpn_context_set_threads(cli->context, 0); /* a fold each */
    code = work_through(cli, &options, &work);
    dcpn_cv_free(work.cv);
    free(work.fold_of);
    dcpn_cli_path_work_free(cli, &work.common);
    return code;
}

const struct cli_command dcpn_cli_cv = {
    .name = "cv",
    .arguments = "DATA [-o FILE] [--model MODEL] [OPTIONS]",
    .summary = "Chooses penalty and lambda by cross-validation",
    .details = "Fits paths to all the data and without each fold in turn, and measures on the rows left out. Without "
               "--penalty it compares l1, mcp and refitted models.",
    .examples = {"dcpn cv train.svm --model model.json --penalty l1,mcp,scad --threads 0",
                 "dcpn cv train.svm -o cv.json --penalty mcp --loss squared --folds folds.txt",
                 "dcpn cv train.svm -o cv.json --penalty l1 --measure auc --stability 100"},
    .options = options_of_cv,
    .fewest = 1,
    .most = 1,
    .may_have_ranks = 1,
    .takes_settings = 1,
    .settings = dcpn_settings_for_paths,
    .settings_note = DCPN_CLI_PATH_NOTE,
    .is_like_fit = 1,
    .run = cv,
};
