/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands that follow paths share. */
#include "path_work.h"

#include <stdlib.h>
#include <string.h>

/* "l1,mcp" as a list of names. */
static int cut_names(const struct cli *cli, const char *text, struct path_work *work)
{
    int64_t most = 1, count = 0;
    for (const char *c = text; *c; c++) most += *c == ',';
    work->names = dcpn_cli_allocate(cli, (int64_t)strlen(text) + 1, 1);
    work->penalties = dcpn_cli_allocate(cli, most, sizeof *work->penalties);
    if (!work->names || !work->penalties) return dcpn_status_exit_code(DCPN_MEMORY);
    strcpy(work->names, text);
    for (char *name = work->names; name;) {
        char *comma = strchr(name, ',');
        if (comma) *comma = '\0';
        work->penalties[count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    work->options.penalties = work->penalties;
    work->options.penalty_count = count;
    return 0;
}

int dcpn_cli_path_words(const struct cli *cli, const struct path_words *words, dcpn_settings *settings,
                        struct path_work *work)
{
    dcpn_path_options *o = &work->options;
    int code = words->penalties ? cut_names(cli, words->penalties, work) : 0;
    for (int64_t k = 0; !code && k < o->penalty_count; k++)
        code = dcpn_cli_check(cli, dcpn_settings_set(cli->context, settings, "penalty", work->penalties[k]));
    if (!code && o->penalty_count) settings->penalty = work->penalties[0];
    if (!code) code = dcpn_cli_number_list(cli, "lambdas", words->lambdas, &work->lambdas);
    if (!code) code = dcpn_cli_number_list(cli, "shapes", words->shapes, &work->shapes);
    if (!code) code = dcpn_cli_number(cli, "lambda-min-ratio", words->min_ratio, 1e-12, 0.999999, &o->min_ratio);
    if (!code) code = dcpn_cli_number(cli, "saturation", words->saturation, 1e-6, 1.0, &o->saturation);
    o->lambdas = work->lambdas.numbers;
    o->lambda_count = work->lambdas.numbers ? work->lambdas.count : words->nlambda;
    o->values = work->shapes.numbers;
    o->value_count = work->shapes.count;
    o->convexity_limit = words->convexity_limit ? words->convexity_limit : -1;
    return code;
}

void dcpn_cli_path_provenance(const struct cli *cli, const struct training *training, struct path_work *work)
{
    const dcpn_dataset *data = training->data;
    for (int c = 0; c < 2 && data->label_count == 2; c++) work->class_names[c] = data->label_names[c];
    work->provenance = (dcpn_provenance){
        .file = cli->arguments[0],
        .command = cli->words,
        .words = cli->word_count,
        .index_base = data->index_base,
        .feature_names = (const char *const *)data->feature_names,
        .class_names = data->label_count == 2 ? work->class_names : NULL,
        .read_s = training->read_s,
    };
}

void dcpn_cli_path_work_free(struct path_work *work)
{
    dcpn_cli_number_list_free(&work->lambdas);
    dcpn_cli_number_list_free(&work->shapes);
    free(work->names);
    free(work->penalties);
}

static int has_converged(const dcpn_path_point *point)
{
    return point->fit.outcome == DCPN_CONVERGED || point->fit.outcome == DCPN_RELATIVE_CHANGE;
}

int64_t dcpn_cli_path_unconverged(const dcpn_paths *paths)
{
    int64_t count = 0;
    for (int64_t v = 0; v < paths->count; v++)
        for (int64_t k = 0; k < paths->paths[v].count; k++) count += !has_converged(&paths->paths[v].points[k]);
    return count;
}

void dcpn_cli_path_print_title(FILE *stream, const dcpn_path *path)
{
    fprintf(stream, "%s", path->settings.penalty);
    if (path->varying) fprintf(stream, ", %s = %.6g", path->varying, path->value);
}
