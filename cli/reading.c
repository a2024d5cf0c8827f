/* SPDX-License-Identifier: BSD-3-Clause */
/* How a command reads data. */
#include "reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "distinct.h"
#include "number_list.h"

dcpn_storage dcpn_cli_storage(const char *word)
{
    if (!word || strcmp(word, "auto") == 0) return DCPN_STORAGE_AUTO;
    return strcmp(word, "dense") == 0 ? DCPN_STORAGE_DENSE : DCPN_STORAGE_SPARSE;
}

dcpn_indexing dcpn_cli_indexing(int64_t index_base)
{
    if (index_base < 0) return DCPN_INDEX_DETECT;
    return index_base == 0 ? DCPN_INDEX_FROM_0 : DCPN_INDEX_FROM_1;
}

dcpn_read_options dcpn_cli_read_options(const struct reading_options *options, dcpn_read_options how)
{
    how.format = options->format;
    how.labels_path = options->labels;
    how.table.label_column = options->label_column;
    how.table.id_column = options->id;
    how.table.categorical = options->categorical;
    how.table.ignore = options->ignore;
    how.names_path = options->names;
    how.table.missing = options->missing;
    how.storage = dcpn_cli_storage(options->storage);
    return how;
}

int dcpn_cli_check_labels(const struct cli *cli, const char *labels)
{
    if (!labels || dcpn_cli_is_standard_stream(labels) || access(labels, F_OK) == 0) return 0;
    return dcpn_cli_fail(cli, DCPN_IO,
                         "--labels: found no file '%s', expected one with a label per row, or columns of responses "
                         "between commas; one column of the data: --label-column %s",
                         labels, labels);
}

int dcpn_cli_read(const struct cli *cli, const char *path, const struct reading_options *options, dcpn_read_options how,
                  dcpn_dataset **data)
{
    int code = dcpn_cli_check_labels(cli, options->labels);
    if (code) return code;
    how = dcpn_cli_read_options(options, how);
    return dcpn_cli_check(cli, dcpn_read(cli->context, path, &how, data));
}

/* Columns in another order would be a silent mistake. */
static int check_same_columns(const struct cli *cli, const dcpn_dataset *data, const dcpn_dataset *more,
                              const char *path)
{
    char **names = data->feature_names, **found = more->feature_names;
    for (int64_t j = 0; names && found && j < data->features && j < more->features; j++)
        if (strcmp(names[j], found[j]) != 0)
            return dcpn_cli_fail(cli, DCPN_DATA,
                                 "%s: feature %lld is called '%s', expected '%s' as in %s; bring the columns into the "
                                 "same order",
                                 path, (long long)j + 1, found[j], names[j], cli->arguments[0]);
    return 0;
}

int dcpn_cli_read_alike(const struct cli *cli, const char *path, const struct reading_options *options,
                        dcpn_read_options how, const dcpn_dataset *data, dcpn_dataset **more)
{
    struct reading_options reading = *options;
    reading.labels = reading.names = NULL;
    if (data->label_name) reading.label_column = NULL;
    if (data->feature_names) reading.ignore = NULL; /* what is wanted has names */
    if (data->id_name) reading.id = NULL;
    how.indexing = dcpn_cli_indexing(data->index_base);
    how.at_least = data->features;
    how.table.wanted = data->feature_names;
    how.table.wanted_count = data->feature_names ? data->features : 0;
    how.table.fill = data->fill;
    how.table.label_name = data->label_name;
    how.table.id_name = data->id_name;
    how.table.categories = data->categories;
    how.table.category_count = data->category_count;
    if (data->category_count) reading.categorical = NULL;
    int code = dcpn_cli_read(cli, path, &reading, how, more);
    return code ? code : check_same_columns(cli, data, *more, path);
}

int dcpn_cli_can_match(const dcpn_dataset *data, char **names)
{
    return data->label_names ? names != NULL : !names || dcpn_cli_is_number_list(names[1]);
}

int dcpn_cli_check_names(const struct cli *cli, const dcpn_model *model, const dcpn_dataset *data, const char *path)
{
    char **names = data->feature_names;
    for (int64_t k = 0; names && model->table.names && k < model->nonzeros; k++) {
        int64_t j = model->index[k] % model->features;
        if (j >= data->features)
            return dcpn_cli_fail(cli, DCPN_DATA,
                                 "%s: found no column, or several, called '%s', which is feature %lld of the model; "
                                 "expected one",
                                 path, model->table.names[k], (long long)j + 1);
        if (strcmp(model->table.names[k], names[j]) != 0)
            return dcpn_cli_fail(cli, DCPN_DATA,
                                 "%s: feature %lld is called '%s', expected '%s' as in the model; bring the columns "
                                 "into the order of the data that it was fitted to",
                                 path, (long long)j + 1, names[j], model->table.names[k]);
    }
    return 0;
}
