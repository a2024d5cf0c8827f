/* SPDX-License-Identifier: BSD-3-Clause */
/* Data.read: a file of any format, and Data.contents: what is in it, as arrays. */
#include "data.h"

#include <string.h>

PyObject *dcpn_python_read(PyObject *type, PyObject *arguments, PyObject *words)
{
    static char *names[] = {"path", "threads",     "format", "features", "labels_path", "names_path", "label_column",
                            "id",   "categorical", "ignore", "missing",  "unlabelled",  "storage",    NULL};
    dcpn_read_options options = {0};
    const char *path;
    long long features = 0;
    int threads = 1, storage = DCPN_STORAGE_AUTO;
    struct call call;
    if (!PyArg_ParseTupleAndKeywords(arguments, words, "s|izLzzzzzzzpi", names, &path, &threads, &options.format,
                                     &features, &options.labels_path, &options.names_path, &options.table.label_column,
                                     &options.table.id_column, &options.table.categorical, &options.table.ignore,
                                     &options.table.missing, &options.unlabelled, &storage))
        return NULL;
    options.features = features;
    options.storage = (dcpn_storage)storage;
    struct data *data = dcpn_python_data_new(type, threads);
    if (!data) return NULL;
    int raises = dcpn_python_data_enter(data, &call, Py_None) < 0;
    if (!raises) {
        dcpn_python_unlock(&call);
        dcpn_status status = dcpn_read(data->context, path, &options, &data->dataset);
        dcpn_python_lock(&call);
        raises = dcpn_python_raises(&call, status);
        if (!raises) data->matrix = data->dataset->matrix;
        dcpn_python_data_leave(data, &call);
    }
    if (!raises) return (PyObject *)data;
    Py_DECREF(data);
    return NULL;
}

/* ---- the matrix, by rows ---- */

/* Rows are copied one after another, each where the one before ends. */
static int copy_rows(const dcpn_matrix *A, PyObject *pointers, PyObject *indices, PyObject *values)
{
    int64_t *first = (int64_t *)(void *)PyByteArray_AsString(pointers);
    int64_t *index = (int64_t *)(void *)PyByteArray_AsString(indices);
    double *value = (double *)(void *)PyByteArray_AsString(values);
    first[0] = 0;
    for (int64_t i = 0; i < dcpn_matrix_rows(A); i++)
        first[i + 1] = first[i] + dcpn_matrix_row(A, i, index + first[i], value + first[i]);
    return 0;
}

static PyObject *bytes_of(int64_t count, size_t size)
{
    return PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((size_t)count * size));
}

/* A row has at most one entry for each column; the last one may be copied through room for all of them. */
static PyObject *matrix_contents(const dcpn_matrix *A)
{
    int64_t rows = dcpn_matrix_rows(A), room = dcpn_matrix_entries(A) + dcpn_matrix_columns(A);
    PyObject *pointers = bytes_of(rows + 1, sizeof(int64_t)), *indices = bytes_of(room, sizeof(int64_t));
    PyObject *values = bytes_of(room, sizeof(double)), *found = NULL;
    if (pointers && indices && values && copy_rows(A, pointers, indices, values) == 0)
        found = Py_BuildValue("(LLOOOi)", (long long)rows, (long long)dcpn_matrix_columns(A), pointers, indices, values,
                              dcpn_matrix_is_dense(A));
    Py_XDECREF(pointers);
    Py_XDECREF(indices);
    Py_XDECREF(values);
    return found;
}

static PyObject *names_of(char *const *names, int64_t count)
{
    if (!names) return Py_NewRef(Py_None);
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (int64_t k = 0; list && k < count; k++) {
        PyObject *name = PyUnicode_DecodeUTF8(names[k], (Py_ssize_t)strlen(names[k]), "surrogateescape");
        if (!name || PyList_SetItem(list, (Py_ssize_t)k, name) < 0) Py_CLEAR(list);
    }
    return list;
}

PyObject *dcpn_python_contents(PyObject *self, PyObject *none)
{
    const dcpn_dataset *d = ((struct data *)self)->dataset;
    (void)none;
    if (!d) return PyErr_SetString(PyExc_ValueError, "these data were not read from a file"), NULL;
    return Py_BuildValue("{s:N,s:N,s:N,s:N,s:N,s:z,s:z,s:i}", "X", matrix_contents(d->matrix), "y",
                         dcpn_python_doubles(d->labels, d->rows), "feature_names",
                         names_of(d->feature_names, d->features), "label_names",
                         names_of(d->label_names, d->label_count), "row_names", names_of(d->row_names, d->rows),
                         "label_name", d->label_name, "format", d->format, "index_base", d->index_base);
}
