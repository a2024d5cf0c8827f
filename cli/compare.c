/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn compare: several methods on the same problem, from the same start, with the same rule to stop. */
#include "comparison.h"
#include "unread.h"
#include "watch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct compare_options {
    const char *test, *algorithms, *figures;
    struct training_options training;
    int json, curves, quiet, verbose;
    dcpn_settings settings;
};

#define TO(FIELD) offsetof(struct compare_options, FIELD)
#define TO_TRAINING(FIELD) offsetof(struct compare_options, training.FIELD)

static const struct cli_option options_of_compare[] = {
    {.name = "algorithms",
     .kind = DCPN_CLI_KIND_TEXT,
     .offset = TO(algorithms),
     .argument = "LIST",
     .default_text = "paper,dcpn,gist,dca,scp",
     .help = "what to compare"},
    DCPN_CLI_TEXT("test", 0, "FILE", TO(test), NULL, "measure the models on these data"),
    DCPN_CLI_FLAG("json", 0, TO(json), "print one JSON object"),
    DCPN_CLI_FLAG("curves", 0, TO(curves), "with --json: objective, time and passes of each iteration too"),
    DCPN_CLI_TEXT("svg", 0, "PREFIX", TO(figures), NULL, "draw PREFIX-time.svg and PREFIX-passes.svg"),
    DCPN_CLI_TRAINING_OPTIONS(TO_TRAINING),
    DCPN_CLI_START_OPTION(TO_TRAINING),
    DCPN_CLI_FLAG("quiet", 'q', TO(quiet), "say nothing but errors and results"),
    DCPN_CLI_FLAG("verbose", 'v', TO(verbose), "say more"),
    DCPN_CLI_END,
};

struct compare_work {
    struct comparison comparison;
    struct training training;
    dcpn_dataset *test;
};

/* ---- Before the runs ---- */

/* Refuses settings that belong to one method, which cannot stand beside the list of methods. */
static int check_common(const struct cli *cli, const dcpn_settings *settings)
{
    dcpn_settings usual = dcpn_settings_default();
    const char *option = strcmp(settings->metric, usual.metric) != 0         ? "metric"
                         : strcmp(settings->subsolver, usual.subsolver) != 0 ? "subsolver"
                         : settings->majorize                                ? "majorize"
                                                                             : NULL;
    if (strcmp(settings->algorithm, usual.algorithm) != 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--algorithm: compare takes a list; give --algorithms %s",
                             settings->algorithm);
    if (!option) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE, "--%s: not every method has one; give it to an entry, as in dcpn:%s=%s",
                         option, option, strcmp(option, "majorize") == 0 ? "1" : "NAME");
}

static int check_first(const struct cli *cli, const struct compare_options *options, struct compare_work *work)
{
    int code = dcpn_cli_training_check_streams(cli, &options->training, options->test);
    if (!code) code = check_common(cli, &options->settings);
    if (!code) dcpn_cli_warn_of_unread(cli, &options->settings, &options->settings.penalty, 1);
    if (!code && options->test && options->training.offset)
        code = dcpn_cli_fail(cli, DCPN_USAGE, "--offset: the rows of --test have none; leave one of the two out");
    if (!code && options->curves && !options->json)
        code = dcpn_cli_fail(cli, DCPN_USAGE, "--curves: they are printed in JSON; give --json too");
    if (!code) code = dcpn_cli_comparison_enter(cli, &work->comparison, options->algorithms);
    if (!code && options->figures) code = dcpn_cli_comparison_try_figures(cli, options->figures);
    return code ? code : dcpn_cli_training_read_start(cli, &options->training, &work->training);
}

static int match_labels(const struct cli *cli, const dcpn_dataset *data, dcpn_dataset *test)
{
    char text[40];
    if (!dcpn_cli_can_match(test, data->label_names))
        return dcpn_cli_fail(cli, DCPN_DATA, "--test: its labels are %s, those of the data %s",
                             test->label_names ? "texts" : "numbers", data->label_names ? "texts" : "numbers");
    int64_t stranger = -1;
    dcpn_status status = DCPN_OK;
    if (data->label_names) status = dcpn_dataset_match_classes(test, data->label_names, data->label_count, &stranger);
    if (status != DCPN_OK || stranger < 0) return dcpn_cli_check(cli, status);
    return dcpn_cli_fail(cli, DCPN_DATA, "--test: row %lld has the label %s, which the data do not know",
                         (long long)stranger + 1, dcpn_cli_label_text(test->label_names, test->labels[stranger], text));
}

static int read_test(const struct cli *cli, const struct compare_options *options, struct compare_work *work)
{
    const dcpn_dataset *data = work->training.data;
    struct reading_options reading = options->training.reading;
    reading.format = NULL; /* that of the other file */
    int code = dcpn_cli_read_alike(cli, options->test, &reading, (dcpn_read_options){0}, data, &work->test);
    if (!code) code = match_labels(cli, data, work->test);
    if (code) return code;
    if (work->test->features > data->features)
        return dcpn_cli_fail(cli, DCPN_DATA,
                             "%s: found %lld features, expected at most the %lld of %s; give --features %lld",
                             options->test, (long long)work->test->features, (long long)data->features,
                             cli->arguments[0], (long long)work->test->features);
    return 0;
}

/* ---- The runs ---- */

struct observer {
    struct watch watch;
    struct curve *curve;
    int memory_is_short;
};

static int observe(void *user, const dcpn_progress *progress)
{
    struct observer *observer = user;
    int asked = dcpn_cli_watch_observe(&observer->watch, progress);
    if (!dcpn_cli_curve_add(observer->curve, progress)) observer->memory_is_short = 1;
    return asked || observer->memory_is_short;
}

static int measure(const struct cli *cli, const struct compare_work *work, const dcpn_model *model,
                   struct contender *contender)
{
    const dcpn_dataset *test = work->test;
    dcpn_quality quality;
    double *scores = dcpn_cli_allocate(cli, model->scores * test->rows, sizeof *scores);
    if (!scores) return dcpn_status_exit_code(DCPN_MEMORY);
    int code = dcpn_cli_check(cli, dcpn_model_scores(model, test->matrix, NULL, scores));
    if (!code) code = dcpn_cli_check(cli, dcpn_model_quality(model, test->labels, scores, test->rows, &quality));
    free(scores);
    if (code) return code;
    if (quality.stranger >= 0)
        return dcpn_cli_fail(cli, DCPN_DATA, "--test: row %lld has the label %.10g, expected %s%.10g %s %.10g",
                             (long long)quality.stranger + 1, test->labels[quality.stranger],
                             model->labels.count > 2 ? "a class from " : "", model->labels.numbers[0],
                             model->labels.count > 2 ? "to" : "or", model->labels.numbers[model->labels.count - 1]);
    contender->accuracy = quality.accuracy;
    contender->mse = quality.mse;
    return 0;
}

static int measure_solver(const struct cli *cli, const struct compare_work *work, const dcpn_solver *solver,
                          struct contender *contender)
{
    dcpn_model *model = NULL;
    int code = dcpn_cli_check(cli, dcpn_model_new(solver, work->training.data->index_base, &model));
    if (!code) code = measure(cli, work, model, contender);
    dcpn_model_free(model);
    return code;
}

static int run_solver(const struct cli *cli, const struct compare_options *options, dcpn_solver *solver,
                      struct contender *contender)
{
    struct observer observer = {.curve = &contender->curve, .watch.label = contender->label};
    int code = dcpn_cli_watch_open(cli, &observer.watch, NULL, options->quiet);
    dcpn_solver_set_observer(solver, observe, &observer);
    if (!code) code = dcpn_cli_watch_run(cli, solver);
    int watch_code = dcpn_cli_watch_close(cli, &observer.watch);
    if (observer.memory_is_short) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory: no room for the curve");
    return code ? code : watch_code;
}

/* Makes the solver of a contender. Its settings were checked before; if it cannot work with what the data add, bounds
 * and rows without a label, it is refused and *solver stays NULL. */
static int make_solver(const struct cli *cli, const struct compare_work *work, struct contender *contender,
                       dcpn_solver **solver)
{
    const struct training *training = &work->training;
    int code = dcpn_cli_check(cli, dcpn_labels_check(cli->context, training->data, contender->settings.loss));
    if (code) return code;
    dcpn_status status = dcpn_solver_new(cli->context, training->problem, &contender->settings, solver);
    if (status != DCPN_USAGE) {
        code = dcpn_cli_check(cli, status);
        return code ? code : dcpn_cli_training_set_start(cli, training, *solver);
    }
    contender->state = DCPN_CLI_REFUSED;
    snprintf(contender->refusal, sizeof contender->refusal, "%s", dcpn_last_error(cli->context));
    return 0;
}

static int run(const struct cli *cli, const struct compare_options *options, const struct compare_work *work,
               struct contender *contender)
{
    dcpn_solver *solver = NULL;
    int code = make_solver(cli, work, contender, &solver), is_refused = !solver;
    if (!code && !is_refused) code = run_solver(cli, options, solver, contender);
    if (!code && !is_refused && work->test) code = measure_solver(cli, work, solver, contender);
    if (!code && !is_refused) {
        contender->result = *dcpn_solver_result(solver);
        contender->state = DCPN_CLI_RAN;
    }
    dcpn_solver_free(solver);
    return code;
}

static int run_all(const struct cli *cli, const struct compare_options *options, struct compare_work *work)
{
    struct comparison *comparison = &work->comparison;
    int code = 0, ran = 0;
    dcpn_cli_watch_signals();
    for (size_t i = 0; i < comparison->count && !code && !dcpn_cli_watch_is_stopped(); i++) {
        struct contender *contender = &comparison->contenders[i];
        if (contender->state == DCPN_CLI_REFUSED) continue;
        code = run(cli, options, work, contender);
        ran += contender->state != DCPN_CLI_REFUSED;
    }
    dcpn_cli_watch_end();
    if (!code && !ran && !dcpn_cli_watch_is_stopped())
        code = dcpn_cli_fail(cli, DCPN_USAGE, "none of the methods can be used here: %s",
                             comparison->contenders[0].refusal);
    return code;
}

/* ---- The command ---- */

static void introduce(struct compare_work *work, const struct cli *cli)
{
    work->comparison.data_path = cli->arguments[0];
    work->comparison.data = work->training.data;
    work->comparison.read_s = work->training.read_s;
    work->comparison.has_test = work->test != NULL;
}

/* Takes the loss of many classes if --loss is not given and the labels are such. An entry of the list may name another
 * loss, and keeps it. */
static void choose_classes(const struct cli *cli, const struct compare_options *options, struct compare_work *work)
{
    struct comparison *comparison = &work->comparison;
    dcpn_settings settings = options->settings;
    dcpn_cli_training_choose_classes(cli, &options->training, &work->training, options->quiet, &settings);
    for (size_t i = 0; i < comparison->count; i++)
        if (strcmp(comparison->contenders[i].settings.loss, options->settings.loss) == 0)
            comparison->contenders[i].settings.loss = settings.loss;
}

static int work_through(const struct cli *cli, const struct compare_options *options, struct compare_work *work)
{
    struct comparison *comparison = &work->comparison;
    int code = check_first(cli, options, work);
    if (!code) code = dcpn_cli_training_read(cli, &options->training, &work->training);
    if (!code) choose_classes(cli, options, work);
    if (!code) dcpn_cli_warn_of_labelled(cli, &options->settings, work->training.data);
    if (!code && options->test && work->training.responses.count)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--test: several responses are not measured here; leave it out");
    if (!code && options->test) code = read_test(cli, options, work);
    if (!code) code = run_all(cli, options, work);
    if (code) return code;
    introduce(work, cli);
    dcpn_cli_comparison_judge(comparison);
    if (options->json)
        dcpn_cli_comparison_print_json(cli, comparison, options->curves);
    else
        dcpn_cli_comparison_print(comparison);
    if (options->figures) code = dcpn_cli_comparison_draw(cli, comparison, options->figures);
    return !code && dcpn_cli_watch_is_stopped() ? DCPN_CLI_INTERRUPTED : code;
}

static int compare(struct cli *cli, int argc, char **argv)
{
    struct compare_options options;
    struct compare_work work = {.comparison.common = &options.settings};
    int code = dcpn_cli_parse(cli, argc, argv, &options, &options.settings);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, options.quiet, options.verbose);
    dcpn_context_set_threads(cli->context, (int)options.training.threads);
    code = work_through(cli, &options, &work);
    dcpn_dataset_free(work.test);
    dcpn_cli_comparison_free(&work.comparison);
    dcpn_cli_training_free(cli, &work.training);
    return code;
}

const struct cli_command dcpn_cli_compare = {
    .name = "compare",
    .arguments = "DATA [--algorithms LIST] [OPTIONS]",
    .summary = "Runs several methods on one problem and compares them",
    .details = "All have the same start and the same rule to stop; --max-time is for each. An entry of LIST is an "
               "algorithm, perhaps with options of its own (gist:nonmonotone=0), or paper, which is "
               "dcpn:metric=lbfgs:subsolver=forward-backward:curvature=f1:global=off. Quality is the work until F <= "
               "1.0001 times the best F of all.",
    .examples = {"dcpn compare train.svm --test test.svm --lambda 2 --theta 0.5",
                 "dcpn compare train.svm --algorithms dcpn,dcpn:metric=lbfgs,gist --svg curves",
                 "dcpn compare train.svm --algorithms paper,gist --stop relative-change --json"},
    .options = options_of_compare,
    .fewest = 1,
    .most = 1,
    .takes_settings = 1,
    .settings_note = "The settings of 'dcpn fit --help-all' are options too and hold for all of LIST; --algorithm, "
                     "--metric, --subsolver and --majorize belong to an entry (dcpn:metric=lbfgs).",
    .run = compare,
};
