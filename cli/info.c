/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info: what is in a data file, a model file, or a file of factors or graphs. */
#include "census.h"
#include "coefficients.h"
#include "info_factors.h"
#include "info_completion.h"
#include "info_graph.h"
#include "info_groups.h"
#include "info_model.h"
#include "json.h"
#include "plural.h"
#include "reading.h"
#include "training.h"

#include <math.h>
#include <string.h>

enum { SHOWN_CLASSES = 10, SHOWN_NAMES = 5, NAME_COLUMNS = 60 };

struct info_options {
    int64_t features, index_base, threads;
    int json;
    const char *groups;
    struct reading_options reading;
};

#define TO(FIELD) offsetof(struct info_options, FIELD)

static const struct cli_option options_of_info[] = {
    DCPN_CLI_FLAG("json", 0, TO(json), "print one JSON object"),
    DCPN_CLI_READING_OPTIONS(TO),
    DCPN_CLI_WHOLE("features", "N", TO(features), "0", "largest in FILE", 1, INT64_MAX, "number of features"),
    DCPN_CLI_TEXT("groups", 0, "FILE", TO(groups), "none", "of a data file: groups of features, as fit takes them"),
    DCPN_CLI_WHOLE("threads", "N", TO(threads), "1", NULL, 0, 4096, "0: one per processor"),
    DCPN_CLI_WHOLE("index-base", "0|1", TO(index_base), "-1", "detect", 0, 1, "number of the first feature"),
    DCPN_CLI_END,
};

/* ---- Data ---- */

static void print_note_json(void *user, const char *sentence)
{
    int *printed = user;
    fputs((*printed)++ ? "," : "", stdout);
    dcpn_cli_json_text(stdout, sentence);
}

static void print_range_json(const char *name, const struct range *range)
{
    char member[40];
    snprintf(member, sizeof member, "%s_min", name);
    dcpn_cli_json_number_member(stdout, ",", member, range->min);
    snprintf(member, sizeof member, "%s_max", name);
    dcpn_cli_json_number_member(stdout, ",", member, range->max);
}

static void print_labels_json(const dcpn_dataset *data, const struct census *census)
{
    int64_t last = census->label_count - 1;
    dcpn_cli_json_count_member(stdout, ",", "unlabelled_rows", census->unlabelled);
    dcpn_cli_json_count_member(stdout, ",", "distinct_labels", census->label_count);
    if (!data->label_names) {
        dcpn_cli_json_number_member(stdout, ",", "label_min", last < 0 ? (double)NAN : census->labels[0].value);
        dcpn_cli_json_number_member(stdout, ",", "label_max", last < 0 ? (double)NAN : census->labels[last].value);
    }
    fputs(",\"labels\":[", stdout);
    for (int64_t i = 0; i <= last && last < SHOWN_CLASSES; i++) {
        const struct label_count *label = &census->labels[i];
        if (data->label_names)
            dcpn_cli_json_text_member(stdout, i ? ",{" : "{", "label", data->label_names[(int64_t)label->value]);
        else
            dcpn_cli_json_number_member(stdout, i ? ",{" : "{", "label", label->value);
        dcpn_cli_json_count_member(stdout, ",", "rows", label->rows);
        putchar('}');
    }
    putchar(']');
}

static void print_data_json(const dcpn_dataset *data, const struct census *census, const struct group_census *groups)
{
    int printed = 0;
    dcpn_cli_json_text_member(stdout, "{", "kind", "data");
    dcpn_cli_json_text_member(stdout, ",", "format", data->format);
    dcpn_cli_json_count_member(stdout, ",", "rows", data->rows);
    dcpn_cli_json_count_member(stdout, ",", "features", data->features);
    dcpn_cli_json_count_member(stdout, ",", "entries", census->entries);
    dcpn_cli_json_number_member(stdout, ",", "density", census->density);
    dcpn_cli_json_text_member(stdout, ",", "storage", dcpn_matrix_is_dense(data->matrix) ? "dense" : "sparse");
    dcpn_cli_json_count_member(stdout, ",", "index_base", data->index_base);
    dcpn_cli_json_count_member(stdout, ",", "empty_rows", census->empty_rows);
    dcpn_cli_json_count_member(stdout, ",", "empty_columns", census->empty_columns);
    print_range_json("value", &census->values);
    print_range_json("row_entries", &census->row_entries);
    print_range_json("row_norm", &census->row_norms);
    print_range_json("column_norm", &census->column_norms);
    dcpn_cli_json_count_member(stdout, ",", "constant_columns", census->constant_columns);
    dcpn_cli_json_count_member(stdout, ",", "repeated_columns", census->twin_columns);
    dcpn_cli_json_count_member(stdout, ",", "repeated_rows", census->twin_rows);
    print_labels_json(data, census);
    if (groups->count) dcpn_cli_group_census_json(groups);
    fputs(",\"notes\":[", stdout);
    dcpn_cli_census_suspect(data, census, print_note_json, &printed);
    puts("]}");
}

static void print_label(const dcpn_dataset *data, const struct label_count *label, const char *head)
{
    char text[40];
    printf("%-13s ", head);
    dcpn_cli_print_name(stdout, dcpn_cli_label_text(data->label_names, label->value, text), NAME_COLUMNS);
    printf(": %lld row%s\n", (long long)label->rows, dcpn_cli_plural(label->rows));
}

static void print_labels(const dcpn_dataset *data, const struct census *census)
{
    if (census->label_count > SHOWN_CLASSES) {
        printf("labels        %lld distinct", (long long)census->label_count);
        if (!data->label_names)
            printf(", from %.10g to %.10g", census->labels[0].value, census->labels[census->label_count - 1].value);
        putchar('\n');
    }
    for (int64_t i = 0; i < census->label_count && census->label_count <= SHOWN_CLASSES; i++)
        print_label(data, &census->labels[i], i ? "" : "labels");
    if (census->unlabelled)
        printf("%-13s %lld row%s\n", "unlabelled", (long long)census->unlabelled, dcpn_cli_plural(census->unlabelled));
}

static void print_names(const dcpn_dataset *data)
{
    if (!data->feature_names) return;
    printf("names        ");
    for (int64_t j = 0; j < data->features && j < SHOWN_NAMES; j++) {
        fputs(j ? ", " : " ", stdout);
        dcpn_cli_print_name(stdout, data->feature_names[j], NAME_COLUMNS);
    }
    puts(data->features > SHOWN_NAMES ? ", ..." : "");
}

static void print_note(void *user, const char *sentence)
{
    int *printed = user;
    printf("%-13s %s\n", (*printed)++ ? "" : "look at", sentence);
}

static void print_data(const dcpn_dataset *data, const struct census *census, const struct group_census *groups)
{
    int printed = 0;
    printf("data          %lld row%s, %lld feature%s, numbered from %d (%s)\n", (long long)data->rows,
           dcpn_cli_plural(data->rows), (long long)data->features, dcpn_cli_plural(data->features), data->index_base,
           data->format);
    printf("entries       %lld not zero, density %.4g, stored %s; %.10g to %.10g in a row\n",
           (long long)census->entries, census->density, dcpn_matrix_is_dense(data->matrix) ? "dense" : "sparse",
           census->row_entries.min, census->row_entries.max);
    if (census->entries) {
        if (census->values.min < census->values.max)
            printf("values        from %.10g to %.10g\n", census->values.min, census->values.max);
        else
            printf("values        all %.10g\n", census->values.min);
        printf("norms         of rows from %.4g to %.4g, of columns from %.4g to %.4g\n", census->row_norms.min,
               census->row_norms.max, census->column_norms.min, census->column_norms.max);
    }
    printf("empty         %lld row%s, %lld column%s\n", (long long)census->empty_rows,
           dcpn_cli_plural(census->empty_rows), (long long)census->empty_columns,
           dcpn_cli_plural(census->empty_columns));
    print_labels(data, census);
    print_names(data);
    if (groups->count) dcpn_cli_group_census_print(groups);
    dcpn_cli_census_suspect(data, census, print_note, &printed);
}

static int describe_data(const struct cli *cli, const struct info_options *options)
{
    dcpn_dataset *data = NULL;
    dcpn_groups *groups = NULL;
    struct census census = {0};
    struct group_census of_groups = {0};
    const dcpn_read_options how = {.features = options->features,
                                   .indexing = dcpn_cli_indexing(options->index_base),
                                   .unlabelled = 1,
                                   .table.label_optional = 1};
    int code = dcpn_cli_read_as_it_looks(cli, cli->arguments[0], &options->reading, how, &data);
    if (!code) code = dcpn_cli_read_groups(cli, options->groups, data, &groups);
    if (!code && groups) code = dcpn_cli_group_census(cli, groups, data->features, &of_groups);
    if (!code) code = dcpn_cli_census_take(cli, data, &census);
    if (!code && options->json) print_data_json(data, &census, &of_groups);
    if (!code && !options->json) print_data(data, &census, &of_groups);
    dcpn_groups_free(groups);
    dcpn_cli_census_free(&census);
    dcpn_dataset_free(data);
    return code;
}

static int info(struct cli *cli, int argc, char **argv)
{
    struct info_options options;
    int code = dcpn_cli_parse(cli, argc, argv, &options, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    dcpn_cli_listen(cli, 0, 0);
    dcpn_context_set_threads(cli->context, (int)options.threads);
    const char *path = cli->arguments[0];
    if (dcpn_cli_is_standard_stream(path) && dcpn_cli_is_standard_stream(options.groups))
        return dcpn_cli_fail(cli, DCPN_USAGE, "two inputs want standard input; only one can have it");
    int is_factors = dcpn_factors_begin(cli->context, path), is_completion = dcpn_completion_begin(cli->context, path);
    int is_graphs = dcpn_graphs_begin(cli->context, path), is_model = dcpn_results_begin(cli->context, path);
    if (!is_factors && !is_completion && !is_graphs && !is_model) return describe_data(cli, &options);
    if (options.groups)
        return dcpn_cli_fail(cli, DCPN_USAGE, "--groups: it goes with a file of data, and %s is none; leave it out",
                             path);
    if (is_factors) return dcpn_cli_describe_factors(cli, path, options.json);
    if (is_completion) return dcpn_cli_describe_completion(cli, path, options.json);
    if (dcpn_neighbours_begin(cli->context, path)) return dcpn_cli_describe_neighbours(cli, path, options.json);
    if (is_graphs) return dcpn_cli_describe_graphs(cli, path, options.json);
    return dcpn_cli_describe_model(cli, path, options.json);
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
