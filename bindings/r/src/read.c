/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading a file of any format that the command reads, as a dgCMatrix's slots or a matrix. */
#include <string.h>

#include "dcpn_r.h"

static void take_options(SEXP given, dcpn_read_options *options)
{
    *options = (dcpn_read_options){.format = dcpn_r_text(given, "format"),
                                   .table.label_column = dcpn_r_text(given, "label"),
                                   .table.ignore = dcpn_r_text(given, "ignore"),
                                   .table.id_column = dcpn_r_text(given, "id"),
                                   .table.categorical = dcpn_r_text(given, "categorical"),
                                   .table.missing = dcpn_r_text(given, "missing"),
                                   .unlabelled = 1};
}

/* The numbers of a dense matrix, column by column. */
static SEXP table_of(const dcpn_matrix *A)
{
    int64_t rows = dcpn_matrix_rows(A), columns = dcpn_matrix_columns(A);
    if (rows > INT32_MAX || columns > INT32_MAX) return R_NilValue;
    SEXP table = PROTECT(Rf_allocMatrix(REALSXP, (int)rows, (int)columns));
    int64_t *index = (int64_t *)(void *)R_alloc((size_t)columns + 1, sizeof *index);
    double *value = (double *)(void *)R_alloc((size_t)columns + 1, sizeof *value);
    memset(REAL(table), 0, (size_t)rows * (size_t)columns * sizeof(double));
    for (int64_t i = 0; i < rows; i++) {
        int64_t count = dcpn_matrix_row(A, i, index, value);
        for (int64_t k = 0; k < count; k++) REAL(table)[i + rows * index[k]] = value[k];
    }
    UNPROTECT(1);
    return table;
}

/* Row by row, as a list of p, j and x, which the package makes a dgCMatrix of. */
static SEXP rows_of(const dcpn_matrix *A)
{
    int64_t rows = dcpn_matrix_rows(A), columns = dcpn_matrix_columns(A), entries = dcpn_matrix_entries(A);
    int64_t *index = (int64_t *)(void *)R_alloc((size_t)columns + 1, sizeof *index);
    double *value = (double *)(void *)R_alloc((size_t)columns + 1, sizeof *value);
    if (rows > INT32_MAX || columns > INT32_MAX || entries > INT32_MAX) return R_NilValue;
    SEXP p = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)rows + 1)),
         j = PROTECT(Rf_allocVector(INTSXP, (R_xlen_t)entries));
    SEXP x = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)entries));
    INTEGER(p)[0] = 0;
    for (int64_t i = 0; i < rows; i++) {
        int64_t first = INTEGER(p)[i], count = dcpn_matrix_row(A, i, index, value);
        for (int64_t k = 0; k < count; k++) INTEGER(j)[first + k] = (int)index[k], REAL(x)[first + k] = value[k];
        INTEGER(p)[i + 1] = (int)(first + count);
    }
    struct answer answer = dcpn_r_answer(4);
    dcpn_r_add(&answer, "p", p);
    dcpn_r_add(&answer, "j", j);
    dcpn_r_add(&answer, "x", x);
    dcpn_r_add(&answer, "columns", Rf_ScalarReal((double)columns));
    SEXP list = dcpn_r_answer_end(&answer);
    UNPROTECT(3);
    return list;
}

typedef const char *namer(const dcpn_dataset *data, int64_t k);

static SEXP names_of(const dcpn_dataset *data, namer *name, int64_t count)
{
    if (count < 1 || !name(data, 0)) return R_NilValue;
    const char **names = (const char **)(void *)R_alloc((size_t)count, sizeof *names);
    for (int64_t k = 0; k < count; k++) names[k] = name(data, k);
    return dcpn_r_texts(names, count);
}

static SEXP contents(const dcpn_dataset *data)
{
    const dcpn_matrix *A = dcpn_dataset_matrix(data);
    int64_t rows = dcpn_matrix_rows(A), texts = (int64_t)dcpn_dataset_number(data, "label_count");
    dcpn_value name = {0};
    (void)dcpn_dataset_get(data, "label_name", &name);
    struct answer answer = dcpn_r_answer(6);
    dcpn_r_add(&answer, "x", dcpn_matrix_is_dense(A) ? table_of(A) : rows_of(A));
    dcpn_r_add(&answer, "y", dcpn_r_doubles(dcpn_dataset_labels(data), rows));
    dcpn_r_add(&answer, "feature_names", names_of(data, dcpn_dataset_feature_name, dcpn_matrix_columns(A)));
    dcpn_r_add(&answer, "label_names", names_of(data, dcpn_dataset_label_text, texts));
    dcpn_r_add(&answer, "row_names", names_of(data, dcpn_dataset_row_name, rows));
    dcpn_r_add(&answer, "label_name", name.text ? Rf_mkString(name.text) : R_NilValue);
    return dcpn_r_answer_end(&answer);
}

SEXP dcpn_r_read(SEXP path, SEXP given, SEXP threads)
{
    dcpn_read_options options;
    SEXP handle = PROTECT(dcpn_r_begin(Rf_asInteger(threads)));
    struct work *work = dcpn_r_work(handle);
    take_options(given, &options);
    dcpn_r_need(handle,
                dcpn_read(work->context, R_ExpandFileName(CHAR(STRING_ELT(path, 0))), &options, &work->dataset));
    SEXP found = PROTECT(contents(work->dataset));
    dcpn_r_end(handle);
    UNPROTECT(2);
    return found;
}
