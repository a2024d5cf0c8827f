/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of rows as a table: what a row is called, and a number for each atom. */
#include "codes.h"

#include "distinct.h"
#include "predict_table.h"

#include <stdlib.h>

static void print_header(FILE *stream, const dcpn_dataset *data, int64_t atoms)
{
    dcpn_cli_print_csv_field(stream, data->id_name ? data->id_name : data->row_names ? "id" : "row");
    for (int64_t k = 0; k < atoms; k++) fprintf(stream, ",atom%lld", (long long)k + 1);
    fputc('\n', stream);
}

static void print_row(FILE *stream, const dcpn_dataset *data, int64_t row, const double *code, int64_t atoms)
{
    if (data->row_names)
        dcpn_cli_print_csv_field(stream, data->row_names[row]);
    else
        fprintf(stream, "%lld", (long long)row + 1);
    for (int64_t k = 0; k < atoms; k++) fprintf(stream, ",%.10g", code[k]);
    fputc('\n', stream);
}

static int write_table(const struct cli *cli, const dcpn_dataset *data, const double *codes, int64_t atoms,
                       const char *path)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    if (!stream) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    print_header(stream, data, atoms);
    for (int64_t i = 0; i < data->rows; i++) print_row(stream, data, i, codes + i * atoms, atoms);
    int code = fclose(stream) == 0 ? dcpn_cli_write_text(cli, path, text, length)
                                   : dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    free(text);
    return code;
}

static int make_codes(const struct cli *cli, const dcpn_factors *factors, const dcpn_dataset *data, const char *path)
{
    if (factors->atoms > INT64_MAX / 8 / data->rows) return dcpn_cli_fail(cli, DCPN_MEMORY, "out of memory");
    double *codes = dcpn_cli_allocate(cli, data->rows * factors->atoms, sizeof *codes);
    if (!codes) return dcpn_status_exit_code(DCPN_MEMORY);
    int code = dcpn_cli_check(cli, dcpn_factors_codes(factors, data->matrix, codes));
    if (!code) code = write_table(cli, data, codes, factors->atoms, path ? path : "-");
    free(codes);
    return code;
}

int dcpn_cli_codes(const struct cli *cli, const struct reading_options *reading, const char *output)
{
    dcpn_factors *factors = NULL;
    dcpn_dataset *data = NULL;
    const struct cli_files files = {.reads = {cli->arguments[0], cli->arguments[1]}, .writes = {output}};
    int code = dcpn_cli_check_distinct(cli, &files);
    if (!code && output) code = dcpn_cli_check(cli, dcpn_output_try(cli->context, output));
    if (!code) code = dcpn_cli_check(cli, dcpn_factors_read(cli->context, cli->arguments[0], &factors));
    if (!code)
        code = dcpn_cli_read(
            cli, cli->arguments[1], reading,
            (dcpn_read_options){.table.label_optional = 2,
                                .unlabelled = 1,
                                .narrow = 1,
                                .at_least = factors->of_columns ? factors->count : factors->length},
            &data);
    if (!code) code = make_codes(cli, factors, data, output);
    dcpn_dataset_free(data);
    dcpn_factors_free(factors);
    return code;
}
