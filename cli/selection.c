/* SPDX-License-Identifier: BSD-3-Clause */
/* fit --select: lambda, the shape of the penalty and the weight of unlabelled rows, chosen on a grid. */
#include "selection.h"

#include <math.h>

/* An option that has no meaning without --select. */
static const char *stray_word(const struct selection_words *words)
{
    if (words->lambdas) return "lambdas";
    if (words->shapes) return "shapes";
    if (words->weights) return "unlabelled-weights";
    if (words->measure) return "measure";
    if (words->folds) return "folds";
    return words->seed ? "seed" : NULL;
}

int dcpn_cli_selection_words(const struct cli *cli, const struct selection_words *words, struct selection_work *work)
{
    dcpn_grid_options *o = &work->options;
    const char *stray = words->select ? NULL : stray_word(words);
    if (stray) return dcpn_cli_fail(cli, DCPN_USAGE, "--%s has a meaning only with --select", stray);
    int code = dcpn_cli_number_list(cli, "lambdas", words->lambdas, &work->lambdas);
    if (!code) code = dcpn_cli_number_list(cli, "shapes", words->shapes, &work->shapes);
    if (!code) code = dcpn_cli_number_list(cli, "unlabelled-weights", words->weights, &work->weights);
    o->lambdas = work->lambdas.numbers;
    o->lambda_count = work->lambdas.count;
    o->values = work->shapes.numbers;
    o->value_count = work->shapes.count;
    o->weights = work->weights.numbers;
    o->weight_count = work->weights.count;
    o->folds = words->folds;
    o->seed = (uint64_t)words->seed;
    o->measure = words->measure;
    return code;
}

/* Says that the selection has ended early. The candidate that was chosen is fitted all the same, unless Ctrl-C leaves
 * no time for that; the settings to fit it with are then said. */
static int say_early_end(const struct cli *cli, const dcpn_grid_selection *selection)
{
    int is_stopped = dcpn_cli_watch_is_stopped();
    const char *why = is_stopped ? "interrupted" : "--max-time was over";
    if (selection->chosen < 0) {
        dcpn_cli_say(cli, "%s before a first candidate was done: nothing was chosen, and nothing written", why);
        return is_stopped ? DCPN_CLI_INTERRUPTED : DCPN_CLI_NOT_CONVERGED;
    }
    dcpn_cli_say(cli, "%s: the choice is among the %lld candidates that were done", why, (long long)selection->count);
    if (!is_stopped) return 0;
    const dcpn_grid_candidate *chosen = &selection->candidates[selection->chosen];
    char value[80] = "", weight[60] = "";
    if (!isnan(chosen->value))
        snprintf(value, sizeof value, " --%.20s %.6g --shape-units %.10s", selection->varying,
                 chosen->value, selection->settings.shape_units);
    if (selection->has_weights) snprintf(weight, sizeof weight, " --unlabelled-weight %.6g", chosen->weight);
    dcpn_cli_say(cli, "nothing is written; dcpn fit with --lambda %.6g%s%s fits it", chosen->lambda, value, weight);
    return DCPN_CLI_INTERRUPTED;
}

int dcpn_cli_selection_run(const struct cli *cli, const struct training *training, const dcpn_settings *settings,
                           struct watch *watch, struct selection_work *work)
{
    work->options.observer = dcpn_cli_watch_path;
    work->options.user = watch;
    dcpn_cli_watch_signals();
    int code = dcpn_cli_check(
        cli, dcpn_select_on_grid(cli->context, training->problem, settings, &work->options, &work->selection));
    return code || work->selection->is_complete ? code : say_early_end(cli, work->selection);
}

static void print_candidate(FILE *stream, const dcpn_grid_selection *selection, const dcpn_grid_candidate *candidate)
{
    fprintf(stream, "lambda %g", candidate->lambda);
    if (!isnan(candidate->value)) fprintf(stream, ", %s %g", selection->varying, candidate->value);
    if (selection->has_weights) fprintf(stream, ", unlabelled-weight %g", candidate->weight);
    fprintf(stream, ": %s %.4g +- %.2g", selection->measure, candidate->mean, candidate->se);
}

void dcpn_cli_selection_print(FILE *stream, const dcpn_grid_selection *selection)
{
    fprintf(stream, "selected      ");
    print_candidate(stream, selection, &selection->candidates[selection->chosen]);
    fprintf(stream, " (%lld folds of labelled rows, best of %lld, %.3g s)\n", (long long)selection->folds,
            (long long)selection->count, selection->time_s);
}

void dcpn_cli_selection_print_all(FILE *stream, const dcpn_grid_selection *selection)
{
    for (int64_t k = 0; k < selection->count; k++) {
        fprintf(stream, "candidate     ");
        print_candidate(stream, selection, &selection->candidates[k]);
        fputc('\n', stream);
    }
}

void dcpn_cli_selection_free(struct selection_work *work)
{
    dcpn_grid_selection_free(work->selection);
    dcpn_cli_number_list_free(&work->lambdas);
    dcpn_cli_number_list_free(&work->shapes);
    dcpn_cli_number_list_free(&work->weights);
}
