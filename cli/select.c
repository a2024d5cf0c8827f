/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn select: features of which a promised share is false, by knockoffs. */
#include "inference_work.h"
#include "json.h"
#include "number_list.h"
#include "plural.h"

#include <math.h>
#include <stdlib.h>

struct select_options {
    struct inference_options common;
    const char *fdr, *kind, *statistic, *distance, *model;
    int64_t copies, draws;
    int lenient;
};

struct select_work {
    struct inference_work common;
    const struct select_options *asked;
    dcpn_knockoffs *made;
    int64_t *order; /* the chosen features, the surest first */
    dcpn_model *model;
};

#define TO(FIELD) offsetof(struct select_options, FIELD)
#define TO_COMMON(FIELD) offsetof(struct select_options, common.FIELD)
#define TO_TRAINING(FIELD) offsetof(struct select_options, common.training.FIELD)

static const struct cli_option options_of_select[] = {
    DCPN_CLI_TEXT("fdr", 0, "RATE", TO(fdr), "0.1", "the expected share of false features among the chosen, at most"),
    DCPN_CLI_WORD("knockoffs", "KIND", TO(kind), "gaussian", "gaussian|fixed",
                  "gaussian: rows of normal features, any loss; fixed: any features, squared loss, normal noise"),
    DCPN_CLI_WHOLE("copies", "N", TO(copies), "0", "by --fdr", 1, 20, "knockoffs of each feature"),
    DCPN_CLI_WHOLE("draws", "N", TO(draws), "0", "5", 1, 1000, "of knockoffs, whose choices are put together"),
    DCPN_CLI_WORD("statistic", "NAME", TO(statistic), "coefficient", "coefficient|entry",
                  "compared with copies: the coefficient at one lambda, or the lambda where the feature enters"),
    DCPN_CLI_WORD("distance", "NAME", TO(distance), "mvr", "mvr|equal",
                  "of copies: as different as can be together, or all alike"),
    DCPN_CLI_FLAG("lenient", 0, TO(lenient), "choose more, without the proof of the rate"),
    DCPN_CLI_TEXT("model", 0, "MODEL", TO(model), NULL, "where to write a model of the chosen features, not shrunk"),
    DCPN_CLI_INFERENCE_OPTIONS(TO_COMMON, TO_TRAINING),
    DCPN_CLI_END,
};

/* ---- printing ---- */

static void print_json_numbers(FILE *stream, const char *before, const double *numbers, int64_t count)
{
    fputs(before, stream);
    for (int64_t j = 0; j < count; j++) {
        if (j) fputc(',', stream);
        dcpn_cli_json_number(stream, numbers[j]);
    }
}

static void print_json(FILE *stream, const void *of)
{
    const struct select_work *work = of;
    const dcpn_knockoffs *made = work->made;
    dcpn_cli_json_text_member(stream, "{", "format", "dcpn-knockoffs");
    dcpn_cli_json_text_member(stream, ",", "knockoffs", made->kind);
    dcpn_cli_json_number_member(stream, ",", "fdr", made->fdr);
    dcpn_cli_json_text_member(stream, ",", "loss", work->asked->common.settings.loss);
    dcpn_cli_json_text_member(stream, ",", "penalty", work->asked->common.settings.penalty);
    dcpn_cli_json_text_member(stream, ",", "statistic", made->statistic);
    dcpn_cli_json_text_member(stream, ",", "distance", made->distance);
    dcpn_cli_json_count_member(stream, ",", "copies", made->copies);
    dcpn_cli_json_count_member(stream, ",", "draws", made->draws);
    dcpn_cli_json_count_member(stream, ",", "seed", (int64_t)made->seed);
    fprintf(stream, ",\"lenient\":%s", made->is_lenient ? "true" : "false");
    dcpn_cli_json_count_member(stream, ",", "rows", made->rows);
    dcpn_cli_json_count_member(stream, ",", "features", made->features);
    dcpn_cli_json_number_member(stream, ",", "shrinkage", made->law.shrinkage);
    dcpn_cli_json_count_member(stream, ",", "added_rows", made->law.extra_rows);
    dcpn_cli_json_number_member(stream, ",", "copy_correlation", made->law.correlation);
    dcpn_cli_json_number_member(stream, ",", "lambda", made->lambda);
    dcpn_cli_json_number_member(stream, ",", "threshold", made->threshold);
    fputs(",\"selected\":[", stream);
    for (int64_t k = 0; k < made->count; k++) {
        fputs(k ? ",\n" : "\n", stream);
        dcpn_cli_print_feature_json(stream, &work->common.training, work->order[k]);
        dcpn_cli_json_number_member(stream, ",", "win", made->win[work->order[k]]);
        dcpn_cli_json_number_member(stream, ",", "frequency", made->frequency[work->order[k]]);
        fputc('}', stream);
    }
    print_json_numbers(stream, "],\"win\":[", made->win, made->features);
    print_json_numbers(stream, "],\"frequency\":[", made->frequency, made->features);
    print_json_numbers(stream, "],\"evidence\":[", made->evidence, made->features);
    fputs("]}\n", stream);
}

static void print_law(FILE *stream, const dcpn_knockoffs *made)
{
    fprintf(stream,
            "knockoffs     %s, %lld draw%s of %lld cop%s of each feature, correlated with it by %.2f in the mean",
            made->kind, (long long)made->draws, dcpn_cli_plural(made->draws), (long long)made->copies,
            made->copies == 1 ? "y" : "ies", made->law.correlation);
    if (made->law.shrinkage > 0.0) fprintf(stream, "; shrinkage %.2g", made->law.shrinkage);
    if (made->law.extra_rows)
        fprintf(stream, "; %lld row%s of noise added", (long long)made->law.extra_rows,
                dcpn_cli_plural(made->law.extra_rows));
    fputc('\n', stream);
    if (made->law.constant)
        fprintf(stream, "constant      %lld feature%s without copies, never chosen\n", (long long)made->law.constant,
                dcpn_cli_plural(made->law.constant));
}

static void print_choice(FILE *stream, const dcpn_knockoffs *made)
{
    fprintf(stream, "promise       at most %g of the chosen features are false, in expectation%s\n", made->fdr,
            made->is_lenient ? " (about: --lenient)" : "");
    fprintf(stream, "chosen        %lld of %lld features", (long long)made->count, (long long)made->features);
    if (made->count && made->draws == 1)
        fprintf(stream, ": they beat their copies by %.4g or more\n", made->threshold);
    else if (made->count)
        fprintf(stream, ", by the draws together\n");
    else
        fprintf(stream, ": too few beat their copies clearly enough\n");
}

static void print_table(FILE *stream, const void *of)
{
    const struct select_work *work = of;
    const struct inference_options *common = &work->asked->common;
    const dcpn_knockoffs *made = work->made;
    int columns = dcpn_cli_feature_columns(&work->common.training, work->order, made->count);
    print_law(stream, made);
    fprintf(stream, "compared      %s, loss %s, penalty %s",
            isnan(made->lambda) ? "the lambda where each enters" : "coefficients", common->settings.loss,
            common->settings.penalty);
    if (!isnan(made->lambda)) fprintf(stream, ", lambda %.4g", made->lambda);
    fputc('\n', stream);
    print_choice(stream, made);
    if (work->asked->model) fprintf(stream, "model         %s\n", work->asked->model);
    if (!made->count) return;
    fputc('\n', stream);
    if (columns) fprintf(stream, "%-*s  ", columns, "name");
    fprintf(stream, "%*s  %12s  %8s\n", columns ? 9 : 11, "feature", "win", "draws");
    for (int64_t k = 0; k < made->count; k++) {
        dcpn_cli_print_feature(stream, &work->common.training, work->order[k], columns);
        fprintf(stream, "  %12.6g  %7.0f%%\n", made->win[work->order[k]], 100.0 * made->frequency[work->order[k]]);
    }
}

/* ---- the work ---- */

/* Orders the chosen features by how clearly they win. */
static int sort(const struct cli *cli, struct select_work *work)
{
    const dcpn_knockoffs *made = work->made;
    work->order = dcpn_cli_allocate(cli, made->count + 1, sizeof *work->order);
    if (!work->order) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t k = 0; k < made->count; k++) {
        int64_t at = k;
        for (; at > 0 && made->win[work->order[at - 1]] < made->win[made->index[k]]; at--)
            work->order[at] = work->order[at - 1];
        work->order[at] = made->index[k];
    }
    return 0;
}

static int choose(const struct cli *cli, const struct select_options *options, struct select_work *work)
{
    dcpn_knockoff_options asked = {.kind = options->kind,
                                   .statistic = options->statistic,
                                   .distance = options->distance,
                                   .copies = options->copies,
                                   .draws = options->draws,
                                   .is_lenient = options->lenient,
                                   .seed = (uint64_t)options->common.seed,
                                   .folds = options->common.folds,
                                   .observer = dcpn_cli_watch_path,
                                   .user = &work->common.watch};
    int code = dcpn_cli_number(cli, "fdr", options->fdr, 1e-6, 0.999, &asked.fdr);
    if (code) return code;
    dcpn_cli_watch_signals();
    code = dcpn_cli_check(cli, dcpn_knockoffs_run(cli->context, work->common.training.problem,
                                                  &options->common.settings, &asked, &work->made));
    dcpn_cli_watch_end();
    return code;
}

/* Fits the chosen features without a penalty: all others are bounded by 0. */
static int fit_chosen(const struct cli *cli, const struct select_options *options, struct select_work *work)
{
    dcpn_settings settings = options->common.settings;
    const dcpn_knockoffs *made = work->made;
    double *lower = dcpn_cli_allocate(cli, made->features, sizeof *lower),
           *upper = dcpn_cli_allocate(cli, made->features, sizeof *upper);
    dcpn_solver *solver = NULL;
    int code = lower && upper ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t k = 0; !code && k < made->count; k++) {
        lower[made->index[k]] = -(double)INFINITY;
        upper[made->index[k]] = (double)INFINITY;
    }
    settings.lambda = 0.0;
    settings.penalty = "l1";
    if (!code) code = dcpn_cli_check(cli, dcpn_problem_set_bounds(work->common.training.problem, lower, upper));
    if (!code) code = dcpn_cli_training_solver(cli, &work->common.training, &settings, &solver);
    if (!code) code = dcpn_cli_watch_run(cli, solver);
    if (!code)
        code = dcpn_cli_check(cli, dcpn_model_new(solver, work->common.training.data->index_base, &work->model));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_set_names(work->model, work->common.training.data));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_set_command(work->model, cli->words, dcpn_cli_word_count(cli)));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_write(work->model, options->model));
    dcpn_solver_free(solver);
    free(lower);
    free(upper);
    return code;
}

static int work_through(const struct cli *cli, struct select_options *options, struct select_work *work)
{
    const struct cli_files files = {.writes = {options->model}};
    int code = dcpn_cli_inference_check(cli, &options->common, &files);
    if (!code) code = dcpn_cli_inference_read(cli, &options->common, &work->common);
    if (!code) code = choose(cli, options, work);
    int watch_code = dcpn_cli_watch_close(cli, &work->common.watch);
    if (!code) code = sort(cli, work);
    if (!code && options->model) code = fit_chosen(cli, options, work);
    if (!code) code = dcpn_cli_inference_deliver(cli, &options->common, print_json, print_table, work);
    return code ? code : watch_code;
}

static int run_select(struct cli *cli, int argc, char **argv)
{
    struct select_options options = {0};
    struct select_work work = {.asked = &options};
    int code = dcpn_cli_inference_parse(cli, argc, argv, &options, &options.common);
    if (code != DCPN_CLI_GO_ON) return code;
    code = work_through(cli, &options, &work);
    free(work.order);
    dcpn_model_free(work.model);
    dcpn_knockoffs_free(work.made);
    dcpn_cli_inference_free(cli, &work.common);
    return code;
}

static dcpn_settings settings_of_select(void)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    settings.penalty = "l1";
    return settings;
}

const struct cli_command dcpn_cli_select = {
    .name = "select",
    .arguments = "DATA [--fdr RATE] [-o FILE] [--model MODEL] [OPTIONS]",
    .summary = "Chooses features of which at most a promised share is false",
    .details = "Knockoffs: copies of the features, made without the labels, compete with them; what loses says how "
               "much of what wins is false. docs/inference.md has the assumptions and measured rates.",
    .examples = {"dcpn select genes.csv --fdr 0.1 --model model.json", "dcpn select train.svm --fdr 0.2 --json",
                 "dcpn select survey.csv --knockoffs fixed --loss squared"},
    .options = options_of_select,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings = settings_of_select,
    .settings_note = DCPN_CLI_INFERENCE_NOTE,
    .is_like_fit = 1,
    .run = run_select,
};
