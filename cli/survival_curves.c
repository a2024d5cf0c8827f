/* SPDX-License-Identifier: BSD-3-Clause */
#include "survival_curves.h"

#include "column_order.h"
#include "number_list.h"
#include "survival.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of the fit, as they were read again. */
struct fitted_rows {
    struct training_options options;
    struct training training;
    double *scores;
};

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void sort_and_unite(struct survival_curves *curves)
{
    int64_t kept = 0;
    qsort(curves->times, (size_t)curves->count, sizeof *curves->times, ascending);
    for (int64_t k = 0; k < curves->count; k++)
        if (kept == 0 || curves->times[k] != curves->times[kept - 1]) curves->times[kept++] = curves->times[k];
    curves->count = kept;
}

static int find_times(const struct cli *cli, const char *text, struct survival_curves *curves)
{
    struct number_list list = {0};
    if (strcmp(text, "all") != 0) {
        int code = dcpn_cli_number_list(cli, "times", text, &list);
        curves->times = list.numbers;
        curves->count = list.count;
        return code;
    }
    curves->count = dcpn_hazard_count(curves->hazard);
    curves->times = dcpn_cli_allocate(cli, curves->count, sizeof *curves->times);
    if (!curves->times) return dcpn_status_exit_code(DCPN_MEMORY);
    for (int64_t k = 0; k < curves->count; k++) curves->times[k] = dcpn_hazard_time(curves->hazard, k);
    sort_and_unite(curves);
    return 0;
}

static int read_rows(const struct cli *cli, dcpn_model *model, const struct wanted *wanted, const struct cli *of_fit,
                     struct fitted_rows *rows)
{
    struct training *training = &rows->training;
    const char *weights = dcpn_cli_given_to_fit(model, "--weights"), *offset = dcpn_cli_given_to_fit(model, "--offset");
    struct reading_options reading = rows->options.reading;
    char *ignored = NULL;
    const dcpn_read_options how = {.narrow = 1,
                                   .indexing = dcpn_cli_indexing(model->index_base),
                                   .at_least = model->features,
                                   .table.wanted = wanted->names,
                                   .table.wanted_count = model->table.names ? wanted->count : 0,
                                   .table.fill = wanted->fill,
                                   .table.categories = model->table.categories,
                                   .table.category_count = model->table.category_count};
    int code = dcpn_cli_survival_reading(of_fit, &rows->options, &reading, &ignored);
    if (!code) code = dcpn_cli_read(cli, of_fit->arguments[0], &reading, how, &training->data);
    free(ignored);
    if (!code) code = dcpn_cli_survival_read(of_fit, &rows->options, training);
    if (!code) code = dcpn_cli_follow_names(cli, model, training->data, of_fit->arguments[0], 1);
    if (!code && weights) code = dcpn_cli_read_numbers(cli, weights, training->data->rows, "row", &training->weights);
    if (!code && offset) code = dcpn_cli_read_numbers(cli, offset, training->data->rows, "row", &training->offset);
    return code;
}

static int find_hazard(const struct cli *cli, const dcpn_model *model, struct fitted_rows *rows, dcpn_hazard **hazard)
{
    const struct training *training = &rows->training;
    int64_t count = training->data->rows;
    rows->scores = dcpn_cli_allocate(cli, count, sizeof *rows->scores);
    if (!rows->scores) return dcpn_status_exit_code(DCPN_MEMORY);
    int code = dcpn_cli_check(cli, dcpn_model_scores(model, training->data->matrix, training->offset, rows->scores));
    if (code) return code;
    const dcpn_hazard_rows given = {.rows = count,
                                    .times = training->data->labels,
                                    .scores = rows->scores,
                                    .weights = training->weights,
                                    .start = training->entry,
                                    .strata = training->strata,
                                    .is_efron = strcmp(model->settings.ties, "efron") == 0};
    return dcpn_cli_check(cli, dcpn_hazard_new(cli->context, &given, hazard));
}

static int check_asked(const struct cli *cli, const dcpn_model *model, const struct curves_asked *asked)
{
    if (strcmp(model->settings.loss, "cox") != 0)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--times: the model has the loss %s, expected cox, whose rows survive",
                             model->settings.loss);
    if (!asked->times || !asked->fitted_to)
        return dcpn_cli_fail(cli, DCPN_USAGE,
                             "--times and --fitted-to go together: chances to survive follow from the times of the "
                             "table that the model was fitted to");
    if (!asked->is_table)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--times: they are columns of the table; leave --type out");
    if (dcpn_cli_given_to_fit(model, "--time")) return 0;
    return dcpn_cli_fail(cli, DCPN_USAGE,
                         "--times: the model does not say which columns of %s are its times and events; fit it by "
                         "'dcpn fit', 'path' or 'cv' with --time",
                         asked->fitted_to);
}

int dcpn_cli_survival_curves(const struct cli *cli, dcpn_model *model, const struct wanted *wanted,
                             const struct curves_asked *asked, int64_t rows, struct survival_curves *curves)
{
    if (!asked->times && !asked->fitted_to) return 0;
    int code = check_asked(cli, model, asked);
    if (code) return code;
    char *file = (char *)(uintptr_t)asked->fitted_to;
    struct cli of_fit = *cli;
    of_fit.arguments = &file;
    struct fitted_rows fitted = {.options = {.survival.time = dcpn_cli_given_to_fit(model, "--time"),
                                             .survival.event = dcpn_cli_given_to_fit(model, "--event"),
                                             .survival.entry = dcpn_cli_given_to_fit(model, "--entry"),
                                             .survival.strata = dcpn_cli_given_to_fit(model, "--strata"),
                                             .reading = {.ignore = dcpn_cli_given_to_fit(model, "--ignore"),
                                                         .id = dcpn_cli_given_to_fit(model, "--id"),
                                                         .storage = "auto"}}};
    code = read_rows(cli, model, wanted, &of_fit, &fitted);
    if (!code) code = find_hazard(cli, model, &fitted, &curves->hazard);
    if (!code) code = find_times(cli, asked->times, curves);
    if (!code && fitted.options.survival.strata)
        code = dcpn_cli_survival_strata(cli, asked->data, fitted.options.survival.strata, rows, &curves->strata);
    free(fitted.scores);
    dcpn_cli_training_free(cli, &fitted.training);
    return code;
}

void dcpn_cli_survival_curves_free(struct survival_curves *curves)
{
    dcpn_hazard_free(curves->hazard);
    free(curves->times);
    free(curves->strata);
}

void dcpn_cli_survival_curves_head(FILE *stream, const struct survival_curves *curves)
{
    for (int64_t k = 0; k < curves->count; k++) fprintf(stream, ",survival_%.6g", curves->times[k]);
}

/* Empty: nobody of the row's stratum had an event. */
void dcpn_cli_survival_curves_row(FILE *stream, const struct survival_curves *curves, int64_t row, double score)
{
    double stratum = curves->strata ? curves->strata[row] : 0.0;
    for (int64_t k = 0; k < curves->count; k++) {
        double survival = dcpn_hazard_survival(curves->hazard, stratum, curves->times[k], score);
        fprintf(stream, isnan(survival) ? "," : ",%.6g", survival);
    }
}
