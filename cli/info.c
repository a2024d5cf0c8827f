/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info: what is in a data file or a model file. */
#include "census.h"
#include "command.h"
#include "json.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHOWN_CLASSES = 10, SHOWN_COEFFICIENTS = 10 };

struct info_options {
    int64_t index_base;
    int json;
};

#define TO(FIELD) offsetof(struct info_options, FIELD)

static const struct cli_option options_of_info[] = {
    DCPN_CLI_FLAG("json", 0, TO(json), "print one JSON object"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),
    DCPN_CLI_END,
};

/* A model starts with a brace. A pipe is not looked into, because it can be read only once: it holds data. */
static int is_model(const char *path)
{
    struct stat facts;
    if (strcmp(path, "-") == 0 || stat(path, &facts) != 0 || !S_ISREG(facts.st_mode)) return 0;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    int first = fgetc(file);
    while (first != EOF && isspace(first)) first = fgetc(file);
    fclose(file);
    return first == '{';
}

static void print_data_json(const dcpn_dataset *data, const struct census *census)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "data");
    dcpn_cli_json_count_member(stdout, ",", "rows", data->rows);
    dcpn_cli_json_count_member(stdout, ",", "features", data->features);
    dcpn_cli_json_count_member(stdout, ",", "entries", census->entries);
    dcpn_cli_json_number_member(stdout, ",", "density", census->density);
    dcpn_cli_json_count_member(stdout, ",", "index_base", data->index_base);
    dcpn_cli_json_count_member(stdout, ",", "empty_rows", census->empty_rows);
    dcpn_cli_json_count_member(stdout, ",", "empty_columns", census->empty_columns);
    dcpn_cli_json_number_member(stdout, ",", "value_min", census->value_min);
    dcpn_cli_json_number_member(stdout, ",", "value_max", census->value_max);
    dcpn_cli_json_count_member(stdout, ",", "distinct_labels", census->label_count);
    dcpn_cli_json_number_member(stdout, ",", "label_min", census->labels[0].value);
    dcpn_cli_json_number_member(stdout, ",", "label_max", census->labels[census->label_count - 1].value);
    fputs(",\"labels\":[", stdout);
    for (int64_t i = 0; i < census->label_count && census->label_count <= SHOWN_CLASSES; i++) {
        dcpn_cli_json_number_member(stdout, i ? ",{" : "{", "label", census->labels[i].value);
        dcpn_cli_json_count_member(stdout, ",", "rows", census->labels[i].rows);
        putchar('}');
    }
    puts("]}");
}

static void print_labels(const struct census *census)
{
    if (census->label_count > SHOWN_CLASSES) {
        printf("labels        %lld distinct, from %.10g to %.10g\n", (long long)census->label_count,
               census->labels[0].value, census->labels[census->label_count - 1].value);
        return;
    }
    for (int64_t i = 0; i < census->label_count; i++)
        printf("%-13s %.10g: %lld rows\n", i ? "" : "labels", census->labels[i].value,
               (long long)census->labels[i].rows);
}

static void print_data(const dcpn_dataset *data, const struct census *census)
{
    printf("data          %lld rows, %lld features, numbered from %d\n", (long long)data->rows,
           (long long)data->features, data->index_base);
    printf("entries       %lld not zero, density %.4g\n", (long long)census->entries, census->density);
    if (census->entries) printf("values        from %.10g to %.10g\n", census->value_min, census->value_max);
    printf("empty         %lld rows, %lld columns\n", (long long)census->empty_rows, (long long)census->empty_columns);
    print_labels(census);
}

static int describe_data(const struct cli *cli, const struct info_options *options)
{
    dcpn_dataset *data = NULL;
    struct census census = {0};
    dcpn_read_options how = {.index_base = (int)options->index_base};
    int code = dcpn_cli_check(cli, dcpn_read_libsvm(cli->context, cli->arguments[0], &how, &data));
    if (!code) code = dcpn_cli_census_take(cli, data, &census);
    if (!code && options->json) print_data_json(data, &census);
    if (!code && !options->json) print_data(data, &census);
    dcpn_cli_census_free(&census);
    dcpn_dataset_free(data);
    return code;
}

struct coefficient {
    int64_t feature;
    double value;
};

static int by_size(const void *left, const void *right)
{
    const struct coefficient *a = left, *b = right;
    double size_a = fabs(a->value), size_b = fabs(b->value);
    if (size_a > size_b || size_a < size_b) return size_a > size_b ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/* The coefficients, largest first, with the feature numbers of the data file. */
static struct coefficient *sort_coefficients(const struct cli *cli, const dcpn_model *model)
{
    struct coefficient *sorted = dcpn_cli_allocate(cli, model->nonzeros, sizeof *sorted);
    if (!sorted) return NULL;
    for (int64_t i = 0; i < model->nonzeros; i++)
        sorted[i] = (struct coefficient){model->index[i] + model->index_base, model->value[i]};
    qsort(sorted, (size_t)model->nonzeros, sizeof *sorted, by_size);
    return sorted;
}

static int64_t shown_coefficients(const dcpn_model *model)
{
    return model->nonzeros < SHOWN_COEFFICIENTS ? model->nonzeros : SHOWN_COEFFICIENTS;
}

static void print_model_json(const dcpn_model *model, const struct coefficient *largest)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "model");
    dcpn_cli_json_text_member(stdout, ",", "loss", model->settings.loss);
    dcpn_cli_json_text_member(stdout, ",", "penalty", model->settings.penalty);
    dcpn_cli_json_number_member(stdout, ",", "lambda", model->settings.lambda);
    dcpn_cli_json_count_member(stdout, ",", "rows", model->rows);
    dcpn_cli_json_count_member(stdout, ",", "features", model->features);
    dcpn_cli_json_count_member(stdout, ",", "nnz", model->nonzeros);
    dcpn_cli_json_count_member(stdout, ",", "index_base", model->index_base);
    dcpn_cli_json_number_member(stdout, ",", "intercept", model->intercept);
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name(model->fit.outcome));
    dcpn_cli_json_number_member(stdout, ",", "objective", model->fit.objective);
    dcpn_cli_json_number_member(stdout, ",", "stationarity", model->fit.stationarity);
    fputs(",\"largest\":[", stdout);
    for (int64_t i = 0; i < shown_coefficients(model); i++) {
        dcpn_cli_json_count_member(stdout, i ? ",{" : "{", "feature", largest[i].feature);
        dcpn_cli_json_number_member(stdout, ",", "value", largest[i].value);
        putchar('}');
    }
    puts("]}");
}

static void print_coefficients(const dcpn_model *model, const struct coefficient *largest)
{
    if (model->settings.intercept) printf("intercept     %.10g\n", model->intercept);
    for (int64_t i = 0; i < shown_coefficients(model); i++)
        printf("%-13s %lld: %.10g\n", i ? "" : "largest", (long long)largest[i].feature, largest[i].value);
}

static void print_model(const dcpn_model *model, const struct coefficient *largest)
{
    const dcpn_result *fit = &model->fit;
    printf("model         loss %s, penalty %s, lambda %.10g\n", model->settings.loss, model->settings.penalty,
           model->settings.lambda);
    printf("fitted to     %lld rows, %lld features, numbered from %d\n", (long long)model->rows,
           (long long)model->features, model->index_base);
    if (model->has_classes) printf("classes       %.10g and %.10g\n", model->classes[0], model->classes[1]);
    printf("objective     %.10g  (loss %.6g + penalty %.6g)\n", fit->objective, fit->loss_value, fit->penalty_value);
    printf("stationarity  %.3g  (goal %.3g)\n", fit->stationarity, fit->stationarity_goal);
    printf("outcome       %s: %s\n", dcpn_outcome_name(fit->outcome), dcpn_outcome_meaning(fit->outcome));
    printf("features      %lld of %lld kept\n", (long long)model->nonzeros, (long long)model->features);
    print_coefficients(model, largest);
}

static int describe_model(const struct cli *cli, const struct info_options *options)
{
    dcpn_model *model = NULL;
    int code = dcpn_cli_check(cli, dcpn_model_read(cli->context, cli->arguments[0], &model));
    struct coefficient *largest = code ? NULL : sort_coefficients(cli, model);
    if (!code && !largest) code = dcpn_status_exit_code(DCPN_MEMORY);
    if (!code && options->json) print_model_json(model, largest);
    if (!code && !options->json) print_model(model, largest);
    free(largest);
    dcpn_model_free(model);
    return code;
}

static int info(struct cli *cli, int argc, char **argv)
{
    struct info_options options;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    return is_model(cli->arguments[0]) ? describe_model(cli, &options) : describe_data(cli, &options);
}

const struct cli_command dcpn_cli_info = {
    .name = "info",
    .arguments = "FILE [OPTIONS]",
    .summary = "Describes a data file or a model file",
    .examples = {"dcpn info train.svm", "dcpn info model.json --json", "zcat train.svm.gz | dcpn info -"},
    .options = options_of_info,
    .fewest = 1,
    .most = 1,
    .run = info,
};
