/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn intervals: intervals for the coefficients of chosen features. */
#include "inference_work.h"
#include "json.h"
#include "number_list.h"
#include "plural.h"
#include "word_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct intervals_options {
    struct inference_options common;
    const char *features, *model, *level, *method;
};

struct intervals_work {
    struct inference_work common;
    const struct intervals_options *asked;
    int64_t *chosen, count; /* features; NULL: all */
    dcpn_intervals *made;
};

#define TO(FIELD) offsetof(struct intervals_options, FIELD)
#define TO_COMMON(FIELD) offsetof(struct intervals_options, common.FIELD)
#define TO_TRAINING(FIELD) offsetof(struct intervals_options, common.training.FIELD)

static const struct cli_option options_of_intervals[] = {
    DCPN_CLI_TEXT("only", 0, "LIST", TO(features), "all", "names or numbers, with commas between"),
    DCPN_CLI_TEXT("of", 0, "MODEL", TO(model), NULL, "those that a model uses"),
    DCPN_CLI_TEXT("level", 0, "X", TO(level), "0.95", "share of intervals that hold the coefficient"),
    DCPN_CLI_WORD("method", "NAME", TO(method), "auto", "auto|full|debiased|double",
                  "full: least squares, or likelihood, of all features; auto: that where rows are enough, else "
                  "debiased"),
    DCPN_CLI_INFERENCE_OPTIONS(TO_COMMON, TO_TRAINING),
    DCPN_CLI_END,
};

/* ---- which features ---- */

static int find_feature(const struct cli *cli, const struct training *training, const char *word, int64_t *feature)
{
    const dcpn_dataset *data = training->data;
    char *end;
    for (*feature = 0; data->feature_names && *feature < data->features; ++*feature)
        if (strcmp(data->feature_names[*feature], word) == 0) return 0;
    long long number = strtoll(word, &end, 10);
    *feature = (int64_t)number - data->index_base;
    if (*word && !*end && *feature >= 0 && *feature < data->features) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE, "--only: found '%s', expected %s from %d to %lld", word,
                         data->feature_names ? "the name of a feature, or its number" : "numbers", data->index_base,
                         (long long)(data->features - 1 + data->index_base));
}

static int take_list(const struct cli *cli, const char *list, struct intervals_work *work)
{
    int64_t count;
    char **words = dcpn_cli_split(cli, list, &count);
    work->chosen = words ? dcpn_cli_allocate(cli, count, sizeof *work->chosen) : NULL;
    int code = work->chosen ? 0 : dcpn_status_exit_code(DCPN_MEMORY);
    while (!code && work->count < count) {
        code = find_feature(cli, &work->common.training, words[work->count], &work->chosen[work->count]);
        work->count++;
    }
    free(words);
    return code;
}

static int take_model(const struct cli *cli, const char *path, struct intervals_work *work)
{
    dcpn_model *model = NULL;
    int code = dcpn_cli_check(cli, dcpn_model_read(cli->context, path, &model));
    if (!code) code = dcpn_cli_check_names(cli, model, work->common.training.data, path);
    if (!code) work->chosen = dcpn_cli_allocate(cli, model->nonzeros + 1, sizeof *work->chosen);
    if (!code && !work->chosen) code = dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t k = 0; !code && k < model->nonzeros; k++) work->chosen[work->count++] = model->index[k];
    if (!code && work->count == 0) code = dcpn_cli_fail(cli, DCPN_USAGE, "--of %s: the model uses no feature", path);
    dcpn_model_free(model);
    return code;
}

/* ---- printing ---- */

static void print_json(FILE *stream, const void *of)
{
    const struct intervals_work *work = of;
    const dcpn_intervals *made = work->made;
    dcpn_cli_json_text_member(stream, "{", "format", "dcpn-intervals");
    dcpn_cli_json_text_member(stream, ",", "method", made->method);
    dcpn_cli_json_text_member(stream, ",", "loss", made->loss);
    dcpn_cli_json_number_member(stream, ",", "level", made->level);
    dcpn_cli_json_count_member(stream, ",", "rows", made->rows);
    dcpn_cli_json_count_member(stream, ",", "features", made->features);
    dcpn_cli_json_number_member(stream, ",", "deviation", made->deviation);
    fputs(",\"intervals\":[", stream);
    for (int64_t k = 0; k < made->count; k++) {
        const dcpn_interval *one = &made->of[k];
        fputs(k ? ",\n" : "\n", stream);
        dcpn_cli_print_feature_json(stream, &work->common.training, one->feature);
        dcpn_cli_json_number_member(stream, ",", "estimate", one->estimate);
        dcpn_cli_json_number_member(stream, ",", "error", one->error);
        dcpn_cli_json_number_member(stream, ",", "low", one->low);
        dcpn_cli_json_number_member(stream, ",", "high", one->high);
        dcpn_cli_json_number_member(stream, ",", "statistic", one->statistic);
        dcpn_cli_json_number_member(stream, ",", "p_value", one->p_value);
        dcpn_cli_json_count_member(stream, ",", "beside", one->beside);
        fputc('}', stream);
    }
    fputs("]}\n", stream);
}

static void print_head(FILE *stream, const struct intervals_work *work)
{
    const dcpn_intervals *made = work->made;
    fprintf(stream, "intervals     %s, loss %s, level %g, each by itself\n", made->method, made->loss, made->level);
    if (!isnan(made->deviation)) fprintf(stream, "noise         deviation %.6g\n", made->deviation);
    if (made->selected >= 0)
        fprintf(stream, "sparse fit    %lld of %lld features, penalty %s\n", (long long)made->selected,
                (long long)made->features, work->asked->common.settings.penalty);
    fputc('\n', stream);
}

static void print_table(FILE *stream, const void *of)
{
    const struct intervals_work *work = of;
    const dcpn_intervals *made = work->made;
    int64_t *features = malloc((size_t)(made->count + 1) * sizeof *features);
    for (int64_t k = 0; features && k < made->count; k++) features[k] = made->of[k].feature;
    int columns = features ? dcpn_cli_feature_columns(&work->common.training, features, made->count) : 0;
    free(features);
    print_head(stream, work);
    if (columns) fprintf(stream, "%-*s  ", columns, "name");
    fprintf(stream, "%*s %13s %11s %13s %13s %10s\n", columns ? 9 : 11, "feature", "coefficient", "error", "low",
            "high", "p");
    for (int64_t k = 0; k < made->count; k++) {
        const dcpn_interval *one = &made->of[k];
        dcpn_cli_print_feature(stream, &work->common.training, one->feature, columns);
        fprintf(stream, " %13.6g %11.4g %13.6g %13.6g", one->estimate, one->error, one->low, one->high);
        if (isnan(one->p_value)) /* neither the estimate nor its error is other than 0 */
            fprintf(stream, " %10s\n", "-");
        else
            fprintf(stream, " %10.3g\n", one->p_value);
    }
}

/* ---- the work ---- */

static int choose_features(const struct cli *cli, const struct intervals_options *options, struct intervals_work *work)
{
    if (options->features) return take_list(cli, options->features, work);
    return options->model ? take_model(cli, options->model, work) : 0;
}

static int estimate(const struct cli *cli, const struct intervals_options *options, struct intervals_work *work)
{
    dcpn_interval_options asked = {.features = work->chosen,
                                   .count = work->count,
                                   .method = strcmp(options->method, "auto") == 0 ? NULL : options->method,
                                   .seed = (uint64_t)options->common.seed,
                                   .folds = options->common.folds,
                                   .observer = dcpn_cli_watch_path,
                                   .user = &work->common.watch};
    int code = dcpn_cli_number(cli, "level", options->level, 0.01, 0.999999, &asked.level);
    if (code) return code;
    dcpn_cli_watch_signals();
    code = dcpn_cli_check(cli, dcpn_intervals_run(cli->context, work->common.training.problem,
                                                  &options->common.settings, &asked, &work->made));
    dcpn_cli_watch_end();
    return code;
}

static int work_through(const struct cli *cli, struct intervals_options *options, struct intervals_work *work)
{
    const struct cli_files files = {.reads = {options->model}};
    int code = options->features && options->model
                   ? dcpn_cli_fail(cli, DCPN_USAGE, "--only and --of both say which features; leave one out")
                   : 0;
    if (!code) code = dcpn_cli_inference_check(cli, &options->common, &files);
    if (!code) code = dcpn_cli_inference_read(cli, &options->common, &work->common);
    if (!code) code = choose_features(cli, options, work);
    if (!code) code = estimate(cli, options, work);
    int watch_code = dcpn_cli_watch_close(cli, &work->common.watch);
    if (!code) code = dcpn_cli_inference_deliver(cli, &options->common, print_json, print_table, work);
    return code ? code : watch_code;
}

static int run_intervals(struct cli *cli, int argc, char **argv)
{
    struct intervals_options options = {0};
    struct intervals_work work = {.asked = &options};
    int code = dcpn_cli_inference_parse(cli, argc, argv, &options, &options.common);
    if (code != DCPN_CLI_GO_ON) return code;
    code = work_through(cli, &options, &work);
    free(work.chosen);
    dcpn_intervals_free(work.made);
    dcpn_cli_inference_free(cli, &work.common);
    return code;
}

static dcpn_settings settings_of_intervals(void)
{
    dcpn_settings settings = dcpn_settings_for_paths();
    settings.penalty = "l1";
    return settings;
}

const struct cli_command dcpn_cli_intervals = {
    .name = "intervals",
    .arguments = "DATA [--only LIST | --of MODEL] [-o FILE] [OPTIONS]",
    .summary = "Says how sure coefficients are: intervals and p values",
    .details = "Linear and logistic models of all features, of which those asked for get an interval. With few rows "
               "for the features a sparse fit is corrected for what it shrinks. docs/inference.md has the "
               "assumptions and measured rates.",
    .examples = {"dcpn intervals survey.csv", "dcpn intervals genes.csv --only BRCA1,TP53 --level 0.9",
                 "dcpn intervals train.svm --of model.json --json"},
    .options = options_of_intervals,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings = settings_of_intervals,
    .settings_note = DCPN_CLI_INFERENCE_NOTE,
    .is_like_fit = 1,
    .run = run_intervals,
};
