/* SPDX-License-Identifier: BSD-3-Clause */
/* The type KeptMatrix: written as a file, drawn as a page, and for graphs of single fits filling in what is missing. */
#include "kept_matrix.h"

#include "cli/graph_tables.h"
#include "cli/sheet.h"

struct kept {
    PyObject_HEAD PyObject *home;
    dcpn_context *context;
    struct matrix_kept made;
};

static PyTypeObject *kept_type; /* made once, with the module */

/* ---- making and freeing ---- */

static void free_made(const struct matrix_kept *m)
{
    dcpn_graphs_free(m->graphs);
    dcpn_neighbours_free(m->neighbours);
    dcpn_completion_free(m->completion);
    dcpn_factors_free(m->factors);
}

static void destroy(PyObject *self)
{
    struct kept *kept = (struct kept *)self;
    PyTypeObject *type = Py_TYPE(self);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    free_made(&kept->made);
    Py_XDECREF(kept->home);
    release(self);
    Py_DECREF(type);
}

static PyObject *make(PyObject *home, const struct matrix_kept *made)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(kept_type, Py_tp_alloc);
    struct kept *kept = (struct kept *)allocate(kept_type, 0);
    if (!kept) return free_made(made), NULL;
    kept->home = Py_NewRef(home);
    kept->context = dcpn_python_home_of(home)->context;
    kept->made = *made;
    return (PyObject *)kept;
}

PyObject *dcpn_python_keep_matrix(const struct data *data, const struct matrix_kept *made)
{
    return make(data->home, made);
}

/* ---- one call at a time ---- */

static int enter(struct kept *kept, struct call *call)
{
    return dcpn_python_enter(kept->home, dcpn_python_kept_busy, call, Py_None);
}

/* Ends the call: None, or NULL with the exception that the status stands for. */
static PyObject *leave(struct kept *kept, struct call *call, dcpn_status status)
{
    int raises = dcpn_python_raises(call, status);
    dcpn_python_leave(kept->home, call);
    return raises ? NULL : Py_NewRef(Py_None);
}

/* ---- files ---- */

static dcpn_status write_made(const struct matrix_kept *m, const char *path)
{
    return m->graphs       ? dcpn_graphs_write(m->graphs, path)
           : m->neighbours ? dcpn_neighbours_write(m->neighbours, path)
           : m->completion ? dcpn_completion_write(m->completion, path)
                           : dcpn_factors_write(m->factors, path);
}

static PyObject *save(PyObject *self, PyObject *arguments)
{
    struct kept *kept = (struct kept *)self;
    struct call call;
    const char *path;
    if (!PyArg_ParseTuple(arguments, "s", &path) || enter(kept, &call) < 0) return NULL;
    return leave(kept, &call, write_made(&kept->made, path));
}

static dcpn_status read_made(dcpn_context *context, const char *path, struct matrix_kept *m)
{
    if (dcpn_graphs_begin(context, path)) return dcpn_graphs_read(context, path, &m->graphs);
    if (dcpn_neighbours_begin(context, path)) return dcpn_neighbours_read(context, path, &m->neighbours);
    if (dcpn_completion_begin(context, path)) return dcpn_completion_read(context, path, &m->completion);
    return dcpn_factors_read(context, path, &m->factors);
}

static PyObject *read_file(PyObject *type, PyObject *arguments)
{
    struct matrix_kept made = {0};
    PyObject *home, *found = NULL;
    struct call call;
    const char *path;
    (void)type;
    if (!PyArg_ParseTuple(arguments, "s", &path) || !(home = dcpn_python_home_new(1))) return NULL;
    dcpn_context *context = dcpn_python_home_of(home)->context;
    if (dcpn_python_begin(&call, context, Py_None) == 0) {
        int raises = dcpn_python_raises(&call, read_made(context, path, &made));
        dcpn_python_end(&call);
        if (!raises) found = make(home, &made);
    }
    Py_DECREF(home);
    return found;
}

/* ---- pages ---- */

static int draw_graph(const struct cli *cli, const struct matrix_kept *m, const char *title, const char *path)
{
    struct edge_list edges = {0};
    const struct graph_sheet page = {.graphs = m->graphs, .neighbours = m->neighbours, .edges = &edges};
    int code = m->graphs ? dcpn_cli_edges_take(cli, m->graphs, &edges)
                         : dcpn_cli_edges_take_joined(cli, m->neighbours, &edges);
    if (!code) code = dcpn_cli_sheet_write(cli, path, title, dcpn_cli_sheet_graph, &page);
    dcpn_cli_edges_free(&edges);
    return code;
}

static PyObject *report(PyObject *self, PyObject *arguments)
{
    struct kept *kept = (struct kept *)self;
    const struct matrix_kept *m = &kept->made;
    const struct cli cli = {.context = kept->context};
    struct factor_sheet page = {.factors = m->factors};
    struct call call;
    const char *path, *title;
    long long rows = 0, columns = 0;
    int code;
    if (!PyArg_ParseTuple(arguments, "ss|LL", &path, &title, &rows, &columns) || enter(kept, &call) < 0) return NULL;
    page.image_rows = rows;
    page.image_columns = columns;
    if (m->factors)
        code = dcpn_cli_sheet_write(&cli, path, title, dcpn_cli_sheet_factors, &page);
    else if (m->completion)
        code = dcpn_cli_sheet_write(&cli, path, title, dcpn_cli_sheet_completion, m->completion);
    else
        code = draw_graph(&cli, m, title, path);
    return leave(kept, &call, (dcpn_status)code); /* a status here: page.c */
}

/* ---- what is missing ---- */

/* fill(rows): NaN among them, one row after another, becomes what is expected, in place. */
static PyObject *fill(PyObject *self, PyObject *arguments)
{
    struct kept *kept = (struct kept *)self;
    struct call call;
    Py_buffer rows;
    PyObject *found = NULL;
    if (!PyArg_ParseTuple(arguments, "w*", &rows)) return NULL;
    int64_t variables = kept->made.neighbours ? kept->made.neighbours->variables : 0;
    int64_t size = variables * (int64_t)sizeof(double);
    if (!variables)
        PyErr_SetString(PyExc_ValueError, "this is no graph of single fits");
    else if (rows.len % size != 0)
        PyErr_Format(PyExc_ValueError, "found no whole rows of %lld variables", (long long)variables);
    else if (enter(kept, &call) == 0)
        found = leave(kept, &call, dcpn_neighbours_fill(kept->made.neighbours, rows.len / size, rows.buf));
    PyBuffer_Release(&rows);
    return found;
}

int dcpn_python_add_kept_matrix(PyObject *module)
{
    static PyMethodDef methods[] = {
        {"save", save, METH_VARARGS, "save(path): writes the file that the command would."},
        {"read", read_file, METH_VARARGS | METH_CLASS, "read(path): reads such a file."},
        {"report", report, METH_VARARGS, "report(path, title, image_rows, image_columns): writes the page."},
        {"fill", fill, METH_VARARGS, "fill(rows): NaN becomes what is expected, in place."},
        {0},
    };
    static PyType_Slot slots[] = {{Py_tp_methods, methods}, {Py_tp_dealloc, (void *)destroy}, {0, NULL}};
    static PyType_Spec spec = {.name = "dcpn._core.KeptMatrix",
                               .basicsize = sizeof(struct kept),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    if (!kept_type) kept_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
    return kept_type ? PyModule_AddType(module, kept_type) : -1;
}
