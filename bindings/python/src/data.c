/* SPDX-License-Identifier: BSD-3-Clause */
/* The type Data: a matrix over arrays that belong to Python, and the context of all work with it. */
#include "data.h"
#include "structured.h"

/* ---- one call at a time ---- */

int dcpn_python_data_enter(struct data *data, struct call *call, PyObject *observer)
{
    return dcpn_python_enter(data->home, "these data are in use by another thread; make Data of its own for each", call,
                             observer);
}

void dcpn_python_data_leave(struct data *data, struct call *call)
{
    dcpn_python_leave(data->home, call);
}

/* ---- making and freeing ---- */

static void destroy(PyObject *self)
{
    struct data *data = (struct data *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    dcpn_dataset_free(data->dataset);
    dcpn_matrix_free(data->owned);
    for (int k = 0; k < 3; k++) dcpn_python_release(&data->arrays[k]);
    if (data->table.obj) PyBuffer_Release(&data->table);
    Py_XDECREF(data->allreduce);
    Py_XDECREF(data->broadcast);
    Py_XDECREF(data->leave);
    Py_XDECREF(data->home);
    release(self);
    Py_DECREF(type);
}

struct data *dcpn_python_data_new(PyObject *type, int threads)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
    struct data *data = (struct data *)allocate((PyTypeObject *)type, 0); /* all 0 */
    if (!data) return NULL;
    data->home = dcpn_python_home_new(threads);
    if (!data->home) {
        Py_DECREF(data);
        return NULL;
    }
    data->context = dcpn_python_home_of(data->home)->context;
    return data;
}

/* ---- dense ---- */

struct layout {
    dcpn_layout layout;
    int64_t stride;
};

/* Rows or columns may have gaps between them; numbers within one may not. */
static int find_layout(const Py_buffer *table, struct layout *found)
{
    const Py_ssize_t size = table->itemsize, *shape = table->shape, *strides = table->strides;
    int by_row = strides[1] == size || shape[1] == 1, by_column = strides[0] == size || shape[0] == 1;
    if (by_row && strides[0] >= shape[1] * size && strides[0] % size == 0)
        *found = (struct layout){DCPN_ROW_MAJOR, strides[0] / size};
    else if (by_row && shape[0] == 1)
        *found = (struct layout){DCPN_ROW_MAJOR, shape[1]};
    else if (by_column && strides[1] >= shape[0] * size && strides[1] % size == 0)
        *found = (struct layout){DCPN_COLUMN_MAJOR, strides[1] / size};
    else if (by_column && shape[1] == 1)
        *found = (struct layout){DCPN_COLUMN_MAJOR, shape[0]};
    else
        return PyErr_SetString(PyExc_ValueError,
                               "X: found numbers with gaps between them, expected rows or columns without"),
               -1;
    return 0;
}

static int fill_dense(struct data *data, struct call *call)
{
    dcpn_python_number number;
    struct layout found = {DCPN_ROW_MAJOR, 1};
    const Py_buffer *table = &data->table;
    if (table->ndim != 2) return PyErr_Format(PyExc_ValueError, "X: found %d dimensions, expected 2", table->ndim), -1;
    if (!dcpn_python_number_of(table, "X", &number)) return -1;
    if (number != DCPN_PYTHON_DOUBLE && number != DCPN_PYTHON_FLOAT)
        return PyErr_SetString(PyExc_ValueError, "X: found whole numbers, expected float64 or float32"), -1;
    if (table->shape[0] > 0 && table->shape[1] > 0 && find_layout(table, &found) < 0) return -1;
    dcpn_python_unlock(call);
    dcpn_status status = dcpn_matrix_dense(data->context, table->shape[0], table->shape[1], table->buf,
                                           number == DCPN_PYTHON_FLOAT ? DCPN_FLOAT32 : DCPN_FLOAT64, found.layout,
                                           found.stride, DCPN_BORROW, &data->owned);
    dcpn_python_lock(call);
    data->matrix = data->owned;
    return dcpn_python_raises(call, status) ? -1 : 0;
}

static PyObject *dense(PyObject *type, PyObject *arguments)
{
    PyObject *table;
    struct call call;
    int threads;
    if (!PyArg_ParseTuple(arguments, "Oi", &table, &threads)) return NULL;
    struct data *data = dcpn_python_data_new(type, threads);
    if (!data) return NULL;
    int status = PyObject_GetBuffer(table, &data->table, PyBUF_STRIDES | PyBUF_FORMAT);
    if (status == 0) status = dcpn_python_data_enter(data, &call, Py_None);
    if (status == 0) {
        status = fill_dense(data, &call);
        dcpn_python_data_leave(data, &call);
    }
    if (status == 0) return (PyObject *)data;
    Py_DECREF(data);
    return NULL;
}

/* ---- sparse ---- */

enum { POINTERS, INDICES, VALUES };

static int is_either(const struct borrowed *array, const char *what, dcpn_python_number one, dcpn_python_number other,
                     dcpn_python_number *number)
{
    if (!dcpn_python_number_of(&array->buffer, what, number)) return 0;
    if (*number == one || *number == other) return 1;
    PyErr_Format(PyExc_ValueError, "%s of X: found numbers of a type that dcpn does not read", what);
    return 0;
}

static int borrow_any(PyObject *object, const char *what, struct borrowed *array)
{
    if (PyObject_GetBuffer(object, &array->buffer, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) < 0) return -1;
    array->is_held = 1;
    array->entries = array->buffer.buf;
    array->count = array->buffer.itemsize ? array->buffer.len / array->buffer.itemsize : 0;
    if (array->buffer.ndim == 1) return 0;
    return PyErr_Format(PyExc_ValueError, "%s of X: found %d dimensions, expected 1", what, array->buffer.ndim), -1;
}

/* The library trusts the lengths of arrays, which C does not know. */
static int check_lengths(const struct borrowed *arrays, int64_t vectors)
{
    const int64_t *pointers = arrays[POINTERS].entries;
    if (arrays[POINTERS].count != vectors + 1)
        return PyErr_Format(PyExc_ValueError, "indptr of X: found %lld numbers, expected %lld",
                            (long long)arrays[POINTERS].count, (long long)vectors + 1),
               -1;
    int64_t entries = pointers[vectors];
    if (arrays[INDICES].count < entries || arrays[VALUES].count < entries)
        return PyErr_Format(PyExc_ValueError, "X: found %lld indices and %lld values, expected %lld as indptr says",
                            (long long)arrays[INDICES].count, (long long)arrays[VALUES].count, (long long)entries),
               -1;
    return 0;
}

static int fill_sparse(struct data *data, struct call *call, int by_row, int64_t rows, int64_t columns)
{
    struct borrowed *arrays = data->arrays;
    dcpn_python_number pointer, index, value;
    if (!is_either(&arrays[POINTERS], "indptr", DCPN_PYTHON_INT64, DCPN_PYTHON_INT64, &pointer)) return -1;
    if (!is_either(&arrays[INDICES], "indices", DCPN_PYTHON_INT32, DCPN_PYTHON_INT64, &index)) return -1;
    if (!is_either(&arrays[VALUES], "data", DCPN_PYTHON_FLOAT, DCPN_PYTHON_DOUBLE, &value)) return -1;
    if (check_lengths(arrays, by_row ? rows : columns) < 0) return -1;
    const dcpn_compressed C = {.rows = rows,
                               .columns = columns,
                               .pointers = arrays[POINTERS].entries,
                               .indices = arrays[INDICES].entries,
                               .index_type = index == DCPN_PYTHON_INT32 ? DCPN_INT32 : DCPN_INT64,
                               .values = arrays[VALUES].entries,
                               .value_type = value == DCPN_PYTHON_FLOAT ? DCPN_FLOAT32 : DCPN_FLOAT64};
    dcpn_python_unlock(call);
    dcpn_status status = by_row ? dcpn_matrix_csr(data->context, &C, DCPN_BORROW, &data->owned)
                                : dcpn_matrix_csc(data->context, &C, DCPN_BORROW, &data->owned);
    dcpn_python_lock(call);
    data->matrix = data->owned;
    return dcpn_python_raises(call, status) ? -1 : 0;
}

static PyObject *sparse(PyObject *type, PyObject *arguments)
{
    PyObject *pointers, *indices, *values;
    long long rows, columns;
    struct call call;
    int by_row, threads;
    if (!PyArg_ParseTuple(arguments, "pLLOOOi", &by_row, &rows, &columns, &pointers, &indices, &values, &threads))
        return NULL;
    struct data *data = dcpn_python_data_new(type, threads);
    if (!data) return NULL;
    int status = borrow_any(pointers, "indptr", &data->arrays[POINTERS]);
    if (status == 0) status = borrow_any(indices, "indices", &data->arrays[INDICES]);
    if (status == 0) status = borrow_any(values, "data", &data->arrays[VALUES]);
    if (status == 0) status = dcpn_python_data_enter(data, &call, Py_None);
    if (status == 0) {
        status = fill_sparse(data, &call, by_row, rows, columns);
        dcpn_python_data_leave(data, &call);
    }
    if (status == 0) return (PyObject *)data;
    Py_DECREF(data);
    return NULL;
}

/* ---- asking ---- */

static PyObject *shape(PyObject *self, PyObject *none)
{
    const struct data *data = (const struct data *)self;
    (void)none;
    return Py_BuildValue("(LL)", (long long)dcpn_matrix_rows(data->matrix),
                         (long long)dcpn_matrix_columns(data->matrix));
}

/* Python's way to say that a method takes keywords. */
static PyCFunction with_words(PyCFunctionWithKeywords function)
{
    return (PyCFunction)(void (*)(void))function;
}

int dcpn_python_add_data(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"dense", dense, METH_VARARGS | METH_CLASS, "dense(table, threads): borrows an array of two dimensions."},
        {"sparse", sparse, METH_VARARGS | METH_CLASS,
         "sparse(by_row, rows, columns, indptr, indices, data, threads): borrows the arrays."},
        {"contents", dcpn_python_contents, METH_NOARGS, "Copies what was read, as a dictionary of arrays."},
        {"shape", shape, METH_NOARGS, "Rows and columns."},
        {"read", NULL, METH_VARARGS | METH_KEYWORDS | METH_CLASS, "Reads a file of any format."},
        {"fit", NULL, METH_VARARGS | METH_KEYWORDS, "One fit, as a dictionary."},
        {"path", NULL, METH_VARARGS | METH_KEYWORDS, "Paths of lambdas, as a dictionary."},
        {"cv", NULL, METH_VARARGS | METH_KEYWORDS, "Paths and a cross-validation of them, as a dictionary."},
        {"graph", NULL, METH_VARARGS | METH_KEYWORDS, "Graphs of the columns, as a dictionary."},
        {"neighbours", NULL, METH_VARARGS | METH_KEYWORDS, "A fit of each column to all others, as a dictionary."},
        {"complete", NULL, METH_VARARGS | METH_KEYWORDS,
         "A matrix from rows of row, column and value, as a dictionary."},
        {"factor", NULL, METH_VARARGS | METH_KEYWORDS, "Codes and atoms, as a dictionary."},
        {"codes", NULL, METH_VARARGS | METH_KEYWORDS, "Codes of these rows with atoms that are known."},
        {"knockoffs", NULL, METH_VARARGS | METH_KEYWORDS, "Features at a promised rate, as a dictionary."},
        {"intervals", NULL, METH_VARARGS | METH_KEYWORDS, "Intervals of coefficients, as a dictionary."},
        {"join", dcpn_python_join, METH_VARARGS,
         "join(rank, size, allreduce, broadcast, leave): these are some of the rows, and other ranks have the others."},
        {0},
    };
    enum { FIRST_WITH_WORDS = 4 };
    static PyType_Slot slots[] = {{Py_tp_methods, methods}, {Py_tp_dealloc, (void *)destroy}, {0, NULL}};
    static PyType_Spec spec = {.name = "dcpn._core.Data",
                               .basicsize = sizeof(struct data),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    const PyCFunctionWithKeywords functions[] = {dcpn_python_read,     dcpn_python_fit,    dcpn_python_path,
                                                 dcpn_python_cv,       dcpn_python_graph,  dcpn_python_neighbours,
                                                 dcpn_python_complete, dcpn_python_factor, dcpn_python_codes,
                                                 dcpn_python_knockoffs, dcpn_python_intervals};
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        methods[FIRST_WITH_WORDS + k].ml_meth = with_words(functions[k]);
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    int status = type ? PyModule_AddType(module, (PyTypeObject *)type) : -1;
    Py_XDECREF(type);
    return status;
}
